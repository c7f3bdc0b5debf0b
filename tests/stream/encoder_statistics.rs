//! Encoder statistics (§13.12) against sums of single pixels, and against the statistics of frames.
use super::*;
use dndi::{DenoiseMode, Samples};

/// A number of a shift and a mantissa, by the formula of the document.
fn number(shift: u32, mantissa: u32) -> u32 {
    if shift == 0 { mantissa } else { ((0x100 | mantissa) << shift) >> 7 }
}

/// Bits `high`…`low` of a word.
fn bits(word: u32, high: u32, low: u32) -> u32 {
    (word >> low) & ((1 << (high - low + 1)) - 1)
}

/// STAD, SHCM and SVCM of a block.
fn differences(block: &[u32; 4]) -> [u32; 3] {
    let of = |shift: u32, mantissa: u32| number(bits(block[1], shift + 3, shift), bits(block[3], mantissa + 7, mantissa));
    [of(28, 24), of(24, 16), of(20, 8)]
}

/// The luma of a frame.
fn luma(frame: &Frame) -> Vec<i32> {
    match frame.planes()[0].samples {
        Samples::U8(bytes) => bytes.iter().map(|&byte| byte.into()).collect(),
        Samples::U16(words) => words.iter().map(|&word| word.into()).collect(),
    }
}

/// The three sums of the block at (x, y), pixel by pixel. Lines and columns outside repeat the last
/// ones.
fn sums(c: &[i32], p: Option<&[i32]>, (width, height): (usize, usize), (x, y): (usize, usize), extra: u32) -> [u32; 3] {
    let at = |plane: &[i32], x: usize, y: usize| plane[y.min(height - 1) * width + x.min(width - 1)];
    let mut all = [0; 3];
    for block in 0..4 {
        let (first, mut sums) = (x + 4 * block, [0; 3]);
        for (j, i) in (0..4).flat_map(|j| (0..4).map(move |i| (j, i))) {
            let here = at(c, first + i, y + j);
            sums[0] += p.map_or(0, |p| (here - at(p, first + i, y + j)).abs());
            sums[1] += if i < 3 { (here - at(c, first + i + 1, y + j)).abs() } else { 0 };
            sums[2] += if j < 3 { (here - at(c, first + i, y + j + 1)).abs() } else { 0 };
        }
        all.iter_mut().zip(sums).for_each(|(all, sum)| *all += sum as u32 >> (2 + extra));
    }
    all
}

/// A number with its 9 most significant bits alone.
fn truncated(value: u32) -> u32 {
    let lost = value.checked_ilog2().unwrap_or(0).saturating_sub(8);
    value >> lost << lost
}

#[test]
fn differences_are_those_of_single_pixels() {
    for (depth, size) in [(8, (50, 22)), (8, (1, 1)), (8, (16, 67)), (10, (33, 9)), (16, (19, 5))] {
        let format = Format::new(size.0, size.1, Sampling::C420).with_depth(depth);
        let builder = Stream::builder(format, Scan::Progressive).denoise(DenoiseMode::On).encoder_statistics(true);
        let mut stream = builder.build().unwrap();
        let mut before = None;
        for step in 0..4 {
            let input = deep_frame(format, step);
            stream.push(&input.planes()).unwrap();
            let blocks = stream.statistics().unwrap().encoder.clone();
            assert_eq!(blocks.len(), size.0.div_ceil(16) * size.1.div_ceil(4));
            let (c, output) = (luma(&input), luma(&stream.pull().unwrap().frame));
            for (index, block) in blocks.iter().enumerate() {
                let at = (index % size.0.div_ceil(16) * 16, index / size.0.div_ceil(16) * 4);
                let want = sums(&c, before.as_deref(), size, at, u32::from(depth) - 8).map(truncated);
                assert_eq!(differences(block), want, "{depth} bits, step {step}, block at {at:?}");
                assert_eq!((block[0], block[1] & 0xfffff, block[2], block[3] & 255), (0, 0, 0, 0), "nothing is deinterlaced");
            }
            before = Some(output);
        }
    }
}

/// A frame of words, or of bytes.
fn deep_frame(format: Format, number: usize) -> Frame {
    if format.depth == 8 {
        return frame(format, number);
    }
    let mut words = vec![];
    for plane in frame(format.with_depth(8), number).planes().iter() {
        if let Samples::U8(bytes) = plane.samples {
            words.extend(bytes.iter().map(|&byte| (u16::from(byte) << (format.depth - 8)) | 1));
        }
    }
    Frame::from_vec_u16(format, words)
}

#[test]
fn counts_of_blocks_sum_to_those_of_the_frame() {
    let format = Format::new(70, 38, Sampling::C422);
    for (scan, deinterlacer) in [(Scan::TopFirst, Deinterlacer::Gen6), (Scan::BottomFirst, Deinterlacer::Balanced)] {
        let builder = Stream::builder(format, scan).deinterlacer(deinterlacer).denoise(false).encoder_statistics(true);
        let mut stream = builder.build().unwrap();
        for step in 0..4 {
            push(&mut stream, step).unwrap();
            let statistics = stream.statistics().unwrap().clone();
            pull_all(&mut stream);
            let v = statistics.fmd_variances;
            let sum =
                |field: &dyn Fn(&[u32; 4]) -> u32| statistics.encoder.iter().map(|block| u64::from(field(block))).sum::<u64>();
            let second = if scan == Scan::TopFirst { v[9] } else { v[10] };
            assert_eq!(sum(&|block| bits(block[0], 31, 24)), v[8]);
            assert_eq!(sum(&|block| bits(block[0], 23, 16)), second);
            assert_eq!(sum(&|block| bits(block[0], 15, 8)), v[7]);
            // Shift, and mantissa by its DWord and lowest bit.
            for (index, (shift, (word, low))) in
                [(16, (3, 0)), (12, (2, 24)), (8, (2, 16)), (4, (2, 8)), (0, (2, 0))].into_iter().enumerate()
            {
                let found = sum(&|block| number(bits(block[1], shift + 3, shift), bits(block[word], low + 7, low)));
                assert!(found <= v[index] && v[index] - found <= v[index] / 256, "v{index}: {found} of {}", v[index]);
            }
            assert_eq!(sum(&|block| block[1] >> 20), 0, "nothing is denoised");
            assert!(step == 0 || (v[7] > 0 && v[1] > 0), "the clip moves");
        }
    }
}

#[test]
fn no_statistics_of_blocks_by_default() {
    let mut stream = interlaced(Sampling::C420).build().unwrap();
    push(&mut stream, 0).unwrap();
    assert!(stream.statistics().unwrap().encoder.is_empty());
}
