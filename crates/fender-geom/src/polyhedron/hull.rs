//! Convex hull of points: triangles around all of them.
//!
//! The algorithm is that of Barber, Dobkin and Huhdanpaa (1996): a tetrahedron grows, each time by the point that is farthest outside one of
//! its faces. Faces that the point sees give way to new ones from their outline to the point. What rounding can do to that is kept out: places
//! are whole numbers of a grid as fine as 2⁻⁴⁰ of the extent, and which side of a face a point is on is decided exactly. They are also shifted a
//! little, each in its own way, so that points in one plane or line are not (simulation of simplicity, the crude form):
//! what belongs together is put together again afterwards (`merge.rs`).

use super::PolyhedronError;
use fender_math::Vec3;

/// Steps of the grid along the longest side of the box around all points.
const GRID: f64 = (1_u64 << 40) as f64;
/// Largest shift [steps of the grid].
const SHIFT: u64 = 64;
/// A body that is flatter than this part of its extent has no inside to speak of.
const FLAT: f64 = 1e-8;

/// A corner on the grid; whole numbers, also as those of the other kind.
#[derive(Clone, Copy)]
struct Corner {
    exact: [i64; 3],
    near: Vec3,
}

struct Face {
    corners: [u32; 3],
    /// Faces beyond the sides from corner 0 to 1, 1 to 2, 2 to 0.
    beside: [u32; 3],
    /// Points outside that wait for this face; the farthest first.
    outside: Vec<u32>,
    is_gone: bool,
}

/// Triangles of the hull of `points` [m], counter-clockwise seen from outside, as numbers of points.
pub fn hull(points: &[Vec3]) -> Result<Vec<[u32; 3]>, PolyhedronError> {
    let (low, high) = points
        .iter()
        .fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), p| (low.min(*p), high.max(*p)));
    let extent = (high - low).max_element();
    if extent <= 0.0 {
        return Err(PolyhedronError::OnePlace);
    }
    let corners: Vec<Corner> = points
        .iter()
        .enumerate()
        .map(|(i, p)| {
            let q = (*p - low) / extent * GRID;
            let shift =
                |k: u64| (mixed(3 * i as u64 + k) % (2 * SHIFT + 1)).cast_signed() - SHIFT.cast_signed();
            let exact = [q.x as i64 + shift(0), q.y as i64 + shift(1), q.z as i64 + shift(2)];
            Corner { exact, near: Vec3::from_array(exact.map(|x| x as f64)) }
        })
        .collect();
    let start = tetrahedron(&corners)?;
    let mut growing = Growing { corners, faces: Vec::new() };
    growing.start(start);
    growing.grow();
    Ok(growing.faces.iter().filter(|f| !f.is_gone).map(|f| f.corners).collect())
}

/// Numbers that look random (Steele, Lea and Flood 2014).
fn mixed(i: u64) -> u64 {
    let mut x = i.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// Four points that span as much as can be found quickly.
fn tetrahedron(corners: &[Corner]) -> Result<[u32; 4], PolyhedronError> {
    let at = |i: u32| corners[i as usize].near;
    let farthest = |measure: &dyn Fn(Vec3) -> f64| {
        let mut best = (0, f64::NEG_INFINITY);
        for (i, corner) in corners.iter().enumerate() {
            let far = measure(corner.near);
            if far > best.1 {
                best = (i as u32, far);
            }
        }
        best
    };
    // From any point the farthest is a corner of the hull, and so is the farthest from that.
    let (a, _) = farthest(&|p| p.distance_squared(at(0)));
    let (b, span) = farthest(&|p| p.distance_squared(at(a)));
    let span = span.sqrt();
    let along = (at(b) - at(a)).normalize_or_zero();
    let (c, width) = farthest(&|p| (p - at(a)).cross(along).length());
    if width < FLAT * span {
        return Err(PolyhedronError::Collinear);
    }
    let across = (at(c) - at(a)).cross(along).normalize_or_zero();
    let (d, thickness) = farthest(&|p| (p - at(a)).dot(across).abs());
    if thickness < FLAT * span {
        return Err(PolyhedronError::Coplanar);
    }
    Ok([a, b, c, d])
}

struct Growing {
    corners: Vec<Corner>,
    faces: Vec<Face>,
}

impl Growing {
    /// Six times the volume of the tetrahedron from a triangle to a point: positive if the point is outside. Its sign is exact.
    fn outside(&self, [a, b, c]: [u32; 3], p: u32) -> f64 {
        let [a, b, c, p] = [a, b, c, p].map(|i| &self.corners[i as usize]);
        // Differences of numbers of the grid are exact, their products are not.
        let (u, v, w) = (b.near - a.near, c.near - a.near, p.near - a.near);
        let near = u.cross(v).dot(w);
        let size = u.abs().max_element() * v.abs().max_element() * w.abs().max_element();
        if near.abs() > 1e-14 * size {
            return near;
        }
        let difference = |q: &Corner| {
            let d = |k: usize| i128::from(q.exact[k]) - i128::from(a.exact[k]);
            [d(0), d(1), d(2)]
        };
        // Each is below 2⁴¹, so that the sum of six products is below 2¹²⁶.
        let (u, v, w) = (difference(b), difference(c), difference(p));
        let exact = u[0] * (v[1] * w[2] - v[2] * w[1])
            + u[1] * (v[2] * w[0] - v[0] * w[2])
            + u[2] * (v[0] * w[1] - v[1] * w[0]);
        exact as f64
    }

    fn is_thin(&self, [a, b, c]: [u32; 3]) -> bool {
        let [a, b, c] = [a, b, c].map(|i| self.corners[i as usize].near);
        (b - a).cross(c - a) == Vec3::ZERO
    }

    fn start(&mut self, [a, b, c, d]: [u32; 4]) {
        let [b, c] = if self.outside([a, b, c], d) > 0.0 { [c, b] } else { [b, c] };
        // The fourth is now behind the triangle of the first three.
        let faces =
            [([a, b, c], [1, 2, 3]), ([b, a, d], [0, 3, 2]), ([c, b, d], [0, 1, 3]), ([a, c, d], [0, 2, 1])];
        for (corners, beside) in faces {
            self.faces.push(Face { corners, beside, outside: Vec::new(), is_gone: false });
        }
        let all = (0..self.corners.len() as u32).filter(|p| ![a, b, c, d].contains(p)).collect();
        self.hand_out(all, &[0, 1, 2, 3]);
    }

    /// Gives each point to the first of the faces that it is outside of; the others are inside.
    fn hand_out(&mut self, points: Vec<u32>, faces: &[u32]) {
        let normals: Vec<Vec3> = faces
            .iter()
            .map(|f| {
                let [a, b, c] = self.faces[*f as usize].corners.map(|i| self.corners[i as usize].near);
                (b - a).cross(c - a).normalize_or_zero()
            })
            .collect();
        let mut farthest = vec![f64::NEG_INFINITY; faces.len()];
        for p in points {
            for (k, f) in faces.iter().enumerate() {
                let corners = self.faces[*f as usize].corners;
                if !corners.contains(&p) && self.outside(corners, p) > 0.0 {
                    let from = self.corners[corners[0] as usize].near;
                    let far = normals[k].dot(self.corners[p as usize].near - from);
                    let waiting = &mut self.faces[*f as usize].outside;
                    waiting.push(p);
                    if far > farthest[k] {
                        farthest[k] = far;
                        let last = waiting.len() - 1;
                        waiting.swap(0, last);
                    }
                    break;
                }
            }
        }
    }

    fn grow(&mut self) {
        let mut next = 0;
        while next < self.faces.len() {
            let face = &mut self.faces[next];
            if face.is_gone || face.outside.is_empty() {
                next += 1;
                continue;
            }
            let eye = face.outside[0];
            if !self.take(next as u32, eye) {
                // In line with a side but for less than the shift: it is as good as inside.
                self.faces[next].outside.swap_remove(0);
            }
        }
    }

    /// Adds the point `eye`, which sees the face `first`. `false` if that would make a triangle without area.
    fn take(&mut self, first: u32, eye: u32) -> bool {
        // Faces that it sees: they hang together, as decisions are exact.
        let mut seen = vec![first];
        let mut is_seen = std::collections::HashSet::from([first]);
        let mut outline: Vec<(u32, u32, u32)> = Vec::new();
        let mut k = 0;
        while k < seen.len() {
            let f = seen[k];
            k += 1;
            for side in 0..3 {
                let face = &self.faces[f as usize];
                let other = face.beside[side];
                if is_seen.contains(&other) {
                    continue;
                }
                if self.outside(self.faces[other as usize].corners, eye) > 0.0 {
                    is_seen.insert(other);
                    seen.push(other);
                } else {
                    outline.push((face.corners[side], face.corners[(side + 1) % 3], other));
                }
            }
        }
        // A face that was found to be seen later is not on the outline.
        outline.retain(|(_, _, other)| !is_seen.contains(other));
        let Some(ordered) = in_order(&outline) else { return false };
        if ordered.iter().any(|(a, b, _)| self.is_thin([*a, *b, eye])) {
            return false;
        }
        let start = self.faces.len() as u32;
        let count = ordered.len() as u32;
        for (i, (a, b, other)) in ordered.iter().enumerate() {
            let i = i as u32;
            let beside = [*other, start + (i + 1) % count, start + (i + count - 1) % count];
            self.faces.push(Face { corners: [*a, *b, eye], beside, outside: Vec::new(), is_gone: false });
            let neighbour = &mut self.faces[*other as usize];
            for side in 0..3 {
                if neighbour.corners[side] == *b && neighbour.corners[(side + 1) % 3] == *a {
                    neighbour.beside[side] = start + i;
                }
            }
        }
        let mut waiting = Vec::new();
        for f in seen {
            let face = &mut self.faces[f as usize];
            face.is_gone = true;
            waiting.append(&mut face.outside);
        }
        waiting.retain(|p| *p != eye);
        let new: Vec<u32> = (start..start + count).collect();
        self.hand_out(waiting, &new);
        true
    }
}

/// The sides of an outline one after another; `None` if they are not one round.
fn in_order(outline: &[(u32, u32, u32)]) -> Option<Vec<(u32, u32, u32)>> {
    let from: std::collections::HashMap<u32, usize> =
        outline.iter().enumerate().map(|(i, side)| (side.0, i)).collect();
    if from.len() != outline.len() || outline.len() < 3 {
        return None;
    }
    let mut ordered = vec![outline[0]];
    let mut at = outline[0].1;
    while at != outline[0].0 {
        let side = outline[*from.get(&at)?];
        ordered.push(side);
        at = side.1;
        if ordered.len() > outline.len() {
            return None;
        }
    }
    (ordered.len() == outline.len()).then_some(ordered)
}
