//! Curve: a point on a curve of the parent: rails, boom tracks, cams.
//!
//! A natural cubic spline through points, over the length of the chords between them; straight beyond both ends. The
//! child does not turn.

use super::{Coordinate, Joint, JointMotion, sliding};
use fender_math::series::{Series, SeriesError};
use fender_math::{Pose, Vec3};

/// A point on a curve. The coordinate is the length of chords from the first point [m], close to the length of the
/// curve where points are dense.
#[derive(Clone, Debug)]
pub struct Curve {
    spline: Series<3>,
}

impl Curve {
    /// A curve through points in the parent's frame [m].
    pub fn new(points: &[Vec3]) -> Result<Self, SeriesError> {
        let mut length = 0.0;
        let mut lengths = Vec::with_capacity(points.len());
        for (i, point) in points.iter().enumerate() {
            length += if i > 0 { point.distance(points[i - 1]) } else { 0.0 };
            lengths.push(length);
        }
        Ok(Self { spline: Series::new(lengths, points.iter().map(Vec3::to_array).collect())? })
    }

    /// A sample for the contract test.
    pub(super) fn sample() -> Self {
        let points = [[0.0, 0.0, 0.0], [1.0, 0.2, 0.0], [1.5, 1.0, 0.3], [1.2, 2.0, 0.5]].map(Vec3::from);
        Self::new(&points).expect("four points in order")
    }

    /// Point, first and second derivative by the coordinate.
    fn at(&self, s: f64) -> [Vec3; 3] {
        let (first, last) = self.spline.span();
        // The series itself holds its end values: inside by next to nothing it still has the end's direction.
        let end = 1e-12 * (last - first);
        let inside = s.clamp(first + end, last - end);
        let sample = self.spline.sample(inside);
        let [point, tangent, bend] = [sample.value, sample.rate, sample.acceleration].map(Vec3::from);
        [point + tangent * (s - inside), tangent, if s == inside { bend } else { Vec3::ZERO }]
    }
}

impl Joint for Curve {
    fn name(&self) -> &'static str {
        "curve"
    }

    fn coordinates(&self) -> &'static [Coordinate] {
        &[Coordinate::Distance("distance")]
    }

    fn motion(&self, q: &[f64], v: &[f64]) -> JointMotion {
        let [point, tangent, bend] = self.at(q[0]);
        let mut motion = JointMotion::still(Pose::from_translation(point)).moving(&[sliding(tangent)], v);
        motion.bias.linear = bend * (v[0] * v[0]);
        motion
    }
}
