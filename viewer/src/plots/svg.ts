/** Curves as a drawing for papers: plain SVG, black on white, fonts by family name. */
import { scaledUnit } from "../ui/engineering";
import { axisLabel } from "./axis";
import type { PlotCurve } from "./curves";
import { thin } from "./thin";
import { padded, ticks } from "./ticks";

export interface SvgOptions {
  title: string;
  width: number;
  height: number;
  from: number;
  until: number;
  /** Several runs: the legend names them. */
  several: boolean;
}

const FONT = "Helvetica, Arial, sans-serif";
/** Size of the font. */
const SIZE = 11;
const AXIS = 62;

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

const r = (value: number): string => String(Number(value.toFixed(2)));

export function svg(curves: PlotCurve[], options: SvgOptions): string {
  const { width, height, from, until } = options;
  const units = [...new Set(curves.map((c) => c.unit))];
  const left = AXIS * Math.max(1, Math.ceil(units.length / 2));
  const right = 18 + AXIS * Math.floor(units.length / 2);
  const names = curves.map((curve) => (options.several ? `${curve.run.name}: ${curve.name}` : curve.name));
  // Names side by side where they have room: a letter is about 0.6 of the size of the font.
  const longest = names.reduce((most, name) => Math.max(most, name.length), 0) * 0.6 * SIZE + 40;
  const inRow = Math.max(1, Math.min(2, Math.floor((width - left) / longest)));
  const legendRows = Math.ceil(curves.length / inRow);
  const [top, bottom] = [34, 48 + 18 * legendRows];
  const plot = { width: width - left - right, height: height - top - bottom };
  const x = (t: number): number => left + ((t - from) / (until - from)) * plot.width;

  const drawn = curves.map((curve) => thin(curve.times, curve.values, from, until, Math.round(plot.width)));
  const scales = new Map(units.map((unit) => {
    let [low, high] = [Infinity, -Infinity];
    curves.forEach((curve, i) => {
      if (curve.unit !== unit) return;
      if (curve.area) [low, high] = [Math.min(low, 0), Math.max(high, 0)];
      for (const k of drawn[i]) {
        const value = curve.values[k];
        if (Number.isNaN(value)) continue;
        [low, high] = [Math.min(low, value), Math.max(high, value)];
      }
    });
    const [a, b] = padded(low, high);
    return [unit, { low: a, high: b, shown: scaledUnit(unit, Math.max(Math.abs(a), Math.abs(b))), y: (v: number) => top + (1 - (v - a) / (b - a)) * plot.height }];
  }));

  const parts: string[] = [];
  const text = (px: number, py: number, words: string, more = ""): void => {
    parts.push(`<text x="${r(px)}" y="${r(py)}" ${more}>${escaped(words)}</text>`);
  };
  const path = (d: string, more: string): void => {
    parts.push(`<path d="${d}" ${more}/>`);
  };

  text(left, 20, options.title, 'font-size="14" font-weight="bold"');
  for (const t of ticks(from, until, plot.width / 80)) {
    path(`M${r(x(t))} ${top}v${r(plot.height)}`, 'stroke="#ddd" fill="none"');
    text(x(t), top + plot.height + 16, String(t), 'text-anchor="middle"');
  }
  text(left + plot.width / 2, top + plot.height + 34, "time [s]", 'text-anchor="middle"');
  units.forEach((unit, u) => {
    const scale = scales.get(unit);
    if (!scale) return;
    const onLeft = u % 2 === 0;
    const at = onLeft ? left - AXIS * Math.floor(u / 2) : left + plot.width + AXIS * Math.floor(u / 2);
    for (const v of ticks(scale.low, scale.high, plot.height / 45)) {
      if (u === 0) path(`M${left} ${r(scale.y(v))}h${r(plot.width)}`, 'stroke="#ddd" fill="none"');
      path(`M${r(at)} ${r(scale.y(v))}h${onLeft ? -5 : 5}`, 'stroke="#000" fill="none"');
      text(at + (onLeft ? -8 : 8), scale.y(v) + 4, String(Number((v / scale.shown.factor).toPrecision(12))), `text-anchor="${onLeft ? "end" : "start"}"`);
    }
    path(`M${r(at)} ${top}v${r(plot.height)}`, 'stroke="#000" fill="none"');
    const label = at + (onLeft ? -AXIS + 14 : AXIS - 8);
    text(label, top + plot.height / 2, axisLabel(curves, unit, scale.shown.unit), `text-anchor="middle" transform="rotate(-90 ${r(label)} ${r(top + plot.height / 2)})"`);
  });

  parts.push(`<clipPath id="inside"><rect x="${left}" y="${top}" width="${r(plot.width)}" height="${r(plot.height)}"/></clipPath><g clip-path="url(#inside)">`);
  let below: string | null = null;
  curves.forEach((curve, i) => {
    const scale = scales.get(curve.unit);
    if (!scale) return;
    const points = drawn[i].filter((k) => !Number.isNaN(curve.values[k])).map((k) => `${r(x(curve.times[k]))} ${r(scale.y(curve.values[k]))}`);
    if (points.length === 0) return;
    const colour = curve.colour === "ink" ? "#000" : curve.colour;
    if (curve.area) {
      const base: string = below ?? `${r(x(until))} ${r(scale.y(0))}L${r(x(from))} ${r(scale.y(0))}`;
      path(`M${points.join("L")}L${base}Z`, `fill="${colour}" fill-opacity="0.33" stroke="none"`);
      below = [...points].reverse().join("L");
    }
    const dash = curve.dash.length > 0 ? ` stroke-dasharray="${curve.dash.join(" ")}"` : "";
    path(`M${points.join("L")}`, `fill="none" stroke="${colour}" stroke-width="1.4" stroke-linejoin="round"${dash}`);
  });
  parts.push("</g>");
  path(`M${left} ${r(top + plot.height)}h${r(plot.width)}`, 'stroke="#000" fill="none"');

  curves.forEach((curve, i) => {
    const [lx, ly] = [left + (i % inRow) * ((width - left) / inRow), height - 18 * legendRows + 18 * Math.floor(i / inRow) + 4];
    const colour = curve.colour === "ink" ? "#000" : curve.colour;
    const dash = curve.dash.length > 0 ? ` stroke-dasharray="${curve.dash.join(" ")}"` : "";
    path(`M${r(lx)} ${r(ly - 4)}h22`, `stroke="${colour}" stroke-width="${curve.area ? 6 : 2}"${dash} fill="none"`);
    text(lx + 28, ly, names[i]);
  });

  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${FONT}" font-size="${SIZE}">` +
    `<rect width="100%" height="100%" fill="#fff"/>${parts.join("")}</svg>\n`;
}
