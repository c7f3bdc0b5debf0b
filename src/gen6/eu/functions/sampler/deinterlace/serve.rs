//! The message from its payload to its response.
use super::block::{BlockContext, WIDTH};
use super::response::Results;
use super::scratch::{Scratch, decode};
use super::surfaces::Surfaces;
use super::window;
use crate::format::Rect;
use crate::gen6::eu::data::error::MessageError;
use crate::gen6::eu::data::message::{Message, Writeback};
use crate::gen6::eu::functions::context::FunctionContext;
use crate::gen6::eu::functions::sampler::message_type::state_address;
use crate::gen6::state::StateError;
use crate::parameters::field::Stage;

/// Processes a message.
pub(in crate::gen6::eu::functions::sampler) fn serve(
    context: FunctionContext,
    scratch: &mut Scratch,
    message: &Message,
) -> Result<Vec<Writeback>, MessageError> {
    message.check_length(1)?;
    let address = message.last()?;
    let (x, y) = (address.dword(2), address.dword(6));
    let Scratch { state, buffers } = scratch;
    let (parameters, control) = state.get(context.memory.dwords(state_address(context, message, 2)?), decode)?;
    let control = *control;
    context.compensation.check_ranges().map_err(StateError::from)?;
    let surfaces = Surfaces::bind(context, message, control)?;
    let luma = surfaces.current.components[0];
    let lines = if control.di_enable { 4 } else { 8 };
    let grid = [
        ("U is no column of blocks of the picture", x, luma.width, WIDTH),
        ("V is no row of blocks of the picture", y, luma.height, lines),
    ];
    for (reason, value, size, step) in grid {
        if value as usize >= size || !(value as usize).is_multiple_of(step) {
            return Err(MessageError::Payload { reason, value });
        }
    }
    let (x, y) = (x as usize, y as usize);
    let rect = Rect { x, y, width: WIDTH.min(luma.width - x), height: lines.min(luma.height - y) };
    let window = window::around(rect, (luma.width, luma.height));
    let inner = Rect { x: x - window.x, y: y - window.y, ..rect };
    let block = BlockContext { context, parameters, control, surfaces: &surfaces, window, inner };
    block.read(buffers);
    if control.dn_enable {
        block.denoise(buffers);
    }
    let (variances, sources) = if control.di_enable { block.deinterlace(buffers) } else { Default::default() };
    let bne = block.estimate_noise(buffers);
    let results = Results { rect, bne, variances, sums: block.sums(buffers), history: block.history(buffers) };
    context.counters.streams[usize::from(parameters.passthrough.stream_id == 1)].add(bne, &variances, &sources);
    Ok(block.response(buffers, &results))
}
