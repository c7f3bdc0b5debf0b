//! Random cases of 9 to 16 bits (§9.2, §9.3): those of 8 bits with low bits of many kinds, some
//! with chroma denoising.

use super::cases::{self, Case, Kind};
use super::content::Random;
use super::model::Clip;

/// The random case of a seed.
pub fn random(seed: u64, kind: Kind) -> Case {
    deep(seed, cases::random(seed, kind))
}

/// A case of 8 bits with more, by a seed.
pub fn deep(seed: u64, case: Case) -> Case {
    let Case { mut name, mut clip, mut options } = case;
    let random = &mut Random::new(!seed);
    clip.depth = random.pick(&[9, 10, 10, 11, 12, 12, 13, 14, 15, 16, 16]);
    let (e, largest) = (clip.depth - 8, (1_i32 << clip.depth) - 1);
    let (low, noise) = low_bits(random, e);
    let (still, seed) = (random.once_in(2), random.bits());
    for (number, frame) in clip.frames.iter_mut().enumerate() {
        let time = if still { 0 } else { number as u64 };
        for (index, plane) in frame.iter_mut().enumerate() {
            // Still low bits are those of the first frame.
            let random = &mut Random::new(seed ^ time << 8 ^ index as u64);
            for sample in plane {
                let value = i32::from(*sample);
                *sample = noise(random, value << e).clamp(0, largest) as u16;
            }
        }
    }
    if random.once_in(2) {
        let quantum = random.pick(&[1, 5]);
        options.chroma_denoise = Some(cases::params(random, quantum));
    }
    name = format!("{} bits, low bits {low}, still {still}, chroma filter {:?}; {name}", clip.depth, options.chroma_denoise);
    Case { name, clip, options }
}

/// The clip with `depth` bits per sample, the low ones different from sample to sample.
pub fn deepened(clip: &Clip, depth: u32) -> Clip {
    let mut clip = Clip { depth, ..clip.clone() };
    let random = &mut Random::new(1);
    for sample in clip.frames.iter_mut().flatten().flatten() {
        *sample = *sample << (depth - 8) | random.within(0..=(1 << (depth - 8)) - 1) as u16;
    }
    clip
}

/// A function of a raised sample, with its name.
type LowBits = Box<dyn Fn(&mut Random, i32) -> i32>;

/// A way to fill the low `e` bits, or to add noise to samples.
fn low_bits(random: &mut Random, e: u32) -> (String, LowBits) {
    let step = 1 << e;
    match random.within(0..=5) {
        0 => ("0".into(), Box::new(|_, value| value)),
        1 => ("of full range".into(), Box::new(move |_, value| value | (value >> 8))),
        2 => ("random".into(), Box::new(move |random, value| value + random.within(0..=step - 1))),
        3 => {
            let low = random.within(0..=step - 1);
            (format!("{low}"), Box::new(move |_, value| value + low))
        }
        4 => ("±1".into(), Box::new(|random, value| value + random.within(-1..=1))),
        _ => {
            let amplitude = random.pick(&[step / 2, step, 3 * step]);
            (format!("±{amplitude}"), Box::new(move |random, value| value + random.within(-amplitude..=amplitude)))
        }
    }
}
