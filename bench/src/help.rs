//! `--help` of the programs: what they measure, without measuring.

/// Prints a program's help and answers true if it is asked for.
pub fn is_asked(text: &str) -> bool {
    let asked = std::env::args().any(|a| a == "--help" || a == "-h");
    if asked {
        println!("{text}\n\nWhat it measured, and on which machine: bench/README.md");
    }
    asked
}
