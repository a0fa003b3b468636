//! Modes: small vibrations about a position of rest, along the loops.
//!
//! (K − ω² M) x = 0 with J x = 0. With M = L·Lᵀ and an orthonormal basis Z of the directions that J leaves free in the
//! coordinates y = Lᵀ x, it is the symmetric eigenproblem of Zᵀ L⁻¹ K L⁻ᵀ Z. Follower loads can make K unsymmetric; its
//! symmetric part is taken.

use super::{Linear, linearize};
use crate::{World, closure};
use fender_math::dense::{Rows, cholesky, solve_lower, solve_lower_transposed, symmetric_eigen};

/// A mode.
#[derive(Clone, Debug, PartialEq)]
pub struct Mode {
    /// ω² [1/s²]; negative if the position is unstable in this direction.
    pub square: f64,
    /// Share of critical damping that the dampers give it, coupling with other modes left out; zero where ω² is not
    /// positive.
    pub damping: f64,
    /// Displacement of each velocity's coordinate, with the largest component 1.
    pub shape: Vec<f64>,
}

impl Mode {
    /// Frequency [Hz]; negative for the rate of an unstable direction, which grows as exp(2π|f|t).
    pub fn frequency(&self) -> f64 {
        self.square.abs().sqrt().copysign(self.square) / std::f64::consts::TAU
    }
}

/// The modes about the world's present position, which should be one of rest, slowest first.
pub fn modes(world: &mut World) -> Vec<Mode> {
    let Linear { mass, damping, stiffness, loops } = linearize(world);
    let n = mass.len();
    let Some(l) = cholesky(&mass) else { return Vec::new() };
    let basis = free_directions(&l, &loops);
    // Columns L⁻ᵀ z: displacements of each direction.
    let moves: Rows = basis
        .iter()
        .map(|z| {
            let mut x = z.clone();
            solve_lower_transposed(&l, &mut x);
            x
        })
        .collect();
    let product = |matrix: &Rows, x: &[f64]| -> Vec<f64> {
        matrix.iter().map(|row| row.iter().zip(x).map(|(m, y)| m * y).sum()).collect()
    };
    let reduced = |matrix: &Rows| -> Rows {
        let images: Rows = moves.iter().map(|x| product(matrix, x)).collect();
        let entry = |i: usize, j: usize| -> f64 { moves[i].iter().zip(&images[j]).map(|(a, b)| a * b).sum() };
        let m = moves.len();
        (0..m).map(|i| (0..m).map(|j| 0.5 * (entry(i, j) + entry(j, i))).collect()).collect()
    };
    let (squares, vectors) = symmetric_eigen(&reduced(&stiffness));
    let damping = reduced(&damping);
    squares
        .iter()
        .zip(&vectors)
        .map(|(square, y)| {
            let mut shape = vec![0.0; n];
            for (weight, x) in y.iter().zip(&moves) {
                for (s, x) in shape.iter_mut().zip(x) {
                    *s += weight * x;
                }
            }
            let largest = shape.iter().fold(0.0_f64, |a: f64, x| if x.abs() > a.abs() { *x } else { a });
            if largest != 0.0 {
                for x in &mut shape {
                    *x /= largest;
                }
            }
            let loss: f64 = y.iter().zip(product(&damping, y)).map(|(a, b)| a * b).sum();
            let damping = if *square > 0.0 { 0.5 * loss / square.sqrt() } else { 0.0 };
            Mode { square: *square, damping, shape }
        })
        .collect()
}

/// An orthonormal basis of the directions y with J L⁻ᵀ y = 0.
fn free_directions(l: &Rows, loops: &Rows) -> Rows {
    let n = l.len();
    let mut known: Rows = Vec::new();
    let norm = |y: &[f64]| y.iter().map(|x| x * x).sum::<f64>().sqrt();
    let add = |known: &mut Rows, mut y: Vec<f64>, least: f64| {
        for _ in 0..2 {
            for other in known.iter() {
                let along: f64 = other.iter().zip(&y).map(|(a, b)| a * b).sum();
                for (y, o) in y.iter_mut().zip(other) {
                    *y -= along * o;
                }
            }
        }
        let left = norm(&y);
        if left > least {
            for x in &mut y {
                *x /= left;
            }
            known.push(y);
        }
    };
    let mut rows = loops.clone();
    for row in &mut rows {
        solve_lower(l, row);
    }
    let largest = rows.iter().map(|row| norm(row)).fold(0.0, f64::max);
    for row in rows {
        add(&mut known, row, 1e-9 * largest);
    }
    let rank = known.len();
    // Of the unit vectors, those with most left come first, so that rounding stays small.
    let mut waiting: Vec<usize> = (0..n).collect();
    while known.len() < n && !waiting.is_empty() {
        let left = |i: &usize| 1.0 - known.iter().map(|k| k[*i] * k[*i]).sum::<f64>();
        let best = (0..waiting.len()).max_by(|a, b| left(&waiting[*a]).total_cmp(&left(&waiting[*b])));
        let Some(best) = best else { break };
        let i = waiting.swap_remove(best);
        let unit = (0..n).map(|j| f64::from(u8::from(i == j))).collect();
        add(&mut known, unit, 1e-6);
    }
    known.split_off(rank)
}

/// The world's coordinates moved by a multiple of a mode's shape.
pub fn displaced(world: &World, mode: &Mode, amount: f64) -> Vec<f64> {
    let mut q = world.state.q.clone();
    let by: Vec<f64> = mode.shape.iter().map(|x| amount * x).collect();
    closure::displace_all(&world.model, &mut q, &by);
    q
}
