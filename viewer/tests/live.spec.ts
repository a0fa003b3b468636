/** `fender view` of a scenario: the run is shown as it is computed, and steered from the page. */
import { expect, type Page, test } from "@playwright/test";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { program } from "./support/reports";
import { openLive, Server } from "./support/server";
import { colours } from "./support/watch";

const SCENARIO = ["box-drop", "--set", 'run.duration="600 s"'];
let server: Server;
// Two pages draw at once, in software.
test.use({ viewport: { width: 960, height: 600 } });
test.slow();

test.beforeEach(async () => {
  server = await Server.start(SCENARIO);
});
test.afterEach(() => server.stop());

const state = (page: Page) => page.evaluate(() => window.fender.state());
const newest = (page: Page) => page.evaluate(() => window.fender.state().end);
/** Waits for so many frames of the page. */
const framesDrawn = (page: Page, count: number) => page.evaluate((left) => new Promise<void>((resolve) => {
  const next = (): void => {
    left -= 1;
    if (left > 0) requestAnimationFrame(next);
    else resolve();
  };
  next();
}), count);
const bar = (page: Page) => page.locator(".live-bar");

test("a live run is shown as it comes, paused, stepped and resumed", async ({ page }) => {
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  await openLive(page, server.url);
  expect((await state(page)).mode).toBe("live");
  const first = await newest(page);
  await expect.poll(() => newest(page)).toBeGreaterThan(first + 0.2);
  expect(await colours(page)).toBeGreaterThan(15);
  await page.getByRole("button", { name: "Pause the run (r)" }).click();
  await expect(bar(page)).toHaveAttribute("data-state", "paused");
  // What was on its way when it paused is read; nothing comes after it, however many frames are drawn.
  await expect.poll(async () => (await state(page)).loaded).toBe(true);
  const paused = await newest(page);
  await framesDrawn(page, 40);
  expect(await newest(page)).toBe(paused);
  // It shows the newest frame.
  expect(await page.evaluate(() => window.fender.time())).toBe(paused);

  // One step of the integrator is far shorter than the time between frames.
  await page.getByRole("button", { name: "Compute one step, then pause (n)" }).click();
  await expect.poll(() => newest(page)).toBeGreaterThan(paused);
  expect(await newest(page)).toBeLessThan(paused + 0.05);
  await expect(bar(page)).toHaveAttribute("data-state", "paused");

  await page.getByRole("button", { name: "Resume the run (r)" }).click();
  await expect(bar(page)).toHaveAttribute("data-state", "running");
  await expect.poll(() => newest(page)).toBeGreaterThan(paused + 0.2);
  expect(errors).toEqual([]);
});

test("what was computed can be scrubbed while the run goes on", async ({ page }) => {
  await openLive(page, server.url);
  await expect.poll(() => newest(page)).toBeGreaterThan(0.6);
  await page.evaluate(() => window.fender.seek(0.2));
  const end = await newest(page);
  await expect.poll(() => newest(page)).toBeGreaterThan(end + 0.2);
  expect(await page.evaluate(() => window.fender.time())).toBeCloseTo(0.2, 6);
  expect((await page.evaluate(() => window.fender.pose("box")))!.position[2]).toBeGreaterThan(0.1);
  await page.getByRole("button", { name: /Go live|newest frame/ }).click();
  await expect.poll(() => page.evaluate(() => window.fender.time())).toBeGreaterThan(end);
});

test("the speed can be changed and the run started again", async ({ page }) => {
  await openLive(page, server.url);
  await page.getByLabel("Speed of the run").selectOption("0.1");
  await expect(page.getByLabel("Speed of the run")).toHaveValue("0.1");
  await page.getByLabel("Speed of the run").selectOption("fast");
  await expect.poll(() => newest(page)).toBeGreaterThan(10);
  await page.getByLabel("Speed of the run").selectOption("1");
  await page.getByRole("button", { name: "Start the run again" }).click();
  // Far below where it was, so that a slow page sees it in time.
  await expect.poll(() => newest(page)).toBeLessThan(10);
});

test("a mistake that a restart reads is told, and once it is mended the run goes on", async ({ page }) => {
  const folder = mkdtempSync(join(tmpdir(), "fender-mistake-"));
  execFileSync(program(), ["new", "ball", "--from", "spring-mass"], { cwd: folder, stdio: "ignore" });
  const file = join(folder, "ball", "scenario.toml");
  const good = readFileSync(file, "utf8");
  const own = await Server.start([file]);
  try {
    await openLive(page, own.url);
    writeFileSync(file, good.replace("stiffness", "stifness"));
    await page.getByRole("button", { name: "Start the run again" }).click();
    await expect(page.getByRole("alert")).toContainText("unknown key `stifness`");
    await expect(bar(page)).toHaveAttribute("data-state", "failed");
    writeFileSync(file, good);
    await page.getByRole("button", { name: "Start the run again" }).click();
    await expect(bar(page)).toHaveAttribute("data-state", /running|ended/);
    await expect(page.getByText("The run has failed")).toHaveCount(0);
  } finally {
    await own.stop();
  }
});

test("two browsers watch one run, and one's pause is the other's", async ({ page, browser }) => {
  await openLive(page, server.url);
  const context = await browser.newContext({ viewport: { width: 960, height: 600 } });
  const other = await context.newPage();
  await openLive(other, server.url);
  await page.getByRole("button", { name: "Pause the run (r)" }).click();
  await expect(bar(other)).toHaveAttribute("data-state", "paused");
  await expect.poll(async () => (await newest(page)) === (await newest(other))).toBe(true);
  // The late one has the whole history.
  const time = (await newest(page)) / 2;
  const poses = await Promise.all([page, other].map((p) => p.evaluate((t) => {
    window.fender.seek(t);
    return window.fender.pose("box");
  }, time)));
  expect(poses[0]).toEqual(poses[1]);
  await context.close();
});

test("a server that goes away is told, and one that comes back is found", async ({ page }) => {
  await openLive(page, server.url);
  await expect.poll(() => newest(page)).toBeGreaterThan(0.6);
  await server.stop();
  await expect(page.locator('.message[data-key="lost"]')).toContainText("Connection lost");
  await expect(bar(page)).toHaveAttribute("data-state", "not connected");
  // What has come can still be looked at.
  await page.evaluate(() => window.fender.seek(0.2));
  expect(await page.evaluate(() => window.fender.time())).toBeCloseTo(0.2, 6);
  const before = await newest(page);
  server = await Server.start(SCENARIO, server.port);
  await expect(page.locator('.message[data-key="lost"]')).toHaveCount(0);
  await expect(bar(page)).toHaveAttribute("data-state", "running");
  // It is a new run, from its beginning.
  await page.getByRole("button", { name: /Go live|newest frame/ }).click();
  await expect.poll(() => newest(page)).toBeGreaterThan(0.1);
  expect(before).toBeGreaterThan(0.6);
});
