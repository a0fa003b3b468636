/** Debug layers: bounding volumes, closest distances, frames, centres of mass, joint axes. */
import { Color, Group, Matrix4, MeshBasicMaterial, OctahedronGeometry, Vector3 } from "three";
import type { Instant } from "../model/frames";
import { GAP } from "../stream/frames";
import type { Head } from "../stream/head";
import { SLIP } from "./colours";
import { Instances } from "./instances";
import type { Label } from "./labels";
import { Lines } from "./lines";

export const DEBUG_LAYERS = {
  bounds: "Bounding volumes",
  gaps: "Closest distances",
  frames: "Body frames",
  centers: "Centres of mass",
  joints: "Joint axes",
} as const;
export type DebugLayer = keyof typeof DEBUG_LAYERS;

const BOX = new Color("#8d7fd6");
const JOINT = new Color("#cc79a7");
/** x y z as vermilion, bluish green, blue: told apart by everyone, and named in the gizmo. */
export const AXES = [new Color("#e4572e"), new Color("#0aa37f"), new Color("#3f7fe0")];

const [p, q, step] = [new Vector3(), new Vector3(), new Vector3()];
const corners = Array.from({ length: 8 }, () => new Vector3());
const matrix = new Matrix4();

export class Debug {
  readonly group = new Group();
  private readonly lines = new Lines(false);
  private readonly over = new Lines(true);
  private readonly centers: Instances;
  /** Text to show in the scene. */
  labels: Label[] = [];

  constructor(private readonly head: Head) {
    const marker = new MeshBasicMaterial({ depthTest: false, transparent: true, wireframe: false });
    this.centers = new Instances(this.group, new OctahedronGeometry(1), marker, 6);
    this.group.add(this.lines.object, this.over.object);
  }

  update(instant: Instant, matrices: Matrix4[], present: boolean[], on: Record<DebugLayer, boolean>, size: number, ink: Color): void {
    this.lines.begin();
    this.over.begin();
    this.centers.begin();
    this.labels = [];
    this.head.bodies.forEach((body, i) => {
      if (!present[i]) return;
      if (on.bounds && body.bounds) this.box(matrices[i], body.bounds.min, body.bounds.max);
      if (on.frames) this.frame(matrices[i], size * 0.06);
      if (on.centers && body.motion === "free") {
        p.set(...body.center).applyMatrix4(matrices[i]);
        this.centers.add(matrix.makeScale(size * 0.009, size * 0.009, size * 0.009).setPosition(p), ink);
      }
    });
    if (on.joints) this.joints(matrices, present, size);
    if (on.gaps) this.gaps(instant);
    this.lines.end();
    this.over.end();
    this.centers.end();
  }

  private box(world: Matrix4, min: number[], max: number[]): void {
    corners.forEach((corner, i) => corner.set(i & 1 ? max[0] : min[0], i & 2 ? max[1] : min[1], i & 4 ? max[2] : min[2]).applyMatrix4(world));
    // Corners that differ in one bit share an edge.
    for (let i = 0; i < 8; i++) for (const bit of [1, 2, 4]) if (!(i & bit)) this.lines.add(corners[i], corners[i | bit], BOX);
  }

  private frame(world: Matrix4, length: number): void {
    p.setFromMatrixPosition(world);
    AXES.forEach((colour, k) => this.over.add(p, q.setFromMatrixColumn(world, k).multiplyScalar(length).add(p), colour));
  }

  private joints(matrices: Matrix4[], present: boolean[], size: number): void {
    for (const joint of this.head.joints) {
      if (!present[joint.body]) continue;
      const world = matrices[joint.body];
      step.set(...joint.axis).normalize().multiplyScalar(size * 0.12);
      const center = new Vector3(...joint.position);
      this.over.add(p.copy(center).sub(step).applyMatrix4(world), q.copy(center).add(step).applyMatrix4(world), JOINT);
      this.labels.push({ at: q.clone(), text: joint.name });
    }
  }

  private gaps({ before, after, u }: Instant): void {
    const count = this.head.gaps.length;
    for (let g = 0; g < count; g++) {
      const [i, j] = [(before.index * count + g) * GAP, (after.index * count + g) * GAP];
      const at = (k: number) => before.block.gaps[i + k] + u * (after.block.gaps[j + k] - before.block.gaps[i + k]);
      p.set(at(0), at(1), at(2));
      q.set(at(3), at(4), at(5));
      this.over.add(p, q, SLIP);
      this.labels.push({ at: p.clone().add(q).multiplyScalar(0.5), text: lengthText(p.distanceTo(q)) });
    }
  }
}

/** A length with a unit that keeps it readable. */
export function lengthText(metres: number): string {
  const size = Math.abs(metres);
  if (size === 0) return "0 m";
  if (size < 1e-3) return `${Number((metres * 1e6).toPrecision(3))} µm`;
  if (size < 1) return `${Number((metres * 1e3).toPrecision(4))} mm`;
  return `${Number(metres.toPrecision(4))} m`;
}
