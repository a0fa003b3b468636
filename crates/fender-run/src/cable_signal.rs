//! Signals of cables.
//!
//! Those at a place of a cable are made when they are asked for: `cable.<name>.at.<place>.<quantity>`, where the place is an unstretched arc length
//! in metres, `start` or `end`.

use crate::signal::{Signal, SignalError, Source, XYZ, matches, vector};
use crate::table::Kind;
use fender_engine::cable::{Cable, CableView, Extremes, Station};
use fender_engine::{CableId, Model, World};

/// A quantity of a cable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CableQuantity {
    /// Tension at an end: 0 start, 1 end.
    Tension(usize),
    /// Largest tension now.
    LargestTension,
    /// Where it is.
    LargestTensionAt,
    /// Smallest tension now.
    SmallestTension,
    /// Largest curvature now.
    LargestCurvature,
    /// Where it is.
    LargestCurvatureAt,
    /// Largest part of the breaking load.
    Utilisation,
    /// Largest product of curvature and smallest bend radius.
    BendUtilisation,
    /// Unstretched length.
    Length,
    /// Length paid out.
    Paid,
    /// Speed of payout.
    PayoutSpeed,
    /// Number of nodes.
    Nodes,
    /// Force of an end on what holds it.
    Force(usize),
    /// Moment of a clamped end on what holds it.
    Moment(usize),
    /// Something at a place.
    At(Place, StationQuantity),
}

/// A place of a cable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Place {
    /// An arc length from the start [m].
    Length(f64),
    /// Its end, wherever that is.
    End,
}

/// A quantity at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StationQuantity {
    /// Tension.
    Tension,
    /// Strain.
    Strain,
    /// Curvature.
    Curvature,
    /// Bending moment.
    Moment,
    /// Twist per length.
    Twist,
    /// Torque.
    Torque,
    /// Position.
    Position,
    /// Velocity.
    Velocity,
}

impl StationQuantity {
    const ALL: [(Self, &'static str, &'static str, &'static str); 8] = [
        (Self::Tension, "tension", "N", "Tension"),
        (Self::Strain, "strain", "1", "Strain"),
        (Self::Curvature, "curvature", "1/m", "Curvature"),
        (Self::Moment, "moment", "N·m", "Bending moment"),
        (Self::Twist, "twist", "rad/m", "Twist per length"),
        (Self::Torque, "torque", "N·m", "Torque"),
        (Self::Position, "position", "m", "Position"),
        (Self::Velocity, "velocity", "m/s", "Velocity"),
    ];

    fn is_vector(self) -> bool {
        matches!(self, Self::Position | Self::Velocity)
    }

    fn of(self, station: &Station, component: usize) -> f64 {
        match self {
            Self::Tension => station.tension,
            Self::Strain => station.strain,
            Self::Curvature => station.curvature,
            Self::Moment => station.moment,
            Self::Twist => station.twist,
            Self::Torque => station.torque,
            Self::Position => station.position[component],
            Self::Velocity => station.velocity[component],
        }
    }
}

/// Calls `visit` for each signal of a cable but those at places.
pub fn visit(model: &Model, id: CableId, visit: &mut dyn FnMut(Signal)) {
    use CableQuantity as Q;
    let cable = &model.cables[id.index()];
    let mut put = |key: &str, unit, words: &str, quantity, i| {
        visit(Signal {
            name: format!("cable.{}.{key}", cable.name),
            unit,
            description: format!("{words} of cable {}", cable.name),
            kind: if quantity == Q::Nodes { Kind::Whole } else { Kind::Real },
            source: Source::Cable(id, quantity, i),
        });
    };
    put("tension.start", "N", "Tension at the start", Q::Tension(0), 0);
    put("tension.end", "N", "Tension at the end", Q::Tension(1), 0);
    put("tension.max", "N", "Largest tension along it", Q::LargestTension, 0);
    put("tension.max_at", "m", "Arc length of the largest tension", Q::LargestTensionAt, 0);
    put("tension.min", "N", "Smallest tension along it", Q::SmallestTension, 0);
    put("curvature.max", "1/m", "Largest curvature along it", Q::LargestCurvature, 0);
    put("curvature.max_at", "m", "Arc length of the largest curvature", Q::LargestCurvatureAt, 0);
    if cable.lines.iter().any(|line| line.breaking_load.is_some()) {
        put("utilisation", "1", "Largest tension by breaking load", Q::Utilisation, 0);
    }
    if cable.lines.iter().any(|line| line.bend_radius.is_some()) {
        put("bend_utilisation", "1", "Largest curvature times smallest bend radius", Q::BendUtilisation, 0);
    }
    put("length", "m", "Unstretched length", Q::Length, 0);
    if cable.payout.is_some() {
        put("paid", "m", "Unstretched length paid out so far", Q::Paid, 0);
        put("payout_speed", "m/s", "Speed of payout", Q::PayoutSpeed, 0);
    }
    put("nodes", "1", "Number of nodes", Q::Nodes, 0);
    for end in 0..2 {
        let word = ["start", "end"][end];
        for (i, x) in XYZ.iter().enumerate() {
            let words = format!("Force on what holds the {word}, {x},");
            put(&format!("force.{word}.{x}"), "N", &words, Q::Force(end), i);
        }
        if cable.ties[end].1.clamp.is_some() {
            for (i, x) in XYZ.iter().enumerate() {
                let words = format!("Moment on what clamps the {word}, {x},");
                put(&format!("moment.{word}.{x}"), "N·m", &words, Q::Moment(end), i);
            }
        }
    }
}

/// Signals at the place that a pattern names, if it names one.
pub fn stations(model: &Model, pattern: &str) -> Result<Vec<Signal>, SignalError> {
    let mut found = Vec::new();
    let Some((left, right)) = pattern.rsplit_once(".at.").filter(|(left, _)| left.starts_with("cable."))
    else {
        return Ok(found);
    };
    for (i, cable) in model.cables.iter().enumerate() {
        let prefix = format!("cable.{}", cable.name);
        if !matches(left, &prefix) {
            continue;
        }
        let refuse = |why: String| SignalError::Station { pattern: pattern.to_owned(), why };
        let (token, place) = place(right).ok_or_else(|| {
            refuse("after `at.` goes an arc length in metres, `start` or `end`, then a quantity".into())
        })?;
        let longest = longest(cable);
        if let Place::Length(s) = place
            // Lengths of elements add up with rounding.
            && !(0.0..=longest * (1.0 + 1e-9)).contains(&s)
        {
            let length = crate::plot::number(longest);
            return Err(refuse(format!("cable '{}' is {length} m long", cable.name)));
        }
        let before = found.len();
        for (quantity, key, unit, words) in StationQuantity::ALL {
            let components: &[&str] = if quantity.is_vector() { &XYZ } else { &[""] };
            for (k, component) in components.iter().enumerate() {
                let dot = if component.is_empty() { "" } else { "." };
                let name = format!("{prefix}.at.{token}.{key}{dot}{component}");
                // As for other signals: a vector stands for its components, and `at.12` for all there is.
                let whole = format!("{prefix}.at.{token}");
                let meant = [Some(name.as_str()), vector(&name), Some(&whole)];
                if !meant.into_iter().flatten().any(|name| matches(pattern, name)) {
                    continue;
                }
                let comma = if component.is_empty() { String::new() } else { format!(", {component},") };
                let unit_of_place = if matches!(token, "start" | "end") { "" } else { " m" };
                found.push(Signal {
                    description: format!("{words}{comma} of cable {} at {token}{unit_of_place}", cable.name),
                    name,
                    unit,
                    kind: Kind::Real,
                    source: Source::Cable(CableId(i as u32), CableQuantity::At(place, quantity), k),
                });
            }
        }
        if found.len() == before {
            let names: Vec<&str> = StationQuantity::ALL.iter().map(|q| q.1).collect();
            return Err(refuse(format!("at a place of a cable there are {}", names.join(", "))));
        }
    }
    Ok(found)
}

/// The greatest arc length that a cable may come to have [m].
fn longest(cable: &Cable) -> f64 {
    cable.payout.as_ref().map_or(cable.length(), |payout| payout.longest)
}

/// The place that a text begins with, and how it is written.
fn place(text: &str) -> Option<(&str, Place)> {
    let first = text.split('.').next()?;
    match first {
        "start" => return Some((first, Place::Length(0.0))),
        "end" => return Some((first, Place::End)),
        _ => {}
    }
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if !digits(first) {
        return None;
    }
    // A number may have a fraction, which is digits after another dot.
    let fraction = text[first.len()..].strip_prefix('.').and_then(|rest| rest.split('.').next());
    let end = fraction.filter(|f| digits(f)).map_or(first.len(), |f| first.len() + 1 + f.len());
    let token = &text[..end];
    Some((token, Place::Length(token.parse().ok()?)))
}

/// Cables as they are at one instant, each looked at once.
#[derive(Debug, Default)]
pub struct Views<'w> {
    views: Vec<Option<(CableView<'w>, Extremes)>>,
}

impl<'w> Views<'w> {
    /// Value of a quantity; NaN beyond the cable's end.
    pub fn value(&mut self, world: &'w World, id: CableId, quantity: CableQuantity, i: usize) -> f64 {
        use CableQuantity as Q;
        self.views.resize_with(world.model.cables.len(), || None);
        let (view, extremes) = self.views[id.index()].get_or_insert_with(|| {
            let view = world.cable(id);
            let extremes = view.extremes();
            (view, extremes)
        });
        match quantity {
            Q::Tension(end) => view.end_tension(end),
            Q::LargestTension => extremes.largest.value,
            Q::LargestTensionAt => extremes.largest.at,
            Q::SmallestTension => extremes.smallest.value,
            Q::LargestCurvature => extremes.curvature.value,
            Q::LargestCurvatureAt => extremes.curvature.at,
            Q::Utilisation => extremes.utilisation.value,
            Q::BendUtilisation => extremes.bend_utilisation.value,
            Q::Length => view.length(),
            Q::Paid => view.paid(),
            Q::PayoutSpeed => view.payout_speed(),
            Q::Nodes => view.nodes() as f64,
            Q::Force(end) => view.on_holder(end).force[i],
            Q::Moment(end) => view.on_holder(end).torque[i],
            Q::At(place, quantity) => {
                let length = view.length();
                let s = match place {
                    Place::Length(s) => s,
                    Place::End => length,
                };
                // The length is a sum: its last digits may differ from those of the number that was written.
                if s > length * (1.0 + 1e-9) { f64::NAN } else { quantity.of(&view.at(s), i) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::sampler::Sampler;
    use crate::signal::Catalogue;
    use crate::testing;

    fn names(pattern: &str) -> Result<Vec<String>, String> {
        let model = testing::rope();
        let found = Catalogue::new(&model).select(pattern).map_err(|e| e.to_string())?;
        Ok(found.into_iter().map(|s| s.name).collect())
    }

    #[test]
    fn a_cable_has_signals_and_places_only_if_they_are_asked_for() {
        let all = names("cable.*").unwrap();
        for name in ["cable.rope.tension.max", "cable.rope.force.end.z", "cable.rope.utilisation"] {
            assert!(all.contains(&name.to_owned()), "{all:?}");
        }
        assert!(all.iter().all(|name| !name.contains(".at.") && !name.contains("bend_")), "{all:?}");
        assert_eq!(names("cable.rope.at.1.25.tension").unwrap(), ["cable.rope.at.1.25.tension"]);
        assert_eq!(names("cable.*.at.end.position").unwrap().len(), 3);
        assert_eq!(names("cable.rope.at.2").unwrap().len(), 12);
        assert_eq!(names("cable.rope.at.2.*").unwrap().len(), 12);
        assert!(names("energy.dissipated.cable.rope.*").is_ok());
    }

    #[test]
    fn a_place_that_is_none_is_refused_in_words() {
        for (pattern, part) in [
            ("cable.rope.at.5.tension", "cable 'rope' is 4 m long"),
            ("cable.rope.at.top.tension", "after `at.` goes an arc length"),
            ("cable.rope.at.2.tensoin", "there are tension, strain"),
            ("cable.rop.at.2.tension", "there is no signal"),
            ("cable.rope.tension.middle", "did you mean"),
        ] {
            let error = names(pattern).unwrap_err();
            assert!(error.contains(part), "{pattern}: {error}");
        }
    }

    #[test]
    fn values_are_those_of_the_cable() {
        // 4 m of rope over 4.04 m: a strain of 1 %, 100 N.
        let world = fender_engine::World::new(testing::rope());
        // Half an element hangs on what holds the end: 1.25 N.
        let end = (100.0_f64 * 100.0 + 1.25 * 1.25).sqrt();
        let expected = [
            ("cable.rope.tension.end", end),
            ("cable.rope.tension.max", end),
            ("cable.rope.tension.min", 100.0),
            ("cable.rope.utilisation", end / 500.0),
            ("cable.rope.length", 4.0),
            ("cable.rope.nodes", 9.0),
            ("cable.rope.force.start.x", 100.0),
            ("cable.rope.force.end.x", -100.0),
            ("cable.rope.at.1.strain", 0.01),
            ("cable.rope.at.1.5.position.x", 1.515),
            ("cable.rope.at.end.position.x", 4.04),
            ("cable.rope.at.4.tension", end),
            ("cable.rope.at.3.75.tension", 100.0),
        ];
        let catalogue = Catalogue::new(&world.model);
        let signals = expected.iter().map(|(name, _)| catalogue.one(name).unwrap()).collect();
        let mut values = vec![f64::NAN; expected.len()];
        Sampler::new(signals, 0).sample(&world, |_| true, |i, value| values[i] = value);
        for ((name, expected), got) in expected.iter().zip(&values) {
            assert!((got - expected).abs() < 1e-9, "{name}: {got}");
        }
    }
}
