//! The colour pipe on outputs: a frame is written once more, through the pipe to a tiled surface
//! (§6, §7.4).
use super::binding_table::BindingTable;
use super::color_kernel::{SOURCE, TARGET, kernel};
use super::error::{DriverError, completed};
use super::plane::{Plane, allocate_aligned, export, reserve};
use crate::adapt::contrast::AutoContrast;
use crate::color::{ColorParameters, Pipe};
use crate::format::{Format, Rect, Sampling};
use crate::frame::Frame;
use crate::gen6::eu::data::memory::Memory;
use crate::gen6::eu::data::register::Register;
use crate::gen6::eu::data::surface::{Layout, Tiling};
use crate::gen6::eu::run::machine::Machine;
use crate::gen6::eu::run::program::Program;
use crate::gen6::state::SurfaceState;
use crate::luma::LumaStatistics;
use crate::parameters::Parameters;
use crate::pipeline::settings::Settings;

/// Columns and lines of a whole block.
const SIDE: usize = 8;

/// Flags of DWord 3 of the header: the colour pipe is on, and the pixels are 4:4:4 of 8 bits.
const FLAGS: u32 = 0b0101;
/// Flag of DWord 3 of the header: the pixels count in the histogram.
const COUNTED: u32 = 0b0010;

/// Parameters, states and surfaces of the colour pipe, with the contrast history.
#[derive(Debug)]
pub(super) struct ColorStage {
    parameters: Parameters,
    auto: Option<AutoContrast>,
    format: Format,
    table: BindingTable,
    /// COLOR_PROCESSING_STATE, an offset from the general state base.
    state: u32,
    target: Layout,
    /// The area of the histogram, whose edges are those of blocks; none for the whole frame.
    area: Option<Rect>,
}

/// Checks that messages support the colour settings of a stream.
///
/// # Errors
/// [`DriverError::Unsupported`].
pub(super) fn check(settings: &Settings) -> Result<(), DriverError> {
    let Format { width, height, sampling, .. } = settings.output_format();
    let ends_with_block = |first: usize, length: usize, size: usize| {
        let end = first + length;
        first.is_multiple_of(SIDE) && (end == size || end.is_multiple_of(SIDE))
    };
    let is_of_blocks = |area: Rect| ends_with_block(area.x, area.width, width) && ends_with_block(area.y, area.height, height);
    match sampling {
        _ if !Pipe::is_on(&parameters(settings)) => Ok(()),
        Sampling::C411 => Err(DriverError::Unsupported("colour correction of 4:1:1")),
        _ if !settings.histogram_area().is_none_or(is_of_blocks) => {
            Err(DriverError::Unsupported("colour correction with an area of interest whose edges are no multiples of 8"))
        }
        _ => Ok(()),
    }
}

/// The parameters of the colour pipe of a stream.
fn parameters(settings: &Settings) -> ColorParameters {
    let mut parameters = settings.parameters.color.clone();
    parameters.ace_enable |= settings.auto_contrast.is_some();
    parameters
}

impl ColorStage {
    /// None if all stages of the pipe are off.
    pub fn new(settings: &Settings, memory: &mut Memory) -> Result<Option<ColorStage>, DriverError> {
        let parameters = Parameters { color: parameters(settings), ..settings.parameters.clone() };
        if !Pipe::is_on(&parameters.color) {
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
        let table = BindingTable::new(memory, 8)?;
        let state = reserve(memory, 256)?;
        let base = allocate_aligned(memory, pitch * lines.next_multiple_of(8), 4096, (width, height))?;
        let surface = SurfaceState {
            surface_format,
            surface_base_address: base,
            width: dwords as u32,
            height: height as u32,
            surface_pitch: pitch as u32,
            tiled_surface: 1,
            ..SurfaceState::default()
        };
        table.bind(memory, TARGET, &surface)?;
        let target = Layout { base, pitch, tiling: Tiling::X };
        let auto = settings.auto_contrast.map(AutoContrast::new);
        Ok(Some(ColorStage { parameters, auto, format, table, state, target, area: settings.histogram_area() }))
    }

    /// Corrects the colours of `planes` into `frame`, and counts its luma.
    pub fn run(&mut self, machine: &Machine, planes: &[Plane], frame: &mut Frame) -> Result<LumaStatistics, DriverError> {
        if let Some(auto) = &mut self.auto {
            // The curve of a frame depends on its own histogram, before the pipe changes it.
            export(&machine.memory, planes, frame);
            auto.follow(&LumaStatistics::of(frame, self.area).histogram, &mut self.parameters.color);
        }
        machine.memory.set_dwords(self.state.into(), &self.parameters.color_state()?);
        machine.counters.color.clear();
        for (entry, plane) in (SOURCE..).zip(planes) {
            self.table.bind(&machine.memory, entry, &plane.state())?;
        }
        let Format { width, height, .. } = self.format;
        // Whole blocks, then the rest at the right and at the bottom: start, number and size of
        // blocks.
        let parts =
            |size: usize| [(0, size / SIDE, SIDE), (size / SIDE * SIDE, usize::from(!size.is_multiple_of(SIDE)), size % SIDE)];
        for (vertical, horizontal) in parts(height).into_iter().flat_map(|y| parts(width).map(|x| (y, x))) {
            self.blocks(machine, vertical, horizontal)?;
        }
        self.export(&machine.memory, frame);
        let counters = &machine.counters.color;
        let ((ymin, ymax), (skin_pixels, skin_factor_sum)) = (counters.range(), counters.skin());
        let histogram = counters.histogram().map(|count| count as u32);
        Ok(LumaStatistics { histogram, ymin, ymax, skin_pixels, skin_factor_sum, out_of_gamut: None, grey: None })
    }

    /// Writes blocks of one size: `rows` × `columns` blocks of `pixels` × `lines` pixels.
    fn blocks(
        &self,
        machine: &Machine,
        (top, rows, lines): (usize, usize, usize),
        (left, columns, pixels): (usize, usize, usize),
    ) -> Result<(), DriverError> {
        if rows * columns == 0 {
            return Ok(());
        }
        let kernel = kernel(self.format.sampling, pixels, lines);
        let program = Program { kernel: &kernel, binding_table: self.table.offset, samplers: 0, constants: &[] };
        let payload = |number: usize| {
            let (x, y) = (left + number % columns * SIDE, top + number / columns * SIDE);
            let inside = |area: Rect| (area.x..area.x + area.width).contains(&x) && (area.y..area.y + area.height).contains(&y);
            let counted = if self.area.is_none_or(inside) { COUNTED } else { 0 };
            let (x, y) = (x as u32, y as u32);
            Register::of([x, y, x / 2, y / 2, 4 * x, self.state | FLAGS | counted, 0, 0])
        };
        completed(machine.run(&program, rows * columns, payload))
    }

    /// Copies the planes of the frame from the tiled surface.
    fn export(&self, memory: &Memory, frame: &mut Frame) {
        let Format { width, height, sampling, .. } = self.format;
        let sizes = [0, 1, 2].map(|index| self.format.plane_size(index));
        let mut bytes = vec![0; self.target.pitch];
        let [y, u, v] = frame.byte_planes_mut();
        let mut line = |number: usize| -> Vec<u8> {
            self.target.read(memory, 0, number, &mut bytes);
            bytes.clone()
        };
        // First byte of luma, Cb and Cr, and the distance of their samples in bytes.
        let (luma, chroma) = match sampling {
            Sampling::C420 => ((0, 1), [(0, 2), (1, 2)]),
            Sampling::C422 => ((0, 2), [(1, 4), (3, 4)]),
            _ => ((0, 4), [(1, 4), (2, 4)]),
        };
        let copy = |out: &mut [u8], line: &[u8], (first, step): (usize, usize)| {
            out.iter_mut().zip(line[first..].iter().step_by(step)).for_each(|(out, byte)| *out = *byte);
        };
        for row in 0..height {
            copy(&mut y[row * width..][..width], &line(row), luma);
        }
        for row in 0..sizes[1].1 {
            let below = if sampling == Sampling::C420 { height } else { 0 };
            let (line, size) = (line(below + row), sizes[1].0);
            copy(&mut u[row * size..][..size], &line, chroma[0]);
            copy(&mut v[row * size..][..size], &line, chroma[1]);
        }
    }
}
