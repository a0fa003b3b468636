/**
 * Instances drawn as one mesh. Where the processor draws, every instance of an InstancedMesh costs as much as a drawing of its own
 * (40 µs or so in SwiftShader, whatever its triangles), so a thousand of them are too slow; here all copies are in one buffer, and
 * the matrices and colours are in a texture that the vertex program looks up.
 */
import { BufferAttribute, BufferGeometry, DataTexture, FloatType, type InstancedMesh, Mesh, NearestFilter, RGBAFormat, ShaderMaterial } from "three";
import { eye, light } from "./light";

/** Texels of a copy: three rows of its matrix, and its colour. */
const TEXELS = 4;
const PER_ROW = 256;
/** Fewer copies than this hardly hide one another. */
const SORTED = 50;

const VERTEX = `
uniform highp sampler2D copies; uniform vec3 sun; uniform float sunStrength, skyStrength; uniform vec3 groundColour;
attribute float copy;
varying vec3 vColour;
void main() {
  int c = int(copy);
  ivec2 at = ivec2((c % ${PER_ROW}) * ${TEXELS}, c / ${PER_ROW});
  vec4 r0 = texelFetch(copies, at, 0), r1 = texelFetch(copies, at + ivec2(1, 0), 0), r2 = texelFetch(copies, at + ivec2(2, 0), 0);
  vec3 colour = texelFetch(copies, at + ivec2(3, 0), 0).rgb;
  vec4 p = vec4(position, 1.0);
  vec3 world = vec3(dot(r0, p), dot(r1, p), dot(r2, p));
#ifdef LIT
  // Rows of a turn with scale: dividing by the squared scales gives the turn of normals.
  mat3 turn = transpose(mat3(r0.xyz, r1.xyz, r2.xyz));
  vec3 squares = vec3(dot(turn[0], turn[0]), dot(turn[1], turn[1]), dot(turn[2], turn[2]));
  vec3 n = normalize(turn * (normal / max(squares, vec3(1e-12))));
  colour *= (skyStrength * mix(groundColour, vec3(1.0), 0.5 + 0.5 * n.z) + sunStrength * max(dot(n, sun), 0.0)) * 0.3183098861837907;
#endif
  // From linear light to sRGB, near enough.
  vColour = pow(min(colour, vec3(1.0)), vec3(1.0 / 2.2));
  gl_Position = projectionMatrix * viewMatrix * vec4(world, 1.0);
}`;

const FRAGMENT = `
uniform float alpha;
varying vec3 vColour;
void main() { gl_FragColor = vec4(vColour, alpha); }`;

export class Merged extends Mesh<BufferGeometry, ShaderMaterial> {
  private readonly data: Float32Array;
  private readonly texture: DataTexture;
  private readonly indices: number;
  private readonly order: Uint32Array;
  private readonly distance: Float32Array;

  /** `capacity` copies of a geometry. `lit`: with light, else in plain colours. */
  constructor(source: BufferGeometry, readonly capacity: number, lit: boolean) {
    const rows = Math.ceil(capacity / PER_ROW);
    const data = new Float32Array(rows * PER_ROW * TEXELS * 4);
    const texture = new DataTexture(data, PER_ROW * TEXELS, rows, RGBAFormat, FloatType);
    texture.minFilter = texture.magFilter = NearestFilter;
    texture.needsUpdate = true;
    const material = new ShaderMaterial({
      vertexShader: lit ? `#define LIT\n${VERTEX}` : VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: { ...light, copies: { value: texture }, alpha: { value: 1 } },
    });
    super(copies(source, capacity), material);
    this.data = data;
    this.order = new Uint32Array(capacity);
    this.distance = new Float32Array(capacity);
    this.texture = texture;
    this.indices = source.index?.count ?? 0;
    this.frustumCulled = false;
  }

  /** Takes matrices and colours of the first `count` instances. */
  sync(mesh: InstancedMesh, count: number): void {
    const { data } = this;
    const m = mesh.instanceMatrix.array;
    const c = mesh.instanceColor?.array;
    const order = this.nearFirst(m, count);
    for (let k = 0; k < count; k++) {
      const i = order[k];
      const [from, to] = [i * 16, k * TEXELS * 4];
      for (let row = 0; row < 3; row++) for (let col = 0; col < 4; col++) data[to + row * 4 + col] = m[from + col * 4 + row];
      for (let rgb = 0; rgb < 3; rgb++) data[to + 12 + rgb] = c ? c[i * 3 + rgb] : 1;
    }
    this.texture.needsUpdate = true;
    this.geometry.setDrawRange(0, count * this.indices);
    this.visible = count > 0;
  }

  /** Copies from near to far: what is hidden is then not drawn first and covered after, which is most of the cost of a heap. */
  private nearFirst(m: ArrayLike<number>, count: number): Uint32Array {
    const order = this.order.subarray(0, count);
    for (let i = 0; i < count; i++) {
      order[i] = i;
      this.distance[i] = Math.hypot(m[i * 16 + 12] - eye.x, m[i * 16 + 13] - eye.y, m[i * 16 + 14] - eye.z);
    }
    return count > SORTED ? order.sort((a, b) => this.distance[a] - this.distance[b]) : order;
  }

  override dispose(): void {
    this.geometry.dispose();
    this.material.dispose();
    this.texture.dispose();
  }
}

/** A geometry repeated, each vertex knowing its copy. */
function copies(source: BufferGeometry, count: number): BufferGeometry {
  const { position, normal } = source.attributes;
  const index = source.index?.array ?? [];
  const vertices = position.count;
  const [positions, normals] = [new Float32Array(count * vertices * 3), new Float32Array(count * vertices * 3)];
  const numbers = new Float32Array(count * vertices);
  const all = new Uint32Array(count * index.length);
  for (let i = 0; i < count; i++) {
    positions.set(position.array, i * vertices * 3);
    normals.set(normal.array, i * vertices * 3);
    numbers.fill(i, i * vertices, (i + 1) * vertices);
    for (let k = 0; k < index.length; k++) all[i * index.length + k] = index[k] + i * vertices;
  }
  return new BufferGeometry()
    .setAttribute("position", new BufferAttribute(positions, 3))
    .setAttribute("normal", new BufferAttribute(normals, 3))
    .setAttribute("copy", new BufferAttribute(numbers, 1))
    .setIndex(new BufferAttribute(all, 1));
}
