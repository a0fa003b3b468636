//! Overlaps of two solids in a volume.
//!
//! One of the two is soft ([`soft()`]). If it has flat faces it is cut into cells ([`cells`]), one for each
//! of its faces, in which the depth below the surface is linear; the other one is rigid and is cut by the
//! planes of the cells. If both are round, integrals go over the surface of the rigid one in the soft one
//! (`curved`). Every function here is pure.

pub mod cells;
mod convex;
mod curved;
mod gauss;
mod moments;
pub mod outline;
mod polygon;
mod round;
mod soft;
mod tangent;

pub use cells::inradius;
pub use moments::{CellMoments, PatchMoments, SectionMoments};
pub use soft::{Soft, soft};
pub use tangent::{PatchTangent, WrenchTangent};

use crate::Shape;
use crate::narrow::Unsupported;
use fender_contact::PatchOverlap;
use fender_math::{Pose, Vec3};

/// Whether the overlap of two solids can be computed. To be asked when a model is made, also because it
/// prepares the cells of a polyhedron.
pub fn supported(a: &Shape, b: &Shape) -> Result<(), Unsupported> {
    let unsupported = Unsupported { a: a.noun(), b: b.noun() };
    let rigid = match soft(a, b)? {
        Soft::First => b,
        Soft::Second | Soft::Both(_) => a,
    };
    match rigid {
        Shape::Box { .. } | Shape::Polyhedron(_) => Ok(()),
        // Of two round solids `soft` takes those only that there are overlaps of.
        _ if round::is_round(rigid) => Ok(()),
        _ => Err(unsupported),
    }
}

/// The overlap of two solids, `a` the first; `None` if they are apart, or not supported.
pub fn overlap(a: &Shape, pose_wa: &Pose, b: &Shape, pose_wb: &Pose) -> Option<PatchOverlap> {
    match soft(a, b).ok()? {
        Soft::First => overlap_in_soft(b, pose_wb, a, pose_wa, true),
        Soft::Second => overlap_in_soft(a, pose_wa, b, pose_wb, false),
        Soft::Both(weight) => {
            let second = overlap_in_soft(a, pose_wa, b, pose_wb, false)?;
            let first = overlap_in_soft(b, pose_wb, a, pose_wa, true)?;
            Some(weighted(&second, weight, &first))
        }
    }
}

/// The derivatives of an overlap's wrenches about the point `about` in the world [m], which is at rest in the
/// second body; `None` if the two solids are apart, or not supported.
pub fn tangent(a: &Shape, pose_wa: &Pose, b: &Shape, pose_wb: &Pose, about: Vec3) -> Option<PatchTangent> {
    match soft(a, b).ok()? {
        Soft::First => tangent_in_soft(b, pose_wb, a, pose_wa, true, about),
        Soft::Second => tangent_in_soft(a, pose_wa, b, pose_wb, false, about),
        Soft::Both(weight) => {
            let second = tangent_in_soft(a, pose_wa, b, pose_wb, false, about)?;
            let first = tangent_in_soft(b, pose_wb, a, pose_wa, true, about)?;
            Some(second.sum(weight, &first, 1.0 - weight))
        }
    }
}

/// The overlap of a rigid solid with a soft one, by the rigid one's kind.
fn overlap_in_soft(
    rigid: &Shape,
    rigid_pose: &Pose,
    soft: &Shape,
    soft_pose: &Pose,
    soft_is_first: bool,
) -> Option<PatchOverlap> {
    match rigid {
        Shape::Box { .. } | Shape::Polyhedron(_) => {
            convex::overlap(rigid, rigid_pose, soft, soft_pose, soft_is_first)
        }
        _ if curved::is_curved(soft) => curved::overlap(rigid, rigid_pose, soft, soft_pose, soft_is_first),
        _ => round::overlap(rigid, rigid_pose, soft, soft_pose, soft_is_first),
    }
}

/// The tangent of the overlap of a rigid solid with a soft one, by the rigid one's kind.
fn tangent_in_soft(
    rigid: &Shape,
    rigid_pose: &Pose,
    soft: &Shape,
    soft_pose: &Pose,
    soft_is_first: bool,
    about: Vec3,
) -> Option<PatchTangent> {
    match rigid {
        Shape::Box { .. } | Shape::Polyhedron(_) => {
            tangent::flat_tangent(rigid, rigid_pose, soft, soft_pose, soft_is_first, about)
        }
        _ if curved::is_curved(soft) => {
            curved::tangent(rigid, rigid_pose, soft, soft_pose, soft_is_first, about)
        }
        _ => round::tangent(rigid, rigid_pose, soft, soft_pose, soft_is_first, about),
    }
}

/// `weight`·p + (1 − `weight`)·q of the same two solids, about the mean of both centroids.
fn weighted(p: &PatchOverlap, weight: f64, q: &PatchOverlap) -> PatchOverlap {
    let other = 1.0 - weight;
    let point = p.point * weight + q.point * other;
    let about = |o: &PatchOverlap| {
        let arm = o.point - point;
        (o.turn + arm.cross(o.push), o.section_turn + arm.cross(o.section))
    };
    let ((turn_p, section_turn_p), (turn_q, section_turn_q)) = (about(p), about(q));
    PatchOverlap {
        point,
        moment: p.moment * weight + q.moment * other,
        volume: p.volume * weight + q.volume * other,
        push: p.push * weight + q.push * other,
        turn: turn_p * weight + turn_q * other,
        section: p.section * weight + q.section * other,
        section_turn: section_turn_p * weight + section_turn_q * other,
        second: p.second * weight + q.second * other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Polyhedron;
    use fender_math::Quat;
    use std::sync::Arc;

    /// What is in both solids is the same whichever of them is cut into cells.
    #[test]
    fn volume_does_not_depend_on_which_is_soft() {
        let mut seed = 0.0_f64;
        let mut unit = || {
            seed += 1.0;
            let x = (seed * 12.9898).sin() * 43758.5453;
            x - x.floor()
        };
        let mut vector = || Vec3::new(unit() - 0.5, unit() - 0.5, unit() - 0.5);
        let stone =
            |points: Vec<Vec3>| Shape::Polyhedron(Arc::new(Polyhedron::hull(&points).expect("not flat")));
        let a = stone((0..12).map(|_| vector().normalize()).collect());
        let many = stone((0..40).map(|_| vector().normalize()).collect());
        let b = Shape::Box { half: Vec3::new(0.8, 0.6, 0.5) };
        for (a, b) in [(&a, &b), (&b, &b), (&a, &many), (&b, &many)] {
            let mut met = 0;
            for _ in 0..1000 {
                let pose = |shift: Vec3, turn: Vec3| Pose {
                    translation: shift * 2.5,
                    rotation: Quat::from_scaled_axis(turn * 6.0),
                };
                let (pose_a, pose_b) = (pose(vector(), vector()), pose(Vec3::ZERO, vector()));
                let p = overlap_in_soft(a, &pose_a, b, &pose_b, false);
                let q = overlap_in_soft(b, &pose_b, a, &pose_a, true);
                let volume = |o: &Option<PatchOverlap>| o.map_or(0.0, |o| o.volume);
                assert!((volume(&p) - volume(&q)).abs() < 1e-14, "{p:?} {q:?}");
                if let (Some(p), Some(q)) = (p, q) {
                    met += 1;
                    assert!((p.point - q.point).length() * p.volume < 1e-14);
                    let second = p.second - q.second;
                    assert!(second.x_axis.length() + second.y_axis.length() < 1e-13);
                    // Both are the gradient of V.
                    let step = (p.section - q.section).length();
                    assert!(step < 1e-12, "{p:?} {q:?}");
                }
            }
            assert!(met > 200);
        }
    }
}
