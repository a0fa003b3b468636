//! Meshes to collide with: what is made of triangles, and what is found wrong with them.

use crate::meshes::{Soup, ball, cuboid, potato, sheet, torus};
use fender_geom::mesh::VisualMesh;
use fender_geom::trimesh::{EdgeKind, NONE, TriMeshError};
use fender_geom::{Shape, TriMesh};
use fender_math::{MassProperties, Pose, Vec3, rotation};

fn count(mesh: &TriMesh, kind: EdgeKind) -> usize {
    mesh.edges().iter().filter(|e| e.kind == kind).count()
}

fn close(a: &MassProperties, b: &MassProperties, part: f64) {
    let size = b.inertia.x_axis.x + b.inertia.y_axis.y + b.inertia.z_axis.z;
    assert!((a.mass / b.mass - 1.0).abs() < part, "{a:?} {b:?}");
    assert!((a.center - b.center).length() < part * (size / b.mass).sqrt(), "{a:?} {b:?}");
    for (p, q) in [(a.inertia.x_axis, b.inertia.x_axis), (a.inertia.y_axis, b.inertia.y_axis)] {
        assert!((p - q).length() < part * size, "{a:?} {b:?}");
    }
    assert!((a.inertia.z_axis - b.inertia.z_axis).length() < part * size, "{a:?} {b:?}");
}

#[test]
fn a_box_has_its_edges_corners_and_mass() {
    let half = Vec3::new(0.3, 0.5, 0.2);
    for n in [1, 2, 7] {
        let soup = cuboid(half, n);
        let mesh = soup.mesh();
        assert!(mesh.is_closed() && mesh.diagnostics().is_clean(), "{}", mesh.diagnostics());
        let cells = (n * n) as usize;
        assert_eq!(mesh.triangles().len(), 12 * cells);
        // Euler: vertices − edges + faces = 2.
        assert_eq!(mesh.vertices().len() + mesh.triangles().len(), mesh.edges().len() + 2);
        assert_eq!(mesh.diagnostics().duplicate_vertices, soup.0.len() - mesh.vertices().len());
        assert_eq!(count(&mesh, EdgeKind::Convex), 12 * n as usize);
        assert_eq!(count(&mesh, EdgeKind::Concave) + count(&mesh, EdgeKind::Boundary), 0);
        assert_eq!(mesh.diagnostics().parts, 1);
        assert_eq!(mesh.extent(), (-half, half));
        assert!((mesh.bounding_radius() - half.length()).abs() < 1e-15);
        let exact = Shape::Box { half }.mass_properties(700.0).unwrap();
        close(&mesh.mass_properties(700.0).unwrap(), &exact, 1e-12);
        // Far from the origin and turned, nothing is lost.
        let pose = Pose {
            translation: Vec3::new(3e3, -5e3, 1e3),
            rotation: rotation::from_axis_angle(Vec3::new(1.0, 2.0, 3.0).normalize(), 0.7),
        };
        let moved = soup.moved(&pose).mesh();
        close(&moved.mass_properties(700.0).unwrap(), &exact.transformed(&pose), 1e-10);
    }
}

#[test]
fn neighbours_know_each_other() {
    let mesh = potato(6).mesh();
    for (f, t) in mesh.triangles().iter().enumerate() {
        let f = f as u32;
        for k in 0..3 {
            let edge = mesh.edges()[mesh.edges_of(f)[k] as usize];
            let ends = [t[k], t[(k + 1) % 3]];
            assert!(edge.faces.contains(&f) && edge.is_balanced);
            assert_eq!(
                edge.vertices == ends,
                edge.faces[0] == f,
                "the first goes along the edge, the other against it"
            );
            assert!(ends.contains(&edge.vertices[0]) && ends.contains(&edge.vertices[1]));
            assert!(mesh.fan(t[k]).contains(&f));
        }
        assert!((mesh.normal(f).length() - 1.0).abs() < 1e-14);
    }
    let in_fans: usize = (0..mesh.vertices().len()).map(|v| mesh.fan(v as u32).len()).sum();
    assert_eq!(in_fans, 3 * mesh.triangles().len());
    assert!(count(&mesh, EdgeKind::Convex) > 50 && count(&mesh, EdgeKind::Concave) > 50);
}

#[test]
fn grooves_and_ridges_are_told_apart() {
    let roof = sheet(2, 3, |x, _| -x.abs()).mesh();
    let groove = sheet(2, 3, |x, _| x.abs()).mesh();
    assert_eq!((count(&roof, EdgeKind::Convex), count(&roof, EdgeKind::Concave)), (3, 0));
    assert_eq!((count(&groove, EdgeKind::Convex), count(&groove, EdgeKind::Concave)), (0, 3));
    assert!(!roof.is_closed() && roof.mass_properties(1.0).is_none());
    assert_eq!((roof.diagnostics().boundary.count, roof.diagnostics().holes), (10, 1));
}

#[test]
fn what_is_wrong_is_counted_and_found() {
    // A hole of two triangles.
    let mut holed = cuboid(Vec3::ONE, 3);
    let cut = holed.1.split_off(holed.1.len() - 2);
    let found = holed.mesh();
    assert!(!found.is_closed() && found.volume().is_none());
    assert_eq!((found.diagnostics().boundary.count, found.diagnostics().holes), (4, 1));
    let place = found.diagnostics().boundary.first[0];
    assert!(holed.1[place.triangle as usize].iter().any(|v| {
        let p = holed.0[*v as usize];
        cut.iter().flatten().any(|c| holed.0[*c as usize] == p)
    }));
    let text = found.diagnostics().to_string();
    assert!(text.starts_with("4 edges with one triangle only, first of triangle "), "{text}");
    let why = found.why_not_closed().unwrap();
    assert!(why.starts_with("open, 4 edges around 1 hole or rim, first at ("), "{why}");

    // A triangle that is turned.
    let mut flipped = cuboid(Vec3::ONE, 3);
    flipped.1[5].swap(0, 1);
    let found = flipped.mesh();
    assert_eq!((found.diagnostics().flipped.count, found.diagnostics().boundary.count), (3, 0));
    assert!(!found.is_closed());
    assert!(found.diagnostics().flipped.first.iter().any(|p| p.triangle == 5));
    let why = found.why_not_closed().unwrap();
    assert!(why.starts_with("turned triangles at 3 edges, first at (") && !why.contains("open"), "{why}");

    // A fin on an edge.
    let mut fin = cuboid(Vec3::ONE, 1);
    fin.0.push(Vec3::new(2.0, 2.0, 0.0));
    let tip = fin.0.len() as u32 - 1;
    let corner = |p: Vec3| fin.0.iter().position(|q| *q == p).unwrap() as u32;
    fin.1.push([corner(Vec3::new(1.0, 1.0, -1.0)), corner(Vec3::ONE), tip]);
    let found = fin.mesh();
    assert_eq!((found.diagnostics().non_manifold.count, found.diagnostics().boundary.count), (1, 2));
    assert_eq!(found.diagnostics().non_manifold.first[0].point, Vec3::new(1.0, 1.0, 0.0));

    // Triangles without area: a line, and a point.
    let mut thin = sheet(4, 4, |_, _| 0.0);
    thin.1.extend([[0, 1, 2], [7, 7, 7]]);
    let found = thin.mesh();
    assert_eq!(found.diagnostics().degenerate.count, 2);
    assert_eq!(found.diagnostics().degenerate.first[0].triangle, 32);
    assert!(found.triangles().iter().all(|t| t[0] != t[1]));

    // Seen from inside: turned, and a solid.
    let mut inside = cuboid(Vec3::ONE, 2);
    inside.1.iter_mut().for_each(|t| t.swap(1, 2));
    let found = inside.mesh();
    assert!(found.is_closed() && found.diagnostics().turned);
    assert!((found.volume().unwrap() - 8.0).abs() < 1e-12);
    assert_eq!(count(&found, EdgeKind::Convex), 24);
    for (f, t) in found.triangles().iter().enumerate() {
        assert!(found.normal(f as u32).dot(found.corners(f as u32)[0]) > 0.0);
        for k in 0..3 {
            let edge = found.edges()[found.edges_of(f as u32)[k] as usize];
            assert_eq!(edge.vertices == [t[k], t[(k + 1) % 3]], edge.faces[0] == f as u32);
        }
    }

    // Two sheets back to back hold nothing.
    let mut twice = sheet(3, 3, |x, y| x * y);
    let back: Vec<_> = twice.1.iter().map(|t| [t[0], t[2], t[1]]).collect();
    twice.1.extend(back);
    assert!(!twice.mesh().is_closed());
}

#[test]
fn a_seam_without_area_does_not_open_a_solid() {
    // One face is cut at a point that its neighbour does not have; a triangle without area fills the gap.
    let mut soup = cuboid(Vec3::ONE, 1);
    let [a, b] = [Vec3::new(1.0, 1.0, -1.0), Vec3::ONE];
    let middle = soup.0.len() as u32;
    soup.0.push(a.midpoint(b));
    let on = |soup: &Soup, t: &[u32; 3], p: Vec3| t.iter().position(|v| soup.0[*v as usize] == p);
    let at = soup.1.iter().position(|t| on(&soup, t, a).is_some() && on(&soup, t, b).is_some()).unwrap();
    let t = soup.1.swap_remove(at);
    let (ka, kb) = (on(&soup, &t, a).unwrap(), on(&soup, &t, b).unwrap());
    let (mut first, mut second) = (t, t);
    (first[kb], second[ka]) = (middle, middle);
    soup.1.extend([first, second]);
    let seam = if (ka + 1) % 3 == kb { [t[ka], t[kb], middle] } else { [t[kb], t[ka], middle] };
    soup.1.push(seam);
    let mesh = soup.mesh();
    assert!(mesh.is_closed(), "{}", mesh.diagnostics());
    assert_eq!(mesh.diagnostics().degenerate.count, 1);
    assert!((mesh.volume().unwrap() - 8.0).abs() < 1e-12);
    // The cut edge still sticks out, whichever way it is counted.
    assert!((13..=14).contains(&count(&mesh, EdgeKind::Convex)), "{}", count(&mesh, EdgeKind::Convex));
    for p in [
        Vec3::new(0.9, 0.95, 0.01),
        Vec3::new(1.1, 1.05, 0.01),
        Vec3::new(1.1, 0.9, 0.0),
        Vec3::new(1.01, 1.2, 0.0),
    ] {
        assert_eq!(mesh.holds(p), Some(p.abs().max_element() < 1.0), "{p}");
    }
}

#[test]
fn scale_pose_and_mirror_on_import() {
    let visual = VisualMesh::of_shape(&Shape::Box { half: Vec3::new(100.0, 200.0, 300.0) }).unwrap();
    let pose =
        Pose { translation: Vec3::new(1.0, 0.0, 0.0), rotation: rotation::from_axis_angle(Vec3::Z, 0.3) };
    let exact =
        Shape::Box { half: Vec3::new(0.1, 0.2, 0.3) }.mass_properties(1000.0).unwrap().transformed(&pose);
    for scale in [Vec3::splat(1e-3), Vec3::new(1e-3, -1e-3, 1e-3), Vec3::splat(-1e-3)] {
        let mesh = TriMesh::of_visual(&visual, scale, &pose).unwrap();
        assert!(mesh.is_closed() && !mesh.diagnostics().turned, "{scale}");
        close(&mesh.mass_properties(1000.0).unwrap(), &exact, 1e-6);
    }
    // From the contents of a file.
    let stl = "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid\n";
    let visual = fender_geom::mesh::read("a.stl", stl.as_bytes(), &mut |_| Err("none".into())).unwrap();
    let mesh = TriMesh::of_visual(&visual, Vec3::splat(2.0), &Pose::IDENTITY).unwrap();
    assert_eq!((mesh.triangles().len(), mesh.normal(0)), (1, Vec3::Z));
    assert_eq!(mesh.edges().iter().filter(|e| e.faces[1] == NONE).count(), 3);
}

#[test]
fn round_solids_come_near_their_formulas() {
    // Less than a thousandth lacks when there are many triangles.
    let mesh = torus(0.8, 0.3, 400, 200).mesh();
    let pi = std::f64::consts::PI;
    let exact = 2.0 * pi * pi * 0.8 * 0.09;
    assert!((mesh.volume().unwrap() / exact - 1.0).abs() < 1e-3);
    let ball = ball(80, |_| 0.5).mesh().mass_properties(2.0).unwrap();
    close(&ball, &Shape::Sphere { radius: 0.5 }.mass_properties(2.0).unwrap(), 1e-3);
}

#[test]
fn impossible_input_is_an_error() {
    let square = [Vec3::ZERO, Vec3::X, Vec3::Y];
    assert_eq!(TriMesh::new(&square, &[]), Err(TriMeshError::Empty));
    assert_eq!(TriMesh::new(&square, &[[0, 0, 1]]), Err(TriMeshError::Empty));
    assert_eq!(
        TriMesh::new(&square, &[[0, 1, 3]]),
        Err(TriMeshError::Index { triangle: 0, vertex: 3, count: 3 })
    );
    let with = |y: f64| TriMesh::new(&[Vec3::ZERO, Vec3::X, Vec3::new(0.0, y, 0.0)], &[[0, 1, 2]]);
    for bad in [f64::NAN, f64::INFINITY] {
        assert_eq!(with(bad), Err(TriMeshError::NotFinite { vertex: 2 }));
    }
    assert_eq!(with(-1e300), Err(TriMeshError::TooFar { vertex: 2, value: -1e300 }));
    assert_eq!(
        with(1e16).unwrap_err().to_string(),
        "vertex 2 of the mesh has the coordinate 1e16 m, which is too large: they go up to 1e15 m"
    );
    // A vertex that is not used may be anywhere finite; a single line of triangles without area is still something.
    let line = TriMesh::new(&[Vec3::ZERO, Vec3::X, Vec3::X * 2.0], &[[0, 1, 2]]).unwrap();
    assert_eq!(line.closest(Vec3::new(1.5, 1.0, 0.0)).unwrap().point, Vec3::X * 1.5);
}

#[test]
fn sizes_from_tenths_of_millimetres_to_ten_kilometres() {
    for size in [1e-4, 1.0, 1e4] {
        let mesh = cuboid(Vec3::new(0.5, 1.0, 0.7) * size, 4).mesh();
        assert!(mesh.is_closed() && mesh.diagnostics().is_clean());
        assert_eq!(count(&mesh, EdgeKind::Convex), 48);
    }
    // Small details on a large plate, far from the origin.
    let plate = cuboid(Vec3::new(1e4, 1e4, 1.0), 2);
    let grain = cuboid(Vec3::splat(1e-4), 2).mapped(|p| p + Vec3::new(9e3, 9e3, 1.5));
    let mesh = plate.plus(&grain).mesh();
    assert!(mesh.is_closed() && mesh.diagnostics().is_clean(), "{}", mesh.diagnostics());
    assert_eq!((mesh.diagnostics().parts, mesh.triangles().len()), (2, 96));
}

/// A fan of needles along a line, each lying on the next, with a real triangle at the end only: all take its normal, in a time that grows with
/// their number. (In its square, this would take minutes.)
#[test]
fn a_long_chain_of_triangles_without_area_takes_the_normal_at_its_end() {
    let n = 200_000_u32;
    let mut vertices: Vec<Vec3> = (0..=n).map(|i| Vec3::X * (f64::from(i) / f64::from(n))).collect();
    vertices.push(Vec3::Y);
    let mut triangles: Vec<[u32; 3]> = (1..n).map(|i| [0, i, i + 1]).collect();
    triangles.push([0, n, n + 1]);
    let mesh = TriMesh::new(&vertices, &triangles).unwrap();
    assert_eq!(mesh.diagnostics().degenerate.count, n as usize - 1);
    assert!((0..n).all(|f| mesh.normal(f) == Vec3::Z));
}
