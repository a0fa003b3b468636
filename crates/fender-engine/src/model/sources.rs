//! Sources of the energy account: their names and places.

use crate::{ForceId, Model, RuleId};

impl Model {
    /// Source of the account for `Control::push`.
    pub const CONTROL_SOURCE: usize = 0;
    /// Source of the account for driven bodies.
    pub const DRIVER_SOURCE: usize = 1;
    const FORCE_SOURCES: usize = 2;

    pub(super) fn name_sources(&mut self) {
        self.sources = vec!["control".into(), "drivers".into()];
        self.sources.extend(self.forces.iter().map(|(name, _)| format!("force.{name}")));
        for action in &self.actions {
            let joint = &self.joints[action.joint.index()];
            self.sources.push(format!("joint.{}.{}", joint.name, action.action.name()));
        }
        let guided = self.joints.iter().filter(|joint| joint.guide.is_some());
        self.sources.extend(guided.map(|joint| format!("joint.{}.guide", joint.name)));
        let drives = self.loops.iter().filter(|l| l.drive.is_some());
        self.sources.extend(drives.map(|l| format!("loop.{}.guide", l.name)));
        for rule in &self.rules {
            let a = &self.materials[rule.between.0.index()];
            let b = &self.materials[rule.between.1.index()];
            self.sources.push(format!("contact.{a}-{b}.damping"));
            self.sources.push(format!("contact.{a}-{b}.friction"));
        }
        self.sources.extend(self.controllers.iter().map(|c| format!("controller.{}", c.name)));
        self.name_change_sources();
        for cable in &mut self.cables {
            cable.source = self.sources.len();
            self.sources.extend(cable.sources());
        }
        let with_patches: Vec<bool> =
            (0..self.rules.len()).map(|i| self.gives_patches(RuleId(i as u32))).collect();
        for (rule, has_patches) in self.rules.iter_mut().zip(with_patches) {
            let a = &self.materials[rule.between.0.index()];
            let b = &self.materials[rule.between.1.index()];
            if rule.friction.flows() > 0 {
                rule.load_source = Some(self.sources.len());
                self.sources.push(format!("contact.{a}-{b}.load"));
            }
            if rule.relaxation.is_some() {
                rule.relaxation_source = Some(self.sources.len());
                self.sources.push(format!("contact.{a}-{b}.relaxation"));
            }
            if has_patches {
                rule.rolling_source = Some(self.sources.len());
                self.sources.push(format!("contact.{a}-{b}.rolling"));
                self.sources.push(format!("contact.{a}-{b}.spin"));
            }
            if rule.impact.is_some() {
                rule.impact_source = Some(self.sources.len());
                self.sources.push(format!("contact.{a}-{b}.impact"));
                self.sources.push(format!("contact.{a}-{b}.impact_friction"));
            }
        }
    }

    /// Account source of a force element.
    pub fn force_source(&self, force: ForceId) -> usize {
        Self::FORCE_SOURCES + force.index()
    }

    /// Account source of an action on a joint.
    pub fn action_source(&self, action: usize) -> usize {
        Self::FORCE_SOURCES + self.forces.len() + action
    }

    /// Account source of a guide (see `ModelJoint::guide`).
    pub fn guide_source(&self, guide: usize) -> usize {
        Self::FORCE_SOURCES + self.forces.len() + self.actions.len() + guide
    }

    /// How many joints are guided.
    pub(super) fn guides(&self) -> usize {
        self.joints.iter().filter(|joint| joint.guide.is_some()).count()
    }

    /// Account source of a loop that prescribes a motion.
    pub fn loop_source(&self, index: usize) -> Option<usize> {
        let drive = self.loops[index].drive?;
        Some(Self::FORCE_SOURCES + self.forces.len() + self.actions.len() + self.guides() + drive)
    }

    /// Account source of a rule's damping; its friction is the next.
    pub fn damping_source(&self, rule: RuleId) -> usize {
        let drives = self.loops.iter().filter(|l| l.drive.is_some()).count();
        Self::FORCE_SOURCES
            + self.forces.len()
            + self.actions.len()
            + self.guides()
            + drives
            + 2 * rule.index()
    }
}
