//! Islands: bodies and cables that touch or hold each other, which a step has to solve together.
//!
//! Fixed and driven bodies join nothing, as no force moves them. Islands are found at the start of each step, from the model and the contacts
//! there. Each island with a cable is a *group* that is stepped on its own; all islands without cables are one group together, unless its step
//! does not converge: then each is a group. While a group is chosen, the stages of an evaluation leave everything else out. Groups that
//! come to touch within a step are stepped together.

use crate::contact::Contacts;
use crate::{BodyId, ControllerId, Data, ForceId, Model, State};

/// What is in no group: it does not move.
const NONE: u32 = u32::MAX;

/// Which body or cable is in which group, and the group that is stepped now.
#[derive(Debug, Default)]
pub(crate) struct Islands {
    /// What the model joins for good: pairs of members. Members are the bodies, then the cables.
    joins: Vec<(u32, u32)>,
    /// The first body that each force element moves.
    forced: Vec<u32>,
    known: bool,
    /// Which member stands for each member's island.
    parent: Vec<u32>,
    /// Group of each member.
    group: Vec<u32>,
    groups: u32,
    /// The group that is stepped; everything if there is none.
    chosen: Option<u32>,
    /// Whether each place in `State::v` takes part; empty if all do.
    moves: Vec<bool>,
    /// Whether the chosen group has touched another one.
    touched: bool,
}

impl Islands {
    /// Finds the groups of a state, whose contacts must be up to date; how many there are.
    pub(crate) fn find(&mut self, model: &Model, state: &State, contacts: &Contacts) -> u32 {
        self.learn(model);
        let bodies = model.bodies.len();
        let members = bodies + model.cables.len();
        self.parent.clear();
        self.parent.extend(0..members as u32);
        for i in 0..self.joins.len() {
            let (a, b) = self.joins[i];
            self.join(a, b);
        }
        let moves = |body: BodyId| model.bodies[body.index()].yields() && !state.activity.is_idle(body);
        for contact in contacts.iter().filter(|c| moves(c.body_a) && moves(c.body_b)) {
            self.join(contact.body_a.0, contact.body_b.0);
        }
        // Islands with cables have a group each, in the order of their first cables.
        self.group.clear();
        self.group.resize(members, NONE);
        self.groups = 0;
        for cable in (0..model.cables.len()).filter(|i| model.cables[*i].pace.is_none()) {
            let island = self.island((bodies + cable) as u32) as usize;
            if self.group[island] == NONE {
                self.group[island] = self.groups;
                self.groups += 1;
            }
        }
        let mut rest = false;
        for member in 0..bodies {
            if !model.bodies[member].yields() {
                continue;
            }
            let island = self.island(member as u32) as usize;
            if self.group[island] == NONE {
                self.group[island] = self.groups;
                rest = true;
            }
        }
        self.groups += u32::from(rest);
        self.spread(model);
        self.groups
    }

    /// Makes a group of each island of a group without cables, the first in its place.
    pub(crate) fn split(&mut self, model: &Model, group: u32) {
        let mut first = None;
        for member in 0..model.bodies.len() {
            if !model.bodies[member].yields() || self.group[member] != group {
                continue;
            }
            let island = self.island(member as u32);
            if island == *first.get_or_insert(island) || island != member as u32 {
                continue;
            }
            self.group[member] = self.groups;
            self.groups += 1;
        }
        self.spread(model);
    }

    /// How many groups there are.
    pub(crate) fn groups(&self) -> u32 {
        self.groups
    }

    /// The group that is stepped; everything if there is none.
    pub(crate) fn chosen(&self) -> Option<u32> {
        self.chosen
    }

    /// Whether a group can be split.
    pub(crate) fn splits(&self, model: &Model, group: u32) -> bool {
        let mut islands = (0..model.bodies.len()).filter(|i| {
            model.bodies[*i].yields() && self.group[*i] == group && self.island(*i as u32) == *i as u32
        });
        islands.nth(1).is_some() && !self.has_cables(model, group)
    }

    pub(crate) fn has_cables(&self, model: &Model, group: u32) -> bool {
        let cables = &self.group[model.bodies.len()..];
        cables.iter().zip(&model.cables).any(|(g, cable)| *g == group && cable.pace.is_none())
    }

    /// Every member has the group of its island.
    fn spread(&mut self, model: &Model) {
        for member in 0..self.group.len() {
            let moves = model.bodies.get(member).is_none_or(crate::Body::yields);
            let group = if moves { self.group[self.island(member as u32) as usize] } else { NONE };
            self.group[member] = group;
        }
    }

    /// What the model joins: trees, force elements, loops, and cables with what may hold or guide them.
    fn learn(&mut self, model: &Model) {
        if self.known {
            return;
        }
        self.known = true;
        self.joins.clear();
        self.forced.clear();
        let joins = &mut self.joins;
        let mut all_of = |members: &mut dyn Iterator<Item = BodyId>| -> u32 {
            let mut members = members.filter(|body| model.bodies[body.index()].yields());
            let Some(first) = members.next() else { return NONE };
            joins.extend(members.map(|other| (first.0, other.0)));
            first.0
        };
        for (i, link) in model.links.iter().enumerate() {
            all_of(&mut [model.links[model.root(i)].body, link.body].into_iter());
        }
        for (_, force) in &model.forces {
            let first = all_of(&mut force.bodies().into_iter());
            self.forced.push(first);
        }
        for closed in &model.loops {
            all_of(&mut closed.members.iter().copied());
        }
        let mut held = Vec::new();
        for (i, cable) in model.cables.iter().enumerate().filter(|(_, cable)| cable.pace.is_none()) {
            let first = all_of(&mut cable.bodies().into_iter());
            held.push((first, (model.bodies.len() + i) as u32));
        }
        self.joins.extend(held.into_iter().filter(|(body, _)| *body != NONE));
    }

    fn island(&self, mut member: u32) -> u32 {
        while self.parent[member as usize] != member {
            member = self.parent[member as usize];
        }
        member
    }

    /// The smaller member stands for both islands; short ways are kept short.
    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.island(a), self.island(b));
        let (low, high) = (a.min(b), a.max(b));
        self.parent[high as usize] = low;
    }

    /// Steps a group alone from now on.
    pub(crate) fn choose(&mut self, model: &Model, group: u32) {
        (self.chosen, self.touched) = (Some(group), false);
        self.moves.clear();
        self.moves.resize(model.nv, false);
        for (i, body) in model.bodies.iter().enumerate().filter(|(i, _)| self.group[*i] == group) {
            let places = crate::activity::velocities_of(model, BodyId(i as u32));
            debug_assert!(body.yields());
            self.moves[places].fill(true);
        }
        for (i, cable) in model.cables.iter().enumerate() {
            if self.group[model.bodies.len() + i] == group && cable.pace.is_none() {
                self.moves[cable.v..cable.v + cable.coordinates()].fill(true);
            }
        }
    }

    /// Steps everything from now on.
    pub(crate) fn choose_all(&mut self) {
        (self.chosen, self.touched) = (None, false);
        self.moves.clear();
    }

    pub(crate) fn is_one_chosen(&self) -> bool {
        self.chosen.is_some()
    }

    /// Takes the list of what takes part out, while something else has this.
    pub(crate) fn take_moves(&mut self) -> Vec<bool> {
        std::mem::take(&mut self.moves)
    }

    pub(crate) fn give_moves(&mut self, moves: Vec<bool>) {
        self.moves = moves;
    }

    /// Whether each place in `State::v` takes part; empty if all do.
    pub(crate) fn moves(&self) -> &[bool] {
        &self.moves
    }

    /// Whether the group that is stepped has touched another one.
    pub(crate) fn has_touched(&self) -> bool {
        self.touched
    }

    /// What does not move counts with the first group.
    fn counts_group(&self, group: u32) -> bool {
        self.chosen.is_none_or(|chosen| group == chosen || group == NONE && chosen == 0)
    }

    /// Whether what acts on a body takes part.
    #[inline]
    pub(crate) fn counts(&self, body: BodyId) -> bool {
        self.chosen.is_none() || self.counts_group(self.group[body.index()])
    }

    #[inline]
    pub(crate) fn counts_force(&self, force: ForceId) -> bool {
        self.chosen.is_none()
            || self.counts_group(self.forced.get(force.index()).map_or(NONE, |b| match *b {
                NONE => NONE,
                body => self.group[body as usize],
            }))
    }

    pub(crate) fn counts_controller(&self, model: &Model, controller: ControllerId) -> bool {
        self.chosen.is_none() || self.counts(model.controllers[controller.index()].drive.body(model))
    }

    /// Whether a cable takes part; one at its own rate does with the first group, for what it stores.
    #[inline]
    pub(crate) fn counts_cable(&self, model: &Model, cable: usize) -> bool {
        self.chosen.is_none()
            || self.counts_group(match model.cables[cable].pace {
                Some(_) => NONE,
                None => self.group[model.bodies.len() + cable],
            })
    }

    /// Sets aside the contacts that the chosen group has no part in, and finds out whether it has touched another one.
    pub(crate) fn mark(&mut self, model: &Model, state: &State, contacts: &mut Contacts) {
        let Some(chosen) = self.chosen else { return };
        for contact in contacts.chunks.iter_mut().flat_map(|chunk| &mut chunk.contacts) {
            let group =
                |body: BodyId| if state.activity.is_idle(body) { NONE } else { self.group[body.index()] };
            let (a, b) = (group(contact.body_a), group(contact.body_b));
            contact.aside = a != chosen && b != chosen;
            self.touched |= contact.bears(model) && a != b && a != NONE && b != NONE;
        }
    }

    /// Members of what is stepped now: bodies that forces move by their index, then cables after all bodies.
    pub(crate) fn members<'a>(&'a self, model: &'a Model) -> impl Iterator<Item = usize> + 'a {
        let bodies = model.bodies.len();
        (0..bodies + model.cables.len()).filter(move |i| {
            let steps = match i.checked_sub(bodies) {
                None => model.bodies[*i].yields(),
                Some(cable) => model.cables[cable].pace.is_none(),
            };
            steps && self.chosen.is_none_or(|chosen| self.group[*i] == chosen)
        })
    }
}

impl Data {
    /// From now on evaluations look at one group of islands, or at everything.
    pub(crate) fn choose_group(&mut self, model: &Model, group: Option<u32>) {
        if group.is_none() && !self.islands.is_one_chosen() {
            return;
        }
        match group {
            Some(group) => self.islands.choose(model, group),
            None => self.islands.choose_all(),
        }
        self.invalidate();
    }
}
