//! Several contacts that are compressed at the same time.
//!
//! *Models*: frictional point impacts at one instant whose bodies are coupled, such as a ball that hits two others. *Equation*:
//! each contact is a spring of unit stiffness in a pseudo-time τ. Its compression r_i grows with the approach, dr_i/dτ = −v_n,i,
//! and is its force, dp_n,i/dτ = r_i, so that r_i = √(2 E_i) with E_i the energy it stores; dv/dτ = W·dp/dτ with the collision
//! matrix W of all contacts. Where the compression of a contact ends (v_n,i = 0), its stored energy falls to e² E_i (Stronge's
//! energetic restitution, contact by contact), and it ends where that is given back. Friction is Coulomb's, at every instant
//! opposite to the slip. *Valid when* the bodies are rigid and the contacts about equally stiff. *Limits*: the ratio of the
//! impulses is integrated in straight pieces, to about 10⁻³ of them; what is symmetric stays so, and energy and momentum are
//! exact in any case, because the work of a straight piece is. The answer does not depend on the order of the contacts but
//! for rounding. *References*: Stronge 2000, *Impact Mechanics*; Liu, Zhao and Brogliato 2008, Proc. R. Soc. A 464, 3193–3211, and
//! Jia, Mason and Erdmann 2013, Int. J. Robotics Research 32, 84–114 (rates of the impulses from the stored energies).

use super::{ImpactLaw, NO_SLIP, Path};
use fender_math::{Mat3, Vec2, Vec3};

/// Length of a piece, in radians of the fastest oscillation that the contacts could have.
const PIECE: f64 = 0.02;
/// Pieces after which the contacts are left as they are; after half of them friction gives in.
const MAX_PIECES: u32 = 50_000;
/// Iterations for the friction of a piece, each from the result of the piece before.
const FRICTION_ITERATIONS: u32 = 8;

/// Velocity at one contact per impulse at another, in the axes (t₁, t₂, n) of each [1/kg].
#[derive(Clone, Copy, Debug)]
pub struct Coupling {
    /// Where the velocity changes.
    pub at: usize,
    /// Where the impulse acts; may be the same contact.
    pub by: usize,
    /// The block of W = J M⁻¹ Jᵀ.
    pub w: Mat3,
}

/// One of several contacts, and what has happened to it.
#[derive(Clone, Copy, Debug)]
pub struct Member {
    law: ImpactLaw,
    before: Vec3,
    /// Relative velocity now [m/s].
    pub velocity: Vec3,
    /// Impulse on the first body [N·s].
    pub impulse: Vec3,
    /// When the slip stopped.
    pub path: Path,
    /// Work of the normal impulse, never positive but for rounding [J].
    pub normal_work: f64,
    /// Work of friction, never positive but for rounding [J].
    pub friction_work: f64,
    /// Energy of the compressed contact [J].
    stored: f64,
    /// Friction ratio of the last piece.
    ratio: Vec2,
    /// Largest tangential velocity per tangential impulses [1/kg].
    tangential: f64,
    /// Impulse and change of velocity of a piece, and the part of it at which compression or expansion ends.
    piece: Vec3,
    change: Vec3,
    ends: f64,
}

impl Member {
    /// A contact with its relative velocity in (t₁, t₂, n) [m/s].
    pub fn new(law: ImpactLaw, velocity: Vec3) -> Self {
        Self {
            law,
            before: velocity,
            velocity,
            impulse: Vec3::ZERO,
            path: Path::Never,
            normal_work: 0.0,
            friction_work: 0.0,
            stored: 0.0,
            ratio: Vec2::ZERO,
            tangential: 0.0,
            piece: Vec3::ZERO,
            change: Vec3::ZERO,
            ends: f64::INFINITY,
        }
    }

    /// Solves the impact as that of a contact which is coupled with no other, `w` being its collision matrix [1/kg].
    pub fn solve_alone(&mut self, w: &Mat3) {
        let alone = super::solve(w, self.before, &self.law);
        (self.velocity, self.impulse, self.path) = (alone.velocity, alone.impulse, alone.path);
        (self.normal_work, self.friction_work) = (alone.normal_work, alone.friction_work);
    }

    /// Speed of approach before the impact [m/s].
    pub fn speed(&self) -> f64 {
        -self.before.z
    }

    /// Change of the kinetic energy of everything that moves by this contact [J].
    pub fn energy(&self) -> f64 {
        self.normal_work + self.friction_work
    }

    /// Whether it is compressed by more than `none.0` [J], or approaches faster than `none.1` [m/s]. Without a least energy,
    /// contacts of little rebound would pass ever less of it on to each other.
    fn acts(&self, none: (f64, f64)) -> bool {
        self.stored > none.0 || self.velocity.z < -none.1
    }

    /// Normal impulse of a piece of this length, from the compression at its middle.
    fn normal_piece(&self, length: f64) -> f64 {
        let now = (2.0 * self.stored).sqrt();
        length * (now - 0.5 * length * self.velocity.z).max(0.5 * now)
    }

    /// The part of the piece at which compression ends, or all has been given back; infinite if neither.
    fn end(&self) -> f64 {
        let (v, dv, p) = (self.velocity.z, self.change.z, self.piece.z);
        if v < 0.0 {
            return if v + dv > 0.0 { -v / dv } else { f64::INFINITY };
        }
        let root = v * v * p * p + 2.0 * dv * p * self.stored;
        if root < 0.0 { f64::INFINITY } else { 2.0 * self.stored / (v * p + root.sqrt()) }
    }

    /// Goes along a part of the piece.
    fn advance(&mut self, part: f64) {
        let p = self.piece * part;
        let mean = self.velocity + self.change * (0.5 * part);
        let compressing = self.velocity.z < 0.0;
        self.normal_work += p.z * mean.z;
        self.friction_work += p.truncate().dot(mean.truncate());
        self.stored = (self.stored - p.z * mean.z).max(0.0);
        self.impulse += p;
        self.velocity += self.change * part;
        let holds = self.piece.truncate().length() < self.law.coefficient * self.piece.z * (1.0 - NO_SLIP);
        if holds && self.path == Path::Never && p.z > 0.0 {
            self.path = if compressing { Path::Compression } else { Path::Expansion };
        }
        if compressing && (self.ends <= part || self.velocity.z >= 0.0) {
            self.stored *= self.law.restitution * self.law.restitution;
            self.velocity.z = 0.0;
        } else if self.ends <= part {
            self.stored = 0.0;
        }
    }
}

/// Impacts at several contacts of coupled bodies at one instant; whether all came to their end. `couplings` are the blocks of
/// the collision matrix that are not zero.
pub fn simultaneous(members: &mut [Member], couplings: &[Coupling]) -> bool {
    let fastest = members.iter().fold(0.0_f64, |fastest, m| fastest.max(m.velocity.length()));
    for c in couplings {
        let rows = [(c.w.x_axis.x, c.w.y_axis.x), (c.w.x_axis.y, c.w.y_axis.y)];
        members[c.at].tangential += rows.map(|(x, y)| x.abs() + y.abs()).into_iter().fold(0.0, f64::max);
    }
    let mut finished = false;
    let square = square_frequency(members, couplings);
    if square <= 0.0 {
        // Nothing gives way.
        return false;
    }
    let length = PIECE / square.sqrt();
    let none = (NO_SLIP * NO_SLIP * fastest * fastest / square, NO_SLIP * fastest);
    for count in 0..MAX_PIECES {
        finished = !members.iter().any(|m| m.acts(none));
        if finished {
            break;
        }
        for member in members.iter_mut() {
            let normal = if member.acts(none) { member.normal_piece(length) } else { 0.0 };
            member.piece = (member.ratio * normal).extend(normal);
        }
        respond(members, couplings);
        let friction = count < MAX_PIECES / 2 && members.iter().any(|m| m.law.static_coefficient > 0.0);
        for _ in 0..if friction { FRICTION_ITERATIONS } else { 0 } {
            members.iter_mut().for_each(rub);
            respond(members, couplings);
        }
        let mut part = 1.0_f64;
        for member in members.iter_mut().filter(|m| m.piece.z > 0.0) {
            member.ratio = if friction { member.piece.truncate() / member.piece.z } else { Vec2::ZERO };
            member.ends = member.end();
            part = part.min(member.ends);
        }
        for member in members.iter_mut() {
            member.advance(part);
            member.ends = f64::INFINITY;
        }
    }
    keep(members, couplings);
    finished
}

/// Bound of the square of every frequency in pseudo-time: the largest sum of a row of W [1/kg].
fn square_frequency(members: &mut [Member], couplings: &[Coupling]) -> f64 {
    for m in members.iter_mut() {
        m.change.z = 0.0;
    }
    for c in couplings {
        let friction = members[c.by].law.static_coefficient * (c.w.x_axis.z.abs() + c.w.y_axis.z.abs());
        members[c.at].change.z += c.w.z_axis.z.abs() + friction;
    }
    members.iter().fold(0.0_f64, |square, m| square.max(m.change.z))
}

/// Changes of velocity by the pieces of all impulses.
fn respond(members: &mut [Member], couplings: &[Coupling]) {
    for m in members.iter_mut() {
        m.change = Vec3::ZERO;
    }
    for c in couplings {
        let change = c.w * members[c.by].piece;
        members[c.at].change += change;
    }
}

/// Turns the friction of a piece against the slip at its end: one step of the gradient towards the most dissipation within
/// Coulomb's circle. All contacts do so at once, so that none comes first.
fn rub(member: &mut Member) {
    if member.tangential <= 0.0 {
        return;
    }
    let slip = (member.velocity + member.change).truncate();
    let mut friction = member.piece.truncate() - slip / member.tangential;
    let size = friction.length();
    if size > member.law.static_coefficient * member.piece.z {
        friction *= member.law.coefficient * member.piece.z / size;
    }
    member.piece = friction.extend(member.piece.z);
}

/// Makes sure that rounding, or slip that turns within a piece, does not add energy.
fn keep(members: &mut [Member], couplings: &[Coupling]) {
    for m in members.iter_mut() {
        m.piece = m.impulse;
    }
    respond(members, couplings);
    let gain: f64 = members.iter().map(|m| m.impulse.dot(m.before)).sum();
    let cost: f64 = members.iter().map(|m| 0.5 * m.impulse.dot(m.change)).sum();
    if gain + cost > 0.0 {
        let scale = (-gain / cost).clamp(0.0, 1.0) * (1.0 - 4.0 * f64::EPSILON);
        for m in members.iter_mut() {
            m.impulse *= scale;
        }
    }
}
