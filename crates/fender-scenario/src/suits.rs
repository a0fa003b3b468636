//! Which method suits a scene, and which one a file has that names none.

use crate::spec::{FrictionSpec, MethodSpec, ScenarioSpec};

/// Free bodies from which a method without a matrix is the quicker one.
const MANY: usize = 200;

/// A method that suits a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Suited {
    /// Its name and a step, as a file would say.
    pub method: &'static str,
    /// Why.
    pub why: &'static str,
}

/// Whether there are cables, and whether one of them has an end that nothing holds, from the start or after an event.
fn cables(spec: &ScenarioSpec) -> (bool, bool) {
    let is_let_go = |name: &str, end: &str| {
        spec.event
            .iter()
            .filter_map(|event| event.detach.as_deref())
            .any(|tie| tie == format!("{name}.{end}"))
    };
    let free_end = spec.cable.0.iter().any(|(name, cable)| {
        [("start", &cable.start), ("end", &cable.end)].into_iter().any(|(end, spec)| {
            spec.as_ref().is_none_or(|spec| spec.free.is_some() || !spec.attached) || is_let_go(name, end)
        })
    });
    (!spec.cable.0.is_empty(), free_end)
}

impl ScenarioSpec {
    /// The method that the file names, or the one that it has if it names none.
    pub(crate) fn method(&self) -> MethodSpec {
        let (any, free_end) = cables(self);
        self.run.integrator.clone().unwrap_or_else(|| MethodSpec::for_cables(any, free_end))
    }

    /// A method that suits the scene with so many free bodies, whichever the file names.
    pub(crate) fn suited(&self, free: usize) -> Suited {
        let suited = |method, why| Suited { method, why };
        let has_bristles = self
            .contact
            .iter()
            .any(|c| !matches!(c.friction, None | Some(FrictionSpec::Coulomb(_) | FrictionSpec::None)));
        let laws = self.contact.iter().any(|contact| contact.impact.is_none());
        match cables(self) {
            (_, true) => suited(
                "midpoint, 1 ms",
                "a cable with a free end keeps its energy with it, of which generalized_alpha may lose a third",
            ),
            (true, false) => suited(
                "generalized_alpha, 5 to 10 ms",
                "cables are stiff along themselves, and explicit methods would need microseconds",
            ),
            _ if free > MANY => suited(
                "semi_implicit_euler, 0.5 ms",
                "for many bodies a step without a matrix is the quickest",
            ),
            _ if !laws => suited("dormand_prince", "nothing is stiff, and error control finds the step"),
            _ if has_bristles => suited("generalized_alpha, 1 ms", "friction with bristles is stiff"),
            _ => suited(
                "rk4, 0.1 ms",
                "it follows contacts as their laws say, if the step is below their limit",
            ),
        }
    }
}
