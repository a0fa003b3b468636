//! The tests of `fender-run`, one module per subject, in one program: they are linked once.

mod contacts;
mod fits;
mod runs;
mod stream;
mod sweeps;
