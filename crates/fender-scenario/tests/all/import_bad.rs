//! Robots that are wrong: each is refused with its place, what was expected, and what to do; none makes the reader panic.

use fender_scenario::import::{Base, urdf, urdf_text};
use fender_scenario::{Assets, ErrorKind, ScenarioError, load_str};
use miette::Diagnostic as _;
use std::path::Path;

const ARM: &str = r#"<?xml version="1.0"?>
<robot name="arm">
  <material name="grey"><color rgba="0.5 0.5 0.5 1"/></material>
  <link name="base"/>
  <link name="upper">
    <inertial>
      <origin xyz="0 0 0.5" rpy="0 0 0"/>
      <mass value="3"/>
      <inertia ixx="0.3" iyy="0.3" izz="0.1" ixy="0" ixz="0" iyz="0"/>
    </inertial>
    <visual><geometry><cylinder radius="0.05" length="1"/></geometry><material name="grey"/></visual>
    <collision><geometry><box size="0.1 0.1 1"/></geometry></collision>
  </link>
  <link name="lower">
    <inertial>
      <mass value="2"/>
      <inertia ixx="0.2" iyy="0.2" izz="0.1" ixy="0" ixz="0" iyz="0"/>
    </inertial>
  </link>
  <joint name="shoulder" type="revolute">
    <parent link="base"/>
    <child link="upper"/>
    <origin xyz="0 0 1" rpy="0 0 0"/>
    <axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="10" velocity="2"/>
    <dynamics damping="0.1" friction="0.2"/>
  </joint>
  <joint name="elbow" type="continuous">
    <parent link="upper"/>
    <child link="lower"/>
    <origin xyz="0 0 1"/>
    <axis xyz="0 1 0"/>
    <mimic joint="shoulder" multiplier="2" offset="0.1"/>
  </joint>
</robot>
"#;

fn import(text: &str) -> Result<fender_scenario::import::Imported, ScenarioError> {
    urdf_text("arm.urdf", text, Path::new("/nowhere"), Base::Fixed)
}

/// The arm with some text replaced is refused with this one line and this help.
fn refused(from: &str, to: &str, line: &str, help: &str) {
    assert!(ARM.contains(from), "the robot has no {from}");
    says(&ARM.replacen(from, to, 1), line, help);
}

fn says(text: &str, line: &str, help: &str) {
    let error = import(text).expect_err("the robot is wrong");
    assert_eq!(error.to_string(), line);
    assert_eq!(error.advice().unwrap_or_default(), help, "{error}");
    let source = error.source_code().expect("it has a place");
    for label in error.labels().into_iter().flatten() {
        assert!(source.read_span(label.inner(), 1, 1).is_ok(), "{error}");
    }
}

#[test]
fn the_arm_of_these_tests_is_fine() {
    let imported = import(ARM).unwrap_or_else(|e| panic!("{e}"));
    assert!(imported.warnings.is_empty(), "{:?}", imported.warnings);
}

#[test]
fn xml_that_is_broken() {
    refused(
        "</link>\n  <link",
        "</lnk>\n  <link",
        "arm.urdf:13:3: this is not XML: expected 'link' tag, not 'lnk'",
        "",
    );
    refused("<robot", "<model", "arm.urdf:35:1: this is not XML: expected 'model' tag, not 'robot'", "");
    says("", "arm.urdf:1:1: this is not XML: the document does not have a root node", "");
    says("<sdf/>", "arm.urdf:1:1: a URDF file has a <robot>, and this has a <sdf>", "");
    says("<robot name=\"a\"/>", "arm.urdf:1:1: the robot has no <link>", "");
    says(
        "<robot xmlns:xacro=\"http://www.ros.org/wiki/xacro\">\n  <xacro:arm/>\n</robot>",
        "arm.urdf:2:3: this is a xacro file: its macros are not expanded",
        "expand it first, for instance with: xacro robot.urdf.xacro > robot.urdf",
    );
}

#[test]
fn joints() {
    refused(
        "\"revolute\"",
        "\"revolut\"",
        "arm.urdf:20:32: there is no joint type `revolut`",
        "did you mean `revolute`? joint types: fixed, revolute, continuous, prismatic, floating, planar",
    );
    refused(
        "\"continuous\"",
        "\"gearbox\"",
        "arm.urdf:28:29: there is no joint type `gearbox`",
        "joint types: fixed, revolute, continuous, prismatic, floating, planar",
    );
    refused(" type=\"revolute\"", "", "arm.urdf:20:3: the attribute `type` of <joint> is missing", "");
    refused(
        "<axis xyz=\"0 1 0\"/>",
        "<axis xyz=\"0 0 0\"/>",
        "arm.urdf:24:16: the axis has no length",
        "such as \"0 0 1\"",
    );
    refused(
        "lower=\"-1\"",
        "lower=\"2\"",
        "arm.urdf:25:19: the limits are reversed: lower is 2 and upper is 1",
        "",
    );
    refused(
        "effort=\"10\"",
        "effort=\"-10\"",
        "arm.urdf:25:41: the attribute `effort` must not be negative, and is -10",
        "",
    );
    refused(
        "damping=\"0.1\"",
        "damping=\"-1\"",
        "arm.urdf:26:24: the attribute `damping` must not be negative, and is -1",
        "",
    );
    refused(
        "<child link=\"upper\"/>",
        "",
        "arm.urdf:20:3: the joint `shoulder` needs a <child link=\"…\"/>",
        "",
    );
    refused(
        "name=\"elbow\"",
        "name=\"shoulder\"",
        "arm.urdf:28:16: there are two joints called `shoulder`",
        "give one of them another name",
    );
    refused(
        "joint=\"shoulder\"",
        "joint=\"sholder\"",
        "arm.urdf:33:19: the joint `elbow` mimics a joint `sholder` that does not exist",
        "did you mean `shoulder`?",
    );
    refused("joint=\"shoulder\"", "joint=\"elbow\"", "arm.urdf:33:19: the joint `elbow` mimics itself", "");
    refused(
        "type=\"revolute\"",
        "type=\"planar\"",
        "arm.urdf:33:19: the joint `elbow` cannot mimic: `shoulder` has no single coordinate",
        "",
    );
}

#[test]
fn links_that_do_not_make_a_tree() {
    refused(
        "<child link=\"lower\"/>",
        "<child link=\"lowr\"/>",
        "arm.urdf:30:18: the child of the joint `elbow` is unknown: there is no link `lowr`",
        "did you mean `lower`?",
    );
    refused(
        "<parent link=\"base\"/>",
        "<parent link=\"x\"/>",
        "arm.urdf:21:19: the parent of the joint `shoulder` is unknown: there is no link `x`",
        "links: `base`, `lower`, `upper`",
    );
    refused(
        "name=\"lower\"",
        "name=\"upper\"",
        "arm.urdf:14:15: there are two links called `upper`",
        "give one of them another name",
    );
    refused(
        "<child link=\"lower\"/>",
        "<child link=\"upper\"/>",
        "arm.urdf:30:18: the joint `elbow` joins the link `upper` to itself",
        "",
    );
    let tree = "a URDF describes a tree; close a loop in the scenario, with a [loop.NAME]";
    refused(
        "<parent link=\"upper\"/>\n    <child link=\"lower\"/>",
        "<parent link=\"lower\"/>\n    <child link=\"upper\"/>",
        "arm.urdf:30:18: the link `upper` is carried by two joints, `shoulder` and `elbow`",
        tree,
    );
    refused(
        "  <joint name=\"elbow\"",
        "  <link name=\"hook\"/>\n  <joint name=\"elbow\"",
        "arm.urdf:28:15: a robot has one root, and no joint carries the links `base` and `hook`",
        "join them, or delete the one that is not needed",
    );
    // Round in a circle: with a root beside it, and without one.
    refused(
        "<parent link=\"base\"/>",
        "<parent link=\"lower\"/>",
        "arm.urdf:28:16: the joints go round in a circle: the link `upper` carries itself",
        tree,
    );
    let circle = ARM.replace("  <link name=\"base\"/>\n", "").replace("link=\"base\"", "link=\"lower\"");
    says(&circle, "arm.urdf:27:16: the joints go round in a circle: the link `upper` carries itself", tree);
}

#[test]
fn masses() {
    let start = ARM.find("    <inertial>\n      <mass value=\"2\"/>").unwrap();
    let end = start + ARM[start..].find("</inertial>\n").unwrap() + "</inertial>\n".len();
    let without = format!("{}{}", &ARM[..start], &ARM[end..]);
    says(
        &without,
        "arm.urdf:14:15: the link `lower` moves on the joint `elbow` and has no mass: how it accelerates is undefined",
        "give it an <inertial>, or make the joint fixed",
    );
    let error = urdf_text("arm.urdf", ARM, Path::new(""), Base::Free).expect_err("the base has no mass");
    assert_eq!(
        error.to_string(),
        "arm.urdf:4:15: the link `base` is to be free and has no mass: how it accelerates is undefined"
    );
    assert_eq!((error.kind(), error.position()), (ErrorKind::Model, Some((4, 15))));
    refused(
        "<mass value=\"3\"/>",
        "<mass value=\"-3\"/>",
        "arm.urdf:8:20: the mass must be positive, and is -3 kg",
        "",
    );
    refused(
        "<mass value=\"3\"/>",
        "<mass value=\"0\"/>",
        "arm.urdf:8:20: the mass must be positive, and is 0 kg",
        "",
    );
    refused(
        "<mass value=\"3\"/>",
        "<mass value=\"heavy\"/>",
        "arm.urdf:8:20: the attribute `value` takes numbers, and \"heavy\" is none",
        "",
    );
    refused(
        "<mass value=\"3\"/>",
        "<mass value=\"inf\"/>",
        "arm.urdf:8:20: the attribute `value` must be finite, and is inf",
        "",
    );
    refused("<mass value=\"3\"/>", "", "arm.urdf:6:5: <inertial> needs a <mass>", "");
    refused("ixx=\"0.3\" ", "", "arm.urdf:9:7: the attribute `ixx` of <inertia> is missing", "");
    refused(
        "izz=\"0.1\"",
        "izz=\"0.9\"",
        "arm.urdf:9:7: no body has this inertia: its principal moments 0.3, 0.3 and 0.9 kg·m² break the triangle inequality \
         (the largest must not exceed the sum of the other two)",
        "",
    );
}

#[test]
fn geometry() {
    refused(
        "size=\"0.1 0.1 1\"",
        "size=\"0.1 0.1\"",
        "arm.urdf:12:37: the attribute `size` takes three numbers, and has 2",
        "",
    );
    refused(
        "size=\"0.1 0.1 1\"",
        "size=\"0.1 -0.1 1\"",
        "arm.urdf:12:37: the attribute `size` must be positive, and is -0.1",
        "",
    );
    refused(
        "<box size=\"0.1 0.1 1\"/>",
        "<cone/>",
        "arm.urdf:12:26: there is no geometry <cone>",
        "geometries: `box`, `sphere`, `cylinder`, `capsule`, `mesh`",
    );
    refused(
        "<box size=\"0.1 0.1 1\"/>",
        "",
        "arm.urdf:12:5: <collision> needs a <geometry> with something in it",
        "",
    );
    refused(
        "rgba=\"0.5 0.5 0.5 1\"",
        "rgba=\"0.5\"",
        "arm.urdf:3:38: the attribute `rgba` takes four numbers, and has 1",
        "",
    );
}

#[test]
fn meshes() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("arm.urdf");
    let shown = file.display();
    let with = |name: &str, what: &str| {
        let from = "<box size=\"0.1 0.1 1\"/>";
        let text = ARM.replacen(from, &format!("<mesh filename=\"{name}\"/>"), 1);
        std::fs::write(&file, if what == "visual" { text.replace("collision>", "visual>") } else { text })
            .unwrap();
        urdf(&file, Base::Fixed).expect_err("the mesh is wrong")
    };
    std::fs::write(folder.path().join("shell.stl"), "solid\nendsolid\n").unwrap();
    for what in ["visual", "collision"] {
        let error = with("shel.stl", what);
        let column = if what == "visual" { 39 } else { 42 };
        assert_eq!(error.to_string(), format!("{shown}:12:{column}: the mesh `shel.stl` does not exist"));
        let help = error.advice().unwrap();
        assert!(help.starts_with("did you mean `shell.stl`?\nlooked for "), "{help}");
        assert_eq!(error.kind(), ErrorKind::Asset);
    }
    let error = with("package://lost/meshes/a.stl", "visual");
    assert!(error.to_string().ends_with(": the mesh `package://lost/meshes/a.stl` does not exist"));
    let help = error.advice().unwrap();
    let place = |path: &str| folder.path().join(path).display().to_string();
    assert!(help.contains(&place("lost/meshes/a.stl")) && help.contains(&place("meshes/a.stl")), "{help}");
    for name in ["http://example.org/a.stl", "package://", "package://lost"] {
        let error = with(name, "visual");
        assert!(error.to_string().ends_with("does not exist"), "{error}");
        assert_eq!(error.advice(), Some("a mesh is a file beside the URDF, or package://NAME/FILE"));
    }
    for what in ["visual", "collision"] {
        let error = with("shell.stl", what);
        let damaged = ": cannot read the mesh `shell.stl`: shell.stl: there are no triangles in it";
        assert!(error.to_string().contains(damaged), "{error}");
    }
}

#[test]
fn a_file_that_cannot_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let error = urdf(&folder.path().join("none.urdf"), Base::Fixed).expect_err("there is none");
    assert_eq!(error.kind(), ErrorKind::Unreadable);
    let file = folder.path().join("bytes.urdf");
    std::fs::write(&file, b"<robot>\n\xff</robot>").unwrap();
    let error = urdf(&file, Base::Fixed).expect_err("it is not text");
    assert!(error.to_string().ends_with("line 2 is not UTF-8 text"), "{error}");
}

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        // xorshift64*
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % n.max(1)
    }
}

/// Pieces that are likely to upset a reader.
const PIECES: [&str; 30] = [
    "",
    " ",
    "\n",
    "\"",
    "<",
    ">",
    "/>",
    "</link>",
    "<link name=\"base\"/>",
    "=",
    "0",
    "-1",
    "1e308",
    "-1e308",
    "1e-320",
    "nan",
    "inf",
    "base",
    "upper",
    "lower",
    "shoulder",
    "elbow",
    "fixed",
    "floating",
    "planar",
    "&amp;",
    "&#0;",
    "é",
    "<!--",
    "\u{0}",
];

/// Whatever stands in the file, it is imported or refused, and what is imported is a scenario.
#[test]
fn damaged_robots_are_refused_and_nothing_else() {
    let mut random = Random(20_261_116);
    let (mut fine, mut wrong, mut loaded) = (0, 0, 0);
    for _ in 0..6000 {
        let mut text = ARM.to_string();
        for _ in 0..=random.below(2) {
            let mut ends = [random.below(text.len() + 1), 0];
            // Between quotes, mostly: what is a number or a name becomes another.
            let quotes: Vec<usize> = text.match_indices('"').map(|(i, _)| i).collect();
            if random.below(4) > 0 && quotes.len() > 2 {
                let i = 2 * random.below(quotes.len() / 2 - 1);
                ends = [quotes[i] + 1, quotes[i + 1]];
            } else {
                ends[1] = (ends[0] + random.below(12)).min(text.len());
            }
            while !text.is_char_boundary(ends[0]) {
                ends[0] -= 1;
            }
            while !text.is_char_boundary(ends[1]) {
                ends[1] += 1;
            }
            text.replace_range(ends[0]..ends[1], PIECES[random.below(PIECES.len())]);
        }
        // The base has no mass of its own, so it must be fixed for anything to come out.
        let base = if random.below(8) > 0 { Base::Fixed } else { Base::Free };
        match urdf_text("arm.urdf", &text, Path::new("/nowhere"), base) {
            Ok(imported) => {
                fine += 1;
                // What is beyond all reason (a limit of 1e308) may be refused by the scenario reader, but not as bad syntax.
                match load_str("arm", &imported.scenario, &Assets::none(), &[]) {
                    Ok(_) => loaded += 1,
                    Err(error) => {
                        assert_eq!(error.kind(), ErrorKind::Value, "{error}\n{text}\n{}", imported.scenario);
                    }
                }
            }
            Err(error) => {
                wrong += 1;
                assert!(!error.to_string().is_empty());
                if let Some(source) = error.source_code() {
                    for label in error.labels().into_iter().flatten() {
                        assert!(source.read_span(label.inner(), 1, 1).is_ok(), "{error}\n{text}");
                    }
                }
            }
        }
    }
    assert!(
        fine > 300 && wrong > 2000 && loaded > fine * 9 / 10,
        "{fine} fine, {wrong} wrong, {loaded} loaded"
    );
}

#[test]
fn elements_within_elements_without_end() {
    for depth in [100, 10_000, 200_000] {
        let text = format!("<robot>{}", "<link name=\"a\">".repeat(depth));
        assert!(import(&text).is_err());
        let closed = format!("{text}{}</robot>", "</link>".repeat(depth));
        // A link within a link means nothing; or the parser refuses to go so deep.
        let _ = import(&closed);
    }
    let link = |i: usize| {
        let joint = format!("<joint name=\"j{i}\" type=\"fixed\">");
        format!("<link name=\"l{i}\"/>{joint}<parent link=\"l{i}\"/><child link=\"l{}\"/></joint>", i + 1)
    };
    let chain = (0..3000).map(link).collect::<Vec<_>>().concat();
    let imported =
        import(&format!("<robot>{chain}<link name=\"l3000\"/></robot>")).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(imported.bodies, 0);
}
