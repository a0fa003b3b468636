//! A plane that cuts a solid of revolution, in the frame of its axis.

use fender_math::{Vec2, Vec3};

/// A half-space in a frame whose z axis is that of the solid; heights are above a reference height on the
/// axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cut {
    /// Outward unit normal.
    pub normal: Vec3,
    /// Distance of the plane from the origin along it [m].
    pub offset: f64,
    /// Sine of the angle between normal and axis.
    pub sine: f64,
    /// Unit normal of the plane's traces in the slices; zero if the plane is level, which has none.
    pub trace: Vec2,
}

impl Cut {
    /// Of a unit normal and a distance [m].
    pub fn new(normal: Vec3, offset: f64) -> Self {
        let flat = normal.truncate();
        let sine = flat.length();
        let trace = if sine > 0.0 { flat / sine } else { Vec2::ZERO };
        Self { normal, offset, sine, trace }
    }

    /// Whether the plane is exactly across the axis.
    pub fn is_level(&self) -> bool {
        self.sine == 0.0
    }

    /// Distance of the trace from the axis at a height [m].
    pub fn trace_offset(&self, height: f64) -> f64 {
        (self.offset - self.normal.z * height) / self.sine
    }

    /// Depth of a place below the plane [m].
    pub fn depth(&self, place: Vec3) -> f64 {
        self.offset - self.normal.dot(place)
    }
}
