//! Water, wind and seabed.

use super::{Build, BuildError};
use crate::error::{ErrorKind, Problem};
use crate::quantity::vec3;
use crate::spec::{AirySpec, BodyWaterSpec, FlowSpec, StretchingSpec, WaterSpec, WaveSpec};
use crate::tree::Path;
use fender_engine::{Seabed, Surroundings};
use fender_marine::{Airy, AiryWave, Current, MarineError, Ramp, Stretching, Water, Wind};

/// Ursell number above which linear theory does not hold (Hedges 1995: 40; the usual, more careful limit is 26).
const URSELL: f64 = 40.0;

/// Heights that cables need to know of.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Heights {
    /// Density [kg/m³] and still surface [m] of the water.
    pub water: Option<(f64, f64)>,
    /// Bottom [m], of the seabed or of the water.
    pub bottom: Option<f64>,
    /// Whether the bottom carries what lies on it.
    pub carries: bool,
}

impl Build<'_> {
    /// Water does not act on bodies yet: a free one in a scene with water must say that it is left alone.
    pub(super) fn bodies_in_water(&mut self) -> Result<(), Problem> {
        let spec = self.spec;
        for (name, body) in spec.body.iter() {
            let free = !body.fixed && body.driven.is_none();
            let jointed = || spec.joint.iter().any(|(_, joint)| joint.child == name);
            match (&spec.water, body.water) {
                (Some(_), None) if free && !jointed() => {
                    let message = "the body is free in a scene with [water], and bodies do not float yet: it would sink through sea and bed";
                    let help = "fix it (`fixed = true`), drive it (`driven.points`), put it on a joint, or, if the sea may leave it alone, say so: \
                                `water = \"ignored\"`; what holds it up is then a cable, or a force: [force.NAME] load or drag"
                        .to_string();
                    let path = Path::root().key("body").key(name);
                    return Err(Problem::new(ErrorKind::Model, path, message).help(help));
                }
                (Some(_), Some(BodyWaterSpec::Ignored)) if !free => {
                    self.warnings
                        .push(format!("`body.{name}.water` has no effect, because the body is not free"));
                }
                (None, Some(BodyWaterSpec::Ignored)) => {
                    self.warnings
                        .push(format!("`body.{name}.water` has no effect, because there is no [water]"));
                }
                _ => {}
            }
        }
        Ok(())
    }

    pub(super) fn surroundings(&mut self) -> Result<Heights, BuildError> {
        let spec = self.spec;
        let water = spec.water.as_ref().map(|water| self.water(water)).transpose()?;
        let air = spec.wind.as_ref().map(|wind| {
            Wind::new(wind.density.value, vec3(&wind.velocity))
                .map_err(|error| problem(&error, Path::root().key("wind").key("velocity")))
        });
        let below = |water: &WaterSpec| Some(water.surface.value - water.depth?.value);
        let floor = spec.water.as_ref().and_then(below);
        let seabed = match &spec.seabed {
            None => None,
            Some(bed) => {
                let path = Path::root().key("seabed");
                let Some(height) = bed.height.map(|h| h.value).or(floor) else {
                    let message = "the height of the seabed is not known";
                    let help = "give `height`, or `depth` in [water]".to_string();
                    return Err(Problem::new(ErrorKind::Key, path, message).help(help).into());
                };
                // Waves feel little of a hundredth of the depth.
                let depth = spec.water.as_ref().and_then(|w| w.depth).map_or(0.0, |d| d.value);
                let differs = |floor: f64| (floor - height).abs() > 0.01 * depth;
                if let Some(floor) = floor.filter(|floor| differs(*floor)) {
                    self.warnings.push(format!(
                        "the seabed is at {height} m, but the bottom of the water, which waves feel, at {floor} m"
                    ));
                }
                Some(Seabed {
                    height,
                    stiffness: bed.stiffness.value,
                    damping: bed.damping.value,
                    friction: bed.friction.value,
                    shear: bed.shear_stiffness.unwrap_or(bed.stiffness).value,
                })
            }
        };
        let heights = Heights {
            water: spec.water.as_ref().map(|w| (w.density.value, w.surface.value)),
            bottom: seabed.map(|bed| bed.height).or(floor),
            carries: seabed.is_some(),
        };
        self.builder.surroundings(Surroundings {
            water: water.map(|water| Box::new(water) as _),
            air: air.transpose()?.map(|wind| Box::new(wind) as _),
            seabed,
        });
        Ok(heights)
    }

    fn water(&mut self, spec: &WaterSpec) -> Result<Water, BuildError> {
        let path = Path::root().key("water");
        let at = |key: &str| {
            let path = path.key(key);
            move |error: MarineError| problem(&error, path)
        };
        let depth = spec.depth.map_or(f64::INFINITY, |d| d.value);
        let mut water = Water::still(spec.density.value, spec.surface.value, depth).map_err(at("density"))?;
        water = water.with_stretching(match spec.stretching {
            StretchingSpec::Constant => Stretching::Constant,
            StretchingSpec::Wheeler => Stretching::Wheeler,
        });
        if let Some(current) = &spec.current {
            let flow = match &current.flow {
                FlowSpec::Uniform(velocity) => Current::uniform(vec3(velocity)).map_err(at("current"))?,
                FlowSpec::Profile(rows) => {
                    let rows = rows.iter().map(|(height, velocity)| (height.value, vec3(velocity))).collect();
                    Current::profile(rows)
                        .map_err(|error| problem(&error, path.key("current").key("profile")))?
                }
            };
            let factor = self.motion_profile(&current.factor, &path.key("current").key("factor"))?;
            water = water.with_current(flow.with_factor(factor));
        }
        let waves = match (&spec.wave, &spec.waves) {
            (Some(_), Some(_)) => {
                let message = "give either one `wave` or a list of `waves`";
                return Err(Problem::new(ErrorKind::Key, path.key("waves"), message).into());
            }
            (Some(wave), None) => vec![(wave, path.key("wave"))],
            (None, Some(list)) => {
                list.iter().enumerate().map(|(i, wave)| (wave, path.key("waves").index(i))).collect()
            }
            (None, None) => Vec::new(),
        };
        for (wave, path) in waves {
            let WaveSpec::Airy(airy) = wave;
            water = water.with_wave(Box::new(self.airy(airy, depth, &path.key("airy"))?));
        }
        Ok(water)
    }

    fn airy(&mut self, spec: &AirySpec, depth: f64, path: &Path) -> Result<AiryWave, Problem> {
        let gravity = vec3(&self.spec.world.gravity);
        if !(gravity.z < 0.0 && gravity.x == 0.0 && gravity.y == 0.0) {
            let message = "waves need gravity that pulls down, along -z";
            let help = "waves are made by gravity: set world.gravity = [0, 0, -9.81]".to_string();
            return Err(Problem::new(ErrorKind::Value, path.clone(), message).help(help));
        }
        let ramp = match (spec.from, spec.ramp) {
            (None, None) => Ramp::NONE,
            (from, ramp) => Ramp::new(from.map_or(0.0, |t| t.value), ramp.map_or(0.0, |t| t.value))
                .map_err(|error| problem(&error, path.key("ramp")))?,
        };
        let said = Airy {
            amplitude: 0.5 * spec.height.value,
            period: spec.period.value,
            direction: spec.direction.value,
            phase: spec.phase.value,
            depth: if spec.deep { f64::INFINITY } else { depth },
            gravity: -gravity.z,
            ramp,
        };
        let wave = AiryWave::new(said).map_err(|error| problem(&error, path.key("period")))?;
        let (breaking, ursell) = (wave.breaking(), wave.ursell());
        if breaking > 1.0 {
            self.warnings.push(format!(
                "`{path}`: a wave of this period breaks at a height of {:.3} m; linear theory holds far below that",
                spec.height.value / breaking
            ));
        } else if ursell > URSELL {
            self.warnings.push(format!(
                "`{path}`: linear theory does not hold for a wave so high in water so shallow (Ursell number {ursell:.0}, above \
                 {URSELL})"
            ));
        }
        Ok(wave)
    }
}

fn problem(error: &MarineError, path: Path) -> Problem {
    Problem::new(ErrorKind::Value, path, error.to_string())
}
