//! What scenarios can refer to by name: `fender materials` and `fender lines`.

use crate::common::{folder, run};

#[test]
fn materials_are_listed_with_sources() {
    let (code, text) = run(folder().path(), &["materials"]);
    assert_eq!(code, 0, "{text}");
    for part in ["steel 7850 kg/m³ 210 GPa 0.3 EN 1993-1-1", "wood on wood", "Friction scatters"] {
        assert!(text.contains(part), "no '{part}' in: {text}");
    }
}

#[test]
fn lines_are_listed_with_their_ranges_and_sources() {
    let (code, text) = run(folder().path(), &["lines"]);
    assert_eq!(code, 0, "{text}");
    for part in [
        "studless-chain- 20mm to 180mm chain studless mooring chain, grade R3",
        "wire-rope-6x36-iwrc- 6mm to 60mm wire rope",
        "rov-tether-7.6mm tether",
        "studless-chain, studless-chain-r4: strength: IACS UR W22",
    ] {
        assert!(text.contains(part), "no '{part}' in: {text}");
    }
}

/// 76 mm of grade R3: 0.0223·76²·(44 − 0.08·76) kN, 19.9e3·0.076² kg/m, 0.854e11·0.076² N.
#[test]
fn one_line_shows_its_numbers() {
    let (code, text) = run(folder().path(), &["lines", "studless-chain-76mm"]);
    assert_eq!(code, 0, "{text}");
    for part in [
        "nominal diameter 76 mm",
        "mass 115 kg/m",
        "axial stiffness EA 493 MN",
        "bending stiffness EI neglected",
        "breaking load 4884 kN",
        "bend radius not given",
        "drag across, along 1.33, 0.203",
        "source strength: IACS UR W22",
    ] {
        assert!(text.contains(part), "no '{part}' in: {text}");
    }
}

#[test]
fn a_line_that_is_not_there_is_bad_input() {
    for (name, parts) in [
        ("studless-chain-500mm", ["hold from 20 mm to 180 mm", "outside"]),
        ("nylonrope-24mm", ["the catalogue has no line `nylonrope-24mm`", "did you mean `nylon-rope`?"]),
        ("nylon-rope", ["says no diameter", "`nylon-rope-12mm` to `nylon-rope-100mm`"]),
    ] {
        let (code, text) = run(folder().path(), &["lines", name]);
        assert_eq!(code, 2, "{text}");
        for part in parts {
            assert!(text.contains(part), "{name}: no '{part}' in: {text}");
        }
    }
}
