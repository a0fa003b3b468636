//! Runs that are stopped at every change they make to their folder.

use super::*;
use crate::atomic::stop_at;
use fender_scenario::{Assets, load_str};
use std::fs;

/// Balls side by side on a floor, some of them pushed, and others that come down on them: events at the start and in every
/// few steps, and so many candidate pairs that they are more than one unit of work.
fn balls() -> String {
    let mut text = String::from(
        r#"
format = 1
title = "Balls on a floor"
run = { duration = 0.008, integrator.rk4 = { step = 1e-3 } }
material.rubber = { density = 1000 }
record = [{ signals = ["energy.kinetic", "b3.position"], every = "1 ms" }]

[[contact]]
between = ["rubber", "rubber"]
normal.linear = { stiffness = 1000, restitution = 0.5 }
friction.coulomb = { coefficient = 0.3 }

[body.floor]
fixed = true
material = "rubber"
shape.half_space = { normal = [0, 0, 1] }
"#,
    );
    for i in 0..110_u32 {
        let (x, y, layer) = (i % 10, i / 10 % 8, i / 80);
        // Touching from the start below, a little apart above.
        let z = 0.0499 + 0.1004 * f64::from(layer);
        let speed = [f64::from(i % 5) * 0.02, f64::from(i % 3) * 0.03, -0.2 * f64::from(layer * (i % 4))];
        text += &format!(
            "[body.b{i}]\nmaterial = \"rubber\"\nshape.sphere = {{ radius = 0.05 }}\n\
             position = [{}, {}, {z}]\nvelocity = [{}, {}, {}]\n\n",
            0.0999 * f64::from(x),
            0.1001 * f64::from(y),
            speed[0],
            speed[1],
            speed[2]
        );
    }
    text
}

fn go(text: &str, path: &Path, force: bool) -> Result<Summary, RunError> {
    let scenario = load_str("balls", text, &Assets::none(), &[]).unwrap_or_else(|e| panic!("{e}"));
    run(scenario, &options(path, force), &mut |_| Flow::Continue)
}

/// A checkpoint after every step.
fn options(path: &Path, force: bool) -> RunOptions {
    let mut options = RunOptions::new(Out::Folder { path: path.to_owned(), force });
    options.checkpoint_every = Duration::ZERO;
    options.report = false;
    options
}

#[test]
fn a_run_that_is_stopped_at_any_change_resumes_bit_by_bit() {
    let text = balls();
    let dir = tempfile::tempdir().unwrap();
    let whole = dir.path().join("whole");
    let reference = go(&text, &whole, false).unwrap();
    let at_start = fs::read_to_string(whole.join("events.json")).unwrap().matches("\"time\": 0.0,").count();
    assert!(at_start > 80 && reference.events > at_start as u64 + 20, "{at_start} {}", reference.events);
    let cut = dir.path().join("cut");
    for changes in 0.. {
        // What the round before has left is replaced.
        let _ = fs::remove_dir_all(&cut);
        stop_at::allow(Some(changes));
        let first = go(&text, &cut, false);
        stop_at::allow(None);
        let ended = match &first {
            Ok(_) => None,
            Err(_) if cut.join("checkpoint").exists() => {
                let mut options = options(&cut, false);
                options.checkpoint_every = Duration::from_secs(5);
                Some(resume(&cut, &options, &mut |_| Flow::Continue))
            }
            // Before the first checkpoint there is nothing to resume.
            Err(_) => Some(go(&text, &cut, true)),
        };
        if let Some(ended) = ended {
            let summary = match ended {
                Ok(summary) => summary,
                // The summary is the last file: all was done before.
                Err(RunError::Complete(_)) => Folder { path: cut.clone() }.summary().unwrap(),
                Err(error) => panic!("after {changes} changes: {error}"),
            };
            assert_eq!(summary.state_hash, reference.state_hash, "after {changes} changes");
            assert_eq!(summary.events, reference.events, "after {changes} changes");
        }
        for file in ["events.json", "signals.parquet", "contacts.parquet", "frames.bin"] {
            let same = fs::read(whole.join(file)).unwrap() == fs::read(cut.join(file)).unwrap();
            assert!(same, "{file} differs after {changes} changes");
        }
        if first.is_ok() {
            assert!(changes > 60, "{changes}");
            break;
        }
    }
}

/// Old results are there until the new run has its first checkpoint.
#[test]
fn a_run_that_cannot_begin_leaves_the_results_before_it() {
    let text = balls();
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    let before = go(&text, &out, false).unwrap();
    for changes in 0..10 {
        stop_at::allow(Some(changes));
        let error = go(&text, &out, true).unwrap_err();
        stop_at::allow(None);
        assert_eq!(error.exit_code(), 4);
        assert_eq!(Folder { path: out.clone() }.summary().as_ref(), Some(&before), "after {changes} changes");
        assert!(Folder { path: out.clone() }.table("signals").unwrap().rows() > 8);
    }
    let after = go(&text, &out, true).unwrap();
    assert_eq!((after.state_hash, after.folder), (before.state_hash, out.display().to_string()));
    assert!(!out.join(".new").exists());
}

#[test]
fn a_folder_that_is_being_written_is_not_resumed_nor_replaced() {
    let text = balls();
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    let scenario = load_str("balls", &text, &Assets::none(), &[]).unwrap();
    let mut options = options(&out, false);
    options.progress_every = Duration::ZERO;
    let mut tried = false;
    let summary = run(scenario, &options, &mut |_| {
        if !tried {
            tried = true;
            for error in [
                resume(&out, &self::options(&out, false), &mut |_| Flow::Continue).unwrap_err(),
                go(&text, &out, true).unwrap_err(),
            ] {
                assert!(matches!(error, RunError::Locked { .. }) && error.exit_code() == 4, "{error}");
            }
            // Readers are not locked out.
            assert!(Folder { path: out.clone() }.table("signals").unwrap().rows() > 0);
        }
        Flow::Continue
    })
    .unwrap();
    assert!(tried && summary.ended == Ended::Complete);
}

/// Names and contents of the files in a folder and below, but for the lock.
fn contents(dir: &Path) -> Vec<(std::path::PathBuf, Vec<u8>)> {
    let mut files = Vec::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(contents(&path));
        } else if !path.ends_with(crate::lock::LOCK) {
            files.push((path.clone(), fs::read(&path).unwrap()));
        }
    }
    files.sort();
    files
}

#[test]
fn a_run_whose_frames_are_damaged_is_not_resumed_and_nothing_is_lost() {
    let text = balls().replace("[body.floor]", "[frames]\nevery = \"1 ms\"\n\n[body.floor]");
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    let scenario = load_str("balls", &text, &Assets::none(), &[]).unwrap();
    let mut options = options(&out, false);
    options.progress_every = Duration::ZERO;
    let stopped = run(scenario, &options, &mut |p| if p.steps < 5 { Flow::Continue } else { Flow::Stop });
    assert_eq!(stopped.unwrap_err().exit_code(), 130);
    let path = out.join("frames.bin");
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    fs::write(&path, &bytes).unwrap();
    let before = contents(&out);
    let error = resume(&out, &options, &mut |_| Flow::Continue).unwrap_err();
    assert_eq!(error.exit_code(), 4);
    assert!(error.to_string().contains("frames.bin' is damaged"), "{error}");
    assert!(contents(&out) == before);
    // Without it the rest of the run is computed, and a file that comes back later stays as it is.
    fs::remove_file(&path).unwrap();
    let stopped = resume(&out, &options, &mut |p| if p.steps < 6 { Flow::Continue } else { Flow::Stop });
    assert_eq!(stopped.unwrap_err().exit_code(), 130);
    fs::write(&path, &bytes).unwrap();
    let summary = resume(&out, &options, &mut |_| Flow::Continue).unwrap();
    assert!(summary.warnings.iter().any(|w| w.contains("without a replay")), "{:?}", summary.warnings);
    let whole = go(&text, &dir.path().join("whole"), false).unwrap();
    assert_eq!(summary.state_hash, whole.state_hash);
    assert!(fs::read(&path).unwrap() == bytes);
}
