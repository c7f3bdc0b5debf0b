//! Presets and profiles.

use crate::clip::Clip;
use crate::program::{Folder, RunResult};

const CLIP: &str = "W22 H18 F25:1 It C420mpeg2";

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("in.y4m", Clip::new(CLIP, 3).bytes());
    folder
}

/// Runs with these arguments only. [`Folder::run`] adds default options.
fn plain(folder: &Folder, arguments: &str) -> RunResult {
    RunResult::new(arguments, folder.plain(arguments).output().unwrap())
}

fn text(result: RunResult) -> String {
    String::from_utf8(result.succeeds().stdout).unwrap()
}

/// A profile from `--dump-config` reproduces the options: in a conversion and in another dump.
#[test]
fn dumped_profiles_reproduce_the_options() {
    let folder = folder("profile_round_trip");
    let state: String = (0..138).map(|n| format!("{:08x} ", if n == 136 { 0xff07_1445_u32 } else { 0x0000_4000 })).collect();
    folder.write("scaler.txt", state);
    for options in [
        "",
        "--preset fast",
        "--preset best",
        "--preset driver",
        "--field-order bff --deinterlace on --film reconstruct --rate frame --chroma 422 --mcdi off --set stad_th=7",
        "--scale 31x33 --crop 2,2,16,12 --chroma-location topleft --set scaler.table_0x.3.4=-9 --set scaler.max_deriv_4=3",
        "--scale 2x --scaler-state scaler.txt --set scaler.table_1y.16.5=1",
        "--sharpen combo",
        "--ief detail5 --set ief.gain=9",
        "--sharpen detail3 --set ief.global_noise_estimation=40",
        "--brightness -12.5 --saturation 1.2 --contrast 0.9 --hue -20",
        "--saturation 0.8 --colorspace bt601-full:bt709",
        "--skin-tone 0.5 --tcc-colors red=1.2,cyan=0.1 --std --ste",
        "--auto-contrast=30 --aoi 0,0,8,8",
        "--colorspace bt601:bt709 --set color.c4=1000",
        "--rgb raw --colorspace bt2020:rgb",
        "--rgb raw --csc",
        "--ace --procamp --threads 2 --progress off",
        "--preset best --denoise medium",
        "--denoise-motion on --denoise-chroma off",
    ] {
        let profile = text(plain(&folder, &format!("--dump-config {options}")));
        folder.write("profile.toml", &profile);
        assert_eq!(text(plain(&folder, "--profile profile.toml --dump-config")), profile, "{options}");
        for tags in [CLIP, "W22 H18 F25:1 Ib C444 XCOLORRANGE=FULL"] {
            folder.write("in.y4m", Clip::new(tags, 3).bytes());
            plain(&folder, &format!("-y -q {options} in.y4m from_options")).succeeds();
            plain(&folder, "-y -q --profile profile.toml in.y4m from_profile").succeeds();
            assert!(folder.read("from_options") == folder.read("from_profile"), "{tags} {options}");
        }
    }
}

/// A dump contains all parameters and all options that a profile can set.
#[test]
fn dumps_are_complete() {
    let folder = folder("profile_all");
    let profile = text(plain(&folder, "--dump-config"));
    let mut group = String::new();
    let mut named = vec![];
    for line in profile.lines() {
        if let Some(table) = line.strip_prefix("[parameters").and_then(|rest| rest.strip_suffix(']')) {
            group = table.strip_prefix('.').map_or(String::new(), |table| format!("{table}."));
        } else if let Some((name, value)) = line.trim_start_matches("# ").split_once(" = ") {
            named.push((format!("{group}{name}"), value.to_owned()));
        }
    }
    for field in dndi::Parameters::fields() {
        let found = named.iter().find(|(name, _)| name == field.name);
        assert_eq!(found.map(|(_, value)| value.as_str()), Some(field.default.to_string().as_str()), "{}", field.name);
    }
    for option in ["field-order", "deinterlace", "denoise", "film", "chroma", "progress"] {
        assert!(profile.contains(&format!("\n{option} = \"")), "{option}");
    }
}

#[test]
fn the_command_line_overrides_the_profile_overrides_the_preset() {
    let folder = folder("profile_order");
    let dump = |options: &str| text(plain(&folder, &format!("--dump-config {options}")));
    let has = |options: &str, line: &str| assert!(dump(options).lines().any(|dumped| dumped == line), "{options}: {line}");
    folder.write("film.toml", "film = \"auto\"\nchroma = 422\n[parameters]\nmcdi_enable = true\nstad_th = 0x20\n");
    folder.write("controls.toml", "preset = \"fast\"\nsaturation = 1.5\nbrightness = 3\n[parameters.color]\nste_enable = 1\n");
    has("--preset driver", "film = \"off\"");
    has("--preset driver", "mcdi_enable = 0");
    has("--preset driver --profile film.toml", "film = \"auto\"");
    has("--preset driver --profile film.toml", "field-order = \"header\"");
    has("--profile film.toml --preset driver", "mcdi_enable = 1");
    has("--preset driver --profile film.toml --film off --mcdi off", "mcdi_enable = 0");
    has("--preset driver --profile film.toml --film off", "film = \"off\"");
    has("--profile film.toml", "stad_th = 32");
    has("--profile film.toml", "chroma = 422");
    has("--profile film.toml --set stad_th=33", "stad_th = 33");
    has("--set stad_th=33 --profile film.toml", "stad_th = 33");
    // A profile can set a preset. An option on the command line does not reset the other controls
    // and parameters of the profile.
    has("--profile controls.toml", "mcdi_enable = 0");
    has("--profile controls.toml --preset default", "mcdi_enable = 1");
    has("--profile controls.toml --saturation 0.5", "brightness = 3");
    has("--profile controls.toml --saturation 0.5", "saturation = 0.5");
    has("--profile controls.toml --saturation 0.5", "ste_enable = 1");
    // Nor does one that is no control reset a parameter that a control sets.
    folder.write("contrast.toml", "saturation = 1.5\n[parameters]\ncolor.contrast = 80\n");
    has("--profile contrast.toml", "contrast = 80");
    has("--profile contrast.toml --film off --set stad_th=33", "contrast = 80");
    // Other options change the default of chroma denoising.
    has("", "denoise-motion = \"off\"");
    has("", "denoise-chroma = \"auto\"");
    has("--denoise strong", "denoise-chroma = \"auto\"");
    for off in ["--denoise off", "--denoise on", "--engine messages", "--denoise off --denoise-motion on"] {
        has(off, "denoise-chroma = \"off\"");
    }
    has("--denoise on --denoise-motion on", "denoise-chroma = \"auto\"");
    has("--preset best", "denoise-motion = \"on\"");
    has("--preset best", "denoise-chroma = \"auto\"");
    has("--preset best --denoise-chroma off", "denoise-chroma = \"off\"");
    has("--preset best --denoise-motion off", "denoise-chroma = \"auto\"");
    // A profile gives the same bytes as the same options on the command line.
    for (options, same) in [
        (
            "--profile controls.toml --saturation 0.5",
            "--deinterlacer gen6 --mcdi off --saturation 0.5 --brightness 3 --set color.ste_enable=1",
        ),
        ("--preset fast", "--deinterlacer gen6 --mcdi off"),
        ("--preset best", "--deinterlacer best --denoise-motion on"),
        ("--preset default", ""),
    ] {
        plain(&folder, &format!("-y {options} in.y4m a")).succeeds();
        plain(&folder, &format!("-y {same} in.y4m b")).succeeds();
        assert!(folder.read("a") == folder.read("b"), "{options}");
    }
    assert_eq!(dump("--preset default"), dump(""));
    // `--colorspace` on the command line overrides the matrix of a complete profile.
    folder.write("all.toml", dump(""));
    plain(&folder, "-y --profile all.toml --colorspace bt601:bt709 --sharpen combo in.y4m a").succeeds();
    plain(&folder, "-y --colorspace bt601:bt709 --sharpen combo in.y4m b").succeeds();
    assert!(folder.read("a") == folder.read("b"));
}

/// Paths of state files are relative to the profile.
#[test]
fn state_files_of_profiles() {
    let folder = folder("profile_files");
    std::fs::create_dir(folder.path("profiles")).unwrap();
    let state = String::from_utf8(folder.run("state encode --structure SAMPLER_STATE_8x8").stdout).unwrap_or_default();
    let state = if state.is_empty() { "0 ".repeat(16) } else { state };
    folder.write("profiles/state.txt", state);
    folder.write("profiles/p.toml", "sampler-state = \"state.txt\"\n");
    let result = plain(&folder, "-y --profile profiles/p.toml in.y4m a");
    let same = plain(&folder, "-y --sampler-state profiles/state.txt in.y4m b");
    assert_eq!(result.code, same.code, "{}{}", result.stderr, same.stderr);
    if result.code == Some(0) {
        assert!(folder.read("a") == folder.read("b"));
    }
    folder.write("profiles/p.toml", "sampler-state = \"missing.txt\"\n");
    plain(&folder, "-y --profile profiles/p.toml in.y4m a").fails(1, "cannot read profiles/missing.txt");
}

#[test]
fn invalid_profiles() {
    let folder = folder("profile_invalid");
    let cases = [
        ("film = \"auto\"\n\nbogus = 1\n", "p.toml: line 3: no option bogus"),
        ("field_order = \"tff\"\n", "line 1: no option field_order"),
        ("\nframes = 3\n", "line 2: frames is only for the command line"),
        ("stats = \"x\"\n", "line 1: stats is only for the command line"),
        ("profile = \"x\"\n", "line 1: profile is only for the command line"),
        ("# that\nfilm = \"sometimes\"\n", "line 2: invalid value 'sometimes'"),
        ("film = 3\n", "line 1: invalid value '3'"),
        ("threads = 0\n", "line 1: invalid value '0'"),
        ("threads = 99999999999999999999\n", "line 1: "),
        ("denoise = [\"on\"]\n", "line 1: denoise takes a string or a number"),
        ("std = \"yes\"\n", "line 1: std is true or false"),
        ("saturation = nan\n", "p.toml: line 1: saturation = NaN is outside 0…10"),
        ("film = \"auto\"\nsaturation = 11\n", "p.toml: line 2: saturation = 11 is outside 0…10"),
        ("\nbrightness = -100.5\n", "line 2: brightness = -100.5 is outside -100…100"),
        ("\ncontrast = -1\nhue = 7\n", "line 2: contrast = -1 is outside 0…10"),
        ("\ncontrast = 1\nhue = 181\n", "line 3: hue = 181 is outside -180…180"),
        ("\nskin-tone = 1.5\n", "line 2: skin-tone: skin tone = 1.5 is outside 0…1"),
        ("\ntcc-colors = \"red=1,blue=2\"\n", "line 2: tcc-colors: blue = 2 is outside 0…1.99"),
        ("\nauto-contrast = 101\n", "line 2: invalid value '101'"),
        ("\nscale = \"9000x4\"\n", "p.toml: line 2: scale: output size 9000x4: "),
        ("\ncrop = \"0,0,23,18\"\n", "p.toml: line 2: crop: the rectangle 23x18 at 0,0 "),
        ("\naoi = \"0,0,23,18\"\n", "p.toml: line 2: aoi: the rectangle 23x18 at 0,0 "),
        (
            "\nengine = \"messages\"\ndenoise-chroma = \"on\"\n",
            "p.toml: line 2: engine messages: messages do not support chroma denoising",
        ),
        ("film = \"off\"\nrate = \"film\"\n", "p.toml: line 2: rate film needs field matching: "),
        ("\n\ncolorspace = \"bt601:rgb\"\n", "p.toml: line 3: colorspace to rgb: "),
        ("\n\nrgb = \"raw\"\ncolorspace = \"bt601:bt709\"\n", "p.toml: line 3: rgb and --colorspace: "),
        ("\ncsc = true\ncolorspace = \"bt601:bt709\"\n", "p.toml: line 2: csc takes the matrix "),
        ("film = \"auto\"\nfilm = \"off\"\n", "line 2: duplicate key"),
        ("film = = 3\n", "line 1: "),
        ("film\n", "key with no value"),
        ("[parameters]\nstad_th = 300\n", "line 2: stad_th = 300 is outside 0…255"),
        ("[parameters]\n\nstad = 1\n", "line 3: no parameter 'stad'; similar: stad_th=0…255"),
        ("\nfeild-order = \"tff\"\n", "line 2: no option feild-order; similar: field-order; dndi --dump-config"),
        ("[paramaters]\nstad_th = 1\n", "line 1: no option paramaters; similar: parameters; "),
        ("stad_th = 1\n", "line 1: stad_th is a parameter, write it below [parameters]"),
        ("[parameters]\nstad_th = \"1\"\n", "line 2: stad_th takes a whole number"),
        ("[parameters]\nstad_th = 1.0\n", "line 2: stad_th takes a whole number"),
        ("[parameters.ief]\ngain_factor = 64\n", "line 2: ief.gain_factor = 64 is outside 0…63"),
        ("[parameters.scaler.table_0x]\n17.0 = 1\n", "line 2: no coefficient"),
        ("parameters = 3\n", "line 1: parameters is a table"),
        ("[more]\nfilm = \"auto\"\n", "line 1: no option more"),
        ("[parameters]\nstmm_shift = 6\n", "p.toml: line 2: stmm_max - stmm_min = "),
        ("[parameters]\nSTMMmin = 6\nstad_th = 3\n", "p.toml: line 2: stmm_max - stmm_min = "),
        ("[parameters]\ntemporal_diff_th = 30\n", "p.toml: line 2: temporal_diff_th - temporal_diff_low = 30 - 6 is outside"),
        (
            "[parameters]\n[parameters.chroma]\ntemporal_diff_low = 50\n",
            "p.toml: line 3: chroma.temporal_diff_th - chroma.temporal_diff_low = 12 - 50 is outside",
        ),
        (
            "auto-contrast = 50\n[parameters.color]\nymin = 200\nymax = 100\n",
            "p.toml: line 4: color.ymin must be below color.ymax",
        ),
        (
            "colorspace = \"bt601:bt709\"\n[parameters.color]\ntransform_enable = 0\n",
            "p.toml: line 3: color.transform_enable = 0 disables the conversion of --colorspace",
        ),
        ("preset = \"slow\"\n", "line 1: invalid value 'slow'"),
        ("film = \"a\u{1b}\nb\"\n", "p.toml: line "),
    ];
    for (profile, message) in cases {
        folder.write("p.toml", profile);
        plain(&folder, "--deinterlace on --profile p.toml in.y4m out.y4m").fails(2, message);
        assert_eq!(folder.files(), ["in.y4m", "p.toml"], "{profile}");
    }
    // Errors name the command line if it sets the value again, in any spelling of the name.
    for (profile, arguments, message) in [
        ("scale = \"2x\"\n", "--scale 9000x4", "dndi: --scale: output size 9000x4"),
        ("[parameters]\nstmm_shift = 6\n", "--set stmmshift=5 --set stmm_min=3", "dndi: --set: stmm_max - stmm_min"),
        ("[parameters]\ntemporal_diff_th = 20\n", "--set temporal_diff_low=3", "dndi: --set: temporal_diff_th - "),
        ("[parameters]\nstad_th = 20\n", "--set temporal_diff_th=5", "dndi: --set: temporal_diff_th - "),
        ("saturation = 2\n", "--saturation 11", "dndi: --saturation = 11 is outside 0…10"),
        ("saturation = 2\n", "--hue 181", "dndi: --hue = 181 is outside"),
    ] {
        folder.write("p.toml", profile);
        plain(&folder, &format!("--deinterlace on --profile p.toml {arguments} in.y4m out.y4m")).fails(2, message);
    }
    folder.write("p.toml", "\nchroma = 420\n");
    plain(&folder, "--deinterlace off --profile p.toml in.y4m out.y4m")
        .fails(2, "p.toml: line 2: chroma: without deinterlacing it stays");
    folder.write("p.toml", "\nrgb = \"raw\"\n");
    plain(&folder, "view --profile p.toml in.y4m out.png").fails(2, "p.toml: line 2: rgb does not apply to dndi view");
    folder.write("p.toml", "\n[parameters]\ntemporal_diff_th = 30\n");
    plain(&folder, "--profile p.toml --dump-config").fails(2, "p.toml: line 3: temporal_diff_th - ");
    folder.write("p.toml", b"film = \"\xff\"");
    plain(&folder, "--profile p.toml in.y4m out.y4m").fails(2, "p.toml: not UTF-8 text");
    folder.write("p.toml", vec![b'#'; 1 << 20]);
    plain(&folder, "--profile p.toml --dump-config").succeeds();
    folder.write("p.toml", vec![b'#'; (1 << 20) + 1]);
    plain(&folder, "--profile p.toml in.y4m out.y4m").fails(2, "more than 1048576 bytes");
    plain(&folder, "--profile none.toml in.y4m out.y4m").fails(1, "cannot read none.toml");
    plain(&folder, "--profile - in.y4m out.y4m").fails(2, "--profile -: a profile cannot be read from stdin");
    plain(&folder, "--preset slow in.y4m out.y4m").fails(2, "fast, default, best, driver");
    folder.write("p.toml", "");
    plain(&folder, "-y --profile p.toml in.y4m p.toml").fails(2, "is used twice");
    plain(&folder, "--dump-config --set stad_th=256").fails(2, "stad_th = 256");
}

/// The files in `profiles/` equal the presets.
#[test]
fn shipped_profiles() {
    let folder = folder("profile_shipped");
    for preset in ["fast", "best", "driver"] {
        let path = format!("{}/profiles/{preset}.toml", env!("CARGO_MANIFEST_DIR"));
        let [named, read] = [format!("--preset {preset}"), format!("--profile {path}")]
            .map(|arguments| text(plain(&folder, &format!("{arguments} --dump-config"))));
        assert_eq!(named, read);
    }
}
