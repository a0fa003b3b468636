//! Rebuilds the command when a shipped scenario or validation case is added, changed or removed: the embedding macro
//! notices changes of files it knows, not new ones.

fn main() {
    for folder in ["../../scenarios", "../../validation", "starter"] {
        println!("cargo:rerun-if-changed={folder}");
    }
}
