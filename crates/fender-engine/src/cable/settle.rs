//! Equilibrium of cables, with everything that holds them where it is.
//!
//! Newton's steps (μM + K) δ = F, where μ shrinks while the forces do work on the steps and grows where they do not (Levenberg &
//! Marquardt): for large μ that is dynamic relaxation, for μ = 0 Newton's method. Each step costs as much as one of an implicit
//! integrator, and is shortened until the forces at its end do less work against it than those at its start do along it (Matthies & Strang 1979): for
//! potential forces that is downhill. Tensions of stiff lines are unknowns of their own (see `augmented`). It ends where the forces left are nothing beside
//! tension and weight, or where rounding of the places makes as much.

use super::augmented::Augmented;
use super::doubt::{bent_stretch, compressed};
use super::state::NONE;
use super::system::CableSystem;
use super::{BentStretch, Compression};
use super::{Cable, CableError};
use crate::balance::{Pencil, SLOWEST, unstable_direction};
use crate::evaluate::{Treatment, evaluate};
use crate::tangent::Weights;
use crate::{Control, Data, Model, State};
use fender_math::{BlockTridiagonal, Vec3};

/// Steps at most: from the shape that was given, from one that was found by force densities, and from where that came.
const STEPS: [usize; 3] = [60, 100, 3000];
/// Force left on a node, as part of the largest tension or the weight, at which a cable counts as resting.
const CLOSE: f64 = 1e-10;
/// How often a cable at rest is divided further and let come to rest again.
const REFINED: usize = 12;
/// Longest step, as part of the cable's length.
const FURTHEST: f64 = 0.1;
/// How often a step is shortened at most (line search), and to which part of itself each time, at least and at most.
const SHORTENED: usize = 6;
const SHORTER: [f64; 2] = [0.1, 0.5];
/// Multipliers change when the forces left are this part of what they lack.
const SETTLED: f64 = 0.1;

/// How a cable came to rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settled {
    /// Steps it took.
    pub steps: usize,
    /// Force that is left on a node [N].
    pub force: f64,
    /// Where it pushes most, if it does.
    pub compression: Option<Compression>,
    /// Where it is stretched more than its bending is made for, if it is.
    pub stretch: Option<BentStretch>,
    /// Rate at which it leaves an unstable position [1/s].
    pub instability: Option<f64>,
}

/// Moves a cable of a state to its equilibrium, all else as it is, and says how. With adaptive resolution it has the nodes there that it asks for, so
/// that it need not be divided as soon as it moves.
pub(crate) fn settle(model: &Model, state: &mut State, index: usize) -> Result<Settled, CableError> {
    let mut settled = find(model, state, index)?;
    for _ in 0..REFINED {
        let coarse = state.clone();
        if !model.cables[index].divide_further(model, state, index) {
            break;
        }
        let Ok(found) = descend(model, state, index, STEPS[1], true) else {
            // What was there is an equilibrium too.
            *state = coarse;
            break;
        };
        settled = found;
    }
    Ok(settled)
}

fn find(model: &Model, state: &mut State, index: usize) -> Result<Settled, CableError> {
    let start = state.clone();
    let given = descend(model, state, index, STEPS[0], true);
    if given.is_ok() {
        return given;
    }
    // At guides the shape that was given is worth more: it goes around wheels as it should.
    if !model.cables[index].guides.is_empty() {
        let given = descend(model, state, index, STEPS[2], false);
        if !matches!(given, Err(CableError::Restless { .. })) {
            return given;
        }
    }
    *state = start;
    model.cables[index].hang(model, state, index);
    descend(model, state, index, STEPS[1], true).or_else(|_| descend(model, state, index, STEPS[2], false))
}

/// `taut` takes every element as taut in the system, so that none gives way without resistance: from far away that is the shorter way,
/// if the cable ends up taut.
fn descend(
    model: &Model,
    state: &mut State,
    index: usize,
    most: usize,
    taut: bool,
) -> Result<Settled, CableError> {
    let cable = &model.cables[index];
    let mut data = Data::default();
    let (at, count) = (cable.q, cable.coordinates());
    state.v[cable.v..cable.v + count].fill(0.0);
    let length = state.cables[index].length();
    let gravity = model.gravity.length().max(1e-3);
    let mut system = CableSystem::default();
    cable.residual(model, state, &mut data, index);
    let force = weight(&data.cables[index], gravity);
    data.cables[index].augmented = Augmented::new(cable, &state.cables[index], force);
    let mut left = cable.residual(model, state, &mut data, index);
    let guided = !cable.guides.is_empty();
    let mut damping = gravity / (FURTHEST * length);
    let mut tries = 0;
    for steps in 0..most {
        if guided && cable.slide(state, &mut data, index, model) {
            data.cables[index].augmented.reset(state.cables[index].elements.len());
            left = cable.residual(model, state, &mut data, index);
            tries = 0;
            continue;
        }
        let noise = cable.rounding(model, &state.cables[index], &data.cables[index]);
        let resting = cable.rests(&data.cables[index], &left.forces, &noise, gravity);
        if resting {
            // At rest with these multipliers: with the law itself too, or are better ones needed?
            let law = std::mem::take(&mut data.cables[index].augmented);
            let exact =
                if law.is_exact() { left.clone() } else { cable.residual(model, state, &mut data, index) };
            let own = &data.cables[index];
            let noise = cable.rounding(model, &state.cables[index], own);
            let met = law.is_met(
                cable,
                &state.cables[index],
                own,
                (hidden_length(own), CLOSE * scale(own, gravity)),
            );
            if met && cable.rests(own, &exact.forces, &noise, gravity) {
                let compression = compressed(cable, &state.cables[index], &data.cables[index], gravity);
                let stretch = bent_stretch(cable, &state.cables[index], &data.cables[index]);
                let instability = instability(model, state, &data, index);
                super::after_step(model, state, &mut data);
                return Ok(Settled { steps, force: exact.worst().0, compression, stretch, instability });
            }
            data.cables[index].augmented = law;
            left = cable.residual(model, state, &mut data, index);
        }
        if left.mismatch > 0.0 && (resting || left.worst().0 <= SETTLED * left.mismatch) {
            let mut law = std::mem::take(&mut data.cables[index].augmented);
            law.update(cable, &state.cables[index], &data.cables[index]);
            data.cables[index].augmented = law;
            left = cable.residual(model, state, &mut data, index);
            tries = 0;
        }
        if tries > 40 || !left.worst().0.is_finite() {
            break;
        }
        let weights = Weights { mass: damping, damping: 0.0, stiffness: 1.0 };
        let own = &state.cables[index];
        if taut {
            cable.tauten(own, &mut data.cables[index], gravity);
        }
        let solvable = system.write_held(cable, own, &data.cables[index], weights);
        let mut change = left.forces.clone();
        if solvable {
            system.solve_own(cable, own, &data.cables[index], &left.forces);
            system.finish(cable, own, &[], &mut change);
        }
        let largest = change[..3 * cable.capacity].iter().fold(0.0_f64, |a, x| a.max(x.abs()));
        let whole = (FURTHEST * length / largest).min(1.0).min(to_guides(own, &data.cables[index], &change));
        let start = state.q[at..at + count].to_vec();
        // Line search: the forces must not do more work backwards at the end of the step than they do forwards at its start.
        let along = |forces: &[f64]| change.iter().zip(forces).map(|(x, f)| x * f).sum::<f64>();
        let unsure: f64 = noise.iter().enumerate().map(|(i, n)| n * length_of(&change, i)).sum();
        let slope = along(&left.forces);
        let (mut part, mut found) = (whole, None);
        if solvable && slope > -unsure {
            for _ in 0..SHORTENED {
                for ((q, start), change) in state.q[at..at + count].iter_mut().zip(&start).zip(&change) {
                    *q = start + part * change;
                }
                let after = cable.residual(model, state, &mut data, index);
                let there = along(&after.forces);
                if there >= -slope - unsure && after.forces.iter().all(|f| f.is_finite()) {
                    found = Some(after);
                    break;
                }
                let to = slope / (slope - there);
                part *= if to.is_finite() { to.clamp(SHORTER[0], SHORTER[1]) } else { SHORTER[0] };
            }
        }
        if let Some(after) = found {
            left = after;
            damping *= match part {
                1.0 => 0.2,
                _ if part == whole => 1.0,
                _ => 2.0,
            };
            tries = 0;
        } else {
            state.q[at..at + count].copy_from_slice(&start);
            left = cable.residual(model, state, &mut data, index);
            damping = (damping * 10.0).max(1e-9 * gravity / length);
            tries += 1;
        }
    }
    cable.blocks(&state.cables[index], &data.cables[index])?;
    let (force, node) = left.worst();
    Err(CableError::Restless { steps: most, node, force })
}

/// What is left on a cable.
#[derive(Clone, Debug)]
struct Left {
    /// Forces on all its coordinates [N, N·m].
    forces: Vec<f64>,
    /// Largest change that a multiplier still needs [N].
    mismatch: f64,
    nodes: usize,
}

impl Left {
    /// The largest force on a node, and which.
    fn worst(&self) -> (f64, usize) {
        let mut worst = (0.0, 0);
        for i in 0..self.nodes {
            let force = length_of(&self.forces, i);
            if force > worst.0 || force.is_nan() {
                worst = (force, i);
            }
        }
        worst
    }
}

/// Length of a node's vector.
fn length_of(list: &[f64], node: usize) -> f64 {
    Vec3::from_slice(&list[3 * node..]).length()
}

/// A cable with everything that holds it at rest.
struct Held<'a> {
    system: CableSystem,
    cable: &'a Cable,
    own: &'a super::CableState,
    data: &'a super::CableData,
}

impl Pencil for Held<'_> {
    fn times_mass(&mut self, x: &mut [f64]) {
        self.system.times_mass(self.cable, x);
    }

    fn solve(&mut self, x: &mut [f64]) {
        self.system.solve_own(self.cable, self.own, self.data, x);
        self.system.finish(self.cable, self.own, &[], x);
    }
}

/// Rate at which a cable leaves its position of rest, if that is unstable [1/s].
fn instability(model: &Model, state: &State, data: &Data, index: usize) -> Option<f64> {
    let (cable, own, data) = (&model.cables[index], &state.cables[index], &data.cables[index]);
    let mut system = CableSystem::default();
    let weights = Weights { mass: SLOWEST, damping: 0.0, stiffness: 1.0 };
    if !system.write_held(cable, own, data, weights) {
        return None;
    }
    let mut held = Held { system, cable, own, data };
    let (square, _) = unstable_direction(cable.coordinates(), &mut held)?;
    (square < cable.hidden_square(own, data)).then(|| (-square).sqrt())
}

/// Moves the inner points of a polyline along it so that its pieces are as long as `lengths`, but for one factor.
fn spread(places: &mut [Vec3], lengths: &[f64]) {
    let old = places.to_vec();
    let mut way = vec![0.0];
    for pair in old.windows(2) {
        way.push(way[way.len() - 1] + (pair[1] - pair[0]).length());
    }
    let (whole, wanted) = (way[way.len() - 1], lengths.iter().sum::<f64>());
    let mut s = 0.0;
    for i in 1..places.len() - 1 {
        s += lengths[i - 1] * whole / wanted;
        let at = way.partition_point(|x| *x <= s).clamp(1, way.len() - 1);
        let part = (s - way[at - 1]) / (way[at] - way[at - 1]).max(1e-300);
        places[i] = old[at - 1].lerp(old[at], part.clamp(0.0, 1.0));
    }
}

/// The part of a step that brings no node nearer to a guide than halfway: nodes are taken out before they come there.
pub(crate) fn to_guides(own: &super::CableState, data: &super::CableData, change: &[f64]) -> f64 {
    let mut part = 1.0_f64;
    for (e, _) in own.elements.iter().enumerate().filter(|(_, e)| e.guide != NONE) {
        let course = &data.course[e];
        for (node, by, free) in [(e, course.by_a, course.free[0]), (e + 1, course.by_b, course.free[1])] {
            let nearer = -by.dot(Vec3::from_slice(&change[3 * node..]));
            if !data.held[node] && nearer > 0.5 * free {
                part = part.min(0.5 * free / nearer);
            }
        }
    }
    part
}

impl Cable {
    /// Splits every element of a cable at rest that its resolution asks to; whether there was any.
    fn divide_further(&self, model: &Model, state: &mut State, index: usize) -> bool {
        let mut data = Data::default();
        let mut any = false;
        for _ in 0..self.capacity {
            self.residual(model, state, &mut data, index);
            if !self.split_one(state, &data, index) {
                break;
            }
            any = true;
        }
        any
    }

    /// An error if something is at a guide that cannot go through.
    fn blocks(&self, own: &super::CableState, data: &super::CableData) -> Result<(), CableError> {
        let Some((guide, node)) = self.blocked(own, data, super::remesh::THERE) else { return Ok(()) };
        let what = super::remesh::at_node(own, node);
        Err(CableError::Blocked { guide: self.guides[guide as usize].0.clone(), what })
    }

    /// What is left on it.
    fn residual(&self, model: &Model, state: &State, data: &mut Data, index: usize) -> Left {
        data.invalidate();
        evaluate(model, &Control::default(), state, data, Treatment::Instant);
        let own = &data.cables[index];
        let mismatch = own.augmented.mismatch(self, &state.cables[index], own);
        let mut forces = vec![0.0; self.coordinates()];
        for (i, force) in own.force.iter().enumerate().filter(|(i, _)| !own.held[*i]) {
            forces[3 * i..3 * i + 3].copy_from_slice(&force.to_array());
        }
        if self.twists {
            for e in 0..state.cables[index].elements.len() {
                forces[self.angle(e)] = own.torsion.force[e];
            }
        }
        Left { forces, mismatch, nodes: own.force.len() }
    }

    /// Whether forces on its coordinates are nothing beside tension and weight, or what rounding makes of them (see [`Cable::rounding`]).
    pub(crate) fn rests(&self, data: &super::CableData, forces: &[f64], noise: &[f64], gravity: f64) -> bool {
        let close = CLOSE * scale(data, gravity);
        let places = noise.iter().enumerate().all(|(i, noise)| length_of(forces, i) <= close + noise);
        // Torques: to that part of a radian.
        let stiffest = data.torsion.stiffness.iter().fold(0.0_f64, |a, k| a.max(*k));
        let turns = if self.twists { 0..data.length.len() } else { 0..0 };
        places && turns.into_iter().all(|e| forces[self.angle(e)].abs() <= CLOSE * stiffest)
    }

    /// Forces that rounding of the places makes on each node [N]: stiffness times the length that it hides.
    pub(crate) fn rounding(
        &self,
        model: &Model,
        own: &super::CableState,
        data: &super::CableData,
    ) -> Vec<f64> {
        let unsure = hidden_length(data);
        let mut noise = vec![0.0; data.position.len()];
        for e in 0..own.elements.len() {
            let (l, line) = (data.length[e], &self.lines[own.elements[e].line as usize]);
            let stiffness = data.augmented.stiffness(line);
            // Dᵀ A⁻¹ D of the spline (see `bending`) has rows that sum up to 48 EI/l³.
            let change = unsure * (stiffness / l + 48.0 * line.bending / (l * l * l));
            noise[e] += change;
            noise[e + 1] += change;
        }
        if let Some(seabed) = &model.surroundings.seabed {
            for (noise, load) in noise.iter_mut().zip(&data.loads) {
                *noise += unsure * seabed.stiffness * load.footprint;
            }
        }
        noise
    }

    /// ω² [1/s²], negative, that rounding of its stiffest element hides: the condition of a chain of n elements is n² times that of one.
    pub(crate) fn hidden_square(&self, own: &super::CableState, data: &super::CableData) -> f64 {
        let stiffness =
            |e: usize| self.lines[own.elements[e].line as usize].axial.stiffness() / data.length[e];
        let n = own.elements.len();
        let stiffest = (0..n).map(stiffness).fold(0.0, f64::max);
        let free = data.loads.iter().zip(&data.held).filter(|(_, held)| !**held);
        let lightest = free.map(|(load, _)| load.mass).fold(f64::INFINITY, f64::min);
        -f64::EPSILON * (n * n) as f64 * stiffest / lightest
    }

    /// Takes every element as taut, with a tension that is not small beside the cable's weight.
    fn tauten(&self, own: &super::CableState, data: &mut super::CableData, gravity: f64) {
        let floor = 0.02 * weight(data, gravity);
        for (e, stretch) in data.stretch.iter_mut().enumerate() {
            let line = &self.lines[own.elements[e].line as usize];
            let stiffness = data.augmented.stiffness(line) / data.length[e];
            stretch.tension = stretch.tension.max(floor);
            stretch.by_length = stretch.by_length.max(stiffness);
            stretch.toward = data.course[e].by_b;
        }
    }

    /// Hangs it by force densities (Schek 1974): with T/l the same share of a number τ in all elements, equilibrium is linear; τ is such that
    /// it has its length, or little stretch if it is shorter than its way.
    fn hang(&self, model: &Model, state: &mut State, index: usize) {
        let mut data = Data::default();
        self.residual(model, state, &mut data, index);
        let own = &data.cables[index];
        let n = own.position.len();
        // Loads of the nodes without the cable's own forces: weight, and what the fluids do.
        let mut loads = own.force.clone();
        for e in 0..n - 1 {
            let (course, tension) = (&own.course[e], own.stretch[e].tension);
            loads[e] += course.by_a * tension;
            loads[e + 1] += course.by_b * tension;
        }
        // Guides are held places between the nodes beside them, with each side's share of the element.
        let guided = |e: usize| state.cables[index].elements[e].guide;
        let mut chain: Vec<Knot> = Vec::new();
        for i in 0..n {
            chain.push(Knot {
                place: own.position[i],
                load: loads[i],
                held: own.held[i],
                next: 0.0,
                node: Some(i),
            });
            if i + 1 == n {
                break;
            }
            let at = chain.len() - 1;
            if guided(i) == NONE {
                chain[at].next = own.length[i];
                continue;
            }
            let [before, after] = own.course[i].sides;
            chain[at].next = own.length[i] * before / (before + after);
            let place = self.middle_of_guide(&data.bodies, guided(i), [own.position[i], own.position[i + 1]]);
            let next = own.length[i] * after / (before + after);
            chain.push(Knot { place, load: Vec3::ZERO, held: true, next, node: None });
        }
        let length: f64 = own.length.iter().sum();
        let mean = loads.iter().map(|f| f.length()).sum::<f64>().max(1e-9);
        let count = chain.len();
        let shape = |density: f64| {
            let mut matrix = BlockTridiagonal::<1>::default();
            matrix.reset(count);
            let mut places: Vec<Vec3> = chain.iter().map(|knot| knot.load).collect();
            for (i, knot) in chain.iter().enumerate() {
                if knot.held {
                    matrix.diagonal[i] = [[1.0]];
                    places[i] = knot.place;
                    continue;
                }
                if i > 0 {
                    matrix.diagonal[i][0][0] += density / chain[i - 1].next;
                    matrix.lower[i] = [[-density / chain[i - 1].next]];
                }
                if i + 1 < count {
                    matrix.diagonal[i][0][0] += density / knot.next;
                    matrix.upper[i] = [[-density / knot.next]];
                }
            }
            matrix.factor();
            for axis in 0..3 {
                let mut x: Vec<[f64; 1]> = places.iter().map(|p| [p[axis]]).collect();
                matrix.solve(&mut x);
                for (p, x) in places.iter_mut().zip(x) {
                    p[axis] = x[0];
                }
            }
            places
        };
        let long = |places: &[Vec3]| places.windows(2).map(|p| (p[1] - p[0]).length()).sum::<f64>();
        let (mut low, mut high) = (1e-6 * mean, 1e6 * mean);
        for _ in 0..60 {
            let middle = (low * high).sqrt();
            if long(&shape(middle)) > length {
                low = middle;
            } else {
                high = middle;
            }
        }
        let mut places = shape(high);
        // Between places that are held, each element gets its share of the way.
        let held: Vec<usize> = (0..count).filter(|i| chain[*i].held || *i == 0 || i + 1 == count).collect();
        let lengths: Vec<f64> = chain.iter().map(|knot| knot.next).collect();
        for pair in held.windows(2) {
            spread(&mut places[pair[0]..=pair[1]], &lengths[pair[0]..pair[1]]);
        }
        for (knot, place) in chain.iter().zip(&places).filter(|(knot, _)| !knot.held) {
            if let Some(i) = knot.node {
                state.q[self.q + 3 * i..][..3].copy_from_slice(&place.to_array());
            }
        }
    }
}

/// A place of the chain that force densities look at.
struct Knot {
    place: Vec3,
    /// Force on it [N].
    load: Vec3,
    held: bool,
    /// Unstretched length to the next [m].
    next: f64,
    /// The cable's node, if it is one.
    node: Option<usize>,
}

/// Length that rounding of the places hides [m]: they are known to ε/2 times their size, an element's length to what the three coordinates of both ends
/// are, and a step comes as near as that again.
pub(crate) fn hidden_length(data: &super::CableData) -> f64 {
    let size = data.position.iter().fold(0.0_f64, |a, p| a.max(p.abs().max_element()));
    2.0 * 3.0_f64.sqrt() * f64::EPSILON * size
}

/// A force that is large for this cable [N].
pub(super) fn scale(data: &super::CableData, gravity: f64) -> f64 {
    let tension = data.stretch.iter().fold(0.0_f64, |a, s| a.max(s.tension.abs()));
    tension.max(weight(data, gravity))
}

/// Weight of everything at its nodes [N].
fn weight(data: &super::CableData, gravity: f64) -> f64 {
    gravity * data.loads.iter().map(|l| l.mass).sum::<f64>()
}
