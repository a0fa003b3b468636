//! Drivers, recorder, results folders, reports, sweeps and validation.
//!
//! [`driver::run`] takes a scenario through its duration into a results folder (see [`results`]); [`driver::resume`] goes
//! on from the last checkpoint, bit by bit; [`sweep`] runs all combinations of parameters; [`fit`] adjusts them to
//! measurements; [`export`] writes CSV;
//! [`validate`] holds scenarios and formulas to published numbers.

pub mod atomic;
pub mod balance;
pub mod cable_signal;
mod cable_summary;
pub mod checkpoint;
pub mod claim;
pub mod clock;
pub mod compare;
pub mod driver;
pub mod error;
pub mod expect;
pub mod export;
pub mod fit;
pub mod frame_file;
mod headline;
pub mod lock;
pub mod manifest;
mod measure;
mod opening;
pub mod parquet_file;
pub mod parts;
pub mod plot;
pub mod rainflow;
pub mod recorder;
pub mod report;
pub mod results;
pub mod sampler;
pub mod scenario;
pub mod serve;
pub mod signal;
pub mod simulation;
pub mod stream;
pub mod summary;
pub mod sweep;
pub mod table;
#[cfg(test)]
mod testing;
pub mod validate;
pub mod watch;
mod workers;

pub use cable_summary::CableSummary;
pub use claim::Claim;
pub use driver::{Flow, Progress, RunOptions, check, resume, run, run_watched};
pub use error::RunError;
pub use export::csv as export_csv;
pub use headline::SignalExtreme;
pub use results::{Folder, Out};
pub use summary::{Ended, Summary};
