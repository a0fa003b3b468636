//! Targets: quantities that may change over time.

use super::joint::{guide_points, series_problem};
use super::{Build, BuildError};
use crate::error::{ErrorKind, Problem};
use crate::quantity::{Kind, Quantity, Time};
use crate::spec::SetpointSpec;
use crate::tree::Path;
use fender_engine::Setpoint;

impl Build<'_> {
    /// A target, as the engine knows it.
    pub(super) fn setpoint<K: Kind>(
        &mut self,
        spec: &SetpointSpec<K>,
        path: &Path,
    ) -> Result<Setpoint, BuildError> {
        Ok(match spec {
            SetpointSpec::Constant(value) => Setpoint::Constant(value.value),
            SetpointSpec::Points(rows) => Setpoint::Series(guide_points(numbers(rows), &path.key("points"))?),
            SetpointSpec::Steps(rows) => {
                let path = path.key("steps");
                if rows.is_empty() {
                    return Err(
                        Problem::new(ErrorKind::Value, path, "there must be at least one step").into()
                    );
                }
                Setpoint::steps(numbers(rows)).map_err(|error| series_problem(&error, &path))?
            }
            SetpointSpec::File(name) => Setpoint::Series(self.guide_file(name, &path.key("file"))?),
        })
    }
}

fn numbers<K>(rows: &[(Quantity<Time>, Quantity<K>)]) -> Vec<(f64, f64)> {
    rows.iter().map(|(time, value)| (time.value, value.value)).collect()
}
