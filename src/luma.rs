//! Luma statistics of an output frame (§6.3).
use crate::format::{Format, Rect};
use crate::frame::{Frame, MIN_TASK_LINES, Samples};
use rayon::prelude::*;
use std::ops::Range;

/// Luma statistics of an output frame, in 8-bit code values: the 8 most significant bits of each
/// sample, at any depth. They are taken after skin tone
/// enhancement and before the contrast curve and the later stages of the colour pipe.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LumaStatistics {
    /// Number of pixels of each value, in the area of interest if there is one.
    pub histogram: [u32; 256],
    /// Smallest value of the whole frame.
    pub ymin: u8,
    /// Largest value of the whole frame.
    pub ymax: u8,
    /// Number of pixels whose skin tone factor is above `color.skin_threshold`; 0 without skin tone
    /// detection.
    pub skin_pixels: u64,
    /// Sum of the skin tone factors, 0…31 each; 0 without skin tone detection.
    pub skin_factor_sum: u64,
    /// Number of pixels outside the gamut; none without gamut compression.
    pub out_of_gamut: Option<u64>,
    /// Grey points and gains of the automatic white balance; none without it.
    pub grey: Option<GreyStatistics>,
}

/// Grey points of a frame, and the gains that follow from them (§13.7).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct GreyStatistics {
    /// Number of grey points.
    pub points: u64,
    /// Sums of R, G and B of the grey points before the gains, in 16-bit code values.
    pub sums: [u64; 3],
    /// Gains of R, G and B of the frame, in 1/4096.
    pub gains: [u16; 3],
}

impl LumaStatistics {
    /// The statistics of a frame that no stage of the colour pipe has changed; `area` restricts the
    /// histogram.
    pub(crate) fn of(frame: &Frame, area: Option<Rect>) -> LumaStatistics {
        let Format { width, depth, .. } = frame.format();
        match frame.planes()[0].samples {
            Samples::U8(luma) => tally(luma, width, area, |y| y),
            Samples::U16(luma) => tally(luma, width, area, |y| (y >> (depth - 8)) as u8),
        }
    }
}

/// The statistics of a plane of `width` samples a line; `value` converts a sample to 8 bits.
fn tally<T: Copy + Sync>(luma: &[T], width: usize, area: Option<Rect>, value: impl Fn(T) -> u8 + Sync) -> LumaStatistics {
    let bands = luma.par_chunks(width * MIN_TASK_LINES).enumerate().map(|(band, data)| {
        let mut tally = Tally::new(area);
        for (line, samples) in data.chunks_exact(width).enumerate() {
            tally.count(band * MIN_TASK_LINES + line, samples, &value);
        }
        tally
    });
    bands.reduce(|| Tally::new(area), Tally::with).statistics()
}

/// Counts of pixels, collected while the colour pipe processes a frame.
#[derive(Clone, Debug)]
pub(crate) struct Tally {
    /// The part of the picture that the histogram counts; none for all of it.
    area: Option<Rect>,
    /// Counts of each value inside the area. Each of four neighbours has its own table: an
    /// increment need not wait for that of an equal neighbour.
    inside: [[u32; 256]; 4],
    /// Counts of each value outside the area.
    outside: [[u32; 256]; 4],
    skin_pixels: u64,
    skin_factor_sum: u64,
}

impl Tally {
    /// A tally without counts.
    pub fn new(area: Option<Rect>) -> Tally {
        Tally { area, inside: [[0; 256]; 4], outside: [[0; 256]; 4], skin_pixels: 0, skin_factor_sum: 0 }
    }

    /// Counts the samples of a line; `value` converts a sample to 8 bits.
    #[inline]
    pub fn count<T: Copy>(&mut self, line: usize, samples: &[T], value: impl Fn(T) -> u8) {
        let Range { start, end } = columns(self.area, line, samples.len());
        count(&mut self.outside, &samples[..start], &value);
        count(&mut self.inside, &samples[start..end], &value);
        count(&mut self.outside, &samples[end..], &value);
    }

    /// Counts the skin tone factors of a line.
    pub fn count_skin(&mut self, factors: &[u16], threshold: u16) {
        // 32 bits hold the sum of 8192 factors of up to 31.
        self.skin_factor_sum += factors.iter().map(|&factor| factor as u32).sum::<u32>() as u64;
        self.skin_pixels += factors.iter().map(|&factor| (factor > threshold) as u32).sum::<u32>() as u64;
    }

    /// The sum of both tallies.
    pub fn with(mut self, other: Tally) -> Tally {
        for (counts, others) in [(&mut self.inside, &other.inside), (&mut self.outside, &other.outside)] {
            counts.iter_mut().flatten().zip(others.iter().flatten()).for_each(|(count, other)| *count += other);
        }
        self.skin_pixels += other.skin_pixels;
        self.skin_factor_sum += other.skin_factor_sum;
        self
    }

    /// The statistics of all counted pixels.
    pub fn statistics(&self) -> LumaStatistics {
        let sum = |parts: &[[u32; 256]; 4], value: usize| parts.iter().map(|part| part[value]).sum::<u32>();
        let occurs = |value: &usize| sum(&self.inside, *value) + sum(&self.outside, *value) > 0;
        LumaStatistics {
            histogram: std::array::from_fn(|value| sum(&self.inside, value)),
            ymin: (0..256).find(occurs).unwrap_or(0) as u8,
            ymax: (0..256).rev().find(occurs).unwrap_or(0) as u8,
            skin_pixels: self.skin_pixels,
            skin_factor_sum: self.skin_factor_sum,
            out_of_gamut: None,
            grey: None,
        }
    }
}

/// The columns of a line of `width` samples that lie in the area.
fn columns(area: Option<Rect>, line: usize, width: usize) -> Range<usize> {
    match area {
        None => 0..width,
        Some(Rect { x, y, width: columns, height }) if (y..y + height).contains(&line) => x.min(width)..(x + columns).min(width),
        Some(_) => 0..0,
    }
}

/// Counts samples by their values in four tables in turn.
#[inline]
fn count<T: Copy>(parts: &mut [[u32; 256]; 4], samples: &[T], value: &impl Fn(T) -> u8) {
    let (whole, rest) = samples.as_chunks::<4>();
    for samples in whole {
        for (part, &sample) in parts.iter_mut().zip(samples) {
            part[value(sample) as usize] += 1;
        }
    }
    rest.iter().for_each(|&sample| parts[0][value(sample) as usize] += 1);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Format, Sampling};

    fn frame() -> Frame {
        let data = vec![3, 3, 9, 3, 0, 7, 7, 200, 200, 255, 7, 7];
        Frame::from_vec(Format::new(3, 4, Sampling::Mono), data)
    }

    #[test]
    fn every_pixel_counts_once() {
        let luma = LumaStatistics::of(&frame(), None);
        assert_eq!((luma.ymin, luma.ymax), (0, 255));
        assert_eq!(luma.histogram.iter().sum::<u32>(), 12);
        assert_eq!([0, 3, 7, 9, 200, 255].map(|v| luma.histogram[v]), [1, 3, 4, 1, 2, 1]);
    }

    #[test]
    fn the_most_significant_bits_of_words_count() {
        let area = Some(Rect { x: 1, y: 1, width: 2, height: 2 });
        for depth in [9, 10, 12, 14, 16] {
            let words = frame().data().iter().map(|&y| (((y as u32 + 1) << (depth - 8)) - 1) as u16).collect();
            let deep = Frame::from_vec_u16(frame().format().with_depth(depth), words);
            assert_eq!(LumaStatistics::of(&deep, area), LumaStatistics::of(&frame(), area), "{depth} bits");
        }
    }

    #[test]
    fn the_area_of_interest_restricts_the_histogram_alone() {
        let luma = LumaStatistics::of(&frame(), Some(Rect { x: 1, y: 1, width: 2, height: 2 }));
        assert_eq!((luma.ymin, luma.ymax), (0, 255));
        assert_eq!(luma.histogram.iter().sum::<u32>(), 4);
        assert_eq!([0, 7, 200].map(|v| luma.histogram[v]), [1, 1, 2]);
    }
}
