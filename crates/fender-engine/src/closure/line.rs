//! A line of given length through points of bodies: a rod, a hydraulic cylinder, a rope over pulleys.
//!
//! φ = Σ |p_{i+1} − p_i| − L(t). Pulleys are points: the rope runs over them without friction and with equal tension on
//! both sides. The closure is two-sided: a rope that would go slack pushes, and its effort then is negative.

use super::{Closure, Instant, LoopState, Rows};
use crate::BodyId;
use crate::tangent::{TangentSink, outer};
use fender_math::{Mat3, Profile, Vec3, Wrench};

/// A point of a body that a line runs through.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Anchor {
    /// The body; `None` for the world.
    pub body: Option<BodyId>,
    /// The point in its frame [m].
    pub point: Vec3,
}

/// A line of given length through points of bodies.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The points, two at least.
    pub anchors: Vec<Anchor>,
    /// Length of all pieces together [m].
    pub length: Profile,
}

impl Closure for Line {
    fn name(&self) -> &'static str {
        if self.anchors.len() > 2 { "rope" } else { "distance" }
    }

    fn count(&self) -> usize {
        1
    }

    fn bodies(&self) -> Vec<Option<BodyId>> {
        self.anchors.iter().map(|anchor| anchor.body).collect()
    }

    fn anchors(&self) -> Vec<Anchor> {
        self.anchors.clone()
    }

    fn rows(&self, at: &Instant<'_>, out: &mut Rows) {
        let [wanted, rate, acceleration] = self.length.sample(at.time);
        let (mut length, mut bias) = (0.0, -acceleration);
        let placed = |anchor: &Anchor| {
            let body = at.body(anchor.body);
            let point = body.pose.transform_point(anchor.point);
            let omega = body.twist.angular;
            (point, body.velocity_at(point), omega.cross(omega.cross(point - body.center)), body.center)
        };
        for pair in self.anchors.windows(2) {
            let (first, second) = (placed(&pair[0]), placed(&pair[1]));
            let line = second.0 - first.0;
            let piece = line.length();
            let u = line.try_normalize().unwrap_or(Vec3::Z);
            let speed = second.1 - first.1;
            let across = speed - u * u.dot(speed);
            bias += u.dot(second.2 - first.2) + across.length_squared() / piece.max(f64::MIN_POSITIVE);
            length += piece;
        }
        out.row(length - wanted - at.state.offset, -rate, bias);
        for (i, pair) in self.anchors.windows(2).enumerate() {
            let (first, second) = (placed(&pair[0]), placed(&pair[1]));
            let u = (second.0 - first.0).try_normalize().unwrap_or(Vec3::Z);
            out.arm(i, Wrench::from_force_at(-u, first.0 - first.3));
            out.arm(i + 1, Wrench::from_force_at(u, second.0 - second.3));
        }
    }

    fn hold(&self, at: &Instant<'_>) -> LoopState {
        let placed = |anchor: &Anchor| at.body(anchor.body).pose.transform_point(anchor.point);
        let pieces = self.anchors.windows(2).map(|pair| (placed(&pair[1]) - placed(&pair[0])).length());
        LoopState { offset: pieces.sum::<f64>() - self.length.sample(at.time)[0], ..LoopState::HOLDS }
    }

    fn tangent(&self, at: &Instant<'_>, multipliers: &[f64], sink: &mut TangentSink<'_>) {
        let Some(tension) = multipliers.first() else { return };
        let placed = |anchor: &Anchor| at.body(anchor.body).pose.transform_point(anchor.point);
        for pair in self.anchors.windows(2) {
            let (first, second) = (placed(&pair[0]), placed(&pair[1]));
            let line = second - first;
            let Some(u) = line.try_normalize() else { continue };
            let across = (Mat3::IDENTITY - outer(u, u)) * (-tension / line.length());
            sink.relative((pair[0].body, first), (pair[1].body, second), across, Mat3::ZERO);
            for (body, point, pull) in [(pair[0].body, first, u), (pair[1].body, second, -u)] {
                if let Some(body) = body {
                    sink.dead(body, point, pull * *tension);
                }
            }
        }
    }

    fn drives(&self) -> bool {
        !matches!(self.length, Profile::Constant(_))
    }

    fn time_events(&self) -> Vec<f64> {
        self.length.time_events()
    }

    fn point(&self, at: &Instant<'_>) -> Option<Vec3> {
        let last = self.anchors.last()?;
        Some(at.body(last.body).pose.transform_point(last.point))
    }
}
