/** Samples of one signal, growing as they arrive. */
import { lastAtOrBefore } from "./search";

export class Series {
  private t = new Float64Array(64);
  private v = new Float64Array(64);
  length = 0;
  /** Largest value, without its sign. */
  largest = 0;

  /** Adds the samples that have a value. */
  add(times: Float64Array, values: Float32Array): void {
    const room = this.length + times.length;
    if (room > this.t.length) {
      this.t = enlarge(this.t, room);
      this.v = enlarge(this.v, room);
    }
    for (let i = 0; i < times.length; i++) {
      // NaN says "not sampled then"; a sample at or before the last one came twice (a live run sends its past again).
      if (Number.isNaN(values[i]) || (this.length > 0 && times[i] <= this.t[this.length - 1])) continue;
      this.t[this.length] = times[i];
      this.v[this.length++] = values[i];
      this.largest = Math.max(this.largest, Math.abs(values[i]));
    }
  }

  get times(): Float64Array {
    return this.t.subarray(0, this.length);
  }

  get values(): Float64Array {
    return this.v.subarray(0, this.length);
  }

  /** Value at a time, linear between samples; null outside them. */
  at(time: number): number | null {
    const slack = 1e-9 * (1 + Math.abs(time));
    const i = lastAtOrBefore((k) => this.t[k], this.length, time + slack);
    if (i < 0 || this.length === 0) return null;
    if (Math.abs(this.t[i] - time) <= slack) return this.v[i];
    if (i + 1 >= this.length) return null;
    const u = (time - this.t[i]) / (this.t[i + 1] - this.t[i]);
    return this.v[i] + u * (this.v[i + 1] - this.v[i]);
  }

  /** The same, but the nearest end's value outside the samples; null only if there are none. */
  clamped(time: number): number | null {
    if (this.length === 0) return null;
    return this.at(Math.min(Math.max(time, this.t[0]), this.t[this.length - 1]));
  }
}

function enlarge(array: Float64Array<ArrayBuffer>, room: number): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(Math.max(room, 2 * array.length));
  larger.set(array);
  return larger;
}
