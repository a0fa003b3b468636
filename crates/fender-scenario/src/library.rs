//! A small library of materials and of friction between them, with sources.
//!
//! Friction is a property of a pair and of what is between it, and scatters by a factor of two: these numbers are where to begin when
//! nothing was measured, and `fender fit` is where to go when something was.

/// Elastic constants and density of a material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LibraryMaterial {
    /// Name, as after `like`.
    pub name: &'static str,
    /// Density [kg/m³].
    pub density: f64,
    /// Young's modulus [Pa].
    pub young: f64,
    /// Poisson's ratio.
    pub poisson: f64,
    /// Where the numbers come from.
    pub source: &'static str,
}

/// Friction of a pair of materials.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LibraryPair {
    /// The two materials, in any order.
    pub between: [&'static str; 2],
    /// State of the surfaces: `dry`, `wet`, `oiled`.
    pub surface: &'static str,
    /// Coefficient of static friction.
    pub fixed: f64,
    /// Coefficient of sliding friction.
    pub sliding: f64,
    /// Where the numbers come from.
    pub source: &'static str,
}

const EUROCODE_3: &str = "EN 1993-1-1:2005, section 3.2.6; density EN 1991-1-1:2002, table A.4";
const EUROCODE_9: &str = "EN 1999-1-1:2007, section 3.2.5";
const MARKS: &str =
    "Avallone and Baumeister 1996, Marks' Standard Handbook for Mechanical Engineers, table 3.2.1";
const OPENSTAX: &str = "OpenStax 2012, College Physics, table 5.1";
const CSS: &str =
    "IMO 2003, Code of Safe Practice for Cargo Stowage and Securing, annex 13: for design, on the safe side";
const ROPE: &str =
    "common practice for polyester and polyamide rope on smooth steel, 0.1 to 0.15; no measurement was read";

/// The materials.
pub const MATERIALS: &[LibraryMaterial] = &[
    LibraryMaterial { name: "steel", density: 7850.0, young: 210e9, poisson: 0.3, source: EUROCODE_3 },
    LibraryMaterial { name: "aluminium", density: 2700.0, young: 70e9, poisson: 0.3, source: EUROCODE_9 },
    LibraryMaterial {
        name: "rubber",
        density: 1100.0,
        young: 4e6,
        poisson: 0.49,
        source: "natural rubber of about 60 Shore A at small strains: Gent 2012, Engineering with Rubber, chapter 3",
    },
    LibraryMaterial {
        name: "wood",
        density: 680.0,
        young: 1e9,
        poisson: 0.35,
        source: "oak pressed across the grain, a twelfth of the stiffness along it: Forest Products Laboratory 2010, Wood Handbook, \
                 chapter 5",
    },
    LibraryMaterial {
        name: "concrete",
        density: 2400.0,
        young: 33e9,
        poisson: 0.2,
        source: "C30/37: EN 1992-1-1:2004, table 3.1 and section 3.1.3",
    },
    LibraryMaterial {
        name: "ice",
        density: 917.0,
        young: 9.3e9,
        poisson: 0.33,
        source: "fresh water, -10 °C: Petrovic 2003, J. Materials Science 38, 1-6",
    },
    LibraryMaterial {
        name: "rope",
        density: 1380.0,
        young: 1e9,
        poisson: 0.3,
        source: "polyester; the stiffness across a laid rope is a guess within a factor of ten",
    },
];

/// The pairs.
pub const PAIRS: &[LibraryPair] = &[
    LibraryPair { between: ["steel", "steel"], surface: "dry", fixed: 0.74, sliding: 0.57, source: MARKS },
    LibraryPair {
        between: ["steel", "steel"],
        surface: "oiled",
        fixed: 0.05,
        sliding: 0.03,
        source: OPENSTAX,
    },
    LibraryPair {
        between: ["aluminium", "steel"],
        surface: "dry",
        fixed: 0.61,
        sliding: 0.47,
        source: MARKS,
    },
    LibraryPair { between: ["wood", "wood"], surface: "dry", fixed: 0.62, sliding: 0.48, source: MARKS },
    LibraryPair { between: ["wood", "wood"], surface: "wet", fixed: 0.4, sliding: 0.4, source: CSS },
    LibraryPair { between: ["steel", "wood"], surface: "dry", fixed: 0.5, sliding: 0.3, source: OPENSTAX },
    LibraryPair { between: ["steel", "wood"], surface: "wet", fixed: 0.3, sliding: 0.3, source: CSS },
    LibraryPair { between: ["rubber", "steel"], surface: "dry", fixed: 0.3, sliding: 0.3, source: CSS },
    LibraryPair { between: ["rubber", "steel"], surface: "wet", fixed: 0.3, sliding: 0.3, source: CSS },
    LibraryPair {
        between: ["concrete", "rubber"],
        surface: "dry",
        fixed: 1.0,
        sliding: 0.7,
        source: OPENSTAX,
    },
    LibraryPair {
        between: ["concrete", "rubber"],
        surface: "wet",
        fixed: 0.7,
        sliding: 0.5,
        source: OPENSTAX,
    },
    LibraryPair { between: ["ice", "steel"], surface: "dry", fixed: 0.4, sliding: 0.02, source: OPENSTAX },
    LibraryPair { between: ["ice", "ice"], surface: "dry", fixed: 0.1, sliding: 0.03, source: OPENSTAX },
    LibraryPair { between: ["rope", "steel"], surface: "dry", fixed: 0.15, sliding: 0.12, source: ROPE },
    LibraryPair { between: ["rope", "steel"], surface: "wet", fixed: 0.12, sliding: 0.1, source: ROPE },
];

/// A material by name.
pub fn material(name: &str) -> Option<&'static LibraryMaterial> {
    MATERIALS.iter().find(|m| m.name == name)
}

/// Friction of two materials, by name and state of the surfaces.
pub fn pair(a: &str, b: &str, surface: &str) -> Option<&'static LibraryPair> {
    let is = |p: &&LibraryPair| (p.between == [a, b] || p.between == [b, a]) && p.surface == surface;
    PAIRS.iter().find(is)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_can_be_used_and_has_a_source() {
        for m in MATERIALS {
            assert!(
                m.density > 0.0
                    && m.young > 0.0
                    && m.poisson > 0.0
                    && m.poisson < 0.5
                    && !m.source.is_empty()
            );
        }
        for p in PAIRS {
            assert!(p.fixed >= p.sliding && p.sliding > 0.0 && !p.source.is_empty(), "{p:?}");
            assert!(p.between.iter().all(|name| material(name).is_some()), "{p:?}");
            assert_eq!(pair(p.between[1], p.between[0], p.surface), Some(p));
        }
        assert_eq!(pair("ice", "rope", "dry"), None);
    }
}
