//! Removal of hot pixels from the input (§13.2).
use super::settings::Settings;
use crate::format::{Format, Scan};
use crate::frame::{Frame, InputPlane, MIN_TASK_LINES, PlaneRef, PlaneSample};
use crate::hot_pixels::HotPixelParameters;
use crate::memory::OutOfMemory;
use crate::plane::PaddedPlane;
use dndi_simd::Kernels;
use rayon::prelude::*;

/// The stage, in the depth of the input.
#[derive(Debug)]
pub(super) struct HotPixelStage {
    padded: Padded,
    /// The frame without hot pixels.
    pub frame: Frame,
}

/// A plane with the surroundings of its samples. The planes of a frame follow each other.
#[derive(Debug)]
enum Padded {
    Bytes([PaddedPlane<u8>; 3]),
    Words([PaddedPlane<u16>; 3]),
}

impl HotPixelStage {
    /// The stage of these settings.
    pub fn new(settings: &Settings) -> Result<HotPixelStage, OutOfMemory> {
        let format = settings.format;
        let padded = if format.depth == 8 { Padded::Bytes(planes(format)?) } else { Padded::Words(planes(format)?) };
        Ok(HotPixelStage { padded, frame: Frame::try_new(format)? })
    }

    /// Removes the hot pixels of planes, which were checked, into the frame.
    pub fn run(&mut self, kernels: &Kernels, parameters: &HotPixelParameters, scan: Scan, from: &[PlaneRef; 3]) {
        match &mut self.padded {
            Padded::Bytes(padded) => remove(kernels, parameters, scan, from, padded, &mut self.frame),
            Padded::Words(padded) => remove(kernels, parameters, scan, from, padded, &mut self.frame),
        }
    }
}

/// Empty planes of a frame.
fn planes<S: PlaneSample>(format: Format) -> Result<[PaddedPlane<S>; 3], OutOfMemory> {
    let plane = |index: usize| {
        let (width, height) = format.plane_size(index);
        PaddedPlane::new(width, height)
    };
    Ok([plane(0)?, plane(1)?, plane(2)?])
}

fn remove<S: PlaneSample>(
    kernels: &Kernels,
    parameters: &HotPixelParameters,
    scan: Scan,
    from: &[PlaneRef; 3],
    padded: &mut [PaddedPlane<S>; 3],
    frame: &mut Frame,
) {
    let format = frame.format();
    let outputs = frame.output_planes::<S>().into_iter().zip(padded).zip(from);
    for (index, ((out, padded), from)) in outputs.enumerate().take(format.sampling.planes()) {
        let width = format.plane_size(index).0;
        padded.import(kernels, InputPlane::new(*from, format.depth));
        // Neighbours are of the same field, unless the plane has only one line.
        let is_interlaced = scan.is_interlaced() && format.plane_size(index).1 > 1;
        let (view, step) = if is_interlaced { (padded.fields(), 2) } else { (padded.frame(), 1) };
        let (threshold, count) = parameters.plane(index, format.depth);
        let lines = out.par_chunks_exact_mut(width).enumerate().with_min_len(MIN_TASK_LINES);
        lines.for_each(|(y, out)| {
            let rows = [-step, 0, step].map(|line| view.row(y as isize + line, 0, width));
            (S::kernels(kernels).hot_pixel)(out, rows, threshold, count);
        });
    }
}
