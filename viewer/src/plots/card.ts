/** A plot with its title, legend with values at the cursor, and what can be done with it. */
import type { App } from "../app/app";
import { fileName, pngOf, save } from "../export/save";
import { h, iconButton } from "../ui/dom";
import { known, quantity } from "../ui/format";
import { menu, popover } from "../ui/popover";
import { Chart } from "./chart";
import { csv } from "./csv";
import { curvesOf, EVERYTHING, type PlotCurve, type PlotSpec, titleOf } from "./curves";
import { signalPicker } from "./picker";
import { svg } from "./svg";

export interface CardEvents {
  zoom(range: [number, number] | null): void;
  hover(time: number | null): void;
  remove(card: PlotCard): void;
}

export class PlotCard {
  readonly element: HTMLElement;
  private readonly title = h("h3", {});
  private readonly legend = h("div", { class: "legend" });
  private readonly body = h("div", { class: "chart" });
  private readonly chart: Chart;
  private curves: PlotCurve[] = [];
  private values: HTMLElement[] = [];
  private range: [number, number] = [0, 1];
  /** What each curve's values are told beside: less than a tiny part of it is rounding. */
  private scales: number[] = [];

  constructor(private readonly app: App, private spec: PlotSpec, private readonly events: CardEvents) {
    const choose = iconButton("plus", "Choose signals", () => this.choose(choose), { "aria-haspopup": "dialog" });
    const more = iconButton("more", "Export or remove this plot", () => this.more(more), { "aria-haspopup": "menu" });
    this.element = h("section", { class: "plot-card" }, h("header", {}, this.title, h("span", { class: "spring" }), choose, more), this.legend, this.body);
    this.chart = new Chart(this.body, {
      seek: (time) => app.clock.seek(time),
      zoom: (from, until) => events.zoom([from, until]),
      reset: () => events.zoom(null),
      hover: (time) => events.hover(time),
    });
  }

  /** Draws everything anew. */
  rebuild(range: [number, number], time: number): void {
    this.range = range;
    this.curves = this.collect(range);
    this.title.textContent = titleOf(this.spec);
    this.element.setAttribute("aria-label", `Plot of ${this.title.textContent}`);
    const several = this.app.runs.length > 1 && this.spec.kind === "signals";
    this.values = this.curves.map((curve) => h("span", { class: "value", "data-signal": curve.name, "data-run": curve.run.place }));
    this.legend.replaceChildren(...this.curves.map((curve, i) => h("span", { class: "key", title: describe(curve) },
      swatch(curve), h("span", { class: "name" }, several ? `${short(curve.name, this.spec)} · ${curve.run.name}` : short(curve.name, this.spec)), this.values[i])));
    this.body.classList.toggle("empty", this.curves.length === 0);
    this.body.dataset.empty = this.spec.kind === "signals" && this.spec.names.length === 0 ? "Choose signals with the + above." : "No samples.";
    this.chart.setCurves(this.curves, range);
    this.setTime(time);
    this.showValues(time);
  }

  private collect([from, until]: [number, number]): PlotCurve[] {
    const buckets = Math.round(Math.max(400, this.body.clientWidth) * devicePixelRatio);
    const curves = curvesOf(this.spec, this.app.runs, { from, until, buckets });
    this.scales = curves.map((curve) => curve.run.scaleOf(curve.run.signalIndex(curve.name) === undefined ? "energy.kinetic" : curve.name));
    return curves;
  }

  /** More samples came, or another range is to be seen. */
  refresh(range: [number, number]): void {
    this.range = range;
    this.curves = this.collect(range);
    if (this.curves.length !== this.values.length) return this.rebuild(range, this.app.clock.time);
    this.chart.refresh(this.curves, range);
  }

  setTime(time: number): void {
    this.chart.setTime(time);
  }

  /** Shows the values at a time in the legend. */
  showValues(time: number): void {
    this.curves.forEach((curve, i) => {
      const value = curve.at(time);
      this.values[i].textContent = quantity(known(value, this.scales[i]), curve.unit);
      this.values[i].dataset.value = value === null ? "" : String(value);
    });
  }

  private choose(anchor: HTMLElement): void {
    const names = this.spec.kind === "signals" ? this.spec.names : [];
    popover(anchor, "Choose signals", signalPicker(this.app.runs[0], names, (chosen) => {
      this.spec = { kind: "signals", names: chosen };
      this.rebuild(this.range, this.app.clock.time);
    }));
  }

  private more(anchor: HTMLElement): void {
    const several = this.app.runs.length > 1;
    const name = (ending: string): string => fileName(this.app.runs[0].name, `${titleOf(this.spec).replaceAll("*", "all")}.${ending}`);
    const drawing = (): string => svg(this.curves, { title: titleOf(this.spec), width: 800, height: 420 + 9 * this.curves.length, from: this.range[0], until: this.range[1], several });
    menu(anchor, "Plot", [
      ["Save data as CSV", () => save(name("csv"), csv(curvesOf(this.spec, this.app.runs, EVERYTHING), several), "text/csv")],
      ["Save as SVG", () => save(name("svg"), drawing(), "image/svg+xml")],
      ["Save as PNG", () => {
        pngOf(drawing(), 800, 420 + 9 * this.curves.length, 2).then((blob) => save(name("png"), blob), (error: Error) => this.app.note(error.message));
      }],
      ["Show all of the time", () => this.events.zoom(null)],
      ["Remove plot", () => this.events.remove(this)],
    ]);
  }

  destroy(): void {
    this.chart.destroy();
    this.element.remove();
  }
}

/** The part of a name that the title does not say already. */
function short(name: string, spec: PlotSpec): string {
  const title = titleOf(spec);
  if (spec.kind === "energy") return name.replace(/^energy\./, "");
  if (name.startsWith(`${title}.`)) return name.slice(title.length + 1);
  if (title.startsWith("*.") && name.endsWith(title.slice(1))) return name.slice(0, name.length - title.length + 1);
  return name;
}

function describe(curve: PlotCurve): string {
  const index = curve.run.signalIndex(curve.name);
  return index === undefined ? curve.name : `${curve.name}: ${curve.run.head?.signals[index].description ?? ""}`;
}

function swatch(curve: PlotCurve): Element {
  const mark = h("span", { class: curve.area ? "swatch area" : "swatch" });
  const colour = curve.colour === "ink" ? "var(--ink)" : curve.colour;
  const dash = curve.dash.length > 0 ? `stroke-dasharray="${curve.dash.join(" ")}"` : "";
  mark.innerHTML = `<svg viewBox="0 0 18 8" aria-hidden="true"><path d="M0 4h18" stroke="${colour}" stroke-width="${curve.area ? 8 : 2.5}" ${curve.area ? 'opacity="0.6"' : ""} ${dash}/></svg>`;
  return mark;
}
