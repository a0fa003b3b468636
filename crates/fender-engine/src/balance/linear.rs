//! Mass, damping and stiffness matrices about a state, in full.

use crate::activity::velocities_of;
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
    world.refresh();
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
