//! `fender modes`: how a scenario swings about its position of rest.

use crate::args::Modes;
use crate::catalog::Source;
use crate::failure::Failure;
use crate::load;
use crate::table::columns;
use fender_engine::World;
use fender_engine::balance::{Mode, modes};
use fender_run::atomic;
use fender_run::balance;
use fender_run::plot::number;
use fender_run::report::page_of;
use fender_scenario::Scenario;
use std::io::Write;

/// Bodies named for each mode.
const MOVERS: usize = 3;

/// Moves the scenario to rest, finds its modes, prints them, and writes a page if one is asked for.
pub fn perform(args: &Modes) -> Result<(), Failure> {
    let source = Source::scenario(&args.scenario)?;
    let Scenario { model, .. } = load::scenario(&source, &args.set)?;
    let mut world = World::new(model);
    if args.at_start {
        world.state.v.fill(0.0);
        world.data.clear();
        world.refresh();
    } else {
        balance::settle(&mut world).map_err(Failure::run)?;
    }
    let mut all = modes(&mut world);
    let found = all.len();
    all.truncate(args.count);
    let text = if args.json { json(&mut world, &all) } else { table(&mut world, &all, found) };
    std::io::stdout().write_all(text.as_bytes())?;
    if let Some(path) = &args.out {
        // The head of the page needs the scenario whole, and the world has taken its model.
        let scenario = load::scenario(&source, &args.set)?;
        let told = balance::animation(&scenario, &mut world, &all);
        atomic::replace_bytes(path, page_of(&[told]).as_bytes()).map_err(Failure::run)?;
        writeln!(std::io::stdout(), "wrote {}", path.display())?;
    }
    Ok(())
}

/// The bodies that move most in a mode, with how far they do compared with the first.
fn movers(world: &mut World, mode: &Mode) -> Vec<(String, f64)> {
    let list = balance::movers(world, mode);
    let most = list.into_iter().take(MOVERS).filter(|(_, far)| *far > 0.05);
    most.map(|(body, far)| (world.model.bodies[body.index()].name.clone(), far)).collect()
}

fn table(world: &mut World, modes: &[Mode], found: usize) -> String {
    if modes.is_empty() {
        return "nothing is free to move: joints, loops and guides hold everything\n".into();
    }
    let head = ["mode", "frequency", "period", "damping", "what moves most"];
    let mut rows = vec![head.map(String::from).to_vec()];
    for (i, mode) in modes.iter().enumerate() {
        let frequency = mode.frequency();
        let (frequency, period) = if balance::is_free(mode, modes) {
            ("0 Hz".to_owned(), "free".to_owned())
        } else if mode.square < 0.0 {
            (format!("{} Hz", number(frequency)), "unstable".to_owned())
        } else {
            (format!("{} Hz", number(frequency)), format!("{} s", number(1.0 / frequency)))
        };
        let damping = if mode.damping > 1.0 {
            "overdamped".to_owned()
        } else {
            format!("{} %", number(100.0 * mode.damping))
        };
        let most = movers(world, mode);
        let most: Vec<String> = most.iter().map(|(name, far)| format!("{name} {far:.2}")).collect();
        rows.push(vec![(i + 1).to_string(), frequency, period, damping, most.join(", ")]);
    }
    let mut text = columns(&rows, &[0, 1, 2, 3]);
    if found > modes.len() {
        text += &format!("… and {} faster ones: --count {found} tells them all\n", found - modes.len());
    }
    text
}

fn json(world: &mut World, modes: &[Mode]) -> String {
    let list: Vec<serde_json::Value> = modes
        .iter()
        .map(|mode| {
            serde_json::json!({
                "frequency": mode.frequency(),
                "square": mode.square,
                "damping": mode.damping,
                "movers": movers(world, mode),
                "shape": mode.shape,
            })
        })
        .collect();
    format!("{:#}\n", serde_json::Value::from(list))
}
