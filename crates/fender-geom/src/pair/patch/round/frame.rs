//! The frame in which a round solid is one of revolution about the z axis.

use super::cut::Cut;
use super::revolution::{Profile, Revolution};
use super::slices::{self, Border, PartMoments};
use crate::pair::patch::cells::{Cell, Plane};
use fender_math::{Mat3, Vec3};
use smallvec::SmallVec;

/// Frame of a solid of revolution in that of the soft solid. An ellipsoid is the ball of radius 1 in a
/// stretched one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    /// Its origin [m].
    pub origin: Vec3,
    /// Its axes; of a stretched frame neither unit vectors nor at right angles.
    pub axes: Mat3,
    /// Volume per volume in this frame, 1 unless it is stretched.
    pub stretch: f64,
    /// Whether the z axis has been chosen such that the cell's face is exactly across it.
    pub is_face_level: bool,
    /// Whether the axes are unit vectors at right angles.
    pub is_rigid: bool,
}

/// A plane in a frame.
#[derive(Clone, Copy, Debug)]
struct FramePlane {
    normal: Vec3,
    offset: f64,
    /// Length of the plane's normal in the frame before it was made a unit vector.
    length: f64,
}

/// Whether a half-space cuts a solid.
enum Side {
    Inside,
    Cut,
    Outside,
}

/// Part of a round solid in one cell, in the frame of the soft solid.
#[derive(Clone, Debug)]
pub(super) struct CellPart {
    /// Moments about a place in the plane of the cell's face.
    pub moments: PartMoments,
    /// Numbers of the planes that the sections belong to: 0 is the face, then come the walls.
    pub planes: SmallVec<[usize; 6]>,
}

impl FramePlane {
    fn side_of(&self, solid: &Revolution) -> Side {
        let sine = self.normal.truncate().length();
        if self.offset >= solid.reach(self.normal, sine) {
            Side::Inside
        } else if self.offset <= -solid.reach(-self.normal, sine) {
            Side::Outside
        } else {
            Side::Cut
        }
    }
}

impl Frame {
    fn plane(&self, plane: &Plane) -> FramePlane {
        let normal = self.axes.transpose() * plane.normal;
        let offset = plane.offset - plane.normal.dot(self.origin);
        if self.is_rigid {
            return FramePlane { normal, offset, length: 1.0 };
        }
        let length = normal.length();
        FramePlane { normal: normal / length, offset: offset / length, length }
    }

    /// Whether nothing of the solid is below a plane.
    pub fn is_outside(&self, solid: &Revolution, plane: &Plane) -> bool {
        matches!(self.plane(plane).side_of(solid), Side::Outside)
    }

    /// The part of a solid that is in a cell, with the section of the face only; or with those of all planes,
    /// if the border of the face's section is asked for.
    pub fn part_in(
        &self,
        solid: &Revolution,
        cell: &Cell<'_>,
        border: Option<&mut Border<'_>>,
    ) -> Option<CellPart> {
        let mut face = self.plane(&cell.face);
        if self.is_face_level {
            face.normal = Vec3::Z;
        }
        let mut planes = SmallVec::<[(usize, FramePlane); 8]>::new();
        let all = std::iter::once(face).chain(cell.walls.iter().map(|wall| self.plane(&wall.plane)));
        for (number, plane) in all.enumerate() {
            match plane.side_of(solid) {
                Side::Inside => {}
                Side::Cut => planes.push((number, plane)),
                Side::Outside => return None,
            }
        }
        // Heights are above the place where the axis passes the face, so that thin parts keep their digits.
        let passes = face.offset / face.normal.z;
        let is_passed = passes > solid.low && passes < solid.high;
        let reference = if is_passed {
            passes
        } else if passes >= solid.high {
            solid.high
        } else {
            solid.low
        };
        let cut = |number: usize, plane: &FramePlane| {
            let lowered = plane.offset - plane.normal.z * reference;
            Cut::new(plane.normal, if number == 0 && is_passed { 0.0 } else { lowered })
        };
        let cuts: SmallVec<[Cut; 8]> = planes.iter().map(|(number, plane)| cut(*number, plane)).collect();
        let is_face_cut = planes.first().is_some_and(|(number, _)| *number == 0);
        let solid = solid.above(reference);
        let lift = Vec3::Z * reference;
        let (sections, part) = match border {
            None => {
                let sections = usize::from(is_face_cut);
                (sections, slices::integrate(&solid, &cut(0, &face), &cuts, sections, None)?)
            }
            Some(border) => {
                let normals = self.axes.inverse().transpose();
                let scale = self.stretch / face.length;
                let mut turned = |place: Vec3, side: Vec3, weight: f64| {
                    border(self.origin + self.axes * (place + lift), normals * side, weight * scale);
                };
                let border = is_face_cut.then_some(&mut turned as &mut Border<'_>);
                (cuts.len(), slices::integrate(&solid, &cut(0, &face), &cuts, cuts.len(), border)?)
            }
        };
        let turned = |m: Mat3, scale: f64| self.axes * m * self.axes.transpose() * scale;
        let mut moments = PartMoments {
            about: self.origin + self.axes * (part.about + lift),
            volume: part.volume * self.stretch,
            first: self.axes * part.first * self.stretch,
            second: turned(part.second, self.stretch),
            sections: part.sections,
        };
        for (section, (_, plane)) in moments.sections.iter_mut().zip(&planes) {
            // Areas change as volumes do, divided by the change of the distance across them.
            let scale = self.stretch / plane.length;
            section.area *= scale;
            section.first = self.axes * section.first * scale;
            section.second = turned(section.second, scale);
        }
        let planes = planes.iter().take(sections).map(|(number, _)| *number).collect();
        Some(CellPart { moments, planes })
    }

    /// Frame in which the ball of radius 1 is the ellipsoid with these columns as half axes about `origin`,
    /// and the cell's face is level.
    pub fn stretched(origin: Vec3, half_axes: &Mat3, face: &Plane) -> Self {
        let (side, other) = across(half_axes.transpose() * face.normal);
        let up = side.cross(other);
        Self {
            origin,
            axes: *half_axes * Mat3::from_cols(side, other, up),
            stretch: half_axes.determinant().abs(),
            is_face_level: true,
            is_rigid: false,
        }
    }
}

/// Two unit vectors at right angles to a direction and to each other, right-handed with it.
fn across(direction: Vec3) -> (Vec3, Vec3) {
    direction.normalize_or(Vec3::Z).any_orthonormal_pair()
}

/// The ball of radius 1.
pub(super) const UNIT_BALL: Revolution =
    Revolution { profile: Profile::Ball { south: -1.0, north: 1.0 }, low: -1.0, high: 1.0 };
