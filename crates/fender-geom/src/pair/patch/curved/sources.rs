//! Sources of the field of rays: what it adds where the rigid solid holds a part of the core.
//!
//! They count only where one solid is deeper in the other than the soft one's inradius. A core that is a
//! point or a segment is exact, a disc is a sum over places.

use super::soft_solid::{Segment, SoftSolid};
use super::{RigidSolid, square};
use crate::pair::patch::PatchMoments;
use fender_math::{Mat3, Vec3, float};
use std::f64::consts::{PI, TAU};

/// Directions and radii of the places on a disc.
const DIRECTIONS: u32 = 64;
const RADII: u32 = 16;

/// Adds the integrals over the rays that begin in the rigid solid.
pub(super) fn add(rigid: &RigidSolid<'_>, soft: &SoftSolid, origin: Vec3, sum: &mut PatchMoments) {
    let Some(holder) = SoftSolid::new(rigid.shape) else { return };
    let local = |place: Vec3| rigid.pose.inverse_transform_point(place);
    let center = Vec3::Z * soft.core_center;
    if holder.depth(local(center)) <= -(soft.core_radius + soft.core_half) {
        return;
    }
    let is_held = |place: Vec3| holder.depth(local(place)) > 0.0;
    // Volume, moment of depth, centroid and second moments about it.
    let mut add = |volume: f64, moment: f64, middle: Vec3, central: Mat3| {
        let x = middle - origin;
        sum.add_volume(volume, moment, x * volume, central + square(x) * volume);
    };
    let size = soft.inradius;
    if soft.core_radius > 0.0 {
        let core = soft.core_radius;
        for k in 0..DIRECTIONS {
            let angle = TAU / f64::from(DIRECTIONS);
            let (sin, cos) = float::sin_cos((f64::from(k) + 0.5) * angle);
            let out = Vec3::new(cos, sin, 0.0);
            // Columns above and below a place of the disc.
            for i in 0..RADII {
                let step = core / f64::from(RADII);
                let radius = (f64::from(i) + 0.5) * step;
                let area = radius * step * angle;
                if is_held(out * radius) {
                    let high = square(Vec3::Z) * (2.0 / 3.0 * size.powi(3) * area);
                    add(2.0 * size * area, size * size * area, out * radius, high);
                }
            }
            // What is around a place of the border: ∫ρ dρ dz and so on over a rectangle.
            if is_held(out * core) {
                let powers = |n: i32| ((core + size).powi(n) - core.powi(n)) / f64::from(n) * angle;
                let volume = 2.0 * size * powers(2);
                let moment = (core * 2.0 / 3.0 + size / 4.0) * size.powi(3) * angle;
                let middle = 2.0 * size * powers(3) / volume;
                let wide = square(out) * (2.0 * size * powers(4) - middle * middle * volume);
                let high = square(Vec3::Z) * (2.0 / 3.0 * size.powi(3) * powers(2));
                add(volume, moment, out * middle, wide + high);
            }
        }
        return;
    }
    // Rays in all directions, along which the mean of the depth is a quarter of the greatest.
    for end in soft.core_ends() {
        if is_held(end.place) {
            add(end.volume, 0.25 * size * end.volume, end.centroid, end.second);
        }
    }
    if soft.core_half > 0.0 {
        let [from, to] = [-soft.core_half, soft.core_half].map(|z| local(Vec3::Z * z));
        let length = 2.0 * soft.core_half;
        let line = Segment { at: from, along: (to - from) / length, ends: [0.0, length] };
        if let Some([from, to]) = holder.chord(&line) {
            let volume = PI * size * size * (to - from);
            let flat = 0.25 * size * size;
            let squares = Vec3::new(flat, flat, (to - from) * (to - from) / 12.0) * volume;
            let middle = Vec3::Z * (0.5 * (from + to) - soft.core_half);
            add(volume, volume * size / 3.0, middle, Mat3::from_diagonal(squares));
        }
    }
}
