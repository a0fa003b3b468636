//! The project's chores, as one Rust program so that nothing but Rust has to be installed.
//!
//! `cargo xtask test` runs every check, `cargo xtask book` builds the book.

mod bench;
mod book;
mod console;
mod docs;
mod fender;
mod fuzz;
mod gallery;
mod markdown;
mod reference;
mod runner;
mod test;
mod tools;
mod validation;
mod viewer;
mod workspace;

use std::process::ExitCode;

const USAGE: &str = "\
Chores of the Fender project

Usage: cargo xtask <CHORE>

Chores:
  test [--long]  everything the checks run: format, lints, tests, doctests, documentation, the viewer in a browser, book
                 (--long: large random sets in the property tests, and a minute of fuzzing)
  fuzz [--seconds N]
                 give the readers of mesh files what a fuzzer invents, for N seconds (60 unless told)
  book           build the book, generated pages included, into target/book
  viewer         build the viewer's page, viewer/dist/index.html, from its sources
  docs           check that paths in the documentation exist and that its commands run";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match words.as_slice() {
        ["test"] => return test::all(false),
        ["test", "--long"] => return test::all(true),
        ["book"] => book::build(),
        ["docs"] => docs::check(),
        ["viewer"] => viewer::build(),
        ["fuzz"] => fuzz::run(fuzz::USUAL),
        ["fuzz", "--seconds", n] if n.parse::<u32>().is_ok_and(|n| n > 0) => {
            fuzz::run(n.parse().unwrap_or(fuzz::USUAL))
        }
        [] | ["help" | "--help" | "-h"] => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        _ => {
            eprintln!("unknown chore: {}\n\n{USAGE}", words.join(" "));
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(report) => {
            println!("{report}");
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
