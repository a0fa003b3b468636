//! The tests of `fender-contact`, one module per subject, in one program: they are linked once.

mod algebraic_impact;
mod impact;
mod laws;
mod patch;
mod simultaneous_impact;
