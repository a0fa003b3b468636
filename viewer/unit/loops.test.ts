import { Matrix4 } from "three";
import { describe, expect, test } from "vitest";
import { holdsAt, isLine, LoopEvents } from "../src/model/loops";
import { Links } from "../src/scene/links";
import { type LoopDef, parseHead } from "../src/stream/head";
import { parseEvents } from "../src/stream/texts";
import { chapterAt } from "../src/ui/events";
import { bodiesText, motionText } from "../src/ui/format";
import { head } from "../tests/support/encoder";

const bodies = [{ name: "base", motion: "fixed" }, { name: "arm", motion: "free" }, { name: "load", motion: "free" }];
const joints = [{ name: "hinge", kind: "revolute", body: 1 }];
const rod = { name: "rod", kind: "distance", points: [{ body: -1, position: [0, 0, 3] }, { body: 1, position: [1, 0, 0] }] };
const cylinder = { ...rod, name: "cylinder", driven: true };
const rope = { name: "rope", kind: "rope", points: [...rod.points, { body: 2, position: [0, 0, 1] }] };
const pin = { name: "pin", kind: "hinge", points: [{ body: 1, position: [0, 0, 0] }, { body: 2, position: [0, 0, 0] }], axis: [0, 1, 0] };
const gear = { name: "gear", kind: "coupling", points: [] };
const loops = [rod, cylinder, rope, pin, gear];

describe("a head", () => {
  test("has loops with points on bodies and on the world", () => {
    const made = parseHead(head({ bodies, joints, loops }));
    expect(made.loops.map((l) => [l.name, l.kind, l.driven, l.attached, l.points.length])).toEqual([
      ["rod", "distance", false, true, 2], ["cylinder", "distance", true, true, 2], ["rope", "rope", false, true, 3], ["pin", "hinge", false, true, 2], ["gear", "coupling", false, true, 0],
    ]);
    expect(made.loops[0].points[0]).toEqual({ body: -1, position: [0, 0, 3] });
    expect([made.loops[3].axis, made.loops[0].axis]).toEqual([[0, 1, 0], null]);
    expect(made.loops.map(isLine)).toEqual([true, true, true, false, false]);
  });

  test("of an older run has none", () => expect(parseHead(head({ bodies })).loops).toEqual([]));

  test("with a loop on a body that is not there is refused", () => {
    for (const body of [3, -2, 0.5, null]) expect(() => parseHead(head({ bodies, loops: [{ ...rod, points: [{ body, position: [0, 0, 0] }] }] }))).toThrow(/body/);
  });

  test("says which bodies are on joints", () => {
    const made = parseHead(head({ bodies, joints }));
    expect(made.bodies.map(motionText)).toEqual(["fixed", "on a joint", "free"]);
    expect(bodiesText(made.bodies)).toBe("3: 1 free, 1 on joints, 1 fixed");
  });
});

describe("a loop holds", () => {
  const events = parseEvents([{ time: 1, kind: "attach", loop: "a" }, { time: 2, kind: "touch", loop: "a" }, { time: 3, kind: "break", loop: "a" }, { time: 3, kind: "detach", loop: "b" }, { time: 4, kind: "attach", loop: "b" }]);
  const loop = (name: string, attached: boolean): LoopDef => ({ name, kind: "distance", driven: false, attached, points: [], axis: null });
  test.each([["a", false, [false, true, true, false, false]], ["b", true, [true, true, true, false, true]], ["c", true, [true, true, true, true, true]]])("as its events say: %s", (name, attached, expected) => {
    expect([0.9, 1, 2.9, 3, 4].map((t) => holdsAt(loop(name, attached), events, t))).toEqual(expected);
  });
  test("by events that may still come", () => {
    const known = new LoopEvents();
    const all = events.slice(0, 1);
    expect(known.of(all).length).toBe(1);
    all.push({ ...events[1], loop: "" }, events[2]);
    expect(known.of(all).map((e) => e.kind)).toEqual(["attach", "break"]);
  });
});

describe("a line", () => {
  const made = parseHead(head({ bodies, loops }));
  const matrices = [new Matrix4(), new Matrix4().makeTranslation(3, 0, 3), new Matrix4().makeTranslation(0, 5, 0)];
  const links = new Links(made);
  const near = (got: number[][] | null, expected: number[][]): void => {
    expect(got?.length).toBe(expected.length);
    expected.forEach((point, i) => point.forEach((x, k) => expect(got?.[i][k]).toBeCloseTo(x, 5)));
  };

  test("runs through its points, wherever the bodies are", () => {
    links.update(matrices, [true, true, true], () => true, 10);
    near(links.drawn("rod"), [[0, 0, 3], [4, 0, 3]]);
    near(links.drawn("rope"), [[0, 0, 3], [4, 0, 3], [0, 5, 1]]);
    // The barrel is a part of the length at first…
    near(links.drawn("cylinder"), [[0, 0, 3], [2.2, 0, 3], [4, 0, 3]]);
    // …and keeps its length as the rod comes out, turned with it.
    matrices[1].makeTranslation(-1, 0, 11);
    links.update(matrices, [true, true, true], () => true, 10);
    near(links.drawn("cylinder"), [[0, 0, 3], [0, 0, 5.2], [0, 0, 11]]);
    expect(links.drawn("pin")).toBeNull();
  });

  test("is not drawn without its bodies, or while it does not hold", () => {
    links.update(matrices, [true, true, false], (loop) => loop.name !== "cylinder", 10);
    expect(["rod", "rope", "cylinder"].map((name) => links.drawn(name) !== null)).toEqual([true, false, false]);
  });
});

describe("events", () => {
  test("of a kind that nobody knows are told in words", () => {
    const told = parseEvents([{ time: 1, kind: "lost_grip", hand: "left", load: 3 }, { time: 2, kind: "lost_grip" }, { time: 3 }, { time: 4, kind: "odd", label: "Something odd" }]);
    expect(told.map((e) => e.label)).toEqual(["lost grip: left", "lost grip", "event", "Something odd"]);
  });

  test("may be chapters", () => {
    const told = parseEvents([{ time: 0, kind: "chapter", label: "one" }, { time: 1, kind: "touch", label: "x" }, { time: 3, kind: "chapter", label: "two" }]);
    expect([-1, 0, 2.9, 3, 9].map((t) => chapterAt(told, t)?.label)).toEqual([undefined, "one", "one", "two", "two"]);
  });
});
