//! Mathematics shared by every Fender crate: vectors and frames, spatial pairs (twist, wrench),
//! mass properties, splines, root finding and float functions that give the same bits everywhere.
//!
//! Conventions: SI units, `f64`, right-handed axes, z up. A pose `pose_wb` maps coordinates of frame
//! `b` to frame `w`; `p_bc_w` is the vector from `b` to `c` expressed in `w`.

pub mod dense;
pub mod float;
pub mod hash;
pub mod mass;
pub mod profile;
pub mod root;
pub mod rotation;
pub mod series;
pub mod six_degrees;
pub mod skyline;
pub mod spatial;
pub mod tridiagonal;

pub use glamx::{DMat3 as Mat3, DPose3 as Pose, DQuat as Quat, DVec2 as Vec2, DVec3 as Vec3};
pub use hash::StateHasher;
pub use mass::{MassError, MassProperties};
pub use profile::Profile;
pub use skyline::Skyline;
pub use spatial::{Twist, Wrench};
pub use tridiagonal::BlockTridiagonal;
