/** Geometry of primitive shapes. All but capsules, rings and links share one unit geometry each and are scaled. */
import { BoxGeometry, type BufferGeometry, CapsuleGeometry, ConeGeometry, CylinderGeometry, RingGeometry, SphereGeometry, TorusGeometry, Vector3 } from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import type { ShapeDef } from "../stream/head";

/** How much of a bore without end is drawn each way, in radii. */
const ENDLESS = 50;
/** How far the plane around a hole is drawn, in radii. */
const COLLAR = 1.4;

/** Shapes with the same key can be drawn together. */
export function shapeKey(shape: ShapeDef): string {
  if (shape.tube > 0) return `${shape.shape} ${shape.radius} ${shape.tube} ${shape.half_height}`;
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
    case "torus":
      return new TorusGeometry(shape.radius, shape.tube, along, 3 * around);
    case "half_torus": {
      // Half a ball on each end, beyond the plane y = 0.
      const ends = [1, -1].map((side) => new SphereGeometry(shape.tube, along, along, 0, 2 * Math.PI, 0, Math.PI / 2).rotateX(Math.PI).translate(side * shape.radius, 0, 0));
      return mergeGeometries([new TorusGeometry(shape.radius, shape.tube, along, 2 * around, Math.PI), ...ends]);
    }
    case "link": {
      // A number of corners with which those of arcs and straights are in the same places, so that there is no crack between them.
      const corners = 4 * Math.ceil(along / 4);
      const arc = (turn: number) => new TorusGeometry(shape.radius, shape.tube, corners, 2 * around, Math.PI).rotateZ(turn).translate(-Math.sin(turn) * shape.half_height, 0, 0);
      const bar = (side: number) => new CylinderGeometry(shape.tube, shape.tube, 2 * shape.half_height, corners, 1, true).rotateZ(Math.PI / 2).translate(0, side * shape.radius, 0);
      return mergeGeometries([arc(-Math.PI / 2), arc(Math.PI / 2), bar(1), bar(-1)]);
    }
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
