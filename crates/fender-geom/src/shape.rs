//! Shapes a body can have.

use crate::Bounds;
use fender_math::{MassProperties, Mat3, Pose, Vec3};
use std::f64::consts::PI;

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
}

/// Why a shape is impossible.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ShapeError {
    /// A length is zero, negative or not finite.
    #[error("{what} of a {shape} must be positive and finite, and is {value} m")]
    Size {
        /// Shape's name.
        shape: &'static str,
        /// Which length.
        what: &'static str,
        /// Its value [m].
        value: f64,
    },
}

impl Shape {
    /// Name as written in scenario files.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Sphere { .. } => "sphere",
            Self::HalfSpace => "half_space",
            Self::Box { .. } => "box",
            Self::Cylinder { .. } => "cylinder",
            Self::Capsule { .. } => "capsule",
        }
    }

    /// Checks that every length is positive and finite.
    pub fn check(&self) -> Result<(), ShapeError> {
        let positive = |what: &'static str, value: f64| {
            if value.is_finite() && value > 0.0 {
                Ok(())
            } else {
                Err(ShapeError::Size { shape: self.name(), what, value })
            }
        };
        match *self {
            Self::HalfSpace => Ok(()),
            Self::Sphere { radius } => positive("radius", radius),
            Self::Box { half } => {
                positive("half length along x", half.x)?;
                positive("half length along y", half.y)?;
                positive("half length along z", half.z)
            }
            Self::Cylinder { radius, half_height } | Self::Capsule { radius, half_height } => {
                positive("radius", radius)?;
                positive("half height", half_height)
            }
        }
    }

    /// Mass properties for a density [kg/m³]; `None` for a shape without a volume of its own (half-space).
    pub fn mass_properties(&self, density: f64) -> Option<MassProperties> {
        // Moments per mass about the shape's axes [m²]; `around(axial, across)` is a body of revolution about z.
        let around = |axial: f64, across: f64| Vec3::new(across, across, axial);
        let (volume, moments) = match *self {
            Self::HalfSpace => return None,
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
        };
        let mass = density * volume;
        Some(MassProperties { mass, center: Vec3::ZERO, inertia: Mat3::from_diagonal(moments * mass) })
    }

    /// Whether two such shapes can meet face on face or line on face, so that Hertz' theory has no pair of radii to
    /// work with: any two of box, cylinder and half-space. A capsule is round everywhere; lying on a face it is
    /// treated with the curvature 1/radius.
    pub fn can_meet_flat(&self, other: &Shape) -> bool {
        let has_face = |s: &Self| matches!(s, Self::Box { .. } | Self::Cylinder { .. } | Self::HalfSpace);
        has_face(self) && has_face(other)
    }

    /// Radius about the frame's origin that holds the whole shape [m]; infinite for a half-space.
    pub fn bounding_radius(&self) -> f64 {
        match *self {
            Self::Sphere { radius } => radius,
            Self::HalfSpace => f64::INFINITY,
            Self::Box { half } => half.length(),
            Self::Cylinder { radius, half_height } => (radius * radius + half_height * half_height).sqrt(),
            Self::Capsule { radius, half_height } => radius + half_height,
        }
    }

    /// What the pair search needs to know of the shape at `pose_ws`: for a solid the smallest box that holds it.
    #[inline]
    pub fn bounds(&self, pose_ws: &Pose) -> Bounds {
        let center = pose_ws.translation;
        match *self {
            Self::Sphere { radius } => Bounds::around(center, Vec3::splat(radius)),
            Self::HalfSpace => {
                let normal = pose_ws.rotation * Vec3::Z;
                Bounds::HalfSpace { normal, offset: normal.dot(center) }
            }
            Self::Box { half } => {
                let r = Mat3::from_quat(pose_ws.rotation);
                let extent = r.x_axis.abs() * half.x + r.y_axis.abs() * half.y + r.z_axis.abs() * half.z;
                Bounds::around(center, extent)
            }
            Self::Cylinder { radius, half_height } => {
                let axis = pose_ws.rotation * Vec3::Z;
                // Along a direction e the rim reaches radius·sin(angle between e and the axis).
                let across = (Vec3::ONE - axis * axis).max(Vec3::ZERO);
                let rim = Vec3::new(across.x.sqrt(), across.y.sqrt(), across.z.sqrt()) * radius;
                Bounds::around(center, axis.abs() * half_height + rim)
            }
            Self::Capsule { radius, half_height } => {
                let axis = pose_ws.rotation * Vec3::Z;
                Bounds::around(center, axis.abs() * half_height + Vec3::splat(radius))
            }
        }
    }
}

fn ball_volume(radius: f64) -> f64 {
    4.0 / 3.0 * PI * radius * radius * radius
}

#[cfg(test)]
mod tests {
    use super::*;
    use fender_math::rotation::from_axis_angle;

    const ALL: [Shape; 5] = [
        Shape::Sphere { radius: 0.4 },
        Shape::HalfSpace,
        Shape::Box { half: Vec3::new(0.3, 0.5, 0.2) },
        Shape::Cylinder { radius: 0.3, half_height: 0.5 },
        Shape::Capsule { radius: 0.3, half_height: 0.5 },
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
        }
        let message = Shape::Box { half: Vec3::new(1.0, 1.0, -2.0) }.check().unwrap_err().to_string();
        assert_eq!(message, "half length along z of a box must be positive and finite, and is -2 m");
    }

    #[test]
    fn mass_properties_agree_with_a_sum_over_small_cubes() {
        let density = 700.0;
        for shape in &ALL {
            let Some(found) = shape.mass_properties(density) else {
                assert_eq!(*shape, Shape::HalfSpace);
                continue;
            };
            assert!(found.check().is_ok());
            let Bounds::Box { max: reach, .. } = shape.bounds(&Pose::IDENTITY) else {
                panic!("a solid is bounded by a box");
            };
            let cells = 120;
            let d = reach * (2.0 / f64::from(cells));
            let cell_mass = density * d.x * d.y * d.z;
            let (mut mass, mut second) = (0.0, Vec3::ZERO);
            for i in 0..cells * cells * cells {
                let cell = Vec3::new(
                    f64::from(i % cells),
                    f64::from(i / cells % cells),
                    f64::from(i / cells / cells),
                );
                let p = (cell + 0.5) * d - reach;
                if holds(shape, p) {
                    mass += cell_mass;
                    second += p * p * cell_mass;
                }
            }
            let moments = Vec3::new(second.y + second.z, second.z + second.x, second.x + second.y);
            assert!((mass / found.mass - 1.0).abs() < 2e-3, "{shape:?}: {mass} {found:?}");
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
                assert_eq!(*shape, Shape::HalfSpace);
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
    fn only_faces_meet_flat() {
        let flat = |s: &Shape| matches!(s.name(), "box" | "cylinder" | "half_space");
        for a in &ALL {
            for b in &ALL {
                assert_eq!(a.can_meet_flat(b), flat(a) && flat(b));
            }
        }
    }
}
