//! The message `sample_8x8`: 16 × 4 pixels through the scaler and the enhancement filter (§5, §7.3, volume 4 part 1, 2.12.2.5.1).
//!
//! Luma is green, Cr red, Cb blue; alpha is 1. A surface of one channel is luma (`Y8_UNORM`) or chroma (`R8_UNORM`, red): luma is filtered
//! with the tables 0X and 0Y and may be enhanced, chroma with 1X and 1Y. What the enhancement reads beside the surface, as the addresses
//! say, is the nearest pixel inside.
use super::pixels::{self, CHANNELS};
use super::{Mode, state_address};
use crate::enhance::{self, DeepPlane, Filter};
use crate::format::{Rect, Sampling};
use crate::gen6::eu::error::MessageError;
use crate::gen6::eu::machine::{ChromaKey, Machine};
use crate::gen6::eu::message::{Message, Writeback};
use crate::gen6::eu::picture::{Component, Picture};
use crate::gen6::eu::register::Register;
use crate::gen6::state::{SAMPLER_DWORDS, SCALER_DWORDS, SampleControl};
use crate::parameters::Parameters;
use crate::scale::{self, Addresses, FilterTables, Plan, Plane, Position, addressed};
use dndi_simd::{Kernels, Lines};

/// Pixels of a message, and around it as far as the enhancement reads.
const WIDTH: usize = 16;
const HEIGHT: usize = 4;
const AROUND: usize = 2;

/// Room for a message, and the states that were decoded last.
#[derive(Debug)]
pub(crate) struct Room {
    kernels: &'static Kernels,
    state: Option<State>,
    /// Pieces of the surface's components.
    pieces: [Vec<u8>; 3],
    scratch: Option<scale::Scratch>,
}

/// States, decoded.
#[derive(Debug)]
struct State {
    dwords: ([u32; SAMPLER_DWORDS], [u32; SCALER_DWORDS], bool),
    control: SampleControl,
    nearest: bool,
    enhance: Option<Filter>,
    plan: Plan,
}

impl Room {
    pub fn new(kernels: &'static Kernels) -> Room {
        Room { kernels, state: None, pieces: [vec![], vec![], vec![]], scratch: None }
    }

    /// Decodes the message's states, unless they are known. `full`: chroma has the size of luma.
    fn decode(&mut self, machine: &Machine, message: &Message, full: bool) -> Result<(), MessageError> {
        let memory = &machine.memory;
        let sampler = memory.dwords(state_address(machine, message, 4)?);
        let control = SampleControl::decode(&sampler);
        let scaler = memory.dwords(u64::from(machine.bases.dynamic_state) + u64::from(control.scaler_state));
        if self.state.as_ref().is_some_and(|state| state.dwords == (sampler, scaler, full)) {
            return Ok(());
        }
        let mut parameters = Parameters::default();
        let wrong = |error: crate::ParameterError| MessageError::State { what: error.to_string() };
        let enhance = parameters.set_sampler_state(&sampler).map_err(wrong)?;
        parameters.set_scaler_state(&scaler).map_err(wrong)?;
        let tables: FilterTables = parameters.coefficients.tables((1, 1), (1, 1));
        let plan = Plan::unplaced(&tables, &parameters.scaler, full);
        let noise = parameters.sharpen.global_noise_estimation;
        self.scratch = Some(scale::Scratch::new(&plan, WIDTH + 2 * AROUND));
        self.state = Some(State {
            dwords: (sampler, scaler, full),
            control,
            nearest: parameters.scaler.avs_filter_type == 1,
            enhance: enhance.map(|kind| Filter::new(kind, &parameters.sharpen, noise)),
            plan,
        });
        Ok(())
    }
}

/// Float addresses of a message.
#[derive(Clone, Copy, Debug)]
struct Grid {
    across: Addresses,
    down: Addresses,
}

impl Grid {
    /// From the payload, if the unit can follow it on a surface of this size.
    fn decode(payload: &Register, mode: Mode, (width, height): (usize, usize)) -> Result<Grid, MessageError> {
        let (delta, second) = if mode == Mode::Media { (1, 0) } else { (0, 1) };
        let across = Addresses { start: payload.float(2), delta: payload.float(delta), second: payload.float(second) };
        let down = Addresses { start: payload.float(6), delta: payload.float(5), second: 0.0 };
        let wrong = |what, dword: usize| Err(MessageError::Payload { what, value: payload.dword(dword) });
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

    /// Columns and lines of a component, `around` more on each side; these repeat the nearest ones inside.
    fn positions(&self, component: &Component, nearest: bool, around: usize) -> [Vec<Position>; 2] {
        let inside = |addresses, size, count: usize| {
            let samples = -(around as i64)..(count + around) as i64;
            let mut positions = addressed(addresses, size, nearest, samples);
            let (first, last) = (positions.iter().position(|p| p.1), positions.iter().rposition(|p| p.1));
            if let (Some(first), Some(last), true) = (first, last, around > 0) {
                let (left, right) = (positions[first], positions[last]);
                positions[..first].fill(left);
                positions[last + 1..].fill(right);
            }
            positions.into_iter().map(|(position, _)| position).collect()
        };
        [inside(self.across, component.width, WIDTH), inside(self.down, component.height, HEIGHT)]
    }
}

/// Samples that positions read, first and end, within `size` ones.
fn reads(positions: &[Position], size: usize) -> (usize, usize) {
    let least = positions.iter().map(|p| p.index - 3).min().unwrap_or(0);
    let most = positions.iter().map(|p| p.index + 5).max().unwrap_or(0);
    let first = least.clamp(0, size as i32 - 1);
    (first as usize, most.clamp(first + 1, size as i32) as usize)
}

pub(crate) fn serve(machine: &Machine, room: &mut Room, message: &Message, mode: Mode) -> Result<Vec<Writeback>, MessageError> {
    message.needs(1)?;
    let masked = pixels::masked(message)?;
    let binding = message.descriptor.binding();
    let wrong = |what| MessageError::Surface { binding, what };
    let picture = Picture::of(&machine.media_surface(message.binding_table, binding)?).map_err(wrong)?;
    let full = picture.sampling == Sampling::C444;
    let luma = picture.components[0];
    let grid = Grid::decode(&message.payload[message.payload.len() - 1], mode, (luma.width, luma.height))?;
    room.decode(machine, message, full)?;
    let Room { kernels, state, pieces, scratch } = room;
    let (Some(State { control, nearest, enhance, plan, .. }), Some(scratch)) = (state, scratch) else {
        return Err(MessageError::State { what: "no state".to_owned() });
    };
    // Luma alone is enhanced, and only if it is asked for.
    let enhance = enhance.as_ref().filter(|_| picture.is_luma && !masked[1]);
    let around = if enhance.is_some() { AROUND } else { 0 };
    let key = control.chroma_key.map(|index| machine.chroma_keys[index as usize & 3]);
    if key.is_some() && !matches!(picture.sampling, Sampling::Mono | Sampling::C444) {
        return Err(wrong("a chroma key needs chroma of the size of luma"));
    }
    let placed = picture.components.iter().map(|component| grid.positions(component, *nearest, around));
    let mut placed: Vec<[Vec<Position>; 2]> = placed.collect();
    // What is read of each component.
    let mut windows = vec![];
    for ((component, [columns, lines]), piece) in picture.components.iter().zip(&mut placed).zip(pieces.iter_mut()) {
        let ((x, right), (y, bottom)) = (reads(columns, component.width), reads(lines, component.height));
        let window = Rect { x, y, width: right - x, height: bottom - y };
        piece.resize(window.width * window.height, 0);
        for (line, samples) in piece.chunks_exact_mut(window.width).enumerate() {
            component.read(&machine.memory, x, y + line, samples);
        }
        columns.iter_mut().for_each(|position| position.index -= x as i32);
        lines.iter_mut().for_each(|position| position.index -= y as i32);
        windows.push(window);
    }
    let keyed = key.map(|key| remove(key, pieces, picture.is_luma, windows.len()));
    let (width, height) = (WIDTH + 2 * around, HEIGHT + 2 * around);
    let mut samples = [[0u16; (WIDTH + 2 * AROUND) * (HEIGHT + 2 * AROUND)]; 3];
    let rect = Rect { x: 0, y: 0, width, height };
    // A component alone, or all together where one decision serves all.
    let groups: &[&[usize]] = if plan.joint || plan.mixed { &[&[0, 1, 2]] } else { &[&[0], &[1], &[2]] };
    for group in groups.iter().filter(|group| group[0] < windows.len()) {
        for &index in *group {
            let role = if index > 0 || !picture.is_luma { 1 } else { 0 };
            let [columns, lines] = &placed[index];
            plan.planes[role].columns.clone_from(columns);
            plan.planes[role].lines[0].clone_from(lines);
        }
        let planes: Vec<Plane> = group
            .iter()
            .map(|&index| {
                let plan = &plan.planes[usize::from(index > 0 || !picture.is_luma)];
                let Rect { width, height, .. } = windows[index];
                Plane { plan, lines: &plan.lines[0], source: Lines { data: &pieces[index], stride: width, width }, height }
            })
            .collect();
        let input = scale::Input { kernels, plan, planes: &planes };
        scale::tile(&input, rect, scratch, |plane, line, pending| {
            samples[group[plane]][line * width..][..width].copy_from_slice(pending.words());
        });
    }
    if let Some(filter) = enhance {
        sharpen(kernels, filter, &mut samples[0], rect);
    }
    let mut alpha = [[0xff00u16; WIDTH]; HEIGHT];
    if let (Some(keyed), [columns, lines]) = (keyed, &placed[0]) {
        let Rect { width, height, .. } = windows[0];
        for (alpha, line) in alpha.iter_mut().zip(&lines[around..]) {
            for (alpha, column) in alpha.iter_mut().zip(&columns[around..]) {
                let inside = |index: i32, size: usize| index.clamp(0, size as i32 - 1) as usize;
                if keyed[inside(line.index, height) * width + inside(column.index, width)] {
                    *alpha = 0;
                }
            }
        }
    }
    let bytes = |component: usize| -> [[u16; WIDTH]; HEIGHT] {
        std::array::from_fn(|y| {
            let line = &samples[component][(y + around) * width + around..][..WIDTH];
            let mut bytes = [0; WIDTH];
            (kernels.narrow)(&mut bytes, line, 2);
            bytes.map(|v| u16::from(v) << 8)
        })
    };
    let nothing = [[0; WIDTH]; HEIGHT];
    let [red, green, blue] = match (windows.len(), picture.is_luma) {
        (3, _) => [bytes(2), bytes(0), bytes(1)],
        (_, true) => [nothing, bytes(0), nothing],
        _ => [bytes(0), nothing, nothing],
    };
    Ok(answer([red, green, blue, alpha], masked))
}

/// Makes texels that match the key black, and tells which.
fn remove(key: ChromaKey, pieces: &mut [Vec<u8>; 3], is_luma: bool, components: usize) -> Vec<bool> {
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
    for piece in &mut pieces[..components] {
        piece.iter_mut().zip(&keyed).filter(|(_, keyed)| **keyed).for_each(|(sample, _)| *sample = 0);
    }
    keyed
}

/// Enhances what lies inside a rim of [`AROUND`] pixels.
fn sharpen(kernels: &Kernels, filter: &Filter, samples: &mut [u16], rect: Rect) {
    let mut plane = DeepPlane::new(rect.width, rect.height);
    let band = plane.lines_mut();
    for (line, samples) in samples.chunks_exact(rect.width).enumerate().take(rect.height) {
        enhance::put(band, line, samples.iter().copied());
    }
    let inner = Rect { x: AROUND, y: AROUND, width: WIDTH, height: HEIGHT };
    let input = enhance::Input { kernels, filter, plane: &plane, fields: false };
    enhance::tile(&input, inner, &mut [0; WIDTH], |y, line| {
        samples[y * rect.width + AROUND..][..WIDTH].copy_from_slice(line);
    });
}

/// The registers of all channels that are not masked: for the left 8 × 4 pixels, then for the right ones.
fn answer(channels: [[[u16; WIDTH]; HEIGHT]; CHANNELS], masked: [bool; CHANNELS]) -> Vec<Writeback> {
    let mut answer = vec![];
    for half in 0..2 {
        for (channel, _) in channels.iter().zip(masked).filter(|(_, masked)| !masked) {
            let half = channel.map(|line| std::array::from_fn(|x| line[8 * half + x]));
            answer.extend(pixels::registers(&half).map(Writeback::from));
        }
    }
    answer
}
