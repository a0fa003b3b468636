/** What of the scene is shown. */
import { Value } from "../model/emitter";
import type { DebugLayer } from "./debug";

export const LAYERS = {
  meshes: "Visual meshes",
  shapes: "Shapes over meshes",
  links: "Rods, cylinders, ropes, cables",
  ground: "Ground and grid",
  surroundings: "Water and seabed",
  shadows: "Shadows",
  normal: "Normal forces",
  friction: "Friction forces",
  patches: "Contact patches",
  ghosts: "Other runs (ghosts)",
} as const;
export type Layer = keyof typeof LAYERS | DebugLayer;

const DEFAULTS: Record<Layer, boolean> = {
  meshes: true, shapes: false, links: true, ground: true, surroundings: true, shadows: true, normal: true, friction: true, patches: true, ghosts: true,
  bounds: false, gaps: false, frames: false, centers: false, joints: false,
};

/** More bodies than this, and the arrows of all their contacts hide them: they are then off until someone asks. */
const CROWD = 200;
const OF_CONTACTS: Layer[] = ["normal", "friction", "patches"];

/** Switches of the scene, and the scale of arrows. */
export class SceneOptions {
  readonly layers: Record<Layer, Value<boolean>>;
  /** Times the automatic scale of arrows. */
  readonly arrowFactor = new Value(1);
  /** Places of runs whose ghosts are off. */
  readonly hiddenRuns = new Set<number>();

  constructor() {
    const entries = Object.entries(DEFAULTS).map(([layer, on]) => [layer, new Value(on)]);
    this.layers = Object.fromEntries(entries) as Record<Layer, Value<boolean>>;
  }

  /** What is shown of a scene with so many bodies that can touch, and so many distances asked for, when it is opened. */
  suit(bodies: number, gaps: number): void {
    if (bodies > CROWD) for (const layer of OF_CONTACTS) this.layers[layer].set(false);
    // Whoever asks for distances in the scenario wants to see them.
    if (gaps > 0) this.layers.gaps.set(true);
  }

  on(layer: Layer): boolean {
    return this.layers[layer].get();
  }

  watch(changed: () => void): void {
    for (const value of Object.values(this.layers)) value.watch(changed);
    this.arrowFactor.watch(changed);
  }
}
