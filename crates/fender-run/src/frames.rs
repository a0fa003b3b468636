//! Frames: what a viewer needs, in one file that can be cut anywhere and still be read.
//!
//! `frames.bin`, little-endian:
//! ```text
//! magic    8 bytes  "FENDERFR"
//! version  u32      1
//! length   u32      of the header
//! header   JSON     {title, period, bodies: [{name, motion, shapes: [{shape, …sizes, position, orientation}]}]}
//! then frames, each:
//!   length   u32    of the payload
//!   payload  time f64
//!            bodies × (position x y z, orientation x y z w) f32
//!            count u32
//!            count × (body_a u32, body_b u32, point x y z f32, force on the first x y z f32, depth f32)
//!   checksum u32    of the payload
//! ```
//! Lengths are in metres, forces in newtons. A reader stops at the first frame that is cut short or whose checksum
//! differs: everything before it is whole.

use fender_engine::{BodyMotion, Model, World};
use fender_geom::Shape;
use fender_math::{Pose, StateHasher};
use serde_json::{Value, json};

const MAGIC: &[u8; 8] = b"FENDERFR";
const VERSION: u32 = 1;
/// Interval of the frames when the scenario does not say [s].
pub const DEFAULT_PERIOD: f64 = 0.04;

/// The beginning of a frames file.
pub fn header(model: &Model, title: &str, period: f64) -> Vec<u8> {
    let bodies: Vec<Value> = model
        .bodies
        .iter()
        .map(|body| {
            let motion = match body.motion {
                BodyMotion::Free { .. } => "free",
                BodyMotion::Fixed => "fixed",
                BodyMotion::Driven { .. } => "driven",
            };
            let shapes = &model.shapes[body.shapes.start as usize..body.shapes.end as usize];
            let shapes: Vec<Value> = shapes.iter().map(|s| shape_json(&s.shape, &s.pose_bs)).collect();
            json!({"name": body.name, "motion": motion, "shapes": shapes})
        })
        .collect();
    let json = json!({"title": title, "period": period, "bodies": bodies}).to_string();
    let mut bytes = Vec::with_capacity(16 + json.len());
    bytes.extend(MAGIC);
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend((json.len() as u32).to_le_bytes());
    bytes.extend(json.as_bytes());
    bytes
}

fn shape_json(shape: &Shape, pose: &Pose) -> Value {
    let (p, r) = (pose.translation, pose.rotation);
    let mut value = json!({
        "shape": shape.name(),
        "position": [p.x, p.y, p.z],
        "orientation": {"w": r.w, "x": r.x, "y": r.y, "z": r.z},
    });
    match shape {
        Shape::Sphere { radius } => value["radius"] = json!(radius),
        Shape::HalfSpace => {}
        Shape::Box { half } => value["half"] = json!([half.x, half.y, half.z]),
        Shape::Cylinder { radius, half_height } | Shape::Capsule { radius, half_height } => {
            value["radius"] = json!(radius);
            value["half_height"] = json!(half_height);
        }
    }
    value
}

/// Adds a frame of this instant to a buffer. The world must have been refreshed.
pub fn sample(buffer: &mut Vec<u8>, world: &World) {
    let start = buffer.len();
    buffer.extend(0_u32.to_le_bytes());
    buffer.extend(world.state.time.to_le_bytes());
    let mut put = |values: &[f64]| values.iter().for_each(|v| buffer.extend((*v as f32).to_le_bytes()));
    for body in &world.data.bodies {
        let (p, r) = (body.pose.translation, body.pose.rotation);
        put(&[p.x, p.y, p.z, r.x, r.y, r.z, r.w]);
    }
    let count_at = buffer.len();
    buffer.extend(0_u32.to_le_bytes());
    let mut count = 0_u32;
    for contact in world.contacts() {
        count += 1;
        buffer.extend(contact.body_a.0.to_le_bytes());
        buffer.extend(contact.body_b.0.to_le_bytes());
        let (p, f) = (contact.overlap.point, contact.force());
        for value in [p.x, p.y, p.z, f.x, f.y, f.z, contact.overlap.depth] {
            buffer.extend((value as f32).to_le_bytes());
        }
    }
    buffer[count_at..count_at + 4].copy_from_slice(&count.to_le_bytes());
    let length = (buffer.len() - start - 4) as u32;
    buffer[start..start + 4].copy_from_slice(&length.to_le_bytes());
    let sum = checksum(&buffer[start + 4..]);
    buffer.extend(sum.to_le_bytes());
}

fn checksum(bytes: &[u8]) -> u32 {
    let mut hasher = StateHasher::default();
    hasher.bytes(bytes);
    hasher.finish() as u32
}

/// One frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// Time [s].
    pub time: f64,
    /// Position x y z [m] and orientation x y z w of each body.
    pub poses: Vec<[f32; 7]>,
    /// Contacts.
    pub contacts: Vec<FrameContact>,
}

/// A contact in a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameContact {
    /// First and second body.
    pub bodies: [u32; 2],
    /// Point in the world [m].
    pub point: [f32; 3],
    /// Force on the first body [N].
    pub force: [f32; 3],
    /// Depth [m].
    pub depth: f32,
}

/// Takes little-endian numbers off the front of a slice.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (head, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*head)
    }
    fn word(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }
    fn floats<const N: usize>(&mut self) -> Option<[f32; N]> {
        let mut values = [0.0; N];
        for value in &mut values {
            *value = f32::from_le_bytes(self.take()?);
        }
        Some(values)
    }
}

/// Reads a frames file: its header and all whole frames. `None` if the header is not one.
pub fn read(bytes: &[u8]) -> Option<(Value, Vec<Frame>)> {
    let mut bytes = Bytes(bytes);
    if bytes.take::<8>()? != *MAGIC || bytes.word()? != VERSION {
        return None;
    }
    let length = bytes.word()? as usize;
    let header: Value = serde_json::from_slice(bytes.0.get(..length)?).ok()?;
    bytes.0 = &bytes.0[length..];
    let bodies = header.get("bodies")?.as_array()?.len();
    let mut frames = Vec::new();
    while let Some(frame) = read_frame(&mut bytes, bodies) {
        frames.push(frame);
    }
    Some((header, frames))
}

fn read_frame(bytes: &mut Bytes<'_>, bodies: usize) -> Option<Frame> {
    let length = bytes.word()? as usize;
    let payload = bytes.0.get(..length)?;
    bytes.0 = &bytes.0[length..];
    if bytes.word()? != checksum(payload) {
        return None;
    }
    let mut payload = Bytes(payload);
    let time = f64::from_le_bytes(payload.take()?);
    let poses = (0..bodies).map(|_| payload.floats::<7>()).collect::<Option<Vec<_>>>()?;
    let count = payload.word()?;
    let mut contacts = Vec::new();
    for _ in 0..count {
        let bodies = [payload.word()?, payload.word()?];
        let (point, force) = (payload.floats()?, payload.floats()?);
        let [depth] = payload.floats()?;
        contacts.push(FrameContact { bodies, point, force, depth });
    }
    Some(Frame { time, poses, contacts })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    fn file() -> Vec<u8> {
        let mut world = testing::still_world();
        let mut bytes = header(&world.model, "Two balls", 0.04);
        for i in 0..3 {
            world.state.time = f64::from(i) * 0.04;
            sample(&mut bytes, &world);
        }
        bytes
    }

    #[test]
    fn frames_come_back() {
        let (header, frames) = read(&file()).unwrap();
        assert_eq!(header["bodies"][0]["name"], "left");
        assert_eq!(frames.len(), 3);
        assert_eq!(frames[2].time, 0.08);
        assert_eq!(frames[0].poses[1][..3], [1.0, 0.0, 0.0]);
        assert_eq!(frames[0].poses[0][6], 1.0);
    }

    #[test]
    fn a_file_cut_anywhere_gives_its_whole_frames() {
        let bytes = file();
        let header_len = header(&testing::two_balls(), "Two balls", 0.04).len();
        let frame = (bytes.len() - header_len) / 3;
        for cut in header_len..bytes.len() {
            let (_, frames) = read(&bytes[..cut]).unwrap();
            assert_eq!(frames.len(), (cut - header_len) / frame);
        }
        assert!(read(&bytes[..header_len - 1]).is_none());
    }

    #[test]
    fn a_damaged_frame_ends_the_film() {
        let mut bytes = file();
        let at = bytes.len() - 10;
        bytes[at] ^= 0x40;
        assert_eq!(read(&bytes).unwrap().1.len(), 2);
    }
}
