//! Outlines: the surfaces of contacts over a patch, in a record before that of the frames they belong to.

use super::frame::{Frame, multiple};
use super::resolution::Resolution;
use super::varint::{Bytes, put, put_signed};

/// Contacts with an outline in a frame, at most.
pub const MAX_OUTLINES: usize = 256;
/// Corners of an outline, at most; beyond, its smallest polygons are left out.
pub const MAX_CORNERS: usize = 96;
/// Rings of a polygon, at most.
const MAX_RINGS: usize = 15;
/// Steps from the contact's point to the farthest place of an outline, at most, but for rounding: every number then takes
/// one or two bytes, and what lies still has the same bytes in every frame.
const MAX_STEPS: f64 = 2047.25;
/// Powers of two by which steps are longer than the resolution, at most.
const MAX_DOUBLINGS: u64 = 40;
/// Load of a place at the greatest depth.
pub const FULL_LOAD: u8 = 255;

/// The surface of a contact over a patch.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrameOutline {
    /// Place of the contact in the frame's list.
    pub contact: u32,
    /// Pressure at the greatest depth [Pa], if the contact's law is one of pressure.
    pub pressure: Option<f32>,
    /// Greatest depth below the soft body's surface [m].
    pub depth: f64,
    /// Parts of the surface.
    pub polygons: Vec<FramePolygon>,
}

/// A part of a surface of contact.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FramePolygon {
    /// Corners from the contact's point [m].
    pub corners: Vec<[f64; 3]>,
    /// A place inside, from the contact's point [m], if there are rings around it.
    pub center: Option<[f64; 3]>,
    /// Depth in 255ths of the greatest: of the corners, then ring by ring inwards, then of the centre.
    pub loads: Vec<u8>,
}

impl FramePolygon {
    /// Rings between corners and centre: each has as many places as there are corners.
    fn rings(&self) -> usize {
        let count = self.corners.len();
        if self.center.is_none() || count == 0 {
            return 0;
        }
        (self.loads.len().saturating_sub(1) / count).saturating_sub(1)
    }

    /// Loads of so many corners and rings.
    fn load_count(corners: usize, rings: usize) -> usize {
        corners * (rings + 1) + usize::from(rings > 0)
    }

    fn put(&self, step: f64, body: &mut Vec<u8>) {
        let rings = self.rings().min(MAX_RINGS);
        put(body, self.corners.len() as u64);
        put(body, rings as u64);
        let mut before = [0; 3];
        for place in self.corners.iter().chain(self.center.iter().filter(|_| rings > 0)) {
            for (value, before) in place.iter().zip(&mut before) {
                let new = multiple(*value, step);
                put_signed(body, new - *before);
                *before = new;
            }
        }
        let loads = self.loads.iter().copied().chain(std::iter::repeat(0));
        body.extend(loads.take(Self::load_count(self.corners.len(), rings)));
    }

    fn decode(bytes: &mut Bytes<'_>, step: f64) -> Option<Self> {
        let count = bytes.whole()?;
        let rings = bytes.whole()?;
        // Three numbers and a load for each corner.
        if count > bytes.0.len() as u64 / 4 || rings > MAX_RINGS as u64 {
            return None;
        }
        let (count, rings) = (count as usize, rings as usize);
        let mut before = [0_i64; 3];
        let mut place = || {
            let mut place = [0.0; 3];
            for (value, before) in place.iter_mut().zip(&mut before) {
                *before = before.checked_add(bytes.signed()?)?;
                *value = *before as f64 * step;
            }
            Some(place)
        };
        let corners = (0..count).map(|_| place()).collect::<Option<Vec<_>>>()?;
        let center = if rings > 0 { Some(place()?) } else { None };
        let loads = bytes.slice(Self::load_count(count, rings))?.to_vec();
        Some(Self { corners, center, loads })
    }
}

/// How many times the resolution of lengths is doubled for the places of an outline. What has been rounded to such steps gives
/// the same number again.
fn doublings(outline: &FrameOutline, length: f64) -> u64 {
    let places = outline.polygons.iter().flat_map(|polygon| polygon.corners.iter().chain(&polygon.center));
    let mut steps = places.flatten().fold(0.0, |most: f64, x| most.max(x.abs())) / length;
    let mut doublings = 0;
    while steps > MAX_STEPS && doublings < MAX_DOUBLINGS {
        steps *= 0.5;
        doublings += 1;
    }
    doublings
}

/// Length of a step [m].
fn step_length(length: f64, doublings: u64) -> f64 {
    length * (1_u64 << doublings) as f64
}

/// Adds the outlines of a frame.
pub(super) fn put_frame(outlines: &[FrameOutline], resolution: &Resolution, body: &mut Vec<u8>) {
    put(body, outlines.len() as u64);
    let mut next = 0;
    for outline in outlines {
        put(body, u64::from(outline.contact.saturating_sub(next)));
        next = outline.contact + 1;
        put(body, u64::from(outline.pressure.is_some()));
        if let Some(pressure) = outline.pressure {
            body.extend(pressure.to_le_bytes());
        }
        put_signed(body, multiple(outline.depth, resolution.depth));
        let doublings = doublings(outline, resolution.length);
        put(body, doublings);
        put(body, outline.polygons.len() as u64);
        for polygon in &outline.polygons {
            polygon.put(step_length(resolution.length, doublings), body);
        }
    }
}

/// Reads the outlines of a record's payload into the frames that they belong to. `None` if it is damaged, or belongs to other
/// frames.
pub fn decode(payload: &[u8], resolution: &Resolution, frames: &mut [Frame]) -> Option<()> {
    let mut bytes = Bytes(payload);
    if bytes.whole()? != frames.len() as u64 {
        return None;
    }
    for frame in frames {
        let mut next = 0_u32;
        for _ in 0..bytes.count(5)? {
            let contact = next.checked_add(bytes.index()?)?;
            if contact as usize >= frame.contacts.len() {
                return None;
            }
            next = contact + 1;
            let pressure = match bytes.whole()? & 1 {
                1 => Some(f32::from_le_bytes(bytes.take()?)),
                _ => None,
            };
            let depth = bytes.signed()? as f64 * resolution.depth;
            let doublings = bytes.whole().filter(|doublings| *doublings <= MAX_DOUBLINGS)?;
            let step = step_length(resolution.length, doublings);
            let count = bytes.count(2)?;
            let polygons =
                (0..count).map(|_| FramePolygon::decode(&mut bytes, step)).collect::<Option<Vec<_>>>()?;
            frame.outlines.push(FrameOutline { contact, pressure, depth, polygons });
        }
    }
    bytes.0.is_empty().then_some(())
}
