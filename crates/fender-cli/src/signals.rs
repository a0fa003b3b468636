//! Ctrl-C and SIGTERM: noted here, looked at between steps, so that a run ends with everything written.

use signal_hook::consts::{SIGINT, SIGTERM};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Which signal has come.
#[derive(Clone, Debug, Default)]
pub struct Signals(Arc<AtomicUsize>);

impl Signals {
    /// Begins to listen. The first signal asks the run to stop; a second one ends the program at once.
    pub fn listen() -> std::io::Result<Self> {
        let signals = Self::default();
        for signal in [SIGINT, SIGTERM] {
            // Order matters: the second signal finds the flag set, the first one sets it.
            let second = Arc::new(std::sync::atomic::AtomicBool::new(false));
            signal_hook::flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&second))?;
            signal_hook::flag::register(signal, second)?;
            signal_hook::flag::register_usize(signal, Arc::clone(&signals.0), signal as usize)?;
        }
        Ok(signals)
    }

    /// The signal that has come, if one has.
    pub fn received(&self) -> Option<i32> {
        match self.0.load(Ordering::Relaxed) {
            0 => None,
            signal => Some(signal as i32),
        }
    }
}
