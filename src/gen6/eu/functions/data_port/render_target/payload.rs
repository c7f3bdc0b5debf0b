//! The payload of a render target write: which pixels are written, where, and with which colours.
use crate::gen6::eu::data::error::MessageError;
use crate::gen6::eu::data::message::Message;
use crate::gen6::eu::data::register::Register;

/// The types of messages, bits 10:8 of the descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// 16 pixels.
    Wide,
    /// 16 pixels of one colour.
    Replicated,
    /// 8 pixels with two colours, of which the first counts: those from this slot on.
    DualSource(usize),
    /// 8 pixels.
    Narrow,
    /// 8 pixels, each at a place of its own.
    Image,
}

impl Kind {
    /// The type with this code, if there is one.
    pub fn of(code: u32) -> Option<Kind> {
        match code {
            0 => Some(Kind::Wide),
            1 => Some(Kind::Replicated),
            2 => Some(Kind::DualSource(0)),
            3 => Some(Kind::DualSource(8)),
            4 => Some(Kind::Narrow),
            5 => Some(Kind::Image),
            _ => None,
        }
    }
}

/// A pixel that is written: its place, and its colour R G B A.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pixel {
    pub x: u32,
    pub y: u32,
    pub color: [u32; 4],
}

/// The render target array index of a message.
pub(super) fn array_index(message: &Message) -> Result<u32, MessageError> {
    message.header().map(|(header, _)| header.bits(0, 26, 16))
}

/// The pixels that a message writes.
///
/// # Errors
/// [`MessageError::Payload`] for parts that the type of the message cannot have,
/// [`MessageError::Length`].
pub(super) fn pixels(message: &Message, kind: Kind) -> Result<Vec<Pixel>, MessageError> {
    let (header, rest) = message.header()?;
    let flag = |bit: u32| kind != Kind::Image && header.bits(0, bit, bit) == 1;
    let [has_alpha, has_mask, has_depth] = [11, 12, 13].map(flag);
    let illegal = match kind {
        Kind::Replicated => has_alpha || has_depth,
        Kind::DualSource(_) => has_alpha,
        _ => false,
    };
    if illegal {
        let reason = "a part of the payload that this type of message cannot have";
        return Err(MessageError::Payload { reason, value: header.dword(0) });
    }
    // Registers a channel of the slots.
    let wide = if kind == Kind::Wide { 2 } else { 1 };
    let colors = match kind {
        Kind::Replicated => 1,
        Kind::DualSource(_) => 8,
        _ => 4 * wide,
    };
    let before = 1 + wide * usize::from(has_alpha) + usize::from(has_mask);
    message.check_length(before + colors + wide * usize::from(has_depth))?;
    let second = rest.first().copied().unwrap_or_default();
    let mask = has_mask.then(|| rest[before - 1]);
    let (slots, enabled) = match kind {
        Kind::Wide | Kind::Replicated => (0..16, second.bits(7, 15, 0)),
        Kind::DualSource(first) => (first..first + 8, second.bits(7, 15, 0)),
        Kind::Narrow => (0..8, second.bits(7, 15, 0)),
        Kind::Image => (0..8, header.bits(0, 7, 0)),
    };
    let first = slots.start;
    let pixel = |slot: usize| {
        let color = color(kind, &rest[before..], slot - first, wide);
        let place = if kind == Kind::Image { second.dword(slot) } else { second.dword(2 + slot / 4) };
        let within = if kind == Kind::Image { (0, 0) } else { (slot as u32 & 1, slot as u32 >> 1 & 1) };
        Pixel { x: (place & 0xffff) + within.0, y: (place >> 16) + within.1, color }
    };
    // Bit 0 of the 16 bits of a slot.
    let masked = |slot: usize| mask.is_none_or(|mask: Register| mask.dword(slot / 2) >> (16 * (slot % 2)) & 1 == 1);
    Ok(slots.filter(|&slot| enabled >> slot & 1 == 1 && masked(slot)).map(pixel).collect())
}

/// The colour of the slot `slot`, counted from the first one of the message.
fn color(kind: Kind, registers: &[Register], slot: usize, wide: usize) -> [u32; 4] {
    std::array::from_fn(|channel| match kind {
        Kind::Replicated => registers[0].dword(channel),
        _ => registers[wide * channel + slot / 8].dword(slot % 8),
    })
}
