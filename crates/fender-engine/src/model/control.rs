//! Sensors and controllers in a model.

use super::{Model, ModelError};
use crate::{ControllerId, RuleId, SensorId};

impl Model {
    /// Sensors and controllers must fit what there is.
    pub(super) fn check_control(&self) -> Result<(), ModelError> {
        for (i, sensor) in self.sensors.iter().enumerate() {
            let refuse = |why| ModelError::Sensor { sensor: sensor.name.clone(), why };
            if self.sensors[..i].iter().any(|other| other.name == sensor.name) {
                return Err(refuse("there is another sensor of this name".into()));
            }
            sensor.check(self).map_err(refuse)?;
        }
        for (i, controller) in self.controllers.iter().enumerate() {
            let refuse = |why| ModelError::Controller { controller: controller.name.clone(), why };
            if self.controllers[..i].iter().any(|other| other.name == controller.name) {
                return Err(refuse("there is another controller of this name".into()));
            }
            controller.check(self).map_err(refuse)?;
        }
        Ok(())
    }

    /// Account source of a controller.
    pub fn controller_source(&self, controller: ControllerId) -> usize {
        self.damping_source(RuleId(self.rules.len() as u32)) + controller.index()
    }

    /// Sensor by name.
    pub fn sensor_named(&self, name: &str) -> Option<SensorId> {
        self.sensors.iter().position(|s| s.name == name).map(|i| SensorId(i as u32))
    }
}
