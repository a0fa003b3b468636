/** Writes streams, as the engine does: for tests of the reader, and for scenes that no scenario makes yet. */
import { crc32, deflateRawSync } from "node:zlib";

export interface TestContact {
  a: number;
  b: number;
  sliding: boolean;
  point: number[];
  normal: number[];
  friction: number[];
  depth: number;
  patch: number;
}

export interface TestPolygon {
  /** From the contact's point. */
  corners: number[][];
  center?: number[];
  /** 0…255 of corners, rings, centre. */
  loads: number[];
}

export interface TestOutline {
  contact: number;
  pressure: number | null;
  depth: number;
  polygons: TestPolygon[];
}

export interface TestFrame {
  time: number;
  absent?: number[];
  /** x y z qx qy qz qw per body */
  poses: number[][];
  /** x y z tension per node per curve */
  curves?: number[][][];
  heights?: number[][];
  gaps?: number[][];
  contacts?: TestContact[];
  outlines?: TestOutline[];
}

const RESOLUTION = { length: 1e-5, quaternion: 1e-6, force: 1e-4, depth: 1e-9 };

export class Bytes {
  private parts: number[] = [];

  varint(value: number): this {
    let rest = BigInt(value);
    while (rest >= 128n) {
      this.parts.push(Number(rest & 127n) | 128);
      rest >>= 7n;
    }
    this.parts.push(Number(rest));
    return this;
  }

  signed(value: number): this {
    const n = BigInt(Math.round(value));
    return this.varint(Number(n >= 0n ? 2n * n : -2n * n - 1n));
  }

  raw(array: ArrayBufferView): this {
    for (const byte of new Uint8Array(array.buffer, array.byteOffset, array.byteLength)) this.parts.push(byte);
    return this;
  }

  f64(value: number): this {
    return this.raw(Float64Array.of(value));
  }

  done(): Uint8Array {
    return Uint8Array.from(this.parts);
  }
}

export function head(fields: Record<string, unknown>): Record<string, unknown> {
  return { name: "test", title: "A test", version: "0.1.0", hash: "0123456789abcdef", period: 0.04, duration: 1, gravity: [0, 0, -9.81], resolution: RESOLUTION, ...fields };
}

/** The payload of an `F` record. */
export function frames(list: TestFrame[]): Uint8Array {
  const out = new Bytes().varint(list.length);
  let before: TestFrame | null = null;
  const difference = (now: number[], then: number[] | undefined, step: (k: number) => number): void => {
    now.forEach((value, k) => out.signed(Math.round(value / step(k)) - Math.round((then?.[k] ?? 0) / step(k))));
  };
  const { length, quaternion, force, depth } = RESOLUTION;
  for (const frame of list) {
    const last: TestFrame | null = before;
    out.f64(frame.time).varint(frame.absent?.length ?? 0);
    for (const body of frame.absent ?? []) out.varint(body);
    frame.poses.forEach((pose, i) => difference(pose, last?.poses[i], (k) => (k < 3 ? length : quaternion)));
    frame.curves?.forEach((curve, c) => {
      out.varint(curve.length);
      const then = last?.curves?.[c];
      curve.forEach((node, i) => difference(node, then?.length === curve.length ? then[i] : undefined, (k) => (k < 3 ? length : force)));
    });
    frame.heights?.forEach((field, i) => difference(field, last?.heights?.[i], () => length));
    frame.gaps?.forEach((gap, i) => difference(gap, last?.gaps?.[i], () => length));
    const contacts = frame.contacts ?? [];
    out.varint(contacts.length);
    contacts.forEach((c, i) => {
      const then = last?.contacts?.[i];
      const flat = (x: TestContact): number[] => [...x.point, ...x.normal, ...x.friction, x.depth, x.patch];
      out.varint(c.a).varint(c.b).varint(c.sliding ? 1 : 0);
      difference(flat(c), then && then.a === c.a && then.b === c.b ? flat(then) : undefined, (k) => (k < 3 || k === 10 ? length : k < 9 ? force : depth));
    });
    before = frame;
  }
  return out.done();
}

/** The payload of a `P` record, which comes before the `F` record of the same frames. */
export function patches(list: TestFrame[]): Uint8Array {
  const out = new Bytes().varint(list.length);
  for (const { outlines = [] } of list) {
    out.varint(outlines.length);
    let next = 0;
    for (const { contact, pressure, depth, polygons } of outlines) {
      out.varint(contact - next).varint(pressure === null ? 0 : 1);
      next = contact + 1;
      if (pressure !== null) out.raw(Float32Array.of(pressure));
      out.signed(depth / RESOLUTION.depth).varint(0).varint(polygons.length);
      for (const { corners, center, loads } of polygons) {
        out.varint(corners.length).varint(center ? (loads.length - 1) / corners.length - 1 : 0);
        let last = [0, 0, 0];
        for (const place of center ? [...corners, center] : corners) {
          const now = place.map((x) => Math.round(x / RESOLUTION.length));
          now.forEach((x, k) => out.signed(x - last[k]));
          last = now;
        }
        out.raw(Uint8Array.from(loads));
      }
    }
  }
  return out.done();
}

/** The payload of an `S` record. */
export function samples(signals: number[], times: number[], values: number[][]): Uint8Array {
  const out = new Bytes().varint(signals.length);
  for (const signal of signals) out.varint(signal);
  out.varint(times.length).raw(Float64Array.from(times));
  for (const column of values) out.raw(Float32Array.from(column));
  return out.done();
}

export function record(kind: string, payload: Uint8Array | object, packed = true): Uint8Array {
  const plain = payload instanceof Uint8Array ? payload : new TextEncoder().encode(JSON.stringify(payload));
  const stored = packed ? deflateRawSync(plain) : plain;
  const out = Buffer.alloc(8 + stored.length + 4);
  out.write(kind, 0, "latin1");
  out.writeUInt8(packed ? 1 : 0, 1);
  out.writeUInt32LE(stored.length, 4);
  out.set(stored, 8);
  out.writeUInt32LE(crc32(stored), 8 + stored.length);
  return new Uint8Array(out);
}

export function stream(...records: Uint8Array[]): Uint8Array {
  const preamble = Buffer.alloc(12);
  preamble.write("FENDERFR", "latin1");
  preamble.writeUInt32LE(2, 8);
  return new Uint8Array(Buffer.concat([preamble, ...records]));
}

/** A page with streams in it, as the engine writes reports. */
export function page(bundle: string, streams: { name: string; bytes: Uint8Array }[], mode: "file" | "live" = "file"): string {
  const scripts = streams.map(({ name, bytes }) =>
    `<script type="application/vnd.fender.stream" data-name="${name}">${Buffer.from(bytes).toString("base64")}</script>`);
  const settings = `<script type="application/json" id="fender-page">{"mode":"${mode}"}</script>`;
  return bundle.replace("<!--fender:data-->", () => scripts.join("\n") + settings);
}
