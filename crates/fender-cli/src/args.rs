//! What can be typed.

use clap::builder::styling::{AnsiColor, Styles};
use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

/// Exit codes, for every help page.
const EXIT_CODES: &str = "\
Exit codes:
    0  fine
    1  ran to the end, but an expectation was missed
    2  bad input: the command line, a scenario or an asset
    3  the motion diverged, or no position of rest was found
    4  input or output failed: disk full, file unreadable
  130  interrupted (Ctrl-C); `fender resume` continues
  143  terminated (SIGTERM); `fender resume` continues";

/// Simulates bodies in contact.
///
/// A scenario file says what there is; a run writes a results folder with tables, a report and a checkpoint.
#[derive(Debug, Parser)]
#[command(name = "fender", bin_name = "fender", version, styles = STYLES, after_help = EXIT_CODES, max_term_width = 110)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub verb: Verb,
}

/// The verbs, one file each in `verb/`.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Run a scenario into a results folder
    Run(Run),
    /// Show a run in the browser: a finished one, or a scenario while it is computed
    View(View),
    /// Check a scenario without running it, and say what it contains
    Check(Check),
    /// Find where a scenario comes to rest, and what holds it there
    Statics(Statics),
    /// Find the frequencies and shapes in which a scenario swings about its position of rest
    Modes(Modes),
    /// List the scenarios and validation cases that ship with this program
    List(List),
    /// List the materials and friction coefficients that scenarios can refer to, with their sources
    Materials,
    /// List the chains, ropes, tethers and umbilicals that scenarios can refer to, or show the numbers of one
    Lines(Lines),
    /// Write a new scenario to start from
    New(New),
    /// Make a scenario of a robot description (URDF)
    ///
    /// Links become bodies, joints with their limits and friction become joints, joints that mimic others become loops, and meshes are
    /// copied. What cannot come along is a warning.
    Import(Import),
    /// Print the JSON schema of scenario files
    Schema,
    /// Plot signals of a results folder in the terminal, or as an SVG or PNG file
    Plot(Plot),
    /// Count the rainflow cycles of recorded signals, for fatigue
    ///
    /// Ranges are counted by ASTM E1049-85 and sorted into classes. The damage-equivalent range is the one that would do the same damage in the reference
    /// number of cycles, by Palmgren and Miner's rule with a Wöhler line of the given slope.
    Cycles(Cycles),
    /// Compare results folders: what differs, and a page that shows them together
    Compare(Compare),
    /// Export the tables of a results folder
    Export(Export),
    /// Continue an interrupted run from its last checkpoint
    Resume(Resume),
    /// Run the validation cases and compare with their references
    Validate(Validate),
    /// Run a scenario for all combinations of some values
    Sweep(Sweep),
    /// Adjust parameters of a scenario to measured signals
    ///
    /// Runs the scenario again and again until the sum of the squares of the differences to the data is least (Levenberg–Marquardt, between bounds). Writes
    /// the fitted scenario, a picture of measured and fitted signals, and fit.json with confidence intervals and correlations.
    Fit(Fit),
    /// Print the completion script of a shell
    Completions(Completions),
}

/// How much a run says, and where it computes.
#[derive(Debug, Clone, Args)]
pub struct Manner {
    /// Threads to compute with [default: all cores]; the result does not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Say nothing but warnings and errors
    #[arg(long, short)]
    pub quiet: bool,
    /// Print the summary as JSON on standard output
    #[arg(long)]
    pub json: bool,
    /// Seconds of wall time between checkpoints [default: 5]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub checkpoint: Option<f64>,
}

fn seconds(text: &str) -> Result<f64, String> {
    let seconds: f64 = text.parse().map_err(|_| "expected a number of seconds".to_string())?;
    if (0.0..=86_400.0).contains(&seconds) { Ok(seconds) } else { Err("expected 0 to 86400 seconds".into()) }
}

/// `fender run`
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub struct Run {
    /// A shipped scenario (see `fender list`), a scenario file, or a folder with a scenario.toml
    #[arg(value_name = "NAME|FILE")]
    pub scenario: String,
    /// Results folder [default: results/NAME-1, -2, …, the next free one]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Replace the results in the folder; files that Fender did not write stay
    #[arg(long)]
    pub force: bool,
    /// Override a value of the scenario, for instance run.duration="2 s", or a parameter by its name
    #[arg(long, value_name = "PATH=VALUE")]
    pub set: Vec<String>,
    #[command(flatten)]
    pub manner: Manner,
}

/// `fender view`
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub struct View {
    /// A results folder, or what `fender run` takes: a shipped scenario, a scenario file, a folder with a scenario.toml
    #[arg(value_name = "DIR|NAME|FILE")]
    pub what: String,
    /// Port on 127.0.0.1; 0 for any [default: 7878, or the next free one]
    #[arg(long, value_name = "N")]
    pub port: Option<u16>,
    /// Do not open a browser, only print the address
    #[arg(long)]
    pub no_open: bool,
    /// Results folder of a scenario [default: results/NAME-1, -2, …, the next free one]; a restart replaces what is in it
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Replace the results in the folder; files that Fender did not write stay
    #[arg(long, requires = "out")]
    pub force: bool,
    /// Simulated time per real time at the start: a number from 0.001 to 1000, or max for as fast as it goes [default: 1]
    #[arg(long, value_name = "X", value_parser = speed)]
    pub speed: Option<Speed>,
    /// Override a value of the scenario, for instance run.duration="2 s", or a parameter by its name
    #[arg(long, value_name = "PATH=VALUE")]
    pub set: Vec<String>,
    /// Threads to compute with [default: all cores]; the result does not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
}

/// Simulated time per real time; `None` for as fast as it goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Speed(pub Option<f64>);

fn speed(text: &str) -> Result<Speed, String> {
    if text == "max" {
        return Ok(Speed(None));
    }
    let speed: Option<f64> = text.parse().ok().filter(|s| (1e-3..=1e3).contains(s));
    speed.map(|s| Speed(Some(s))).ok_or_else(|| "expected a number from 0.001 to 1000, or max".into())
}

/// `fender check`
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub struct Check {
    /// A shipped scenario, a scenario file, or a folder with a scenario.toml
    #[arg(value_name = "NAME|FILE")]
    pub scenario: String,
    /// Print the scenario with every default and override written out, instead of what it contains; arrays, units and $parameters stay as written
    #[arg(long)]
    pub expand: bool,
    /// Override a value of the scenario
    #[arg(long, value_name = "PATH=VALUE")]
    pub set: Vec<String>,
}

/// `fender statics`
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub struct Statics {
    /// A shipped scenario, a scenario file, or a folder with a scenario.toml
    #[arg(value_name = "NAME|FILE")]
    pub scenario: String,
    /// Signals to tell, with * for any text [default: where everything is and what holds it]
    #[arg(value_name = "SIGNAL")]
    pub signals: Vec<String>,
    /// Override a value of the scenario
    #[arg(long, value_name = "PATH=VALUE")]
    pub set: Vec<String>,
    /// Print all signals as JSON
    #[arg(long)]
    pub json: bool,
}

/// `fender modes`
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub struct Modes {
    /// A shipped scenario, a scenario file, or a folder with a scenario.toml
    #[arg(value_name = "NAME|FILE")]
    pub scenario: String,
    /// Modes to tell, slowest first
    #[arg(long, value_name = "N", default_value_t = 12)]
    pub count: usize,
    /// Take the start as it is, instead of looking for the position of rest
    #[arg(long)]
    pub at_start: bool,
    /// Write a page on which the modes move, one after the other
    #[arg(long, value_name = "FILE.html")]
    pub out: Option<PathBuf>,
    /// Override a value of the scenario
    #[arg(long, value_name = "PATH=VALUE")]
    pub set: Vec<String>,
    /// Print the modes as JSON
    #[arg(long)]
    pub json: bool,
}

/// `fender list`
#[derive(Debug, Args)]
pub struct List {
    /// Print as JSON
    #[arg(long)]
    pub json: bool,
}

/// `fender lines`
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub struct Lines {
    /// A line with its diameter, for instance studless-chain-76mm [default: list the catalogue]
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
}

/// `fender new`
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub struct New {
    /// Name of the folder to make; it gets a scenario.toml
    #[arg(value_name = "NAME")]
    pub name: PathBuf,
    /// Start from a shipped scenario instead of the commented starter
    #[arg(long, value_name = "SCENARIO")]
    pub from: Option<String>,
}

/// `fender import`
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub struct Import {
    /// The URDF file; meshes are looked for beside it, and package://NAME/… in folders called NAME around it
    #[arg(value_name = "ROBOT.urdf")]
    pub file: PathBuf,
    /// Folder for the scenario and its meshes [default: the file's name without its ending]
    #[arg(long, value_name = "FOLDER")]
    pub out: Option<PathBuf>,
    /// Replace a scenario that is in the folder
    #[arg(long)]
    pub force: bool,
    /// Whether the robot's root stands still or is free to move
    #[arg(long, value_enum, default_value_t = Base::Fixed)]
    pub base: Base,
}

/// How the root of a robot is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Base {
    /// It never moves
    Fixed,
    /// It floats
    Free,
}

/// `fender plot`
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub struct Plot {
    /// Results folder, of a run that is complete or not
    #[arg(value_name = "DIR")]
    pub dir: PathBuf,
    /// Signals by name, for instance ball.position.z; `*` stands for any text, a vector for its components
    #[arg(value_name = "SIGNAL", required = true)]
    pub signals: Vec<String>,
    /// Write a picture instead: a file ending in .svg or .png
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Width and height of the picture in pixels, for instance 1280x640
    #[arg(long, value_name = "WxH", value_parser = size, requires = "out")]
    pub size: Option<(u32, u32)>,
    /// Start of the span of time to show, in seconds or with a unit
    #[arg(long, value_name = "TIME", value_parser = time, allow_hyphen_values = true)]
    pub from: Option<f64>,
    /// End of the span of time to show
    #[arg(long, value_name = "TIME", value_parser = time, allow_hyphen_values = true)]
    pub to: Option<f64>,
    /// Light lines on a dark ground, for the picture
    #[arg(long, requires = "out")]
    pub dark: bool,
    /// Show the same signals of another results folder with dashed lines
    #[arg(long, value_name = "DIR")]
    pub with: Vec<PathBuf>,
}

fn size(text: &str) -> Result<(u32, u32), String> {
    let most = fender_run::plot::MAX_SIZE;
    let wrong = || format!("expected a width and a height up to {most} pixels, such as 1280x640");
    let (width, height) = text.split_once(['x', '×']).ok_or_else(wrong)?;
    let side = |text: &str| text.trim().parse().ok().filter(|n| (100..=most).contains(n));
    match (side(width), side(height)) {
        (Some(width), Some(height)) => Ok((width, height)),
        (None, _) | (_, None) => Err(format!("{}, and at least 100", wrong())),
    }
}

/// A time in seconds, or with a unit.
fn time(text: &str) -> Result<f64, String> {
    use fender_scenario::units;
    let measure = text.parse().ok().or_else(|| {
        let second = units::parse("1 s").ok()?;
        units::parse(text).ok().filter(|m| m.dimension == second.dimension).map(|m| m.value)
    });
    measure
        .filter(|t: &f64| t.is_finite())
        .ok_or_else(|| "expected a time such as 1.5 or \"20 ms\"".to_string())
}

/// `fender cycles`
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
#[allow(clippy::struct_field_names)] // as the option is called
pub struct Cycles {
    /// Results folder, of a run that is complete or not
    #[arg(value_name = "DIR")]
    pub dir: PathBuf,
    /// Signals by name, for instance cable.mooring.tension.end; `*` stands for any text, a vector for its components
    #[arg(value_name = "SIGNAL", required = true)]
    pub signals: Vec<String>,
    /// Slope m of the Wöhler line: damage goes with the m-th power of the range
    #[arg(long, value_name = "M", default_value_t = 3.0, value_parser = slope)]
    pub slope: f64,
    /// Cycles that the damage-equivalent range is for [default: as many as were counted]
    #[arg(long, value_name = "N", value_parser = positive)]
    pub cycles: Option<f64>,
    /// Classes that the ranges are sorted into
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub classes: u16,
    /// Start of the span of time to count, in seconds or with a unit
    #[arg(long, value_name = "TIME", value_parser = time, allow_hyphen_values = true)]
    pub from: Option<f64>,
    /// End of the span of time to count
    #[arg(long, value_name = "TIME", value_parser = time, allow_hyphen_values = true)]
    pub to: Option<f64>,
    /// Print every cycle as JSON
    #[arg(long)]
    pub json: bool,
}

fn slope(text: &str) -> Result<f64, String> {
    let slope: Option<f64> = text.parse().ok().filter(|m| (1.0..=50.0).contains(m));
    slope.ok_or_else(|| "expected a number from 1 to 50; steel has 3 to 5, chain 3, fibre rope more".into())
}

fn positive(text: &str) -> Result<f64, String> {
    let number: Option<f64> = text.parse().ok().filter(|n: &f64| *n > 0.0 && n.is_finite());
    number.ok_or_else(|| "expected a positive number".into())
}

/// `fender compare`
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub struct Compare {
    /// Results folders; the others are compared with the first
    #[arg(value_name = "DIR", required = true, num_args = 2..)]
    pub dirs: Vec<PathBuf>,
    /// Signals to compare, and to plot on the page, by name or with `*` [default: all that the runs have in common]
    #[arg(long, value_name = "SIGNAL")]
    pub signal: Vec<String>,
    /// Page that shows the runs together
    #[arg(long, value_name = "FILE", default_value = "compare.html")]
    pub out: PathBuf,
    /// Open the page in the browser
    #[arg(long)]
    pub open: bool,
    /// Print what differs as JSON
    #[arg(long)]
    pub json: bool,
}

/// `fender export`
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub struct Export {
    /// Results folder
    #[arg(value_name = "DIR")]
    pub dir: PathBuf,
    /// Write each Parquet table next to itself as CSV
    #[arg(long, required = true)]
    pub csv: bool,
}

/// `fender resume`
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub struct Resume {
    /// Results folder of the interrupted run
    #[arg(value_name = "DIR")]
    pub dir: PathBuf,
    #[command(flatten)]
    pub manner: Manner,
}

/// `fender validate`
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub struct Validate {
    /// Cases to run, by name or as folders with a case.toml [default: all that ship]
    #[arg(value_name = "CASE")]
    pub cases: Vec<String>,
    /// Print every check, as for cases that are named [default: a line per case, and the checks that are missed]
    #[arg(long, short)]
    pub verbose: bool,
    /// Print the verdicts as JSON
    #[arg(long)]
    pub json: bool,
    /// Write a page for the book, with a plot per case, into this folder
    #[arg(long, value_name = "DIR")]
    pub page: Option<PathBuf>,
}

/// `fender sweep`
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub struct Sweep {
    /// A shipped scenario, a scenario file, or a folder with a scenario.toml
    #[arg(value_name = "NAME|FILE")]
    pub scenario: String,
    /// Values of one axis: PATH=a,b,c or PATH=from..to:n. Several axes give all combinations
    #[arg(long, value_name = "PATH=VALUES", required = true)]
    pub over: Vec<String>,
    /// Results folder [default: results/NAME-sweep-1, -2, …, the next free one]; one that holds part of the same sweep is continued
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Replace the results in the folder; files that Fender did not write stay
    #[arg(long)]
    pub force: bool,
    /// Override a value of the scenario for all runs
    #[arg(long, value_name = "PATH=VALUE")]
    pub set: Vec<String>,
    /// A recorded signal whose largest, smallest and mean value are in the table; may be given several times, and `*` stands for any text
    #[arg(long, value_name = "SIGNAL")]
    pub signal: Vec<String>,
    #[command(flatten)]
    pub manner: Manner,
}

/// `fender fit`
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub struct Fit {
    /// A shipped scenario, a scenario file, or a folder with a scenario.toml
    #[arg(value_name = "NAME|FILE")]
    pub scenario: String,
    /// Measured signals: a CSV file with a column `time` and columns named like signals, as `fender export --csv` writes them
    #[arg(long, value_name = "FILE.csv")]
    pub data: PathBuf,
    /// A number to adjust and its bounds: a path as for --set, or a parameter by its name
    ///
    /// Bounds may have a unit. A positive range of two decades or more is searched by its logarithm.
    #[arg(long, value_name = "PATH=LOWER..UPPER", required = true)]
    pub adjust: Vec<String>,
    /// Where a number starts from [default: its value in the scenario]
    #[arg(long, value_name = "PATH=VALUE")]
    pub start: Vec<String>,
    /// Column of the data to fit; may be given several times [default: all]
    #[arg(long, value_name = "SIGNAL")]
    pub signal: Vec<String>,
    /// Standard deviation of a signal's noise: differences are divided by it [default: the spread of the signal]
    #[arg(long, value_name = "SIGNAL=VALUE")]
    pub sigma: Vec<String>,
    /// Most iterations, each of a run for every adjusted number and one or more besides
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u16).range(1..))]
    pub iterations: u16,
    /// Results folder [default: results/NAME-fit-1, -2, …, the next free one]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Replace the results in the folder; files that Fender did not write stay
    #[arg(long)]
    pub force: bool,
    /// Override a value of the scenario for all runs
    #[arg(long, value_name = "PATH=VALUE")]
    pub set: Vec<String>,
    /// Threads to compute with [default: all cores]; the result does not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Say nothing but warnings and errors
    #[arg(long, short)]
    pub quiet: bool,
    /// Print what came out as JSON on standard output
    #[arg(long)]
    pub json: bool,
}

/// `fender completions`
#[derive(Debug, Args)]
pub struct Completions {
    /// The shell
    pub shell: clap_complete::Shell,
}

#[cfg(test)]
mod tests {
    use super::Cli;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
