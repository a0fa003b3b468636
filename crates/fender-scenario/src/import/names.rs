//! Names that a scenario can have: letters, digits, `_` and `-`.

use super::source::{Source, Spot};
use crate::build::is_name;
use std::collections::BTreeSet;

/// Names of one kind that are taken.
#[derive(Default)]
pub(super) struct Names(BTreeSet<String>);

impl Names {
    /// Names of bodies: `world` stands for what carries them all.
    pub fn of_bodies() -> Self {
        Self(BTreeSet::from(["world".to_string()]))
    }

    /// The name that stands for one of the URDF. Every character that cannot be in a name becomes `_`; one that is taken
    /// then gets the first free number.
    pub fn give(&mut self, source: &mut Source, spot: &Spot, name: &str) -> String {
        let plain = plain(name);
        let numbered = (2..).map(|i| format!("{plain}_{i}"));
        let mut free = std::iter::once(plain.clone()).chain(numbered).filter(|name| !self.0.contains(name));
        let given = free.next().unwrap_or_default();
        if given != name {
            source.warn(spot, format!("`{name}` is called `{given}`"));
        }
        self.0.insert(given.clone());
        given
    }
}

/// A name with every character that cannot be in one replaced by `_`.
pub(super) fn plain(name: &str) -> String {
    name.chars().map(|c| if is_name(c.encode_utf8(&mut [0; 4])) { c } else { '_' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_rewritten_predictably() {
        let mut source = Source::new("a.urdf", "text");
        let mut names = Names::of_bodies();
        let given = ["arm", "left arm/1", "left_arm.1", "left:arm 1", "world", "hüfte"]
            .map(|name| names.give(&mut source, &(0..1), name));
        assert_eq!(given, ["arm", "left_arm_1", "left_arm_1_2", "left_arm_1_3", "world_2", "hüfte"]);
        assert_eq!(source.warnings.len(), 4);
        assert_eq!(source.warnings[0], "a.urdf:1:1: `left arm/1` is called `left_arm_1`");
    }
}
