//! Cost of every registered law: `cargo run --release -p fender-contact --example cost`.

use fender_contact::{Memory, Motion, PointOverlap, friction_laws, normal_laws};
use fender_math::Vec3;
use std::hint::black_box;
use std::time::Instant;

const CALLS: u32 = 1_000_000;
const ROUNDS: u32 = 5;

/// Nanoseconds per call, the best of a few rounds.
fn nanoseconds(mut call: impl FnMut(usize)) -> f64 {
    (0..ROUNDS)
        .map(|_| {
            let start = Instant::now();
            (0..CALLS as usize).for_each(&mut call);
            start.elapsed().as_secs_f64() * 1e9 / f64::from(CALLS)
        })
        .fold(f64::INFINITY, f64::min)
}

fn main() {
    // A few contacts in turn, sticking and sliding, closing and parting, so that branches are not always the same.
    let contacts: Vec<(PointOverlap, Motion)> = (0..256_u32)
        .map(|i| {
            let t = f64::from(i) / 256.0;
            let (depth, curvature) = (1e-5 + 1e-3 * t, 10.0 + t);
            let overlap = PointOverlap {
                point: Vec3::ZERO,
                normal: Vec3::Z,
                depth,
                curvature,
                elongation: Vec3::ZERO,
                share: 1.0,
            };
            let slip = Vec3::new(2e-3 * (t - 0.5), 1e-3 * t, 0.0);
            (overlap, Motion { approach: (f64::from(i * 7919 % 256) / 128.0 - 1.0) * 0.1, slip })
        })
        .collect();
    let memory = Memory { impact_speed: 0.1, ..Memory::default() };

    println!("{:>9} {:>9}  law", "rate [ns]", "upd. [ns]");
    for law in normal_laws() {
        let law = black_box(law.as_ref());
        let rate = nanoseconds(|i| {
            let (overlap, motion) = &contacts[i % 256];
            black_box(law.rate(overlap, motion, &memory));
        });
        let update = nanoseconds(|i| {
            let (overlap, motion) = &contacts[i % 256];
            black_box(law.update(overlap, motion, &memory, 1e-4));
        });
        println!("{rate:9.2} {update:9.2}  {law:?}");
    }
    for law in friction_laws() {
        let law = black_box(law.as_ref());
        let rate = nanoseconds(|i| {
            let (overlap, motion) = &contacts[i % 256];
            black_box(law.rate(20.0, overlap.normal, motion, &memory));
        });
        let update = nanoseconds(|i| {
            let (overlap, motion) = &contacts[i % 256];
            black_box(law.update(20.0, overlap.normal, motion, &memory, 1e-4));
        });
        println!("{rate:9.2} {update:9.2}  {law:?}");
    }
}
