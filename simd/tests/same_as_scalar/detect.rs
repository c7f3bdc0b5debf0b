//! Kernels of the detector.
use super::{TestSample, check};
use dndi_simd::{BIT_BLOCK, Kernels, SimdLevel, Tile};

#[test]
fn packed_bits() {
    check("pack_bits, unpack_bits", |k, n, inputs, out| {
        // Fewer blocks than columns of a picture: all lengths of rests, and samples above the
        // range.
        let depth = 9 + inputs.byte(0..7);
        let src = u16::row(inputs, 7 * n);
        let packed = src.len() / BIT_BLOCK * 32 * usize::from(depth);
        out.take(packed, 77u16, |dst| (k.pack_bits)(dst, &src, depth));
        let words = u16::row(inputs, packed);
        out.take(src.len(), 77u16, |dst| (k.unpack_bits)(dst, &words, depth));
    });
}

#[test]
fn packed_bits_are_the_bits_of_the_samples() {
    for kernels in SimdLevel::ALL.into_iter().flat_map(Kernels::at) {
        for depth in 9..=15 {
            let samples: Vec<u16> = (0..2 * BIT_BLOCK).map(|at| ((at * 0x9e37) >> 3) as u16).collect();
            let most = u16::MAX >> (16 - depth);
            let mut words = vec![0; 2 * 32 * usize::from(depth)];
            (kernels.pack_bits)(&mut words, &samples, depth);
            // All bits of a column of a block, the first row and the lowest bit first.
            let bit =
                |block: usize, x: usize, bit: usize| words[32 * (usize::from(depth) * block + bit / 16) + x] >> (bit % 16) & 1;
            for (at, &sample) in samples.iter().enumerate() {
                let (block, row, x) = (at / BIT_BLOCK, at % BIT_BLOCK / 32, at % 32);
                let bits = (0..depth).map(|i| bit(block, x, row * usize::from(depth) + usize::from(i)) << i);
                assert_eq!(bits.sum::<u16>(), sample.min(most), "{} at {depth} bits, sample {at}", kernels.level());
            }
            let mut unpacked = vec![77; samples.len()];
            (kernels.unpack_bits)(&mut unpacked, &words, depth);
            let want: Vec<u16> = samples.iter().map(|&sample| sample.min(most)).collect();
            assert_eq!(unpacked, want, "{} at {depth} bits", kernels.level());
        }
    }
}

#[test]
fn downsample4() {
    check("downsample4", |k, n, inputs, out| {
        let more = inputs.rng.within(0..4);
        let src = inputs.row(4 * n + more);
        out.take(n, 7u8, |dst| (k.downsample4)(dst, &src));
    });
}

#[test]
fn field_metrics() {
    check("field_metrics", |k, n, inputs, out| {
        let lines: [Vec<u8>; 10] = std::array::from_fn(|_| inputs.row(n));
        let [current, previous] = [0, 5].map(|first| std::array::from_fn(|y| lines[first + y].as_slice()));
        let mut tiles = vec![Tile::default(); n.div_ceil(16)];
        (k.field_metrics)(&mut tiles, current, previous);
        let unsigned =
            tiles.iter().flat_map(|tile| [tile.inside, tile.across[0], tile.across[1], tile.changed[0], tile.changed[1]]);
        let signed = tiles.iter().flat_map(|tile| {
            [tile.vertical_motion, tile.vertical_motion_across[0], tile.vertical_motion_across[1], tile.uncorrelated]
        });
        let sums: Vec<u32> = unsigned.chain(signed.map(|v| v as u32)).collect();
        out.take(sums.len(), 0u32, |out| out.copy_from_slice(&sums));
    });
}
