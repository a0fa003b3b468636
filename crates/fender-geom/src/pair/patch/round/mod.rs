//! A round solid in a soft one with flat faces.
//!
//! Cylinder, cone and ball are solids of revolution, an ellipsoid is a stretched ball, and a capsule a cylinder and two half balls: the
//! volumes of the parts of a rigid solid add. Each of them is integrated over each cell by slices across its axis, a ball
//! across the normal of the cell's face. Nothing is faceted.

mod cut;
mod disc;
mod frame;
mod heights;
mod revolution;
mod segment;
mod slices;

use super::cells::{Cell, Cells, WallRoom};
use super::{CellMoments, PatchMoments, SectionMoments};
use crate::Shape;
use fender_contact::PatchOverlap;
use fender_math::{Mat3, Pose, Vec3};
use frame::{CellPart, Frame, UNIT_BALL};
use revolution::{Profile, Revolution};
use slices::PlaneMoments;
use smallvec::SmallVec;

/// A round solid in the frame of the soft one.
#[derive(Clone, Debug)]
enum Round {
    /// Solids of revolution about one axis.
    Revolutions(Frame, SmallVec<[Revolution; 3]>),
    /// Ellipsoid with its centre and its half axes.
    Ellipsoid(Vec3, Mat3),
}

impl Round {
    /// The solid of a shape at a pose in the frame of the soft one; `None` if it is not round.
    fn new(shape: &Shape, pose: &Pose) -> Option<Self> {
        let axes = Mat3::from_quat(pose.rotation);
        let origin = pose.translation;
        let about_axis = |parts: &[Revolution]| {
            let frame = Frame { origin, axes, stretch: 1.0, is_face_level: false, is_rigid: true };
            Self::Revolutions(frame, SmallVec::from_slice(parts))
        };
        Some(match *shape {
            Shape::Sphere { radius } => Self::Ellipsoid(origin, axes * radius),
            Shape::Ellipsoid { radii } => Self::Ellipsoid(origin, axes * Mat3::from_diagonal(radii)),
            Shape::Cylinder { radius, half_height } => about_axis(&[Revolution {
                profile: Profile::Cylinder { radius },
                low: -half_height,
                high: half_height,
            }]),
            Shape::Cone { radius, half_height } => about_axis(&[Revolution {
                profile: Profile::Cone { tip: half_height, slope: 0.5 * radius / half_height },
                low: -half_height,
                high: half_height,
            }]),
            Shape::Capsule { radius, half_height } => {
                let ball = |center: f64| Profile::Ball { south: center - radius, north: center + radius };
                about_axis(&[
                    Revolution {
                        profile: ball(-half_height),
                        low: -half_height - radius,
                        high: -half_height,
                    },
                    Revolution {
                        profile: Profile::Cylinder { radius },
                        low: -half_height,
                        high: half_height,
                    },
                    Revolution { profile: ball(half_height), low: half_height, high: half_height + radius },
                ])
            }
            _ => return None,
        })
    }

    /// Calls `take` with each part of the solid that is in the cell, or in the way of a face alone.
    fn for_each_part(&self, cell: &Cell<'_>, wants_walls: bool, mut take: impl FnMut(CellPart)) {
        match self {
            Self::Revolutions(frame, parts) => {
                for part in parts {
                    if let Some(part) = frame.part_in(part, cell, wants_walls) {
                        take(part);
                    }
                }
            }
            Self::Ellipsoid(origin, half_axes) => {
                let frame = Frame::stretched(*origin, half_axes, &cell.face);
                if let Some(part) = frame.part_in(&UNIT_BALL, cell, wants_walls) {
                    take(part);
                }
            }
        }
    }

    /// Whether the solid is wholly above a face, and so apart from the soft one.
    fn is_above(&self, cells: &Cells<'_>, number: usize) -> bool {
        let face = cells.face(number);
        match self {
            Self::Revolutions(frame, parts) => parts.iter().all(|part| frame.is_outside(part, &face)),
            Self::Ellipsoid(origin, half_axes) => {
                let reach = (half_axes.transpose() * face.normal).length();
                face.offset - face.normal.dot(*origin) <= -reach
            }
        }
    }

    /// Adds the part that is in a cell. The sum is about a place in the plane of the first face that is touched.
    fn add_cell(&self, cell: &Cell<'_>, sum: &mut Option<PatchMoments>) {
        self.for_each_part(cell, false, |part| {
            let about = part.moments.about;
            let volume = CellMoments {
                volume: part.moments.volume,
                first: part.moments.first,
                second: part.moments.second,
            };
            let section = part.moments.sections.first().copied().unwrap_or(PlaneMoments::ZERO);
            let section = SectionMoments { area: section.area, first: section.first };
            sum.get_or_insert_with(|| PatchMoments::new(about)).add(cell.face.normal, about, &volume, &section);
        });
    }
}

/// Overlap of a round solid with a soft one that has flat faces; `None` if they are apart or the shapes are others.
///
/// The solids are in any frame. `soft_is_first` says which of the two is the first body, which is pushed.
pub fn overlap(
    round: &Shape,
    pose_wr: &Pose,
    soft: &Shape,
    pose_ws: &Pose,
    soft_is_first: bool,
) -> Option<PatchOverlap> {
    let cells = Cells::of(soft)?;
    let solid = Round::new(round, &(pose_ws.inverse() * *pose_wr))?;
    if (0..cells.count()).any(|number| solid.is_above(&cells, number)) {
        return None;
    }
    let mut sum = None;
    let mut room = WallRoom::default();
    for number in 0..cells.count() {
        solid.add_cell(&cells.cell(number, &mut room), &mut sum);
    }
    sum?.finish(pose_ws, soft_is_first)
}
