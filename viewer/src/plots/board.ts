/** All plots: one range of time and one cursor for them together. */
import type { App } from "../app/app";
import { theme } from "../app/theme";
import { h, iconButton } from "../ui/dom";
import { PlotCard } from "./card";
import type { PlotSpec } from "./curves";
import { defaultPlots } from "./defaults";
import { hasEnergy } from "./energy";

/** Plots of a growing run are drawn anew no more often than this [ms]. */
const EVERY = 250;

export class PlotBoard {
  readonly element: HTMLElement;
  private readonly list = h("div", { class: "plot-list" });
  private readonly resetZoom: HTMLButtonElement;
  private cards: PlotCard[] = [];
  private zoomed: [number, number] | null = null;
  private hovered: number | null = null;
  private due = 0;
  /** The first plots are there. */
  begun = false;

  constructor(private readonly app: App) {
    this.resetZoom = iconButton("zoomOut", "Show all of the time", () => this.zoom(null));
    this.resetZoom.classList.add("with-text");
    this.resetZoom.append("All time");
    const add = iconButton("plus", "Add a plot of signals", () => this.add({ kind: "signals", names: [] }, true));
    add.classList.add("with-text");
    add.append("Plot");
    const energy = iconButton("plus", "Add the energy account", () => {
      if (hasEnergy(app.runs[0])) this.add({ kind: "energy" }, true);
      else app.note("This run did not record its energies: record \"energy.*\" in the scenario.");
    });
    energy.classList.add("with-text");
    energy.append("Energy");
    this.element = h("div", { class: "plots" }, h("div", { class: "bar" }, add, energy, h("span", { class: "spring" }), this.resetZoom), this.list);
    this.resetZoom.hidden = true;
    app.clock.changed.on((time) => {
      for (const card of this.cards) card.setTime(time);
    });
    app.clock.readable((time) => {
      if (this.hovered === null) this.showValues(time);
    });
    let first = true;
    theme.watch(() => {
      // The new colours are in the style only after this.
      if (!first) requestAnimationFrame(() => this.rebuild());
      first = false;
    });
  }

  /** A run has begun: its usual plots, or those that were there already. */
  begin(keep: boolean): void {
    if (!keep || this.cards.length === 0) {
      for (const card of this.cards) card.destroy();
      this.cards = [];
      for (const spec of defaultPlots(this.app.runs[0])) this.add(spec, false);
    }
    this.zoomed = null;
    this.resetZoom.hidden = true;
    this.rebuild();
    this.begun = true;
  }

  private add(spec: PlotSpec, draw: boolean): void {
    const card = new PlotCard(this.app, spec, {
      zoom: (range) => this.zoom(range),
      hover: (time) => {
        this.hovered = time;
        this.showValues(time ?? this.app.clock.time);
      },
      remove: (gone) => {
        gone.destroy();
        this.cards = this.cards.filter((other) => other !== gone);
      },
    });
    this.cards.push(card);
    this.list.append(card.element);
    if (!draw) return;
    card.rebuild(this.range(), this.app.clock.time);
    card.element.scrollIntoView({ block: "nearest" });
  }

  private range(): [number, number] {
    if (this.zoomed) return this.zoomed;
    const run = this.app.runs[0];
    const last = this.app.runs.flatMap((r) => r.series.map((s) => (s.length > 0 ? s.times[s.length - 1] : 0)));
    const end = last.reduce((a, b) => Math.max(a, b), run.frames?.end ?? 0);
    // A live run shows what it has so far.
    const until = this.app.mode === "live" ? end : Math.max(end, run.head?.duration ?? 0);
    const from = Math.min(run.frames?.count ? run.frames.start : 0, until);
    return until > from ? [from, until] : [from, from + 1];
  }

  private zoom(range: [number, number] | null): void {
    this.zoomed = range;
    this.resetZoom.hidden = range === null;
    this.refresh();
  }

  private rebuild(): void {
    for (const card of this.cards) card.rebuild(this.range(), this.app.clock.time);
  }

  /** The font has come: axes are as wide as their numbers. */
  relayout(): void {
    if (this.begun) this.rebuild();
  }

  private refresh(): void {
    const range = this.range();
    for (const card of this.cards) card.refresh(range);
    this.showValues(this.hovered ?? this.app.clock.time);
  }

  /** More samples came. */
  grow(): void {
    if (this.due) return;
    this.due = window.setTimeout(() => {
      this.due = 0;
      this.refresh();
    }, EVERY);
  }

  private showValues(time: number): void {
    for (const card of this.cards) card.showValues(time);
  }

  /** What the legend shows for a signal of the first run; null if it is in no plot or has no value now. */
  shown(signal: string): number | null {
    for (const value of this.element.querySelectorAll<HTMLElement>(".value[data-run='0']")) {
      if (value.dataset.signal === signal) return value.dataset.value ? Number(value.dataset.value) : null;
    }
    return null;
  }
}
