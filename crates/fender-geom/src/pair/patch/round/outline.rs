//! The section of a round solid with the face of a cell, as a polygon, and what is of the solid below it.

use super::frame::{Frame, UNIT_BALL};
use super::revolution::{Profile, Revolution};
use super::{Round, placed};
use crate::Shape;
use crate::pair::patch::cells::{Cell, WallRoom};
use crate::pair::patch::outline::{OutlinePoint, OutlinePolygon, RIM_CORNERS, Rings};
use fender_math::{Mat3, Pose, Vec2, Vec3, float};
use std::f64::consts::TAU;

/// Part of the way from the centre to the rim at which the depth at the rim is measured. On the rim itself it is
/// zero, also for a can that leans a little and is as deep as it gets just beside the rim; a little inwards the
/// triangles between rim and rings have the volume of the overlap within some 3 %.
const INSIDE_RIM: f64 = 0.96;

/// Relative difference of the principal second moments up to which a section has no long direction: that of
/// a disc would be rounding and change from frame to frame.
const ROUNDNESS: f64 = 1e-6;

impl Frame {
    /// Where a line from `place` along `direction` leaves a solid, in multiples of the direction.
    fn exit(&self, solid: &Revolution, place: Vec3, direction: Vec3) -> Option<f64> {
        let inverse = self.axes.inverse();
        let (place, along) = (inverse * (place - self.origin), inverse * direction);
        let length = along.length();
        solid.span(place, along / length).map(|(_, to)| to / length)
    }
}

impl Round {
    /// Where a line from a place inside along `direction` leaves the solid, in multiples of the direction.
    fn exit(&self, place: Vec3, direction: Vec3) -> Option<f64> {
        match self {
            Self::Revolution(frame, solid) => frame.exit(solid, place, direction),
            Self::Ellipsoid(origin, half_axes) => {
                let frame = Frame {
                    origin: *origin,
                    axes: *half_axes,
                    stretch: 1.0,
                    is_face_level: false,
                    is_rigid: false,
                };
                frame.exit(&UNIT_BALL, place, direction)
            }
            // The capsule is convex, so the last part that the line leaves is where it leaves the whole.
            Self::Capsule { frame, radius, half_height } => {
                let ball = |end: f64| {
                    let center = half_height * end;
                    let (south, north) = (center - radius, center + radius);
                    Revolution { profile: Profile::Ball { south, north }, low: south, high: north }
                };
                let cylinder = Revolution::new(Profile::Cylinder { radius: *radius }, *half_height);
                let parts = [cylinder, ball(-1.0), ball(1.0)];
                parts.iter().filter_map(|part| frame.exit(part, place, direction)).reduce(f64::max)
            }
        }
    }

    /// The part of the cell's face that is in the solid; `None` if there is none.
    fn section(&self, cell: &Cell<'_>) -> Option<OutlinePolygon> {
        let normal = cell.face.normal;
        let mut sections = Vec::new();
        self.for_each_part(cell, None, |part| {
            if part.planes.first() == Some(&0)
                && let Some(section) = part.moments.sections.first()
            {
                sections.push((part.moments.about, *section));
            }
        });
        let area: f64 = sections.iter().map(|(_, section)| section.area).sum();
        if area <= 0.0 {
            return None;
        }
        let sum = sections.iter().map(|(about, s)| s.first + *about * s.area).fold(Vec3::ZERO, |a, b| a + b);
        let center = sum / area;
        let second = sections.iter().fold(Mat3::ZERO, |total, (about, s)| {
            let shift = *about - center;
            let mixed = outer(s.first, shift);
            total + s.second + mixed + mixed.transpose() + outer(shift, shift) * s.area
        });
        let [long, short] = half_axes(&second, normal, area)?;

        let exit = |place: Vec3, direction: Vec3| {
            let walls = cell.walls.iter().filter_map(|wall| {
                let rate = wall.plane.normal.dot(direction);
                (rate > 0.0).then(|| (wall.plane.offset - wall.plane.normal.dot(place)) / rate)
            });
            let least = walls.fold(self.exit(place, direction).unwrap_or(0.0), f64::min);
            if least.is_finite() { least.max(0.0) } else { 0.0 }
        };
        // The face's outward normal points out of the soft solid: seen from the other side of the face, corners
        // go round the other way.
        let rim: Vec<Vec3> = (0..RIM_CORNERS)
            .map(|corner| {
                let (sin, cos) = float::sin_cos(-TAU * corner as f64 / RIM_CORNERS as f64);
                let direction = long * cos + short * sin;
                direction * exit(center, direction)
            })
            .collect();
        let depth_at = |place: Vec3| exit(place, -normal);
        let corners = rim
            .iter()
            .map(|to| OutlinePoint { point: center + *to, depth: depth_at(center + *to * INSIDE_RIM) });
        let depths = (1..=Rings::COUNT)
            .flat_map(|ring| rim.iter().map(move |to| center + *to * Rings::fraction(ring)))
            .map(depth_at);
        Some(OutlinePolygon {
            corners: corners.collect(),
            rings: Some(Rings {
                center: OutlinePoint { point: center, depth: depth_at(center) },
                depths: depths.collect(),
            }),
        })
    }
}

/// a bᵀ.
fn outer(a: Vec3, b: Vec3) -> Mat3 {
    Mat3::from_cols(a * b.x, a * b.y, a * b.z)
}

/// Half axes of the ellipse with the same second moments and area as a plane figure, the second one 90°
/// counter-clockwise from the first about the normal; `None` for a figure without width.
pub(in crate::pair::patch) fn half_axes(second: &Mat3, normal: Vec3, area: f64) -> Option<[Vec3; 2]> {
    let (u, v) = normal.any_orthonormal_pair();
    let v = if u.cross(v).dot(normal) < 0.0 { -v } else { v };
    let (su, sv) = (*second * u, *second * v);
    let (uu, vv, uv) = (u.dot(su), v.dot(sv), u.dot(sv));
    let (mean, difference) = (0.5 * (uu + vv), Vec2::new(0.5 * (uu - vv), uv));
    let radius = difference.length();
    let angle = if radius <= ROUNDNESS * mean { 0.0 } else { 0.5 * float::atan2(difference.y, difference.x) };
    let (sin, cos) = float::sin_cos(angle);
    let [long, short] = [mean + radius, mean - radius].map(|moment| 2.0 * (moment.max(0.0) / area).sqrt());
    (short > 0.0 && long.is_finite()).then(|| [(u * cos + v * sin) * long, (v * cos - u * sin) * short])
}

/// Visits the sections of a round solid with the faces of a soft one's cells, in the frame of the soft one.
pub(in crate::pair::patch) fn for_each_section(
    round: &Shape,
    round_pose: &Pose,
    soft: &Shape,
    soft_pose: &Pose,
    mut visit: impl FnMut(OutlinePolygon),
) {
    let Some((solid, cells)) = placed(round, round_pose, soft, soft_pose) else { return };
    let mut room = WallRoom::default();
    for number in 0..cells.count() {
        if let Some(section) = solid.section(&cells.cell(number, &mut room)) {
            visit(section);
        }
    }
}
