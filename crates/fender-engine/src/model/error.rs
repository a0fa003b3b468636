//! What can be wrong with a model.

use fender_geom::ShapeError;
use fender_math::MassError;

/// Why a model is impossible.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ModelError {
    /// A cable that cannot be.
    #[error("cable '{name}': {source}")]
    Cable {
        /// Its name.
        name: String,
        /// Why.
        source: crate::cable::CableError,
    },
    /// Two bodies, or two forces, have one name.
    #[error("the name '{0}' is used twice")]
    DuplicateName(String),
    /// A body's mass properties are impossible.
    #[error("body '{body}': {source}")]
    Mass {
        /// Name of the body.
        body: String,
        /// What is wrong.
        source: MassError,
    },
    /// A body's shape is impossible.
    #[error("body '{body}': {source}")]
    Shape {
        /// Name of the body.
        body: String,
        /// What is wrong.
        source: ShapeError,
    },
    /// A free body with a shape without end.
    #[error(
        "body '{body}' is free and has {shape}, which has no mass: fix it, drive it or give it another shape"
    )]
    FreeEndless {
        /// Name of the body.
        body: String,
        /// The shape, with its article.
        shape: &'static str,
    },
    /// A fast body that cannot be followed.
    #[error("body '{body}' cannot be fast: {reason}")]
    Fast {
        /// Name of the body.
        body: String,
        /// Why.
        reason: &'static str,
    },
    /// A position, velocity or gravity is not finite.
    #[error("{what} of '{name}' is not finite")]
    NotFinite {
        /// What.
        what: &'static str,
        /// Whose.
        name: String,
    },
    /// Two shapes that can touch have no rule.
    #[error(
        "bodies '{a}' and '{b}' can touch, and there is no contact rule for '{material_a}' on '{material_b}'"
    )]
    NoRule {
        /// First body.
        a: String,
        /// Second body.
        b: String,
        /// First material.
        material_a: String,
        /// Second material.
        material_b: String,
    },
    /// A law that needs radii meets faces or straight sides.
    #[error(
        "bodies '{a}' ({shape_a}) and '{b}' ({shape_b}) can touch along a line or a face, where Hertz' law has no radius: give the \
         law a `stiffness`, or use `foundation` or `linear`"
    )]
    FlatHertz {
        /// First body.
        a: String,
        /// Second body.
        b: String,
        /// First shape.
        shape_a: &'static str,
        /// Second shape.
        shape_b: &'static str,
    },
    /// A foundation meets shapes whose overlap has no patch.
    #[error(
        "a `foundation` has no patch between bodies '{a}' ({shape_a}) and '{b}' ({shape_b}): patches are between spheres, \
         capsules, cylinders, cones, boxes and polyhedra, and of these or an ellipsoid with half-spaces and edges, of an ellipsoid with boxes \
         and polyhedra too; use `linear` or another law of a depth between their materials"
    )]
    NoPatch {
        /// First body.
        a: String,
        /// Second body.
        b: String,
        /// First shape.
        shape_a: &'static str,
        /// Second shape.
        shape_b: &'static str,
    },
    /// A joint is impossible.
    #[error("joint '{joint}': {why}")]
    Joint {
        /// Name of the joint.
        joint: String,
        /// What is wrong.
        why: String,
    },
    /// A loop is impossible.
    #[error("loop '{name}': {why}")]
    Loop {
        /// Name of the loop.
        name: String,
        /// What is wrong.
        why: String,
    },
    /// No configuration closes a loop.
    #[error(
        "loop '{name}' cannot be closed: nearest to the start given, it stays open by {gap:.6} m (or rad)"
    )]
    LoopOpen {
        /// Name of the loop.
        name: String,
        /// What is left open [m or rad].
        gap: f64,
    },
    /// The velocities that are to be kept tear a loop apart.
    #[error("loop '{name}' is torn apart with {rate:.3e} m/s (or rad/s) by the rates that are to be kept")]
    LoopTorn {
        /// Name of the loop.
        name: String,
        /// With which rate [m/s or rad/s].
        rate: f64,
    },
    /// A prescribed motion is already prescribed by others.
    #[error(
        "loop '{name}' prescribes a motion that is already determined by the other loops and drives: remove one of them"
    )]
    OverDriven {
        /// Name of the loop.
        name: String,
    },
    /// A sensor is impossible.
    #[error("sensor '{sensor}': {why}")]
    Sensor {
        /// Name of the sensor.
        sensor: String,
        /// What is wrong.
        why: String,
    },
    /// A controller is impossible.
    #[error("controller '{controller}': {why}")]
    Controller {
        /// Name of the controller.
        controller: String,
        /// What is wrong.
        why: String,
    },
    /// Something that comes and goes cannot do so.
    #[error("'{name}': {why}")]
    Change {
        /// Name of the loop, force or body.
        name: String,
        /// What is wrong.
        why: String,
    },
    /// A sphere that does not fit into a hole.
    #[error(
        "the sphere of '{sphere}' has a radius of {radius} m and does not fit into the bore of '{bore}', whose radius is \
         {hole} m"
    )]
    TooLarge {
        /// Body of the sphere.
        sphere: String,
        /// Its radius [m].
        radius: f64,
        /// Body of the bore.
        bore: String,
        /// Radius of the bore [m].
        hole: f64,
    },
    /// A pair of shapes that cannot be computed.
    #[error(
        "bodies '{a}' ({shape_a}) and '{b}' ({shape_b}) can touch, and this pair of shapes is not supported"
    )]
    UnsupportedPair {
        /// First body.
        a: String,
        /// Second body.
        b: String,
        /// First shape.
        shape_a: &'static str,
        /// Second shape.
        shape_b: &'static str,
    },
}
