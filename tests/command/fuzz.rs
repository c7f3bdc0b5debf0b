//! Random options and damaged files: one of the four exit codes, at most one error line on
//! stderr, no panic, and only complete frames in the output.

use crate::clip::{Clip, Random};
use crate::program::{Folder, RunResult};
use dndi::Parameters;

/// Checks the properties that every run has, whatever its input.
fn check(folder: &Folder, seed: u64, result: &RunResult) {
    let RunResult { code, stderr, .. } = result;
    let errors: Vec<_> = stderr.lines().filter(|line| !line.starts_with("dndi: warning: ")).collect();
    assert!(!stderr.contains("panicked"), "seed {seed}: {result:?}");
    match code {
        Some(0) => assert!(errors.is_empty(), "seed {seed}: {result:?}"),
        Some(1..=3) => assert!(errors.len() == 1 && errors[0].starts_with("dndi: "), "seed {seed}: {result:?}"),
        _ => panic!("seed {seed}: {result:?}"),
    }
    if folder.path("out.y4m").exists() {
        Clip::parse(&folder.read("out.y4m"));
        std::fs::remove_file(folder.path("out.y4m")).unwrap();
    } else {
        assert_ne!(*code, Some(0), "seed {seed}: {result:?}");
    }
}

/// Replaces, truncates, inserts or duplicates bytes. Most of the new bytes have a
/// meaning in y4m.
fn damage(random: &mut Random, bytes: &mut Vec<u8>) {
    for _ in 0..random.below(4) {
        let at = random.below(bytes.len() + 1);
        let byte = random.pick(b" \n\0\xff0129-:=+IFWHCAXtbpm?RAME");
        match random.below(4) {
            0 if at < bytes.len() => bytes[at] = byte,
            1 => bytes.truncate(at),
            2 => bytes.insert(at, byte),
            _ => {
                let part = bytes[at..bytes.len().min(at + random.below(40))].to_vec();
                let to = random.below(bytes.len() + 1);
                bytes.splice(to..to, part);
            }
        }
    }
}

fn stream(random: &mut Random) -> Vec<u8> {
    let (width, height) = (1 + random.below(24), 1 + random.below(20));
    let interlacing = random.pick(&["Ip", "It", "Ib", "Im", "I?", "It", "Ib", ""]);
    let chroma = random.pick(&["C420", "C420jpeg", "C411", "C422", "C444", "Cmono", "", "XYSCSS=420"]);
    let rate = random.pick(&["F25:1", "F30000:1001", "F0:0", "", "F4294967295:1"]);
    let tags = [&format!("W{width} H{height}"), rate, interlacing, chroma].map(str::trim).join(" ");
    let flags: Vec<_> = (0..6).map(|_| random.pick(&["Itii", "Ibii", "I1pp", "Itpp", "Xa", "I", ""])).collect();
    let frames = random.below(6);
    Clip::new(&tags, frames).flagged(&flags).bytes()
}

fn options(random: &mut Random) -> Vec<String> {
    let mut options = Vec::new();
    let mut choose = |random: &mut Random, name: &str, values: &[&str]| {
        if random.below(3) == 0 {
            options.extend([name.to_owned(), random.pick(values).to_owned()]);
        }
    };
    choose(random, "--field-order", &["auto", "header", "tff", "bff", "progressive"]);
    choose(random, "--deinterlace", &["auto", "on", "off", "flagged"]);
    choose(random, "--film", &["off", "auto", "reconstruct"]);
    choose(random, "--denoise", &["on", "off"]);
    choose(random, "--mcdi", &["on", "off"]);
    choose(random, "--chroma", &["same", "422", "420", "420drop"]);
    choose(random, "--rate", &["field", "frame", "film"]);
    choose(random, "--skip", &["0", "1", "4", "18446744073709551615"]);
    choose(random, "--warmup", &["0", "1", "4", "18446744073709551615"]);
    choose(random, "--frames", &["0", "1", "3", "18446744073709551615"]);
    choose(random, "--threads", &["1", "2", "3"]);
    choose(random, "--scale", &["1x1", "7x30", "40x8", "2x", "0.3x", ":9", "5:", "0x0", "8193x2", "9x9x", "1e9x", "x"]);
    choose(random, "--crop", &["0,0,1,1", "1,1,3,2", "0,0,9999,1", "2,2,0,0", "1,2,3", "99999999999999999999,0,1,1"]);
    choose(random, "--chroma-location", &["left", "center", "topleft"]);
    choose(random, "--ief", &["off", "detail3", "detail5", "combo"]);
    choose(random, "--sharpen", &["off", "detail3", "detail5", "combo"]);
    choose(random, "--brightness", &["-100", "0.3", "100", "-1e9", "nan"]);
    choose(random, "--hue", &["-180", "17", "180", "inf"]);
    choose(random, "--skin-tone", &["0", "0.5", "1", "2"]);
    choose(random, "--tcc-colors", &["red=1.9", "blue=0,cyan=0.5", "red", "red=9"]);
    choose(random, "--colorspace", &["bt601:bt709", "bt2020-full:bt601-limited", "bt709:bt709-full", "bt601", "bt601:rgb"]);
    choose(random, "--aoi", &["0,0,1,1", "1,1,3,2", "0,0,9999,1", "0,0,0,0"]);
    choose(random, "--set", &["color.ace_enable=1", "color.std_enable=1", "color.ste_enable=1", "color.transform_enable=1"]);
    if random.below(3) == 0 {
        options.push(random.pick(&["--auto-contrast", "--auto-contrast=100", "--std", "--tcc", "--csc"]).to_owned());
    }
    options
}

#[test]
fn streams_and_options() {
    let folder = Folder::new("fuzz_streams");
    for seed in 0..250 {
        let mut random = Random::new(seed);
        let mut bytes = stream(&mut random);
        if random.below(2) == 0 {
            damage(&mut random, &mut bytes);
        }
        folder.write("in.y4m", &bytes);
        let mut command = folder.command("in.y4m out.y4m -y --md5 --stats stats --framemd5 sums");
        let options = options(&mut random);
        check(&folder, seed, &RunResult::new(&options.join(" "), command.args(&options).output().unwrap()));
    }
}

#[test]
fn pictures() {
    let folder = Folder::new("fuzz_pictures");
    for seed in 0..80 {
        let mut random = Random::new(seed);
        let mut bytes = stream(&mut random);
        if random.below(3) == 0 {
            damage(&mut random, &mut bytes);
        }
        folder.write("in.y4m", &bytes);
        let mut command = folder.command("in.y4m %d.png -y --rgb png");
        let options = options(&mut random);
        let result = RunResult::new(&options.join(" "), command.args(&options).output().unwrap());
        assert!(matches!(result.code, Some(0..=3)) && !result.stderr.contains("panicked"), "seed {seed}: {result:?}");
        for name in folder.files().into_iter().filter(|name| name.ends_with("png")) {
            image::open(folder.path(&name)).unwrap_or_else(|error| panic!("seed {seed}: {name}: {error}"));
            std::fs::remove_file(folder.path(&name)).unwrap();
        }
    }
}

#[test]
fn parameters() {
    let folder = Folder::new("fuzz_parameters");
    folder.write("in.y4m", Clip::new("W20 H12 F25:1 It C420", 3).bytes());
    let fields: Vec<_> = Parameters::fields().collect();
    for seed in 0..150 {
        let mut random = Random::new(seed);
        let mut command = folder.command("in.y4m out.y4m -y");
        let mut settings = Vec::new();
        for _ in 0..1 + random.below(5) {
            let field = random.pick(&fields);
            let value = field.min + random.below((field.max - field.min + 1) as usize) as i32;
            let mut setting = format!("{}={value}", field.name).into_bytes();
            if random.below(3) == 0 {
                damage(&mut random, &mut setting);
                setting.retain(|&byte| byte != 0); // an argument cannot contain a zero byte
            }
            settings.push(String::from_utf8_lossy(&setting).into_owned());
        }
        command.args(settings.iter().map(|setting| format!("--set={setting}")));
        check(&folder, seed, &RunResult::new(&settings.join(" "), command.output().unwrap()));
    }
}

#[test]
fn state_files() {
    let folder = Folder::new("fuzz_state");
    folder.write("in.y4m", Clip::new("W20 H12 F25:1 Ip C420", 2).bytes());
    for seed in 0..100 {
        let mut random = Random::new(seed);
        let (option, count) = [("--scaler-state", 138), ("--sampler-state", 16), ("--color-state", 64)][(seed % 3) as usize];
        let count = if random.below(8) == 0 { random.below(200) } else { count };
        let mut dwords = Vec::new();
        for _ in 0..count {
            let prefix = ["", "0x"][random.below(2)];
            let value = random.below(1 << 32) as u32;
            dwords.extend(format!("{prefix}{value:x}{}", [" ", "\n", ",", ", "][random.below(4)]).into_bytes());
        }
        if random.below(2) == 0 {
            damage(&mut random, &mut dwords);
        }
        folder.write("state", &dwords);
        let result = folder.run(&format!("in.y4m out.y4m -y --scale 33x17 {option} state"));
        check(&folder, seed, &result);
        assert!(matches!(result.code, Some(0 | 2)), "seed {seed}: {result:?}");
    }
}

#[test]
fn match_files() {
    let folder = Folder::new("fuzz_matches");
    folder.write("in.y4m", Clip::new("W20 H12 F25:1 Im C420", 4).flagged(&["I1pp", "Ibii"]).bytes());
    for seed in 0..100 {
        let mut random = Random::new(seed);
        let lines = random.below(8);
        let mut codes = (0..lines).map(|_| format!("{} {}\n", random.below(3), random.below(3))).collect::<String>().into_bytes();
        damage(&mut random, &mut codes);
        folder.write("codes", &codes);
        let result = folder.run("in.y4m out.y4m -y --matches codes");
        check(&folder, seed, &result);
        assert!(matches!(result.code, Some(0 | 2)), "seed {seed}: {result:?}");
    }
}
