//! How contacts of one ball with a mesh share its stiffness: by the ridges of distance between them.
//!
//! Seen from the centre, every contact is the lowest place of a basin of the surface. Let M₁ and M₂ be the depths of two in the ball, and S that of the lowest pass
//! between them. Where the pass is outside the ball, they are two contacts with the energy ½·k·(M₁² + M₂²). Where the shallower one is no deeper than the pass, it is none, and the
//! energy is ½·k·M₁². So S² is taken from their sum: nothing jumps when one comes or goes, a flat or finely divided hollow is one contact, and
//! a groove that the ball meets with two places is two. From each the more is taken, the less it sticks out beyond the pass.
//!
//! The same holds for every convex solid in place of the ball. Where it has points of its own that keep their shares (`mesh_lows.rs`), a contact counts from the depth on that such a point has, or
//! from the pass to it if that is less.
//!
//! A triangle holds one stretch of every level, so the pass between two neighbours is the nearest place of their edge, and between any two triangles the
//! highest of those on the best way: edges in the order of their distance join triangles to basins, and basins to larger ones (Edelsbrunner and Harer 2010, section VII.1,
//! whose persistence is M − S).

use crate::TriMesh;
use fender_math::Vec3;
use std::cell::RefCell;

/// A contact: a triangle that has it, how deep it is, in any unit, and its share.
#[derive(Clone, Copy, Debug)]
pub struct Peak {
    pub triangle: u32,
    pub depth: f64,
    pub share: f64,
    /// Whether it keeps its share whatever is beside it.
    pub is_fixed: bool,
}

impl Peak {
    pub const NONE: Self = Self { triangle: 0, depth: 0.0, share: 1.0, is_fixed: false };
}

/// Triangles that were joined, and the deepest of their contacts.
#[derive(Clone, Copy, Default)]
struct Basin {
    parent: u32,
    depth: f64,
    /// What its contacts together have of depth².
    energy: f64,
    /// Depth of the deepest fixed one.
    fixed: f64,
    /// Depth up to which the deepest contact is counted by fixed ones.
    counted: f64,
}

impl Basin {
    /// What becomes counted of it, across a pass to another.
    fn counted_beside(&self, other: &Self, pass: f64) -> f64 {
        self.counted.max(other.fixed.min(pass).min(self.depth))
    }
}

/// Lists that are filled and emptied in every call: they keep their room, nothing else.
#[derive(Default)]
struct Scratch {
    /// In rising order.
    triangles: Vec<u32>,
    /// Depth of the nearest place of an edge, and the edge.
    edges: Vec<(f64, u32)>,
    basins: Vec<Basin>,
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// Divides the stiffness among `peaks`. The ball is within `reach` [m] of `center` [m], and `depth` is that of the nearest place of an edge: negative outside.
pub fn share(mesh: &TriMesh, (center, reach): (Vec3, f64), peaks: &mut [Peak], depth: impl Fn(u32) -> f64) {
    SCRATCH.with_borrow_mut(|Scratch { triangles, edges, basins }| {
        triangles.clear();
        edges.clear();
        basins.clear();
        mesh.around(center, reach, |f| {
            triangles.push(f);
            true
        });
        triangles.sort_unstable();
        for (i, f) in triangles.iter().enumerate() {
            basins.push(Basin { parent: i as u32, ..Basin::default() });
            for e in mesh.edges_of(*f).into_iter().filter(|e| mesh.edges()[*e as usize].faces[0] == *f) {
                let deep = depth(e);
                if deep > 0.0 {
                    edges.push((deep, e));
                }
            }
        }
        let place = |f: u32| triangles.binary_search(&f).ok().map(|i| i as u32);
        for peak in peaks.iter_mut() {
            peak.share = 1.0;
            if let Some(basin) = place(peak.triangle).map(|i| &mut basins[i as usize]) {
                if peak.is_fixed {
                    basin.fixed = basin.fixed.max(peak.depth);
                } else {
                    basin.depth = basin.depth.max(peak.depth);
                    basin.energy += peak.depth * peak.depth;
                }
            }
        }
        // What is in one triangle with a fixed one.
        for i in 0..basins.len() as u32 {
            let Basin { energy, fixed, depth, .. } = basins[i as usize];
            if energy > 0.0 && fixed > 0.0 {
                let counted = fixed.min(depth);
                take(basins, peaks, &place, i, counted * counted);
                basins[i as usize].counted = counted;
            }
        }
        edges.sort_unstable_by(|p, q| q.0.total_cmp(&p.0).then(p.1.cmp(&q.1)));
        for (pass, edge) in edges.iter() {
            let mut around = mesh.around_edge(*edge).filter_map(place);
            let Some(mut one) = around.next().map(|i| root(basins, i)) else { continue };
            for other in around {
                let other = root(basins, other);
                if one == other {
                    continue;
                }
                let [p, q] = [one, other].map(|i| basins[i as usize]);
                let [counted_p, counted_q] = [p.counted_beside(&q, *pass), q.counted_beside(&p, *pass)];
                let counted = if p.energy > 0.0 && q.energy > 0.0 {
                    // The lower one ends at the pass, or where it was counted already.
                    let (low, counted) = if p.depth < q.depth { (&p, counted_q) } else { (&q, counted_p) };
                    let high = if p.depth < q.depth { &q } else { &p };
                    let square = |x: f64| x * x;
                    let taken = square(pass.max(low.counted)) - square(low.counted) + square(counted)
                        - square(high.counted);
                    let (own, their) = ((p.depth - pass).max(0.0), (q.depth - pass).max(0.0));
                    // Two that do not stick out are one.
                    let part = if own + their > 0.0 { their / (own + their) } else { 0.5 };
                    // None has less than nothing.
                    let own = (part * taken).clamp(taken - q.energy, p.energy.max(taken - q.energy));
                    take(basins, peaks, &place, one, own);
                    take(basins, peaks, &place, other, taken - own);
                    counted
                } else {
                    take(basins, peaks, &place, one, counted_p * counted_p - p.counted * p.counted);
                    take(basins, peaks, &place, other, counted_q * counted_q - q.counted * q.counted);
                    if p.energy > 0.0 { counted_p } else { counted_q }
                };
                // The lower number stands for both.
                let (low, high) = (one.min(other), one.max(other));
                let sum = basins[low as usize].energy + basins[high as usize].energy;
                basins[high as usize].parent = low;
                let (depth, fixed) = (p.depth.max(q.depth), p.fixed.max(q.fixed));
                basins[low as usize] = Basin { parent: low, depth, energy: sum, fixed, counted };
                one = low;
            }
        }
    });
}

/// Takes some depth² from the contacts of a basin, from each the same part.
fn take(
    basins: &mut [Basin],
    peaks: &mut [Peak],
    place: &impl Fn(u32) -> Option<u32>,
    basin: u32,
    taken: f64,
) {
    let energy = basins[basin as usize].energy;
    if energy <= 0.0 || taken <= 0.0 {
        return;
    }
    let left = (1.0 - taken / energy).max(0.0);
    basins[basin as usize].energy *= left;
    for peak in peaks.iter_mut().filter(|peak| !peak.is_fixed) {
        if place(peak.triangle).is_some_and(|i| root(basins, i) == basin) {
            peak.share *= left;
        }
    }
}

/// The triangle that stands for a basin, with the way to it made short.
fn root(basins: &mut [Basin], mut i: u32) -> u32 {
    while basins[i as usize].parent != i {
        let up = basins[i as usize].parent;
        basins[i as usize].parent = basins[up as usize].parent;
        i = up;
    }
    i
}
