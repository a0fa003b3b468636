//! Checkpoints: everything from which a run goes on bit by bit.
//!
//! `checkpoint`: magic, format version, length, contents (postcard), checksum. It is replaced atomically, after the
//! parts it names have been closed, so that whatever it says is there.

use crate::atomic;
use crate::error::RunError;
use fender_engine::{Event, State};
use fender_math::StateHasher;
use serde::{Deserialize, Serialize};
use std::path::Path;

const MAGIC: &[u8; 8] = b"FENDERCP";
const VERSION: u32 = 9;

/// Contents of a checkpoint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// Hash of the scenario.
    pub scenario: u64,
    /// Name of the scenario.
    pub name: String,
    /// Saved `State`.
    pub state: Vec<u8>,
    /// Closed parts of the signals.
    pub signal_parts: u32,
    /// Closed parts of the contacts.
    pub contact_parts: u32,
    /// Bytes of the frames file that belong to this state.
    pub frame_bytes: u64,
    /// Checksum (CRC-32) of those.
    pub frame_sum: u32,
    /// Events so far.
    pub events: Vec<Event>,
    /// Events beyond the most that are kept.
    pub events_dropped: u64,
    /// Wall time so far [s].
    pub wall: f64,
    /// Warnings given so far.
    pub warnings: Vec<String>,
}

impl Checkpoint {
    /// Writes the checkpoint in place of the last one.
    pub fn write(&self, path: &Path) -> Result<(), RunError> {
        let contents = postcard::to_allocvec(self).map_err(|e| RunError::io(path, e))?;
        let mut bytes = Vec::with_capacity(contents.len() + 32);
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((contents.len() as u64).to_le_bytes());
        bytes.extend(&contents);
        bytes.extend(checksum(&contents).to_le_bytes());
        atomic::replace_bytes(path, &bytes)
    }

    /// Reads a checkpoint.
    pub fn read(path: &Path) -> Result<Self, RunError> {
        let bytes = std::fs::read(path).map_err(|e| RunError::io(path, e))?;
        let bad = |why: &str| RunError::Checkpoint { path: path.to_owned(), why: why.to_owned() };
        let damaged = || {
            bad(
                "the checkpoint is damaged, so the run cannot be resumed. What was recorded can still be read \
                 (export, plot, view); put a copy of the checkpoint back, or run again",
            )
        };
        let rest = bytes.strip_prefix(MAGIC).ok_or_else(|| bad("this is not a checkpoint"))?;
        let (version, rest) = rest.split_first_chunk().ok_or_else(damaged)?;
        if u32::from_le_bytes(*version) != VERSION {
            return Err(bad("the checkpoint was written by another version of the program"));
        }
        let (length, rest) = rest.split_first_chunk().ok_or_else(damaged)?;
        let length = usize::try_from(u64::from_le_bytes(*length)).map_err(|_| damaged())?;
        let (contents, sum) = rest.split_at_checked(length).ok_or_else(damaged)?;
        if sum != checksum(contents).to_le_bytes() {
            return Err(damaged());
        }
        postcard::from_bytes(contents).map_err(|_| damaged())
    }

    /// The saved state.
    pub fn state(&self, path: &Path) -> Result<State, RunError> {
        State::restore(&self.state)
            .map_err(|e| RunError::Checkpoint { path: path.to_owned(), why: e.to_string() })
    }
}

fn checksum(bytes: &[u8]) -> u64 {
    let mut hasher = StateHasher::default();
    hasher.bytes(bytes);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Checkpoint {
        let state = State { time: 0.1 + 0.2, step: 3, samples: vec![4, 5], ..State::default() };
        Checkpoint {
            scenario: 77,
            name: "ball".into(),
            state: state.save(),
            signal_parts: 2,
            contact_parts: 1,
            frame_bytes: 1234,
            frame_sum: 567,
            events: vec![],
            events_dropped: 0,
            wall: 1.5,
            warnings: vec!["mind the step".into()],
        }
    }

    #[test]
    fn a_checkpoint_comes_back() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("checkpoint");
        sample().write(&path).unwrap();
        let back = Checkpoint::read(&path).unwrap();
        assert_eq!(back, sample());
        assert_eq!(back.state(&path).unwrap().time.to_bits(), (0.1_f64 + 0.2).to_bits());
    }

    #[test]
    fn every_cut_and_every_flipped_byte_is_noticed() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("checkpoint");
        sample().write(&path).unwrap();
        let bytes = std::fs::read(&path).unwrap();
        for cut in 0..bytes.len() {
            std::fs::write(&path, &bytes[..cut]).unwrap();
            assert_eq!(Checkpoint::read(&path).unwrap_err().exit_code(), 2, "cut at {cut}");
        }
        for i in 0..bytes.len() {
            let mut bytes = bytes.clone();
            bytes[i] ^= 1;
            std::fs::write(&path, &bytes).unwrap();
            assert!(Checkpoint::read(&path).is_err(), "byte {i}");
        }
    }
}
