//! Makes the sample clip of this repository.
//!
//! ```sh
//! cargo run --example make_sample -- samples/interlaced.y4m
//! ```
//!
//! A synthetic interlaced scene, top field first: a turning wheel and a sliding bar (motion, edges
//! at all angles), fine still stripes, a still checkerboard, and a noisy area. The fields of a
//! frame show different times. Only basic arithmetic is used, so the file is the same on every
//! machine.
use dndi::y4m::{FrameHeader, Header, Writer};
use dndi::{Frame, Sampling};
use std::error::Error;

const WIDTH: usize = 192;
const HEIGHT: usize = 144;
const FRAMES: usize = 12;

/// Samples are averages of 3×3 points of the scene.
const POINTS: usize = 3;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1).ok_or("usage: make_sample OUTPUT.y4m")?;
    let header = Header::parse(format!("YUV4MPEG2 W{WIDTH} H{HEIGHT} F25:1 It A1:1 C420mpeg2").as_bytes())?;
    let mut writer = Writer::new(std::fs::File::create(path)?, &header)?;
    let mut noise = Noise(1);
    for number in 0..FRAMES {
        let mut frame = Frame::new(header.format());
        let fields = [Scene::at(2 * number), Scene::at(2 * number + 1)];
        for (index, plane) in frame.byte_planes_mut().into_iter().enumerate() {
            let (width, height) = header.format().plane_size(index);
            let scale = if index == 0 { 1 } else { 2 };
            for (y, line) in plane.chunks_exact_mut(width).enumerate() {
                let scene = &fields[y % 2];
                for (x, sample) in line.iter_mut().enumerate() {
                    // A chroma row of a field covers the lines of that field only, so its centre
                    // differs from that of a progressive frame.
                    let middle = if index == 0 { y as f64 } else { field_line(y) };
                    let mut value = scene.average((x * scale) as f64, middle, scale as f64, index);
                    let noisy = x * scale > 128 && y * scale < 48 && index == 0;
                    value += if noisy { noise.next() * 6.0 } else { noise.next() * 0.7 };
                    *sample = value.round().clamp(16.0, 240.0) as u8;
                }
            }
            debug_assert_eq!(plane.len(), width * height);
        }
        writer.write(&FrameHeader::default(), &frame)?;
    }
    assert_eq!(header.sampling(), Sampling::C420);
    Ok(())
}

/// The luma line at which the samples of chroma row `row` start: rows of a field are four lines
/// apart, and start half a line into their pair.
fn field_line(row: usize) -> f64 {
    (4 * (row / 2) + row % 2) as f64 + 0.5
}

/// The scene at one time.
struct Scene {
    /// Directions of the wheel's spokes.
    spokes: [(f64, f64); 5],
    /// Fields since the start.
    time: f64,
}

impl Scene {
    fn at(field: usize) -> Scene {
        // Steps of a turn: 1/5 between spokes, about 1/150 from field to field.
        let (fifth, step) = ((0.309_016_994_4, 0.951_056_516_3), (0.999_122_8, 0.041_875_7));
        let turn = |(x, y): (f64, f64), (c, s): (f64, f64)| (x * c - y * s, x * s + y * c);
        let mut spoke = (1.0, 0.0);
        for _ in 0..field {
            spoke = turn(spoke, step);
        }
        let mut spokes = [spoke; 5];
        for i in 1..5 {
            spokes[i] = turn(spokes[i - 1], fifth);
        }
        Scene { spokes, time: field as f64 }
    }

    /// Mean of a square of `size` pixels.
    fn average(&self, x: f64, y: f64, size: f64, plane: usize) -> f64 {
        let offset = |i: usize| (i as f64 + 0.5) / POINTS as f64 * size;
        let points = (0..POINTS * POINTS).map(|i| self.point(x + offset(i % POINTS), y + offset(i / POINTS))[plane]);
        points.sum::<f64>() / (POINTS * POINTS) as f64
    }

    /// Luma and chroma of a point.
    fn point(&self, x: f64, y: f64) -> [f64; 3] {
        let (dx, dy) = (x - 62.0, y - 66.0);
        let distance = (dx * dx + dy * dy).sqrt();
        let bar = x - 0.6 * y - 3.2 * self.time;
        let on_spoke = |&(sx, sy): &(f64, f64)| dx * sx + dy * sy > 0.0 && (dx * sy - dy * sx).abs() < 3.0;
        if (40.0..50.0).contains(&distance) || distance < 46.0 && self.spokes.iter().any(on_spoke) {
            [210.0, 100.0, 160.0]
        } else if distance < 46.0 {
            [60.0, 140.0, 118.0]
        } else if (-60.0..-44.0).contains(&bar) || (-36.0..-30.0).contains(&bar) {
            [190.0, 90.0, 120.0]
        } else if x > 132.0 && y > 100.0 {
            let light = ((x / 4.0) as usize + (y / 4.0) as usize).is_multiple_of(2);
            if light { [180.0, 128.0, 128.0] } else { [70.0, 128.0, 128.0] }
        } else if y > 126.0 {
            if ((x / 1.5) as usize).is_multiple_of(2) { [150.0, 120.0, 140.0] } else { [90.0, 120.0, 140.0] }
        } else {
            [70.0 + 0.4 * x + 0.3 * y, 122.0 + 0.06 * x, 132.0 - 0.07 * y]
        }
    }
}

/// Nearly normal noise of standard deviation 1.
struct Noise(u32);

impl Noise {
    fn next(&mut self) -> f64 {
        let mut uniform = || {
            self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (self.0 >> 8) as f64 / (1 << 24) as f64
        };
        let sum: f64 = (0..12).map(|_| uniform()).sum();
        sum - 6.0
    }
}
