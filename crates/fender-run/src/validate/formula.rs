//! Formulas that cases can check without a run.

use super::pendulum;
use fender_contact::damping::{peak_depth, restitution_of_factor};
use fender_contact::{
    Damping, Elasticity, Hertz, HertzStiffness, KelvinVoigt, Linear, Memory, Motion, NormalLaw, PointOverlap,
};
use fender_math::Vec3;

/// A formula by name.
pub struct Formula {
    /// Name in cases.
    pub name: &'static str,
    /// Names of the arguments, with units.
    pub arguments: &'static [(&'static str, &'static str)],
    /// Unit of the result.
    pub unit: &'static str,
    /// The formula; `None` where it has no value.
    pub value: fn(&[f64]) -> Option<f64>,
}

impl std::fmt::Debug for Formula {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Formula").field("name", &self.name).finish_non_exhaustive()
    }
}

const E: (&str, &str) = ("e", "1");
const DEPTH: (&str, &str) = ("depth", "m");
const APPROACH: (&str, &str) = ("approach", "m/s");
const IMPACT: (&str, &str) = ("impact_speed", "m/s");
/// Touches slower than this count as lasting contact in the formulas [m/s]: far below any tabulated speed.
const V_SMALL: f64 = 1e-9;

fn overlap(depth: f64, curvature: f64) -> PointOverlap {
    PointOverlap { point: Vec3::ZERO, normal: Vec3::Z, depth, curvature, elongation: Vec3::ZERO, share: 1.0 }
}

fn force(law: &dyn NormalLaw, depth: f64, approach: f64, impact_speed: f64) -> f64 {
    let motion = Motion { approach, slip: Vec3::ZERO };
    law.rate(&overlap(depth, 0.0), &motion, &Memory { impact_speed, ..Memory::default() }).force
}

/// Restitution that a free impact obtains when `e` is asked for under a damping form.
fn obtained(damping: Damping, e: f64) -> Option<f64> {
    Some(restitution_of_factor(damping.factor(e).ok()?))
}

/// All registered formulas.
pub fn formulas() -> &'static [Formula] {
    &[
        Formula {
            name: "damping_factor.exact",
            arguments: &[E],
            unit: "1",
            value: |a| Damping::Exact.factor(a[0]).ok(),
        },
        Formula {
            name: "damping_factor.hunt_crossley",
            arguments: &[E],
            unit: "1",
            value: |a| Damping::HuntCrossley.factor(a[0]).ok(),
        },
        Formula {
            name: "damping_factor.lankarani_nikravesh",
            arguments: &[E],
            unit: "1",
            value: |a| Damping::LankaraniNikravesh.factor(a[0]).ok(),
        },
        // The same as d = e·y, the form in which Gonthier 2007 tabulates it.
        Formula {
            name: "damping_d.exact",
            arguments: &[E],
            unit: "1",
            value: |a| Some(a[0] * Damping::Exact.factor(a[0]).ok()?),
        },
        Formula {
            name: "damping_d.hunt_crossley",
            arguments: &[E],
            unit: "1",
            value: |a| Some(a[0] * Damping::HuntCrossley.factor(a[0]).ok()?),
        },
        Formula {
            name: "damping_d.lankarani_nikravesh",
            arguments: &[E],
            unit: "1",
            value: |a| Some(a[0] * Damping::LankaraniNikravesh.factor(a[0]).ok()?),
        },
        Formula {
            name: "restitution.exact",
            arguments: &[E],
            unit: "1",
            value: |a| obtained(Damping::Exact, a[0]),
        },
        Formula {
            name: "restitution.hunt_crossley",
            arguments: &[E],
            unit: "1",
            value: |a| obtained(Damping::HuntCrossley, a[0]),
        },
        Formula {
            name: "restitution.lankarani_nikravesh",
            arguments: &[E],
            unit: "1",
            value: |a| obtained(Damping::LankaraniNikravesh, a[0]),
        },
        Formula {
            name: "restitution_ratio.hunt_crossley",
            arguments: &[E],
            unit: "1",
            value: |a| Some(obtained(Damping::HuntCrossley, a[0])? / a[0]),
        },
        Formula {
            name: "restitution_ratio.lankarani_nikravesh",
            arguments: &[E],
            unit: "1",
            value: |a| Some(obtained(Damping::LankaraniNikravesh, a[0])? / a[0]),
        },
        Formula {
            name: "hertz.stiffness",
            arguments: &[
                ("young_a", "Pa"),
                ("poisson_a", "1"),
                ("young_b", "Pa"),
                ("poisson_b", "1"),
                ("radius", "m"),
            ],
            unit: "N/m^1.5",
            value: |a| {
                let body = |young, poisson| Elasticity { young, poisson };
                let stiffness = HertzStiffness::of_materials(body(a[0], a[1]), body(a[2], a[3])).ok()?;
                let law = Hertz::new(stiffness, 1.0, Damping::Exact, V_SMALL).ok()?;
                // At a depth of 1 m the force is the stiffness.
                let at_rest = law.rate(&overlap(1.0, 1.0 / a[4]), &Motion::default(), &Memory::default());
                Some(at_rest.force)
            },
        },
        Formula {
            name: "hertz.force",
            arguments: &[("stiffness", "N/m^1.5"), E, IMPACT, DEPTH, APPROACH],
            unit: "N",
            value: |a| {
                let law = Hertz::new(HertzStiffness::Given(a[0]), a[1], Damping::Exact, V_SMALL).ok()?;
                Some(force(&law, a[3], a[4], a[2]))
            },
        },
        Formula {
            name: "linear.force",
            arguments: &[("stiffness", "N/m"), E, IMPACT, DEPTH, APPROACH],
            unit: "N",
            value: |a| {
                let law = Linear::new(a[0], a[1], Damping::Exact, V_SMALL).ok()?;
                Some(force(&law, a[3], a[4], a[2]))
            },
        },
        Formula {
            name: "kelvin_voigt.restitution",
            arguments: &[("stiffness", "N/m"), ("damping", "N·s/m"), ("mass", "kg")],
            unit: "1",
            value: |a| Some(KelvinVoigt::new(a[0], a[1]).ok()?.restitution(a[2])),
        },
        Formula {
            name: "peak_depth",
            arguments: &[("mass", "kg"), ("stiffness", "N/m^p"), ("exponent", "1"), ("speed", "m/s"), E],
            unit: "m",
            value: |a| Some(peak_depth(a[0], a[1], a[2], a[3], Damping::Exact.factor(a[4]).ok()?)),
        },
        Formula {
            name: "pendulum_impact.rate_1",
            arguments: pendulum::ARGUMENTS,
            unit: "rad/s",
            value: |a| Some(pendulum::strike(a)?.rates[0]),
        },
        Formula {
            name: "pendulum_impact.rate_2",
            arguments: pendulum::ARGUMENTS,
            unit: "rad/s",
            value: |a| Some(pendulum::strike(a)?.rates[1]),
        },
        Formula {
            name: "pendulum_impact.slip",
            arguments: pendulum::ARGUMENTS,
            unit: "m/s",
            value: |a| Some(pendulum::strike(a)?.velocity[0]),
        },
        Formula {
            name: "pendulum_impact.parting",
            arguments: pendulum::ARGUMENTS,
            unit: "m/s",
            value: |a| Some(pendulum::strike(a)?.velocity[1]),
        },
        Formula {
            name: "pendulum_impact.normal_impulse",
            arguments: pendulum::ARGUMENTS,
            unit: "N·s",
            value: |a| Some(pendulum::strike(a)?.impulse[1]),
        },
        Formula {
            name: "pendulum_impact.friction_impulse",
            arguments: pendulum::ARGUMENTS,
            unit: "N·s",
            value: |a| Some(pendulum::strike(a)?.impulse[0]),
        },
        Formula {
            name: "pendulum_impact.compression",
            arguments: pendulum::ARGUMENTS,
            unit: "J",
            value: |a| Some(pendulum::strike(a)?.compression),
        },
        Formula {
            name: "pendulum_impact.friction_work",
            arguments: pendulum::ARGUMENTS,
            unit: "J",
            value: |a| Some(pendulum::strike(a)?.friction),
        },
        Formula {
            name: "pendulum_impact.kinetic",
            arguments: pendulum::ARGUMENTS,
            unit: "J",
            value: |a| Some(pendulum::strike(a)?.kinetic),
        },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(name: &str, arguments: &[f64]) -> f64 {
        let formula = formulas().iter().find(|f| f.name == name).unwrap();
        assert_eq!(formula.arguments.len(), arguments.len());
        (formula.value)(arguments).unwrap()
    }

    #[test]
    fn known_values() {
        // 3/2 (1 − e) and 3/4 (1 − e²) by hand.
        assert_eq!(value("damping_factor.hunt_crossley", &[0.5]), 0.75);
        assert_eq!(value("damping_factor.lankarani_nikravesh", &[0.5]), 0.5625);
        assert!((value("restitution.exact", &[0.3]) - 0.3).abs() < 1e-12);
        // Steel on steel, R = 10 mm: E* = 210e9/(2·0.91), k = 4/3 E* √R.
        let e_star = 210e9 / (2.0 * 0.91);
        let k = value("hertz.stiffness", &[210e9, 0.3, 210e9, 0.3, 0.01]);
        assert!((k / (4.0 / 3.0 * e_star * 0.1) - 1.0).abs() < 1e-12);
        assert_eq!(value("hertz.force", &[1e6, 0.5, 1.0, 0.0, 1.0]), 0.0);
        assert_eq!(value("linear.force", &[1e3, 1.0, 1.0, 0.01, 0.5]), 10.0);
        // A tip that falls straight down without friction parts with the restitution.
        let parting = value("pendulum_impact.parting", &[-1.8, 1.0, -2.0, -2.0, 0.0, 0.0, 0.8]);
        assert!((parting - 0.8 * 2.33242265).abs() < 1e-8);
        // Undamped: ½ m v² = ½ k x².
        assert!((value("peak_depth", &[2.0, 800.0, 1.0, 3.0, 1.0]) - 0.15).abs() < 1e-12);
    }

    #[test]
    fn names_are_unique() {
        let mut names: Vec<&str> = formulas().iter().map(|f| f.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), formulas().len());
    }

    #[test]
    fn impossible_arguments_have_no_value() {
        for formula in formulas().iter().filter(|f| f.arguments == [E]) {
            assert_eq!((formula.value)(&[-1.0]), None, "{}", formula.name);
        }
    }
}
