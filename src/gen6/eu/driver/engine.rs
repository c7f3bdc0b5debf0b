//! The driver: frames in and out, as of a stream (§7.4).
use super::adaptive_denoise::AdaptiveDenoise;
use super::color::{self, ColorStage};
use super::error::DriverError;
use super::plane::{Plane, export};
use super::scale_sharpen::ScaleSharpen;
use super::step::{Mode, Steps};
use crate::adapt::denoise::DenoiseMode;
use crate::denoise::DenoiseFilter;
use crate::enhance::SharpenMode;
use crate::error::Error;
use crate::field_match::FieldMatch;
use crate::format::Format;
use crate::frame::Frame;
use crate::frame::InputPlane;
use crate::gen6::eu::data::memory::Memory;
use crate::gen6::eu::run::machine::Machine;
use crate::gen6::eu::run::program::Config;
use crate::luma::LumaStatistics;
use crate::pipeline::session::Session;
use crate::pipeline::settings::Settings;
use crate::pipeline::{Input, Output, OutputInfo, Statistics, StreamBuilder};
use crate::scale::ScaleFilter;

/// A stream of frames through messages: the same frames and statistics as a
/// [`Stream`](crate::Stream) of the same settings. Denoising along motion and of chroma is not
/// supported, nor is a deinterlacer other than
/// [`Deinterlacer::Gen6`](crate::Deinterlacer::Gen6).
///
/// ```
/// use dndi::gen6::eu::Driver;
/// use dndi::{Deinterlacer, Format, Frame, Sampling, Scan, Stream};
///
/// # fn main() -> Result<(), dndi::gen6::eu::DriverError> {
/// let format = Format::new(32, 16, Sampling::C420);
/// let builder = Stream::builder(format, Scan::TopFirst).deinterlacer(Deinterlacer::Gen6);
/// let mut driver = Driver::new(builder, None)?;
/// driver.push(&Frame::new(format).planes())?;
/// assert_eq!(driver.pull().map(|output| output.field_time), Some(0));
/// driver.flush()?;
/// assert_eq!(driver.pull().map(|output| output.field_time), Some(1));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Driver {
    settings: Settings,
    machine: Machine,
    session: Session,
    denoise: AdaptiveDenoise,
    steps: Steps,
    scale_sharpen: Option<ScaleSharpen>,
    color: Option<ColorStage>,
    statistics: Option<Statistics>,
    /// Global noise estimate of the last step, if sharpening adapts to it.
    noise: Option<u8>,
}

impl Driver {
    /// Checks that messages support the settings of `builder`, without allocating frames.
    ///
    /// # Errors
    /// [`DriverError::Stream`] with the errors of [`StreamBuilder::check`] and for an instruction
    /// set that the processor lacks; [`DriverError::Unsupported`]; [`DriverError::Size`].
    pub fn check(builder: &StreamBuilder) -> Result<(), DriverError> {
        Driver::in_memory(Memory::planned(), builder.settings.clone()).map(drop)
    }

    /// A driver for a stream of the settings of `builder`. `seed` is that of [`Config`]; no result
    /// depends on it.
    ///
    /// # Errors
    /// Those of [`Driver::check`].
    pub fn new(builder: StreamBuilder, seed: Option<u64>) -> Result<Driver, DriverError> {
        Driver::check(&builder)?;
        let mut driver = Driver::in_memory(Memory::new(0), builder.settings)?;
        driver.machine.config = Config { seed, ..Config::default() };
        Ok(driver)
    }

    fn in_memory(memory: Memory, mut settings: Settings) -> Result<Driver, DriverError> {
        settings.check()?;
        // The messages cannot denoise chroma: a builder that sets it gets an error.
        settings.denoise_chroma.get_or_insert(DenoiseMode::Off);
        if settings.working_depth() > 8 {
            return Err(DriverError::Unsupported("more than 8 bits per sample"));
        }
        if settings.looks_ahead() {
            return Err(DriverError::Unsupported("deinterlacers other than gen6"));
        }
        if settings.denoises_along_motion() {
            return Err(DriverError::Unsupported("denoising along motion"));
        }
        if settings.denoises_chroma() {
            return Err(DriverError::Unsupported("chroma denoising"));
        }
        if settings.hot_pixels || settings.deflickers() || settings.extended.is_on() {
            return Err(DriverError::Unsupported("stages beyond Gen6"));
        }
        if settings.denoises() && settings.denoise_filter != DenoiseFilter::default() {
            return Err(DriverError::Unsupported("the 5×5 denoise filter"));
        }
        if settings.encoder_statistics {
            return Err(DriverError::Unsupported("encoder statistics"));
        }
        if settings.filters.is_on() {
            return Err(DriverError::Unsupported("filters of finished pictures"));
        }
        if settings.sharpen == Some(SharpenMode::Smooth3) {
            return Err(DriverError::Unsupported("smoothing by the sharpening filter"));
        }
        if settings.sharpen.is_some() && settings.parameters.sharpen.skin_tuned && settings.parameters.color.std_enable {
            return Err(DriverError::Unsupported("sharpening by skin tone"));
        }
        if settings.is_shaped() {
            return Err(DriverError::Unsupported("changes of the geometry of the output"));
        }
        if settings.scale.is_some_and(|scale| scale.filter != ScaleFilter::default()) {
            return Err(DriverError::Unsupported("other filters of the scaler than poly8"));
        }
        color::check(&settings)?;
        let mut machine = Machine::new(settings.simd_level).map_err(Error::from)?;
        machine.memory = memory;
        machine.compensation = settings.parameters.compensation.clone();
        let steps = Steps::new(&settings, &mut machine.memory)?;
        let scale_sharpen = ScaleSharpen::new(&settings, &mut machine.memory)?;
        if let Some(scale_sharpen) = &scale_sharpen {
            steps.sources().into_iter().try_for_each(|planes| scale_sharpen.check(planes))?;
        }
        let color = ColorStage::new(&settings, &mut machine.memory)?;
        Ok(Driver {
            denoise: AdaptiveDenoise::new(&settings).map_err(Error::from)?,
            session: Session::new(settings.format, false),
            settings,
            machine,
            steps,
            scale_sharpen,
            color,
            statistics: None,
            noise: None,
        })
    }

    /// Takes a frame and makes the outputs that are complete then, as
    /// [`Stream::push`](crate::Stream::push).
    ///
    /// # Errors
    /// [`DriverError::Stream`] with the errors of `Stream::push`; the driver is then unchanged.
    /// [`DriverError::Messages`] if a message is in error or a thread hung, which no input should
    /// cause.
    pub fn push<'a>(&mut self, input: impl Into<Input<'a>>) -> Result<(), DriverError> {
        let step = self.session.begin_step(input.into())?;
        let number = step.number;
        self.machine.counters.clear();
        let before = self.denoise.controller.filter();
        let kernels = self.machine.kernels();
        let (denoise, deinterlace) =
            self.denoise.begin_step(&self.settings, kernels, number == 0, InputPlane::new(step.planes[0], 8));
        self.steps.parameters.denoise = denoise;
        if self.steps.mode == Mode::Deinterlace {
            self.steps.parameters.deinterlace = deinterlace;
        }
        self.steps.run(&self.settings, &self.machine, &step)?;
        let mut statistics = self.steps.statistics(&self.settings, &self.machine, number);
        let now = self.denoise.controller.filter();
        statistics.denoise.clone_from(&now);
        let Format { width, height, .. } = self.settings.format;
        let blocks = (width.div_ceil(4) * height.div_ceil(4)) as u64;
        self.denoise.controller.end_step(statistics.motion_blocks, blocks);
        if self.steps.mode == Mode::Deinterlace {
            let sources = self.machine.counters.streams[self.steps.stream()].pixel_sources();
            let sources = sources.map(|sources| Some(sources).filter(|_| self.settings.statistics));
            let [second, first] = OutputInfo::of_step(number, step.matches, sources, [[before, None], [now, None]]);
            if number > 0 {
                self.emit(self.steps.outputs[0].clone(), second)?;
            }
            self.emit(self.steps.outputs[1].clone(), first)?;
        } else {
            let joint = self.scale_sharpen.as_ref().is_some_and(ScaleSharpen::is_joint);
            let planes = self.steps.frame(&self.machine.memory, number, joint);
            let cur1 = step.matches.first_of_current;
            let field_match = if self.settings.is_stateless() { FieldMatch::Deinterlace } else { cur1 };
            self.emit(planes, OutputInfo { field_match, denoise: [now, None], ..OutputInfo::at(2 * number) })?;
        }
        self.noise = Some(statistics.gne.min(255) as u8).filter(|_| self.settings.measured_noise);
        self.statistics = Some(statistics).filter(|_| self.settings.statistics);
        Ok(())
    }

    /// Ends the stream, as [`Stream::flush`](crate::Stream::flush).
    ///
    /// # Errors
    /// [`DriverError::Stream`] with the errors of `Stream::flush`. [`DriverError::Messages`] if a
    /// message is in error or a thread hung, which no input should cause.
    pub fn flush(&mut self) -> Result<(), DriverError> {
        let weave = self.session.begin_flush()?;
        let steps = self.session.steps();
        if self.steps.mode == Mode::Deinterlace && steps > 0 {
            self.steps.last(&self.settings, &self.machine, steps - 1, weave)?;
            let Settings { format, statistics, .. } = self.settings;
            let denoise = [self.denoise.controller.filter(), None];
            self.emit(self.steps.outputs[0].clone(), OutputInfo::of_last(steps, format, weave, statistics, denoise))?;
        }
        Ok(())
    }

    /// The next output that is ready, in the order of time.
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

    /// The machine, with the memory and the counters of the last frame.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// Scales, sharpens and corrects the colours of `planes` as the settings say. The output may be
    /// pulled then.
    fn emit(&mut self, planes: Vec<Plane>, info: OutputInfo) -> Result<(), DriverError> {
        let planes = match &mut self.scale_sharpen {
            None => planes,
            Some(scale_sharpen) => {
                let set = self.settings.parameters.sharpen.global_noise_estimation;
                scale_sharpen.run(&self.machine, &planes, self.noise.unwrap_or(set))?
            }
        };
        let mut frame = Frame::try_new(self.settings.output_format()).map_err(Error::from)?;
        let luma = match &mut self.color {
            Some(color) => Some(color.run(&self.machine, &planes, &mut frame)?),
            None => {
                export(&self.machine.memory, &planes, &mut frame);
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
