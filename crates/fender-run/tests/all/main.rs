//! The tests of `fender-run`, one module per subject, in one program: they link once and share all threads.

mod contacts;
mod fits;
mod runs;
mod stream;
mod sweeps;
