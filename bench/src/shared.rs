//! What every engine's scenes have in common. Also compiled into the peers' programs.

/// Radius of every ball [m].
pub const RADIUS: f64 = 0.1;
/// Coefficient of restitution.
pub const RESTITUTION: f64 = 0.5;
/// Coefficient of friction.
pub const FRICTION: f64 = 0.5;
/// Gravity [m/s²].
pub const GRAVITY: f64 = 9.81;

/// A sequence of numbers between −½ and ½ that is the same everywhere.
fn scatter() -> impl FnMut() -> f64 {
    let mut seed: u64 = 1;
    move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
    }
}

/// Start positions of S2 with `n`³ balls.
pub fn grid(n: u32) -> Vec<[f64; 3]> {
    let mut scatter = scatter();
    let mut jitter = || scatter() * 0.008;
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

/// Edge of every box of S3 [m].
pub const BOX: f64 = 0.2;
/// Its mass [kg].
pub const BOX_MASS: f64 = 8.0;

/// Places and rotation vectors of S3 with `n`³ boxes: a grid of 0.24 m with ±4 mm and ±0.05 rad of jitter.
pub fn box_grid(n: u32) -> Vec<([f64; 3], [f64; 3])> {
    lattice([n; 3], 0.24, 0.15, 0.008, 0.1)
}

/// Places and rotation vectors of boxes in a grid, the lowest ones at the height `first`: `jitter` in x and y and
/// `turn` about all axes are widths of what is scattered.
pub fn lattice(
    count: [u32; 3],
    spacing: f64,
    first: f64,
    jitter: f64,
    turn: f64,
) -> Vec<([f64; 3], [f64; 3])> {
    let mut scatter = scatter();
    let mut made = Vec::new();
    let middle = |i: u32, axis: usize| (f64::from(i) - 0.5 * (f64::from(count[axis]) - 1.0)) * spacing;
    for k in 0..count[2] {
        for j in 0..count[1] {
            for i in 0..count[0] {
                let (x, y) = (middle(i, 0) + jitter * scatter(), middle(j, 1) + jitter * scatter());
                let turns = [(); 3].map(|()| turn * scatter());
                made.push(([x, y, first + spacing * f64::from(k)], turns));
            }
        }
    }
    made
}

/// The planes of the pit of S3, as those of S2.
pub fn box_walls(n: u32) -> [([f64; 3], [f64; 3]); 5] {
    let w = 0.12 * f64::from(n) + 0.1;
    [
        ([0.0; 3], [0.0, 0.0, 1.0]),
        ([-w, 0.0, 0.0], [1.0, 0.0, 0.0]),
        ([w, 0.0, 0.0], [-1.0, 0.0, 0.0]),
        ([0.0, -w, 0.0], [0.0, 1.0, 0.0]),
        ([0.0, w, 0.0], [0.0, -1.0, 0.0]),
    ]
}
