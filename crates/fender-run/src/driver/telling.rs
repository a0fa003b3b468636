//! Events as they are told in `events.json`: with names.

use crate::summary::finite;
use fender_engine::{BodyId, CableId, Event, EventKind, ForceId, LoopId, Model, PayoutStop, State};
use serde_json::{Value, json};

/// Name of a body.
pub(super) fn body(model: &Model, body: BodyId) -> &str {
    model.bodies.get(body.index()).map_or("?", |b| b.name.as_str())
}

fn closed_name(model: &Model, closed: LoopId) -> &str {
    model.loops.get(closed.index()).map_or("?", |l| l.name.as_str())
}

fn force_name(model: &Model, force: ForceId) -> &str {
    model.forces.get(force.index()).map_or("?", |f| f.0.as_str())
}

fn cable_name(model: &Model, cable: CableId) -> &str {
    model.cables.get(cable.index()).map_or("?", |c| c.name.as_str())
}

fn tie_name(model: &Model, cable: CableId, tie: u32) -> &str {
    let ties = model.cables.get(cable.index()).map(|c| &c.ties);
    ties.and_then(|ties| ties.get(tie as usize)).map_or("?", |tie| tie.0.as_str())
}

fn guide_name(model: &Model, cable: CableId, guide: u32) -> &str {
    let guides = model.cables.get(cable.index()).map(|c| &c.guides);
    guides.and_then(|guides| guides.get(guide as usize)).map_or("?", |guide| guide.0.as_str())
}

/// What a user should be warned of because two bodies are too deep in each other.
pub(super) fn too_deep(model: &Model, (a, b): (BodyId, BodyId), depth: f64, limit: f64, time: f64) -> String {
    let [depth, limit, time] = [depth, limit, time].map(crate::plot::figure);
    format!(
        "`{}` and `{}` overlap by {depth} m at {time} s, more than the {limit} m up to which their contact is valid (0.3 of \
         the radius of the ball inside the smaller one): make the contact stiffer, or let the body be `fast`",
        body(model, a),
        body(model, b)
    )
}

/// What a user should be warned of because payout stopped there.
pub(super) fn payout_stopped(model: &Model, cable: CableId, length: f64, why: PayoutStop) -> String {
    let name = cable_name(model, cable);
    let length = crate::plot::figure(length);
    match why {
        PayoutStop::Shortest => {
            format!("hauling in of cable `{name}` stopped at its shortest length, {length} m (`minimum`)")
        }
        PayoutStop::Longest => {
            format!("payout of cable `{name}` stopped at its greatest length, {length} m (`maximum`)")
        }
        PayoutStop::Guide { guide, .. } => format!(
            "hauling in of cable `{name}` stopped at {length} m: what is at its end, or on it, has come to `{}`",
            guide_name(model, cable, guide)
        ),
    }
}

/// Distance of a tie from its point [m] below which it does not matter.
const TIE_GAP: f64 = 1e-3;

/// What a user should be warned of because a cable was tied with its place away from the point that the tie names.
pub(super) fn tied_far(model: &Model, state: &State, cable: CableId, tie: u32, time: f64) -> Option<String> {
    let made = state.cables.get(cable.index())?.ties.get(tie as usize)?;
    let of = model.cables.get(cable.index())?;
    let (name, named) = of.ties.get(tie as usize)?;
    let gap = (made.at - named.point.at).length();
    let thick = of.lines.iter().map(|line| line.diameter).fold(0.0, f64::max);
    (gap > thick.max(TIE_GAP)).then(|| {
        let cable = &of.name;
        let holder = named.point.body.map_or("the world", |id| body(model, id));
        format!(
            "`{cable}.{name}` was attached to '{holder}' at t = {} s over a distance of {} m: a cable is tied where it is, and the distance stays as a \
             rigid arm. Bring it to its point before the event, or name the point where it is then",
            crate::plot::figure(time),
            crate::plot::figure(gap)
        )
    })
}

/// An event as it is in `events.json`.
pub(super) fn event(model: &Model, event: &Event) -> Value {
    let time = event.time;
    match event.kind {
        EventKind::Touch { a, b, speed } => {
            json!({"time": time, "kind": "touch", "a": body(model, a), "b": body(model, b), "speed": finite(speed)})
        }
        EventKind::Impact { a, b, speed, impulse, path } => json!({
            "time": time, "kind": "impact", "a": body(model, a), "b": body(model, b),
            "speed": finite(speed), "impulse": finite(impulse), "path": path.name()
        }),
        EventKind::Release { a, b } => {
            json!({"time": time, "kind": "release", "a": body(model, a), "b": body(model, b)})
        }
        EventKind::Slip { a, b } => {
            json!({"time": time, "kind": "slip", "a": body(model, a), "b": body(model, b)})
        }
        EventKind::Attached { closed, lost } => {
            json!({"time": time, "kind": "attach", "loop": closed_name(model, closed), "lost": finite(lost)})
        }
        EventKind::Detached { closed } => {
            json!({"time": time, "kind": "detach", "loop": closed_name(model, closed)})
        }
        EventKind::Broke { closed, load } => {
            json!({"time": time, "kind": "break", "loop": closed_name(model, closed), "load": finite(load)})
        }
        EventKind::Tied { cable, tie, lost } => json!({
            "time": time, "kind": "attach", "cable": cable_name(model, cable), "tie": tie_name(model, cable, tie),
            "lost": finite(lost)
        }),
        EventKind::Untied { cable, tie } => json!({
            "time": time, "kind": "detach", "cable": cable_name(model, cable), "tie": tie_name(model, cable, tie)
        }),
        EventKind::Slack { cable, at } => {
            json!({"time": time, "kind": "slack", "cable": cable_name(model, cable), "at": finite(at)})
        }
        EventKind::Taut { cable, at, rate } => json!({
            "time": time, "kind": "taut", "cable": cable_name(model, cable), "at": finite(at), "strain_rate": finite(rate)
        }),
        EventKind::Snap { cable, peak, when, at, step } => json!({
            "time": time, "kind": "snap", "cable": cable_name(model, cable), "peak": finite(peak), "when": finite(when), "at": finite(at),
            "step": finite(step)
        }),
        EventKind::SlidOut { cable, guide } => json!({
            "time": time, "kind": "slid_out", "cable": cable_name(model, cable), "guide": guide_name(model, cable, guide)
        }),
        EventKind::PayoutStopped { cable, length, why } => {
            let mut told = json!({
                "time": time, "kind": "payout_stopped", "cable": cable_name(model, cable), "length": finite(length),
                "why": match why {
                    PayoutStop::Shortest => "minimum",
                    PayoutStop::Longest => "maximum",
                    PayoutStop::Guide { .. } => "guide",
                }
            });
            if let (PayoutStop::Guide { guide, .. }, Some(map)) = (why, told.as_object_mut()) {
                map.insert("guide".into(), guide_name(model, cable, guide).into());
            }
            told
        }
        EventKind::Enabled { force } => {
            json!({"time": time, "kind": "enable", "force": force_name(model, force)})
        }
        EventKind::Disabled { force } => {
            json!({"time": time, "kind": "disable", "force": force_name(model, force)})
        }
        EventKind::Entered { body: entered } => {
            json!({"time": time, "kind": "enter", "body": body(model, entered)})
        }
        EventKind::Left { body: left } => json!({"time": time, "kind": "leave", "body": body(model, left)}),
        EventKind::StepTooLarge { a, b, step, limit, suggested } => json!({
            "time": time, "kind": "step_too_large", "a": body(model, a), "b": body(model, b),
            "step": step, "limit": limit, "suggested": suggested
        }),
        EventKind::TooDeep { a, b, depth, limit } => json!({
            "time": time, "kind": "too_deep", "a": body(model, a), "b": body(model, b), "depth": depth, "limit": limit
        }),
    }
}
