//! Statistics of an output's luma (§6.3).
use crate::frame::{Frame, PlaneRef};

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
        // Four at a time: equal neighbours do not then wait for each other's count.
        let mut parts = [[0u32; 256]; 4];
        for line in plane.data.chunks(plane.stride).take(height) {
            for samples in line[..width].chunks(4) {
                for (part, &sample) in parts.iter_mut().zip(samples) {
                    part[sample as usize] += 1;
                }
            }
        }
        let histogram: [u32; 256] = std::array::from_fn(|value| parts.iter().map(|part| part[value]).sum());
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
