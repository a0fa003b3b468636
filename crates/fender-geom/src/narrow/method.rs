//! Which pairs of shapes can touch, and how their overlaps are found.

use super::rank;
use crate::Shape;

/// How the overlaps of a pair are found; the module's page has the accuracy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// By formulas, exactly.
    Formula,
    /// By the direction of least overlap (separating axes, or the algorithms of Gilbert, Johnson and Keerthi and of the expanding polytope) and
    /// clipped features.
    LeastOverlap,
    /// By the faces, edges and vertices of a mesh, one by one.
    MeshFeatures,
    /// By the places along a tube's spine that are nearest to the other shape.
    NearestOnSpine,
    /// By the curves along which the surfaces of two meshes cross.
    ContactRegions,
}

/// A pair of shapes whose contact is not computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("contact between {a} and {b} is not supported")]
pub struct Unsupported {
    /// The first, with its article.
    pub a: &'static str,
    /// The second, with its article.
    pub b: &'static str,
}

/// How the overlaps of a pair are found, whichever comes first. To be asked when a model is made: [`super::overlaps`] finds nothing
/// for a pair that is not supported.
pub fn method(a: &Shape, b: &Shape) -> Result<Method, Unsupported> {
    let (first, second) = if rank(a) > rank(b) { (b, a) } else { (a, b) };
    match (first, second) {
        // The later one in the order; what it meets has a distance from any point.
        (_, Shape::Torus { .. } | Shape::HalfTorus { .. } | Shape::Link { .. }) => Ok(Method::NearestOnSpine),
        (Shape::Mesh(_), Shape::Mesh(_)) => Ok(Method::ContactRegions),
        (_, Shape::Mesh(_)) if !first.is_endless() || matches!(first, Shape::HalfSpace) => {
            Ok(Method::MeshFeatures)
        }
        (Shape::Sphere { .. }, second) if !matches!(second, Shape::Mesh(_)) => Ok(Method::Formula),
        (first, Shape::HalfSpace) if !matches!(first, Shape::HalfSpace) => Ok(Method::Formula),
        (first, second) if is_convex(first) && is_convex(second) => Ok(Method::LeastOverlap),
        _ => Err(Unsupported { a: a.noun(), b: b.noun() }),
    }
}

/// Whether a shape meets all others of its kind.
fn is_convex(shape: &Shape) -> bool {
    !shape.is_endless() && !matches!(shape, Shape::Mesh(_))
}
