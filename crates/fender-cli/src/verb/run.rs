//! `fender run`, and what it has in common with `fender resume`.

use crate::args::{Manner, Run};
use crate::catalog::Source;
use crate::failure::{Failure, MISSED};
use crate::progress::Teller;
use crate::table::columns;
use crate::{load, signals, threads};
use fender_run::{Flow, Out, Progress, RunError, RunOptions, Summary};
use std::io::Write;
use std::time::Duration;

/// Runs a scenario.
pub fn perform(args: &Run) -> Result<(), Failure> {
    let source = Source::scenario(&args.scenario)?;
    let scenario = load::scenario(&source, &args.set)?;
    if !args.manner.quiet {
        load::tell_notes(&scenario);
    }
    let out = source.out(args.out.as_deref(), args.force)?;
    drive(&args.manner, out, |options, progress| fender_run::run(scenario, options, progress))
}

/// Runs a job with progress, signals and threads, and tells how it went.
pub fn drive(
    manner: &Manner,
    out: Out,
    job: impl FnOnce(&RunOptions, &mut dyn FnMut(Progress) -> Flow) -> Result<Summary, RunError> + Send,
) -> Result<(), Failure> {
    let mut options = RunOptions::new(out);
    options.interrupt = signals::listen()?;
    if let Some(seconds) = manner.checkpoint {
        options.checkpoint_every = Duration::from_secs_f64(seconds);
    }
    let mut teller = Teller::new(manner.quiet);
    let result = threads::within(manner.threads, || {
        job(&options, &mut |progress| {
            teller.tell(&progress);
            Flow::Continue
        })
    })?;
    teller.finish();

    let summary = match &result {
        Ok(summary) => Some(summary),
        Err(error) => error.summary(),
    };
    if let Some(summary) = summary {
        tell(summary, manner)?;
    }
    match result {
        Ok(summary) if summary.exit_code() == 0 => Ok(()),
        Ok(_) => Err(Failure::silent(MISSED)),
        Err(error) => Err(Failure::run(error)),
    }
}

/// Prints the summary: as JSON, as a table, or only what was missed.
fn tell(summary: &Summary, manner: &Manner) -> Result<(), Failure> {
    let mut text = String::new();
    if manner.json {
        let json = serde_json::to_string_pretty(summary);
        text = json.map_err(|e| Failure::io(format!("cannot write the summary: {e}")))?;
        text.push('\n');
    } else if !manner.quiet {
        let rows: Vec<_> = summary.rows().into_iter().map(|(label, value)| vec![label, value]).collect();
        text = columns(&rows, &[]);
    }
    if !manner.json {
        for open in summary.expectations.iter().filter(|outcome| !outcome.met) {
            let got = if open.reached { format!(", got {}", open.got_text()) } else { String::new() };
            let (verdict, asked) = (open.verdict(), open.asked_text());
            text += &format!("{verdict}: {}: asked {asked}{got} ({})\n", open.what, open.why);
        }
        if !manner.quiet {
            text += &format!("results in {}\n", summary.folder);
        }
    }
    Ok(std::io::stdout().write_all(text.as_bytes())?)
}
