//! A double pendulum of two equal uniform bars (1 m, 1 kg) whose tip hits a floor, for formulas (Morgan 2011, section 2.1).

use fender_contact::impact::{ImpactLaw, planar};

/// What an impact leaves.
pub(super) struct Struck {
    /// Rates of the two angles [rad/s].
    pub(super) rates: [f64; 2],
    /// Velocity of the tip along the floor and away from it [m/s].
    pub(super) velocity: [f64; 2],
    /// Impulse on the tip along the floor and away from it [N·s].
    pub(super) impulse: [f64; 2],
    /// Work of the normal impulse in compression [J].
    pub(super) compression: f64,
    /// Work of friction [J].
    pub(super) friction: f64,
    /// Kinetic energy [J].
    pub(super) kinetic: f64,
}

/// The arguments of the formulas: angle of the upper bar above the horizontal and of the lower one from the upper, their rates before,
/// coefficients of sliding and of sticking friction, restitution.
pub(super) const ARGUMENTS: &[(&str, &str)] =
    &[("q1", "rad"), ("q2", "rad"), ("u1", "rad/s"), ("u2", "rad/s"), ("mu", "1"), ("mu_s", "1"), ("e", "1")];

/// Lets the tip hit the floor. Velocities along the floor that are rounding next to the other are none.
pub(super) fn strike(a: &[f64]) -> Option<Struck> {
    let (q1, q12, c2, u) = (a[0], a[0] + a[1], a[1].cos(), [a[2], a[3]]);
    let j = [[-q1.sin() - q12.sin(), -q12.sin()], [q1.cos() + q12.cos(), q12.cos()]];
    let mass = [[c2 + 5.0 / 3.0, 0.5 * c2 + 1.0 / 3.0], [0.5 * c2 + 1.0 / 3.0, 1.0 / 3.0]];
    let dot = |x: [f64; 2], y: [f64; 2]| x[0] * y[0] + x[1] * y[1];
    let det = mass[0][0] * mass[1][1] - mass[0][1] * mass[1][0];
    let solved = |x: [f64; 2]| {
        [(mass[1][1] * x[0] - mass[0][1] * x[1]) / det, (mass[0][0] * x[1] - mass[1][0] * x[0]) / det]
    };
    let (l_t, l_n) = (solved(j[0]), solved(j[1]));
    let law = ImpactLaw::new(a[6], a[4], a[5]).ok()?;
    let terms = (dot(j[1], l_n), dot(j[0], l_t), dot(j[0], l_n));
    let impact = planar(terms.0, terms.1, terms.2, (dot(j[0], u), dot(j[1], u)), &law);
    let impulse = [impact.impulse.x, impact.impulse.z];
    let rates = [0, 1].map(|i| u[i] + l_t[i] * impulse[0] + l_n[i] * impulse[1]);
    Some(Struck {
        rates,
        velocity: [impact.velocity.x, impact.velocity.z],
        impulse,
        compression: impact.compression,
        friction: impact.friction_work,
        kinetic: 0.5 * (rates[0] * dot(mass[0], rates) + rates[1] * dot(mass[1], rates)),
    })
}
