//! Kernels of the detector.
use super::check;

#[test]
fn quarter() {
    check("quarter", |k, n, inputs, out| {
        let more = inputs.rng.within(0..4);
        let src = inputs.row(4 * n + more);
        out.take(n, 7u8, |dst| (k.quarter)(dst, &src));
    });
}

#[test]
fn combing() {
    check("combing", |k, n, inputs, out| {
        let lines: [Vec<u8>; 5] = std::array::from_fn(|_| inputs.row(n));
        out.take(n.div_ceil(16), 3u32, |sums| (k.combing)(sums, lines.each_ref().map(|line| line.as_slice())));
    });
}

#[test]
fn difference() {
    check("difference", |k, n, inputs, out| {
        let lines: [Vec<u8>; 4] = std::array::from_fn(|_| inputs.row(n));
        let [a, b, c, d] = lines.each_ref().map(|line| line.as_slice());
        let pairs = [[a, b], [c, d], [b, c]];
        let count = inputs.rng.within(1..4);
        out.take(n.div_ceil(16), 3u32, |sums| (k.difference)(sums, &pairs[..count]));
    });
}
