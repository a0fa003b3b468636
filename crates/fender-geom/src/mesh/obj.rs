//! OBJ: polygons as text, with materials in MTL files beside it.

use super::assemble::{Assembly, Material, check, plane_normal};
use super::error::{MeshError, MeshProblem, Place};
use super::look::{counted, not_text};
use super::{MAX_SIZE, VisualMesh, mtl, normals};
use fender_math::Vec3;
use std::collections::{BTreeMap, HashMap};

/// Corner of a triangle: position and, if the file gives one, normal.
type Corner = (u32, Option<u32>);

#[derive(Default)]
struct Reader {
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
    /// Triangles by material, in the order the materials appear.
    groups: Vec<(String, Vec<[Corner; 3]>)>,
    current: usize,
    triangles: usize,
    materials: BTreeMap<String, Material>,
    has_texture: bool,
    has_curves: bool,
}

pub(super) fn read(
    bytes: &[u8],
    load: &mut dyn FnMut(&str) -> Result<Vec<u8>, String>,
) -> Result<VisualMesh, MeshError> {
    read_lines(bytes, load).map_err(|error| match not_text(bytes) {
        // Whatever a line of rubbish is taken for, that it is rubbish says more.
        Some((at, what)) if error.file.is_empty() => {
            let message = format!("{what}, and an OBJ file is text: lines such as `v 0 0 1` for vertices and `f 1 2 3` for faces");
            MeshError::new(Place::Byte(at), MeshProblem::Malformed(message))
        }
        _ => error,
    })
}

fn read_lines(
    bytes: &[u8],
    load: &mut dyn FnMut(&str) -> Result<Vec<u8>, String>,
) -> Result<VisualMesh, MeshError> {
    let mut reader = Reader { groups: vec![(String::new(), Vec::new())], ..Reader::default() };
    let mut lines = bytes.split(|b| *b == b'\n').enumerate();
    while let Some((i, line)) = lines.next() {
        let mut line = String::from_utf8_lossy(line).into_owned();
        // A backslash at the end joins the next line.
        while let Some(start) = line.trim_end().strip_suffix('\\').map(str::len) {
            line.truncate(start);
            let Some((_, next)) = lines.next() else { break };
            line.push_str(&String::from_utf8_lossy(next));
        }
        let line = line.split('#').next().unwrap_or_default().trim();
        let (key, rest) = line.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((line, ""));
        reader.line(key, rest.trim(), i + 1, load)?;
    }
    reader.finish()
}

impl Reader {
    fn line(
        &mut self,
        key: &str,
        rest: &str,
        line: usize,
        load: &mut dyn FnMut(&str) -> Result<Vec<u8>, String>,
    ) -> Result<(), MeshError> {
        match key {
            "v" => self.positions.push(vector(rest, line, "v")?),
            "vn" => self.normals.push(vector(rest, line, "vn")?),
            "f" => self.face(rest, line)?,
            "usemtl" => {
                self.current = self.groups.iter().position(|(name, _)| name == rest).unwrap_or_else(|| {
                    self.groups.push((rest.to_owned(), Vec::new()));
                    self.groups.len() - 1
                });
            }
            "mtllib" => {
                let bytes = load(rest).map_err(|why| {
                    MeshError::new(Place::Line(line), MeshProblem::Companion { name: rest.into(), why })
                })?;
                self.has_texture |= mtl::read(&bytes, &mut self.materials).map_err(|e| e.in_file(rest))?;
            }
            "curv" | "curv2" | "surf" | "l" | "p" => self.has_curves = true,
            // Texture coordinates, groups, object names, smoothing groups and what is newer.
            _ => {}
        }
        Ok(())
    }

    fn face(&mut self, rest: &str, line: usize) -> Result<(), MeshError> {
        let corner = |word: &str| -> Result<Corner, MeshError> {
            let mut fields = word.split('/');
            let position = index(fields.next().unwrap_or_default(), self.positions.len(), "vertex", line)?;
            let normal = match fields.nth(1) {
                None | Some("") => None,
                Some(text) => Some(index(text, self.normals.len(), "normal", line)?),
            };
            Ok((position, normal))
        };
        let corners = rest.split_ascii_whitespace().map(corner).collect::<Result<Vec<_>, _>>()?;
        if corners.len() < 3 {
            let message = format!("a face has three corners or more, and this one has {}", corners.len());
            return Err(MeshError::line(line, message));
        }
        self.triangles += corners.len() - 2;
        if self.triangles > MAX_SIZE {
            return Err(MeshError::new(Place::Line(line), MeshProblem::TooLarge));
        }
        let fan = corners[1..].windows(2).map(|pair| [corners[0], pair[0], pair[1]]);
        self.groups[self.current].1.extend(fan);
        Ok(())
    }

    fn finish(self) -> Result<VisualMesh, MeshError> {
        let mut assembly = Assembly::default();
        let all = || self.groups.iter().flat_map(|(_, triangles)| triangles);
        let lacks_normals = all().flatten().any(|(_, normal)| normal.is_none());
        let computed = if lacks_normals {
            let indices: Vec<[u32; 3]> = all().map(|t| t.map(|(position, _)| position)).collect();
            normals::creased(&self.positions, &indices)
        } else {
            Vec::new()
        };
        let mut computed = computed.into_iter();
        for (name, triangles) in &self.groups {
            let known = self.materials.get(name);
            if known.is_none() && !name.is_empty() && !self.materials.is_empty() && !triangles.is_empty() {
                assembly.warn(format!("the material `{name}` is in no MTL file, so it is shown in grey"));
            }
            assembly.start_part(known.unwrap_or(&Material::NONE));
            // Corners with the same position and normal are one vertex.
            let mut made: HashMap<(u32, [u32; 3]), u32> = HashMap::new();
            for triangle in triangles {
                let own = computed.next().unwrap_or([Vec3::ZERO; 3]);
                if plane_normal(triangle.map(|(i, _)| self.positions[i as usize])).is_none() {
                    assembly.leave_out();
                    continue;
                }
                let mut corners = [0; 3];
                for (k, (position, normal)) in triangle.iter().enumerate() {
                    let normal = normal.map_or(own[k], |n| self.normals[n as usize]);
                    let bits = [normal.x, normal.y, normal.z].map(|x| (x as f32).to_bits());
                    let key = (*position, bits);
                    corners[k] = if let Some(vertex) = made.get(&key) {
                        *vertex
                    } else {
                        let at = self.positions[*position as usize];
                        let vertex = assembly.vertex(at, normal, &|| Place::File)?;
                        made.insert(key, vertex);
                        vertex
                    };
                }
                assembly.triangle(corners)?;
            }
        }
        if self.has_texture {
            assembly.warn("textures are not shown, only the colours of the materials");
        }
        if self.has_curves {
            assembly.warn("its curves, lines and points are not shown");
        }
        let curves = if self.has_curves { ", but curves, lines or points" } else { "" };
        assembly.finish(|| {
            let vertices = counted(self.positions.len(), "vertex", "vertices");
            format!("it has {vertices} and no faces, which are lines such as `f 1 2 3`{curves}")
        })
    }
}

fn vector(rest: &str, line: usize, key: &str) -> Result<Vec3, MeshError> {
    let mut words = rest.split_ascii_whitespace().map(str::parse::<f64>);
    match (words.next(), words.next(), words.next()) {
        (Some(Ok(x)), Some(Ok(y)), Some(Ok(z))) => {
            let v = Vec3::new(x, y, z);
            check(v, &|| Place::Line(line)).map(|()| v)
        }
        _ => Err(MeshError::line(line, format!("`{key}` takes three numbers, and has \"{}\"", clip(rest)))),
    }
}

/// An index counted from 1, or from the end if it is negative.
fn index(text: &str, count: usize, what: &'static str, line: usize) -> Result<u32, MeshError> {
    let Ok(index) = text.parse::<i64>() else {
        let message = format!("expected the number of a {what}, got \"{}\"", clip(text));
        return Err(MeshError::line(line, message));
    };
    let from_start =
        if index < 0 { i64::try_from(count).map_or(-1, |n| n.saturating_add(index)) } else { index - 1 };
    match u32::try_from(from_start) {
        Ok(i) if (i as usize) < count && index != 0 => Ok(i),
        _ => Err(MeshError::new(Place::Line(line), MeshProblem::Index { what, index, count })),
    }
}

/// The beginning of a text that may be long.
fn clip(text: &str) -> String {
    text.chars().take(40).collect()
}
