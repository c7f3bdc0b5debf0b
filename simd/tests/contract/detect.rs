//! Kernels of the detector and of film mode detection.
use crate::slices::{B, START, W, one};
use crate::slices::{Call, noise, refs};
use dndi_simd::*;

/// Each kernel, with the lengths that its file documents.
pub const KERNELS: [(&str, Call); 6] = [
    ("fmd", |k, n, s| {
        let c = s.rows::<6>(n);
        let p = (n % 3 > 0).then(|| s.rows::<4>(n));
        let rows = FmdRows { c: refs(&c), p: p.as_ref().map(refs) };
        let th = FmdThresholds { fmd_tdiff: 175, fmd_vdiff1: 200, fmd_vdiff2: 100 };
        let mut sums = s.output(n.div_ceil(16), [START as u32; 8]);
        one!(s, n, B, |tears| (k.fmd)(&mut sums, tears, &rows, &th));
        s.wrote(sums.as_flattened());
    }),
    ("tears", |k, n, s| {
        // The number of flags determines the other lengths.
        let flags: Vec<u8> = (0..n + 2).map(|at| noise(99, at) as u8 % 8).collect();
        let [above, below] = s.lines(n + 2);
        let mut sums = s.output(n.div_ceil(16), [START as u32; 3]);
        s.call(|| (k.tears)(&mut sums, &above, &flags, &below));
        s.wrote(sums.as_flattened());
    }),
    ("pack_bits", |k, n, s| {
        // The number of samples determines the other lengths; a rest is not packed.
        let src: Vec<u16> = (0..n * BIT_BLOCK / 16).map(|at| noise(99, at) as u16).collect();
        let mut dst = s.output(src.len() / BIT_BLOCK * 32 * 11, W);
        s.call(|| (k.pack_bits)(&mut dst, &src, 11));
        s.wrote(&dst);
    }),
    ("unpack_bits", |k, n, s| {
        let src = s.words(n / 16 * 32 * 13, u16::MAX);
        one!(s, n * BIT_BLOCK / 16, W, |dst| (k.unpack_bits)(dst, &src, 13));
    }),
    ("downsample4", |k, n, s| {
        let src = s.bytes(4 * n);
        one!(s, n, B, |dst| (k.downsample4)(dst, &src));
    }),
    ("field_metrics", |k, n, s| {
        // The first line determines the other lengths.
        let first: Vec<u8> = (0..n).map(|at| noise(99, at) as u8).collect();
        let [b, c, d, e] = s.lines(n);
        let previous = s.lines::<5>(n);
        let mut tiles = s.output(n.div_ceil(16), TILE);
        s.call(|| (k.field_metrics)(&mut tiles, [&first, &b, &c, &d, &e], refs(&previous)));
        for tile in tiles {
            let [a, b] = tile.vertical_motion_across;
            let signed = [tile.vertical_motion, a, b, tile.uncorrelated].map(|v| v as u32);
            s.wrote(&[tile.inside, tile.across[0], tile.across[1], tile.changed[0], tile.changed[1]]);
            s.wrote(&signed);
        }
    }),
];

/// A tile before a call.
const TILE: Tile = Tile {
    inside: START as u32,
    across: [START as u32; 2],
    changed: [START as u32; 2],
    vertical_motion: START as i32,
    vertical_motion_across: [START as i32; 2],
    uncorrelated: START as i32,
};
