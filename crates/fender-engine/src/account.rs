//! The energy account.

/// The energy account at one instant. All in joules.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Energy {
    /// Kinetic energy of the free bodies.
    pub kinetic: f64,
    /// Potential energy in the field of gravity, zero at the world's origin.
    pub potential: f64,
    /// Energy stored in springs and contacts.
    pub stored: f64,
    /// Energy lost so far, all sources.
    pub dissipated: f64,
    /// Work done on the scene so far, all sources.
    pub work: f64,
    /// (kinetic + potential + stored) now − at the start + dissipated − work: what the integration made or lost.
    pub residual: f64,
    /// Residual / (range of kinetic + potential so far, plus |work|, plus dissipated).
    pub relative_residual: f64,
}
