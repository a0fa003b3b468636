//! Units that only the model knows: those of what a sensor measures and of what a controller puts out. A quantity there may have
//! any dimension when it is read; this is the list of what it should have had.

use crate::spec::{ControlLawSpec, ProfileSpec, ScenarioSpec};
use crate::tree::Path;
use fender_engine::Model;

/// The quantity at a path should be in one of these units.
#[derive(Debug)]
pub(crate) struct UnitCheck {
    pub path: Path,
    /// The first is the one to tell.
    pub units: Vec<String>,
    /// Whose unit it is: "the sensor", for instance.
    pub whose: &'static str,
}

pub(super) fn checks(spec: &ScenarioSpec, model: &Model) -> Vec<UnitCheck> {
    let mut checks = Vec::new();
    for (sensor, name) in model.sensors.iter().zip(spec.sensor.names()) {
        let path = Path::root().key("sensor").key(name).key("noise").key("deviation");
        checks.push(UnitCheck { path, units: vec![sensor.measure.unit(model).into()], whose: "the sensor" });
    }
    for (controller, (name, spec)) in model.controllers.iter().zip(spec.controller.iter()) {
        let path = Path::root().key("controller").key(name);
        let output = controller.drive.unit(model);
        let mut put = |path: Path, units: Vec<String>, whose| checks.push(UnitCheck { path, units, whose });
        for limit in ["low", "high"] {
            put(path.key("limits").key(limit), vec![output.into()], "the output");
        }
        let inputs = controller.law.inputs();
        let reading = |i: usize| model.sensors[inputs[i].sensor.index()].measure.unit(model);
        let mut target = |path: &Path, course: &ProfileSpec<_>, unit: &str| {
            let rows = |key: &str, n: usize| -> Vec<Path> {
                (0..n).map(|row| path.key(key).index(row).index(1)).collect()
            };
            let keys = |way: &str, keys: [&str; 2]| keys.map(|key| path.key(way).key(key)).to_vec();
            let values: Vec<Path> = match course {
                ProfileSpec::Points(points) => rows("points", points.len()),
                ProfileSpec::Steps(steps) => rows("steps", steps.len()),
                ProfileSpec::Sine(_) => keys("sine", ["amplitude", "mean"]),
                ProfileSpec::Ramp(_) => keys("ramp", ["from", "to"]),
                ProfileSpec::Rate(_) => vec![path.key("rate").key("from")],
                ProfileSpec::Constant(_) => vec![path.clone(), path.key("constant")],
                ProfileSpec::File(_) => Vec::new(),
            };
            for path in values {
                put(path, vec![unit.into()], "the sensor");
            }
            if matches!(course, ProfileSpec::Rate(_)) {
                put(path.key("rate").key("rate"), vec![format!("{unit}/s")], "the sensor's rate");
            }
        };
        match &spec.law {
            ControlLawSpec::Pid(pid) => {
                let path = path.key("law").key("pid");
                let unit = reading(0);
                target(&path.key("target"), &pid.target, unit);
                for (gain, time) in [("kp", ""), ("ki", "/s"), ("kd", "*s")] {
                    put(path.key(gain), per(output, unit, time), "the gain");
                }
            }
            ControlLawSpec::StateFeedback(feedback) => {
                let path = path.key("law").key("state_feedback");
                for (i, term) in feedback.terms.iter().enumerate() {
                    let path = path.key("terms").index(i);
                    target(&path.key("target"), &term.target, reading(i));
                }
                for i in 0..feedback.terms.len() {
                    let path = path.key("terms").index(i);
                    put(path.key("gain"), per(output, reading(i), ""), "the gain");
                }
                put(path.key("offset"), vec![output.into()], "the output");
            }
        }
    }
    checks
}

/// Output per reading, and then per or times seconds; per radian may be left out.
fn per(output: &str, reading: &str, time: &str) -> Vec<String> {
    let whole = |reading: &str| {
        // A quotient takes one factor at a time, from the left.
        if reading.contains(['/', '·']) {
            format!("{output}/({reading}){time}")
        } else {
            format!("{output}/{reading}{time}")
        }
    };
    let mut units = vec![whole(reading)];
    if reading.contains("rad") {
        units.push(whole(&reading.replace("rad", "1")));
    }
    units
}
