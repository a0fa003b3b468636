//! What a user writes: one tree of structures, one file per topic.
//!
//! Names are table keys, choices are externally tagged (`shape.sphere = { … }`), unknown keys are refused everywhere.
//! Doc comments are the descriptions in the JSON schema.

mod body;
mod cable;
mod closure;
mod contact;
mod controller;
mod event;
mod expect;
mod force;
mod joint;
mod line;
mod profile;
mod record;
mod report;
mod run;
mod sensor;
mod shape;
mod table;
mod visual;
mod water;
mod world;

pub use body::{
    ArraySpec, BodySpec, BodyWaterSpec, DrivenSpec, GridSpec, InertiaSpec, OrientationSpec, PointSpec,
    SixDegreesSpec,
};
pub use cable::{
    AlongSpec, CableEndSpec, CableShapeSpec, CableSpec, EndSpec, OwnRateSpec, PayoutSpec, ResolutionSpec,
    RingSpec, SectionSpec, SheaveSpec,
};
pub use closure::{CloseSpec, LoopMethodSpec, LoopSpec, LoopsSpec, PenaltyScaleSpec, SharedAxisSpec};
pub use contact::{
    BristleSpec, ContactSpec, CoulombSpec, DampingForm, FoundationSpec, FrictionSpec, HertzMatchSpec,
    HertzSpec, HuntCrossleySpec, IgnoreSpec, ImpactSpec, InitialContactSpec, KelvinVoigtSpec, LibrarySpec,
    LinearSpec, LuacesSpec, NormalSpec, PatchMatchSpec,
};
pub use controller::{
    ControlLawSpec, ControllerSpec, DriveSpec, OutputLimitsSpec, PidSpec, StateFeedbackSpec, TermSpec,
};
pub use event::{EventSpec, IdleSpec};
pub use expect::{At, ExpectSpec, Statistic};
pub use force::{DragSpec, ForceSpec, LoadFrame, LoadSpec, SineSpec, SpringSpec};
pub use joint::{
    AngleFrictionSpec, AngleLimitsSpec, AngleMotorSpec, AngleSpec, AngleSpringSpec, DistanceFrictionSpec,
    DistanceLimitsSpec, DistanceMotorSpec, DistanceSpec, DistanceSpringSpec, JointSpec, MotionSpec,
};
pub use line::{AddedMassSpec, AxialSpec, BendingSpec, LineDragSpec, LineSpec, TorsionSpec};
pub use profile::{ProfileSpec, RampProfileSpec, RateProfileSpec, SineProfileSpec};
pub use record::{FramesSpec, RecordSpec};
pub use report::{PlotSpec, ReportSpec};
pub use run::{
    AdaptiveSpec, FixedStepSpec, GeneralizedAlphaSpec, HhtSpec, ImplicitSpec, MethodSpec, MidpointSpec,
    RunSpec,
};
pub use sensor::{CutSpec, MeasureSpec, NoiseSpec, PointMeasureSpec, SensorSpec, VectorMeasureSpec};
pub use shape::{ConvexSpec, PartSpec, ShapeSpec};
pub use table::Table;
pub use visual::{Colour, ScaleSpec, ViewSpec, VisualSpec};
pub use water::{AirySpec, CurrentSpec, FlowSpec, SeabedSpec, StretchingSpec, WaterSpec, WaveSpec, WindSpec};
pub use world::{MaterialSpec, WorldSpec};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Version of the format that this program reads.
pub const FORMAT: u32 = 1;

/// Keys of a file's top level.
pub const TOP_LEVEL: [&str; 28] = [
    "format",
    "title",
    "description",
    "parameter",
    "run",
    "world",
    "material",
    "body",
    "contact",
    "ignore",
    "force",
    "joint",
    "loop",
    "water",
    "wind",
    "seabed",
    "line",
    "cable",
    "sensor",
    "controller",
    "event",
    "initial_contact",
    "record",
    "frames",
    "view",
    "expect",
    "report",
    "$schema",
];

/// Top-level tables whose keys are the user's names.
pub const NAMED_TABLES: [&str; 11] = [
    "parameter",
    "material",
    "body",
    "force",
    "view",
    "joint",
    "loop",
    "sensor",
    "controller",
    "line",
    "cable",
];

/// A Fender scenario: bodies in contact.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "Fender scenario")]
pub struct ScenarioSpec {
    /// Version of the format: 1.
    pub format: u32,
    /// Where an editor finds the schema of this file.
    #[serde(rename = "$schema", default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// One line that says what is shown.
    pub title: String,
    /// What to look at, and why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Named values, used anywhere as "$name" or "-$name", overridden with --set name=value.
    #[serde(default)]
    pub parameter: Table<serde_json::Value>,
    /// How long and by which method.
    pub run: RunSpec,
    /// What surrounds the bodies.
    #[serde(default)]
    pub world: WorldSpec,
    /// Materials by name.
    #[serde(default)]
    pub material: Table<MaterialSpec>,
    /// Bodies by name.
    #[serde(default)]
    pub body: Table<BodySpec>,
    /// Which laws act between which materials.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contact: Vec<ContactSpec>,
    /// What passes through each other.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ignore: Vec<IgnoreSpec>,
    /// Force elements by name.
    #[serde(default)]
    pub force: Table<ForceSpec>,
    /// Joints by name.
    #[serde(default)]
    pub joint: Table<JointSpec>,
    /// Loops by name.
    #[serde(rename = "loop", default)]
    pub closed_loop: Table<LoopSpec>,
    /// Water with a surface.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub water: Option<WaterSpec>,
    /// Air above the water, or everywhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wind: Option<WindSpec>,
    /// A flat bottom that carries cables.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seabed: Option<SeabedSpec>,
    /// What cables are made of, by name.
    #[serde(default)]
    pub line: Table<LineSpec>,
    /// Cables by name.
    #[serde(default)]
    pub cable: Table<CableSpec>,
    /// Sensors by name.
    #[serde(default)]
    pub sensor: Table<SensorSpec>,
    /// Controllers by name.
    #[serde(default)]
    pub controller: Table<ControllerSpec>,
    /// What comes and goes, and when.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub event: Vec<EventSpec>,
    /// Memory of contacts that exist at the start.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub initial_contact: Vec<InitialContactSpec>,
    /// Which signals are recorded, and how often.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub record: Vec<RecordSpec>,
    /// Poses and contacts for a viewer.
    #[serde(default)]
    pub frames: FramesSpec,
    /// Places to look from, by name.
    #[serde(default)]
    pub view: Table<ViewSpec>,
    /// What the report begins with.
    #[serde(default, skip_serializing_if = "ReportSpec::is_empty")]
    pub report: ReportSpec,
    /// What must come out: makes the scenario a test.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub expect: Vec<ExpectSpec>,
}

impl ScenarioSpec {
    /// Fills in the defaults that depend on something else in the file, so that the expanded file shows them.
    pub(crate) fn write_out_defaults(&mut self) {
        self.run.integrator = Some(self.method());
        for (_, body) in &mut self.body.0 {
            if body.driven.is_none() {
                body.position.get_or_insert_default();
                if !body.fixed {
                    body.velocity.get_or_insert_default();
                    body.angular_velocity.get_or_insert_default();
                }
            }
        }
        for (_, line) in &mut self.line.0 {
            line.write_out_defaults();
        }
        for contact in self.contact.iter_mut().filter(|contact| contact.impact.is_none()) {
            contact.friction.get_or_insert_default();
        }
    }
}
