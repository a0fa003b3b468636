/**
 * The energy account: where the energy is and where it went, stacked by source.
 *
 * kinetic + potential + stored + dissipated (each source its own area) must at all times equal what there was at the beginning plus
 * the work done on the scene. That sum is drawn as a line over the stack; what lies between the two is the residual, which has a line
 * of its own. Potential energy counts from its lowest value in the run, since its zero is arbitrary and areas cannot be negative.
 */
import type { Run } from "../model/run";
import type { Series } from "../model/series";
import { COLOURS, dashOf, type PlotCurve, type Window } from "./curves";
import { thin } from "./thin";

const HELD = ["energy.kinetic", "energy.potential", "energy.stored"];
/** Beyond this many sources their sum is shown. */
const MOST_SOURCES = 8;

export function hasEnergy(run: Run): boolean {
  return run.signalIndex("energy.kinetic") !== undefined && run.signalIndex("energy.potential") !== undefined;
}

function losses(run: Run): string[] {
  const parts = (run.head?.signals ?? []).map((s) => s.name).filter((name) => name.startsWith("energy.dissipated."));
  // What never takes anything (an ideal drive) would only crowd the legend.
  const lossy = parts.filter((name) => run.signal(name)?.values.some((value) => value !== 0));
  if (lossy.length > 0 && lossy.length <= MOST_SOURCES) return lossy;
  return run.signal("energy.dissipated") ? ["energy.dissipated"] : [];
}

/** Times at which any of the series has a sample worth drawing. */
function union(series: Series[], { from, until, buckets }: Window): Float64Array {
  const all = new Set<number>();
  // All together are to be no more than what is drawn of one curve: uPlot itself would make more of them fewer, to pixels.
  const each = Math.max(100, buckets / (2 * series.length));
  for (const s of series) {
    const { times } = s;
    for (const i of thin(times, s.values, from, until, each)) all.add(times[i]);
  }
  return Float64Array.from(all).sort();
}

export function energyCurves(run: Run | undefined, window: Window): PlotCurve[] {
  if (!run || !hasEnergy(run)) return [];
  const names = [...HELD, ...losses(run)].filter((name) => (run.signal(name)?.length ?? 0) > 0);
  const stacked = names.map((name) => run.signal(name) as Series);
  const residual = run.signal("energy.residual");
  const work = run.signal("energy.work");
  const times = union(stacked, window);
  if (times.length === 0) return [];
  const lowest = run.signal("energy.potential")?.values.reduce((a, b) => Math.min(a, b), Infinity) ?? 0;

  const top = new Float64Array(times.length);
  const curves = names.map((name, k): PlotCurve => {
    const offset = name === "energy.potential" ? lowest : 0;
    for (let i = 0; i < times.length; i++) top[i] += (stacked[k].clamped(times[i]) ?? 0) - offset;
    return {
      name, unit: "J", run, colour: COLOURS[k % COLOURS.length], dash: [], times, values: top.slice(), area: true,
      at: (time) => stacked[k].clamped(time),
    };
  });
  const line = (name: string, colour: string, dash: number[], value: (time: number) => number | null): PlotCurve => ({
    name, unit: "J", run, colour, dash, area: false, times, values: times.map((t) => value(t) ?? Number.NaN), at: value,
  });
  if (work || residual) {
    const start = run.signal("energy.kinetic")?.times[0] ?? 0;
    const begin = stacked.reduce((sum, series) => sum + (series.clamped(start) ?? 0), -lowest);
    const before = work?.clamped(start) ?? 0;
    curves.push(line("initial + work", "ink", [5, 3], (t) => begin + (work?.clamped(t) ?? 0) - before));
  }
  if (residual && residual.length > 0) curves.push(line("energy.residual", "#c2246b", dashOf(run), (t) => residual.clamped(t)));
  return curves;
}
