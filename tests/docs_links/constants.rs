//! The document of tuned constants has each of them.
use crate::files::{Findings, files};
use std::collections::BTreeSet;

const CONSTANTS: &str = "docs/design/constants.md";

/// Constants of the detector and of the adaptive policy that are not tuned: units, sizes, indices,
/// names.
const NOT_TUNED: [&str; 14] = [
    "ALL",
    "BLOCK",
    "CELLS",
    "IN_PHASE",
    "MAX_PAIRS",
    "NAMES",
    "NO_FIT",
    "NO_FITS",
    "NO_NOISE",
    "PHASES",
    "SIGMA_ONE",
    "TABLE",
    "TILE_PIXELS",
    "WHOLE",
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

#[test]
fn tuned_constants_have_an_entry() {
    let files = files();
    let list = files.iter().find(|file| file.path == CONSTANTS).expect(CONSTANTS);
    let mut findings = Findings::default();
    let mut constants = BTreeSet::new();
    let folders = ["src/detect/", "src/adapt/", "src/noise.rs"];
    for file in files.iter().filter(|file| folders.iter().any(|folder| file.path.starts_with(folder))) {
        let code = file.lines().take_while(|(_, line)| !line.starts_with("#[cfg(test)]"));
        for (number, name) in code.filter_map(|(number, line)| Some((number, defined_constant(line)?))) {
            constants.insert(name);
            if !NOT_TUNED.contains(&name) && !list.text.contains(&format!("`{name}`")) {
                findings.add(file, number, &format!("{CONSTANTS} has no entry for {name}"));
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
    assert!(constants.contains("COMB_PERCENT") && NOT_TUNED.iter().all(|name| constants.contains(name)));
}
