//! Assembly: the configuration at the start, and what the loops leave free there.

use super::system::{rank_rows, settle};
use crate::{Data, Model, ModelError};

/// Violation with which a loop counts as open [m or rad].
const OPEN: f64 = 1e-9;
/// Rate with which a loop counts as torn apart [m/s or rad/s], and relative to the largest velocity.
const TORN: f64 = 1e-8;
/// A row that others leave less than this part of is redundant.
const REDUNDANT: f64 = 1e-9;

/// The start of a model with loops.
#[derive(Clone, Debug, Default)]
pub struct Assembly {
    /// Coordinates that close all loops.
    pub(crate) q: Vec<f64>,
    /// Velocities along them.
    pub(crate) v: Vec<f64>,
    /// What the loops leave free.
    pub rank: LoopRank,
}

/// How many equations the loops have, and how many of them count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoopRank {
    /// Degrees of freedom of the trees that loops concern.
    pub freedoms: usize,
    /// Equations.
    pub rows: usize,
    /// Equations that are independent of those before them, at the start.
    pub rank: usize,
    /// Loops with redundant equations: the loop, and how many.
    pub redundant: Vec<(usize, usize)>,
}

/// Assembles a model: the nearest configuration to the one given, in the metric of mass, that closes all loops.
pub(crate) fn assemble(model: &Model) -> Result<Assembly, ModelError> {
    let mut state = model.initial_state();
    // What waits out of the dynamics is assembled as well.
    state.activity.idle.clear();
    let mut data = Data::default();
    let mut kept = vec![false; model.nv];
    for joint in model.joints.iter().filter(|joint| joint.keep) {
        let link = &model.links[joint.link];
        kept[link.v..link.v + link.nv].fill(true);
    }
    let (open, torn) = settle(model, &mut state, &mut data, &kept);
    let name = |i: usize| model.loops[i].name.clone();
    if open.0.is_nan() || open.0 > OPEN {
        return Err(ModelError::LoopOpen { name: name(open.1), gap: data.closures.violation(open.1) });
    }
    let fastest = state.v.iter().fold(0.0_f64, |a, v| a.max(v.abs()));
    if torn.0.is_nan() || torn.0 > TORN * (1.0 + fastest) {
        return Err(ModelError::LoopTorn { name: name(torn.1), rate: torn.0 });
    }
    let rank = rank(model, &data)?;
    Ok(Assembly { q: state.q, v: state.v, rank })
}

/// Gram and Schmidt on the rows, in the order of the loops, each coordinate weighed by its mass.
fn rank(model: &Model, data: &Data) -> Result<LoopRank, ModelError> {
    let rows = rank_rows(model, data);
    let mut found = LoopRank { freedoms: model.plan.unknowns.len(), rows: rows.len(), ..LoopRank::default() };
    let mut basis: Vec<Vec<f64>> = Vec::new();
    // Loops that prescribe a motion come last: if they are redundant, something else prescribes the same.
    let (driven, held): (Vec<_>, Vec<_>) =
        rows.into_iter().partition(|(l, _)| model.loops[*l].closure.drives());
    for (l, mut row) in held.into_iter().chain(driven) {
        let size = row.iter().map(|x| x * x).sum::<f64>().sqrt();
        for _ in 0..2 {
            for known in &basis {
                let along: f64 = known.iter().zip(&row).map(|(a, b)| a * b).sum();
                for (x, k) in row.iter_mut().zip(known) {
                    *x -= along * k;
                }
            }
        }
        let left = row.iter().map(|x| x * x).sum::<f64>().sqrt();
        if left > REDUNDANT * size.max(f64::MIN_POSITIVE) && left > 1e-12 {
            basis.push(row.iter().map(|x| x / left).collect());
            continue;
        }
        if model.loops[l].closure.drives() {
            return Err(ModelError::OverDriven { name: model.loops[l].name.clone() });
        }
        match found.redundant.iter_mut().find(|(other, _)| *other == l) {
            Some((_, count)) => *count += 1,
            None => found.redundant.push((l, 1)),
        }
    }
    found.rank = basis.len();
    found.redundant.sort_unstable();
    Ok(found)
}
