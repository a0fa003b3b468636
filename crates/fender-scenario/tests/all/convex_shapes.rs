//! `shape.polyhedron` and `shape.mesh` with `convex`: what they make, what is kept beside the mesh, and what is refused.

use fender_engine::{BodyMotion, Model};
use fender_geom::Shape;
use fender_math::Vec3;
use fender_scenario::{Assets, Scenario, ScenarioError, load_str};
use std::fmt::Write;
use std::path::{Path, PathBuf};

const SCENE: &str = "format = 1\ntitle = \"t\"\n[run]\nduration = 1\nintegrator.rk4 = { step = 1e-4 }\n\
    [material.steel]\ndensity = 1000\n\
    [[contact]]\nbetween = [\"steel\", \"steel\"]\nnormal.linear = { stiffness = \"1e5 N/m\", restitution = 0.5 }\n\
    [body.thing]\nmaterial = \"steel\"\n";

/// A U: a block of 3 × 1 × 2 with a slot of 1 × 1 × 1 from above, as an OBJ file. Eight corners of each end.
fn channel() -> String {
    let outline = [(0, 0), (3, 0), (3, 2), (2, 2), (2, 1), (1, 1), (1, 2), (0, 2)];
    let mut text = String::new();
    for y in 0..2 {
        for (x, z) in outline {
            let _ = writeln!(text, "v {x} {y} {z}");
        }
    }
    // The ends as three squares each, sides between them.
    for [a, b, c] in [[1, 2, 5], [1, 5, 6], [2, 3, 4], [2, 4, 5], [1, 6, 7], [1, 7, 8]] {
        let _ = writeln!(text, "f {a} {b} {c}\nf {} {} {}", a + 8, c + 8, b + 8);
    }
    for i in 0..8 {
        let (a, b) = (i + 1, (i + 1) % 8 + 1);
        let _ = writeln!(text, "f {} {b} {a}\nf {} {} {b}", a + 8, a + 8, b + 8);
    }
    text
}

fn load(thing: &str, assets: &Assets) -> Result<Scenario, Box<ScenarioError>> {
    load_str("t", &format!("{SCENE}{thing}\n"), assets, &[]).map_err(Box::new)
}

fn embedded() -> Assets {
    let bytes: &'static [u8] = Box::leak(channel().into_bytes().into_boxed_slice());
    Assets::Embedded(vec![("u.obj".into(), bytes)])
}

fn corners(model: &Model) -> Vec<Vec<Vec3>> {
    let of = |shape: &Shape| match shape {
        Shape::Polyhedron(p) => p.vertices().to_vec(),
        other => panic!("{other:?}"),
    };
    model.shapes.iter().map(|s| of(&s.shape)).collect()
}

fn kept(dir: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(dir).expect("the folder is there");
    let mut files: Vec<PathBuf> = entries.map(|e| e.expect("an entry").path()).collect();
    files.retain(|p| p.extension().is_some_and(|e| e == "convex" || e == "tmp"));
    files
}

const PIECES: &str = "shape.mesh = { file = \"u.obj\", convex.pieces = { most = 4, resolution = 30 } }";

#[test]
fn a_polyhedron_weighs_what_it_holds_and_is_shown() {
    let text = "shape.polyhedron = { points = [[0, 0, 0], [\"600 mm\", 0, 0], [0, 0.6, 0], [0, 0, 0.6], [0.1, 0.1, 0.1]] }";
    let scenario = load(text, &Assets::none()).unwrap();
    assert_eq!(corners(&scenario.model)[0].len(), 4);
    let BodyMotion::Free { mass } = &scenario.model.bodies[0].motion else { panic!("it is free") };
    assert!((mass.mass - 1000.0 * 0.036).abs() < 1e-9 && mass.center.distance(Vec3::splat(0.15)) < 1e-12);
    assert_eq!((scenario.meshes.len(), scenario.visuals.len()), (1, 1));
    assert_eq!(scenario.meshes[0].triangles.len(), 4);
}

#[test]
fn a_hull_is_one_solid_and_the_mass_is_that_of_the_mesh() {
    let text = "shape.mesh = { file = \"u.obj\", convex = \"hull\", scale = 0.1 }";
    let scenario = load(text, &embedded()).unwrap();
    assert_eq!(corners(&scenario.model).len(), 1);
    assert_eq!(corners(&scenario.model)[0].len(), 8);
    // Five cubes of 0.1 m.
    assert!((scenario.model.bodies[0].mass().unwrap() - 5.0).abs() < 1e-9);
    assert_eq!(
        scenario.chosen,
        [
            "body.thing.shape.mesh: 1 convex solid with 8 corners in place of u.obj with 1.2000 times its volume, up to 50.000 mm outside of it"
        ]
    );
    // The mesh is shown, slot and all.
    assert_eq!(scenario.meshes[0].triangles.len(), 28);
}

#[test]
fn pieces_leave_the_slot_open() {
    let scenario = load(PIECES, &embedded()).unwrap();
    let pieces = corners(&scenario.model);
    // Two cheeks and what is between them.
    assert_eq!(pieces.len(), 3, "{pieces:?}");
    let BodyMotion::Free { mass } = &scenario.model.bodies[0].motion else { panic!("it is free") };
    assert!((mass.mass - 5000.0).abs() < 1e-6, "{mass:?}");
    assert!(mass.center.distance(Vec3::new(1.5, 0.5, 0.9)) < 1e-9, "{mass:?}");
    let holds = |p: Vec3| {
        scenario.model.shapes.iter().any(|s| matches!(&s.shape, Shape::Polyhedron(q) if q.holds(p)))
    };
    assert!(!holds(Vec3::new(1.5, 0.5, 1.2)) && !holds(Vec3::new(1.15, 0.1, 1.9)));
    assert!(
        holds(Vec3::new(0.5, 0.5, 1.9)) && holds(Vec3::new(2.5, 0.5, 1.5)) && holds(Vec3::new(1.5, 0.5, 0.5))
    );
    assert!(
        scenario.chosen[0]
            .contains("3 convex solids with 24 corners in place of u.obj with 1.0000 times its volume"),
        "{:?}",
        scenario.chosen
    );
}

#[test]
fn pieces_are_kept_beside_the_mesh_and_made_again_if_they_are_damaged() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("u.obj"), channel()).unwrap();
    let assets = Assets::Dir(dir.path().into());
    let computed = corners(&load(PIECES, &embedded()).unwrap().model);
    let pieces = |text: &str| corners(&load(text, &assets).unwrap().model);
    // Not there yet: found, and kept.
    assert_eq!(pieces(PIECES), computed);
    let files = kept(dir.path());
    assert_eq!(files.len(), 1, "{files:?}");
    let whole = std::fs::read(&files[0]).unwrap();
    // There: read, which can be seen from the time it was written.
    let written = std::fs::metadata(&files[0]).unwrap().modified().unwrap();
    assert_eq!(pieces(PIECES), computed);
    assert_eq!(std::fs::metadata(&files[0]).unwrap().modified().unwrap(), written);
    // Damaged, cut, foreign, empty, or not a file: found again, and repaired.
    let mut damaged = whole.clone();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    for bytes in [damaged, whole[..whole.len() / 3].to_vec(), b"something else".to_vec(), Vec::new()] {
        std::fs::write(&files[0], bytes).unwrap();
        assert_eq!(pieces(PIECES), computed);
        assert_eq!(std::fs::read(&files[0]).unwrap(), whole);
    }
    std::fs::remove_file(&files[0]).unwrap();
    std::fs::create_dir(&files[0]).unwrap();
    assert_eq!(pieces(PIECES), computed);
    assert_eq!(kept(dir.path()).len(), 1, "nothing is left behind");
    // Other numbers, another scale or another mesh have files of their own.
    pieces("shape.mesh = { file = \"u.obj\", convex.pieces = { most = 3, resolution = 30 } }");
    pieces("shape.mesh = { file = \"u.obj\", scale = 2, convex.pieces = { most = 4, resolution = 30 } }");
    std::fs::write(dir.path().join("u.obj"), channel().replace("v 3 ", "v 4 ")).unwrap();
    assert_ne!(pieces(PIECES), computed);
    assert_eq!(kept(dir.path()).len(), 4);
}

#[test]
fn what_is_impossible_is_told_with_its_place() {
    let error = |text: &str| load(text, &embedded()).unwrap_err().to_string();
    assert_eq!(
        error("shape.polyhedron = { points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]] }"),
        "t/scenario.toml:13:31: `body.thing.shape.polyhedron.points`: all points are in one plane, or nearer to it than 1e-8 of their extent"
    );
    assert_eq!(
        error("shape.polyhedron = { points = [[0, 0, 0], [1, 0, 0]] }"),
        "t/scenario.toml:13:31: `body.thing.shape.polyhedron.points`: a polyhedron needs at least four points, and there are 2"
    );
    assert_eq!(
        error("shape.mesh = { file = \"v.obj\", convex = \"hull\" }"),
        "t/scenario.toml:13:23: `body.thing.shape.mesh.file`: cannot read the file `v.obj`: there is no such file"
    );
    let far = error("shape.mesh = { file = \"u.obj\", convex.pieces = { most = 1000 } }");
    assert!(
        far.contains(
            "shape.mesh.convex.pieces.most`: the number of pieces must be from 1 to 256, and is 1000"
        ),
        "{far}"
    );
    let fine = error("shape.mesh = { file = \"u.obj\", convex.pieces = { resolution = 2 } }");
    assert!(
        fine.contains("convex.pieces.resolution`: the resolution must be from 4 to 256, and is 2"),
        "{fine}"
    );
    let open: &'static [u8] = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    let assets = Assets::Embedded(vec![("u.obj".into(), open)]);
    let message = |text: &str| load(text, &assets).unwrap_err().to_string();
    assert!(
        message(PIECES).contains("shape.mesh.convex`: u.obj has no convex pieces: the mesh is not closed"),
        "{}",
        message(PIECES)
    );
    let hull = message("shape.mesh = { file = \"u.obj\", convex = \"hull\" }");
    assert!(
        hull.contains(
            "shape.mesh.convex`: u.obj has no convex hull: a polyhedron needs at least four points"
        ),
        "{hull}"
    );
    let unknown = error("shape.mesh = { file = \"u.obj\", convex = \"hul\" }");
    assert!(unknown.contains("hul"), "{unknown}");
    let shown = error(
        "mass = 1\ninertia = [1, 1, 1]\nvisual = [{ shape.mesh = { file = \"u.obj\", convex = \"hull\" } }]",
    );
    assert!(shown.contains("what is only shown need not be convex"), "{shown}");
}

/// A ball of 10 mm at 300 m/s goes 30 mm in a step of 0.1 ms: it is told how to hit what is thin.
#[test]
fn leaps_are_told_with_their_remedy() {
    let text = |more: &str| {
        format!(
            "format = 1\ntitle = \"t\"\n[run]\nduration = 1\nintegrator.rk4 = {{ step = \"0.1 ms\" }}\n[material.s]\n\
             [body.plate]\nfixed = true\nshape.box = {{ size = [1, 1, 0.002] }}\nmaterial = \"s\"\n\
             [body.ball]\nshape.sphere = {{ radius = 0.005 }}\nmass = 0.004\nmaterial = \"s\"\nposition = [0, 0, 1]\n\
             velocity = [0, 0, -300]\n{more}\n\
             [[contact]]\nbetween = [\"s\", \"s\"]\nnormal.linear = {{ stiffness = 1e7, restitution = 0.8 }}\n"
        )
    };
    let load = |text: &str| {
        let read = fender_scenario::load_str("t", text, &fender_scenario::Assets::none(), &[]);
        read.unwrap_or_else(|e| panic!("{e}")).warnings
    };
    let warnings = load(&text(""));
    assert!(warnings[0].starts_with("`ball` goes 3.000e-2 m in a step"), "{warnings:?}");
    assert!(warnings[0].contains("`fast = true`"), "{warnings:?}");
    let leaps = |text: &str| load(text).iter().any(|w| w.contains("`fast = true`"));
    assert!(!leaps(&text("fast = true")));
    assert!(!leaps(&text("").replace("-300", "-90")));
}
