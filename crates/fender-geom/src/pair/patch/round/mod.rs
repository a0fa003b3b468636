//! A round solid in a soft one with flat faces.
//!
//! Cylinder, cone and ball are solids of revolution, an ellipsoid is a stretched ball, and a capsule a
//! cylinder and two half balls: the volumes of the parts of a rigid solid add. Each of them is integrated
//! over each cell by slices across its axis, a ball across the normal of the cell's face. Nothing is faceted.

mod cut;
mod disc;
mod frame;
mod heights;
pub(super) mod outline;
mod revolution;
mod segment;
mod slices;

use super::cells::{Cell, Cells, Plane, WallRoom};
use super::tangent::{PatchTangent, TangentSum, shifted};
use super::{CellMoments, PatchMoments, SectionMoments};
use crate::Shape;
use fender_contact::PatchOverlap;
use fender_math::{Mat3, Pose, Vec3};
use frame::{CellPart, Frame, UNIT_BALL};
use revolution::{Profile, Revolution};
use slices::{Border, PlaneMoments};
use std::cell::RefCell;

/// A round solid in the frame of the soft one.
#[derive(Clone, Debug)]
enum Round {
    /// Solid of revolution.
    Revolution(Frame, Revolution),
    /// Ellipsoid with its centre and its half axes.
    Ellipsoid(Vec3, Mat3),
    /// Cylinder and two half balls.
    Capsule {
        /// Frame of the axis.
        frame: Frame,
        /// Radius [m].
        radius: f64,
        /// Half of the cylinder's height [m].
        half_height: f64,
    },
}

impl Round {
    /// The solid of a shape at a pose in the frame of the soft one; `None` if it is not round.
    fn new(shape: &Shape, pose: &Pose) -> Option<Self> {
        let axes = Mat3::from_quat(pose.rotation);
        let origin = pose.translation;
        let frame = Frame { origin, axes, stretch: 1.0, is_face_level: false, is_rigid: true };
        Some(match *shape {
            Shape::Sphere { radius } => Self::Ellipsoid(origin, axes * radius),
            Shape::Ellipsoid { radii } => Self::Ellipsoid(origin, axes * Mat3::from_diagonal(radii)),
            Shape::Cylinder { radius, half_height } => {
                Self::Revolution(frame, Revolution::new(Profile::Cylinder { radius }, half_height))
            }
            Shape::Cone { radius, half_height } => {
                let profile = Profile::Cone { tip: half_height, slope: 0.5 * radius / half_height };
                Self::Revolution(frame, Revolution::new(profile, half_height))
            }
            Shape::Capsule { radius, half_height } => Self::Capsule { frame, radius, half_height },
            _ => return None,
        })
    }

    /// Calls `take` with the part of the solid that is in the cell; of a capsule with up to three, whose
    /// integrals add. With `border` they have the sections of all planes.
    fn for_each_part(
        &self,
        cell: &Cell<'_>,
        mut border: Option<&mut Border<'_>>,
        mut take: impl FnMut(CellPart),
    ) {
        let mut add = |frame: &Frame, solid: &Revolution| {
            // A borrow for this call only.
            let border = border.as_mut().map(|border| &mut **border as &mut Border<'_>);
            if let Some(part) = frame.part_in(solid, cell, border) {
                take(part);
            }
        };
        match self {
            Self::Revolution(frame, solid) => add(frame, solid),
            Self::Ellipsoid(origin, half_axes) => {
                add(&Frame::stretched(*origin, half_axes, &cell.face), &UNIT_BALL);
            }
            Self::Capsule { frame, radius, half_height } => {
                add(frame, &Revolution::new(Profile::Cylinder { radius: *radius }, *half_height));
                for end in [-1.0, 1.0] {
                    let out = frame.axes.z_axis * end;
                    let center = frame.origin + out * *half_height;
                    let depth = cell.face.offset - cell.face.normal.dot(center);
                    match side_of_cap(cell.face.normal.dot(out), depth, *radius) {
                        Some(false) => {}
                        // Slices across the normal of the face are whole discs but for the walls.
                        Some(true) => {
                            add(&Frame::stretched(center, &(frame.axes * *radius), &cell.face), &UNIT_BALL);
                        }
                        None => add(frame, &half_ball(*half_height, *radius, end)),
                    }
                }
            }
        }
    }

    /// Whether the solid is wholly above a face, and so apart from the soft one.
    fn is_above(&self, face: &Plane) -> bool {
        let depth = |place: Vec3| face.offset - face.normal.dot(place);
        match self {
            Self::Revolution(frame, solid) => frame.is_outside(solid, face),
            Self::Ellipsoid(origin, half_axes) => {
                depth(*origin) <= -(half_axes.transpose() * face.normal).length()
            }
            Self::Capsule { frame, radius, half_height } => {
                let reach = (face.normal.dot(frame.axes.z_axis) * *half_height).abs();
                depth(frame.origin) <= -(reach + *radius)
            }
        }
    }

    /// Adds the part that is in a cell. The sum is about a place in the plane of the first face that is
    /// touched.
    fn add_cell(&self, cell: &Cell<'_>, sum: &mut Option<PatchMoments>) {
        self.for_each_part(cell, None, |part| {
            let about = part.moments.about;
            let volume = CellMoments {
                volume: part.moments.volume,
                first: part.moments.first,
                second: part.moments.second,
            };
            let section = part.moments.sections.first().copied().unwrap_or(PlaneMoments::ZERO);
            let section = SectionMoments { area: section.area, first: section.first };
            sum.get_or_insert_with(|| PatchMoments::new(about)).add(
                cell.face.normal,
                about,
                &volume,
                &section,
            );
        });
    }
}

/// The half of a ball at one end of a capsule, upwards for `end` = 1 and downwards for −1.
fn half_ball(half_height: f64, radius: f64, end: f64) -> Revolution {
    let center = half_height * end;
    let ends = [center, center + radius * end];
    Revolution {
        profile: Profile::Ball { south: center - radius, north: center + radius },
        low: ends[0].min(ends[1]),
        high: ends[0].max(ends[1]),
    }
}

/// On which side of its middle plane the part of a ball below a face is: `true` if all of it is on the side
/// of the plane's unit normal, of which `cosine` is the component along that of the face, `false` if nothing
/// is. The centre is `depth` below the face.
fn side_of_cap(cosine: f64, depth: f64, radius: f64) -> Option<bool> {
    if depth.abs() >= radius {
        return if depth > 0.0 { None } else { Some(false) };
    }
    let rim = ((radius - depth) * (radius + depth)).sqrt() * (1.0 - cosine * cosine).max(0.0).sqrt();
    // How far the part reaches along the plane's normal, each way: at most to the rim, unless the ball's own
    // end is below the face.
    let along = if radius * cosine <= depth { radius } else { depth * cosine + rim };
    let against = if -radius * cosine <= depth { radius } else { rim - depth * cosine };
    if against <= 0.0 {
        Some(true)
    } else if along <= 0.0 {
        Some(false)
    } else {
        None
    }
}

/// Whether a shape is one of those that can be integrated here.
pub(super) fn is_round(shape: &Shape) -> bool {
    Round::new(shape, &Pose::IDENTITY).is_some()
}

/// The solid in the frame of the soft one and the cells of that; `None` if the shapes are others, or apart
/// because of one face.
fn placed<'a>(
    round: &Shape,
    round_pose: &Pose,
    soft: &'a Shape,
    soft_pose: &Pose,
) -> Option<(Round, Cells<'a>)> {
    let cells = Cells::of(soft)?;
    let solid = Round::new(round, &soft_pose.inv_mul(round_pose))?;
    let is_apart = (0..cells.count()).any(|number| solid.is_above(&cells.face(number)));
    (!is_apart).then_some((solid, cells))
}

/// Overlap of a round solid with a soft one that has flat faces; `None` if they are apart or the shapes are
/// others.
pub(super) fn overlap(
    round: &Shape,
    round_pose: &Pose,
    soft: &Shape,
    soft_pose: &Pose,
    soft_is_first: bool,
) -> Option<PatchOverlap> {
    let (solid, cells) = placed(round, round_pose, soft, soft_pose)?;
    let mut sum = None;
    let mut room = WallRoom::default();
    for number in 0..cells.count() {
        solid.add_cell(&cells.cell(number, &mut room), &mut sum);
    }
    sum?.finish(soft_pose, soft_is_first)
}

/// The tangent of the overlap of a round solid with a soft one that has flat faces.
pub(super) fn tangent(
    round: &Shape,
    round_pose: &Pose,
    soft: &Shape,
    soft_pose: &Pose,
    soft_is_first: bool,
    about: Vec3,
) -> Option<PatchTangent> {
    let (solid, cells) = placed(round, round_pose, soft, soft_pose)?;
    let center = soft_pose.inverse_transform_point(about);
    let sum = RefCell::new(TangentSum::default());
    let mut room = WallRoom::default();
    for number in 0..cells.count() {
        let cell = cells.cell(number, &mut room);
        let normal = cell.face.normal;
        let mut border = |place: Vec3, side: Vec3, weight: f64| {
            sum.borrow_mut().add_border(normal, place - center, side, weight);
        };
        solid.for_each_part(&cell, Some(&mut border), |part| {
            let mut sum = sum.borrow_mut();
            let CellPart { moments, planes } = part;
            let shift = moments.about - center;
            sum.add_volume(normal, moments.volume, moments.first + shift * moments.volume);
            for (section, plane) in moments.sections.iter().zip(planes) {
                let PlaneMoments { area, first, second } = *section;
                let second = shifted(second, first, area, shift);
                let first = first + shift * area;
                // The face is number 0. Each wall counts once, from the cell with the lower number.
                match plane.checked_sub(1).and_then(|wall| cell.walls.get(wall)) {
                    None => sum.add_face(normal, area, first, second),
                    Some(wall) if wall.behind as usize > number => {
                        sum.add_wall(wall.plane.normal, wall.turn, area, first, second);
                    }
                    Some(_) => {}
                }
            }
        });
    }
    sum.into_inner().finish(soft_pose, soft_is_first)
}
