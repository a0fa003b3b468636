//! Impacts as events: velocities jump at the instant of a touch, by the algebraic law of `fender_contact::impact`.
//!
//! A contact rule with an [`ImpactRule`] makes an event of every touch that is faster than the rule's small speed. A slower
//! touch, such as the last ones of a ball that comes to rest, begins a lasting contact, which has a slot and the rule's
//! compliant laws until the bodies come apart. A contact of such a rule without a slot carries no force: it is about to be
//! solved, or it has been and parts.
//!
//! All contacts that approach faster than the small speed are solved at once: those whose bodies are coupled are compressed
//! together (`fender_contact::impact::simultaneous`), a contact that is coupled with no other by itself. Contacts that the
//! impulses drive together, lasting ones among them, follow in the next round, until none approaches (the rounds of Smith et
//! al. 2012, *Reflections on simultaneous impact*, ACM Trans. Graph. 31(4), 106: symmetric, and a chain passes the impulse
//! on). So renaming bodies changes rounding only. Points of one pair of shapes that approach alike, as when a box falls flat,
//! are taken together as their mean. No round adds energy, so that they come to an end; after [`MANY`] there is no rebound.

mod advance;
mod response;

pub(crate) use advance::advance;
pub(crate) use response::Response;

use crate::contact::slots;
use crate::evaluate::detect_contacts;
use crate::{BodyId, Contact, ContactSlot, Data, Event, EventKind, Model, RuleId, ShapeId, State};
use fender_contact::impact::{self, Coupling, ImpactLaw, Member, Path};
use fender_contact::{ParameterError, damping};
use fender_math::{Mat3, Vec3};

/// Touch speed below which a contact lasts, unless told otherwise [m/s].
pub const DEFAULT_SMALL_SPEED: f64 = damping::DEFAULT_V_SMALL;
/// Rounds of impacts at one instant after which there is no more rebound.
pub const MANY: u32 = 1000;
/// Rounds of impacts at one instant after which what is left is left to the lasting contacts.
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
    /// Part of an impact of this round already.
    taken: bool,
}

/// A contact of the present round, in its axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Touch {
    bodies: (BodyId, BodyId),
    rule: RuleId,
    point: Vec3,
    axes: Mat3,
    /// Collision matrix of the contact by itself [1/kg].
    w: Mat3,
    /// The first touch that it is coupled with, itself included.
    group: usize,
}

/// Scratch of the impacts.
#[derive(Debug, Default)]
pub(crate) struct ImpactData {
    candidates: Vec<Candidate>,
    touches: Vec<Touch>,
    couplings: Vec<Coupling>,
    /// Contacts of one group, which of the touches they are, and their couplings.
    members: Vec<Member>,
    places: Vec<usize>,
    own: Vec<Coupling>,
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
    for (contact, patch) in data.contacts.with_patches().filter(|(c, _)| rule(c).is_some()) {
        let candidate = Candidate {
            pair: (contact.a, contact.b),
            bodies: (contact.body_a, contact.body_b),
            rule: contact.rule,
            point: contact.overlap.point,
            normal: contact.overlap.normal,
            share: contact.overlap.share,
            approach: contact.motion.approach,
            taken: false,
        };
        let Some(patch) = patch else {
            work.candidates.push(candidate);
            continue;
        };
        work.candidates.extend(patch.ends().map(|point| {
            let approach = -candidate.normal.dot(relative(data, candidate.bodies, point));
            Candidate { point, share: 0.25, approach, ..candidate }
        }));
    }
    let (before, mut booked) = (data.kinetic, 0.0);
    work.response.begin(model, state, data);
    for count in 0..TOO_MANY {
        work.gather(model, data);
        let plastic = plastic || count >= MANY;
        let (change, goes_on) = work.solve_round(model, state, data, plastic);
        booked += change;
        if !goes_on {
            break;
        }
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

impl ImpactData {
    /// Finds the touches of a round: everything that approaches fast enough.
    fn gather(&mut self, model: &Model, data: &mut Data) {
        self.touches.clear();
        for c in &mut self.candidates {
            c.taken = false;
        }
        let mut start = 0;
        while let Some(first) = self.candidates.get(start) {
            // Contacts of one pair of shapes are neighbours.
            let pair = first.pair;
            let count = self.candidates[start..].iter().take_while(|c| c.pair == pair).count();
            let points = &mut self.candidates[start..start + count];
            while let Some(contact) = fastest(model, points) {
                let axes = axes(contact.normal);
                let w = self.response.matrix(model, data, contact.bodies, contact.point, &axes);
                let Candidate { bodies, rule, point, .. } = contact;
                self.touches.push(Touch { bodies, rule, point, axes, w, group: self.touches.len() });
            }
            start += count;
        }
    }

    /// Solves the impacts of a round and lets them act: the change of energy [J], and whether another round may follow, which
    /// is not so if there was no impact or no end to one.
    fn solve_round(
        &mut self,
        model: &Model,
        state: &mut State,
        data: &mut Data,
        plastic: bool,
    ) -> (f64, bool) {
        self.couplings.clear();
        if self.touches.len() > 1 {
            self.response.couple(model, state, data, &self.touches, &mut self.couplings);
            group(&mut self.touches, &self.couplings);
        }
        let (mut energy, mut acted, mut ended) = (0.0, false, true);
        for first in 0..self.touches.len() {
            self.places.clear();
            self.places.extend((first..self.touches.len()).filter(|i| self.touches[*i].group == first));
            self.members.clear();
            for place in &self.places {
                let touch = &self.touches[*place];
                let Some(rule) = &model.rules[touch.rule.index()].impact else { continue };
                let law = if plastic { rule.law.plastic() } else { rule.law };
                let v = touch.axes.transpose() * relative(data, touch.bodies, touch.point);
                self.members.push(Member::new(law, v));
            }
            if let [member] = &mut self.members[..] {
                member.solve_alone(&self.touches[first].w);
            } else if !self.members.is_empty() {
                self.own.clear();
                let place = |of: usize| self.places.binary_search(&of).ok();
                self.own.extend(
                    self.couplings
                        .iter()
                        .filter_map(|c| Some(Coupling { at: place(c.at)?, by: place(c.by)?, w: c.w })),
                );
                ended &= impact::simultaneous(&mut self.members, &self.own);
            }
            for (member, place) in self.members.iter().zip(&self.places) {
                if member.path == Path::None || member.impulse == Vec3::ZERO {
                    continue;
                }
                let touch = self.touches[*place];
                self.response.matrix(model, data, touch.bodies, touch.point, &touch.axes);
                let along = (&touch.axes, member.impulse);
                self.response.apply(model, state, data, touch.bodies, touch.point, along);
                if let Some(source) = model.rules[touch.rule.index()].impact_source {
                    state.account.dissipated[source] -= member.normal_work;
                    state.account.dissipated[source + 1] -= member.friction_work;
                }
                energy += member.energy();
                acted = true;
                let (a, b) = touch.bodies;
                let (speed, impulse, path) = (member.speed(), member.impulse.length(), member.path);
                let kind = EventKind::Impact { a, b, speed, impulse, path };
                data.events.push(Event { time: state.time, kind });
            }
        }
        (energy, acted && ended)
    }
}

/// Gives touches that are coupled, also by way of others, one group.
fn group(touches: &mut [Touch], couplings: &[Coupling]) {
    let mut changed = true;
    while changed {
        changed = false;
        for c in couplings {
            let least = touches[c.at].group.min(touches[c.by].group);
            for i in [c.at, c.by] {
                changed |= touches[i].group != least;
                touches[i].group = least;
            }
        }
    }
}

/// The points of a pair of shapes that approach fastest, as one, if they are fast enough; they are then taken.
fn fastest(model: &Model, points: &mut [Candidate]) -> Option<Candidate> {
    let mut found: Option<Candidate> = None;
    for point in points.iter().filter(|c| !c.taken) {
        let rule = model.rules[point.rule.index()].impact.as_ref()?;
        let fast = point.approach > rule.small_speed;
        if fast && found.is_none_or(|best| point.approach > best.approach) {
            found = Some(*point);
        }
    }
    let found = found?;
    let (mut point, mut normal, mut share, mut count) = (Vec3::ZERO, Vec3::ZERO, 0.0, 0);
    for candidate in points {
        let alike =
            candidate.approach >= found.approach * (1.0 - 1e-6) && candidate.normal.dot(found.normal) > 0.99;
        if !alike || candidate.taken {
            continue;
        }
        candidate.taken = true;
        point += candidate.point * candidate.share;
        normal += candidate.normal * candidate.share;
        share += candidate.share;
        count += 1;
    }
    if count > 1 && share > 0.0 {
        return Some(Candidate { point: point / share, normal: normal.normalize(), ..found });
    }
    Some(found)
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
