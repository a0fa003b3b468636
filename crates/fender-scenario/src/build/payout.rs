//! Cables that change: payout, and where nodes come and go.

use super::cable::MOST_ELEMENTS;
use super::profile::series_problem;
use super::{Build, BuildError};
use crate::error::{ErrorKind, Problem};
use crate::spec::{CableEndSpec, PayoutSpec, ProfileSpec, ResolutionSpec};
use crate::tree::Path;
use fender_engine::cable::{Payout, Resolution, Section};
use fender_math::Profile;
use fender_math::series::Series;

impl Build<'_> {
    pub(super) fn payout(
        &mut self,
        name: &str,
        spec: &PayoutSpec,
        sections: &[Section],
        holds: bool,
        duration: f64,
        path: &Path,
    ) -> Result<Payout, BuildError> {
        let length: f64 = sections.iter().map(|s| s.length).sum();
        let end = usize::from(spec.at == CableEndSpec::End);
        let word = ["start", "end"][end];
        if !holds {
            let message =
                format!("nothing holds the {word} of the cable, so that nothing can be paid out there");
            let help =
                format!("hold it ({word} = {{ fixed = … }} or {{ body = … }}), or pay out at the other end");
            return Err(Problem::new(ErrorKind::Value, path.clone(), message).help(help).into());
        }
        let at_end = if end == 0 { sections.first() } else { sections.last() };
        let element = at_end.map_or(length, |s| s.length / s.elements as f64);
        let shortest = spec.minimum.map_or((2.0 * element).min(length), |m| m.value);
        if shortest > length {
            let message =
                format!("the shortest length is {shortest} m, but the cable is only {length} m long");
            return Err(Problem::new(ErrorKind::Value, path.key("minimum"), message).into());
        }
        let speed = match &spec.speed {
            // A winch that is told 0 and 1 m/s does not run at −0.1 or 1.2 in between.
            ProfileSpec::Points(rows) => {
                let (times, values) = rows.iter().map(|(time, speed)| (time.value, [speed.value])).unzip();
                let path = path.key("speed").key("points");
                Profile::Series(Series::monotone(times, values).map_err(|e| series_problem(&e, &path))?)
            }
            speed => self.profile(speed, &path.key("speed"))?,
        };
        let [most, least] = extremes(&speed, duration);
        let longest = spec.maximum.map_or(length + most + element, |m| m.value);
        if longest < length {
            let message =
                format!("the greatest length is {longest} m, but the cable is already {length} m long");
            return Err(Problem::new(ErrorKind::Value, path.key("maximum"), message).into());
        }
        if length + least < shortest * (1.0 - 1e-9) {
            self.warnings.push(format!(
                "the payout of the cable `{name}` would haul in {:.3} m, but stops at its shortest length of {shortest} m",
                -least
            ));
        }
        Ok(Payout { end, speed, shortest, longest })
    }
}

/// Most and least that a payout comes to during a run [m].
fn extremes(speed: &Profile, duration: f64) -> [f64; 2] {
    const STEPS: usize = 2000;
    let dt = duration / STEPS as f64;
    let (mut now, mut most, mut least) = (0.0f64, 0.0f64, 0.0f64);
    let mut last = speed.sample(0.0)[0];
    for i in 1..=STEPS {
        let next = speed.sample(i as f64 * dt)[0];
        now += 0.5 * (last + next) * dt;
        last = next;
        (most, least) = (most.max(now), least.min(now));
    }
    [most, least]
}

pub(super) fn resolution_of(
    spec: &ResolutionSpec,
    sections: &[Section],
    path: &Path,
) -> Result<Resolution, Problem> {
    let sizes = || sections.iter().map(|s| s.length / s.elements as f64);
    let shortest = spec.shortest.map_or(0.25 * sizes().fold(f64::INFINITY, f64::min), |l| l.value);
    let longest = spec.longest.map_or(sizes().fold(0.0, f64::max), |l| l.value);
    if shortest > 0.5 * longest {
        let message = format!(
            "the shortest element, {shortest} m, must be at most half the longest, {longest} m: one that is split makes two"
        );
        return Err(Problem::new(ErrorKind::Value, path.key("shortest"), message));
    }
    let elements: usize = sections.iter().map(|s| s.elements).sum();
    let most = spec.most.map_or(4 * elements + 1, |n| n as usize);
    if most <= elements || most > MOST_ELEMENTS as usize {
        let message = format!("from {} nodes, which it has at the start, to {MOST_ELEMENTS}", elements + 1);
        return Err(Problem::new(ErrorKind::Value, path.key("most"), message));
    }
    let residual = spec.residual.map_or(f64::INFINITY, |part| part.value);
    Ok(Resolution { angle: spec.angle.value, residual, shortest, longest, most })
}
