//! Where a ray meets a torus, half torus or chain link.
//!
//! By steps that cannot pass the surface. Each is at least as long as the surface is far (Hart 1996, "Sphere tracing"). Near the surface it is longer: along a line
//! the distance f from it never bends down by more than 1/(R − d) at the distance d from the spine, inside 1/d, so that f is not below
//! f + f′·s − ½·k·s² up to the length s. These steps converge as Newton's do, and a ray that slides past makes few of them. A torus also
//! has a formula, of fourth degree; but it loses digits for thin ones, and links have none.

use crate::tube::Tube;
use fender_math::Vec3;

/// Steps at most. A ray that needs more is taken as touching where it has come to.
const STEPS: usize = 500;

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
    // Up to half of the way to where two places of the spine are equally near, or to the spine itself.
    let room = 0.5 * if from_outside { tube.radius - tube.bar } else { tube.bar };
    let mut t = near;
    for _ in 0..STEPS {
        if t > far {
            return None;
        }
        let step = side * height(t);
        if step <= tolerance {
            break;
        }
        let p = origin + direction * t;
        let slope = side * (p - tube.nearest_of_all(p)).normalize_or_zero().dot(direction);
        let longer = room * (slope + (slope * slope + 2.0 * step / room).sqrt());
        t += step.max(longer.min(room - step));
    }
    let p = origin + direction * t;
    Some((t, p - tube.nearest_of_all(p), from_outside))
}
