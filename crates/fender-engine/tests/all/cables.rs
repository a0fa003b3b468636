//! Cables in motion.

use fender_engine::cable::{
    Along, AlongKind, CableSpec, Guide, Line, Payout, Point, Resolution, Section, Tie,
};
use fender_engine::integrator::AlphaMethod;
use fender_engine::{
    BodyId, BodyMotion, BodySpec, CableId, IntegratorSpec, Model, ModelBuilder, Profile, Seabed,
    Surroundings, World,
};
use fender_math::series::{PoseSeries, Series};
use fender_math::{MassProperties, Pose, Quat, Twist, Vec3};
use std::sync::Arc;

#[allow(clippy::unnecessary_wraps)] // as ends are given
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
        pace: None,
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
    println!("worst {worst} of {scale}, rejected {}", world.state.integrator.effort.rejected);
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

#[test]
fn modes_of_a_taut_string_are_its_overtones() {
    let (mass, tension, length) = (0.5, 4000.0, 10.0);
    let line = Line::new(mass, 1e6);
    let stretched = length * (1.0 + tension / 1e6);
    let b = Vec3::new(stretched, 0.0, 0.0);
    let mut spec = hanging(line, length, 60, Vec3::ZERO, b);
    spec.ends[1] = held(b);
    let mut builder = ModelBuilder::new();
    builder.cable(spec);
    let mut world = World::new(builder.build().expect("it is a model"));
    let modes = fender_engine::balance::modes(&mut world);
    let found: Vec<f64> =
        modes.iter().map(fender_engine::balance::Mode::frequency).filter(|f| *f > 0.0).take(6).collect();
    for (i, f) in found.iter().enumerate() {
        // Two directions each; the mass is that of the stretched line, the chain's error is (nπ/2N)²/6.
        let n = (i / 2 + 1) as f64;
        let exact = n / (2.0 * stretched) * (tension / (mass / (1.0 + tension / 1e6))).sqrt();
        let allowed = (n * std::f64::consts::PI / 120.0).powi(2) / 6.0 * 1.1 + 1e-6;
        assert!((f / exact - 1.0).abs() < allowed, "{i}: {f} {exact}");
    }
    assert_eq!(found.len(), 6);
}

fn load(builder: &mut ModelBuilder, name: &str, mass: f64, at: Vec3) -> BodyId {
    builder.body(BodySpec {
        name: name.into(),
        motion: BodyMotion::Free { mass: MassProperties::solid_sphere(mass, 0.1) },
        pose: Pose { translation: at, rotation: Quat::IDENTITY },
        twist: Twist::default(),
        shapes: Vec::new(),
        group: 0,
    })
}

fn alpha(step: f64, radius: f64) -> Box<dyn fender_engine::Integrator> {
    let method = AlphaMethod::GeneralizedAlpha { radius };
    IntegratorSpec::Alpha { step, method, iterations: 30, halvings: 6, real_time: false }.build()
}

#[allow(clippy::unnecessary_wraps)] // as ends are given
fn tied(body: BodyId) -> Option<Tie> {
    Some(Tie { point: Point { body: Some(body), at: Vec3::ZERO }, clamp: None, attached: true })
}

/// A load on a winch that starts smoothly to 0.5 m/s, out or in.
fn winch(speed: f64) -> Model {
    let mut builder = ModelBuilder::new();
    builder.gravity(Vec3::new(0.0, 0.0, -9.81));
    let (mass, line) = (500.0, Line { axial_damping: 2e4, ..Line::new(2.0, 5e6) });
    let strain = 9.81 * (mass + 10.0) / 5e6;
    let low = Vec3::new(0.0, 0.0, -10.0 * (1.0 + strain));
    let body = load(&mut builder, "load", mass, low);
    let mut spec = hanging(line, 10.0, 10, Vec3::ZERO, low);
    spec.ends[1] = tied(body);
    spec.settle = true;
    let times = vec![0.0, 2.0, 4.0, 30.0];
    let values = vec![[0.0], [speed], [speed], [speed]];
    let series = Series::resting(times, values).expect("times increase");
    spec.payout = Some(Payout { end: 0, speed: Profile::Series(series), shortest: 2.0, longest: 40.0 });
    builder.cable(spec);
    builder.build().expect("it is a model")
}

#[test]
fn a_winch_pays_out_and_hauls_in_without_jerks() {
    for speed in [0.5, -0.5] {
        let mut world = World::new(winch(speed));
        let integrator = alpha(0.01, 0.7);
        let mut counts = std::collections::BTreeSet::new();
        let (mut jerk, mut last) = (0.0_f64, None::<f64>);
        for step in 0..1500 {
            world.step(integrator.as_ref(), f64::INFINITY).expect("it steps");
            world.refresh();
            let cable = world.cable(CableId(0));
            counts.insert(cable.nodes());
            let tension = cable.end_tension(1);
            if let Some(last) = last.filter(|_| step > 10) {
                jerk = jerk.max((tension - last).abs());
            }
            last = Some(tension);
        }
        let cable = world.cable(CableId(0));
        // The speed's ramp is a cubic, which is 0.5·t²·(3 − t)/4 from 0 to 2 s: half of it on the way.
        let depth = -world.pose(BodyId(0)).translation.z;
        assert!((cable.length() - cable.paid() - 10.0).abs() < 1e-9);
        assert!((depth / cable.length() - 1.001).abs() < 2e-4, "{depth} {}", cable.length());
        assert!(counts.len() > 4, "nodes come and go: {counts:?}");
        // The load weighs 4905 N; its bounce in the ramp gives 0.3 N a step, a node that came or went with a jerk would add tens.
        println!("{speed}: jerk {jerk} N, {counts:?}, energy {:?}", world.energy());
        assert!(jerk < 5.0, "{speed}: {jerk} N");
        let energy = world.energy();
        assert!(energy.residual.abs() < 2e-3 * (energy.kinetic + 4905.0 * 5.0), "{energy:?}");
    }
}

#[test]
fn two_masses_over_a_wheel_or_through_a_ring() {
    for radius in [0.0, 0.3] {
        let mut builder = ModelBuilder::new();
        builder.gravity(Vec3::new(0.0, 0.0, -9.81));
        let (m1, m2, mass) = (30.0, 20.0, 0.02);
        let side = if radius > 0.0 { radius } else { 0.0 };
        let a = load(&mut builder, "a", m1, Vec3::new(-side, 0.0, -3.0));
        let b = load(&mut builder, "b", m2, Vec3::new(side, 0.0, -7.0));
        let length = 10.0 + std::f64::consts::PI * radius;
        let center = Point { body: None, at: Vec3::ZERO };
        let guide =
            if radius > 0.0 { Guide::Sheave { center, axis: Vec3::Y, radius } } else { Guide::Ring(center) };
        let line = Line { axial_damping: 500.0, ..Line::new(mass, 1e6) };
        let mut spec = hanging(line, length, 20, Vec3::new(-side, 0.0, -3.0), Vec3::new(side, 0.0, -7.0));
        spec.ends = [tied(a), tied(b)];
        let top = 3.0 + 0.5 * std::f64::consts::PI * radius;
        spec.shape = vec![
            (0.0, Vec3::new(-side, 0.0, -3.0)),
            (3.0, Vec3::new(-side, 0.0, 0.0)),
            (length - 7.0, Vec3::new(side, 0.0, 0.0)),
            (length, Vec3::new(side, 0.0, -7.0)),
        ];
        if radius == 0.0 {
            spec.shape.remove(2);
        }
        spec.along = vec![Along {
            at: top,
            what: AlongKind::Guide { name: "guide".into(), guide, rim: std::f64::consts::PI * radius },
        }];
        builder.cable(spec);
        let mut world = World::new(builder.build().expect("it is a model"));
        let integrator = alpha(0.005, 0.7);
        let nodes = world.state.cables[0].nodes.len();
        for _ in 0..320 {
            world.step(integrator.as_ref(), f64::INFINITY).expect("it steps");
        }
        world.refresh();
        // x″ = g(m₁ − m₂ + m(2x − 4 m))/(all masses): the cable's own weight shifts from side to side.
        let (total, t) = (m1 + m2 + mass * length, 1.6);
        let (first, more) = ((m1 - m2 - 4.0 * mass) / total * 9.81, 2.0 * mass / total * 9.81);
        let expected = first / more * ((more.sqrt() * t).cosh() - 1.0);
        let (fallen, risen) = (-3.0 - world.pose(a).translation.z, world.pose(b).translation.z + 7.0);
        println!("{radius}: {fallen} {risen} {expected} {nodes} {}", world.state.cables[0].nodes.len());
        // It starts unstretched, and is longer by 2.4 mm from then on.
        assert!((fallen - expected).abs() < 3e-3, "{fallen} {expected}");
        assert!((risen - expected).abs() < 3e-3, "{risen} {expected}");
        assert!((world.state.cables[0].length() - length).abs() < 1e-9);
    }
}

#[test]
fn letting_go_makes_nothing_jump() {
    let mut builder = ModelBuilder::new();
    builder.gravity(Vec3::new(0.0, 0.0, -9.81));
    let body = load(&mut builder, "load", 5.0, Vec3::new(1.0, 0.0, -1.5));
    let mut spec = hanging(Line::new(1.0, 1e5), 2.0, 10, Vec3::ZERO, Vec3::new(1.0, 0.0, -1.5));
    spec.ends[1] = tied(body);
    builder.cable(spec);
    let mut world = World::new(builder.build().expect("it is a model"));
    let integrator = IntegratorSpec::Midpoint { step: 0.002, halvings: 6 }.build();
    let look = |world: &mut World| {
        world.refresh();
        let cable = world.cable(CableId(0));
        let places: Vec<Vec3> = (0..cable.nodes()).map(|i| cable.node(i)).collect();
        let tensions: Vec<f64> = (0..cable.nodes() - 1).map(|e| cable.element_tension(e)).collect();
        let e = world.energy();
        (places, tensions, e.kinetic + e.potential + e.stored)
    };
    for _ in 0..300 {
        world.step(integrator.as_ref(), f64::INFINITY).expect("it steps");
    }
    let before = look(&mut world);
    world.control.changes.push(fender_engine::Change::Untie(CableId(0), 1));
    world.make_changes();
    let after = look(&mut world);
    assert_eq!(before.0, after.0);
    assert_eq!(before.1, after.1);
    assert!((before.2 - after.2).abs() < 1e-12 * before.2.abs(), "{} {}", before.2, after.2);
    for _ in 0..50 {
        world.step(integrator.as_ref(), f64::INFINITY).expect("it steps");
    }
    world.refresh();
    let free = world.acceleration(body).linear;
    assert!((free - Vec3::new(0.0, 0.0, -9.81)).length() < 1e-9, "{free:?}");
    // And again: momentum stays, energy is lost.
    let momentum = |world: &World| world.twist(body).linear * 5.0;
    let (loose, energy) = (momentum(&world), look(&mut world).2);
    world.control.changes.push(fender_engine::Change::Tie(CableId(0), 1));
    world.make_changes();
    let tied = look(&mut world);
    assert!(tied.2 <= energy, "{} {energy}", tied.2);
    assert!((momentum(&world) - loose).length() > 1e-6, "the end's mass sticks to the load");
    assert!(world.energy().residual.abs() < 1e-6 * energy.abs(), "{:?}", world.energy());
}

#[test]
fn scratch_may_be_thrown_away_at_any_step_while_nodes_come_and_go() {
    let run = |clear: bool| {
        let mut world = World::new(winch(0.5));
        let integrator = alpha(0.02, 0.8);
        for step in 0..400 {
            if clear && step % 7 == 3 {
                world.data.clear();
            }
            world.step(integrator.as_ref(), f64::INFINITY).expect("it steps");
        }
        world.state.hash()
    };
    assert_eq!(run(false), run(true));
    // And it goes on from a saved state to the same bits.
    let mut world = World::new(winch(0.5));
    let integrator = alpha(0.02, 0.8);
    for step in 0..400 {
        if step == 217 {
            let state = fender_engine::State::restore(&world.state.save()).expect("it was saved");
            world = World::resume(winch(0.5), state).expect("it is its own state");
        }
        world.step(integrator.as_ref(), f64::INFINITY).expect("it steps");
    }
    assert_eq!(run(false), world.state.hash());
}

#[test]
fn nodes_are_added_where_it_curves_and_removed_again() {
    let line = Line { bending: 0.5, bending_damping: 0.05, axial_damping: 50.0, ..Line::new(0.3, 1e4) };
    // A rod drawn into a hairpin, which opens.
    let mut spec = hanging(line, 4.0, 12, Vec3::ZERO, Vec3::ZERO);
    spec.shape = vec![(0.0, Vec3::ZERO), (2.0, Vec3::new(2.0, 0.0, 0.0)), (4.0, Vec3::new(0.0, 0.0, 0.4))];
    spec.resolution =
        Some(Resolution { angle: 0.3, residual: f64::INFINITY, shortest: 0.05, longest: 0.4, most: 60 });
    let mut builder = ModelBuilder::new();
    builder.cable(spec);
    let mut world = World::new(builder.build().expect("it is a model"));
    let integrator = alpha(0.01, 0.5);
    let (mut most, start) = (0, world.state.cables[0].nodes.len());
    for _ in 0..1500 {
        world.step(integrator.as_ref(), f64::INFINITY).expect("it steps");
        most = most.max(world.state.cables[0].nodes.len());
    }
    let end = world.state.cables[0].nodes.len();
    println!("{start} {most} {end}");
    assert!(most > start + 4 && most <= 60, "{start} {most}");
    // Straight again, it has elements of the length they had, but for where those of unequal length meet.
    assert!(end <= start + 6, "{end} {start}");
    assert!((world.state.cables[0].length() - 4.0).abs() < 1e-9);
}

/// Where the shortest elements are: their middles from the start [m], and how many are shorter than a length [m].
fn fine(world: &World, length: f64) -> (f64, usize) {
    let (mut arc, mut sum, mut count) = (0.0, 0.0, 0);
    for element in &world.state.cables[0].elements {
        if element.length < length {
            sum += arc + 0.5 * element.length;
            count += 1;
        }
        arc += element.length;
    }
    (sum / f64::from(count), count as usize)
}

#[test]
fn nodes_follow_the_touchdown() {
    // A chain from the seabed to a fairlead 10 m above, which is then moved away: the place where it touches down moves towards the anchor.
    let (height, length) = (10.0, 60.0);
    let line = Line { axial_damping: 2e4, diameter: 0.05, ..Line::new(20.0, 1e7) };
    let mut spec = hanging(line, length, 30, Vec3::ZERO, Vec3::ZERO);
    spec.settle = true;
    spec.shape =
        vec![(0.0, Vec3::ZERO), (40.0, Vec3::new(40.0, 0.0, 0.0)), (length, Vec3::new(56.0, 0.0, height))];
    let times: Vec<f64> = (0..=60).map(|i| 0.5 * f64::from(i)).collect();
    let moved = |t: f64| 0.5 * (1.0 - (std::f64::consts::PI * (t / 20.0).clamp(0.0, 1.0)).cos());
    let poses: Vec<Pose> = times
        .iter()
        .map(|t| Pose {
            translation: Vec3::new(56.0 + 2.0 * moved(*t), 0.0, height),
            rotation: Quat::IDENTITY,
        })
        .collect();
    let mut builder = ModelBuilder::new();
    builder.gravity(Vec3::new(0.0, 0.0, -9.81));
    let seabed = Seabed { height: 0.0, stiffness: 1e5, damping: 1e4, friction: 0.0, shear: 1e5 };
    builder.surroundings(Surroundings { seabed: Some(seabed), ..Surroundings::default() });
    let series = PoseSeries::new(times, &poses).expect("times increase");
    let fairlead = builder.body(BodySpec {
        name: "fairlead".into(),
        motion: BodyMotion::Driven { series },
        pose: poses[0],
        twist: Twist::default(),
        shapes: Vec::new(),
        group: 0,
    });
    spec.ends[1] = tied(fairlead);
    spec.resolution = Some(Resolution { angle: 1.0, residual: 0.02, shortest: 0.4, longest: 2.0, most: 80 });
    builder.cable(spec);
    let mut world = World::new(builder.build().expect("it is a model"));
    let integrator = alpha(0.05, 0.5);
    let go = |world: &mut World, until: f64| {
        while world.state.time < until {
            world.step(integrator.as_ref(), f64::INFINITY).expect("it steps");
        }
        fine(world, 1.5)
    };
    // It begins with the nodes it needs, and rests.
    let (nodes, tension) = (world.cable(CableId(0)).nodes(), world.cable(CableId(0)).element_tension(0));
    assert!(nodes > 40, "{nodes}");
    go(&mut world, 0.2);
    world.refresh();
    let now = world.cable(CableId(0)).element_tension(0);
    assert!((now - tension).abs() < 0.01 * tension, "{now} {tension}");
    assert!(world.cable(CableId(0)).nodes().abs_diff(nodes) < 3);
    let (before, few) = go(&mut world, 1.0);
    let (after, again) = go(&mut world, 25.0);
    println!("{before} {few}, {after} {again}");
    assert!(few > 5 && again > 5, "{few} {again}");
    // What lies on the seabed is straight, and stays as it was.
    assert!(world.state.cables[0].elements[..8].iter().all(|e| (e.length - 2.0).abs() < 1e-9));
    assert!(after < before - 3.0, "{before} {after}");
}

#[test]
fn a_heavy_load_on_a_light_cord_keeps_its_energy() {
    let mut builder = ModelBuilder::new();
    builder.gravity(Vec3::new(0.0, 0.0, -9.81));
    let (mass, low) = (10.0, Vec3::new(2.0, 0.0, -4.582_575_695));
    let body = load(&mut builder, "bob", mass, low);
    let mut spec = hanging(Line::new(0.01, 1e6), 5.0, 20, Vec3::ZERO, low);
    spec.ends[1] = tied(body);
    spec.settle = true;
    builder.cable(spec);
    let mut world = World::new(builder.build().expect("it is a model"));
    let integrator = IntegratorSpec::Midpoint { step: 0.005, halvings: 6 }.build();
    for _ in 0..2000 {
        world.step(integrator.as_ref(), f64::INFINITY).expect("it steps");
    }
    world.refresh();
    println!("{:?} rejected {}", world.energy(), world.state.integrator.effort.rejected);
    assert!(world.energy().residual.abs() < 1e-6 * mass * 9.81);
}

#[test]
fn a_cable_whose_matrix_has_no_factors_ends_the_step_with_an_error() {
    let mut builder = ModelBuilder::new();
    builder.gravity(Vec3::new(0.0, 0.0, -9.81));
    let body = load(&mut builder, "load", 1.0, Vec3::NEG_Z);
    let mut spec = hanging(Line::new(1e308, 1e5), 1.0, 4, Vec3::ZERO, Vec3::NEG_Z);
    spec.ends[1] = tied(body);
    builder.cable(spec);
    let mut world = World::new(builder.build().expect("it is a model"));
    assert!(world.step(&*alpha(1e-3, 0.8), 1.0).is_err());
}
