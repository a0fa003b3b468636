//! Tori and links on a half-space, with fixed shares, so that the contact has a potential (as `narrow/half_space.rs` has for other solids).
//!
//! A ring touches with four points a quarter turn apart, the first its lowest. They follow the tilt and not the material, so a ring
//! rolls without bumps; once all are below the surface they are fixed to the body. Why that is no jump is said at `cylinder` there: for three or more
//! points that divide the circle evenly, Σ depth·position and Σ depth² are the same whatever the first one's direction.
//!
//! A half-space feels of a link what it feels of its convex hull: that of two rings at its ends. Each touches with three points.

use super::along_line;
use super::field::tube_bend;
use crate::narrow::Overlaps;
use crate::narrow::half_space::Surface;
use crate::tube::{Form, Place, Tube};
use fender_contact::PointOverlap;
use fender_math::{Pose, Vec3};

/// Sine and cosine of a third of a turn.
const THIRD: (f64, f64) = (0.866_025_403_784_438_6, -0.5);

pub fn overlaps(tube: &Tube, pose_wa: &Pose, surface: &Surface) -> Overlaps {
    let mut found = Overlaps::none();
    let x = pose_wa.rotation * Vec3::X;
    if tube.form == Form::Ring {
        ring(tube, pose_wa, pose_wa.translation, x, 4, 0.25, surface, &mut found);
    } else {
        for side in [-1.0, 1.0] {
            let center = pose_wa.translation + x * (side * tube.straight);
            ring(tube, pose_wa, center, x * side, 3, 1.0 / 6.0, surface, &mut found);
        }
    }
    found
}

/// The points of a ring about `center`, `count` (3 or 4) of them with the `share` each; once it is below, the first is in the direction `fixed`.
#[allow(clippy::too_many_arguments)]
fn ring(
    tube: &Tube,
    pose_wa: &Pose,
    center: Vec3,
    fixed: Vec3,
    count: u32,
    share: f64,
    surface: &Surface,
    found: &mut Overlaps,
) {
    let axis = pose_wa.rotation * Vec3::Z;
    let n = surface.normal;
    // Down the plane of the ring; its length is the sine of the tilt.
    let down = axis * n.dot(axis) - n;
    let sin = down.length();
    let depth = surface.depth(center) + tube.bar;
    let reaches = depth + tube.radius * sin > 0.0;
    if !reaches {
        return;
    }
    // With the highest possible below, all are, wherever the first one is.
    let is_below = depth > tube.radius * sin;
    let first = if is_below { fixed } else { down / sin };
    let second = axis.cross(first);
    let mut push = |out: Vec3| {
        let point = center + out * tube.radius - n * tube.bar;
        let depth = surface.depth(point);
        if depth > 0.0 {
            let tangent = axis.cross(out);
            let place = Place { point, tangent, outward: out, end: 0.0 };
            let bend = along_line(tube_bend(tube, &place, -n), depth, tube);
            found.push(PointOverlap {
                point,
                normal: n,
                depth,
                curvature: bend.mean,
                elongation: bend.elongation,
                share,
            });
        }
    };
    push(first);
    if count == 4 {
        push(second);
        push(-first);
        push(-second);
    } else {
        let (s, c) = THIRD;
        push(first * c + second * s);
        push(first * c - second * s);
    }
}
