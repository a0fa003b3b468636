//! Bodies that begin deep in each other are warned of, and bodies at rest are not.

use fender_scenario::{Assets, load_str};

/// Warnings of a block of 10 cm and 0.5 kg on a floor whose contact it presses in by 0.05 mm, begun at this height [m] of its centre.
fn warnings(height: f64, gravity: f64, stiffness: f64) -> Vec<String> {
    let text = format!(
        "format = 1\ntitle = \"t\"\n[run]\nduration = 1\n[world]\ngravity = [0, 0, -{gravity}]\n[material.wood]\ndensity = 500\n\
         [[contact]]\nbetween = [\"wood\", \"wood\"]\nnormal.linear = {{ stiffness = {stiffness}, restitution = 0.5 }}\n\
         friction.coulomb = {{ coefficient = 0.4 }}\n\
         [body.floor]\nfixed = true\nshape.half_space = {{ normal = [0, 0, 1] }}\nmaterial = \"wood\"\n\
         [body.block]\nshape.box = {{ size = [0.1, 0.1, 0.1] }}\nmaterial = \"wood\"\nposition = [0, 0, {height}]\n"
    );
    load_str("t", &text, &Assets::none(), &[]).unwrap_or_else(|e| panic!("{e}")).warnings
}

#[test]
fn a_block_half_in_the_floor_is_told_with_what_to_do() {
    let warnings = warnings(0.03, 9.81, 1e5);
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    // ½·1e5 N/m·(20 mm)² = 20 J throw 0.5 kg at √(2·20/0.5) = 8.9 m/s.
    for part in [
        "`block` starts 20.000 mm deep in `floor`",
        "20 % of the thinner of both",
        "without losses would be thrown out at 8.94 m/s",
        "move it by 20.000 mm along (0.000, 0.000, 1.000)",
    ] {
        assert!(warnings[0].contains(part), "'{part}' is not in {warnings:?}");
    }
}

#[test]
fn what_rests_or_nearly_so_is_not() {
    // As deep as its weight presses; ten times as deep, which throws it up by 2.5 mm; not touching.
    for depth in [4.905e-5, 5e-4, -1e-3] {
        assert_eq!(warnings(0.05 - depth, 9.81, 1e5), Vec::<String>::new(), "{depth}");
    }
    // A floor so soft that the block sinks in by a fifth of itself under its weight.
    assert_eq!(warnings(0.03, 9.81, 245.0), Vec::<String>::new());
}

#[test]
fn a_shallow_start_in_a_stiff_contact_and_a_deep_one_without_weight_are() {
    // 3 mm at 1e6 N/m: 4.5 J, nine times what lifts the block by its own height.
    assert_eq!(warnings(0.047, 9.81, 1e6).len(), 1);
    assert_eq!(warnings(0.03, 0.0, 1e5).len(), 1);
    assert_eq!(warnings(0.0499, 0.0, 1e5), Vec::<String>::new());
}

/// Warnings of a cube of 10 cm whose edge points down into a groove with flanks of 45°, 15 mm deep in one and 10 mm in the other, moved by `by` [m].
fn in_a_groove(by: [f64; 3]) -> Vec<String> {
    // Along the flanks' normals (±1, 0, 1)/√2, from where the cube fits.
    let (left, right, sqrt) = (0.015, 0.010, 2.0_f64.sqrt());
    let x = (right - left) / sqrt + by[0];
    let z = 0.1 / sqrt - (left + right) / sqrt + by[2];
    let text = format!(
        "format = 1\ntitle = \"t\"\n[run]\nduration = 1\n[world]\ngravity = [0, 0, -9.81]\n[material.wood]\ndensity = 500\n\
         [[contact]]\nbetween = [\"wood\", \"wood\"]\nnormal.linear = {{ stiffness = 1e6, restitution = 0.5 }}\n\
         friction.coulomb = {{ coefficient = 0.4 }}\n\
         [body.groove]\nfixed = true\n[[body.groove.shapes]]\nshape.half_space = {{ normal = [1, 0, 1] }}\nmaterial = \"wood\"\n\
         [[body.groove.shapes]]\nshape.half_space = {{ normal = [-1, 0, 1] }}\nmaterial = \"wood\"\n\
         [body.block]\nshape.box = {{ size = [0.1, 0.1, 0.1] }}\nmaterial = \"wood\"\nposition = [{x}, {y}, {z}]\n\
         orientation.euler = {{ pitch = \"45 deg\" }}\n",
        y = by[1]
    );
    load_str("t", &text, &Assets::none(), &[]).unwrap_or_else(|e| panic!("{e}")).warnings
}

/// Out of one flank it is still in the other: what is told leads out of both.
#[test]
fn the_move_that_is_told_parts_bodies_of_several_parts() {
    let warnings = in_a_groove([0.0; 3]);
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    // √(15² + 10²) = 18.028 mm.
    let (before, along) = warnings[0].split_once(" mm along (").unwrap();
    let distance: f64 = before.rsplit(' ').next().unwrap().parse().unwrap();
    assert!((distance - 18.028).abs() < 2e-3, "{warnings:?}");
    let along: Vec<f64> = along.trim_end_matches(')').split(", ").map(|x| x.parse().unwrap()).collect();
    let by = [0, 1, 2].map(|i| 1e-3 * distance * along[i]);
    assert_eq!(in_a_groove(by), Vec::<String>::new());
}

/// Nothing leads out of a gap that is too narrow: the move out of the deeper side is told as what it is.
#[test]
fn a_move_that_does_not_part_them_is_a_first_step() {
    let text = "format = 1\ntitle = \"t\"\n[run]\nduration = 1\n[material.wood]\ndensity = 500\n\
         [[contact]]\nbetween = [\"wood\", \"wood\"]\nnormal.linear = { stiffness = 1e6, restitution = 0.5 }\n\
         friction.coulomb = { coefficient = 0.4 }\n\
         [body.gap]\nfixed = true\n[[body.gap.shapes]]\nshape.half_space = { normal = [1, 0, 0], offset = -0.035 }\nmaterial = \"wood\"\n\
         [[body.gap.shapes]]\nshape.half_space = { normal = [-1, 0, 0], offset = -0.04 }\nmaterial = \"wood\"\n\
         [body.block]\nshape.box = { size = [0.1, 0.1, 0.1] }\nmaterial = \"wood\"\n";
    let warnings = load_str("t", text, &Assets::none(), &[]).unwrap_or_else(|e| panic!("{e}")).warnings;
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    let expected = "move it by 15.000 mm along (1.000, 0.000, 0.000), as a first step: how far it takes to part them was not found";
    assert!(warnings[0].ends_with(expected), "{warnings:?}");
}
