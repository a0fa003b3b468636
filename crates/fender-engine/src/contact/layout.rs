//! What the pair search knows of a model before anything moves.

use crate::evaluate::shape_pose;
use crate::{Body, BodyId, BodyMotion, BodyShape, MaterialId, Model};
use fender_geom::Shape;
use fender_geom::broad::{Ball, Hierarchy, Scenery};
use std::ops::Range;

/// From this many shapes on, a body is looked at as a whole first (`bench/README.md`, "Finding pairs").
const MANY: usize = 4;

/// What follows for the pair search from the model alone.
#[derive(Debug, Default)]
pub(crate) struct Layout {
    /// Shapes of fixed bodies.
    pub(crate) scenery: Scenery,
    /// Bodies with shapes that can move, in order.
    pub(crate) movable: Vec<Movable>,
    /// Radius about its body's origin that holds each shape [m]; that of the ball for a ball about the origin.
    pub(crate) reach: Vec<f64>,
    /// Typical bounding radius of what moves [m].
    pub(crate) size: f64,
    /// What is asked of every pair, side by side: shapes and bodies are too large to be loaded for it.
    pub(crate) briefs: Vec<Brief>,
}

/// What pairs ask of a shape.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Brief {
    pub(crate) body: BodyId,
    pub(crate) material: MaterialId,
    pub(crate) group: u32,
    /// Whether forces move the body.
    pub(crate) yields: bool,
    /// Whether it is a ball about its body's origin.
    pub(crate) is_ball: bool,
    /// Whether contacts of it act through its body's centre, and the body turns alike about every axis.
    pub(crate) is_radial: bool,
}

/// A body with shapes that can move.
#[derive(Debug)]
pub(crate) struct Movable {
    pub(crate) body: BodyId,
    pub(crate) shapes: Range<u32>,
    /// How far its surface can move by turning, per radian [m].
    pub(crate) lever: f64,
    /// Radius about its origin that holds it [m].
    pub(crate) radius: f64,
    /// Its shapes in balls, if they are many.
    pub(crate) hierarchy: Option<Hierarchy>,
}

impl Layout {
    pub(crate) fn new(model: &Model) -> Self {
        let is_fixed = |body: &Body| matches!(body.motion, BodyMotion::Fixed);
        let fixed = model.shapes.iter().zip(0..).filter_map(|(s, i)| {
            let body = &model.bodies[s.body.index()];
            is_fixed(body).then(|| (i, s.shape.bounds(&shape_pose(&body.pose, &s.pose_bs, s.central))))
        });
        let scenery = Scenery::new(fixed);
        let reach = |s: &BodyShape| s.pose_bs.translation.length() + s.shape.bounding_radius();
        let yielding = model.shapes.iter().filter(|s| model.bodies[s.body.index()].yields());
        let mut sizes: Vec<f64> = yielding.map(|s| s.shape.bounding_radius()).collect();
        sizes.sort_by(f64::total_cmp);
        let size = sizes.get(sizes.len() / 2).copied().unwrap_or(1.0);
        let moves = |(_, body): &(u32, &Body)| !body.shapes.is_empty() && !is_fixed(body);
        let movable = (0..).zip(&model.bodies).filter(moves);
        let movable = movable.map(|(i, body)| Movable::new(model, BodyId(i), body)).collect();
        let (reach, briefs) = (
            model.shapes.iter().map(reach).collect(),
            model.shapes.iter().map(|s| Brief::of(model, s)).collect(),
        );
        Self { scenery, movable, reach, size, briefs }
    }
}

impl Brief {
    fn of(model: &Model, s: &BodyShape) -> Self {
        let body = &model.bodies[s.body.index()];
        let is_ball = matches!(s.shape, Shape::Sphere { .. }) && s.central;
        let is_radial = match body.motion {
            BodyMotion::Fixed => true,
            BodyMotion::Driven { .. } => false,
            BodyMotion::Free { .. } => {
                is_ball && body.free.is_some_and(|free| free.central && free.isotropic)
            }
        };
        let yields = body.yields();
        Self { body: s.body, material: s.material, group: s.group, yields, is_ball, is_radial }
    }
}

impl Movable {
    fn new(model: &Model, id: BodyId, body: &Body) -> Self {
        let shapes = &model.shapes[body.shapes.start as usize..body.shapes.end as usize];
        let (mut lever, mut radius): (f64, f64) = (0.0, 0.0);
        for s in shapes {
            let (off, around) = (s.pose_bs.translation.length(), s.shape.bounding_radius());
            let round = matches!(s.shape, Shape::Sphere { .. });
            lever = lever.max(if round { off } else { off + around });
            radius = radius.max(off + around);
        }
        // A fast body's bounds are those of its way, shape by shape.
        let as_a_whole = shapes.len() >= MANY && !model.is_fast(id);
        let ball = |s: &BodyShape| Ball { center: s.pose_bs.translation, radius: s.shape.bounding_radius() };
        let balls: Vec<Ball> = if as_a_whole { shapes.iter().map(ball).collect() } else { Vec::new() };
        Self { body: id, shapes: body.shapes.clone(), lever, radius, hierarchy: Hierarchy::new(&balls) }
    }
}
