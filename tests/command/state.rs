//! `dndi state`.

use crate::clip::{Clip, Random};
use crate::program::{Folder, RunResult};
use dndi::gen6::state::{DeinterlaceControl, MediaSurfaceState, Structure};
use dndi::{Parameters, SharpenMode};

fn text(result: RunResult) -> String {
    String::from_utf8(result.succeeds().stdout).unwrap()
}

fn hex(dwords: &[u32]) -> String {
    dwords.iter().map(|dword| format!("{dword:#x},\n")).collect()
}

fn parse_dwords(text: &str) -> Vec<u32> {
    text.split_whitespace().map(|word| u32::from_str_radix(word, 16).unwrap()).collect()
}

#[test]
fn defaults_of_every_structure_round_trip() {
    let folder = Folder::new("state-defaults");
    for structure in Structure::all() {
        let name = structure.name;
        let encoded = text(folder.run(&format!("state encode --structure {}", name.to_lowercase().replace('_', "-"))));
        assert_eq!(parse_dwords(&encoded), structure.defaults(), "{name}");
        folder.write("state", &encoded);
        let decoded = text(folder.run(&format!("state decode --strict --structure {name} state")));
        assert_eq!(decoded.lines().count(), structure.named_fields().count(), "{name}");
        folder.write("values", &decoded);
        assert_eq!(text(folder.run(&format!("state encode --structure {name} values"))), encoded, "{name}");
        // The size identifies the structure, unless two have the same size.
        let unique = Structure::all().filter(|other| other.dwords == structure.dwords).count() == 1;
        let result = folder.run("state decode state");
        if unique {
            assert_eq!(text(result), decoded, "{name}");
        } else {
            result.fails(2, "6 DWords may be SURFACE_STATE or SURFACE_STATE_MEDIA");
        }
        let explained = text(folder.run(&format!("state explain --structure {name} state")));
        let lines = explained.lines().count();
        assert_eq!(lines, 2 + structure.dwords + structure.fields.len(), "{name}");
        for field in structure.named_fields() {
            assert!(explained.contains(&format!(" {} ", field.name)), "{name} {}", field.name);
        }
        assert!(explained.contains(structure.section) && !explained.contains('!'), "{name}");
    }
}

#[test]
fn states_of_the_library() {
    let folder = Folder::new("state-library");
    let mut parameters = Parameters::default();
    parameters.color.brightness = -3;
    parameters.denoise.stad_th = 7;
    let control = DeinterlaceControl { top_first: true, ..Default::default() };
    let deinterlace = parameters.deinterlace_state(&control).unwrap();
    let result = folder.pipe("state decode", hex(&deinterlace).as_bytes());
    let decoded = text(result);
    assert!(decoded.starts_with("stad_th=7\nhistory_max=192\n") && decoded.contains("\ntop_first=1\n"), "{decoded}");
    let color = parameters.color_state().unwrap();
    let decoded = text(folder.pipe("state decode -", hex(&color).as_bytes()));
    assert!(decoded.contains("\ncolor.brightness=-3\n"), "{decoded}");
    // `--set` accepts these lines.
    let mut parsed = Parameters::default();
    for line in decoded.lines() {
        let (name, value) = line.split_once('=').unwrap();
        parsed.set(name, value.parse().unwrap()).unwrap();
    }
    assert_eq!(parsed.color, parameters.color);
    let sampler = Parameters::default().sampler_state(Some(SharpenMode::Detail5)).unwrap();
    let set = "--set ief_bypass=0 --set ief-filter-type=detail --set ief_filter_size=5X5";
    assert_eq!(parse_dwords(&text(folder.run(&format!("state encode --structure SAMPLER_STATE_8x8 {set}")))), sampler);
    let surface = MediaSurfaceState { width: 720, height: 576, surface_format: 4, ..Default::default() };
    folder.write("lines", "# a frame\n\nwidth = 720\nheight=576\r\nsurface_format=planar_420_8\nsurface_pitch=999\n");
    let encoded = text(folder.run("state encode --structure SURFACE_STATE_MEDIA lines --set surface_pitch=1"));
    assert_eq!(parse_dwords(&encoded), surface.encode().unwrap());
    let explained = "state encode --structure SURFACE_STATE --set surface_format=r8_unorm";
    folder.write("surface", folder.run(explained).succeeds().stdout);
    assert!(text(folder.run("state explain --structure SURFACE_STATE surface")).contains(" 320 (R8_UNORM) "));
    let lines = "width=720\nheight=576\nsurface_format=4\n";
    assert_eq!(text(folder.pipe("state encode --structure surface_state_media -", lines.as_bytes())), encoded);
}

#[test]
fn fractional_values() {
    let folder = Folder::new("state-fractions");
    let run = |value: &str| folder.run(&format!("state encode --structure VEBOX_DNDI_STATE --set stad_th={value}"));
    let encoded = text(run("130.25"));
    assert_eq!(parse_dwords(&encoded)[0], (130 * 16 + 4) << 17 | 192);
    folder.write("state", &encoded);
    assert!(text(folder.run("state decode state")).starts_with("stad_th=130.25\n"));
    assert!(text(folder.run("state explain state")).contains("  130.25 "));
    run("130.3").fails(2, "stad_th takes a multiple of 1/16 of 0…255.9375");
    run("256").fails(2, "stad_th = 256 is outside 0…255.9375");
    run("nan").fails(2, "stad_th takes a multiple");
    run("1e300").fails(2, "stad_th takes a multiple");
}

#[test]
fn json() {
    let folder = Folder::new("state-json");
    let mut state = Structure::named("SAMPLER_STATE_8x8").unwrap().defaults();
    state[0] |= 1 << 30;
    state[2] |= 0xffff << 16;
    let json = text(folder.pipe("state decode --json", hex(&state).as_bytes()));
    assert_eq!(json.lines().count(), 1);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["structure"], "SAMPLER_STATE_8x8");
    assert_eq!(json["fields"]["ief.pwl1_r3_slope_0"], -116);
    assert_eq!(json["fields"].as_object().unwrap().len(), 61);
    assert_eq!(json["reserved"], serde_json::json!([{"dword": 0, "bits": 1 << 30}, {"dword": 2, "bits": 0xffff_0000u32}]));
}

#[test]
fn invalid_states() {
    let folder = Folder::new("state-invalid");
    let mut state = Structure::named("SAMPLER_STATE_DEINTERLACE").unwrap().defaults();
    let run = |arguments: &str, state: &[u32]| folder.pipe(arguments, hex(state).as_bytes());
    run("state decode", &state[..7]).fails(3, "stdin: no structure has 7 DWords");
    run("state decode", &[]).fails(3, "no structure has 0 DWords");
    run("state decode --structure color_processing_state", &state).fails(3, "8 DWords; COLOR_PROCESSING_STATE has 64");
    folder.pipe("state decode", b"12 x3").fails(3, "DWord 1 (counted from 0) must be up to 8 hex digits, found \"x3\"");
    for length in [(1 << 20) + 1, (1 << 20) + 5000] {
        folder.write("long.hex", vec![b' '; length]);
        folder.run("state decode long.hex").fails(3, "more than 1048576 bytes");
        folder.pipe("state decode", &vec![b' '; length]).fails(3, "more than 1048576 bytes");
    }
    folder.write("long.hex", vec![b' '; 1 << 20]);
    folder.run("state decode long.hex").fails(3, "no structure has 0 DWords");
    folder.pipe("state decode", &vec![b' '; 1 << 20]).fails(3, "no structure has 0 DWords");
    // Reserved bits.
    state[7] |= 1;
    run("state decode", &state).succeeds();
    run("state decode --strict", &state).fails(3, "reserved bits of SAMPLER_STATE_DEINTERLACE are set: 0x1 in DWord 7");
    let explained = text(run("state explain", &state));
    assert!(explained.lines().last().unwrap().ends_with("! set"), "{explained}");
    run("state explain --strict", &state).fails(3, "reserved bits");
    // Values out of range. `explain` still prints them.
    state[0] = 255 << 16;
    run("state decode", &state).fails(3, "history_max = 255 is outside 128…240");
    let result = run("state explain", &state).fails(3, "history_max = 255 is outside 128…240");
    assert!(String::from_utf8(result.stdout).unwrap().contains("! not allowed: history up to"));
    run("state decode --structure SURFACE_STATE", &[6 << 29, 0, 0, 0, 0, 0]).fails(3, "surface_type = 6 is a reserved value");
    // Fields that contradict each other.
    state[0] = 192 << 16;
    state[6] &= !3;
    run("state decode", &state).fails(3, "dn_enable and di_enable are both off");
}

#[test]
fn invalid_command_lines() {
    let folder = Folder::new("state-usage");
    folder.write("bad", "stad_th=1\n\nstad_th\n");
    folder.write("latin", b"stad_th=1 \xe9");
    let cases = [
        ("state", 2, "decode, encode, explain, list or find"),
        ("state bogus", 2, "'bogus'; see dndi state --help"),
        ("state in.y4m out.y4m", 2, "'in.y4m'"),
        ("state decode --structure bogus", 2, "there are SAMPLER_STATE_DEINTERLACE"),
        ("state decode missing", 1, "cannot read missing"),
        ("state decode --frames 3", 2, "--frames"),
        ("state encode", 2, "--structure"),
        ("state encode --structure SURFACE_STATE --set widht=3", 2, "SURFACE_STATE has no field 'widht'"),
        ("state encode --structure SURFACE_STATE --set reserved=0", 2, "no field 'reserved'"),
        ("state encode --structure SURFACE_STATE --set width", 2, "NAME=VALUE"),
        ("state encode --structure SURFACE_STATE --set width=", 2, "width takes a whole number of 1…8192"),
        ("state encode --structure SURFACE_STATE --set width=1.5", 2, "width takes a whole number of 1…8192"),
        ("state encode --structure SURFACE_STATE --set width=99999999999999999999", 2, "a whole number of 1…8192"),
        ("state encode --structure SURFACE_STATE --set width=-9223372036854775808", 2, "is outside 1…8192"),
        ("state encode --structure SURFACE_STATE --set x_offset=-4", 2, "x_offset = -4 is outside 0…508"),
        ("state encode --structure SURFACE_STATE --set x_offset=6", 2, "x_offset = 6 is no multiple of 4"),
        ("state encode --structure SAMPLER_STATE_DEINTERLACE --set stmm_max=1", 2, "stmm_max - stmm_min"),
        ("state encode --structure SAMPLER_STATE_DEINTERLACE bad", 3, "bad: line 3: write NAME=VALUE"),
        ("state encode --structure SAMPLER_STATE_DEINTERLACE latin", 3, "latin: not UTF-8 text"),
    ];
    for (arguments, code, text) in cases {
        assert!(folder.run(arguments).fails(code, text).stdout.is_empty(), "{arguments}");
    }
    assert_eq!(folder.files(), ["bad", "latin"]);
    for help in ["state --help", "state -h", "state decode --help", "state encode -h", "state explain -h"] {
        assert!(text(folder.run(help)).contains("Usage: dndi state"), "{help}");
    }
    assert!(text(folder.run("state --help")).contains("VEBOX_DNDI_STATE"));
    assert!(text(folder.run("--help")).contains("dndi state --help"));
}

/// Structures of the reference by name, with the rules of the tables.
#[test]
fn structures_of_the_reference() {
    let folder = Folder::new("state-reference");
    let encode = |arguments: &str| text(folder.run(&format!("state encode --structure {arguments}")));
    assert_eq!(encode("3dstate-clip-body --set clip_mode=3 --set clip_enable=0x1"), "00000000 80006000 00000000\n");
    let scaler = encode("SAMPLER_STATE_8x8_AVS_COEFFICIENTS");
    folder.write("state", &scaler);
    let decoded = text(folder.run("state decode --strict --structure SAMPLER_STATE_8x8_AVS_COEFFICIENTS state"));
    assert!(decoded.starts_with("table_0y_filter_coefficient_n_1=0\n"), "{decoded}");
    folder.write("values", &decoded);
    assert_eq!(encode("SAMPLER_STATE_8x8_AVS_COEFFICIENTS values"), scaler);
    let clip =
        |command: &str, dwords: &str| folder.pipe(&format!("state {command} --structure 3DSTATE_CLIP_BODY"), dwords.as_bytes());
    let explained = text(clip("explain", "0 6000 0"));
    let line = explained.lines().find(|line| line.contains(" clip_mode ")).unwrap();
    assert!(line.trim_start().starts_with("15:13") && line.contains("3 (") && line.contains("u3"), "{line}");
    assert!(!explained.contains("! set"), "{explained}");
    assert!(text(clip("explain", "0 0 ffffffff")).contains("! set"));
    clip("decode --strict", "0 0 ffffffff").fails(3, "reserved bits of 3DSTATE_CLIP_BODY are set");
    clip("decode", "0 0 ffffffff").succeeds();
    clip("decode", "0 0").fails(3, "2 DWords; 3DSTATE_CLIP_BODY has 3");
    let json: serde_json::Value = serde_json::from_str(&text(clip("decode --json", "0 6000 ffffffff"))).unwrap();
    assert_eq!((&json["structure"], &json["fields"]["clip_mode"]), (&"3DSTATE_CLIP_BODY".into(), &3.into()));
    assert_eq!(json["reserved"][0]["dword"], 2);
    // A structure with checked values, and the same in the reference.
    let names = |arguments: &str| {
        let defaults = encode(&format!("VEBOX_IECP_STATE {arguments}"));
        text(folder.pipe(&format!("state decode --structure VEBOX_IECP_STATE {arguments}"), defaults.as_bytes()))
    };
    assert!(names("").contains("color.contrast=") && !names("--reference").contains("color."));
    assert_eq!(text(folder.pipe("state decode --structure MH_IGNORE", b"0 0 0 0 0 0 0 0")), "\n");
    let wrong = [
        ("state encode --structure 3DSTATE_CLIP_BODY --set clip_mode=8", "clip_mode = 8 does not fit 3 bits"),
        ("state encode --structure 3DSTATE_CLIP_BODY --set clip_mode=all", "clip_mode takes a whole number"),
        ("state encode --structure 3DSTATE_CLIP_BODY --set bogus=1", "3DSTATE_CLIP_BODY has no field 'bogus'"),
        ("state encode --structure SURFACE_STATE --reference", "no structure 'SURFACE_STATE' in the reference"),
        ("state list bogus", "no family \"bogus\"; there are \"3D pipeline\""),
        ("state find -", "no letters"),
    ];
    for (arguments, message) in wrong {
        folder.run(arguments).fails(2, message);
    }
}

#[test]
fn lists_and_searches() {
    let folder = Folder::new("state-list");
    let lines = |family: &str| text(folder.run(&format!("state list {family}"))).lines().count();
    assert_eq!(["", "checked", "Video_Enhancement", "eu-instruction"].map(lines), [473 + 9, 9, 31, 39]);
    let found = text(folder.run("state find stad"));
    assert!(found.contains("SAMPLER_STATE_DEINTERLACE: stad_th\n") && found.contains("VEBOX_DNDI_STATE: "), "{found}");
    folder.run("state find nowhere_at_all").fails(1, "no structure and no field contains \"nowhere_at_all\"");
}

/// `state` is a subcommand only as the first argument. A clip of that name can be given as a path.
#[test]
fn a_clip_called_state() {
    let folder = Folder::new("state-clip");
    folder.write("state", Clip::new("W16 H8 F25:1 It C422", 2).bytes());
    folder.run("./state out.y4m").succeeds();
    folder.run("-y state out.y4m").succeeds();
    folder.run("-- state second.y4m").succeeds();
    assert!(folder.read("second.y4m") == folder.read("out.y4m"));
}

#[test]
fn random_states() {
    let folder = Folder::new("state-random");
    let mut random = Random::new(11);
    for round in 0..60 {
        let mut input = Vec::new();
        for _ in 0..random.pick(&[1, 6, 8, 16, 45, 64, 138, 3]) {
            let dword = random.below(1 << 32) as u32 & if random.below(4) == 0 { 0xff } else { u32::MAX };
            input.extend(format!("{dword:x}{}", random.pick(&[" ", "\n", ",", ", ", "\t"])).bytes());
        }
        if random.below(3) == 0 {
            let at = random.below(input.len());
            input[at] = random.pick(b"=\0\xffg#");
        }
        let structure = random.pick(&[
            "",
            "",
            "--structure SURFACE_STATE",
            "--structure SURFACE_STATE_MEDIA",
            "--structure VEBOX_DNDI_STATE",
        ]);
        let action = random.pick(&["decode", "decode --strict", "decode --json", "explain", "encode"]);
        let result = folder.pipe(&format!("state {action} {structure} -"), &input);
        assert!(!result.stderr.contains("panicked"), "round {round}: {result:?}");
        match result.code {
            Some(0) => assert!(result.stderr.is_empty(), "round {round}: {result:?}"),
            _ => assert!(matches!(result.code, Some(2 | 3)) && result.stderr.lines().count() == 1, "round {round}: {result:?}"),
        }
    }
}
