//! Joints and their coordinates, by name.

use super::Build;
use crate::error::{ErrorKind, Problem};
use crate::suggest;
use crate::tree::Path;
use fender_engine::JointId;
use fender_engine::joint::Coordinate;

impl Build<'_> {
    /// The joint with this name.
    pub(super) fn joint_named(&self, name: &str, path: &Path) -> Result<JointId, Problem> {
        let Some(index) = self.spec.joint.position(name) else {
            let help = suggest::help(name, self.spec.joint.names(), "joints");
            let message = format!("there is no joint `{name}`");
            return Err(Problem::new(ErrorKind::Reference, path.clone(), message).help(help));
        };
        Ok(JointId(index as u32))
    }

    /// The angle or distance `JOINT` or `JOINT.COORDINATE`, and whether it is an angle.
    pub(super) fn position(&self, name: &str, path: &Path) -> Result<(JointId, usize, bool), Problem> {
        self.coordinate(name, path, false)
    }

    /// The coordinate `JOINT` or `JOINT.COORDINATE`, and whether it turns. A spin, which has a rate and no position, counts
    /// only `with_spins`.
    pub(super) fn coordinate(
        &self,
        name: &str,
        path: &Path,
        with_spins: bool,
    ) -> Result<(JointId, usize, bool), Problem> {
        let (joint, key) = name.split_once('.').map_or((name, None), |(joint, key)| (joint, Some(key)));
        let id = self.joint_named(joint, path)?;
        let all = self.joints[id.index()];
        let kinds: Vec<(usize, &str, bool)> = all
            .iter()
            .enumerate()
            .filter_map(|(i, coordinate)| match coordinate {
                Coordinate::Angle(key) => Some((i, *key, true)),
                Coordinate::Distance(key) => Some((i, *key, false)),
                Coordinate::Spin(key) => with_spins.then_some((i, *key, true)),
            })
            .collect();
        let names: Vec<&str> = kinds.iter().map(|kind| kind.1).collect();
        let found = match key {
            Some(key) => kinds.iter().find(|kind| kind.1 == key),
            None if kinds.len() == 1 => kinds.first(),
            None => None,
        };
        match found {
            Some((i, _, turns)) => Ok((id, *i, *turns)),
            None if names.is_empty() => {
                let message = format!("joint `{joint}` has neither an angle nor a distance");
                let help = (!all.is_empty()).then(|| "it has spins, and they have rates only".to_string());
                Err(Problem::new(ErrorKind::Reference, path.clone(), message).help(help))
            }
            None => {
                let message = match key {
                    Some(key) => format!("joint `{joint}` has no coordinate `{key}`"),
                    None => format!("joint `{joint}` has several coordinates, and one is needed"),
                };
                let help = format!("such as `{joint}.{}`; it has: {}", names[0], names.join(", "));
                Err(Problem::new(ErrorKind::Reference, path.clone(), message).help(help))
            }
        }
    }
}
