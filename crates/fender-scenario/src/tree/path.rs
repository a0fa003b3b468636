//! Paths to values: `body.ball.position[2]`.

use std::fmt;

/// One step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Into a table.
    Key(String),
    /// Into an array.
    Index(usize),
}

/// A path from the root of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Path(Vec<Step>);

impl Path {
    /// The file itself.
    pub fn root() -> Self {
        Self::default()
    }

    /// One level deeper, into a table.
    pub fn key(&self, key: impl Into<String>) -> Self {
        let mut path = self.clone();
        path.0.push(Step::Key(key.into()));
        path
    }

    /// One level deeper, into an array.
    pub fn index(&self, index: usize) -> Self {
        let mut path = self.clone();
        path.0.push(Step::Index(index));
        path
    }

    /// From the root on.
    pub fn steps(&self) -> &[Step] {
        &self.0
    }

    /// Puts a step before all others.
    pub fn prepend(&mut self, step: Step) {
        self.0.insert(0, step);
    }

    /// Reads `a.b[0].c` (of at most 32 steps, far more than the format is deep); an index may also be written `.0`, which [`Step`]s of arrays accept too.
    pub fn parse(text: &str) -> Option<Self> {
        let mut path = Self::root();
        for part in text.split('.') {
            let (key, mut rest) = part.split_at(part.find('[').unwrap_or(part.len()));
            let key = key.trim();
            if key.is_empty() {
                return None;
            }
            path = path.key(key);
            while !rest.is_empty() {
                let end = rest.find(']')?;
                let index = rest.strip_prefix('[')?.get(..end - 1)?.trim().parse().ok()?;
                path = path.index(index);
                rest = &rest[end + 1..];
            }
            if path.0.len() > 32 {
                return None;
            }
        }
        Some(path)
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, step) in self.0.iter().enumerate() {
            match step {
                Step::Key(key) if i == 0 => f.write_str(key)?,
                Step::Key(key) => write!(f, ".{key}")?,
                Step::Index(index) => write!(f, "[{index}]")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_read_and_written() {
        for text in ["run.duration", "contact[0].friction.coulomb", "body.ball.position[2]", "a[0][1].b"] {
            assert_eq!(Path::parse(text).unwrap().to_string(), text);
        }
        for bad in ["", "a..b", "a[", "a[x]", "a]", "a[0", "[0]", "a[0]x", "a[-1]", "a[]"] {
            assert_eq!(Path::parse(bad).filter(|p| p.to_string() != bad), None, "{bad}");
        }
        assert_eq!(Path::parse("a[0]x"), None);
        assert_eq!(Path::parse("[0]"), None);
    }
}
