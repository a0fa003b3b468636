//! Cost of every registered law: `cargo run --release -p fender-contact --example cost`.

use fender_contact::{Memory, Motion, PointOverlap, friction_laws, normal_laws};
use fender_math::Vec3;
use std::hint::black_box;
use std::time::Instant;

const CALLS: u32 = 200_000;
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
    if std::env::args().any(|a| a == "--help" || a == "-h") {
        println!("Cost of every registered contact law, in nanoseconds per evaluation.");
        return;
    }
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

    let hertz = normal_laws().into_iter().next().expect("the first registered law is Hertz'");
    let unit = nanoseconds(|i| {
        let (overlap, motion) = &contacts[i % 256];
        black_box(black_box(hertz.as_ref()).rate(overlap, motion, &memory));
    });
    println!("In units of one force by Hertz' law, {unit:.2} ns:\n");
    println!("{:>6} {:>13} {:>6}  law", "force", "with tangents", "solve");
    let row = |rate: f64, update: f64, solve: Option<f64>, law: &str| {
        let solve = solve.map_or("–".into(), |t| format!("{:.1}", t / unit));
        println!("{:6.1} {:13.1} {solve:>6}  {law}", rate / unit, update / unit);
    };
    if let Some(law) = normal_laws().iter().find(|law| law.needs_curvature()) {
        let elliptic = nanoseconds(|i| {
            let (overlap, motion) = &contacts[i % 256];
            let long = PointOverlap { elongation: Vec3::X * (0.002 * i as f64 % 8.0), ..*overlap };
            black_box(law.rate(&long, motion, &memory));
        });
        row(elliptic, elliptic, None, "Hertz from materials, elliptic patch");
    }
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
        row(rate, update, None, &format!("{law:?}"));
    }
    for law in friction_laws() {
        let law = black_box(law.as_ref());
        // Bent to a third of what they can be, and half rested.
        let mut memory = memory;
        let scales = law.scales(20.0);
        memory.flow = [0.3 * scales[0], 0.1 * scales[1], 0.0, 0.5, 0.0, 0.0];
        let rate = nanoseconds(|i| {
            let (overlap, motion) = &contacts[i % 256];
            black_box(law.rate(20.0, overlap.normal, motion, &memory));
        });
        let update = nanoseconds(|i| {
            let (overlap, motion) = &contacts[i % 256];
            black_box(law.update(20.0, overlap.normal, motion, &memory, 1e-4));
        });
        let solve = nanoseconds(|i| {
            let (overlap, motion) = &contacts[i % 256];
            black_box(law.solve(20.0, overlap.normal, motion.slip, 1e-4, &memory, 1e-4));
        });
        row(rate, update, Some(solve), &format!("{law:?}"));
    }
}
