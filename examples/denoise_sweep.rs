//! Compares automatic denoising with the best parameters of a random search.
//!
//! ```sh
//! cargo run --release --example denoise_sweep -- CLEAN.y4m NOISY.y4m [TRIES]
//! ```
//!
//! Both clips have the same size. The header of NOISY gives its scan; field i of an interlaced clip
//! shows frame i of CLEAN. Prints the luma PSNR for each mode, then the best result of the search.
//! The PSNR excludes the first and last four frames of CLEAN.
use dndi::y4m::Reader;
use dndi::{DenoiseMode, Format, Frame, Parameters, Sampling, Scan, Stream, StreamBuilder};
use std::error::Error;
use std::fs::File;
use std::io::BufReader;

const NAMES: [&str; 9] = [
    "stad_th",
    "history_max",
    "history_delta",
    "asd_th",
    "temporal_diff_th",
    "temporal_diff_low",
    "moving_pixel_th",
    "scm_th",
    "good_neighbor_th",
];
const SKIP: usize = 4;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (clean, noisy, tries) = match arguments.as_slice() {
        [clean, noisy] => (clean, noisy, 300),
        [clean, noisy, tries] => (clean, noisy, tries.parse()?),
        _ => return Err("usage: denoise_sweep CLEAN.y4m NOISY.y4m [TRIES]".into()),
    };
    let (clean, _) = luma(clean)?;
    let (noisy, scan) = luma(noisy)?;
    if clean.is_empty() || noisy.is_empty() || clean[0].format() != noisy[0].format() {
        return Err("both need frames, of the same size".into());
    }
    let builder = Stream::builder(noisy[0].format(), scan).statistics(false);
    let score = |mode: DenoiseMode, parameters: &Parameters| {
        psnr(&clean, &noisy, builder.clone().denoise(mode).parameters(parameters.clone()))
    };
    for mode in
        [DenoiseMode::Off, DenoiseMode::On, DenoiseMode::Light, DenoiseMode::Medium, DenoiseMode::Strong, DenoiseMode::Auto]
    {
        println!("{:<8}{:.2} dB", mode.to_string(), score(mode, &Parameters::default())?);
    }

    let fields: Vec<_> = NAMES.iter().filter_map(|name| Parameters::fields().find(|field| field.name == *name)).collect();
    let parameters = |values: &[i32]| -> Result<Parameters, dndi::ParameterError> {
        let mut parameters = Parameters::default();
        for (name, &value) in NAMES.iter().zip(values) {
            parameters.set(name, value.into())?;
        }
        Ok(parameters)
    };
    let mut random = Random(1);
    // Several starting points, because there are many local maxima.
    let starts = [4, 8, 12, 16, 24].into_iter().flat_map(|k| {
        [[11 * k, 208, 15, 32, 5 * k / 2, 5 * k / 3, 16, 32, 3 * k / 2], [11 * k, 240, 15, 32, 16, 0, 16, 32, 3 * k / 2]]
    });
    let (mut best, mut most) = (Vec::new(), f64::MIN);
    for start in starts {
        let values: Vec<i32> = start.iter().zip(&fields).map(|(&value, field)| value.min(field.max)).collect();
        let values = valid(values);
        let found = score(DenoiseMode::On, &parameters(&values)?)?;
        if found > most {
            (best, most) = (values, found);
        }
    }
    for _ in 0..tries {
        let mut values = best.clone();
        for _ in 0..1 + random.below(2) {
            let index = random.below(9);
            let range = fields[index].max - fields[index].min;
            let reach = (if random.below(3) == 0 { range } else { range / 6 }).max(1);
            let step = random.below(2 * reach as usize + 1) as i32 - reach;
            values[index] = (values[index] + step).clamp(fields[index].min, fields[index].max);
        }
        let values = valid(values);
        let found = score(DenoiseMode::On, &parameters(&values)?)?;
        if found > most {
            (best, most) = (values, found);
        }
    }
    let values: Vec<String> = NAMES.iter().zip(&best).map(|(name, value)| format!("{name}={value}")).collect();
    println!("sweep   {most:.2} dB, with {}", values.join(" "));
    Ok(())
}

/// Clamps temporal_diff_low to its valid distance from temporal_diff_th.
fn valid(mut values: Vec<i32>) -> Vec<i32> {
    values[5] = values[5].clamp((values[4] - 16).max(0), values[4]);
    values
}

fn psnr(clean: &[Frame], noisy: &[Frame], builder: StreamBuilder) -> Result<f64, dndi::Error> {
    let mut stream = builder.build()?;
    let (mut error, mut samples, mut number) = (0u64, 0u64, 0);
    let mut count = |frame: &Frame| {
        if (SKIP..clean.len().saturating_sub(SKIP)).contains(&number) {
            let pairs = clean[number].plane(0).iter().zip(frame.plane(0));
            error += pairs.map(|(&a, &b)| u64::from(a.abs_diff(b)).pow(2)).sum::<u64>();
            samples += frame.plane(0).len() as u64;
        }
        number += 1;
    };
    for frame in noisy {
        stream.push(&frame.planes())?;
        while let Some(output) = stream.pull() {
            count(&output.frame);
            stream.recycle(output.frame);
        }
    }
    stream.flush()?;
    while let Some(output) = stream.pull() {
        count(&output.frame);
    }
    Ok(10.0 * (255.0 * 255.0 * samples as f64 / error.max(1) as f64).log10())
}

/// The luma of a clip, and its scan.
fn luma(path: &str) -> Result<(Vec<Frame>, Scan), Box<dyn Error>> {
    let mut reader = Reader::new(BufReader::new(File::open(path)?))?;
    let scan = reader.header().interlacing().scan().unwrap_or(Scan::Progressive);
    let format = Format::new(reader.header().width(), reader.header().height(), Sampling::Mono);
    let (mut frame, mut frames) = (Frame::default(), vec![]);
    while reader.read(&mut frame)?.is_some() {
        frames.push(Frame::from_vec(format, frame.plane(0).to_vec()));
    }
    Ok((frames, scan))
}

struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % end
    }
}
