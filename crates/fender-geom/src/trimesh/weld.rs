//! Vertices that are one place become one vertex: a drawing program may write a corner once for every triangle.

use fender_math::Vec3;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{BuildHasherDefault, Hasher};

/// Vertices without doubles, and where each one went.
pub(crate) struct Welded {
    pub vertices: Vec<Vec3>,
    /// For each vertex given, its place in `vertices`.
    pub to: Vec<u32>,
}

/// Cells are this many tolerances wide, so that most vertices look into one cell only.
const CELL: f64 = 8.0;
/// End of a list of vertices.
const END: u32 = u32::MAX;

/// Makes one vertex of all that are the same, and of those that are within `tolerance` [m] of an earlier one. The first stays
/// where it is, so the result does not depend on anything but the order of the vertices.
pub(crate) fn weld(given: &[Vec3], tolerance: f64) -> Welded {
    let exact = merge_equal(given);
    if tolerance > 0.0 { merge_near(&exact, tolerance) } else { exact }
}

fn merge_equal(given: &[Vec3]) -> Welded {
    let mut known: HashMap<[u64; 3], u32, Mixing> =
        HashMap::with_capacity_and_hasher(given.len(), Mixing::default());
    let (mut vertices, mut to) = (Vec::new(), Vec::with_capacity(given.len()));
    for p in given {
        // Minus zero is zero.
        let key = (*p + Vec3::ZERO).to_array().map(f64::to_bits);
        to.push(*known.entry(key).or_insert_with(|| {
            vertices.push(*p);
            vertices.len() as u32 - 1
        }));
    }
    Welded { vertices, to }
}

fn merge_near(from: &Welded, tolerance: f64) -> Welded {
    let per_cell = 1.0 / (CELL * tolerance);
    // Casts saturate, so that cells far out are shared, which costs time only.
    // From the lowest corner, so that it does not matter how far from the origin the mesh is.
    let low = from.vertices.iter().fold(Vec3::INFINITY, |low, p| low.min(*p));
    let cell = |p: Vec3| ((p - low) * per_cell).floor().to_array().map(|x| x as i64 as u64);
    let mut heads: HashMap<[u64; 3], u32, Mixing> =
        HashMap::with_capacity_and_hasher(from.vertices.len(), Mixing::default());
    // Vertices of a cell are a list: the head, and behind each the next.
    let mut next: Vec<u32> = Vec::new();
    let mut vertices: Vec<Vec3> = Vec::new();
    let mut place = Vec::with_capacity(from.vertices.len());
    for p in &from.vertices {
        let (low, high) = (cell(*p - tolerance), cell(*p + tolerance));
        let mut nearest = END;
        let mut least = tolerance * tolerance;
        for i in 0..8_usize {
            let pick = |axis: usize| if i >> axis & 1 == 0 { low[axis] } else { high[axis] };
            if (0..3).any(|axis| i >> axis & 1 == 1 && low[axis] == high[axis]) {
                continue;
            }
            let mut at = heads.get(&[pick(0), pick(1), pick(2)]).copied().unwrap_or(END);
            while at != END {
                let d = p.distance_squared(vertices[at as usize]);
                if d < least || d == least && at < nearest {
                    (nearest, least) = (at, d);
                }
                at = next[at as usize];
            }
        }
        if nearest == END {
            nearest = vertices.len() as u32;
            vertices.push(*p);
            match heads.entry(cell(*p)) {
                Entry::Occupied(mut head) => next.push(head.insert(nearest)),
                Entry::Vacant(empty) => {
                    empty.insert(nearest);
                    next.push(END);
                }
            }
        }
        place.push(nearest);
    }
    Welded { vertices, to: from.to.iter().map(|i| place[*i as usize]).collect() }
}

type Mixing = BuildHasherDefault<Mix>;

/// Multiplies and folds: the standard library's hash is made against attackers and takes longer than all the rest.
#[derive(Default)]
struct Mix(u64);

impl Hasher for Mix {
    fn write(&mut self, bytes: &[u8]) {
        for b in bytes {
            self.write_u64(u64::from(*b));
        }
    }

    fn write_u64(&mut self, x: u64) {
        const FACTOR: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;
        let wide = u128::from(self.0.rotate_left(23) ^ x).wrapping_mul(FACTOR);
        self.0 = (wide >> 64) as u64 ^ wide as u64;
    }

    fn write_usize(&mut self, x: usize) {
        self.write_u64(x as u64);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_become_one_and_the_first_stays() {
        let p = Vec3::new(0.1, -0.2, 0.3);
        let near = p + Vec3::new(1e-9, -1e-9, 0.0);
        let given = [p, Vec3::ZERO, near, p, Vec3::new(-0.0, 0.0, -0.0), Vec3::ONE];
        let exact = weld(&given, 0.0);
        assert_eq!((exact.vertices.len(), exact.to), (4, vec![0, 1, 2, 0, 1, 3]));
        let near = weld(&given, 1e-8);
        assert_eq!((near.vertices, near.to), (vec![p, Vec3::ZERO, Vec3::ONE], vec![0, 1, 0, 0, 1, 2]));
    }

    #[test]
    fn nothing_is_missed_at_the_borders_of_cells() {
        // Along a line through many cells, pairs that are just near and just not near enough.
        let tolerance = 0.25;
        for i in -200..200 {
            let x = f64::from(i) * 0.037;
            let p = Vec3::new(x, 2.0 * x, -x);
            for (gap, count) in [(0.99, 1), (1.01, 2)] {
                let q = p + Vec3::new(2.0, -1.0, 2.0) / 3.0 * (tolerance * gap);
                assert_eq!(weld(&[p, q], tolerance).vertices.len(), count, "{x} {gap}");
            }
        }
    }
}
