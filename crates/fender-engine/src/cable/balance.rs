//! The energy balance of one cable within a step: what the integration makes of the cable's own energy.
//!
//! An island's account cannot show it: a slack tag line of 6 kg may go wild beside a load of 5 t whose stored energy is a thousand times its own.

use super::carried::{Holder, holder};
use super::evaluate::Powers;
use super::{Cable, CableData, CableState};
use crate::{Data, Model};

/// Energy that a step may make, of the kinetic and stored energy of the cable, or of the island that has it.
pub(crate) const MADE: f64 = 0.01;

/// A cable's energies [J] and the power that goes into it [W] at one instant. Nodes that free bodies and links hold
/// have their inertia there, and are left out.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct EnergyBalance {
    /// Kinetic and stored energy.
    active: f64,
    potential: f64,
    /// Work of water, payout and what holds and guides the cable, less losses.
    gained: f64,
    nodes: usize,
}

/// A cable's balance over the parts of a step.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct StepBalance {
    start: EnergyBalance,
    /// Energy that went into the cable so far [J].
    gained: f64,
}

impl Cable {
    /// The balance of this instant.
    pub(super) fn balance(
        &self,
        own: &CableState,
        model: &Model,
        v: &[f64],
        powers: &Powers,
        data: &CableData,
    ) -> EnergyBalance {
        let counts = |body| holder(model, body) == Holder::Ground;
        let (kinetic, potential) = self.energies(own, model.gravity, v, data, counts);
        let lost = powers.dissipated + powers.drag + powers.seabed;
        EnergyBalance {
            active: kinetic + powers.stored,
            potential,
            gained: powers.fluid + powers.payout + powers.flow - lost - data.given,
            nodes: own.nodes.len(),
        }
    }
}

/// Starts the balances of all cables at the instant that was evaluated last.
pub(crate) fn begin(data: &mut Data) {
    let Data { cables, balances, .. } = data;
    balances.clear();
    balances.extend(cables.iter().map(|cable| StepBalance { start: cable.balance, gained: 0.0 }));
}

/// Starts them again at the same instant.
pub(crate) fn begin_again(data: &mut Data) {
    data.balances.iter_mut().for_each(|balance| balance.gained = 0.0);
}

/// Counts what goes into the cables at the instant that was evaluated last for a time [s].
pub(crate) fn count(data: &mut Data, time: f64) {
    for (balance, cable) in data.balances.iter_mut().zip(&data.cables) {
        balance.gained += time * cable.balance.gained;
    }
}

/// Whether the step made energy in one of the cables of the chosen group.
pub(crate) fn makes_energy(model: &Model, data: &Data) -> bool {
    data.islands.members(model).filter_map(|member| member.checked_sub(model.bodies.len())).any(|i| {
        let (StepBalance { start, gained }, end) = (data.balances[i], data.cables[i].balance);
        let made = end.active + end.potential - start.active - start.potential - gained;
        // Another mesh has energies of its own, which the account books.
        start.nodes == end.nodes && made > MADE * end.active
    })
}
