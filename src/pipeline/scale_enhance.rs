//! Scaling, then sharpening (§5), after the deinterlacer. Fields of interlaced frames are processed
//! separately.
use super::context::StepContext;
use super::settings::Settings;
use crate::color::{SkinDetector, SkinLine};
use crate::enhance::{self, DeepPlane, Filter};
use crate::format::{Rect, Sampling};
use crate::frame::{Frame, InputPlane, PlaneSample};
use crate::memory::{OutOfMemory, zeroed};
use crate::scale::{self, Pending, Plan, Plane, Scratch};
use crate::scratch_pool::ScratchPool;
use dndi_simd::{Lines, unit_depth};
use rayon::iter::Either;
use rayon::prelude::*;

/// The scaler and the sharpening filter of a stream, with their buffers.
#[derive(Debug)]
pub(super) struct ScaleEnhance<S> {
    plan: Option<Plan>,
    /// Luma before sharpening, in P = max(10, n) bits of n (§9.4); empty without sharpening.
    deep: DeepPlane,
    /// Whether frames are processed field by field.
    fields: bool,
    /// Skin tone detection, if sharpening depends on it.
    skin: Option<SkinDetector>,
    pool: ScratchPool<BandScratch<S>>,
}

/// Scratch buffers for a band.
#[derive(Debug)]
struct BandScratch<S> {
    scale: Scratch<S>,
    /// A sharpened line; empty without sharpening.
    line: Vec<u16>,
    /// The skin tones of a line, if sharpening depends on them.
    skin: Option<SkinLine>,
}

/// Fewest lines of a band. The value follows from the scaler's groups of up to 64 source lines, it
/// is not measured: fewer lines do not fill them, and the source lines that a band filters again
/// are a larger part; more lines give small pictures fewer bands than threads.
const MIN_BAND_LINES: usize = 64;

/// The bands of a plane, one for each task. Their number does not affect any sample.
#[derive(Clone, Copy, Debug)]
struct Bands {
    count: usize,
}

impl Bands {
    /// Bands for this number of threads: as few as keep all threads busy, because a scaled band
    /// filters again some source lines of the band above.
    fn for_threads(threads: usize) -> Bands {
        Bands { count: if threads == 1 { 1 } else { 2 * threads } }
    }

    /// Lines of a band in a plane of `height` lines; even, so that each band begins with the top
    /// field.
    fn lines(self, height: usize) -> usize {
        height.div_ceil(self.count).next_multiple_of(2).max(MIN_BAND_LINES)
    }
}

/// Destination of the lines of a scaled band.
enum Sink<'a, S> {
    /// The output.
    Samples(&'a mut [S]),
    /// The sharpening filter, in P bits.
    Deep(&'a mut [u16]),
}

impl<S: PlaneSample> Sink<'_, S> {
    /// Computes the samples of line `line` of the band and writes them.
    fn put(&mut self, line: usize, samples: Pending) {
        let width = samples.width();
        match self {
            Sink::Samples(data) => samples.samples(&mut data[line * width..][..width]),
            Sink::Deep(data) => enhance::put(data, line, samples.words().iter().copied()),
        }
    }
}

impl<S: PlaneSample> ScaleEnhance<S> {
    /// The stages of these settings; none if frames are neither scaled nor sharpened.
    pub fn new(settings: &Settings) -> Result<Option<ScaleEnhance<S>>, OutOfMemory> {
        if settings.scale.is_none() && settings.sharpen.is_none() {
            return Ok(None);
        }
        let fields = settings.is_scaled_by_fields();
        let plan = |scale| {
            Plan::new(
                scale,
                settings.frame_format(),
                settings.chroma_location,
                fields,
                &settings.parameters.scaler,
                &settings.parameters.coefficients,
            )
        };
        let out = settings.finished_format();
        let deep = settings.sharpen.map_or_else(|| Ok(DeepPlane::default()), |_| DeepPlane::new(out.width, out.height))?;
        let plan = settings.scale.as_ref().map(plan).transpose()?;
        let tuned = settings.sharpen.is_some() && settings.parameters.sharpen.skin_tuned;
        let skin = SkinDetector::new(&settings.parameters.color, settings.working_depth()).filter(|_| tuned);
        let scratch = || {
            let scale = plan.as_ref().map_or_else(|| Ok(Scratch::default()), |plan| Scratch::new(plan, out.width))?;
            let line = zeroed(if settings.sharpen.is_some() { out.width } else { 0 })?;
            Ok(BandScratch { scale, line, skin: skin.as_ref().map(|_| SkinLine::new(out.width)).transpose()? })
        };
        let pool = ScratchPool::new(out.height.div_ceil(MIN_BAND_LINES), scratch)?;
        Ok(Some(ScaleEnhance { plan, deep, fields, skin, pool }))
    }

    /// Scales a picture into `out`, except for luma that is to be sharpened, which stays in P bits.
    pub fn scale(&mut self, context: StepContext, picture: &[InputPlane<S>; 3], out: &mut Frame) {
        let bands = Bands::for_threads(rayon::current_num_threads());
        let Some(plan) = &self.plan else { return };
        let (format, sharpened) = (out.format(), context.settings.sharpen.is_some());
        let job = Job { context, plan, picture, fields: self.fields };
        let sizes = [0, 1, 2].map(|index| format.plane_size(index));
        let lines = sizes.map(|(_, height)| bands.lines(height));
        let [y, u, v] = out.output_planes::<S>();
        let samples = |plane, index: usize| {
            let plane: &mut [S] = plane;
            plane.par_chunks_mut(sizes[index].0.max(1) * lines[index]).map(Sink::Samples)
        };
        let luma = match sharpened {
            true => Either::Left(self.deep.bands_mut(lines[0]).map(Sink::Deep)),
            false => Either::Right(samples(y, 0)),
        };
        let (u, v) = (samples(u, 1), samples(v, 2));
        let pool = &self.pool;
        if plan.joint || plan.mixed {
            let sinks = luma.zip(u).zip(v).map(|((y, u), v)| [y, u, v]);
            job.run([0, 1, 2], sinks, lines[0], pool);
        } else {
            job.run([0], luma.map(|y| [y]), lines[0], pool);
            if plan.planes.len() > 1 {
                job.run([1], u.map(|u| [u]), lines[1], pool);
                job.run([2], v.map(|v| [v]), lines[2], pool);
            }
        }
    }

    /// Sharpens the luma of `frame` for the global noise estimate `noise`, in 8-bit units. Scaled
    /// luma is taken from the plane of P bits, other luma from the frame.
    pub fn enhance(&mut self, context: StepContext, noise: u8, frame: &mut Frame) {
        let Some(mode) = context.settings.sharpen else { return };
        let bands = Bands::for_threads(rayon::current_num_threads());
        let (width, height) = frame.format().plane_size(0);
        let lines = bands.lines(height);
        let (depth, unit_depth) = (frame.format().depth, unit_depth(frame.format().depth));
        let sampling = frame.format().sampling;
        let [luma, u, v] = frame.output_planes::<S>();
        let chroma = [&*u, &*v];
        if self.plan.is_none() {
            let bands = self.deep.bands_mut(lines).zip(luma.par_chunks(width * lines));
            bands.for_each(|(deep, luma)| {
                for (line, samples) in luma.chunks_exact(width).enumerate() {
                    enhance::put(deep, line, samples.iter().map(|&v| (v.into() as u16) << (unit_depth - depth)));
                }
            });
        }
        let parameters = &context.settings.parameters.sharpen;
        let filter = Filter::new(mode, parameters, unit_depth, noise);
        let (kernels, plane) = (context.kernels, &self.deep);
        luma.par_chunks_mut(width * lines).enumerate().for_each(|(band, luma)| {
            let BandScratch { line, skin, .. } = &mut *self.pool.get();
            for (y, out) in luma.chunks_exact_mut(width).enumerate() {
                let y = band * lines + y;
                let shares: Option<&[u16]> = match (&self.skin, &mut *skin) {
                    (Some(detector), Some(skin)) => {
                        let chroma = chroma.map(|plane| chroma_line(sampling, plane, width, y));
                        let factors = detector.factors(kernels, sampling, plane.line(y), chroma, skin);
                        let share = enhance::share(parameters);
                        factors.iter_mut().for_each(|factor| *factor = share(*factor));
                        Some(factors)
                    }
                    _ => None,
                };
                let input = enhance::Input { kernels, filter: &filter, plane, fields: self.fields, shares };
                let rect = Rect { x: 0, y, width, height: 1 };
                enhance::tile(&input, rect, line, |_, samples| (S::kernels(kernels).narrow)(out, samples, depth));
            }
        });
    }
}

/// The line of a chroma plane at luma line `y` of `width` samples.
fn chroma_line<S>(sampling: Sampling, plane: &[S], width: usize, y: usize) -> &[S] {
    let width = sampling.chroma_width(width);
    let line = if sampling == Sampling::C420 { y / 2 } else { y };
    &plane[line * width..][..width]
}

/// The scaling of one frame.
#[derive(Clone, Copy)]
struct Job<'a, S> {
    context: StepContext<'a>,
    plan: &'a Plan,
    picture: &'a [InputPlane<'a, S>; 3],
    fields: bool,
}

impl<'a, S: PlaneSample> Job<'a, S> {
    /// Scales the planes `indices`, which share their weights, into bands of `lines` lines each.
    fn run<const N: usize>(
        self,
        indices: [usize; N],
        sinks: impl IndexedParallelIterator<Item = [Sink<'a, S>; N]>,
        lines: usize,
        pool: &ScratchPool<BandScratch<S>>,
    ) {
        let height = self.plan.plane(indices[0]).lines.iter().map(Vec::len).sum::<usize>();
        let step = if self.fields { 2 } else { 1 };
        sinks.enumerate().for_each(|(band, mut sinks)| {
            let scratch = &mut pool.get().scale;
            let top = band * lines;
            let inside = lines.min(height - top);
            for field in 0..step {
                let planes = indices.map(|index| self.plane(index, field));
                let input = scale::Input { kernels: self.context.kernels, plan: self.plan, planes: &planes };
                let width = planes[0].plan.columns.len();
                let rect = Rect { x: 0, y: top / step, width, height: (inside - field.min(inside)).div_ceil(step) };
                scale::tile(&input, rect, scratch, |plane, line, samples| {
                    sinks[plane].put(line * step + field - top, samples);
                });
            }
        });
    }

    /// A plane of the frame, or a field of it.
    fn plane(&self, index: usize, field: usize) -> Plane<'a, S> {
        let (width, height) = self.context.settings.frame_format().plane_size(index);
        let InputPlane { data, stride, most } = self.picture[index];
        let (step, first) = if self.fields { (2, field * stride) } else { (1, 0) };
        let plan = self.plan.plane(index);
        let source = Lines { data: &data[first..], stride: step * stride, width };
        Plane { plan, lines: &plan.lines[field], source, most, height: (height - field).div_ceil(step) }
    }
}
