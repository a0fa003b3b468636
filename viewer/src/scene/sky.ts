/** Sky: a gradient from horizon to zenith, and the light that comes from it. */
import { BackSide, BufferAttribute, Color, DirectionalLight, Group, HemisphereLight, Mesh, MeshBasicMaterial, SphereGeometry, type Vector3 } from "three";
import type { ScenePalette } from "./colours";
import { light } from "./light";

export class Sky {
  readonly group = new Group();
  private readonly dome: Mesh<SphereGeometry, MeshBasicMaterial>;
  private readonly sun = new DirectionalLight(0xffffff, 2);
  private readonly ambient = new HemisphereLight(0xffffff, 0x888888, 1);

  constructor() {
    // Only what is above the horizon: below it the plain background shows, which costs nothing.
    const geometry = new SphereGeometry(1, 24, 12, 0, 2 * Math.PI, 0, Math.PI / 2).rotateX(Math.PI / 2);
    geometry.setAttribute("color", new BufferAttribute(new Float32Array(geometry.attributes.position.count * 3), 3));
    this.dome = new Mesh(geometry, new MeshBasicMaterial({ vertexColors: true, side: BackSide, depthWrite: false }));
    // After the bodies, so that it is not drawn behind them.
    this.dome.renderOrder = 10;
    this.dome.frustumCulled = false;
    this.sun.shadow.bias = -0.0005;
    this.sun.shadow.normalBias = 0.02;
    this.group.add(this.dome, this.sun, this.sun.target, this.ambient);
    this.ambient.position.set(0, 0, 1);
  }

  paint(palette: ScenePalette): void {
    const positions = this.dome.geometry.attributes.position;
    const colours = this.dome.geometry.attributes.color;
    const [zenith, horizon, mixed] = [new Color(palette.zenith), new Color(palette.horizon), new Color()];
    for (let i = 0; i < positions.count; i++) {
      mixed.lerpColors(horizon, zenith, Math.max(0, positions.getZ(i)) ** 0.6);
      colours.setXYZ(i, mixed.r, mixed.g, mixed.b);
    }
    colours.needsUpdate = true;
    this.sun.intensity = palette.sun;
    this.ambient.intensity = palette.sky;
    this.ambient.groundColor.set(palette.ground);
    light.sunStrength.value = palette.sun;
    light.skyStrength.value = palette.sky;
    light.groundColour.value.set(palette.ground);
  }

  /** Lights and shades a ball of this radius. */
  frame(center: Vector3, radius: number): void {
    this.sun.position.copy(center).add({ x: 0.9 * radius, y: -1.3 * radius, z: 2.6 * radius });
    this.sun.target.position.copy(center);
    light.sun.value.copy(this.sun.position).sub(center).normalize();
    const camera = this.sun.shadow.camera;
    camera.left = camera.bottom = -1.3 * radius;
    camera.right = camera.top = 1.3 * radius;
    camera.near = 0.5 * radius;
    camera.far = 6 * radius;
    camera.updateProjectionMatrix();
    this.sun.shadow.normalBias = 0.004 * radius;
  }

  /** Size of the shadow map; 0: none. */
  shadows(size: number): void {
    this.sun.castShadow = size > 0;
    this.sun.shadow.mapSize.set(size, size);
    this.sun.shadow.map?.dispose();
    this.sun.shadow.map = null;
  }

  /** Keeps the dome around the eye. */
  follow(eye: Vector3, far: number): void {
    this.dome.position.copy(eye);
    this.dome.scale.setScalar(0.5 * far);
  }
}
