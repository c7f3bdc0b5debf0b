//! The frame driver: what software around the hardware does for each frame (§7.4).
//!
//! It keeps frames, statistics and states in the machine's memory, walks over the blocks of a frame with one thread each, reads what the
//! threads wrote and what the registers summed up, and prepares the states of the next frame.
mod addresses;
mod blocks;
mod coloring;
mod engine;
mod error;
mod finish;
mod kernels;
mod step;
mod store;
mod strength;

use super::machine::{Config, Machine};
use super::memory::Memory;
use crate::adapt::denoise::DenoiseMode;
use crate::deinterlace::PixelSources;
use crate::field_match::FieldMatch;
use crate::format::Format;
use crate::frame::Frame;
use crate::luma::LumaStatistics;
use crate::parameters::Parameters;
use crate::pipeline::session::{Session, Step};
use crate::pipeline::settings::Settings;
use crate::pipeline::{Input, Output, OutputInfo, Statistics, StreamBuilder};
pub use error::DriverError;
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
    settings: Settings,
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
    adaptive: strength::AdaptiveDenoise,
    session: Session,
    statistics: Option<Statistics>,
    /// Global noise estimate of the last step.
    noise: Option<u8>,
}

impl Driver {
    /// Checks that there can be a driver for the settings of `builder`, without allocating frames.
    ///
    /// # Errors
    /// [`DriverError::Stream`] with the errors of [`StreamBuilder::check`] and of an instruction set that the processor lacks,
    /// [`DriverError::Unsupported`], or [`DriverError::Size`], the first that applies.
    pub fn check(builder: &StreamBuilder) -> Result<(), DriverError> {
        Driver::on(Memory::planned(), builder.settings.clone()).map(drop)
    }

    /// A driver for a stream of the settings of `builder`. `seed` draws the order in which threads, messages and writebacks go on; no
    /// result depends on it.
    ///
    /// # Errors
    /// Those of [`Driver::check`].
    pub fn new(builder: StreamBuilder, seed: Option<u64>) -> Result<Driver, DriverError> {
        Driver::check(&builder)?;
        let mut driver = Driver::on(Memory::new(0), builder.settings)?;
        driver.machine.config = Config { seed, ..Config::default() };
        Ok(driver)
    }

    /// In this memory.
    fn on(memory: Memory, settings: Settings) -> Result<Driver, DriverError> {
        settings.check()?;
        if settings.denoises_chroma() {
            return Err(DriverError::Unsupported("chroma denoising"));
        }
        coloring::check(&settings)?;
        let mut machine = Machine::new(settings.simd_level).map_err(crate::Error::from)?;
        machine.memory = memory;
        machine.compensation = settings.parameters.compensation.clone();
        let Format { width, height, .. } = settings.format;
        let mode = match (settings.deinterlace, settings.denoises()) {
            (true, _) => Mode::Deinterlace,
            (_, true) => Mode::Denoise,
            _ => Mode::Pass,
        };
        let memory = &mut machine.memory;
        let table = Table::new(memory, slots::COUNT)?;
        let samplers = store::reserve(memory, 64)?;
        let pictures = [Picture::new(memory, settings.format)?, Picture::new(memory, settings.format)?];
        let mut pair = |wanted: bool, size| -> Result<_, DriverError> {
            Ok(if wanted { Some([Plane::new(memory, size)?, Plane::new(memory, size)?]) } else { None })
        };
        let clean = pair(settings.denoises(), (width, height))?;
        let maps = pair(mode != Mode::Pass, (width.next_multiple_of(64), height))?;
        let outputs = match mode {
            Mode::Deinterlace => {
                let format = settings.frame_format();
                [store::planes(memory, format)?, store::planes(memory, format)?]
            }
            _ => [vec![], vec![]],
        };
        let mut parameters = settings.parameters.clone();
        parameters.passthrough.di_partial = false;
        if mode != Mode::Deinterlace {
            // Not looked at, and perhaps beyond what the state holds.
            parameters.deinterlace = Parameters::default().deinterlace;
        }
        let finish = finish::Finish::new(&settings, &mut machine)?;
        if let Some(finish) = &finish {
            let frames =
                if mode == Mode::Deinterlace { outputs.each_ref() } else { pictures.each_ref().map(|picture| &picture.planes) };
            frames.into_iter().try_for_each(|planes| finish.check(planes))?;
        }
        let coloring = coloring::Coloring::new(&settings, &mut machine)?;
        Ok(Driver {
            adaptive: strength::AdaptiveDenoise::new(&settings),
            session: Session::new(settings.format),
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
            statistics: None,
            noise: None,
        })
    }

    /// Takes a frame and makes the outputs that are complete then, as [`Stream::push`](crate::Stream::push).
    ///
    /// # Errors
    /// [`DriverError::Stream`] with the errors of `Stream::push`; the driver is then unchanged. [`DriverError::Messages`] if a message
    /// is in error or a thread hangs, which no input causes.
    pub fn push<'a>(&mut self, input: impl Into<Input<'a>>) -> Result<(), DriverError> {
        let Step { number, planes, matches, comb_masks } = self.session.begin_step(input.into())?;
        let [prev2, cur1] = matches.in_time();
        self.machine.registers.clear();
        let place = number as usize % 2;
        self.pictures[place].import(&self.machine.memory, &planes);
        let before = self.adaptive.controller.filter();
        let kernels = self.machine.kernels;
        let (denoise, deinterlace) = self.adaptive.begin_step(&self.settings, kernels, number, planes[0]);
        self.parameters.denoise = denoise;
        if self.mode == Mode::Deinterlace {
            self.parameters.deinterlace = deinterlace;
        }
        match self.mode {
            Mode::Deinterlace => self.deinterlace(number, [prev2, cur1], comb_masks)?,
            Mode::Denoise => self.denoise(number, false)?,
            Mode::Pass if self.settings.is_stateless() => {}
            Mode::Pass => self.denoise(number, true)?,
        }
        let mut statistics = self.statistics_of(number);
        let now = self.adaptive.controller.filter();
        statistics.denoise.clone_from(&now);
        let blocks = self.settings.format.width.div_ceil(4) * self.settings.format.height.div_ceil(4);
        self.adaptive.controller.end_step(statistics.motion_blocks, blocks as u64);
        if self.mode == Mode::Deinterlace {
            let registers = &self.machine.registers.streams[self.stream()];
            let sources = registers.pixel_sources().map(|sources| Some(sources).filter(|_| self.settings.statistics));
            if number > 0 {
                let info =
                    OutputInfo { field_time: 2 * number - 1, field_match: prev2, sources: sources[0], denoise: [before, None] };
                self.finish(self.outputs[0].clone(), info)?;
            }
            let info = OutputInfo { field_time: 2 * number, field_match: cur1, sources: sources[1], denoise: [now, None] };
            self.finish(self.outputs[1].clone(), info)?;
        } else {
            let mut planes = self.pictures[place].planes.clone();
            match &self.clean {
                // Then the clean luma must lie where the original one did, which no later step reads.
                Some(clean) if self.finish.as_ref().is_some_and(finish::Finish::is_joint) => {
                    planes[0].copy(&self.machine.memory, &clean[place]);
                }
                Some(clean) => planes[0] = clean[place],
                None => {}
            }
            let field_match = if self.settings.is_stateless() { FieldMatch::Deinterlace } else { cur1 };
            self.finish(planes, OutputInfo { field_match, denoise: [now, None], ..OutputInfo::at(2 * number) })?;
        }
        self.noise = Some(statistics.gne.min(255) as u8).filter(|_| self.settings.measured_noise);
        self.statistics = Some(statistics).filter(|_| self.settings.statistics);
        Ok(())
    }

    /// Ends the stream, as [`Stream::flush`](crate::Stream::flush).
    ///
    /// # Errors
    /// [`DriverError::Stream`] with the errors of `Stream::flush`; [`DriverError::Messages`] if a message is in error or a thread hangs,
    /// which no input causes.
    pub fn flush(&mut self) -> Result<(), DriverError> {
        let weave = self.session.begin_flush()?;
        let steps = self.session.steps();
        if self.mode == Mode::Deinterlace && steps > 0 {
            self.last(steps - 1, weave)?;
            let Format { width, height, .. } = self.settings.format;
            let sources = self.settings.statistics.then(|| PixelSources::of((width * height / 2) as u64, weave));
            let field_match = if weave { FieldMatch::Previous } else { FieldMatch::Deinterlace };
            let denoise = [self.adaptive.controller.filter(), None];
            self.finish(self.outputs[0].clone(), OutputInfo { field_time: 2 * steps - 1, field_match, sources, denoise })?;
        }
        Ok(())
    }

    /// The next frame that is ready, in the order of time.
    pub fn pull(&mut self) -> Option<Output> {
        self.session.pull()
    }

    /// Statistics of the last step; none before the first, or if they are switched off.
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

    /// Which of the two streams' registers count.
    fn stream(&self) -> usize {
        usize::from(self.parameters.passthrough.stream_id == 1)
    }

    /// Statistics of step `number`, from the registers and what the threads wrote.
    fn statistics_of(&self, number: u64) -> Statistics {
        let registers = &self.machine.registers.streams[self.stream()];
        let (sum, count) = registers.noise();
        let Format { width, height, .. } = self.settings.format;
        let (memory, now) = (&self.machine.memory, number as usize % 2);
        let mut statistics = Statistics { step: number, gne_sum: sum, gne_count: count, ..Statistics::default() };
        statistics.gne = sum.checked_div(count).unwrap_or(0);
        statistics.fmd_variances = registers.variances();
        let Some(map) = self
            .maps
            .as_ref()
            .map(|maps| maps[now])
            .filter(|_| self.settings.statistics || self.settings.denoise == DenoiseMode::Auto)
        else {
            return statistics;
        };
        if self.mode == Mode::Deinterlace {
            statistics.stmm_sum = Plane { width: width.div_ceil(2), ..map }.sum(memory);
        }
        if self.settings.denoises() && number > 0 {
            let (base, pitch) = (map.base + map.pitch as u32 / 2, map.pitch);
            let histories = Plane { base, pitch, width: width.div_ceil(4), height: height.div_ceil(4) };
            statistics.history_sum = histories.sum(memory);
            statistics.motion_blocks = histories.fold(memory, 0, |count, history| count + u64::from(history < 128));
        }
        statistics
    }

    /// Scales, sharpens and colours a frame that stands in `planes` as the settings say; then it may be pulled.
    fn finish(&mut self, planes: Vec<Plane>, info: OutputInfo) -> Result<(), DriverError> {
        let planes = match &mut self.finish {
            None => planes,
            Some(finish) => {
                let set = self.settings.parameters.sharpen.global_noise_estimation;
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
        let user_data = self.session.user_data(info.field_time);
        self.session.emit(info.output(frame, luma, user_data));
        Ok(())
    }
}
