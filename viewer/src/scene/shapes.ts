/** Geometry of primitive shapes. Spheres, boxes and cylinders share one unit geometry each and are scaled; capsules cannot be. */
import { BoxGeometry, type BufferGeometry, CapsuleGeometry, CylinderGeometry, SphereGeometry, Vector3 } from "three";
import type { ShapeDef } from "../stream/head";

/** Shapes with the same key can be drawn together. */
export function shapeKey(shape: ShapeDef): string {
  return shape.shape === "capsule" ? `capsule ${shape.radius} ${shape.half_height}` : shape.shape;
}

export function shapeScale(shape: ShapeDef, into: Vector3): Vector3 {
  switch (shape.shape) {
    case "sphere":
      return into.setScalar(shape.radius);
    case "box":
      return into.set(...shape.half);
    case "cylinder":
      return into.set(shape.radius, shape.radius, shape.half_height);
    default:
      return into.setScalar(1);
  }
}

/** Geometry for a key's shape; axes along z as in the engine. */
export function shapeGeometry(shape: ShapeDef, [around, along]: [number, number]): BufferGeometry {
  switch (shape.shape) {
    case "sphere":
      return new SphereGeometry(1, around, along);
    case "box":
      return new BoxGeometry(2, 2, 2);
    case "cylinder":
      return new CylinderGeometry(1, 1, 2, 2 * around).rotateX(Math.PI / 2);
    default:
      return new CapsuleGeometry(shape.radius, 2 * shape.half_height, Math.ceil(along / 2), around).rotateX(Math.PI / 2);
  }
}
