//! `fender view`: shows a run in the browser, a finished one or one that is being computed.

use crate::args::View;
use crate::catalog::Source;
use crate::failure::Failure;
use crate::progress::Teller;
use crate::{browser, load, signals, threads};
use fender_run::serve::{self, Access, Live};
use fender_run::{Folder, RunError, RunOptions, Summary};
use std::io::Write;
use std::net::TcpListener;
use std::path::Path;

/// Serves a page until Ctrl-C.
pub fn perform(args: &View) -> Result<(), Failure> {
    let path = Path::new(&args.what);
    if (Folder { path: path.to_owned() }).holds_run() {
        return view_folder(path, args);
    }
    let source = match Source::scenario(&args.what) {
        Err(_) if path.is_dir() => {
            let text = format!("the folder '{}' holds neither results nor a scenario.toml", args.what);
            return Err(Failure::bad_input(text));
        }
        other => other?,
    };
    view_live(&source, args)
}

fn view_folder(path: &Path, args: &View) -> Result<(), Failure> {
    if args.out.is_some() || !args.set.is_empty() || args.speed.is_some() {
        return Err(Failure::bad_input(format!(
            "'{}' holds a run that has been computed: --out, --set and --speed are for scenarios",
            args.what
        )));
    }
    let page = fender_run::report::page(&[path], &[]).map_err(Failure::run)?;
    let interrupt = signals::listen()?;
    let (listener, access) = listen(args)?;
    serve::serve_page(listener, access, page, &interrupt).map_err(Failure::run)
}

fn view_live(source: &Source, args: &View) -> Result<(), Failure> {
    let scenario = load::scenario(source, &args.set)?;
    load::tell_notes(&scenario);
    fender_run::check(&scenario).map_err(Failure::run)?;
    let overrides = load::overrides(&args.set)?;
    let out = source.out(args.out.as_deref(), args.force)?;
    let mut options = RunOptions::new(out);
    options.interrupt = signals::listen()?;
    let mut teller = Teller::new(true);
    let live = Live {
        scenario,
        reload: &mut || Ok(load::with_overrides(source, &overrides)?),
        options,
        speed: args.speed.map_or(Some(1.0), |speed| speed.0),
        pool: threads::pool(args.threads)?,
        progress: &mut |progress| teller.tell(&progress),
        ended: &mut tell,
    };
    let (listener, access) = listen(args)?;
    live.serve(listener, access).map(|_| ()).map_err(Failure::run)
}

/// Tells where the results of a run are.
fn tell(result: &Result<Summary, RunError>) {
    let summary = match result {
        Ok(summary) => Some(summary),
        Err(error) => error.summary(),
    };
    if let Some(summary) = summary {
        // Nobody may be reading any more, and the page is what counts.
        let _ = writeln!(std::io::stdout(), "{}, results in {}", summary.ended.name(), summary.folder);
    } else if let Err(error) = result {
        // A mistake in the file that a restart has read; told at once, because the server stays.
        let _ = writeln!(std::io::stderr(), "error: {error}");
    }
}

/// Takes a port, says the address and opens a browser there.
fn listen(args: &View) -> Result<(TcpListener, Access), Failure> {
    let access = Access::new(std::env::var(serve::TOKEN_VARIABLE).ok()).map_err(Failure::run)?;
    let listener = serve::bind(args.port).map_err(Failure::run)?;
    let url = access.url(&listener).map_err(Failure::run)?;
    let mut stdout = std::io::stdout();
    writeln!(stdout, "{url}")?;
    stdout.flush()?;
    if !args.no_open {
        // If there is no browser, the address has been printed. Waited for, so that nothing is left of it when it ends.
        let url = access.url_once(&listener).map_err(Failure::run)?;
        if let Ok(mut browser) = browser::open(&url) {
            std::thread::spawn(move || browser.wait());
        }
    }
    Ok((listener, access))
}
