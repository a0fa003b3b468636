//! Damping factors that turn a coefficient of restitution into a law's damping.
