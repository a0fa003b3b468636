/** Reports of real runs, opened from disk. */
import { expect, test } from "@playwright/test";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Quaternion, Vector3 } from "three";
import { program, report, reportOf, type Report, streamOf, write, withBundle } from "./support/reports";
import { colours, Watch } from "./support/watch";

/** A recorded signal from the program's own export: what the page is held to is not read by the page's own code. */
function exported({ folder }: Report): (signal: string, time: number) => number {
  execFileSync(program(), ["export", "--csv", folder], { stdio: "ignore" });
  const [first, ...lines] = readFileSync(join(folder, "signals.csv"), "utf8").trim().split("\n");
  const names = first.split(",").map((name) => name.replace(/ \[.*$/, "").replaceAll('"', ""));
  const rows = lines.map((line) => line.split(",").map(Number));
  return (signal, time) => {
    const row = rows.find((r) => Math.abs(r[0] - time) < 1e-9);
    const column = names.indexOf(signal);
    if (!row || column < 0) throw new Error(`no ${signal} at ${time} s among ${names.slice(0, 5)}…`);
    return row[column];
  };
}

test("a report opens from disk without an error and without a request", async ({ page }) => {
  const { url } = report("bouncing-ball");
  const watch = new Watch(page);
  await watch.open(url);
  expect(await colours(page)).toBeGreaterThan(20);
  await expect(page.locator("h1")).toHaveText("Eleven balls with restitution 0.1 to 1 bounce side by side");
  await expect(page.locator(".badge.good")).toHaveText("✓ 12 of 12 met");
  for (const tab of ["summary", "scene", "plots"]) await page.click(`#tab-${tab}`);
  await page.getByRole("button", { name: "Play (space)" }).click();
  // The replay goes on for some frames.
  await expect.poll(() => page.evaluate(() => window.fender.time())).toBeGreaterThan(0.3);
  watch.expectQuiet(url);
});

test("scrubbing moves a body to the recorded pose", async ({ page }) => {
  const made = report("bouncing-ball");
  const recorded = exported(made);
  const watch = new Watch(page);
  await watch.open(made.url);
  const track = page.locator(".track");
  const box = (await track.boundingBox())!;
  const seen = new Set<number>();
  for (const share of [0.15, 0.5, 0.9]) {
    await page.mouse.click(box.x + share * box.width, box.y + 0.75 * box.height);
    const time = await page.evaluate(() => window.fender.time());
    // Scrubbing goes from frame to frame.
    expect(Math.abs(time / 0.04 - Math.round(time / 0.04))).toBeLessThan(1e-6);
    for (const ball of ["e02", "e05", "e10"]) {
      const pose = await page.evaluate((name) => window.fender.pose(name), ball);
      expect(pose!.position[2]).toBeCloseTo(recorded(`${ball}.position.z`, Math.round(time * 1000) / 1000), 4);
      seen.add(pose!.position[2]);
    }
  }
  // They fall together, and bounce apart.
  expect(seen.size).toBeGreaterThan(4);
});

/** An arm that a cylinder lifts; a load hangs from it on a rope over a pulley. */
const HOIST = `
format = 1
title = "Hoist"
run = { duration = 2, integrator.rk4 = { step = "1 ms" } }

[material.steel]

[body.arm]
shape.box = { size = [1.6, 0.05, 0.05] }
material = "steel"
mass = 3
position = [0, 0, 1]

[joint.hinge]
child = "arm"
point = [-0.8, 0, 1]
motion.revolute = { axis = [0, 1, 0] }

[body.load]
shape.sphere = { radius = "0.1 m" }
material = "steel"
mass = 2
position = [1.2, 0, 0.3]

[[ignore]]
bodies = ["arm", "load"]

[loop.cylinder]
close.distance = { between = ["world", "arm"], from = [-0.3, 0, 0.2], to = [0.3, 0, 1], guide.points = [[0, 1], [2, 1.15]] }

[loop.rope]
close.rope = { through = [["arm", [0.8, 0, 1]], ["world", [1.2, 0, 1.8]], ["load", [1.2, 0, 0.4]]] }

[[record]]
signals = ["arm.position", "arm.orientation", "load.position", "load.orientation"]
every = "20 ms"

[frames]
every = "20 ms"
`;

test("rods and ropes end at the points of the bodies", async ({ page }) => {
  const made = reportOf("hoist", HOIST);
  const recorded = exported(made);
  const watch = new Watch(page);
  await watch.open(made.url);
  /** A point of a body where the export says that it is. */
  const point = (body: string, time: number, at: [number, number, number]): number[] => {
    const [x, y, z] = ["x", "y", "z"].map((k) => recorded(`${body}.position.${k}`, time));
    const [a, b, c, w] = ["x", "y", "z", "w"].map((k) => recorded(`${body}.orientation.${k}`, time));
    return new Vector3(...at).applyQuaternion(new Quaternion(a, b, c, w)).add(new Vector3(x, y, z)).toArray();
  };
  const seen: number[] = [];
  for (const time of [0.2, 1.4]) {
    await page.evaluate((t) => window.fender.seek(t), time);
    const [cylinder, rope] = await page.evaluate(() => [window.fender.loop("cylinder"), window.fender.loop("rope")]);
    const expected = [[cylinder![0], [-0.3, 0, 0.2]], [cylinder![2], point("arm", time, [0.3, 0, 0])],
      [rope![0], point("arm", time, [0.8, 0, 0])], [rope![1], [1.2, 0, 1.8]], [rope![2], point("load", time, [0, 0, 0.1])]];
    for (const [got, where] of expected) got.forEach((value, k) => expect(value).toBeCloseTo(where[k], 4));
    seen.push(cylinder![2][2], rope![2][2]);
  }
  // They have moved meanwhile.
  expect(seen[2] - seen[0]).toBeGreaterThan(0.05);
  expect(seen[1] - seen[3]).toBeGreaterThan(0.05);
  watch.expectQuiet(made.url);
});

test("plots show the recorded value at the cursor", async ({ page }) => {
  const made = report("bouncing-ball");
  const recorded = exported(made);
  await new Watch(page).open(made.url);
  for (const time of [0.3, 0.7, 1.1]) {
    await page.evaluate((t) => window.fender.seek(t), time);
    const value = await page.evaluate(() => window.fender.plotValue("e04.position.z"));
    expect(value).toBeCloseTo(recorded("e04.position.z", time), 5);
    await expect(page.locator(".value[data-signal='e04.position.z']")).toContainText(" m");
  }
  // A click in a plot goes to that time, in the scene as well.
  const plot = page.locator(".plot-card").nth(1).locator(".u-over");
  const box = (await plot.boundingBox())!;
  await page.mouse.click(box.x + 0.4 * box.width, box.y + 0.5 * box.height);
  expect(await page.evaluate(() => window.fender.time())).toBeCloseTo(0.4 * 1.5, 1);
});

test("arrows appear when contact begins", async ({ page }) => {
  const made = report("box-drop");
  await new Watch(page).open(made.url);
  const events = JSON.parse(readFileSync(join(made.folder, "events.json"), "utf8")) as { events: { time: number; kind: string }[] };
  const touch = events.events.find((e) => e.kind === "touch")!.time;
  const arrowsAt = async (time: number) => {
    await page.evaluate((t) => window.fender.seek(t), time);
    return page.evaluate(() => window.fender.arrows());
  };
  expect(await arrowsAt(touch - 0.05)).toBe(0);
  // Resting on a face it has its weight on one patch, and may have friction there.
  const resting = await arrowsAt(1.9);
  expect(resting).toBeGreaterThanOrEqual(1);
  expect(resting).toBeLessThanOrEqual(2);
  // The patch is shown, with its depth: the law is none of pressure.
  expect(await page.evaluate(() => window.fender.patches())).toBe(1);
  await expect(page.locator(".scene-legend")).toContainText(/contact depth 0.*300 µm/);
  // The mark of the event jumps to it.
  await page.locator(".mark").first().click();
  expect(await page.evaluate(() => window.fender.time())).toBeCloseTo(touch, 6);
});

/** Balls that fall from many heights: events all the time. */
const RAIN = `format = 1
title = "Rain"
run = { duration = 2, integrator.semi_implicit_euler = { step = "0.2 ms" } }
material = { ball = {}, floor = {} }
contact = [{ between = ["ball", "floor"], normal.linear = { stiffness = 1e4, restitution = 0.8 } }]
ignore = [{ groups = ["balls", "balls"] }]
[body.floor]
fixed = true
shape.half_space = { normal = [0, 0, 1] }
material = "floor"
${Array.from({ length: 60 }, (_, i) => `[body.b${i}]
shape.sphere = { radius = 0.02 }
mass = 0.1
material = "ball"
group = "balls"
position = [${(i % 10) * 0.1}, ${Math.floor(i / 10) * 0.1}, ${0.1 + 0.02 * i}]
`).join("")}`;

test("nothing is cut off or written over on narrow and wide pages", async ({ page }) => {
  await new Watch(page).open(reportOf("rain", RAIN).url);
  for (const width of [800, 1280]) {
    await page.setViewportSize({ width, height: 720 });
    // Marks are laid out anew with the next frame, which may take its time on a busy machine; until then those of the other width are there.
    await page.waitForFunction((asked) => innerWidth === asked && document.querySelector<HTMLElement>(".marks")?.dataset.width === String(document.querySelector(".track")?.clientWidth), width);
    // The choice of the camera, by its text in the font of the page; the arrow beside it takes the height of one and a half letters.
    const room = await page.locator(".toolbar select").evaluateAll((selects) => selects.map((select) => {
      const style = getComputedStyle(select);
      const ruler = Object.assign(document.createElement("span"), { textContent: (select as HTMLSelectElement).selectedOptions[0].text });
      Object.assign(ruler.style, { font: style.font, position: "absolute", whiteSpace: "nowrap" });
      document.body.append(ruler);
      const text = ruler.getBoundingClientRect().width;
      ruler.remove();
      return select.clientWidth - text - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight) - 1.5 * Number.parseFloat(style.fontSize);
    }));
    expect(Math.min(...room)).toBeGreaterThanOrEqual(0);
    // The numbers over the marks of events.
    const counts = await page.locator(".mark span").evaluateAll((spans) => spans.map((span) => span.getBoundingClientRect()).map(({ left, right }) => ({ left, right })));
    expect(counts.length).toBeGreaterThan(3);
    counts.sort((a, b) => a.left - b.left);
    for (let i = 1; i < counts.length; i++) expect(counts[i].left).toBeGreaterThanOrEqual(counts[i - 1].right);
  }
});

test("a truncated report shows what it has and says until when", async ({ page }) => {
  const { folder } = report("bouncing-ball");
  const html = withBundle(readFileSync(join(folder, "report.html"), "utf8"));
  const bytes = streamOf(html);
  const cut = (length: number) => html.replace(/(<script type="application\/vnd\.fender\.stream"[^>]*>)[^<]*/, (_, tag) => tag + Buffer.from(bytes.slice(0, length)).toString("base64"));
  await new Watch(page).open(write("cut.html", cut(bytes.length - 10)));
  await expect(page.getByRole("alert")).toContainText(/Cut short at t = [\d.]+ s/);
  await page.goto(write("stub.html", cut(40)));
  await expect(page.getByRole("alert")).toContainText("cut short");
  await expect(page.getByRole("alert")).toContainText("Nothing of it can be shown");
});

test("a file whose end is missing says so, though its program is missing too", async ({ page }) => {
  const { folder } = report("bouncing-ball");
  const html = withBundle(readFileSync(join(folder, "report.html"), "utf8"));
  for (const share of [0.5, 0.99]) {
    await page.goto(write("half.html", html.slice(0, share * html.length)));
    await expect(page.getByText("This file is incomplete")).toBeVisible();
    await expect.poll(() => page.locator("#incomplete").evaluate((p) => getComputedStyle(p).opacity)).toBe("1");
  }
  await page.goto(write("whole.html", html));
  await page.evaluate(() => window.fender.ready);
  await expect(page.getByText("This file is incomplete")).toHaveCount(0);
});

/** A body that drifts: x is a straight line over time. */
const DRIFT = `
format = 1
title = "Drift"
run = { duration = 10, integrator.rk4 = { step = "10 ms" } }
world.gravity = [0, 0, 0]

[material.steel]

[body.ball]
shape.sphere = { radius = 0.1 }
material = "steel"
mass = 1
velocity = [0.01, 0, 0.1]

[[record]]
signals = ["ball.position.x", "ball.position.z"]
every = "10 ms"

[report]
plots = [["ball.position.x", "ball.position.z"]]
`;

test("curves are drawn through their samples, not through the nearest pixels", async ({ page }) => {
  const watch = new Watch(page);
  await watch.open(reportOf("drift", DRIFT).url);
  // Middle of the first curve's pixels in each column of the canvas: x rises by 0.1 m beside z, which rises by 1 m.
  const middles = await page.locator(".plot-card canvas").first().evaluate((canvas: HTMLCanvasElement) => {
    const { width, height } = canvas;
    const { data } = canvas.getContext("2d")!.getImageData(0, 0, width, height);
    const found: number[] = [];
    for (let x = Math.round(0.2 * width); x < 0.9 * width; x++) {
      let [sum, weight] = [0, 0];
      for (let y = 0; y < height; y++) {
        const i = 4 * (x + y * width);
        // Blue (#1f78c8) stands out by how much its blue is above its red.
        const blue = Math.max(0, data[i + 2] - data[i] - 25);
        if (blue === 0) continue;
        [sum, weight] = [sum + y * blue, weight + blue];
      }
      if (weight > 0) found.push(sum / weight);
    }
    return found;
  });
  expect(middles.length).toBeGreaterThan(200);
  // It rises by about 25 pixels: a line at the nearest pixels has as many heights, and some between two; one through its samples nearly one per column.
  expect(new Set(middles.map((y) => y.toFixed(2))).size).toBeGreaterThan(40);
});
