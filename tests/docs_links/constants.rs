//! The document of constants has each constant that was tuned or sizes the work.
use crate::files::{File, Findings, files};
use std::collections::BTreeSet;

const CONSTANTS: &str = "docs/design/constants.md";

/// Files and folders with tuned constants and with sizes of work.
const SOURCES: [&str; 21] = [
    "src/blend/",
    "src/convert/deblend.rs",
    "src/detect/",
    "src/adapt/",
    "src/deinterlace/balanced.rs",
    "src/deinterlace/best.rs",
    "src/deinterlace/best/",
    "src/deinterlace/steady.rs",
    "src/deinterlace/field_alone.rs",
    "src/deinterlace/groups.rs",
    "src/deinterlace/static_gate.rs",
    "src/denoise_motion/",
    "src/motion/",
    "src/convert/packed_frame.rs",
    "src/convert/survey.rs",
    "src/noise.rs",
    "src/repair/",
    "src/frame.rs",
    "src/pipeline/context.rs",
    "src/pipeline/scale_enhance.rs",
    "src/scale/scratch.rs",
];

/// Their constants without an entry: units, indices, names, and values that follow from others.
const NOT_TUNED: [(&str, &str); 63] = [
    ("src/adapt/curve.rs", "SIGMA_ONE"),
    ("src/adapt/curve.rs", "WHOLE"),
    ("src/adapt/denoise.rs", "ALL"),
    ("src/adapt/denoise.rs", "NAMES"),
    ("src/adapt/noise_level.rs", "NO_NOISE"),
    ("src/adapt/scene.rs", "CELLS"),
    ("src/blend/restore.rs", "ONE"),
    ("src/deinterlace/balanced.rs", "CHROMA"),
    ("src/deinterlace/balanced.rs", "INPUTS"),
    ("src/deinterlace/balanced.rs", "LUMA"),
    ("src/deinterlace/balanced.rs", "VALUES"),
    ("src/deinterlace/best.rs", "DISTANCES"),
    ("src/deinterlace/best/fusion.rs", "CHROMA"),
    ("src/deinterlace/best/fusion.rs", "DIFFERENCE"),
    ("src/deinterlace/best/fusion.rs", "LUMA"),
    ("src/deinterlace/best/fusion.rs", "MATCHES"),
    ("src/deinterlace/best/fusion.rs", "MOTION"),
    ("src/deinterlace/best/fusion.rs", "NEAR"),
    ("src/deinterlace/best/fusion.rs", "STILL"),
    ("src/deinterlace/best/fusion.rs", "VALUES"),
    ("src/deinterlace/best/fusion.rs", "WIDE"),
    ("src/deinterlace/best/lines.rs", "REACH"),
    ("src/deinterlace/field_alone.rs", "COLUMNS"),
    ("src/deinterlace/field_alone.rs", "INPUTS"),
    ("src/deinterlace/field_alone.rs", "LINES"),
    ("src/deinterlace/field_alone.rs", "SPATIAL"),
    ("src/denoise_motion/cells.rs", "CELL"),
    ("src/denoise_motion/cells.rs", "MOST"),
    ("src/denoise_motion/cells.rs", "ONE"),
    ("src/denoise_motion/mean.rs", "ROWS"),
    ("src/denoise_motion/spatial.rs", "BLOCK"),
    ("src/detect/cadence.rs", "ALL"),
    ("src/detect/cadence.rs", "IN_PHASE"),
    ("src/detect/cadence.rs", "NAMES"),
    ("src/detect/cadence.rs", "NO_FIT"),
    ("src/detect/cadence.rs", "PHASES"),
    ("src/detect/cadence.rs", "TABLE"),
    ("src/detect/decision.rs", "NAMES"),
    ("src/detect/detector.rs", "LOOK_AHEAD"),
    ("src/detect/lookahead.rs", "NO_FITS"),
    ("src/detect/sampling.rs", "TILE_PIXELS"),
    ("src/detect/window.rs", "MAX_PAIRS"),
    ("src/motion/bordered.rs", "BORDER"),
    ("src/motion/compensation.rs", "LEAST"),
    ("src/motion/grids.rs", "AFTER"),
    ("src/motion/grids.rs", "BEFORE"),
    ("src/motion/grids.rs", "REFERENCES"),
    ("src/motion/pyramid.rs", "LEVELS"),
    ("src/motion/search.rs", "AROUND"),
    ("src/motion/search.rs", "MARGIN"),
    ("src/motion/search.rs", "MOST"),
    ("src/motion/search.rs", "NONE"),
    ("src/motion/search.rs", "OUTSIDE"),
    ("src/motion/search.rs", "REFINED"),
    ("src/motion/search.rs", "WINDOW"),
    ("src/noise.rs", "BLOCK"),
    ("src/repair/alternation.rs", "AREA"),
    ("src/repair/chroma_meter.rs", "BORDER"),
    ("src/repair/chroma_shift.rs", "LIMITS"),
    ("src/repair/dot_crawl.rs", "ALTERNATES"),
    ("src/repair/dot_crawl.rs", "IS_STILL"),
    ("src/repair/dot_crawl_meter.rs", "STANDARDS"),
    ("src/scale/scratch.rs", "WINDOW"),
];

/// The name of the constant or static that a line defines.
fn defined_constant(line: &str) -> Option<&str> {
    let item = line.split_once("const ").or_else(|| line.split_once("static "))?;
    let before = item.0.trim();
    let is_item = before.is_empty() || before == "pub" || before.starts_with("pub(") && before.ends_with(')');
    let (name, _) = item.1.split_once(':')?;
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
    (is_item && is_name).then_some(name)
}

/// The sections of the list whose headings name a file.
fn sections(list: &str, file: &File) -> String {
    let name = file.path.rsplit('/').next().unwrap_or_default();
    let is_named = |heading: &str| [format!("`{name}`"), format!("/{name}`")].iter().any(|name| heading.contains(name));
    list.split("\n## ").filter(|section| section.lines().next().is_some_and(is_named)).collect()
}

#[test]
fn constants_have_an_entry() {
    let files = files();
    let list = files.iter().find(|file| file.path == CONSTANTS).expect(CONSTANTS);
    let mut findings = Findings::default();
    let mut constants = BTreeSet::new();
    let mut not_tuned = BTreeSet::new();
    let is_source = |file: &&File| SOURCES.iter().any(|source| file.path.starts_with(source)) && !file.is_unit_tests(&files);
    for file in files.iter().filter(is_source) {
        let entries = sections(&list.text, file);
        let code = file.lines().take_while(|(_, line)| !line.starts_with("#[cfg(test)]"));
        for (number, name) in code.filter_map(|(number, line)| Some((number, defined_constant(line)?))) {
            constants.insert(name);
            let known = (file.path.as_str(), name);
            if NOT_TUNED.contains(&known) {
                not_tuned.insert(known);
            } else if !entries.contains(&format!("`{name}`")) {
                findings.add(file, number, &format!("{CONSTANTS} has no entry for {name} in a section of this file"));
            }
        }
    }
    // Names in the first column of a table.
    for (number, line) in list.lines() {
        let cell = line.strip_prefix("| ").and_then(|row| row.split(" |").next()).unwrap_or_default();
        for name in cell.split('`').skip(1).step_by(2).filter(|name| name.chars().all(|c| c.is_ascii_uppercase() || c == '_')) {
            if !constants.contains(name) {
                findings.add(list, number, &format!("no constant has the name {name}"));
            }
        }
    }
    findings.expect_none();
    assert!(constants.contains("COMB_PERCENT") && not_tuned.into_iter().eq(NOT_TUNED));
}
