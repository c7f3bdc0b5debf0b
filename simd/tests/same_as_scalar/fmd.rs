//! Kernels of the film mode detection.
use super::{check, refs};
use dndi_simd::*;

#[test]
fn fmd() {
    check("fmd", |k, n, inputs, out| {
        let c = inputs.rows::<6>(n);
        let mut p = inputs.rows::<4>(n);
        if inputs.rng.next() % 2 == 0 {
            let near = [1, 2, 3, 4].map(|i: usize| c[i].iter().map(|v| v.wrapping_add(inputs.byte(0..20))).collect());
            p = near;
        }
        let previous = (inputs.rng.next() % 8 != 0).then(|| refs(&p));
        let rows = FmdRows { c: refs(&c), p: previous };
        let th =
            FmdThresholds { fmd_tdiff: inputs.byte(0..256), fmd_vdiff1: inputs.byte(0..256), fmd_vdiff2: inputs.byte(0..256) };
        let mut sums: Vec<FmdSums> = vec![[5; 8]; n.div_ceil(16)];
        out.take(n, 77u8, |tears| (k.fmd)(&mut sums, tears, &rows, &th));
        out.take(8 * sums.len(), 0u32, |dst| dst.copy_from_slice(sums.as_flattened()));
    });
}

#[test]
fn tears() {
    check("tears", |k, n, inputs, out| {
        let flags: [Vec<u8>; 3] =
            std::array::from_fn(|_| inputs.bytes(n + 2, 0..8).into_iter().map(|v| if v < 4 { 0 } else { v - 3 }).collect());
        let mut sums = vec![[3; 3]; n.div_ceil(16)];
        (k.tears)(&mut sums, &flags[0], &flags[1], &flags[2]);
        out.take(3 * sums.len(), 0u32, |dst| dst.copy_from_slice(sums.as_flattened()));
    });
}
