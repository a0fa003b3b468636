//! Newton's iteration of the generalized-α methods, for whatever they move: everything, or one cable at its own rate.
//!
//! (1 − α_m) ā₁ + α_m ā₀ = (1 − α_f) a₁ + α_f a₀ ties the algorithmic acceleration ā to the true one a; positions and velocities at the end follow
//! from ā. The unknown is a₁, which must be what the equations of motion say of the end. Each step is halved until it comes nearer to that
//! (line search): lines that go slack and contacts that open, close, stick and slip would let it run in circles otherwise.

use super::generalized_alpha::Coefficients;
use crate::Effort;
use crate::tangent::Weights;

/// A velocity's change at which the iteration ends [m/s or rad/s], and relative to the largest velocity.
const CLOSE: f64 = 1e-10;
/// A change below which rounding may keep it from falling further, as in singular positions of loops: then it ends too.
const ROUNDING: f64 = 1e-7;
/// How often a Newton step is halved at most, and by which part of itself it must lower the merit (Armijo).
pub(super) const SHORTENED: u32 = 9;
pub(super) const ENOUGH: f64 = 1e-4;
/// How many searches in a row may fail before whole steps are taken.
const FRUITLESS: u32 = 1;

/// What a step moves.
pub(crate) trait Equations {
    /// Goes to velocities `v`, by a displacement `by` from the start of the step, and finds the accelerations there.
    fn go(&mut self, v: &[f64], by: &[f64]);

    /// Accelerations that the equations of motion give there.
    fn accelerations(&self) -> &[f64];

    /// Writes S = m·M + c·C + k·K there; `false` if it cannot be solved.
    fn factor(&mut self, weights: Weights) -> bool;

    /// Whether S costs little and is all of the derivative: then it is written anew as long as that helps, and steps shrink ever faster. Multipliers
    /// of loops follow from step to step, and do not.
    fn quick(&self) -> bool;

    /// x ← M x, with the mass matrix of the last S.
    fn times_mass(&mut self, x: &mut [f64]);

    /// x ← S⁻¹ x.
    fn solve(&mut self, x: &mut [f64]);

    /// Remembers what an evaluation changes (multipliers of loops), so that the next one can be taken back.
    fn keep(&mut self) {}

    /// Takes the evaluations since then back.
    fn take_back(&mut self) {}

    /// Whether loops are closed there.
    fn closed(&self) -> bool {
        true
    }
}

/// Accelerations at both ends of a step, true and algorithmic, and what is at its end.
#[derive(Debug, Default)]
pub(crate) struct AlphaScratch {
    pub(crate) true_start: Vec<f64>,
    pub(crate) true_end: Vec<f64>,
    pub(crate) start: Vec<f64>,
    pub(crate) end: Vec<f64>,
    v: Vec<f64>,
    by: Vec<f64>,
    /// The Newton step, and the one that the same S gives after it.
    change: Vec<f64>,
    next: Vec<f64>,
    /// What the accelerations lack, and the forces that they would need.
    left: Vec<f64>,
    force: Vec<f64>,
    /// Searches in a row in which nothing lowered the merit.
    fruitless: u32,
    /// What it took.
    pub(crate) effort: Effort,
}

/// How long the iteration goes on, and what is good enough then.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patience {
    /// Newton steps at most.
    pub(crate) iterations: u32,
    /// A velocity's change that is accepted after them [m/s or rad/s], and relative to the largest velocity.
    pub(crate) accepted: f64,
}

/// An iteration that did not come to its end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unsolved {
    /// Largest change of a velocity in the last Newton step [m/s or rad/s].
    pub(crate) change: f64,
    /// Which velocity.
    pub(crate) place: usize,
}

/// Finds the end of a step of `h` [s] that starts with velocities `v`. What does not take part (`moves`, if it is not empty) stays.
pub(crate) fn newton(
    coefficients: &Coefficients,
    h: f64,
    patience: Patience,
    (v, moves): (&[f64], &[bool]),
    work: &mut AlphaScratch,
    equations: &mut impl Equations,
) -> Result<(), Unsolved> {
    let step = AlphaStep { coefficients, h, v, moves };
    let weights = coefficients.weights(h);
    let quick = equations.quick();
    work.resize(v.len());
    work.fruitless = 0;
    let (mut before, mut fresh) = (f64::INFINITY, false);
    work.go(&step, equations);
    for _ in 0..patience.iterations {
        work.effort.iterations += 1;
        if !fresh {
            work.effort.factorisations += 1;
            if !equations.factor(weights) {
                return Err(Unsolved { change: f64::NAN, place: work.largest_change(weights).place });
            }
        }
        let merit = work.find_change(equations);
        let Unsolved { change: size, place } = work.largest_change(weights);
        if size.is_nan() {
            return Err(Unsolved { change: size, place });
        }
        let fastest = work.fastest(&step);
        // What the next step would still change.
        let next = if quick && before.is_finite() { size * (size / before).min(1.0) } else { size };
        let rounding = size <= ROUNDING * (1.0 + fastest);
        if equations.closed() && (next <= CLOSE * (1.0 + fastest) || rounding && size > 0.5 * before) {
            work.move_end(1.0);
            work.update_end(&step);
            return Ok(());
        }
        // Below what rounding leaves there is nothing to search for.
        let part = if rounding {
            work.go_along(&step, 1.0, equations)
        } else {
            work.search(&step, merit, equations)
        };
        // A shorter step says nothing of how fast the iteration comes to its end.
        fresh = part == 1.0 && size < if quick { 0.03 } else { 0.3 } * before;
        before = if part == 1.0 { size } else { f64::INFINITY };
    }
    let left = work.largest_change(weights);
    if left.change <= patience.accepted * (1.0 + work.fastest(&step))
        && work.left.iter().all(|x| x.is_finite())
    {
        work.effort.unconverged += 1;
        return Ok(());
    }
    Err(left)
}

/// The step that is solved.
struct AlphaStep<'a> {
    coefficients: &'a Coefficients,
    h: f64,
    v: &'a [f64],
    moves: &'a [bool],
}

/// Energy norm of what is left, squared: r·S⁻¹r with r = M(a − a_trial), twice the work that the residual forces do on the step that they ask for.
/// A norm of the forces would let the stiff direction along a cable decide, where a step across it makes forces of second order.
#[derive(Clone, Copy, Debug)]
enum Merit {
    Energy(f64),
    /// Where friction makes S so unsymmetric that this is not positive: r·M⁻¹r.
    Inertia(f64),
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

impl AlphaScratch {
    fn resize(&mut self, n: usize) {
        let Self { end, v, change, by, left, force, next, .. } = self;
        for list in [end, v, change, by, left, force, next] {
            list.resize(n, 0.0);
        }
    }

    /// The largest change of a velocity by the Newton step, and which; a NaN wins.
    fn largest_change(&self, weights: Weights) -> Unsolved {
        let mut largest = Unsolved { change: 0.0, place: 0 };
        for (place, change) in self.change.iter().enumerate() {
            let change = (weights.damping * change).abs();
            if change > largest.change || change.is_nan() {
                largest = Unsolved { change, place };
            }
        }
        largest
    }

    /// The largest velocity of what takes part.
    fn fastest(&self, step: &AlphaStep<'_>) -> f64 {
        let moves = |i: usize| step.moves.is_empty() || step.moves[i];
        self.v.iter().enumerate().filter(|(i, _)| moves(*i)).fold(0.0, |a, (_, v)| a.max(v.abs()))
    }

    /// The Newton step from here, and the merit of being here.
    fn find_change(&mut self, equations: &mut impl Equations) -> Merit {
        self.force.copy_from_slice(&self.left);
        equations.times_mass(&mut self.force);
        self.change.copy_from_slice(&self.force);
        equations.solve(&mut self.change);
        let energy = dot(&self.change, &self.force);
        if energy > 0.0 { Merit::Energy(energy) } else { Merit::Inertia(dot(&self.left, &self.force)) }
    }

    /// What a merit of the same kind is here, with the same S.
    fn merit_as(&mut self, kind: Merit, equations: &mut impl Equations) -> f64 {
        self.force.copy_from_slice(&self.left);
        equations.times_mass(&mut self.force);
        match kind {
            Merit::Energy(_) => {
                self.next.copy_from_slice(&self.force);
                equations.solve(&mut self.next);
                dot(&self.next, &self.force).abs()
            }
            Merit::Inertia(_) => dot(&self.left, &self.force),
        }
    }

    /// Moves the end along the Newton step by a part of it.
    fn move_end(&mut self, part: f64) {
        for (end, change) in self.true_end.iter_mut().zip(&self.change) {
            *end += part * change;
        }
    }

    /// Positions and velocities that go with the true acceleration at the end.
    fn update_end(&mut self, &AlphaStep { coefficients, h, v, moves }: &AlphaStep<'_>) {
        let Coefficients { mass, force, gamma, beta } = *coefficients;
        let Self { true_start, true_end, start, end, v: trial, by, .. } = self;
        for i in 0..v.len() {
            let lagging = (1.0 - force) * true_end[i] + force * true_start[i];
            end[i] = (lagging - mass * start[i]) / (1.0 - mass);
            trial[i] = v[i] + h * ((1.0 - gamma) * start[i] + gamma * end[i]);
            by[i] = h * v[i] + h * h * ((0.5 - beta) * start[i] + beta * end[i]);
        }
        for i in (0..moves.len()).filter(|i| !moves[*i]) {
            (end[i], trial[i], by[i]) = (start[i], v[i], 0.0);
        }
    }

    /// Goes there, and finds by how much the accelerations are not those of the equations of motion.
    fn go(&mut self, step: &AlphaStep<'_>, equations: &mut impl Equations) {
        self.update_end(step);
        equations.go(&self.v, &self.by);
        self.effort.evaluations += 1;
        let there = equations.accelerations();
        for ((left, there), here) in self.left.iter_mut().zip(there).zip(&self.true_end) {
            *left = there - here;
        }
        for (left, _) in self.left.iter_mut().zip(step.moves).filter(|(_, moves)| !**moves) {
            *left = 0.0;
        }
    }

    /// Goes along the Newton step by a part of it.
    fn go_along(&mut self, step: &AlphaStep<'_>, part: f64, equations: &mut impl Equations) -> f64 {
        equations.keep();
        self.move_end(part);
        self.go(step, equations);
        part
    }

    /// Halves the Newton step until the merit falls; which part of it was taken. If none makes it fall, the best one.
    fn search(&mut self, step: &AlphaStep<'_>, merit: Merit, equations: &mut impl Equations) -> f64 {
        let (Merit::Energy(start) | Merit::Inertia(start)) = merit;
        let (mut part, mut best) = (1.0, (f64::INFINITY, 0.0));
        self.go_along(step, part, equations);
        for _ in 0..SHORTENED {
            let here = self.merit_as(merit, equations);
            if here <= (1.0 - ENOUGH * part) * start {
                self.fruitless = 0;
                return part;
            }
            if here < best.0 {
                best = (here, part);
            }
            equations.take_back();
            self.move_end(-0.5 * part);
            part *= 0.5;
            self.go(step, equations);
        }
        // If nothing lowers it again and again, what S leaves out of the forces' changes has the say: short steps would not get on, whole ones do.
        self.fruitless = if best.0 < start { 0 } else { self.fruitless + 1 };
        let length = if self.fruitless > FRUITLESS { 1.0 } else { best.1.max(part) };
        equations.take_back();
        self.move_end(length - part);
        self.go(step, equations);
        length
    }
}
