//! Accessors: how numbers lie in buffers.

use super::document::{Accessor, Document};
use super::{get, item};
use crate::mesh::error::{MeshError, MeshProblem};
use std::borrow::Cow;

/// Type of a number, by its code in the file.
#[derive(Clone, Copy)]
enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Component {
    fn of(code: u32) -> Option<Self> {
        Some(match code {
            5120 => Self::I8,
            5121 => Self::U8,
            5122 => Self::I16,
            5123 => Self::U16,
            5125 => Self::U32,
            5126 => Self::F32,
            _ => return None,
        })
    }

    fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    /// The number that the bytes, of its size, hold.
    fn number(self, b: &[u8]) -> f64 {
        match self {
            Self::I8 => f64::from(b[0].cast_signed()),
            Self::U8 => f64::from(b[0]),
            Self::I16 => f64::from(i16::from_le_bytes([b[0], b[1]])),
            Self::U16 => f64::from(u16::from_le_bytes([b[0], b[1]])),
            Self::U32 => f64::from(u32::from_le_bytes([b[0], b[1], b[2], b[3]])),
            Self::F32 => f64::from(f32::from_le_bytes([b[0], b[1], b[2], b[3]])),
        }
    }

    /// What a normalised whole number is divided by (section 3.11 of the specification).
    fn full(self) -> f64 {
        match self {
            Self::I8 => 127.0,
            Self::U8 => 255.0,
            Self::I16 => 32767.0,
            Self::U16 => 65535.0,
            Self::U32 | Self::F32 => 1.0,
        }
    }
}

/// Numbers of an accessor, once it is known that all of them are there.
pub struct Numbers<'a> {
    bytes: &'a [u8],
    stride: usize,
    component: Component,
    width: usize,
    divisor: f64,
    /// How many elements.
    pub count: usize,
}

impl<'a> Numbers<'a> {
    /// The accessor with this index, which must have the type `kind` (`SCALAR` or `VEC3`).
    pub fn new(
        document: &Document,
        buffers: &'a [Cow<'_, [u8]>],
        index: usize,
        kind: &str,
        from: &str,
    ) -> Result<Self, MeshError> {
        let accessor: &Accessor = get(&document.accessors, index, "accessor", from)?;
        let name = format!("accessors[{index}]");
        let wrong = |problem| Err(item(name.clone(), problem));
        if accessor.sparse.is_some() {
            return wrong(MeshProblem::Unsupported("a sparse accessor".into()));
        }
        let Some(view_index) = accessor.buffer_view else {
            return wrong(MeshProblem::Unsupported("an accessor without data of its own".into()));
        };
        let view = get(&document.buffer_views, view_index, "buffer view", &name)?;
        let buffer = get(buffers, view.buffer, "buffer", &format!("bufferViews[{view_index}]"))?;
        let Some(component) = Component::of(accessor.component_type) else {
            let message = format!("{} is no component type", accessor.component_type);
            return wrong(MeshProblem::Malformed(message));
        };
        if accessor.kind != kind {
            let got: String = accessor.kind.chars().take(20).collect();
            return wrong(MeshProblem::Malformed(format!("expected the type {kind}, got {got}")));
        }
        let width = if kind == "VEC3" { 3 } else { 1 };
        let element = (width * component.size()) as u64;
        let stride = view.byte_stride.unwrap_or(element);
        if stride < element {
            return wrong(MeshProblem::Malformed(format!("a stride of {stride} bytes is too short")));
        }
        // Everything in u64 and checked: the numbers come from the file.
        let has = buffer.len() as u64;
        let view_end = view.byte_offset.checked_add(view.byte_length);
        let Some(view_end) = view_end.filter(|end| *end <= has) else {
            let needs = view_end.unwrap_or(u64::MAX);
            let problem = MeshProblem::Truncated { what: "the buffer view", needs, has };
            return Err(item(format!("bufferViews[{view_index}]"), problem));
        };
        let last =
            accessor.count.checked_sub(1).map_or(Some(0), |n| n.checked_mul(stride)?.checked_add(element));
        let end = last.and_then(|last| last.checked_add(accessor.byte_offset));
        if end.is_none_or(|end| end > view.byte_length) {
            let needs = end.unwrap_or(u64::MAX);
            return wrong(MeshProblem::Truncated { what: "the accessor", needs, has: view.byte_length });
        }
        let start = view.byte_offset + accessor.byte_offset;
        Ok(Self {
            bytes: &buffer[start.min(view_end) as usize..view_end as usize],
            stride: stride as usize,
            component,
            width,
            divisor: if accessor.normalized { component.full() } else { 1.0 },
            count: accessor.count as usize,
        })
    }

    fn number(&self, element: usize, k: usize) -> f64 {
        let size = self.component.size();
        let at = element * self.stride + k * size;
        let value = self.component.number(&self.bytes[at..at + size]) / self.divisor;
        // −128/127 is −1.
        if self.divisor > 1.0 { value.max(-1.0) } else { value }
    }

    /// The element with this index, below the count, of three numbers.
    pub fn vector(&self, element: usize) -> fender_math::Vec3 {
        debug_assert_eq!(self.width, 3);
        fender_math::Vec3::new(self.number(element, 0), self.number(element, 1), self.number(element, 2))
    }

    /// The element with this index, below the count, as an index; `None` if its type is not that of indices.
    pub fn index(&self, element: usize) -> Option<usize> {
        let whole = matches!(self.component, Component::U8 | Component::U16 | Component::U32);
        (whole && self.divisor == 1.0).then(|| self.number(element, 0) as usize)
    }
}
