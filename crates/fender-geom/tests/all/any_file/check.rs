//! What must hold for the contents of any file, however damaged: an error, or a mesh with defined answers. Called with the kept
//! corpus by a test, and with what a fuzzer invents by `cargo xtask fuzz`.

use fender_geom::mesh::{self, VisualMesh};
use fender_geom::narrow::overlaps;
use fender_geom::trimesh::Heightfield;
use fender_geom::{Polyhedron, Shape, TriMesh, ray};
use fender_math::{Pose, Vec3};
use std::sync::Arc;

/// Ends the file beside a mesh, which comes first.
const DIVIDER: &[u8] = b"\n%%\n";
/// More triangles than this are read but not searched, so that no single input takes long.
const MOST: usize = 5000;

/// Reads a file and asks what can be asked of it. The first byte tells the format: s(tl), o(bj), g(ltf), b (binary glTF), c(sv) or
/// a(scii grid); then come the contents. Those of a file beside it, if it names one, are before a line `%%`.
pub fn read_and_ask(data: &[u8]) {
    let Some((kind, rest)) = data.split_first() else { return };
    let divided = rest.windows(DIVIDER.len()).position(|w| w == DIVIDER);
    let (beside, bytes) = match divided {
        Some(at) => (&rest[..at], &rest[at + DIVIDER.len()..]),
        None => (&[][..], rest),
    };
    let name = match kind {
        b's' => "file.stl",
        b'o' => "file.obj",
        b'g' => "file.gltf",
        b'b' => "file.glb",
        b'c' => return terrain("file.csv", bytes, Some([0.5, 2.0])),
        b'a' => return terrain("file.asc", bytes, None),
        _ => return,
    };
    match mesh::read(name, bytes, &mut |_| Ok(beside.to_vec())) {
        // Of the file, or of the one beside it.
        Err(error) => assert!(!error.file.is_empty() && !error.problem.to_string().is_empty()),
        Ok(read) => {
            check_visual(&read);
            // As it is, and mirrored, flattened and enlarged.
            for scale in [Vec3::ONE, Vec3::new(-0.5, 1e-4, 1e4)] {
                let pose = Pose::from_translation(Vec3::new(1.0, -2.0, 3.0));
                if let Ok(solid) = TriMesh::of_visual(&read, scale, &pose) {
                    ask(solid);
                }
            }
        }
    }
}

fn terrain(name: &str, bytes: &[u8], spacing: Option<[f64; 2]>) {
    match Heightfield::read(name, bytes, spacing) {
        Err(error) => assert!(error.to_string().starts_with(name)),
        Ok(field) => {
            assert_eq!(field.columns * field.rows(), field.heights.len());
            if let Ok(solid) = field.solid(1.0) {
                ask(solid);
            }
        }
    }
}

/// What the viewer relies on.
fn check_visual(read: &VisualMesh) {
    assert_eq!(read.positions.len(), read.normals.len());
    assert!(read.positions.iter().flatten().all(|x| x.is_finite()));
    for n in &read.normals {
        let [x, y, z] = n.map(f64::from);
        assert!(((x * x + y * y + z * z).sqrt() - 1.0).abs() < 1e-6, "{n:?}");
    }
    assert!(read.triangles.iter().flatten().all(|v| (*v as usize) < read.positions.len()));
    let mut next = 0;
    for part in &read.parts {
        assert_eq!(part.first, next);
        next += part.count;
        assert!((0.0..=1.0).contains(&part.metallic) && (0.0..=1.0).contains(&part.roughness));
    }
    assert_eq!(next as usize, read.triangles.len());
}

/// Everything that can be asked of a mesh has a finite answer.
fn ask(solid: TriMesh) {
    if solid.triangles().len() > MOST {
        return;
    }
    let found = solid.diagnostics();
    let doubtful =
        found.flipped.count + found.non_manifold.count + found.degenerate.count > 0 || found.turned;
    assert_eq!(doubtful, !found.doubts().is_empty(), "{found:?}");
    assert!(solid.vertices().iter().all(|v| v.is_finite()));
    for f in 0..solid.triangles().len() as u32 {
        assert!((solid.normal(f).length() - 1.0).abs() < 1e-9, "{:?}", solid.normal(f));
    }
    assert!(solid.area().is_finite() && solid.area() >= 0.0);
    assert_eq!(solid.volume().is_some(), solid.is_closed());
    if let Some(mass) = solid.mass_properties(1000.0) {
        assert!(mass.mass.is_finite() && mass.mass > 0.0 && mass.center.is_finite(), "{mass:?}");
        assert!(mass.inertia.to_cols_array().iter().all(|x| x.is_finite()), "{mass:?}");
    }
    if let Some(hull) = solid.hull() {
        check_hull(hull, &solid);
    }
    let (low, high) = solid.extent();
    let (size, middle) = (solid.size(), 0.5 * (low + high));
    let corner = solid.vertices()[0];
    let places = [
        middle,
        corner,
        low - Vec3::splat(size),
        high * 2.0,
        corner.lerp(middle, 1e-3),
        middle + Vec3::X * (1e3 * size),
    ];
    for p in places {
        let found = solid.closest(p).expect("a mesh has a nearest place");
        assert!(
            found.point.is_finite() && found.distance.is_finite() && found.distance >= 0.0,
            "{p} {found:?}"
        );
        assert!(solid.outward(found.feature).is_finite(), "{p} {found:?}");
        assert_eq!(solid.holds(p).is_some(), solid.is_closed(), "{p}");
        assert_eq!(solid.signed_distance(p).is_some_and(f64::is_finite), solid.is_closed(), "{p}");
    }
    let solid = Shape::Mesh(Arc::new(solid));
    for p in places {
        ray::inside(&solid, &Pose::IDENTITY, p);
        for direction in [Vec3::NEG_Z, middle - p, Vec3::new(1.0, 1e-9, 0.3)] {
            if let Some(hit) = ray::cast(&solid, &Pose::IDENTITY, p, direction, f64::INFINITY) {
                assert!(hit.distance >= 0.0 && hit.point.is_finite(), "{p} {direction} {hit:?}");
                assert!((hit.normal.length() - 1.0).abs() < 1e-9, "{hit:?}");
            }
        }
    }
    let others = [
        Shape::Sphere { radius: 0.3 * size },
        Shape::Box { half: Vec3::splat(0.2 * size) },
        Shape::Capsule { radius: 0.1 * size, half_height: size },
        Shape::HalfSpace,
        solid.clone(),
    ];
    for other in others {
        for p in overlaps(&other, &Pose::from_translation(0.5 * (middle + corner)), &solid, &Pose::IDENTITY)
            .points()
        {
            assert!(p.point.is_finite() && p.depth.is_finite() && p.depth > 0.0, "{other:?} {p:?}");
            assert!((p.normal.length() - 1.0).abs() < 1e-9 && p.curvature.is_finite(), "{other:?} {p:?}");
        }
    }
}

fn check_hull(hull: &Polyhedron, solid: &TriMesh) {
    assert!(hull.vertices().iter().chain(hull.normals()).all(|v| v.is_finite()));
    assert!(hull.volume() > 0.0 && hull.mass_properties(1000.0).mass.is_finite());
    // It holds what it is the hull of, to rounding of coordinates of this size.
    let rounding = 1e-6 * solid.size() + 1e-12 * solid.bounding_radius();
    for v in solid.vertices() {
        let (_, height) = hull.highest_face(*v);
        assert!(height <= rounding, "{height} of {}", solid.size());
    }
}
