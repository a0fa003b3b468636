//! Shapes a body can have.

use crate::tube::Tube;
use crate::{Bounds, Polyhedron, TriMesh};
use fender_math::{MassProperties, Mat3, Pose, Quat, Vec3, float};
use std::f64::consts::{FRAC_PI_2, PI};
use std::sync::Arc;

/// A solid in its own frame.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// Ball about the origin.
    Sphere {
        /// Radius [m].
        radius: f64,
    },
    /// Everything below z = 0; the surface is the x–y plane and the outward normal is +z.
    HalfSpace,
    /// Box about the origin, edges along the axes.
    Box {
        /// Half of each edge [m].
        half: Vec3,
    },
    /// Cylinder about the origin, axis along z.
    Cylinder {
        /// Radius [m].
        radius: f64,
        /// Half of the height [m].
        half_height: f64,
    },
    /// Capsule about the origin: all points within `radius` of a segment along z.
    Capsule {
        /// Radius [m].
        radius: f64,
        /// Half of the segment's length [m].
        half_height: f64,
    },
    /// Ellipsoid about the origin, half axes along x, y and z.
    Ellipsoid {
        /// Half axes [m].
        radii: Vec3,
    },
    /// Cone about the origin, axis along z: the tip at `half_height`, the base as far below the origin.
    Cone {
        /// Radius of the base [m].
        radius: f64,
        /// Half of the height [m].
        half_height: f64,
    },
    /// Everything around a round hole along z: a plate between −`half_height` and `half_height`, without end sideways.
    Bore {
        /// Radius of the hole [m].
        radius: f64,
        /// Half of the plate's thickness [m]; may be infinite.
        half_height: f64,
    },
    /// Everything around a conical hole along z: the tip at −`half_height`, the mouth in the plane at `half_height`, below which
    /// there is no end to the sides and downwards.
    Funnel {
        /// Radius of the mouth [m].
        radius: f64,
        /// Half of the depth [m].
        half_height: f64,
    },
    /// Wedge without end: everything below two planes that meet in the y axis, with its outward bisector along z.
    Edge {
        /// Half of the angle inside the material, at most a right angle (then it is a half-space) [rad].
        half_angle: f64,
    },
    /// Torus about the origin: all points within `tube` of a circle in the x–y plane.
    Torus {
        /// Radius of the circle [m].
        radius: f64,
        /// Radius of the bar [m], less than that of the circle.
        tube: f64,
    },
    /// Half torus: all points within `tube` of the half circle with y ≥ 0 in the x–y plane. Its ends are round, because it is what a ball
    /// sweeps.
    HalfTorus {
        /// Radius of the half circle [m].
        radius: f64,
        /// Radius of the bar [m], less than that of the circle.
        tube: f64,
    },
    /// Chain link about the origin: all points within `tube` of two half circles in the x–y plane that are joined by straights along x. It is
    /// one shape, so that nothing is touched twice where arcs and straights meet.
    Link {
        /// Radius of the half circles [m].
        radius: f64,
        /// Half of the length of the straights [m].
        half_straight: f64,
        /// Radius of the bar [m], less than that of the half circles.
        tube: f64,
    },
    /// Triangles: a solid if they are closed, else a sheet without thickness that is touched from both sides.
    Mesh(Arc<TriMesh>),
    /// Convex solid with flat faces.
    Polyhedron(Arc<Polyhedron>),
}

/// Why a shape is impossible.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ShapeError {
    /// A length is zero, negative or not finite.
    #[error("{what} of {shape} must be positive and finite, and is {value} m")]
    Size {
        /// Shape's name with its article.
        shape: &'static str,
        /// Which length.
        what: &'static str,
        /// Its value [m].
        value: f64,
    },
    /// The bar of a torus or link is so thick that there is no hole.
    #[error(
        "the bar of {shape} must be thinner than its arc is wide: its radius is {tube} m, that of the arc {radius} m"
    )]
    Hole {
        /// Shape's name with its article.
        shape: &'static str,
        /// Radius of the bar [m].
        tube: f64,
        /// Radius of the circle in its middle [m].
        radius: f64,
    },
    /// The two faces of an edge do not enclose a wedge.
    #[error("the angle inside an edge must be above 0 and at most 180 degrees, and is {degrees} degrees")]
    Angle {
        /// The angle [°].
        degrees: f64,
    },
}

impl Shape {
    /// Edge of two faces with the unit outward normals `a` and `b`, and its frame's rotation. Faces that look the same way are one
    /// plane; opposite ones give an impossible shape.
    pub fn edge(a: Vec3, b: Vec3) -> (Self, Quat) {
        let (sum, difference) = (a + b, a - b);
        // The angle between the normals is the supplement of that inside, and so are their halves.
        let half_angle = float::atan2(sum.length(), difference.length());
        let up = sum.normalize_or(a);
        // Across the edge and level; any such direction if there is no edge.
        let across = difference - up * up.dot(difference);
        let x = across.try_normalize().unwrap_or_else(|| up.any_orthonormal_vector());
        let axes = Mat3::from_cols(x, up.cross(x), up);
        (Self::Edge { half_angle }, Quat::from_mat3(&axes).normalize())
    }

    /// Name as written in scenario files.
    pub fn name(&self) -> &'static str {
        let noun = self.noun();
        noun.split_once(' ').map_or(noun, |(_, name)| name)
    }

    /// Its name with the article, for messages.
    pub fn noun(&self) -> &'static str {
        match self {
            Self::Sphere { .. } => "a sphere",
            Self::HalfSpace => "a half_space",
            Self::Box { .. } => "a box",
            Self::Cylinder { .. } => "a cylinder",
            Self::Capsule { .. } => "a capsule",
            Self::Ellipsoid { .. } => "an ellipsoid",
            Self::Cone { .. } => "a cone",
            Self::Bore { .. } => "a bore",
            Self::Funnel { .. } => "a funnel",
            Self::Edge { .. } => "an edge",
            Self::Torus { .. } => "a torus",
            Self::HalfTorus { .. } => "a half_torus",
            Self::Link { .. } => "a link",
            Self::Mesh(_) => "a mesh",
            Self::Polyhedron(_) => "a polyhedron",
        }
    }

    /// Whether it has no end, so that it has no mass either and no box holds it.
    pub fn is_endless(&self) -> bool {
        matches!(self, Self::HalfSpace | Self::Bore { .. } | Self::Funnel { .. } | Self::Edge { .. })
    }

    /// Whether it is strictly convex and smooth, so that it touches anything convex at one point at most.
    pub fn is_round(&self) -> bool {
        matches!(self, Self::Sphere { .. } | Self::Ellipsoid { .. })
    }

    /// Checks that every length is positive and finite, and an angle possible.
    pub fn check(&self) -> Result<(), ShapeError> {
        let positive = |what: &'static str, value: f64| {
            if value.is_finite() && value > 0.0 {
                Ok(())
            } else {
                Err(ShapeError::Size { shape: self.noun(), what, value })
            }
        };
        let hollow = |radius: f64, tube: f64| {
            positive("radius", radius)?;
            positive("bar radius", tube)?;
            if tube < radius { Ok(()) } else { Err(ShapeError::Hole { shape: self.noun(), tube, radius }) }
        };
        match *self {
            // Meshes and polyhedra were checked when they were made.
            Self::HalfSpace | Self::Mesh(_) | Self::Polyhedron(_) => Ok(()),
            Self::Sphere { radius } => positive("radius", radius),
            Self::Box { half } => {
                positive("half length along x", half.x)?;
                positive("half length along y", half.y)?;
                positive("half length along z", half.z)
            }
            Self::Cylinder { radius, half_height }
            | Self::Capsule { radius, half_height }
            | Self::Cone { radius, half_height }
            | Self::Funnel { radius, half_height } => {
                positive("radius", radius)?;
                positive("half height", half_height)
            }
            Self::Bore { radius, half_height } => {
                positive("radius", radius)?;
                if half_height == f64::INFINITY { Ok(()) } else { positive("half height", half_height) }
            }
            Self::Ellipsoid { radii } => {
                positive("radius along x", radii.x)?;
                positive("radius along y", radii.y)?;
                positive("radius along z", radii.z)
            }
            Self::Torus { radius, tube } | Self::HalfTorus { radius, tube } => hollow(radius, tube),
            Self::Link { radius, half_straight, tube } => {
                positive("half straight", half_straight)?;
                hollow(radius, tube)
            }
            Self::Edge { half_angle } => {
                // Rounding may put a flat edge a hair above.
                if half_angle > 1e-6 && half_angle < FRAC_PI_2 + 1e-12 {
                    Ok(())
                } else {
                    Err(ShapeError::Angle { degrees: 2.0 * half_angle.to_degrees() })
                }
            }
        }
    }

    /// Mass properties for a density [kg/m³]; `None` for a shape without end and for an open mesh.
    pub fn mass_properties(&self, density: f64) -> Option<MassProperties> {
        // Moments per mass about the shape's axes [m²]; `around(axial, across)` is a body of revolution about z.
        let around = |axial: f64, across: f64| Vec3::new(across, across, axial);
        let mut center = Vec3::ZERO;
        let (volume, moments) = match *self {
            Self::HalfSpace | Self::Bore { .. } | Self::Funnel { .. } | Self::Edge { .. } => return None,
            Self::Mesh(ref mesh) => return mesh.mass_properties(density),
            Self::Torus { .. } | Self::HalfTorus { .. } | Self::Link { .. } => {
                return Tube::of(self).map(|tube| tube.mass_properties(density));
            }
            Self::Polyhedron(ref polyhedron) => return Some(polyhedron.mass_properties(density)),
            Self::Sphere { radius } => {
                return Some(MassProperties::solid_sphere(density * ball_volume(radius), radius));
            }
            Self::Box { half } => {
                let sq = half * half;
                let moments = Vec3::new(sq.y + sq.z, sq.z + sq.x, sq.x + sq.y) / 3.0;
                (8.0 * half.x * half.y * half.z, moments)
            }
            Self::Cylinder { radius, half_height } => {
                let r2 = radius * radius;
                (2.0 * PI * r2 * half_height, around(0.5 * r2, 0.25 * r2 + half_height * half_height / 3.0))
            }
            Self::Capsule { radius, half_height } => {
                let (r2, h) = (radius * radius, half_height);
                let (tube, ball) = (2.0 * PI * r2 * h, ball_volume(radius));
                // The two half balls about the middle: 2/5·r² as for a whole ball, plus h² for the shift, plus
                // 2·h·(3/8·r) because their own centres of mass lie 3/8·r beyond the segment's ends.
                let axial = tube * 0.5 * r2 + ball * 0.4 * r2;
                let across = tube * (0.25 * r2 + h * h / 3.0) + ball * (0.4 * r2 + h * h + 0.75 * h * radius);
                let volume = tube + ball;
                (volume, around(axial, across) / volume)
            }
            Self::Ellipsoid { radii } => {
                let sq = radii * radii;
                let moments = Vec3::new(sq.y + sq.z, sq.z + sq.x, sq.x + sq.y) / 5.0;
                (4.0 / 3.0 * PI * radii.x * radii.y * radii.z, moments)
            }
            Self::Cone { radius, half_height } => {
                let (r2, h2) = (radius * radius, half_height * half_height);
                // A quarter of the height above the base.
                center.z = -0.5 * half_height;
                (2.0 / 3.0 * PI * r2 * half_height, around(0.3 * r2, 0.15 * (r2 + h2)))
            }
        };
        let mass = density * volume;
        Some(MassProperties { mass, center, inertia: Mat3::from_diagonal(moments * mass) })
    }

    /// Whether two such shapes can meet face on face or line on face, so that Hertz' theory has no pair of radii to
    /// work with: any two of box, cylinder, cone, polyhedron, mesh and half-space, and a capsule on any of these. Two capsules cross.
    pub fn can_meet_flat(&self, other: &Shape) -> bool {
        let has_face = |s: &Self| {
            matches!(
                s,
                Self::Box { .. }
                    | Self::Cylinder { .. }
                    | Self::Cone { .. }
                    | Self::HalfSpace
                    | Self::Mesh(_)
                    | Self::Polyhedron(_)
            )
        };
        let is_capsule = |s: &Self| matches!(s, Self::Capsule { .. });
        has_face(self) && (has_face(other) || is_capsule(other)) || is_capsule(self) && has_face(other)
    }

    /// About the largest area in which a plane can cut the shape within a depth [m] of its surface [m²]; infinite for a shape
    /// without end.
    pub fn largest_section(&self, depth: f64) -> f64 {
        // Width of a circle at a depth.
        let chord = |radius: f64| {
            let depth = depth.min(radius);
            2.0 * (depth * (2.0 * radius - depth)).sqrt()
        };
        let disc = |width: f64| 0.25 * PI * width * width;
        match *self {
            Self::Box { half } => 4.0 * (half.x * half.y).max(half.y * half.z).max(half.z * half.x),
            Self::Sphere { radius } => disc(chord(radius)),
            Self::Ellipsoid { radii } => {
                // Across the shortest axis; a ball that is stretched.
                let least = radii.min_element();
                disc(chord(least)) * (radii.x * radii.y * radii.z) / (least * least * least)
            }
            Self::Capsule { radius, half_height } => {
                let width = chord(radius);
                disc(width) + 2.0 * half_height * width
            }
            Self::Cylinder { radius, half_height } => {
                disc(2.0 * radius).max(2.0 * half_height * chord(radius))
            }
            Self::Cone { radius, .. } => disc(2.0 * radius),
            _ => disc(2.0 * self.bounding_radius()),
        }
    }

    /// Radius about the frame's origin that holds the whole shape [m]; infinite for a shape without end.
    pub fn bounding_radius(&self) -> f64 {
        match *self {
            Self::Sphere { radius } => radius,
            Self::HalfSpace | Self::Bore { .. } | Self::Funnel { .. } | Self::Edge { .. } => f64::INFINITY,
            Self::Box { half } => half.length(),
            Self::Ellipsoid { radii } => radii.max_element(),
            Self::Cylinder { radius, half_height } | Self::Cone { radius, half_height } => {
                (radius * radius + half_height * half_height).sqrt()
            }
            Self::Capsule { radius, half_height } => radius + half_height,
            Self::Torus { radius, tube } | Self::HalfTorus { radius, tube } => radius + tube,
            Self::Link { radius, half_straight, tube } => radius + half_straight + tube,
            Self::Mesh(ref mesh) => mesh.bounding_radius(),
            Self::Polyhedron(ref polyhedron) => polyhedron.bounding_radius(),
        }
    }

    /// What the pair search needs to know of the shape at `pose_ws`: for a solid the smallest box that holds it (for a mesh or
    /// polyhedron, that holds its own box), for a shape without end a half-space.
    #[inline]
    pub fn bounds(&self, pose_ws: &Pose) -> Bounds {
        let center = pose_ws.translation;
        let below = |height: f64| {
            let normal = pose_ws.rotation * Vec3::Z;
            Bounds::HalfSpace { normal, offset: normal.dot(center) + height }
        };
        match *self {
            Self::Sphere { radius } => Bounds::around(center, Vec3::splat(radius)),
            Self::HalfSpace | Self::Edge { .. } => below(0.0),
            Self::Bore { half_height, .. } | Self::Funnel { half_height, .. } => below(half_height),
            Self::Box { half } => {
                let r = Mat3::from_quat(pose_ws.rotation);
                let extent = r.x_axis.abs() * half.x + r.y_axis.abs() * half.y + r.z_axis.abs() * half.z;
                Bounds::around(center, extent)
            }
            Self::Cylinder { radius, half_height } => {
                let axis = pose_ws.rotation * Vec3::Z;
                Bounds::around(center, axis.abs() * half_height + rim_reach(axis, radius))
            }
            Self::Cone { radius, half_height } => {
                let axis = pose_ws.rotation * Vec3::Z;
                let (tip, base) = (center + axis * half_height, center - axis * half_height);
                let rim = rim_reach(axis, radius);
                Bounds::Box { min: tip.min(base - rim), max: tip.max(base + rim) }
            }
            Self::Ellipsoid { radii } => {
                let r = Mat3::from_quat(pose_ws.rotation);
                let (x, y, z) = (r.x_axis * radii.x, r.y_axis * radii.y, r.z_axis * radii.z);
                Bounds::around(center, root(x * x + y * y + z * z))
            }
            Self::Capsule { radius, half_height } => {
                let axis = pose_ws.rotation * Vec3::Z;
                Bounds::around(center, axis.abs() * half_height + Vec3::splat(radius))
            }
            Self::Torus { radius, tube } => {
                let axis = pose_ws.rotation * Vec3::Z;
                Bounds::around(center, rim_reach(axis, radius) + Vec3::splat(tube))
            }
            Self::Link { radius, half_straight, tube } => {
                let (axis, along) = (pose_ws.rotation * Vec3::Z, pose_ws.rotation * Vec3::X);
                let reach = rim_reach(axis, radius) + along.abs() * half_straight;
                Bounds::around(center, reach + Vec3::splat(tube))
            }
            Self::HalfTorus { radius, tube } => {
                let r = Mat3::from_quat(pose_ws.rotation);
                let (rim, ends) = (rim_reach(r.z_axis, radius), r.x_axis.abs() * radius);
                // The arc reaches as far as the circle only on its side.
                let ahead = |up: Vec3| Vec3::select(up.cmpge(Vec3::ZERO), rim, ends) + Vec3::splat(tube);
                Bounds::Box { min: center - ahead(-r.y_axis), max: center + ahead(r.y_axis) }
            }
            // The smallest box about the solid's own: going through all vertices would take too long.
            Self::Mesh(ref mesh) => turned_box(mesh.extent(), pose_ws),
            Self::Polyhedron(ref polyhedron) => turned_box(polyhedron.extent(), pose_ws),
        }
    }
}

/// Smallest box in the world about the box from `low` to `high` [m] of a shape at `pose_ws`.
fn turned_box((low, high): (Vec3, Vec3), pose_ws: &Pose) -> Bounds {
    let r = Mat3::from_quat(pose_ws.rotation);
    let half = 0.5 * (high - low);
    let extent = r.x_axis.abs() * half.x + r.y_axis.abs() * half.y + r.z_axis.abs() * half.z;
    Bounds::around(pose_ws.transform_point(0.5 * (low + high)), extent)
}

/// How far a circle of `radius` [m] about the unit vector `axis` reaches along x, y and z: radius·sin(angle between them).
fn rim_reach(axis: Vec3, radius: f64) -> Vec3 {
    root((Vec3::ONE - axis * axis).max(Vec3::ZERO)) * radius
}

fn root(v: Vec3) -> Vec3 {
    Vec3::new(v.x.sqrt(), v.y.sqrt(), v.z.sqrt())
}

fn ball_volume(radius: f64) -> f64 {
    4.0 / 3.0 * PI * radius * radius * radius
}

#[cfg(test)]
mod tests {
    use super::*;
    use fender_math::rotation::from_axis_angle;

    const ALL: [Shape; 13] = [
        Shape::Sphere { radius: 0.4 },
        Shape::HalfSpace,
        Shape::Box { half: Vec3::new(0.3, 0.5, 0.2) },
        Shape::Cylinder { radius: 0.3, half_height: 0.5 },
        Shape::Capsule { radius: 0.3, half_height: 0.5 },
        Shape::Ellipsoid { radii: Vec3::new(0.3, 0.5, 0.2) },
        Shape::Cone { radius: 0.3, half_height: 0.5 },
        Shape::Bore { radius: 0.3, half_height: 0.5 },
        Shape::Funnel { radius: 0.3, half_height: 0.5 },
        Shape::Edge { half_angle: 0.6 },
        Shape::Torus { radius: 0.5, tube: 0.2 },
        Shape::HalfTorus { radius: 0.5, tube: 0.2 },
        Shape::Link { radius: 0.4, half_straight: 0.3, tube: 0.2 },
    ];

    fn holds(shape: &Shape, p: Vec3) -> bool {
        match *shape {
            Shape::Sphere { radius } => p.length() <= radius,
            Shape::HalfSpace => p.z <= 0.0,
            Shape::Box { half } => p.abs().cmple(half).all(),
            Shape::Cylinder { radius, half_height } => {
                p.z.abs() <= half_height && p.x * p.x + p.y * p.y <= radius * radius
            }
            Shape::Capsule { radius, half_height } => {
                let q = Vec3::new(p.x, p.y, p.z - p.z.clamp(-half_height, half_height));
                q.length() <= radius
            }
            Shape::Ellipsoid { radii } => (p / radii).length() <= 1.0,
            Shape::Cone { radius, half_height } => {
                p.z >= -half_height && p.x.hypot(p.y) <= radius * (half_height - p.z) / (2.0 * half_height)
            }
            Shape::Bore { radius, half_height } => p.z.abs() <= half_height && p.x.hypot(p.y) >= radius,
            Shape::Funnel { radius, half_height } => {
                p.z <= half_height && p.x.hypot(p.y) >= radius * (half_height + p.z) / (2.0 * half_height)
            }
            Shape::Edge { half_angle } => p.x.abs() * half_angle.cos() + p.z * half_angle.sin() <= 0.0,
            Shape::Torus { radius, tube } => (p.x.hypot(p.y) - radius).hypot(p.z) <= tube,
            Shape::HalfTorus { radius, tube } => {
                let aside =
                    if p.y >= 0.0 { p.x.hypot(p.y) - radius } else { (p.x.abs() - radius).hypot(p.y) };
                aside.hypot(p.z) <= tube
            }
            Shape::Link { radius, half_straight, tube } => {
                let beyond = (p.x.abs() - half_straight).max(0.0);
                (beyond.hypot(p.y) - radius).hypot(p.z) <= tube
            }
            Shape::Mesh(ref mesh) => mesh.holds(p) == Some(true),
            Shape::Polyhedron(ref polyhedron) => polyhedron.holds(p),
        }
    }

    #[test]
    fn impossible_sizes_are_refused_by_name() {
        for shape in &ALL {
            assert!(shape.check().is_ok());
        }
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(Shape::Sphere { radius: bad }.check().is_err());
            assert!(Shape::Box { half: Vec3::new(1.0, bad, 1.0) }.check().is_err());
            assert!(Shape::Cylinder { radius: bad, half_height: 1.0 }.check().is_err());
            assert!(Shape::Capsule { radius: 1.0, half_height: bad }.check().is_err());
            assert!(Shape::Ellipsoid { radii: Vec3::new(1.0, 1.0, bad) }.check().is_err());
            assert!(Shape::Cone { radius: 1.0, half_height: bad }.check().is_err());
            assert!(Shape::Funnel { radius: bad, half_height: 1.0 }.check().is_err());
            assert!(Shape::Bore { radius: bad, half_height: 1.0 }.check().is_err());
            assert!(Shape::Edge { half_angle: if bad == 0.0 { 1.6 } else { bad } }.check().is_err());
        }
        for bad in [0.0, -1.0, 0.5, f64::NAN, f64::INFINITY] {
            assert!(Shape::Torus { radius: 0.5, tube: bad }.check().is_err());
            assert!(Shape::HalfTorus { radius: bad, tube: 0.5 }.check().is_err());
            assert!(Shape::Link { radius: 0.5, half_straight: 1.0, tube: bad }.check().is_err());
        }
        assert!(Shape::Link { radius: 0.5, half_straight: 0.0, tube: 0.1 }.check().is_err());
        let message = Shape::Torus { radius: 0.5, tube: 0.6 }.check().unwrap_err().to_string();
        assert_eq!(
            message,
            "the bar of a torus must be thinner than its arc is wide: its radius is 0.6 m, that of the arc 0.5 m"
        );
        assert!(Shape::Bore { radius: 1.0, half_height: f64::INFINITY }.check().is_ok());
        let message = Shape::Edge { half_angle: 0.0 }.check().unwrap_err().to_string();
        assert_eq!(
            message,
            "the angle inside an edge must be above 0 and at most 180 degrees, and is 0 degrees"
        );
        let message = Shape::Box { half: Vec3::new(1.0, 1.0, -2.0) }.check().unwrap_err().to_string();
        assert_eq!(message, "half length along z of a box must be positive and finite, and is -2 m");
    }

    #[test]
    fn mass_properties_agree_with_a_sum_over_small_cubes() {
        let density = 700.0;
        for shape in &ALL {
            let Some(found) = shape.mass_properties(density) else {
                assert!(shape.is_endless());
                continue;
            };
            assert!(found.check().is_ok() && !shape.is_endless());
            let Bounds::Box { max: reach, .. } = shape.bounds(&Pose::IDENTITY) else {
                panic!("a solid is bounded by a box");
            };
            let cells = 120;
            let d = reach * (2.0 / f64::from(cells));
            let cell_mass = density * d.x * d.y * d.z;
            let (mut mass, mut first, mut second) = (0.0, Vec3::ZERO, Vec3::ZERO);
            for i in 0..cells * cells * cells {
                let cell = Vec3::new(
                    f64::from(i % cells),
                    f64::from(i / cells % cells),
                    f64::from(i / cells / cells),
                );
                let p = (cell + 0.5) * d - reach;
                if holds(shape, p) {
                    mass += cell_mass;
                    first += p * cell_mass;
                    let from_center = p - found.center;
                    second += from_center * from_center * cell_mass;
                }
            }
            let moments = Vec3::new(second.y + second.z, second.z + second.x, second.x + second.y);
            assert!((mass / found.mass - 1.0).abs() < 2e-3, "{shape:?}: {mass} {found:?}");
            assert!((first / mass - found.center).length() < 1e-3, "{shape:?}: {} {found:?}", first / mass);
            let diagonal = Vec3::new(found.inertia.x_axis.x, found.inertia.y_axis.y, found.inertia.z_axis.z);
            assert!((moments / diagonal - 1.0).abs().max_element() < 2e-3, "{shape:?}: {moments} {diagonal}");
        }
    }

    #[test]
    fn known_moments() {
        let rod = Shape::Cylinder { radius: 0.2, half_height: 1.5 }.mass_properties(1.0).unwrap();
        assert!((rod.inertia.z_axis.z / rod.mass - 0.02).abs() < 1e-15);
        assert!((rod.inertia.x_axis.x / rod.mass - (0.01 + 0.75)).abs() < 1e-14);
        // A capsule with a vanishing segment is a ball.
        let ball = Shape::Sphere { radius: 0.3 }.mass_properties(10.0).unwrap();
        let capsule = Shape::Capsule { radius: 0.3, half_height: 1e-13 }.mass_properties(10.0).unwrap();
        assert!((capsule.mass / ball.mass - 1.0).abs() < 1e-11);
        assert!((capsule.inertia.x_axis.x / ball.inertia.x_axis.x - 1.0).abs() < 1e-11);
    }

    #[test]
    fn bounds_hold_the_shape_and_are_tight() {
        let pose = Pose {
            translation: Vec3::new(1.0, -2.0, 0.5),
            rotation: from_axis_angle(Vec3::new(0.3, 1.0, -0.4), 1.1),
        };
        for shape in &ALL {
            let Bounds::Box { min, max } = shape.bounds(&pose) else {
                assert!(shape.is_endless());
                continue;
            };
            let reach = shape.bounding_radius();
            let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
            let cells = 100;
            for i in 0..cells * cells * cells {
                let cell = Vec3::new(
                    f64::from(i % cells),
                    f64::from(i / cells % cells),
                    f64::from(i / cells / cells),
                );
                let p = (cell / f64::from(cells - 1) * 2.0 - 1.0) * reach;
                if holds(shape, p) {
                    low = low.min(pose.transform_point(p));
                    high = high.max(pose.transform_point(p));
                }
            }
            assert!(min.cmple(low).all() && max.cmpge(high).all(), "{shape:?}");
            assert!((min - low).abs().max((max - high).abs()).max_element() < 0.06 * reach, "{shape:?}");
        }
    }

    #[test]
    fn an_edge_has_the_normals_it_was_made_of() {
        let directions =
            [Vec3::Z, Vec3::X, Vec3::new(0.3, -0.5, 0.2).normalize(), Vec3::new(-1.0, 0.1, 0.4).normalize()];
        for a in directions {
            for b in directions {
                let (shape, turn) = Shape::edge(a, b);
                shape.check().unwrap();
                let Shape::Edge { half_angle } = shape else { panic!("{shape:?}") };
                let (sin, cos) = half_angle.sin_cos();
                let found = [1.0, -1.0].map(|side| turn * Vec3::new(side * cos, 0.0, sin));
                assert!(
                    (found[0] - a).length() < 1e-14 && (found[1] - b).length() < 1e-14,
                    "{a} {b} {found:?}"
                );
            }
        }
        assert!(Shape::edge(Vec3::X, -Vec3::X).0.check().is_err());
    }

    #[test]
    fn half_space_bounds_follow_its_pose() {
        let pose = Pose {
            translation: Vec3::new(0.0, 0.0, 2.0),
            rotation: from_axis_angle(Vec3::Y, std::f64::consts::FRAC_PI_2),
        };
        let Bounds::HalfSpace { normal, offset } = Shape::HalfSpace.bounds(&pose) else {
            panic!("a half-space is bounded by itself");
        };
        assert!((normal - Vec3::X).length() < 1e-15);
        assert!(offset.abs() < 1e-15);
    }

    #[test]
    fn shapes_without_end_lie_in_their_half_space() {
        let pose = Pose { translation: Vec3::new(1.0, -2.0, 0.5), rotation: from_axis_angle(Vec3::X, 0.7) };
        for shape in ALL.iter().filter(|s| s.is_endless()) {
            let Bounds::HalfSpace { normal, offset } = shape.bounds(&pose) else {
                panic!("{shape:?}");
            };
            let mut highest = f64::NEG_INFINITY;
            for i in 0..60 * 60 * 61 {
                let cell = Vec3::new(f64::from(i % 60), f64::from(i / 60 % 60), f64::from(i / 3600));
                let p = (cell / 30.0 - 1.0) * 2.0;
                if holds(shape, p) {
                    highest = highest.max(normal.dot(pose.transform_point(p)));
                }
            }
            assert!(highest <= offset + 1e-12 && highest > offset - 0.07, "{shape:?}: {highest} {offset}");
        }
        let endless = Shape::Bore { radius: 1.0, half_height: f64::INFINITY };
        let far = Bounds::around(Vec3::Z * 1e9, Vec3::ONE);
        assert!(endless.bounds(&pose).meet(&far, 0.0));
    }

    #[test]
    fn only_faces_meet_flat() {
        let flat = |s: &Shape| matches!(s.name(), "box" | "cylinder" | "cone" | "half_space");
        let straight = |s: &Shape| flat(s) || s.name() == "capsule";
        for a in &ALL {
            for b in &ALL {
                let expected = straight(a) && straight(b) && (flat(a) || flat(b));
                assert_eq!(a.can_meet_flat(b), expected);
            }
        }
    }
}
