//! Rainflow counting: how many cycles of which range a load goes through, for fatigue.
//!
//! The counting of ASTM E1049-85 (2017), section 5.4.4, which Downing and Socie 1982 (Int. J. Fatigue 4, 31) made a procedure for a record that is not
//! repeated: ranges that a larger one encloses are whole cycles; what is left at the end, and what contains the record's beginning, are half cycles.

use fender_math::float;
use serde::Serialize;

/// Cycles of one range.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Cycle {
    /// Peak minus valley, in the signal's unit.
    pub range: f64,
    /// Mean of peak and valley.
    pub mean: f64,
    /// 1, or a half.
    pub count: f64,
}

/// Peaks and valleys of a record, with its first and its last value; what is not a number is left out.
fn reversals(values: &[f64]) -> Vec<f64> {
    let mut points: Vec<f64> = Vec::new();
    for value in values.iter().copied().filter(|v| v.is_finite()) {
        match points[..] {
            [.., last] if last == value => continue,
            // It goes on in the same direction: the point before was none.
            [.., before, last] if (last - before) * (value - last) > 0.0 => {
                points.pop();
            }
            _ => {}
        }
        points.push(value);
    }
    points
}

/// Counts the cycles of a record, in the order in which they close.
pub fn count(values: &[f64]) -> Vec<Cycle> {
    let mut cycles = Vec::new();
    let mut put = |a: f64, b: f64, count: f64| {
        cycles.push(Cycle { range: (a - b).abs(), mean: 0.5 * (a + b), count });
    };
    // Points that have not been discarded; the first is the start.
    let mut open: Vec<f64> = Vec::new();
    for point in reversals(values) {
        open.push(point);
        while let [rest @ .., a, b, c] = &open[..] {
            let (a, b, c) = (*a, *b, *c);
            if (c - b).abs() < (b - a).abs() {
                break;
            }
            if rest.is_empty() {
                // The range contains the start.
                put(a, b, 0.5);
                open.remove(0);
            } else {
                put(a, b, 1.0);
                open.truncate(open.len() - 3);
                open.push(c);
            }
        }
    }
    for pair in open.windows(2) {
        put(pair[0], pair[1], 0.5);
    }
    cycles
}

/// A class of a histogram: cycles whose range lies between two values.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Class {
    /// Least range.
    pub from: f64,
    /// Greatest range.
    pub to: f64,
    /// Cycles.
    pub count: f64,
    /// Mean of the cycles' means.
    pub mean: f64,
}

/// Sorts cycles into classes of equal width up to the greatest range, those with the greatest first; empty ones are left out.
pub fn classes(cycles: &[Cycle], number: usize) -> Vec<Class> {
    let greatest = cycles.iter().map(|c| c.range).fold(0.0, f64::max);
    let width = greatest / number.max(1) as f64;
    let mut sums = vec![(0.0, 0.0); number.max(1)];
    for cycle in cycles {
        // A range on a border belongs to the class below it.
        let class = ((cycle.range / width).ceil() as usize).clamp(1, sums.len()) - 1;
        sums[class].0 += cycle.count;
        sums[class].1 += cycle.count * cycle.mean;
    }
    let filled = sums.iter().enumerate().rev().filter(|(_, (count, _))| *count > 0.0);
    filled
        .map(|(i, (count, sum))| Class {
            from: i as f64 * width,
            to: (i + 1) as f64 * width,
            count: *count,
            mean: sum / count,
        })
        .collect()
}

/// The range that would do the same damage in `reference` cycles, by Palmgren and Miner with a Wöhler line of a slope m: (Σ n Δᵐ/N)^(1/m).
pub fn equivalent_range(cycles: &[Cycle], slope: f64, reference: f64) -> f64 {
    let greatest = cycles.iter().map(|c| c.range).fold(0.0, f64::max);
    if !(greatest > 0.0 && reference > 0.0) {
        return 0.0;
    }
    // Relative to the greatest, so that high powers stay finite.
    let sum: f64 = cycles.iter().map(|c| c.count * float::pow(c.range / greatest, slope)).sum();
    greatest * float::pow(sum / reference, 1.0 / slope)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The record of ASTM E1049-85, figure 6: A to I.
    const EXAMPLE: [f64; 9] = [-2.0, 1.0, -3.0, 5.0, -1.0, 3.0, -4.0, 4.0, -2.0];

    #[test]
    fn the_standards_example_is_counted_as_there() {
        let told: Vec<_> = count(&EXAMPLE).iter().map(|c| (c.range, c.mean, c.count)).collect();
        // In the order of the figure: A-B, B-C, E-F, C-D, D-G, then G-H and H-I.
        let expected = [
            (3.0, -0.5, 0.5),
            (4.0, -1.0, 0.5),
            (4.0, 1.0, 1.0),
            (8.0, 1.0, 0.5),
            (9.0, 0.5, 0.5),
            (8.0, 0.0, 0.5),
            (6.0, 1.0, 0.5),
        ];
        assert_eq!(told, expected);
    }

    #[test]
    fn points_between_reversals_and_holes_do_not_count() {
        let mut dense = Vec::new();
        for pair in EXAMPLE.windows(2) {
            dense.extend((0..7).map(|i| pair[0] + (pair[1] - pair[0]) * f64::from(i) / 7.0));
            dense.push(f64::NAN);
            dense.push(pair[1]);
        }
        assert_eq!(count(&dense), count(&EXAMPLE));
        assert_eq!(count(&[]), []);
        assert_eq!(count(&[1.0, 1.0, f64::NAN, 1.0]), []);
    }

    #[test]
    fn the_sum_of_half_cycles_is_that_of_the_ranges() {
        // Every reversal begins one range: with n ranges there are n/2 cycles, whatever the record.
        let record: Vec<f64> =
            (0..500).map(|i| (f64::from(i) * 0.7).sin() + (f64::from(i) * 0.211).sin()).collect();
        let ranges = reversals(&record).len() - 1;
        let total: f64 = count(&record).iter().map(|c| c.count).sum();
        assert!(ranges > 100 && (total - 0.5 * ranges as f64).abs() < 1e-12, "{ranges} {total}");
    }

    #[test]
    fn classes_hold_all_cycles() {
        let classes = classes(&count(&EXAMPLE), 9);
        let told: Vec<_> = classes.iter().map(|c| (c.to, c.count, c.mean)).collect();
        let expected =
            [(9.0, 0.5, 0.5), (8.0, 1.0, 0.5), (6.0, 0.5, 1.0), (4.0, 1.5, 1.0 / 3.0), (3.0, 0.5, -0.5)];
        assert_eq!(told, expected);
    }

    #[test]
    fn equal_cycles_are_equivalent_to_themselves() {
        let record: Vec<f64> = (0..=20).map(|i| if i % 2 == 0 { 0.0 } else { 4.0 }).collect();
        let cycles = count(&record);
        let total: f64 = cycles.iter().map(|c| c.count).sum();
        assert!((total - 10.0).abs() < 1e-12);
        assert!((equivalent_range(&cycles, 3.0, total) - 4.0).abs() < 1e-12);
        // In an eighth of the cycles twice the range does the same by the third power.
        assert!((equivalent_range(&cycles, 3.0, total / 8.0) - 8.0).abs() < 1e-12);
        assert_eq!(equivalent_range(&[], 3.0, 1.0), 0.0);
    }
}
