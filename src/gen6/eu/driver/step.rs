//! Denoising and deinterlacing of one frame by messages: surfaces, states, and one thread for each
//! block (§7.4).
use super::binding_table::BindingTable;
use super::error::{DriverError, completed};
use super::kernels::{self, Chroma, Shape, bindings};
use super::picture::Picture;
use super::plane::{Plane, planes, reserve};
use crate::deinterlace::Role;
use crate::deinterlace::chroma::Woven;
use crate::error::Error;
use crate::field_match::{CombMask, FieldMatch};
use crate::format::{Format, Sampling, Scan};
use crate::frame::InputPlane;
use crate::gen6::eu::data::kernel::Kernel;
use crate::gen6::eu::data::memory::Memory;
use crate::gen6::eu::data::picture::format;
use crate::gen6::eu::data::register::Register;
use crate::gen6::eu::run::machine::Machine;
use crate::gen6::eu::run::program::Program;
use crate::gen6::state::DeinterlaceControl;
use crate::memory::collected;
use crate::parameters::Parameters;
use crate::pipeline::Statistics;
use crate::pipeline::session::Step;
use crate::pipeline::settings::Settings;

/// The processing of a frame before scaling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Deinterlace,
    Denoise,
    /// The frame passes unchanged; its noise may be estimated.
    Pass,
}

/// Frames, statistics and states in memory, which the steps of a stream read and write.
#[derive(Debug)]
pub(super) struct Steps {
    pub mode: Mode,
    /// The frames of even and of odd steps, before and after denoising.
    pictures: [Picture; 2],
    clean: Option<[Plane; 2]>,
    /// Motion measures of even and of odd steps, with denoise histories from half the pitch on.
    maps: Option<[Plane; 2]>,
    /// Both outputs of a step.
    pub outputs: [Vec<Plane>; 2],
    table: BindingTable,
    /// SAMPLER_STATE array, an offset from the dynamic state base.
    samplers: u32,
    /// The parameters of the next step.
    pub parameters: Parameters,
}

impl Steps {
    /// Allocates everything that the steps of a stream need.
    pub fn new(settings: &Settings, memory: &mut Memory) -> Result<Steps, DriverError> {
        let Format { width, height, .. } = settings.format;
        let mode = match (settings.deinterlace, settings.denoises()) {
            (true, _) => Mode::Deinterlace,
            (_, true) => Mode::Denoise,
            _ => Mode::Pass,
        };
        let table = BindingTable::new(memory, bindings::COUNT)?;
        let samplers = reserve(memory, 64)?;
        let pictures = [Picture::new(memory, settings.format)?, Picture::new(memory, settings.format)?];
        let mut pair = |needed: bool, size| -> Result<_, DriverError> {
            Ok(if needed { Some([Plane::new(memory, size)?, Plane::new(memory, size)?]) } else { None })
        };
        let clean = pair(settings.denoises(), (width, height))?;
        let maps = pair(mode != Mode::Pass, (width.next_multiple_of(64), height))?;
        let outputs = match mode {
            Mode::Deinterlace => {
                let format = settings.frame_format();
                [planes(memory, format)?, planes(memory, format)?]
            }
            _ => [vec![], vec![]],
        };
        let mut parameters = settings.parameters.clone();
        parameters.passthrough.di_partial = false;
        if mode != Mode::Deinterlace {
            // The deinterlacer ignores them, and they may be values that the state cannot hold.
            parameters.deinterlace = Parameters::default().deinterlace;
        }
        Ok(Steps { mode, pictures, clean, maps, outputs, table, samplers, parameters })
    }

    /// The planes that are scaled: of each output, or of frames that are not deinterlaced.
    pub fn sources(&self) -> [&[Plane]; 2] {
        match self.mode {
            Mode::Deinterlace => self.outputs.each_ref().map(Vec::as_slice),
            _ => self.pictures.each_ref().map(|picture| picture.planes.as_slice()),
        }
    }

    /// The planes of frame `number`, which is not deinterlaced, after its step. `joint` is whether
    /// they must be the planes of one surface.
    pub fn frame(&self, memory: &Memory, number: u64, joint: bool) -> Vec<Plane> {
        let index = number as usize % 2;
        let mut planes = self.pictures[index].planes.clone();
        if let Some(clean) = &self.clean {
            if joint {
                // No later step reads the original luma.
                planes[0].copy(memory, &clean[index]);
            } else {
                planes[0] = clean[index];
            }
        }
        planes
    }

    /// Copies the frame of a step to memory and processes it.
    pub fn run(&mut self, settings: &Settings, machine: &Machine, step: &Step) -> Result<(), DriverError> {
        self.pictures[step.number as usize % 2].import(&machine.memory, &step.planes.map(|plane| InputPlane::new(plane, 8)));
        let walk = Walk { steps: self, settings, machine, number: step.number };
        match self.mode {
            Mode::Deinterlace => walk.deinterlace(step.matches.in_time(), step.comb_masks),
            Mode::Denoise => walk.denoise(false),
            Mode::Pass if settings.is_stateless() => Ok(()),
            Mode::Pass => walk.denoise(true),
        }
    }

    /// Completes the second field of frame `number`, the last one, into the first output.
    pub fn last(&self, settings: &Settings, machine: &Machine, number: u64, weave: bool) -> Result<(), DriverError> {
        Walk { steps: self, settings, machine, number }.last(weave)
    }

    /// The index of the stream's counters.
    pub fn stream(&self) -> usize {
        usize::from(self.parameters.passthrough.stream_id == 1)
    }

    /// Statistics of step `number`, from the counters and the maps that the threads wrote. Without
    /// [`Settings::statistics`] the sums of the maps are made for automatic denoising only.
    pub fn statistics(&self, settings: &Settings, machine: &Machine, number: u64) -> Statistics {
        let counters = &machine.counters.streams[self.stream()];
        let (sum, count) = counters.noise();
        let mut statistics = Statistics { step: number, gne_sum: sum, gne_count: count, ..Statistics::default() };
        statistics.gne = sum.checked_div(count).unwrap_or(0);
        statistics.fmd_variances = counters.variances();
        let needed = settings.statistics || settings.denoise.is_measured();
        let Some(maps) = self.maps.as_ref().filter(|_| needed) else { return statistics };
        let (map, memory) = (maps[number as usize % 2], &machine.memory);
        let Format { width, height, .. } = settings.format;
        if self.mode == Mode::Deinterlace {
            statistics.stmm_sum = Plane { width: width.div_ceil(2), ..map }.sum(memory);
        }
        if settings.denoises() && number > 0 {
            let (base, pitch) = (map.base + map.pitch as u32 / 2, map.pitch);
            let histories = Plane { base, pitch, width: width.div_ceil(4), height: height.div_ceil(4) };
            statistics.history_sum = histories.sum(memory);
            // A history below 128 is that of a moving block (§2.1).
            statistics.motion_blocks = histories.count_below(memory, 128);
        }
        statistics
    }
}

/// One walk over the blocks of a frame.
#[derive(Clone, Copy)]
struct Walk<'a> {
    steps: &'a Steps,
    settings: &'a Settings,
    machine: &'a Machine,
    /// Number of the frame.
    number: u64,
}

impl Walk<'_> {
    /// Indices of the surfaces of this frame and of the previous one.
    fn indices(&self) -> [usize; 2] {
        let now = self.number as usize % 2;
        [now, 1 - now]
    }

    fn top_first(&self) -> bool {
        self.settings.scan == Scan::TopFirst
    }

    /// The chroma of an output.
    fn chroma(&self) -> Chroma {
        match self.settings.frame_format().sampling {
            Sampling::Mono => Chroma::None,
            Sampling::C444 => Chroma::Full,
            _ => Chroma::Halved(self.settings.chroma_path().store),
        }
    }

    /// The variant of the kernels, without woven chroma.
    fn shape(&self) -> Shape {
        Shape {
            chroma: self.chroma(),
            denoise: self.settings.denoises(),
            packed: self.settings.format.sampling == Sampling::C422,
            top_first: self.top_first(),
            first: self.number == 0,
            woven: [None; 2],
        }
    }

    /// Whether input and output are 4:2:0, so that rows of woven chroma are copied unchanged.
    fn weaves_rows(&self) -> bool {
        self.settings.format.sampling == Sampling::C420 && self.settings.frame_format().sampling == Sampling::C420
    }

    fn control(&self) -> DeinterlaceControl {
        DeinterlaceControl {
            dn_enable: self.settings.denoises(),
            di_enable: self.settings.deinterlace,
            top_first: self.top_first(),
            first_frame: self.number == 0,
            progressive_dn: self.settings.scan == Scan::Progressive,
            ..DeinterlaceControl::default()
        }
    }

    /// Writes an element of the SAMPLER_STATE array.
    fn set_state(&self, element: u32, control: DeinterlaceControl) -> Result<(), DriverError> {
        let state = self.steps.parameters.deinterlace_state(&control)?;
        self.machine.memory.set_dwords(u64::from(self.steps.samplers + 32 * element), &state);
        Ok(())
    }

    /// Binds the surfaces that the messages of a step read and that its threads write.
    fn bind(&self) -> Result<(), DriverError> {
        let Steps { pictures, clean, maps, outputs, table, .. } = self.steps;
        let (memory, [now, previous]) = (&self.machine.memory, self.indices());
        for (entry, index) in [(bindings::CURRENT, now), (bindings::PREVIOUS, previous)] {
            table.bind_media(memory, entry, &pictures[index].state())?;
        }
        if let Some(clean) = clean {
            table.bind_media(memory, bindings::CLEAN, &clean[previous].media_state(format::Y8_UNORM))?;
            table.bind(memory, bindings::CLEAN_OUT, &clean[now].state())?;
        }
        if let Some(maps) = maps {
            table.bind_media(memory, bindings::STATISTICS, &maps[previous].media_state(format::STMM_DN_STATISTICS))?;
            table.bind(memory, bindings::STATISTICS_OUT, &maps[now].state())?;
        }
        for (entry, planes) in bindings::OUTPUTS.into_iter().zip(outputs) {
            (entry..).zip(planes).try_for_each(|(entry, plane)| table.bind(memory, entry, &plane.state()))?;
        }
        for (entry, index) in bindings::SOURCES.into_iter().zip([now, previous]) {
            let chroma = pictures[index].planes.iter().skip(1);
            (entry..).zip(chroma).try_for_each(|(entry, plane)| table.bind(memory, entry, &plane.state()))?;
        }
        Ok(())
    }

    /// Runs one thread for each block of 16 × `lines` pixels.
    fn all(&self, kernel: &Kernel, lines: usize) -> Result<(), DriverError> {
        let Format { width, height, .. } = self.settings.format;
        let blocks = collected(0..width.div_ceil(16) * height.div_ceil(lines)).map_err(Error::from)?;
        self.blocks(kernel, lines, &blocks)
    }

    /// Runs one thread for each of `blocks`, which are numbered in raster order.
    fn blocks(&self, kernel: &Kernel, lines: usize, blocks: &[usize]) -> Result<(), DriverError> {
        let Steps { maps, table, samplers, .. } = self.steps;
        let columns = self.settings.format.width.div_ceil(16);
        let histories = maps.as_ref().map_or(0, |maps| maps[0].pitch / 2) as u32;
        let constants = [Register::of([histories, 0, 0, 0, 0, 0, 0, 0])];
        let program = Program { kernel, binding_table: table.offset, samplers: *samplers, constants: &constants };
        let payload = |thread: usize| {
            let number = blocks[thread];
            let (x, y) = ((number % columns * 16) as u32, (number / columns * lines) as u32);
            Register::of([x, y, x / 2, y / 2, x / 4, y / 4, 0, 0])
        };
        completed(self.machine.run(&program, blocks.len(), payload))
    }

    /// Makes both outputs of a step. A block of an output whose comb mask is set is deinterlaced in
    /// spite of the field match. There is one run, with its own state and kernel, for each of the
    /// four combinations.
    fn deinterlace(&self, matches: [FieldMatch; 2], comb_masks: [Option<&CombMask>; 2]) -> Result<(), DriverError> {
        self.bind()?;
        let Format { width, height, .. } = self.settings.format;
        let columns = width.div_ceil(16);
        let mut runs: [Vec<usize>; 4] = Default::default();
        for number in 0..columns * height.div_ceil(4) {
            let (x, y) = (number % columns * 16, number / columns * 4);
            let is_combed = |mask: &CombMask| mask.parts(y..(y + 4).min(height), x..x + 1).any(|(_, combed)| combed);
            let [prev2, cur1] = comb_masks.map(|mask| usize::from(mask.is_some_and(is_combed)));
            runs[prev2 + 2 * cur1].push(number);
        }
        for (combed, blocks) in runs.iter().enumerate().filter(|(_, blocks)| !blocks.is_empty()) {
            let is_combed = |role: usize| combed >> role & 1 == 1;
            let [prev2, cur1] = [0, 1].map(|role| if is_combed(role) { FieldMatch::Deinterlace } else { matches[role] });
            self.set_state(0, DeinterlaceControl { prev2, cur1, ..self.control() })?;
            let mut shape = self.shape();
            if self.weaves_rows() {
                shape.woven = [Woven::of(prev2, Role::Prev2), Woven::of(cur1, Role::Cur1)];
            }
            self.blocks(&kernels::step(shape), 4, blocks)?;
        }
        Ok(())
    }

    /// Denoises the frame, or with `measure` only estimates its noise.
    fn denoise(&self, measure: bool) -> Result<(), DriverError> {
        self.bind()?;
        let control = self.control();
        self.set_state(0, DeinterlaceControl { dn_enable: true, first_frame: measure || control.first_frame, ..control })?;
        self.all(&kernels::denoise(self.shape().packed, measure), 8)
    }

    /// Completes the second field of the last frame: a first step on the denoised frame with
    /// inverted field order.
    fn last(&self, weave: bool) -> Result<(), DriverError> {
        let ([now, _], control) = (self.indices(), self.control());
        if let Some(clean) = &self.steps.clean {
            self.steps.pictures[now].planes[0].copy(&self.machine.memory, &clean[now]);
        }
        self.bind()?;
        let spatial = DeinterlaceControl { dn_enable: false, first_frame: true, ..control };
        self.set_state(0, DeinterlaceControl { top_first: !control.top_first, ..spatial })?;
        self.set_state(1, spatial)?;
        let woven = (weave && self.weaves_rows()).then_some(Woven::Completed);
        let shape = Shape { woven: [woven, None], ..self.shape() };
        self.all(&kernels::last(shape, weave), 4)
    }
}
