//! Ctrl-C, SIGTERM, SIGKILL and a full disk: what was recorded is readable, and `resume` continues to the same bits.
#![cfg(unix)]

use crate::common::{self, code, fender, flat, folder, json, run, scenario};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// A scenario that takes a second or so, with jitter-free bounces all along.
fn long_scenario(dir: &Path) {
    let changes =
        [("\"0.5 s\"", "\"40 s\""), ("\"0.1 ms\"", "\"50 us\""), ("restitution = 0.5", "restitution = 1")];
    scenario(dir, &changes);
}

/// What is asked about the end of a run that was stopped before is open, not missed.
#[test]
fn an_expectation_that_was_not_due_is_not_missed() {
    let dir = folder();
    long_scenario(dir.path());
    let path = dir.path().join("ball.toml");
    let expect =
        "[[expect]]\nsignal = \"ball.position.z\"\nat = 39\nabove = -1\nwhy = \"it stays\"\n\n[[contact]]";
    let text = std::fs::read_to_string(&path).expect("it is there").replacen("[[contact]]", expect, 1);
    common::write(&path, &text);
    let text = flat(&signal_when_under_way(dir.path(), start(dir.path()), "INT"));
    assert!(text.contains("not reached: ball.position.z at 39 s: asked above -1 m (it stays)"), "{text}");
    assert!(!text.contains("missed"), "{text}");
    let outcome = &json(&dir.path().join("out/summary.json"))["expectations"][0];
    assert_eq!((&outcome["reached"], &outcome["met"]), (&false.into(), &false.into()));
    let (code, text) = run(dir.path(), &["resume", "out"]);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("expectations met 1 of 1"), "{text}");
}

fn start(dir: &Path) -> Child {
    let mut command = fender(dir);
    command.args(["run", "ball.toml", "--out", "out", "--checkpoint", "0.05"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts")
}

/// Sends a signal once the run has written some parts.
fn signal_when_under_way(dir: &Path, mut child: Child, signal: &str) -> Output {
    let part = dir.join("out/signals/part-00003.parquet");
    let begin = Instant::now();
    while !part.exists() {
        assert!(begin.elapsed() < Duration::from_mins(1), "the run writes no parts");
        assert!(
            child.try_wait().expect("it can be asked").is_none(),
            "the run ended before it could be stopped"
        );
        std::thread::sleep(Duration::from_millis(2));
    }
    let kill = format!("kill -{signal} {}", child.id());
    assert!(Command::new("sh").args(["-c", &kill]).status().expect("sh is there").success());
    child.wait_with_output().expect("it ends")
}

/// The state, the number of rows and the contents of the tables of a finished run.
fn outcome(dir: &Path, out: &str) -> (serde_json::Value, Vec<u8>, Vec<u8>, Vec<u8>) {
    let (code, text) = run(dir, &["export", out, "--csv"]);
    assert_eq!(code, 0, "{text}");
    let read = |name: &str| std::fs::read(dir.join(out).join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
    let summary = json(&dir.join(out).join("summary.json"));
    assert_eq!(summary["ended"], "complete");
    (summary["state_hash"].clone(), read("signals.csv"), read("contacts.csv"), read("frames.bin"))
}

/// Stops a run with a signal, reads what is there, resumes, and compares with a run that was never stopped.
fn stop_and_resume(signal: &str, exit: i32) {
    let dir = folder();
    long_scenario(dir.path());
    let output = signal_when_under_way(dir.path(), start(dir.path()), signal);
    let text = flat(&output);
    assert_eq!(code(&output), exit, "{text}");
    if exit > 0 {
        assert!(text.contains("interrupted at t ="), "{text}");
        assert!(text.contains("fender resume out"), "{text}");
        assert_eq!(json(&dir.path().join("out/summary.json"))["ended"], "interrupted");
    }
    // What was recorded so far can be read.
    let (code, text) = run(dir.path(), &["export", "out", "--csv"]);
    assert_eq!(code, 0, "{text}");
    let rows = std::fs::read_to_string(dir.path().join("out/signals.csv")).expect("it was exported");
    assert!(rows.lines().count() > 2, "{rows}");

    let (code, text) = run(dir.path(), &["resume", "out"]);
    assert_eq!(code, 0, "{text}");
    let (code, text) = run(dir.path(), &["run", "ball.toml", "--out", "whole", "--quiet"]);
    assert_eq!(code, 0, "{text}");
    assert!(outcome(dir.path(), "out") == outcome(dir.path(), "whole"), "the resumed run differs");
}

#[test]
fn ctrl_c_is_130_and_resumes_bit_by_bit() {
    stop_and_resume("INT", 130);
}

#[test]
fn sigterm_is_143_and_resumes_bit_by_bit() {
    stop_and_resume("TERM", 143);
}

#[test]
fn sigkill_resumes_bit_by_bit_from_the_last_checkpoint() {
    stop_and_resume("KILL", -1);
}

#[test]
fn a_changed_scenario_is_not_resumed() {
    let dir = folder();
    long_scenario(dir.path());
    signal_when_under_way(dir.path(), start(dir.path()), "INT");
    let path = dir.path().join("out/scenario.toml");
    let text = std::fs::read_to_string(&path).expect("it is there");
    common::write(&path, &text.replacen("2 kg", "3 kg", 1));
    let (code, text) = run(dir.path(), &["resume", "out"]);
    assert_eq!(code, 2, "{text}");
    assert!(text.contains("another scenario"), "{text}");
}

#[test]
fn a_damaged_checkpoint_is_refused() {
    let dir = folder();
    long_scenario(dir.path());
    signal_when_under_way(dir.path(), start(dir.path()), "TERM");
    let path = dir.path().join("out/checkpoint");
    let bytes = std::fs::read(&path).expect("it is there");
    std::fs::write(&path, &bytes[..bytes.len() / 2]).expect("it can be written");
    let (code, text) = run(dir.path(), &["resume", "out"]);
    assert_eq!(code, 2, "{text}");
    assert!(text.contains("checkpoint is damaged"), "{text}");
}

/// Files cannot grow beyond a few blocks: what a full disk does, without one.
#[test]
fn a_full_disk_is_exit_code_4_and_resumes_when_there_is_room() {
    let dir = folder();
    long_scenario(dir.path());
    let command = format!(
        "trap '' XFSZ; ulimit -f 64; exec {} run ball.toml --out out --checkpoint 0.05",
        env!("CARGO_BIN_EXE_fender")
    );
    let output =
        Command::new("sh").args(["-c", &command]).current_dir(dir.path()).output().expect("sh is there");
    let text = flat(&output);
    assert_eq!(code(&output), 4, "{text}");
    assert!(text.contains("out/"), "the message names the file: {text}");

    let (code, text) = run(dir.path(), &["export", "out", "--csv"]);
    assert_eq!(code, 0, "{text}");
    let (code, text) = run(dir.path(), &["resume", "out"]);
    assert_eq!(code, 0, "{text}");
    let (code, text) = run(dir.path(), &["run", "ball.toml", "--out", "whole", "--quiet"]);
    assert_eq!(code, 0, "{text}");
    assert!(outcome(dir.path(), "out") == outcome(dir.path(), "whole"), "the resumed run differs");
}

/// The device that is always full.
#[cfg(target_os = "linux")]
#[test]
fn no_space_left_is_said_as_such() {
    let dir = folder();
    scenario(dir.path(), &[]);
    std::fs::create_dir(dir.path().join("out")).expect("a folder can be made");
    std::os::unix::fs::symlink("/dev/full", dir.path().join("out/checkpoint.tmp"))
        .expect("a link can be made");
    let (code, text) = run(dir.path(), &["run", "ball.toml", "--out", "out", "--force"]);
    assert_eq!(code, 4, "{text}");
    assert!(text.to_lowercase().contains("no space left"), "{text}");
}

/// Standard output that is full.
#[cfg(target_os = "linux")]
#[test]
fn standard_output_that_is_full_is_exit_code_4() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("it is there");
    let dir = folder();
    let output = fender(dir.path()).arg("schema").stdout(full).output().expect("it runs");
    assert_eq!(code(&output), 4);
    assert!(flat(&output).contains("cannot write to standard output"), "{}", flat(&output));
}
