/** The panel of the scene: layers, arrows, runs, bodies. */
import type { App } from "../app/app";
import { isLine } from "../model/loops";
import { runColour } from "../scene/colours";
import { DEBUG_LAYERS } from "../scene/debug";
import { LAYERS, type Layer } from "../scene/layers";
import { h } from "./dom";
import { motionText } from "./format";

/** Bodies listed at once. */
const MOST = 200;
/** The slider goes over this many powers of ten either way. */
const DECADES = 2;

export class ScenePanel {
  readonly element: HTMLElement;
  private readonly bodies = h("div", { class: "body-list", role: "listbox", "aria-label": "Bodies" });
  private readonly runs = h("div", {});
  private readonly layers = h("div", {});
  private readonly filter: HTMLInputElement;

  constructor(private readonly app: App) {
    this.filter = h("input", { type: "search", placeholder: "Search bodies", "aria-label": "Search bodies", input: () => this.list() });
    this.element = h("div", { class: "scene-panel" }, this.layers, this.runs,
      h("section", { class: "block" }, h("h3", {}, "Bodies"), this.filter, this.bodies));
    app.selection.watch(() => this.mark());
  }

  private check(layer: Layer, text: string): HTMLElement {
    const box = h("input", { type: "checkbox", "data-layer": layer, change: () => this.app.options.layers[layer].set(box.checked) });
    this.app.options.layers[layer].watch((on) => {
      box.checked = on;
    });
    return h("label", { class: "check" }, box, text);
  }

  private arrowScale(): HTMLElement {
    const { arrowFactor } = this.app.options;
    const slider = h("input", { type: "range", min: -DECADES, max: DECADES, step: 0.02, value: 0, id: "arrow-scale",
      "aria-label": "Length of force arrows", title: "Length of the force arrows. 1×: a large force of this run is about as long as the bodies that touch. Arrows never leave the scene.",
      input: () => arrowFactor.set(10 ** Number(slider.value)) });
    const text = h("output", { for: "arrow-scale" });
    arrowFactor.watch((factor) => {
      slider.value = String(Math.log10(factor));
      slider.setAttribute("aria-valuetext", `${Number(factor.toPrecision(2))} times the automatic length`);
      text.textContent = `${Number(factor.toPrecision(2))}×`;
    });
    return h("div", { class: "slider" }, h("span", {}, "Arrow length"), slider, text,
      h("button", { type: "button", class: "small", click: () => arrowFactor.set(1) }, "Auto"));
  }

  /** A run has begun. */
  begin(): void {
    const head = this.app.runs[0].head;
    if (!head) return;
    const some: Record<string, boolean> = {
      meshes: head.bodies.some((b) => b.meshes.length > 0),
      shapes: head.bodies.some((b) => b.meshes.length > 0),
      gaps: head.gaps.length > 0,
      joints: head.joints.length + head.loops.length > 0,
      links: head.curves.length > 0 || head.loops.some((l) => isLine(l)),
      surroundings: head.fields.length > 0,
      ghosts: this.app.runs.length > 1,
    };
    const shown = (entries: [string, string][]): HTMLElement[] => entries.filter(([layer]) => some[layer] ?? true).map(([layer, text]) => this.check(layer as Layer, text));
    const entries = Object.entries(LAYERS);
    this.layers.replaceChildren(
      h("section", { class: "block" }, h("h3", {}, "Scene"), h("div", { class: "checks" }, ...shown(entries.filter(([l]) => !["normal", "friction", "patches"].includes(l))))),
      h("section", { class: "block" }, h("h3", {}, "Contacts"), h("div", { class: "checks" }, ...shown(entries.filter(([l]) => ["normal", "friction", "patches"].includes(l)))), this.arrowScale()),
      h("section", { class: "block" }, h("h3", {}, "Debug layers"), h("div", { class: "checks" }, ...shown(Object.entries(DEBUG_LAYERS)))),
    );
    this.listRuns();
    this.list();
  }

  private listRuns(): void {
    const others = this.app.runs.slice(1);
    if (others.length === 0) return this.runs.replaceChildren();
    this.runs.replaceChildren(h("section", { class: "block" }, h("h3", {}, "Runs"), ...this.app.runs.map((run) => {
      const box = h("input", { type: "checkbox", change: () => {
        if (box.checked) this.app.options.hiddenRuns.delete(run.place);
        else this.app.options.hiddenRuns.add(run.place);
        this.app.clock.changed.emit(this.app.clock.time);
      } });
      box.checked = true;
      box.disabled = run.place === 0;
      return h("label", { class: "check" }, box, h("i", { class: "dot", style: run.place === 0 ? "" : `background:${runColour(run.place)}` }), run.place === 0 ? `${run.name} (solid)` : run.name);
    })));
  }

  private list(): void {
    const words = this.filter.value.toLowerCase();
    const all = (this.app.runs[0].head?.bodies ?? []).map((body, i) => ({ body, i })).filter(({ body }) => body.name.toLowerCase().includes(words));
    this.bodies.replaceChildren(...all.slice(0, MOST).map(({ body, i }) => h("button", {
      type: "button", role: "option", "data-body": i, click: () => this.app.selection.set({ kind: "body", body: i }),
    }, h("span", {}, body.name), h("span", { class: "unit" }, motionText(body)))), ...(all.length > MOST ? [h("p", { class: "hint" }, `${all.length - MOST} more: type to narrow down.`)] : []));
    this.mark();
  }

  private mark(): void {
    const picked = this.app.selection.get();
    for (const row of this.bodies.querySelectorAll<HTMLElement>("[data-body]")) {
      row.setAttribute("aria-selected", String(picked?.kind === "body" && String(picked.body) === row.dataset.body));
    }
  }
}
