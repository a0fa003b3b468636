//! Force elements.

use super::{Build, BuildError, check_name};
use crate::error::{ErrorKind, Problem};
use crate::quantity::vec3;
use crate::series;
use crate::spec::{DragSpec, ForceSpec, LoadFrame, LoadSpec, SpringSpec};
use crate::tree::Path;
use fender_engine::Force;
use fender_engine::force::{Drag, Load, LoadCurve, Spring};
use fender_math::series::Series;

impl Build<'_> {
    pub(super) fn forces(&mut self) -> Result<(), BuildError> {
        let spec = self.spec;
        for (name, force) in spec.force.iter() {
            let path = Path::root().key("force").key(name);
            check_name(name, &path)?;
            let force: Box<dyn Force> = match force {
                ForceSpec::Spring(spring) => Box::new(self.spring(spring, &path.key("spring"))?),
                ForceSpec::Load(load) => Box::new(self.load(load, &path.key("load"))?),
                ForceSpec::Drag(drag) => Box::new(self.drag(drag, &path.key("drag"))?),
            };
            self.builder.force(name, force);
        }
        Ok(())
    }

    fn spring(&self, spec: &SpringSpec, path: &Path) -> Result<Spring, Problem> {
        let between = path.key("between");
        let a = self.bodies.find(&spec.between[0], &between.index(0))?;
        let b = self.bodies.find(&spec.between[1], &between.index(1))?;
        if a == b {
            let message = "a spring is between two different bodies";
            let help = "for a point of the world add a body with fixed = true".to_string();
            return Err(Problem::new(ErrorKind::Value, between, message).help(help));
        }
        let (point_a, point_b) = (vec3(&spec.point_a), vec3(&spec.point_b));
        let pose = |id: fender_engine::BodyId| self.bodies.list[id.index()].1;
        let distance = (pose(b).transform_point(point_b) - pose(a).transform_point(point_a)).length();
        let rest_length = spec.rest_length.map_or(distance, |l| l.value);
        Ok(Spring {
            a,
            point_a,
            b,
            point_b,
            stiffness: spec.stiffness.value,
            damping: spec.damping.value,
            rest_length,
            tension_only: spec.tension_only,
        })
    }

    fn load(&mut self, spec: &LoadSpec, path: &Path) -> Result<Load, BuildError> {
        let body = self.bodies.find(&spec.body, &path.key("body"))?;
        let wrong = |key: &str, message: &str| Problem::new(ErrorKind::Key, path.key(key), message);
        let given = spec.force.is_some() || spec.torque.is_some();
        let (force, torque) = (spec.force.unwrap_or_default(), spec.torque.unwrap_or_default());
        let (f, t) = (vec3(&force), vec3(&torque));
        let values = [f.x, f.y, f.z, t.x, t.y, t.z];
        let curve = match (&spec.file, &spec.sine) {
            (Some(_), Some(_)) => {
                return Err(wrong("sine", "a load is from a file or a sine, not both").into());
            }
            (Some(_), None) if given => {
                let key = if spec.force.is_some() { "force" } else { "torque" };
                return Err(wrong(key, "a load from a file has its force and torque there").into());
            }
            (Some(name), None) => {
                let bytes = self.asset(name, &path.key("file"))?;
                let file = series::read(name, &bytes, &["fx", "fy", "fz"], &["tx", "ty", "tz"])?;
                let value = |row: &Vec<f64>| std::array::from_fn(|i| row.get(i).copied().unwrap_or(0.0));
                let values = file.rows.iter().map(value).collect();
                LoadCurve::Series(Series::new(file.times.clone(), values).map_err(|e| file.error(&e))?)
            }
            (None, _) if !given => {
                let problem =
                    Problem::new(ErrorKind::Key, path.clone(), "this load has no `force` and no `torque`");
                return Err(problem.help("give one of them, or a `file`".to_string()).into());
            }
            (None, Some(sine)) => LoadCurve::Sine {
                amplitude: values,
                frequency: sine.frequency.value,
                phase: sine.phase.value,
            },
            (None, None) => LoadCurve::Constant(values),
        };
        let (from, until) = (spec.from.value, spec.until.map_or(f64::INFINITY, |t| t.value));
        if until <= from {
            let message =
                format!("a load must end after it starts, and it lasts from {from} s until {until} s");
            return Err(Problem::new(ErrorKind::Value, path.key("until"), message).into());
        }
        let in_body = spec.frame == LoadFrame::Body;
        Ok(Load { body, point: vec3(&spec.point), in_body, curve, from, until })
    }

    fn drag(&self, spec: &DragSpec, path: &Path) -> Result<Drag, Problem> {
        Ok(Drag {
            body: self.bodies.find(&spec.body, &path.key("body"))?,
            linear: spec.linear.value,
            quadratic: spec.quadratic.value,
            rotational: spec.rotational.value,
            medium_velocity: vec3(&spec.medium_velocity),
        })
    }
}
