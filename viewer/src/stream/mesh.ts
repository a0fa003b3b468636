/** Decodes a record of a visual mesh. */
import { StreamError } from "./errors";
import { Reader } from "./reader";

export interface MeshPart {
  /** In triangles. */
  first: number;
  count: number;
  /** sRGB with alpha, 0…255. */
  colour: [number, number, number, number];
  metallic: number;
  roughness: number;
}

export interface MeshData {
  index: number;
  positions: Float32Array;
  normals: Float32Array;
  triangles: Uint32Array;
  parts: MeshPart[];
}

export function decodeMesh(payload: Uint8Array): MeshData {
  const reader = new Reader(payload);
  const index = reader.u32();
  const [vertices, triangleCount, partCount] = [reader.u32(), reader.u32(), reader.u32()];
  if (vertices * 24 + triangleCount * 12 + partCount * 20 > reader.left) {
    throw new StreamError("damaged", "a mesh is larger than its record");
  }
  const positions = reader.f32s(vertices * 3);
  const normals = reader.f32s(vertices * 3);
  const triangles = reader.u32s(triangleCount * 3);
  if (triangles.some((vertex) => vertex >= vertices)) throw new StreamError("damaged", "a mesh uses a vertex that it does not have");
  const parts = Array.from({ length: partCount }, (): MeshPart => {
    const [first, count] = [reader.u32(), reader.u32()];
    const [r, g, b, a] = reader.u8s(4);
    const [metallic, roughness] = reader.f32s(2);
    return { first, count, colour: [r, g, b, a], metallic, roughness };
  });
  return { index, positions, normals, triangles, parts };
}
