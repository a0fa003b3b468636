//! Contact rules, ignore lists and initial contact memory.

use super::{Bodies, Build};
use crate::error::{ErrorKind, Problem};
use crate::quantity::{NonNegative, PerVelocity, Quantity};
use crate::spec::{
    BristleSpec, ContactSpec, DampingForm, FoundationSpec, FrictionSpec, HertzSpec, ImpactSpec,
    KelvinVoigtSpec, MaterialSpec, NormalSpec, ScenarioSpec,
};
use crate::suggest;
use crate::tree::Path;
use fender_contact::{
    Damping, Elasticity, Foundation, FrictionLaw, Frictionless, Hertz, HertzStiffness, HuntCrossley,
    ImpactLaw, KelvinVoigt, Linear, Normal, NormalLaw, ParameterError, Restitution, patch::stiffness,
};
use fender_engine::ImpactRule;
use fender_engine::model::InitialContact;
use std::collections::BTreeSet;

impl Build<'_> {
    pub(super) fn contacts(&mut self) -> Result<(), Problem> {
        let spec = self.spec;
        let mut seen = BTreeSet::new();
        for (i, contact) in spec.contact.iter().enumerate() {
            let path = Path::root().key("contact").index(i);
            let [a, b] = &contact.between;
            let ids = [
                self.material(a, &path.key("between").index(0))?,
                self.material(b, &path.key("between").index(1))?,
            ];
            for id in ids {
                self.materials_used[id.index()] = true;
            }
            if !seen.insert((ids[0].min(ids[1]), ids[0].max(ids[1]))) {
                let message = format!("there is already a rule for `{a}` on `{b}`");
                return Err(Problem::new(ErrorKind::Key, path.key("between"), message));
            }
            let impact =
                contact.impact.as_ref().map(|spec| impact_rule(spec, &path.key("impact"))).transpose()?;
            let normal = match (&contact.normal, &impact) {
                (Some(normal), _) => self.normal(normal, [a, b], &path.key("normal"))?,
                (None, Some(_)) => self.lasting(ids, [a, b]).into(),
                (None, None) => {
                    let message = format!("the rule for `{a}` on `{b}` has neither `normal` nor `impact`");
                    let help = "give the law of the force, such as `normal.linear`, or `impact`".to_string();
                    return Err(Problem::new(ErrorKind::Key, path, message).help(help));
                }
            };
            let friction: Box<dyn FrictionLaw> = match (&contact.friction, &contact.impact) {
                (Some(friction), _) => self.friction(friction, [a, b], &path.key("friction"))?,
                (None, Some(impact)) if impact.coefficient.value > 0.0 => {
                    let fixed = impact.static_coefficient.unwrap_or(impact.coefficient);
                    let spec = BristleSpec::of(fixed.value, impact.coefficient.value);
                    self.friction(&FrictionSpec::Bristle(spec), [a, b], &path.key("impact"))?
                }
                _ => Box::new(Frictionless),
            };
            let rule = self.builder.contact(ids[0], ids[1], normal, friction);
            if let Some(time) = contact.relaxation {
                self.builder.relaxation(rule, time.value);
            }
            if let Some(impact) = impact {
                self.builder.impact(rule, impact);
            }
        }
        self.warn_of_unused_layers();
        Ok(())
    }

    fn normal(&self, spec: &NormalSpec, materials: [&str; 2], path: &Path) -> Result<Normal, Problem> {
        let law: Box<dyn NormalLaw> = match spec {
            NormalSpec::Hertz(hertz) => {
                let path = path.key("hertz");
                let stiffness = self.hertz_stiffness(hertz, materials, &path)?;
                let law = Hertz::new(
                    stiffness,
                    restitution(hertz.restitution.value, hertz.restitution_slope),
                    damping(hertz.damping),
                    hertz.small_speed.value,
                );
                Box::new(law.map_err(|e| refused(e, &path))?)
            }
            NormalSpec::Linear(linear) => {
                let law = Linear::new(
                    linear.stiffness.value,
                    restitution(linear.restitution.value, linear.restitution_slope),
                    damping(linear.damping),
                    linear.small_speed.value,
                );
                Box::new(law.map_err(|e| refused(e, &path.key("linear")))?)
            }
            NormalSpec::KelvinVoigt(spec) => Box::new(kelvin_voigt(spec, &path.key("kelvin_voigt"))?),
            NormalSpec::HuntCrossley(spec) => {
                let n = spec.exponent.value;
                let p = spec.depth_exponent.map_or(n, |p| p.value);
                let exponents = [n, p, spec.speed_exponent.value];
                let law = HuntCrossley::new(spec.stiffness.value, spec.damping.value, exponents);
                Box::new(law.map_err(|e| refused(e, &path.key("hunt_crossley")))?)
            }
            NormalSpec::Foundation(spec) => {
                return Ok(self.foundation(spec, materials, &path.key("foundation"))?.into());
            }
        };
        Ok(law.into())
    }

    /// Warns of materials with a layer that no rule takes its stiffness from.
    fn warn_of_unused_layers(&mut self) {
        for (name, _) in self.spec.material.iter().filter(|(_, m)| m.layer.is_some()) {
            let takes_layer = |rule: &ContactSpec| match &rule.normal {
                Some(NormalSpec::Foundation(spec)) => {
                    spec.stiffness.is_none() && spec.hertz.is_none() && spec.patch.is_none()
                }
                _ => false,
            };
            if !self
                .spec
                .contact
                .iter()
                .any(|rule| rule.between.iter().any(|m| m == name) && takes_layer(rule))
            {
                self.warnings.push(format!(
                    "the `layer` of the material `{name}` is not used: it takes a contact rule with `normal.foundation` and no \
                     stiffness of its own"
                ));
            }
        }
    }

    fn foundation(
        &self,
        spec: &FoundationSpec,
        materials: [&str; 2],
        path: &Path,
    ) -> Result<Foundation, Problem> {
        let stiffness = match (&spec.stiffness, &spec.hertz, &spec.patch) {
            (Some(k), None, None) => k.value,
            (None, Some(hertz), None) => {
                let path = path.key("hertz");
                let modulus = self.effective_modulus(materials, &path, "`stiffness` [N/m^3] here")?;
                stiffness::of_hertz(modulus, hertz.radius.value, hertz.load.value)
            }
            (None, None, Some(patch)) => {
                let (ball, radius) = (patch.radius.value, patch.patch_radius.value);
                stiffness::of_patch(ball, radius, patch.load.value).ok_or_else(|| {
                    let message =
                        format!("must be below the radius of the ball, {ball} m, and is {radius} m");
                    Problem::new(ErrorKind::Value, path.key("patch").key("patch_radius"), message)
                })?
            }
            (None, None, None) => self.layers(materials, path)?,
            _ => {
                let message = "expected only one of `stiffness`, `hertz` and `patch`";
                return Err(Problem::new(ErrorKind::Key, path.clone(), message));
            }
        };
        let restitution = restitution(spec.restitution.value, spec.restitution_slope);
        Foundation::new(stiffness, restitution, damping(spec.damping), spec.small_speed.value)
            .map_err(|e| refused(e, path))
    }

    /// Stiffness per volume of the materials' layers in series; a material without a layer is rigid.
    fn layers(&self, materials: [&str; 2], path: &Path) -> Result<f64, Problem> {
        let mut both = f64::INFINITY;
        for name in materials {
            let material = self.spec.material.iter().find(|(n, _)| *n == name).map(|(_, m)| m);
            let Some(layer) = material.and_then(|m| m.layer) else { continue };
            let Some(young) = material.and_then(MaterialSpec::youngs_modulus) else {
                let message = format!("the material `{name}` has a `layer` and no `youngs_modulus`");
                let help = format!("add `youngs_modulus` to [material.{name}]");
                return Err(Problem::new(ErrorKind::Key, path.clone(), message).help(help));
            };
            both = stiffness::in_series(both, stiffness::of_layer(young, layer.value));
        }
        if both.is_finite() {
            return Ok(both);
        }
        let [a, b] = materials;
        let message = format!("both sides are rigid: neither `{a}` nor `{b}` has a `layer`");
        let help = format!(
            "give the softer material a layer, such as `layer = \"10 mm\"` with its `youngs_modulus` in [material.{a}], or the \
             pair a `stiffness` [N/m^3] here"
        );
        Err(Problem::new(ErrorKind::Key, path.clone(), message).help(help))
    }

    /// The stiffness that was given, or that of the materials.
    fn hertz_stiffness(
        &self,
        hertz: &HertzSpec,
        materials: [&str; 2],
        path: &Path,
    ) -> Result<HertzStiffness, Problem> {
        if let Some(k) = hertz.stiffness {
            return Ok(HertzStiffness::Given(k.value));
        }
        let e_star = self.effective_modulus(materials, path, "`stiffness` [N/m^1.5] here")?;
        Ok(HertzStiffness::Material { e_star })
    }

    /// Effective modulus E* of two materials [Pa].
    fn effective_modulus(&self, materials: [&str; 2], path: &Path, instead: &str) -> Result<f64, Problem> {
        let elasticity = |name: &str| {
            let material = self.spec.material.iter().find(|(n, _)| *n == name).map(|(_, m)| m);
            let young = material.and_then(MaterialSpec::youngs_modulus);
            let poisson = material.and_then(MaterialSpec::poisson_ratio);
            match (young, poisson) {
                (Some(young), Some(poisson)) => Ok(Elasticity { young, poisson }),
                (young, _) => {
                    let key = if young.is_none() { "youngs_modulus" } else { "poisson_ratio" };
                    let message = format!(
                        "without a `stiffness` it follows from the materials, and the material `{name}` has no `{key}`"
                    );
                    let help = format!(
                        "add `{key}` to [material.{name}], or `like = \"steel\"` (see `fender materials`), or {instead}"
                    );
                    Err(Problem::new(ErrorKind::Key, path.clone(), message).help(help))
                }
            }
        };
        let (a, b) = (elasticity(materials[0])?, elasticity(materials[1])?);
        Elasticity::effective_modulus(a, b).map_err(|e| refused(e, path))
    }

    pub(super) fn ignores(&mut self) -> Result<(), Problem> {
        let spec = self.spec;
        for (i, ignore) in spec.ignore.iter().enumerate() {
            let path = Path::root().key("ignore").index(i);
            match (&ignore.bodies, &ignore.groups) {
                (Some([a, b]), None) => {
                    let path = path.key("bodies");
                    let first = self.bodies.find_all(a, &path.index(0))?;
                    let second = self.bodies.find_all(b, &path.index(1))?;
                    if first.len() * second.len() > 1_000_000 {
                        let message = "these are more than a million pairs of bodies";
                        let help = "give the bodies a `group` and ignore the groups".to_string();
                        return Err(Problem::new(ErrorKind::Value, path, message).help(help));
                    }
                    for a in &first {
                        for b in second.iter().filter(|b| *b != a) {
                            self.builder.ignore(*a, *b);
                        }
                    }
                }
                (None, Some([a, b])) => {
                    let path = path.key("groups");
                    let (a, b) = (self.find_group(a, &path.index(0))?, self.find_group(b, &path.index(1))?);
                    self.builder.ignore_groups(a, b);
                }
                _ => {
                    let message = "expected either `bodies` or `groups`";
                    return Err(Problem::new(ErrorKind::Key, path, message));
                }
            }
        }
        Ok(())
    }

    fn find_group(&self, name: &str, path: &Path) -> Result<u32, Problem> {
        self.groups.get(name).copied().ok_or_else(|| {
            let help = suggest::help(name, self.groups.keys().map(String::as_str), "groups");
            let message = format!("no body is in the group `{name}`");
            Problem::new(ErrorKind::Reference, path.clone(), message).help(help)
        })
    }

    pub(super) fn initial_contacts(&mut self) -> Result<(), Problem> {
        let spec = self.spec;
        for (i, contact) in spec.initial_contact.iter().enumerate() {
            let path = Path::root().key("initial_contact").index(i).key("between");
            let [a, b] = &contact.between;
            let between = (self.bodies.find(a, &path.index(0))?, self.bodies.find(b, &path.index(1))?);
            if between.0 == between.1 {
                return Err(Problem::new(
                    ErrorKind::Value,
                    path,
                    "a contact is between two different bodies",
                ));
            }
            self.builder.initial_contact(InitialContact {
                between,
                impact_speed: contact.impact_speed.value,
                dwell: contact.dwell.value,
            });
        }
        Ok(())
    }
}

fn impact_rule(spec: &ImpactSpec, path: &Path) -> Result<ImpactRule, Problem> {
    let (mu, mu_s) = (spec.coefficient.value, spec.static_coefficient.map(|c| c.value));
    if let Some(mu_s) = mu_s.filter(|mu_s| *mu_s < mu) {
        let message = format!(
            "friction that sticks is not below friction that slips: {mu_s} is below the coefficient {mu}"
        );
        return Err(Problem::new(ErrorKind::Value, path.key("static_coefficient"), message));
    }
    let law = ImpactLaw::new(spec.restitution.value, mu, mu_s.unwrap_or(mu)).map_err(|e| refused(e, path))?;
    ImpactRule::new(law, spec.small_speed.value).map_err(|e| refused(e, path))
}

fn kelvin_voigt(spec: &KelvinVoigtSpec, path: &Path) -> Result<KelvinVoigt, Problem> {
    let stiffness = spec.stiffness.value;
    let law = match (spec.damping, spec.restitution, spec.reduced_mass) {
        (Some(damping), None, None) => KelvinVoigt::new(stiffness, damping.value),
        (None, Some(restitution), Some(mass)) => {
            KelvinVoigt::with_restitution(stiffness, restitution.value, mass.value)
        }
        _ => {
            let message = "expected either `damping`, or `restitution` with `reduced_mass`";
            return Err(Problem::new(ErrorKind::Key, path.clone(), message));
        }
    };
    law.map_err(|e| refused(e, path))
}

fn restitution(value: f64, slope: Option<Quantity<PerVelocity, NonNegative>>) -> Restitution {
    match slope {
        Some(slope) => Restitution::Falling { at_rest: value, slope: slope.value },
        None => Restitution::Constant(value),
    }
}

fn damping(form: DampingForm) -> Damping {
    match form {
        DampingForm::Exact => Damping::Exact,
        DampingForm::HuntCrossley => Damping::HuntCrossley,
        DampingForm::LankaraniNikravesh => Damping::LankaraniNikravesh,
    }
}

pub(super) fn refused(error: ParameterError, path: &Path) -> Problem {
    Problem::new(ErrorKind::Value, path.clone(), error.to_string())
}

/// The normal law of the rule between two bodies that cannot serve them: Hertz' law from materials on flat faces, or a foundation where
/// there is no patch.
pub(super) fn unfit_rule(spec: &ScenarioSpec, bodies: &Bodies, a: &str, b: &str) -> Option<Path> {
    let materials = |name: &str| {
        let key = bodies.ids.get(name).and_then(|id| bodies.list.get(id.index())).map(|(key, _)| key)?;
        let (_, body) = spec.body.iter().find(|(n, _)| n == key)?;
        let parts = body.shapes.iter().flatten().filter_map(|p| p.material.clone());
        Some(parts.chain(body.material.clone()).collect::<BTreeSet<_>>())
    };
    let (of_a, of_b) = (materials(a)?, materials(b)?);
    spec.contact.iter().enumerate().find_map(|(index, c)| {
        let [x, y] = &c.between;
        let fits = (of_a.contains(x) && of_b.contains(y)) || (of_a.contains(y) && of_b.contains(x));
        let law = match &c.normal {
            Some(NormalSpec::Hertz(h)) if h.stiffness.is_none() => "hertz",
            Some(NormalSpec::Foundation(_)) => "foundation",
            _ => return None,
        };
        fits.then(|| Path::root().key("contact").index(index).key("normal").key(law))
    })
}
