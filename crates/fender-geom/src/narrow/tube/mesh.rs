//! A tube against a triangle mesh: the ball at each lowest place and station of the spine against faces, edges and vertices.

use super::field::tube_bend;
use super::{Touch, Touches};
use crate::TriMesh;
use crate::narrow::mesh_sphere;
use fender_math::Pose;

/// A touch with this product of normal and tangent belongs to another place of the spine.
const AHEAD: f64 = 0.25;

impl Touches<'_> {
    pub(super) fn see_mesh(&mut self, mesh: &TriMesh, s: f64, is_low: bool) {
        let place = self.course.at(s);
        let tube = self.course.tube;
        let is_end = place.end != 0.0;
        let mut is_nearest = true;
        mesh_sphere::contacts(place.point, tube.bar, mesh, &Pose::IDENTITY, |contact| {
            let overlap = contact.overlap;
            // The nearest comes first. What else the ball touches ahead of it, the spine touches deeper elsewhere.
            let ahead = overlap.normal.dot(place.tangent).abs();
            let part = if is_end || is_nearest { 1.0 } else { 1.0 - ahead / AHEAD };
            is_nearest = false;
            if part > 0.0 {
                let normal = overlap.normal;
                let bend = tube_bend(&tube, &place, -normal);
                self.add(Touch {
                    center: place.point,
                    s,
                    normal,
                    depth: overlap.depth,
                    bend,
                    is_low,
                    part: part * overlap.share,
                });
            }
        });
    }
}
