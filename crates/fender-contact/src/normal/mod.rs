//! Normal laws, one file each.
