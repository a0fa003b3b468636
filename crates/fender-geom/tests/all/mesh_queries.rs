//! Nearest places, sides and rays of meshes, against trying every triangle.

use crate::meshes::{self, Soup, cuboid, potato, sheet, torus};
use crate::random_cases::random_cases;
use fender_geom::TriMesh;
use fender_geom::trimesh::Feature;
use fender_math::{Pose, Vec3, float, rotation};
use proptest::prelude::*;
use std::sync::OnceLock;

fn vector(r: f64) -> impl Strategy<Value = Vec3> {
    (-r..r, -r..r, -r..r).prop_map(|(x, y, z)| Vec3::new(x, y, z))
}

/// Solids and sheets, and how they are.
fn zoo() -> &'static [(Soup, TriMesh)] {
    static ZOO: OnceLock<Vec<(Soup, TriMesh)>> = OnceLock::new();
    ZOO.get_or_init(|| {
        let turn = Pose {
            translation: Vec3::new(0.1, 0.2, -0.1),
            rotation: rotation::from_axis_angle(Vec3::new(0.6, 0.0, 0.8), 0.9),
        };
        let mut slivers = sheet(9, 2, |x, y| 0.1 * x * y);
        slivers.1.extend([[0, 1, 2], [3, 3, 4]]);
        let soups = vec![
            cuboid(Vec3::new(0.7, 0.3, 0.5), 1),
            cuboid(Vec3::new(0.2, 0.9, 0.5), 3).moved(&turn),
            torus(0.6, 0.25, 24, 12),
            potato(8),
            // A box in a box: a hollow.
            cuboid(Vec3::splat(0.9), 2)
                .plus(&cuboid(Vec3::splat(0.5), 2).mapped(|p| p * Vec3::new(-1.0, 1.0, 1.0))),
            sheet(7, 5, |x, y| 0.3 * (3.0 * x).sin() * y),
            slivers,
        ];
        soups.into_iter().map(|soup| (soup.clone(), soup.mesh())).collect()
    })
}

fn any_mesh() -> impl Strategy<Value = usize> {
    0..7_usize
}

proptest! {
    #![proptest_config(random_cases(4000))]

    #[test]
    fn no_triangle_is_nearer(i in any_mesh(), p in vector(1.3)) {
        let (soup, mesh) = &zoo()[i];
        let found = mesh.closest(p).unwrap();
        prop_assert!((found.distance - soup.distance(p)).abs() < 1e-12);
        prop_assert!((found.point.distance(p) - found.distance).abs() < 1e-12);
        // It is on the feature that is named, and in the triangle.
        let t = mesh.triangles()[found.triangle as usize];
        match found.feature {
            Feature::Face(f) => prop_assert_eq!(f, found.triangle),
            Feature::Edge(e) => prop_assert!(mesh.edges_of(found.triangle).contains(&e)),
            Feature::Vertex(v) => prop_assert!(t.contains(&v) && mesh.vertices()[v as usize] == found.point),
        }
        prop_assert!(meshes::triangle_distance(found.point, mesh.corners(found.triangle)) < 1e-12);
        // Nothing within less, the same within more.
        prop_assert_eq!(mesh.closest_within(p, found.distance * (1.0 - 1e-9) - 1e-12), None);
        prop_assert_eq!(mesh.closest_within(p, found.distance * (1.0 + 1e-9) + 1e-12), Some(found));
    }

    #[test]
    fn inside_is_where_the_surface_goes_around(i in any_mesh(), p in vector(1.1)) {
        let (soup, mesh) = &zoo()[i];
        if !mesh.is_closed() {
            prop_assert!(i > 4 && mesh.holds(p).is_none() && mesh.signed_distance(p).is_none());
            return Ok(());
        }
        let signed = mesh.signed_distance(p).unwrap();
        if signed.abs() > 1e-9 {
            prop_assert_eq!(signed < 0.0, soup.winding(p) > 0.5, "{} {}", signed, soup.winding(p));
            prop_assert_eq!(mesh.holds(p), Some(signed < 0.0));
        }
    }

    /// Near edges and vertices, where normals of single triangles would be wrong.
    #[test]
    fn inside_near_corners(i in 0..5_usize, v in 0..10_000_usize, by in vector(1.0), e in -7.0..-1.0_f64) {
        let (soup, mesh) = &zoo()[i];
        let p = mesh.vertices()[v % mesh.vertices().len()] + by * float::pow(10.0, e);
        let signed = mesh.signed_distance(p).unwrap();
        if signed.abs() > 1e-10 {
            prop_assert_eq!(signed < 0.0, soup.winding(p) > 0.5, "{} {}", signed, soup.winding(p));
        }
    }

    #[test]
    fn rays_meet_what_they_meet_first(i in any_mesh(), from in vector(1.5), to in vector(1.0), along in 0..8_u8) {
        let (_, mesh) = &zoo()[i];
        // Some along the axes, where they hit edges and run in faces.
        let direction = match along {
            0 => Vec3::X,
            1 => -Vec3::Y,
            2 => Vec3::new(1.0, 1.0, 0.0),
            _ => to - from,
        };
        let mut first = f64::INFINITY;
        let mut outside = false;
        for f in 0..mesh.triangles().len() as u32 {
            let [a, b, c] = mesh.corners(f);
            // Cramer, as it stands in textbooks.
            let (u, v, w) = (b - a, c - a, from - a);
            let det = -direction.dot(u.cross(v));
            let t = w.dot(u.cross(v)) / det;
            let (p, q) = (-direction.dot(w.cross(v)) / det, -direction.dot(u.cross(w)) / det);
            if det.abs() > 1e-12 && t >= 0.0 && p >= -1e-12 && q >= -1e-12 && p + q <= 1.0 + 1e-12 && t < first {
                (first, outside) = (t, det > 0.0);
            }
        }
        match mesh.cast(from, direction, f64::INFINITY) {
            Some(hit) => {
                prop_assert!((hit.distance - first).abs() < 1e-9, "{hit:?} {first}");
                prop_assert!((from + direction * hit.distance).distance(hit.point) < 1e-12);
                prop_assert_eq!(hit.from_outside, mesh.normal(hit.triangle).dot(direction) < 0.0);
                if mesh.is_closed() {
                    prop_assert_eq!(hit.from_outside, outside);
                }
                prop_assert_eq!(mesh.cast(from, direction, hit.distance * 0.999), None);
            }
            None => prop_assert!(first.is_infinite(), "{first}"),
        }
    }
}

#[test]
fn rays_do_not_slip_through_edges() {
    let mesh = sheet(50, 50, |x, y| 0.1 * (9.0 * x).sin() * (7.0 * y).cos()).mesh();
    for edge in mesh.edges().iter().filter(|e| e.faces[1] != fender_geom::trimesh::NONE) {
        let [a, b] = edge.vertices.map(|v| mesh.vertices()[v as usize]);
        for t in [0.0, 0.3, 0.5] {
            let on = a.lerp(b, t);
            if on.x.abs().max(on.y.abs()) < 1.0 {
                let from = Vec3::new(0.123, -0.271, 3.0);
                let hit = mesh.cast(from, on - from, f64::INFINITY).unwrap();
                assert!((hit.distance - 1.0).abs() < 1e-12, "{hit:?}");
            }
        }
    }
}

#[test]
fn what_is_not_a_number_has_no_answer() {
    let mesh = potato(3).mesh();
    for bad in [Vec3::NAN, Vec3::new(0.0, f64::INFINITY, 0.0)] {
        assert!(
            mesh.closest(bad).is_none() && mesh.holds(bad).is_none() && mesh.signed_distance(bad).is_none()
        );
        assert!(mesh.cast(bad, Vec3::X, 1.0).is_none() && mesh.cast(Vec3::ZERO, bad, 1.0).is_none());
    }
    assert!(mesh.cast(Vec3::ZERO, Vec3::ZERO, 1.0).is_none());
    assert!(mesh.closest_within(Vec3::ZERO, f64::NAN).is_none());
}

#[test]
fn coincident_triangles_and_points_on_the_surface() {
    let soup = cuboid(Vec3::ONE, 4);
    let twice = soup.clone().plus(&soup).mesh();
    for v in soup.0.iter().take(40) {
        let found = twice.closest(*v).unwrap();
        assert!(found.distance == 0.0 && matches!(found.feature, Feature::Vertex(_)));
    }
    // All triangles at one place: the tree cannot part them, and is still a tree.
    let heap = Soup(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]; 10_000]).mesh();
    assert!((heap.closest(Vec3::new(0.2, 0.2, 1.0)).unwrap().distance - 1.0).abs() < 1e-15);
    assert_eq!(heap.diagnostics().non_manifold.count, 3);
}
