//! Small models for the tests of this crate.

use crate::stream::{Head, Resolution};
use fender_engine::{BodyMotion, BodySpec, Model, ModelBuilder};
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
