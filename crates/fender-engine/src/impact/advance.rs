//! Steps that end where impacts are.
//!
//! Error control finds touches itself. A fixed step that ends inside a touch which is an event is taken back and taken in
//! parts: up to the touch, found by Newton on the depth, then the impulse, then the rest. So the steps end when they would
//! have ended, whatever happens within.

use super::{has_slot, resolve};
use crate::contact::sweep;
use crate::integrator::{NONE, StepError, in_parts};
use crate::{Control, Data, Integrator, Model, State};

/// A touch may be this deep when it is solved [m].
const TOUCH_DEPTH: f64 = 1e-12;
/// Trials for one touch.
const MAX_TRIES: u32 = 60;
/// Impacts within one fixed step after which there is no more rebound in it: what is pressed together must come to rest.
const MAX_PARTS: u32 = 200;

/// Takes one step, with the impacts in it.
pub(crate) fn advance(
    integrator: &dyn Integrator,
    model: &Model,
    control: &Control,
    state: &mut State,
    data: &mut Data,
    limit: f64,
) -> Result<(), StepError> {
    resolve(model, state, data, false);
    let Some(step) = integrator.fixed_step() else {
        sweep::advance(integrator, model, control, state, data, limit)?;
        resolve(model, state, data, false);
        return Ok(());
    };
    let mut impacts = 0;
    in_parts(step, state, data, |state, data, left| {
        let length = sweep::part(integrator, model, control, state, data, left);
        let whole = to_touch(integrator, model, control, state, data, length, NONE * step)?;
        impacts += u32::from(!whole);
        resolve(model, state, data, impacts >= MAX_PARTS);
        Ok(whole && length == left)
    })
}

/// Takes a step of this length [s], or a shorter one up to the first touch that is an event; whether it was the whole one.
fn to_touch(
    integrator: &dyn Integrator,
    model: &Model,
    control: &Control,
    state: &mut State,
    data: &mut Data,
    length: f64,
    smallest: f64,
) -> Result<bool, StepError> {
    let mut saved = std::mem::take(&mut data.impact.saved);
    saved.copy_from(state);
    data.impact.parting.clear();
    let Data { contacts, impact, .. } = data;
    impact.parting.extend(contacts.iter().filter(|c| c.passes(model)).map(|c| (c.a, c.b)));
    let told = data.events.len();
    // The touch is after `low`, where nothing had touched, and before `high`, where something was too deep.
    let (mut low, mut high) = (0.0, length);
    let (mut part, mut last) = (length, false);
    let mut result = Ok(());
    for tries in 0.. {
        result = integrator.advance_by(model, control, state, data, part);
        let found = look(model, &saved, data, part);
        if result.is_err() || last || found == Found::Touch {
            break;
        }
        part = match found {
            Found::Beyond(newton) => {
                if part - low <= smallest || tries >= MAX_TRIES {
                    break;
                }
                high = part;
                let inside = newton > low && newton < high;
                (if inside { newton } else { 0.5 * (low + high) }).max(low + 0.5 * smallest)
            }
            _ if part == length => break,
            _ => {
                // Newton's method came out before the touch, as where an approach slows down: a little further.
                low = part;
                last = high - low <= smallest || tries >= MAX_TRIES;
                if last { high } else { low + 0.1 * (high - low) }
            }
        };
        state.copy_from(&saved);
        data.events.truncate(told);
        data.invalidate();
    }
    data.impact.saved = saved;
    result.map(|()| part == length)
}

/// What a trial step has come to.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Found {
    /// Nothing new touches.
    Nothing,
    /// Something has just begun to touch.
    Touch,
    /// Something is too deep; the touch is about this long into the step [s].
    Beyond(f64),
}

fn look(model: &Model, saved: &State, data: &Data, part: f64) -> Found {
    let mut found = Found::Nothing;
    let far = data.centers.iter().fold(1.0_f64, |far, c| far.max(c.abs().max_element()));
    let tolerance = TOUCH_DEPTH.max(8.0 * f64::EPSILON * far);
    for (contact, patch) in data.contacts.with_patches() {
        let Some(rule) = &model.rules[contact.rule.index()].impact else { continue };
        let pair = (contact.a, contact.b);
        // What lasts goes on. A pair that lasts at one place may all the same touch at another.
        if contact.lasts() && has_slot(&saved.slots, pair) {
            continue;
        }
        let (depth, approach) = (contact.depth_along(patch), contact.motion.approach);
        let fast = approach > rule.small_speed();
        if !fast && data.impact.parting.contains(&pair) && contact.passes(model) {
            continue;
        }
        // What is slow now may have touched fast, if it is deeper than a slow touch can be.
        let slow_depth = 2.0 * rule.small_speed() * part + model.gravity.length() * part * part;
        if depth <= if fast { tolerance } else { slow_depth.max(tolerance) } {
            if found == Found::Nothing {
                found = Found::Touch;
            }
            continue;
        }
        let newton = if fast { part - (depth - 0.5 * tolerance) / approach } else { 0.5 * part };
        found = match found {
            Found::Beyond(earlier) => Found::Beyond(earlier.min(newton)),
            _ => Found::Beyond(newton),
        };
    }
    found
}
