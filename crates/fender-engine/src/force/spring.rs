//! Spring-damper between two points.
//!
//! # Models
//! A straight massless spring with a parallel damper between points of two bodies (or of a fixed body).
//! # Equation
//! f = k (l − l₀) + c l̇ along the line from the first point to the second; with `tension_only` never negative.
//! # Parameters
//! k [N/m], c [N·s/m], l₀ [m].
//! # Valid when
//! The points do not coincide; there the line has no direction and the force is taken as zero.
//! # Energy
//! Stores k (l − l₀)²/2; dissipates (f − k (l − l₀)) l̇.

use super::{Force, ForceSink};
use crate::BodyId;
use crate::data::BodyKinematics;
use crate::tangent::{TangentSink, outer};
use fender_math::{Mat3, Vec3};

/// Spring-damper between two points.
#[derive(Clone, Debug, PartialEq)]
pub struct Spring {
    /// First body.
    pub a: BodyId,
    /// Point on it, in its frame [m].
    pub point_a: Vec3,
    /// Second body.
    pub b: BodyId,
    /// Point on it, in its frame [m].
    pub point_b: Vec3,
    /// Stiffness [N/m].
    pub stiffness: f64,
    /// Damping [N·s/m].
    pub damping: f64,
    /// Length without force [m].
    pub rest_length: f64,
    /// Slack below the rest length, as a rope.
    pub tension_only: bool,
}

impl Force for Spring {
    fn apply(&self, _time: f64, bodies: &[BodyKinematics], sink: &mut ForceSink<'_>) {
        let (ka, kb) = (&bodies[self.a.index()], &bodies[self.b.index()]);
        let (pa, pb) = (ka.pose.transform_point(self.point_a), kb.pose.transform_point(self.point_b));
        let line = pb - pa;
        let length = line.length();
        let stretch = length - self.rest_length;
        if length == 0.0 || (self.tension_only && stretch <= 0.0) {
            if !self.tension_only {
                sink.stored += 0.5 * self.stiffness * stretch * stretch;
            }
            return;
        }
        let direction = line / length;
        let rate = direction.dot(kb.velocity_at(pb) - ka.velocity_at(pa));
        let elastic = self.stiffness * stretch;
        let mut tension = elastic + self.damping * rate;
        if self.tension_only {
            tension = tension.max(0.0);
        }
        sink.force_at(self.a, direction * tension, pa);
        sink.force_at(self.b, direction * -tension, pb);
        sink.stored += 0.5 * self.stiffness * stretch * stretch;
        sink.dissipated += (tension - elastic) * rate;
    }

    fn tangent(&self, _time: f64, bodies: &[BodyKinematics], sink: &mut TangentSink<'_>) {
        let (ka, kb) = (&bodies[self.a.index()], &bodies[self.b.index()]);
        let (pa, pb) = (ka.pose.transform_point(self.point_a), kb.pose.transform_point(self.point_b));
        let length = (pb - pa).length();
        let stretch = length - self.rest_length;
        if length == 0.0 || (self.tension_only && stretch <= 0.0) {
            return;
        }
        let direction = (pb - pa) / length;
        let velocity = kb.velocity_at(pb) - ka.velocity_at(pa);
        let rate = direction.dot(velocity);
        let tension = self.stiffness * stretch + self.damping * rate;
        if self.tension_only && tension <= 0.0 {
            return;
        }
        // On the first point f = T·d, where d turns with the relative displacement: ∂d/∂u_b = (1 − d dᵀ)/l.
        let along = outer(direction, direction);
        let across = (Mat3::IDENTITY - along) * (1.0 / length);
        let turning = outer(direction, across * velocity) * self.damping;
        let by_displacement = (along * self.stiffness + turning + across * tension) * -1.0;
        sink.relative((Some(self.a), pa), (Some(self.b), pb), by_displacement, along * -self.damping);
        sink.dead(self.a, pa, direction * tension);
        sink.dead(self.b, pb, direction * -tension);
    }

    fn bodies(&self) -> Vec<BodyId> {
        vec![self.a, self.b]
    }
}
