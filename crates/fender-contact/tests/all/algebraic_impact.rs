//! Algebraic impacts: a double pendulum on a floor in every path of the planar solution, against numbers that were found
//! with another program and are checked again here by integrating the impulse in fine steps; the spatial solution against
//! the same and against the planar one; and what every impact must obey, over random contacts.

use fender_contact::impact::{DEFAULT_ACCURACY, Impact, ImpactLaw, Path, Slip, planar, solve, spatial};
use fender_math::{Mat3, Vec3};

/// Two equal bars of 1 m and 1 kg on pins above a floor (Morgan 2011, section 2.1).
struct Pendulum {
    /// Rows of the Jacobian: tangential, normal [m].
    j: [[f64; 2]; 2],
    /// Inverse of the mass matrix [1/(kg·m²)].
    inverse: [[f64; 2]; 2],
    mass: [[f64; 2]; 2],
}

impl Pendulum {
    fn new(q1: f64, q2: f64) -> Self {
        let (s1, c1, s12, c12, c2) = (q1.sin(), q1.cos(), (q1 + q2).sin(), (q1 + q2).cos(), q2.cos());
        let j = [[-s1 - s12, -s12], [c1 + c12, c12]];
        let mass = [[c2 + 5.0 / 3.0, 0.5 * c2 + 1.0 / 3.0], [0.5 * c2 + 1.0 / 3.0, 1.0 / 3.0]];
        let det = mass[0][0] * mass[1][1] - mass[0][1] * mass[0][1];
        let inverse = [[mass[1][1] / det, -mass[0][1] / det], [-mass[0][1] / det, mass[0][0] / det]];
        Self { j, inverse, mass }
    }

    /// Column of M⁻¹Jᵀ.
    fn l(&self, row: usize) -> [f64; 2] {
        let j = self.j[row];
        [dot(self.inverse[0], j), dot(self.inverse[1], j)]
    }

    /// N, T, C.
    fn terms(&self) -> [f64; 3] {
        [dot(self.j[1], self.l(1)), dot(self.j[0], self.l(0)), dot(self.j[0], self.l(1))]
    }

    fn velocity(&self, u: [f64; 2]) -> (f64, f64) {
        (dot(self.j[0], u), dot(self.j[1], u))
    }

    fn after(&self, u: [f64; 2], impact: &Impact) -> [f64; 2] {
        let (t, n) = (self.l(0), self.l(1));
        [0, 1].map(|i| u[i] + t[i] * impact.impulse.x + n[i] * impact.impulse.z)
    }

    fn kinetic(&self, u: [f64; 2]) -> f64 {
        0.5 * (u[0] * dot(self.mass[0], u) + u[1] * dot(self.mass[1], u))
    }
}

fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

/// A case: where, how fast (rad/s; none: straight down at 1 m/s), μ, μ_s, e.
struct Case {
    name: &'static str,
    q: [f64; 2],
    u: Option<[f64; 2]>,
    law: [f64; 3],
    path: Path,
    slip: Slip,
    ratio: f64,
    after: [f64; 2],
    /// v_t, v_n after; p_n at v_t = 0 (NaN: unused), at v_n = 0, at the end; p_t; E_min, E_stop, E_f, K before, K after.
    numbers: [f64; 11],
}

#[rustfmt::skip]
const CASES: [Case; 13] = {
    const D1: [f64; 2] = [-2.8, 0.4];
    const D6: [f64; 2] = [-1.8, 1.0];
    use Path::{Compression, Expansion, Never};
    use Slip::{Lasts, Reverses, Sticks};
    const NO: f64 = f64::NAN;
    [
        Case { name: "D1", q: D1, u: Some([2.0, 0.0]), law: [0.2, 0.2, 0.5], path: Compression, slip: Reverses, ratio: 0.828810434, after: [2.16536949, -6.87812195],
            numbers: [-2.45791764, 1.43489453, 1.04365177, 2.03968045, 3.12044455, 0.206628202, -3.10156499, -2.32617374, -0.721370424, 5.17545532, 2.12791115] },
        Case { name: "D2", q: [-2.3, 0.6], u: Some([1.0, 0.0]), law: [0.5, 0.5, 0.5], path: Compression, slip: Sticks, ratio: 0.0267062321, after: [-0.667392355, 1.16925342],
            numbers: [0.0, 0.380005488, 1.02038725, 2.08123017, 3.13753542, -0.453652574, -0.802803586, -0.602102690, -0.443197554, 1.24600114, 0.200700897] },
        Case { name: "D3", q: [-1.4, -0.5], u: Some([-3.0, 3.0]), law: [0.8, 0.8, 0.6], path: Compression, slip: Sticks, ratio: 0.404479884, after: [1.61130111, -3.28926381],
            numbers: [0.0, 0.816336079, 2.69251178, 5.18950265, 7.67318383, 4.16859108, -2.81599800, -1.80223872, -3.18400200, 6.0, 1.01375928] },
        Case { name: "D4", q: [-2.0, -0.2], u: Some([4.0, -1.0]), law: [0.5, 0.5, 0.8], path: Expansion, slip: Reverses, ratio: 0.781510679, after: [6.52881023, -14.3802863],
            numbers: [-0.411259837, 1.90365872, 2.26548338, 1.57061417, 2.96506753, -0.782949610, -2.69367453, -0.969722832, -3.50565229, 18.0470661, 13.5716910] },
        Case { name: "D5", q: [-1.4, 0.4], u: Some([-1.0, -3.0]), law: [1.0, 1.0, 0.8], path: Expansion, slip: Sticks, ratio: -0.696300634, after: [-2.52042333, 5.47210025],
            numbers: [0.0, 1.16640870, 1.18253768, 0.814238385, 1.55467071, 0.923421215, -0.949066640, -0.341663991, -2.57280801, 5.17545532, 2.26098332] },
        Case { name: "D6", q: D6, u: Some([-2.0, -2.0]), law: [0.2, 0.2, 0.8], path: Never, slip: Lasts, ratio: -0.725609612, after: [-3.18760783, 4.82632743],
            numbers: [-1.92869884, 1.86593812, NO, 1.03069410, 1.85524938, 0.371049876, -1.20200713, -0.432722567, -1.25151755, 7.49454256, 5.81030244] },
        Case { name: "D7", q: [-2.1, 0.8], u: Some([2.0, 0.0]), law: [0.2, 0.2, 0.8], path: Never, slip: Lasts, ratio: -0.316959372, after: [1.00804837, 2.31407809],
            numbers: [4.07121894, 0.379755642, NO, 0.706888297, 1.27239893, -0.254479787, -0.167778012, -0.0604000842, -0.982896882, 4.72674675, 3.68344979] },
        Case { name: "D8", q: D6, u: Some([-2.0, -2.0]), law: [0.0, 0.0, 0.8], path: Never, slip: Lasts, ratio: -0.725609612, after: [-3.47767508, 5.02180124],
            numbers: [-2.27903734, 1.86593812, NO, 1.15531352, 2.07956434, 0.0, -1.34733971, -0.485042295, 0.0, 7.49454256, 7.00950026] },
        Case { name: "D9", q: D1, u: Some([2.0, 0.0]), law: [0.2, 0.2, 0.0], path: Compression, slip: Reverses, ratio: 0.828810434, after: [2.23217908, -5.08439893],
            numbers: [-1.17881595, 0.0, 1.04365177, 2.03968045, 2.03968045, -0.00952461820, -3.10156499, -3.10156499, -0.328325313, 5.17545532, 1.74556502] },
        Case { name: "D10", q: D1, u: Some([2.0, 0.0]), law: [0.2, 0.2, 1.0], path: Compression, slip: Reverses, ratio: 0.828810434, after: [2.09855991, -8.67184497],
            numbers: [-3.73701933, 2.86978906, 1.04365177, 2.03968045, 4.20120865, 0.422781022, -3.10156499, 0.0, -1.39089697, 5.17545532, 3.78455835] },
        Case { name: "D11", q: D1, u: None, law: [0.2, 0.2, 0.5], path: Compression, slip: Reverses, ratio: 0.828810434, after: [1.66470289, -4.46988038],
            numbers: [-1.33713837, 0.5, 0.0, 0.753201074, 1.12980161, 0.225960322, -0.376600537, -0.282450403, -0.151070108, 1.44193508, 1.00841457] },
        Case { name: "D12", q: D1, u: None, law: [0.9, 0.9, 0.5], path: Compression, slip: Sticks, ratio: 0.828810434, after: [-0.867271912, 1.29738538],
            numbers: [0.0, 0.5, 0.0, 2.88387017, 4.32580525, 3.58527252, -1.44193508, -1.08145131, 0.0, 1.44193508, 0.360483771] },
        Case { name: "D13", q: D1, u: Some([2.0, 0.0]), law: [0.2, 0.9, 0.5], path: Compression, slip: Sticks, ratio: 0.828810434, after: [-1.60924469, 2.40733098],
            numbers: [0.0, 0.927762487, 1.04365177, 4.85726474, 7.53281130, 5.16955277, -4.96454346, -3.72340759, -0.210911864, 5.17545532, 1.24113586] },
    ]
};

/// Speeds that let the tip fall straight down at 1 m/s.
fn straight_down(p: &Pendulum) -> [f64; 2] {
    let [[a, b], [c, d]] = p.j;
    let det = a * d - b * c;
    [b / det, -a / det]
}

impl Case {
    fn start(&self) -> (Pendulum, [f64; 2], ImpactLaw) {
        let pendulum = Pendulum::new(self.q[0], self.q[1]);
        let u = self.u.unwrap_or_else(|| straight_down(&pendulum));
        let [mu, mu_s, e] = self.law;
        (pendulum, u, ImpactLaw::new(e, mu, mu_s).unwrap())
    }

    fn solved(&self) -> (Pendulum, [f64; 2], Impact) {
        let (pendulum, u, law) = self.start();
        let [n, t, c] = pendulum.terms();
        let mut v = pendulum.velocity(u);
        if self.u.is_none() {
            v.0 = 0.0;
        }
        let impact = planar(n, t, c, v, &law);
        (pendulum, u, impact)
    }
}

#[track_caller]
fn close(name: &str, value: f64, expected: f64, tolerance: f64) {
    assert!(
        (value - expected).abs() <= tolerance * expected.abs().max(1.0),
        "{name}: {value} is not {expected}"
    );
}

#[test]
fn double_pendulum_takes_every_path() {
    for case in &CASES {
        let (pendulum, u, impact) = case.solved();
        let name = case.name;
        assert_eq!((impact.path, impact.slip), (case.path, case.slip), "{name}");
        assert_eq!(impact.jam, name == "D3", "{name}");
        let [_, t, c] = pendulum.terms();
        close(name, -c / t, case.ratio, 2e-9);
        let after = pendulum.after(u, &impact);
        let stop = impact.slip_stop.unwrap_or(f64::NAN);
        let numbers = [
            impact.velocity.x,
            impact.velocity.z,
            stop,
            impact.normal_pause,
            impact.impulse.z,
            impact.impulse.x,
            impact.compression,
            impact.normal_work,
            impact.friction_work,
            pendulum.kinetic(u),
            pendulum.kinetic(after),
        ];
        for (value, expected) in
            numbers.into_iter().zip(case.numbers).chain(after.into_iter().zip(case.after))
        {
            if expected.is_nan() {
                assert!(value.is_nan(), "{name}");
            } else {
                close(name, value, expected, 6e-9);
            }
        }
        // P5 and P2: it sticks exactly, and the account closes.
        if impact.slip == Slip::Sticks {
            assert_eq!(impact.velocity.x, 0.0, "{name}");
        }
        close(name, pendulum.kinetic(u) + impact.energy(), pendulum.kinetic(after), 1e-13);
    }
}

/// The impact in small steps of normal impulse, in the pendulum's own speeds. No event is looked for: in each step friction
/// is whatever, within its bounds, brings the slip nearest to zero at the end of the step.
fn fine(pendulum: &Pendulum, mut u: [f64; 2], law: &ImpactLaw, steps: f64) -> ([f64; 2], [f64; 2]) {
    let (l_t, l_n) = (pendulum.l(0), pendulum.l(1));
    let dp = pendulum.kinetic(u).sqrt() / steps;
    let (mut p, mut work, mut least) = ([0.0; 2], 0.0, 0.0_f64);
    let mut rests = pendulum.velocity(u).0.abs() < 1e-12;
    loop {
        let (v_t, v_n) = pendulum.velocity(u);
        let (c, t) = (dot(pendulum.j[0], l_n), dot(pendulum.j[0], l_t));
        let sliding = -law.coefficient() * v_t.signum();
        // What rests, or comes to rest in this step, may be held; what cannot be held slides.
        rests |= v_t * (v_t + dp * (c + sliding * t)) <= 0.0;
        let wanted = -(v_t / dp + c) / t;
        rests &= wanted.abs() <= law.static_coefficient();
        let rho = if rests { wanted } else { wanted.clamp(-law.coefficient(), law.coefficient()) };
        for i in 0..2 {
            u[i] += dp * (l_n[i] + rho * l_t[i]);
        }
        p = [p[0] + rho * dp, p[1] + dp];
        let after = pendulum.velocity(u).1;
        work += 0.5 * dp * (v_n + after);
        least = least.min(work);
        if after > 0.0 && work >= (1.0 - law.restitution() * law.restitution()) * least {
            return (u, p);
        }
    }
}

#[test]
fn fine_impulse_integration_agrees() {
    for case in &CASES {
        let (pendulum, u, impact) = case.solved();
        let law = case.start().2;
        let after = pendulum.after(u, &impact);
        let (u, p) = fine(&pendulum, u, &law, 4e5);
        for (value, expected) in
            u.into_iter().zip(after).chain([(p[0], impact.impulse.x), (p[1], impact.impulse.z)])
        {
            close(case.name, value, expected, 3e-5);
        }
    }
}

#[test]
fn point_mass_by_hand() {
    let law = ImpactLaw::new(0.5, 0.3, 0.3).unwrap();
    let mass = |v: (f64, f64)| planar(0.5, 0.5, 0.0, v, &law);
    let check = |impact: Impact, v: (f64, f64), p: (f64, f64), friction: f64| {
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-14, "{a} {b} {impact:?}");
        near(impact.velocity.x, v.0);
        near(impact.velocity.z, v.1);
        near(impact.impulse.x, p.0);
        near(impact.impulse.z, p.1);
        near(impact.compression, -4.0);
        near(impact.friction_work, friction);
    };
    check(mass((3.0, -2.0)), (2.1, 1.0), (-1.8, 6.0), -4.59);
    check(mass((0.5, -2.0)), (0.0, 1.0), (-1.0, 6.0), -0.25);
    assert!((mass((0.5, -2.0)).slip_stop.unwrap() - 10.0 / 3.0).abs() < 1e-14);
    // Both pauses at once; skipping the stop of the slip would give v_t = −0.3.
    check(mass((0.6, -2.0)), (0.0, 1.0), (-1.2, 6.0), -0.36);
    // P12: a hair to either side of the tie.
    for hair in [-1e-13, 1e-13] {
        assert!(mass((0.6 + hair, -2.0)).velocity.x.abs() < 1e-12);
    }
}

#[test]
fn contacts_that_hardly_move() {
    let law = ImpactLaw::new(0.5, 0.3, 0.3).unwrap();
    // Nothing moves along the tangent: frictionless.
    let stiff = planar(1.0, 0.0, 0.0, (1.0, -1.0), &law);
    assert_eq!((stiff.velocity, stiff.impulse.x), (Vec3::new(1.0, 0.0, 0.5), 0.0));
    // Nothing moves, or nothing approaches: nothing happens.
    assert_eq!(planar(0.0, 0.0, 0.0, (1.0, -1.0), &law).path, Path::None);
    assert_eq!(planar(1.0, 1.0, 0.0, (1.0, 0.0), &law).impulse, Vec3::ZERO);
    assert_eq!(spatial(&Mat3::IDENTITY, Vec3::new(1.0, 0.0, 0.0), &law, 1e-9).path, Path::None);
    // Slip that normal impulse alone does not change, and friction ends never: parallel to v_t = 0.
    let parallel = planar(1.0, 1.0, 0.3, (1.0, -1.0), &law);
    assert_eq!((parallel.path, parallel.slip), (Path::Never, Slip::Lasts));
    assert!((parallel.velocity.x - 1.0).abs() < 1e-15 && (parallel.velocity.z - 0.5).abs() < 1e-15);
    // The tip of a single pendulum moves along a line: steep, it slides back; flat, friction holds it for good.
    for (k, sticks) in [(0.5, false), (5.0, true)] {
        for v in [1.0, 0.3] {
            let impact = planar(1.0, k * k, k, (-k * v, -v), &law);
            assert_eq!(impact.slip == Slip::Sticks, sticks, "{impact:?}");
            let back = impact.velocity.z;
            assert!(if sticks { back < 1e-9 } else { back > 0.1 * v && back < 0.5 * v }, "{impact:?}");
            let turned = solve(&turned(1.0, k * k, k, 0.7), spin(0.7) * Vec3::new(-k * v, 0.0, -v), &law);
            assert!((turned.velocity - spin(0.7) * impact.velocity).length() < 1e-9, "{turned:?} {impact:?}");
        }
    }
}

/// Rotation about the normal.
fn spin(angle: f64) -> Mat3 {
    Mat3::from_rotation_z(angle)
}

/// Inverse mass with N, T, C in a plane turned about the normal, and something of its own across it.
fn turned(n: f64, t: f64, c: f64, angle: f64) -> Mat3 {
    let flat = Mat3::from_cols(Vec3::new(t, 0.0, c), Vec3::new(0.0, 0.6, 0.0), Vec3::new(c, 0.0, n));
    spin(angle) * flat * spin(angle).transpose()
}

#[test]
fn three_dimensional_cases() {
    let w = Mat3::from_cols(Vec3::new(3.0, 0.2, 0.5), Vec3::new(0.2, 2.0, -0.4), Vec3::new(0.5, -0.4, 1.5));
    let near = |a: f64, b: f64, tolerance: f64| assert!((a - b).abs() < tolerance, "{a} {b}");
    let slides = solve(&w, Vec3::new(2.0, 1.0, -2.0), &ImpactLaw::new(0.6, 0.3, 0.3).unwrap());
    assert_eq!((slides.path, slides.slip), (Path::Never, Slip::Lasts));
    near(slides.normal_pause, 1.439138515, 1e-9);
    near(slides.compression, -1.428615172, 1e-9);
    near(slides.impulse.z, 2.312882285, 1e-9);
    for (a, b) in slides.velocity.to_array().into_iter().zip([1.118650564, -0.257425132, 1.172534847]) {
        near(a, b, 1e-9);
    }
    near(slides.normal_work, -0.914313710, 1e-9);
    // The impulse gives the velocity: both were integrated.
    assert!((Vec3::new(2.0, 1.0, -2.0) + w * slides.impulse - slides.velocity).length() < 1e-11);

    // By integrating (4.9) as it stands with DOP853 at 1e-13 down to a slip of 1e-7 m/s, then in closed form.
    let sticks = solve(&w, Vec3::new(0.6, 0.3, -2.0), &ImpactLaw::new(0.6, 0.5, 0.5).unwrap());
    assert_eq!((sticks.path, sticks.slip), (Path::Compression, Slip::Sticks));
    near(sticks.slip_stop.unwrap(), 0.725_391_95, 1e-6);
    near(sticks.normal_pause, 1.545_431_45, 1e-7);
    near(sticks.compression, -1.553_621_68, 1e-7);
    near(sticks.impulse.z, 2.465_243_10, 1e-7);
    assert_eq!(sticks.velocity.truncate().length(), 0.0);
    near(sticks.velocity.z, 1.216_126_81, 1e-7);
    near(sticks.normal_work, -0.994_317_87, 1e-7);
    // While it sticks, the impulse grows along the stick ratio.
    let after = sticks.impulse.z - sticks.slip_stop.unwrap();
    let stop = solve(&w, Vec3::new(0.6, 0.3, -2.0), &ImpactLaw::new(0.0, 0.5, 0.5).unwrap());
    let ratio = (sticks.impulse - stop.impulse) / (sticks.impulse.z - stop.impulse.z);
    assert!(after > 0.0);
    near(ratio.x, -0.181208, 1e-6);
    near(ratio.y, 0.218121, 1e-6);
}

/// Numbers from a seed, all the same everywhere.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 11) as f64) / (1u64 << 53) as f64
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.between(-1.0, 1.0), self.between(-1.0, 1.0), self.between(-1.0, 1.0))
    }
}

/// How many random cases: many with `cargo xtask test --long`.
fn many() -> u64 {
    if std::env::var_os("FENDER_LONG").is_some() { 100_000 } else { 1_000 }
}

/// P1, P2, P3, P6, P7, P8 of one impact.
#[track_caller]
fn obeys(impact: &Impact, w: &Mat3, v: Vec3, law: &ImpactLaw, accuracy: f64) {
    let p = impact.impulse;
    let (speed, e) = (v.length(), law.restitution());
    let size = p.length() * speed;
    assert!(p.dot(v) + 0.5 * p.dot(*w * p) <= 0.0, "energy grows: {impact:?}");
    assert!(impact.friction_work <= 0.0 && impact.compression <= 0.0);
    let change = p.dot(v) + 0.5 * p.dot(*w * p);
    assert!((change - impact.energy()).abs() <= accuracy * size, "account: {change} {impact:?}");
    assert!(p.z > 0.0 && p.truncate().length() <= law.static_coefficient() * p.z, "cone: {impact:?}");
    assert!(impact.velocity.z >= 0.0);
    assert!(
        (v + *w * p - impact.velocity).length() <= accuracy * (speed + w.z_axis.z * p.length()),
        "{impact:?}"
    );
    let locked = impact.normal_work == impact.compression;
    assert!(locked || (impact.normal_work - (1.0 - e * e) * impact.compression).abs() <= 1e-15 * size);
    if law.coefficient() == 0.0 && law.static_coefficient() == 0.0 {
        assert!(impact.friction_work == 0.0 && (impact.velocity.z + e * v.z).abs() <= 1e-12 * speed);
    }
    if e == 0.0 {
        assert!(impact.velocity.z <= 1e-12 * speed && p.z == impact.normal_pause);
    }
}

/// A restitution and coefficients, now and then at the ends of their ranges.
fn some_law(dice: &mut Dice) -> ImpactLaw {
    let e = match dice.next() {
        x if x < 0.1 => 0.0,
        x if x < 0.2 => 1.0,
        _ => dice.next(),
    };
    let mu = if dice.next() < 0.1 { 0.0 } else { dice.between(0.0, 1.5) };
    let mu_s = if mu == 0.0 || dice.next() < 0.5 { mu } else { mu * dice.between(1.0, 2.0) };
    ImpactLaw::new(e, mu, mu_s).unwrap()
}

#[test]
fn random_pendulums_obey() {
    let mut dice = Dice(1);
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..many() {
        let pendulum = Pendulum::new(dice.between(-3.1, 0.0), dice.between(-3.1, 3.1));
        let [n, t, c] = pendulum.terms();
        let u = [dice.between(-4.0, 4.0), dice.between(-4.0, 4.0)];
        let (v_t, v_n) = pendulum.velocity(u);
        let law = some_law(&mut dice);
        let impact = planar(n, t, c, (v_t, -v_n.abs()), &law);
        let v = Vec3::new(v_t, 0.0, -v_n.abs());
        let w = Mat3::from_cols(Vec3::new(t, 0.0, c), Vec3::new(0.0, 1.0, 0.0), Vec3::new(c, 0.0, n));
        obeys(&solve(&w, v, &law), &w, v, &law, 1e-9);
        seen.insert(format!("{:?} {:?} {}", impact.path, impact.slip, impact.jam));
        // P10: the equation in three dimensions, in a plane turned about the normal.
        if dice.next() < 0.3 {
            let angle = dice.between(-3.0, 3.0);
            let (w, v) = (turned(n, t, c, angle), spin(angle) * v);
            // Errors of single steps add up where slip turns late: a hundredth of the default leaves room for 1e-8.
            let full = spatial(&w, v, &law, 1e-2 * DEFAULT_ACCURACY);
            let flat = spin(angle) * impact.impulse;
            // Where the contact hardly moves, impulses are large for any accuracy.
            let tolerance = 1e-8 * (1.0 + 1e-4 * n * t / (n * t - c * c).max(1e-9));
            assert!(
                (full.impulse - flat).length() <= tolerance * flat.length(),
                "{full:?}\n{impact:?}\n{law:?}"
            );
            assert_eq!((full.slip, full.path == Path::Never), (impact.slip, impact.path == Path::Never));
        }
    }
    assert_eq!(seen.len(), 6, "{seen:?}");
}

/// An inverse mass such as two bodies could have.
fn some_matrix(dice: &mut Dice) -> Mat3 {
    let rows = [dice.vector(), dice.vector(), dice.vector()];
    let a = Mat3::from_cols(rows[0], rows[1], rows[2]);
    a * a.transpose() + Mat3::IDENTITY * dice.between(0.0, 0.3)
}

#[test]
fn random_contacts_in_three_dimensions_obey() {
    let mut dice = Dice(2);
    let mut jams = 0;
    for i in 0..many() {
        let w = some_matrix(&mut dice);
        let mut v = dice.vector();
        v.z = -v.z.abs();
        if i % 10 == 0 {
            (v.x, v.y) = (0.0, 0.0);
        }
        let law = some_law(&mut dice);
        let impact = solve(&w, v, &law);
        jams += usize::from(impact.jam);
        obeys(&impact, &w, v, &law, 1e-8);
    }
    assert!(jams > 10);
}

/// P9 in three dimensions: the equation as it stands, in small steps of p.
#[test]
fn fine_integration_agrees_in_three_dimensions() {
    let mut dice = Dice(3);
    for _ in 0..40 {
        let w = some_matrix(&mut dice);
        let mut v = dice.vector();
        v.z = -v.z.abs() - 0.1;
        let law = ImpactLaw::new(dice.next(), 0.6, 0.6).unwrap();
        let impact = solve(&w, v, &law);
        let dp = impact.impulse.z / 2e5;
        let (mut u, mut p, mut work, mut least) = (v, Vec3::ZERO, 0.0, 0.0_f64);
        loop {
            // Implicit in the friction: the ratio that brings the slip to zero, or the one along the slip at the step's end.
            let mut rho = Vec3::ZERO;
            for _ in 0..60 {
                let end = u + (w.z_axis + w * rho) * dp;
                let gain = 0.5 / (w.x_axis.x + w.y_axis.y) / dp;
                let trial = rho - Vec3::new(end.x, end.y, 0.0) * gain;
                let size = trial.length();
                let new = if size > 0.6 { trial * (0.6 / size) } else { trial };
                let change = (new - rho).length();
                rho = new;
                if change < 1e-12 {
                    break;
                }
            }
            let next = u + (w.z_axis + w * rho) * dp;
            work += 0.5 * dp * (u.z + next.z);
            least = least.min(work);
            p += (rho + Vec3::Z) * dp;
            u = next;
            if u.z > 0.0 && work >= (1.0 - law.restitution() * law.restitution()) * least {
                break;
            }
        }
        assert!((p - impact.impulse).length() < 2e-3 * impact.impulse.length(), "{p} {impact:?} {law:?}");
    }
}

#[test]
fn impossible_laws_are_refused() {
    for (e, mu, mu_s, name) in [
        (-0.1, 0.1, 0.1, "restitution"),
        (1.1, 0.1, 0.1, "restitution"),
        (f64::NAN, 0.1, 0.1, "restitution"),
        (0.5, -0.1, 0.1, "coefficient"),
        (0.5, f64::INFINITY, f64::INFINITY, "coefficient"),
        (0.5, 0.3, 0.2, "static_coefficient"),
        (0.5, 0.3, f64::NAN, "static_coefficient"),
    ] {
        let text = ImpactLaw::new(e, mu, mu_s).unwrap_err().to_string();
        assert!(text.starts_with(name), "{text}");
    }
}
