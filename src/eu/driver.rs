//! The frame driver: what software around the hardware does for each frame (§7.4).
//!
//! It keeps frames, statistics and states in the machine's memory, walks over the blocks of a frame with one thread each, reads what the
//! threads wrote and what the registers summed up, and prepares the states of the next frame.
mod addresses;
mod blocks;
mod coloring;
mod finish;
mod kernels;
mod store;

use super::machine::{Config, Machine, Program};
use super::picture::format;
use super::register::Register;
use crate::deinterlace::chroma::{Store, Woven};
use crate::deinterlace::{Code, Making, Role};
use crate::detect::{Decision, Torn};
use crate::error::Error;
use crate::frame::{Format, Frame, PlaneRef, Sampling, plane_fits};
use crate::luma::LumaStatistics;
use crate::parameters::Parameters;
use crate::pipeline::{Builder, Cadence, ChromaOutput, Output, Scan, Statistics};
use crate::state::DeinterlaceControl;
use kernels::{Chroma, Shape};
use std::collections::VecDeque;
use store::{Picture, Plane, Table};

/// Entries of the driver's binding table.
mod slots {
    /// What `deinterlace` reads: current, previous, clean previous frame, statistics.
    pub const CURRENT: u32 = 0;
    pub const PREVIOUS: u32 = 1;
    pub const CLEAN: u32 = 2;
    pub const STATISTICS: u32 = 3;
    /// What the threads write: statistics and the clean frame.
    pub const STATISTICS_OUT: u32 = 4;
    pub const CLEAN_OUT: u32 = 5;
    /// Luma, Cb, Cr of both outputs.
    pub const OUTPUTS: [u32; 2] = [6, 9];
    /// Cb, Cr of the current and the previous frame.
    pub const SOURCES: [u32; 2] = [12, 14];
    pub const COUNT: u32 = 16;
}

/// What is done with a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Deinterlace,
    Denoise,
    /// It is passed on; its noise may be estimated.
    Pass,
}

/// A stream of frames that goes through messages: the same frames and statistics as a [`Stream`](crate::Stream) of the same settings.
#[derive(Debug)]
pub struct Driver {
    settings: Builder,
    machine: Machine,
    mode: Mode,
    /// Current and previous frame in turn, and these denoised.
    pictures: [Picture; 2],
    clean: Option<[Plane; 2]>,
    /// Motion measures, and histories from the middle of the pitch on.
    maps: Option<[Plane; 2]>,
    outputs: [Vec<Plane>; 2],
    finish: Option<finish::Finish>,
    coloring: Option<coloring::Coloring>,
    table: Table,
    /// SAMPLER_STATE array, an offset from the dynamic state base.
    samplers: u32,
    parameters: Parameters,
    waiting: VecDeque<Output>,
    statistics: Option<Statistics>,
    /// Global noise estimate of the last step.
    noise: Option<u8>,
    steps: u64,
    ended: bool,
}

impl Driver {
    /// Whether there can be a driver for these settings.
    ///
    /// # Errors
    /// Those of [`Builder::check`], and [`Error::NotInMessages`].
    pub fn check(settings: &Builder) -> Result<(), Error> {
        settings.check()?;
        finish::check(settings)?;
        coloring::check(settings)
    }

    /// For a stream of these settings. `seed` permutes what threads wait for; no result depends on it.
    ///
    /// # Errors
    /// Those of [`Builder::build`]; [`Error::Size`] of frames that the surfaces or the memory of the hardware cannot hold.
    pub fn new(settings: Builder, seed: Option<u64>) -> Result<Driver, Error> {
        Driver::check(&settings)?;
        let mut machine = Machine::new(settings.level)?;
        machine.config = Config { seed, ..Config::default() };
        machine.compensation = settings.parameters.compensation.clone();
        let Format { width, height, .. } = settings.format;
        let mode = match (settings.deinterlace, settings.denoise) {
            (true, _) => Mode::Deinterlace,
            (_, true) => Mode::Denoise,
            _ => Mode::Pass,
        };
        let memory = &mut machine.memory;
        let table = Table::new(memory, slots::COUNT)?;
        let samplers = memory.allocate(64, 64).unwrap_or_default();
        let pictures = [Picture::new(memory, settings.format)?, Picture::new(memory, settings.format)?];
        let mut pair = |wanted: bool, size| -> Result<_, Error> {
            Ok(if wanted { Some([Plane::new(memory, size)?, Plane::new(memory, size)?]) } else { None })
        };
        let clean = pair(settings.denoise, (width, height))?;
        let maps = pair(mode != Mode::Pass, (width.next_multiple_of(64), height))?;
        let outputs = match mode {
            Mode::Deinterlace => {
                let format = settings.frame_format();
                [store::planes(memory, format)?, store::planes(memory, format)?]
            }
            _ => [vec![], vec![]],
        };
        let mut parameters = settings.parameters.clone();
        parameters.carried.di_partial = 0;
        if mode != Mode::Deinterlace {
            // Not looked at, and perhaps beyond what the state holds.
            parameters.deinterlace = Parameters::default().deinterlace;
        }
        let finish = finish::Finish::new(&settings, &mut machine)?;
        let coloring = coloring::Coloring::new(&settings, &mut machine)?;
        Ok(Driver {
            settings,
            machine,
            mode,
            pictures,
            clean,
            maps,
            outputs,
            finish,
            coloring,
            table,
            samplers,
            parameters,
            waiting: VecDeque::new(),
            statistics: None,
            noise: None,
            steps: 0,
            ended: false,
        })
    }

    /// Takes a frame and makes what can be made of it, as [`Stream::push_with`](crate::Stream::push_with).
    ///
    /// # Errors
    /// Those of `Stream::push_with`; [`Error::Messages`] should a message be in error.
    pub fn push_with(&mut self, planes: &[PlaneRef; 3], cadence: Cadence) -> Result<(), Error> {
        self.push(planes, cadence, [None; 2])
    }

    /// The same as a [`Detector`](crate::Detector) decided, as [`Stream::push_decided`](crate::Stream::push_decided).
    ///
    /// # Errors
    /// Those of `Stream::push_decided`; [`Error::Messages`] should a message be in error.
    pub fn push_decided(&mut self, planes: &[PlaneRef; 3], decision: &Decision) -> Result<(), Error> {
        self.push(planes, decision.cadence, decision.torn.each_ref().map(|torn| Some(torn).filter(|torn| !torn.is_empty())))
    }

    fn push(&mut self, planes: &[PlaneRef; 3], cadence: Cadence, torn: [Option<&Torn>; 2]) -> Result<(), Error> {
        self.ready()?;
        for (index, plane) in planes.iter().enumerate().take(self.settings.format.sampling.planes()) {
            let (len, stride, size) = (plane.data.len(), plane.stride, self.settings.format.plane_size(index));
            if !plane_fits(len, stride, size) {
                return Err(Error::Plane { index, len, stride, size });
            }
        }
        let number = self.steps;
        let codes = if number == 0 { [Code::Deinterlace; 2] } else { [cadence.prev2, cadence.cur1] };
        self.machine.registers.clear();
        self.picture().import(&self.machine.memory, planes);
        match self.mode {
            Mode::Deinterlace => self.deinterlace(codes, torn)?,
            Mode::Denoise => self.denoise(false)?,
            Mode::Pass if self.settings.is_stateless() => {}
            Mode::Pass => self.denoise(true)?,
        }
        let statistics = self.statistics_of(number);
        self.steps += 1;
        if self.mode == Mode::Deinterlace {
            let registers = &self.machine.registers.streams[self.stream()];
            let makings = registers.makings().map(|making| Some(making).filter(|_| self.settings.statistics));
            if number > 0 {
                self.finish(self.outputs[0].clone(), (2 * number - 1, codes[0], makings[0]))?;
            }
            self.finish(self.outputs[1].clone(), (2 * number, codes[1], makings[1]))?;
        } else {
            let now = number as usize % 2;
            let mut planes = self.pictures[now].planes.clone();
            match &self.clean {
                // Then the clean luma must lie where the original one did, which no later step reads.
                Some(clean) if self.finish.as_ref().is_some_and(finish::Finish::is_joint) => {
                    planes[0].copy(&self.machine.memory, &clean[now]);
                }
                Some(clean) => planes[0] = clean[now],
                None => {}
            }
            let code = if self.settings.is_stateless() { Code::Deinterlace } else { codes[1] };
            self.finish(planes, (2 * number, code, None))?;
        }
        self.noise = Some(statistics.gne.min(255) as u8).filter(|_| self.settings.measured_noise);
        self.statistics = Some(statistics).filter(|_| self.settings.statistics);
        Ok(())
    }

    /// Ends the stream, as [`Stream::flush_with`](crate::Stream::flush_with).
    ///
    /// # Errors
    /// Those of `Stream::flush_with`; [`Error::Messages`] should a message be in error.
    pub fn flush_with(&mut self, prev2: Code) -> Result<(), Error> {
        self.ready()?;
        self.ended = true;
        if self.mode == Mode::Deinterlace && self.steps > 0 {
            let weave = prev2 == Code::Previous;
            self.last(weave)?;
            let Format { width, height, .. } = self.settings.format;
            let making = self.settings.statistics.then(|| Making::of((width * height / 2) as u64, weave));
            let code = if weave { Code::Previous } else { Code::Deinterlace };
            self.finish(self.outputs[0].clone(), (2 * self.steps - 1, code, making))?;
        }
        Ok(())
    }

    /// The next frame that is ready, in the order of time.
    pub fn pull(&mut self) -> Option<Output> {
        self.waiting.pop_front()
    }

    /// Statistics of the last step; none before the first, or when they are switched off.
    pub fn statistics(&self) -> Option<&Statistics> {
        self.statistics.as_ref()
    }

    /// Format of the frames that are pulled.
    pub fn output_format(&self) -> Format {
        self.settings.output_format()
    }

    /// The machine, with the memory and the registers of the last frame.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    fn ready(&self) -> Result<(), Error> {
        if !self.waiting.is_empty() {
            return Err(Error::OutputWaiting);
        }
        if self.ended { Err(Error::Ended) } else { Ok(()) }
    }

    /// The current frame's place.
    fn picture(&self) -> &Picture {
        &self.pictures[self.steps as usize % 2]
    }

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
    fn shape(&self) -> Shape {
        Shape {
            chroma: self.chroma(),
            denoise: self.settings.denoise,
            packed: self.settings.format.sampling == Sampling::C422,
            top_first: self.top_first(),
            first: self.steps == 0,
            woven: [None; 2],
        }
    }

    /// Whether 4:2:0 comes and leaves, so that woven chroma is not touched.
    fn weaves_rows(&self) -> bool {
        self.settings.format.sampling == Sampling::C420 && self.settings.frame_format().sampling == Sampling::C420
    }

    fn control(&self) -> DeinterlaceControl {
        DeinterlaceControl {
            dn_enable: self.settings.denoise,
            di_enable: self.settings.deinterlace,
            top_first: self.top_first(),
            first_frame: self.steps == 0,
            progressive_dn: self.settings.scan == Scan::Progressive,
            ..DeinterlaceControl::default()
        }
    }

    /// Writes an element of the SAMPLER_STATE array.
    fn set_state(&self, element: u32, control: DeinterlaceControl) -> Result<(), Error> {
        let state = self.parameters.deinterlace_state(&control)?;
        self.machine.memory.set_dwords(u64::from(self.samplers + 32 * element), &state);
        Ok(())
    }

    /// Binds what the messages of a step read and what its threads write.
    fn bind(&self) {
        let (machine, table) = (&self.machine, &self.table);
        let (now, then) = (self.steps as usize % 2, 1 - self.steps as usize % 2);
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
    fn walk(&self, kernel: &super::Kernel, lines: usize) -> Result<(), Error> {
        let Format { width, height, .. } = self.settings.format;
        let blocks: Vec<usize> = (0..width.div_ceil(16) * height.div_ceil(lines)).collect();
        self.walk_over(kernel, lines, &blocks)
    }

    /// One thread for each of some blocks, numbered in the order of the raster.
    fn walk_over(&self, kernel: &super::Kernel, lines: usize, blocks: &[usize]) -> Result<(), Error> {
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
        if report.errors.is_empty() && report.hung.is_empty() { Ok(()) } else { Err(Error::Messages(report)) }
    }

    /// Both outputs of a step. A block of an output is deinterlaced, whatever its code, where it is torn: then it has a state and a kernel
    /// of its own.
    fn deinterlace(&self, codes: [Code; 2], torn: [Option<&Torn>; 2]) -> Result<(), Error> {
        self.bind();
        let Format { width, height, .. } = self.settings.format;
        let columns = width.div_ceil(16);
        let mut blocks: [Vec<usize>; 4] = Default::default();
        for number in 0..columns * height.div_ceil(4) {
            let (x, y) = (number % columns * 16, number / columns * 4);
            let is_torn = |torn: &Torn| torn.parts(y..(y + 4).min(height), x..x + 1).any(|(_, torn)| torn);
            let [prev2, cur1] = torn.map(|torn| usize::from(torn.is_some_and(is_torn)));
            blocks[prev2 + 2 * cur1].push(number);
        }
        for (kind, blocks) in blocks.iter().enumerate().filter(|(_, blocks)| !blocks.is_empty()) {
            let codes = [0, 1].map(|role| if kind >> role & 1 == 1 { Code::Deinterlace } else { codes[role] });
            self.set_state(0, DeinterlaceControl { prev2: codes[0], cur1: codes[1], ..self.control() })?;
            let mut shape = self.shape();
            if self.weaves_rows() {
                shape.woven = [Woven::of(codes[0], Role::Prev2), Woven::of(codes[1], Role::Cur1)];
            }
            self.walk_over(&kernels::step(shape), 4, blocks)?;
        }
        Ok(())
    }

    /// Denoises the current frame, or only estimates its noise.
    fn denoise(&self, measure: bool) -> Result<(), Error> {
        self.bind();
        let control = self.control();
        self.set_state(0, DeinterlaceControl { dn_enable: true, first_frame: measure || control.first_frame, ..control })?;
        self.walk(&kernels::denoise(self.shape().packed, measure), 8)
    }

    /// Completes the 2nd field of the last frame: a first step on the denoised frame, the order of the fields inverted.
    fn last(&mut self, weave: bool) -> Result<(), Error> {
        self.steps -= 1;
        let (now, control) = (self.steps as usize % 2, self.control());
        if let Some(clean) = &self.clean {
            self.pictures[now].planes[0].copy(&self.machine.memory, &clean[now]);
        }
        self.bind();
        let spatial = DeinterlaceControl { dn_enable: false, first_frame: true, ..control };
        self.set_state(0, DeinterlaceControl { top_first: !control.top_first, ..spatial })?;
        self.set_state(1, spatial)?;
        let woven = (weave && self.weaves_rows()).then_some(Woven::Completed);
        let shape = Shape { woven: [woven, None], ..self.shape() };
        let done = self.walk(&kernels::last(shape, weave), 4);
        self.steps += 1;
        done
    }

    /// Which of the two streams' registers count.
    fn stream(&self) -> usize {
        usize::from(self.parameters.carried.stream_id == 1)
    }

    /// Statistics of step `number`, from the registers and what the threads wrote.
    fn statistics_of(&self, number: u64) -> Statistics {
        let registers = &self.machine.registers.streams[self.stream()];
        let (sum, count) = registers.noise();
        let Format { width, height, .. } = self.settings.format;
        let (memory, now) = (&self.machine.memory, number as usize % 2);
        let mut statistics = Statistics { step: number, gne_sum: sum, gne_count: count, ..Statistics::default() };
        statistics.gne = sum.checked_div(count).unwrap_or(0);
        statistics.v = registers.variances();
        let Some(map) = self.maps.as_ref().map(|maps| maps[now]).filter(|_| self.settings.statistics) else { return statistics };
        if self.mode == Mode::Deinterlace {
            statistics.stmm_sum = Plane { width: width.div_ceil(2), ..map }.sum(memory);
        }
        if self.settings.denoise && number > 0 {
            let (base, pitch) = (map.base + map.pitch as u32 / 2, map.pitch);
            let histories = Plane { base, pitch, width: width.div_ceil(4), height: height.div_ceil(4) };
            statistics.history_sum = histories.sum(memory);
            statistics.motion_blocks = histories.fold(memory, 0, |count, history| count + u64::from(history < 128));
        }
        statistics
    }

    /// Lets a frame leave.
    fn finish(&mut self, planes: Vec<Plane>, (time, code, making): (u64, Code, Option<Making>)) -> Result<(), Error> {
        let planes = match &mut self.finish {
            None => planes,
            Some(finish) => {
                let set = self.settings.parameters.enhance.global_noise_estimation as u8;
                finish.run(&self.machine, &planes, self.noise.unwrap_or(set))?
            }
        };
        let mut frame = Frame::new(self.settings.output_format());
        let luma = match &mut self.coloring {
            Some(coloring) => Some(coloring.run(&self.machine, &planes, &mut frame)?),
            None => {
                store::export(&self.machine.memory, &planes, &mut frame);
                None
            }
        };
        let area = self.settings.histogram_area();
        let luma = self.settings.luma_statistics.then(|| luma.unwrap_or_else(|| LumaStatistics::of(&frame, area)));
        self.waiting.push_back(Output { frame, time, code, making, luma });
        Ok(())
    }
}
