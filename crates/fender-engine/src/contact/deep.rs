//! Bodies that begin deep in each other: the first steps would throw them apart.

use super::sweep::half_thickness;
use crate::{BodyId, Contact, ShapeId, World};
use fender_geom::narrow::overlaps;
use fender_math::{Pose, Vec3};

/// Part of the thinner shape's thickness beyond which a start is deep, if bodies do not press that much.
const DEEP: f64 = 0.1;
/// Force, in weights of the lighter body, that could still be bodies pressing: a stack, a clamp.
const PRESSED: f64 = 10.0;
/// Moves that are tried one after the other to part two bodies: in a groove each flank asks for one, among many parts several.
const MOVES: usize = 10;
/// Part of the depth that a way out may leave: as much as it is told with.
const LEFT: f64 = 1e-3;

/// Two bodies that begin deep in each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DeepStart {
    /// First body.
    pub a: BodyId,
    /// Second body.
    pub b: BodyId,
    /// Deepest place [m].
    pub point: Vec3,
    /// Depth there [m].
    pub depth: f64,
    /// Unit vector along which the first body would have to move to come out of this place, in the world. Whether that parts them, and how far
    /// else, [`World::way_out`] knows.
    pub normal: Vec3,
    /// Thickness of the thinner of the two shapes [m].
    pub thickness: f64,
    /// Speed with which they are thrown apart if nothing else holds or damps them [m/s].
    pub speed: f64,
}

impl World {
    /// Pairs of bodies that are deep in each other at this instant, in the order of their shapes: either deeper than a tenth of the thinner shape
    /// with a force of more than ten weights, or with a stored energy that would throw the lighter body higher than the thinner shape is thick.
    pub fn deep_starts(&self) -> Vec<DeepStart> {
        let contacts: Vec<&Contact> = self.contacts().collect();
        let same = |x: &&Contact, y: &&Contact| (x.body_a, x.body_b) == (y.body_a, y.body_b);
        contacts.chunk_by(same).filter_map(|contacts| self.deep_start(contacts)).collect()
    }

    /// Move of the first body [m, world] that parts two bodies: by the depth of the deepest place, and on from there until nothing overlaps.
    /// `None` if that does not end after a few moves. Other bodies are not looked at.
    pub fn way_out(&self, deep: &DeepStart) -> Option<Vec3> {
        let mut way = deep.normal * deep.depth;
        for _ in 1..MOVES {
            let (depth, normal) = self.deepest(deep.a, deep.b, way);
            if depth <= LEFT * deep.depth {
                return Some(way);
            }
            way += normal * depth;
        }
        None
    }

    /// Depth [m] and normal of the deepest overlap of two bodies, with the first moved by `way` [m]; zero if there is none.
    fn deepest(&self, a: BodyId, b: BodyId, way: Vec3) -> (f64, Vec3) {
        let shapes = |body: BodyId, by: Vec3| {
            let pose = Pose { translation: self.pose(body).translation + by, ..self.pose(body) };
            self.model.bodies[body.index()].shapes.clone().map(move |i| {
                let own = &self.model.shapes[i as usize];
                (ShapeId(i), &own.shape, pose * own.pose_bs)
            })
        };
        let mut deepest = (0.0, Vec3::ZERO);
        for (id_a, shape_a, pose_a) in shapes(a, way) {
            for (id_b, shape_b, pose_b) in shapes(b, Vec3::ZERO) {
                // Bodies may have thousands of shapes.
                let reach = shape_a.bounding_radius() + shape_b.bounding_radius();
                let is_far = pose_a.translation.distance(pose_b.translation) > reach;
                if is_far || self.model.skips(id_a, id_b) {
                    continue;
                }
                for point in overlaps(shape_a, &pose_a, shape_b, &pose_b).points() {
                    if point.depth > deepest.0 {
                        deepest = (point.depth, point.normal);
                    }
                }
            }
        }
        deepest
    }

    /// Judges the contacts of two bodies.
    fn deep_start(&self, contacts: &[&Contact]) -> Option<DeepStart> {
        let deepest = contacts.iter().max_by(|x, y| x.overlap.depth.total_cmp(&y.overlap.depth))?;
        let (a, b) = (deepest.body_a, deepest.body_b);
        let inverse_mass = |body: BodyId| self.model.bodies[body.index()].mass().map_or(0.0, f64::recip);
        let lightest = inverse_mass(a).max(inverse_mass(b));
        if lightest == 0.0 {
            return None;
        }
        let energy: f64 = contacts.iter().map(|c| c.stored - c.bent).sum();
        let force: f64 = contacts.iter().map(|c| c.elastic).sum();
        let half = |shape: ShapeId| half_thickness(&self.model.shapes[shape.index()].shape);
        let thickness = 2.0 * half(deepest.a).min(half(deepest.b));
        let depth = deepest.overlap.depth;
        let weight = self.model.gravity.length() / lightest;
        let is_deep = depth > DEEP * thickness && force > PRESSED * weight;
        // Without weight nothing says what is high.
        let is_thrown = weight > 0.0 && energy > weight * thickness;
        let speed = (2.0 * energy * (inverse_mass(a) + inverse_mass(b))).sqrt();
        let (point, normal) = (deepest.overlap.point, deepest.overlap.normal);
        (is_deep || is_thrown).then_some(DeepStart { a, b, point, depth, normal, thickness, speed })
    }
}
