//! Whether a state still has a meaning, and who lost it if not.

use super::StepError;
use crate::joint::Coordinate;
use crate::tree::Carrier;
use crate::{Model, State};
use fender_math::Vec3;

/// Beyond these a result has no meaning: ten times the distance to the moon [m], a tenth of the speed of light [m/s], and the same in rad/s.
const FAR: f64 = 4e9;
const FAST: f64 = 3e7;

/// Whether a vector is shorter than a limit; one that is not a number is not.
fn within(v: Vec3, limit: f64) -> bool {
    v.length_squared() < limit * limit
}

/// Refuses a state in which something is not finite, far away or absurdly fast, and names it.
pub(super) fn check(model: &Model, state: &State) -> Result<(), StepError> {
    let time = state.time;
    for free in &model.free {
        let position = free.pose_wc(&state.q).translation;
        let (v, omega) = free.velocity(&state.v);
        let flies = within(position, FAR) && within(v, FAST);
        if flies && within(omega, FAST) {
            continue;
        }
        let body = model.bodies[free.body.index()].name.clone();
        return Err(if flies {
            StepError::SpinDiverged { time, body, spin: omega }
        } else {
            StepError::Diverged { time, body, position, speed: v.length(), spin: omega.length() }
        });
    }
    for named in &model.joints {
        let link = &model.links[named.link];
        let Carrier::Joint { joint, guide: None, .. } = &link.carrier else { continue };
        let (q, v) = (&state.q[link.q..link.q + joint.nq()], &state.v[link.v..link.v + link.nv]);
        // Written so that a NaN fails.
        let sane = |x: &f64| x.abs() < FAST;
        if q.iter().chain(v).all(sane) {
            continue;
        }
        // The first rate that is wrong; if all are sane, the place that is. A quaternion has a number more than rates.
        let i = v.iter().position(|x| !sane(x)).or_else(|| q.iter().position(|x| !sane(x)));
        let i = i.unwrap_or_default().min(link.nv.saturating_sub(1));
        let (coordinate, unit) = match joint.coordinates().get(i) {
            Some(Coordinate::Distance(name)) => (*name, "m"),
            Some(Coordinate::Angle(name) | Coordinate::Spin(name)) => (*name, "rad"),
            None => ("", ""),
        };
        return Err(StepError::JointDiverged {
            time,
            joint: named.name.clone(),
            body: model.bodies[link.body.index()].name.clone(),
            coordinate,
            rate: v.get(i).copied().unwrap_or(f64::NAN),
            unit,
        });
    }
    for (cable, own) in model.cables.iter().zip(&state.cables) {
        let (q, v) = cable.own(state);
        for node in 0..own.nodes.len() {
            let (place, velocity) = (Vec3::from_slice(&q[3 * node..]), Vec3::from_slice(&v[3 * node..]));
            if !(within(place, FAR) && within(velocity, FAST)) {
                let (cable, speed) = (cable.name.clone(), velocity.length());
                return Err(StepError::CableDiverged { time, cable, node, place, speed });
            }
        }
    }
    Ok(())
}
