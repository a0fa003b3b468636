//! `fender resume`: continues an interrupted run.

use crate::args::Resume;
use crate::failure::Failure;
use crate::verb::run::drive;
use fender_run::Out;

/// Continues the run in a folder.
pub fn perform(args: &Resume) -> Result<(), Failure> {
    let out = Out::Folder { path: args.dir.clone(), force: false };
    drive(&args.manner, out, |options, progress| fender_run::resume(&args.dir, options, progress))
}
