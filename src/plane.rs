//! Padded planes, and the lines of them that the stages read (§1.2).
use crate::frame::{BytePlane, MIN_TASK_LINES};
use dndi_simd::APRON;
use rayon::prelude::*;

/// The number of replicated samples on both sides of each line: the apron of the kernels, and as
/// much again for tiles and pairs that extend beyond the picture.
const PAD: usize = 2 * APRON;

/// A plane whose lines are padded on both sides with copies of their first and last sample.
#[derive(Debug, Default)]
pub(crate) struct PaddedPlane {
    data: Vec<u8>,
    width: usize,
    height: usize,
}

impl PaddedPlane {
    /// A plane of `width`×`height` samples; empty for a width of 0.
    pub fn new(width: usize, height: usize) -> PaddedPlane {
        let data = if width == 0 { Vec::new() } else { vec![0; (width + 2 * PAD) * height] };
        PaddedPlane { data, width, height }
    }

    fn stride(&self) -> usize {
        self.width + 2 * PAD
    }

    /// A view that clamps lines to the picture.
    pub fn frame(&self) -> PlaneView<'_> {
        PlaneView { plane: self, interlaced: false }
    }

    /// A view that clamps lines to their field, which must have a line.
    pub fn fields(&self) -> PlaneView<'_> {
        PlaneView { plane: self, interlaced: true }
    }

    /// Changes the size. The contents are undefined afterwards.
    #[cfg(feature = "gen6")]
    pub fn reshape(&mut self, width: usize, height: usize) {
        (self.width, self.height) = (width, height);
        self.data.resize((width + 2 * PAD) * height, 0);
    }

    /// All lines, for writing.
    #[cfg(feature = "gen6")]
    pub fn target(&mut self) -> BandMut<'_> {
        BandMut { stride: self.stride(), data: &mut self.data, margin: PAD, first: 0 }
    }

    /// Copies a plane of the caller, which has the size of this plane.
    pub fn import(&mut self, plane: BytePlane) {
        let width = self.width;
        self.fill_lines(|y, line| line.copy_from_slice(&plane.data[y * plane.stride..][..width]));
    }

    /// Doubles a 4:1:1 chroma plane to 4:2:2: even samples are copied, odd samples are the average
    /// of their two neighbours, rounded down (§1.6).
    pub fn import_doubled(&mut self, plane: BytePlane) {
        let last = self.width.div_ceil(2) - 1;
        self.fill_lines(|y, line| {
            let quarter = &plane.data[y * plane.stride..][..=last];
            for (x, out) in line.iter_mut().enumerate() {
                let (here, next) = (quarter[x / 2], quarter[(x / 2 + 1).min(last)]);
                *out = if x % 2 == 0 { here } else { ((here as u16 + next as u16) >> 1) as u8 };
            }
        });
    }

    fn fill_lines(&mut self, fill: impl Fn(usize, &mut [u8]) + Sync) {
        let (stride, width) = (self.stride(), self.width);
        let lines = self.data.par_chunks_exact_mut(stride).enumerate().with_min_len(MIN_TASK_LINES);
        lines.for_each(|(y, padded)| {
            fill(y, &mut padded[PAD..PAD + width]);
            replicate(padded, width);
        });
    }

    /// The plane split into bands of `lines` lines that can be written in parallel.
    pub fn bands_mut(&mut self, lines: usize) -> impl IndexedParallelIterator<Item = BandMut<'_>> {
        let stride = self.stride();
        let bands = self.data.par_chunks_mut(stride * lines).enumerate();
        bands.map(move |(band, data)| BandMut { data, stride, margin: PAD, first: band * lines })
    }
}

/// Writes the padding of a line.
fn replicate(padded: &mut [u8], width: usize) {
    let (first, last) = (padded[PAD], padded[PAD + width - 1]);
    padded[..PAD].fill(first);
    padded[PAD + width..].fill(last);
}

/// A view of the lines of a plane that clamps lines above and below the picture to the frame or to
/// their field.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlaneView<'a> {
    plane: &'a PaddedPlane,
    interlaced: bool,
}

impl<'a> PlaneView<'a> {
    /// `width` samples of line `y` from column `x` on, with [`APRON`] more on both sides. The line
    /// may be outside the picture. Both ends may be outside by up to [`APRON`] columns.
    #[inline]
    pub fn row(&self, y: isize, x: isize, width: usize) -> &'a [u8] {
        let start = self.clamped(y) * self.plane.stride() + (PAD - APRON).wrapping_add_signed(x);
        &self.plane.data[start..start + width + 2 * APRON]
    }

    /// `width` samples of line `y` from column `x` on, without apron.
    #[inline]
    pub fn line(&self, y: isize, x: usize, width: usize) -> &'a [u8] {
        &self.row(y, x as isize, width)[APRON..APRON + width]
    }

    fn clamped(&self, y: isize) -> usize {
        let height = self.plane.height as isize;
        let parity = if self.interlaced { y & 1 } else { 0 };
        let last = if self.interlaced { height - 1 - ((height - 1 - parity) & 1) } else { height - 1 };
        y.clamp(parity, last) as usize
    }
}

/// A plane with one value per horizontal pair of pixels.
#[derive(Debug, Default)]
pub(crate) struct PairPlane {
    data: Vec<u8>,
    pairs: usize,
}

impl PairPlane {
    /// A plane for a picture of `width`×`height` pixels.
    pub fn new(width: usize, height: usize) -> PairPlane {
        let pairs = width.div_ceil(2);
        PairPlane { data: vec![0; pairs * height], pairs }
    }

    /// Changes the size. The contents are undefined afterwards.
    #[cfg(feature = "gen6")]
    pub fn reshape(&mut self, width: usize, height: usize) {
        self.pairs = width.div_ceil(2);
        self.data.resize(self.pairs * height, 0);
    }

    /// All lines, for writing.
    pub fn target(&mut self) -> BandMut<'_> {
        BandMut::new(&mut self.data, self.pairs, 0)
    }

    /// `count` values of line `y`, from pair `first` on.
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

    /// All values, line by line.
    pub fn values(&self) -> &[u8] {
        &self.data
    }

    /// The plane split into bands of `lines` lines that can be written in parallel.
    pub fn bands_mut(&mut self, lines: usize) -> impl IndexedParallelIterator<Item = BandMut<'_>> {
        let stride = self.pairs;
        let bands = self.data.par_chunks_mut(stride * lines).enumerate();
        bands.map(move |(band, data)| BandMut::new(data, stride, band * lines))
    }
}

/// The lines of one band of a plane, for writing.
pub(crate) struct BandMut<'a> {
    data: &'a mut [u8],
    stride: usize,
    margin: usize,
    first: usize,
}

impl<'a> BandMut<'a> {
    /// Lines of `stride` samples without padding; the first one is line `first` of the picture.
    pub fn new(data: &'a mut [u8], stride: usize, first: usize) -> BandMut<'a> {
        BandMut { data, stride, margin: 0, first }
    }

    /// `width` samples of line `y` of the picture, from column `x` on.
    pub fn line(&mut self, y: usize, x: usize, width: usize) -> &mut [u8] {
        &mut self.data[(y - self.first) * self.stride + self.margin + x..][..width]
    }

    /// Writes the padding of all lines of a [`PaddedPlane`], after their samples were written.
    pub fn replicate(&mut self) {
        let width = self.stride - 2 * PAD;
        self.data.chunks_exact_mut(self.stride).for_each(|padded| replicate(padded, width));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbered(width: usize, height: usize) -> PaddedPlane {
        let data: Vec<u8> = (0..width * height).map(|i| i as u8).collect();
        let mut plane = PaddedPlane::new(width, height);
        plane.import(BytePlane { data: &data, stride: width });
        plane
    }

    /// The example of §1.2: lines -3…6 of a plane of four lines.
    #[test]
    fn lines_outside_stay_in_their_field() {
        let plane = numbered(1, 4);
        let seen: Vec<u8> = (-3..7).map(|y| plane.fields().line(y, 0, 1)[0]).collect();
        assert_eq!(seen, [1, 0, 1, 0, 1, 2, 3, 2, 3, 2]);
        let seen: Vec<u8> = (-2..6).map(|y| plane.frame().line(y, 0, 1)[0]).collect();
        assert_eq!(seen, [0, 0, 0, 1, 2, 3, 3, 3]);
    }

    #[test]
    fn samples_outside_repeat_the_edge() {
        let plane = numbered(3, 2);
        let row = plane.frame().row(1, -2, 7);
        let want: Vec<u8> = (-2 - APRON as isize..5 + APRON as isize).map(|x| 3 + x.clamp(0, 2) as u8).collect();
        assert_eq!(row, want);
    }

    #[test]
    fn doubled_chroma_ends_with_the_picture() {
        let mut plane = PaddedPlane::new(5, 1);
        plane.import_doubled(BytePlane { data: &[10, 21, 40], stride: 3 });
        assert_eq!(plane.frame().line(0, 0, 5), [10, 15, 21, 30, 40]);
        assert_eq!(plane.frame().row(0, 0, 5)[APRON + 5..], [40; APRON]);
    }
}
