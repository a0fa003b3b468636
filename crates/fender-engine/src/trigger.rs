//! What makes changes by itself: the timeline, loads, and what comes near or lies still.

use crate::activity::tied;
use crate::change::{Change, Place};
use crate::closure;
use crate::evaluate::{detect_contacts, evaluate, shape_pose};
use crate::{BodyId, Data, EventKind, Fence, LoopId, Model, State};
use fender_geom::Bounds;

/// A load that is so near to the limit counts as the one at which the loop breaks: error control stops there.
pub(crate) const OVERLOAD: f64 = 1e-6;

/// Makes the changes that are due at the end of a step.
pub(crate) fn after_step(place: &mut Place<'_>) {
    let changes = &place.model.changes;
    if place.state.activity.done < changes.timeline.len() as u64 {
        timeline(place);
    }
    if changes.breaks {
        breaks(place);
    }
    if !changes.fences.is_empty() {
        fences(place);
    }
}

fn timeline(place: &mut Place<'_>) {
    let time = place.state.time;
    // Steps add up with rounding.
    let slack = 1e-12 * time.max(1.0);
    while let Some((at, change)) = place.model.changes.timeline.get(place.state.activity.done as usize) {
        if *at > time + slack {
            break;
        }
        place.state.activity.done += 1;
        place.make(*change, None);
    }
}

/// Load of a loop as part of the one it can bear; `data` must be up to date.
fn load(model: &Model, state: &State, data: &Data, index: usize) -> f64 {
    let closed = &model.loops[index];
    let Some(limit) = closed.limit.filter(|_| state.holds(model, index)) else { return 0.0 };
    if closed.closure.count() == 1 {
        return closed.closure.effort(data.closures.multiplier(index)).abs() / limit.force.min(limit.torque);
    }
    let on = closure::reaction(model, state, data, index);
    (on.force.length() / limit.force).max(on.torque.length() / limit.torque)
}

/// Largest load of the loops that can break, as part of the one they can bear; `data` must be up to date.
pub(crate) fn heaviest(model: &Model, state: &State, data: &Data) -> f64 {
    (0..model.loops.len()).map(|i| load(model, state, data, i)).fold(0.0, f64::max)
}

fn breaks(place: &mut Place<'_>) {
    // One that breaks relieves or burdens others: the heaviest first, until all hold.
    for _ in 0..place.model.loops.len() {
        evaluate(place.model, place.control, place.state, place.data, place.treatment);
        let loads = (0..place.model.loops.len()).map(|i| load(place.model, place.state, place.data, i));
        let Some((index, load)) = loads.enumerate().max_by(|a, b| a.1.total_cmp(&b.1)) else { return };
        if load <= 1.0 {
            return;
        }
        let closed = LoopId(index as u32);
        place.make(Change::Detach(closed), Some(EventKind::Broke { closed, load }));
    }
}

/// Largest step after which a fence is still noticed before something is in it, for the fastest speed [m/s].
pub(crate) fn careful_step(model: &Model, state: &State, fastest: f64) -> f64 {
    let waiting = model.changes.fences.iter().filter(|f| state.activity.is_idle(f.body));
    let margin = waiting.map(|f| f.margin).fold(f64::INFINITY, f64::min);
    if fastest > 0.0 { 0.5 * margin / fastest } else { f64::INFINITY }
}

fn fences(place: &mut Place<'_>) {
    detect_contacts(place.model, place.state, place.data);
    let model = place.model;
    let mut due = Vec::new();
    for (i, fence) in model.changes.fences.iter().enumerate() {
        let reached = reached(model, place.data, fence);
        if place.state.activity.is_idle(fence.body) {
            if reached || struck(place, fence) {
                due.push(Change::Enter(fence.body));
            }
            continue;
        }
        let still = &mut place.state.activity.still[i];
        if reached || speed(model, place.data, fence.body) > fence.rest_speed {
            *still = f64::INFINITY;
        } else if *still > place.state.time {
            *still = place.state.time;
        }
    }
    for (i, fence) in model.changes.fences.iter().enumerate() {
        let since = |i: usize| place.state.time - place.state.activity.still[i];
        if place.state.activity.is_idle(fence.body) || since(i) < fence.rest_time {
            continue;
        }
        // It leaves with what is tied to it, so that all of that must be ready.
        let group = tied(model, place.state, [fence.body]);
        let slow = group.iter().all(|b| speed(model, place.data, *b) <= fence.rest_speed);
        let mut fences = model.changes.fences.iter().enumerate();
        let ready = fences.all(|(i, f)| group.binary_search(&f.body).is_err() || since(i) >= f.rest_time);
        if slow && ready {
            due.push(Change::Leave(fence.body));
        }
    }
    for change in due {
        place.make(change, None);
    }
}

/// Whether the box of something that wakes a fence is near.
fn reached(model: &Model, data: &Data, fence: &Fence) -> bool {
    let own = boxes(model, data, fence.body);
    let others = fence.near.iter().flat_map(|body| boxes(model, data, *body));
    // Each box is grown by half of the margin.
    others.into_iter().any(|other| own.clone().any(|own| own.meet(&other, 0.5 * fence.margin)))
}

fn boxes<'a>(model: &'a Model, data: &'a Data, body: BodyId) -> impl Iterator<Item = Bounds> + Clone + 'a {
    let range = &model.bodies[body.index()].shapes;
    let pose = &data.bodies[body.index()].pose;
    let shapes = &model.shapes[range.start as usize..range.end as usize];
    shapes.iter().map(move |s| s.shape.bounds(&shape_pose(pose, &s.pose_bs, s.central)))
}

/// Whether something that moves strikes it.
fn struck(place: &Place<'_>, fence: &Fence) -> bool {
    place.data.contacts().any(|contact| {
        let ours = contact.body_a == fence.body || contact.body_b == fence.body;
        ours && contact.motion.approach > fence.rest_speed
    })
}

/// Largest speed of a point of a body, about [m/s].
fn speed(model: &Model, data: &Data, body: BodyId) -> f64 {
    let range = &model.bodies[body.index()].shapes;
    let shapes = &model.shapes[range.start as usize..range.end as usize];
    let reach = shapes.iter().map(|s| s.pose_bs.translation.length() + s.shape.bounding_radius());
    let twist = &data.bodies[body.index()].twist;
    twist.linear.length() + twist.angular.length() * reach.fold(0.0, f64::max)
}
