//! Forces of cables against the changes of their energy, and of their powers against the account.

use super::*;
use crate::evaluate::{Treatment, evaluate};
use crate::{BodyId, BodyMotion, BodySpec, Control, Data, Model, ModelBuilder, Seabed, State, Surroundings};
use fender_math::{MassProperties, Pose, Quat, Twist};

/// Numbers that look random.
fn noise(i: usize) -> f64 {
    let x = (i as f64 * 12.9898 + 4.1).sin() * 43758.547;
    x - x.floor() - 0.5
}

fn body(builder: &mut ModelBuilder, name: &str, place: Vec3) -> BodyId {
    let mass = MassProperties {
        inertia: fender_math::Mat3::from_diagonal(Vec3::new(0.3, 0.4, 0.5)),
        ..MassProperties::solid_sphere(3.0, 0.5)
    };
    builder.body(BodySpec {
        name: name.into(),
        motion: BodyMotion::Free { mass },
        pose: Pose { translation: place, rotation: Quat::from_rotation_y(0.3) },
        twist: Twist { linear: Vec3::new(0.1, -0.2, 0.3), angular: Vec3::new(0.5, 0.2, -0.4) },
        shapes: Vec::new(),
        group: 0,
    })
}

fn line() -> Line {
    Line {
        bending: 3.0,
        torsion: 2.0,
        inertia: 0.01,
        curvature: [0.4, -0.2],
        slack: false,
        diameter: 0.02,
        ..Line::new(0.7, 500.0)
    }
}

/// A cable with everything: two sections, clamped to two bodies, through a ring on one of them, a lump, lying partly on the ground.
fn everything(damped: bool) -> Model {
    scene(damped, line(), true)
}

fn scene(damped: bool, line: Line, guided: bool) -> Model {
    let mut builder = ModelBuilder::new();
    builder.gravity(Vec3::new(0.0, 0.0, -9.81));
    let a = body(&mut builder, "a", Vec3::new(0.0, 0.0, 0.0));
    let b = body(&mut builder, "b", Vec3::new(4.0, 0.5, 0.5));
    let ring = body(&mut builder, "ring", Vec3::new(2.0, 0.3, 1.0));
    let mut first = line;
    if damped {
        (first.axial_damping, first.bending_damping, first.torsion_damping) = (5.0, 0.1, 0.05);
    }
    let second = Line { bending: 2.0 * first.bending, ..first.clone() };
    let tie = |body, clamp: Vec3| {
        Some(Tie {
            point: Point { body: Some(body), at: Vec3::new(0.1, 0.0, 0.2) },
            clamp: Some(clamp.normalize()),
            attached: true,
        })
    };
    builder.surroundings(Surroundings {
        seabed: Some(Seabed {
            height: 0.4,
            stiffness: 2e4,
            damping: if damped { 300.0 } else { 0.0 },
            friction: if damped { 0.4 } else { 0.0 },
            shear: 1e4,
        }),
        ..Surroundings::default()
    });
    let section = |line: Line, length: f64| Section { line: Arc::new(line), length, elements: 5 };
    builder.cable(CableSpec {
        name: "c".into(),
        sections: vec![section(first, 2.5), section(second, 3.0)],
        ends: [tie(a, Vec3::new(1.0, 0.2, 0.1)), tie(b, Vec3::new(0.7, -0.2, -0.4))],
        along: [
            Along { at: 1.2, what: AlongKind::Lump(Lump { mass: 0.5, ..Lump::default() }) },
            Along {
                at: 3.8,
                what: AlongKind::Guide {
                    name: "ring".into(),
                    guide: Guide::Ring(Point { body: Some(ring), at: Vec3::new(0.0, 0.1, 0.0) }),
                    rim: 0.0,
                },
            },
        ]
        .into_iter()
        .take(if guided { 2 } else { 1 })
        .collect(),
        shape: vec![
            (0.0, Vec3::new(0.1, 0.0, 0.2)),
            (3.8, Vec3::new(2.0, 0.4, 1.0)),
            (5.5, Vec3::new(4.1, 0.5, 0.7)),
        ],
        velocity: Vec3::new(0.1, 0.2, -0.1),
        settle: false,
        payout: None,
        resolution: None,
        pace: None,
    });
    builder.build().expect("it is a model")
}

fn shaken(model: &Model) -> State {
    let mut state = model.initial_state();
    for (i, q) in state.q[model.cables[0].q..].iter_mut().enumerate() {
        *q += 0.15 * noise(i);
    }
    for (i, v) in state.v[model.cables[0].v..].iter_mut().enumerate() {
        *v += 0.7 * noise(i + 500);
    }
    state
}

fn energy(model: &Model, state: &State) -> f64 {
    let mut data = Data::default();
    evaluate(model, &Control::default(), state, &mut data, Treatment::Instant);
    data.potential + data.stored
}

#[test]
fn forces_are_minus_the_gradient_of_the_energy() {
    let model = everything(false);
    let state = shaken(&model);
    let mut data = Data::default();
    evaluate(&model, &Control::default(), &state, &mut data, Treatment::Instant);
    let cable = &model.cables[0];
    let own = &data.cables[0];
    let h = 1e-6;
    let mut checked = 0;
    for i in 0..cable.coordinates() {
        let moved = |by: f64| {
            let mut state = state.clone();
            state.q[cable.q + i] += by;
            energy(&model, &state)
        };
        let slope = (moved(h) - moved(-h)) / (2.0 * h);
        let force = if i >= 3 * cable.capacity {
            own.torsion.force.get(i - 3 * cable.capacity).copied().unwrap_or(0.0)
        } else if i / 3 < own.force.len() && !own.held[i / 3] {
            own.force[i / 3][i % 3]
        } else {
            0.0
        };
        checked += usize::from(slope != 0.0);
        assert!((force + slope).abs() < 2e-5 * (1.0 + slope.abs()), "{i}: force {force}, slope {slope}");
    }
    assert!(checked >= 36, "{checked}");
    // What the bodies feel, along motions of each.
    for free in &model.free {
        let wrench = data.wrenches[free.body.index()];
        for k in 0..6 {
            let moved = |by: f64| {
                let mut state = state.clone();
                let mut all = vec![0.0; model.nv];
                all[free.v + k] = by;
                crate::closure::displace_all(&model, &mut state.q, &all);
                energy(&model, &state)
            };
            let slope = (moved(h) - moved(-h)) / (2.0 * h);
            let rotation = free.pose_wc(&state.q).rotation;
            let axis = Vec3::AXES[k % 3];
            let felt = if k < 3 {
                wrench.force.dot(axis) + model.gravity.dot(axis) * free.mass
            } else {
                wrench.torque.dot(rotation * axis)
            };
            assert!((felt + slope).abs() < 2e-5 * (1.0 + slope.abs()), "{:?} {k}: {felt} {slope}", free.body);
        }
    }
}

#[test]
fn the_account_holds_at_every_instant() {
    // d(kinetic + potential + stored)/dt along the motion = work − dissipated.
    let model = everything(true);
    let state = shaken(&model);
    let mut data = Data::default();
    evaluate(&model, &Control::default(), &state, &mut data, Treatment::Instant);
    let total = |by: f64| {
        let mut later = state.clone();
        let moves: Vec<f64> = state.v.iter().map(|v| v * by).collect();
        crate::closure::displace_all(&model, &mut later.q, &moves);
        for (v, a) in later.v.iter_mut().zip(&data.rates.v) {
            *v += by * a;
        }
        later.time += by;
        let mut data = Data::default();
        evaluate(&model, &Control::default(), &later, &mut data, Treatment::Instant);
        data.kinetic + data.potential + data.stored
    };
    let h = 1e-6;
    let rate = (total(h) - total(-h)) / (2.0 * h);
    let work: f64 = data.rates.work.iter().sum();
    let lost: f64 = data.rates.dissipated.iter().sum();
    assert!(lost > 1.0, "{lost}");
    assert!((rate - work + lost).abs() < 1e-5 * lost, "{rate} {work} {lost}");
}

/// S x for the velocities x, by differences of R = M(q)·a − Q(q, v) with the accelerations a of the state.
fn by_differences(model: &Model, state: &State, weights: crate::tangent::Weights, x: &[f64]) -> Vec<f64> {
    let at = |state: &State| {
        let mut data = Data::default();
        evaluate(model, &Control::default(), state, &mut data, Treatment::Instant);
        crate::tangent::write(model, state, &mut data, weights, 0.0);
        data
    };
    let mut base = at(state);
    // Shares at guides are taken as constant: there the inertia's change is left out.
    let guided = !model.cables[0].guides.is_empty();
    let accelerations = if guided { vec![0.0; model.nv] } else { base.rates.v.clone() };
    let residual = |along: f64, speed: f64| {
        let mut state = state.clone();
        let moves: Vec<f64> = x.iter().map(|x| x * along).collect();
        crate::closure::displace_all(model, &mut state.q, &moves);
        for (v, x) in state.v.iter_mut().zip(x) {
            *v += x * speed;
        }
        let mut data = at(&state);
        let mut left: Vec<f64> = accelerations.iter().zip(&data.rates.v).map(|(a, b)| a - b).collect();
        data.tangent.times_mass(model, &mut left);
        left
    };
    let h = 1e-6;
    let mut s = x.to_vec();
    base.tangent.times_mass(model, &mut s);
    let (p, m) = (residual(h, 0.0), residual(-h, 0.0));
    let (f, b) = (residual(0.0, h), residual(0.0, -h));
    for i in 0..s.len() {
        let stiffness = (p[i] - m[i]) / (2.0 * h);
        let damping = (f[i] - b[i]) / (2.0 * h);
        s[i] = weights.mass * s[i] + weights.stiffness * stiffness + weights.damping * damping;
    }
    s
}

/// Water that streams everywhere.
#[derive(Debug)]
struct Stream;

impl crate::Fluid for Stream {
    fn density(&self) -> f64 {
        1000.0
    }

    fn surface(&self, _x: f64, _y: f64, _time: f64) -> f64 {
        10.0
    }

    fn motion(&self, _place: Vec3, _time: f64) -> crate::FluidMotion {
        crate::FluidMotion { velocity: Vec3::new(1.0, 2.0, -0.7), acceleration: Vec3::new(0.3, -0.4, 1.2) }
    }
}

#[test]
fn the_system_of_an_implicit_step_is_that_of_the_forces() {
    let bare = Line { bending: 0.0, torsion: 0.0, curvature: [0.0; 2], ..line() };
    let stiff = Line { torsion: 0.0, curvature: [0.0; 2], ..line() };
    // At guides the weight that goes through is left out.
    let wet = Line {
        diameter: 0.05,
        volume: 0.002,
        drag_normal: 1.2,
        drag_tangential: 0.1,
        added_normal: 1.0,
        added_tangential: 0.2,
        ..stiff.clone()
    };
    let cases = [
        (&bare, false, 1e-6),
        (&stiff, false, 1e-6),
        (&wet, false, 2e-6),
        (&bare, true, 5e-2),
        (&stiff, true, 5e-2),
    ];
    for (line, guided, close) in cases {
        let mut model = scene(true, line.clone(), guided);
        if line.drag_normal > 0.0 {
            model.surroundings.water = Some(Box::new(Stream));
        }
        let mut state = shaken(&model);
        // Velocities squared are left out of the system; so they are here, but for the cable's own.
        state.v.fill(0.0);
        let mut data = Data::default();
        evaluate(&model, &Control::default(), &state, &mut data, Treatment::Instant);
        let weights = crate::tangent::Weights { mass: 1.0, damping: 0.02, stiffness: 4e-4 };
        crate::tangent::write(&model, &state, &mut data, weights, 0.0);
        assert!(data.tangent.factor());
        let cable = &model.cables[0];
        let n = data.cables[0].position.len();
        let mut right: Vec<f64> = (0..model.nv).map(noise).collect();
        for i in (0..cable.coordinates()).filter(|i| *i >= 3 * n || data.cables[0].held[i / 3]) {
            right[cable.v + i] = 0.0;
        }
        let mut x = right.clone();
        data.tangent.solve(&model, &state.cables, &data.cables, &mut x);
        let left = by_differences(&model, &state, weights, &x);
        for (i, (l, r)) in left.iter().zip(&right).enumerate() {
            // What is carried is taken as a constant part of a body's inertia.
            let close = if i < cable.v { f64::max(close, 5e-3) } else { close };
            assert!((l - r).abs() < close, "{i} of {}: {l} {r}", cable.v);
        }
    }
}
