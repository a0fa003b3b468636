//! What is doubtful about a cable's forces: compression in which it would buckle, and stretch that its bending is not made for.

use super::settle::scale;
use super::state::NONE;
use super::{Cable, CableData, CableState};
use crate::{CableId, World};
use std::f64::consts::PI;
use std::fmt;

/// Compression below this part of what the cable bears is none.
const PRESSED: f64 = 1e-3;
/// Elements of the half wave in which a rod buckles that show how it does.
const RESOLVED: f64 = 10.0;
/// Strain from which on bending is doubtful: moments are off by about as much.
const STRAINED: f64 = 0.01;
/// Bending matters if it acts over this part of the cable's length, by √(EI/T).
const MATTERS: f64 = 0.01;

/// A place where a cable pushes more than its Euler load, in elements too long to show how it buckles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Compression {
    /// Unstretched length from the cable's start [m].
    pub at: f64,
    /// Compressive force [N].
    pub force: f64,
    /// Euler load [N], of what is between its holders or of ten elements, whichever is more.
    pub euler: f64,
    /// Half wave in which it buckles under that force [m].
    pub half_wave: f64,
}

impl fmt::Display for Compression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { at, force, euler, half_wave } = self;
        write!(
            f,
            "{} N at {} m and an Euler load of {} N: a rope gives way there, a rod buckles. Give its line `slack = true`",
            digits(*force),
            digits(*at),
            digits(*euler)
        )?;
        if *half_wave > 0.0 {
            write!(f, ", or elements of {:.2e} m if it is a rod that may buckle", half_wave / RESOLVED)?;
        }
        Ok(())
    }
}

/// A place where a cable that resists bending is stretched so much that its bending is off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BentStretch {
    /// Unstretched length from the cable's start [m].
    pub at: f64,
    /// Strain.
    pub strain: f64,
}

impl fmt::Display for BentStretch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { at, strain } = self;
        let (percent, at) = (100.0 * strain, digits(*at));
        write!(
            f,
            "stretched by {percent:.2} % at {at} m, and bending is that of a line that hardly stretches: moments and curvatures there are off by \
             about as much. Give it more axial stiffness if its stretch does not matter, or allow for that"
        )
    }
}

/// A number with about four digits, two of a small one, for people.
fn digits(x: f64) -> String {
    match x.abs() {
        size if size >= 100.0 => format!("{x:.0}"),
        size if size >= 1.0 => format!("{x:.2}"),
        size if size >= 1e-3 || size == 0.0 => format!("{x:.4}"),
        _ => format!("{x:.1e}"),
    }
}

/// How a piece of cable ends.
#[derive(Clone, Copy, PartialEq)]
enum End {
    Free,
    Pinned,
    Clamped,
}

/// Length of the hinged column that buckles under the same load (Timoshenko and Gere 1961, 2.1 and 2.2), of a piece of a length [m].
fn buckling_length(length: f64, ends: [End; 2]) -> f64 {
    length
        * match ends {
            [End::Clamped, End::Clamped] => 0.5,
            [End::Clamped, End::Pinned] | [End::Pinned, End::Clamped] => 0.699,
            [End::Pinned, End::Pinned] => 1.0,
            _ => 2.0,
        }
}

impl Cable {
    /// The element that an arc length [m] is in.
    fn element_at(data: &CableData, at: f64) -> usize {
        let mut end = 0.0;
        let found = data.length.iter().position(|l| {
            end += l;
            at <= end
        });
        found.unwrap_or(data.length.len() - 1)
    }

    /// Euler load of an element's surroundings [N]: of what is between what holds it, or of as many elements as show how it buckles.
    fn euler_load(&self, own: &CableState, data: &CableData, element: usize) -> f64 {
        let last = own.elements.len();
        let guided = |e: usize| own.elements[e].guide != NONE;
        let (mut low, mut high) = (element, element + 1);
        while low > 0 && !data.held[low] && !guided(low - 1) {
            low -= 1;
        }
        while high < last && !data.held[high] && !guided(high) {
            high += 1;
        }
        let end = |node: usize, tie: usize| match node {
            node if (node == 0 || node == last) && !data.held[node] => End::Free,
            node if (node == 0 || node == last) && self.ties[tie].1.clamp.is_some() => End::Clamped,
            _ => End::Pinned,
        };
        let span = buckling_length(data.length[low..high].iter().sum(), [end(low, 0), end(high, 1)]);
        let length = span.min(RESOLVED * data.length[element]);
        let bending =
            if guided(element) { 0.0 } else { self.lines[own.elements[element].line as usize].bending };
        PI * PI * bending / (length * length)
    }

    /// Compression of an element by a force [N], if that is more than it bears.
    fn pushed(&self, own: &CableState, data: &CableData, at: f64, force: f64) -> Option<Compression> {
        let element = Self::element_at(data, at);
        let euler = self.euler_load(own, data, element);
        let bending = self.lines[own.elements[element].line as usize].bending;
        (force > euler).then(|| Compression { at, force, euler, half_wave: PI * (bending / force).sqrt() })
    }

    /// Whether bending of an element's line matters under a tension [N]: how far it acts, √(EI/T), beside the cable's length.
    fn bending_matters(&self, own: &CableState, data: &CableData, element: usize, tension: f64) -> bool {
        let bending = self.lines[own.elements[element].line as usize].bending;
        let length: f64 = data.length.iter().sum();
        self.bends_in(own, element) && (bending / tension).sqrt() > MATTERS * length
    }
}

/// Where a cable pushes most, if it does: not if its elements are short enough to show how it buckles.
pub(crate) fn compressed(
    cable: &Cable,
    own: &CableState,
    data: &CableData,
    gravity: f64,
) -> Option<Compression> {
    let least = PRESSED * scale(data, gravity);
    let (mut worst, mut s) = (None::<Compression>, 0.0);
    for (stretch, l) in data.stretch.iter().zip(&data.length) {
        let force = -stretch.tension;
        if force > least && worst.is_none_or(|w| force > w.force) {
            worst = cable.pushed(own, data, s + 0.5 * l, force).or(worst);
        }
        s += l;
    }
    worst
}

/// Where a cable is stretched most, if that is more than its bending is made for.
pub(crate) fn bent_stretch(cable: &Cable, own: &CableState, data: &CableData) -> Option<BentStretch> {
    let (mut worst, mut s) = (None::<BentStretch>, 0.0);
    for (e, (stretch, l)) in data.stretch.iter().zip(&data.length).enumerate() {
        let strain = stretch.strain;
        let more = strain > worst.map_or(STRAINED, |w| w.strain);
        if more && cable.bending_matters(own, data, e, stretch.tension) {
            worst = Some(BentStretch { at: s + 0.5 * l, strain });
        }
        s += l;
    }
    worst
}

/// What is doubtful about a cable over the whole run: its largest compression, with the time [s], and its largest stretch.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CableDoubts {
    /// Compression, and when it was [s].
    pub compression: Option<(Compression, f64)>,
    /// Stretch, and when it was [s].
    pub stretch: Option<(BentStretch, f64)>,
}

impl World {
    /// What is doubtful about a cable, by its figures so far. Its present mesh is taken for that of then. [`World::refresh`] first.
    pub fn cable_doubts(&self, cable: CableId) -> CableDoubts {
        let i = cable.index();
        let (cable, own, data) = (&self.model.cables[i], &self.state.cables[i], &self.data.cables[i]);
        let Some(figures) = self.state.cable_statistics.get(i) else { return CableDoubts::default() };
        let (low, high) = (figures.smallest, figures.largest);
        let least = PRESSED * scale(data, self.model.gravity.length()).max(high.value);
        let pushes = -low.value > least && !cable.lines.iter().all(|line| line.slack);
        let compression = if pushes { cable.pushed(own, data, low.at, -low.value) } else { None };
        let element = Cable::element_at(data, high.at);
        let strain = cable.lines[own.elements[element].line as usize].axial.strain(high.value);
        let stretched = strain > STRAINED && cable.bending_matters(own, data, element, high.value);
        CableDoubts {
            compression: compression.map(|found| (found, low.time)),
            stretch: stretched.then_some((BentStretch { at: high.at, strain }, high.time)),
        }
    }
}
