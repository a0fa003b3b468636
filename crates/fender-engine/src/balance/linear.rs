//! Mass, damping and stiffness matrices about a state, in full.

use crate::activity::velocities_of;
use crate::closure;
use crate::evaluate::{Treatment, evaluate};
use crate::tangent::{self, Weights};
use crate::{Data, World};
use fender_math::Skyline;
use fender_math::dense::Rows;

/// Matrices of all velocities' coordinates (the places of `State::v`), row by row.
#[derive(Clone, Debug, PartialEq)]
pub struct Linear {
    /// Mass matrix.
    pub mass: Rows,
    /// −∂Q/∂v.
    pub damping: Rows,
    /// −∂Q/∂q, where q moves along the velocities.
    pub stiffness: Rows,
    /// A row for each equation of the loops that hold now, and for each coordinate of an idle body.
    pub loops: Rows,
}

/// A time in which nothing but the deflection of bristles changes [s].
const SHORT: f64 = 1e-6;

/// The matrices about the world's present state, with forces as they are at rest.
pub fn linearize(world: &mut World) -> Linear {
    world.join_cables();
    world.refresh();
    if !world.model.cables.is_empty() {
        return by_differences(world);
    }
    let World { model, state, data, control, .. } = world;
    let n = model.nv;
    let part = |data: &mut Data, damping: f64, stiffness: f64| {
        tangent::write(model, state, data, Weights { mass: 1.0, damping, stiffness }, 0.0);
        let tangent = &data.tangent;
        let full = |matrix: &Skyline| -> Rows {
            let mut rows = vec![vec![0.0; n]; n];
            for (i, v) in tangent.plan.unknowns.iter().enumerate() {
                for (j, w) in tangent.plan.unknowns.iter().enumerate() {
                    rows[*v][*w] = matrix.get(i, j);
                }
            }
            rows
        };
        (full(&tangent.mass), full(&tangent.stiff))
    };
    let (mass, mut stiffness) = part(data, 0.0, 1.0);
    let (_, damping) = part(data, 1.0, 0.0);
    if model.flows {
        // What friction remembers follows a slip within a short time: force by slip is then C + K·time.
        evaluate(model, control, state, data, Treatment::Implicit(SHORT));
        let (_, later) = part(data, 1.0, 0.0);
        for (row, (now, later)) in stiffness.iter_mut().zip(damping.iter().zip(&later)) {
            for (k, (now, later)) in row.iter_mut().zip(now.iter().zip(later)) {
                *k += (later - now) / SHORT;
            }
        }
        data.invalidate();
    }
    let mut loops = data.closures.full_rows(model);
    // What is idle does not move.
    for v in state.activity.idle.iter().flat_map(|body| velocities_of(model, *body)) {
        let mut row = vec![0.0; n];
        row[v] = 1.0;
        loops.push(row);
    }
    Linear { mass, damping, stiffness, loops }
}

/// Displacement [m or rad] and velocity [m/s or rad/s] over which forces are differenced.
const SMALL: f64 = 1e-6;

/// The same by differences of the forces: the systems of cables are never written out as matrices.
fn by_differences(world: &mut World) -> Linear {
    let World { model, state, data, control, .. } = world;
    let n = model.nv;
    let weights = Weights { mass: 1.0, damping: 0.0, stiffness: 1.0 };
    let mut forces = |q: &[f64], v: &[f64]| -> Vec<f64> {
        let mut moved = state.clone();
        (moved.q, moved.v) = (q.to_vec(), v.to_vec());
        data.invalidate();
        evaluate(model, control, &moved, data, Treatment::Instant);
        tangent::write(model, &moved, data, weights, 0.0);
        let mut forces = data.rates.v.clone();
        data.tangent.times_mass(model, &mut forces);
        forces
    };
    let (mut damping, mut stiffness) = (vec![vec![0.0; n]; n], vec![vec![0.0; n]; n]);
    for j in 0..n {
        let moved = |by: f64| {
            let mut change = vec![0.0; n];
            change[j] = by;
            let mut q = state.q.clone();
            closure::displace_all(model, &mut q, &change);
            let v: Vec<f64> = state.v.iter().zip(&change).map(|(v, by)| v + by).collect();
            (q, v)
        };
        let ((back, slower), (on, faster)) = (moved(-SMALL), moved(SMALL));
        let along = (forces(&back, &state.v), forces(&on, &state.v));
        let speed = (forces(&state.q, &slower), forces(&state.q, &faster));
        for i in 0..n {
            stiffness[i][j] = (along.0[i] - along.1[i]) / (2.0 * SMALL);
            damping[i][j] = (speed.0[i] - speed.1[i]) / (2.0 * SMALL);
        }
    }
    forces(&state.q, &state.v);
    let mut mass = vec![vec![0.0; n]; n];
    for j in 0..n {
        let mut column = vec![0.0; n];
        column[j] = 1.0;
        data.tangent.times_mass(model, &mut column);
        for i in 0..n {
            mass[i][j] = column[i];
        }
    }
    let mut loops = data.closures.full_rows(model);
    let idle = state.activity.idle.iter().flat_map(|body| velocities_of(model, *body));
    // Nodes that are held and room for nodes to come do not move either.
    let unused: Vec<usize> = (0..n).filter(|i| mass[*i][*i] == 0.0).collect();
    for v in idle.chain(unused) {
        let mut row = vec![0.0; n];
        row[v] = 1.0;
        if mass[v][v] == 0.0 {
            mass[v][v] = 1.0;
        }
        loops.push(row);
    }
    data.invalidate();
    Linear { mass, damping, stiffness, loops }
}
