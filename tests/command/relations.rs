//! Relations between runs that hold for any input, so that no expected output is needed.
//!
//! `DNDI_CASES=2000 cargo test --release --test command relations` runs more cases of each relation
//! than the default. `DNDI_SEED=123 DNDI_CASES=1` repeats the case of a failure.

use crate::clip::Clip;
use crate::program::{Folder, RunResult};
use crate::random_clip::{Content, pick, sampling, seeds};
use dndi::Format;
use fastrand::Rng;
use md5::{Digest, Md5};

/// Cases of each relation without `DNDI_CASES`.
const CASES: u64 = 60;

const CHROMA: [&str; 6] = ["420jpeg", "420mpeg2", "422", "444", "411", "mono"];

/// A random clip and random options that denoise, deinterlace and detect.
struct Case {
    random: Rng,
    folder: Folder,
    seed: u64,
    size: (usize, usize),
    luma: Vec<Vec<u8>>,
    /// The tag `I`.
    interlacing: &'static str,
    rate: &'static str,
    flags: Vec<&'static str>,
    options: Vec<String>,
}

impl Case {
    fn new(folder: Folder, seed: u64) -> Case {
        let mut random = Rng::with_seed(seed);
        let size = (random.usize(1..=64), 2 * random.usize(2..=30));
        let frames = random.usize(1..=14);
        let content = pick(&mut random, &Content::ALL);
        let luma = content.plane(&mut random, size, frames);
        let interlacing = pick(&mut random, &["Ip", "It", "It", "Ib", "Im"]);
        let mut flag = || if interlacing == "Im" { pick(&mut random, &["Itii", "Ibii", "I1pp"]) } else { "" };
        let flags = (0..frames).map(|_| flag()).collect();
        let rate = pick(&mut random, &["F25:1", "F30000:1001"]);
        let mut options = vec![];
        let mut choose = |percent: u8, option: &str, values: &[&str]| {
            if random.u8(..100) < percent {
                options.extend([option.to_owned(), pick(&mut random, values).to_owned()]);
            }
        };
        choose(50, "--field-order", &["auto", "header", "tff", "bff"]);
        choose(50, "--denoise", &["auto", "off", "on", "strong"]);
        choose(30, "--denoise-chroma", &["auto", "on", "strong"]);
        choose(40, "--film", &["off", "auto", "reconstruct"]);
        choose(30, "--deinterlace", &["auto", "on", "off"]);
        choose(20, "--chroma", &["422", "420"]);
        Case { random, folder, seed, size, luma, interlacing, rate, flags, options }
    }

    fn frames(&self) -> usize {
        self.luma.len()
    }

    fn percent(&mut self, percent: u8) -> bool {
        self.random.u8(..100) < percent
    }

    fn format(&self, chroma: &str) -> Format {
        Format::new(self.size.0, self.size.1, sampling(Some(chroma)))
    }

    fn tags(&self, chroma: &str) -> String {
        format!("W{} H{} {} {} C{chroma}", self.size.0, self.size.1, self.rate, self.interlacing)
    }

    /// The clip with this chroma sampling. The seed makes the chroma samples.
    fn clip(&self, chroma: &str, seed: u64) -> Clip {
        let (format, mut random) = (self.format(chroma), Rng::with_seed(seed));
        let mut frame = |luma: &Vec<u8>| {
            let mut samples = luma.clone();
            samples.resize_with(format.samples(), || random.u8(..));
            (String::new(), samples)
        };
        let clip = Clip { tags: self.tags(chroma), frames: self.luma.iter().map(&mut frame).collect() };
        if self.interlacing == "Im" { clip.flagged(&self.flags) } else { clip }
    }

    /// The output for these options and the case's; none if the options are refused.
    #[track_caller]
    fn run(&self, input: &Clip, options: &str) -> Option<Clip> {
        self.run_alone(input, &format!("{} {options}", self.options.join(" ")))
    }

    /// The output for these options and no others.
    #[track_caller]
    fn run_alone(&self, input: &Clip, options: &str) -> Option<Clip> {
        let _ = std::fs::remove_file(self.folder.path("out.y4m"));
        self.folder.write("in.y4m", input.bytes());
        let arguments = format!("-y -q --timecodes times {options} in.y4m out.y4m");
        let result = RunResult::new(&arguments, self.folder.plain(&arguments).output().unwrap());
        match result.code {
            Some(0) => Some(Clip::parse(&self.folder.read("out.y4m"))),
            Some(2) => None,
            _ => panic!("DNDI_SEED={}, {}: {result:?}", self.seed, input.tags),
        }
    }

    /// Panics unless `holds`.
    #[track_caller]
    fn assert(&self, holds: bool, relation: &str) {
        let input = self.folder.path("in.y4m");
        assert!(holds, "DNDI_SEED={}, last input {}: {}: {relation}", self.seed, input.display(), self.options.join(" "));
    }
}

/// Runs random cases. `check` returns whether the case was of interest; a third of them must be.
#[track_caller]
fn cases(name: &str, check: impl Fn(&mut Case) -> bool) {
    let seeds = seeds(CASES);
    let count = seeds.end - seeds.start;
    let used = seeds.filter(|&seed| check(&mut Case::new(Folder::new(&format!("relations_{name}")), seed))).count() as u64;
    assert!(count < CASES || 3 * used >= count, "{used} of {count} cases");
}

/// The first samples of each frame.
fn luma(clip: &Clip) -> Vec<&[u8]> {
    let Format { width, height, .. } = clip.format();
    clip.samples().into_iter().map(|samples| &samples[..width * height]).collect()
}

/// The number of frames follows from the rate. Each report has a row for each frame.
#[test]
fn reports_and_frames_agree() {
    cases("reports", |case| {
        let rate = pick(&mut case.random, &["field", "frame", "film"]);
        let chroma = pick(&mut case.random, &CHROMA);
        let input = case.clip(chroma, 1);
        let Some(output) = case.run(&input, &format!("--rate {rate} --stats stats --framemd5 sums")) else { return false };
        let (frames, outputs) = (case.frames(), output.frames.len());
        match rate {
            "field" => case.assert(outputs == 2 * frames, "two frames for each input frame"),
            "frame" => case.assert(outputs == frames, "one frame for each input frame"),
            _ => case.assert(outputs <= 2 * frames, "at most one frame for each field"),
        }
        case.assert(case.folder.read_text("stats").lines().count() == frames, "a row of statistics for each input frame");
        let sums = case.folder.read_text("sums");
        let sums = sums.lines().filter(|line| !line.starts_with('#')).map(|line| line.rsplit(' ').next().unwrap());
        let expected = output.samples().into_iter().map(|samples| {
            let digest = Md5::digest(samples);
            digest.iter().map(|byte| format!("{byte:02x}")).collect::<String>()
        });
        case.assert(sums.eq(expected), "the sums are those of the frames");
        let times = case.folder.read_text("times");
        let times = Vec::from_iter(times.lines().skip(1).map(|line| line.parse::<f64>().unwrap()));
        case.assert(times.len() == outputs && times.is_sorted_by(|a, b| a < b), "each frame has a later time");
        true
    });
}

/// A run that is warmed up from the first frame writes the end of a run over the whole clip.
#[test]
fn a_skip_with_warmup_gives_the_rest() {
    cases("skip", |case| {
        let (rate, each) = pick(&mut case.random, &[("field", 2), ("frame", 1)]);
        let input = case.clip("422", 1);
        let Some(whole) = case.run(&input, &format!("--rate {rate}")) else { return false };
        let skip = case.random.usize(..=case.frames());
        let rest = case.run(&input, &format!("--rate {rate} --skip {skip} --warmup {skip}")).expect("the same options");
        case.assert(rest.frames == whole.frames[each * skip..], &format!("--rate {rate} --skip {skip}"));
        true
    });
}

/// Without look-ahead of the detector, the end of the clip has an effect only on the last frame of
/// a run.
#[test]
fn fewer_frames_give_the_beginning() {
    cases("beginning", |case| {
        let order = pick(&mut case.random, &["tff", "bff"]);
        let input = case.clip("420jpeg", 1);
        let options = format!("--rate field --film off --field-order {order}");
        let Some(whole) = case.run(&input, &options) else { return false };
        let frames = case.random.usize(1..=case.frames());
        let some = case.run(&input, &format!("{options} --frames {frames}")).expect("the same options");
        let common = 2 * frames - 2;
        case.assert(some.frames.len() == 2 * frames, &format!("twice {frames} frames"));
        case.assert(some.frames[..common] == whole.frames[..common], &format!("--frames {frames}"));
        true
    });
}

/// A clip that is raised at the entry gives the output of the clip that was raised before. Lowered
/// by a second run, it is the output that is lowered at the exit.
#[test]
fn depths_change_at_the_ends_alone() {
    cases("depth", |case| {
        let depth = pick(&mut case.random, &[9, 10, 12, 14, 16]);
        let chroma = pick(&mut case.random, &["420mpeg2", "422", "444", "mono"]);
        let deep = if chroma == "mono" { format!("mono{depth}") } else { format!("{}p{depth}", &chroma[..3]) };
        let options = pick(&mut case.random, &["", "", "--rate film", "--scale 50x40", "--sharpen detail3", "--contrast 1.2"]);
        // All frames are output progressive, so that each run has the same dither pattern.
        let options = format!("{options} --deinterlace auto");
        let input = case.clip(chroma, 1);
        let mut raised = Clip { tags: case.tags(&deep), ..input.clone() };
        for (_, samples) in &mut raised.frames {
            *samples = samples.iter().flat_map(|&v| ((v as u16) << (depth - 8)).to_le_bytes()).collect();
        }
        let Some(at_entry) = case.run(&input, &format!("{options} --depth {depth}")) else { return false };
        let before = case.run(&raised, &options).expect("the same options");
        case.assert(at_entry.frames == before.frames, &format!("{options} --depth {depth}"));
        let dither = pick(&mut case.random, &["ordered", "none"]);
        let at_exit = case.run(&raised, &format!("{options} --depth 8 --dither {dither}")).expect("the same options");
        let copy = "--denoise off --deinterlace off --film off --field-order progressive";
        let after = case.run_alone(&before, &format!("{copy} --depth 8 --dither {dither}")).expect("valid options");
        case.assert(at_exit.samples() == after.samples(), &format!("{options} --depth 8 --dither {dither}"));
        true
    });
}

/// Luma does not depend on the chroma samples, or on their number.
#[test]
fn luma_does_not_depend_on_chroma() {
    cases("luma", |case| {
        let [one, other] = [(); 2].map(|()| pick(&mut case.random, &CHROMA));
        let options = pick(&mut case.random, &["", "--rate frame", "--rate film", "--scale 50x40", "--sharpen combo"]);
        let outputs = (case.run(&case.clip(one, 1), options), case.run(&case.clip(other, 7), options));
        let (Some(one_output), Some(other_output)) = outputs else { return false };
        case.assert(luma(&one_output) == luma(&other_output), &format!("luma of {one} and {other}, {options}"));
        true
    });
}

/// Both chroma planes are processed in the same way.
#[test]
fn exchanged_chroma_planes_stay_exchanged() {
    fn exchanged(clip: &Clip) -> Clip {
        let format = clip.format();
        let exchange = |(parameters, samples): &(String, Vec<u8>)| {
            let (luma, chroma) = samples.split_at(format.width * format.height);
            let (cb, cr) = chroma.split_at(chroma.len() / 2);
            (parameters.clone(), [luma, cr, cb].concat())
        };
        Clip { tags: clip.tags.clone(), frames: clip.frames.iter().map(exchange).collect() }
    }
    cases("chroma", |case| {
        let chroma = pick(&mut case.random, &CHROMA[..5]);
        let input = case.clip(chroma, 1);
        let options = pick(&mut case.random, &["", "--rate film", "--scale 50x40", "--saturation 1.5 --contrast 1.2"]);
        let Some(output) = case.run(&input, options) else { return false };
        let other = case.run(&exchanged(&input), options).expect("the same options");
        case.assert(exchanged(&output) == other, &format!("{chroma} {options}"));
        true
    });
}

/// Settings that mean no change do not change the frames.
#[test]
fn neutral_settings_change_nothing() {
    cases("neutral", |case| {
        let chroma = pick(&mut case.random, &CHROMA);
        let input = case.clip(chroma, 1);
        let Some(output) = case.run(&input, "") else { return false };
        let Format { width, height, .. } = output.format();
        let (w, h) = case.size;
        let neutral = [
            format!("--scale {width}x{height}"),
            "--scale 1x".to_owned(),
            format!("--crop 0,0,{w},{h}"),
            "--brightness 0 --contrast 1".to_owned(),
            "--auto-contrast=0".to_owned(),
            "--sharpen off".to_owned(),
            "--frames 1000".to_owned(),
            "--preset default".to_owned(),
        ];
        let options = pick(&mut case.random, &neutral);
        let same = case.run(&input, &options);
        case.assert(same.is_some_and(|same| same.frames == output.frames), &options);
        true
    });
}

/// Without stages the output is the input.
#[test]
fn an_output_passes_unchanged() {
    cases("unchanged", |case| {
        let chroma = pick(&mut case.random, &CHROMA);
        let Some(output) = case.run(&case.clip(chroma, 1), "") else { return false };
        let again = case.run_alone(&output, "--deinterlace off --denoise off").expect("valid options");
        case.assert(again == output, "the output changes without stages");
        true
    });
}

/// Scaling, sharpening and colours work on each output frame alone. A second run gives the same
/// frames.
#[test]
fn later_stages_can_run_alone() {
    cases("later", |case| {
        let chroma = pick(&mut case.random, &["420jpeg", "420mpeg2", "422", "444", "mono"]);
        let input = case.clip(chroma, 1);
        let all = ["--scale 31x44", "--ief combo", "--brightness 9 --hue 20", "--skin-tone 1", "--colorspace bt601:bt709"];
        let later = Vec::from_iter(all.into_iter().filter(|_| case.percent(50))).join(" ");
        let (Some(first), Some(both)) = (case.run(&input, ""), case.run(&input, &later)) else { return false };
        let second = case.run_alone(&first, &format!("--deinterlace off --denoise off {later}")).expect("valid options");
        case.assert(second.frames == both.frames, &later);
        true
    });
}

/// The header, the flags of the frames and the option declare a field order in the same way.
#[test]
fn a_field_order_can_be_declared_in_three_ways() {
    cases("declared", |case| {
        let (tag, flags, order) = pick(&mut case.random, &[("It", "Itii", "tff"), ("Ib", "Ibii", "bff")]);
        // With the mode `header` the flags of a mixed clip exclude the detection of film.
        let mode = pick(&mut case.random, &["--field-order header --film off", "--field-order auto"]);
        case.interlacing = tag;
        let plain = case.clip("420jpeg", 1);
        let Some(output) = case.run(&plain, mode) else { return false };
        let mixed = plain.tagged(&case.tags("420jpeg").replace(tag, "Im")).flagged(&vec![flags; case.frames()]);
        let flagged = case.run(&mixed, mode).expect("the same options");
        case.assert(flagged.samples() == output.samples(), &format!("{mode}, {tag} and Im with {flags}"));
        if mode.contains("header") {
            let other = pick(&mut case.random, &["It", "Ib", "Ip", "I?"]);
            let other = plain.tagged(&case.tags("420jpeg").replace(tag, other));
            let forced = case.run(&other, &format!("--film off --field-order {order}")).expect("the same options");
            case.assert(forced.samples() == output.samples(), &format!("{tag} and --field-order {order}"));
        }
        true
    });
}

/// `--rate frame` writes the first of the two frames that `--rate field` writes. Without a declared
/// order, frames that are detected as progressive are processed as fields only for the field rate.
#[test]
fn the_frame_rate_keeps_every_second_frame() {
    cases("rates", |case| {
        let order = pick(&mut case.random, &["tff", "bff"]);
        let input = case.clip("422", 1);
        let options = format!("--film off --field-order {order} --rate");
        let Some(fields) = case.run(&input, &format!("{options} field")) else { return false };
        let frames = case.run(&input, &format!("{options} frame")).expect("the same options");
        let every_second = fields.samples().into_iter().step_by(2);
        case.assert(every_second.eq(frames.samples()), &format!("{options} field and frame"));
        true
    });
}
