//! Every pair of shapes that is supported, by the table of methods: against trying, under a common motion, with the bodies exchanged, and along
//! smooth paths.

use crate::inside::holds;
use crate::kinds::{self, Kind, Placed, kind};
use crate::measure::{ball_depth, depth_along, distance, least_depth};
use crate::pairs::Chance;
use crate::spines;
use fender_contact::PointOverlap;
use fender_geom::narrow::overlaps;
use fender_geom::{Polyhedron, Shape};
use fender_math::{Pose, Quat, Vec3, rotation};
use std::fmt::Write;
use std::sync::Arc;

/// What rounding may change, in depths and forces of bodies of about 1 m at up to 20 m from the origin.
const EXACT: f64 = 1e-9;

/// Random placements of each pair: seeds are fixed, and others in the long run.
fn cases() -> (u32, u64) {
    if std::env::var_os("FENDER_LONG").is_some() { (100_000, 2) } else { (1000, 1) }
}

/// Runs a check on `count` placements of every pair that counts, and tells of all pairs in which more than one of `per` fails.
fn for_every_pair(
    count: u32,
    seed: u64,
    per: u32,
    counts: impl Fn([Kind; 2]) -> bool,
    check: impl Fn([Kind; 2], &Placed, &mut Chance) -> Result<(), String>,
) {
    let mut report = String::new();
    for (i, kinds) in kinds::pairs().into_iter().enumerate().filter(|(_, kinds)| counts(*kinds)) {
        let chance = &mut Chance(seed << 32 | i as u64);
        let (mut failed, mut first) = (0, None);
        for _ in 0..count {
            let placed = Placed::random(kinds, chance);
            if let Err(why) = check(kinds, &placed, chance) {
                failed += 1;
                first.get_or_insert_with(|| format!("{why}: {placed:?}"));
            }
        }
        if let Some(first) = first.filter(|_| failed > count / per) {
            writeln!(report, "{kinds:?}: {failed} of {count}, the first: {first}").unwrap();
        }
    }
    assert!(report.is_empty(), "\n{report}");
}

/// None may fail.
const NEVER: u32 = u32::MAX;

impl Placed {
    fn points(&self) -> Vec<PointOverlap> {
        overlaps(&self.shapes[0], &self.poses[0], &self.shapes[1], &self.poses[1]).points().to_vec()
    }

    fn exchanged(&self) -> Self {
        let [a, b] = self.shapes.clone();
        Self { shapes: [b, a], poses: [self.poses[1], self.poses[0]] }
    }

    fn moved(&self, motion: &Pose) -> Self {
        Self { shapes: self.shapes.clone(), poses: self.poses.map(|pose| *motion * pose) }
    }

    /// With the first body moved by `by` [m].
    fn shifted(&self, by: Vec3) -> Self {
        let mut shifted = self.clone();
        shifted.poses[0].translation += by;
        shifted
    }

    fn deepest(&self) -> Option<PointOverlap> {
        self.points().into_iter().reduce(|p, q| if q.depth > p.depth { q } else { p })
    }

    /// Force of a contact of stiffness 1 N/m on the first body, and its moment about the origin of the second.
    fn wrench(&self) -> [Vec3; 2] {
        wrench(&self.points(), self.poses[1].translation)
    }

    /// Whether rounding decides between places or directions that are not near each other: what is found changes with the least motion.
    fn is_unsettled(&self) -> bool {
        const LEAST: f64 = 1e-8;
        let [force, moment] = self.wrench();
        let ways = [Vec3::new(1.0, 0.3, -0.2), Vec3::new(-0.4, 1.0, 0.5), Vec3::new(0.1, -0.6, -1.0)];
        ways.iter().flat_map(|way| [*way * LEAST, *way * -LEAST]).any(|by| {
            let [f, m] = self.shifted(by).wrench();
            (f - force).length() > 1e3 * LEAST || (m - moment).length() > 1e3 * LEAST
        })
    }
}

fn wrench(points: &[PointOverlap], about: Vec3) -> [Vec3; 2] {
    points.iter().fold([Vec3::ZERO; 2], |[force, moment], p| {
        let f = p.normal * (p.share * p.depth);
        [force + f, moment + (p.point - about).cross(f)]
    })
}

#[test]
fn every_kind_is_made() {
    let chance = &mut Chance(3);
    for made in kinds::KINDS {
        let shape = made.shape(chance);
        shape.check().unwrap();
        assert!(kind(&shape) == made || made == Kind::Heights && kind(&shape) == Kind::Closed);
    }
}

/// Depth of the deepest point against trying: of balls along a spine, by their distance; of convex solids, by all directions.
#[test]
fn depth_is_that_of_trying() {
    let (count, seed) = cases();
    let is_ball = |k: Kind| k == Kind::Sphere || k.is_tube();
    let counts = |[a, b]: [Kind; 2]| is_ball(a) || is_ball(b) || a.is_convex() && b.is_convex();
    for_every_pair(count, seed, NEVER, counts, |[a, _], placed, _| {
        // The ball or tube first, the half-space last.
        let is_second = !is_ball(a) && is_ball(kind(&placed.shapes[1])) || a == Kind::HalfSpace;
        let placed = if is_second { placed.exchanged() } else { placed.clone() };
        let [first, second] = &placed.shapes;
        let deepest = placed.deepest();
        let found = deepest.map_or(0.0, |p| p.depth);
        let is_ball = is_ball(kind(first));
        let exact = if is_ball { ball_depth(&placed) } else { least_depth(&placed) }.max(0.0);
        if kind(second) == Kind::HalfSpace && kind(first) != Kind::HalfTorus {
            // Points that stand for a rim or ring do not include the deepest, once all are below: a quarter or third of a turn apart they are up to an
            // eighth or a sixth of a turn beside it. Those that stand for several corners are higher than the lowest.
            let lacking = match *first {
                Shape::Cylinder { radius, .. } | Shape::Cone { radius, .. } | Shape::Torus { radius, .. } => {
                    0.3 * radius
                }
                Shape::Link { radius, .. } => 0.5 * radius,
                Shape::Polyhedron(ref hull) if hull.vertices().len() > 8 => f64::INFINITY,
                _ => 0.0,
            };
            let is_right =
                found <= exact + EXACT && found >= exact - lacking - EXACT && (found > 0.0 || exact < EXACT);
            return if is_right { Ok(()) } else { Err(format!("{found}, not {exact}")) };
        }
        if !is_ball {
            // No other direction is better, and this one not worse than it should be.
            let along = deepest.map_or(0.0, |p| depth_along(&placed, p.normal));
            let is_right = found <= exact + EXACT && (found - along).abs() < EXACT;
            return if is_right {
                Ok(())
            } else {
                Err(format!("{found}, not {exact}, {along} along the normal"))
            };
        }
        // Nothing is missed, but of a spine that goes into a closed mesh: there the nearest face changes from place to place, each change may be a low, and of two next to
        // each other one may be missed that is deeper by a fiftieth. (In a polyhedron, which is convex, one of 10⁵ was missed, by a thousandth.) And there is a ball that is so deep.
        let is_inside = kind(first).is_tube() && exact >= spines::bar(first);
        let close = match second {
            Shape::Mesh(mesh) if is_inside && mesh.is_closed() => 0.02 * exact,
            Shape::Polyhedron(_) if is_inside => 0.002 * exact,
            _ => EXACT,
        };
        let off = deepest.map_or(0.0, |p| off_a_ball(&placed, &p));
        if found >= exact - close - EXACT && off < 1e-8 {
            Ok(())
        } else {
            Err(format!("{found}, not {exact} ({:e}), or off a ball by {off:e}", found - exact))
        }
    });
}

/// The first shape at a place, the second at the origin, both turned by quaternions (x, y, z, w).
fn placed(shapes: [Shape; 2], at: [f64; 3], turns: [[f64; 4]; 2]) -> Placed {
    let turn = |q: [f64; 4]| Quat::from_xyzw(q[0], q[1], q[2], q[3]);
    let first = Pose { translation: Vec3::from_array(at), rotation: turn(turns[0]) };
    let second = Pose { translation: Vec3::ZERO, rotation: turn(turns[1]) };
    Placed { shapes, poses: [first, second] }
}

fn cylinder(radius: f64, half_height: f64) -> Shape {
    Shape::Cylinder { radius, half_height }
}

/// Pairs deep in each other for which the long run found that another direction was less deep.
#[test]
fn other_directions_of_deep_solids() {
    let cases = [
        placed(
            [
                cylinder(0.5130116245224546, 0.17192680951592967),
                cylinder(0.2305965958472502, 0.9514749116139186),
            ],
            [-0.15115827798042153, 0.14047047950340907, 0.058186302872020645],
            [
                [-0.011333780182231174, -0.18189817922687734, 0.05478774528188747, -0.9817244525770227],
                [0.6304820829406911, -0.0773381750097587, -0.5572761312924188, 0.5347471021601541],
            ],
        ),
        placed(
            [
                cylinder(0.4347818085444768, 0.16386076317431952),
                cylinder(0.45108446279982883, 0.47420549972868375),
            ],
            [0.2064160482831129, -0.02801587644006416, -0.1726322485299139],
            [
                [0.5907310961533815, 0.7003856423679193, 0.006568198581710852, -0.4005665771999614],
                [-0.18721692575262694, 0.4850634192090552, 0.7301946583615279, 0.44325958868054643],
            ],
        ),
        // The contact is beyond the axis of the cone.
        placed(
            [
                cylinder(0.822659721628953, 0.15698606633292628),
                Shape::Cone { radius: 0.5046862922942081, half_height: 0.1603626665167102 },
            ],
            [0.6995825005075998, -0.45211367181803797, -0.3454911408466194],
            [
                [-0.5111668015666024, 0.2153890969026858, -0.058424869468898036, 0.8300015497209371],
                [-0.8198846758555401, 0.3794069540760209, -0.2203526990388314, -0.36780996387035825],
            ],
        ),
    ];
    for placed in cases {
        let found = placed.deepest().map_or(0.0, |p| p.depth);
        assert!(found <= least_depth(&placed) + EXACT, "{found}: {placed:?}");
    }
}

/// Solids that are parted by their depth do not touch any more, however the depth was found. (Two cylinders did, up to about 1e-7 m apart, with a depth below zero.)
#[test]
fn parted_solids_do_not_touch() {
    let (count, seed) = cases();
    let counts = |kinds: [Kind; 2]| kinds.iter().all(|k| k.is_convex() && *k != Kind::HalfSpace);
    let part = |placed: &Placed| {
        let Some(p) = placed.deepest() else { return Ok(()) };
        for by in [EXACT, 1e-8, 1e-7] {
            let left = placed.shifted(p.normal * (p.depth + by)).points();
            if !left.is_empty() {
                return Err(format!("{by} m apart, and {left:?}"));
            }
        }
        Ok(())
    };
    // The one that the long run found.
    let kept = placed(
        [cylinder(0.4020953782639818, 0.8209955482467686), cylinder(0.1, 0.1)],
        [0.0006047232903512077, -0.36235916954439956, 0.33844812318803996],
        [
            [-0.6681708420519916, 0.3560708586608471, 0.6240369937924156, -0.1932332782482979],
            [0.2091227478788762, 0.0, 0.9763197773650757, 0.05538383017991095],
        ],
    );
    assert_eq!(part(&kept), Ok(()));
    for_every_pair(count, seed + 60, NEVER, counts, |_, placed, _| part(placed));
}

/// Two lowest places of a ring beside a polyhedron, 23 mm apart with a rise of 8 µm between them, of which the long run found that the lower one was missed.
#[test]
fn low_places_close_to_each_other() {
    let corners = [
        [-0.0957250247037972, -0.2772743409932428, 0.5302609972667481],
        [0.0628333616948043, -0.6125041117972972, -0.016737307120749306],
        [-0.03038502798074605, -0.756260110890842, 0.42177635895341636],
        [-0.1998742083703842, -0.16261195232795428, 0.09756293006974237],
        [0.052170427006788894, -0.1932993171964008, 0.041227306800278585],
        [0.0022413355797690493, -0.4116070354452035, 0.5620585578189241],
        [-0.3112807304774108, -0.7907890113246676, -0.07110682027133702],
        [-0.4725949890977557, -0.1769735230275385, -0.03305476942785257],
        [-0.08132717457445726, -0.4504194882527204, 0.5242075378536404],
        [-0.13055777588102946, -0.6543975896547154, -0.11189151848550605],
        [0.13357574252221532, -0.6101626313594005, 0.3077330077652462],
        [0.11521430270299665, -0.18217511642770645, -0.10266187786928466],
        [-0.19273575590129, -0.23813880386451405, 0.5259861001535262],
        [-0.3796785425429273, -0.5608621803049316, 0.13377134830341728],
    ];
    let hull = Polyhedron::hull(&corners.map(Vec3::from_array)).unwrap();
    let ring = Shape::Torus { radius: 0.6670488607816439, tube: 0.12653456048762102 };
    let placed = placed(
        [Shape::Polyhedron(Arc::new(hull)), ring],
        [-0.3703563512456717, 0.49871087539505804, -0.7448822402211801],
        [
            [-0.08466821877213966, 0.27608652444030246, -0.8233504990077523, 0.4885708541615154],
            [-0.098637939563536, -0.44742524684070023, -0.5537935431232603, -0.6952653572292987],
        ],
    );
    let found = placed.deepest().map_or(0.0, |p| p.depth);
    let exact = ball_depth(&placed.exchanged());
    assert!((found - exact).abs() < EXACT, "{found}, not {exact}");
}

/// How far a point is off one that a ball of the first shape, which is one or a tube, would have in the second [m]: on the ball, or half as deep in it.
fn off_a_ball(placed: &Placed, p: &PointOverlap) -> f64 {
    let [a, b] = &placed.shapes;
    let radius = if let Shape::Sphere { radius } = *a { radius } else { spines::bar(a) };
    let off = |down: f64| {
        let center = p.point + p.normal * down;
        let own = placed.poses[0].inverse_transform_point(center);
        let depth = radius - distance(b, placed.poses[1].inverse_transform_point(center));
        (distance(a, own) + radius).abs().max((depth - p.depth).abs())
    };
    off(radius).min(off(radius - 0.5 * p.depth))
}

/// A point inside both means a contact.
#[test]
fn nothing_is_missed() {
    let (count, seed) = cases();
    let check = |_: [Kind; 2], placed: &Placed, chance: &mut Chance| {
        if !placed.points().is_empty() {
            return Ok(());
        }
        let [a, b] = &placed.shapes;
        // About the one that is not endless.
        let i = usize::from(a.is_endless());
        let reach = placed.shapes[i].bounding_radius();
        for _ in 0..200 {
            let p = placed.poses[i].transform_point(chance.vector() * reach);
            if holds(a, &placed.poses[0], p) && holds(b, &placed.poses[1], p) {
                let deep =
                    |k: usize| -distance(&placed.shapes[k], placed.poses[k].inverse_transform_point(p));
                return Err(format!("no contact, and {p} is {} and {} inside", deep(0), deep(1)));
            }
        }
        Ok(())
    };
    for_every_pair(count, seed + 10, NEVER, |_| true, check);
}

/// A motion of both changes nothing but where it is. In one of 100 rounding decides between places that are equally deep, or between normals: the deepest place of a
/// spine inside a mesh is where two faces are as near, and which of them the ball there is pushed from is a matter of the last bit. A shift by 1e-8 m does not always tell, because that
/// place moves along.
#[test]
fn a_common_motion_changes_nothing() {
    let (count, seed) = cases();
    for_every_pair(
        count,
        seed + 20,
        100,
        |_| true,
        |kinds, placed, chance| {
            let motion = Pose { translation: chance.vector() * 20.0, rotation: chance.turn() };
            let [force, moment] = placed.wrench();
            let [f, m] = placed.moved(&motion).wrench();
            let off = (motion.rotation * force - f).length().max((motion.rotation * moment - m).length());
            // The curves of meshes have digits less.
            let close = if kinds.iter().any(|k| k.is_mesh()) { 1e-6 } else { EXACT };
            if off < close || placed.is_unsettled() {
                Ok(())
            } else {
                Err(format!("force or moment off by {off:e}"))
            }
        },
    );
}

/// The first with the second is the second with the first, to the last bit; but for two that are equal.
#[test]
fn exchanging_the_bodies_turns_the_normals() {
    let (count, seed) = cases();
    for_every_pair(
        count,
        seed + 30,
        NEVER,
        |_| true,
        |kinds, placed, _| {
            let (points, mut back) = (placed.points(), placed.exchanged().points());
            for p in &mut back {
                p.normal = -p.normal;
            }
            // Two spheres have a formula that rounds otherwise.
            let is_same = placed.shapes[0] == placed.shapes[1]
                || points == back
                || kinds == [Kind::Sphere; 2]
                    && points
                        .iter()
                        .zip(&back)
                        .all(|(p, q)| p.point.distance(q.point) < 1e-15 && (p.depth - q.depth).abs() < 1e-15);
            if is_same { Ok(()) } else { Err(format!("{points:?} {back:?}")) }
        },
    );
}

/// A motion of the first body.
struct Path {
    start: Placed,
    velocity: Vec3,
    spin: Vec3,
}

impl Path {
    fn at(&self, t: f64) -> Placed {
        let mut placed = self.start.clone();
        placed.poses[0].translation += self.velocity * t;
        placed.poses[0].rotation = rotation::from_rotation_vector(self.spin * t) * placed.poses[0].rotation;
        placed
    }

    /// Where between `a` and `b` the force changes by more than `least` [N] however near they are, if it does.
    fn jump(&self, (mut a, mut b): (f64, f64), least: f64) -> Option<f64> {
        let force = |t: f64| self.at(t).wrench()[0];
        let (mut fa, mut fb) = (force(a), force(b));
        while b - a > 1e-9 {
            if (fb - fa).length() < least {
                return None;
            }
            let t = 0.5 * (a + b);
            let f = force(t);
            if (f - fa).length() > (fb - f).length() { (b, fb) = (t, f) } else { (a, fa) = (t, f) }
        }
        ((fb - fa).length() > least).then_some(a)
    }
}

const STEPS: u32 = 10;

/// No depth changes faster than the body moves, however deep it is and whatever features take over.
#[test]
fn depth_changes_no_faster_than_the_bodies_move() {
    let (count, seed) = cases();
    let is_ball = |k: Kind| k == Kind::Sphere || k.is_tube();
    let counts = |[a, b]: [Kind; 2]| {
        (is_ball(a) || is_ball(b) || a.is_convex() && b.is_convex())
            && a != Kind::HalfSpace
            && b != Kind::HalfSpace
    };
    for_every_pair(count / STEPS, seed + 40, NEVER, counts, |_, placed, chance| {
        let start = if placed.shapes[0].is_endless() { placed.exchanged() } else { placed.clone() };
        let path = Path { start, velocity: chance.direction() * 0.3, spin: chance.direction() * 0.3 };
        let depth = |t: f64| path.at(t).deepest().map_or(0.0, |p| p.depth);
        // No point of the body moves farther in a step; a tube on a mesh may be off by a fiftieth (see above).
        let farthest = (0.3 + 0.3 * path.start.shapes[0].bounding_radius()) / f64::from(STEPS);
        let mut before = depth(0.0);
        for k in 1..=STEPS {
            let after = depth(f64::from(k) / f64::from(STEPS));
            let off = 0.02 * before.max(after);
            let has_mesh = path.start.shapes.iter().any(|s| matches!(s, Shape::Mesh(_)));
            if (after - before).abs() > farthest + if has_mesh { off } else { EXACT } {
                return Err(format!(
                    "from {before} to {after} in step {k}, and the body moves by {farthest}"
                ));
            }
            before = after;
        }
        Ok(())
    });
}

/// Where both surfaces are smooth and the contact is shallow, the force does not jump.
#[test]
fn force_does_not_jump_on_smooth_shapes() {
    let (count, seed) = cases();
    let is_smooth = |k: Kind| k.is_smooth() && !k.is_tube();
    let counts = |[a, b]: [Kind; 2]| is_smooth(a) && is_smooth(b);
    for_every_pair(count / STEPS, seed + 50, NEVER, counts, |_, placed, chance| {
        let Some(p) = placed.deepest() else { return Ok(()) };
        // Parted but for a centimetre.
        let start = placed.shifted(p.normal * (p.depth - 0.01));
        let path = Path { start, velocity: chance.direction() * 0.005, spin: chance.direction() * 0.1 };
        for k in 0..STEPS {
            let span = (f64::from(k) / f64::from(STEPS), f64::from(k + 1) / f64::from(STEPS));
            if let Some(t) = path.jump(span, 1e-6) {
                return Err(format!("at {t}: {:?} {:?}", path.at(t).points(), path.at(t + 1e-9).points()));
            }
        }
        Ok(())
    });
}
