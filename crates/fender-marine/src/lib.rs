//! Water and wind: what surrounds bodies and cables, and moves by itself.
//!
//! [`Water`] is still, flows with a [`Current`], and carries any number of [`Wave`]s; so far these are regular waves of
//! linear theory, [`AiryWave`]. [`Wind`] is uniform. Both are a [`fender_engine::Fluid`]: a density, a surface and a
//! motion at each place and time, undisturbed by what is in them.

pub mod airy;
pub mod current;
pub mod dispersion;
pub mod error;
pub mod ramp;
pub mod water;
pub mod wave;
pub mod wind;

pub use airy::{Airy, AiryWave};
pub use current::Current;
pub use error::MarineError;
pub use ramp::Ramp;
pub use water::{Stretching, Water};
pub use wave::Wave;
pub use wind::Wind;
