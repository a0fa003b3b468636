//! Numbers noted at the vertices or edges of a mesh, forgotten all at once: a list with a stamp at each place, which is faster than a table of hashes.

/// Notes at places 0, 1, 2, …
#[derive(Default)]
pub struct Marks {
    /// When a place was noted, and what.
    notes: Vec<(u32, u32)>,
    now: u32,
}

impl Marks {
    /// Forgets everything, and has room for `len` places.
    pub fn clear(&mut self, len: usize) {
        self.now = self.now.wrapping_add(1);
        if self.now == 0 {
            self.notes.fill((0, 0));
            self.now = 1;
        }
        if self.notes.len() < len {
            self.notes.resize(len, (0, 0));
        }
    }

    /// Notes a number and gives the one that was there.
    pub fn insert(&mut self, place: u32, number: u32) -> Option<u32> {
        let (stamp, before) = std::mem::replace(&mut self.notes[place as usize], (self.now, number));
        (stamp == self.now).then_some(before)
    }

    pub fn has(&self, place: u32) -> bool {
        self.notes[place as usize].0 == self.now
    }
}

#[cfg(test)]
mod tests {
    use super::Marks;

    #[test]
    fn what_was_noted_is_forgotten_at_once() {
        let mut marks = Marks { notes: Vec::new(), now: u32::MAX - 1 };
        for _ in 0..4 {
            marks.clear(3);
            assert!((0..3).all(|i| !marks.has(i)));
            assert_eq!(marks.insert(1, 7), None);
            assert_eq!(marks.insert(1, 8), Some(7));
            assert!(marks.has(1) && !marks.has(2));
        }
    }
}
