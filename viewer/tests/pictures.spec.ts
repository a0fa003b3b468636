/**
 * Pictures of the scenarios that ship, for the book and the README. One that no longer looks as it did is written anew (`updateSnapshots` in the
 * configuration), so that the pictures are always those of the program; whoever changes the looks sees them in the commit.
 */
import { expect, test } from "@playwright/test";
import { report } from "./support/reports";
import { Watch } from "./support/watch";

/** The moment at which a scenario shows what it is about [s], and a saved view. */
const moments: Record<string, { time: number; view?: string }> = {
  andrews: { time: 0.012, view: "slanted" },
  "balanced-pendulum": { time: 0.3, view: "side" },
  "ball-in-cylinder": { time: 3.0, view: "along" },
  "ball-on-incline": { time: 0.8 },
  "boom-crane": { time: 8.0, view: "overview" },
  "bouncing-ball": { time: 1.0 },
  "box-drop": { time: 0.28 },
  bricard: { time: 0.9, view: "corner" },
  "cable-pendulum": { time: 0.6, view: "side" },
  catenary: { time: 2.0, view: "front" },
  crates: { time: 1.6, view: "quay" },
  "cubes-on-terrain": { time: 0.75, view: "south" },
  "double-pendulum": { time: 1.2, view: "side" },
  "double-pendulum-floor": { time: 0.6, view: "side" },
  "driven-plate": { time: 0.6 },
  "fence-push": { time: 1.7, view: "side" },
  "flyball-governor": { time: 0.3, view: "above" },
  "four-bar": { time: 0.55, view: "side" },
  "gear-mesh-contact": { time: 0.4, view: "corner" },
  "hanging-chain": { time: 0.45, view: "side" },
  "marbles-on-mesh": { time: 0.9, view: "front" },
  "mock-lift": { time: 14.3, view: "side" },
  "mooring-line": { time: 50, view: "side" },
  "newtons-cradle": { time: 0.4 },
  "painleve-rod": { time: 0.01, view: "side" },
  "peg-in-hole": { time: 0.9, view: "side" },
  "pendulum-impact": { time: 0.75, view: "side" },
  "pick-and-place": { time: 3.0, view: "side" },
  pile: { time: 1.0 },
  rattleback: { time: 2.0, view: "above" },
  "robot-arm": { time: 2.0, view: "front" },
  "robot-probe": { time: 27.3, view: "side" },
  sheave: { time: 0.9, view: "front" },
  "slider-crank": { time: 0.06, view: "slanted" },
  "spinning-top": { time: 0.5 },
  "spring-mass": { time: 0.3 },
  "stewart-platform": { time: 1.4, view: "corner" },
  "stick-slip": { time: 17.2, view: "along" },
  "towed-cable": { time: 690, view: "ship" },
  "twist-to-loop": { time: 35, view: "side" },
  umbilical: { time: 100, view: "ship" },
  whip: { time: 0.5, view: "side" },
  "winch-lift": { time: 15, view: "crane" },
};

for (const [scenario, { time, view }] of Object.entries(moments)) {
  test(`a picture of ${scenario}`, async ({ page }) => {
    test.slow();
    const watch = new Watch(page);
    const { url } = report(scenario);
    await watch.open(url);
    await page.waitForFunction(() => window.fender.state().loaded);
    if (view) await page.locator(".toolbar select").first().selectOption({ label: view });
    await page.evaluate((t) => window.fender.seek(t), time);
    await expect(page).toHaveScreenshot(`${scenario}.png`, { maxDiffPixelRatio: 0.02, timeout: 90_000 });
    watch.expectQuiet(url);
  });
}
