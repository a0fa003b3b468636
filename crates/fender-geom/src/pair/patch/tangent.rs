//! How the push and the turn of a patch change with a motion of the bodies.

use super::convex::{CellCut, RigidSolid, for_each_cell};
use super::polygon::FaceSource;
use crate::Shape;
use fender_math::{Mat3, Pose, Vec3};

/// Derivatives of a wrench about a point p that is at rest in the second body, by a displacement u of the
/// first body and its rotation θ about p: the force changes by `force_by_shift`·u + `force_by_turn`·θ, its
/// moment about p by `moment_by_shift`·u + `moment_by_turn`·θ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WrenchTangent {
    /// Of the force by displacement.
    pub force_by_shift: Mat3,
    /// Of the force by rotation.
    pub force_by_turn: Mat3,
    /// Of the moment by displacement.
    pub moment_by_shift: Mat3,
    /// Of the moment by rotation.
    pub moment_by_turn: Mat3,
}

/// No change. Not derived, because the default matrix is the identity.
impl Default for WrenchTangent {
    fn default() -> Self {
        let none = Mat3::ZERO;
        Self { force_by_shift: none, force_by_turn: none, moment_by_shift: none, moment_by_turn: none }
    }
}

/// Second derivatives of a patch's moment of depth and volume. They are not symmetric where the push or its
/// moment is not zero: rotations do not commute.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PatchTangent {
    /// Of `push` and `turn`, taken about p: displacement [m²], rotation [m³] and, for the moment, [m³] and
    /// [m⁴].
    pub push: WrenchTangent,
    /// Of `section` and `section_turn`, taken about p: [m], [m²] and, for the moment, [m²] and [m³].
    pub section: WrenchTangent,
}

/// a bᵀ.
fn outer(a: Vec3, b: Vec3) -> Mat3 {
    Mat3::from_cols(a * b.x, a * b.y, a * b.z)
}

/// The matrix of v ↦ a × v.
fn cross(a: Vec3) -> Mat3 {
    Mat3::from_cols(a.cross(Vec3::X), a.cross(Vec3::Y), a.cross(Vec3::Z))
}

/// ∫xxᵀ about another point, with the integrals `measure` = ∫1 and `first` = ∫x, that is `shift` before the
/// origin.
pub(super) fn shifted(second: Mat3, first: Vec3, measure: f64, shift: Vec3) -> Mat3 {
    second + outer(first, shift) + outer(shift, first) + outer(shift, shift) * measure
}

impl WrenchTangent {
    /// Adds a bᵀ for a unit force along `a` and one along `b`, both at a place `x` from p.
    fn add_outer(&mut self, x: Vec3, a: Vec3, b: Vec3) {
        let (moment_a, moment_b) = (x.cross(a), x.cross(b));
        self.force_by_shift += outer(a, b);
        self.force_by_turn += outer(a, moment_b);
        self.moment_by_shift += outer(moment_a, b);
        self.moment_by_turn += outer(moment_a, moment_b);
    }

    /// Adds `weight`·∫j jᵀ dA over a plane section with a unit normal n, with j = (n, x × n), by its moments
    /// about p.
    fn add_section(&mut self, normal: Vec3, weight: f64, area: f64, first: Vec3, second: Mat3) {
        let moment = first.cross(normal);
        // x × n = −n × x
        let turn = cross(normal);
        self.force_by_shift += outer(normal, normal) * (weight * area);
        self.force_by_turn += outer(normal, moment) * weight;
        self.moment_by_shift += outer(moment, normal) * weight;
        self.moment_by_turn += turn * second * turn.transpose() * weight;
    }

    /// From the motion of the rigid body in the frame of the soft one, to the motion of the soft body, which
    /// is the first: with the wrench on the first body.
    fn turn_over(&mut self, force: Vec3, moment: Vec3) {
        self.force_by_turn -= cross(force);
        self.moment_by_shift -= cross(force);
        self.moment_by_turn -= cross(moment);
    }

    fn rotated(&self, rotation: Mat3) -> Self {
        let rotated = |m: Mat3| rotation * m * rotation.transpose();
        Self {
            force_by_shift: rotated(self.force_by_shift),
            force_by_turn: rotated(self.force_by_turn),
            moment_by_shift: rotated(self.moment_by_shift),
            moment_by_turn: rotated(self.moment_by_turn),
        }
    }

    fn sum(&self, weight: f64, other: &Self, other_weight: f64) -> Self {
        let sum = |a: Mat3, b: Mat3| a * weight + b * other_weight;
        Self {
            force_by_shift: sum(self.force_by_shift, other.force_by_shift),
            force_by_turn: sum(self.force_by_turn, other.force_by_turn),
            moment_by_shift: sum(self.moment_by_shift, other.moment_by_shift),
            moment_by_turn: sum(self.moment_by_turn, other.moment_by_turn),
        }
    }
}

impl PatchTangent {
    /// `weight`·self + `other_weight`·other.
    pub(super) fn sum(&self, weight: f64, other: &Self, other_weight: f64) -> Self {
        Self {
            push: self.push.sum(weight, &other.push, other_weight),
            section: self.section.sum(weight, &other.section, other_weight),
        }
    }
}

/// Sum over the cells, in the soft solid's frame.
#[derive(Default)]
pub(super) struct TangentSum {
    tangent: PatchTangent,
    volume: f64,
    force: Vec3,
    moment: Vec3,
    section: Vec3,
    section_moment: Vec3,
}

impl TangentSum {
    /// Adds what is in a cell with this normal: ∫x is about p.
    pub fn add_volume(&mut self, normal: Vec3, volume: f64, first: Vec3) {
        let force = normal * volume;
        self.volume += volume;
        self.force += force;
        self.moment += first.cross(normal);
        let push = &mut self.tangent.push;
        // Each place keeps its force, and its arm about p changes: u × n and (θ × x) × n.
        push.moment_by_shift -= cross(force);
        push.moment_by_turn += outer(first, normal) - Mat3::from_diagonal(Vec3::splat(first.dot(normal)));
    }

    /// Adds the section of a wall, once for both cells, with its moments about p. `turn` is that of the wall.
    pub fn add_wall(&mut self, normal: Vec3, turn: f64, area: f64, first: Vec3, second: Mat3) {
        // What passes a wall changes from the one normal to the other.
        self.tangent.push.add_section(normal, turn, area, first, second);
    }

    /// Adds the section of a face, with its moments about p.
    pub fn add_face(&mut self, normal: Vec3, area: f64, first: Vec3, second: Mat3) {
        // What leaves through the face is gone.
        self.tangent.push.add_section(normal, -1.0, area, first, second);
        self.section += normal * area;
        self.section_moment += first.cross(normal);
    }

    /// Adds a part of the border of a face's section, at a place `x` from p: its length times `weight`, where
    /// the surface of the rigid solid has the outward normal `side`.
    pub fn add_border(&mut self, normal: Vec3, x: Vec3, side: Vec3, weight: f64) {
        self.tangent.section.add_outer(x, normal * weight, side);
    }

    /// Adds a part of the rigid solid's surface, by its outward normal with the length of its area, at a place
    /// `x` from p, with the depth and its derivative by the place.
    pub fn add_surface(&mut self, normal: Vec3, x: Vec3, depth: f64, gradient: Vec3) {
        let moment = x.cross(normal);
        self.volume += depth * normal.length();
        self.force -= normal * depth;
        self.moment -= moment * depth;
        self.section -= normal;
        self.section_moment -= moment;
        self.tangent.push.add_outer(x, -normal, gradient);
    }

    /// Adds another sum about the same point.
    pub fn join(&mut self, other: &Self) {
        self.tangent = self.tangent.sum(1.0, &other.tangent, 1.0);
        self.volume += other.volume;
        self.force += other.force;
        self.moment += other.moment;
        self.section += other.section;
        self.section_moment += other.section_moment;
    }

    /// The tangent of what was added by its surface, which turns with the rigid solid.
    pub fn finish_surface(mut self, soft_pose: &Pose, soft_is_first: bool) -> Option<PatchTangent> {
        self.tangent.push.turn_over(self.force, self.moment);
        self.tangent.section.turn_over(self.section, self.section_moment);
        self.finish(soft_pose, soft_is_first)
    }

    /// The tangent in the world; `None` if there is no overlap. The soft solid has this pose.
    pub fn finish(self, soft_pose: &Pose, soft_is_first: bool) -> Option<PatchTangent> {
        if self.volume.is_nan() || self.volume <= 0.0 {
            return None;
        }
        let mut tangent = self.tangent;
        if soft_is_first {
            tangent.push.turn_over(-self.force, -self.moment);
            tangent.section.turn_over(-self.section, -self.section_moment);
        }
        let rotation = Mat3::from_quat(soft_pose.rotation);
        Some(PatchTangent {
            push: tangent.push.rotated(rotation),
            section: tangent.section.rotated(rotation),
        })
    }

    /// Adds a cell. `shift` leads from p to the cell's origin [m].
    fn add(&mut self, rigid: &RigidSolid, cut: &CellCut, shift: Vec3) {
        let normal = cut.normal;
        let moments = cut.solid.moments();
        self.add_volume(normal, moments.volume, moments.first + shift * moments.volume);
        for (source, edges) in cut.solid.faces() {
            let wall = match source {
                FaceSource::Top => None,
                FaceSource::Wall(k) => match cut.walls.get(k as usize) {
                    // Each wall once, from the cell with the lower number.
                    Some(wall) if wall.behind as usize > cut.number => Some(wall),
                    _ => continue,
                },
                FaceSource::Rigid(_) => continue,
            };
            let plane_normal = wall.map_or(normal, |wall| wall.plane.normal);
            let section = cut.solid.section(edges, plane_normal);
            let first = section.first + shift * section.area;
            let second = cut.solid.section_second(edges, plane_normal);
            let second = shifted(second, section.first, section.area, shift);
            match wall {
                Some(wall) => self.add_wall(plane_normal, wall.turn, section.area, first, second),
                None => self.add_face(plane_normal, section.area, first, second),
            }
        }
        for edge in cut.top() {
            let Some(FaceSource::Rigid(face)) = edge.beyond else { continue };
            let side = rigid.normal(face);
            let along = normal.cross(side);
            let [a, b] = cut.solid.ends(edge).map(|p| p + shift);
            // Length over the sine between the two faces: the edge moves as much faster than the face.
            let weight = (b - a).dot(along) / along.length_squared();
            if weight.is_finite() {
                // Simpson's rule is exact for squares.
                for (x, part) in [(a, 1.0 / 6.0), (0.5 * (a + b), 4.0 / 6.0), (b, 1.0 / 6.0)] {
                    self.add_border(normal, x, side, weight * part);
                }
            }
        }
    }
}

/// The tangent of the overlap of a rigid solid with a soft one; both have flat faces.
pub(super) fn flat_tangent(
    rigid: &Shape,
    rigid_pose: &Pose,
    soft: &Shape,
    soft_pose: &Pose,
    soft_is_first: bool,
    about: Vec3,
) -> Option<PatchTangent> {
    let rigid = RigidSolid::new(rigid, &soft_pose.inv_mul(rigid_pose))?;
    let about = soft_pose.inverse_transform_point(about);
    let mut sum = TangentSum::default();
    for_each_cell(&rigid, soft, |cut| sum.add(&rigid, cut, cut.origin - about));
    sum.finish(soft_pose, soft_is_first)
}
