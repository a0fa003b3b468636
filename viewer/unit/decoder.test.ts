import { describe, expect, test } from "vitest";
import { Run } from "../src/model/run";
import { explain, StreamError } from "../src/stream/errors";
import { Contact, CONTACT } from "../src/stream/frames";
import { Bytes, frames, head, record, samples, stream, type TestFrame } from "../tests/support/encoder";
import { everything } from "../tests/support/scenes";

const UP = [0, 0, 0, 1];
const ball = { name: "ball", motion: "free", shapes: [{ shape: "sphere", radius: 0.1 }], bounds: { min: [-0.1, -0.1, -0.1], max: [0.1, 0.1, 0.1] } };
const bodies = [{ name: "floor", motion: "fixed", shapes: [{ shape: "half_space" }] }, ball];
const contact = (normal: number) => ({ a: 1, b: 0, sliding: true, point: [0.123, -4.5, 0], normal: [0, 0, normal], friction: [-0.25, 0, 0], depth: 1.5e-6, patch: 0.002 });
const list: TestFrame[] = [
  { time: 0, poses: [[0, 0, 0, ...UP], [1, -2, 3, ...UP]], absent: [1] },
  { time: 0.04, poses: [[0, 0, 0, ...UP], [1.00001, -2, 2.9, 0, 0.6, 0, 0.8]], contacts: [contact(12.3456)] },
  { time: 0.08, poses: [[0, 0, 0, ...UP], [-12345.67891, 0, 0, 0, 0.6, 0, 0.8]], contacts: [contact(-7), contact(1e7)] },
];

function read(bytes: Uint8Array, piece = bytes.length): Run {
  const run = new Run(0, "");
  for (let at = 0; at < bytes.length; at += piece) run.push(bytes.subarray(at, at + piece));
  run.end();
  while (run.pump(1000));
  return run;
}

const small = stream(record("H", head({ bodies })), record("F", frames(list)));

describe("frames", () => {
  test("come back as they were written, to the resolution", () => {
    const { frames: store } = read(small);
    expect(store?.count).toBe(3);
    list.forEach((frame, i) => {
      const { block, index } = store!.frame(i);
      expect(block.times[index]).toBe(frame.time);
      frame.poses.flat().forEach((value, k) => expect(block.poses[index * 14 + k]).toBeCloseTo(value, 5));
    });
  });

  test("have contacts, also such that were not in the frame before", () => {
    const { block } = read(small).frames!.frame(2);
    expect([...block.contactStarts]).toEqual([0, 0, 1, 3]);
    const at = (c: number, k: number) => block.contacts[c * CONTACT + k];
    expect(at(0, Contact.NORMAL + 2)).toBeCloseTo(12.3456, 4);
    expect(at(1, Contact.NORMAL + 2)).toBeCloseTo(-7, 4);
    expect(at(2, Contact.NORMAL + 2)).toBeCloseTo(1e7, -1);
    expect([at(2, Contact.A), at(2, Contact.B), at(2, Contact.FLAGS)]).toEqual([1, 0, 1]);
    expect(at(2, Contact.POINT)).toBeCloseTo(0.123, 6);
    expect(at(0, Contact.FRICTION)).toBeCloseTo(-0.25, 6);
    expect(at(0, Contact.DEPTH)).toBeCloseTo(1.5e-6, 9);
    expect(at(0, Contact.PATCH)).toBeCloseTo(0.002, 6);
  });

  test("tell which bodies are absent", () => {
    const { block } = read(small).frames!.frame(0);
    expect([...(block.absent ?? [])]).toEqual([0, 1, 0, 0, 0, 0]);
  });

  test("give the bounds of what moves, without what is absent", () => {
    const { min, max } = read(small).frames!.bounds;
    expect(max[0]).toBeCloseTo(1.00001 + Math.sqrt(0.03), 4);
    expect(min[2]).toBeCloseTo(-Math.sqrt(0.03), 4);
    expect(max[2]).toBeCloseTo(2.9 + Math.sqrt(0.03), 4);
  });

  test("have curves whose number of nodes may change", () => {
    const curve = (n: number, shift: number) => Array.from({ length: n }, (_, i) => [i + shift, 0, 1, 100 * i]);
    const written: TestFrame[] = [2, 3, 3].map((n, i) => ({ time: i, poses: [], curves: [curve(n, 0.5 * i)] }));
    const run = read(stream(record("H", head({ curves: [{ name: "c", radius: 0.1 }] })), record("F", frames(written))));
    const { block } = run.frames!.frame(2);
    expect([...block.curveStarts]).toEqual([0, 2, 5, 8]);
    expect([...block.nodes.slice(5 * 4, 6 * 4)]).toEqual([1, 0, 1, 0]);
    expect(run.frames!.greatest.tension).toBeCloseTo(200);
  });
});

describe("a stream", () => {
  test("may arrive in pieces of any size", () => {
    const whole = everything();
    for (const piece of [1021, 37_000]) {
      const run = read(whole, piece);
      expect(run.error).toBeNull();
      expect(run.frames?.count).toBe(126);
      expect(run.meshes.get(0)?.parts).toHaveLength(2);
      expect(run.summary?.expectations).toHaveLength(3);
      expect(run.events.length).toBeGreaterThan(4);
    }
  });

  test("may have kinds of records that are not known", () => {
    const run = read(stream(record("H", head({ bodies })), record("Q", Uint8Array.of(1, 2, 3)), record("F", frames(list))));
    expect(run.error).toBeNull();
    expect(run.frames?.count).toBe(3);
  });

  test("may be stored without packing", () => {
    expect(read(stream(record("H", head({ bodies }), false), record("F", frames(list), false))).frames?.count).toBe(3);
  });

  test("begins anew with another head", () => {
    const run = read(stream(record("H", head({ bodies })), record("F", frames(list)), record("H", head({ title: "again", bodies }))));
    expect(run.head?.title).toBe("again");
    expect(run.frames?.count).toBe(0);
  });

  test("that is cut anywhere gives what came before, and says so", () => {
    const first = stream(record("H", head({ bodies })), record("F", frames(list.slice(0, 2))));
    const whole = new Uint8Array([...first, ...record("F", frames(list.slice(2)))]);
    for (let length = 0; length < whole.length; length++) {
      const run = read(whole.slice(0, length));
      expect(run.frames?.count ?? 0).toBe(length < first.length ? 0 : 2);
      if (length !== first.length && !(length > 12 && run.head && !run.error)) expect(["cut", "empty"]).toContain(run.error?.fault);
      if (length > first.length) expect(run.error?.fault).toBe("cut");
    }
  });

  test("with any byte changed neither throws nor makes frames up", () => {
    for (let i = 0; i < small.length; i++) {
      const bytes = small.slice();
      bytes[i] ^= 0x41;
      const run = read(bytes);
      expect(run.error !== null || run.frames?.count === 3 || run.frames?.count === 0, `byte ${i}`).toBe(true);
    }
  });

  test("of something else is refused with its first bytes", () => {
    const run = read(new TextEncoder().encode("<!doctype html>"));
    expect(run.error?.fault).toBe("foreign");
    expect(explain(run.error!, null).text).toContain("3c 21");
  });

  test("of another version is refused", () => {
    for (const [version, fault] of [[3, "newer"], [1, "older"]] as const) {
      const bytes = small.slice();
      bytes[8] = version;
      expect(read(bytes).error?.fault).toBe(fault);
    }
  });

  test("that claims what it has no room for is damaged, and takes no memory", () => {
    const claims = new Bytes().varint(1e12).done();
    for (const kind of ["F", "S"]) expect(read(stream(record("H", head({ bodies })), record(kind, claims))).error?.fault).toBe("damaged");
  });

  test("naming a body or signal that is not there is damaged", () => {
    const wrong = [{ ...list[1], contacts: [{ ...contact(1), a: 7 }] }];
    expect(read(stream(record("H", head({ bodies })), record("F", frames(wrong)))).error?.fault).toBe("damaged");
    expect(read(stream(record("H", head({ bodies })), record("S", samples([2], [0], [[1]])))).error?.fault).toBe("damaged");
  });
});

describe("messages", () => {
  test("say until when a cut recording goes", () => {
    expect(explain(new StreamError("cut", ""), 1.24).title).toBe("Cut short at t = 1.24 s");
  });
});
