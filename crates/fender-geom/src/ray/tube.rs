//! Where a ray meets a torus, half torus or chain link.
//!
//! By steps that cannot pass the surface, each as long as the surface is far (Hart 1996, "Sphere tracing"), and bisection at the end. A torus also
//! has a formula, of fourth degree; but it loses digits for thin ones, and links have none.

use crate::tube::Tube;
use fender_math::Vec3;

/// Steps at most: a ray that slides along a surface makes many. One that needs more is taken as touching where it has come to.
const STEPS: usize = 2000;

/// Distance in metres, outward normal, and whether the ray comes from outside; `direction` is a unit vector.
pub fn first(tube: &Tube, origin: Vec3, direction: Vec3, limit: f64) -> Option<(f64, Vec3, bool)> {
    let size = tube.spine_reach() + tube.bar;
    // Where the ball around it begins and ends.
    let (middle, square) = (-origin.dot(direction), origin.length_squared());
    let half = size * size - (square - middle * middle);
    // Written so that what is not a number ends here.
    let meets = half >= 0.0;
    if !meets {
        return None;
    }
    let near = (middle - half.sqrt()).max(0.0);
    let far = (middle + half.sqrt()).min(limit);
    let height = |t: f64| tube.distance(origin + direction * t) - tube.bar;
    let from_outside = height(near) > 0.0;
    let side = if from_outside { 1.0 } else { -1.0 };
    let tolerance = 1e-14 * (size + near);
    let mut t = near;
    for _ in 0..STEPS {
        if t > far {
            return None;
        }
        let step = side * height(t);
        if step <= tolerance {
            break;
        }
        t += step;
    }
    let p = origin + direction * t;
    Some((t, p - tube.nearest_of_all(p), from_outside))
}
