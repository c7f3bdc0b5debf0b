//! What follows the deinterlacer: scaling and enhancement by `sample_8x8`, a thread for each 16 × 4 pixels of a plane (§5, §7.4).
use super::addresses::{Line, Wanted};
use super::blocks::{Block, Turns, X, Y};
use super::error::DriverError;
use super::store::{self, Plane, Table};
use crate::enhance::SharpenMode;
use crate::format::{Sampling, Scan};
use crate::gen6::eu::descriptor::{Descriptor, SharedFunction};
use crate::gen6::eu::kernel::{Kernel, KernelBuilder, Operand, Type, m, r};
use crate::gen6::eu::machine::{Machine, Program};
use crate::gen6::eu::picture::format;
use crate::gen6::eu::register::Register;
use crate::gen6::eu::sampler::{self, opcode};
use crate::gen6::state::{MediaSurfaceState, SampleControl};
use crate::parameters::Parameters;
use crate::pipeline::settings::Settings;
use crate::scale::{Plan, Position, Scale, steps};

/// Pixels of a message.
const WIDTH: usize = 16;
const HEIGHT: usize = 4;

/// Entries of the binding table: what is sampled, and the planes that are written.
const SOURCE: u32 = 0;
const TARGET: u32 = 1;
const ENTRIES: u32 = 8;

/// One run over planes: all at once, or one.
#[derive(Debug)]
struct Pass {
    /// The planes.
    planes: Vec<usize>,
    /// The field, if frames keep theirs.
    field: Option<usize>,
    columns: Vec<Line>,
    lines: Vec<Line>,
}

/// What is kept for the whole stream.
#[derive(Debug)]
pub(super) struct Finish {
    passes: Vec<Pass>,
    out: Vec<Plane>,
    table: Table,
    /// SAMPLER_STATE, and the SAMPLER_8x8_STATE that it points to.
    samplers: u32,
    scaler: u32,
    parameters: Parameters,
    enhance: Option<SharpenMode>,
}

/// Channels that a message masks, bits 15:12 of the header: all but luma, all but Cr, all but those two and Cb.
const LUMA: i64 = 0b1101 << 12;
const CHROMA: i64 = 0b1110 << 12;
const COLORS: i64 = 0b1000 << 12;

impl Finish {
    /// None where frames leave as they are.
    pub fn new(settings: &Settings, machine: &mut Machine) -> Result<Option<Finish>, DriverError> {
        if settings.scale.is_none() && settings.sharpen.is_none() {
            return Ok(None);
        }
        let (source, target) = (settings.frame_format(), settings.output_format());
        let passes = passes(settings)?;
        let memory = &mut machine.memory;
        let out = store::planes(memory, target)?;
        let table = Table::new(memory, ENTRIES)?;
        let (samplers, scaler) = (store::reserve(memory, 64)?, store::reserve(memory, 1024)?);
        let mut parameters = settings.parameters.clone();
        if settings.scale.is_none() {
            // The samples pass the scaler as they are.
            parameters.scaler.avs_filter_type = 1;
        }
        let crop = settings.scale.as_ref().and_then(|scale| scale.crop);
        let rectangle = crop.map_or((source.width, source.height), |crop| (crop.width, crop.height));
        let tables = parameters.coefficients.tables(rectangle, (target.width, target.height));
        memory.set_dwords(scaler.into(), &parameters.scaler_state(&tables)?);
        Ok(Some(Finish { passes, out, table, samplers, scaler, parameters, enhance: settings.sharpen }))
    }

    /// Whether three planes are sampled as one surface.
    pub fn is_joint(&self) -> bool {
        self.passes.iter().any(|pass| pass.planes.len() > 1)
    }

    /// Whether these planes can be sampled.
    pub fn check(&self, planes: &[Plane]) -> Result<(), DriverError> {
        self.passes.iter().try_for_each(|pass| pass.source(planes).map(drop))
    }

    /// Makes the planes that leave; `noise` is the global noise estimate to go by.
    pub fn run(&mut self, machine: &Machine, planes: &[Plane], noise: u8) -> Result<Vec<Plane>, DriverError> {
        self.parameters.sharpen.global_noise_estimation = noise;
        let mut state = self.parameters.sampler_state(self.enhance)?;
        let control = SampleControl { enhance: self.enhance, chroma_key: None, scaler_state: self.scaler };
        control.encode(&mut state)?;
        machine.memory.set_dwords(self.samplers.into(), &state);
        let mut out = self.out.clone();
        for (index, plane) in out.iter_mut().enumerate() {
            if !self.passes.iter().any(|pass| pass.planes.contains(&index)) {
                *plane = planes[index];
            }
        }
        self.passes.iter().try_for_each(|pass| self.pass(machine, pass, planes, &out))?;
        Ok(out)
    }

    fn pass(&self, machine: &Machine, pass: &Pass, sources: &[Plane], out: &[Plane]) -> Result<(), DriverError> {
        let (masks, state) = pass.source(sources)?;
        self.table.bind_media(machine, SOURCE, &state);
        let targets = (TARGET..).zip(&pass.planes);
        targets.for_each(|(slot, &index)| self.table.bind(machine, slot, &pass.part(&out[index]).state()));
        let kernel = kernel(masks);
        let program = Program { kernel: &kernel, binding_table: self.table.offset, samplers: self.samplers, constants: &[] };
        let columns = pass.columns.len();
        let place = |number: usize| {
            let (column, line) = (number % columns, number / columns);
            let [[u, delta_u], [v, delta_v]] = [pass.columns[column], pass.lines[line]].map(|line| line.map(f32::to_bits));
            Register::of([(WIDTH * column) as u32, (HEIGHT * line) as u32, u, delta_u, v, delta_v, 0, 0])
        };
        let report = machine.run(&program, columns * pass.lines.len(), place);
        if report.errors.is_empty() && report.hung.is_empty() { Ok(()) } else { Err(DriverError::Messages(report)) }
    }
}

impl Pass {
    /// A plane, or its field.
    fn part(&self, plane: &Plane) -> Plane {
        self.field.map_or(*plane, |parity| plane.field(parity))
    }

    /// What is sampled: the channels that are masked, and the surface.
    fn source(&self, planes: &[Plane]) -> Result<(i64, MediaSurfaceState), DriverError> {
        Ok(match self.planes[..] {
            [0] => (LUMA, self.part(&planes[0]).media_state(format::Y8_UNORM)),
            [index] => (CHROMA, self.part(&planes[index]).media_state(format::R8_UNORM)),
            _ => (COLORS, colors(&self.planes.iter().map(|&index| self.part(&planes[index])).collect::<Vec<_>>())?),
        })
    }
}

/// Planes, fields and addresses of a stream.
///
/// # Errors
/// [`DriverError::Unsupported`] of what the addresses cannot say.
fn passes(settings: &Settings) -> Result<Vec<Pass>, DriverError> {
    let format = settings.frame_format();
    let fields = settings.scan != Scan::Progressive && !settings.deinterlace;
    let identity = Scale::new(format.width, format.height);
    let scale = settings.scale.unwrap_or(identity);
    if scale.addresses.is_some() {
        return Err(DriverError::Unsupported("uneven addresses of whole frames"));
    }
    let plan = Plan::new(
        &scale,
        format,
        settings.chroma_location,
        fields,
        &settings.parameters.scaler,
        &settings.parameters.coefficients,
    );
    let nearest = settings.scale.is_none() || settings.parameters.scaler.avs_filter_type == 1;
    let crop = scale.crop.map_or((format.width, format.height), |crop| (crop.width, crop.height));
    let [across, down] = [crop.0 as f64 / scale.width as f64, crop.1 as f64 / scale.height as f64];
    if across >= 16.0 || down >= 16.0 {
        return Err(DriverError::Unsupported("scaling to a sixteenth or less"));
    }
    let groups: Vec<Vec<usize>> = match format.sampling {
        _ if settings.scale.is_none() => vec![vec![0]],
        Sampling::Mono => vec![vec![0]],
        Sampling::C444 if plan.joint || plan.mixed => vec![vec![0, 1, 2]],
        _ => vec![vec![0], vec![1], vec![2]],
    };
    let mut passes = vec![];
    for planes in groups {
        let around = if planes[0] == 0 && settings.sharpen.is_some() { 2 } else { 0 };
        let (plane, (width, height)) = (plan.plane(planes[0]), format.plane_size(planes[0]));
        // Source samples an output sample: chroma that changes its sampling has others than luma.
        let [from, to] =
            [format, scale.format(format)].map(|format| if planes[0] == 0 { (1, 1) } else { steps(format.sampling) });
        let ratio = |luma: f64, from: u32, to: u32| luma * f64::from(to) / f64::from(from);
        for (field, lines) in plane.lines.iter().enumerate() {
            let addresses = |positions: &[Position], step: f64, size: usize, count: usize| {
                let lines = Wanted { positions, step, size, nearest, around }.lines(count);
                let what = match scale.crop {
                    Some(_) if around > 0 => "enhancement of a part of the picture, whose rim the sampler does not know",
                    _ => "positions at this ratio",
                };
                lines.ok_or(DriverError::Unsupported(what))
            };
            let size = if fields { (height + 1 - field) / 2 } else { height };
            let columns = addresses(&plane.columns, ratio(across, from.0, to.0), width, WIDTH)?;
            let lines = addresses(lines, ratio(down, from.1, to.1), size, HEIGHT)?;
            passes.push(Pass { planes: planes.clone(), field: fields.then_some(field), columns, lines });
        }
    }
    Ok(passes)
}

/// Three planes of one size as one surface: those of a picture, or of a frame that was made.
fn colors(planes: &[Plane]) -> Result<MediaSurfaceState, DriverError> {
    let luma = planes[0];
    let below = |plane: &Plane| {
        let distance = i64::from(plane.base) - i64::from(luma.base);
        let pitch = luma.pitch as i64;
        let [x, y] = [distance.rem_euclid(pitch), distance.div_euclid(pitch)];
        ((0..=8191).contains(&y) && x <= 8191 && plane.pitch == luma.pitch).then_some((x as u32, y as u32))
    };
    let [Some(cb), Some(cr)] = [below(&planes[1]), below(&planes[2])] else {
        return Err(DriverError::Unsupported("4:4:4 chroma that lies too far from its luma"));
    };
    let state = luma.media_state(format::PLANAR_444_8);
    Ok(MediaSurfaceState { x_offset_for_cb: cb.0, y_offset_for_cb: cb.1, x_offset_for_cr: cr.0, y_offset_for_cr: cr.1, ..state })
}

/// Samples 16 × 4 pixels and writes the channels that are not masked. r1 has x, y, U, Delta U, V, Delta V.
fn kernel(masks: i64) -> Kernel {
    let channels = 4 - (masks >> 12).count_ones();
    let control = sampler::control(opcode::SAMPLE_8X8, 0, SOURCE);
    let descriptor = Descriptor::new(2, 4 * channels, true, control);
    let address = |kernel: KernelBuilder, to: usize, from: usize| kernel.mov(1, m(2).at(to, Type::Ud), r(1).at(from, Type::Ud));
    let kernel = KernelBuilder::new().mov(8, m(1), r(0)).mov(1, m(1).at(2, Type::Ud), Operand::Value(masks));
    let kernel = kernel.mov(8, m(2), Operand::Value(0));
    let kernel = [(2, 2), (0, 3), (6, 4), (5, 5)].into_iter().fold(kernel, |kernel, (to, from)| address(kernel, to, from));
    let kernel = kernel.send(16, 1, SharedFunction::Sampler, descriptor);
    let turns = &mut Turns::default();
    // Red, green and blue are Cr, Y, Cb.
    let targets: &[(u32, u32)] = if channels == 1 { &[(0, 0)] } else { &[(0, 2), (1, 0), (2, 1)] };
    let kernel = targets.iter().fold(kernel, |kernel, &(channel, plane)| {
        let block = Block { binding: TARGET + plane, x: X, y: Y, width: 16, height: 4 };
        block.write(kernel, turns.next(), |kernel, to| {
            // Samples are words; what counts is their upper byte.
            let quads = (0..HEIGHT).flat_map(|y| (0..4).map(move |quad| (y, quad)));
            quads.fold(kernel, |kernel, (y, quad)| {
                let half = (quad / 2) as u32 * 2 * channels;
                let register = 16 + (half + 2 * channel) as usize + y / 2;
                let from = r(register).at(16 * (quad % 2) + 8 * (y % 2) + 1, Type::Ub).every(2);
                kernel.mov(4, m(to + y / 2).at(16 * (y % 2) + 4 * quad, Type::Ub), from)
            })
        })
    });
    kernel.end(turns.next()).build().expect("the driver's kernel")
}
