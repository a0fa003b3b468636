//! Reads a whole stream.

use super::frame::{self, Frame};
use super::head::Head;
use super::record::{StreamError, records};
use super::samples::{self, Samples};
use super::{EVENTS, FRAMES, HEAD, MESH, PATCHES, SAMPLES, STATE, SUMMARY, mesh, outline};
use fender_geom::mesh::VisualMesh;
use serde_json::Value;

/// What is in a stream.
#[derive(Clone, Debug)]
pub struct Stream {
    /// What there is.
    pub head: Head,
    /// Meshes with their indices.
    pub meshes: Vec<(u32, VisualMesh)>,
    /// Frames, in order.
    pub frames: Vec<Frame>,
    /// Samples, in the order of the records.
    pub samples: Vec<Samples>,
    /// Events, in order of time.
    pub events: Vec<Value>,
    /// The last summary.
    pub summary: Option<Value>,
    /// The last state of a live run.
    pub state: Option<Value>,
}

/// Reads a stream up to its end, or to the first record that is cut short or damaged. A head that comes later starts anew.
pub fn read(bytes: &[u8]) -> Result<Stream, StreamError> {
    let mut stream: Option<Stream> = None;
    // Outlines of the frames in the record that follows.
    let mut patches: Option<Vec<u8>> = None;
    for record in records(bytes)? {
        let Some(payload) = record.payload() else { break };
        if record.kind == HEAD {
            let Ok(head) = serde_json::from_slice(&payload) else { break };
            stream = Some(Stream {
                head,
                meshes: Vec::new(),
                frames: Vec::new(),
                samples: Vec::new(),
                events: Vec::new(),
                summary: None,
                state: None,
            });
            continue;
        }
        // What comes before a head is of no run.
        let Some(stream) = &mut stream else { continue };
        if record.kind == PATCHES {
            patches = Some(payload.into_owned());
            continue;
        }
        // Those whose frames did not come are lost with them.
        let outlines = patches.take().filter(|_| record.kind == FRAMES);
        if stream.take(record.kind, &payload, outlines.as_deref()).is_none() {
            break;
        }
    }
    stream.ok_or(StreamError::NoHead)
}

impl Stream {
    /// Takes a record, one of frames with their outlines; `None` if it is damaged.
    fn take(&mut self, kind: u8, payload: &[u8], outlines: Option<&[u8]>) -> Option<()> {
        match kind {
            MESH => self.meshes.push(mesh::decode(payload)?),
            FRAMES => {
                let resolution = &self.head.resolution;
                let mut frames = frame::decode(payload, resolution, &self.head.layout())?;
                if let Some(outlines) = outlines {
                    outline::decode(outlines, resolution, &mut frames)?;
                }
                self.frames.append(&mut frames);
            }
            SAMPLES => self.samples.push(samples::decode(payload)?),
            EVENTS => self.events.extend(serde_json::from_slice::<Vec<Value>>(payload).ok()?),
            SUMMARY => self.summary = Some(serde_json::from_slice(payload).ok()?),
            STATE => self.state = Some(serde_json::from_slice(payload).ok()?),
            _ => {}
        }
        Some(())
    }

    /// All samples of a signal, in order of the records: time [s] and value. `None` if there is no such signal.
    pub fn series(&self, name: &str) -> Option<Vec<(f64, f32)>> {
        let signal = self.head.signals.iter().position(|s| s.name == name)? as u32;
        let mut series = Vec::new();
        for samples in &self.samples {
            let columns = samples.signals.iter().zip(&samples.values).filter(|(s, _)| **s == signal);
            for (_, values) in columns {
                let pairs = samples.times.iter().copied().zip(values.iter().copied());
                series.extend(pairs.filter(|(_, v)| v.is_finite()));
            }
        }
        Some(series)
    }
}
