//! Figures of cables at the end of a run.

use crate::plot::{figure, quantity};
use crate::summary::finite;
use fender_engine::World;
use fender_engine::cable::{Cable, CableState, CableStatistics, Extreme};
use serde::{Deserialize, Serialize};

/// An extreme value, when and where.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExtremeSummary {
    /// The value.
    pub value: f64,
    /// When [s].
    pub time: f64,
    /// Unstretched arc length from the start [m].
    pub at: f64,
}

/// Figures of a cable over a run. A figure that is not defined is `None` (null in JSON).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CableSummary {
    /// Name.
    pub name: String,
    /// Unstretched length at the end of the run [m].
    pub length: f64,
    /// Nodes at the end of the run.
    pub nodes: usize,
    /// Largest tension [N].
    pub largest_tension: Option<ExtremeSummary>,
    /// Smallest tension [N].
    pub smallest_tension: Option<ExtremeSummary>,
    /// Largest curvature [1/m].
    pub largest_curvature: Option<ExtremeSummary>,
    /// Largest tension by breaking load; none if no line has one.
    pub utilisation: Option<ExtremeSummary>,
    /// Largest curvature times smallest bend radius; none if no line has one.
    pub bend_utilisation: Option<ExtremeSummary>,
    /// Largest tension by the tension at the start at the same place; none if the cable was slack then, or carried next to nothing.
    pub dynamic_amplification: Option<f64>,
    /// Part of the time during which it was slack.
    pub slack_share: Option<f64>,
    /// How often it became taut again.
    pub snaps: u64,
    /// The largest tension that followed [N]; none if it never did.
    pub snap_peak: Option<ExtremeSummary>,
}

fn told(extreme: Extreme) -> Option<ExtremeSummary> {
    let Extreme { value, time, at } = extreme;
    (value.is_finite() && time.is_finite() && at.is_finite()).then_some(ExtremeSummary { value, time, at })
}

/// Figures of all cables of a world.
pub fn all(world: &World) -> Vec<CableSummary> {
    let cables = world.model.cables.iter().zip(&world.state.cables).zip(&world.state.cable_statistics);
    cables
        .map(|((cable, own), of): (_, &CableStatistics)| CableSummary {
            name: cable.name.clone(),
            length: finite(own.length()).unwrap_or_default(),
            nodes: own.nodes.len(),
            largest_tension: told(of.largest),
            smallest_tension: told(of.smallest),
            largest_curvature: told(of.curvature),
            utilisation: told(of.utilisation)
                .filter(|_| cable.lines.iter().any(|line| line.breaking_load.is_some())),
            bend_utilisation: told(of.bend_utilisation)
                .filter(|_| cable.lines.iter().any(|line| line.bend_radius.is_some())),
            dynamic_amplification: amplification(of, weight(world, cable, own)),
            slack_share: finite(of.slack_time / world.state.time),
            snaps: of.snaps,
            snap_peak: told(of.snap).filter(|_| of.snaps > 0),
        })
        .collect()
}

/// Part of its own weight that a cable must carry at the start for its largest tension to be compared with that.
const LEAST_START: f64 = 0.1;
/// Part of the largest tension, the same: a thousandfold is no amplification of a load, but another load.
const LEAST_PART: f64 = 1e-2;

/// Largest tension by that at the start at the same place, if the cable carried a load then. Slack, or all but slack, it had none that could
/// be amplified.
fn amplification(of: &CableStatistics, weight: f64) -> Option<f64> {
    let ratio = of.amplification().and_then(finite)?;
    let start = of.largest.value / ratio;
    let slack = of.start.iter().any(|(_, tension)| *tension <= 0.0);
    let least = (LEAST_START * weight).max(LEAST_PART * of.largest.value);
    (!slack && start >= least).then_some(ratio)
}

/// Weight of a cable as long as it is now, if all of it were of its lightest line [N].
fn weight(world: &World, cable: &Cable, own: &CableState) -> f64 {
    let mass = cable.lines.iter().map(|line| line.mass).fold(f64::INFINITY, f64::min);
    if mass.is_finite() { mass * own.length() * world.model.gravity.length() } else { 0.0 }
}

/// Part of the largest tension below which the smallest is none: no method integrates more exactly.
const LEAST_TOLD: f64 = 1e-6;

impl CableSummary {
    /// Rows of the table at the end of a run: label and value with unit.
    pub fn rows(&self) -> Vec<(String, String)> {
        let place = |e: &ExtremeSummary| format!("at {} m, {} s", figure(e.at), figure(e.time));
        let mut rows = Vec::new();
        if let (Some(most), Some(least)) = (&self.largest_tension, &self.smallest_tension) {
            let mut text = format!("{} {}", quantity(most.value, "N"), place(most));
            let least_told = if least.value.abs() < LEAST_TOLD * most.value { 0.0 } else { least.value };
            match self.dynamic_amplification {
                Some(amplification) if amplification > 1.0005 => {
                    text += &format!("; {}× that at the start", figure(amplification));
                }
                Some(_) => {}
                None => text += "; slack or unloaded at the start",
            }
            text += &format!("; least {}", quantity(least_told, "N"));
            rows.push((format!("{}: tension", self.name), text));
        }
        if let Some(used) = &self.utilisation {
            let text = format!("{} % of the breaking load {}", figure(100.0 * used.value), place(used));
            rows.push((format!("{}: utilisation", self.name), text));
        }
        if let Some(curvature) = self.largest_curvature.as_ref().filter(|c| c.value > 0.0) {
            let mut text = format!("{} 1/m {}", figure(curvature.value), place(curvature));
            if let Some(used) = &self.bend_utilisation {
                text += &format!("; {} % of what it may be bent to", figure(100.0 * used.value));
            }
            rows.push((format!("{}: curvature", self.name), text));
        }
        if let Some(share) = self.slack_share.filter(|share| *share > 0.0) {
            let mut times = match self.snaps {
                0 => String::new(),
                1 => "; taut again once".into(),
                n => format!("; taut again {n} times"),
            };
            if let Some(peak) = &self.snap_peak {
                times += &format!(", up to {} at {} s", quantity(peak.value, "N"), figure(peak.time));
            }
            rows.push((
                format!("{}: slack", self.name),
                format!("{} % of the time{times}", figure(100.0 * share)),
            ));
        }
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
    use fender_engine::IntegratorSpec;

    #[test]
    fn figures_are_those_of_the_run() {
        let mut world = World::new(testing::rope());
        let integrator = IntegratorSpec::Rk4 { step: 1e-3 }.build();
        for _ in 0..100 {
            world.step(&*integrator, f64::INFINITY).unwrap();
        }
        let [rope] = all(&world).try_into().unwrap();
        let (most, used) = (rope.largest_tension.unwrap(), rope.utilisation.unwrap());
        // It sags, so that its tension grows from 100 N.
        assert!(most.value > 100.1 && most.time > 0.01 && most.at <= 4.0, "{most:?}");
        assert!((used.value - most.value / 500.0).abs() < 1e-12);
        assert!((rope.dynamic_amplification.unwrap() - most.value / 100.0).abs() < 1e-9);
        assert_eq!((rope.slack_share, rope.snaps, rope.bend_utilisation), (Some(0.0), 0, None));
        let rows = rope.rows();
        let labels: Vec<&str> = rows.iter().map(|r| r.0.as_str()).collect();
        assert_eq!(labels, ["rope: tension", "rope: utilisation", "rope: curvature"]);
        assert!(rows[0].1.contains("× that at the start; least "), "{}", rows[0].1);
        // A cable that carried next to nothing at the start has no load that could be amplified.
        let mut figures = world.state.cable_statistics[0].clone();
        let weight = weight(&world, &world.model.cables[0], &world.state.cables[0]);
        assert!(weight > 0.0 && amplification(&figures, weight).is_some());
        for start in [0.0, 1e-3 * most.value] {
            figures.start.iter_mut().for_each(|(_, tension)| *tension = start);
            assert_eq!(amplification(&figures, weight), None, "{start}");
        }
        let unloaded = CableSummary { dynamic_amplification: None, ..rope.clone() };
        assert!(unloaded.rows()[0].1.contains("; slack or unloaded at the start; least "));
        let noise = ExtremeSummary { value: 1e-5, ..most };
        let rounded = CableSummary { smallest_tension: Some(noise), ..rope.clone() };
        assert!(rounded.rows()[0].1.ends_with("least 0 N"), "{}", rounded.rows()[0].1);
        let slack = CableSummary { slack_share: Some(0.25), snaps: 2, ..rope };
        assert_eq!(slack.rows()[3].1, "25 % of the time; taut again 2 times");
    }
}
