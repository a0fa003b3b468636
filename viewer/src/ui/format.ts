/** Numbers, and words for bodies, as people read them. */
import type { BodyDef } from "../stream/head";
import { scaledUnit } from "./engineering";

/** A number to about `digits` significant ones, without trailing zeros, plain or with a power of ten. */
export function figure(value: number | null | undefined, digits = 5): string {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e6)) {
    const [mantissa, exponent] = value.toExponential(digits - 1).split("e");
    return `${Number(mantissa)}e${Number(exponent)}`.replaceAll("-", "−");
  }
  return String(Number(value.toPrecision(digits))).replace("-", "−");
}

/** With its unit, which gets a prefix where the number is large or small: kN, MJ, µm; "1" is none. */
export function quantity(value: number | null | undefined, unit: string, digits = 5): string {
  const scaled = scaledUnit(unit, Math.abs(value ?? 0));
  const text = figure(value === null || value === undefined ? value : value / scaled.factor, digits);
  return unit === "" || unit === "1" || text === "–" ? text : `${text} ${scaled.unit}`;
}

/** Below this part of what there is in a run a value is rounding: doubles have 16 digits, and sums of thousands of steps lose some. */
const KNOWN = 1e-10;

/** A value without what is only rounding beside the scale of its run. */
export function known(value: number | null | undefined, scale: number): number | null | undefined {
  return value !== null && value !== undefined && Math.abs(value) < KNOWN * scale ? 0 : value;
}

/** A time with as many decimals as its range needs, so that it does not jump while playing. */
export function timeText(time: number, period: number): string {
  const decimals = Math.min(Math.max(Math.ceil(-Math.log10(Math.max(period, 1e-6))) + 1, 2), 6);
  return time.toFixed(decimals).replace("-", "−");
}

/** How a body moves. */
export function motionText(body: BodyDef): string {
  return body.jointed ? "on a joint" : body.motion;
}

/** How many bodies move in which way. */
export function bodiesText(bodies: BodyDef[]): string {
  const count = (of: (body: BodyDef) => boolean): number => bodies.filter(of).length;
  const parts: [number, string][] = [
    [count((b) => b.motion === "free" && !b.jointed), "free"], [count((b) => b.jointed), "on joints"],
    [count((b) => b.motion === "fixed"), "fixed"], [count((b) => b.motion === "driven"), "driven"],
  ];
  const told = parts.filter(([n]) => n > 0).map(([n, word]) => `${n} ${word}`);
  return told.length > 0 ? `${bodies.length}: ${told.join(", ")}` : String(bodies.length);
}
