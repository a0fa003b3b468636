//! The corpus of the fuzzer, and what it has found, replayed: see `cargo xtask fuzz`.

mod check;

use std::path::PathBuf;

fn corpus() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/mesh_files")
}

#[test]
fn every_kept_file_is_read_or_refused() {
    let mut kinds = std::collections::BTreeMap::new();
    let mut files: Vec<PathBuf> = std::fs::read_dir(corpus()).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    for file in files {
        let bytes = std::fs::read(&file).unwrap();
        println!("{}", file.display());
        check::read_and_ask(&bytes);
        *kinds.entry(bytes[0]).or_insert(0) += 1;
    }
    // Every format is there.
    assert!(b"sogbca".iter().all(|kind| kinds.contains_key(kind)), "{kinds:?}");
}
