/** Rods, hydraulic cylinders and ropes: loops that hold points of bodies at a distance. */
import { Color, CylinderGeometry, Group, Matrix4, MeshLambertMaterial, Quaternion, SphereGeometry, Vector3 } from "three";
import { isLine } from "../model/loops";
import type { Head, LoopDef, PointDef } from "../stream/head";
import { Instances } from "./instances";

/** Radii as parts of the scene's size, and of the length at most: where a mechanism has barrel and rod as bodies, those show. */
const THICK = { rope: 0.003, rod: 0.0055, barrel: 0.012 };
const STOUTEST = 0.04;
/** A cylinder's barrel is this part of its length when it is first seen, and never more than that of its length now. */
const BARREL = 0.55;
const FULLEST = 0.94;

const COLOURS = { rope: new Color("#a98a55"), rod: new Color("#8d99a6"), barrel: new Color("#57697c"), piston: new Color("#c9d1d8") };

const UP = new Vector3(0, 0, 1);
const [from, to, along, scale] = [new Vector3(), new Vector3(), new Vector3(), new Vector3()];
const rotation = new Quaternion();
const matrix = new Matrix4();

/** Where a point of a body, or of the world, is. */
export function placed(point: PointDef, matrices: Matrix4[], into: Vector3): Vector3 {
  into.set(...point.position);
  return point.body < 0 ? into : into.applyMatrix4(matrices[point.body]);
}

/** Whether all bodies of a loop are there. */
export function isPresent(loop: LoopDef, present: boolean[]): boolean {
  return loop.points.every((point) => point.body < 0 || present[point.body]);
}

export class Links {
  readonly group = new Group();
  private readonly shafts: Instances;
  private readonly eyes: Instances;
  /** Numbers of the shafts of each loop that is drawn. */
  private pieces = new Map<string, number[]>();
  /** Length of each loop when it was first seen [m]. */
  private readonly first = new Map<string, number>();

  constructor(private readonly head: Head) {
    const shaft = new CylinderGeometry(1, 1, 1, 20, 1).rotateX(Math.PI / 2).translate(0, 0, 0.5);
    this.shafts = new Instances(this.group, shaft, new MeshLambertMaterial(), 0, true);
    this.eyes = new Instances(this.group, new SphereGeometry(1, 16, 10), new MeshLambertMaterial(), 0, true);
  }

  update(matrices: Matrix4[], present: boolean[], holds: (loop: LoopDef) => boolean, size: number): void {
    this.shafts.begin();
    this.eyes.begin();
    this.pieces = new Map();
    for (const loop of this.head.loops) if (isLine(loop) && isPresent(loop, present) && holds(loop)) this.draw(loop, matrices, size);
    this.shafts.end();
    this.eyes.end();
  }

  private draw(loop: LoopDef, matrices: Matrix4[], size: number): void {
    const pieces: number[] = [];
    this.pieces.set(loop.name, pieces);
    for (let i = 0; i + 1 < loop.points.length; i++) {
      placed(loop.points[i], matrices, from);
      placed(loop.points[i + 1], matrices, to);
      const length = from.distanceTo(to);
      const rope = loop.kind === "rope";
      const thick = Math.min(rope ? THICK.rope : THICK.rod, (STOUTEST * length) / size) * size;
      const colour = rope ? COLOURS.rope : COLOURS.rod;
      if (loop.driven && !rope) {
        pieces.push(...this.cylinder(loop, length, size));
        continue;
      }
      pieces.push(this.shaft(from, to, thick, colour));
      for (const end of [from, to]) this.eye(end, thick * (rope ? 1 : 1.7), colour);
    }
  }

  /** A barrel at `from` with a piston rod to `to`. */
  private cylinder(loop: LoopDef, length: number, size: number): number[] {
    const whole = this.first.get(loop.name) ?? length;
    this.first.set(loop.name, whole);
    const thick = Math.min(THICK.barrel * size, STOUTEST * whole);
    const reach = Math.min(BARREL * whole, FULLEST * length);
    const mouth = along.copy(to).sub(from).multiplyScalar(reach / Math.max(length, 1e-12)).add(from).clone();
    this.eye(from, thick, COLOURS.barrel);
    this.eye(to, thick * 0.8, COLOURS.piston);
    return [this.shaft(from, mouth, thick, COLOURS.barrel), this.shaft(mouth, to, thick * 0.5, COLOURS.piston)];
  }

  private shaft(start: Vector3, end: Vector3, thick: number, colour: Color): number {
    along.copy(end).sub(start);
    const length = along.length();
    rotation.setFromUnitVectors(UP, length > 0 ? along.divideScalar(length) : UP);
    this.shafts.add(matrix.compose(start, rotation, scale.set(thick, thick, length)), colour);
    return this.shafts.count - 1;
  }

  private eye(at: Vector3, radius: number, colour: Color): void {
    this.eyes.add(matrix.makeScale(radius, radius, radius).setPosition(at), colour);
  }

  /** Where a loop's line begins and where its pieces end, read back from what is drawn; null if it is not. */
  drawn(name: string): number[][] | null {
    const pieces = this.pieces.get(name);
    if (!pieces || !this.group.visible) return null;
    const point = (piece: number, z: number): number[] => {
      this.shafts.object.getMatrixAt(piece, matrix);
      return from.set(0, 0, z).applyMatrix4(matrix).toArray();
    };
    return [point(pieces[0], 0), ...pieces.map((piece) => point(piece, 1))];
  }
}
