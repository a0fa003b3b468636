//! Two triangle meshes against each other, by the regions where their surfaces cross (Luaces 2013, section 4.7).
//!
//! Every closed curve along which the surfaces cross bounds a part of each surface that is inside the other. Parts with several curves, such
//! as a ring, are one region. Its normal is that of the surface's vector area, ½·Σ r × dr along the curves: of all surfaces with these
//! curves it is the same, so it does not depend on how the meshes are divided, and it turns without jumps. (A plane fitted to the
//! points of the curve would depend on where they lie close together.) Where a box stands over the edge of a table, a strip of its side is
//! inside too, and the normal leans by the quotient of depth and width.
//!
//! A region touches at the places of its curves and at its inner vertices that are farthest out in eight directions across the normal, and at the
//! deepest. The depth at a place is the length of the line along the normal through it that is inside both.
//!
//! A mesh that is wholly inside the other is pushed out through the surface nearest to its middle.
//!
//! # Shares
//! Within a region they go with the depths (of the deepest place, with what it is deeper than the outline) and add up to that of the region. Regions whose normals are nearly the same share one stiffness by their areas, so
//! that one that appears changes nothing.

use super::mesh_cut::{ChainScratch, Pair, Segment, chain};
use super::mesh_sphere::alike;
use super::{MAX_POINTS, Overlaps};
use crate::TriMesh;
use fender_contact::PointOverlap;
use fender_math::{Pose, Vec3};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

/// A part of two surfaces where the bodies overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactRegion {
    /// Middle of the area, in the contact plane, in the world [m].
    pub centroid: Vec3,
    /// Unit normal from the second body to the first, in the world.
    pub normal: Vec3,
    /// Area seen along the normal [m²].
    pub area: f64,
    /// Largest depth along the normal of the places looked at [m].
    pub depth: f64,
}

/// Directions across the normal in which the outline is sought.
const AROUND: usize = 8;

/// Place on the outline of a region, in the frame of the first mesh.
#[derive(Clone, Copy)]
struct Place {
    point: Vec3,
    depth: f64,
    /// Its share is in proportion to this.
    weight: f64,
}

/// A region while it is looked at, in the frame of the first mesh.
struct Region {
    centroid: Vec3,
    normal: Vec3,
    area: f64,
    places: [Option<Place>; AROUND + 2],
}

impl Region {
    fn depth(&self) -> f64 {
        self.places.iter().flatten().map(|p| p.depth).fold(0.0, f64::max)
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
    /// Side and number of every edge that crosses the other surface.
    crossed: HashSet<(u32, u32)>,
    known: HashMap<u32, u32>,
    regions: Vec<Region>,
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
    with_regions(a, pose_wa, b, pose_wb, |regions| {
        let mut found = Overlaps::none();
        // The most important ones, if there are many: as many as have a place each.
        let count = regions.len().min(MAX_POINTS);
        let room = (MAX_POINTS / count.max(1)).max(1);
        for region in &regions[..count] {
            let part = |r: &Region| alike(r.normal.dot(region.normal)) * r.area;
            let all: f64 = regions.iter().map(part).sum();
            let own = if all > 0.0 { region.area / all } else { 1.0 };
            let mut places = region.places;
            places.sort_by(|p, q| {
                let weight = |p: &Option<Place>| p.map_or(0.0, |p| p.weight);
                weight(q).total_cmp(&weight(p))
            });
            let places = &places[..room.min(places.len())];
            let sum: f64 = places.iter().flatten().map(|p| p.weight).sum();
            for place in places.iter().flatten().filter(|p| p.weight > 1e-9 * sum) {
                found.push(PointOverlap {
                    point: pose_wa.transform_point(place.point),
                    normal: pose_wa.rotation * region.normal,
                    depth: place.depth,
                    curvature: 0.0,
                    elongation: Vec3::ZERO,
                    share: own * place.weight / sum,
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
    with_regions(a, pose_wa, b, pose_wb, |regions| {
        for region in regions {
            visit(ContactRegion {
                centroid: pose_wa.transform_point(region.centroid),
                normal: pose_wa.rotation * region.normal,
                area: region.area,
                depth: region.depth(),
            });
        }
    });
}

fn with_regions<T>(
    a: &TriMesh,
    pose_wa: &Pose,
    b: &TriMesh,
    pose_wb: &Pose,
    work: impl FnOnce(&[Region]) -> T,
) -> T {
    let pose = pose_wa.inverse() * *pose_wb;
    if !pose.translation.is_finite() || !pose.rotation.is_finite() {
        return work(&[]);
    }
    let pair = Pair { a, b, pose };
    SCRATCH.with_borrow_mut(|scratch| {
        scratch.find(&pair);
        work(&scratch.regions)
    })
}

impl Scratch {
    fn find(&mut self, pair: &Pair) {
        self.regions.clear();
        pair.cut(&mut self.segments);
        if self.segments.is_empty() {
            self.regions.extend(swallowed(pair));
            return;
        }
        chain(&mut self.segments, &mut self.chain, &mut self.contours);
        self.flood(pair);
        let count = self.region_of.iter().copied().max().map_or(0, |last| last + 1);
        for r in 0..count {
            if let Some(region) = self.region(pair, r) {
                self.regions.push(region);
            }
        }
        self.regions.sort_by(|p, q| q.area.total_cmp(&p.area));
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
        crossings.sort_by(|p, q| (p.side, p.edge).cmp(&(q.side, q.edge)).then(p.along.total_cmp(&q.along)));
        let mut crossed = std::mem::take(&mut self.crossed);
        crossed.clear();
        for inner in &mut self.inner {
            inner.clear();
        }
        // An end of an edge is inside if it is behind the triangle that the edge crosses last on the way to it.
        for group in crossings.chunk_by(|p, q| (p.side, p.edge) == (q.side, q.edge)) {
            let Crossing { side, edge, .. } = group[0];
            crossed.insert((side as u32, edge));
            let ends = sides[side].edges()[edge as usize].vertices;
            for (v, last) in [(ends[0], group.first()), (ends[1], group.last())] {
                let Some(last) = last else { continue };
                let n = if side == 0 { pair.normal_b(last.face) } else { pair.a.normal(last.face) };
                if n.dot(vertex(side, v) - last.place) < 0.0 {
                    self.inner[side].push((v, last.contour));
                }
            }
        }
        for (side, mesh) in sides.into_iter().enumerate() {
            let mut inner = std::mem::take(&mut self.inner[side]);
            self.spread(mesh, side as u32, &mut inner, &crossed);
            self.inner[side] = inner;
        }
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
    fn spread(
        &mut self,
        mesh: &TriMesh,
        side: u32,
        inner: &mut Vec<(u32, u32)>,
        crossed: &HashSet<(u32, u32)>,
    ) {
        let mut known = std::mem::take(&mut self.known);
        known.clear();
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
                    if ends.contains(&v) && !crossed.contains(&(side, e)) {
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
    fn claim(&mut self, v: u32, contour: u32, known: &mut HashMap<u32, u32>) -> bool {
        let Some(other) = known.insert(v, contour) else { return true };
        let (p, q) = (self.region_of[other as usize], self.region_of[contour as usize]);
        if p != q {
            // The lower number stands for both.
            for r in &mut self.region_of {
                if *r == p.max(q) {
                    *r = p.min(q);
                }
            }
        }
        false
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
            // Contours go round with the inner side of the first mesh on one side; most segments say which.
            let sense: f64 = own
                .iter()
                .map(|s| {
                    pair.a.normal(s.faces[0]).cross(pair.normal_b(s.faces[1])).dot(s.ends[1] - s.ends[0])
                })
                .sum();
            let around: Vec3 = own.iter().map(|s| (s.ends[0] - from).cross(s.ends[1] - from)).sum();
            doubled += around * if sense < 0.0 { -1.0 } else { 1.0 };
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
        let mut region = Region { centroid, normal, area, places: [None; AROUND + 2] };
        self.outline(pair, r, &mut region);
        Some(region)
    }

    /// Finds the places farthest out, and the deepest.
    fn outline(&self, pair: &Pair, r: u32, region: &mut Region) {
        let n = region.normal;
        let (u, v) = n.any_orthonormal_pair();
        let directions: [Vec3; AROUND] = std::array::from_fn(|i| {
            // Off the axes, so that ties between corners of boxes are rare.
            let slope = [0.41, 1.0][i / 4];
            let (x, y) = [(1.0, slope), (-slope, 1.0), (-1.0, -slope), (slope, -1.0)][i % 4];
            u * x + v * y
        });
        let mut best = [(f64::NEG_INFINITY, Vec3::ZERO); AROUND + 2];
        let mut see = |p: Vec3, low: f64, high: f64| {
            let from = p - region.centroid;
            for (i, d) in directions.iter().enumerate() {
                if d.dot(from) > best[i].0 {
                    best[i] = (d.dot(from), p);
                }
            }
            for (i, height) in [(AROUND, low), (AROUND + 1, high)] {
                if height > best[i].0 {
                    best[i] = (height, p);
                }
            }
        };
        for c in (0..self.contours.len()).filter(|c| self.region_of[*c] == r) {
            for s in self.contour(c) {
                see(s.ends[0], f64::NEG_INFINITY, f64::NEG_INFINITY);
            }
        }
        for (side, inner) in self.inner.iter().enumerate() {
            for (v, _) in inner.iter().filter(|(_, c)| self.region_of[*c as usize] == r) {
                let mesh = if side == 0 { pair.a } else { pair.b };
                let p = mesh.vertices()[*v as usize];
                let p = if side == 0 { p } else { pair.pose.transform_point(p) };
                let height = n.dot(p - region.centroid);
                // The lowest of the first mesh, the highest of the second.
                if side == 0 { see(p, -height, f64::NEG_INFINITY) } else { see(p, f64::NEG_INFINITY, height) }
            }
        }
        let near = 1e-9 * (pair.a.size() + pair.b.size());
        for (i, (value, p)) in best.into_iter().enumerate() {
            let is_new = region.places.iter().flatten().all(|q| {
                let d = q.point - p;
                (d - n * n.dot(d)).length() > near
            });
            if value > f64::NEG_INFINITY && is_new {
                region.places[i] = Some(place(pair, region, p)).filter(|place| place.depth > near * 1e-3);
            }
        }
        // The outline carries the region; inner places what is deeper there.
        let outer = region.places[..AROUND].iter().flatten().map(|p| p.depth).fold(0.0, f64::max);
        for inner in region.places[AROUND..].iter_mut().flatten() {
            inner.weight = (inner.depth - outer).max(0.0);
        }
        if region.places.iter().all(Option::is_none) {
            region.places[0] = Some(place(pair, region, region.centroid));
        }
    }
}

/// The line along the normal through a place of both surfaces: its part in both meshes.
fn place(pair: &Pair, region: &Region, p: Vec3) -> Place {
    let n = region.normal;
    // A little to the middle, where it is inside the outline: far enough for a line that is not quite along the sides.
    let inward = region.centroid - p;
    let q = p + (inward - n * n.dot(inward)) * 1e-3;
    let far = pair.a.size() + pair.b.size();
    // Out of the second along the normal, out of the first against it.
    let own = |v: Vec3| pair.pose.rotation.inverse() * v;
    let back = 1e-9 * far;
    let up = pair.b.cast(pair.pose.inverse_transform_point(q - n * back), own(n), far);
    let down = pair.a.cast(q + n * back, -n, far);
    let length = |hit: Option<crate::trimesh::Hit>| {
        hit.filter(|h| !h.from_outside).map_or(0.0, |h| (h.distance - back).max(0.0))
    };
    let (up, down) = (length(up), length(down));
    let depth = up + down;
    Place { point: p + n * (0.5 * (up - down)), depth, weight: depth }
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
    let mut places = [None; AROUND + 2];
    let depth = depth.max(0.0);
    places[0] = Some(Place { point: centroid, depth, weight: depth });
    Some(Region { centroid, normal, area: 0.0, places })
}
