//! From XML to a robot: links with mass, shapes and looks.

use super::read_joint;
use super::robot::{Geometry, Inertial, Link, Part, Robot, Solid};
use super::source::{Result, Source, child, elements, opening, optional};
use crate::error::{ErrorKind, ScenarioError};
use crate::suggest;
use fender_math::{Mat3, Vec3};
use roxmltree::{Document, Node};
use std::collections::BTreeMap;

/// Colours by the names of materials.
type Colours = BTreeMap<String, Option<[u8; 3]>>;

/// Reads the whole file.
pub(super) fn robot(source: &mut Source) -> Result<Robot> {
    let text = source.text;
    let document = Document::parse(text).map_err(|error| not_xml(source, &error))?;
    let root = document.root_element();
    let tag = root.tag_name().name();
    if tag != "robot" {
        let message = format!("a URDF file has a <robot>, and this has a <{tag}>");
        return Err(source.error(ErrorKind::Key, &opening(text, root), message, None));
    }
    if let Some(macros) = root.descendants().find(|n| is_macro(*n)) {
        let message = "this is a xacro file: its macros are not expanded";
        let help = "expand it first, for instance with: xacro robot.urdf.xacro > robot.urdf".to_string();
        return Err(source.error(ErrorKind::Syntax, &opening(text, macros), message, help));
    }
    source.check_attributes(root, &["name", "version"]);
    let name = optional(root, "name").map_or("robot", |(name, _)| name).trim().to_owned();

    let named = |tag: &'static str| elements(root).filter(move |n| n.tag_name().name() == tag);
    let mut colours = Colours::new();
    for node in named("material") {
        let (name, _) = source.required(node, "name")?;
        colours.insert(name.to_owned(), colour(source, node)?);
    }
    let mut robot = Robot { name, links: Vec::new(), joints: Vec::new() };
    for node in elements(root) {
        match node.tag_name().name() {
            "link" => robot.links.push(link(source, node, &mut colours)?),
            "joint" => robot.joints.push(read_joint::joint(source, node)?),
            "material" => {}
            _ => source.skip(node),
        }
    }
    if robot.links.is_empty() {
        return Err(source.error(ErrorKind::Model, &opening(text, root), "the robot has no <link>", None));
    }
    Ok(robot)
}

fn is_macro(node: Node) -> bool {
    node.is_element() && node.tag_name().namespace().is_some_and(|uri| uri.contains("xacro"))
}

/// The parser's complaint, at its line and column.
fn not_xml(source: &Source, error: &roxmltree::Error) -> ScenarioError {
    let position = error.pos();
    let row = (position.row as usize).saturating_sub(1);
    let line_start: usize = source.text.split_inclusive('\n').take(row).map(str::len).sum();
    let line = source.text[line_start..].lines().next().unwrap_or_default();
    let column = (position.col as usize).saturating_sub(1);
    let start = line.char_indices().nth(column).map_or(line.len(), |(i, _)| i);
    let spot = line_start + start..line_start + start;
    // The message ends with the place, which is told already.
    let message = error.to_string();
    let message = message.strip_suffix(&format!(" at {position}")).unwrap_or(&message);
    source.error(ErrorKind::Syntax, &spot, format!("this is not XML: {message}"), None)
}

fn link(source: &mut Source, node: Node, colours: &mut Colours) -> Result<Link> {
    source.check_attributes(node, &["name", "type"]);
    let (name, spot) = source.required(node, "name")?;
    let mut link =
        Link { name: name.to_owned(), spot, inertial: None, visuals: Vec::new(), collisions: Vec::new() };
    for inner in elements(node) {
        match inner.tag_name().name() {
            "inertial" => link.inertial = inertial(source, inner)?,
            "visual" => link.visuals.push(part(source, inner, colours)?),
            "collision" => link.collisions.push(part(source, inner, colours)?),
            _ => source.skip(inner),
        }
    }
    Ok(link)
}

/// `None` for a mass and an inertia of zero, which some programs write for a link that is only a frame.
fn inertial(source: &mut Source, node: Node) -> Result<Option<Inertial>> {
    let pose = source.origin(node)?;
    let inner = |source: &Source, tag: &str| {
        child(node, tag).ok_or_else(|| {
            let message = format!("<inertial> needs a <{tag}>");
            source.error(ErrorKind::Key, &opening(source.text, node), message, None)
        })
    };
    let mass_node = inner(source, "mass")?;
    source.check_attributes(mass_node, &["value"]);
    let (mass, mass_spot) = source.required_number(mass_node, "value")?;
    let inertia_node = inner(source, "inertia")?;
    let keys = ["ixx", "ixy", "ixz", "iyy", "iyz", "izz"];
    source.check_attributes(inertia_node, &keys);
    let mut entries = [0.0; 6];
    for (entry, key) in entries.iter_mut().zip(keys) {
        *entry = match key {
            "ixx" | "iyy" | "izz" => source.required_number(inertia_node, key)?.0,
            _ => source.number(inertia_node, key)?.map_or(0.0, |(value, _)| value),
        };
    }
    if mass == 0.0 && entries == [0.0; 6] {
        return Ok(None);
    }
    if mass <= 0.0 {
        let message = format!("the mass must be positive, and is {mass} kg");
        return Err(source.error(ErrorKind::Value, &mass_spot, message, None));
    }
    let [xx, xy, xz, yy, yz, zz] = entries;
    let inertia = Mat3::from_cols(Vec3::new(xx, xy, xz), Vec3::new(xy, yy, yz), Vec3::new(xz, yz, zz));
    let inertia_spot = opening(source.text, inertia_node);
    Ok(Some(Inertial { pose, mass, mass_spot, inertia, inertia_spot }))
}

/// A `<visual>` or `<collision>`.
fn part(source: &mut Source, node: Node, colours: &mut Colours) -> Result<Part> {
    source.check_attributes(node, &["name"]);
    let pose = source.origin(node)?;
    let shape = child(node, "geometry").and_then(|geometry| elements(geometry).next());
    let Some(shape) = shape else {
        let message = format!("<{}> needs a <geometry> with something in it", node.tag_name().name());
        return Err(source.error(ErrorKind::Key, &opening(source.text, node), message, None));
    };
    let geometry = geometry(source, shape)?;
    let mut shown = None;
    for inner in elements(node) {
        match inner.tag_name().name() {
            "material" => shown = material(source, inner, colours)?,
            "origin" | "geometry" => {}
            _ => source.skip(inner),
        }
    }
    Ok(Part { geometry, pose, colour: shown })
}

fn geometry(source: &mut Source, node: Node) -> Result<Geometry> {
    const KNOWN: [&str; 5] = ["box", "sphere", "cylinder", "capsule", "mesh"];
    let solid = match node.tag_name().name() {
        "box" => {
            source.check_attributes(node, &["size"]);
            Solid::Box(source.lengths(node, "size")?)
        }
        "sphere" => {
            source.check_attributes(node, &["radius"]);
            Solid::Sphere { radius: source.length(node, "radius")? }
        }
        tag @ ("cylinder" | "capsule") => {
            source.check_attributes(node, &["radius", "length"]);
            let (radius, length) = (source.length(node, "radius")?, source.length(node, "length")?);
            if tag == "cylinder" {
                Solid::Cylinder { radius, length }
            } else {
                Solid::Capsule { radius, length }
            }
        }
        "mesh" => {
            source.check_attributes(node, &["filename", "scale"]);
            let (file, file_spot) = source.required(node, "filename")?;
            let scale = scale(source, node)?;
            return Ok(Geometry::Mesh { file: file.trim().to_owned(), file_spot, scale });
        }
        other => {
            let message = format!("there is no geometry <{other}>");
            let help = suggest::help(other, KNOWN, "geometries");
            return Err(source.error(ErrorKind::Key, &opening(source.text, node), message, help));
        }
    };
    Ok(Geometry::Solid(solid))
}

/// Factors of a mesh.
fn scale(source: &mut Source, node: Node) -> Result<Vec3> {
    let Some((scale, spot)) = source.vector(node, "scale")? else { return Ok(Vec3::ONE) };
    if scale.abs().min_element() == 0.0 {
        return Err(source.error(ErrorKind::Value, &spot, "a mesh of scale zero cannot be seen", None));
    }
    if scale.min_element() < 0.0 {
        source.warn(&spot, "the mesh is not mirrored as its negative scale says: write a mirrored file");
    }
    Ok(scale.abs())
}

/// The colour of a visual: its own, or that of a material with this name.
fn material(source: &mut Source, node: Node, colours: &mut Colours) -> Result<Option<[u8; 3]>> {
    source.check_attributes(node, &["name"]);
    let own = colour(source, node)?;
    let Some((name, spot)) = optional(node, "name").filter(|(name, _)| !name.is_empty()) else {
        return Ok(own);
    };
    if own.is_some() {
        // A material may be described where it is first used.
        colours.entry(name.to_owned()).or_insert(own);
        return Ok(own);
    }
    if let Some(known) = colours.get(name) {
        return Ok(*known);
    }
    if child(node, "texture").is_none() {
        let help = suggest::nearest(name, colours.keys().map(String::as_str));
        let help = help.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        source.warn(&spot, format!("there is no material `{name}`{help}"));
    }
    Ok(None)
}

/// The `<color>` of a material, without its opacity.
fn colour(source: &mut Source, node: Node) -> Result<Option<[u8; 3]>> {
    for inner in elements(node).filter(|n| n.tag_name().name() != "color") {
        source.skip(inner);
    }
    let Some(node) = child(node, "color") else { return Ok(None) };
    source.check_attributes(node, &["rgba"]);
    let (text, spot) = source.required(node, "rgba")?;
    let rgba = source.list("rgba", text, &spot)?;
    let [r, g, b, _] = rgba[..] else {
        let message = format!("the attribute `rgba` takes four numbers, and has {}", rgba.len());
        return Err(source.error(ErrorKind::Value, &spot, message, None));
    };
    Ok(Some([r, g, b].map(|part| (part.clamp(0.0, 1.0) * 255.0).round() as u8)))
}
