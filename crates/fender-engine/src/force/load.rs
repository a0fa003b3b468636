//! A given force and torque on a body, constant or over time.
//!
//! # Models
//! Thrusters, pushes, wind gusts given by a record: anything whose size does not depend on the motion.
//! # Equation
//! f(t) at a point of the body and τ(t), in the world's axes or, if `in_body`, in the body's.
//! # Parameters
//! force [N], torque [N·m], point [m, body frame].
//! # Valid when
//! Always.
//! # Energy
//! Work f·v(point) + τ·ω is done on the scene.

use super::{Force, ForceSink};
use crate::BodyId;
use crate::data::BodyKinematics;
use crate::tangent::TangentSink;
use fender_math::Vec3;
use fender_math::series::Series;

/// Force and torque over time: fx fy fz [N], tx ty tz [N·m].
#[derive(Clone, Debug, PartialEq)]
pub enum LoadCurve {
    /// The same at all times.
    Constant([f64; 6]),
    /// Samples joined by a cubic spline; zero outside their span.
    Series(Series<6>),
    /// Amplitudes times sin(2π f t + φ).
    Sine {
        /// Amplitudes.
        amplitude: [f64; 6],
        /// Frequency f [Hz].
        frequency: f64,
        /// Phase φ [rad].
        phase: f64,
    },
}

/// A given force and torque on one body.
#[derive(Clone, Debug, PartialEq)]
pub struct Load {
    /// Body.
    pub body: BodyId,
    /// Point of action in the body's frame [m].
    pub point: Vec3,
    /// Components along the body's axes instead of the world's.
    pub in_body: bool,
    /// Force and torque over time.
    pub curve: LoadCurve,
    /// Acts from here [s] …
    pub from: f64,
    /// … to here [s].
    pub until: f64,
}

impl Load {
    /// Force, torque and point of action in the world, if it acts now.
    fn now(&self, time: f64, body: &BodyKinematics) -> Option<(Vec3, Vec3, Vec3)> {
        if time < self.from || time >= self.until {
            return None;
        }
        let c = match &self.curve {
            LoadCurve::Constant(c) => *c,
            LoadCurve::Series(series) => {
                let (first, last) = series.span();
                if time < first || time > last {
                    return None;
                }
                series.sample(time).value
            }
            LoadCurve::Sine { amplitude, frequency, phase } => {
                let (s, _) = fender_math::float::sin_cos(std::f64::consts::TAU * frequency * time + phase);
                amplitude.map(|a| a * s)
            }
        };
        let (mut force, mut torque) = (Vec3::new(c[0], c[1], c[2]), Vec3::new(c[3], c[4], c[5]));
        if self.in_body {
            force = body.pose.rotation * force;
            torque = body.pose.rotation * torque;
        }
        Some((force, torque, body.pose.transform_point(self.point)))
    }
}

impl Force for Load {
    fn apply(&self, time: f64, bodies: &[BodyKinematics], sink: &mut ForceSink<'_>) {
        let body = &bodies[self.body.index()];
        let Some((force, torque, point)) = self.now(time, body) else { return };
        sink.force_at(self.body, force, point);
        sink.torque(self.body, torque);
        sink.work += force.dot(body.velocity_at(point)) + torque.dot(body.twist.angular);
    }

    fn tangent(&self, time: f64, bodies: &[BodyKinematics], sink: &mut TangentSink<'_>) {
        let Some((force, torque, point)) = self.now(time, &bodies[self.body.index()]) else { return };
        sink.dead(self.body, point, force);
        sink.dead_torque(self.body, torque);
        if self.in_body {
            sink.following(self.body, point, force, torque);
        }
    }

    fn time_events(&self) -> Vec<f64> {
        let mut times = vec![self.from, self.until];
        if let LoadCurve::Series(series) = &self.curve {
            let (first, last) = series.span();
            times.extend([first, last]);
        }
        times.retain(|t| t.is_finite());
        times
    }

    fn bodies(&self) -> Vec<BodyId> {
        vec![self.body]
    }
}
