//! Samples of single fields that hardly depend on their parity, and their inner products, from
//! which blended fields are found.
use super::sampling::quarter_line;
use crate::format::{FieldOrder, Format};
use crate::frame::PlaneRef;
use crate::memory::{OutOfMemory, filled};
use dndi_simd::Kernels;
use rayon::prelude::*;

/// Lines of a group, of both fields. The weights of its lines rise to the middle one and fall
/// again, those of either field with the same sum. Texture of single lines has other values in the
/// top field than in the bottom field. The more lines, the smaller the difference. With five lines
/// linear blends of fine texture are not found; with more than this, sums exceed 16 bits.
const LINES: usize = 43;

/// The most groups. Time is proportional to it; with fewer, text that rolls over black is missed.
const GROUPS: usize = 12;

/// Samples of a group that are summed at a time, in memory on the stack. Results do not depend on
/// it.
const PART: usize = 256;

/// Products of samples that fit 32 bits when they are added.
const PRODUCTS: usize = 512;

/// Bits of a sample: the sum of the squares of [`PRODUCTS`] samples fits 31 bits.
const BITS: u32 = 11;

/// The samples of the two fields of a frame, top field first: of each group of lines and each four
/// columns the weighted mean of the samples of the field.
#[derive(Debug)]
pub(crate) struct FieldSamples([Vec<i16>; 2]);

impl FieldSamples {
    /// The fields in their order in time.
    pub fn in_order(&self, order: FieldOrder) -> [&[i16]; 2] {
        let [top, bottom] = &self.0;
        if order == FieldOrder::TopFirst { [top, bottom] } else { [bottom, top] }
    }
}

/// Samples the fields of frames.
#[derive(Debug)]
pub(crate) struct FieldSampler {
    kernels: &'static Kernels,
    format: Format,
    /// The lines of a group above its middle one; odd, so that both fields have the same weight.
    half: usize,
    groups: usize,
}

impl FieldSampler {
    pub fn new(format: Format, kernels: &'static Kernels) -> FieldSampler {
        let half = (LINES.min(format.height).saturating_sub(1) / 2).saturating_sub(1) | 1;
        let lines = 2 * half + 1;
        FieldSampler { kernels, format, half, groups: (format.height / lines).min(GROUPS) }
    }

    /// Samples of a group of lines.
    fn width(&self) -> usize {
        (self.format.width / 4).max(1)
    }

    /// The sum of the weights of the lines of a field in a group.
    fn weight(&self) -> usize {
        (self.half + 1).pow(2) / 2
    }

    /// The bits by which sums are shifted.
    fn shift(&self) -> u32 {
        (255 * self.weight()).ilog2().saturating_sub(BITS - 1)
    }

    /// The samples of a luma plane that was checked against the format.
    pub fn sample(&self, luma: PlaneRef) -> Result<FieldSamples, OutOfMemory> {
        let count = self.width() * self.groups;
        let mut samples = FieldSamples([filled(count, 0)?, filled(count, 0)?]);
        let [top, bottom] = &mut samples.0;
        let groups = top.par_chunks_mut(self.width()).zip(bottom.par_chunks_mut(self.width()));
        groups.enumerate().for_each(|(group, fields)| self.sample_group(luma, self.first_line(group), fields));
        Ok(samples)
    }

    /// The first line of a group, an even one. The groups have the same distance, as large as the
    /// height permits; a single one is in the middle.
    fn first_line(&self, group: usize) -> usize {
        let free = self.format.height - (2 * self.half + 1);
        let first = if self.groups > 1 { free / (self.groups - 1) * group } else { free / 2 };
        first & !1
    }

    /// The samples of the group that begins with line `first`.
    fn sample_group(&self, luma: PlaneRef, first: usize, (top, bottom): (&mut [i16], &mut [i16])) {
        let shift = self.shift();
        for (part, (top, bottom)) in top.chunks_mut(PART).zip(bottom.chunks_mut(PART)).enumerate() {
            let (mut line, mut sums) = ([0; PART], [[0u16; PART]; 2]);
            let line = &mut line[..top.len()];
            for y in 0..=2 * self.half {
                quarter_line(self.kernels, line, luma, (part * PART, first + y), &self.format);
                let weight = (self.half + 1 - y.abs_diff(self.half)) as u16;
                for (sum, &sample) in sums[y % 2].iter_mut().zip(&*line) {
                    *sum += weight * u16::from(sample);
                }
            }
            for (field, sums) in [top, bottom].into_iter().zip(sums) {
                for (sample, sum) in field.iter_mut().zip(sums) {
                    *sample = ((u32::from(sum) + (1 << shift >> 1)) >> shift) as i16;
                }
            }
        }
    }

    /// The inner products of fields, in levels of 8 bits squared.
    pub fn inner_products(&self, fields: &[&[i16]]) -> Vec<f64> {
        let unit = (self.weight() as f64 / f64::from(1u32 << self.shift())).powi(2);
        let mut products = vec![0.0; fields.len() * fields.len()];
        products.par_chunks_mut(fields.len().max(1)).enumerate().for_each(|(row, products)| {
            for (product, other) in products.iter_mut().zip(fields).take(row + 1) {
                *product = inner_product(fields[row], other) as f64 / unit;
            }
        });
        for row in 0..fields.len() {
            for column in row + 1..fields.len() {
                products[row * fields.len() + column] = products[column * fields.len() + row];
            }
        }
        products
    }
}

fn inner_product(a: &[i16], b: &[i16]) -> i64 {
    let part = |(a, b): (&[i16], &[i16])| a.iter().zip(b).map(|(&a, &b)| i32::from(a) * i32::from(b)).sum::<i32>();
    a.chunks(PRODUCTS).zip(b.chunks(PRODUCTS)).map(part).map(i64::from).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Sampling;
    use dndi_simd::SimdLevel;

    fn sampler(width: usize, height: usize) -> FieldSampler {
        FieldSampler::new(Format::new(width, height, Sampling::Mono), Kernels::at(SimdLevel::Portable).unwrap())
    }

    /// The levels of the first samples of both fields of a picture with these lines.
    fn levels(width: usize, lines: &[u8]) -> [f64; 2] {
        let sampler = sampler(width, lines.len());
        let data: Vec<u8> = lines.iter().flat_map(|&line| vec![line; width]).collect();
        let samples = sampler.sample(PlaneRef::new(&data[..], width)).unwrap();
        let fields = samples.in_order(FieldOrder::TopFirst);
        assert_eq!(samples.in_order(FieldOrder::BottomFirst), [fields[1], fields[0]]);
        fields.map(|field| f64::from(field[0]) * f64::from(1u32 << sampler.shift()) / sampler.weight() as f64)
    }

    #[test]
    fn both_fields_of_a_smooth_picture_have_the_same_samples() {
        for (width, height) in [(64, 43), (1, 43), (1100, 44), (3, 20), (64, 9), (5, 3)] {
            let half = sampler(width, height).half;
            let [top, bottom] = levels(width, &(0..height as u8).map(|y| 5 * y).collect::<Vec<_>>());
            assert!((top - bottom).abs() < 0.2 && (top - 5.0 * half as f64).abs() < 0.2, "{width}x{height}: {top} {bottom}");
        }
    }

    /// Texture with a period of three lines hardly differs between the fields.
    #[test]
    fn the_parity_of_texture_vanishes() {
        let [top, bottom] = levels(64, &(0..43).map(|y| if y % 3 == 0 { 250 } else { 100 }).collect::<Vec<_>>());
        assert!((top - bottom).abs() < 2.0 && (top - 150.0).abs() < 1.0, "{top} {bottom}");
    }

    /// The samples of random pictures with a stride, by one sum for each.
    #[test]
    fn samples_are_weighted_means() {
        let mut random = fastrand::Rng::with_seed(1);
        for (width, height, depth) in [(1101, 300, 8), (2100, 97, 10), (37, 700, 8), (18, 84, 16), (3, 11, 9)] {
            let format = Format::new(width, height, Sampling::Mono).with_depth(depth);
            let sampler = FieldSampler::new(format, Kernels::at(SimdLevel::Portable).unwrap());
            let stride = width + 7;
            let words: Vec<u16> = (0..stride * height).map(|_| random.u16(..) >> (16 - depth)).collect();
            let bytes: Vec<u8> = words.iter().map(|&word| (word >> (depth - 8)) as u8).collect();
            let samples = match depth {
                8 => sampler.sample(PlaneRef::new(&bytes[..], stride)).unwrap(),
                _ => sampler.sample(PlaneRef::new(&words[..], stride)).unwrap(),
            };
            let fields = samples.in_order(FieldOrder::TopFirst);
            for (index, parity) in (0..fields[0].len()).flat_map(|index| [(index, 0), (index, 1)]) {
                let (group, x) = (index / sampler.width(), 4 * (index % sampler.width()));
                let columns = if width < 4 { 1 } else { 4 };
                let lines = (parity..2 * sampler.half + 1).step_by(2);
                let sum: usize = lines
                    .map(|y| {
                        let line = &bytes[(sampler.first_line(group) + y) * stride + x..][..columns];
                        let mean = line.iter().map(|&byte| usize::from(byte)).sum::<usize>() / columns;
                        (sampler.half + 1 - y.abs_diff(sampler.half)) * mean
                    })
                    .sum();
                let want = (sum + (1 << sampler.shift() >> 1)) >> sampler.shift();
                assert_eq!(usize::try_from(fields[parity][index]), Ok(want), "{width}x{height} {index} {parity}");
            }
        }
    }

    #[test]
    fn groups_are_spread_over_the_picture() {
        for height in 0..700 {
            let sampler = sampler(16, height);
            let lines = 2 * sampler.half + 1;
            assert_eq!(sampler.groups, (height / lines).min(GROUPS));
            let first: Vec<usize> = (0..sampler.groups).map(|group| sampler.first_line(group)).collect();
            assert!(first.windows(2).all(|pair| pair[0] + lines - 1 <= pair[1]), "{height}: {first:?}");
            let after = first.last().map_or(0, |last| height - last - lines);
            let before = first.first().map_or(0, |first| *first);
            assert!(before.abs_diff(after) <= 3 + sampler.groups, "{height}: {first:?}");
        }
    }

    #[test]
    fn inner_products_of_large_samples() {
        let sampler = sampler(16, 43);
        let largest = (1 << BITS) - 1;
        let fields = [vec![largest; 5000], vec![2; 5000]];
        let products = sampler.inner_products(&[&fields[0], &fields[1]]);
        let unit = (242.0f64 / 32.0).powi(2);
        let want = [5000.0 * f64::from(largest).powi(2), 1e4 * f64::from(largest), 1e4 * f64::from(largest), 2e4];
        assert_eq!(products, want.map(|product| product / unit));
    }
}
