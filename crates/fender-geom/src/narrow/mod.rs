//! Narrow phase: where and how deep two shapes overlap.
//!
//! Every function here is pure: the same shapes and poses give the same bits, whatever was asked before.
//!
//! | Pair | Method | Depth and normal | Points | Shares |
//! |---|---|---|---|---|
//! | sphere – sphere, half-space, box, cylinder, capsule, polyhedron | closed form, centre inside included | exact | 1 | 1 |
//! | capsule – half-space | closed form | exact | up to 2, one per end | fixed 1/2, conservative |
//! | box – half-space | closed form | exact | up to 8, the corners | fixed 1/4, conservative |
//! | cylinder – half-space | closed form | exact | up to 8, four per rim | 1/4 standing, up to 1/2 lying (`lean.rs`), conservative |
//! | sphere – bore, cone, funnel, edge | closed form in the plane through the axis (Gonthier 2007, appendix A.2, whose normal beside an edge is not a unit vector and whose cone and cylinder are undefined on the axis) | exact | 1 | 1 |
//! | sphere – ellipsoid | nearest point by Newton's method, which cannot fail here | exact | 1 | 1 |
//! | ellipsoid – half-space | closed form | exact | 1 | 1, conservative |
//! | cone – half-space | closed form | exact | up to 5, four on the rim and the tip | as of a cylinder |
//! | polyhedron – half-space | closed form | exact; where more than 8 corners are below, those in one direction count together, with their force and moment | up to 8, the corners | 1/4 up to four corners, together 1 on a face, hardly more on round ones (`polyhedron_shares.rs`), conservative |
//! | ellipsoid, capsule, cylinder, cone, box, polyhedron – each other | least translation that parts them: by faces, then by an expanding polytope (`expand.rs`; Gilbert, Johnson and Keerthi 1988 and van den Bergen 2001), made exact by the faces, edges and rims around it (`least.rs`) | exact to 1e-9 of the size | 1, the deepest | 1 |
//! | mesh – sphere | every face, edge and vertex that is nearest around it (`mesh_sphere.rs`) | exact; on a floor that is divided into triangles as on a half-space | up to 8, one for each true contact | by the passes between them (`basins.rs`): 1, or less where they are about to become one |
//! | mesh – box, polyhedron | corners of the solid by the nearest place of the mesh, edges and corners of the mesh in the solid (`mesh_flat.rs`) | exact on faces, as on a half-space; beside corners another direction than the least may be taken (a box of triangles against a box: in one of eight random contacts, in one of 200 far off) | up to 8, more are merged | fixed as against a half-space, 1 at the most; less where the way out is beyond the normals of the triangles there |
//! | mesh – cylinder, cone | deepest places of the rims (`mesh_rim.rs`), arcs where they are level (`rim_lobes.rs`), deepest place of each edge of the mesh below the round side, its corners in the solid (`mesh_round.rs`) | exact on faces, as on a half-space; between 48 places of a rim two that are close may be taken for one | the same | rims as against a half-space, 1 at the most; places of the mesh below the round side by the passes between them and to the rims (`mesh_lows.rs`) |
//! | mesh – ellipsoid | as a sphere, in a space that is stretched until it is one (`mesh_ellipsoid.rs`) | exact on faces, as on a half-space; across the level of that space elsewhere | up to 8 | as of a sphere |
//! | mesh – capsule | ends as spheres, edges and corners of the mesh beside them (`mesh_capsule.rs`) | exact on faces, as on a half-space | up to 8, more are merged | ends fixed as against a half-space, 1 at the most; the others by passes, as of a cylinder |
//! | mesh – half-space | its convex hull, as a polyhedron (`mesh_half_space.rs`) | exact | up to 8 | as of a polyhedron |
//! | mesh – mesh | regions that the curves enclose along which the surfaces cross, integrals over them (`mesh_mesh.rs`, `mesh_patch.rs`) | normal of the region's vector area; the mean thickness along it, weighted with itself | up to 8: four, two or one per region | by volume between regions; conservative where one surface is flat |
//! | torus, link – half-space | closed form (`tube/half_space.rs`) | exact | up to 4, on a link 3 per end | fixed 1/4 or 1/6, conservative |
//! | torus, half torus, link – each other, sphere, box, polyhedron, cylinder, capsule, cone, ellipsoid, bore, funnel, edge; half torus – half-space | places of the spine nearest to the other, by leaving out all stretches that are too far (`tube/search.rs`) | exact while the spine is outside the other (outside a box, cylinder or cone the shallower of two places beside each other may be missed); deeper, of several places beside each other the best may be missed (in a polyhedron, in one of 10⁵ random contacts, by 0.1 %) | one for each nearest place, and up to 4 stations where a bar or ring lies | 1; shared where normals are nearly the same |
//! | torus, half torus, link – mesh | while the spine is outside, or the mesh is a sheet, by formulas for the faces, edges and vertices within the bar's reach (`tube/features.rs`); inside a solid as above; then the ball there against faces, edges and vertices (`tube/mesh.rs`) | exact while the spine is outside; inside, of two places beside each other the deeper may be missed (in one of 30 000 random contacts, by 0.8 % of the depth), and where two faces are as near rounding decides between their normals | up to 8 | as for a sphere |
//! | every other pair: two half-spaces; bore, funnel or edge with anything but a sphere or a tube | not supported: [`method`] is an error, and the engine refuses the model | | | |
//!
//! Whichever comes first, the same points are found, with the normals turned: of two shapes of one kind the smaller is looked at from the other. Two that are equal
//! have the same depth and normal either way, but along crossing sides, between tubes and between meshes the points that stand for the contact may differ.
//!
//! A funnel is hollow, so a ball that sits in its tip touches it all around. It is given the nearest point only, and on the axis one of the
//! nearest: a ball at rest there is held by a point that changes sides.
//!
//! # Shares
//! A share is the part of the pair's stiffness k that a point carries. It never jumps while the bodies move within one
//! set of facing features; where another face is as near to the normal as the facing one, both count. Two rules are in use because no rule has all the virtues one would like. Let two points of depths p
//! and q belong to one contact. If a single point is to carry all of k, the potential is ½·k·p² at (p, 0); if the two pressed
//! evenly are to carry k together, it is ½·k·p² at (p, p) too. Then pressing the second point from 0 to p does no
//! work, so it must not push at all. Hence:
//! - against a half-space, and on a mesh as long as they add up to no more than 1.5, the shares are *fixed*: the potential Σ ½·k·share·depth² is exact, energy is conserved,
//!   a face pressed evenly carries k, an edge k/2 and a corner k/4 (a capsule: k lying, k/2 on its end; a cylinder: k on its cap and on its side). A face with more than four corners carries k too, and is
//!   conservative only as long as it is level;
//! - elsewhere they are *weighted* by depth and add up to 1: the contact always carries k at its mean depth, but it is
//!   not exactly conservative while it tilts.
//!
//! # Point of action
//! Against a half-space, on the faces of a mesh, and for a sphere or tube against a mesh, bore, cone, funnel or edge, it is the solid's own surface point (Gonthier 2007, eq. 3.1: a
//! ball rolls on its radius, however deep it sinks); elsewhere it is midway between the two surfaces.
//!
//! # Curvature
//! Where smooth surfaces touch at a point, curvature and elongation are exact: the sum over both surfaces of the means of their principal curvatures,
//! and of their differences with the angle between them. A sphere and a capsule's end count 1/R, the side of a cylinder or capsule half
//! of 1/R and is longer along its axis; a cone's side likewise, with the curvature cos/(distance from the axis); bores and funnels count
//! negative and are longer around the axis. A tube has 1/r across its spine and cos φ/(R + r·cos φ) along it, negative in the hole. A hollow narrower than the ball counts as just wide enough.
//!
//! Along a line, where a side lies on a face or on a parallel side, it counts 1/R whole and there is no elongation. Between nearly parallel sides, which
//! would touch over a longer stretch than they have, the numbers go from one to the other in proportion to the part that they have.
//!
//! A cylinder touched with its rim counts in proportion to sin² of the angle between normal and axis, the rims of cones and holes with their
//! circle's curvature along the normal, so that they go from the side's value to the face's zero without a jump. Other edges, corners and tips
//! count 0: how sharp they are is not known.

mod basins;
mod bend;
pub(crate) mod convex;
pub(crate) mod ellipsoid;
mod expand;
mod gather;
pub(crate) mod gjk;
mod groove;
mod half_space;
pub(crate) mod lean;
mod least;
mod marks;
mod mesh_capsule;
mod mesh_convex;
pub(crate) mod mesh_cut;
mod mesh_ellipsoid;
mod mesh_flat;
mod mesh_groove;
mod mesh_half_space;
mod mesh_lies;
mod mesh_lows;
mod mesh_mesh;
mod mesh_patch;
mod mesh_rim;
mod mesh_round;
mod mesh_sphere;
mod method;
pub(crate) mod placed;
mod polyhedron_half_space;
mod polyhedron_shares;
mod revolved;
mod rim_lobes;
mod solid;
pub(crate) mod sphere;
mod together;
mod touch;
pub(crate) mod tube;

pub use mesh_mesh::{ContactRegion, regions as mesh_regions};
pub use mesh_sphere::{MeshContact, contacts as mesh_sphere_contacts};
pub use method::{Method, Unsupported, method};

use crate::Shape;
use crate::tube::Tube;
use fender_contact::PointOverlap;
use fender_math::{Pose, Vec3};

/// Most points one pair of shapes can touch at.
pub const MAX_POINTS: usize = 8;

/// Overlaps of one pair, without allocation.
#[derive(Clone, Copy, Debug)]
pub struct Overlaps(Points);

// An array for every answer would have to be filled for the single point of two spheres too, which takes longer than
// finding that point; a box on the heap would allocate.
#[allow(clippy::large_enum_variant)]
#[derive(Clone, Copy, Debug)]
enum Points {
    None,
    One(PointOverlap),
    Many { points: [PointOverlap; MAX_POINTS], len: usize },
}

impl Overlaps {
    /// The points, in an order that depends on the geometry only.
    #[inline]
    pub fn points(&self) -> &[PointOverlap] {
        match &self.0 {
            Points::None => &[],
            Points::One(point) => std::slice::from_ref(point),
            Points::Many { points, len } => &points[..*len],
        }
    }

    fn none() -> Self {
        Self(Points::None)
    }

    #[inline]
    fn one(point: Option<PointOverlap>) -> Self {
        Self(point.map_or(Points::None, Points::One))
    }

    /// Adds a point; when all places are taken, the shallowest gives way.
    fn push(&mut self, point: PointOverlap) {
        match &mut self.0 {
            Points::None => self.0 = Points::One(point),
            Points::One(first) => {
                let mut points = [*first; MAX_POINTS];
                points[1] = point;
                self.0 = Points::Many { points, len: 2 };
            }
            Points::Many { points, len } if *len < MAX_POINTS => {
                points[*len] = point;
                *len += 1;
            }
            Points::Many { points, .. } => {
                let shallowest = points.iter_mut().reduce(|a, b| if b.depth < a.depth { b } else { a });
                if let Some(shallowest) = shallowest.filter(|p| p.depth < point.depth) {
                    *shallowest = point;
                }
            }
        }
    }

    fn points_mut(&mut self) -> &mut [PointOverlap] {
        match &mut self.0 {
            Points::None => &mut [],
            Points::One(point) => std::slice::from_mut(point),
            Points::Many { points, len } => &mut points[..*len],
        }
    }

    /// The same overlaps with the bodies' roles exchanged.
    #[inline]
    fn swapped(mut self) -> Self {
        for point in self.points_mut() {
            point.normal = -point.normal;
        }
        self
    }
}

/// Whether the pair of shapes is supported by [`overlaps`]; [`method`] says how.
pub fn supported(a: &Shape, b: &Shape) -> bool {
    method(a, b).is_ok()
}

/// Overlaps of `a` (the first body: normals point to it) and `b`; empty when they are apart, and for a pair that is
/// not [`supported`]. Pure: no memory of earlier calls.
#[inline]
pub fn overlaps(a: &Shape, pose_wa: &Pose, b: &Shape, pose_wb: &Pose) -> Overlaps {
    // The two pairs that fill large scenes are decided here, inlined at the caller.
    let (center_a, center_b) = (pose_wa.translation, pose_wb.translation);
    match (a, b) {
        (Shape::Sphere { radius: ra }, Shape::Sphere { radius: rb }) => {
            Overlaps::one(sphere_sphere(center_a, *ra, center_b, *rb))
        }
        (Shape::Sphere { radius }, Shape::HalfSpace) => {
            Overlaps::one(sphere_half_space(center_a, *radius, pose_wb))
        }
        (Shape::HalfSpace, Shape::Sphere { radius }) => {
            Overlaps::one(sphere_half_space(center_b, *radius, pose_wa)).swapped()
        }
        _ => other_overlaps(a, pose_wa, b, pose_wb),
    }
}

#[inline(never)]
fn other_overlaps(a: &Shape, pose_wa: &Pose, b: &Shape, pose_wb: &Pose) -> Overlaps {
    // Each pair is written once, the rounder shape first; of two of a kind the smaller, so that exchanging them changes nothing.
    let (rank_a, rank_b) = (rank(a), rank(b));
    if rank_a > rank_b || rank_a == rank_b && sizes(a) > sizes(b) {
        ordered(b, pose_wb, a, pose_wa).swapped()
    } else {
        ordered(a, pose_wa, b, pose_wb)
    }
}

fn rank(shape: &Shape) -> u8 {
    match shape {
        Shape::Sphere { .. } => 0,
        Shape::Ellipsoid { .. } => 1,
        Shape::Capsule { .. } => 2,
        Shape::Cylinder { .. } => 3,
        Shape::Cone { .. } => 4,
        Shape::Box { .. } => 5,
        Shape::Polyhedron(_) => 6,
        // Last of those that can meet one.
        Shape::HalfSpace => 7,
        Shape::Bore { .. } => 8,
        Shape::Funnel { .. } => 9,
        Shape::Edge { .. } => 10,
        Shape::Mesh(_) => 11,
        Shape::Torus { .. } => 12,
        Shape::HalfTorus { .. } => 13,
        Shape::Link { .. } => 14,
    }
}

/// Numbers by which shapes of one kind are told apart.
fn sizes(shape: &Shape) -> [f64; 3] {
    match *shape {
        Shape::Sphere { radius } => [radius, 0.0, 0.0],
        Shape::Ellipsoid { radii } => radii.to_array(),
        Shape::Box { half } => half.to_array(),
        Shape::Capsule { radius, half_height }
        | Shape::Cylinder { radius, half_height }
        | Shape::Cone { radius, half_height }
        | Shape::Bore { radius, half_height }
        | Shape::Funnel { radius, half_height } => [radius, half_height, 0.0],
        Shape::Edge { half_angle } => [half_angle, 0.0, 0.0],
        Shape::Torus { radius, tube } | Shape::HalfTorus { radius, tube } => [radius, tube, 0.0],
        Shape::Link { radius, half_straight, tube } => [radius, half_straight, tube],
        Shape::Polyhedron(ref polyhedron) => [polyhedron.size(), polyhedron.vertices().len() as f64, 0.0],
        Shape::Mesh(ref mesh) => [mesh.size(), mesh.triangles().len() as f64, mesh.vertices().len() as f64],
        Shape::HalfSpace => [0.0; 3],
    }
}

fn ordered(a: &Shape, pose_wa: &Pose, b: &Shape, pose_wb: &Pose) -> Overlaps {
    let at = pose_wa.translation;
    if let Some(tube) = Tube::of(b) {
        return tube::overlaps(&tube, pose_wb, a, pose_wa).swapped();
    }
    match (a, b) {
        (Shape::Sphere { radius }, Shape::Capsule { radius: round, half_height }) => {
            Overlaps::one(sphere::capsule(at, *radius, *round, *half_height, pose_wb))
        }
        (Shape::Sphere { radius }, Shape::Cylinder { radius: round, half_height }) => {
            Overlaps::one(sphere::cylinder(at, *radius, *round, *half_height, pose_wb))
        }
        (Shape::Sphere { radius }, Shape::Box { half }) => {
            Overlaps::one(sphere::cuboid(at, *radius, *half, pose_wb))
        }
        (Shape::Sphere { radius }, Shape::Polyhedron(polyhedron)) => {
            Overlaps::one(sphere::polyhedron(at, *radius, polyhedron, pose_wb))
        }
        (Shape::Sphere { radius }, Shape::Mesh(mesh)) => mesh_sphere::overlaps(at, *radius, mesh, pose_wb),
        (Shape::Sphere { radius }, _) => Overlaps::one(sphere::other(at, *radius, b, pose_wb)),
        (Shape::HalfSpace, Shape::Mesh(mesh)) => {
            mesh_half_space::overlaps(mesh, pose_wb, &half_space::Surface::of(pose_wa)).swapped()
        }
        (_, Shape::HalfSpace) => half_space::solid(a, pose_wa, &half_space::Surface::of(pose_wb)),
        (Shape::Mesh(mesh_a), Shape::Mesh(mesh_b)) => mesh_mesh::overlaps(mesh_a, pose_wa, mesh_b, pose_wb),
        (Shape::Ellipsoid { radii }, Shape::Mesh(mesh)) => {
            mesh_ellipsoid::overlaps(*radii, pose_wa, mesh, pose_wb)
        }
        (_, Shape::Mesh(mesh)) => mesh_convex::overlaps(a, pose_wa, mesh, pose_wb),
        _ => match (placed::Placed::new(a, pose_wa), placed::Placed::new(b, pose_wb)) {
            (Some(a), Some(b)) => solid::solids(&a, &b),
            _ => Overlaps::none(),
        },
    }
}

/// Overlap of the spheres of radius `ra` [m] at `a` [m] and `rb` at `b`; the normal points to the first.
#[inline]
pub fn sphere_sphere(a: Vec3, ra: f64, b: Vec3, rb: f64) -> Option<PointOverlap> {
    let d = a - b;
    let reach = ra + rb;
    let sq = d.length_squared();
    // A position that is not a number fails this test, and gives no overlap.
    if sq < reach * reach {
        let dist = sq.sqrt();
        // Two spheres at one place have no normal of their own: take the vertical.
        let normal = if dist > 0.0 { d * (1.0 / dist) } else { Vec3::Z };
        let depth = reach - dist;
        let point = b + normal * (rb - 0.5 * depth);
        return Some(PointOverlap {
            point,
            normal,
            depth,
            curvature: reach / (ra * rb),
            elongation: Vec3::ZERO,
            share: 1.0,
        });
    }
    None
}

/// Overlap of the sphere of `radius` [m] at `center` [m] with the half-space at `pose_wh`; the normal points to the
/// sphere.
#[inline]
pub fn sphere_half_space(center: Vec3, radius: f64, pose_wh: &Pose) -> Option<PointOverlap> {
    let normal = pose_wh.rotation * Vec3::Z;
    let depth = radius - normal.dot(center - pose_wh.translation);
    if depth > 0.0 {
        // On the sphere (Gonthier 2007, eq. 3.1): friction then has the whole radius as its lever.
        let point = center - normal * radius;
        return Some(PointOverlap {
            point,
            normal,
            depth,
            curvature: 1.0 / radius,
            elongation: Vec3::ZERO,
            share: 1.0,
        });
    }
    None
}
