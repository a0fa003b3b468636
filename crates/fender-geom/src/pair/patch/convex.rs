//! A rigid solid with flat faces in a soft one with flat faces.

use super::cells::{Cells, Wall, WallRoom};
use super::polygon::{CutEdge, CutScratch, CutSolid, FaceSource};
use super::{PatchMoments, SectionMoments};
use crate::{Polyhedron, Shape};
use fender_contact::PatchOverlap;
use fender_math::{Mat3, Pose, Vec3};
use smallvec::SmallVec;

/// Corners of each face of a box, counter-clockwise seen from outside; faces are +x, −x, +y, −y, +z, −z. Bit
/// `i` of a corner's number says whether it is on the positive side along axis `i`.
const BOX_FACES: [[u32; 4]; 6] =
    [[1, 3, 7, 5], [0, 4, 6, 2], [2, 6, 7, 3], [0, 1, 5, 4], [4, 5, 7, 6], [0, 2, 3, 1]];

/// A rigid solid, in the frame of the soft one.
pub(super) struct RigidSolid<'a> {
    kind: RigidKind<'a>,
    center: Vec3,
    rotation: Mat3,
}

#[derive(Clone, Copy)]
enum RigidKind<'a> {
    Box { half: Vec3 },
    Polyhedron(&'a Polyhedron),
}

/// The sides of a plane on which a solid is.
#[derive(Clone, Copy, PartialEq)]
enum Sides {
    /// All in front of it.
    Beyond,
    /// All behind it.
    Behind,
    /// On both sides, or unknown.
    Both,
}

impl<'a> RigidSolid<'a> {
    /// A box or polyhedron at a pose in the frame of the soft solid; `None` for any other shape.
    pub fn new(shape: &'a Shape, pose: &Pose) -> Option<Self> {
        let (center, rotation) = (pose.translation, Mat3::from_quat(pose.rotation));
        let kind = match *shape {
            Shape::Box { half } => RigidKind::Box { half },
            Shape::Polyhedron(ref polyhedron) => RigidKind::Polyhedron(polyhedron),
            _ => return None,
        };
        Some(Self { kind, center, rotation })
    }

    /// Fills a list with its corners [m].
    fn corners(&self, points: &mut SmallVec<[Vec3; 32]>) {
        let Self { center, rotation, .. } = *self;
        match self.kind {
            RigidKind::Box { half } => {
                let [x, y, z] =
                    [rotation.x_axis * half.x, rotation.y_axis * half.y, rotation.z_axis * half.z];
                let (low, high) = (center - z, center + z);
                let (back, front) = (x + y, x - y);
                points.extend_from_slice(&[low - back, low + front, low - front, low + back]);
                points.extend_from_slice(&[high - back, high + front, high - front, high + back]);
            }
            RigidKind::Polyhedron(polyhedron) => {
                points.extend(polyhedron.vertices().iter().map(|v| center + rotation * *v));
            }
        }
    }

    /// Where it begins along a direction [m].
    fn start(&self, direction: Vec3) -> f64 {
        let own = self.rotation.transpose() * direction;
        let reach = match self.kind {
            RigidKind::Box { half } => own.abs().dot(half),
            RigidKind::Polyhedron(polyhedron) => polyhedron.reach(-own),
        };
        direction.dot(self.center) - reach
    }

    /// On which sides of a plane it is, with its corners in the soft solid's frame.
    #[inline]
    fn sides(&self, direction: Vec3, offset: f64, points: &[Vec3]) -> Sides {
        match self.kind {
            RigidKind::Box { half } => {
                let reach = (self.rotation.transpose() * direction).abs().dot(half);
                let middle = direction.dot(self.center);
                if middle - reach >= offset {
                    Sides::Beyond
                } else if middle + reach <= offset {
                    Sides::Behind
                } else {
                    Sides::Both
                }
            }
            // The first corner behind it is mostly found soon.
            RigidKind::Polyhedron(_) if points.iter().all(|p| direction.dot(*p) >= offset) => Sides::Beyond,
            RigidKind::Polyhedron(_) => Sides::Both,
        }
    }

    /// Outward unit normal of a face.
    pub fn normal(&self, face: u32) -> Vec3 {
        match self.kind {
            RigidKind::Box { .. } => {
                let axis = self.rotation.col(face as usize / 2);
                if face.is_multiple_of(2) { axis } else { -axis }
            }
            RigidKind::Polyhedron(polyhedron) => self.rotation * polyhedron.normals()[face as usize],
        }
    }

    /// Whether one of its faces has all of a soft solid in front of it.
    #[inline]
    fn is_behind_own_face(&self, soft: &Shape) -> bool {
        let soft_reach = |direction: Vec3| match soft {
            Shape::Box { half } => direction.abs().dot(*half),
            Shape::Polyhedron(polyhedron) => polyhedron.reach(direction),
            _ => f64::INFINITY,
        };
        let is_behind = |normal: Vec3, offset: f64| -soft_reach(-normal) >= offset;
        match self.kind {
            RigidKind::Box { half } => (0..3).any(|axis| {
                let normal = self.rotation.col(axis);
                let middle = normal.dot(self.center);
                is_behind(normal, middle + half[axis]) || is_behind(-normal, half[axis] - middle)
            }),
            RigidKind::Polyhedron(polyhedron) => (0..polyhedron.normals().len() as u32).any(|face| {
                let (normal, offset) = polyhedron.plane(face);
                let normal = self.rotation * normal;
                is_behind(normal, offset + normal.dot(self.center))
            }),
        }
    }

    /// Becomes what is of it below a plane that is given by the depths of its corners.
    fn cut_below(
        &self,
        points: &[Vec3],
        depth: impl Fn(Vec3) -> f64,
        into: &mut CutSolid,
        scratch: &mut CutScratch,
    ) {
        let depths = points.iter().map(|p| depth(*p));
        match self.kind {
            RigidKind::Box { .. } => {
                let faces = BOX_FACES.iter().map(<[u32; 4]>::as_slice);
                into.set_below_top(points, depths, faces, scratch);
            }
            RigidKind::Polyhedron(polyhedron) => {
                let faces = (0..polyhedron.normals().len() as u32).map(|face| polyhedron.corners(face));
                into.set_below_top(points, depths, faces, scratch);
            }
        }
    }
}

/// What is of a rigid solid in a cell of a soft one.
pub(super) struct CellCut<'a> {
    /// Number of the cell.
    pub number: usize,
    /// Outward unit normal of its face.
    pub normal: Vec3,
    /// Its walls.
    pub walls: &'a [Wall],
    /// A place in the plane of its face [m], which is the origin of what has been cut.
    pub origin: Vec3,
    /// What has been cut.
    pub solid: &'a CutSolid,
}

impl CellCut<'_> {
    /// The part of the cell's face that is in the rigid solid.
    pub fn top(&self) -> &[CutEdge] {
        self.solid.faces().find(|(source, _)| *source == FaceSource::Top).map_or(&[], |(_, edges)| edges)
    }

    /// Integrals over that part.
    fn section(&self) -> SectionMoments {
        self.solid.section(self.top(), self.normal)
    }
}

/// Visits the cells of a soft solid in which there is something of the rigid one, by their numbers.
pub(super) fn for_each_cell(rigid: &RigidSolid, soft: &Shape, mut visit: impl FnMut(&CellCut)) {
    let Some(cells) = Cells::of(soft) else { return };
    // The face that the rigid solid is least deep below: what is nearer to it than to a face is not in that
    // face's cell.
    let mut nearest = (f64::INFINITY, 0);
    for number in 0..cells.count() {
        let face = cells.face(number);
        let depth = face.offset - rigid.start(face.normal);
        if depth <= 0.0 {
            return;
        }
        if depth < nearest.0 {
            nearest = (depth, number);
        }
    }
    if rigid.is_behind_own_face(soft) {
        return;
    }
    let nearest_face = cells.face(nearest.1);
    let mut points = SmallVec::new();
    rigid.corners(&mut points);
    let (low, high) = points
        .iter()
        .fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), p| (low.min(*p), high.max(*p)));
    let mut cutting = SmallVec::<[usize; 16]>::new();
    let mut room = WallRoom::default();
    let mut scratch = CutScratch::default();
    let (mut first, mut second) = (CutSolid::default(), CutSolid::default());
    for number in 0..cells.count() {
        if let Some((cell_low, cell_high)) = cells.extent(number)
            && (cell_low.cmpgt(high).any() || cell_high.cmplt(low).any())
        {
            continue;
        }
        let face = cells.face(number);
        if number != nearest.1 {
            let across = nearest_face.normal - face.normal;
            let offset = nearest_face.offset - face.offset;
            if rigid.sides(across, offset, &points) == Sides::Beyond {
                continue;
            }
        }
        let cell = cells.cell(number, &mut room);
        cutting.clear();
        let mut is_outside = false;
        for (k, wall) in cell.walls.iter().enumerate() {
            let sides = rigid.sides(wall.plane.normal, wall.plane.offset, &points);
            is_outside |= sides == Sides::Beyond;
            if sides == Sides::Both {
                cutting.push(k);
                // The wall to the nearest face cuts off most.
                if wall.behind as usize == nearest.1 {
                    let last = cutting.len() - 1;
                    cutting.swap(0, last);
                }
            }
        }
        if is_outside {
            continue;
        }
        let (mut solid, mut spare) = (&mut first, &mut second);
        let depth = |p: Vec3| face.offset - face.normal.dot(p);
        rigid.cut_below(&points, depth, solid, &mut scratch);
        for k in &cutting {
            if solid.cut_into(&cell.walls[*k].plane, FaceSource::Wall(*k as u32), spare, &mut scratch) {
                std::mem::swap(&mut solid, &mut spare);
            }
        }
        let Some(point) = solid.points().first() else { continue };
        let origin = *point + face.normal * depth(*point);
        solid.move_origin(origin);
        visit(&CellCut { number, normal: face.normal, walls: cell.walls, origin, solid });
    }
}

/// The overlap of a rigid solid with a soft one.
pub(super) fn overlap(
    rigid: &Shape,
    rigid_pose: &Pose,
    soft: &Shape,
    soft_pose: &Pose,
    soft_is_first: bool,
) -> Option<PatchOverlap> {
    let rigid = RigidSolid::new(rigid, &soft_pose.inv_mul(rigid_pose))?;
    let mut sum: Option<PatchMoments> = None;
    for_each_cell(&rigid, soft, |cut| {
        let sum = sum.get_or_insert_with(|| PatchMoments::new(cut.origin));
        sum.add(cut.normal, cut.origin, &cut.solid.moments(), &cut.section());
    });
    sum?.finish(soft_pose, soft_is_first)
}
