//! The contract that every joint must keep.

use fender_engine::joint::{Joint, MAX_DOF, samples};
use fender_math::{Pose, Quat, Twist, Vec3};

/// Small deterministic numbers between −1 and 1.
fn number(seed: &mut u64) -> f64 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
}

fn configuration(joint: &dyn Joint, seed: &mut u64) -> (Vec<f64>, Vec<f64>) {
    let mut q = vec![0.0; joint.nq()];
    joint.neutral(&mut q);
    let mut random = |n: usize| (0..n).map(|_| number(seed)).collect::<Vec<_>>();
    let away = random(joint.nv());
    joint.advance(&mut q, &away, 1.3);
    (q, random(joint.nv()))
}

/// The coordinates after a time `h` with constant velocities.
fn later(joint: &dyn Joint, q: &[f64], v: &[f64], h: f64) -> Vec<f64> {
    let mut q = q.to_vec();
    joint.advance(&mut q, v, h);
    q
}

fn close(a: Vec3, b: Vec3, tolerance: f64) -> bool {
    (a - b).length() < tolerance
}

fn rotation_vector(r: Quat) -> Vec3 {
    let r = if r.w < 0.0 { -r } else { r };
    Vec3::new(r.x, r.y, r.z) * 2.0
}

#[test]
fn every_joint_moves_as_it_says() {
    const H: f64 = 1e-5;
    for joint in samples() {
        let (joint, mut seed) = (joint.as_ref(), 7);
        assert!(joint.nv() <= MAX_DOF && joint.nv() == joint.coordinates().len());
        for _ in 0..40 {
            let (q, v) = configuration(joint, &mut seed);
            let motion = joint.motion(&q, &v);
            let [before, after] = [-H, H].map(|h| joint.motion(&later(joint, &q, &v, h), &v));
            // Velocities are the rates of the pose.
            let linear = (after.pose.translation - before.pose.translation) / (2.0 * H);
            assert!(close(linear, motion.twist.linear, 1e-8), "{}", joint.name());
            let turned = rotation_vector(after.pose.rotation * before.pose.rotation.conjugate()) / (2.0 * H);
            assert!(close(turned, motion.twist.angular, 1e-8), "{}", joint.name());
            // The bias is the rate of the velocities.
            for (what, got, asked) in [
                ("linear", (after.twist.linear - before.twist.linear) / (2.0 * H), motion.bias.linear),
                ("angular", (after.twist.angular - before.twist.angular) / (2.0 * H), motion.bias.angular),
            ] {
                assert!(close(got, asked, 1e-7), "{} {what}: {got} {asked}", joint.name());
            }
            // The twist is the subspace times the velocities.
            let mut sum = Twist::default();
            for (column, speed) in motion.subspace.iter().zip(&v) {
                sum.linear += column.linear * *speed;
                sum.angular += column.angular * *speed;
            }
            assert!(
                close(sum.linear, motion.twist.linear, 1e-14)
                    && close(sum.angular, motion.twist.angular, 1e-14)
            );
        }
    }
}

#[test]
fn rates_and_advance_agree_and_coordinates_stay_normal() {
    for joint in samples() {
        let (joint, mut seed) = (joint.as_ref(), 3);
        for _ in 0..20 {
            let (q, v) = configuration(joint, &mut seed);
            let mut rates = vec![0.0; joint.nq()];
            joint.rates(&q, &v, &mut rates);
            let (before, after) = (later(joint, &q, &v, -1e-6), later(joint, &q, &v, 1e-6));
            for i in 0..joint.nq() {
                assert!(((after[i] - before[i]) / 2e-6 - rates[i]).abs() < 1e-8, "{} {i}", joint.name());
            }
            let mut normal = q.clone();
            joint.normalize(&mut normal);
            assert!(normal.iter().zip(&q).all(|(a, b)| (a - b).abs() < 1e-15));
        }
    }
}

#[test]
fn at_neutral_coordinates_the_frames_coincide() {
    for joint in samples() {
        let mut q = vec![f64::NAN; joint.nq()];
        joint.neutral(&mut q);
        let pose = joint.motion(&q, &vec![0.0; joint.nv()]).pose;
        assert!(pose.translation.length() < 1e-11, "{}", joint.name());
        assert!(pose.rotation.angle_between(Pose::IDENTITY.rotation) < 1e-12, "{}", joint.name());
    }
}
