//! A catalogue of chains, ropes, tethers and umbilicals, with sources.
//!
//! Names are `FAMILY-DIAMETERmm`, for instance `studless-chain-76mm`: the numbers of a family follow from the nominal diameter by the
//! rules of its sources, between the diameters for which these hold. Products whose numbers do not scale are listed one by one
//! (`rov-tether-7.6mm`). All of it is for a first model: strength and stiffness of a rope are what its maker says they are.

mod data;
#[cfg(test)]
mod tests;

use crate::suggest;
use data::{FAMILIES, PRODUCTS};
use std::f64::consts::FRAC_PI_4;
use std::fmt;

/// Part of critical damping of the first axial mode of lines that give none: the least that design codes give to steel members (ENV 1998-6:2003,
/// annex B).
pub const DEFAULT_DAMPING_RATIO: f64 = 0.01;

/// What kind of thing a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// Links of steel.
    Chain,
    /// Strands of steel wire.
    WireRope,
    /// Strands of fibre.
    FibreRope,
    /// Power, signals and fluids to something on the seabed, with armour.
    Umbilical,
    /// Power and signals to a vehicle.
    Tether,
}

impl LineKind {
    /// Part of critical damping of the first axial mode.
    pub fn damping_ratio(self) -> f64 {
        match self {
            Self::Umbilical => 0.05,
            _ => DEFAULT_DAMPING_RATIO,
        }
    }

    /// Where that comes from.
    pub fn damping_source(self) -> &'static str {
        match self {
            Self::Chain | Self::WireRope => {
                "between bridge cables of spiral strand, a logarithmic decrement of 0.02 or 0.3 % (ENV 1991-2-4:1995, annex C), \
                 and steel members, 1 % to 4 % (ENV 1998-6:2003, annex B), both as in SCIA Engineer's help"
            }
            Self::Umbilical => {
                "what the offshore industry accepts for umbilicals, by the abstract of a paper on their structural damping (OMAE 2011, \
                 page 549); there at the period of the waves"
            }
            Self::FibreRope | Self::Tether => "an estimate on the low side; no measurement was read",
        }
    }
}

impl fmt::Display for LineKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Chain => "chain",
            Self::WireRope => "wire rope",
            Self::FibreRope => "fibre rope",
            Self::Umbilical => "umbilical",
            Self::Tether => "tether",
        })
    }
}

/// A line of the catalogue: everything per unit of unstretched length.
#[derive(Clone, Debug, PartialEq)]
pub struct CatalogueLine {
    /// Name, as after `like`.
    pub name: String,
    /// What it is.
    pub kind: LineKind,
    /// Diameter by which it is sold [m]: of the bar of a chain, of the circle around a rope.
    pub nominal_diameter: f64,
    /// Mass in air [kg/m].
    pub mass: f64,
    /// Diameter to which the drag coefficients belong [m].
    pub drag_diameter: f64,
    /// Displaced volume [m³/m]. The water that stands in a rope is not part of it.
    pub volume: f64,
    /// Axial stiffness EA [N], of a line that has been loaded before.
    pub axial_stiffness: f64,
    /// Bending stiffness EI [N·m²]; 0 where it is neglected.
    pub bending_stiffness: f64,
    /// Torsional stiffness GJ [N·m²]; 0 where it is neglected.
    pub torsional_stiffness: f64,
    /// Minimum breaking load when new [N], if a source says it.
    pub breaking_load: Option<f64>,
    /// Smallest radius of bending in use [m], of the centre line, if there is one.
    pub bend_radius: Option<f64>,
    /// Drag coefficient across: force per length ½ρ·D·C·v² with the drag diameter D.
    pub drag_normal: f64,
    /// Drag coefficient along: force per length ½ρ·πD·C·v².
    pub drag_tangential: f64,
    /// Added mass coefficient across: mass per length ρ·πD²/4·C with the drag diameter D.
    pub added_mass_normal: f64,
    /// Added mass coefficient along, on the same circle.
    pub added_mass_tangential: f64,
    /// Where the numbers come from, and which of them are estimates.
    pub source: &'static str,
}

/// Lines that scale with the nominal diameter d [m].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LineFamily {
    /// Name, before the diameter.
    pub name: &'static str,
    /// What it is.
    pub kind: LineKind,
    /// What is sold under this name.
    pub title: &'static str,
    /// Smallest and largest nominal diameter [m].
    pub diameters: [f64; 2],
    /// Where the rules come from, and which of them are estimates.
    pub source: &'static str,
    /// Mass per length and d² [kg/m³].
    mass: f64,
    /// Mass per displaced volume [kg/m³].
    density: f64,
    /// Breaking load by powers d, d², d³ [N/m, N/m², N/m³]; zeros if unknown.
    breaking: [f64; 3],
    /// Axial stiffness by powers d, d², d³ [N/m, N/m², N/m³].
    axial: [f64; 3],
    /// Bending stiffness by powers d³ and d⁴ [N/m, N/m²].
    bending: [f64; 2],
    /// Torsional stiffness per bending stiffness.
    torsion: f64,
    /// Bend radius per d, if there is one.
    bend_radius: Option<f64>,
    /// Whether drag refers to the diameter of equal volume instead of d: a chain is no cylinder.
    volumetric: bool,
    /// Drag coefficients across, on the drag diameter, and along, on its circumference.
    drag: [f64; 2],
    /// Added mass coefficients across and along, on the circle of the drag diameter.
    added_mass: [f64; 2],
}

impl LineFamily {
    /// The member with a nominal diameter [m], which is not checked.
    fn member(&self, name: &str, d: f64) -> CatalogueLine {
        let powers = |c: [f64; 3]| ((c[2] * d + c[1]) * d + c[0]) * d;
        let mass = self.mass * d * d;
        let volume = mass / self.density;
        let bending = (self.bending[1] * d + self.bending[0]) * d * d * d;
        CatalogueLine {
            name: name.to_string(),
            kind: self.kind,
            nominal_diameter: d,
            mass,
            drag_diameter: if self.volumetric { (volume / FRAC_PI_4).sqrt() } else { d },
            volume,
            axial_stiffness: powers(self.axial),
            bending_stiffness: bending,
            torsional_stiffness: self.torsion * bending,
            breaking_load: (self.breaking != [0.0; 3]).then(|| powers(self.breaking)),
            bend_radius: self.bend_radius.map(|factor| factor * d),
            drag_normal: self.drag[0],
            drag_tangential: self.drag[1],
            added_mass_normal: self.added_mass[0],
            added_mass_tangential: self.added_mass[1],
            source: self.source,
        }
    }

    /// Smallest and largest nominal diameter [mm].
    pub fn millimetres(&self) -> [f64; 2] {
        self.diameters.map(|d| d * 1e3)
    }
}

/// Why a name is not that of a line of the catalogue.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NotInCatalogue {
    /// The name begins with no family.
    #[error("the catalogue has no line `{name}`")]
    Unknown {
        /// What was asked for.
        name: String,
    },
    /// The family is there, the diameter is not.
    #[error("`{name}` says no diameter")]
    NoDiameter {
        /// What was asked for.
        name: String,
        /// The family.
        family: &'static LineFamily,
    },
    /// The rules of the family do not hold for such a diameter.
    #[error("the rules for {} hold from {} mm to {} mm, `{name}` is outside", family.name, family.millimetres()[0], family.millimetres()[1])]
    OutOfRange {
        /// What was asked for.
        name: String,
        /// The family.
        family: &'static LineFamily,
    },
}

impl NotInCatalogue {
    /// What to do about it.
    pub fn help(&self) -> String {
        match self {
            Self::Unknown { name } => {
                let wanted = name.rsplit_once('-').map_or(name.as_str(), |(family, _)| family);
                let families = FAMILIES.iter().map(|f| f.name);
                let products = PRODUCTS.iter().map(|p| p.name);
                match suggest::nearest(name, products).or_else(|| suggest::nearest(wanted, families)) {
                    Some(near) => format!("did you mean `{near}`? `fender lines` lists the catalogue"),
                    None => "`fender lines` lists the catalogue".into(),
                }
            }
            Self::NoDiameter { family, .. } => {
                let [least, most] = family.millimetres();
                format!("write `{0}-{least}mm` to `{0}-{most}mm`", family.name)
            }
            Self::OutOfRange { .. } => {
                "give the numbers in the [line.NAME] itself; those of the maker are better than any rule"
                    .into()
            }
        }
    }
}

/// The line with a name, or why there is none.
pub fn look_up(name: &str) -> Result<CatalogueLine, NotInCatalogue> {
    if let Some(product) = PRODUCTS.iter().find(|p| p.name == name) {
        return Ok(product.line());
    }
    let named = |wanted: &str| FAMILIES.iter().find(|f| f.name == wanted);
    if let Some(family) = named(name) {
        return Err(NotInCatalogue::NoDiameter { name: name.into(), family });
    }
    let split = name.rsplit_once('-').and_then(|(family, size)| Some((named(family)?, size)));
    let Some((family, size)) = split else { return Err(NotInCatalogue::Unknown { name: name.into() }) };
    // Only digits and a point: `1e2mm` and `+24mm` are no sizes that anybody sells.
    let digits = size.strip_suffix("mm").filter(|s| s.chars().all(|c| c.is_ascii_digit() || c == '.'));
    let Some(millimetres) = digits.and_then(|s| s.parse::<f64>().ok()) else {
        return Err(NotInCatalogue::NoDiameter { name: name.into(), family });
    };
    let [least, most] = family.millimetres();
    // In millimetres, with room for rounding: the bounds themselves are inside.
    if !(millimetres >= least - 1e-9 && millimetres <= most + 1e-9) {
        return Err(NotInCatalogue::OutOfRange { name: name.into(), family });
    }
    Ok(family.member(name, millimetres * 1e-3))
}

/// The line with a name, if there is one; [`look_up`] says why not.
pub fn catalogue_line(name: &str) -> Option<CatalogueLine> {
    look_up(name).ok()
}

/// The families, in order of kind.
pub fn families() -> &'static [LineFamily] {
    FAMILIES
}

/// The products that stand for themselves.
pub fn products() -> impl Iterator<Item = CatalogueLine> {
    PRODUCTS.iter().map(data::Product::line)
}
