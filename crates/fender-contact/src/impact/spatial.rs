//! Slip that turns: the impulse equation, integrated.
//!
//! *Models*: one frictional point impact in three dimensions. *Equation*: dv/dp = W·(−μ v̂_t, 1) (Morgan 2011, 4.9 in contact
//! space). Its right side has no limit at v_t = 0, where the slip often goes. With polar slip (r, θ) and dτ = dp/r it becomes
//!
//! d(ln r)/dτ = g(θ), dθ/dτ = h(θ), dp/dτ = r, dv_n/dτ = r·(N − μ w·d), dE_n/dτ = r·v_n,
//!
//! where d is the direction of slip, w = W_tn, and g and h are the parts of w − μ W_tt d along and across d: smooth
//! everywhere, and a stop of the slip is an exponential decay in τ. Once the slip has stopped, everything is a straight
//! line in p again: it sticks if |W_tt⁻¹ w| ≤ μ_s; else it slides out along the one direction in which it can, d with
//! w − μ W_tt d = γ d and γ > 0. That direction is unique: |(γ + μ W_tt)⁻¹ w| = 1 falls with γ. *Limits*: as for the planar
//! solution. *References*: Morgan 2011, chapter 4; Keller 1986; Batlle 1996; Mirtich 1996, chapter 3.

use super::{IMMOBILE, Impact, ImpactLaw, NO_SLIP, Path, Slip};
use fender_math::{Mat3, Vec3, float};

/// Relative accuracy of the front door.
pub const DEFAULT_ACCURACY: f64 = 1e-10;
/// Steps before what is left is taken as it is. A stop of the slip takes some tens of them.
const MAX_STEPS: u32 = 20_000;
/// How often an expansion may turn into compression again.
const MAX_TURNS: u32 = 32;

/// What is integrated: ln r, θ, p_n, v_n, E_n, E_f, p_t (two).
const N: usize = 8;
type Numbers = [f64; N];
const LOG: usize = 0;
const ANGLE: usize = 1;
const P: usize = 2;
const V: usize = 3;
const WORK: usize = 4;
const FRICTION: usize = 5;
const SIDE: usize = 6;

/// Inverse masses in contact space and the law.
struct Contact<'a> {
    /// Tangential block W_tt: xx, xy, yy [1/kg].
    t: [f64; 3],
    /// W_tn [1/kg].
    w: [f64; 2],
    /// W_nn [1/kg].
    n: f64,
    law: &'a ImpactLaw,
}

impl Contact<'_> {
    fn rates(&self, y: &Numbers) -> Numbers {
        let mu = self.law.coefficient;
        let r = float::exp(y[LOG]);
        let (s, c) = float::sin_cos(y[ANGLE]);
        let ax = self.w[0] - mu * (self.t[0] * c + self.t[1] * s);
        let ay = self.w[1] - mu * (self.t[1] * c + self.t[2] * s);
        let push = self.n - mu * (self.w[0] * c + self.w[1] * s);
        [ax * c + ay * s, ay * c - ax * s, r, r * push, r * y[V], -mu * r * r, -mu * r * c, -mu * r * s]
    }

    /// Solution of (λ + W_tt) x = w, in the directions that give way.
    fn solved(&self, shift: f64, scale: f64) -> [f64; 2] {
        let [a, b, c] = self.t.map(|x| x * scale);
        // Axes of W_tt.
        let half = 0.5 * (a - c);
        let root = (half * half + b * b).sqrt();
        let angle = 0.5 * float::atan2(b, half);
        let (s, k) = float::sin_cos(angle);
        let middle = 0.5 * (a + c);
        let part = |value: f64, x: f64, y: f64| {
            let along = self.w[0] * x + self.w[1] * y;
            if value + shift > IMMOBILE * self.n * scale { along / (value + shift) } else { 0.0 }
        };
        let (p, q) = (part(middle + root, k, s), part(middle - root, -s, k));
        [p * k - q * s, p * s + q * k]
    }

    /// Friction ratio (two components), v_n' and v_t' after the slip has stopped.
    fn after_rest(&self) -> ([f64; 2], f64, [f64; 2], Slip) {
        let held = self.solved(0.0, 1.0);
        let size = float_length(held);
        if size <= self.law.static_coefficient {
            let ratio = [-held[0], -held[1]];
            let normal = (self.n + ratio[0] * self.w[0] + ratio[1] * self.w[1]).max(0.0);
            return (ratio, normal, [0.0; 2], Slip::Sticks);
        }
        let mu = self.law.coefficient;
        // |(γ + μ W_tt)⁻¹ w| is above 1 at zero and at most 1 at |w|.
        let (mut low, mut high) = (0.0, float_length(self.w));
        for _ in 0..200 {
            let middle = 0.5 * (low + high);
            if middle <= low || middle >= high {
                break;
            }
            if float_length(self.solved(middle, mu)) > 1.0 { low = middle } else { high = middle }
        }
        let gamma = 0.5 * (low + high);
        let d = self.solved(gamma, mu);
        let size = float_length(d);
        let d = if size > 0.0 { [d[0] / size, d[1] / size] } else { [1.0, 0.0] };
        let ratio = [-mu * d[0], -mu * d[1]];
        let normal = self.n + ratio[0] * self.w[0] + ratio[1] * self.w[1];
        (ratio, normal, [gamma * d[0], gamma * d[1]], Slip::Reverses)
    }
}

fn float_length(x: [f64; 2]) -> f64 {
    (x[0] * x[0] + x[1] * x[1]).sqrt()
}

/// One step of Dormand and Prince, and the difference between its two results.
fn step(contact: &Contact<'_>, y: &Numbers, first: &Numbers, h: f64) -> (Numbers, Numbers) {
    const A: [[f64; 6]; 6] = [
        [1.0 / 5.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        [3.0 / 40.0, 9.0 / 40.0, 0.0, 0.0, 0.0, 0.0],
        [44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0, 0.0, 0.0, 0.0],
        [19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0, 0.0, 0.0],
        [9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0, 0.0],
        [35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0],
    ];
    const ERROR: [f64; 7] = [
        71.0 / 57600.0,
        0.0,
        -71.0 / 16695.0,
        71.0 / 1920.0,
        -17253.0 / 339_200.0,
        22.0 / 525.0,
        -1.0 / 40.0,
    ];
    let mut k = [*first; 7];
    let mut at = *y;
    for (i, row) in A.iter().enumerate() {
        at = *y;
        for (weight, rate) in row.iter().zip(&k[..=i]) {
            for (x, r) in at.iter_mut().zip(rate) {
                *x += h * weight * r;
            }
        }
        k[i + 1] = contact.rates(&at);
    }
    let mut error = [0.0; N];
    for (weight, rate) in ERROR.iter().zip(&k) {
        for (x, r) in error.iter_mut().zip(rate) {
            *x += h * weight * r;
        }
    }
    (at, error)
}

/// The state within a step at which `f` is zero; `f` is below zero at its start and not at its end.
fn within(
    contact: &Contact<'_>,
    y: &Numbers,
    first: &Numbers,
    h: f64,
    f: impl Fn(&Numbers) -> f64,
) -> Numbers {
    let (mut low, mut high) = (0.0, h);
    let (mut below, mut above) = (f(y), f(&step(contact, y, first, h).0));
    let mut best = step(contact, y, first, h).0;
    let mut side = 0;
    // False position with the weights of the Illinois method, kept away from the ends.
    for _ in 0..100 {
        let guess = (low * above - high * below) / (above - below);
        let h = if guess > low && guess < high { guess } else { 0.5 * (low + high) };
        if h <= low || h >= high {
            break;
        }
        best = step(contact, y, first, h).0;
        let value = f(&best);
        if value == 0.0 || high - low <= 2.0 * f64::EPSILON * high {
            break;
        }
        if value < 0.0 {
            (low, below) = (h, value);
            if side == -1 {
                above *= 0.5;
            }
            side = -1;
        } else {
            (high, above) = (h, value);
            if side == 1 {
                below *= 0.5;
            }
            side = 1;
        }
    }
    best
}

/// Impact at a contact with inverse mass `w` [1/kg] and relative velocity `v` [m/s] (see [`solve`](super::solve)), to a relative
/// accuracy such as [`DEFAULT_ACCURACY`].
pub fn spatial(w: &Mat3, v: Vec3, law: &ImpactLaw, accuracy: f64) -> Impact {
    let speed = v.length();
    let normal = w.z_axis.z;
    if v.z >= 0.0 || normal <= 0.0 || !v.is_finite() {
        return Impact::none(v);
    }
    let contact = Contact {
        t: [w.x_axis.x, 0.5 * (w.x_axis.y + w.y_axis.x), w.y_axis.y],
        w: [0.5 * (w.z_axis.x + w.x_axis.z), 0.5 * (w.z_axis.y + w.y_axis.z)],
        n: normal,
        law,
    };
    let slip = (v.x * v.x + v.y * v.y).sqrt();
    let mut run = Run::new(v, speed, slip);
    let mut y = [0.0; N];
    if slip > NO_SLIP * speed {
        (y[LOG], y[ANGLE], y[V]) = (float::ln(slip), float::atan2(v.y, v.x), v.z);
        run.slide(&contact, y, accuracy);
    } else {
        y[V] = v.z;
        run.stopped(&contact, &y);
    }
    run.impact
}

/// The course of an impact.
struct Run {
    speed: f64,
    compressing: bool,
    /// Work of the normal impulse up to the last end of a compression [J]; from there on `WORK` counts anew, so that a small
    /// restitution is not lost in rounding.
    base: f64,
    impact: Impact,
}

impl Run {
    fn new(v: Vec3, speed: f64, slip: f64) -> Self {
        let path = if slip > 0.0 { Path::Never } else { Path::Compression };
        Self { speed, compressing: true, base: 0.0, impact: Impact { path, ..Impact::none(v) } }
    }

    /// Work since the last end of compression at which the impact ends [J].
    fn to_give_back(&self, law: &ImpactLaw) -> f64 {
        let e = law.restitution;
        (self.impact.compression - self.base) - e * e * self.impact.compression
    }

    /// Slides until the impact ends or the slip stops.
    fn slide(&mut self, contact: &Contact<'_>, mut y: Numbers, accuracy: f64) {
        let mass = 1.0 / contact.n.max(contact.t[0] + contact.t[2]);
        let scale = [
            1.0,
            1.0,
            self.speed * mass,
            self.speed,
            self.speed * self.speed * mass,
            self.speed * self.speed * mass,
            self.speed * mass,
            self.speed * mass,
        ];
        let stops = float::ln(NO_SLIP * self.speed);
        let mut h = 0.1 * mass;
        let mut first = contact.rates(&y);
        let mut turns = 0;
        for _ in 0..MAX_STEPS {
            let (next, error) = step(contact, &y, &first, h);
            let mut worst = 0.0_f64;
            for ((error, scale), (old, new)) in error.iter().zip(&scale).zip(y.iter().zip(&next)) {
                let ratio = error.abs() / (accuracy * (scale + old.abs().max(new.abs())));
                worst = if ratio > worst || ratio.is_nan() { ratio } else { worst };
            }
            let factor = 0.9 * float::pow(worst.max(1e-12), -0.2);
            if worst > 1.0 || worst.is_nan() {
                h *= if worst.is_finite() { factor.clamp(0.1, 0.9) } else { 0.1 };
                continue;
            }
            if self.compressing {
                self.impact.jam |= next[V] < y[V];
                if next[V] >= 0.0 {
                    y = within(contact, &y, &first, h, |y| y[V]);
                    y[V] = 0.0;
                    self.pause(&mut y);
                    first = contact.rates(&y);
                    if self.to_give_back(contact.law) <= 0.0 {
                        return self.end(contact, &y);
                    }
                    // Starts anew from the pause.
                    h = 0.1 * h.min(mass);
                    continue;
                }
            } else if next[WORK] >= self.to_give_back(contact.law) {
                let stop = self.to_give_back(contact.law);
                y = within(contact, &y, &first, h, |y| y[WORK] - stop);
                return self.end(contact, &y);
            } else if next[V] <= 0.0 {
                // Turning slip drives the bodies together once more.
                turns += 1;
                if turns > MAX_TURNS {
                    return self.end(contact, &y);
                }
                self.compressing = true;
            }
            y = next;
            first = contact.rates(&y);
            h *= factor.clamp(0.2, 5.0);
            if y[LOG] <= stops {
                return self.stopped(contact, &y);
            }
        }
        // The slip decays too slowly to be followed to its end: what is left of it is nothing.
        self.stopped(contact, &y);
    }

    /// Compression has ended.
    fn pause(&mut self, y: &mut Numbers) {
        self.compressing = false;
        self.impact.normal_pause = y[P];
        self.base += y[WORK];
        y[WORK] = 0.0;
        self.impact.compression = self.impact.compression.min(self.base);
    }

    /// The slip has stopped: the rest is a straight line.
    fn stopped(&mut self, contact: &Contact<'_>, y: &Numbers) {
        let mut y = *y;
        let (mut ratio, mut normal, mut tangential, mut slip) = contact.after_rest();
        self.impact.path = if self.compressing { Path::Compression } else { Path::Expansion };
        self.impact.slip_stop = Some(y[P]);
        let mut slipped = [0.0; 2];
        let mut advance = |y: &mut Numbers, p: f64, ratio: &[f64; 2], normal: f64, tangential: &[f64; 2]| {
            y[WORK] += p * (y[V] + 0.5 * normal * p);
            for i in 0..2 {
                let along = ratio[i] * p * (slipped[i] + 0.5 * tangential[i] * p);
                y[FRICTION] += along;
                slipped[i] += tangential[i] * p;
                y[SIDE + i] += ratio[i] * p;
            }
            y[V] += normal * p;
            y[P] += p;
        };
        if normal <= IMMOBILE * contact.n {
            if y[V] < -NO_SLIP * self.speed {
                // As in the planar solution: friction gives in where nothing within its cone can end the approach.
                (ratio, normal, tangential, slip) = ([0.0; 2], contact.n, contact.w, Slip::Reverses);
            } else {
                // It cannot move, and friction holds it.
                if self.compressing {
                    self.pause(&mut y);
                }
                self.impact.slip = slip;
                return self.close(&y, [0.0; 2], self.base + y[WORK]);
            }
        }
        self.impact.slip = slip;
        if self.compressing {
            let p = (-y[V] / normal).max(0.0);
            advance(&mut y, p, &ratio, normal, &tangential);
            y[V] = 0.0;
            self.pause(&mut y);
        }
        let left = 2.0 * normal * (self.to_give_back(contact.law) - y[WORK]).max(0.0);
        let p = left / (y[V] + (y[V] * y[V] + left).sqrt()) / normal;
        advance(&mut y, if p.is_finite() { p } else { 0.0 }, &ratio, normal, &tangential);
        self.close(&y, slipped, self.base + self.to_give_back(contact.law));
    }

    /// The impact ends while it slides.
    fn end(&mut self, contact: &Contact<'_>, y: &Numbers) {
        let r = float::exp(y[LOG]);
        let (s, c) = float::sin_cos(y[ANGLE]);
        let work = self.base + self.to_give_back(contact.law);
        self.close(y, [r * c, r * s], work);
    }

    fn close(&mut self, y: &Numbers, slip: [f64; 2], work: f64) {
        self.impact.impulse = Vec3::new(y[SIDE], y[SIDE + 1], y[P]);
        self.impact.velocity = Vec3::new(slip[0], slip[1], y[V].max(0.0));
        self.impact.normal_work = work.min(0.0);
        self.impact.friction_work = y[FRICTION].min(0.0);
    }
}
