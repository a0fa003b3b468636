//! Random trees against Pinocchio's answers (`bench/pinocchio/SOURCE.md`), without Pinocchio.

use fender_bench::trees::{Tree, difference};
use serde::Deserialize;

/// Relative to the largest number of a tree. Both programs round in the last digits, and the mass matrices of trees of
/// 60 joints magnify that by up to 1e5 (their condition): 1e-11, and one digit to spare.
const TOLERANCE: f64 = 1e-10;

#[derive(Deserialize)]
struct Reference {
    trees: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    tree: Tree,
    accelerations: Vec<f64>,
    efforts: Vec<f64>,
}

#[test]
fn trees_have_the_accelerations_and_efforts_of_pinocchio() {
    let text = include_str!("../pinocchio/trees.json");
    let reference: Reference = serde_json::from_str(text).expect("the reference is JSON");
    assert_eq!(reference.trees.len(), 20);
    for (i, case) in reference.trees.iter().enumerate() {
        let ours = case.tree.answer();
        let n = case.tree.bodies.len();
        let apart = difference(&ours.accelerations, &case.accelerations);
        assert!(apart < TOLERANCE, "tree {i} of {n} bodies: accelerations differ by {apart:.1e}");
        let apart = difference(&ours.efforts, &case.efforts);
        assert!(apart < TOLERANCE, "tree {i} of {n} bodies: inverse dynamics differs by {apart:.1e}");
    }
}
