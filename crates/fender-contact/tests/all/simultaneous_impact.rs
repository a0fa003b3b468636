//! Impacts of coupled contacts at one instant: what random groups must obey, a group of one against the exact solution, and a
//! ball between two walls.

use fender_contact::impact::{Coupling, ImpactLaw, Member, simultaneous, solve};
use fender_math::{Mat3, Vec3};

struct Random(u64);

impl Random {
    /// Uniform in [−1, 1).
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.next(), self.next(), self.next())
    }
}

/// A group of contacts on bodies with `6·bodies` coordinates of unit mass: W = J Jᵀ, v = J u.
struct Group {
    members: Vec<Member>,
    couplings: Vec<Coupling>,
    before: Vec<Vec3>,
    friction: f64,
}

fn group(seed: u64, count: usize, friction: f64, restitution: f64) -> Group {
    let mut random = Random(seed);
    let freedoms = 4 + count;
    let rows: Vec<Vec<Vec3>> = (0..count).map(|_| (0..freedoms).map(|_| random.vector()).collect()).collect();
    let mut couplings = Vec::new();
    for at in 0..count {
        for by in 0..count {
            let mut w = Mat3::ZERO;
            for (a, b) in rows[at].iter().zip(&rows[by]) {
                w += Mat3::from_cols(*a * b.x, *a * b.y, *a * b.z);
            }
            couplings.push(Coupling { at, by, w });
        }
    }
    let law = ImpactLaw::new(restitution, friction, friction).unwrap();
    let before: Vec<Vec3> = (0..count)
        .map(|_| {
            let v = random.vector();
            v.with_z(-0.05 - v.z.abs())
        })
        .collect();
    let members = before.iter().map(|v| Member::new(law, *v)).collect();
    Group { members, couplings, before, friction }
}

/// Change of the kinetic energy by the impulses that were found [J].
fn gained(group: &Group) -> f64 {
    let mut gained: f64 = group.members.iter().zip(&group.before).map(|(m, v)| m.impulse.dot(*v)).sum();
    for c in &group.couplings {
        gained += 0.5 * group.members[c.at].impulse.dot(c.w * group.members[c.by].impulse);
    }
    gained
}

/// Random groups of two to five contacts: they part, friction stays in its cone, energy does not grow, is all accounted for and
/// is kept if nothing takes it; and the answer does not depend on the order but for rounding.
#[test]
fn coupled_contacts_part_and_make_no_energy() {
    for seed in 0..300 {
        let mut random = Random(seed ^ 0x5eed);
        let count = 2 + (seed % 4) as usize;
        let friction = if seed % 3 == 0 { 0.0 } else { random.next().abs() };
        let restitution = if seed % 5 == 0 { 1.0 } else { random.next().abs() };
        let mut group = group(seed, count, friction, restitution);
        let kinetic: f64 = group.before.iter().map(|v| v.length_squared()).sum();
        assert!(simultaneous(&mut group.members, &group.couplings), "{seed}: no end");
        let change = gained(&group);
        let booked: f64 = group.members.iter().map(Member::energy).sum();
        assert!(change <= 1e-14 * kinetic, "{seed}: {change} J were made");
        assert!(
            (change - booked).abs() < 1e-11 * (kinetic + change.abs()),
            "{seed}: {change} J, booked {booked}"
        );
        if friction == 0.0 && restitution == 1.0 {
            assert!(change.abs() < 1e-12 * kinetic, "{seed}: {change} J were lost");
        }
        for member in &group.members {
            assert!(member.velocity.z > -1e-9, "{seed}: {member:?}");
            assert!(member.impulse.z >= 0.0 && member.normal_work < 1e-14 && member.friction_work < 1e-12);
            let limit = group.friction * member.impulse.z * (1.0 + 1e-12);
            assert!(member.impulse.truncate().length() <= limit, "{seed}: {member:?}");
        }
        // The same contacts in another order.
        let mut turned = self::group(seed, count, friction, restitution);
        turned.members.reverse();
        for c in &mut turned.couplings {
            (c.at, c.by) = (count - 1 - c.at, count - 1 - c.by);
        }
        simultaneous(&mut turned.members, &turned.couplings);
        for (a, b) in group.members.iter().zip(turned.members.iter().rev()) {
            let off = (a.impulse - b.impulse).length();
            assert!(off < 1e-9 * (1.0 + a.impulse.length()), "{seed}: {a:?} {b:?}");
        }
    }
}

/// A group of one contact comes to what the exact solution has: within the pieces' accuracy with friction, to rounding without.
#[test]
fn a_group_of_one_is_a_single_impact() {
    for seed in 0..200 {
        let mut random = Random(seed);
        let friction = if seed % 2 == 0 { 0.0 } else { random.next().abs() };
        let restitution = random.next().abs();
        let mut group = group(seed, 1, friction, restitution);
        let law = ImpactLaw::new(restitution, friction, friction).unwrap();
        let exact = solve(&group.couplings[0].w, group.before[0], &law);
        simultaneous(&mut group.members, &group.couplings);
        let [member] = &group.members[..] else { unreachable!() };
        let off = (member.impulse - exact.impulse).length() / exact.impulse.length();
        assert!(off < if friction == 0.0 { 1e-9 } else { 2e-2 }, "{seed}: {off} {member:?} {exact:?}");
    }
}

/// A ball between two walls that are driven together has no end, and is left with finite numbers.
#[test]
fn what_is_squeezed_is_left() {
    let law = ImpactLaw::new(0.5, 0.0, 0.0).unwrap();
    let mut members = [Member::new(law, -Vec3::Z), Member::new(law, -Vec3::Z)];
    let block = |at, by, sign: f64| Coupling { at, by, w: Mat3::from_diagonal(Vec3::splat(sign)) };
    let couplings = [block(0, 0, 1.0), block(0, 1, -1.0), block(1, 0, -1.0), block(1, 1, 1.0)];
    assert!(!simultaneous(&mut members, &couplings));
    assert!(members.iter().all(|m| m.impulse.is_finite() && m.velocity.is_finite()));
    assert!(!simultaneous(&mut members, &[]));
}
