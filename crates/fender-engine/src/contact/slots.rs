//! Slots: opening, closing and latching, at accepted step ends only.

use super::matching::marks;
use super::{Contact, ContactSlot, Place, laws, side};
use crate::data::BodyKinematics;
use crate::{Data, Event, EventKind, Model, ShapeId, State};
use fender_contact::{Memory, RELAXED};
use fender_math::Vec3;

/// Makes the state's slots agree with the contacts that `data` holds for it, and tells what touched or came apart.
///
/// `latch` gives the approach speed that a new contact remembers.
pub(crate) fn update(model: &Model, state: &mut State, data: &mut Data, latch: impl Fn(&Contact) -> f64) {
    let (mut deepest, bodies) = (state.statistics.deepest, &data.bodies);
    // The new list is begun where the old one no longer serves: in most steps nowhere, or in a chunk or two.
    let (old, next) = (&mut state.slots, &mut data.slots);
    let mut begun = false;
    // First all slips, then all touches and releases, each in the order of the pairs. Where chunks begin depends on
    // the candidate pairs, which are others after a resume: events must not depend on it.
    data.touches.clear();
    for chunk in &mut data.contacts.chunks {
        let mut in_place = chunk.contacts.len() == chunk.slots.len();
        for (contact, slot) in chunk.contacts.iter().zip(chunk.slots.clone()) {
            deepest = deepest.max(contact.overlap.depth);
            in_place &= contact.place == Place::Slot(slot as u32);
        }
        if in_place {
            for (contact, slot) in chunk.contacts.iter().zip(&mut old[chunk.slots.clone()]) {
                slot.marks = marks(model, contact, bodies);
                slot.memory.impact_speed = contact.impact_speed;
                slot.follow(contact);
                if model.flows {
                    transport(&mut slot.memory, contact.overlap.normal);
                }
                slot.sticking = sticks(model, contact, slot.sticking, state.time, &mut data.events);
            }
            if begun {
                for (i, contact) in chunk.contacts.iter_mut().enumerate() {
                    contact.place = Place::Slot((next.len() + i) as u32);
                }
                next.extend_from_slice(&old[chunk.slots.clone()]);
            }
            continue;
        }
        if !begun {
            begun = true;
            next.clear();
            next.extend_from_slice(&old[..chunk.slots.start]);
        }
        let first = next.len();
        let same_pair = |x: &Contact, y: &Contact| (x.a, x.b) == (y.a, y.b);
        for contacts in chunk.contacts.chunk_by_mut(same_pair) {
            deepest = contacts.iter().fold(deepest, |d, c| d.max(c.overlap.depth));
            pair_slots(model, old, contacts, next, bodies, &latch);
            for contact in contacts.iter() {
                let Place::Slot(slot) = contact.place else { continue };
                let slot = &mut next[slot as usize];
                slot.sticking = sticks(model, contact, slot.sticking, state.time, &mut data.events);
            }
        }
        // A pair is never split over chunks, and chunks have the pairs' order: the new list is ordered.
        tell(model, state.time, &old[chunk.slots.clone()], &next[first..], &mut data.touches);
    }
    data.events.append(&mut data.touches);
    if begun {
        std::mem::swap(old, next);
    }
    side::update(model, state, data);
    check_depths(model, state, data);
    if deepest > state.statistics.deepest {
        (state.statistics.deepest, state.statistics.deepest_time) = (deepest, state.time);
    }
}

/// Part of the radius of the ball inside the smaller shape up to which the depth of a patch is a measure of the overlap: deeper, D = 2M/V
/// may fall while the overlap grows, and the nearest face may be the one on the far side.
const VALID_DEPTH: f64 = 0.3;
/// Pairs of a run that are told of when they are deeper.
const MANY_TOO_DEEP: usize = 10;

/// Tells, once for each pair of bodies, when a patch is too deep.
fn check_depths(model: &Model, state: &mut State, data: &mut Data) {
    let told = &mut state.statistics.too_deep;
    for chunk in data.contacts.chunks.iter().filter(|chunk| !chunk.patches.is_empty()) {
        for contact in chunk.contacts.iter().filter(|contact| contact.patch.is_some()) {
            let inradius = model.inradii[contact.a.index()].min(model.inradii[contact.b.index()]);
            let (limit, depth) = (VALID_DEPTH * inradius, contact.overlap.depth);
            let (a, b) = (contact.body_a, contact.body_b);
            if depth > limit && told.len() < MANY_TOO_DEEP && !told.contains(&(a, b)) {
                told.push((a, b));
                data.events.push(Event { time: state.time, kind: EventKind::TooDeep { a, b, depth, limit } });
            }
        }
    }
}

/// Whether a contact sticks, given whether it did; a slip is told. What slides must become twice as slow as what
/// sticks before it counts as sticking, so that a contact on the brink is not told again and again.
fn sticks(model: &Model, contact: &Contact, before: bool, time: f64, events: &mut Vec<Event>) -> bool {
    let speed = model.rules[contact.rule.index()].friction.sticking_speed() * if before { 1.0 } else { 0.5 };
    let now = contact.motion.slip.length_squared() < speed * speed;
    if before && !now {
        let event = Event { time, kind: EventKind::Slip { a: contact.body_a, b: contact.body_b } };
        // A face slips at all of its points at once.
        if events.last() != Some(&event) {
            events.push(event);
        }
    }
    now
}

/// Slots of one pair: kept ones keep number and memory, new ones take the lowest free number.
fn pair_slots(
    model: &Model,
    old: &[ContactSlot],
    contacts: &mut [Contact],
    next: &mut Vec<ContactSlot>,
    bodies: &[BodyKinematics],
    latch: &impl Fn(&Contact) -> f64,
) {
    let first = next.len();
    let number = |c: &Contact| c.slot().map(|s| old[s as usize].slot);
    let mut used: u64 = 0;
    for n in contacts.iter().filter_map(number) {
        used |= 1 << (n % 64);
    }
    for contact in contacts.iter_mut() {
        if model.impacts && !contact.opens(model) {
            continue;
        }
        let slot = number(contact).unwrap_or_else(|| {
            let free = (!used).trailing_zeros();
            used |= 1 << (free % 64);
            free
        });
        if contact.place == Place::New {
            contact.impact_speed = latch(contact);
        }
        let mut memory = contact.remembered().map_or_else(
            || {
                let mut fresh = Memory { impact_speed: contact.impact_speed, ..Memory::default() };
                if model.rules[contact.rule.index()].relaxation.is_some() {
                    fresh.flow[RELAXED] = contact.overlap.depth;
                }
                fresh
            },
            |slot| Memory { impact_speed: contact.impact_speed, ..old[slot as usize].memory },
        );
        if model.flows {
            transport(&mut memory, contact.overlap.normal);
        }
        let before = contact.slot().map(|slot| &old[slot as usize]);
        let mut kept = ContactSlot {
            a: contact.a,
            b: contact.b,
            slot,
            sticking: before.is_some_and(|before| before.sticking),
            marks: marks(model, contact, bodies),
            depth: contact.overlap.depth,
            approach: before.map_or(contact.motion.approach, |before| before.approach),
            peak_approach: before.map_or(contact.impact_speed, |before| before.peak_approach),
            peak_depth: before.map_or(0.0, |before| before.peak_depth),
            memory,
            last: contact.last_forces(old),
        };
        kept.follow(contact);
        next.push(kept);
        // The number within the pair for now.
        contact.place = Place::Slot(slot);
    }
    if contacts.len() > 1 {
        next[first..].sort_unstable_by_key(|s| s.slot);
    }
    // From slot numbers to indices.
    for contact in contacts {
        let place = next[first..].iter().position(|s| Some(s.slot) == contact.slot());
        contact.place = place.map_or(Place::New, |i| Place::Slot((first + i) as u32));
    }
}

/// Turns a memory's vector with the normal: what of it is along the new one goes, and its length stays.
fn transport(memory: &mut Memory, normal: Vec3) {
    let z = Vec3::new(memory.flow[0], memory.flow[1], memory.flow[2]);
    let across = z - normal * normal.dot(z);
    let (before, after) = (z.length_squared(), across.length_squared());
    // A normal that has turned by more than 60° is another one.
    if after > 0.25 * before {
        let kept = across * (before / after).sqrt();
        memory.flow[..3].copy_from_slice(&kept.to_array());
    } else {
        memory.flow[..3].copy_from_slice(&across.to_array());
    }
}

/// Events: pairs in one list and not in the other.
fn tell(model: &Model, time: f64, old: &[ContactSlot], new: &[ContactSlot], events: &mut Vec<Event>) {
    let bodies = |a: ShapeId, b: ShapeId| (model.shapes[a.index()].body, model.shapes[b.index()].body);
    let (mut i, mut j) = (0, 0);
    while i < old.len() || j < new.len() {
        let old_pair = old.get(i).map(|s| (s.a, s.b));
        let new_pair = new.get(j).map(|s| (s.a, s.b));
        let pair = match (old_pair, new_pair) {
            (Some(o), Some(n)) => o.min(n),
            (Some(p), None) | (None, Some(p)) => p,
            (None, None) => break,
        };
        let (a, b) = bodies(pair.0, pair.1);
        if old_pair != Some(pair) {
            let speed = new[j].memory.impact_speed;
            events.push(Event { time, kind: EventKind::Touch { a, b, speed } });
        } else if new_pair != Some(pair) {
            events.push(Event { time, kind: EventKind::Release { a, b } });
        }
        while old.get(i).is_some_and(|s| (s.a, s.b) == pair) {
            i += 1;
        }
        while new.get(j).is_some_and(|s| (s.a, s.b) == pair) {
            j += 1;
        }
    }
}

/// Keeps the velocity-dependent forces that `data` holds for this state: where the next step starts from.
pub(crate) fn keep_forces(state: &mut State, data: &Data) {
    for (slot, forces) in state.slots.iter_mut().zip(&data.step_forces) {
        slot.last = *forces;
    }
}

/// Tells once when the step is too large for a contact.
pub(crate) fn check_step(model: &Model, state: &mut State, data: &mut Data, step: f64) {
    // A contact lasts for more than a few steps of any use, so after the first ones looking now and then is enough.
    let looks = state.step < 1000 || state.step.is_multiple_of(16);
    if state.statistics.step_warned || state.slots.is_empty() || !looks {
        return;
    }
    let Some((contact, limit, suggested)) = laws::step_limit(model, data) else { return };
    if step > limit {
        state.statistics.step_warned = true;
        let kind = EventKind::StepTooLarge { a: contact.body_a, b: contact.body_b, step, limit, suggested };
        data.events.push(Event { time: state.time, kind });
    }
}
