//! Which coordinates couple with which, and the order in which they are solved.

use crate::tree::Link;
use crate::{BodyId, Data, Model};
use fender_math::Skyline;
use fender_math::skyline::reverse_cuthill_mckee;

/// The profile of the tangent matrix. It depends on the model and on who touches whom, and is made anew when that
/// changes.
#[derive(Clone, Debug, Default)]
pub(crate) struct TangentPlan {
    /// Where each unknown is in `State::v`.
    pub(crate) unknowns: Vec<usize>,
    /// Which unknown a place in `State::v` is.
    places: Vec<usize>,
    /// First column of each row.
    pub(crate) profile: Vec<usize>,
    /// Bodies that touch, for which this was made.
    touching: Vec<(BodyId, BodyId)>,
    found: Vec<(BodyId, BodyId)>,
}

impl TangentPlan {
    /// Which unknown a place in `State::v` is.
    #[inline]
    pub(crate) fn unknown(&self, v: usize) -> usize {
        self.places[v]
    }

    /// Makes the plan for the contacts of this instant, unless it is the one there is.
    pub(crate) fn update(&mut self, model: &Model, data: &Data) {
        let Self { found, touching, .. } = self;
        found.clear();
        for contact in data.contacts.iter() {
            let pair = (contact.body_a, contact.body_b);
            if found.last() != Some(&pair) {
                found.push(pair);
            }
        }
        if found == touching && self.places.len() == model.nv {
            return;
        }
        std::mem::swap(found, touching);
        // Blocks: a link, or a free body that is in no tree.
        let mut blocks: Vec<(usize, usize)> = model.links.iter().map(|link| (link.v, link.nv)).collect();
        let mut block_of: Vec<Option<usize>> = model.bodies.iter().map(|body| body.link).collect();
        for free in model.free.iter().filter(|free| !free.root) {
            block_of[free.body.index()] = Some(blocks.len());
            blocks.push((free.v, 6));
        }
        let way = |body: BodyId| -> Vec<usize> {
            let Some(block) = block_of[body.index()] else { return Vec::new() };
            if block < model.links.len() { ancestors(&model.links, block) } else { vec![block] }
        };
        let mut neighbours = vec![Vec::new(); blocks.len()];
        let mut join = |all: &[usize]| {
            for a in all {
                for b in all {
                    if a != b {
                        neighbours[*a].push(*b);
                    }
                }
            }
        };
        for i in 0..model.links.len() {
            join(&ancestors(&model.links, i));
        }
        for (_, force) in &model.forces {
            let all: Vec<usize> = force.bodies().into_iter().flat_map(way).collect();
            join(&all);
        }
        for closed in &model.loops {
            let of_bodies = closed.closure.bodies().into_iter().flatten().flat_map(way);
            let coordinates = closed.closure.coordinates();
            let of_joints = coordinates
                .iter()
                .filter_map(|v| model.links.iter().position(|l| (l.v..l.v + l.nv).contains(v)));
            let all: Vec<usize> =
                of_bodies.chain(of_joints.flat_map(|i| ancestors(&model.links, i))).collect();
            join(&all);
        }
        for cable in model.joined_cables() {
            let all: Vec<usize> = cable.bodies().into_iter().flat_map(way).collect();
            join(&all);
        }
        for (a, b) in &self.touching {
            let all: Vec<usize> = way(*a).into_iter().chain(way(*b)).collect();
            join(&all);
        }
        for list in &mut neighbours {
            list.sort_unstable();
            list.dedup();
        }
        let order = reverse_cuthill_mckee(&neighbours);
        self.unknowns.clear();
        self.places.clear();
        self.places.resize(model.nv, usize::MAX);
        let mut first_of = vec![0; blocks.len()];
        for block in &order {
            let (v, n) = blocks[*block];
            first_of[*block] = self.unknowns.len();
            for v in v..v + n {
                self.places[v] = self.unknowns.len();
                self.unknowns.push(v);
            }
        }
        self.profile.clear();
        self.profile.resize(self.unknowns.len(), 0);
        for (block, neighbours) in neighbours.iter().enumerate() {
            let first = neighbours.iter().map(|b| first_of[*b]).fold(first_of[block], usize::min);
            let (_, n) = blocks[block];
            self.profile[first_of[block]..first_of[block] + n].fill(first);
        }
        // A block without freedoms may have left a hole.
        self.profile.truncate(self.unknowns.len());
        debug_assert!(Skyline::new(self.profile.clone()).len() <= model.nv);
    }
}

fn ancestors(links: &[Link], from: usize) -> Vec<usize> {
    std::iter::successors(Some(from), |i| links[*i].parent()).collect()
}
