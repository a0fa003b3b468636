//! What every normal law promises on a patch, for overlaps whose integrals are known in closed form.

use fender_contact::{
    Damping, Foundation, Memory, Motion, Normal, PatchGradient, PatchOverlap, Restitution, Spread,
    normal_laws,
};
use fender_math::{Mat3, Vec3};

/// A solid of the cross-section area·(h/δ)^power at the height h above its deepest place, pressed by `depth` into a half-space: power 0 is a
/// face of 1 cm², 1 an edge with sides of 45°, 2 a corner.
fn pressed(power: i32, depth: f64) -> PatchOverlap {
    // A(h) = c·h^p: V = c·δ^(p+1)/(p+1), M = ∫ A(h)·(δ − h) dh = c·δ^(p+2)/((p+1)(p+2)).
    let (p, c) = (f64::from(power), 1e-4 / 1e-3_f64.powi(power));
    let volume = c * depth.powi(power + 1) / (p + 1.0);
    PatchOverlap {
        point: Vec3::new(0.0, 0.0, -0.5 * depth),
        moment: c * depth.powi(power + 2) / ((p + 1.0) * (p + 2.0)),
        volume,
        push: Vec3::Z * volume,
        turn: Vec3::ZERO,
        section: Vec3::Z * (c * depth.powi(power)),
        section_turn: Vec3::ZERO,
        second: Mat3::IDENTITY * (volume * 1e-5),
    }
}

/// Every law with its restitution, if it gives one exactly.
fn laws() -> Vec<(Normal, Option<f64>)> {
    let mut laws: Vec<(Normal, Option<f64>)> = normal_laws()
        .into_iter()
        .filter(|law| !law.needs_curvature())
        .map(|law| (Normal::from(law), None))
        .collect();
    for e in [0.05, 0.5, 0.9, 1.0] {
        let linear = fender_contact::Linear::new(1e5, e, Damping::Exact, 1e-3).unwrap();
        laws.push((Normal::Depth(Box::new(linear)), Some(e)));
        let foundation = Foundation::new(1e9, e, Damping::Exact, 1e-3).unwrap();
        laws.push((foundation.into(), Some(e)));
    }
    laws
}

#[test]
fn the_gradient_is_1_on_a_face_two_thirds_on_an_edge_and_a_half_on_a_corner() {
    for (power, size) in [(0, 1.0), (1, 2.0 / 3.0), (2, 0.5)] {
        let gradient = PatchGradient::of_depth(&pressed(power, 1e-3));
        assert!((gradient.size - size).abs() < 1e-14, "{power}: {gradient:?}");
        assert!((gradient.depth - 1e-3 * size).abs() < 1e-17);
        // And both kinds grow alike.
        let moment = PatchGradient::of_moment(&pressed(power, 1e-3));
        assert!((moment.growth - gradient.growth).abs() < 1e-13);
    }
}

#[test]
fn the_elastic_force_is_the_slope_of_the_stored_energy() {
    for (law, _) in laws() {
        for power in 0..3 {
            for depth in [1e-6, 1e-4, 1e-3] {
                let stored = |depth: f64| rate(&law, power, depth, 0.0, 1.0).stored;
                let step = 1e-5 * depth;
                let slope = (stored(depth + step) - stored(depth - step)) / (2.0 * step);
                let elastic = rate(&law, power, depth, 0.0, 1.0).elastic;
                assert!(
                    (slope / elastic - 1.0).abs() < 1e-7,
                    "{} {power} {depth}: {slope} {elastic}",
                    law.name()
                );
            }
        }
    }
}

fn rate(law: &Normal, power: i32, depth: f64, approach: f64, impact: f64) -> fender_contact::NormalForce {
    let patch = pressed(power, depth);
    let gradient = law.gradient(&patch);
    let motion = Motion { approach, slip: Vec3::ZERO };
    let memory = Memory { impact_speed: impact, ..Memory::default() };
    law.rate_on_patch(&patch, &gradient, gradient.depth, &motion, &memory)
}

#[test]
fn what_is_lost_is_never_negative_and_the_force_never_pulls() {
    for (law, _) in laws() {
        for power in 0..3 {
            for approach in [-3.0, -0.3, 0.0, 0.2, 2.0] {
                let force = rate(&law, power, 3e-4, approach, 0.5);
                assert!(force.force >= 0.0 && force.dissipated >= 0.0, "{} {force:?}", law.name());
                let lost = (force.force - force.elastic) * approach;
                assert!((force.dissipated - lost).abs() <= 1e-12 * lost.abs(), "{}", law.name());
            }
        }
    }
}

/// 1 kg meets the half-space with its face, edge or corner and comes back, by the classical method of fourth order.
#[test]
fn restitution_is_as_asked_on_faces_edges_and_corners() {
    for (law, asked) in laws() {
        let Some(asked) = asked else { continue };
        for power in 0..3 {
            let speed = 0.3;
            let force = |depth: f64, approach: f64| {
                if depth > 0.0 { rate(&law, power, depth, approach, speed).force } else { 0.0 }
            };
            // A small part of the time of the touch, whatever the law.
            let (mut depth, mut approach, mut t) = (0.0, speed, 0);
            let step = 2e-6;
            while (depth > 0.0 || t == 0) && t < 10_000_000 {
                let rates = |d: f64, v: f64| (v, -force(d, v));
                let k1 = rates(depth, approach);
                let k2 = rates(depth + 0.5 * step * k1.0, approach + 0.5 * step * k1.1);
                let k3 = rates(depth + 0.5 * step * k2.0, approach + 0.5 * step * k2.1);
                let k4 = rates(depth + step * k3.0, approach + step * k3.1);
                depth += step / 6.0 * (k1.0 + 2.0 * k2.0 + 2.0 * k3.0 + k4.0);
                approach += step / 6.0 * (k1.1 + 2.0 * k2.1 + 2.0 * k3.1 + k4.1);
                t += 1;
            }
            let found = -approach / speed;
            assert!((found - asked).abs() < 1e-4, "{} {power}: asked {asked}, found {found}", law.name());
        }
    }
}

#[test]
fn damping_forms_and_slopes_are_those_of_the_other_laws() {
    let falling = Restitution::Falling { at_rest: 0.8, slope: 0.1 };
    let (a, b) = (
        Foundation::new(1e9, falling, Damping::HuntCrossley, 1e-3).unwrap(),
        fender_contact::Linear::new(1e5, falling, Damping::HuntCrossley, 1e-3).unwrap(),
    );
    assert_eq!(a.factor(), b.factor());
    assert_eq!(a.restitution(), falling);
    let error = Foundation::new(-1.0, 0.5, Damping::Exact, 1e-3).unwrap_err().to_string();
    assert_eq!(error, "stiffness must be a positive stiffness [N/m³], got -1");
}

#[test]
fn a_patch_that_has_only_begun_has_a_spread_without_nan() {
    let tiny = pressed(2, 1e-12);
    let spread = Spread::new(&PatchOverlap { second: Mat3::ZERO, ..tiny }, Vec3::Z);
    assert_eq!((spread.gyration, spread.tilting), (0.0, Mat3::ZERO));
    assert!(PatchGradient::of_depth(&tiny).normal == Vec3::Z);
}
