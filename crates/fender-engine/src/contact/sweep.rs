//! Fast bodies: what they would hit on their way is found, and the step is divided where they hit.
//!
//! A step of a body without this ends where it ends: a ball that goes further than its size may jump over a plate, or end deep inside and
//! be thrown out. For a body that is said to be fast, the time up to its next touch is found by conservative advancement (Mirtich
//! 1996, section 2.3): two shapes at the distance d that come nearer by at most u per second cannot touch within d/u. The step ends
//! just before the touch. While that lasts steps are a part of its duration, which follows from mass, speed and law.

use super::{Arms, Contact, Oblique};
use crate::data::BodyKinematics;
use crate::evaluate::{evaluate, shape_pose};
use crate::integrator::{StepError, next_time};
use crate::{BodyId, Control, Data, Integrator, Model, RuleId, ShapeId, State};
use fender_contact::{Memory, Motion, PointOverlap};
use fender_geom::{Bounds, Shape, distance};
use fender_math::{Pose, Vec3, rotation};

/// Steps during a hit, in parts of 1/ω of the contact at its deepest: about forty for the whole touch.
const HIT_STEP: f64 = 0.1;
/// A touch whose depth changes in a step by less than this part of the deepest is followed by the step itself.
const SLOW: f64 = 0.25;
/// Part of the thinner shape's half thickness up to which the shortest way out is trusted to be the right one.
const TRUSTED: f64 = 0.25;
/// Distance at which shapes count as touching, as part of the fast shape's half thickness.
const NEAR: f64 = 1e-3;
/// Looks at one pair at most; one that needs more is taken as touching where it has come to.
const MAX_LOOKS: usize = 200;

/// Takes one step, in parts where fast bodies hit.
pub(crate) fn advance(
    integrator: &dyn Integrator,
    model: &Model,
    control: &Control,
    state: &mut State,
    data: &mut Data,
    limit: f64,
) -> Result<(), StepError> {
    let Some(step) = integrator.fixed_step() else {
        if model.fast.is_empty() {
            return integrator.advance(model, control, state, data, limit);
        }
        // Error control takes no more than it has proposed.
        let proposed =
            if state.integrator.proposed > 0.0 { state.integrator.proposed } else { f64::INFINITY };
        let length = part(integrator, model, control, state, data, proposed.min(limit - state.time));
        return integrator.advance(model, control, state, data, state.time + length);
    };
    let (end, number) = (next_time(state, step), state.step + 1);
    let mut left = step;
    loop {
        let length = part(integrator, model, control, state, data, left);
        integrator.advance_by(model, control, state, data, length)?;
        if length < 0.5 * step {
            // The acceleration that generalized-α keeps from a hit must not act on in a longer step.
            state.integrator.algorithmic.clear();
        }
        // What rounding leaves of a step is none.
        let whole = length == left;
        left = end - state.time;
        if whole || left <= 1e-9 * step {
            break;
        }
    }
    state.step = number;
    if state.time != end {
        state.time = end;
        data.invalidate();
    }
    Ok(())
}

/// How much of the `left` seconds may pass before steps have to be shorter because of fast bodies [s].
pub(crate) fn part(
    integrator: &dyn Integrator,
    model: &Model,
    control: &Control,
    state: &State,
    data: &mut Data,
    left: f64,
) -> f64 {
    if model.fast.is_empty() {
        return left;
    }
    // With accelerations: what lies still under a load is told from what turns round in a hit.
    evaluate(model, control, state, data, integrator.treatment());
    let is_fast = |contact: &&Contact| model.is_fast_pair(contact.a, contact.b);
    let during = data.contacts.iter().filter(is_fast).map(|contact| hit(model, data, contact, left));
    let mut part = during.fold(left, f64::min);
    for id in model.fast.iter().filter(|id| !state.activity.is_idle(**id)) {
        for shape in model.bodies[id.index()].shapes.clone() {
            part = until_touch(model, state, data, ShapeId(shape), part);
        }
    }
    part
}

/// Step during a touch [s], or `left` if that is slow.
fn hit(model: &Model, data: &Data, contact: &Contact, left: f64) -> f64 {
    let (a, b) = (&data.bodies[contact.body_a.index()], &data.bodies[contact.body_b.index()]);
    let (ia, ib) = Oblique::to(contact.overlap.point, a, b).inverse_masses(contact.overlap.normal, a, b);
    let touch = Touch { rule: contact.rule, overlap: contact.overlap, inverse_mass: ia + ib };
    let acceleration = |body: BodyId| {
        let free = model.bodies[body.index()].free;
        free.map_or(Vec3::ZERO, |free| Vec3::from_slice(&data.rates.v[free.v..free.v + 3]))
    };
    let turning = (acceleration(contact.body_a) - acceleration(contact.body_b)).dot(contact.overlap.normal);
    let motion = (contact.motion.approach, turning.abs());
    touch.step(model, motion, trusted_depth(model, contact.a, contact.b), left)
}

/// A touch, at its beginning or later.
struct Touch {
    rule: RuleId,
    overlap: PointOverlap,
    /// How much a unit impulse changes the speed [1/kg].
    inverse_mass: f64,
}

impl Touch {
    /// Step with which a touch at the speed `approach` [m/s] that changes by `rate` [m/s²] is followed [s], or `left` if it goes by
    /// slowly, or is a rest.
    fn step(&self, model: &Model, (approach, rate): (f64, f64), trusted: f64, left: f64) -> f64 {
        let law = &model.rules[self.rule.index()].normal;
        let memory = Memory { impact_speed: approach.abs(), ..Memory::default() };
        let stored = |overlap: &PointOverlap| {
            law.rate(overlap, &Motion { approach: 0.0, slip: Vec3::ZERO }, &memory).stored
        };
        // The speed that the whole energy of the touch would give: it is high also where the touch turns round.
        let energy = 0.5 * approach * approach / self.inverse_mass + stored(&self.overlap);
        let speed = (2.0 * energy * self.inverse_mass).sqrt();
        let mut deepest = PointOverlap { depth: self.overlap.depth.max(1e-6 * trusted), ..self.overlap };
        while stored(&deepest) < energy && deepest.depth < 1e6 * trusted {
            deepest.depth *= 1.5;
        }
        if (approach.abs() + rate * left) * left <= SLOW * deepest.depth.min(trusted) {
            return left;
        }
        let follow = HIT_STEP / (law.stiffness_bound(&deepest) * self.inverse_mass).sqrt();
        // The depth must not change by more than what the memory of the side can follow.
        follow.min(0.5 * trusted / speed).min(left)
    }
}

/// Time up to the first touch of a shape of a fast body, or a short step into it [s], or `left` if there is none before.
fn until_touch(model: &Model, state: &State, data: &Data, fast: ShapeId, mut left: f64) -> f64 {
    let shape = &model.shapes[fast.index()];
    let thin = model.thin[fast.index()];
    let own = Path::of(model, data, fast);
    for (i, other) in model.shapes.iter().enumerate() {
        let pair = (fast.min(ShapeId(i as u32)), fast.max(ShapeId(i as u32)));
        let their = Path::of(model, data, ShapeId(i as u32));
        let skipped =
            || model.skips(pair.0, pair.1) || state.parts(model, pair.0, pair.1) || open(state, pair);
        if own.passes(&their, left) || skipped() {
            continue;
        }
        let Some((time, approach)) = own.meets(&their, NEAR * thin, left) else { continue };
        let Some(rule) = model.rule(shape.material, other.material) else { continue };
        let (a, b) = (&data.bodies[shape.body.index()], &data.bodies[other.body.index()]);
        // Of what the touch will be like only the size matters.
        let overlap = PointOverlap {
            point: own.at(time).translation,
            normal: Vec3::Z,
            depth: 0.0,
            curvature: 1.0 / thin,
            elongation: Vec3::ZERO,
            share: 1.0,
        };
        let touch = Touch { rule, overlap, inverse_mass: a.inverse_mass + b.inverse_mass };
        let trusted = trusted_depth(model, pair.0, pair.1);
        let first = touch.step(model, (approach, 0.0), trusted, left).min(trusted / approach);
        // Up to just before the touch, and then into it: a long step that ends in it would feel its force for long.
        left = left.min(time.max(first));
    }
    left
}

fn open(state: &State, pair: (ShapeId, ShapeId)) -> bool {
    super::side::of(&state.sides, pair).is_some()
}

/// Depth up to which the shortest way out of a pair is the right one [m].
pub(super) fn trusted_depth(model: &Model, a: ShapeId, b: ShapeId) -> f64 {
    TRUSTED * model.thin[a.index()].min(model.thin[b.index()])
}

/// Half of a shape's thickness where it is thinnest, or nearly [m]; infinite for one without end, and for a sheet, whose sides
/// are told by the other shape.
pub(crate) fn half_thickness(shape: &Shape) -> f64 {
    match shape {
        // Of a plate the volume is half of the surface times the thickness.
        Shape::Mesh(mesh) => mesh.volume().map_or(f64::INFINITY, |volume| volume / mesh.area()),
        _ => match shape.bounds(&Pose::IDENTITY) {
            Bounds::Box { min, max } => 0.5 * (max - min).min_element(),
            Bounds::HalfSpace { .. } => f64::INFINITY,
        },
    }
}

/// How a shape goes on from now, with the speed it has.
struct Path<'a> {
    shape: &'a Shape,
    body: &'a BodyKinematics,
    pose_bs: &'a Pose,
    /// Of its points about the body's centre [m/s].
    turning: f64,
    /// Radius about the body's centre that holds it [m].
    reach: f64,
}

impl<'a> Path<'a> {
    fn of(model: &'a Model, data: &'a Data, id: ShapeId) -> Self {
        let s = &model.shapes[id.index()];
        let body = &data.bodies[s.body.index()];
        let place = shape_pose(&body.pose, &s.pose_bs, s.central).translation;
        let off = place.distance(body.center);
        let reach = off + s.shape.bounding_radius();
        let spin = body.twist.angular.length();
        let is_ball = matches!(s.shape, Shape::Sphere { .. });
        let turning = if spin == 0.0 { 0.0 } else { spin * if is_ball { off } else { reach } };
        Self { shape: &s.shape, body, pose_bs: &s.pose_bs, turning, reach }
    }

    /// Pose of the shape after `time` [s].
    fn at(&self, time: f64) -> Pose {
        let Pose { rotation, translation } = self.body.pose;
        let turn = rotation::from_rotation_vector(self.body.twist.angular * time);
        let center = self.body.center + self.body.twist.linear * time;
        let body =
            Pose { rotation: turn * rotation, translation: center + turn * (translation - self.body.center) };
        body * *self.pose_bs
    }

    /// Whether the balls around two shapes pass each other within `left` seconds.
    fn passes(&self, other: &Self, left: f64) -> bool {
        let (from, speed) =
            (self.body.center - other.body.center, self.body.twist.linear - other.body.twist.linear);
        let way = speed * left;
        let nearest = (-from.dot(way) / way.length_squared().max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
        let reach = self.reach + other.reach;
        (from + way * nearest).length_squared() > reach * reach
    }

    /// When two shapes come as near as `near` [m], and the speed with which they may do so [m/s]; `None` if not within
    /// `left` seconds.
    fn meets(&self, other: &Self, near: f64, left: f64) -> Option<(f64, f64)> {
        let relative = self.body.twist.linear - other.body.twist.linear;
        let speed = relative.length() + self.turning + other.turning;
        let mut time = 0.0;
        for _ in 0..MAX_LOOKS {
            let [p, q] = distance::closest(self.shape, &self.at(time), other.shape, &other.at(time))?;
            let gap = p.distance(q);
            if gap <= near {
                break;
            }
            time += gap / speed;
            if time >= left {
                return None;
            }
        }
        Some((time, speed))
    }
}
