//! Which cables pass through bodies: nothing keeps them apart yet.

use crate::{BodyId, CableId, World};
use fender_geom::ray;
use fender_math::Vec3;

/// What a cable meets this near to a place where it is held, in its diameters, belongs to what holds it there.
const HELD: f64 = 2.0;

/// A cable that passes through a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CableThroughBody {
    /// Which cable.
    pub cable: CableId,
    /// Which body.
    pub body: BodyId,
    /// The first place where it does, from the cable's start [m].
    pub place: Vec3,
}

impl World {
    /// Cables whose nodes, joined by straight lines, pass through bodies that neither hold nor lead them, each pair once, in the order of cables.
    pub fn cables_through_bodies(&self) -> Vec<CableThroughBody> {
        let mut found: Vec<CableThroughBody> = Vec::new();
        for (i, cable) in self.model.cables.iter().enumerate() {
            let id = CableId(i as u32);
            let view = self.cable(id);
            let ties = cable.ties.iter().map(|(_, tie)| tie.point.body);
            let guides = cable.guides.iter().map(|(_, guide)| guide.body());
            let own: Vec<BodyId> = ties.chain(guides).flatten().collect();
            let in_world = cable.ties.iter().map(|(_, tie)| tie.point).filter(|point| point.body.is_none());
            let held: Vec<Vec3> = in_world.map(|point| point.at).collect();
            let near = HELD * cable.lines.iter().map(|line| line.diameter).fold(0.0, f64::max);
            let nodes: Vec<Vec3> = (0..view.nodes()).map(|node| view.node(node)).collect();
            for shape in self.model.shapes.iter().filter(|shape| !own.contains(&shape.body)) {
                if found.iter().any(|f| (f.cable, f.body) == (id, shape.body)) {
                    continue;
                }
                let pose = self.pose(shape.body) * shape.pose_bs;
                if held.iter().any(|place| ray::inside(&shape.shape, &pose, *place)) {
                    continue;
                }
                let radius = shape.shape.bounding_radius();
                let meets = |ends: &[Vec3]| {
                    let way = ends[1] - ends[0];
                    if 0.5 * way.length() + radius < (0.5 * (ends[0] + ends[1]) - pose.translation).length() {
                        return None;
                    }
                    let hit = ray::cast(&shape.shape, &pose, ends[0], way, 1.0)?;
                    held.iter().all(|place| (hit.point - *place).length() > near).then_some(hit.point)
                };
                if let Some(place) = nodes.windows(2).find_map(meets) {
                    found.push(CableThroughBody { cable: id, body: shape.body, place });
                }
            }
        }
        found
    }
}
