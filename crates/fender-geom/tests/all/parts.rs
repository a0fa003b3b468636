//! Closed parts of one mesh that overlap.

use fender_geom::TriMesh;
use fender_geom::parts::{Doubled, doubled};
use fender_math::{Vec3, rotation};

/// A box between two corners; one that is turned inside out is a cavity.
#[derive(Clone, Copy)]
struct Block {
    low: [f64; 3],
    high: [f64; 3],
    is_cavity: bool,
}

fn block(low: [f64; 3], high: [f64; 3]) -> Block {
    Block { low, high, is_cavity: false }
}

fn cavity(low: [f64; 3], high: [f64; 3]) -> Block {
    Block { low, high, is_cavity: true }
}

/// All blocks as one mesh, turned and moved so that nothing is along an axis, with coordinates in single precision as files have them.
fn mesh(blocks: &[Block], scale: f64) -> TriMesh {
    let turn = rotation::from_axis_angle(Vec3::new(0.3, 1.0, 0.2), 0.7);
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for Block { low, high, is_cavity } in blocks {
        let first = vertices.len() as u32;
        for i in 0..8 {
            let corner: [f64; 3] = std::array::from_fn(|k| if i >> k & 1 == 1 { high[k] } else { low[k] });
            let place = (turn * Vec3::from_array(corner) + Vec3::new(0.1, 0.2, -0.3)) * scale;
            vertices.push(Vec3::from_array(place.to_array().map(|x| f64::from(x as f32))));
        }
        for [a, b, c, d] in
            [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]]
        {
            for [p, q, r] in [[a, b, c], [a, c, d]] {
                triangles.push(if *is_cavity { [p, r, q] } else { [p, q, r] }.map(|v| v + first));
            }
        }
    }
    let mesh = TriMesh::new(&vertices, &triangles).unwrap();
    assert!(mesh.is_closed());
    mesh
}

#[test]
fn parts_that_share_a_place() {
    let unit = block([0.0; 3], [1.0; 3]);
    let cases = [
        ("corner in corner", vec![unit, block([0.7, 0.8, 0.9], [2.0; 3])]),
        ("across", vec![unit, block([0.3, 0.4, -1.0], [0.6, 0.7, 2.0])]),
        ("inside", vec![unit, block([0.2; 3], [0.8; 3])]),
        ("with the same walls", vec![unit, block([0.5, 0.0, 0.0], [1.5, 1.0, 1.0])]),
        ("inside, on the floor", vec![unit, block([0.2, 0.2, 0.0], [0.8, 0.8, 0.5])]),
        ("inside, in a corner", vec![unit, block([0.0; 3], [0.5; 3])]),
        ("third of three", vec![unit, block([3.0; 3], [4.0; 3]), block([3.9, 3.2, 3.2], [5.0, 3.8, 3.8])]),
        (
            "in a solid beside its cavity",
            vec![block([-2.0; 3], [3.0; 3]), cavity([0.0; 3], [1.0; 3]), block([-1.0; 3], [-0.5; 3])],
        ),
        ("a cavity that sticks out", vec![block([-2.0; 3], [3.0; 3]), cavity([0.0; 3], [1.0, 1.0, 4.0])]),
        (
            "two cavities that overlap",
            vec![block([-2.0; 3], [3.0; 3]), cavity([0.0; 3], [1.0; 3]), cavity([0.5; 3], [2.0; 3])],
        ),
    ];
    for (what, blocks) in cases {
        for scale in [1e-3, 1.0, 1e3] {
            let found = doubled(&mesh(&blocks, scale)).unwrap_or_else(|| panic!("{what}, scale {scale}"));
            assert_eq!(found.parts, blocks.len(), "{what}");
            let [a, b] = found.triangles.map(|f| f / 12);
            assert_ne!(a, b, "{what}: of two parts");
        }
    }
    // Where, and of which triangles: the last two of three.
    let blocks = [unit, block([3.0; 3], [4.0; 3]), block([3.2, 3.2, 3.5], [3.8, 3.8, 6.0])];
    let Doubled { triangles, point, parts } = doubled(&mesh(&blocks, 1.0)).unwrap();
    let turn = rotation::from_axis_angle(Vec3::new(0.3, 1.0, 0.2), 0.7);
    let place = turn.inverse() * (point - Vec3::new(0.1, 0.2, -0.3));
    assert!((place.z - 4.0).abs() < 1e-5 && place.x > 3.1 && place.x < 3.9, "{place}");
    assert_eq!((parts, triangles.map(|f| f / 12)), (3, [1, 2]));
}

#[test]
fn parts_that_share_nothing() {
    let unit = block([0.0; 3], [1.0; 3]);
    let cases = [
        ("one", vec![unit]),
        ("apart", vec![unit, block([1.1, 0.0, 0.0], [2.0, 1.0, 1.0])]),
        ("boxes around each other's corners", vec![unit, block([1.001, 0.5, 0.5], [2.0; 3])]),
        // Corners at one place are one vertex, and edges have four triangles.
        ("side by side", vec![unit, block([1.0, 0.0, 0.0], [2.0, 1.0, 1.0])]),
        ("standing on it", vec![unit, block([0.2, 0.3, 1.0], [0.7, 0.9, 2.0])]),
        (
            "a little apart or in each other, by rounding",
            vec![unit, block([0.2, 0.3, 0.999_999_9], [0.7, 0.9, 2.0])],
        ),
        ("edge on edge", vec![unit, block([1.0, 1.0, 0.0], [2.0, 2.0, 1.0])]),
        ("corner on corner", vec![unit, block([1.0; 3], [2.0; 3])]),
        ("hollow", vec![block([-2.0; 3], [3.0; 3]), cavity([0.0; 3], [1.0; 3])]),
        (
            "something in the hollow",
            vec![block([-2.0; 3], [3.0; 3]), cavity([0.0; 3], [1.0; 3]), block([0.2; 3], [0.8; 3])],
        ),
        (
            "lying in the hollow",
            vec![block([-2.0; 3], [3.0; 3]), cavity([0.0; 3], [1.0; 3]), block([0.2, 0.2, 0.0], [0.8; 3])],
        ),
    ];
    for (what, blocks) in cases {
        for scale in [1e-3, 1.0, 1e3] {
            assert_eq!(doubled(&mesh(&blocks, scale)), None, "{what}, scale {scale}");
        }
    }
    let sheet = TriMesh::new(&[Vec3::ZERO, Vec3::X, Vec3::Y], &[[0, 1, 2]]).unwrap();
    assert_eq!(doubled(&sheet), None);
}
