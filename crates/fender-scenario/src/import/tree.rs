//! Which link carries which: one root, every name known, no circles.

use super::robot::{Joint, Robot};
use super::source::{Result, Source, Spot};
use crate::error::{ErrorKind, ScenarioError};
use crate::suggest;
use fender_math::Pose;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// Links in an order in which each comes after the one that carries it.
pub(super) struct Tree {
    /// Indices of links.
    pub order: Vec<usize>,
    /// The joint that carries each link, and the link that it stands on; nothing for the root.
    pub carried_by: Vec<Option<(usize, usize)>>,
    /// Pose of each link's frame in the world, as drawn.
    pub poses: Vec<Pose>,
}

impl Tree {
    pub fn new(source: &Source, robot: &Robot) -> Result<Self> {
        let links = by_name(source, "link", robot.links.iter().map(|l| (l.name.as_str(), &l.spot)))?;
        let joints = by_name(source, "joint", robot.joints.iter().map(|j| (j.name.as_str(), &j.spot)))?;
        let carried_by = carriers(source, robot, &links)?;
        check_mimics(source, robot, &joints)?;

        let root = root(source, robot, &carried_by)?;
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); robot.links.len()];
        for joint in &robot.joints {
            // Both names were looked up before.
            if let (Some(parent), Some(child)) =
                (links.get(joint.parent.as_str()), links.get(joint.child.as_str()))
            {
                children[*parent].push(*child);
            }
        }
        let mut order = vec![root];
        let mut poses = vec![Pose::IDENTITY; robot.links.len()];
        let mut reached = vec![false; robot.links.len()];
        reached[root] = true;
        let mut next = 0;
        while let Some(parent) = order.get(next).copied() {
            next += 1;
            for child in &children[parent] {
                if let Some((joint, _)) = carried_by[*child] {
                    poses[*child] = poses[parent] * robot.joints[joint].origin;
                }
                reached[*child] = true;
                order.push(*child);
            }
        }
        if let Some(link) = reached.iter().position(|reached| !reached) {
            return Err(circle(source, robot, &carried_by, link));
        }
        for link in &order {
            if !(poses[*link].translation.is_finite() && poses[*link].rotation.is_finite()) {
                let link = &robot.links[*link];
                let message = format!("the link `{}` is too far away: its position is not finite", link.name);
                return Err(source.error(ErrorKind::Value, &link.spot, message, None));
            }
        }
        Ok(Self { order, carried_by, poses })
    }

    /// The link that carries all others.
    pub fn root(&self) -> usize {
        self.order[0]
    }
}

/// Indices by name; no name is there twice.
fn by_name<'a>(
    source: &Source,
    what: &str,
    all: impl Iterator<Item = (&'a str, &'a Spot)>,
) -> Result<BTreeMap<&'a str, usize>> {
    let mut names = BTreeMap::new();
    let mut spots: Vec<&Spot> = Vec::new();
    for (i, (name, spot)) in all.enumerate() {
        match names.entry(name) {
            Entry::Vacant(free) => free.insert(i),
            Entry::Occupied(first) => {
                let labels =
                    vec![(spot.clone(), "a second time here"), (spots[*first.get()].clone(), "first here")];
                let message = format!("there are two {what}s called `{name}`");
                let help = "give one of them another name".to_string();
                return Err(source.error_at(ErrorKind::Key, labels, message, help));
            }
        };
        spots.push(spot);
    }
    Ok(names)
}

/// The joint that carries each link, and the link that this joint stands on.
fn carriers(
    source: &Source,
    robot: &Robot,
    links: &BTreeMap<&str, usize>,
) -> Result<Vec<Option<(usize, usize)>>> {
    let mut carried_by: Vec<Option<(usize, usize)>> = vec![None; robot.links.len()];
    for (i, joint) in robot.joints.iter().enumerate() {
        let find = |name: &str, spot: &Spot, end: &str| {
            links.get(name).copied().ok_or_else(|| {
                let message =
                    format!("the {end} of the joint `{}` is unknown: there is no link `{name}`", joint.name);
                let help = suggest::help(name, links.keys().copied(), "links");
                source.error(ErrorKind::Reference, spot, message, help)
            })
        };
        let parent = find(&joint.parent, &joint.parent_spot, "parent")?;
        let child = find(&joint.child, &joint.child_spot, "child")?;
        if parent == child {
            let message = format!("the joint `{}` joins the link `{}` to itself", joint.name, joint.child);
            return Err(source.error(ErrorKind::Model, &joint.child_spot, message, None));
        }
        if let Some((other, _)) = carried_by[child] {
            let other = &robot.joints[other];
            let labels = vec![
                (joint.child_spot.clone(), "a second time here"),
                (other.child_spot.clone(), "first here"),
            ];
            let message = format!(
                "the link `{}` is carried by two joints, `{}` and `{}`",
                joint.child, other.name, joint.name
            );
            let help =
                "a URDF describes a tree; close a loop in the scenario, with a [loop.NAME]".to_string();
            return Err(source.error_at(ErrorKind::Model, labels, message, help));
        }
        carried_by[child] = Some((i, parent));
    }
    Ok(carried_by)
}

/// The one link that no joint carries.
fn root(source: &Source, robot: &Robot, carried_by: &[Option<(usize, usize)>]) -> Result<usize> {
    let mut roots = carried_by.iter().enumerate().filter(|(_, by)| by.is_none()).map(|(link, _)| link);
    let Some(root) = roots.next() else {
        return Err(circle(source, robot, carried_by, 0));
    };
    let Some(other) = roots.next() else { return Ok(root) };
    let (first, second) = (&robot.links[root], &robot.links[other]);
    let labels = vec![(second.spot.clone(), "and this"), (first.spot.clone(), "this")];
    let message = format!(
        "a robot has one root, and no joint carries the links `{}` and `{}`",
        first.name, second.name
    );
    let help = "join them, or delete the one that is not needed".to_string();
    Err(source.error_at(ErrorKind::Model, labels, message, help))
}

/// Links that carry each other, found by going down from one that no root carries.
fn circle(
    source: &Source,
    robot: &Robot,
    carried_by: &[Option<(usize, usize)>],
    start: usize,
) -> ScenarioError {
    let mut link = start;
    let mut met = vec![false; robot.links.len()];
    let mut joint = None;
    while let Some((by, parent)) = carried_by[link].filter(|_| !met[link]) {
        met[link] = true;
        joint = Some(by);
        link = parent;
    }
    let link = &robot.links[link];
    let spot = joint.map_or(&link.spot, |j: usize| &robot.joints[j].spot);
    let message = format!("the joints go round in a circle: the link `{}` carries itself", link.name);
    let help = "a URDF describes a tree; close a loop in the scenario, with a [loop.NAME]".to_string();
    source.error(ErrorKind::Model, spot, message, help)
}

/// A joint mimics one that exists, both have one coordinate, and none mimics itself.
fn check_mimics(source: &Source, robot: &Robot, joints: &BTreeMap<&str, usize>) -> Result<()> {
    let mimicked = |joint: &Joint| joint.mimic.as_ref().and_then(|m| joints.get(m.joint.as_str()).copied());
    for joint in &robot.joints {
        let Some(mimic) = &joint.mimic else { continue };
        let name = &joint.name;
        let Some(other) = joints.get(mimic.joint.as_str()) else {
            let message = format!("the joint `{name}` mimics a joint `{}` that does not exist", mimic.joint);
            let help = suggest::help(&mimic.joint, joints.keys().copied(), "joints");
            return Err(source.error(ErrorKind::Reference, &mimic.joint_spot, message, help));
        };
        for one in [joint, &robot.joints[*other]] {
            if !one.kind.has_one_coordinate() {
                let message =
                    format!("the joint `{name}` cannot mimic: `{}` has no single coordinate", one.name);
                return Err(source.error(ErrorKind::Model, &mimic.joint_spot, message, None));
            }
        }
        let mut at = Some(*other);
        for _ in 0..robot.joints.len() {
            let Some(index) = at else { break };
            if robot.joints[index].name == *name {
                let message = format!("the joint `{name}` mimics itself");
                return Err(source.error(ErrorKind::Model, &mimic.joint_spot, message, None));
            }
            at = mimicked(&robot.joints[index]);
        }
    }
    Ok(())
}
