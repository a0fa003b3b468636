/** Decodes a record of contact patches: the outlines of contacts in the frames of the record after it. */
import { StreamError } from "./errors";
import { Growing } from "./growing";
import type { FrameBlock } from "./frames";
import type { Head } from "./head";
import { Reader } from "./reader";

/** Rings of a polygon, at most. */
const MAX_RINGS = 15;
/** Powers of two by which steps of places are longer than the resolution, at most. */
const MAX_DOUBLINGS = 40;
/** Load of a place at the greatest depth. */
const FULL_LOAD = 255;

/** Outlines of the contacts of a block. */
export interface PatchBlock {
  /** By contact: where its outline begins in `data`; −1 for none. */
  starts: Int32Array;
  /**
   * Of each outline: pressure at the greatest depth [Pa] (−1: the law is none of pressure), greatest depth [m], polygons; of each polygon: corners,
   * rings, x y z of the corners and, if there are rings, of the centre, from the contact's point [m], then loads (0…1: depth by the greatest) of
   * the corners, of each ring inwards, of the centre.
   */
  data: Float32Array;
}

/** A polygon of an outline, as a view of the block's data. */
export interface Polygon {
  corners: number;
  rings: number;
  /** Places of corners and centre, from the contact's point [m]. */
  places: Float32Array;
  loads: Float32Array;
}

export interface Outline {
  /** Pressure at the greatest depth [Pa]; null if the law is none of pressure. */
  pressure: number | null;
  /** Greatest depth [m]. */
  depth: number;
  polygons: Polygon[];
}

/** Where a ring lies between the centre (0) and the corners (1), which are ring 0: all rings and the middle have the same area. */
export function ringFraction(ring: number, rings: number): number {
  return Math.sqrt(1 - ring / (rings + 1));
}

/** Reads the payload of a `P` record, already inflated, that belongs to a block. */
export function decodePatches(payload: Uint8Array, head: Head, { times, contactStarts }: Pick<FrameBlock, "times" | "contactStarts">): PatchBlock {
  const reader = new Reader(payload);
  const { length, depth } = head.resolution;
  const starts = new Int32Array(contactStarts[times.length]).fill(-1);
  const data = new Growing();
  const put = (value: number): void => data.set(data.extend(1), value);
  if (reader.varint() !== times.length) throw new StreamError("damaged", "a record of patches belongs to other frames");
  for (let f = 0; f < times.length; f++) {
    let contact = contactStarts[f];
    for (let left = reader.count(5, "patches"); left > 0; left--, contact++) {
      contact += reader.varint();
      if (contact >= contactStarts[f + 1]) throw new StreamError("damaged", `a patch at ${times[f]} s names a contact that is not there`);
      starts[contact] = data.length;
      put(reader.varint() % 2 === 1 ? Math.max(reader.f32s(1)[0], 0) : -1);
      put(reader.signed() * depth);
      const doublings = reader.varint();
      if (doublings > MAX_DOUBLINGS) throw new StreamError("damaged", `a patch at ${times[f]} s has no size that can be`);
      const step = length * 2 ** doublings;
      const polygons = reader.count(2, "polygons");
      put(polygons);
      for (let p = 0; p < polygons; p++) {
        const corners = reader.varint();
        const rings = reader.varint();
        if (corners > reader.left / 4 || rings > MAX_RINGS) throw new StreamError("damaged", `a patch at ${times[f]} s has too many corners`);
        put(corners);
        put(rings);
        const last = [0, 0, 0];
        for (let i = 0; i < corners + Number(rings > 0); i++) {
          for (let k = 0; k < 3; k++) put((last[k] += reader.signed()) * step);
        }
        for (const load of reader.u8s(loadCount(corners, rings))) put(load / FULL_LOAD);
      }
    }
  }
  if (reader.left > 0) throw new StreamError("damaged", "a record of patches is longer than it says");
  return { starts, data: data.done() };
}

function loadCount(corners: number, rings: number): number {
  return corners * (rings + 1) + Number(rings > 0);
}

/** The outline of a contact, by its number in the block; null if it has none. */
export function outlineOf({ patches }: Pick<FrameBlock, "patches">, contact: number): Outline | null {
  let at = patches?.starts[contact] ?? -1;
  if (!patches || at < 0) return null;
  const { data } = patches;
  const [pressure, depth, count] = data.subarray(at, (at += 3));
  const polygons: Polygon[] = [];
  for (let p = 0; p < count; p++) {
    const [corners, rings] = data.subarray(at, (at += 2));
    const places = data.subarray(at, (at += 3 * (corners + Number(rings > 0))));
    const loads = data.subarray(at, (at += loadCount(corners, rings)));
    polygons.push({ corners, rings, places, loads });
  }
  return { pressure: pressure < 0 ? null : pressure, depth, polygons };
}
