//! Kernels of the scaler.
use super::{DEPTHS, Inputs, check, words};
use dndi_simd::*;

/// A table of coefficients: small ones as in a scaler, ones with four taps, or arbitrary ones.
fn table(inputs: &mut Inputs) -> [[i8; 8]; 17] {
    let kind = inputs.rng.within(0..3);
    let mut table = [[0; 8]; 17];
    for (k, coefficient) in table.iter_mut().flat_map(|row| row.iter_mut().enumerate()) {
        *coefficient = match kind {
            0 => inputs.rng.within(0..33) as i8 - 16,
            1 if !(2..6).contains(&k) => 0,
            1 => inputs.rng.within(0..65) as i8 - 32,
            _ => [-128, 127, inputs.rng.next() as i8][inputs.rng.within(0..3)],
        };
    }
    table
}

fn taps(inputs: &mut Inputs, lines: usize) -> Vec<Tap> {
    (0..3).map(|_| Tap { first: inputs.rng.within(0..lines - 7) as u32, phase: inputs.byte(0..32) }).collect()
}

fn refs<T, const N: usize>(rows: &[Vec<T>; N]) -> [&[T]; N] {
    rows.each_ref().map(Vec::as_slice)
}

#[test]
fn sharpness_and_filters_of_bytes() {
    check("filter", |k, n, inputs, out| {
        let (lines, stride) = (10, n + inputs.rng.within(0..3));
        let bytes = inputs.row(lines * stride);
        let words = words(inputs, lines * stride, 10);
        let src = Lines { data: &bytes, stride, width: n };
        let (table, taps) = (table(inputs), taps(inputs, lines));
        let transition = (inputs.byte(0..8), inputs.byte(0..8));
        let most = [8, 40, 256][inputs.rng.within(0..3)];
        let p = Sharpness {
            max_deriv_4: inputs.byte(0..most),
            max_deriv_8: inputs.byte(0..most),
            transition_4: transition.0,
            transition_8: transition.1,
        };
        out.take(3 * stride, 77u8, |dst| (k.sharpness)(dst, src, &taps, &p));
        let weights = inputs.bytes(3 * stride, 0..256);
        for alpha in [Alpha::All(255), Alpha::All(100), Alpha::Each(&weights)] {
            out.take(3 * stride, 77u16, |dst| (k.bytes.filter)(dst, src, &taps, &Polyphase::new(&table, 8), alpha));
            let (src, filter) = (Lines { data: &words, stride, width: n }, Polyphase::new(&table, 10));
            out.take(n, 77u8, |dst| (k.bytes.filter_to_samples)(dst, src, taps[1], &filter, alpha, 8));
        }
    });
}

#[test]
fn filters_of_words() {
    for depth in DEPTHS {
        check(&format!("filter of {depth} bits"), |k, n, inputs, out| {
            let (lines, stride) = (10, n + inputs.rng.within(0..3));
            let (samples, deep) = (words(inputs, lines * stride, depth), words(inputs, lines * stride, unit_depth(depth)));
            let (table, taps) = (table(inputs), taps(inputs, lines));
            let weights = inputs.bytes(3 * stride, 0..256);
            for alpha in [Alpha::All(255), Alpha::All(100), Alpha::Each(&weights)] {
                let (src, filter) = (Lines { data: &samples, stride, width: n }, Polyphase::new(&table, depth));
                out.take(3 * stride, 77u16, |dst| (k.words.filter)(dst, src, &taps, &filter, alpha));
                let (src, filter) = (Lines { data: &deep, stride, width: n }, Polyphase::new(&table, unit_depth(depth)));
                out.take(n, 77u16, |dst| (k.words.filter_to_samples)(dst, src, taps[1], &filter, alpha, depth));
            }
        });
    }
}

/// Samples of 8, 9 and 10 bits that represent the same T give the same 10-bit values (§9.8).
#[test]
fn up_to_ten_bits_the_values_are_the_same() {
    check("filter of 8 to 10 bits", |k, n, inputs, _| {
        let bytes = inputs.row(10 * n);
        let (table, taps) = (table(inputs), taps(inputs, 10));
        let weights = inputs.bytes(3 * n, 0..256);
        for alpha in [Alpha::All(255), Alpha::All(100), Alpha::Each(&weights)] {
            let mut outputs = [8, 9, 10].map(|_| vec![77; 3 * n]);
            let src = Lines { data: &bytes[..], stride: n, width: n };
            (k.bytes.filter)(&mut outputs[0], src, &taps, &Polyphase::new(&table, 8), alpha);
            for depth in [9, 10] {
                let words: Vec<u16> = bytes.iter().map(|&v| (v as u16) << (depth - 8)).collect();
                let src = Lines { data: &words[..], stride: n, width: n };
                (k.words.filter)(&mut outputs[depth as usize - 8], src, &taps, &Polyphase::new(&table, depth), alpha);
            }
            assert!(outputs[1..].iter().all(|output| *output == outputs[0]), "width {n} at {}", k.level());
        }
    });
}

#[test]
fn transpose() {
    check("transpose", |k, n, inputs, out| {
        let (rows, stride) = (inputs.rng.within(1..40), n + inputs.rng.within(0..3));
        let dst_stride = rows + inputs.rng.within(0..3);
        let bytes = inputs.row(rows * stride);
        let words = inputs.halfwords(rows * stride, 0..65536);
        let src = Lines { data: &bytes, stride, width: n };
        for most in [255, 200] {
            out.take(n * dst_stride, 77u8, |dst| (k.bytes.transpose)(dst, dst_stride, src, rows, most));
        }
        let src = Lines { data: &words, stride, width: n };
        for most in [65535, 40000, 1023] {
            out.take(n * dst_stride, 77u16, |dst| (k.words.transpose)(dst, dst_stride, src, rows, most));
        }
    });
}

#[test]
fn narrow_and_mixed_levels() {
    check("narrow, mixed_levels", |k, n, inputs, out| {
        let src = words(inputs, n, 10);
        out.take(n, 77u8, |dst| (k.bytes.narrow)(dst, &src, 8));
        let planes: [Vec<u8>; 3] = std::array::from_fn(|_| inputs.row(n));
        out.take(n, 77u8, |dst| (k.bytes.mixed_levels)(dst, refs(&planes), 8));
        for depth in DEPTHS {
            let src = words(inputs, n, unit_depth(depth));
            out.take(n, 77u16, |dst| (k.words.narrow)(dst, &src, depth));
            let planes: [Vec<u16>; 3] = std::array::from_fn(|_| words(inputs, n, depth));
            out.take(n, 77u8, |dst| (k.words.mixed_levels)(dst, refs(&planes), depth));
        }
    });
}
