//! `fender cycles`: rainflow cycles of recorded signals.

use crate::args::Cycles;
use crate::failure::Failure;
use crate::table::columns;
use fender_run::plot::{figure, number, select};
use fender_run::{Folder, rainflow};
use serde_json::json;
use std::io::Write;

/// Counts the cycles of signals and prints them.
pub fn perform(args: &Cycles) -> Result<(), Failure> {
    let table = Folder { path: args.dir.clone() }.table("signals").map_err(Failure::run)?;
    let chosen = select(&table, &args.signals).map_err(Failure::run)?;
    let times = table.columns.first().map_or(&[][..], |time| time.values.as_slice());
    let span = |time: f64| args.from.is_none_or(|t| time >= t) && args.to.is_none_or(|t| time <= t);
    let mut text = String::new();
    let mut list = Vec::new();
    for column in chosen {
        let rows = times.iter().zip(&column.values).filter(|(time, _)| span(**time));
        let values: Vec<f64> = rows.map(|(_, value)| *value).collect();
        let cycles = rainflow::count(&values);
        let total: f64 = cycles.iter().map(|c| c.count).sum();
        let reference = args.cycles.unwrap_or(total);
        let equivalent = rainflow::equivalent_range(&cycles, args.slope, reference);
        if args.json {
            list.push(json!({
                "signal": column.name, "unit": column.unit, "cycles": cycles, "count": total,
                "slope": args.slope, "reference_cycles": reference, "equivalent_range": equivalent,
            }));
            continue;
        }
        if !text.is_empty() {
            text.push('\n');
        }
        text += &format!("{} [{}]: {} cycles\n", column.name, column.unit, number(total));
        if cycles.is_empty() {
            continue;
        }
        let head = ["  range from", "to", "mean", "cycles"].map(str::to_string).to_vec();
        let classes = rainflow::classes(&cycles, usize::from(args.classes));
        let row = |c: &rainflow::Class| {
            vec![format!("  {}", figure(c.from)), figure(c.to), figure(c.mean), number(c.count)]
        };
        let rows: Vec<_> = std::iter::once(head).chain(classes.iter().map(row)).collect();
        text += &columns(&rows, &[0, 1, 2, 3]);
        text += &format!(
            "damage-equivalent range of {} cycles with slope {}: {} {}\n",
            number(reference),
            number(args.slope),
            figure(equivalent),
            column.unit
        );
    }
    if args.json {
        text = serde_json::to_string_pretty(&list).map_err(Failure::bad_input)? + "\n";
    }
    Ok(std::io::stdout().write_all(text.as_bytes())?)
}
