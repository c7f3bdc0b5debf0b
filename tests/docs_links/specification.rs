//! References to sections of the specification, interpretations and decisions.
use crate::files::{File, Findings, files};
use std::collections::{BTreeMap, BTreeSet};

const SPECIFICATION: &str = "docs/specification/";
const INTERPRETATIONS: &str = "docs/specification/interpretations.md";

/// The number a text begins with, as `3` or `3.1`.
pub fn leading_section(text: &str) -> Option<&str> {
    let digits = |text: &str| text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let mut length = digits(text);
    if length == 0 {
        return None;
    }
    while let Some(rest) = text[length..].strip_prefix('.') {
        match digits(rest) {
            0 => break,
            more => length += 1 + more,
        }
    }
    Some(&text[..length])
}

/// The sections that a line refers to. The end of a range may lack its sign: `§3.1 to 3.4`,
/// `§3.1-3.4`.
pub fn section_references(line: &str) -> Vec<&str> {
    let mut found = vec![];
    for rest in line.split('§').skip(1) {
        let rest = rest.trim_start();
        let Some(section) = leading_section(rest) else { continue };
        found.push(section);
        let after = &rest[section.len()..];
        let end = [" to ", " and ", "-", "–", "…"].iter().find_map(|between| after.strip_prefix(between));
        // A plain number is a count of something else.
        found.extend(end.and_then(leading_section).filter(|end| end.contains('.')));
    }
    found
}

/// Chapters of the specification: its documents without the interpretations.
fn chapters(files: &[File]) -> impl Iterator<Item = &File> {
    files.iter().filter(|file| file.is_markdown() && file.path.starts_with(SPECIFICATION) && file.path != INTERPRETATIONS)
}

#[test]
fn section_references_resolve() {
    let files = files();
    let mut findings = Findings::default();
    let mut sections = BTreeSet::new();
    for file in chapters(&files) {
        for (number, heading) in file.headings() {
            if leading_section(heading).is_some_and(|section| !sections.insert(section)) {
                findings.add(file, number, &format!("a second section of this number: {heading}"));
            }
        }
    }
    let mut checked = 0;
    for file in &files {
        for (number, line) in file.lines() {
            for section in section_references(line) {
                checked += 1;
                if !sections.contains(section) {
                    findings.add(file, number, &format!("the specification has no section {section}"));
                }
            }
        }
    }
    findings.expect_none();
    assert!(checked > 0 && sections.contains("7.4"));
}

/// The ids `I-n` or `D-n` in a line.
pub fn ids(line: &str, letter: char) -> Vec<String> {
    let prefix = format!("{letter}-");
    let found = line.match_indices(&prefix).filter_map(|(at, _)| {
        let rest = &line[at + prefix.len()..];
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '-');
        let is_alone = !is_word(line[..at].chars().next_back()) && !rest[digits..].starts_with(char::is_alphanumeric);
        (digits > 0 && is_alone).then(|| format!("{prefix}{}", &rest[..digits]))
    });
    found.collect()
}

/// The id that a line of the interpretations defines: a row of the table, or an item of the list.
pub fn defined(line: &str) -> Option<String> {
    let id = line.strip_prefix("| ").and_then(|row| row.split(" |").next());
    let id = id.or_else(|| line.strip_prefix("* **").and_then(|item| item.split("**").next()))?;
    ['I', 'D'].into_iter().find_map(|letter| ids(id, letter).into_iter().next()).filter(|found| found == id)
}

#[test]
fn interpretations_and_decisions_have_entries() {
    let files = files();
    let list = files.iter().find(|file| file.path == INTERPRETATIONS).expect(INTERPRETATIONS);
    let mut findings = Findings::default();
    let mut entries = BTreeMap::new();
    for (number, line) in list.lines() {
        if let Some(id) = defined(line)
            && entries.insert(id, (number, line)).is_some()
        {
            findings.add(list, number, "a second entry of this id");
        }
    }
    for file in &files {
        for (number, line) in file.lines() {
            for id in ['I', 'D'].into_iter().flat_map(|letter| ids(line, letter)) {
                if !entries.contains_key(&id) {
                    findings.add(file, number, &format!("{INTERPRETATIONS} has no entry {id}"));
                }
            }
        }
    }
    // The specification marks each interpretation in the section that the entry names.
    let mut marked: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for file in chapters(&files) {
        let mut section = "";
        for (_, line) in file.lines() {
            if let Some(heading) = line.strip_prefix('#') {
                section = leading_section(heading.trim_start_matches(['#', ' '])).unwrap_or_default();
            }
            for id in ids(line, 'I').into_iter().filter(|id| line.contains(&format!("[{id}]"))) {
                marked.entry(id).or_default().insert(section);
            }
        }
    }
    for (id, (number, row)) in entries.iter().filter(|(id, _)| id.starts_with('I')) {
        match marked.get(id) {
            None => findings.add(list, *number, &format!("no chapter of the specification marks [{id}]")),
            Some(sections) => {
                let named = section_references(row.rsplit('|').nth(1).unwrap_or_default());
                for section in named.into_iter().filter(|section| !sections.contains(section)) {
                    findings.add(list, *number, &format!("section {section} does not mark [{id}]"));
                }
            }
        }
    }
    findings.expect_none();
    assert!(!marked.is_empty());
}
