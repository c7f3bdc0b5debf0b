//! The colour pipe on frames that leave: they are written once more, to tiles, through the pipe (§6, §7.4).
use super::blocks::Block;
use super::error::DriverError;
use super::store::{Plane, Table, reserve};
use crate::adapt::contrast::AutoContrast;
use crate::color::{ColorParameters, Pipe};
use crate::format::{Format, Rect, Sampling};
use crate::frame::Frame;
use crate::gen6::eu::kernel::{Kernel, KernelBuilder, Operand, Type, m, r};
use crate::gen6::eu::machine::{Machine, Program};
use crate::gen6::eu::register::Register;
use crate::gen6::eu::surface::{Layout, Tiling};
use crate::gen6::state::SurfaceState;
use crate::luma::LumaStatistics;
use crate::parameters::Parameters;
use crate::pipeline::settings::Settings;

/// Pixels of a full block, both ways.
const SIDE: usize = 8;

/// Entries of the binding table: what is written, and the planes that are read.
const TARGET: u32 = 0;
const SOURCE: u32 = 1;

/// Of the header's DWord 3: the pipe works, and the pixels come as 4:4:4 in 8 bits.
const FLAGS: u32 = 0b0101;
/// The pixels count in the histogram.
const COUNTED: u32 = 0b0010;

/// What is kept from frame to frame.
#[derive(Debug)]
pub(super) struct Coloring {
    parameters: Parameters,
    auto: Option<AutoContrast>,
    format: Format,
    table: Table,
    /// COLOR_PROCESSING_STATE, an offset from the general state base.
    state: u32,
    target: Layout,
    /// The area of interest, which ends where blocks do; all of the frame if none.
    area: Option<Rect>,
}

/// What messages cannot say of a stream's colours.
///
/// # Errors
/// [`DriverError::Unsupported`].
pub(super) fn check(settings: &Settings) -> Result<(), DriverError> {
    let Format { width, height, sampling, .. } = settings.output_format();
    let whole = |first: usize, length: usize, size: usize| {
        let end = first + length;
        first.is_multiple_of(SIDE) && (end == size || end.is_multiple_of(SIDE))
    };
    let is_whole = |area: Rect| whole(area.x, area.width, width) && whole(area.y, area.height, height);
    match sampling {
        _ if Pipe::new(&colors(settings)).is_none() => Ok(()),
        Sampling::C411 => Err(DriverError::Unsupported("colour changes of 4:1:1")),
        _ if !settings.histogram_area().is_none_or(is_whole) => {
            Err(DriverError::Unsupported("an area of interest with edges that are no multiples of 8, with colour changes"))
        }
        _ => Ok(()),
    }
}

fn colors(settings: &Settings) -> ColorParameters {
    let mut parameters = settings.parameters.color.clone();
    if settings.auto_contrast.is_some() {
        parameters.ace_enable = true;
    }
    parameters
}

impl Coloring {
    /// None where no stage is on.
    pub fn new(settings: &Settings, machine: &mut Machine) -> Result<Option<Coloring>, DriverError> {
        let parameters = Parameters { color: colors(settings), ..settings.parameters.clone() };
        if Pipe::new(&parameters.color).is_none() {
            return Ok(None);
        }
        let format = settings.output_format();
        let Format { width, height, .. } = format;
        let (surface_format, dwords, lines) = match format.sampling {
            Sampling::C420 => (0x10a, width.div_ceil(4), height + height.div_ceil(2)),
            Sampling::C422 => (0x182, width.div_ceil(2), height),
            _ => (0x0c7, width, height),
        };
        let pitch = (4 * dwords).next_multiple_of(Tiling::X.width());
        let memory = &mut machine.memory;
        let table = Table::new(memory, 8)?;
        let state = reserve(memory, 256)?;
        let needs = "the frames of a stream must fit into memory of 32-bit addresses";
        let bytes = (pitch * lines.next_multiple_of(8)) as u64;
        let base = memory.allocate(bytes, 4096).ok_or(DriverError::Size { width, height, needs })?;
        let surface = SurfaceState {
            surface_format,
            surface_base_address: base,
            width: dwords as u32,
            height: height as u32,
            surface_pitch: pitch as u32,
            tiled_surface: 1,
            ..SurfaceState::default()
        };
        table.bind(machine, TARGET, &surface);
        let target = Layout { base, pitch, tiling: Tiling::X };
        let auto = settings.auto_contrast.map(AutoContrast::new);
        Ok(Some(Coloring { parameters, auto, format, table, state, target, area: settings.histogram_area() }))
    }

    /// Changes the colours of a frame that stands in `planes`.
    pub fn run(&mut self, machine: &Machine, planes: &[Plane], frame: &mut Frame) -> Result<LumaStatistics, DriverError> {
        if let Some(auto) = &mut self.auto {
            // Software, on the histogram of the frame as it is.
            super::store::export(&machine.memory, planes, frame);
            auto.follow(&LumaStatistics::of(frame, None).histogram, &mut self.parameters.color);
        }
        machine.memory.set_dwords(self.state.into(), &self.parameters.color_state()?);
        machine.registers.color.clear();
        (SOURCE..).zip(planes).for_each(|(slot, plane)| self.table.bind(machine, slot, &plane.state()));
        let Format { width, height, .. } = self.format;
        // Whole blocks, then what is left right of and below them.
        let parts =
            |size: usize| [(0, size / SIDE, SIDE), (size / SIDE * SIDE, usize::from(!size.is_multiple_of(SIDE)), size % SIDE)];
        for ((top, rows, lines), (left, columns, pixels)) in parts(height).into_iter().flat_map(|y| parts(width).map(|x| (y, x)))
        {
            if rows * columns == 0 {
                continue;
            }
            let kernel = kernel(self.format.sampling, pixels, lines);
            let program = Program { kernel: &kernel, binding_table: self.table.offset, samplers: 0, constants: &[] };
            let place = |number: usize| {
                let (x, y) = (left + number % columns * SIDE, top + number / columns * SIDE);
                let inside =
                    |area: Rect| (area.x..area.x + area.width).contains(&x) && (area.y..area.y + area.height).contains(&y);
                let counted = if self.area.is_none_or(inside) { COUNTED } else { 0 };
                let (x, y) = (x as u32, y as u32);
                Register::of([x, y, x / 2, y / 2, 4 * x, self.state | FLAGS | counted, 0, 0])
            };
            let report = machine.run(&program, rows * columns, place);
            if !report.errors.is_empty() || !report.hung.is_empty() {
                return Err(DriverError::Messages(report));
            }
        }
        self.export(machine, frame);
        let registers = &machine.registers.color;
        let ((ymin, ymax), (skin_pixels, skin_factor_sum)) = (registers.range(), registers.skin());
        let histogram = registers.histogram().map(|count| count as u32);
        Ok(LumaStatistics { histogram, ymin, ymax, skin_pixels, skin_factor_sum })
    }

    /// Takes the planes of the frame out of the surface.
    fn export(&self, machine: &Machine, frame: &mut Frame) {
        let Format { width, height, sampling, .. } = self.format;
        let sizes = [0, 1, 2].map(|index| self.format.plane_size(index));
        let mut bytes = vec![0; self.target.pitch];
        let [y, u, v] = frame.planes_mut();
        let mut line = |number: usize| -> Vec<u8> {
            self.target.read(&machine.memory, 0, number, &mut bytes);
            bytes.clone()
        };
        // Components of a pixel or of a pair, and how far apart they are.
        let (luma, chroma) = match sampling {
            Sampling::C420 => ((0, 1), [(0, 2), (1, 2)]),
            Sampling::C422 => ((0, 2), [(1, 4), (3, 4)]),
            _ => ((0, 4), [(1, 4), (2, 4)]),
        };
        let take = |out: &mut [u8], line: &[u8], (first, step): (usize, usize)| {
            out.iter_mut().zip(line[first..].iter().step_by(step)).for_each(|(out, byte)| *out = *byte);
        };
        for row in 0..height {
            take(&mut y[row * width..][..width], &line(row), luma);
        }
        for row in 0..sizes[1].1 {
            let below = if sampling == Sampling::C420 { height } else { 0 };
            let (line, size) = (line(below + row), sizes[1].0);
            take(&mut u[row * size..][..size], &line, chroma[0]);
            take(&mut v[row * size..][..size], &line, chroma[1]);
        }
    }
}

/// Reads a block of pixels, gives each its chroma, and writes it. r1 has x, y, their halves, x in bytes, and DWord 3 of the header.
fn kernel(sampling: Sampling, pixels: usize, lines: usize) -> Kernel {
    const LUMA: usize = 16;
    const CHROMA: [usize; 2] = [20, 24];
    let place = |n: usize| r(1).at(n, Type::Ud);
    let (x, y) = if sampling == Sampling::C444 {
        (place(0), place(1))
    } else {
        (place(2), place(if sampling == Sampling::C420 { 3 } else { 1 }))
    };
    let (width, height) = match sampling {
        Sampling::C420 => (4, 4),
        Sampling::C422 => (4, 8),
        _ => (8, 8),
    };
    let luma = Block { binding: SOURCE, x: place(0), y: place(1), width: 8, height: 8 };
    let mut kernel = luma.read(KernelBuilder::new(), 12, LUMA);
    if sampling != Sampling::Mono {
        for (plane, to) in CHROMA.into_iter().enumerate() {
            let block = Block { binding: SOURCE + 1 + plane as u32, x, y, width, height };
            kernel = block.read(kernel, 13 + plane, to);
        }
    }
    let pitch = (4 * pixels).next_power_of_two();
    let block = Block { binding: TARGET, x: place(4), y: place(1), width: 4 * pixels as i64, height: lines as i64 };
    let kernel = block.write(kernel, 1, |kernel, to| {
        let kernel = kernel.mov(1, m(to - 1).at(3, Type::Ud), place(5));
        let bytes = |register: usize, at: usize| r(register + at / 32).at(at % 32, Type::Ub);
        let filled = (0..lines).fold(kernel, |kernel, row| {
            // `count` pixels from `first` on, `step` apart; component 0 is Cr, then Cb, luma, alpha.
            let put = |kernel: KernelBuilder, component: usize, first: usize, step: usize, from: Operand| {
                let count = (pixels - first.min(pixels)).div_ceil(step);
                if count == 0 {
                    return kernel;
                }
                let at = row * pitch + 4 * first + component;
                let out = m(to + at / 32).at(at % 32, Type::Ub).every(4 * step);
                kernel.masked((1 << count) - 1).mov(count.next_power_of_two(), out, from)
            };
            let kernel = put(kernel, 2, 0, 1, bytes(LUMA, 8 * row));
            let kernel = put(kernel, 3, 0, 1, Operand::Value(255));
            [(1, CHROMA[0]), (0, CHROMA[1])].into_iter().fold(kernel, |kernel, (component, register)| match sampling {
                Sampling::Mono => put(kernel, component, 0, 1, Operand::Value(128)),
                Sampling::C444 => put(kernel, component, 0, 1, bytes(register, 8 * row)),
                _ => {
                    let from = bytes(register, 4 * if sampling == Sampling::C420 { row / 2 } else { row });
                    put(put(kernel, component, 0, 2, from), component, 1, 2, from)
                }
            })
        });
        filled.masked(0xffff)
    });
    kernel.end(15).build().expect("the driver's kernel")
}
