//! Ctrl-C and SIGTERM: noted here, looked at between steps, so that a run ends with everything written.

use crate::failure::Failure;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};

/// Begins to listen. The first signal is put into the answer and asks the run to stop; a second one ends the program
/// at once.
pub fn listen() -> Result<Arc<AtomicI32>, Failure> {
    let interrupt = Arc::new(AtomicI32::new(0));
    let mut signals = Signals::new([SIGINT, SIGTERM])
        .map_err(|e| Failure::io(format!("cannot listen for signals: {e}")))?;
    let noted = Arc::clone(&interrupt);
    std::thread::spawn(move || {
        for signal in signals.forever() {
            if noted.swap(signal, Ordering::Relaxed) != 0 {
                std::process::exit(128 + signal);
            }
        }
    });
    Ok(interrupt)
}
