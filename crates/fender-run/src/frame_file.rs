//! `frames.bin` while it grows, and when it is done.

use crate::atomic;
use crate::error::RunError;
use crate::results::Folder;
use crate::stream::frame::{self, BLOCK};
use crate::stream::{Encoder, FRAMES, HEAD, Head, record, records};
use std::fs::{self, File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::PathBuf;

/// The frames file, which only grows.
#[derive(Debug)]
pub struct FrameFile {
    path: PathBuf,
    file: File,
    bytes: u64,
}

impl FrameFile {
    /// Starts a file with the beginning of a stream.
    pub fn create(folder: &Folder, beginning: &[u8]) -> Result<Self, RunError> {
        let path = folder.file("frames.bin");
        let mut file = File::create(&path).map_err(|e| RunError::io(&path, e))?;
        file.write_all(beginning).map_err(|e| RunError::io(&path, e))?;
        Ok(Self { path, file, bytes: beginning.len() as u64 })
    }

    /// Opens the file and cuts off what was written after the checkpoint. After a checkpoint at the end of a run nothing is
    /// cut: the file may have been [tidied](Self::tidy) already.
    pub fn resume(folder: &Folder, bytes: u64, finished: bool) -> Result<Self, RunError> {
        let path = folder.file("frames.bin");
        let open = || -> std::io::Result<File> {
            let mut file = OpenOptions::new().write(true).open(&path)?;
            if !finished {
                file.set_len(bytes)?;
            }
            file.seek(SeekFrom::End(0))?;
            Ok(file)
        };
        let file = open().map_err(|e| RunError::io(&path, e))?;
        Ok(Self { path, file, bytes })
    }

    /// Bytes written.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Adds records.
    pub fn append(&mut self, records: &[u8]) -> Result<(), RunError> {
        self.file.write_all(records).map_err(|e| RunError::io(&self.path, e))?;
        self.bytes += records.len() as u64;
        Ok(())
    }

    /// Makes what was written survive a power cut.
    pub fn sync(&self) -> Result<(), RunError> {
        self.file.sync_data().map_err(|e| RunError::io(&self.path, e))
    }

    /// Makes all records but the last equally long, so that the file does not tell when its run was saved, stopped or watched.
    pub fn tidy(&self) -> Result<(), RunError> {
        let bytes = fs::read(&self.path).map_err(|e| RunError::io(&self.path, e))?;
        match tidied(&bytes) {
            Some(tidied) => atomic::replace_bytes(&self.path, &tidied),
            None => Ok(()),
        }
    }
}

/// A stream with records of equal length; `None` if it has them already or is none.
fn tidied(bytes: &[u8]) -> Option<Vec<u8>> {
    let all: Vec<_> = records(bytes).ok()?.collect();
    let whole: usize = all.iter().map(|r| r.bytes.len()).sum();
    let frames: Vec<_> = all.iter().filter(|r| r.kind == FRAMES).collect();
    let full = |r: &&&crate::stream::Record<'_>| {
        r.payload().and_then(|p| frame::count(&p)) == Some(u64::from(BLOCK))
    };
    let others = frames.len().saturating_sub(1);
    if frames.iter().take(others).filter(full).count() == others
        && record::begin().len() + whole == bytes.len()
    {
        return None;
    }
    let head = all.first().filter(|r| r.kind == HEAD)?.payload()?;
    let head: Head = serde_json::from_slice(&head).ok()?;
    let mut stream = record::begin();
    for record in all.iter().filter(|r| r.kind != FRAMES) {
        stream.extend_from_slice(record.bytes);
    }
    let mut encoder = Encoder::new(head.resolution, head.layout());
    for record in frames {
        for frame in frame::decode(&record.payload()?, &head.resolution, &head.layout())? {
            encoder.push(&frame, &mut stream);
        }
    }
    encoder.close(&mut stream);
    Some(stream)
}
