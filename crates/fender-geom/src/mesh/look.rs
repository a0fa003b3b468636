//! What a file that is not what its ending says looks like.

/// Bytes that are looked at: rubbish shows itself at once, and a text that is only damaged at its end stays a text.
const LOOKED_AT: usize = 512;

/// The first byte that is in no text, if there is one near the beginning: its place and value.
pub(super) fn first_binary(bytes: &[u8]) -> Option<(usize, u8)> {
    // Tabulator, line feed, vertical tabulator, form feed and carriage return; 0x1a ended files once, and 0x1b begins escapes.
    let is_text = |b: u8| matches!(b, 0x09..=0x0d | 0x1a | 0x1b | 0x20..);
    bytes.iter().take(LOOKED_AT).copied().enumerate().find(|(_, b)| !is_text(*b))
}

/// Why it is no text that can be read, in words; `None` if it looks like one.
pub(super) fn not_text(bytes: &[u8]) -> Option<(usize, String)> {
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return Some((0, "it is text as UTF-16, where plain text is read: save it as UTF-8".into()));
    }
    first_binary(bytes).map(|(at, byte)| (at, format!("it is not text but binary data (0x{byte:02x} here)")))
}

/// The beginning of a text, to show.
pub(super) fn beginning(bytes: &[u8]) -> String {
    let line = bytes.trim_ascii_start().split(|b| *b == b'\n').next().unwrap_or_default().trim_ascii_end();
    String::from_utf8_lossy(&line[..line.len().min(100)]).chars().take(20).collect()
}

/// "1 vertex", "2 vertices".
pub(super) fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
