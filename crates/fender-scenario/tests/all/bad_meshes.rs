//! Meshes that cannot be what they should be: each error says what to do.

use fender_scenario::{Assets, ScenarioError, load_str};
use std::fs;

/// A square, open and flat.
const SHEET: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1 3 4\n";

const SCENE: &str = "format = 1\ntitle = \"t\"\n[run]\nduration = 1\n[material.steel]\ndensity = 7800\n\
    [body.ball]\nshape.sphere = { radius = 0.05 }\nmaterial = \"steel\"\nposition = [0, 0, 1]\n\
    [[contact]]\nbetween = [\"steel\", \"steel\"]\nnormal.linear = { stiffness = 1e5, restitution = 0.5 }\n\
    [body.part]\nfixed = true\nmaterial = \"steel\"\n";

/// The error of the scene with more text, in a folder with these files.
fn fails(text: &str, files: &[(&str, &[u8])]) -> ScenarioError {
    let folder = tempfile::tempdir().unwrap();
    for (name, contents) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, contents).unwrap();
    }
    let assets = Assets::Dir(folder.path().to_owned());
    load_str("t", &format!("{SCENE}{text}\n"), &assets, &[]).expect_err("the file is wrong")
}

#[track_caller]
fn says(error: &ScenarioError, message: &str, advice: &str) {
    let text = error.to_string();
    assert!(text.starts_with("t/scenario.toml:"), "the place comes first: {text}");
    assert!(text.contains(message), "{text}");
    let help = error.advice().unwrap_or_default();
    assert!(help.contains(advice), "{help}");
}

#[test]
fn the_inside_of_an_open_mesh() {
    let text = "shape.mesh = { file = \"sheet.obj\" }\n[sensor.s]\nmeasure.inside = { body = \"ball\", of = \"part\" }";
    let error = fails(text, &[("sheet.obj", SHEET.as_bytes())]);
    says(
        &error,
        "`sensor.s.measure.inside.of`: the mesh of 'part' is not closed (open, 4 edges around 1 hole or rim",
        "close its surface in the program that made it, or give it `convex = \"hull\"`",
    );
}

/// A free body whose mesh is open needs all that would follow from its volume; each that is missing is named.
#[test]
fn an_open_mesh_that_moves() {
    let given = |keys: &str| {
        // The scene's last body is fixed and has a shape of its own.
        let text = format!(
            "shape.sphere = {{ radius = 1 }}\n[body.sheet]\nshape.mesh = {{ file = \"sheet.obj\" }}\nmaterial = \"steel\"\n{keys}"
        );
        fails(&text, &[("sheet.obj", SHEET.as_bytes())])
    };
    for (keys, missing) in [
        ("", "keys `mass` and `inertia` are"),
        ("mass = 2", "key `inertia` is"),
        ("inertia = [1, 1, 1]", "key `mass` is"),
    ] {
        let message = format!("so that it has no volume to weigh, and the {missing} missing");
        let error = given(keys);
        says(&error, "`body.sheet.shape`: the mesh is not closed (open, 4 edges around 1 hole or rim", "");
        says(
            &error,
            &message,
            "give the body a `mass` [kg], an `inertia` such as [0.1, 0.1, 0.1] [kg·m²] and a `center_of_mass`",
        );
    }
}

#[test]
fn a_mesh_that_is_not_there() {
    let files: &[(&str, &[u8])] =
        &[("gear.stl", b""), ("wheel.obj", b""), ("meshes/rack.stl", b""), ("notes.txt", b"")];
    let missing = |name: &str| fails(&format!("shape.mesh = {{ file = \"{name}\" }}"), files);
    let place = "`body.part.shape.mesh.file`: cannot read the file";
    says(&missing("gaer.stl"), place, "did you mean `gear.stl`?");
    // In another folder.
    says(&missing("rack.stl"), place, "did you mean `meshes/rack.stl`?");
    says(&missing("meshes/rak.stl"), place, "did you mean `meshes/rack.stl`?");
    // Nothing is called like it: what there is of its kind.
    says(&missing("Qx.stl"), place, ".stl files there: `gear.stl`");
    says(&missing("nowhere/Qx.stl"), place, "there are no .stl files there");
}

#[test]
fn the_hull_of_a_flat_mesh() {
    let error =
        fails("shape.mesh = { file = \"sheet.obj\", convex = \"hull\" }", &[("sheet.obj", SHEET.as_bytes())]);
    says(
        &error,
        "`body.part.shape.mesh.convex`: sheet.obj has no convex hull: all points are in one plane",
        "a hull needs a volume: leave `convex` out",
    );
}

#[test]
fn a_mesh_without_triangles() {
    let advice = "a mesh needs faces, and points, lines and curves have none: write it again as triangles";
    for (name, contents) in
        [("a.obj", ""), ("a.obj", "v 0 0 0\nv 1 0 0\nl 1 2\n"), ("a.stl", "solid a\nendsolid a\n")]
    {
        let error = fails(&format!("shape.mesh = {{ file = \"{name}\" }}"), &[(name, contents.as_bytes())]);
        says(&error, "there are no triangles in it", advice);
    }
}

#[test]
fn a_corner_that_is_too_far_away() {
    let sheet = |x: &str| SHEET.replace("v 1 1 0", &format!("v {x} 1 0"));
    let error = |x: &str| fails("shape.mesh = { file = \"a.obj\" }", &[("a.obj", sheet(x).as_bytes())]);
    says(&error("1e200"), "a.obj, line 3: the coordinate 1e200 is too large: they go up to 3.4e38", "");
    // Within what a file may have, but not within what can be touched.
    let large = "shape.mesh = { file = \"a.obj\", scale = 1e20 }";
    says(
        &fails(large, &[("a.obj", SHEET.as_bytes())]),
        "has the coordinate 1e20 m, which is too large: they go up to 1e15 m",
        "coordinates are those of the file times `scale`",
    );
    says(&error("inf"), "a.obj, line 3: a coordinate is not a finite number", "");
}

#[test]
fn an_stl_file_that_is_cut_short() {
    // Binary: 80 bytes of head, a count, and 50 bytes for each triangle.
    let mut binary = vec![0_u8; 80];
    binary.extend(12_u32.to_le_bytes());
    binary.extend([0_u8; 75]);
    let text = b"solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n".to_vec();
    for bytes in [binary, text] {
        let error = fails("shape.mesh = { file = \"a.stl\" }", &[("a.stl", &bytes)]);
        says(&error, "the file is cut short", "the file is not whole: copy or download it again");
    }
}
