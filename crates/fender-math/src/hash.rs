//! A 64-bit hash that is stable across versions, platforms and runs.

/// FNV-1a over 64-bit words. Not for untrusted input: it names states and scenarios, it does not protect them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateHasher(u64);

impl Default for StateHasher {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl StateHasher {
    /// Mixes one word in.
    pub fn word(&mut self, word: u64) {
        // Byte-wise FNV-1a would cost eight multiplications; a word at a time with a final fold is enough here.
        self.0 = (self.0 ^ word).wrapping_mul(0x0000_0100_0000_01b3);
        self.0 ^= self.0 >> 29;
    }

    /// Mixes the bits of a number in (so that −0 and +0 differ).
    pub fn float(&mut self, x: f64) {
        self.word(x.to_bits());
    }

    /// Mixes bytes in, with their length.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.word(bytes.len() as u64);
        for chunk in bytes.chunks(8) {
            let mut word = [0_u8; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.word(u64::from_le_bytes(word));
        }
    }

    /// The hash so far.
    pub fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_changed_bit_changes_the_hash() {
        let hash = |x: f64| {
            let mut hasher = StateHasher::default();
            hasher.float(x);
            hasher.bytes(b"abcdefghi");
            hasher.finish()
        };
        assert_ne!(hash(1.0), hash(1.0 + f64::EPSILON));
        assert_ne!(hash(0.0), hash(-0.0));
        assert_eq!(hash(2.5), hash(2.5));
    }
}
