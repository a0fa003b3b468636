//! From an overlap in a volume to what laws act on: one generalised depth with its direction, a slip that includes spin, and rolling.

mod gradient;
mod rolling;
mod spread;
pub mod stiffness;

pub use gradient::PatchGradient;
pub use rolling::Rolling;
pub use spread::Spread;
