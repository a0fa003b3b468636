/** Round numbers for an axis. */

/** About `count` values from `low` to `high`, spaced by 1, 2 or 5 times a power of ten. */
export function ticks(low: number, high: number, count: number): number[] {
  if (!(high > low) || !Number.isFinite(high - low)) return [low];
  const rough = (high - low) / Math.max(count, 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const lead = rough / power;
  const step = power * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10);
  const out: number[] = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9; k++) {
    // Through its decimal text, so that 3·0.1 is 0.3.
    out.push(Number((k * step).toPrecision(12)));
  }
  return out;
}

/** Widens a range a little; a range without width gets one. */
export function padded(low: number, high: number): [number, number] {
  if (!Number.isFinite(low) || !Number.isFinite(high)) return [0, 1];
  if (high - low <= 1e-12 * Math.max(Math.abs(low), Math.abs(high))) {
    const by = Math.abs(low) > 0 ? 0.1 * Math.abs(low) : 1;
    return [low - by, high + by];
  }
  const by = 0.06 * (high - low);
  return [low - by, high + by];
}
