/** The line of a curve: through every sample that it is given, where it is, not at the nearest pixel. */
import uPlot from "uplot";

/** Points of a line in pieces: null is a gap, undefined is nothing at that place. */
export function pieces(
  xs: ArrayLike<number>, ys: ArrayLike<number | null | undefined>, from: number, to: number, place: (x: number, y: number) => [number, number],
): [number, number][][] {
  const all: [number, number][][] = [];
  let open = false;
  for (let i = from; i <= to; i++) {
    const y = ys[i];
    if (y === undefined) continue;
    if (y === null) {
      open = false;
      continue;
    }
    if (!open) all.push([]);
    open = true;
    all[all.length - 1].push(place(xs[i], y));
  }
  return all;
}

/** Builds a curve's path. uPlot's own rounds points to pixels and, where they are many, puts all of a column at one place: a smooth curve gets steps. */
export const throughEverySample: uPlot.Series.PathBuilder = (u, series, from, to) => {
  const scale = u.series[series].scale ?? "y";
  const place = (x: number, y: number): [number, number] => [u.valToPos(x, "x", true), u.valToPos(y, scale, true)];
  const stroke = new Path2D();
  const all = pieces(u.data[0], u.data[series] as (number | null | undefined)[], from, to, place);
  for (const piece of all) {
    stroke.moveTo(...piece[0]);
    // A sample between gaps is still seen.
    if (piece.length === 1) stroke.lineTo(...piece[0]);
    for (const point of piece.slice(1)) stroke.lineTo(...point);
  }
  return { stroke, fill: null, clip: null, band: null, gaps: null, flags: 1 } as unknown as uPlot.Series.Paths;
};
