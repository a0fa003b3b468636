//! `fender statics`: where a scenario comes to rest.

use crate::args::Statics;
use crate::catalog::Source;
use crate::failure::Failure;
use crate::load;
use crate::table::columns;
use fender_engine::World;
use fender_run::balance;
use fender_run::plot::number;
use fender_run::signal::{Signal, vector};
use std::io::Write;

/// Moves the scenario to rest and prints signals there.
pub fn perform(args: &Statics) -> Result<(), Failure> {
    let source = Source::scenario(&args.scenario)?;
    let scenario = load::scenario(&source, &args.set)?;
    let mut world = World::new(scenario.model);
    let rest = balance::settle(&mut world).map_err(Failure::run)?;
    let doubts = balance::doubts(&mut world);
    for doubt in &doubts {
        crate::tell!("warning: {doubt}");
    }
    let values = balance::values(&world, &args.signals).map_err(Failure::bad_input)?;
    let text = if args.json {
        let signals: serde_json::Map<String, serde_json::Value> =
            values.iter().map(|(signal, value)| (signal.name.clone(), (*value).into())).collect();
        let all = serde_json::json!({
            "scenario": scenario.name,
            "steps": rest.steps,
            "acceleration": rest.acceleration,
            "warnings": doubts,
            "signals": signals,
        });
        format!("{all:#}\n")
    } else {
        let mut text = format!("at rest after {} steps\n\n", rest.steps);
        text += &columns(&table(&values), &[]);
        text
    };
    Ok(std::io::stdout().write_all(text.as_bytes())?)
}

/// Rows of name, value and unit, with the components of a vector in one.
fn table(values: &[(Signal, f64)]) -> Vec<Vec<String>> {
    let mut rows: Vec<(String, Vec<String>, &str)> = Vec::new();
    for (signal, value) in values {
        // What is rounding beside the largest number of its unit is zero to people.
        let alike = values.iter().filter(|(other, _)| other.unit == signal.unit);
        let largest = alike.map(|(_, x)| x.abs()).fold(0.0, f64::max);
        let value = match value {
            x if x.is_nan() => "–".to_owned(),
            x if x.abs() < 1e-10 * largest || x.abs() < 1e-12 => number(0.0),
            x => number(*x),
        };
        let whole = vector(&signal.name);
        match (rows.last_mut(), whole) {
            (Some((name, list, _)), Some(whole)) if name == whole => list.push(value),
            _ => rows.push((whole.unwrap_or(&signal.name).to_owned(), vec![value], signal.unit)),
        }
    }
    rows.into_iter()
        .map(|(name, list, unit)| {
            let value = if list.len() > 1 { format!("({})", list.join(", ")) } else { list.join("") };
            vec![name, value, if unit == "1" { String::new() } else { unit.to_owned() }]
        })
        .collect()
}
