//! Hot pixels and the 5×5 filter (§13.2, §13.3), of luma and chroma, against a model of single
//! pixels.

use super::cases::{self, Case, Kind};
use super::content::Random;
use super::deep_cases;
use super::library;
use super::model::denoise::{Block, Denoised, denoise, denoise_by, denoise_first, denoise_first_by};
use super::model::picture::Plane;
use super::model::{Clip, Options, Output, Params, Sampling, Scan, Statistics, noise};
use dndi::{DenoiseFilter, Parameters, SimdLevel};

/// A case with the parameters of both stages.
struct Stages {
    case: Case,
    parameters: Parameters,
    hot: bool,
    wide: bool,
}

/// The random case of a seed.
fn random(seed: u64) -> Stages {
    let mut case = cases::random(seed, Kind::NotDeinterlaced);
    if seed.is_multiple_of(2) {
        case = deep_cases::deep(seed, case);
    }
    let random = &mut Random::new(seed ^ 0x5555);
    case.options.denoise = !random.once_in(5);
    if random.once_in(3) {
        case.options.chroma_denoise = Some(cases::params(random, 1));
    }
    let mut parameters = Parameters::default();
    let rarity = random.pick(&[1, 4, 1000]);
    for field in Parameters::fields().filter(|field| field.name.starts_with("hot.") || field.name.starts_with("dn5.")) {
        if random.once_in(rarity) {
            let small = random.within(field.min..=field.max.min(field.min + 40));
            let any = random.within(field.min..=field.max);
            parameters.set(field.name, random.pick(&[field.min, field.max, small, any]).into()).unwrap();
        }
    }
    Stages { case, parameters, hot: random.once_in(2), wide: !random.once_in(6) }
}

/// §13.2.
fn without_hot_pixels(c: &Plane, threshold: i32, count: i32) -> Plane {
    Plane::from_fn(c.width, c.height, c.interlaced, c.depth, |x, y| {
        let centre = c.at(x, y);
        let mut nine: Vec<i32> = c.neighbours(x, y).into_iter().flatten().collect();
        let far = nine.iter().filter(|&&n| (n - centre).abs() > threshold << (c.depth - 8)).count() as i32;
        nine.sort_unstable();
        if far >= count { nine[4] } else { centre }
    })
}

/// The parameters of §13.3 for the plane `name`: y, u or v.
struct Filter {
    /// By distance down, then across.
    wd: [[i64; 3]; 3],
    wr: [i64; 6],
    /// prt0 to prt5.
    prt: [i64; 6],
    limits: [i64; 2],
    dyn_thmin: i64,
}

impl Filter {
    fn new(p: &Parameters, name: &str) -> Filter {
        let get = |field: &str| i64::from(p.get(&format!("dn5.{name}_{field}")).unwrap());
        Filter {
            wd: [0, 1, 2].map(|down| [0, 1, 2].map(|across| get(&format!("wd{down}{across}")))),
            wr: [0, 1, 2, 3, 4, 5].map(|b| get(&format!("wr{b}"))),
            prt: [0, 1, 2, 3, 4, 5].map(|k| get(&format!("prt{k}"))),
            limits: [get("thmin"), get("thmax")],
            dyn_thmin: get("dyn_thmin"),
        }
    }
}

/// sp of §13.3.
fn spatial(c: &Plane, x: i32, y: i32, p: &Filter, gne: i64) -> i32 {
    let whole = (gne * p.prt[5]).max(p.dyn_thmin).min(8191);
    let thresholds: Vec<i64> = (0..5).map(|k| ((p.prt[k] * whole) >> 8).max(p.limits[0]).min(p.limits[1])).collect();
    let (e, s) = (c.depth - 8, if c.interlaced { 2 } else { 1 });
    let (mut sum, mut weights) = (0, 0);
    for dy in -2..=2i32 {
        for dx in -2..=2i32 {
            let n = i64::from(c.at(x + dx, y + s * dy));
            let difference = (n - i64::from(c.at(x, y))).abs() << 4;
            let b = thresholds.iter().filter(|&&th| difference >= th << e).count();
            let w = p.wd[dy.unsigned_abs() as usize][dx.unsigned_abs() as usize] * p.wr[b];
            sum += w * n;
            weights += w;
        }
    }
    if weights == 0 { c.at(x, y) } else { ((sum + (weights >> 1)) / weights) as i32 }
}

/// Outputs of a clip that is not deinterlaced.
fn model(Stages { case: Case { clip, options, .. }, parameters, hot, wide }: &Stages) -> Vec<Output> {
    let Clip { width, height, sampling, depth, frames } = clip;
    let interlaced = options.scan != Scan::Progressive;
    let chroma = sampling.chroma_size(*width, *height);
    let sizes = [(*width, *height), chroma, chroma];
    let mut before: [Option<(Plane, Vec<Block>)>; 3] = [None, None, None];
    let (mut gne, mut outputs) = (0, vec![]);
    for (number, frame) in frames.iter().enumerate() {
        let count = if *sampling == Sampling::Mono { 1 } else { 3 };
        let mut planes: [Vec<u16>; 3] = Default::default();
        let mut next = 0;
        for index in 0..count {
            let (width, height) = sizes[index];
            let mut c = Plane::new(width, height, interlaced && height > 1, *depth, frame[index].clone());
            if *hot {
                let h = &parameters.hot_pixels;
                let (threshold, count) =
                    [(h.luma_threshold, h.luma_count), (h.u_threshold, h.u_count), (h.v_threshold, h.v_count)][index];
                c = without_hot_pixels(&c, threshold.into(), count.into());
            }
            if index == 0 {
                let mut row = Statistics::default();
                noise::measure(&c, 8, &options.params, &mut row);
                next = (row.gne >> (depth - 8)) as i64;
            }
            let params = if index == 0 { options.denoise.then_some(&options.params) } else { options.chroma_denoise.as_ref() };
            let Some(params) = params else {
                planes[index] = c.into_samples();
                continue;
            };
            let filter = Filter::new(parameters, ["y", "u", "v"][index]);
            let sp = |x, y| spatial(&c, x, y, &filter, gne);
            let Denoised { plane, blocks } = match (&before[index], wide) {
                (None, true) => denoise_first_by(&c, &sp),
                (None, false) => denoise_first(&c, params),
                (Some((p, stored)), true) => denoise_by(&c, p, stored, params, &sp),
                (Some((p, stored)), false) => denoise(&c, p, stored, params),
            };
            planes[index] = plane.clone().into_samples();
            before[index] = Some((plane, blocks));
        }
        gne = next;
        outputs.push(Output { time: 2 * number as u64, planes });
    }
    outputs
}

/// The library at all levels against the model.
pub fn compare(seed: u64) {
    let stages = random(seed);
    let Stages { case: Case { name, clip, options }, parameters, hot, wide } = &stages;
    let want = model(&stages);
    for level in SimdLevel::ALL.into_iter().filter(|level| level.is_supported()) {
        let builder = library::builder(clip, options, level).hot_pixels(*hot);
        let filter = if *wide { DenoiseFilter::Neighbours5 } else { DenoiseFilter::Neighbours3 };
        let mut all = parameters_of(options);
        all.hot_pixels = parameters.hot_pixels.clone();
        all.denoise5 = parameters.denoise5.clone();
        let builder = builder.denoise_filter(filter).parameters(all);
        let got = library::run_of(builder, clip, options).run.0;
        assert_eq!(want.len(), got.len());
        for (want, got) in want.iter().zip(&got) {
            for index in 0..3 {
                let at = want.planes[index].iter().zip(&got.planes[index]).position(|(a, b)| a != b);
                assert_eq!(at, None, "{level}, plane {index}, time {}; hot {hot}, 5x5 {wide}; {name}", want.time);
            }
        }
    }
}

/// The parameters that a case sets.
fn parameters_of(options: &Options) -> Parameters {
    let mut parameters = Parameters::default();
    for (name, value) in options.params.named() {
        parameters.set(name, value.into()).unwrap();
    }
    for (name, value) in options.chroma_denoise.iter().flat_map(Params::named) {
        // The filter has no others.
        let _ = parameters.set(&format!("chroma.{name}"), value.into());
    }
    parameters
}
