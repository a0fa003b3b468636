//! Runs a scenario from start to end, or from a checkpoint to the end, into a results folder.
//!
//! Whatever stops a run, what was recorded is on disk and readable: rows are written as closed parts, a checkpoint names
//! the parts that belong to it, and every file is replaced atomically.

mod about;
mod show;
mod telling;
#[cfg(test)]
mod tests;

use crate::atomic;
use crate::cable_summary;
use crate::checkpoint::Checkpoint;
use crate::claim::Claim;
use crate::error::RunError;
use crate::expect::{evaluate, evaluate_until};
use crate::frame_file::FrameFile;
use crate::headline;
use crate::opening;
use crate::parts::Parts;
use crate::plot::figure;
use crate::recorder::{Plan, PlanError};
use crate::report;
use crate::results::{Folder, Out, RESULTS_FORMAT, write_json};
use crate::scenario::{Expect, Scenario};
use crate::simulation::{Simulation, StartError};
use crate::stream::head::{Head, signal_heads};
use crate::stream::{DEFAULT_PERIOD, SUMMARY, record};
use crate::summary::{
    Ended, IslandSteps, Summary, Suspects, coupling_warning, finite, residual_warning, unconverged_warning,
    utilisation_warnings,
};
use crate::table::Table;
use crate::watch::Watch;
use about::About;
use fender_engine::{CableId, Event, EventKind};
use fender_geom::Shape;
use serde_json::{Value, json};
use show::Watched;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};
use std::time::{Duration, Instant};

/// Events kept; later ones are only counted.
const MAX_EVENTS: usize = 20_000;
/// Samples held in memory before they are written, whatever the time [bytes].
const MAX_BUFFER: usize = 64 << 20;
/// Wall time between two looks at the clock, at most, about.
const LOOK: Duration = Duration::from_millis(20);

/// How to run.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// Where results go.
    pub out: Out,
    /// Wall time between checkpoints.
    pub checkpoint_every: Duration,
    /// Wall time between calls of the progress function, at least; zero for a call after every step.
    pub progress_every: Duration,
    /// Set to a signal's number, from a signal handler for instance, it stops the run at the next step.
    pub interrupt: Arc<AtomicI32>,
    /// Whether `report.html` is written.
    pub report: bool,
}

impl RunOptions {
    /// Usual options: a checkpoint every 5 s, progress ten times a second, a report, no interruption.
    pub fn new(out: Out) -> Self {
        Self {
            out,
            checkpoint_every: Duration::from_secs(5),
            progress_every: Duration::from_millis(100),
            interrupt: Arc::default(),
            report: true,
        }
    }
}

/// How far a run is.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// Simulated time [s].
    pub time: f64,
    /// Simulated time asked for [s].
    pub duration: f64,
    /// Accepted steps.
    pub steps: u64,
    /// Wall time [s].
    pub wall: f64,
    /// Simulated time / wall time of this process.
    pub real_time_factor: f64,
    /// Wall time left, by what was seen so far [s].
    pub left: Option<f64>,
    /// Warnings since the last call.
    pub warnings: Vec<String>,
}

/// What a progress function answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// Go on.
    Continue,
    /// Stop now, as by Ctrl-C.
    Stop,
}

/// Checks that what a scenario records and expects exists.
pub fn check(scenario: &Scenario) -> Result<(), RunError> {
    let fixed = scenario.run.integrator.build().fixed_step();
    match Plan::new(&scenario.model, scenario.run.duration, fixed, &scenario.records, &scenario.expects) {
        Ok(_) => {
            crate::expect::check_units(scenario)?;
            opening::check(scenario)
        }
        Err(PlanError { at, error }) => Err(scenario.error_at(&at, error.to_string(), None).into()),
    }
}

/// Runs a scenario. A run that reaches its end gives its summary, expectations met or not; any other end is an error that
/// carries the summary so far.
pub fn run(
    scenario: Scenario,
    options: &RunOptions,
    progress: &mut dyn FnMut(Progress) -> Flow,
) -> Result<Summary, RunError> {
    start(scenario, options, None, progress)
}

/// Runs a scenario for someone who watches, and who decides when it goes on. The results are those of [`run`].
pub fn run_watched(
    scenario: Scenario,
    options: &RunOptions,
    watch: &mut dyn Watch,
    progress: &mut dyn FnMut(Progress) -> Flow,
) -> Result<Summary, RunError> {
    start(scenario, options, Some(watch), progress)
}

fn start(
    mut scenario: Scenario,
    options: &RunOptions,
    watch: Option<&mut dyn Watch>,
    progress: &mut dyn FnMut(Progress) -> Flow,
) -> Result<Summary, RunError> {
    // What is wrong with the records is told before a folder is made, with its place in the file.
    check(&scenario)?;
    let mut head = Head::of(&scenario, &Table::default());
    let plots = scenario.plots.clone();
    let meshes = std::mem::take(&mut scenario.meshes);
    let (about, model, run, mut recording) = About::take(scenario);
    let has_frames = recording.frames.is_some();
    if watch.is_some() {
        // Someone looks: frames are made even if the folder does not get them.
        recording.frames.get_or_insert(DEFAULT_PERIOD);
    }
    let simulation = Simulation::start(model, &run, &recording).map_err(|e| start_error(&e))?;
    head.signals = signal_heads(&simulation.signals.table);
    let claim = Claim::new(&options.out, &about.name)?;
    let folder = claim.folder().clone();
    head.plots = opening::plots(&plots, &about.expects, &simulation.signals.table);
    about.write_scenario(&folder)?;
    let beginning = head.begin_with(&meshes);
    let frame_file = if has_frames { Some(FrameFile::create(&folder, &beginning)?) } else { None };
    let mut run = Run {
        signal_parts: Parts::start(&folder, "signals", about.metadata())?,
        contact_parts: Parts::start(&folder, "contacts", about.metadata())?,
        frame_file,
        events: Vec::new(),
        events_dropped: 0,
        warnings: about.warnings.clone(),
        untold: about.warnings.clone(),
        wall_before: 0.0,
        time_before: 0.0,
        started: Instant::now(),
        options,
        simulation,
        about,
        folder,
        claim,
        watched: watch.map(|watch| Watched { watch, head, rows: 0, events: 0 }),
    };
    run.show_beginning(&beginning);
    run.begin()?;
    run.drive(progress)
}

/// Continues the run in a folder from its last checkpoint, bit by bit.
pub fn resume(
    dir: &Path,
    options: &RunOptions,
    progress: &mut dyn FnMut(Progress) -> Flow,
) -> Result<Summary, RunError> {
    check_resumable(dir)?;
    resume_scenario(fender_scenario::load(&dir.join("scenario.toml"), &[])?, dir, options, progress)
}

fn check_resumable(dir: &Path) -> Result<(), RunError> {
    let no_run = |why: &str| RunError::NoRun { dir: dir.to_owned(), why: why.to_owned() };
    let folder = Folder { path: dir.to_owned() };
    match folder.summary().map(|s| s.ended) {
        Some(Ended::Complete) => return Err(RunError::Complete(dir.to_owned())),
        Some(Ended::Diverged) => return Err(no_run("it diverged, and would again")),
        _ => {}
    }
    if folder.file("checkpoint").exists() { Ok(()) } else { Err(no_run("it has no checkpoint")) }
}

/// Continues the run in a folder, given its scenario (which must be the one it was started with).
pub fn resume_scenario(
    scenario: Scenario,
    dir: &Path,
    options: &RunOptions,
    progress: &mut dyn FnMut(Progress) -> Flow,
) -> Result<Summary, RunError> {
    check_resumable(dir)?;
    let folder = Folder { path: dir.to_owned() };
    let claim = Claim::of(&folder)?;
    // Whoever held the folder until now may have come to the end.
    check_resumable(dir)?;
    let path = folder.file("checkpoint");
    let checkpoint = Checkpoint::read(&path)?;
    let refuse = |why: String| RunError::Checkpoint { path: path.clone(), why };
    if checkpoint.scenario != scenario.hash {
        return Err(refuse("the checkpoint belongs to another scenario: scenario.toml was changed".into()));
    }
    let (mut about, model, run, recording) = About::take(scenario);
    // Loaded from the results folder, the scenario would be called after that.
    about.name.clone_from(&checkpoint.name);
    let has_frames = recording.frames.is_some();
    let state = checkpoint.state(&path)?;
    let simulation = Simulation::resume(model, &run, &recording, state).map_err(|e| match e {
        StartError::State(e) => refuse(e.to_string()),
        StartError::Plan(e) => refuse(e.to_string()),
    })?;
    let finished = simulation.finished();
    let Checkpoint { frame_bytes, frame_sum, .. } = checkpoint;
    // A run that goes on without its frames has none in its next checkpoints; a file that was put back since then stays as it is.
    let mut frame_file = if has_frames && frame_bytes > 0 {
        FrameFile::open(&folder, frame_bytes, frame_sum, finished)?
    } else {
        None
    };
    if !finished {
        for merged in ["signals.parquet", "contacts.parquet"] {
            atomic::remove(&folder.file(merged))?;
        }
    }
    let parts = |table: &'static str, count: u32| {
        Parts::resume(&folder, table, count, about.metadata(), &options.interrupt)
    };
    let signal_parts = parts("signals", checkpoint.signal_parts)?;
    let contact_parts = parts("contacts", checkpoint.contact_parts)?;
    if let Some(file) = frame_file.as_mut().filter(|_| !finished) {
        file.cut_back()?;
    }
    let without_frames = has_frames && frame_file.is_none();
    let mut run = Run {
        signal_parts,
        contact_parts,
        frame_file,
        events: checkpoint.events,
        events_dropped: checkpoint.events_dropped,
        warnings: checkpoint.warnings,
        untold: Vec::new(),
        wall_before: checkpoint.wall,
        time_before: simulation.world.state.time,
        started: Instant::now(),
        options,
        simulation,
        about,
        folder,
        claim,
        watched: None,
    };
    let warnings = [&run.signal_parts, &run.contact_parts].map(Parts::warning);
    warnings.into_iter().flatten().for_each(|warning| run.warn(warning));
    if without_frames {
        let path = run.folder.file("frames.bin");
        run.warn(format!("'{}' is missing: the run goes on without a replay", path.display()));
    }
    run.drive(progress)
}

fn start_error(error: &StartError) -> RunError {
    // The records have been checked, and a world at its start has no saved state that could be refused.
    RunError::BadInput(error.to_string())
}

/// Why the loop stopped before the end.
enum Stop {
    Interrupted(i32),
    Diverged(String),
    Failed(RunError),
}

impl From<RunError> for Stop {
    fn from(error: RunError) -> Self {
        match error {
            RunError::InterruptedReading(signal) => Self::Interrupted(signal),
            error => Self::Failed(error),
        }
    }
}

/// A run under way.
struct Run<'a> {
    folder: Folder,
    /// Holds the folder until the run has ended.
    claim: Claim,
    about: About,
    simulation: Simulation,
    signal_parts: Parts,
    contact_parts: Parts,
    frame_file: Option<FrameFile>,
    events: Vec<Event>,
    events_dropped: u64,
    warnings: Vec<String>,
    /// Warnings the progress function has not been told.
    untold: Vec<String>,
    wall_before: f64,
    time_before: f64,
    started: Instant,
    options: &'a RunOptions,
    watched: Option<Watched<'a>>,
}

impl Run<'_> {
    /// Writes the first checkpoint, then lets the run take the place of results that are to be replaced.
    fn begin(&mut self) -> Result<(), RunError> {
        // What touches at the start was told when the world was made.
        self.take_events();
        match self.checkpoint().and_then(|()| self.take_place()) {
            Err(error) if !self.claim.has_old() => Err(self.fail(error)),
            other => other,
        }
    }

    fn take_place(&mut self) -> Result<(), RunError> {
        self.folder = self.claim.replace_old()?.clone();
        self.signal_parts.move_to(&self.folder);
        self.contact_parts.move_to(&self.folder);
        if let Some(file) = &mut self.frame_file {
            file.move_to(&self.folder);
        }
        Ok(())
    }

    fn drive(mut self, progress: &mut dyn FnMut(Progress) -> Flow) -> Result<Summary, RunError> {
        let ended = self.advance(progress);
        match ended.and_then(|()| Ok(self.complete(progress)?)) {
            Ok(summary) => Ok(summary),
            Err(Stop::Interrupted(signal)) => match self.checkpoint() {
                Ok(()) => {
                    let summary = Box::new(self.close(Ended::Interrupted, None, progress)?);
                    Err(RunError::Interrupted { signal, summary })
                }
                Err(error) => Err(self.fail(error)),
            },
            Err(Stop::Diverged(message)) => {
                // Going on from the last checkpoint would only diverge again.
                let flushed = self.flush().and_then(|()| self.merge());
                match flushed.and_then(|()| atomic::remove(&self.folder.file("checkpoint"))) {
                    Ok(()) => {
                        let summary =
                            Box::new(self.close(Ended::Diverged, Some(message.clone()), progress)?);
                        Err(RunError::Diverged { message, summary })
                    }
                    Err(error) => Err(self.fail(error)),
                }
            }
            Err(Stop::Failed(error)) => Err(self.fail(error)),
        }
    }

    /// Steps to the end of the duration.
    fn advance(&mut self, progress: &mut dyn FnMut(Progress) -> Flow) -> Result<(), Stop> {
        let look = LOOK.min(self.options.progress_every).min(self.options.checkpoint_every);
        let mut looked = Instant::now();
        let mut told = Instant::now();
        let mut saved = Instant::now();
        // Steps between two looks at the clock: asking it costs as much as a step of a small scene.
        let (mut stride, mut countdown) = (1_u32, 1_u32);
        while !self.simulation.finished() {
            let signal = self.options.interrupt.load(Ordering::Relaxed);
            if signal != 0 {
                return Err(Stop::Interrupted(signal));
            }
            if self.watched.is_some() && self.take_turns()? == Flow::Stop {
                let signal = self.options.interrupt.load(Ordering::Relaxed);
                return Err(Stop::Interrupted(if signal == 0 { 2 } else { signal }));
            }
            if let Err(error) = self.simulation.step() {
                return Err(Stop::Diverged(error.to_string()));
            }
            if !self.simulation.world.events.is_empty() {
                self.take_events();
            }
            countdown -= 1;
            if countdown > 0 && self.untold.is_empty() {
                continue;
            }
            let since = looked.elapsed();
            if since < look / 2 {
                stride = (stride * 2).min(1 << 16);
            } else if since > look * 2 {
                stride = (stride / 2).max(1);
            }
            looked = Instant::now();
            countdown = stride;
            if told.elapsed() >= self.options.progress_every || !self.untold.is_empty() {
                told = Instant::now();
                if progress(self.progress()) == Flow::Stop {
                    return Err(Stop::Interrupted(2));
                }
            }
            if saved.elapsed() >= self.options.checkpoint_every {
                self.checkpoint()?;
                saved = Instant::now();
            } else if self.simulation.buffered() > MAX_BUFFER {
                self.flush()?;
            }
        }
        self.judge();
        self.judge_cables();
        progress(self.progress());
        Ok(())
    }

    /// Warns at the end of what the run cannot vouch for.
    fn judge(&mut self) {
        self.simulation.world.refresh();
        for warning in cable_summary::all(&self.simulation.world).iter().flat_map(utilisation_warnings) {
            self.warn(warning);
        }
        // Where none did at the start: that was told then.
        if !self.about.cables_pass
            && let Some(warning) = fender_scenario::passing_cables(&self.simulation.world)
        {
            self.warn(warning);
        }
        let energy = self.simulation.world.energy();
        let state = &self.simulation.world.state;
        if let Some(warning) = unconverged_warning(state.integrator.effort.unconverged, state.step) {
            self.warn(warning);
        }
        let world = &self.simulation.world;
        // Who touched is not kept; that something did, and that there are meshes, is enough to name them.
        let touched = world.state.statistics.deepest > 0.0;
        let on_meshes = touched && world.model.shapes.iter().any(|s| matches!(s.shape, Shape::Mesh(_)));
        let suspects = Suspects {
            fixed_step: self.simulation.fixed_step().is_some(),
            on_meshes,
            deep_start: self.about.deep_starts.first(),
            scale: energy.scale(),
            weight: world.model.gravity.length() * world.model.free.iter().map(|body| body.mass).sum::<f64>(),
        };
        if let Some(warning) = residual_warning(energy.residual, energy.relative_residual, suspects) {
            self.warn(warning);
        }
        for i in 0..self.simulation.world.model.cables.len() {
            let world = &self.simulation.world;
            let Some((made, exchanged)) = world.coupling(CableId(i as u32)) else { continue };
            if let Some(warning) =
                coupling_warning(&world.model.cables[i].name, made, exchanged, energy.turnover)
            {
                self.warn(warning);
            }
        }
    }

    /// Warns of compression that cables would not bear and of stretch that their bending is not made for, unless the start was warned of.
    fn judge_cables(&mut self) {
        for i in 0..self.simulation.world.model.cables.len() {
            let world = &self.simulation.world;
            let name = format!("`cable.{}`", world.model.cables[i].name);
            let found = world.cable_doubts(CableId(i as u32));
            let known = |what: &str| self.warnings.iter().any(|w| w.starts_with(&format!("{name} {what}")));
            let mut warnings = Vec::new();
            if let (Some((compression, time)), false) = (found.compression, known("rests in compression")) {
                warnings.push(format!("{name} was in compression at {} s, {compression}", figure(time)));
            }
            if let (Some((stretch, time)), false) = (found.stretch, known("is stretched")) {
                warnings.push(format!("{name} was, at {} s, {stretch}", figure(time)));
            }
            for warning in warnings {
                self.warn(warning);
            }
        }
    }

    /// Warns, once.
    fn warn(&mut self, warning: String) {
        if !self.warnings.contains(&warning) {
            self.untold.push(warning.clone());
            self.warnings.push(warning);
        }
    }

    fn progress(&mut self) -> Progress {
        let (time, duration) = (self.simulation.world.state.time, self.simulation.duration());
        let here = self.started.elapsed().as_secs_f64();
        let rate = (time - self.time_before) / here.max(1e-9);
        Progress {
            time,
            duration,
            steps: self.simulation.world.state.step,
            wall: self.wall_before + here,
            real_time_factor: rate,
            left: (rate > 0.0).then(|| (duration - time).max(0.0) / rate),
            warnings: std::mem::take(&mut self.untold),
        }
    }

    fn take_events(&mut self) {
        let mut events = std::mem::take(&mut self.simulation.world.events);
        for event in events.drain(..) {
            if let EventKind::StepTooLarge { a, b, step, limit, suggested } = &event.kind {
                let warning = format!(
                    "the step of {step:.3e} s is too large for the contact of '{}' and '{}' (limit {limit:.3e} s): a step \
                     of {suggested:.1e} s would do",
                    telling::body(&self.simulation.world.model, *a),
                    telling::body(&self.simulation.world.model, *b)
                );
                self.warn(warning);
            }
            if let EventKind::TooDeep { a, b, depth, limit } = event.kind {
                let model = &self.simulation.world.model;
                self.warn(telling::too_deep(model, (a, b), depth, limit, event.time));
            }
            if let EventKind::Tied { cable, tie, .. } = event.kind {
                let world = &self.simulation.world;
                if let Some(warning) = telling::tied_far(&world.model, &world.state, cable, tie, event.time) {
                    self.warn(warning);
                }
            }
            if let EventKind::PayoutStopped { cable, length, why } = event.kind {
                self.warn(telling::payout_stopped(&self.simulation.world.model, cable, length, why));
            }
            if self.events.len() < MAX_EVENTS {
                self.events.push(event);
            } else {
                self.events_dropped += 1;
            }
        }
        // Give the world its memory back.
        self.simulation.world.events = events;
    }

    /// Writes what is in memory as closed parts.
    fn flush(&mut self) -> Result<(), RunError> {
        self.show()?;
        if let Some(watched) = &mut self.watched {
            // The rows are about to be taken from memory.
            watched.rows = 0;
        }
        self.signal_parts.close(&mut self.simulation.signals.table)?;
        if let Some(contacts) = &mut self.simulation.contacts {
            self.contact_parts.close(contacts)?;
        }
        if let Some(file) = &self.frame_file {
            file.sync()?;
        }
        Ok(())
    }

    fn wall(&self) -> f64 {
        self.wall_before + self.started.elapsed().as_secs_f64()
    }

    /// Flushes, then says so in the checkpoint.
    fn checkpoint(&mut self) -> Result<(), RunError> {
        self.flush()?;
        self.write_events()?;
        let checkpoint = Checkpoint {
            scenario: self.about.hash,
            name: self.about.name.clone(),
            state: self.simulation.world.state.save(),
            signal_parts: self.signal_parts.count(),
            contact_parts: self.contact_parts.count(),
            frame_bytes: self.frame_file.as_ref().map_or(0, FrameFile::bytes),
            frame_sum: self.frame_file.as_ref().map_or(0, FrameFile::checksum),
            events: self.events.clone(),
            events_dropped: self.events_dropped,
            wall: self.wall(),
            warnings: self.warnings.clone(),
        };
        checkpoint.write(&self.folder.file("checkpoint"))
    }

    fn write_events(&self) -> Result<(), RunError> {
        let value = json!({"events": self.event_values(), "dropped": self.events_dropped});
        write_json(&self.folder.file("events.json"), &value)
    }

    fn event_values(&self) -> Vec<Value> {
        self.events.iter().map(|e| telling::event(&self.simulation.world.model, e)).collect()
    }

    fn merge(&self) -> Result<(), RunError> {
        let interrupt = &self.options.interrupt;
        self.signal_parts.merge(&self.simulation.signals.table, interrupt)?;
        let empty = Table::default();
        self.contact_parts.merge(self.simulation.contacts.as_ref().unwrap_or(&empty), interrupt)?;
        self.frame_file.as_ref().map_or(Ok(()), FrameFile::tidy)
    }

    fn complete(&mut self, progress: &mut dyn FnMut(Progress) -> Flow) -> Result<Summary, RunError> {
        self.checkpoint()?;
        self.merge()?;
        self.close(Ended::Complete, None, progress)
    }

    /// Judges the expectations and writes the summary and the report.
    fn close(
        &mut self,
        ended: Ended,
        message: Option<String>,
        progress: &mut dyn FnMut(Progress) -> Flow,
    ) -> Result<Summary, RunError> {
        self.write_events()?;
        let signals = self.folder.table("signals")?;
        if let Some(note) = report::left_out(&signals).filter(|_| self.options.report) {
            self.warn(note);
            progress(self.progress());
        }
        let summary = self.summary(ended, message, Some(&signals));
        if self.options.report {
            let told = report::tell(&self.folder, &signals, &self.event_values(), Some(&summary), &[])?;
            let page = report::page_of(&[told]);
            atomic::replace_bytes(&self.folder.file("report.html"), page.as_bytes())?;
        }
        // Last, so that a summary that says complete is true.
        write_json(&self.folder.file("summary.json"), &summary)?;
        if let Some(watched) = &mut self.watched {
            let mut piece = Vec::new();
            record::put_json(&mut piece, SUMMARY, &summary);
            watched.watch.take(&piece);
        }
        Ok(summary)
    }

    /// After an input/output error: whatever can still be written is, and the error carries the summary.
    fn fail(&mut self, error: RunError) -> RunError {
        // Best effort: the first error is the one to tell.
        let _ = self.flush();
        let _ = self.write_events();
        let summary = self.summary(Ended::Failed, Some(error.to_string()), None);
        let _ = write_json(&self.folder.file("summary.json"), &summary);
        match error {
            RunError::Io { path, message, .. } => {
                RunError::Io { path, message, summary: Some(Box::new(summary)) }
            }
            other => other,
        }
    }

    fn summary(&mut self, ended: Ended, message: Option<String>, signals: Option<&Table>) -> Summary {
        let wall = self.wall();
        let duration = self.simulation.duration();
        let world = &mut self.simulation.world;
        if ended != Ended::Diverged {
            world.refresh();
        }
        let energy = (ended != Ended::Diverged).then(|| world.energy());
        let state = &world.state;
        let deepest = state.statistics.deepest;
        let judge = |e: &Expect, t: &Table| match ended {
            Ended::Complete => evaluate(e, t),
            _ => evaluate_until(e, t, state.time),
        };
        Summary {
            format: RESULTS_FORMAT,
            version: env!("CARGO_PKG_VERSION").into(),
            scenario: self.about.name.clone(),
            title: self.about.title.clone(),
            hash: format!("{:016x}", self.about.hash),
            folder: self.folder.path.display().to_string(),
            ended,
            message,
            time: finite(state.time).unwrap_or_default(),
            duration,
            steps: state.step,
            rejected_steps: state.integrator.effort.rejected,
            evaluations: state.integrator.effort.evaluations,
            iterations: state.integrator.effort.iterations,
            factorisations: state.integrator.effort.factorisations,
            unconverged_steps: state.integrator.effort.unconverged,
            islands: IslandSteps::of(world),
            wall_time: wall,
            real_time_factor: finite(state.time / wall),
            deepest_penetration: finite(deepest).filter(|d| *d > 0.0),
            deepest_time: finite(state.statistics.deepest_time).filter(|_| deepest > 0.0),
            largest_contact_force: signals.and_then(headline::largest_contact_force),
            smallest_clearance: signals.and_then(|t| headline::smallest_clearance(t, &world.model)),
            energy_scale: energy.as_ref().and_then(|e| finite(e.scale())),
            energy_residual: energy.as_ref().and_then(|e| finite(e.residual)),
            relative_energy_residual: energy.as_ref().and_then(|e| finite(e.relative_residual)),
            cables: cable_summary::all(world),
            bodies: world.model.bodies.len(),
            signals: self.simulation.signals.table.columns.len() - 1,
            events: self.events.len() as u64 + self.events_dropped,
            impacts: self.events.iter().filter(|e| matches!(e.kind, EventKind::Impact { .. })).count() as u64,
            state_hash: format!("{:016x}", state.hash()),
            expectations: signals
                .map(|t| self.about.expects.iter().map(|e| judge(e, t)).collect())
                .unwrap_or_default(),
            warnings: self.warnings.clone(),
        }
    }
}
