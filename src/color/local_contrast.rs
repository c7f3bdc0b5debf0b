//! Local contrast (§13.6): curves of regions from their histograms, and their use on lines.
use super::extended_parameters::LocalContrastParameters;
use crate::memory::{OutOfMemory, with_capacity, zeroed};
use crate::scratch_pool::ScratchPool;
use dndi_simd::{Kernels, Lace, LaceCurves};
use rayon::prelude::*;

/// The number of values of a curve that holds the result at each 8-bit luma.
const DIRECT: usize = 256;

/// Local contrast of frames of one size.
#[derive(Debug)]
pub(crate) struct LocalContrast {
    shape: Shape,
    /// Histograms of the frame and of the one before it, if a curve uses more than those of its own
    /// frame; bins of each region, by rows.
    histograms: [Vec<u32>; 2],
    /// Whether the second ones are those of a frame.
    has_previous: bool,
    /// Histograms of a row of regions, if none are kept.
    pool: ScratchPool<Vec<u32>>,
    /// The curve of each region.
    curves: Vec<u16>,
    /// Runs of pixels of a line between the same centres.
    spans: Vec<Span>,
    /// Weight of the region at the right of each pixel, in 1/256.
    right: Vec<u16>,
}

/// Sizes and parameters.
#[derive(Clone, Debug)]
struct Shape {
    size: (usize, usize),
    region: usize,
    /// Regions in a row, and in a column.
    regions: (usize, usize),
    /// Bits per component, Q.
    bits: u8,
    /// log2 of the number of bins.
    log2_bins: u8,
    /// Whether curves are stored at each 8-bit luma.
    is_direct: bool,
    sets: u8,
    limit: u64,
    kernel: Lace,
}

/// Pixels `start..end` between the centres of two columns of regions.
#[derive(Clone, Copy, Debug)]
struct Span {
    start: usize,
    end: usize,
    columns: [usize; 2],
}

/// The regions before and after a position, and the weight of the second one in 1/256.
fn between(position: usize, region: usize, count: usize) -> ([usize; 2], u16) {
    let q = (((2 * position + 1) << 7) / region) as isize - 128;
    let clip = |v: isize| v.clamp(0, count as isize - 1) as usize;
    ([clip(q >> 8), clip((q >> 8) + 1)], (q & 255) as u16)
}

impl LocalContrast {
    /// Local contrast of frames of this size with components of `bits` bits. `is_coarse` is whether
    /// the luma has no bits below the 8 most significant ones.
    pub fn new(
        p: &LocalContrastParameters,
        size: (usize, usize),
        bits: u8,
        is_coarse: bool,
    ) -> Result<LocalContrast, OutOfMemory> {
        let region = usize::from(p.region);
        let regions = (size.0.div_ceil(region), size.1.div_ceil(region));
        let log2_bins = 7 + p.histogram_size;
        // Limits have 16 bits.
        let range = [p.min_luma, p.max_luma].map(|v| v >> (16 - bits));
        let kernel = Lace { strength: p.strength, range, log2_bins: if is_coarse { 8 } else { log2_bins }, is_direct: is_coarse };
        let shape = Shape {
            size,
            region,
            regions,
            bits,
            log2_bins,
            is_direct: is_coarse,
            sets: p.single_histogram_set,
            limit: p.limit.into(),
            kernel,
        };
        let kept = if shape.sets == 0 { 0 } else { shape.row_bins() * regions.1 };
        let mut right = zeroed(size.0)?;
        let mut spans = with_capacity(regions.0 + 2)?;
        for (x, right) in right.iter_mut().enumerate() {
            let (columns, weight) = between(x, region, regions.0);
            *right = weight;
            match spans.last_mut() {
                Some(Span { end, columns: last, .. }) if *last == columns => *end = x + 1,
                _ => spans.push(Span { start: x, end: x + 1, columns }),
            }
        }
        Ok(LocalContrast {
            histograms: [zeroed(kept)?, zeroed(kept)?],
            has_previous: false,
            pool: ScratchPool::new(regions.1, || zeroed(if kept == 0 { shape.row_bins() } else { 0 }))?,
            curves: zeroed(shape.values() * regions.0 * regions.1)?,
            spans,
            right,
            shape,
        })
    }

    /// Takes the histograms over from `old`, which this replaces, if they are of the same regions.
    pub fn continue_from(&mut self, old: &mut LocalContrast) {
        let (new, before) = (&self.shape, &old.shape);
        let same = (new.size, new.region, new.log2_bins) == (before.size, before.region, before.log2_bins);
        if same && self.histograms[1].len() == old.histograms[1].len() {
            std::mem::swap(&mut self.histograms, &mut old.histograms);
            self.has_previous = old.has_previous;
        }
    }

    /// Discards the histograms.
    pub fn reset(&mut self) {
        self.has_previous = false;
    }

    /// Computes the curves of a frame. `load` calls its second argument with the luma of a line
    /// behind the contrast curve.
    pub fn measure(&mut self, load: impl Fn(usize, &mut dyn FnMut(&[u16])) + Sync) {
        let LocalContrast { shape, histograms: [now, before], has_previous, curves, pool, .. } = self;
        let (shape, has_previous) = (&*shape, *has_previous);
        let fill = |row: usize, histograms: &mut [u32]| {
            histograms.fill(0);
            shape.lines(row).for_each(|y| load(y, &mut |luma| shape.count(histograms, luma)));
        };
        let rows = curves.par_chunks_mut(shape.values() * shape.regions.0).enumerate();
        if shape.sets == 0 {
            return rows.for_each(|(row, curves)| {
                let histograms = &mut *pool.get();
                fill(row, histograms);
                shape.set_curves(curves, |bin| histograms[bin]);
            });
        }
        let bins = shape.row_bins();
        let rows = rows.zip(now.par_chunks_mut(bins).zip(before.par_chunks(bins)));
        rows.for_each(|((row, curves), (now, before))| {
            fill(row, now);
            let now = &*now;
            let before = if has_previous { before } else { now };
            match shape.sets {
                1 => shape.set_curves(curves, |bin| before[bin]),
                _ => shape.set_curves(curves, |bin| now[bin] + before[bin]),
            }
        });
        self.histograms.swap(0, 1);
        self.has_previous = true;
    }

    /// Writes line `number` with the curves of its regions.
    pub fn line(&self, kernels: &Kernels, number: usize, dst: &mut [u16], y: &[u16], factor: &[u16]) {
        let shape = &self.shape;
        let (rows, below) = between(number, shape.region, shape.regions.1);
        let values = shape.values();
        for &Span { start, end, columns } in &self.spans {
            let [[a, b], [c, d]] =
                rows.map(|row| columns.map(|column| &self.curves[(row * shape.regions.0 + column) * values..][..values]));
            let curves = LaceCurves { curves: [a, b, c, d], right: &self.right[start..end], below };
            let pixels = start..end;
            (kernels.lace)(&mut dst[pixels.clone()], &y[pixels.clone()], &factor[pixels], &curves, &shape.kernel, shape.bits);
        }
    }
}

impl Shape {
    fn bins(&self) -> usize {
        1 << self.log2_bins
    }

    /// Bins of the histograms of a row of regions.
    fn row_bins(&self) -> usize {
        self.bins() * self.regions.0
    }

    /// Values of a curve.
    fn values(&self) -> usize {
        if self.is_direct { DIRECT } else { self.bins() }
    }

    /// The lines of a row of regions.
    fn lines(&self, row: usize) -> std::ops::Range<usize> {
        row * self.region..((row + 1) * self.region).min(self.size.1)
    }

    /// Adds a line to the histograms of its row of regions.
    fn count(&self, histograms: &mut [u32], luma: &[u16]) {
        let shift = self.bits - self.log2_bins;
        for (histogram, luma) in histograms.chunks_exact_mut(self.bins()).zip(luma[..self.size.0].chunks(self.region)) {
            for &y in luma {
                histogram[usize::from(y >> shift) % self.bins()] += 1;
            }
        }
    }

    /// Writes the curves of a row of regions, whose histograms are `count`.
    fn set_curves(&self, curves: &mut [u16], count: impl Fn(usize) -> u32) {
        for (column, curve) in curves.chunks_exact_mut(self.values()).enumerate() {
            let mut map = [0u16; 256];
            let map = &mut map[..self.bins()];
            self.equalise(map, |bin| u64::from(count(column * self.bins() + bin)));
            if !self.is_direct {
                curve.copy_from_slice(map);
                continue;
            }
            let shift = self.bits - self.log2_bins;
            let half = (1i32 << shift) >> 1;
            for (v, out) in curve.iter_mut().enumerate() {
                let at = ((v as i32) << (self.bits - 8)) - half;
                let (k, f) = (at >> shift, (at & (2 * half - 1)) as u32);
                let value = |k: i32| u32::from(map[k.clamp(0, map.len() as i32 - 1) as usize]);
                *out = ((value(k) * (2 * half as u32 - f) + value(k + 1) * f + half as u32) >> shift) as u16;
            }
        }
    }

    /// Writes the curve of a region with a histogram of `count`, which is limited.
    fn equalise(&self, map: &mut [u16], count: impl Fn(usize) -> u64) {
        let bins = map.len();
        let n: u64 = (0..bins).map(&count).sum();
        let most = ((n * self.limit) >> (4 + self.log2_bins)).max(1);
        let extra: u64 = (0..bins).map(|bin| count(bin).saturating_sub(most)).sum();
        let [low, high] = self.kernel.range.map(i64::from);
        let mut sum = 0;
        for (bin, out) in map.iter_mut().enumerate() {
            let limited = count(bin).min(most) + extra / bins as u64 + u64::from((bin as u64) < extra % bins as u64);
            sum += limited;
            let share = (high - low) * (2 * sum - limited) as i64;
            *out = (low + share.div_euclid(2 * n as i64)) as u16;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Outside the first and the last centre both regions are the same.
    #[test]
    fn weights_run_from_centre_to_centre() {
        assert_eq!(between(0, 64, 3), ([0, 0], 130));
        assert_eq!(between(31, 64, 3), ([0, 0], 254));
        assert_eq!(between(32, 64, 3), ([0, 1], 2));
        assert_eq!(between(191, 64, 3), ([2, 2], 126));
        assert_eq!(between(5, 64, 1).0, [0, 0]);
    }
}
