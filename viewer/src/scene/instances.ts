/** Many copies of one shape that change every frame; room grows as needed. */
import { type BufferGeometry, Color, DynamicDrawUsage, type Group, InstancedMesh, type Material, type Matrix4 } from "three";
import { Merged } from "./merged";
import { graphics } from "./quality";

/** More copies than this of lit shapes are merged as well where the processor draws; fewer can afford shadows. */
const FEW = 100;
const colourKeep = new Color();

export class Instances {
  private mesh: InstancedMesh;
  private filled = 0;
  /** Drawn instead where the processor draws. */
  private merged: Merged | null = null;

  constructor(private readonly parent: Group, private readonly geometry: BufferGeometry, readonly material: Material, private readonly order = 0, private readonly lit = false) {
    this.mesh = this.make(64);
  }

  private make(room: number): InstancedMesh {
    const mesh = new InstancedMesh(this.geometry, this.material, room);
    mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    // Bounds would have to follow every frame; what is drawn here is in view or cheap.
    mesh.frustumCulled = false;
    mesh.count = 0;
    mesh.visible = false;
    mesh.renderOrder = this.order;
    mesh.castShadow = mesh.receiveShadow = this.lit;
    this.parent.add(mesh);
    return mesh;
  }

  begin(): void {
    this.filled = 0;
  }

  add(matrix: Matrix4, colour: Color): void {
    if (this.filled === this.mesh.instanceMatrix.count) {
      const before = this.mesh;
      this.mesh = this.make(2 * this.filled);
      (this.mesh.instanceMatrix.array as Float32Array).set(before.instanceMatrix.array as Float32Array);
      for (let i = 0; i < this.filled; i++) {
        before.getColorAt(i, colourKeep);
        this.mesh.setColorAt(i, colourKeep);
      }
      before.removeFromParent();
      before.dispose();
    }
    this.mesh.setMatrixAt(this.filled, matrix);
    this.mesh.setColorAt(this.filled++, colour);
  }

  end(): void {
    this.mesh.count = this.filled;
    // What is empty is not even prepared for drawing: programs for the graphics take long to make.
    const merges = graphics.software && (!this.lit || this.filled > FEW);
    this.mesh.visible = this.filled > 0 && !merges;
    if (merges) this.merge();
    else if (this.merged) this.merged.visible = false;
    this.mesh.instanceMatrix.needsUpdate = true;
    if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
    this.mesh.boundingSphere = null;
  }

  private merge(): void {
    if (this.filled === 0 && !this.merged) return;
    if (!this.merged || this.merged.capacity < this.filled) {
      this.merged?.removeFromParent();
      this.merged?.dispose();
      this.merged = new Merged(this.geometry, this.mesh.instanceMatrix.count, this.lit);
      const { depthTest, transparent, opacity, side } = this.material;
      Object.assign(this.merged.material, { depthTest, transparent, side });
      this.merged.material.uniforms.alpha.value = opacity;
      this.merged.renderOrder = this.order;
      this.parent.add(this.merged);
    }
    this.merged.sync(this.mesh, this.filled);
  }

  get count(): number {
    return this.filled;
  }

  /** For picking. */
  get object(): InstancedMesh {
    return this.mesh;
  }
}


