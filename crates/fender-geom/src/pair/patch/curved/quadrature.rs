//! Integrals over the part of a face that is in the soft solid.
//!
//! Along each curve the integrands are analytic between the ends of its pieces. So are their integrals as
//! functions of the outer parameter, but for roots at the values where the signature of the pieces changes.
//! These values are found by bisection; between them a substitution makes the roots smooth, and Gauss' rule
//! does the rest.

use super::super::gauss;
use super::faces::{Curve, Face, OuterRange, SurfacePoint};
use super::soft_solid::{InnerPieces, RayPlace, SoftSolid};
use fender_math::Vec3;
use smallvec::SmallVec;

/// Gauss' rule with N places between 0 and 1, and what tells how well it does.
struct GaussRule<const N: usize> {
    /// Abscissas and weights.
    nodes: [(f64, f64); N],
    /// Rows that make Legendre coefficients of the two highest degrees, and of the two that are four lower,
    /// of values at the nodes.
    tail: [[f64; N]; 4],
}

impl<const N: usize> GaussRule<N> {
    const fn new(nodes: [(f64, f64); N]) -> Self {
        let mut tail = [[0.0; N]; 4];
        let mut i = 0;
        while i < N {
            let (place, weight) = nodes[i];
            let x = 2.0 * place - 1.0;
            // Legendre polynomials by their recurrence.
            let (mut before, mut value, mut degree) = (1.0, x, 1);
            while degree < N {
                let row = if degree + 2 >= N {
                    degree + 2 - N
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
        Self { nodes, tail }
    }

    /// About the error of the mean of a function by its values at the nodes: the coefficients of its Legendre
    /// series fall by a ratio per degree, and the first one that counts is that of twice the degree.
    fn error(&self, values: &[f64; N]) -> f64 {
        let sum = |row: usize| {
            let row = &self.tail[row];
            (0..N).map(|i| row[i] * values[i]).sum::<f64>().abs()
        };
        let (last, earlier) = (sum(0) + sum(1), sum(2) + sum(3));
        if last >= earlier {
            return last;
        }
        // The fourth power of the ratio, to the power (N + 1)/4.
        let ratio = last / earlier;
        let root = ratio.sqrt().sqrt();
        let mut error = last;
        for _ in 0..N / 4 {
            error *= ratio;
        }
        for _ in 0..(N + 1) % 4 {
            error *= root;
        }
        error
    }
}

const OUTER: GaussRule<10> = GaussRule::new(gauss::TEN);
const INNER: GaussRule<8> = GaussRule::new(gauss::EIGHT);

/// Parts of the depth to which integrals along a curve are right.
const INNER_ERROR: f64 = 1e-9;

/// Parts of a face's push, volume and area to which the integrals over it are right.
const OUTER_ERRORS: [f64; 3] = [1e-9, 1e-9, 1e-7];

/// Rounding of depths, in parts of the soft solid's inradius: no integral can be more right than that.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// How often an interval of the outer and inner parameter is halved at most for that.
const MOST_OUTER_HALVINGS: u32 = 9;
const MOST_INNER_HALVINGS: u32 = 9;

/// Halvings of intervals of the outer parameter on one face.
const MOST_HALVINGS: u32 = 400;

/// Values of the outer parameter at which a face is probed for parts in the soft solid.
const PROBES: usize = 16;

/// How often intervals between probes are halved while there may be places inside.
const PROBE_HALVINGS: u32 = 4;

/// Steps to a place in the soft solid between two probes outside.
const ASCENT_STEPS: usize = 40;

/// Steps to a change of the signature: it is found to 2⁻³⁰ of the distance of two nodes.
const BISECTIONS: usize = 30;

/// Most steps to an end of a window.
const END_STEPS: usize = 40;

/// Changes of the signature in one window that are looked for. There are more only where two surfaces
/// coincide but for rounding.
const MOST_CHANGES: u32 = 100;

/// Part of a window below which intervals are not divided where the signature changes: at the end of a
/// window, where curves are short, it may change by rounding.
const SHORTEST: f64 = 1e-7;

/// Changes between two nodes that are looked for at once.
const MOST_CHANGES_AT_ONCE: usize = 4;

/// How near to the end of an interval its signature is asked for, in parts of the way to the first node.
const BESIDE_END: f64 = 1e-3;

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
        // Probes at equal distances, and closer where the face may be inside between two of them; a closed
        // range has a copy of its first one at the end.
        let mut probes = SmallVec::<[Probe; 8 * PROBES]>::new();
        let mut last = (low, depth(low));
        let first = last.1;
        for i in 1..=PROBES {
            let outer = low + (high - low) * (i as f64 / PROBES as f64);
            let next = (outer, if i == PROBES && range.is_closed { first } else { depth(outer) });
            probes.push(last);
            probe_between(last, next, range.speed, PROBE_HALVINGS, &mut depth, &mut probes);
            last = next;
        }
        probes.push(last);
        // Between probes outside there may be places inside, near the highest ones.
        let mut peaks = SmallVec::<[Probe; 4]>::new();
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
            if probes[i].1 <= 0.0 && is_peak(before) && is_peak(after) {
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
        Self { spans, deepest }
    }
}

/// Adds probes between two that are not both inside, as long as there may be places inside: the depth changes
/// by at most `speed` per parameter.
fn probe_between(
    before: Probe,
    after: Probe,
    speed: f64,
    halvings: u32,
    depth: &mut impl FnMut(f64) -> f64,
    probes: &mut SmallVec<[Probe; 8 * PROBES]>,
) {
    let most = 0.5 * (before.1 + after.1 + speed * (after.0 - before.0));
    if halvings == 0 || (before.1 > 0.0 && after.1 > 0.0) || most <= 0.0 {
        return;
    }
    let outer = 0.5 * (before.0 + after.0);
    let middle = (outer, depth(outer));
    probe_between(before, middle, speed, halvings - 1, depth, probes);
    probes.push(middle);
    probe_between(middle, after, speed, halvings - 1, depth, probes);
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

/// Where the depth is zero between a probe inside and one outside, by false position with halved weights
/// (Illinois).
fn zero(inside: Probe, outside: Probe, depth: &mut impl FnMut(f64) -> f64) -> f64 {
    let (mut a, mut b) = (inside, outside);
    let mut weights = [1.0_f64; 2];
    for _ in 0..END_STEPS {
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
    if a.1 < -b.1 { a.0 } else { b.0 }
}

/// What an integral is to be right to.
struct Integral<'a, F> {
    face: &'a F,
    soft: &'a SoftSolid,
    /// To what depths along a curve are right [m].
    inner_error: f64,
    /// Rounding of depths [m].
    rounding: f64,
    /// To what parts push, volume and area are right.
    outer_errors: [f64; 3],
    /// Length below which an interval of the outer parameter is not divided where its signature changes.
    shortest: f64,
    /// Halvings of intervals that are left for the face.
    halvings_left: u32,
    /// Integrals of depth, of the volume's field and of 1 over the area so far [m³, m³, m²].
    sizes: [f64; 3],
}

/// Adds the part of a face in the soft solid, in its windows. `depth` is that of the deepest place of all
/// faces [m].
pub(super) fn integrate<F: Face, S: SurfaceSink>(
    face: &F,
    soft: &SoftSolid,
    windows: &Windows,
    depth: f64,
    sink: &mut S,
) {
    let longest = face.range().longest;
    let rounding = ROUNDING * soft.inradius;
    let mut integral = Integral {
        face,
        soft,
        inner_error: INNER_ERROR * depth + rounding,
        rounding,
        outer_errors: OUTER_ERRORS.map(|error| error + rounding / depth),
        shortest: 0.0,
        halvings_left: MOST_HALVINGS,
        sizes: [0.0; 3],
    };
    for [low, high] in windows.spans.iter().copied() {
        integral.shortest = SHORTEST * (high - low);
        let parts = ((high - low) / longest).ceil().max(1.0) as usize;
        let end = |k: usize| low + (high - low) * (k as f64 / parts as f64);
        for part in 0..parts {
            let mut changes = MOST_CHANGES;
            integral.add_interval([end(part), end(part + 1)], [0.0, 1.0], 0, &mut changes, sink);
        }
    }
}

impl<F: Face> Integral<'_, F> {
    /// Adds the part of an interval of the outer parameter between two values of the parameter t, with which
    /// it goes as 3t² − 2t³. Where the signature changes between its nodes the interval is divided; where the
    /// error is too large the part is halved.
    fn add_interval<S: SurfaceSink>(
        &mut self,
        [low, high]: [f64; 2],
        [from, to]: [f64; 2],
        halvings: u32,
        changes: &mut u32,
        sink: &mut S,
    ) {
        let outer = |t: f64| low + (high - low) * (t * t * (3.0 - 2.0 * t));
        let places = OUTER.nodes.map(|(t, _)| from + (to - from) * t);
        let curves = places.map(|t| self.face.curve(outer(t)));
        let pieces = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map(|i: usize| curves[i].pieces(self.soft));
        if *changes > 0 && high - low > self.shortest {
            let ends = self.changes_of_signature(
                &outer,
                &places,
                &pieces,
                *changes == MOST_CHANGES && to - from == 1.0,
                changes,
            );
            if !ends.is_empty() {
                let mut begin = outer(from);
                for end in ends.into_iter().chain([outer(to)]) {
                    self.add_interval([begin, end], [0.0, 1.0], halvings, changes, sink);
                    begin = end;
                }
                return;
            }
        }
        let mut sum = sink.empty();
        let mut values = [[0.0; 10]; 3];
        let mut sizes = [0.0; 3];
        for (i, &(t, weight)) in OUTER.nodes.iter().enumerate() {
            let t = from + (to - from) * t;
            let slope = (high - low) * (6.0 * t * (1.0 - t)) * (to - from);
            let found = self.add_curve(&curves[i], &pieces[i], weight * slope, &mut sum);
            for k in 0..3 {
                values[k][i] = found[k] / weight;
                sizes[k] += found[k];
            }
        }
        if halvings < MOST_OUTER_HALVINGS {
            let is_wrong =
                |k: usize| OUTER.error(&values[k]) > self.outer_errors[k] * self.sizes[k].max(sizes[k].abs());
            // Where two surfaces coincide, the depth is nothing but rounding.
            let is_deep = sizes[0] > self.rounding * sizes[2];
            if is_deep && self.halvings_left > 0 && (0..3).any(is_wrong) {
                self.halvings_left -= 1;
                let middle = 0.5 * (from + to);
                self.add_interval([low, high], [from, middle], halvings + 1, changes, sink);
                self.add_interval([low, high], [middle, to], halvings + 1, changes, sink);
                return;
            }
        }
        for k in 0..3 {
            self.sizes[k] += sizes[k].abs();
        }
        sink.join(&sum);
    }

    /// Values of the outer parameter at which the signature changes first between two of the nodes, or
    /// between an end of the interval and the node beside it.
    fn changes_of_signature(
        &self,
        outer: &impl Fn(f64) -> f64,
        nodes: &[f64; 10],
        pieces: &[InnerPieces; 10],
        is_whole: bool,
        changes: &mut u32,
    ) -> SmallVec<[f64; 4]> {
        let signature = |outer: f64| self.face.curve(outer).pieces(self.soft).signature;
        let mut found = SmallVec::<[f64; 4]>::new();
        // Ends only where they are those of the whole interval: others are between nodes of the whole.
        let beside = |end: f64, node: f64| {
            let place = outer(end + BESIDE_END * (node - end));
            (place, signature(place))
        };
        let mut all = SmallVec::<[(f64, u64); 12]>::new();
        if is_whole {
            all.push(beside(0.0, nodes[0]));
        }
        all.extend((0..10).map(|i| (outer(nodes[i]), pieces[i].signature)));
        if is_whole {
            all.push(beside(1.0, nodes[9]));
        }
        let mut last = all[0];
        for &next in &all[1..] {
            // The first change that bisection meets, and then the next one behind it.
            while last.1 != next.1 && *changes > 0 && found.len() < MOST_CHANGES_AT_ONCE {
                *changes -= 1;
                let (mut before, mut after) = (last.0, next);
                for _ in 0..BISECTIONS {
                    let middle = 0.5 * (before + after.0);
                    let sign = signature(middle);
                    if sign == last.1 {
                        before = middle;
                    } else {
                        after = (middle, sign);
                    }
                }
                found.push(after.0);
                last = after;
            }
            if !found.is_empty() {
                break;
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
        let length = to - from;
        let points = INNER.nodes.map(|(t, _)| curve.point(from + length * t));
        let rays = points.map(|point| self.soft.ray_place(point.place));
        let fields = [0, 1, 2, 3, 4, 5, 6, 7].map(|i: usize| rays[i].field(points[i].normal));
        if halvings < MOST_INNER_HALVINGS {
            let is_wrong = || {
                let error =
                    INNER.error(&rays.map(|ray| ray.depth)).max(INNER.error(&fields.map(|field| field[0])));
                error > self.inner_error
            };
            if length > curve.longest() || is_wrong() {
                let middle = 0.5 * (from + to);
                self.add_piece(curve, [from, middle], weight, halvings + 1, sink, sizes);
                self.add_piece(curve, [middle, to], weight, halvings + 1, sink, sizes);
                return;
            }
        }
        for i in 0..points.len() {
            let area = points[i].density * weight * INNER.nodes[i].1 * length;
            sink.add(&points[i], &rays[i], &fields[i], area);
            sizes[0] += area * rays[i].depth;
            sizes[1] += area * fields[i][0];
            sizes[2] += area;
        }
    }
}
