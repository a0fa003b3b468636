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
        atomic::before_change(&path)?;
        let mut file = File::create(&path).map_err(|e| RunError::io(&path, e))?;
        file.write_all(beginning).map_err(|e| RunError::io(&path, e))?;
        Ok(Self { path, file, bytes: beginning.len() as u64 })
    }

    /// Opens the file and cuts off what was written after the checkpoint. After a checkpoint at the end of a run nothing is
    /// cut: the file may have been [tidied](Self::tidy) already.
    pub fn resume(folder: &Folder, bytes: u64, finished: bool) -> Result<Self, RunError> {
        let path = folder.file("frames.bin");
        atomic::before_change(&path)?;
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

    /// The folder has moved.
    pub fn move_to(&mut self, folder: &Folder) {
        self.path = folder.file("frames.bin");
    }

    /// Adds records.
    pub fn append(&mut self, records: &[u8]) -> Result<(), RunError> {
        atomic::before_change(&self.path)?;
        self.file.write_all(records).map_err(|e| RunError::io(&self.path, e))?;
        self.bytes += records.len() as u64;
        Ok(())
    }

    /// Makes what was written survive a power cut.
    pub fn sync(&self) -> Result<(), RunError> {
        atomic::sync(&self.file).map_err(|e| RunError::io(&self.path, e))
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
    fn a_file_is_cut_back_to_its_checkpoint_unless_the_run_was_over() {
        let dir = tempfile::tempdir().unwrap();
        let folder = Folder { path: dir.path().to_owned() };
        let length = || fs::metadata(folder.file("frames.bin")).unwrap().len();
        let saved = file(&folder, &[]).bytes();
        fs::write(folder.file("frames.bin"), vec![0; saved as usize + 77]).unwrap();
        FrameFile::resume(&folder, saved, true).unwrap();
        assert_eq!(length(), saved + 77);
        FrameFile::resume(&folder, saved, false).unwrap();
        assert_eq!(length(), saved);
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
