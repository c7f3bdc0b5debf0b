//! One step through messages: states, bindings, and a thread for each block (§7.4).
use super::error::DriverError;
use super::kernels::{self, Chroma, Shape};
use super::{Driver, slots};
use crate::deinterlace::Role;
use crate::deinterlace::chroma::{Store, Woven};
use crate::field_match::{CombMask, FieldMatch};
use crate::format::{Format, Sampling, Scan};
use crate::gen6::eu::kernel::Kernel;
use crate::gen6::eu::machine::Program;
use crate::gen6::eu::picture::format;
use crate::gen6::eu::register::Register;
use crate::gen6::state::DeinterlaceControl;
use crate::pipeline::ChromaOutput;

impl Driver {
    fn top_first(&self) -> bool {
        self.settings.scan == Scan::TopFirst
    }

    /// How the chroma of an output is written.
    fn chroma(&self) -> Chroma {
        match (self.settings.frame_format().sampling, self.settings.chroma) {
            (Sampling::Mono, _) => Chroma::None,
            (Sampling::C444, _) => Chroma::Full,
            (Sampling::C420, ChromaOutput::C420Drop) => Chroma::Halved(Store::Dropped),
            (Sampling::C420, _) => Chroma::Halved(Store::Averaged),
            _ => Chroma::Halved(Store::Native),
        }
    }

    /// What the kernels of this stream have in common.
    fn shape(&self, number: u64) -> Shape {
        Shape {
            chroma: self.chroma(),
            denoise: self.settings.denoises(),
            packed: self.settings.format.sampling == Sampling::C422,
            top_first: self.top_first(),
            first: number == 0,
            woven: [None; 2],
        }
    }

    /// Whether 4:2:0 comes and leaves, so that woven chroma is not touched.
    fn weaves_rows(&self) -> bool {
        self.settings.format.sampling == Sampling::C420 && self.settings.frame_format().sampling == Sampling::C420
    }

    fn control(&self, number: u64) -> DeinterlaceControl {
        DeinterlaceControl {
            dn_enable: self.settings.denoises(),
            di_enable: self.settings.deinterlace,
            top_first: self.top_first(),
            first_frame: number == 0,
            progressive_dn: self.settings.scan == Scan::Progressive,
            ..DeinterlaceControl::default()
        }
    }

    /// Writes an element of the SAMPLER_STATE array.
    fn set_state(&self, element: u32, control: DeinterlaceControl) -> Result<(), DriverError> {
        let state = self.parameters.deinterlace_state(&control)?;
        self.machine.memory.set_dwords(u64::from(self.samplers + 32 * element), &state);
        Ok(())
    }

    /// Binds what the messages of a step read and what its threads write.
    fn bind(&self, number: u64) {
        let (machine, table) = (&self.machine, &self.table);
        let (now, then) = (number as usize % 2, 1 - number as usize % 2);
        for (slot, index) in [(slots::CURRENT, now), (slots::PREVIOUS, then)] {
            table.bind_media(machine, slot, &self.pictures[index].state());
        }
        if let Some(clean) = &self.clean {
            table.bind_media(machine, slots::CLEAN, &clean[then].media_state(format::Y8_UNORM));
            table.bind(machine, slots::CLEAN_OUT, &clean[now].state());
        }
        if let Some(maps) = &self.maps {
            table.bind_media(machine, slots::STATISTICS, &maps[then].media_state(format::STMM_DN_STATISTICS));
            table.bind(machine, slots::STATISTICS_OUT, &maps[now].state());
        }
        for (slot, planes) in slots::OUTPUTS.into_iter().zip(&self.outputs) {
            (slot..).zip(planes).for_each(|(slot, plane)| table.bind(machine, slot, &plane.state()));
        }
        for (slot, index) in slots::SOURCES.into_iter().zip([now, then]) {
            let chroma = self.pictures[index].planes.iter().skip(1);
            (slot..).zip(chroma).for_each(|(slot, plane)| table.bind(machine, slot, &plane.state()));
        }
    }

    /// One thread for each block of 16 × `lines` pixels.
    fn walk(&self, kernel: &Kernel, lines: usize) -> Result<(), DriverError> {
        let Format { width, height, .. } = self.settings.format;
        let blocks: Vec<usize> = (0..width.div_ceil(16) * height.div_ceil(lines)).collect();
        self.walk_over(kernel, lines, &blocks)
    }

    /// One thread for each of some blocks, numbered in the order of the raster.
    fn walk_over(&self, kernel: &Kernel, lines: usize, blocks: &[usize]) -> Result<(), DriverError> {
        let columns = self.settings.format.width.div_ceil(16);
        let histories = self.maps.as_ref().map_or(0, |maps| maps[0].pitch / 2) as u32;
        let constants = [Register::of([histories, 0, 0, 0, 0, 0, 0, 0])];
        let program = Program { kernel, binding_table: self.table.offset, samplers: self.samplers, constants: &constants };
        let place = |thread: usize| {
            let number = blocks[thread];
            let (x, y) = ((number % columns * 16) as u32, (number / columns * lines) as u32);
            Register::of([x, y, x / 2, y / 2, x / 4, y / 4, 0, 0])
        };
        let report = self.machine.run(&program, blocks.len(), place);
        if report.errors.is_empty() && report.hung.is_empty() { Ok(()) } else { Err(DriverError::Messages(report)) }
    }

    /// Both outputs of a step. A block of an output is deinterlaced, whatever its code, where it is torn: then it has a state and a kernel
    /// of its own.
    pub(super) fn deinterlace(
        &self,
        number: u64,
        codes: [FieldMatch; 2],
        torn: [Option<&CombMask>; 2],
    ) -> Result<(), DriverError> {
        self.bind(number);
        let Format { width, height, .. } = self.settings.format;
        let columns = width.div_ceil(16);
        let mut blocks: [Vec<usize>; 4] = Default::default();
        for block in 0..columns * height.div_ceil(4) {
            let (x, y) = (block % columns * 16, block / columns * 4);
            let is_torn = |torn: &CombMask| torn.parts(y..(y + 4).min(height), x..x + 1).any(|(_, torn)| torn);
            let [prev2, cur1] = torn.map(|torn| usize::from(torn.is_some_and(is_torn)));
            blocks[prev2 + 2 * cur1].push(block);
        }
        for (kind, blocks) in blocks.iter().enumerate().filter(|(_, blocks)| !blocks.is_empty()) {
            let codes = [0, 1].map(|role| if kind >> role & 1 == 1 { FieldMatch::Deinterlace } else { codes[role] });
            self.set_state(0, DeinterlaceControl { prev2: codes[0], cur1: codes[1], ..self.control(number) })?;
            let mut shape = self.shape(number);
            if self.weaves_rows() {
                shape.woven = [Woven::of(codes[0], Role::Prev2), Woven::of(codes[1], Role::Cur1)];
            }
            self.walk_over(&kernels::step(shape), 4, blocks)?;
        }
        Ok(())
    }

    /// Denoises the current frame, or only estimates its noise.
    pub(super) fn denoise(&self, number: u64, measure: bool) -> Result<(), DriverError> {
        self.bind(number);
        let control = self.control(number);
        self.set_state(0, DeinterlaceControl { dn_enable: true, first_frame: measure || control.first_frame, ..control })?;
        self.walk(&kernels::denoise(self.shape(number).packed, measure), 8)
    }

    /// Completes the 2nd field of the last frame: a first step on the denoised frame, the order of the fields inverted.
    pub(super) fn last(&mut self, number: u64, weave: bool) -> Result<(), DriverError> {
        let (now, control) = (number as usize % 2, self.control(number));
        if let Some(clean) = &self.clean {
            self.pictures[now].planes[0].copy(&self.machine.memory, &clean[now]);
        }
        self.bind(number);
        let spatial = DeinterlaceControl { dn_enable: false, first_frame: true, ..control };
        self.set_state(0, DeinterlaceControl { top_first: !control.top_first, ..spatial })?;
        self.set_state(1, spatial)?;
        let woven = (weave && self.weaves_rows()).then_some(Woven::Completed);
        let shape = Shape { woven: [woven, None], ..self.shape(number) };
        self.walk(&kernels::last(shape, weave), 4)
    }
}
