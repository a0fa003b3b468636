/** Geometry of primitive shapes. All but capsules share one unit geometry each and are scaled. */
import { BoxGeometry, type BufferGeometry, CapsuleGeometry, ConeGeometry, CylinderGeometry, RingGeometry, SphereGeometry, Vector3 } from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import type { ShapeDef } from "../stream/head";

/** How much of a bore without end is drawn each way, in radii. */
const ENDLESS = 50;
/** How far the plane around a hole is drawn, in radii. */
const COLLAR = 1.4;

/** Shapes with the same key can be drawn together. */
export function shapeKey(shape: ShapeDef): string {
  if (shape.shape === "capsule") return `capsule ${shape.radius} ${shape.half_height}`;
  return shape.shape === "bore" && shape.half_height === 0 ? "endless bore" : shape.shape;
}

export function shapeScale(shape: ShapeDef, into: Vector3): Vector3 {
  switch (shape.shape) {
    case "sphere":
      return into.setScalar(shape.radius);
    case "box":
    case "ellipsoid":
      return into.set(...shape.half);
    case "cylinder":
    case "cone":
    case "funnel":
      return into.set(shape.radius, shape.radius, shape.half_height);
    case "bore":
      return into.set(shape.radius, shape.radius, shape.half_height || ENDLESS * shape.radius);
    default:
      return into.setScalar(1);
  }
}

/** Geometry for a key's shape; axes along z as in the engine. */
export function shapeGeometry(shape: ShapeDef, [around, along]: [number, number]): BufferGeometry {
  switch (shape.shape) {
    case "sphere":
    case "ellipsoid":
      return new SphereGeometry(1, around, along);
    case "box":
      return new BoxGeometry(2, 2, 2);
    case "cylinder":
      return new CylinderGeometry(1, 1, 2, 2 * around).rotateX(Math.PI / 2);
    case "cone":
      return new ConeGeometry(1, 2, 2 * around).rotateX(Math.PI / 2);
    case "bore": {
      const wall = insideOut(new CylinderGeometry(1, 1, 2, 2 * around, 1, true).rotateX(Math.PI / 2));
      if (shape.half_height === 0) return wall;
      const below = collar(around).rotateX(Math.PI);
      return mergeGeometries([wall, collar(around), below]);
    }
    case "funnel":
      return mergeGeometries([insideOut(new ConeGeometry(1, 2, 2 * around, 1, true).rotateX(-Math.PI / 2)), collar(around)]);
    default:
      return new CapsuleGeometry(shape.radius, 2 * shape.half_height, Math.ceil(along / 2), around).rotateX(Math.PI / 2);
  }
}

/** The plane around the upper mouth of a hole. */
function collar(around: number): BufferGeometry {
  return new RingGeometry(1, COLLAR, 2 * around).translate(0, 0, 1);
}

/** A hole is seen from inside: its near wall does not hide what is in it. */
function insideOut(geometry: BufferGeometry): BufferGeometry {
  const { index } = geometry;
  for (let i = 0; index && i < index.count; i += 3) {
    const second = index.getX(i + 1);
    index.setX(i + 1, index.getX(i + 2));
    index.setX(i + 2, second);
  }
  const normals = geometry.getAttribute("normal");
  for (let i = 0; i < normals.count; i++) normals.setXYZ(i, -normals.getX(i), -normals.getY(i), -normals.getZ(i));
  return geometry;
}
