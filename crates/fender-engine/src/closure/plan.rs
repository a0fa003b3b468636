//! Which coordinates the loops tie together, in which order their equations are solved.

use super::Closure;
use crate::tree::Link;
use crate::{Body, BodyId};
use fender_math::Skyline;
use fender_math::skyline::reverse_cuthill_mckee;

/// A coordinate that no loop concerns.
const NOWHERE: usize = usize::MAX;

/// The system of equations of all trees with loops, fixed when the model is built.
#[derive(Clone, Debug, Default)]
pub(crate) struct LoopPlan {
    /// Links of trees that loops concern, parents first.
    pub(crate) links: Vec<usize>,
    /// Where each unknown is in `State::v`.
    pub(crate) unknowns: Vec<usize>,
    /// Which unknown a place in `State::v` is.
    places: Vec<usize>,
    /// Which unknowns and loops have to do with each other, also by loops that do not hold now: the island of each unknown.
    pub(crate) islands: Vec<usize>,
    /// How many islands there are, with one for loops without unknowns.
    pub(crate) island_count: usize,
    /// Profile of the matrix.
    pub(crate) profile: Vec<usize>,
    /// What each loop touches.
    pub(crate) shapes: Vec<LoopShape>,
}

/// Which unknowns a loop concerns, and where its bodies find them.
#[derive(Clone, Debug)]
pub(crate) struct LoopShape {
    /// Unknowns, in the order of the loop's part of the Jacobian.
    pub(crate) columns: Vec<usize>,
    /// For each body of the closure, the links between it and the root that matter, with their first column.
    pub(crate) paths: Vec<Vec<(usize, usize)>>,
    /// For each coordinate of the closure, its column.
    pub(crate) terms: Vec<usize>,
    /// Its island.
    pub(crate) island: usize,
    /// The bodies of the closure.
    pub(crate) bodies: Vec<Option<BodyId>>,
}

fn ancestors(links: &[Link], from: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(from), |i| links[*i].parent())
}

impl LoopPlan {
    pub(crate) fn new<'a>(
        bodies: &[Body],
        links: &[Link],
        nv: usize,
        closures: impl Iterator<Item = &'a dyn Closure> + Clone,
    ) -> Self {
        let link_of = |body: Option<BodyId>| body.and_then(|id| bodies[id.index()].link);
        let link_with = |v: usize| links.iter().position(|l| (l.v..l.v + l.nv).contains(&v));
        let root = |link: usize| ancestors(links, link).last().unwrap_or(link);
        let mut concerned = vec![false; links.len()];
        for closure in closures.clone() {
            let on = closure.bodies().into_iter().filter_map(link_of);
            for link in on.chain(closure.coordinates().into_iter().filter_map(link_with)) {
                concerned[root(link)] = true;
            }
        }
        let chosen: Vec<usize> = (0..links.len()).filter(|i| concerned[root(*i)]).collect();
        let mut plan = Self { places: vec![NOWHERE; nv], ..Self::default() };
        let mut given: Vec<usize> = Vec::new();
        for &i in &chosen {
            for v in links[i].v..links[i].v + links[i].nv {
                plan.places[v] = given.len();
                given.push(v);
            }
        }
        let shapes: Vec<LoopShape> =
            closures.map(|closure| plan.shape(closure, links, link_of, link_with)).collect();
        // Who couples with whom: a coordinate with those of its ancestors, and all of a loop with each other.
        let mut couplings: Vec<(usize, usize)> = Vec::new();
        for &i in &chosen {
            for j in ancestors(links, i) {
                for v in links[i].v..links[i].v + links[i].nv {
                    couplings.extend(
                        (links[j].v..links[j].v + links[j].nv).map(|w| (plan.places[v], plan.places[w])),
                    );
                }
            }
        }
        for shape in &shapes {
            for a in &shape.columns {
                couplings.extend(shape.columns.iter().map(|b| (*a, *b)));
            }
        }
        let mut neighbours = vec![Vec::new(); given.len()];
        for (a, b) in &couplings {
            if a != b {
                neighbours[*a].push(*b);
                neighbours[*b].push(*a);
            }
        }
        for list in &mut neighbours {
            list.sort_unstable();
            list.dedup();
        }
        let order = reverse_cuthill_mckee(&neighbours);
        let mut new = vec![0; order.len()];
        for (i, old) in order.iter().enumerate() {
            new[*old] = i;
        }
        plan.profile = Skyline::profile(new.len(), couplings.iter().map(|(a, b)| (new[*a], new[*b])));
        plan.unknowns = order.iter().map(|old| given[*old]).collect();
        for place in plan.places.iter_mut().filter(|place| **place != NOWHERE) {
            *place = new[*place];
        }
        plan.shapes = shapes;
        for shape in &mut plan.shapes {
            for column in &mut shape.columns {
                *column = new[*column];
            }
        }
        plan.links = chosen;
        plan.find_islands(&neighbours, &order);
        plan
    }

    fn find_islands(&mut self, neighbours: &[Vec<usize>], order: &[usize]) {
        let mut of = vec![NOWHERE; neighbours.len()];
        let mut waiting = Vec::new();
        for start in 0..neighbours.len() {
            if of[start] != NOWHERE {
                continue;
            }
            waiting.push(start);
            while let Some(i) = waiting.pop() {
                if of[i] == NOWHERE {
                    of[i] = self.island_count;
                    waiting.extend(&neighbours[i]);
                }
            }
            self.island_count += 1;
        }
        self.islands = order.iter().map(|old| of[*old]).collect();
        for shape in &mut self.shapes {
            shape.island = shape.columns.first().map_or(self.island_count, |column| self.islands[*column]);
        }
        self.island_count += 1;
    }

    /// Which unknown a place in `State::v` is; every coordinate of the plan's links is one.
    pub(crate) fn unknown(&self, v: usize) -> usize {
        self.places[v]
    }

    fn shape(
        &self,
        closure: &dyn Closure,
        links: &[Link],
        link_of: impl Fn(Option<BodyId>) -> Option<usize>,
        link_with: impl Fn(usize) -> Option<usize>,
    ) -> LoopShape {
        let bodies = closure.bodies();
        let ways: Vec<Vec<usize>> = bodies
            .iter()
            .map(|body| link_of(*body).map_or_else(Vec::new, |i| ancestors(links, i).collect()))
            .collect();
        // A closure sees relative motion only: what moves all of its bodies together does not concern it.
        let common = |i: &usize| ways.iter().all(|way| way.contains(i));
        let mut columns: Vec<usize> = Vec::new();
        let mut firsts: Vec<(usize, usize)> = Vec::new();
        let mut column_of = |i: usize| {
            if let Some((_, first)) = firsts.iter().find(|(link, _)| *link == i) {
                return *first;
            }
            let first = columns.len();
            columns.extend((links[i].v..links[i].v + links[i].nv).map(|v| self.places[v]));
            firsts.push((i, first));
            first
        };
        let paths = ways
            .iter()
            .map(|way| way.iter().filter(|i| !common(i)).map(|&i| (i, column_of(i))).collect())
            .collect();
        let terms = closure.coordinates().into_iter();
        let terms = terms.filter_map(|v| link_with(v).map(|i| column_of(i) + v - links[i].v)).collect();
        LoopShape { columns, paths, terms, island: 0, bodies }
    }
}
