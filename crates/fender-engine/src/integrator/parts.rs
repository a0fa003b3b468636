//! A fixed step in parts: fast bodies and impacts divide steps, which all the same end when they would have ended.

use super::{StepError, next_time};
use crate::{Data, State};

/// What is left of a step is none if it is this part of it: rounding.
pub(crate) const NONE: f64 = 1e-9;

/// Takes a step of the length `step` [s]. `take` gets how much of it is left [s], takes that or less, and says whether it has taken all.
pub(crate) fn in_parts(
    step: f64,
    state: &mut State,
    data: &mut Data,
    mut take: impl FnMut(&mut State, &mut Data, f64) -> Result<bool, StepError>,
) -> Result<(), StepError> {
    let (end, number) = (next_time(state, step), state.step + 1);
    let mut left = step;
    while !take(state, data, left)? {
        left = end - state.time;
        if left <= NONE * step {
            break;
        }
    }
    state.step = number;
    if state.time != end {
        state.time = end;
        data.invalidate();
    }
    Ok(())
}
