/** What can be done with the view: cameras, pictures, video. */
import type { App } from "../app/app";
import { fileName, save } from "../export/save";
import { startVideo } from "../export/video";
import type { Direction } from "../scene/camera";
import type { View3D } from "../scene/view3d";
import { h, iconButton, select } from "./dom";

const DIRECTIONS: [Direction, string][] = [["iso", "Oblique"], ["front", "Front (from −y)"], ["back", "Back (from +y)"], ["left", "Left (from −x)"], ["right", "Right (from +x)"], ["top", "Top (from +z)"]];

export class Toolbar {
  readonly element: HTMLElement;
  private readonly views: HTMLSelectElement;
  private readonly attach: HTMLSelectElement;

  constructor(private readonly app: App, private readonly view: View3D, viewport: HTMLElement) {
    this.views = select("View", [], (value) => this.look(value));
    this.attach = select("Camera moves with", [], (value) => this.attachTo(value));
    this.element = h("div", { class: "toolbar", role: "toolbar", "aria-label": "Camera" },
      iconButton("fit", "Show everything (v)", () => this.fit()), this.views, this.attach,
      iconButton("camera", "Save a picture (PNG)", () => this.picture()),
      iconButton("video", "Save the replay as video (WebM)", () => startVideo(app, view)));
    viewport.append(this.element);
  }

  /** A run has begun: its saved views and bodies. */
  begin(): void {
    const head = this.app.runs[0].head;
    if (!head) return;
    const option = (value: string, text: string) => h("option", { value }, text);
    const group = (label: string, ...options: HTMLOptionElement[]) => h("optgroup", { label }, ...options);
    const saved = head.views.map((v, i) => option(`saved ${i}`, v.name));
    this.views.replaceChildren(option("", "View"), ...(saved.length > 0 ? [group("Saved in the scenario", ...saved)] : []),
      group("Directions", ...DIRECTIONS.map(([value, text]) => option(value, text))));
    // A list of a thousand names helps nobody: those are picked in the scene.
    const moving = head.bodies.map((body, i) => ({ body, i })).filter(({ body }) => body.motion !== "fixed").slice(0, 40);
    this.attach.replaceChildren(option("", "Free camera"),
      group("Follow", ...moving.map(({ body, i }) => option(`follow ${i}`, body.name))),
      group("Look from", ...moving.map(({ body, i }) => option(`from ${i}`, `from ${body.name}`))));
  }

  fit(): void {
    this.view.rig.detach();
    this.attach.value = "";
    this.view.rig.frame();
  }

  private look(value: string): void {
    const head = this.app.runs[0].head;
    this.views.value = "";
    if (value.startsWith("saved ")) {
      const saved = head?.views[Number(value.slice(6))];
      if (saved) this.view.showView(saved, this.app.runs[0]);
    } else if (value) {
      this.view.rig.detach();
      this.view.rig.touched = true;
      this.view.rig.frame(value as Direction);
    }
    this.sync();
  }

  private attachTo(value: string): void {
    const [how, body] = value.split(" ");
    if (how === "follow") this.view.follow(Number(body));
    else if (how === "from") this.view.lookFrom(Number(body));
    else this.view.rig.detach();
    this.view.invalidate();
  }

  /** Shows what the camera is attached to. */
  private sync(): void {
    const a = this.view.rig.attached;
    this.attach.value = a.kind === "none" ? "" : `${a.kind} ${a.body}`;
  }

  /** Follows the selected body, or the first moving one; lets go if it follows already. */
  toggleFollow(): void {
    const picked = this.app.selection.get();
    const bodies = this.app.runs[0].head?.bodies ?? [];
    if (this.view.rig.attached.kind !== "none") this.view.rig.detach();
    else this.view.follow(picked?.kind === "body" ? picked.body : bodies.findIndex((b) => b.motion === "free"));
    this.sync();
  }

  private picture(): void {
    const name = fileName(this.app.runs[0].name, `${this.app.clock.time.toFixed(3)}s.png`);
    // Drawn and read in one go: the browser forgets the picture after showing it.
    this.view.invalidate();
    this.view.draw(performance.now(), false);
    this.view.canvas.toBlob((blob) => (blob ? save(name, blob) : this.app.note("The browser could not make a picture.")), "image/png");
  }
}
