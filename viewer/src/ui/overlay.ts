/** Over the scene: axes, scale bar, legend of what colours and forms mean. */
import { Vector3 } from "three";
import type { App } from "../app/app";
import { RAMP_CSS, runColour } from "../scene/colours";
import { AXES, lengthText } from "../scene/debug";
import type { View3D } from "../scene/view3d";
import { h } from "./dom";
import { chapterAt } from "./events";
import { quantity } from "./format";

const NAMES = ["x", "y", "z"];
/** Longest scale bar, in pixels. */
const BAR = 120;

/** The largest 1, 2 or 5 times a power of ten that is not above a length. */
export function roundBelow(length: number): number {
  const power = 10 ** Math.floor(Math.log10(length));
  return power * (length / power >= 5 ? 5 : length / power >= 2 ? 2 : 1);
}

export class Overlay {
  private readonly gizmo = h("div", { class: "gizmo", role: "img", "aria-label": "Directions of the axes" });
  private readonly bar = h("div", { class: "scale-bar", role: "img" });
  /** What of the recording is shown now, if it has chapters. */
  private readonly caption = h("div", { class: "caption", role: "status", hidden: true });
  private readonly legend = h("div", { class: "scene-legend" });
  private legendText = "";
  private seen = "";

  constructor(private readonly app: App, private readonly view: View3D, viewport: HTMLElement) {
    viewport.append(this.gizmo, this.caption, h("div", { class: "bottom-left" }, this.legend), this.bar);
    view.onDraw = () => this.update();
    app.clock.changed.on(() => this.showChapter());
  }

  private update(): void {
    // A camera that stands still shows the same axes and scale.
    const { camera, controls } = this.view.rig;
    const seen = [...camera.matrixWorld.elements, controls.target.length(), this.view.canvas.clientHeight, this.view.cell].join();
    if (seen !== this.seen) {
      this.seen = seen;
      this.drawGizmo();
      this.drawBar();
    }
    this.drawLegend();
  }

  private showChapter(): void {
    const chapter = chapterAt(this.app.runs[0].events, this.app.clock.time);
    this.caption.hidden = chapter === undefined;
    if (chapter && chapter.label !== this.caption.textContent) this.caption.textContent = chapter.label;
  }

  private drawGizmo(): void {
    const turn = this.view.rig.camera.matrixWorldInverse;
    const ends = NAMES.map((name, k) => ({ name, colour: `#${AXES[k].getHexString()}`, v: new Vector3(...[0, 1, 2].map((i) => Number(i === k))).transformDirection(turn) }));
    // Far ones first, so that near ones cover them.
    ends.sort((a, b) => a.v.z - b.v.z);
    this.gizmo.innerHTML = `<svg viewBox="-40 -40 80 80">${ends.map(({ name, colour, v }) => {
      const [x, y] = [26 * v.x, -26 * v.y];
      return `<path d="M0 0L${x.toFixed(1)} ${y.toFixed(1)}" stroke="${colour}" stroke-width="2.5"/><circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="8" fill="${colour}"/><text x="${x.toFixed(1)}" y="${(y + 3.7).toFixed(1)}">${name}</text>`;
    }).join("")}</svg>`;
  }

  private drawBar(): void {
    const { camera, controls } = this.view.rig;
    const distance = camera.position.distanceTo(controls.target);
    const perPixel = (2 * distance * Math.tan((camera.fov * Math.PI) / 360)) / Math.max(1, this.view.canvas.clientHeight);
    const length = roundBelow(BAR * perPixel);
    if (!Number.isFinite(length)) return;
    this.bar.innerHTML = `<span>${lengthText(length)}</span><i style="width:${length / perPixel}px"></i>`;
    this.bar.setAttribute("aria-label", `Scale: ${lengthText(length)} at the distance of the point looked at; grid ${lengthText(this.view.cell)}`);
    this.bar.title = `At the distance of the point looked at. Grid cells: ${lengthText(this.view.cell)}`;
  }

  private drawLegend(): void {
    const { app, view } = this;
    const frames = app.runs[0].frames;
    const parts: string[] = [];
    const on = app.options.on("normal") || app.options.on("friction");
    if (frames && view.typicalForce > 0 && on) {
      const force = roundBelow(view.typicalForce);
      const long = force * view.metresPerNewton;
      parts.push('<span class="key"><svg viewBox="0 0 12 12"><circle cx="6" cy="6" r="4" fill="#1f7fd1"/></svg>sticking</span>',
        '<span class="key"><svg viewBox="0 0 12 12"><circle cx="6" cy="6" r="3.6" fill="none" stroke="#f08a00" stroke-width="2.4"/></svg>sliding</span>',
        `<span class="key"><svg viewBox="0 0 16 12"><path d="M0 6h11M9 2.500 15 6 9 9.500z" stroke="currentColor" stroke-width="1.500" fill="currentColor"/></svg>${quantity(force, "N")} is ${lengthText(Number(long.toPrecision(2)))} long</span>`);
    }
    const { scale, greatest } = view.patches;
    const patches = app.options.on("patches");
    for (const [name, key, unit] of [["contact pressure", "pressure", "Pa"], ["contact depth", "depth", "m"]] as const) {
      if (!patches || scale[key] <= 0) continue;
      // Impacts may go beyond the scale, which ends at what is typical.
      const end = `${greatest[key] > scale[key] ? "≥ " : ""}${quantity(scale[key], unit, 3)}`;
      parts.push(`<span class="key">${name} 0<i class="ramp" style="background:${RAMP_CSS}"></i>${end}</span>`);
    }
    if ((app.runs[0].head?.curves.length ?? 0) > 0) {
      parts.push(`<span class="key">tension 0<i class="ramp" style="background:${RAMP_CSS}"></i>${quantity(view.greatestTension, "N", 3)}</span>`);
    }
    for (const run of app.runs.slice(1)) parts.push(`<span class="key"><i class="dot" style="background:${runColour(run.place)}"></i>${escape(run.name)}</span>`);
    const text = parts.join("");
    if (text !== this.legendText) this.legend.innerHTML = this.legendText = text;
    this.legend.hidden = parts.length === 0;
  }
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
