/** The page with made-up scenes: everything that a stream can carry. */
import { expect, test } from "@playwright/test";
import { head, record, stream } from "./support/encoder";
import { bundle, pageOf, write } from "./support/reports";
import { everything, manySpheres } from "./support/scenes";
import { colours, Watch } from "./support/watch";

const url = pageOf("everything", everything());

test("the keyboard plays, steps, jumps, loops, follows and helps", async ({ page }) => {
  const watch = new Watch(page);
  await watch.open(url);
  const state = () => page.evaluate(() => window.fender.state());
  const time = () => page.evaluate(() => window.fender.time());
  await page.keyboard.press("ArrowRight");
  expect(await time()).toBeCloseTo(0.04, 9);
  await page.keyboard.press("Shift+ArrowRight");
  expect(await time()).toBeCloseTo(0.44, 9);
  await page.keyboard.press("ArrowLeft");
  expect(await time()).toBeCloseTo(0.4, 9);
  await page.keyboard.press("End");
  expect(await time()).toBeCloseTo(5, 9);
  await page.keyboard.press("Home");
  expect(await time()).toBe(0);
  await page.keyboard.press("Space");
  expect((await state()).playing).toBe(true);
  await expect.poll(time).toBeGreaterThan(0.2);
  await page.keyboard.press("Space");
  expect((await state()).playing).toBe(false);
  await page.keyboard.press("l");
  expect((await state()).loop).toBe(false);
  await page.keyboard.press("]");
  expect(await time()).toBeGreaterThan(0.2);
  await page.keyboard.press("f");
  expect((await state()).attached).toBe("follow");
  await page.keyboard.press("f");
  expect((await state()).attached).toBe("none");
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Help" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog", { name: "Help" })).toBeHidden();
  watch.expectQuiet(url);
});

test("everything can be reached with the tab key, and focus can be seen", async ({ page }) => {
  await new Watch(page).open(url);
  const reached = new Set<string>();
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press("Tab");
    const at = await page.evaluate(() => {
      const e = document.activeElement as HTMLElement | null;
      if (!e || e === document.body) return null;
      return { name: e.getAttribute("aria-label") ?? e.textContent ?? "", outline: getComputedStyle(e).outlineStyle };
    });
    if (!at) continue;
    expect(at.outline, at.name).not.toBe("none");
    expect(at.name).not.toBe("");
    reached.add(at.name);
  }
  for (const name of ["Time", "Play (space)", "View", "Summary", "Choose signals", "Width of the side panel", "Help (?)"]) {
    if (name === "Summary") continue; // Tabs are reached by arrow keys, as is usual for them.
    expect([...reached]).toContain(name);
  }
  await page.locator("#tab-plots").focus();
  await page.keyboard.press("ArrowRight");
  await expect(page.locator("#panel-summary")).toBeVisible();
});

test("dark is as the system says, until someone chooses", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await new Watch(page).open(url);
  const background = () => page.evaluate(() => getComputedStyle(document.querySelector(".side") as Element).backgroundColor);
  const dark = await background();
  expect((await page.evaluate(() => window.fender.state())).theme).toBe("dark");
  await page.getByRole("button", { name: "Light colours" }).click();
  expect((await page.evaluate(() => window.fender.state())).theme).toBe("light");
  expect(await background()).not.toBe(dark);
  expect(await colours(page)).toBeGreaterThan(20);
});

test("the summary tells what was met and what was missed, in words", async ({ page }) => {
  await new Watch(page).open(url);
  await page.getByRole("button", { name: "1 of 3 missed" }).click();
  const panel = page.locator("#panel-summary");
  await expect(panel.locator(".outcome.met")).toContainText("met");
  await expect(panel.locator(".outcome.missed")).toContainText("asked below 15 N, got 20 N");
  await expect(panel.locator(".outcome.not-reached")).toContainText("not reached");
  for (const text of ["take a smaller step", "110 µm at 0.72 s", "50,000, 12 rejected", "restitution", "semi_implicit_euler", "7f857a1ccc7e2b2f"]) await expect(panel).toContainText(text);
});

test("contact patches have a scale, and can be switched off", async ({ page }) => {
  await new Watch(page).open(url);
  await page.evaluate(() => window.fender.seek(1));
  expect(await page.evaluate(() => window.fender.patches())).toBe(1);
  const legend = page.locator(".scene-legend");
  await expect(legend).toContainText("contact pressure 0500 Pa");
  await page.click("#tab-scene");
  await page.getByLabel("Contact patches").uncheck();
  await expect(legend).not.toContainText("contact pressure");
  expect(await page.evaluate(() => window.fender.patches())).toBe(0);
});

test("layers can be switched, and arrows have a scale", async ({ page }) => {
  await new Watch(page).open(url);
  await page.evaluate(() => window.fender.seek(1));
  await page.click("#tab-scene");
  const before = await page.evaluate(() => window.fender.arrows());
  expect(before).toBeGreaterThan(0);
  await page.getByLabel("Normal forces").uncheck();
  expect(await page.evaluate(() => window.fender.arrows())).toBeLessThan(before);
  await page.getByLabel("Closest distances").check();
  await expect(page.locator(".scene-label").first()).toContainText("m");
  for (const layer of ["Bounding volumes", "Body frames", "Centres of mass", "Joints and loops", "Shapes over meshes"]) await page.getByLabel(layer).check();
  for (const name of ["hinge", "ball joint", "cardan", "crane"]) await expect(page.locator(".scene-label", { hasText: name })).toBeVisible();
  expect((await page.evaluate(() => window.fender.loop("crane")))?.length).toBe(3);
  await page.getByLabel("Rods, cylinders, ropes").uncheck();
  expect(await page.evaluate(() => window.fender.loop("crane"))).toBeNull();
  await page.getByLabel("Normal forces").check();
  await page.getByLabel("Length of force arrows").fill("-2");
  await expect(page.locator(".slider output")).toHaveText("0.01×");
  expect(await page.evaluate(() => window.fender.arrows())).toBe(0);
});

test("a body can be chosen, and its numbers follow the time", async ({ page }) => {
  await new Watch(page).open(url);
  await page.click("#tab-scene");
  await page.getByRole("option", { name: "ball free" }).click();
  const card = page.locator(".inspector");
  await page.evaluate(() => window.fender.seek(0));
  await expect(card).toContainText("−0.6, 0, 1.05 m");
  await page.evaluate(() => window.fender.seek(2));
  await expect(card).toContainText("0, 0, ");
  await card.getByRole("button", { name: "Look from" }).click();
  expect((await page.evaluate(() => window.fender.state())).attached).toBe("from");
  await page.keyboard.press("Escape");
});

test("a click in the scene picks what is there", async ({ page }) => {
  await new Watch(page).open(url);
  await page.evaluate(() => window.fender.seek(0.4));
  // The saved view looks at the middle of the scene along y.
  await page.locator(".toolbar select").first().selectOption({ label: "side" });
  const canvas = (await page.locator(".viewport canvas").boundingBox())!;
  let found: string | null = null;
  // Right of where the card of what was picked opens.
  for (let x = 0.45; x < 0.9 && !found; x += 0.05) {
    for (let y = 0.3; y < 0.9 && !found; y += 0.02) {
      await page.mouse.click(canvas.x + x * canvas.width, canvas.y + y * canvas.height);
      const picked = await page.evaluate(() => window.fender.state().selection);
      if (picked && picked !== "floor") found = picked;
    }
  }
  expect(["ball", "box", "roller", "capsule", "part", "contact"]).toContain(found);
  await expect(page.locator(".inspector")).toBeVisible();
});

test("signals are found and plotted, zoomed, and saved", async ({ page }) => {
  await new Watch(page).open(url);
  const card = page.locator(".plot-card").nth(1);
  await card.getByRole("button", { name: "Choose signals" }).click();
  await page.getByLabel("Search signals").fill("normal force");
  await page.getByLabel("contact.ball-floor.normal_force").check();
  await page.keyboard.press("Escape");
  await page.evaluate(() => window.fender.seek(0.72));
  expect(await page.evaluate(() => window.fender.plotValue("contact.ball-floor.normal_force"))).toBe(20);
  const over = (await card.locator(".u-over").boundingBox())!;
  await page.mouse.move(over.x + 0.2 * over.width, over.y + 20);
  await page.mouse.down();
  await page.mouse.move(over.x + 0.6 * over.width, over.y + 30, { steps: 4 });
  await page.mouse.up();
  await expect(page.getByRole("button", { name: "Show all of the time" })).toBeVisible();
  for (const [item, ending, start] of [["Save data as CSV", ".csv", "time [s],"], ["Save as SVG", ".svg", "<svg"], ["Save as PNG", ".png", "\x89PNG"]]) {
    await card.getByRole("button", { name: "Export or remove" }).click();
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("menuitem", { name: item }).click()]);
    expect(download.suggestedFilename()).toContain(ending);
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).toString("latin1").startsWith(start)).toBe(true);
  }
});

test("the replay can be saved as video", async ({ page }) => {
  await new Watch(page).open(url);
  await page.locator(".transport select").selectOption("5");
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save the replay as video (WebM)" }).click()]);
  expect(download.suggestedFilename()).toBe("everything.webm");
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  // The first bytes of every WebM file, and more than a picture's worth after them.
  expect(Buffer.concat(chunks).subarray(0, 4).toString("hex")).toBe("1a45dfa3");
  expect(Buffer.concat(chunks).length).toBeGreaterThan(5000);
});

test("runs are compared: ghosts in the scene, curves side by side", async ({ page }) => {
  const both = pageOf("compare", everything(), everything(0.2));
  const watch = new Watch(page);
  await watch.open(both);
  await expect(page.locator(".value[data-signal='ball.position.z']")).toHaveCount(2);
  await expect(page.locator(".scene-legend")).toContainText("run 2");
  await page.click("#tab-scene");
  await page.getByLabel("run 2").uncheck();
  await page.getByLabel("Other runs (ghosts)").uncheck();
  watch.expectQuiet(both);
});

test("what is no stream, or of another version, or nothing, is told", async ({ page }) => {
  const embed = (data: string) => bundle.replace("<!--fender:data-->", () => `<script type="application/vnd.fender.stream">${data}</script>`);
  const newer = stream(record("H", head({})));
  newer[8] = 9;
  const damaged = everything().slice();
  damaged[damaged.length - 2000] ^= 1;
  const cases: [string, string][] = [
    [embed(Buffer.from("PNG or whatever this is").toString("base64")), "Not a Fender stream"],
    [embed(Buffer.from(newer).toString("base64")), "Written by a newer Fender"],
    [embed(Buffer.from(damaged).toString("base64")), "The recording is damaged"],
    [embed(""), "Nothing to show"],
    [bundle, "Nothing to show"],
  ];
  for (const [i, [html, title]] of cases.entries()) {
    await page.goto(write(`wrong-${i}.html`, html));
    await expect(page.getByRole("alert")).toContainText(title);
  }
});

test("without WebGL the plots still work, and the page says why there is no scene", async ({ page }) => {
  await page.addInitScript(() => {
    const original = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, kind: string, ...rest: unknown[]) {
      return kind.startsWith("webgl") ? null : Reflect.apply(original, this, [kind, ...rest]);
    } as typeof original;
  });
  await new Watch(page).open(url);
  await expect(page.getByRole("alert")).toContainText("No 3D view");
  await page.evaluate(() => window.fender.seek(1));
  expect(await page.evaluate(() => window.fender.plotValue("ball.position.x"))).toBeCloseTo(-0.3, 5);
});

test("a thousand spheres replay, with less detail if they must and without arrows until asked", async ({ page }) => {
  const many = pageOf("many", manySpheres(1000, 4));
  await new Watch(page).open(many);
  await page.keyboard.press("Space");
  await expect.poll(() => page.evaluate(() => window.fender.time())).toBeGreaterThan(1);
  expect(await page.evaluate(() => window.fender.fps())).toBeGreaterThan(0);
  await page.click("#tab-scene");
  await expect(page.locator('[data-layer="normal"]')).not.toBeChecked();
});
