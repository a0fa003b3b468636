//! `fender import`: a scenario made of a robot description.

use crate::args::{Base, Import};
use crate::catalog::SCENARIO_FILE;
use crate::failure::Failure;
use crate::folder;
use fender_scenario::import;
use std::io::Write;
use std::path::PathBuf;

/// Writes the folder, and checks that what is in it can be loaded.
pub fn perform(args: &Import) -> Result<(), Failure> {
    let base = match args.base {
        Base::Fixed => import::Base::Fixed,
        Base::Free => import::Base::Free,
    };
    let imported = import::urdf(&args.file, base).map_err(Failure::scenario)?;
    for warning in &imported.warnings {
        crate::tell!("warning: {warning}");
    }
    let target = match &args.out {
        Some(folder) => folder.clone(),
        None => PathBuf::from(args.file.file_stem().unwrap_or_default()),
    };
    let scenario = target.join(SCENARIO_FILE);
    if scenario.exists() && !args.force {
        return Err(Failure::bad_input(format!(
            "'{}' exists already: choose another folder with --out, or replace it with --force",
            scenario.display()
        )));
    }
    for (path, contents) in &imported.assets {
        folder::write(&target.join(path), contents)?;
    }
    folder::write(&scenario, imported.scenario.as_bytes())?;
    fender_scenario::load(&scenario, &[]).map_err(Failure::scenario)?;
    let counted = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    let bodies = if imported.bodies == 1 { "1 body".into() } else { format!("{} bodies", imported.bodies) };
    let mut contents = vec![bodies, counted(imported.joints, "joint")];
    if imported.loops > 0 {
        contents.push(counted(imported.loops, "coupled joint"));
    }
    writeln!(
        std::io::stdout(),
        "wrote {0} with {1}; run it with: fender run {0}",
        scenario.display(),
        contents.join(", ")
    )?;
    Ok(())
}
