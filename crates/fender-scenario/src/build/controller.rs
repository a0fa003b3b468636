//! Controllers.

use super::joint::axis;
use super::sensor::axes;
use super::{Build, BuildError, check_name};
use crate::error::{ErrorKind, Problem};
use crate::quantity::vec3;
use crate::spec::{ControlLawSpec, ControllerSpec, DriveSpec, PidSpec, StateFeedbackSpec};
use crate::tree::Path;
use fender_engine::Controller;
use fender_engine::controller::{ControlLaw, Drive, Input, Pid, StateFeedback, Term};

impl Build<'_> {
    pub(super) fn controllers(&mut self) -> Result<(), BuildError> {
        let spec = self.spec;
        for (name, controller) in spec.controller.iter() {
            let path = Path::root().key("controller").key(name);
            check_name(name, &path)?;
            let controller = self.controller(name, controller, &path)?;
            self.builder.controller(controller);
        }
        Ok(())
    }

    fn controller(
        &mut self,
        name: &str,
        spec: &ControllerSpec,
        path: &Path,
    ) -> Result<Controller, BuildError> {
        let drive = self.drive(&spec.drive, &path.key("drive"))?;
        let law: Box<dyn ControlLaw> = match &spec.law {
            ControlLawSpec::Pid(pid) => Box::new(self.pid(pid, &path.key("law").key("pid"))?),
            ControlLawSpec::StateFeedback(feedback) => {
                Box::new(self.state_feedback(feedback, &path.key("law").key("state_feedback"))?)
            }
        };
        let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
        if let Some(limits) = &spec.limits {
            (low, high) = (limits.low.value, limits.high.value);
            if low >= high {
                let message = format!("the limits are reversed: low is {low} and high is {high}");
                return Err(Problem::new(ErrorKind::Value, path.key("limits").key("low"), message).into());
            }
        }
        Ok(Controller { name: name.into(), law, drive, period: spec.period.value, low, high })
    }

    fn drive(&self, spec: &DriveSpec, path: &Path) -> Result<Drive, Problem> {
        Ok(match spec {
            DriveSpec::Joint(name) => {
                let (joint, coordinate, _) = self.coordinate(name, &path.key("joint"), true)?;
                Drive::Joint { joint, coordinate }
            }
            DriveSpec::Force { body, point, direction, frame } => {
                let path = path.key("force");
                Drive::Force {
                    body: self.bodies.find(body, &path.key("body"))?,
                    point: vec3(point),
                    direction: axis(direction, &path.key("direction"))?,
                    axes: axes(*frame),
                }
            }
            DriveSpec::Torque { body, direction, frame } => {
                let path = path.key("torque");
                Drive::Torque {
                    body: self.bodies.find(body, &path.key("body"))?,
                    direction: axis(direction, &path.key("direction"))?,
                    axes: axes(*frame),
                }
            }
        })
    }

    fn input(&self, sensor: &str, path: &Path) -> Result<Input, Problem> {
        let (sensor, component) = self.sensor_named(sensor, path)?;
        Ok(Input { sensor, component })
    }

    fn pid(&mut self, spec: &PidSpec, path: &Path) -> Result<Pid, BuildError> {
        Ok(Pid {
            input: self.input(&spec.sensor, &path.key("sensor"))?,
            target: self.profile(&spec.target, &path.key("target"))?,
            kp: spec.kp.value,
            ki: spec.ki.value,
            kd: spec.kd.value,
            filter: spec.filter.value,
            derivative_of_error: spec.derivative_of_error,
        })
    }

    fn state_feedback(&mut self, spec: &StateFeedbackSpec, path: &Path) -> Result<StateFeedback, BuildError> {
        let mut terms = Vec::new();
        for (i, term) in spec.terms.iter().enumerate() {
            let path = path.key("terms").index(i);
            terms.push(Term {
                input: self.input(&term.sensor, &path.key("sensor"))?,
                gain: term.gain.value,
                target: self.profile(&term.target, &path.key("target"))?,
            });
        }
        Ok(StateFeedback { offset: spec.offset.value, terms })
    }
}
