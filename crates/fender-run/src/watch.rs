//! Someone who watches a run while it is computed.

/// What happens before the next step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// The step is taken.
    Step,
    /// What is new is shown; then it is asked again.
    Show,
    /// Likewise, with a frame of this very instant.
    Look,
    /// The run stops, as by Ctrl-C.
    Stop,
}

/// Watches a run. It gets what the run shows as whole records of a [stream](crate::stream), beginning with a head, and
/// decides before every step whether the run goes on. A run that nobody watches makes nothing of this.
pub trait Watch {
    /// Takes the next records.
    fn take(&mut self, records: &[u8]);

    /// What is to be done before the step that starts at `time` [s]. It may wait inside.
    fn turn(&mut self, time: f64) -> Turn;
}
