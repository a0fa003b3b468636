//! A live run: the ordinary driver, paced and steered by those who watch.

use super::hub::{Hub, Pace};
use super::{Access, serve};
use crate::driver::{Flow, Progress, RunOptions, run_watched};
use crate::error::RunError;
use crate::report::live_page;
use crate::results::Out;
use crate::scenario::Scenario;
use crate::stream::{FRAMES, PATCHES};
use crate::summary::Summary;
use crate::watch::{Turn, Watch};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Wall time between two showings.
const SHOW: Duration = Duration::from_millis(40);
/// A frame of the very instant is shown if none was due for so long.
const STALE: Duration = Duration::from_millis(60);
/// Wall time between two states told.
const TELL: Duration = Duration::from_millis(200);
/// Longest wait for orders without a look at the interrupt.
const WAIT: Duration = Duration::from_millis(50);
/// A run that has fallen behind by so much wall time does not catch up [s].
const BEHIND: f64 = 0.2;

/// A scenario that is run for viewers.
pub struct Live<'a> {
    /// The scenario, for the first run.
    pub scenario: Scenario,
    /// Loads it again, for the next.
    pub reload: &'a mut (dyn FnMut() -> Result<Scenario, RunError> + Send),
    /// How to run. The interrupt ends the run and the server.
    pub options: RunOptions,
    /// Speed at the start, relative to real time; `None` for as fast as it goes.
    pub speed: Option<f64>,
    /// Threads that compute.
    pub pool: rayon::ThreadPool,
    /// Told of warnings.
    pub progress: &'a mut (dyn FnMut(Progress) + Send),
    /// Told how each run ended.
    pub ended: &'a mut (dyn FnMut(&Result<Summary, RunError>) + Send),
}

impl Live<'_> {
    /// Runs and serves until the interrupt is set, or until the first run cannot start. Gives how the last run ended.
    pub fn serve(self, listener: TcpListener, access: Access) -> Result<Summary, RunError> {
        let hub = Arc::new(Hub::new(self.scenario.run.duration, self.speed));
        let page = live_page(&self.scenario.title);
        let interrupt = Arc::clone(&self.options.interrupt);
        std::thread::scope(|scope| {
            let runs = {
                let hub = Arc::clone(&hub);
                scope.spawn(move || self.run_all(&hub))
            };
            let over = || interrupt.load(Ordering::Relaxed) != 0 || runs.is_finished();
            let served = serve(listener, access, page, Some(Arc::clone(&hub)), over);
            // Also when serving failed: nobody could watch.
            hub.stop();
            let ended = runs.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            served.and(ended)
        })
    }

    /// Runs, and runs again whenever a viewer says so.
    fn run_all(self, hub: &Hub) -> Result<Summary, RunError> {
        let Self { scenario, reload, mut options, pool, progress, ended, .. } = self;
        let mut next = Ok(scenario);
        loop {
            let result = next.and_then(|scenario| {
                hub.tell(|s| {
                    (s.state, s.time, s.duration, s.message) = ("running", 0.0, scenario.run.duration, None);
                });
                let mut viewers = Viewers::new(hub);
                let mut told = |p: Progress| {
                    progress(p);
                    Flow::Continue
                };
                pool.install(|| run_watched(scenario, &options, &mut viewers, &mut told))
            });
            if result.is_err() && !hub.has_run() {
                // There is nothing to look at, and never was.
                return result;
            }
            let orders = hub.orders();
            if !orders.restart {
                hub.tell(|s| match &result {
                    Ok(summary) => (s.state, s.time) = ("ended", summary.time),
                    Err(error) => {
                        (s.state, s.message) = ("failed", Some(error.to_string()));
                        s.time = error.summary().map_or(s.time, |summary| summary.time);
                    }
                });
            }
            ended(&result);
            let mut orders = orders;
            while !orders.restart && !orders.stop {
                hub.wait(orders.count, Duration::from_hours(1));
                orders = hub.orders();
            }
            if orders.stop {
                return result;
            }
            hub.done(|orders| orders.restart = false);
            if let Out::Folder { force, .. } = &mut options.out {
                // What is there is what this very server has put there.
                *force = true;
            }
            next = reload();
        }
    }
}

/// All viewers of a run, as the driver sees them.
struct Viewers<'a> {
    hub: &'a Hub,
    /// Command that was carried out last.
    seen: u64,
    running: bool,
    speed: Option<f64>,
    /// Where the wall clock and the simulated time were in step.
    origin: (Instant, f64),
    shown: Instant,
    frame: Instant,
    told: (Instant, f64),
    /// Everything up to here has been shown, and the state has been told.
    settled: bool,
}

impl<'a> Viewers<'a> {
    fn new(hub: &'a Hub) -> Self {
        let now = Instant::now();
        let orders = hub.orders();
        Self {
            hub,
            seen: orders.count,
            running: orders.pace == Pace::Running,
            speed: orders.speed,
            origin: (now, 0.0),
            shown: now,
            frame: now,
            told: (now, 0.0),
            settled: false,
        }
    }

    fn tell(&mut self, now: Instant, time: f64) {
        let wall = now.duration_since(self.told.0).as_secs_f64();
        let factor = if self.running && wall > 0.0 { (time - self.told.1) / wall } else { 0.0 };
        let state = if self.running { "running" } else { "paused" };
        self.hub.tell(|s| (s.state, s.time, s.real_time_factor) = (state, time, factor.max(0.0)));
        self.told = (now, time);
    }

    /// Takes new orders over.
    fn hear(&mut self, now: Instant, time: f64) -> Option<Turn> {
        let orders = self.hub.orders();
        if orders.stop || orders.restart {
            return Some(Turn::Stop);
        }
        if orders.count != self.seen {
            self.seen = orders.count;
            (self.running, self.speed) = (orders.pace == Pace::Running, orders.speed);
            self.origin = (now, time);
            self.settled = false;
        }
        if orders.pace == Pace::Step && self.settled {
            self.hub.done(|orders| orders.pace = Pace::Paused);
            self.settled = false;
            return Some(Turn::Step);
        }
        None
    }
}

impl Watch for Viewers<'_> {
    fn take(&mut self, records: &[u8]) {
        if records.first().is_some_and(|kind| [FRAMES, PATCHES].contains(kind)) {
            self.frame = Instant::now();
        }
        self.hub.take(records);
    }

    fn turn(&mut self, time: f64) -> Turn {
        loop {
            let now = Instant::now();
            if let Some(turn) = self.hear(now, time) {
                return turn;
            }
            if !self.running {
                if !self.settled {
                    // Everyone sees the instant at which it stands, then hears that it stands.
                    self.settled = true;
                    self.tell(now, time);
                    return Turn::Look;
                }
                self.hub.wait(self.seen, WAIT);
                continue;
            }
            if now.duration_since(self.told.0) >= TELL || !self.settled {
                self.settled = true;
                self.tell(now, time);
            }
            if now.duration_since(self.shown) >= SHOW {
                self.shown = now;
                return if now.duration_since(self.frame) >= STALE { Turn::Look } else { Turn::Show };
            }
            let Some(speed) = self.speed else { return Turn::Step };
            let wall = now.duration_since(self.origin.0).as_secs_f64();
            let ahead = (time - self.origin.1) / speed - wall;
            if ahead <= 0.0 {
                if -ahead > BEHIND {
                    self.origin = (now, time);
                }
                return Turn::Step;
            }
            let rest = SHOW.saturating_sub(now.duration_since(self.shown));
            self.hub.wait(self.seen, rest.min(Duration::from_secs_f64(ahead.min(1.0))));
        }
    }
}
