//! Fast bodies, and how thick shapes are.

use crate::contact::sweep;
use crate::{BodyId, Model, ModelError, ShapeId};

impl Model {
    /// Fast bodies are free and of shapes that have a thickness.
    pub(super) fn measure_thickness(&mut self) -> Result<(), ModelError> {
        if self.fast.is_empty() {
            return Ok(());
        }
        self.thin = self.shapes.iter().map(|s| sweep::half_thickness(&s.shape)).collect();
        for id in &self.fast {
            let body = &self.bodies[id.index()];
            let thick = body.shapes.clone().all(|s| self.thin[s as usize].is_finite());
            let reason = match (body.free.is_some(), body.shapes.is_empty(), thick) {
                (false, ..) => "it is not free, or hangs on a joint",
                (true, true, _) => "it has no shape that could hit something",
                (true, false, false) => "an open mesh has no thickness",
                (true, false, true) => continue,
            };
            return Err(ModelError::Fast { body: body.name.clone(), reason });
        }
        Ok(())
    }

    /// Free bodies that are not said to be fast and begin so that they go further than they are thick within `step` [s]; with the way [m].
    pub fn leaps(&self, step: f64) -> impl Iterator<Item = (BodyId, f64)> {
        let can_touch = !self.rules.is_empty();
        self.bodies.iter().enumerate().filter_map(move |(i, body)| {
            let id = BodyId(i as u32);
            let shapes = &self.shapes[body.shapes.start as usize..body.shapes.end as usize];
            let thin = shapes.iter().map(|s| sweep::half_thickness(&s.shape)).reduce(f64::max)?;
            let way = body.twist.linear.length() * step;
            let leaps = way > 2.0 * thin && body.free.is_some();
            (can_touch && leaps && !self.is_fast(id)).then_some((id, way))
        })
    }

    /// Whether one of two shapes belongs to a fast body.
    #[inline]
    pub(crate) fn is_fast_pair(&self, a: ShapeId, b: ShapeId) -> bool {
        let is_fast = |id: ShapeId| self.is_fast(self.shapes[id.index()].body);
        !self.fast.is_empty() && (is_fast(a) || is_fast(b))
    }

    /// Whether a body is fast.
    #[inline]
    pub(crate) fn is_fast(&self, body: BodyId) -> bool {
        self.fast.binary_search(&body).is_ok()
    }
}
