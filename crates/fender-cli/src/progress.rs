//! Progress of a run: a bar on a terminal, plain lines elsewhere.

use crate::table::duration;
use fender_run::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// Ticks of the bar over the whole simulated time.
const TICKS: f64 = 10_000.0;
/// A plain line for every tenth of the simulated time...
const LINES: f64 = 10.0;
/// ...but no more often than this.
const LINE_INTERVAL: Duration = Duration::from_secs(1);

/// Tells the user how far a run is, and what it warns of.
#[derive(Debug)]
pub enum Teller {
    /// On a terminal.
    Bar(ProgressBar),
    /// Elsewhere: the last tenth that was told, and when.
    Lines {
        /// Tenths of the simulated time told so far.
        tenths: f64,
        /// When a line was last written.
        last: Instant,
    },
    /// Warnings only.
    Silent,
}

impl Teller {
    /// A teller for standard error.
    pub fn new(quiet: bool) -> Self {
        if quiet {
            Self::Silent
        } else if std::io::stderr().is_terminal() {
            let bar =
                ProgressBar::with_draw_target(Some(TICKS as u64), ProgressDrawTarget::stderr_with_hz(10));
            // The template is a constant; should it ever be wrong, the default bar does as well.
            let style = ProgressStyle::with_template("{bar:32.cyan/blue} {percent:>3}%  {msg}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            Self::Bar(bar)
        } else {
            Self::Lines { tenths: 0.0, last: Instant::now() }
        }
    }

    /// Tells how far the run is.
    pub fn tell(&mut self, progress: &Progress) {
        for warning in &progress.warnings {
            self.note(&format!("warning: {warning}"));
        }
        self.show(progress.time / progress.duration, || describe(progress));
    }

    /// Shows which part is done, 0 to 1, and what is said about it.
    pub fn show(&mut self, part: f64, words: impl FnOnce() -> String) {
        let part = part.clamp(0.0, 1.0);
        match self {
            Self::Silent => {}
            Self::Bar(bar) => {
                bar.set_message(words());
                bar.set_position((part * TICKS) as u64);
            }
            Self::Lines { tenths, last } => {
                let reached = (part * LINES).floor();
                if reached > *tenths && reached < LINES && last.elapsed() >= LINE_INTERVAL {
                    crate::tell!("{:3.0} %  {}", 100.0 * part, words());
                    (*tenths, *last) = (reached, Instant::now());
                }
            }
        }
    }

    /// Writes a line without disturbing the bar.
    pub fn note(&self, text: &str) {
        if let Self::Bar(bar) = self {
            bar.suspend(|| crate::tell!("{text}"));
        } else {
            crate::tell!("{text}");
        }
    }

    /// Clears the bar, so that what is written next stands alone.
    pub fn finish(self) {
        if let Self::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}

/// Simulated time, real-time factor and time left.
fn describe(progress: &Progress) -> String {
    let left = progress.left.map(|left| format!("  {} left", duration(left))).unwrap_or_default();
    format!(
        "t = {:.3} of {} s  {:.3}× real time{left}",
        progress.time, progress.duration, progress.real_time_factor
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_time_factor_and_time_left() {
        let progress = Progress {
            time: 2.0,
            duration: 5.0,
            steps: 100,
            wall: 4.0,
            real_time_factor: 0.5,
            left: Some(6.0),
            warnings: vec![],
        };
        assert_eq!(describe(&progress), "t = 2.000 of 5 s  0.500× real time  6.0 s left");
        assert_eq!(describe(&Progress { left: None, ..progress }), "t = 2.000 of 5 s  0.500× real time");
    }
}
