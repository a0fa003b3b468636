//! Cells of a soft solid: for each face the places inside that are nearer to it than to any other face.

use super::polygon::{CutScratch, CutSolid, FaceSource};
use crate::{Polyhedron, Shape};
use fender_math::{Vec3, float};
use std::f64::consts::FRAC_1_SQRT_2;
use std::fmt;
use std::sync::OnceLock;

/// A plane with its outward unit normal: inside are places x with `normal`·x ≤ `offset`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Plane {
    /// Outward unit normal.
    pub normal: Vec3,
    /// Distance from the origin along it [m].
    pub offset: f64,
}

/// A cell: what is inside its face and all of its walls.
#[derive(Clone, Copy, Debug)]
pub struct Cell<'a> {
    /// The face of the solid that it belongs to.
    pub face: Plane,
    /// Planes to the cells beside it, in which the depths below both faces are equal.
    pub walls: &'a [Wall],
}

/// A wall between two cells.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wall {
    /// Its plane, outward from the cell.
    pub plane: Plane,
    /// Number of the cell behind it.
    pub behind: u32,
    /// |n_c − n_d| of the outward normals of the two faces: how fast the difference of the depths grows
    /// across the wall.
    pub turn: f64,
}

/// Room for the walls of a cell that are not stored but computed: a box has five at most.
pub type WallRoom = [Wall; 5];

/// The cells of a soft solid, in its frame.
///
/// ```
/// use fender_geom::Shape;
/// use fender_geom::pair::patch::cells::{Cells, WallRoom};
///
/// let table = Shape::Box { half: fender_math::Vec3::new(1.0, 0.5, 0.1) };
/// let cells = Cells::of(&table).expect("a box has faces");
/// let mut room = WallRoom::default();
/// let walls: Vec<usize> = (0..cells.count()).map(|c| cells.cell(c, &mut room).walls.len()).collect();
/// // Top and bottom meet in the middle of the plate.
/// assert_eq!(walls, [4, 4, 4, 4, 5, 5]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Cells<'a>(Kind<'a>);

#[derive(Clone, Copy, Debug)]
enum Kind<'a> {
    HalfSpace,
    /// Cosine and sine of half of the angle inside.
    Edge {
        cos: f64,
        sin: f64,
    },
    Box {
        half: Vec3,
    },
    Polyhedron(&'a PolyhedronCells),
}

impl<'a> Cells<'a> {
    /// Cells of a solid with flat faces; `None` for any other shape.
    pub fn of(shape: &'a Shape) -> Option<Self> {
        Some(Self(match *shape {
            Shape::HalfSpace => Kind::HalfSpace,
            Shape::Edge { half_angle } => {
                let (sin, cos) = float::sin_cos(half_angle);
                // Rounding may put a flat edge a hair above: then it is a half-space.
                if cos > 0.0 { Kind::Edge { cos, sin } } else { Kind::HalfSpace }
            }
            Shape::Box { half } => Kind::Box { half },
            Shape::Polyhedron(ref polyhedron) => Kind::Polyhedron(polyhedron.cells()),
            _ => return None,
        }))
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        match self.0 {
            Kind::HalfSpace => 1,
            Kind::Edge { .. } => 2,
            Kind::Box { .. } => 6,
            Kind::Polyhedron(cells) => cells.faces.len(),
        }
    }

    /// The face of a cell. Numbers are 0 to below `count`; those of a box have the normals +x, −x, +y, −y,
    /// +z, −z.
    #[inline]
    pub fn face(&self, number: usize) -> Plane {
        match self.0 {
            Kind::HalfSpace => Plane { normal: Vec3::Z, offset: 0.0 },
            Kind::Edge { cos, sin } => {
                let x = if number == 0 { cos } else { -cos };
                Plane { normal: Vec3::new(x, 0.0, sin), offset: 0.0 }
            }
            Kind::Box { half } => Plane { normal: box_normal(number), offset: half[number / 2] },
            Kind::Polyhedron(cells) => cells.faces[number],
        }
    }

    /// A cell with its walls, which are put into `room` if they are not stored.
    #[inline]
    pub fn cell<'b>(&'b self, number: usize, room: &'b mut WallRoom) -> Cell<'b> {
        let face = self.face(number);
        let walls: &[Wall] = match self.0 {
            Kind::HalfSpace => &[],
            Kind::Edge { cos, .. } => {
                let normal = if number == 0 { -Vec3::X } else { Vec3::X };
                let plane = Plane { normal, offset: 0.0 };
                room[0] = Wall { plane, behind: 1 - number.min(1) as u32, turn: 2.0 * cos };
                &room[..1]
            }
            Kind::Box { half } => {
                let count = box_walls(half, number, room);
                &room[..count]
            }
            Kind::Polyhedron(cells) => cells.walls(number),
        };
        Cell { face, walls }
    }

    /// Lowest and highest corner of the smallest box along the axes that holds a cell, if they are stored
    /// [m].
    pub(super) fn extent(&self, number: usize) -> Option<(Vec3, Vec3)> {
        match self.0 {
            Kind::Polyhedron(cells) => Some(cells.extents[number]),
            _ => None,
        }
    }
}

fn box_normal(face: usize) -> Vec3 {
    const NORMALS: [Vec3; 6] = [Vec3::X, Vec3::NEG_X, Vec3::Y, Vec3::NEG_Y, Vec3::Z, Vec3::NEG_Z];
    NORMALS[face]
}

/// Walls of a box's cell: to the four faces beside it, and to the opposite one if no other faces are nearer
/// to each other.
fn box_walls(half: Vec3, face: usize, room: &mut WallRoom) -> usize {
    let (axis, normal) = (face / 2, box_normal(face));
    let mut count = 0;
    for other in (0..6).filter(|other| other / 2 != axis) {
        let plane = Plane {
            normal: (box_normal(other) - normal) * FRAC_1_SQRT_2,
            offset: (half[other / 2] - half[axis]) * FRAC_1_SQRT_2,
        };
        room[count] = Wall { plane, behind: other as u32, turn: std::f64::consts::SQRT_2 };
        count += 1;
    }
    if half[axis] <= half.min_element() {
        let plane = Plane { normal: -normal, offset: 0.0 };
        room[count] = Wall { plane, behind: (face ^ 1) as u32, turn: 2.0 };
        count += 1;
    }
    count
}

/// Cells of a polyhedron, each with the walls that bound it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PolyhedronCells {
    faces: Vec<Plane>,
    /// The walls of cell `c` are `starts[c]..starts[c + 1]`.
    starts: Vec<u32>,
    walls: Vec<Wall>,
    /// Boxes along the axes that hold the cells.
    extents: Vec<(Vec3, Vec3)>,
    inradius: f64,
}

/// What cuts less than this part of the solid's size off a cell is no wall: only rounding makes a corner
/// where many walls meet stick out.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// Part of the solid's size by which the boxes around the cells are larger than their corners.
const MARGIN: f64 = 1e-9;

impl PolyhedronCells {
    /// Begins with the prism below each face, and cuts it with the walls to the neighbours and then with
    /// those that are found to cut what is left.
    fn new(polyhedron: &Polyhedron) -> Self {
        let planes: Vec<Plane> = (0..polyhedron.normals().len() as u32)
            .map(|face| {
                let (normal, offset) = polyhedron.plane(face);
                Plane { normal, offset }
            })
            .collect();
        let mut neighbours = vec![Vec::new(); planes.len()];
        for edge in polyhedron.edges() {
            let [a, b] = edge.faces;
            neighbours[a as usize].push(b);
            neighbours[b as usize].push(a);
        }
        let size = polyhedron.size();
        let mut made = Self {
            faces: Vec::new(),
            starts: vec![0],
            walls: Vec::new(),
            extents: Vec::new(),
            inradius: 0.0,
        };
        // Number of the cell of each face: a face that lies in the plane of an earlier one, or outside, has
        // none.
        let mut cell_of_face = vec![u32::MAX; planes.len()];
        let mut work = CellWork::default();
        for face in 0..planes.len() {
            let Some(solid) = work.cell(polyhedron, &planes, face, &neighbours[face], size) else { continue };
            let normal = planes[face].normal;
            let (mut low, mut high, mut deepest) = (Vec3::INFINITY, Vec3::NEG_INFINITY, 0.0_f64);
            for point in solid.points() {
                (low, high) = (low.min(*point), high.max(*point));
                deepest = deepest.max(planes[face].offset - normal.dot(*point));
            }
            for (source, _) in solid.faces() {
                if let FaceSource::Wall(other) = source
                    && let Some(wall) = wall(&planes, face, other as usize)
                {
                    made.walls.push(wall);
                }
            }
            cell_of_face[face] = made.faces.len() as u32;
            made.faces.push(planes[face]);
            made.starts.push(made.walls.len() as u32);
            made.extents.push((low - MARGIN * size, high + MARGIN * size));
            made.inradius = made.inradius.max(deepest);
        }
        for wall in &mut made.walls {
            wall.behind = cell_of_face[wall.behind as usize];
        }
        made
    }

    fn walls(&self, cell: usize) -> &[Wall] {
        &self.walls[self.starts[cell] as usize..self.starts[cell + 1] as usize]
    }
}

/// The wall from the cell of a face to that of another, by the numbers of the faces; none if both look the
/// same way.
fn wall(planes: &[Plane], face: usize, other: usize) -> Option<Wall> {
    let (from, to) = (&planes[face], &planes[other]);
    let across = to.normal - from.normal;
    let turn = across.length();
    let plane = Plane { normal: across / turn, offset: (to.offset - from.offset) / turn };
    (plane.normal.is_finite() && plane.offset.is_finite()).then_some(Wall {
        plane,
        behind: other as u32,
        turn,
    })
}

/// Room for the work on one cell after the other.
#[derive(Default)]
struct CellWork {
    solid: CutSolid,
    spare: CutSolid,
    scratch: CutScratch,
    /// By face: the last cell that its wall has cut, plus one.
    has_cut: Vec<usize>,
}

impl CellWork {
    /// The cell of a face; none if nothing is left.
    fn cell(
        &mut self,
        polyhedron: &Polyhedron,
        planes: &[Plane],
        face: usize,
        neighbours: &[u32],
        size: f64,
    ) -> Option<&CutSolid> {
        self.has_cut.resize(planes.len(), 0);
        let same = |other: usize| {
            let is_nearer = planes[other].offset < planes[face].offset;
            let is_earlier = planes[other].offset == planes[face].offset && other < face;
            planes[other].normal == planes[face].normal && (is_nearer || is_earlier)
        };
        if (0..planes.len()).any(same) {
            return None;
        }
        self.begin(polyhedron, planes, face, size);
        for other in neighbours {
            self.cut(planes, face, *other as usize);
        }
        let depth = |plane: &Plane, point: Vec3| plane.offset - plane.normal.dot(point);
        loop {
            let mut cutting = Vec::new();
            for point in self.solid.points() {
                let own = depth(&planes[face], *point);
                let mut least = (own - ROUNDING * size, face);
                for (other, plane) in planes.iter().enumerate() {
                    let found = depth(plane, *point);
                    if found < least.0 && self.has_cut[other] != face + 1 {
                        least = (found, other);
                    }
                }
                if least.1 != face && !cutting.contains(&least.1) {
                    cutting.push(least.1);
                }
            }
            if cutting.is_empty() {
                break;
            }
            for other in cutting {
                self.cut(planes, face, other);
            }
        }
        (!self.solid.points().is_empty()).then_some(&self.solid)
    }

    /// The prism below the face, as deep as the solid is large. It holds the cell: walls to the neighbours
    /// lean inward.
    fn begin(&mut self, polyhedron: &Polyhedron, planes: &[Plane], face: usize, size: f64) {
        let corners = polyhedron.corners(face as u32);
        let count = corners.len() as u32;
        let below = planes[face].normal * (2.0 * size);
        let top = corners.iter().map(|v| polyhedron.vertices()[*v as usize]);
        let points: Vec<Vec3> = top.clone().chain(top.map(|p| p - below)).collect();
        let mut loops: Vec<Vec<u32>> =
            vec![(0..count).collect(), (0..count).map(|k| 2 * count - 1 - k).collect()];
        loops.extend((0..count).map(|k| {
            let next = (k + 1) % count;
            vec![next, k, count + k, count + next]
        }));
        // All corners count as inside.
        let depths = points.iter().map(|_| 0.0);
        self.solid.set_below_top(&points, depths, loops.iter().map(Vec::as_slice), &mut self.scratch);
    }

    fn cut(&mut self, planes: &[Plane], face: usize, other: usize) {
        if self.has_cut[other] == face + 1 || other == face {
            return;
        }
        self.has_cut[other] = face + 1;
        let Some(wall) = wall(planes, face, other) else { return };
        let source = FaceSource::Wall(other as u32);
        if self.solid.cut_into(&wall.plane, source, &mut self.spare, &mut self.scratch) {
            std::mem::swap(&mut self.solid, &mut self.spare);
        }
    }
}

/// Cells that are made when somebody first asks for them: most polyhedra of a decomposition are never soft.
#[derive(Clone, Default)]
pub(crate) struct LazyCells(OnceLock<PolyhedronCells>);

impl LazyCells {
    /// The cells of the polyhedron that this belongs to.
    pub fn of(&self, polyhedron: &Polyhedron) -> &PolyhedronCells {
        self.0.get_or_init(|| PolyhedronCells::new(polyhedron))
    }
}

/// Whether they have been made is no property of a polyhedron.
impl PartialEq for LazyCells {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl fmt::Debug for LazyCells {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LazyCells").finish_non_exhaustive()
    }
}

/// Radius of the largest ball inside a shape [m]: infinite for a shape without end, `None` for a mesh.
pub fn inradius(shape: &Shape) -> Option<f64> {
    Some(match *shape {
        Shape::HalfSpace | Shape::Edge { .. } | Shape::Bore { .. } | Shape::Funnel { .. } => f64::INFINITY,
        Shape::Sphere { radius } | Shape::Capsule { radius, .. } => radius,
        Shape::Ellipsoid { radii } => radii.min_element(),
        Shape::Box { half } => half.min_element(),
        Shape::Cylinder { radius, half_height } => radius.min(half_height),
        Shape::Cone { radius, half_height } => {
            let height = 2.0 * half_height;
            radius * height / (radius + (radius * radius + height * height).sqrt())
        }
        Shape::Torus { tube, .. } | Shape::HalfTorus { tube, .. } | Shape::Link { tube, .. } => tube,
        Shape::Polyhedron(ref polyhedron) => polyhedron.cells().inradius,
        Shape::Mesh(_) => return None,
    })
}
