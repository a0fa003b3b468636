import { Quaternion, Vector3 } from "three";
import { describe, expect, test } from "vitest";
import { Clock } from "../src/app/clock";
import { poseAt } from "../src/model/pose";
import { Run } from "../src/model/run";
import { lastAtOrBefore } from "../src/model/search";
import { Series } from "../src/model/series";
import { frames, head, record, stream } from "../tests/support/encoder";

describe("search in time", () => {
  const times = [0, 1, 1, 2, 5];
  test.each([[-1, -1], [0, 0], [0.5, 0], [1, 2], [4.999, 3], [5, 4], [99, 4]])("of %d finds %d", (time, index) => {
    expect(lastAtOrBefore((i) => times[i], times.length, time)).toBe(index);
  });
  test("in nothing finds nothing", () => expect(lastAtOrBefore(() => 0, 0, 1)).toBe(-1));
});

function run(): Run {
  const made = new Run(0, "");
  const half = Math.SQRT1_2;
  const at = (i: number) => ({ time: 0.1 * i, poses: [[i, 0, 0, 0, 0, i % 2 ? half : 0, i % 2 ? half : 1]] });
  const all = Array.from({ length: 10 }, (_, i) => at(i));
  made.push(stream(record("H", head({ bodies: [{ name: "a", motion: "free" }] })), ...[0, 4, 8].map((k) => record("F", frames(all.slice(k, k + 4))))));
  made.end();
  while (made.pump(100));
  return made;
}

describe("frames over several records", () => {
  const store = run().frames!;
  test("are found by time", () => {
    expect(store.numberAt(-1)).toBe(0);
    expect(store.numberAt(0.39)).toBe(3);
    expect(store.numberAt(0.1 + 0.2)).toBe(3);
    expect(store.numberAt(9)).toBe(9);
    expect(store.nearest(0.36)).toBe(4);
  });

  test("are exact on a frame and between them half way", () => {
    const [p, q] = [new Vector3(), new Quaternion()];
    expect(poseAt(store.at(0.3)!, 1, 0, p, q)).toBe(true);
    expect(p.x).toBeCloseTo(3, 9);
    expect(store.at(0.3)!.u).toBe(0);
    poseAt(store.at(0.35)!, 1, 0, p, q);
    expect(p.x).toBeCloseTo(3.5, 6);
    // Half of a quarter turn.
    expect(2 * Math.acos(q.w)).toBeCloseTo(Math.PI / 4, 5);
  });
});

describe("the clock", () => {
  function clock(): Clock {
    const c = new Clock();
    c.frames = run().frames;
    return c;
  }

  test("steps by frames and stops at the ends", () => {
    const c = clock();
    c.step(1);
    expect(c.time).toBeCloseTo(0.1);
    c.seek(0.25);
    c.step(-1);
    expect(c.time).toBeCloseTo(0.2);
    c.step(99);
    expect(c.time).toBeCloseTo(0.9);
  });

  test("snaps to the nearest frame when scrubbed", () => {
    const c = clock();
    c.seek(0.26, true);
    expect(c.time).toBeCloseTo(0.3);
  });

  test("plays, loops, or stops at the end", () => {
    const c = clock();
    c.toggle();
    c.speed.set(0.5);
    c.tick(0.4);
    expect(c.time).toBeCloseTo(0.2);
    c.tick(1.6);
    expect(c.time).toBeCloseTo(0.1);
    c.loop.set(false);
    c.tick(10);
    expect(c.time).toBeCloseTo(0.9);
    expect(c.playing.get()).toBe(false);
    c.toggle();
    expect(c.time).toBe(0);
  });

  test("stays at the newest frame until someone seeks", () => {
    const c = clock();
    c.follow();
    c.tick(0.01);
    expect(c.time).toBeCloseTo(0.9);
    c.seek(0.2);
    c.tick(0.01);
    expect(c.time).toBeCloseTo(0.2);
  });
});

describe("series", () => {
  const s = new Series();
  s.add(Float64Array.of(0, 1, 2), Float32Array.of(1, Number.NaN, 5));
  s.add(Float64Array.of(2, 3), Float32Array.of(9, 7));
  test("leave out what has no value or came before", () => expect([...s.times]).toEqual([0, 2, 3]));
  test("are linear between samples, and nothing outside", () => {
    expect(s.at(1)).toBe(3);
    expect(s.at(2)).toBe(5);
    expect(s.at(3.1)).toBeNull();
    expect(s.at(-0.1)).toBeNull();
    expect(s.clamped(9)).toBe(7);
  });
});
