//! Where a ray meets a shape, and whether a point is in it.

mod span;
mod tube;

use crate::Shape;
use crate::tube::Tube;
use fender_math::{Pose, Vec3, float};
use span::{Line, Span};

/// First place where a ray passes the surface of a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// From the origin, in lengths of the direction: metres for a unit direction.
    pub distance: f64,
    /// The place in the world [m].
    pub point: Vec3,
    /// Outward unit normal of the surface there, in the world. Of a sheet without thickness, that of its triangle.
    pub normal: Vec3,
    /// Whether the surface is met from outside; else the ray begins inside of the shape and leaves it there.
    pub from_outside: bool,
}

/// First place, up to `limit` (in lengths of `direction`, may be infinite), where a ray from `origin` [m] passes the surface of a
/// shape. `None` if it does not, for a direction without length and for numbers that are not finite.
///
/// By formulas, for meshes by their tree and Woop, Benthin and Wald 2013; no ray slips through between two parts of a surface.
pub fn cast(shape: &Shape, pose_ws: &Pose, origin: Vec3, direction: Vec3, limit: f64) -> Option<RayHit> {
    let turned = pose_ws.rotation.inverse() * direction;
    let own = pose_ws.inverse_transform_point(origin);
    let length = turned.length_squared();
    // Written so that what is not a number ends here.
    if !(length > 0.0 && length.is_finite() && own.is_finite()) {
        return None;
    }
    let (distance, normal, from_outside) = if let Shape::Mesh(mesh) = shape {
        let hit = mesh.cast(own, turned, limit)?;
        (hit.distance, mesh.normal(hit.triangle), hit.from_outside)
    } else if let Some(tube) = Tube::of(shape) {
        let length = length.sqrt();
        let (t, normal, from_outside) = tube::first(&tube, own, turned / length, limit * length)?;
        (t / length, normal, from_outside)
    } else {
        // From the place of the line that is nearest to the middle, so that far rays do not lose digits.
        let shift = if shape.is_endless() { 0.0 } else { -own.dot(turned) / length };
        let line = Line { origin: own + turned * shift, direction: turned };
        let ends = spans(shape, &line);
        let first = |span: &Span| {
            let moved = Span {
                enter: span::End { t: span.enter.t + shift, ..span.enter },
                leave: span::End { t: span.leave.t + shift, ..span.leave },
            };
            moved.first().filter(|(end, _)| end.t.is_finite())
        };
        let (end, enters) = ends
            .iter()
            .flatten()
            .filter_map(first)
            .reduce(|best, other| if other.0.t < best.0.t { other } else { best })?;
        (end.t, end.normal, enters)
    };
    let normal = (pose_ws.rotation * normal).normalize_or(pose_ws.rotation * Vec3::Z);
    let point = origin + direction * distance;
    (distance <= limit && point.is_finite()).then_some(RayHit { distance, point, normal, from_outside })
}

/// Parts of a line that are in a shape other than a mesh, up to two.
fn spans(shape: &Shape, line: &Line) -> [Option<Span>; 2] {
    const TUBE: f64 = f64::INFINITY;
    let tube = |radius: f64| line.ellipsoid(Vec3::ZERO, Vec3::new(radius, radius, TUBE));
    let both = |a: Option<Span>, b: Option<Span>| a.zip(b).and_then(|(a, b)| a.and(b));
    let one = match *shape {
        Shape::Sphere { radius } => line.ellipsoid(Vec3::ZERO, Vec3::splat(radius)),
        Shape::Ellipsoid { radii } => line.ellipsoid(Vec3::ZERO, radii),
        Shape::HalfSpace => line.below(Vec3::Z, 0.0),
        Shape::Box { half } => {
            let across = both(line.slab(Vec3::X, half.x), line.slab(Vec3::Y, half.y));
            both(across, line.slab(Vec3::Z, half.z))
        }
        Shape::Cylinder { radius, half_height } => both(tube(radius), line.slab(Vec3::Z, half_height)),
        Shape::Capsule { radius, half_height } => {
            let ball = |z: f64| line.ellipsoid(Vec3::Z * z, Vec3::splat(radius));
            let side = both(tube(radius), line.slab(Vec3::Z, half_height));
            let parts = [side, ball(half_height), ball(-half_height)];
            // Where the side meets the ends both have the same normal, but the slab that cuts the side has another.
            parts.into_iter().flatten().reduce(Span::or).map(|span| round_ends(span, line, half_height))
        }
        Shape::Cone { radius, half_height } => {
            let side = line.cone(half_height, 0.5 * radius / half_height, true);
            both(side, line.below(Vec3::NEG_Z, half_height))
        }
        Shape::Edge { half_angle } => {
            let (sin, cos) = float::sin_cos(half_angle);
            let face = |side: f64| line.below(Vec3::new(side * cos, 0.0, sin), 0.0);
            both(face(1.0), face(-1.0))
        }
        Shape::Bore { radius, half_height } => {
            let Some(plate) = line.slab(Vec3::Z, half_height) else { return [None; 2] };
            return plate.without(tube(radius));
        }
        Shape::Funnel { radius, half_height } => {
            let Some(block) = line.below(Vec3::Z, half_height) else { return [None; 2] };
            return block.without(line.cone(-half_height, 0.5 * radius / half_height, false));
        }
        Shape::Polyhedron(ref polyhedron) => {
            let faces = (0..polyhedron.normals().len() as u32).map(|f| {
                let n = polyhedron.normals()[f as usize];
                line.below(n, -polyhedron.height(f, Vec3::ZERO))
            });
            faces.reduce(both).flatten()
        }
        // Not by parts of a line.
        Shape::Mesh(_) | Shape::Torus { .. } | Shape::HalfTorus { .. } | Shape::Link { .. } => None,
    };
    [one, None]
}

/// Normals of a capsule from its segment.
fn round_ends(mut span: Span, line: &Line, half_height: f64) -> Span {
    for end in [&mut span.enter, &mut span.leave] {
        let p = line.at(end.t);
        end.normal = p - Vec3::Z * p.z.max(-half_height).min(half_height);
    }
    span
}

/// Whether a shape holds the point `p` [m] of the world, its surface included but for meshes, where rounding decides. Never
/// for an open mesh, which has no inside.
pub fn inside(shape: &Shape, pose_ws: &Pose, p: Vec3) -> bool {
    let p = pose_ws.inverse_transform_point(p);
    let rho = || (p.x * p.x + p.y * p.y).sqrt();
    match *shape {
        Shape::Sphere { radius } => p.length_squared() <= radius * radius,
        Shape::HalfSpace => p.z <= 0.0,
        Shape::Box { half } => p.abs().cmple(half).all(),
        Shape::Cylinder { radius, half_height } => p.z.abs() <= half_height && rho() <= radius,
        Shape::Capsule { radius, half_height } => {
            let core = Vec3::Z * p.z.max(-half_height).min(half_height);
            p.distance_squared(core) <= radius * radius
        }
        Shape::Ellipsoid { radii } => (p / radii).length_squared() <= 1.0,
        Shape::Cone { radius, half_height } => {
            p.z >= -half_height && rho() <= 0.5 * radius * (half_height - p.z) / half_height
        }
        Shape::Bore { radius, half_height } => p.z.abs() <= half_height && rho() >= radius,
        Shape::Funnel { radius, half_height } => {
            p.z <= half_height && rho() >= 0.5 * radius * (half_height + p.z) / half_height
        }
        Shape::Edge { half_angle } => {
            let (sin, cos) = float::sin_cos(half_angle);
            p.x.abs() * cos + p.z * sin <= 0.0
        }
        Shape::Mesh(ref mesh) => mesh.holds(p) == Some(true),
        Shape::Polyhedron(ref polyhedron) => polyhedron.holds(p),
        Shape::Torus { .. } | Shape::HalfTorus { .. } | Shape::Link { .. } => {
            Tube::of(shape).is_some_and(|tube| tube.distance(p) <= tube.bar)
        }
    }
}
