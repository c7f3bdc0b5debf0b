//! Modules import only from lower modules, and no file imports itself through others.
//!
//! The test reads the paths that begin with `crate` or `super` in each file of `src`, except in
//! comments, strings and unit tests. It follows re-exports to the file that defines an item, as far
//! as names show it.
mod imports;

use imports::{Import, Tree};
use std::collections::{BTreeMap, BTreeSet};

/// The order of the library, lowest first. Modules of one line do not use each other.
const LIBRARY: &[&[&str]] = &[
    &["format", "memory"],
    &["field_match", "frame"],
    &["plane", "scratch_pool", "parameters::field", "luma"],
    &["error"],
    &["noise", "denoise", "fmd", "deinterlace", "enhance", "scale", "color"],
    &["parameters"],
    &["adapt", "detect"],
    &["pipeline"],
    &["convert", "y4m"],
    &["gen6::state"],
    &["gen6::eu"],
];

/// The order of the command line, lowest first.
const COMMAND_LINE: &[&[&str]] = &[&["error"], &["terminal"], &["options"], &["io"], &["report"], &["commands"]];

/// The line of a module in the order; none for the root.
fn line(order: &[&[&str]], module: &str) -> Option<(usize, String)> {
    let within = |known: &str| module == known || module.strip_prefix(known).is_some_and(|rest| rest.starts_with("::"));
    // The longest name counts: parameters::field is not parameters.
    let lines = order.iter().enumerate().flat_map(|(line, names)| names.iter().map(move |&name| (line, name)));
    let found = lines.filter(|(_, name)| within(name)).max_by_key(|(_, name)| name.len());
    found.map(|(line, name)| (line, name.to_owned()))
}

/// The imports of `tree` from a higher line or from another module of the same line.
fn violations(tree: &Tree, order: &[&[&str]]) -> Vec<String> {
    let mut wrong = vec![];
    for Import { from, to, location } in tree.imports() {
        let (Some((low, own)), target) = (line(order, from), line(order, to)) else { continue };
        match target {
            Some((_, other)) if other == own => {}
            Some((line, _)) if line < low => {}
            // A module that only declares others.
            None if tree.is_plain_root(to) => {}
            _ => wrong.push(format!("{location}: {from} uses {to}")),
        }
    }
    wrong
}

/// The modules without a line in the order.
fn unknown(tree: &Tree, order: &[&[&str]]) -> Vec<String> {
    let modules = tree.modules().filter(|module| line(order, module).is_none() && !tree.is_plain_root(module));
    modules.map(str::to_owned).collect()
}

/// Groups of files that import each other, directly or through others.
fn cycles(tree: &Tree) -> Vec<Vec<String>> {
    let mut uses: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for Import { from, to, .. } in tree.imports() {
        uses.entry(from).or_default().insert(to);
    }
    let reaches = |from: &str| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![from]);
        while let Some(module) = open.pop() {
            for &next in uses.get(module).into_iter().flatten() {
                if seen.insert(next) {
                    open.push(next);
                }
            }
        }
        seen
    };
    let reached: BTreeMap<&str, BTreeSet<&str>> = uses.keys().map(|&module| (module, reaches(module))).collect();
    let mut cycles = BTreeSet::new();
    for (&module, targets) in reached.iter().filter(|(module, targets)| targets.contains(**module)) {
        let back = targets.iter().filter(|target| reached.get(**target).is_some_and(|back| back.contains(module)));
        cycles.insert(back.map(|&target| target.to_owned()).collect::<Vec<_>>());
    }
    cycles.into_iter().collect()
}

fn check(tree: &Tree, order: &[&[&str]]) {
    let unknown = unknown(tree, order);
    assert!(unknown.is_empty(), "modules without a line in the order: {unknown:?}");
    let wrong = violations(tree, order);
    assert!(wrong.is_empty(), "{} imports not from lower modules:\n{}", wrong.len(), wrong.join("\n"));
    let cycles = cycles(tree);
    assert!(cycles.is_empty(), "files that import each other:\n{cycles:#?}");
}

#[test]
fn library_modules_import_only_lower_ones() {
    let tree = Tree::read("src", &["cli"]);
    assert!(tree.modules().count() > 100 && tree.imports().count() > 400, "{}", tree.imports().count());
    check(&tree, LIBRARY);
}

#[test]
fn command_line_modules_import_only_lower_ones() {
    let tree = Tree::read("src/cli", &[]);
    assert!(tree.modules().count() > 30 && tree.imports().count() > 100, "{}", tree.imports().count());
    check(&tree, COMMAND_LINE);
}

/// The checks find each kind of violation in an example.
#[test]
fn wrong_imports_are_found() {
    let tree = Tree::of(&[
        ("", "mod low; mod high; mod side;"),
        ("low", "use crate::high::A; // use crate::side::X;\nfn f() -> &str { \"crate::side::Y\" }"),
        ("high", "mod part; mod other; pub use part::{A, B as C};"),
        ("high::part", "use super::other::Z; pub struct A;"),
        ("high::other", "use super::{A, C};\n#[cfg(test)]\nmod tests { use crate::side::T; }"),
        ("side", "fn f() { crate::high::other::g(); }"),
    ]);
    let order: &[&[&str]] = &[&["low"], &["high", "side"]];
    let wrong = violations(&tree, order);
    assert_eq!(wrong.len(), 2, "{wrong:?}");
    assert!(wrong[0].ends_with("low uses high::part") && wrong[1].ends_with("side uses high::other"), "{wrong:?}");
    assert_eq!(cycles(&tree), [["high::other", "high::part"]]);
    assert_eq!(unknown(&tree, &[&["low"], &["high"]]), ["side"]);
}
