//! The contract: every registered law, over thousands of random contacts, through one set of properties.
//!
//! A check answers with what it found wrong. The last tests spoil a sound law in one way at a time and demand that the
//! check made for it finds out: a contract that cannot fail proves nothing. `cargo xtask test --long` takes more
//! contacts.

use fender_contact::{
    Coulomb, Damping, FLOW, FrictionForce, FrictionLaw, FrictionUpdate, Linear, Memory, Motion, NormalForce,
    NormalLaw, NormalUpdate, PointOverlap, friction_laws, normal_laws,
};
use fender_math::{Mat3, Quat, Vec3};

type Verdict = Result<(), String>;
type NormalCheck = (&'static str, fn(&dyn NormalLaw, &Case) -> Verdict);
type FrictionCheck = (&'static str, fn(&dyn FrictionLaw, &Case) -> Verdict);

const NORMAL: [NormalCheck; 10] = [
    ("no tension", no_tension),
    ("passivity", normal_passivity),
    ("power balance", normal_power_balance),
    ("continuity at touch", continuity_at_touch),
    ("share", share),
    ("frame indifference", normal_frame_indifference),
    ("action = reaction", normal_action_reaction),
    ("tangents", normal_tangents),
    ("rate = update", normal_rate_is_update),
    ("stiffness bound", stiffness_bound),
];

const FRICTION: [FrictionCheck; 10] = [
    ("bound", friction_bound),
    ("across the normal", across_the_normal),
    ("passivity", friction_passivity),
    ("power balance", friction_power_balance),
    ("no load, no force", no_load_no_force),
    ("frame indifference", friction_frame_indifference),
    ("action = reaction", friction_action_reaction),
    ("tangents", friction_tangents),
    ("rate = update", friction_rate_is_update),
    ("solve = law at the slip it leaves", friction_solve),
];

/// One contact.
#[derive(Clone, Copy, Debug)]
struct Case {
    overlap: PointOverlap,
    motion: Motion,
    memory: Memory,
    /// Load on the friction law [N].
    load: f64,
    /// Length of a step [s].
    dt: f64,
    /// A turn of the world.
    turn: Quat,
    /// The friction law's flowing memory, in units of its scales.
    flow: [f64; FLOW],
}

impl Case {
    /// The same with the memory that a friction law could have.
    fn remembering(&self, law: &dyn FrictionLaw) -> Self {
        let mut case = *self;
        let scales = law.scales(self.load);
        for i in 0..law.flows() {
            case.memory.flow[i] = self.flow[i] * scales[i];
        }
        case
    }
}

/// The `SplitMix64` generator: a seeded source that never changes, so that a failing case can be found again.
struct Random(u64);

impl Random {
    /// Uniform in [0, 1).
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn decades(&mut self, from: f64, to: f64) -> f64 {
        from * (to / from).powf(self.unit())
    }

    /// Zero now and then: the corner cases live there.
    fn decades_or_zero(&mut self, from: f64, to: f64) -> f64 {
        if self.unit() < 0.05 { 0.0 } else { self.decades(from, to) }
    }

    /// Round half of the time.
    fn elongation(&mut self) -> f64 {
        0.95 * (2.0 * self.unit() - 1.0).max(0.0)
    }

    fn direction(&mut self) -> Vec3 {
        loop {
            let v = Vec3::new(self.unit(), self.unit(), self.unit()) * 2.0 - Vec3::ONE;
            if (0.01..1.0).contains(&v.length_squared()) {
                return v.normalize();
            }
        }
    }

    fn case(&mut self) -> Case {
        let normal = self.direction();
        let across = normal.any_orthonormal_vector();
        let slip = Quat::from_axis_angle(normal, std::f64::consts::TAU * self.unit()) * across;
        let sign = if self.unit() < 0.5 { -1.0 } else { 1.0 };
        let curvature = self.decades(1e-2, 1e4);
        Case {
            overlap: PointOverlap {
                point: self.direction() * self.decades(0.01, 100.0),
                normal,
                depth: self.decades(1e-8, 1e-1),
                curvature,
                elongation: across * (curvature * self.elongation()),
                share: self.decades(1e-3, 1.0),
            },
            motion: Motion {
                approach: sign * self.decades_or_zero(1e-6, 10.0),
                slip: slip * self.decades_or_zero(1e-8, 10.0),
            },
            memory: Memory { impact_speed: self.decades_or_zero(1e-6, 10.0), ..Memory::default() },
            load: self.decades_or_zero(1e-3, 1e6),
            dt: self.decades(1e-6, 1e-1),
            turn: Quat::from_axis_angle(self.direction(), std::f64::consts::TAU * self.unit()),
            flow: {
                let along = Quat::from_axis_angle(normal, std::f64::consts::TAU * self.unit()) * across;
                let z = along * self.decades_or_zero(1e-3, 1.3);
                [z.x, z.y, z.z, self.unit(), 0.0, 0.0]
            },
        }
    }
}

/// Runs a check over the random cases; the first failure is told with its case.
fn over_cases(check: impl Fn(&Case) -> Verdict) -> Verdict {
    let count = if std::env::var_os("FENDER_LONG").is_some() { 100_000 } else { 4000 };
    let mut random = Random(20_070_817);
    (0..count).try_for_each(|_| {
        let case = random.case();
        check(&case).map_err(|message| format!("{message}\n  in {case:?}"))
    })
}

/// Written so that a NaN fails.
fn demand(holds: bool, message: impl FnOnce() -> String) -> Verdict {
    if holds { Ok(()) } else { Err(message()) }
}

fn same(what: &str, found: f64, expected: f64, tolerance: f64) -> Verdict {
    demand((found - expected).abs() <= tolerance, || format!("{what}: {found:e}, expected {expected:e}"))
}

fn same_vector(what: &str, found: Vec3, expected: Vec3, tolerance: f64) -> Verdict {
    demand((found - expected).length() <= tolerance, || format!("{what}: {found}, expected {expected}"))
}

// Normal laws

fn rate(law: &dyn NormalLaw, case: &Case) -> NormalForce {
    law.rate(&case.overlap, &case.motion, &case.memory)
}

fn at_depth(case: &Case, depth: f64) -> Case {
    Case { overlap: PointOverlap { depth, ..case.overlap }, ..*case }
}

fn at_approach(case: &Case, approach: f64) -> Case {
    Case { motion: Motion { approach, ..case.motion }, ..*case }
}

/// Same answer, up to rounding.
fn same_normal(found: &NormalForce, expected: &NormalForce) -> Verdict {
    let fields =
        |f: &NormalForce| [f.force, f.elastic, f.stored, f.dissipated, f.stiffness, f.damping, f.viscosity];
    let names = ["force", "elastic", "stored", "dissipated", "stiffness", "damping", "viscosity"];
    // A force is the difference of its elastic and damping parts: rounding is that of the larger part.
    let rounding = |i: usize| {
        let parts = if i == 0 { expected.elastic } else { 0.0 };
        1e-12 * (fields(expected)[i].abs() + parts)
    };
    (0..7).try_for_each(|i| same(names[i], fields(found)[i], fields(expected)[i], rounding(i)))
}

fn no_tension(law: &dyn NormalLaw, case: &Case) -> Verdict {
    let found = rate(law, case);
    demand(found.force >= 0.0 && found.force.is_finite(), || format!("force {:e}", found.force))?;
    demand(found.stored >= 0.0 && found.stored.is_finite(), || format!("stored {:e}", found.stored))?;
    let apart = rate(law, &at_depth(case, -case.overlap.depth));
    demand(apart == NormalForce::default(), || format!("apart: {apart:?}"))
}

fn normal_passivity(law: &dyn NormalLaw, case: &Case) -> Verdict {
    if let Err(reason) = law.promises().passive {
        return demand(!reason.is_empty(), || "not passive, and no reason given".into());
    }
    let found = rate(law, case);
    demand(found.dissipated >= 0.0, || format!("dissipated {:e}", found.dissipated))
}

fn normal_power_balance(law: &dyn NormalLaw, case: &Case) -> Verdict {
    let NormalForce { force, elastic, dissipated, .. } = rate(law, case);
    let approach = case.motion.approach;
    let scale = 1e-12 * (force.abs() + elastic.abs()) * approach.abs();
    same("power", force * approach, elastic * approach + dissipated, scale)?;
    let (depth, h) = (case.overlap.depth, 1e-4 * case.overlap.depth);
    let slope = (rate(law, &at_depth(case, depth + h)).stored - rate(law, &at_depth(case, depth - h)).stored)
        / (2.0 * h);
    same("elastic force from the stored energy", elastic, slope, 1e-7 * elastic.abs())
}

fn continuity_at_touch(law: &dyn NormalLaw, case: &Case) -> Verdict {
    if let Err(reason) = law.promises().continuous_at_touch {
        return demand(!reason.is_empty(), || "jumps at touch, and no reason given".into());
    }
    let deep = rate(law, case);
    let shallow = rate(law, &at_depth(case, 1e-12 * case.overlap.depth));
    demand(shallow.force <= 1e-9 * deep.force.max(deep.elastic), || {
        format!("force {:e} at touch, {:e} at full depth", shallow.force, deep.force)
    })
}

fn share(law: &dyn NormalLaw, case: &Case) -> Verdict {
    let share = case.overlap.share;
    let whole = rate(law, &Case { overlap: PointOverlap { share: 1.0, ..case.overlap }, ..*case });
    let part = NormalForce {
        force: whole.force * share,
        elastic: whole.elastic * share,
        stored: whole.stored * share,
        dissipated: whole.dissipated * share,
        stiffness: whole.stiffness * share,
        damping: whole.damping * share,
        viscosity: whole.viscosity * share,
    };
    same_normal(&rate(law, case), &part)
}

fn normal_frame_indifference(law: &dyn NormalLaw, case: &Case) -> Verdict {
    same_normal(&rate(law, &turned(case)), &rate(law, case))
}

fn normal_action_reaction(law: &dyn NormalLaw, case: &Case) -> Verdict {
    same_normal(&rate(law, &swapped(case)), &rate(law, case))
}

fn normal_tangents(law: &dyn NormalLaw, case: &Case) -> Verdict {
    let force = |case: &Case| law.update(&case.overlap, &case.motion, &case.memory, case.dt).force;
    let here = force(case);
    let slope = |step: f64, moved: &dyn Fn(f64) -> Case| {
        let (low, high) = (force(&moved(-step)).force, force(&moved(step)).force);
        // At the edge of letting go the force has a kink: no slope to compare with.
        let kink = (low == 0.0) != (high == 0.0) || (here.force == 0.0) != (low == 0.0);
        (!kink).then(|| (high - low) / (2.0 * step))
    };
    let (depth, approach) = (case.overlap.depth, case.motion.approach);
    // Rounding of the difference quotient: the force is the difference of its elastic and damping parts.
    let size = here.force.max(here.elastic);
    if let Some(found) = slope(1e-5 * depth, &|h| at_depth(case, depth + h)) {
        same("stiffness", here.stiffness, found, 1e-7 * here.stiffness.abs() + 1e-9 * size / depth)?;
    }
    let speed = approach.abs().max(1e-3);
    if let Some(found) = slope(1e-3 * speed, &|h| at_approach(case, approach + h)) {
        same("damping", here.damping, found, 1e-7 * here.damping.abs() + 1e-9 * size / speed)?;
    }
    let uncut = here.elastic + here.viscosity * approach;
    same("force from the viscosity", here.force, uncut.max(0.0), 1e-12 * (here.elastic + uncut.abs()))
}

fn normal_rate_is_update(law: &dyn NormalLaw, case: &Case) -> Verdict {
    let update = law.update(&case.overlap, &case.motion, &case.memory, 1e-15);
    same_normal(&update.force, &rate(law, case))?;
    memory_follows(&case.memory, &update.memory, &[0.0; FLOW], 1e-15)
}

fn stiffness_bound(law: &dyn NormalLaw, case: &Case) -> Verdict {
    let bound = law.stiffness_bound(&case.overlap);
    (1..=8).try_for_each(|eighth| {
        let depth = case.overlap.depth * f64::from(eighth) / 8.0;
        let h = 1e-5 * depth;
        let slope =
            (rate(law, &at_depth(case, depth)).elastic - rate(law, &at_depth(case, depth - h)).elastic) / h;
        demand(slope <= bound * (1.0 + 1e-8), || format!("slope {slope:e} above the bound {bound:e}"))
    })
}

// Friction laws

fn slide(law: &dyn FrictionLaw, case: &Case) -> FrictionForce {
    law.rate(case.load, case.overlap.normal, &case.motion, &case.memory)
}

fn slide_step(law: &dyn FrictionLaw, case: &Case, dt: f64) -> FrictionUpdate {
    law.update(case.load, case.overlap.normal, &case.motion, &case.memory, dt)
}

fn friction_bound(law: &dyn FrictionLaw, case: &Case) -> Verdict {
    let (force, bound) = (slide(law, case).force.length(), law.bound(case.load, case.motion.slip.length()));
    demand(force <= bound * (1.0 + 1e-12), || format!("force {force:e} above the bound {bound:e}"))
}

fn across_the_normal(law: &dyn FrictionLaw, case: &Case) -> Verdict {
    let force = slide(law, case).force;
    same("force along the normal", force.dot(case.overlap.normal), 0.0, 1e-12 * force.length())
}

fn friction_passivity(law: &dyn FrictionLaw, case: &Case) -> Verdict {
    if let Err(reason) = law.promises().passive {
        return demand(!reason.is_empty(), || "not passive, and no reason given".into());
    }
    let found = slide(law, case);
    demand(found.dissipated >= 0.0 && found.stored >= 0.0, || format!("{found:?}"))
}

/// −force·slip = d(stored)/dt + dissipated at constant load, the stored energy moving with the memory's flow.
fn friction_power_balance(law: &dyn FrictionLaw, case: &Case) -> Verdict {
    let here = slide(law, case);
    let h = 1e-6;
    let stored = |sign: f64| {
        let mut memory = case.memory;
        memory.flow.iter_mut().zip(here.flow).for_each(|(value, rate)| *value += sign * h * rate);
        slide(law, &Case { memory, ..*case }).stored
    };
    let storing = (stored(1.0) - stored(-1.0)) / (2.0 * h);
    let power = -here.force.dot(case.motion.slip);
    let size = here.force.length() * case.motion.slip.length();
    same("storing", here.storing, storing, 1e-6 * (storing.abs() + here.stored))?;
    let rounding = 1e-12 * (size + here.storing.abs());
    same("power", here.dissipated + here.storing, power, rounding)
}

fn no_load_no_force(law: &dyn FrictionLaw, case: &Case) -> Verdict {
    let force = slide(law, &Case { load: 0.0, ..*case }).force;
    demand(force == Vec3::ZERO, || format!("force {force} without load"))
}

/// Rounding of a force; a deflection is rounded as a part of the largest force.
fn rounding(law: &dyn FrictionLaw, case: &Case, force: Vec3) -> f64 {
    let remembered = if law.flows() > 0 { 1e-10 * law.bound(case.load, 0.0) } else { 0.0 };
    1e-12 * force.length() + remembered
}

fn friction_frame_indifference(law: &dyn FrictionLaw, case: &Case) -> Verdict {
    let force = slide(law, case).force;
    same_vector("force", slide(law, &turned(case)).force, case.turn * force, rounding(law, case, force))
}

fn friction_action_reaction(law: &dyn FrictionLaw, case: &Case) -> Verdict {
    let force = slide(law, case).force;
    same_vector("force", slide(law, &swapped(case)).force, -force, rounding(law, case, force))
}

fn friction_tangents(law: &dyn FrictionLaw, case: &Case) -> Verdict {
    let here = slide_step(law, case, case.dt);
    let (normal, slip) = (case.overlap.normal, case.motion.slip);
    let force = |load: f64, slip: Vec3| {
        let motion = Motion { slip, ..case.motion };
        slide_step(law, &Case { motion, load, ..*case }, case.dt).force.force
    };
    // The second derivative may jump at the sticking speed: the quotient is then good to the first order of the step.
    let smooth = if law.flows() > 0 { 1e-3 } else { 1.0 };
    let step = 1e-6 * slip.length().max(smooth * law.sticking_speed());
    if step > 0.0 {
        let first = normal.any_orthonormal_vector();
        for direction in [first, normal.cross(first)] {
            let (low, high) = [-step, step].map(|h| force(case.load, slip + direction * h)).into();
            let slope = (high - low) / (2.0 * step);
            // Where a law with memory begins to let go its force has a kink: no slope to compare with.
            let bend = (high + low - here.force.force * 2.0).length();
            if law.flows() > 0 && bend > 1e-3 * (high - low).length() {
                continue;
            }
            let size = here.force.force.length() / (step * 1e6) + slope.length();
            // A small deflection turns with a small slip.
            let precise = if law.flows() > 0 { 1e-4 } else { 1e-5 };
            // What sticks and what slides are rounded as parts of the largest force.
            let rounding = if law.flows() > 0 { 1e-15 * law.bound(case.load, 0.0) / step } else { 0.0 };
            same_vector("by_slip", here.by_slip * direction, slope, precise * size + rounding)?;
        }
    }
    let largest = here.by_slip.to_cols_array().into_iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    same_vector("by_slip along the normal", here.by_slip * normal, Vec3::ZERO, 1e-12 * largest)?;
    let (low, high) = (case.load * (1.0 - 1e-6), case.load * (1.0 + 1e-6) + 1e-6);
    let (from, to) = (force(low, slip), force(high, slip));
    let slope = (to - from) / (high - low);
    let middle = force(0.5 * (low + high), slip);
    let rounding = 1e-14 * middle.length() / (high - low);
    let kink = case.load == 0.0 || (to + from - middle * 2.0).length() > 1e-6 * (to - from).length();
    if law.flows() > 0 && kink {
        return Ok(());
    }
    same_vector("by_normal", here.by_normal, slope, 1e-5 * slope.length() + rounding)
}

/// The force of a step must be the law's at the slip that it leaves, and its means those of the memory it leaves.
fn friction_solve(law: &dyn FrictionLaw, case: &Case) -> Verdict {
    let (load, normal, free) = (case.load, case.overlap.normal, case.motion.slip);
    for response in [1e-9, 1e-6, 1e-3] {
        let found = law.solve(load, normal, free, response, &case.memory, case.dt);
        // A law with a falling branch may have several ends: any will do, but the solver must have found one of them.
        let guesses = [free + found.force * response, Vec3::ZERO, free];
        let limit = 0.01 * law.bound(load, free.length()) + 1e-12;
        let ends = guesses.map(|guess| solution(law, case, response, guess));
        let matches = |end: &FrictionUpdate| (found.force - end.force.force).length() <= limit;
        let least = ends.iter().filter_map(|end| end.as_ref().err()).copied().fold(f64::INFINITY, f64::min);
        let nowhere = ends.iter().all(Result::is_err);
        // Where a law far from what it was made for leaves no end that can be found, the solver must have come as close.
        let motion = Motion { slip: free + found.force * response, ..case.motion };
        let there = law.update(load, normal, &motion, &case.memory, case.dt).force.force;
        let close = nowhere && (found.force - there).length() * response <= 1.01 * least;
        demand(close || ends.iter().flatten().any(matches), || {
            format!("response {response:e}: solved {}, but {ends:?}", found.force)
        })?;
        // What is stored at the end is what the memory holds then.
        let mut memory = case.memory;
        memory.flow.iter_mut().zip(found.flow).for_each(|(x, rate)| *x += rate * case.dt);
        let kept = slide(law, &Case { memory, ..*case }).stored;
        let start = slide(law, case).stored;
        same("stored at the start", found.stored, start, 1e-12 * start)?;
        same("stored at the end", start + found.storing * case.dt, kept, 1e-9 * (kept + start))?;
    }
    Ok(())
}

/// The law at the end of a step, from a guess: Newton's method that never lets the defect grow, to its end; or the defect
/// [m/s] that it could not get below.
fn solution(law: &dyn FrictionLaw, case: &Case, response: f64, guess: Vec3) -> Result<FrictionUpdate, f64> {
    let at = |slip: Vec3| {
        let motion = Motion { slip, ..case.motion };
        let update = law.update(case.load, case.overlap.normal, &motion, &case.memory, case.dt);
        (slip - case.motion.slip - update.force.force * response, motion, update)
    };
    if law.flows() == 0 {
        // Without memory the force is along the free slip: the part of it that is left, by bisection.
        let free = case.motion.slip;
        let excess =
            |part: f64| part + response * at(free * part).2.force.force.length() / free.length() - 1.0;
        let (_, _, update) = at(free * fender_math::root::bisect(0.0, 1.0, 0.0, excess).unwrap_or(1.0));
        return Ok(update);
    }
    let mut here = at(guess);
    let enough = 1e-2 * response * law.bound(case.load, guess.length()) + 1e-15;
    for _ in 0..400 {
        if here.0.length() <= enough {
            return Ok(here.2);
        }
        let change = (Mat3::IDENTITY - here.2.by_slip * response).inverse() * -here.0;
        let halves = (0..40).map(|i| at(here.1.slip + change * 0.5_f64.powi(i)));
        let Some(better) = halves.into_iter().find(|there| there.0.length() < here.0.length()) else { break };
        here = better;
    }
    Err(here.0.length())
}

fn friction_rate_is_update(law: &dyn FrictionLaw, case: &Case) -> Verdict {
    let instant = slide(law, case);
    // A step in which nothing that is remembered, and no slip, changes by more than 1e-11 of a deflection.
    let scales = law.scales(case.load);
    let slip = case.motion.slip.length() / scales[0];
    let rates = instant.flow.iter().zip(scales).map(|(rate, scale)| rate.abs() / scale);
    let fastest = rates.chain([slip]).filter(|rate| rate.is_finite()).fold(1e3, f64::max);
    let dt = 1e-11 / fastest;
    let update = slide_step(law, case, dt);
    let precise = if law.flows() > 0 { 1e-5 } else { 1e-7 };
    let bound = law.bound(case.load, case.motion.slip.length());
    same_vector("force", update.force.force, instant.force, precise * bound)?;
    let turnover = 1e-8 * bound * Vec3::new(instant.flow[0], instant.flow[1], instant.flow[2]).length();
    let powers = instant.dissipated.abs() + instant.storing.abs();
    same("dissipated", update.force.dissipated, instant.dissipated, 1e-5 * powers + turnover)?;
    let stored = instant.stored + instant.storing * dt;
    same(
        "stored",
        update.force.stored,
        stored,
        1e-9 * (stored + (instant.storing * dt).abs()) + 1e-15 * case.load,
    )?;
    demand(instant.flow[law.flows()..].iter().all(|&rate| rate == 0.0), || {
        format!("flow beyond the declared {}: {:?}", law.flows(), instant.flow)
    })?;
    memory_follows(&case.memory, &update.memory, &instant.flow, dt)
}

// Shared

/// The memory after a short step has moved by its rate of flow.
fn memory_follows(before: &Memory, after: &Memory, flow: &[f64], dt: f64) -> Verdict {
    same("latched impact speed", after.impact_speed, before.impact_speed, 0.0)?;
    let largest = before.flow.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    before.flow.iter().zip(after.flow).zip(flow).try_for_each(|((&start, end), &rate)| {
        same("memory", end, start + rate * dt, 1e-6 * (rate * dt).abs() + 1e-15 * largest)
    })
}

/// The same contact in a turned world.
fn turned(case: &Case) -> Case {
    let overlap = PointOverlap {
        point: case.turn * case.overlap.point,
        normal: case.turn * case.overlap.normal,
        elongation: case.turn * case.overlap.elongation,
        ..case.overlap
    };
    let memory = moved(&case.memory, |z| case.turn * z);
    Case { overlap, motion: Motion { slip: case.turn * case.motion.slip, ..case.motion }, memory, ..*case }
}

/// The same contact with the bodies named the other way round.
fn swapped(case: &Case) -> Case {
    let overlap = PointOverlap { normal: -case.overlap.normal, ..case.overlap };
    let memory = moved(&case.memory, |z| -z);
    Case { overlap, motion: Motion { slip: -case.motion.slip, ..case.motion }, memory, ..*case }
}

/// The memory with its vector moved.
fn moved(memory: &Memory, how: impl Fn(Vec3) -> Vec3) -> Memory {
    let z = how(Vec3::new(memory.flow[0], memory.flow[1], memory.flow[2]));
    let [.., dwell, more, most] = memory.flow;
    Memory { flow: [z.x, z.y, z.z, dwell, more, most], ..*memory }
}

#[test]
fn every_normal_law_keeps_the_contract() {
    let laws = normal_laws();
    assert!(laws.len() >= 16, "only {} samples registered", laws.len());
    for law in &laws {
        for (name, check) in NORMAL {
            if let Err(message) = over_cases(|case| check(law.as_ref(), case)) {
                panic!("{name}: {law:?}: {message}");
            }
        }
    }
}

#[test]
fn every_friction_law_keeps_the_contract() {
    let laws = friction_laws();
    assert!(laws.len() >= 18, "only {} samples registered", laws.len());
    for law in &laws {
        for (name, check) in FRICTION {
            let law = law.as_ref();
            if let Err(message) = over_cases(|case| check(law, &case.remembering(law))) {
                panic!("{name}: {law:?}: {message}");
            }
        }
    }
}

// Laws spoiled in one way

#[derive(Clone, Copy, Debug, PartialEq)]
enum NormalFault {
    None,
    Pulls,
    ActsAtADistance,
    CreatesEnergy,
    HidesItsLoss,
    StoresTooMuch,
    JumpsAtTouch,
    JumpsAndGivesNoReason,
    IgnoresShare,
    SeesAxes,
    OneSided,
    WrongStiffness,
    WrongDamping,
    WrongViscosity,
    UpdateDiffers,
    ForgetsMemory,
    BoundTooLow,
}

#[derive(Debug)]
struct SpoiledNormal(Linear, NormalFault);

impl NormalLaw for SpoiledNormal {
    fn name(&self) -> &'static str {
        "spoiled"
    }

    fn rate(&self, overlap: &PointOverlap, motion: &Motion, memory: &Memory) -> NormalForce {
        let mut overlap = *overlap;
        if self.1 == NormalFault::IgnoresShare {
            overlap.share = 1.0;
        }
        let mut f = self.0.rate(&overlap, motion, memory);
        match self.1 {
            NormalFault::Pulls if f.force == 0.0 => f.force = -1e-3 * f.elastic,
            NormalFault::ActsAtADistance if overlap.depth < 0.0 => f.force = 1e-9,
            NormalFault::CreatesEnergy => {
                f.force = (2.0 * f.elastic - f.force).max(0.0);
                f.dissipated = (f.force - f.elastic) * motion.approach;
            }
            NormalFault::HidesItsLoss => f.dissipated *= 0.999,
            NormalFault::StoresTooMuch => f.stored *= 1.001,
            NormalFault::JumpsAtTouch | NormalFault::JumpsAndGivesNoReason if overlap.depth > 0.0 => {
                f.force += 1e-6;
            }
            NormalFault::SeesAxes => f.force *= 1.0 + 1e-6 * overlap.normal.x.abs(),
            NormalFault::OneSided => f.force *= 1.0 + 1e-6 * overlap.normal.x,
            NormalFault::WrongStiffness => f.stiffness *= 1.001,
            NormalFault::WrongDamping => f.damping *= 1.001,
            NormalFault::WrongViscosity => f.viscosity *= 1.001,
            _ => {}
        }
        f
    }

    fn update(&self, overlap: &PointOverlap, motion: &Motion, memory: &Memory, _dt: f64) -> NormalUpdate {
        let mut update = NormalUpdate { force: self.rate(overlap, motion, memory), memory: *memory };
        match self.1 {
            NormalFault::UpdateDiffers => update.force.force *= 1.0 + 1e-6,
            NormalFault::ForgetsMemory => update.memory.impact_speed = 0.0,
            _ => {}
        }
        update
    }

    fn stiffness_bound(&self, overlap: &PointOverlap) -> f64 {
        self.0.stiffness_bound(overlap) * if self.1 == NormalFault::BoundTooLow { 0.999 } else { 1.0 }
    }

    fn promises(&self) -> fender_contact::Promises {
        let mut promises = self.0.promises();
        if self.1 == NormalFault::JumpsAndGivesNoReason {
            promises.continuous_at_touch = Err("");
        }
        promises
    }
}

#[test]
fn the_contract_rejects_a_normal_law_spoiled_in_any_one_way() {
    let spoiled = |fault| SpoiledNormal(Linear::new(1e5, 0.5, Damping::Exact, 1e-3).unwrap(), fault);
    let verdict = |fault, wanted: &str| {
        let (_, check) = NORMAL.into_iter().find(|(name, _)| *name == wanted).unwrap();
        over_cases(|case| check(&spoiled(fault), case))
    };
    for (fault, name) in [
        (NormalFault::Pulls, "no tension"),
        (NormalFault::ActsAtADistance, "no tension"),
        (NormalFault::CreatesEnergy, "passivity"),
        (NormalFault::HidesItsLoss, "power balance"),
        (NormalFault::StoresTooMuch, "power balance"),
        (NormalFault::JumpsAtTouch, "continuity at touch"),
        (NormalFault::JumpsAndGivesNoReason, "continuity at touch"),
        (NormalFault::IgnoresShare, "share"),
        (NormalFault::SeesAxes, "frame indifference"),
        (NormalFault::OneSided, "action = reaction"),
        (NormalFault::WrongStiffness, "tangents"),
        (NormalFault::WrongDamping, "tangents"),
        (NormalFault::WrongViscosity, "tangents"),
        (NormalFault::UpdateDiffers, "rate = update"),
        (NormalFault::ForgetsMemory, "rate = update"),
        (NormalFault::BoundTooLow, "stiffness bound"),
    ] {
        assert!(verdict(fault, name).is_err(), "{name} does not notice {fault:?}");
        verdict(NormalFault::None, name).unwrap();
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum FrictionFault {
    None,
    TooStrong,
    PushesAlongTheNormal,
    Drives,
    HidesItsLoss,
    HidesItsStore,
    SticksWithoutLoad,
    SeesAxes,
    OneSided,
    WrongBySlip,
    BySlipAlongTheNormal,
    WrongByNormal,
    UpdateDiffers,
    UndeclaredFlow,
    FlowNotFollowed,
    SolveTooStrong,
}

#[derive(Debug)]
struct SpoiledFriction(Coulomb, FrictionFault);

impl FrictionLaw for SpoiledFriction {
    fn name(&self) -> &'static str {
        "spoiled"
    }

    fn flows(&self) -> usize {
        usize::from(self.1 == FrictionFault::FlowNotFollowed)
    }

    fn rate(&self, load: f64, normal: Vec3, motion: &Motion, memory: &Memory) -> FrictionForce {
        let mut f = self.0.rate(load, normal, motion, memory);
        match self.1 {
            FrictionFault::TooStrong => f.force *= 1.0 + 1e-6,
            FrictionFault::PushesAlongTheNormal => f.force += normal * (1e-6 * f.force.length()),
            FrictionFault::Drives => (f.force, f.dissipated) = (-f.force, -f.dissipated),
            FrictionFault::HidesItsLoss => f.dissipated *= 0.999,
            FrictionFault::HidesItsStore => f.storing = 1e-3 * f.dissipated,
            FrictionFault::SticksWithoutLoad => f.force -= motion.slip * 1e-9,
            FrictionFault::SeesAxes => f.force *= 1.0 - 1e-6 * normal.x.abs(),
            FrictionFault::OneSided => f.force *= 1.0 - 1e-6 * (1.0 + normal.x),
            FrictionFault::UndeclaredFlow | FrictionFault::FlowNotFollowed => {
                f.flow[0] = motion.slip.length();
            }
            _ => {}
        }
        f
    }

    fn update(&self, load: f64, normal: Vec3, motion: &Motion, memory: &Memory, dt: f64) -> FrictionUpdate {
        let mut update = self.0.update(load, normal, motion, memory, dt);
        update.force = self.rate(load, normal, motion, memory);
        match self.1 {
            FrictionFault::WrongBySlip => update.by_slip *= 1.001,
            FrictionFault::BySlipAlongTheNormal => update.by_slip += Mat3::from_diagonal(normal) * 1e-6,
            FrictionFault::WrongByNormal => update.by_normal *= 1.001,
            FrictionFault::UpdateDiffers => update.force.force *= 1.0 + 1e-6,
            _ => {}
        }
        update
    }

    fn solve(
        &self,
        load: f64,
        normal: Vec3,
        free: Vec3,
        response: f64,
        memory: &Memory,
        dt: f64,
    ) -> FrictionForce {
        let mut f = self.0.solve(load, normal, free, response, memory, dt);
        if self.1 == FrictionFault::SolveTooStrong {
            f.force *= 1.05;
        }
        f
    }

    fn bound(&self, load: f64, slip_speed: f64) -> f64 {
        self.0.bound(load, slip_speed)
    }

    fn sticking_speed(&self) -> f64 {
        self.0.sticking_speed()
    }
}

#[test]
fn the_contract_rejects_a_friction_law_spoiled_in_any_one_way() {
    let spoiled = |fault| SpoiledFriction(Coulomb::new(0.5, 1e-3).unwrap(), fault);
    let verdict = |fault, wanted: &str| {
        let (_, check) = FRICTION.into_iter().find(|(name, _)| *name == wanted).unwrap();
        over_cases(|case| check(&spoiled(fault), case))
    };
    for (fault, name) in [
        (FrictionFault::TooStrong, "bound"),
        (FrictionFault::PushesAlongTheNormal, "across the normal"),
        (FrictionFault::Drives, "passivity"),
        (FrictionFault::HidesItsLoss, "power balance"),
        (FrictionFault::HidesItsStore, "power balance"),
        (FrictionFault::SticksWithoutLoad, "no load, no force"),
        (FrictionFault::SeesAxes, "frame indifference"),
        (FrictionFault::OneSided, "action = reaction"),
        (FrictionFault::WrongBySlip, "tangents"),
        (FrictionFault::BySlipAlongTheNormal, "tangents"),
        (FrictionFault::WrongByNormal, "tangents"),
        (FrictionFault::UpdateDiffers, "rate = update"),
        (FrictionFault::UndeclaredFlow, "rate = update"),
        (FrictionFault::FlowNotFollowed, "rate = update"),
        (FrictionFault::SolveTooStrong, "solve = law at the slip it leaves"),
    ] {
        assert!(verdict(fault, name).is_err(), "{name} does not notice {fault:?}");
        verdict(FrictionFault::None, name).unwrap();
    }
}
