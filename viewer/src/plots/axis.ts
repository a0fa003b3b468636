/** What stands beside an axis: quantity and unit, in the words of `fender plot` (crates/fender-run/src/plot/signals.rs). */
import type { PlotCurve } from "./curves";

/** What several quantities of one unit have in common. Of N·m, say, it is not known: torque or moment. */
const KINDS: Record<string, string> = {
  J: "energy", N: "force", W: "power", m: "length", "m/s": "speed", "m/s²": "acceleration", rad: "angle", "rad/s": "angular speed",
};

/** `position` of `ball.position.z`. */
function quantity(name: string): string {
  const parts = name.split(".");
  if (parts.length > 1 && /^[wxyz]$/.test(parts[parts.length - 1])) parts.pop();
  return (parts.at(-1) ?? "").replaceAll("_", " ");
}

/** A unit beside an axis; nothing for numbers without one. */
export function unitLabel(unit: string): string {
  return unit === "1" ? "" : `[${unit}]`;
}

/** The label of the axis of a unit: `position [m]`, or `energy [MJ]` where the curves are of several quantities; `shown` is the unit with its prefix. */
export function axisLabel(curves: PlotCurve[], unit: string, shown = unit): string {
  const names = new Set(curves.filter((curve) => curve.unit === unit).map((curve) => quantity(curve.name)));
  const what = names.size === 1 ? [...names][0] : (KINDS[unit] ?? "");
  return `${what} ${unitLabel(shown)}`.trim();
}
