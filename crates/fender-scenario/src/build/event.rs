//! What comes and goes: the timeline, and bodies that wait.

use super::{Bodies, Build};
use crate::error::{ErrorKind, Problem};
use crate::spec::{EventSpec, ScenarioSpec, Table};
use crate::suggest;
use crate::tree::Path;
use fender_engine::{BodyId, CableId, Change, Fence, ForceId, LoopId};
use std::collections::BTreeMap;

/// A kind of change: its key, what it names, and whether the thing takes part afterwards.
#[derive(Clone, Copy)]
struct Verb {
    key: &'static str,
    /// What somebody would say of a thing that is already so.
    already: &'static str,
    on: bool,
}

const DETACH: Verb = Verb { key: "detach", already: "detached", on: false };
const ATTACH: Verb = Verb { key: "attach", already: "attached", on: true };
const DISABLE: Verb = Verb { key: "disable", already: "disabled", on: false };
const ENABLE: Verb = Verb { key: "enable", already: "enabled", on: true };
const LEAVE: Verb = Verb { key: "leave", already: "out of the dynamics", on: false };
const ENTER: Verb = Verb { key: "enter", already: "in the dynamics", on: true };

/// One change of the timeline, with its place in the file.
struct Planned {
    time: f64,
    change: Change,
    verb: Verb,
    name: String,
    path: Path,
}

/// Where the file speaks of something that comes and goes.
pub(super) fn path(spec: &ScenarioSpec, bodies: &Bodies, name: &str) -> Path {
    let root = Path::root();
    if spec.closed_loop.position(name).is_some() {
        root.key("loop").key(name)
    } else if spec.force.position(name).is_some() {
        root.key("force").key(name)
    } else if spec.cable.position(name).is_some() {
        root.key("cable").key(name)
    } else {
        bodies.path(name)
    }
}

/// Place of a name in a table.
fn find<T>(table: &Table<T>, name: &str, path: &Path, one: &str, many: &str) -> Result<u32, Problem> {
    let Some(index) = table.position(name) else {
        let help = suggest::help(name, table.names(), many);
        let message = format!("there is no {one} `{name}`");
        return Err(Problem::new(ErrorKind::Reference, path.clone(), message).help(help));
    };
    Ok(index as u32)
}

impl Build<'_> {
    /// Bodies that wait until others come near.
    pub(super) fn fences(&mut self) -> Result<(), Problem> {
        let spec = self.spec;
        for (name, body) in spec.body.iter() {
            let Some(idle) = &body.idle else { continue };
            let path = Path::root().key("body").key(name).key("idle");
            let own = self.bodies.find_all(name, &path)?;
            let mut near = Vec::new();
            for (i, other) in idle.near.iter().enumerate() {
                let path = path.key("near").index(i);
                if other == name {
                    let message = "a body does not wake itself";
                    return Err(Problem::new(ErrorKind::Value, path, message));
                }
                near.extend(self.bodies.find_all(other, &path)?);
            }
            for body in own {
                self.builder.fence(Fence {
                    body,
                    near: near.clone(),
                    margin: idle.margin.value,
                    rest_speed: idle.rest_speed.value,
                    rest_time: idle.rest_time.value,
                });
            }
        }
        Ok(())
    }

    /// The timeline.
    pub(super) fn events(&mut self, duration: f64) -> Result<(), Problem> {
        let spec = self.spec;
        let mut planned = Vec::new();
        for (i, event) in spec.event.iter().enumerate() {
            let path = Path::root().key("event").index(i);
            let before = planned.len();
            self.plan(event, &path, &mut planned)?;
            if planned.len() == before {
                let message = "nothing happens in this event";
                let help = "give `attach`, `detach`, `enable`, `disable`, `enter` or `leave`".to_string();
                return Err(Problem::new(ErrorKind::Key, path, message).help(help));
            }
            if event.at.value > duration {
                self.warnings.push(format!(
                    "the event at {} s comes after the end of the run at {duration} s",
                    event.at.value
                ));
            }
        }
        planned.sort_by(|a, b| a.time.total_cmp(&b.time));
        self.check_order(&planned)?;
        for event in planned {
            self.builder.at(event.time, event.change);
        }
        Ok(())
    }

    fn plan(&self, event: &EventSpec, path: &Path, planned: &mut Vec<Planned>) -> Result<(), Problem> {
        let time = event.at.value;
        let mut add = |verb: Verb, name: &str, change| {
            planned.push(Planned { time, change, verb, name: name.into(), path: path.key(verb.key) });
        };
        // Letting go comes first, so that one event can hand something over.
        for (verb, name) in [(DETACH, &event.detach), (ATTACH, &event.attach)] {
            let Some(name) = name else { continue };
            let path = path.key(verb.key);
            let change = if let Some((cable, tie)) = name.split_once('.') {
                let (id, tie) = self.tie(cable, tie, &path)?;
                if verb.on { Change::Tie(id, tie) } else { Change::Untie(id, tie) }
            } else {
                let id = LoopId(self.loop_named(name, &path)?);
                if verb.on { Change::Attach(id) } else { Change::Detach(id) }
            };
            add(verb, name, change);
        }
        for (verb, name) in [(DISABLE, &event.disable), (ENABLE, &event.enable)] {
            let Some(name) = name else { continue };
            let id = ForceId(find(&self.spec.force, name, &path.key(verb.key), "force", "forces")?);
            add(verb, name, if verb.on { Change::Enable(id) } else { Change::Disable(id) });
        }
        for (verb, name) in [(LEAVE, &event.leave), (ENTER, &event.enter)] {
            let Some(name) = name else { continue };
            for id in self.bodies.find_all(name, &path.key(verb.key))? {
                add(verb, name, if verb.on { Change::Enter(id) } else { Change::Leave(id) });
            }
        }
        Ok(())
    }

    fn loop_named(&self, name: &str, path: &Path) -> Result<u32, Problem> {
        let Some(cable) = self.spec.cable.position(name) else {
            return find(&self.spec.closed_loop, name, path, "loop", "loops");
        };
        let ties = self.ties[cable].names().map(|tie| format!("`{name}.{tie}`")).collect::<Vec<_>>();
        let message = format!("`{name}` is a cable, which is attached at one place at a time");
        let help = format!("its places: {}", ties.join(", "));
        Err(Problem::new(ErrorKind::Reference, path.clone(), message).help(help))
    }

    /// A cable, and which of its ties.
    fn tie(&self, cable: &str, tie: &str, path: &Path) -> Result<(CableId, u32), Problem> {
        let index = find(&self.spec.cable, cable, path, "cable", "cables")?;
        let ties = &self.ties[index as usize];
        let Some(place) = ties.0.iter().position(|(name, _)| name == tie) else {
            let help = suggest::help(tie, ties.names(), "places where it can be tied");
            let message = format!("the cable `{cable}` has no tie `{tie}`");
            return Err(Problem::new(ErrorKind::Reference, path.clone(), message).help(help));
        };
        if ties.0[place].1.is_none() {
            let message = format!("nothing says what the {tie} of the cable `{cable}` could be attached to");
            let help = format!(
                "such as [cable.{cable}] {tie} = {{ body = \"…\", at = [0, 0, 0], attached = false }}"
            );
            return Err(Problem::new(ErrorKind::Reference, path.clone(), message).help(help));
        }
        Ok((CableId(index), place as u32))
    }

    /// Refuses what changes nothing, where that can be known beforehand.
    fn check_order(&self, planned: &[Planned]) -> Result<(), Problem> {
        let spec = self.spec;
        let mut loops: BTreeMap<LoopId, bool> = BTreeMap::new();
        let mut ties: BTreeMap<(CableId, u32), bool> = BTreeMap::new();
        let mut forces: BTreeMap<ForceId, bool> = BTreeMap::new();
        let mut bodies: BTreeMap<BodyId, bool> = BTreeMap::new();
        for event in planned {
            let before = match event.change {
                Change::Attach(id) | Change::Detach(id) => {
                    let Some((_, closed)) = spec.closed_loop.iter().nth(id.index()) else { continue };
                    if closed.break_at.is_some() || closed.break_torque.is_some() {
                        continue;
                    }
                    loops.insert(id, event.verb.on).unwrap_or(closed.attached)
                }
                Change::Tie(id, tie) | Change::Untie(id, tie) => {
                    let first = self.ties[id.index()].0[tie as usize].1.unwrap_or(false);
                    ties.insert((id, tie), event.verb.on).unwrap_or(first)
                }
                Change::Enable(id) | Change::Disable(id) => forces.insert(id, event.verb.on).unwrap_or(true),
                // Loops take others along, so that only what is said of the body itself is known.
                Change::Enter(id) | Change::Leave(id) => {
                    let Some(before) = bodies.insert(id, event.verb.on) else { continue };
                    before
                }
            };
            if before == event.verb.on {
                let Planned { name, time, verb, path, .. } = event;
                let message = format!("`{name}` is already {} at {time} s", verb.already);
                let help = match event.change {
                    Change::Attach(_) => Some(format!("let it start open: [loop.{name}] attached = false")),
                    Change::Tie(..) => Some(
                        "let it start loose: `attached = false` where the cable says what holds it".into(),
                    ),
                    _ => None,
                };
                return Err(Problem::new(ErrorKind::Value, path.clone(), message).help(help));
            }
        }
        Ok(())
    }
}
