//! Mass properties of tubes, from those of the half torus, the half ball and the cylinder.

use super::{Form, Tube};
use fender_math::{MassProperties, Mat3, Vec3};
use std::f64::consts::PI;

/// Sums of ρ·dV times 1, position and squares of the coordinates about the origin. Products of coordinates cancel in all tubes.
#[derive(Clone, Copy, Default)]
struct Sums {
    mass: f64,
    first: Vec3,
    squares: Vec3,
}

impl Sums {
    fn plus(self, other: Self) -> Self {
        Self {
            mass: self.mass + other.mass,
            first: self.first + other.first,
            squares: self.squares + other.squares,
        }
    }

    /// Shifted by `d`.
    fn shifted(self, d: Vec3) -> Self {
        Self {
            first: self.first + d * self.mass,
            squares: self.squares + self.first * d * 2.0 + d * d * self.mass,
            ..self
        }
    }
}

impl Tube {
    /// Mass properties for a density [kg/m³].
    pub fn mass_properties(&self, density: f64) -> MassProperties {
        let (r, a) = (self.radius, self.bar);
        let (r2, a2) = (r * r, a * a);
        // Half of a torus, y ≥ 0 (Pappus; ∫(R + x)² over the bar's section gives the first moment, ∫(R + x)³ the second).
        let mass = density * PI * PI * r * a2;
        let across = mass * (0.5 * r2 + 0.375 * a2);
        let half = Sums {
            mass,
            first: Vec3::Y * (mass * (4.0 * r2 + a2) / (2.0 * PI * r)),
            squares: Vec3::new(across, across, mass * 0.25 * a2),
        };
        let mirrored = |s: Sums| Sums { first: -s.first, ..s };
        let sums = match self.form {
            Form::Ring => half.plus(mirrored(half)),
            Form::Half => {
                let mass = density * 2.0 / 3.0 * PI * a2 * a;
                let end = Sums {
                    mass,
                    first: Vec3::Y * (-0.375 * a * mass),
                    squares: Vec3::splat(0.2 * a2 * mass),
                };
                half.plus(end.shifted(Vec3::X * r)).plus(end.shifted(-Vec3::X * r))
            }
            Form::Link => {
                let h = self.straight;
                // The half torus turned to +x.
                let turned = Sums { first: Vec3::X * half.first.y, ..half };
                let mass = density * 2.0 * PI * a2 * h;
                let bar = Sums {
                    mass,
                    first: Vec3::ZERO,
                    squares: Vec3::new(h * h / 3.0, 0.25 * a2, 0.25 * a2) * mass,
                };
                turned
                    .shifted(Vec3::X * h)
                    .plus(mirrored(turned).shifted(-Vec3::X * h))
                    .plus(bar.shifted(Vec3::Y * r))
                    .plus(bar.shifted(-Vec3::Y * r))
            }
        };
        let center = sums.first / sums.mass;
        let q = sums.squares - center * center * sums.mass;
        let inertia = Mat3::from_diagonal(Vec3::new(q.y + q.z, q.z + q.x, q.x + q.y));
        MassProperties { mass: sums.mass, center, inertia }
    }
}
