//! Meshes in a stream: what bodies look like.

use super::varint::Bytes;
use super::{MESH, record};
use fender_geom::mesh::{MeshPart, VisualMesh};

/// Adds a record of a mesh.
pub fn put(stream: &mut Vec<u8>, index: u32, mesh: &VisualMesh) {
    let mut payload = index.to_le_bytes().to_vec();
    for count in [mesh.positions.len(), mesh.triangles.len(), mesh.parts.len()] {
        payload.extend((count as u32).to_le_bytes());
    }
    for number in mesh.positions.iter().chain(&mesh.normals).flatten() {
        payload.extend(number.to_le_bytes());
    }
    for corner in mesh.triangles.iter().flatten() {
        payload.extend(corner.to_le_bytes());
    }
    for part in &mesh.parts {
        payload.extend(part.first.to_le_bytes());
        payload.extend(part.count.to_le_bytes());
        payload.extend(part.colour);
        payload.extend(part.metallic.to_le_bytes());
        payload.extend(part.roughness.to_le_bytes());
    }
    record::put(stream, MESH, &payload);
}

/// Reads a record's payload: the mesh's index and the mesh. `None` if it is damaged.
pub fn decode(payload: &[u8]) -> Option<(u32, VisualMesh)> {
    let mut bytes = Bytes(payload);
    let mut word = || bytes.take().map(u32::from_le_bytes);
    let (index, vertices, triangles, parts) = (word()?, word()?, word()?, word()?);
    let size = 24 * u64::from(vertices) + 12 * u64::from(triangles) + 20 * u64::from(parts);
    if bytes.0.len() as u64 != size {
        return None;
    }
    let mut mesh = VisualMesh::default();
    let mut float = || bytes.take().map(f32::from_le_bytes);
    for _ in 0..vertices {
        mesh.positions.push([float()?, float()?, float()?]);
    }
    for _ in 0..vertices {
        mesh.normals.push([float()?, float()?, float()?]);
    }
    let mut word = || bytes.take().map(u32::from_le_bytes).filter(|i| *i < vertices);
    for _ in 0..triangles {
        mesh.triangles.push([word()?, word()?, word()?]);
    }
    for _ in 0..parts {
        mesh.parts.push(MeshPart {
            first: u32::from_le_bytes(bytes.take()?),
            count: u32::from_le_bytes(bytes.take()?),
            colour: bytes.take()?,
            metallic: f32::from_le_bytes(bytes.take()?),
            roughness: f32::from_le_bytes(bytes.take()?),
            own_colour: true,
        });
    }
    Some((index, mesh))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::records;

    #[test]
    fn a_mesh_comes_back_and_a_damaged_one_does_not() {
        let part = MeshPart {
            first: 0,
            count: 1,
            colour: [10, 20, 30, 255],
            metallic: 0.5,
            roughness: 0.25,
            own_colour: true,
        };
        let mesh = VisualMesh {
            positions: vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.5, 0.0]],
            normals: vec![[0.0, 0.0, 1.0]; 3],
            triangles: vec![[0, 1, 2]],
            parts: vec![part],
            warnings: vec![],
        };
        let mut stream = record::begin();
        put(&mut stream, 7, &mesh);
        let payload = records(&stream).unwrap().next().unwrap().payload().unwrap().into_owned();
        assert_eq!(decode(&payload), Some((7, mesh)));
        for cut in 0..payload.len() {
            assert_eq!(decode(&payload[..cut]), None);
        }
        let mut wrong = payload;
        wrong[16 + 72] = 3;
        assert_eq!(decode(&wrong), None, "a corner that is no vertex");
    }
}
