//! Friction laws, one file each.
