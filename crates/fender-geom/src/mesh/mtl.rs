//! MTL: the materials of OBJ files.

use super::assemble::{Material, byte};
use super::error::MeshError;
use std::collections::BTreeMap;

/// Materials by name, and whether any of them has a texture.
pub(super) fn read(bytes: &[u8], materials: &mut BTreeMap<String, Material>) -> Result<bool, MeshError> {
    let text = String::from_utf8_lossy(bytes);
    let mut current: Option<&mut Material> = None;
    let mut has_texture = false;
    for (i, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        let Some((key, rest)) = line.split_once(|c: char| c.is_ascii_whitespace()) else { continue };
        if key == "newmtl" {
            let made = Material { own_colour: true, ..Material::NONE };
            let entry = materials.entry(rest.trim().to_owned()).or_insert(made);
            *entry = made;
            current = Some(entry);
            continue;
        }
        has_texture |= key.starts_with("map_");
        let Some(material) = current.as_deref_mut() else { continue };
        let numbers = || -> Result<Vec<f64>, MeshError> {
            let numbers: Option<Vec<f64>> = rest
                .split_ascii_whitespace()
                .map(|w| w.parse().ok().filter(|x: &f64| x.is_finite()))
                .collect();
            let message = || format!("`{key}` takes numbers, and has \"{}\"", rest.trim());
            numbers.filter(|n| !n.is_empty()).ok_or_else(|| MeshError::line(i + 1, message()))
        };
        match key {
            // "Kd spectral file" and "Kd xyz x y z" are not in use; a grey may be written as one number.
            "Kd" => {
                let n = numbers()?;
                let [r, g, b] = [0, 1, 2].map(|k| byte(n.get(k).copied().unwrap_or(n[0])));
                material.colour = [r, g, b, material.colour[3]];
            }
            "d" => material.colour[3] = byte(numbers()?[0]),
            "Tr" => material.colour[3] = byte(1.0 - numbers()?[0]),
            "Ns" => material.roughness = roughness(numbers()?[0]),
            "Pr" => material.roughness = numbers()?[0].clamp(0.0, 1.0) as f32,
            "Pm" => material.metallic = numbers()?[0].clamp(0.0, 1.0) as f32,
            _ => {}
        }
    }
    Ok(has_texture)
}

/// Roughness of a Blinn–Phong exponent: the width of the highlight is the same when α² = 2/(n + 2), and α is the square
/// of the roughness (Walter et al. 2007; Burley 2012, section 5.4).
fn roughness(exponent: f64) -> f32 {
    (2.0 / (exponent.max(0.0) + 2.0)).sqrt().sqrt() as f32
}
