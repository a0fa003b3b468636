//! A frame on one body against a frame on another: coincident points, shared axes, hinges, welds.
//!
//! With d from the first frame's origin to the second's and e an axis of the first frame, a locked direction is the row
//! φ = e·d, where e goes with the first body. Locked turning is φ = e_a·e_b for axes that must stay square.

use super::{Anchor, Closure, Instant, LoopState, Rows};
use crate::BodyId;
use crate::data::BodyKinematics;
use crate::tangent::TangentSink;
use fender_math::{Pose, Vec3, Wrench};

/// How the second frame may turn in the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turning {
    /// Any way.
    Free,
    /// About the z axes, which stay parallel.
    About,
    /// Not at all.
    Locked,
}

/// Two frames held together in some directions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// First body; `None` for the world.
    pub a: Option<BodyId>,
    /// Second body; `None` for the world.
    pub b: Option<BodyId>,
    /// Frame on the first body.
    pub frame_a: Pose,
    /// Frame on the second body.
    pub frame_b: Pose,
    /// Along which axes of the first frame the origins stay together.
    pub locked: [bool; 3],
    /// How the second may turn.
    pub turning: Turning,
    /// Name as written in scenario files.
    pub kind: &'static str,
}

/// ω × (ω × r): what turning adds to the acceleration of a point.
fn centripetal(body: &BodyKinematics, point: Vec3) -> Vec3 {
    let omega = body.twist.angular;
    omega.cross(omega.cross(point - body.center))
}

/// The axes of a frame in the world.
fn axes(pose: &Pose) -> [Vec3; 3] {
    [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| pose.rotation * axis)
}

impl Frame {
    /// Axes of the first frame, and of the second, that stay square to each other.
    fn square(&self) -> &'static [(usize, usize)] {
        match self.turning {
            Turning::Free => &[],
            Turning::About => &[(0, 2), (1, 2)],
            Turning::Locked => &[(0, 2), (1, 2), (1, 0)],
        }
    }

    /// Both frames in the world.
    fn placed(&self, at: &Instant<'_>, a: &BodyKinematics, b: &BodyKinematics) -> (Pose, Pose) {
        let pose_a = a.pose * self.frame_a;
        // A weld made during the run holds the bodies as they were then.
        let held = at.state.pose.map(|pose_ab| pose_ab.inverse() * self.frame_a);
        (pose_a, b.pose * held.unwrap_or(self.frame_b))
    }
}

impl Closure for Frame {
    fn name(&self) -> &'static str {
        self.kind
    }

    fn count(&self) -> usize {
        self.square().len() + self.locked.iter().filter(|locked| **locked).count()
    }

    fn bodies(&self) -> Vec<Option<BodyId>> {
        vec![self.a, self.b]
    }

    fn anchors(&self) -> Vec<Anchor> {
        let anchor = |body, frame: &Pose| Anchor { body, point: frame.translation };
        vec![anchor(self.a, &self.frame_a), anchor(self.b, &self.frame_b)]
    }

    fn axis(&self) -> Option<Vec3> {
        (self.turning == Turning::About).then(|| self.frame_a.rotation * Vec3::Z)
    }

    fn rows(&self, at: &Instant<'_>, out: &mut Rows) {
        let (a, b) = (at.body(self.a), at.body(self.b));
        let (pose_a, pose_b) = self.placed(at, &a, &b);
        let (ea, eb) = (axes(&pose_a), axes(&pose_b));
        let point = pose_b.translation;
        let d = point - pose_a.translation;
        // The point of the first body that is where the second's is: relative to it everything is as seen from there.
        let slip = b.velocity_at(point) - a.velocity_at(point);
        let pulled = centripetal(&b, point) - centripetal(&a, point) - a.twist.angular.cross(slip) * 2.0;
        for (e, locked) in ea.iter().zip(self.locked) {
            if locked {
                out.row(e.dot(d), 0.0, e.dot(pulled));
                out.arm(0, Wrench::from_force_at(-*e, point - a.center));
                out.arm(1, Wrench::from_force_at(*e, point - b.center));
            }
        }
        let (wa, wb) = (a.twist.angular, b.twist.angular);
        for &(i, j) in self.square() {
            let (e, f) = (ea[i], eb[j]);
            let torque = f.cross(e);
            let turned = wb.cross(f).cross(e) + f.cross(wa.cross(e));
            out.row(e.dot(f), 0.0, (wb - wa).dot(turned));
            out.arm(0, Wrench { force: Vec3::ZERO, torque: -torque });
            out.arm(1, Wrench { force: Vec3::ZERO, torque });
        }
    }

    fn hold(&self, at: &Instant<'_>) -> LoopState {
        let (a, b) = (at.body(self.a), at.body(self.b));
        LoopState { pose: Some(a.pose.inverse() * b.pose), ..LoopState::HOLDS }
    }

    fn joins(&self) -> Option<(BodyId, BodyId)> {
        self.a.zip(self.b)
    }

    fn tangent(&self, at: &Instant<'_>, multipliers: &[f64], sink: &mut TangentSink<'_>) {
        let (a, b) = (at.body(self.a), at.body(self.b));
        let (pose_a, pose_b) = self.placed(at, &a, &b);
        let (ea, eb) = (axes(&pose_a), axes(&pose_b));
        let mut multipliers = multipliers.iter();
        let held = ea.iter().zip(self.locked).filter(|(_, locked)| *locked);
        let force: Vec3 = held.zip(&mut multipliers).map(|((e, _), multiplier)| *e * -*multiplier).sum();
        let turned = self.square().iter().zip(&mut multipliers);
        let torque: Vec3 = turned.map(|(&(i, j), multiplier)| eb[j].cross(ea[i]) * -*multiplier).sum();
        for (body, sign) in [(self.a, -1.0), (self.b, 1.0)] {
            if let Some(body) = body {
                sink.dead(body, pose_b.translation, force * sign);
                sink.dead_torque(body, torque * sign);
            }
        }
    }

    fn point(&self, at: &Instant<'_>) -> Option<Vec3> {
        let (a, b) = (at.body(self.a), at.body(self.b));
        Some(self.placed(at, &a, &b).1.translation)
    }
}
