//! How stiff a cylinder or a cone is, standing and lying.
//!
//! On its cap it has four points around the rim with a quarter of the stiffness each, on its side two at the most. So that it is as
//! stiff when it lies as when it stands, a point counts more the more the solid leans: w = ¼·(1 + h), with h from 0 at a sine of [`STANDS`] between
//! axis and normal to 1 when it lies. The energy ½·k·w·d² is still a potential: turning the solid changes w too, and what that asks for in moment the
//! force gives by acting aside of the point, by ½·w′/w·d in the direction in which the axis leans.

use super::half_space::QUARTER;
use fender_contact::PointOverlap;
use fender_math::Vec3;

/// Sine of the angle between axis and normal up to which a solid counts as standing: a cap that is wholly below a surface leans less.
pub const STANDS: f64 = 0.2;

/// A point of a solid with this axis, with its share and its place.
pub fn leaning(axis: Vec3, point: PointOverlap) -> PointOverlap {
    let cos = axis.dot(point.normal);
    let across = axis - point.normal * cos;
    let sin = across.length();
    let x = ((sin - STANDS) / (1.0 - STANDS)).clamp(0.0, 1.0);
    if x == 0.0 {
        return PointOverlap { share: QUARTER, ..point };
    }
    let (h, slope) = (x * x * (3.0 - 2.0 * x), 6.0 * x * (1.0 - x) / (1.0 - STANDS));
    let aside = across * (0.5 * slope * cos / (1.0 + h) * point.depth / sin);
    PointOverlap { point: point.point + aside, share: QUARTER * (1.0 + h), ..point }
}
