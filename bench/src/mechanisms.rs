//! Mechanisms with loops, and chains: what they are in Fender, and what is known of their motion.

use fender_engine::action::{Motor, Target};
use fender_engine::closure::{Frame, Turning};
use fender_engine::force::Spring;
use fender_engine::joint::Revolute;
use fender_engine::{
    BodyId, BodyMotion, BodySpec, Integrator, JointSpec, LoopKind, LoopSpec, ModelBuilder, Profile,
    StepError, World,
};
use fender_math::{MassProperties, Mat3, Pose, Twist, Vec3};
use std::sync::Arc;

/// Bodies in the plane of x and y, each with its frame in the point where it is carried.
struct Plane {
    builder: ModelBuilder,
    origins: Vec<Vec3>,
}

/// A body of a plane mechanism.
struct Part {
    /// Where it is carried, as drawn [m].
    at: [f64; 2],
    /// Mass [kg].
    mass: f64,
    /// Centre of mass from there [m].
    center: [f64; 2],
    /// Moment of inertia about the centre [kg·m²].
    inertia: f64,
    /// Angle and rate at the start, relative to what carries it [rad, rad/s].
    start: [f64; 2],
    /// Torque of a motor [N·m].
    torque: f64,
}

fn flat([x, y]: [f64; 2]) -> Vec3 {
    Vec3::new(x, y, 0.0)
}

impl Plane {
    fn new(gravity: f64) -> Self {
        let mut builder = ModelBuilder::new();
        builder.gravity(Vec3::Y * -gravity);
        Self { builder, origins: Vec::new() }
    }

    fn body(&mut self, parent: Option<BodyId>, part: &Part) -> BodyId {
        let i = self.origins.len();
        let pose = Pose::from_translation(flat(part.at));
        let inertia = Mat3::from_diagonal(Vec3::splat(part.inertia));
        let mass = MassProperties { mass: part.mass, center: flat(part.center), inertia };
        let child = self.builder.body(BodySpec {
            name: format!("body-{i}"),
            motion: BodyMotion::Free { mass },
            pose,
            twist: Twist::default(),
            shapes: Vec::new(),
            group: 0,
        });
        let motor = Motor { target: Target::Effort(Profile::Constant(part.torque)), limit: f64::INFINITY };
        self.builder.joint(JointSpec {
            name: format!("joint-{i}"),
            parent,
            child,
            joint: Arc::new(Revolute),
            frame: pose,
            start: vec![part.start[0]],
            rates: vec![part.start[1]],
            guide: None,
            actions: if part.torque == 0.0 { Vec::new() } else { vec![(0, Box::new(motor))] },
            keep: false,
        });
        self.origins.push(pose.translation);
        child
    }

    /// Holds a point of `a` on a point of `b`; both as drawn [m].
    fn pin(&mut self, a: BodyId, b: BodyId, at: [f64; 2], to: [f64; 2]) {
        let on = |body: BodyId, p: [f64; 2]| Pose::from_translation(flat(p) - self.origins[body.index()]);
        let closure = Frame {
            a: Some(a),
            b: Some(b),
            frame_a: on(a, at),
            frame_b: on(b, to),
            locked: [true; 3],
            turning: Turning::Free,
            kind: "point",
        };
        let name = format!("loop-{}-{}", a.0, b.0);
        self.builder.closed_loop(LoopSpec { name, kind: LoopKind::Bodies(Box::new(closure)) });
    }

    fn world(self) -> World {
        World::new(self.builder.build().expect("the mechanism is valid"))
    }
}

/// A mechanism, and the angle of its first joint at some times [s, rad].
pub struct Case {
    /// Its name.
    pub name: &'static str,
    /// How its peers call it.
    pub argument: &'static str,
    /// The mechanism at the start.
    pub start: fn() -> World,
    /// The known motion.
    pub known: Vec<(f64, f64)>,
    /// Numbers of steps that fixed-step peers are given.
    pub peer_steps: &'static [u32],
}

impl Case {
    /// How long it runs [s].
    pub fn end(&self) -> f64 {
        self.known.last().map_or(0.0, |known| known.0)
    }
}

/// Andrews' squeezing mechanism (Mazzia and Magherini 2008): seven bodies, three loops, 0.03 s.
pub fn andrews() -> World {
    let (a, b, c) = ([-0.06934, -0.00227], [-0.03635, 0.03273], [0.014, 0.072]);
    let part = |at, mass, center, inertia, angle| Part {
        at,
        mass,
        center,
        inertia,
        start: [angle, 0.0],
        torque: 0.0,
    };
    let mut plane = Plane::new(0.0);
    let crank = part([0.0, 0.0], 0.04325, [0.00092, 0.0], 2.194e-6, -0.061_713_890_014_276_45);
    let k1 = plane.body(None, &Part { torque: 0.033, ..crank });
    let k2 = plane.body(Some(k1), &part([0.007, 0.0], 0.00365, [-0.0115, 0.0], 4.41e-7, 0.0));
    let k3 = plane.body(None, &part(b, 0.02373, [0.01043, -0.01874], 5.255e-6, 0.455_279_819_163_070_4));
    let k5 = plane.body(None, &part(a, 0.0705, [0.02308, 0.00916], 1.169e-5, 0.487_364_979_543_842_5));
    let k4 = part([-0.02934, -0.00227], 0.00706, [0.0, -0.00579], 5.667e-7, 0.222_668_390_165_885_9);
    let k4 = plane.body(Some(k5), &k4);
    let k7 = plane.body(None, &part(a, 0.05498, [-0.00449, -0.01228], 1.912e-5, 1.230_547_444_549_821_3));
    let k6 = part([-0.06934, -0.04227], 0.00706, [0.00579, 0.0], 5.667e-7, -0.222_668_390_165_885_9);
    let k6 = plane.body(Some(k7), &k6);
    plane.pin(k2, k3, [-0.021, 0.0], [-0.03635, -0.00227]);
    plane.pin(k2, k4, [-0.021, 0.0], [-0.02934, -0.02227]);
    plane.pin(k2, k6, [-0.021, 0.0], [-0.04934, -0.04227]);
    let frame = plane.builder.body(BodySpec {
        name: "frame".into(),
        motion: BodyMotion::Fixed,
        pose: Pose::IDENTITY,
        twist: Twist::default(),
        shapes: Vec::new(),
        group: 0,
    });
    let spring = Spring {
        a: frame,
        point_a: flat(c),
        b: k3,
        point_b: flat([0.02, -0.018]),
        stiffness: 4530.0,
        damping: 0.0,
        rest_length: 0.07785,
        tension_only: false,
    };
    plane.builder.force("spring", Box::new(spring));
    plane.world()
}

/// `n` four-bar windows in a row (González et al. 2006, problem A02): links of 1 m and 1 kg, upright at the start, every
/// crank turning with 1 rad/s.
pub fn four_bar(n: usize) -> World {
    let mut plane = Plane::new(9.81);
    let part = |at, center, rate| Part {
        at,
        mass: 1.0,
        center,
        inertia: 1.0 / 12.0,
        start: [0.0, rate],
        torque: 0.0,
    };
    let cranks: Vec<BodyId> =
        (0..=n).map(|i| plane.body(None, &part([i as f64, 0.0], [0.0, 0.5], -1.0))).collect();
    for i in 0..n {
        let (x, next) = (i as f64, i as f64 + 1.0);
        let coupler = plane.body(Some(cranks[i]), &part([x, 1.0], [0.5, 0.0], 1.0));
        plane.pin(coupler, cranks[i + 1], [next, 1.0], [next, 1.0]);
    }
    plane.world()
}

/// The cranks' angle of [`four_bar`]: ((n + 1)/3 + n) θ'' = ((n + 1)/2 + n) g sin θ from the upright, at multiples of
/// `every` [s] up to `end` [s].
pub fn four_bar_motion(n: usize, end: f64, every: f64) -> Vec<(f64, f64)> {
    let n = n as f64;
    let k = 9.81 * (1.5 * n + 0.5) / (4.0 / 3.0 * n + 1.0 / 3.0);
    let parts = 2000;
    let h = every / f64::from(parts);
    let (mut x, mut v) = (0.0_f64, 1.0_f64);
    let mut out = Vec::new();
    for i in 1..=(end / every).round() as u32 {
        for _ in 0..parts {
            let a1 = k * x.sin();
            let (v2, a2) = (v + 0.5 * h * a1, k * (x + 0.5 * h * v).sin());
            let (v3, a3) = (v + 0.5 * h * a2, k * (x + 0.5 * h * v2).sin());
            let (v4, a4) = (v + h * a3, k * (x + h * v3).sin());
            x += h / 6.0 * (v + 2.0 * (v2 + v3) + v4);
            v += h / 6.0 * (a1 + 2.0 * (a2 + a3) + a4);
        }
        // Clockwise.
        out.push((f64::from(i) * every, -x));
    }
    out
}

/// A chain of `n` links of 1 m and 1 kg that hangs, with a little motion.
pub fn chain(n: usize) -> World {
    let mut plane = Plane::new(9.81);
    let mut parent = None;
    for i in 0..n {
        let at = [0.0, -(i as f64)];
        let part =
            Part { at, mass: 1.0, center: [0.0, -0.5], inertia: 1.0 / 12.0, start: [0.01, 0.1], torque: 0.0 };
        parent = Some(plane.body(parent, &part));
    }
    plane.world()
}

/// The two mechanisms that are timed against a peer.
pub fn cases() -> Vec<Case> {
    vec![
        Case {
            name: "Andrews, 0.03 s",
            argument: "andrews",
            start: andrews,
            // Solution of the test set.
            known: vec![(0.03, 15.810_771_196_299_04)],
            peer_steps: &[300, 1000, 3000, 10_000],
        },
        Case {
            name: "40 four-bar windows, 10 s",
            argument: "40",
            start: || four_bar(40),
            known: four_bar_motion(40, 10.0, 0.1),
            peer_steps: &[1000, 3000, 10_000],
        },
    ]
}

/// Runs a case: its largest error [rad], and how many steps it has.
pub fn run(case: &Case, integrator: &dyn Integrator) -> Result<(f64, usize), StepError> {
    let mut world = (case.start)();
    let (mut error, mut steps) = (0.0_f64, 0);
    for (time, angle) in &case.known {
        while world.state.time < *time {
            world.step(integrator, *time)?;
            world.events.clear();
            steps += 1;
        }
        error = error.max((world.state.q[0] - angle).abs());
    }
    Ok((error, steps))
}
