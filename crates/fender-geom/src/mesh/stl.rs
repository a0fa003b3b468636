//! STL: a list of triangles, as text or in binary.
//!
//! Binary: 80 bytes of anything, the number of triangles as u32, then 50 bytes for each: normal, three corners (12 floats
//! of 4 bytes) and 2 bytes of attributes, all little-endian. Text files begin with `solid`, but so do the 80 bytes of
//! some binary ones: the length decides. The normals in the file are redundant and often zero; they are computed.

use super::VisualMesh;
use super::assemble::{Assembly, Material, check};
use super::error::{MeshError, MeshProblem, Place};
use super::look::{beginning, not_text};
use fender_math::Vec3;

const HEADER: usize = 84;
const TRIANGLE: usize = 50;

pub(super) fn read(bytes: &[u8]) -> Result<VisualMesh, MeshError> {
    let announced = bytes.get(80..HEADER).and_then(|b| b.try_into().ok()).map(u32::from_le_bytes);
    let needs = announced.map(|n| HEADER as u64 + u64::from(n) * TRIANGLE as u64);
    let fits = needs.is_some_and(|n| n <= bytes.len() as u64 && n > HEADER as u64);
    let is_text = || bytes.trim_ascii_start().starts_with(b"solid") && !bytes.contains(&0);
    if fits {
        return binary(&bytes[HEADER..needs.unwrap_or(0) as usize]);
    }
    if is_text() {
        return text(bytes);
    }
    let has = bytes.len() as u64;
    let begins = beginning(bytes);
    if not_text(bytes).is_none() && !begins.is_empty() && !begins.starts_with("solid") {
        let message = format!(
            "this is no STL file: it is text, and a text STL file begins with `solid`, not \"{begins}\""
        );
        return Err(MeshError::new(Place::File, MeshProblem::Malformed(message)));
    }
    Err(match needs {
        Some(needs) if needs > has => MeshError::new(
            Place::Byte(80),
            MeshProblem::Truncated { what: "its list of triangles", needs, has },
        ),
        Some(_) => MeshError::new(Place::Byte(80), MeshProblem::Empty("their number is 0 here".into())),
        None => {
            let needs = HEADER as u64;
            MeshError::new(
                Place::File,
                MeshProblem::Truncated { what: "the header of an STL file", needs, has },
            )
        }
    })
}

fn binary(bytes: &[u8]) -> Result<VisualMesh, MeshError> {
    let mut assembly = Assembly::default();
    assembly.start_part(&Material::NONE);
    for (i, triangle) in bytes.chunks_exact(TRIANGLE).enumerate() {
        let number = |k: usize| {
            let at = 4 * k;
            f64::from(f32::from_le_bytes([
                triangle[at],
                triangle[at + 1],
                triangle[at + 2],
                triangle[at + 3],
            ]))
        };
        let corner = |k: usize| Vec3::new(number(3 * k), number(3 * k + 1), number(3 * k + 2));
        let place = || Place::Byte(HEADER + i * TRIANGLE);
        assembly.flat_triangle([corner(1), corner(2), corner(3)], &place)?;
    }
    assembly.finish(|| "it ends before the first".into())
}

fn text(bytes: &[u8]) -> Result<VisualMesh, MeshError> {
    let mut assembly = Assembly::default();
    assembly.start_part(&Material::NONE);
    let mut corners: Vec<Vec3> = Vec::with_capacity(3);
    let mut in_facet = false;
    let mut last = 0;
    for (i, line) in bytes.split(|b| *b == b'\n').enumerate() {
        let number = i + 1;
        last = number;
        // Names may be in any encoding; the words that matter are ASCII.
        let line = String::from_utf8_lossy(line);
        let mut words = line.split_ascii_whitespace();
        let Some(first) = words.next() else { continue };
        match first.to_ascii_lowercase().as_str() {
            "facet" if !in_facet => in_facet = true,
            "vertex" if in_facet && corners.len() < 3 => corners.push(vertex(words, number)?),
            "vertex" => return Err(MeshError::line(number, "a facet has three vertices")),
            "endfacet" => {
                let Ok(triangle) = <[Vec3; 3]>::try_from(corners.as_slice()) else {
                    let message = format!("a facet has three vertices, and this one has {}", corners.len());
                    return Err(MeshError::line(number, message));
                };
                assembly.flat_triangle(triangle, &|| Place::Line(number))?;
                corners.clear();
                in_facet = false;
            }
            "solid" | "endsolid" if !in_facet => {}
            "outer" | "endloop" if in_facet => {}
            _ => {
                let word: String = first.chars().take(20).collect();
                return Err(MeshError::line(number, format!("unexpected word `{word}` in a text STL file")));
            }
        }
    }
    if in_facet {
        return Err(MeshError::line(last, "the file is cut short: a facet has no end"));
    }
    assembly.finish(|| "no `facet` between `solid` and `endsolid`".into())
}

fn vertex<'a>(words: impl Iterator<Item = &'a str>, line: usize) -> Result<Vec3, MeshError> {
    let numbers: Vec<f64> = words.map_while(|w| w.parse().ok()).take(4).collect();
    match numbers[..] {
        [x, y, z] => {
            let v = Vec3::new(x, y, z);
            check(v, &|| Place::Line(line)).map(|()| v)
        }
        _ => Err(MeshError::line(line, "a vertex has three numbers")),
    }
}
