/** Thinning: of many samples only the lowest and highest in each bucket, at their true times, so that no peak is lost. */
import { lastAtOrBefore } from "../model/search";

/**
 * Indices of samples to draw between times `from` and `until` with about two per bucket.
 * One sample more at either side is kept, so that lines run out of the picture.
 */
export function thin(times: Float64Array, values: Float64Array, from: number, until: number, buckets: number): number[] {
  const first = Math.max(0, lastAtOrBefore((i) => times[i], times.length, from));
  const last = Math.min(times.length - 1, lastAtOrBefore((i) => times[i], times.length, until) + 1);
  const kept: number[] = [];
  if (last - first + 1 <= 2 * buckets) {
    for (let i = first; i <= last; i++) kept.push(i);
    return kept;
  }
  kept.push(first);
  const span = Math.max(times[last] - times[first], Number.MIN_VALUE);
  let i = first + 1;
  for (let b = 0; b < buckets && i < last; b++) {
    const end = times[first] + ((b + 1) / buckets) * span;
    let [low, high] = [i, i];
    const start = i;
    for (; i < last && (times[i] <= end || b === buckets - 1); i++) {
      if (values[i] < values[low]) low = i;
      if (values[i] > values[high]) high = i;
    }
    if (i === start) continue;
    kept.push(Math.min(low, high));
    if (low !== high) kept.push(Math.max(low, high));
  }
  kept.push(last);
  return kept;
}
