//! Candidate pairs, kept as long as nothing has moved far.
//!
//! The list is a superset of the overlaps and is ordered, so how old it is changes no result: the narrow phase drops
//! what does not overlap.

use super::layout::{Brief, Layout};
use super::side;
use crate::data::BodyKinematics;
use crate::evaluate::shape_pose;
use crate::{BodyId, Model, RuleId, ShapeId, State};
use fender_geom::broad::{Mover, Scene, Scenery};
use fender_geom::{Bounds, BroadPhase};
use fender_math::Pose;

/// Two shapes that might touch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair {
    pub(crate) a: ShapeId,
    pub(crate) b: ShapeId,
    pub(crate) body_a: BodyId,
    pub(crate) body_b: BodyId,
    pub(crate) rule: RuleId,
    /// Square of the distance of the bodies' origins beyond which they are certainly apart [m²].
    pub(crate) reach2: f64,
    /// What kind of meeting it is.
    pub(crate) kind: PairKind,
}

/// What can be said of a pair before it touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PairKind {
    /// Two balls about their bodies' centres: nearer than their reach they overlap. Radial.
    Balls,
    /// The contact's arms lie along its normal (see `Arms`).
    Radial,
    /// They overlap in a volume: one contact with a patch.
    Patch,
    /// Nothing.
    Any,
}

/// Candidate pairs and the poses for which they were found.
#[derive(Debug, Default)]
pub(crate) struct PairCache {
    pub(crate) pairs: Vec<Pair>,
    broad: BroadPhase,
    found: Vec<(u32, u32)>,
    /// Poses of the movable bodies then; empty if pairs have to be found.
    reference: Vec<Pose>,
    margin: f64,
    /// How often pairs have been found.
    pub(crate) searches: u64,
}

impl PairKind {
    fn of(model: &Model, (id_a, a): (ShapeId, &Brief), (id_b, b): (ShapeId, &Brief), rule: RuleId) -> Self {
        if model.has_patch(id_a, id_b, rule) {
            Self::Patch
        } else if !(a.is_radial && b.is_radial) {
            Self::Any
        } else if a.is_ball && b.is_ball && model.fast.is_empty() {
            Self::Balls
        } else {
            Self::Radial
        }
    }
}

/// How long the candidate pairs should last [s].
const LASTING: f64 = 5e-3;

impl PairCache {
    /// Whether the pairs still hold every overlap: no surface has moved further than the margin.
    pub(crate) fn holds(&self, model: &Model, bodies: &[BodyKinematics]) -> bool {
        let movable = &model.layout.movable;
        if self.reference.len() != movable.len() {
            return false;
        }
        let limit = self.margin * self.margin;
        movable.iter().zip(&self.reference).all(|(movable, then)| {
            let now = &bodies[movable.body.index()].pose;
            let shift2 = (now.translation - then.translation).length_squared();
            let lever = movable.lever;
            if lever == 0.0 {
                return shift2 < limit;
            }
            // |sin(θ/2)| of the turn between the two is at most half the distance of the quaternions (sign aligned).
            let dot = now.rotation.dot(then.rotation);
            let turn = 2.0 * (2.0 * (1.0 - dot.abs()).max(0.0)).sqrt();
            let turned = if turn == 0.0 { 0.0 } else { turn * lever };
            shift2.sqrt() + turned < self.margin
        })
    }

    /// Lets the pairs be found anew.
    pub(crate) fn forget(&mut self) {
        self.reference.clear();
    }

    /// Finds the pairs for these poses. They depend on the state's activity: who changes that clears the data.
    pub(crate) fn find(&mut self, model: &Model, state: &State, bodies: &[BodyKinematics]) {
        let Layout { movable, size, reach, briefs, .. } = &model.layout;
        self.searches += 1;
        // Wide enough to last a while at the present speed, narrow enough not to drag many idle pairs along.
        let fastest = movable.iter().map(|m| bodies[m.body.index()].twist.linear.length_squared());
        let fastest = fastest.fold(0.0, f64::max).sqrt();
        self.margin = (LASTING * fastest).clamp(0.01 * size, 0.15 * size);
        self.broad.find(&View { model, state, bodies }, self.margin, &mut self.found);
        self.pairs.clear();
        self.pairs.extend(self.found.iter().filter_map(|(a, b)| {
            let (of_a, of_b) = (&briefs[*a as usize], &briefs[*b as usize]);
            // Every pair that can touch has a rule: the model was checked for that.
            let rule = model.rule(of_a.material, of_b.material)?;
            let reach = reach[*a as usize] + reach[*b as usize];
            // Who has gone too far in still touches.
            let fast = model.is_fast_pair(ShapeId(*a), ShapeId(*b));
            let reach2 = if fast { f64::INFINITY } else { reach * reach };
            let kind = PairKind::of(model, (ShapeId(*a), of_a), (ShapeId(*b), of_b), rule);
            let (body_a, body_b) = (of_a.body, of_b.body);
            Some(Pair { a: ShapeId(*a), b: ShapeId(*b), body_a, body_b, rule, reach2, kind })
        }));
        self.reference.clear();
        self.reference.extend(movable.iter().map(|m| bodies[m.body.index()].pose));
    }
}

/// The scene as the pair search sees it.
struct View<'a> {
    model: &'a Model,
    state: &'a State,
    bodies: &'a [BodyKinematics],
}

impl Scene for View<'_> {
    fn shapes(&self) -> usize {
        self.model.shapes.len()
    }

    fn scenery(&self) -> &Scenery {
        &self.model.layout.scenery
    }

    fn movers(&self) -> usize {
        self.model.layout.movable.len()
    }

    #[inline]
    fn mover(&self, index: usize) -> Mover<'_> {
        let movable = &self.model.layout.movable[index];
        let many = movable.hierarchy.as_ref().map(|h| (h, self.bodies[movable.body.index()].pose));
        Mover { shapes: movable.shapes.clone(), many }
    }

    #[inline]
    fn bounds(&self, shape: u32) -> Bounds {
        let s = &self.model.shapes[shape as usize];
        let pose = shape_pose(&self.bodies[s.body.index()].pose, &s.pose_bs, s.central);
        let mut bounds = s.shape.bounds(&pose);
        // Those of a fast body that is pressed in reach back to where it came from.
        for lift in side::lifts_of(self.model, &self.state.sides, ShapeId(shape)) {
            if let Bounds::Box { min, max } = &mut bounds {
                (*min, *max) = (min.min(*min + lift), max.max(*max + lift));
            }
        }
        bounds
    }

    #[inline]
    fn skips(&self, a: u32, b: u32) -> bool {
        let Self { model, state, .. } = self;
        let (a, b) = (&model.layout.briefs[a as usize], &model.layout.briefs[b as usize]);
        // As `Model::skips` says.
        a.body == b.body
            || !(a.yields || b.yields)
            || model.ignores((a.body, a.group), (b.body, b.group))
            || state.parts(model, a.body, b.body)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::random::{random, steel};
    use crate::evaluate::kinematics;
    use crate::{BodyMotion, BodySpec, Data};
    use fender_geom::{Shape, narrow};
    use fender_math::{MassProperties, Twist, Vec3, rotation};

    /// Bodies of one to nine shapes, a third of them fixed, over a half-space and through each other.
    fn scene(seed: &mut u64) -> Model {
        let (mut builder, material) = steel();
        for i in 0..36 {
            let mut vector = |size: f64| Vec3::new(random(seed), random(seed), random(seed)) * size;
            let mut pose = |size: f64| Pose {
                translation: vector(size),
                rotation: rotation::from_rotation_vector(vector(2.0)),
            };
            let shape = |k: u32| match k % 3 {
                0 => Shape::Box { half: Vec3::new(0.1, 0.05, 0.02) },
                1 => Shape::Sphere { radius: 0.07 },
                _ => Shape::Capsule { radius: 0.03, half_height: 0.1 },
            };
            let shapes = (0..=i % 9).map(|k| (shape(i + k), pose(0.3), material)).collect();
            let mass = MassProperties::solid_sphere(1.0, 0.1);
            let motion = if i % 3 == 0 { BodyMotion::Fixed } else { BodyMotion::Free { mass } };
            let (name, pose) = (format!("{i}"), pose(1.0));
            builder.body(BodySpec { name, motion, pose, twist: Twist::default(), shapes, group: i % 4 });
        }
        let pose = Pose::from_translation(Vec3::Z * -0.9);
        let shapes = vec![(Shape::HalfSpace, Pose::IDENTITY, material)];
        let (name, motion, twist) = ("floor".into(), BodyMotion::Fixed, Twist::default());
        builder.body(BodySpec { name, motion, pose, twist, shapes, group: 0 });
        builder.ignore_groups(1, 2);
        builder.build().unwrap()
    }

    #[test]
    fn everything_that_overlaps_is_a_pair() {
        let (mut seed, mut overlaps) = (1, 0);
        for _ in 0..60 {
            let model = scene(&mut seed);
            assert!(model.layout.movable.iter().any(|m| m.hierarchy.is_some()));
            let (state, mut data) = (model.initial_state(), Data::default());
            kinematics(&model, &state, &mut data);
            data.pairs.find(&model, &state, &data.bodies);
            let found: Vec<(ShapeId, ShapeId)> = data.pairs.pairs.iter().map(|p| (p.a, p.b)).collect();
            assert!(found.is_sorted_by(|a, b| a < b));
            assert!(found.iter().all(|(a, b)| !model.skips(*a, *b)));
            for (i, a) in model.shapes.iter().enumerate() {
                for (j, b) in model.shapes.iter().enumerate().skip(i + 1) {
                    let pair = (ShapeId(i as u32), ShapeId(j as u32));
                    if model.skips(pair.0, pair.1) {
                        continue;
                    }
                    let pose = |s: &crate::BodyShape| model.bodies[s.body.index()].pose * s.pose_bs;
                    if !narrow::overlaps(&a.shape, &pose(a), &b.shape, &pose(b)).points().is_empty() {
                        overlaps += 1;
                        assert!(found.binary_search(&pair).is_ok(), "{pair:?}");
                    }
                }
            }
        }
        assert!(overlaps > 1000, "{overlaps}");
    }
}
