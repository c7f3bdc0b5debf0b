//! Tests that samples keep their position in the picture: a ramp stays a ramp in every plane and
//! field.

use crate::{LOCATIONS, builder, process};
use approx::assert_abs_diff_eq;
use dndi::{Addresses, ChromaLocation, Format, Frame, Rect, Sampling, Scale, Scan};

/// Change of the ramps per luma sample.
const SLOPE: f64 = 7.0;

/// Number of luma samples for each chroma sample, and the position of the first chroma sample,
/// horizontally and vertically.
fn grid(sampling: Sampling, location: ChromaLocation) -> ([f64; 2], [f64; 2]) {
    let steps = match sampling {
        Sampling::C420 => [2.0, 2.0],
        Sampling::C422 => [2.0, 1.0],
        Sampling::C411 => [4.0, 1.0],
        _ => [1.0, 1.0],
    };
    let centre = steps.map(|step| (step - 1.0) / 2.0);
    (
        steps,
        match location {
            ChromaLocation::Left => [0.0, centre[1]],
            ChromaLocation::Center => centre,
            ChromaLocation::TopLeft => [0.0, 0.0],
            other => unreachable!("{other:?} is not specified"),
        },
    )
}

/// A picture that is a ramp along `axis`, in luma positions.
fn ramp(format: Format, location: ChromaLocation, axis: usize) -> Frame {
    let mut frame = Frame::new(format);
    for (index, plane) in frame.byte_planes_mut().into_iter().enumerate() {
        let (width, _) = format.plane_size(index);
        let (step, first) = if index == 0 { ([1.0; 2], [0.0; 2]) } else { grid(format.sampling, location) };
        for (at, sample) in plane.iter_mut().enumerate() {
            let position = [at % width.max(1), at / width.max(1)][axis] as f64 * step[axis] + first[axis];
            *sample = (SLOPE * position).round() as u8;
        }
    }
    frame
}

/// Checks that `out` shows the ramp of `ramp`, except near an edge.
fn is_ramp(out: &Frame, location: ChromaLocation, axis: usize, (first, source): (usize, usize), whole: usize, name: &str) {
    let format = out.format();
    let target = [format.width, format.height][axis];
    let mut seen = 0;
    for index in 0..format.sampling.planes() {
        let (width, _) = format.plane_size(index);
        let (step, offset) = if index == 0 { ([1.0; 2], [0.0; 2]) } else { grid(format.sampling, location) };
        for (at, &sample) in out.plane(index).iter().enumerate() {
            let position = [at % width, at / width][axis] as f64 * step[axis] + offset[axis];
            let luma = (position + 0.5) * source as f64 / target as f64 - 0.5 + first as f64;
            // Eight taps on fields of chroma reach 16 or more luma samples.
            let margin = 4.0 * step[axis] * if axis == 1 { 2.0 } else { 1.0 };
            if luma >= margin && luma <= whole as f64 - 1.0 - margin {
                // 1/32 of a sample for the position, the rounding of input, output and
                // coefficients.
                let most = SLOPE * step[axis] * 2.0 / 32.0 + 1.6;
                assert_abs_diff_eq!(sample as f64, SLOPE * luma, epsilon = most);
                seen += 1;
            }
        }
    }
    assert!(seen > 0, "{name}: nothing to see");
}

#[test]
fn ramps_stay_where_they_are() {
    let format = |sampling| Format::new(36, 36, sampling);
    for sampling in [Sampling::C420, Sampling::C422, Sampling::C444, Sampling::C411, Sampling::Mono] {
        for location in LOCATIONS {
            for axis in [0, 1] {
                for scan in [Scan::Progressive, Scan::TopFirst, Scan::BottomFirst] {
                    let frame = ramp(format(sampling), location, axis);
                    for (width, height) in [(72, 72), (36, 36), (54, 50), (30, 28), (97, 144)] {
                        let name = format!("{sampling:?} {location:?} {scan:?} axis {axis} to {width}x{height}");
                        let settings = builder(format(sampling), scan).chroma_location(location);
                        let out = process(&settings.scale(Some(Scale::new(width, height))), &frame);
                        is_ramp(&out, location, axis, (0, 36), 36, &name);
                    }
                    let crop = Rect { x: 3, y: 5, width: 28, height: 26 };
                    let scale = Scale::new(45, 44).crop(crop);
                    let out = process(&builder(format(sampling), scan).chroma_location(location).scale(Some(scale)), &frame);
                    let part = [(crop.x, crop.width), (crop.y, crop.height)][axis];
                    is_ramp(&out, location, axis, part, 36, &format!("{sampling:?} {location:?} {scan:?} axis {axis} cut"));
                }
            }
        }
    }
}

/// Each output field is made only from the input field of the same parity.
#[test]
fn fields_do_not_mix() {
    for sampling in [Sampling::C420, Sampling::C422, Sampling::C444, Sampling::Mono] {
        let format = Format::new(20, 24, sampling);
        let mut frame = Frame::new(format);
        for (index, plane) in frame.byte_planes_mut().into_iter().enumerate() {
            for line in plane.chunks_mut(2 * format.plane_size(index).0.max(1)) {
                let half = line.len() / 2;
                line[..half].fill(30);
                line[half..].fill(200);
            }
        }
        for height in [4, 24, 26, 48, 130] {
            for sharpen in [None, Some(dndi::SharpenMode::Combination), Some(dndi::SharpenMode::Detail5)] {
                let settings = builder(format, Scan::TopFirst).scale(Some(Scale::new(31, height))).sharpen(sharpen);
                let out = process(&settings, &frame);
                for index in 0..sampling.planes() {
                    let width = out.format().plane_size(index).0;
                    for (y, line) in out.plane(index).chunks(width).enumerate() {
                        let want = if y % 2 == 0 { 30 } else { 200 };
                        assert!(line.iter().all(|&v| v == want), "{sampling:?} to {height}, plane {index}, line {y}");
                    }
                }
            }
        }
    }
}

/// A second derivative bends the picture as its formula says, chroma and luma alike.
#[test]
fn uneven_addresses_bend_the_picture() {
    for sampling in [Sampling::C420, Sampling::C422, Sampling::C444] {
        for location in LOCATIONS {
            let format = Format::new(36, 8, sampling);
            let frame = ramp(format, location, 0);
            let addresses = Addresses { start: 0.1, delta: 0.009, second: 0.0003 };
            let scale = Scale::new(50, 8).addresses(addresses);
            let out = process(&builder(format, Scan::Progressive).chroma_location(location).scale(Some(scale)), &frame);
            for index in 0..3 {
                let width = out.format().plane_size(index).0;
                let (step, offset) = if index == 0 { ([1.0; 2], [0.0; 2]) } else { grid(sampling, location) };
                for (x, &sample) in out.plane(index)[..width].iter().enumerate() {
                    let x = x as f64 * step[0] + offset[0];
                    let luma = (0.1 + 0.009 * x + 0.0003 * x * (x - 1.0) / 2.0) * 36.0 - 0.5;
                    if (8.0..28.0).contains(&luma) {
                        assert_abs_diff_eq!(sample as f64, SLOPE * luma, epsilon = SLOPE * step[0] / 32.0 + 1.6);
                    }
                }
            }
        }
    }
}
