//! Integrals over the part of a face that is in the soft solid.
//!
//! Along each curve the integrands are analytic between the ends of its pieces. So are their integrals as
//! functions of the outer parameter, but for roots at the values where the signature of the pieces changes.
//! These values are found by bisection; between them a substitution makes the roots smooth, and Gauss' rule
//! does the rest. What is between its outermost nodes and the ends of an interval shows in the signatures and
//! integrals at the ends.

use super::super::gauss;
use super::faces::{Curve, Face, OuterRange, SurfacePoint};
use super::soft_solid::{InnerPieces, RayPlace, SoftSolid};
use fender_math::Vec3;
use smallvec::SmallVec;

/// Gauss' rule with N places between 0 and 1, and what tells how well it does.
struct GaussRule<const N: usize> {
    /// Abscissas and weights.
    nodes: [(f64, f64); N],
    /// Rows that make Legendre coefficients of the two highest degrees, and of the two that are four lower, of
    /// values at the nodes. A rule with few nodes has the next lower degree instead, but not the linear part:
    /// beside a large one there may be small terms that fall slowly.
    tail: [[f64; N]; 4],
    /// Rows that make the values at 0 and 1 of the polynomial through the values at the nodes.
    ends: [[f64; N]; 2],
}

impl<const N: usize> GaussRule<N> {
    /// The least ratio that is believed: of a few coefficients they may be small by chance.
    const LEAST_RATIO: f64 = if N < 7 { 1e-2 } else { 0.0 };

    const fn new(nodes: [(f64, f64); N]) -> Self {
        let mut tail = [[0.0; N]; 4];
        let mut ends = [[1.0; N]; 2];
        let mut i = 0;
        while i < N {
            let (place, weight) = nodes[i];
            let mut k = 0;
            while k < N {
                if k != i {
                    let other = nodes[k].0;
                    ends[0][i] *= other / (other - place);
                    ends[1][i] *= (1.0 - other) / (place - other);
                }
                k += 1;
            }
            let x = 2.0 * place - 1.0;
            // Legendre polynomials by their recurrence.
            let (mut before, mut value, mut degree) = (1.0, x, 1);
            while degree < N {
                let row = if degree + 2 >= N {
                    degree + 2 - N
                } else if N < 7 && degree + 3 == N {
                    2
                } else if degree + 6 >= N && degree + 4 < N {
                    degree + 8 - N
                } else {
                    4
                };
                if row < 4 {
                    tail[row][i] = weight * (2 * degree + 1) as f64 * value;
                }
                let next =
                    ((2 * degree + 1) as f64 * x * value - degree as f64 * before) / (degree + 1) as f64;
                before = value;
                value = next;
                degree += 1;
            }
            i += 1;
        }
        Self { nodes, tail, ends }
    }

    /// Whether the error of the mean of a function by its values at the nodes is more than `most`: the
    /// coefficients of its Legendre series fall by a ratio per degree, and the first one that counts is that
    /// of twice the degree. `residual` is how far the polynomial through these values is from the function at
    /// another place: of a series that falls it is less than the last coefficients.
    fn is_wrong(&self, values: &[f64; N], residual: f64, most: f64) -> bool {
        let size = |k: usize| product(&self.tail[k], values).abs() + product(&self.tail[k + 1], values).abs();
        let last = size(0).max(residual);
        if last <= most {
            return false;
        }
        let earlier = size(2);
        if last >= earlier {
            return true;
        }
        // The fourth power of the ratio, to the power (N + 1)/4; for few nodes the ratio is that of two degrees
        // at most, so that this is on the safe side.
        let ratio = (last / earlier).max(Self::LEAST_RATIO);
        let root = ratio.sqrt().sqrt();
        let mut error = last;
        for _ in 0..N / 4 {
            error *= ratio;
        }
        for _ in 0..(N + 1) % 4 {
            error *= root;
        }
        error > most
    }

    /// How far the polynomial through the values at the nodes is from the values at both ends.
    fn residual(&self, values: &[f64; N], ends: [f64; 2]) -> f64 {
        let [low, high] = self.ends.each_ref().map(|row| product(row, values));
        (low - ends[0]).abs().max((high - ends[1]).abs())
    }
}

fn product<const N: usize>(row: &[f64; N], values: &[f64; N]) -> f64 {
    row.iter().zip(values).map(|(a, b)| a * b).sum()
}

const OUTER: GaussRule<10> = GaussRule::new(gauss::TEN);
const INNER: GaussRule<8> = GaussRule::new(gauss::EIGHT);
/// For pieces of curves on which the integrands are nearly polynomials.
const INNER_FIRST: GaussRule<5> = GaussRule::new(gauss::FIVE);

/// Parts of the depth to which integrals along a curve are right.
const INNER_ERROR: f64 = 1e-9;

/// Parts of push, volume and area to which the integrals over the faces are right.
const OUTER_ERRORS: [f64; 3] = [1e-9, 1e-9, 1e-7];

/// Rounding of depths, in parts of the soft solid's inradius: no integral can be more right than that.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// How often an interval of the outer or inner parameter is halved at most for that.
const MOST_HALVINGS: u32 = 9;

/// Most divisions of intervals of the outer parameter on one face. Only surfaces that coincide but for
/// rounding need as many.
const MOST_DIVISIONS: u32 = 500;

/// Values of the outer parameter at which a face is probed for parts in the soft solid.
const PROBES: usize = 16;

/// How often intervals between probes are halved while there may be places inside.
const PROBE_HALVINGS: u32 = 4;

/// Steps to a place in the soft solid between two probes outside.
const ASCENT_STEPS: usize = 40;

/// Most steps to an end of a window, and to what part of the distance between the probes around it.
const END_STEPS: usize = 40;
const END_ERROR: f64 = 1e-13;

/// Takes what is integrated.
pub(super) trait SurfaceSink {
    /// Whether `add_border` is wanted.
    const HAS_BORDER: bool;

    /// A sum of the same kind that is empty.
    fn empty(&self) -> Self;

    /// Adds another sum.
    fn join(&mut self, other: &Self);

    /// Adds a place with the moments of the field there and the area it stands for [m²].
    fn add(&mut self, point: &SurfacePoint, ray: &RayPlace, field: &[f64; 3], area: f64);

    /// Adds a place of the border, at which the depth is zero. A change of the depth there times `weight` is
    /// the change of the area.
    fn add_border(&mut self, point: &SurfacePoint, weight: f64);
}

/// A value of the outer parameter and the greatest depth on its curve.
type Probe = (f64, f64);

/// The intervals of the outer parameter in which a face is in the soft solid, and the deepest place that was
/// seen on the way.
pub(super) struct Windows {
    pub spans: SmallVec<[[f64; 2]; 4]>,
    pub deepest: (f64, Vec3),
    /// About the sizes of the integrals over them.
    pub sizes: Sizes,
}

impl Windows {
    pub fn new<F: Face>(face: &F, soft: &SoftSolid) -> Self {
        let range = face.range();
        let [low, high] = range.ends;
        let mut deepest = (f64::NEG_INFINITY, Vec3::ZERO);
        // A face that coincides with the surface of the soft solid is outside, whatever rounding says.
        let rounding = ROUNDING * soft.inradius;
        let mut depth = |outer: f64| {
            let found = face.curve(outer).deepest(soft);
            if found.0 > deepest.0 {
                deepest = found;
            }
            found.0 - rounding
        };
        // All places may be further out than the depth can rise.
        if depth(0.5 * (low + high)) + 0.5 * range.speed * (high - low) <= 0.0 {
            return Self { spans: SmallVec::new(), deepest, sizes: Sizes::default() };
        }
        // Probes at equal distances, and closer where the face may be inside between two of them; a closed
        // range has a copy of its first one at the end.
        let mut probes = SmallVec::<[Probe; 32 * PROBES]>::new();
        let mut last = (low, depth(low));
        let first = last.1;
        for i in 1..=PROBES {
            let outer = low + (high - low) * (i as f64 / PROBES as f64);
            let next = (outer, if i == PROBES && range.is_closed { first } else { depth(outer) });
            probes.push(last);
            probe_between(last, next, (range.speed, rounding), PROBE_HALVINGS, &mut depth, &mut probes);
            last = next;
        }
        probes.push(last);
        // Between probes outside there may be places inside, near the highest ones.
        let mut peaks = SmallVec::<[Probe; 16]>::new();
        let count = probes.len();
        for i in 0..count {
            let before = match i {
                0 if range.is_closed => Some((probes[count - 2].0 - (high - low), probes[count - 2].1)),
                0 => None,
                _ => Some(probes[i - 1]),
            };
            let after = match i + 1 {
                k if k < count => Some(probes[k]),
                _ if range.is_closed => continue,
                _ => None,
            };
            let is_peak = |other: Option<Probe>| other.is_none_or(|other| other.1 <= probes[i].1);
            let is_flat =
                [before, Some(probes[i]), after].into_iter().flatten().all(|p| p.1.abs() <= 4.0 * rounding);
            if probes[i].1 <= 0.0 && !is_flat && is_peak(before) && is_peak(after) {
                let peak = climb([before, Some(probes[i]), after], range.speed, &mut depth);
                peaks.extend(peak.filter(|peak| peak.1 > 0.0));
            }
        }
        if !peaks.is_empty() {
            for mut peak in peaks {
                if peak.0 < low {
                    peak.0 += high - low;
                }
                probes.push(peak);
            }
            probes.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        }
        let spans = spans_inside(&probes, &range, &mut depth);
        let rough = Integral { face, soft, depth: f64::INFINITY, resolution: 0.0, divisions_left: 0 };
        let mut sizes = Sizes::default();
        for [low, high] in &spans {
            let span = high - low;
            for (t, weight) in gauss::THREE {
                let found = rough.end(low + span * smooth_step(t)).sizes;
                sizes.add(found, weight * span * smooth_slope(t));
            }
        }
        Self { spans, deepest, sizes }
    }
}

/// Adds probes between two that are not both inside, as long as there may be places inside: the depth changes
/// by at most `speed` per parameter. Where three of them are zero but for `rounding`, the face coincides with
/// the surface.
fn probe_between(
    before: Probe,
    after: Probe,
    (speed, rounding): (f64, f64),
    halvings: u32,
    depth: &mut impl FnMut(f64) -> f64,
    probes: &mut SmallVec<[Probe; 32 * PROBES]>,
) {
    let most = 0.5 * (before.1 + after.1 + speed * (after.0 - before.0));
    if halvings == 0 || (before.1 > 0.0 && after.1 > 0.0) || most <= 0.0 {
        return;
    }
    let outer = 0.5 * (before.0 + after.0);
    let middle = (outer, depth(outer));
    let is_flat = [before, middle, after].iter().all(|p| p.1.abs() <= 4.0 * rounding);
    let halvings = if is_flat { 0 } else { halvings - 1 };
    probe_between(before, middle, (speed, rounding), halvings, depth, probes);
    probes.push(middle);
    probe_between(middle, after, (speed, rounding), halvings, depth, probes);
}

/// The intervals between probes where the depth is positive.
fn spans_inside(
    probes: &[Probe],
    range: &OuterRange,
    depth: &mut impl FnMut(f64) -> f64,
) -> SmallVec<[[f64; 2]; 4]> {
    let mut spans = SmallVec::<[[f64; 2]; 4]>::new();
    let length = range.ends[1] - range.ends[0];
    let mut begin = (probes[0].1 > 0.0).then_some(range.ends[0]);
    for pair in probes.windows(2) {
        match (pair[0].1 > 0.0, pair[1].1 > 0.0) {
            (false, true) => begin = Some(zero(pair[1], pair[0], depth)),
            (true, false) => {
                let end = zero(pair[0], pair[1], depth);
                spans.extend(begin.take().map(|begin| [begin, end]));
            }
            _ => {}
        }
    }
    if let Some(begin) = begin {
        match spans.first_mut() {
            // The last one goes on at the beginning.
            Some(first) if range.is_closed && first[0] == range.ends[0] => first[0] = begin - length,
            _ => spans.push([begin, range.ends[1]]),
        }
    }
    spans
}

/// A probe inside, above three of which the middle one is the highest; `None` if there is none, or it is
/// further than the depth can rise.
fn climb(
    [before, middle, after]: [Option<Probe>; 3],
    speed: f64,
    depth: &mut impl FnMut(f64) -> f64,
) -> Option<Probe> {
    let mut best = middle?;
    let mut left = before.unwrap_or(best);
    let mut right = after.unwrap_or(best);
    for _ in 0..ASCENT_STEPS {
        // The depth changes by at most `speed` per parameter.
        let most = |a: Probe, b: Probe| 0.5 * (a.1 + b.1 + speed * (b.0 - a.0));
        let (most_left, most_right) = (most(left, best), most(best, right));
        if most_left <= 0.0 && most_right <= 0.0 {
            return None;
        }
        // The top of the parabola through the three, or else the middle of the longer side.
        let (dl, dr) = (best.0 - left.0, right.0 - best.0);
        let (fall_left, fall_right) = (best.1 - left.1, best.1 - right.1);
        let curvature = fall_left * dr + fall_right * dl;
        let top = best.0 + 0.5 * (fall_left * dr * dr - fall_right * dl * dl) / curvature;
        let middle = if dl > dr { best.0 - 0.382 * dl } else { best.0 + 0.382 * dr };
        let margin = 1e-3 * (right.0 - left.0);
        let is_good = top > left.0 + margin && top < right.0 - margin && (top - best.0).abs() > 1e-2 * margin;
        let outer = if is_good { top } else { middle };
        if outer == best.0 || outer <= left.0 || outer >= right.0 {
            return None;
        }
        let found = (outer, depth(outer));
        if found.1 > 0.0 {
            return Some(found);
        }
        if found.1 > best.1 {
            *(if outer > best.0 { &mut left } else { &mut right }) = best;
            best = found;
        } else {
            *(if outer > best.0 { &mut right } else { &mut left }) = found;
        }
    }
    None
}

/// The last value inside where the depth is zero between a probe inside and one outside, by false position
/// with halved weights (Illinois).
fn zero(inside: Probe, outside: Probe, depth: &mut impl FnMut(f64) -> f64) -> f64 {
    let (mut a, mut b) = (inside, outside);
    let mut weights = [1.0_f64; 2];
    let error = END_ERROR * (a.0 - b.0).abs();
    for _ in 0..END_STEPS {
        if (a.0 - b.0).abs() <= error {
            break;
        }
        let (fa, fb) = (a.1 * weights[0], b.1 * weights[1]);
        let outer = b.0 + (a.0 - b.0) * (fb / (fb - fa));
        let is_between = (outer > a.0) == (b.0 > outer) && outer != a.0 && outer != b.0;
        if !is_between {
            break;
        }
        let found = (outer, depth(outer));
        if found.1 > 0.0 {
            a = found;
            weights = [1.0, weights[1] * 0.5];
        } else {
            b = found;
            weights = [weights[0] * 0.5, 1.0];
        }
    }
    a.0
}

/// Sizes of the integrals of the depth, of the volume's field and of 1 over an area [m³, m³, m²].
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sizes([f64; 3]);

impl Sizes {
    pub fn add(&mut self, found: [f64; 3], weight: f64) {
        for (size, found) in self.0.iter_mut().zip(found) {
            *size += found.abs() * weight;
        }
    }

    pub fn join(mut self, other: &Self) -> Self {
        self.add(other.0, 1.0);
        self
    }

    /// The largest errors of integrals with these sizes, in parts of which depths are rounded. The integrals
    /// of depth and field are both about the volume's, and either of them may be zero.
    fn errors(&self, rounding: f64) -> [f64; 3] {
        let [depth, field, area] = self.0;
        let sizes = [depth.max(field), depth.max(field), area];
        [0, 1, 2].map(|k| (OUTER_ERRORS[k] + rounding) * sizes[k])
    }
}

/// A value of the outer parameter and the signature of its curve.
#[derive(Clone, Copy, Debug)]
struct Sample {
    outer: f64,
    signature: u64,
}

/// An end of an interval.
#[derive(Clone, Copy, Debug)]
struct IntervalEnd {
    sample: Sample,
    /// Integrals along the curve of the depth, of the volume's field and of 1.
    sizes: [f64; 3],
}

/// An interval of the outer parameter, or a part of one.
#[derive(Clone, Copy, Debug)]
struct Interval {
    /// Ends of the whole interval. From one to the other the outer parameter goes as 3t² − 2t³.
    whole: [f64; 2],
    /// Values of t at the ends of the part.
    part: [f64; 2],
    ends: [IntervalEnd; 2],
    halvings: u32,
}

fn smooth_step(t: f64) -> f64 {
    t * t * (3.0 - 2.0 * t)
}

fn smooth_slope(t: f64) -> f64 {
    6.0 * t * (1.0 - t)
}

impl Interval {
    fn new(ends: [IntervalEnd; 2], halvings: u32) -> Self {
        Self { whole: ends.map(|end| end.sample.outer), part: [0.0, 1.0], ends, halvings }
    }

    fn length(&self) -> f64 {
        self.ends[1].sample.outer - self.ends[0].sample.outer
    }

    /// The outer parameter at a fraction of the part, and its derivative by the fraction.
    fn outer(&self, fraction: f64) -> (f64, f64) {
        let ([low, high], [from, to]) = (self.whole, self.part);
        let t = from + (to - from) * fraction;
        (low + (high - low) * smooth_step(t), (high - low) * smooth_slope(t) * (to - from))
    }

    fn halves(&self, middle: IntervalEnd) -> [Self; 2] {
        let [from, to] = self.part;
        let t = 0.5 * (from + to);
        let halvings = self.halvings + 1;
        [
            Self { part: [from, t], ends: [self.ends[0], middle], halvings, ..*self },
            Self { part: [t, to], ends: [middle, self.ends[1]], halvings, ..*self },
        ]
    }
}

/// A sink for nothing.
struct NoSink;

impl SurfaceSink for NoSink {
    const HAS_BORDER: bool = false;

    fn empty(&self) -> Self {
        Self
    }

    fn join(&mut self, _: &Self) {}

    fn add(&mut self, _: &SurfacePoint, _: &RayPlace, _: &[f64; 3], _: f64) {}

    fn add_border(&mut self, _: &SurfacePoint, _: f64) {}
}

/// An integral over a face in the soft solid.
struct Integral<'a, F> {
    face: &'a F,
    soft: &'a SoftSolid,
    /// Depth of the deepest place of all faces [m].
    depth: f64,
    /// To what values of the outer parameter are right at which the signature changes.
    resolution: f64,
    /// Divisions of intervals that are left for the face.
    divisions_left: u32,
}

/// Adds the part of a face in the soft solid, in its windows. `depth` is that of the deepest place of all
/// faces [m], `sizes` are about those of the integrals over all faces.
pub(super) fn integrate<F: Face, S: SurfaceSink>(
    face: &F,
    soft: &SoftSolid,
    windows: &Windows,
    depth: f64,
    sizes: &mut Sizes,
    sink: &mut S,
) {
    let longest = face.range().longest;
    let mut integral = Integral { face, soft, depth, resolution: 0.0, divisions_left: MOST_DIVISIONS };
    for [low, high] in windows.spans.iter().copied() {
        integral.resolution = OUTER_ERRORS[0] * (high - low) + ROUNDING;
        let parts = ((high - low) / longest).ceil().max(1.0);
        let mut begin = integral.end(low);
        for k in 1..=parts as usize {
            let end = integral.end(low + (high - low) * (k as f64 / parts));
            integral.add_interval(&Interval::new([begin, end], 0), sizes, sink);
            begin = end;
        }
    }
}

impl<F: Face> Integral<'_, F> {
    fn sample(&self, outer: f64) -> Sample {
        Sample { outer, signature: self.face.curve(outer).pieces(self.soft).signature }
    }

    fn end(&self, outer: f64) -> IntervalEnd {
        let curve = self.face.curve(outer);
        let pieces = curve.pieces(self.soft);
        let sample = Sample { outer, signature: pieces.signature };
        IntervalEnd { sample, sizes: self.add_curve(&curve, &pieces, 1.0, &mut NoSink) }
    }

    /// Rounding of depths [m].
    fn rounding(&self) -> f64 {
        ROUNDING * self.soft.inradius
    }

    /// Adds an interval of the outer parameter. Where the signature changes it is divided; where the error is
    /// too large it is halved.
    fn add_interval<S: SurfaceSink>(&mut self, interval: &Interval, sizes: &mut Sizes, sink: &mut S) {
        let (ends, length) = (interval.ends, interval.length());
        // What bisection leaves between both sides of a change of signature.
        if length <= self.resolution {
            let middle = self.face.curve(interval.outer(0.5).0);
            sizes.add(self.add_curve(&middle, &middle.pieces(self.soft), length, sink), 1.0);
            return;
        }
        let places = OUTER.nodes.map(|(fraction, _)| interval.outer(fraction));
        let curves = places.map(|(outer, _)| self.face.curve(outer));
        let pieces = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map(|i: usize| curves[i].pieces(self.soft));
        let mut samples = SmallVec::<[Sample; 12]>::new();
        samples.push(ends[0].sample);
        samples.extend((0..10).map(|i| Sample { outer: places[i].0, signature: pieces[i].signature }));
        samples.push(ends[1].sample);
        let changes = self.changes_of_signature(&samples);
        if !changes.is_empty() {
            let mut begin = ends[0];
            for outer in changes.into_iter().flatten() {
                let end = self.end(outer);
                self.add_interval(&Interval::new([begin, end], interval.halvings), sizes, sink);
                begin = end;
            }
            self.add_interval(&Interval::new([begin, ends[1]], interval.halvings), sizes, sink);
            return;
        }
        let mut sum = sink.empty();
        let mut values = [[0.0; 10]; 3];
        let mut found = *sizes;
        for (i, &(_, weight)) in OUTER.nodes.iter().enumerate() {
            let weight = weight * places[i].1;
            let value = self.add_curve(&curves[i], &pieces[i], weight, &mut sum);
            (0..3).for_each(|k| values[k][i] = value[k] / weight);
            found.add(value, 1.0);
        }
        if interval.halvings < MOST_HALVINGS && self.divisions_left > 0 {
            let largest = found.errors(self.rounding() / self.depth);
            let is_wrong = |k: usize| {
                let residual = OUTER.residual(&values[k], ends.map(|end| end.sizes[k]));
                OUTER.is_wrong(&values[k], residual, largest[k] / length)
            };
            if (0..3).any(is_wrong) {
                self.divisions_left -= 1;
                let middle = self.end(interval.outer(0.5).0);
                for half in interval.halves(middle) {
                    self.add_interval(&half, sizes, sink);
                }
                return;
            }
        }
        *sizes = found;
        sink.join(&sum);
    }

    /// Values of the outer parameter at which the signature changes between samples: the last one before the
    /// change and the first one behind it, which are as near to each other as the resolution.
    fn changes_of_signature(&mut self, samples: &[Sample]) -> SmallVec<[[f64; 2]; 4]> {
        let mut found = SmallVec::<[[f64; 2]; 4]>::new();
        let mut last = samples[0];
        for &next in &samples[1..] {
            // The first change that bisection meets, and then the next one behind it.
            while last.signature != next.signature
                && next.outer - last.outer > self.resolution
                && self.divisions_left > 0
            {
                self.divisions_left -= 1;
                let (mut before, mut after) = (last, next);
                while after.outer - before.outer > self.resolution {
                    let middle = self.sample(0.5 * (before.outer + after.outer));
                    *(if middle.signature == last.signature { &mut before } else { &mut after }) = middle;
                }
                found.push([before.outer, after.outer]);
                last = after;
            }
            last = next;
        }
        found
    }

    /// Adds a curve with a weight. Answers the integrals of depth, of the volume's field and of 1.
    fn add_curve<S: SurfaceSink>(
        &self,
        curve: &F::Curve,
        pieces: &InnerPieces,
        weight: f64,
        sink: &mut S,
    ) -> [f64; 3] {
        let mut sizes = [0.0; 3];
        for piece in &pieces.pieces {
            self.add_piece(curve, piece.ends, weight, 0, sink, &mut sizes);
            if S::HAS_BORDER {
                for (inner, _) in
                    piece.ends.into_iter().zip(piece.is_border).filter(|(_, is_border)| *is_border)
                {
                    let point = curve.point(inner);
                    let rate = self.soft.gradient(point.place).dot(curve.rate(inner)).abs();
                    let weight = point.density * weight / rate;
                    if weight.is_finite() {
                        sink.add_border(&point, weight);
                    }
                }
            }
        }
        sizes
    }

    /// Adds a part of a curve.
    fn add_piece<S: SurfaceSink>(
        &self,
        curve: &F::Curve,
        [from, to]: [f64; 2],
        weight: f64,
        halvings: u32,
        sink: &mut S,
        sizes: &mut [f64; 3],
    ) {
        let is_last = halvings >= MOST_HALVINGS;
        let most = INNER_ERROR * self.depth + self.rounding();
        if to - from <= curve.longest() || is_last {
            let ends = [from, to];
            let most_at_last = if is_last { f64::INFINITY } else { most };
            let found = self
                .add_by_rule(&INNER_FIRST, curve, ends, weight, most, sink)
                .or_else(|| self.add_by_rule(&INNER, curve, ends, weight, most_at_last, sink));
            if let Some(found) = found {
                (0..3).for_each(|k| sizes[k] += found[k]);
                return;
            }
        }
        let middle = 0.5 * (from + to);
        self.add_piece(curve, [from, middle], weight, halvings + 1, sink, sizes);
        self.add_piece(curve, [middle, to], weight, halvings + 1, sink, sizes);
    }

    /// Adds a part of a curve by a rule, unless depth or field have a larger error than `most`. Answers the
    /// integrals of depth, of the volume's field and of 1.
    fn add_by_rule<const N: usize, S: SurfaceSink>(
        &self,
        rule: &GaussRule<N>,
        curve: &F::Curve,
        [from, to]: [f64; 2],
        weight: f64,
        most: f64,
        sink: &mut S,
    ) -> Option<[f64; 3]> {
        let length = to - from;
        let points = rule.nodes.map(|(t, _)| curve.point(from + length * t));
        let rays = points.map(|point| self.soft.ray_place(point.place));
        let fields = std::array::from_fn::<_, N, _>(|i| rays[i].field(points[i].normal));
        let is_wrong = |values| rule.is_wrong(&values, 0.0, most);
        if is_wrong(rays.map(|ray| ray.depth)) || is_wrong(fields.map(|field| field[0])) {
            return None;
        }
        let weight = weight * length;
        let mut sums = [0.0; 3];
        for (i, (_, part)) in rule.nodes.iter().enumerate() {
            let area = points[i].density * (weight * part);
            sink.add(&points[i], &rays[i], &fields[i], area);
            sums[0] += area * rays[i].depth;
            sums[1] += area * fields[i][0];
            sums[2] += area;
        }
        Some(sums)
    }
}
