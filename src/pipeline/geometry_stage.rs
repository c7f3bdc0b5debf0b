//! Geometry and formats of the output (§13.10), the last stage before the depth of the output.
use super::settings::Settings;
use crate::format::{Canvas, Format, Sampling, Siting};
use crate::frame::{Frame, PlaneSample};
use crate::geometry::{Orientation, PairedTurn, Resampling, convert, place, turn, turn_pairs};
use crate::memory::{OutOfMemory, with_capacity, zeroed};
use dndi_simd::{Kernels, Lines};

/// One change of a picture.
#[derive(Debug)]
enum Change<S> {
    /// Chroma conversion, with lines of the output's width.
    Resample(Resampling, Vec<S>),
    Turn(Orientation, PairedTurn<S>),
    Place(Canvas),
}

/// The changes of a stream's pictures in order. All but the last have a picture of their own.
#[derive(Debug)]
pub(super) struct GeometryStage<S> {
    before: Vec<(Change<S>, Frame)>,
    last: Change<S>,
}

impl<S: PlaneSample> GeometryStage<S> {
    /// The stage of these settings; none if nothing changes.
    pub fn new(settings: &Settings) -> Result<Option<GeometryStage<S>>, OutOfMemory> {
        let geometry = &settings.geometry;
        let mut format = settings.finished_format();
        let mut changes = with_capacity(3)?;
        let resampled = geometry.resampled(format);
        if resampled != format {
            let location = settings.chroma_location;
            let before = geometry.siting_in.unwrap_or_else(|| siting(format.sampling, location.into()));
            let after = geometry.siting_out.unwrap_or_else(|| siting(resampled.sampling, Siting::made_of(format.sampling)));
            let resampling = Resampling { samplings: [format.sampling, resampled.sampling], sitings: [before, after] };
            let wide = resampled.plane_size(1).0 * format.plane_size(1).1;
            changes.push((Change::Resample(resampling, zeroed(wide)?), resampled));
            format = resampled;
        }
        if let Some(orientation) = Orientation::of(geometry) {
            let pairs = if orientation.swaps_axes && format.sampling == Sampling::C422 {
                let samples = format.plane_size(1).0 * format.height.div_ceil(2);
                PairedTurn { averages: zeroed(samples)?, turned: zeroed(samples)? }
            } else {
                PairedTurn::default()
            };
            format = geometry.turned(format);
            changes.push((Change::Turn(orientation, pairs), format));
        }
        if let Some(canvas) = geometry.canvas {
            changes.push((Change::Place(canvas), geometry.format(settings.finished_format())));
        }
        let Some((last, _)) = changes.pop() else { return Ok(None) };
        let mut before = with_capacity(2)?;
        for (change, format) in changes {
            before.push((change, Frame::try_new(format)?));
        }
        Ok(Some(GeometryStage { before, last }))
    }

    /// Writes the changed `frame` to `out`.
    pub fn run(&mut self, kernels: &Kernels, frame: &Frame, out: &mut Frame) {
        let mut current = frame;
        for (change, next) in &mut self.before {
            change.run(kernels, current, next);
            current = next;
        }
        self.last.run(kernels, current, out);
    }
}

/// The siting of chroma of a sampling: 4:2:2 is always on the left.
fn siting(sampling: Sampling, of_420: Siting) -> Siting {
    if sampling == Sampling::C420 { of_420 } else { Siting { across: 0, down: 0 } }
}

/// A value of 8 bits in another depth.
fn deep<S: PlaneSample>(value: u8, format: Format) -> S {
    S::from_u32(u32::from(value) << (format.depth - 8))
}

impl<S: PlaneSample> Change<S> {
    fn run(&mut self, kernels: &Kernels, frame: &Frame, out: &mut Frame) {
        let (from, to) = (frame.format(), out.format());
        let sources = frame.input_planes::<S>();
        for (index, (plane, source)) in out.output_planes::<S>().into_iter().zip(sources).enumerate() {
            let ((width, height), size) = (from.plane_size(index), to.plane_size(index));
            let lines = Lines { data: source.data, stride: source.stride, width };
            match self {
                Change::Resample(..) if index == 0 => plane.copy_from_slice(source.data),
                Change::Resample(..) if from.sampling == Sampling::Mono => plane.fill(deep(128, from)),
                Change::Resample(resampling, wide) => convert(kernels, *resampling, (lines, height), (plane, size.0), wide),
                Change::Turn(orientation, pairs) if index > 0 && !pairs.averages.is_empty() => {
                    turn_pairs(kernels, *orientation, lines, (from.width, height), pairs, plane);
                }
                Change::Turn(orientation, _) => turn(kernels, *orientation, lines, height, plane),
                Change::Place(canvas) => {
                    let (across, down) = if index == 0 { (1, 1) } else { to.sampling.chroma_scale() };
                    let at = (i64::from(canvas.x).div_euclid(across as i64), i64::from(canvas.y).div_euclid(down as i64));
                    place((lines, height), at, deep(canvas.fill[index], to), plane, size.0);
                }
            }
        }
    }
}
