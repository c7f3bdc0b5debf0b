//! Statistics of an output's luma (§6.3).
use crate::frame::{Frame, PlaneRef};
use crate::surface::LINES;
use rayon::prelude::*;

/// What the luma of a frame that leaves looks like.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LumaStatistics {
    /// Pixels of each value.
    pub histogram: [u32; 256],
    /// Least value.
    pub ymin: u8,
    /// Greatest value.
    pub ymax: u8,
    /// Pixels of skin colour; 0 without skin tone detection.
    pub skin_pixels: u64,
    /// Sum of the skin tone factors; 0 without skin tone detection.
    pub skin_factor_sum: u64,
}

impl LumaStatistics {
    /// Of a whole frame.
    pub(crate) fn of(frame: &Frame) -> LumaStatistics {
        let format = frame.format();
        Self::of_plane(PlaneRef { data: frame.plane(0), stride: format.width }, (format.width, format.height))
    }

    fn of_plane(plane: PlaneRef, (width, height): (usize, usize)) -> LumaStatistics {
        let bands = plane.data.par_chunks(plane.stride * LINES).take(height.div_ceil(LINES)).enumerate();
        let histograms = bands.map(|(band, data)| {
            // Four at a time: equal neighbours do not then wait for each other's count.
            let mut parts = [[0u32; 256]; 4];
            for line in data.chunks(plane.stride).take(height - band * LINES) {
                let (whole, rest) = line[..width].as_chunks::<4>();
                for samples in whole {
                    for (part, &sample) in parts.iter_mut().zip(samples) {
                        part[sample as usize] += 1;
                    }
                }
                rest.iter().for_each(|&sample| parts[0][sample as usize] += 1);
            }
            std::array::from_fn(|value| parts.iter().map(|part| part[value]).sum())
        });
        let histogram: [u32; 256] = histograms.reduce(|| [0; 256], |a, b| std::array::from_fn(|value| a[value] + b[value]));
        let ymin = histogram.iter().position(|&count| count > 0).unwrap_or(0) as u8;
        let ymax = histogram.iter().rposition(|&count| count > 0).unwrap_or(0) as u8;
        LumaStatistics { histogram, ymin, ymax, skin_pixels: 0, skin_factor_sum: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pixel_counts_once() {
        let data = [3, 3, 9, 255, 3, 0, 7, 7, 200, 255];
        let luma = LumaStatistics::of_plane(PlaneRef { data: &data, stride: 5 }, (3, 2));
        assert_eq!((luma.ymin, luma.ymax), (0, 9));
        assert_eq!(luma.histogram.iter().sum::<u32>(), 6);
        assert_eq!([0, 3, 7, 9].map(|v| luma.histogram[v]), [1, 2, 2, 1]);
    }
}
