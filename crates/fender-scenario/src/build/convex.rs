//! Convex solids in place of meshes, and the files that keep them.

use super::Build;
use crate::error::{ErrorKind, Problem};
use crate::spec::ConvexSpec;
use crate::tree::Path;
use fender_geom::decompose::{DecomposeError, Decomposition, Parameters, Quality, decompose};
use fender_geom::{Polyhedron, PolyhedronError, TriMesh};
use fender_math::Vec3;
use fender_math::hash::StateHasher;
use std::sync::Arc;

/// First bytes of a file that keeps pieces. The number changes when pieces of the same mesh would be others.
const MAGIC: &[u8; 16] = b"fender-convex 2\n";

impl Build<'_> {
    /// What is touched in place of `mesh`, which was read from `file`.
    pub(super) fn convex(
        &mut self,
        file: &str,
        mesh: &TriMesh,
        spec: &ConvexSpec,
        path: &Path,
    ) -> Result<Vec<Arc<Polyhedron>>, Problem> {
        let key = content(mesh, spec);
        let known = (file.to_owned(), key, format!("{spec:?}"));
        if let Some(pieces) = self.convex.get(&known) {
            return Ok(pieces.clone());
        }
        let at = path.key("convex");
        let refused = |message: String| Problem::new(ErrorKind::Asset, at.clone(), message);
        let (pieces, quality) = match spec {
            ConvexSpec::Hull => {
                let hull = Polyhedron::hull(mesh.vertices()).map_err(|error| {
                    refused(format!("{file} has no convex hull: {error}")).help(flat(&error))
                })?;
                let pieces = vec![hull];
                let quality = mesh.volume().map(|volume| Quality::of(&pieces, mesh, volume));
                (pieces, quality)
            }
            ConvexSpec::Pieces { most, resolution } => {
                let parameters =
                    Parameters { pieces: *most, resolution: *resolution, ..Parameters::default() };
                if let Err(error) = parameters.check() {
                    let is_resolution = matches!(error, DecomposeError::Range { what: "the resolution", .. });
                    let path = at.key("pieces").key(if is_resolution { "resolution" } else { "most" });
                    return Err(Problem::new(ErrorKind::Value, path, error.to_string()));
                }
                let name = format!("{file}.{key:016x}.convex");
                let kept = self.assets.kept(&name).and_then(|bytes| decode(&bytes, key));
                let stored = if let Some(stored) = kept {
                    stored
                } else {
                    let found = decompose(mesh, &parameters)
                        .map_err(|error| refused(format!("{file} has no convex pieces: {error}")))?;
                    let stored = Stored::of(&found);
                    self.assets.keep(&name, &encode(&stored, key));
                    stored
                };
                // Made again from their corners, so that pieces from a file are the same to the bit.
                let pieces: Vec<Polyhedron> =
                    stored.pieces.iter().filter_map(|points| Polyhedron::hull(points).ok()).collect();
                (pieces, Some(stored.quality))
            }
        };
        self.tell(file, mesh, &pieces, quality, path);
        let pieces: Vec<Arc<Polyhedron>> = pieces.into_iter().map(Arc::new).collect();
        self.convex.insert(known, pieces.clone());
        Ok(pieces)
    }

    /// Says how well the pieces fill the mesh.
    fn tell(
        &mut self,
        file: &str,
        mesh: &TriMesh,
        pieces: &[Polyhedron],
        quality: Option<Quality>,
        path: &Path,
    ) {
        let count = match pieces.len() {
            1 => "1 convex solid".to_string(),
            n => format!("{n} convex solids"),
        };
        let fit = quality.map_or(String::new(), |quality| {
            format!(
                " with {:.4} times its volume, up to {:.3} mm outside of it",
                quality.filled,
                1e3 * quality.overhang
            )
        });
        let corners: usize = pieces.iter().map(|p| p.vertices().len()).sum();
        let open =
            mesh.why_not_closed().map_or(String::new(), |why| format!(", which is not closed ({why})"));
        self.chosen.push(format!("{path}: {count} with {corners} corners in place of {file}{fit}{open}"));
    }
}

/// What to do about a mesh whose hull has no volume.
fn flat(error: &PolyhedronError) -> Option<String> {
    let is_flat =
        matches!(error, PolyhedronError::OnePlace | PolyhedronError::Collinear | PolyhedronError::Coplanar);
    is_flat.then(|| {
        "a hull needs a volume: leave `convex` out, and the sheet itself is touched from both sides, or take a `shape.box` as thick as it is meant to be"
            .into()
    })
}

/// Pieces as a file keeps them.
#[derive(Debug, PartialEq)]
struct Stored {
    quality: Quality,
    /// Corners of each [m].
    pieces: Vec<Vec<Vec3>>,
}

impl Stored {
    fn of(found: &Decomposition) -> Self {
        let pieces = found.pieces.iter().map(|piece| piece.vertices().to_vec()).collect();
        Self { quality: found.quality, pieces }
    }
}

/// Hash of all that pieces depend on.
fn content(mesh: &TriMesh, spec: &ConvexSpec) -> u64 {
    let mut hasher = StateHasher::default();
    hasher.bytes(MAGIC);
    hasher.bytes(format!("{spec:?}").as_bytes());
    for v in mesh.vertices() {
        for x in v.to_array() {
            hasher.float(x);
        }
    }
    for t in mesh.triangles() {
        for v in t {
            hasher.word(u64::from(*v));
        }
    }
    hasher.finish()
}

/// Layout: [`MAGIC`], hash of what it was made from, hash of the rest; quality (2 numbers), count, and for each piece the count of its
/// corners and their coordinates; all little-endian, 8 bytes each.
fn encode(stored: &Stored, key: u64) -> Vec<u8> {
    let mut body = Vec::new();
    let mut float = |x: f64| body.extend(x.to_le_bytes());
    float(stored.quality.filled);
    float(stored.quality.overhang);
    body.extend((stored.pieces.len() as u64).to_le_bytes());
    for piece in &stored.pieces {
        body.extend((piece.len() as u64).to_le_bytes());
        body.extend(piece.iter().flat_map(Vec3::to_array).flat_map(f64::to_le_bytes));
    }
    let mut bytes = MAGIC.to_vec();
    bytes.extend(key.to_le_bytes());
    bytes.extend(checksum(&body).to_le_bytes());
    bytes.extend(body);
    bytes
}

/// `None` for anything that [`encode`] did not write for this key.
fn decode(bytes: &[u8], key: u64) -> Option<Stored> {
    let rest = bytes.strip_prefix(MAGIC)?;
    let (head, body) = rest.split_at_checked(16)?;
    let (own_key, sum) = head.split_at(8);
    if own_key != key.to_le_bytes() || sum != checksum(body).to_le_bytes() {
        return None;
    }
    let mut words = body.chunks_exact(8).map(|word| word.try_into().map(u64::from_le_bytes));
    let mut word = || words.next()?.ok();
    let quality = Quality { filled: f64::from_bits(word()?), overhang: f64::from_bits(word()?) };
    // A count beyond what is there ends the loop by `None`, without memory for it.
    let count = word()?;
    let mut pieces = Vec::new();
    for _ in 0..count {
        let corners = word()?;
        let mut piece = Vec::new();
        for _ in 0..corners {
            let mut float = || word().map(f64::from_bits);
            piece.push(Vec3::new(float()?, float()?, float()?));
        }
        pieces.push(piece);
    }
    Some(Stored { quality, pieces })
}

fn checksum(bytes: &[u8]) -> u64 {
    let mut hasher = StateHasher::default();
    hasher.bytes(bytes);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_comes_back_and_nothing_else_does() {
        let stored = Stored {
            quality: Quality { filled: 1.01, overhang: 2e-4 },
            pieces: vec![vec![Vec3::X, Vec3::new(0.1, -0.0, 1e-300)], vec![Vec3::ONE]],
        };
        let bytes = encode(&stored, 7);
        assert_eq!(decode(&bytes, 7).as_ref(), Some(&stored));
        assert_eq!(decode(&bytes, 8), None);
        for end in 0..bytes.len() {
            assert_eq!(decode(&bytes[..end], 7), None, "cut at {end}");
        }
        for i in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[i] ^= 0x10;
            assert_eq!(decode(&damaged, 7), None, "damaged at {i}");
        }
    }
}
