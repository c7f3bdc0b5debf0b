//! `dndi state list` and `dndi state find`: the names of structures and fields.

use crate::error::CliError;
use dndi::gen6::reference::ReferenceStructure;
use dndi::gen6::state::Structure;
use std::collections::BTreeSet;
use std::fmt::Write;

/// The family of the structures with checked values.
const CHECKED: &str = "checked";

/// A name without the differences that do not matter.
fn plain(name: &str) -> String {
    name.replace(['_', '-', ' '], "").to_ascii_lowercase()
}

/// A line for each structure of `family`, or of all families.
pub fn list(family: Option<&str>) -> Result<String, CliError> {
    let checked = Structure::all().map(|known| (CHECKED, known.name, known.dwords, known.section));
    let tables = ReferenceStructure::all().map(|known| (known.family(), known.name(), known.dwords(), known.title()));
    let all: Vec<_> = checked.chain(tables).collect();
    let wanted = family.map(plain);
    let is_wanted = |name: &str| wanted.as_ref().is_none_or(|wanted| plain(name) == *wanted);
    let mut text = String::new();
    for (family, name, dwords, title) in all.iter().filter(|(family, ..)| is_wanted(family)) {
        let unit = if *dwords == 1 { "DWord " } else { "DWords" };
        let _ = writeln!(text, "{}", format!("{name:<50} {dwords:>4} {unit}  {family:<27} {title}").trim_end());
    }
    if text.is_empty() {
        let families: BTreeSet<_> = all.iter().map(|(family, ..)| format!("\"{family}\"")).collect();
        let families: Vec<_> = families.into_iter().collect();
        let name = family.unwrap_or_default();
        return Err(CliError::usage(format_args!("no family \"{name}\"; there are {}", families.join(", "))));
    }
    Ok(text)
}

/// A line for each structure and each field whose name contains `word`.
pub fn find(word: &str) -> Result<String, CliError> {
    let wanted = plain(word);
    if wanted.is_empty() {
        return Err(CliError::usage("the word to find has no letters"));
    }
    let contains = |name: &str| plain(name).contains(&wanted);
    let mut text = String::new();
    for structure in Structure::all() {
        if contains(structure.name) {
            let _ = writeln!(text, "{}", structure.name);
        }
        for field in structure.named_fields().filter(|field| contains(field.name)) {
            let _ = writeln!(text, "{}: {}", structure.name, field.name);
        }
    }
    for structure in ReferenceStructure::all() {
        if contains(structure.name()) || contains(structure.title()) {
            let _ = writeln!(text, "{}", [structure.name(), structure.title()].join("  ").trim_end());
        }
        let fields = structure.fields();
        // The elements of an array and repeated fields differ in their numbers only.
        let mut shown = "";
        for field in fields.iter().filter(|field| !field.is_reserved() && (contains(&field.id) || contains(field.name))) {
            let name = field.id.rsplit_once('[').map_or(field.id.as_str(), |(name, _)| name);
            if name != shown {
                let _ = writeln!(text, "{}: {}", structure.name(), field.id);
            }
            shown = name;
        }
    }
    match text.is_empty() {
        true => Err(CliError::runtime(format_args!("no structure and no field contains \"{word}\""))),
        false => Ok(text),
    }
}
