//! What can come and go: loops that are attached, detached or break, bodies that enter and leave, and when.

use super::{Model, ModelBuilder, ModelError, ordered};
use crate::activity::{tied, velocities_of};
use crate::cable;
use crate::change::Change;
use crate::tree::Carrier;
use crate::{Activity, BodyId, BodyMotion, LoopId, State};
use std::collections::{BTreeMap, BTreeSet};

/// Load with which a loop breaks; infinite never. A loop of a single equation breaks at the lesser of the two.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limit {
    /// Force [N].
    pub force: f64,
    /// Torque [N·m].
    pub torque: f64,
}

impl Default for Limit {
    fn default() -> Self {
        Self { force: f64::INFINITY, torque: f64::INFINITY }
    }
}

/// A body that is out of the dynamics until something comes near, and again when it lies still.
#[derive(Clone, Debug, PartialEq)]
pub struct Fence {
    /// The body.
    pub body: BodyId,
    /// Bodies whose boxes wake it.
    pub near: Vec<BodyId>,
    /// How near the boxes must come [m].
    pub margin: f64,
    /// Below this speed, at every point of it, it counts as still [m/s].
    pub rest_speed: f64,
    /// So long it must be still before it leaves [s].
    pub rest_time: f64,
}

/// Everything that changes during a run, and when.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// Changes at given times [s], in order.
    pub timeline: Vec<(f64, Change)>,
    /// Bodies that enter and leave by themselves.
    pub fences: Vec<Fence>,
    /// Whether any loop can break.
    pub(crate) breaks: bool,
    /// Account source of changes that are not of a loop; `None` if none is foreseen.
    pub(crate) source: Option<usize>,
    /// Loops that come and go and join a pair of bodies, which pass through each other meanwhile.
    joined: BTreeMap<(u32, u32), Vec<usize>>,
}

/// What a builder has been told of changes.
#[derive(Debug, Default)]
pub(super) struct ChangeSpecs {
    pub(super) detached: BTreeSet<LoopId>,
    pub(super) changing: BTreeSet<LoopId>,
    pub(super) limits: BTreeMap<LoopId, Limit>,
    pub(super) timeline: Vec<(f64, Change)>,
    pub(super) fences: Vec<Fence>,
}

impl ModelBuilder {
    /// A loop does not hold at the start: a change attaches it.
    pub fn detached(&mut self, id: LoopId) {
        self.changes.detached.insert(id);
    }

    /// A loop may come and go, by `Control`: its bodies can touch while it does not hold.
    pub fn changing(&mut self, id: LoopId) {
        self.changes.changing.insert(id);
    }

    /// A loop breaks at a load.
    pub fn limit(&mut self, id: LoopId, limit: Limit) {
        self.changes.limits.insert(id, limit);
    }

    /// A change happens at a time [s]: at the end of the first step that reaches it.
    pub fn at(&mut self, time: f64, change: Change) {
        self.changes.timeline.push((time, change));
    }

    /// A body waits out of the dynamics until something comes near.
    pub fn fence(&mut self, fence: Fence) {
        self.changes.fences.push(fence);
    }
}

impl Changes {
    /// Loops that come and go and join these two bodies.
    pub(crate) fn joined(&self, a: BodyId, b: BodyId) -> impl Iterator<Item = usize> {
        let found = if self.joined.is_empty() { None } else { self.joined.get(&ordered(a.0, b.0)) };
        found.into_iter().flatten().copied()
    }

    /// Whether an activity can belong to this model.
    pub(crate) fn fit(&self, model: &Model, activity: &Activity) -> bool {
        activity.still.len() == self.fences.len()
            && activity.done as usize <= self.timeline.len()
            && activity.idle.iter().all(|body| body.index() < model.bodies.len())
            && activity.off.iter().all(|force| force.index() < model.forces.len())
    }

    /// Whether a body is in such a pair.
    pub(super) fn joins(&self, body: BodyId) -> bool {
        self.joined.keys().any(|(a, b)| *a == body.0 || *b == body.0)
    }
}

fn refuse(name: &str, why: impl Into<String>) -> ModelError {
    ModelError::Change { name: name.into(), why: why.into() }
}

impl Model {
    /// Root of the tree that a link belongs to.
    pub(crate) fn root(&self, link: usize) -> usize {
        std::iter::successors(Some(link), |i| self.links[*i].parent()).last().unwrap_or(link)
    }

    /// Name of the body or cable that a place in `State::v` belongs to.
    pub(crate) fn mover(&self, place: usize) -> &str {
        let cable = self.cables.iter().find(|c| (c.v..c.v + c.coordinates()).contains(&place));
        let owns = |i: &usize| velocities_of(self, BodyId(*i as u32)).contains(&place);
        let body = || (0..self.bodies.len()).find(owns).map(|i| self.bodies[i].name.as_str());
        cable.map(|c| c.name.as_str()).or_else(body).unwrap_or_default()
    }

    /// The same of a place in `State::q`.
    pub(crate) fn positioned(&self, place: usize) -> &str {
        let bodies = self.free.iter().map(|free| (free.q, free.v));
        let links = self.links.iter().map(|link| (link.q, link.v));
        let cables = self.cables.iter().map(|cable| (cable.q, cable.v));
        let first = bodies.chain(links).chain(cables).filter(|(q, _)| *q <= place).max();
        first.map_or("", |(_, v)| self.mover(v))
    }

    /// Takes over what the builder has been told of changes, and checks it; the loops must be there.
    pub(super) fn add_changes(&mut self, specs: ChangeSpecs) -> Result<(), ModelError> {
        let ChangeSpecs { detached, mut changing, limits, mut timeline, fences } = specs;
        timeline.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (time, change) in &timeline {
            if !(time.is_finite() && *time >= 0.0) {
                return Err(refuse(self.changed_name(*change), format!("it cannot happen at {time} s")));
            }
            match change {
                Change::Attach(id) | Change::Detach(id) => {
                    changing.insert(*id);
                }
                Change::Enter(body) | Change::Leave(body) => self.check_idles(*body)?,
                Change::Enable(_) | Change::Disable(_) | Change::Tie(..) | Change::Untie(..) => {}
            }
        }
        for id in &detached {
            self.loops[id.index()].attached = false;
        }
        for (id, limit) in &limits {
            let sound = limit.force > 0.0 && limit.torque > 0.0;
            if !sound {
                let name = self.loops[id.index()].name.clone();
                return Err(ModelError::Loop {
                    name,
                    why: "it cannot break at a load of zero or less".into(),
                });
            }
            self.loops[id.index()].limit = Some(*limit);
        }
        changing.extend(detached.iter().chain(limits.keys()));
        let mut joined: BTreeMap<(u32, u32), Vec<usize>> = BTreeMap::new();
        for (i, closed) in self.loops.iter_mut().enumerate() {
            closed.changes = changing.contains(&LoopId(i as u32));
            // What is joined passes through each other, as with joints.
            let Some((a, b)) = closed.closure.joins() else { continue };
            if closed.changes {
                joined.entry(ordered(a.0, b.0)).or_default().push(i);
            } else {
                self.ignored_bodies.insert(ordered(a.0, b.0));
            }
        }
        self.changes = Changes { timeline, fences, breaks: !limits.is_empty(), source: None, joined };
        self.check_fences()
    }

    fn check_fences(&self) -> Result<(), ModelError> {
        let bounded = |body: BodyId| {
            let range = &self.bodies[body.index()].shapes;
            let shapes = &self.shapes[range.start as usize..range.end as usize];
            !shapes.is_empty() && shapes.iter().all(|s| !s.shape.is_endless())
        };
        for fence in &self.changes.fences {
            let name = &self.bodies[fence.body.index()].name;
            let sound = fence.margin > 0.0 && fence.rest_speed > 0.0 && fence.rest_time >= 0.0;
            if !sound {
                return Err(refuse(name, "margin and rest speed must be positive"));
            }
            self.check_idles(fence.body)?;
            if let Some(body) = std::iter::once(&fence.body).chain(&fence.near).find(|b| !bounded(**b)) {
                let body = &self.bodies[body.index()].name;
                return Err(refuse(name, format!("'{body}' has no shape with a box around it")));
            }
            if fence.near.is_empty() {
                return Err(refuse(name, "nothing can wake it: its list of bodies that do is empty"));
            }
        }
        Ok(())
    }

    /// Whether a body can be out of the dynamics, with what its tree carries.
    fn check_idles(&self, body: BodyId) -> Result<(), ModelError> {
        let name = &self.bodies[body.index()].name;
        self.idles(body).map_err(|why| refuse(name, why))
    }

    /// Says why a body cannot be out of the dynamics, with what its tree carries.
    pub(crate) fn idles(&self, body: BodyId) -> Result<(), String> {
        let b = &self.bodies[body.index()];
        if !b.yields() {
            return Err("it is fixed or driven, and cannot enter or leave the dynamics".into());
        }
        let Some(link) = b.link else { return Ok(()) };
        let root = self.root(link);
        for link in (0..self.links.len()).filter(|i| self.root(*i) == root).map(|i| &self.links[i]) {
            let Carrier::Joint { guide, link: None, body, .. } = &link.carrier else {
                if matches!(&link.carrier, Carrier::Joint { guide: Some(_), .. }) {
                    return Err("a guided joint moves it or something it carries".into());
                }
                continue;
            };
            let driven = |id: &BodyId| matches!(self.bodies[id.index()].motion, BodyMotion::Driven { .. });
            if guide.is_some() || body.as_ref().is_some_and(driven) {
                return Err("its tree hangs on a guided joint or a driven body".into());
            }
        }
        Ok(())
    }

    /// What a change changes.
    pub(crate) fn changed_name(&self, change: Change) -> &str {
        match change {
            Change::Attach(id) | Change::Detach(id) => &self.loops[id.index()].name,
            Change::Enable(id) | Change::Disable(id) => &self.forces[id.index()].0,
            Change::Enter(id) | Change::Leave(id) => &self.bodies[id.index()].name,
            Change::Tie(id, _) | Change::Untie(id, _) => &self.cables[id.index()].name,
        }
    }

    /// Adds the sources of changes to the account's.
    pub(super) fn name_change_sources(&mut self) {
        for closed in self.loops.iter_mut().filter(|l| l.changes) {
            closed.attach_source = Some(self.sources.len());
            self.sources.push(format!("loop.{}.attach", closed.name));
        }
        let own = |c: &Change| {
            matches!(c, Change::Attach(_) | Change::Detach(_) | Change::Tie(..) | Change::Untie(..))
        };
        let others = |c: &Change| !own(c);
        if !self.changes.fences.is_empty() || self.changes.timeline.iter().any(|(_, c)| others(c)) {
            self.changes.source = Some(self.sources.len());
            self.sources.push("changes".into());
        }
    }

    /// Account source of a change: that of its loop, that of other changes, or the control's if it was not foreseen.
    pub(crate) fn change_source(&self, change: Change) -> usize {
        let of_loop = match change {
            Change::Attach(id) | Change::Detach(id) => self.loops[id.index()].attach_source,
            Change::Tie(id, _) | Change::Untie(id, _) => Some(self.cables[id.index()].source + cable::MESH),
            _ => self.changes.source,
        };
        of_loop.unwrap_or(Self::CONTROL_SOURCE)
    }

    /// Puts the fences out of the dynamics, with what is tied to them, and checks that they can be.
    pub(super) fn check_start(&self) -> Result<(), ModelError> {
        let state = self.initial_state();
        for fence in &self.changes.fences {
            let name = &self.bodies[fence.body.index()].name;
            for body in tied(self, &state, [fence.body]) {
                self.idles(body).map_err(|why| {
                    refuse(
                        name,
                        format!("it is tied to '{}', and there {why}", self.bodies[body.index()].name),
                    )
                })?;
                if fence.near.contains(&body) {
                    let body = &self.bodies[body.index()].name;
                    return Err(refuse(name, format!("'{body}', which is to wake it, is tied to it")));
                }
                let place = crate::activity::velocities_of(self, body);
                if state.v[place].iter().any(|v| *v != 0.0) {
                    return Err(refuse(name, "it waits out of the dynamics and so must start at rest"));
                }
            }
        }
        Ok(())
    }

    /// Activity at the start.
    pub(super) fn start_activity(&self, state: &mut State) {
        state.activity.still = vec![f64::INFINITY; self.changes.fences.len()];
        if !self.changes.fences.is_empty() {
            state.activity.idle = tied(self, state, self.changes.fences.iter().map(|f| f.body));
        }
    }
}
