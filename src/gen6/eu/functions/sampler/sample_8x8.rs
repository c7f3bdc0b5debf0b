//! The message `sample_8x8`: 16 × 4 pixels through the scaler and the sharpening filter (§5, §7.3,
//! volume 4 part 1, 2.12.2.5.1).
//!
//! Luma is green, Cr red, Cb blue; alpha is 1. A surface of one channel is luma (`Y8_UNORM`) or
//! chroma (`R8_UNORM`, red). Luma is filtered with the tables 0X and 0Y and may be sharpened,
//! chroma is filtered with 1X and 1Y. Where the addresses lead outside the surface, the sharpening
//! filter reads the nearest pixel inside.
use super::message_type::{PayloadLayout, state_address};
use super::pixels::{self, CHANNELS, YCRCB_BLACK};
use crate::enhance::{self, DeepPlane, Filter};
use crate::format::{Rect, Sampling};
use crate::gen6::eu::data::error::MessageError;
use crate::gen6::eu::data::message::{Message, Writeback};
use crate::gen6::eu::data::picture::{Component, Picture};
use crate::gen6::eu::data::register::Register;
use crate::gen6::eu::functions::context::{ChromaKey, FunctionContext};
use crate::gen6::eu::functions::decoded::Decoded;
use crate::gen6::state::{SAMPLER_DWORDS, SCALER_DWORDS, SampleControl};
use crate::parameters::Parameters;
use crate::scale::{self, Addresses, FilterTables, Plan, Plane, Position, addressed};
use dndi_simd::{Kernels, Lines, unit_depth};

/// Columns and lines of a message.
const WIDTH: usize = 16;
const HEIGHT: usize = 4;
/// Columns and lines around them that the sharpening filter reads.
const MARGIN: usize = 2;
/// Alpha 1, in the upper byte of a sample.
const OPAQUE: u16 = 0xff00;

/// Scratch buffers of a message, and the states that were decoded last.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    states: Decoded<([u32; SAMPLER_DWORDS], [u32; SCALER_DWORDS], bool), States>,
    /// The parts of the components of the surface that the message reads.
    pieces: [Vec<u8>; 3],
}

/// SAMPLER_STATE and SAMPLER_8x8_STATE, decoded.
#[derive(Debug)]
struct States {
    control: SampleControl,
    nearest: bool,
    sharpen: Option<Filter>,
    plan: Plan,
    scratch: scale::Scratch<u8>,
}

impl States {
    /// `full` is whether chroma has the size of luma.
    fn decode(sampler: &[u32; SAMPLER_DWORDS], scaler: &[u32; SCALER_DWORDS], full: bool) -> Result<States, MessageError> {
        let mut parameters = Parameters::default();
        let mode = parameters.set_sampler_state(sampler)?;
        parameters.set_scaler_state(scaler)?;
        let tables: FilterTables = parameters.coefficients.filter_tables((1, 1), (1, 1));
        let plan = Plan::unplaced(&tables, &parameters.scaler, full);
        let noise = parameters.sharpen.global_noise_estimation;
        Ok(States {
            control: SampleControl::decode(sampler),
            nearest: parameters.scaler.avs_filter_type == 1,
            sharpen: mode.map(|mode| Filter::new(mode, &parameters.sharpen, unit_depth(8), noise)),
            scratch: scale::Scratch::new(&plan, WIDTH + 2 * MARGIN).unwrap_or_else(|error| error.end()),
            plan,
        })
    }
}

/// Float addresses of a message.
#[derive(Clone, Copy, Debug)]
struct Grid {
    across: Addresses,
    down: Addresses,
}

impl Grid {
    /// The addresses of the payload, if the hardware supports them on a surface of this size.
    fn decode(payload: &Register, layout: PayloadLayout, (width, height): (usize, usize)) -> Result<Grid, MessageError> {
        let (delta, second) = (layout.delta_u(), layout.second_u());
        let across = Addresses { start: payload.float(2), delta: payload.float(delta), second: payload.float(second) };
        let down = Addresses { start: payload.float(6), delta: payload.float(5), second: 0.0 };
        let wrong = |reason, dword: usize| Err(MessageError::Payload { reason, value: payload.dword(dword) });
        let (step, curve) = (across.delta as f64 * width as f64, across.second as f64 * width as f64);
        if ![across.start, across.second, down.start].iter().all(|v| v.is_finite()) {
            return wrong("an address that is not finite", 2);
        }
        if !(0.0..16.0).contains(&step) {
            return wrong("Delta U times the width is outside 0…16", delta);
        }
        if !(-step / 18.0..(64.0 - 2.0 * step) / 35.0).contains(&curve) {
            return wrong("the second derivative of U is too large", second);
        }
        let fall = (down.delta as f64 * height as f64).abs();
        if fall.is_nan() || fall >= 16.0 {
            return wrong("Delta V times the height is not below 16", 5);
        }
        Ok(Grid { across, down })
    }

    /// Columns and lines of a component, with `margin` more on each side. Outside the component
    /// these repeat the nearest position inside.
    fn positions(&self, component: &Component, nearest: bool, margin: usize) -> [Vec<Position>; 2] {
        let inside = |addresses, size, count: usize| {
            let samples = -(margin as i64)..(count + margin) as i64;
            let mut positions = addressed(addresses, size, nearest, samples);
            let (first, last) = (positions.iter().position(|p| p.1), positions.iter().rposition(|p| p.1));
            if let (Some(first), Some(last), true) = (first, last, margin > 0) {
                let (left, right) = (positions[first], positions[last]);
                positions[..first].fill(left);
                positions[last + 1..].fill(right);
            }
            positions.into_iter().map(|(position, _)| position).collect()
        };
        [inside(self.across, component.width, WIDTH), inside(self.down, component.height, HEIGHT)]
    }
}

/// The range of the samples that the filters read at these positions, within 0 to `size`.
fn reads(positions: &[Position], size: usize) -> (usize, usize) {
    let least = positions.iter().map(|p| p.index - 3).min().unwrap_or(0);
    let most = positions.iter().map(|p| p.index + 5).max().unwrap_or(0);
    let first = least.clamp(0, size as i32 - 1);
    (first as usize, most.clamp(first + 1, size as i32) as usize)
}

/// Processes a message.
pub(super) fn serve(
    context: FunctionContext,
    scratch: &mut Scratch,
    message: &Message,
    layout: PayloadLayout,
) -> Result<Vec<Writeback>, MessageError> {
    message.check_length(1)?;
    let masked = pixels::masked(message)?;
    let binding = message.descriptor.binding();
    let unsupported = |reason| MessageError::Surface { binding, reason };
    let picture = Picture::from_state(&context.media_surface(message, binding)?).map_err(unsupported)?;
    let full = picture.sampling == Sampling::C444;
    let luma = picture.components[0];
    let grid = Grid::decode(message.last()?, layout, (luma.width, luma.height))?;
    let sampler = context.memory.dwords(state_address(context, message, 4)?);
    let scaler_state = SampleControl::decode(&sampler).scaler_state;
    let scaler = context.memory.dwords(u64::from(context.bases.dynamic_state) + u64::from(scaler_state));
    let Scratch { states, pieces } = scratch;
    let decode = |(sampler, scaler, full): &_| States::decode(sampler, scaler, *full);
    let States { control, nearest, sharpen, plan, scratch } = states.get((sampler, scaler, full), decode)?;
    // Only luma is sharpened, and only if it is not masked.
    let filter = sharpen.as_ref().filter(|_| picture.is_luma && !masked[1]);
    let margin = if filter.is_some() { MARGIN } else { 0 };
    let key = control.chroma_key.map(|index| context.chroma_keys[index as usize & 3]);
    if key.is_some() && !matches!(picture.sampling, Sampling::Mono | Sampling::C444) {
        return Err(unsupported("a chroma key needs chroma of the size of luma"));
    }
    let placed = picture.components.iter().map(|component| grid.positions(component, *nearest, margin));
    let mut placed: Vec<[Vec<Position>; 2]> = placed.collect();
    // The part of each component that is read.
    let mut windows = vec![];
    for ((component, [columns, lines]), piece) in picture.components.iter().zip(&mut placed).zip(pieces.iter_mut()) {
        let ((x, right), (y, bottom)) = (reads(columns, component.width), reads(lines, component.height));
        let window = Rect { x, y, width: right - x, height: bottom - y };
        piece.resize(window.width * window.height, 0);
        for (line, samples) in piece.chunks_exact_mut(window.width).enumerate() {
            component.read(context.memory, x, y + line, samples);
        }
        columns.iter_mut().for_each(|position| position.index -= x as i32);
        lines.iter_mut().for_each(|position| position.index -= y as i32);
        windows.push(window);
    }
    let keyed = key.map(|key| remove_keyed(key, pieces, picture.is_luma, windows.len()));
    let (width, height) = (WIDTH + 2 * margin, HEIGHT + 2 * margin);
    let mut samples = [[0u16; (WIDTH + 2 * MARGIN) * (HEIGHT + 2 * MARGIN)]; 3];
    let rect = Rect { x: 0, y: 0, width, height };
    // Each component alone, or all together if one decision of the adaptive filter is for all.
    let groups: &[&[usize]] = if plan.joint || plan.mixed { &[&[0, 1, 2]] } else { &[&[0], &[1], &[2]] };
    for group in groups.iter().filter(|group| group[0] < windows.len()) {
        for &index in *group {
            let role = if index > 0 || !picture.is_luma { 1 } else { 0 };
            let [columns, lines] = &placed[index];
            plan.planes[role].columns.clone_from(columns);
            plan.planes[role].lines[0].clone_from(lines);
        }
        let planes: Vec<Plane<u8>> = group
            .iter()
            .map(|&index| {
                let plan = &plan.planes[usize::from(index > 0 || !picture.is_luma)];
                let Rect { width, height, .. } = windows[index];
                Plane {
                    plan,
                    lines: &plan.lines[0],
                    source: Lines { data: &pieces[index], stride: width, width },
                    most: 255,
                    height,
                }
            })
            .collect();
        let input = scale::Input { kernels: context.kernels, plan, planes: &planes };
        scale::tile(&input, rect, scratch, |plane, line, pending| {
            samples[group[plane]][line * width..][..width].copy_from_slice(pending.words());
        });
    }
    if let Some(filter) = filter {
        sharpen_luma(context.kernels, filter, &mut samples[0], rect);
    }
    let [columns, lines] = placed[0].each_ref().map(|positions| &positions[margin..]);
    let alpha = keyed.map_or([[OPAQUE; WIDTH]; HEIGHT], |keyed| alpha(&keyed, windows[0], columns, lines));
    let bytes = |component: usize| -> [[u16; WIDTH]; HEIGHT] {
        std::array::from_fn(|y| {
            let line = &samples[component][(y + margin) * width + margin..][..WIDTH];
            let mut bytes = [0; WIDTH];
            (context.kernels.bytes.narrow)(&mut bytes, line, 8);
            bytes.map(|v| u16::from(v) << 8)
        })
    };
    let nothing = [[0; WIDTH]; HEIGHT];
    let [red, green, blue] = match (windows.len(), picture.is_luma) {
        (3, _) => [bytes(2), bytes(0), bytes(1)],
        (_, true) => [nothing, bytes(0), nothing],
        _ => [bytes(0), nothing, nothing],
    };
    Ok(response([red, green, blue, alpha], masked))
}

/// Makes the texels that match the key black: a surface of one channel has 0 there. Returns whether
/// each texel matches.
fn remove_keyed(key: ChromaKey, pieces: &mut [Vec<u8>; 3], is_luma: bool, components: usize) -> Vec<bool> {
    let count = pieces[0].len();
    let keyed = (0..count).map(|i| {
        let [r, g, b] = match (components, is_luma) {
            (3, _) => [pieces[2][i], pieces[0][i], pieces[1][i]],
            (_, true) => [0, pieces[0][i], 0],
            _ => [pieces[0][i], 0, 0],
        };
        pixels::matches(key, [r, g, b, 255])
    });
    let keyed: Vec<bool> = keyed.collect();
    let [cr, luma, cb, _] = if components == 3 { YCRCB_BLACK } else { [0; CHANNELS] };
    for (piece, black) in pieces[..components].iter_mut().zip([luma, cb, cr]) {
        piece.iter_mut().zip(&keyed).filter(|(_, keyed)| **keyed).for_each(|(sample, _)| *sample = black);
    }
    keyed
}

/// The alpha of each pixel: 0 if its nearest texel matches the key. `window` is the part of the
/// surface that `keyed` covers and that the positions count from.
fn alpha(keyed: &[bool], window: Rect, columns: &[Position], lines: &[Position]) -> [[u16; WIDTH]; HEIGHT] {
    let inside = |index: i32, size: usize| index.clamp(0, size as i32 - 1) as usize;
    let is_keyed =
        |x: usize, y: usize| keyed[inside(lines[y].index, window.height) * window.width + inside(columns[x].index, window.width)];
    std::array::from_fn(|y| std::array::from_fn(|x| if is_keyed(x, y) { 0 } else { OPAQUE }))
}

/// Sharpens the pixels inside a margin of [`MARGIN`] pixels.
fn sharpen_luma(kernels: &Kernels, filter: &Filter, samples: &mut [u16], rect: Rect) {
    let mut plane = DeepPlane::new(rect.width, rect.height).unwrap_or_else(|error| error.end());
    let band = plane.lines_mut();
    for (line, samples) in samples.chunks_exact(rect.width).enumerate().take(rect.height) {
        enhance::put(band, line, samples.iter().copied());
    }
    let inner = Rect { x: MARGIN, y: MARGIN, width: WIDTH, height: HEIGHT };
    let input = enhance::Input { kernels, filter, plane: &plane, fields: false, shares: None };
    enhance::tile(&input, inner, &mut [0; WIDTH], |y, line| {
        samples[y * rect.width + MARGIN..][..WIDTH].copy_from_slice(line);
    });
}

/// The registers of all channels that are not masked: for the left 8 × 4 pixels, then for the right
/// ones.
fn response(channels: [[[u16; WIDTH]; HEIGHT]; CHANNELS], masked: [bool; CHANNELS]) -> Vec<Writeback> {
    let mut response = vec![];
    for half in 0..2 {
        for (channel, _) in channels.iter().zip(masked).filter(|(_, masked)| !masked) {
            let half = channel.map(|line| std::array::from_fn(|x| line[8 * half + x]));
            response.extend(pixels::registers(&half).map(Writeback::from));
        }
    }
    response
}
