//! Run settings and expectations.

use crate::error::{ErrorKind, Problem};
use crate::scenario::{Check, Expect, RunSettings, When};
use crate::spec::{AdaptiveSpec, At, ExpectSpec, MethodSpec, ScenarioSpec};
use crate::tree::Path;
use fender_engine::IntegratorSpec;
use fender_engine::integrator::{Adaptive, AlphaMethod};

pub(super) fn settings(scenario: &ScenarioSpec) -> Result<RunSettings, Problem> {
    let adaptive = |s: &AdaptiveSpec| Adaptive {
        relative: s.relative_tolerance.value,
        absolute: s.absolute_tolerance.value,
        max_step: s.max_step.value,
    };
    let path = Path::root().key("run").key("integrator");
    let alpha = |step: f64, method, iterations, halvings, real_time: Option<u32>| {
        let too_many = |key: &str, range: &str| {
            Problem::new(ErrorKind::Value, path.key(method_name(method)).key(key), range)
        };
        if !(1..=1000).contains(&iterations) {
            return Err(too_many("iterations", "from 1 to 1000"));
        }
        if halvings > 20 {
            return Err(too_many("halvings", "from 0 to 20"));
        }
        if real_time.is_some_and(|count| !(1..=100).contains(&count)) {
            return Err(too_many("real_time", "from 1 to 100"));
        }
        let iterations = real_time.unwrap_or(iterations);
        Ok(IntegratorSpec::Alpha { step, method, iterations, halvings, real_time: real_time.is_some() })
    };
    let integrator = match &scenario.method() {
        MethodSpec::ExplicitEuler(s) => IntegratorSpec::ExplicitEuler { step: s.step.value },
        MethodSpec::SemiImplicitEuler(s) => IntegratorSpec::SemiImplicitEuler { step: s.step.value },
        MethodSpec::Rk3(s) => IntegratorSpec::Rk3 { step: s.step.value },
        MethodSpec::Rk4(s) => IntegratorSpec::Rk4 { step: s.step.value },
        MethodSpec::Rk5(s) => IntegratorSpec::Rk5 { step: s.step.value },
        MethodSpec::Newmark(s) => {
            alpha(s.step.value, AlphaMethod::Newmark, s.iterations, s.halvings, s.real_time)?
        }
        MethodSpec::Hht(s) => {
            let damping = s.damping.value;
            if damping > 1.0 / 3.0 {
                let message = format!("the damping goes from 0 to 1/3, and this is {damping}");
                return Err(Problem::new(ErrorKind::Value, path.key("hht").key("damping"), message));
            }
            alpha(s.step.value, AlphaMethod::Hht { damping }, s.iterations, s.halvings, s.real_time)?
        }
        MethodSpec::GeneralizedAlpha(s) => {
            let radius = s.radius.value;
            if radius > 1.0 {
                let message = format!("the radius goes up to 1, which damps nothing, and this is {radius}");
                return Err(Problem::new(
                    ErrorKind::Value,
                    path.key("generalized_alpha").key("radius"),
                    message,
                ));
            }
            alpha(
                s.step.value,
                AlphaMethod::GeneralizedAlpha { radius },
                s.iterations,
                s.halvings,
                s.real_time,
            )?
        }
        MethodSpec::Midpoint(s) => {
            if s.halvings > 20 {
                let path = path.key("midpoint").key("halvings");
                return Err(Problem::new(ErrorKind::Value, path, "from 0 to 20"));
            }
            IntegratorSpec::Midpoint { step: s.step.value, halvings: s.halvings }
        }
        MethodSpec::Sdirk4(s) => IntegratorSpec::Sdirk4(adaptive(s)),
        MethodSpec::Rk45(s) => IntegratorSpec::Rk45(adaptive(s)),
        MethodSpec::DormandPrince(s) => IntegratorSpec::DormandPrince(adaptive(s)),
    };
    let duration = scenario.run.duration.value;
    if let Some(step) = integrator.fixed_step().filter(|step| *step > duration) {
        let message = format!("the step ({step} s) is longer than the run ({duration} s)");
        return Err(Problem::new(ErrorKind::Value, path, message));
    }
    Ok(RunSettings { duration, integrator })
}

fn method_name(method: AlphaMethod) -> &'static str {
    IntegratorSpec::Alpha { step: 0.0, method, iterations: 0, halvings: 0, real_time: false }.name()
}

pub(super) fn expects(spec: &ScenarioSpec, duration: f64) -> Result<Vec<Expect>, Problem> {
    let path = |i: usize| Path::root().key("expect").index(i);
    spec.expect.iter().enumerate().map(|(i, e)| expect(e, duration, &path(i))).collect()
}

fn expect(spec: &ExpectSpec, duration: f64, path: &Path) -> Result<Expect, Problem> {
    let key = |message: &str| Problem::new(ErrorKind::Key, path.clone(), message);
    let value = |name: &str, message: String| Problem::new(ErrorKind::Value, path.key(name), message);

    let when = match (spec.at, spec.of) {
        (Some(At::End), None) => When::At(duration),
        (Some(At::Time(t)), None) => {
            if !(0.0..=duration).contains(&t.value) {
                return Err(value(
                    "at",
                    format!("the run lasts from 0 to {duration} s, and this is {} s", t.value),
                ));
            }
            When::At(t.value)
        }
        (None, Some(of)) => {
            let (from, until) =
                (spec.from.map_or(0.0, |t| t.value), spec.until.map_or(duration, |t| t.value));
            if !(from < until && from >= 0.0 && until <= duration) {
                let name = if spec.from.is_some() { "from" } else { "until" };
                let message =
                    format!("expected a part of the run (0 to {duration} s), got {from} s to {until} s");
                return Err(value(name, message));
            }
            When::Over { of, from, until }
        }
        _ => return Err(key("expected either `at` (a time or \"end\") or `of` (a figure over time)")),
    };
    if spec.of.is_none() && (spec.from.is_some() || spec.until.is_some()) {
        return Err(key("`from` and `until` belong to `of`"));
    }

    let check = match (spec.value, spec.tolerance, spec.relative_tolerance, spec.above, spec.below) {
        (Some(value), Some(tolerance), None, None, None) => {
            Check::Near { value: value.value, tolerance: tolerance.value }
        }
        (Some(v), None, Some(relative), None, None) => {
            if v.value == 0.0 {
                let message = "a part of zero is zero: give `tolerance` instead".to_string();
                return Err(value("relative_tolerance", message));
            }
            Check::Near { value: v.value, tolerance: relative.value * v.value.abs() }
        }
        (None, None, None, above, below) if above.is_some() || below.is_some() => {
            let (above, below) = (above.map(|q| q.value), below.map(|q| q.value));
            if let (Some(a), Some(b)) = (above, below)
                && a >= b
            {
                return Err(value("below", format!("nothing is above {a} and below {b}")));
            }
            Check::Within { above, below }
        }
        _ => {
            return Err(key(
                "expected `value` with `tolerance` or `relative_tolerance`, or `above` and/or `below`",
            ));
        }
    };
    Ok(Expect { signal: spec.signal.clone(), when, check, why: spec.why.clone() })
}
