/** Contacts: arrows of normal and friction forces, markers that tell sticking from sliding by colour and form, patches. */
import {
  CircleGeometry, type Color, ConeGeometry, CylinderGeometry, DoubleSide, Group, Matrix4, MeshBasicMaterial, Quaternion, SphereGeometry, TorusGeometry,
  Vector3,
} from "three";
import type { Instant } from "../model/frames";
import { CONTACT, Contact, SLIDING } from "../stream/frames";
import type { Head } from "../stream/head";
import { outlineOf } from "../stream/patches";
import { LONGEST } from "./arrowscale";
import { SLIP, STICK } from "./colours";
import { Instances } from "./instances";
import { Patches, type PatchScale } from "./patches";

const UP = new Vector3(0, 0, 1);
const point = new Vector3();
const force = new Vector3();
const scale = new Vector3();
const base = new Vector3();
const rotation = new Quaternion();
const matrix = new Matrix4();

/** What can be seen of contacts. */
export interface ContactOptions {
  normal: boolean;
  friction: boolean;
  patches: boolean;
  /** Length of an arrow per force [m/N]. */
  metresPerNewton: number;
  /** Size of the scene [m]: arrows are no longer than a part of it, and markers are a fraction of it. */
  size: number;
  ink: Color;
  patchScale: PatchScale;
}

export class Contacts {
  readonly group = new Group();
  private readonly shafts: Instances;
  private readonly heads: Instances;
  private readonly dots: Instances;
  private readonly rings: Instances;
  private readonly discs: Instances;
  private readonly outlines: Patches;
  /** Contact number in the frame of each marker, for picking. */
  private dotContacts: number[] = [];
  private ringContacts: number[] = [];

  constructor(private readonly head: Head) {
    const solid = () => new MeshBasicMaterial({ transparent: true, depthTest: true });
    // Drawn over bodies, faintly where hidden: a contact is always inside of something.
    const over = () => new MeshBasicMaterial({ transparent: true, depthTest: false });
    const shaft = new CylinderGeometry(1, 1, 1, 8, 1).rotateX(Math.PI / 2).translate(0, 0, 0.5);
    const cone = new ConeGeometry(1, 1, 12, 1).rotateX(Math.PI / 2).translate(0, 0, 0.5);
    this.discs = new Instances(this.group, new CircleGeometry(1, 32), Object.assign(solid(), { opacity: 0.45, side: DoubleSide, depthTest: false }), 2);
    this.outlines = new Patches(this.group, 2.1);
    this.shafts = new Instances(this.group, shaft, over(), 3);
    this.heads = new Instances(this.group, cone, over(), 3);
    this.dots = new Instances(this.group, new SphereGeometry(1, 12, 8), over(), 4);
    this.rings = new Instances(this.group, new TorusGeometry(1, 0.28, 6, 20), over(), 4);
  }

  update(instant: Instant, options: ContactOptions): void {
    const all = [this.shafts, this.heads, this.dots, this.rings, this.discs];
    for (const instances of all) instances.begin();
    this.outlines.begin(options.ink);
    this.dotContacts = [];
    this.ringContacts = [];
    const { block, index } = instant.before;
    const data = block.contacts;
    const marker = options.size * 0.007;
    for (let c = block.contactStarts[index]; c < block.contactStarts[index + 1]; c++) {
      const i = c * CONTACT;
      const sliding = (data[i + Contact.FLAGS] & SLIDING) !== 0;
      const colour = sliding ? SLIP : STICK;
      point.fromArray(data, i + Contact.POINT);
      // Forces are those on a; on a fixed a the other body's are what one wants to see.
      const fixed = this.head.bodies[data[i + Contact.A]].motion !== "free" && this.head.bodies[data[i + Contact.B]].motion === "free";
      const sign = fixed ? -1 : 1;
      force.fromArray(data, i + Contact.NORMAL).multiplyScalar(sign);
      rotation.setFromUnitVectors(UP, base.copy(force).normalize());
      if (force.lengthSq() === 0) rotation.identity();

      const patch = data[i + Contact.PATCH];
      const outline = options.patches ? outlineOf(block, c) : null;
      if (outline) this.outlines.add(point.x, point.y, point.z, outline, options.patchScale);
      else if (options.patches && patch > 0) this.discs.add(matrix.compose(point, rotation, scale.setScalar(patch)), colour);
      if (sliding) {
        this.rings.add(matrix.compose(point, rotation, scale.setScalar(marker * 1.25)), colour);
        this.ringContacts.push(c);
      } else {
        this.dots.add(matrix.compose(point, rotation, scale.setScalar(marker)), colour);
        this.dotContacts.push(c);
      }
      if (options.normal) this.arrow(options.ink, options);
      force.fromArray(data, i + Contact.FRICTION).multiplyScalar(sign);
      if (options.friction) this.arrow(colour, options);
    }
    for (const instances of all) instances.end();
    this.outlines.end();
  }

  /** An arrow from `point` along `force`. */
  private arrow(colour: Color, { metresPerNewton, size }: ContactOptions): void {
    const length = Math.min(force.length() * metresPerNewton, LONGEST * size);
    const thick = size * 0.0035;
    // Shorter than it is thick, it would be a smudge.
    if (!(length > 2 * thick)) return;
    const tip = Math.min(length * 0.45, thick * 7);
    rotation.setFromUnitVectors(UP, base.copy(force).normalize());
    this.shafts.add(matrix.compose(point, rotation, scale.set(thick, thick, length - tip)), colour);
    base.multiplyScalar(length - tip).add(point);
    this.heads.add(matrix.compose(base, rotation, scale.set(thick * 2.6, thick * 2.6, tip)), colour);
  }

  /** Arrows shown. */
  get arrows(): number {
    return this.group.visible ? this.heads.count : 0;
  }

  /** Patches shown by their outlines. */
  get patches(): number {
    return this.group.visible ? this.outlines.count : 0;
  }

  get pickable() {
    return this.group.visible ? [this.dots.object, this.rings.object] : [];
  }

  /** Number in its block of a picked marker's contact. */
  contactOf(object: unknown, instance: number | undefined): number {
    return (object === this.dots.object ? this.dotContacts : this.ringContacts)[instance ?? 0] ?? -1;
  }
}
