//! Impacts as events: velocities jump at the instant of a touch, by the algebraic law of `fender_contact::impact`.
//!
//! A contact rule with an [`ImpactRule`] makes an event of every touch that is faster than the rule's small speed. A slower
//! touch, such as the last ones of a ball that comes to rest, begins a lasting contact, which has a slot and the rule's
//! compliant laws until the bodies come apart. A contact of such a rule without a slot carries no force: it is about to be
//! solved, or it has been and parts.
//!
//! Several contacts at once are solved one after the other, the fastest approach first (ties by the order of the
//! contacts), until none approaches faster than the small speed; also lasting contacts take part when an impulse drives
//! them together. Points of one pair of shapes that approach alike, as when a box falls flat, are taken together as their
//! mean. None of these impacts adds energy, so that they come to an end; after [`MANY`] the rest has no rebound.

mod advance;
mod response;

pub(crate) use advance::advance;
pub(crate) use response::Response;

use crate::contact::slots;
use crate::evaluate::detect_contacts;
use crate::{BodyId, Contact, ContactSlot, Data, Event, EventKind, Model, RuleId, ShapeId, State};
use fender_contact::impact::{self, ImpactLaw, Path};
use fender_contact::{ParameterError, damping};
use fender_math::{Mat3, Vec3};

/// Touch speed below which a contact lasts, unless told otherwise [m/s].
pub const DEFAULT_SMALL_SPEED: f64 = damping::DEFAULT_V_SMALL;
/// Impacts at one instant after which there is no more rebound.
pub const MANY: u32 = 1000;
/// Impacts at one instant after which what is left is left to the lasting contacts.
const TOO_MANY: u32 = 100_000;

/// Touches of a contact rule as events.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImpactRule {
    /// How the surfaces answer.
    pub law: ImpactLaw,
    small_speed: f64,
}

impl ImpactRule {
    /// A law, for touches faster than a speed [m/s].
    pub fn new(law: ImpactLaw, small_speed: f64) -> Result<Self, ParameterError> {
        if small_speed > 0.0 && small_speed.is_finite() {
            return Ok(Self { law, small_speed });
        }
        let range = "above 0 m/s, and finite";
        Err(ParameterError::Range { name: "small_speed", range, value: small_speed })
    }

    /// Touches that are not faster begin a lasting contact [m/s].
    pub fn small_speed(&self) -> f64 {
        self.small_speed
    }
}

impl Contact {
    /// Whether the contact's laws act: not at an impact, and not between bodies that are not stepped now.
    #[inline]
    pub(crate) fn bears(&self, model: &Model) -> bool {
        !self.aside && (!model.impacts || self.lasts() || model.rules[self.rule.index()].impact.is_none())
    }

    /// Whether a contact that has no slot gets one: with impacts, only a slow one.
    pub(crate) fn opens(&self, model: &Model) -> bool {
        match &model.rules[self.rule.index()].impact {
            Some(rule) if !self.lasts() => self.motion.approach.abs() <= rule.small_speed,
            _ => true,
        }
    }

    /// Whether it is a touch that is to be an event, or has been one and parts.
    pub(crate) fn passes(&self, model: &Model) -> bool {
        model.rules[self.rule.index()].impact.is_some() && !self.lasts()
    }
}

/// A contact that may take part in the impacts of an instant.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    pair: (ShapeId, ShapeId),
    bodies: (BodyId, BodyId),
    rule: RuleId,
    point: Vec3,
    normal: Vec3,
    share: f64,
    /// Approach speed now [m/s].
    approach: f64,
}

/// Scratch of the impacts.
#[derive(Debug, Default)]
pub(crate) struct ImpactData {
    candidates: Vec<Candidate>,
    response: Response,
    /// Where a step started.
    saved: State,
    /// Pairs that were parting when it started.
    parting: Vec<(ShapeId, ShapeId)>,
}

/// Solves the impacts of this instant, if there are any; `plastic` without rebound.
pub(crate) fn resolve(model: &Model, state: &mut State, data: &mut Data, plastic: bool) {
    detect_contacts(model, state, data);
    let rule = |contact: &Contact| model.rules[contact.rule.index()].impact.as_ref();
    let starts = |contact: &Contact| {
        let fast = rule(contact).is_some_and(|rule| contact.motion.approach > rule.small_speed);
        fast && contact.passes(model)
    };
    if !data.contacts.iter().any(starts) {
        return;
    }
    let mut work = std::mem::take(&mut data.impact);
    work.candidates.clear();
    work.candidates.extend(data.contacts.iter().filter(|c| rule(c).is_some()).map(|contact| Candidate {
        pair: (contact.a, contact.b),
        bodies: (contact.body_a, contact.body_b),
        rule: contact.rule,
        point: contact.overlap.point,
        normal: contact.overlap.normal,
        share: contact.overlap.share,
        approach: contact.motion.approach,
    }));
    let (before, mut booked) = (data.kinetic, 0.0);
    work.response.begin(model, state, data);
    for count in 0..TOO_MANY {
        let Some(contact) = fastest(model, &work.candidates) else { break };
        let Some(rule) = &model.rules[contact.rule.index()].impact else { break };
        let law = if plastic || count >= MANY { rule.law.plastic() } else { rule.law };
        let axes = axes(contact.normal);
        let w = work.response.matrix(model, data, contact.bodies, contact.point, &axes);
        let v = axes.transpose() * relative(data, contact.bodies, contact.point);
        let solved = impact::solve(&w, v, &law);
        if solved.path == Path::None {
            break;
        }
        work.response.apply(model, state, data, contact.bodies, contact.point, (&axes, solved.impulse));
        if let Some(source) = model.rules[contact.rule.index()].impact_source {
            state.account.dissipated[source] -= solved.normal_work;
            state.account.dissipated[source + 1] -= solved.friction_work;
        }
        booked += solved.energy();
        let (a, b) = contact.bodies;
        let kind =
            EventKind::Impact { a, b, speed: -v.z, impulse: solved.impulse.length(), path: solved.path };
        data.events.push(Event { time: state.time, kind });
        for candidate in &mut work.candidates {
            candidate.approach = -candidate.normal.dot(relative(data, candidate.bodies, candidate.point));
        }
    }
    data.impact = work;
    // Methods that remember accelerations must not remember those of before.
    state.integrator.algorithmic.clear();
    data.invalidate();
    detect_contacts(model, state, data);
    slots::update(model, state, data, |contact| contact.motion.approach.max(0.0));
    // What the impulse found where motion is prescribed, at driven bodies and guides, is work.
    if !model.driven.is_empty() || model.prescribes() {
        state.account.work[Model::DRIVER_SOURCE] += data.kinetic - before - booked;
    }
    state.account.kinetic.include(data.kinetic);
}

/// The contact that approaches fastest, as one point, if it is fast enough.
fn fastest(model: &Model, candidates: &[Candidate]) -> Option<Candidate> {
    let mut found: Option<&Candidate> = None;
    for candidate in candidates {
        let rule = model.rules[candidate.rule.index()].impact.as_ref()?;
        let fast = candidate.approach > rule.small_speed;
        if fast && found.is_none_or(|best| candidate.approach > best.approach) {
            found = Some(candidate);
        }
    }
    let found = found?;
    let alike = |c: &&Candidate| {
        c.pair == found.pair
            && c.approach >= found.approach * (1.0 - 1e-6)
            && c.normal.dot(found.normal) > 0.99
    };
    let (mut point, mut normal, mut share, mut count) = (Vec3::ZERO, Vec3::ZERO, 0.0, 0);
    for candidate in candidates.iter().filter(alike) {
        point += candidate.point * candidate.share;
        normal += candidate.normal * candidate.share;
        share += candidate.share;
        count += 1;
    }
    if count > 1 && share > 0.0 {
        return Some(Candidate { point: point / share, normal: normal.normalize(), ..*found });
    }
    Some(*found)
}

/// Velocity of the first body relative to the second at a point [m/s].
fn relative(data: &Data, (a, b): (BodyId, BodyId), point: Vec3) -> Vec3 {
    data.bodies[a.index()].velocity_at(point) - data.bodies[b.index()].velocity_at(point)
}

/// Contact axes: two tangents and the normal. The tangents of an upright or level normal are along the world's axes, so that
/// what is planar in the world stays so to the last bit.
fn axes(normal: Vec3) -> Mat3 {
    let size = normal.abs();
    let least = if size.x <= size.y && size.x <= size.z {
        Vec3::X
    } else if size.y <= size.z {
        Vec3::Y
    } else {
        Vec3::Z
    };
    let second = normal.cross(least).normalize();
    Mat3::from_cols(second.cross(normal), second, normal)
}

/// Whether a list of slots has one of a pair.
fn has_slot(slots: &[ContactSlot], pair: (ShapeId, ShapeId)) -> bool {
    let first = slots.partition_point(|s| (s.a, s.b) < pair);
    slots.get(first).is_some_and(|s| (s.a, s.b) == pair)
}
