//! Planes with padded lines, and the views and bands by which stages read and write them (§1.2).
use crate::frame::{InputPlane, MIN_TASK_LINES, PlaneSample};
use crate::memory::{OutOfMemory, zeroed};
use dndi_simd::{APRON, Kernels, Sample};
use rayon::iter::Either;
use rayon::prelude::*;
use std::ops::Range;

pub(crate) mod top_lines;

/// Replicated samples on both sides of each line: the apron that kernels read, and as many samples
/// by which tiles and pairs may reach beyond the picture.
const PAD: usize = 2 * APRON;

/// A plane whose lines are padded on both sides with copies of their first and last sample.
#[derive(Debug, Default)]
pub(crate) struct PaddedPlane<S = u8> {
    data: Vec<S>,
    width: usize,
    height: usize,
}

impl<S: PlaneSample> PaddedPlane<S> {
    /// A plane of zeros; without samples if `width` is 0.
    pub fn new(width: usize, height: usize) -> Result<PaddedPlane<S>, OutOfMemory> {
        let data = if width == 0 { Vec::new() } else { zeroed((width + 2 * PAD) * height)? };
        Ok(PaddedPlane { data, width, height })
    }

    fn stride(&self) -> usize {
        self.width + 2 * PAD
    }

    /// A view that clamps lines to the picture.
    pub fn frame(&self) -> PlaneView<'_, S> {
        PlaneView { data: &self.data, stride: self.stride(), height: self.height, interlaced: false, first: 0 }
    }

    /// A view that clamps lines to the lines of their parity; the plane must have two lines.
    pub fn fields(&self) -> PlaneView<'_, S> {
        PlaneView { interlaced: true, ..self.frame() }
    }

    /// Views that clamp lines to the lines of their parity. `top` has the 8 most significant bits
    /// of words; for bytes it is not read.
    pub fn fields_with<'a>(&'a self, top: &'a PaddedPlane) -> LumaView<'a, S> {
        let samples = self.fields();
        let bytes = match S::as_bytes(samples.data) {
            Some(data) => PlaneView { data, stride: samples.stride, height: samples.height, interlaced: true, first: 0 },
            None => top.fields(),
        };
        LumaView { samples, bytes }
    }

    /// Copies the 8 most significant bits of samples of `depth` bits, and of their padding, to
    /// `top`.
    pub fn extract_top(&self, top: &mut PaddedPlane, kernels: &Kernels, depth: u8) {
        let lines =
            top.data.par_chunks_mut(self.stride() * MIN_TASK_LINES).zip(self.data.par_chunks(self.stride() * MIN_TASK_LINES));
        lines.for_each(|(top, samples)| (S::kernels(kernels).top_byte)(top, samples, depth - 8));
    }

    /// Changes the size. The samples are then unspecified.
    #[cfg(feature = "gen6")]
    pub fn reshape(&mut self, width: usize, height: usize) {
        (self.width, self.height) = (width, height);
        self.data.resize((width + 2 * PAD) * height, S::default());
    }

    /// All lines, to be written.
    #[cfg(feature = "gen6")]
    pub fn target(&mut self) -> BandMut<'_, S> {
        BandMut { stride: self.stride(), data: &mut self.data, margin: PAD, first: 0 }
    }

    /// Copies the caller's plane, which must have the same size.
    pub fn import(&mut self, kernels: &Kernels, plane: InputPlane<S>) {
        self.fill_lines(|y, line| plane.copy_line(kernels, y, line));
    }

    /// Copies a 4:1:1 chroma plane as 4:2:2: even samples are the input's, odd ones the average of
    /// their neighbours (§1.6).
    pub fn import_doubled(&mut self, plane: InputPlane<S>) {
        let last = self.width.div_ceil(2) - 1;
        self.fill_lines(|y, line| {
            let quarter = plane.line(y, last + 1);
            for (x, out) in line.iter_mut().enumerate() {
                let [here, next] = [x / 2, (x / 2 + 1).min(last)].map(|at| quarter[at].min(plane.most));
                *out = if x % 2 == 0 { here } else { S::from_u32((here.into() + next.into()) >> 1) };
            }
        });
    }

    /// Fills each line by `fill(line number, samples)` and pads it.
    fn fill_lines(&mut self, fill: impl Fn(usize, &mut [S]) + Sync) {
        let (stride, width) = (self.stride(), self.width);
        let lines = self.data.par_chunks_exact_mut(stride).enumerate().with_min_len(MIN_TASK_LINES);
        lines.for_each(|(y, padded)| {
            fill(y, &mut padded[PAD..PAD + width]);
            replicate(padded, width);
        });
    }
}

/// Copies the first and the last sample of a line into its padding.
fn replicate<S: Copy>(padded: &mut [S], width: usize) {
    let (first, last) = (padded[PAD], padded[PAD + width - 1]);
    padded[..PAD].fill(first);
    padded[PAD + width..].fill(last);
}

/// The lines of a plane. Lines above and below the picture are clamped by the scan (§1.2).
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlaneView<'a, S = u8> {
    data: &'a [S],
    stride: usize,
    height: usize,
    interlaced: bool,
    /// Number in the picture of the first line of the data.
    first: usize,
}

impl<'a, S: Sample> PlaneView<'a, S> {
    /// `width` samples of line `y` from `x` on, with [`APRON`] more on both sides. `y` may lie
    /// outside; `x` and the end may lie outside by up to [`APRON`].
    #[inline]
    pub fn row(&self, y: isize, x: isize, width: usize) -> &'a [S] {
        let start = (self.clamped(y) - self.first) * self.stride + (PAD - APRON).wrapping_add_signed(x);
        &self.data[start..start + width + 2 * APRON]
    }

    /// `width` samples of line `y` from `x` on, without apron.
    #[inline]
    pub fn line(&self, y: isize, x: usize, width: usize) -> &'a [S] {
        &self.row(y, x as isize, width)[APRON..APRON + width]
    }

    /// The line inside the picture that is read for line `y`.
    fn clamped(&self, y: isize) -> usize {
        let height = self.height as isize;
        let parity = if self.interlaced { y & 1 } else { 0 };
        let last = if self.interlaced { height - 1 - ((height - 1 - parity) & 1) } else { height - 1 };
        y.clamp(parity, last) as usize
    }
}

/// A luma plane with the 8 most significant bits of its samples, which decisions read (§9.2).
#[derive(Debug, Default)]
pub(crate) struct LumaPlane<S = u8> {
    pub samples: PaddedPlane<S>,
    /// The 8 most significant bits; empty if the samples have no more, or if they are not needed.
    top: PaddedPlane,
    /// Bits of a sample beyond 8.
    shift: u8,
}

impl<S: PlaneSample> LumaPlane<S> {
    /// Views that clamp lines to the lines of their parity; the plane must have two lines.
    pub fn fields(&self) -> LumaView<'_, S> {
        self.samples.fields_with(&self.top)
    }

    /// The view of the 8 most significant bits. `made` receives them if the plane does not keep
    /// them.
    pub fn top_fields<'a>(&'a self, kernels: &Kernels, made: &'a mut PaddedPlane) -> Result<PlaneView<'a>, OutOfMemory> {
        let (width, height) = (self.samples.width, self.samples.height);
        if S::as_bytes(&self.samples.data).is_none() && self.top.data.is_empty() {
            *made = PaddedPlane::new(width, height)?;
            self.samples.extract_top(made, kernels, self.shift + 8);
            return Ok(made.fields());
        }
        Ok(self.fields().bytes)
    }

    /// Copies the caller's plane, which must have the same size.
    pub fn import(&mut self, kernels: &Kernels, plane: InputPlane<S>) {
        if self.top.data.is_empty() {
            return self.samples.import(kernels, plane);
        }
        let (width, height) = (self.samples.width, self.samples.height);
        self.bands_mut(MIN_TASK_LINES).enumerate().for_each(|(band, mut lines)| {
            let first = band * MIN_TASK_LINES;
            for y in first..(first + MIN_TASK_LINES).min(height) {
                plane.copy_line(kernels, y, lines.samples.line(y, 0, width));
                lines.finish(kernels, y..y + 1);
            }
        });
    }
}

/// A plane that the denoise filter reads and writes.
pub(crate) trait FilteredPlane: Sized {
    type Sample: PlaneSample;

    /// A plane of zeros with samples of `depth` bits; without samples if `width` is 0. With `tops`
    /// it can keep the 8 most significant bits, for decisions.
    fn new(width: usize, height: usize, depth: u8, tops: bool) -> Result<Self, OutOfMemory>;

    /// The samples with all bits.
    fn samples(&self) -> &PaddedPlane<Self::Sample>;

    /// The plane cut into bands of `lines` lines that are written independently.
    fn bands_mut(&mut self, lines: usize) -> impl IndexedParallelIterator<Item = PlaneBand<'_, Self::Sample>>;
}

impl<S: PlaneSample> FilteredPlane for PaddedPlane<S> {
    type Sample = S;

    fn new(width: usize, height: usize, _: u8, _: bool) -> Result<PaddedPlane<S>, OutOfMemory> {
        PaddedPlane::new(width, height)
    }

    fn samples(&self) -> &PaddedPlane<S> {
        self
    }

    fn bands_mut(&mut self, lines: usize) -> impl IndexedParallelIterator<Item = PlaneBand<'_, S>> {
        let stride = self.stride();
        let bands = self.data.par_chunks_mut(stride * lines).enumerate();
        bands.map(move |(band, data)| {
            let samples = BandMut { data, stride, margin: PAD, first: band * lines };
            PlaneBand { samples, top: &mut [], shift: 0 }
        })
    }
}

impl<S: PlaneSample> FilteredPlane for LumaPlane<S> {
    type Sample = S;

    fn new(width: usize, height: usize, depth: u8, tops: bool) -> Result<LumaPlane<S>, OutOfMemory> {
        let samples = PaddedPlane::new(width, height)?;
        let is_kept = tops && S::as_bytes(&samples.data).is_none();
        let top = if is_kept { PaddedPlane::new(width, height)? } else { PaddedPlane::default() };
        Ok(LumaPlane { samples, top, shift: depth - 8 })
    }

    fn samples(&self) -> &PaddedPlane<S> {
        &self.samples
    }

    fn bands_mut(&mut self, lines: usize) -> impl IndexedParallelIterator<Item = PlaneBand<'_, S>> {
        let LumaPlane { samples, top, shift } = self;
        let (stride, shift) = (samples.stride(), *shift);
        let bands = samples.data.par_chunks_mut(stride * lines);
        let bands = if top.data.is_empty() {
            Either::Left(bands.map(|samples| (samples, &mut [][..])))
        } else {
            Either::Right(bands.zip(top.data.par_chunks_mut(stride * lines)))
        };
        bands.enumerate().map(move |(band, (data, top))| {
            let samples = BandMut { data, stride, margin: PAD, first: band * lines };
            PlaneBand { samples, top, shift }
        })
    }
}

/// A band of a [`FilteredPlane`].
pub(crate) struct PlaneBand<'a, S = u8> {
    /// The samples with all bits.
    pub samples: BandMut<'a, S>,
    /// The 8 most significant bits of the samples and of their padding, if they are kept.
    top: &'a mut [u8],
    shift: u8,
}

impl<S: PlaneSample> PlaneBand<'_, S> {
    /// Pads lines of the picture once they are written, and extracts their 8 most significant bits.
    /// Few lines at a time are still in a first-level cache.
    pub fn finish(&mut self, kernels: &Kernels, lines: Range<usize>) {
        let BandMut { stride, first, .. } = self.samples;
        let samples = (lines.start - first) * stride..(lines.end - first) * stride;
        let data = &mut self.samples.data[samples.clone()];
        data.chunks_exact_mut(stride).for_each(|padded| replicate(padded, stride - 2 * PAD));
        if !self.top.is_empty() {
            (S::kernels(kernels).top_byte)(&mut self.top[samples], data, self.shift);
        }
    }
}

/// The lines of a luma plane with all bits and with 8.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LumaView<'a, S = u8> {
    pub samples: PlaneView<'a, S>,
    pub bytes: PlaneView<'a>,
}

/// Bytes serve pixels and decisions.
impl<'a> From<PlaneView<'a>> for LumaView<'a> {
    fn from(view: PlaneView<'a>) -> LumaView<'a> {
        LumaView { samples: view, bytes: view }
    }
}

/// One value for each pair of pixels of a picture.
#[derive(Debug, Default)]
pub(crate) struct PairPlane {
    data: Vec<u8>,
    pairs: usize,
}

impl PairPlane {
    /// For a picture of `width` × `height` pixels.
    pub fn new(width: usize, height: usize) -> Result<PairPlane, OutOfMemory> {
        let pairs = width.div_ceil(2);
        Ok(PairPlane { data: zeroed(pairs * height)?, pairs })
    }

    /// Changes the size. The values are then unspecified.
    #[cfg(feature = "gen6")]
    pub fn reshape(&mut self, width: usize, height: usize) {
        self.pairs = width.div_ceil(2);
        self.data.resize(self.pairs * height, 0);
    }

    /// All lines, to be written.
    pub fn target(&mut self) -> BandMut<'_> {
        BandMut::new(&mut self.data, self.pairs, 0)
    }

    /// `count` values of line `y` from pair `first` on.
    pub fn line(&self, y: usize, first: usize, count: usize) -> &[u8] {
        &self.data[y * self.pairs + first..][..count]
    }

    /// Sets all values.
    pub fn fill(&mut self, value: u8) {
        self.data.fill(value);
    }

    /// The sum of all values.
    pub fn sum(&self) -> u64 {
        self.data.par_chunks(1 << 16).map(|values| values.iter().map(|&v| v as u32).sum::<u32>() as u64).sum()
    }

    /// All values, line after line.
    pub fn values(&self) -> &[u8] {
        &self.data
    }

    /// The plane cut into bands of `lines` lines that are written independently.
    pub fn bands_mut(&mut self, lines: usize) -> impl IndexedParallelIterator<Item = BandMut<'_>> {
        let stride = self.pairs;
        let bands = self.data.par_chunks_mut(stride * lines).enumerate();
        bands.map(move |(band, data)| BandMut::new(data, stride, band * lines))
    }
}

/// Output lines of a tile: the lines of one band of a plane.
pub(crate) struct BandMut<'a, S = u8> {
    data: &'a mut [S],
    stride: usize,
    /// Samples before the first sample of each line.
    margin: usize,
    /// Number in the picture of the band's first line.
    first: usize,
}

impl<'a, S: Copy> BandMut<'a, S> {
    /// A band of lines without padding, the first of them line `first` of the picture.
    pub fn new(data: &'a mut [S], stride: usize, first: usize) -> BandMut<'a, S> {
        BandMut { data, stride, margin: 0, first }
    }

    /// `width` samples of line `y` of the picture, from `x` on.
    pub fn line(&mut self, y: usize, x: usize, width: usize) -> &mut [S] {
        &mut self.data[(y - self.first) * self.stride + self.margin + x..][..width]
    }

    /// Pads the lines of a [`PaddedPlane`] once they are written.
    #[cfg(feature = "gen6")]
    pub fn replicate(&mut self) {
        let width = self.stride - 2 * PAD;
        self.data.chunks_exact_mut(self.stride).for_each(|padded| replicate(padded, width));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dndi_simd::SimdLevel;

    fn numbered(width: usize, height: usize) -> PaddedPlane {
        let data: Vec<u8> = (0..width * height).map(|i| i as u8).collect();
        let mut plane = PaddedPlane::new(width, height).unwrap();
        plane.import(Kernels::at(SimdLevel::Scalar).unwrap(), InputPlane { data: &data, stride: width, most: 255 });
        plane
    }

    /// The example of §1.2: lines -3…6 of a plane of four lines.
    #[test]
    fn lines_outside_the_picture_keep_their_parity() {
        let plane = numbered(1, 4);
        let seen: Vec<u8> = (-3..7).map(|y| plane.fields().line(y, 0, 1)[0]).collect();
        assert_eq!(seen, [1, 0, 1, 0, 1, 2, 3, 2, 3, 2]);
        let seen: Vec<u8> = (-2..6).map(|y| plane.frame().line(y, 0, 1)[0]).collect();
        assert_eq!(seen, [0, 0, 0, 1, 2, 3, 3, 3]);
    }

    #[test]
    fn samples_outside_the_picture_repeat_the_edge() {
        let plane = numbered(3, 2);
        let row = plane.frame().row(1, -2, 7);
        let want: Vec<u8> = (-2 - APRON as isize..5 + APRON as isize).map(|x| 3 + x.clamp(0, 2) as u8).collect();
        assert_eq!(row, want);
    }

    #[test]
    fn doubled_chroma_ends_with_the_picture() {
        let mut plane = PaddedPlane::<u8>::new(5, 1).unwrap();
        plane.import_doubled(InputPlane { data: &[10, 21, 40], stride: 3, most: 255 });
        assert_eq!(plane.frame().line(0, 0, 5), [10, 15, 21, 30, 40]);
        assert_eq!(plane.frame().row(0, 0, 5)[APRON + 5..], [40; APRON]);
    }
}
