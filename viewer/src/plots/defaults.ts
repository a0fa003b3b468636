/** Which plots a page begins with. */
import type { Run } from "../model/run";
import type { PlotSpec } from "./curves";
import { hasEnergy } from "./energy";

/** Most curves in a plot that a page makes on its own. */
const MOST_CURVES = 6;

/** Signals grouped by owner and quantity: "ball.position" has x, y and z, "cable.tow.tension" start, end, max and min; a quantity of one component is alone. */
export function groups(names: string[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const name of names) {
    const match = /^(.*)\.[wxyz]$/.exec(name) ?? /^(cable\..*\.tension)\.(?:start|end|max|min)$/.exec(name);
    const key = match ? match[1] : name;
    const group = found.get(key);
    if (group) group.push(name);
    else found.set(key, [name]);
  }
  return found;
}

/** What the run asks for; without that energy first if it is recorded, then the first recorded signals; lone components of several bodies ("e01.position.z") share a plot. */
export function defaultPlots(run: Run): PlotSpec[] {
  const asked = (run.head?.plots ?? []).flatMap((names): PlotSpec[] => {
    if (names.length === 1 && names[0] === "energy") return hasEnergy(run) ? [{ kind: "energy" }] : [];
    const recorded = names.filter((name) => run.signalIndex(name) !== undefined);
    return recorded.length > 0 ? [{ kind: "signals", names: recorded }] : [];
  });
  if (asked.length > 0) return asked;
  const specs: PlotSpec[] = hasEnergy(run) ? [{ kind: "energy" }] : [];
  // What cannot move is not worth a curve.
  const fixed = new Set((run.head?.bodies ?? []).filter((body) => body.motion === "fixed").map((body) => body.name));
  const still = (name: string): boolean => fixed.has(name.split(".")[0]) && !name.includes(".contact.");
  const rest = (run.head?.signals ?? []).map((s) => s.name).filter((name) => !name.startsWith("energy.") && !still(name));
  const several: string[][] = [];
  const alone = new Map<string, string[]>();
  for (const [, names] of groups(rest)) {
    if (names.length > 1) several.push(names);
    else {
      // The quantity is what is left without the owner.
      const quantity = names[0].slice(names[0].indexOf(".") + 1);
      const like = alone.get(quantity);
      if (like) like.push(names[0]);
      else several.push(alone.set(quantity, [names[0]]).get(quantity) as string[]);
    }
  }
  for (const names of several) {
    if (specs.length >= 3) break;
    specs.push({ kind: "signals", names: names.slice(0, MOST_CURVES) });
  }
  return specs;
}
