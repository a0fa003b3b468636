//! The tests of `fender-contact`, one module per subject, in one program: they link once and share all threads.

mod algebraic_impact;
mod impact;
mod laws;
