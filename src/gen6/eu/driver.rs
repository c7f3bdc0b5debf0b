//! The frame driver: what software around the hardware does for each frame (§7.4).
//!
//! It keeps frames, statistics and states in the machine's memory, walks over the blocks of a frame with one thread each, reads what the
//! threads wrote and what the registers summed up, and prepares the states of the next frame.
mod addresses;
mod blocks;
mod coloring;
mod finish;
mod kernels;
mod step;
mod store;
mod strength;

use super::machine::{Config, Machine};
use super::memory::Memory;
use crate::deinterlace::PixelSources;
use crate::denoise::strength::{DenoiseMode, DenoiseState};
use crate::detect::Decision;
use crate::error::Error;
use crate::field_match::{CombMask, FieldMatch, StepMatches};
use crate::format::Format;
use crate::frame::{Frame, PlaneRef, plane_fits};
use crate::luma::LumaStatistics;
use crate::parameters::Parameters;
use crate::pipeline::{Output, Statistics, StreamBuilder};
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
    DenoiseMode,
    /// It is passed on; its noise may be estimated.
    Pass,
}

/// A stream of frames that goes through messages: the same frames and statistics as a [`Stream`](crate::Stream) of the same settings.
#[derive(Debug)]
pub struct Driver {
    settings: StreamBuilder,
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
    guide: strength::Guide,
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
    /// Those of [`StreamBuilder::check`]; [`Error::NotInMessages`]; [`Error::Size`] of frames that the surfaces or the memory of the hardware
    /// cannot hold; [`Error::SimdLevel`].
    pub fn check(settings: &StreamBuilder) -> Result<(), Error> {
        Driver::on(Memory::planned(), settings.clone()).map(drop)
    }

    /// For a stream of these settings. `seed` permutes what threads wait for; no result depends on it.
    ///
    /// # Errors
    /// Those of [`Driver::check`].
    pub fn new(settings: StreamBuilder, seed: Option<u64>) -> Result<Driver, Error> {
        Driver::check(&settings)?;
        let mut driver = Driver::on(Memory::new(0), settings)?;
        driver.machine.config = Config { seed, ..Config::default() };
        Ok(driver)
    }

    /// In this memory.
    fn on(memory: Memory, settings: StreamBuilder) -> Result<Driver, Error> {
        settings.check()?;
        if settings.denoises_chroma() {
            return Err(Error::NotInMessages("denoised chroma"));
        }
        coloring::check(&settings)?;
        let mut machine = Machine::new(settings.level)?;
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
        let mut pair = |wanted: bool, size| -> Result<_, Error> {
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
        parameters.carried.di_partial = 0;
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
        let guide = strength::Guide::new(&settings);
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
            guide,
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
    pub fn push_with(&mut self, planes: &[PlaneRef; 3], cadence: StepMatches) -> Result<(), Error> {
        self.push(planes, cadence, [None; 2])
    }

    /// The same as a [`Detector`](crate::Detector) decided, as [`Stream::push_decided`](crate::Stream::push_decided).
    ///
    /// # Errors
    /// Those of `Stream::push_decided`; [`Error::Messages`] should a message be in error.
    pub fn push_decided(&mut self, planes: &[PlaneRef; 3], decision: &Decision) -> Result<(), Error> {
        self.push(planes, decision.cadence, decision.torn.each_ref().map(|torn| Some(torn).filter(|torn| !torn.is_empty())))
    }

    fn push(&mut self, planes: &[PlaneRef; 3], cadence: StepMatches, torn: [Option<&CombMask>; 2]) -> Result<(), Error> {
        self.ready()?;
        for (index, plane) in planes.iter().enumerate().take(self.settings.format.sampling.planes()) {
            let (len, stride, size) = (plane.data.len(), plane.stride, self.settings.format.plane_size(index));
            if !plane_fits(len, stride, size) {
                return Err(Error::Plane { index, len, stride, size });
            }
        }
        let number = self.steps;
        let codes = if number == 0 { [FieldMatch::Deinterlace; 2] } else { [cadence.prev2, cadence.cur1] };
        self.machine.registers.clear();
        self.picture().import(&self.machine.memory, planes);
        let before = self.guide.strength(&self.settings).filter(|_| number > 0);
        let seen = self.guide(planes);
        match self.mode {
            Mode::Deinterlace => self.deinterlace(codes, torn)?,
            Mode::Denoise => self.denoise(false)?,
            Mode::Pass if self.settings.is_stateless() => {}
            Mode::Pass => self.denoise(true)?,
        }
        let mut statistics = self.statistics_of(number);
        let now = self.guide.strength(&self.settings);
        statistics.denoise.clone_from(&now);
        self.follow(seen, &statistics);
        self.steps += 1;
        if self.mode == Mode::Deinterlace {
            let registers = &self.machine.registers.streams[self.stream()];
            let makings = registers.makings().map(|making| Some(making).filter(|_| self.settings.statistics));
            if number > 0 {
                self.finish(self.outputs[0].clone(), (2 * number - 1, codes[0], makings[0]), before)?;
            }
            self.finish(self.outputs[1].clone(), (2 * number, codes[1], makings[1]), now)?;
        } else {
            let place = number as usize % 2;
            let mut planes = self.pictures[place].planes.clone();
            match &self.clean {
                // Then the clean luma must lie where the original one did, which no later step reads.
                Some(clean) if self.finish.as_ref().is_some_and(finish::Finish::is_joint) => {
                    planes[0].copy(&self.machine.memory, &clean[place]);
                }
                Some(clean) => planes[0] = clean[place],
                None => {}
            }
            let code = if self.settings.is_stateless() { FieldMatch::Deinterlace } else { codes[1] };
            self.finish(planes, (2 * number, code, None), now)?;
        }
        self.noise = Some(statistics.gne.min(255) as u8).filter(|_| self.settings.measured_noise);
        self.statistics = Some(statistics).filter(|_| self.settings.statistics);
        Ok(())
    }

    /// Ends the stream, as [`Stream::flush_with`](crate::Stream::flush_with).
    ///
    /// # Errors
    /// Those of `Stream::flush_with`; [`Error::Messages`] should a message be in error.
    pub fn flush_with(&mut self, prev2: FieldMatch) -> Result<(), Error> {
        self.ready()?;
        self.ended = true;
        if self.mode == Mode::Deinterlace && self.steps > 0 {
            let weave = prev2 == FieldMatch::Previous;
            self.last(weave)?;
            let Format { width, height, .. } = self.settings.format;
            let making = self.settings.statistics.then(|| PixelSources::of((width * height / 2) as u64, weave));
            let code = if weave { FieldMatch::Previous } else { FieldMatch::Deinterlace };
            self.finish(self.outputs[0].clone(), (2 * self.steps - 1, code, making), self.guide.strength(&self.settings))?;
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

    /// Lets a frame leave.
    fn finish(
        &mut self,
        planes: Vec<Plane>,
        (time, code, making): (u64, FieldMatch, Option<PixelSources>),
        denoise: Option<DenoiseState>,
    ) -> Result<(), Error> {
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
        self.waiting.push_back(Output { frame, time, code, making, denoise, denoise_chroma: None, luma });
        Ok(())
    }
}
