//! Friction laws, with the numbers that a file leaves open.

use super::Build;
use super::contact::refused;
use crate::error::{ErrorKind, Problem};
use crate::library;
use crate::spec::{BristleSpec, FrictionSpec, LuacesSpec};
use crate::tree::Path;
use fender_contact::friction::bristles::{
    STANDARD_GRAVITY, critical_damping, passive_stribeck_speed, stiffness_for,
};
use fender_contact::{
    Bristle, Bristles, Coulomb, FrictionLaw, Frictionless, LuGre, Luaces, LuacesRule, ParameterError,
};

/// Slip before break-away, unless told otherwise [m]: little against anything a machine handles.
const PRE_SLIP: f64 = 1e-4;
/// Least Stribeck speed that is chosen [m/s].
const STRIBECK_SPEED: f64 = 0.02;
/// Damping that is chosen, over the critical one of a block under its own weight.
const OVERDAMPED: f64 = 10.0;
/// Stribeck speed that is chosen, over the speed at which damping alone holds the static limit.
const HELD: f64 = 5.0;
/// Steps in which stiction stops a mass, unless told otherwise.
const LUACES_STEPS: f64 = 5.0;
/// Step that stands for those of error control [s].
const COMMON_STEP: f64 = 1e-3;

impl Build<'_> {
    pub(super) fn friction(
        &mut self,
        spec: &FrictionSpec,
        materials: [&str; 2],
        path: &Path,
    ) -> Result<Box<dyn FrictionLaw>, Problem> {
        Ok(match spec {
            FrictionSpec::None => Box::new(Frictionless),
            FrictionSpec::Coulomb(c) => {
                let law = Coulomb::new(c.coefficient.value, c.regularisation_speed.value);
                Box::new(law.map_err(|e| refused(e, &path.key("coulomb")))?)
            }
            FrictionSpec::Bristle(spec) => {
                Box::new(self.bristle(spec, &name(materials), &path.key("bristle"))?)
            }
            FrictionSpec::Lugre(spec) => {
                let path = path.key("lugre");
                for (key, given) in [
                    ("dwell_time", spec.dwell_time.is_some()),
                    ("tolerance_speed", spec.tolerance_speed.is_some()),
                ] {
                    if given {
                        let message = format!("the LuGre model has no `{key}`");
                        let help = "leave it out, or take `friction.bristle`".to_string();
                        return Err(Problem::new(ErrorKind::Key, path.key(key), message).help(help));
                    }
                }
                let (fixed, bristles) = self.bristles(spec, &name(materials), &path)?;
                let speed = spec
                    .stribeck_speed
                    .map_or_else(|| self.stribeck_speed(fixed, &bristles, &name(materials)), |v| v.value);
                let law = LuGre::new(fixed, spec.coefficient.value, bristles, speed);
                Box::new(law.map_err(|e| refuse(e, &path))?)
            }
            FrictionSpec::Library(spec) => {
                let spec = self.library_friction(&spec.surface, materials, &path.key("library"))?;
                Box::new(self.bristle(&spec, &name(materials), &path.key("library"))?)
            }
            FrictionSpec::Luaces(spec) => {
                Box::new(self.luaces(spec, &name(materials), &path.key("luaces"))?)
            }
        })
    }

    /// Bristles with the library's coefficients for what the two materials are like.
    fn library_friction(
        &mut self,
        surface: &str,
        materials: [&str; 2],
        path: &Path,
    ) -> Result<BristleSpec, Problem> {
        let like = materials.map(|name| {
            let material = self.spec.material.iter().find(|(n, _)| *n == name);
            material.and_then(|(_, m)| m.like.as_deref()).ok_or(name)
        });
        let [a, b] = match like {
            [Ok(a), Ok(b)] => [a, b],
            [Err(name), _] | [_, Err(name)] => {
                let message = format!("the material `{name}` does not say what it is like");
                let help = format!(
                    "add `like = \"steel\"` to [material.{name}]; `fender materials` lists what there is"
                );
                return Err(Problem::new(ErrorKind::Key, path.clone(), message).help(help));
            }
        };
        let Some(pair) = library::pair(a, b, surface) else {
            let known: Vec<&str> = library::PAIRS
                .iter()
                .filter(|p| p.between == [a, b] || p.between == [b, a])
                .map(|p| p.surface)
                .collect();
            let message = format!("the library has no friction of {a} on {b}, {surface}");
            let help = if known.is_empty() {
                "give the coefficients yourself: `friction.bristle = { coefficient = …, static_coefficient = … }`".into()
            } else {
                format!("it has them {}", known.join(", "))
            };
            return Err(Problem::new(ErrorKind::Reference, path.key("surface"), message).help(help));
        };
        self.choose(
            &name(materials),
            "coefficients",
            &format!("{} static, {} sliding", pair.fixed, pair.sliding),
            pair.source,
        );
        Ok(BristleSpec::of(pair.fixed, pair.sliding))
    }

    fn bristle(&mut self, spec: &BristleSpec, name: &str, path: &Path) -> Result<Bristle, Problem> {
        let (fixed, bristles) = self.bristles(spec, name, path)?;
        let sliding = spec.coefficient.value;
        // Under a load of one for bristles per load; fixed ones are looked at below.
        let least = passive_stribeck_speed(sliding, bristles.damping, 1.0);
        let stribeck =
            spec.stribeck_speed.map_or_else(|| self.stribeck_speed(fixed, &bristles, name), |v| v.value);
        let dwell = spec.dwell_time.map_or(0.0, |t| t.value);
        let v_eps = spec.tolerance_speed.map_or_else(
            || {
                let speed = (0.01 * stribeck).max(1e-9);
                self.choose(
                    name,
                    "tolerance_speed",
                    &format!("{} mm/s", short(1e3 * speed)),
                    "a hundredth of the Stribeck speed",
                );
                speed
            },
            |v| v.value,
        );
        let law =
            Bristle::new(fixed, sliding, bristles, stribeck, dwell, v_eps).map_err(|e| refuse(e, path))?;
        if bristles.per_load && law.passive_load() == 0.0 {
            self.warnings.push(format!(
                "`{name}`: the bristles create energy near the Stribeck speed: at constant load they do not if \
                 stribeck_speed ≥ μ_C/(2σ₁); take stribeck_speed = \"{} mm/s\", or damping = \"{} s/m\"",
                short(1e3 * least * 1.001),
                short(passive_stribeck_speed(sliding, stribeck, 1.0) * 1.001)
            ));
        } else if !bristles.per_load && law.passive_load().is_finite() {
            self.choose(
                name,
                "largest load",
                &format!("{} N", short(law.passive_load())),
                "up to 2σ₁v_S/μ_C fixed bristles create no energy",
            );
        }
        let time = bristles.time();
        if dwell > 0.0 && dwell < 10.0 * time {
            self.warnings.push(format!(
                "`{name}`: a dwell_time of {} s is less than 10 times that of the bristles, damping/stiffness = {} s: \
                 stiction builds up while they still move; take at least {} s",
                short(dwell),
                short(time),
                short(10.0 * time)
            ));
        }
        Ok(law)
    }

    /// Stribeck speed for bristles that are told nothing [m/s].
    ///
    /// A load that is put on suddenly, such as the weight of a crate on a slope, is held by the damping at first, at speeds up to μ_S/σ₁:
    /// that must still count as sticking.
    fn stribeck_speed(&mut self, fixed: f64, bristles: &Bristles, name: &str) -> f64 {
        let held = if bristles.per_load { HELD * fixed / bristles.damping } else { 0.0 };
        let (speed, why) = if held > STRIBECK_SPEED {
            (held, "5μ_S/σ₁: what sticks is held when its load comes suddenly")
        } else {
            (STRIBECK_SPEED, "slow against most sliding, fast against the rocking of what is put down")
        };
        self.choose(name, "stribeck_speed", &format!("{} mm/s", short(1e3 * speed)), why);
        speed
    }

    /// Coefficient of static friction and bristles.
    fn bristles(&mut self, spec: &BristleSpec, name: &str, path: &Path) -> Result<(f64, Bristles), Problem> {
        let sliding = spec.coefficient.value;
        let fixed = spec.static_coefficient.map_or(sliding, |c| c.value);
        let per_load = [
            ("pre_slip", spec.pre_slip.is_some()),
            ("stiffness", spec.stiffness.is_some()),
            ("damping", spec.damping.is_some()),
            ("viscosity", spec.viscosity.is_some()),
        ];
        let at_all_loads = [
            ("fixed_stiffness", spec.fixed_stiffness.is_some()),
            ("fixed_damping", spec.fixed_damping.is_some()),
            ("fixed_viscosity", spec.fixed_viscosity.is_some()),
        ];
        let first =
            |keys: &[(&'static str, bool)]| keys.iter().find(|(_, given)| *given).map(|(key, _)| *key);
        match (first(&per_load), first(&at_all_loads)) {
            (Some(one), Some(other)) => {
                let message = format!("`{one}` goes with the load and `{other}` does not: give one kind");
                return Err(Problem::new(ErrorKind::Key, path.key(other), message));
            }
            (_, Some(_)) => {
                let (Some(stiffness), Some(damping)) = (spec.fixed_stiffness, spec.fixed_damping) else {
                    let message = "fixed bristles need both `fixed_stiffness` and `fixed_damping`";
                    return Err(Problem::new(ErrorKind::Key, path.clone(), message));
                };
                let viscosity = spec.fixed_viscosity.map_or(0.0, |v| v.value);
                return Ok((fixed, Bristles::fixed(stiffness.value, damping.value, viscosity)));
            }
            _ => {}
        }
        if let (Some(_), Some(_)) = (spec.pre_slip, spec.stiffness) {
            let message = "`stiffness` and `pre_slip` say the same thing twice: give one of them";
            return Err(Problem::new(ErrorKind::Key, path.key("pre_slip"), message));
        }
        let stiffness = match (spec.stiffness, spec.pre_slip) {
            (Some(stiffness), _) => stiffness.value,
            (None, given) => {
                let slip = given.map_or(PRE_SLIP, |slip| slip.value);
                // Without friction any stiffness will do.
                let stiffness = stiffness_for(fixed.max(1e-6), slip);
                let why = format!("μ_S over a pre_slip of {} mm", short(1e3 * slip));
                self.choose(name, "stiffness", &format!("{} 1/m", short(stiffness)), &why);
                stiffness
            }
        };
        let damping = spec.damping.map_or_else(
            || {
                let own = self.spec.world.gravity.iter().map(|g| g.value * g.value).sum::<f64>().sqrt();
                let gravity = if own > 0.0 { own } else { STANDARD_GRAVITY };
                let damping = OVERDAMPED * critical_damping(stiffness, gravity);
                let why = "ten times critical for a block under its own weight, 20√(σ₀/g): a load put on suddenly is held";
                self.choose(name, "damping", &format!("{} s/m", short(damping)), why);
                damping
            },
            |damping| damping.value,
        );
        let viscosity = spec.viscosity.map_or(0.0, |v| v.value);
        Ok((fixed, Bristles::per_load(stiffness, damping, viscosity)))
    }

    fn luaces(&mut self, spec: &LuacesSpec, name: &str, path: &Path) -> Result<Luaces, Problem> {
        let sliding = spec.coefficient.value;
        let fixed = spec.static_coefficient.map_or(sliding, |c| c.value);
        let given = (spec.stiffness, spec.damping, spec.transition_speed);
        let (stiffness, damping, speed) = if let (Some(k), Some(c), Some(v)) = given {
            (k.value, c.value, v.value)
        } else {
            let Some(mass) = spec.mass else {
                let message = "expected `mass`, or all of `stiffness`, `damping` and `transition_speed`";
                let help =
                    "`mass` is what one contact carries; the others follow from it and the step".to_string();
                return Err(Problem::new(ErrorKind::Key, path.clone(), message).help(help));
            };
            let own = self.spec.world.gravity.iter().map(|g| g.value * g.value).sum::<f64>().sqrt();
            let rule = LuacesRule {
                steps: spec.steps.map_or(LUACES_STEPS, |n| n.value),
                step: super::run::settings(self.spec)?.integrator.fixed_step().unwrap_or(COMMON_STEP),
                mass: mass.value,
                gravity: if own > 0.0 { own } else { STANDARD_GRAVITY },
            };
            let stiffness = spec.stiffness.map_or_else(|| rule.stiffness(), |k| k.value);
            let damping = spec.damping.map_or_else(|| 2.0 * (stiffness * mass.value).sqrt(), |c| c.value);
            let speed = spec.transition_speed.map_or_else(|| rule.transition_speed(sliding), |v| v.value);
            let why = format!("stops {} kg within {} steps", short(mass.value), short(rule.steps));
            for (key, value, chosen) in [
                ("stiffness", format!("{} N/m", short(stiffness)), spec.stiffness.is_none()),
                ("damping", format!("{} N*s/m", short(damping)), spec.damping.is_none()),
                ("transition_speed", format!("{} mm/s", short(1e3 * speed)), spec.transition_speed.is_none()),
            ] {
                if chosen {
                    self.choose(name, key, &value, &why);
                }
            }
            (stiffness, damping, speed)
        };
        let drag = spec.drag.value;
        let law = Luaces::new((fixed, sliding), stiffness, damping, spec.viscosity.value, speed, drag);
        law.map_err(|e| refuse(e, path))
    }

    fn choose(&mut self, name: &str, key: &str, value: &str, why: &str) {
        self.chosen.push(format!("{name}: {key} = {value} ({why})"));
    }
}

/// A refused parameter, at the key that it comes from where that is known.
fn refuse(error: ParameterError, path: &Path) -> Problem {
    match error {
        ParameterError::Static { .. } => refused(error, &path.key("static_coefficient")),
        _ => refused(error, path),
    }
}

/// A rule's name in messages.
fn name([a, b]: [&str; 2]) -> String {
    format!("contact {a}-{b}")
}

/// A number for people: four digits.
fn short(value: f64) -> String {
    if value != 0.0 && !(1e-3..1e5).contains(&value.abs()) {
        return format!("{value:.3e}");
    }
    let text = format!("{value:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}
