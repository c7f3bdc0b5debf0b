//! All stages of a stream for one type of samples, and the frames that they reuse.
use super::change::Change;
use super::color_stage::ColorStage;
use super::context::{BandContext, StepContext};
use super::denoise_motion_stage::{DenoiseMotionStage, Waiting};
use super::encoder_statistics;
use super::filter_stage::FilterStage;
use super::geometry_stage::GeometryStage;
use super::hot_pixel_stage::HotPixelStage;
use super::maps::Maps;
use super::output::OutputInfo;
use super::scale_enhance::ScaleEnhance;
use super::session::{Session, Step};
use super::settings::Settings;
use super::statistics::Statistics;
use super::step::State;
use crate::adapt::denoise::DenoiseState;
use crate::capture::Demosaic;
use crate::deinterlace::Role;
use crate::depth;
use crate::error::Error;
use crate::field_match::{CombMask, FieldMatch, FieldMatches, StepMatches};
use crate::format::Format;
use crate::frame::{Frame, InputPlane, PlaneSample};
use crate::luma::LumaStatistics;
use crate::memory::{OutOfMemory, zeroed};
use crate::parameters::Parameters;
use dndi_simd::Kernels;

/// The stages, their state from frame to frame, and free frames.
#[derive(Debug)]
pub(super) struct Stages<S> {
    pub settings: Settings,
    pub kernels: &'static Kernels,
    pub state: State<S>,
    /// Removal of hot pixels, if it is on.
    hot_pixels: Option<HotPixelStage>,
    /// The input in the working depth, if that is greater than the input's.
    raised: Option<Frame>,
    /// Denoising along motion, if it is on.
    motion: Option<DenoiseMotionStage<S>>,
    /// Free frames in the format before scaling.
    spare: Vec<Frame>,
    scale_enhance: Option<ScaleEnhance<S>>,
    /// Interpolation of the colours of raw Bayer frames.
    capture: Option<Demosaic>,
    color: Option<ColorStage<S>>,
    filters: Option<FilterStage<S>>,
    geometry: Option<GeometryStage<S>>,
    /// Free frames in the format after scaling or capture; empty without these.
    scaled: Vec<Frame>,
    /// Free frames in the geometry of the output, if it changes.
    shaped: Vec<Frame>,
    /// Free frames in the depth of the output, if that is less than the working depth.
    lowered: Vec<Frame>,
    pub statistics: Option<Statistics>,
    /// Parameters that were set while a frame waits for the next one: its outputs still have the
    /// old ones.
    change: Option<Change<S>>,
    /// Whether the outputs of the last frame wait for the next one.
    waits: bool,
    /// The number of steps of a stream that ended, whose last outputs are not made yet, and whether
    /// its last field is woven.
    last: Option<(u64, bool)>,
    /// Global noise estimate of the last step, in 8-bit code values; none unless sharpening adapts
    /// to it.
    noise: Option<u8>,
    /// The denoise filters of the last step.
    last_filters: [Option<DenoiseState>; 2],
}

impl<S: PlaneSample> Stages<S> {
    /// The stages of checked settings.
    pub fn new(settings: Settings, kernels: &'static Kernels) -> Result<Stages<S>, OutOfMemory> {
        let work = settings.format.with_depth(settings.working_depth());
        let mut stages = Stages {
            state: State::new(&settings)?,
            kernels,
            hot_pixels: settings.hot_pixels.then(|| HotPixelStage::new(&settings)).transpose()?,
            raised: (work != settings.format).then(|| Frame::try_new(work)).transpose()?,
            motion: settings.denoises_along_motion().then(|| DenoiseMotionStage::new(&settings)).transpose()?,
            spare: vec![],
            scale_enhance: ScaleEnhance::new(&settings)?,
            capture: settings.bayer.map(|pattern| Demosaic::new(pattern, work.width, work.height)).transpose()?,
            color: ColorStage::new(&settings)?,
            filters: FilterStage::new(&settings)?,
            geometry: GeometryStage::new(&settings)?,
            scaled: vec![],
            shaped: vec![],
            lowered: vec![],
            statistics: None,
            change: None,
            waits: false,
            last: None,
            noise: None,
            last_filters: [None, None],
            settings,
        };
        let needs_frames = !stages.settings.is_stateless() || !stages.settings.changes_format();
        reserve(&mut stages.spare, if needs_frames { 2 } else { 0 }, stages.settings.frame_format())?;
        stages.reserve(0, 2)?;
        Ok(stages)
    }

    fn context(&self) -> StepContext<'_> {
        StepContext { settings: &self.settings, kernels: self.kernels }
    }

    /// Makes free frames, until there are `frames` before scaling and `outputs` outputs.
    pub fn reserve(&mut self, frames: usize, outputs: usize) -> Result<(), OutOfMemory> {
        let settings = &self.settings;
        let (is_scaled, is_shaped, is_lowered) = (settings.changes_format(), settings.is_shaped(), settings.is_lowered());
        if !is_scaled || !settings.is_stateless() {
            reserve(&mut self.spare, frames, settings.frame_format())?;
        }
        if is_scaled {
            let count = if is_shaped || is_lowered { outputs.min(1) } else { outputs };
            reserve(&mut self.scaled, count, settings.finished_format())?;
        }
        if is_shaped {
            reserve(&mut self.shaped, if is_lowered { outputs.min(1) } else { outputs }, settings.shaped_format())?;
        }
        if is_lowered { reserve(&mut self.lowered, outputs, settings.output_format()) } else { Ok(()) }
    }

    /// Processes a step, whose planes were checked, and passes its outputs to the session.
    pub fn push(&mut self, step: Step, session: &mut Session) {
        self.state.wanted = if self.makes_all_outputs() { [true; 2] } else { step.wanted };
        let Some(mut hot_pixels) = self.hot_pixels.take() else { return self.raise(step, session) };
        let settings = &self.settings;
        let parameters = &self.next_parameters().hot_pixels;
        hot_pixels.run(self.kernels, parameters, settings.scan, &step.planes);
        let mut planes = step.planes;
        planes.iter_mut().zip(hot_pixels.frame.planes().iter()).for_each(|(to, plane)| *to = *plane);
        self.raise(Step { planes, ..step }, session);
        self.hot_pixels = Some(hot_pixels);
    }

    /// Whether outputs that are not wanted are made, too: later ones depend on them, or the step is
    /// that of another frame.
    fn makes_all_outputs(&self) -> bool {
        self.motion.is_some() || self.color.as_ref().is_some_and(ColorStage::has_history)
    }

    /// Raises the planes of a step to the working depth, and processes them.
    fn raise(&mut self, step: Step, session: &mut Session) {
        match self.raised.take() {
            Some(mut raised) => {
                depth::raise(&step.planes, self.settings.format, &mut raised, self.settings.range);
                self.denoise(&step, &raised.input_planes(), session);
                self.raised = Some(raised);
            }
            None => self.denoise(&step, &step.planes.map(|plane| InputPlane::new(plane, self.settings.format.depth)), session),
        }
    }

    /// Processes a step with planes in the working depth; with denoising along motion the step
    /// before it.
    fn denoise(&mut self, step: &Step, planes: &[InputPlane<S>; 3], session: &mut Session) {
        let Some(mut motion) = self.motion.take() else {
            return self.process((step.number, step.matches, step.comb_masks), planes, session);
        };
        let context = StepContext { settings: &self.settings, kernels: self.kernels };
        let bands = BandContext { context, tiling: self.state.tiling, pool: &self.state.pool };
        let denoised = motion.push(bands, step, planes);
        self.motion = Some(motion);
        self.process_denoised(denoised, session);
    }

    /// Processes a frame that was denoised along its motion.
    fn process_denoised(&mut self, denoised: Option<Waiting<S>>, session: &mut Session) {
        let Some(Waiting { number, matches, comb_masks, change, .. }) = denoised else { return };
        self.change = change.or(self.change.take());
        if !self.waits {
            self.apply_change();
        }
        let frame = self.motion.as_mut().map(|motion| std::mem::take(&mut motion.frame)).unwrap_or_default();
        let masks = comb_masks.each_ref().map(|mask| Some(mask).filter(|mask| !mask.is_empty()));
        self.process((number, matches, masks), &frame.input_planes(), session);
        if let Some(motion) = &mut self.motion {
            motion.frame = frame;
        }
    }

    /// Processes a step with planes in the working depth.
    fn process(
        &mut self,
        (number, matches, comb_masks): (u64, StepMatches, [Option<&CombMask>; 2]),
        planes: &[InputPlane<S>; 3],
        session: &mut Session,
    ) {
        let info = OutputInfo { denoise: self.filters(), ..OutputInfo::at(2 * number) };
        if self.settings.is_stateless() {
            if !self.state.wanted[Role::Cur1 as usize] {
                return;
            }
            if self.settings.changes_format() {
                let frame = self.scale(planes);
                self.emit(None, frame, info, session);
            } else {
                let frame = self.spare();
                self.emit(Some(planes), frame, info, session);
            }
            return;
        }
        let mut frames = [self.spare(), self.spare()];
        let settings = self.change.as_ref().map_or(&self.settings, |change| &change.settings);
        let context = StepContext { settings, kernels: self.kernels };
        let waiting = self.state.waiting_match();
        self.state.step(context, number, planes, matches, comb_masks, &mut frames);
        let now = self.motion.as_ref().map_or_else(|| self.state.filters(), |motion| motion.filters.clone());
        self.statistics = self.settings.statistics.then(|| self.state.statistics(context, number, now.clone()));
        self.state.end_step();
        let noise = self.settings.measured_noise.then(|| self.state.luma.noise.gne());
        let before = std::mem::replace(&mut self.last_filters, now.clone());
        let [prev2, cur1] = frames;
        let counted = self.settings.deinterlace && self.settings.statistics;
        let sources = self.state.sources.map(|sources| Some(sources).filter(|_| counted));
        if self.settings.looks_ahead() {
            if number > 0 {
                let matches = [waiting, matches.second_of_previous];
                self.finish_both(OutputInfo::of_frame(number - 1, matches, sources, before), [prev2, cur1], session);
            } else {
                self.spare.extend([prev2, cur1]);
            }
            self.waits = true;
            self.apply_change();
        } else {
            let [second, first] = OutputInfo::of_step(number, matches, sources, [before, now]);
            let [prev2_wanted, cur1_wanted] = self.state.wanted;
            self.finish_if(prev2_wanted && self.settings.deinterlace && number > 0, prev2, second, session);
            self.finish_if(cur1_wanted, cur1, first, session);
        }
        let extra = self.settings.working_depth() - 8;
        self.noise = noise.map(|noise| (noise >> extra).min(255) as u8);
    }

    /// The denoise filters of the last step, of luma and chroma.
    fn filters(&self) -> [Option<DenoiseState>; 2] {
        self.motion.as_ref().map_or_else(|| self.state.filters(), |motion| motion.filters.clone())
    }

    /// Whether a frame waits to be denoised along its motion.
    pub fn holds_frame(&self) -> bool {
        self.motion.as_ref().is_some_and(|motion| motion.waiting().is_some())
    }

    /// Copies the comb masks that later steps read, and allocates the encoder statistics of the
    /// next step. After an error nothing has changed.
    pub fn prepare(&mut self, matches: Option<&FieldMatches>) -> Result<(), OutOfMemory> {
        if self.settings.encoder_statistics && self.state.encoder.is_empty() {
            let (columns, rows) = encoder_statistics::grid(self.context().size());
            self.state.encoder = zeroed(columns * rows)?;
        }
        let Some(motion) = &mut self.motion else {
            return self.state.prepare(matches.and_then(|matches| matches.masks()[1]));
        };
        motion.prepare(matches)?;
        let mask = motion.waiting().map(|waiting| &waiting.comb_masks[1]);
        self.state.prepare(mask.filter(|mask| !mask.is_empty()))
    }

    /// Ends the stream after `steps` steps: processes the frame that waits to be denoised, and when
    /// deinterlacing makes the output of the second field of the last frame.
    pub fn end(&mut self, steps: u64, weave: bool, session: &mut Session) {
        let denoised = self.motion.as_mut().and_then(|motion| motion.advance(self.kernels));
        self.process_denoised(denoised, session);
        if self.settings.deinterlace {
            self.last = Some((steps, weave));
            self.finish_last(session);
        }
    }

    /// Makes the last outputs of a stream that ended, once those of the step before were pulled:
    /// the maps are those of the outputs then.
    pub fn finish_last(&mut self, session: &mut Session) {
        if session.front().is_none()
            && let Some((steps, weave)) = self.last.take()
        {
            self.flush(steps, weave, session);
        }
    }

    /// Makes the last output of the stream, the 2nd field of the last frame, after `steps` steps.
    fn flush(&mut self, steps: u64, weave: bool, session: &mut Session) {
        if self.settings.looks_ahead() {
            let mut frames = [self.spare(), self.spare()];
            let context = StepContext { settings: &self.settings, kernels: self.kernels };
            let first = self.state.finish(context, steps, weave, &mut frames);
            let second = if weave { FieldMatch::Previous } else { FieldMatch::Deinterlace };
            let sources = self.state.sources.map(|sources| self.settings.statistics.then_some(sources));
            let infos = OutputInfo::of_frame(steps - 1, [first, second], sources, self.filters());
            self.waits = false;
            return self.finish_both(infos, frames, session);
        }
        let mut frame = self.spare();
        let context = StepContext { settings: &self.settings, kernels: self.kernels };
        self.state.last(context, weave, &mut frame);
        let Settings { format, statistics, .. } = self.settings;
        let info = OutputInfo::of_last(steps, format, weave, statistics, self.filters());
        self.finish(frame, info, session);
    }

    /// The maps of the last of `steps` steps; none before the first step and for stages that keep
    /// no frames.
    pub fn maps(&self, steps: u64) -> Result<Option<Maps>, Error> {
        let processed = steps - u64::from(self.holds_frame());
        let last = processed.checked_sub(1).filter(|_| !self.settings.is_stateless());
        Ok(last.map(|number| self.state.maps(self.context(), number)).transpose()?)
    }

    /// Keeps a frame for reuse if it has the format of a list of free frames.
    pub fn recycle(&mut self, frame: Frame) {
        let settings = &self.settings;
        let spare = if settings.is_lowered() {
            &mut self.lowered
        } else if settings.is_shaped() {
            &mut self.shaped
        } else if settings.changes_format() {
            &mut self.scaled
        } else {
            &mut self.spare
        };
        if frame.format() == settings.output_format() && spare.len() < 2 {
            spare.push(frame);
        }
    }

    /// Discards the state.
    pub fn reset(&mut self) {
        self.waits = false;
        self.change = self.take_last_change();
        self.apply_change();
        self.motion.iter_mut().for_each(DenoiseMotionStage::reset);
        self.last_filters = [None, None];
        if let Some(color) = &mut self.color {
            color.reset();
        }
        self.statistics = None;
        self.noise = None;
    }

    /// Changes the parameters to those of checked settings. After an error they are unchanged.
    pub fn set_parameters(&mut self, parameters: Parameters) -> Result<(), Error> {
        let settings = Settings { parameters, ..self.settings.clone() };
        settings.check()?;
        let (scale_enhance, color) = (ScaleEnhance::new(&settings)?, ColorStage::new(&settings)?);
        let filters = FilterStage::new(&settings)?;
        let change = Some(Change { settings, scale_enhance, color, filters });
        match &mut self.motion {
            Some(motion) => motion.change = change,
            None => self.change = change,
        }
        if !self.waits {
            self.apply_change();
        }
        Ok(())
    }

    /// The parameters for the next frame.
    pub fn next_parameters(&self) -> &Parameters {
        let motion = self.motion.as_ref().and_then(DenoiseMotionStage::last_change);
        &motion.or(self.change.as_ref()).map_or(&self.settings, |change| &change.settings).parameters
    }

    /// Removes the change of parameters that was set last.
    fn take_last_change(&mut self) -> Option<Change<S>> {
        self.motion.as_mut().and_then(DenoiseMotionStage::take_change).or_else(|| self.change.take())
    }

    /// Changes the parameters of the outputs to those that were set.
    fn apply_change(&mut self) {
        let Some(Change { settings, scale_enhance, color, filters }) = self.change.take() else { return };
        (self.settings, self.scale_enhance, self.filters) = (settings, scale_enhance, filters);
        self.color = match (self.color.take(), color) {
            (Some(old), Some(new)) => Some(new.with_history_of(old)),
            (_, new) => new,
        };
    }

    /// A free frame in the format before scaling. [`reserve`](Stages::reserve) made it.
    fn spare(&mut self) -> Frame {
        self.spare.pop().unwrap_or_else(|| Frame::new(self.settings.frame_format()))
    }

    /// Finishes both outputs of a frame, if they are wanted.
    fn finish_both(&mut self, infos: [OutputInfo; 2], frames: [Frame; 2], session: &mut Session) {
        let wanted = self.state.wanted;
        let outputs = infos.into_iter().zip(frames).zip(wanted);
        outputs.for_each(|((info, frame), wanted)| self.finish_if(wanted, frame, info, session));
    }

    /// Finishes an output if it is wanted, and keeps its frame for reuse if not.
    fn finish_if(&mut self, wanted: bool, frame: Frame, info: OutputInfo, session: &mut Session) {
        if wanted { self.finish(frame, info, session) } else { self.spare.push(frame) }
    }

    /// Scales or captures a frame if that is on, then emits it.
    fn finish(&mut self, frame: Frame, info: OutputInfo, session: &mut Session) {
        if !self.settings.changes_format() {
            return self.emit(None, frame, info, session);
        }
        let scaled = self.scale(&frame.input_planes());
        self.spare.push(frame);
        self.emit(None, scaled, info, session);
    }

    /// Scales planes into a free frame, which [`reserve`](Stages::reserve) made. Captured planes
    /// become RGB, which the colour pipe writes to that frame.
    fn scale(&mut self, planes: &[InputPlane<S>; 3]) -> Frame {
        let mut out = self.scaled.pop().unwrap_or_else(|| Frame::new(self.settings.finished_format()));
        if let Some(capture) = &mut self.capture {
            capture.run(self.kernels, &self.settings.parameters.capture, planes[0], self.settings.working_depth());
        } else if let Some(scale_enhance) = &mut self.scale_enhance {
            scale_enhance.scale(StepContext { settings: &self.settings, kernels: self.kernels }, planes, &mut out);
        }
        out
    }

    /// Runs sharpening, the colour pipe and the filters on a frame, changes its geometry, lowers it
    /// to the depth of the output and makes it ready to be pulled. With `planes` its samples are
    /// still in the caller's planes.
    fn emit(&mut self, planes: Option<&[InputPlane<S>; 3]>, mut frame: Frame, info: OutputInfo, session: &mut Session) {
        let context = StepContext { settings: &self.settings, kernels: self.kernels };
        // If the colour pipe is the first stage, it reads the caller's planes band by band.
        let mut unread = planes;
        if self.color.is_none() || self.settings.sharpen.is_some() {
            unread.take().inspect(|planes| frame.copy_from(context.kernels, planes));
        }
        if let Some(scale_enhance) = &mut self.scale_enhance {
            let set = self.settings.parameters.sharpen.global_noise_estimation;
            scale_enhance.enhance(context, self.noise.unwrap_or(set), &mut frame);
        }
        let luma = match &mut self.color {
            Some(color) => color.run(context, unread, self.capture.as_ref().map(Demosaic::planes), &mut frame),
            None => self.settings.luma_statistics.then(|| LumaStatistics::of(&frame, self.settings.histogram_area())),
        };
        if let Some(filters) = &mut self.filters {
            filters.run(self.kernels, &mut frame);
        }
        frame = self.shape(frame);
        if self.settings.is_lowered() {
            frame = self.lower(frame);
        }
        let user_data = session.user_data(info.field_time);
        session.emit(info.output(frame, luma, user_data));
    }

    /// Changes the geometry of a frame, in a frame that [`reserve`](Stages::reserve) made, and
    /// keeps the frame for reuse.
    fn shape(&mut self, frame: Frame) -> Frame {
        let Some(geometry) = &mut self.geometry else { return frame };
        let mut shaped = self.shaped.pop().unwrap_or_else(|| Frame::new(self.settings.shaped_format()));
        geometry.run(self.kernels, &frame, &mut shaped);
        let spare = if self.settings.changes_format() { &mut self.scaled } else { &mut self.spare };
        spare.push(frame);
        shaped
    }

    /// Lowers a frame to the depth of the output, in a frame that [`reserve`](Stages::reserve)
    /// made, and keeps the frame for reuse.
    fn lower(&mut self, frame: Frame) -> Frame {
        let settings = &self.settings;
        let mut lowered = self.lowered.pop().unwrap_or_else(|| Frame::new(settings.output_format()));
        let by_fields = settings.is_scaled_by_fields();
        depth::lower(&frame, &mut lowered, settings.output_range(), settings.dither, by_fields);
        let spare = match (settings.is_shaped(), settings.changes_format()) {
            (true, _) => &mut self.shaped,
            (_, true) => &mut self.scaled,
            _ => &mut self.spare,
        };
        spare.push(frame);
        lowered
    }
}

/// Makes frames of `format` until there are `count`.
fn reserve(frames: &mut Vec<Frame>, count: usize, format: Format) -> Result<(), OutOfMemory> {
    while frames.len() < count {
        frames.push(Frame::try_new(format)?);
    }
    Ok(())
}
