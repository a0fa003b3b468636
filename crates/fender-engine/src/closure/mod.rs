//! Closures: equations between bodies that the joints of a tree cannot express, because they close a loop.
//!
//! A closure is one or more *rows*, equations φ(q, t) = 0. It says how far a row is from zero, on which bodies it acts
//! with which unit wrench (the row of the Jacobian, body by body), and which part of φ̈ goes with velocities. The system
//! (`system.rs`) makes forces of that: M·a + Jᵀλ = f with J·a + (bias) = 0.
//!
//! One kind of closure, one file; the contract test in `tests/all/closures.rs` holds all of them to finite differences.

mod assemble;
mod coupling;
mod frame;
mod line;
mod plan;
mod system;

pub(crate) use assemble::assemble;
pub use assemble::{Assembly, LoopRank};
pub use coupling::{Coupling, Term};
pub use frame::{Frame, Turning};
pub use line::{Anchor, Line};
pub(crate) use plan::LoopPlan;
pub(crate) use system::{ClosureData, displace_all, forces, on_carriers, project, project_island, reaction};

use crate::BodyId;
use crate::data::BodyKinematics;
use crate::tangent::TangentSink;
use fender_math::{Pose, Profile, Vec3, Wrench};
use serde::{Deserialize, Serialize};
use std::fmt::Debug;

/// What a closure sees of an instant.
#[derive(Clone, Copy, Debug)]
pub struct Instant<'a> {
    /// Time [s].
    pub time: f64,
    /// Coordinates.
    pub q: &'a [f64],
    /// Motion of each body.
    pub bodies: &'a [BodyKinematics],
    /// The loop's own state.
    pub state: &'a LoopState,
}

impl Instant<'_> {
    /// Motion of a body, or of the world.
    pub fn body(&self, body: Option<BodyId>) -> BodyKinematics {
        body.map_or_else(BodyKinematics::default, |id| self.bodies[id.index()])
    }
}

/// What a loop remembers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LoopState {
    /// Whether it holds now.
    pub active: bool,
    /// For a weld made during the run: the second body's frame in the first's when it was made.
    pub pose: Option<Pose>,
    /// For a loop of another kind made during the run: what its equation gave when it was made [m or rad].
    pub offset: f64,
}

impl LoopState {
    /// A loop that holds as it was drawn.
    pub const HOLDS: Self = Self { active: true, pose: None, offset: 0.0 };
}

/// One equation, for one instant.
#[derive(Clone, Copy, Debug, Default)]
pub struct Row {
    /// φ, in metres or radians.
    pub value: f64,
    /// ∂φ/∂t at fixed bodies [m/s or rad/s].
    pub drift: f64,
    /// φ̈ while the centres of the bodies are not accelerated and coordinates' rates stay [m/s² or rad/s²].
    pub bias: f64,
    arms: (u32, u32),
    terms: (u32, u32),
}

/// The rows of all closures, for one instant.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    list: Vec<Row>,
    /// Unit wrench about a body's centre: which of the closure's bodies, and the wrench.
    arms: Vec<(u32, Wrench)>,
    /// Which of the closure's coordinates, and its coefficient.
    terms: Vec<(u32, f64)>,
}

impl Rows {
    /// Begins a row; what follows belongs to it.
    pub fn row(&mut self, value: f64, drift: f64, bias: f64) {
        let (arms, terms) = (self.arms.len() as u32, self.terms.len() as u32);
        self.list.push(Row { value, drift, bias, arms: (arms, arms), terms: (terms, terms) });
    }

    /// The row feels the motion of the closure's body `which`, as the wrench's power (about the body's centre).
    pub fn arm(&mut self, which: usize, wrench: Wrench) {
        self.arms.push((which as u32, wrench));
        if let Some(row) = self.list.last_mut() {
            row.arms.1 = self.arms.len() as u32;
        }
    }

    /// The row feels the rate of the closure's coordinate `which`.
    pub fn term(&mut self, which: usize, coefficient: f64) {
        self.terms.push((which as u32, coefficient));
        if let Some(row) = self.list.last_mut() {
            row.terms.1 = self.terms.len() as u32;
        }
    }

    /// Forgets all rows.
    pub fn clear(&mut self) {
        self.list.clear();
        self.arms.clear();
        self.terms.clear();
    }

    /// All rows.
    pub fn all(&self) -> &[Row] {
        &self.list
    }

    /// Bodies that a row acts on, with unit wrenches.
    pub fn arms(&self, row: &Row) -> &[(u32, Wrench)] {
        &self.arms[row.arms.0 as usize..row.arms.1 as usize]
    }

    /// Coordinates that a row acts on, with coefficients.
    pub fn terms(&self, row: &Row) -> &[(u32, f64)] {
        &self.terms[row.terms.0 as usize..row.terms.1 as usize]
    }
}

/// Equations that close a loop.
pub trait Closure: Debug + Send + Sync {
    /// Name as written in scenario files.
    fn name(&self) -> &'static str;

    /// Number of equations.
    fn count(&self) -> usize;

    /// Bodies it looks at; `None` is the world.
    fn bodies(&self) -> Vec<Option<BodyId>> {
        Vec::new()
    }

    /// Points of the bodies that it holds to each other, in order, for people to see; those of a line are what it runs through.
    fn anchors(&self) -> Vec<Anchor> {
        Vec::new()
    }

    /// Axis that it leaves free to turn about, in the frame of its first point's body.
    fn axis(&self) -> Option<Vec3> {
        None
    }

    /// Joints' coordinates it looks at: where they are in `State::v`.
    fn coordinates(&self) -> Vec<usize> {
        Vec::new()
    }

    /// Writes its rows for an instant.
    fn rows(&self, at: &Instant<'_>, out: &mut Rows);

    /// How its forces change with positions, for given multipliers of its rows (none if it does not hold).
    fn tangent(&self, _at: &Instant<'_>, _multipliers: &[f64], _sink: &mut TangentSink<'_>) {}

    /// What to remember when it is made during the run, so that it holds everything where it is then. `at` is in a state
    /// without memory.
    fn hold(&self, at: &Instant<'_>) -> LoopState;

    /// Two bodies it joins like a joint: they pass through each other while it holds.
    fn joins(&self) -> Option<(BodyId, BodyId)> {
        None
    }

    /// Whether it prescribes a motion, and so does work.
    fn drives(&self) -> bool {
        false
    }

    /// Times at which what it prescribes starts or stops [s].
    fn time_events(&self) -> Vec<f64> {
        Vec::new()
    }

    /// What its only multiplier means to people: a tension, or the force on its first coordinate [N or N·m]; NaN where
    /// there are several.
    fn effort(&self, multiplier: f64) -> f64 {
        if self.count() == 1 { multiplier } else { f64::NAN }
    }

    /// Where its force acts, in the world [m]: the point on the closure's last body, if it has bodies.
    fn point(&self, _at: &Instant<'_>) -> Option<Vec3> {
        None
    }
}

/// How loops are closed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LoopSettings {
    /// By which formulation.
    pub method: LoopMethod,
    /// Penalty factor; see `scale` for its unit.
    pub penalty: f64,
    /// What the penalty factor is multiplied with.
    pub scale: PenaltyScale,
}

/// A formulation of closed loops.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LoopMethod {
    /// Augmented Lagrangian: the penalty only helps to find multipliers that close the loops exactly; positions and
    /// velocities are projected after each step.
    Augmented,
    /// Penalty alone: every row is a mass with a spring and a damper, φ̈ + 2ξω φ̇ + ω² φ = λ/α.
    Penalty {
        /// ω [rad/s].
        frequency: f64,
        /// ξ.
        damping: f64,
    },
}

/// What the penalty factor is multiplied with, row by row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PenaltyScale {
    /// The mass that the bodies of the row have against it alone: the factor has no unit.
    Mass,
    /// Nothing: the factor is in kilograms (or kg·m²).
    Uniform,
}

impl Default for LoopSettings {
    fn default() -> Self {
        Self { method: LoopMethod::Augmented, penalty: 1e7, scale: PenaltyScale::Mass }
    }
}

/// One of each, between two bodies, for the contract test.
pub fn samples(a: BodyId, b: BodyId) -> Vec<Box<dyn Closure>> {
    let pose = |x: f64| Pose {
        rotation: fender_math::rotation::from_rotation_vector(Vec3::new(0.3, -0.5, 0.8) * x),
        translation: Vec3::new(0.2, 0.5, -0.3) * x,
    };
    let frame = |slides: [bool; 3], turning: Turning| {
        let (frame_a, frame_b) = (pose(1.0), pose(-0.7));
        Box::new(Frame { a: Some(a), b: Some(b), frame_a, frame_b, locked: slides, turning, kind: "point" })
    };
    let anchor = |body, x: f64| Anchor { body, point: Vec3::new(0.4, -0.2, 0.6) * x };
    vec![
        frame([true; 3], Turning::Free),
        frame([true, true, false], Turning::About),
        frame([true; 3], Turning::About),
        frame([true; 3], Turning::Locked),
        Box::new(Line {
            anchors: vec![anchor(Some(a), 1.0), anchor(Some(b), -0.5)],
            length: Profile::Constant(0.7),
        }),
        Box::new(Line {
            anchors: vec![anchor(Some(a), 1.0), anchor(None, 2.0), anchor(Some(b), -0.5)],
            length: Profile::Constant(1.7),
        }),
    ]
}
