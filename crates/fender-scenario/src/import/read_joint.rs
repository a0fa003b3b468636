//! Joints from XML.

use super::robot::{Joint, Kind, Limit, Mimic};
use super::source::{Result, Source, Spot, elements, opening};
use crate::error::ErrorKind;
use crate::suggest;
use fender_math::Vec3;
use roxmltree::Node;

/// A `<joint>`.
pub(super) fn joint(source: &mut Source, node: Node) -> Result<Joint> {
    source.check_attributes(node, &["name", "type"]);
    let (name, spot) = source.required(node, "name")?;
    let kind = kind(source, node)?;
    let (mut parent, mut child_link) = (None, None);
    let mut axis = None;
    let (mut limit_given, mut mimic_given) = (None, None);
    let (mut damping, mut friction) = (0.0, 0.0);
    let origin = source.origin(node)?;
    for inner in elements(node) {
        match inner.tag_name().name() {
            "parent" => parent = Some(linked(source, inner)?),
            "child" => child_link = Some(linked(source, inner)?),
            "axis" => axis = Some(direction(source, inner)?),
            "limit" => limit_given = Some(limit(source, inner, kind)?),
            "dynamics" => {
                source.check_attributes(inner, &["damping", "friction"]);
                damping = resistance(source, inner, "damping")?;
                friction = resistance(source, inner, "friction")?;
            }
            "mimic" => mimic_given = Some(mimic(source, inner)?),
            "origin" => {}
            _ => source.skip(inner),
        }
    }
    let needed = |found: Option<(String, Spot)>, tag: &str| {
        found.ok_or_else(|| {
            let message = format!("the joint `{name}` needs a <{tag} link=\"…\"/>");
            source.error(ErrorKind::Key, &opening(source.text, node), message, None)
        })
    };
    let (parent, parent_spot) = needed(parent, "parent")?;
    let (child, child_spot) = needed(child_link, "child")?;
    if matches!(kind, Kind::Revolute | Kind::Prismatic) && limit_given.is_none() {
        source.warn(&spot, format!("the joint `{name}` has no <limit>, and gets no stops"));
    }
    if matches!(kind, Kind::Planar) && (damping != 0.0 || friction != 0.0) {
        source.warn(&spot, format!("the <dynamics> of the planar joint `{name}` do not come along"));
    }
    Ok(Joint {
        name: name.to_owned(),
        spot,
        kind,
        parent,
        parent_spot,
        child,
        child_spot,
        origin,
        axis: axis.unwrap_or(Vec3::X),
        limit: limit_given,
        damping,
        friction,
        mimic: mimic_given,
    })
}

fn kind(source: &Source, node: Node) -> Result<Kind> {
    let (text, spot) = source.required(node, "type")?;
    let found = Kind::ALL.iter().find(|(name, _)| *name == text);
    found.map(|(_, kind)| *kind).ok_or_else(|| {
        let names = || Kind::ALL.iter().map(|(name, _)| *name);
        let message = format!("there is no joint type `{text}`");
        let all = names().collect::<Vec<_>>().join(", ");
        let near = suggest::nearest(text, names()).map(|near| format!("did you mean `{near}`? "));
        let help = format!("{}joint types: {all}", near.unwrap_or_default());
        source.error(ErrorKind::Value, &spot, message, help)
    })
}

fn linked(source: &mut Source, node: Node) -> Result<(String, Spot)> {
    source.check_attributes(node, &["link"]);
    let (name, spot) = source.required(node, "link")?;
    Ok((name.to_owned(), spot))
}

fn direction(source: &mut Source, node: Node) -> Result<Vec3> {
    source.check_attributes(node, &["xyz"]);
    let Some((axis, spot)) = source.vector(node, "xyz")? else { return Ok(Vec3::X) };
    let largest = axis.abs().max_element();
    if largest == 0.0 {
        let help = "such as \"0 0 1\"".to_string();
        return Err(source.error(ErrorKind::Value, &spot, "the axis has no length", help));
    }
    // Scaled first: squares of large and small numbers leave the range of floats.
    Ok((axis / largest).normalize())
}

fn limit(source: &mut Source, node: Node, kind: Kind) -> Result<Limit> {
    source.check_attributes(node, &["lower", "upper", "effort", "velocity"]);
    let (lower, upper) = (source.number(node, "lower")?, source.number(node, "upper")?);
    let mut range = None;
    if matches!(kind, Kind::Revolute | Kind::Prismatic) {
        let value = |given: &Option<(f64, Spot)>| given.as_ref().map_or(0.0, |(value, _)| *value);
        let (low, high) = (value(&lower), value(&upper));
        let spot = lower.or(upper).map_or_else(|| opening(source.text, node), |(_, spot)| spot);
        if low > high {
            let message = format!("the limits are reversed: lower is {low} and upper is {high}");
            return Err(source.error(ErrorKind::Value, &spot, message, None));
        }
        if low == high {
            source.warn(&spot, "the limits leave no room to move: no stops are made of them");
        } else {
            range = Some((low, high));
        }
    }
    let positive = |source: &Source, key: &str| -> Result<Option<f64>> {
        let Some((value, spot)) = source.number(node, key)? else { return Ok(None) };
        if value < 0.0 {
            let message = format!("the attribute `{key}` must not be negative, and is {value}");
            return Err(source.error(ErrorKind::Value, &spot, message, None));
        }
        Ok((value > 0.0).then_some(value))
    };
    Ok(Limit { range, effort: positive(source, "effort")?, velocity: positive(source, "velocity")? })
}

/// Damping or friction, which only resist.
fn resistance(source: &Source, node: Node, key: &str) -> Result<f64> {
    let Some((value, spot)) = source.number(node, key)? else { return Ok(0.0) };
    if value >= 0.0 {
        return Ok(value);
    }
    let message = format!("the attribute `{key}` must not be negative, and is {value}");
    Err(source.error(ErrorKind::Value, &spot, message, None))
}

fn mimic(source: &mut Source, node: Node) -> Result<Mimic> {
    source.check_attributes(node, &["joint", "multiplier", "offset"]);
    let (joint, joint_spot) = source.required(node, "joint")?;
    let multiplier = source.number(node, "multiplier")?.map_or(1.0, |(value, _)| value);
    let offset = source.number(node, "offset")?.map_or(0.0, |(value, _)| value);
    Ok(Mimic { joint: joint.to_owned(), joint_spot, multiplier, offset })
}
