//! Encoder statistics: differences of each block of 16×4 pixels, for a video encoder (§13.12).
use super::context::StepContext;
use super::step::State;
use crate::fmd;
use crate::format::Rect;
use crate::frame::PlaneSample;
use crate::plane::PlaneView;
use dndi_simd::Sample;
use rayon::prelude::*;

/// Size of a block in pixels and lines.
const BLOCK: (usize, usize) = (16, 4);

/// The greatest value that a shift and a mantissa can hold.
const MOST: u64 = 0x1ff << 8;

/// Number of blocks in a row and of rows.
pub(super) fn grid((width, height): (usize, usize)) -> (usize, usize) {
    (width.div_ceil(BLOCK.0), height.div_ceil(BLOCK.1))
}

/// The four DWords of a block: differences in time and space of the denoise filter, variances of
/// film mode detection, and whether the top field is the earlier one.
fn pack([stad, shcm, svcm]: [u64; 3], v: &[u64; 11], top_first: bool) -> [u32; 4] {
    let [stad, shcm, svcm] = [stad, shcm, svcm].map(floating);
    let [tt, bb, tb, cross_top, cross_bottom] = [v[0], v[1], v[2], v[3], v[4]].map(floating);
    let byte = |value: u64| value.min(255) as u32;
    let join = |bits: u32, values: &[u32]| values.iter().fold(0, |word, value| word << bits | value);
    let shifts = [stad, shcm, svcm, tt, bb, tb, cross_top, cross_bottom].map(|(shift, _)| shift);
    [
        join(8, &[byte(v[8]), byte(if top_first { v[9] } else { v[10] }), byte(v[7]), 0]),
        join(4, &shifts),
        join(8, &[bb.1, tb.1, cross_top.1, cross_bottom.1]),
        join(8, &[stad.1, shcm.1, svcm.1, tt.1]),
    ]
}

/// Shift and mantissa of a value, which are read back as `((0x100 | mantissa) << shift) >> 7`, or
/// as the mantissa if the shift is 0.
fn floating(value: u64) -> (u32, u32) {
    let value = value.min(MOST);
    if value < 256 {
        return (0, value as u32);
    }
    let shift = value.ilog2() - 1;
    (shift, (value >> (shift - 7)) as u32 & 255)
}

/// stad, shcm and svcm of a block (§2.1): the sums of its four 4×4 blocks, each shifted right by 2.
/// `extra` is the number of bits of a sample beyond 8, by which the sums are shifted, too. stad is
/// 0 without a previous frame.
fn differences<S: Sample>(current: PlaneView<S>, previous: Option<PlaneView<S>>, (x, y): (usize, usize), extra: u8) -> [u64; 3] {
    let lines = |view: PlaneView<'_, S>| [0, 1, 2, 3].map(|line| view.line((y + line) as isize, x, BLOCK.0)).map(to_words);
    let c = lines(current);
    let p = previous.map_or(c, lines);
    let mut sums = [0; 3];
    for first in [0, 4, 8, 12] {
        let mut block = [0u64; 3];
        for (j, i) in (0..4).flat_map(|j| (first..first + 4).map(move |i| (j, i))) {
            block[0] += u64::from(c[j][i].abs_diff(p[j][i]));
            if i % 4 < 3 {
                block[1] += u64::from(c[j][i].abs_diff(c[j][i + 1]));
            }
            if j < 3 {
                block[2] += u64::from(c[j][i].abs_diff(c[j + 1][i]));
            }
        }
        sums.iter_mut().zip(block).for_each(|(sum, block)| *sum += block >> (2 + extra));
    }
    sums
}

/// The samples of a line of a block.
fn to_words<S: Sample>(line: &[S]) -> [u32; BLOCK.0] {
    std::array::from_fn(|i| line[i].into())
}

impl<S: PlaneSample> State<S> {
    /// Fills the buffer of encoder statistics, between [`step`](State::step) and
    /// [`end_step`](State::end_step).
    pub fn fill_encoder_statistics(&mut self, context: StepContext, first: bool) {
        let State { encoder, tiling, pool, luma, current, previous, .. } = self;
        let (size, settings) = (context.size(), context.settings);
        let columns = grid(size).0;
        let original = luma.original().map(|original| context.lines(&original.samples));
        let before = (!first).then(|| context.lines(&previous.luma.samples));
        let film = settings.deinterlace.then(|| fmd::Input {
            kernels: context.kernels,
            parameters: &settings.parameters.fmd,
            size,
            current: current.luma.fields().bytes,
            previous: (!first).then(|| previous.luma.fields().bytes),
        });
        let bands = encoder.par_chunks_mut(columns * (tiling.lines / BLOCK.1)).enumerate();
        bands.for_each(|(band, blocks)| {
            let scratch = &mut pool.get().film;
            for (index, block) in blocks.iter_mut().enumerate() {
                let (x, y) = (index % columns * BLOCK.0, band * tiling.lines + index / columns * BLOCK.1);
                let rect = Rect { x, y, width: BLOCK.0.min(size.0 - x), height: BLOCK.1.min(size.1 - y) };
                let sums = original.map(|current| differences(current, before, (x, y), settings.working_depth() - 8));
                let mut v = [0; 11];
                film.iter().for_each(|film| fmd::tile(film, rect, scratch, &mut v));
                *block = pack(sums.unwrap_or_default(), &v, context.top_first());
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The document's formula reads back all 17-bit values, with their 9 most significant bits.
    #[test]
    fn values_are_read_back_truncated() {
        for value in 0..1 << 17 {
            let (shift, mantissa) = floating(value);
            let back = if shift == 0 { mantissa } else { ((0x100 | mantissa) << shift) >> 7 };
            let lost = value.checked_ilog2().unwrap_or(0).saturating_sub(8);
            assert_eq!(u64::from(back), value >> lost << lost);
            assert!(shift < 16 && mantissa < 256);
        }
        assert_eq!(floating(u64::MAX), floating(130_816));
        assert_eq!((floating(255), floating(256), floating(511), floating(512)), ((0, 255), (7, 0), (7, 255), (8, 0)));
    }

    #[test]
    fn fields_are_where_the_document_has_them() {
        let v = [300, 400, 600, 1100, 3, 5, 6, 7, 8, 9, 10];
        let words = pack([256, 17, 513], &v, true);
        assert_eq!(words, [0x0809_0700, 0x7087_7890, 0x902c_1303, 0x0011_002c]);
        assert_eq!(pack([0; 3], &v, false)[0], 0x080a_0700);
        assert_eq!(pack([0; 3], &[1000; 11], true)[0], 0xffff_ff00);
    }
}
