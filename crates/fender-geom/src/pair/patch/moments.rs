//! Integrals over an overlap, cell by cell.

use fender_contact::PatchOverlap;
use fender_math::{Mat3, Pose, Vec3};

/// Integrals over the part of the rigid solid that is in one cell, about an origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CellMoments {
    /// Volume [m³].
    pub volume: f64,
    /// ∫x dV [m⁴].
    pub first: Vec3,
    /// ∫xxᵀ dV [m⁵].
    pub second: Mat3,
}

/// Nothing. Not derived, because the default matrix is the identity.
impl Default for CellMoments {
    fn default() -> Self {
        Self { volume: 0.0, first: Vec3::ZERO, second: Mat3::ZERO }
    }
}

/// Integrals over the part of the cell's face that is in the rigid solid, about an origin.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SectionMoments {
    /// Area [m²].
    pub area: f64,
    /// ∫x dA [m³].
    pub first: Vec3,
}

/// Sum over the cells of a soft solid, in its frame and about `origin`.
#[derive(Clone, Copy, Debug)]
pub struct PatchMoments {
    origin: Vec3,
    all: CellMoments,
    moment: f64,
    push: Vec3,
    turn: Vec3,
    section: Vec3,
    section_turn: Vec3,
}

/// a bᵀ.
fn outer(a: Vec3, b: Vec3) -> Mat3 {
    Mat3::from_cols(a * b.x, a * b.y, a * b.z)
}

impl PatchMoments {
    /// An empty sum about an origin [m], which should be near the overlap: second moments about a far one
    /// lose their digits.
    pub fn new(origin: Vec3) -> Self {
        Self {
            origin,
            all: CellMoments::default(),
            moment: 0.0,
            push: Vec3::ZERO,
            turn: Vec3::ZERO,
            section: Vec3::ZERO,
            section_turn: Vec3::ZERO,
        }
    }

    /// Adds a cell with the outward unit `normal` of its face. Its integrals are about `about` [m], a place
    /// in the plane of the face, where the depth is zero: so the moment of depth has no cancellation.
    pub fn add(&mut self, normal: Vec3, about: Vec3, cell: &CellMoments, section: &SectionMoments) {
        let CellMoments { volume, first, second } = *cell;
        let shift = about - self.origin;
        let here = first + shift * volume;
        self.moment -= normal.dot(first);
        self.push += normal * volume;
        self.turn += here.cross(normal);
        self.section += normal * section.area;
        self.section_turn += (section.first + shift * section.area).cross(normal);
        self.all.volume += volume;
        self.all.first += here;
        self.all.second += second + outer(first, shift) + outer(shift, first) + outer(shift, shift) * volume;
    }

    /// Adds volume, moment of depth, ∫x dV and ∫xxᵀ dV about the sum's origin, of a part that is summed by its
    /// surface.
    pub(super) fn add_volume(&mut self, volume: f64, moment: f64, first: Vec3, second: Mat3) {
        self.all.volume += volume;
        self.moment += moment;
        self.all.first += first;
        self.all.second += second;
    }

    /// Adds push and section of a part that is summed by its surface, each with its moment about the sum's
    /// origin.
    pub(super) fn add_surface(&mut self, [push, turn]: [Vec3; 2], [section, section_turn]: [Vec3; 2]) {
        self.push += push;
        self.turn += turn;
        self.section += section;
        self.section_turn += section_turn;
    }

    /// The overlap, if there is any. `pose` is that of the soft solid; if it is the first body, what pushes
    /// the other one is turned round.
    pub fn finish(&self, pose: &Pose, soft_is_first: bool) -> Option<PatchOverlap> {
        let volume = self.all.volume;
        if !(volume > 0.0 && self.moment > 0.0) {
            return None;
        }
        let centroid = self.all.first / volume;
        let rotation = Mat3::from_quat(pose.rotation);
        let sign = if soft_is_first { -1.0 } else { 1.0 };
        let central = self.all.second - outer(centroid, centroid) * volume;
        Some(PatchOverlap {
            point: pose.transform_point(self.origin + centroid),
            moment: self.moment,
            volume,
            push: rotation * self.push * sign,
            turn: rotation * (self.turn - centroid.cross(self.push)) * sign,
            section: rotation * self.section * sign,
            section_turn: rotation * (self.section_turn - centroid.cross(self.section)) * sign,
            second: rotation * central * rotation.transpose(),
        })
    }
}
