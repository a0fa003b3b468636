//! What random scenes in tests begin with.

use crate::{MaterialId, ModelBuilder};
use fender_contact::{Coulomb, Damping, Linear};

/// Numbers from −1 to 1.
pub(super) fn random(seed: &mut u64) -> f64 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
}

/// A model without bodies, and the material of all that it will have.
pub(super) fn steel() -> (ModelBuilder, MaterialId) {
    let mut builder = ModelBuilder::new();
    let material = builder.material("steel");
    let normal = Linear::new(1e6, 0.5, Damping::Exact, 1e-3).unwrap();
    builder.contact(material, material, Box::new(normal), Box::new(Coulomb::new(0.3, 1e-3).unwrap()));
    (builder, material)
}
