//! How finely a stream tells lengths and forces.

use fender_engine::{BodyMotion, Cable, Model};
use fender_geom::Shape;
use fender_math::float;
use serde::{Deserialize, Serialize};

/// Quantities are rounded to multiples of these.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Resolution {
    /// Of positions [m].
    pub length: f64,
    /// Of a quaternion's components.
    pub quaternion: f64,
    /// Of forces [N].
    pub force: f64,
    /// Of the depths of contacts [m].
    pub depth: f64,
}

impl Resolution {
    /// Fine enough for a model: a ten-thousandth of the smallest moving shape, a ten-thousandth of the lightest weight.
    pub fn of(model: &Model) -> Self {
        let moving = model.bodies.iter().filter(|b| !matches!(b.motion, BodyMotion::Fixed));
        let shapes = moving.flat_map(|b| &model.shapes[b.shapes.start as usize..b.shapes.end as usize]);
        let smallest = shapes.map(|s| size(&s.shape)).fold(f64::INFINITY, f64::min);
        let gravity = model.gravity.length();
        // Without gravity there is no weight to compare with: as if there were one metre per second squared.
        let pull = if gravity > 0.0 { gravity } else { 1.0 };
        let masses = model.bodies.iter().filter_map(fender_engine::Body::mass);
        let lightest =
            pull * masses.chain(model.cables.iter().map(element_mass)).fold(f64::INFINITY, f64::min);
        // Of cables a tenth of the diameter is seen, if it is known.
        let diameters = model.cables.iter().flat_map(|c| &c.lines).map(|line| line.diameter);
        let thinnest = diameters.filter(|d| *d > 0.0).fold(f64::INFINITY, f64::min);
        let smallest = smallest.min(1e3 * thinnest);
        Self {
            length: if smallest.is_finite() { 1e-4 * power_of_ten(smallest) } else { 1e-5 },
            quaternion: 1e-6,
            force: if lightest.is_finite() { power_of_ten(1e-4 * lightest) } else { 1e-4 },
            depth: 1e-9,
        }
        .tidy()
    }

    /// Powers of ten as the nearest doubles, so that they read as such in JSON.
    fn tidy(self) -> Self {
        let exact = |x: f64| format!("{x:.0e}").parse().unwrap_or(x);
        Self { length: exact(self.length), force: exact(self.force), ..self }
    }
}

/// Mean mass of a cable's elements [kg].
fn element_mass(cable: &Cable) -> f64 {
    let lightest = cable.lines.iter().map(|line| line.mass).fold(f64::INFINITY, f64::min);
    lightest * cable.length() / cable.elements().max(1) as f64
}

/// The smallest length that a shape has [m].
fn size(shape: &Shape) -> f64 {
    match *shape {
        Shape::Sphere { radius } => radius,
        Shape::Mesh(ref mesh) => mesh.size(),
        Shape::Polyhedron(ref polyhedron) => polyhedron.size(),
        Shape::HalfSpace | Shape::Edge { .. } => f64::INFINITY,
        Shape::Ellipsoid { radii } => radii.min_element(),
        Shape::Torus { tube, .. } | Shape::HalfTorus { tube, .. } | Shape::Link { tube, .. } => tube,
        Shape::Box { half } => half.min_element(),
        Shape::Cylinder { radius, half_height }
        | Shape::Capsule { radius, half_height }
        | Shape::Cone { radius, half_height }
        | Shape::Bore { radius, half_height }
        | Shape::Funnel { radius, half_height } => radius.min(half_height),
    }
}

/// The greatest power of ten that is not above `x`, within what doubles of everyday quantities can be divided by.
fn power_of_ten(x: f64) -> f64 {
    let power = (float::ln(x) / std::f64::consts::LN_10 + 1e-9).floor().clamp(-30.0, 30.0);
    float::pow(10.0, power)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
    use fender_engine::{BodySpec, ModelBuilder};
    use fender_math::{Pose, Vec3};

    fn model(gravity: f64, radius: Option<f64>) -> Model {
        let mut builder = ModelBuilder::new();
        builder.gravity(Vec3::new(0.0, 0.0, -gravity));
        let material = builder.material("any");
        let shapes = radius.map(|radius| (Shape::Sphere { radius }, Pose::IDENTITY, material));
        builder.body(BodySpec {
            shapes: shapes.into_iter().collect(),
            ..testing::ball("ball", Vec3::ZERO, Vec3::ZERO)
        });
        builder.build().unwrap()
    }

    #[test]
    fn the_smallest_shape_and_the_lightest_body_decide() {
        for (radius, length) in [(Some(0.1), 1e-5), (Some(0.099), 1e-6), (Some(2.5), 1e-4), (None, 1e-5)] {
            let got = Resolution::of(&model(10.0, radius));
            assert_eq!((got.length, got.force), (length, 1e-3), "{radius:?}");
        }
        assert_eq!(Resolution::of(&model(0.0, None)).force, 1e-4);
    }
}
