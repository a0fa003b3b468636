/** What the parts of the page share. */
import { Value } from "../model/emitter";
import type { Run } from "../model/run";
import type { SceneOptions } from "../scene/layers";
import type { Picked, View3D } from "../scene/view3d";
import type { Clock } from "./clock";

export interface App {
  mode: "file" | "live";
  /** The first is the run; the others are shown beside it. */
  runs: Run[];
  clock: Clock;
  options: SceneOptions;
  /** null: the browser has no WebGL. */
  view: View3D | null;
  /** What was clicked: a body, or a contact of the frame shown. */
  selection: Value<Picked | null>;
  /** Shows a short note. */
  note(text: string): void;
}
