//! Convex pieces of a closed mesh, for contacts that are faster and smoother than those of triangles.
//!
//! Models a solid that is not convex as several that are. One with few planes, such as a bracket, is cut along them and loses nothing
//! (`planes.rs`). What would need more pieces than are asked for is divided into some that are together about as large. The method is that of Mamou and Ghorbel (2009) in its volumetric
//! form, by parry: the inside is made of small cubes and cut in two, again and again, where that leaves the least hollow. Each piece is the hull of what
//! the mesh has in its cubes, so that faces of the mesh stay where they are; hollows narrower than a cube fill up, and
//! where cuts are oblique to the mesh, slits of a part of a cube may be left between pieces. Here too many pieces are put together
//! again, those first that fill up least by it, and how well the pieces fill the mesh is measured.
//!
//! The same mesh and parameters give the same pieces, bit for bit.

mod planes;

use crate::{Polyhedron, TriMesh};
use fender_math::Vec3;
use parry3d_f64::transformation::vhacd::{VHACD, VHACDParameters};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How finely a mesh is divided.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters {
    /// Most pieces.
    pub pieces: u32,
    /// Small cubes along the longest side of the mesh.
    pub resolution: u32,
    /// Hollow that a piece may keep, as a part of the volume of the mesh's hull.
    pub concavity: f64,
}

impl Default for Parameters {
    fn default() -> Self {
        Self { pieces: 16, resolution: 64, concavity: 0.002 }
    }
}

/// Most small cubes along a side: beyond that there are too many in all.
pub const MOST_RESOLUTION: u32 = 256;
/// Most pieces that may be asked for.
pub const MOST_PIECES: u32 = 256;
/// Pieces that fill up less than this part of the mesh's volume when put together are put together.
const HARDLY: f64 = 1e-4;
/// The same for pieces that are the mesh itself: what single precision does to coordinates, and ten times that.
const ROUNDING: f64 = 1e-6;

/// Convex pieces of a mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct Decomposition {
    /// The pieces, in the mesh's frame.
    pub pieces: Vec<Polyhedron>,
    /// How well they fill it.
    pub quality: Quality,
}

/// How well pieces fill a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quality {
    /// Sum of the volumes of the pieces, over that of the mesh: above 1 where hollows are filled up or pieces overlap.
    pub filled: f64,
    /// Largest distance from the mesh of a point of a piece's surface that is outside of it [m], among corners, and the middles of edges and
    /// faces.
    pub overhang: f64,
}

/// Why there are no pieces.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum DecomposeError {
    /// The mesh holds no volume.
    #[error("the mesh is not closed, so that it has no inside to divide")]
    Open,
    /// A number is out of range.
    #[error("{what} must be from {least} to {most}, and is {value}")]
    Range {
        /// Which number.
        what: &'static str,
        /// Its value.
        value: u32,
        /// Least that is allowed.
        least: u32,
        /// Most that is allowed.
        most: u32,
    },
    /// The algorithm gave up.
    #[error("the mesh could not be divided; another resolution may help")]
    GaveUp,
}

impl Parameters {
    /// Checks that the numbers are in range.
    pub fn check(&self) -> Result<(), DecomposeError> {
        let range = |what, value, least, most| {
            if (least..=most).contains(&value) {
                Ok(())
            } else {
                Err(DecomposeError::Range { what, value, least, most })
            }
        };
        range("the number of pieces", self.pieces, 1, MOST_PIECES)?;
        range("the resolution", self.resolution, 4, MOST_RESOLUTION)
    }
}

/// Divides the solid inside a closed mesh into convex pieces.
pub fn decompose(mesh: &TriMesh, parameters: &Parameters) -> Result<Decomposition, DecomposeError> {
    parameters.check()?;
    let volume = mesh.volume().ok_or(DecomposeError::Open)?;
    let hull = Polyhedron::hull(mesh.vertices()).map_err(|_| DecomposeError::GaveUp)?;
    // A mesh that is convex has one piece, exactly.
    let is_convex = hull.volume() - volume <= HARDLY * volume;
    let pieces = if parameters.pieces == 1 || is_convex {
        vec![hull]
    } else if let Some(exact) = exact(mesh, &hull, parameters, volume) {
        exact
    } else {
        join(cut(mesh, parameters)?, parameters.pieces as usize, HARDLY * volume)
    };
    let quality = Quality::of(&pieces, mesh, volume);
    Ok(Decomposition { pieces, quality })
}

impl Quality {
    /// Measures how well `pieces` fill a closed mesh of the given volume [m³].
    pub fn of(pieces: &[Polyhedron], mesh: &TriMesh, volume: f64) -> Self {
        let mut overhang = 0.0_f64;
        let mut look = |p: Vec3| {
            if mesh.holds(p) == Some(false)
                && let Some(closest) = mesh.closest(p)
            {
                overhang = overhang.max(closest.distance);
            }
        };
        for piece in pieces {
            let at = |v: u32| piece.vertices()[v as usize];
            piece.vertices().iter().for_each(|p| look(*p));
            piece.edges().iter().for_each(|e| look(at(e.vertices[0]).midpoint(at(e.vertices[1]))));
            for f in 0..piece.normals().len() as u32 {
                let corners = piece.corners(f);
                look(corners.iter().map(|v| at(*v)).sum::<Vec3>() / corners.len() as f64);
            }
        }
        let sum: f64 = pieces.iter().map(Polyhedron::volume).sum();
        Self { filled: sum / volume, overhang }
    }
}

/// Pieces that together are the mesh; `None` if there would be too many, or a surface that goes through itself makes no sense of them.
fn exact(mesh: &TriMesh, hull: &Polyhedron, parameters: &Parameters, volume: f64) -> Option<Vec<Polyhedron>> {
    let pieces = join(planes::cut(mesh, hull)?, usize::MAX, ROUNDING * volume);
    let filled: f64 = pieces.iter().map(Polyhedron::volume).sum();
    let is_whole = (filled / volume - 1.0).abs() < HARDLY;
    (is_whole && pieces.len() <= parameters.pieces as usize).then_some(pieces)
}

/// The pieces as the algorithm gives them: more than asked for.
fn cut(mesh: &TriMesh, parameters: &Parameters) -> Result<Vec<Polyhedron>, DecomposeError> {
    // parry's tolerances are lengths: the mesh gets the size 1.
    let (low, high) = mesh.extent();
    let size = (high - low).max_element();
    let points: Vec<Vec3> = mesh.vertices().iter().map(|p| (*p - low) / size).collect();
    let vhacd = VHACDParameters {
        resolution: parameters.resolution,
        concavity: parameters.concavity,
        max_convex_hulls: 2 * parameters.pieces,
        ..VHACDParameters::default()
    };
    // It asserts what it takes for granted, and a file may hold anything.
    let parts = catch_unwind(AssertUnwindSafe(|| {
        let parts = VHACD::decompose(&vhacd, &points, mesh.triangles(), true);
        parts.compute_primitive_intersections(&points, mesh.triangles())
    }));
    let parts = parts.map_err(|_| DecomposeError::GaveUp)?;
    let pieces: Vec<Polyhedron> = parts
        .iter()
        .filter_map(|part| {
            let points: Vec<Vec3> = part.iter().map(|p| *p * size + low).collect();
            // What is flat has nothing to add.
            Polyhedron::hull(&points).ok()
        })
        .collect();
    if pieces.is_empty() { Err(DecomposeError::GaveUp) } else { Ok(pieces) }
}

/// Puts pieces together until there are no more than `most`, and as long as it fills up no more than `little` [m³].
fn join(mut pieces: Vec<Polyhedron>, most: usize, little: f64) -> Vec<Polyhedron> {
    let together = |a: &Polyhedron, b: &Polyhedron| {
        let points: Vec<Vec3> = a.vertices().iter().chain(b.vertices()).copied().collect();
        let hull = Polyhedron::hull(&points).ok()?;
        let filled = hull.volume() - a.volume() - b.volume();
        Some((filled, hull))
    };
    // For each pair what it would fill up; a pair that is not there costs too much.
    let mut costs: Vec<Vec<Option<(f64, Polyhedron)>>> = Vec::new();
    for (i, a) in pieces.iter().enumerate() {
        costs.push(pieces[..i].iter().map(|b| together(a, b)).collect());
    }
    loop {
        let mut best: Option<(f64, usize, usize)> = None;
        for (i, row) in costs.iter().enumerate() {
            for (k, cost) in row.iter().enumerate() {
                if let Some((filled, _)) = cost
                    && best.is_none_or(|b| *filled < b.0)
                {
                    best = Some((*filled, i, k));
                }
            }
        }
        let Some((filled, i, k)) = best else { return pieces };
        if pieces.len() <= most && filled > little {
            return pieces;
        }
        let Some((_, hull)) = costs[i][k].take() else { return pieces };
        // The later of the two goes, the earlier becomes both.
        pieces.remove(i);
        costs.remove(i);
        for row in costs.iter_mut().skip(i) {
            row.remove(i);
        }
        pieces[k] = hull;
        for other in 0..pieces.len() {
            match other.cmp(&k) {
                std::cmp::Ordering::Less => costs[k][other] = together(&pieces[k], &pieces[other]),
                std::cmp::Ordering::Greater => costs[other][k] = together(&pieces[other], &pieces[k]),
                std::cmp::Ordering::Equal => {}
            }
        }
    }
}
