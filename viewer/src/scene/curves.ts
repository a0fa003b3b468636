/** Cables: tubes along curves, coloured by tension. */
import { BufferAttribute, BufferGeometry, Color, DynamicDrawUsage, Group, Mesh, MeshLambertMaterial, Vector3 } from "three";
import type { Instant } from "../model/frames";
import { NODE } from "../stream/frames";
import type { CurveDef, Head } from "../stream/head";
import { ramp } from "./colours";

const AROUND = 8;

/** One tube whose rings follow the nodes. */
class Tube {
  readonly mesh: Mesh<BufferGeometry, MeshLambertMaterial>;
  private nodes = 0;

  constructor(private readonly radius: number) {
    this.mesh = new Mesh(new BufferGeometry(), new MeshLambertMaterial({ vertexColors: true }));
    this.mesh.castShadow = this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = false;
  }

  private allocate(nodes: number): void {
    this.nodes = nodes;
    this.mesh.geometry.dispose();
    const geometry = new BufferGeometry();
    for (const name of ["position", "normal", "color"]) {
      geometry.setAttribute(name, new BufferAttribute(new Float32Array(nodes * AROUND * 3), 3).setUsage(DynamicDrawUsage));
    }
    const index: number[] = [];
    for (let n = 0; n + 1 < nodes; n++) {
      for (let k = 0; k < AROUND; k++) {
        const [a, b] = [n * AROUND + k, n * AROUND + ((k + 1) % AROUND)];
        index.push(a, b, a + AROUND, b, b + AROUND, a + AROUND);
      }
    }
    geometry.setIndex(index);
    this.mesh.geometry = geometry;
  }

  /** Lays the tube along `count` nodes of `data` from `start`; `least` is its smallest radius that can still be seen. */
  update(data: Float32Array, start: number, count: number, greatest: number, least: number): void {
    this.mesh.visible = count > 1;
    if (count < 2) return;
    if (count !== this.nodes) this.allocate(count);
    const { position, normal, color } = this.mesh.geometry.attributes as Record<string, BufferAttribute>;
    const r = Math.max(this.radius, least);
    const node = (n: number, into: Vector3) => into.fromArray(data, (start + Math.min(Math.max(n, 0), count - 1)) * NODE);
    side.set(0, 0, 0);
    for (let n = 0; n < count; n++) {
      node(n, here);
      tangent.copy(node(n + 1, next)).sub(node(n - 1, before)).normalize();
      // Carry the side direction along the curve, so that the tube does not twist.
      side.addScaledVector(tangent, -side.dot(tangent));
      if (side.lengthSq() < 1e-6) side.set(Math.abs(tangent.z) < 0.9 ? 0 : 1, 0, Math.abs(tangent.z) < 0.9 ? 1 : 0).addScaledVector(tangent, -(Math.abs(tangent.z) < 0.9 ? tangent.z : tangent.x));
      side.normalize();
      other.crossVectors(tangent, side);
      ramp(greatest > 0 ? data[(start + n) * NODE + 3] / greatest : 0, colour);
      for (let k = 0; k < AROUND; k++) {
        const angle = (2 * Math.PI * k) / AROUND;
        out.copy(side).multiplyScalar(Math.cos(angle)).addScaledVector(other, Math.sin(angle));
        const v = n * AROUND + k;
        normal.setXYZ(v, out.x, out.y, out.z);
        position.setXYZ(v, here.x + r * out.x, here.y + r * out.y, here.z + r * out.z);
        color.setXYZ(v, colour.r, colour.g, colour.b);
      }
    }
    position.needsUpdate = normal.needsUpdate = color.needsUpdate = true;
  }
}

const [here, next, before, tangent, side, other, out] = Array.from({ length: 7 }, () => new Vector3());
const colour = new Color();
const lerped: { data: Float32Array } = { data: new Float32Array(0) };

/** Least radius of a tube, as a part of the distance from which it is seen: a line of about two pixels. */
const LEAST = 0.0011;

export class Curves {
  readonly group = new Group();
  private readonly tubes: Tube[];
  private last: { instant: Instant; greatestTension: number } | null = null;
  private least = 0;

  constructor(private readonly head: Head) {
    this.tubes = head.curves.map((curve: CurveDef) => new Tube(curve.radius));
    for (const tube of this.tubes) this.group.add(tube.mesh);
  }

  /** Keeps thin cables visible: call it with the distance to what is looked at [m]. */
  seenFrom(distance: number): void {
    const least = LEAST * distance;
    // Laying tubes anew costs more than a little too much or too little of thickness.
    if (this.tubes.length === 0 || (least < 1.2 * this.least && least > this.least / 1.2)) return;
    this.least = least;
    if (this.last) this.update(this.last.instant, this.last.greatestTension);
  }

  update(instant: Instant, greatestTension: number): void {
    this.last = { instant, greatestTension };
    const curves = this.head.curves.length;
    const { before: a, after: b, u } = instant;
    for (let c = 0; c < curves; c++) {
      const [start, end] = [a.block.curveStarts[a.index * curves + c], a.block.curveStarts[a.index * curves + c + 1]];
      const count = end - start;
      const startB = b.block.curveStarts[b.index * curves + c];
      const same = u > 0 && b.block.curveStarts[b.index * curves + c + 1] - startB === count;
      if (!same) {
        this.tubes[c].update(a.block.nodes, start, count, greatestTension, this.least);
        continue;
      }
      if (lerped.data.length < count * NODE) lerped.data = new Float32Array(count * NODE);
      for (let i = 0; i < count * NODE; i++) {
        const from = a.block.nodes[start * NODE + i];
        lerped.data[i] = from + u * (b.block.nodes[startB * NODE + i] - from);
      }
      this.tubes[c].update(lerped.data, 0, count, greatestTension, this.least);
    }
  }
}
