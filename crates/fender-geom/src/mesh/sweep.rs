//! Tubes as meshes: circles along the spine, and half balls at the ends of a half torus.

use super::VisualMesh;
use crate::tube::{Form, Place, Tube};
use fender_math::{Vec3, float};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// Corners of the bar's circle.
const CORNERS: u32 = 24;
/// Circles along half a turn of the spine.
const ALONG: u32 = 24;
/// Circles on a half ball.
const CAP: u32 = 8;

impl VisualMesh {
    pub(super) fn sweep(&mut self, tube: &Tube) {
        let first = self.positions.len() as u32;
        let mut rings = 0;
        let mut ring = |mesh: &mut Self, place: &Place, tilt: f64| {
            // Tilted toward the tangent on a half ball.
            let (sin, cos) = float::sin_cos(tilt);
            let out = place.outward;
            for i in 0..CORNERS {
                let (up, aside) = float::sin_cos(TAU * f64::from(i) / f64::from(CORNERS));
                let normal = (out * aside + Vec3::Z * up) * cos + place.tangent * sin;
                mesh.vertex(place.point + normal * tube.bar, normal);
            }
            rings += 1;
        };
        let arc = PI * tube.radius;
        let step = |k: u32| arc * f64::from(k) / f64::from(ALONG);
        match tube.form {
            Form::Ring => (0..2 * ALONG).for_each(|k| ring(self, &tube.at(step(k)), 0.0)),
            Form::Link => {
                // A straight has the circles at the ends of the arcs.
                let half = 0.5 * tube.length();
                for from in [0.0, half] {
                    for k in 0..=ALONG {
                        // Just before the joint, where the way outward is still that of the arc.
                        ring(self, &tube.at(from + step(k).min(arc * (1.0 - 1e-12))), 0.0);
                    }
                }
            }
            Form::Half => {
                let tilt = |k: u32| FRAC_PI_2 * f64::from(k) / f64::from(CAP);
                // Not quite to the pole: a small face closes it.
                (1..CAP).for_each(|k| ring(self, &tube.at(0.0), tilt(k) - FRAC_PI_2));
                (0..=ALONG).for_each(|k| ring(self, &tube.at(step(k).min(arc)), 0.0));
                (1..CAP).for_each(|k| ring(self, &tube.at(arc), tilt(k)));
            }
        }
        let joined = if tube.is_closed() { rings } else { rings - 1 };
        for k in 0..joined {
            let (this, next) = (first + k * CORNERS, first + (k + 1) % rings * CORNERS);
            for i in 0..CORNERS {
                let j = (i + 1) % CORNERS;
                self.triangles.push([this + i, next + i, this + j]);
                self.triangles.push([this + j, next + i, next + j]);
            }
        }
        if !tube.is_closed() {
            let last = first + (rings - 1) * CORNERS;
            for (ring, s, way) in [(first, 0.0, -1.0), (last, arc, 1.0)] {
                let normal = tube.at(s).tangent * way;
                let pole = self.vertex(tube.at(s).point + normal * tube.bar, normal);
                for i in 0..CORNERS {
                    let (a, b) = (ring + i, ring + (i + 1) % CORNERS);
                    self.triangles.push(if way > 0.0 { [a, pole, b] } else { [b, pole, a] });
                }
            }
        }
    }
}
