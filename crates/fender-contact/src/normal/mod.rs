//! Normal laws, one file each.

mod choice;
pub mod ellipse;
mod foundation;
mod hertz;
mod hunt_crossley;
mod hysteresis;
mod kelvin_voigt;
mod linear;

pub use choice::Normal;
pub use ellipse::{Ellipse, Patch};
pub use foundation::Foundation;
pub use hertz::{Elasticity, Hertz, HertzStiffness};
pub use hunt_crossley::HuntCrossley;
pub use kelvin_voigt::{KelvinVoigt, damping_ratio};
pub use linear::Linear;

use crate::{NormalLaw, ParameterError};

/// Every normal law, with sample parameters. The contract test runs all of them.
pub fn normal_laws() -> Vec<Box<dyn NormalLaw>> {
    let mut laws = Vec::new();
    register(&mut laws, Hertz::samples());
    register(&mut laws, Linear::samples());
    register(&mut laws, KelvinVoigt::samples());
    register(&mut laws, HuntCrossley::samples());
    laws
}

fn register<L: NormalLaw + 'static>(
    laws: &mut Vec<Box<dyn NormalLaw>>,
    samples: Result<Vec<L>, ParameterError>,
) {
    let samples = samples.expect("sample parameters are constants within the documented ranges");
    laws.extend(samples.into_iter().map(|law| Box::new(law) as Box<dyn NormalLaw>));
}
