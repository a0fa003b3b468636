//! Boxes, cylinders, cones, ellipsoids and capsules on meshes.

use crate::inside::holds;
use crate::meshes::{cuboid, potato, sheet, torus};
use crate::random_cases::random_cases;
use crate::work::{self, wrench};
use fender_contact::PointOverlap;
use fender_geom::narrow::overlaps;
use fender_geom::{Polyhedron, Shape, TriMesh};
use fender_math::{Pose, Quat, Vec3, rotation};
use proptest::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

/// Cases of `motion_and_exchange`, and those of them that came out otherwise.
static COUNTS: [AtomicU32; 2] = [AtomicU32::new(0), AtomicU32::new(0)];

fn vector(r: f64) -> impl Strategy<Value = Vec3> {
    (-r..r, -r..r, -r..r).prop_map(|(x, y, z)| Vec3::new(x, y, z))
}

fn turn() -> impl Strategy<Value = Quat> {
    prop_oneof![
        6 => vector(3.0).prop_map(rotation::from_rotation_vector),
        1 => Just(Quat::IDENTITY),
        1 => (0..3_usize, 1..4_u8).prop_map(|(axis, k)| {
            rotation::from_axis_angle(Vec3::AXES[axis], f64::from(k) * std::f64::consts::FRAC_PI_4)
        }),
    ]
}

fn solid() -> impl Strategy<Value = Shape> {
    let size = || 0.05..0.2_f64;
    prop_oneof![
        (size(), size(), size()).prop_map(|(x, y, z)| Shape::Box { half: Vec3::new(x, y, z) }),
        (size(), size()).prop_map(|(radius, half_height)| Shape::Cylinder { radius, half_height }),
        (size(), size()).prop_map(|(radius, half_height)| Shape::Cone { radius, half_height }),
        (size(), size()).prop_map(|(radius, half_height)| Shape::Capsule { radius, half_height }),
        (size(), size(), size()).prop_map(|(x, y, z)| Shape::Ellipsoid { radii: Vec3::new(x, y, z) }),
        proptest::collection::vec(vector(0.2), 5..9).prop_filter_map("thin", |points| {
            let hull = Polyhedron::hull(&points).ok()?;
            (hull.volume() > 1e-3).then(|| Shape::Polyhedron(Arc::new(hull)))
        }),
    ]
}

fn shape(mesh: TriMesh) -> Shape {
    Shape::Mesh(Arc::new(mesh))
}

fn touch(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> Vec<PointOverlap> {
    overlaps(a, pose_a, b, pose_b).points().to_vec()
}

fn floors() -> &'static [Shape] {
    static FLOORS: OnceLock<Vec<Shape>> = OnceLock::new();
    FLOORS.get_or_init(|| {
        vec![
            // Wide and thick enough that up is the shortest way out.
            shape(cuboid(Vec3::splat(3.0), 61).mapped(|p| p - Vec3::Z * 3.0).mesh()),
            shape(cuboid(Vec3::splat(3.0), 2).mapped(|p| p - Vec3::Z * 3.0).mesh()),
            shape(sheet(40, 27, |_, _| 0.0).mapped(|p| p * 3.0).mesh()),
        ]
    })
}

fn solids() -> &'static [(Arc<TriMesh>, Shape)] {
    static SOLIDS: OnceLock<Vec<(Arc<TriMesh>, Shape)>> = OnceLock::new();
    SOLIDS.get_or_init(|| {
        [
            cuboid(Vec3::new(0.5, 0.3, 0.4), 1),
            cuboid(Vec3::new(0.5, 0.3, 0.4), 5),
            torus(0.5, 0.2, 24, 14),
            potato(8),
        ]
        .into_iter()
        .map(|soup| Arc::new(soup.mesh()))
        .map(|mesh| (mesh.clone(), Shape::Mesh(mesh)))
        .collect()
    })
}

proptest! {
    #![proptest_config(random_cases(3000))]

    /// On a floor of triangles as on a half-space: the same force and moment, however the floor is divided.
    #[test]
    fn a_divided_floor_is_a_half_space(
        i in 0..3_usize, a in solid(), q in turn(), at in vector(0.6), sink in 0.01..0.8_f64, q_floor in turn(), away in vector(3.0),
    ) {
        let floor = &floors()[i];
        // How far it reaches down. Beyond a sheet it would be on the other side.
        let [low, high] = reach(&a, q);
        if i == 2 && high - low * (1.0 - sink) <= 0.0 {
            return Ok(());
        }
        let pose = Pose { translation: Vec3::new(at.x, at.y, -low * (1.0 - sink)), rotation: q };
        let frame = Pose { translation: away, rotation: q_floor };
        let (pose, frame_floor) = (frame * pose, frame);
        let found = touch(&a, &pose, floor, &frame_floor);
        let plane = touch(&a, &pose, &Shape::HalfSpace, &frame_floor);
        let (f, m) = wrench(&found, pose.translation);
        let (fe, me) = wrench(&plane, pose.translation);
        prop_assert!((f - fe).length() < 1e-10 && (m - me).length() < 1e-10, "{found:#?} {plane:#?}");
        prop_assert_eq!(found.len(), plane.len());
        let back = touch(floor, &frame_floor, &a, &pose);
        prop_assert_eq!(wrench(&back, pose.translation).0, -f);
    }

    /// Where a point is well inside both, there is a contact; and what is found is sound.
    #[test]
    fn nothing_is_missed(i in 0..4_usize, a in solid(), q in turn(), at in vector(0.8)) {
        let (mesh, shape) = &solids()[i];
        let pose = Pose { translation: at, rotation: q };
        let found = touch(&a, &pose, shape, &Pose::IDENTITY);
        for p in &found {
            prop_assert!(p.depth > 0.0 && p.depth.is_finite() && p.point.is_finite());
            prop_assert!((p.normal.length() - 1.0).abs() < 1e-9);
            prop_assert!(p.share > 0.0 && p.share <= 1.0 && p.curvature >= 0.0);
        }
        let r = a.bounding_radius();
        let mut deepest = 0.0_f64;
        for k in 0..4000 {
            let cell = Vec3::new(f64::from(k % 16), f64::from(k / 16 % 16), f64::from(k / 256)) / 7.5 - 1.0;
            let p = pose.transform_point(cell * r);
            if holds(&a, &pose, p) {
                deepest = deepest.max(-mesh.signed_distance(p).unwrap());
            }
        }
        prop_assert!(deepest < 0.03 * r || !found.is_empty(), "{} of {} inside and no contact", deepest, r);
    }

    #[test]
    fn motion_and_exchange(i in 0..4_usize, a in solid(), q in turn(), at in vector(0.8), q_frame in turn(), away in vector(3.0)) {
        let (_, mesh) = &solids()[i];
        let pose = Pose { translation: at, rotation: q };
        let frame = Pose { translation: away, rotation: q_frame };
        let still = touch(&a, &pose, mesh, &Pose::IDENTITY);
        let moved = touch(&a, &(frame * pose), mesh, &frame);
        let (f, m) = wrench(&still, at);
        // Where the nearest of several ways out changes, rounding may decide.
        let beside = |d: Vec3| wrench(&touch(&a, &Pose { translation: at + d * 1e-8, ..pose }, mesh, &Pose::IDENTITY), at).0;
        if [Vec3::ONE, -Vec3::ONE, Vec3::new(1.0, -2.0, 1.0)].iter().any(|d| (beside(*d) - f).length() > 1e-6) {
            return Ok(());
        }
        let (g, n) = wrench(&moved, frame.transform_point(at));
        // Once in many, rounding decides between two ways that are not near each other; otherwise nothing changes.
        let same = (q_frame * f - g).length() < 1e-6 && (q_frame * m - n).length() < 1e-6;
        let all = COUNTS[0].fetch_add(1, Ordering::Relaxed) + 1;
        let odd = COUNTS[1].fetch_add(u32::from(!same), Ordering::Relaxed) + u32::from(!same);
        prop_assert!(same || odd <= 1 + all / 500, "{} of {}: {:#?} {:#?}", odd, all, still, moved);
        let back = touch(mesh, &frame, &a, &(frame * pose));
        prop_assert_eq!(wrench(&back, Vec3::ZERO).0, -wrench(&moved, Vec3::ZERO).0);
    }
}

/// Lowest and highest point of a solid at the origin.
fn reach(shape: &Shape, q: Quat) -> [f64; 2] {
    let fender_geom::Bounds::Box { min, max } = shape.bounds(&Pose { translation: Vec3::ZERO, rotation: q })
    else {
        unreachable!("solids have an end")
    };
    [min.z, max.z]
}

/// Boxes of triangles against boxes, where the least overlap is known.
#[test]
fn boxes_of_triangles_are_boxes() {
    let half = Vec3::new(0.5, 0.3, 0.4);
    let mut runner = proptest::test_runner::TestRunner::new(random_cases(3000));
    let counts = std::cell::Cell::new((0_u32, 0_u32));
    let bad = std::cell::Cell::new(0_u32);
    let cases = (0..2_usize, vector(3.0), vector(1.0), 0.01..0.2_f64);
    runner
        .run(&cases, |(i, turn, direction, depth)| {
            let a = Shape::Box { half: Vec3::new(0.2, 0.25, 0.15) };
            let b = Shape::Box { half };
            let q = rotation::from_rotation_vector(turn);
            // Down along the direction until it dips in by a part of its size.
            let direction = (direction + 1e-6).normalize();
            let (mut near, mut far) = (0.0, 1.5);
            let at = |t: f64| Pose { translation: direction * t, rotation: q };
            let deepest =
                |t: f64| touch(&a, &at(t), &b, &Pose::IDENTITY).iter().map(|p| p.depth).fold(0.0, f64::max);
            for _ in 0..40 {
                let t = 0.5 * (near + far);
                if deepest(t) > depth * 0.15 { near = t } else { far = t }
            }
            let exact = touch(&a, &at(near), &b, &Pose::IDENTITY);
            let found = touch(&a, &at(near), &solids()[i].1, &Pose::IDENTITY);
            prop_assert!(!found.is_empty());
            let depth = |points: &[PointOverlap]| points.iter().map(|p| p.depth).fold(0.0, f64::max);
            let n = wrench(&found, Vec3::ZERO).0;
            // One and a half times the stiffness at the most, on six points. Points that count together have a mean depth.
            let together = found.iter().all(|p| p.normal.dot(found[0].normal) > 0.97);
            let whole = depth(&found).max(depth(&exact));
            prop_assert!(n.length() <= 1.5 * whole * (1.0 + 1e-9) || !together, "{whole}: {found:?}");
            let as_exact =
                (depth(&found) - depth(&exact)).abs() < 1e-9 && n.normalize().dot(exact[0].normal) > 0.999;
            let (good, all) = counts.get();
            counts.set((good + u32::from(as_exact), all + 1));
            // A corner on its own may have a shorter way out than the whole solid, but not a longer one.
            let is_off = n.normalize().dot(exact[0].normal) < 0.5 && depth(&found) > 1.2 * depth(&exact);
            bad.set(bad.get() + u32::from(is_off));
            Ok(())
        })
        .unwrap();
    let (good, all) = counts.get();
    // Beside a corner several directions are nearly as good, and another is taken than the least.
    assert!(f64::from(good) > 0.85 * f64::from(all), "{good} of {all}");
    assert!(f64::from(bad.get()) < 0.01 * f64::from(all), "{} of {all} far off", bad.get());
}

#[test]
fn a_box_over_the_edge_of_a_table() {
    let table = shape(cuboid(Vec3::new(1.0, 1.0, 0.5), 6).mapped(|p| p - Vec3::Z * 0.5).mesh());
    let a = Shape::Box { half: Vec3::new(0.2, 0.1, 0.15) };
    // Half over the edge, half a millimetre deep: two corners on the table, two places on its edge, all of the stiffness.
    let pose = Pose::from_translation(Vec3::new(1.0, 0.05, 0.1495));
    let found = touch(&a, &pose, &table, &Pose::IDENTITY);
    assert_eq!(found.len(), 4, "{found:#?}");
    for p in &found {
        assert!((p.normal - Vec3::Z).length() < 1e-12 && (p.depth - 5e-4).abs() < 1e-12 && p.share == 0.25);
    }
    let xs: Vec<f64> = found.iter().map(|p| p.point.x).collect();
    assert_eq!(xs.iter().filter(|x| (**x - 1.0).abs() < 1e-12).count(), 2, "{xs:?}");
    // Over the corner: one of its own corners, two places on edges, and the corner of the table.
    let pose = Pose::from_translation(Vec3::new(1.0, 1.0, 0.1495));
    let found = touch(&a, &pose, &table, &Pose::IDENTITY);
    assert_eq!(found.len(), 4, "{found:#?}");
    assert!(found.iter().all(|p| (p.normal - Vec3::Z).length() < 1e-12 && (p.depth - 5e-4).abs() < 1e-12));
    // On the edge of the table with an edge across: one point, in the right direction.
    let tilt = rotation::from_axis_angle(Vec3::Y, -std::f64::consts::FRAC_PI_4);
    let roof = cuboid(Vec3::ONE, 3).moved(&Pose { translation: -Vec3::Z * 2.0_f64.sqrt(), rotation: tilt });
    let up = rotation::from_axis_angle(Vec3::X, std::f64::consts::FRAC_PI_4);
    let height = 0.25 * 0.5_f64.sqrt();
    let pose = Pose { translation: Vec3::new(0.02, 0.03, height - 1e-3), rotation: up };
    let found = touch(&a, &pose, &shape(roof.mesh()), &Pose::IDENTITY);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!((found[0].normal - Vec3::Z).length() < 1e-9 && (found[0].depth - 1e-3).abs() < 1e-9, "{found:?}");
}

#[test]
fn a_box_in_a_groove_and_in_a_corner() {
    // A cube standing on its edge in a groove of right angles touches with two faces.
    let groove = shape(sheet(16, 16, |x, _| x.abs()).mesh());
    let half = Vec3::new(0.1, 0.1, 0.1);
    let q = rotation::from_axis_angle(Vec3::Y, std::f64::consts::FRAC_PI_4);
    let pose = Pose { translation: Vec3::new(0.0, 0.033, 0.1 * 2.0_f64.sqrt() - 1e-3), rotation: q };
    let found = touch(&Shape::Box { half }, &pose, &groove, &Pose::IDENTITY);
    let (f, m) = wrench(&found, pose.translation);
    // As from two planes. The lower corners leave both by the shortest way, to the line where they meet, which is the sum of both.
    let planes = [-1.0, 1.0].map(|side| {
        let plane =
            Pose { translation: Vec3::ZERO, rotation: rotation::between(Vec3::Z, Vec3::new(side, 0.0, 1.0)) };
        wrench(&touch(&Shape::Box { half }, &pose, &Shape::HalfSpace, &plane), pose.translation)
    });
    let (expected, moment) = (planes[0].0 + planes[1].0, planes[0].1 + planes[1].1);
    assert!((f - expected).length() < 1e-9 && (m - moment).length() < 1e-9, "{found:#?}");
    assert!(expected.z > 0.9e-3, "{expected}");
}

#[test]
fn a_bar_on_two_ridges_and_a_peak_under_a_plate() {
    // Ridges along y at x = ±0.5.
    let ridges = shape(sheet(8, 2, |x, _| -4.0 * ((x.abs() - 0.5).abs())).mesh());
    let lying = rotation::from_axis_angle(Vec3::Y, std::f64::consts::FRAC_PI_2);
    for (bar, share) in [
        (Shape::Capsule { radius: 0.1, half_height: 0.8 }, 0.5),
        (Shape::Cylinder { radius: 0.1, half_height: 0.8 }, 0.5),
    ] {
        let pose = Pose { translation: Vec3::new(0.0, 0.1, 0.1 - 1e-3), rotation: lying };
        let found = touch(&bar, &pose, &ridges, &Pose::IDENTITY);
        assert_eq!(found.len(), 2, "{bar:?} {found:#?}");
        for p in &found {
            assert!((p.depth - 1e-3).abs() < 1e-9 && (p.normal - Vec3::Z).length() < 1e-4, "{bar:?} {p:?}");
            assert!((p.point.x.abs() - 0.5).abs() < 1e-2 && p.share == share, "{bar:?} {p:?}");
        }
    }
    // A peak pokes a millimetre into the bottom of each.
    let peak = shape(sheet(2, 2, |x, y| -x.abs() - y.abs()).mesh());
    for (plate, height) in [
        (Shape::Box { half: Vec3::new(0.4, 0.3, 0.05) }, 0.05),
        (Shape::Cylinder { radius: 0.4, half_height: 0.05 }, 0.05),
        (Shape::Cone { radius: 0.4, half_height: 0.2 }, 0.2),
    ] {
        let pose = Pose::from_translation(Vec3::new(0.11, 0.07, height - 1e-3));
        let found = touch(&plate, &pose, &peak, &Pose::IDENTITY);
        assert_eq!(found.len(), 1, "{plate:?} {found:#?}");
        assert!((found[0].depth - 1e-3).abs() < 1e-12 && (found[0].normal - Vec3::Z).length() < 1e-12);
        assert!((found[0].point - Vec3::Z * -5e-4).length() < 1e-9, "{found:?}");
    }
}

#[test]
fn a_mesh_on_a_half_space_is_as_a_box() {
    let half = Vec3::new(0.3, 0.2, 0.1);
    for n in [1, 6] {
        let mesh = shape(cuboid(half, n).mesh());
        for i in 0..400 {
            let t = f64::from(i);
            // Level, on an edge and on a corner, and in between.
            let tilt = Vec3::new((0.37 * t).sin(), (0.61 * t).sin(), t) * if i % 3 == 0 { 0.0 } else { 0.02 };
            let pose =
                Pose { translation: Vec3::Z * (0.1 - 1e-3), rotation: rotation::from_rotation_vector(tilt) };
            let found = touch(&mesh, &pose, &Shape::HalfSpace, &Pose::IDENTITY);
            let exact = touch(&Shape::Box { half }, &pose, &Shape::HalfSpace, &Pose::IDENTITY);
            let (f, m) = wrench(&found, Vec3::ZERO);
            let (fe, me) = wrench(&exact, Vec3::ZERO);
            // Vertices on edges count when a corner is up.
            let tolerance = if n == 1 || exact.len() == 4 { 1e-12 } else { 2e-3 };
            assert!((f - fe).length() < tolerance && (m - me).length() < tolerance, "{found:#?} {exact:#?}");
        }
    }
}

#[test]
fn poses_that_are_not_numbers_touch_nothing() {
    let mesh = shape(potato(4).mesh());
    let a = Shape::Box { half: Vec3::splat(0.3) };
    assert!(touch(&a, &Pose::from_translation(Vec3::NAN), &mesh, &Pose::IDENTITY).is_empty());
    assert!(touch(&a, &Pose::IDENTITY, &mesh, &Pose::from_translation(Vec3::NAN)).is_empty());
    assert!(touch(&mesh, &Pose::from_translation(Vec3::NAN), &Shape::HalfSpace, &Pose::IDENTITY).is_empty());
}

/// A can or capsule that lies over the edge of a table, with a vertex of that edge below its axis: the edge is felt there as beside it, and what lifts off is not thrown.
#[test]
fn a_ridge_is_felt_at_its_vertices() {
    let table = shape(cuboid(Vec3::new(0.5, 0.4, 0.2), 4).mesh());
    let lying = rotation::from_axis_angle(Vec3::Y, std::f64::consts::FRAC_PI_2);
    for solid in [
        Shape::Cylinder { radius: 0.06, half_height: 0.1 },
        Shape::Capsule { radius: 0.06, half_height: 0.1 },
    ] {
        // The outer end is lower, so that it lies on the edge.
        for lean in [0.0, 1e-4, 1e-2] {
            let rotation = rotation::from_axis_angle(Vec3::Y, lean) * lying;
            let at = |y: f64, depth: f64| {
                let pose = Pose { translation: Vec3::new(0.47, y, 0.26 - depth), rotation };
                wrench(&touch(&solid, &pose, &table, &Pose::IDENTITY), pose.translation)
            };
            for depth in [1e-3, 1e-5, 1e-7] {
                let (on, beside) = (at(0.0, depth), at(1e-9, depth));
                let (f, m) = (on.0 - beside.0, on.1 - beside.1);
                assert!(
                    f.length() < 1e-6 * depth && m.length() < 1e-6 * depth,
                    "{solid:?} {lean} {depth}: {on:?} {beside:?}"
                );
                // Never more than the whole stiffness at the deepest place below the table's top.
                let most = depth + 0.1 * lean;
                assert!(on.0.length() <= most * (1.0 + 1e-6), "{solid:?} {lean} {depth}: {on:?}");
            }
        }
    }
}

/// A can, capsule or cone lies on a table and goes beyond its edge, along a line from its own end to the edge, and rocks there; near the table's corner, too, where the line leaves the table past the corner, and where its end passes the
/// edge. With a point at both ends of the line the contact has a potential. Where the rim of a can that touches with nothing else passes the edge, the ways out change within the depth.
#[test]
fn what_lies_over_an_edge_takes_no_work() {
    let table = shape(cuboid(Vec3::new(0.5, 0.4, 0.2), 3).mesh());
    let along_x = rotation::from_axis_angle(Vec3::Y, std::f64::consts::FRAC_PI_2);
    let can = Shape::Cylinder { radius: 0.06, half_height: 0.1 };
    let capsule = Shape::Capsule { radius: 0.06, half_height: 0.1 };
    let cone = Shape::Cone { radius: 0.06, half_height: 0.1 };
    // With the slope of the cone's side, and the height of its middle.
    let slope = 0.3_f64.atan();
    let flat = rotation::from_axis_angle(Vec3::Y, slope) * along_x;
    let middle = 0.03 * slope.cos();
    // The error of the sum; lines that turn a little while their ends change places, by the squares of small angles; past a corner shares are mixed.
    let exact = 1e-6;
    let cases = [
        (&can, along_x, 0.06, [0.47, 0.0], exact),
        (&cone, flat, middle, [0.47, 0.0], exact),
        (&capsule, along_x, 0.06, [0.47, 0.0], exact),
        (&can, along_x, 0.06, [0.41, 0.0], 0.06),
        (&capsule, along_x, 0.06, [0.41, 0.0], 1e-3),
        (&can, along_x, 0.06, [0.47, 0.4], 0.03),
        (&capsule, along_x, 0.06, [0.47, 0.4], 0.03),
    ];
    for (body, lying, above, [x, y], bound) in cases {
        for (depth, lean) in [(1e-3, 0.01), (1e-4, 1e-3), (1e-3, 1e-3)] {
            let pose = |s: f64| {
                let (a, b) = (std::f64::consts::TAU * s, 2.0 * std::f64::consts::TAU * s);
                let turn = Vec3::new(0.05 * b.sin(), lean * (a + 0.4).sin(), 0.03 * a.cos());
                let height = 0.2 + above - depth * (0.5 + (a + 1.0).cos());
                let at = Vec3::new(x + 0.02 * b.cos(), y + 0.05 * a.sin() + 0.013, height);
                Pose { translation: at, rotation: rotation::from_rotation_vector(turn) * lying }
            };
            let (work, turned) = work::around(body, pose, &table, 20_000);
            let case = format!("{body:?} at {x} {y}, {depth} deep, leaning {lean}");
            assert!(turned > 1e-8 && work.abs() < bound * turned, "{case}: {work:e} of {turned:e}");
        }
    }
}

/// A can or capsule lies on the edge of a table, along it, more and more beside the table, and goes beyond its corner.
#[test]
fn what_lies_along_an_edge_takes_no_work_past_its_corner() {
    let table = shape(cuboid(Vec3::new(0.5, 0.4, 0.2), 3).mesh());
    let along_x = rotation::from_axis_angle(Vec3::Y, std::f64::consts::FRAC_PI_2);
    // A rim has its nearest place of the mesh beside the edge.
    for (body, bound) in [
        (Shape::Cylinder { radius: 0.06, half_height: 0.1 }, 0.02),
        (Shape::Capsule { radius: 0.06, half_height: 0.1 }, 1e-4),
    ] {
        for beside in [0.2, 0.5, 0.8] {
            for (depth, lean) in [(1e-3, 0.01), (1e-4, 1e-3), (1e-3, 1e-3)] {
                let pose = |s: f64| {
                    let (a, b) = (std::f64::consts::TAU * s, 2.0 * std::f64::consts::TAU * s);
                    let turn = Vec3::new(0.05 * b.sin(), lean * (a + 0.4).sin(), lean * a.cos());
                    let reach = 0.06 - depth * (0.5 + (a + 1.0).cos());
                    let angle: f64 = beside + 0.02 * (a + 2.0).sin();
                    let at = Vec3::new(
                        0.47 + 0.02 * b.cos(),
                        0.4 + reach * angle.sin(),
                        0.2 + reach * angle.cos(),
                    );
                    Pose { translation: at, rotation: rotation::from_rotation_vector(turn) * along_x }
                };
                let (work, turned) = work::around(&body, pose, &table, 10_000);
                let case = format!("{body:?} at {beside}, {depth} deep, leaning {lean}");
                assert!(turned > 1e-8 && work.abs() < bound * turned, "{case}: {work:e} of {turned:e}");
            }
        }
    }
}

/// A can or cone that stands with its middle over the very edge of a table is not pushed sideways out of it.
#[test]
fn what_stands_with_its_middle_over_an_edge_is_no_deeper_than_it_stands() {
    let table = shape(cuboid(Vec3::new(0.5, 0.4, 0.2), 1).mesh());
    for body in
        [Shape::Cylinder { radius: 0.05, half_height: 0.1 }, Shape::Cone { radius: 0.05, half_height: 0.1 }]
    {
        // What rocks there while it bounces.
        for i in -50..=50 {
            for k in -20..=20 {
                let (beyond, tilt, depth) = (4e-5 * f64::from(i), 2e-4 * f64::from(k), 3e-3);
                let rotation = rotation::from_axis_angle(Vec3::Y, tilt);
                let foot = Vec3::new(0.5 + beyond, 0.013, 0.2 - depth);
                let pose = Pose { translation: foot + rotation * Vec3::new(0.0, 0.0, 0.1), rotation };
                let found = touch(&body, &pose, &table, &Pose::IDENTITY);
                let most = depth + 0.05 * tilt.abs() + 1e-9;
                let case = format!("{body:?} {beyond} {tilt}: {found:?}");
                assert!(!found.is_empty() && found.iter().all(|p| p.depth < most), "{case}");
            }
        }
    }
}

/// A can lies on a table whose edge is cut off at 45°, with its rim beyond the top, but so deep that it is in the table: the top ends before the rim.
#[test]
fn a_rim_over_a_cut_edge_is_not_on_the_face() {
    let profile = [[-0.5, -0.2], [0.5, -0.2], [0.5, 0.15], [0.45, 0.2], [-0.5, 0.2]];
    let points: Vec<Vec3> =
        profile.into_iter().flat_map(|[x, z]| [Vec3::new(x, -0.4, z), Vec3::new(x, 0.4, z)]).collect();
    let hull = Polyhedron::hull(&points).unwrap();
    let table = shape(TriMesh::new(hull.vertices(), &hull.triangles()).unwrap());
    let can = Shape::Cylinder { radius: 0.06, half_height: 0.1 };
    let rotation = rotation::from_axis_angle(Vec3::Y, std::f64::consts::FRAC_PI_2 + 1e-4);
    let pose = Pose { translation: Vec3::new(0.3503, 0.01, 0.2595), rotation };
    let found = touch(&can, &pose, &table, &Pose::IDENTITY);
    assert!(found.len() > 1);
    for p in found {
        let place = p.point + p.normal * p.depth;
        assert!(place.x < 0.45 + 1e-6 || p.normal.x > 0.1, "{p:?}");
    }
}
