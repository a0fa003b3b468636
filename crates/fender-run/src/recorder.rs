//! What a run keeps in memory until it is written: rows of signals and rows of contacts.
//!
//! All signals share one table. Records may have different rates; a row exists wherever any of them is due, and the
//! others are null there.

use crate::clock::{Clock, nice};
use crate::sampler::Sampler;
use crate::scenario::{Expect, Record, When};
use crate::signal::{Catalogue, Signal, SignalError};
use crate::table::{Column, Kind, Table};
use fender_engine::{Model, World};
use fender_geom::Feature;
use std::collections::HashMap;

/// Bodies whose motion is recorded when the scenario does not say what to record.
const DEFAULT_BODIES: usize = 12;
/// Samples over the duration, at least, when the scenario does not say how often.
const DEFAULT_SAMPLES: f64 = 500.0;
/// A model with more bodies than this records its contacts no more often than [`BUSY_PERIOD`].
const BUSY_BODIES: usize = 100;
/// Least interval between samples of the contact table in a large model [s].
const BUSY_PERIOD: f64 = 0.04;

/// Which signals are recorded by which clock.
#[derive(Debug)]
pub struct Plan {
    /// Signals, each once, in the order of the records.
    pub signals: Vec<Signal>,
    /// Clock of each signal: an index into `clocks`.
    pub clock_of: Vec<usize>,
    /// Signals that are also sampled by the last clock, at the times that expectations ask about.
    pub at_times: Vec<bool>,
    /// Clocks of the signals; the last one is for expectations.
    pub clocks: Vec<Clock>,
    /// Shortest regular interval [s].
    pub shortest: f64,
}

/// A record or an expectation that names no signal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{error}")]
pub struct PlanError {
    /// Key in the scenario, such as `record[0].signals[2]`.
    pub at: String,
    /// What is wrong.
    pub error: SignalError,
}

/// What a person would want to see of a scene that does not say.
pub fn default_records(model: &Model, duration: f64) -> Vec<Record> {
    let moving = model.bodies.iter().filter(|b| !matches!(b.motion, fender_engine::BodyMotion::Fixed));
    let mut signals = Vec::new();
    let pairs = Catalogue::new(model).pairs().to_vec();
    for body in moving.take(DEFAULT_BODIES) {
        for quantity in ["position", "velocity", "orientation"] {
            signals.push(format!("{}.{quantity}", body.name));
        }
        if pairs.len() > DEFAULT_BODIES
            || (pairs.is_empty() && model.joints.is_empty() && !body.shapes.is_empty())
        {
            signals.push(format!("{}.contact.force", body.name));
        }
    }
    signals.extend(model.joints.iter().take(DEFAULT_BODIES).map(|joint| format!("joint.{}.*", joint.name)));
    signals.extend(model.loops.iter().take(DEFAULT_BODIES).map(|closed| format!("loop.{}.*", closed.name)));
    for cable in model.cables.iter().take(DEFAULT_BODIES) {
        for quantity in ["tension.start", "tension.end", "tension.max", "tension.min", "curvature.max"] {
            signals.push(format!("cable.{}.{quantity}", cable.name));
        }
        for (end, (_, tie)) in ["start", "end"].iter().zip(&cable.ties) {
            // What is held is where its holder is.
            if !tie.attached {
                signals.push(format!("cable.{}.at.{end}.position", cable.name));
            }
        }
        if cable.payout.is_some() {
            for quantity in ["length", "paid", "payout_speed"] {
                signals.push(format!("cable.{}.{quantity}", cable.name));
            }
        }
        if cable.lines.iter().any(|line| line.breaking_load.is_some()) {
            signals.push(format!("cable.{}.utilisation", cable.name));
        }
    }
    signals.extend(model.sensors.iter().take(DEFAULT_BODIES).map(|sensor| format!("sensor.{}", sensor.name)));
    signals.extend(
        model.controllers.iter().take(DEFAULT_BODIES).map(|c| format!("controller.{}.output", c.name)),
    );
    if pairs.len() <= DEFAULT_BODIES {
        for (a, b) in pairs {
            let (a, b) = (&model.bodies[a.index()].name, &model.bodies[b.index()].name);
            for quantity in ["normal_force", "friction_force", "depth"] {
                signals.push(format!("contact.{a}-{b}.{quantity}"));
            }
        }
    }
    vec![Record { signals, every: nice(duration / DEFAULT_SAMPLES) }]
}

impl Plan {
    /// Plans the records of a scenario and of the questions that will be asked of it. The energy account is always
    /// recorded. A signal that several records name goes to the one with the shortest interval.
    pub fn new(
        model: &Model,
        duration: f64,
        fixed_step: Option<f64>,
        records: &[Record],
        expects: &[Expect],
    ) -> Result<Self, PlanError> {
        let catalogue = Catalogue::new(model);
        let defaults;
        let records = if records.is_empty() {
            defaults = default_records(model, duration);
            &defaults
        } else {
            records
        };
        let fastest =
            (0..records.len()).min_by(|&a, &b| records[a].every.total_cmp(&records[b].every)).unwrap_or(0);
        let mut plan = Self {
            signals: Vec::new(),
            clock_of: Vec::new(),
            at_times: Vec::new(),
            clocks: records.iter().map(|r| Clock::every(r.every, fixed_step)).collect(),
            shortest: records.get(fastest).map_or(duration, |r| r.every),
        };
        let mut index: HashMap<String, usize> = HashMap::new();
        for (group, record) in records.iter().enumerate() {
            for (i, pattern) in record.signals.iter().enumerate() {
                let at = || format!("record[{group}].signals[{i}]");
                for signal in catalogue.select(pattern).map_err(|error| PlanError { at: at(), error })? {
                    plan.add(&mut index, signal, group, |old| record.every < records[old].every);
                }
            }
        }
        for signal in catalogue.select("energy.*").unwrap_or_default() {
            plan.add(&mut index, signal, 0, |_| false);
        }
        let mut times = Vec::new();
        for (number, expect) in expects.iter().enumerate() {
            let signal = catalogue
                .one(&expect.signal)
                .map_err(|error| PlanError { at: format!("expect[{number}].signal"), error })?;
            let i = plan.add(&mut index, signal, fastest, |_| false);
            if let When::At(time) = expect.when {
                plan.at_times[i] = true;
                times.push(time);
            }
        }
        plan.clocks.push(Clock::at(&times, fixed_step));
        Ok(plan)
    }

    fn add(
        &mut self,
        index: &mut HashMap<String, usize>,
        signal: Signal,
        group: usize,
        replaces: impl Fn(usize) -> bool,
    ) -> usize {
        if let Some(&i) = index.get(&signal.name) {
            if replaces(self.clock_of[i]) {
                self.clock_of[i] = group;
            }
            return i;
        }
        index.insert(signal.name.clone(), self.signals.len());
        self.signals.push(signal);
        self.clock_of.push(group);
        self.at_times.push(false);
        self.signals.len() - 1
    }
}

/// Rows of signals that have not been written yet.
#[derive(Debug)]
pub struct SignalRecorder {
    sampler: Sampler,
    clock_of: Vec<usize>,
    at_times: Vec<bool>,
    at_clock: usize,
    /// Rows so far: `time`, then one column per signal.
    pub table: Table,
}

impl SignalRecorder {
    /// A recorder without rows.
    pub fn new(plan: Plan, model: &Model) -> Self {
        let mut columns = vec![Column::new("time", "s", "Time", Kind::Real)];
        columns.extend(plan.signals.iter().map(Signal::column));
        Self {
            sampler: Sampler::new(plan.signals, model.bodies.len()),
            clock_of: plan.clock_of,
            at_times: plan.at_times,
            at_clock: plan.clocks.len() - 1,
            table: Table { columns, texts: Vec::new() },
        }
    }

    /// Adds a row for this instant with the signals of the clocks that are due.
    pub fn sample(&mut self, world: &World, due: &[bool]) {
        let [time, columns @ ..] = self.table.columns.as_mut_slice() else { return };
        time.values.push(world.state.time);
        for column in columns.iter_mut() {
            column.values.push(f64::NAN);
        }
        let (clock_of, at_times, at_clock) = (&self.clock_of, &self.at_times, self.at_clock);
        let wanted = |i: usize| due[clock_of[i]] || (at_times[i] && due[at_clock]);
        self.sampler.sample(world, wanted, |i, value| {
            if let Some(last) = columns[i].values.last_mut() {
                *last = value;
            }
        });
    }
}

/// Interval between samples of the contact table [s].
pub fn contact_period(model: &Model, shortest_record: f64) -> f64 {
    if model.bodies.len() > BUSY_BODIES { shortest_record.max(BUSY_PERIOD) } else { shortest_record }
}

/// The contact table: one row per contact point and instant.
pub fn contact_table(model: &Model) -> Table {
    let columns = [
        ("time", "s", "Time", Kind::Real),
        ("body_a", "", "First body: forces and normal are with respect to it", Kind::Text),
        ("body_b", "", "Second body", Kind::Text),
        ("shape_a", "1", "Shape of the first body, counted from 0", Kind::Whole),
        ("shape_b", "1", "Shape of the second body, counted from 0", Kind::Whole),
        ("slot", "1", "Slot of the contact in its pair of shapes; null before it is opened", Kind::Whole),
        ("point.x", "m", "Point of action in the world, x", Kind::Real),
        ("point.y", "m", "Point of action in the world, y", Kind::Real),
        ("point.z", "m", "Point of action in the world, z", Kind::Real),
        ("normal.x", "1", "Normal towards the first body, x", Kind::Real),
        ("normal.y", "1", "Normal towards the first body, y", Kind::Real),
        ("normal.z", "1", "Normal towards the first body, z", Kind::Real),
        ("depth", "m", "Depth of the overlap", Kind::Real),
        ("approach_speed", "m/s", "Rate at which the depth grows", Kind::Real),
        (
            "slip_speed",
            "m/s",
            "Speed of the first body across the normal, relative to the second",
            Kind::Real,
        ),
        ("normal_force", "N", "Force on the first body along the normal", Kind::Real),
        ("friction.x", "N", "Friction force on the first body, x", Kind::Real),
        ("friction.y", "N", "Friction force on the first body, y", Kind::Real),
        ("friction.z", "N", "Friction force on the first body, z", Kind::Real),
        ("stored", "J", "Energy stored in the contact", Kind::Real),
        ("sticking", "1", "Whether the contact sticks", Kind::Truth),
        (
            "part_a",
            "",
            "What of the first shape touches: a face, an edge, a vertex or a round side",
            Kind::Text,
        ),
        ("part_a.number", "1", "Its number, counted from 0; null for a round side", Kind::Whole),
        ("part_b", "", "What of the second shape touches", Kind::Text),
        ("part_b.number", "1", "Its number", Kind::Whole),
    ];
    let bodies = model.bodies.iter().map(|b| b.name.as_str());
    Table {
        columns: columns.into_iter().map(|(n, u, d, k)| Column::new(n, u, d, k)).collect(),
        texts: bodies.chain(PARTS).map(String::from).collect(),
    }
}

/// Kinds of parts of a shape, behind the names of the bodies in the texts of a contact table.
const PARTS: [&str; 4] = ["round", "face", "edge", "vertex"];

/// A part of a shape as an index into [`PARTS`], and its number.
fn part(feature: Option<Feature>) -> (usize, f64) {
    match feature {
        None => (0, f64::NAN),
        Some(Feature::Face(i)) => (1, f64::from(i)),
        Some(Feature::Edge(i)) => (2, f64::from(i)),
        Some(Feature::Vertex(i)) => (3, f64::from(i)),
    }
}

/// Adds the contacts of this instant to a contact table.
pub fn sample_contacts(table: &mut Table, world: &World) {
    for c in world.contacts() {
        let first = |body: fender_engine::BodyId| world.model.bodies[body.index()].shapes.start;
        let slot =
            c.slot().and_then(|i| world.state.slots.get(i as usize)).map_or(f64::NAN, |s| f64::from(s.slot));
        let (p, n, f) = (c.overlap.point, c.overlap.normal, c.friction);
        let [(part_a, number_a), (part_b, number_b)] = world.parts(c).map(part);
        let text = |part: usize| (world.model.bodies.len() + part) as f64;
        let row = [
            world.state.time,
            f64::from(c.body_a.0),
            f64::from(c.body_b.0),
            f64::from(c.a.0 - first(c.body_a)),
            f64::from(c.b.0 - first(c.body_b)),
            slot,
            p.x,
            p.y,
            p.z,
            n.x,
            n.y,
            n.z,
            c.overlap.depth,
            c.motion.approach,
            c.motion.slip.length(),
            c.normal_force,
            f.x,
            f.y,
            f.z,
            c.stored,
            f64::from(u8::from(c.sticking)),
            text(part_a),
            number_a,
            text(part_b),
            number_b,
        ];
        for (column, value) in table.columns.iter_mut().zip(row) {
            column.values.push(value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::Check;
    use crate::testing;
    use fender_engine::Profile;
    use fender_engine::cable::Payout;

    fn record(signals: &[&str], every: f64) -> Record {
        Record { signals: signals.iter().map(|s| (*s).to_owned()).collect(), every }
    }

    #[test]
    fn a_signal_named_twice_takes_the_shorter_interval() {
        let model = testing::two_balls();
        let records = [record(&["left.position"], 0.1), record(&["left.position.z"], 0.01)];
        let plan = Plan::new(&model, 1.0, Some(1e-3), &records, &[]).unwrap();
        let z = plan.signals.iter().position(|s| s.name == "left.position.z").unwrap();
        let x = plan.signals.iter().position(|s| s.name == "left.position.x").unwrap();
        assert_eq!((plan.clock_of[x], plan.clock_of[z]), (0, 1));
        assert_eq!(plan.clocks[1], Clock::EverySteps(10));
    }

    #[test]
    fn energy_and_expected_signals_are_always_recorded() {
        let model = testing::two_balls();
        let expect = Expect {
            signal: "right.velocity.y".into(),
            when: When::At(0.25),
            check: Check::Within { above: None, below: None },
            why: String::new(),
        };
        let plan = Plan::new(&model, 1.0, None, &[record(&["left.position"], 0.1)], &[expect]).unwrap();
        let names: Vec<&str> = plan.signals.iter().map(|s| s.name.as_str()).collect();
        assert!(names.contains(&"energy.kinetic") && names.contains(&"right.velocity.y"));
        assert_eq!(plan.clocks.last(), Some(&Clock::Times(vec![0.25])));
    }

    #[test]
    fn a_scene_that_does_not_say_gets_a_sensible_record() {
        let model = testing::two_balls();
        let plan = Plan::new(&model, 3.0, Some(1e-4), &[], &[]).unwrap();
        assert!(plan.signals.iter().any(|s| s.name == "left.orientation.w"));
        assert_eq!(plan.clocks[0], Clock::EverySteps(50));
    }

    #[test]
    fn cables_are_recorded_unless_said_otherwise() {
        let plan = Plan::new(&testing::rope(), 3.0, Some(1e-4), &[], &[]).unwrap();
        let names: Vec<&str> = plan.signals.iter().map(|s| s.name.as_str()).collect();
        assert!(names.contains(&"cable.rope.tension.max") && names.contains(&"cable.rope.curvature.max"));
        assert!(!names.iter().any(|name| name.contains(".at.")), "{names:?}");
        assert!(
            names.contains(&"cable.rope.utilisation") && !names.contains(&"cable.rope.paid"),
            "{names:?}"
        );
        let mut model = testing::rope();
        model.cables[0].payout =
            Some(Payout { end: 0, speed: Profile::Constant(0.1), shortest: 1.0, longest: 9.0 });
        let plan = Plan::new(&model, 3.0, Some(1e-4), &[], &[]).unwrap();
        for quantity in ["length", "paid", "payout_speed"] {
            let name = format!("cable.rope.{quantity}");
            assert!(plan.signals.iter().any(|signal| signal.name == name), "{name}");
        }
    }

    #[test]
    fn an_unknown_signal_is_refused() {
        let model = testing::two_balls();
        let records = [record(&["left.velocity", "left.postion"], 0.1)];
        let error = Plan::new(&model, 1.0, None, &records, &[]).unwrap_err();
        assert_eq!(error.at, "record[0].signals[1]");
        assert!(error.to_string().contains("did you mean 'left.position'"), "{error}");
    }
}
