//! Ways out of a groove of a mesh.
//!
//! A place in a mesh near a groove, as where a floor meets a wall, may be behind two faces, or three in the corner of a room. With one way out, to the nearest place of the
//! surface, a body on the floor that comes against the wall would have one contact whose normal turns from one to the other. It has one for each face instead, as deep as it is
//! below that face's plane: as with so many half-spaces.
//!
//! Of faces that are less than a right angle apart, the planes reach below each other beside the groove: by less than the depth over the sine of their angle, so that is how far
//! grooves are looked for. Each contact then begins and ends with no depth. Where a groove ends, what is beyond counts less and less.
//!
//! Faces that are less than 30° apart are one surface that is bent, and have one way.

use crate::TriMesh;
use crate::trimesh::{EdgeKind, Feature};
use fender_math::Vec3;

/// Normals that differ by less than this are one.
const FLAT: f64 = 1e-6;
/// Faces of one corner.
const FACES: usize = 3;
/// How far a groove can be, in depths: one over the sine of 30°.
pub const REACH: f64 = 2.0;

/// A face behind which a place is.
#[derive(Clone, Copy, Debug, Default)]
pub struct Way {
    /// Unit vector.
    pub normal: Vec3,
    /// Below the face's plane [m].
    pub depth: f64,
    /// How much of it counts, up to 1.
    pub part: f64,
}

/// All of them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ways {
    ways: [Way; FACES],
    len: usize,
}

impl Ways {
    /// One way.
    pub fn one(normal: Vec3, depth: f64) -> Self {
        let mut ways = Self::default();
        ways.ways[0] = Way { normal, depth, part: 1.0 };
        ways.len = 1;
        ways
    }

    pub fn iter(&self) -> impl Iterator<Item = Way> {
        self.ways.into_iter().take(self.len)
    }

    /// Adds a face, which may be there already with a smaller part; false if there is no room.
    fn add(&mut self, way: Way) -> bool {
        let is_same = |w: &&mut Way| w.normal.distance_squared(way.normal) < FLAT * FLAT;
        if let Some(same) = self.ways[..self.len].iter_mut().find(is_same) {
            same.part = same.part.max(way.part);
            return true;
        }
        if self.len < FACES {
            self.ways[self.len] = way;
            self.len += 1;
            return true;
        }
        false
    }
}

/// The ways out for a place `p` [m] that is `depth` [m] deep, along `normal`, at the nearest part of the surface.
pub fn ways(mesh: &TriMesh, p: Vec3, feature: Feature, normal: Vec3, depth: f64) -> Ways {
    let one = Ways::one(normal, depth);
    if !mesh.is_creased() {
        return one;
    }
    let side = Side::of(mesh, feature, normal);
    let groove = Groove { side, p, feature, normal, depth };
    // A place in a plane is behind that; one at a groove is behind the groove's faces.
    let mut found = if mesh.plane(feature).is_some() { one } else { Ways::default() };
    let from_middle = p - mesh.tree.center();
    let mut has_room = side.is_simple(feature);
    mesh.tree.search(
        REACH * REACH * depth * depth,
        |node| node.distance_squared(from_middle),
        |range, limit| {
            for f in range.map(|f| f as u32) {
                for e in mesh.edges_of(f).into_iter().filter(|e| mesh.edges()[*e as usize].faces[0] == f) {
                    for way in groove.at(e).into_iter().flatten() {
                        has_room &= found.add(way);
                    }
                }
            }
            limit
        },
    );
    if has_room && found.len > 0 { found } else { one }
}

/// Gives the triangles at a part of the surface to `visit` if they are in one plane or meet in a groove only, seen from the side of `normal`; whether they do.
pub fn visit_faces(mesh: &TriMesh, feature: Feature, normal: Vec3, mut visit: impl FnMut(u32)) -> bool {
    match feature {
        Feature::Face(f) => visit(f),
        _ if !Side::of(mesh, feature, normal).is_simple(feature) => return false,
        Feature::Edge(e) => mesh.edges()[e as usize].faces.into_iter().for_each(visit),
        Feature::Vertex(v) => mesh.fan(v).iter().copied().for_each(visit),
    }
    true
}

/// The side from which a mesh is touched.
#[derive(Clone, Copy)]
struct Side<'a> {
    mesh: &'a TriMesh,
    /// Minus one behind an open mesh, where what sticks out is a groove.
    sign: f64,
}

impl<'a> Side<'a> {
    /// That to which `normal` points.
    fn of(mesh: &'a TriMesh, feature: Feature, normal: Vec3) -> Self {
        let is_turned = !mesh.is_closed() && mesh.outward(feature).dot(normal) <= 0.0;
        Self { mesh, sign: if is_turned { -1.0 } else { 1.0 } }
    }

    fn sinks(&self, e: u32) -> bool {
        let kind = if self.sign > 0.0 { EdgeKind::Concave } else { EdgeKind::Convex };
        let edge = &self.mesh.edges()[e as usize];
        edge.is_balanced && edge.kind == kind
    }

    /// Whether nothing sticks out there: else the way is its own.
    fn is_simple(&self, feature: Feature) -> bool {
        let mesh = self.mesh;
        let is_level = |e: u32| mesh.edges()[e as usize].kind == EdgeKind::Flat || self.sinks(e);
        match feature {
            Feature::Face(_) => true,
            Feature::Edge(e) => is_level(e),
            Feature::Vertex(v) => {
                let has_v = |e: &u32| mesh.edges()[*e as usize].vertices.contains(&v);
                mesh.fan(v).iter().all(|f| mesh.edges_of(*f).into_iter().filter(has_v).all(is_level))
            }
        }
    }
}

/// A place near a groove.
struct Groove<'a> {
    side: Side<'a>,
    p: Vec3,
    feature: Feature,
    normal: Vec3,
    depth: f64,
}

impl Groove<'_> {
    /// The faces at an edge, if it is a groove and the place is behind them.
    fn at(&self, e: u32) -> [Option<Way>; 2] {
        let mesh = self.side.mesh;
        let edge = &mesh.edges()[e as usize];
        if !mesh.is_crease(e) || !self.side.sinks(e) {
            return [None; 2];
        }
        let [a, b] = edge.vertices.map(|v| mesh.vertices()[v as usize]);
        let (along, from) = (b - a, self.p - a);
        let length = along.length();
        let t = from.dot(along) / length;
        // In the corner of a room it goes on as others.
        let (end, beyond) =
            if t < 0.0 { (edge.vertices[0], -t) } else { (edge.vertices[1], (t - length).max(0.0)) };
        let goes_on = beyond <= 0.0 || self.side.is_simple(Feature::Vertex(end));
        let part = if goes_on { 1.0 } else { 1.0 - beyond / self.depth };
        if part <= 0.0 {
            return [None; 2];
        }
        let ways = edge.faces.map(|f| {
            let normal = mesh.normal(f) * self.side.sign;
            Way { normal, depth: -normal.dot(from), part }
        });
        let is_behind = ways.map(|way| way.depth > 0.0);
        // Else the nearest place is in one of its faces.
        let is_here = match self.feature {
            Feature::Edge(nearest) => nearest == e,
            Feature::Vertex(v) => edge.vertices.contains(&v),
            Feature::Face(_) => false,
        };
        let is_beside = ways.iter().any(|way| way.normal.distance_squared(self.normal) < FLAT * FLAT);
        let counts = is_here || is_beside && is_behind[0] && is_behind[1];
        [0, 1].map(|i| (counts && is_behind[i]).then_some(ways[i]))
    }
}
