//! The user's browser.

use std::io;
use std::process::{Child, Command, Stdio};

/// Opens an address or a file with whatever the system opens pages with.
pub fn open(address: &str) -> io::Result<Child> {
    let (program, arguments): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("cmd", &["/c", "start", ""])
    } else {
        ("xdg-open", &[])
    };
    let mut command = Command::new(program);
    command.args(arguments).arg(address);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()
}
