//! Lengths of slices: every kernel behaves the same at every level. A slice that is too short
//! panics before anything is written. Surplus entries are not written and change nothing.
mod best;
mod color;
mod deinterlace;
mod denoise_motion;
mod detect;
mod geometry;
mod networks;
mod parameters;
mod scaler;
mod slices;
mod wide;

use dndi_simd::*;
use slices::{Call, Change, QUIET, START, Slices};

/// Numbers of samples around those at which vectors and chunks of pairs end.
const SAMPLES: [usize; 18] = [0, 1, 2, 3, 7, 8, 15, 16, 17, 32, 33, 62, 63, 64, 65, 95, 128, 193];

fn kernels() -> impl Iterator<Item = (&'static str, Call)> {
    let groups = [
        &deinterlace::KERNELS[..],
        &networks::KERNELS,
        &best::KERNELS,
        &denoise_motion::KERNELS,
        &detect::KERNELS,
        &scaler::KERNELS,
        &color::KERNELS,
        &wide::KERNELS,
        &geometry::KERNELS,
    ];
    groups.into_iter().flatten().copied()
}

fn levels() -> impl Iterator<Item = &'static Kernels> {
    SimdLevel::ALL.into_iter().filter_map(|level| match Kernels::at(level) {
        Ok(kernels) => Some(kernels),
        Err(_) => {
            eprintln!("{level} skipped, not on this processor");
            None
        }
    })
}

/// Silences the panics that the tests expect.
fn quiet() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        let print = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if !QUIET.get() {
                print(info);
            }
        }));
    });
}

fn run(kernels: &Kernels, samples: usize, call: Call, change: Option<(usize, Change)>) -> Slices {
    let mut slices = Slices { change, ..Slices::default() };
    call(kernels, samples, &mut slices);
    slices
}

/// Whether each output is the expected one, or begins with it and has surplus entries that were not
/// written.
fn is_continued(outputs: &[Vec<u64>], expected: &[Vec<u64>]) -> bool {
    outputs.iter().zip(expected).all(|(output, expected)| {
        output.strip_prefix(expected.as_slice()).is_some_and(|surplus| surplus.iter().all(|&v| v == START))
    })
}

#[test]
fn every_kernel_is_listed() {
    let table = include_str!("../../src/table.rs");
    let (_, list) = table.split_once("\nkernels! {").expect("the list of kernels");
    let (list, _) = list.split_once("\n}").expect("its end");
    let lines = list.lines().filter(|line| !line.trim_start().starts_with("//"));
    // Kernels of samples have more indentation, and an entry for bytes and one for words.
    let names = lines.filter_map(|line| Some((line.starts_with("        "), line.trim().split_once('(')?.0)));
    let entries = |(samples, name): (bool, &str)| {
        let words = samples.then(|| format!("{name} of words"));
        [name.to_owned()].into_iter().chain(words)
    };
    let mut want: Vec<String> = names.flat_map(entries).collect();
    let mut got: Vec<String> = kernels().map(|(name, _)| name.to_owned()).collect();
    want.sort_unstable();
    got.sort_unstable();
    // A kernel for both types of samples has an entry for each.
    got.dedup();
    assert_eq!(got, want);
}

#[test]
fn exact_lengths_suffice() {
    quiet();
    let scalar = Kernels::at(SimdLevel::Scalar).unwrap();
    for (name, call) in kernels() {
        for samples in SAMPLES {
            let want = run(scalar, samples, call, None);
            for kernels in levels() {
                let got = run(kernels, samples, call, None);
                let case = format!("{name} at {}, {samples} samples", kernels.level());
                assert!(!got.panicked, "{case}: panics");
                assert!(got.outputs == want.outputs, "{case}: differs from scalar");
            }
        }
    }
}

#[test]
fn short_slices_panic_before_anything_is_written() {
    quiet();
    for (name, call) in kernels() {
        for samples in SAMPLES {
            for kernels in levels() {
                let required = run(kernels, samples, call, None).required;
                for (slice, &(length, _)) in required.iter().enumerate() {
                    // By one entry, by about a half, by all.
                    for by in [1, length.div_ceil(2), length] {
                        if by == 0 || by > length {
                            continue;
                        }
                        let got = run(kernels, samples, call, Some((slice, Change::Shorter(by))));
                        let level = kernels.level();
                        let case = format!("{name} at {level}, {samples} samples: slice {slice} of {length} entries, {by} fewer");
                        assert!(got.panicked, "{case}: no panic");
                        let written = got.outputs.iter().flatten().any(|&v| v != START);
                        assert!(!written, "{case}: written before the panic");
                    }
                }
            }
        }
    }
}

#[test]
fn surplus_entries_change_nothing() {
    quiet();
    for (name, call) in kernels() {
        for samples in SAMPLES {
            for kernels in levels() {
                let want = run(kernels, samples, call, None);
                for (slice, &(_, may_be_longer)) in want.required.iter().enumerate() {
                    for by in [1, 16, 70] {
                        let got = run(kernels, samples, call, Some((slice, Change::Longer(by))));
                        let case = format!("{name} at {}, {samples} samples: slice {slice}, {by} more", kernels.level());
                        assert_eq!(got.panicked, !may_be_longer, "{case}: panics");
                        if may_be_longer {
                            assert!(is_continued(&got.outputs, &want.outputs), "{case}: other output");
                        }
                    }
                }
            }
        }
    }
}

/// Lines that overlap, strides whose products overflow, and a row of flags without any flags.
#[test]
fn shapes_that_do_not_fit_panic() {
    quiet();
    let (bytes, words, taps) = (vec![1; 4000], vec![1; 4000], [Tap { first: 0, phase: 3 }; 2]);
    let [eight, ten] = [8, 10].map(scaler::polyphase);
    let src = |stride, width| Lines { data: &bytes[..], stride, width };
    let deep = |stride, width| Lines { data: &words[..], stride, width };
    for kernels in levels() {
        let k = kernels;
        let attempt = |what: &str, call: &mut dyn FnMut(&mut [u8], &mut [u16])| {
            let (mut out, mut deep_out) = (vec![slices::B; 4000], vec![slices::W; 4000]);
            let mut slices = Slices::default();
            slices.call(|| call(&mut out, &mut deep_out));
            let written = out.iter().any(|&v| v as u64 != START) || deep_out.iter().any(|&v| v as u64 != START);
            assert!(slices.panicked && !written, "{what} at {}", kernels.level());
        };
        for (stride, width) in [(63, 64), (0, 1), (usize::MAX, 20), (usize::MAX / 7, 64), (64, usize::MAX)] {
            let what = format!("stride {stride}, width {width}");
            let alpha = Alpha::All(9);
            let sharp = Sharpness { max_deriv_4: 7, max_deriv_8: 20, transition_4: 4, transition_8: 5 };
            attempt(&what, &mut |_, out| (k.bytes.filter)(out, src(stride, width), &taps, &eight, alpha));
            attempt(&what, &mut |_, out| (k.words.filter)(out, deep(stride, width), &taps, &ten, alpha));
            attempt(&what, &mut |out, _| (k.bytes.filter_to_samples)(out, deep(stride, width), taps[0], &ten, alpha, 8));
            attempt(&what, &mut |_, out| (k.words.filter_to_samples)(out, deep(stride, width), taps[0], &ten, alpha, 9));
            attempt(&what, &mut |out, _| (k.sharpness)(out, src(stride, width), &taps, &sharp));
            attempt(&what, &mut |out, _| (k.bytes.transpose)(out, 32, src(stride, width), 20, 255));
            attempt(&what, &mut |_, out| (k.words.transpose)(out, 32, deep(stride, width), 20, 1023));
        }
        for dst_stride in [0, 19, usize::MAX, usize::MAX / 63] {
            let what = format!("transposed, stride {dst_stride}");
            attempt(&what, &mut |out, _| (k.bytes.transpose)(out, dst_stride, src(64, 64), 20, 255));
            attempt(&what, &mut |_, out| (k.words.transpose)(out, dst_stride, deep(64, 64), 20, 1023));
        }
        let far = [Tap { first: u32::MAX, phase: 0 }];
        attempt("a tap beyond the source", &mut |_, out| (k.words.filter)(out, deep(64, 64), &far, &ten, Alpha::All(9)));
        for flags in [0, 1] {
            attempt("rows without flags", &mut |out, _| {
                (k.tears)(&mut [[0; 3]], &bytes, &bytes[..flags], &bytes);
                out.fill(0);
            });
        }
    }
}
