/** What a plot shows: curves made from signals of one or several runs. */
import type { Run } from "../model/run";
import { energyCurves } from "./energy";

export interface PlotCurve {
  /** Name of the signal; also what it is called in tests and exports. */
  name: string;
  unit: string;
  run: Run;
  colour: string;
  dash: number[];
  times: Float64Array;
  values: Float64Array;
  /** Filled down to the curve before it (stacked), or to zero for the first. */
  area: boolean;
  /** The value to show at a time: of the signal itself, not of the stack. */
  at(time: number): number | null;
}

export type PlotSpec = { kind: "signals"; names: string[] } | { kind: "energy" };

/** Told apart by everyone; the same in light and dark. */
export const COLOURS = ["#1f78c8", "#e08214", "#1a9e78", "#b8539f", "#7a6fd0", "#a8862a", "#3aa7c4", "#c2543c"];
/** One per run. */
const DASHES = [[], [6, 4], [2, 3], [9, 3, 2, 3]];

export function dashOf(run: Run): number[] {
  return DASHES[run.place % DASHES.length];
}

/** What of the time is wanted, and how finely. */
export interface Window {
  from: number;
  until: number;
  buckets: number;
}

/** All samples of all times. */
export const EVERYTHING: Window = { from: -Infinity, until: Infinity, buckets: Infinity };

export function curvesOf(spec: PlotSpec, runs: Run[], window: Window): PlotCurve[] {
  if (spec.kind === "energy") return energyCurves(runs[0], window);
  return spec.names.flatMap((name, i) =>
    runs.flatMap((run): PlotCurve[] => {
      const index = run.signalIndex(name);
      const series = run.signal(name);
      if (index === undefined || !series || !run.head) return [];
      return [{
        name, unit: run.head.signals[index].unit, run, colour: COLOURS[i % COLOURS.length], dash: dashOf(run),
        times: series.times, values: series.values, area: false, at: (time) => series.at(time),
      }];
    }),
  );
}

/** A short title: what the names have in common. */
export function titleOf(spec: PlotSpec): string {
  if (spec.kind === "energy") return "Energy account";
  const { names } = spec;
  if (names.length === 0) return "Empty plot";
  if (names.length === 1) return names[0];
  const parts = names.map((name) => name.split("."));
  const front: string[] = [];
  for (let i = 0; i < parts[0].length - 1 && parts.every((p) => p[i] === parts[0][i]); i++) front.push(parts[0][i]);
  if (front.length > 0) return front.join(".");
  const back: string[] = [];
  for (let i = 1; i < parts[0].length && parts.every((p) => p.at(-i) === parts[0].at(-i)); i++) back.unshift(parts[0].at(-i) ?? "");
  return back.length > 0 ? `*.${back.join(".")}` : `${names.length} signals`;
}
