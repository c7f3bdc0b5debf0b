//! Kernels of the deinterlacers with networks.
use super::{Inputs, TestSample, Written, check, for_samples, words};
use dndi_simd::*;
use std::cell::Cell;

/// Lines of five fields; field t + 1 is often field t - 1 moved by some samples.
fn field_rows<S: TestSample>(inputs: &mut Inputs, n: usize, depth: u8) -> [Vec<S>; 18] {
    let mut rows: [Vec<S>; 18] = std::array::from_fn(|_| samples(inputs, n + 2 * APRON, depth));
    let shift = inputs.rng.within(0..12);
    if shift < 9 {
        for i in 0..5 {
            let moved = |x: usize| rows[4 + i][(x + shift).saturating_sub(4).min(n + 2 * APRON - 1)];
            rows[9 + i] = (0..n + 2 * APRON).map(moved).collect();
        }
    }
    // Parts of all fields are often nearly static.
    if inputs.rng.next().is_multiple_of(2) {
        for (row, source) in [(9, 4), (10, 5), (11, 6), (12, 7), (13, 8), (14, 1), (15, 2), (16, 1), (17, 2)] {
            for x in (0..n + 2 * APRON).filter(|x| x % 37 > 3) {
                let nearly = if inputs.rng.within(0..40) == 0 { rows[row][x] } else { rows[source][x] };
                rows[row][x] = nearly;
            }
        }
    }
    rows
}

/// Samples within the range of a depth.
pub fn samples<S: TestSample>(inputs: &mut Inputs, len: usize, depth: u8) -> Vec<S> {
    words(inputs, len, depth).into_iter().map(|v| S::from_u32(v.into())).collect()
}

/// One of the depths of a type.
pub fn depth<S: TestSample>(inputs: &mut Inputs) -> u8 {
    S::DEPTHS[inputs.rng.within(0..S::DEPTHS.len())]
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

mod one {
    use super::*;

    pub fn bwdif<S: TestSample>(k: &Kernels, n: usize, inputs: &mut Inputs, out: &mut Written) {
        let depth = depth::<S>(inputs);
        let rows = field_rows::<S>(inputs, n, depth);
        let mut written: [Vec<S>; 5] = std::array::from_fn(|_| vec![S::from_u32(77); n]);
        let [temporal, spatial, mixed, around, outer] = written.each_mut().map(Vec::as_mut_slice);
        let mut limits = vec![77; n];
        out.take(n, S::from_u32(77), |base| {
            let mut values = BwdifValues { base, temporal, spatial, mixed, around, outer };
            (S::kernels(k).bwdif)(&mut values, &mut limits, &lines(&rows), depth);
        });
        written.iter().for_each(|row| out.take(n, S::from_u32(0), |dst| dst.copy_from_slice(row)));
        out.take(n, 0u16, |dst| dst.copy_from_slice(&limits));
    }

    pub fn edge_search<S: TestSample>(k: &Kernels, n: usize, inputs: &mut Inputs, out: &mut Written) {
        let (decisions, rows) = (field_rows::<u8>(inputs, n, 8), field_rows::<S>(inputs, n, S::DEPTHS[0]));
        let (mut best, mut vertical, shift) = (vec![77; n], vec![77; n], inputs.byte(0..5));
        out.take(n, S::from_u32(77), |value| {
            (S::kernels(k).edge_search)(value, &mut [&mut best, &mut vertical], &lines(&decisions), &lines(&rows), shift);
        });
        [best, vertical].iter().for_each(|row| out.take(n, 0u16, |dst| dst.copy_from_slice(row)));
    }

    pub fn temporal_search<S: TestSample>(k: &Kernels, n: usize, inputs: &mut Inputs, out: &mut Written) {
        let (decisions, rows) = (field_rows::<u8>(inputs, n, 8), field_rows::<S>(inputs, n, S::DEPTHS[0]));
        let (mut best, mut still, shift) = (vec![77; n], vec![77; n], inputs.byte(0..5));
        out.take(n, S::from_u32(77), |value| {
            let costs = &mut [&mut best[..], &mut still];
            (S::kernels(k).temporal_search)(value, costs, &lines(&decisions), &lines(&rows), shift);
        });
        [best, still].iter().for_each(|row| out.take(n, 0u16, |dst| dst.copy_from_slice(row)));
    }

    pub fn quarter<S: TestSample>(k: &Kernels, n: usize, inputs: &mut Inputs, out: &mut Written) {
        let (near, far) = (S::row(inputs, n), S::row(inputs, n));
        out.take(n, S::from_u32(77), |dst| (S::kernels(k).quarter)(dst, &near, &far));
    }

    pub fn differences<S: TestSample>(k: &Kernels, n: usize, inputs: &mut Inputs, out: &mut Written) {
        let depth = depth::<S>(inputs);
        let [a, b, base] = [(); 3].map(|()| samples::<S>(inputs, n, depth));
        let stride = n + usize::from(inputs.byte(0..5));
        let shift = depth.saturating_sub(12);
        out.take(stride + n, 77u16, |dst| (S::kernels(k).differences)(dst, stride, &[&a, &b], &base, shift));
    }

    pub fn correct<S: TestSample>(k: &Kernels, n: usize, inputs: &mut Inputs, out: &mut Written) {
        let depth = depth::<S>(inputs);
        let base = samples::<S>(inputs, n, depth);
        let most = if inputs.rng.next().is_multiple_of(2) { 0x1_0000 } else { 300 };
        let (correction, still) = (inputs.halfwords(n, 0..most), inputs.halfwords(n, 0..6));
        out.take(n, S::from_u32(77), |dst| (S::kernels(k).correct)(dst, &base, &correction, (&still, 3), depth));
    }
}

for_samples!(bwdif, edge_search, temporal_search, quarter, differences, correct);

#[test]
fn field_costs() {
    check("field_costs", |k, n, inputs, out| {
        let (rows, shift, limit) = (field_rows::<u8>(inputs, n, 8), inputs.byte(0..5), inputs.byte(0..4));
        let mut costs = [vec![77; n], vec![77; n], vec![77; n], vec![77; n]];
        (k.field_costs)(&mut costs.each_mut().map(Vec::as_mut_slice), &lines(&rows), shift, limit);
        costs.iter().for_each(|row| out.take(n, 0u16, |dst| dst.copy_from_slice(row)));
    });
}

#[test]
fn cell_changes() {
    check("cell_changes", |k, n, inputs, out| {
        let [a, b] = [(); 2].map(|()| samples::<u8>(inputs, n, 8));
        let mut sums: Vec<u32> = inputs.halfwords(n.div_ceil(CELL), 0..0x1_0000).into_iter().map(u32::from).collect();
        (k.cell_changes)(&mut sums, &a, &b);
        let halves = sums.iter().flat_map(|&sum| [sum as u16, (sum >> 16) as u16]);
        let halves: Vec<u16> = halves.collect();
        out.take(halves.len(), 0u16, |dst| dst.copy_from_slice(&halves));
    });
}

#[test]
fn steady_detail() {
    check("steady_detail", |k, n, inputs, out| {
        let (still, comb, factor) = (inputs.halfwords(n, 0..10200), inputs.halfwords(n, 0..10200), inputs.byte(0..5));
        out.take(n, 0u16, |dst| {
            dst.copy_from_slice(&still);
            (k.steady_detail)(dst, &comb, factor.into());
        });
    });
}

#[test]
fn still_lines() {
    let found = Cell::new(0);
    check("still_lines", |k, n, inputs, out| {
        let mut rows = field_rows::<u8>(inputs, n, 8);
        // Lines that stand still but for noise, before darker or brighter ones.
        let (bright, spread) = (inputs.rng.within(0..2) as u8, inputs.rng.within(3..8));
        for x in (0..n + 2 * APRON).filter(|x| x % 41 > 5) {
            for row in [6, 11] {
                rows[row][x] = 100 + inputs.byte(0..spread);
            }
            for row in [1, 2, 14, 15, 16, 17] {
                let distance = inputs.byte(6..30);
                rows[row][x] = if bright == 1 { 100_u8.saturating_sub(distance) } else { 100 + spread as u8 + distance };
            }
        }
        let third: Vec<u8> = rows[6].iter().map(|&v| v.saturating_add(inputs.byte(0..3))).collect();
        let measures = inputs.halfwords(n, 1..700);
        out.take(n, 0u16, |dst| {
            dst.copy_from_slice(&measures);
            (k.still_lines)(dst, &lines(&rows), &third);
            found.set(found.get() + dst.iter().filter(|&&measure| measure == 0).count());
        });
    });
    assert!(found.get() > 0, "no line stands still");
}

/// A network of this shape with random weights, which use all 16 bits in part.
fn random_network(inputs: &mut Inputs, [count, first, second]: [usize; 3]) -> Network {
    let mut text = format!("# random\n{count} {first} {second}\n");
    let range = if inputs.rng.next().is_multiple_of(4) { 1 << 16 } else { 1 << 12 };
    let mut numbers = |count: usize, range: usize| {
        for _ in 0..count {
            text += &format!(" {}", inputs.rng.within(0..range) as i64 - range as i64 / 2);
        }
        text += "\n";
    };
    for (inputs, outputs) in [(count, first), (first, second), (second, 1)] {
        numbers(inputs * outputs, range);
        numbers(outputs, 1 << 18);
    }
    numbers(count, range);
    Network::parse(text.as_bytes())
}

#[test]
fn network() {
    check("network", |k, n, inputs, out| {
        let shape = [[24, 8, 4], [24, 4, 4], [53, 16, 8], [1, 1, 1], [56, 13, 5]][inputs.rng.within(0..5)];
        let network = random_network(inputs, shape);
        let most = [512, 4096, 0x1_0000][inputs.rng.within(0..3)];
        let stride = n + inputs.rng.within(0..3);
        let rows: Vec<u16> =
            inputs.halfwords(stride * shape[0], 0..most).into_iter().map(|v| v.wrapping_sub(most as u16 / 2)).collect();
        let depth = [8, 8, 9, 10, 12, 14, 16][inputs.rng.within(0..7)];
        out.take(n, 77u16, |dst| (k.network)(dst, &rows, stride, &network, depth));
    });
}
