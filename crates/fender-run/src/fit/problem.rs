//! The least-squares problem: residuals by a run, their derivatives by a run for each parameter.
//!
//! Bounds come in by a smooth change of variables: a parameter's place between its bounds, 0 to 1, is (1 + sin u)/2 with
//! u free (James and Roos 1975). Derivatives are taken by the place, which stays inside, and the chain rule does the rest: at a bound only the
//! step vanishes, not what is known about the parameter.

use super::data::Data;
use super::parameter::Parameter;
use super::trial::{self, Failed};
use super::{FitOptions, FitProgress};
use crate::error::RunError;
use crate::scenario::Override;
use crate::sweep::Load;
use crate::workers;
use fender_math::float;
use levenberg_marquardt::LeastSquaresProblem;
use nalgebra::{DMatrix, DVector, Dyn, U1, VecStorage};
use std::cell::RefCell;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Change of a place for a derivative: large against the noise of error control, small against what bends.
const STEP: f64 = 5e-4;
/// A start at a bound moves in by this: there, no step would change it.
const INSIDE: f64 = 1e-2;
/// Residual of a run that failed: worse than any, and finite, so that the next trial is nearer.
const FAILED: f64 = 1e30;

/// What is run, and against what.
pub(super) struct Runs<'a> {
    pub(super) parameters: &'a [Parameter],
    pub(super) data: &'a Data,
    pub(super) load: &'a Load<'a>,
    pub(super) options: &'a FitOptions,
    pub(super) progress: &'a (dyn Fn(FitProgress) + Sync),
    pub(super) done: AtomicUsize,
}

impl Runs<'_> {
    pub(super) fn settings(&self, places: &[f64]) -> Vec<Override> {
        self.parameters.iter().zip(places).map(|(p, place)| p.setting(p.value(*place))).collect()
    }

    /// Weighted differences between a run and the data.
    pub(super) fn residuals(&self, places: &[f64]) -> Result<Result<DVector<f64>, Failed>, RunError> {
        let loaded = (self.load)(&self.settings(places));
        let run = trial::load_and_run(loaded, self.data, &self.options.interrupt)?;
        self.done.fetch_add(1, Ordering::Relaxed);
        Ok(run.map(|values| {
            let measured = self.data.signals.iter().flat_map(|s| s.values.iter().map(|v| (*v, s.scale)));
            DVector::from_iterator(
                values.len(),
                values.iter().zip(measured).map(|(x, (v, scale))| (x - v) / scale),
            )
        }))
    }

    /// Derivatives of the residuals by the places, by forward differences; backward where forward leaves the bounds or
    /// fails. The runs go on at once, each on one thread.
    pub(super) fn jacobian(
        &self,
        places: &[f64],
        at: &DVector<f64>,
        iteration: usize,
    ) -> Result<Result<DMatrix<f64>, Failed>, RunError> {
        let cost = at.norm();
        let columns = workers::each(places.len(), |i| {
            let mut failed = Failed::Bad(String::new());
            let steps = if places[i] + STEP <= 1.0 { [STEP, -STEP] } else { [-STEP, STEP] };
            for step in steps.into_iter().filter(|step| (0.0..=1.0).contains(&(places[i] + step))) {
                let mut moved = places.to_vec();
                moved[i] += step;
                let run = self.residuals(&moved)?;
                self.tell(iteration, cost);
                match run {
                    Ok(residuals) => return Ok(Ok((residuals - at) / step)),
                    Err(Failed::Interrupted(signal)) => return Ok(Err(Failed::Interrupted(signal))),
                    Err(bad) => failed = bad,
                }
            }
            Ok(Err(failed))
        })?;
        let columns: Result<Vec<DVector<f64>>, Failed> = columns.into_iter().collect();
        Ok(columns.map(|columns| DMatrix::from_columns(&columns)))
    }

    fn tell(&self, iteration: usize, norm: f64) {
        let values = (self.data.times.len() * self.data.signals.len()) as f64;
        (self.progress)(FitProgress {
            iteration,
            most: self.options.iterations,
            runs: self.done.load(Ordering::Relaxed),
            misfit: norm / values.sqrt(),
        });
    }
}

/// Why the search stopped, if not by itself.
#[derive(Debug)]
pub(super) enum Stopped {
    /// As many iterations as were allowed.
    Iterations,
    /// By a signal.
    Interrupted(i32),
    /// No derivatives could be had, in words.
    Bad(String),
    /// Something else failed.
    Error(RunError),
}

/// Where the search is.
pub(super) struct Search {
    /// The last trial and its residuals.
    last: Option<(DVector<f64>, DVector<f64>)>,
    /// The best places so far, with their residuals.
    pub(super) best: Option<(Vec<f64>, DVector<f64>)>,
    pub(super) iterations: usize,
    pub(super) failed_trials: usize,
    pub(super) stopped: Option<Stopped>,
}

/// The problem as the solver sees it.
pub(super) struct Problem<'a> {
    runs: &'a Runs<'a>,
    /// u at the start.
    origin: Vec<f64>,
    /// Where the solver starts: of length 1, so that its first step is bounded by a part of the range and not by where
    /// between the bounds the start is.
    offset: f64,
    x: DVector<f64>,
    search: RefCell<Search>,
}

impl<'a> Problem<'a> {
    pub(super) fn new(runs: &'a Runs<'a>, start: &[f64]) -> Self {
        let offset = 1.0 / (start.len() as f64).sqrt();
        Self {
            runs,
            origin: start.iter().map(|w| float::asin(2.0 * w - 1.0)).collect(),
            offset,
            x: DVector::from_element(start.len(), offset),
            search: RefCell::new(Search {
                last: None,
                best: None,
                iterations: 0,
                failed_trials: 0,
                stopped: None,
            }),
        }
    }

    /// Places where a search can start from.
    pub(super) fn inside(places: &[f64]) -> Vec<f64> {
        places.iter().map(|w| w.clamp(INSIDE, 1.0 - INSIDE)).collect()
    }

    pub(super) fn into_search(self) -> Search {
        self.search.into_inner()
    }

    fn angles(&self) -> impl Iterator<Item = f64> {
        self.origin.iter().zip(self.x.iter()).map(|(u, x)| u + x - self.offset)
    }

    fn places(&self) -> Vec<f64> {
        self.angles().map(|u| (0.5 * (1.0 + float::sin_cos(u).0)).clamp(0.0, 1.0)).collect()
    }

    /// Residuals where the solver is; `None` if the search must stop.
    fn evaluate(&self) -> Option<DVector<f64>> {
        let mut search = self.search.borrow_mut();
        if let Some((x, residuals)) = &search.last
            && *x == self.x
        {
            return Some(residuals.clone());
        }
        let places = self.places();
        let residuals = match self.runs.residuals(&places) {
            Ok(Ok(residuals)) => residuals,
            Ok(Err(Failed::Bad(_))) => {
                search.failed_trials += 1;
                let values = self.runs.data.times.len() * self.runs.data.signals.len();
                return Some(DVector::from_element(values, FAILED));
            }
            Ok(Err(Failed::Interrupted(signal))) => {
                search.stopped = Some(Stopped::Interrupted(signal));
                return None;
            }
            Err(error) => {
                search.stopped = Some(Stopped::Error(error));
                return None;
            }
        };
        if search.best.as_ref().is_none_or(|(_, best)| residuals.norm() < best.norm()) {
            search.best = Some((places, residuals.clone()));
        }
        let norm = search.best.as_ref().map_or(f64::NAN, |(_, best)| best.norm());
        self.runs.tell(search.iterations, norm);
        search.last = Some((self.x.clone(), residuals.clone()));
        Some(residuals)
    }
}

impl LeastSquaresProblem<f64, Dyn, Dyn> for Problem<'_> {
    type ResidualStorage = VecStorage<f64, Dyn, U1>;
    type JacobianStorage = VecStorage<f64, Dyn, Dyn>;
    type ParameterStorage = VecStorage<f64, Dyn, U1>;

    fn set_params(&mut self, x: &DVector<f64>) {
        self.x.copy_from(x);
    }

    fn params(&self) -> DVector<f64> {
        self.x.clone()
    }

    fn residuals(&self) -> Option<DVector<f64>> {
        self.evaluate()
    }

    fn jacobian(&self) -> Option<DMatrix<f64>> {
        let at = self.evaluate()?;
        let mut search = self.search.borrow_mut();
        if search.iterations >= self.runs.options.iterations {
            search.stopped = Some(Stopped::Iterations);
            return None;
        }
        search.iterations += 1;
        match self.runs.jacobian(&self.places(), &at, search.iterations) {
            Ok(Ok(mut jacobian)) => {
                for (mut column, u) in jacobian.column_iter_mut().zip(self.angles()) {
                    column *= 0.5 * float::sin_cos(u).1;
                }
                Some(jacobian)
            }
            Ok(Err(Failed::Bad(why))) => {
                search.stopped = Some(Stopped::Bad(why));
                None
            }
            Ok(Err(Failed::Interrupted(signal))) => {
                search.stopped = Some(Stopped::Interrupted(signal));
                None
            }
            Err(error) => {
                search.stopped = Some(Stopped::Error(error));
                None
            }
        }
    }
}
