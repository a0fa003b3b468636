//! The catalogue against published tables. Each row names where it was read.

use super::*;

fn line(name: &str) -> CatalogueLine {
    look_up(name).unwrap_or_else(|e| panic!("{name}: {e}; {}", e.help()))
}

/// Mass [kg/m], if the table has it, and breaking load [kN], if it has that.
type Row = (&'static str, Option<f64>, Option<f64>);

fn near(rows: &[Row], tolerance: f64) {
    for (name, mass, load) in rows {
        let line = line(name);
        let check = |what: &str, is: f64, table: f64| {
            assert!((is / table - 1.0).abs() <= tolerance, "{name}: {what} {is}, the table has {table}");
        };
        if let Some(table) = mass {
            check("mass", line.mass, *table);
        }
        if let Some(table) = load {
            check("breaking load", line.breaking_load.expect("it is known") * 1e-3, *table);
        }
    }
}

/// Breaking loads of IACS UR W22 as listed by Pilotfits (offshore mooring chain); the same for both shapes of link.
#[test]
fn offshore_chain_breaks_as_the_rules_say() {
    near(
        &[
            ("studless-chain-34mm", None, Some(1065.0)),
            ("studless-chain-50mm", None, Some(2230.0)),
            ("studlink-chain-70mm", None, Some(4196.0)),
            ("studless-chain-r4-34mm", None, Some(1308.0)),
            ("studlink-chain-r4-50mm", None, Some(2740.0)),
            ("studlink-chain-r4-68mm", None, Some(4886.0)),
        ],
        1e-3,
    );
}

/// Studless: mid-link chain of pitch 4d and width 3.5d, GT Lifting G80MLFC. Stud-link: Atlantic Group, pounds per shot of 90 feet.
#[test]
fn chain_weighs_what_makers_say() {
    near(&[("studless-chain-20mm", Some(8.0), None)], 0.01);
    // Thinner than the grades of the family are sold, but the same shape.
    assert!((families()[0].member("", 0.016).mass / 5.1 - 1.0).abs() < 0.01);
    // 1-3/8 in: 1630 lb; 1-15/16 in: 3180 lb.
    let shot = 0.45359237 / (90.0 * 0.3048);
    near(&[("studlink-chain-34.925mm", Some(1630.0 * shot), None)], 0.015);
    near(&[("studlink-chain-49.2125mm", Some(3180.0 * shot), None)], 0.015);
}

/// The same drag as on the bar: 2.4·d and 1.15·d (DNV-OS-E301), and the diameters of equal volume 1.80 d and 1.89 d (OrcaFlex help).
#[test]
fn chain_drag_is_that_of_the_bar() {
    for (name, across, along, factor) in
        [("studless-chain-100mm", 2.4, 1.15, 1.8), ("studlink-chain-100mm", 2.6, 1.4, 1.89)]
    {
        let chain = line(name);
        assert!((chain.drag_diameter / 0.1 - factor).abs() < 0.01, "{name}: {}", chain.drag_diameter);
        assert!((chain.drag_normal * chain.drag_diameter / (across * 0.1) - 1.0).abs() < 5e-3, "{name}");
        let friction = chain.drag_tangential * chain.drag_diameter * std::f64::consts::PI;
        assert!((friction / (along * 0.1) - 1.0).abs() < 5e-3, "{name}");
        assert!((chain.volume - FRAC_PI_4 * chain.drag_diameter.powi(2)).abs() < 1e-12, "{name}");
    }
}

/// The OrcaFlex help's relations, and DNV-OS-E301 (2010 to 2015) for R4 studless chain: (5.45 − 0.0025·d)·1e10 Pa on both bars.
#[test]
fn chain_is_as_stiff_as_the_standard_has_it() {
    let standard = (5.45 - 0.0025 * 76.0) * 1e10 * 2.0 * FRAC_PI_4 * 0.076_f64.powi(2);
    let chain = line("studless-chain-r4-76mm");
    assert!((chain.axial_stiffness / standard - 1.0).abs() < 0.05, "{} {standard}", chain.axial_stiffness);
    assert_eq!(chain.bending_stiffness, 0.0);
}

/// DIN 766 as listed by GT Lifting (MSCSL), which rounds strengths up to the next of a series.
#[test]
fn short_link_chain() {
    near(
        &[
            ("short-link-chain-8mm", Some(1.4), Some(32.0)),
            ("short-link-chain-13mm", Some(3.9), Some(80.0)),
            ("short-link-chain-16mm", Some(5.8), Some(125.0)),
        ],
        0.06,
    );
}

/// API Specification 9A, table C.1, grade 1770, class 6×7 with a fibre core.
#[test]
fn wire_rope_6x7() {
    near(
        &[
            ("wire-rope-6x7-fc-10mm", Some(0.345), Some(58.8)),
            ("wire-rope-6x7-fc-24mm", Some(1.99), Some(338.0)),
            ("wire-rope-6x7-fc-40mm", Some(5.52), Some(940.0)),
        ],
        3e-3,
    );
}

/// 6×19: The Engineering Toolbox, improved plow steel (about grade 1770) with fibre core, in inches. 6×36: Samson's comparison of 1 inch ropes, 185 lb
/// per 100 ft; CalQlata's wire rope calculator, 32 mm of grade 1770.
#[test]
fn wire_rope_of_thin_wires() {
    near(
        &[("wire-rope-6x19-fc-19.05mm", None, Some(212.0)), ("wire-rope-6x19-fc-25.4mm", None, Some(372.0))],
        0.02,
    );
    near(&[("wire-rope-6x36-iwrc-25.4mm", Some(185.0 * 0.45359237 / 30.48), None)], 0.05);
    near(
        &[("wire-rope-6x19-iwrc-32mm", None, Some(646.5)), ("wire-rope-6x36-iwrc-32mm", None, Some(646.5))],
        5e-3,
    );
    // OrcaFlex's relations for 6×19, as in NREL's MoorPy.
    assert!((line("wire-rope-6x19-iwrc-20mm").axial_stiffness / (4.04e10 * 4e-4) - 1.0).abs() < 1e-12);
    assert!((line("wire-rope-6x19-fc-20mm").axial_stiffness / (3.67e10 * 4e-4) - 1.0).abs() < 1e-12);
}

/// AS 3569, grade 2070, galvanised, as listed by LiftingGear.
#[test]
fn wire_rope_7x19() {
    near(
        &[
            ("wire-rope-7x19-6mm", Some(0.137), Some(25.0)),
            ("wire-rope-7x19-10mm", Some(0.381), Some(68.6)),
            ("wire-rope-7x19-12mm", Some(0.548), Some(98.9)),
        ],
        0.02,
    );
}

/// Free wires are the least stiffness: below that of the same metal in one piece, whatever the rope.
#[test]
fn wire_rope_bends_more_easily_than_a_rod() {
    for family in families().iter().filter(|f| f.kind == LineKind::WireRope) {
        let rope = line(&format!("{}-10mm", family.name));
        let rod = rope.axial_stiffness * rope.nominal_diameter.powi(2) / 16.0;
        assert!(rope.bending_stiffness > 1e-3 * rod && rope.bending_stiffness < 0.1 * rod, "{}", family.name);
        assert!(rope.torsional_stiffness > 0.0 && rope.torsional_stiffness < rope.bending_stiffness);
    }
}

/// DIN 83331 in OCIMF 1997, table 6.5, in tonnes.
#[test]
fn polyester_rope() {
    let tonne = 9.80665;
    near(
        &[
            ("polyester-rope-24mm", None, Some(10.1 * tonne)),
            ("polyester-rope-48mm", None, Some(36.7 * tonne)),
            ("polyester-rope-96mm", None, Some(137.9 * tonne)),
        ],
        0.06,
    );
}

/// Bridon's Superline in DTOcean's component database, and a rope of MoorDyn's examples (290 mm, 52 kg/m, EA 333.9 MN).
#[test]
fn polyester_rope_of_parallel_strands() {
    near(
        &[
            ("polyester-parallel-rope-120mm", Some(9.5), Some(4022.0)),
            ("polyester-parallel-rope-192mm", Some(24.08), Some(10104.0)),
            ("polyester-parallel-rope-290mm", Some(52.0), None),
        ],
        0.13,
    );
    let stiffness = line("polyester-parallel-rope-290mm").axial_stiffness;
    assert!((stiffness / 333.9e6 - 1.0).abs() < 0.1, "{stiffness}");
}

/// The Cordage Institute's table as listed by Industrial Rope Supply: circumferences of 3-1/4, 6 and 10 inches, which are sold as 26, 48 and 80 mm;
/// pounds per 100 ft and pounds. Nylon is dry there.
#[test]
fn nylon_and_polypropylene_rope() {
    let (mass, force) = (0.45359237 / 30.48, 4.4482216e-3);
    near(
        &[
            ("nylon-rope-26mm", Some(29.0 * mass), Some(0.85 * 26_000.0 * force)),
            ("nylon-rope-48mm", Some(95.0 * mass), Some(0.85 * 83_000.0 * force)),
            ("nylon-rope-80mm", Some(264.0 * mass), Some(0.85 * 226_000.0 * force)),
            ("polypropylene-rope-26mm", Some(20.4 * mass), Some(14_400.0 * force)),
            ("polypropylene-rope-48mm", Some(69.0 * mass), Some(46_800.0 * force)),
            ("polypropylene-rope-80mm", Some(190.0 * mass), Some(123_000.0 * force)),
        ],
        0.07,
    );
}

/// DSM Dyneema 2007: mooring ropes of 46 mm and 1300 kN, which break below 2.5 % strain. Samson: 21.8 lb per 100 ft of 1 inch rope.
#[test]
fn dyneema_rope() {
    near(
        &[
            ("dyneema-rope-46mm", None, Some(1300.0)),
            ("dyneema-rope-25.4mm", Some(21.8 * 0.45359237 / 30.48), None),
        ],
        0.02,
    );
    // Superline, which has a jacket, in DTOcean's component database.
    near(
        &[("dyneema-rope-40mm", Some(0.87), Some(883.0)), ("dyneema-rope-80mm", Some(3.34), Some(3659.0))],
        0.15,
    );
    let rope = line("dyneema-rope-46mm");
    assert!(rope.breaking_load.expect("it is known") / rope.axial_stiffness < 0.025);
}

/// OrcaFlex help, hoses and umbilicals: 1.44e6·D kN and 3e3·D³ kN·m². Mass and bend radius of 6/10 kV cables in DTOcean's component database.
#[test]
fn umbilicals() {
    let umbilical = line("umbilical-100mm");
    assert!((umbilical.axial_stiffness / 144e6 - 1.0).abs() < 1e-9);
    assert!((umbilical.bending_stiffness / 3e3 - 1.0).abs() < 1e-9);
    assert_eq!(umbilical.breaking_load, None);
    near(&[("umbilical-79mm", Some(12.0), None), ("umbilical-91mm", Some(17.0), None)], 0.05);
    for (name, radius) in [("umbilical-79mm", 1.2), ("umbilical-91mm", 1.4)] {
        assert!((line(name).bend_radius.expect("it is known") / radius - 1.0).abs() < 0.03, "{name}");
    }
    let jumper = line("flexible-jumper-396mm");
    assert_eq!((jumper.mass, jumper.axial_stiffness, jumper.bending_stiffness), (165.0, 500e6, 120.8e3));
}

/// What the makers say of buoyancy.
#[test]
fn ropes_and_tethers_float_or_sink_as_they_should() {
    let wet = |name: &str, water: f64| {
        let line = line(name);
        line.mass - water * line.volume
    };
    assert!(wet("rov-tether-7.6mm", 998.0).abs() < 1e-9 && wet("rov-tether-11.2mm", 998.0).abs() < 1e-9);
    assert!((wet("rov-tether-45mm", 1025.0) + 0.04).abs() < 1e-9);
    for floats in ["polypropylene-rope-48mm", "dyneema-rope-48mm"] {
        assert!(wet(floats, 1000.0) < 0.0, "{floats}");
    }
    for sinks in ["nylon-rope-48mm", "polyester-rope-48mm", "wire-rope-6x19-fc-48mm", "umbilical-60mm"] {
        assert!(wet(sinks, 1025.0) > 0.0, "{sinks}");
    }
}

#[test]
fn every_line_can_be_used_and_has_a_source() {
    let ends = families().iter().flat_map(|f| f.millimetres().map(|mm| format!("{}-{mm}mm", f.name)));
    let all: Vec<_> = ends.map(|name| line(&name)).chain(products()).collect();
    assert_eq!(all.len(), 2 * families().len() + products().count());
    for line in &all {
        assert_eq!(catalogue_line(&line.name).as_ref(), Some(line));
        let positive =
            [line.nominal_diameter, line.mass, line.drag_diameter, line.volume, line.axial_stiffness];
        assert!(positive.iter().all(|x| *x > 0.0 && x.is_finite()), "{line:?}");
        let not_negative = [
            line.bending_stiffness,
            line.torsional_stiffness,
            line.drag_normal,
            line.drag_tangential,
            line.added_mass_normal,
            line.added_mass_tangential,
        ];
        assert!(not_negative.iter().all(|x| *x >= 0.0 && x.is_finite()), "{line:?}");
        assert!(line.breaking_load.is_none_or(|load| load > 0.0 && load < line.axial_stiffness), "{line:?}");
        assert!(line.bend_radius.is_none_or(|radius| radius > line.nominal_diameter), "{line:?}");
        assert!(!line.source.is_empty() && !line.source.contains("  "), "{line:?}");
        // Nothing that is round displaces more than the circle around it.
        assert!(line.volume <= 1.05 * FRAC_PI_4 * line.drag_diameter.powi(2), "{line:?}");
    }
    for family in families() {
        assert!(!family.title.is_empty() && family.diameters[0] < family.diameters[1], "{}", family.name);
        assert_eq!(
            families().iter().filter(|f| f.name == family.name).count(),
            1,
            "{} is there twice",
            family.name
        );
    }
}

#[test]
fn strength_and_mass_grow_with_the_diameter_over_the_whole_range() {
    for family in families() {
        let [least, most] = family.diameters;
        let members: Vec<_> =
            (0..=50).map(|i| family.member("", least + (most - least) * f64::from(i) / 50.0)).collect();
        for pair in members.windows(2) {
            assert!(pair[1].mass > pair[0].mass && pair[1].axial_stiffness > pair[0].axial_stiffness);
            assert!(pair[1].breaking_load >= pair[0].breaking_load, "{}", family.name);
        }
    }
}

#[test]
fn a_name_that_is_not_there_is_explained() {
    let told = |name: &str| {
        let error = look_up(name).expect_err("it is not there");
        format!("{error}; {}", error.help())
    };
    assert_eq!(
        told("studless-chain-500mm"),
        "the rules for studless-chain hold from 20 mm to 180 mm, `studless-chain-500mm` is outside; give the numbers in the [line.NAME] \
         itself; those of the maker are better than any rule"
    );
    assert_eq!(
        told("nylon-rope"),
        "`nylon-rope` says no diameter; write `nylon-rope-12mm` to `nylon-rope-100mm`"
    );
    for name in
        ["nylon-rope-24", "nylon-rope-mm", "nylon-rope-1e1mm", "nylon-rope-1.2.3mm", "nylon-rope-NaNmm"]
    {
        assert!(told(name).contains("says no diameter"), "{name}");
    }
    assert!(told("nylon-rope-0mm").contains("hold from 12 mm"));
    assert!(told("nylonrope-24mm").contains("did you mean `nylon-rope`?"));
    assert!(told("rov-tether-7mm").contains("did you mean `rov-tether-7.6mm`?"));
    assert_eq!(told("x"), "the catalogue has no line `x`; `fender lines` lists the catalogue");
    assert_eq!(catalogue_line(""), None);
}
