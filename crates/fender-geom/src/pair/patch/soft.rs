//! Which of two solids is soft: the one in which depth is measured.

use super::cells::inradius;
use super::curved::is_curved;
use crate::Shape;
use crate::narrow::Unsupported;

/// The soft one of two solids.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Soft {
    /// The first.
    First,
    /// The second.
    Second,
    /// Both: the moment of depth is w·(that in the second) + (1 − w)·(that in the first), with this w,
    /// between 0 and 1.
    Both(f64),
}

/// Part of the larger inradius by which two solids have to differ for only one of them to be soft.
const LIKE_SIZE: f64 = 0.25;

/// Which one of two solids is soft. It depends on nothing but the shapes, because a change along the way
/// would do work.
///
/// A half-space and an edge always are. A round solid is rigid beside one with flat faces. Of two bounded
/// solids with flat faces, and of two round ones (ball, cylinder, cone, capsule), the one with the larger
/// inradius is: it is never so thin beside the other one that its middle is reached first. Where the inradii differ by less than a quarter of the larger one, both are,
/// with a weight that is 1/2 for solids of one size, so that exchanging them changes nothing.
pub fn soft(a: &Shape, b: &Shape) -> Result<Soft, Unsupported> {
    let unsupported = Unsupported { a: a.noun(), b: b.noun() };
    match (Surface::of(a), Surface::of(b)) {
        (Surface::Endless, Surface::Flat | Surface::Round) | (Surface::Flat, Surface::Round) => {
            Ok(Soft::First)
        }
        (Surface::Flat | Surface::Round, Surface::Endless) | (Surface::Round, Surface::Flat) => {
            Ok(Soft::Second)
        }
        (Surface::Round, Surface::Round) if !(is_curved(a) && is_curved(b)) => Err(unsupported),
        (Surface::Flat, Surface::Flat) | (Surface::Round, Surface::Round) => {
            let (Some(size_a), Some(size_b)) = (inradius(a), inradius(b)) else { return Err(unsupported) };
            let difference = (size_b - size_a) / size_a.max(size_b);
            Ok(if difference >= LIKE_SIZE {
                Soft::Second
            } else if difference <= -LIKE_SIZE {
                Soft::First
            } else {
                Soft::Both(0.5 + difference * (0.5 / LIKE_SIZE))
            })
        }
        _ => Err(unsupported),
    }
}

/// What matters of a shape's surface here.
enum Surface {
    /// Flat faces, without end.
    Endless,
    /// Flat faces all around.
    Flat,
    /// Convex and at least partly curved.
    Round,
    /// Anything else.
    Other,
}

impl Surface {
    fn of(shape: &Shape) -> Self {
        match shape {
            Shape::HalfSpace | Shape::Edge { .. } => Self::Endless,
            Shape::Box { .. } | Shape::Polyhedron(_) => Self::Flat,
            Shape::Sphere { .. }
            | Shape::Cylinder { .. }
            | Shape::Capsule { .. }
            | Shape::Ellipsoid { .. }
            | Shape::Cone { .. } => Self::Round,
            Shape::Bore { .. }
            | Shape::Funnel { .. }
            | Shape::Torus { .. }
            | Shape::HalfTorus { .. }
            | Shape::Link { .. }
            | Shape::Mesh(_) => Self::Other,
        }
    }
}
