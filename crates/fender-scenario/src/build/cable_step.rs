//! Whether a step can hold a cable's elements.
//!
//! An explicit method diverges if its step is longer than a number over the highest frequency there is. For a chain of elements of
//! the length L that is, with neighbouring nodes moving against each other, 2/L·√(EA/m) along the cable, √48/L²·√(EI/m)
//! across (the moments of a cubic spline through a zigzag are three times its second differences) and 2/L·√(GJ/I) about it.

use super::cable::short;
use crate::error::{ErrorKind, Problem};
use crate::scenario::RunSettings;
use crate::spec::CableSpec;
use crate::tree::Path;
use fender_engine::IntegratorSpec;
use fender_engine::cable::{Line, Section};

/// A section whose elements need a shorter step.
struct TooQuick {
    /// Which, from 0.
    section: usize,
    /// Length of its elements [m].
    element: f64,
    /// How they move: "stretching them", for instance.
    mode: &'static str,
    /// Frequency [Hz].
    frequency: f64,
    /// Longest step [s].
    limit: f64,
    /// The step that was asked for [s].
    step: f64,
    /// So many elements of the section would do, or two.
    elements: usize,
}

/// Step and largest product of step and frequency that a method without error control holds; `None` for methods that hold any.
fn bound(method: &IntegratorSpec) -> Option<(f64, f64)> {
    match *method {
        // Where the stability region meets the imaginary axis (Hairer and Wanner 1996, section IV.2).
        IntegratorSpec::Rk3 { step } => Some((step, 3f64.sqrt())),
        IntegratorSpec::Rk4 { step } => Some((step, 8f64.sqrt())),
        // This one and explicit Euler leave the axis at once; what is damped a little is held up to about here.
        IntegratorSpec::Rk5 { step } => Some((step, 3.0)),
        IntegratorSpec::SemiImplicitEuler { step } | IntegratorSpec::ExplicitEuler { step } => {
            Some((step, 2.0))
        }
        _ => None,
    }
}

/// The highest frequency [rad/s] of elements of a length [m], and how they move.
fn highest(line: &Line, length: f64) -> (f64, &'static str) {
    let along = 2.0 / length * (line.axial.stiffness() / line.mass).sqrt();
    // Damping makes it quicker once it is more than critical.
    let ratio = line.axial_damping / (length * (line.axial.stiffness() * line.mass).sqrt());
    let (along, mode) = if ratio > 1.0 {
        (
            along * (ratio + (ratio * ratio - 1.0).sqrt()),
            "stretching them, which is damped more than critically,",
        )
    } else {
        (along, "stretching them")
    };
    let across = 48f64.sqrt() / (length * length) * (line.bending / line.mass).sqrt();
    let about = if line.torsion > 0.0 { 2.0 / length * (line.torsion / line.inertia).sqrt() } else { 0.0 };
    [(across, "bending them"), (about, "twisting them")]
        .into_iter()
        .fold((along, mode), |most, next| if next.0 > most.0 { next } else { most })
}

/// The section that the method can hold least, if there is one it cannot.
fn too_quick(sections: &[Section], method: &IntegratorSpec) -> Option<TooQuick> {
    let (step, bound) = bound(method)?;
    let mut worst: Option<TooQuick> = None;
    for (i, section) in sections.iter().enumerate() {
        let element = section.length / section.elements as f64;
        let (frequency, mode) = highest(&section.line, element);
        let limit = bound / frequency;
        if limit < step && worst.as_ref().is_none_or(|w| limit < w.limit) {
            // Fewer elements are longer and slower.
            let mut elements = section.elements;
            while elements > 2 && bound / highest(&section.line, section.length / elements as f64).0 < step {
                elements = (elements - 1).min(elements * 9 / 10).max(2);
            }
            let frequency = frequency / std::f64::consts::TAU;
            worst = Some(TooQuick { section: i, element, mode, frequency, limit, step, elements });
        }
    }
    worst
}

/// A step that is too long for an element makes the run diverge at once.
pub(super) fn check_step(
    spec: &CableSpec,
    sections: &[Section],
    run: &RunSettings,
    path: &Path,
) -> Result<(), Problem> {
    let Some(quick) = too_quick(sections, &run.integrator) else { return Ok(()) };
    let (path, which) = match &spec.section {
        Some(_) => (path.key("section").index(quick.section), format!(" of section {}", quick.section + 1)),
        None => (path.key(if spec.elements.is_some() { "elements" } else { "length" }), String::new()),
    };
    let message = format!(
        "the elements{which}, {} m long, are too short for the step: {} has a frequency of {} Hz, which needs steps below {} ms, and \
         these are {} ms",
        short(quick.element),
        quick.mode,
        short(quick.frequency),
        short(1e3 * quick.limit),
        short(1e3 * quick.step)
    );
    let less = if quick.mode.contains("damped") { ", or less `damping`" } else { "" };
    let help = format!(
        "take an implicit method, such as run.integrator.generalized_alpha = {{ step = {} }}, a step of {} ms, or {} elements{less}",
        quick.step,
        short(0.8e3 * quick.limit),
        quick.elements
    );
    Err(Problem::new(ErrorKind::Model, path, message).help(help))
}
