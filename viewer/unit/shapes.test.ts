/** What is drawn of a shape is its surface. */
import { Matrix4, Vector3 } from "three";
import { describe, expect, test } from "vitest";
import { edgeFaces } from "../src/scene/ground";
import { shapeGeometry, shapeKey, shapeScale } from "../src/scene/shapes";
import type { ShapeDef } from "../src/stream/head";

function def(shape: Partial<ShapeDef>): ShapeDef {
  return { shape: "sphere", radius: 0, tube: 0, half: [0, 0, 0], half_height: 0, half_angle: 0, position: [0, 0, 0], orientation: [0, 0, 0, 1], ...shape };
}

/** Triangles as drawn: corners, and whether they are seen from the side that their normals point to. */
function triangles(shape: ShapeDef): { corners: Vector3[]; normals: Vector3[]; facing: Vector3 }[] {
  const geometry = shapeGeometry(shape, [16, 10]);
  const scale = new Matrix4().makeScale(...shapeScale(shape, new Vector3()).toArray());
  const [positions, normals] = [geometry.getAttribute("position"), geometry.getAttribute("normal")];
  const all = [];
  const index = geometry.index!;
  for (let i = 0; i < index.count; i += 3) {
    const at = [0, 1, 2].map((k) => index.getX(i + k));
    const corners = at.map((k) => new Vector3().fromBufferAttribute(positions, k).applyMatrix4(scale));
    const facing = corners[1].clone().sub(corners[0]).cross(corners[2].clone().sub(corners[0]));
    if (facing.length() > 1e-9) all.push({ corners, normals: at.map((k) => new Vector3().fromBufferAttribute(normals, k)), facing });
  }
  expect(all.length).toBeGreaterThan(10);
  return all;
}

describe("shapes", () => {
  test("an ellipsoid has its half axes", () => {
    for (const { corners } of triangles(def({ shape: "ellipsoid", half: [0.1, 0.2, 0.3] }))) {
      for (const p of corners) expect((p.x / 0.1) ** 2 + (p.y / 0.2) ** 2 + (p.z / 0.3) ** 2).toBeCloseTo(1, 5);
    }
  });

  test("a cone stands on its base with the tip above", () => {
    for (const { corners, facing } of triangles(def({ shape: "cone", radius: 0.5, half_height: 1 }))) {
      for (const p of corners) expect(Math.hypot(p.x, p.y)).toBeLessThanOrEqual(0.25 * (1 - p.z) + 1e-6);
      const middle = corners[0].clone().add(corners[1]).add(corners[2]).divideScalar(3);
      expect(facing.dot(middle)).toBeGreaterThan(0);
    }
  });

  test("holes are seen from inside, their collars from outside", () => {
    for (const shape of ["bore", "funnel"] as const) {
      for (const { corners, normals, facing } of triangles(def({ shape, radius: 0.5, half_height: 1 }))) {
        expect(facing.dot(normals[0])).toBeGreaterThan(0);
        const middle = corners[0].clone().add(corners[1]).add(corners[2]).divideScalar(3);
        const level = Math.abs(Math.abs(middle.z) - 1) < 1e-6;
        if (level) expect(facing.z * middle.z).toBeGreaterThan(0);
        else expect(facing.x * middle.x + facing.y * middle.y).toBeLessThan(0);
        for (const p of corners) {
          const wall = shape === "bore" ? 0.5 : 0.25 * (p.z + 1);
          expect(Math.hypot(p.x, p.y)).toBeGreaterThanOrEqual(wall * 0.999);
        }
      }
    }
    expect(shapeKey(def({ shape: "bore", radius: 1 }))).not.toBe(shapeKey(def({ shape: "bore", radius: 1, half_height: 1 })));
    expect(shapeScale(def({ shape: "bore", radius: 1 }), new Vector3()).z).toBeGreaterThan(10);
  });

  test("rings and links are as far from their spines as the bar is thick", () => {
    for (const shape of ["torus", "half_torus", "link"] as const) {
      const half_height = shape === "link" ? 0.7 : 0;
      let [left, right, low, high] = [0, 0, 0, 0];
      for (const { corners, normals, facing } of triangles(def({ shape, radius: 1, tube: 0.3, half_height }))) {
        expect(facing.dot(normals[0])).toBeGreaterThan(0);
        for (const p of corners) {
          const x = p.x - Math.max(-half_height, Math.min(half_height, p.x));
          const onArc = shape !== "half_torus" || p.y >= 0;
          const aside = onArc ? Math.hypot(x, p.y) - 1 : Math.hypot(Math.abs(p.x) - 1, p.y);
          expect(Math.hypot(aside, p.z)).toBeCloseTo(0.3, 5);
          [left, right, low, high] = [Math.min(left, p.x), Math.max(right, p.x), Math.min(low, p.y), Math.max(high, p.y)];
        }
      }
      expect(right).toBeCloseTo(1.3 + half_height, 2);
      expect(left).toBeCloseTo(-1.3 - half_height, 2);
      expect(high).toBeCloseTo(1.3, 2);
      expect(low).toBeCloseTo(shape === "half_torus" ? -0.3 : -1.3, 2);
    }
    const [thick, thin] = [def({ shape: "torus", radius: 1, tube: 0.3 }), def({ shape: "torus", radius: 1, tube: 0.2 })];
    expect(shapeKey(thick)).not.toBe(shapeKey(thin));
    expect(shapeScale(thick, new Vector3()).toArray()).toEqual([1, 1, 1]);
  });

  test("the faces of an edge fall away from its line", () => {
    const normals = edgeFaces(Math.PI / 4).map((m) => new Vector3(0, 0, 1).transformDirection(m));
    expect(normals[0].distanceTo(new Vector3(1, 0, 1).normalize())).toBeLessThan(1e-12);
    expect(normals[1].distanceTo(new Vector3(-1, 0, 1).normalize())).toBeLessThan(1e-12);
    for (const m of edgeFaces(0.3)) {
      expect(new Vector3(1, 0, 0).transformDirection(m).z).toBeLessThan(0);
      expect(m.determinant()).toBeCloseTo(1, 12);
    }
  });
});
