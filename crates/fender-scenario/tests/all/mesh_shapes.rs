//! `shape.mesh`: what it makes, how it behaves, and what is refused.

use fender_engine::{BodyId, World};
use fender_geom::Shape;
use fender_scenario::{Assets, Scenario, ScenarioError, load_str};
use std::fmt::Write;

const SCENE: &str = "format = 1\ntitle = \"t\"\n[run]\nduration = 1\nintegrator.rk4 = { step = 1e-4 }\n\
    [material.steel]\ndensity = 7800\n\
    [[contact]]\nbetween = [\"steel\", \"steel\"]\nnormal.linear = { stiffness = \"1e5 N/m\", restitution = 0.5 }\nfriction.coulomb = { coefficient = 0.4 }\n\
    [body.ball]\nshape.sphere = { radius = 0.05 }\nmaterial = \"steel\"\nposition = [0.012, 0.017, 0.05]\nvelocity = [0.7, 0.3, 0]\n";

/// A flat floor of n × n squares, each of two triangles, about the origin, as an OBJ file.
fn floor(n: usize, size: f64) -> String {
    let mut text = String::new();
    let at = |i: usize| size * (i as f64 / n as f64 - 0.5);
    for j in 0..=n {
        for i in 0..=n {
            let _ = writeln!(text, "v {} {} 0", at(i), at(j));
        }
    }
    for j in 0..n {
        for i in 0..n {
            let a = j * (n + 1) + i + 1;
            let (b, c, d) = (a + 1, a + n + 2, a + n + 1);
            let _ = writeln!(text, "f {a} {b} {c}\nf {a} {c} {d}");
        }
    }
    text
}

fn load(floor: &str, obj: String) -> Result<Scenario, Box<ScenarioError>> {
    let bytes: &'static [u8] = Box::leak(obj.into_bytes().into_boxed_slice());
    let assets = Assets::Embedded(vec![("floor.obj".into(), bytes)]);
    load_str(
        "t",
        &format!("{SCENE}[body.floor]\nfixed = true\nmaterial = \"steel\"\n{floor}\n"),
        &assets,
        &[],
    )
    .map_err(Box::new)
}

/// The same with a floor that is free.
fn load_free(floor: &str, obj: String) -> Result<Scenario, Box<ScenarioError>> {
    let bytes: &'static [u8] = Box::leak(obj.into_bytes().into_boxed_slice());
    let assets = Assets::Embedded(vec![("floor.obj".into(), bytes)]);
    load_str("t", &format!("{SCENE}[body.floor]\nmaterial = \"steel\"\n{floor}\n"), &assets, &[])
        .map_err(Box::new)
}

fn rolled(floor: &str, obj: String) -> World {
    let scenario = load(floor, obj).unwrap_or_else(|error| panic!("{error}"));
    let integrator = scenario.run.integrator.build();
    let mut world = World::new(scenario.model);
    while world.state.time < 0.5 {
        world.step(integrator.as_ref(), f64::INFINITY).expect("it steps");
    }
    world.refresh();
    world
}

#[test]
fn a_ball_rolls_over_a_fine_flat_mesh_as_over_a_plane() {
    let plane = rolled("shape.half_space = { normal = [0, 0, 1] }", String::new());
    let mesh = rolled("shape.mesh = { file = \"floor.obj\", scale = 2 }", floor(60, 0.5));
    let [a, b] = [&plane, &mesh].map(|world| world.pose(BodyId(0)).translation);
    assert!(a.x > 0.2, "it rolls: {a}");
    assert!(a.distance(b) < 1e-9, "{a} {b}");
    let [f, g] = [&plane, &mesh]
        .map(|world| world.contacts().map(fender_engine::Contact::force).sum::<fender_math::Vec3>());
    assert!(f.distance(g) < 1e-6 * f.length(), "{f} {g}");
}

#[test]
fn a_mesh_is_shown_and_one_of_each_is_kept() {
    let text = "shapes = [{ shape.mesh = { file = \"floor.obj\" } }, { shape.mesh = { file = \"floor.obj\" }, position = [0, 0, -1] }]";
    let scenario = load(text, floor(2, 1.0)).unwrap();
    let meshes: Vec<_> = scenario
        .model
        .shapes
        .iter()
        .filter_map(|s| if let Shape::Mesh(mesh) = &s.shape { Some(mesh) } else { None })
        .collect();
    assert_eq!(meshes.len(), 2);
    assert!(std::sync::Arc::ptr_eq(meshes[0], meshes[1]));
    assert_eq!((scenario.meshes.len(), scenario.visuals.len()), (1, 2));
}

#[test]
fn what_is_doubtful_or_impossible_is_told() {
    let shape = "shape.mesh = { file = \"floor.obj\" }";
    // One triangle of two is turned.
    let flipped = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1 4 3\n".to_string();
    let warnings = load(shape, flipped).unwrap().warnings;
    assert_eq!(
        warnings,
        [
            "`body.floor.shape.mesh.file`: floor.obj: 1 edge whose triangles disagree on what is outside, first of triangle 0 at (0.5, 0.5, 0) m"
        ]
    );
    let missing = load("shape.mesh = { file = \"flor.obj\" }", String::new()).unwrap_err();
    assert_eq!(
        missing.to_string(),
        "t/scenario.toml:20:23: `body.floor.shape.mesh.file`: cannot read the file `flor.obj`: there is no such file"
    );
    // Free bodies need a volume, and what is wrong is said: nothing is open here.
    let cube = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 4 3\n";
    let turned = load_free(shape, cube.into()).unwrap_err();
    assert!(turned.to_string().ends_with(
        "the mesh is not closed (turned triangles at 3 edges, first at (0.5000, 0.5000, 0.0000) m), so that it has no volume to weigh, \
         and the keys `mass` and `inertia` are missing"
    ), "{turned}");
    let open = load_free(shape, floor(1, 1.0)).unwrap_err().to_string();
    assert!(open.contains("(open, 4 edges around 1 hole or rim, first at ("), "{open}");
    // From outside of its folder a scenario reads nothing: the suggestion is what would be read.
    let outside = load("shape.mesh = { file = \"/srv/cad/floor.obj\" }", floor(2, 1.0)).unwrap_err();
    assert!(
        outside.to_string().ends_with("the path must be relative and below the scenario's folder"),
        "{outside}"
    );
    assert_eq!(outside.advice(), Some("did you mean `floor.obj`?"));
    let outside = load("shape.mesh = { file = \"../cad/flat.obj\" }", floor(2, 1.0)).unwrap_err();
    assert_eq!(outside.advice(), Some("copy it beside the file that names it and write `flat.obj`"));
    let flat = load(shape, "v 0 0 0\nv 1 0 0\nv 1 0 0\nf 1 2 3\n".into()).unwrap_err().to_string();
    assert!(flat.contains("floor.obj: there are no triangles in it"), "{flat}");
}

/// Parts of one mesh that overlap weigh twice where they do: that is told, once for each file.
#[test]
fn overlapping_parts_are_noted() {
    // Below the ball, the second a quarter to the side of the first, or far away.
    let pair = |x: f64| {
        let part = |x: f64, n: i32| {
            let v = format!("v {x} 0 -2\nv {} 0 -2\nv {x} 1 -2\nv {x} 0 -1\n", x + 1.0);
            let f = [[1, 3, 2], [1, 2, 4], [1, 4, 3], [2, 3, 4]]
                .map(|f| f.map(|i| (i + n).to_string()).join(" "));
            format!("{v}f {}\n", f.join("\nf "))
        };
        part(0.0, 0) + &part(x, 4)
    };
    let shape = "shapes = [{ shape.mesh = { file = \"floor.obj\" } }, { shape.mesh = { file = \"floor.obj\", scale = 2 } }]";
    assert_eq!(load(shape, pair(3.0)).unwrap().notes, Vec::<String>::new());
    let notes = load(shape, pair(0.25)).unwrap().notes;
    let [note] = &notes[..] else { panic!("{notes:?}") };
    assert!(note.starts_with("`body.floor.shapes[0].shape.mesh.file`: floor.obj has 2 closed parts, and two of them overlap at ("), "{note}");
    assert!(note.contains("what they share counts twice in its volume, and in the mass"), "{note}");
}

/// A file that was cut off between two lines can be read; that its mesh is open is told, once, and is no warning.
#[test]
fn open_edges_are_noted() {
    // Below the ball.
    let cube = "v 0 0 -2\nv 1 0 -2\nv 0 1 -2\nv 0 0 -1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    let shape = "shapes = [{ shape.mesh = { file = \"floor.obj\" } }, { shape.mesh = { file = \"floor.obj\", scale = 2 } }]";
    assert_eq!(load(shape, cube.into()).unwrap().notes, Vec::<String>::new());
    let cut = load(shape, cube.replace("f 2 3 4\n", "")).unwrap();
    assert_eq!(cut.warnings, Vec::<String>::new());
    assert_eq!(
        cut.notes,
        [
            "`body.floor.shapes[0].shape.mesh.file`: floor.obj is not closed (open, 3 edges around 1 hole or rim, first at (0.5000, 0.5000, -2.0000) m): it is a \
             sheet, touched from both sides. If it should be a solid, its file was cut off, or has holes to close in the program that made it"
        ]
    );
    // The hull of an open mesh is a solid all the same: told among what was chosen.
    let hull =
        load("shape.mesh = { file = \"floor.obj\", convex = \"hull\" }", cube.replace("f 2 3 4\n", ""))
            .unwrap();
    assert_eq!(hull.notes, Vec::<String>::new());
    assert!(hull.chosen[0].contains("floor.obj, which is not closed (open, 3 edges"), "{:?}", hull.chosen);
}

#[test]
fn a_fast_ball_does_not_pass_through_a_sheet() {
    let shot = |fast: &str| {
        let text = SCENE.replace("position = [0.012, 0.017, 0.05]", "position = [0.012, 0.017, 0.3]");
        let text = text.replace("velocity = [0.7, 0.3, 0]", &format!("velocity = [0, 0, -2000]\n{fast}"));
        let bytes: &'static [u8] = Box::leak(floor(3, 1.0).into_bytes().into_boxed_slice());
        let assets = Assets::Embedded(vec![("floor.obj".into(), bytes)]);
        let body =
            "[body.floor]\nfixed = true\nmaterial = \"steel\"\nshape.mesh = { file = \"floor.obj\" }\n";
        let text = format!("{text}{body}").replace("\"1e5 N/m\"", "\"1e11 N/m\"");
        let scenario = load_str("t", &text, &assets, &[]).unwrap();
        let integrator = scenario.run.integrator.build();
        let mut world = World::new(scenario.model);
        while world.state.time < 1e-3 {
            world.step(integrator.as_ref(), f64::INFINITY).expect("it steps");
        }
        world.refresh();
        world.twist(BodyId(0)).linear.z
    };
    assert!((shot("fast = true") - 1000.0).abs() < 10.0, "{}", shot("fast = true"));
    assert!(shot("") < 0.0, "{}", shot(""));
    let fixed =
        load("shape.mesh = { file = \"floor.obj\" }\nfast = true", floor(2, 1.0)).unwrap_err().to_string();
    assert!(
        fixed.starts_with("t/scenario.toml:17:") && fixed.contains("body 'floor' cannot be fast"),
        "{fixed}"
    );
}

/// A floor of 1 002 528 triangles in a binary STL file of 50 MB: it loads, and the ball rolls over it as over a plane.
#[test]
fn a_ball_rolls_over_a_million_triangles() {
    let n = 708_u16;
    let at = |i: u16| f32::from(i) / f32::from(n) - 0.5;
    let mut bytes = vec![b' '; 80];
    bytes.extend((2 * u32::from(n) * u32::from(n)).to_le_bytes());
    for j in 0..n {
        for i in 0..n {
            let [a, b, c, d] =
                [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)].map(|(i, j)| [at(i), at(j), 0.0]);
            for triangle in [[a, b, c], [a, c, d]] {
                bytes.extend([0; 12]);
                bytes.extend(triangle.iter().flatten().flat_map(|x| x.to_le_bytes()));
                bytes.extend([0; 2]);
            }
        }
    }
    let assets = Assets::Embedded(vec![("floor.stl".into(), Box::leak(bytes.into_boxed_slice()))]);
    let floor = "[body.floor]\nfixed = true\nmaterial = \"steel\"\nshape.mesh = { file = \"floor.stl\" }\n";
    let scenario = load_str("t", &format!("{SCENE}{floor}"), &assets, &[]).unwrap();
    assert!(scenario.warnings.is_empty(), "{:?}", scenario.warnings);
    let integrator = scenario.run.integrator.build();
    let mut world = World::new(scenario.model);
    while world.state.time < 0.5 {
        world.step(integrator.as_ref(), f64::INFINITY).expect("it steps");
    }
    world.refresh();
    let plane = rolled("shape.half_space = { normal = [0, 0, 1] }", String::new());
    let [a, b] = [&plane, &world].map(|world| world.pose(BodyId(0)).translation);
    assert!(a.x > 0.2 && a.distance(b) < 1e-9, "{a} {b}");
}

#[test]
fn a_ball_rolls_over_a_level_field_as_over_a_plane() {
    let plane = rolled("shape.half_space = { normal = [0, 0, 1] }", String::new());
    let row = format!("[{}]", ["0"; 31].join(", "));
    let heights = format!("[{}]", vec![row; 21].join(", "));
    let field = format!("shape.heightfield = {{ heights = {heights}, spacing = [0.05, 0.05] }}");
    let field = rolled(&field, String::new());
    let [a, b] = [&plane, &field].map(|world| world.pose(BodyId(0)).translation);
    assert!(a.distance(b) < 1e-9, "{a} {b}");
}

/// The guide's example, with the ball that rests on its bump.
#[test]
fn the_field_of_the_guide_is_ground() {
    let guide = include_str!("../../../../book/src/guide/scenario-files.md");
    let mut blocks = guide.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next());
    let ground = blocks.find(|block| block.contains("heights =")).expect("an example with heights");
    let text = format!(
        "format = 1\ntitle = \"t\"\n[run]\nduration = 1\n[material.stone]\ndensity = 2500\n\
         [[contact]]\nbetween = [\"stone\", \"stone\"]\nnormal.linear = {{ stiffness = 1e5, restitution = 0.5 }}\n\
         friction.coulomb = {{ coefficient = 0.4 }}\n{ground}\
         [body.ball]\nmaterial = \"stone\"\nshape.sphere = {{ radius = 0.1 }}\nposition = [0, 0, 0.1999]\n"
    );
    let scenario = load_str("t", &text, &Assets::none(), &[]).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(scenario.warnings, Vec::<String>::new());
    // Between the two heights of 10 cm in the middle row, 0.1 mm deep.
    let world = World::new(scenario.model);
    let depths: Vec<f64> = world.contacts().map(|c| c.overlap.depth).collect();
    assert!(matches!(depths[..], [depth] if (depth - 1e-4).abs() < 1e-9), "{depths:?}");
}

#[test]
fn impossible_fields_are_told() {
    let told = |shape: &str| load(shape, String::new()).unwrap_err().to_string();
    let uneven = "shape.heightfield = { heights = [[0, 0], [0, 0, 0]], spacing = [1, 1] }";
    assert_eq!(
        told(uneven),
        "t/scenario.toml:20:42: `body.floor.shape.heightfield.heights[1]`: expected 2 heights as in the first row, got 3"
    );
    let none = told("shape.heightfield = { spacing = [1, 1] }");
    assert!(none.contains("give either a `file` or a list of `heights`"), "{none}");
    let missing = told("shape.heightfield = { heights = [[0, 0], [0, 0]] }");
    assert!(missing.contains("the key `spacing` is missing"), "{missing}");
}
