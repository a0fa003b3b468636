//! The figures of a run that users look for first, from what it recorded: forces of contacts, clearances.

use crate::signal;
use crate::table::{Column, Table};
use fender_engine::Model;
use fender_engine::sensor::Measure;
use serde::{Deserialize, Serialize};

/// Extreme of a recorded signal. Between samples it may have been more.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SignalExtreme {
    /// Name of the signal, or of the vector whose length it is.
    pub signal: String,
    /// The value.
    pub value: f64,
    /// When [s].
    pub time: f64,
}

/// Largest normal force between two bodies; where pairs are not recorded, largest contact force on a body [N].
pub fn largest_contact_force(signals: &Table) -> Option<SignalExtreme> {
    let of_pairs = signals
        .columns
        .iter()
        .filter(|c| c.name.starts_with("contact.") && c.name.ends_with(".normal_force"))
        .filter_map(|c| extreme(signals, &c.name, c.values.iter().copied()));
    let force = of_pairs.reduce(largest);
    if force.is_some() {
        return force.filter(|e| e.value > 0.0);
    }
    let is_body_force = |name: &str| name.ends_with(".contact.force");
    let names = signals.columns.iter().filter_map(|c| signal::vector(&c.name)).filter(|n| is_body_force(n));
    let mut vectors: Vec<&str> = names.collect();
    vectors.dedup();
    let lengths = vectors.into_iter().filter_map(|name| {
        let parts: Vec<&Column> =
            ["x", "y", "z"].iter().filter_map(|k| signals.column(&format!("{name}.{k}"))).collect();
        let [x, y, z] = parts.as_slice() else { return None };
        let rows = x.values.iter().zip(&y.values).zip(&z.values);
        extreme(signals, name, rows.map(|((x, y), z)| (x * x + y * y + z * z).sqrt()))
    });
    lengths.reduce(largest).filter(|e| e.value > 0.0)
}

/// Smallest clearance that a sensor shows [m].
pub fn smallest_clearance(signals: &Table, model: &Model) -> Option<SignalExtreme> {
    let sensors = model.sensors.iter().filter(|s| matches!(s.measure, Measure::Clearance { .. }));
    let found = sensors.filter_map(|sensor| {
        let name = format!("sensor.{}", sensor.name);
        let values = &signals.column(&name)?.values;
        extreme(signals, &name, values.iter().map(|v| -v)).map(|e| SignalExtreme { value: -e.value, ..e })
    });
    found.min_by(|a, b| a.value.total_cmp(&b.value))
}

/// The one with the larger value, the first if they are equal.
fn largest(best: SignalExtreme, next: SignalExtreme) -> SignalExtreme {
    if next.value > best.value { next } else { best }
}

/// The largest of some values at the times of a table, the first if several are.
fn extreme(table: &Table, name: &str, values: impl Iterator<Item = f64>) -> Option<SignalExtreme> {
    let times = &table.column("time")?.values;
    let defined = times.iter().copied().zip(values).filter(|(_, v)| v.is_finite());
    let (time, value) = defined.reduce(|best, next| if next.1 > best.1 { next } else { best })?;
    Some(SignalExtreme { signal: name.to_owned(), value, time })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Kind;

    fn table(columns: &[(&str, [f64; 3])]) -> Table {
        let columns = columns.iter().map(|(name, values)| {
            let mut column = Column::new(*name, "N", "", Kind::Real);
            column.values = values.to_vec();
            column
        });
        Table { columns: columns.collect(), texts: Vec::new() }
    }

    #[test]
    fn the_largest_force_is_that_of_a_pair_or_of_a_body() {
        let time = ("time", [0.0, 1.0, 2.0]);
        let pairs = table(&[
            time,
            ("contact.a-b.normal_force", [1.0, f64::NAN, 3.0]),
            ("contact.a-c.normal_force", [0.0, 5.0, 5.0]),
            ("a.contact.force.x", [9.0, 9.0, 9.0]),
        ]);
        let found = largest_contact_force(&pairs).unwrap();
        assert_eq!((found.signal.as_str(), found.value, found.time), ("contact.a-c.normal_force", 5.0, 1.0));
        let bodies = table(&[
            time,
            ("a.contact.force.x", [0.0, 3.0, 0.0]),
            ("a.contact.force.y", [0.0, 4.0, 0.0]),
            ("a.contact.force.z", [0.0, 0.0, 2.0]),
        ]);
        let found = largest_contact_force(&bodies).unwrap();
        assert_eq!((found.signal.as_str(), found.value, found.time), ("a.contact.force", 5.0, 1.0));
        // Nothing touched.
        assert_eq!(largest_contact_force(&table(&[time, ("contact.a-b.normal_force", [0.0; 3])])), None);
    }
}
