//! Nearest points of two solids by Newton's method for the direction between them.
//!
//! The farthest points of both along the direction n, from the second to the first, differ by v(n), and at the end v = d·n with the
//! distance d. When n turns by δ, the farthest points move by their bends (the second derivatives of how far a solid reaches), so that
//! the component of v across n vanishes for (d + bend of both)·δ = v across n. The digits double with every round.
//!
//! Where an edge, a face or the side of a cylinder is nearest, n is across it, and the nearest point may be anywhere along it. It is
//! guessed from the first direction which of them are: n then turns only about what is left, and the guess is right if the nearest point is
//! between the ends. If it is not, or if the rounds do not converge, `project.rs` takes over.

use super::core::{Core, Moved};
use super::gjk::Convex;
use fender_math::Vec3;

/// A round has to leave less than this part of the error.
const GAIN: f64 = 0.3;
const ROUNDS: usize = 8;
/// Two straight parts whose angle has a smaller sine leave the direction open.
const PARALLEL: f64 = 1e-4;
/// Nearest points may be beyond the ends by rounding.
const BEYOND: f64 = 1.0 + 1e-13;

/// How the farthest point moves as the direction turns, in two directions across it [m].
#[derive(Clone, Copy, Default)]
struct Bend {
    uu: f64,
    uv: f64,
    vv: f64,
}

/// Along which of its axes a core is straight where it is farthest.
#[derive(Clone, Copy)]
struct Straight([bool; 3]);

impl Straight {
    /// Along the unit vector `n` in its own frame, whose part along a straight line or face of half length `h` is known to `error`/h. `None`
    /// on the side of a cone, which is straight along another line for every direction.
    #[inline]
    fn of(core: &Core, n: Vec3, error: f64) -> Option<Self> {
        let across = |radius: f64| n.x * n.x + n.y * n.y <= (error / radius) * (error / radius);
        Some(Self(match *core {
            Core::Box(half) => [0, 1, 2].map(|i| n[i].abs() * half[i] <= error),
            Core::Segment(half) => [false, false, n.z.abs() * half <= error],
            Core::Cylinder { radius, half_height } => {
                let on_cap = across(radius);
                [on_cap, on_cap, n.z.abs() * half_height <= error]
            }
            Core::Cone { radius, half_height } => {
                let on_base = n.z < 0.0 && across(radius);
                let out = (n.x * n.x + n.y * n.y).sqrt();
                if (2.0 * half_height * n.z - radius * out).abs() <= error {
                    return None;
                }
                [on_base, on_base, false]
            }
            Core::Ellipsoid(_) | Core::Point => [false; 3],
            // Its edges are along no axes.
            Core::Polyhedron(_) => return None,
        }))
    }

    /// The farthest point, in the middle of what is straight.
    #[inline]
    fn support(self, core: &Core, n: Vec3) -> Vec3 {
        let mut p = core.support(n);
        for i in 0..3 {
            if self.0[i] {
                p[i] = 0.0;
            }
        }
        p
    }
}

/// Of a core in its own frame, along the unit vector `n` with `u` and `v` across it. Zero at a corner.
#[inline]
fn bend(core: &Core, straight: Straight, n: Vec3, u: Vec3, v: Vec3) -> Bend {
    let rim = |radius: f64| {
        let across = (n.x * n.x + n.y * n.y).sqrt();
        let scale = radius / (across * across * across);
        let (s, t) = (n.x * u.y - n.y * u.x, n.x * v.y - n.y * v.x);
        Bend { uu: scale * s * s, uv: scale * s * t, vv: scale * t * t }
    };
    match *core {
        Core::Ellipsoid(radii) => {
            let sq = radii * radii;
            let reach = (radii * n).length();
            let (mu, mv) = (sq * u, sq * v);
            let (s, t) = (mu.dot(n) / reach, mv.dot(n) / reach);
            let part = |x: f64| x / reach;
            Bend { uu: part(mu.dot(u) - s * s), uv: part(mu.dot(v) - s * t), vv: part(mv.dot(v) - t * t) }
        }
        // A cap does not bend.
        _ if straight.0[0] => Bend::default(),
        Core::Cylinder { radius, .. } => rim(radius),
        Core::Cone { radius, half_height } => {
            let is_tip = core.support(n).z == half_height;
            if is_tip { Bend::default() } else { rim(radius) }
        }
        Core::Point | Core::Segment(_) | Core::Box(_) | Core::Polyhedron(_) => Bend::default(),
    }
}

/// A straight part: its direction, whose solid it is, and which axis of it.
#[derive(Clone, Copy)]
struct Line {
    along: Vec3,
    of_a: bool,
    axis: usize,
}

/// Both solids with their straight parts.
struct Search<'a> {
    a: &'a Core<'a>,
    b: &'a Moved<'a>,
    straight: [Straight; 2],
    lines: [Line; 2],
    count: usize,
}

/// Nearest points, from about the direction `n` from the second solid to the first, which is known so well that the distance is to
/// `error` [m]; `None` if that does not converge.
pub(super) fn nearest(a: &Core, b: &Moved, n: Vec3, error: f64) -> Option<[Vec3; 2]> {
    let n = n.try_normalize()?;
    let straight = [Straight::of(a, -n, error)?, Straight::of(b.core, b.in_own(n), error)?];
    let unused = Line { along: Vec3::ZERO, of_a: true, axis: 0 };
    let mut search = Search { a, b, straight, lines: [unused; 2], count: 0 };
    for axis in 0..3 {
        if straight[0].0[axis] {
            search.add(Line { along: Vec3::AXES[axis], of_a: true, axis })?;
        }
        if straight[1].0[axis] {
            search.add(Line { along: b.turn.col(axis), of_a: false, axis })?;
        }
    }
    search.run(n)
}

impl Search<'_> {
    fn add(&mut self, line: Line) -> Option<()> {
        // More than two are faces that are parallel to something.
        *self.lines.get_mut(self.count)? = line;
        self.count += 1;
        Some(())
    }

    fn run(&self, mut n: Vec3) -> Option<[Vec3; 2]> {
        let [first, second] = self.lines.map(|line| line.along);
        if self.count == 2 {
            let across = first.cross(second);
            let length = across.length();
            if length < PARALLEL {
                return None;
            }
            n = across * (1.0_f64.copysign(across.dot(n)) / length);
        }
        let mut last = f64::INFINITY;
        for _ in 0..ROUNDS {
            if self.count == 1 {
                n = (n - first * first.dot(n)).try_normalize()?;
            }
            let n_b = self.b.in_own(n);
            let p = self.straight[0].support(self.a, -n);
            let q = self.b.turn * self.straight[1].support(self.b.core, n_b) + self.b.at;
            let apart = p - q;
            let distance = n.dot(apart);
            if self.count == 2 {
                return self.between_ends(p, q, n, distance);
            }
            let (u, v) = if self.count == 1 { (n.cross(first), first) } else { n.any_orthonormal_pair() };
            let (x, y) = (u.dot(apart), if self.count == 1 { 0.0 } else { v.dot(apart) });
            let error = x.abs() + y.abs();
            // Rounding leaves this much of points of that size.
            if error <= 1e-15 * (p.abs().max_element() + q.abs().max_element()) {
                return self.between_ends(p, q, n, distance);
            }
            let gains = error < GAIN * last && distance > 0.0;
            if !gains {
                return None;
            }
            last = error;
            let of_a = bend(self.a, self.straight[0], -n, u, v);
            let (u_b, v_b) = (self.b.in_own(u), self.b.in_own(v));
            let of_b = bend(self.b.core, self.straight[1], n_b, u_b, v_b);
            let uu = of_a.uu + of_b.uu + distance;
            n = if self.count == 1 {
                n + u * (x / uu)
            } else {
                let (uv, vv) = (of_a.uv + of_b.uv, of_a.vv + of_b.vv + distance);
                let det = uu * vv - uv * uv;
                n + u * ((x * vv - y * uv) / det) + v * ((y * uu - x * uv) / det)
            }
            .normalize();
        }
        None
    }

    /// Moves the points along the straight parts until they lie one over the other; `None` if that leads beyond their ends.
    fn between_ends(&self, mut p: Vec3, mut q: Vec3, n: Vec3, distance: f64) -> Option<[Vec3; 2]> {
        let rest = p - q - n * distance;
        let [first, second] = self.lines;
        let (x, y) = (rest.dot(first.along), rest.dot(second.along));
        let parts = if self.count == 2 {
            let cos = first.along.dot(second.along);
            let square = 1.0 - cos * cos;
            [(x - y * cos) / square, (y - x * cos) / square]
        } else {
            [x, 0.0]
        };
        for (line, part) in self.lines.iter().zip(parts).take(self.count) {
            let half = if line.of_a { self.a.half() } else { self.b.core.half() };
            if part.abs() > half[line.axis] * BEYOND {
                return None;
            }
            if line.of_a {
                p -= line.along * part;
            } else {
                q += line.along * part;
            }
        }
        // A cap is round.
        let is_cap = self.count == 2 && first.of_a == second.of_a && first.axis + second.axis == 1;
        let core = if first.of_a { self.a } else { self.b.core };
        if let (true, Core::Cylinder { radius, .. } | Core::Cone { radius, .. }) = (is_cap, core) {
            let length = (parts[0] * parts[0] + parts[1] * parts[1]).sqrt();
            if length > radius * BEYOND {
                return None;
            }
        }
        (distance > 0.0).then_some([p, q])
    }
}
