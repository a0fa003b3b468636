//! The list of stages from state to accelerations.
