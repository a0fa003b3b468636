//! The numbers of the catalogue.

use super::LineKind::{Chain, FibreRope, Tether, Umbilical, WireRope};
use super::{CatalogueLine, LineFamily, LineKind};
use std::f64::consts::{FRAC_PI_4, PI};

/// Young's modulus of steel wire [Pa].
const WIRE: f64 = 206e9;
/// Tensile grade of the wires [Pa].
const GRADE_1770: f64 = 1770e6;
/// Skin friction along something smooth, on its circumference, as MoorDyn's examples take it; rules for moorings neglect it for ropes.
const SKIN: f64 = 0.008;

const STUDLESS: &str = "strength: IACS UR W22 and DNV-OS-E302, grade R3 (R4 where the name says so); mass, EA: Orcina, OrcaFlex help, chain; drag: \
     DNV-OS-E301 as there, on the diameter of equal volume; added mass: Bureau Veritas NR 493, as in NREL's MoorPy";
const STUDLINK: &str = "strength: IACS UR W22 and DNV-OS-E302, grade R3 (R4 where the name says so); mass, EA: Orcina, OrcaFlex help, chain \
     (DNV-OS-E301 has 13 % less EA); drag: DNV-OS-E301 as there, on the diameter of equal volume; added mass: Bureau Veritas NR 493, as in NREL's MoorPy";
const SHORT_LINK: &str = "DIN 766, grade 30: mean stress of 300 N/mm² at break, mass fitted to GT Lifting's table; EA and drag as of studless \
     chain: estimates";
const SIX_STRAND: &str = "mass, metallic area, strength (wires of 1770 N/mm²): EN 12385-4, factors W, C, K as in Feyrer 2015, Wire Ropes, table 1.9; EA: \
     OrcaFlex's relation for 6x19, by metallic area; EI, GJ: wires that slide freely, a lower bound; drag (DNV-OS-E301) and \
     bend radius (sheave of 20 diameters, ISO 4308-1 group M5) not checked against the texts; added mass: cylinder";
const SEVEN_STRAND: &str = "mass, strength: AS 3569, grade 2070, as listed by LiftingGear; metallic area: EN 12385-4, 6x19M-WSC; EA: 90 GPa on it, as of \
     six-strand rope; EI, GJ: wires that slide freely, a lower bound; drag (DNV-OS-E301, six-strand) and bend radius (sheave of \
     20 diameters) not checked against the texts; added mass: cylinder";
const POLYESTER: &str = "eight-strand plaited; strength: fitted to DIN 83331 as in OCIMF 1997, Mooring Equipment Guidelines, table 6.5 (±8 %, to 96 mm); mass, \
     EA: OrcaFlex's relations as in NREL's MoorPy; drag: DNV-OS-E301, added mass: Bureau Veritas NR 493, both as in MoorPy; bend radius: bollard of 8 \
     diameters, common practice; EI, GJ neglected";
const POLYESTER_PARALLEL: &str = "parallel strands for permanent moorings; mass, strength, quasi-static EA of 14 breaking loads: NREL's MoorPy, fitted to seven \
     catalogues (±13 %; under waves 11.6 + 40·mean load/breaking load); drag: DNV-OS-E301, added mass: Bureau Veritas NR 493, both as in MoorPy; EI, GJ neglected";
const NYLON: &str = "three- and eight-strand, wet: 15 % below the dry strengths; mass, strength: fitted to the Cordage Institute's table (±7 %, to 88 mm); EA of 5 \
     breaking loads: NREL's MoorPy, which gives 1 to 10; drag: DNV-OS-E301, added mass: Bureau Veritas NR 493, both as in MoorPy; bend radius: bollard of 8 \
     diameters, common practice; EI, GJ neglected";
const POLYPROPYLENE: &str = "three- and eight-strand; mass, strength: fitted to the Cordage Institute's table (±9 %, to 80 mm); EA: OrcaFlex's relation as in NREL's \
     MoorPy; drag: DNV-OS-E301, added mass: Bureau Veritas NR 493, both as in MoorPy; bend radius: bollard of 8 diameters, common practice; EI, GJ neglected";
const DYNEEMA: &str = "twelve-strand HMPE; mass, strength, quasi-static EA of 56 breaking loads: NREL's MoorPy, fitted to eight catalogues (±15 %; thin \
     single braids are sold with up to twice the strength); drag: DNV-OS-E301, added mass: Bureau Veritas NR 493, both as in MoorPy; bend radius: bollard of 8 \
     diameters, common practice; EI, GJ neglected";
const UMBILICALS: &str = "EA (15 % to 415 % of it are found), EI (55 % to 240 %): Orcina, OrcaFlex help, hoses and umbilicals; mass of 2500 kg/m³, bend \
     radius of 15 diameters: power cables of 79 to 91 mm in DTOcean's component database; GJ as of a tube of steel: estimate; drag and added mass: \
     smooth cylinder below the critical Reynolds number, DNV-RP-C205, not checked against its text";
const FATHOM: &str = "diameter, mass, breaking load: Blue Robotics, Fathom ROV tether (R2), neutral in fresh water; EA: aramid that breaks at \
     2.5 % strain; EI, GJ: rod of soft polymer (50 MPa), within a factor of ten; bend radius: 10 diameters, common practice; no measurement was read";
const VIDEORAY: &str = "diameter, bend radius: VideoRay, tether specifications (neutral), neutral in fresh water, from which the mass; EA: copper \
     conductors (2.8 mm²) at half their stiffness, being twisted; EI, GJ: rod of soft polymer (50 MPa), within a factor of ten; no measurement was read";
const WORK_CLASS: &str = "diameter, mass in air and water: technical description RT081, tether cable BWT 2, safe working load 16 kN; breaking load of \
     4 working loads, EA: aramid that breaks at 2.5 % strain, EI, GJ: rod of soft polymer (50 MPa), bend radius of 10 diameters: estimates, no \
     measurement was read";
const JUMPER: &str =
    "Lowe and Langley 2006, OMAE: flexible jumper; GJ and drag along are not given there and left out";

/// Drag coefficients of a chain, given for the diameter of its bar and asked for the diameter of equal volume, `factor` times as large.
const fn chain_drag(across: f64, along: f64, factor: f64) -> [f64; 2] {
    [across / factor, along / (factor * PI)]
}

const fn times(load: [f64; 3], factor: f64) -> [f64; 3] {
    [load[0] * factor, load[1] * factor, load[2] * factor]
}

/// Breaking load of offshore chain: c·d²·(44 − 0.08·d) [kN] with d in mm.
const fn chain_load(c: f64) -> [f64; 3] {
    [0.0, 44.0 * c * 1e9, -80.0 * c * 1e9]
}

const R3: [f64; 3] = chain_load(0.0223);
const R4: [f64; 3] = chain_load(0.0274);

const fn studless(name: &'static str, title: &'static str, breaking: [f64; 3]) -> LineFamily {
    LineFamily {
        name,
        kind: Chain,
        title,
        diameters: [0.02, 0.18],
        source: STUDLESS,
        mass: 19.9e3,
        density: 7850.0,
        breaking,
        axial: [0.0, 0.854e11, 0.0],
        bending: [0.0; 2],
        torsion: 0.0,
        bend_radius: None,
        volumetric: true,
        drag: chain_drag(2.4, 1.15, 1.8),
        added_mass: [1.0, 0.5],
    }
}

const fn studlink(name: &'static str, title: &'static str, breaking: [f64; 3]) -> LineFamily {
    LineFamily {
        source: STUDLINK,
        mass: 21.9e3,
        axial: [0.0, 1.01e11, 0.0],
        drag: chain_drag(2.6, 1.4, 1.89),
        ..studless(name, title, breaking)
    }
}

/// A wire rope by the factors W, C and K of EN 12385-4 (mass, metallic area, breaking force) and the number of its wires, core included.
const fn wire_rope(
    name: &'static str,
    title: &'static str,
    factors: [f64; 3],
    wires: f64,
    fibre_core: bool,
) -> LineFamily {
    let [w, c, k] = factors;
    // OrcaFlex: 3.67e10·d² with a fibre core and 4.04e10·d² with a wire core, both for 6x19, whose factors C are 0.384 and 0.449.
    let (density, modulus) = if fibre_core { (6840.0, 3.67e10 / 0.384) } else { (7850.0, 4.04e10 / 0.449) };
    LineFamily {
        name,
        kind: WireRope,
        title,
        diameters: [0.006, 0.06],
        source: SIX_STRAND,
        mass: w * 1e4,
        density,
        breaking: [0.0, k * GRADE_1770, 0.0],
        axial: [0.0, modulus * c, 0.0],
        // n wires of equal area a = C·d²/n, each with E·a²/(4π).
        bending: [0.0, WIRE * c * c / (4.0 * PI * wires)],
        // 2G/E of steel.
        torsion: 1.0 / 1.3,
        bend_radius: Some(10.0),
        volumetric: false,
        drag: [1.8, SKIN],
        added_mass: [1.0, 0.0],
    }
}

/// A fibre rope by mass per d² and per volume [kg/m³], breaking load and stiffness.
const fn fibre_rope(
    name: &'static str,
    mass: f64,
    density: f64,
    breaking: [f64; 3],
    axial: [f64; 3],
) -> LineFamily {
    LineFamily {
        name,
        kind: FibreRope,
        title: "",
        diameters: [0.0; 2],
        source: "",
        mass,
        density,
        breaking,
        axial,
        bending: [0.0; 2],
        torsion: 0.0,
        bend_radius: Some(4.0),
        volumetric: false,
        drag: [1.6, SKIN],
        added_mass: [1.1, 0.15],
    }
}

const NYLON_LOAD: [f64; 3] = times([2.465e5, 1.55e8, 0.0], 0.85);
const DYNEEMA_LOAD: [f64; 3] = [0.0, 580e6, 651e6];
const PARALLEL_LOAD: [f64; 3] = [0.0, 308e6, 0.0];

/// The families.
pub(super) const FAMILIES: &[LineFamily] = &[
    studless("studless-chain", "studless mooring chain, grade R3", R3),
    studless("studless-chain-r4", "studless mooring chain, grade R4", R4),
    studlink("studlink-chain", "stud-link mooring chain, grade R3", R3),
    studlink("studlink-chain-r4", "stud-link mooring chain, grade R4", R4),
    LineFamily {
        diameters: [0.006, 0.016],
        source: SHORT_LINK,
        mass: 22.6e3,
        // Two bars of the section πd²/4 at 300 N/mm².
        ..studless("short-link-chain", "short-link chain, grade 30", [0.0, 2.0 * FRAC_PI_4 * 300e6, 0.0])
    },
    wire_rope("wire-rope-6x7-fc", "six strands of 7 wires, fibre core", [0.345, 0.369, 0.332], 42.0, true),
    wire_rope("wire-rope-6x19-fc", "six strands of 19 wires, fibre core", [0.359, 0.384, 0.33], 114.0, true),
    wire_rope(
        "wire-rope-6x19-iwrc",
        "six strands of 19 wires, wire rope core",
        [0.4, 0.449, 0.356],
        163.0,
        false,
    ),
    wire_rope("wire-rope-6x36-fc", "six strands of 36 wires, fibre core", [0.367, 0.393, 0.33], 216.0, true),
    wire_rope(
        "wire-rope-6x36-iwrc",
        "six strands of 36 wires, wire rope core",
        [0.409, 0.46, 0.356],
        265.0,
        false,
    ),
    LineFamily {
        diameters: [0.003, 0.012],
        source: SEVEN_STRAND,
        breaking: [0.0, 686e6, 0.0],
        ..wire_rope(
            "wire-rope-7x19",
            "seven strands of 19 wires: winches, rigging",
            [0.381, 0.418, 0.0],
            133.0,
            false,
        )
    },
    LineFamily {
        title: "polyester rope, plaited",
        diameters: [0.012, 0.12],
        source: POLYESTER,
        ..fibre_rope("polyester-rope", 797.8, 1380.0, [3.24e5, 1.488e8, 0.0], [0.0, 1.09e9, 0.0])
    },
    LineFamily {
        title: "polyester rope, parallel strands",
        diameters: [0.1, 0.3],
        source: POLYESTER_PARALLEL,
        bend_radius: None,
        ..fibre_rope("polyester-parallel-rope", 679.0, 1380.0, PARALLEL_LOAD, times(PARALLEL_LOAD, 14.0))
    },
    LineFamily {
        title: "nylon (polyamide) rope, laid or plaited",
        diameters: [0.012, 0.1],
        source: NYLON,
        ..fibre_rope("nylon-rope", 625.0, 1140.0, NYLON_LOAD, times(NYLON_LOAD, 5.0))
    },
    LineFamily {
        title: "polypropylene rope, laid or plaited; floats",
        diameters: [0.012, 0.1],
        source: POLYPROPYLENE,
        ..fibre_rope("polypropylene-rope", 450.0, 910.0, [3.32e5, 8.24e7, 0.0], [0.0, 1.06e9, 0.0])
    },
    LineFamily {
        title: "Dyneema (HMPE) rope, twelve strands; floats",
        diameters: [0.01, 0.18],
        source: DYNEEMA,
        ..fibre_rope("dyneema-rope", 496.0, 975.0, DYNEEMA_LOAD, times(DYNEEMA_LOAD, 56.0))
    },
    LineFamily {
        name: "umbilical",
        kind: Umbilical,
        title: "umbilical or power cable with armour",
        diameters: [0.05, 0.3],
        source: UMBILICALS,
        mass: 2500.0 * FRAC_PI_4,
        density: 2500.0,
        breaking: [0.0; 3],
        axial: [1.44e9, 0.0, 0.0],
        bending: [3e6, 0.0],
        torsion: 1.0 / 1.3,
        bend_radius: Some(15.0),
        volumetric: false,
        drag: [1.2, SKIN],
        added_mass: [1.0, 0.0],
    },
];

/// A line that stands for itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct Product {
    /// Name.
    pub name: &'static str,
    kind: LineKind,
    /// Diameter [m].
    diameter: f64,
    /// Mass [kg/m].
    mass: f64,
    /// Displaced volume [m³/m].
    volume: f64,
    /// EA [N].
    axial: f64,
    /// EI [N·m²].
    bending: f64,
    /// GJ [N·m²].
    torsion: f64,
    /// Breaking load [N].
    breaking: Option<f64>,
    /// Bend radius [m].
    bend_radius: Option<f64>,
    /// Drag across and along.
    drag: [f64; 2],
    source: &'static str,
}

impl Product {
    /// As a line of the catalogue.
    pub fn line(&self) -> CatalogueLine {
        CatalogueLine {
            name: self.name.to_string(),
            kind: self.kind,
            nominal_diameter: self.diameter,
            mass: self.mass,
            drag_diameter: self.diameter,
            volume: self.volume,
            axial_stiffness: self.axial,
            bending_stiffness: self.bending,
            torsional_stiffness: self.torsion,
            breaking_load: self.breaking,
            bend_radius: self.bend_radius,
            drag_normal: self.drag[0],
            drag_tangential: self.drag[1],
            added_mass_normal: 1.0,
            added_mass_tangential: 0.0,
            source: self.source,
        }
    }
}

/// Volume of a round line per length [m²].
const fn circle(diameter: f64) -> f64 {
    FRAC_PI_4 * diameter * diameter
}

/// Bending stiffness of a rod of soft polymer [N·m²].
const fn polymer(diameter: f64) -> f64 {
    50e6 * circle(diameter) * diameter * diameter / 16.0
}

/// Breaking load [N] per safe working load of the work class tether.
const WORKING_LOADS: f64 = 4.0;
/// Strain at which aramid breaks.
const ARAMID: f64 = 0.025;

/// The products.
pub(super) const PRODUCTS: &[Product] = &[
    Product {
        name: "rov-tether-7.6mm",
        kind: Tether,
        diameter: 7.6e-3,
        mass: 0.043,
        // It floats neither up nor down in fresh water: what it displaces is not that of its largest diameter.
        volume: 0.043 / 998.0,
        axial: 1557.0 / ARAMID,
        bending: polymer(7.6e-3),
        // A rubber-like material: G = E/3, J = 2I.
        torsion: polymer(7.6e-3) * 2.0 / 3.0,
        breaking: Some(1557.0),
        bend_radius: Some(0.076),
        drag: [1.2, SKIN],
        source: FATHOM,
    },
    Product {
        name: "rov-tether-11.2mm",
        kind: Tether,
        diameter: 11.18e-3,
        mass: 998.0 * circle(11.18e-3),
        volume: circle(11.18e-3),
        axial: 0.5 * 110e9 * 2.8e-6,
        bending: polymer(11.18e-3),
        torsion: polymer(11.18e-3) * 2.0 / 3.0,
        breaking: None,
        bend_radius: Some(0.114),
        drag: [1.2, SKIN],
        source: VIDEORAY,
    },
    Product {
        name: "rov-tether-45mm",
        kind: Tether,
        diameter: 0.045,
        mass: 1.6,
        // 40 kg/km lighter than the sea water that it displaces.
        volume: 1.64 / 1025.0,
        axial: WORKING_LOADS * 16e3 / ARAMID,
        bending: polymer(0.045),
        torsion: polymer(0.045) * 2.0 / 3.0,
        breaking: Some(WORKING_LOADS * 16e3),
        bend_radius: Some(0.45),
        drag: [1.2, SKIN],
        source: WORK_CLASS,
    },
    Product {
        name: "flexible-jumper-396mm",
        kind: Umbilical,
        diameter: 0.396,
        mass: 165.0,
        volume: circle(0.396),
        axial: 500e6,
        bending: 120.8e3,
        torsion: 0.0,
        breaking: None,
        bend_radius: None,
        drag: [1.0, 0.0],
        source: JUMPER,
    },
];
