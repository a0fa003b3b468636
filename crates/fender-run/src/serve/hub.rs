//! What a live run and its viewers share: the history of what was shown, the state, and what the viewers ask for.

use super::command::Command;
use crate::stream::{HEAD, STATE, record};
use axum::body::Bytes;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::watch;

/// History that is kept for late viewers [bytes]. Beyond, the oldest frames and samples are forgotten, the head is not.
const MAX_HISTORY: usize = 512 << 20;
/// Most bytes in one message to a viewer, about, so that commands are heard between two.
const PIECE: usize = 256 << 10;

/// How a live run is.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// `running`, `paused`, `ended` or `failed`.
    pub state: &'static str,
    /// Simulated time [s].
    pub time: f64,
    /// Simulated time asked for [s].
    pub duration: f64,
    /// Speed asked for; `None` for as fast as it goes.
    pub speed: Option<f64>,
    /// Speed reached.
    pub real_time_factor: f64,
    /// What went wrong.
    pub message: Option<String>,
}

impl State {
    fn json(&self) -> Value {
        json!({
            "state": self.state, "time": self.time, "duration": self.duration, "speed": self.speed,
            "real_time_factor": self.real_time_factor, "message": self.message
        })
    }

    /// The record, with a message for one viewer.
    fn record(&self, message: Option<&str>) -> Bytes {
        let mut value = self.json();
        if let Some(message) = message {
            value["message"] = message.into();
        }
        let mut bytes = Vec::new();
        record::put_json(&mut bytes, STATE, &value);
        bytes.into()
    }
}

/// Whether a run goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// It runs.
    Running,
    /// It stands.
    Paused,
    /// It stands once it has taken a step.
    Step,
}

/// What the viewers ask for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Orders {
    /// Whether it goes on.
    pub pace: Pace,
    /// Speed; `None` for as fast as it goes.
    pub speed: Option<f64>,
    /// A new run is wanted.
    pub restart: bool,
    /// The server is about to end.
    pub stop: bool,
    /// Counts commands, so that the run notices each.
    pub count: u64,
}

#[derive(Debug)]
struct Shared {
    /// Number of the run: a restart makes a new one.
    run: u64,
    /// The run's head.
    head: Bytes,
    /// Pieces of its stream behind the head, the oldest first.
    pieces: VecDeque<Bytes>,
    /// Pieces that were forgotten.
    forgotten: usize,
    bytes: usize,
    state: State,
    /// Counts states that were told.
    told: u64,
    orders: Orders,
}

/// How far a viewer has read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cursor {
    run: u64,
    next: usize,
    told: u64,
}

impl Cursor {
    /// Whether the viewer knows what there is, so that anything else makes sense to it.
    pub fn has_head(&self) -> bool {
        self.run > 0
    }
}

/// The meeting place.
#[derive(Debug)]
pub struct Hub {
    shared: Mutex<Shared>,
    ordered: Condvar,
    /// Counts changes; viewers wait for it.
    changed: watch::Sender<u64>,
}

impl Hub {
    /// A hub before its first run.
    pub fn new(duration: f64, speed: Option<f64>) -> Self {
        let state =
            State { state: "running", time: 0.0, duration, speed, real_time_factor: 0.0, message: None };
        let orders = Orders { pace: Pace::Running, speed, restart: false, stop: false, count: 0 };
        Self {
            shared: Mutex::new(Shared {
                run: 0,
                head: Bytes::new(),
                pieces: VecDeque::new(),
                forgotten: 0,
                bytes: 0,
                state,
                told: 0,
                orders,
            }),
            ordered: Condvar::new(),
            changed: watch::Sender::new(0),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Shared> {
        // What a thread that panicked left behind is whole: every change is a single assignment or push.
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn notify(&self) {
        self.changed.send_modify(|count| *count += 1);
    }

    /// Whether a run has begun.
    pub fn has_run(&self) -> bool {
        self.lock().run > 0
    }

    /// Takes records of the run; a head starts a new one.
    pub fn take(&self, records: &[u8]) {
        let mut shared = self.lock();
        let piece = Bytes::copy_from_slice(records);
        if records.first() == Some(&HEAD) {
            shared.run += 1;
            shared.head = piece;
            shared.pieces.clear();
            (shared.forgotten, shared.bytes) = (0, 0);
        } else {
            shared.bytes += piece.len();
            shared.pieces.push_back(piece);
            while shared.bytes > MAX_HISTORY
                && let Some(oldest) = shared.pieces.pop_front()
            {
                shared.bytes -= oldest.len();
                shared.forgotten += 1;
            }
        }
        drop(shared);
        self.notify();
    }

    /// Tells the viewers how the run is.
    pub fn tell(&self, change: impl FnOnce(&mut State)) {
        let mut shared = self.lock();
        change(&mut shared.state);
        shared.told += 1;
        drop(shared);
        self.notify();
    }

    /// What the viewers ask for.
    pub fn orders(&self) -> Orders {
        self.lock().orders
    }

    /// Takes note that an order has been carried out.
    pub fn done(&self, change: impl FnOnce(&mut Orders)) {
        change(&mut self.lock().orders);
    }

    /// Waits for new orders, no longer than this.
    pub fn wait(&self, seen: u64, longest: Duration) {
        let shared = self.lock();
        // A poisoned lock gives its contents; there is nothing else to do with it.
        let _ = self.ordered.wait_timeout_while(shared, longest, |s| s.orders.count == seen);
    }

    /// Ends everything.
    pub fn stop(&self) {
        let mut shared = self.lock();
        shared.orders.stop = true;
        shared.orders.count += 1;
        drop(shared);
        self.ordered.notify_all();
    }

    /// Does what a viewer says; an answer is for this viewer alone.
    pub fn command(&self, text: &str) -> Option<Bytes> {
        let command = match Command::parse(text) {
            Ok(command) => command,
            Err(why) => return Some(self.lock().state.record(Some(&why))),
        };
        let mut shared = self.lock();
        let over = matches!(shared.state.state, "ended" | "failed");
        let orders = &mut shared.orders;
        match command {
            Command::Restart => (orders.restart, orders.pace) = (true, Pace::Running),
            Command::Speed(speed) => orders.speed = speed,
            _ if over => {
                return Some(shared.state.record(Some("the run is over; it can be restarted")));
            }
            Command::Pause => orders.pace = Pace::Paused,
            Command::Resume => orders.pace = Pace::Running,
            Command::Step => orders.pace = Pace::Step,
        }
        orders.count += 1;
        if let Command::Speed(speed) = command {
            shared.state.speed = speed;
            shared.told += 1;
        }
        drop(shared);
        self.ordered.notify_all();
        self.notify();
        None
    }

    /// The next message for a viewer, and how far it has read then; `None` if it has read everything. First a run's head, then what
    /// was shown since, then how it is.
    fn next(&self, cursor: Cursor) -> Option<(Bytes, Cursor)> {
        let shared = self.lock();
        if shared.run == 0 {
            return None;
        }
        if cursor.run != shared.run {
            let cursor = Cursor { run: shared.run, next: 0, told: 0 };
            return Some((shared.head.clone(), cursor));
        }
        // Where it had read was forgotten in the meantime: it goes on with what there is.
        let from = cursor.next.max(shared.forgotten);
        let mut next = from;
        let mut message: Vec<u8> = Vec::new();
        for piece in shared.pieces.iter().skip(from - shared.forgotten) {
            if !message.is_empty() && message.len() + piece.len() > PIECE {
                break;
            }
            message.extend_from_slice(piece);
            next += 1;
        }
        if next > from {
            return Some((message.into(), Cursor { next, ..cursor }));
        }
        (cursor.told != shared.told)
            .then(|| (shared.state.record(None), Cursor { told: shared.told, ..cursor }))
    }

    /// Waits for the next message for a viewer.
    pub async fn message(&self, cursor: &mut Cursor) -> Bytes {
        let mut changed = self.changed.subscribe();
        loop {
            if let Some((message, read)) = self.next(*cursor) {
                *cursor = read;
                return message;
            }
            // The sender lives as long as the hub.
            let _ = changed.changed().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::records;

    fn piece(kind: u8, size: usize) -> Vec<u8> {
        let mut bytes = Vec::new();
        // Bytes that deflate cannot make smaller.
        let mut bits = 1_u64;
        let noise: Vec<u8> = (0..size)
            .map(|_| {
                bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (bits >> 40) as u8
            })
            .collect();
        record::put(&mut bytes, kind, &noise);
        bytes
    }

    /// The kinds of all records that a viewer gets until it has read everything.
    fn read(hub: &Hub, cursor: &mut Cursor) -> (String, usize) {
        let mut stream = record::begin();
        let mut messages = 0;
        while let Some((message, read)) = hub.next(*cursor) {
            stream.extend_from_slice(&message);
            *cursor = read;
            messages += 1;
        }
        (records(&stream).unwrap().map(|r| char::from(r.kind)).collect(), messages)
    }

    #[test]
    fn a_late_viewer_gets_everything_and_a_restart_begins_anew() {
        let hub = Hub::new(1.0, None);
        hub.take(&piece(b'H', 5));
        hub.take(&piece(b'F', 5));
        let mut early = Cursor::default();
        assert_eq!(read(&hub, &mut early).0, "HF");
        hub.tell(|s| s.time = 0.5);
        hub.take(&piece(b'S', 5));
        assert_eq!(read(&hub, &mut early).0, "SC");
        let mut late = Cursor::default();
        assert_eq!(read(&hub, &mut late).0, "HFSC");
        assert_eq!(read(&hub, &mut late), (String::new(), 0));
        hub.take(&piece(b'H', 5));
        hub.take(&piece(b'F', 5));
        assert_eq!((read(&hub, &mut early).0.as_str(), read(&hub, &mut late).0.as_str()), ("HFC", "HFC"));
    }

    #[test]
    fn a_long_history_comes_in_pieces() {
        let hub = Hub::new(1.0, None);
        hub.take(&piece(b'H', 5));
        for _ in 0..100 {
            hub.take(&piece(b'F', 20_000));
        }
        let (kinds, messages) = read(&hub, &mut Cursor::default());
        assert_eq!(kinds.len(), 101);
        assert!((8..20).contains(&messages), "{messages}");
    }

    #[test]
    fn commands_become_orders_and_nonsense_an_answer() {
        let hub = Hub::new(1.0, Some(1.0));
        let say = |command: &str| hub.command(&format!(r#"{{"command":"{command}"}}"#));
        for (command, pace) in [("pause", Pace::Paused), ("step", Pace::Step), ("resume", Pace::Running)] {
            assert_eq!((say(command), hub.orders().pace), (None, pace));
        }
        let answer = say("jump").unwrap();
        let mut stream = record::begin();
        stream.extend_from_slice(&answer);
        let state = records(&stream).unwrap().next().unwrap().payload().unwrap().into_owned();
        let state: Value = serde_json::from_slice(&state).unwrap();
        assert_eq!(
            (&state["state"], &state["message"]),
            (&json!("running"), &json!("there is no command 'jump'"))
        );
        hub.tell(|s| s.state = "ended");
        assert!(say("pause").is_some() && hub.orders().pace == Pace::Running);
        assert!(say("restart").is_none() && hub.orders().restart);
    }
}
