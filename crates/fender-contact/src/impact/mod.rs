//! Impact as an algebraic event: velocities jump, positions do not move.
//!
//! Two rigid bodies touch at a point. During the touch, which takes no time, the impulse grows; the normal impulse p plays
//! the part of time, dv/dp = W·(ρ, 1), where W = J M⁻¹ Jᵀ is the inverse mass at the contact and ρ the friction ratio: −μ
//! times the direction of slip while it slides, whatever holds the slip at zero (if the static coefficient allows it)
//! while it sticks. Compression ends where the normal velocity is zero. The impact ends where the normal impulse has given
//! back e² of the work that it took in compression (Stronge's energetic restitution): E_stop = (1 − e²)·E_min. Whatever
//! friction does meanwhile, energy cannot grow.
//!
//! - [`planar()`]: slip along one line. Everything is piecewise straight in p, and solved in closed form.
//! - [`spatial()`]: slip that turns, an ordinary differential equation in p, to a requested accuracy.
//! - [`solve`]: the planar one where the slip stays in one plane, else the spatial one.
//! - [`simultaneous()`]: several contacts of coupled bodies at one instant, compressed together.
//!
//! Everything is in *contact space*: vectors (t₁, t₂, n) along two tangents and the normal, the velocity that of the
//! first body relative to the second, the normal from the second to the first (negative normal velocity: they approach),
//! the impulse that on the first body.
//!
//! References: Morgan 2011, M.S. thesis, The University of Texas at Arlington (chapters 2 and 3: the planar solution;
//! chapter 4: the equation in three dimensions); Stronge 1990, Proc. R. Soc. A 431, and *Impact Mechanics* (2000); Keller
//! 1986, J. Appl. Mech. 53; Batlle 1996, J. Appl. Mech. 63; Mirtich 1996, PhD thesis, UC Berkeley. Where this departs from
//! Morgan: the stick ratio is signed, so its size is compared (3.1); the stopping rule is Stronge's (the thesis does not
//! print one); a jam, where friction drives the bodies together, is followed instead of excluded; a start without slip has
//! a stated direction; and the signs of (4.11) and (4.12), which disagree, are those of p_t = +m·p_n.

mod planar;
mod simultaneous;
mod spatial;

pub use planar::planar;
pub use simultaneous::{Coupling, Member, simultaneous};
pub use spatial::{DEFAULT_ACCURACY, spatial};

use crate::ParameterError;
use crate::parameter::{not_negative, within};
use fender_math::{Mat3, Vec3};
use serde::{Deserialize, Serialize};

/// Slip below this part of the starting speed is none.
const NO_SLIP: f64 = 1e-12;
/// Inverse masses below this part of the largest are none.
const IMMOBILE: f64 = 1e-12;

/// How two surfaces answer an impact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImpactLaw {
    restitution: f64,
    coefficient: f64,
    static_coefficient: f64,
}

impl ImpactLaw {
    /// A law with the energetic coefficient of restitution (0 to 1, both included), the coefficient of sliding friction and
    /// that of sticking friction, which is not below it.
    pub fn new(restitution: f64, coefficient: f64, static_coefficient: f64) -> Result<Self, ParameterError> {
        let e = (0.0..=1.0).contains(&restitution);
        let restitution = within(e, "restitution", "from 0 to 1", restitution)?;
        let coefficient = not_negative("coefficient", "zero or above, and finite", coefficient)?;
        let above = static_coefficient >= coefficient && static_coefficient.is_finite();
        let range = "at least the coefficient of sliding friction, and finite";
        let static_coefficient = within(above, "static_coefficient", range, static_coefficient)?;
        Ok(Self { restitution, coefficient, static_coefficient })
    }

    /// Energetic coefficient of restitution.
    pub fn restitution(&self) -> f64 {
        self.restitution
    }

    /// Coefficient of sliding friction.
    pub fn coefficient(&self) -> f64 {
        self.coefficient
    }

    /// Coefficient of sticking friction.
    pub fn static_coefficient(&self) -> f64 {
        self.static_coefficient
    }

    /// The same surfaces without any rebound.
    #[must_use]
    pub fn plastic(&self) -> Self {
        Self { restitution: 0.0, ..*self }
    }
}

/// When the slip stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Path {
    /// The bodies do not approach, or nothing gives way: there is no impact.
    None,
    /// In compression, or there was none at the start (Morgan 2011, fig. 2.8: a-b-e).
    Compression,
    /// Not before the end (a-c-e).
    Never,
    /// In expansion (a-c-d-e).
    Expansion,
}

impl Path {
    /// For people.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Compression => "no slip, or it stops in compression",
            Self::Never => "slips throughout",
            Self::Expansion => "slip stops in expansion",
        }
    }
}

/// How the contact slips at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Slip {
    /// As it did from the start (its direction may have turned).
    Lasts,
    /// It stopped and sticks.
    Sticks,
    /// It stopped and went on in another direction (the opposite one where everything is in a plane).
    Reverses,
}

/// An impact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact {
    /// Impulse on the first body [N·s].
    pub impulse: Vec3,
    /// Relative velocity afterwards [m/s].
    pub velocity: Vec3,
    /// When the slip stopped.
    pub path: Path,
    /// How it slips at the end.
    pub slip: Slip,
    /// For a while friction drove the bodies together.
    pub jam: bool,
    /// Normal impulse at which the slip stopped [N·s].
    pub slip_stop: Option<f64>,
    /// Normal impulse at which compression ended [N·s].
    pub normal_pause: f64,
    /// Work of the normal impulse in compression, E_min, never positive [J].
    pub compression: f64,
    /// Work of the normal impulse in all [J]: (1 − e²)·E_min.
    pub normal_work: f64,
    /// Work of friction, never positive [J].
    pub friction_work: f64,
}

impl Impact {
    /// Bodies that do not collide.
    fn none(velocity: Vec3) -> Self {
        Self {
            impulse: Vec3::ZERO,
            velocity,
            path: Path::None,
            slip: Slip::Lasts,
            jam: false,
            slip_stop: None,
            normal_pause: 0.0,
            compression: 0.0,
            normal_work: 0.0,
            friction_work: 0.0,
        }
    }

    /// Change of the kinetic energy of everything that moves [J]: never positive.
    pub fn energy(&self) -> f64 {
        self.normal_work + self.friction_work
    }

    /// Makes sure that rounding does not break what the equations promise: no gain of energy, friction in its cone.
    fn kept(mut self, w: &Mat3, before: Vec3, law: &ImpactLaw) -> Self {
        let limit = law.static_coefficient * self.impulse.z;
        let friction = self.impulse.truncate().length();
        if friction > limit {
            let scale = limit / friction * (1.0 - f64::EPSILON);
            (self.impulse.x, self.impulse.y) = (self.impulse.x * scale, self.impulse.y * scale);
        }
        // ΔK = p·v + ½ p·W p, a parabola in the size of p: where rounding left it above zero, back to its root.
        for tries in 1..=8 {
            let p = self.impulse;
            let (gain, cost) = (p.dot(before), 0.5 * p.dot(*w * p));
            if gain + cost <= 0.0 {
                break;
            }
            self.impulse = p * ((-gain / cost).min(1.0) * (1.0 - 4.0 * f64::from(tries) * f64::EPSILON));
        }
        self
    }
}

/// Impact at a contact with inverse mass `w` = J M⁻¹ Jᵀ [1/kg] (symmetric, not indefinite) and relative velocity `v` [m/s],
/// both in contact space (t₁, t₂, n).
pub fn solve(w: &Mat3, v: Vec3, law: &ImpactLaw) -> Impact {
    if law.static_coefficient == 0.0 {
        // Without friction the slip does not matter, wherever it goes.
        let straight = planar(w.z_axis.z, 0.0, 0.0, (0.0, v.z), law);
        let path = if straight.path == Path::None { Path::None } else { Path::Never };
        let velocity = (v + w.z_axis * straight.impulse.z).with_z(straight.velocity.z);
        let none = Impact { velocity, path, slip: Slip::Lasts, slip_stop: None, ..straight };
        return if path == Path::None { Impact::none(v) } else { none.kept(w, v, law) };
    }
    let slip = v.truncate();
    let pull = w.z_axis.truncate();
    // The line along which it slips, or would begin to.
    let line = if slip.length() > NO_SLIP * v.length() { slip } else { pull };
    let along = line.try_normalize().map_or(Vec3::X, |d| d.extend(0.0));
    let across = Vec3::Z.cross(along);
    let largest = w.x_axis.x.max(w.y_axis.y).max(w.z_axis.z);
    let coupling = (across.dot(*w * along)).abs().max(across.dot(w.z_axis).abs());
    if coupling > 1e-12 * largest {
        return spatial(w, v, law, DEFAULT_ACCURACY).kept(w, v, law);
    }
    let [tangent, normal] = [along.dot(*w * along), w.z_axis.z];
    let flat = planar(normal, tangent, along.dot(w.z_axis), (along.dot(v), v.z), law);
    let turn = |x: Vec3| along * x.x + Vec3::Z * x.z;
    Impact { impulse: turn(flat.impulse), velocity: turn(flat.velocity), ..flat }.kept(w, v, law)
}
