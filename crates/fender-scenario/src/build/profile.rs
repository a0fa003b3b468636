//! Quantities that may change over time.

use super::{Build, BuildError};
use crate::error::{ErrorKind, Problem};
use crate::quantity::{Quantity, Time, Timed};
use crate::series;
use crate::spec::ProfileSpec;
use crate::tree::Path;
use fender_math::Profile;
use fender_math::profile::{Ramp, Rate, Sine};
use fender_math::series::{Series, SeriesError};

impl Build<'_> {
    /// A profile, as the engine knows it.
    pub(super) fn profile<K: Timed>(
        &mut self,
        spec: &ProfileSpec<K>,
        path: &Path,
    ) -> Result<Profile, BuildError> {
        Ok(match spec {
            ProfileSpec::Constant(value) => Profile::Constant(value.value),
            ProfileSpec::Points(rows) => {
                let (times, values) = numbers(rows).into_iter().map(|(t, x)| (t, [x])).unzip();
                let path = path.key("points");
                Profile::Series(Series::resting(times, values).map_err(|e| series_problem(&e, &path))?)
            }
            ProfileSpec::Steps(rows) => {
                let path = path.key("steps");
                if rows.is_empty() {
                    return Err(
                        Problem::new(ErrorKind::Value, path, "there must be at least one step").into()
                    );
                }
                Profile::steps(numbers(rows)).map_err(|error| series_problem(&error, &path))?
            }
            ProfileSpec::File(name) => {
                let bytes = self.asset(name, &path.key("file"))?;
                let file = series::read(name, &bytes, &["value"], &[])?;
                let values = file.rows.iter().map(|row| [row[0]]).collect();
                Profile::Series(Series::new(file.times.clone(), values).map_err(|e| file.error(&e))?)
            }
            ProfileSpec::Sine(sine) => Profile::Sine(Sine {
                mean: sine.mean.value,
                amplitude: sine.amplitude.value,
                period: sine.period.value,
                phase: sine.phase.value,
                start: sine.start.map(|t| t.value),
                ramp: sine.ramp.value,
            }),
            ProfileSpec::Ramp(ramp) => Profile::Ramp(Ramp {
                from: ramp.from.value,
                to: ramp.to.value,
                start: ramp.start.value,
                duration: ramp.duration.value,
            }),
            ProfileSpec::Rate(rate) => Profile::Rate(Rate {
                from: rate.from.value,
                rate: rate.rate.value,
                start: rate.start.map(|t| t.value),
                ramp: rate.ramp.value,
                duration: rate.duration.map_or(f64::INFINITY, |t| t.value),
            }),
        })
    }

    /// A profile that prescribes a motion, which cannot jump.
    pub(super) fn motion_profile<K: Timed>(
        &mut self,
        spec: &ProfileSpec<K>,
        path: &Path,
    ) -> Result<Profile, BuildError> {
        if matches!(spec, ProfileSpec::Steps(_)) {
            let message = "a prescribed motion cannot jump, as steps do";
            let help = "join the values smoothly: `points`, or `ramp` for one step".to_string();
            return Err(Problem::new(ErrorKind::Value, path.key("steps"), message).help(help).into());
        }
        self.profile(spec, path)
    }
}

/// Says at which row of the list at `path` a series is wrong.
pub(super) fn series_problem(error: &SeriesError, path: &Path) -> Problem {
    let path = match error {
        SeriesError::NotIncreasing(i) | SeriesError::NotFinite(i) => path.index(*i),
        SeriesError::TooShort => path.clone(),
    };
    Problem::new(ErrorKind::Value, path, error.to_string())
}

fn numbers<K>(rows: &[(Quantity<Time>, Quantity<K>)]) -> Vec<(f64, f64)> {
    rows.iter().map(|(time, value)| (time.value, value.value)).collect()
}
