//! Cells of a soft solid: for each face the places inside that are nearer to it than to any other face.

use fender_math::Vec3;

/// A plane with its outward unit normal: inside are places x with `normal`·x ≤ `offset`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    /// Outward unit normal.
    pub normal: Vec3,
    /// Distance from the origin along it [m].
    pub offset: f64,
}

/// A cell: what is inside its face and all of its walls.
#[derive(Clone, Copy, Debug)]
pub struct Cell<'a> {
    /// The face of the solid that it belongs to.
    pub face: Plane,
    /// Planes to the cells beside it, in which the depths below both faces are equal.
    pub walls: &'a [Wall],
}

/// A wall between two cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wall {
    /// Its plane, outward from the cell.
    pub plane: Plane,
    /// Number of the cell behind it.
    pub behind: u32,
    /// |n_c − n_d| of the outward normals of the two faces: how fast the difference of the depths grows across the wall.
    pub turn: f64,
}
