//! Nearest points of solids that are round somewhere, to the last digits.
//!
//! Going to the nearest point of either solid in turn leads to the nearest pair, because each step shortens the distance and only that pair stays
//! where it is (Cheney and Goldstein 1959). The steps shrink slowly where the surfaces bend little over the distance. Near the
//! end the round trip is linear in the two coordinates of the surface, so that two earlier trips tell where it will end (Anderson 1965,
//! "Iterative procedures for nonlinear integral equations"); what they tell is taken unless it is farther.

use fender_math::Vec3;

const ROUNDS: usize = 200;

/// One trip: from where, and by how much it moved.
#[derive(Clone, Copy)]
struct Trip {
    end: Vec3,
    moved: Vec3,
}

/// Nearest points of two convex solids, from a point of the first, given the nearest point of either to any point.
/// Stops when a trip moves by less than `near` [m]; tells whether one did.
pub(super) fn project(
    mut p: Vec3,
    on_a: impl Fn(Vec3) -> Vec3,
    on_b: impl Fn(Vec3) -> Vec3,
    near: f64,
) -> ([Vec3; 2], bool) {
    let mut q = on_b(p);
    let mut trips: [Option<Trip>; 2] = [None; 2];
    for _ in 0..ROUNDS {
        let end = on_a(q);
        let moved = end - p;
        p = end;
        q = on_b(p);
        let goes_on = moved.length_squared() > near * near;
        if !goes_on {
            return ([p, q], true);
        }
        let trip = Trip { end, moved };
        if let Some(guess) = extrapolate(trip, trips) {
            let ahead = on_a(guess);
            let beside = on_b(ahead);
            // Near the end distances are alike to the last digit while the points are not.
            if ahead.distance_squared(beside) <= p.distance_squared(q) * (1.0 + 4.0 * f64::EPSILON) {
                (p, q) = (ahead, beside);
            }
        }
        trips = [Some(trip), trips[0]];
    }
    ([p, q], false)
}

/// Where trips that are linear in their beginning come to rest.
fn extrapolate(last: Trip, earlier: [Option<Trip>; 2]) -> Option<Vec3> {
    let first = earlier[0]?;
    // Changes of the move and of the end, from trip to trip.
    let (f1, g1) = (last.moved - first.moved, last.end - first.end);
    let one = |f: Vec3, g: Vec3| last.end - g * (f.dot(last.moved) / f.length_squared());
    let guess = if let Some(second) = earlier[1] {
        let (f2, g2) = (first.moved - second.moved, first.end - second.end);
        let (a, b, c) = (f1.dot(f1), f1.dot(f2), f2.dot(f2));
        let (x, y) = (f1.dot(last.moved), f2.dot(last.moved));
        let det = a * c - b * b;
        if det > 1e-12 * a * c {
            last.end - g1 * ((x * c - y * b) / det) - g2 * ((a * y - b * x) / det)
        } else {
            one(f1, g1)
        }
    } else {
        one(f1, g1)
    };
    guess.is_finite().then_some(guess)
}
