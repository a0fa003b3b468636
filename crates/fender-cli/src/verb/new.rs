//! `fender new`: a scenario to start from.

use crate::args::New;
use crate::catalog::{SCENARIO_FILE, Source};
use crate::failure::Failure;
use crate::folder;
use std::io::Write;

/// The commented starter.
const STARTER: &str = include_str!("../../starter/scenario.toml");

/// Writes the folder.
pub fn perform(args: &New) -> Result<(), Failure> {
    let files = match &args.from {
        None => vec![(SCENARIO_FILE.into(), STARTER.as_bytes())],
        Some(name) => match Source::scenario(name)? {
            Source::Shipped(shipped) => shipped.files(),
            Source::File(path) => {
                let path = path.display();
                return Err(Failure::bad_input(format!(
                    "--from takes a shipped scenario; copy '{path}' instead"
                )));
            }
        },
    };
    let target = &args.name;
    if target.exists() {
        return Err(Failure::bad_input(format!(
            "'{}' exists already: choose another name",
            target.display()
        )));
    }
    for (path, contents) in files {
        folder::write(&target.join(path), contents)?;
    }
    let file = target.join(SCENARIO_FILE);
    writeln!(std::io::stdout(), "wrote {0}; run it with: fender run {0}", file.display())?;
    Ok(())
}
