//! What a run shows while it is computed.

use super::{Flow, Run, telling};
use crate::error::RunError;
use crate::stream::head::Head;
use crate::stream::{EVENTS, event, record, samples};
use crate::watch::{Turn, Watch};
use serde_json::Value;

/// Someone who watches, and how much they have been shown.
pub(super) struct Watched<'a> {
    pub(super) watch: &'a mut dyn Watch,
    pub(super) head: Head,
    /// Rows of the signals in memory.
    pub(super) rows: usize,
    /// Events.
    pub(super) events: usize,
}

impl Run<'_> {
    /// Asks whoever watches until the next step may be taken.
    pub(super) fn take_turns(&mut self) -> Result<Flow, RunError> {
        loop {
            let time = self.simulation.world.state.time;
            let Some(watched) = &mut self.watched else { return Ok(Flow::Continue) };
            match watched.watch.turn(time) {
                Turn::Step => return Ok(Flow::Continue),
                Turn::Stop => return Ok(Flow::Stop),
                Turn::Show => self.show()?,
                Turn::Look => {
                    self.show()?;
                    self.look();
                }
            }
        }
    }

    pub(super) fn show_beginning(&mut self, beginning: &[u8]) {
        let Some(watched) = &mut self.watched else { return };
        // Whoever watches has begun the stream already: only the records count.
        watched.watch.take(&beginning[record::begin().len()..]);
    }

    /// Shows a frame of this very instant, unless one was due anyway. The results do not get it.
    fn look(&mut self) {
        let world = &mut self.simulation.world;
        let (Some(watched), Some(frames)) = (&mut self.watched, &mut self.simulation.frames) else { return };
        if frames.last_time() < world.state.time {
            world.refresh();
            frames.sample(world);
            frames.close();
            watched.watch.take(&frames.records);
            frames.records.clear();
        }
    }

    /// Makes records of all that is new, for the frames file and for whoever watches.
    pub(super) fn show(&mut self) -> Result<(), RunError> {
        let mut piece = Vec::new();
        if let Some(frames) = &mut self.simulation.frames {
            frames.close();
            if let Some(file) = &mut self.frame_file {
                file.append(&frames.records)?;
            }
            if self.watched.is_some() {
                piece.extend_from_slice(&frames.records);
            }
            frames.records.clear();
        }
        let new_events: Vec<Value> = match &self.watched {
            Some(watched) => self.events[watched.events..]
                .iter()
                .map(|e| telling::event(&self.simulation.world.model, e))
                .collect(),
            None => return Ok(()),
        };
        let Some(watched) = &mut self.watched else { return Ok(()) };
        watched.events = self.events.len();
        if !new_events.is_empty() {
            record::put_json(&mut piece, EVENTS, &event::told(&new_events, &watched.head));
        }
        let table = &self.simulation.signals.table;
        if let Some((time, columns)) = table.columns.split_first() {
            let new = watched.rows..time.values.len();
            let columns: Vec<(u32, &[f64])> = columns
                .iter()
                .enumerate()
                .map(|(i, column)| (i as u32, &column.values[new.clone()]))
                .filter(|(_, values)| values.iter().any(|v| v.is_finite()))
                .collect();
            samples::put_columns(&mut piece, &time.values[new.clone()], &columns);
            watched.rows = new.end;
        }
        if !piece.is_empty() {
            watched.watch.take(&piece);
        }
        Ok(())
    }
}
