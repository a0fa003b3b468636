//! What is read off cables, against shapes and motions whose figures are known.

use fender_engine::cable::{Along, AlongKind, CableSpec, CableView, Line, Lump, Payout, Point, Section, Tie};
use fender_engine::{
    BodyMotion, BodySpec, CableId, EventKind, IntegratorSpec, Model, ModelBuilder, Profile, State, World,
};
use fender_math::{MassProperties, Pose, Twist, Vec3};
use std::sync::Arc;

const CABLE: CableId = CableId(0);

#[allow(clippy::unnecessary_wraps)] // as ends are given
fn fixed(at: Vec3, clamp: Option<Vec3>) -> Option<Tie> {
    Some(Tie { point: Point { body: None, at }, clamp, attached: true })
}

fn section(line: &Line, length: f64, elements: usize) -> Section {
    Section { line: Arc::new(line.clone()), length, elements }
}

fn spec(sections: Vec<Section>, shape: Vec<(f64, Vec3)>) -> CableSpec {
    let ends = [shape.first(), shape.last()].map(|p| fixed(p.expect("it has points").1, None));
    CableSpec {
        name: "c".into(),
        sections,
        ends,
        along: Vec::new(),
        shape,
        velocity: Vec3::ZERO,
        settle: false,
        payout: None,
        resolution: None,
        pace: None,
    }
}

fn world(gravity: f64, spec: CableSpec) -> World {
    let mut builder = ModelBuilder::new();
    builder.gravity(Vec3::new(0.0, 0.0, -gravity));
    builder.cable(spec);
    World::new(builder.build().expect("it is a model"))
}

/// A cable along a quarter of a circle of radius 2, in 12 elements.
fn quarter(line: &Line, clamped: bool) -> World {
    let length = 2.0 * std::f64::consts::FRAC_PI_2;
    let at = |s: f64| Vec3::new((0.5 * s).sin(), 0.0, 1.0 - (0.5 * s).cos()) * 2.0;
    let shape = (0..=12).map(|i| f64::from(i) * length / 12.0).map(|s| (s, at(s))).collect();
    let mut spec = spec(vec![section(line, length, 12)], shape);
    if clamped {
        spec.ends = [fixed(at(0.0), Some(Vec3::X)), fixed(at(length), Some(Vec3::Z))];
    }
    world(0.0, spec)
}

#[test]
fn a_circle_has_its_curvature_and_moment_and_the_spline_lies_on_it() {
    let stiff = Line { bending: 3.0, slack: false, bend_radius: Some(1.0), ..Line::new(1.0, 1e5) };
    let world = quarter(&stiff, true);
    let view = world.cable(CABLE);
    for i in 0..=40 {
        let station = view.at(view.length() * f64::from(i) / 40.0);
        // Clamped as the circle is: the spline's error is of fourth order in place, of second in curvature.
        assert!((station.curvature - 0.5).abs() < 2e-3, "{i}: {}", station.curvature);
        assert!((station.moment - 1.5).abs() < 6e-3, "{i}: {}", station.moment);
        let off = (station.position - Vec3::new(0.0, 0.0, 2.0)).length() - 2.0;
        assert!(off.abs() < 1e-5, "{i}: {off}");
    }
    let found = view.extremes();
    assert!((found.bend_utilisation.value - found.curvature.value).abs() < 1e-15);
    assert!((found.curvature.value - 0.5).abs() < 2e-3);
}

#[test]
fn a_chain_has_the_curvature_of_the_natural_spline() {
    let world = quarter(&Line::new(1.0, 1e5), false);
    let view = world.cable(CABLE);
    let middle = view.at(0.5 * view.length());
    assert!((middle.curvature - 0.5).abs() < 2e-3, "{}", middle.curvature);
    assert_eq!((middle.moment, view.at(0.0).curvature), (0.0, 0.0));
    let found = view.extremes().curvature;
    assert!(found.at > 0.0 && found.at < view.length() && found.value < 0.75, "{found:?}");
    let curve = view.curve();
    assert_eq!(curve.len(), 12 * 6 + 1);
    let off = |p: Vec3| ((p - Vec3::new(0.0, 0.0, 2.0)).length() - 2.0).abs();
    assert!(curve.iter().all(|p| off(p.position) < 2e-3));
}

#[test]
fn a_chain_has_a_kink_where_something_hangs_on_it() {
    let line = Line::new(1.0, 1e5);
    let shape = vec![(0.0, Vec3::ZERO), (2.0, Vec3::new(1.5, 0.0, -1.3)), (4.0, Vec3::new(3.0, 0.0, 0.0))];
    let mut with = spec(vec![section(&line, 4.0, 8)], shape);
    let without = world(0.0, with.clone());
    with.along = vec![Along { at: 2.0, what: AlongKind::Lump(Lump { mass: 5.0, ..Lump::default() }) }];
    let with = world(0.0, with);
    assert!(with.cable(CABLE).extremes().curvature.value < 1e-9);
    assert!(without.cable(CABLE).extremes().curvature.value > 1.0);
}

/// A straight cable of two kinds of line, 1 % longer than its length of 10 m.
fn stretched() -> CableSpec {
    let soft = Line { breaking_load: Some(2000.0), ..Line::new(1.0, 1e5) };
    let hard = Line { breaking_load: Some(40_000.0), ..Line::new(1.0, 3e5) };
    let shape = vec![(0.0, Vec3::ZERO), (10.0, Vec3::new(10.1, 0.0, 0.0))];
    spec(vec![section(&soft, 4.0, 4), section(&hard, 6.0, 3)], shape)
}

#[test]
fn tensions_are_those_of_the_elements_and_their_means_between() {
    let world = world(0.0, stretched());
    let view = world.cable(CABLE);
    let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-7, "{a} {b}");
    // Between the middle of the element and its end at 4 m it goes from 1 kN to the mean at the border.
    for (s, tension) in
        [(0.0, 1000.0), (2.0, 1000.0), (3.5, 1000.0), (3.75, 1500.0), (4.0, 2000.0), (10.0, 3000.0)]
    {
        close(view.at(s).tension, tension);
    }
    close(view.at(6.0).strain, 0.01);
    assert!((view.at(7.25).position - Vec3::new(7.3225, 0.0, 0.0)).length() < 1e-12);
    close(view.end_tension(0), 1000.0);
    close(view.end_tension(1), 3000.0);
    let found = view.extremes();
    close(found.largest.value, 3000.0);
    close(found.smallest.value, 1000.0);
    // The soft line is nearer to its breaking load, though its tension is lower.
    close(found.utilisation.value, 0.5);
    assert!(found.utilisation.at < 4.0 && found.bend_utilisation.value == 0.0);
    // Each end pulls what holds it towards the other.
    assert!((view.on_holder(0).force - Vec3::X * 1000.0).length() < 1e-7);
    assert!((view.on_holder(1).force + Vec3::X * 3000.0).length() < 1e-7);
    assert_eq!((view.nodes(), view.length(), view.paid(), view.payout_speed()), (8, 10.0, 0.0, 0.0));
}

#[test]
fn a_tie_or_a_weight_lets_tension_jump() {
    let mut spec = stretched();
    spec.along = vec![Along { at: 4.0, what: AlongKind::Lump(Lump { mass: 5.0, ..Lump::default() }) }];
    let world = world(0.0, spec);
    let view = world.cable(CABLE);
    assert!((view.at(3.999).tension - 1000.0).abs() < 1e-6);
    assert!((view.at(4.001).tension - 3000.0).abs() < 1e-6);
}

#[test]
fn a_free_end_pulls_nothing_and_payout_is_counted() {
    let mut spec = stretched();
    spec.ends[0] = None;
    spec.payout = Some(Payout { end: 1, speed: Profile::Constant(0.5), shortest: 2.0, longest: 20.0 });
    let mut world = world(0.0, spec);
    let integrator = IntegratorSpec::SemiImplicitEuler { step: 1e-4 }.build();
    for _ in 0..1000 {
        world.step(&*integrator, f64::INFINITY).expect("it moves");
    }
    world.refresh();
    let view = world.cable(CABLE);
    assert_eq!(view.on_holder(0).force, Vec3::ZERO);
    assert!((view.paid() - 0.05).abs() < 1e-9 && (view.length() - 10.05).abs() < 1e-9, "{}", view.paid());
    assert_eq!(view.payout_speed(), 0.5);
}

/// A ball of 2 kg on a rope of 1 m that is let fall from 0.4 m below where the rope is held.
fn dropped() -> Model {
    let mut builder = ModelBuilder::new();
    builder.gravity(Vec3::new(0.0, 0.0, -10.0));
    let place = Vec3::new(0.0, 0.0, -0.4);
    let ball = builder.body(BodySpec {
        name: "ball".into(),
        motion: BodyMotion::Free { mass: MassProperties::solid_sphere(2.0, 0.05) },
        pose: Pose { translation: place, ..Pose::IDENTITY },
        twist: Twist::default(),
        shapes: Vec::new(),
        group: 0,
    });
    let line = Line { axial_damping: 1.0, breaking_load: Some(1e4), ..Line::new(0.02, 2e4) };
    let middle = Vec3::new(0.3, 0.0, -0.5);
    let mut spec = spec(vec![section(&line, 1.0, 6)], vec![(0.0, Vec3::ZERO), (0.6, middle), (1.0, place)]);
    spec.ends[1] =
        Some(Tie { point: Point { body: Some(ball), at: Vec3::ZERO }, clamp: None, attached: true });
    builder.cable(spec);
    builder.build().expect("it is a model")
}

fn fall(world: &mut World, until: f64) {
    let integrator = IntegratorSpec::SemiImplicitEuler { step: 2e-5 }.build();
    while world.state.time < until - 1e-9 {
        world.step(&*integrator, f64::INFINITY).expect("it moves");
    }
    world.refresh();
}

#[test]
fn a_rope_that_snaps_taut_is_told_once_and_followed() {
    let mut world = World::new(dropped());
    assert!(world.state.cable_statistics[0].slack);
    fall(&mut world, 0.40);
    let (snaps, told): (Vec<_>, Vec<_>) = world
        .events
        .iter()
        .map(|e| (e.time, &e.kind))
        .partition(|(_, kind)| matches!(kind, EventKind::Snap { .. }));
    // Changes alternate, beginning with taut: it was slack at the start.
    for (i, (_, kind)) in told.iter().enumerate() {
        assert_eq!(matches!(kind, EventKind::Taut { .. }), i % 2 == 0, "{told:?}");
    }
    assert!(told.len() <= 6, "{told:?}");
    // 0.6 m of free fall take 0.346 s and end with 3.46 m/s, of which each of 6 elements has its part, unevenly.
    let snap = told.iter().find_map(|(time, kind)| match kind {
        EventKind::Taut { rate, .. } if (time - 0.347).abs() < 0.003 => Some((*time, *rate)),
        _ => None,
    });
    let (time, rate) = snap.unwrap_or_else(|| panic!("{told:?}"));
    assert!(rate > 1.0 && rate < 21.0, "{rate}");
    let figures = &world.state.cable_statistics[0];
    assert!((figures.slack_time - time).abs() < 0.04, "{}", figures.slack_time);
    // v √(k m) with k = EA/L for a light rope on a ball of 2 kg: 3.46 √(2e4·2) = 693 N, plus its weight, less damping.
    assert!((figures.largest.value - 700.0).abs() < 80.0, "{:?}", figures.largest);
    assert!((figures.utilisation.value - figures.largest.value / 1e4).abs() < 1e-12);
    assert!(figures.largest.time > time && figures.smallest.value == 0.0);
    assert_eq!(figures.amplification(), None);
    assert_eq!(figures.snaps as usize, told.len().div_ceil(2));
    // The peak that followed is told once it has passed, and is the largest there was.
    assert_eq!(figures.snap, figures.largest);
    let peaks: Vec<_> = snaps
        .iter()
        .filter_map(|(time, kind)| match kind {
            EventKind::Snap { peak, when, .. } => Some((*time, *peak, *when)),
            _ => None,
        })
        .collect();
    let largest = peaks.iter().find(|(_, peak, _)| *peak == figures.largest.value);
    let (told_at, _, when) = largest.unwrap_or_else(|| panic!("{peaks:?}"));
    assert!(*when == figures.largest.time && told_at > when && *told_at < 0.40, "{peaks:?}");
}

#[test]
fn figures_and_events_are_the_same_after_a_stop() {
    let mut whole = World::new(dropped());
    fall(&mut whole, 0.3);
    let saved = whole.state.save();
    fall(&mut whole, 0.5);
    let mut later = World::resume(dropped(), State::restore(&saved).expect("it was saved")).expect("it fits");
    fall(&mut later, 0.5);
    assert_eq!(later.state.cable_statistics, whole.state.cable_statistics);
    assert_eq!(later.state.hash(), whole.state.hash());
    assert_eq!(later.events, whole.events);
}

#[test]
fn amplification_is_by_the_tension_at_the_same_place() {
    // A string of 1 kN whose nodes fly sideways: it is stretched evenly, and more.
    let shape = vec![(0.0, Vec3::ZERO), (10.0, Vec3::new(10.1, 0.0, 0.0))];
    let spec =
        CableSpec { velocity: Vec3::Z * 20.0, ..spec(vec![section(&Line::new(1.0, 1e5), 10.0, 9)], shape) };
    let mut world = world(0.0, spec);
    assert!((world.state.cable_statistics[0].amplification().expect("it was taut") - 1.0).abs() < 1e-9);
    let integrator = IntegratorSpec::SemiImplicitEuler { step: 1e-5 }.build();
    for _ in 0..2000 {
        world.step(&*integrator, f64::INFINITY).expect("it moves");
    }
    let figures = &world.state.cable_statistics[0];
    let amplification = figures.amplification().expect("it was taut");
    assert!(amplification > 1.5 && (amplification - figures.largest.value / 1000.0).abs() < 1e-9);
}

#[test]
fn looking_does_not_change_what_is_read() {
    // Statistics are taken between evaluations: forces read afterwards are all there.
    let spec = CableSpec { velocity: Vec3::Z, ..stretched() };
    let mut world = world(9.81, spec);
    let force = |view: CableView<'_>| view.on_holder(0).force;
    let first = force(world.cable(CABLE));
    world.data.clear();
    world.refresh();
    assert_eq!(force(world.cable(CABLE)), first);
}
