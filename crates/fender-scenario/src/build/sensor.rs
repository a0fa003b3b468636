//! Sensors.

use super::orientation::direction;
use super::{Build, check_name};
use crate::error::{ErrorKind, Problem};
use crate::quantity::vec3;
use crate::spec::{LoadFrame, MeasureSpec, SensorSpec};
use crate::suggest;
use crate::tree::Path;
use fender_engine::sensor::{Axes, Measure, Noise};
use fender_engine::{BodyId, Sensor, SensorId};
use fender_geom::Shape;

pub(super) fn axes(frame: LoadFrame) -> Axes {
    match frame {
        LoadFrame::World => Axes::World,
        LoadFrame::Body => Axes::Body,
    }
}

impl Build<'_> {
    pub(super) fn sensors(&mut self) -> Result<(), Problem> {
        let spec = self.spec;
        for (name, sensor) in spec.sensor.iter() {
            let path = Path::root().key("sensor").key(name);
            check_name(name, &path)?;
            let sensor = self.sensor(name, sensor, &path)?;
            self.measures.push(sensor.measure);
            self.builder.sensor(sensor);
        }
        Ok(())
    }

    fn sensor(&self, name: &str, spec: &SensorSpec, path: &Path) -> Result<Sensor, Problem> {
        let noise = spec.noise.as_ref();
        Ok(Sensor {
            name: name.into(),
            measure: self.measure(&spec.measure, &path.key("measure"))?,
            noise: noise.map_or(Noise::default(), |noise| Noise {
                deviation: noise.deviation.value,
                seed: u64::from(noise.seed),
            }),
            delay: spec.delay.value,
            period: spec.period.value,
        })
    }

    fn measure(&self, spec: &MeasureSpec, path: &Path) -> Result<Measure, Problem> {
        let body = |kind: &str, name: &str| self.bodies.find(name, &path.key(kind).key("body"));
        let between = |kind: &str, names: &[String; 2]| -> Result<_, Problem> {
            let path = path.key(kind).key("between");
            let a = self.bodies.find(&names[0], &path.index(0))?;
            Ok((a, self.bodies.find(&names[1], &path.index(1))?))
        };
        let joint = |kind: &str, name: &str| self.joint_named(name, &path.key(kind).key("joint"));
        Ok(match spec {
            MeasureSpec::Position(at) => {
                Measure::Position { body: body("position", &at.body)?, point: vec3(&at.point) }
            }
            MeasureSpec::Orientation { body: name } => {
                Measure::Orientation { body: body("orientation", name)? }
            }
            MeasureSpec::Velocity(at) => Measure::Velocity {
                body: body("velocity", &at.body)?,
                point: vec3(&at.point),
                axes: axes(at.frame),
            },
            MeasureSpec::AngularVelocity { body: name, frame } => {
                Measure::AngularVelocity { body: body("angular_velocity", name)?, axes: axes(*frame) }
            }
            MeasureSpec::Acceleration(at) => Measure::Acceleration {
                body: body("acceleration", &at.body)?,
                point: vec3(&at.point),
                axes: axes(at.frame),
            },
            MeasureSpec::AngularAcceleration { body: name, frame } => {
                Measure::AngularAcceleration { body: body("angular_acceleration", name)?, axes: axes(*frame) }
            }
            MeasureSpec::Accelerometer(at) => {
                Measure::Accelerometer { body: body("accelerometer", &at.body)?, point: vec3(&at.point) }
            }
            MeasureSpec::JointPosition(name) => {
                let (joint, coordinate, _) = self.position(name, &path.key("joint_position"))?;
                Measure::JointPosition { joint, coordinate }
            }
            MeasureSpec::JointRate(name) => {
                let (joint, coordinate, _) = self.coordinate(name, &path.key("joint_rate"), true)?;
                Measure::JointRate { joint, coordinate }
            }
            MeasureSpec::JointEffort(name) => {
                let (joint, coordinate, _) = self.coordinate(name, &path.key("joint_effort"), true)?;
                Measure::JointEffort { joint, coordinate }
            }
            MeasureSpec::CutForce(cut) => {
                Measure::CutForce { joint: joint("cut_force", &cut.joint)?, axes: axes(cut.frame) }
            }
            MeasureSpec::CutTorque(cut) => {
                Measure::CutTorque { joint: joint("cut_torque", &cut.joint)?, axes: axes(cut.frame) }
            }
            MeasureSpec::Distance { between: names, point_a, point_b } => {
                let (a, b) = between("distance", names)?;
                Measure::Distance { a, point_a: vec3(point_a), b, point_b: vec3(point_b) }
            }
            MeasureSpec::Clearance { between: names } => {
                let (a, b) = between("clearance", names)?;
                Measure::Clearance { a, b }
            }
            MeasureSpec::Range { body: name, point, direction: along, maximum } => Measure::Range {
                body: body("range", name)?,
                point: vec3(point),
                direction: direction(vec3(along), &path.key("range").key("direction"))?,
                maximum: maximum.value,
            },
            MeasureSpec::Inside { body: name, point, of } => Measure::Inside {
                body: body("inside", name)?,
                point: vec3(point),
                of: self.with_an_inside(of, &path.key("inside").key("of"))?,
            },
        })
    }

    /// A body that has an inside, as far as its meshes go.
    fn with_an_inside(&self, name: &str, path: &Path) -> Result<BodyId, Problem> {
        let id = self.bodies.find(name, path)?;
        for (shape, _, _) in &self.builder.bodies()[id.index()].shapes {
            let Shape::Mesh(mesh) = shape else { continue };
            if let Some(why) = mesh.why_not_closed() {
                let message = format!("the mesh of '{name}' is not closed ({why}), so that it has no inside");
                let help = "close its surface in the program that made it, or give it `convex = \"hull\"`, or make the body of boxes and cylinders";
                return Err(Problem::new(ErrorKind::Model, path.clone(), message).help(help.to_string()));
            }
        }
        Ok(id)
    }

    /// The sensor, and which of its components, that a text such as `gyro.z` names.
    pub(super) fn sensor_named(&self, text: &str, path: &Path) -> Result<(SensorId, usize), Problem> {
        let wrong = |message: String| Problem::new(ErrorKind::Reference, path.clone(), message);
        let (name, component) = text.split_once('.').map_or((text, None), |(name, c)| (name, Some(c)));
        let Some(index) = self.spec.sensor.position(name) else {
            let help = suggest::help(name, self.spec.sensor.names(), "sensors");
            return Err(wrong(format!("there is no sensor `{name}`")).help(help));
        };
        let components = self.measures[index].components();
        let id = SensorId(index as u32);
        match (component, components) {
            (None, []) => Ok((id, 0)),
            (None, [first, ..]) => {
                let message =
                    format!("the sensor `{name}` shows {} numbers, and one is needed", components.len());
                Err(wrong(message).help(format!("name one of them, such as `{name}.{first}`")))
            }
            (Some(component), _) => match components.iter().position(|c| *c == component) {
                Some(i) => Ok((id, i)),
                None if components.is_empty() => {
                    let message = format!("the sensor `{name}` shows one number, without components");
                    Err(wrong(message).help(format!("write `{name}`")))
                }
                None => {
                    let help = suggest::help(component, components.iter().copied(), "components");
                    Err(wrong(format!("the sensor `{name}` has no component `{component}`")).help(help))
                }
            },
        }
    }
}
