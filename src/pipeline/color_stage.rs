//! The colour pipe on output frames (§6, §9.5, §13.4 to §13.7).
use super::context::StepContext;
use super::settings::Settings;
use crate::adapt::contrast::AutoContrast;
use crate::color::white_balance::{AutoBalance, GreyPoints};
use crate::color::{Band, ColorParameters, Counts, Pipe, Scratch, Source, WhiteBalance};
use crate::frame::{Frame, InputPlane, MIN_TASK_LINES, PlaneSample};
use crate::luma::{GreyStatistics, LumaStatistics, Tally};
use crate::memory::OutOfMemory;
use crate::scratch_pool::ScratchPool;
use rayon::prelude::*;

/// The colour pipe and its state from frame to frame.
#[derive(Debug)]
pub(super) struct ColorStage<S> {
    pipe: Pipe,
    /// The parameters, with the contrast curve of the last frame.
    parameters: ColorParameters,
    auto: Option<AutoContrast>,
    /// Automatic white balance.
    balance: Option<AutoBalance>,
    pool: ScratchPool<Scratch<S>>,
}

impl<S: PlaneSample> ColorStage<S> {
    /// The stage of these settings; none if all stages of the pipe are off.
    pub fn new(settings: &Settings) -> Result<Option<ColorStage<S>>, OutOfMemory> {
        let mut parameters = settings.parameters.color.clone();
        let auto = settings.auto_contrast.map(AutoContrast::new);
        if auto.is_some() {
            parameters.ace_enable = true;
        }
        let format = settings.finished_format();
        let size = (format.width, format.height);
        let groups = settings.color_groups(&parameters);
        let Some(mut pipe) = Pipe::extended(groups, &settings.extended, settings.working_depth(), size)? else {
            return Ok(None);
        };
        let by_hand = &settings.parameters.white_balance;
        pipe.set_gains([by_hand.red, by_hand.green, by_hand.blue]);
        let balance = (settings.extended.white_balance == Some(WhiteBalance::Auto)).then(AutoBalance::default);
        let pool = ScratchPool::new(format.height.div_ceil(MIN_TASK_LINES), || Scratch::new(format.width, &pipe))?;
        Ok(Some(ColorStage { pipe, parameters, auto, balance, pool }))
    }

    /// This stage with the histories of `old`, which it replaces.
    pub fn with_history_of(mut self, mut old: ColorStage<S>) -> ColorStage<S> {
        if let (Some(new), Some(old)) = (&mut self.pipe.local_contrast, &mut old.pipe.local_contrast) {
            new.continue_from(old);
        }
        ColorStage { auto: self.auto.and(old.auto), balance: self.balance.and(old.balance), ..self }
    }

    /// Whether frames depend on those before them.
    pub fn has_history(&self) -> bool {
        self.auto.is_some() || self.balance.is_some() || self.pipe.local_contrast.is_some()
    }

    /// Discards the histories.
    pub fn reset(&mut self) {
        self.auto.iter_mut().for_each(AutoContrast::reset);
        self.balance.iter_mut().for_each(AutoBalance::reset);
        if let Some(local_contrast) = &mut self.pipe.local_contrast {
            local_contrast.reset();
        }
    }

    /// Sets the gains of the white balance from the grey points of a frame.
    fn follow_grey(&mut self, context: StepContext, source: &Source<S>) -> Option<GreyStatistics> {
        let ColorStage { pipe, balance, pool, .. } = self;
        let (balance, format) = (balance.as_mut()?, source.format);
        let p = &context.settings.parameters.white_balance;
        let bands = (0..format.height.div_ceil(MIN_TASK_LINES)).into_par_iter().map(|band| {
            let (scratch, mut grey) = (&mut *pool.get(), GreyPoints::default());
            for y in band * MIN_TASK_LINES..((band + 1) * MIN_TASK_LINES).min(format.height) {
                pipe.count_grey(context.kernels, source, y, scratch, (p, &mut grey));
            }
            grey
        });
        let GreyPoints { points, sums } = bands.reduce(GreyPoints::default, GreyPoints::with);
        let gains = balance.follow(&GreyPoints { points, sums }, p, (format.width * format.height) as u64);
        pipe.set_gains(gains);
        Some(GreyStatistics { points, sums, gains })
    }

    /// Computes the curves of local contrast from a frame.
    fn measure_local_contrast(&mut self, context: StepContext, source: &Source<S>) {
        let ColorStage { pipe, pool, .. } = self;
        let Some(mut local_contrast) = pipe.local_contrast.take() else { return };
        local_contrast.measure(|y, use_luma| {
            pipe.luma_before_local_contrast(context.kernels, source, y, &mut pool.get(), use_luma);
        });
        pipe.local_contrast = Some(local_contrast);
    }

    /// Writes the luma of captured RGB to a frame.
    fn write_luma(&mut self, context: StepContext, rgb: Option<[&[u16]; 3]>, frame: &mut Frame) {
        let format = frame.format();
        let planes = [InputPlane { data: &[][..], stride: 0, most: S::default() }; 3];
        let (pipe, pool, source) = (&self.pipe, &self.pool, Source { format, planes, rgb });
        let [luma, ..] = frame.output_planes::<S>();
        let lines = luma.par_chunks_exact_mut(format.width).enumerate().with_min_len(MIN_TASK_LINES);
        lines.for_each(|(y, out)| pipe.write_luma(context.kernels, &source, y, &mut pool.get(), out));
    }

    /// Runs the pipe on a frame and counts its luma if the settings say so. With `unread` the
    /// samples of the frame are still in the caller's planes, with `rgb` they are those of captured
    /// RGB.
    pub fn run(
        &mut self,
        context: StepContext,
        unread: Option<&[InputPlane<S>; 3]>,
        rgb: Option<[&[u16]; 3]>,
        frame: &mut Frame,
    ) -> Option<LumaStatistics> {
        let area = context.settings.histogram_area();
        let mut unread = unread;
        if self.auto.is_some() && rgb.is_some() {
            self.write_luma(context, rgb, frame);
        }
        if let Some(auto) = &mut self.auto {
            // The histogram is that of the frame before contrast: its curve applies to the same
            // frame.
            unread.take().inspect(|planes| frame.copy_from(context.kernels, planes));
            auto.follow(&LumaStatistics::of(frame, area).histogram, &mut self.parameters);
            self.pipe.set_curve(&self.parameters);
        }
        let grey = {
            let planes = unread.copied().unwrap_or_else(|| frame.input_planes());
            let source = Source { format: frame.format(), planes, rgb };
            let grey = self.follow_grey(context, &source);
            self.measure_local_contrast(context, &source);
            grey
        };
        let format = frame.format();
        let sizes = [0, 1, 2].map(|index| format.plane_size(index));
        // At least 1, for planes that do not exist.
        let lines = sizes.map(|(_, height)| if height < format.height { MIN_TASK_LINES / 2 } else { MIN_TASK_LINES });
        let chunks = [0, 1, 2].map(|index| (sizes[index].0 * lines[index]).max(1));
        let band = |number: usize, planes: [&mut [S]; 3]| {
            let mut counts = Counts { luma: context.settings.luma_statistics.then(|| Tally::new(area)), outside: 0 };
            let band = Band {
                sampling: format.sampling,
                width: format.width,
                top: number * MIN_TASK_LINES,
                planes,
                unread: unread.copied(),
                rgb,
            };
            self.pipe.band(context.kernels, band, &mut self.pool.get(), &mut counts);
            counts
        };
        let [y, u, v] = frame.output_planes::<S>();
        let luma = y.par_chunks_mut(chunks[0]).enumerate();
        let counts = if format.sampling.planes() == 1 {
            luma.map(|(number, y)| band(number, [y, &mut [], &mut []])).reduce(Counts::default, Counts::with)
        } else {
            let chroma = u.par_chunks_mut(chunks[1]).zip(v.par_chunks_mut(chunks[2]));
            luma.zip(chroma).map(|((number, y), (u, v))| band(number, [y, u, v])).reduce(Counts::default, Counts::with)
        };
        let Counts { luma, outside } = counts;
        let out_of_gamut = context.settings.extended.gamut_compression.as_ref().map(|_| outside);
        luma.map(|tally| LumaStatistics { out_of_gamut, grey, ..tally.statistics() })
    }
}
