import { describe, expect, test } from "vitest";
import { fromBase64 } from "../src/app/page";
import { gridCell } from "../src/scene/ground";
import { firstLevel, FrameMeter } from "../src/scene/quality";
import type { CableFigures } from "../src/model/summary";
import { clusters } from "../src/ui/events";
import { cableRows, residual } from "../src/ui/summary";
import { figure, known, quantity, timeText } from "../src/ui/format";
import { roundBelow } from "../src/ui/overlay";

describe("numbers", () => {
  test.each([[0, "0"], [1234.5678, "1234.6"], [-0.5, "−0.5"], [1.5e-7, "1.5e−7"], [2e9, "2e9"], [null, "–"], [Number.NaN, "–"]])("%d is %s", (value, text) => expect(figure(value)).toBe(text));
  test("have units unless they have none", () => {
    expect(quantity(2, "m")).toBe("2 m");
    expect(quantity(2, "1")).toBe("2");
    expect(quantity(null, "m")).toBe("–");
  });
  test.each([
    [196_200, "N", "196.2 kN"], [-4.5591e8, "J", "−455.91 MJ"], [3e9, "Pa", "3 GPa"], [999.99, "N", "999.99 N"], [2e7, "N·m", "20 MN·m"],
    [0.0392, "m", "0.0392 m"], [2.45e-4, "m", "245 µm"], [2500, "m", "2500 m"], [1500, "kg", "1500 kg"], [1e-15, "J", "1e−15 J"],
  ])("%d %s is %s", (value, unit, text) => expect(quantity(value, unit)).toBe(text));
  test("that are rounding beside the run's scale are zero", () => {
    expect(known(1e-11, 10)).toBe(0);
    expect(known(6.7e-25, 4.6e8)).toBe(0);
    expect(known(1e-3, 1e6)).toBe(1e-3);
    expect(known(null, 1)).toBe(null);
    expect(residual({ energy_residual: 1e-26, relative_energy_residual: 0.3, energy_scale: 12 })).toBe("0 J but for rounding");
  });
  test("are not compared with a start at which a cable carried nothing", () => {
    const rows = Object.fromEntries(cableRows({ name: "a", dynamic_amplification: null } as CableFigures));
    expect(rows["by that at the start"]).toBe("not told: slack or unloaded then");
  });
  test("of time do not jump in length", () => expect([0, 0.04, 1].map((t) => timeText(t, 0.04))).toEqual(["0.000", "0.040", "1.000"]));
});

describe("base64", () => {
  test.each([0, 1, 2, 3, 4, 255])("of %d bytes", (n) => {
    const bytes = Uint8Array.from({ length: n }, (_, i) => (i * 37 + 200) & 255);
    expect([...fromBase64(`\n${Buffer.from(bytes).toString("base64")} `)]).toEqual([...bytes]);
  });
});

describe("marks", () => {
  const event = (time: number) => ({ time, kind: "touch", label: "", bodies: [], loop: "" });
  test("that are close together share one", () => {
    const groups = clusters([0, 0.1, 1, 5].map(event), (t) => 10 * t, () => 8);
    expect(groups.map((g) => g.length)).toEqual([2, 1, 1]);
  });
  test("leave room for their numbers", () => {
    // A number is three times as wide as a mark without: what is free of it counts, also where a crowd grows into the one before.
    const width = (count: number) => (count > 1 ? 24 : 8);
    const at = (times: number[]) => clusters(times.map(event), (t) => 10 * t, width);
    expect(at([0, 0.1, 1, 5]).map((g) => g.length)).toEqual([3, 1]);
    expect(at([0, 0.1, 2.3, 2.4, 6]).map((g) => g.length)).toEqual([4, 1]);
    const crowd = at(Array.from({ length: 200 }, (_, i) => 0.05 * i + 0.03 * Math.sin(i)));
    for (const [i, group] of crowd.entries()) {
      if (i > 0) expect(10 * (group[0].time - crowd[i - 1][0].time)).toBeGreaterThanOrEqual((width(group.length) + width(crowd[i - 1].length)) / 2);
    }
    expect(crowd.flat().length).toBe(200);
  });
});

describe("the scene", () => {
  test("has grid cells and scale bars of round lengths", () => {
    expect([0.8, 2, 5, 30].map(gridCell)).toEqual([0.1, 0.2, 0.5, 2]);
    expect([0.19, 2, 7].map(roundBelow)).toEqual([0.1, 2, 5]);
  });

  test("lowers its detail only after slow frames in a row", () => {
    const meter = new FrameMeter();
    let now = 0;
    const ticks = (n: number, ms: number) => Array.from({ length: n }, () => meter.tick((now += ms), 30)).some(Boolean);
    expect(ticks(50, 16)).toBe(false);
    expect(meter.fps()).toBeCloseTo(62.5);
    expect(ticks(5, 40)).toBe(false);
    expect(ticks(20, 40)).toBe(true);
    // A pause is no slow frame.
    expect(meter.tick((now += 5000), 30)).toBe(false);
    expect([firstLevel(false, 1e6), firstLevel(true, 1e3), firstLevel(true, 3e5)]).toEqual([0, 1, 2]);
  });
});
