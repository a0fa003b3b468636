/** Debug layers: bounding volumes, closest distances, frames, centres of mass, joints and loops. */
import { Color, CylinderGeometry, Group, Matrix4, MeshBasicMaterial, OctahedronGeometry, Quaternion, SphereGeometry, Vector3 } from "three";
import type { Instant } from "../model/frames";
import { GAP } from "../stream/frames";
import { isLine } from "../model/loops";
import type { Head, JointDef, LoopDef, Vec3 } from "../stream/head";
import { SLIP } from "./colours";
import { Instances } from "./instances";
import type { Label } from "./labels";
import { Lines } from "./lines";
import { isPresent, placed } from "./links";

export const DEBUG_LAYERS = {
  bounds: "Bounding volumes",
  gaps: "Closest distances",
  frames: "Body frames",
  centers: "Centres of mass",
  joints: "Joints and loops",
} as const;
export type DebugLayer = keyof typeof DEBUG_LAYERS;

const BOX = new Color("#8d7fd6");
const JOINT = new Color("#cc79a7");
const LOOP = new Color("#0f93ad");
const WORLD = new Matrix4();
const Z = new Vector3(0, 0, 1);
const rotation = new Quaternion();
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
  private readonly balls: Instances;
  private readonly axes: Instances;
  /** Text to show in the scene. */
  labels: Label[] = [];

  constructor(private readonly head: Head) {
    const marker = () => new MeshBasicMaterial({ depthTest: false, transparent: true });
    this.centers = new Instances(this.group, new OctahedronGeometry(1), marker(), 6);
    this.balls = new Instances(this.group, new SphereGeometry(1, 16, 10), marker(), 6);
    this.axes = new Instances(this.group, new CylinderGeometry(1, 1, 2, 8, 1).rotateX(Math.PI / 2), marker(), 6);
    this.group.add(this.lines.object, this.over.object);
  }

  update(instant: Instant, matrices: Matrix4[], present: boolean[], holds: (loop: LoopDef) => boolean, on: Record<DebugLayer, boolean>, size: number, ink: Color): void {
    this.lines.begin();
    this.over.begin();
    this.centers.begin();
    this.balls.begin();
    this.axes.begin();
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
    if (on.joints) {
      for (const joint of this.head.joints) if (present[joint.body]) this.joint(joint, matrices, size);
      for (const loop of this.head.loops) if (isPresent(loop, present) && holds(loop)) this.loop(loop, matrices, size);
    }
    if (on.gaps) this.gaps(instant);
    this.lines.end();
    this.over.end();
    this.centers.end();
    this.balls.end();
    this.axes.end();
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

  /** A joint: a ball if it turns every way, a cross if about two axes, else its axis. */
  private joint(joint: JointDef, matrices: Matrix4[], size: number): void {
    const center = placed(joint, matrices, new Vector3());
    if (joint.kind === "spherical") this.ball(center, size, JOINT);
    // The arms of a cross are shorter than an axis.
    else if (joint.axes.length > 0) for (const { body, direction } of joint.axes) this.axis(center, body, matrices, direction, size, 0.06, JOINT);
    else this.axis(center, joint.body, matrices, joint.axis, size, 0.12, JOINT);
    this.name(center, joint.name, size);
  }

  /** A loop: its points, and its axis if it has one. */
  private loop(loop: LoopDef, matrices: Matrix4[], size: number): void {
    if (loop.points.length === 0) return;
    const [first, second] = loop.points;
    // What is held together has one point; a line has two or more.
    for (const point of isLine(loop) ? loop.points : [first]) this.ball(placed(point, matrices, p), size, LOOP);
    const center = placed(first, matrices, new Vector3());
    if (loop.axis) this.axis(center, first.body, matrices, loop.axis, size, 0.12, LOOP);
    if (isLine(loop)) center.add(placed(second, matrices, q)).multiplyScalar(0.5);
    this.name(center, loop.name, size);
  }

  /** Beside a marker, which it must not cover. */
  private name(center: Vector3, text: string, size: number): void {
    this.labels.push({ at: center.clone().setZ(center.z + size * 0.06), text });
  }

  private ball(center: Vector3, size: number, colour: Color): void {
    const radius = size * 0.014;
    this.balls.add(matrix.makeScale(radius, radius, radius).setPosition(center), colour);
  }

  /** A stick through a point along a direction of a body or of the world, either way by a part of the scene's size. */
  private axis(center: Vector3, body: number, matrices: Matrix4[], direction: Vec3, size: number, half: number, colour: Color): void {
    step.set(...direction).transformDirection(body < 0 ? WORLD : matrices[body]);
    const thick = size * 0.004;
    this.axes.add(matrix.compose(center, rotation.setFromUnitVectors(Z, step), p.set(thick, thick, half * size)), colour);
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
