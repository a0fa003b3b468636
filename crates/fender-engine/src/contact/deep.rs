//! Bodies that begin deep in each other: the first steps would throw them apart.

use super::sweep::half_thickness;
use crate::{BodyId, Contact, ShapeId, World};
use fender_math::Vec3;

/// Part of the thinner shape's thickness beyond which a start is deep, if bodies do not press that much.
const DEEP: f64 = 0.1;
/// Force, in weights of the lighter body, that could still be bodies pressing: a stack, a clamp.
const PRESSED: f64 = 10.0;

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
    /// Unit vector along which the first body would have to move to come out, in the world.
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
