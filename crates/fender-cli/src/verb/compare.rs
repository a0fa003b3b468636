//! `fender compare`: what differs between runs, as tables and on a page that shows them together.

use crate::args::Compare;
use crate::browser;
use crate::failure::Failure;
use crate::table::columns;
use fender_run::atomic;
use fender_run::compare::{Against, Comparison, compare};
use fender_run::plot::{figure, number};
use std::io::Write;
use std::path::Path;

/// Settings and signals that are listed, unless they are asked for.
const MOST_ROWS: usize = 15;

/// Prints what differs and writes the page.
pub fn perform(args: &Compare) -> Result<(), Failure> {
    let folders: Vec<&Path> = args.dirs.iter().map(AsRef::as_ref).collect();
    let comparison = compare(&folders, &args.signal).map_err(Failure::run)?;
    let page = fender_run::report::page(&folders, &args.signal).map_err(Failure::run)?;
    atomic::replace_bytes(&args.out, page.as_bytes()).map_err(Failure::run)?;
    let text = if args.json {
        let json = serde_json::to_string_pretty(&comparison).map_err(Failure::io)?;
        format!("{json}\n")
    } else {
        let most = if args.signal.is_empty() { MOST_ROWS } else { usize::MAX };
        format!("{}\nwrote {}\n", tables(&comparison, most), args.out.display())
    };
    std::io::stdout().write_all(text.as_bytes())?;
    if args.open {
        let path = args.out.display();
        browser::open(&path.to_string()).map_err(|e| {
            Failure::io(format!("'{path}' was written, but no browser could be started: {e}"))
        })?;
    }
    Ok(())
}

fn tables(comparison: &Comparison, most: usize) -> String {
    let letters: Vec<String> = (0..comparison.runs.len()).map(letter).collect();
    let mut text = runs(comparison, &letters);
    text += &settings(comparison, &letters);
    for (against, letter) in comparison.signals.iter().zip(&letters[1..]) {
        text += &signals(against, letter, most);
    }
    text + &expectations(comparison, &letters)
}

/// a, b, …, z, then numbers.
fn letter(i: usize) -> String {
    u8::try_from(i)
        .ok()
        .filter(|i| *i < 26)
        .map_or_else(|| i.to_string(), |i| char::from(b'a' + i).to_string())
}

fn runs(comparison: &Comparison, letters: &[String]) -> String {
    let first = comparison.runs.first().and_then(|run| run.state_hash.as_ref());
    let row = |(i, letter): (usize, &String)| {
        let run = &comparison.runs[i];
        let ended = run.ended.map_or("unfinished", |ended| ended.name());
        let time = run.time.map(|t| format!(", {} s", number(t))).unwrap_or_default();
        let is_same = i > 0 && first.is_some() && run.state_hash.as_ref() == first;
        let same = if is_same { "ends in the same state as a, bit by bit" } else { "" };
        vec![
            format!("  {letter}"),
            run.folder.clone(),
            run.title.clone(),
            format!("{ended}{time}"),
            same.into(),
        ]
    };
    format!("Runs\n{}", columns(&letters.iter().enumerate().map(row).collect::<Vec<_>>(), &[]))
}

fn settings(comparison: &Comparison, letters: &[String]) -> String {
    if comparison.settings.is_empty() {
        return "\nThe scenarios are the same.\n".into();
    }
    let heads = std::iter::once(String::new()).chain(letters.iter().cloned()).collect();
    let row = |setting: &fender_run::compare::Setting| {
        let values = setting.values.iter().map(|v| v.clone().unwrap_or_else(|| "–".into()));
        std::iter::once(format!("  {}", setting.key)).chain(values).collect::<Vec<_>>()
    };
    let shown = comparison.settings.iter().take(MOST_ROWS).map(row);
    let rows: Vec<Vec<String>> = std::iter::once(heads).chain(shown).collect();
    format!(
        "\nSettings that differ\n{}{}",
        columns(&rows, &[]),
        and_more(comparison.settings.len(), MOST_ROWS)
    )
}

fn signals(against: &Against, letter: &str, most: usize) -> String {
    let differing = against.signals.iter().filter(|d| d.largest != 0.0);
    let count = differing.clone().count();
    let unshared = match against.unshared {
        0 => String::new(),
        n => format!("  {n} other{} only in one of them\n", if n == 1 { " is" } else { "s are" }),
    };
    if count == 0 {
        return format!(
            "\nThe {} signals that {letter} has in common with a are the same.\n{unshared}",
            against.signals.len()
        );
    }
    let heads =
        ["  signal", "last a", &format!("last {letter}"), "largest difference", "at [s]", "of the range"];
    let row = |d: &fender_run::compare::Difference| {
        let unit = if d.unit == "1" { String::new() } else { format!(" [{}]", d.unit) };
        vec![
            format!("  {}{unit}", d.signal),
            number(d.last[0]),
            number(d.last[1]),
            number(d.largest),
            number(d.at),
            format!("{} %", figure(100.0 * d.part)),
        ]
    };
    let rows: Vec<Vec<String>> =
        std::iter::once(heads.map(String::from).to_vec()).chain(differing.take(most).map(row)).collect();
    format!(
        "\nSignals of {letter} that differ most from a ({count} of {} differ)\n{}{}{unshared}",
        against.signals.len(),
        columns(&rows, &[1, 2, 3, 4, 5]),
        and_more(count, most)
    )
}

fn expectations(comparison: &Comparison, letters: &[String]) -> String {
    if comparison.expectations.is_empty() {
        return String::new();
    }
    let heads = std::iter::once("  expectation".to_string()).chain(letters.iter().cloned()).collect();
    let row = |expected: &fender_run::compare::Expected| {
        let outcome = |outcome: &Option<(Option<f64>, &'static str)>| match outcome {
            Some((Some(got), verdict)) => format!("{verdict}: {}", number(*got)),
            Some((None, verdict)) => (*verdict).to_string(),
            None => "–".into(),
        };
        let unit = if expected.unit == "1" { String::new() } else { format!(" [{}]", expected.unit) };
        std::iter::once(format!("  {}{unit}", expected.what))
            .chain(expected.outcomes.iter().map(outcome))
            .collect::<Vec<_>>()
    };
    let rows: Vec<Vec<String>> =
        std::iter::once(heads).chain(comparison.expectations.iter().map(row)).collect();
    format!("\nExpectations\n{}", columns(&rows, &[]))
}

fn and_more(count: usize, most: usize) -> String {
    if count > most { format!("  … and {} more\n", count - most) } else { String::new() }
}
