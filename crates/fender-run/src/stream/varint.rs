//! Whole numbers of few bytes: 7 bits per byte, low bits first; the high bit says that more follows.

/// Writes a whole number.
pub fn put(buffer: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        buffer.push(value as u8 | 0x80);
        value >>= 7;
    }
    buffer.push(value as u8);
}

/// Writes a signed number: 0 −1 1 −2 … become 0 1 2 3 …
pub fn put_signed(buffer: &mut Vec<u8>, value: i64) {
    put(buffer, (value.cast_unsigned() << 1) ^ (value >> 63).cast_unsigned());
}

/// Takes numbers off the front of a slice; `None` where it ends too early.
pub struct Bytes<'a>(pub &'a [u8]);

impl<'a> Bytes<'a> {
    /// So many bytes, as they are.
    pub fn slice(&mut self, count: usize) -> Option<&'a [u8]> {
        let (head, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(head)
    }

    /// So many bytes.
    pub fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (head, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*head)
    }

    /// A whole number.
    pub fn whole(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let [byte] = self.take()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }

    /// A whole number of things of which each takes at least `size` bytes: no more than there can be, so that memory
    /// for them may be taken.
    pub fn count(&mut self, size: usize) -> Option<usize> {
        let count = usize::try_from(self.whole()?).ok()?;
        (count <= self.0.len() / size.max(1)).then_some(count)
    }

    /// A whole number that fits an index.
    pub fn index(&mut self) -> Option<u32> {
        u32::try_from(self.whole()?).ok()
    }

    /// A signed number.
    pub fn signed(&mut self) -> Option<i64> {
        let value = self.whole()?;
        Some((value >> 1).cast_signed() ^ -(value & 1).cast_signed())
    }

    /// A real number of double precision.
    pub fn double(&mut self) -> Option<f64> {
        self.take().map(f64::from_le_bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        let mut buffer = Vec::new();
        let values = [0, -1, 1, -64, 64, 1 << 40, i64::MIN, i64::MAX];
        for value in values {
            put_signed(&mut buffer, value);
        }
        assert_eq!(buffer[..4], [0, 1, 2, 127]);
        let mut bytes = Bytes(&buffer);
        for value in values {
            assert_eq!(bytes.signed(), Some(value));
        }
        assert_eq!(bytes.signed(), None);
    }

    #[test]
    fn a_number_without_an_end_is_none() {
        assert_eq!(Bytes(&[0xff; 30]).whole(), None);
        assert_eq!(Bytes(&[200, 1]).count(1), None);
    }
}
