//! A filter on a plane (§13.9).
use super::{ConvolutionKernel, ConvolveParameters, FilterWindow, PictureFilters};
use crate::frame::{MIN_TASK_LINES, PlaneSample};
use crate::memory::{OutOfMemory, with_capacity};
use dndi_simd::{Convolution, Kernels, Lines, Weight, WindowTap};
use rayon::prelude::*;

/// The function of the samples in a window.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Operation {
    Convolve { weights: Vec<Weight>, shift: u8 },
    Erode(Vec<WindowTap>),
    Dilate(Vec<WindowTap>),
    Extent(Vec<WindowTap>),
}

/// A filter with its parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Filter {
    /// Columns and lines of the window.
    pub size: (usize, usize),
    operation: Operation,
}

impl Filter {
    /// The filters in order. Those that change nothing are left out.
    pub fn all(filters: &PictureFilters, parameters: &ConvolveParameters) -> Result<Vec<Filter>, OutOfMemory> {
        let mut all = with_capacity(4)?;
        if let Some(kernel) = &filters.convolve {
            all.push(Filter::convolve(kernel, parameters)?);
        }
        let windows: [(_, fn(_) -> _); 3] =
            [(&filters.erode, Operation::Erode), (&filters.dilate, Operation::Dilate), (&filters.extent, Operation::Extent)];
        for (window, operation) in windows {
            let Some(window) = window else { continue };
            let taps = taps(window)?;
            if !taps.is_empty() {
                all.push(Filter { size: window.size(), operation: operation(taps) });
            }
        }
        Ok(all)
    }

    fn convolve(kernel: &ConvolutionKernel, parameters: &ConvolveParameters) -> Result<Filter, OutOfMemory> {
        let size = kernel.size();
        let mut weights = with_capacity(size.0 * size.1)?;
        for (index, &coefficient) in kernel.coefficients().iter().enumerate() {
            // Coefficients of 8 bits are the upper half.
            let weight = if parameters.coefficient_16 { coefficient } else { coefficient & !0xff };
            if weight != 0 {
                weights.push(Weight { row: (index / size.0) as u8, column: (index % size.0) as u8, weight });
            }
        }
        Ok(Filter { size, operation: Operation::Convolve { weights, shift: 12 + parameters.scale_down } })
    }
}

/// The samples of a window.
fn taps(window: &FilterWindow) -> Result<Vec<WindowTap>, OutOfMemory> {
    let (width, height) = window.size();
    let mut taps = with_capacity(width * height)?;
    for (row, mask) in (0u8..).zip(window.rows()) {
        let columns = (0..width as u8).filter(|column| mask >> column & 1 == 1);
        taps.extend(columns.map(|column| WindowTap { row, column }));
    }
    Ok(taps)
}

/// Filters a plane of `depth` bits in place. `copy` holds the plane with the samples around it that
/// the window reads: at least (width + columns - 1) × (height + lines - 1).
pub(crate) fn run<S: PlaneSample>(
    kernels: &Kernels,
    filter: &Filter,
    (plane, width, height): (&mut [S], usize, usize),
    copy: &mut [S],
    depth: u8,
) {
    if width == 0 || height == 0 {
        return;
    }
    let own = S::kernels(kernels);
    let (columns, lines) = filter.size;
    let (left, above, stride) = (columns / 2, lines / 2, width + columns - 1);
    let copy = &mut copy[..stride * (height + lines - 1)];
    copy.par_chunks_exact_mut(stride).enumerate().with_min_len(MIN_TASK_LINES).for_each(|(y, out)| {
        let line = &plane[y.saturating_sub(above).min(height - 1) * width..][..width];
        out[..left].fill(line[0]);
        out[left..left + width].copy_from_slice(line);
        out[left + width..].fill(line[width - 1]);
    });
    let copy = &*copy;
    plane.par_chunks_exact_mut(width).enumerate().with_min_len(MIN_TASK_LINES).for_each(|(y, out)| {
        let window = Lines { data: &copy[y * stride..], stride, width: stride };
        match &filter.operation {
            Operation::Convolve { weights, shift } => {
                (own.convolve)(out, window, &Convolution { weights, shift: *shift, depth });
            }
            Operation::Erode(taps) => (own.erode)(out, window, taps),
            Operation::Dilate(taps) => (own.dilate)(out, window, taps),
            Operation::Extent(taps) => (own.extent)(out, window, taps),
        }
    });
}
