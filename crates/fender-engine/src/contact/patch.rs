//! Contacts over a patch: what an overlap in a volume adds to a contact at a point.
//!
//! The elastic force has a couple (its direction is that of the patch's gradient), the slip has a part along the normal (the spin
//! times the radius of gyration), and damping resists rolling. Friction laws take the slip of three components as it is: a law that
//! treats all directions alike then bounds force and drilling torque together, as over a disc that slides and spins
//! (Contensou 1963; Gonthier 2007, section 4.4).

use super::{Arms, Contact, Jointed, Oblique};
use crate::data::BodyKinematics;
use fender_contact::{
    FrictionForce, Memory, Motion, Normal, PatchGradient, PatchOverlap, PointOverlap, Rolling, Spread,
};
use fender_math::{Mat3, Twist, Vec3, Wrench};

/// Place in the memory for the deflection that goes with the spin.
const TORSION: usize = 5;

/// The patch of a contact at this instant.
#[derive(Clone, Copy, Debug)]
pub struct PatchContact {
    /// Geometric fact.
    pub overlap: PatchOverlap,
    /// Direction of the elastic force.
    pub gradient: PatchGradient,
    /// Spread about the point.
    pub spread: Spread,
    /// Angular velocity of the first body relative to the second [rad/s].
    pub turning: Vec3,
    /// Friction along the normal [N]: times the radius of gyration it is the drilling torque.
    pub drilling: f64,
    /// Part of the power lost to friction that is that of drilling.
    pub drilling_part: f64,
    /// Torque of rolling resistance on the first body [N·m].
    pub rolling: Vec3,
    /// Power lost to it [W].
    pub rolling_power: f64,
}

impl PatchContact {
    /// The patch of an overlap under a normal law, with the overlap and the motion of the contact.
    #[inline]
    pub(crate) fn new(
        law: &Normal,
        overlap: PatchOverlap,
        ka: &BodyKinematics,
        kb: &BodyKinematics,
    ) -> (Self, PointOverlap, Motion) {
        let gradient = law.gradient(&overlap);
        let spread = Spread::new(&overlap, gradient.normal);
        let mut patch = Self {
            overlap,
            gradient,
            spread,
            turning: Vec3::ZERO,
            drilling: 0.0,
            drilling_part: 0.0,
            rolling: Vec3::ZERO,
            rolling_power: 0.0,
        };
        let motion = patch.motion((&ka.twist, &kb.twist), (ka, kb));
        patch.turning = ka.twist.angular - kb.twist.angular;
        let point = PointOverlap {
            point: overlap.point,
            normal: gradient.normal,
            depth: gradient.depth,
            curvature: 0.0,
            elongation: Vec3::ZERO,
            share: 1.0,
        };
        (patch, point, motion)
    }

    /// Approach along the gradient, and the slip with the spin.
    #[inline]
    pub(crate) fn motion(
        &self,
        (first, second): (&Twist, &Twist),
        (ka, kb): (&BodyKinematics, &BodyKinematics),
    ) -> Motion {
        let PatchGradient { normal: n, lever, .. } = self.gradient;
        let point = self.overlap.point;
        let relative = first.at(point - ka.center) - second.at(point - kb.center);
        let turning = first.angular - second.angular;
        let approach = -(n.dot(relative) + lever.dot(turning));
        let slip = relative + n * (self.spread.gyration * n.dot(turning) - n.dot(relative));
        Motion { approach, slip }
    }

    /// Four points in the plane of the patch that stand for its extent: the ends along the direction in which rolling closes it, and
    /// across that direction. A rectangle that rolls over one of its sides has the middles of its sides.
    pub(crate) fn ends(&self) -> [Vec3; 4] {
        let n = self.gradient.normal;
        let closing = n.cross(self.turning);
        let along = closing.try_normalize().unwrap_or_else(|| n.any_orthonormal_vector());
        let end = |direction: Vec3| {
            // Variance of the places along the direction: three times that is the square of a rectangle's half length.
            let about = n.cross(direction);
            direction * (3.0 * about.dot(self.spread.tilting * about)).max(0.0).sqrt()
        };
        let (long, wide) = (end(along), end(n.cross(along)));
        let point = self.overlap.point;
        [point + long, point - long, point + wide, point - wide]
    }

    /// Torque on the first body about the point, beside that of the force there [N·m].
    #[inline]
    pub fn couple(&self, normal_force: f64) -> Vec3 {
        self.gradient.lever * normal_force
            + self.gradient.normal * (self.spread.gyration * self.drilling)
            + self.rolling
    }

    /// The resistance to rolling under a normal force [N] with a velocity-dependent part [N·s/m].
    #[inline]
    pub(crate) fn resistance(&self, viscosity: f64, normal_force: f64) -> Rolling {
        Rolling::new(viscosity, &self.spread, normal_force)
    }

    /// Takes friction with its part along the normal.
    #[inline]
    pub(crate) fn split(&mut self, friction: &mut FrictionForce) {
        let n = self.gradient.normal;
        self.drilling = n.dot(friction.force);
        friction.force -= n * self.drilling;
        let rate = Vec3::new(friction.flow[0], friction.flow[1], friction.flow[2]);
        let along = n.dot(rate);
        friction.flow[..3].copy_from_slice(&(rate - n * along).to_array());
        friction.flow[TORSION] = along;
    }

    /// The friction of a step with its part along the normal: what [`PatchContact::split`] divides.
    #[inline]
    pub(crate) fn whole_friction(&self, contact: &Contact) -> Vec3 {
        self.whole_friction_of(contact.friction)
    }

    /// The same for a friction across the normal [N].
    #[inline]
    pub(crate) fn whole_friction_of(&self, across: Vec3) -> Vec3 {
        across + self.gradient.normal * self.drilling
    }

    /// A memory with the deflection of three components, as laws take it.
    #[inline]
    pub(crate) fn whole_memory(&self, memory: &Memory) -> Memory {
        let mut whole = *memory;
        let along = self.gradient.normal * memory.flow[TORSION];
        for (flow, along) in whole.flow[..3].iter_mut().zip(along.to_array()) {
            *flow += along;
        }
        whole.flow[TORSION] = 0.0;
        whole
    }
}

/// Wrenches on the bodies of a contact with a patch, about their centres.
#[inline]
pub(crate) fn wrenches(contact: &Contact, patch: &PatchContact, arms: Oblique) -> (Wrench, Wrench) {
    let (mut first, mut second) = arms.wrenches(contact.overlap.normal, contact.force());
    let couple = patch.couple(contact.normal_force);
    first.torque += couple;
    second.torque -= couple;
    (first, second)
}

/// How a body gives way at a patch: from a force and a couple to the change of its velocity.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Yielding {
    arm: Vec3,
    linear: Mat3,
    coupling: Mat3,
    /// Angular acceleration per torque [1/(kg·m²)].
    pub(crate) angular: Mat3,
}

impl Yielding {
    /// Both bodies of a contact with the given arms.
    pub(crate) fn both(arms: Jointed<'_>, ka: &BodyKinematics, kb: &BodyKinematics) -> [Self; 2] {
        let one = |link: Option<&crate::tree::Mobility>, body: &BodyKinematics, arm: Vec3| match link {
            Some(m) => Self { arm, linear: m.linear, coupling: m.coupling, angular: m.angular },
            None => Self {
                arm,
                linear: Mat3::IDENTITY * body.inverse_mass,
                coupling: Mat3::ZERO,
                angular: body.inverse_inertia,
            },
        };
        let (a, b) = arms.arms.arms();
        [one(arms.a, ka, a), one(arms.b, kb, b)]
    }

    /// Velocity change of the body's centre per time under a force at the patch and a couple.
    #[inline]
    pub(crate) fn answer(&self, force: Vec3, couple: Vec3) -> Twist {
        let torque = self.arm.cross(force) + couple;
        Twist {
            linear: self.linear * force + self.coupling * torque,
            angular: self.coupling.transpose() * force + self.angular * torque,
        }
    }

    /// How much a unit of force and couple changes the velocity along them [1/kg].
    #[inline]
    pub(crate) fn inverse_mass(&self, force: Vec3, couple: Vec3) -> f64 {
        let twist = self.answer(force, couple);
        force.dot(twist.linear) + (self.arm.cross(force) + couple).dot(twist.angular)
    }
}
