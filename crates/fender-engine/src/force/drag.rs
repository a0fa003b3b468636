//! Drag of still or steadily moving air or water on a body.
//!
//! # Models
//! Linear and quadratic resistance to translation and linear resistance to rotation, at the centre of mass.
//! # Equation
//! f = −(c₁ + c₂ |u|) u with u the velocity of the centre relative to the medium; τ = −c_r ω.
//! # Parameters
//! c₁ [N·s/m], c₂ [N·s²/m²] (½ ρ C_d A for a bluff body), c_r [N·m·s], medium velocity [m/s].
//! # Valid when
//! The body is compact and fully immersed; no added mass, no lift.
//! # Energy
//! Dissipates −f·u − τ·ω; a moving medium also does work f·(medium velocity).

use super::{Force, ForceSink};
use crate::BodyId;
use crate::data::BodyKinematics;
use crate::tangent::{TangentSink, outer};
use fender_math::{Mat3, Vec3};

/// Drag on one body.
#[derive(Clone, Debug, PartialEq)]
pub struct Drag {
    /// Body.
    pub body: BodyId,
    /// Linear coefficient [N·s/m].
    pub linear: f64,
    /// Quadratic coefficient [N·s²/m²].
    pub quadratic: f64,
    /// Rotational coefficient [N·m·s].
    pub rotational: f64,
    /// Velocity of the medium [m/s].
    pub medium_velocity: Vec3,
}

impl Force for Drag {
    fn apply(&self, _time: f64, bodies: &[BodyKinematics], sink: &mut ForceSink<'_>) {
        let body = &bodies[self.body.index()];
        let u = body.twist.linear - self.medium_velocity;
        let force = u * -(self.linear + self.quadratic * u.length());
        let torque = body.twist.angular * -self.rotational;
        sink.force_at(self.body, force, body.center);
        sink.torque(self.body, torque);
        sink.dissipated -= force.dot(u) + torque.dot(body.twist.angular);
        sink.work += force.dot(self.medium_velocity);
    }

    fn tangent(&self, _time: f64, bodies: &[BodyKinematics], sink: &mut TangentSink<'_>) {
        let body = &bodies[self.body.index()];
        let u = body.twist.linear - self.medium_velocity;
        let speed = u.length();
        let mut by_velocity = Mat3::IDENTITY * -(self.linear + self.quadratic * speed);
        if speed > 0.0 {
            by_velocity -= outer(u, u) * (self.quadratic / speed);
        }
        sink.dead(self.body, body.center, u * -(self.linear + self.quadratic * speed));
        sink.relative((Some(self.body), body.center), (None, body.center), Mat3::ZERO, by_velocity);
        sink.dead_torque(self.body, body.twist.angular * -self.rotational);
        sink.turning(Some(self.body), None, Mat3::ZERO, Mat3::IDENTITY * -self.rotational);
    }

    fn bodies(&self) -> Vec<BodyId> {
        vec![self.body]
    }
}
