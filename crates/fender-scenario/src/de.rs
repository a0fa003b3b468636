//! serde over the tree.
//!
//! Our own deserializer rather than the TOML crate's, because it keeps an error in parts (unknown key, its place, what
//! was possible) instead of a finished sentence, and because values may come from overrides and parameters.

use crate::error::ErrorKind;
use crate::tree::{Node, Path, Place, Step, Value};
use crate::units::Dimension;
use crate::{expression, suggest};
use serde::de::{
    self, DeserializeSeed, Deserializer, EnumAccess, Error as _, Expected, IntoDeserializer, MapAccess,
    SeqAccess, Unexpected, VariantAccess, Visitor,
};
use std::fmt;

/// Why a tree does not fit the format.
#[derive(Debug)]
pub struct Error {
    pub kind: ErrorKind,
    pub message: String,
    pub help: Option<String>,
    /// From the root, once it has come up to there.
    pub path: Path,
    /// Innermost place, and where its content came from.
    pub place: Option<Box<(Place, Option<Place>)>>,
}

impl Error {
    fn new(kind: ErrorKind, message: String, help: Option<String>) -> Self {
        Self { kind, message, help, path: Path::root(), place: None }
    }

    fn at(mut self, node: &Node) -> Self {
        self.place.get_or_insert_with(|| Box::new((node.place.clone(), node.via.clone())));
        self
    }

    fn at_key(mut self, place: &Place) -> Self {
        self.place.get_or_insert_with(|| Box::new((place.clone(), None)));
        self
    }

    fn below(mut self, step: Step) -> Self {
        self.path.prepend(step);
        self
    }
}

impl std::error::Error for Error {}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

fn words(unexpected: &Unexpected<'_>) -> String {
    match unexpected {
        Unexpected::Str(s) => format!("the text \"{s}\""),
        Unexpected::Float(x) => format!("the number {x}"),
        Unexpected::Signed(i) => format!("the number {i}"),
        Unexpected::Unsigned(i) => format!("the number {i}"),
        Unexpected::Bool(b) => format!("{b}"),
        Unexpected::Seq => "a list".into(),
        Unexpected::Map => "a table".into(),
        other => other.to_string(),
    }
}

/// serde's words for what it expects, in the words of the file.
fn expected_words(expected: &dyn Expected) -> String {
    let text = expected.to_string();
    let list = |n: &str| format!("a list of {n}");
    if let Some(n) = text.strip_prefix("an array of length ").or(text.strip_prefix("a tuple of size ")) {
        return list(n);
    }
    match text.as_str() {
        "a sequence" => "a list".into(),
        "a boolean" => "true or false".into(),
        "a string" => "a text".into(),
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number, zero or positive".into(),
        "i8" | "i16" | "i32" | "i64" | "isize" => "a whole number".into(),
        _ => text,
    }
}

/// What a table with these keys looks like, if they are few enough to be read.
fn table_of(fields: &[&str]) -> Option<String> {
    let keys: Vec<String> = fields.iter().map(|key| format!("{key} = …")).collect();
    (1..=6).contains(&keys.len()).then(|| format!("write a table: `{{ {} }}`", keys.join(", ")))
}

/// How a choice is written that people write as a list of numbers instead.
fn example(choice: &str) -> Option<&'static str> {
    match choice {
        "OrientationSpec" => Some(
            "say what the numbers are: `orientation.quaternion = { w = 1, x = 0, y = 0, z = 0 }`, `orientation.axis_angle = { axis = [0, 0, 1], angle = \
             \"90 deg\" }` or `orientation.euler = { roll = \"0 deg\", pitch = \"0 deg\", yaw = \"90 deg\" }`",
        ),
        _ => None,
    }
}

impl de::Error for Error {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::new(ErrorKind::Value, message.to_string(), None)
    }

    fn invalid_type(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::custom(format_args!("expected {}, got {}", expected_words(expected), words(&unexpected)))
    }

    fn invalid_value(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::custom(format_args!("expected {}, got {}", expected_words(expected), words(&unexpected)))
    }

    fn invalid_length(length: usize, expected: &dyn Expected) -> Self {
        Self::custom(format_args!("expected {}, got {length}", expected_words(expected)))
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        let help = suggest::help(field, expected.iter().copied(), "possible keys");
        Self::new(ErrorKind::Key, format!("unknown key `{field}`"), help)
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        let help = suggest::help(variant, expected.iter().copied(), "possible choices");
        Self::new(ErrorKind::Key, format!("unknown choice `{variant}`"), help)
    }

    fn missing_field(field: &'static str) -> Self {
        Self::new(ErrorKind::Key, format!("the key `{field}` is missing"), None)
    }
}

/// Reads a `T` from a tree.
pub fn from_node<T: de::DeserializeOwned>(node: &Node) -> Result<T, Error> {
    T::deserialize(node).map_err(|e| e.at(node))
}

/// The whole number that a value stands for: overrides, ranges and expressions give `8.0`, or a text that is a plain
/// number, where the file would have `8`.
fn whole(value: &Value) -> Option<i64> {
    let number = match value {
        Value::Float(x) => *x,
        Value::String(text) => match expression::measure(text) {
            Ok(measure) if measure.dimension == Dimension::default() => measure.value,
            _ => return None,
        },
        _ => return None,
    };
    // 2.4 m / 0.2 m is 12 but for the last bit. Up to 2⁵³ a float tells whole numbers apart.
    let whole = number.round();
    let is_whole = (number - whole).abs() <= 4.0 * f64::EPSILON * whole.abs();
    (is_whole && whole.abs() <= 9_007_199_254_740_992.0).then_some(whole as i64)
}

/// Reads a whole number of any size.
macro_rules! whole_numbers {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            match whole(&self.value) {
                Some(number) => visitor.visit_i64(number).map_err(|e: Error| e.at(self)),
                None => self.deserialize_any(visitor),
            }
        }
    )*};
}

impl<'de> Deserializer<'de> for &'de Node {
    type Error = Error;

    whole_numbers! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let result = match &self.value {
            Value::String(s) => visitor.visit_borrowed_str(s),
            Value::Integer(i) => visitor.visit_i64(*i),
            Value::Float(x) => visitor.visit_f64(*x),
            Value::Boolean(b) => visitor.visit_bool(*b),
            Value::Datetime(d) => {
                Err(Error::invalid_type(Unexpected::Other(&format!("the date {d}")), &visitor))
            }
            Value::Array(items) => {
                let mut items = Items { items, next: 0 };
                match visitor.visit_seq(&mut items) {
                    Ok(_) if items.next < items.items.len() => Err(Error::custom(format_args!(
                        "expected a list of {}, got {}",
                        items.next,
                        items.items.len()
                    ))),
                    result => result,
                }
            }
            // What is missing from a table is best pointed out at its key, which the level above knows.
            Value::Table(entries) => return visitor.visit_map(Lines { entries, next: 0 }),
        };
        result.map_err(|e| e.at(self))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        // serde would also take a list for a structure, field by field: no one who reads the file could tell.
        match &self.value {
            Value::Table(_) => self.deserialize_any(visitor),
            other => {
                let mut error = Error::custom(format_args!("expected a table, got {}", other.words()));
                error.help = table_of(fields);
                Err(error.at(self))
            }
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let choices = || variants.iter().map(|v| format!("`{v}`")).collect::<Vec<_>>().join(", ");
        let result = match &self.value {
            Value::String(s) => visitor.visit_enum(Word(s)),
            Value::Table(entries) => match entries.as_slice() {
                [only] => visitor.visit_enum(Choice {
                    key: &only.key,
                    key_place: &only.key_place,
                    node: &only.node,
                }),
                [] => Err(Error::custom(format_args!("expected one of {}", choices()))),
                [_, .., last] => {
                    let keys =
                        entries.iter().map(|e| format!("`{}`", e.key)).collect::<Vec<_>>().join(" and ");
                    let mut error =
                        Error::custom(format_args!("expected exactly one of {}, got {keys}", choices()));
                    if matches!(last.key_place, Place::Override(_)) {
                        error.help =
                            Some("set the whole table, as in --set run.integrator={rk4={step=1e-3}}".into());
                    }
                    Err(error.at_key(&last.key_place))
                }
            },
            other => {
                let mut error =
                    Error::custom(format_args!("expected one of {}, got {}", choices(), other.words()));
                error.help = example(name).map(str::to_owned);
                Err(error)
            }
        };
        result.map_err(|e| e.at(self))
    }

    serde::forward_to_deserialize_any! {
        bool i128 u128 f32 f64 char str string bytes byte_buf unit unit_struct
        seq tuple tuple_struct map identifier ignored_any
    }
}

struct Items<'de> {
    items: &'de [Node],
    next: usize,
}

impl<'de> SeqAccess<'de> for &mut Items<'de> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        let Some(item) = self.items.get(self.next) else { return Ok(None) };
        self.next += 1;
        let step = Step::Index(self.next - 1);
        seed.deserialize(item).map(Some).map_err(|e| e.at(item).below(step))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.items.len() - self.next)
    }
}

struct Lines<'de> {
    entries: &'de [crate::tree::Entry],
    next: usize,
}

impl<'de> MapAccess<'de> for Lines<'de> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Error> {
        let Some(entry) = self.entries.get(self.next) else { return Ok(None) };
        let key = entry.key.as_str().into_deserializer();
        seed.deserialize(key)
            .map(Some)
            .map_err(|e: Error| e.at_key(&entry.key_place).below(Step::Key(entry.key.clone())))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        let Some(entry) = self.entries.get(self.next) else {
            return Err(Error::custom("no value is left in this table"));
        };
        self.next += 1;
        seed.deserialize(&entry.node)
            .map_err(|e| e.at_key(&entry.key_place).below(Step::Key(entry.key.clone())))
    }
}

/// A choice without settings, written as a text.
struct Word<'de>(&'de str);

impl Word<'_> {
    fn needs_settings(&self) -> Error {
        Error::custom(format_args!("`{0}` has settings: write `{0} = {{ … }}` below this key", self.0))
    }
}

impl<'de> EnumAccess<'de> for Word<'de> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Error> {
        Ok((seed.deserialize(self.0.into_deserializer())?, self))
    }
}

impl<'de> VariantAccess<'de> for Word<'de> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, _: T) -> Result<T::Value, Error> {
        Err(self.needs_settings())
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value, Error> {
        Err(self.needs_settings())
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], _: V) -> Result<V::Value, Error> {
        Err(self.needs_settings())
    }
}

struct Choice<'de> {
    key: &'de str,
    key_place: &'de Place,
    node: &'de Node,
}

impl<'de> EnumAccess<'de> for Choice<'de> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Error> {
        let key = self.key.into_deserializer();
        let step = Step::Key(self.key.into());
        let value = seed.deserialize(key).map_err(|e: Error| e.at_key(self.key_place).below(step))?;
        Ok((value, self))
    }
}

impl<'de> VariantAccess<'de> for Choice<'de> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        let message = format!("`{0}` is a word: write \"{0}\" without a table", self.key);
        Err(Error::custom(message).at(self.node).below(Step::Key(self.key.into())))
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Error> {
        seed.deserialize(self.node).map_err(|e| e.at_key(self.key_place).below(Step::Key(self.key.into())))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        self.node.deserialize_any(visitor).map_err(|e| e.below(Step::Key(self.key.into())))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let result = self.node.deserialize_struct("", fields, visitor);
        result.map_err(|e| e.at_key(self.key_place).below(Step::Key(self.key.into())))
    }
}
