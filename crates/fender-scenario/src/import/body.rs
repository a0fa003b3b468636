//! Which links make a body. Most do by themselves; one without a mass joins what it is fixed to.

use super::Base;
use super::robot::{Kind, Robot};
use super::source::{Result, Source};
use super::tree::Tree;
use crate::error::ErrorKind;
use fender_math::{MassProperties, Pose, Vec3};

/// How a body is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hold {
    /// It never moves.
    Fixed,
    /// By nothing.
    Free,
    /// By a joint.
    Joint(usize),
}

/// A body of the scenario.
pub(super) struct Body {
    /// The link whose name and frame it has.
    pub link: usize,
    /// Its links, and their frames in its own.
    pub members: Vec<(usize, Pose)>,
    pub hold: Hold,
    /// In its frame; nothing for what never moves.
    pub mass: Option<MassProperties>,
}

/// Bodies of a robot, each after the one that carries it.
pub(super) struct Bodies {
    pub list: Vec<Body>,
    /// The body that each link belongs to; nothing if that is the world.
    pub of_link: Vec<Option<usize>>,
}

impl Bodies {
    pub fn new(source: &Source, robot: &Robot, tree: &Tree, base: Base) -> Result<Self> {
        let groups = groups(robot, tree, base);
        let mut bodies = Self { list: Vec::new(), of_link: vec![None; robot.links.len()] };
        for (first, members) in groups {
            let hold = match tree.carried_by[first] {
                None if base == Base::Fixed => Hold::Fixed,
                None => Hold::Free,
                Some((joint, _)) if robot.joints[joint].kind == Kind::Floating => Hold::Free,
                Some((joint, _)) => Hold::Joint(joint),
            };
            let mut link = first;
            if hold == Hold::Fixed {
                // A root such as `world` is only a frame: the body is then what stands in it, and without that the world itself.
                let Some(solid) = members.iter().find(|m| !robot.links[**m].is_bare()) else { continue };
                link = *solid;
            }
            let in_body = |member: &usize| {
                // Exactly, where nothing has to be computed.
                let same = *member == link;
                let pose =
                    if same { Pose::IDENTITY } else { tree.poses[link].inverse() * tree.poses[*member] };
                (*member, pose)
            };
            let members: Vec<(usize, Pose)> = members.iter().map(in_body).collect();
            let mass = match hold {
                Hold::Fixed => None,
                _ => Some(mass(source, robot, tree, first, &members)?),
            };
            for (member, _) in &members {
                bodies.of_link[*member] = Some(bodies.list.len());
            }
            bodies.list.push(Body { link, members, hold, mass });
        }
        Ok(bodies)
    }
}

/// Links that are one body, by the first of them. A link without a mass joins what carries it through a fixed joint; if that
/// has no mass either, the next link that is fixed to it and has one gives its own.
fn groups(robot: &Robot, tree: &Tree, base: Base) -> Vec<(usize, Vec<usize>)> {
    let mut group_of = vec![0; robot.links.len()];
    let mut groups: Vec<(usize, Vec<usize>)> = Vec::new();
    let mut has_mass: Vec<bool> = Vec::new();
    for link in tree.order.iter().copied() {
        let heavy = robot.links[link].inertial.is_some();
        if let Some((joint, parent)) = tree.carried_by[link]
            && robot.joints[joint].kind == Kind::Fixed
            && !(heavy && has_mass[group_of[parent]])
        {
            let group = group_of[parent];
            group_of[link] = group;
            groups[group].1.push(link);
            has_mass[group] |= heavy;
            continue;
        }
        group_of[link] = groups.len();
        // What never moves needs no mass, and takes none from others.
        has_mass.push(heavy || (link == tree.root() && base == Base::Fixed));
        groups.push((link, vec![link]));
    }
    groups
}

/// The mass of a body that moves.
fn mass(
    source: &Source,
    robot: &Robot,
    tree: &Tree,
    first: usize,
    members: &[(usize, Pose)],
) -> Result<MassProperties> {
    let heavy = members.iter().find_map(|(m, pose)| Some((robot.links[*m].inertial.as_ref()?, pose)));
    let Some((inertial, pose)) = heavy else {
        let name = &robot.links[first].name;
        let (message, help) = match tree.carried_by[first] {
            Some((joint, _)) => (
                format!(
                    "the link `{name}` moves on the joint `{}` and has no mass: how it accelerates is undefined",
                    robot.joints[joint].name
                ),
                "give it an <inertial>, or make the joint fixed",
            ),
            None => (
                format!("the link `{name}` is to be free and has no mass: how it accelerates is undefined"),
                "give it an <inertial>, or leave the base fixed",
            ),
        };
        let spot = &robot.links[first].spot;
        return Err(source.error(ErrorKind::Model, spot, message, help.to_string()));
    };
    let own = MassProperties { mass: inertial.mass, center: Vec3::ZERO, inertia: inertial.inertia };
    let in_link = own.transformed(&inertial.pose);
    let properties = in_link.transformed(pose);
    properties.check().map_err(|error| {
        let spot = match error {
            fender_math::MassError::Mass(_) => &inertial.mass_spot,
            _ => &inertial.inertia_spot,
        };
        source.error(ErrorKind::Value, spot, error.to_string(), None)
    })?;
    Ok(properties)
}
