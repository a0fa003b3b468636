/** Prints how soon a report (REPORT; else made-up scenes) shows its first frame and how fast it replays. Asserts nothing. */
import { test } from "@playwright/test";
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { pageOf } from "../tests/support/reports";
import { longRun, manySpheres } from "../tests/support/scenes";

const given = process.env.REPORT;
const reports: [string, () => string][] = given
  ? [[given, () => pathToFileURL(resolve(given)).href]]
  : [["10 bodies, 3 cables of 50 nodes, 200 s", () => pageOf("long", longRun())], ["1000 spheres, 10 s", () => pageOf("many", manySpheres(1000, 10))]];

for (const [name, make] of reports) {
  test(name, async ({ page }) => {
    const url = make();
    await page.setViewportSize({ width: 1280, height: 720 });
    // The first page of a browser also starts its graphics; measured is what a browser that is open already takes, and both are printed.
    const firsts: number[] = [];
    for (let i = 0; i < 3; i++) {
      await page.goto(url);
      // Until the frame is on the screen: ready, and one more turn of the browser.
      firsts.push(await page.evaluate(async () => {
        await window.fender.ready;
        await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)));
        return performance.now();
      }));
    }
    await page.waitForFunction(() => window.fender.state().loaded);
    await page.evaluate(() => window.fender.seek(0));
    await page.locator(".transport").getByRole("button", { name: /Play/ }).click();
    const rates: number[] = [];
    for (let i = 0; i < 8; i++) {
      await page.waitForTimeout(1000);
      rates.push(await page.evaluate(() => window.fender.fps()));
    }
    const quality = await page.evaluate(() => window.fender.state().quality);
    console.log(`${name}: ${(statSync(fileURLToPath(url)).size / 1e6).toFixed(1)} MB`);
    console.log(`  first frame: ${firsts[0].toFixed(0)} ms in a fresh browser, then ${firsts.slice(1).map((t) => t.toFixed(0)).join(", ")} ms`);
    console.log(`  replay: ${rates.map((r) => r.toFixed(0)).join(" ")} frames/s over 8 s; detail: ${quality}`);
  });
}
