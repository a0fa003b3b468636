//! Islands: what one does changes nothing in another, and what comes to touch is one.

use fender_engine::{CableId, World};
use fender_scenario::{Assets, load_str};

const RUN: &str = "format = 1\ntitle = \"Islands\"\n[run]\nduration = \"2 s\"\n\
    integrator.generalized_alpha = { step = \"10 ms\", radius = 0.6 }\n\
    [material.steel]\n[[contact]]\nbetween = [\"steel\", \"steel\"]\nnormal.linear = { stiffness = \"50 kN/m\", restitution = 0.5 }\n\
    friction.coulomb = { coefficient = 0.3 }\n\
    [line.rope]\nmass = \"0.1 kg/m\"\ndiameter = \"10 mm\"\naxial.linear = { stiffness = \"300 kN\", damping = \"1 kN*s\" }\nslack = true\n";

/// A load that swings gently.
const CALM: &str = "[body.lamp]\nmass = \"20 kg\"\nshape.sphere = { radius = 0.1 }\nmaterial = \"steel\"\nposition = [0.3, 0, 2.0213]\n\
    [cable.calm]\nline = \"rope\"\nlength = \"2 m\"\nelements = 8\nstart = { fixed = [0, 0, 4] }\nend = { body = \"lamp\", at = [0.3, 0, 2.0213] }\n";

/// A load that falls into its slack rope, 10 m aside.
const VIOLENT: &str = "[body.weight]\nmass = \"300 kg\"\nshape.sphere = { radius = 0.1 }\nmaterial = \"steel\"\nposition = [10, 0, 3.2]\n\
    [cable.violent]\nline = \"rope\"\nlength = \"2 m\"\nelements = 8\nstart = { fixed = [10.5, 0, 4] }\nend = { body = \"weight\", at = [10, 0, 3.2] }\n";

fn world(parts: &[&str]) -> (World, Box<dyn fender_engine::Integrator>) {
    read(&format!("{RUN}{}", parts.concat()))
}

fn read(text: &str) -> (World, Box<dyn fender_engine::Integrator>) {
    let loaded = load_str("islands.toml", text, &Assets::none(), &[]).expect("it is a scenario");
    let integrator = loaded.run.integrator.build();
    (World::new(loaded.model), integrator)
}

fn run(parts: &[&str], steps: usize) -> World {
    let (mut world, integrator) = world(parts);
    for _ in 0..steps {
        world.step(integrator.as_ref(), f64::INFINITY).expect("it steps");
    }
    world.refresh();
    world
}

/// The place of the lamp and the tensions at both ends of its rope, bit by bit.
fn calm(world: &World) -> Vec<u64> {
    let rope = world.cable(CableId(0));
    let lamp = world.pose(fender_engine::BodyId(0)).translation;
    let tensions = (0..2).map(|end| rope.end_tension(end));
    tensions.chain(lamp.to_array()).map(f64::to_bits).collect()
}

#[test]
fn a_rope_that_snaps_changes_no_bit_of_another_scene() {
    let (alone, both) = (run(&[CALM], 200), run(&[CALM, VIOLENT], 200));
    assert_eq!(calm(&alone), calm(&both));
    // Bodies first, in their order, then cables.
    let taken = &both.state.integrator.taken;
    assert_eq!((taken[0], taken[2]), (200, 200), "{taken:?}");
    assert!(taken[1] > 200 && taken[1] == taken[3], "the one that snaps has parts of steps: {taken:?}");
}

/// The account of a scene is that of its islands together.
#[test]
fn energies_of_islands_add_up() {
    let (calm, violent, both) = (run(&[CALM], 150), run(&[VIOLENT], 150), run(&[CALM, VIOLENT], 150));
    let (a, b, all) = (calm.energy(), violent.energy(), both.energy());
    for (one, other, sum) in [
        (a.kinetic, b.kinetic, all.kinetic),
        (a.stored, b.stored, all.stored),
        (a.dissipated, b.dissipated, all.dissipated),
        (a.residual, b.residual, all.residual),
    ] {
        let size = a.kinetic + b.kinetic + b.dissipated;
        assert!((one + other - sum).abs() < 1e-9 * size, "{one} + {other} is not {sum}");
    }
}

/// A ball falls on the lamp: until they touch they are two islands, then one. Momentum: the ball and the lamp exchange what the rope does not take.
#[test]
fn what_touches_within_a_step_is_stepped_together() {
    let ball = "[body.ball]\nmass = \"5 kg\"\nshape.sphere = { radius = 0.05 }\nmaterial = \"steel\"\nposition = [0, 0, 2.5]\nvelocity = [0, 0, -2]\n";
    let still = CALM.replace("[0.3, 0, 2.0213]", "[0, 0, 2]");
    // A step that resolves the touch, which lasts 28 ms.
    let (mut world, integrator) = read(&format!("{RUN}{still}{ball}").replace("10 ms", "1 ms"));
    let mut touched = false;
    for _ in 0..600 {
        world.step(integrator.as_ref(), f64::INFINITY).expect("it steps");
        world.refresh();
        touched |= world.contacts().count() > 0;
    }
    assert!(touched, "the ball hits the lamp");
    let ball = world.twist(fender_engine::BodyId(1)).linear.z;
    assert!(ball > 0.0 || world.pose(fender_engine::BodyId(1)).translation.z > 2.1, "it does not go through");
    assert!(world.energy().relative_residual.abs() < 5e-3, "{:?}", world.energy());
}

/// Scratch that is thrown away at any step changes no bit, also where islands part and join.
#[test]
fn islands_are_found_from_the_state_alone() {
    let ball = "[body.ball]\nmass = \"5 kg\"\nshape.sphere = { radius = 0.05 }\nmaterial = \"steel\"\nposition = [0.28, 0, 2.5]\n";
    let parts = [CALM, VIOLENT, ball];
    let (mut kept, integrator) = world(&parts);
    let (mut cleared, _) = world(&parts);
    for step in 0..150 {
        kept.step(integrator.as_ref(), f64::INFINITY).expect("it steps");
        if step % 7 == 3 {
            cleared.data.clear();
        }
        cleared.step(integrator.as_ref(), f64::INFINITY).expect("it steps");
    }
    assert_eq!(kept.state.hash(), cleared.state.hash());
}

/// In real time what is near enough is accepted, and counted.
#[test]
fn real_time_takes_every_step_and_counts() {
    let text = format!("{RUN}{CALM}{VIOLENT}").replace("radius = 0.6", "radius = 0.6, real_time = 2");
    let (mut world, integrator) = read(&text);
    for _ in 0..200 {
        world.step(integrator.as_ref(), f64::INFINITY).expect("it steps");
    }
    world.refresh();
    let effort = world.state.integrator.effort;
    assert!(effort.unconverged > 0, "{effort:?}");
    // Two Newton steps at most for each part of a step of each group, also of those that were rejected.
    assert!(effort.factorisations <= effort.iterations, "{effort:?}");
    assert!(world.energy().relative_residual.abs() < 0.1, "{:?}", world.energy());
}
