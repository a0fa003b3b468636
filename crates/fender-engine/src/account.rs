//! The energy account.

use crate::{Data, State};

/// The energy account at one instant. All in joules.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Energy {
    /// Kinetic energy of the free bodies.
    pub kinetic: f64,
    /// Potential energy in the field of gravity, zero at the world's origin.
    pub potential: f64,
    /// Energy stored in springs and contacts.
    pub stored: f64,
    /// Energy lost so far, all sources. That of `contact.….load` is lost when the load on bent bristles falls, and negative,
    /// created, when it rises.
    pub dissipated: f64,
    /// Work done on the scene so far, all sources.
    pub work: f64,
    /// (kinetic + potential + stored) now − at the start + dissipated − work: what the integration made or lost.
    pub residual: f64,
    /// Energies turned over: range of kinetic so far + range of potential so far + |work| and |dissipated| of each source.
    pub turnover: f64,
    /// Residual / turnover, or / the greatest kinetic energy so far if that is more.
    pub relative_residual: f64,
}

impl Energy {
    /// How much energy there is to tell of: beside it a far smaller residual is rounding [J].
    pub fn scale(&self) -> f64 {
        self.turnover.max(self.kinetic + self.potential.abs() + self.stored)
    }

    /// The account of a state; `data` must be up to date with it.
    pub fn of(state: &State, data: &Data) -> Self {
        let account = &state.account;
        // What went into the bristles at constant load is booked with what is lost; what is still there is not lost.
        let bent: f64 = data.bent.iter().sum();
        let dissipated = account.dissipated.iter().sum::<f64>() - bent;
        let work: f64 = account.work.iter().sum();
        let now = data.kinetic + data.potential + data.stored;
        let residual = now - account.initial + dissipated - work;
        let turnover = account.kinetic.width()
            + account.potential.width()
            + account.work.iter().map(|w| w.abs()).sum::<f64>()
            + account.dissipated.iter().map(|d| d.abs()).sum::<f64>();
        // Steady motion turns nothing over: rounding must not read as an error there.
        let floor = 1e-9 * (data.kinetic + data.potential.abs() + data.stored);
        let turnover = turnover.max(floor);
        // Where no force acts, only the integration's own errors change the kinetic energy; they must not be their own measure, but what moves.
        let scale = turnover.max(account.kinetic.highest);
        let relative_residual = if scale > 0.0 { residual / scale } else { 0.0 };
        Self {
            kinetic: data.kinetic,
            potential: data.potential,
            stored: data.stored,
            dissipated,
            work,
            residual,
            turnover,
            relative_residual,
        }
    }
}
