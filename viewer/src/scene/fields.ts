/** Water surfaces and terrain: height fields over a regular grid. */
import { BufferAttribute, DoubleSide, DynamicDrawUsage, Group, Mesh, MeshLambertMaterial, PlaneGeometry } from "three";
import type { Instant } from "../model/frames";
import type { FieldDef, Head } from "../stream/head";

function surface(field: FieldDef): Mesh<PlaneGeometry, MeshLambertMaterial> {
  const [nx, ny] = field.count;
  const geometry = new PlaneGeometry(1, 1, Math.max(nx - 1, 1), Math.max(ny - 1, 1));
  const positions = geometry.attributes.position as BufferAttribute;
  positions.setUsage(DynamicDrawUsage);
  for (let y = 0; y < ny; y++) {
    for (let x = 0; x < nx; x++) positions.setXY(y * nx + x, field.origin[0] + x * field.spacing[0], field.origin[1] + y * field.spacing[1]);
  }
  const water = field.kind === "water";
  // What is in the water is to be seen through its surface, and what lies on the ground is drawn over it even if it has sunk in a little.
  const look = water ? { color: "#3f7fa6", transparent: true, opacity: 0.35, depthWrite: false } : { color: "#9b7f5c", polygonOffset: true, polygonOffsetFactor: 2, polygonOffsetUnits: 4 };
  const material = new MeshLambertMaterial({ ...look, side: DoubleSide });
  const mesh = new Mesh(geometry, material);
  mesh.renderOrder = water ? 5 : -4;
  mesh.receiveShadow = !water;
  mesh.frustumCulled = false;
  mesh.userData.name = field.name;
  return mesh;
}

export class Fields {
  readonly group = new Group();
  private readonly surfaces: Mesh<PlaneGeometry, MeshLambertMaterial>[];

  constructor(private readonly head: Head) {
    this.surfaces = head.fields.map(surface);
    for (const mesh of this.surfaces) this.group.add(mesh);
  }

  update({ before, after, u }: Instant): void {
    if (this.surfaces.length === 0) return;
    const all = this.head.fields.reduce((sum, f) => sum + f.count[0] * f.count[1], 0);
    let at = 0;
    this.head.fields.forEach((field, i) => {
      const count = field.count[0] * field.count[1];
      const positions = this.surfaces[i].geometry.attributes.position as BufferAttribute;
      for (let k = 0; k < count; k++) {
        const low = before.block.heights[before.index * all + at + k];
        const high = after.block.heights[after.index * all + at + k];
        positions.setZ(k, low + u * (high - low));
      }
      positions.needsUpdate = true;
      this.surfaces[i].geometry.computeVertexNormals();
      at += count;
    });
  }
}
