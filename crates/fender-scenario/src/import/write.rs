//! The scenario as text, in the order and with the comments of one that was written by hand.

use super::body::{Bodies, Body, Hold};
use super::mesh::Meshes;
use super::names::Names;
use super::robot::{Geometry, Joint, Kind, Part, Robot, Solid};
use super::source::{Result, Source, Spot};
use super::text::{clean, comment, inertia, key, number, placed, plain_vector, quoted, vector};
use super::tree::Tree;
use fender_math::{Pose, Vec3};

/// Stiffness of a stop per greatest effort of the joint: it gives way by 0.01 rad, or by 1 mm.
const STOP_PER_TORQUE: f64 = 100.0;
const STOP_PER_FORCE: f64 = 1000.0;
/// Stiffness of a stop where the effort is not known [N·m/rad], [N/m].
const STOP_TORSION: f64 = 1e3;
const STOP_STIFFNESS: f64 = 1e5;
/// Growth of a stop's force with the speed into it [s/rad or s/m].
const STOP_DAMPING: f64 = 1.0;
/// Material and group of all shapes.
const ROBOT: &str = "robot";

/// The parts of a scenario file, and what it contains.
pub(super) struct Written {
    pub text: String,
    pub loops: usize,
    pub joints: usize,
}

/// Writes the scenario.
pub(super) fn scenario<'s>(
    source: &mut Source<'s>,
    robot: &Robot,
    tree: &Tree,
    bodies: &Bodies,
    meshes: &mut Meshes<'s>,
) -> Result<Written> {
    let mut names = Names::of_bodies();
    let body_names: Vec<String> = bodies
        .list
        .iter()
        .map(|body| {
            let link = &robot.links[body.link];
            names.give(source, &link.spot, &link.name)
        })
        .collect();
    let mut names = Names::default();
    let joint_names: Vec<String> =
        robot.joints.iter().map(|joint| names.give(source, &joint.spot, &joint.name)).collect();
    let starts = starts(source, robot);

    let mut writer = Writer {
        source,
        robot,
        tree,
        bodies,
        meshes,
        body_names,
        joint_names,
        starts,
        has_shapes: false,
        has_hulls: false,
    };
    let mut parts = Vec::new();
    for (i, body) in bodies.list.iter().enumerate() {
        parts.push(writer.body(i, body)?);
        if let Hold::Joint(joint) = body.hold {
            parts.push(writer.joint(joint, i));
        }
    }
    let joints = bodies.list.iter().filter(|body| matches!(body.hold, Hold::Joint(_))).count();
    let mut loops = Names::default();
    let mut count = 0;
    for (i, joint) in robot.joints.iter().enumerate() {
        if joint.mimic.is_some() {
            parts.push(writer.mimic(i, &mut loops));
            count += 1;
        }
    }
    let head = writer.head(joints > 0);
    Ok(Written { text: head + &parts.concat(), loops: count, joints })
}

/// The coordinate that each joint starts at: zero, or the nearest that its limits allow; where it mimics, what follows.
fn starts(source: &mut Source, robot: &Robot) -> Vec<f64> {
    let mut starts = vec![0.0; robot.joints.len()];
    for (start, joint) in starts.iter_mut().zip(&robot.joints) {
        if let Some((low, high)) =
            joint.limit.as_ref().and_then(|l| l.range).filter(|_| joint.mimic.is_none())
        {
            *start = 0.0_f64.clamp(low, high);
            if *start != 0.0 {
                let message =
                    format!("the joint `{}` starts at {start}: zero is beyond its limits", joint.name);
                source.warn(&joint.spot, message);
            }
        }
    }
    let index = |name: &str| robot.joints.iter().position(|joint| joint.name == name);
    let mimics: Vec<_> = robot
        .joints
        .iter()
        .map(|joint| joint.mimic.as_ref().and_then(|m| Some((index(&m.joint)?, m.multiplier, m.offset))))
        .collect();
    for i in 0..robot.joints.len() {
        // Down to the joint that mimics none, then up again. There are no circles.
        let mut chain = Vec::new();
        let mut at = i;
        while let Some((other, multiplier, offset)) = mimics[at] {
            chain.push((multiplier, offset));
            at = other;
        }
        if !chain.is_empty() {
            starts[i] =
                chain.iter().rev().fold(starts[at], |q, (multiplier, offset)| multiplier * q + offset);
        }
    }
    starts
}

struct Writer<'w, 's> {
    source: &'w mut Source<'s>,
    robot: &'w Robot,
    tree: &'w Tree,
    bodies: &'w Bodies,
    meshes: &'w mut Meshes<'s>,
    body_names: Vec<String>,
    joint_names: Vec<String>,
    starts: Vec<f64>,
    /// Whether anything can be touched.
    has_shapes: bool,
    /// Whether any of it is the hull of a mesh.
    has_hulls: bool,
}

impl Writer<'_, '_> {
    fn head(&mut self, has_joints: bool) -> String {
        self.source.warn_of_skipped();
        let file = self.source.name.rsplit(['/', '\\']).next().unwrap_or_default();
        let mut text =
            format!("# Written by `fender import` from {}. Numbers are in SI units.\n", comment(file));
        for warning in &self.source.warnings {
            text += &format!("# {}\n", comment(warning));
        }
        text += "\nformat = 1\n";
        let title = if self.robot.name.is_empty() { ROBOT } else { &self.robot.name };
        text += &format!("title = {}\n", quoted(title));
        text += "\n[run]\nduration = \"5 s\"\nintegrator.rk4 = { step = \"0.1 ms\" }\n";
        if has_joints {
            text += "\n[[record]]\nsignals = [\"joint.*\", \"energy.*\"]\nevery = \"10 ms\"\n";
        }
        if self.has_hulls {
            text += "\n# Collision meshes are touched as their convex hulls, without hollows. To change that, replace `convex = \"hull\"` by\n\
                     # `convex.pieces = { most = 16 }` for several convex solids that follow the hollows, or delete it for the triangles themselves.\n";
        }
        if self.has_shapes {
            text += &format!(
                "\n[material.{ROBOT}]\n\n\
                 # Links pass through each other: collision shapes of a URDF often overlap. To let them touch, delete this and\n\
                 # add a [[contact]] between = [\"{ROBOT}\", \"{ROBOT}\"].\n\
                 [[ignore]]\ngroups = [\"{ROBOT}\", \"{ROBOT}\"]\n"
            );
        }
        text
    }

    fn body(&mut self, index: usize, body: &Body) -> Result<String> {
        let mut text = String::from("\n");
        let others: Vec<_> = body
            .members
            .iter()
            .filter(|(link, _)| *link != body.link && !self.robot.links[*link].is_bare())
            .map(|(link, _)| comment(&self.robot.links[*link].name))
            .collect();
        if !others.is_empty() {
            text += &format!("# With what is fixed to it: {}.\n", others.join(", "));
        }
        text += &format!("[body.{}]\n", key(&self.body_names[index]));
        match &body.mass {
            None => text += "fixed = true\n",
            Some(mass) => {
                text += &format!("mass = {}\n", number(mass.mass));
                text += &format!("center_of_mass = {}\n", vector(mass.center));
                text += &format!("inertia = {}\n", inertia(&mass.inertia));
            }
        }
        for line in placed(&self.tree.poses[body.link]) {
            text += &format!("{line}\n");
        }
        text += &self.looks(body)?;
        Ok(text)
    }

    /// Shapes to collide with and visuals to look at.
    fn looks(&mut self, body: &Body) -> Result<String> {
        let mut shapes: Vec<(String, Vec<String>)> = Vec::new();
        let mut shown: Vec<Shown> = Vec::new();
        for (link, in_body) in &body.members {
            let link = &self.robot.links[*link];
            for part in &link.collisions {
                match &part.geometry {
                    Geometry::Solid(solid) => {
                        shapes.push((format!("shape.{}", shape(solid)), placed(&(*in_body * part.pose))));
                    }
                    Geometry::Mesh { file, file_spot, scale } => {
                        if let Some(shape) = self.touched(&link.name, file, file_spot, *scale)? {
                            shapes.push((shape, placed(&(*in_body * part.pose))));
                        }
                    }
                }
            }
            let meshes = link.collisions.iter().filter(|c| solid(c).is_none());
            let visible: Vec<&Part> =
                if link.visuals.is_empty() { meshes.collect() } else { link.visuals.iter().collect() };
            for part in visible {
                shown.extend(self.shown(part, in_body)?);
            }
        }
        let mut text = String::new();
        if let [(shape, place)] = &shapes[..]
            && place.is_empty()
        {
            text += &format!("{shape}\n");
        } else if !shapes.is_empty() {
            text += &list("shapes", shapes.iter().map(|(shape, place)| inline(shape.clone(), place.clone())));
        }
        self.has_shapes |= !shapes.is_empty();
        if !shapes.is_empty() {
            text += &format!("material = \"{ROBOT}\"\ngroup = \"{ROBOT}\"\n");
        }
        let first = shown.first().and_then(|s| s.colour);
        let one_colour = shown.iter().all(|s| s.colour == first);
        if let Some([r, g, b]) = first.filter(|_| one_colour) {
            text += &format!("colour = \"#{r:02x}{g:02x}{b:02x}\"\n");
        }
        let same = one_colour
            && shown.len() == shapes.len()
            && shown.iter().zip(&shapes).all(|(s, (shape, place))| s.what == *shape && s.place == *place);
        if !shown.is_empty() && !same {
            let line = |s: Shown| {
                let mut rest = s.place;
                if let Some([r, g, b]) = s.colour.filter(|_| !one_colour) {
                    rest.push(format!("colour = \"#{r:02x}{g:02x}{b:02x}\""));
                }
                inline(s.what, rest)
            };
            text += &list("visual", shown.into_iter().map(line));
        }
        Ok(text)
    }

    /// A visual; nothing if it cannot be shown.
    fn shown(&mut self, part: &Part, in_body: &Pose) -> Result<Option<Shown>> {
        let mut place = placed(&(*in_body * part.pose));
        let what = match &part.geometry {
            Geometry::Solid(solid) => format!("shape.{}", shape(solid)),
            Geometry::Mesh { file, file_spot, scale } => {
                let kept = match self.meshes.add(self.source, file, file_spot)? {
                    Ok(kept) => kept,
                    Err(why) => {
                        self.source.warn(file_spot, format!("the mesh `{file}` is not shown: {why}"));
                        return Ok(None);
                    }
                };
                if let Some(scale) = enlarged(*scale) {
                    place.insert(0, scale);
                }
                format!("mesh = {}", quoted(&kept.asset))
            }
        };
        Ok(Some(Shown { what, place, colour: part.colour }))
    }

    /// A mesh that is touched, as its convex hull if it has one; nothing if it cannot be read.
    fn touched(&mut self, link: &str, file: &str, spot: &Spot, scale: Vec3) -> Result<Option<String>> {
        let kept = match self.meshes.add(self.source, file, spot)? {
            Ok(kept) => kept,
            Err(why) => {
                let what = format!("the collision mesh `{file}` of the link `{link}` collides with nothing");
                self.source.warn(spot, format!("{what}: {why}"));
                return Ok(None);
            }
        };
        let mut keys = vec![format!("file = {}", quoted(&kept.asset))];
        keys.extend(enlarged(scale));
        if kept.has_hull {
            keys.push("convex = \"hull\"".into());
            self.has_hulls = true;
        } else {
            let what = format!("the collision mesh `{file}` of the link `{link}` is flat");
            self.source.warn(spot, format!("{what}: it is touched as a sheet without thickness"));
        }
        Ok(Some(format!("shape.mesh = {{ {} }}", keys.join(", "))))
    }

    /// The joint that carries a body.
    fn joint(&self, index: usize, body: usize) -> String {
        let joint = &self.robot.joints[index];
        let mut text = format!("\n[joint.{}]\n", key(&self.joint_names[index]));
        let carried = self.tree.carried_by[self.bodies.list[body].link];
        if let Some(parent) = carried.and_then(|(_, parent)| self.bodies.of_link[parent]) {
            text += &format!("parent = {}\n", quoted(&self.body_names[parent]));
        }
        text += &format!("child = {}\n", quoted(&self.body_names[body]));
        let pose = &self.tree.poses[self.bodies.list[body].link];
        text += &format!("point = {}\n", vector(pose.translation));
        let axis = vector(pose.rotation * joint.axis);
        match joint.kind {
            // A floating joint holds nothing, and is not written.
            Kind::Fixed | Kind::Floating => text += "motion.fixed = {}\n",
            Kind::Planar => text += &format!("motion.planar.normal = {axis}\n"),
            Kind::Revolute | Kind::Continuous | Kind::Prismatic => {
                let (motion, coordinate, _) = words(joint.kind);
                text += &format!("motion.{motion}.axis = {axis}\n");
                for line in self.acting(index, joint) {
                    text += &format!("{}\n", line.replace('@', &format!("motion.{motion}.{coordinate}")));
                }
            }
        }
        text
    }

    /// What is said of a joint's coordinate, which is written `@`.
    fn acting(&self, index: usize, joint: &Joint) -> Vec<String> {
        let mut lines = Vec::new();
        let (_, _, [position, effort]) = words(joint.kind);
        let start = self.starts[index];
        if start != 0.0 {
            lines.push(format!("@.start = {}", number(start)));
        }
        let resistance: Vec<_> = [("viscous", joint.damping), ("dry", joint.friction)]
            .iter()
            .filter(|(_, value)| *value > 0.0)
            .map(|(name, value)| format!("{name} = {}", number(*value)))
            .collect();
        if !resistance.is_empty() {
            lines.push(format!("@.friction = {{ {} }}", resistance.join(", ")));
        }
        let Some(limit) = &joint.limit else { return lines };
        if let Some((low, high)) = limit.range {
            let stiffness = stop_stiffness(joint.kind, limit.effort);
            lines.push(format!(
                "@.limits = {{ low = {}, high = {}, stiffness = {}, damping = {} }}",
                number(low),
                number(high),
                number(stiffness),
                number(STOP_DAMPING)
            ));
        }
        let most: Vec<_> = [
            limit.effort.map(|most| format!("{} {effort}", number(most))),
            limit.velocity.map(|most| format!("{} {position}/s", number(most))),
        ]
        .into_iter()
        .flatten()
        .collect();
        if !most.is_empty() {
            lines.push(format!("# The URDF allows a drive of up to {}.", most.join(" and ")));
        }
        lines
    }

    /// A joint that follows another.
    fn mimic(&self, index: usize, loops: &mut Names) -> String {
        let joint = &self.robot.joints[index];
        let Some(mimic) = &joint.mimic else { return String::new() };
        // The name was looked up before.
        let other = self.robot.joints.iter().position(|j| j.name == mimic.joint).unwrap_or(index);
        let own = &self.joint_names[index];
        let mut silent = Source::new(self.source.name, self.source.text);
        let name = loops.give(&mut silent, &joint.spot, &format!("{own}_mimic"));
        let (own, other) = (quoted(own), quoted(&self.joint_names[other]));
        format!(
            "\n[loop.{}]\nclose.coupling = {{ terms = [[{own}, 1], [{other}, {}]], value = {} }}\n",
            key(&name),
            number(-mimic.multiplier),
            number(mimic.offset)
        )
    }
}

/// Something to look at, as text.
struct Shown {
    what: String,
    place: Vec<String>,
    colour: Option<[u8; 3]>,
}

/// The words for a joint with one coordinate: its motion, its coordinate, and the units of position and effort.
fn words(kind: Kind) -> (&'static str, &'static str, [&'static str; 2]) {
    match kind {
        Kind::Prismatic => ("prismatic", "distance", ["m", "N"]),
        _ => ("revolute", "angle", ["rad", "N*m"]),
    }
}

/// A stop that gives way a little under the joint's greatest effort.
fn stop_stiffness(kind: Kind, effort: Option<f64>) -> f64 {
    let (per_effort, usual) = match kind {
        Kind::Prismatic => (STOP_PER_FORCE, STOP_STIFFNESS),
        _ => (STOP_PER_TORQUE, STOP_TORSION),
    };
    effort.map(|effort| effort * per_effort).filter(|k| k.is_finite()).map_or(usual, clean)
}

fn solid(part: &Part) -> Option<&Solid> {
    match &part.geometry {
        Geometry::Solid(solid) => Some(solid),
        Geometry::Mesh { .. } => None,
    }
}

/// A shape with its sizes.
fn shape(solid: &Solid) -> String {
    let round = |name: &str, radius: f64, length: f64| {
        format!("{name} = {{ radius = {}, height = {} }}", number(radius), number(length))
    };
    match *solid {
        Solid::Box(size) => format!("box = {{ size = {} }}", plain_vector(size)),
        Solid::Sphere { radius } => format!("sphere = {{ radius = {} }}", number(radius)),
        Solid::Cylinder { radius, length } => round("cylinder", radius, length),
        Solid::Capsule { radius, length } => round("capsule", radius, length),
    }
}

/// The factor of a mesh, or one for each axis, unless it keeps its size.
fn enlarged(scale: Vec3) -> Option<String> {
    if scale.x != scale.y || scale.y != scale.z {
        return Some(format!("scale = {}", plain_vector(scale)));
    }
    (scale.x != 1.0).then(|| format!("scale = {}", number(scale.x)))
}

/// A table on one line.
fn inline(first: String, rest: Vec<String>) -> String {
    let keys: Vec<String> = std::iter::once(first).chain(rest).collect();
    format!("{{ {} }}", keys.join(", "))
}

/// A list with one item per line; a single one needs none of its own.
fn list(name: &str, items: impl Iterator<Item = String>) -> String {
    let items: Vec<String> = items.collect();
    if let [item] = &items[..] {
        return format!("{name} = [{item}]\n");
    }
    format!("{name} = [\n    {},\n]\n", items.join(",\n    "))
}
