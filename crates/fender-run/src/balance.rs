//! Positions of rest and modes of a scenario: tables of numbers, and a page on which the modes move.

use crate::error::RunError;
use crate::plot::number;
use crate::recorder::default_records;
use crate::report::{Told, put_signals};
use crate::sampler::Sampler;
use crate::signal::{Catalogue, Signal, SignalError};
use crate::stream::{EVENTS, FrameRecorder, Head, record};
use crate::table::{Column, Kind, Table};
use fender_engine::balance::{Mode, bent_stretches, compressions, displaced, instability, rest};
use fender_engine::{BodyId, World};
use fender_scenario::Scenario;
use std::f64::consts::TAU;

/// Seconds that each mode is shown.
const SHOWN: f64 = 3.0;
/// Swings of a mode in that time.
const SWINGS: f64 = 3.0;
/// Time between frames [s].
const PERIOD: f64 = 0.04;
/// How far a mode moves what moves most, as a part of the scene, and turns it at most [rad].
const SWAY: f64 = 0.12;
const TURN: f64 = 0.3;

/// Moves a world to rest: steps taken and the acceleration that is left.
pub fn settle(world: &mut World) -> Result<fender_engine::balance::Rest, RunError> {
    let found = rest(world)?;
    world.data.clear();
    world.refresh();
    Ok(found)
}

/// What is doubtful about a position of rest: cables in compression or stretched too much for their bending, and that it is unstable.
pub fn doubts(world: &mut World) -> Vec<String> {
    let mut list: Vec<String> = compressions(world)
        .iter()
        .map(|(name, found)| format!("`cable.{name}` rests in compression, {found}"))
        .collect();
    list.extend(bent_stretches(world).iter().map(|(name, found)| format!("`cable.{name}` is {found}")));
    list.extend(instability(world).map(|found| found.to_string()));
    world.refresh();
    list
}

/// Signals that the patterns name, with their values; without patterns, where everything is and what holds it.
pub fn values(world: &World, patterns: &[String]) -> Result<Vec<(Signal, f64)>, SignalError> {
    let catalogue = Catalogue::new(&world.model);
    let mut signals: Vec<Signal> = Vec::new();
    if patterns.is_empty() {
        for pattern in default_records(&world.model, 1.0).iter().flat_map(|record| &record.signals) {
            signals.extend(catalogue.select(pattern)?);
        }
        // Nothing moves.
        let moves = ["velocity", "orientation", "_rate"];
        signals.retain(|s| !moves.iter().any(|quantity| s.name.contains(quantity)));
    }
    for pattern in patterns {
        signals.extend(catalogue.select(pattern)?);
    }
    let mut seen = std::collections::HashSet::new();
    signals.retain(|s| seen.insert(s.name.clone()));
    let mut sampler = Sampler::new(signals.clone(), world.model.bodies.len());
    let mut found = Vec::with_capacity(signals.len());
    sampler.sample(world, |_| true, |i, value| found.push((signals[i].clone(), value)));
    Ok(found)
}

/// What moves most in a mode, and how far compared with the others: bodies by the displacement of their centres.
pub fn movers(world: &mut World, mode: &Mode) -> Vec<(BodyId, f64)> {
    let before: Vec<_> = world.data.bodies.iter().map(|b| (b.center, b.pose.rotation)).collect();
    let moved = moved(world, mode, 1e-6);
    let size = scene_size(world);
    let mut list: Vec<(BodyId, f64)> = (0..before.len())
        .map(|i| {
            let turned = 2.0 * (moved[i].1 * before[i].1.conjugate()).xyz().length();
            // A turn counts as if something sat a tenth of the scene away from the centre.
            let far = (moved[i].0 - before[i].0).length() + 0.1 * size * turned;
            (BodyId(i as u32), far)
        })
        .collect();
    let most = list.iter().map(|(_, far)| *far).fold(0.0, f64::max);
    for (_, far) in &mut list {
        *far /= most.max(f64::MIN_POSITIVE);
    }
    list.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    list
}

/// Where the bodies' centres are, and how they are turned, when a mode is out by some amount.
fn moved(world: &mut World, mode: &Mode, amount: f64) -> Vec<(fender_math::Vec3, fender_math::Quat)> {
    let rest = world.state.q.clone();
    world.state.q = displaced(world, mode, amount);
    world.data.clear();
    world.refresh();
    let places = world.data.bodies.iter().map(|b| (b.center, b.pose.rotation)).collect();
    world.state.q = rest;
    world.data.clear();
    world.refresh();
    places
}

/// Extent of what moves [m].
fn scene_size(world: &World) -> f64 {
    let yielding = |(i, _): &(usize, &fender_engine::data::BodyKinematics)| world.model.bodies[*i].yields();
    let centers = world.data.bodies.iter().enumerate().filter(yielding).map(|(_, b)| b.center);
    let (low, high) = centers
        .fold((fender_math::Vec3::INFINITY, fender_math::Vec3::NEG_INFINITY), |(low, high), p| {
            (low.min(p), high.max(p))
        });
    let spread = if low.is_finite() { (high - low).length() } else { 0.0 };
    let shapes = world.model.shapes.iter().map(|s| s.shape.bounding_radius()).filter(|r| r.is_finite());
    spread + 2.0 * shapes.fold(0.1, f64::max)
}

/// A run in which one mode after the other swings, for the viewer.
pub fn animation(scenario: &Scenario, world: &mut World, modes: &[Mode]) -> Told {
    let count = modes.len() as f64;
    let mut signals = Table::default();
    for (name, unit, words, kind) in [
        ("time", "s", "Time", Kind::Real),
        ("mode", "1", "Number of the mode that is shown", Kind::Whole),
        ("frequency", "Hz", "Frequency of the mode that is shown", Kind::Real),
        ("phase", "1", "Displacement of the mode, as a part of the largest", Kind::Real),
    ] {
        signals.columns.push(Column::new(name, unit, words, kind));
    }
    let rest = world.state.clone();
    let size = scene_size(world);
    let mut frames = FrameRecorder::new(&world.model, scenario.gaps.clone());
    let steps = (SHOWN / PERIOD).round() as usize;
    for (i, mode) in modes.iter().enumerate() {
        let before: Vec<_> = world.data.bodies.iter().map(|b| (b.center, b.pose.rotation)).collect();
        let near = moved(world, mode, 1e-6);
        let (mut far, mut turned) = (1e-12_f64, 1e-12_f64);
        for (a, b) in before.iter().zip(&near) {
            far = far.max((b.0 - a.0).length() * 1e6);
            turned = turned.max(2.0 * (b.1 * a.1.conjugate()).xyz().length() * 1e6);
        }
        let amount = (SWAY * size / far).min(TURN / turned);
        for k in 0..steps {
            let time = (i * steps + k) as f64 * PERIOD;
            let phase = (TAU * SWINGS * k as f64 / steps as f64).sin();
            world.state.q = displaced(world, mode, amount * phase);
            world.state.time = time;
            world.data.clear();
            world.refresh();
            frames.sample(world);
            let row = [time, (i + 1) as f64, mode.frequency(), phase];
            for (column, value) in signals.columns.iter_mut().zip(row) {
                column.values.push(value);
            }
            world.state.clone_from(&rest);
        }
        world.data.clear();
        world.refresh();
    }
    frames.close();
    let mut head = Head::of(scenario, &signals);
    head.duration = count * SHOWN;
    head.period = PERIOD;
    head.title = format!("{}: modes", scenario.title);
    let mut stream = head.begin_with(&scenario.meshes);
    put_signals(&mut stream, &signals);
    let chapters: Vec<_> = modes.iter().enumerate().map(|(i, mode)| chapter(i, mode, modes)).collect();
    record::put_json(&mut stream, EVENTS, &chapters);
    stream.extend_from_slice(&frames.records);
    Told { name: scenario.name.clone(), title: head.title, stream }
}

/// Whether nothing holds a mode back, compared with all of them.
pub fn is_free(mode: &Mode, all: &[Mode]) -> bool {
    let fastest = all.iter().map(|m| m.square.abs()).fold(0.0, f64::max);
    mode.square.abs() <= 1e-12 * fastest.max(1e-6)
}

/// The event with which a mode begins to be shown.
fn chapter(index: usize, mode: &Mode, all: &[Mode]) -> serde_json::Value {
    let what = match mode.frequency() {
        _ if is_free(mode, all) => "free".to_owned(),
        f if f < 0.0 => format!("unstable, grows as exp(t / {} s)", number(-1.0 / (TAU * f))),
        f => format!("{} Hz", number(f)),
    };
    let label = format!("Mode {} of {}: {what}", index + 1, all.len());
    serde_json::json!({"time": index as f64 * SHOWN, "kind": "chapter", "label": label})
}
