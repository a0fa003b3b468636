//! Frames of a world.

use super::frame::{Encoder, Frame, FrameContact, Layout, Node};
use super::head::FieldHead;
use super::outline::{FULL_LOAD, FrameOutline, FramePolygon, MAX_CORNERS, MAX_OUTLINES};
use super::resolution::Resolution;
use super::surroundings;
use fender_contact::Normal;
use fender_engine::{BodyId, CableId, Contact, Model, PatchContact, World};
use fender_geom::Shape;
use fender_geom::distance::closest_between;
use fender_geom::pair::patch::outline::{OutlinePolygon, ellipse, outline};
use fender_math::{Pose, Vec3};
use std::f64::consts::PI;

/// Part of the area of an outline's largest polygon below which others are left out: such as the strips of a box's sides
/// that have sunk in.
const LEAST_AREA: f64 = 0.01;

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
        frame.outlines.clear();
        for (index, (contact, patch)) in world.contacts_with_patches().enumerate() {
            frame.contacts.push(frame_contact(contact, patch));
            if let Some(patch) = patch
                && frame.outlines.len() < MAX_OUTLINES
                && let Some(outline) = frame_outline(world, index, contact, patch)
            {
                frame.outlines.push(outline);
            }
        }
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

fn frame_contact(contact: &Contact, patch: Option<&PatchContact>) -> FrameContact {
    let overlap = &contact.overlap;
    let radius = match patch {
        Some(patch) => (patch.overlap.section.length() / PI).sqrt(),
        None => patch_radius(overlap.depth, overlap.curvature),
    };
    FrameContact {
        bodies: [contact.body_a.0, contact.body_b.0],
        sliding: !contact.sticking,
        point: array(overlap.point),
        normal: array(overlap.normal * contact.normal_force),
        friction: array(contact.friction),
        depth: overlap.depth,
        patch: radius,
    }
}

/// The surface of a contact over a patch; `None` if it has no width. A foundation's pressure goes with the depth also where
/// damping adds to it, so that the pressure over the surface adds up to the normal force.
fn frame_outline(
    world: &World,
    index: usize,
    contact: &Contact,
    patch: &PatchContact,
) -> Option<FrameOutline> {
    let model = &world.model;
    let [a, b] = [contact.a, contact.b].map(|shape| &model.shapes[shape.index()]);
    let [pose_a, pose_b] = [a, b].map(|shape| world.pose(shape.body) * shape.pose_bs);
    let mut polygons = Vec::new();
    outline(&a.shape, &pose_a, &b.shape, &pose_b, &mut polygons);
    if polygons.is_empty() {
        polygons.push(ellipse(&patch.overlap)?);
    }
    keep_largest(&mut polygons);
    let depth = polygons.iter().map(OutlinePolygon::deepest).fold(0.0, f64::max);
    if depth <= 0.0 {
        return None;
    }
    let push = patch.overlap.push.length();
    let pressure = match model.rules[contact.rule.index()].normal {
        Normal::Foundation(_) if push > 0.0 => Some((contact.normal_force / push * depth) as f32),
        Normal::Foundation(_) => Some(0.0),
        Normal::Depth(_) => None,
    };
    let point = patch.overlap.point;
    let polygons = polygons.iter().map(|polygon| frame_polygon(polygon, point, depth)).collect();
    Some(FrameOutline { contact: index as u32, pressure, depth, polygons })
}

/// Leaves out the polygons that cannot be seen beside the largest one, and the smallest ones if there are too many corners.
fn keep_largest(polygons: &mut Vec<OutlinePolygon>) {
    let area = |polygon: &OutlinePolygon| polygon.area().length();
    let largest = polygons.iter().map(area).fold(0.0, f64::max);
    polygons.retain(|polygon| area(polygon) >= LEAST_AREA * largest);
    let corners = |polygons: &[OutlinePolygon]| polygons.iter().map(|p| p.corners.len()).sum::<usize>();
    if corners(polygons) > MAX_CORNERS {
        polygons.sort_by(|p, q| area(q).total_cmp(&area(p)));
        while corners(polygons) > MAX_CORNERS {
            polygons.pop();
        }
    }
}

fn frame_polygon(polygon: &OutlinePolygon, point: Vec3, deepest: f64) -> FramePolygon {
    let load = |depth: f64| (depth / deepest * f64::from(FULL_LOAD)).round() as u8;
    let rings = polygon.rings.iter();
    let inner = rings.flat_map(|rings| rings.depths.iter().copied().chain([rings.center.depth]));
    FramePolygon {
        corners: polygon.corners.iter().map(|corner| array(corner.point - point)).collect(),
        center: polygon.rings.as_ref().map(|rings| array(rings.center.point - point)),
        loads: polygon.corners.iter().map(|corner| corner.depth).chain(inner).map(load).collect(),
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
