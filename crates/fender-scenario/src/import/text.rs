//! Numbers, places and names as TOML, as a person would write them.

use super::source::turned;
use fender_math::{Mat3, Pose, Quat, Vec3, float};

/// Rounding of lengths [m], angles [rad] and directions: what products of rotations leave behind is smaller.
const GRAIN: f64 = 1e-12;

/// A number, in as few digits as give it back.
pub(super) fn number(x: f64) -> String {
    let size = x.abs();
    if size == 0.0 {
        "0".into()
    } else if (1e-4..1e9).contains(&size) {
        format!("{x}")
    } else {
        format!("{x:e}")
    }
}

/// A number without the noise of rounding.
pub(super) fn clean(x: f64) -> f64 {
    // By way of text: 0.1 + 0.2 is 0.3. Beyond a kilometre the noise is part of the last digits.
    if x.abs() > 1e3 { x } else { format!("{x:.12}").parse().unwrap_or(x) }
}

/// [`clean`] as text.
fn cleaned(x: f64) -> String {
    number(clean(x))
}

/// Three numbers without the noise of rounding.
pub(super) fn vector(v: Vec3) -> String {
    format!("[{}, {}, {}]", cleaned(v.x), cleaned(v.y), cleaned(v.z))
}

/// Three numbers as they are.
pub(super) fn plain_vector(v: Vec3) -> String {
    format!("[{}, {}, {}]", number(v.x), number(v.y), number(v.z))
}

/// An inertia: three moments, or all six entries.
pub(super) fn inertia(matrix: &Mat3) -> String {
    let [x, y, z] = [matrix.x_axis, matrix.y_axis, matrix.z_axis];
    let largest = x.abs().max(y.abs()).max(z.abs()).max_element();
    // Relative to the largest: inertias of small parts are far below one.
    let entry = |value: f64| {
        if value.abs() < GRAIN * largest {
            return "0".to_string();
        }
        // Twelve digits, the rest is noise; what was typed comes back as it was.
        let short: f64 = format!("{value:.11e}").parse().unwrap_or(value);
        number(short)
    };
    let [xy, xz, yz] = [x.y, x.z, y.z].map(entry);
    let [xx, yy, zz] = [x.x, y.y, z.z].map(entry);
    if [&xy, &xz, &yz].iter().all(|product| *product == "0") {
        return format!("[{xx}, {yy}, {zz}]");
    }
    format!("{{ xx = {xx}, yy = {yy}, zz = {zz}, xy = {xy}, xz = {xz}, yz = {yz} }}")
}

/// `position` and `orientation`, where they are not the default.
pub(super) fn placed(pose: &Pose) -> Vec<String> {
    let mut keys = Vec::new();
    let position = vector(pose.translation);
    if position != "[0, 0, 0]" {
        keys.push(format!("position = {position}"));
    }
    keys.extend(orientation(pose.rotation));
    keys
}

/// An orientation, in angles if they give it back.
pub(super) fn orientation(q: Quat) -> Option<String> {
    let rpy = angles(q);
    let back = turned(Vec3::new(clean(rpy.x), clean(rpy.y), clean(rpy.z)));
    if back.dot(q).abs() < 1.0 - 1e-15 || (back * back.dot(q).signum() - q).length() > 1e-11 {
        let [x, y, z, w] = q.to_array().map(number);
        return Some(format!("orientation.quaternion = {{ w = {w}, x = {x}, y = {y}, z = {z} }}"));
    }
    let named = [("roll", rpy.x), ("pitch", rpy.y), ("yaw", rpy.z)];
    let turns: Vec<_> = named.iter().filter(|(_, a)| clean(*a) != 0.0).collect();
    if turns.is_empty() {
        return None;
    }
    let turns: Vec<_> = turns.iter().map(|(name, a)| format!("{name} = {}", angle(*a))).collect();
    Some(format!("orientation.euler = {{ {} }}", turns.join(", ")))
}

/// An angle: in degrees if they are round, else in radians.
fn angle(radians: f64) -> String {
    let degrees = radians.to_degrees();
    let round = (degrees * 1e3).round() / 1e3;
    if (degrees - round).abs() < 1e-10 { format!("\"{round} deg\"") } else { cleaned(radians) }
}

/// Roll, pitch and yaw [rad].
fn angles(q: Quat) -> Vec3 {
    let r = Mat3::from_quat(q);
    let level = (r.x_axis.x * r.x_axis.x + r.x_axis.y * r.x_axis.y).sqrt();
    let pitch = float::atan2(-r.x_axis.z, level);
    if level < 1e-8 {
        // Straight up or down, roll and yaw are about the same axis: all of it is told as roll.
        return Vec3::new(float::atan2(-r.z_axis.y, r.y_axis.y), pitch, 0.0);
    }
    Vec3::new(float::atan2(r.y_axis.z, r.z_axis.z), pitch, float::atan2(r.x_axis.y, r.x_axis.x))
}

/// A name as a key of TOML.
pub(super) fn key(name: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if name.chars().all(bare) { name.into() } else { quoted(name) }
}

/// A text in quotes.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out += "\\\"",
            '\\' => out += "\\\\",
            c if c.is_control() => out += &format!("\\u{:04X}", u32::from(c)),
            c => out.push(c),
        }
    }
    out + "\""
}

/// A text on one line of a comment.
pub(super) fn comment(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::{FRAC_PI_2, PI};

    #[test]
    fn numbers_are_short_and_right() {
        for (x, text) in [(0.0, "0"), (-0.0, "0"), (2.0, "2"), (0.25, "0.25"), (1e-7, "1e-7"), (3e20, "3e20")]
        {
            assert_eq!(number(x), text);
            assert_eq!(text.parse::<f64>().unwrap(), x);
        }
        assert_eq!(vector(Vec3::new(0.1 + 0.2, -1e-17, 6.1e-17 - 1.0)), "[0.3, 0, -1]");
        assert_eq!(vector(Vec3::new(12345.0, 10.0, 1e300)), "[12345, 10, 1e300]");
        assert_eq!(quoted("a\"b\\c\nd"), "\"a\\\"b\\\\c\\u000Ad\"");
        assert_eq!((key("a-b_1"), key("hüfte")), ("a-b_1".into(), "\"hüfte\"".into()));
    }

    #[test]
    fn orientations_come_back() {
        assert_eq!(orientation(Quat::IDENTITY), None);
        assert_eq!(
            orientation(turned(Vec3::new(FRAC_PI_2, 0.0, -PI / 4.0))).unwrap(),
            "orientation.euler = { roll = \"90 deg\", yaw = \"-45 deg\" }"
        );
        assert_eq!(
            orientation(turned(Vec3::new(0.0, 1.23456789, 0.0))).unwrap(),
            "orientation.euler = { pitch = 1.23456789 }"
        );
        // Straight up: the two other angles are one.
        assert_eq!(
            orientation(turned(Vec3::new(0.5, FRAC_PI_2, 0.2))).unwrap(),
            "orientation.euler = { roll = 0.3, pitch = \"90 deg\" }"
        );
        // Nearly so: the angles would lose digits that a quaternion keeps.
        let text = orientation(turned(Vec3::new(0.5, FRAC_PI_2 - 1e-7, 0.2))).unwrap();
        assert!(text.starts_with("orientation.quaternion"), "{text}");
    }

    #[test]
    fn inertias_lose_noise_and_nothing_else() {
        let matrix = Mat3::from_diagonal(Vec3::new(1e-6, 2.5e-6, 0.1 + 0.2));
        assert_eq!(inertia(&matrix), "[1e-6, 2.5e-6, 0.3]");
        let mut matrix = matrix;
        matrix.x_axis.y = 1e-7;
        matrix.y_axis.x = 1e-7;
        assert_eq!(inertia(&matrix), "{ xx = 1e-6, yy = 2.5e-6, zz = 0.3, xy = 1e-7, xz = 0, yz = 0 }");
    }
}
