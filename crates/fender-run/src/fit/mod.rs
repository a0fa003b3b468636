//! Fits: parameters of a scenario adjusted until its signals are as near as they can be to measured ones.
//!
//! The sum of the squares of weighted differences is made small by Levenberg and Marquardt's method (a port of MINPACK's, the crate
//! `levenberg-marquardt`), between bounds (`problem.rs`), with derivatives by differences (one run per parameter). What the data say about the
//! parameters then, and what they do not, is in `statistics.rs` and `judge.rs`.

mod data;
mod judge;
mod output;
mod parameter;
mod problem;
mod remainder;
mod statistics;
mod trial;

pub use data::{Data, Measured, Sigma};
pub use output::{figure, write};
pub use parameter::{Adjust, Parameter, Start, resolve};
pub use statistics::{Statistics, student_t95};

use crate::error::RunError;
use crate::scenario::Override;
use crate::sweep::Load;
use levenberg_marquardt::{LevenbergMarquardt, TerminationReason};
use nalgebra::DVector;
use problem::{Problem, Runs, Stopped};
use serde::Serialize;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, AtomicUsize, Ordering};
use trial::Failed;

/// Decrease of the sum of squares, relative to it, that is not worth another iteration: with a thousand values, parameters are
/// then within a hundredth of their standard deviation.
const LEAST_DECREASE: f64 = 1e-8;
/// Step, in parts of the ranges, that is not worth another iteration.
const LEAST_STEP: f64 = 1e-7;
/// Bound of the first step, in the variables of `problem.rs`, where a range is π.
const FIRST_STEP: f64 = 0.5;

/// How to fit.
#[derive(Clone, Debug)]
pub struct FitOptions {
    /// Most iterations.
    pub iterations: usize,
    /// Set to a signal's number, it stops the fit, which keeps the best so far.
    pub interrupt: Arc<AtomicI32>,
}

/// How far a fit is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FitProgress {
    /// Iterations so far.
    pub iteration: usize,
    /// Most iterations.
    pub most: usize,
    /// Runs so far.
    pub runs: usize,
    /// Root mean square of the weighted differences.
    pub misfit: f64,
}

/// How a fit ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FitEnd {
    /// Nothing nearby is better.
    Converged,
    /// It used up its iterations.
    Iterations,
    /// A signal stopped it.
    Interrupted(i32),
    /// It could not go on, in words.
    Stuck(String),
}

/// A bound that a parameter came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    /// The lower one.
    Lower,
    /// The upper one.
    Upper,
}

/// A parameter that was adjusted. All in SI.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fitted {
    /// Path of the key, or name of a parameter.
    pub key: String,
    /// Unit; empty if it has none or none is known.
    pub unit: String,
    /// Lower bound.
    pub lower: f64,
    /// Upper bound.
    pub upper: f64,
    /// Value it started from.
    pub start: f64,
    /// Best value.
    pub value: f64,
    /// Half of the 95 % confidence interval, which is symmetric: value ± half width. `None` if the data do not determine it, or
    /// if it is held by a bound.
    pub half_width: Option<f64>,
    /// The bound it came to.
    pub at_bound: Option<Bound>,
}

/// How well a signal is met.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Agreement {
    /// Name.
    pub signal: String,
    /// Unit.
    pub unit: String,
    /// What differences were divided by, in the signal's unit.
    pub scale: f64,
    /// Root mean square of the differences at the start values, in the signal's unit.
    pub rms_start: f64,
    /// Root mean square of the differences at the best values, in the signal's unit.
    pub rms: f64,
}

/// What a fit gives.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fit {
    /// How it ended.
    pub ended: FitEnd,
    /// Iterations.
    pub iterations: usize,
    /// Runs.
    pub runs: usize,
    /// Runs at trial values that failed.
    pub failed_runs: usize,
    /// Measured values, all signals together.
    pub values: usize,
    /// The parameters, in the order they were named.
    pub parameters: Vec<Fitted>,
    /// Correlation of each pair of parameters; `None` if one of them is not determined.
    pub correlation: Vec<Vec<Option<f64>>>,
    /// The signals, in the order of the data.
    pub signals: Vec<Agreement>,
    /// What is to be taken with care.
    pub warnings: Vec<String>,
    /// Values at the start, signal by signal.
    #[serde(skip)]
    pub at_start: Vec<Vec<f64>>,
    /// Values at the best parameters, signal by signal.
    #[serde(skip)]
    pub at_best: Vec<Vec<f64>>,
    /// The overrides that make the fitted scenario.
    #[serde(skip)]
    pub settings: Vec<Override>,
}

/// Adjusts the parameters to the data, which must be settled (see [`Data::settle`]). The answer does not depend on the number of
/// threads.
pub fn fit(
    parameters: &[Parameter],
    data: &Data,
    load: &Load,
    options: &FitOptions,
    progress: &(dyn Fn(FitProgress) + Sync),
) -> Result<Fit, RunError> {
    let runs = Runs { parameters, data, load, options, progress, done: AtomicUsize::new(0) };

    // The start as it was given: whatever is wrong there is an error, and not a bad trial.
    let start: Vec<f64> = parameters.iter().map(|p| p.place(p.start)).collect();
    load(&runs.settings(&start))?;
    let at_start = match runs.residuals(&start)? {
        Ok(residuals) => residuals,
        Err(Failed::Bad(why)) => return Err(RunError::NoStart(why)),
        Err(Failed::Interrupted(signal)) => return Err(RunError::InterruptedFit(signal)),
    };

    // The search.
    let solver = LevenbergMarquardt::new()
        .with_ftol(LEAST_DECREASE)
        .with_xtol(LEAST_STEP)
        .with_gtol(1e-10)
        .with_stepbound(FIRST_STEP)
        .with_scale_diag(false)
        .with_patience(options.iterations.saturating_add(1).saturating_mul(20));
    let (problem, report) = solver.minimize(Problem::new(&runs, &Problem::inside(&start)));
    let mut search = problem.into_search();
    let ended = match (search.stopped.take(), report.termination) {
        (Some(Stopped::Error(error)), _) => return Err(error),
        (Some(Stopped::Interrupted(signal)), _) => FitEnd::Interrupted(signal),
        (Some(Stopped::Iterations), _) | (None, TerminationReason::LostPatience) => FitEnd::Iterations,
        (Some(Stopped::Bad(why)), _) => FitEnd::Stuck(format!("a run beside the best values fails: {why}")),
        (None, TerminationReason::Numerical(what)) => {
            FitEnd::Stuck(format!("numbers overflow in the {what}"))
        }
        (None, TerminationReason::User(what)) => FitEnd::Stuck(format!("there are no {what}")),
        (None, _) => FitEnd::Converged,
    };
    let (places, residuals) = match search.best {
        // A start at a bound was moved inside, perhaps for the worse.
        Some((places, residuals)) if residuals.norm() <= at_start.norm() => (places, residuals),
        _ => (start, at_start.clone()),
    };

    // What it means.
    let jacobian = match &ended {
        FitEnd::Interrupted(_) => None,
        _ => runs.jacobian(&places, &residuals, search.iterations)?.ok(),
    };
    let interrupted = options.interrupt.load(Ordering::Relaxed);
    let ended = if interrupted == 0 { ended } else { FitEnd::Interrupted(interrupted) };
    let judged = judge::judge(parameters, &places, &residuals, jacobian.as_ref(), data.times.len());
    let mut warnings = judged.warnings;
    warnings.extend(remainder::warnings(data, &residuals));
    match &ended {
        FitEnd::Converged => {}
        FitEnd::Iterations => warnings
            .insert(0, format!("stopped after {} iterations: better values may be near", search.iterations)),
        FitEnd::Interrupted(_) => {
            warnings.insert(0, "stopped by a signal: these are the best values so far".into());
        }
        FitEnd::Stuck(why) => warnings.insert(0, format!("the search could not go on: {why}")),
    }
    let values = |residuals: &DVector<f64>| values_of(data, residuals);
    Ok(Fit {
        ended,
        iterations: search.iterations,
        runs: runs.done.load(Ordering::Relaxed),
        failed_runs: search.failed_trials,
        values: residuals.len(),
        settings: runs.settings(&places),
        parameters: judged.parameters,
        correlation: judged.correlation,
        signals: agreement(data, &at_start, &residuals),
        warnings,
        at_start: values(&at_start),
        at_best: values(&residuals),
    })
}

/// Values of the signals from weighted differences.
fn values_of(data: &Data, residuals: &DVector<f64>) -> Vec<Vec<f64>> {
    let rows = data.times.len();
    let signal = |(i, s): (usize, &Measured)| {
        let own = residuals.rows(i * rows, rows);
        own.iter().zip(&s.values).map(|(r, v)| r * s.scale + v).collect()
    };
    data.signals.iter().enumerate().map(signal).collect()
}

fn agreement(data: &Data, start: &DVector<f64>, best: &DVector<f64>) -> Vec<Agreement> {
    let rows = data.times.len();
    let signal = |(i, s): (usize, &Measured)| {
        let rms = |r: &DVector<f64>| r.rows(i * rows, rows).norm() / (rows as f64).sqrt() * s.scale;
        Agreement {
            signal: s.name.clone(),
            unit: s.unit.clone(),
            scale: s.scale,
            rms_start: rms(start),
            rms: rms(best),
        }
    };
    data.signals.iter().enumerate().map(signal).collect()
}
