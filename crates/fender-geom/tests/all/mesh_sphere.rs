//! A sphere on meshes: one reaction for each true contact.

use crate::meshes::{Soup, ball, cuboid, potato, sheet, torus};
use crate::random_cases::random_cases;
use fender_contact::PointOverlap;
use fender_geom::narrow::{mesh_sphere_contacts, overlaps};
use fender_geom::trimesh::{EdgeKind, Feature};
use fender_geom::{Shape, TriMesh};
use fender_math::{Pose, Quat, Vec3, rotation};
use proptest::prelude::*;
use std::sync::{Arc, OnceLock};

fn vector(r: f64) -> impl Strategy<Value = Vec3> {
    (-r..r, -r..r, -r..r).prop_map(|(x, y, z)| Vec3::new(x, y, z))
}

fn turn() -> impl Strategy<Value = Quat> {
    vector(3.0).prop_map(rotation::from_rotation_vector)
}

fn shape(mesh: TriMesh) -> Shape {
    Shape::Mesh(Arc::new(mesh))
}

fn touch(center: Vec3, radius: f64, mesh: &Shape, pose: &Pose) -> Vec<PointOverlap> {
    let ball = Pose::from_translation(center);
    overlaps(&Shape::Sphere { radius }, &ball, mesh, pose).points().to_vec()
}

/// Force of a contact of stiffness 1 N/m.
fn force(points: &[PointOverlap]) -> Vec3 {
    points.iter().map(|p| p.normal * (p.depth * p.share)).sum()
}

/// A slab with an unevenly divided top at z = 0: vertices are moved about in the plane.
fn slab(n: u32) -> Soup {
    let uneven = |p: Vec3| {
        let room = (1.0 - p.x * p.x) * (1.0 - p.y * p.y) * 0.4 / f64::from(n);
        p + Vec3::new((91.0 * p.y + 57.0 * p.x).sin(), (83.0 * p.x - 31.0 * p.y).sin(), 0.0) * room
    };
    cuboid(Vec3::ONE, n).mapped(|p| uneven(p) - Vec3::Z)
}

fn floors() -> &'static [(bool, Shape)] {
    static FLOORS: OnceLock<Vec<(bool, Shape)>> = OnceLock::new();
    FLOORS.get_or_init(|| {
        vec![
            (true, shape(slab(40).mesh())),
            (true, shape(slab(7).mesh())),
            (false, shape(sheet(60, 40, |_, _| 0.0).mesh())),
            (false, shape(sheet(1, 1, |_, _| 0.0).mesh())),
        ]
    })
}

proptest! {
    #![proptest_config(random_cases(4000))]

    /// However a floor is divided and turned, a ball on it is as on a plane: over faces, edges and vertices.
    #[test]
    fn a_divided_floor_is_a_plane(
        i in 0..4_usize, q in turn(), away in vector(10.0), at in vector(0.69), radius in 0.01..0.25_f64, part in -0.5..0.99_f64,
        v in 0..4000_usize, over in 0..3_u8,
    ) {
        let (closed, floor) = &floors()[i];
        let Shape::Mesh(mesh) = floor else { unreachable!() };
        // The centre of an open sheet stays above it.
        let depth = radius * (if *closed { part.abs() * 1.3 } else { part.abs() }).max(1e-6);
        let foot = match over {
            // Exactly over a vertex, and over the middle of an edge.
            0 => mesh.vertices()[v % mesh.vertices().len()],
            1 => {
                let [a, b] = mesh.edges()[v % mesh.edges().len()].vertices.map(|v| mesh.vertices()[v as usize]);
                a.midpoint(b)
            }
            _ => Vec3::new(at.x, at.y, 0.0),
        };
        let is_on_floor = foot.z == 0.0 && foot.x.abs().max(foot.y.abs()) < 0.7;
        let foot = if is_on_floor { foot } else { Vec3::new(at.x, at.y, 0.0) };
        let pose = Pose { translation: away, rotation: q };
        let center = pose.transform_point(foot + Vec3::Z * (radius - depth));
        let found = touch(center, radius, floor, &pose);
        let plane = touch(center, radius, &Shape::HalfSpace, &pose);
        prop_assert_eq!(found.len(), 1, "{:?}", found);
        prop_assert!((found[0].depth - plane[0].depth).abs() < 1e-12, "{found:?} {plane:?}");
        prop_assert!((found[0].normal - plane[0].normal).length() < 1e-12, "{found:?} {plane:?}");
        prop_assert!((found[0].point - plane[0].point).length() < 1e-12);
        prop_assert!(found[0].share == 1.0 && found[0].curvature == plane[0].curvature);
    }

    /// A box of triangles is a box, from outside and from inside.
    #[test]
    fn a_box_of_triangles_is_a_box(q in turn(), c in vector(1.2), radius in 0.05..0.6_f64, n in 1..4_u32) {
        let half = Vec3::new(0.7, 0.4, 0.5);
        let boxes: &[Shape] = {
            static BOXES: OnceLock<Vec<Shape>> = OnceLock::new();
            BOXES.get_or_init(|| (1..4).map(|n| shape(cuboid(Vec3::new(0.7, 0.4, 0.5), n).mesh())).collect())
        };
        let pose = Pose { translation: Vec3::new(1.0, -2.0, 0.5), rotation: q };
        let center = pose.transform_point(c);
        let found = touch(center, radius, &boxes[n as usize - 1], &pose);
        let exact = touch(center, radius, &Shape::Box { half }, &pose);
        prop_assert_eq!(found.len(), exact.len(), "{:?} {:?}", found, exact);
        // Inside, ties between faces are decided either way.
        let room = half - c.abs();
        let mut rooms = room.to_array();
        rooms.sort_by(f64::total_cmp);
        if let ([p], [e]) = (&found[..], &exact[..]) {
            prop_assert!((p.depth - e.depth).abs() < 1e-12, "{p:?} {e:?}");
            if rooms[0] < 0.0 || rooms[1] - rooms[0] > 1e-9 {
                prop_assert!((p.normal - e.normal).length() < 1e-9, "{p:?} {e:?}");
            }
        }
    }

    /// Against all faces, edges and vertices by their cones, written down apart from the code under test.
    #[test]
    fn contacts_are_the_places_that_are_nearest_around(i in 0..4_usize, c in vector(1.0), radius in 0.05..0.5_f64) {
        let (mesh, shape) = &solids()[i];
        let found = touch(c, radius, shape, &Pose::IDENTITY);
        let mut expected = Vec::new();
        let mut uncertain = false;
        let mut add = |place: Vec3, outward: Vec3, margin: f64| {
            // Close to the border between two features either may count.
            if margin.abs() < 1e-9 { uncertain = true }
            if margin > 0.0 && c.distance(place) < radius && outward.dot(c - place) > 0.0 {
                expected.push(c - place);
            }
        };
        for f in 0..mesh.triangles().len() as u32 {
            let (t, n) = (mesh.corners(f), mesh.normal(f));
            let margin = (0..3).map(|k| n.cross((t[(k + 1) % 3] - t[k]).normalize()).dot(c - t[k]));
            add(c - n * n.dot(c - t[0]), n, margin.fold(f64::INFINITY, f64::min));
        }
        for edge in mesh.edges() {
            let [a, b] = edge.vertices.map(|v| mesh.vertices()[v as usize]);
            let along = (b - a).normalize();
            let s = along.dot(c - a);
            let place = a + along * s;
            // Away from the edge into each face.
            let into = |f: u32| {
                let third = mesh.corners(f).into_iter().map(|p| p - a - along * along.dot(p - a));
                third.max_by(|p, q| p.length().total_cmp(&q.length())).unwrap().normalize()
            };
            let margins = [s, a.distance(b) - s, -into(edge.faces[0]).dot(c - place), -into(edge.faces[1]).dot(c - place)];
            let outward = mesh.normal(edge.faces[0]) + mesh.normal(edge.faces[1]);
            if edge.kind == EdgeKind::Convex {
                add(place, outward, margins.into_iter().fold(f64::INFINITY, f64::min));
            }
        }
        for (v, p) in mesh.vertices().iter().enumerate() {
            let ends = mesh.edges().iter().filter(|e| e.vertices.contains(&(v as u32)));
            let away = ends.map(|e| e.vertices.map(|w| mesh.vertices()[w as usize] - *p)).map(|[a, b]| (a + b).normalize());
            add(*p, mesh.outward(Feature::Vertex(v as u32)), away.map(|d| -d.dot(c - *p)).fold(f64::INFINITY, f64::min));
        }
        if uncertain || mesh.signed_distance(c).unwrap() < 1e-6 || expected.len() > 8 {
            return Ok(());
        }
        let is = |p: &PointOverlap, e: &Vec3| {
            (p.depth - (radius - e.length())).abs() < 1e-9 && (p.normal - e.normalize()).length() < 1e-7
        };
        for p in &found {
            prop_assert!(expected.iter().any(|e| is(p, e)), "{p:?} {expected:?}");
        }
        // A place that is not yet above the plane of a nearer one may have no share.
        let begun = |e: &&Vec3| expected.iter().all(|k| k.length() >= e.length() || k.normalize().dot(*k - **e) > 1e-9);
        for e in expected.iter().filter(begun) {
            prop_assert_eq!(found.iter().filter(|p| is(p, e)).count(), 1, "{} {:?}", e, found);
        }
    }

    /// The deepest is as deep as the mesh is near, whatever the motion of both; and the roles can be exchanged.
    #[test]
    fn depth_motion_and_exchange(i in 0..4_usize, c in vector(1.0), radius in 0.05..0.5_f64, q in turn(), away in vector(5.0)) {
        let (mesh, shape) = &solids()[i];
        let still = touch(c, radius, shape, &Pose::IDENTITY);
        let signed = mesh.signed_distance(c).unwrap();
        let deepest = still.iter().map(|p| p.depth).fold(0.0, f64::max);
        prop_assert!((deepest - (radius - signed).max(0.0)).abs() < 1e-12, "{deepest} {signed}");
        let pose = Pose { translation: away, rotation: q };
        let moved = touch(pose.transform_point(c), radius, shape, &pose);
        // Features on a border and a full list may count one more or less, which changes no force.
        prop_assert!((q * force(&still) - force(&moved)).length() < 1e-7, "{still:?} {moved:?}");
        let ball = Pose::from_translation(pose.transform_point(c));
        let other = overlaps(shape, &pose, &Shape::Sphere { radius }, &ball).points().to_vec();
        prop_assert_eq!(force(&other), -force(&moved));
        for p in still {
            prop_assert!((p.normal.length() - 1.0).abs() < 1e-12 && p.share > -1e-15 && p.share <= 1.0);
        }
    }

    /// A thin sheet pushes to the side of the centre.
    #[test]
    fn sheets_push_both_ways(x in -0.8..0.8_f64, y in -0.8..0.8_f64, z in -0.3..0.3_f64, radius in 0.05..0.2_f64) {
        let z = if z.abs() > 1e-9 { z } else { 0.01 };
        let (_, floor) = &floors()[2];
        let found = touch(Vec3::new(x, y, z), radius, floor, &Pose::IDENTITY);
        if z.abs() < radius {
            prop_assert_eq!(found.len(), 1);
            prop_assert!((found[0].normal - Vec3::Z * z.signum()).length() < 1e-12);
            prop_assert!((found[0].depth - (radius - z.abs())).abs() < 1e-12);
        } else {
            prop_assert!(found.is_empty());
        }
    }
}

fn solids() -> &'static [(Arc<TriMesh>, Shape)] {
    static SOLIDS: OnceLock<Vec<(Arc<TriMesh>, Shape)>> = OnceLock::new();
    SOLIDS.get_or_init(|| {
        let made = |soup: Soup| {
            let mesh = Arc::new(soup.mesh());
            (mesh.clone(), Shape::Mesh(mesh))
        };
        vec![
            made(potato(6)),
            made(torus(0.6, 0.25, 14, 9)),
            made(star()),
            made(cuboid(Vec3::new(0.5, 0.3, 0.4), 2)),
        ]
    })
}

/// Spikes with deep grooves between them.
fn star() -> Soup {
    cuboid(Vec3::ONE, 4).mapped(|p| {
        let on_grid = ((p + 1.0) * 2.0).round();
        let odd = (on_grid.x + on_grid.y + on_grid.z) % 2.0;
        p.normalize() * (0.45 + 0.35 * odd)
    })
}

#[test]
fn a_groove_holds_with_two_contacts_and_a_corner_with_three() {
    // A right-angled groove along y, and a ball that dips into both sides by 1 mm.
    let groove = shape(sheet(20, 20, |x, _| x.abs()).mesh());
    let (radius, depth) = (0.3, 1e-3);
    let center = Vec3::new(0.0, 0.123, (radius - depth) * 2.0_f64.sqrt());
    let found = touch(center, radius, &groove, &Pose::IDENTITY);
    assert_eq!(found.len(), 2, "{found:?}");
    for p in &found {
        assert!((p.depth - depth).abs() < 1e-14 && p.share == 1.0);
        assert!((p.normal.z - 0.5_f64.sqrt()).abs() < 1e-14 && p.normal.y.abs() < 1e-14);
    }
    // The inner corner of a hollow box.
    let hollow =
        cuboid(Vec3::splat(2.0), 3).plus(&cuboid(Vec3::ONE, 5).mapped(|p| p * Vec3::new(-1.0, 1.0, 1.0)));
    let room = Vec3::splat(1.0 - radius + depth);
    let found = touch(room, radius, &shape(hollow.mesh()), &Pose::IDENTITY);
    assert_eq!(found.len(), 3, "{found:?}");
    assert!(found.iter().all(|p| (p.depth - depth).abs() < 1e-14 && p.share == 1.0));
}

/// A ball in the middle of a groove has two contacts of depth M with a pass of depth S between them, at the bottom: together they have the energy of 2·M² − S².
#[test]
fn a_groove_is_one_contact_or_two_by_its_pass() {
    let radius = 0.3;
    for slope in [0.01, 0.1, 0.5, 1.0, 2.0] {
        let groove = shape(sheet(20, 20, |x, _| slope * x.abs()).mesh());
        for deep in [1e-4, 1e-3, 1e-2, 5e-2] {
            let cos = 1.0 / 1.0_f64.hypot(slope);
            let height = (radius - deep) / cos;
            let pass = (radius - height).max(0.0);
            let found = touch(Vec3::new(0.0, 0.123, height), radius, &groove, &Pose::IDENTITY);
            let energy: f64 = found.iter().map(|p| p.share * p.depth * p.depth).sum();
            let exact = 2.0 * deep * deep - pass * pass;
            assert!((energy / exact - 1.0).abs() < 1e-6, "{slope} {deep}: {energy} {exact} {found:?}");
            assert!((found[0].share - found[1].share).abs() < 1e-6, "{found:?}");
        }
    }
}

#[test]
fn features_have_their_names() {
    let mesh = cuboid(Vec3::ONE, 1).mesh();
    let feature = |c: Vec3| {
        let mut found = Vec::new();
        mesh_sphere_contacts(c, 0.3, &mesh, &Pose::IDENTITY, |contact| found.push(contact.feature));
        assert_eq!(found.len(), 1);
        found[0]
    };
    let Feature::Face(f) = feature(Vec3::new(0.1, 0.2, 1.2)) else { panic!("over a face") };
    assert_eq!(mesh.normal(f), Vec3::Z);
    // The same while it rolls over it.
    assert_eq!(feature(Vec3::new(0.15, 0.25, 1.25)), Feature::Face(f));
    let Feature::Edge(e) = feature(Vec3::new(1.1, 0.2, 1.1)) else { panic!("beside an edge") };
    assert_eq!(mesh.edges()[e as usize].kind, EdgeKind::Convex);
    let Feature::Vertex(v) = feature(Vec3::splat(1.1)) else { panic!("beside a corner") };
    assert_eq!(mesh.vertices()[v as usize], Vec3::ONE);
}

/// Along a path over rough ground the force changes by no more than the way: no facet begins or ends with a jump.
#[test]
fn forces_are_continuous_over_facets() {
    // Waves of 0.4 m radius at the tightest hollow, a ball of 0.2 m.
    let rough = shape(sheet(50, 50, |x, y| 0.02 * (8.0 * x).sin() * (8.0 * y).cos()).mesh());
    // Inside of a tube with facets 11° apart.
    let tube = shape(
        sheet(32, 8, |_, _| 0.0)
            .mapped(|p| {
                let (s, c) = (p.x * std::f64::consts::PI).sin_cos();
                Vec3::new(-0.5 * s, p.y, -0.5 * c)
            })
            .mesh(),
    );
    let radius = 0.2;
    let mut contacts = [0; 4];
    for (mesh, deep, is_rough) in [(&rough, 0.005, true), (&tube, 0.01, false)] {
        let mut last: Option<Vec3> = None;
        let steps = 40_000;
        let mut most = 0.0_f64;
        for i in 0..steps {
            let t = f64::from(i) / f64::from(steps) * 2.0 - 1.0;
            let center = if is_rough {
                let (x, y) = (0.8 * t, 0.5 * t + 0.1);
                Vec3::new(x, y, 0.02 * (8.0 * x).sin() * (8.0 * y).cos() + radius - deep)
            } else {
                let (s, c) = (2.0 * t).sin_cos();
                Vec3::new(-s, 0.1, -c) * (0.5 - radius + deep)
            };
            let found = touch(center, radius, mesh, &Pose::IDENTITY);
            contacts[found.len().min(3)] += 1;
            let f = force(&found);
            if let Some(last) = last {
                assert!((f - last).length() < 3e-4, "step {i}: {last} {f} {found:?}");
            }
            last = Some(f);
            // At least one stiffness, and little more where a groove sticks out less than the ball is deep: in the tube 2 − (S/M)² = 1.161 with S = 10 mm and
            // M = 0.2 − (0.5 − 0.31)·cos(π/32).
            let sum: f64 = found.iter().map(|p| p.share).sum();
            most = most.max(sum);
            assert!(sum > 1.0 - 1e-9, "step {i}: {sum} {found:?}");
        }
        assert!(if is_rough { most < 1.06 } else { (most - 1.1606).abs() < 1e-4 }, "{most}");
    }
    assert!(contacts[0] == 0 && contacts[1] > 1000 && contacts[2] > 1000, "{contacts:?}");
}

#[test]
fn a_fine_ball_of_triangles_is_a_ball() {
    let mesh = shape(ball(60, |_| 0.5).mesh());
    for i in 0..500 {
        let t = f64::from(i);
        let direction = Vec3::new((1.3 * t).sin(), (0.7 * t).cos(), (2.1 * t + 0.3).sin()).normalize();
        let radius = 0.2;
        // Outside, and with the centre inside.
        for distance in [0.65, 0.49] {
            let found = touch(direction * distance, radius, &mesh, &Pose::IDENTITY);
            // A grid on a ball has grooves of a thousandth, in which it touches twice.
            assert!((force(&found) - direction * (0.7 - distance)).length() < 6e-3, "{found:?}");
        }
    }
}

#[test]
fn odd_places_give_defined_results() {
    let mesh = shape(cuboid(Vec3::ONE, 2).mesh());
    // Centre exactly on a face, an edge, a corner, and in the middle.
    for c in [Vec3::new(0.3, 0.2, 1.0), Vec3::new(1.0, 0.2, 1.0), Vec3::ONE, Vec3::ZERO] {
        let found = touch(c, 0.5, &mesh, &Pose::IDENTITY);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!((found[0].normal.length() - 1.0).abs() < 1e-12 && found[0].point.is_finite());
        assert!((found[0].depth - if c == Vec3::ZERO { 1.5 } else { 0.5 }).abs() < 1e-12);
        assert!(c == Vec3::ZERO || found[0].normal.dot(c) > 0.0, "outwards: {found:?}");
    }
    assert!(touch(Vec3::NAN, 0.5, &mesh, &Pose::IDENTITY).is_empty());
    assert!(touch(Vec3::X * 1e300, 0.5, &mesh, &Pose::IDENTITY).is_empty());
    // A needle's point and a sheet without area.
    let line = shape(TriMesh::new(&[Vec3::ZERO, Vec3::X, Vec3::X * 2.0], &[[0, 1, 2]]).unwrap());
    let found = touch(Vec3::new(0.7, 0.0, 0.1), 0.2, &line, &Pose::IDENTITY);
    assert!(
        found.len() == 1 && (found[0].depth - 0.1).abs() < 1e-15 && found[0].normal == Vec3::Z,
        "{found:?}"
    );
    // Sizes of a tenth of a millimetre and of ten kilometres.
    for size in [1e-4, 1e4] {
        let mesh = shape(cuboid(Vec3::splat(size), 8).mesh());
        for radius in [1e-4, 1e4] {
            let center = Vec3::new(0.31, -0.17, 0.0) * size + Vec3::Z * (size + 0.9 * radius);
            let found = touch(center, radius, &mesh, &Pose::IDENTITY);
            assert_eq!(found.len(), 1, "{size} {radius} {found:?}");
            assert!(
                (found[0].depth - 0.1 * radius).abs() < 1e-11 * (size + radius)
                    && found[0].normal.z > 1.0 - 1e-15
            );
        }
    }
}
