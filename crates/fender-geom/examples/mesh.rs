//! Time and memory of a mesh: making one of a million triangles, nearest places, rays.
//!
//! `cargo run --release -p fender-geom --example mesh [triangles along a side]`

use fender_geom::narrow::overlaps;
use fender_geom::{Shape, TriMesh};
use fender_math::{Pose, Vec3};
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

fn main() {
    let side: u32 = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(1000);
    // A torus with a wavy surface.
    let (n, m) = (side, side / 2);
    let at = |i: u32, k: u32| {
        let (si, ci) = (f64::from(i) / f64::from(n) * std::f64::consts::TAU).sin_cos();
        let (sk, ck) = (f64::from(k) / f64::from(m) * std::f64::consts::TAU).sin_cos();
        let tube = 0.3 + 0.02 * (40.0 * si).sin() * (20.0 * sk).cos();
        Vec3::new((1.0 + tube * ck) * ci, (1.0 + tube * ck) * si, tube * sk)
    };
    // As an STL file has it: three corners for each triangle.
    let mut corners = Vec::new();
    for i in 0..n {
        for k in 0..m {
            let [a, b, c, d] =
                [at(i, k), at((i + 1) % n, k), at((i + 1) % n, (k + 1) % m), at(i, (k + 1) % m)];
            corners.extend([a, b, c, a, c, d]);
        }
    }
    let triangles: Vec<[u32; 3]> =
        (0..corners.len() as u32 / 3).map(|f| [3 * f, 3 * f + 1, 3 * f + 2]).collect();
    let start = Instant::now();
    let mesh = match TriMesh::new(&corners, &triangles) {
        Ok(mesh) => mesh,
        Err(error) => {
            eprintln!("{error}");
            return;
        }
    };
    let count = mesh.triangles().len();
    println!(
        "{count} triangles made in {:.2} s, {:.0} bytes each, closed: {}",
        start.elapsed().as_secs_f64(),
        mesh.bytes() as f64 / count as f64,
        mesh.is_closed()
    );
    let mut seed = 1_u64;
    let mut random = || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 11) as f64 / (1_u64 << 53) as f64
    };
    let points: Vec<Vec3> =
        (0..100_000).map(|_| Vec3::new(random() - 0.5, random() - 0.5, random() - 0.5) * 3.0).collect();
    let timed = |what: &str, work: &dyn Fn(Vec3)| {
        let start = Instant::now();
        for p in &points {
            work(*p);
        }
        println!("{what}: {:.2} µs", start.elapsed().as_secs_f64() / points.len() as f64 * 1e6);
    };
    timed("nearest place, anywhere", &|p| {
        black_box(mesh.closest(p));
    });
    timed("signed distance, anywhere", &|p| {
        black_box(mesh.signed_distance(p));
    });
    let near: Vec<Vec3> = points
        .iter()
        .enumerate()
        .map(|(i, p)| mesh.vertices()[i * 7919 % mesh.vertices().len()] + *p * 1e-3)
        .collect();
    let start = Instant::now();
    for p in &near {
        black_box(mesh.closest(*p));
    }
    println!(
        "nearest place, by the surface: {:.2} µs",
        start.elapsed().as_secs_f64() / near.len() as f64 * 1e6
    );
    let shape = Shape::Mesh(Arc::new(mesh.clone()));
    let small = 3.0 * (mesh.vertices()[0] - mesh.vertices()[1]).length();
    let touching = |what: &str, other: &Shape| {
        let (start, mut count) = (Instant::now(), 0);
        for p in &near {
            let found = overlaps(other, &Pose::from_translation(*p), &shape, &Pose::IDENTITY);
            count += found.points().len();
        }
        let each = start.elapsed().as_secs_f64() / near.len() as f64 * 1e6;
        println!(
            "{what} of three triangles' size: {each:.2} µs, {:.1} points",
            count as f64 / near.len() as f64
        );
    };
    touching("sphere", &Shape::Sphere { radius: small });
    touching("box", &Shape::Box { half: Vec3::splat(small) });
    timed("ray through the middle", &|p| {
        black_box(mesh.cast(p, -p, f64::INFINITY));
    });
}
