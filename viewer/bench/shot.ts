/** A screenshot of a report: REPORT, OUT, and if wanted TIME, WIDTH, HEIGHT, SCHEME (light, dark), TAB, VIEW (a saved view's name). */
import { test } from "@playwright/test";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

test("screenshot", async ({ page }) => {
  const { REPORT, OUT, TIME, WIDTH, HEIGHT, SCHEME, TAB, VIEW } = process.env;
  if (!REPORT || !OUT) throw new Error("set REPORT to a report.html and OUT to the picture to write");
  await page.setViewportSize({ width: Number(WIDTH ?? 1280), height: Number(HEIGHT ?? 720) });
  await page.emulateMedia({ colorScheme: SCHEME === "dark" ? "dark" : "light" });
  await page.goto(pathToFileURL(resolve(REPORT)).href);
  await page.evaluate(() => window.fender.ready);
  await page.waitForFunction(() => window.fender.state().loaded);
  if (TAB) await page.click(`#tab-${TAB}`);
  if (VIEW) await page.locator(".toolbar select").first().selectOption({ label: VIEW });
  await page.evaluate((time) => window.fender.seek(time), Number(TIME ?? 0));
  // A still picture is drawn once more, finer.
  await page.waitForTimeout(1500);
  await page.screenshot({ path: OUT });
});
