//! Streamed vertex buffer write: one element of up to four DWords (§11.5, volume 4 part 1, 3.9.11).
use super::commit;
use crate::gen6::eu::data::error::MessageError;
use crate::gen6::eu::data::message::{Message, Writeback};
use crate::gen6::eu::functions::context::FunctionContext;
use crate::gen6::eu::functions::range::{Element, Range, STATELESS, surface_state, unsupported};

/// Channels of a format; none if it is no format of vertices.
fn channels(format: u32) -> Option<usize> {
    match format {
        0x000..=0x002 => Some(4),
        0x040..=0x042 => Some(3),
        0x085..=0x087 => Some(2),
        0x0d6..=0x0d8 => Some(1),
        _ => None,
    }
}

/// Processes a message.
pub(super) fn serve(context: FunctionContext, message: &Message) -> Result<Vec<Writeback>, MessageError> {
    let (header, _) = message.header()?;
    message.check_length(0)?;
    let refused = |reason| unsupported(message, reason);
    if message.descriptor.binding() == STATELESS {
        return Err(refused("streamed vertices are never stateless"));
    }
    let state = surface_state(context, message)?;
    let range = Range::of(&state, Element::Pitch, 4).map_err(refused)?;
    let is_null = range.size == 0;
    if is_null {
        return Ok(commit::response(message));
    }
    let pitch = u64::from(state.surface_pitch);
    let channels = channels(state.surface_format).ok_or(refused("a format that no vertices have"))?;
    if !pitch.is_multiple_of(4) {
        return Err(refused("a pitch that is no multiple of 4 bytes"));
    }
    let offset = u64::from(header.dword(5)) * pitch;
    if range.contains(offset, pitch) {
        for channel in (0..channels).filter(|channel| message.mask >> channel & 1 == 1) {
            range.write(context.memory, offset + 4 * channel as u64, header.dword(channel));
        }
    }
    Ok(commit::response(message))
}
