//! The surface of contact of two solids as polygons with the depth at their corners: for pictures.
//!
//! A rigid solid with flat faces touches a soft one over those parts of its own surface that are inside: flat
//! polygons over which the depth is linear, and over which depth times stiffness is the pressure exactly. A
//! round solid is shown by its section with the face of each cell, with how much of the solid is below; what
//! of it is in a cell without reaching its face, near an edge of the soft solid, is not shown.

use super::convex::{RigidSolid, for_each_cell};
use super::polygon::{CutEdge, FaceSource};
use super::round::outline::{for_each_section, half_axes};
use super::{Soft, round, soft};
use crate::Shape;
use fender_contact::PatchOverlap;
use fender_math::{Pose, Vec3, float};
use std::f64::consts::TAU;

/// Corners of the polygon of a round section.
pub const RIM_CORNERS: usize = 24;

/// A corner of a polygon.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OutlinePoint {
    /// Its place in the world [m].
    pub point: Vec3,
    /// Depth below the soft solid's surface [m].
    pub depth: f64,
}

/// Depths between the centre of a polygon and its corners.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rings {
    /// A place inside of the polygon.
    pub center: OutlinePoint,
    /// Depths [m] on each ring in the order of the corners, the outermost ring first.
    pub depths: Vec<f64>,
}

impl Rings {
    /// Rings of a polygon.
    pub const COUNT: usize = 3;

    /// Where a ring, from 1 up to `COUNT`, lies between the centre (0) and the corners (1): all rings and the
    /// middle have the same area.
    pub fn fraction(ring: usize) -> f64 {
        (1.0 - ring as f64 / (Self::COUNT + 1) as f64).sqrt()
    }
}

/// A part of the surface of contact, counter-clockwise seen from inside of the soft solid.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OutlinePolygon {
    /// Its corners; the last one is followed by the first.
    pub corners: Vec<OutlinePoint>,
    /// Depths inside, if they do not follow from those of the corners: without, the polygon is flat and convex
    /// and the depth linear over it.
    pub rings: Option<Rings>,
}

impl OutlinePolygon {
    /// Visits triangles over which the depth is linear.
    pub fn for_each_triangle(&self, mut visit: impl FnMut([OutlinePoint; 3])) {
        let count = self.corners.len();
        let Some(rings) = &self.rings else {
            for i in 2..count {
                visit([self.corners[0], self.corners[i - 1], self.corners[i]]);
            }
            return;
        };
        let center = rings.center.point;
        let at = |ring: usize, i: usize| {
            let (i, corner) = (i % count, self.corners[i % count]);
            let Some(inner) = ring.checked_sub(1) else { return corner };
            OutlinePoint {
                point: center + (corner.point - center) * Rings::fraction(ring),
                depth: rings.depths[inner * count + i],
            }
        };
        for i in 0..count {
            for ring in 0..Rings::COUNT {
                let [a, b, c, d] = [at(ring, i), at(ring, i + 1), at(ring + 1, i + 1), at(ring + 1, i)];
                visit([a, b, c]);
                visit([a, c, d]);
            }
            visit([at(Rings::COUNT, i), at(Rings::COUNT, i + 1), rings.center]);
        }
    }

    /// Area times the unit normal into the soft solid [m²].
    pub fn area(&self) -> Vec3 {
        let mut sum = Vec3::ZERO;
        self.for_each_triangle(|triangle| sum += area(&triangle));
        sum
    }

    /// ∫ depth · normal dA, with the normal into the soft solid [m³]: times the stiffness of a foundation it is
    /// the force on the soft solid.
    pub fn push(&self) -> Vec3 {
        let mut sum = Vec3::ZERO;
        self.for_each_triangle(|t| sum += area(&t) * ((t[0].depth + t[1].depth + t[2].depth) / 3.0));
        sum
    }

    /// The greatest depth [m].
    pub fn deepest(&self) -> f64 {
        let rings = self.rings.iter().flat_map(|r| r.depths.iter().copied().chain([r.center.depth]));
        self.corners.iter().map(|corner| corner.depth).chain(rings).fold(0.0, f64::max)
    }

    /// The polygon in another frame.
    fn moved(mut self, pose: &Pose) -> Self {
        let centers = self.rings.iter_mut().map(|rings| &mut rings.center);
        for corner in self.corners.iter_mut().chain(centers) {
            corner.point = pose.transform_point(corner.point);
        }
        self
    }
}

fn area([a, b, c]: &[OutlinePoint; 3]) -> Vec3 {
    (b.point - a.point).cross(c.point - a.point) * 0.5
}

/// Adds the surface of contact of two solids to a list: nothing if they are apart, or of kinds without polygons.
///
/// Where both solids are soft it is the surface of one in that one which counts more, with the depth below
/// its surface: between faces both have the same.
pub fn outline(a: &Shape, pose_wa: &Pose, b: &Shape, pose_wb: &Pose, polygons: &mut Vec<OutlinePolygon>) {
    let is_first_soft = match soft(a, b) {
        Ok(Soft::First) => true,
        Ok(Soft::Second) => false,
        Ok(Soft::Both(weight)) => weight < 0.5,
        Err(_) => return,
    };
    let (rigid, rigid_pose, soft, soft_pose) =
        if is_first_soft { (b, pose_wb, a, pose_wa) } else { (a, pose_wa, b, pose_wb) };
    if round::is_round(rigid) {
        for_each_section(rigid, rigid_pose, soft, soft_pose, |p| polygons.push(p.moved(soft_pose)));
        return;
    }
    let Some(rigid) = RigidSolid::new(rigid, &soft_pose.inv_mul(rigid_pose)) else { return };
    for_each_cell(&rigid, soft, |cut| {
        for (source, edges) in cut.solid.faces() {
            if !matches!(source, FaceSource::Rigid(_)) {
                continue;
            }
            for_each_loop(edges, |corners| {
                let corners = corners.iter().map(|number| {
                    let place = cut.solid.points()[*number as usize];
                    let point = soft_pose.transform_point(cut.origin + place);
                    OutlinePoint { point, depth: (-cut.normal.dot(place)).max(0.0) }
                });
                polygons.push(OutlinePolygon { corners: corners.collect(), rings: None });
            });
        }
    });
}

/// Visits the closed loops of a face's edges by the numbers of their corners; mostly there is one.
fn for_each_loop(edges: &[CutEdge], mut visit: impl FnMut(&[u32])) {
    let mut rest: Vec<[u32; 2]> = edges.iter().map(|edge| edge.ends).collect();
    let mut corners = Vec::with_capacity(rest.len());
    while let Some([first, mut end]) = rest.pop() {
        corners.clear();
        corners.push(first);
        while end != first
            && let Some(next) = rest.iter().position(|ends| ends[0] == end)
        {
            corners.push(end);
            end = rest.swap_remove(next)[1];
        }
        if end == first && corners.len() > 2 {
            visit(&corners);
        }
    }
}

/// The patch as an ellipse of the same volume and spread, for kinds of solids without polygons: as if the
/// surfaces were paraboloids, which those of round solids nearly are. `None` for a patch without width.
pub fn ellipse(overlap: &PatchOverlap) -> Option<OutlinePolygon> {
    // Into the soft solid, whichever it is: pictures have no sides.
    let normal = overlap.push.try_normalize()?;
    // Over a paraboloid the mean of x² is a sixth of the square of the half axis, over a flat ellipse a quarter.
    let axes = half_axes(&overlap.second, normal, overlap.volume)?.map(|axis| axis * (6.0_f64 / 4.0).sqrt());
    let [long, short] = axes;
    let deepest = 2.0 * overlap.volume / (0.5 * TAU * long.length() * short.length());
    let corners = (0..RIM_CORNERS).map(|corner| {
        let (sin, cos) = float::sin_cos(TAU * corner as f64 / RIM_CORNERS as f64);
        OutlinePoint { point: overlap.point + long * cos + short * sin, depth: 0.0 }
    });
    let depths = (1..=Rings::COUNT).flat_map(|ring| {
        let depth = deepest * (1.0 - Rings::fraction(ring) * Rings::fraction(ring));
        std::iter::repeat_n(depth, RIM_CORNERS)
    });
    let rings =
        Rings { center: OutlinePoint { point: overlap.point, depth: deepest }, depths: depths.collect() };
    Some(OutlinePolygon { corners: corners.collect(), rings: Some(rings) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Polyhedron;
    use crate::pair::patch::overlap;
    use fender_math::Quat;
    use std::sync::Arc;

    /// Numbers between −1/2 and 1/2, the same in every run.
    struct Numbers(f64);

    impl Numbers {
        fn next(&mut self) -> f64 {
            self.0 += 1.0;
            let x = (self.0 * 12.9898).sin() * 43758.5453;
            x - x.floor() - 0.5
        }

        fn vector(&mut self) -> Vec3 {
            Vec3::new(self.next(), self.next(), self.next())
        }

        fn pose(&mut self, reach: f64) -> Pose {
            Pose { translation: self.vector() * reach, rotation: Quat::from_scaled_axis(self.vector() * 6.0) }
        }
    }

    fn outline_of(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> Vec<OutlinePolygon> {
        let mut polygons = Vec::new();
        outline(a, pose_a, b, pose_b, &mut polygons);
        polygons
    }

    fn push(polygons: &[OutlinePolygon]) -> Vec3 {
        polygons.iter().map(OutlinePolygon::push).fold(Vec3::ZERO, |sum, push| sum + push)
    }

    fn stone(numbers: &mut Numbers, corners: usize) -> Shape {
        let points: Vec<Vec3> = (0..corners).map(|_| numbers.vector().normalize()).collect();
        Shape::Polyhedron(Arc::new(Polyhedron::hull(&points).expect("not flat")))
    }

    #[test]
    fn pressure_over_flat_polygons_adds_up_to_the_push_of_the_patch() {
        let mut numbers = Numbers(0.0);
        let small = Shape::Box { half: Vec3::new(0.3, 0.25, 0.2) };
        let table = Shape::Box { half: Vec3::new(0.8, 0.7, 0.6) };
        let stones = [stone(&mut numbers, 12), stone(&mut numbers, 40)];
        let pairs = [
            (&small, &Shape::HalfSpace),
            (&small, &Shape::Edge { half_angle: 0.7 }),
            (&small, &table),
            (&small, &stones[0]),
            (&small, &stones[1]),
            (&stones[1], &Shape::HalfSpace),
        ];
        for (a, b) in pairs {
            let mut met = 0;
            for _ in 0..300 {
                let (pose_a, pose_b) = (numbers.pose(1.6), numbers.pose(0.0));
                let Some(overlap) = overlap(a, &pose_a, b, &pose_b) else { continue };
                met += 1;
                let polygons = outline_of(a, &pose_a, b, &pose_b);
                // The soft solid is the second one: what pushes it is against what pushes the first.
                assert!((push(&polygons) + overlap.push).length() < 1e-13, "{a:?} {b:?}");
                // The other way round it is the same surface.
                let swapped = outline_of(b, &pose_b, a, &pose_a);
                assert!((push(&swapped) - push(&polygons)).length() < 1e-14);
            }
            assert!(met > 20, "{met} of {a:?} {b:?}");
        }
    }

    #[test]
    fn polygons_are_closed_flat_and_seen_from_inside_of_the_soft_solid() {
        let mut numbers = Numbers(0.0);
        let small = Shape::Box { half: Vec3::new(0.3, 0.25, 0.2) };
        let big = stone(&mut numbers, 20);
        let mut seen = 0;
        for _ in 0..300 {
            let (pose_a, pose_b) = (numbers.pose(1.6), numbers.pose(0.0));
            for polygon in outline_of(&small, &pose_a, &big, &pose_b) {
                let area = polygon.area();
                if area.length() < 1e-9 {
                    continue;
                }
                seen += 1;
                let (normal, corners) = (area.normalize(), &polygon.corners);
                // Out of the rigid solid: its centre is behind every one of its faces.
                assert!(normal.dot(corners[0].point - pose_a.translation) > 0.0);
                let count = corners.len();
                for i in 0..count {
                    let [p, q, r] = [0, 1, 2].map(|k| corners[(i + k) % count].point);
                    assert!(normal.dot((q - p).cross(r - q)) > -1e-12, "{polygon:?}");
                    assert!(normal.dot(q - p).abs() < 1e-12);
                }
            }
        }
        assert!(seen > 200);
    }

    #[test]
    fn a_box_on_a_table_has_its_bottom_at_the_depth_of_the_overlap() {
        let small = Shape::Box { half: Vec3::new(0.3, 0.2, 0.1) };
        let pose = Pose { translation: Vec3::new(0.0, 0.0, 0.099), rotation: Quat::IDENTITY };
        // Equal boxes are both soft.
        for (b, height) in [(Shape::HalfSpace, 0.0), (small.clone(), -0.1)] {
            let pose_b = Pose { translation: Vec3::new(0.0, 0.0, height), rotation: Quat::IDENTITY };
            let polygons = outline_of(&small, &pose, &b, &pose_b);
            let bottom = polygons.iter().max_by(|p, q| p.push().length().total_cmp(&q.push().length()));
            let bottom = bottom.expect("they touch");
            assert!((bottom.area() - Vec3::new(0.0, 0.0, -0.24)).length() < 2e-3);
            assert!(bottom.corners.len() == 4 && bottom.rings.is_none());
            assert!(bottom.corners.iter().all(|c| (c.depth - 1e-3).abs() < 1e-12), "{bottom:?}");
        }
    }

    #[test]
    fn pressure_over_round_sections_is_that_of_the_patch_but_for_a_few_percent() {
        let mut numbers = Numbers(0.0);
        let rounds = [
            Shape::Sphere { radius: 0.3 },
            Shape::Cylinder { radius: 0.2, half_height: 0.3 },
            Shape::Cone { radius: 0.3, half_height: 0.3 },
            Shape::Capsule { radius: 0.15, half_height: 0.3 },
            Shape::Ellipsoid { radii: Vec3::new(0.3, 0.2, 0.15) },
        ];
        let table = Shape::Box { half: Vec3::new(1.0, 0.8, 0.6) };
        for a in &rounds {
            for b in [&Shape::HalfSpace, &table] {
                let (mut met, mut sum, mut most) = (0, 0.0, 0.0_f64);
                for _ in 0..600 {
                    // Just below the top, some of them over an edge.
                    let mut pose_a = numbers.pose(2.0);
                    let low = closest_low(a, &pose_a);
                    let top = if matches!(b, Shape::HalfSpace) { 0.0 } else { 0.6 };
                    pose_a.translation.z += top - 0.005 - low;
                    let pose_b = Pose::IDENTITY;
                    let Some(overlap) = overlap(a, &pose_a, b, &pose_b) else { continue };
                    let polygons = outline_of(a, &pose_a, b, &pose_b);
                    if polygons.len() > 1 || overlap.push.normalize().z < 0.999 {
                        continue;
                    }
                    met += 1;
                    let push = push(&polygons);
                    let off = (push + overlap.push).length() / overlap.push.length();
                    (sum, most) = (sum + off, most.max(off));
                    assert!(push.z < 0.0, "seen from inside of the soft solid");
                }
                assert!(met > 100, "{met} of {a:?} {b:?}");
                let mean = sum / f64::from(met);
                assert!(mean < 0.04 && most < 0.08, "{mean}, {most}: {a:?} {b:?}");
            }
        }
    }

    /// Height of the lowest place of a shape.
    fn closest_low(shape: &Shape, pose: &Pose) -> f64 {
        let mut low = f64::INFINITY;
        // Overlaps with half-spaces begin there.
        let (mut inside, mut outside) = (-2.0, 2.0);
        for _ in 0..60 {
            let height = 0.5 * (inside + outside);
            let floor = Pose {
                translation: Vec3::new(0.0, 0.0, pose.translation.z + height),
                rotation: Quat::IDENTITY,
            };
            if overlap(shape, pose, &Shape::HalfSpace, &floor).is_some() {
                outside = height;
            } else {
                inside = height;
            }
            low = pose.translation.z + height;
        }
        low
    }

    #[test]
    fn a_standing_can_has_an_even_disc_and_a_ball_a_cap() {
        let at = |z: f64| Pose { translation: Vec3::new(0.0, 0.0, z), rotation: Quat::IDENTITY };
        let can = Shape::Cylinder { radius: 0.2, half_height: 0.3 };
        let [disc] = &outline_of(&can, &at(0.299), &Shape::HalfSpace, &at(0.0))[..] else { panic!() };
        let rings = disc.rings.as_ref().expect("round");
        let depths = disc.corners.iter().map(|c| c.depth).chain(rings.depths.iter().copied());
        assert!(depths.chain([rings.center.depth]).all(|depth| (depth - 1e-3).abs() < 1e-12));
        assert!(disc.corners.iter().all(|c| (c.point.length() - 0.2).abs() < 1e-12));
        let ball = Shape::Sphere { radius: 0.2 };
        let [cap] = &outline_of(&ball, &at(0.199), &Shape::HalfSpace, &at(0.0))[..] else { panic!() };
        let radius = (0.2_f64 * 0.2 - 0.199 * 0.199).sqrt();
        assert!(cap.corners.iter().all(|c| (c.point.length() - radius).abs() < 1e-9 && c.depth < 1e-4));
        assert!((cap.deepest() - 1e-3).abs() < 1e-12);
        // The ellipse for solids without polygons is nearly the same.
        let overlap = overlap(&ball, &at(0.199), &Shape::HalfSpace, &at(0.0)).expect("they touch");
        let other = ellipse(&overlap).expect("it has a width");
        assert!((other.deepest() / 1e-3 - 1.0).abs() < 0.01);
        assert!(
            other.corners.iter().all(|c| ((c.point - overlap.point).length() / radius - 1.0).abs() < 0.01)
        );
        assert!((other.push().length() / overlap.push.length() - 1.0).abs() < 0.05);
    }
}
