//! The bytes behind a document: the chunk of a binary file, files beside it, and data in the text itself.

use super::document::Document;
use super::item;
use crate::mesh::error::{MeshError, MeshProblem};
use std::borrow::Cow;

/// Gives the contents of a file beside the mesh.
pub type Load<'a> = dyn FnMut(&str) -> Result<Vec<u8>, String> + 'a;

/// The contents of each buffer, at least as long as the document says.
pub fn load<'a>(
    document: &Document,
    binary: Option<&'a [u8]>,
    load: &mut Load<'_>,
) -> Result<Vec<Cow<'a, [u8]>>, MeshError> {
    let mut buffers = Vec::with_capacity(document.buffers.len());
    for (i, buffer) in document.buffers.iter().enumerate() {
        let name = format!("buffers[{i}]");
        let bytes: Cow<'a, [u8]> = match (&buffer.uri, binary) {
            (None, Some(binary)) if i == 0 => binary.into(),
            (None, _) => {
                let message = "it names no file, and there is no binary chunk for it";
                return Err(item(name, MeshProblem::Malformed(message.into())));
            }
            (Some(uri), _) if uri.starts_with("data:") => {
                let data = uri.split_once(";base64,").and_then(|(_, data)| base64(data));
                let message = || MeshProblem::Malformed("its data URI is not base64".into());
                data.ok_or_else(|| item(name.clone(), message()))?.into()
            }
            (Some(uri), _) => {
                let file = percent_decoded(uri);
                let missing = |why| item(name.clone(), MeshProblem::Companion { name: file.clone(), why });
                load(&file).map_err(missing)?.into()
            }
        };
        let (needs, has) = (buffer.byte_length, bytes.len() as u64);
        if needs > has {
            return Err(item(name, MeshProblem::Truncated { what: "the buffer", needs, has }));
        }
        buffers.push(bytes);
    }
    Ok(buffers)
}

/// Decodes base64 (RFC 4648, section 4), with or without padding; `None` if it is none.
fn base64(text: &str) -> Option<Vec<u8>> {
    let text = text.trim_end_matches('=').as_bytes();
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 3);
    let (mut bits, mut count) = (0_u32, 0);
    for c in text {
        let value = match c {
            b'A'..=b'Z' => c - b'A',
            b'a'..=b'z' => c - b'a' + 26,
            b'0'..=b'9' => c - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    // A single character at the end makes no byte.
    (count < 6).then_some(bytes)
}

/// A URI as a file name: `%20` is a blank.
fn percent_decoded(uri: &str) -> String {
    let bytes = uri.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut i = 0;
    while i < bytes.len() {
        let code = (bytes[i] == b'%').then(|| uri.get(i + 1..i + 3)).flatten();
        if let Some(byte) = code.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            decoded.push(byte);
            i += 3;
        } else {
            decoded.push(bytes[i]);
            i += 1;
        }
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_of_the_rfc() {
        for (text, bytes) in
            [("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYmFy", "foobar")]
        {
            assert_eq!(base64(text).unwrap(), bytes.as_bytes());
        }
        assert_eq!(base64("Zm9v!"), None);
        assert_eq!(base64("Zm9vA"), None);
    }

    #[test]
    fn names_are_decoded() {
        assert_eq!(percent_decoded("my%20hull%2ebin"), "my hull.bin");
        assert_eq!(percent_decoded("100%"), "100%");
        assert_eq!(percent_decoded("a%é"), "a%é");
    }
}
