/** Half-spaces and edges as large planes with a grid, and a bare grid where there is none. */
import { Color, DoubleSide, FrontSide, Group, Matrix4, Mesh, MeshBasicMaterial, MeshLambertMaterial, PlaneGeometry, Quaternion, Vector3 } from "three";
import type { Head } from "../stream/head";
import type { ScenePalette } from "./colours";

/** How far a plane reaches, in sizes of the scene. */
const REACH = 60;

/** A cell of 1, 2 or 5 times a power of ten, near a tenth of the scene. */
export function gridCell(size: number): number {
  const power = 10 ** Math.floor(Math.log10(size / 8));
  const lead = size / 8 / power;
  return power * (lead < 2 ? 1 : lead < 5 ? 2 : 5);
}

interface GridMaterial extends MeshBasicMaterial {
  userData: { uniforms: { cell: { value: number }; reach: { value: number }; minor: { value: Color }; major: { value: Color }; bare: { value: number } } };
}

/** A plane with grid lines drawn in its own coordinates; it fades out into the horizon. */
function gridMaterial(bare: boolean, lit: boolean): GridMaterial {
  // Without shadows the light on a plane is the same everywhere and can be left out.
  // From inside a half-space one looks out of it: the near walls of a pit must not hide what is in it.
  const look = { transparent: true, side: bare ? DoubleSide : FrontSide };
  const material = lit ? new MeshLambertMaterial(look) : new MeshBasicMaterial(look);
  const uniforms = {
    cell: { value: 1 },
    reach: { value: 1 },
    minor: { value: new Color() },
    major: { value: new Color() },
    bare: { value: bare ? 1 : 0 },
  };
  material.userData.uniforms = uniforms;
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, uniforms);
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", "#include <common>\nvarying vec2 vPlane;\nuniform float reach;")
      .replace("#include <begin_vertex>", "#include <begin_vertex>\nvPlane = position.xy * reach;");
    shader.fragmentShader = shader.fragmentShader
      .replace(
        "#include <common>",
        `#include <common>
varying vec2 vPlane; uniform float cell, reach, bare; uniform vec3 minor, major;
float gridLine(vec2 pixel, float size, float width) {
  vec2 w = pixel / size;
  vec2 d = abs(fract(vPlane / size - 0.5) - 0.5) / max(w, vec2(1e-6));
  // Where cells shrink below a few pixels the lines would only shimmer.
  float clear = 1.0 - smoothstep(0.1, 0.35, max(w.x, w.y));
  return clear * (1.0 - smoothstep(width - 0.5, width + 0.5, min(d.x, d.y)));
}`,
      )
      .replace(
        "#include <color_fragment>",
        `#include <color_fragment>
vec2 pixel = fwidth(vPlane);
float lineMinor = 0.8 * gridLine(pixel, cell, 0.5); float lineMajor = gridLine(pixel, cell * 10.0, 0.8);
float line = max(lineMinor, lineMajor);
diffuseColor.rgb = mix(diffuseColor.rgb, mix(minor, major, lineMajor), line);
float away = length(vPlane) / reach;
diffuseColor.a = (1.0 - smoothstep(0.12, 0.95, away)) * mix(1.0, line, bare);
if (diffuseColor.a < 0.004) discard;`,
      );
  };
  return material as unknown as GridMaterial;
}

/** Frames of the two faces of an edge: x away from it down the face, z outwards. */
export function edgeFaces(halfAngle: number): Matrix4[] {
  const [sin, cos] = [Math.sin(halfAngle), Math.cos(halfAngle)];
  return [1, -1].map((side) => new Matrix4().makeBasis(new Vector3(side * sin, 0, -cos), new Vector3(0, side, 0), new Vector3(side * cos, 0, sin)));
}

const scale = new Vector3();

export class Ground {
  readonly group = new Group();
  private planes: { body: number; mesh: Mesh<PlaneGeometry, GridMaterial> }[] = [];
  cell = 1;
  private reach = 1;
  private lit = true;
  private palette: ScenePalette | null = null;

  constructor(head: Head) {
    head.bodies.forEach((body, index) => {
      for (const shape of body.shapes) {
        if (shape.shape !== "half_space" && shape.shape !== "edge") continue;
        const frame = new Matrix4().compose(new Vector3(...shape.position), new Quaternion(...shape.orientation), new Vector3(1, 1, 1));
        for (const face of shape.shape === "edge" ? edgeFaces(shape.half_angle) : [new Matrix4()]) {
          const mesh = this.plane(false);
          // A face of an edge is the half of its plane on one side of the line.
          if (shape.shape === "edge") mesh.geometry = new PlaneGeometry(1, 2).translate(0.5, 0, 0);
          mesh.userData.local = frame.clone().multiply(face);
          mesh.userData.body = index;
          mesh.matrixAutoUpdate = false;
          this.planes.push({ body: index, mesh });
        }
      }
    });
    // Somewhere to stand, under everything; water and seabed are that too.
    if (this.planes.length === 0 && head.fields.length === 0) this.planes.push({ body: -1, mesh: this.plane(true) });
  }

  private plane(bare: boolean): Mesh<PlaneGeometry, GridMaterial> {
    const mesh = new Mesh(new PlaneGeometry(2, 2), gridMaterial(bare, true));
    mesh.userData.bare = bare;
    mesh.receiveShadow = !bare;
    mesh.frustumCulled = false;
    mesh.renderOrder = -5;
    mesh.material.depthWrite = !bare;
    this.group.add(mesh);
    return mesh;
  }

  /** Fits cells and reach to the scene [m]; a bare grid goes to its lowest height. */
  resize(size: number, lowest: number): void {
    this.cell = gridCell(size);
    for (const { body, mesh } of this.planes) {
      if (body < 0) mesh.position.z = lowest;
      mesh.material.userData.uniforms.cell.value = this.cell;
      mesh.material.userData.uniforms.reach.value = this.reach = size * REACH;
      mesh.scale.setScalar(this.reach);
    }
  }

  /** With or without light and shadows. */
  setLit(lit: boolean): void {
    if (lit === this.lit) return;
    this.lit = lit;
    for (const { mesh } of this.planes) {
      const before = mesh.material;
      mesh.material = gridMaterial(mesh.userData.bare as boolean, lit);
      Object.assign(mesh.material.userData.uniforms, before.userData.uniforms);
      mesh.material.depthWrite = before.depthWrite;
      before.dispose();
    }
    if (this.palette) this.paint(this.palette);
  }

  paint(palette: ScenePalette): void {
    this.palette = palette;
    for (const { mesh } of this.planes) {
      mesh.material.color.set(palette.ground);
      mesh.material.userData.uniforms.minor.value.set(palette.gridMinor);
      mesh.material.userData.uniforms.major.value.set(palette.gridMajor);
    }
  }

  update(matrices: Matrix4[], present: boolean[]): void {
    for (const { body, mesh } of this.planes) {
      if (body < 0) continue;
      mesh.visible = present[body];
      mesh.matrix.multiplyMatrices(matrices[body], mesh.userData.local as Matrix4).scale(scale.setScalar(this.reach));
      mesh.matrixWorldNeedsUpdate = true;
    }
  }

  get pickable(): Mesh[] {
    return this.planes.filter((p) => p.body >= 0).map((p) => p.mesh);
  }
}
