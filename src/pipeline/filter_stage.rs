//! The filters of finished pictures (§13.9), after the colour pipe.
use super::settings::Settings;
use crate::frame::{Frame, PlaneSample};
use crate::memory::{OutOfMemory, zeroed};
use crate::picture_filter::{Filter, run};
use dndi_simd::Kernels;

/// The filters of a stream.
#[derive(Debug)]
pub(super) struct FilterStage<S> {
    filters: Vec<Filter>,
    /// Planes that are filtered.
    planes: usize,
    /// A plane with the samples around it.
    copy: Vec<S>,
}

impl<S: PlaneSample> FilterStage<S> {
    /// The stage of these settings; none if nothing is filtered.
    pub fn new(settings: &Settings) -> Result<Option<FilterStage<S>>, OutOfMemory> {
        let filters = Filter::all(&settings.filters, &settings.parameters.convolve)?;
        let format = settings.finished_format();
        let needs = |filter: &Filter| (format.width + filter.size.0) * (format.height + filter.size.1);
        let Some(samples) = filters.iter().map(needs).max() else { return Ok(None) };
        let planes = if settings.filters.all_planes { format.sampling.planes() } else { 1 };
        Ok(Some(FilterStage { filters, planes, copy: zeroed(samples)? }))
    }

    /// Filters a frame.
    pub fn run(&mut self, kernels: &Kernels, frame: &mut Frame) {
        let format = frame.format();
        for (index, plane) in frame.output_planes::<S>().into_iter().enumerate().take(self.planes) {
            let (width, height) = format.plane_size(index);
            for filter in &self.filters {
                run(kernels, filter, (&mut *plane, width, height), &mut self.copy, format.depth);
            }
        }
    }
}
