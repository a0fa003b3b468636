//! Whether a position of rest is a stable one, and what rests in compression.
//!
//! A direction x with (K + σM) x = θ⁻¹ M x and θ < 0 leaves the position as exp(t·√(−ω²)) with ω² = θ⁻¹ − σ. Lanczos' iteration on (K + σM)⁻¹M finds the ends of the
//! spectrum of θ, so that few solutions with the factors that statics has anyway are enough, however many coordinates there are.

use super::statics::name_of;
use crate::cable::{BentStretch, Compression, bent_stretch, compressed};
use crate::evaluate::{Treatment, evaluate};
use crate::tangent::{self, Weights};
use crate::{Model, World, closure};
use fender_math::dense::{Rows, symmetric_eigen};

/// σ [1/s²]: what takes longer than 1/√σ to leave by a factor e counts as free.
pub(crate) const SLOWEST: f64 = 1e-4;
/// Solutions at most.
const ROUNDS: usize = 40;
/// How near to a mode a direction must be, as a part of it.
const MODE: f64 = 0.1;
/// Displacement over which forces are differenced [m or rad].
const SMALL: f64 = 1e-6;

/// A direction in which a position of rest is unstable.
#[derive(Clone, Debug, PartialEq)]
pub struct Instability {
    /// It is left as exp(rate·t) [1/s].
    pub rate: f64,
    /// The body or cable that moves most.
    pub name: String,
}

impl std::fmt::Display for Instability {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { rate, name } = self;
        let time = 1.0 / rate;
        write!(
            f,
            "the position of rest is unstable: '{name}' leaves it as exp(t / {time:.3} s). Start beside it to find a stable one"
        )
    }
}

/// Mass matrix and tangent at a position.
pub(crate) trait Pencil {
    /// x ← M·x.
    fn times_mass(&mut self, x: &mut [f64]);
    /// x ← (K + σM)⁻¹·x.
    fn solve(&mut self, x: &mut [f64]);
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// ω² [1/s²] of an unstable direction of n coordinates, and the direction; `None` if there is none.
pub(crate) fn unstable_direction(n: usize, pencil: &mut impl Pencil) -> Option<(f64, Vec<f64>)> {
    // Something of every direction, the same each time.
    let mut seed = 1_u32;
    let mut x: Vec<f64> = (0..n)
        .map(|_| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f64::from(seed >> 8) / f64::from(1 << 24) - 0.5
        })
        .collect();
    pencil.times_mass(&mut x);
    pencil.solve(&mut x);
    // Directions that are orthonormal with respect to M, their M·x, and what (K + σM)⁻¹M makes of them.
    let (mut basis, mut heavy, mut images) = (Rows::new(), Rows::new(), Rows::new());
    for _ in 0..ROUNDS.min(n) {
        let size = |x: &[f64], pencil: &mut dyn FnMut(&mut [f64])| {
            let mut y = x.to_vec();
            pencil(&mut y);
            (dot(x, &y).max(0.0).sqrt(), y)
        };
        let (before, _) = size(&x, &mut |y| pencil.times_mass(y));
        for _ in 0..2 {
            for (v, w) in basis.iter().zip(&heavy) {
                let along = dot(w, &x);
                x.iter_mut().zip(v).for_each(|(x, v)| *x -= along * v);
            }
        }
        let (after, mut y) = size(&x, &mut |y| pencil.times_mass(y));
        // Written so that a NaN ends it.
        if !(after > 1e-10 * before && after.is_finite()) {
            break;
        }
        for x in x.iter_mut().chain(&mut y) {
            *x /= after;
        }
        let mut image = y.clone();
        pencil.solve(&mut image);
        basis.push(std::mem::replace(&mut x, image.clone()));
        heavy.push(y);
        images.push(image);
    }
    let m = basis.len();
    let entry = |i: usize, j: usize| dot(&heavy[i], &images[j]);
    let matrix: Vec<Vec<f64>> =
        (0..m).map(|i| (0..m).map(|j| 0.5 * (entry(i, j) + entry(j, i))).collect()).collect();
    let (values, vectors) = symmetric_eigen(&matrix);
    let lowest = (0..m).min_by(|a, b| values[*a].total_cmp(&values[*b]))?;
    let (theta, weights) = (values[lowest], &vectors[lowest]);
    if theta >= 0.0 {
        return None;
    }
    let sum = |list: &[Vec<f64>]| {
        let mut sum = vec![0.0; n];
        for (weight, x) in weights.iter().zip(list) {
            sum.iter_mut().zip(x).for_each(|(s, x)| *s += weight * x);
        }
        sum
    };
    let shape = sum(&basis);
    let mut rest: Vec<f64> = sum(&images).iter().zip(&shape).map(|(image, x)| image - theta * x).collect();
    let same = rest.clone();
    pencil.times_mass(&mut rest);
    let is_mode = dot(&same, &rest).max(0.0).sqrt() <= MODE * -theta;
    (is_mode && theta.is_finite()).then(|| (1.0 / theta - SLOWEST, shape))
}

struct Everything<'a>(&'a mut World);

impl Pencil for Everything<'_> {
    fn times_mass(&mut self, x: &mut [f64]) {
        self.0.data.tangent.times_mass(&self.0.model, x);
    }

    fn solve(&mut self, x: &mut [f64]) {
        let World { model, state, data, .. } = &mut *self.0;
        data.tangent.solve(model, &state.cables, &data.cables, x);
    }
}

/// How a world at rest leaves its position, if it is not a stable one.
pub fn instability(world: &mut World) -> Option<Instability> {
    world.refresh();
    let World { model, state, data, .. } = world;
    let weights = Weights { mass: SLOWEST, damping: 0.0, stiffness: 1.0 };
    tangent::write(model, state, data, weights, 1.0);
    if model.nv == 0 || !data.tangent.factor() {
        return None;
    }
    let n = model.nv;
    let (square, mut shape) = unstable_direction(n, &mut Everything(world))?;
    let largest = shape.iter().fold(0.0_f64, |a, x| a.max(x.abs()));
    for x in &mut shape {
        *x /= largest;
    }
    let most = (0..n).max_by(|a, b| shape[*a].abs().total_cmp(&shape[*b].abs()))?;
    let name = name_of(&world.model, most);
    // Tangents of bodies leave out how contacts turn: the forces themselves decide. Those of stiff cables would not show it.
    let World { model, state, data, .. } = &*world;
    let found = match model.cables.iter().position(|c| (c.v..c.v + c.coordinates()).contains(&most)) {
        Some(i) => square < model.cables[i].hidden_square(&state.cables[i], &data.cables[i]),
        None => pushes_away(world, &shape),
    };
    found.then(|| Instability { rate: (-square).sqrt(), name })
}

/// Whether forces beside the position point away from it, along a direction.
fn pushes_away(world: &mut World, shape: &[f64]) -> bool {
    let World { model, control, state, data, .. } = world;
    let mut along = |by: f64| {
        let mut moved = state.clone();
        let change: Vec<f64> = shape.iter().map(|x| by * x).collect();
        closure::displace_all(model, &mut moved.q, &change);
        data.invalidate();
        evaluate(model, control, &moved, data, Treatment::Instant);
        let mut forces = data.rates.v.clone();
        data.tangent.times_mass(model, &mut forces);
        let mut heavy = shape.to_vec();
        data.tangent.times_mass(model, &mut heavy);
        (dot(shape, &forces), dot(shape, &heavy))
    };
    let ((back, _), (on, mass)) = (along(-SMALL), along(SMALL));
    data.invalidate();
    on - back > 2.0 * SMALL * SLOWEST * mass
}

/// Cables that push somewhere, each with where it does most.
pub fn compressions(world: &World) -> Vec<(String, Compression)> {
    let World { model, state, data, .. }: &World = world;
    let gravity = gravity_of(model);
    let cables = model.cables.iter().enumerate().filter(|(_, c)| c.pace.is_none());
    cables
        .filter_map(|(i, cable)| {
            let found = compressed(cable, &state.cables[i], &data.cables[i], gravity)?;
            Some((cable.name.clone(), found))
        })
        .collect()
}

/// Cables that are stretched more than their bending is made for, each with where it is most.
pub fn bent_stretches(world: &World) -> Vec<(String, BentStretch)> {
    let World { model, state, data, .. }: &World = world;
    let cables = model.cables.iter().enumerate().filter(|(_, c)| c.pace.is_none());
    cables
        .filter_map(|(i, cable)| {
            Some((cable.name.clone(), bent_stretch(cable, &state.cables[i], &data.cables[i])?))
        })
        .collect()
}

fn gravity_of(model: &Model) -> f64 {
    model.gravity.length().max(1e-3)
}
