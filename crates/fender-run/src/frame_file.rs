//! `frames.bin` while it grows, and when it is done.

use crate::atomic;
use crate::error::RunError;
use crate::results::Folder;
use crate::stream::frame::{self, BLOCK};
use crate::stream::{Encoder, FRAMES, HEAD, Head, PATCHES, outline, record, records};
use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The frames file, which only grows.
#[derive(Debug)]
pub struct FrameFile {
    path: PathBuf,
    file: File,
    bytes: u64,
    sum: crc32fast::Hasher,
}

impl FrameFile {
    /// Starts a file with the beginning of a stream.
    pub fn create(folder: &Folder, beginning: &[u8]) -> Result<Self, RunError> {
        let path = folder.file("frames.bin");
        atomic::before_change(&path)?;
        let mut file = File::create(&path).map_err(|e| RunError::io(&path, e))?;
        file.write_all(beginning).map_err(|e| RunError::io(&path, e))?;
        let mut sum = crc32fast::Hasher::new();
        sum.update(beginning);
        Ok(Self { path, file, bytes: beginning.len() as u64, sum })
    }

    /// Opens the file whose first `bytes` belong to a checkpoint, and compares their checksum; nothing is changed. After a checkpoint at
    /// the end of a run the file may have been [tidied](Self::tidy) already. `None` if the file is no longer there.
    pub fn open(folder: &Folder, bytes: u64, sum: u32, finished: bool) -> Result<Option<Self>, RunError> {
        let path = folder.file("frames.bin");
        let io = |e| RunError::io(&path, e);
        let mut file = match OpenOptions::new().read(true).write(true).open(&path) {
            Err(e) if e.kind() == ErrorKind::NotFound => return Ok(None),
            other => other.map_err(io)?,
        };
        let is_right = sum_of(&file, bytes).map_err(io)? == sum;
        if !(is_right || finished && is_tidy(&fs::read(&path).map_err(io)?)) {
            return Err(damaged(&path));
        }
        file.seek(SeekFrom::End(0)).map_err(io)?;
        Ok(Some(Self { path, file, bytes, sum: crc32fast::Hasher::new_with_initial(sum) }))
    }

    /// Cuts off what was written after the checkpoint.
    pub fn cut_back(&mut self) -> Result<(), RunError> {
        atomic::before_change(&self.path)?;
        let cut = self.file.set_len(self.bytes).and_then(|()| self.file.seek(SeekFrom::End(0)));
        cut.map(|_| ()).map_err(|e| RunError::io(&self.path, e))
    }

    /// Bytes written.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Checksum (CRC-32) of the bytes written.
    pub fn checksum(&self) -> u32 {
        self.sum.clone().finalize()
    }

    /// The folder has moved.
    pub fn move_to(&mut self, folder: &Folder) {
        self.path = folder.file("frames.bin");
    }

    /// Adds records.
    pub fn append(&mut self, records: &[u8]) -> Result<(), RunError> {
        atomic::before_change(&self.path)?;
        self.file.write_all(records).map_err(|e| RunError::io(&self.path, e))?;
        self.bytes += records.len() as u64;
        self.sum.update(records);
        Ok(())
    }

    /// Makes what was written survive a power cut.
    pub fn sync(&self) -> Result<(), RunError> {
        atomic::sync(&self.file).map_err(|e| RunError::io(&self.path, e))
    }

    /// Makes all records but the last equally long, so that the file does not tell when its run was saved, stopped or watched. A file that has
    /// changed since it was written is an error and stays as it is: behind a damage no record can be read.
    pub fn tidy(&self) -> Result<(), RunError> {
        let bytes = fs::read(&self.path).map_err(|e| RunError::io(&self.path, e))?;
        match tidied(&bytes) {
            Some(_) if sum_of(bytes.as_slice(), self.bytes).ok() != Some(self.checksum()) => {
                Err(damaged(&self.path))
            }
            Some(tidied) => atomic::replace_bytes(&self.path, &tidied),
            None => Ok(()),
        }
    }
}

fn damaged(path: &Path) -> RunError {
    let why = "it has changed since it was written, or was cut. Put a copy of it in its place, or move it away to \
               resume without a replay";
    RunError::Damaged { path: path.to_owned(), why: why.into() }
}

/// Checksum of the first bytes, or of fewer where there are fewer.
fn sum_of(from: impl Read, bytes: u64) -> std::io::Result<u32> {
    let mut sum = crc32fast::Hasher::new();
    let mut reader = BufReader::with_capacity(1 << 16, from.take(bytes));
    loop {
        let read = reader.fill_buf()?;
        if read.is_empty() {
            return Ok(sum.finalize());
        }
        sum.update(read);
        let length = read.len();
        reader.consume(length);
    }
}

/// Whether bytes are a whole stream with records of equal length.
fn is_tidy(bytes: &[u8]) -> bool {
    let Ok(all) = records(bytes) else { return false };
    let all: Vec<_> = all.collect();
    let whole: usize = all.iter().map(|r| r.bytes.len()).sum();
    let frames: Vec<_> = all.iter().filter(|r| r.kind == FRAMES).collect();
    let full = |r: &&&crate::stream::Record<'_>| {
        r.payload().and_then(|p| frame::count(&p)) == Some(u64::from(BLOCK))
    };
    let others = frames.len().saturating_sub(1);
    frames.iter().take(others).filter(full).count() == others && record::begin().len() + whole == bytes.len()
}

/// A stream with records of equal length; `None` if it has them already or is none.
fn tidied(bytes: &[u8]) -> Option<Vec<u8>> {
    if is_tidy(bytes) {
        return None;
    }
    let all: Vec<_> = records(bytes).ok()?.collect();
    let head = all.first().filter(|r| r.kind == HEAD)?.payload()?;
    let head: Head = serde_json::from_slice(&head).ok()?;
    let mut stream = record::begin();
    for record in all.iter().filter(|r| ![FRAMES, PATCHES].contains(&r.kind)) {
        stream.extend_from_slice(record.bytes);
    }
    let mut encoder = Encoder::new(head.resolution, head.layout());
    let mut outlines = None;
    for record in all.iter().filter(|r| [FRAMES, PATCHES].contains(&r.kind)) {
        let payload = record.payload()?;
        if record.kind == PATCHES {
            outlines = Some(payload);
            continue;
        }
        let mut frames = frame::decode(&payload, &head.resolution, &head.layout())?;
        if let Some(outlines) = outlines.take() {
            outline::decode(&outlines, &head.resolution, &mut frames)?;
        }
        for frame in frames {
            encoder.push(&frame, &mut stream);
        }
    }
    encoder.close(&mut stream);
    Some(stream)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::{Frame, FrameRecorder, Resolution, read};
    use crate::testing;
    use fender_engine::World;

    /// Sixty frames of a falling ball, with a record closed wherever `cut` says.
    fn file(folder: &Folder, cuts: &[u32]) -> FrameFile {
        let mut world = World::new(testing::two_balls());
        let head = testing::head(&world.model);
        let mut file = FrameFile::create(folder, &head.begin()).unwrap();
        let mut frames = FrameRecorder::new(&world.model, vec![]);
        for i in 0..60 {
            world.state.time = f64::from(i) * 0.04;
            frames.sample(&world);
            if cuts.contains(&i) {
                frames.close();
            }
        }
        frames.close();
        file.append(&frames.records).unwrap();
        file
    }

    #[test]
    fn a_tidied_file_does_not_tell_when_it_was_cut() {
        let dir = tempfile::tempdir().unwrap();
        let folder = Folder { path: dir.path().to_owned() };
        let bytes = || fs::read(folder.file("frames.bin")).unwrap();
        file(&folder, &[]).tidy().unwrap();
        let whole = bytes();
        assert_eq!(records(&whole).unwrap().count(), 4);
        let untidy = file(&folder, &[0, 3, 24, 25, 59]);
        let frames = read(&bytes()).unwrap().frames;
        assert!(bytes() != whole && frames.len() == 60);
        // Rubbish of a record that was under way is gone too.
        OpenOptions::new()
            .append(true)
            .open(folder.file("frames.bin"))
            .unwrap()
            .write_all(b"F\x01..")
            .unwrap();
        untidy.tidy().unwrap();
        assert!(bytes() == whole);
        assert_eq!(read(&whole).unwrap().frames, frames);
    }

    #[test]
    fn a_file_is_cut_back_to_its_checkpoint() {
        let dir = tempfile::tempdir().unwrap();
        let folder = Folder { path: dir.path().to_owned() };
        let path = folder.file("frames.bin");
        let saved = file(&folder, &[]);
        let bytes = fs::read(&path).unwrap();
        fs::write(&path, [bytes.clone(), vec![0; 77]].concat()).unwrap();
        let mut again = FrameFile::open(&folder, saved.bytes(), saved.checksum(), false).unwrap().unwrap();
        assert_eq!(fs::metadata(&path).unwrap().len(), saved.bytes() + 77);
        again.cut_back().unwrap();
        assert!(fs::read(&path).unwrap() == bytes);
        again.append(b"more").unwrap();
        assert_eq!(again.checksum(), crc32fast::hash(&[&bytes, &b"more"[..]].concat()));
        assert!(fs::read(&path).unwrap() == [&bytes, &b"more"[..]].concat());
    }

    #[test]
    fn a_damaged_file_is_refused_and_stays_as_it_is() {
        let dir = tempfile::tempdir().unwrap();
        let folder = Folder { path: dir.path().to_owned() };
        let path = folder.file("frames.bin");
        let saved = file(&folder, &[3, 40]);
        let (length, sum) = (saved.bytes(), saved.checksum());
        let open = |finished| FrameFile::open(&folder, length, sum, finished);
        let bytes = fs::read(&path).unwrap();
        let flipped = |i: usize| {
            let mut bytes = bytes.clone();
            bytes[i] ^= 4;
            bytes
        };
        let mut bad: Vec<Vec<u8>> = (0..bytes.len()).step_by(7).map(flipped).collect();
        bad.push(bytes[..bytes.len() - 1].to_vec());
        for bad in bad {
            fs::write(&path, &bad).unwrap();
            for error in [open(false).unwrap_err(), open(true).unwrap_err()] {
                assert!(matches!(&error, RunError::Damaged { path: p, .. } if *p == path), "{error}");
                assert!(error.to_string().contains("move it away"), "{error}");
            }
            // The same if it happens while the run is under way.
            let _ = saved.tidy();
            assert!(fs::read(&path).unwrap() == bad);
        }
        // After the end it may have been tidied, but not before.
        fs::write(&path, &bytes).unwrap();
        saved.tidy().unwrap();
        assert!(fs::read(&path).unwrap() != bytes && open(false).is_err());
        open(true).unwrap().unwrap().tidy().unwrap();
        fs::remove_file(&path).unwrap();
        assert!(open(false).unwrap().is_none());
    }

    #[test]
    fn what_is_no_stream_stays_as_it_is() {
        assert_eq!(tidied(b"something else"), None);
        let mut encoder =
            Encoder::new(Resolution::of(&testing::two_balls()), crate::stream::Layout::default());
        let mut stream = record::begin();
        encoder.push(&Frame::default(), &mut stream);
        encoder.close(&mut stream);
        stream.push(0);
        assert_eq!(tidied(&stream), None, "frames without a head");
    }
}
