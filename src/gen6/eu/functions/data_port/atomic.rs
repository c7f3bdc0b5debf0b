//! DWord atomic write: eight DWords of a buffer, each replaced by a function of itself (§11.3,
//! volume 4 part 1, 3.9.8).
use crate::gen6::eu::data::error::MessageError;
use crate::gen6::eu::data::message::{Message, Writeback};
use crate::gen6::eu::functions::context::FunctionContext;
use crate::gen6::eu::functions::range::{Element, Range, STATELESS, surface_state, unsupported};

/// The operation with two sources.
const COMPARE_AND_EXCHANGE: u32 = 7;

/// The value that replaces `old`.
fn new(operation: u32, old: u32, sources: [u32; 2]) -> u32 {
    let source = sources[0];
    match operation {
        0 => old.wrapping_add(source),
        1 => old.wrapping_sub(source),
        2 => old.wrapping_add(1),
        3 => old.wrapping_sub(1),
        4 => old.min(source),
        5 => old.max(source),
        6 => source,
        COMPARE_AND_EXCHANGE if old == sources[1] => source,
        8 => old & source,
        9 => old | source,
        10 => old ^ source,
        11 => (old as i32).min(source as i32) as u32,
        12 => (old as i32).max(source as i32) as u32,
        _ => old,
    }
}

/// Processes a message. Slots are processed in order, so that slots of the same DWord see the
/// results of each other.
pub(super) fn serve(context: FunctionContext, message: &Message) -> Result<Vec<Writeback>, MessageError> {
    let (header, payload) = message.header()?;
    let (operation, two_sources) = (message.descriptor.bits(11, 8), message.descriptor.bits(12, 12) == 1);
    if two_sources != (operation == COMPARE_AND_EXCHANGE) {
        let reason = "an atomic operation with a wrong number of sources";
        return Err(MessageError::Payload { reason, value: message.descriptor.0 });
    }
    message.check_length(2 + usize::from(two_sources))?;
    let range = match message.descriptor.binding() {
        STATELESS => Range::stateless(context, header),
        _ => {
            Range::of(&surface_state(context, message)?, Element::Bytes(16), 4).map_err(|reason| unsupported(message, reason))?
        }
    };
    let mut response = Writeback::EMPTY;
    for slot in (0..8).filter(|slot| message.mask >> slot & 1 == 1) {
        let offset = 4 * (u64::from(header.dword(2)) + u64::from(payload[0].dword(slot)));
        let sources = [1, 2].map(|register| payload.get(register).map_or(0, |register| register.dword(slot)));
        response.set(slot, range.update(context.memory, offset, |old| new(operation, old, sources)), 4);
    }
    Ok(vec![response])
}
