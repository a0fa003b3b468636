/** What the colours of contact patches stand for: chosen once from the run, so that patches can be compared over time. */
import type { FrameStore } from "../model/frames";
import { CONTACT, Contact } from "../stream/frames";
import { outlineOf } from "../stream/patches";
import type { PatchScale } from "./patches";

/** Frames looked at. */
const SAMPLES = 400;
/** Part of the frames of the most lasting pair from which on a pair counts. */
const LASTING = 0.2;
/** Part of a pair's frames whose values are typical or less, each frame with the area of its patch: an impact is short, or on an edge. */
const FRAMES = 0.5;
/** Part of the pairs whose values are within the scale, each with its area: in a pile many touch at mere edges and corners, under great pressure. */
const PAIRS = 0.9;
/** End of a scale by a typical value: what carries its usual load has a colour from the middle of the ramp. */
const HEADROOM = 1.5;
/** Ends of a scale, times a power of ten. */
const ENDS = [1, 1.5, 2, 3, 5, 7.5, 10];

export interface RunPatches {
  scale: PatchScale;
  /** Greatest values of all: they may be beyond the scale. */
  greatest: PatchScale;
}

/** A greatest pressure or depth, and the area over which it is, in any unit. */
export interface Load {
  value: number;
  area: number;
}

/** The smallest end of a scale that is not below a value. */
export function scaleEnd(value: number): number {
  if (!(value > 0)) return 0;
  const power = 10 ** Math.floor(Math.log10(value));
  return power * (ENDS.find((end) => end * power >= value * (1 - 1e-6)) ?? 10);
}

/**
 * Looks at the patches of a run. Typical is what a pair that touches for long stays below most of the time: at an impact pressures are so much
 * greater that resting contacts had no colour beside them.
 */
export function patchScale(frames: FrameStore): RunPatches {
  const found: Record<keyof PatchScale, Map<string, Load[]>> = { pressure: new Map(), depth: new Map() };
  const step = Math.max(1, Math.floor(frames.count / SAMPLES));
  for (let number = 0; number < frames.count; number += step) {
    const { block, index } = frames.frame(number);
    if (!block.patches) continue;
    for (let c = block.contactStarts[index]; c < block.contactStarts[index + 1]; c++) {
      const outline = outlineOf(block, c);
      if (!outline) continue;
      const pair = `${block.contacts[c * CONTACT + Contact.A]} ${block.contacts[c * CONTACT + Contact.B]}`;
      const of = found[outline.pressure === null ? "depth" : "pressure"];
      const load = { value: outline.pressure ?? outline.depth, area: block.contacts[c * CONTACT + Contact.PATCH] ** 2 };
      const loads = of.get(pair);
      if (loads) loads.push(load);
      else of.set(pair, [load]);
    }
  }
  const [pressure, depth] = [survey(found.pressure), survey(found.depth)];
  return {
    scale: { pressure: scaleEnd(HEADROOM * pressure.typical), depth: scaleEnd(HEADROOM * depth.typical) },
    greatest: { pressure: pressure.greatest, depth: depth.greatest },
  };
}

/** The value below which a part of the area of loads is; sorts them. */
function below(loads: Load[], part: number): number {
  loads.sort((a, b) => a.value - b.value);
  const whole = loads.reduce((sum, { area }) => sum + area, 0);
  let sum = 0;
  return loads.find(({ area }) => (sum += area) >= part * whole)?.value ?? 0;
}

/** The typical and the greatest value of pairs, each with its loads in the frames in which it touches. */
export function survey(pairs: Map<string, Load[]>): { typical: number; greatest: number } {
  const histories = [...pairs.values()];
  const longest = histories.reduce((most, loads) => Math.max(most, loads.length), 0);
  const greatest = histories.flat().reduce((most, { value }) => Math.max(most, value), 0);
  const lasting = histories.filter((loads) => loads.length >= LASTING * longest).map((loads) => (
    { value: below(loads, FRAMES), area: loads.reduce((sum, { area }) => sum + area, 0) / loads.length }
  ));
  return { typical: below(lasting, PAIRS), greatest };
}
