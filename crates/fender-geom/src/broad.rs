//! Broad phase: which shapes might touch.

use crate::Bounds;

/// Finds candidate pairs in O(n log n), without allocating once its buffers have grown.
#[derive(Clone, Debug, Default)]
pub struct BroadPhase {}

impl BroadPhase {
    /// Writes into `pairs` every pair (a < b) whose bounds, each grown by `margin` [m], meet and for which
    /// `skip(a, b)` is false, in increasing order. The result depends on the arguments only.
    pub fn find(
        &mut self,
        _bounds: &[Bounds],
        _margin: f64,
        _skip: impl Fn(u32, u32) -> bool,
        _pairs: &mut Vec<(u32, u32)>,
    ) {
        unimplemented!()
    }
}
