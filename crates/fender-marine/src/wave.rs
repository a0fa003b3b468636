//! What a wave says, whatever its kind.

use fender_engine::FluidMotion;
use std::fmt::Debug;

/// A wave on water whose still surface is at height 0. Waves are summed, so irregular seas are one of these each, or a
/// list of regular ones.
///
/// Its calls are the inner loop of everything that is wet: they must not allocate.
pub trait Wave: Debug + Send + Sync {
    /// Height of the surface above the still surface at a place [m] and time [s].
    fn elevation(&self, x: f64, y: f64, time: f64) -> f64;

    /// Motion of the water at a place [m] and time [s]; `z`, from the still surface, is never positive.
    fn motion(&self, x: f64, y: f64, z: f64, time: f64) -> FluidMotion;

    /// Times at which it starts, or a ramp of it ends [s].
    fn time_events(&self) -> Vec<f64> {
        Vec::new()
    }
}
