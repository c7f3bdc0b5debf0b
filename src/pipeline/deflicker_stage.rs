//! Deflicker of deinterlaced frames (§13.12).
use super::context::StepContext;
use crate::frame::{Frame, InputPlane, MIN_TASK_LINES, PlaneSample};
use crate::memory::OutOfMemory;
use crate::plane::{PaddedPlane, PairPlane};
use rayon::prelude::*;

/// The stage.
#[derive(Debug)]
pub(super) struct DeflickerStage<S> {
    /// The luma before the filter.
    luma: PaddedPlane<S>,
}

impl<S: PlaneSample> DeflickerStage<S> {
    /// The stage for pictures of `width` × `height` pixels.
    pub fn new(width: usize, height: usize) -> Result<DeflickerStage<S>, OutOfMemory> {
        Ok(DeflickerStage { luma: PaddedPlane::new(width, height)? })
    }

    /// Filters the luma of a frame by the motion measure of the step.
    pub fn run(&mut self, context: StepContext, measure: &PairPlane, frame: &mut Frame) {
        let (width, kernels) = (context.size().0, context.kernels);
        let weights = context.settings.parameters.deflicker.weights();
        let format = frame.format();
        self.luma.import(kernels, InputPlane::new(frame.planes()[0], format.depth));
        let (view, [luma, ..]) = (self.luma.frame(), frame.output_planes::<S>());
        let lines = luma.par_chunks_exact_mut(width).enumerate().with_min_len(MIN_TASK_LINES);
        lines.for_each(|(y, out)| {
            let rows = [-1, 0, 1].map(|line| view.row(y as isize + line, 0, width));
            (S::kernels(kernels).deflicker)(out, rows, measure.line(y, 0, context.pairs()), &weights);
        });
    }
}
