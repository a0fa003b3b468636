//! Slots: opening, closing and latching, at accepted step ends only.

use super::{Contact, ContactSlot, laws};
use crate::data::BodyKinematics;
use crate::{Data, Event, EventKind, Model, ShapeId, State};
use fender_geom::Shape;
use fender_math::Vec3;

/// Makes the state's slots agree with the contacts that `data` holds for it, and tells what touched or came apart.
///
/// `latch` gives the approach speed that a new contact remembers.
pub(crate) fn update(model: &Model, state: &mut State, data: &mut Data, latch: impl Fn(&Contact) -> f64) {
    if unchanged(model, state, data) {
        return;
    }
    let next = &mut data.slots;
    next.clear();
    for chunk in &mut data.contacts.chunks {
        let contacts = &mut chunk.contacts;
        let mut begin = 0;
        while begin < contacts.len() {
            let pair = (contacts[begin].a, contacts[begin].b);
            let count = contacts[begin..].iter().take_while(|c| (c.a, c.b) == pair).count();
            pair_slots(model, &state.slots, &mut contacts[begin..begin + count], next, &data.bodies, &latch);
            begin += count;
        }
    }
    // A pair is never split over chunks, and chunks have the pairs' order: the new list is ordered.
    tell(model, state, &data.slots, &mut data.events);
    std::mem::swap(&mut state.slots, &mut data.slots);
}

/// Whether every contact has the slot of its own place, as in most steps; the slots are then brought up to date here.
fn unchanged(model: &Model, state: &mut State, data: &Data) -> bool {
    let mut count = 0;
    let mut in_place = true;
    for contact in data.contacts.iter() {
        if contact.overlap.depth > state.statistics.deepest {
            state.statistics.deepest = contact.overlap.depth;
            state.statistics.deepest_time = state.time;
        }
        in_place = in_place && contact.slot == Some(count as u32);
        if in_place {
            // If a later one is out of place the whole list is made anew, from what stays untouched here.
            let slot = &mut state.slots[count];
            slot.depth = contact.overlap.depth;
            slot.approach = contact.motion.approach;
            slot.anchor = anchor(model, contact, &data.bodies);
        }
        count += 1;
    }
    in_place && count == state.slots.len()
}

/// Place of a contact on its first body. A sphere touches at one point, which needs no place to be told from others.
fn anchor(model: &Model, contact: &Contact, bodies: &[BodyKinematics]) -> Vec3 {
    let round = |shape: ShapeId| matches!(model.shapes[shape.index()].shape, Shape::Sphere { .. });
    if round(contact.a) || round(contact.b) {
        return Vec3::ZERO;
    }
    bodies[contact.body_a.index()].pose.inverse_transform_point(contact.overlap.point)
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
    let number = |c: &Contact| c.slot.map(|s| old[s as usize].slot);
    let mut used: u64 = 0;
    for n in contacts.iter().filter_map(number) {
        used |= 1 << (n % 64);
    }
    for contact in contacts.iter_mut() {
        let remembered = contact.slot.or(contact.split_from);
        let slot = number(contact).unwrap_or_else(|| {
            let free = (!used).trailing_zeros();
            used |= 1 << (free % 64);
            if remembered.is_none() {
                contact.impact_speed = latch(contact);
            }
            free
        });
        let memory = remembered.map_or(contact.fresh_memory(), |slot| old[slot as usize].memory);
        next.push(ContactSlot {
            a: contact.a,
            b: contact.b,
            slot,
            anchor: anchor(model, contact, bodies),
            depth: contact.overlap.depth,
            approach: contact.motion.approach,
            memory,
            friction: contact.guess,
        });
        (contact.slot, contact.split_from) = (Some(slot), None);
    }
    if contacts.len() > 1 {
        next[first..].sort_unstable_by_key(|s| s.slot);
    }
    // From slot numbers to indices.
    for contact in contacts {
        let place = next[first..].iter().position(|s| Some(s.slot) == contact.slot);
        contact.slot = place.map(|i| (first + i) as u32);
    }
}

/// Events: pairs in one list and not in the other.
fn tell(model: &Model, state: &State, new: &[ContactSlot], events: &mut Vec<Event>) {
    let bodies = |a: ShapeId, b: ShapeId| (model.shapes[a.index()].body, model.shapes[b.index()].body);
    let (mut i, mut j) = (0, 0);
    while i < state.slots.len() || j < new.len() {
        let old_pair = state.slots.get(i).map(|s| (s.a, s.b));
        let new_pair = new.get(j).map(|s| (s.a, s.b));
        let pair = match (old_pair, new_pair) {
            (Some(o), Some(n)) => o.min(n),
            (Some(p), None) | (None, Some(p)) => p,
            (None, None) => break,
        };
        let (a, b) = bodies(pair.0, pair.1);
        if old_pair != Some(pair) {
            let speed = new[j].memory.impact_speed;
            events.push(Event { time: state.time, kind: EventKind::Touch { a, b, speed } });
        } else if new_pair != Some(pair) {
            events.push(Event { time: state.time, kind: EventKind::Release { a, b } });
        }
        while state.slots.get(i).is_some_and(|s| (s.a, s.b) == pair) {
            i += 1;
        }
        while new.get(j).is_some_and(|s| (s.a, s.b) == pair) {
            j += 1;
        }
    }
}

/// Keeps the friction forces that `data` holds for this state: where the next step starts from.
pub(crate) fn keep_friction(state: &mut State, data: &Data) {
    for (slot, friction) in state.slots.iter_mut().zip(&data.frictions) {
        slot.friction = *friction;
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
