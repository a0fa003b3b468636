//! The stream: what a run shows, as bytes. `frames.bin`, `report.html` and the live socket hold the same.
//!
//! ```text
//! stream  = "FENDERFR" · version u32 = 2 · records
//! record  = kind u8 · packed u8 · 0 u16 · length u32 · payload · checksum u32
//! ```
//! The format is described in full in the book, `book/src/reference/stream.md`.

pub mod decode;
pub mod event;
pub mod frame;
pub mod head;
pub mod mesh;
pub mod outline;
pub mod record;
pub mod resolution;
pub mod samples;
mod surroundings;
mod varint;
mod world;

pub use decode::{Stream, read};
pub use frame::{Encoder, Frame, FrameContact, Layout, Node};
pub use head::Head;
pub use outline::{FrameOutline, FramePolygon};
pub use record::{Record, StreamError, records};
pub use resolution::Resolution;
pub use world::FrameRecorder;

/// First bytes of a stream.
pub const MAGIC: &[u8; 8] = b"FENDERFR";
/// Version of the format.
pub const VERSION: u32 = 2;
/// Interval of the frames when the scenario does not say [s].
pub const DEFAULT_PERIOD: f64 = 0.04;

/// Kind of a record: head.
pub const HEAD: u8 = b'H';
/// Kind of a record: mesh.
pub const MESH: u8 = b'M';
/// Kind of a record: frames.
pub const FRAMES: u8 = b'F';
/// Kind of a record: outlines of contact patches, of the frames in the next record of frames.
pub const PATCHES: u8 = b'P';
/// Kind of a record: samples of signals.
pub const SAMPLES: u8 = b'S';
/// Kind of a record: events.
pub const EVENTS: u8 = b'E';
/// Kind of a record: summary.
pub const SUMMARY: u8 = b'Z';
/// Kind of a record: state of a live run.
pub const STATE: u8 = b'C';
