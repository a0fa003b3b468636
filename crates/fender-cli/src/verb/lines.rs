//! `fender lines`: the catalogue of chains, ropes, tethers and umbilicals.

use crate::args::Lines;
use crate::failure::Failure;
use crate::table::columns;
use fender_run::plot::{figure, number};
use fender_scenario::line_catalogue::{CatalogueLine, families, look_up, products};
use std::io::Write;

/// Prints the catalogue, or one line of it.
pub fn perform(args: &Lines) -> Result<(), Failure> {
    let text = match &args.name {
        None => catalogue(),
        Some(name) => one(&look_up(name).map_err(|e| Failure::bad_input(format!("{e}; {}", e.help())))?),
    };
    Ok(std::io::stdout().write_all(text.as_bytes())?)
}

/// Families with their ranges, products, and where the numbers come from.
fn catalogue() -> String {
    let mut rows = Vec::new();
    let mut sources: Vec<(&str, Vec<String>)> = Vec::new();
    let mut cite = |source: &'static str, name: String| match sources.iter_mut().find(|(s, _)| *s == source) {
        Some((_, names)) => names.push(name),
        None => sources.push((source, vec![name])),
    };
    for family in families() {
        let [least, most] = family.millimetres();
        rows.push(vec![
            format!("  {}-", family.name),
            format!("{}mm to {}mm", number(least), number(most)),
            family.kind.to_string(),
            family.title.into(),
        ]);
        cite(family.source, family.name.into());
    }
    for line in products() {
        rows.push(vec![format!("  {}", line.name), String::new(), line.kind.to_string(), String::new()]);
        cite(line.source, line.name);
    }
    let mut text =
        format!("Lines ([line.NAME] like = \"studless-chain-76mm\"):\n{}\nSources:\n", columns(&rows, &[]));
    for (source, names) in sources {
        text += &format!("  {}: {source}\n", names.join(", "));
    }
    text + "For a first model: ask the maker, and give what differs beside `like`. `fender lines NAME` shows the numbers of one.\n"
}

/// The numbers of one line.
fn one(line: &CatalogueLine) -> String {
    let known = |value: Option<f64>, scale: f64, unit: &str| {
        value.map_or("not given".into(), |v| format!("{} {unit}", figure(v * scale)))
    };
    let stiffness =
        |value: f64| if value == 0.0 { "neglected".into() } else { format!("{} N·m²", figure(value)) };
    let rows = [
        ("kind", line.kind.to_string()),
        ("nominal diameter", format!("{} mm", number(line.nominal_diameter * 1e3))),
        ("mass", format!("{} kg/m", figure(line.mass))),
        ("drag diameter", format!("{} mm", figure(line.drag_diameter * 1e3))),
        ("displaced volume", format!("{} m³/km", figure(line.volume * 1e3))),
        ("axial stiffness EA", format!("{} MN", figure(line.axial_stiffness * 1e-6))),
        (
            "axial damping",
            format!(
                "{} % of critical in the cable's first axial mode: {}",
                number(100.0 * line.kind.damping_ratio()),
                line.kind.damping_source()
            ),
        ),
        ("bending stiffness EI", stiffness(line.bending_stiffness)),
        ("torsional stiffness GJ", stiffness(line.torsional_stiffness)),
        ("breaking load", known(line.breaking_load, 1e-3, "kN")),
        ("bend radius", known(line.bend_radius, 1.0, "m")),
        ("drag across, along", format!("{}, {}", figure(line.drag_normal), figure(line.drag_tangential))),
        (
            "added mass across, along",
            format!("{}, {}", figure(line.added_mass_normal), figure(line.added_mass_tangential)),
        ),
        ("source", line.source.into()),
    ];
    let rows: Vec<_> = rows.into_iter().map(|(what, value)| vec![format!("  {what}"), value]).collect();
    format!("{}\n{}", line.name, columns(&rows, &[]))
}
