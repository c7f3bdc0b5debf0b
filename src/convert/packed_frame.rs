//! Frames of 9 to 15 bits that wait for their decisions, without the unused bits of their words: a
//! frame of 10 bits takes five eighths of its memory.
use crate::format::Format;
use crate::frame::{Frame, PlaneSample};
use crate::memory::{OutOfMemory, zeroed};
use dndi_simd::{BIT_BLOCK, Kernels};
use rayon::prelude::*;

/// Blocks of a parallel task. The value follows from the first-level cache: samples, packed words
/// and a copy of the words are 18 to 23 KiB. With more blocks they exceed a cache of 32 KiB, fewer
/// cost more task overhead.
const TASK_BLOCKS: usize = 8;

/// Packs frames of one depth.
#[derive(Clone, Copy, Debug)]
pub(super) struct FramePacker {
    kernels: &'static Kernels,
    depth: u8,
}

/// The samples of a frame, packed.
#[derive(Debug)]
pub(super) struct PackedFrame {
    format: Format,
    /// The packed blocks, then the samples that do not fill a block.
    words: Vec<u16>,
}

impl PackedFrame {
    /// The format of the frame.
    pub fn format(&self) -> Format {
        self.format
    }
}

impl FramePacker {
    /// A packer of samples of `depth` bits; none if their words have no unused bits.
    pub fn new(kernels: &'static Kernels, depth: u8) -> Option<FramePacker> {
        (9..16).contains(&depth).then_some(FramePacker { kernels, depth })
    }

    /// Memory to pack a frame; none for a frame of bytes, which cannot be packed.
    pub fn memory(self, frame: &Frame) -> Result<Option<PackedFrame>, OutOfMemory> {
        let Some(samples) = u16::of(frame.samples()).map(<[u16]>::len) else { return Ok(None) };
        let words = samples / BIT_BLOCK * self.block_words() + samples % BIT_BLOCK;
        Ok(Some(PackedFrame { format: frame.format(), words: zeroed(words)? }))
    }

    /// Packs a frame into its memory. Samples above the greatest value of the depth become that.
    pub fn pack(self, packed: &mut PackedFrame, frame: &mut Frame) {
        self.run(
            packed,
            frame,
            |words, samples, _| (self.kernels.pack_bits)(words, samples, self.depth),
            |words, samples| words.copy_from_slice(samples),
        );
    }

    /// Unpacks a frame into a frame of the same format.
    pub fn unpack(self, packed: &mut PackedFrame, frame: &mut Frame) {
        self.run(
            packed,
            frame,
            |words, samples, _| (self.kernels.unpack_bits)(samples, words, self.depth),
            |words, samples| samples.copy_from_slice(words),
        );
    }

    /// Packs a frame into the memory of another one of the same format, which is unpacked into the
    /// memory of the first one: both pictures change their places, without further memory.
    pub fn exchange(self, packed: &mut PackedFrame, frame: &mut Frame) {
        let exchange = |words: &mut [u16], samples: &mut [u16], copy: &mut [u16]| {
            copy[..words.len()].copy_from_slice(words);
            (self.kernels.pack_bits)(words, samples, self.depth);
            (self.kernels.unpack_bits)(samples, &copy[..words.len()], self.depth);
        };
        self.run(packed, frame, exchange, |words, samples| words.swap_with_slice(samples));
    }

    /// Calls `blocks(words, samples, scratch)` for parts with whole blocks, and `rest(words,
    /// samples)` for the samples that do not fill a block, which are not packed.
    fn run(
        self,
        packed: &mut PackedFrame,
        frame: &mut Frame,
        blocks: impl Fn(&mut [u16], &mut [u16], &mut [u16]) + Sync,
        rest: impl Fn(&mut [u16], &mut [u16]),
    ) {
        let Some(samples) = u16::of_mut(frame.samples_mut()) else { return };
        let whole = samples.len() / BIT_BLOCK;
        let (samples, last_samples) = samples.split_at_mut(whole * BIT_BLOCK);
        let (words, last_words) = packed.words.split_at_mut(whole * self.block_words());
        let words = words.par_chunks_mut(TASK_BLOCKS * self.block_words());
        let tasks = words.zip(samples.par_chunks_mut(TASK_BLOCKS * BIT_BLOCK));
        tasks.for_each_init(|| [0; TASK_BLOCKS * BIT_BLOCK], |scratch, (words, samples)| blocks(words, samples, scratch));
        rest(last_words, last_samples);
    }

    /// Words of a packed block.
    fn block_words(self) -> usize {
        BIT_BLOCK / 16 * usize::from(self.depth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Sampling;
    use dndi_simd::SimdLevel;

    fn frame(format: Format, seed: usize) -> Frame {
        let sample = |at: usize| ((at + seed).wrapping_mul(0x9e37_79b9) >> 7) as u16 >> (16 - format.depth);
        Frame::from_vec_u16(format, (0..format.samples()).map(sample).collect())
    }

    /// Sizes with and without whole blocks, tasks and rests.
    fn formats(depth: u8) -> impl Iterator<Item = Format> {
        let sizes = [(1, 1), (31, 7), (32, 16), (33, 17), (127, 31), (128, 32), (129, 33), (201, 101)];
        sizes.into_iter().map(move |(width, height)| Format::new(width, height, Sampling::C422).with_depth(depth))
    }

    #[test]
    fn frames_come_back() {
        for level in SimdLevel::ALL {
            let Ok(kernels) = Kernels::at(level) else { continue };
            for format in (9..16).flat_map(formats) {
                let packer = FramePacker::new(kernels, format.depth).unwrap();
                let [mut a, mut b] = [1, 500].map(|seed| frame(format, seed));
                let mut packed = packer.memory(&a).unwrap().unwrap();
                assert_eq!(packed.format(), format);
                let whole = format.samples() / BIT_BLOCK * BIT_BLOCK;
                let bits = whole * usize::from(format.depth) + 16 * (format.samples() - whole);
                assert_eq!(16 * packed.words.len(), bits, "{format:?}");
                packer.pack(&mut packed, &mut a);
                assert_eq!(a, frame(format, 1), "{format:?} at {level}: packing changed the frame");
                packer.exchange(&mut packed, &mut b);
                assert_eq!(b, frame(format, 1), "{format:?} at {level}: exchanged");
                packer.unpack(&mut packed, &mut b);
                assert_eq!(b, frame(format, 500), "{format:?} at {level}: unpacked");
            }
        }
    }

    #[test]
    fn samples_without_unused_bits_are_not_packed() {
        let kernels = Kernels::at(SimdLevel::Scalar).unwrap();
        assert!([8, 16].into_iter().all(|depth| FramePacker::new(kernels, depth).is_none()));
        let packer = FramePacker::new(kernels, 10).unwrap();
        assert!(packer.memory(&Frame::new(Format::new(64, 64, Sampling::Mono))).unwrap().is_none());
    }
}
