//! glTF 2.0 (Khronos, ISO/IEC 12113:2022): a tree of nodes with meshes, as JSON with buffers, or both in one binary file.

mod accessor;
mod buffer;
mod document;
mod scene;

use super::VisualMesh;
use super::error::{MeshError, MeshProblem, Place};
use super::look::not_text;
use buffer::Load;
use document::Document;

/// Extensions without which a file can be shown all the same.
const HARMLESS: [&str; 3] = ["KHR_materials_", "KHR_texture_", "KHR_lights_"];
/// Integer coordinates, which are read.
const QUANTIZATION: &str = "KHR_mesh_quantization";

/// Reads a `.gltf` file.
pub(super) fn read_text(bytes: &[u8], load: &mut Load<'_>) -> Result<VisualMesh, MeshError> {
    if let Some((at, what)) = not_text(bytes) {
        let right = if bytes.starts_with(b"glTF") { "; a binary glTF file ends in .glb" } else { "" };
        let message = format!("{what}, and a .gltf file is text (JSON){right}");
        return Err(MeshError::new(Place::Byte(at), MeshProblem::Malformed(message)));
    }
    read(bytes, None, load)
}

/// Reads a `.glb` file: a header of 12 bytes, then chunks of length, kind and contents; the first is the JSON, the second
/// may be a buffer.
pub(super) fn read_binary(bytes: &[u8], load: &mut Load<'_>) -> Result<VisualMesh, MeshError> {
    let word = |at: usize| bytes.get(at..at + 4).and_then(|b| b.try_into().ok()).map(u32::from_le_bytes);
    let has = bytes.len() as u64;
    let short =
        |at: usize, what, needs| MeshError::new(Place::Byte(at), MeshProblem::Truncated { what, needs, has });
    if bytes.get(..4) != Some(b"glTF") {
        let message = "this is no binary glTF file: it does not begin with `glTF`";
        return Err(MeshError::new(Place::Byte(0), MeshProblem::Malformed(message.into())));
    }
    let (Some(version), Some(length)) = (word(4), word(8)) else { return Err(short(4, "its header", 12)) };
    if version != 2 {
        return Err(MeshError::new(
            Place::Byte(4),
            MeshProblem::Unsupported(format!("version {version} of glTF")),
        ));
    }
    if u64::from(length) > has {
        return Err(short(8, "the file by its header", length.into()));
    }
    let mut chunks = Vec::new();
    let mut at = 12;
    while let Some(size) = word(at).filter(|_| at < length as usize) {
        let Some(kind) = bytes.get(at + 4..at + 8) else {
            return Err(short(at, "a chunk's header", at as u64 + 8));
        };
        let end = at as u64 + 8 + u64::from(size);
        if end > u64::from(length) {
            return Err(short(at, "a chunk", end));
        }
        chunks.push((kind, &bytes[at + 8..end as usize]));
        at = end as usize;
    }
    match chunks[..] {
        [(b"JSON", json), (b"BIN\0", buffer), ..] => read(json, Some(buffer), load),
        [(b"JSON", json), ..] => read(json, None, load),
        _ => Err(MeshError::new(
            Place::Byte(12),
            MeshProblem::Malformed("the first chunk is not the JSON of a glTF file".into()),
        )),
    }
}

fn read(json: &[u8], binary: Option<&[u8]>, load: &mut Load<'_>) -> Result<VisualMesh, MeshError> {
    let json = json.strip_prefix(b"\xef\xbb\xbf").unwrap_or(json);
    let document: Document = serde_json::from_slice(json).map_err(|error| {
        let place = if error.line() > 0 { Place::Line(error.line()) } else { Place::File };
        MeshError::new(place, MeshProblem::Malformed(format!("not the JSON of a glTF file: {error}")))
    })?;
    if !document.asset.version.starts_with("2.") {
        let what = format!("version {} of glTF", document.asset.version);
        return Err(item("asset.version", MeshProblem::Unsupported(what)));
    }
    for name in &document.extensions_required {
        if name != QUANTIZATION && !HARMLESS.iter().any(|prefix| name.starts_with(prefix)) {
            let what = format!("the extension {name}, without which the file cannot be shown,");
            return Err(item("extensionsRequired", MeshProblem::Unsupported(what)));
        }
    }
    let buffers = buffer::load(&document, binary, load)?;
    scene::assemble(&document, &buffers)
}

/// An error about an object of the document.
fn item(name: impl Into<String>, problem: MeshProblem) -> MeshError {
    MeshError::new(Place::Item(name.into()), problem)
}

/// The element of a list of the document.
fn get<'a, T>(list: &'a [T], index: usize, what: &'static str, from: &str) -> Result<&'a T, MeshError> {
    list.get(index).ok_or_else(|| item(from, missing(what, index, list.len())))
}

fn missing(what: &'static str, index: usize, count: usize) -> MeshProblem {
    MeshProblem::Index { what, index: index.try_into().unwrap_or(i64::MAX), count }
}
