//! The messages of textures by task (§10.1, §10.9).
use super::address;
use super::filter::{self, Grid};
use super::load::load;
use super::lod::{self, Levels};
use super::message::{Detail, Request, Task, result};
use super::query;
use super::state::{Filter, Sampler};
use super::surface::{Kind, Surface};
use super::texel::{CHANNELS, Texels};
use crate::gen6::eu::data::error::MessageError;
use crate::gen6::eu::data::message::{Message, Writeback};
use crate::gen6::eu::functions::context::FunctionContext;
use crate::gen6::eu::functions::sampler::message_type::state_address;

/// Processes a message that is not SIMD32/64.
pub(in crate::gen6::eu::functions::sampler) fn serve(
    context: FunctionContext,
    message: &Message,
) -> Result<Vec<Writeback>, MessageError> {
    let request = Request::decode(message)?;
    let binding = message.descriptor.binding();
    let unsupported = |reason| MessageError::Surface { binding, reason };
    let nothing = vec![[0; CHANNELS]; request.pixels()];
    let dwords = context.memory.dwords(context.surface_address(message, binding));
    let Some(surface) = Surface::decode(&dwords).map_err(unsupported)? else { return Ok(request.response(&nothing, 0)) };
    if request.offsets() != [0; 3] && matches!(surface.kind, Kind::Cube | Kind::Buffer) {
        let value = message.payload.first().map_or(0, |header| header.dword(2));
        return Err(MessageError::Payload { reason: "an offset in a cube or a buffer", value });
    }
    surface.check(request.task).map_err(unsupported)?;
    let every = |channels: &dyn Fn(usize) -> [u32; CHANNELS]| -> Vec<[u32; CHANNELS]> {
        (0..request.pixels()).map(|pixel| if request.is_valid(pixel) { channels(pixel) } else { [0; CHANNELS] }).collect()
    };
    let channels = match request.task {
        Task::Load => every(&|pixel| load(context, &request, pixel, &surface)),
        Task::Size => every(&|pixel| query::size(&request, pixel, &surface)),
        Task::Samples => every(&|_| query::samples(&surface)),
        Task::Sample { .. } | Task::Gather | Task::Lod => {
            let sampler = Sampler::decode(context, state_address(context, message, 1)?, &surface, request.task)?;
            if sampler.is_disabled {
                return Ok(request.response(&nothing, 0));
            }
            return Ok(sampled(context, &request, &surface, &sampler));
        }
    };
    Ok(request.response(&channels, 0))
}

/// The response of a message that uses a SAMPLER_STATE.
fn sampled(context: FunctionContext, request: &Request, surface: &Surface, sampler: &Sampler) -> Vec<Writeback> {
    let mut channels = vec![[0; CHANNELS]; request.pixels()];
    let mut killed = 0;
    for (pixel, channels) in channels.iter_mut().enumerate().filter(|(pixel, _)| request.is_valid(*pixel)) {
        let (outputs, is_killed) = of_pixel(context, request, pixel, surface, sampler);
        *channels = outputs.map(result);
        killed |= u32::from(is_killed) << pixel;
    }
    request.response(&channels, killed)
}

/// The outputs of a pixel, and whether the chroma key kills it.
fn of_pixel(
    context: FunctionContext,
    request: &Request,
    pixel: usize,
    surface: &Surface,
    sampler: &Sampler,
) -> ([f64; CHANNELS], bool) {
    let (detail, reference) = match request.task {
        Task::Sample { detail, reference } => (Some(detail), reference),
        _ => (None, None),
    };
    let mut texels = Texels {
        memory: context.memory,
        palettes: context.palettes,
        surface,
        sampler,
        reference: reference.map(|number| f64::from(f32::from_bits(request.bits(pixel, number)))),
        is_killed: false,
    };
    let place = address::place(request, pixel, surface, detail);
    if request.task == Task::Gather {
        let grid = Grid { level: surface.first_level, place, offsets: request.offsets(), is_magnified: true };
        let channel = surface.format.single().unwrap_or_default();
        let [a, b, r, g] = grid.corners(&mut texels).map(|texel| texel[channel]);
        return ([r, g, b, a], false);
    }
    let (line, levels) = levels_of(request, pixel, surface, sampler, detail);
    if request.task == Task::Lod {
        return ([levels.clamped, levels.unclamped, 0, 0].map(|lod| lod as f64 / 64.0), false);
    }
    let outputs = filter::sample(&mut texels, place, levels, line, request.offsets());
    (outputs, texels.is_killed)
}

/// The levels of a pixel, and the line of the anisotropic filter.
fn levels_of(
    request: &Request,
    pixel: usize,
    surface: &Surface,
    sampler: &Sampler,
    detail: Option<Detail>,
) -> (Option<lod::Line>, Levels) {
    if let Some(Detail::Given(number)) = detail {
        return (None, lod::levels(request.detail(pixel, number), 0, sampler, surface));
    }
    let gradients = address::gradients(request, pixel, surface, sampler, detail);
    let is_anisotropic = sampler.has(Filter::Anisotropic) && surface.kind != Kind::Line;
    let base = lod::of_gradients(gradients, sampler, is_anisotropic);
    let bias = if let Some(Detail::Bias(number)) = detail { request.detail(pixel, number) } else { 0 };
    (base.line, lod::levels(base.lod, bias, sampler, surface))
}
