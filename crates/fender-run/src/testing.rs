//! Small models for the tests of this crate.

use crate::stream::{Head, Resolution};
use fender_engine::cable::{Line, Point, Section, Tie};
use fender_engine::{BodyMotion, BodySpec, CableSpec, Model, ModelBuilder, Seabed, Surroundings};
use fender_math::{MassProperties, Pose, Twist, Vec3};

/// A free body without a shape.
pub fn ball(name: &str, position: Vec3, velocity: Vec3) -> BodySpec {
    BodySpec {
        name: name.into(),
        motion: BodyMotion::Free { mass: MassProperties::solid_sphere(1.0, 0.1) },
        pose: Pose { translation: position, ..Pose::IDENTITY },
        twist: Twist { linear: velocity, angular: Vec3::ZERO },
        shapes: vec![],
        group: 0,
    }
}

/// Two balls, `left` and `right`, that fall freely and never touch.
pub fn two_balls() -> Model {
    let mut builder = ModelBuilder::new();
    builder.gravity(Vec3::new(0.0, 0.0, -10.0));
    builder.body(ball("left", Vec3::ZERO, Vec3::new(0.0, 1.0, 0.0)));
    builder.body(ball("right", Vec3::X, Vec3::ZERO));
    builder.build().unwrap()
}

/// A rope of 4 m and 8 elements that is held 4.04 m apart along x, at 100 N, a fifth of what it can bear.
pub fn rope() -> Model {
    let line = Line { breaking_load: Some(500.0), diameter: 0.02, ..Line::new(0.5, 1e4) };
    let shape = vec![(0.0, Vec3::ZERO), (4.0, Vec3::new(4.04, 0.0, 0.0))];
    let tie = |at: Vec3| Some(Tie { point: Point { body: None, at }, clamp: None, attached: true });
    let mut builder = ModelBuilder::new();
    builder.gravity(Vec3::new(0.0, 0.0, -10.0));
    builder.cable(CableSpec {
        name: "rope".into(),
        sections: vec![Section { line: line.into(), length: 4.0, elements: 8 }],
        ends: [tie(shape[0].1), tie(shape[1].1)],
        along: Vec::new(),
        shape,
        velocity: Vec3::ZERO,
        settle: false,
        payout: None,
        resolution: None,
        pace: None,
    });
    let (stiffness, damping, friction, shear) = (1e5, 0.0, 0.0, 1e5);
    let seabed = Some(Seabed { height: -3.0, stiffness, damping, friction, shear });
    builder.surroundings(Surroundings { seabed, ..Surroundings::default() });
    builder.build().unwrap()
}

/// A head without anything but the bodies' names.
pub fn head(model: &Model) -> Head {
    let body = |name: &str| serde_json::json!({"name": name, "motion": "free", "mass": 1, "center": [0, 0, 0], "shapes": []});
    let bodies: Vec<_> = model.bodies.iter().map(|b| body(&b.name)).collect();
    serde_json::from_value(serde_json::json!({
        "name": "test", "title": "Test", "version": "0", "hash": "0", "period": 0.04, "duration": 1,
        "gravity": [0, 0, 0], "integrator": "", "resolution": Resolution::of(model), "bodies": bodies
    }))
    .unwrap()
}
