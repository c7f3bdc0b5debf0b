//! The registers in which the shared functions sum up a frame, read when it is done (§2.6, §4.1, §6.3, §7.4).
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Counters of one of the two simultaneous streams. They only ever add up, so the order of the messages does not show.
#[derive(Debug, Default)]
pub struct StreamRegisters {
    gne_sum: AtomicU64,
    gne_count: AtomicU64,
    variances: [AtomicU64; 11],
}

impl StreamRegisters {
    /// Adds what a block found: its noise estimate and its film mode variances.
    pub(crate) fn add(&self, bne: u8, variances: &[u64; 11]) {
        if bne < 255 {
            self.gne_sum.fetch_add(bne.into(), Relaxed);
            self.gne_count.fetch_add(1, Relaxed);
        }
        for (sum, v) in self.variances.iter().zip(variances).filter(|(_, v)| **v > 0) {
            sum.fetch_add(*v, Relaxed);
        }
    }

    /// Sum and number of the block noise estimates below 255.
    pub fn noise(&self) -> (u64, u64) {
        (self.gne_sum.load(Relaxed), self.gne_count.load(Relaxed))
    }

    /// Film mode variances v0…v10.
    pub fn variances(&self) -> [u64; 11] {
        std::array::from_fn(|i| self.variances[i].load(Relaxed))
    }

    fn clear(&self) {
        [&self.gne_sum, &self.gne_count].into_iter().chain(&self.variances).for_each(|counter| counter.store(0, Relaxed));
    }
}

/// Counters of the colour pipe.
#[derive(Debug)]
pub struct ColorRegisters {
    histogram: [AtomicU64; 256],
    skin_pixels: AtomicU64,
    skin_factor_sum: AtomicU64,
}

impl Default for ColorRegisters {
    fn default() -> ColorRegisters {
        let histogram = std::array::from_fn(|_| AtomicU64::new(0));
        ColorRegisters { histogram, skin_pixels: AtomicU64::new(0), skin_factor_sum: AtomicU64::new(0) }
    }
}

impl ColorRegisters {
    /// Pixels of each luma value.
    pub fn histogram(&self) -> [u64; 256] {
        std::array::from_fn(|i| self.histogram[i].load(Relaxed))
    }

    /// Pixels of skin colour, and the sum of the skin tone factors.
    pub fn skin(&self) -> (u64, u64) {
        (self.skin_pixels.load(Relaxed), self.skin_factor_sum.load(Relaxed))
    }

    fn clear(&self) {
        let all = self.histogram.iter().chain([&self.skin_pixels, &self.skin_factor_sum]);
        all.for_each(|counter| counter.store(0, Relaxed));
    }
}

/// All counters.
#[derive(Debug, Default)]
pub struct Registers {
    /// Those of the deinterlace message, by the state's stream id.
    pub streams: [StreamRegisters; 2],
    /// Those of writes through the colour pipe.
    pub color: ColorRegisters,
}

impl Registers {
    /// Sets all to 0, as between frames.
    pub fn clear(&self) {
        self.streams.iter().for_each(StreamRegisters::clear);
        self.color.clear();
    }
}
