//! How much a corner counts by the face that looks down, so that every face has the whole stiffness of a contact on a half-space
//! (`narrow/polyhedron_shares.rs` says what is made of it).
//!
//! Corners have a quarter each. For a face with n corners that must be 1/n: a factor c of 4/n, which goes over to 1 as the face is tilted. With u the
//! unit direction down and n_f the normal of the face f, both in the polyhedron's frame,
//!
//! c(u) = Π (1 + a_f·b_f), b_f = (1 − y)² for y < 1, else 0, y = |u − n_f|² / ρ_f².
//!
//! b_f is 1 with the face level and smooth. Where it ends, at ρ_f, the face must still have the lowest corner, so that only the faces there need to be
//! looked at: on the sphere of directions those for which a corner is the lowest are a polygon of the normals around it, and ρ_f is not farther than the nearest
//! side of such a polygon that does not end at n_f. So b_f is 0 with any other face level. a_f = 4/n − 1, which is nothing for four corners, and less than that in proportion to ρ_f for a face whose neighbours leave it less
//! room than there may be at the most: else on a dome of many faces c would change faster than what is touched.

use super::Polyhedron;
use fender_math::Vec3;

/// Largest distance from level at which a face counts [rad]; as a cylinder counts as standing up to there.
const WIDEST: f64 = crate::narrow::lean::STANDS;
/// The same for triangles, so that forces act aside of their corners by no more than they are deep.
const WIDEST_TRIANGLE: f64 = 2.0 * WIDEST;

/// A face on a half-space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stand {
    /// How much more its corners count when it is level, a_f; −1 at the least.
    gain: f64,
    /// Square of the distance on the unit sphere from its normal to where that ends, ρ_f².
    square: f64,
}

impl Polyhedron {
    pub(super) fn stands(&self) -> Vec<Stand> {
        (0..self.faces.len() as u32)
            .map(|f| {
                let count = self.corners(f).len() as f64;
                let widest = if count < 4.0 { WIDEST_TRIANGLE } else { WIDEST };
                let radius = if count == 4.0 { widest } else { self.room(f).min(widest) };
                Stand { gain: (4.0 / count - 1.0) * (radius / widest), square: radius * radius }
            })
            .collect()
    }

    /// How far from its normal the directions are for which none of the corners of `face` is the lowest, on the unit sphere.
    fn room(&self, face: u32) -> f64 {
        let normal = self.normals[face as usize];
        let mut room = f64::INFINITY;
        for v in self.corners(face) {
            for e in self.edges_at(*v) {
                let faces = self.edges[*e as usize].faces;
                if !faces.contains(&face) {
                    room = room.min(to_arc(normal, faces.map(|f| self.normals[f as usize])));
                }
            }
        }
        room
    }

    /// The factor c for the unit direction `down`, of which `lowest` is the farthest vertex, and the gradient of its logarithm.
    pub(crate) fn standing(&self, lowest: u32, down: Vec3) -> (f64, Vec3) {
        let (mut factor, mut slope) = (1.0, Vec3::ZERO);
        for f in self.faces_at(lowest) {
            let Stand { gain, square } = self.stands[*f as usize];
            let aside = down - self.normals[*f as usize];
            let left = 1.0 - aside.length_squared() / square;
            if gain != 0.0 && left > 0.0 {
                let part = 1.0 + gain * left * left;
                factor *= part;
                slope -= aside * (4.0 * gain * left / (square * part));
            }
        }
        (factor, slope)
    }
}

/// Distance of a point of the unit sphere from the arc between two others; up to a half, where it matters, by no more than a sixteenth too small.
fn to_arc(p: Vec3, [a, b]: [Vec3; 2]) -> f64 {
    let ends = p.distance(a).min(p.distance(b));
    let Some(across) = a.cross(b).try_normalize() else {
        return ends;
    };
    let height = across.dot(p);
    let foot = p - across * height;
    if across.dot(a.cross(foot)) > 0.0 && across.dot(foot.cross(b)) > 0.0 { height.abs() } else { ends }
}
