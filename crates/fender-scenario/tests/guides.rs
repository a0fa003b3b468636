//! Cables that run through rings and over sheaves: how they begin.

use fender_engine::{CableId, World};
use fender_scenario::{Assets, Scenario, ScenarioError, load_str};

/// A cable between two fixed ends, around a wheel of 0.3 m (or through a ring) at 10 m height in the middle of its way.
struct Case {
    kind: &'static str,
    /// Angle by which it goes around [°].
    wrap: f64,
    /// Straight lengths on both sides [m].
    legs: [f64; 2],
    /// Cable as part of the way, less one.
    extra: f64,
    elements: usize,
    /// More keys.
    shape: &'static str,
    at: Option<f64>,
    bending: f64,
    axis: [f64; 3],
}

impl Default for Case {
    fn default() -> Self {
        Self {
            kind: "sheave",
            wrap: 180.0,
            legs: [8.0, 12.0],
            extra: 0.0,
            elements: 20,
            shape: "rest",
            at: None,
            bending: 0.0,
            axis: [0.0, 1.0, 0.0],
        }
    }
}

impl Case {
    const RADIUS: f64 = 0.3;

    /// Length of the way [m].
    fn way(&self) -> f64 {
        let rim = if self.kind == "sheave" { self.wrap.to_radians() * Self::RADIUS } else { 0.0 };
        self.legs[0] + self.legs[1] + rim
    }

    fn text(&self) -> String {
        let half = 0.5 * self.wrap.to_radians();
        let radius = if self.kind == "sheave" { Self::RADIUS } else { 0.0 };
        // A tangent at the angle b from the top.
        let beside = |b: f64, far: f64| {
            (radius * b.sin() + far * b.cos(), 10.0 + radius * b.cos() - far * b.sin())
        };
        let (a, b) = (beside(-half, -self.legs[0]), beside(half, self.legs[1]));
        let guide = match self.kind {
            "sheave" => format!("sheave = {{ center = [0, 0, 10], axis = {:?}, radius = 0.3, long_way = {} }}", self.axis, self.wrap > 180.0),
            _ => "ring.point = [0, 0, 10]".to_string(),
        };
        let at = self.at.map_or(String::new(), |at| format!("at = {at}, "));
        format!(
            "format = 1\ntitle = \"t\"\n[run]\nduration = 1\nintegrator.generalized_alpha.step = \"1 ms\"\n[line.w]\nmass = \"0.4 kg/m\"\n\
             diameter = \"1 cm\"\naxial.linear = {{ stiffness = \"5 MN\", damping = \"20 kN*s\" }}\nbending.stiffness = {}\nslack = true\n\
             [cable.c]\nline = \"w\"\nlength = {}\nelements = {}\nshape = \"{}\"\nstart = {{ fixed = [{}, 0, {}] }}\n\
             end = {{ fixed = [{}, 0, {}] }}\nalong = [{{ {at}name = \"g\", {guide} }}]\n",
            self.bending,
            self.way() * (1.0 + self.extra),
            self.elements,
            self.shape,
            a.0,
            a.1,
            b.0,
            b.1,
        )
    }

    fn load(&self) -> Result<Scenario, Box<ScenarioError>> {
        load_str("t", &self.text(), &Assets::none(), &[]).map_err(Box::new)
    }

    /// Tensions on both sides, of the elements before and after the one that goes through the guide, and in it [N].
    fn tensions(&self) -> Result<[f64; 3], Box<ScenarioError>> {
        let mut world = World::new(self.load()?.model);
        world.refresh();
        let view = world.cable(CableId(0));
        let e = world.state.cables[0].elements.iter().position(|e| e.is_guided()).expect("one goes through the guide");
        Ok([e - 1, e, e + 1].map(|e| view.element_tension(e)))
    }
}

#[test]
fn any_number_of_elements_rests_over_a_wheel_and_in_a_ring() {
    let mut failed = Vec::new();
    for kind in ["sheave", "ring"] {
        for wrap in [30.0, 90.0, 150.0, 180.0, 220.0] {
            for extra in [-0.001, 0.02, 0.2] {
                for elements in [4, 5, 7, 10, 13, 20, 31, 40, 60] {
                    let case = Case { kind, wrap, extra, elements, ..Case::default() };
                    match case.tensions() {
                        Err(e) => failed.push(format!("{kind} {wrap} {extra} {elements}: {e}")),
                        Ok([a, b, c]) => {
                            let weight = 0.4 * 9.81 * case.way() / elements as f64;
                            if (a - b).abs() > 1.5 * weight || (c - b).abs() > 1.5 * weight {
                                failed.push(format!("{kind} {wrap} {extra} {elements}: {a} {b} {c}"));
                            }
                        }
                    }
                }
            }
        }
    }
    assert!(failed.is_empty(), "{}: {failed:#?}", failed.len());
}
