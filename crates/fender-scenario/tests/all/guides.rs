//! Cables that run through rings and over sheaves: how they begin.

use fender_engine::cable::ElementState;
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
        let beside =
            |b: f64, far: f64| (radius * b.sin() + far * b.cos(), 10.0 + radius * b.cos() - far * b.sin());
        let (a, b) = (beside(-half, -self.legs[0]), beside(half, self.legs[1]));
        let guide = match self.kind {
            "sheave" => format!(
                "sheave = {{ center = [0, 0, 10], axis = {:?}, radius = 0.3, long_way = {} }}",
                self.axis,
                self.wrap > 180.0
            ),
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

    /// Tensions on both sides of the guide less the weight of the cable up to there, T − w·z, by which they are the same without friction [N].
    fn balance(&self) -> Result<[f64; 2], Box<ScenarioError>> {
        let mut world = World::new(self.load()?.model);
        world.refresh();
        let view = world.cable(CableId(0));
        let e = world.state.cables[0]
            .elements
            .iter()
            .position(ElementState::is_guided)
            .expect("one goes through the guide");
        Ok([e - 1, e + 1].map(|e| {
            let height = 0.5 * (view.node(e) + view.node(e + 1)).z - 10.0;
            view.element_tension(e) - 0.4 * 9.81 * height
        }))
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
                    match case.balance() {
                        Err(e) => failed.push(format!("{kind} {wrap} {extra} {elements}: {e}")),
                        Ok([a, b]) => {
                            let weight = 0.4 * 9.81 * case.way() / elements as f64;
                            if (a - b).abs() > 0.1 * weight {
                                failed.push(format!("{kind} {wrap} {extra} {elements}: {a} {b} {weight}"));
                            }
                        }
                    }
                }
            }
        }
    }
    assert!(failed.is_empty(), "{}: {failed:#?}", failed.len());
}

#[test]
fn how_much_is_where_need_not_be_told() {
    // With or without `at`, or with one that is metres off, a taut cable rests with the same tension.
    let with = |at: Option<f64>| Case { at, extra: -0.001, ..Case::default() }.balance().unwrap()[0];
    let right = with(None);
    for at in [3.0, 8.46, 8.5, 12.0] {
        assert!((with(Some(at)) - right).abs() < 0.3, "{at}: {} {right}", with(Some(at)));
    }
    // The way is 8 m, half a turn and 12 m: 0.1 % shorter, 5 kN of 5 MN, and the weight of the legs' middles.
    assert!((right - 5000.0).abs() < 60.0, "{right}");
}

#[test]
fn shapes_follow_the_rim() {
    for shape in ["straight", "catenary"] {
        for wrap in [30.0, 120.0, 180.0, 240.0] {
            let case = Case { shape, wrap, extra: -0.001, elements: 9, ..Case::default() };
            let model = case.load().unwrap().model;
            let mut world = World::new(model);
            world.refresh();
            let view = world.cable(CableId(0));
            // Evenly stretched by 1/0.999 − 1. The weight adds up to 20 N, and moves the catenaries' touch on the rim by a tenth of a
            // millimetre; chords instead of the arc would be 1 mm short, 250 N.
            let near = if shape == "straight" { 1.0 } else { 110.0 };
            for e in 0..world.state.cables[0].elements.len() {
                let tension = view.element_tension(e);
                assert!((tension - 5005.005).abs() < near, "{shape} {wrap} {e}: {tension}");
            }
        }
    }
}

#[test]
fn a_sheave_turned_around_is_refused() {
    let turned = Case { axis: [0.0, -1.0, 0.0], ..Case::default() };
    let error = turned.load().unwrap_err();
    assert_eq!(
        error.to_string(),
        "t/scenario.toml:19:63: `cable.c.along[0].sheave.axis`: by the right-hand rule about this axis, from start to end, the cable would \
         go 187.2° around it; about the opposite axis it goes 180° around"
    );
    assert_eq!(
        error.advice(),
        Some("turn it around: axis = [0, 1, 0]; if it does go so far around, say so with long_way = true")
    );
    let aside = Case { axis: [0.0, -1.0, 0.0], wrap: 90.0, ..Case::default() };
    let error = aside.load().unwrap_err();
    assert!(
        error
            .to_string()
            .contains("the cable would not touch it; about the opposite axis it goes 90° around"),
        "{error}"
    );
    assert_eq!(error.advice(), Some("turn it around: axis = [0, 1, 0]"));
}

#[test]
fn what_has_no_way_is_told() {
    let text = |end: &str, along: &str| {
        let text = Case::default().text();
        let keep = text.split("end = ").next().unwrap_or("").to_string();
        load_str("t", &format!("{keep}{end}\nalong = [{along}]\n"), &Assets::none(), &[]).unwrap_err()
    };
    let ring = "{ name = \"r\", ring.point = [0, 0, 10] }";
    let free = text("", ring);
    assert!(
        free.to_string()
            .contains("`cable.c.along[0]`: the key `at` is missing: an end of the cable has no place"),
        "{free}"
    );
    let lump = text("end = { fixed = [3, 0, 0] }", "{ mass = 3 }");
    assert!(
        lump.to_string().contains("`cable.c.along[0]`: the key `at` is missing: how far along the cable"),
        "{lump}"
    );
    // A weight that would come to the ring before there is balance.
    let order = text("end = { fixed = [3, 0, 0] }", &format!("{ring}, {{ at = 1, mass = 3 }}"));
    assert!(order.to_string().contains("before what is listed before it"), "{order}");
}
