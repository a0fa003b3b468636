use fender_geom::{Polyhedron, Shape, overlaps};
use fender_math::{Pose, Vec3, rotation};
use std::sync::Arc;
fn main() {
    let prism = |corners: u32| {
        let points = (0..2 * corners).map(|i| {
            let angle = std::f64::consts::TAU * f64::from(i / 2) / f64::from(corners);
            Vec3::new(0.1 * angle.cos(), 0.1 * angle.sin(), if i % 2 == 0 { -0.1 } else { 0.1 })
        });
        Shape::Polyhedron(Arc::new(Polyhedron::hull(&points.collect::<Vec<_>>()).unwrap()))
    };
    let a = Shape::Box { half: Vec3::splat(0.1) };
    let b = prism(32);
    let _ = (&a, &b);
    let which = std::env::args().nth(1).unwrap();
    let cyl = Shape::Cylinder { radius: 0.1, half_height: 0.1 };
    let (p4, p32) = (prism(4), prism(32));
    let pair = match which.as_str() {
        "66" => (&p4, &p4),
        "34" => (&p32, &p32),
        _ => (&cyl, &p4),
    };
    for (a, b) in [pair] {
        for i in 0..1000 {
            let wobble = f64::from(i * 7919 % 1000) / 1000.0 - 0.5;
            let pose = Pose {
                translation: Vec3::new(0.02 * wobble, 0.01, 0.198 * (1.0 + 0.004 * wobble)),
                rotation: rotation::from_rotation_vector(Vec3::new(0.02 * wobble, 0.01, 3.0 * wobble)),
            };
            let t = std::time::Instant::now();
            for _ in 0..1000 {
                std::hint::black_box(overlaps(a, &pose, b, &Pose::IDENTITY));
            }
            println!(
                "{} ns {:?}",
                t.elapsed().as_nanos() / 1000,
                overlaps(a, &pose, b, &Pose::IDENTITY)
                    .points()
                    .iter()
                    .map(|p| (p.depth, p.share, p.normal))
                    .collect::<Vec<_>>()
            );
        }
    }
}
