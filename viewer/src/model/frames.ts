/** The frames of a run: records stay packed until they are looked at, and the longest unused are given up when memory runs short. */
import { asStreamError, unpack } from "../stream/decoder";
import type { StreamError } from "../stream/errors";
import { blockBytes, decodeFrames, type FrameBlock, heightCount, POSE } from "../stream/frames";
import type { Head } from "../stream/head";
import type { RawRecord } from "../stream/records";
import { lastAtOrBefore, sameTime } from "./search";

/** Decoded frames kept in memory [bytes]; beyond it blocks are decoded again when needed. */
const MEMORY = 400e6;

/** A record of frames with the outlines of their contacts. */
interface Packed {
  record: RawRecord;
  patches: RawRecord | null;
}

interface Slot {
  packed: Packed;
  times: Float64Array;
  block: FrameBlock | null;
  bytes: number;
  used: number;
}

/** One frame inside its block. */
export interface FrameRef {
  block: FrameBlock;
  /** Number within the block. */
  index: number;
}

/** An instant between two frames (or on one, when `u` is 0). */
export interface Instant {
  before: FrameRef;
  after: FrameRef;
  /** 0 at `before`, 1 at `after`. */
  u: number;
  /** Number of `before` among all frames. */
  number: number;
}

/** Time of an instant [s]. */
export function timeOf({ before, after, u }: Instant): number {
  const time = before.block.times[before.index];
  return u === 0 ? time : time + u * (after.block.times[after.index] - time);
}

export class FrameStore {
  private readonly slots: Slot[] = [];
  /** Number of the first frame of each slot. */
  private readonly firsts: number[] = [];
  private readonly queue: Packed[] = [];
  private memory = 0;
  private clock = 0;
  count = 0;
  /** Set when a record could not be decoded; nothing after it is read. */
  error: StreamError | null = null;
  /** Box around all moving bodies over all frames read so far. */
  readonly bounds = { min: [Infinity, Infinity, Infinity], max: [-Infinity, -Infinity, -Infinity] };
  /** Greatest tension and contact force seen, for scales. */
  greatest = { tension: 0, force: 0 };
  private readonly reach: Float64Array;

  constructor(readonly head: Head) {
    // How far each moving body reaches from its frame's origin; negative: not counted.
    this.reach = Float64Array.from(head.bodies, (body) => {
      if (body.motion === "fixed" || !body.bounds) return -1;
      const { min, max } = body.bounds;
      return Math.hypot(...min.map((low, k) => Math.max(Math.abs(low), Math.abs(max[k]))));
    });
  }

  /** Queues a record of frames. */
  offer(record: RawRecord, patches: RawRecord | null = null): void {
    this.queue.push({ record, patches });
  }

  /** Records that wait to be decoded. */
  get waiting(): number {
    return this.queue.length;
  }

  /** Decodes queued records until the clock passes `deadline` [ms of performance.now]; at least one. */
  pump(deadline: number): void {
    do {
      const packed = this.queue.shift();
      if (!packed) return;
      try {
        this.add(packed, this.decode(packed));
      } catch (error) {
        this.error = asStreamError(error);
        this.queue.length = 0;
        return;
      }
    } while (performance.now() < deadline);
  }

  private decode({ record, patches }: Packed): FrameBlock {
    return decodeFrames(unpack(record), this.head, patches && unpack(patches));
  }

  private add(packed: Packed, block: FrameBlock): void {
    const count = block.times.length;
    if (count === 0) return;
    const bytes = blockBytes(block);
    this.firsts.push(this.count);
    this.slots.push({ packed, times: block.times.slice(), block, bytes, used: ++this.clock });
    this.count += count;
    this.memory += bytes;
    this.survey(block);
    this.trim();
  }

  /** Widens the bounds and scales by a block. */
  private survey(block: FrameBlock): void {
    const { min, max } = this.bounds;
    const widen = (array: ArrayLike<number>, at: number, by: number): void => {
      for (let k = 0; k < 3; k++) {
        const value = array[at + k];
        if (!Number.isFinite(value)) return;
        min[k] = Math.min(min[k], value - by);
        max[k] = Math.max(max[k], value + by);
      }
    };
    const bodies = this.reach.length;
    for (let i = 0; i < block.times.length * bodies; i++) {
      const reach = this.reach[i % bodies];
      if (reach >= 0 && !block.absent?.[i]) widen(block.poses, i * POSE, reach);
    }
    for (let i = 0; i < block.nodes.length; i += 4) {
      widen(block.nodes, i, 0);
      this.greatest.tension = Math.max(this.greatest.tension, block.nodes[i + 3]);
    }
    for (let i = 0; i < block.contacts.length; i += 14) {
      const normal = Math.hypot(block.contacts[i + 6], block.contacts[i + 7], block.contacts[i + 8]);
      this.greatest.force = Math.max(this.greatest.force, normal);
    }
  }

  private trim(): void {
    while (this.memory > MEMORY) {
      let oldest: Slot | null = null;
      for (const slot of this.slots) if (slot.block && (!oldest || slot.used < oldest.used)) oldest = slot;
      if (!oldest || oldest.used === this.clock) return;
      oldest.block = null;
      this.memory -= oldest.bytes;
    }
  }

  get start(): number {
    return this.slots[0]?.times[0] ?? 0;
  }

  get end(): number {
    const last = this.slots.at(-1);
    return last ? last.times[last.times.length - 1] : 0;
  }

  timeOf(number: number): number {
    const slot = this.slotOf(number);
    return this.slots[slot].times[number - this.firsts[slot]];
  }

  private slotOf(number: number): number {
    return lastAtOrBefore((i) => this.firsts[i], this.firsts.length, number);
  }

  /** Number of the last frame at or before a time; the first frame before all of them. */
  numberAt(time: number): number {
    const slack = time + 1e-9 * (1 + Math.abs(time));
    const slot = Math.max(0, lastAtOrBefore((i) => this.slots[i].times[0], this.slots.length, slack));
    const times = this.slots[slot]?.times;
    if (!times) return 0;
    return this.firsts[slot] + Math.max(0, lastAtOrBefore((i) => times[i], times.length, slack));
  }

  /** Number of the frame whose time is nearest. */
  nearest(time: number): number {
    const before = this.numberAt(time);
    if (before + 1 >= this.count) return before;
    return time - this.timeOf(before) > this.timeOf(before + 1) - time ? before + 1 : before;
  }

  frame(number: number): FrameRef {
    const at = this.slotOf(number);
    const slot = this.slots[at];
    slot.used = ++this.clock;
    if (!slot.block) {
      slot.block = this.decode(slot.packed);
      this.memory += slot.bytes;
      this.trim();
    }
    return { block: slot.block, index: number - this.firsts[at] };
  }

  /** The frames around a time; null if there are none yet. */
  at(time: number): Instant | null {
    if (this.count === 0) return null;
    const number = this.numberAt(time);
    const before = this.frame(number);
    const t0 = this.timeOf(number);
    if (number + 1 >= this.count || time <= t0 || sameTime(time, t0)) return { before, after: before, u: 0, number };
    const after = this.frame(number + 1);
    return { before, after, u: (time - t0) / (this.timeOf(number + 1) - t0), number };
  }

  get heights(): number {
    return heightCount(this.head);
  }
}
