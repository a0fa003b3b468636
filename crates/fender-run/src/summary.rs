//! How a run went, in figures: `summary.json` and the table at the end of a run.

use crate::cable_summary::{CableSummary, ExtremeSummary};
use crate::expect::Outcome;
use crate::headline::SignalExtreme;
use crate::plot::{figure, known, quantity, rough};
use fender_engine::World;
use serde::{Deserialize, Serialize};

/// Relative energy residual above which a run warns.
const RESIDUAL_LIMIT: f64 = 0.005;

/// Cables whose figures are in the table at the end of a run; all are in `summary.json`.
const MOST_CABLES: usize = 6;

/// Relative residual beyond which its size tells nothing more.
const RESIDUAL_BEYOND: f64 = 10.0;

/// What may have made or lost the energy of a residual.
#[derive(Clone, Copy, Debug)]
pub struct Suspects<'a> {
    /// Whether the step is fixed; then another method may be the better way out.
    pub fixed_step: bool,
    /// Whether meshes were touched; then the step may not be the cause.
    pub on_meshes: bool,
    /// Names of two bodies that began deep in each other; then neither may be.
    pub deep_start: Option<&'a [String; 2]>,
    /// How much energy there is: beside it a far smaller residual is rounding [J].
    pub scale: f64,
    /// Weight of the free bodies [N], by which a reader can tell whether the residual matters to him; 0 without gravity.
    pub weight: f64,
}

/// The page that explains the energy account.
const ENERGY_PAGE: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/book/src/theory/energy.md");

/// What to say of the energy residual [J] at the end of a run, and of the same relative to the energies turned over or in motion;
/// `None` if it is small, or shown as 0.
pub fn residual_warning(residual: f64, relative: f64, suspects: Suspects) -> Option<String> {
    let Suspects { fixed_step, on_meshes, deep_start, scale, weight } = suspects;
    (known(residual, scale) != 0.0 && relative.abs() > RESIDUAL_LIMIT).then(|| {
        let made = if residual > 0.0 { "made" } else { "lost" };
        let part = if relative.abs() > RESIDUAL_BEYOND {
            format!("more than {} %", 100.0 * RESIDUAL_BEYOND)
        } else {
            format!("{} %", rough(100.0 * relative.abs()))
        };
        // Bodies that merely settle turn next to nothing over: much of that may still be little.
        let lift = if weight > 0.0 {
            format!(", as much as lifts the free bodies by {} m", rough(residual.abs() / weight))
        } else {
            String::new()
        };
        let finer = if fixed_step {
            "take a smaller step, or a method with error control (dormand_prince)"
        } else {
            "take smaller tolerances or a smaller largest step"
        };
        let start = deep_start.map_or(String::new(), |[a, b]| {
            format!("part `{a}` and `{b}`, which start deep in each other; if that does not do, ")
        });
        // They may not keep energy exactly, whatever the step.
        let stiffer = if on_meshes {
            " or, where that changes nothing, stiffer contacts or an `impact` rule for edges and corners on meshes"
        } else {
            ""
        };
        let remedy = format!("{start}{finer}{stiffer}");
        let remedy = remedy[..1].to_uppercase() + &remedy[1..];
        format!(
            "the energy account does not close: the run {made} {} J, {part} of the energies turned over or in motion (limit {} %){lift}. {remedy}: \
             {ENERGY_PAGE}",
            rough(residual.abs()),
            100.0 * RESIDUAL_LIMIT
        )
    })
}

/// What to say of a cable that was loaded or bent more than it bears.
pub fn utilisation_warnings(cable: &CableSummary) -> Vec<String> {
    let CableSummary { name, utilisation, bend_utilisation, .. } = cable;
    let tell = |used: &Option<ExtremeSummary>, of: &str, remedy: &str| {
        let used = used.filter(|used| used.value > 1.0)?;
        Some(format!(
            "the cable `{name}` came to {} % of {of} at {} m from its start, t = {} s, and was taken on as if it were whole. {remedy}",
            figure(100.0 * used.value),
            figure(used.at),
            figure(used.time)
        ))
    };
    let loaded = tell(utilisation, "its breaking load", "Take a stronger line, or less load");
    let bent = tell(
        bend_utilisation,
        "the curvature that its smallest bend radius allows",
        "Lead it around a greater radius, or take a line that may be bent more",
    );
    loaded.into_iter().chain(bent).collect()
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

/// Bodies and cables that were taken through the same number of steps and parts of steps: an island whose step fails is taken through it in parts,
/// without the others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IslandSteps {
    /// Their names.
    pub members: Vec<String>,
    /// Steps and parts of steps.
    pub steps: u64,
}

impl IslandSteps {
    /// Of all that moves, those with the most steps first.
    pub fn of(world: &World) -> Vec<Self> {
        let bodies = world.model.bodies.iter().map(|body| &body.name);
        let names = bodies.chain(world.model.cables.iter().map(|cable| &cable.name));
        let mut all: Vec<Self> = Vec::new();
        for (name, steps) in names.zip(&world.state.integrator.taken).filter(|(_, steps)| **steps > 0) {
            match all.iter_mut().find(|island| island.steps == *steps) {
                Some(island) => island.members.push(name.clone()),
                None => all.push(Self { members: vec![name.clone()], steps: *steps }),
            }
        }
        all.sort_by_key(|island| std::cmp::Reverse(island.steps));
        all
    }

    /// Its members in a few words.
    fn names(&self) -> String {
        let shown = self.members.len().min(MOST_MEMBERS);
        let more = self.members.len() - shown;
        let names = self.members[..shown].join(", ");
        if more > 0 { format!("{names} and {more} more") } else { names }
    }
}

/// Members of an island that are named in the table at the end of a run, and how many such rows there are at most.
const MOST_MEMBERS: usize = 4;
const MOST_ISLANDS: usize = 4;

/// Part of the steps that may be accepted without convergence before a run warns.
const UNCONVERGED_LIMIT: f64 = 0.01;

/// What to say of steps that were accepted although Newton's iteration had not converged; `None` if they are few.
pub fn unconverged_warning(unconverged: u64, steps: u64) -> Option<String> {
    (unconverged as f64 > UNCONVERGED_LIMIT * steps as f64).then(|| {
        format!(
            "{unconverged} of {steps} steps were accepted although Newton's iteration had not converged (limit {} %): \
             take a smaller step, or more iterations",
            100.0 * UNCONVERGED_LIMIT
        )
    })
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
    /// Steps that were rejected: by error control, or because an implicit step did not converge or made energy.
    pub rejected_steps: u64,
    /// Evaluations of the equations of motion.
    pub evaluations: u64,
    /// Newton steps of implicit methods.
    #[serde(default)]
    pub iterations: u64,
    /// Tangent matrices that were factored.
    #[serde(default)]
    pub factorisations: u64,
    /// Steps, or parts of steps, that were accepted although Newton's iteration had not converged.
    #[serde(default)]
    pub unconverged_steps: u64,
    /// How many steps and parts of steps generalized-α methods took for which bodies and cables.
    #[serde(default)]
    pub islands: Vec<IslandSteps>,
    /// Wall time [s].
    pub wall_time: f64,
    /// Simulated time / wall time.
    pub real_time_factor: Option<f64>,
    /// Deepest penetration [m].
    pub deepest_penetration: Option<f64>,
    /// When it happened [s].
    pub deepest_time: Option<f64>,
    /// Largest recorded normal force of two bodies, or contact force on a body [N].
    #[serde(default)]
    pub largest_contact_force: Option<SignalExtreme>,
    /// Smallest clearance that a sensor showed [m].
    #[serde(default)]
    pub smallest_clearance: Option<SignalExtreme>,
    /// How much energy there is: beside it a far smaller residual is rounding [J].
    #[serde(default)]
    pub energy_scale: Option<f64>,
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

    /// The short table of the figures: label and value with unit.
    pub fn rows(&self) -> Vec<(String, String)> {
        let figure = |value: Option<f64>, unit: &str| {
            value.map_or_else(|| "–".to_owned(), |v| format!("{}{unit}", crate::plot::figure(v)))
        };
        let told =
            |value: Option<f64>, unit: &str| value.map_or_else(|| "–".to_owned(), |v| quantity(v, unit));
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
            row("deepest penetration", told(self.deepest_penetration, "m")),
        ];
        let extreme = |e: &SignalExtreme, unit: &str| {
            format!("{} at {} s ({})", quantity(e.value, unit), crate::plot::figure(e.time), e.signal)
        };
        rows.extend(self.largest_contact_force.iter().map(|e| row("largest contact force", extreme(e, "N"))));
        rows.extend(self.smallest_clearance.iter().map(|e| row("smallest clearance", extreme(e, "m"))));
        // Of a residual that is rounding beside the energies of the run, neither its size nor its part tells anything.
        let residual = self.energy_residual.map(|r| known(r, self.energy_scale.unwrap_or_default()));
        rows.push(row("energy residual", told(residual, "J")));
        let relative = if residual == Some(0.0) { Some(0.0) } else { self.relative_energy_residual };
        rows.push(row("relative residual", figure(relative, "")));
        if self.rejected_steps > 0 {
            rows.insert(3, row("rejected steps", self.rejected_steps.to_string()));
        }
        if self.unconverged_steps > 0 {
            rows.push(row("unconverged steps", self.unconverged_steps.to_string()));
        }
        // Only where some took more steps than the run.
        let divided = self.islands.iter().filter(|island| island.steps > self.steps).take(MOST_ISLANDS);
        rows.extend(
            divided.map(|i| ("steps with parts".to_owned(), format!("{} for {}", i.steps, i.names()))),
        );
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
        let suspects = |fixed_step, on_meshes| Suspects {
            fixed_step,
            on_meshes,
            deep_start: None,
            scale: 0.0,
            weight: 0.0,
        };
        assert_eq!(residual_warning(1e9, 0.004, suspects(true, true)), None);
        assert!(residual_warning(1e9, 0.006, suspects(true, true)).is_some());
        let warning = residual_warning(-2.0, -0.05, suspects(true, false)).unwrap();
        assert!(warning.contains("lost 2 J, 5 %") && warning.contains("Take a smaller step"), "{warning}");
        // Two sentences and a link.
        assert_eq!(warning.matches(". ").count(), 1, "{warning}");
        assert!(warning.ends_with("/book/src/theory/energy.md"), "{warning}");
        let warning = residual_warning(2.0, 0.05, suspects(false, false)).unwrap();
        assert!(warning.contains("made 2 J") && warning.contains("tolerances"), "{warning}");
        assert!(!warning.contains("mesh"), "{warning}");
        let warning = residual_warning(2.0, 0.05, suspects(true, true)).unwrap();
        for part in ["made 2 J", "Take a smaller step", "edges and corners on meshes"] {
            assert!(warning.contains(part), "'{part}' is not in {warning}");
        }
        assert!(!warning.contains("start"), "{warning}");
    }

    /// As of the scenario `towed-cable` after 1 s: a potential energy of 1.4e5 J, of which next to nothing is turned over.
    #[test]
    fn a_residual_that_the_table_shows_as_zero_is_not_warned_of() {
        let suspects =
            Suspects { fixed_step: true, on_meshes: false, deep_start: None, scale: 1.4e5, weight: 0.0 };
        assert_eq!(residual_warning(-3.4e-6, -0.012, suspects), None);
        // A residual that is shown is warned of.
        let warning = residual_warning(-3.4e-6, -0.012, Suspects { scale: 1e4, ..suspects });
        assert!(warning.is_some_and(|w| w.contains("lost 3.4e-6 J, 1.2 %")));
    }

    #[test]
    fn a_residual_beyond_all_measure_has_no_figure_of_it() {
        let suspects =
            Suspects { fixed_step: true, on_meshes: false, deep_start: None, scale: 0.0, weight: 0.0 };
        let warning = residual_warning(2.0, 7358.93, suspects).unwrap();
        assert!(warning.contains("made 2 J, more than 1000 % of the energies"), "{warning}");
        assert!(!warning.contains("7358"), "{warning}");
        let warning = residual_warning(2.0, 9.9, suspects).unwrap();
        assert!(warning.contains("made 2 J, 990 % of the energies"), "{warning}");
    }

    /// A can that settles on a table may lose a fifth of the next to nothing that it turns over.
    #[test]
    fn a_residual_says_how_little_it_is() {
        let suspects =
            Suspects { fixed_step: true, on_meshes: false, deep_start: None, scale: 0.0, weight: 10.0 };
        let warning = residual_warning(-1e-5, -0.2, suspects).unwrap();
        assert!(warning.contains("as much as lifts the free bodies by 1e-6 m. "), "{warning}");
        let warning = residual_warning(-1e-5, -0.2, Suspects { weight: 0.0, ..suspects }).unwrap();
        assert!(!warning.contains("lifts"), "{warning}");
    }

    #[test]
    fn a_deep_start_comes_before_other_causes() {
        let deep = ["block".to_owned(), "floor".to_owned()];
        for on_meshes in [true, false] {
            let suspects =
                Suspects { fixed_step: true, on_meshes, deep_start: Some(&deep), scale: 0.0, weight: 0.0 };
            let warning = residual_warning(2.0, 0.05, suspects).unwrap();
            let start = warning.find("Part `block` and `floor`, which start deep in each other");
            assert!(start.is_some() && start < warning.find("take a smaller step"), "{warning}");
            assert_eq!(warning.contains("meshes"), on_meshes, "{warning}");
        }
    }

    #[test]
    fn a_cable_that_is_loaded_or_bent_too_much_is_told() {
        let mut cable = crate::cable_summary::all(&World::new(crate::testing::rope()))[0].clone();
        let used = |value| Some(ExtremeSummary { value, time: 2.5, at: 3.0 });
        (cable.utilisation, cable.bend_utilisation) = (used(0.99), None);
        assert_eq!(utilisation_warnings(&cable), Vec::<String>::new());
        (cable.utilisation, cable.bend_utilisation) = (used(1.34), used(2.0));
        let warnings = utilisation_warnings(&cable);
        assert_eq!(warnings.len(), 2, "{warnings:?}");
        assert!(warnings[0].contains("came to 134 % of its breaking load at 3 m from its start, t = 2.5 s"));
        assert!(warnings[0].contains("Take a stronger line"), "{warnings:?}");
        assert!(warnings[1].contains("200 % of the curvature") && warnings[1].contains("greater radius"));
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
