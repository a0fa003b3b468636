//! Moments of a solid of revolution below some planes, by slices across its axis.
//!
//! The slices are discs cut by half-planes, whose moments are closed forms. Between two heights at which the
//! picture changes, these are analytic functions of the height but for square roots at the places where a
//! plane touches the circles; a substitution removes those at both ends, and Gauss' rule does the rest.

use super::super::gauss::{Rule, TEN, THREE, TWO};
use super::cut::Cut;
use super::disc::{AreaMoments, Chord, DiscPart};
use super::heights::{self, Heights};
use super::revolution::{Profile, Revolution};
use fender_math::{Mat3, Vec2, Vec3, float};
use smallvec::SmallVec;

/// Area and moments of a plane section.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlaneMoments {
    /// Area [m²].
    pub area: f64,
    /// ∫x dA [m³].
    pub first: Vec3,
    /// ∫xxᵀ dA [m⁴].
    pub second: Mat3,
}

impl PlaneMoments {
    /// Of nothing.
    pub const ZERO: Self = Self { area: 0.0, first: Vec3::ZERO, second: Mat3::ZERO };
}

/// Moments of a part of a solid.
#[derive(Clone, Debug)]
pub(super) struct PartMoments {
    /// The place they are about, in the plane of the cell's face [m].
    pub about: Vec3,
    /// Volume [m³].
    pub volume: f64,
    /// ∫x dV [m⁴].
    pub first: Vec3,
    /// ∫xxᵀ dV [m⁵].
    pub second: Mat3,
    /// Sections of the planes in the order in which they were given; only of the first one if the others were
    /// not asked for.
    pub sections: SmallVec<[PlaneMoments; 6]>,
}

/// xxᵀ.
fn square(x: Vec3) -> Mat3 {
    Mat3::from_cols(x * x.x, x * x.y, x * x.z)
}

/// The symmetric matrix of squares and products of a plane figure, in three dimensions.
fn flat_square(squares: Vec2, product: f64) -> Mat3 {
    Mat3::from_cols(Vec3::new(squares.x, product, 0.0), Vec3::new(product, squares.y, 0.0), Vec3::ZERO)
}

/// A substitution that makes the roots at two heights, outside of a slab or at its ends, smooth: z = z_a +
/// (z_b − z_a)·sin²χ.
struct Substitution {
    below: f64,
    length: f64,
    from: f64,
    to: f64,
}

impl Substitution {
    fn new(heights: &Heights, low: f64, high: f64) -> Self {
        let (below, above) = heights.branches_beside(low, high);
        let angle = |z: f64| float::atan2((z - below).max(0.0).sqrt(), (above - z).max(0.0).sqrt());
        Self { below, length: above - below, from: angle(low), to: angle(high) }
    }

    /// Height and its derivative.
    fn height(&self, part: f64) -> (f64, f64) {
        let (sin, cos) = float::sin_cos(self.from + part * (self.to - self.from));
        (self.below + self.length * sin * sin, 2.0 * self.length * sin * cos * (self.to - self.from))
    }
}

impl PartMoments {
    /// Adds a slice at a height with the weight of its thickness [m].
    fn add_slice(&mut self, slice: &AreaMoments, height: f64, weight: f64) {
        let shift = slice.about.extend(height) - self.about;
        let area = slice.area * weight;
        let first = (slice.first * weight).extend(0.0);
        self.volume += area;
        self.first += first + shift * area;
        let mixed = Mat3::from_cols(shift * first.x, shift * first.y, shift * first.z);
        self.second += flat_square(slice.squares * weight, slice.product * weight)
            + mixed
            + mixed.transpose()
            + square(shift) * area;
    }

    /// Adds the part of a section that is at the height of a slice: its chord, with the weight of its width
    /// along the section [m].
    fn add_chord(&mut self, section: usize, chord: &Chord, height: f64, weight: f64) {
        let [a, b] = chord.ends;
        let Some(sum) = self.sections.get_mut(section) else { return };
        let chord = b - a;
        let area = chord.length() * weight;
        let middle = (0.5 * (a + b)).extend(height) - self.about;
        sum.area += area;
        sum.first += middle * area;
        sum.second += (square(middle) + square(chord.extend(0.0)) * (1.0 / 12.0)) * area;
    }

    /// Adds a whole slice as the section of a level plane.
    fn add_level(&mut self, section: usize, slice: &AreaMoments, height: f64) {
        let shift = slice.about.extend(height) - self.about;
        let Some(sum) = self.sections.get_mut(section) else { return };
        let first = slice.first.extend(0.0);
        let mixed = Mat3::from_cols(shift * first.x, shift * first.y, shift * first.z);
        sum.area += slice.area;
        sum.first += first + shift * slice.area;
        sum.second += flat_square(slice.squares, slice.product)
            + mixed
            + mixed.transpose()
            + square(shift) * slice.area;
    }
}

/// A place in the plane of the face above or below the first corner of a slice.
fn origin(slice: &DiscPart, height: f64, face: &Cut) -> Vec3 {
    let place = slice.corners().first().map_or(Vec2::ZERO, |corner| corner.at).extend(height);
    place + face.normal * face.depth(place)
}

/// Takes places on the border of the section of the face: a place, a vector along the outward normal of the
/// solid there, and the weight with which the product of the vector with a displacement adds to the area.
pub(super) type Border<'a> = dyn FnMut(Vec3, Vec3, f64) + 'a;

/// Moments of the part of the solid that is below all planes, if there is any. Their heights are above the
/// same one as those of the solid. Depths are below `face`, which is the first of the planes if it cuts the
/// solid. Sections are those of the first `sections` planes. The border of the first plane's section is given
/// to `border`, if it is the face.
pub(super) fn integrate(
    solid: &Revolution,
    face: &Cut,
    cuts: &[Cut],
    sections: usize,
    mut border: Option<&mut Border<'_>>,
) -> Option<PartMoments> {
    let mut solid = *solid;
    // Level planes limit the heights; each one that is the limit has a slice as its section.
    let (mut floor, mut ceiling) = (None, None);
    let mut steep = SmallVec::<[Cut; 8]>::new();
    let mut numbers = SmallVec::<[u32; 8]>::new();
    for (i, cut) in cuts.iter().enumerate() {
        if !cut.is_level() {
            steep.push(*cut);
            numbers.push(i as u32);
            continue;
        }
        let height = cut.offset / cut.normal.z;
        if cut.normal.z > 0.0 && height < solid.high {
            solid.high = height;
            ceiling = Some(i);
        } else if cut.normal.z < 0.0 && height > solid.low {
            solid.low = height;
            floor = Some(i);
        }
    }
    if solid.low >= solid.high {
        return None;
    }
    let heights = Heights::new(&solid, &steep);
    let mut part: Option<PartMoments> = None;
    let mut disc = DiscPart::new(0.0);
    let cut_disc = |disc: &mut DiscPart, height: f64, which: &[usize]| {
        disc.reset(solid.radius(height));
        for &i in which {
            disc.cut(steep[i].trace, steep[i].trace_offset(height), i as u32);
        }
    };
    let all: SmallVec<[usize; 8]> = (0..steep.len()).collect();
    let mut active = SmallVec::<[usize; 8]>::new();
    for ends in heights.ends.windows(2) {
        let (low, high) = (ends[0], ends[1]);
        let middle = low + 0.5 * (high - low);
        cut_disc(&mut disc, middle, &all);
        if disc.is_empty() {
            continue;
        }
        active.clear();
        active.extend(all.iter().copied().filter(|i| disc.corners().iter().any(|c| c.edge == *i as u32)));
        let sum = part.get_or_insert_with(|| PartMoments {
            about: origin(&disc, middle, face),
            volume: 0.0,
            first: Vec3::ZERO,
            second: Mat3::ZERO,
            sections: SmallVec::from_elem(PlaneMoments::ZERO, sections),
        });
        let is_cylinder = matches!(solid.profile, Profile::Cylinder { .. });
        let is_constant = is_cylinder && active.iter().all(|i| steep[*i].normal.z == 0.0);
        let rule: Rule = if is_constant {
            // A cylinder whose slices are all alike.
            &TWO
        } else if active.is_empty() {
            // Whole discs of a cone or ball.
            &THREE
        } else {
            &TEN
        };
        let mut slabs = SmallVec::<[f64; 8]>::from_slice(ends);
        if rule.len() == TEN.len() {
            heights::refine(&solid, &mut slabs);
            // A lens that the face alone cuts off a ball: its moments go with up to the sixth power of its
            // width, for which ten points are too few over its whole length.
            let is_ball = matches!(solid.profile, Profile::Ball { .. });
            if is_ball && active.len() == 1 && numbers[active[0]] == 0 && slabs.len() == 2 {
                slabs.insert(1, middle);
            }
        }
        for slab in slabs.windows(2) {
            let (low, high) = (slab[0], slab[1]);
            let substitution = (rule.len() == TEN.len()).then(|| Substitution::new(&heights, low, high));
            for &(part, weight) in rule {
                let (height, slope) = match &substitution {
                    Some(substitution) => substitution.height(part),
                    None => (low + part * (high - low), high - low),
                };
                let weight = weight * slope;
                cut_disc(&mut disc, height, &active);
                sum.add_slice(&disc.moments(), height, weight);
                for chord in disc.chords() {
                    let (number, cut) = (numbers[chord.edge as usize] as usize, &steep[chord.edge as usize]);
                    let weight = weight / cut.sine;
                    if number < sections {
                        sum.add_chord(number, &chord, height, weight);
                    }
                    if number == 0
                        && let Some(border) = border.as_mut()
                    {
                        add_chord_ends(&solid, &chord, height, weight, border);
                    }
                }
            }
        }
    }
    let mut part = part?;
    for (level, height) in [(floor, solid.low), (ceiling, solid.high)] {
        if let Some(number) = level.filter(|i| *i < sections) {
            cut_disc(&mut disc, height, &all);
            part.add_level(number, &disc.moments(), height);
            if number == 0
                && let Some(border) = border.as_mut()
            {
                add_circle(&solid, &disc, height, border);
            }
        }
    }
    if let Some(border) = border {
        let ends = [(solid.low, -1.0, floor.is_none()), (solid.high, 1.0, ceiling.is_none())];
        for (height, way, _) in ends.into_iter().filter(|(_, _, is_own)| *is_own) {
            cut_disc(&mut disc, height, &all);
            for chord in disc.chords().filter(|chord| numbers[chord.edge as usize] == 0) {
                let [a, b] = chord.ends.map(|end| end.extend(height));
                let weight = (b - a).length() / steep[chord.edge as usize].sine;
                // Simpson's rule is exact for squares.
                for (place, part) in [(a, 1.0 / 6.0), (0.5 * (a + b), 4.0 / 6.0), (b, 1.0 / 6.0)] {
                    border(place, Vec3::Z * way, weight * part);
                }
            }
        }
    }
    Some(part)
}

/// Adds the ends of a chord to the border of a section: how fast they move along the chord with the solid.
fn add_chord_ends(solid: &Revolution, chord: &Chord, height: f64, weight: f64, border: &mut Border<'_>) {
    let [a, b] = chord.ends;
    let along = (b - a).normalize_or_zero().extend(0.0);
    for (place, out, is_on_circle) in [(a, -along, chord.is_on_circle[0]), (b, along, chord.is_on_circle[1])]
    {
        let side = solid.side(place, height);
        let weight = weight / side.dot(out);
        if is_on_circle && weight.is_finite() {
            border(place.extend(height), side, weight);
        }
    }
}

/// Adds the arcs of a level section to its border.
fn add_circle(solid: &Revolution, disc: &DiscPart, height: f64, border: &mut Border<'_>) {
    let radius = solid.radius(height);
    for (from, to) in disc.arcs() {
        // Quarters are enough for fourth powers of sines.
        let quarter = 0.25 * (to - from);
        for (begin, (part, weight)) in (0..4).flat_map(|k| TEN.iter().map(move |node| (f64::from(k), *node)))
        {
            let (sin, cos) = float::sin_cos(from + (begin + part) * quarter);
            let place = Vec2::new(cos, sin) * radius;
            border(place.extend(height), solid.side(place, height), weight * quarter * radius);
        }
    }
}
