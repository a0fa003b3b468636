//! How a run went, in figures: `summary.json` and the table at the end of a run.

use crate::cable_summary::CableSummary;
use crate::expect::Outcome;
use crate::plot::rough;
use serde::{Deserialize, Serialize};

/// Relative energy residual above which a run warns, and the report marks its figure.
pub const RESIDUAL_LIMIT: f64 = 0.02;

/// Cables whose figures are in the table at the end of a run; all are in `summary.json`.
const MOST_CABLES: usize = 6;

/// What to say of the energy residual [J] at the end of a run, and of the same relative to the energies turned over or in motion;
/// `None` if it is small. With a fixed step, another method may be the better way out; where meshes touch, the step may not be the cause.
pub fn residual_warning(residual: f64, relative: f64, fixed_step: bool, on_meshes: bool) -> Option<String> {
    let bad = relative.abs() > RESIDUAL_LIMIT;
    bad.then(|| {
        let made = if residual > 0.0 { "made" } else { "lost" };
        let remedy = if fixed_step {
            "take a smaller step, or a method with error control (dormand_prince)"
        } else {
            "take smaller tolerances or a smaller largest step"
        };
        let (who, why) = if on_meshes {
            let why = format!(
                "so its figures are in doubt. Either the step does not resolve the motion ({remedy}), or edges and corners on meshes, which do not \
                 keep energy exactly, are too deep in each other (take stiffer contacts, or `convex` pieces for the mesh). Halve the step to tell which: if \
                 the residual stays, it is the meshes"
            );
            ("run", why)
        } else {
            let why = format!("so the motion is not resolved and its figures are in doubt; {remedy}");
            ("integration", why)
        };
        format!(
            "the energy account does not close: the {who} {made} {} J, {} % of the energies turned over or in motion (limit {} %), {why}",
            rough(residual.abs()),
            rough(100.0 * relative.abs()),
            100.0 * RESIDUAL_LIMIT
        )
    })
}

/// Part of the energy that a cable at its own rate exchanges with its bodies which it may make or lose by that.
const COUPLING_LIMIT: f64 = 0.1;
/// The same of the energies turned over in the scene, below which it does not matter.
const COUPLING_MATTERS: f64 = 1e-3;

/// What to say of the energy [J] that a cable at its own rate made of what it exchanged with its bodies; `None` if it is little of that, or of
/// the energies turned over.
pub fn coupling_warning(cable: &str, made: f64, exchanged: f64, turnover: f64) -> Option<String> {
    (made.abs() > (COUPLING_LIMIT * exchanged).max(COUPLING_MATTERS * turnover)).then(|| {
        let verb = if made > 0.0 { "made" } else { "lost" };
        format!(
            "cable '{cable}' at its own rate {verb} {} J of the {} J that it exchanged with its bodies: they feel it too much within its step; take a \
             shorter step or a smaller radius in `own_rate`, or leave it out",
            rough(made.abs()),
            rough(exchanged)
        )
    })
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ended {
    /// It reached its duration.
    Complete,
    /// It was stopped and can be resumed.
    Interrupted,
    /// The motion diverged.
    Diverged,
    /// A file could not be written; it can be resumed from the last checkpoint.
    Failed,
}

impl Ended {
    /// The word in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Interrupted => "interrupted",
            Self::Diverged => "diverged",
            Self::Failed => "failed",
        }
    }
}

/// Figures of a run. A figure that is not defined is `None` (null in JSON).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Version of the results folder's format.
    pub format: u32,
    /// Version of the program.
    pub version: String,
    /// Name of the scenario.
    pub scenario: String,
    /// Title of the scenario.
    pub title: String,
    /// Hash of the scenario, hexadecimal.
    pub hash: String,
    /// Results folder.
    pub folder: String,
    /// How it ended.
    pub ended: Ended,
    /// What stopped it, in words.
    pub message: Option<String>,
    /// Simulated time reached [s].
    pub time: f64,
    /// Simulated time asked for [s].
    pub duration: f64,
    /// Accepted steps.
    pub steps: u64,
    /// Steps that error control rejected.
    pub rejected_steps: u64,
    /// Evaluations of the equations of motion.
    pub evaluations: u64,
    /// Wall time [s].
    pub wall_time: f64,
    /// Simulated time / wall time.
    pub real_time_factor: Option<f64>,
    /// Deepest penetration [m].
    pub deepest_penetration: Option<f64>,
    /// When it happened [s].
    pub deepest_time: Option<f64>,
    /// Energy that the integration made or lost [J].
    pub energy_residual: Option<f64>,
    /// The same, relative to the energies turned over.
    pub relative_energy_residual: Option<f64>,
    /// Figures of each cable.
    #[serde(default)]
    pub cables: Vec<CableSummary>,
    /// Bodies in the model.
    pub bodies: usize,
    /// Recorded signals.
    pub signals: usize,
    /// Events.
    pub events: u64,
    /// Impacts among the events that were kept.
    #[serde(default)]
    pub impacts: u64,
    /// Hash of the last state, hexadecimal: equal for runs that are equal bit by bit.
    pub state_hash: String,
    /// How the expectations came out.
    pub expectations: Vec<Outcome>,
    /// Warnings, of the scenario and of the run.
    pub warnings: Vec<String>,
}

impl Summary {
    /// Expectations met.
    pub fn met(&self) -> usize {
        self.expectations.iter().filter(|o| o.met).count()
    }

    /// Exit code of the command for a run that ended well: 0, or 1 if an expectation is missed.
    pub fn exit_code(&self) -> i32 {
        i32::from(self.met() < self.expectations.len())
    }

    /// Whether the energy account does not close, so that the figures are in doubt.
    pub fn residual_is_large(&self) -> bool {
        self.relative_energy_residual.is_some_and(|r| r.abs() > RESIDUAL_LIMIT)
    }

    /// The short table of the figures: label and value with unit.
    pub fn rows(&self) -> Vec<(String, String)> {
        let figure = |value: Option<f64>, unit: &str| {
            value.map_or_else(|| "–".to_owned(), |v| format!("{}{unit}", crate::plot::figure(v)))
        };
        let row = |label: &str, value: String| (label.to_owned(), value);
        let mut rows = vec![
            row("ended", self.ended.name().to_owned()),
            row(
                "simulated",
                format!("{} of {} s", crate::plot::number(self.time), crate::plot::number(self.duration)),
            ),
            row("steps", self.steps.to_string()),
            row("wall time", figure(Some(self.wall_time), " s")),
            row("real-time factor", figure(self.real_time_factor, "×")),
            row("deepest penetration", figure(self.deepest_penetration, " m")),
            row("energy residual", figure(self.energy_residual, " J")),
            row("relative residual", figure(self.relative_energy_residual, "")),
        ];
        if self.rejected_steps > 0 {
            rows.insert(3, row("rejected steps", self.rejected_steps.to_string()));
        }
        rows.extend(self.cables.iter().take(MOST_CABLES).flat_map(CableSummary::rows));
        if !self.expectations.is_empty() {
            rows.push(row("expectations met", format!("{} of {}", self.met(), self.expectations.len())));
        }
        rows
    }
}

/// A number if it is finite: JSON has no other.
pub fn finite(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_residual_is_told_with_what_to_do() {
        assert_eq!(residual_warning(1e9, 0.009, true, true), None);
        let warning = residual_warning(-2.0, -0.05, true, false).unwrap();
        assert!(warning.contains("lost 2 J, 5 %") && warning.contains("smaller step"), "{warning}");
        let warning = residual_warning(2.0, 0.05, false, false).unwrap();
        assert!(warning.contains("made 2 J") && warning.contains("tolerances"), "{warning}");
        assert!(!warning.contains("mesh"), "{warning}");
        let warning = residual_warning(2.0, 0.05, true, true).unwrap();
        for part in
            ["made 2 J", "take a smaller step", "edges and corners on meshes", "Halve the step to tell which"]
        {
            assert!(warning.contains(part), "'{part}' is not in {warning}");
        }
    }

    #[test]
    fn a_cable_that_its_bodies_feel_too_much_is_told() {
        assert_eq!(coupling_warning("tag", 0.0, 0.0, 0.0), None);
        assert_eq!(coupling_warning("tag", -9.0, 100.0, 100.0), None);
        assert_eq!(coupling_warning("tag", 20.0, 100.0, 1e6), None);
        let warning = coupling_warning("tag", 20.0, 100.0, 200.0).unwrap();
        assert!(warning.contains("'tag'") && warning.contains("made 20 J of the 100 J"), "{warning}");
    }
}
