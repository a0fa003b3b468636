//! Runs a scenario file into a folder: `cargo run --release -p fender-run --example run_file -- FILE FOLDER`.

use fender_run::{Flow, Out, RunOptions};
use std::path::{Path, PathBuf};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(file), Some(folder)) = (arguments.next(), arguments.next()) else {
        return Err("usage: run_file FILE FOLDER".into());
    };
    let scenario = fender_scenario::load(Path::new(&file), &[])?;
    let options = RunOptions::new(Out::Folder { path: PathBuf::from(folder), force: true });
    let summary = fender_run::run(scenario, &options, &mut |_| Flow::Continue)?;
    for (label, value) in summary.rows() {
        println!("{label:<22}{value}");
    }
    Ok(())
}
