//! Friction laws, one file each.

mod coulomb;
mod none;

pub use coulomb::Coulomb;
pub use none::Frictionless;

use crate::{FrictionLaw, ParameterError};

/// Every friction law, with sample parameters. The contract test runs all of them.
pub fn friction_laws() -> Vec<Box<dyn FrictionLaw>> {
    let mut laws = Vec::new();
    register(&mut laws, Coulomb::samples());
    register(&mut laws, Ok(vec![Frictionless]));
    laws
}

fn register<L: FrictionLaw + 'static>(
    laws: &mut Vec<Box<dyn FrictionLaw>>,
    samples: Result<Vec<L>, ParameterError>,
) {
    let samples = samples.expect("sample parameters are constants within the documented ranges");
    laws.extend(samples.into_iter().map(|law| Box::new(law) as Box<dyn FrictionLaw>));
}
