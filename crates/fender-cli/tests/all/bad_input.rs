//! Every kind of bad input: the message says what is wrong and what would be right, and the exit code is documented.

use crate::common::{self, folder, run, scenario, write};

/// Checks the small scenario after some changes; the answer must have all the parts, with exit code 2.
fn refused(changes: &[(&str, &str)], parts: &[&str]) {
    let dir = folder();
    scenario(dir.path(), changes);
    for verb in ["check", "run"] {
        let (code, text) = run(dir.path(), &[verb, "ball.toml"]);
        assert_eq!(code, 2, "{verb}: {text}");
        for part in parts {
            assert!(text.contains(part), "{verb}: no '{part}' in: {text}");
        }
    }
    assert!(!dir.path().join("results").exists(), "a refused scenario leaves no results folder");
}

#[test]
fn the_scenario_of_these_tests_is_fine() {
    let dir = folder();
    scenario(dir.path(), &[]);
    let (code, text) = run(dir.path(), &["check", "ball.toml"]);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("bodies 2: 1 free, 1 fixed, 0 driven"), "{text}");
    assert!(text.contains("mass 2 kg"), "{text}");
    assert!(text.contains("rubber-rubber hertz coulomb"), "{text}");
}

#[test]
fn unknown_key_suggests_the_near_one() {
    refused(&[("radius =", "raduis =")], &["ball.toml", "raduis", "did you mean `radius`?"]);
}

#[test]
fn wrong_unit_names_the_kind_expected() {
    refused(&[("\"2 kg\"", "\"2 m\"")], &["ball.toml", "mass", "kg"]);
}

#[test]
fn negative_mass() {
    refused(&[("\"2 kg\"", "\"-2 kg\"")], &["body.ball.mass", "positive"]);
}

#[test]
fn mass_that_is_not_a_number() {
    refused(&[("\"2 kg\"", "nan")], &["body.ball.mass", "finite"]);
}

#[test]
fn impossible_inertia() {
    refused(&[("mass = \"2 kg\"", "mass = \"2 kg\"\ninertia = [0.1, 0.1, 0.5]")], &["ball", "inertia"]);
}

#[test]
fn shape_without_size() {
    refused(&[("\"0.1 m\"", "0")], &["radius", "positive"]);
}

#[test]
fn missing_mesh() {
    let visual = "mass = \"2 kg\"\nvisual = [{ mesh = \"hull.glb\" }]";
    refused(
        &[("mass = \"2 kg\"", visual)],
        &["ball.toml:17", "hull.glb", "body.ball.visual[0].mesh", "No such file"],
    );
}

#[test]
fn corrupt_mesh() {
    let dir = folder();
    let visual = "mass = \"2 kg\"\nvisual = [{ mesh = \"hull.stl\" }]";
    scenario(dir.path(), &[("mass = \"2 kg\"", visual)]);
    for (bytes, part) in [
        ("solid hull\nfacet\nvertex 0 0\n", "hull.stl, line 3: a vertex has three numbers"),
        ("solid hull\nendsolid\n", "hull.stl: there are no triangles in it"),
        ("PK", "this is no STL file: it is text, and a text STL file begins with `solid`, not \"PK\""),
    ] {
        write(&dir.path().join("hull.stl"), bytes);
        let (code, text) = run(dir.path(), &["run", "ball.toml"]);
        assert_eq!(code, 2, "{text}");
        assert!(text.contains(part) && text.contains("body.ball.visual[0].mesh"), "{text}");
    }
    assert!(!dir.path().join("results").exists());
}

#[test]
fn views_and_gaps_of_bodies_that_do_not_exist() {
    let view = "[view.side]\neye = [0, -3, 1]\nfollow = \"bal\"\n\n[[contact]]";
    refused(
        &[("[[contact]]", view)],
        &["view.side.follow", "there is no body `bal`", "did you mean `ball`?"],
    );
    let gaps = "[frames]\ngaps = [[\"ball\", \"flor\"]]\n\n[[contact]]";
    refused(
        &[("[[contact]]", gaps)],
        &["frames.gaps[0][1]", "there is no body `flor`", "did you mean `floor`?"],
    );
}

#[test]
fn missing_series_file() {
    let driven = "driven.file = \"motion.csv\"";
    refused(&[("fixed = true", driven)], &["motion.csv", "body.floor.driven.file"]);
}

#[test]
fn corrupt_series_file() {
    let dir = folder();
    scenario(dir.path(), &[("fixed = true", "driven.file = \"motion.csv\"")]);
    for (csv, part) in [
        ("time,x,y,z\n0,0,0,0\n1,0,zero,0\n", "zero"),
        ("time,x,y,z\n0,0,0,0\n0,0,0,1\n", "time"),
        ("time,x,y\n0,0,0\n1,0,0\n", "z"),
        ("time,x,y,z\n0,0,0,0\n1,0,0\n", "motion.csv"),
        ("time,x,y,z\n0,0,0,0\n1,0,0,nan\n", "motion.csv"),
        ("", "motion.csv"),
    ] {
        write(&dir.path().join("motion.csv"), csv);
        let (code, text) = run(dir.path(), &["run", "ball.toml"]);
        assert_eq!(code, 2, "{csv:?}: {text}");
        assert!(text.contains("motion.csv") && text.contains(part), "{csv:?}: {text}");
    }
}

#[test]
fn duplicate_name() {
    refused(&[("[body.floor]", "[body.ball]\nfixed = true\n[body.floor]")], &["ball", "ball.toml"]);
}

#[test]
fn reference_to_a_body_that_is_not_there() {
    let ignore = "[[ignore]]\nbodies = [\"bal\", \"floor\"]\n\n[[contact]]";
    refused(&[("[[contact]]", ignore)], &["bal", "did you mean `ball`?"]);
}

#[test]
fn reference_to_a_material_that_is_not_there() {
    refused(
        &[("material = \"rubber\"\nposition", "material = \"ruber\"\nposition")],
        &["did you mean `rubber`?"],
    );
}

#[test]
fn hertz_on_a_flat_face_without_a_stiffness() {
    let flat = "shape.box = { size = [0.1, 0.1, 0.1] }";
    refused(
        &[
            ("shape.sphere = { radius = \"0.1 m\" }", flat),
            ("stiffness = 1e6, ", ""),
            ("density = \"1100 kg/m^3\"", "youngs_modulus = \"10 MPa\"\npoisson_ratio = 0.45"),
        ],
        &["stiffness", "ball", "floor"],
    );
}

#[test]
fn signal_that_is_not_there() {
    let record = "[[record]]\nsignals = [\"ball.positon\"]\n\n[[contact]]";
    refused(&[("[[contact]]", record)], &["ball.positon", "did you mean 'ball.position'?"]);
}

#[test]
fn syntax_error_has_a_line() {
    refused(&[("title = \"Ball on a floor\"", "title = \"Ball")], &["ball.toml:2"]);
}

#[test]
fn override_on_a_path_that_does_not_exist() {
    let dir = folder();
    scenario(dir.path(), &[]);
    for (set, part) in [
        ("body.bal.mass=3", "ball"),
        ("body.ball.mas=3", "mass"),
        ("hight=3", "height"),
        ("body.ball.mass", "path=value"),
        ("body.ball.mass=3 m", "kg"),
    ] {
        let (code, text) = run(dir.path(), &["run", "ball.toml", "--set", set]);
        assert_eq!(code, 2, "{set}: {text}");
        assert!(text.contains(part), "{set}: no '{part}' in: {text}");
    }
}

#[test]
fn scenario_that_is_not_there() {
    let dir = folder();
    let (code, text) = run(dir.path(), &["run", "bouncing-bal"]);
    assert_eq!(code, 2, "{text}");
    assert!(text.contains("did you mean 'bouncing-ball'?"), "{text}");
    let (code, text) = run(dir.path(), &["run", "nothing.toml"]);
    assert_eq!(code, 4, "a file that cannot be read is input/output: {text}");
    assert!(text.contains("nothing.toml"), "{text}");
    let (code, text) = run(dir.path(), &["run", "."]);
    assert_eq!(code, 2, "{text}");
    assert!(text.contains("has no scenario.toml"), "{text}");
}

#[test]
fn out_folder_that_is_not_empty_needs_force() {
    let dir = folder();
    scenario(dir.path(), &[]);
    std::fs::create_dir(dir.path().join("out")).expect("a folder can be made");
    write(&dir.path().join("out/notes.txt"), "mine");
    let (code, text) = run(dir.path(), &["run", "ball.toml", "--out", "out"]);
    assert_eq!(code, 2, "{text}");
    assert!(text.contains("'out' is not empty") && text.contains("--force"), "{text}");
    let (code, text) = run(dir.path(), &["run", "ball.toml", "--out", "out", "--force"]);
    assert_eq!(code, 0, "{text}");
    assert!(dir.path().join("out/notes.txt").exists(), "what is not ours stays");
}

#[test]
fn out_folder_that_cannot_be_made() {
    let dir = folder();
    scenario(dir.path(), &[]);
    write(&dir.path().join("file"), "not a folder");
    let (code, text) = run(dir.path(), &["run", "ball.toml", "--out", "file/out"]);
    assert_eq!(code, 4, "{text}");
    assert!(text.contains("file/out"), "{text}");
}

#[test]
fn resume_and_export_of_folders_without_a_run() {
    let dir = folder();
    for verb in [
        &["resume", "."][..],
        &["resume", "nowhere"],
        &["export", ".", "--csv"],
        &["export", "nowhere", "--csv"],
    ] {
        let (code, text) = run(dir.path(), verb);
        assert_eq!(code, 2, "{verb:?}: {text}");
        assert!(text.contains("holds no run"), "{verb:?}: {text}");
    }
}

#[test]
fn new_does_not_replace_what_is_there() {
    let dir = folder();
    assert_eq!(run(dir.path(), &["new", "lift"]).0, 0);
    let (code, text) = run(dir.path(), &["new", "lift"]);
    assert_eq!(code, 2, "{text}");
    assert!(text.contains("'lift' exists already"), "{text}");
}

#[test]
fn command_line_mistakes() {
    let dir = folder();
    for arguments in
        [&["rum"][..], &["run"], &["run", "pile", "--threads", "0"], &["sweep", "pile"], &["export", "."]]
    {
        let (code, text) = run(dir.path(), arguments);
        assert_eq!(code, 2, "{arguments:?}: {text}");
        assert!(text.contains("--help"), "{arguments:?}: {text}");
    }
}

#[test]
fn a_reader_that_goes_away_is_no_reason_to_panic() {
    let dir = folder();
    scenario(dir.path(), &[("radius =", "raduis =")]);
    // Both streams to a pipe that nobody reads, as in `fender check ball.toml 2>&1 | head -1`; the codes are those of the verbs.
    let cases: [(&[&str], i32); 5] = [
        (&["check", "ball.toml"], 2),
        (&["run", "ball.toml"], 2),
        (&["check", "nothing.toml"], 2),
        (&["list"], 0),
        (&["lines"], 0),
    ];
    for (arguments, expected) in cases {
        let (reader, writer) = std::io::pipe().expect("a pipe can be made");
        drop(reader);
        let mut command = common::fender(dir.path());
        command.args(arguments).stdout(writer.try_clone().expect("it can be copied")).stderr(writer);
        let status = command.status().expect("the command can be started");
        assert!(status.code() == Some(expected) || status.code() == Some(4), "{arguments:?}: {status}");
        assert_ne!(status.code(), Some(101), "{arguments:?} panicked");
    }
}

/// A pipe that nobody writes to would be waited for without end.
#[cfg(unix)]
#[test]
fn a_pipe_or_a_device_is_no_asset() {
    let dir = folder();
    let pipe = dir.path().join("pipe.stl");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().expect("it is there").success());
    std::os::unix::fs::symlink("/dev/zero", dir.path().join("zero.stl")).expect("a link can be made");
    for file in ["pipe.stl", "zero.stl"] {
        let mesh = format!("shape.mesh = {{ file = \"{file}\" }}");
        scenario(dir.path(), &[("shape.sphere = { radius = \"0.1 m\" }", &mesh)]);
        let (code, text) = run(dir.path(), &["check", "ball.toml"]);
        assert_eq!(code, 2, "{text}");
        assert!(text.contains(file) && text.contains("a pipe, a socket or a device"), "{text}");
    }
}

/// Reading `/dev/zero` would end when memory is full.
#[cfg(unix)]
#[test]
fn a_pipe_a_device_or_a_huge_file_is_no_scenario() {
    let dir = folder();
    let path = |name: &str| dir.path().join(name);
    assert!(
        std::process::Command::new("mkfifo").arg(path("pipe.toml")).status().expect("it is there").success()
    );
    std::os::unix::fs::symlink("/dev/zero", path("zero.toml")).expect("a link can be made");
    let huge = std::fs::File::create(path("huge.toml")).expect("it can be made");
    huge.set_len(65 << 20).expect("it can be sparse");
    for (file, why) in [
        ("pipe.toml", "a pipe, a socket or a device"),
        ("zero.toml", "a pipe, a socket or a device"),
        ("huge.toml", "it has 65 MB, and at most 64 MB are read"),
    ] {
        for verb in ["check", "import"] {
            let (code, text) = run(dir.path(), &[verb, file]);
            assert_eq!(code, 4, "{verb}: {text}");
            assert!(text.contains(file) && text.contains(why), "{verb}: {text}");
        }
    }
}
