//! `fender fit`: parameters adjusted to measured signals.

use crate::args::Fit as Arguments;
use crate::catalog::Source;
use crate::failure::{DIVERGED, Failure};
use crate::progress::Teller;
use crate::table::columns;
use crate::{load, signals, threads};
use fender_run::fit::{
    Adjust, Data, Fit, FitEnd, FitOptions, FitProgress, Sigma, Start, fit, resolve, write,
};
use fender_run::plot::{figure, number};
use fender_run::{Claim, RunError};
use fender_scenario::Override;
use std::io::Write;
use std::sync::{Mutex, PoisonError};

/// Fits, and tells and writes what came out.
pub fn perform(args: &Arguments) -> Result<(), Failure> {
    let source = Source::scenario(&args.scenario)?;
    let sets = load::overrides(&args.set)?;
    let load = |trial: &[Override]| Ok(load::with_overrides(&source, &[&sets, trial].concat())?);
    // Every mistake is told before anything runs.
    let adjusts: Vec<Adjust> = all(&args.adjust, Adjust::parse)?;
    let starts: Vec<Start> = all(&args.start, Start::parse)?;
    let sigmas: Vec<Sigma> = all(&args.sigma, Sigma::parse)?;
    let scenario = load(&[]).map_err(Failure::run)?;
    let parameters = resolve(&adjusts, &starts, &scenario, &load).map_err(Failure::run)?;
    let mut data = Data::read(&args.data, &args.signal).map_err(Failure::run)?;
    data.settle(&scenario, &sigmas, parameters.len()).map_err(Failure::run)?;
    let mut claim = claim(args, &source)?;

    let options = FitOptions { iterations: usize::from(args.iterations), interrupt: signals::listen()? };
    let teller = Mutex::new(Teller::new(args.quiet));
    let tell = |progress: FitProgress| {
        let part = progress.iteration as f64 / progress.most as f64;
        teller.lock().unwrap_or_else(PoisonError::into_inner).show(part, || describe(&progress));
    };
    let result = threads::within(args.threads, || fit(&parameters, &data, &load, &options, &tell))?;
    teller.into_inner().unwrap_or_else(PoisonError::into_inner).finish();
    let result = match result {
        Ok(result) => result,
        Err(error) => return Err(refused(error, claim)),
    };

    let fitted = load(&result.settings).map_err(Failure::run)?;
    let files = write(&mut claim, &fitted, &data, &result).map_err(Failure::run)?;
    for warning in &result.warnings {
        crate::tell!("warning: {warning}");
    }
    let text = if args.json {
        let json = serde_json::to_string_pretty(&result).map_err(Failure::io)?;
        format!("{json}\n")
    } else if args.quiet {
        String::new()
    } else {
        let [scenario, picture, numbers] = files.map(|file| file.display().to_string());
        format!("{}\nwrote {scenario}, {picture} and {numbers}\n", tables(&result))
    };
    std::io::stdout().write_all(text.as_bytes())?;
    match result.ended {
        FitEnd::Converged | FitEnd::Iterations => Ok(()),
        FitEnd::Interrupted(signal) => Err(Failure::silent(u8::try_from(128 + signal).unwrap_or(u8::MAX))),
        FitEnd::Stuck(_) => Err(Failure::silent(DIVERGED)),
    }
}

fn all<T>(texts: &[String], parse: impl Fn(&str) -> Result<T, RunError>) -> Result<Vec<T>, Failure> {
    texts.iter().map(|text| parse(text).map_err(Failure::run)).collect()
}

fn claim(args: &Arguments, source: &Source) -> Result<Claim, Failure> {
    let out = source.out(args.out.as_deref(), args.force)?;
    Claim::new(&out, &format!("{}-fit", source.name())).map_err(Failure::run)
}

/// A fit that gave nothing leaves no empty folder behind.
fn refused(error: RunError, claim: Claim) -> Failure {
    claim.abandon();
    let help = match &error {
        RunError::NoStart(_) => Some("choose other values to start from with --start"),
        _ => None,
    };
    let mut failure = Failure::run(error);
    if let (Some(help), Some(report)) = (help, failure.report.take()) {
        failure.report = Some(miette::MietteDiagnostic::new(report.to_string()).with_help(help).into());
    }
    failure
}

fn describe(progress: &FitProgress) -> String {
    let FitProgress { iteration, most, runs, misfit } = progress;
    format!("iteration {iteration} of at most {most}  {runs} runs  misfit {}", figure(*misfit))
}

fn tables(fit: &Fit) -> String {
    let freedom = fit.values.saturating_sub(fit.parameters.len());
    let ended = match &fit.ended {
        FitEnd::Converged => "converged",
        FitEnd::Iterations => "stopped",
        FitEnd::Interrupted(_) => "interrupted",
        FitEnd::Stuck(_) => "stuck",
    };
    format!(
        "{ended} after {} iterations and {} runs\n\n{}\nCorrelation\n{}\nRoot mean square of the differences\n{}\n95 % intervals are linearised, with Student's t for {freedom} degrees of freedom and independent noise\n",
        fit.iterations,
        fit.runs,
        parameters(fit),
        correlation(fit),
        agreement(fit)
    )
}

fn parameters(fit: &Fit) -> String {
    let heads = ["parameter", "start", "fitted", "95 % interval", "unit"].map(String::from).to_vec();
    let row = |p: &fender_run::fit::Fitted| {
        let interval = match (p.half_width, p.at_bound) {
            (Some(half), _) => format!("± {} ({} %)", figure(half), figure(100.0 * half / p.value.abs())),
            (None, Some(_)) => "at its bound".into(),
            (None, None) => "not determined".into(),
        };
        vec![p.key.clone(), number(p.start), number(p.value), interval, p.unit.clone()]
    };
    let rows: Vec<Vec<String>> = std::iter::once(heads).chain(fit.parameters.iter().map(row)).collect();
    columns(&rows, &[1, 2, 3])
}

/// Below the diagonal, as the rest is the same.
fn correlation(fit: &Fit) -> String {
    let row = |(i, correlations): (usize, &Vec<Option<f64>>)| {
        let cell = |c: &Option<f64>| c.map_or_else(|| "–".into(), |c| format!("{c:.3}"));
        let key = format!("  {} {}", i + 1, fit.parameters[i].key);
        std::iter::once(key).chain(correlations[..=i].iter().map(cell)).collect::<Vec<_>>()
    };
    let rows: Vec<Vec<String>> = fit.correlation.iter().enumerate().map(row).collect();
    columns(&rows, &(1..=rows.len()).collect::<Vec<_>>())
}

fn agreement(fit: &Fit) -> String {
    let heads = ["  signal", "at the start", "fitted", "unit"].map(String::from).to_vec();
    let row = |a: &fender_run::fit::Agreement| {
        let unit = if a.unit == "1" { String::new() } else { a.unit.clone() };
        vec![format!("  {}", a.signal), figure(a.rms_start), figure(a.rms), unit]
    };
    let rows: Vec<Vec<String>> = std::iter::once(heads).chain(fit.signals.iter().map(row)).collect();
    columns(&rows, &[1, 2])
}
