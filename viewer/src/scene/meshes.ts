/** Visual meshes of bodies. */
import { BufferAttribute, BufferGeometry, Color, Group, LessDepth, LessEqualDepth, type Material, Mesh, MeshLambertMaterial, MeshStandardMaterial } from "three";
import type { BodyDef } from "../stream/head";
import type { MeshData } from "../stream/mesh";

const geometries = new WeakMap<MeshData, BufferGeometry>();

/** One geometry per mesh, with a group per part, shared by all bodies that use it. */
function geometry(mesh: MeshData): BufferGeometry {
  let made = geometries.get(mesh);
  if (!made) {
    made = new BufferGeometry();
    made.setAttribute("position", new BufferAttribute(mesh.positions, 3));
    made.setAttribute("normal", new BufferAttribute(mesh.normals, 3));
    made.setIndex(new BufferAttribute(mesh.triangles, 1));
    mesh.parts.forEach((part, i) => made?.addGroup(part.first * 3, part.count * 3, i));
    if (mesh.parts.length === 0) made.addGroup(0, mesh.triangles.length, 0);
    geometries.set(mesh, made);
  }
  return made;
}

function materials(mesh: MeshData, body: BodyDef, ghost: string | null, fine: boolean): Material[] {
  const parts = mesh.parts.length > 0 ? mesh.parts : [{ colour: [180, 185, 190, 255], metallic: 0, roughness: 0.7 }];
  return parts.map((part) => {
    // A colour given to the body goes before the file's.
    const [r, g, b] = body.colour ?? part.colour;
    const alpha = ghost ? 0.35 : part.colour[3] / 255;
    const colour = ghost ? new Color(ghost) : new Color().setRGB(r / 255, g / 255, b / 255, "srgb");
    const common = { color: colour, transparent: alpha < 1, opacity: alpha, depthWrite: alpha === 1, depthFunc: ghost ? LessDepth : LessEqualDepth } as const;
    if (!fine) return new MeshLambertMaterial(common);
    // Without surroundings to mirror, a fully metallic surface would be black.
    return new MeshStandardMaterial({ ...common, metalness: Math.min(part.metallic, 0.45), roughness: Math.max(part.roughness, 0.25) });
  });
}

/** All visual meshes of a body, in its frame; null if none has arrived. */
export function meshObjects(body: BodyDef, meshes: Map<number, MeshData>, ghost: string | null, fine: boolean): Group | null {
  const group = new Group();
  for (const use of body.meshes) {
    const data = meshes.get(use.mesh);
    if (!data) continue;
    const mesh = new Mesh(geometry(data), materials(data, body, ghost, fine));
    mesh.position.set(...use.position);
    mesh.quaternion.set(...use.orientation);
    mesh.scale.set(...use.scale);
    mesh.castShadow = mesh.receiveShadow = ghost === null;
    group.add(mesh);
  }
  return group.children.length > 0 ? group : null;
}
