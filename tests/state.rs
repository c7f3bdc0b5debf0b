//! The tables of the hardware state against those of the specification, and states of any DWords.

#[path = "reference/content.rs"]
#[allow(dead_code)]
mod content;

use content::Random;
use dndi::Parameters;
use dndi::gen6::reference::{ReferenceStructure, ReferenceValue};
use dndi::gen6::state::{Field, StateError, Structure};
use md5::{Digest, Md5};

/// The only field of the Gen6 structures with this name.
fn find(name: &str) -> &'static Field {
    let gen6 = Structure::all().filter(|structure| !structure.name.starts_with("VEBOX"));
    let found: Vec<_> = gen6.flat_map(Structure::named_fields).filter(|field| field.name == name).collect();
    assert_eq!(found.len(), 1, "{name}");
    found[0]
}

/// The cells of a row of a table in Markdown.
fn cells(line: &str) -> Vec<&str> {
    let inside = line.strip_prefix('|').and_then(|line| line.strip_suffix('|'));
    inside.map_or_else(Vec::new, |inside| inside.split('|').map(str::trim).collect())
}

fn numbers(range: &str) -> (i64, i64) {
    let (min, max) = range.split_once('…').unwrap();
    (min.parse().unwrap(), max.parse().unwrap())
}

/// DWord, highest and lowest bit of `DW3 31:24` or `DW3 7`. Further fields of a row omit the DWord.
fn positions(text: &str) -> Vec<(usize, u32, u32)> {
    let text = text.strip_prefix("SAMPLER_STATE ").unwrap_or(text);
    let (dword, bits) = text.strip_prefix("DW").unwrap().split_once(' ').unwrap();
    let position = |bits: &str| {
        let (high, low) = bits.trim().split_once(':').unwrap_or((bits.trim(), bits.trim()));
        (dword.parse().unwrap(), high.parse().unwrap(), low.parse().unwrap())
    };
    bits.split(',').map(position).collect()
}

#[test]
fn fields_have_the_bits_of_the_specification() {
    let text = include_str!("../docs/specification/parameters.md");
    let mut group = "";
    let mut rows = 0;
    for line in text.lines() {
        match line.split_whitespace().nth(1) {
            Some("Scaler:") => group = "scaler.",
            Some("Image") => group = "ief.",
            Some("Colour:") => group = "color.",
            _ => {}
        }
        let Some(name) = line.strip_prefix("| `").and_then(|rest| rest.split('`').next()) else { continue };
        let [_, range, default, position] = cells(line)[..] else { panic!("{line}") };
        let field = find(&format!("{group}{name}"));
        assert_eq!([(field.dword, field.high, field.low)][..], positions(position), "{line}");
        assert_eq!((field.min, field.max), numbers(range), "{line}");
        assert_eq!(field.default.to_string(), default, "{line}");
        rows += 1;
    }
    let in_groups = Parameters::fields().filter(|known| known.name.contains('.') && !is_without_bits(known.name));
    assert_eq!(rows, in_groups.count());

    let mut rows = 0;
    for line in include_str!("../docs/specification/08-state.md").lines() {
        let [names, bits, range, defaults, _] = cells(line)[..] else { continue };
        if !bits.starts_with("DW") || !bits.contains(' ') {
            continue;
        }
        let mut defaults = defaults.split(", ");
        for (name, position) in names.split(", ").zip(positions(bits)) {
            let field = find(name.split(' ').next().unwrap());
            assert_eq!((field.dword, field.high, field.low), position, "{line}");
            rows += 1;
            if range == "flags" {
                continue;
            }
            let range = range.split(',').next().unwrap();
            let (min, max) = numbers(range);
            // The four bits of stmm_shift do not hold 16.
            assert_eq!((field.min, field.max), (min, if field.name == "stmm_shift" { 15 } else { max }), "{line}");
            assert_eq!(defaults.next(), Some(field.default.to_string().as_str()), "{line}");
        }
    }
    assert_eq!(rows, 38, "fields of 8.1");
}

/// The tables of the stages beyond Gen6.
#[test]
fn fields_of_gen11_have_the_bits_of_the_specification() {
    let geometry = include_str!("../docs/specification/13-geometry.md").lines();
    let deflicker = geometry.filter(|line| line.starts_with("| `deflicker."));
    let mut rows = 0;
    for line in include_str!("../docs/specification/13-vebox.md").lines().chain(deflicker) {
        let Some(name) = line.strip_prefix("| `").and_then(|rest| rest.split('`').next()) else { continue };
        let [_, range, default, position] = cells(line)[..] else { panic!("{line}") };
        let known = Parameters::field(name).unwrap_or_else(|| panic!("{name}"));
        assert_eq!((i64::from(known.min), i64::from(known.max)), numbers(range), "{line}");
        assert_eq!(known.default.to_string(), default, "{line}");
        rows += 1;
        // Positions in parts of a state count from the first DWord of that part.
        let (first, position) = match position.split_once(" DW") {
            Some(("CCM", rest)) => (70, rest),
            Some(("FECSC", rest)) => (85, rest),
            _ if name.starts_with("gamut.") => (97, position.trim_start_matches("DW")),
            _ if name.starts_with("lace.") => (29, position.trim_start_matches("DW")),
            _ => (0, position.trim_start_matches("DW")),
        };
        if ["wb.", "capture."].iter().any(|prefix| name.starts_with(prefix)) || position.starts_with('-') {
            continue;
        }
        let (dword, high, low) = positions(&format!("DW{}", position.split(", 4").next().unwrap()))[0];
        let states = Structure::all().filter(|structure| structure.name.starts_with("VEBOX"));
        let found: Vec<_> = states.flat_map(Structure::named_fields).filter(|field| field.name == name).collect();
        assert_eq!(found.len(), 1, "{name}");
        assert_eq!((found[0].dword, found[0].high, found[0].low), (first + dword, high, low), "{line}");
    }
    assert_eq!(rows, 6 + 24 + 6 + 30 + 29 + 7 + 7 + 10 + 8);
}

/// Parameters that Gen6 lacks.
fn is_without_bits(name: &str) -> bool {
    let gen11 = [
        "chroma.",
        "hot.",
        "deflicker.",
        "dn5.",
        "color.ccm_",
        "color.fecsc_",
        "gamut.",
        "lace.",
        "wb.",
        "capture.",
        "convolve.",
        "ief.skin_",
    ];
    gen11.iter().any(|prefix| name.starts_with(prefix))
}

/// Parameters that no state holds, and those of structures without a table: the capture pipe, the
/// kernels of the sampler, and the sharpening of the format converter.
fn is_in_no_table(name: &str) -> bool {
    let chroma = ["chroma.good_neighbor_th", "chroma.history_max", "chroma.history_delta"];
    let lace = ["lace.region", "lace.limit", "lace.strength"];
    ["wb.", "capture.", "convolve.", "ief.skin_"].iter().any(|prefix| name.starts_with(prefix))
        || chroma.contains(&name)
        || lace.contains(&name)
}

#[test]
fn every_parameter_has_its_bits() {
    for known in Parameters::fields().filter(|known| !is_in_no_table(known.name)) {
        assert!(
            Structure::all().any(|structure| structure.named_fields().any(|field| field.name == known.name)),
            "{}",
            known.name
        );
    }
}

/// Any bits are refused for a reason, or written again without change except reserved bits.
#[test]
fn any_dwords() {
    let mut random = Random::new(3);
    let mut accepted = 0;
    for structure in Structure::all() {
        for round in 0..300 {
            // Defaults with more and more noise, because pure noise is rarely in range.
            let noise = |random: &mut Random| if random.within(0..=29) < round / 10 { random.bits() as u32 } else { 0 };
            let mut dwords = structure.defaults();
            dwords.iter_mut().for_each(|dword| *dword ^= noise(&mut random));
            let strict = structure.check(&dwords, true);
            match structure.check(&dwords, false) {
                Err(StateError::Range { name, value, .. }) => {
                    let field = structure.field(name).unwrap();
                    assert!(!field.allows(value) && field.value(&dwords) == value);
                    continue;
                }
                Err(StateError::Conflict { .. } | StateError::Parameter(_)) => continue,
                done => assert_eq!(done, Ok(())),
            }
            accepted += 1;
            let mut again = vec![0; structure.dwords];
            for field in structure.named_fields() {
                field.set(&mut again, field.get(&dwords).unwrap()).unwrap();
            }
            assert_eq!(strict.is_ok(), again == dwords, "{}", structure.name);
            for field in structure.fields.iter().filter(|field| field.is_reserved()) {
                dwords[field.dword] &= !field.mask();
            }
            assert_eq!(again, dwords, "{}", structure.name);
        }
    }
    assert!(accepted > 300, "{accepted}");
}

/// Parameters outside the range of their fields are not written.
#[test]
fn parameters_out_of_range_are_not_written() {
    let mut parameters = Parameters::default();
    parameters.denoise.history_max = 250;
    parameters.color.contrast = 2048;
    parameters.sharpen.gain_factor = 64;
    parameters.scaler.transition_4 = 8;
    let message = |error: StateError| error.to_string();
    assert_eq!(message(parameters.deinterlace_state(&Default::default()).unwrap_err()), "history_max = 250 is outside 128…240");
    assert_eq!(message(parameters.vebox_dndi_state(&Default::default()).unwrap_err()), "history_max = 250 is outside 128…240");
    assert_eq!(message(parameters.color_state().unwrap_err()), "color.contrast = 2048 is outside 0…2047");
    assert_eq!(message(parameters.sampler_state(None).unwrap_err()), "ief.gain_factor = 64 is outside 0…63");
    let tables = parameters.coefficients.filter_tables((1, 1), (1, 1));
    assert_eq!(message(parameters.scaler_state(&tables).unwrap_err()), "scaler.transition_4 = 8 is outside 0…7");
}

fn checksum(text: &str) -> String {
    Md5::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// All structures of the reference give the lines and the defaults of a reader in Python.
#[test]
fn structures_of_the_reference() {
    let rows: Vec<&str> = include_str!("golden/state/reference.tsv").lines().collect();
    assert_eq!(rows.len(), ReferenceStructure::all().count());
    for row in rows {
        let [name, seed, decoded, defaults] = row.split('\t').collect::<Vec<_>>()[..] else { panic!("{row}") };
        let structure = ReferenceStructure::named(name).unwrap();
        let mut state = u32::from_str_radix(seed, 16).unwrap();
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state.rotate_left(16)
        };
        let mut dwords: Vec<u32> = (0..structure.dwords()).map(|_| next()).collect();
        if let (Some(last), used @ 1..) = (dwords.last_mut(), structure.bits() % 32) {
            *last &= (1 << used) - 1;
        }
        let fields = structure.fields();
        let named = || fields.iter().filter(|field| !field.is_reserved());
        let lines: Vec<String> = named().map(|field| format!("{}={}", field.id, field.value(&dwords))).collect();
        assert_eq!(checksum(&(lines.join("\n") + "\n")), decoded, "{name}");
        let hex: Vec<String> = structure.defaults().iter().map(|dword| format!("{dword:08x}")).collect();
        assert_eq!(checksum(&hex.join(" ")), defaults, "{name}");
        // The values of all fields give the same DWords again, without the reserved bits.
        let mut again = vec![0; dwords.len()];
        for (field, line) in named().zip(&lines) {
            let value: ReferenceValue = line.rsplit_once('=').unwrap().1.parse().unwrap();
            field.set(&mut again, &value).unwrap();
        }
        for (dword, bits) in structure.reserved_bits(&dwords) {
            dwords[dword] &= !bits;
        }
        assert!(again == dwords, "{name}");
    }
}
