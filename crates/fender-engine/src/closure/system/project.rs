//! Projections: positions back onto the loops and velocities along them, after a step, for an attach, at the start.

use super::{ClosureData, Island};
use crate::closure::{LoopMethod, LoopPlan};
use crate::evaluate::kinematics;
use crate::integrator::StepError;
use crate::tree::Carrier;
use crate::{Data, FreeBody, Model, State};
use fender_math::rotation;

/// Violation at which positions count as closed [m or rad].
const CLOSED: f64 = 1e-12;
/// Violation with which a step is refused [m or rad].
const OPEN: f64 = 1e-6;
/// Newton steps on the positions at most.
const STEPS: usize = 10;

impl ClosureData {
    /// Begins to move all islands to where they are closed.
    fn move_islands(&mut self, plan: &LoopPlan) {
        self.islands.clear();
        self.islands.resize(plan.island_count, Island::NEW);
    }

    /// Whether any island must still be moved; the rows must be up to date.
    fn opens(&mut self, plan: &LoopPlan) -> bool {
        for island in &mut self.islands {
            island.worst = 0.0;
        }
        for (l, span) in self.spans.iter().enumerate() {
            let worst = &mut self.islands[plan.shapes[l].island].worst;
            for row in &self.rows.all()[span.0..span.1] {
                *worst = if row.value.is_nan() { row.value } else { worst.max(row.value.abs()) };
            }
        }
        let mut any = false;
        for island in &mut self.islands {
            // Written so that a NaN goes on, and is found in the end.
            island.moves = island.moves && !(island.worst <= CLOSED || island.worst > 0.5 * island.before);
            island.before = island.worst;
            any |= island.moves;
        }
        any
    }
}

/// Moves all coordinates by an increment of the velocities' kind.
pub(crate) fn displace_all(model: &Model, q: &mut [f64], by: &[f64]) {
    for free in &model.free {
        move_free(free, q, by);
    }
    for (joint, link) in model.moving_joints() {
        joint.advance(&mut q[link.q..link.q + joint.nq()], &by[link.v..link.v + link.nv], 1.0);
    }
    for cable in model.joined_cables() {
        let n = cable.coordinates();
        for (q, by) in q[cable.q..cable.q + n].iter_mut().zip(&by[cable.v..cable.v + n]) {
            *q += by;
        }
    }
}

fn move_free(free: &FreeBody, q: &mut [f64], by: &[f64]) {
    // What does not move keeps its bits.
    if by[free.v..free.v + FreeBody::NV].iter().all(|x| *x == 0.0) {
        return;
    }
    let pose = free.pose_wc(q);
    let (move_by, turn_by) = free.velocity(by);
    let p = pose.translation + move_by;
    let r = (pose.rotation * rotation::from_rotation_vector(turn_by)).normalize();
    q[free.q..free.q + 7].copy_from_slice(&[p.x, p.y, p.z, r.x, r.y, r.z, r.w]);
}

/// Moves the coordinates that loops concern by an increment of the velocities' kind.
fn displace(model: &Model, q: &mut [f64], by: &[f64]) {
    for &i in &model.plan.links {
        let link = &model.links[i];
        match &link.carrier {
            Carrier::Nothing(free) => move_free(free, q, by),
            Carrier::Joint { joint, guide: None, .. }
                if by[link.v..link.v + link.nv].iter().any(|x| *x != 0.0) =>
            {
                joint.advance(&mut q[link.q..link.q + joint.nq()], &by[link.v..link.v + link.nv], 1.0);
            }
            Carrier::Joint { .. } => {}
        }
    }
}

/// Brings positions back onto the loops, and velocities along them, by the least change in the metric of mass.
pub(crate) fn project(model: &Model, state: &mut State, data: &mut Data) -> Result<(), StepError> {
    if model.loops.is_empty() || model.loop_settings.method != LoopMethod::Augmented {
        return Ok(());
    }
    data.closures.move_islands(&model.plan);
    let mut step = 0;
    let (gap, which) = loop {
        data.invalidate();
        kinematics(model, state, data);
        data.closures.write_rows(model, state, &data.bodies, |_| true);
        if !data.closures.opens(&model.plan) || step == STEPS {
            break data.closures.worst();
        }
        step += 1;
        solve_positions(model, state, data, 1.0, &[], true);
    };
    if gap.is_nan() || gap > OPEN {
        return Err(StepError::LoopOpen { time: state.time, name: model.loops[which].name.clone(), gap });
    }
    project_velocities(model, state, data, &[], None);
    Ok(())
}

/// One Newton step on the positions; the rows must be up to date. Returns the largest change of a coordinate.
fn solve_positions(
    model: &Model,
    state: &mut State,
    data: &mut Data,
    damping: f64,
    kept: &[bool],
    exactly: bool,
) -> f64 {
    let Data { bodies, links, closures, ends, .. } = data;
    closures.write_jacobian(model, bodies, links, kept);
    closures.factor(model, bodies, links, damping, kept);
    closures.gaps.clear();
    for (row, (_, l)) in closures.rows.all().iter().zip(&closures.places) {
        let moves = closures.islands[model.plan.shapes[*l].island].moves;
        closures.gaps.push(if moves { row.value } else { 0.0 });
    }
    closures.force.clear();
    closures.force.resize(model.plan.unknowns.len(), 0.0);
    closures.solve(&model.plan, exactly);
    ends.clear();
    ends.resize(model.nv, 0.0);
    for (x, v) in closures.answer.iter().zip(&model.plan.unknowns) {
        ends[*v] = *x;
    }
    let largest = ends.iter().fold(0.0_f64, |a, x| a.max(x.abs()));
    // Far from a solution, go a part of the way: an angle tells nothing beyond half a radian.
    let part = if exactly { 1.0 } else { (0.5 / largest).min(1.0) };
    for x in ends.iter_mut() {
        *x *= part;
    }
    displace(model, &mut state.q, ends);
    largest
}

/// Projects the velocities of the island of a loop that was attached: the impact is plastic, by the least change in the
/// metric of mass, so that momentum stays. Nothing else changes.
pub(crate) fn project_island(model: &Model, state: &mut State, data: &mut Data, index: usize) {
    data.invalidate();
    kinematics(model, state, data);
    data.closures.write_rows(model, state, &data.bodies, |_| true);
    project_velocities(model, state, data, &[], Some(model.plan.shapes[index].island));
    data.invalidate();
}

/// Projects the velocities, of all islands or of one; kinematics and rows must be up to date. Returns the largest rate that
/// is left.
fn project_velocities(
    model: &Model,
    state: &mut State,
    data: &mut Data,
    kept: &[bool],
    only: Option<usize>,
) -> (f64, usize) {
    let Data { bodies, links, closures, .. } = data;
    closures.write_jacobian(model, bodies, links, kept);
    closures.gaps.clear();
    for row in 0..closures.rows.all().len() {
        let island = model.plan.shapes[closures.places[row].1].island;
        let concerned = only.is_none_or(|only| only == island);
        let rate = if concerned { closures.rate(model, bodies, &state.v, row) } else { 0.0 };
        closures.gaps.push(rate);
    }
    closures.factor(model, bodies, links, 1.0, kept);
    closures.force.clear();
    closures.force.resize(model.plan.unknowns.len(), 0.0);
    closures.solve(&model.plan, true);
    for (x, v) in closures.answer.iter().zip(&model.plan.unknowns) {
        // Adding zero would change the sign of a zero.
        if *x != 0.0 {
            state.v[*v] += x;
        }
    }
    let mut worst = (0.0, 0);
    for (row, gap) in closures.gaps.iter().enumerate() {
        if gap.abs() > worst.0 {
            worst = (gap.abs(), closures.places[row].1);
        }
    }
    worst
}

/// Looks for the nearest configuration that closes all loops, from wherever it starts, then for velocities along them.
/// Returns what is left open and where: of positions, then of velocities.
pub(crate) fn settle(
    model: &Model,
    state: &mut State,
    data: &mut Data,
    kept: &[bool],
) -> ((f64, usize), (f64, usize)) {
    let look = |state: &State, data: &mut Data| {
        data.invalidate();
        kinematics(model, state, data);
        data.closures.write_rows(model, state, &data.bodies, |_| true);
        let square: f64 = data.closures.rows.all().iter().map(|row| row.value * row.value).sum();
        square
    };
    let mut square = look(state, data);
    data.closures.move_islands(&model.plan);
    let mut damping = 1.0;
    // Levenberg and Marquardt: the mass, made large, holds back steps that lead nowhere.
    for _ in 0..400 {
        if data.closures.worst().0 <= CLOSED || damping > 1e16 {
            break;
        }
        let before = state.q.clone();
        solve_positions(model, state, data, damping, kept, false);
        let now = look(state, data);
        if now < square {
            damping = (damping * 0.1_f64).max(1.0);
            let stalled = now > 0.999_999 * square && damping <= 1.0;
            square = now;
            if stalled {
                break;
            }
        } else {
            state.q = before;
            square = look(state, data);
            damping *= 10.0;
        }
    }
    let open = data.closures.worst();
    let rates = project_velocities(model, state, data, kept, None);
    (open, rates)
}
