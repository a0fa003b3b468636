//! Slip along one line: the closed form.
//!
//! *Models*: one frictional point impact whose slip stays in a plane. *Equation*: on a piece of constant friction ratio ρ
//! (p_t = ρ·p_n), v_t' = C + ρT and v_n' = N + ρC; pieces end where v_t = 0 (3.2) or v_n = 0 (3.3); E_n = v_n·p + ½(N + ρC)p²
//! on each (2.21, where M·L_n = Jᵀ has removed the mass matrix). *Valid when* the impact is short and bodies are rigid.
//! *Limits*: restitution is a constant of the pair. *References*: Morgan 2011, chapters 2 and 3.

use super::{IMMOBILE, Impact, ImpactLaw, NO_SLIP, Path, Slip};
use fender_math::Vec3;

/// The contact while the impulse grows.
#[derive(Clone, Copy)]
struct Course {
    v_t: f64,
    v_n: f64,
    p_n: f64,
    p_t: f64,
    normal_work: f64,
    friction_work: f64,
}

/// A straight piece of it.
#[derive(Clone, Copy)]
struct Piece {
    /// Friction ratio ρ.
    ratio: f64,
    /// v_t' [1/kg].
    tangential: f64,
    /// v_n' [1/kg].
    normal: f64,
}

impl Course {
    fn advance(&mut self, piece: &Piece, p: f64) {
        self.normal_work += p * (self.v_n + 0.5 * piece.normal * p);
        // Friction opposes slip all along a piece; rounding must not make it give.
        self.friction_work += (piece.ratio * p * (self.v_t + 0.5 * piece.tangential * p)).min(0.0);
        self.v_t += piece.tangential * p;
        self.v_n += piece.normal * p;
        self.p_n += p;
        self.p_t += piece.ratio * p;
    }
}

/// Planar impact: inverse masses along the normal, along the tangent and between them, `normal` = N, `tangent` = T,
/// `coupling` = C with C² ≤ N·T [1/kg], and the relative velocity (v_t, v_n) [m/s]. In the answer x is along the tangent, z along
/// the normal, y zero.
///
/// Where the tangent does not give way (T is nothing beside N), friction has no effect: such a contact is frictionless.
/// Where the contact can only move along one line (C² = N·T, as at the tip of a pendulum) and friction can hold it there, no
/// finite impulse brings it back, and it stays at rest whatever the restitution.
pub fn planar(normal: f64, tangent: f64, coupling: f64, (v_t, v_n): (f64, f64), law: &ImpactLaw) -> Impact {
    let start = Vec3::new(v_t, 0.0, v_n);
    if v_n >= 0.0 || normal <= 0.0 || !start.is_finite() {
        return Impact::none(start);
    }
    let e = law.restitution;
    let slippery = tangent <= IMMOBILE * normal;
    let stick = if slippery { 0.0 } else { -coupling / tangent };
    let piece = |ratio: f64| {
        let ratio = if slippery { 0.0 } else { ratio };
        Piece { ratio, tangential: coupling + ratio * tangent, normal: normal + ratio * coupling }
    };
    // After the slip has stopped: exactly, whatever rounding left of it.
    let from_rest = || {
        if stick.abs() <= law.static_coefficient && !slippery {
            let held = (normal + stick * coupling).max(0.0);
            (Piece { ratio: stick, tangential: 0.0, normal: held }, Slip::Sticks)
        } else {
            (piece(-law.coefficient * coupling.signum()), Slip::Reverses)
        }
    };
    let mut at = Course { v_t, v_n, p_n: 0.0, p_t: 0.0, normal_work: 0.0, friction_work: 0.0 };
    // Normal impulse still needed to stop the slip, and to end compression; infinite if that does not happen.
    let to_stop = |at: &Course, piece: &Piece| {
        let p = -at.v_t / piece.tangential;
        if p > 0.0 { p } else { f64::INFINITY }
    };
    let to_pause =
        |at: &Course, piece: &Piece| if piece.normal > 0.0 { -at.v_n / piece.normal } else { f64::INFINITY };

    let starts_at_rest = v_t.abs() <= NO_SLIP * start.length();
    let mut now = piece(-law.coefficient * v_t.signum());
    let jam = !starts_at_rest && now.normal <= 0.0;
    let stop = if starts_at_rest { 0.0 } else { to_stop(&at, &now) };
    let pause = if starts_at_rest { f64::INFINITY } else { to_pause(&at, &now) };
    let (mut path, mut slip, mut slip_stop) = (Path::Never, Slip::Lasts, None);
    // A tie is a stop in compression, also one that rounding hides: the friction must change at it.
    if stop <= pause * (1.0 + NO_SLIP) && stop.is_finite() {
        at.advance(&now, stop);
        at.v_t = 0.0;
        (now, slip) = from_rest();
        (path, slip_stop) = (Path::Compression, Some(at.p_n));
    }
    if now.normal <= IMMOBILE * normal {
        if at.v_n >= -NO_SLIP * start.length() {
            return locked(at, path, slip, jam, slip_stop);
        }
        // What cannot move is being run into: no finite impulse within the cone ends that, so friction gives in.
        (now, slip) = (piece(0.0), Slip::Reverses);
    }
    let rest = to_pause(&at, &now).max(0.0);
    at.advance(&now, rest);
    at.v_n = 0.0;
    let (normal_pause, compression) = (at.p_n, at.normal_work.min(0.0));
    // From here on what is given back is counted: next to the whole, a small restitution would be lost in rounding.
    at.normal_work = 0.0;
    if path == Path::Never {
        let end = e * (-2.0 * compression / now.normal).sqrt();
        let stop = to_stop(&at, &now);
        if stop < end {
            at.advance(&now, stop);
            at.v_t = 0.0;
            (now, slip) = from_rest();
            (path, slip_stop) = (Path::Expansion, Some(at.p_n));
        }
    }
    if now.normal <= IMMOBILE * normal {
        at.normal_work += compression;
        let impact = locked(at, path, slip, jam, slip_stop);
        return Impact { normal_pause, compression, ..impact };
    }
    let left = 2.0 * now.normal * (-e * e * compression - at.normal_work).max(0.0);
    let p = left / (at.v_n + (at.v_n * at.v_n + left).sqrt()) / now.normal;
    // Nothing is left where compression took nothing, or where nothing is given back.
    at.advance(&now, if p.is_finite() { p } else { 0.0 });
    if slip == Slip::Sticks {
        at.v_t = 0.0;
    }
    Impact {
        impulse: Vec3::new(at.p_t, 0.0, at.p_n),
        velocity: Vec3::new(at.v_t, 0.0, at.v_n.max(0.0)),
        path,
        slip,
        jam,
        slip_stop,
        normal_pause,
        compression,
        normal_work: (1.0 - e * e) * compression,
        friction_work: at.friction_work,
    }
}

/// The contact cannot move and friction holds it: it stays where it is.
fn locked(at: Course, path: Path, slip: Slip, jam: bool, slip_stop: Option<f64>) -> Impact {
    Impact {
        impulse: Vec3::new(at.p_t, 0.0, at.p_n),
        velocity: Vec3::new(at.v_t, 0.0, at.v_n.max(0.0)),
        path,
        slip,
        jam,
        slip_stop,
        normal_pause: at.p_n,
        compression: at.normal_work.min(0.0),
        normal_work: at.normal_work.min(0.0),
        friction_work: at.friction_work,
    }
}
