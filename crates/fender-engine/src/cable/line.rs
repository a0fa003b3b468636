//! What a cable is made of.

use super::CableError;
use fender_math::Vec3;

/// Gravity at sea level [m/s²] (BIPM 2019), by which a cable's own weight is judged where the scene has another or none.
const STANDARD_GRAVITY: f64 = 9.806_65;

/// A kind of cable: everything per unit of unstretched length.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Mass [kg/m].
    pub mass: f64,
    /// Diameter that water and wind see [m].
    pub diameter: f64,
    /// Displaced volume [m³/m].
    pub volume: f64,
    /// Tension by strain.
    pub axial: Axial,
    /// Tension per strain rate [N·s].
    pub axial_damping: f64,
    /// Whether it gives way instead of pushing back when it is shortened.
    pub slack: bool,
    /// Tension below which the law of a line that can go slack is rounded [N] (see [`Line::pull`]). A cable sets it from its elements.
    pub rounding: f64,
    /// Bending stiffness EI [N·m²]; 0 for a chain.
    pub bending: f64,
    /// Bending moment per rate of curvature [N·m²·s].
    pub bending_damping: f64,
    /// Curvature of the unloaded line [1/m], along its two material directions.
    pub curvature: [f64; 2],
    /// Torsional stiffness GJ [N·m²]; 0 if twist does not matter.
    pub torsion: f64,
    /// Torque per rate of twist [N·m²·s].
    pub torsion_damping: f64,
    /// Moment of inertia about its axis [kg·m].
    pub inertia: f64,
    /// Drag coefficient across.
    pub drag_normal: f64,
    /// Drag coefficient along, on the circumference.
    pub drag_tangential: f64,
    /// Added mass coefficient across.
    pub added_normal: f64,
    /// Added mass coefficient along.
    pub added_tangential: f64,
    /// Tension at which it breaks [N], for its utilisation; the cable itself never breaks.
    pub breaking_load: Option<f64>,
    /// Smallest radius it may be bent to [m], for its utilisation.
    pub bend_radius: Option<f64>,
}

/// Tension by strain.
#[derive(Clone, Debug, PartialEq)]
pub enum Axial {
    /// T = EA·ε.
    Linear {
        /// EA [N].
        stiffness: f64,
    },
    /// Strain and tension [N], both increasing, straight between the points and beyond.
    Table(Vec<(f64, f64)>),
}

/// Answer of an axial law.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pull {
    /// Tension [N].
    pub tension: f64,
    /// Its slope [N].
    pub stiffness: f64,
    /// Energy per unstretched length [J/m].
    pub stored: f64,
}

impl Axial {
    /// Tension at a strain.
    #[inline]
    pub fn pull(&self, strain: f64) -> Pull {
        match self {
            Self::Linear { stiffness } => {
                let tension = stiffness * strain;
                Pull { tension, stiffness: *stiffness, stored: 0.5 * tension * strain }
            }
            Self::Table(points) => Self::between(points, strain),
        }
    }

    fn between(points: &[(f64, f64)], strain: f64) -> Pull {
        let (at, slope) = piece(points, strain);
        Pull {
            tension: points[at].1 + slope * (strain - points[at].0),
            stiffness: slope,
            stored: integral(points, strain, &|t| 0.5 * t * t),
        }
    }

    /// Stiffness of the unstretched line [N].
    pub fn stiffness(&self) -> f64 {
        self.pull(0.0).stiffness
    }

    /// Strain at a tension [N].
    pub fn strain(&self, tension: f64) -> f64 {
        match self {
            Self::Linear { stiffness } => tension / stiffness,
            Self::Table(points) => {
                let last = points.len() - 2;
                let at = points.partition_point(|(_, t)| *t <= tension).saturating_sub(1).min(last);
                let slope = (points[at + 1].1 - points[at].1) / (points[at + 1].0 - points[at].0);
                points[at].0 + (tension - points[at].1) / slope
            }
        }
    }

    fn check(&self) -> Result<(), CableError> {
        match self {
            Self::Linear { stiffness } if !(*stiffness > 0.0 && stiffness.is_finite()) => {
                Err(CableError::NoStiffness { stiffness: *stiffness })
            }
            Self::Linear { .. } => Ok(()),
            Self::Table(points) => {
                let rises = points
                    .windows(2)
                    .all(|p| p[1].0 > p[0].0 && p[1].1 > p[0].1 && p[1].0.is_finite() && p[1].1.is_finite());
                let zero = points.contains(&(0.0, 0.0));
                if points.len() < 2 || !rises || !zero { Err(CableError::BadTable) } else { Ok(()) }
            }
        }
    }
}

impl Line {
    /// A bare line of a mass per length [kg/m] and axial stiffness [N]: no bending, no water.
    pub fn new(mass: f64, stiffness: f64) -> Self {
        Self {
            mass,
            diameter: 0.0,
            volume: 0.0,
            axial: Axial::Linear { stiffness },
            axial_damping: 0.0,
            slack: true,
            rounding: 0.0,
            bending: 0.0,
            bending_damping: 0.0,
            curvature: [0.0; 2],
            torsion: 0.0,
            torsion_damping: 0.0,
            inertia: 0.0,
            drag_normal: 0.0,
            drag_tangential: 0.0,
            added_normal: 0.0,
            added_tangential: 0.0,
            breaking_load: None,
            bend_radius: None,
        }
    }

    /// The same with the rounding of a line whose elements are this long [m]: up to the weight of an element, and a strain of 5·10⁻⁵. The tension
    /// then differs from that of a law with a kink by at most 4/27 of that.
    pub(crate) fn rounded(&self, element: f64) -> Self {
        let weight = self.mass * STANDARD_GRAVITY * element;
        Self { rounding: weight.min(5e-5 * self.axial.stiffness()), ..self.clone() }
    }

    /// Tension at a strain, without damping. One that can go slack never pushes; instead of max(f, 0) of its law f the tension is `round` of
    /// it, without a kink that would keep Newton's iteration from its end.
    #[inline]
    pub fn pull(&self, strain: f64) -> Pull {
        let pull = self.axial.pull(strain);
        if !self.slack {
            return pull;
        }
        let (tension, slope) = round(pull.tension, self.rounding);
        let stored = match &self.axial {
            Axial::Linear { stiffness } => round_energy(pull.tension, self.rounding) / stiffness,
            Axial::Table(points) => integral(points, strain, &|t| round_energy(t, self.rounding)),
        };
        Pull { tension, stiffness: slope * pull.stiffness, stored }
    }

    /// Mean tension between two strains [N], so that it times their difference is the change of energy, and how it changes with the
    /// second.
    pub(crate) fn mean_pull(&self, first: f64, last: f64) -> (f64, f64) {
        let change = last - first;
        let middle = || self.pull(0.5 * (first + last));
        let mean = match &self.axial {
            // No differences of energies, which would lose digits.
            Axial::Linear { stiffness } if !self.slack => {
                return (0.5 * stiffness * (first + last), 0.5 * stiffness);
            }
            Axial::Linear { stiffness } => mean_round(stiffness * first, stiffness * last, self.rounding),
            Axial::Table(_) if change.abs() < 1e-9 => middle().tension,
            Axial::Table(_) => (self.pull(last).stored - self.pull(first).stored) / change,
        };
        let slope = if change.abs() < 1e-9 {
            0.5 * middle().stiffness
        } else {
            (self.pull(last).tension - mean) / change
        };
        (mean, slope)
    }

    /// Whether the numbers can be those of a line.
    pub fn check(&self) -> Result<(), CableError> {
        self.axial.check()?;
        let positive = [("mass", self.mass)];
        let not_negative = [
            ("diameter", self.diameter),
            ("volume", self.volume),
            ("axial damping", self.axial_damping),
            ("bending stiffness", self.bending),
            ("bending damping", self.bending_damping),
            ("torsional stiffness", self.torsion),
            ("torsional damping", self.torsion_damping),
            ("inertia", self.inertia),
            ("drag", self.drag_normal),
            ("drag", self.drag_tangential),
            ("added mass", self.added_normal),
            ("added mass", self.added_tangential),
        ];
        let bad = positive.iter().find(|(_, x)| !(*x > 0.0 && x.is_finite()));
        let bad = bad.or_else(|| not_negative.iter().find(|(_, x)| !(*x >= 0.0 && x.is_finite())));
        let given = [("breaking load", self.breaking_load), ("bend radius", self.bend_radius)];
        let bad_limit = given.iter().find_map(|(what, x)| {
            let x = (*x)?;
            (!(x > 0.0 && x.is_finite())).then_some((*what, x))
        });
        if let Some((what, value)) = bad.copied().or(bad_limit) {
            return Err(CableError::BadNumber { what, value });
        }
        if self.curvature != [0.0; 2] && !(self.bending > 0.0 && self.torsion > 0.0) {
            return Err(CableError::CurvatureNeedsTorsion);
        }
        if self.torsion > 0.0 && self.inertia == 0.0 {
            return Err(CableError::BadNumber { what: "inertia about its axis", value: self.inertia });
        }
        Ok(())
    }
}

/// The piece of a table at a strain, and its slope [N].
fn piece(points: &[(f64, f64)], strain: f64) -> (usize, f64) {
    let at = points.partition_point(|(e, _)| *e <= strain).saturating_sub(1).min(points.len() - 2);
    (at, (points[at + 1].1 - points[at].1) / (points[at + 1].0 - points[at].0))
}

/// Energy per length from no strain to a strain [J/m], of a table whose tensions T are replaced by the derivative of `energy` by T.
fn integral(points: &[(f64, f64)], strain: f64, energy: &dyn Fn(f64) -> f64) -> f64 {
    // From the first point to a strain, piece by piece.
    let from_first = |strain: f64| {
        let (last, slope) = piece(points, strain);
        let whole: f64 = points[..=last]
            .windows(2)
            .map(|p| (energy(p[1].1) - energy(p[0].1)) * (p[1].0 - p[0].0) / (p[1].1 - p[0].1))
            .sum();
        let (e, t) = points[last];
        whole + (energy(t + slope * (strain - e)) - energy(t)) / slope
    };
    from_first(strain) - from_first(0.0)
}

/// max(f, 0) without its kink, and the slope: f·x(2 − x) with x = f/T₁ where f is between 0 and T₁ (`rounding`), and max(f, 0) elsewhere. So what is
/// slack has no tension at all, and what is taut has that of its law. The slope is continuous, and at most 4/3.
#[inline]
pub(super) fn round(f: f64, rounding: f64) -> (f64, f64) {
    if f <= 0.0 {
        (0.0, 0.0)
    } else if f >= rounding {
        (f, 1.0)
    } else {
        let x = f / rounding;
        (f * x * (2.0 - x), x * (4.0 - 3.0 * x))
    }
}

/// Integral of [`round`] from 0 to f.
#[inline]
fn round_energy(f: f64, rounding: f64) -> f64 {
    if f <= 0.0 {
        0.0
    } else if f >= rounding {
        0.5 * f * f - rounding * rounding / 12.0
    } else {
        let x = f / rounding;
        f * f * x * (2.0 / 3.0 - 0.25 * x)
    }
}

/// Mean of [`round`] from a to b, without loss of digits where they are near to each other.
fn mean_round(a: f64, b: f64, rounding: f64) -> f64 {
    let (a, b) = if a < b { (a, b) } else { (b, a) };
    if b <= 0.0 {
        return 0.0;
    }
    if a >= rounding {
        return 0.5 * (a + b);
    }
    let (low, high) = (a.max(0.0), b.min(rounding));
    // ∫ (2f²/T₁ − f³/T₁²) df between two values, divided by their difference.
    let (x, y) = (low / rounding, high / rounding);
    let mut mean = rounding * (2.0 / 3.0 * (x * x + x * y + y * y) - 0.25 * (x + y) * (x * x + y * y));
    if a < 0.0 || b > rounding {
        mean *= (high - low) / (b - a);
    }
    if b > rounding {
        mean += 0.5 * (rounding + b) * ((b - rounding) / (b - a));
    }
    mean
}

/// Something at one place of a cable: a clump, a float, a hook.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Lump {
    /// Mass [kg].
    pub mass: f64,
    /// Displaced volume [m³].
    pub volume: f64,
    /// Drag coefficient times area [m²].
    pub drag_area: f64,
    /// Added mass [kg], the same in all directions, when fully wet.
    pub added_mass: f64,
}

/// A point of a body, or of the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// The body; `None` for the world.
    pub body: Option<crate::BodyId>,
    /// The point, in the body's frame [m].
    pub at: Vec3,
}
