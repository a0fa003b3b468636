//! Frames: where everything is at one instant, rounded, and written as differences from the frame before.

use super::outline::{self, FrameOutline};
use super::resolution::Resolution;
use super::varint::{Bytes, put, put_signed};
use super::{FRAMES, PATCHES, record};

/// Frames per record. Longer ones save little (the first frame of a record is a few percent of it), shorter ones cost
/// much and let a viewer jump no faster.
pub const BLOCK: u32 = 25;
/// Largest multiple of a resolution that is told: twice the difference of two of them fits the whole numbers of a double,
/// which is what browsers compute with.
const LIMIT: f64 = (1_u64 << 51) as f64;
/// Signed numbers of a contact.
const NUMBERS: usize = 11;

/// How many things a frame tells of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// Bodies.
    pub bodies: usize,
    /// Curves.
    pub curves: usize,
    /// Heights of each height field.
    pub fields: Vec<usize>,
    /// Pairs of bodies whose closest points are told.
    pub gaps: usize,
}

/// One instant.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    /// Time [s].
    pub time: f64,
    /// Bodies that are not there.
    pub absent: Vec<u32>,
    /// Position x y z [m] and orientation x y z w of each body.
    pub poses: Vec<[f64; 7]>,
    /// Nodes of each curve.
    pub curves: Vec<Vec<Node>>,
    /// Heights of each field, row by row, x fastest [m].
    pub fields: Vec<Vec<f64>>,
    /// Closest points of each gap, on its first and its second body: x y z, x y z [m].
    pub gaps: Vec<[f64; 6]>,
    /// Contacts.
    pub contacts: Vec<FrameContact>,
    /// Surfaces of contacts over a patch, in the order of the contacts.
    pub outlines: Vec<FrameOutline>,
}

/// A node of a curve.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Node {
    /// Position [m].
    pub position: [f64; 3],
    /// Tension there [N].
    pub tension: f64,
}

/// A contact in a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FrameContact {
    /// First and second body.
    pub bodies: [u32; 2],
    /// Whether it slides; else it sticks.
    pub sliding: bool,
    /// Point in the world [m].
    pub point: [f64; 3],
    /// Normal force on the first body [N].
    pub normal: [f64; 3],
    /// Friction force on the first body [N].
    pub friction: [f64; 3],
    /// Depth [m].
    pub depth: f64,
    /// Radius of the contact patch, or of a disc with its area [m]; 0 if it has none.
    pub patch: f64,
}

impl Resolution {
    /// Steps of the signed numbers of a contact, in their order.
    fn contact(&self) -> [f64; NUMBERS] {
        let (l, f) = (self.length, self.force);
        [l, l, l, f, f, f, f, f, f, self.depth, l]
    }

    fn pose(&self) -> [f64; 7] {
        let (l, q) = (self.length, self.quaternion);
        [l, l, l, q, q, q, q]
    }

    fn node(&self) -> [f64; 4] {
        [self.length, self.length, self.length, self.force]
    }
}

/// The multiple of a step that is nearest to a value; what is not a number is 0.
pub(super) fn multiple(value: f64, step: f64) -> i64 {
    // Casting cuts off at the ends and takes NaN to 0; the limits make it exact in a double.
    (value / step).round().clamp(-LIMIT, LIMIT) as i64
}

/// What both writer and reader remember of the frame before: everything as multiples.
#[derive(Debug, Default)]
struct Before {
    poses: Vec<i64>,
    curves: Vec<Vec<i64>>,
    fields: Vec<Vec<i64>>,
    gaps: Vec<i64>,
    contacts: Vec<([u32; 2], [i64; NUMBERS])>,
}

impl Before {
    fn reset(&mut self, layout: &Layout) {
        let zeros = |numbers: &mut Vec<i64>, count: usize| {
            numbers.clear();
            numbers.resize(count, 0);
        };
        zeros(&mut self.poses, 7 * layout.bodies);
        zeros(&mut self.gaps, 6 * layout.gaps);
        self.curves.resize(layout.curves, Vec::new());
        self.curves.iter_mut().for_each(Vec::clear);
        self.fields.resize(layout.fields.len(), Vec::new());
        for (field, count) in self.fields.iter_mut().zip(&layout.fields) {
            zeros(field, *count);
        }
        self.contacts.clear();
    }

    /// The numbers that those of the contact at a place of the list are told as differences from: those of the contact at
    /// the same place before, if it was between the same two bodies.
    fn contact(&self, place: usize, bodies: [u32; 2]) -> [i64; NUMBERS] {
        self.contacts.get(place).filter(|(pair, _)| *pair == bodies).map_or([0; NUMBERS], |(_, old)| *old)
    }
}

/// Turns frames into records.
#[derive(Debug)]
pub struct Encoder {
    resolution: Resolution,
    layout: Layout,
    before: Before,
    contacts: Vec<([u32; 2], [i64; NUMBERS])>,
    frames: u32,
    body: Vec<u8>,
    /// Outlines of the same frames.
    outlines: Vec<u8>,
    has_outlines: bool,
    /// Frames that make a record full.
    pub block: u32,
}

impl Encoder {
    /// An encoder without frames.
    pub fn new(resolution: Resolution, layout: Layout) -> Self {
        let mut before = Before::default();
        before.reset(&layout);
        Self {
            resolution,
            layout,
            before,
            contacts: Vec::new(),
            frames: 0,
            body: Vec::new(),
            outlines: Vec::new(),
            has_outlines: false,
            block: BLOCK,
        }
    }

    /// Bytes of the frames that have not gone into a record.
    pub fn pending(&self) -> usize {
        self.body.len() + self.outlines.len()
    }

    /// Adds a frame, and to the stream a record once there are enough. What a frame has too few of is told as zero.
    pub fn push(&mut self, frame: &Frame, stream: &mut Vec<u8>) {
        let Self { resolution, layout, before, body, contacts, .. } = self;
        body.extend(frame.time.to_le_bytes());
        put(body, frame.absent.len() as u64);
        for index in &frame.absent {
            put(body, u64::from(*index));
        }
        let mut differ = |value: f64, step: f64, before: &mut i64| {
            let new = multiple(value, step);
            put_signed(body, new - *before);
            *before = new;
        };
        for i in 0..layout.bodies {
            let pose = frame.poses.get(i).copied().unwrap_or_default();
            for (k, step) in resolution.pose().into_iter().enumerate() {
                differ(pose[k], step, &mut before.poses[7 * i + k]);
            }
        }
        for i in 0..layout.curves {
            let nodes = frame.curves.get(i).map_or(&[][..], Vec::as_slice);
            let old = &mut before.curves[i];
            if old.len() != 4 * nodes.len() {
                old.clear();
                old.resize(4 * nodes.len(), 0);
            }
            put(body, nodes.len() as u64);
            for (j, node) in nodes.iter().enumerate() {
                let [x, y, z] = node.position;
                for (k, (value, step)) in
                    [x, y, z, node.tension].into_iter().zip(resolution.node()).enumerate()
                {
                    let new = multiple(value, step);
                    put_signed(body, new - old[4 * j + k]);
                    old[4 * j + k] = new;
                }
            }
        }
        let mut differ = |value: f64, step: f64, before: &mut i64| {
            let new = multiple(value, step);
            put_signed(body, new - *before);
            *before = new;
        };
        for (i, old) in before.fields.iter_mut().enumerate() {
            let heights = frame.fields.get(i).map_or(&[][..], Vec::as_slice);
            for (j, old) in old.iter_mut().enumerate() {
                differ(heights.get(j).copied().unwrap_or_default(), resolution.length, old);
            }
        }
        for i in 0..layout.gaps {
            let points = frame.gaps.get(i).copied().unwrap_or_default();
            for (k, value) in points.into_iter().enumerate() {
                differ(value, resolution.length, &mut before.gaps[6 * i + k]);
            }
        }
        put(body, frame.contacts.len() as u64);
        let steps = resolution.contact();
        contacts.clear();
        for (place, contact) in frame.contacts.iter().enumerate() {
            let [a, b] = contact.bodies;
            put(body, u64::from(a));
            put(body, u64::from(b));
            put(body, u64::from(contact.sliding));
            let old = before.contact(place, contact.bodies);
            let ([px, py, pz], [nx, ny, nz], [fx, fy, fz]) =
                (contact.point, contact.normal, contact.friction);
            let values = [px, py, pz, nx, ny, nz, fx, fy, fz, contact.depth, contact.patch];
            let mut new = [0; NUMBERS];
            for k in 0..NUMBERS {
                new[k] = multiple(values[k], steps[k]);
                put_signed(body, new[k] - old[k]);
            }
            contacts.push((contact.bodies, new));
        }
        std::mem::swap(&mut before.contacts, contacts);
        outline::put_frame(&frame.outlines, resolution, &mut self.outlines);
        self.has_outlines |= !frame.outlines.is_empty();
        self.frames += 1;
        if self.frames >= self.block {
            self.close(stream);
        }
    }

    /// Makes a record of the frames there are, after one of their outlines; nothing if there are none.
    pub fn close(&mut self, stream: &mut Vec<u8>) {
        if self.frames == 0 {
            return;
        }
        let mut count = Vec::with_capacity(5);
        put(&mut count, u64::from(self.frames));
        if self.has_outlines {
            self.outlines.splice(0..0, count.iter().copied());
            record::put(stream, PATCHES, &self.outlines);
        }
        self.body.splice(0..0, count);
        record::put(stream, FRAMES, &self.body);
        self.body.clear();
        self.outlines.clear();
        self.has_outlines = false;
        self.frames = 0;
        self.before.reset(&self.layout);
    }
}

/// The number of frames in a record's payload.
pub fn count(payload: &[u8]) -> Option<u64> {
    Bytes(payload).whole()
}

/// Reads the frames of a record's payload. `None` if it is damaged.
pub fn decode(payload: &[u8], resolution: &Resolution, layout: &Layout) -> Option<Vec<Frame>> {
    let mut bytes = Bytes(payload);
    let mut before = Before::default();
    before.reset(layout);
    let count = bytes.count(8)?;
    let mut frames = Vec::with_capacity(count);
    for _ in 0..count {
        frames.push(decode_frame(&mut bytes, resolution, layout, &mut before)?);
    }
    bytes.0.is_empty().then_some(frames)
}

fn decode_frame(
    bytes: &mut Bytes<'_>,
    resolution: &Resolution,
    layout: &Layout,
    before: &mut Before,
) -> Option<Frame> {
    let mut frame = Frame { time: bytes.double()?, ..Frame::default() };
    for _ in 0..bytes.count(1)? {
        frame.absent.push(bytes.index()?);
    }
    for pose in before.poses.chunks_exact_mut(7) {
        frame.poses.push(add(bytes, resolution.pose(), pose)?);
    }
    for old in &mut before.curves {
        let count = bytes.count(4)?;
        if old.len() != 4 * count {
            old.clear();
            old.resize(4 * count, 0);
        }
        let mut nodes = Vec::with_capacity(count);
        for node in old.chunks_exact_mut(4) {
            let [x, y, z, tension] = add(bytes, resolution.node(), node)?;
            nodes.push(Node { position: [x, y, z], tension });
        }
        frame.curves.push(nodes);
    }
    for old in &mut before.fields {
        let heights = old.chunks_exact_mut(1).map(|h| add(bytes, [resolution.length], h).map(|[h]| h));
        frame.fields.push(heights.collect::<Option<Vec<f64>>>()?);
    }
    for old in before.gaps.chunks_exact_mut(6) {
        frame.gaps.push(add(bytes, [resolution.length; 6], old)?);
    }
    let count = bytes.count(3 + NUMBERS)?;
    let mut contacts = Vec::with_capacity(count);
    for place in 0..count {
        let bodies = [bytes.index()?, bytes.index()?];
        if bodies.iter().any(|b| *b as usize >= layout.bodies) {
            return None;
        }
        let flags = bytes.whole()?;
        let mut new = before.contact(place, bodies);
        let [px, py, pz, nx, ny, nz, fx, fy, fz, depth, patch] = add(bytes, resolution.contact(), &mut new)?;
        frame.contacts.push(FrameContact {
            bodies,
            sliding: flags & 1 == 1,
            point: [px, py, pz],
            normal: [nx, ny, nz],
            friction: [fx, fy, fz],
            depth,
            patch,
        });
        contacts.push((bodies, new));
    }
    before.contacts = contacts;
    Some(frame)
}

/// Adds differences to what was before, and gives the values.
fn add<const N: usize>(bytes: &mut Bytes<'_>, steps: [f64; N], before: &mut [i64]) -> Option<[f64; N]> {
    let mut values = [0.0; N];
    for (k, old) in before.iter_mut().enumerate().take(N) {
        *old = old.checked_add(bytes.signed()?)?;
        values[k] = *old as f64 * steps[k];
    }
    Some(values)
}
