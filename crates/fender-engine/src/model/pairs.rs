//! Which shapes may touch, and by which rule.

use super::ordered;
use crate::{BodyId, BodyShape, MaterialId, Model, ModelError, RuleId, ShapeId};
use fender_geom::Shape;
use fender_geom::pair::patch;
use std::collections::BTreeMap;

impl Model {
    pub(super) fn index_rules(&mut self) {
        let n = self.materials.len();
        self.rule_of = vec![None; n * n];
        for (i, rule) in self.rules.iter().enumerate() {
            let (a, b) = (rule.between.0.index(), rule.between.1.index());
            self.rule_of[a * n + b] = Some(RuleId(i as u32));
            self.rule_of[b * n + a] = Some(RuleId(i as u32));
        }
    }

    /// Every pair of shapes that can touch must have a rule that can serve it. A large scene has few kinds of shapes,
    /// so two bodies of each kind stand for all.
    pub(super) fn check_pairs(&self) -> Result<(), ModelError> {
        let mut bodies_of_kind: BTreeMap<_, Vec<BodyId>> = BTreeMap::new();
        let mut samples: Vec<ShapeId> = Vec::new();
        for (i, shape) in self.shapes.iter().enumerate() {
            let free = self.bodies[shape.body.index()].yields();
            let ignored = self.ignored_bodies.iter().any(|(a, b)| *a == shape.body.0 || *b == shape.body.0)
                || self.changes.joins(shape.body);
            let kind = (free, shape.material, shape.group, shape.shape.name(), ignored.then_some(shape.body));
            let bodies = bodies_of_kind.entry(kind).or_default();
            if bodies.len() < 2 && !bodies.contains(&shape.body) {
                bodies.push(shape.body);
                samples.push(ShapeId(i as u32));
            }
        }
        for (i, a) in samples.iter().enumerate() {
            for b in &samples[i + 1..] {
                if !self.skips(*a, *b) {
                    self.check_pair(*a, *b)?;
                }
            }
        }
        self.check_holes()
    }

    /// A sphere in a bore has to be smaller: an equal one would touch all around, a larger one would lie on the mouth, and neither is
    /// at a point.
    fn check_holes(&self) -> Result<(), ModelError> {
        for (i, bore) in self.shapes.iter().enumerate() {
            let Shape::Bore { radius: hole, .. } = bore.shape else { continue };
            for (k, sphere) in self.shapes.iter().enumerate() {
                let Shape::Sphere { radius } = sphere.shape else { continue };
                if radius >= hole && !self.skips(ShapeId(i as u32), ShapeId(k as u32)) {
                    let name = |s: &BodyShape| self.bodies[s.body.index()].name.clone();
                    return Err(ModelError::TooLarge {
                        sphere: name(sphere),
                        radius,
                        bore: name(bore),
                        hole,
                    });
                }
            }
        }
        Ok(())
    }

    fn check_pair(&self, a: ShapeId, b: ShapeId) -> Result<(), ModelError> {
        let (sa, sb) = (&self.shapes[a.index()], &self.shapes[b.index()]);
        let name = |s: &BodyShape| self.bodies[s.body.index()].name.clone();
        let (shape_a, shape_b) = (sa.shape.name(), sb.shape.name());
        let Some(rule) = self.rule(sa.material, sb.material) else {
            return Err(ModelError::NoRule {
                a: name(sa),
                b: name(sb),
                material_a: self.materials[sa.material.index()].clone(),
                material_b: self.materials[sb.material.index()].clone(),
            });
        };
        if self.has_patch(a, b, rule) {
            return Ok(());
        }
        if self.rules[rule.index()].normal.needs_patch() {
            return Err(ModelError::NoPatch { a: name(sa), b: name(sb), shape_a, shape_b });
        }
        if !fender_geom::narrow::supported(&sa.shape, &sb.shape) {
            return Err(ModelError::UnsupportedPair { a: name(sa), b: name(sb), shape_a, shape_b });
        }
        if self.rules[rule.index()].normal.needs_curvature() && sa.shape.can_meet_flat(&sb.shape) {
            return Err(ModelError::FlatHertz { a: name(sa), b: name(sb), shape_a, shape_b });
        }
        Ok(())
    }

    /// Whether two shapes touch over a patch under a rule. Balls and ellipsoids touch at a point with a curvature, if
    /// the law takes points; so does everything under a law whose stiffness comes from a curvature.
    #[inline]
    pub(crate) fn has_patch(&self, a: ShapeId, b: ShapeId, rule: RuleId) -> bool {
        let (sa, sb) = (&self.shapes[a.index()].shape, &self.shapes[b.index()].shape);
        let rule = &self.rules[rule.index()];
        let is_point = sa.is_round() || sb.is_round() || rule.normal.needs_curvature();
        (rule.normal.needs_patch() || !is_point) && patch::supported(sa, sb).is_ok()
    }

    /// Whether shapes of a rule's materials can touch over a patch: one of each kind stands for all.
    pub(super) fn gives_patches(&self, rule: RuleId) -> bool {
        let (first, second) = self.rules[rule.index()].between;
        let kinds = |material: MaterialId| {
            let mut kinds = BTreeMap::new();
            for (i, shape) in self.shapes.iter().enumerate().filter(|(_, s)| s.material == material) {
                kinds.entry(shape.shape.name()).or_insert(ShapeId(i as u32));
            }
            kinds
        };
        let (of_first, of_second) = (kinds(first), kinds(second));
        of_first.values().any(|a| of_second.values().any(|b| self.has_patch(*a, *b, rule)))
    }

    /// Rule for two materials.
    #[inline]
    pub fn rule(&self, a: MaterialId, b: MaterialId) -> Option<RuleId> {
        self.rule_of[a.index() * self.materials.len() + b.index()]
    }

    /// Whether a pair of shapes never touches: one body, neither free, or ignored.
    pub fn skips(&self, a: ShapeId, b: ShapeId) -> bool {
        let (sa, sb) = (&self.shapes[a.index()], &self.shapes[b.index()]);
        if sa.body == sb.body {
            return true;
        }
        if !self.bodies[sa.body.index()].yields() && !self.bodies[sb.body.index()].yields() {
            return true;
        }
        self.ignores((sa.body, sa.group), (sb.body, sb.group))
    }

    /// Whether two bodies, each with a shape of a group, pass through each other.
    #[inline]
    pub(crate) fn ignores(&self, a: (BodyId, u32), b: (BodyId, u32)) -> bool {
        (!self.ignored_groups.is_empty() && self.ignored_groups.contains(&ordered(a.1, b.1)))
            || (!self.ignored_bodies.is_empty() && self.ignored_bodies.contains(&ordered(a.0.0, b.0.0)))
    }
}
