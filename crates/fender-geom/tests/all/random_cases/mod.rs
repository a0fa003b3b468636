//! How many random cases the property tests try, and from which seed.

use proptest::test_runner::{Config, RngSeed};

/// `usual` cases, or 100 000 others when `FENDER_LONG` is set in the environment. The seeds are fixed, so that a test
/// that fails does so again, and one that passes does not fail somebody else's change.
pub fn random_cases(usual: u32) -> Config {
    let is_long = std::env::var_os("FENDER_LONG").is_some();
    let (cases, seed) = if is_long { (100_000, 2) } else { (usual, 1) };
    // Nothing to keep: the seed brings a failure back.
    Config { cases, rng_seed: RngSeed::Fixed(seed), failure_persistence: None, ..Config::default() }
}
