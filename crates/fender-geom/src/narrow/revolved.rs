//! Distance of a point from the surface of a cone, a bore or a funnel: in the half-plane through the axis all three are
//! made of straight lines.

use super::bend::Bend;
use super::sphere::Nearest;
use fender_math::Vec3;

/// A cone is taken to be blunt this near to its tip, as a part of its radius: its curvature would be infinite there.
const BLUNT: f64 = 1e-6;

/// Nearest place of the surface in the half-plane, whose coordinates are the distance from the axis and the height.
struct Place {
    /// Outward normal.
    normal: (f64, f64),
    /// Distance from the surface, negative inside [m].
    distance: f64,
    /// Curvature of the surface around the axis [1/m]; the other principal one is zero. On a rim it is that of the circle, seen
    /// along the normal (Meusnier), so that it goes from the side's value to the face's zero without a jump.
    around: f64,
}

impl Place {
    fn face(distance: f64, up: f64) -> Self {
        Self { normal: (0.0, up), distance, around: 0.0 }
    }

    /// The rim of radius `radius` [m], or a tip if that is zero, with the point at (`out`, `up`) [m] from it.
    fn rim(out: f64, up: f64, radius: f64) -> Self {
        let distance = (out * out + up * up).sqrt();
        // On the rim itself any direction between those of the faces would do.
        let normal =
            if distance > 0.0 { (out / distance, up / distance) } else { (0.0, 1.0_f64.copysign(up)) };
        let around = if radius > 0.0 { normal.0 / radius } else { 0.0 };
        Self { normal, distance, around }
    }
}

fn turned(p: Vec3, place: impl Fn(f64, f64) -> Place) -> Nearest {
    let across = Vec3::new(p.x, p.y, 0.0);
    let rho = across.length();
    // On the axis every direction is as good as any other.
    let radial = if rho > 0.0 { across / rho } else { Vec3::X };
    let Place { normal: (out, up), distance, around } = place(rho, p.z);
    let normal = radial * out + Vec3::Z * up;
    let tangent = Vec3::Z.cross(radial);
    let bend = Bend::single(around, tangent, tangent.cross(normal));
    Nearest { surface: p - normal * distance, normal, distance, bend }
}

/// Nearest place to `p` [m] on a bore of `radius` [m] through a plate of half thickness `half` [m].
pub fn bore(p: Vec3, radius: f64, half: f64) -> Nearest {
    turned(p, |rho, z| {
        let above = z.abs() - half;
        let up = 1.0_f64.copysign(z);
        if above > 0.0 && rho < radius {
            Place::rim(rho - radius, up * above, radius)
        } else if above > 0.0 || above > radius - rho {
            Place::face(above, up)
        } else {
            Place { normal: (-1.0, 0.0), distance: radius - rho, around: -1.0 / radius }
        }
    })
}

/// Nearest place to `p` [m] on a cone.
pub fn cone(p: Vec3, radius: f64, half: f64) -> Nearest {
    let slant = (radius * radius + 4.0 * half * half).sqrt();
    let (sin, cos) = (radius / slant, 2.0 * half / slant);
    turned(p, |rho, z| {
        let below_tip = half - z;
        let below_base = -half - z;
        // Above the side, and along it from the tip.
        let over = rho * cos - below_tip * sin;
        let along = rho * sin + below_tip * cos;
        let is_inside = over <= 0.0 && below_base <= 0.0;
        if below_base > 0.0 && rho <= radius || is_inside && below_base > over {
            Place::face(below_base, -1.0)
        } else if along < 0.0 {
            Place::rim(rho, -below_tip, 0.0)
        } else if along > slant {
            Place::rim(rho - radius, -below_base, radius)
        } else {
            let around = cos / (along * sin).max(BLUNT * radius);
            Place { normal: (cos, sin), distance: over, around }
        }
    })
}

/// Nearest place to `p` [m] on a funnel.
pub fn funnel(p: Vec3, radius: f64, half: f64) -> Nearest {
    let slant = (radius * radius + 4.0 * half * half).sqrt();
    let (sin, cos) = (radius / slant, 2.0 * half / slant);
    turned(p, |rho, z| {
        let above_tip = z + half;
        let above_mouth = z - half;
        // Above the wall, and along it from the tip.
        let over = above_tip * sin - rho * cos;
        let along = above_tip * cos + rho * sin;
        let wall = if along > 0.0 {
            let around = -cos / (along * sin).max(BLUNT * radius);
            Place { normal: (-cos, sin), distance: over, around }
        } else {
            // Under the tip: out through it.
            let depth = (rho * rho + above_tip * above_tip).sqrt();
            let normal = if depth > 0.0 { (-rho / depth, -above_tip / depth) } else { (0.0, 1.0) };
            Place { normal, distance: -depth, around: 0.0 }
        };
        if rho >= radius && (above_mouth >= 0.0 || along > slant || above_mouth > wall.distance) {
            Place::face(above_mouth, 1.0)
        } else if along > slant {
            Place::rim(rho - radius, above_mouth, radius)
        } else {
            wall
        }
    })
}

/// Nearest place to `p` [m] on an edge of half angle `half_angle` [rad].
pub fn edge(p: Vec3, half_angle: f64) -> Nearest {
    let (sin, cos) = fender_math::float::sin_cos(half_angle);
    let side = 1.0_f64.copysign(p.x);
    let out = p.x * side;
    // Along the nearer face, away from the edge; between the two faces' outer sides it is negative.
    let (normal, distance) = if out * sin - p.z * cos >= 0.0 {
        (Vec3::new(side * cos, 0.0, sin), out * cos + p.z * sin)
    } else {
        let distance = (p.x * p.x + p.z * p.z).sqrt();
        (Vec3::new(p.x / distance, 0.0, p.z / distance), distance)
    };
    Nearest { surface: p - normal * distance, normal, distance, bend: Bend::FLAT }
}
