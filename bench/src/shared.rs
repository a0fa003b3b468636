//! What every engine's scenes have in common. Also compiled into the peers' programs.

/// Radius of every ball [m].
pub const RADIUS: f64 = 0.1;
/// Coefficient of restitution.
pub const RESTITUTION: f64 = 0.5;
/// Coefficient of friction.
pub const FRICTION: f64 = 0.5;
/// Gravity [m/s²].
pub const GRAVITY: f64 = 9.81;

/// Start positions of S2 with `n`³ balls.
pub fn grid(n: u32) -> Vec<[f64; 3]> {
    let mut seed: u64 = 1;
    let mut jitter = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((seed >> 11) as f64 / (1_u64 << 53) as f64 - 0.5) * 0.008
    };
    let at = |i: u32| (f64::from(i) - 0.5 * (f64::from(n) - 1.0)) * 0.21;
    let mut positions = Vec::new();
    for k in 0..n {
        for j in 0..n {
            for i in 0..n {
                positions.push([at(i) + jitter(), at(j) + jitter(), 0.15 + 0.21 * f64::from(k)]);
            }
        }
    }
    positions
}

/// Half the width of the pit of S2 [m]: 1.15 m for 10 balls a side.
pub fn pit(n: u32) -> f64 {
    0.105 * f64::from(n) + RADIUS
}

/// The pit's planes as (point on it, inward normal).
pub fn walls(n: u32) -> [([f64; 3], [f64; 3]); 5] {
    let w = pit(n);
    [
        ([0.0; 3], [0.0, 0.0, 1.0]),
        ([-w, 0.0, 0.0], [1.0, 0.0, 0.0]),
        ([w, 0.0, 0.0], [-1.0, 0.0, 0.0]),
        ([0.0, -w, 0.0], [0.0, 1.0, 0.0]),
        ([0.0, w, 0.0], [0.0, -1.0, 0.0]),
    ]
}
