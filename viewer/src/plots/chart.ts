/** One uPlot chart: curves, an axis per unit, zoom by dragging, a mark at the time that everything shows. */
import uPlot from "uplot";
import { type Scaled, scaledUnit } from "../ui/engineering";
import { align } from "./align";
import { axisLabel, unitLabel } from "./axis";
import type { PlotCurve } from "./curves";
import { throughEverySample } from "./path";
import { padded } from "./ticks";

export interface ChartEvents {
  /** Someone clicked at a time. */
  seek(time: number): void;
  /** Someone dragged over a range of times. */
  zoom(from: number, until: number): void;
  /** Double click. */
  reset(): void;
  /** The pointer is at a time, or has left. */
  hover(time: number | null): void;
}

interface Look {
  ink: string;
  faint: string;
  grid: string;
  font: string;
  em: number;
}

function look(): Look {
  const style = getComputedStyle(document.documentElement);
  const em = Number.parseFloat(style.fontSize);
  const value = (name: string): string => style.getPropertyValue(name).trim();
  return { ink: value("--ink"), faint: value("--ink-2"), grid: value("--line"), font: `${(em * 0.86).toFixed(1)}px ${value("--font")}`, em };
}

export class Chart {
  private chart: uPlot | null = null;
  private curves: PlotCurve[] = [];
  private mark: HTMLElement | null = null;
  private range: [number, number] = [0, 1];
  private time = 0;
  private pressed: { x: number; y: number } | null = null;

  constructor(private readonly parent: HTMLElement, private readonly events: ChartEvents) {
    new ResizeObserver(() => this.resize()).observe(parent);
  }

  /** Draws other curves, or the same anew after a change of theme. */
  setCurves(curves: PlotCurve[], range: [number, number]): void {
    this.curves = curves;
    this.range = range;
    this.chart?.destroy();
    this.chart = null;
    const { clientWidth: width, clientHeight: height } = this.parent;
    if (curves.length === 0 || width < 40 || height < 40) return;
    this.chart = new uPlot(this.options(width, height), this.data(), this.parent);
    this.mark = document.createElement("div");
    this.mark.className = "time-mark";
    this.chart.over.append(this.mark);
    this.chart.over.addEventListener("mousedown", (e) => {
      this.pressed = { x: e.clientX, y: e.clientY };
    });
    this.chart.over.addEventListener("mouseup", (e) => this.released(e));
    this.chart.over.addEventListener("dblclick", () => this.events.reset());
    this.setTime(this.time);
  }

  private released(event: MouseEvent): void {
    const from = this.pressed;
    this.pressed = null;
    // Moved: a drag, which is a zoom.
    if (!from || !this.chart || Math.hypot(event.clientX - from.x, event.clientY - from.y) > 3) return;
    this.events.seek(this.chart.posToVal(event.clientX - this.chart.over.getBoundingClientRect().left, "x"));
  }

  /** The curves have more samples, or another range is to be seen. */
  refresh(curves: PlotCurve[], range: [number, number]): void {
    if (!this.chart || curves.length !== this.curves.length) return this.setCurves(curves, range);
    this.curves = curves;
    this.range = range;
    const chart = this.chart;
    chart.batch(() => {
      chart.setData(this.data(), false);
      chart.setScale("x", { min: range[0], max: range[1] });
    });
    this.setTime(this.time);
  }

  private data(): uPlot.AlignedData {
    return align(this.curves, this.range[0], this.range[1], Math.round(Math.max(200, this.parent.clientWidth) * devicePixelRatio));
  }

  private options(width: number, height: number): uPlot.Options {
    const { ink, faint, grid, font, em } = look();
    const colour = (c: PlotCurve): string => (c.colour === "ink" ? ink : c.colour);
    // Lines grow with the text on very wide windows.
    const thick = em / 13;
    const units = [...new Set(this.curves.map((c) => c.unit))];
    const lines = { stroke: faint, font, labelFont: font, ticks: { stroke: grid, width: 1, size: 4 }, gap: 3 };
    const range = (_: uPlot, low: number, high: number): [number, number] => padded(low, high);
    const bands = this.curves.flatMap((curve, i) =>
      curve.area && i > 0 ? [{ series: [i + 1, i] as [number, number], fill: `${curve.colour}66` }] : []);
    return {
      // Half of a tick at the end of the time may stand out.
      width, height, padding: [em * 0.5, (u) => Math.max(em * 0.6, widest(font, ticksOf(u)) / 2 + 1), 0, 0],
      legend: { show: false },
      scales: {
        x: { time: false, min: this.range[0], max: this.range[1] },
        ...Object.fromEntries(units.map((unit) => [unit, { range }])),
      },
      axes: [
        { ...lines, grid: { stroke: grid, width: 1 }, size: em * 1.8, values: (_, splits) => splits.map(plain) },
        ...units.map((unit, i) => ({
          ...lines, scale: unit, side: i % 2 === 0 ? 3 : 1, label: this.label(unit), labelSize: em * 1.25, labelGap: 0,
          // One grid is enough.
          grid: { stroke: grid, width: 1, show: i === 0 },
          // As wide as its numbers, so that they keep off its name.
          size: (_: uPlot, values: string[] | null) => Math.max(em * 2, widest(font, values ?? [])) + 4 + 3 + em * 0.25,
          space: em * 2,
          values: (u: uPlot, splits: number[]) => {
            const { factor } = axisUnit(u, unit);
            return splits.map((split) => plain(split / factor));
          },
        })),
      ],
      series: [
        {},
        ...this.curves.map((curve, i) => ({
          label: curve.name, scale: curve.unit, pxAlign: 0, ...(curve.area ? {} : { paths: throughEverySample }), stroke: colour(curve), width: (curve.area ? 1 : 1.5) * thick, dash: curve.dash.map((d) => d * thick), points: { show: false },
          fill: curve.area && i === 0 ? `${curve.colour}66` : undefined,
          fillTo: 0,
        })),
      ],
      bands,
      cursor: {
        y: false, sync: { key: "fender" }, points: { show: false }, drag: { x: true, y: false, setScale: false },
        bind: { dblclick: () => null },
      },
      hooks: {
        setSelect: [(u) => {
          if (u.select.width < 4) return;
          const [from, until] = [u.posToVal(u.select.left, "x"), u.posToVal(u.select.left + u.select.width, "x")];
          u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          this.events.zoom(from, until);
        }],
        setCursor: [(u) => {
          const inside = u.cursor.left !== undefined && u.cursor.left !== null && u.cursor.left >= 0;
          this.events.hover(inside ? u.posToVal(u.cursor.left as number, "x") : null);
        }],
      },
    };
  }

  /** What stands beside the axis of a unit, in the font that is set: the unit alone where a low chart has no room for more. */
  private label(unit: string): ((chart: uPlot) => string) | undefined {
    if (axisLabel(this.curves, unit) === "") return undefined;
    return (chart) => {
      const shown = axisUnit(chart, unit).unit;
      const words = axisLabel(this.curves, unit, shown);
      return chart.ctx.measureText(words).width <= chart.bbox.height ? words : unitLabel(shown);
    };
  }

  /** Moves the mark. */
  setTime(time: number): void {
    this.time = time;
    if (!this.chart || !this.mark) return;
    const x = this.chart.valToPos(time, "x");
    this.mark.hidden = !(x >= 0 && x <= this.chart.over.clientWidth);
    this.mark.style.transform = `translateX(${x}px)`;
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.parent;
    if (!this.chart) return this.setCurves(this.curves, this.range);
    if (width < 40 || height < 40) return;
    if (width === this.chart.width && height === this.chart.height) return;
    this.chart.setSize({ width, height });
    this.refresh(this.curves, this.range);
  }

  destroy(): void {
    this.chart?.destroy();
  }
}

/** The unit, with its prefix, of an axis: that of its largest value. */
function axisUnit(chart: uPlot, unit: string): Scaled {
  const { min, max } = chart.scales[unit];
  return scaledUnit(unit, Math.max(Math.abs(min ?? 0), Math.abs(max ?? 0)));
}

/** The ticks of the time as texts, once they are known. */
function ticksOf(chart: uPlot): string[] {
  return (chart.axes[0] as { _values?: string[] })._values ?? [];
}

let measuring: CanvasRenderingContext2D | null = null;

/** Width of the widest of some texts [CSS pixels]. */
function widest(font: string, texts: string[]): number {
  measuring ??= document.createElement("canvas").getContext("2d");
  if (!measuring) return 0;
  measuring.font = font;
  return Math.ceil(Math.max(0, ...texts.map((text) => measuring?.measureText(text ?? "").width ?? 0)));
}

/** A tick as text, with a proper minus. */
function plain(value: number): string {
  const size = Math.abs(value);
  const text = size !== 0 && (size < 1e-4 || size >= 1e6) ? value.toExponential().replace("e+", "e") : String(Number(value.toPrecision(10)));
  return text.replaceAll("-", "−");
}
