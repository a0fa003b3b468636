import { describe, expect, test } from "vitest";
import { Run } from "../src/model/run";
import { border, greatestLoad, place, triangles } from "../src/scene/patches";
import { type Load, patchScale, scaleEnd, survey } from "../src/scene/patchscale";
import { outlineOf, type Outline, type Polygon } from "../src/stream/patches";
import { areaText, contactRows } from "../src/ui/numbers";
import { frames, head, patches, record, stream, type TestFrame, type TestOutline } from "../tests/support/encoder";

const UP = [0, 0, 0, 1];
const bodies = [{ name: "floor", motion: "fixed" }, { name: "box", motion: "free" }];
const square = [[-0.1, -0.2, 0], [-0.1, 0.2, 0], [0.1, 0.2, 0], [0.1, -0.2, 0]];
const contact = { a: 1, b: 0, sliding: false, point: [3, 0, 0], normal: [0, 0, 10], friction: [0, 0, 0], depth: 1e-4, patch: 0.1596 };
const even: TestOutline = { contact: 1, pressure: 125, depth: 2e-4, polygons: [{ corners: square, loads: [255, 255, 0, 51] }] };
const deep: TestOutline = { contact: 0, pressure: null, depth: 3e-4, polygons: [{ corners: square, center: [0, 0, 0], loads: [0, 0, 0, 0, 102, 102, 102, 102, 255] }] };
const list: TestFrame[] = [
  { time: 0, poses: [[0, 0, 0, ...UP], [3, 0, 0, ...UP]] },
  { time: 1, poses: [[0, 0, 0, ...UP], [3, 0, 0, ...UP]], contacts: [contact, contact], outlines: [even] },
  { time: 2, poses: [[0, 0, 0, ...UP], [3, 0, 0, ...UP]], contacts: [contact, contact], outlines: [deep, even] },
];

function read(payload: Uint8Array | null): Run {
  const run = new Run(0, "");
  run.push(stream(record("H", head({ bodies })), ...(payload ? [record("P", payload)] : []), record("F", frames(list))));
  run.end();
  while (run.pump(1000));
  return run;
}

/** A polygon as the decoder gives it. */
function polygon(corners: number[][], rings = 0): Polygon {
  return { corners: corners.length, rings, places: Float32Array.from([...corners, [0, 0, 0]].flat()), loads: new Float32Array(corners.length * (rings + 1) + 1) };
}

describe("patches in a stream", () => {
  const { block } = read(patches(list)).frames!.frame(2);

  test("come back with the contacts that they belong to", () => {
    expect([0, 1, 2, 3].map((c) => outlineOf(block, c)?.pressure)).toEqual([undefined, 125, null, 125]);
    const outline = outlineOf(block, 1)!;
    expect(outline.depth).toBeCloseTo(2e-4, 9);
    const [{ corners, rings, places, loads }] = outline.polygons;
    expect([corners, rings]).toEqual([4, 0]);
    square.flat().forEach((value, k) => expect(places[k]).toBeCloseTo(value, 6));
    expect([...loads].map((load) => Math.round(255 * load))).toEqual([255, 255, 0, 51]);
    expect(outlineOf(block, 2)!.polygons[0]).toMatchObject({ corners: 4, rings: 1 });
  });

  test("may be missing, as in recordings of older versions", () => {
    const run = read(null);
    expect(run.error).toBeNull();
    const old = run.frames!.frame(2).block;
    expect([old.patches, outlineOf(old, 1)]).toEqual([null, null]);
    expect(patchScale(run.frames!).scale).toEqual({ pressure: 0, depth: 0 });
  });

  test("of other frames, of contacts that are not there and cut ones are damage", () => {
    const good = patches(list);
    const wrong = [patches(list.slice(1)), patches(list.map((frame) => ({ ...frame, outlines: [{ ...even, contact: 2 }] }))), good.slice(0, -1), Uint8Array.of(...good, 0)];
    for (const payload of wrong) expect(read(payload).error?.fault).toBe("damaged");
  });

  test("give the scale and the numbers of a contact", () => {
    const run = read(patches(list));
    expect(patchScale(run.frames!)).toEqual({ scale: { pressure: 200, depth: expect.closeTo(5e-4, 9) }, greatest: { pressure: 125, depth: expect.closeTo(3e-4, 9) } });
    const rows = Object.fromEntries(contactRows(run, 1, 0, 1, 1));
    expect([rows["greatest pressure"], rows["patch area"], rows["normal force"]]).toEqual(["125 Pa", "800 cm²", "10 N"]);
    const other = Object.fromEntries(contactRows(run, 1, 0, 0, 2));
    expect([other["greatest pressure"], other["greatest depth"]]).toEqual([undefined, "300 µm"]);
  });
});

describe("what is drawn", () => {
  const area = (shape: Polygon): number => {
    let sum = 0;
    const [p, q, r]: number[][] = [[], [], []];
    triangles(shape, (a, b, c) => {
      place(shape, a, p);
      place(shape, b, q);
      place(shape, c, r);
      sum += 0.5 * ((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]));
    });
    return sum;
  };
  const hexagon = Array.from({ length: 6 }, (_, i) => [Math.cos((i * Math.PI) / 3), Math.sin((i * Math.PI) / 3), 0]);

  test("covers a polygon once, with and without rings", () => {
    for (const rings of [0, 1, 3]) expect(area(polygon(hexagon, rings))).toBeCloseTo(1.5 * Math.sqrt(3), 6);
  });

  test("has a border without the edges that polygons share", () => {
    const next = square.map(([x, y, z]) => [x + 0.2, y, z]);
    const outline = (...parts: number[][][]): Outline => ({ pressure: null, depth: 1, polygons: parts.map((part) => polygon(part)) });
    expect(border(outline(square))).toHaveLength(4);
    expect(border(outline(square, next))).toHaveLength(6);
    expect(border(outline(square.map(() => [0, 0, 0])))).toHaveLength(0);
  });

  test("has the colour of its pressure, or of its depth where there is none", () => {
    const scale = { pressure: 200, depth: 1e-3 };
    const of = (pressure: number | null): Outline => ({ pressure, depth: 5e-4, polygons: [] });
    expect([greatestLoad(of(50), scale), greatestLoad(of(0), scale), greatestLoad(of(null), scale)]).toEqual([0.25, 0, 0.5]);
  });
});

describe("scales", () => {
  test.each([[0, 0], [1, 1], [1.2, 1.5], [163, 200], [0.0031, 0.005], [8e6, 1e7]])("of %d end at %d", (value, end) => expect(scaleEnd(value)).toBeCloseTo(end, 9));
  test("follow what lasts, not impacts", () => {
    const loads = (count: number, value: number, area = 1): Load[] => Array.from({ length: count }, () => ({ value, area }));
    const pairs = (...all: Load[][]): Map<string, Load[]> => new Map(all.map((pair, i) => [String(i), pair]));
    expect(survey(pairs([...loads(90, 10), ...loads(10, 900)], loads(50, 30), loads(2, 5000)))).toEqual({ typical: 30, greatest: 5000 });
    // It tumbles over its edges for long before it lies on a face.
    expect(survey(pairs([...loads(60, 800, 0.01), ...loads(40, 10)])).typical).toBe(10);
    // A hundred corners under great pressure, all of them smaller than one face.
    const corners = Array.from({ length: 100 }, (_, i) => loads(1, 100 + i, 1e-4));
    expect(survey(pairs(loads(1, 7), ...corners))).toEqual({ typical: 7, greatest: 199 });
    expect(survey(new Map())).toEqual({ typical: 0, greatest: 0 });
  });
  test.each([[0.12, "0.12 m²"], [0.06, "600 cm²"], [2e-4, "2 cm²"], [3e-7, "0.3 mm²"]])("areas of %d m² read %s", (area, text) => expect(areaText(area)).toBe(text));
});
