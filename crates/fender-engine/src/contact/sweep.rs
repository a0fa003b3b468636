//! Fast bodies: what they would hit on their way is found, and the step is divided where they hit.
//!
//! A step of a body without this ends where it ends: a ball that goes further than its size may jump over a plate, or end deep inside and
//! be thrown out. For a body that is said to be fast, the time up to its next touch is found by conservative advancement (Mirtich
//! 1996, section 2.3): two shapes at the distance d that come nearer by at most u per second cannot touch within d/u. The step ends
//! just before the touch. While that lasts steps are a part of its duration, which follows from mass, speed and law.

use super::layout::{Layout, Movable};
use super::{Arms, Contact, Oblique, PatchContact, side};
use crate::data::BodyKinematics;
use crate::evaluate::{evaluate, shape_pose};
use crate::integrator::{StepError, in_parts};
use crate::{BodyId, Control, Data, Integrator, Model, ShapeId, State};
use fender_contact::{Memory, Motion, Normal, PointOverlap};
use fender_geom::broad::BoxTree;
use fender_geom::{Bounds, Shape, distance};
use fender_math::{Pose, Vec3, rotation};

/// Steps during a hit, in parts of 1/ω of the contact at its deepest: about forty for the whole touch.
const HIT_STEP: f64 = 0.1;
/// A touch whose depth changes in a step by less than this part of the deepest is followed by the step itself.
const SLOW: f64 = 0.25;
/// Part of the thinner shape's half thickness up to which the shortest way out is trusted to be the right one.
const TRUSTED: f64 = 0.25;
/// Distance at which shapes count as touching, as part of the fast shape's half thickness.
const NEAR: f64 = 1e-3;
/// Halvings for the greatest depth of a touch: to a millionth.
const BISECTIONS: usize = 20;
/// Looks at one pair at most; one that needs more is taken as touching where it has come to.
const MAX_LOOKS: usize = 200;

/// Takes one step, in parts where fast bodies hit.
pub(crate) fn advance(
    integrator: &dyn Integrator,
    model: &Model,
    control: &Control,
    state: &mut State,
    data: &mut Data,
    limit: f64,
) -> Result<(), StepError> {
    let Some(step) = integrator.fixed_step() else {
        if model.fast.is_empty() {
            return integrator.advance(model, control, state, data, limit);
        }
        // Error control takes no more than it has proposed.
        let proposed =
            if state.integrator.proposed > 0.0 { state.integrator.proposed } else { f64::INFINITY };
        let length = part(integrator, model, control, state, data, proposed.min(limit - state.time));
        return integrator.advance(model, control, state, data, state.time + length);
    };
    in_parts(step, state, data, |state, data, left| {
        let length = part(integrator, model, control, state, data, left);
        integrator.advance_by(model, control, state, data, length)?;
        if length < 0.5 * step {
            // The acceleration that generalized-α keeps from a hit must not act on in a longer step.
            state.integrator.algorithmic.clear();
        }
        Ok(length == left)
    })
}

/// How much of the `left` seconds may pass before steps have to be shorter because of fast bodies [s].
pub(crate) fn part(
    integrator: &dyn Integrator,
    model: &Model,
    control: &Control,
    state: &State,
    data: &mut Data,
    left: f64,
) -> f64 {
    if model.fast.is_empty() {
        return left;
    }
    // With accelerations: what lies still under a load is told from what turns round in a hit.
    evaluate(model, control, state, data, integrator.treatment());
    let whole = integrator.fixed_step().unwrap_or(left);
    let mut part = left;
    for (contact, patch) in data.contacts.with_patches() {
        if model.is_fast_pair(contact.a, contact.b) {
            part = part.min(hit(model, data, contact, patch, Step { whole, left }));
        }
    }
    data.ways.find(model, state, &data.bodies, part);
    for pair in &data.ways.near {
        part = until_touch(model, state, data, *pair, Step { whole, left: part });
    }
    part
}

/// Step during a touch [s], or what is left if that is slow.
fn hit(model: &Model, data: &Data, contact: &Contact, patch: Option<&PatchContact>, step: Step) -> f64 {
    let (a, b) = (&data.bodies[contact.body_a.index()], &data.bodies[contact.body_b.index()]);
    let (ia, ib) = Oblique::to(contact.overlap.point, a, b).inverse_masses(contact.overlap.normal, a, b);
    let area = patch.map_or(0.0, |patch| patch.overlap.section.length());
    let law = &model.rules[contact.rule.index()].normal;
    let touch = Touch { law, overlap: contact.overlap, area, inverse_mass: ia + ib };
    let acceleration = |body: BodyId| {
        let free = model.bodies[body.index()].free;
        free.map_or(Vec3::ZERO, |free| Vec3::from_slice(&data.rates.v[free.v..free.v + 3]))
    };
    let turning = (acceleration(contact.body_a) - acceleration(contact.body_b)).dot(contact.overlap.normal);
    let motion = (contact.motion.approach, turning.abs());
    touch.step(motion, trusted_depth(model, contact.a, contact.b), step)
}

/// A touch, at its beginning or later.
struct Touch<'a> {
    law: &'a Normal,
    overlap: PointOverlap,
    /// Area of the patch [m²], for an elastic foundation.
    area: f64,
    /// How much a unit impulse changes the speed [1/kg].
    inverse_mass: f64,
}

impl Touch<'_> {
    /// Step with which a touch at the speed `approach` [m/s] that changes by `rate` [m/s²] is followed [s], or what is left if it goes by
    /// slowly, or is a rest.
    ///
    /// All of this is the same from the beginning of a touch to its end, and the parts of a step are equal: methods that keep energy
    /// with equal steps would lose or gain where it changes.
    fn step(&self, (approach, rate): (f64, f64), trusted: f64, step: Step) -> f64 {
        let memory = Memory { impact_speed: approach.abs(), ..Memory::default() };
        let at = |depth: f64| PointOverlap { depth, ..self.overlap };
        let stored = |depth: f64| match self.law {
            Normal::Depth(law) => law.rate(&at(depth), &Motion::default(), &memory).stored,
            Normal::Foundation(law) => 0.5 * law.stiffness_bound(self.area) * depth * depth,
        };
        // The speed that the whole energy of the touch would give: it is high also where the touch turns round.
        let energy = 0.5 * approach * approach / self.inverse_mass + stored(self.overlap.depth);
        let speed = (2.0 * energy * self.inverse_mass).sqrt();
        let mut low = self.overlap.depth.max(1e-6 * trusted);
        let mut deepest = low;
        while stored(deepest) < energy && deepest < 1e6 * trusted {
            (low, deepest) = (deepest, 1.5 * deepest);
        }
        for _ in 0..BISECTIONS {
            let middle = 0.5 * (low + deepest);
            *(if stored(middle) < energy { &mut low } else { &mut deepest }) = middle;
        }
        let bound = match self.law {
            Normal::Depth(law) => law.stiffness_bound(&at(deepest)),
            Normal::Foundation(law) => law.stiffness_bound(self.area),
        };
        let omega = (bound * self.inverse_mass).sqrt();
        // As an oscillation has it, whose speed is greatest where its rate is least.
        if approach.hypot(rate / omega) * step.whole <= SLOW * deepest.min(trusted) {
            return step.left;
        }
        // The depth must not change by more than what the memory of the side can follow.
        step.part((HIT_STEP / omega).min(0.5 * trusted / speed))
    }
}

/// A step of the integrator.
#[derive(Clone, Copy)]
struct Step {
    /// All of it [s].
    whole: f64,
    /// What is left of it [s].
    left: f64,
}

impl Step {
    /// The first of equal parts of what is left that are no longer than `longest` [s]: as long as those of a whole step, or little shorter.
    fn part(&self, longest: f64) -> f64 {
        // A thousandth of a part is rounding.
        let count = |time: f64, part: f64| (time / part - 1e-3).ceil().max(1.0);
        let usual = if self.whole.is_finite() { self.whole / count(self.whole, longest) } else { longest };
        if self.left.is_finite() { self.left / count(self.left, usual) } else { usual }
    }
}

/// Time up to the first touch of a shape of a fast body with another, or a short step into it [s], or what is left if there is none before.
fn until_touch(model: &Model, state: &State, data: &Data, (fast, id): (ShapeId, ShapeId), step: Step) -> f64 {
    let left = step.left;
    let (shape, other) = (&model.shapes[fast.index()], &model.shapes[id.index()]);
    let thin = model.thin[fast.index()];
    let (mut own, their) = (Path::of(model, &data.bodies, fast), Path::of(model, &data.bodies, id));
    let pair = (fast.min(id), fast.max(id));
    let trusted = trusted_depth(model, pair.0, pair.1);
    let sides = side::of(&state.sides, pair);
    if !sides.is_empty() {
        if !(touches_again(&shape.shape) || touches_again(&other.shape)) {
            return left;
        }
        // What touches may touch elsewhere too. So that it is told from what it touches it goes beside it, nearer than what would
        // be too deep.
        let lift = side::lift(sides, -0.5 * trusted);
        own.shift = if fast == pair.0 { lift } else { -lift };
    }
    let skipped = || model.skips(pair.0, pair.1) || state.parts(model, shape.body, other.body);
    if own.passes(&their, left) || skipped() {
        return left;
    }
    let Some((time, approach)) = own.meets(&their, NEAR * thin, left) else { return left };
    let Some(rule) = model.rule(shape.material, other.material) else { return left };
    let (a, b) = (&data.bodies[shape.body.index()], &data.bodies[other.body.index()]);
    // Of what the touch will be like only the size matters.
    let overlap = PointOverlap {
        point: own.at(time).translation,
        normal: Vec3::Z,
        depth: 0.0,
        curvature: 1.0 / thin,
        elongation: Vec3::ZERO,
        share: 1.0,
    };
    let [one, two] = [shape, other].map(|s| s.shape.largest_section(trusted));
    let area = one.min(two);
    let law = &model.rules[rule.index()].normal;
    let touch = Touch { law, overlap, area, inverse_mass: a.inverse_mass + b.inverse_mass };
    let first = touch.step((approach, 0.0), trusted, step).min(trusted / approach);
    // Up to just before the touch, and then into it: a long step that ends in it would feel its force for long.
    left.min(time.max(first))
}

/// Whether a shape is hollow somewhere, so that what touches it may come to touch it elsewhere.
fn touches_again(shape: &Shape) -> bool {
    matches!(shape, Shape::Mesh(_) | Shape::Torus { .. } | Shape::HalfTorus { .. } | Shape::Link { .. })
}

/// Depth up to which the shortest way out of a pair is the right one [m].
pub(super) fn trusted_depth(model: &Model, a: ShapeId, b: ShapeId) -> f64 {
    TRUSTED * model.thin[a.index()].min(model.thin[b.index()])
}

/// Half of a shape's thickness where it is thinnest, or nearly [m]; infinite for one without end, and for a sheet, whose sides
/// are told by the other shape.
pub(crate) fn half_thickness(shape: &Shape) -> f64 {
    match shape {
        // Of a plate the volume is half of the surface times the thickness.
        Shape::Mesh(mesh) => mesh.volume().map_or(f64::INFINITY, |volume| volume / mesh.area()),
        _ => match shape.bounds(&Pose::IDENTITY) {
            Bounds::Box { min, max } => 0.5 * (max - min).min_element(),
            Bounds::HalfSpace { .. } => f64::INFINITY,
        },
    }
}

/// Shapes that are near the ways of fast bodies.
#[derive(Debug, Default)]
pub(crate) struct Ways {
    /// Fast shape and other shape, in order.
    near: Vec<(ShapeId, ShapeId)>,
    /// Fast shapes and the boxes of their ways [m].
    boxes: Vec<(ShapeId, (Vec3, Vec3))>,
    tree: BoxTree,
}

impl Ways {
    /// Finds what may come near a fast shape within `left` seconds. Scenery is asked by every fast shape; what moves asks the tree of the fast shapes'
    /// ways, of which there are fewer.
    fn find(&mut self, model: &Model, state: &State, bodies: &[BodyKinematics], left: f64) {
        let Self { near, boxes, tree } = self;
        near.clear();
        boxes.clear();
        let Layout { scenery, movable, .. } = &model.layout;
        for id in model.fast.iter().filter(|id| !state.activity.is_idle(**id)) {
            for fast in model.bodies[id.index()].shapes.clone().map(ShapeId) {
                let path = Path::of(model, bodies, fast);
                let (min, max) = way(path.body, path.reach, left, NEAR * model.thin[fast.index()]);
                scenery.near(min, max, |other| near.push((fast, ShapeId(other))));
                boxes.push((fast, (min, max)));
            }
        }
        tree.build(boxes.len(), 0.0, |i| Some(boxes[i as usize].1));
        for Movable { body, shapes, radius, .. } in movable {
            let body = &bodies[body.index()];
            let (min, max) = way(body, radius + body.center.distance(body.pose.translation), left, 0.0);
            tree.near(min, max, |i| {
                let fast = boxes[i as usize].0;
                near.extend(shapes.clone().map(|other| (fast, ShapeId(other))));
            });
        }
        // What is found first shortens the time for what comes next.
        near.sort_unstable();
    }
}

/// Box that holds what is within `reach` [m] about a body's centre for `left` seconds, and the places from where it cannot be told from touching: as
/// near as `near` [m], or so near all the way that advancement would not come to its end.
fn way(body: &BodyKinematics, reach: f64, left: f64, near: f64) -> (Vec3, Vec3) {
    let spin = body.twist.angular.length();
    let speed = body.twist.linear.length() + if spin == 0.0 { 0.0 } else { spin * reach };
    // Twice what follows from the number of looks, for rounding.
    let around = Vec3::splat(reach + near + 2.0 * speed * left / MAX_LOOKS as f64);
    let end = body.center + body.twist.linear * left;
    let (min, max) = (body.center.min(end) - around, body.center.max(end) + around);
    // A step without end goes anywhere.
    if min.is_finite() && max.is_finite() { (min, max) } else { (Vec3::NEG_INFINITY, Vec3::INFINITY) }
}

/// How a shape goes on from now, with the speed it has.
struct Path<'a> {
    shape: &'a Shape,
    body: &'a BodyKinematics,
    pose_bs: &'a Pose,
    /// Of its points about the body's centre [m/s].
    turning: f64,
    /// Radius about the body's centre that holds it [m].
    reach: f64,
    /// How far beside its own place it goes [m].
    shift: Vec3,
}

impl<'a> Path<'a> {
    fn of(model: &'a Model, bodies: &'a [BodyKinematics], id: ShapeId) -> Self {
        let s = &model.shapes[id.index()];
        let body = &bodies[s.body.index()];
        let place = shape_pose(&body.pose, &s.pose_bs, s.central).translation;
        let off = place.distance(body.center);
        let reach = off + s.shape.bounding_radius();
        let spin = body.twist.angular.length();
        let is_ball = matches!(s.shape, Shape::Sphere { .. });
        let turning = if spin == 0.0 { 0.0 } else { spin * if is_ball { off } else { reach } };
        Self { shape: &s.shape, body, pose_bs: &s.pose_bs, turning, reach, shift: Vec3::ZERO }
    }

    /// Pose of the shape after `time` [s].
    fn at(&self, time: f64) -> Pose {
        let Pose { rotation, translation } = self.body.pose;
        let turn = rotation::from_rotation_vector(self.body.twist.angular * time);
        let center = self.body.center + self.shift + self.body.twist.linear * time;
        let body =
            Pose { rotation: turn * rotation, translation: center + turn * (translation - self.body.center) };
        body * *self.pose_bs
    }

    /// Whether the balls around two shapes pass each other within `left` seconds.
    fn passes(&self, other: &Self, left: f64) -> bool {
        let (from, speed) = (
            self.body.center + self.shift - other.body.center,
            self.body.twist.linear - other.body.twist.linear,
        );
        let way = speed * left;
        let nearest = (-from.dot(way) / way.length_squared().max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
        let reach = self.reach + other.reach;
        (from + way * nearest).length_squared() > reach * reach
    }

    /// When two shapes come as near as `near` [m], and the speed with which they may do so [m/s]; `None` if not within
    /// `left` seconds.
    fn meets(&self, other: &Self, near: f64, left: f64) -> Option<(f64, f64)> {
        let relative = self.body.twist.linear - other.body.twist.linear;
        let speed = relative.length() + self.turning + other.turning;
        let mut time = 0.0;
        for _ in 0..MAX_LOOKS {
            let [p, q] = distance::closest(self.shape, &self.at(time), other.shape, &other.at(time))?;
            let gap = p.distance(q);
            if gap <= near {
                break;
            }
            time += gap / speed;
            if time >= left {
                return None;
            }
        }
        Some((time, speed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::random::{random, steel};
    use crate::evaluate::kinematics;
    use crate::{BodyMotion, BodySpec};
    use fender_math::{MassProperties, Twist};

    /// Fixed boxes, a half-space and balls, half of which are fast; all over the same place.
    fn scene(seed: &mut u64) -> Model {
        let (mut builder, material) = steel();
        let ball = Shape::Sphere { radius: 0.01 };
        for i in 0..60 {
            let mut vector = |size: f64| Vec3::new(random(seed), random(seed), random(seed)) * size;
            let pose =
                Pose { translation: vector(0.5), rotation: rotation::from_rotation_vector(vector(2.0)) };
            let twist = Twist { linear: vector(200.0), angular: vector(1e3) };
            let mass = MassProperties::solid_sphere(0.03, 0.01);
            let (motion, shapes) = match i % 3 {
                0 => (
                    BodyMotion::Fixed,
                    vec![(Shape::Box { half: Vec3::new(0.05, 0.03, 0.002) }, Pose::IDENTITY, material)],
                ),
                1 => (BodyMotion::Free { mass }, vec![(ball.clone(), Pose::IDENTITY, material)]),
                _ => {
                    // A dumb-bell about its middle.
                    let at = |x: f64| (ball.clone(), Pose::from_translation(Vec3::X * x), material);
                    (BodyMotion::Free { mass }, vec![at(-0.02), at(0.02)])
                }
            };
            let body = builder.body(BodySpec { name: format!("{i}"), motion, pose, twist, shapes, group: 0 });
            if i % 6 == 1 || i % 6 == 5 {
                builder.fast(body);
            }
        }
        let floor = Pose::from_translation(Vec3::Z * -0.55);
        let shapes = vec![(Shape::HalfSpace, Pose::IDENTITY, material)];
        builder.body(BodySpec {
            name: "floor".into(),
            motion: BodyMotion::Fixed,
            pose: floor,
            twist: Twist::default(),
            shapes,
            group: 0,
        });
        builder.build().unwrap()
    }

    #[test]
    fn the_trees_leave_out_nothing_that_would_be_hit() {
        let mut seed = 1;
        let (mut hits, mut asked, mut all) = (0, 0, 0);
        for _ in 0..300 {
            let model = scene(&mut seed);
            let state = model.initial_state();
            let mut data = Data::default();
            kinematics(&model, &state, &mut data);
            for left in [1e-4, 1e-3, f64::INFINITY] {
                data.ways.find(&model, &state, &data.bodies, left);
                let until = |left: f64, pair: (ShapeId, ShapeId)| {
                    until_touch(&model, &state, &data, pair, Step { whole: left, left })
                };
                let first = data.ways.near.iter().fold(left, |left, pair| until(left, *pair));
                let every = |id: &BodyId| model.bodies[id.index()].shapes.clone();
                let others = || (0..model.shapes.len() as u32).map(ShapeId);
                let pairs = model
                    .fast
                    .iter()
                    .flat_map(every)
                    .flat_map(|fast| others().map(move |o| (ShapeId(fast), o)));
                let wanted = pairs.fold(left, until);
                assert_eq!(first.to_bits(), wanted.to_bits());
                if left.is_finite() {
                    hits += u32::from(first < left);
                    asked += data.ways.near.len();
                    all += model.fast.iter().flat_map(every).count() * model.shapes.len();
                }
            }
        }
        // Not empty: most of these steps end in a hit, and most shapes are not asked.
        assert!(hits > 300 && asked * 2 < all, "{hits} hits, {asked} of {all}");
    }
}
