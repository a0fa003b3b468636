//! From the nodes of a document to one mesh.

use super::accessor::Numbers;
use super::document::{Document, MaterialJson, Node, Primitive};
use super::{get, item, missing};
use crate::mesh::VisualMesh;
use crate::mesh::assemble::{Assembly, Material, byte};
use crate::mesh::error::{MeshError, MeshProblem, Place};
use crate::mesh::look::counted;
use fender_math::{Mat3, Quat, Vec3};
use std::borrow::Cow;

/// An affine map.
#[derive(Clone, Copy)]
struct Placement {
    linear: Mat3,
    offset: Vec3,
}

impl Placement {
    const IDENTITY: Self = Self { linear: Mat3::IDENTITY, offset: Vec3::ZERO };

    fn of(node: &Node) -> Self {
        if let Some(m) = node.matrix {
            let column = |k: usize| Vec3::new(m[4 * k], m[4 * k + 1], m[4 * k + 2]);
            return Self { linear: Mat3::from_cols(column(0), column(1), column(2)), offset: column(3) };
        }
        let [x, y, z, w] = node.rotation.unwrap_or([0.0, 0.0, 0.0, 1.0]);
        let q = Quat::from_xyzw(x, y, z, w);
        // A quaternion of zeros is no rotation; it is taken as none.
        let rotation = if q.length_squared() > 0.0 { Mat3::from_quat(q.normalize()) } else { Mat3::IDENTITY };
        let scale = Vec3::from_array(node.scale.unwrap_or([1.0; 3]));
        let offset = Vec3::from_array(node.translation.unwrap_or_default());
        Self { linear: rotation * Mat3::from_diagonal(scale), offset }
    }

    fn then(self, inner: Self) -> Self {
        Self { linear: self.linear * inner.linear, offset: self.point(inner.offset) }
    }

    fn point(&self, p: Vec3) -> Vec3 {
        self.linear * p + self.offset
    }
}

/// All triangles of the scene.
pub fn assemble(document: &Document, buffers: &[Cow<'_, [u8]>]) -> Result<VisualMesh, MeshError> {
    let mut assembly = Assembly::default();
    if !document.animations.is_empty() {
        assembly.warn("its animations are not shown");
    }
    // Nodes are a forest: one that is reached twice would let a small file describe a scene without end.
    let mut seen = vec![false; document.nodes.len()];
    let mut waiting: Vec<(usize, Placement)> =
        roots(document)?.into_iter().rev().map(|node| (node, Placement::IDENTITY)).collect();
    while let Some((index, outer)) = waiting.pop() {
        let node = get(&document.nodes, index, "node", "nodes")?;
        let name = format!("nodes[{index}]");
        if std::mem::replace(&mut seen[index], true) {
            let message = "a node may have one parent only";
            return Err(item(name, MeshProblem::Malformed(message.into())));
        }
        let placement = outer.then(Placement::of(node));
        if let Some(mesh) = node.mesh {
            if node.skin.is_some() {
                assembly.warn("its skins are not applied: meshes are shown as they were bound");
            }
            for (k, primitive) in get(&document.meshes, mesh, "mesh", &name)?.primitives.iter().enumerate() {
                let name = format!("meshes[{mesh}].primitives[{k}]");
                add(&mut assembly, document, buffers, primitive, &placement, &name)?;
            }
        }
        waiting.extend(node.children.iter().rev().map(|child| (*child, placement)));
    }
    assembly.finish(|| {
        let nodes = counted(seen.iter().filter(|s| **s).count(), "node", "nodes");
        let meshes = counted(document.meshes.len(), "mesh", "meshes");
        format!("its scene has {nodes}, the file {meshes}, and no node of the scene shows triangles")
    })
}

/// Nodes of the scene to show; without scenes, those that are nobody's child.
fn roots(document: &Document) -> Result<Vec<usize>, MeshError> {
    if !document.scenes.is_empty() {
        let scene = get(&document.scenes, document.scene.unwrap_or(0), "scene", "scene")?;
        return Ok(scene.nodes.clone());
    }
    let mut is_root = vec![true; document.nodes.len()];
    for child in document.nodes.iter().flat_map(|node| &node.children) {
        if let Some(root) = is_root.get_mut(*child) {
            *root = false;
        }
    }
    Ok((0..is_root.len()).filter(|i| is_root[*i]).collect())
}

fn add(
    assembly: &mut Assembly,
    document: &Document,
    buffers: &[Cow<'_, [u8]>],
    primitive: &Primitive,
    placement: &Placement,
    name: &str,
) -> Result<(), MeshError> {
    let malformed = |message: &str| Err(item(name, MeshProblem::Malformed(message.into())));
    match primitive.mode {
        0..=3 => {
            assembly.warn("its points and lines are not shown");
            return Ok(());
        }
        4..=6 => {}
        _ => return malformed("its mode is none of those from 0 to 6"),
    }
    if !primitive.targets.is_empty() {
        assembly.warn("its morph targets are not applied");
    }
    if primitive.attributes.colour.is_some() {
        assembly.warn("colours of vertices are not shown, only those of the materials");
    }
    let Some(position) = primitive.attributes.position else {
        return malformed("it has no positions");
    };
    let positions = Numbers::new(document, buffers, position, "VEC3", name)?;
    let normals = match primitive.attributes.normal {
        Some(index) => Some(Numbers::new(document, buffers, index, "VEC3", name)?),
        None => None,
    };
    if normals.as_ref().is_some_and(|n| n.count != positions.count) {
        return malformed("it has another number of normals than of positions");
    }
    let material = match primitive.material {
        Some(index) => finish(get(&document.materials, index, "material", name)?, assembly),
        None => Material::NONE,
    };
    assembly.start_part(&material);

    let indices = match primitive.indices {
        Some(index) => Some(Numbers::new(document, buffers, index, "SCALAR", name)?),
        None => None,
    };
    let count = indices.as_ref().map_or(positions.count, |i| i.count);
    let corner = |k: usize| -> Result<usize, MeshError> {
        let Some(indices) = &indices else { return Ok(k) };
        let Some(index) = indices.index(k) else {
            return malformed("its indices are not whole numbers").map(|()| 0);
        };
        if index >= positions.count {
            return Err(item(name, missing("vertex", index, positions.count)));
        }
        Ok(index)
    };
    // A mirror image turns the corners round.
    let mirrored = placement.linear.determinant() < 0.0;
    let oriented = |[a, b, c]: [usize; 3]| if mirrored { [a, c, b] } else { [a, b, c] };
    let place = || Place::Item(name.to_owned());

    // Vertices are shared between triangles if the file has their normals; else each triangle has three of its own.
    let base = match &normals {
        None => None,
        Some(normals) => {
            let turn = normal_map(placement.linear);
            let mut base = None;
            for i in 0..positions.count {
                let normal = turn * normals.vector(i);
                let vertex = assembly.vertex(placement.point(positions.vector(i)), normal, &place)?;
                base.get_or_insert(vertex);
            }
            base
        }
    };
    let triangles = match primitive.mode {
        4 if count % 3 != 0 => return malformed("the number of its corners is not a multiple of three"),
        4 => count / 3,
        _ => count.saturating_sub(2),
    };
    for t in 0..triangles {
        let [a, b, c] = match primitive.mode {
            4 => [3 * t, 3 * t + 1, 3 * t + 2],
            // Every other triangle of a strip runs the other way.
            5 => [t, t + 1 + t % 2, t + 2 - t % 2],
            _ => [t + 1, t + 2, 0],
        };
        let corners = oriented([corner(a)?, corner(b)?, corner(c)?]);
        match base {
            Some(base) => assembly.triangle(corners.map(|i| base + i as u32))?,
            None => assembly.flat_triangle(corners.map(|i| placement.point(positions.vector(i))), &place)?,
        }
    }
    Ok(())
}

/// How normals turn under a linear map: by its inverse transposed, up to a positive factor. Of a map that flattens, the cofactors
/// still give the normal of the plane.
fn normal_map(m: Mat3) -> Mat3 {
    let cofactors =
        Mat3::from_cols(m.y_axis.cross(m.z_axis), m.z_axis.cross(m.x_axis), m.x_axis.cross(m.y_axis));
    if m.determinant() < 0.0 { cofactors * -1.0 } else { cofactors }
}

fn finish(material: &MaterialJson, assembly: &mut Assembly) -> Material {
    let pbr = &material.pbr_metallic_roughness;
    if pbr.base_color_texture.is_some() {
        assembly.warn("textures are not shown, only the colours of the materials");
    }
    let [r, g, b, a] = pbr.base_color_factor;
    let opaque = !matches!(material.alpha_mode.as_deref(), Some("BLEND" | "MASK"));
    Material {
        colour: [byte(srgb(r)), byte(srgb(g)), byte(srgb(b)), if opaque { 255 } else { byte(a) }],
        metallic: pbr.metallic_factor.clamp(0.0, 1.0) as f32,
        roughness: pbr.roughness_factor.clamp(0.0, 1.0) as f32,
        own_colour: true,
    }
}

/// A linear colour component as sRGB (IEC 61966-2-1).
fn srgb(linear: f64) -> f64 {
    if linear <= 0.003_130_8 {
        12.92 * linear
    } else {
        1.055 * fender_math::float::pow(linear, 1.0 / 2.4) - 0.055
    }
}
