//! What a report begins with: the plots that the scenario chooses; else what it expects, then the loads that it records.

use crate::error::RunError;
use crate::recorder::default_records;
use crate::scenario::{Expect, Record, Scenario};
use crate::signal::{self, Catalogue};
use crate::table::{Column, Kind, Table};

/// Stands for the energy account among the plots.
pub const ENERGY: &str = "energy";
/// Most plots beside the energy account, and most curves of each, that are not asked for.
const MOST_PLOTS: usize = 3;
const MOST_CURVES: usize = 8;

/// Checks that the signals of a scenario's plots exist.
pub fn check(scenario: &Scenario) -> Result<(), RunError> {
    let catalogue = Catalogue::new(&scenario.model);
    for (i, plot) in scenario.plots.iter().enumerate() {
        if plot.is_empty() {
            let help = Some("name a signal, or leave the list out".to_owned());
            return Err(scenario
                .error_at(&format!("report.plots[{i}]"), "the plot has no signal", help)
                .into());
        }
        for (k, name) in plot.iter().enumerate().filter(|_| !is_energy(plot)) {
            if let Err(error) = catalogue.select(name) {
                // A plot of one signal may be written as a text.
                let inner = scenario.error_at(&format!("report.plots[{i}][{k}]"), error.to_string(), None);
                return Err(inner.into());
            }
        }
    }
    Ok(())
}

/// What a scenario records, with what its plots show, as often as what is recorded most often.
pub fn records(scenario: &Scenario) -> Vec<Record> {
    let mut records = scenario.records.clone();
    let shown = scenario.plots.iter().filter(|plot| !is_energy(plot)).flatten();
    let signals: Vec<String> = shown.cloned().collect();
    if signals.is_empty() {
        return records;
    }
    if records.is_empty() {
        records = default_records(&scenario.model, scenario.run.duration);
    }
    if let Some(every) = records.iter().map(|r| r.every).min_by(f64::total_cmp) {
        records.push(Record { signals, every });
    }
    records
}

fn is_energy(plot: &[String]) -> bool {
    matches!(plot, [name] if name == ENERGY)
}

/// The plots that a page begins with, by the names of recorded signals; none if the page is to choose.
pub fn plots(asked: &[Vec<String>], expects: &[Expect], signals: &Table) -> Vec<Vec<String>> {
    if !asked.is_empty() {
        return asked.iter().map(|plot| named(plot, signals)).filter(|plot| !plot.is_empty()).collect();
    }
    let recorded = |name: &str| signals.columns.iter().find(|c| c.name == name);
    let expected = expects.iter().filter_map(|expect| recorded(&expect.signal));
    let mut plots: Vec<(String, Vec<String>)> = Vec::new();
    for column in expected.filter(|c| !c.name.starts_with("energy.")) {
        add(&mut plots, column);
    }
    let mut loads: Vec<(usize, &Column)> =
        signals.columns.iter().filter_map(|c| Some((rank(c)?, c))).collect();
    loads.sort_by_key(|(rank, _)| *rank);
    for (_, column) in loads {
        add(&mut plots, column);
    }
    let mut plots: Vec<Vec<String>> = plots.into_iter().map(|(_, names)| names).take(MOST_PLOTS).collect();
    if !plots.is_empty() {
        plots.push(vec![ENERGY.to_owned()]);
    }
    plots
}

/// Recorded signals that the patterns of a plot name.
fn named(plot: &[String], signals: &Table) -> Vec<String> {
    if is_energy(plot) {
        return plot.to_vec();
    }
    let mut names: Vec<String> = Vec::new();
    for pattern in plot {
        let means = |c: &&Column| {
            let vector = signal::vector(&c.name);
            signal::matches(pattern, &c.name) || vector.is_some_and(|v| signal::matches(pattern, v))
        };
        for column in signals.columns.iter().filter(means).filter(|c| c.kind != Kind::Text) {
            if !names.contains(&column.name) {
                names.push(column.name.clone());
            }
        }
    }
    names
}

/// Adds a signal to the plot of its quantity: signals of several bodies that are alike share one.
fn add(plots: &mut Vec<(String, Vec<String>)>, column: &Column) {
    let quantity = quantity(column);
    let i = plots.iter().position(|(of, _)| *of == quantity).unwrap_or_else(|| {
        plots.push((quantity, Vec::new()));
        plots.len() - 1
    });
    let names = &mut plots[i].1;
    if names.len() < MOST_CURVES && !names.contains(&column.name) {
        names.push(column.name.clone());
    }
}

/// What is measured, with its unit: `position [m]` of `ball.position.z`, `tension [N]` of `cable.tow.tension.max`.
fn quantity(column: &Column) -> String {
    let name = match signal::vector(&column.name) {
        Some(vector) => vector,
        None => tension(&column.name).unwrap_or(&column.name),
    };
    format!("{} [{}]", name.rsplit('.').next().unwrap_or_default(), column.unit)
}

/// `cable.tow.tension` of its tension at the ends and its extremes.
fn tension(name: &str) -> Option<&str> {
    let (of, key) = name.rsplit_once('.')?;
    (of.ends_with(".tension") && ["start", "end", "max", "min"].contains(&key)).then_some(of)
}

/// How much a signal is a load that a user looks for, the first most; none for what is none.
fn rank(column: &Column) -> Option<usize> {
    let name = column.name.as_str();
    let is_clearance = || column.description.starts_with("Clearance between");
    let is_force = || column.unit == "N" && !name.starts_with("energy.");
    let ranks: [&dyn Fn() -> bool; 5] = [
        &|| tension(name).is_some(),
        &|| name.ends_with(".utilisation"),
        &is_clearance,
        &|| name.starts_with("contact.") && name.ends_with(".normal_force"),
        &is_force,
    ];
    ranks.iter().position(|is| is())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::{Check, Statistic, When};

    fn table(names: &[(&str, &str)]) -> Table {
        let time = Column::new("time", "s", "", Kind::Real);
        let columns = names.iter().map(|(name, unit)| Column::new(*name, *unit, "", Kind::Real));
        Table { columns: std::iter::once(time).chain(columns).collect(), texts: Vec::new() }
    }

    fn expect(signal: &str) -> Expect {
        let when = When::Over { of: Statistic::Max, from: 0.0, until: f64::INFINITY };
        let check = Check::Within { above: Some(0.0), below: None };
        Expect { signal: signal.into(), when, check, why: String::new() }
    }

    #[test]
    fn what_is_expected_comes_first_then_loads_then_energy() {
        let signals = table(&[
            ("deck.position.x", "m"),
            ("deck.position.z", "m"),
            ("contact.a-b.friction_force", "N"),
            ("contact.a-b.normal_force", "N"),
            ("contact.a-c.normal_force", "N"),
            ("cable.tow.tension.end", "N"),
            ("cable.tow.tension.max_at", "m"),
            ("e1.velocity.z", "m/s"),
            ("e2.velocity.z", "m/s"),
            ("energy.kinetic", "J"),
        ]);
        let expects = [expect("e1.velocity.z"), expect("energy.kinetic"), expect("e2.velocity.z")];
        let found = plots(&[], &expects, &signals);
        assert_eq!(
            found,
            [
                vec!["e1.velocity.z", "e2.velocity.z"],
                vec!["cable.tow.tension.end"],
                vec!["contact.a-b.normal_force", "contact.a-c.normal_force"],
                vec!["energy"],
            ]
        );
        // Nothing expected and no load: the page chooses.
        assert_eq!(plots(&[], &[], &table(&[("ball.position.z", "m")])), Vec::<Vec<String>>::new());
    }

    #[test]
    fn asked_plots_are_named_by_patterns_and_vectors() {
        let signals = table(&[("a.position.x", "m"), ("a.position.z", "m"), ("b.speed", "m/s")]);
        let asked = [vec!["a.position".to_owned()], vec!["energy".to_owned()], vec!["*.speed".to_owned()]];
        let found = plots(&asked, &[], &signals);
        assert_eq!(found, [vec!["a.position.x", "a.position.z"], vec!["energy"], vec!["b.speed"]]);
    }
}
