/** Cables as they are drawn, and their figures. */
import type { BufferAttribute, Mesh } from "three";
import { describe, expect, test } from "vitest";
import { Run } from "../src/model/run";
import { parseSummary } from "../src/model/summary";
import { Curves } from "../src/scene/curves";
import { cableRows } from "../src/ui/summary";
import { everything } from "../tests/support/scenes";

const run = new Run(0, "");
run.push(everything());
run.end();
run.frames?.pump(Infinity);

/** Distance of a ring's points from the node that it is about. */
function radius(curves: Curves): number {
  const mesh = curves.group.children[0] as Mesh;
  const position = mesh.geometry.getAttribute("position") as BufferAttribute;
  const [a, b] = [0, 4].map((i) => [position.getX(i), position.getY(i), position.getZ(i)]);
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) / 2;
}

describe("cables", () => {
  test("a thin one stays visible from afar, a thick one keeps its radius", () => {
    const head = run.head!;
    const instant = run.frames!.at(run.frames!.start)!;
    const curves = new Curves(head);
    curves.update(instant, 1);
    const own = head.curves[0].radius;
    expect(radius(curves)).toBeCloseTo(own, 6);
    curves.seenFrom(1e4 * own);
    expect(radius(curves)).toBeGreaterThan(5 * own);
    curves.seenFrom(own);
    expect(radius(curves)).toBeCloseTo(own, 6);
  });

  test("figures are told with place and time", () => {
    const at = { value: 1234.5, time: 2.5, at: 30 };
    const summary = parseSummary({ cables: [{ name: "tow", length: 40, nodes: 41, largest_tension: at, dynamic_amplification: 1.5, slack_share: 0.25, snaps: 3 }] });
    const rows = Object.fromEntries(cableRows(summary.cables![0]).filter(([, value]) => value));
    expect(rows["largest tension"]).toBe("1.234 kN at 30 m, 2.5 s");
    expect(rows["by that at the start"]).toBe("1.5×");
    expect(rows.slack).toBe("25 % of the time, taut again 3×");
    expect(rows["of the breaking load"]).toBeUndefined();
    expect(parseSummary({}).cables).toEqual([]);
  });
});
