//! Loops in a model: what a user says of them, and what is kept.
use super::{Limit, Model, ModelError};
use crate::closure::{Closure, Coupling, LoopPlan, Term};
use crate::joint::Coordinate;
use crate::tree::Carrier;
use crate::{BodyId, JointId};
use fender_math::Profile;

/// A loop in the model.
#[derive(Debug)]
pub struct ModelLoop {
    /// Unique name.
    pub name: String,
    /// Its equations.
    pub closure: Box<dyn Closure>,
    /// If it prescribes a motion, its place among the loops that do.
    pub drive: Option<usize>,
    /// Bodies it ties together that forces move.
    pub(crate) members: Vec<BodyId>,
    /// Whether it holds at the start.
    pub attached: bool,
    /// Load with which it breaks.
    pub limit: Option<Limit>,
    /// Whether it may come and go.
    pub changes: bool,
    /// Account source of what an attach loses.
    pub(crate) attach_source: Option<usize>,
}

/// What a user says of a loop.
#[derive(Debug)]
pub struct LoopSpec {
    /// Unique name.
    pub name: String,
    /// Its equations.
    pub kind: LoopKind,
}

/// Equations of a loop.
#[derive(Debug)]
pub enum LoopKind {
    /// Between bodies.
    Bodies(Box<dyn Closure>),
    /// Between coordinates of joints: Σ factor·coordinate = value.
    Coupling {
        /// Joint, which of its coordinates, factor.
        terms: Vec<(JointId, usize, f64)>,
        /// The sum [rad or m].
        value: Profile,
    },
}

impl Model {
    /// Takes the loops that a user described, with the joints and bodies that are there already.
    pub(super) fn add_loops(&mut self, loops: Vec<LoopSpec>) -> Result<(), ModelError> {
        let mut drives = 0;
        for spec in loops {
            if self.loops.iter().any(|other| other.name == spec.name) {
                return Err(ModelError::DuplicateName(spec.name));
            }
            let closure: Box<dyn Closure> = match spec.kind {
                LoopKind::Bodies(closure) => closure,
                LoopKind::Coupling { terms, value } => {
                    let mut resolved = Vec::with_capacity(terms.len());
                    for (joint, coordinate, factor) in terms {
                        let term = self.term(joint, coordinate, factor);
                        resolved.push(term.map_err(|why| ModelError::Loop { name: spec.name.clone(), why })?);
                    }
                    Box::new(Coupling { terms: resolved, value })
                }
            };
            let yields = |body: &Option<BodyId>| body.is_some_and(|id| self.bodies[id.index()].yields());
            if closure.coordinates().is_empty() && !closure.bodies().iter().any(yields) {
                let why = "none of its bodies can move".to_string();
                return Err(ModelError::Loop { name: spec.name, why });
            }
            let drive = closure.drives().then_some(drives);
            drives += usize::from(drive.is_some());
            let members = self.members(closure.as_ref());
            self.loops.push(ModelLoop {
                name: spec.name,
                closure,
                drive,
                members,
                attached: true,
                limit: None,
                changes: false,
                attach_source: None,
            });
        }
        let closures = self.loops.iter().map(|l| l.closure.as_ref());
        self.plan = LoopPlan::new(&self.bodies, &self.links, self.nv, closures);
        Ok(())
    }

    /// Bodies that a closure ties together and forces move.
    fn members(&self, closure: &dyn Closure) -> Vec<BodyId> {
        let with = |v: &usize| self.links.iter().find(|l| (l.v..l.v + l.nv).contains(v)).map(|l| l.body);
        let coordinates = closure.coordinates();
        let all = closure.bodies().into_iter().flatten().chain(coordinates.iter().filter_map(with));
        all.filter(|id| self.bodies[id.index()].yields()).collect()
    }

    /// A joint's coordinate as a term of a coupling, or why it cannot be one.
    fn term(&self, joint: JointId, coordinate: usize, factor: f64) -> Result<Term, String> {
        let joint = &self.joints[joint.index()];
        let link = &self.links[joint.link];
        let Carrier::Joint { joint: kind, guide, .. } = &link.carrier else {
            return Err(format!("'{}' is no joint", joint.name));
        };
        if guide.is_some() {
            return Err(format!("joint '{}' is guided, and cannot be coupled as well", joint.name));
        }
        match kind.coordinates().get(coordinate) {
            Some(Coordinate::Angle(_) | Coordinate::Distance(_)) => {
                Ok(Term { q: link.q + coordinate, v: link.v + coordinate, factor })
            }
            _ => Err(format!("joint '{}' has no angle or distance {coordinate} to couple", joint.name)),
        }
    }
}
