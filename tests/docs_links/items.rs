//! Public items that documents name.
use crate::files::{Findings, files, root};
use std::collections::BTreeSet;
use std::fs;

const ITEMS: &str = "tests/public_api/items.txt";
const CHANGES: &str = "CHANGELOG.md";

/// The paths in a line that begin with `dndi::`.
pub fn paths(line: &str) -> Vec<&str> {
    let words = line.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'));
    words.filter(|word| word.starts_with("dndi::")).map(|word| word.trim_end_matches(':')).collect()
}

#[test]
fn items_named_in_documents_exist() {
    let list = fs::read_to_string(root().join(ITEMS)).unwrap();
    let known: BTreeSet<_> = list.lines().flat_map(paths).chain(["dndi"]).collect();
    let mut findings = Findings::default();
    let mut checked = 0;
    for file in files().iter().filter(|file| file.is_markdown()) {
        for (number, line) in file.lines() {
            // The first column of the tables of changes has names of the version before.
            let is_change = file.path == CHANGES && line.starts_with("| ");
            let line = if is_change { line.split_once(" | ").map_or(line, |(_, now)| now) } else { line };
            for path in paths(line) {
                checked += 1;
                if !known.contains(path) {
                    findings.add(file, number, &format!("{ITEMS} has no {path}"));
                }
            }
        }
    }
    findings.expect_none();
    assert!(checked > 0);
}
