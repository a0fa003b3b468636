//! `fender import`: robots become scenarios that run, and bad ones are named with file and line.

use crate::common::{folder, run, write};
use std::path::{Path, PathBuf};

const ROBOT: &str = r#"<robot name="Pendulum">
  <link name="ceiling"/>
  <link name="bar">
    <inertial><origin xyz="0 0 -0.5"/><mass value="3"/><inertia ixx="0.25" iyy="0.25" izz="0.01"/></inertial>
    <visual><geometry><mesh filename="bar.stl"/></geometry></visual>
    <collision><origin xyz="0 0 -0.5"/><geometry><cylinder radius="0.05" length="1"/></geometry></collision>
  </link>
  <joint name="pivot" type="continuous">
    <parent link="ceiling"/><child link="bar"/>
    <origin xyz="0 0 2" rpy="0 1 0"/><axis xyz="0 1 0"/>
    <dynamics damping="0.2"/>
  </joint>
</robot>
"#;
const MESH: &str = "solid bar\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid\n";

/// The robot with some text replaced, and its mesh.
fn robot(folder: &Path, from: &str, to: &str) {
    assert!(ROBOT.contains(from), "the robot has no {from}");
    write(&folder.join("pendulum.urdf"), &ROBOT.replacen(from, to, 1));
    write(&folder.join("bar.stl"), MESH);
}

#[test]
fn an_imported_robot_is_checked_and_runs() {
    let dir = folder();
    robot(dir.path(), "Pendulum", "Pendulum");
    let (code, text) = run(dir.path(), &["import", "pendulum.urdf"]);
    assert_eq!(
        (code, text.as_str()),
        (
            0,
            "wrote pendulum/scenario.toml with 1 body, 1 joint; run it with: fender run pendulum/scenario.toml"
        )
    );
    assert_eq!(std::fs::read_to_string(dir.path().join("pendulum/meshes/bar.stl")).unwrap(), MESH);
    let (code, text) = run(dir.path(), &["check", "pendulum"]);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("title Pendulum") && text.contains("joints 1, with 1 degrees"), "{text}");
    assert!(!text.contains("warning"), "{text}");
    let (code, text) = run(dir.path(), &["run", "pendulum", "--quiet", "--set", "run.duration=0.5 s"]);
    assert_eq!((code, text.as_str()), (0, ""));

    // What is there already stays, unless it is asked for.
    write(&dir.path().join("pendulum/scenario.toml"), "mine");
    let (code, text) = run(dir.path(), &["import", "pendulum.urdf"]);
    assert_eq!(code, 2, "{text}");
    assert!(text.contains("'pendulum/scenario.toml' exists already") && text.contains("--force"), "{text}");
    assert_eq!(std::fs::read_to_string(dir.path().join("pendulum/scenario.toml")).unwrap(), "mine");
    let (code, text) = run(dir.path(), &["import", "pendulum.urdf", "--force"]);
    assert_eq!(code, 0, "{text}");
}

#[test]
fn a_free_base_and_another_folder() {
    let dir = folder();
    robot(
        dir.path(),
        "<link name=\"ceiling\"/>",
        "<link name=\"ceiling\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial></link><gazebo/>",
    );
    let (code, text) = run(dir.path(), &["import", "pendulum.urdf", "--base", "free", "--out", "a/b"]);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("warning: pendulum.urdf: left out: <gazebo>"), "{text}");
    let (code, text) = run(dir.path(), &["check", "a/b"]);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("bodies 2: 1 free, 1 on joints, 0 fixed") && text.contains("mass 4 kg"), "{text}");
}

/// A collision mesh lets the robot be touched: as its hull, which `fender check` tells.
#[test]
fn a_collision_mesh_is_touched_as_its_hull() {
    let dir = folder();
    let mesh = r#"<mesh filename="bob.stl" scale="0.1 0.1 0.1"/>"#;
    robot(dir.path(), r#"<cylinder radius="0.05" length="1"/>"#, mesh);
    let corners = ["0 0 0", "1 0 0", "0 1 0", "0 0 1"];
    let mut text = String::from("solid bob\n");
    for face in [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]] {
        let [a, b, c] = face.map(|i: usize| format!("vertex {}\n", corners[i]));
        text += &format!("facet normal 0 0 0\nouter loop\n{a}{b}{c}endloop\nendfacet\n");
    }
    write(&dir.path().join("bob.stl"), &(text + "endsolid\n"));
    let (code, text) = run(dir.path(), &["import", "pendulum.urdf"]);
    assert_eq!(code, 0, "{text}");
    assert!(!text.contains("warning"), "{text}");
    let scenario = std::fs::read_to_string(dir.path().join("pendulum/scenario.toml")).unwrap();
    assert!(
        scenario.contains(r#"shape.mesh = { file = "meshes/bob.stl", scale = 0.1, convex = "hull" }"#),
        "{scenario}"
    );
    let (code, text) = run(dir.path(), &["check", "pendulum"]);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("1 convex solid with 4 corners in place of meshes/bob.stl"), "{text}");
    // The other ways that the file speaks of.
    for other in ["convex.pieces = { most = 16 }", ""] {
        let from = if other.is_empty() { r#", convex = "hull""# } else { r#"convex = "hull""# };
        write(&dir.path().join("pendulum/scenario.toml"), &scenario.replace(from, other));
        let (code, text) = run(dir.path(), &["check", "pendulum"]);
        assert_eq!(code, 0, "{other}: {text}");
    }

    // A format that cannot be read is a warning, and the rest comes along.
    robot(dir.path(), r#"<cylinder radius="0.05" length="1"/>"#, r#"<mesh filename="bob.dae"/>"#);
    write(&dir.path().join("bob.dae"), "<COLLADA/>");
    let (code, text) = run(dir.path(), &["import", "pendulum.urdf", "--force"]);
    assert_eq!(code, 0, "{text}");
    let warning = "the collision mesh `bob.dae` of the link `bar` collides with nothing: a mesh is a .stl, .obj, .gltf or .glb file";
    assert!(text.contains(warning), "{text}");
}

#[test]
fn bad_robots_are_named_with_file_and_line() {
    let bad = [
        (
            "bar.stl",
            "bat.stl",
            "pendulum.urdf:5:39",
            "the mesh `bat.stl` does not exist",
            "did you mean `bar.stl`?",
        ),
        (
            "continuous",
            "contnuous",
            "pendulum.urdf:8:29",
            "there is no joint type `contnuous`",
            "did you mean `continuous`?",
        ),
        (
            "child link=\"bar\"",
            "child link=\"baz\"",
            "pendulum.urdf:9:42",
            "there is no link `baz`",
            "did you mean `bar`?",
        ),
        ("</link>", "</lnk>", "pendulum.urdf:7:3", "this is not XML", "expected 'link' tag"),
        (
            "<link name=\"ceiling\"/>",
            "<link name=\"ceiling\"/><link name=\"floor\"/>",
            "pendulum.urdf:2:37",
            "one root",
            "`ceiling` and `floor`",
        ),
        (
            "parent link=\"ceiling\"",
            "parent link=\"bar\"",
            "pendulum.urdf:9:38",
            "joins the link `bar` to itself",
            "",
        ),
        (
            "<mass value=\"3\"/>",
            "<mass value=\"-3\"/>",
            "pendulum.urdf:4:52",
            "the mass must be positive, and is -3 kg",
            "",
        ),
        ("xyz=\"0 1 0\"", "xyz=\"0 0 0\"", "pendulum.urdf:10:49", "the axis has no length", "such as"),
        (
            "<inertial><origin xyz=\"0 0 -0.5\"/><mass value=\"3\"/><inertia ixx=\"0.25\" iyy=\"0.25\" izz=\"0.01\"/></inertial>",
            "",
            "pendulum.urdf:3:15",
            "the link `bar` moves on the joint `pivot` and has no mass",
            "give it an <inertial>",
        ),
    ];
    for (from, to, place, message, help) in bad {
        let dir = folder();
        robot(dir.path(), from, to);
        let (code, text) = run(dir.path(), &["import", "pendulum.urdf"]);
        assert_eq!(code, 2, "{text}");
        for part in [place, message, help] {
            assert!(text.contains(part), "no '{part}' in: {text}");
        }
        assert!(!dir.path().join("pendulum").exists(), "a refused robot leaves nothing behind");
    }
    let dir = folder();
    let (code, text) = run(dir.path(), &["import", "none.urdf"]);
    assert_eq!(code, 4, "{text}");
    assert!(text.contains("none.urdf: cannot be read"), "{text}");
}

fn shipped() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios/robot-arm")
}

/// Every value of `part` is in `whole`, under the same keys.
fn assert_within(part: &toml::Value, whole: &toml::Value, at: &str) {
    let (toml::Value::Table(part), toml::Value::Table(whole)) = (part, whole) else {
        return assert_eq!(part, whole, "{at}");
    };
    for (key, value) in part {
        let at = format!("{at}.{key}");
        assert_within(value, whole.get(key).unwrap_or_else(|| panic!("{at} is missing")), &at);
    }
}

/// The shipped arm is its URDF, imported, plus what moves it.
#[test]
fn the_shipped_arm_is_what_its_urdf_says() {
    let urdf = shipped().join("robot-arm.urdf");
    let imported = fender_scenario::import::urdf(&urdf, fender_scenario::import::Base::Fixed).unwrap();
    assert_eq!(imported.warnings, Vec::<String>::new());
    let generated: toml::Value = toml::from_str(&imported.scenario).unwrap();
    let text = std::fs::read_to_string(shipped().join("scenario.toml")).unwrap();
    let whole: toml::Value = toml::from_str(&text).unwrap();
    for key in ["material", "ignore", "body", "joint", "loop"] {
        if let Some(part) = generated.get(key) {
            assert_within(part, whole.get(key).unwrap_or_else(|| panic!("[{key}] is missing")), key);
        }
    }
    for (path, contents) in &imported.assets {
        assert!(
            std::fs::read(shipped().join(path)).is_ok_and(|there| there == *contents),
            "{path} is another"
        );
    }
}
