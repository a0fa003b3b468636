/** The 3D view: puts the layers of the scene together and draws them when something changed. */
import { Box3, Color, PCFShadowMap, type Object3D, Quaternion, Raycaster, Scene, Vector2, Vector3, WebGLRenderer } from "three";
import { type Instant, timeOf } from "../model/frames";
import { holdsAt, isLine, LoopEvents } from "../model/loops";
import { poseAt } from "../model/pose";
import type { Run } from "../model/run";
import { CONTACT } from "../stream/frames";
import type { LoopDef, ViewDef } from "../stream/head";
import { type ArrowScale, arrowScale, typicalLength } from "./arrowscale";
import { Bodies } from "./bodies";
import { CameraRig } from "./camera";
import { PALETTES, runColour, type ScenePalette } from "./colours";
import { Contacts } from "./contacts";
import { Curves } from "./curves";
import { Debug } from "./debug";
import { Fields } from "./fields";
import { Ground } from "./ground";
import { Labels } from "./labels";
import type { SceneOptions } from "./layers";
import { eye } from "./light";
import { Links } from "./links";
import { patchScale, type RunPatches } from "./patchscale";
import { FrameMeter, firstLevel, graphics, isSoftware, QUALITIES } from "./quality";
import { Sky } from "./sky";

/** Longest time per frame while playing before detail is lowered [ms]. */
const SLOW = 30;
/** A picture stands still after this long [ms]. */
const SETTLE = 250;
/** Pixels of a still picture, at most. */
const SETTLED_PIXELS = 3e6;

/** What a pointer is over. A contact is the `nth` between two bodies: that is what can be found again in other frames. */
export type Picked = { kind: "body"; body: number } | { kind: "contact"; a: number; b: number; nth: number };

interface Parts {
  run: Run;
  bodies: Bodies;
  links: Links;
  contacts: Contacts;
  curves: Curves;
  fields: Fields;
  ground: Ground;
  debug: Debug;
  ghosts: { run: Run; bodies: Bodies }[];
}

export class View3D {
  readonly rig: CameraRig;
  readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly sky = new Sky();
  private readonly labels: Labels;
  private parts: Parts | null = null;
  private palette: ScenePalette = PALETTES.light;
  private readonly ink = new Color();
  private level = 0;
  private dirty = true;
  private settled = false;
  private lastChange = 0;
  private instant: Instant | null = null;
  private size = 1;
  private arrowScale: ArrowScale = { force: 0, body: 0 };
  /** What the colours of patches stand for. */
  patches: RunPatches = { scale: { pressure: 0, depth: 0 }, greatest: { pressure: 0, depth: 0 } };
  private readonly meter = new FrameMeter();
  private readonly loopEvents = new LoopEvents();
  /** Told when detail is lowered. */
  onQuality: (name: string) => void = () => {};
  /** Told after each drawing. */
  onDraw: () => void = () => {};

  /** Fails if the browser has no WebGL. */
  constructor(private readonly container: HTMLElement, private readonly options: SceneOptions) {
    const { canvas, gl, software } = makeContext();
    canvas.tabIndex = 0;
    canvas.setAttribute("aria-label", "3D scene. Ctrl with arrow keys turns the view, plus and minus zoom.");
    graphics.software = software;
    this.renderer = new WebGLRenderer({ canvas, context: gl });
    this.renderer.shadowMap.type = PCFShadowMap;
    this.rig = new CameraRig(canvas, () => this.invalidate());
    container.prepend(canvas);
    this.labels = new Labels(container);
    this.scene.add(this.sky.group);
    new ResizeObserver(() => this.resize()).observe(container);
    options.watch(() => {
      this.place();
      this.invalidate();
    });
    this.resize();
  }

  get canvas(): HTMLCanvasElement {
    return this.renderer.domElement;
  }

  /** Builds the scene of the first run, with the others as ghosts. */
  load(runs: Run[]): void {
    const [run, ...others] = runs;
    const head = run.head;
    if (!head) return;
    this.unload();
    this.options.suit(head.bodies.filter((body) => body.motion === "free").length, head.gaps.length);
    const triangles = head.bodies.length * 300;
    this.level = firstLevel(graphics.software, triangles);
    const quality = QUALITIES[this.level];
    const parts: Parts = {
      run,
      bodies: new Bodies(run, quality, null),
      links: new Links(head),
      contacts: new Contacts(head),
      curves: new Curves(head),
      fields: new Fields(head),
      ground: new Ground(head),
      debug: new Debug(head),
      ghosts: others.filter((other) => other.head).map((other) => ({ run: other, bodies: new Bodies(other, quality, runColour(other.place)) })),
    };
    this.parts = parts;
    const { bodies, links, contacts, curves, fields, ground, debug, ghosts } = parts;
    this.scene.add(ground.group, fields.group, bodies.group, links.group, ...ghosts.map((g) => g.bodies.group), curves.group, contacts.group, debug.group);
    this.applyQuality();
    this.setPalette(this.palette);
    this.measure(run);
  }

  private unload(): void {
    if (!this.parts) return;
    const { bodies, links, contacts, curves, fields, ground, debug, ghosts } = this.parts;
    for (const part of [links, contacts, curves, fields, ground, debug]) part.group.removeFromParent();
    bodies.dispose();
    for (const ghost of ghosts) ghost.bodies.dispose();
    this.parts = null;
    this.instant = null;
  }

  loadMeshes(): void {
    this.parts?.bodies.loadMeshes();
    this.parts?.ghosts.forEach((g) => g.bodies.loadMeshes());
    this.place();
    this.invalidate();
  }

  /** Takes the size of the scene from the frames read so far. */
  measure(run: Run): void {
    const frames = run.frames;
    if (!frames || !run.head) return;
    const { min, max } = frames.bounds;
    const box = new Box3(new Vector3(...min), new Vector3(...max));
    for (const { run: other } of this.parts?.ghosts ?? []) {
      if (other.frames) box.union(new Box3(new Vector3(...other.frames.bounds.min), new Vector3(...other.frames.bounds.max)));
    }
    if (box.isEmpty()) {
      // Nothing moves: show what stands.
      for (const body of run.head.bodies) if (body.bounds) box.union(new Box3(new Vector3(...body.bounds.min), new Vector3(...body.bounds.max)));
      if (box.isEmpty()) box.set(new Vector3(-1, -1, -1), new Vector3(1, 1, 1));
    }
    // What hangs on the world is to be seen up to there.
    for (const point of run.head.loops.filter(isLine).flatMap((loop) => loop.points)) if (point.body < 0) box.expandByPoint(new Vector3(...point.position));
    const center = box.getCenter(new Vector3());
    const radius = Math.max(box.getSize(new Vector3()).length() / 2, 1e-4);
    this.size = radius;
    this.arrowScale = arrowScale(frames, run.head.bodies);
    this.patches = patchScale(frames);
    this.rig.setBox(box);
    this.sky.frame(center, radius * 1.4);
    this.parts?.ground.resize(radius * 2, box.min.z);
    if (!this.rig.touched && this.rig.attached.kind === "none") this.rig.frame("iso");
    this.place();
    this.invalidate();
  }

  setTheme(theme: "light" | "dark"): void {
    this.setPalette(PALETTES[theme]);
  }

  private setPalette(palette: ScenePalette): void {
    this.palette = palette;
    this.ink.set(palette.ink);
    this.sky.paint(palette);
    this.scene.background = new Color(palette.horizon);
    this.parts?.ground.paint(palette);
    this.place();
    this.invalidate();
  }

  /** Shows the runs at an instant each; those without one keep what they show. */
  show(instant: Instant | null, ghosts: (Instant | null)[]): void {
    this.instant = instant;
    this.parts?.ghosts.forEach(({ run, bodies }, i) => {
      const at = ghosts[i];
      bodies.group.visible = at !== null && this.options.on("ghosts") && !this.options.hiddenRuns.has(run.place);
      if (at) bodies.update(at, false, this.options.on("meshes"));
    });
    this.place();
    this.invalidate();
  }

  /** A force that is typical of this run's large ones [N]; 0 if there is none. */
  get typicalForce(): number {
    return this.arrowScale.force;
  }

  /** Length of an arrow per force [m/N]. */
  get metresPerNewton(): number {
    const { force } = this.arrowScale;
    return force > 0 ? (typicalLength(this.arrowScale, this.size) * this.options.arrowFactor.get()) / force : 0;
  }

  private place(): void {
    const { parts, instant, options } = this;
    if (!parts || !instant) return;
    const { bodies, links, contacts, curves, fields, ground, debug, ghosts } = parts;
    const over = options.on("shapes") && options.on("meshes");
    bodies.update(instant, options.on("shapes"), options.on("meshes"));
    if (this.translucent !== over) bodies.setShapesTranslucent((this.translucent = over));
    ground.group.visible = options.on("ground");
    ground.update(bodies.matrices, bodies.present);
    for (const ghost of ghosts) ghost.bodies.group.visible = options.on("ghosts") && !options.hiddenRuns.has(ghost.run.place);
    contacts.group.visible = options.on("normal") || options.on("friction") || options.on("patches");
    contacts.update(instant, {
      normal: options.on("normal"), friction: options.on("friction"), patches: options.on("patches"),
      metresPerNewton: this.metresPerNewton, size: this.size, ink: this.ink, patchScale: this.patches.scale,
    });
    const events = this.loopEvents.of(parts.run.events);
    const holds = (loop: LoopDef): boolean => holdsAt(loop, events, timeOf(instant));
    links.group.visible = options.on("links");
    links.update(bodies.matrices, bodies.present, holds, this.size);
    curves.group.visible = options.on("links");
    curves.update(instant, this.greatestTension);
    fields.group.visible = options.on("surroundings");
    fields.update(instant);
    const on = { bounds: options.on("bounds"), gaps: options.on("gaps"), frames: options.on("frames"), centers: options.on("centers"), joints: options.on("joints") };
    debug.update(instant, bodies.matrices, bodies.present, holds, on, this.size, this.ink);
    this.renderer.shadowMap.enabled = options.on("shadows") && QUALITIES[this.level].shadow > 0;
    this.rig.update(bodies.matrices, bodies.present);
  }

  private translucent = false;
  /** Tension at the end of the colour ramp [N]. */
  greatestTension = 0;

  invalidate(): void {
    this.dirty = true;
  }

  /** Draws if something changed. `playing`: frames follow one another, so their time tells how fast the graphics are. */
  draw(now: number, playing: boolean): void {
    if (!this.dirty) {
      if (!playing) this.settle(now);
      return;
    }
    if (this.settled) {
      this.settled = false;
      this.setResolution(QUALITIES[this.level].pixelRatio);
    }
    this.dirty = false;
    this.lastChange = now;
    this.render();
    const slow = this.meter.tick(now, SLOW);
    if (playing && slow && this.level + 1 < QUALITIES.length) {
      this.level += 1;
      this.applyQuality();
      this.meter.reset();
      this.onQuality(QUALITIES[this.level].name);
    }
  }

  /** Where drawing is slow, a picture that stands still is drawn once more in finer resolution. */
  private settle(now: number): void {
    if (this.settled || !graphics.software || now - this.lastChange < SETTLE) return;
    this.settled = true;
    const { clientWidth: width, clientHeight: height } = this.container;
    const ratio = Math.min(2, Math.sqrt(SETTLED_PIXELS / Math.max(1, width * height)));
    if (ratio < 1.2) return;
    this.setResolution(ratio);
    this.render();
  }

  private setResolution(ratio: number): void {
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(this.container.clientWidth, this.container.clientHeight, false);
  }

  private render(): void {
    this.rig.clip();
    eye.copy(this.rig.camera.position);
    this.parts?.curves.seenFrom(eye.distanceTo(this.rig.controls.target));
    this.sky.follow(this.rig.camera.position, this.rig.camera.far);
    this.renderer.render(this.scene, this.rig.camera);
    this.labels.update(this.parts?.debug.labels ?? [], this.rig.camera, this.container.clientWidth, this.container.clientHeight);
    this.onDraw();
  }

  private applyQuality(): void {
    const quality = QUALITIES[this.level];
    this.sky.shadows(quality.shadow);
    this.renderer.shadowMap.enabled = quality.shadow > 0;
    this.parts?.ground.setLit(quality.shadow > 0);
    this.parts?.bodies.setQuality(quality);
    this.parts?.ghosts.forEach((g) => g.bodies.setQuality(quality));
    this.resize();
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.container;
    if (width === 0 || height === 0) return;
    this.settled = false;
    this.setResolution(Math.min(window.devicePixelRatio, QUALITIES[this.level].pixelRatio));
    this.rig.resize(width / height);
    if (!this.rig.touched && this.rig.attached.kind === "none") this.rig.frame();
    this.invalidate();
  }

  showView(view: ViewDef, run: Run): void {
    if (!this.parts || !run.frames || !run.head) return;
    let first: Vector3 | null = null;
    if (view.follow !== null) {
      const instant = run.frames.at(run.frames.start);
      first = new Vector3();
      if (instant) poseAt(instant, run.head.bodies.length, view.follow, first, new Quaternion());
    }
    this.rig.touched = true;
    this.rig.show(view, this.parts.bodies.matrices, first);
    this.place();
  }

  follow(body: number): void {
    this.rig.touched = true;
    this.rig.follow(body, this.parts?.bodies.matrices[body]);
  }

  lookFrom(body: number): void {
    this.rig.touched = true;
    this.rig.lookFrom(body);
    this.place();
  }

  select(body: number): void {
    this.parts?.bodies.select(body);
    this.invalidate();
  }

  /** What is under a point of the container [CSS pixels]. */
  pick(x: number, y: number): Picked | null {
    const { parts } = this;
    if (!parts || !this.instant) return null;
    const at = new Vector2((x / this.container.clientWidth) * 2 - 1, 1 - (y / this.container.clientHeight) * 2);
    const ray = new Raycaster();
    ray.setFromCamera(at, this.rig.camera);
    // Markers are drawn over bodies, so they are picked before them.
    const marker = ray.intersectObjects(parts.contacts.pickable, false)[0];
    if (marker) return pickedContact(this.instant, parts.contacts.contactOf(marker.object, marker.instanceId));
    const hit = ray.intersectObjects<Object3D>([...parts.bodies.pickable, ...(parts.ground.group.visible ? parts.ground.pickable : [])], true)[0];
    if (!hit) return null;
    const body = parts.bodies.bodyOf(hit.object, hit.instanceId);
    return body >= 0 ? { kind: "body", body } : null;
  }

  /** Pose of a body as it is in the scene. */
  pose(body: number): { position: number[]; orientation: number[] } | null {
    if (!this.parts?.bodies.present[body]) return null;
    // Bodies without anything to draw (and the ground) have only the pose that others hang on.
    const matrix = this.parts.bodies.drawn(body) ?? this.parts.bodies.matrices[body];
    const [position, orientation] = [new Vector3(), new Quaternion()];
    matrix.decompose(position, orientation, new Vector3());
    return { position: position.toArray(), orientation: orientation.toArray() };
  }

  /** Points of a rod, a cylinder or a rope as it is in the scene. */
  loop(name: string): number[][] | null {
    return this.parts?.links.drawn(name) ?? null;
  }

  get arrows(): number {
    return this.parts?.contacts.arrows ?? 0;
  }

  get patchesDrawn(): number {
    return this.parts?.contacts.patches ?? 0;
  }

  get fps(): number {
    return this.meter.fps();
  }

  get quality(): string {
    return QUALITIES[this.level].name;
  }

  get cell(): number {
    return this.parts?.ground.cell ?? 1;
  }
}

/** Names a contact, given by its number in its block, so that it can be found again. */
function pickedContact({ before: { block, index } }: Instant, contact: number): Picked {
  const [a, b] = [block.contacts[contact * CONTACT], block.contacts[contact * CONTACT + 1]];
  let nth = 0;
  for (let c = block.contactStarts[index]; c < contact; c++) if (block.contacts[c * CONTACT] === a && block.contacts[c * CONTACT + 1] === b) nth++;
  return { kind: "contact", a, b, nth };
}

/** A canvas with WebGL. Smoothing must be chosen before it is known who draws: where the processor does, smoothing costs too much. */
function makeContext(): { canvas: HTMLCanvasElement; gl: WebGL2RenderingContext; software: boolean } {
  const make = (antialias: boolean) => {
    const canvas = document.createElement("canvas");
    const gl = canvas.getContext("webgl2", { antialias, alpha: false, powerPreference: "high-performance" });
    if (!gl) throw new Error("it has no WebGL 2");
    return { canvas, gl, software: isSoftware(gl) };
  };
  const plain = make(false);
  if (plain.software) return plain;
  plain.gl.getExtension("WEBGL_lose_context")?.loseContext();
  return make(true);
}
