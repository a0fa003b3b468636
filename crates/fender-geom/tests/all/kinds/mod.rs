//! Every kind of shape there is, and random shapes of it. A new shape has to be added here (the match is complete), and is then in every
//! test over all pairs.

use super::meshes::{Soup, cuboid, potato, sheet, torus};
use super::pairs::Chance;
use fender_geom::narrow::supported;
use fender_geom::trimesh::Heightfield;
use fender_geom::{Polyhedron, Shape};
use fender_math::{Pose, Vec3};
use std::sync::{Arc, OnceLock};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Sphere,
    Ellipsoid,
    Capsule,
    Cylinder,
    Cone,
    Box,
    Polyhedron,
    HalfSpace,
    Bore,
    Funnel,
    Edge,
    Closed,
    Open,
    Heights,
    Torus,
    HalfTorus,
    Link,
}

pub const KINDS: [Kind; 17] = [
    Kind::Sphere,
    Kind::Ellipsoid,
    Kind::Capsule,
    Kind::Cylinder,
    Kind::Cone,
    Kind::Box,
    Kind::Polyhedron,
    Kind::HalfSpace,
    Kind::Bore,
    Kind::Funnel,
    Kind::Edge,
    Kind::Closed,
    Kind::Open,
    Kind::Heights,
    Kind::Torus,
    Kind::HalfTorus,
    Kind::Link,
];

/// Kind of a shape; of meshes, the ground of a heightfield is a closed one.
pub fn kind(shape: &Shape) -> Kind {
    match shape {
        Shape::Sphere { .. } => Kind::Sphere,
        Shape::Ellipsoid { .. } => Kind::Ellipsoid,
        Shape::Capsule { .. } => Kind::Capsule,
        Shape::Cylinder { .. } => Kind::Cylinder,
        Shape::Cone { .. } => Kind::Cone,
        Shape::Box { .. } => Kind::Box,
        Shape::Polyhedron(_) => Kind::Polyhedron,
        Shape::HalfSpace => Kind::HalfSpace,
        Shape::Bore { .. } => Kind::Bore,
        Shape::Funnel { .. } => Kind::Funnel,
        Shape::Edge { .. } => Kind::Edge,
        Shape::Mesh(mesh) if mesh.is_closed() => Kind::Closed,
        Shape::Mesh(_) => Kind::Open,
        Shape::Torus { .. } => Kind::Torus,
        Shape::HalfTorus { .. } => Kind::HalfTorus,
        Shape::Link { .. } => Kind::Link,
    }
}

impl Kind {
    pub fn is_mesh(self) -> bool {
        matches!(self, Self::Closed | Self::Open | Self::Heights)
    }

    pub fn is_tube(self) -> bool {
        matches!(self, Self::Torus | Self::HalfTorus | Self::Link)
    }

    /// Whether it has a convex solid with an end, or is a half-space.
    pub fn is_convex(self) -> bool {
        self < Self::Bore
    }

    /// Whether its surface has no edges.
    pub fn is_smooth(self) -> bool {
        matches!(self, Self::Sphere | Self::Ellipsoid | Self::Capsule | Self::HalfSpace) || self.is_tube()
    }

    /// A shape of this kind with sizes between 0.1 and 1 m.
    pub fn shape(self, chance: &mut Chance) -> Shape {
        let mut size = || chance.between(0.1, 1.0);
        match self {
            Self::Sphere => Shape::Sphere { radius: size() },
            Self::Ellipsoid => Shape::Ellipsoid { radii: Vec3::new(size(), size(), size()) },
            Self::Capsule => Shape::Capsule { radius: size(), half_height: size() },
            Self::Cylinder => Shape::Cylinder { radius: size(), half_height: size() },
            Self::Cone => Shape::Cone { radius: size(), half_height: size() },
            Self::Box => Shape::Box { half: Vec3::new(size(), size(), size()) },
            Self::HalfSpace => Shape::HalfSpace,
            Self::Bore => Shape::Bore { radius: size(), half_height: size() },
            Self::Funnel => Shape::Funnel { radius: size(), half_height: size() },
            Self::Edge => Shape::Edge { half_angle: size() * std::f64::consts::FRAC_PI_2 },
            Self::Torus => {
                let radius = size();
                Shape::Torus { radius, tube: radius * chance.between(0.1, 0.9) }
            }
            Self::HalfTorus => {
                let radius = size();
                Shape::HalfTorus { radius, tube: radius * chance.between(0.1, 0.9) }
            }
            Self::Link => {
                let (radius, half_straight) = (size(), size());
                Shape::Link { radius, half_straight, tube: radius * chance.between(0.1, 0.9) }
            }
            Self::Polyhedron => loop {
                let count = if chance.unit() < 0.5 { 6 } else { 24 };
                let (scale, at) = (chance.between(0.3, 1.0), chance.vector() * 0.5);
                let points: Vec<Vec3> = (0..count).map(|_| chance.vector() * scale + at).collect();
                // Neither flat nor a splinter.
                if let Some(hull) =
                    Polyhedron::hull(&points).ok().filter(|hull| hull.volume() > 0.05 * scale.powi(3))
                {
                    return Shape::Polyhedron(Arc::new(hull));
                }
            },
            Self::Closed | Self::Open | Self::Heights => {
                let shapes = meshes(self);
                shapes[(chance.unit() * shapes.len() as f64) as usize].clone()
            }
        }
    }
}

/// Meshes of a kind, made once.
fn meshes(kind: Kind) -> &'static [Shape] {
    static MESHES: [OnceLock<Vec<Shape>>; 3] = [OnceLock::new(), OnceLock::new(), OnceLock::new()];
    let shape = |soup: Soup| Shape::Mesh(Arc::new(soup.mesh()));
    match kind {
        Kind::Closed => MESHES[0].get_or_init(|| {
            let soups = [cuboid(Vec3::new(0.5, 0.3, 0.4), 2), potato(3), torus(0.6, 0.25, 10, 6)];
            soups.into_iter().map(shape).collect()
        }),
        Kind::Open => MESHES[1].get_or_init(|| {
            let hills = sheet(5, 4, |x, y| 0.3 * (2.0 * x).sin() * (1.7 * y).cos());
            vec![shape(hills), shape(sheet(1, 1, |_, _| 0.0))]
        }),
        _ => MESHES[2].get_or_init(|| {
            let heights = (0..30_u32).map(|i| 0.2 * (1.3 * f64::from(i % 6)).sin() * f64::from(i / 6).cos());
            let field = Heightfield { columns: 6, heights: heights.collect(), spacing: [0.4, 0.5] };
            vec![Shape::Mesh(Arc::new(field.solid(0.5).unwrap()))]
        }),
    }
}

/// All pairs of kinds that are supported, each once.
pub fn pairs() -> Vec<[Kind; 2]> {
    let chance = &mut Chance(1);
    let mut found = Vec::new();
    for (i, a) in KINDS.into_iter().enumerate() {
        for b in KINDS.into_iter().skip(i) {
            if supported(&a.shape(chance), &b.shape(chance)) {
                found.push([a, b]);
            }
        }
    }
    found
}

/// Two shapes in the world, so near that most of them touch.
#[derive(Clone, Debug)]
pub struct Placed {
    pub shapes: [Shape; 2],
    pub poses: [Pose; 2],
}

impl Placed {
    pub fn random(kinds: [Kind; 2], chance: &mut Chance) -> Self {
        let shapes = kinds.map(|kind| kind.shape(chance));
        let reach = |s: &Shape| match s {
            Shape::Bore { radius, .. } | Shape::Funnel { radius, .. } => 0.5 * radius,
            _ if s.is_endless() => 0.0,
            _ => s.bounding_radius(),
        };
        let far = chance.between(0.1, 1.0) * (reach(&shapes[0]) + reach(&shapes[1]));
        let poses = [chance.direction() * far, Vec3::ZERO]
            .map(|at| Pose { translation: at, rotation: chance.turn() });
        Self { shapes, poses }
    }
}
