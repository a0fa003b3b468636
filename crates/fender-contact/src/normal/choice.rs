//! A normal law with the kind of overlap that it takes.

use super::{Foundation, Patch};
use crate::{Memory, Motion, NormalForce, NormalLaw, PatchGradient, PatchOverlap, PointOverlap};
use fender_math::Vec3;

/// A normal law. Laws of depth take points, and patches through the depth D = 2M/V; a foundation takes patches only.
#[derive(Debug)]
pub enum Normal {
    /// A law of a depth.
    Depth(Box<dyn NormalLaw>),
    /// An elastic foundation.
    Foundation(Foundation),
}

impl From<Box<dyn NormalLaw>> for Normal {
    fn from(law: Box<dyn NormalLaw>) -> Self {
        Self::Depth(law)
    }
}

impl<L: NormalLaw + 'static> From<Box<L>> for Normal {
    fn from(law: Box<L>) -> Self {
        Self::Depth(law)
    }
}

impl From<Foundation> for Normal {
    fn from(law: Foundation) -> Self {
        Self::Foundation(law)
    }
}

/// A patch as a point of the given depth [m], for laws of depth.
#[inline]
fn of_patch(patch: &PatchOverlap, gradient: &PatchGradient, depth: f64) -> PointOverlap {
    let (point, normal) = (patch.point, gradient.normal);
    PointOverlap { point, normal, depth, curvature: 0.0, elongation: Vec3::ZERO, share: 1.0 }
}

impl Normal {
    /// Name as written in scenario files.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Depth(law) => law.name(),
            Self::Foundation(_) => Foundation::NAME,
        }
    }

    /// The law of a depth, if it is one: what points need.
    pub fn of_depth(&self) -> Option<&dyn NormalLaw> {
        match self {
            Self::Depth(law) => Some(law.as_ref()),
            Self::Foundation(_) => None,
        }
    }

    /// Whether it takes patches only.
    pub fn needs_patch(&self) -> bool {
        matches!(self, Self::Foundation(_))
    }

    /// Whether it takes points only, because its stiffness comes from the curvature of the surfaces.
    pub fn needs_curvature(&self) -> bool {
        matches!(self, Self::Depth(law) if law.needs_curvature())
    }

    /// Force at a point; none of a foundation, to which a model gives no points.
    #[inline]
    pub fn rate(&self, overlap: &PointOverlap, motion: &Motion, memory: &Memory) -> NormalForce {
        match self {
            Self::Depth(law) => law.rate(overlap, motion, memory),
            Self::Foundation(_) => NormalForce::default(),
        }
    }

    /// What the law is a function of on a patch.
    #[inline]
    pub fn gradient(&self, patch: &PatchOverlap) -> PatchGradient {
        match self {
            Self::Depth(_) => PatchGradient::of_depth(patch),
            Self::Foundation(_) => PatchGradient::of_moment(patch),
        }
    }

    /// Force along a patch's gradient. `depth` [m] is that of the gradient, or what of it counts.
    #[inline]
    pub fn rate_on_patch(
        &self,
        patch: &PatchOverlap,
        gradient: &PatchGradient,
        depth: f64,
        motion: &Motion,
        memory: &Memory,
    ) -> NormalForce {
        match self {
            Self::Depth(law) => {
                let overlap = of_patch(patch, gradient, depth);
                let NormalForce { force, elastic, stored, dissipated, stiffness, damping, viscosity } =
                    law.rate(&overlap, motion, memory);
                let size = gradient.size;
                NormalForce {
                    force: force * size,
                    elastic: elastic * size,
                    stored,
                    dissipated: dissipated * size,
                    stiffness: stiffness * size * size,
                    damping: damping * size,
                    viscosity: viscosity * size,
                }
            }
            Self::Foundation(law) => law.rate(patch, gradient, depth, motion, memory),
        }
    }

    /// Upper bound of ∂(elastic force)/∂depth at a point, for depths up to that of `overlap` [N/m].
    pub fn stiffness_bound(&self, overlap: &PointOverlap) -> f64 {
        self.of_depth().map_or(0.0, |law| law.stiffness_bound(overlap))
    }

    /// The same for a patch, with the stiffness along its gradient.
    pub fn stiffness_bound_on_patch(&self, patch: &PatchOverlap, gradient: &PatchGradient) -> f64 {
        match self {
            Self::Depth(law) => {
                let overlap = of_patch(patch, gradient, gradient.depth);
                law.stiffness_bound(&overlap) * gradient.size * gradient.size
            }
            Self::Foundation(law) => law.stiffness_bound(patch.section.length()),
        }
    }

    /// Patch over which the elastic part of the force at a point is spread, if the law knows.
    pub fn patch(&self, overlap: &PointOverlap) -> Option<Patch> {
        self.of_depth().and_then(|law| law.patch(overlap))
    }
}
