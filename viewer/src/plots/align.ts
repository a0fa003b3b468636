/** Puts curves with different times into the one table that uPlot draws. */
import type { AlignedData } from "uplot";
import type { PlotCurve } from "./curves";
import { thin } from "./thin";

type Column = (number | null | undefined)[];

/** Rows of the curves between two times, thinned to about two per bucket and curve. */
export function align(curves: PlotCurve[], from: number, until: number, buckets: number): AlignedData {
  const chosen = curves.map((curve) => thin(curve.times, curve.values, from, until, buckets));
  // Stacked areas need values at the same times: all of them take all rows that any of them takes.
  const areas = curves.flatMap((curve, i) => (curve.area ? [i] : []));
  if (areas.length > 1) {
    const rows = [...new Set(areas.flatMap((i) => chosen[i]))].sort((a, b) => a - b);
    for (const i of areas) chosen[i] = rows;
  }
  const times = [...new Set(curves.flatMap((curve, i) => chosen[i].map((k) => curve.times[k])))].sort((a, b) => a - b);
  const row = new Map(times.map((time, i) => [time, i]));
  const columns = curves.map((curve, i) => {
    // undefined: no sample here, the line goes on; null would break it.
    const column: Column = new Array(times.length).fill(undefined);
    for (const k of chosen[i]) column[row.get(curve.times[k]) as number] = Number.isNaN(curve.values[k]) ? null : curve.values[k];
    return column;
  });
  return [times, ...columns] as AlignedData;
}
