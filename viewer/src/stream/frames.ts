/** Decodes a record of frames into flat arrays. */
import { StreamError } from "./errors";
import { Growing } from "./growing";
import type { Head } from "./head";
import { decodePatches, type PatchBlock } from "./patches";
import { Reader } from "./reader";

/** Numbers of a body's pose: x y z, qx qy qz qw. */
export const POSE = 7;
/** Numbers of a curve's node: x y z, tension. */
export const NODE = 4;
/** Numbers of a contact: body a, body b, flags, point 0–2, normal force on a, friction force on a, depth, patch radius (of a disc of its area). */
export const CONTACT = 14;
export const Contact = { A: 0, B: 1, FLAGS: 2, POINT: 3, NORMAL: 6, FRICTION: 9, DEPTH: 12, PATCH: 13 } as const;
/** Numbers of a gap: point on a, point on b. */
export const GAP = 6;
export const SLIDING = 1;

/** Frames of one record, each quantity in one array. */
export interface FrameBlock {
  times: Float64Array;
  /** frame × body × POSE */
  poses: Float64Array;
  /** frame × body: 1 where the body is absent; null if none ever is. */
  absent: Uint8Array | null;
  /** frame × curve + 1: where each curve's nodes begin, in nodes. */
  curveStarts: Uint32Array;
  nodes: Float32Array;
  /** frame × all heights of all fields */
  heights: Float32Array;
  /** frame × gap × GAP */
  gaps: Float64Array;
  /** frame + 1: where each frame's contacts begin, in contacts. */
  contactStarts: Uint32Array;
  contacts: Float32Array;
  /** Outlines of the contacts over a patch; null if there are none. */
  patches: PatchBlock | null;
}

/** Heights of all fields in one frame. */
export function heightCount(head: Head): number {
  return head.fields.reduce((sum, f) => sum + f.count[0] * f.count[1], 0);
}

/** Bytes that a block takes in memory. */
export function blockBytes(block: FrameBlock): number {
  const { patches, ...arrays } = block;
  return [...Object.values(arrays), patches?.starts, patches?.data].reduce((sum: number, array) => sum + (array?.byteLength ?? 0), 0);
}

/** Reads the payload of an `F` record, and of the `P` record before it if there is one, already inflated. */
export function decodeFrames(payload: Uint8Array, head: Head, patches: Uint8Array | null = null): FrameBlock {
  const reader = new Reader(payload);
  const bodies = head.bodies.length;
  const heights = heightCount(head);
  // A frame has its time, one byte or more per number, and two counts.
  const least = 10 + bodies * POSE + head.curves.length + heights + head.gaps.length * GAP;
  const n = reader.count(least, "frames");
  const { length, quaternion, force, depth } = head.resolution;

  const times = new Float64Array(n);
  const poses = new Float64Array(n * bodies * POSE);
  let absent: Uint8Array | null = null;
  const curveStarts = new Uint32Array(n * head.curves.length + 1);
  const nodes = new Growing();
  const allHeights = new Float32Array(n * heights);
  const gaps = new Float64Array(n * head.gaps.length * GAP);
  const contactStarts = new Uint32Array(n + 1);
  const contacts = new Growing();

  // Running sums in units of the resolutions; whole numbers, so nothing drifts.
  const pose = new Float64Array(bodies * POSE);
  const height = new Float64Array(heights);
  const gap = new Float64Array(head.gaps.length * GAP);
  let curves: Float64Array[] = head.curves.map(() => new Float64Array(0));
  let last: Float64Array = new Float64Array(0);
  const scale = [length, length, length, force, force, force, force, force, force, depth, length];

  for (let f = 0; f < n; f++) {
    times[f] = reader.f64();
    const missing = reader.count(1, "absent bodies");
    for (let k = 0; k < missing; k++) {
      const body = reader.varint();
      if (body >= bodies) throw new StreamError("damaged", `frame at ${times[f]} s names body ${body} of ${bodies}`);
      absent ??= new Uint8Array(n * bodies);
      absent[f * bodies + body] = 1;
    }

    const at = f * bodies * POSE;
    for (let i = 0, k = 0; i < pose.length; i++) {
      pose[i] += reader.signed();
      poses[at + i] = pose[i] * (k < 3 ? length : quaternion);
      if (++k === POSE) k = 0;
    }

    curves = curves.map((before, c) => {
      const count = reader.count(NODE, "nodes");
      const now = before.length === count * NODE ? before : new Float64Array(count * NODE);
      const start = nodes.extend(count * NODE);
      for (let i = 0; i < now.length; i++) {
        now[i] += reader.signed();
        nodes.set(start + i, now[i] * (i % NODE < 3 ? length : force));
      }
      curveStarts[f * head.curves.length + c + 1] = nodes.length / NODE;
      return now;
    });

    for (let i = 0; i < heights; i++) {
      height[i] += reader.signed();
      allHeights[f * heights + i] = height[i] * length;
    }
    for (let i = 0; i < gap.length; i++) {
      gap[i] += reader.signed();
      gaps[f * gap.length + i] = gap[i] * length;
    }

    const count = reader.count(CONTACT, "contacts");
    const now = new Float64Array(count * CONTACT);
    const start = contacts.extend(count * CONTACT);
    for (let c = 0, i = 0; c < count; c++, i += CONTACT) {
      const a = reader.varint();
      const b = reader.varint();
      if (a >= bodies || b >= bodies) throw new StreamError("damaged", `a contact at ${times[f]} s names body ${Math.max(a, b)} of ${bodies}`);
      now[i] = a;
      now[i + 1] = b;
      now[i + 2] = reader.varint();
      const same = i < last.length && last[i] === a && last[i + 1] === b;
      contacts.set(start + i, a);
      contacts.set(start + i + 1, b);
      contacts.set(start + i + 2, now[i + 2]);
      for (let k = 3; k < CONTACT; k++) {
        now[i + k] = reader.signed() + (same ? last[i + k] : 0);
        contacts.set(start + i + k, now[i + k] * scale[k - 3]);
      }
    }
    contactStarts[f + 1] = contacts.length / CONTACT;
    last = now;
  }
  return {
    times, poses, absent, curveStarts, nodes: nodes.done(), heights: allHeights, gaps, contactStarts, contacts: contacts.done(),
    patches: patches && decodePatches(patches, head, { times, contactStarts }),
  };
}
