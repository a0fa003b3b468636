//! What surrounds bodies and cables: water with a surface, air, a seabed.

use fender_math::Vec3;
use std::fmt::Debug;

/// Motion of a fluid at a place, undisturbed by what is in it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FluidMotion {
    /// Velocity [m/s].
    pub velocity: Vec3,
    /// Acceleration of the particle that is there [m/s²].
    pub acceleration: Vec3,
}

/// A fluid that moves by itself and feels nothing.
pub trait Fluid: Debug + Send + Sync {
    /// Density [kg/m³].
    fn density(&self) -> f64;

    /// Height of its surface above or below a place [m], at a time [s]; infinite for air.
    fn surface(&self, x: f64, y: f64, time: f64) -> f64;

    /// Its motion at a place [m] and time [s]. Above its surface: as at the surface.
    fn motion(&self, place: Vec3, time: f64) -> FluidMotion;

    /// Whether its surface is flat and stays where it is.
    fn still(&self) -> bool {
        false
    }

    /// Times at which the motion starts, stops or has a kink [s].
    fn time_events(&self) -> Vec<f64> {
        Vec::new()
    }
}

/// A flat bottom that carries what lies on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seabed {
    /// Height [m].
    pub height: f64,
    /// Pressure per depth of penetration [Pa/m].
    pub stiffness: f64,
    /// Pressure per speed of penetration [Pa·s/m].
    pub damping: f64,
    /// Coefficient of friction.
    pub friction: f64,
    /// Shear stress per displacement before it slips [Pa/m].
    pub shear: f64,
}

/// Everything that surrounds the scene.
#[derive(Debug, Default)]
pub struct Surroundings {
    /// Water, or another liquid with a surface.
    pub water: Option<Box<dyn Fluid>>,
    /// Air, above the water's surface.
    pub air: Option<Box<dyn Fluid>>,
    /// The bottom.
    pub seabed: Option<Seabed>,
}
