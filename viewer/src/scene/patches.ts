/** Contact patches: the surface over which two bodies touch, coloured by pressure or depth, with its border. */
import { BufferAttribute, BufferGeometry, type Color, DataTexture, DoubleSide, DynamicDrawUsage, type Group, LineBasicMaterial, LineSegments, Mesh, MeshBasicMaterial, RGBAFormat, SRGBColorSpace, Color as ThreeColor } from "three";
import { type Outline, type Polygon, ringFraction } from "../stream/patches";
import { ramp } from "./colours";

/** Steps of the colour ramp. */
const STEPS = 256;
/** What is under a patch is seen through it a little. */
const OPACITY = 0.75;
/** Decimals by which corners of neighbouring polygons are one place, in parts of a patch's size. */
const SAME = 1e4;

/** Values at the end of the colour ramp; 0 if nothing in the run has one. */
export interface PatchScale {
  /** [Pa] */
  pressure: number;
  /** Of contacts without a pressure [m]. */
  depth: number;
}

/** The value at the greatest depth of an outline as a part of its scale. */
export function greatestLoad({ pressure, depth }: Outline, scale: PatchScale): number {
  if (pressure !== null) return scale.pressure > 0 ? pressure / scale.pressure : 0;
  return scale.depth > 0 ? depth / scale.depth : 1;
}

/** Visits the triangles of a polygon by the numbers of their corners in the list of all places: corners, then ring by ring inwards, then the centre. */
export function triangles({ corners: n, rings }: Polygon, visit: (a: number, b: number, c: number) => void): void {
  if (rings === 0) {
    for (let i = 2; i < n; i++) visit(0, i - 1, i);
    return;
  }
  const center = n * (rings + 1);
  for (let i = 0; i < n; i++) {
    const j = (i + 1) % n;
    for (let r = 0; r < rings; r++) {
      visit(r * n + i, r * n + j, (r + 1) * n + j);
      visit(r * n + i, (r + 1) * n + j, (r + 1) * n + i);
    }
    visit(rings * n + i, rings * n + j, center);
  }
}

/** Puts place number `i` of a polygon into a list. */
export function place({ corners: n, rings, places }: Polygon, i: number, into: number[]): void {
  const [corner, ring] = [i % n, Math.floor(i / n)];
  if (ring > rings) {
    for (let k = 0; k < 3; k++) into[k] = places[3 * n + k];
    return;
  }
  const part = ringFraction(ring, rings);
  for (let k = 0; k < 3; k++) into[k] = ring === 0 ? places[3 * corner + k] : places[3 * n + k] + part * (places[3 * corner + k] - places[3 * n + k]);
}

/** The border of an outline: its edges but for those that two polygons share, as pairs of places. */
export function border({ polygons }: Outline): number[][] {
  const size = polygons.reduce((most, { places }) => places.reduce((m, x) => Math.max(m, Math.abs(x)), most), 0);
  const edges = new Map<string, number[]>();
  const key = (p: Polygon, i: number): string => [0, 1, 2].map((k) => Math.round((p.places[3 * i + k] / size) * SAME)).join();
  for (const polygon of polygons) {
    for (let i = 0; i < polygon.corners; i++) {
      const j = (i + 1) % polygon.corners;
      const [from, to] = [key(polygon, i), key(polygon, j)];
      if (from === to) continue;
      // The neighbour goes along the edge the other way.
      if (!edges.delete(`${to} ${from}`)) edges.set(`${from} ${to}`, [...polygon.places.subarray(3 * i, 3 * i + 3), ...polygon.places.subarray(3 * j, 3 * j + 3)]);
    }
  }
  return [...edges.values()];
}

/** Vertices that change every frame; room grows as needed. */
class Vertices {
  private data: Float32Array<ArrayBuffer>;
  count = 0;

  constructor(private readonly geometry: BufferGeometry, private readonly name: string, private readonly size: number) {
    this.data = new Float32Array(size * 256);
    this.attach();
  }

  private attach(): void {
    this.geometry.setAttribute(this.name, new BufferAttribute(this.data, this.size).setUsage(DynamicDrawUsage));
  }

  add(...values: number[]): void {
    const at = this.count++ * this.size;
    if (at + this.size > this.data.length) {
      const larger = new Float32Array(2 * this.data.length);
      larger.set(this.data);
      this.data = larger;
      // The graphics keep the room of a buffer: a larger one is another.
      this.geometry.dispose();
      this.attach();
    }
    this.data.set(values, at);
  }

  end(): void {
    (this.geometry.attributes[this.name] as BufferAttribute).needsUpdate = true;
    this.geometry.setDrawRange(0, this.count);
  }
}

/** The ramp as a texture: colours go between corners as the ramp does, not straight from one to the other. */
function rampTexture(): DataTexture {
  const data = new Uint8Array(4 * STEPS);
  const colour = new ThreeColor();
  for (let i = 0; i < STEPS; i++) {
    const hex = ramp(i / (STEPS - 1), colour).getHex(SRGBColorSpace);
    data.set([hex >> 16, (hex >> 8) & 255, hex & 255, 255], 4 * i);
  }
  const texture = new DataTexture(data, STEPS, 1, RGBAFormat);
  texture.colorSpace = SRGBColorSpace;
  texture.needsUpdate = true;
  return texture;
}

export class Patches {
  private readonly fill = new BufferGeometry();
  private readonly lines = new BufferGeometry();
  private readonly positions = new Vertices(this.fill, "position", 3);
  private readonly loads = new Vertices(this.fill, "uv", 2);
  private readonly ends = new Vertices(this.lines, "position", 3);
  private readonly ink = new LineBasicMaterial({ depthTest: false, transparent: true });
  private readonly objects: [Mesh, LineSegments];
  /** Outlines drawn. */
  count = 0;

  /** `order`: what is drawn over bodies is drawn in this order. */
  constructor(parent: Group, order: number) {
    // Over bodies, because a patch is always inside of them.
    const material = new MeshBasicMaterial({ map: rampTexture(), transparent: true, opacity: OPACITY, side: DoubleSide, depthTest: false });
    this.objects = [new Mesh(this.fill, material), new LineSegments(this.lines, this.ink)];
    this.objects.forEach((object, i) => {
      object.frustumCulled = false;
      object.renderOrder = order + 0.1 * i;
      parent.add(object);
    });
  }

  begin(ink: Color): void {
    this.positions.count = this.loads.count = this.ends.count = this.count = 0;
    this.ink.color.copy(ink);
  }

  /** Adds the outline of a contact at a point [m]. */
  add(x: number, y: number, z: number, outline: Outline, scale: PatchScale): void {
    const greatest = greatestLoad(outline, scale);
    this.count++;
    for (const polygon of outline.polygons) {
      triangles(polygon, (...corners) => {
        for (const i of corners) {
          place(polygon, i, at);
          this.positions.add(x + at[0], y + at[1], z + at[2]);
          // From the middle of the first step to that of the last.
          const part = Math.min(greatest * polygon.loads[i], 1);
          this.loads.add((0.5 + part * (STEPS - 1)) / STEPS, 0.5);
        }
      });
    }
    for (const [ax, ay, az, bx, by, bz] of border(outline)) {
      this.ends.add(x + ax, y + ay, z + az);
      this.ends.add(x + bx, y + by, z + bz);
    }
  }

  end(): void {
    for (const vertices of [this.positions, this.loads, this.ends]) vertices.end();
    for (const object of this.objects) object.visible = this.count > 0;
  }
}

const at = [0, 0, 0];
