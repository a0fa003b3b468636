//! Normals for polygons that have none: smooth where faces meet at a small angle, sharp where they do not.

use super::assemble::plane_normal;
use fender_math::Vec3;

/// Faces that meet at less than this are shaded as one surface: the cosine of 40°.
const CREASE: f64 = 0.766_044_443;
/// Around a vertex with more faces than this they are all flat: comparing each with each would take too long.
const MOST: usize = 500;

/// A normal for each corner of each triangle, by the indices of its positions. Triangles without area get zeros.
pub(super) fn creased(positions: &[Vec3], triangles: &[[u32; 3]]) -> Vec<[Vec3; 3]> {
    let at = |i: u32| positions[i as usize];
    let faces: Vec<Vec3> = triangles.iter().map(|t| plane_normal(t.map(at)).unwrap_or(Vec3::ZERO)).collect();
    // Triangles around each vertex, as one list with the place where each vertex starts.
    let mut starts = vec![0_usize; positions.len() + 1];
    for i in triangles.iter().flatten() {
        starts[*i as usize + 1] += 1;
    }
    for i in 1..starts.len() {
        starts[i] += starts[i - 1];
    }
    let mut around = vec![0_u32; triangles.len() * 3];
    let mut next = starts.clone();
    for (face, triangle) in triangles.iter().enumerate() {
        for i in triangle {
            around[next[*i as usize]] = face as u32;
            next[*i as usize] += 1;
        }
    }
    let corner = |face: usize, i: u32| {
        let own = faces[face];
        let neighbours = &around[starts[i as usize]..starts[i as usize + 1]];
        if neighbours.len() > MOST {
            return own;
        }
        let near = neighbours.iter().map(|f| *f as usize).filter(|f| faces[*f].dot(own) > CREASE);
        // By the angle at the corner: how a polygon is cut into triangles must not show.
        let sum: Vec3 = near.map(|f| faces[f] * angle_at(triangles[f].map(at), at(i))).sum();
        sum.try_normalize().unwrap_or(own)
    };
    triangles.iter().enumerate().map(|(face, t)| t.map(|i| corner(face, i))).collect()
}

/// Angle of a triangle at the corner that is at `point`, in radians.
fn angle_at(corners: [Vec3; 3], point: Vec3) -> f64 {
    let k = corners.iter().position(|c| *c == point).unwrap_or(0);
    let (u, v) = (corners[(k + 1) % 3] - point, corners[(k + 2) % 3] - point);
    fender_math::float::atan2(u.cross(v).length(), u.dot(v))
}
