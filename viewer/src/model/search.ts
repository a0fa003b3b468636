/** Finding places in sorted times. */

/** Times closer than this are the same instant [s]. */
export function sameTime(a: number, b: number): boolean {
  return Math.abs(a - b) <= 1e-9 * (1 + Math.abs(a));
}

/** Index of the last of `count` sorted times that is not after `time`; −1 if all are. */
export function lastAtOrBefore(timeAt: (index: number) => number, count: number, time: number): number {
  let low = -1;
  let high = count;
  // Invariant: low is not after the time (or −1), high is after it (or count).
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (timeAt(middle) <= time) low = middle;
    else high = middle;
  }
  return low;
}
