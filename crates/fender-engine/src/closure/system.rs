//! From rows to forces: M·a + Jᵀλ = f with J·a + γ = 0, on the coordinates of the trees.
//!
//! The augmented Lagrangian (Bayo & Ledesma 1996; Luaces 2013, §2.2–2.3) solves it with the symmetric positive definite
//! matrix M + Jᵀα J, whatever the rank of J: redundant rows share their force, and singular positions are passed.
//! Each round leaves about 1/(penalty) of the violation. Residuals are formed with M and J themselves, not with their
//! sum, so that a large penalty costs no digits.

mod project;

pub(crate) use project::{displace_all, project, project_island, settle};

use super::plan::LoopShape;
use super::{Instant, LoopMethod, LoopPlan, PenaltyScale, Rows};
use crate::data::BodyKinematics;
use crate::evaluate::ground;
use crate::tree::{self, ArticulatedInertia, Carrier, Link, LinkData};
use crate::{BodyId, Data, Model, State};
use fender_math::{Skyline, Twist, Wrench};

/// The widest spread of masses that penalties follow: beyond, they would cost the digits that rounds gain.
const WIDEST: f64 = 1e12;
/// Rounds of the augmented Lagrangian at most.
const ROUNDS: usize = 12;

/// Multipliers held by an implicit method.
#[derive(Clone, Copy, Debug)]
struct Holding {
    /// Factor of the penalties [1/s²].
    factor: f64,
    /// Whether a step of the iteration has been taken, so that violations go into the multipliers.
    begun: bool,
}

/// How far an island is. What happens in one changes no bit in another: each is solved until it is done itself.
#[derive(Clone, Copy, Debug)]
struct Island {
    /// Largest gap at the start.
    scale: f64,
    /// Largest gap now, and a round before.
    worst: f64,
    left: f64,
    /// Largest of the answers.
    size: f64,
    done: bool,
    /// Whether its positions are still moved, and its largest violation a step before.
    moves: bool,
    before: f64,
}

impl Island {
    const NEW: Self = Self {
        scale: 0.0,
        worst: 0.0,
        left: f64::INFINITY,
        size: 0.0,
        done: false,
        moves: true,
        before: f64::INFINITY,
    };
}

/// Scratch of the loops.
#[derive(Debug, Default)]
pub(crate) struct ClosureData {
    pub(crate) rows: Rows,
    /// First row of each loop, and one past its last.
    pub(crate) spans: Vec<(usize, usize)>,
    /// Rows of the Jacobian, each as long as its loop has columns.
    jacobian: Vec<f64>,
    /// Where each row begins in it, and which loop it belongs to.
    places: Vec<(usize, usize)>,
    /// Penalty of each row.
    penalties: Vec<f64>,
    /// Multiplier of each row.
    pub(crate) multipliers: Vec<f64>,
    /// What each row must still lose.
    gaps: Vec<f64>,
    mass: Skyline,
    factors: Skyline,
    /// Generalised forces without acceleration.
    force: Vec<f64>,
    /// What is solved for.
    answer: Vec<f64>,
    rest: Vec<f64>,
    product: Vec<f64>,
    /// Accelerations of the links while their coordinates' rates stay.
    accelerations: Vec<Twist>,
    wrenches: Vec<Wrench>,
    composite: Vec<ArticulatedInertia>,
    islands: Vec<Island>,
    /// Multipliers that an implicit method holds, while it does.
    held: Vec<f64>,
    holding: Option<Holding>,
    /// What they were where a trial of the iteration began.
    kept: Vec<f64>,
    kept_holding: Option<Holding>,
}

impl ClosureData {
    /// Writes the rows of all loops that hold.
    fn write_rows(
        &mut self,
        model: &Model,
        state: &State,
        bodies: &[BodyKinematics],
        counts: impl Fn(BodyId) -> bool,
    ) {
        self.rows.clear();
        self.spans.clear();
        for (i, (l, state_of)) in model.loops.iter().zip(&state.loops).enumerate() {
            let first = self.rows.all().len();
            if state.holds(model, i) && l.members.iter().all(|body| counts(*body)) {
                let at = Instant { time: state.time, q: &state.q, bodies, state: state_of };
                l.closure.rows(&at, &mut self.rows);
            }
            self.spans.push((first, self.rows.all().len()));
        }
    }

    /// From now on forces follow from multipliers that are held, not from accelerations; they start as they are.
    pub(crate) fn hold(&mut self, model: &Model) {
        if !model.loops.is_empty() {
            self.held.clone_from(&self.multipliers);
            self.holding = Some(Holding { factor: 0.0, begun: false });
        }
    }

    /// Remembers the multipliers that are held, so that evaluations can be taken back.
    pub(crate) fn keep(&mut self) {
        self.kept.clone_from(&self.held);
        self.kept_holding = self.holding;
    }

    /// Takes the evaluations since then back.
    pub(crate) fn take_back(&mut self) {
        self.held.clone_from(&self.kept);
        self.holding = self.kept_holding;
    }

    /// Forces follow from accelerations again.
    pub(crate) fn release(&mut self) {
        self.holding = None;
    }

    /// Factor of the penalties for the next evaluations while multipliers are held [1/s²].
    pub(crate) fn stiffen(&mut self, factor: f64) {
        if let Some(holding) = &mut self.holding {
            holding.factor = factor;
        }
    }

    /// Multipliers from those held and the violations: λ ← λ + α φ, then λ + α φ acts (Luaces 2013, eqs. 2.10–2.11).
    fn held_multipliers(&mut self, Holding { factor, begun }: Holding) {
        self.holding = Some(Holding { factor, begun: true });
        let n = self.rows.all().len();
        self.held.resize(n, 0.0);
        self.multipliers.resize(n, 0.0);
        for (i, row) in self.rows.all().iter().enumerate() {
            let pull = factor * self.penalties[i] * row.value;
            if begun {
                self.held[i] += pull;
            }
            self.multipliers[i] = self.held[i] + pull;
        }
    }

    /// How far a loop is from closed: the root of the sum of its rows' squares [m or rad].
    pub(crate) fn violation(&self, index: usize) -> f64 {
        let (first, last) = self.spans.get(index).copied().unwrap_or_default();
        self.rows.all()[first..last].iter().map(|row| row.value * row.value).sum::<f64>().sqrt()
    }

    /// First multiplier of a loop; zero if it does not hold now.
    pub(crate) fn multiplier(&self, index: usize) -> f64 {
        let (first, last) = self.spans.get(index).copied().unwrap_or_default();
        if first < last { self.multipliers[first] } else { 0.0 }
    }

    /// Multipliers of a loop for its tangent; none if it does not hold now. While they are held, without the penalty's
    /// part: far from the solution that is large, and has no meaning.
    pub(crate) fn multipliers_of(&self, index: usize) -> &[f64] {
        let (first, last) = self.spans.get(index).copied().unwrap_or_default();
        let list = if self.holding.is_some() { &self.held } else { &self.multipliers };
        &list[first..last]
    }

    /// Adds the entries of Jᵀα J, each pair of places in `State::v` once.
    pub(crate) fn add_penalties(&self, model: &Model, mut add: impl FnMut(usize, usize, f64)) {
        for (row, penalty) in self.penalties.iter().enumerate() {
            let (start, l) = self.places[row];
            let columns = &model.plan.shapes[l].columns;
            let values = &self.jacobian[start..start + columns.len()];
            for (i, (a, x)) in columns.iter().zip(values).enumerate() {
                for (b, y) in columns[..=i].iter().zip(values) {
                    add(model.plan.unknowns[*a], model.plan.unknowns[*b], penalty * x * y);
                }
            }
        }
    }

    /// The rows of the Jacobian in full, in the places of `State::v`.
    pub(crate) fn full_rows(&self, model: &Model) -> Vec<Vec<f64>> {
        let row = |(start, l): &(usize, usize)| {
            let mut row = vec![0.0; model.nv];
            for (value, column) in self.jacobian[*start..].iter().zip(&model.plan.shapes[*l].columns) {
                row[model.plan.unknowns[*column]] += value;
            }
            row
        };
        self.places.iter().map(row).collect()
    }

    /// Wrench by a loop on the last of its bodies, about that body's centre.
    pub(crate) fn wrench(&self, index: usize, which: usize) -> Wrench {
        let (first, last) = self.spans.get(index).copied().unwrap_or_default();
        let mut sum = Wrench::default();
        for (row, multiplier) in self.rows.all()[first..last].iter().zip(&self.multipliers[first..last]) {
            for (_, wrench) in self.rows.arms(row).iter().filter(|(body, _)| *body as usize == which) {
                sum += tree::scaled(wrench, -multiplier);
            }
        }
        sum
    }

    /// Largest violation, and the loop that has it.
    pub(crate) fn worst(&self) -> (f64, usize) {
        let mut worst = (0.0, 0);
        for (i, span) in self.spans.iter().enumerate() {
            for row in &self.rows.all()[span.0..span.1] {
                if row.value.is_nan() || row.value.abs() > worst.0 {
                    worst = (row.value.abs(), i);
                }
            }
        }
        worst
    }

    /// Jacobian of the rows, row by row. `kept` coordinates (places in `State::v`) are taken as immovable.
    fn write_jacobian(
        &mut self,
        model: &Model,
        bodies: &[BodyKinematics],
        links: &[LinkData],
        kept: &[bool],
    ) {
        self.jacobian.clear();
        self.places.clear();
        for (l, (shape, span)) in model.plan.shapes.iter().zip(&self.spans).enumerate() {
            for row in &self.rows.all()[span.0..span.1] {
                let start = self.jacobian.len();
                self.places.push((start, l));
                self.jacobian.resize(start + shape.columns.len(), 0.0);
                let out = &mut self.jacobian[start..];
                for (which, wrench) in self.rows.arms(row) {
                    let mut wrench = *wrench;
                    for &(i, column) in &shape.paths[*which as usize] {
                        let n = model.links[i].nv;
                        let motions = tree::columns(&model.links[i], &links[i], bodies);
                        for (out, motion) in out[column..column + n].iter_mut().zip(&motions) {
                            *out += wrench.power(motion);
                        }
                        wrench = tree::shifted(&wrench, links[i].r);
                    }
                }
                for (which, coefficient) in self.rows.terms(row) {
                    out[shape.terms[*which as usize]] += coefficient;
                }
                if !kept.is_empty() {
                    for (out, column) in out.iter_mut().zip(&shape.columns) {
                        if kept[model.plan.unknowns[*column]] {
                            *out = 0.0;
                        }
                    }
                }
            }
        }
    }

    /// Mass matrix, penalties, and the factors of `damping`·M + Jᵀα J.
    fn factor(
        &mut self,
        model: &Model,
        bodies: &[BodyKinematics],
        links: &[LinkData],
        damping: f64,
        kept: &[bool],
    ) -> bool {
        let plan = &model.plan;
        if self.mass.len() != plan.profile.len() {
            self.mass = Skyline::new(plan.profile.clone());
            self.factors = self.mass.clone();
        }
        self.mass.clear();
        let mass = &mut self.mass;
        tree::mass_entries(&model.links, &plan.links, bodies, links, &mut self.composite, |i, j, value| {
            if i == j || kept.is_empty() || !(kept[i] || kept[j]) {
                mass.add_both(plan.unknown(i), plan.unknown(j), value);
            }
        });
        self.factors.copy_from(&self.mass);
        if damping != 1.0 {
            self.factors.scale(damping);
        }
        self.penalties.clear();
        let mut spread = (usize::MAX, 1.0);
        for row in 0..self.rows.all().len() {
            let (_, l) = self.places[row];
            if spread.0 != l {
                spread = (l, mass_spread(model, bodies, l));
            }
            let penalty = model.loop_settings.penalty
                * match model.loop_settings.scale {
                    PenaltyScale::Uniform => 1.0,
                    PenaltyScale::Mass => self.row_mass(model, bodies, row) * spread.1.sqrt(),
                };
            self.penalties.push(penalty);
            let (start, l) = self.places[row];
            let columns = &plan.shapes[l].columns;
            let values = &self.jacobian[start..start + columns.len()];
            for (i, (a, x)) in columns.iter().zip(values).enumerate() {
                if *x != 0.0 {
                    for (b, y) in columns[..=i].iter().zip(values) {
                        self.factors.add_both(*a, *b, penalty * x * y);
                    }
                }
            }
        }
        self.factors.factor()
    }

    /// The mass that the bodies of a row have against it, each on its own [kg or kg·m²].
    fn row_mass(&self, model: &Model, bodies: &[BodyKinematics], row: usize) -> f64 {
        let (_, l) = self.places[row];
        let shape = &model.plan.shapes[l];
        let row = &self.rows.all()[row];
        let mut mobility = 0.0;
        for (which, wrench) in self.rows.arms(row) {
            if let Some(body) = shape.bodies[*which as usize] {
                let k = &bodies[body.index()];
                mobility += wrench.force.length_squared() * k.inverse_mass
                    + wrench.torque.dot(k.inverse_inertia * wrench.torque);
            }
        }
        for (which, coefficient) in self.rows.terms(row) {
            let unknown = shape.columns[shape.terms[*which as usize]];
            mobility += coefficient * coefficient / self.mass.diagonal()[unknown];
        }
        if mobility > 0.0 { 1.0 / mobility } else { 1.0 }
    }

    /// Solves M·x + Jᵀλ = force with J·x + gaps = 0 for `answer`; `exactly` by rounds, else by the penalty alone.
    fn solve(&mut self, plan: &LoopPlan, exactly: bool) {
        let n = plan.unknowns.len();
        for list in [&mut self.answer, &mut self.rest, &mut self.product] {
            list.clear();
            list.resize(n, 0.0);
        }
        self.multipliers.clear();
        self.multipliers.resize(self.gaps.len(), 0.0);
        self.islands.resize(plan.island_count, Island::NEW);
        for island in &mut self.islands {
            *island = Island { moves: island.moves, before: island.before, ..Island::NEW };
        }
        for (gap, (_, l)) in self.gaps.iter().zip(&self.places) {
            let scale = &mut self.islands[plan.shapes[*l].island].scale;
            *scale = scale.max(gap.abs());
        }
        for round in 0..ROUNDS {
            // force − M·x − Jᵀ(λ + α·gap).
            self.mass.multiply(&self.answer, &mut self.product);
            for (i, ((rest, force), product)) in
                self.rest.iter_mut().zip(&self.force).zip(&self.product).enumerate()
            {
                *rest = if self.islands[plan.islands[i]].done { 0.0 } else { force - product };
            }
            for row in 0..self.gaps.len() {
                let pull = self.multipliers[row] + self.penalties[row] * self.gaps[row];
                let (start, l) = self.places[row];
                let LoopShape { columns, island, .. } = &plan.shapes[l];
                if self.islands[*island].done {
                    continue;
                }
                for (value, column) in self.jacobian[start..].iter().zip(columns) {
                    self.rest[*column] -= value * pull;
                }
            }
            self.factors.solve(&mut self.rest);
            for island in &mut self.islands {
                (island.worst, island.size) = (0.0, 0.0);
            }
            for ((answer, change), island) in self.answer.iter_mut().zip(&self.rest).zip(&plan.islands) {
                *answer += change;
                let size = &mut self.islands[*island].size;
                *size = size.max(answer.abs());
            }
            for row in 0..self.gaps.len() {
                let (start, l) = self.places[row];
                let LoopShape { columns, island, .. } = &plan.shapes[l];
                if self.islands[*island].done {
                    continue;
                }
                let moved: f64 = self.jacobian[start..]
                    .iter()
                    .zip(columns)
                    .map(|(value, column)| value * self.rest[*column])
                    .sum();
                self.gaps[row] += moved;
                self.multipliers[row] += self.penalties[row] * self.gaps[row];
                let worst = &mut self.islands[*island].worst;
                *worst = worst.max(self.gaps[row].abs());
            }
            let mut all = true;
            for island in &mut self.islands {
                let Island { scale, worst, left, size, .. } = *island;
                island.done |=
                    !exactly || worst <= 1e-15 * (scale + size) || (round > 1 && worst > 0.5 * left);
                island.left = worst;
                all &= island.done;
            }
            if all {
                break;
            }
        }
    }

    /// Writes the loops' equations for impulses in this configuration.
    pub(crate) fn begin_impulses(&mut self, model: &Model, state: &State, bodies: &[BodyKinematics]) {
        self.write_rows(model, state, bodies, |_| true);
    }

    /// Factors them.
    pub(crate) fn factor_impulses(&mut self, model: &Model, bodies: &[BodyKinematics], links: &[LinkData]) {
        self.write_jacobian(model, bodies, links, &[]);
        self.factor(model, bodies, links, 1.0, &[]);
    }

    /// Jumps of the coordinates under impulses on links (about their centres), with all loops kept closed; in the places of
    /// `State::v`. Those of other coordinates stay as they are.
    pub(crate) fn impulse(
        &mut self,
        model: &Model,
        bodies: &[BodyKinematics],
        links: &[LinkData],
        impulses: impl Iterator<Item = (usize, Wrench)>,
        jumps: &mut [f64],
    ) {
        self.force.clear();
        self.force.resize(model.plan.unknowns.len(), 0.0);
        for (link, impulse) in impulses {
            tree::add_generalised(&model.links, bodies, links, link, &impulse, |v, part| {
                self.force[model.plan.unknown(v)] += part;
            });
        }
        self.gaps.clear();
        self.gaps.resize(self.rows.all().len(), 0.0);
        self.solve(&model.plan, true);
        for (x, v) in self.answer.iter().zip(&model.plan.unknowns) {
            jumps[*v] = *x;
        }
    }

    /// Generalised forces of everything but the loops, without acceleration.
    fn write_force(&mut self, model: &Model, time: f64, data: &LinkView<'_>) {
        let LinkView { bodies, wrenches, links } = data;
        self.accelerations.resize(links.len(), Twist::default());
        self.wrenches.resize(links.len(), Wrench::default());
        for &i in &model.plan.links {
            let (link, d) = (&model.links[i], &links[i]);
            let base = match &link.carrier {
                Carrier::Joint { link: Some(parent), .. } => self.accelerations[*parent],
                Carrier::Joint { body: Some(body), .. } => ground(model, time, *body),
                _ => Twist::default(),
            };
            let mut a = tree::carried(&base, d.r);
            a.linear += d.bias.linear;
            a.angular += d.bias.angular;
            self.accelerations[i] = a;
            let wrench = &wrenches[link.body.index()];
            self.wrenches[i] = Wrench {
                force: (a.linear - model.gravity) * link.mass - wrench.force,
                torque: d.inertia * a.angular + d.gyroscopic - wrench.torque,
            };
        }
        self.force.resize(model.plan.unknowns.len(), 0.0);
        for &i in model.plan.links.iter().rev() {
            let (link, d) = (&model.links[i], &links[i]);
            let motions = tree::columns(link, d, bodies);
            for (k, motion) in motions.iter().enumerate().take(link.nv) {
                self.force[model.plan.unknown(link.v + k)] = d.force[k] - self.wrenches[i].power(motion);
            }
            if let Some(parent) = link.parent() {
                let passed = tree::shifted(&self.wrenches[i], d.r);
                self.wrenches[parent] += passed;
            }
        }
    }

    /// φ̇ of a row from the motion of its bodies and coordinates.
    fn rate(&self, model: &Model, bodies: &[BodyKinematics], v: &[f64], row: usize) -> f64 {
        let (_, l) = self.places[row];
        let shape = &model.plan.shapes[l];
        let row = &self.rows.all()[row];
        let mut rate = row.drift;
        for (which, wrench) in self.rows.arms(row) {
            if let Some(body) = shape.bodies[*which as usize] {
                rate += wrench.power(&bodies[body.index()].twist);
            }
        }
        for (which, coefficient) in self.rows.terms(row) {
            let unknown = shape.columns[shape.terms[*which as usize]];
            rate += coefficient * v[model.plan.unknowns[unknown]];
        }
        rate
    }

    /// φ̈ of a row while the coordinates' rates stay.
    fn bias(&self, model: &Model, time: f64, row: usize) -> f64 {
        let (_, l) = self.places[row];
        let shape = &model.plan.shapes[l];
        let row = &self.rows.all()[row];
        let mut bias = row.bias;
        for (which, wrench) in self.rows.arms(row) {
            if let Some(body) = shape.bodies[*which as usize] {
                let acceleration = match model.bodies[body.index()].link {
                    Some(link) => self.accelerations[link],
                    None => ground(model, time, body),
                };
                bias += wrench.power(&acceleration);
            }
        }
        bias
    }
}

/// How much heavier than the lightest body of a loop the heaviest is of those and what carries them, by mass or by inertia. A row's own mass is that of the
/// lightest; with a penalty for that alone, rounds leave what needs the heaviest to move. The root is between both: a round leaves as much of either.
fn mass_spread(model: &Model, bodies: &[BodyKinematics], index: usize) -> f64 {
    let mobilities = |i: usize| {
        let inverse = &bodies[i].inverse_inertia;
        let turning = inverse.x_axis.x + inverse.y_axis.y + inverse.z_axis.z;
        [bodies[i].inverse_mass, turning]
    };
    let (mut most, mut least) = ([0.0_f64; 2], [f64::INFINITY; 2]);
    for body in model.plan.shapes[index].bodies.iter().flatten() {
        let mut at = model.bodies[body.index()].link;
        for (most, x) in most.iter_mut().zip(mobilities(body.index())) {
            *most = most.max(x);
        }
        while let Some(link) = at {
            let link = &model.links[link];
            for (least, x) in least.iter_mut().zip(mobilities(link.body.index())) {
                *least = if x > 0.0 { least.min(x) } else { *least };
            }
            at = link.parent();
        }
    }
    let spread = most.iter().zip(least).map(|(most, least)| most / least).fold(1.0, f64::max);
    spread.clamp(1.0, WIDEST)
}

struct LinkView<'a> {
    bodies: &'a [BodyKinematics],
    wrenches: &'a [Wrench],
    links: &'a [LinkData],
}

/// Finds the forces of the loops under the wrenches on the bodies, and puts them on the links.
pub(crate) fn forces(model: &Model, state: &State, data: &mut Data) {
    let Data { bodies, wrenches, links, closures, islands, .. } = data;
    closures.write_rows(model, state, bodies, |body| islands.counts(body));
    closures.write_jacobian(model, bodies, links, &[]);
    // A state that is not finite is found by the caller.
    closures.factor(model, bodies, links, 1.0, &[]);
    if let Some(holding) = closures.holding {
        closures.held_multipliers(holding);
    } else {
        solve_forces(model, state, closures, &LinkView { bodies, wrenches, links });
    }
    put_on_links(model, closures, links);
}

/// Multipliers for which accelerations keep the loops closed.
fn solve_forces(model: &Model, state: &State, closures: &mut ClosureData, view: &LinkView<'_>) {
    closures.write_force(model, state.time, view);
    let bodies = view.bodies;
    let method = model.loop_settings.method;
    closures.gaps.clear();
    for row in 0..closures.rows.all().len() {
        let mut gap = closures.bias(model, state.time, row);
        if let LoopMethod::Penalty { frequency, damping } = method {
            gap += 2.0 * damping * frequency * closures.rate(model, bodies, &state.v, row)
                + frequency * frequency * closures.rows.all()[row].value;
        }
        closures.gaps.push(gap);
    }
    closures.solve(&model.plan, method == LoopMethod::Augmented);
}

/// Force and torque by a loop on the last of its bodies, at its point there, in the world; zero for loops between
/// coordinates.
pub(crate) fn reaction(model: &Model, state: &State, data: &Data, index: usize) -> Wrench {
    let closure = &model.loops[index].closure;
    let bodies = &model.plan.shapes[index].bodies;
    let at = Instant { time: state.time, q: &state.q, bodies: &data.bodies, state: &state.loops[index] };
    let (Some(point), Some(last)) = (closure.point(&at), bodies.len().checked_sub(1)) else {
        return Wrench::default();
    };
    let Wrench { force, torque } = data.closures.wrench(index, last);
    let center = at.body(bodies[last]).center;
    Wrench { force, torque: torque + (center - point).cross(force) }
}

/// Puts the loops' forces on the links.
fn put_on_links(model: &Model, closures: &ClosureData, links: &mut [LinkData]) {
    for &i in &model.plan.links {
        links[i].closing = Wrench::default();
        links[i].closing_force = [0.0; crate::joint::MAX_DOF];
    }
    for (i, row) in closures.rows.all().iter().enumerate() {
        let (multiplier, (_, l)) = (closures.multipliers[i], closures.places[i]);
        let shape = &model.plan.shapes[l];
        for (which, wrench) in closures.rows.arms(row) {
            let body = shape.bodies[*which as usize];
            if let Some(link) = body.and_then(|id| model.bodies[id.index()].link) {
                links[link].closing += tree::scaled(wrench, -multiplier);
            }
        }
        for (which, coefficient) in closures.rows.terms(row) {
            let v = model.plan.unknowns[shape.columns[shape.terms[*which as usize]]];
            if let Some(i) = model.plan.links.iter().find(|i| holds(&model.links[**i], v)) {
                links[*i].closing_force[v - model.links[*i].v] -= coefficient * multiplier;
            }
        }
    }
}

fn holds(link: &Link, v: usize) -> bool {
    (link.v..link.v + link.nv).contains(&v)
}

/// What the loops put on bodies that are not in a tree, and the work of those that prescribe a motion.
pub(crate) fn on_carriers(model: &Model, data: &mut Data) {
    let Data { wrenches, closures, rates, .. } = data;
    for (l, span) in closures.spans.iter().enumerate() {
        let shape = &model.plan.shapes[l];
        for i in span.0..span.1 {
            let (row, multiplier) = (&closures.rows.all()[i], closures.multipliers[i]);
            for (which, wrench) in closures.rows.arms(row) {
                let body = shape.bodies[*which as usize];
                if let Some(body) = body.filter(|id| model.bodies[id.index()].link.is_none()) {
                    wrenches[body.index()] += tree::scaled(wrench, -multiplier);
                }
            }
            if let Some(source) = model.loop_source(l) {
                // The force −λ moves the bodies with φ̇ − ∂φ/∂t, which is −∂φ/∂t where the loop is closed.
                rates.work[source] += multiplier * row.drift;
            }
        }
    }
}

/// Rows of the Jacobian in full with the loops they belong to, each coordinate in units of 1/√mass; after [`settle`].
pub(super) fn rank_rows(model: &Model, data: &Data) -> Vec<(usize, Vec<f64>)> {
    let closures = &data.closures;
    let mut rows = Vec::new();
    for (start, l) in &closures.places {
        let mut row = vec![0.0; model.plan.unknowns.len()];
        for (value, column) in closures.jacobian[*start..].iter().zip(&model.plan.shapes[*l].columns) {
            row[*column] += value / closures.mass.diagonal()[*column].sqrt();
        }
        rows.push((*l, row));
    }
    rows
}
