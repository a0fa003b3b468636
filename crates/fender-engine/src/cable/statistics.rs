//! What of a cable is followed over a whole run: extremes with time and place, slack and snap.
//!
//! A cable goes slack when an element that can has no tension, but for those that lie on the seabed. If it is held at two places, it is taut
//! again when all of them have a tenth of what they had at the start; where it was slack then, the cable's weight, and a hundredth of the
//! largest tension so far: less comes from its own flight. A free end has no such load, so that any tension does. Both are told. Waves run to and
//! fro in a cable that snaps: slack within two passages of an axial wave after it became taut is told only if it lasts as long.

use super::evaluate::{CableData, Powers};
use super::observe::{Extremes, Found, extremes};
use super::{Cable, CableState};
use crate::evaluate::detect_contacts;
use crate::{CableId, Data, Event, EventKind, Model, PayoutStop, Seabed, State};
use fender_math::Vec3;
use serde::{Deserialize, Serialize};

/// Part of the tension at the start that a slack cable must have everywhere to be taut again.
const TAUT: f64 = 0.1;
/// The same of the largest tension so far, where it was slack at the start.
const CAUGHT: f64 = 0.01;

/// Into how many parts steps are divided after a cable became taut fast, for how long [s], and from which part of its working tension on its own wave
/// counts as fast.
pub(crate) const FINE: u32 = 4;
const FINE_TIME: f64 = 0.1;
const FAST: f64 = 0.1;

/// Hauling in stops when something that cannot go through a wheel is as near as this part of its radius.
const HOOK: f64 = 0.5;

/// How quickly hauling in is slowed down before that [m/s²].
const BRAKE: f64 = 0.5;

/// An extreme value, when and where.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Extreme {
    /// The value.
    pub value: f64,
    /// When [s].
    pub time: f64,
    /// Unstretched arc length from the start [m].
    pub at: f64,
}

impl Extreme {
    fn of(found: Found, time: f64) -> Self {
        Self { value: found.value, time, at: found.at }
    }
}

/// The largest tension since a cable became taut.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Rising {
    peak: Extreme,
    /// When it became taut [s].
    since: f64,
    /// Step with which the peak was found [s].
    step: f64,
}

/// Figures of a cable over the whole run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CableStatistics {
    /// Largest tension [N].
    pub largest: Extreme,
    /// Smallest tension [N].
    pub smallest: Extreme,
    /// Largest curvature [1/m].
    pub curvature: Extreme,
    /// Largest part of the breaking load.
    pub utilisation: Extreme,
    /// Largest product of curvature and smallest bend radius.
    pub bend_utilisation: Extreme,
    /// Tensions at the start [N], by arc length of the elements' middles [m].
    pub start: Vec<(f64, f64)>,
    /// How long it was slack [s].
    pub slack_time: f64,
    /// How often it became taut again.
    pub snaps: u64,
    /// The largest tension that followed when it became taut again; zero if it never did.
    pub snap: Extreme,
    /// The same since it last did, while that may still grow.
    rising: Option<Rising>,
    /// Until when its steps are divided, because it became taut fast [s].
    fine_until: f64,
    /// Into how many parts its last step was divided.
    pub(crate) parts: u32,
    /// Why payout is stopped, as it was told.
    stopped: Option<PayoutStop>,
    /// Whether it is slack.
    pub slack: bool,
    /// Whether that it is slack has been told.
    told: bool,
    /// Since when it is slack or taut [s].
    since: f64,
    /// When it was looked at last [s].
    seen: f64,
}

impl CableStatistics {
    /// Whether it has just become taut fast, so that its steps are divided.
    pub(crate) fn is_fine(&self, time: f64) -> bool {
        time < self.fine_until
    }

    /// Largest tension relative to the tension at the start at the same place; none if there was none.
    pub fn amplification(&self) -> Option<f64> {
        let tension = self.at_start(self.largest.at);
        (tension > 0.0).then(|| self.largest.value / tension)
    }

    /// Tension at the start at an arc length [N].
    fn at_start(&self, at: f64) -> f64 {
        let after = self.start.partition_point(|(s, _)| *s < at);
        match (after.checked_sub(1).and_then(|i| self.start.get(i)), self.start.get(after)) {
            (Some((s0, t0)), Some((s1, t1))) => t0 + (t1 - t0) * (at - s0) / (s1 - s0),
            (Some((_, t)), None) | (None, Some((_, t))) => *t,
            (None, None) => 0.0,
        }
    }

    fn include(&mut self, extremes: &Extremes, time: f64) {
        let more = |old: &mut Extreme, new: Found| {
            if new.value > old.value {
                *old = Extreme::of(new, time);
            }
        };
        more(&mut self.largest, extremes.largest);
        more(&mut self.curvature, extremes.curvature);
        more(&mut self.utilisation, extremes.utilisation);
        more(&mut self.bend_utilisation, extremes.bend_utilisation);
        if extremes.smallest.value < self.smallest.value {
            self.smallest = Extreme::of(extremes.smallest, time);
        }
    }

    /// Follows the tension after the cable became taut; the peak once it has passed: when it is slack again, when the tension has fallen to
    /// half, or when it did not grow for as long as it took to come there.
    fn follow(&mut self, largest: Found, (time, step): (f64, f64), passage: f64) -> Option<Rising> {
        let rising = self.rising.as_mut()?;
        if largest.value > rising.peak.value {
            (rising.peak, rising.step) = (Extreme::of(largest, time), step);
        }
        let Rising { peak, since, .. } = *rising;
        if peak.value > self.snap.value {
            self.snap = peak;
        }
        let waited = time - peak.time > (peak.time - since).max(2.0 * passage);
        let passed = self.slack || largest.value < 0.5 * peak.value || waited;
        if passed { self.rising.take() } else { None }
    }
}

/// Begins the figures of all cables. Kinematics must be up to date.
pub(crate) fn begin(model: &Model, state: &mut State, data: &mut Data) {
    state.cable_statistics.clear();
    for (i, cable) in model.cables.iter().enumerate() {
        let extremes = look(cable, &state.cables[i], state, i, data);
        let (own, data, time) = (&state.cables[i], &data.cables[i], state.time);
        let arc = &data.spline.arc;
        let start = data.stretch.iter().enumerate();
        let start = start.map(|(e, stretch)| (0.5 * (arc[e] + arc[e + 1]), stretch.tension)).collect();
        state.cable_statistics.push(CableStatistics {
            largest: Extreme::of(extremes.largest, time),
            smallest: Extreme::of(extremes.smallest, time),
            curvature: Extreme::of(extremes.curvature, time),
            utilisation: Extreme::of(extremes.utilisation, time),
            bend_utilisation: Extreme::of(extremes.bend_utilisation, time),
            start,
            // What is slack at the start need not be told; that it becomes taut does.
            slack: loosest(cable, own, data, model.surroundings.seabed.as_ref(), &|_| 0.0).is_some(),
            told: true,
            since: time,
            seen: time,
            ..CableStatistics::default()
        });
    }
}

/// Looks at all cables at the end of an accepted step of a length [s].
pub(crate) fn watch(model: &Model, state: &mut State, data: &mut Data, step: f64) {
    if model.cables.is_empty() {
        return;
    }
    detect_contacts(model, state, data);
    for (i, cable) in model.cables.iter().enumerate() {
        // One at its own rate is looked at where its steps end.
        if state.cables[i].pace.as_ref().is_some_and(|pace| pace.time < state.time) {
            continue;
        }
        let extremes = look(cable, &state.cables[i], state, i, data);
        let (figures, own) = (&state.cable_statistics[i], &data.cables[i]);
        let two = own.held.iter().filter(|held| **held).count() > 1;
        let caught = weight(cable, &state.cables[i], own, model.gravity).max(CAUGHT * figures.largest.value);
        let enough = |e: usize| match TAUT * figures.at_start(middle(own, e)) {
            _ if !(figures.slack && two) => 0.0,
            least if least > 0.0 => least,
            _ => caught,
        };
        let seabed = model.surroundings.seabed.as_ref();
        let loose = loosest(cable, &state.cables[i], own, seabed, &enough);
        let id = CableId(i as u32);
        let time = state.time;
        let own = &data.cables[i];
        let figures = &mut state.cable_statistics[i];
        figures.include(&extremes, time);
        if figures.slack {
            figures.slack_time += time - figures.seen;
        }
        figures.seen = time;
        let passage = passage(cable, &state.cables[i], own);
        let step = match &state.cables[i].pace {
            Some(pace) => pace.span,
            None => step / f64::from(figures.parts.max(1)),
        };
        let lasted = time - figures.since > 2.0 * passage;
        let mut tell = |kind| data.events.push(Event { time, kind });
        if loose.is_some() != figures.slack {
            figures.slack = loose.is_some();
            figures.since = time;
            if figures.slack {
                figures.told = false;
            } else if figures.told {
                figures.snaps += 1;
                let (e, rate) = fastest(own);
                tell(EventKind::Taut { cable: id, at: middle(own, e), rate });
                figures.rising =
                    Some(Rising { peak: Extreme::of(extremes.largest, time), since: time, step });
                let working = figures.start.iter().fold(0.0_f64, |a, (_, tension)| a.max(*tension));
                let working = if working > 0.0 { working } else { caught };
                if wave(cable, &state.cables[i], own) > FAST * working {
                    figures.fine_until = time + FINE_TIME;
                }
            }
        }
        if let Some(Rising { peak, step, .. }) = figures.follow(extremes.largest, (time, step), passage) {
            tell(EventKind::Snap { cable: id, peak: peak.value, when: peak.time, at: peak.at, step });
        }
        if let (Some(e), false, true) = (loose, figures.told, lasted) {
            figures.told = true;
            tell(EventKind::Slack { cable: id, at: middle(own, e) });
        }
        if cable.payout.is_some() {
            let stop = stop(cable, &mut state.cables[i], &data.cables[i], time);
            let figures = &mut state.cable_statistics[i];
            if let (Some(why), true) = (stop, stop != figures.stopped) {
                let length = data.cables[i].length.iter().sum();
                data.events.push(Event { time, kind: EventKind::PayoutStopped { cable: id, length, why } });
            }
            figures.stopped = stop;
        }
    }
}

/// What keeps a cable from being paid out or hauled in as it is asked to now.
fn stop(cable: &Cable, own: &mut CableState, data: &CableData, time: f64) -> Option<PayoutStop> {
    let payout = cable.payout.as_ref()?;
    let speed = cable.ordered(own, time);
    if speed >= 0.0 {
        (own.blocked, own.bound) = (None, None);
    } else if let (None, Some((room, what))) = (own.blocked, cable.room_to_guides(own, data, HOOK)) {
        let bound = (2.0 * BRAKE * room.max(0.0)).sqrt();
        own.bound = (bound < -speed).then_some(bound);
        // What is left at such a speed is nothing.
        if bound < 0.05 * -speed || room <= 0.0 {
            own.blocked = Some(what);
        }
    }
    let length = own.length();
    let near = 1e-9 * length;
    if let (Some((guide, node)), true) = (own.blocked, speed < 0.0) {
        return Some(PayoutStop::Guide { guide, node });
    }
    if speed > 0.0 && length >= payout.longest - near {
        return Some(PayoutStop::Longest);
    }
    (speed < 0.0 && length <= payout.shortest + near).then_some(PayoutStop::Shortest)
}

/// Brings tensions, moments and the spline of a cable up to date; the extremes along it.
fn look(cable: &Cable, own: &CableState, state: &State, index: usize, data: &mut Data) -> Extremes {
    let Data { cables, bodies, paces, .. } = data;
    let bodies = if cable.pace.is_some() { &paces[index].bodies } else { bodies };
    let data = &mut cables[index];
    let mut powers = Powers::default();
    // Forces may be up to date already, with more in them than is looked at here: they stay.
    std::mem::swap(&mut data.force, &mut data.spare);
    data.force.clear();
    data.force.resize(own.nodes.len(), Vec3::ZERO);
    cable.stretch(own, data, None, &mut powers);
    if cable.bends {
        if cable.twists {
            cable.initial_curvature(own, cable.own(state).0, data);
        }
        cable.bend(own, bodies, data, &mut powers);
    }
    std::mem::swap(&mut data.force, &mut data.spare);
    let mut spline = std::mem::take(&mut data.spline);
    spline.lay(cable, own, data);
    let found = extremes(cable, own, data, &spline);
    data.spline = spline;
    found
}

/// The first element that has no more than a tension [N] of its own and can go slack, if there is one.
fn loosest(
    cable: &Cable,
    own: &CableState,
    data: &CableData,
    seabed: Option<&Seabed>,
    tension: &dyn Fn(usize) -> f64,
) -> Option<usize> {
    let lies = |e: usize, diameter: f64| {
        let ground = seabed.map_or(f64::NEG_INFINITY, |s| s.height + diameter);
        data.position[e].z <= ground && data.position[e + 1].z <= ground
    };
    own.elements.iter().enumerate().position(|(e, element)| {
        let line = &cable.lines[element.line as usize];
        line.slack && data.stretch[e].tension <= tension(e) && !lies(e, line.diameter)
    })
}

/// The element that is stretched fastest, and its rate of strain [1/s].
fn fastest(data: &CableData) -> (usize, f64) {
    let rates = data.lengthening.iter().zip(&data.length).map(|(speed, length)| speed / length);
    rates.enumerate().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((0, 0.0))
}

fn middle(data: &CableData, e: usize) -> f64 {
    0.5 * (data.spline.arc[e] + data.spline.arc[e + 1])
}

/// Weight of all of a cable [N].
fn weight(cable: &Cable, own: &CableState, data: &CableData, gravity: Vec3) -> f64 {
    let masses = own.elements.iter().zip(&data.length);
    let mass: f64 = masses.map(|(e, length)| cable.lines[e.line as usize].mass * length).sum();
    mass * gravity.length()
}

/// Tension of the wave that a cable makes where it is stopped from lengthening as fast as it does [N]: its speed times √(EA·m).
fn wave(cable: &Cable, own: &CableState, data: &CableData) -> f64 {
    let speed: f64 = data.lengthening.iter().sum();
    let impedances = own.elements.iter().map(|element| {
        let line = &cable.lines[element.line as usize];
        (line.axial.stiffness() * line.mass).sqrt()
    });
    speed * impedances.fold(0.0, f64::max)
}

/// How long an axial wave takes from one end to the other [s].
fn passage(cable: &Cable, own: &CableState, data: &CableData) -> f64 {
    let times = own.elements.iter().zip(&data.length).map(|(element, length)| {
        let line = &cable.lines[element.line as usize];
        length * (line.mass / line.axial.stiffness()).sqrt()
    });
    times.sum()
}
