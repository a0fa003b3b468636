//! Shapes as meshes: for bodies that show a box, a ball or a cylinder without colliding with it.

use super::assemble::Material;
use super::{MeshPart, VisualMesh};
use crate::tube::Tube;
use crate::{Polyhedron, Shape, TriMesh};
use fender_math::{Vec3, float};
use std::f64::consts::{PI, TAU};

/// Corners of a round outline.
const AROUND: u32 = 32;
/// Rings of vertices over a quarter of a circle, from a pole to the equator.
const RINGS: u32 = 8;

impl VisualMesh {
    /// The surface of a shape in its own frame [m], without colours of its own; nothing for a shape without end.
    pub fn of_shape(shape: &Shape) -> Option<Self> {
        let mut mesh = Self::default();
        match *shape {
            Shape::HalfSpace | Shape::Bore { .. } | Shape::Funnel { .. } | Shape::Edge { .. } => return None,
            Shape::Torus { .. } | Shape::HalfTorus { .. } | Shape::Link { .. } => {
                mesh.sweep(&Tube::of(shape)?);
            }
            Shape::Mesh(ref triangles) => mesh.facets(triangles),
            Shape::Polyhedron(ref polyhedron) => mesh.faces(polyhedron),
            Shape::Box { half } => mesh.cuboid(half),
            Shape::Sphere { radius } => mesh.turned(&round_ends(radius, 0.0)),
            Shape::Capsule { radius, half_height } => mesh.turned(&round_ends(radius, half_height)),
            Shape::Cylinder { radius, half_height: h } => {
                let (down, out, up) = ((0.0, -1.0), (1.0, 0.0), (0.0, 1.0));
                // The rims are there twice: the shading has an edge.
                mesh.turned(&[((0.0, -h), down), ((radius, -h), down)]);
                mesh.turned(&[((radius, -h), out), ((radius, h), out)]);
                mesh.turned(&[((radius, h), up), ((0.0, h), up)]);
            }
            Shape::Cone { radius, half_height: h } => {
                let (down, out) = ((0.0, -1.0), Vec3::new(2.0 * h, 0.0, radius).normalize());
                mesh.turned(&[((0.0, -h), down), ((radius, -h), down)]);
                mesh.turned(&[((radius, -h), (out.x, out.z)), ((0.0, h), (out.x, out.z))]);
            }
            Shape::Ellipsoid { radii } => {
                mesh.turned(&round_ends(1.0, 0.0));
                mesh.stretch(radii);
            }
        }
        let Material { colour, metallic, roughness, own_colour } = Material::NONE;
        let count = mesh.triangles.len() as u32;
        mesh.parts.push(MeshPart { first: 0, count, colour, metallic, roughness, own_colour });
        Some(mesh)
    }

    pub(super) fn vertex(&mut self, position: Vec3, normal: Vec3) -> u32 {
        let single = |v: Vec3| [v.x as f32, v.y as f32, v.z as f32];
        self.positions.push(single(position));
        self.normals.push(single(normal));
        self.positions.len() as u32 - 1
    }

    /// Every face with corners of its own: the shading has edges.
    fn faces(&mut self, polyhedron: &Polyhedron) {
        for (f, normal) in polyhedron.normals().iter().enumerate() {
            let corners = polyhedron.corners(f as u32);
            let at = |v: &u32| polyhedron.vertices()[*v as usize];
            let first = self.positions.len() as u32;
            for v in corners {
                self.vertex(at(v), *normal);
            }
            self.triangles.extend((1..corners.len() as u32 - 1).map(|k| [first, first + k, first + k + 1]));
        }
    }

    /// Scales along the axes; normals turn the other way.
    fn stretch(&mut self, by: Vec3) {
        let scaled = |v: [f32; 3], by: Vec3| Vec3::new(v[0].into(), v[1].into(), v[2].into()) * by;
        let single = |v: Vec3| [v.x as f32, v.y as f32, v.z as f32];
        for p in &mut self.positions {
            *p = single(scaled(*p, by));
        }
        for n in &mut self.normals {
            *n = single(scaled(*n, by.recip()).normalize());
        }
    }

    /// Triangles as they are, each flat.
    fn facets(&mut self, triangles: &TriMesh) {
        for f in 0..triangles.triangles().len() as u32 {
            let corners = triangles.corners(f).map(|p| self.vertex(p, triangles.normal(f)));
            self.triangles.push(corners);
        }
    }

    /// Six faces, each with corners of its own.
    fn cuboid(&mut self, half: Vec3) {
        for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
            for normal in [axis, -axis] {
                // Two axes that make a right-handed set with the normal.
                let u = Vec3::new(axis.z, axis.x, axis.y);
                let v = normal.cross(u);
                let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
                let [a, b, c, d] = corners.map(|(p, q)| self.vertex((normal + p * u + q * v) * half, normal));
                self.triangles.extend([[a, b, c], [a, c, d]]);
            }
        }
    }

    /// A surface of revolution about z. The outline goes upwards (outwards on a face that looks down): (distance from the axis, height) with
    /// its normal in the same plane. Nothing is added where two neighbours meet on the axis.
    fn turned(&mut self, outline: &[Outline]) {
        let first = self.positions.len() as u32;
        for ((r, z), (normal_r, normal_z)) in outline {
            for i in 0..AROUND {
                let (sin, cos) = float::sin_cos(TAU * f64::from(i) / f64::from(AROUND));
                self.vertex(
                    Vec3::new(r * cos, r * sin, *z),
                    Vec3::new(normal_r * cos, normal_r * sin, *normal_z),
                );
            }
        }
        for (ring, pair) in outline.windows(2).enumerate() {
            let lower = first + ring as u32 * AROUND;
            for i in 0..AROUND {
                let next = (i + 1) % AROUND;
                let [a, b] = [lower + i, lower + next];
                let [c, d] = [a + AROUND, b + AROUND];
                if pair[0].0.0 > 0.0 {
                    self.triangles.push([a, b, c]);
                }
                if pair[1].0.0 > 0.0 {
                    self.triangles.push([b, d, c]);
                }
            }
        }
    }
}

/// Distance from the axis and height, and the normal likewise.
type Outline = ((f64, f64), (f64, f64));

/// Outline of two half-circles, `half` above and below the middle.
fn round_ends(radius: f64, half: f64) -> Vec<Outline> {
    let ring = |i: u32, height: f64| {
        let (sin, cos) = float::sin_cos(PI * (f64::from(i) / f64::from(2 * RINGS) - 0.5));
        // On the axis exactly, so that no slivers are made there.
        let cos = if i == 0 || i == 2 * RINGS { 0.0 } else { cos };
        ((radius * cos, radius * sin + height), (cos, sin))
    };
    let mut outline: Vec<Outline> = (0..=RINGS).map(|i| ring(i, -half)).collect();
    let upper = if half > 0.0 { RINGS } else { RINGS + 1 };
    outline.extend((upper..=2 * RINGS).map(|i| ring(i, half)));
    outline
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(p: [f32; 3]) -> Vec3 {
        Vec3::new(p[0].into(), p[1].into(), p[2].into())
    }

    /// Volume inside the surface, by the divergence theorem: negative if triangles are seen from inside, too small if
    /// some are missing.
    fn volume(mesh: &VisualMesh) -> f64 {
        let corner = |i: u32| point(mesh.positions[i as usize]);
        mesh.triangles.iter().map(|t| corner(t[0]).dot(corner(t[1]).cross(corner(t[2]))) / 6.0).sum()
    }

    #[test]
    fn surfaces_are_closed_and_seen_from_outside() {
        let cylinder = Shape::Cylinder { radius: 0.5, half_height: 2.0 };
        let capsule = Shape::Capsule { radius: 0.5, half_height: 2.0 };
        for (shape, exact) in [
            (Shape::Box { half: Vec3::new(1.0, 2.0, 3.0) }, 48.0),
            (Shape::Sphere { radius: 2.0 }, 4.0 / 3.0 * PI * 8.0),
            (cylinder, PI),
            (capsule, PI + PI / 6.0),
            (Shape::Cone { radius: 0.5, half_height: 2.0 }, PI / 3.0),
            (Shape::Ellipsoid { radii: Vec3::new(1.0, 0.8, 0.5) }, 4.0 / 3.0 * PI * 0.4),
            // Pappus: area of the bar times the length of the spine.
            (Shape::Torus { radius: 1.0, tube: 0.3 }, PI * 0.09 * TAU),
            (Shape::HalfTorus { radius: 1.0, tube: 0.3 }, PI * 0.09 * (PI + 0.4)),
            (Shape::Link { radius: 1.0, half_straight: 0.7, tube: 0.3 }, PI * 0.09 * (TAU + 2.8)),
        ] {
            let mesh = VisualMesh::of_shape(&shape).expect("it has an end");
            // Chords instead of arcs: 0.6 % of the area of a circle of 32 corners, as much again over the rings.
            let got = volume(&mesh);
            assert!(got <= exact * (1.0 + 1e-6) && got > 0.98 * exact, "{shape:?}: {got}, {exact}");
            assert_eq!((mesh.parts.len(), mesh.parts[0].count as usize), (1, mesh.triangles.len()));
            for t in &mesh.triangles {
                let [a, b, c] = t.map(|i| point(mesh.positions[i as usize]));
                let across = (b - a).cross(c - a);
                assert!(across.length() > 1e-6, "{shape:?} has a triangle without area");
                for i in t {
                    let normal = point(mesh.normals[*i as usize]);
                    assert!((normal.length() - 1.0).abs() < 1e-6);
                    assert!(normal.dot(across.normalize()) > 0.9, "{shape:?}: a normal off its face");
                }
            }
        }
        assert_eq!(VisualMesh::of_shape(&Shape::HalfSpace), None);
    }
}
