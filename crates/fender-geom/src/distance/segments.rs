//! Nearest points of two segments.

use fender_math::Vec3;

/// Lines whose angle has a smaller sine are taken to be parallel.
const PARALLEL: f64 = 1e-12;

/// A segment by its middle [m], unit direction and half length [m].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Segment {
    pub middle: Vec3,
    pub axis: Vec3,
    pub half: f64,
}

impl Segment {
    /// From one end to the other; without length it has no direction either.
    pub fn between(a: Vec3, b: Vec3) -> Self {
        Self { middle: a.midpoint(b), axis: (b - a).normalize_or_zero(), half: 0.5 * a.distance(b) }
    }
}

/// Nearest points of two segments (as Ericson 2005, section 5.1.9): on the first line, then to the second and back, each within its ends.
#[inline]
pub(crate) fn between_segments(a: &Segment, b: &Segment) -> [Vec3; 2] {
    let apart = b.middle - a.middle;
    let cos = a.axis.dot(b.axis);
    // Across the second line; its square is that of the sine, without loss for small angles.
    let across = a.axis - b.axis * cos;
    let square = across.length_squared();
    let within = |x: f64, half: f64| {
        let x = if x > half { half } else { x };
        if x < -half { -half } else { x }
    };
    let (along_a, along_b) = (a.axis.dot(apart), b.axis.dot(apart));
    // Between parallel lines any place will do that has the other segment beside it, if there is one.
    let start = if square > PARALLEL * PARALLEL { across.dot(apart) / square } else { along_a };
    let t = within(cos * within(start, a.half) - along_b, b.half);
    let s = within(cos * t + along_a, a.half);
    [a.middle + a.axis * s, b.middle + b.axis * t]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parallel_segments_and_ends() {
        let along_x =
            |x: f64, y: f64, half: f64| Segment { middle: Vec3::new(x, y, 0.0), axis: Vec3::X, half };
        for (x, distance) in
            [(0.0, 1.0), (2.0, 1.0), (2.9, 1.0), (3.0, 1.0), (6.0, 10.0_f64.sqrt()), (-7.0, 17.0_f64.sqrt())]
        {
            let [p, q] = between_segments(&along_x(0.0, 0.0, 2.0), &along_x(x, 1.0, 1.0));
            assert!((p.distance(q) - distance).abs() < 1e-15, "{x}: {p} {q}");
        }
        let across = Segment { middle: Vec3::new(5.0, 0.0, 0.0), axis: Vec3::Y, half: 1.0 };
        let [p, q] = between_segments(&along_x(0.0, 0.5, 2.0), &across);
        assert_eq!((p, q), (Vec3::new(2.0, 0.5, 0.0), Vec3::new(5.0, 0.5, 0.0)));
    }
}
