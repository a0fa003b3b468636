//! How much a signal of one run differs from the same of another.

use crate::signal;
use crate::table::{Column, Table};
use serde::Serialize;

/// A signal in two runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// Name.
    pub signal: String,
    /// Unit.
    pub unit: String,
    /// Last value in the first run and in the other.
    pub last: [f64; 2],
    /// Largest difference, the other minus the first, over the time that both have.
    pub largest: f64,
    /// When it is so large [s].
    pub at: f64,
    /// Its size as a part of the range of the signal, or of its vector, in both runs: what orders signals of different units.
    pub part: f64,
}

/// Compares a signal of the first table with that of the other; `None` if they have no time of it in common. The runs need not be
/// sampled at the same times: between samples the signal is taken to be straight.
pub fn difference(first: &Table, other: &Table, column: &Column) -> Option<Difference> {
    let unit = &other.column(&column.name)?.unit;
    if *unit != column.unit {
        return None;
    }
    let (a, b) = (first.series(&column.name)?, other.series(&column.name)?);
    let (last_a, last_b) = (a.last()?, b.last()?);
    let mut worst: Option<(f64, f64)> = None;
    let mut consider = |time: f64, difference: Option<f64>| {
        if let Some(difference) = difference
            && worst.is_none_or(|(_, largest)| difference.abs() > largest.abs())
        {
            worst = Some((time, difference));
        }
    };
    // The largest difference of two straight pieces is at the end of one of them.
    let mut in_b = Along::new(&b);
    for (time, value) in &a {
        consider(*time, in_b.at(*time).map(|other| other - value));
    }
    let mut in_a = Along::new(&a);
    for (time, value) in &b {
        consider(*time, in_a.at(*time).map(|first| value - first));
    }
    let (at, largest) = worst?;
    let range = range(first, other, &column.name);
    let part = if largest == 0.0 { 0.0 } else { largest.abs() / range };
    let (signal, unit) = (column.name.clone(), column.unit.clone());
    Some(Difference { signal, unit, last: [last_a.1, last_b.1], largest, at, part })
}

/// Range of the signal's values in both tables; of a component, the largest range of its vector's components, so that what is zero but for
/// rounding does not count as much as what moves.
fn range(first: &Table, other: &Table, name: &str) -> f64 {
    let family = signal::vector(name);
    let belongs = |c: &&Column| c.name == name || family.is_some() && signal::vector(&c.name) == family;
    let mut largest = 0.0_f64;
    for column in first.columns.iter().filter(belongs) {
        let of_other = other.column(&column.name).map_or(&[][..], |c| &c.values);
        let values = || column.values.iter().chain(of_other).filter(|v| v.is_finite());
        let low = values().fold(f64::INFINITY, |a, b| a.min(*b));
        let high = values().fold(f64::NEG_INFINITY, |a, b| a.max(*b));
        largest = largest.max(high - low);
    }
    largest
}

/// A series that is asked for its values at growing times.
struct Along<'a> {
    points: &'a [(f64, f64)],
    next: usize,
}

impl<'a> Along<'a> {
    fn new(points: &'a [(f64, f64)]) -> Self {
        Self { points, next: 0 }
    }

    /// Value at a time, within its span.
    fn at(&mut self, time: f64) -> Option<f64> {
        while self.points.get(self.next).is_some_and(|p| p.0 < time) {
            self.next += 1;
        }
        let (t1, v1) = *self.points.get(self.next)?;
        if t1 == time {
            return Some(v1);
        }
        let (t0, v0) = *self.points.get(self.next.checked_sub(1)?)?;
        Some(v0 + (v1 - v0) * (time - t0) / (t1 - t0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Kind;

    fn table(times: &[f64], values: &[f64]) -> Table {
        let column = |name: &str, unit: &str, values: &[f64]| {
            let mut column = Column::new(name, unit, "", Kind::Real);
            column.values = values.to_vec();
            column
        };
        Table { columns: vec![column("time", "s", times), column("z", "m", values)], texts: Vec::new() }
    }

    fn of(a: &Table, b: &Table) -> Option<Difference> {
        difference(a, b, &a.columns[1])
    }

    #[test]
    fn runs_with_other_samples_are_compared_between_them() {
        let a = table(&[0.0, 1.0, 2.0, 3.0], &[0.0, 1.0, 2.0, 3.0]);
        let b = table(&[0.0, 0.5, 2.5], &[0.0, 1.0, 2.5]);
        // Both are straight but for the sample at 0.5 s, where the first has 0.5.
        let found = of(&a, &b).unwrap();
        assert_eq!((found.largest, found.at, found.last), (0.5, 0.5, [3.0, 2.5]));
        assert_eq!(found.part, 0.5 / 3.0);
        // Turned round, the sign changes.
        let turned = of(&b, &a).unwrap();
        assert_eq!((turned.largest, turned.at), (-0.5, 0.5));
    }

    #[test]
    fn equal_runs_do_not_differ() {
        let a = table(&[0.0, 1.0], &[2.0, 2.0]);
        let found = of(&a, &a).unwrap();
        assert_eq!((found.largest, found.part), (0.0, 0.0));
    }

    #[test]
    fn rounding_in_one_component_counts_little() {
        let with_x = |noise: f64, x: f64| {
            let mut table = table(&[0.0, 1.0], &[0.0, noise]);
            table.columns[1].name = "b.z".into();
            let mut column = table.columns[1].clone();
            (column.name, column.values) = ("b.x".into(), vec![0.0, x]);
            table.columns.push(column);
            table
        };
        let (a, b) = (with_x(0.0, 1.0), with_x(1e-20, 2.0));
        assert_eq!(difference(&a, &b, &a.columns[1]).unwrap().part, 0.5e-20);
        assert_eq!(difference(&a, &b, &a.columns[2]).unwrap().part, 0.5);
    }

    #[test]
    fn what_has_nothing_in_common_is_not_compared() {
        let a = table(&[0.0, 1.0], &[2.0, 2.0]);
        assert_eq!(of(&a, &table(&[2.0, 3.0], &[1.0, 1.0])), None);
        assert_eq!(of(&a, &table(&[0.0, 1.0], &[f64::NAN, f64::NAN])), None);
        let mut other_unit = a.clone();
        other_unit.columns[1].unit = "N".into();
        assert_eq!(of(&a, &other_unit), None);
    }
}
