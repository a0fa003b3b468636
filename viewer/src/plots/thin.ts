/**
 * Thinning: of many samples the first, lowest, highest and last of each bucket, at their true times. A bucket that is a pixel wide then
 * looks as all its samples do: the line enters and leaves it where it does in truth, and no peak is lost.
 */
import { lastAtOrBefore } from "../model/search";

/**
 * Indices of samples to draw between times `from` and `until`: all, or at most five per bucket.
 * One sample more at either side is kept, so that lines run out of the picture.
 */
export function thin(times: Float64Array, values: Float64Array, from: number, until: number, buckets: number): number[] {
  const first = Math.max(0, lastAtOrBefore((i) => times[i], times.length, from));
  const last = Math.min(times.length - 1, lastAtOrBefore((i) => times[i], times.length, until) + 1);
  const kept: number[] = [];
  if (last - first + 1 <= 4 * buckets) {
    for (let i = first; i <= last; i++) kept.push(i);
    return kept;
  }
  const span = Math.max(times[last] - times[first], Number.MIN_VALUE);
  let i = first;
  for (let b = 0; b < buckets && i <= last; b++) {
    const end = times[first] + ((b + 1) / buckets) * span;
    const start = i;
    let [low, high, gap] = [-1, -1, -1];
    for (; i <= last && (times[i] < end || b === buckets - 1); i++) {
      if (Number.isNaN(values[i])) {
        gap = i;
        continue;
      }
      if (low < 0 || values[i] < values[low]) low = i;
      if (high < 0 || values[i] > values[high]) high = i;
    }
    if (i === start) continue;
    // A sample without a value breaks the line.
    const chosen = [start, low, high, gap, i - 1].filter((k) => k >= 0).sort((a, b) => a - b);
    for (const k of chosen) if (k !== kept.at(-1)) kept.push(k);
  }
  return kept;
}
