//! `fender new`: a scenario to start from.

use crate::args::New;
use crate::catalog::{SCENARIO_FILE, Source};
use crate::failure::Failure;
use std::io::Write;
use std::path::Path;

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
    let folder = &args.name;
    if folder.exists() {
        return Err(Failure::bad_input(format!(
            "'{}' exists already: choose another name",
            folder.display()
        )));
    }
    for (path, contents) in files {
        write(&folder.join(path), contents)?;
    }
    let file = folder.join(SCENARIO_FILE);
    writeln!(std::io::stdout(), "wrote {0}; run it with: fender run {0}", file.display())?;
    Ok(())
}

fn write(path: &Path, contents: &[u8]) -> Result<(), Failure> {
    let done =
        path.parent().map_or(Ok(()), std::fs::create_dir_all).and_then(|()| std::fs::write(path, contents));
    done.map_err(|error| Failure::io(format!("cannot write '{}': {error}", path.display())))
}
