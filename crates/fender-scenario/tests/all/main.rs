//! The tests of `fender-scenario`, one module per subject, in one program: they are linked once.

mod bad_input;
mod bad_meshes;
mod cables;
mod control;
mod convex_shapes;
mod deep_starts;
mod events;
mod friction;
mod good_files;
mod guides;
mod hard_steps;
mod import;
mod import_bad;
mod in_a_groove;
mod islands;
mod joints;
mod line_damping;
mod loops;
mod mesh_energy;
mod mesh_grooves;
mod mesh_shapes;
mod never_panics;
mod over_an_edge;
mod rest;
mod second_touches;
