//! Which points a shape holds, written down apart from the code under test.

use fender_geom::Shape;
use fender_math::{Pose, Vec3};

/// Whether the world point `p` [m] is in the shape.
pub fn holds(shape: &Shape, pose_ws: &Pose, p: Vec3) -> bool {
    let p = pose_ws.inverse_transform_point(p);
    let rho = p.x.hypot(p.y);
    match *shape {
        Shape::Sphere { radius } => p.length() <= radius,
        Shape::HalfSpace => p.z <= 0.0,
        Shape::Box { half } => p.abs().cmple(half).all(),
        Shape::Cylinder { radius, half_height } => p.z.abs() <= half_height && rho <= radius,
        Shape::Capsule { radius, half_height } => {
            rho.hypot(p.z - p.z.clamp(-half_height, half_height)) <= radius
        }
        Shape::Ellipsoid { radii } => (p / radii).length() <= 1.0,
        Shape::Cone { radius, half_height } => {
            p.z >= -half_height && rho <= radius * (half_height - p.z) / (2.0 * half_height)
        }
        Shape::Bore { radius, half_height } => p.z.abs() <= half_height && rho >= radius,
        Shape::Funnel { radius, half_height } => {
            p.z <= half_height && rho >= radius * (half_height + p.z) / (2.0 * half_height)
        }
        Shape::Edge { half_angle } => p.x.abs() * half_angle.cos() + p.z * half_angle.sin() <= 0.0,
        Shape::Torus { radius, tube } => (rho - radius).hypot(p.z) <= tube,
        Shape::HalfTorus { radius, tube } => {
            let aside = if p.y >= 0.0 { rho - radius } else { (p.x.abs() - radius).hypot(p.y) };
            aside.hypot(p.z) <= tube
        }
        Shape::Link { radius, half_straight, tube } => {
            let beyond = (p.x.abs() - half_straight).max(0.0);
            (beyond.hypot(p.y) - radius).hypot(p.z) <= tube
        }
        Shape::Mesh(ref mesh) => mesh.holds(p) == Some(true),
        Shape::Polyhedron(ref polyhedron) => polyhedron.holds(p),
    }
}
