//! Candidate pairs, kept as long as nothing has moved far.
//!
//! The list is a superset of the overlaps and is ordered, so how old it is changes no result: the narrow phase drops
//! what does not overlap.

use crate::data::BodyKinematics;
use crate::evaluate::shape_pose;
use crate::{BodyId, BodyMotion, BodyShape, Model, RuleId, ShapeId, State};
use fender_geom::{Bounds, BroadPhase, Shape};
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
    /// Nothing.
    Any,
}

/// Candidate pairs and the poses for which they were found.
#[derive(Debug, Default)]
pub(crate) struct PairCache {
    pub(crate) pairs: Vec<Pair>,
    broad: BroadPhase,
    bounds: Vec<Bounds>,
    found: Vec<(u32, u32)>,
    reference: Vec<Pose>,
    /// How far each body's surface can move by turning, per radian [m].
    levers: Vec<f64>,
    /// Radius about its body's origin that holds each shape [m]; that of the ball for a ball about the origin.
    pub(crate) reach: Vec<f64>,
    /// Bodies with shapes that can move.
    movable: Vec<BodyId>,
    /// Typical bounding radius of what moves [m].
    size: f64,
    margin: f64,
    /// How often pairs have been found.
    pub(crate) searches: u64,
}

impl PairKind {
    fn of(model: &Model, a: &BodyShape, b: &BodyShape) -> Self {
        if !(is_radial(model, a) && is_radial(model, b)) {
            Self::Any
        } else if is_ball(a) && is_ball(b) && model.fast.is_empty() {
            Self::Balls
        } else {
            Self::Radial
        }
    }
}

fn is_ball(shape: &BodyShape) -> bool {
    matches!(shape.shape, Shape::Sphere { .. }) && shape.central
}

/// Whether contacts of this shape act through its body's centre, and the body turns alike about every axis.
fn is_radial(model: &Model, shape: &BodyShape) -> bool {
    let body = &model.bodies[shape.body.index()];
    match body.motion {
        BodyMotion::Fixed => true,
        BodyMotion::Driven { .. } => false,
        BodyMotion::Free { .. } => {
            is_ball(shape) && body.free.is_some_and(|free| free.central && free.isotropic)
        }
    }
}

/// How long the candidate pairs should last [s].
const LASTING: f64 = 5e-3;

impl PairCache {
    /// Whether the pairs still hold every overlap: no surface has moved further than the margin.
    pub(crate) fn holds(&self, bodies: &[BodyKinematics]) -> bool {
        if self.reference.len() != bodies.len() {
            return false;
        }
        let limit = self.margin * self.margin;
        self.movable.iter().all(|id| {
            let (now, then) = (&bodies[id.index()].pose, &self.reference[id.index()]);
            let shift2 = (now.translation - then.translation).length_squared();
            let lever = self.levers[id.index()];
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
        if self.levers.len() != model.bodies.len() {
            self.measure(model);
        }
        self.searches += 1;
        // Wide enough to last a while at the present speed, narrow enough not to drag many idle pairs along.
        let fastest = self.movable.iter().map(|id| bodies[id.index()].twist.linear.length_squared());
        let fastest = fastest.fold(0.0, f64::max).sqrt();
        self.margin = (LASTING * fastest).clamp(0.01 * self.size, 0.15 * self.size);
        self.bounds.clear();
        self.bounds.extend(
            model
                .shapes
                .iter()
                .map(|s| s.shape.bounds(&shape_pose(&bodies[s.body.index()].pose, &s.pose_bs, s.central))),
        );
        self.hold_on(model, state);
        self.broad.find(
            &self.bounds,
            self.margin,
            |a, b| model.skips(ShapeId(a), ShapeId(b)) || state.parts(model, ShapeId(a), ShapeId(b)),
            &mut self.found,
        );
        self.pairs.clear();
        self.pairs.extend(self.found.iter().filter_map(|(a, b)| {
            let (sa, sb) = (&model.shapes[*a as usize], &model.shapes[*b as usize]);
            // Every pair that can touch has a rule: the model was checked for that.
            let rule = model.rule(sa.material, sb.material)?;
            let reach = self.reach[*a as usize] + self.reach[*b as usize];
            // Who has gone too far in still touches.
            let fast = model.is_fast_pair(ShapeId(*a), ShapeId(*b));
            let reach2 = if fast { f64::INFINITY } else { reach * reach };
            let kind = PairKind::of(model, sa, sb);
            Some(Pair {
                a: ShapeId(*a),
                b: ShapeId(*b),
                body_a: sa.body,
                body_b: sb.body,
                rule,
                reach2,
                kind,
            })
        }));
        self.reference.clear();
        self.reference.extend(bodies.iter().map(|b| b.pose));
    }

    /// Lets the bounds of fast bodies that are pressed in reach back to where they came from.
    fn hold_on(&mut self, model: &Model, state: &State) {
        for side in &state.sides {
            let lift = side.lift(model);
            if let Bounds::Box { min, max } = &mut self.bounds[side.a.index()] {
                (*min, *max) = (min.min(*min + lift), max.max(*max + lift));
            } else if let Bounds::Box { min, max } = &mut self.bounds[side.b.index()] {
                (*min, *max) = (min.min(*min - lift), max.max(*max - lift));
            }
        }
    }

    /// Levers, movable bodies and the typical size of what moves.
    fn measure(&mut self, model: &Model) {
        self.levers.clear();
        self.movable.clear();
        self.reach.clear();
        let mut sizes = Vec::new();
        for (i, body) in model.bodies.iter().enumerate() {
            let mut lever: f64 = 0.0;
            for s in &model.shapes[body.shapes.start as usize..body.shapes.end as usize] {
                let reach = s.pose_bs.translation.length();
                self.reach.push(reach + s.shape.bounding_radius());
                let round = matches!(s.shape, Shape::Sphere { .. });
                lever = lever.max(if round { reach } else { reach + s.shape.bounding_radius() });
                if body.yields() {
                    sizes.push(s.shape.bounding_radius());
                }
            }
            self.levers.push(lever);
            if !body.shapes.is_empty() && !matches!(body.motion, BodyMotion::Fixed) {
                self.movable.push(BodyId(i as u32));
            }
        }
        sizes.sort_by(f64::total_cmp);
        self.size = sizes.get(sizes.len() / 2).copied().unwrap_or(1.0);
    }
}
