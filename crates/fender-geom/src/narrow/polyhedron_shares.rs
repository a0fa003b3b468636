//! What the corners of a polyhedron get of the stiffness on a plane, so that the contact has a potential.
//!
//! With dᵢ the depths of the vertices below and w = c/4, where c is 1 but near a level face whose number of corners n is not four, and 4/n there
//! (`polyhedron/stand.rs`), the energy is ½·k·Ψ with
//!
//! Ψ = T·m(A/T), A = w·Σdᵢ², T = (w·Σdᵢ⁸)^¼, m(r) = r for r ≤ 1, r − (r − 1)² for 1 < r < 3/2, 5/4 for more.
//!
//! A is what springs of the stiffness k·w at every vertex have. There is nothing else while A ≤ T, which holds for four vertices or fewer of a quarter each however deep they are, and for a
//! level face: so a polyhedron is a box if it has the corners of one, and a face has the whole stiffness. Where many vertices are below, as of a hull that is nearly round,
//! A would grow with their number, and T takes over, which is hardly more than the square of the largest depth.
//!
//! The force at a vertex is its part of the gradient, ½·k·∂Ψ/∂dᵢ = k·sᵢ·dᵢ with the share sᵢ = w·(m′ + (m − r·m′)·dᵢ⁶·T/(w·Σdⱼ⁸)). It is never negative, since m
//! grows and is concave, and continuous, since m′ is. Ψ is of the second degree in the depths, so Σ ½·k·sᵢ·dᵢ² is that same energy: laws that know a share and a depth have all
//! they need. c changes with the direction only; the moment that this asks for, −½·k·Q·∇ ln c with Q = c·∂Ψ/∂c = m′·A + (m − r·m′)·T/4, is made by all forces acting aside of their vertices, by
//! ½·Q/Σsᵢdᵢ·∇ ln c, across the normal.
//!
//! For a law whose force is not linear in the depth this is a potential only while shares do not change.

use fender_math::Vec3;

/// Ψ of the module's text, for corners of any weights w, with all depths as parts of the largest.
pub struct Shares {
    /// Largest depth [m].
    deepest: f64,
    /// m′.
    even: f64,
    /// (m − r·m′)·T/Σw·d⁸; of this a corner gets the sixth power of the part that its depth is of the largest.
    deep: f64,
    /// How far aside forces act for a gradient of 1 of ln c, ½·Q/Σsd [m].
    lever: f64,
}

/// From r = 1 to this much more T takes over.
const TAKE_OVER: f64 = 0.5;

impl Shares {
    /// For corners with these weights and depths [m]; `deepest` is one of the depths, and not small against the others.
    pub fn new(deepest: f64, corners: impl Iterator<Item = (f64, f64)>) -> Self {
        let (mut first, mut second, mut seventh, mut eighth) = (0.0, 0.0, 0.0, 0.0);
        for (weight, depth) in corners {
            let x = depth / deepest;
            let square = x * x;
            let sixth = square * square * square;
            first += weight * x;
            second += weight * square;
            seventh += weight * sixth * x;
            eighth += weight * sixth * square;
        }
        let limit = eighth.sqrt().sqrt();
        let beyond = (second / limit - 1.0).clamp(0.0, TAKE_OVER);
        let even = 1.0 - beyond / TAKE_OVER;
        // m − r·m′, which is nothing up to r = 1.
        let rest = beyond * (1.0 + 0.5 * beyond) / TAKE_OVER;
        let deep = rest * limit / eighth;
        let change = even * second + 0.25 * rest * limit;
        Self { deepest, even, deep, lever: 0.5 * deepest * change / (even * first + deep * seventh) }
    }

    /// The share of a corner of this depth [m] for a weight of 1.
    pub fn part(&self, depth: f64) -> f64 {
        let square = (depth / self.deepest) * (depth / self.deepest);
        self.even + self.deep * square * square * square
    }

    /// How far aside of the corners forces act [m], if ln c has this gradient with the unit direction `down`.
    pub fn aside(&self, slope: Vec3, down: Vec3) -> Vec3 {
        (slope - down * down.dot(slope)) * self.lever
    }
}
