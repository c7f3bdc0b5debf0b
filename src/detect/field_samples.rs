//! The samples of single fields in the groups of lines that the detector reads, and their inner
//! products, from which blended fields are found.
use super::sampling::{SampleGrid, SubsampledLuma, TILE_PIXELS};
use crate::format::{FieldOrder, Format};
use crate::frame::PlaneRef;
use crate::memory::{OutOfMemory, filled};
use dndi_simd::Kernels;
use rayon::prelude::*;

/// Products that fit 32 bits when they are added.
const PART: usize = 1024;

/// The samples of the two fields of a frame, top field first: of each group of five lines the mean
/// of those of the field, weighted so that both means lie on the middle line, times four.
#[derive(Debug)]
pub(crate) struct FieldSamples([Vec<i16>; 2]);

impl FieldSamples {
    /// Memory for a frame.
    pub(super) fn new(grid: SampleGrid) -> Result<FieldSamples, OutOfMemory> {
        let count = grid.tiles() * TILE_PIXELS / 4;
        Ok(FieldSamples([filled(count, 0)?, filled(count, 0)?]))
    }

    /// Loads the samples of a frame.
    pub(super) fn load(&mut self, grid: SampleGrid, luma: &SubsampledLuma) {
        let [top, bottom] = &mut self.0;
        let width = grid.columns() * TILE_PIXELS / 4;
        let fields = top.par_chunks_mut(width).zip(bottom.par_chunks_mut(width));
        fields.zip(luma.groups(grid)).for_each(|((top, bottom), [a, b, c, d, e])| {
            for (x, (top, bottom)) in top.iter_mut().zip(bottom).enumerate() {
                let line = |line: &[u8]| i16::from(line[x]);
                *top = line(a) + 2 * line(c) + line(e);
                *bottom = 2 * (line(b) + line(d));
            }
        });
    }

    /// The fields in their order in time.
    pub fn in_order(&self, order: FieldOrder) -> [&[i16]; 2] {
        let [top, bottom] = &self.0;
        if order == FieldOrder::TopFirst { [top, bottom] } else { [bottom, top] }
    }
}

/// Samples the fields of frames.
#[derive(Debug)]
pub(crate) struct FieldSampler {
    grid: SampleGrid,
    kernels: &'static Kernels,
    format: Format,
    luma: SubsampledLuma,
}

impl FieldSampler {
    pub fn new(format: Format, kernels: &'static Kernels) -> Result<FieldSampler, OutOfMemory> {
        let grid = SampleGrid::new(format.width, format.height);
        Ok(FieldSampler { grid, kernels, format, luma: SubsampledLuma::new(grid)? })
    }

    /// The samples of a luma plane that was checked against the format.
    pub fn sample(&mut self, luma: PlaneRef) -> Result<FieldSamples, OutOfMemory> {
        self.luma.load(self.grid, self.kernels, luma, &self.format);
        let mut samples = FieldSamples::new(self.grid)?;
        samples.load(self.grid, &self.luma);
        Ok(samples)
    }
}

/// The inner products of fields, in levels of 8 bits squared.
pub(crate) fn inner_products(fields: &[&[i16]]) -> Vec<f64> {
    let mut products = vec![0.0; fields.len() * fields.len()];
    products.par_chunks_mut(fields.len().max(1)).enumerate().for_each(|(row, products)| {
        for (product, other) in products.iter_mut().zip(fields).take(row + 1) {
            *product = inner_product(fields[row], other) as f64 / 16.0;
        }
    });
    for row in 0..fields.len() {
        for column in row + 1..fields.len() {
            products[row * fields.len() + column] = products[column * fields.len() + row];
        }
    }
    products
}

fn inner_product(a: &[i16], b: &[i16]) -> i64 {
    let part = |(a, b): (&[i16], &[i16])| a.iter().zip(b).map(|(&a, &b)| i32::from(a) * i32::from(b)).sum::<i32>();
    a.chunks(PART).zip(b.chunks(PART)).map(part).map(i64::from).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Sampling;
    use dndi_simd::SimdLevel;

    #[test]
    fn both_fields_of_a_smooth_picture_have_the_same_samples() {
        let format = Format::new(64, 32, Sampling::Mono);
        let kernels = Kernels::at(SimdLevel::Portable).unwrap();
        let data: Vec<u8> = (0..32u8).flat_map(|y| [3 * y; 64]).collect();
        let mut sampler = FieldSampler::new(format, kernels).unwrap();
        let samples = sampler.sample(PlaneRef::new(&data[..], 64)).unwrap();
        let [top, bottom] = samples.in_order(FieldOrder::TopFirst);
        assert_eq!(top, bottom);
        assert_eq!((top[0], samples.in_order(FieldOrder::BottomFirst)), (4 * 6, [bottom, top]));
    }

    #[test]
    fn inner_products_of_large_samples() {
        let fields = [vec![1020i16; 5000], vec![2; 5000]];
        let products = inner_products(&[&fields[0], &fields[1]]);
        let whole: Vec<f64> = products.iter().map(|product| product * 16.0).collect();
        assert_eq!(whole, [5000.0 * 1020.0 * 1020.0, 1.02e7, 1.02e7, 2e4]);
    }
}
