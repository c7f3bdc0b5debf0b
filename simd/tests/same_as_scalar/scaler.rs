//! Kernels of the scaler.
use super::{Inputs, check, deep};
use dndi_simd::*;

/// A table of coefficients: small ones as in a scaler, ones with four taps, or arbitrary ones.
fn polyphase(inputs: &mut Inputs) -> Polyphase {
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
    Polyphase::new(&table)
}

fn taps(inputs: &mut Inputs, lines: usize) -> Vec<Tap> {
    (0..3).map(|_| Tap { first: inputs.rng.within(0..lines - 7) as u32, phase: inputs.byte(0..32) }).collect()
}

#[test]
fn sharpness_and_filters() {
    check("filter", |k, n, inputs, out| {
        let (lines, stride) = (10, n + inputs.rng.within(0..3));
        let bytes = inputs.row(lines * stride);
        let words = deep(inputs, lines * stride);
        let src = Lines { data: &bytes, stride, width: n };
        let (filter, taps) = (polyphase(inputs), taps(inputs, lines));
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
            out.take(3 * stride, 77u16, |dst| (k.filter_bytes)(dst, src, &taps, &filter, alpha));
            let src = Lines { data: &words, stride, width: n };
            out.take(3 * stride, 77u16, |dst| (k.filter_words)(dst, src, &taps, &filter, alpha));
            out.take(n, 77u8, |dst| (k.filter_to_bytes)(dst, src, taps[1], &filter, alpha));
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
        out.take(n * dst_stride, 77u8, |dst| (k.transpose_bytes)(dst, dst_stride, src, rows));
        let src = Lines { data: &words, stride, width: n };
        out.take(n * dst_stride, 77u16, |dst| (k.transpose_words)(dst, dst_stride, src, rows));
    });
}

#[test]
fn narrow() {
    check("narrow", |k, n, inputs, out| {
        let src = deep(inputs, n);
        let round = inputs.rng.within(0..4) as u16;
        out.take(n, 77u8, |dst| (k.narrow)(dst, &src, round));
    });
}
