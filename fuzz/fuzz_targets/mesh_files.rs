//! Mesh files and grids of heights with any contents. What is checked is in a file that the ordinary tests share.

#![no_main]

#[path = "../../crates/fender-geom/tests/all/any_file/check.rs"]
mod any_file;

libfuzzer_sys::fuzz_target!(|data: &[u8]| any_file::read_and_ask(data));
