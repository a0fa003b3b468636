//! A mesh while it is put together: what all formats have in common.

use super::error::{MeshError, MeshProblem, Place};
use super::look::counted;
use super::{LARGEST, MAX_SIZE, MeshPart, VisualMesh};
use fender_math::Vec3;

/// Colour and finish.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Material {
    pub colour: [u8; 4],
    pub metallic: f32,
    pub roughness: f32,
    pub own_colour: bool,
}

impl Material {
    /// What has no material is light grey and dull.
    pub const NONE: Self =
        Self { colour: [200, 200, 205, 255], metallic: 0.0, roughness: 0.8, own_colour: false };
}

/// A mesh that grows.
#[derive(Debug, Default)]
pub(super) struct Assembly {
    mesh: VisualMesh,
    /// Triangles that were left out.
    without_area: usize,
}

impl Assembly {
    /// The triangles that follow look like this.
    pub fn start_part(&mut self, material: &Material) {
        let Material { colour, metallic, roughness, own_colour } = *material;
        let first = self.mesh.triangles.len() as u32;
        let part = MeshPart { first, count: 0, colour, metallic, roughness, own_colour };
        match self.mesh.parts.last_mut() {
            Some(last) if last.count == 0 => *last = part,
            Some(last) if (MeshPart { first: last.first, count: last.count, ..part }) == *last => {}
            _ => self.mesh.parts.push(part),
        }
    }

    /// Adds a vertex and gives its index. A zero normal is replaced at the end by that of a triangle.
    pub fn vertex(
        &mut self,
        position: Vec3,
        normal: Vec3,
        place: &dyn Fn() -> Place,
    ) -> Result<u32, MeshError> {
        if self.mesh.positions.len() >= MAX_SIZE {
            return Err(MeshError::new(Place::File, MeshProblem::TooLarge));
        }
        check(position, place)?;
        if !normal.is_finite() {
            return Err(MeshError::new(place(), MeshProblem::NotFinite));
        }
        let single = [position.x as f32, position.y as f32, position.z as f32];
        let normal = normal.normalize_or_zero();
        self.mesh.positions.push(single);
        self.mesh.normals.push([normal.x as f32, normal.y as f32, normal.z as f32]);
        Ok(self.mesh.positions.len() as u32 - 1)
    }

    /// Adds a triangle of vertices that exist.
    pub fn triangle(&mut self, corners: [u32; 3]) -> Result<(), MeshError> {
        if self.mesh.triangles.len() >= MAX_SIZE {
            return Err(MeshError::new(Place::File, MeshProblem::TooLarge));
        }
        self.mesh.triangles.push(corners);
        if let Some(part) = self.mesh.parts.last_mut() {
            part.count += 1;
        }
        Ok(())
    }

    /// Adds a triangle with corners of its own and the normal of its plane; nothing if it has no area.
    pub fn flat_triangle(&mut self, corners: [Vec3; 3], place: &dyn Fn() -> Place) -> Result<(), MeshError> {
        // Corners first, so that one that is not finite is found even if there is no area.
        corners.iter().try_for_each(|c| check(*c, place))?;
        let Some(normal) = plane_normal(corners) else {
            self.leave_out();
            return Ok(());
        };
        let mut indices = [0; 3];
        for (index, corner) in indices.iter_mut().zip(corners) {
            *index = self.vertex(corner, normal, place)?;
        }
        self.triangle(indices)
    }

    /// Notes a triangle without area, which is not added.
    pub fn leave_out(&mut self) {
        self.without_area += 1;
    }

    /// Says once that something is not shown.
    pub fn warn(&mut self, message: impl Into<String>) {
        let message = message.into();
        if !self.mesh.warnings.contains(&message) {
            self.mesh.warnings.push(message);
        }
    }

    /// The whole mesh, if there is anything to see. `instead` says what the file has in place of triangles.
    pub fn finish(self, instead: impl FnOnce() -> String) -> Result<VisualMesh, MeshError> {
        let mut mesh = self.mesh;
        mesh.parts.retain(|part| part.count > 0);
        if mesh.triangles.is_empty() {
            let what = match self.without_area {
                0 => instead(),
                1 => "the only one has no area".into(),
                n => format!("all {} have no area", counted(n, "triangle", "triangles")),
            };
            return Err(MeshError::new(Place::File, MeshProblem::Empty(what)));
        }
        let point = |p: [f32; 3]| Vec3::new(p[0].into(), p[1].into(), p[2].into());
        for triangle in &mesh.triangles {
            if triangle.iter().any(|i| mesh.normals[*i as usize] == [0.0; 3]) {
                let corners = triangle.map(|i| point(mesh.positions[i as usize]));
                let normal = plane_normal(corners).unwrap_or(Vec3::Z);
                for i in triangle
                    .iter()
                    .filter(|i| mesh.normals[**i as usize] == [0.0; 3])
                    .copied()
                    .collect::<Vec<_>>()
                {
                    mesh.normals[i as usize] = [normal.x as f32, normal.y as f32, normal.z as f32];
                }
            }
        }
        Ok(mesh)
    }
}

/// Refuses a vector that single precision cannot hold.
pub(super) fn check(v: Vec3, place: &dyn Fn() -> Place) -> Result<(), MeshError> {
    let problem = match v.to_array() {
        numbers if numbers.iter().any(|x| !x.is_finite()) => MeshProblem::NotFinite,
        numbers => match numbers.into_iter().find(|x| x.abs() > LARGEST) {
            Some(number) => MeshProblem::TooFar(number),
            None => return Ok(()),
        },
    };
    Err(MeshError::new(place(), problem))
}

/// Unit normal of a triangle; none if it has no area.
pub(super) fn plane_normal([a, b, c]: [Vec3; 3]) -> Option<Vec3> {
    let (u, v) = (b - a, c - a);
    // Scaled first: the product of small edges must not vanish, nor that of long ones overflow.
    let size = u.abs().max_element().max(v.abs().max_element());
    if size == 0.0 {
        return None;
    }
    let normal = (u / size).cross(v / size);
    let length = normal.length();
    (length > 1e-14).then(|| normal / length)
}

/// A colour component from 0 to 1 as a byte.
pub(super) fn byte(value: f64) -> u8 {
    (value.clamp(0.0, 1.0) * 255.0).round() as u8
}
