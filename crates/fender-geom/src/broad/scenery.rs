//! What never moves: its tree is built once.

use super::BoxTree;
use crate::Bounds;
use fender_math::Vec3;

/// Bounds of shapes that never move, in a tree.
#[derive(Clone, Debug, Default)]
pub struct Scenery {
    /// Number of each shape that has a box, and the box.
    pub(super) boxes: Vec<(u32, Bounds)>,
    /// Its boxes are numbered as `boxes` are.
    pub(super) tree: BoxTree,
    pub(super) half_spaces: Vec<(u32, Bounds)>,
}

impl Scenery {
    /// Scenery of some shapes: number and bounds of each.
    pub fn new(shapes: impl IntoIterator<Item = (u32, Bounds)>) -> Self {
        let is_box = |(_, bounds): &(u32, Bounds)| matches!(bounds, Bounds::Box { .. });
        let (boxes, half_spaces): (Vec<_>, Vec<_>) = shapes.into_iter().partition(is_box);
        let mut tree = BoxTree::default();
        tree.build(boxes.len(), 0.0, |i| boxes[i as usize].1.corners());
        Self { boxes, tree, half_spaces }
    }

    /// Calls `found` with the numbers of the shapes that may be in the box from `min` to `max` [m]: some more than are, and all half-spaces.
    pub fn near(&self, min: Vec3, max: Vec3, mut found: impl FnMut(u32)) {
        self.half_spaces.iter().for_each(|(shape, _)| found(*shape));
        self.tree.near(min, max, |i| found(self.boxes[i as usize].0));
    }
}
