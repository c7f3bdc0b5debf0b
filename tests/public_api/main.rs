//! The public items of the library are those that `items.txt` lists: a change of the interface is a
//! change of that file.
//!
//! The list is read from the sources, with all features on. It has modules, types with their public
//! fields, variants, derived and implemented traits, functions, methods, constants and aliases, one
//! a line. `DNDI_UPDATE=1 cargo test --test public_api` writes the file.
mod expand;
mod items;
mod text;
mod tree;

use std::path::Path;
use tree::Crate;

/// The lines of `new` that `old` lacks and the reverse, in order, with `+` and `-`.
fn difference(old: &[&str], new: &[String]) -> Vec<String> {
    let removed = old.iter().filter(|line| !new.iter().any(|other| other == *line)).map(|line| format!("-{line}"));
    let added = new.iter().filter(|line| !old.contains(&line.as_str())).map(|line| format!("+{line}"));
    let mut lines: Vec<String> = removed.chain(added).collect();
    fn path(line: &str) -> Option<&str> {
        line.split(' ').find(|word| word.starts_with("dndi"))
    }
    lines.sort_by(|a, b| path(a).cmp(&path(b)).then(b.cmp(a)));
    lines
}

#[test]
fn public_items_are_those_of_the_list() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let crates = [Crate::read("dndi", &root.join("src/lib.rs")), Crate::read("dndi_simd", &root.join("simd/src/lib.rs"))];
    let list = items::list(&crates, 0);
    let file = root.join("tests/public_api/items.txt");
    if std::env::var_os("DNDI_UPDATE").is_some() {
        std::fs::write(&file, list.join("\n") + "\n").unwrap();
        return;
    }
    let committed = std::fs::read_to_string(&file).unwrap();
    let committed: Vec<&str> = committed.lines().collect();
    let changes = difference(&committed, &list);
    assert!(
        changes.is_empty() && committed == list,
        "the public interface changed:\n{}\nIf this is intended: DNDI_UPDATE=1 cargo test --test public_api",
        changes.join("\n")
    );
}
