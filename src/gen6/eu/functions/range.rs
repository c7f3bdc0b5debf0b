//! Ranges of memory that messages access by byte offsets: buffers, and the stateless model.
use super::context::FunctionContext;
use crate::gen6::eu::data::error::MessageError;
use crate::gen6::eu::data::memory::Memory;
use crate::gen6::eu::data::message::Message;
use crate::gen6::eu::data::register::Register;
use crate::gen6::eu::data::surface::{Surface, SurfaceKind};
use crate::gen6::state::SurfaceState;

/// Binding table index of the stateless model.
pub(super) const STATELESS: u8 = 255;

/// Bytes of an element of a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Element {
    Bytes(u64),
    /// The pitch of the surface state.
    Pitch,
}

/// A range of bytes in memory. Reads beyond its end give 0, writes beyond its end are dropped.
#[derive(Clone, Copy, Debug)]
pub(super) struct Range {
    pub base: u64,
    pub size: u64,
}

impl Range {
    /// The range of a message without a surface: from the address in its header on.
    pub fn stateless(context: FunctionContext, header: &Register) -> Range {
        let base = u64::from(context.bases.general_state) + u64::from(header.dword(5) & !0x3ff);
        Range { base, size: context.memory.size().saturating_sub(base) }
    }

    /// The buffer of a surface state, whose base must be a multiple of `align` bytes. A null
    /// surface has no bytes.
    ///
    /// # Errors
    /// The property that such messages do not support.
    pub fn of(state: &SurfaceState, element: Element, align: u32) -> Result<Range, &'static str> {
        let surface = Surface::from_state(state)?;
        match surface.kind {
            SurfaceKind::Null => return Ok(Range { base: 0, size: 0 }),
            SurfaceKind::Plane => return Err("not a buffer"),
            SurfaceKind::Buffer => {}
        }
        if !surface.layout.base.is_multiple_of(align) {
            return Err("a base that is not aligned to the elements");
        }
        let bytes = match element {
            Element::Bytes(bytes) => bytes,
            Element::Pitch => state.surface_pitch.into(),
        };
        // The width of a buffer is that of elements of 16 bytes.
        Ok(Range { base: surface.layout.base.into(), size: surface.width as u64 / 16 * bytes })
    }

    /// Whether `bytes` bytes from `offset` on belong to the range.
    pub fn contains(&self, offset: u64, bytes: u64) -> bool {
        offset.checked_add(bytes).is_some_and(|end| end <= self.size)
    }

    /// The DWord at byte `offset`.
    pub fn read(&self, memory: &Memory, offset: u64) -> u32 {
        if self.contains(offset, 4) { memory.dword(self.base + offset) } else { 0 }
    }

    /// Sets the DWord at byte `offset`.
    pub fn write(&self, memory: &Memory, offset: u64, value: u32) {
        if self.contains(offset, 4) {
            memory.set_dword(self.base + offset, value);
        }
    }

    /// Replaces the DWord at byte `offset` by `new` of it, and returns the old one.
    pub fn update(&self, memory: &Memory, offset: u64, new: impl Fn(u32) -> u32) -> u32 {
        if self.contains(offset, 4) { memory.update(self.base + offset, new) } else { 0 }
    }
}

/// The surface state of a message whose errors of the state are those of its surface.
pub(super) fn surface_state(context: FunctionContext, message: &Message) -> Result<SurfaceState, MessageError> {
    let binding = message.descriptor.binding();
    context
        .surface(message, binding)
        .map_err(|_| MessageError::Surface { binding, reason: "a surface state with reserved values" })
}

/// The error of a surface that a message does not support.
pub(super) fn unsupported(message: &Message, reason: &'static str) -> MessageError {
    MessageError::Surface { binding: message.descriptor.binding(), reason }
}
