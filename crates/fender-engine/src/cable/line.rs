//! What a cable is made of.

use super::CableError;
use fender_math::Vec3;

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
        let last = points.len() - 2;
        let at = points.partition_point(|(e, _)| *e <= strain).saturating_sub(1).min(last);
        let slope = |i: usize| (points[i + 1].1 - points[i].1) / (points[i + 1].0 - points[i].0);
        // The energy from strain 0, whose tension is 0, piece by piece.
        let energy_to = |strain: f64, piece: usize| -> f64 {
            let mut sum = 0.0;
            for (i, pair) in points.windows(2).enumerate().take(piece) {
                let _ = i;
                sum += 0.5 * (pair[0].1 + pair[1].1) * (pair[1].0 - pair[0].0);
            }
            let d = strain - points[piece].0;
            sum + points[piece].1 * d + 0.5 * slope(piece) * d * d
        };
        let zero = points.partition_point(|(e, _)| *e <= 0.0).saturating_sub(1).min(last);
        Pull {
            tension: points[at].1 + slope(at) * (strain - points[at].0),
            stiffness: slope(at),
            stored: energy_to(strain, at) - energy_to(0.0, zero),
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

    /// Tension at a strain, without damping: none where it is slack.
    #[inline]
    pub fn pull(&self, strain: f64) -> Pull {
        if self.slack && strain <= 0.0 { Pull::default() } else { self.axial.pull(strain) }
    }

    /// Mean tension between two strains [N], so that it times their difference is the change of energy, and how it changes with the
    /// second.
    pub(crate) fn mean_pull(&self, first: f64, last: f64) -> (f64, f64) {
        let taut = !self.slack || (first > 0.0 && last > 0.0);
        if let (Axial::Linear { stiffness }, true) = (&self.axial, taut) {
            // No difference of energies, which would lose digits.
            return (0.5 * stiffness * (first + last), 0.5 * stiffness);
        }
        let (a, b) = (self.pull(first), self.pull(last));
        let change = last - first;
        if change.abs() < 1e-9 {
            let middle = self.pull(0.5 * (first + last));
            return (middle.tension, 0.5 * middle.stiffness);
        }
        let mean = (b.stored - a.stored) / change;
        (mean, (b.tension - mean) / change)
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
