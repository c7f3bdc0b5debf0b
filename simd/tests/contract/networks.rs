//! Kernels of the deinterlacers with networks.
use crate::slices::{Call, Slices, TestSample, W, one};
use dndi_simd::*;

/// Each kernel, with the lengths that its file documents.
pub const KERNELS: [(&str, Call); 17] = [
    ("bwdif", bwdif::<u8>),
    ("bwdif of words", bwdif::<u16>),
    ("edge_search", edge_search::<u8>),
    ("edge_search of words", edge_search::<u16>),
    ("temporal_search", temporal_search::<u8>),
    ("temporal_search of words", temporal_search::<u16>),
    ("differences", differences::<u8>),
    ("differences of words", differences::<u16>),
    ("correct", correct::<u8>),
    ("correct of words", correct::<u16>),
    ("quarter", quarter::<u8>),
    ("quarter of words", quarter::<u16>),
    ("field_costs", |k, n, s| {
        let rows = field_rows::<u8>(s, n);
        let mut costs = [vec![W; n], s.twin(n, W), s.twin(n, W), s.twin(n, W)];
        s.call(|| (k.field_costs)(&mut costs.each_mut().map(Vec::as_mut_slice), &lines(&rows), 2, 2));
        costs.iter().for_each(|row| s.wrote(row));
    }),
    ("cell_changes", |k, n, s| {
        let (a, b) = (s.twin(CELL * n, 20u8), s.twin(CELL * n, 23u8));
        let mut sums = vec![u32::from(W); n];
        s.call(|| (k.cell_changes)(&mut sums, &a, &b));
        let low: Vec<u16> = sums.iter().map(|&sum: &u32| sum as u16).collect();
        s.wrote(&low);
    }),
    ("steady_detail", |k, n, s| {
        let comb = s.words(n, 1500);
        one!(s, n, W, |dst| (k.steady_detail)(dst, &comb, 2));
    }),
    ("still_lines", |k, n, s| {
        let rows = field_rows::<u8>(s, n);
        let [third] = s.rows(n);
        one!(s, n, W, |dst| (k.still_lines)(dst, &lines(&rows), &third));
    }),
    ("network", |k, n, s| {
        const NETWORK: Network = Network::parse(
            b"5 3 2  100 -200 300 -400 500  1 2 3 4 5  -9 8 -7 6 -5  1000 50 3000
              700 -800 900  11 12 13  2000 -3000  400 -500  60000  70 80 -90 100 110",
        );
        let inputs = s.words(NETWORK.inputs() * n, 1500);
        one!(s, n, W, |dst| (k.network)(dst, &inputs, n, &NETWORK, 10));
    }),
];

/// The 18 lines of five fields.
fn field_rows<S: TestSample>(s: &mut Slices, n: usize) -> [Vec<S>; 18] {
    s.rows_in_range(n)
}

fn lines<S>(rows: &[Vec<S>; 18]) -> FieldLines<'_, S> {
    let row = |i: usize| rows[i].as_slice();
    FieldLines {
        own: std::array::from_fn(row),
        before: std::array::from_fn(|i| row(4 + i)),
        after: std::array::from_fn(|i| row(9 + i)),
        older: std::array::from_fn(|i| row(14 + i)),
        newer: std::array::from_fn(|i| row(16 + i)),
    }
}

fn bwdif<S: TestSample>(k: &Kernels, n: usize, s: &mut Slices) {
    let rows = field_rows::<S>(s, n);
    let mut base = vec![S::START; n];
    let mut others: [Vec<S>; 5] = std::array::from_fn(|_| s.twin(n, S::START));
    let mut range = s.output(n, W);
    s.call(|| {
        let [temporal, spatial, mixed, around, outer] = others.each_mut().map(Vec::as_mut_slice);
        let mut values = BwdifValues { base: &mut base, temporal, spatial, mixed, around, outer };
        (S::kernels(k).bwdif)(&mut values, &mut range, &lines(&rows), S::DEPTH);
    });
    s.wrote(&base);
    others.iter().for_each(|row| s.wrote(row));
    s.wrote(&range);
}

fn edge_search<S: TestSample>(k: &Kernels, n: usize, s: &mut Slices) {
    let (decisions, rows) = (field_rows::<u8>(s, n), field_rows::<S>(s, n));
    let mut costs = [s.twin(n, W), s.twin(n, W)];
    one!(s, n, S::START, |value| {
        let costs = &mut costs.each_mut().map(Vec::as_mut_slice);
        (S::kernels(k).edge_search)(value, costs, &lines(&decisions), &lines(&rows), 2);
    });
    costs.iter().for_each(|row| s.wrote(row));
}

fn temporal_search<S: TestSample>(k: &Kernels, n: usize, s: &mut Slices) {
    let (decisions, rows) = (field_rows::<u8>(s, n), field_rows::<S>(s, n));
    let mut costs = [s.twin(n, W), s.twin(n, W)];
    one!(s, n, S::START, |value| {
        let costs = &mut costs.each_mut().map(Vec::as_mut_slice);
        (S::kernels(k).temporal_search)(value, costs, &lines(&decisions), &lines(&rows), 2);
    });
    costs.iter().for_each(|row| s.wrote(row));
}

fn differences<S: TestSample>(k: &Kernels, n: usize, s: &mut Slices) {
    let [value, base] = s.sample_lines::<S, 2>(n);
    one!(s, n, W, |dst| (S::kernels(k).differences)(dst, n, &[&value], &base, 1));
}

fn correct<S: TestSample>(k: &Kernels, n: usize, s: &mut Slices) {
    let ([base], correction, still) = (s.sample_lines::<S, 1>(n), s.words(n, u16::MAX), s.words(n, 5));
    one!(s, n, S::START, |dst| (S::kernels(k).correct)(dst, &base, &correction, (&still, 3), S::DEPTH));
}

fn quarter<S: TestSample>(k: &Kernels, n: usize, s: &mut Slices) {
    let [near, far] = s.sample_lines::<S, 2>(n);
    one!(s, n, S::START, |dst| (S::kernels(k).quarter)(dst, &near, &far));
}
