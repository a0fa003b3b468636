//! Two triangle meshes against each other, by the regions where their surfaces cross (Luaces 2013, section 4.7).
//!
//! Every closed curve along which the surfaces cross bounds a part of each surface that is inside the other. Parts with several curves, such
//! as a ring, are one region. Its normal is that of the surface's vector area, ½·Σ r × dr along the curves: of all surfaces with these
//! curves it is the same, so it does not depend on how the meshes are divided, and it turns without jumps. (A plane fitted to the
//! points of the curve would depend on where they lie close together.) Where a box stands over the edge of a table, a strip of its side is
//! inside too, and the normal leans by the quotient of depth and width.
//!
//! With t the thickness of the overlap along the normal, a region is as deep as t in the mean, weighted with t itself: ∫t² / ∫t over the
//! area (`mesh_patch.rs`). All of the surface counts, not a few points of it: nothing depends on how the meshes are divided, nothing jumps when
//! bodies slide or turn, and on a flat surface the energy is conserved exactly. Pressed on a face, the contact has the whole stiffness at its largest depth, on an edge or
//! a round side 4/9, on a corner a quarter. Up to four points, with the spread of t², stand for the region.
//!
//! A region in a groove of a mesh, as of a cube on a floor and against a wall of the same mesh, has a contact for each face of the groove (`mesh_groove.rs`).
//!
//! A mesh that is wholly inside the other is pushed out through the surface nearest to its middle.
//!
//! # Faces in one plane
//! Where a face of one mesh lies in a face of the other, as on two plates of one width, rounding alone would say which is inside. The second mesh is therefore looked at a
//! little aside: by 10⁻¹² of its size, in a direction that is none of an axis.
//!
//! # Shares
//! Regions whose normals are nearly the same share one stiffness by their volumes, so that one that appears, or parts in two, changes nothing.

use super::marks::Marks;
use super::mesh_cut::{ChainScratch, Pair, Segment, chain};
use super::mesh_groove::{Cell, Cells, Groove, GrooveScratch, divide};
use super::mesh_patch::{Between, Patch, Piece, Plane, along_edge};
use super::touch::alike;
use super::{MAX_POINTS, Overlaps};
use crate::TriMesh;
use crate::trimesh::{Edge, NONE};
use fender_contact::PointOverlap;
use fender_math::{Pose, Vec3};
use std::cell::RefCell;

/// A part of two surfaces where the bodies overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactRegion {
    /// Middle of the area, in the contact plane, in the world [m].
    pub centroid: Vec3,
    /// Unit normal from the second body to the first, in the world.
    pub normal: Vec3,
    /// Area seen along the normal [m²].
    pub area: f64,
    /// Volume of the overlap [m³].
    pub volume: f64,
    /// Depth that counts: the mean of the overlap's thickness along the normal, weighted with itself [m].
    pub depth: f64,
    /// Largest depth, along the normal at vertices of either mesh that are inside the other and at the centroid [m].
    pub deepest: f64,
}

/// How far the second mesh is moved aside, as a part of its size.
const ASIDE: Vec3 = Vec3::new(0.61e-12, 0.74e-12, 0.28e-12);
/// A patch whose vector area is off that of its curves by more than this part has not been found whole.
const WHOLE: f64 = 1e-3;

/// A region while it is looked at, in the frame of the first mesh.
struct Region {
    /// Middle of the curves' area, in the plane through their middle.
    plane: Plane,
    area: f64,
    between: Between,
    /// The vertex of each mesh that is farthest in the other.
    farthest: [Option<Vec3>; 2],
}

/// What pushes: a region, or a cell of one.
struct Contact {
    normal: Vec3,
    between: Between,
    /// How far it stands for its region, from 0 to 1.
    weight: f64,
    /// Number of the region, and whether this is a cell of it.
    region: usize,
    is_cell: bool,
}

impl Contact {
    /// How far the stiffness of this one is shared with another.
    fn shared_with(&self, other: &Self) -> f64 {
        let part = match (self.region == other.region, self.is_cell == other.is_cell) {
            (true, true) => 1.0,
            // A region and its cells stand for each other.
            (true, false) => 0.0,
            (false, _) => other.weight,
        };
        part * alike(other.normal.dot(self.normal))
    }

    /// `count` points that stand for it: four, two or one.
    fn points(&self, count: usize) -> impl Iterator<Item = Vec3> {
        let Between { center: middle, spread: [p, q], .. } = self.between;
        let offsets = match count {
            4.. => [p + q, q - p, -p - q, p - q],
            // Along the longer way.
            2 | 3 if p.length_squared() > q.length_squared() => [p, -p, Vec3::ZERO, Vec3::ZERO],
            2 | 3 => [q, -q, Vec3::ZERO, Vec3::ZERO],
            _ => [Vec3::ZERO; 4],
        };
        offsets.into_iter().take(points_of(count)).map(move |offset| middle + offset)
    }
}

/// How many points a region has that has room for `count`.
fn points_of(count: usize) -> usize {
    match count {
        4.. => 4,
        2 | 3 => 2,
        _ => 1,
    }
}

/// Lists that are filled and emptied in every call: they keep their room, nothing else.
#[derive(Default)]
struct Scratch {
    segments: Vec<Segment>,
    chain: ChainScratch,
    /// Where each contour ends in `segments`.
    contours: Vec<usize>,
    /// Region of each contour.
    region_of: Vec<u32>,
    /// Inner vertices with their regions, as found.
    inner: [Vec<(u32, u32)>; 2],
    crossings: Vec<Crossing>,
    /// Edges of either mesh that cross the other surface.
    crossed: [Marks; 2],
    /// Contours by which inner vertices are known.
    known: Marks,
    /// Borders of the patches.
    pieces: Vec<Piece>,
    /// Sharp grooves of either mesh in the other.
    grooves: Vec<Groove>,
    dividing: GrooveScratch,
    regions: Vec<Region>,
    contacts: Vec<Contact>,
}

/// Where an edge of one mesh (`side` 0 or 1) passes through a triangle of the other.
#[derive(Clone, Copy)]
struct Crossing {
    side: usize,
    edge: u32,
    /// From the start of the edge [m].
    along: f64,
    place: Vec3,
    face: u32,
    contour: u32,
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// Overlaps of two meshes; normals point to the first.
pub fn overlaps(a: &TriMesh, pose_wa: &Pose, b: &TriMesh, pose_wb: &Pose) -> Overlaps {
    with_regions(a, pose_wa, b, pose_wb, |_, Scratch { contacts, .. }| {
        let mut found = Overlaps::none();
        // The most important ones, if there are many: as many as have a place each.
        let contacts_here = &contacts[..contacts.len().min(MAX_POINTS)];
        let room = MAX_POINTS / contacts_here.len().max(1);
        for contact in contacts_here {
            let Contact { normal, between, weight, .. } = contact;
            let all: f64 = contacts.iter().map(|c| contact.shared_with(c) * c.between.volume).sum();
            let share = if all > 0.0 { between.volume / all } else { 1.0 };
            // A single place needs no points around it.
            let room = if between.spread == [Vec3::ZERO; 2] { 1 } else { room };
            for point in contact.points(room) {
                found.push(PointOverlap {
                    point: pose_wa.transform_point(point),
                    normal: pose_wa.rotation * *normal,
                    // With g = |∇D| the force k·g·D and the energy ½·k·D² are those of a depth D/g and a share g²: on a face, edge or corner that is the largest depth.
                    depth: between.depth / between.share,
                    curvature: 0.0,
                    elongation: Vec3::ZERO,
                    share: weight * share * between.share * between.share / points_of(room) as f64,
                });
            }
        }
        found
    })
}

/// Gives the regions of two meshes to `visit`, the largest first.
pub fn regions(
    a: &TriMesh,
    pose_wa: &Pose,
    b: &TriMesh,
    pose_wb: &Pose,
    mut visit: impl FnMut(ContactRegion),
) {
    with_regions(a, pose_wa, b, pose_wb, |pair, Scratch { regions, .. }| {
        for region in regions {
            let Plane { origin, normal, .. } = region.plane;
            visit(ContactRegion {
                centroid: pose_wa.transform_point(origin),
                normal: pose_wa.rotation * normal,
                area: region.area,
                volume: region.between.volume,
                depth: region.between.depth,
                deepest: deepest(pair, region),
            });
        }
    });
}

fn with_regions<T>(
    a: &TriMesh,
    pose_wa: &Pose,
    b: &TriMesh,
    pose_wb: &Pose,
    work: impl FnOnce(&Pair, &Scratch) -> T,
) -> T {
    let mut pose = pose_wa.inverse() * *pose_wb;
    let rounding = 1e-2 * (pose_wa.translation.length() + pose_wb.translation.length());
    pose.translation += ASIDE * (b.size() + rounding);
    let pair = Pair { a, b, pose };
    if !pose.translation.is_finite() || !pose.rotation.is_finite() {
        return work(&pair, &Scratch::default());
    }
    SCRATCH.with_borrow_mut(|scratch| {
        scratch.find(&pair);
        work(&pair, scratch)
    })
}

impl Scratch {
    fn find(&mut self, pair: &Pair) {
        self.regions.clear();
        self.contacts.clear();
        pair.cut(&mut self.segments);
        if self.segments.is_empty() {
            if let Some(region) = swallowed(pair) {
                self.push(pair, region, None);
            }
            return;
        }
        chain(&mut self.segments, &mut self.chain, &mut self.contours);
        self.flood(pair);
        let count = self.region_of.iter().copied().max().map_or(0, |last| last + 1);
        for r in 0..count {
            if let Some(region) = self.region(pair, r) {
                self.push(pair, region, Some(r));
            }
        }
        self.regions.sort_by(|p, q| q.between.volume.total_cmp(&p.between.volume));
        self.contacts.sort_by(|p, q| q.between.volume.total_cmp(&p.between.volume));
    }

    /// Adds a region and its contacts: itself, or those with the faces of its grooves; `r` is the number of its curves, if it has any.
    fn push(&mut self, pair: &Pair, region: Region, r: Option<u32>) {
        let number = self.regions.len();
        let contact =
            |normal, between, weight, is_cell| Contact { normal, between, weight, region: number, is_cell };
        let cells = r.and_then(|r| self.cells(pair, r, region.between.volume));
        let weight = cells.as_ref().map_or(0.0, |cells| cells.weight);
        if weight < 1.0 {
            self.contacts.push(contact(region.plane.normal, region.between, 1.0 - weight, false));
        }
        for Cell { plane, between } in cells.into_iter().flat_map(|c| c.cells).flatten() {
            self.contacts.push(contact(plane.normal, between, weight, true));
        }
        self.regions.push(region);
    }

    /// The cells of a region with grooves.
    fn cells(&mut self, pair: &Pair, r: u32, volume: f64) -> Option<Cells> {
        let mut dividing = std::mem::take(&mut self.dividing);
        let is_own = |contour: u32| self.region_of[contour as usize] == r;
        dividing.grooves.clear();
        dividing.grooves.extend(self.grooves.iter().filter(|g| is_own(g.contour)));
        let cells = if dividing.grooves.is_empty() {
            None
        } else {
            dividing.pieces.clear();
            dividing.pieces.extend(self.pieces.iter().filter(|p| is_own(p.contour)));
            divide(pair, volume, &mut dividing)
        };
        self.dividing = dividing;
        cells
    }

    /// Segments of each contour.
    fn contour(&self, i: usize) -> &[Segment] {
        let start = if i == 0 { 0 } else { self.contours[i - 1] };
        &self.segments[start..self.contours[i]]
    }

    /// Finds the vertices of either mesh inside the other from the contours on, and makes one region of contours that meet on the way.
    fn flood(&mut self, pair: &Pair) {
        self.region_of.clear();
        self.region_of.extend(0..self.contours.len() as u32);
        // Crossings in the order of the edges, and along each edge.
        let mut crossings = std::mem::take(&mut self.crossings);
        crossings.clear();
        let sides = [pair.a, pair.b];
        let vertex = |side: usize, v: u32| {
            let p = sides[side].vertices()[v as usize];
            if side == 0 { p } else { pair.pose.transform_point(p) }
        };
        for c in 0..self.contours.len() {
            for s in self.contour(c) {
                for (key, place) in s.keys.into_iter().zip(s.ends) {
                    let (side, edge) = ((key >> 63) as usize, (key >> 32) as u32 & 0x7fff_ffff);
                    let start = vertex(side, sides[side].edges()[edge as usize].vertices[0]);
                    let (face, contour) = (key as u32, c as u32);
                    crossings.push(Crossing {
                        side,
                        edge,
                        along: place.distance(start),
                        place,
                        face,
                        contour,
                    });
                }
            }
        }
        crossings.sort_by(|p, q| {
            (p.side, p.edge)
                .cmp(&(q.side, q.edge))
                .then(p.along.total_cmp(&q.along))
                .then(p.face.cmp(&q.face))
        });
        // Every one is the end of two segments.
        crossings.dedup_by_key(|c| (c.side, c.edge, c.face));
        let mut crossed = std::mem::take(&mut self.crossed);
        for (marks, mesh) in crossed.iter_mut().zip(sides) {
            marks.clear(mesh.edges().len());
        }
        for inner in &mut self.inner {
            inner.clear();
        }
        let mut pieces = std::mem::take(&mut self.pieces);
        pieces.clear();
        let mut grooves = std::mem::take(&mut self.grooves);
        grooves.clear();
        for c in 0..self.contours.len() {
            let own = self.contour(c);
            let is_turned = sense(pair, own) < 0.0;
            for s in own {
                // The inside is on the left on the first mesh, on the right on the second.
                let [p, q] = s.ends;
                for (side, turn) in [(0, is_turned), (1, !is_turned)] {
                    let ends = if turn { [q, p] } else { [p, q] };
                    pieces.push(Piece { side, face: s.faces[side], ends, contour: c as u32 });
                }
            }
        }
        // An edge is inside from where it passes a triangle from the front to where it passes one from the back.
        for group in crossings.chunk_by(|p, q| (p.side, p.edge) == (q.side, q.edge)) {
            let Crossing { side, edge, .. } = group[0];
            crossed[side].insert(edge, 0);
            let vertices = sides[side].edges()[edge as usize].vertices;
            let [start, end] = vertices.map(|v| vertex(side, v));
            let enters = |c: &Crossing| {
                let n = if side == 0 { pair.normal_b(c.face) } else { pair.a.normal(c.face) };
                n.dot(end - start) < 0.0
            };
            let mut add = |contour: u32, ends: [Vec3; 2]| {
                let piece = Piece { side, face: NONE, ends, contour };
                along_edge(sides[side], edge, piece, &mut pieces, &mut grooves);
            };
            if !enters(&group[0]) {
                self.inner[side].push((vertices[0], group[0].contour));
                add(group[0].contour, [start, group[0].place]);
            }
            for (i, c) in group.iter().enumerate().filter(|(_, c)| enters(c)) {
                if let Some(next) = group.get(i + 1) {
                    self.join(c.contour, next.contour);
                    add(c.contour, [c.place, next.place]);
                } else {
                    self.inner[side].push((vertices[1], c.contour));
                    add(c.contour, [c.place, end]);
                }
            }
        }
        for (side, mesh) in sides.into_iter().enumerate() {
            let mut inner = std::mem::take(&mut self.inner[side]);
            self.spread(mesh, &mut inner, &crossed[side]);
            // Edges between inner vertices are inside from end to end; each is met at its lower end, in its first triangle.
            for (v, contour) in &inner {
                for f in mesh.fan(*v) {
                    for e in mesh.edges_of(*f) {
                        let Edge { vertices, faces, .. } = mesh.edges()[e as usize];
                        let is_own = vertices[0].min(vertices[1]) == *v && faces[0] == *f;
                        if is_own && !crossed[side].has(e) {
                            let ends = vertices.map(|v| vertex(side, v));
                            let piece = Piece { side, face: NONE, ends, contour: *contour };
                            along_edge(mesh, e, piece, &mut pieces, &mut grooves);
                        }
                    }
                }
            }
            self.inner[side] = inner;
        }
        self.pieces = pieces;
        self.grooves = grooves;
        self.crossed = crossed;
        self.crossings = crossings;
        // Numbers without gaps, in the order of the contours.
        let mut next = 0;
        for i in 0..self.region_of.len() {
            let root = self.region_of[i] as usize;
            self.region_of[i] = if root == i {
                next += 1;
                next - 1
            } else {
                self.region_of[root]
            };
        }
    }

    /// Goes on from the first inner vertices along edges that are not crossed.
    fn spread(&mut self, mesh: &TriMesh, inner: &mut Vec<(u32, u32)>, crossed: &Marks) {
        let mut known = std::mem::take(&mut self.known);
        known.clear(mesh.vertices().len());
        // Those that are there may be there twice.
        let mut kept = 0;
        for i in 0..inner.len() {
            let (v, c) = inner[i];
            if self.claim(v, c, &mut known) {
                inner[kept] = (v, c);
                kept += 1;
            }
        }
        inner.truncate(kept);
        let mut i = 0;
        while i < inner.len() {
            let (v, c) = inner[i];
            i += 1;
            for f in mesh.fan(v) {
                for e in mesh.edges_of(*f) {
                    let ends = mesh.edges()[e as usize].vertices;
                    if ends.contains(&v) && !crossed.has(e) {
                        let other = if ends[0] == v { ends[1] } else { ends[0] };
                        if self.claim(other, c, &mut known) {
                            inner.push((other, c));
                        }
                    }
                }
            }
        }
        self.known = known;
    }

    /// Takes a vertex for a contour's region, or joins the region that has it; whether it is new.
    fn claim(&mut self, v: u32, contour: u32, known: &mut Marks) -> bool {
        let Some(other) = known.insert(v, contour) else { return true };
        self.join(other, contour);
        false
    }

    /// Makes one region of two contours.
    fn join(&mut self, one: u32, other: u32) {
        let (p, q) = (self.region_of[one as usize], self.region_of[other as usize]);
        if p != q {
            // The lower number stands for both.
            for r in &mut self.region_of {
                if *r == p.max(q) {
                    *r = p.min(q);
                }
            }
        }
    }

    /// The region with the number `r`; `None` if its curves enclose nothing.
    fn region(&self, pair: &Pair, r: u32) -> Option<Region> {
        let contours = || (0..self.contours.len()).filter(|c| self.region_of[*c] == r);
        let segments = || contours().flat_map(|c| self.contour(c));
        let origin = segments().next()?.ends[0];
        // Vector area, with the gap of a contour that is open closed by a straight line, which the sum of r × dr leaves out
        // if it is counted from there.
        let mut doubled = Vec3::ZERO;
        let (mut facing, mut length) = (Vec3::ZERO, 0.0);
        for c in contours() {
            let own = self.contour(c);
            let from = own[0].ends[0];
            let around: Vec3 = own.iter().map(|s| (s.ends[0] - from).cross(s.ends[1] - from)).sum();
            doubled += around * sense(pair, own).signum();
            for s in own {
                let part = s.ends[0].distance(s.ends[1]);
                facing += (pair.normal_b(s.faces[1]) - pair.a.normal(s.faces[0])) * part;
                length += part;
            }
        }
        let area = 0.5 * doubled.length();
        let normal = if area > 1e-12 * length * length {
            let n = doubled.normalize();
            if n.dot(facing) < 0.0 { -n } else { n }
        } else {
            facing.try_normalize()?
        };
        // Middle of the area, by triangles seen along the normal.
        let (mut sum, mut weight) = (Vec3::ZERO, 0.0);
        for c in contours() {
            for s in self.contour(c) {
                let [p, q] = s.ends.map(|p| p - origin);
                let part = normal.dot(p.cross(q));
                sum += (p + q) * (part / 3.0);
                weight += part;
            }
        }
        let mean = |of: &dyn Fn(&Segment) -> Vec3| {
            segments().map(|s| of(s) * s.ends[0].distance(s.ends[1])).sum::<Vec3>() / length
        };
        let middle = |s: &Segment| s.ends[0].midpoint(s.ends[1]) - origin;
        let on_curves = if length > 0.0 { mean(&middle) } else { Vec3::ZERO };
        let centroid = if weight.abs() > 1e-12 * length * length { sum / weight } else { on_curves };
        // In the plane through the middle of the curves.
        let centroid = origin + centroid + normal * normal.dot(on_curves - centroid);
        // Second moments of the area, by the same triangles.
        let plane = Plane::new(centroid, normal, |u, v| {
            let mut sums = [0.0; 3];
            for s in segments() {
                let [p, q] = s.ends.map(|p| p - centroid);
                let part = normal.dot(p.cross(q)) / (6.0 * weight);
                let product = |d: Vec3, e: Vec3| {
                    let (dp, dq, ep, eq) = (d.dot(p), d.dot(q), e.dot(p), e.dot(q));
                    part * (dp * ep + dq * eq + 0.5 * (dp * eq + dq * ep))
                };
                for (sum, (d, e)) in sums.iter_mut().zip([(u, u), (u, v), (v, v)]) {
                    *sum += product(d, e);
                }
            }
            sums
        });
        let farthest = self.farthest(pair, r, &plane);
        let mut patches = [Patch::default(); 2];
        for piece in self.pieces.iter().filter(|p| self.region_of[p.contour as usize] == r) {
            patches[piece.side].add(pair, &plane, piece);
        }
        let [first, second] = &patches;
        // Where rounding contradicts itself, or a curve ends at the border of an open mesh, a patch has no end.
        let is_whole = |patch: &Patch, outward: f64| {
            (patch.area - doubled * (0.5 * outward)).length() <= WHOLE * 0.5 * doubled.length()
        };
        let between = (is_whole(first, 1.0) && is_whole(second, -1.0))
            .then(|| plane.extent(segments().map(|s| s.ends[0])))
            .flatten()
            .and_then(|extent| Between::of(&plane, first, second, extent))
            .or_else(|| at_one_place(pair, &plane, area, farthest))?;
        // Nowhere thicker than all of it is high; else the patches lie over each other more than once, and the integrals say little.
        let places = segments().map(|s| s.ends[0]).chain(farthest.into_iter().flatten());
        let heights = places.map(|p| normal.dot(p - centroid));
        let (low, high) = heights.fold((0.0_f64, 0.0_f64), |(low, high), h| (low.min(h), high.max(h)));
        let between = Between { depth: between.depth.min(high - low), ..between };
        (between.depth > 0.0).then_some(Region { plane, area, between, farthest })
    }

    /// The vertex of each mesh that is farthest beyond the plane, of those inside the other mesh.
    fn farthest(&self, pair: &Pair, r: u32, plane: &Plane) -> [Option<Vec3>; 2] {
        let farthest_of = |side: usize| {
            let inner = self.inner[side].iter().filter(|(_, c)| self.region_of[*c as usize] == r);
            let places = inner.map(|(v, _)| match side {
                0 => pair.a.vertices()[*v as usize],
                _ => pair.pose.transform_point(pair.b.vertices()[*v as usize]),
            });
            let outward = if side == 0 { -plane.normal } else { plane.normal };
            places.reduce(|p, q| if outward.dot(q - p) > 0.0 { q } else { p })
        };
        [farthest_of(0), farthest_of(1)]
    }
}

/// Positive if most segments of a contour have the inside of the first mesh's patch on their left.
fn sense(pair: &Pair, contour: &[Segment]) -> f64 {
    let along = |s: &Segment| pair.a.normal(s.faces[0]).cross(pair.normal_b(s.faces[1]));
    contour.iter().map(|s| along(s).dot(s.ends[1] - s.ends[0])).sum()
}

/// How thick the overlap is on the line along the normal through a place in both, and how far above the place its middle is [m].
fn thickness(pair: &Pair, plane: &Plane, p: Vec3) -> (f64, f64) {
    let n = plane.normal;
    let far = pair.a.size() + pair.b.size();
    // Out of the second along the normal, out of the first against it.
    let own = |v: Vec3| pair.pose.rotation.inverse() * v;
    let back = 1e-9 * far;
    let up = pair.b.cast(pair.pose.inverse_transform_point(p - n * back), own(n), far);
    let down = pair.a.cast(p + n * back, -n, far);
    let length = |hit: Option<crate::trimesh::Hit>| {
        hit.filter(|h| !h.from_outside).map_or(0.0, |h| (h.distance - back).max(0.0))
    };
    let (up, down) = (length(up), length(down));
    (up + down, 0.5 * (up - down))
}

/// A region by one place alone: the deepest of its middle and the vertices farthest in.
fn at_one_place(pair: &Pair, plane: &Plane, area: f64, farthest: [Option<Vec3>; 2]) -> Option<Between> {
    let at = |p: Vec3| {
        let (depth, height) = thickness(pair, plane, p);
        (depth > 0.0).then(|| Between::at(p + plane.normal * height, area * depth, depth))
    };
    let deeper = |p: Between, q: Between| if q.depth > p.depth { q } else { p };
    [Some(plane.origin)].into_iter().chain(farthest).flatten().filter_map(at).reduce(deeper)
}

/// The largest depth of a region, at the places looked at.
fn deepest(pair: &Pair, region: &Region) -> f64 {
    let places = region.farthest.into_iter().flatten().chain([region.plane.origin]);
    places.map(|p| thickness(pair, &region.plane, p).0).fold(region.between.depth, f64::max)
}

/// A mesh that is wholly inside the other.
fn swallowed(pair: &Pair) -> Option<Region> {
    let first = pair.a.vertices()[0];
    let other = pair.pose.transform_point(pair.b.vertices()[0]);
    let inverse = pair.pose.inverse();
    let in_b = pair.b.holds(inverse.transform_point(first)) == Some(true);
    let in_a = pair.a.holds(other) == Some(true);
    let middle = |mesh: &TriMesh| 0.5 * (mesh.extent().0 + mesh.extent().1);
    // The nearest way out for the middle of the smaller, and how far its own surface is beyond it.
    let way = |outer: &TriMesh, p: Vec3| {
        let closest = outer.closest(p)?;
        let outward = outer.outward(closest.feature).normalize_or(Vec3::Z);
        let side = if outer.is_behind(p, &closest) { 1.0 } else { -1.0 };
        let normal = ((closest.point - p) * side).try_normalize().unwrap_or(outward);
        Some((normal, closest.distance * side))
    };
    let (normal, depth, centroid) = if in_b {
        let center = middle(pair.a);
        let (normal, depth) = way(pair.b, inverse.transform_point(center))?;
        let normal = pair.pose.rotation * normal;
        let half = 0.5 * (pair.a.extent().1 - pair.a.extent().0);
        (normal, depth + normal.abs().dot(half), center)
    } else if in_a {
        let center = middle(pair.b);
        let at = pair.pose.transform_point(center);
        let (normal, depth) = way(pair.a, at)?;
        let half = 0.5 * (pair.b.extent().1 - pair.b.extent().0);
        let own = pair.pose.rotation.inverse() * normal;
        (-normal, depth + own.abs().dot(half), at)
    } else {
        return None;
    };
    let plane = Plane::new(centroid, normal, |_, _| [0.0; 3]);
    let between = Between::at(centroid, 0.0, depth);
    (depth > 0.0).then_some(Region { plane, area: 0.0, between, farthest: [None; 2] })
}
