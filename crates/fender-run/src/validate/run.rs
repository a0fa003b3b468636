//! Runs a case and compares.

use super::case::{Case, FormulaSpec, Reference, TableSpec, TimeSpec};
use super::formula::formulas;
use super::picture::{asked_and_got, curves};
use crate::error::RunError;
use crate::expect::{Outcome, answer, question};
use crate::plot::{Plot, number};
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
    /// Name of that setting.
    #[serde(skip)]
    pub x_name: String,
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
pub(super) struct Ask {
    name: Option<String>,
    /// Settings of the run, for people.
    settings: String,
    pub signal: String,
    pub when: When,
    /// The signal is multiplied by this.
    pub(super) factor: Option<f64>,
    pub check: Check,
    why: String,
    x: Option<f64>,
    x_name: String,
    series: usize,
}

/// One run with everything it is asked.
pub(super) struct Job {
    set: Vec<Override>,
    /// What tells it from the others, for the legend.
    pub label: String,
    pub asks: Vec<Ask>,
}

/// Loads a shipped scenario by name, with overrides.
pub type Shipped<'a> = dyn Fn(&str, &[Override]) -> Result<Scenario, RunError> + Sync + 'a;

/// Rows of one run, and what it recorded.
type Answers = (Vec<Row>, Table);

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
    let (answers, tables): (Vec<_>, Vec<_>) = runs?.into_iter().unzip();
    let mut rows: Vec<Row> = answers.into_iter().flatten().collect();
    for spec in &case.spec.formula {
        rows.extend(formula_rows(case, spec, series)?);
        series += 1;
    }
    if rows.is_empty() {
        return Err(case.bad("it checks nothing"));
    }
    let plot = match &case.spec.plot {
        Some(plot) => Some(curves(case, &jobs, &tables, plot.x.as_deref(), &plot.y)?),
        None => match (asked_and_got(case, &rows), jobs.first().and_then(|job| job.asks.first())) {
            (None, Some(first)) => Some(curves(case, &jobs[..1], &tables, None, &first.signal)?),
            (plot, _) => plot,
        },
    };
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
    for spec in &case.spec.check {
        let set = overrides(&spec.set);
        let label = settings(&set);
        let ask = Ask {
            name: spec.name.clone(),
            settings: label.clone(),
            signal: spec.signal.clone(),
            when: case.when(spec.at, spec.of, spec.from, spec.until)?,
            factor: None,
            check: case.target(spec.value, spec.tolerance, spec.relative_tolerance)?,
            why: spec.why.clone(),
            x: None,
            x_name: String::new(),
            series: *series,
        };
        add(&mut jobs, set, &label, ask);
        *series += 1;
    }
    for table in &case.spec.table {
        let reference = case.reference(&table.file)?;
        for row in 0..reference.rows.len() {
            add_row(case, table, &reference, row, *series, &mut jobs)?;
        }
        *series += table.check.len();
    }
    Ok(jobs)
}

fn add(jobs: &mut Vec<Job>, set: Vec<Override>, label: &str, ask: Ask) {
    match jobs.iter_mut().find(|job| job.set == set) {
        Some(job) => job.asks.push(ask),
        None => jobs.push(Job { set, label: label.to_owned(), asks: vec![ask] }),
    }
}

/// Adds what one row of a table asks.
fn add_row(
    case: &Case,
    table: &TableSpec,
    reference: &Reference,
    row: usize,
    series: usize,
    jobs: &mut Vec<Job>,
) -> Result<(), RunError> {
    let cell = |name: &str| column(case, reference, row, name);
    let mut set = overrides(&table.with);
    for key in &table.set {
        set.push(Override::new(key, format!("{}", cell(key)?)));
    }
    let x_name = table.x.as_ref().or(table.set.first());
    let x = x_name.map(|name| cell(name)).transpose()?;
    // What tells the run from the others: the columns that are said to, or else all that are set.
    let named = |name: &String| Ok(format!("{name} = {}", number(cell(name)?)));
    let list = |names: &[String]| -> Result<String, RunError> {
        Ok(names.iter().map(named).collect::<Result<Vec<_>, RunError>>()?.join(", "))
    };
    let own = match (table.label.as_slice(), &table.x) {
        ([], None) => list(&table.set)?,
        ([], Some(x)) => list(std::slice::from_ref(x))?,
        (label, _) => list(label)?,
    };
    let label =
        if table.label.is_empty() { list(x_name.map_or(&[], std::slice::from_ref))? } else { own.clone() };
    for (i, spec) in table.check.iter().enumerate() {
        let value = cell(&spec.column)?;
        // An empty cell asks nothing.
        if value.is_nan() {
            continue;
        }
        let mut settings = own.clone();
        let at = match &spec.at {
            Some(TimeSpec::Column(name)) => {
                let time = cell(name)?;
                settings += &format!("{}at {} s", if own.is_empty() { "" } else { ", " }, number(time));
                Some(time)
            }
            Some(TimeSpec::Same(time)) => Some(*time),
            None => None,
        };
        let per = spec.per.as_ref().map(|name| cell(name)).transpose()?;
        let scaled = per.is_some() || spec.scale.is_some();
        let ask = Ask {
            name: spec.name.clone(),
            settings,
            signal: spec.signal.clone(),
            when: case.when(at, spec.of, spec.from, spec.until)?,
            factor: scaled.then(|| spec.scale.unwrap_or(1.0) / per.unwrap_or(1.0)),
            check: case.target(value, spec.tolerance, spec.relative_tolerance)?,
            why: spec.why.clone(),
            x,
            x_name: table.x_label.as_ref().or(x_name).cloned().unwrap_or_default(),
            series: series + i,
        };
        add(jobs, set.clone(), &label, ask);
    }
    Ok(())
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
        let got = answer(table, &ask.signal, ask.when).filter(|_| diverged.is_none());
        let got = got.map(|v| v * ask.factor.unwrap_or(1.0));
        let what = ask.name.clone().unwrap_or_else(|| question(&ask.signal, ask.when));
        let own = table.column(&ask.signal).map_or("", |c| c.unit.as_str());
        let unit = if ask.factor.is_none() { own } else { "" };
        Row {
            settings: ask.settings.clone(),
            outcome: Outcome::new(what, unit, ask.check, got, &ask.why),
            x: ask.x,
            x_name: ask.x_name.clone(),
            series: ask.series,
        }
    });
    Ok((rows.collect(), simulation.signals.table))
}

fn settings(set: &[Override]) -> String {
    let short = |text: &str| text.parse().map_or_else(|_| text.trim_matches('"').to_owned(), number);
    set.iter().map(|o| format!("{} = {}", o.path, short(&o.value))).collect::<Vec<_>>().join(", ")
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
        let varying = varying.filter(|_| spec.file.is_some());
        rows.push(Row {
            settings: formula.arguments.iter().zip(&arguments).map(with_unit).collect::<Vec<_>>().join(", "),
            outcome: Outcome::new(
                spec.what.clone().unwrap_or_else(|| spec.name.clone()),
                formula.unit,
                check,
                (formula.value)(&arguments),
                &spec.why,
            ),
            x: varying.map(|i| arguments[i]),
            x_name: varying.map_or("", |i| formula.arguments[i].0).to_owned(),
            series,
        });
    }
    Ok(rows)
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
    fn a_table_can_ask_at_a_time_of_its_own_and_draw_the_runs() {
        let text = format!(
            "{HEAD}[plot]\nx = \"ball.velocity.z\"\ny = \"ball.position.z\"\n[[table]]\nfile = \"reference.csv\"\nset = [\"speed\"]\n\
             label = [\"angle\", \"speed\"]\n[[table.check]]\nname = \"height\"\ncolumn = \"z\"\nsignal = \"ball.position.z\"\n\
             at = \"time\"\ntolerance = 1e-9\nwhy = \"w\""
        );
        // Two rows of one run, which the picture shows once.
        let csv = b"angle, speed, time, z\n90, 5, 0.5, 1.25\n90, 5, 0.8, 0.8\n90, 10, 0.5, 3.75\n";
        let records = "\n[[record]]\nsignals = [\"ball.position.z\", \"ball.velocity.z\"]\nevery = 0.1\n";
        let scenario = [SCENARIO, records.as_bytes()].concat().leak();
        let files = vec![
            (PathBuf::from("scenario.toml"), &*scenario),
            (PathBuf::from("reference.csv"), csv.as_slice()),
        ];
        let case = Case::parse("throw", &text, Assets::Embedded(files)).unwrap();
        let report = run_case(&case, &|_, _| unreachable!()).unwrap();
        assert!(report.met, "{:?}", report.rows);
        let settings: Vec<&str> = report.rows.iter().map(|r| r.settings.as_str()).collect();
        let asked = [
            "angle = 90, speed = 5, at 0.5 s",
            "angle = 90, speed = 5, at 0.8 s",
            "angle = 90, speed = 10, at 0.5 s",
        ];
        assert_eq!(settings, asked);
        let plot = report.plot.unwrap();
        assert_eq!(
            (plot.x_label.as_str(), plot.y_label.as_str()),
            ("ball.velocity.z [m/s]", "ball.position.z [m]")
        );
        let labels: Vec<&str> = plot.lines.iter().map(|l| l.label.as_str()).collect();
        assert_eq!(labels, ["angle = 90, speed = 5", "angle = 90, speed = 10"]);
        assert_eq!(plot.lines[0].points[0], (5.0, 0.0));
    }

    #[test]
    fn a_picture_has_one_unit_per_axis() {
        let text = format!(
            "{HEAD}[[table]]\nfile = \"reference.csv\"\nset = [\"speed\"]\nx_label = \"v [m/s]\"\n[[table.check]]\ncolumn = \"top\"\n\
             signal = \"ball.position.z\"\nof = \"max\"\ntolerance = 1\nwhy = \"w\"\n[[table.check]]\ncolumn = \"v\"\n\
             signal = \"ball.velocity.z\"\nof = \"final\"\ntolerance = 1\nwhy = \"w\""
        );
        let plot = go(&text, b"speed,top,v\n5,1.25,-5\n10,5,0\n").unwrap().plot.unwrap();
        assert_eq!((plot.x_label.as_str(), plot.y_label.as_str(), plot.lines.len()), ("v [m/s]", "m", 2));
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
            (
                format!(
                    "{HEAD}[plot]\ny = \"ball.mood\"\n[[check]]\nsignal = \"ball.position.z\"\nat = 1\nvalue = 1\n\
                     tolerance = 9\nwhy = \"\""
                ),
                "needs the signal 'ball.mood'",
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
