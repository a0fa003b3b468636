//! Cables in motion.

use fender_engine::cable::{CableSpec, Line, Point, Section, Tie};
use fender_engine::{IntegratorSpec, ModelBuilder, World};
use fender_math::Vec3;
use std::sync::Arc;

fn held(at: Vec3) -> Option<Tie> {
    Some(Tie { point: Point { body: None, at }, clamp: None, attached: true })
}

/// A cable held at its start, drawn straight to its end.
fn hanging(line: Line, length: f64, elements: usize, from: Vec3, to: Vec3) -> CableSpec {
    CableSpec {
        name: "cable".into(),
        sections: vec![Section { line: Arc::new(line), length, elements }],
        ends: [held(from), None],
        along: Vec::new(),
        shape: vec![(0.0, from), (length, to)],
        velocity: Vec3::ZERO,
        settle: false,
        payout: None,
        resolution: None,
    }
}

fn world(spec: CableSpec) -> World {
    let mut builder = ModelBuilder::new();
    builder.gravity(Vec3::new(0.0, 0.0, -9.81));
    builder.cable(spec);
    World::new(builder.build().expect("it is a model"))
}

#[test]
fn a_swinging_cable_keeps_its_energy() {
    let line = Line::new(1.0, 1e5);
    let mut world = world(hanging(line, 2.0, 10, Vec3::ZERO, Vec3::new(0.6, 0.0, -1.9)));
    let integrator = IntegratorSpec::Midpoint { step: 0.005, halvings: 4 }.build();
    let scale = 2.0 * 9.81 * 1.0 * 0.2;
    let mut worst = 0.0_f64;
    for step in 0..20_000 {
        world.step(integrator.as_ref(), f64::INFINITY).expect("it steps");
        if step % 100 == 0 {
            world.refresh();
            let e = world.energy();
            worst = worst.max((e.kinetic + e.potential + e.stored - world.state.account.initial).abs());
        }
    }
    println!("worst {worst} of {scale}, rejected {}", world.state.integrator.rejected);
    assert!(worst < 1e-3 * scale, "{worst} of {scale}");
}

/// Tensions at the ends and the lowest point of an elastic catenary between ends of equal height (Irvine 1981, section 2.2): by
/// bisection for the horizontal force.
fn catenary(span: f64, length: f64, ea: f64, weight: f64) -> (f64, f64, f64) {
    let v = 0.5 * weight * length;
    let reach = |h: f64| h * length / ea + 2.0 * h / weight * (v / h).asinh();
    let (mut low, mut high) = (1e-3, 1e8);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if reach(middle) < span { low = middle } else { high = middle }
    }
    let sag = weight * length * length / (8.0 * ea) + low / weight * ((1.0 + (v / low).powi(2)).sqrt() - 1.0);
    (low, v, sag)
}

#[test]
fn a_cable_settles_into_the_elastic_catenary() {
    let mut last = None;
    for elements in [20, 40, 80, 1000] {
        let line = Line::new(20.0, 1e7);
        let (a, b) = (Vec3::ZERO, Vec3::new(80.0, 0.0, 0.0));
        let mut spec = hanging(line, 100.0, elements, a, b);
        spec.ends[1] = held(b);
        spec.settle = true;
        let time = std::time::Instant::now();
        let mut world = world(spec);
        let (h, v, _) = catenary(80.0, 100.0, 1e7, 20.0 * 9.81);
        world.refresh();
        let end = world.cable(fender_engine::CableId(0)).on_holder(1).force;
        println!("{elements}: {end:?} {h} {v} {:?} {:?}", world.model.cables[0].settled, time.elapsed());
        let error = (end.x.abs() - h).abs() / h;
        if let Some(last) = last {
            assert!(error < 0.27 * last || elements == 1000, "{error} {last}");
        }
        last = Some(error);
    }
}
