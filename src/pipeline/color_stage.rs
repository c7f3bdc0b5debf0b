//! The colour pipe on output frames (§6, §9.5).
use super::context::StepContext;
use super::settings::Settings;
use crate::adapt::contrast::AutoContrast;
use crate::color::{Band, ColorParameters, Pipe, Scratch};
use crate::frame::{Frame, InputPlane, MIN_TASK_LINES, PlaneSample};
use crate::luma::{LumaStatistics, Tally};
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
        let Some(pipe) = Pipe::new(&parameters, settings.working_depth())? else { return Ok(None) };
        let format = settings.finished_format();
        let pool = ScratchPool::new(format.height.div_ceil(MIN_TASK_LINES), || Scratch::new(format.width))?;
        Ok(Some(ColorStage { pipe, parameters, auto, pool }))
    }

    /// This stage with the contrast history of `old`, which it replaces.
    pub fn with_history_of(self, old: ColorStage<S>) -> ColorStage<S> {
        ColorStage { auto: self.auto.and(old.auto), ..self }
    }

    /// Discards the contrast history.
    pub fn reset(&mut self) {
        if let Some(auto) = &mut self.auto {
            auto.reset();
        }
    }

    /// Runs the pipe on a frame and counts its luma if the settings say so. With `unread` the
    /// samples of the frame are still in the caller's planes.
    pub fn run(
        &mut self,
        context: StepContext,
        unread: Option<&[InputPlane<S>; 3]>,
        frame: &mut Frame,
    ) -> Option<LumaStatistics> {
        let area = context.settings.histogram_area();
        let mut unread = unread;
        if let Some(auto) = &mut self.auto {
            // The histogram is that of the frame before contrast: its curve applies to the same
            // frame.
            unread.take().inspect(|planes| frame.copy_from(context.kernels, planes));
            auto.follow(&LumaStatistics::of(frame, area).histogram, &mut self.parameters);
            self.pipe.set_curve(&self.parameters);
        }
        let format = frame.format();
        let sizes = [0, 1, 2].map(|index| format.plane_size(index));
        // At least 1, for planes that do not exist.
        let lines = sizes.map(|(_, height)| if height < format.height { MIN_TASK_LINES / 2 } else { MIN_TASK_LINES });
        let chunks = [0, 1, 2].map(|index| (sizes[index].0 * lines[index]).max(1));
        let band = |number: usize, planes: [&mut [S]; 3]| {
            let mut tally = context.settings.luma_statistics.then(|| Tally::new(area));
            let band = Band {
                sampling: format.sampling,
                width: format.width,
                top: number * MIN_TASK_LINES,
                planes,
                unread: unread.copied(),
            };
            self.pipe.band(context.kernels, band, &mut self.pool.get(), tally.as_mut());
            tally
        };
        let with = |a: Option<Tally>, b: Option<Tally>| match (a, b) {
            (Some(a), Some(b)) => Some(a.with(b)),
            (a, b) => a.or(b),
        };
        let [y, u, v] = frame.output_planes::<S>();
        let luma = y.par_chunks_mut(chunks[0]).enumerate();
        let tally = if format.sampling.planes() == 1 {
            luma.map(|(number, y)| band(number, [y, &mut [], &mut []])).reduce(|| None, with)
        } else {
            let chroma = u.par_chunks_mut(chunks[1]).zip(v.par_chunks_mut(chunks[2]));
            luma.zip(chroma).map(|((number, y), (u, v))| band(number, [y, u, v])).reduce(|| None, with)
        };
        tally.map(|tally| tally.statistics())
    }
}
