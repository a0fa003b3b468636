//! Distances and depths by trying, written down apart from the code under test.

use super::inside::holds;
use super::kinds::{Kind, Placed, kind};
use super::meshes::{segment_distance, triangle_distance, winding};
use super::spines::{bar, is_closed, spine};
use fender_geom::Shape;
use fender_math::{Pose, Vec3};

/// Where surfaces without end are cut off [m].
const FAR: f64 = 1e3;

/// Distance of the point `p` [m] in the frame of a shape from its surface, negative inside; from an open mesh it is never negative.
pub fn distance(shape: &Shape, p: Vec3) -> f64 {
    let rho = p.x.hypot(p.y);
    // A surface of revolution is as near as the curve in the half plane through the axis.
    let curve = |points: &[(f64, f64)]| {
        let at = |(r, z): (f64, f64)| Vec3::new(r, 0.0, z);
        let from = Vec3::new(rho, 0.0, p.z);
        points
            .windows(2)
            .map(|ends| segment_distance(from, at(ends[0]), at(ends[1])))
            .fold(f64::INFINITY, f64::min)
    };
    let inside = |far: f64| if holds(shape, &Pose::IDENTITY, p) { -far } else { far };
    match *shape {
        Shape::Sphere { radius } => p.length() - radius,
        Shape::HalfSpace => p.z,
        Shape::Box { half } => {
            let out = p.abs() - half;
            out.max(Vec3::ZERO).length() + out.max_element().min(0.0)
        }
        Shape::Capsule { radius, half_height } => {
            rho.hypot(p.z - p.z.clamp(-half_height, half_height)) - radius
        }
        Shape::Cylinder { radius: r, half_height: h } => {
            inside(curve(&[(0.0, -h), (r, -h), (r, h), (0.0, h)]))
        }
        Shape::Cone { radius: r, half_height: h } => inside(curve(&[(0.0, -h), (r, -h), (0.0, h)])),
        Shape::Bore { radius: r, half_height: h } => inside(curve(&[(FAR, -h), (r, -h), (r, h), (FAR, h)])),
        Shape::Funnel { radius: r, half_height: h } => inside(curve(&[(0.0, -h), (r, h), (FAR, h)])),
        Shape::Edge { half_angle } => {
            let (sin, cos) = half_angle.sin_cos();
            let from = Vec3::new(p.x, 0.0, p.z);
            let side = |sign: f64| segment_distance(from, Vec3::ZERO, Vec3::new(sign * sin, 0.0, -cos) * FAR);
            inside(side(-1.0).min(side(1.0)))
        }
        Shape::Torus { radius, tube } => (rho - radius).hypot(p.z) - tube,
        Shape::HalfTorus { radius, tube } => {
            let aside = if p.y >= 0.0 { rho - radius } else { (p.x.abs() - radius).hypot(p.y) };
            aside.hypot(p.z) - tube
        }
        Shape::Link { radius, half_straight, tube } => {
            let beyond = (p.x.abs() - half_straight).max(0.0);
            (beyond.hypot(p.y) - radius).hypot(p.z) - tube
        }
        Shape::Ellipsoid { radii } => inside(from_ellipsoid(radii, p)),
        Shape::Polyhedron(ref hull) => {
            let height = |f: usize| {
                let corner = hull.vertices()[hull.corners(f as u32)[0] as usize];
                hull.normals()[f].dot(p - corner)
            };
            let highest = (0..hull.normals().len()).map(height).fold(f64::NEG_INFINITY, f64::max);
            if highest <= 0.0 {
                return highest;
            }
            let corners = |t: [u32; 3]| t.map(|v| hull.vertices()[v as usize]);
            let far = |t: [u32; 3]| triangle_distance(p, corners(t));
            hull.triangles().into_iter().map(far).fold(f64::INFINITY, f64::min)
        }
        Shape::Mesh(ref mesh) => {
            let corners = || (0..mesh.triangles().len() as u32).map(|f| mesh.corners(f));
            let far = corners().map(|t| triangle_distance(p, t)).fold(f64::INFINITY, f64::min);
            if mesh.is_closed() && winding(corners(), p) > 0.5 { -far } else { far }
        }
    }
}

/// Distance from the surface of an ellipsoid, not signed. The foot of p is x = r²·p/(r² + t) with Σ (r·p/(r² + t))² = 1; of all roots t the
/// largest is that of the nearest. It is not below the negative of the least r², from which it is counted, because it may be near to it.
fn from_ellipsoid(radii: Vec3, p: Vec3) -> f64 {
    // A little aside of the planes of symmetry, where the foot has two sides to be on.
    let p = p.abs() + Vec3::splat(1e-13);
    let least = radii.min_element();
    let more = (radii - least) * (radii + least);
    let over = |t: f64| (radii * p / (more + t)).length_squared() > 1.0;
    let (mut low, mut high) = (0.0, radii.max_element() * (p.length() + radii.max_element()));
    for _ in 0..200 {
        let t = 0.5 * (low + high);
        if over(t) { low = t } else { high = t }
    }
    p.distance(radii * radii * p / (more + high))
}

/// The least of `f` between 0 and 1, by `count` looks and a search about each that is less than those beside it.
fn least(count: usize, wraps: bool, f: impl Fn(f64) -> f64) -> f64 {
    let at = |k: usize| k as f64 / count as f64;
    let looks: Vec<f64> = (0..=count).map(|k| f(at(k))).collect();
    let lowest = looks.iter().copied().fold(f64::INFINITY, f64::min);
    let inside = |t: f64| if wraps { t } else { t.clamp(0.0, 1.0) };
    let mut best = lowest;
    for k in 0..=count {
        let is_low = (k == 0 || looks[k - 1] >= looks[k]) && (k == count || looks[k + 1] >= looks[k]);
        if !is_low {
            continue;
        }
        let (mut low, mut high) = (at(k) - at(1), at(k) + at(1));
        for _ in 0..45 {
            let (u, v) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
            if f(inside(u)) < f(inside(v)) { high = v } else { low = u }
        }
        best = best.min(f(inside(0.5 * (low + high))));
    }
    best
}

/// Depth of a sphere or of the deepest ball along a tube's spine in another shape; not positive if it is apart by so much.
pub fn ball_depth(placed: &Placed) -> f64 {
    let [a, b] = &placed.shapes;
    let pose = placed.poses[1].inverse() * placed.poses[0];
    if let Shape::Sphere { radius } = *a {
        return radius - distance(b, pose.translation);
    }
    let far = |t: f64| distance(b, pose.transform_point(spine(a, t)));
    bar(a) - least(if matches!(b, Shape::Mesh(_)) { 64 } else { 128 }, is_closed(a), far)
}

/// How far a convex solid reaches along the unit vector `n`, from the world's origin [m]; a half-space along its own normal only.
fn reach(shape: &Shape, pose: &Pose, n: Vec3) -> f64 {
    let l = pose.rotation.inverse() * n;
    let rho = l.x.hypot(l.y);
    let own = match *shape {
        Shape::Sphere { radius } => radius,
        Shape::Box { half } => l.abs().dot(half),
        Shape::Cylinder { radius, half_height } => radius * rho + half_height * l.z.abs(),
        Shape::Capsule { radius, half_height } => radius + half_height * l.z.abs(),
        Shape::Cone { radius, half_height } => (half_height * l.z).max(radius * rho - half_height * l.z),
        Shape::Ellipsoid { radii } => (radii * l).length(),
        Shape::Polyhedron(ref hull) => {
            hull.vertices().iter().map(|p| p.dot(l)).fold(f64::NEG_INFINITY, f64::max)
        }
        Shape::Mesh(ref mesh) => mesh.vertices().iter().map(|p| p.dot(l)).fold(f64::NEG_INFINITY, f64::max),
        Shape::HalfSpace if l.z > 1.0 - 1e-12 => 0.0,
        _ => f64::INFINITY,
    };
    n.dot(pose.translation) + own
}

/// How far two convex solids have to be moved apart along the unit vector `n`, from the second to the first [m].
pub fn depth_along(placed: &Placed, n: Vec3) -> f64 {
    let [a, b] = &placed.shapes;
    reach(b, &placed.poses[1], n) + reach(a, &placed.poses[0], -n)
}

/// Directions that are looked at, and those from which a search begins.
const LOOKS: u32 = 120;
const STARTS: usize = 3;

/// The least of that over all directions, or little more, by looks all around and steps that get shorter from the best of them.
pub fn least_depth(placed: &Placed) -> f64 {
    if kind(&placed.shapes[1]) == Kind::HalfSpace {
        return depth_along(placed, placed.poses[1].rotation * Vec3::Z);
    }
    let golden = std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
    let mut looks: Vec<(f64, Vec3)> = (0..LOOKS)
        .map(|i| {
            let up = 1.0 - 2.0 * (f64::from(i) + 0.5) / f64::from(LOOKS);
            let (sin, cos) = (golden * f64::from(i)).sin_cos();
            let out = (1.0 - up * up).sqrt();
            let n = Vec3::new(out * cos, out * sin, up);
            (depth_along(placed, n), n)
        })
        .collect();
    looks.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut best = looks[0].0;
    let mut starts: Vec<Vec3> = Vec::new();
    for (_, n) in looks {
        if starts.len() == STARTS {
            break;
        }
        // About 18° from look to look.
        if starts.iter().any(|s| s.dot(n) > 0.9) {
            continue;
        }
        starts.push(n);
        best = best.min(descend(placed, n));
    }
    best
}

/// Steps in eight directions, as long as one of them leads down, then shorter ones.
fn descend(placed: &Placed, mut n: Vec3) -> f64 {
    let mut depth = depth_along(placed, n);
    let mut step = 0.1;
    for _ in 0..40 {
        let (u, v) = n.any_orthonormal_pair();
        let h = 0.5_f64.sqrt();
        let ways = [(1.0, 0.0), (h, h), (0.0, 1.0), (-h, h), (-1.0, 0.0), (-h, -h), (0.0, -1.0), (h, -h)];
        let tries = ways.map(|(x, y)| {
            let n = (n + (u * x + v * y) * step).normalize();
            (depth_along(placed, n), n)
        });
        let lower = tries.into_iter().reduce(|a, b| if b.0 < a.0 { b } else { a });
        match lower.filter(|l| l.0 < depth) {
            Some(l) => (depth, n) = l,
            None => step *= 0.5,
        }
    }
    depth
}
