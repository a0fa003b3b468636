//! Signals: every number a scene can be asked for, by name.
//!
//! | Name | |
//! |---|---|
//! | `<body>.position`, `.velocity`, `.acceleration` | of the body frame's origin, in the world; `.x .y .z` |
//! | `<body>.orientation` | quaternion `.w .x .y .z` from the body's frame to the world |
//! | `<body>.angular_velocity`, `.angular_acceleration` | in the world |
//! | `<body>.angular_momentum` | of a body that forces move, about its centre of mass, in the world |
//! | `<body>.contact.force`, `.depth`, `.count` | all contacts of the body together |
//! | `contact.<a>-<b>.force`, `.normal_force`, `.friction_force`, `.depth`, `.count`, `.slip_speed`, `.deflection`, `.dwell`, `.patch_long`, `.patch_short`, `.peak_pressure`, `.patch_area`, `.patch_volume`, `.patch_radius`, `.couple` | contacts of two bodies; force and couple on the first |
//! | `joint.<name>.<coordinate>`, `.<coordinate>_rate`, `.<coordinate>_effort`, `.<coordinate>_power` | angle or distance, its rate, the force along it, and its power |
//! | `joint.<name>.force`, `.torque` | by the joint on the child, in the world, at the joint's point |
//! | `loop.<name>.force`, `.torque` | by the loop on the last of its bodies, in the world, at its point there |
//! | `loop.<name>.effort` | tension of a distance or rope; force on the first coordinate of a coupling |
//! | `loop.<name>.violation` | how far it is from closed |
//! | `sensor.<name>` | what a sensor shows: one number, or `.x .y .z` (`.w` too for an orientation) |
//! | `controller.<name>.output` | what a controller holds |
//! | `cable.<name>.tension.start`, `.end`, `.max`, `.max_at`, `.min`; `.curvature.max`, `.max_at`; `.utilisation`, `.bend_utilisation`; `.length`, `.paid`, `.payout_speed`, `.nodes` | of a cable |
//! | `cable.<name>.force.start`, `.end`; `.moment.start`, `.end` | by the cable on what holds its ends |
//! | `cable.<name>.at.<s>.tension`, `.strain`, `.curvature`, `.moment`, `.twist`, `.torque`, `.position`, `.velocity` | at an arc length s [m], or at `start` or `end`; only if asked for |
//! | `energy.kinetic`, `.potential`, `.stored`, `.dissipated`, `.work`, `.residual`, `.relative_residual` | the account |
//! | `energy.dissipated.<source>`, `energy.work.<source>` | its parts |
//!
//! A pattern names signals: `*` stands for any text, and a vector's name stands for its components.

use crate::cable_signal::{self, CableQuantity};
use crate::table::{Column, Kind};
use fender_engine::joint::Coordinate;
use fender_engine::tree::Carrier;
use fender_engine::{BodyId, CableId, ControllerId, JointId, LoopId, Model, SensorId, ShapeId};
use std::collections::HashMap;

/// Most pairs of bodies that get signals of their own; in larger scenes only bodies have contact signals.
pub const MAX_PAIRS: usize = 200;

/// Why a pattern is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SignalError {
    /// Nothing has this name.
    #[error("there is no signal '{pattern}'{}", suggestion(.nearest.as_deref(), *.pairs_left_out))]
    Unknown {
        /// What was asked for.
        pattern: String,
        /// The name most like it.
        nearest: Option<String>,
        /// Pairs of bodies have no signals of their own here because they are too many.
        pairs_left_out: bool,
    },
    /// A place of a cable, or what is asked of it, does not exist.
    #[error("there is no signal '{pattern}': {why}")]
    Station {
        /// What was asked for.
        pattern: String,
        /// What is wrong with it.
        why: String,
    },
    /// One signal is needed.
    #[error("'{pattern}' names {count} signals, and one is needed: '{first}', for instance")]
    Several {
        /// What was asked for.
        pattern: String,
        /// How many it names.
        count: usize,
        /// The first of them.
        first: String,
    },
}

fn suggestion(nearest: Option<&str>, pairs_left_out: bool) -> String {
    let mut text = nearest.map(|n| format!("; did you mean '{n}'?")).unwrap_or_default();
    if pairs_left_out {
        text += " (with so many bodies, pairs have no signals of their own: use '<body>.contact.force')";
    }
    text
}

/// A quantity of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyQuantity {
    /// Position of the frame's origin.
    Position,
    /// Velocity of the frame's origin.
    Velocity,
    /// Orientation; components in the order w x y z.
    Orientation,
    /// Angular velocity.
    AngularVelocity,
    /// Acceleration of the frame's origin.
    Acceleration,
    /// Angular acceleration.
    AngularAcceleration,
    /// Angular momentum about the centre of mass; free bodies only.
    AngularMomentum,
}

/// A quantity of a set of contacts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactQuantity {
    /// Component of the total force.
    Force,
    /// Sum of the normal forces.
    NormalForce,
    /// Length of the summed friction forces.
    FrictionForce,
    /// Greatest depth.
    Depth,
    /// Slip speed of the deepest point.
    SlipSpeed,
    /// Deflection of the bristles there.
    Deflection,
    /// How far stiction has built up there.
    Dwell,
    /// Long half axis of the patch there.
    PatchLong,
    /// Short half axis of the patch there.
    PatchShort,
    /// Pressure in the middle of the patch there.
    PeakPressure,
    /// Area of patches, across their normals [m²].
    PatchArea,
    /// Volume of the overlap of patches [m³].
    PatchVolume,
    /// Radius of gyration of the patch at the deepest point [m].
    PatchRadius,
    /// Torque on the first body about the patches' points [N·m].
    Couple,
    /// Number of contact points.
    Count,
}

/// A quantity of a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointQuantity {
    /// A coordinate.
    Position,
    /// Its rate.
    Rate,
    /// Force or torque along it, by everything that acts on it and by a guide.
    Effort,
    /// Power of that on the child: effort times rate.
    Power,
    /// Force on the child.
    Force,
    /// Torque on the child about the joint's point.
    Torque,
}

/// A quantity of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoopQuantity {
    /// Force on the last of its bodies.
    Force,
    /// Torque on the last of its bodies about its point.
    Torque,
    /// Tension, or force on the first coordinate.
    Effort,
    /// How far it is from closed.
    Violation,
}

/// An entry of the energy account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EnergyQuantity {
    /// Kinetic.
    Kinetic,
    /// Potential.
    Potential,
    /// Stored.
    Stored,
    /// Dissipated, all sources.
    Dissipated,
    /// Work, all sources.
    Work,
    /// Residual.
    Residual,
    /// Relative residual.
    RelativeResidual,
    /// Dissipated by one source.
    DissipatedBy(usize),
    /// Work of one source.
    WorkOf(usize),
}

/// Where a signal's value comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Source {
    /// A body's motion: body, quantity, component.
    Body(BodyId, BodyQuantity, usize),
    /// All contacts of a body: body, quantity, component.
    BodyContact(BodyId, ContactQuantity, usize),
    /// Contacts of two bodies, seen from the first: bodies, quantity, component.
    Pair(BodyId, BodyId, ContactQuantity, usize),
    /// A joint: joint, quantity, coordinate or component.
    Joint(JointId, JointQuantity, usize),
    /// A loop: loop, quantity, component.
    Loop(LoopId, LoopQuantity, usize),
    /// A cable: cable, quantity, component.
    Cable(CableId, CableQuantity, usize),
    /// What a sensor shows: sensor, component.
    Sensor(SensorId, usize),
    /// Output of a controller.
    Controller(ControllerId),
    /// The energy account.
    Energy(EnergyQuantity),
}

/// A signal.
#[derive(Clone, Debug, PartialEq)]
pub struct Signal {
    /// Full name.
    pub name: String,
    /// Unit.
    pub unit: &'static str,
    /// What it is.
    pub description: String,
    /// Whole for counts, else real.
    pub kind: Kind,
    /// Where its value comes from.
    pub source: Source,
}

impl Signal {
    /// Its column, without rows.
    pub fn column(&self) -> Column {
        Column::new(&self.name, self.unit, &self.description, self.kind)
    }
}

pub(crate) const XYZ: [&str; 3] = ["x", "y", "z"];
const WXYZ: [&str; 4] = ["w", "x", "y", "z"];

/// All signals of a model. Names are made when they are asked for: a scene of 10⁴ bodies has 10⁵ of them.
#[derive(Debug)]
pub struct Catalogue<'m> {
    model: &'m Model,
    pairs: Vec<(BodyId, BodyId)>,
    pairs_left_out: bool,
}

impl<'m> Catalogue<'m> {
    /// The signals of a model.
    pub fn new(model: &'m Model) -> Self {
        let mut pairs = Vec::new();
        let n = model.shapes.len();
        let mut pairs_left_out = false;
        'search: for i in 0..n {
            for j in i + 1..n {
                let (a, b) = (model.shapes[i].body, model.shapes[j].body);
                if pairs.last() == Some(&(a, b)) || model.skips(ShapeId(i as u32), ShapeId(j as u32)) {
                    continue;
                }
                if !pairs.contains(&(a, b)) {
                    pairs.push((a, b));
                }
                if pairs.len() > MAX_PAIRS {
                    pairs.clear();
                    pairs_left_out = true;
                    break 'search;
                }
            }
        }
        Self { model, pairs, pairs_left_out }
    }

    /// Pairs of bodies that have signals of their own.
    pub fn pairs(&self) -> &[(BodyId, BodyId)] {
        &self.pairs
    }

    /// Signals that a pattern names, in the catalogue's order.
    pub fn select(&self, pattern: &str) -> Result<Vec<Signal>, SignalError> {
        let mut found: Vec<Signal> = Vec::new();
        let mut index: HashMap<String, usize> = HashMap::new();
        let (start, reversed) = match pattern.split_once('*') {
            Some((start, _)) => (start, false),
            None => (pattern, true),
        };
        self.visit(start, reversed, &mut |signal| {
            if matches(pattern, &signal.name) || vector(&signal.name).is_some_and(|v| matches(pattern, v)) {
                // Two contact rules for one pair of materials share a name; the last one counts, as in the model.
                if let Some(&i) = index.get(&signal.name) {
                    found[i] = signal;
                } else {
                    index.insert(signal.name.clone(), found.len());
                    found.push(signal);
                }
            }
        });
        found.extend(cable_signal::stations(self.model, pattern)?);
        if found.is_empty() {
            return Err(SignalError::Unknown {
                pattern: pattern.to_owned(),
                nearest: self.nearest(pattern),
                pairs_left_out: self.pairs_left_out && pattern.starts_with("contact."),
            });
        }
        Ok(found)
    }

    /// The one signal that has this name.
    pub fn one(&self, name: &str) -> Result<Signal, SignalError> {
        let found = self.select(name)?;
        match found.as_slice() {
            [signal] => Ok(signal.clone()),
            several => Err(SignalError::Several {
                pattern: name.to_owned(),
                count: several.len(),
                first: several.first().map(|s| s.name.clone()).unwrap_or_default(),
            }),
        }
    }

    /// Every signal.
    pub fn all(&self) -> Vec<Signal> {
        let mut all = Vec::new();
        self.visit("", false, &mut |signal| all.push(signal));
        all
    }

    fn nearest(&self, pattern: &str) -> Option<String> {
        let mut best: Option<(f64, String)> = None;
        let mut consider = |name: &str| {
            let score = strsim::normalized_damerau_levenshtein(pattern, name);
            if best.as_ref().is_none_or(|(s, _)| score > *s) {
                best = Some((score, name.to_owned()));
            }
        };
        self.visit("", false, &mut |signal| {
            consider(&signal.name);
            if let Some(vector) = vector(&signal.name) {
                consider(vector);
            }
        });
        best.filter(|(score, _)| *score > 0.3).map(|(_, name)| name)
    }

    /// Calls `visit` for each signal whose name may begin with `start` (making names costs more than leaving them out);
    /// with `reversed` also for pairs named in the other order.
    fn visit(&self, start: &str, reversed: bool, visit: &mut dyn FnMut(Signal)) {
        let possible = |name: &str| name.starts_with(start) || start.starts_with(name);
        for (i, body) in self.model.bodies.iter().enumerate() {
            if !possible(&body.name) {
                continue;
            }
            let id = BodyId(i as u32);
            body_signals(id, &body.name, body.yields(), visit);
            contact_signals(
                &format!("{}.contact", body.name),
                &format!("all contacts of {}", body.name),
                false,
                visit,
                |quantity, component| Source::BodyContact(id, quantity, component),
            );
        }
        let pairs = if possible("contact.") { self.pairs.as_slice() } else { &[] };
        for &(a, b) in pairs {
            self.pair_signals(a, b, visit);
            if reversed {
                self.pair_signals(b, a, visit);
            }
        }
        if possible("joint.") {
            for i in 0..self.model.joints.len() {
                joint_signals(self.model, JointId(i as u32), visit);
            }
        }
        if possible("loop.") {
            for i in 0..self.model.loops.len() {
                loop_signals(self.model, LoopId(i as u32), visit);
            }
        }
        if possible("cable.") {
            for i in 0..self.model.cables.len() {
                cable_signal::visit(self.model, CableId(i as u32), visit);
            }
        }
        if possible("sensor.") {
            sensor_signals(self.model, visit);
        }
        if possible("controller.") {
            controller_signals(self.model, visit);
        }
        if possible("energy.") {
            energy_signals(&self.model.sources, visit);
        }
    }

    fn pair_signals(&self, a: BodyId, b: BodyId, visit: &mut dyn FnMut(Signal)) {
        let (name_a, name_b) = (&self.model.bodies[a.index()].name, &self.model.bodies[b.index()].name);
        contact_signals(
            &format!("contact.{name_a}-{name_b}"),
            &format!("contacts of {name_b} on {name_a}"),
            true,
            visit,
            |quantity, component| Source::Pair(a, b, quantity, component),
        );
    }
}

fn body_signals(body: BodyId, name: &str, free: bool, visit: &mut dyn FnMut(Signal)) {
    use BodyQuantity as Q;
    let quantities: [(Q, &str, &str, &str, &[&str]); 7] = [
        (Q::Position, "position", "m", "Position", &XYZ),
        (Q::Velocity, "velocity", "m/s", "Velocity", &XYZ),
        (Q::Orientation, "orientation", "1", "Orientation quaternion", &WXYZ),
        (Q::AngularVelocity, "angular_velocity", "rad/s", "Angular velocity", &XYZ),
        (Q::Acceleration, "acceleration", "m/s²", "Acceleration", &XYZ),
        (Q::AngularAcceleration, "angular_acceleration", "rad/s²", "Angular acceleration", &XYZ),
        (Q::AngularMomentum, "angular_momentum", "kg·m²/s", "Angular momentum about the centre", &XYZ),
    ];
    // Only a free body has an inertia: its quantity comes last.
    let count = if free { quantities.len() } else { quantities.len() - 1 };
    for (quantity, key, unit, words, components) in quantities.into_iter().take(count) {
        for (i, component) in components.iter().enumerate() {
            visit(Signal {
                name: format!("{name}.{key}.{component}"),
                unit,
                description: format!("{words} of {name} in the world, {component}"),
                kind: Kind::Real,
                source: Source::Body(body, quantity, i),
            });
        }
    }
}

fn joint_signals(model: &Model, id: JointId, visit: &mut dyn FnMut(Signal)) {
    use JointQuantity as Q;
    let joint = &model.joints[id.index()];
    let Carrier::Joint { joint: kind, .. } = &model.links[joint.link].carrier else { return };
    let name = &joint.name;
    let mut put = |key: String, unit, words: String, quantity, i| {
        let (name, description) = (format!("joint.{name}.{key}"), format!("{words} of joint {name}"));
        visit(Signal { name, unit, description, kind: Kind::Real, source: Source::Joint(id, quantity, i) });
    };
    for (i, coordinate) in kind.coordinates().iter().enumerate() {
        let (key, position, rate, effort) = match coordinate {
            Coordinate::Angle(key) => (*key, Some("rad"), "rad/s", "N·m"),
            Coordinate::Distance(key) => (*key, Some("m"), "m/s", "N"),
            Coordinate::Spin(key) => (*key, None, "rad/s", "N·m"),
        };
        if let Some(unit) = position {
            put(key.to_owned(), unit, format!("Coordinate {key}"), Q::Position, i);
        }
        put(format!("{key}_rate"), rate, format!("Rate of {key}"), Q::Rate, i);
        put(format!("{key}_effort"), effort, format!("Effort along {key}"), Q::Effort, i);
        put(format!("{key}_power"), "W", format!("Power along {key}"), Q::Power, i);
    }
    for (i, component) in XYZ.iter().enumerate() {
        put(format!("force.{component}"), "N", format!("Force on the child, {component},"), Q::Force, i);
    }
    for (i, component) in XYZ.iter().enumerate() {
        put(format!("torque.{component}"), "N·m", format!("Torque on the child, {component},"), Q::Torque, i);
    }
}

fn loop_signals(model: &Model, id: LoopId, visit: &mut dyn FnMut(Signal)) {
    use LoopQuantity as Q;
    let closed = &model.loops[id.index()];
    let name = &closed.name;
    let mut put = |key: String, unit, words: String, quantity, i| {
        let (name, description) = (format!("loop.{name}.{key}"), format!("{words} of loop {name}"));
        visit(Signal { name, unit, description, kind: Kind::Real, source: Source::Loop(id, quantity, i) });
    };
    let of_bodies = closed.closure.coordinates().is_empty();
    if of_bodies {
        for (i, component) in XYZ.iter().enumerate() {
            put(format!("force.{component}"), "N", format!("Force, {component},"), Q::Force, i);
        }
    }
    if closed.closure.count() == 1 {
        let unit = if of_bodies { "N" } else { "N or N·m" };
        put("effort".into(), unit, "Effort".into(), Q::Effort, 0);
    } else {
        for (i, component) in XYZ.iter().enumerate() {
            put(format!("torque.{component}"), "N·m", format!("Torque, {component},"), Q::Torque, i);
        }
    }
    put("violation".into(), "m or rad", "Violation".into(), Q::Violation, 0);
}

fn sensor_signals(model: &Model, visit: &mut dyn FnMut(Signal)) {
    for (i, sensor) in model.sensors.iter().enumerate() {
        let (id, unit) = (SensorId(i as u32), sensor.measure.unit(model));
        let components = sensor.measure.components();
        let mut put = |suffix: &str, words: String, component| {
            let name = format!("sensor.{}{suffix}", sensor.name);
            let description = format!("{}{words}, as the sensor shows it", sensor.measure.describe(model));
            let source = Source::Sensor(id, component);
            visit(Signal { name, unit, description, kind: Kind::Real, source });
        };
        if components.is_empty() {
            put("", String::new(), 0);
        }
        for (k, component) in components.iter().enumerate() {
            put(&format!(".{component}"), format!(", {component}"), k);
        }
    }
}

fn controller_signals(model: &Model, visit: &mut dyn FnMut(Signal)) {
    for (i, controller) in model.controllers.iter().enumerate() {
        visit(Signal {
            name: format!("controller.{}.output", controller.name),
            unit: controller.drive.unit(model),
            description: format!("Output of controller {}", controller.name),
            kind: Kind::Real,
            source: Source::Controller(ControllerId(i as u32)),
        });
    }
}

fn contact_signals(
    prefix: &str,
    whose: &str,
    scalars: bool,
    visit: &mut dyn FnMut(Signal),
    source: impl Fn(ContactQuantity, usize) -> Source,
) {
    use ContactQuantity as Q;
    for (i, component) in XYZ.iter().enumerate() {
        visit(Signal {
            name: format!("{prefix}.force.{component}"),
            unit: "N",
            description: format!("Force of {whose}, {component}"),
            kind: Kind::Real,
            source: source(Q::Force, i),
        });
    }
    if scalars {
        for (i, component) in XYZ.iter().enumerate() {
            visit(Signal {
                name: format!("{prefix}.couple.{component}"),
                unit: "N*m",
                description: format!("Torque about the points of the patches of {whose}, {component}"),
                kind: Kind::Real,
                source: source(Q::Couple, i),
            });
        }
    }
    let mut scalar = |quantity, key: &str, unit, words: &str, kind| {
        visit(Signal {
            name: format!("{prefix}.{key}"),
            unit,
            description: format!("{words} of {whose}"),
            kind,
            source: source(quantity, 0),
        });
    };
    if scalars {
        scalar(Q::NormalForce, "normal_force", "N", "Sum of the normal forces", Kind::Real);
        scalar(Q::FrictionForce, "friction_force", "N", "Size of the summed friction forces", Kind::Real);
        for (quantity, key, unit, words) in [
            (Q::SlipSpeed, "slip_speed", "m/s", "Slip speed at the deepest point"),
            (Q::Deflection, "deflection", "m", "Deflection of the bristles at the deepest point"),
            (Q::Dwell, "dwell", "1", "Stiction built up at the deepest point"),
            (Q::PatchLong, "patch_long", "m", "Long half axis of Hertz' patch at the deepest point"),
            (Q::PatchShort, "patch_short", "m", "Short half axis of Hertz' patch at the deepest point"),
            (
                Q::PeakPressure,
                "peak_pressure",
                "Pa",
                "Pressure in the middle of Hertz' patch at the deepest point",
            ),
        ] {
            scalar(quantity, key, unit, words, Kind::Real);
        }
        for (quantity, key, unit, words) in [
            (Q::PatchArea, "patch_area", "m^2", "Area of the patches"),
            (Q::PatchVolume, "patch_volume", "m^3", "Volume of overlap of the patches"),
            (Q::PatchRadius, "patch_radius", "m", "Radius of gyration of the deepest patch"),
        ] {
            scalar(quantity, key, unit, words, Kind::Real);
        }
    }
    scalar(Q::Depth, "depth", "m", "Greatest depth", Kind::Real);
    scalar(Q::Count, "count", "1", "Number of points", Kind::Whole);
}

fn energy_signals(sources: &[String], visit: &mut dyn FnMut(Signal)) {
    use EnergyQuantity as Q;
    let totals = [
        (Q::Kinetic, "kinetic", "J", "Kinetic energy of free bodies and cables"),
        (Q::Potential, "potential", "J", "Potential energy in the field of gravity"),
        (Q::Stored, "stored", "J", "Energy stored in springs, contacts and cables"),
        (Q::Dissipated, "dissipated", "J", "Energy lost so far"),
        (Q::Work, "work", "J", "Work done on the scene so far"),
        (Q::Residual, "residual", "J", "Energy that the integration made or lost"),
        (Q::RelativeResidual, "relative_residual", "1", "Residual relative to the energies turned over"),
    ];
    let mut add = |quantity, name: String, unit, description: String| {
        visit(Signal { name, unit, description, kind: Kind::Real, source: Source::Energy(quantity) });
    };
    for (quantity, key, unit, words) in totals {
        add(quantity, format!("energy.{key}"), unit, words.to_owned());
    }
    for (i, source) in sources.iter().enumerate() {
        if i != Model::CONTROL_SOURCE && i != Model::DRIVER_SOURCE {
            let words = format!("Energy lost so far by {source}");
            add(Q::DissipatedBy(i), format!("energy.dissipated.{source}"), "J", words);
        }
        if !source.starts_with("contact.") || source.ends_with(".relaxation") {
            let words = format!("Work done on the scene so far by {source}");
            add(Q::WorkOf(i), format!("energy.work.{source}"), "J", words);
        }
    }
}

/// Name of the vector that a component belongs to.
pub fn vector(name: &str) -> Option<&str> {
    let (vector, component) = name.rsplit_once('.')?;
    WXYZ.contains(&component).then_some(vector)
}

/// Whether a text matches a pattern in which `*` stands for any text, dots included.
pub fn matches(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    fn names(pattern: &str) -> Vec<String> {
        let model = testing::two_balls();
        Catalogue::new(&model).select(pattern).unwrap().into_iter().map(|s| s.name).collect()
    }

    #[test]
    fn stars_match_any_text() {
        for (pattern, text, expected) in [
            ("a.b", "a.b", true),
            ("a.b", "a.bc", false),
            ("*.b", "x.y.b", true),
            ("contact.*.force", "contact.a-b.force", true),
            ("contact.*.force", "contact.a-b.depth", false),
            ("a*a", "a", false),
            ("*", "", true),
            ("*a*b*", "xxaxxbxx", true),
            ("*a*b*", "xxbxxaxx", false),
        ] {
            assert_eq!(matches(pattern, text), expected, "{pattern} on {text}");
        }
    }

    #[test]
    fn a_vector_stands_for_its_components() {
        assert_eq!(names("left.position"), ["left.position.x", "left.position.y", "left.position.z"]);
        assert_eq!(names("left.orientation").len(), 4);
        assert_eq!(names("*.velocity.z"), ["left.velocity.z", "right.velocity.z"]);
        assert_eq!(names("left.orientation.w"), ["left.orientation.w"]);
    }

    #[test]
    fn the_account_has_its_sources() {
        let all = names("energy.*");
        assert!(all.contains(&"energy.relative_residual".to_owned()));
        assert!(all.contains(&"energy.work.control".to_owned()));
        assert!(!all.contains(&"energy.dissipated.control".to_owned()));
    }

    #[test]
    fn sensors_and_controllers_are_signals_with_their_units() {
        use fender_engine::controller::{Controller, Drive, StateFeedback};
        use fender_engine::sensor::{Axes, Measure, Sensor};
        use fender_math::Vec3;
        let mut builder = fender_engine::ModelBuilder::new();
        let body = builder.body(testing::ball("ball", Vec3::ZERO, Vec3::ZERO));
        let other = builder.body(testing::ball("other", Vec3::X, Vec3::ZERO));
        let (point_a, point_b) = (Vec3::ZERO, Vec3::Y);
        builder.sensor(Sensor::ideal("gyro", Measure::AngularVelocity { body, axes: Axes::Body }));
        builder.sensor(Sensor::ideal("far", Measure::Distance { a: body, point_a, b: other, point_b }));
        builder.controller(Controller {
            name: "push".into(),
            law: Box::new(StateFeedback { offset: 2.5, terms: Vec::new() }),
            drive: Drive::Torque { body, direction: Vec3::X, axes: Axes::World },
            period: 0.0,
            low: -9.0,
            high: 9.0,
        });
        let world = fender_engine::World::new(builder.build().unwrap());
        let catalogue = Catalogue::new(&world.model);
        let mut signals = catalogue.select("sensor.*").unwrap();
        signals.extend(catalogue.select("controller.*").unwrap());
        let told: Vec<(&str, &str)> = signals.iter().map(|s| (s.name.as_str(), s.unit)).collect();
        let expected = [
            ("sensor.gyro.x", "rad/s"),
            ("sensor.gyro.y", "rad/s"),
            ("sensor.gyro.z", "rad/s"),
            ("sensor.far", "m"),
            ("controller.push.output", "N·m"),
        ];
        assert_eq!(told, expected);
        let mut values = vec![f64::NAN; signals.len()];
        let mut sampler = crate::sampler::Sampler::new(signals, 2);
        sampler.sample(&world, |_| true, |i, value| values[i] = value);
        assert_eq!(values, [0.0, 0.0, 0.0, 2.0_f64.sqrt(), 2.5]);
        assert!(catalogue.one("energy.work.controller.push").is_ok());
        assert_eq!(catalogue.select("sensor.gyro").unwrap().len(), 3);
    }

    #[test]
    fn an_unknown_name_suggests_the_nearest() {
        let model = testing::two_balls();
        let error = Catalogue::new(&model).select("left.positon.z").unwrap_err();
        assert_eq!(error.to_string(), "there is no signal 'left.positon.z'; did you mean 'left.position.z'?");
    }

    #[test]
    fn where_one_is_needed_a_vector_is_too_many() {
        let model = testing::two_balls();
        let error = Catalogue::new(&model).one("left.position").unwrap_err();
        assert_eq!(
            error.to_string(),
            "'left.position' names 3 signals, and one is needed: 'left.position.x', for instance"
        );
        assert!(Catalogue::new(&model).one("left.position.x").is_ok());
    }

    #[test]
    fn every_signal_has_a_unique_name_a_unit_and_a_description() {
        let model = testing::two_balls();
        let all = Catalogue::new(&model).all();
        let mut names: Vec<&str> = all.iter().map(|s| s.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all.len());
        assert!(all.iter().all(|s| !s.unit.is_empty() && !s.description.is_empty()));
    }
}
