//! Writes `schema/scenario.schema.json` anew: run it after a change of the format.

fn main() -> std::io::Result<()> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/schema/scenario.schema.json");
    std::fs::write(path, fender_scenario::schema_text())?;
    println!("{path}");
    Ok(())
}
