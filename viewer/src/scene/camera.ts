/** The camera: orbit, pan, zoom; follow a body; look from a body; saved views. */
import { type Box3, type Matrix4, PerspectiveCamera, Quaternion, Spherical, Vector3 } from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import type { ViewDef } from "../stream/head";

export type Direction = "iso" | "front" | "back" | "left" | "right" | "top";

/** Where to look from, for each named direction; x is to the right in "front". */
const DIRECTIONS: Record<Direction, [number, number, number]> = {
  iso: [0.62, -1, 0.4],
  front: [0, -1, 0.0001],
  back: [0, 1, 0.0001],
  left: [-1, 0, 0.0001],
  right: [1, 0, 0.0001],
  top: [0, -0.0001, 1],
};

/** Room left around what is framed. */
const MARGIN = 1.15;

export type Attachment = { kind: "none" } | { kind: "follow"; body: number } | { kind: "from"; body: number; eye: Vector3; target: Vector3 };

export class CameraRig {
  readonly camera = new PerspectiveCamera(40, 1, 0.01, 1000);
  readonly controls: OrbitControls;
  private attachment: Attachment = { kind: "none" };
  private readonly lastPosition = new Vector3();
  private readonly center = new Vector3();
  private readonly half = new Vector3(1, 1, 1);
  private radius = 1;
  /** The person has moved the camera: framing on its own would be rude. */
  touched = false;

  constructor(element: HTMLElement, private readonly changed: () => void) {
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, element);
    this.controls.zoomToCursor = true;
    this.controls.maxPolarAngle = Math.PI;
    this.controls.addEventListener("change", () => this.changed());
    this.controls.addEventListener("start", () => {
      this.touched = true;
    });
  }

  get attached(): Attachment {
    return this.attachment;
  }

  /** What framing shows. */
  setBox(box: Box3): void {
    box.getCenter(this.center);
    box.getSize(this.half).multiplyScalar(0.5);
    this.radius = Math.max(this.half.length(), 1e-4);
    this.controls.minDistance = this.radius * 0.02;
    this.controls.maxDistance = this.radius * 40;
  }

  /** Shows the whole box from a direction; without one, from where the camera is now. */
  frame(direction?: Direction): void {
    const away = (direction ? new Vector3(...DIRECTIONS[direction]) : this.camera.position.clone().sub(this.controls.target)).normalize();
    this.camera.up.set(0, 0, 1);
    const right = new Vector3().crossVectors(this.camera.up, away).normalize();
    const above = new Vector3().crossVectors(away, right);
    const slope = Math.tan((this.camera.fov * Math.PI) / 360) / MARGIN;
    let distance = this.radius * 0.1;
    // Far enough for every corner, in both directions of the window.
    for (let i = 0; i < 8; i++) {
      const corner = new Vector3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1).multiply(this.half);
      const across = Math.max(Math.abs(corner.dot(right)) / this.camera.aspect, Math.abs(corner.dot(above)));
      distance = Math.max(distance, corner.dot(away) + across / slope);
    }
    this.controls.target.copy(this.center);
    this.camera.position.copy(this.center).addScaledVector(away, distance);
    this.refresh();
  }

  /** Follows a body: the camera keeps its distance to it. */
  follow(body: number, matrix: Matrix4 | undefined): void {
    this.detach();
    if (!matrix) return;
    this.attachment = { kind: "follow", body };
    this.lastPosition.setFromMatrixPosition(matrix);
    const shift = this.lastPosition.clone().sub(this.controls.target);
    this.controls.target.add(shift);
    this.camera.position.add(shift);
    this.refresh();
  }

  /** Looks out of a body, along its x axis unless told otherwise. */
  lookFrom(body: number, eye = new Vector3(), target = new Vector3(1, 0, 0)): void {
    this.detach();
    this.attachment = { kind: "from", body, eye, target };
    this.controls.enabled = false;
    this.changed();
  }

  detach(): void {
    if (this.attachment.kind === "from") this.camera.up.set(0, 0, 1);
    this.attachment = { kind: "none" };
    this.controls.enabled = true;
  }

  /** `first`: where the body that the view follows was in the first frame; there the view is as the head gives it. */
  show(view: ViewDef, matrices: Matrix4[], first: Vector3 | null): void {
    const [eye, target] = [new Vector3(...view.eye), new Vector3(...view.target)];
    if (view.from !== null) return this.lookFrom(view.from, eye, target);
    this.detach();
    this.camera.up.set(0, 0, 1);
    this.camera.position.copy(eye);
    this.controls.target.copy(target);
    if (view.follow !== null && first) {
      this.attachment = { kind: "follow", body: view.follow };
      this.lastPosition.setFromMatrixPosition(matrices[view.follow]);
      const shift = this.lastPosition.clone().sub(first);
      this.camera.position.add(shift);
      this.controls.target.add(shift);
    }
    this.refresh();
  }

  /** Moves with the body it is attached to. */
  update(matrices: Matrix4[], present: boolean[]): void {
    const a = this.attachment;
    if (a.kind === "none" || !present[a.body]) return;
    const matrix = matrices[a.body];
    if (a.kind === "follow") {
      const shift = new Vector3().setFromMatrixPosition(matrix).sub(this.lastPosition);
      if (shift.lengthSq() === 0) return;
      this.lastPosition.add(shift);
      this.controls.target.add(shift);
      this.camera.position.add(shift);
      this.controls.update();
    } else {
      const rotation = new Quaternion().setFromRotationMatrix(matrix);
      this.camera.up.set(0, 0, 1).applyQuaternion(rotation);
      this.camera.position.copy(a.eye).applyMatrix4(matrix);
      this.camera.lookAt(a.target.clone().applyMatrix4(matrix));
    }
  }

  /** Turns by angles [rad] and zooms by a factor: the keyboard's way. */
  nudge(around: number, up: number, zoom: number): void {
    this.touched = true;
    const turned = new Quaternion().setFromUnitVectors(this.camera.up.clone().normalize(), new Vector3(0, 1, 0));
    const offset = this.camera.position.clone().sub(this.controls.target).applyQuaternion(turned);
    const s = new Spherical().setFromVector3(offset);
    s.theta += around;
    s.phi = Math.min(Math.max(s.phi - up, 1e-3), Math.PI - 1e-3);
    s.radius *= zoom;
    this.camera.position.copy(this.controls.target).add(offset.setFromSpherical(s).applyQuaternion(turned.invert()));
    this.refresh();
  }

  resize(aspect: number): void {
    this.camera.aspect = aspect;
    this.camera.updateProjectionMatrix();
  }

  /** Fits the range of depths to what there is to see. */
  clip(): void {
    const distance = this.camera.position.distanceTo(this.center) + this.radius;
    this.camera.near = Math.max(distance * 2e-4, this.radius * 2e-3);
    this.camera.far = distance + this.radius * 120;
    this.camera.updateProjectionMatrix();
  }

  private refresh(): void {
    this.controls.update();
    this.changed();
  }
}
