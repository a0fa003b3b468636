//! What is wrong with a mesh: how often, and where first.

use super::{Edge, EdgeKind, TriMesh};
use fender_math::Vec3;
use std::fmt;

/// Places that are kept of each finding.
const KEPT: usize = 5;

/// Something found in a mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Finding {
    /// How often.
    pub count: usize,
    /// The first few places, in the order of the triangles as they were given.
    pub first: Vec<Place>,
}

/// A place in a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// Triangle, by its number in what the mesh was made of, counted from 0.
    pub triangle: u32,
    /// Where it is: the middle of the edge, or of the triangle [m].
    pub point: Vec3,
}

/// What was found when a mesh was made.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Diagnostics {
    /// Edges with one triangle only.
    pub boundary: Finding,
    /// Groups of such edges that hang together: holes, or the rims of an open surface.
    pub holes: usize,
    /// Edges whose triangles do not agree on what is outside.
    pub flipped: Finding,
    /// Edges with more than two triangles.
    pub non_manifold: Finding,
    /// Triangles without area; those with two corners at one place are left out of the mesh.
    pub degenerate: Finding,
    /// Vertices that were at the place of another and were made one with it.
    pub duplicate_vertices: usize,
    /// Surfaces that hang together.
    pub parts: usize,
    /// Whether it was closed but seen from inside, and has been turned.
    pub turned: bool,
}

impl Finding {
    /// Of places in any order.
    pub(super) fn of(mut places: Vec<Place>) -> Self {
        places.sort_by_key(|place| place.triangle);
        let count = places.len();
        places.truncate(KEPT);
        Self { count, first: places }
    }
}

impl Diagnostics {
    /// Whether nothing was found that makes contacts doubtful: no holes, and everything has an inside.
    pub fn is_clean(&self) -> bool {
        self.boundary.count == 0
            && self.flipped.count == 0
            && self.non_manifold.count == 0
            && self.degenerate.count == 0
    }
}

impl Diagnostics {
    /// What makes contacts doubtful, one line each, with how often and where first. Borders are not among it: a sheet has them.
    pub fn doubts(&self) -> Vec<String> {
        let mut lines: Vec<String> = [
            self.flipped.tell("edge", "whose triangles disagree on what is outside"),
            self.non_manifold.tell("edge", "with more than two triangles"),
            self.degenerate.tell("triangle", "without area"),
        ]
        .into_iter()
        .flatten()
        .collect();
        if self.turned {
            lines.push("all triangles were seen from inside and have been turned".into());
        }
        lines
    }
}

impl Finding {
    /// How often, and where first; nothing if never.
    fn tell(&self, what: &str, which: &str) -> Option<String> {
        let Place { triangle, point: p } = self.first.first()?;
        let what = counted(self.count, what);
        Some(format!("{what} {which}, first of triangle {triangle} at ({}, {}, {}) m", p.x, p.y, p.z))
    }
}

/// "1 edge", "2 edges".
fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

impl TriMesh {
    /// Why it is not the surface of a solid, in words; `None` if it is.
    pub fn why_not_closed(&self) -> Option<String> {
        if self.is_closed() {
            return None;
        }
        let found = &self.diagnostics;
        let at = |finding: &Finding| {
            let point = finding.first.first().map_or(Vec3::ZERO, |place| place.point);
            format!("first at ({:.4}, {:.4}, {:.4}) m", point.x, point.y, point.z)
        };
        let mut reasons = Vec::new();
        if found.boundary.count > 0 {
            let rims = if found.holes == 1 {
                "1 hole or rim".into()
            } else {
                format!("{} holes or rims", found.holes)
            };
            reasons.push(format!(
                "open, {} around {rims}, {}",
                counted(found.boundary.count, "edge"),
                at(&found.boundary)
            ));
        }
        if found.flipped.count > 0 {
            let edges = counted(found.flipped.count, "edge");
            reasons.push(format!("turned triangles at {edges}, {}", at(&found.flipped)));
        }
        // More than two triangles may meet and still agree, as where two boxes touch along an edge.
        let disagree = |e: &&Edge| e.kind == EdgeKind::NonManifold && !e.is_balanced;
        let doubled = self.edges().iter().filter(disagree).count();
        if doubled > 0 {
            let edges = counted(doubled, "edge");
            reasons.push(format!("doubled or inner triangles at {edges}, {}", at(&found.non_manifold)));
        }
        if reasons.is_empty() {
            reasons.push("no volume: its triangles lie back to back".into());
        }
        Some(reasons.join("; "))
    }
}

/// One line for each finding; nothing if there is none.
impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let border = self.boundary.tell("edge", "with one triangle only");
        border.iter().chain(&self.doubts()).try_for_each(|line| writeln!(f, "{line}"))
    }
}

/// Sets that grow together.
pub(super) struct Sets(Vec<u32>);

impl Sets {
    pub fn of(count: usize) -> Self {
        Self((0..count as u32).collect())
    }

    fn root(&mut self, mut i: u32) -> u32 {
        while self.0[i as usize] != i {
            // Halves the way for those who come later.
            self.0[i as usize] = self.0[self.0[i as usize] as usize];
            i = self.0[i as usize];
        }
        i
    }

    pub fn join(&mut self, i: u32, k: u32) {
        let (i, k) = (self.root(i), self.root(k));
        self.0[i.max(k) as usize] = i.min(k);
    }

    /// Number of sets among the members for which `counts` holds.
    pub fn count(&mut self, counts: impl Fn(u32) -> bool) -> usize {
        (0..self.0.len() as u32).filter(|i| counts(*i) && self.0[*i as usize] == *i).count()
    }
}
