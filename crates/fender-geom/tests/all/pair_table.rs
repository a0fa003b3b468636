//! The table of pairs in the book says what the code does.

use fender_geom::narrow::{Method, method};
use fender_geom::pair::patch;
use fender_geom::{Polyhedron, Shape, TriMesh};
use fender_math::Vec3;
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

const PAGE: &str = "../../book/src/theory/collision.md";

fn shapes() -> Vec<(&'static str, Shape)> {
    let corners = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
    let mesh = TriMesh::new(&corners, &[[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]).unwrap();
    let (radius, half_height, tube) = (1.0, 1.0, 0.3);
    vec![
        ("sphere", Shape::Sphere { radius }),
        ("ellipsoid", Shape::Ellipsoid { radii: Vec3::ONE }),
        ("capsule", Shape::Capsule { radius, half_height }),
        ("cylinder", Shape::Cylinder { radius, half_height }),
        ("cone", Shape::Cone { radius, half_height }),
        ("box", Shape::Box { half: Vec3::ONE }),
        ("polyhedron", Shape::Polyhedron(Arc::new(Polyhedron::hull(&corners).unwrap()))),
        ("mesh, heightfield", Shape::Mesh(Arc::new(mesh))),
        ("torus, half torus, link", Shape::Torus { radius, tube }),
        ("half-space", Shape::HalfSpace),
        ("edge", Shape::Edge { half_angle: 0.5 }),
        ("bore, funnel", Shape::Bore { radius, half_height }),
    ]
}

/// A pair with a patch has no points, unless one of the two touches at a point under laws of a depth.
fn cell(a: &Shape, b: &Shape) -> &'static str {
    let has_patch = patch::supported(a, b).is_ok();
    if has_patch && !a.is_round() && !b.is_round() {
        return "P";
    }
    match method(a, b) {
        Ok(Method::Formula) if has_patch => "F, P",
        Ok(Method::LeastOverlap) if has_patch => "L, P",
        Ok(Method::Formula) => "F",
        Ok(Method::LeastOverlap) => "L",
        Ok(Method::MeshFeatures) => "M",
        Ok(Method::ContactRegions) => "R",
        Ok(Method::NearestOnSpine) => "S",
        Err(_) if has_patch => "P",
        Err(_) => "–",
    }
}

fn table() -> String {
    let shapes = shapes();
    let short = |name: &str| name.split(',').next().unwrap_or_default().to_owned();
    let mut text = "| |".to_string();
    for (name, _) in &shapes {
        let _ = write!(text, " {} |", short(name));
    }
    text += &format!("\n|---|{}\n", "---|".repeat(shapes.len()));
    for (name, a) in &shapes {
        let _ = write!(text, "| {name} |");
        for (_, b) in &shapes {
            let _ = write!(text, " {} |", cell(a, b));
        }
        text.push('\n');
    }
    text
}

#[test]
fn the_book_has_the_table_of_pairs() {
    let page = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE)).unwrap();
    assert!(page.contains(&table()), "{PAGE} should contain\n\n{}", table());
}

/// What stands together in one row behaves alike.
#[test]
fn shapes_of_one_row_are_alike() {
    let (radius, half_height, tube) = (1.0, 1.0, 0.3);
    let rings = [
        Shape::Torus { radius, tube },
        Shape::HalfTorus { radius, tube },
        Shape::Link { radius, half_straight: 1.0, tube },
    ];
    let holes = [Shape::Bore { radius, half_height }, Shape::Funnel { radius, half_height }];
    for (name, other) in shapes() {
        for row in [&rings[..], &holes] {
            let cells: Vec<_> = row.iter().map(|shape| cell(shape, &other)).collect();
            assert!(cells.iter().all(|c| *c == cells[0]), "{name}: {cells:?}");
        }
    }
}
