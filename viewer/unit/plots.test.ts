import { describe, expect, test } from "vitest";
import { Run } from "../src/model/run";
import { align } from "../src/plots/align";
import { axisLabel } from "../src/plots/axis";
import { csv } from "../src/plots/csv";
import { curvesOf, EVERYTHING, type PlotCurve, titleOf } from "../src/plots/curves";
import { defaultPlots, groups } from "../src/plots/defaults";
import { search } from "../src/plots/picker";
import { pieces } from "../src/plots/path";
import { svg } from "../src/plots/svg";
import { thin } from "../src/plots/thin";
import { padded, ticks } from "../src/plots/ticks";
import { everything } from "../tests/support/scenes";

const run = new Run(0, "");
run.push(everything());
run.end();

describe("thinning", () => {
  const n = 10_000;
  const times = Float64Array.from({ length: n }, (_, i) => i / n);
  const values = times.map((t) => Math.sin(40 * t));
  values[4321] = 99;
  values[7777] = -99;
  const kept = thin(times, values, 0, 1, 100);

  test("keeps peaks, ends and the order, and little else", () => {
    expect(kept).toContain(4321);
    expect(kept).toContain(7777);
    expect(kept[0]).toBe(0);
    expect(kept.at(-1)).toBe(n - 1);
    expect(kept).toEqual([...new Set(kept)].sort((a, b) => a - b));
    expect(kept.length).toBeLessThanOrEqual(402);
  });

  test("draws a smooth curve as its samples do: it leaves each column where it enters the next", () => {
    // A sine of 0.1 s over 10 s, a hundred samples each, in columns of five samples.
    const t = Float64Array.from({ length: 10_000 }, (_, i) => i * 1e-3);
    const v = t.map((time) => Math.sin(20 * Math.PI * time));
    const drawn = thin(t, v, 0, 10, 2000);
    // What is drawn is straight between what is kept: at no sample is it farther from the truth than the arc over a column.
    const arc = (20 * Math.PI * 4e-3) ** 2 / 8;
    let k = 0;
    let worst = 0;
    for (let i = 0; i < t.length; i++) {
      while (drawn[k + 1] < i) k++;
      const [a, b] = [drawn[k], drawn[k + 1] ?? drawn[k]];
      const line = a === b ? v[a] : v[a] + ((v[b] - v[a]) * (i - a)) / (b - a);
      worst = Math.max(worst, Math.abs(line - v[i]));
    }
    expect(worst).toBeLessThan(arc);
  });

  test("lets the line leave a column at its last sample and enter the next at its first", () => {
    // Between columns two samples that follow each other are kept; the first and the last column have one such neighbour.
    const across = kept.filter((k, i) => kept[i + 1] === k + 1);
    expect(across.length).toBeGreaterThanOrEqual(99);
  });

  test("keeps gaps and the peaks beside them", () => {
    const broken = values.slice();
    broken[4320] = Number.NaN;
    const found = thin(times, broken, 0, 1, 100);
    expect(found).toContain(4320);
    expect(found).toContain(4321);
  });

  test("leaves few samples alone, with one more at either side of the range", () => {
    expect(thin(times, values, 0.5, 0.501, 100)).toEqual(Array.from({ length: 12 }, (_, i) => 5000 + i));
  });

  test("of nothing is nothing", () => expect(thin(new Float64Array(), new Float64Array(), 0, 1, 10)).toEqual([]));
});

describe("axes", () => {
  test("have round ticks", () => {
    expect(ticks(0, 1, 5)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
    expect(ticks(-3e-5, 3e-5, 3)).toEqual([-0.00002, 0, 0.00002]);
    expect(ticks(1, 1, 5)).toEqual([1]);
  });
  test("are never without width", () => {
    expect(padded(2, 2)).toEqual([1.8, 2.2]);
    expect(padded(0, 0)).toEqual([-1, 1]);
    expect(padded(Infinity, -Infinity)).toEqual([0, 1]);
  });
});

describe("lines", () => {
  test("go through every sample, where it is, and break at gaps only", () => {
    const place = (x: number, y: number): [number, number] => [10 * x, -y];
    const xs = [0, 0.01, 0.02, 0.03, 0.04, 0.05];
    expect(pieces(xs, [1, 2, undefined, 3, null, 4], 0, 5, place)).toEqual([[[0, -1], [0.1, -2], [0.3, -3]], [[0.5, -4]]]);
  });
});

describe("curves", () => {
  test("of the energy account add up to what there was plus work", () => {
    const curves = curvesOf({ kind: "energy" }, [run], EVERYTHING);
    expect(curves.map((c) => c.name)).toEqual(["energy.kinetic", "energy.potential", "energy.stored", "energy.dissipated.contact.ball-floor", "energy.dissipated.damper", "initial + work", "energy.residual"]);
    const top = curves[4];
    const lowest = Math.min(...(run.signal("energy.potential")?.values ?? []));
    const parts = [0, 1, 2, 3, 4].reduce((sum, k) => sum + (curves[k].at(2) ?? 0), 0) - lowest;
    const i = top.times.findIndex((t) => t >= 2);
    expect(top.values[i]).toBeCloseTo(parts, 5);
    expect(curves[5].at(0)).toBeCloseTo(top.values[0], 9);
  });

  test("of different times share one table", () => {
    const curve = (times: number[], values: number[]): PlotCurve => ({ name: "", unit: "", run, colour: "", dash: [], times: Float64Array.from(times), values: Float64Array.from(values), area: false, at: () => null });
    expect(align([curve([0, 2], [1, 2]), curve([1, 2], [3, Number.NaN])], 0, 2, 100)).toEqual([[0, 1, 2], [1, undefined, 2], [undefined, 3, null]]);
  });

  test("have a title of what they share", () => {
    expect(titleOf({ kind: "signals", names: ["ball.position.x", "ball.position.y"] })).toBe("ball.position");
    expect(titleOf({ kind: "signals", names: ["a.position.z", "b.position.z"] })).toBe("*.position.z");
    expect(titleOf({ kind: "signals", names: ["a.b"] })).toBe("a.b");
  });

  test("that a page begins with", () => {
    expect(defaultPlots(run)).toEqual([{ kind: "energy" }, { kind: "signals", names: ["x", "y", "z"].map((k) => `ball.position.${k}`) }, { kind: "signals", names: ["x", "y", "z"].map((k) => `ball.velocity.${k}`) }]);
  });

  test("that a page begins with are those that the run asks for", () => {
    const asking = new Run(0, "");
    asking.push(everything());
    asking.end();
    if (asking.head) asking.head.plots = [["contact.ball-floor.normal_force", "gone"], ["gone"], ["energy"]];
    expect(defaultPlots(asking)).toEqual([{ kind: "signals", names: ["contact.ball-floor.normal_force"] }, { kind: "energy" }]);
  });

  test("are found by words in any order", () => {
    expect(search(run, "velocity ball").map((s) => s.name)).toEqual(["ball.velocity.x", "ball.velocity.y", "ball.velocity.z"]);
    expect(search(run, "nothing")).toEqual([]);
  });
});

describe("groups", () => {
  test("tensions of a cable share a plot", () => {
    const names = ["start", "end", "max", "max_at"].map((key) => `cable.tow.tension.${key}`);
    expect([...groups([...names, "cable.tow.curvature.max"]).values()]).toEqual([names.slice(0, 3), [names[3]], ["cable.tow.curvature.max"]]);
  });
});

describe("axes", () => {
  // As in crates/fender-run/src/plot/signals.rs.
  const label = (unit: string, ...names: string[]): string => axisLabel(names.map((name) => ({ name, unit }) as PlotCurve), unit);

  test("say what is measured, and in which unit", () => {
    expect(label("m", "ball.position.x", "ball.position.z")).toBe("position [m]");
    expect(label("m/s", "contact.a-b.slip_speed")).toBe("slip speed [m/s]");
    expect(label("m", "ball.position.z", "contact.a-b.penetration")).toBe("length [m]");
    expect(label("N·m", "a.torque.x", "b.moment.x")).toBe("[N·m]");
    expect(label("1", "ball.orientation.w")).toBe("orientation");
    expect(label("1", "a.dwell", "b.orientation.w")).toBe("");
    expect(axisLabel([{ name: "cable.a.tension.max", unit: "N" } as PlotCurve], "N", "kN")).toBe("max [kN]");
    expect(axisLabel(curvesOf({ kind: "energy" }, [run], EVERYTHING), "J")).toBe("energy [J]");
  });
});

describe("exports", () => {
  const curves = curvesOf({ kind: "signals", names: ["ball.position.z", "contact.ball-floor.normal_force"] }, [run], EVERYTHING);

  test("to CSV have every sample and the units", () => {
    const lines = csv(curves, false).trim().split("\n");
    expect(lines[0]).toBe("time [s],ball.position.z [m],contact.ball-floor.normal_force [N]");
    expect(lines).toHaveLength(1002);
    expect(lines[1]).toBe("0,1.04999995,0");
  });

  test("of the energy account to CSV have the signals, not the stack", () => {
    const table = csv(curvesOf({ kind: "energy" }, [run], EVERYTHING), false).split("\n")[1].split(",");
    expect(Number(table[2])).toBeCloseTo(9.81 * 1.05, 4);
  });

  test("to SVG have an axis per unit, a line per curve, and no names that break it", () => {
    const text = svg([{ ...curves[0], name: 'a<b>&"c"' }, curves[1]], { title: "x & y", width: 800, height: 400, from: 0, until: 5, several: false });
    expect(text).toContain("a&lt;b&gt;&amp;&quot;c&quot;");
    expect(text).toContain("x &amp; y");
    expect(text.match(/stroke-width="1.4"/g)).toHaveLength(2);
    expect(text).toContain(">a&lt;b&gt;&amp;&quot;c&quot; [m]</text>");
    expect(text).toContain(">normal force [N]</text>");
    expect(text).not.toMatch(/NaN|undefined|Infinity/);
  });
});
