//! Friction laws, one file each.

mod bristle;
pub mod bristles;
mod coulomb;
mod direction;
mod luaces;
mod lugre;
mod none;

pub use bristle::Bristle;
pub use bristles::Bristles;
pub use coulomb::Coulomb;
pub use luaces::{Luaces, LuacesRule};
pub use lugre::LuGre;
pub use none::Frictionless;

use crate::{FrictionLaw, ParameterError};

/// Every friction law, with sample parameters. The contract test runs all of them.
pub fn friction_laws() -> Vec<Box<dyn FrictionLaw>> {
    let mut laws = Vec::new();
    register(&mut laws, Coulomb::samples());
    register(&mut laws, Bristle::samples());
    register(&mut laws, LuGre::samples());
    register(&mut laws, Luaces::samples());
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
