//! Runs a case and compares.

use super::case::{Case, FormulaSpec, Reference};
use super::formula::formulas;
use crate::error::RunError;
use crate::expect::{Outcome, answer, question};
use crate::plot::{Line, Look, Plot, number};
use crate::scenario::{Check, Expect, Override, Scenario, When};
use crate::simulation::{Recording, Simulation};
use crate::table::Table;
use rayon::prelude::*;
use serde::Serialize;

/// One comparison.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// Settings of the run, or arguments of the formula.
    pub settings: String,
    /// Asked, got, tolerance, verdict and reason.
    #[serde(flatten)]
    pub outcome: Outcome,
    /// Where the row stands in a plot: the first setting, if it is a number.
    #[serde(skip)]
    pub x: Option<f64>,
    /// Rows of one series belong together: the number of the check or formula.
    #[serde(skip)]
    pub series: usize,
}

/// How a case came out.
#[derive(Clone, Debug, Serialize)]
pub struct CaseReport {
    /// Name of the case.
    pub name: String,
    /// Title.
    pub title: String,
    /// Publication, section, table or figure.
    pub source: String,
    /// What to keep in mind.
    pub note: String,
    /// Whether every row is met.
    pub met: bool,
    /// Comparisons.
    pub rows: Vec<Row>,
    /// Asked and got in one picture.
    #[serde(skip)]
    pub plot: Option<Plot>,
}

/// A question to one run.
struct Ask {
    name: Option<String>,
    signal: String,
    when: When,
    factor: f64,
    check: Check,
    why: String,
    x: Option<f64>,
    series: usize,
}

/// One run with everything it is asked.
struct Job {
    set: Vec<Override>,
    asks: Vec<Ask>,
}

/// Loads a shipped scenario by name, with overrides.
pub type Shipped<'a> = dyn Fn(&str, &[Override]) -> Result<Scenario, RunError> + Sync + 'a;

/// Rows of one run, and its plot over time.
type Answers = (Vec<Row>, Option<Plot>);

/// Runs a case. `shipped` loads a shipped scenario by name; it is asked only if the case names one.
pub fn run_case(case: &Case, shipped: &Shipped<'_>) -> Result<CaseReport, RunError> {
    let mut series = 0;
    let jobs = jobs(case, &mut series)?;
    let load = |set: &[Override]| -> Result<Scenario, RunError> {
        if let Some(name) = &case.spec.scenario {
            return shipped(name, set);
        }
        let missing = |e| case.bad(format!("there is no `scenario` and scenario.toml cannot be read: {e}"));
        let bytes = case.assets.read("scenario.toml").map_err(missing)?;
        let text = String::from_utf8(bytes).map_err(|_| case.bad("scenario.toml is not UTF-8"))?;
        Ok(fender_scenario::load_str(&case.name, &text, &case.assets, set)?)
    };
    let runs: Result<Vec<Answers>, RunError> =
        jobs.par_iter().map(|job| run_job(load(&job.set)?, job)).collect();
    let runs = runs?;
    let mut rows = Vec::new();
    let mut over_time = None;
    for (job_rows, plot) in runs {
        rows.extend(job_rows);
        over_time = over_time.or(plot);
    }
    for spec in &case.spec.formula {
        rows.extend(formula_rows(case, spec, series)?);
        series += 1;
    }
    if rows.is_empty() {
        return Err(case.bad("it checks nothing"));
    }
    let plot = asked_and_got(case, &rows).or(over_time);
    Ok(CaseReport {
        name: case.name.clone(),
        title: case.spec.title.clone(),
        source: case.spec.source.clone(),
        note: case.spec.note.clone(),
        met: rows.iter().all(|r| r.outcome.met),
        rows,
        plot,
    })
}

fn overrides(set: &std::collections::BTreeMap<String, toml::Value>) -> Vec<Override> {
    set.iter().map(|(key, value)| Override::new(key, value.to_string())).collect()
}

/// The runs a case needs; checks with the same settings share one.
fn jobs(case: &Case, series: &mut usize) -> Result<Vec<Job>, RunError> {
    let mut jobs: Vec<Job> = Vec::new();
    let mut add = |set: Vec<Override>, ask: Ask| match jobs.iter_mut().find(|job| job.set == set) {
        Some(job) => job.asks.push(ask),
        None => jobs.push(Job { set, asks: vec![ask] }),
    };
    for spec in &case.spec.check {
        let ask = Ask {
            name: spec.name.clone(),
            signal: spec.signal.clone(),
            when: case.when(spec.at, spec.of, spec.from, spec.until)?,
            factor: 1.0,
            check: case.target(spec.value, spec.tolerance, spec.relative_tolerance)?,
            why: spec.why.clone(),
            x: None,
            series: *series,
        };
        add(overrides(&spec.set), ask);
        *series += 1;
    }
    for table in &case.spec.table {
        let reference = case.reference(&table.file)?;
        for row in 0..reference.rows.len() {
            let mut set = overrides(&table.with);
            for key in &table.set {
                set.push(Override::new(key, format!("{}", column(case, &reference, row, key)?)));
            }
            for (i, spec) in table.check.iter().enumerate() {
                let value = column(case, &reference, row, &spec.column)?;
                // An empty cell asks nothing.
                if value.is_nan() {
                    continue;
                }
                let per = spec.per.as_ref().map_or(Ok(1.0), |name| column(case, &reference, row, name))?;
                let ask = Ask {
                    name: spec.name.clone(),
                    signal: spec.signal.clone(),
                    when: case.when(spec.at, spec.of, spec.from, spec.until)?,
                    factor: spec.scale.unwrap_or(1.0) / per,
                    check: case.target(value, spec.tolerance, spec.relative_tolerance)?,
                    why: spec.why.clone(),
                    x: table.set.first().and_then(|key| reference.value(row, key)),
                    series: *series + i,
                };
                add(set.clone(), ask);
            }
        }
        *series += table.check.len();
    }
    Ok(jobs)
}

fn column(case: &Case, reference: &Reference, row: usize, name: &str) -> Result<f64, RunError> {
    reference.value(row, name).ok_or_else(|| case.bad(format!("the reference has no column '{name}'")))
}

/// Runs in memory and answers.
fn run_job(scenario: Scenario, job: &Job) -> Result<Answers, RunError> {
    let expect = |ask: &Ask| Expect {
        signal: ask.signal.clone(),
        when: ask.when,
        check: ask.check,
        why: ask.why.clone(),
    };
    let recording = Recording {
        records: scenario.records,
        expects: job.asks.iter().map(expect).collect(),
        ..Recording::default()
    };
    let mut simulation = Simulation::start(scenario.model, &scenario.run, &recording)
        .map_err(|e| RunError::BadInput(format!("'{}': {e}", scenario.name)))?;
    let mut diverged = None;
    while diverged.is_none() && !simulation.finished() {
        diverged = simulation.step().err();
    }
    let table = &simulation.signals.table;
    let rows = job.asks.iter().map(|ask| {
        // A run that diverged has no answers, whatever it recorded before.
        let got = answer(table, &ask.signal, ask.when).filter(|_| diverged.is_none()).map(|v| v * ask.factor);
        let what = ask.name.clone().unwrap_or_else(|| question(&ask.signal, ask.when));
        let own = table.column(&ask.signal).map_or("", |c| c.unit.as_str());
        let unit = if ask.factor == 1.0 { own } else { "" };
        Row {
            settings: settings(&job.set),
            outcome: Outcome::new(what, unit, ask.check, got, &ask.why),
            x: ask.x,
            series: ask.series,
        }
    });
    Ok((rows.collect(), over_time(table, &job.asks)))
}

fn settings(set: &[Override]) -> String {
    set.iter().map(|o| format!("{} = {}", o.path, o.value.trim_matches('"'))).collect::<Vec<_>>().join(", ")
}

/// The first signal that is asked about, over time, with what is asked.
fn over_time(table: &Table, asks: &[Ask]) -> Option<Plot> {
    let first = asks.first()?;
    let column = table.column(&first.signal)?;
    let marks: Vec<(f64, f64)> = asks
        .iter()
        .filter(|ask| ask.signal == first.signal)
        .filter_map(|ask| match (ask.when, ask.check) {
            (When::At(time), Check::Near { value, .. }) => Some((time, value)),
            _ => None,
        })
        .collect();
    let mut lines =
        vec![Line { label: "computed".into(), points: table.series(&first.signal)?, look: Look::Line }];
    if !marks.is_empty() {
        lines.push(Line { label: "reference".into(), points: marks, look: Look::Marks });
    }
    Some(Plot {
        title: first.signal.clone(),
        x_label: "time [s]".into(),
        y_label: column.unit.clone(),
        lines,
    })
}

fn formula_rows(case: &Case, spec: &FormulaSpec, series: usize) -> Result<Vec<Row>, RunError> {
    let Some(formula) = formulas().iter().find(|f| f.name == spec.name) else {
        let names = formulas().iter().map(|f| f.name);
        let nearest = names.max_by(|a, b| {
            strsim::jaro_winkler(a, &spec.name).total_cmp(&strsim::jaro_winkler(b, &spec.name))
        });
        let nearest = nearest.unwrap_or_default();
        return Err(case.bad(format!("there is no formula '{}'; did you mean '{nearest}'?", spec.name)));
    };
    let reference = match &spec.file {
        Some(file) => case.reference(file)?,
        // One row without columns: everything comes from `with`.
        None => Reference { names: Vec::new(), rows: vec![Vec::new()] },
    };
    let mut rows = Vec::new();
    for row in 0..reference.rows.len() {
        let asked = match (&spec.column, spec.value) {
            (Some(name), None) => column(case, &reference, row, name)?,
            (None, Some(value)) => value,
            _ => return Err(case.bad("a formula needs either `column` or `value`")),
        };
        if asked.is_nan() {
            continue;
        }
        let mut arguments = Vec::with_capacity(formula.arguments.len());
        for (name, _) in formula.arguments {
            let given = spec.with.get(*name).copied().or_else(|| reference.value(row, name));
            let missing = || case.bad(format!("the formula '{}' needs the argument '{name}'", spec.name));
            arguments.push(given.ok_or_else(missing)?);
        }
        let with_unit = |((name, unit), value): (&(&str, &str), &f64)| match *unit {
            "1" => format!("{name} = {}", number(*value)),
            unit => format!("{name} = {} {unit}", number(*value)),
        };
        let check = case.target(asked, spec.tolerance, spec.relative_tolerance)?;
        // The argument that varies is the one that has a column.
        let varying = formula.arguments.iter().position(|(name, _)| !spec.with.contains_key(*name));
        rows.push(Row {
            settings: formula.arguments.iter().zip(&arguments).map(with_unit).collect::<Vec<_>>().join(", "),
            outcome: Outcome::new(
                spec.name.clone(),
                formula.unit,
                check,
                (formula.value)(&arguments),
                &spec.why,
            ),
            x: varying.filter(|_| spec.file.is_some()).map(|i| arguments[i]),
            series,
        });
    }
    Ok(rows)
}

/// What was asked as marks and what came out as lines, over the first setting of the tables.
fn asked_and_got(case: &Case, rows: &[Row]) -> Option<Plot> {
    let mut series: Vec<usize> = rows.iter().filter(|r| r.x.is_some()).map(|r| r.series).collect();
    series.dedup();
    // More than a few pairs of lines cannot be told apart.
    series.truncate(4);
    let mut lines = Vec::new();
    for s in &series {
        let of = |value: &dyn Fn(&Outcome) -> Option<f64>| {
            let mut points: Vec<(f64, f64)> = rows
                .iter()
                .filter(|r| r.series == *s)
                .filter_map(|r| Some((r.x?, value(&r.outcome)?)))
                .collect();
            points.sort_by(|a, b| a.0.total_cmp(&b.0));
            points
        };
        let name = rows.iter().find(|r| r.series == *s).map_or("", |r| r.outcome.what.as_str());
        lines.push(Line { label: name.to_owned(), points: of(&|o| o.got), look: Look::Line });
        lines.push(Line { label: "reference".into(), points: of(&|o| o.asked), look: Look::Marks });
    }
    let first = rows.iter().find(|r| r.x.is_some())?;
    let x_label = first.settings.split(" = ").next().unwrap_or_default().to_owned();
    let unit = first.outcome.unit.as_str();
    let y_label = if unit == "1" { String::new() } else { unit.to_owned() };
    Some(Plot { title: case.spec.title.clone(), x_label, y_label, lines })
}

#[cfg(test)]
mod tests {
    use super::*;
    use fender_scenario::Assets;
    use std::path::PathBuf;

    const SCENARIO: &[u8] = br#"
format = 1
title = "A throw"
[parameter]
speed = 10
[run]
duration = 1
integrator.rk4 = { step = "1 ms" }
[world]
gravity = [0, 0, -10]
[body.ball]
mass = 1
inertia = [0.01, 0.01, 0.01]
velocity = [0, 0, "$speed"]
"#;

    fn case(text: &str, csv: &'static [u8]) -> Case {
        let files = vec![(PathBuf::from("scenario.toml"), SCENARIO), (PathBuf::from("reference.csv"), csv)];
        Case::parse("throw", text, Assets::Embedded(files)).unwrap()
    }

    fn go(text: &str, csv: &'static [u8]) -> Result<CaseReport, RunError> {
        run_case(&case(text, csv), &|_, _| Err(RunError::BadInput("none ship here".into())))
    }

    const HEAD: &str = "title = \"T\"\nsource = \"S\"\n";

    #[test]
    fn single_checks_are_met_or_missed() {
        let check = |value: f64| {
            format!(
                "{HEAD}[[check]]\nset = {{ speed = 5 }}\nsignal = \"ball.position.z\"\nat = 0.5\nvalue = {value}\n\
                 tolerance = 1e-9\nwhy = \"v t + g t²/2\""
            )
        };
        let report = go(&check(1.25), b"").unwrap();
        assert!(report.met);
        assert_eq!(report.rows[0].settings, "speed = 5");
        assert_eq!(report.rows[0].outcome.unit, "m");
        assert_eq!(report.plot.unwrap().lines.len(), 2);
        let report = go(&check(1.26), b"").unwrap();
        assert!(!report.met && (report.rows[0].outcome.got.unwrap() - 1.25).abs() < 1e-9);
    }

    #[test]
    fn a_table_runs_once_per_row() {
        let text = format!(
            "{HEAD}[[table]]\nfile = \"reference.csv\"\nset = [\"speed\"]\n[[table.check]]\ncolumn = \"top\"\n\
             signal = \"ball.position.z\"\nof = \"max\"\nrelative_tolerance = 1e-4\nwhy = \"v²/2g\"\n[[table.check]]\n\
             column = \"ratio\"\nsignal = \"ball.velocity.z\"\nof = \"final\"\nper = \"speed\"\ntolerance = 1e-9\nwhy = \"w\""
        );
        let csv = b"# by hand\nspeed, top, ratio\n5, 1.25, -1\n10, 5.0, 0\n8, 3.2,\n";
        let report = go(&text, csv).unwrap();
        assert_eq!(report.rows.len(), 5);
        assert!(report.met, "{:?}", report.rows);
        let plot = report.plot.unwrap();
        assert_eq!(plot.lines[1].points, [(5.0, 1.25), (8.0, 3.2), (10.0, 5.0)]);
        let json = serde_json::to_value(&report.rows[0]).unwrap();
        assert_eq!((&json["asked"], &json["met"]), (&serde_json::json!(1.25), &serde_json::json!(true)));
    }

    #[test]
    fn formulas_are_checked_by_row() {
        let text = format!(
            "{HEAD}[[formula]]\nname = \"damping_factor.hunt_crossley\"\nfile = \"reference.csv\"\ncolumn = \"y\"\n\
             tolerance = 1e-12\nwhy = \"3/2 (1 - e)\"\n[[formula]]\nname = \"restitution.exact\"\nwith = {{ e = 0.5 }}\n\
             value = 0.6\ntolerance = 1e-3\nwhy = \"wrong on purpose\""
        );
        let report = go(&text, b"e,y\n0.5,0.75\n1,0\n").unwrap();
        let met: Vec<bool> = report.rows.iter().map(|r| r.outcome.met).collect();
        assert_eq!(met, [true, true, false]);
    }

    #[test]
    fn mistakes_in_a_case_are_bad_input() {
        for (text, word) in [
            (String::new(), "title"),
            (HEAD.to_owned(), "checks nothing"),
            (
                format!(
                    "{HEAD}[[formula]]\nname = \"damping_factor.exat\"\nvalue = 1\ntolerance = 1\nwhy = \"\""
                ),
                "did you mean",
            ),
            (
                format!(
                    "{HEAD}[[formula]]\nname = \"restitution.exact\"\nvalue = 1\ntolerance = 1\nwhy = \"\""
                ),
                "argument 'e'",
            ),
            (
                format!("{HEAD}[[check]]\nsignal = \"a\"\nvalue = 1\ntolerance = 1\nwhy = \"\""),
                "`at` or `of`",
            ),
            (format!("{HEAD}[[check]]\nsignal = \"a\"\nat = 1\nvalue = 1\nwhy = \"\""), "`tolerance`"),
            (
                format!("{HEAD}[[check]]\nsignal = \"a\"\nat = 1\nvalue = 1\ntolerance = 1\nwhy = \"\""),
                "no signal 'a'",
            ),
        ] {
            let files = vec![(PathBuf::from("scenario.toml"), SCENARIO)];
            let error = Case::parse("throw", &text, Assets::Embedded(files))
                .and_then(|case| run_case(&case, &|_, _| unreachable!()))
                .unwrap_err();
            assert_eq!(error.exit_code(), 2);
            assert!(error.to_string().contains(word), "{error} has no {word}");
        }
    }
}
