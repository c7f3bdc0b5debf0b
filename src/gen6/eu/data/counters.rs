//! Counters of the shared functions, which add up over a frame (§2.6, §4.1, §6.3, §7.4).
use crate::deinterlace::PixelSources;
use crate::luma::{LumaStatistics, Tally};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Counters of one of the two simultaneous streams. They are sums, so the order of the messages
/// does not matter.
#[derive(Debug, Default)]
pub struct StreamCounters {
    gne_sum: AtomicU64,
    gne_count: AtomicU64,
    variances: [AtomicU64; 11],
    /// Pixel sources of both outputs, in the order of the fields of [`PixelSources`].
    sources: [[AtomicU64; 6]; 2],
}

impl StreamCounters {
    /// Adds the results of a block: its noise estimate, its film mode variances, and the pixel
    /// sources of both outputs.
    pub(crate) fn add(&self, bne: u8, variances: &[u64; 11], sources: &[PixelSources; 2]) {
        if bne < 255 {
            self.gne_sum.fetch_add(bne.into(), Relaxed);
            self.gne_count.fetch_add(1, Relaxed);
        }
        for (sum, v) in self.variances.iter().zip(variances).filter(|(_, v)| **v > 0) {
            sum.fetch_add(*v, Relaxed);
        }
        for (sums, source) in self.sources.iter().zip(sources) {
            let &PixelSources { woven, temporal, compensated, spatial, stmm_sum, pairs, .. } = source;
            for (sum, count) in sums.iter().zip([woven, temporal, compensated, spatial, stmm_sum, pairs]) {
                sum.fetch_add(count, Relaxed);
            }
        }
    }

    /// Sources of the pixels of the missing lines of both outputs: the second field of the previous
    /// frame, and the first field of the current frame (§3.8). The hardware has no such counters.
    pub fn pixel_sources(&self) -> [PixelSources; 2] {
        self.sources.each_ref().map(|sums| {
            let [woven, temporal, compensated, spatial, stmm_sum, pairs] = sums.each_ref().map(|sum| sum.load(Relaxed));
            PixelSources { woven, temporal, compensated, spatial, stmm_sum, pairs, ..PixelSources::default() }
        })
    }

    /// Sum and number of the block noise estimates below 255 (§2.6).
    pub fn noise(&self) -> (u64, u64) {
        (self.gne_sum.load(Relaxed), self.gne_count.load(Relaxed))
    }

    /// Film mode variances v0…v10 (§4.1).
    pub fn variances(&self) -> [u64; 11] {
        std::array::from_fn(|i| self.variances[i].load(Relaxed))
    }

    fn clear(&self) {
        let all = [&self.gne_sum, &self.gne_count].into_iter().chain(&self.variances).chain(self.sources.iter().flatten());
        all.for_each(|counter| counter.store(0, Relaxed));
    }
}

/// Counters of the colour pipe.
#[derive(Debug)]
pub struct ColorCounters {
    histogram: [AtomicU64; 256],
    /// Smallest and largest luma; 255 and 0 before the first pixel.
    least: AtomicU64,
    most: AtomicU64,
    skin_pixels: AtomicU64,
    skin_factor_sum: AtomicU64,
}

impl Default for ColorCounters {
    fn default() -> ColorCounters {
        let zero = || AtomicU64::new(0);
        let histogram = std::array::from_fn(|_| zero());
        ColorCounters { histogram, least: AtomicU64::new(255), most: zero(), skin_pixels: zero(), skin_factor_sum: zero() }
    }
}

impl ColorCounters {
    /// Adds pixels, to the histogram only if `counted`.
    pub(crate) fn add(&self, tally: &Tally, counted: bool) {
        let LumaStatistics { histogram, ymin, ymax, skin_pixels, skin_factor_sum, .. } = tally.statistics();
        for (sum, count) in self.histogram.iter().zip(histogram).filter(|(_, count)| counted && *count > 0) {
            sum.fetch_add(count.into(), Relaxed);
        }
        self.least.fetch_min(ymin.into(), Relaxed);
        self.most.fetch_max(ymax.into(), Relaxed);
        self.skin_pixels.fetch_add(skin_pixels, Relaxed);
        self.skin_factor_sum.fetch_add(skin_factor_sum, Relaxed);
    }

    /// Smallest and largest luma of all pixels, in 8 bits; 255 and 0 before the first pixel.
    pub fn range(&self) -> (u8, u8) {
        (self.least.load(Relaxed) as u8, self.most.load(Relaxed) as u8)
    }

    /// Number of pixels of each luma value, of those that count in the histogram.
    pub fn histogram(&self) -> [u64; 256] {
        std::array::from_fn(|i| self.histogram[i].load(Relaxed))
    }

    /// Number of skin-coloured pixels, and the sum of the skin tone factors (§6.1).
    pub fn skin(&self) -> (u64, u64) {
        (self.skin_pixels.load(Relaxed), self.skin_factor_sum.load(Relaxed))
    }

    pub(crate) fn clear(&self) {
        let all = self.histogram.iter().chain([&self.most, &self.skin_pixels, &self.skin_factor_sum]);
        all.for_each(|counter| counter.store(0, Relaxed));
        self.least.store(255, Relaxed);
    }
}

/// All counters.
#[derive(Debug, Default)]
pub struct Counters {
    /// Counters of the `deinterlace` message, by the stream id of its state.
    pub streams: [StreamCounters; 2],
    /// Counters of writes through the colour pipe.
    pub color: ColorCounters,
}

impl Counters {
    /// Resets all counters, as between frames.
    pub fn clear(&self) {
        self.streams.iter().for_each(StreamCounters::clear);
        self.color.clear();
    }
}
