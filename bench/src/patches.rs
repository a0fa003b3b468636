//! Scenes of contact over patches: pairs of solids, boxes in a bin, a pile of boxes.

use crate::shared::{BOX, BOX_MASS, FRICTION, GRAVITY, RESTITUTION, box_grid, box_walls, lattice};
use fender_contact::{Coulomb, Damping, Foundation};
use fender_engine::{BodyMotion, BodySpec, MaterialId, ModelBuilder, World};
use fender_geom::{Polyhedron, Shape};
use fender_math::{MassProperties, Mat3, Pose, Quat, Twist, Vec3, rotation};
use serde_json::{Value, json};
use std::sync::Arc;

/// Two solids, the second one at rest.
pub struct PairScene {
    /// What it is called in the tables.
    pub name: &'static str,
    /// The first solid and its pose in the world.
    pub a: (Shape, Pose),
    /// The second one.
    pub b: (Shape, Pose),
}

/// Stiffness of every pair [N/m³].
pub const PAIR_STIFFNESS: f64 = 1e9;

/// Half the edges of the box and of the table [m].
const SMALL: Vec3 = Vec3::new(0.10, 0.08, 0.06);
const TABLE: Vec3 = Vec3::new(0.30, 0.25, 0.20);
/// Radius of can and ball, half the can's height [m].
const RADIUS: f64 = 0.05;
const HALF_HEIGHT: f64 = 0.06;
/// Depth at the deepest place [m].
const DEPTH: f64 = 1e-3;

fn golden() -> f64 {
    0.5 * (1.0 + 5.0_f64.sqrt())
}

/// A regular dodecahedron with its corners at a distance [m].
fn dodecahedron(size: f64) -> Shape {
    let (g, s) = (golden(), size / 3.0_f64.sqrt());
    let mut corners = Vec::new();
    for i in 0..8 {
        let sign = |bit: u32| if i >> bit & 1 == 0 { 1.0 } else { -1.0 };
        corners.push(Vec3::new(sign(0), sign(1), sign(2)) * s);
        if i < 4 {
            let (p, q) = (sign(0) / g * s, sign(1) * g * s);
            corners.extend([Vec3::new(0.0, p, q), Vec3::new(p, q, 0.0), Vec3::new(q, 0.0, p)]);
        }
    }
    stone(&corners)
}

/// A hull of 20 places on a ball, from a fixed sequence.
fn hull_of_20(size: f64) -> Shape {
    let mut seed = 7_u64;
    let mut unit = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 11) as f64 / (1_u64 << 53) as f64 * 2.0 - 1.0
    };
    let mut corners = Vec::new();
    while corners.len() < 20 {
        let v = Vec3::new(unit(), unit(), unit());
        let far = v.length();
        // None too near to another one: stones are not needles.
        let is_free = corners.iter().all(|c: &Vec3| (*c - v / far * size).length() > 0.55 * size);
        if (0.1..1.0).contains(&far) && is_free {
            corners.push(v / far * size);
        }
    }
    stone(&corners)
}

fn stone(corners: &[Vec3]) -> Shape {
    Shape::Polyhedron(Arc::new(Polyhedron::hull(corners).expect("corners that are not in a plane")))
}

/// The pose in which a face of a polyhedron is level below, as much under the height 0 as DEPTH says, after a
/// turn about the vertical.
fn on_face(shape: &Shape, turn: f64) -> Pose {
    let Shape::Polyhedron(polyhedron) = shape else { return Pose::IDENTITY };
    // The face nearest to the middle: the widest one.
    let face = (0..polyhedron.normals().len() as u32)
        .min_by(|p, q| polyhedron.plane(*p).1.total_cmp(&polyhedron.plane(*q).1))
        .expect("a polyhedron has faces");
    let (normal, offset) = polyhedron.plane(face);
    Pose {
        translation: Vec3::new(0.02, 0.01, offset - DEPTH),
        rotation: Quat::from_rotation_z(turn) * rotation::between(normal, -Vec3::Z),
    }
}

/// All pairs that are timed.
pub fn pairs() -> Vec<PairScene> {
    let table = (Shape::Box { half: TABLE }, Pose::from_translation(Vec3::Z * -TABLE.z));
    let small = Shape::Box { half: SMALL };
    let can = Shape::Cylinder { radius: RADIUS, half_height: HALF_HEIGHT };
    let ball = Shape::Sphere { radius: RADIUS };
    let (dodecahedron, hull) = (dodecahedron(0.06), hull_of_20(0.06));
    let at = |x: f64, y: f64, z: f64, turn: Vec3| Pose {
        translation: Vec3::new(x, y, z),
        rotation: rotation::from_rotation_vector(turn),
    };
    let level = SMALL.z - DEPTH;
    // Deepest at one corner.
    let tilt = Vec3::new(0.003, -0.004, 0.0);
    let tilted_level = rotation::from_rotation_vector(tilt).inverse() * Vec3::Z;
    let tilted = tilted_level.abs().dot(SMALL) - DEPTH;
    // Below the middle of a can that leans: reach of rim and cap.
    let lean: f64 = 0.4;
    let leaning = RADIUS * lean.sin() + HALF_HEIGHT * lean.cos() - DEPTH;
    let quarter = std::f64::consts::FRAC_PI_2;
    let beside = (RADIUS - DEPTH) * 0.5_f64.sqrt();
    let on_table = |name, shape: &Shape, pose| PairScene { name, a: (shape.clone(), pose), b: table.clone() };
    let on_another = |name, shape: &Shape, turn: f64| {
        let pose = on_face(shape, turn);
        // The other one with the same face on top, in the same place.
        let flipped = Pose {
            translation: Vec3::new(pose.translation.x, pose.translation.y, -pose.translation.z - DEPTH),
            rotation: Quat::from_rotation_x(2.0 * quarter) * on_face(shape, 0.0).rotation,
        };
        PairScene { name, a: (shape.clone(), pose), b: (shape.clone(), flipped) }
    };
    vec![
        on_table("box, level", &small, at(0.02, 0.01, level, Vec3::Z * 0.3)),
        on_table("box, over the edge", &small, at(0.29, 0.0, level, Vec3::ZERO)),
        on_table("box, over the corner", &small, at(0.28, 0.23, level, Vec3::Z * 0.4)),
        on_table("box, tilted", &small, at(0.02, 0.01, tilted, tilt)),
        on_table("can, on its cap", &can, at(0.02, 0.01, HALF_HEIGHT - DEPTH, Vec3::ZERO)),
        on_table("can, lying", &can, at(0.02, 0.01, RADIUS - DEPTH, Vec3::X * quarter)),
        on_table("can, leaning", &can, at(0.02, 0.01, leaning, Vec3::X * lean)),
        on_table("can, cap over the edge", &can, at(0.293, 0.01, HALF_HEIGHT - DEPTH, Vec3::ZERO)),
        on_table("can, lying over the edge", &can, at(0.28, 0.01, RADIUS - DEPTH, Vec3::Y * quarter)),
        on_table("ball, on the face", &ball, at(0.02, 0.01, RADIUS - DEPTH, Vec3::ZERO)),
        on_table("ball, over the edge", &ball, at(0.3 + beside, 0.01, beside, Vec3::ZERO)),
        on_table("dodecahedron", &dodecahedron, on_face(&dodecahedron, 0.3)),
        on_table("hull of 20", &hull, on_face(&hull, 0.3)),
        on_another("dodecahedron on dodecahedron", &dodecahedron, 0.3),
        on_another("hull of 20 on hull of 20", &hull, 0.3),
        // Bounds overlap, solids do not.
        on_table("boxes, apart", &small, at(0.385, 0.0, 0.07, Vec3::Y * 0.785)),
    ]
}

fn numbers(v: Vec3) -> Value {
    json!([v.x, v.y, v.z])
}

fn pose_numbers(pose: &Pose) -> Value {
    let (t, q) = (pose.translation, pose.rotation);
    json!([t.x, t.y, t.z, q.w, q.x, q.y, q.z])
}

fn shape_value(shape: &Shape) -> Value {
    match shape {
        Shape::Box { half } => json!({ "box": numbers(*half) }),
        Shape::Cylinder { radius, half_height } => json!({ "cylinder": [radius, half_height] }),
        Shape::Sphere { radius } => json!({ "sphere": radius }),
        Shape::Polyhedron(polyhedron) => {
            json!({ "hull": polyhedron.vertices().iter().map(|v| numbers(*v)).collect::<Vec<_>>() })
        }
        other => panic!("no such shape in these scenes: {}", other.noun()),
    }
}

impl PairScene {
    /// For the peer.
    pub fn value(&self) -> Value {
        json!({
            "name": self.name,
            "stiffness": PAIR_STIFFNESS,
            "a": shape_value(&self.a.0),
            "pose_a": pose_numbers(&self.a.1),
            "b": shape_value(&self.b.0),
            "pose_b": pose_numbers(&self.b.1),
        })
    }
}

/// Stiffness of every pair in bin and pile [N/m³]: a box of 10 cm and 1 kg yields by 0.1 mm on its face, and sways
/// with 50 Hz.
pub const BIN_STIFFNESS: f64 = 1e7;

/// Edge [m] and density [kg/m³] of the boxes of the bin, and their friction.
const BIN_BOX: f64 = 0.1;
const BIN_DENSITY: f64 = 1000.0;
const BIN_FRICTION: f64 = 0.5;

/// Places and rotation vectors of the 5 × 5 × 4 boxes over the bin: a grid of 0.12 m with ±2 mm and ±0.05 rad of jitter.
fn bin_boxes() -> Vec<([f64; 3], [f64; 3])> {
    lattice([5, 5, 4], 0.12, 0.08, 0.004, 0.1)
}

/// The bin, 64 cm square inside: half the edges and places of its five fixed boxes, the floor first.
fn bin_walls() -> [([f64; 3], [f64; 3]); 5] {
    [
        ([0.6, 0.6, 0.1], [0.0, 0.0, -0.1]),
        ([0.1, 0.6, 0.4], [-0.42, 0.0, 0.4]),
        ([0.1, 0.6, 0.4], [0.42, 0.0, 0.4]),
        ([0.6, 0.1, 0.4], [0.0, -0.42, 0.4]),
        ([0.6, 0.1, 0.4], [0.0, 0.42, 0.4]),
    ]
}

/// Collects boxes of one material.
struct Boxes {
    builder: ModelBuilder,
    material: MaterialId,
}

impl Boxes {
    fn new(restitution: f64, friction: f64) -> Self {
        let mut builder = ModelBuilder::new();
        builder.gravity(Vec3::Z * -GRAVITY);
        let material = builder.material("wood");
        // Touches below 1 cm/s are set down.
        let normal =
            Foundation::new(BIN_STIFFNESS, restitution, Damping::Exact, 1e-2).expect("valid restitution");
        let friction: Box<dyn fender_contact::FrictionLaw> =
            Box::new(Coulomb::new(friction, 1e-3).expect("valid coefficient"));
        builder.contact(material, material, normal, friction);
        Self { builder, material }
    }

    fn add(&mut self, name: String, half: Vec3, mass: Option<f64>, pose: Pose) {
        let s2 = half * half * 4.0;
        let inertia =
            |mass: f64| Mat3::from_diagonal(Vec3::new(s2.y + s2.z, s2.x + s2.z, s2.x + s2.y) * (mass / 12.0));
        let motion = mass.map_or(BodyMotion::Fixed, |mass| BodyMotion::Free {
            mass: MassProperties { mass, center: Vec3::ZERO, inertia: inertia(mass) },
        });
        let shapes = vec![(Shape::Box { half }, Pose::IDENTITY, self.material)];
        self.builder.body(BodySpec { name, motion, pose, twist: Twist::default(), shapes, group: 0 });
    }

    fn wall(&mut self, name: String, point: [f64; 3], normal: [f64; 3]) {
        let rotation = rotation::between(Vec3::Z, normal.into());
        self.builder.body(BodySpec {
            name,
            motion: BodyMotion::Fixed,
            pose: Pose { translation: point.into(), rotation },
            twist: Twist::default(),
            shapes: vec![(Shape::HalfSpace, Pose::IDENTITY, self.material)],
            group: 0,
        });
    }

    fn world(self) -> World {
        World::new(self.builder.build().expect("the scene is valid"))
    }
}

fn placed((position, turn): ([f64; 3], [f64; 3])) -> Pose {
    Pose { translation: position.into(), rotation: rotation::from_rotation_vector(turn.into()) }
}

/// A hundred boxes over a bin of five fixed ones.
pub fn bin(restitution: f64) -> World {
    let mut scene = Boxes::new(restitution, BIN_FRICTION);
    for (i, (half, position)) in bin_walls().into_iter().enumerate() {
        scene.add(format!("wall-{i}"), half.into(), None, Pose::from_translation(position.into()));
    }
    for (i, at) in bin_boxes().into_iter().enumerate() {
        scene.add(format!("box-{i}"), Vec3::splat(0.5 * BIN_BOX), Some(box_mass()), placed(at));
    }
    scene.world()
}

fn box_mass() -> f64 {
    BIN_DENSITY * BIN_BOX.powi(3)
}

/// The same for the peer, with its dissipation.
pub fn bin_value(step: f64, approximation: &str, relaxation: f64, dissipation: f64) -> Value {
    let boxes: Vec<Value> = bin_boxes().into_iter().map(|at| pose_numbers(&placed(at))).collect();
    json!({
        "step": step,
        "seconds": 5.0,
        "gravity": GRAVITY,
        "friction": BIN_FRICTION,
        "stiffness": BIN_STIFFNESS,
        "approximation": approximation,
        "relaxation": relaxation,
        "dissipation": dissipation,
        "walls": bin_walls(),
        "half": numbers(Vec3::splat(0.5 * BIN_BOX)),
        "mass": box_mass(),
        "boxes": boxes,
    })
}

/// One box of the bin that falls level on a fixed one, 1 m/s at the touch.
pub fn drop(restitution: f64) -> World {
    let mut scene = Boxes::new(restitution, BIN_FRICTION);
    let (half, position) = bin_walls()[0];
    scene.add("floor".into(), half.into(), None, Pose::from_translation(position.into()));
    let pose = Pose::from_translation(Vec3::Z * (0.5 * BIN_BOX + 0.5 / GRAVITY));
    scene.add("box".into(), Vec3::splat(0.5 * BIN_BOX), Some(box_mass()), pose);
    scene.world()
}

/// `n`³ boxes over a pit of five half-spaces.
pub fn pile(n: u32) -> World {
    let mut scene = Boxes::new(RESTITUTION, FRICTION);
    for (i, (point, normal)) in box_walls(n).into_iter().enumerate() {
        scene.wall(format!("wall-{i}"), point, normal);
    }
    for (i, at) in box_grid(n).into_iter().enumerate() {
        scene.add(format!("box-{i}"), Vec3::splat(0.5 * BOX), Some(BOX_MASS), placed(at));
    }
    scene.world()
}
