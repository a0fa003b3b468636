//! Size of a report and cost of its frames, for a scene of the kind that is to come: 200 s of ten bodies and three cables of
//! fifty nodes at 25 frames per second, with contacts, through the encoder that every run uses.
//!
//! `cargo run --release -p fender-bench --bin report [-- FILE.html]` prints the figures beside their budgets, and writes the page
//! if a file is named.

use fender_run::report::{Told, page_of, put_signals};
use fender_run::stream::head::{BodyHead, BoundsHead, CurveHead, ShapeHead, signal_heads};
use fender_run::stream::{Encoder, Frame, FrameContact, Head, Node, Resolution, frame::BLOCK};
use fender_run::table::{Column, Kind, Table};
use std::process::ExitCode;
use std::time::Instant;

const BODIES: u32 = 10;
const CURVES: u32 = 3;
const NODES: u32 = 50;
const DURATION: f64 = 200.0;
const PERIOD: f64 = 0.04;
const FRAMES: u32 = 5000;
/// Interval of the recorded signals [s].
const EVERY: f64 = 0.02;
/// Size of the report, at most [MB].
const BUDGET: f64 = 15.0;

fn main() -> ExitCode {
    if fender_bench::help::is_asked(
        "Size of a report and cost of its frames.\n\n  FILE.html  writes the page",
    ) {
        return ExitCode::SUCCESS;
    }
    let path = std::env::args().nth(1);
    let frames: Vec<Frame> = (0..FRAMES).map(|i| frame(f64::from(i) * PERIOD)).collect();
    let signals = signals();
    let head = head(&signals);

    let (stream, seconds) = encode(&head, &frames, BLOCK);
    println!("frames                {FRAMES}, {BODIES} bodies, {CURVES} curves of {NODES} nodes");
    println!("frames in the stream  {:.2} MB", megabytes(stream.len() - head.begin().len()));
    println!("time per frame        {:.0} µs", 1e6 * seconds / f64::from(FRAMES));
    for block in [5, 100] {
        let (other, _) = encode(&head, &frames, block);
        println!("  {block:3} frames a record {:.2} MB", megabytes(other.len() - head.begin().len()));
    }

    let begin = Instant::now();
    let mut whole = stream;
    put_signals(&mut whole, &signals);
    let told = Told { name: "synthetic".into(), title: head.title.clone(), stream: whole };
    let page = page_of(&[told]);
    println!("signals               {} of {} samples", signals.columns.len() - 1, signals.rows());
    println!("time for the page     {:.2} s", begin.elapsed().as_secs_f64());
    let size = megabytes(page.len());
    let verdict = if size < BUDGET { "met" } else { "MISSED" };
    println!("report                {size:.2} MB, budget {BUDGET} MB: {verdict}");
    if let Some(path) = path {
        if let Err(error) = std::fs::write(&path, page) {
            eprintln!("{path}: {error}");
            return ExitCode::FAILURE;
        }
        println!("written to            {path}");
    }
    if size < BUDGET { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn megabytes(bytes: usize) -> f64 {
    bytes as f64 / 1e6
}

fn encode(head: &Head, frames: &[Frame], block: u32) -> (Vec<u8>, f64) {
    let begin = Instant::now();
    let mut stream = head.begin();
    let mut encoder = Encoder::new(head.resolution, head.layout());
    encoder.block = block;
    for frame in frames {
        encoder.push(frame, &mut stream);
    }
    encoder.close(&mut stream);
    (stream, begin.elapsed().as_secs_f64())
}

/// A number that looks like chance, between 0 and 1.
fn chance(seed: u32) -> f64 {
    let bits = u64::from(seed).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((bits ^ (bits >> 31)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 40) as f64 / f64::from(1 << 24)
}

/// Smooth motion without a period that would show within the run: five waves of 0.05 to 1.5 Hz.
fn wave(t: f64, seed: u32, size: f64) -> f64 {
    let one = |k: u32| {
        let (a, b) = (chance(31 * seed + 2 * k), chance(31 * seed + 2 * k + 1));
        let hertz = 0.05 * 30_f64.powf(a);
        (std::f64::consts::TAU * (hertz * t + b)).sin() / (1.0 + 4.0 * hertz)
    };
    size * (0..5).map(one).sum::<f64>()
}

fn pose(t: f64, body: u32) -> [f64; 7] {
    let seed = 100 * body;
    let position = [
        f64::from(body % 4) * 3.0 + wave(t, seed, 0.5),
        f64::from(body / 4) * 3.0 + wave(t, seed + 1, 0.5),
        1.0 + wave(t, seed + 2, 0.4),
    ];
    let [x, y, z] = [3, 4, 5].map(|k| wave(t, seed + k, 0.3));
    let w = 1.0;
    let norm = f64::sqrt(x * x + y * y + z * z + w * w);
    let [px, py, pz] = position;
    [px, py, pz, x / norm, y / norm, z / norm, w / norm]
}

/// A cable between two bodies: it hangs, and waves run along it.
fn cable(t: f64, curve: u32) -> Vec<Node> {
    let ends = [pose(t, 2 * curve), pose(t, 2 * curve + 3)];
    let node = |i: u32| {
        let s = f64::from(i) / f64::from(NODES - 1);
        let sag = -2.0 * s * (1.0 - s);
        let mut position = [0.0; 3];
        for (k, x) in position.iter_mut().enumerate() {
            let swing =
                wave(t - 0.8 * s, 5000 + 10 * curve + k as u32, 0.15) * (std::f64::consts::PI * s).sin();
            *x = ends[0][k] * (1.0 - s) + ends[1][k] * s + swing + if k == 2 { sag } else { 0.0 };
        }
        Node { position, tension: 800.0 + 150.0 * s + wave(t - 0.05 * s, 7000 + curve, 120.0) }
    };
    (0..NODES).map(node).collect()
}

fn contacts(t: f64) -> Vec<FrameContact> {
    let contact = |body: u32| {
        let load = wave(t, 9000 + body, 900.0);
        let pose = pose(t, body);
        (load > 0.0).then(|| FrameContact {
            bodies: [0, body],
            sliding: wave(t, 9100 + body, 1.0) > 0.0,
            point: [pose[0], pose[1], 0.0],
            normal: [wave(t, 9200 + body, 20.0), 0.0, -load],
            friction: [wave(t, 9300 + body, 200.0), wave(t, 9400 + body, 200.0), 0.0],
            depth: 1e-6 * load,
            patch: 0.0,
        })
    };
    (1..BODIES).filter_map(contact).collect()
}

fn frame(time: f64) -> Frame {
    Frame {
        time,
        poses: (0..BODIES).map(|body| pose(time, body)).collect(),
        curves: (0..CURVES).map(|curve| cable(time, curve)).collect(),
        contacts: contacts(time),
        ..Frame::default()
    }
}

/// Position, velocity and orientation of every body, forces, and an energy account: what such a scene would record.
fn signals() -> Table {
    let mut columns = vec![Column::new("time", "s", "Time", Kind::Real)];
    let rows = (DURATION / EVERY) as u32 + 1;
    let times: Vec<f64> = (0..rows).map(|i| f64::from(i) * EVERY).collect();
    let mut add = |name: String, unit: &str, value: &dyn Fn(f64) -> f64| {
        let mut column = Column::new(name, unit, "", Kind::Real);
        column.values = times.iter().map(|t| value(*t)).collect();
        columns.push(column);
    };
    for body in 0..BODIES {
        for (k, axis) in ["x", "y", "z"].iter().enumerate() {
            add(format!("body{body}.position.{axis}"), "m", &|t| pose(t, body)[k]);
            let speed = |t: f64| (pose(t + 1e-3, body)[k] - pose(t - 1e-3, body)[k]) / 2e-3;
            add(format!("body{body}.velocity.{axis}"), "m/s", &speed);
        }
        for (k, axis) in [(6, "w"), (3, "x"), (4, "y"), (5, "z")] {
            add(format!("body{body}.orientation.{axis}"), "1", &|t| pose(t, body)[k]);
        }
        add(format!("contact.floor-body{body}.normal_force"), "N", &|t| wave(t, 9000 + body, 900.0).max(0.0));
    }
    for (i, name) in ["kinetic", "potential", "stored", "dissipated", "work", "residual"].iter().enumerate() {
        add(format!("energy.{name}"), "J", &|t| wave(t, 9900 + i as u32, 500.0) + t);
    }
    columns[0].values = times;
    Table { columns, texts: vec![] }
}

fn head(signals: &Table) -> Head {
    let half = [0.5, 0.4, 0.3];
    let body = |i: u32| BodyHead {
        name: format!("body{i}"),
        motion: "free".into(),
        mass: Some(100.0),
        center: [0.0; 3],
        shapes: vec![ShapeHead {
            shape: "box".into(),
            radius: None,
            half: Some(half),
            half_angle: None,
            tube: None,
            half_height: None,
            position: [0.0; 3],
            orientation: [0.0, 0.0, 0.0, 1.0],
        }],
        colour: None,
        meshes: vec![],
        bounds: Some(BoundsHead { min: half.map(|x| -x), max: half }),
    };
    Head {
        name: "synthetic".into(),
        title: "Ten bodies and three cables".into(),
        description: "A synthetic scene of 200 s, for the size of its report.".into(),
        version: env!("CARGO_PKG_VERSION").into(),
        hash: "0".repeat(16),
        period: PERIOD,
        duration: DURATION,
        gravity: [0.0, 0.0, -9.81],
        integrator: "none".into(),
        parameters: serde_json::Map::new(),
        // What a scene of such bodies gets: see `Resolution::of`.
        resolution: Resolution { length: 1e-5, quaternion: 1e-6, force: 1e-2, depth: 1e-9 },
        bodies: (0..BODIES).map(body).collect(),
        curves: (0..CURVES).map(|i| CurveHead { name: format!("cable{i}"), radius: 0.02 }).collect(),
        fields: vec![],
        loops: Vec::new(),
        joints: vec![],
        gaps: vec![],
        views: vec![],
        signals: signal_heads(signals),
        plots: Vec::new(),
    }
}
