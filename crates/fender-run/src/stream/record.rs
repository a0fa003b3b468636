//! Records: the pieces of a stream, each with its length and a checksum, so that a cut or a damage is noticed.

use super::{MAGIC, VERSION};
use flate2::bufread::DeflateDecoder;
use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};
use std::borrow::Cow;
use std::io::{Read, Write};

/// Bytes before a payload.
const PREFIX: usize = 8;
/// Bytes behind it.
const SUFFIX: usize = 4;
/// Deflate's effort. Frames are mostly noise of a few bits, in which there is little to find: 3, 6 and 9 give sizes within 0.1 %.
const EFFORT: u32 = 6;
/// Largest payload once inflated: more is damage, not data [bytes].
const MAX_PAYLOAD: u64 = 1 << 30;

/// Why bytes are no stream.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StreamError {
    /// The first bytes are others.
    #[error("this is not a Fender stream")]
    Foreign,
    /// It is one of another version.
    #[error("this is a stream of format {0}, and this program reads format {VERSION}")]
    Version(u32),
    /// It does not begin with a head that is whole.
    #[error("the stream has no head: it was cut short or is damaged")]
    NoHead,
}

/// Begins a stream.
pub fn begin() -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes
}

/// Adds a record to a stream, deflated if that makes it smaller.
pub fn put(stream: &mut Vec<u8>, kind: u8, payload: &[u8]) {
    let start = stream.len();
    stream.extend([kind, 1, 0, 0, 0, 0, 0, 0]);
    // Writing to memory does not fail; if it did, the payload would go as it is.
    let written = deflate(stream, payload).is_ok();
    if !written || stream.len() - start - PREFIX >= payload.len() {
        stream.truncate(start + PREFIX);
        stream[start + 1] = 0;
        stream.extend_from_slice(payload);
    }
    let length = (stream.len() - start - PREFIX) as u32;
    stream[start + 4..start + PREFIX].copy_from_slice(&length.to_le_bytes());
    let sum = checksum(&stream[start + PREFIX..]);
    stream.extend(sum.to_le_bytes());
}

fn deflate(to: &mut Vec<u8>, payload: &[u8]) -> std::io::Result<()> {
    let mut encoder = DeflateEncoder::new(to, Compression::new(EFFORT));
    encoder.write_all(payload)?;
    encoder.finish().map(|_| ())
}

/// Adds a record that holds JSON.
pub fn put_json(stream: &mut Vec<u8>, kind: u8, value: &impl serde::Serialize) {
    // Everything that is put here is made of names, numbers and texts, which JSON can hold.
    put(stream, kind, &serde_json::to_vec(value).unwrap_or_default());
}

fn checksum(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
}

/// A whole record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record<'a> {
    /// What it is: one of the letters in [`super`].
    pub kind: u8,
    /// All of it, from its kind to its checksum: what another stream can take over.
    pub bytes: &'a [u8],
    packed: bool,
}

impl<'a> Record<'a> {
    /// Its payload, inflated. `None` if it cannot be.
    pub fn payload(&self) -> Option<Cow<'a, [u8]>> {
        let stored = &self.bytes[PREFIX..self.bytes.len() - SUFFIX];
        if self.packed { inflate(stored).map(Cow::Owned) } else { Some(Cow::Borrowed(stored)) }
    }
}

fn inflate(stored: &[u8]) -> Option<Vec<u8>> {
    let mut payload = Vec::new();
    let mut inflater = DeflateDecoder::new(stored).take(MAX_PAYLOAD);
    inflater.read_to_end(&mut payload).ok()?;
    Some(payload)
}

/// The whole records of a stream, up to the first that is cut short or damaged.
#[derive(Clone, Debug)]
pub struct Records<'a>(&'a [u8]);

/// Reads a stream's records.
pub fn records(stream: &[u8]) -> Result<Records<'_>, StreamError> {
    let rest = stream.strip_prefix(MAGIC).ok_or(StreamError::Foreign)?;
    let (version, rest) = rest.split_first_chunk().ok_or(StreamError::NoHead)?;
    match u32::from_le_bytes(*version) {
        VERSION => Ok(Records(rest)),
        other => Err(StreamError::Version(other)),
    }
}

impl<'a> Iterator for Records<'a> {
    type Item = Record<'a>;

    fn next(&mut self) -> Option<Record<'a>> {
        let (prefix, _) = self.0.split_first_chunk::<PREFIX>()?;
        let [kind, packed, _, _, length @ ..] = *prefix;
        let length = usize::try_from(u32::from_le_bytes(length)).ok()?;
        let (bytes, rest) = self.0.split_at_checked(length.checked_add(PREFIX + SUFFIX)?)?;
        let (stored, sum) = bytes[PREFIX..].split_at(length);
        if checksum(stored).to_le_bytes() != sum {
            return None;
        }
        self.0 = rest;
        Some(Record { kind, bytes, packed: packed != 0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stream() -> (Vec<u8>, Vec<usize>) {
        let mut bytes = begin();
        let mut ends = vec![bytes.len()];
        for payload in [&b"short"[..], &[7; 5000], &[]] {
            put(&mut bytes, b'?', payload);
            ends.push(bytes.len());
        }
        (bytes, ends)
    }

    #[test]
    fn records_come_back_and_what_repeats_is_packed() {
        let (bytes, _) = stream();
        assert!(bytes.len() < 200);
        let all: Vec<_> = records(&bytes).unwrap().map(|r| r.payload().unwrap().into_owned()).collect();
        assert_eq!(all, [b"short".to_vec(), vec![7; 5000], vec![]]);
    }

    #[test]
    fn a_cut_or_a_flipped_bit_ends_the_stream_there() {
        let (bytes, ends) = stream();
        for cut in ends[0]..bytes.len() {
            let whole = ends[1..].iter().filter(|e| **e <= cut).count();
            assert_eq!(records(&bytes[..cut]).unwrap().count(), whole, "cut at {cut}");
        }
        for at in ends[1] + PREFIX..ends[2] {
            let mut bytes = bytes.clone();
            bytes[at] ^= 0x10;
            assert_eq!(records(&bytes).unwrap().count(), 1, "byte {at}");
        }
    }

    #[test]
    fn other_files_are_refused() {
        assert_eq!(records(b"").unwrap_err(), StreamError::Foreign);
        assert_eq!(records(b"<!doctype html>").unwrap_err(), StreamError::Foreign);
        assert_eq!(records(b"FENDERFR\x01\0\0\0").unwrap_err(), StreamError::Version(1));
        assert_eq!(records(b"FENDERFR\x02\0").unwrap_err(), StreamError::NoHead);
    }

    #[test]
    fn a_payload_that_cannot_be_inflated_is_none() {
        let mut bytes = begin();
        put(&mut bytes, b'?', &[0xff, 0xff, 0xff]);
        let at = MAGIC.len() + 4 + 1;
        assert_eq!(bytes[at], 0);
        bytes[at] = 1;
        assert_eq!(records(&bytes).unwrap().next().unwrap().payload(), None);
    }
}
