//! Impacts of a chain in a plane: the collision matrix from the tree, the planar solution, the jump of all rates.

use fender_contact::ImpactLaw;
use fender_contact::impact::solve;
use fender_engine::joint::Revolute;
use fender_engine::tree::{self, Push};
use fender_engine::{BodyMotion, BodySpec, JointSpec, ModelBuilder, World};
use fender_math::{MassProperties, Mat3, Pose, Twist, Vec3, Wrench, rotation};
use std::sync::Arc;

/// A chain of equal bars on hinges, whose end hits a floor.
#[derive(Debug)]
pub struct Chain {
    world: World,
    all: Vec<usize>,
    push: Push,
    law: ImpactLaw,
    out: Vec<f64>,
}

impl Chain {
    /// A chain of `n` bars of 1 m and 1 kg, bent a little at each hinge.
    pub fn new(n: usize) -> Self {
        let mut builder = ModelBuilder::new();
        let mut parent = None;
        for i in 0..n {
            let inertia = Mat3::from_diagonal(Vec3::new(1e-3, 1.0 / 12.0, 1.0 / 12.0));
            let x = i as f64;
            let body = builder.body(BodySpec {
                name: format!("{i}"),
                motion: BodyMotion::Free { mass: MassProperties { mass: 1.0, center: Vec3::ZERO, inertia } },
                pose: Pose::from_translation(Vec3::X * (x + 0.5)),
                twist: Twist::default(),
                shapes: Vec::new(),
                group: 0,
            });
            let frame = Pose { rotation: rotation::between(Vec3::Z, -Vec3::Y), translation: Vec3::X * x };
            builder.joint(JointSpec {
                name: format!("{i}"),
                parent,
                child: body,
                joint: Arc::new(Revolute),
                frame,
                start: vec![if i == 0 { -2.0 } else { 0.1 }],
                rates: vec![0.3],
                guide: None,
                actions: Vec::new(),
                keep: false,
            });
            parent = Some(body);
        }
        let mut world = World::new(builder.build().expect("a chain of equal bars is a model"));
        world.refresh();
        let out = vec![0.0; world.model.nv];
        let law = ImpactLaw::new(0.5, 0.3, 0.3).expect("all in range");
        Self { world, all: (0..n).collect(), push: Push::default(), law, out }
    }

    /// Kinematics and the articulated-body algorithm: one evaluation of the accelerations.
    pub fn accelerate(&mut self) -> f64 {
        let (model, state, data) = (&self.world.model, &self.world.state, &mut self.world.data);
        let links = &model.links;
        tree::kinematics(links, 0.0, &state.q, &state.v, &mut data.bodies, &mut data.links);
        let rest = |_| Twist::default();
        let gravity = model.gravity;
        tree::accelerations(
            links,
            &data.bodies,
            &data.wrenches,
            gravity,
            rest,
            &mut data.links,
            &mut self.out,
        );
        self.out[0]
    }

    /// One impact at the end of the chain; the kinematics are known, as they are where a touch was found.
    pub fn hit(&mut self) -> f64 {
        let (links, data) = (&self.world.model.links, &mut self.world.data);
        let last = self.all.len() - 1;
        tree::articulate(links, &self.all, &mut data.links);
        let arm = data.bodies[last].pose.rotation * Vec3::X * 0.5;
        let impulses = [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| Wrench::from_force_at(axis, arm));
        let w = self.push.press(links, &data.links, std::iter::once((last, impulses)));
        let p = solve(&w, Vec3::new(0.4, 0.0, -1.0), &self.law).impulse;
        self.push.spread(links, &self.all, &data.bodies, &data.links, p, &mut self.out);
        self.out[0]
    }
}
