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
        let lines: [Vec<u8>; 4] = std::array::from_fn(|_| inputs.row(n));
        out.take(n.div_ceil(16), 3u32, |sums| (k.combing)(sums, lines.each_ref().map(|line| line.as_slice())));
    });
}

#[test]
fn difference() {
    check("difference", |k, n, inputs, out| {
        let (a, b) = (inputs.row(n), inputs.row(n));
        out.take(n.div_ceil(16), 3u32, |sums| (k.difference)(sums, &a, &b));
    });
}
