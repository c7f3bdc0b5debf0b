//! Random cases: a clip with all options of a stream, each from one seed.

use super::content::{Random, Scene, pan, plane, random_scene};
use super::model::{Chroma, Clip, Deinterlacer, Options, Params, Sampling, Scan};
use dndi::Parameters;

/// A clip and its options; a failure reports the name.
pub struct Case {
    pub name: String,
    pub clip: Clip,
    pub options: Options,
}

/// The kind of the random cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Deinterlaced,
    /// Of any scan, not deinterlaced; denoised or not.
    NotDeinterlaced,
}

/// The random case of a seed.
pub fn random(seed: u64, kind: Kind) -> Case {
    let random = &mut Random::new(seed);
    let scan = match kind {
        Kind::Deinterlaced => random.pick(&[Scan::TopFirst, Scan::BottomFirst]),
        Kind::NotDeinterlaced => random.pick(&[Scan::Progressive, Scan::Progressive, Scan::TopFirst, Scan::BottomFirst]),
    };
    let sampling = random.pick(&[Sampling::Mono, Sampling::C420, Sampling::C420, Sampling::C411, Sampling::C422, Sampling::C444]);
    let (width, height) = size(random, scan, sampling);
    let frames = if width * height > 1500 { random.within(2..=3) } else { random.within(1..=6) } as usize;
    let quantum = random.pick(&[1, 1, 1, 2, 5, 10, 25]);
    let (scenes, clip) = clip(random, quantum, (width, height), sampling, scan, frames);
    let deinterlace = kind == Kind::Deinterlaced;
    let chroma = random.pick(&[Chroma::Same, Chroma::C422, Chroma::C420, Chroma::C420Drop]);
    let cadence = if random.once_in(3) { cadence(random, frames) } else { vec![] };
    let mut options = Options {
        scan,
        denoise: !random.once_in(4),
        chroma_denoise: None,
        deinterlace,
        deinterlacer: Deinterlacer::Gen6,
        chroma: if deinterlace { chroma } else { Chroma::Same },
        params: params(random, quantum),
        cadence,
        deflicker: None,
        masks: vec![],
    };
    if deinterlace && random.once_in(5) {
        options.deflicker = Some([(); 8].map(|()| random.pick(&[0, 1, 128, 255, 254, 255])));
    }
    let defaults = Params::default();
    let changed = options.params.named().zip(defaults.named()).filter(|(now, default)| now != default);
    let changed: Vec<String> = changed.map(|((name, value), _)| format!("{name}={value}")).collect();
    let Options { denoise, chroma, deflicker, cadence, .. } = &options;
    let name = format!(
        "seed {seed}, {kind:?}: {width}x{height} {sampling:?} {scan:?}, {frames} frames of {scenes}; denoise {denoise}, chroma \
         {chroma:?}, deflicker {deflicker:?}, codes {cadence:?}, {changed:?}"
    );
    Case { name, clip, options }
}

/// The case of a seed for the angle alone: stripes of one contrast. The thresholds are multiples of
/// it, so that costs and detail are often equal to them.
pub fn stripes(seed: u64) -> Case {
    let random = &mut Random::new(seed);
    let (contrast, period) = (random.pick(&[3, 5, 10, 20, 30]), random.within(3..=9));
    let (stripe, slope) = (random.within(1..=period - 1), random.pick(&[-5, -3, -2, -1, 1, 2, 3, 5]));
    let scene: Scene = Box::new(move |x, y, t| if (x + slope * y + t).rem_euclid(period) < stripe { 90 + contrast } else { 90 });
    let (width, height) = (26, 12);
    let mut params = Params::default();
    let ranges = [("sdi_threshold", 1..=9), ("sdi_delta", 0..=3), ("sdi_t1", 0..=4), ("sdi_t2", 2..=13), ("angle2x1", 0..=2)];
    for (name, range) in ranges {
        assert!(params.set(name, (contrast * random.within(range)).min(255)));
    }
    let name = format!("seed {seed}: stripes {stripe} of {period}, slope {slope}, contrast {contrast}; {params:?}");
    let frames = (0..2).map(|n| [words(plane(&scene, (width, height), Some(0), 2 * n)), vec![], vec![]]).collect();
    let clip = Clip { width, height, sampling: Sampling::Mono, depth: 8, frames };
    let (scan, chroma, cadence) = (Scan::TopFirst, Chroma::Same, vec![]);
    Case {
        name,
        clip,
        options: Options {
            scan,
            denoise: false,
            chroma_denoise: None,
            deinterlace: true,
            deinterlacer: Deinterlacer::Gen6,
            chroma,
            params,
            cadence,
            deflicker: None,
            masks: vec![],
        },
    }
}

/// A texture that moves by a vector from frame to frame.
pub fn moving(vector: (i32, i32), scan: Scan) -> Case {
    let (width, height) = (44, 20);
    let scene = pan(1, vector, 3, 120);
    let first = i32::from(scan == Scan::BottomFirst);
    let frames = (0..3).map(|n| [words(plane(&scene, (width, height), Some(first), 2 * n)), vec![], vec![]]).collect();
    let clip = Clip { width, height, sampling: Sampling::Mono, depth: 8, frames };
    let (chroma, params, cadence) = (Chroma::Same, Params::default(), vec![]);
    let options = Options {
        scan,
        denoise: false,
        chroma_denoise: None,
        deinterlace: true,
        deinterlacer: Deinterlacer::Gen6,
        chroma,
        params,
        cadence,
        deflicker: None,
        masks: vec![],
    };
    Case { name: format!("{scan:?}, moving by {vector:?}"), clip, options }
}

fn words(samples: Vec<u8>) -> Vec<u16> {
    samples.into_iter().map(u16::from).collect()
}

fn size(random: &mut Random, scan: Scan, sampling: Sampling) -> (usize, usize) {
    let (width, height) = match random.within(0..=9) {
        0 => random.pick(&[(1, 1), (1, 2), (2, 2), (1, 4), (4, 4), (2, 6), (5, 4), (16, 4), (17, 8), (33, 6)]),
        1 => random.pick(&[(70, 38), (131, 22), (300, 12), (64, 40), (257, 8), (36, 70)]),
        2..=5 => (random.within(1..=40), random.within(1..=40)),
        _ => (random.within(12..=36), random.within(8..=28)),
    };
    let min_height = if sampling == Sampling::C420 { 4 } else { 2 };
    let height = if scan == Scan::Progressive { height } else { (height & !1).max(min_height) };
    (width as usize, height as usize)
}

/// Luma shows one scene. Chroma shows the same one or two others.
fn clip(
    random: &mut Random,
    quantum: i32,
    (width, height): (usize, usize),
    sampling: Sampling,
    scan: Scan,
    frames: usize,
) -> (String, Clip) {
    let (mut name, mut luma) = random_scene(random);
    if quantum > 1 {
        (name, luma) = quantized(random, quantum, (name, luma));
    }
    let others = [random_scene(random), random_scene(random)];
    let shared = random.once_in(3);
    if !shared && sampling != Sampling::Mono {
        name += &format!("; chroma {} and {}", others[0].0, others[1].0);
    }
    let scenes = if shared { [&luma, &luma, &luma] } else { [&luma, &others[0].1, &others[1].1] };
    let chroma_size = sampling.chroma_size(width, height);
    let sizes = [(width, height), chroma_size, chroma_size];
    let first = match scan {
        Scan::Progressive => None,
        Scan::TopFirst => Some(0),
        Scan::BottomFirst => Some(1),
    };
    let frame = |n: usize| [0, 1, 2].map(|i| words(plane(scenes[i], sizes[i], first, 2 * n as i32)));
    (name, Clip { width, height, sampling, depth: 8, frames: (0..frames).map(frame).collect() })
}

/// Cadence codes of all steps and of the end; sometimes the last ones are missing.
fn cadence(random: &mut Random, frames: usize) -> Vec<(u8, u8)> {
    let missing = usize::from(random.once_in(8));
    (0..frames + 1 - missing).map(|_| (random.pick(&[0, 1, 2]), random.pick(&[0, 0, 1, 2]))).collect()
}

/// A scene whose levels are `quantum` apart, often only a few of them.
fn quantized(random: &mut Random, quantum: i32, (name, scene): (String, Scene)) -> (String, Scene) {
    let (steps, lowest) = (random.pick(&[2, 3, 4, 256 / quantum + 1]), random.pick(&[0, 40, 255 - 3 * quantum]));
    (format!("{name} in {steps} steps of {quantum}"), Box::new(move |x, y, t| scene(x, y, t) * steps / 256 * quantum + lowest))
}

/// Parameters in range. Those that are not defaults are multiples of the clip's quantum, so that
/// sums are often equal to thresholds.
pub fn params(random: &mut Random, quantum: i32) -> Params {
    let mut params = Params::default();
    let rarity = random.pick(&[1, 2, 4, 12, 1000]);
    for field in Parameters::fields().filter(|field| !field.name.contains('.')) {
        if random.once_in(rarity) {
            let (min, max) = (field.min, field.max);
            let value = match random.within(0..=5) {
                0 => min,
                1 => max,
                2 => random.within(min..=max.min(min + 4 * quantum)),
                3 | 4 => random.within(field.default / 2..=2 * field.default),
                _ => random.within(min..=max),
            };
            // The model has only the parameters with an effect; others are ignored.
            params.set(field.name, (value / quantum * quantum).clamp(min, max));
        }
    }
    if random.once_in(6) {
        // Few blocks count as moving, so that the blend of §2.4 is tested.
        (params.stad_th, params.moving_pixel_th) = (255, 16);
        params.temporal_diff_th = random.within(2..=24);
        params.temporal_diff_low = random.within((params.temporal_diff_th - 16).max(0)..=params.temporal_diff_th);
    }
    let (largest, any) = (params.temporal_diff_th.min(16), random.within(0..=16));
    if !(0..=16).contains(&(params.temporal_diff_th - params.temporal_diff_low)) {
        params.temporal_diff_low = params.temporal_diff_th - random.pick(&[0, largest, any.min(largest)]);
    }
    if random.once_in(3) {
        params.stmm_shift = random.within(0..=7);
    }
    params.stmm_shift = params.stmm_shift.min(7);
    params.stmm_min = params.stmm_min.min(255 - (1 << params.stmm_shift));
    params.stmm_max = params.stmm_min + (1 << params.stmm_shift);
    params
}
