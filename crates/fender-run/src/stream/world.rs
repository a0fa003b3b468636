//! Frames of a world.

use super::frame::{Encoder, Frame, FrameContact, Layout, Node};
use super::head::FieldHead;
use super::resolution::Resolution;
use super::surroundings;
use fender_engine::{BodyId, CableId, Contact, Model, World};
use fender_geom::Shape;
use fender_geom::distance::closest_between;
use fender_math::{Pose, Vec3};

/// Takes frames of a world and turns them into records.
#[derive(Debug)]
pub struct FrameRecorder {
    /// What has been made of the frames so far.
    pub records: Vec<u8>,
    encoder: Encoder,
    frame: Frame,
    gaps: Vec<[BodyId; 2]>,
    fields: Vec<FieldHead>,
}

impl FrameRecorder {
    /// A recorder for a model, with the closest points of some pairs of bodies.
    pub fn new(model: &Model, gaps: Vec<[BodyId; 2]>) -> Self {
        let fields = surroundings::fields(model);
        let layout = Layout {
            bodies: model.bodies.len(),
            curves: model.cables.len(),
            fields: fields.iter().map(FieldHead::heights).collect(),
            gaps: gaps.len(),
        };
        let encoder = Encoder::new(Resolution::of(model), layout);
        Self {
            records: Vec::new(),
            encoder,
            frame: Frame { time: f64::NEG_INFINITY, ..Frame::default() },
            gaps,
            fields,
        }
    }

    /// Adds a frame of this instant. The world must have been refreshed.
    pub fn sample(&mut self, world: &World) {
        let frame = &mut self.frame;
        frame.time = world.state.time;
        frame.poses.clear();
        frame.poses.extend(world.data.bodies.iter().map(|body| {
            let (p, r) = (body.pose.translation, body.pose.rotation);
            [p.x, p.y, p.z, r.x, r.y, r.z, r.w]
        }));
        let cables = 0..world.model.cables.len();
        frame.curves.clear();
        frame.curves.extend(cables.map(|i| curve(world, CableId(i as u32))));
        frame.fields.resize(self.fields.len(), Vec::new());
        for (field, heights) in self.fields.iter().zip(&mut frame.fields) {
            surroundings::heights(&world.model.surroundings, field, world.state.time, heights);
        }
        frame.contacts.clear();
        frame.contacts.extend(world.contacts().map(told));
        frame.gaps.clear();
        frame.gaps.extend(self.gaps.iter().map(|pair| closest(world, *pair)));
        self.encoder.push(frame, &mut self.records);
    }

    /// Time of the last frame [s]; before the first one, that of none.
    pub fn last_time(&self) -> f64 {
        self.frame.time
    }

    /// Makes a record of the frames that are not in one yet.
    pub fn close(&mut self) {
        self.encoder.close(&mut self.records);
    }

    /// Bytes held, about.
    pub fn buffered(&self) -> usize {
        self.records.len() + self.encoder.pending()
    }
}

fn curve(world: &World, cable: CableId) -> Vec<Node> {
    let points = world.cable(cable).curve();
    points.iter().map(|p| Node { position: array(p.position), tension: p.tension }).collect()
}

fn array(v: Vec3) -> [f64; 3] {
    [v.x, v.y, v.z]
}

/// Closest points of two bodies; their origins if they have no shapes.
fn closest(world: &World, [a, b]: [BodyId; 2]) -> [f64; 6] {
    let found = closest_between(&placed(world, a), &placed(world, b));
    let [p, q] = found.unwrap_or_else(|| [a, b].map(|body| world.pose(body).translation));
    [p.x, p.y, p.z, q.x, q.y, q.z]
}

fn placed(world: &World, body: BodyId) -> Vec<(&Shape, Pose)> {
    let pose = world.pose(body);
    let shapes = world.model.bodies[body.index()].shapes.clone();
    let shapes = &world.model.shapes[shapes.start as usize..shapes.end as usize];
    shapes.iter().map(|s| (&s.shape, pose * s.pose_bs)).collect()
}

fn told(contact: &Contact) -> FrameContact {
    let overlap = &contact.overlap;
    FrameContact {
        bodies: [contact.body_a.0, contact.body_b.0],
        sliding: !contact.sticking,
        point: array(overlap.point),
        normal: array(overlap.normal * contact.normal_force),
        friction: array(contact.friction),
        depth: overlap.depth,
        patch: patch_radius(overlap.depth, overlap.curvature),
    }
}

/// Radius of the contact patch of round surfaces by Hertz (1882): a² = depth·R, with 1/R the relative curvature [m].
/// Zero where the surfaces are flat.
fn patch_radius(depth: f64, curvature: f64) -> f64 {
    if curvature > 0.0 { (depth.max(0.0) / curvature).sqrt() } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_patch_is_that_of_hertz_and_none_between_flat_faces() {
        assert_eq!(patch_radius(1e-4, 1.0 / 0.04), 2e-3);
        assert_eq!((patch_radius(1e-4, 0.0), patch_radius(-1e-4, 1.0)), (0.0, 0.0));
    }
}
