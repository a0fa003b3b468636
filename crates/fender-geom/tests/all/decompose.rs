//! Convex pieces of meshes that are not convex.

use crate::meshes;
use fender_geom::decompose::{DecomposeError, Parameters, decompose};
use fender_geom::{Polyhedron, TriMesh};
use fender_math::{Vec3, rotation};

/// Boxes as one mesh: their surfaces, which may touch but not overlap.
fn bracket(turn: f64, scale: f64) -> TriMesh {
    // The outline of an L, drawn out along y.
    let outline = [(0.0, 0.0), (2.0, 0.0), (2.0, 0.4), (0.4, 0.4), (0.4, 1.5), (0.0, 1.5)];
    let count = outline.len() as u32;
    let turn = rotation::from_axis_angle(Vec3::new(0.2, 1.0, 0.3), turn);
    let mut vertices = Vec::new();
    for y in [0.0, 1.0] {
        vertices.extend(outline.map(|(x, z)| turn * Vec3::new(x, y, z) * scale));
    }
    let mut triangles = Vec::new();
    // The ends are two boxes each; triangles look outward, which the mesh turns if they do not.
    for [a, b, c] in [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]] {
        triangles.push([a, b, c]);
        triangles.push([a + count, c + count, b + count]);
    }
    for i in 0..count {
        let k = (i + 1) % count;
        triangles.push([i, i + count, k + count]);
        triangles.push([i, k + count, k]);
    }
    TriMesh::new(&vertices, &triangles).unwrap()
}

#[test]
fn a_bracket_is_two_boxes() {
    for (turn, scale) in [(0.0, 1.0), (0.0, 1e-3), (0.4, 1.0), (0.4, 1e3)] {
        let mesh = bracket(turn, scale);
        assert!(mesh.is_closed());
        let volume = mesh.volume().unwrap();
        let exact = (2.0 * 0.4 + 0.4 * 1.1) * scale * scale * scale;
        assert!((volume / exact - 1.0).abs() < 1e-12);
        let parameters = Parameters { pieces: 8, resolution: 64, ..Parameters::default() };
        let found = decompose(&mesh, &parameters).unwrap();
        let quality = found.quality;
        assert!(found.pieces.len() <= 8, "{}", found.pieces.len());
        assert!(quality.filled > 0.99 && quality.filled < 1.05, "{turn} {scale}: {quality:?}");
        // A cube is 2/64 long.
        assert!(quality.overhang < 0.07 * scale, "{turn} {scale}: {quality:?}");
        // Where the hollow is, nothing is; where the mesh is, some piece is, up to a part of a cube.
        let turn = rotation::from_axis_angle(Vec3::new(0.2, 1.0, 0.3), turn);
        let above = |x: f64, y: f64, z: f64| {
            let p = turn * Vec3::new(x, y, z) * scale;
            found.pieces.iter().map(|piece| piece.highest_face(p).1).fold(f64::MAX, f64::min) / scale
        };
        for (x, y, z) in [(1.0, 0.5, 0.8), (0.6, 0.5, 0.6), (0.5, 0.2, 1.0)] {
            assert!(above(x, y, z) > 0.0, "{x} {y} {z}");
        }
        for (x, y, z) in [(1.8, 0.5, 0.2), (0.2, 0.5, 1.3), (0.2, 0.9, 0.2), (1.0, 0.01, 0.38)] {
            assert!(above(x, y, z) < 0.5 * 2.0 / 64.0, "{x} {y} {z}: {}", above(x, y, z));
        }
        // The same again, to the bit.
        assert_eq!(found, decompose(&mesh, &parameters).unwrap());
    }
}

/// An outline drawn out along y, turned and in single precision as files have it; the ends as triangles of corners.
fn prism(outline: &[(f64, f64)], ends: &[[u32; 3]], scale: f64) -> TriMesh {
    let turn = rotation::from_axis_angle(Vec3::new(0.5, 1.0, -0.3), 1.1);
    let count = outline.len() as u32;
    let place = |x: f64, y: f64, z: f64| {
        let p = (turn * Vec3::new(x, y, z) + Vec3::new(0.3, 0.1, 0.7)) * scale;
        Vec3::from_array(p.to_array().map(|x| f64::from(x as f32)))
    };
    let vertices: Vec<Vec3> =
        [0.0, 0.7].iter().flat_map(|y| outline.iter().map(|(x, z)| place(*x, *y, *z))).collect();
    let mut triangles: Vec<[u32; 3]> =
        ends.iter().flat_map(|[a, b, c]| [[*a, *b, *c], [a + count, c + count, b + count]]).collect();
    for i in 0..count {
        let k = (i + 1) % count;
        triangles.extend([[i, i + count, k + count], [i, k + count, k]]);
    }
    TriMesh::new(&vertices, &triangles).unwrap()
}

/// What is made of few boxes is cut into them, whatever the limit as long as there are enough, and into as few as there are.
#[test]
fn letters_are_their_strokes() {
    let l = vec![(0.0, 0.0), (2.0, 0.0), (2.0, 0.1), (0.1, 0.1), (0.1, 1.5), (0.0, 1.5)];
    let t =
        vec![(0.4, 0.0), (0.6, 0.0), (0.6, 0.8), (1.0, 0.8), (1.0, 1.0), (0.0, 1.0), (0.0, 0.8), (0.4, 0.8)];
    let u =
        vec![(0.0, 0.0), (3.0, 0.0), (3.0, 2.0), (2.9, 2.0), (2.9, 0.1), (0.1, 0.1), (0.1, 2.0), (0.0, 2.0)];
    // A wedge with a notch: no right angles.
    let v = vec![(0.0, 0.0), (2.0, 0.3), (1.0, 0.4), (0.7, 1.3)];
    let cases = [
        ("L", l, vec![[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]], 2),
        ("T", t, vec![[0, 1, 2], [0, 2, 7], [7, 2, 5], [2, 3, 4], [2, 4, 5], [7, 5, 6]], 2),
        ("U", u, vec![[0, 1, 4], [0, 4, 5], [1, 2, 3], [1, 3, 4], [0, 5, 6], [0, 6, 7]], 3),
        ("V", v, vec![[0, 1, 2], [0, 2, 3]], 2),
    ];
    for (letter, outline, ends, pieces) in cases {
        for scale in [1e-3, 1.0, 1e3] {
            let mesh = prism(&outline, &ends, scale);
            assert!(mesh.is_closed() && mesh.diagnostics().is_clean(), "{letter}");
            for most in [pieces, 16] {
                let parameters = Parameters { pieces: most, ..Parameters::default() };
                let found = decompose(&mesh, &parameters).unwrap();
                assert_eq!(found.pieces.len(), pieces as usize, "{letter} {scale} {most}");
                // Coordinates are off by up to 6e-8 of the farthest.
                let quality = found.quality;
                assert!((quality.filled - 1.0).abs() < 1e-5, "{letter} {scale}: {quality:?}");
                assert!(quality.overhang < 1e-5 * scale, "{letter} {scale}: {quality:?}");
            }
        }
    }
}

/// Two boxes apart, a frame around a window, a box with a cavity: all without loss.
#[test]
fn boxes_apart_and_around() {
    let corners = |low: [f64; 3], high: [f64; 3]| {
        (0..8).map(move |i| {
            Vec3::from_array(std::array::from_fn(|k| if i >> k & 1 == 1 { high[k] } else { low[k] }))
        })
    };
    let faces = |first: u32, is_cavity: bool| {
        let sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        sides
            .into_iter()
            .flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]])
            .map(move |[a, b, c]: [u32; 3]| if is_cavity { [a, c, b] } else { [a, b, c] }.map(|v| v + first))
    };
    let two = |a: ([f64; 3], [f64; 3]), b: ([f64; 3], [f64; 3]), is_cavity: bool| {
        let vertices: Vec<Vec3> = corners(a.0, a.1).chain(corners(b.0, b.1)).collect();
        let triangles: Vec<[u32; 3]> = faces(0, false).chain(faces(8, is_cavity)).collect();
        decompose(&TriMesh::new(&vertices, &triangles).unwrap(), &Parameters::default()).unwrap()
    };
    let apart = two(([0.0; 3], [1.0; 3]), ([2.0, 0.5, 0.1], [2.5, 3.0, 4.0]), false);
    assert_eq!(apart.pieces.len(), 2);
    assert!((apart.quality.filled - 1.0).abs() < 1e-9, "{:?}", apart.quality);
    let hollow = two(([0.0; 3], [3.0; 3]), ([1.0; 3], [2.0; 3]), true);
    assert_eq!(hollow.pieces.len(), 6);
    assert!((hollow.quality.filled - 1.0).abs() < 1e-9, "{:?}", hollow.quality);
    // What overlaps has more volume than place: that is not cut exactly, and is cut all the same.
    let doubled = two(([0.0; 3], [1.0; 3]), ([0.5; 3], [2.0; 3]), false);
    assert!(!doubled.pieces.is_empty());
}

#[test]
fn more_pieces_fill_better() {
    let ring = meshes::torus(1.0, 0.3, 48, 24).mesh();
    let filled = |pieces: u32| {
        let found = decompose(&ring, &Parameters { pieces, ..Parameters::default() }).unwrap();
        assert!(found.pieces.len() <= pieces as usize);
        found.quality
    };
    let (one, eight, many) = (filled(1), filled(8), filled(24));
    // A disc instead of a ring, then ever shorter chords.
    assert!(one.filled > 1.5 && one.overhang > 0.6, "{one:?}");
    assert!(eight.filled < 1.25 && eight.overhang < 0.3, "{eight:?}");
    assert!(many.filled < eight.filled && many.overhang < eight.overhang, "{many:?} {eight:?}");
}

#[test]
fn a_convex_mesh_is_one_piece() {
    let ball = meshes::potato(3).mesh();
    let hull = Polyhedron::hull(ball.vertices()).unwrap();
    let found = decompose(&ball, &Parameters::default()).unwrap();
    if hull.volume() / ball.volume().unwrap() - 1.0 < 1e-4 {
        assert_eq!(found.pieces, [hull]);
    } else {
        assert!(!found.pieces.is_empty());
    }
    let corners: Vec<Vec3> =
        (0..8).map(|i| Vec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2))).collect();
    let cube = Polyhedron::hull(&corners).unwrap();
    let mesh = TriMesh::new(cube.vertices(), &cube.triangles()).unwrap();
    let found = decompose(&mesh, &Parameters::default()).unwrap();
    assert_eq!(found.pieces.len(), 1);
    assert!((found.quality.filled - 1.0).abs() < 1e-12 && found.quality.overhang < 1e-12);
}

#[test]
fn what_cannot_be_divided_is_refused() {
    let sheet = TriMesh::new(&[Vec3::ZERO, Vec3::X, Vec3::Y], &[[0, 1, 2]]).unwrap();
    assert_eq!(decompose(&sheet, &Parameters::default()), Err(DecomposeError::Open));
    let mesh = bracket(0.0, 1.0);
    let error = decompose(&mesh, &Parameters { pieces: 0, ..Parameters::default() }).unwrap_err();
    assert_eq!(error.to_string(), "the number of pieces must be from 1 to 256, and is 0");
    let error = decompose(&mesh, &Parameters { resolution: 1000, ..Parameters::default() }).unwrap_err();
    assert_eq!(error.to_string(), "the resolution must be from 4 to 256, and is 1000");
}
