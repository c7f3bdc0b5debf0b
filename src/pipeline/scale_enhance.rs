//! What follows the deinterlacer: scaling, then enhancement (§5). In interlaced frames the lines of either field stay by themselves.
use super::context::StepContext;
use super::settings::Settings;
use crate::enhance::{self, DeepPlane, Filter};
use crate::format::Rect;
use crate::frame::{BytePlane, Frame};
use crate::scale::{self, Pending, Plan, Plane, Scratch};
use crate::scratch_pool::ScratchPool;
use dndi_simd::Lines;
use rayon::iter::Either;
use rayon::prelude::*;

/// What is kept from frame to frame.
#[derive(Debug)]
pub(super) struct ScaleEnhance {
    plan: Option<Plan>,
    /// Luma before the enhancement; empty without it.
    deep: DeepPlane,
    /// Interlaced frames leave.
    fields: bool,
    pool: ScratchPool<BandScratch>,
}

/// BandScratch for a band.
#[derive(Debug)]
struct BandScratch {
    scale: Scratch,
    /// A line of the enhancement; empty without it.
    line: Vec<u16>,
}

/// The fewest lines of a band.
const LINES: usize = 64;

/// How planes are cut, one band for each task. It changes no bit.
#[derive(Clone, Copy, Debug)]
struct Bands {
    count: usize,
}

impl Bands {
    /// A scaled band begins with lines that the one above filtered, too: as few as keep all threads busy.
    fn for_threads(threads: usize) -> Bands {
        Bands { count: if threads == 1 { 1 } else { 2 * threads } }
    }

    /// Lines of a band of a plane of `height` lines; even, so that fields begin with each.
    fn lines(self, height: usize) -> usize {
        height.div_ceil(self.count).next_multiple_of(2).max(LINES)
    }
}

/// Where the lines of a band go: out, in 8 bits, or to the enhancement in 10.
enum Sink<'a> {
    Bytes(&'a mut [u8]),
    Deep(&'a mut [u16]),
}

impl Sink<'_> {
    fn put(&mut self, line: usize, samples: Pending) {
        let width = samples.width();
        match self {
            Sink::Bytes(data) => samples.bytes(&mut data[line * width..][..width]),
            Sink::Deep(data) => enhance::put(data, line, samples.words().iter().copied()),
        }
    }
}

impl ScaleEnhance {
    /// None where frames leave as the deinterlacer or the denoise filter made them.
    pub fn new(settings: &Settings) -> Option<ScaleEnhance> {
        if settings.scale.is_none() && settings.sharpen.is_none() {
            return None;
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
        let out = settings.output_format();
        let deep = settings.sharpen.map_or_else(DeepPlane::default, |_| DeepPlane::new(out.width, out.height));
        let plan = settings.scale.as_ref().map(plan);
        let scratch = || BandScratch {
            scale: plan.as_ref().map_or_else(Scratch::default, |plan| Scratch::new(plan, out.width)),
            line: vec![0; if settings.sharpen.is_some() { out.width } else { 0 }],
        };
        let pool = ScratchPool::new(out.height.div_ceil(LINES), scratch);
        Some(ScaleEnhance { plan, deep, fields, pool })
    }

    /// Scales a picture into `out`; with enhancement the luma does not get there yet.
    pub fn scale(&mut self, context: StepContext, picture: &[BytePlane; 3], out: &mut Frame) {
        let bands = Bands::for_threads(rayon::current_num_threads());
        let Some(plan) = &self.plan else { return };
        let (format, enhanced) = (out.format(), context.settings.sharpen.is_some());
        let job = Job { context, plan, picture, fields: self.fields };
        let sizes = [0, 1, 2].map(|index| format.plane_size(index));
        let lines = sizes.map(|(_, height)| bands.lines(height));
        let [y, u, v] = out.planes_mut();
        let bytes = |plane, index: usize| {
            let plane: &mut [u8] = plane;
            plane.par_chunks_mut(sizes[index].0.max(1) * lines[index]).map(Sink::Bytes)
        };
        let luma = match enhanced {
            true => Either::Left(self.deep.bands_mut(lines[0]).map(Sink::Deep)),
            false => Either::Right(bytes(y, 0)),
        };
        let (u, v) = (bytes(u, 1), bytes(v, 2));
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

    /// Enhances `frame`, whose luma stands in it or, once scaled, in 10 bits; `noise` is the global noise estimate to go by.
    pub fn enhance(&mut self, context: StepContext, noise: u8, frame: &mut Frame) {
        let Some(kind) = context.settings.sharpen else { return };
        let bands = Bands::for_threads(rayon::current_num_threads());
        let (width, height) = frame.format().plane_size(0);
        let lines = bands.lines(height);
        let [luma, ..] = frame.planes_mut();
        if self.plan.is_none() {
            let bands = self.deep.bands_mut(lines).zip(luma.par_chunks(width * lines));
            bands.for_each(|(deep, luma)| {
                for (line, samples) in luma.chunks_exact(width).enumerate() {
                    enhance::put(deep, line, samples.iter().map(|&v| (v as u16) << 2));
                }
            });
        }
        let filter = Filter::new(kind, &context.settings.parameters.sharpen, noise);
        let input = enhance::Input { kernels: context.kernels, filter: &filter, plane: &self.deep, fields: self.fields };
        luma.par_chunks_mut(width * lines).enumerate().for_each(|(band, luma)| {
            let line = &mut self.pool.get().line;
            let rect = Rect { x: 0, y: band * lines, width, height: luma.len() / width };
            enhance::tile(&input, rect, line, |y, samples| {
                (context.kernels.narrow)(&mut luma[(y - rect.y) * width..][..width], samples, 2);
            });
        });
    }
}

/// The scaling of one frame.
#[derive(Clone, Copy)]
struct Job<'a> {
    context: StepContext<'a>,
    plan: &'a Plan,
    picture: &'a [BytePlane<'a>; 3],
    fields: bool,
}

impl<'a> Job<'a> {
    /// Scales the planes `indices`, which one decision serves, into bands of `lines` lines each.
    fn run<const N: usize>(
        self,
        indices: [usize; N],
        sinks: impl IndexedParallelIterator<Item = [Sink<'a>; N]>,
        lines: usize,
        pool: &ScratchPool<BandScratch>,
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

    /// A plane of the frame, or its field.
    fn plane(&self, index: usize, field: usize) -> Plane<'a> {
        let (width, height) = self.context.settings.frame_format().plane_size(index);
        let BytePlane { data, stride } = self.picture[index];
        let (step, first) = if self.fields { (2, field * stride) } else { (1, 0) };
        let plan = self.plan.plane(index);
        let source = Lines { data: &data[first..], stride: step * stride, width };
        Plane { plan, lines: &plan.lines[field], source, height: (height - field).div_ceil(step) }
    }
}
