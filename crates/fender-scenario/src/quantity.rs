//! Numbers with a dimension and a range, as they stand in scenario files.

use crate::expression;
use crate::units::Dimension;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::{Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

/// What kind of quantity a number is.
pub trait Kind: 'static {
    /// Its dimension; `None` accepts any.
    const DIMENSION: Option<Dimension>;
    /// With its article: "a length".
    const NAME: &'static str;
    /// SI unit.
    const UNIT: &'static str;
    /// How a person might write one.
    const EXAMPLE: &'static str;
    /// Whether `/rad` may be written or left out, as in a torsional stiffness.
    const ANGLE_OPTIONAL: bool = false;
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident = $words:literal, $dimension:expr, $unit:literal, $example:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub enum $name {}
        impl Kind for $name {
            const DIMENSION: Option<Dimension> = $dimension;
            const NAME: &'static str = $words;
            const UNIT: &'static str = $unit;
            const EXAMPLE: &'static str = $example;
        }
    )*};
}

macro_rules! dim {
    ($length:literal, $mass:literal, $time:literal, $angle:literal) => {
        Some(Dimension::new($length, $mass, $time, $angle))
    };
}

kinds! {
    /// Without a unit.
    Number = "a plain number", dim!(0, 0, 0, 0), "1", "0.5";
    /// Of any dimension; the reader knows which.
    AnyKind = "a number", None, "SI", "0.5";
    /// [m]
    Length = "a length", dim!(1, 0, 0, 0), "m", "0.3 m";
    /// [kg]
    Mass = "a mass", dim!(0, 1, 0, 0), "kg", "2 kg";
    /// [s]
    Time = "a time", dim!(0, 0, 1, 0), "s", "10 ms";
    /// [rad]
    Angle = "an angle", dim!(0, 0, 0, 1), "rad", "30 deg";
    /// [Hz]
    Frequency = "a frequency", dim!(0, 0, -1, 0), "Hz", "2 Hz";
    /// [m/s]
    Velocity = "a velocity", dim!(1, 0, -1, 0), "m/s", "1.5 m/s";
    /// [m/s²]
    Acceleration = "an acceleration", dim!(1, 0, -2, 0), "m/s^2", "9.81 m/s^2";
    /// [rad/s]
    AngularVelocity = "an angular velocity", dim!(0, 0, -1, 1), "rad/s", "10 rpm";
    /// [rad/s²]
    AngularAcceleration = "an angular acceleration", dim!(0, 0, -2, 1), "rad/s^2", "2 rad/s^2";
    /// [N/s]
    ForceRate = "a force per time", dim!(1, 1, -3, 0), "N/s", "2 kN/s";
    /// [N·m/s]
    TorqueRate = "a torque per time", dim!(2, 1, -3, 0), "N*m/s", "2 kN*m/s";
    /// [kg/m³]
    Density = "a density", dim!(-3, 1, 0, 0), "kg/m^3", "1100 kg/m^3";
    /// [kg·m²]
    Inertia = "a moment of inertia", dim!(2, 1, 0, 0), "kg*m^2", "0.02 kg*m^2";
    /// [N]
    ForceKind = "a force", dim!(1, 1, -2, 0), "N", "12 kN";
    /// [N·m]
    Torque = "a torque", dim!(2, 1, -2, 0), "N*m", "5 N*m";
    /// [Pa]
    Pressure = "a pressure", dim!(-1, 1, -2, 0), "Pa", "2 GPa";
    /// [N/m]
    Stiffness = "a stiffness", dim!(0, 1, -2, 0), "N/m", "20 kN/m";
    /// [N/m^1.5]
    HertzStiffness = "a Hertz stiffness", Some(Dimension::halves(-1, 2, -4, 0)), "N/m^1.5", "1e6 N/m^1.5";
    /// [N·s/m]
    Damping = "a damping", dim!(0, 1, -1, 0), "N*s/m", "50 N*s/m";
    /// [1/m]
    PerLength = "a number per length", dim!(-1, 0, 0, 0), "1/m", "1e4 1/m";
    /// [s/m]
    PerVelocity = "a number per speed", dim!(-1, 0, 1, 0), "s/m", "30 s/m";
    /// [N·s²/m²]
    QuadraticDrag = "a quadratic drag coefficient", dim!(-1, 1, 0, 0), "N*s^2/m^2", "0.3 N*s^2/m^2";
    /// [m²]
    Area = "an area", dim!(2, 0, 0, 0), "m^2", "0.3 m^2";
    /// [m³]
    Volume = "a volume", dim!(3, 0, 0, 0), "m^3", "0.1 m^3";
    /// [kg/m]
    MassPerLength = "a mass per length", dim!(-1, 1, 0, 0), "kg/m", "20 kg/m";
    /// [kg·m]
    InertiaPerLength = "a moment of inertia per length", dim!(1, 1, 0, 0), "kg*m", "1e-3 kg*m";
    /// [N·s]
    AxialDamping = "an axial damping", dim!(1, 1, -1, 0), "N*s", "10 kN*s";
    /// [N·m²]
    BendingStiffness = "a bending stiffness", dim!(3, 1, -2, 0), "N*m^2", "120 kN*m^2";
    /// [N·m²·s]
    BendingDamping = "a bending damping", dim!(3, 1, -1, 0), "N*m^2*s", "5 N*m^2*s";
    /// [Pa/m]
    BedStiffness = "a stiffness per area", dim!(-2, 1, -2, 0), "Pa/m", "100 kPa/m";
    /// [N/m³]
    FoundationStiffness = "a stiffness per volume", dim!(-2, 1, -2, 0), "N/m^3", "1e9 N/m^3";
    /// [Pa·s/m]
    BedDamping = "a damping per area", dim!(-2, 1, -1, 0), "Pa*s/m", "10 kPa*s/m";
}

/// [N·m·s], or per radian.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RotationalDamping {}

impl Kind for RotationalDamping {
    const DIMENSION: Option<Dimension> = dim!(2, 1, -1, 0);
    const NAME: &'static str = "a rotational damping";
    const UNIT: &'static str = "N*m*s";
    const EXAMPLE: &'static str = "0.1 N*m*s";
    const ANGLE_OPTIONAL: bool = true;
}

/// [N·m], or per radian.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RotationalStiffness {}

impl Kind for RotationalStiffness {
    const DIMENSION: Option<Dimension> = dim!(2, 1, -2, 0);
    const NAME: &'static str = "a rotational stiffness";
    const UNIT: &'static str = "N*m";
    const EXAMPLE: &'static str = "20 N*m/rad";
    const ANGLE_OPTIONAL: bool = true;
}

/// A kind of quantity that may change over time.
pub trait Timed: Kind + Clone + fmt::Debug + PartialEq {
    /// What its rate of change is.
    type Rate: Kind + Clone + fmt::Debug + PartialEq;
}

macro_rules! timed {
    ($($kind:ident per second is $rate:ident;)*) => {$(
        impl Timed for $kind {
            type Rate = $rate;
        }
    )*};
}

timed! {
    Number per second is Frequency;
    AnyKind per second is AnyKind;
    Length per second is Velocity;
    Angle per second is AngularVelocity;
    Velocity per second is Acceleration;
    AngularVelocity per second is AngularAcceleration;
    ForceKind per second is ForceRate;
    Torque per second is TorqueRate;
}

/// Which numbers make sense.
pub trait Range: 'static {
    /// Whether a finite number does.
    fn holds(value: f64) -> bool;
    /// As in "must be …".
    const WORDS: &'static str;
    /// As JSON schema keywords.
    const KEYWORDS: &'static [(&'static str, f64)];
}

/// Every finite number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Finite {}
/// More than zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Positive {}
/// Zero or more.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NonNegative {}
/// From 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum UnitInterval {}
/// More than 0, up to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PositiveUnitInterval {}
/// More than zero: the stiffness of a line against being stretched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AxialRange {}
/// From −1 (excluded) to 0.5: Poisson's ratio of a stable isotropic solid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PoissonRange {}

macro_rules! ranges {
    ($($name:ident: $holds:expr, $words:literal, $keywords:expr;)*) => {$(
        impl Range for $name {
            fn holds(value: f64) -> bool {
                let holds: fn(f64) -> bool = $holds;
                holds(value)
            }
            const WORDS: &'static str = $words;
            const KEYWORDS: &'static [(&'static str, f64)] = &$keywords;
        }
    )*};
}

ranges! {
    Finite: |_| true, "finite", [];
    Positive: |v| v > 0.0, "positive and finite", [("exclusiveMinimum", 0.0)];
    NonNegative: |v| v >= 0.0, "zero or positive, and finite", [("minimum", 0.0)];
    UnitInterval: |v| (0.0..=1.0).contains(&v), "between 0 and 1", [("minimum", 0.0), ("maximum", 1.0)];
    PositiveUnitInterval: |v| v > 0.0 && v <= 1.0, "above 0 and at most 1 (exactly 0 would need infinite damping; 0.01 is as good as it)",
        [("exclusiveMinimum", 0.0), ("maximum", 1.0)];
    AxialRange: |v| v > 0.0, "positive and finite (EA is some 10 kN for a tether, 5 MN for a steel wire of 10 mm, 1 GN for a heavy chain; a \
        line that only pulls is `slack = true`)", [("exclusiveMinimum", 0.0)];
    PoissonRange: |v| v > -1.0 && v <= 0.5, "above -1 and at most 0.5",
        [("exclusiveMinimum", -1.0), ("maximum", 0.5)];
}

/// A number of one kind within one range; in a file an SI number, or a text with a unit.
pub struct Quantity<K, R = Finite> {
    /// Value in SI units.
    pub value: f64,
    kind: PhantomData<fn() -> (K, R)>,
}

impl<K, R> Quantity<K, R> {
    /// A quantity from its value in SI units. The range is only checked for what comes from a file.
    pub const fn new(value: f64) -> Self {
        Self { value, kind: PhantomData }
    }
}

impl<K, R> Clone for Quantity<K, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K, R> Copy for Quantity<K, R> {}

impl<K, R> PartialEq for Quantity<K, R> {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl<K, R> Default for Quantity<K, R> {
    fn default() -> Self {
        Self::new(0.0)
    }
}

impl<K: Kind, R> fmt::Debug for Quantity<K, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.value, K::UNIT)
    }
}

/// Sizes in SI units that can be computed with: products of six such numbers neither overflow nor vanish.
const SMALLEST: f64 = 1e-50;
const LARGEST: f64 = 1e50;

impl<K: Kind, R: Range> Quantity<K, R> {
    fn checked<E: de::Error>(value: f64) -> Result<Self, E> {
        let unit = if matches!(K::UNIT, "1" | "SI") { String::new() } else { format!(" {}", K::UNIT) };
        if !(value.is_finite() && R::holds(value)) {
            return Err(E::custom(format_args!("must be {}, and is {value}{unit}", R::WORDS)));
        }
        // What is only compared, such as a tolerance of an expectation, may be of any size.
        let size = if K::DIMENSION.is_some() { value.abs() } else { 1.0 };
        if size > LARGEST {
            return Err(E::custom(format_args!(
                "{value:e}{unit} is too large to compute with: at most {LARGEST:e}{unit} is allowed"
            )));
        }
        if size > 0.0 && size < SMALLEST {
            let or_none = if R::holds(0.0) { " or 0" } else { "" };
            return Err(E::custom(format_args!(
                "{value:e}{unit} is too small to compute with: at least {SMALLEST:e}{unit}{or_none} is allowed"
            )));
        }
        Ok(Self::new(value))
    }
}

struct QuantityVisitor<K, R>(PhantomData<fn() -> (K, R)>);

impl<K: Kind, R: Range> Visitor<'_> for QuantityVisitor<K, R> {
    type Value = Quantity<K, R>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match K::UNIT {
            "1" | "SI" => f.write_str(K::NAME),
            _ => write!(f, "{} such as \"{}\"", K::NAME, K::EXAMPLE),
        }
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Self::Value, E> {
        Quantity::checked(value)
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Self::Value, E> {
        Quantity::checked(value as f64)
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Self::Value, E> {
        Quantity::checked(value as f64)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
        let expected = &self as &dyn de::Expected;
        let measure =
            expression::measure(text).map_err(|e| E::custom(format_args!("expected {expected}, and {e}")))?;
        let got = measure.dimension;
        if let Some(asked) = K::DIMENSION {
            let optional = K::ANGLE_OPTIONAL && got == asked.per_radian();
            if got != asked && !optional {
                // A bare number in quotes: the writer left the unit out, or did not need the quotes.
                let hint = if got == Dimension::default() {
                    format!("; a number without quotes is in {}", K::UNIT)
                } else {
                    String::new()
                };
                return Err(E::custom(format_args!("expected {expected}, got {got} (\"{text}\"){hint}")));
            }
        }
        Quantity::checked(measure.value)
    }
}

impl<'de, K: Kind, R: Range> Deserialize<'de> for Quantity<K, R> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(QuantityVisitor(PhantomData))
    }
}

impl<K, R> Serialize for Quantity<K, R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.value)
    }
}

impl<K: Kind, R: Range> JsonSchema for Quantity<K, R> {
    fn schema_name() -> Cow<'static, str> {
        let camel = |s: &str| {
            s.split(|c: char| !c.is_alphanumeric())
                .filter(|w| !w.is_empty())
                .map(|w| w[..1].to_uppercase() + &w[1..])
                .collect::<String>()
        };
        let range = std::any::type_name::<R>().rsplit("::").next().unwrap_or_default();
        let name = K::NAME.split_once(' ').map_or(K::NAME, |(_, rest)| rest);
        format!("{range}{}", camel(name)).into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let mut number = serde_json::Map::new();
        number.insert("type".into(), "number".into());
        for (keyword, bound) in R::KEYWORDS {
            number.insert((*keyword).into(), (*bound).into());
        }
        json_schema!({
            "description": format!(
                "{}: a number in {}, a text with a unit such as \"{}\", or arithmetic such as \"2*$parameter\"", K::NAME, K::UNIT, K::EXAMPLE
            ),
            "anyOf": [number, { "type": "string" }],
        })
    }
}

/// Three components.
pub type Vector<K> = [Quantity<K>; 3];

/// The vector of three quantities, in SI units.
pub fn vec3<K, R>(v: &[Quantity<K, R>; 3]) -> fender_math::Vec3 {
    fender_math::Vec3::new(v[0].value, v[1].value, v[2].value)
}
