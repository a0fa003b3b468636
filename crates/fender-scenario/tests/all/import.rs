//! Robots that are right, and the scenarios they become.

use fender_engine::{Body, BodyMotion};
use fender_geom::Shape;
use fender_math::{MassProperties, Mat3, Quat, Vec3};
use fender_scenario::import::{Base, Imported, urdf, urdf_text};
use fender_scenario::{Scenario, load};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_6};
use std::path::Path;

fn import(text: &str) -> Imported {
    import_as(text, Base::Fixed)
}

fn import_as(text: &str, base: Base) -> Imported {
    urdf_text("r.urdf", text, Path::new("/nowhere"), base).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// What the scenario loads to, from a folder as a user would have it.
fn loaded(imported: &Imported) -> Scenario {
    let folder = tempfile::tempdir().unwrap();
    for (path, contents) in &imported.assets {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, contents).unwrap();
    }
    let file = folder.path().join("scenario.toml");
    std::fs::write(&file, &imported.scenario).unwrap();
    load(&file, &[]).unwrap_or_else(|e| panic!("{e}\n{}", imported.scenario))
}

fn body<'a>(scenario: &'a Scenario, name: &str) -> &'a Body {
    scenario.model.bodies.iter().find(|b| b.name == name).unwrap_or_else(|| panic!("no body {name}"))
}

fn mass(scenario: &Scenario, name: &str) -> MassProperties {
    match &body(scenario, name).motion {
        BodyMotion::Free { mass } => *mass,
        other => panic!("{name} is {other:?}"),
    }
}

fn near(a: Vec3, b: Vec3) {
    assert!((a - b).length() < 1e-11, "{a} and {b}");
}

fn has(imported: &Imported, text: &str) {
    assert!(imported.scenario.contains(text), "no {text} in\n{}", imported.scenario);
}

/// A link with a mass.
fn heavy(name: &str) -> String {
    format!(
        "<link name=\"{name}\"><inertial><mass value=\"2\"/>\
         <inertia ixx=\"0.1\" iyy=\"0.2\" izz=\"0.25\"/></inertial></link>"
    )
}

fn joint(name: &str, kind: &str, ends: [&str; 2], inside: &str) -> String {
    let [parent, child] = ends;
    format!(
        "<joint name=\"{name}\" type=\"{kind}\"><parent link=\"{parent}\"/><child link=\"{child}\"/>{inside}</joint>"
    )
}

fn robot(parts: &[String]) -> String {
    format!("<robot name=\"r\">\n{}\n</robot>", parts.join("\n"))
}

#[test]
fn a_small_robot_becomes_what_a_person_would_write() {
    let text = r#"<?xml version="1.0"?>
<robot name="Gate">
  <material name="red"><color rgba="1 0 0 1"/></material>
  <link name="post">
    <collision><origin xyz="0 0 1"/><geometry><box size="0.2 0.2 2"/></geometry></collision>
  </link>
  <link name="wing">
    <inertial><origin xyz="0.5 0 0"/><mass value="12"/><inertia ixx="1" iyy="2" izz="1.5" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><origin xyz="0.5 0 0"/><geometry><box size="1 0.05 1"/></geometry><material name="red"/></visual>
    <collision><origin xyz="0.5 0 0"/><geometry><box size="1 0.05 1"/></geometry></collision>
  </link>
  <joint name="hinge" type="revolute">
    <parent link="post"/><child link="wing"/>
    <origin xyz="0.1 0 1"/><axis xyz="0 0 1"/>
    <limit lower="-1" upper="1.5" effort="20" velocity="3"/>
    <dynamics damping="0.5" friction="0.2"/>
  </joint>
  <transmission name="t"/><gazebo/><gazebo reference="post"/>
</robot>"#;
    let imported = import(text);
    let expected = r##"# Written by `fender import` from r.urdf. Numbers are in SI units.
# r.urdf: left out: <gazebo> (2 times), <transmission>

format = 1
title = "Gate"

[run]
duration = "5 s"
integrator.rk4 = { step = "0.1 ms" }

[[record]]
signals = ["joint.*", "energy.*"]
every = "10 ms"

[material.robot]

# Links pass through each other: collision shapes of a URDF often overlap. To let them touch, delete this and
# add a [[contact]] between = ["robot", "robot"].
[[ignore]]
groups = ["robot", "robot"]

[body.post]
fixed = true
shapes = [{ shape.box = { size = [0.2, 0.2, 2] }, position = [0, 0, 1] }]
material = "robot"
group = "robot"

[body.wing]
mass = 12
center_of_mass = [0.5, 0, 0]
inertia = [1, 2, 1.5]
position = [0.1, 0, 1]
shapes = [{ shape.box = { size = [1, 0.05, 1] }, position = [0.5, 0, 0] }]
material = "robot"
group = "robot"
colour = "#ff0000"

[joint.hinge]
parent = "post"
child = "wing"
point = [0.1, 0, 1]
motion.revolute.axis = [0, 0, 1]
motion.revolute.angle.friction = { viscous = 0.5, dry = 0.2 }
motion.revolute.angle.limits = { low = -1, high = 1.5, stiffness = 2000, damping = 1 }
# The URDF allows a drive of up to 20 N*m and 3 rad/s.
"##;
    assert_eq!(imported.scenario, expected);
    assert_eq!(imported.warnings, ["r.urdf: left out: <gazebo> (2 times), <transmission>"]);
    assert_eq!((imported.bodies, imported.joints, imported.loops), (2, 1, 0));
    let scenario = loaded(&imported);
    assert!(scenario.warnings.is_empty(), "{:?}", scenario.warnings);
    assert_eq!(mass(&scenario, "wing").center, Vec3::new(0.5, 0.0, 0.0));
}

#[test]
fn an_inertia_is_turned_to_the_axes_of_the_body() {
    let text = robot(&[
        "<link name=\"base\"/>".into(),
        "<link name=\"arm\"><inertial><origin xyz=\"1 2 3\" rpy=\"0 0 0.5235987755982988\"/><mass value=\"2\"/>\
         <inertia ixx=\"0.1\" iyy=\"0.2\" izz=\"0.25\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link>"
            .into(),
        joint("j", "continuous", ["base", "arm"], ""),
    ]);
    let got = mass(&loaded(&import(&text)), "arm");
    assert_eq!((got.mass, got.center), (2.0, Vec3::new(1.0, 2.0, 3.0)));
    // Mohr's circle: a turn by 30° about z of the moments 0.1 and 0.2.
    let (sin, cos) = (2.0 * FRAC_PI_6).sin_cos();
    let (xx, yy, xy) = (0.15 - 0.05 * cos, 0.15 + 0.05 * cos, -0.05 * sin);
    let expected = Mat3::from_cols(Vec3::new(xx, xy, 0.0), Vec3::new(xy, yy, 0.0), Vec3::new(0.0, 0.0, 0.25));
    for (a, b) in got.inertia.to_cols_array().iter().zip(expected.to_cols_array()) {
        assert!((a - b).abs() < 1e-12, "{got:?}");
    }
}

#[test]
fn frames_follow_each_other_through_the_chain() {
    let text = robot(&[
        heavy("a"),
        heavy("b"),
        heavy("c"),
        joint(
            "j1",
            "revolute",
            ["a", "b"],
            "<origin xyz=\"1 0 0\" rpy=\"0 0 1.5707963267948966\"/><axis xyz=\"2 0 0\"/>",
        ),
        joint(
            "j2",
            "prismatic",
            ["b", "c"],
            "<origin xyz=\"1 0 0.5\" rpy=\"1.5707963267948966 0 0\"/><axis xyz=\"0 0 1\"/>",
        ),
    ]);
    let imported = import(&text);
    let scenario = loaded(&imported);
    let (b, c) = (body(&scenario, "b"), body(&scenario, "c"));
    near(b.pose.translation, Vec3::X);
    near(b.pose.rotation * Vec3::X, Vec3::Y);
    // The second origin is in the turned frame: x there is y in the world.
    near(c.pose.translation, Vec3::new(1.0, 1.0, 0.5));
    let turned = Quat::from_rotation_z(FRAC_PI_2) * Quat::from_rotation_x(FRAC_PI_2);
    near(c.pose.rotation * Vec3::Z, turned * Vec3::Z);
    has(&imported, "point = [1, 1, 0.5]\nmotion.prismatic.axis = [1, 0, 0]\n");
    has(&imported, "motion.revolute.axis = [0, 1, 0]\n");
    let said: Vec<_> = imported.warnings.iter().filter(|w| w.contains("has no <limit>")).collect();
    assert_eq!(said.len(), 2, "{:?}", imported.warnings);
}

#[test]
fn a_link_without_mass_joins_what_it_is_fixed_to() {
    let box_at = |x: f64| {
        format!("<collision><origin xyz=\"{x} 0 0\"/><geometry><box size=\"1 1 1\"/></geometry></collision>")
    };
    let text = robot(&[
        "<link name=\"world\"/>".into(),
        format!("<link name=\"stand\">{}</link>", box_at(0.5)),
        joint("bolt", "fixed", ["world", "stand"], "<origin xyz=\"0 0 2\"/>"),
        // Moves, has no mass of its own, and has something heavy fixed to it.
        format!("<link name=\"hull\">{}</link>", box_at(0.0)),
        joint(
            "slide",
            "prismatic",
            ["stand", "hull"],
            "<origin xyz=\"0 0 1\"/><limit lower=\"-1\" upper=\"1\"/>",
        ),
        heavy("engine"),
        joint("mount", "fixed", ["hull", "engine"], "<origin xyz=\"0 1 0\" rpy=\"0 0 1.5707963267948966\"/>"),
        // Heavy too: stays a body of its own.
        heavy("tank"),
        joint("straps", "fixed", ["engine", "tank"], "<origin xyz=\"1 0 0\"/>"),
        // Two frames in a row, the second with a shape.
        "<link name=\"frame\"/>".into(),
        joint("f", "fixed", ["tank", "frame"], "<origin xyz=\"1 0 0\"/>"),
        format!("<link name=\"plate\">{}</link>", box_at(10.0)),
        joint("g", "fixed", ["frame", "plate"], "<origin xyz=\"0 0 5\"/>"),
    ]);
    let imported = import(&text);
    assert_eq!((imported.bodies, imported.joints), (3, 2), "{}", imported.scenario);
    let scenario = loaded(&imported);
    assert!(matches!(body(&scenario, "stand").motion, BodyMotion::Fixed));
    assert_eq!(body(&scenario, "stand").pose.translation.z, 2.0);
    assert_eq!(body(&scenario, "hull").pose.translation.z, 3.0);
    // Turned by 90° about z, the engine's x is the hull's y.
    let hull = mass(&scenario, "hull");
    near(hull.center, Vec3::Y);
    near(hull.inertia * Vec3::ONE, Vec3::new(0.2, 0.1, 0.25));
    near(body(&scenario, "tank").pose.translation, Vec3::new(0.0, 2.0, 3.0));
    let plate = scenario.model.shapes.iter().find(|s| scenario.model.bodies[s.body.index()].name == "tank");
    near(plate.unwrap().pose_bs.translation, Vec3::new(11.0, 0.0, 5.0));
    has(&imported, "# With what is fixed to it: plate.\n[body.tank]");
    has(&imported, "# With what is fixed to it: engine.\n[body.hull]");
    has(&imported, "[joint.straps]\nparent = \"hull\"\n");
}

#[test]
fn the_base_is_fixed_or_free() {
    let text = robot(&[heavy("trunk"), heavy("leg"), joint("hip", "continuous", ["trunk", "leg"], "")]);
    let fixed = loaded(&import(&text));
    assert!(matches!(body(&fixed, "trunk").motion, BodyMotion::Fixed));
    let free = import_as(&text, Base::Free);
    assert!(!free.scenario.contains("fixed"), "{}", free.scenario);
    assert_eq!(mass(&loaded(&free), "trunk").mass, 2.0);
    // A root that is only a frame is the world, if it is fixed.
    let text =
        robot(&["<link name=\"w\"/>".into(), heavy("leg"), joint("hip", "continuous", ["w", "leg"], "")]);
    let imported = import(&text);
    assert_eq!(imported.bodies, 1);
    assert!(!imported.scenario.contains("parent"), "{}", imported.scenario);
    loaded(&imported);
}

#[test]
fn every_type_of_joint() {
    let children = ["fixed", "revolute", "continuous", "prismatic", "floating", "planar"];
    let mut parts = vec![heavy("base")];
    for kind in children {
        parts.push(heavy(kind));
        parts.push(joint(
            &format!("j-{kind}"),
            kind,
            ["base", kind],
            "<axis xyz=\"0 0 1\"/><limit lower=\"-1\" upper=\"1\" effort=\"5\" velocity=\"1\"/>",
        ));
    }
    let imported = import_as(&robot(&parts), Base::Free);
    let scenario = loaded(&imported);
    // The free base and the floating child have six freedoms each and no joint.
    assert_eq!((scenario.model.bodies.len(), imported.joints), (7, 5));
    let freedoms = |name: &str| {
        let joint = scenario.model.joints.iter().find(|j| j.name == name).expect(name);
        scenario.model.links[joint.link].nv
    };
    assert_eq!(
        ["j-fixed", "j-revolute", "j-continuous", "j-prismatic", "j-planar"].map(freedoms),
        [0, 1, 1, 1, 3]
    );
    has(&imported, "motion.planar.normal = [0, 0, 1]\n");
    has(
        &imported,
        "motion.prismatic.distance.limits = { low = -1, high = 1, stiffness = 5000, damping = 1 }",
    );
    has(&imported, "# The URDF allows a drive of up to 5 N and 1 m/s.");
    assert_eq!(imported.scenario.matches(".limits").count(), 2, "a continuous joint has no stops");
}

#[test]
fn a_joint_starts_within_its_limits() {
    let limited = |limit: &str| {
        let inside = format!("<axis xyz=\"0 1 0\"/>{limit}");
        import(&robot(&[heavy("a"), heavy("b"), joint("j", "revolute", ["a", "b"], &inside)]))
    };
    let imported = limited("<limit lower=\"0.5\" upper=\"1\" effort=\"1\" velocity=\"1\"/>");
    has(&imported, "motion.revolute.angle.start = 0.5\n");
    assert_eq!(imported.warnings, ["r.urdf:4:14: the joint `j` starts at 0.5: zero is beyond its limits"]);
    let scenario = loaded(&imported);
    assert_eq!(fender_engine::World::new(scenario.model).state.q[0], 0.5);

    let none = limited("<limit effort=\"1\" velocity=\"1\"/>");
    assert!(!none.scenario.contains(".limits"), "{}", none.scenario);
    assert!(none.warnings[0].contains("leave no room"), "{:?}", none.warnings);
    // Without an effort, the stops are the usual ones.
    has(&limited("<limit lower=\"0\" upper=\"1\"/>"), "low = 0, high = 1, stiffness = 1000, damping = 1");
}

#[test]
fn a_mimicking_joint_is_coupled() {
    let text = robot(&[
        heavy("palm"),
        heavy("a"),
        heavy("b"),
        heavy("c"),
        joint(
            "left finger",
            "prismatic",
            ["palm", "a"],
            "<axis xyz=\"1 0 -1\"/><limit lower=\"0.01\" upper=\"0.05\"/>",
        ),
        joint(
            "right",
            "prismatic",
            ["palm", "b"],
            "<limit lower=\"-1\" upper=\"1\"/><mimic joint=\"left finger\" multiplier=\"-2\" offset=\"0.1\"/>",
        ),
        joint("third", "continuous", ["palm", "c"], "<mimic joint=\"right\"/>"),
    ]);
    let imported = import(&text);
    assert_eq!(imported.loops, 2);
    has(
        &imported,
        "\n[loop.right_mimic]\nclose.coupling = { terms = [[\"right\", 1], [\"left_finger\", 2]], value = 0.1 }\n",
    );
    has(
        &imported,
        "\n[loop.third_mimic]\nclose.coupling = { terms = [[\"third\", 1], [\"right\", -1]], value = 0 }\n",
    );
    // They start where they belong: −2·0.01 + 0.1, and the same again.
    has(&imported, "motion.prismatic.distance.start = 0.01\n");
    has(&imported, "motion.prismatic.distance.start = 0.08\n");
    has(&imported, "motion.revolute.angle.start = 0.08\n");
    let scenario = loaded(&imported);
    assert_eq!(scenario.model.bodies.len(), 4);
    let mut world = fender_engine::World::new(scenario.model);
    let integrator = scenario.run.integrator.build();
    for _ in 0..200 {
        world.step(integrator.as_ref(), 1.0).unwrap();
    }
    let [left, right, third] = world.state.q[..] else { panic!("{:?}", world.state.q) };
    assert!((left - 0.01).abs() > 1e-5, "something has moved: {left}");
    assert!(
        (right - (0.1 - 2.0 * left)).abs() < 1e-9 && (third - right).abs() < 1e-9,
        "{left} {right} {third}"
    );
}

#[test]
fn visuals_and_colours() {
    let visual = |colour: &str, x: &str| {
        format!(
            "<visual><origin xyz=\"{x} 0 0\"/><geometry><cylinder radius=\"0.1\" length=\"2\"/></geometry>{colour}</visual>"
        )
    };
    let red = "<material name=\"red\"><color rgba=\"1 0 0 0.5\"/></material>";
    let text = robot(&[
        "<link name=\"w\"/>".into(),
        // A material is known after it was described.
        heavy("a").replace(
            "</link>",
            &format!("{}{}</link>", visual(red, "0"), visual("<material name=\"red\"/>", "1")),
        ),
        heavy("b").replace(
            "</link>",
            &format!("{}{}</link>", visual(red, "0"), visual("<material name=\"Red\"/>", "1")),
        ),
        heavy("c").replace(
            "</link>",
            "<visual><geometry><sphere radius=\"1\"/></geometry></visual>\
             <collision><geometry><capsule radius=\"0.2\" length=\"3\"/></geometry></collision></link>",
        ),
        joint("ja", "continuous", ["w", "a"], ""),
        joint("jb", "continuous", ["w", "b"], ""),
        joint("jc", "continuous", ["w", "c"], ""),
    ]);
    let imported = import(&text);
    has(
        &imported,
        "colour = \"#ff0000\"\nvisual = [\n    { shape.cylinder = { radius = 0.1, height = 2 } },\n    \
         { shape.cylinder = { radius = 0.1, height = 2 }, position = [1, 0, 0] },\n]\n",
    );
    has(&imported, "{ shape.cylinder = { radius = 0.1, height = 2 }, colour = \"#ff0000\" },\n");
    has(&imported, "shape.capsule = { radius = 0.2, height = 3 }\n");
    has(&imported, "visual = [{ shape.sphere = { radius = 1 } }]\n");
    assert_eq!(imported.warnings.len(), 1);
    assert!(imported.warnings[0].ends_with("there is no material `Red`; did you mean `red`?"));
    let scenario = loaded(&imported);
    assert_eq!(scenario.visuals.len(), 5);
    assert!(matches!(scenario.model.shapes[0].shape, Shape::Capsule { radius: 0.2, half_height: 1.5 }));
}

#[test]
fn names_that_cannot_be_are_rewritten() {
    let text = robot(&[
        heavy("arm link/1"),
        heavy("arm.link 1"),
        heavy("hüfte"),
        joint("a b", "continuous", ["arm link/1", "arm.link 1"], ""),
        joint("gelenk ä", "continuous", ["arm link/1", "hüfte"], ""),
    ]);
    let imported = import(&text);
    has(&imported, "[joint.a_b]\nparent = \"arm_link_1\"\nchild = \"arm_link_1_2\"\n");
    has(&imported, "[body.\"hüfte\"]");
    assert!(imported.scenario.contains("# r.urdf:3:13: `arm.link 1` is called `arm_link_1_2`\n"));
    assert_eq!(imported.warnings.len(), 4, "{:?}", imported.warnings);
    loaded(&imported);
}

#[test]
fn misspelt_attributes_are_told() {
    let text = robot(&[
        heavy("a"),
        heavy("b"),
        joint("j", "revolute", ["a", "b"], "<limit lowr=\"-1\" upper=\"1\"/>"),
    ]);
    let imported = import(&text);
    assert_eq!(imported.warnings, ["r.urdf:4:75: <limit> has no attribute `lowr`; did you mean `lower`?"]);
}

/// A tetrahedron with a material library.
const OBJ: &str =
    "mtllib paint.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nusemtl p\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
const MTL: &str = "newmtl p\nKd 0 1 0\n";

#[test]
fn meshes_come_along() {
    let root = tempfile::tempdir().unwrap();
    let package = root.path().join("arm_description");
    for folder in ["urdf", "meshes/visual", "meshes/collision"] {
        std::fs::create_dir_all(package.join(folder)).unwrap();
    }
    let put = |path: &str, text: &str| std::fs::write(package.join(path), text).unwrap();
    put("meshes/visual/part.obj", OBJ);
    put("meshes/visual/paint.mtl", MTL);
    put("meshes/collision/part.obj", &OBJ.replace("mtllib paint.mtl\n", "").replace("usemtl p\n", ""));
    put("meshes/visual/shell.dae", "<COLLADA/>");
    put("meshes/collision/flat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 4 3\n");
    let mesh = |file: &str, scale: &str| format!("<geometry><mesh filename=\"{file}\" {scale}/></geometry>");
    let in_package = "package://arm_description/meshes/visual/part.obj";
    let text = robot(&[
        "<link name=\"w\"/>".into(),
        heavy("a").replace(
            "</link>",
            &format!(
                "<visual>{}</visual><visual>{}</visual><collision>{}</collision><collision><origin xyz=\"0 0 0.5\"/>{}</collision></link>",
                mesh(in_package, "scale=\"0.001 0.001 0.001\""),
                mesh("../meshes/visual/part.obj", "scale=\"1 2 -3\""),
                mesh("package://arm_description/meshes/collision/part.obj", ""),
                mesh("../meshes/collision/part.obj", "scale=\"0.5 0.5 0.5\""),
            ),
        ),
        // Nothing else to show: the collision mesh.
        heavy("b").replace(
            "</link>",
            &format!("<collision>{}</collision></link>", mesh("../meshes/collision/part.obj", "")),
        ),
        heavy("c").replace(
            "</link>",
            &format!(
                "<visual>{0}</visual><collision>{0}</collision><collision>{1}</collision></link>",
                mesh("../meshes/visual/shell.dae", ""),
                mesh("../meshes/collision/flat.obj", "scale=\"1 2 1\""),
            ),
        ),
        joint("ja", "continuous", ["w", "a"], ""),
        joint("jb", "continuous", ["w", "b"], ""),
        joint("jc", "continuous", ["w", "c"], ""),
    ]);
    let file = package.join("urdf/arm.urdf");
    std::fs::write(&file, text).unwrap();
    let imported = urdf(&file, Base::Fixed).unwrap_or_else(|e| panic!("{e}"));
    let names: Vec<_> = imported.assets.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["meshes/part.obj", "meshes-2/part.obj", "meshes-2/paint.mtl", "meshes/flat.obj"]);
    has(
        &imported,
        "visual = [\n    { mesh = \"meshes-2/part.obj\", scale = 0.001 },\n    { mesh = \"meshes-2/part.obj\", scale = [1, 2, 3] },\n]\n",
    );
    has(&imported, "visual = [{ mesh = \"meshes/part.obj\" }]\n");
    // Touched as hulls, each with its scale and place; the file says how to have the triangles.
    has(
        &imported,
        "shapes = [\n    { shape.mesh = { file = \"meshes/part.obj\", convex = \"hull\" } },\n    \
         { shape.mesh = { file = \"meshes/part.obj\", scale = 0.5, convex = \"hull\" }, position = [0, 0, 0.5] },\n]\n\
         material = \"robot\"\ngroup = \"robot\"\n",
    );
    has(&imported, "shape.mesh = { file = \"meshes/part.obj\", convex = \"hull\" }\nmaterial = \"robot\"");
    has(&imported, "shape.mesh = { file = \"meshes/flat.obj\", scale = [1, 2, 1] }\nmaterial = \"robot\"");
    has(&imported, "`convex.pieces = { most = 16 }`");
    let said = |part: &str| {
        assert!(imported.warnings.iter().any(|w| w.contains(part)), "{part}: {:?}", imported.warnings);
    };
    said("arm.urdf:5:");
    said(
        "the collision mesh `../meshes/visual/shell.dae` of the link `c` collides with nothing: a mesh is a .stl",
    );
    said(
        "the collision mesh `../meshes/collision/flat.obj` of the link `c` is flat: it is touched as a sheet",
    );
    said("the mesh `../meshes/visual/shell.dae` is not shown: a mesh is a .stl, .obj, .gltf or .glb file");
    said("the mesh is not mirrored");
    let scenario = loaded(&imported);
    // The three, and the sheet that is touched.
    assert_eq!(scenario.visuals.len(), 4);
    let touched = |name: &str| {
        let body = scenario.model.bodies.iter().find(|body| body.name == name).unwrap();
        &scenario.model.shapes[body.shapes.start as usize..body.shapes.end as usize]
    };
    let [whole, half] = touched("a") else { panic!("two shapes") };
    let (Shape::Polyhedron(whole), Shape::Polyhedron(half_hull)) = (&whole.shape, &half.shape) else {
        panic!("two hulls")
    };
    // A tetrahedron of 1/6 m³, and one of half its size that is 0.5 m higher.
    assert!((whole.volume() - 1.0 / 6.0).abs() < 1e-12 && (half_hull.volume() - 1.0 / 48.0).abs() < 1e-12);
    assert_eq!(half.pose_bs.translation.z, 0.5);
    assert!(matches!(&touched("c")[0].shape, Shape::Mesh(mesh) if !mesh.is_closed()));
    assert_eq!(scenario.meshes[0].parts[0].colour, [0, 255, 0, 255], "the material library came along");

    // Out of its package, beside its meshes.
    let moved = root.path().join("moved");
    std::fs::create_dir_all(moved.join("meshes")).unwrap();
    std::fs::copy(package.join("meshes/collision/part.obj"), moved.join("meshes/part.obj")).unwrap();
    let link = heavy("a").replace(
        "</link>",
        &format!("<visual>{}</visual></link>", mesh("package://gone/meshes/part.obj", "")),
    );
    std::fs::write(moved.join("a.urdf"), robot(&[link])).unwrap();
    assert_eq!(urdf(&moved.join("a.urdf"), Base::Free).unwrap().assets[0].0, "meshes/part.obj");
}
