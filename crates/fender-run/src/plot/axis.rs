//! Axes: what part of the numbers maps to what part of the picture.

use crate::clock::nice;

/// An axis from `from` to `to`, drawn from `start` to `end`.
#[derive(Clone, Debug)]
pub(super) struct Axis {
    pub from: f64,
    pub to: f64,
    pub start: f64,
    pub end: f64,
    step: f64,
}

impl Axis {
    /// An axis that holds the values, with about as many marks as `ticks`; `pad` leaves some room on both sides.
    pub fn new(values: impl Iterator<Item = f64>, start: f64, end: f64, pad: bool, ticks: f64) -> Self {
        let (mut from, mut to) = values
            .filter(|v| v.is_finite())
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(v), b.max(v)));
        if from > to {
            (from, to) = (0.0, 1.0);
        }
        // A constant still needs an axis around it.
        let least = (1e-9 * from.abs().max(to.abs())).max(1e-300);
        if to - from < least {
            let around = if from == 0.0 { 1.0 } else { 0.1 * from.abs() };
            (from, to) = (from - around, to + around);
        } else if pad {
            let margin = 0.05 * (to - from);
            (from, to) = (from - margin, to + margin);
        }
        Self { from, to, start, end, step: nice((to - from) / ticks * 1.6) }
    }

    /// Number of marks that suits a length in a picture.
    pub fn suitable_ticks(length: f64) -> f64 {
        match length.abs() {
            l if l > 400.0 => 7.0,
            l if l > 120.0 => 5.0,
            _ => 3.0,
        }
    }

    /// Where a value is drawn.
    pub fn place(&self, value: f64) -> f64 {
        self.start + (value - self.from) / (self.to - self.from) * (self.end - self.start)
    }

    /// Values that get a mark.
    pub fn ticks(&self) -> Vec<f64> {
        let first = (self.from / self.step).ceil() as i64;
        let last = (self.to / self.step).floor() as i64;
        // Whole multiples, so that zero is zero; the cap only guards against numbers without resolution.
        (first..=last.min(first.saturating_add(20))).map(|i| i as f64 * self.step).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_few_and_round() {
        let axis = Axis::new([0.0, 3.0].into_iter(), 70.0, 586.0, false, Axis::suitable_ticks(516.0));
        let ticks = axis.ticks();
        assert!((4..=10).contains(&ticks.len()), "{ticks:?}");
        assert!(ticks.contains(&0.0) && ticks.contains(&2.0));
    }
}
