//! Triangles in one plane become one face.

use fender_math::Vec3;
use std::collections::{HashMap, HashSet};

/// Points that are nearer than this part of the extent are one.
pub const SAME: f64 = 1e-9;
/// A triangle belongs to a plane if its corners are within this part of the extent.
pub const LEVEL: f64 = 2e-9;

/// Faces of the closed surface of `triangles`, as rounds of vertices: polygons of triangles that are within `level` [m] of a plane. If those do
/// not fit together, the vertices that belong to three of them at least.
pub fn polygons(points: &[Vec3], triangles: &[[u32; 3]], level: f64) -> Result<Vec<Vec<u32>>, Vec<u32>> {
    let sides = sides_of(triangles);
    let face_of = group(points, triangles, &sides, level);
    if let Some(loops) = outlines(triangles, &sides, &face_of).filter(|loops| fit(loops)) {
        return Ok(loops);
    }
    let mut faces_at: HashMap<u32, HashSet<u32>> = HashMap::new();
    for (t, face) in triangles.iter().zip(&face_of) {
        for v in t {
            faces_at.entry(*v).or_default().insert(*face);
        }
    }
    let mut corners: Vec<u32> =
        faces_at.iter().filter(|(_, faces)| faces.len() > 2).map(|(v, _)| *v).collect();
    corners.sort_unstable();
    Err(corners)
}

/// For each directed side its triangle.
fn sides_of(triangles: &[[u32; 3]]) -> HashMap<[u32; 2], u32> {
    let mut sides = HashMap::new();
    for (i, t) in triangles.iter().enumerate() {
        for k in 0..3 {
            sides.insert([t[k], t[(k + 1) % 3]], i as u32);
        }
    }
    sides
}

/// Number of the face of each triangle. The largest triangles have the say, because their planes are the surest.
fn group(points: &[Vec3], triangles: &[[u32; 3]], sides: &HashMap<[u32; 2], u32>, level: f64) -> Vec<u32> {
    let at = |t: usize| triangles[t].map(|v| points[v as usize]);
    let area = |t: usize| {
        let [a, b, c] = at(t);
        (b - a).cross(c - a)
    };
    let (low, high) = super::extent(points);
    let extent = (high - low).max_element();
    let mut order: Vec<(f64, usize)> = (0..triangles.len()).map(|t| (area(t).length(), t)).collect();
    order.sort_by(|p, q| q.0.total_cmp(&p.0).then(p.1.cmp(&q.1)));
    let mut face_of = vec![u32::MAX; triangles.len()];
    let mut count = 0;
    for (_, seed) in order {
        if face_of[seed] != u32::MAX {
            continue;
        }
        let (from, normal) = (at(seed)[0], area(seed).normalize_or_zero());
        face_of[seed] = count;
        let mut waiting = vec![seed];
        while let Some(t) = waiting.pop() {
            for k in 0..3 {
                let back = [triangles[t][(k + 1) % 3], triangles[t][k]];
                let Some(other) = sides.get(&back).map(|t| *t as usize) else { continue };
                let is_level = at(other).iter().all(|p| normal.dot(*p - from).abs() <= level);
                if face_of[other] == u32::MAX && is_level && area(other).dot(normal) >= -level * extent {
                    face_of[other] = count;
                    waiting.push(other);
                }
            }
        }
        count += 1;
    }
    face_of
}

/// Outlines of the faces, without vertices that only two faces meet at. `None` if one is not a single round.
fn outlines(
    triangles: &[[u32; 3]],
    sides: &HashMap<[u32; 2], u32>,
    face_of: &[u32],
) -> Option<Vec<Vec<u32>>> {
    let count = face_of.iter().max().map_or(0, |f| f + 1) as usize;
    let mut next: Vec<HashMap<u32, u32>> = vec![HashMap::new(); count];
    let mut first = vec![u32::MAX; count];
    let mut meets: HashMap<u32, u32> = HashMap::new();
    for (i, t) in triangles.iter().enumerate() {
        let face = face_of[i] as usize;
        for k in 0..3 {
            let (a, b) = (t[k], t[(k + 1) % 3]);
            if face_of[*sides.get(&[b, a])? as usize] as usize == face {
                continue;
            }
            // Twice through one vertex: pinched.
            if next[face].insert(a, b).is_some() {
                return None;
            }
            first[face] = first[face].min(a);
            *meets.entry(a).or_default() += 1;
        }
    }
    let mut loops = Vec::new();
    for face in 0..count {
        let mut round = Vec::new();
        let mut at = first[face];
        let mut steps = 0;
        loop {
            if meets.get(&at)? > &2 {
                round.push(at);
            }
            at = *next[face].get(&at)?;
            steps += 1;
            if at == first[face] {
                break;
            }
        }
        if steps != next[face].len() {
            return None;
        }
        loops.push(round);
    }
    Some(loops)
}

/// Whether every face is a polygon and every side of one is a side of another, the other way.
fn fit(loops: &[Vec<u32>]) -> bool {
    let mut sides = HashSet::new();
    let mut corners: HashSet<u32> = HashSet::new();
    for face in loops {
        corners.extend(face);
        for (k, v) in face.iter().enumerate() {
            if face.len() < 3 || !sides.insert([*v, face[(k + 1) % face.len()]]) {
                return false;
            }
        }
    }
    // Euler: vertices − edges + faces = 2.
    sides.iter().all(|[a, b]| sides.contains(&[*b, *a])) && corners.len() + loops.len() == sides.len() / 2 + 2
}
