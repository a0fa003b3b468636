//! The head of a stream: what there is, before anything moves.

use super::frame::Layout;
use super::resolution::Resolution;
use super::{DEFAULT_PERIOD, HEAD, mesh, record, surroundings};
use crate::opening;
use crate::scenario::{Scenario, View, Visual};
use crate::table::Table;
use fender_engine::closure::Anchor;
use fender_engine::model::{ModelJoint, ModelLoop};
use fender_engine::tree::Carrier;
use fender_engine::{BodyId, BodyMotion, Cable, IntegratorSpec, Model};
use fender_geom::mesh::VisualMesh;
use fender_geom::{Bounds, Shape};
use fender_math::{Pose, Vec3};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What there is. Readers ignore keys they do not know, and absent lists are empty.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Head {
    /// Name of the scenario.
    pub name: String,
    /// Its title.
    pub title: String,
    /// What to look at, and why; empty for nothing.
    #[serde(default)]
    pub description: String,
    /// Version of the program.
    pub version: String,
    /// Hash of the scenario, hexadecimal.
    pub hash: String,
    /// Time between frames [s].
    pub period: f64,
    /// Simulated time asked for [s].
    pub duration: f64,
    /// Acceleration of gravity [m/s²].
    pub gravity: [f64; 3],
    /// Method and its step, in words.
    pub integrator: String,
    /// Parameters of the scenario, as text.
    #[serde(default)]
    pub parameters: Map<String, Value>,
    /// To what everything in frames is rounded.
    pub resolution: Resolution,
    /// Bodies.
    pub bodies: Vec<BodyHead>,
    /// Curves: cables and the like.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub curves: Vec<CurveHead>,
    /// Height fields: water and terrain.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<FieldHead>,
    /// Joints.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub joints: Vec<JointHead>,
    /// Loops.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub loops: Vec<LoopHead>,
    /// Pairs of bodies whose closest points are in each frame.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gaps: Vec<GapHead>,
    /// Places to look from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub views: Vec<ViewHead>,
    /// Recorded signals.
    #[serde(default)]
    pub signals: Vec<SignalHead>,
    /// What a page begins with: names of the signals of each plot, `energy` alone for the energy account; none if it is to choose.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub plots: Vec<Vec<String>>,
}

/// A body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BodyHead {
    /// Name.
    pub name: String,
    /// `free`, `fixed` or `driven`.
    pub motion: String,
    /// Mass [kg]; none for a body that is not free.
    pub mass: Option<f64>,
    /// Centre of mass in the body's frame [m].
    pub center: [f64; 3],
    /// Colour: red, green, blue (sRGB).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub colour: Option<[u8; 3]>,
    /// Shapes.
    pub shapes: Vec<ShapeHead>,
    /// Meshes that are shown in place of the shapes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub meshes: Vec<MeshHead>,
    /// Box in the body's frame that holds all its shapes and meshes; none if that is infinite or there are none.
    pub bounds: Option<BoundsHead>,
}

/// A shape of a body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShapeHead {
    /// `sphere`, `box`, `cylinder`, `capsule`, `ellipsoid`, `cone`, `bore`, `funnel`, `edge`, `torus`, `half_torus`, `link` or
    /// `half_space`.
    pub shape: String,
    /// Radius [m]; of the spine of a torus or of a link's arcs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub radius: Option<f64>,
    /// Radius of the bar of a torus or link [m].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tube: Option<f64>,
    /// Half of each edge, or half axes of an ellipsoid [m].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub half: Option<[f64; 3]>,
    /// Half of the height, of a capsule's segment, of a link's straights [m]; none for a bore without end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub half_height: Option<f64>,
    /// Half of the angle inside an edge [rad].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub half_angle: Option<f64>,
    /// Position in the body's frame [m].
    pub position: [f64; 3],
    /// Orientation in the body's frame, x y z w.
    pub orientation: [f64; 4],
}

/// A mesh of a body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MeshHead {
    /// Index of the mesh.
    pub mesh: u32,
    /// Position in the body's frame [m].
    pub position: [f64; 3],
    /// Orientation in the body's frame, x y z w.
    pub orientation: [f64; 4],
    /// Factors along the mesh's axes: from its unit to metres.
    pub scale: [f64; 3],
}

/// A place to look from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ViewHead {
    /// Name.
    pub name: String,
    /// Where the eye is [m].
    pub eye: [f64; 3],
    /// What it looks at [m].
    pub target: [f64; 3],
    /// Body that eye and target move with.
    pub follow: Option<u32>,
    /// Body in whose frame eye and target are.
    pub from: Option<u32>,
}

/// A box along the axes of a body's frame [m].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct BoundsHead {
    /// Lower corner.
    pub min: [f64; 3],
    /// Upper corner.
    pub max: [f64; 3],
}

/// A curve.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CurveHead {
    /// Name.
    pub name: String,
    /// Radius [m].
    pub radius: f64,
}

/// A height field.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FieldHead {
    /// Name.
    pub name: String,
    /// `water` or `terrain`.
    pub kind: String,
    /// Position of the first height [m].
    pub origin: [f64; 2],
    /// Distances of the heights along x and y [m].
    pub spacing: [f64; 2],
    /// Numbers of heights along x and y.
    pub count: [usize; 2],
}

impl FieldHead {
    /// How many heights it has.
    pub fn heights(&self) -> usize {
        self.count[0].saturating_mul(self.count[1])
    }
}

/// A joint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JointHead {
    /// Name.
    pub name: String,
    /// `revolute`, `prismatic` and so on.
    pub kind: String,
    /// Body that it carries.
    pub body: u32,
    /// Point of the joint in that body's frame [m].
    pub position: [f64; 3],
    /// Axis in that body's frame.
    pub axis: [f64; 3],
    /// Of a universal joint: its two axes, which go with different bodies.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub axes: Vec<AxisHead>,
}

/// A direction that goes with a body.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AxisHead {
    /// The body; −1 for the world.
    pub body: i64,
    /// Direction in its frame.
    pub direction: [f64; 3],
}

/// A loop.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LoopHead {
    /// Name.
    pub name: String,
    /// `point`, `axis`, `hinge`, `weld`, `distance`, `rope` or `coupling`.
    pub kind: String,
    /// Whether it prescribes a motion, as a hydraulic cylinder does.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub driven: bool,
    /// Whether it holds at the start; events tell the rest.
    #[serde(default = "holds", skip_serializing_if = "Clone::clone")]
    pub attached: bool,
    /// Points that it holds to each other; a line runs through them in this order. None for a coupling.
    pub points: Vec<PointHead>,
    /// Axis that it leaves free to turn about, in the frame of the first point's body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub axis: Option<[f64; 3]>,
}

fn holds() -> bool {
    true
}

/// A point of a body.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PointHead {
    /// The body; −1 for the world.
    pub body: i64,
    /// Position in its frame [m].
    pub position: [f64; 3],
}

/// A pair of bodies whose closest points are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GapHead {
    /// First body.
    pub a: u32,
    /// Second body.
    pub b: u32,
}

/// A recorded signal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignalHead {
    /// Full name.
    pub name: String,
    /// Unit.
    pub unit: String,
    /// What it is.
    pub description: String,
}

impl Head {
    /// The head of a run. `signals` gives the columns that it records; the first is the time.
    pub fn of(scenario: &Scenario, signals: &Table) -> Self {
        let model = &scenario.model;
        Self {
            name: scenario.name.clone(),
            title: scenario.title.clone(),
            description: scenario.description.clone().unwrap_or_default(),
            version: env!("CARGO_PKG_VERSION").into(),
            hash: format!("{:016x}", scenario.hash),
            period: scenario.frames.unwrap_or(DEFAULT_PERIOD),
            duration: scenario.run.duration,
            gravity: array(model.gravity),
            integrator: integrator(&scenario.run.integrator),
            parameters: scenario.parameters.iter().map(|(k, v)| (k.clone(), v.clone().into())).collect(),
            resolution: Resolution::of(model),
            bodies: (0..model.bodies.len()).map(|i| body_head(scenario, i)).collect(),
            curves: model.cables.iter().map(curve_head).collect(),
            fields: surroundings::fields(model),
            joints: model.joints.iter().filter_map(|joint| joint_head(model, joint)).collect(),
            loops: model.loops.iter().map(loop_head).collect(),
            gaps: scenario.gaps.iter().map(|[a, b]| GapHead { a: a.0, b: b.0 }).collect(),
            views: scenario.views.iter().map(view_head).collect(),
            signals: signal_heads(signals),
            plots: opening::plots(&scenario.plots, &scenario.expects, signals),
        }
    }

    /// How many things each frame tells of.
    pub fn layout(&self) -> Layout {
        Layout {
            bodies: self.bodies.len(),
            curves: self.curves.len(),
            fields: self.fields.iter().map(FieldHead::heights).collect(),
            gaps: self.gaps.len(),
        }
    }

    /// A stream that begins with this head and with meshes.
    pub fn begin_with(&self, meshes: &[VisualMesh]) -> Vec<u8> {
        let mut stream = self.begin();
        for (index, one) in meshes.iter().enumerate() {
            mesh::put(&mut stream, index as u32, one);
        }
        stream
    }

    /// A stream that begins with this head.
    pub fn begin(&self) -> Vec<u8> {
        let mut stream = record::begin();
        record::put_json(&mut stream, HEAD, self);
        stream
    }
}

/// The signals of a table whose first column is the time.
pub fn signal_heads(table: &Table) -> Vec<SignalHead> {
    let columns = table.columns.iter().skip(1);
    columns
        .map(|c| SignalHead {
            name: c.name.clone(),
            unit: c.unit.clone(),
            description: c.description.clone(),
        })
        .collect()
}

fn array(v: Vec3) -> [f64; 3] {
    [v.x, v.y, v.z]
}

/// A method in words, such as `semi_implicit_euler, 0.6 ms`.
fn integrator(spec: &IntegratorSpec) -> String {
    let milliseconds = |step: f64| format!("{} ms", crate::plot::number(1e3 * step));
    let name = spec.name();
    if let Some(a) = spec.error_control() {
        let longest = milliseconds(a.max_step);
        return format!("{name}, tolerances {:e} and {:e}, at most {longest}", a.relative, a.absolute);
    }
    format!("{name}, {}", milliseconds(spec.fixed_step().unwrap_or_default()))
}

fn view_head(view: &View) -> ViewHead {
    ViewHead {
        name: view.name.clone(),
        eye: array(view.eye),
        target: array(view.target),
        follow: view.follow.map(|body| body.0),
        from: view.from.map(|body| body.0),
    }
}

fn body_head(scenario: &Scenario, index: usize) -> BodyHead {
    let model = &scenario.model;
    let body = &model.bodies[index];
    let visuals = || scenario.visuals.iter().filter(|v| v.body.index() == index);
    let shapes = &model.shapes[body.shapes.start as usize..body.shapes.end as usize];
    let motion = match body.motion {
        BodyMotion::Free { .. } => "free",
        BodyMotion::Fixed => "fixed",
        BodyMotion::Driven { .. } => "driven",
    };
    BodyHead {
        name: body.name.clone(),
        motion: motion.into(),
        mass: body.mass(),
        center: match &body.motion {
            BodyMotion::Free { mass } => array(mass.center),
            BodyMotion::Fixed | BodyMotion::Driven { .. } => [0.0; 3],
        },
        // Meshes and polyhedra are shown as what they look like.
        shapes: shapes
            .iter()
            .filter(|s| !matches!(s.shape, Shape::Mesh(_) | Shape::Polyhedron(_)))
            .map(|s| shape_head(&s.shape, &s.pose_bs))
            .collect(),
        colour: scenario.colours.get(index).copied().flatten(),
        meshes: visuals().map(mesh_head).collect(),
        bounds: bounds(
            shapes
                .iter()
                .map(|s| s.shape.bounds(&s.pose_bs))
                .chain(visuals().filter_map(|v| mesh_bounds(v, scenario.meshes.get(v.mesh as usize)?))),
        ),
    }
}

/// A cable. One without a diameter is as thick as a tenth of a thousandth of its length.
fn curve_head(cable: &Cable) -> CurveHead {
    let thickest = cable.lines.iter().map(|line| line.diameter).fold(0.0, f64::max);
    let diameter = if thickest > 0.0 { thickest } else { 1e-4 * cable.length() };
    CurveHead { name: cable.name.clone(), radius: 0.5 * diameter }
}

fn joint_head(model: &Model, joint: &ModelJoint) -> Option<JointHead> {
    let link = &model.links[joint.link];
    let Carrier::Joint { joint: kind, body: parent, pose_pj, pose_jb, .. } = &link.carrier else {
        return None;
    };
    let frame = pose_jb.inverse();
    let axis = |body, direction| AxisHead { body: body_or_world(body), direction: array(direction) };
    let axes = match kind.name() {
        "universal" => {
            vec![axis(*parent, pose_pj.rotation * Vec3::X), axis(Some(link.body), frame.rotation * Vec3::Y)]
        }
        _ => Vec::new(),
    };
    Some(JointHead {
        name: joint.name.clone(),
        kind: kind.name().into(),
        body: link.body.0,
        position: array(frame.translation),
        axis: array(frame.rotation * Vec3::Z),
        axes,
    })
}

/// Index of a body, −1 for the world.
fn body_or_world(body: Option<BodyId>) -> i64 {
    body.map_or(-1, |id| i64::from(id.0))
}

fn loop_head(closed: &ModelLoop) -> LoopHead {
    let point =
        |anchor: Anchor| PointHead { body: body_or_world(anchor.body), position: array(anchor.point) };
    LoopHead {
        name: closed.name.clone(),
        kind: closed.closure.name().into(),
        driven: closed.closure.drives(),
        attached: closed.attached,
        points: closed.closure.anchors().into_iter().map(point).collect(),
        axis: closed.closure.axis().map(array),
    }
}

fn shape_head(shape: &Shape, pose: &Pose) -> ShapeHead {
    let r = pose.rotation;
    let (mut radius, mut half, mut half_height, mut half_angle, mut tube) = (None, None, None, None, None);
    match *shape {
        Shape::Sphere { radius: r } => radius = Some(r),
        Shape::HalfSpace | Shape::Mesh(_) | Shape::Polyhedron(_) => {}
        Shape::Box { half: h } | Shape::Ellipsoid { radii: h } => half = Some(array(h)),
        Shape::Edge { half_angle: angle } => half_angle = Some(angle),
        Shape::Torus { radius: r, tube: t } | Shape::HalfTorus { radius: r, tube: t } => {
            (radius, tube) = (Some(r), Some(t));
        }
        Shape::Link { radius: r, half_straight: h, tube: t } => {
            (radius, half_height, tube) = (Some(r), Some(h), Some(t));
        }
        Shape::Cylinder { radius: r, half_height: h }
        | Shape::Capsule { radius: r, half_height: h }
        | Shape::Cone { radius: r, half_height: h }
        | Shape::Bore { radius: r, half_height: h }
        | Shape::Funnel { radius: r, half_height: h } => {
            // JSON knows no infinity.
            (radius, half_height) = (Some(r), Some(h).filter(|h| h.is_finite()));
        }
    }
    ShapeHead {
        shape: shape.name().into(),
        radius,
        tube,
        half,
        half_height,
        half_angle,
        position: array(pose.translation),
        orientation: [r.x, r.y, r.z, r.w],
    }
}

fn mesh_head(visual: &Visual) -> MeshHead {
    let r = visual.pose.rotation;
    MeshHead {
        mesh: visual.mesh,
        position: array(visual.pose.translation),
        orientation: [r.x, r.y, r.z, r.w],
        scale: array(visual.scale),
    }
}

/// Box of a mesh in its body's frame.
fn mesh_bounds(visual: &Visual, mesh: &VisualMesh) -> Option<Bounds> {
    let (low, high) = mesh.extent();
    let corner = |v: [f32; 3]| Vec3::new(v[0].into(), v[1].into(), v[2].into()) * visual.scale;
    let (low, high) = (corner(low), corner(high));
    let half = 0.5 * (high - low).abs();
    let middle = Pose { translation: visual.pose * (0.5 * (low + high)), ..visual.pose };
    half.is_finite().then(|| Shape::Box { half }.bounds(&middle))
}

/// The box that holds all; none if there is nothing or something is infinite.
fn bounds(all: impl Iterator<Item = Bounds>) -> Option<BoundsHead> {
    let mut whole: Option<(Vec3, Vec3)> = None;
    for one in all {
        let Bounds::Box { min, max } = one else { return None };
        whole = Some(whole.map_or((min, max), |(low, high)| (low.min(min), high.max(max))));
    }
    whole.map(|(min, max)| BoundsHead { min: array(min), max: array(max) })
}
