/** The bodies of a run: equal primitive shapes as instances, visual meshes as objects. */
import {
  type BufferGeometry, Color, DynamicDrawUsage, Group, InstancedMesh, LessDepth, LessEqualDepth, type Material, Matrix4, MeshLambertMaterial, MeshStandardMaterial,
  type Object3D, Quaternion, ShaderMaterial, Vector3,
} from "three";
import type { Instant } from "../model/frames";
import { poseAt } from "../model/pose";
import type { Run } from "../model/run";
import type { ShapeDef } from "../stream/head";
import { bodyColour, SELECTED } from "./colours";
import { meshObjects } from "./meshes";
import { Merged } from "./merged";
import type { Quality } from "./quality";
import { shapeGeometry, shapeKey, shapeScale } from "./shapes";

/** One shape of one body among its instances. */
interface Place {
  body: number;
  /** From the unit geometry to the body's frame. */
  local: Matrix4;
}

interface Batch {
  shape: ShapeDef;
  mesh: InstancedMesh;
  /** Drawn instead of the instances; they stay for picking. */
  merged: Merged | null;
  places: Place[];
}

const NOWHERE = new Matrix4().makeScale(0, 0, 0);
const matrix = new Matrix4();
const scale = new Vector3(1, 1, 1);

export class Bodies {
  readonly group = new Group();
  private batches: Batch[] = [];
  private visuals: { body: number; object: Object3D }[] = [];
  private readonly hasMesh: boolean[];
  /** World matrix of each body as last drawn; read back by tests and by whatever is attached to bodies. */
  readonly matrices: Matrix4[];
  readonly present: boolean[];
  private selected = -1;

  /** `ghost`: a colour for a run that is shown beside another, translucent. */
  constructor(private readonly run: Run, private quality: Quality, private readonly ghost: string | null) {
    const bodies = run.head?.bodies ?? [];
    this.matrices = bodies.map(() => new Matrix4());
    this.present = bodies.map(() => false);
    this.hasMesh = bodies.map((body) => body.meshes.length > 0);
    const groups = new Map<string, { shape: ShapeDef; places: Place[] }>();
    bodies.forEach((body, index) => {
      for (const shape of body.shapes) {
        // Half-spaces and edges are the ground, drawn elsewhere.
        if (shape.shape === "half_space" || shape.shape === "edge") continue;
        const key = shapeKey(shape);
        let group = groups.get(key);
        if (!group) groups.set(key, (group = { shape, places: [] }));
        const local = new Matrix4().compose(new Vector3(...shape.position), new Quaternion(...shape.orientation), shapeScale(shape, new Vector3()));
        group.places.push({ body: index, local });
      }
    });
    for (const { shape, places } of groups.values()) {
      const mesh = new InstancedMesh(shapeGeometry(shape, quality.segments), this.material(), places.length);
      mesh.instanceMatrix.setUsage(DynamicDrawUsage);
      mesh.frustumCulled = false;
      this.group.add(mesh);
      this.batches.push({ shape, mesh, merged: null, places });
    }
    this.paint();
    this.setQuality(quality);
    this.loadMeshes();
  }

  private material(): Material {
    const material = this.quality.material === "fine" ? new MeshStandardMaterial({ roughness: 0.6, metalness: 0.05 }) : new MeshLambertMaterial();
    if (this.ghost !== null) setOpacity(material, 0.35);
    return material;
  }

  /** Meshes may arrive after the head. */
  loadMeshes(): void {
    for (const { object } of this.visuals) object.removeFromParent();
    this.visuals = [];
    this.run.head?.bodies.forEach((body, index) => {
      const object = meshObjects(body, this.run.meshes, this.ghost, this.quality.material === "fine");
      if (!object) return;
      object.matrixAutoUpdate = false;
      object.userData.body = index;
      this.group.add(object);
      this.visuals.push({ body: index, object });
    });
  }

  setQuality(quality: Quality): void {
    const fineChanged = quality.material !== this.quality.material;
    this.quality = quality;
    for (const batch of this.batches) {
      const { shape, mesh } = batch;
      (mesh.geometry as BufferGeometry).dispose();
      mesh.geometry = shapeGeometry(shape, quality.segments);
      this.merge(batch);
      if (fineChanged) {
        (mesh.material as Material).dispose();
        mesh.material = this.material();
      }
      mesh.castShadow = mesh.receiveShadow = this.ghost === null;
    }
    if (fineChanged) this.loadMeshes();
  }

  private merge(batch: Batch): void {
    batch.merged?.removeFromParent();
    batch.merged?.dispose();
    batch.merged = null;
    batch.mesh.visible = this.quality.material !== "merged";
    if (batch.mesh.visible) return;
    batch.merged = new Merged(batch.mesh.geometry, batch.places.length, true);
    if (this.ghost !== null) setOpacity(batch.merged.material, 0.35);
    batch.merged.sync(batch.mesh, batch.places.length);
    this.group.add(batch.merged);
  }

  private paint(): void {
    const bodies = this.run.head?.bodies ?? [];
    const colours = bodies.map((body, index) => (this.ghost ? new Color(this.ghost) : bodyColour(body, index)));
    for (const { mesh, merged, places } of this.batches) {
      places.forEach(({ body }, i) => mesh.setColorAt(i, body === this.selected ? SELECTED : colours[body]));
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
      merged?.sync(mesh, places.length);
    }
  }

  select(body: number): void {
    if (body === this.selected) return;
    this.selected = body;
    this.paint();
  }

  /** Puts every body where it is at an instant. `shapes`: draw shapes even of bodies with meshes; `meshes`: draw meshes. */
  update(instant: Instant, shapes: boolean, meshes: boolean): void {
    const count = this.matrices.length;
    for (let body = 0; body < count; body++) {
      this.present[body] = poseAt(instant, count, body, position, orientation);
      this.matrices[body].compose(position, orientation, scale);
    }
    for (const { mesh, merged, places } of this.batches) {
      for (let i = 0; i < places.length; i++) {
        const { body, local } = places[i];
        const hidden = !this.present[body] || (this.hasMesh[body] && meshes && !shapes);
        mesh.setMatrixAt(i, hidden ? NOWHERE : matrix.multiplyMatrices(this.matrices[body], local));
      }
      mesh.instanceMatrix.needsUpdate = true;
      mesh.boundingSphere = null;
      merged?.sync(mesh, places.length);
    }
    for (const { body, object } of this.visuals) {
      object.visible = meshes && this.present[body];
      object.matrix.copy(this.matrices[body]);
      object.matrixWorldNeedsUpdate = true;
    }
  }

  /** Draws shapes see-through, for looking at meshes under them. */
  setShapesTranslucent(on: boolean): void {
    if (this.ghost) return;
    for (const { mesh, merged } of this.batches) {
      setOpacity(merged?.material ?? (mesh.material as Material), on ? 0.4 : 1);
    }
  }

  /** Objects to pick from. */
  get pickable(): Object3D[] {
    return [...this.batches.map((b) => b.mesh), ...this.visuals.map((v) => v.object)];
  }

  /** Which body a picked object belongs to. */
  bodyOf(object: Object3D, instance: number | undefined): number {
    const batch = this.batches.find((b) => b.mesh === object);
    if (batch) return batch.places[instance ?? 0].body;
    for (let o: Object3D | null = object; o; o = o.parent) if (typeof o.userData.body === "number") return o.userData.body;
    return -1;
  }

  /** World matrix of a body taken from what is drawn: an instance of one of its shapes, or its mesh; null if it has neither. */
  drawn(body: number): Matrix4 | null {
    for (const { mesh, places } of this.batches) {
      const i = places.findIndex((place) => place.body === body);
      if (i < 0) continue;
      mesh.getMatrixAt(i, matrix);
      if (matrix.determinant() !== 0) return matrix.clone().multiply(places[i].local.clone().invert());
    }
    return this.visuals.find((v) => v.body === body)?.object.matrix.clone() ?? null;
  }

  get triangles(): number {
    return this.batches.reduce((sum, { mesh, places }) => sum + ((mesh.geometry.index?.count ?? 0) / 3) * places.length, 0);
  }

  dispose(): void {
    this.group.removeFromParent();
    for (const { mesh, merged } of this.batches) {
      merged?.dispose();
      mesh.geometry.dispose();
      (mesh.material as Material).dispose();
      mesh.dispose();
    }
  }
}

function setOpacity(material: Material, opacity: number): void {
  material.transparent = opacity < 1;
  material.depthWrite = opacity === 1;
  // A ghost that is where the body is must not tint it.
  material.depthFunc = opacity < 1 ? LessDepth : LessEqualDepth;
  material.opacity = opacity;
  if (material instanceof ShaderMaterial) material.uniforms.alpha.value = opacity;
  material.needsUpdate = true;
}

const position = new Vector3();
const orientation = new Quaternion();
