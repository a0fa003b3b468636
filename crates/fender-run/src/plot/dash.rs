//! Patterns of lines. There are fewer colours than a plot may have lines: when the colours begin again, the pattern changes.

use super::Look;
use super::theme::COLOURS;

/// How a line is drawn, apart from its colour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Dash {
    /// Lengths of strokes and of the gaps after them, in turn, in points; none for a line without gaps.
    pub lengths: &'static [f64],
    /// What stands for it in the legend of a terminal.
    pub key: &'static str,
}

/// Of lines, by how often the colours have begun again.
const OF_LINES: [Dash; 5] = [
    Dash { lengths: &[], key: "──" },
    Dash { lengths: &[1.6, 2.6], key: "··" },
    Dash { lengths: &[7.0, 2.4, 1.6, 2.4], key: "─·" },
    Dash { lengths: &[1.6, 6.0], key: "· " },
    Dash { lengths: &[7.0, 2.4, 1.6, 1.6, 1.6, 2.4], key: "─:" },
];
/// The same of dashed lines. None is like one of the others.
const OF_DASHED: [Dash; 5] = [
    Dash { lengths: &[5.0, 4.0], key: "╌╌" },
    Dash { lengths: &[10.0, 3.0], key: "╴╴" },
    Dash { lengths: &[4.0, 3.0, 1.6, 3.0], key: "╌·" },
    Dash { lengths: &[4.0, 8.0], key: "╌ " },
    Dash { lengths: &[4.0, 3.0, 1.6, 1.6, 1.6, 3.0], key: "╌:" },
];

impl Dash {
    /// Pattern of the line that is the `nth` to get a colour, counted from 0.
    pub fn of(look: Look, nth: usize) -> Self {
        let patterns = if look == Look::Dashed { OF_DASHED } else { OF_LINES };
        patterns[nth / COLOURS % patterns.len()]
    }

    /// Whether the place `at` points along the pattern is in a gap.
    pub fn is_gap(self, at: f64) -> bool {
        let mut left = at.rem_euclid(self.lengths.iter().sum());
        for (i, length) in self.lengths.iter().enumerate() {
            if left < *length {
                return i % 2 == 1;
            }
            left -= length;
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_where_the_lengths_say() {
        // 5 of stroke, 4 of gap.
        let places = [0.0, 4.9, 5.1, 8.9, 9.1, -0.1];
        assert_eq!(places.map(|at| OF_DASHED[0].is_gap(at)), [false, false, true, true, false, true]);
        assert!(places.iter().all(|at| !OF_LINES[0].is_gap(*at)));
    }
}
