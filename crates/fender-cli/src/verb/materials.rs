//! `fender materials`: the library of materials and friction.

use crate::failure::Failure;
use crate::table::columns;
use fender_run::plot::number;
use fender_scenario::library::{MATERIALS, PAIRS};
use std::io::Write;

/// Prints the library with its sources.
pub fn perform() -> Result<(), Failure> {
    let head = |names: &[&str]| names.iter().map(|name| (*name).to_string()).collect::<Vec<_>>();
    let mut materials = vec![head(&["  like", "density", "Young's modulus", "Poisson's ratio", "source"])];
    materials.extend(MATERIALS.iter().map(|m| {
        vec![
            format!("  {}", m.name),
            format!("{} kg/m³", number(m.density)),
            format!("{} GPa", number(m.young * 1e-9)),
            number(m.poisson),
            m.source.into(),
        ]
    }));
    let mut pairs = vec![head(&["  between", "surface", "static", "sliding", "source"])];
    pairs.extend(PAIRS.iter().map(|p| {
        vec![
            format!("  {} on {}", p.between[0], p.between[1]),
            p.surface.into(),
            number(p.fixed),
            number(p.sliding),
            p.source.into(),
        ]
    }));
    let text = format!(
        "Materials ([material.NAME] like = \"…\"):\n{}\nFriction ([[contact]] friction.library = {{ surface = \"…\" }}):\n{}\n\
         Friction scatters by a factor of two: measure, and adjust with `fender fit`, where it matters.\n",
        columns(&materials, &[1, 2, 3]),
        columns(&pairs, &[2, 3])
    );
    Ok(std::io::stdout().write_all(text.as_bytes())?)
}
