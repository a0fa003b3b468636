//! A robot as a URDF file describes it: links and joints, with the places where they are written.

use super::source::Spot;
use fender_math::{Mat3, Pose, Vec3};

/// Links and joints, in the order of the file.
pub(super) struct Robot {
    pub name: String,
    pub links: Vec<Link>,
    pub joints: Vec<Joint>,
}

/// A rigid part.
pub(super) struct Link {
    pub name: String,
    pub spot: Spot,
    pub inertial: Option<Inertial>,
    pub visuals: Vec<Part>,
    pub collisions: Vec<Part>,
}

impl Link {
    /// Nothing but a frame.
    pub fn is_bare(&self) -> bool {
        self.inertial.is_none() && self.visuals.is_empty() && self.collisions.is_empty()
    }
}

/// Mass and inertia of a link.
pub(super) struct Inertial {
    /// Frame of the centre of mass, in the link's.
    pub pose: Pose,
    /// [kg]
    pub mass: f64,
    pub mass_spot: Spot,
    /// About the centre of mass, along the axes of `pose` [kg·m²].
    pub inertia: Mat3,
    pub inertia_spot: Spot,
}

/// Something to see or to collide with.
#[derive(Clone)]
pub(super) struct Part {
    pub geometry: Geometry,
    /// In the link's frame.
    pub pose: Pose,
    pub colour: Option<[u8; 3]>,
}

#[derive(Clone)]
pub(super) enum Geometry {
    Solid(Solid),
    Mesh {
        file: String,
        file_spot: Spot,
        /// Factors along the file's axes.
        scale: Vec3,
    },
}

/// A simple shape about its origin; lengths [m].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Solid {
    Box(Vec3),
    Sphere { radius: f64 },
    Cylinder { radius: f64, length: f64 },
    Capsule { radius: f64, length: f64 },
}

/// What lets one link move on another.
pub(super) struct Joint {
    pub name: String,
    pub spot: Spot,
    pub kind: Kind,
    pub parent: String,
    pub parent_spot: Spot,
    pub child: String,
    pub child_spot: Spot,
    /// The child's frame in the parent's, as drawn.
    pub origin: Pose,
    /// In the child's frame, of any length but zero.
    pub axis: Vec3,
    pub limit: Option<Limit>,
    /// Friction in proportion to the rate [N·m·s/rad or N·s/m].
    pub damping: f64,
    /// Dry friction [N·m or N].
    pub friction: f64,
    pub mimic: Option<Mimic>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Fixed,
    Revolute,
    Continuous,
    Prismatic,
    Floating,
    Planar,
}

impl Kind {
    pub const ALL: [(&'static str, Self); 6] = [
        ("fixed", Self::Fixed),
        ("revolute", Self::Revolute),
        ("continuous", Self::Continuous),
        ("prismatic", Self::Prismatic),
        ("floating", Self::Floating),
        ("planar", Self::Planar),
    ];

    /// Whether it turns about, or slides along, a single axis.
    pub fn has_one_coordinate(self) -> bool {
        matches!(self, Self::Revolute | Self::Continuous | Self::Prismatic)
    }
}

pub(super) struct Limit {
    /// Least and greatest coordinate [rad or m], if they are given and leave room.
    pub range: Option<(f64, f64)>,
    /// [N·m or N]
    pub effort: Option<f64>,
    /// [rad/s or m/s]
    pub velocity: Option<f64>,
}

/// This joint = multiplier · other + offset.
pub(super) struct Mimic {
    pub joint: String,
    pub joint_spot: Spot,
    pub multiplier: f64,
    pub offset: f64,
}
