//! Modules import only from lower modules, and no file imports itself through others.
//!
//! The test reads all paths of each file, in declarations, bodies and the tokens of macros, except
//! in unit tests. It follows names and re-exports to the file that defines an item. To find every
//! import, it forbids `use` of all names of a module, and code after unit tests.
#[path = "../public_api/expand.rs"]
mod expand;
mod imports;
#[path = "../public_api/tree.rs"]
mod tree;

use imports::{Import, Tree};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The order of the library, lowest first. Modules of one line do not use each other.
const LIBRARY: &[&[&str]] = &[
    &["format", "memory"],
    &["field_match", "frame"],
    &["plane", "scratch_pool", "motion", "parameters::field", "luma", "depth"],
    &["error"],
    &[
        "noise",
        "denoise",
        "denoise_motion",
        "fmd",
        "deinterlace",
        "enhance",
        "scale",
        "color",
        "hot_pixels",
        "deflicker",
        "capture",
        "geometry",
        "picture_filter",
        "repair",
        "blend",
    ],
    &["parameters"],
    &["adapt", "detect"],
    &["pipeline"],
    &["convert", "y4m"],
    &["gen6::state", "gen6::reference"],
    &["gen6::eu"],
];

/// The order of the command line, lowest first.
const COMMAND_LINE: &[&[&str]] = &[&["error"], &["terminal"], &["options"], &["io"], &["media"], &["report"], &["commands"]];

/// The line of a module in the order; none for the root.
fn line(order: &[&[&str]], module: &str) -> Option<(usize, String)> {
    let within = |known: &str| module == known || module.strip_prefix(known).is_some_and(|rest| rest.starts_with("::"));
    // The longest name counts: parameters::field is not parameters.
    let lines = order.iter().enumerate().flat_map(|(line, names)| names.iter().map(move |&name| (line, name)));
    let found = lines.filter(|(_, name)| within(name)).max_by_key(|(_, name)| name.len());
    found.map(|(line, name)| (line, name.to_owned()))
}

/// The imports of `tree` from a higher line or from another module of the same line, and code that
/// would hide some.
fn violations(tree: &Tree, order: &[&[&str]]) -> Vec<String> {
    let mut wrong = tree.findings.clone();
    for Import { from, to, location } in tree.imports() {
        let (Some((low, own)), target) = (line(order, from), line(order, to)) else { continue };
        match target {
            Some((_, other)) if other == own => {}
            Some((line, _)) if line < low => {}
            // A module that only declares others.
            None if tree.is_plain_root(to) => {}
            _ => wrong.push(format!("{location}: {from} uses {}", if to.is_empty() { "the root" } else { to })),
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
    let tree = Tree::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs"));
    assert!(tree.modules().count() > 100 && tree.imports().count() > 400, "{}", tree.imports().count());
    check(&tree, LIBRARY);
}

#[test]
fn command_line_modules_import_only_lower_ones() {
    let tree = Tree::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/cli/main.rs"));
    assert!(tree.modules().count() > 30 && tree.imports().count() > 100, "{}", tree.imports().count());
    check(&tree, COMMAND_LINE);
}

/// The tree of the files with these names and texts.
fn example(files: &[(String, String)]) -> Tree {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("layers");
    fs::remove_dir_all(&folder).ok();
    for (name, text) in files {
        let file = folder.join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
    Tree::read(&folder.join("lib.rs"))
}

/// Each way to import is found in an example, at its line.
#[test]
fn wrong_imports_are_found() {
    let wrong = [
        ("item", "use crate::high::A;"),
        ("group", "use crate::{low, high::{other::g, C as D}};"),
        ("path", "fn f() { crate::high::part::g() }"),
        ("module", "use crate::high; fn f() { high::part::g() }"),
        ("module_alias", "use crate::high::{self as h}; fn f() { h::part::g() }"),
        ("root_alias", "use crate as root; fn f() { root::high::part::g() }"),
        ("super_alias", "use super::super as up; fn f() { up::high::part::g() }"),
        ("own_import", "fn f() { self::high::part::g() } use crate::high;"),
        ("in_function", "fn f() { use crate::high as h; h::part::g() }"),
        ("in_module", "mod inner { fn f() { super::super::super::high::part::g() } }"),
        ("macro_call", "fn f() { assert!(crate::high::part::g()) }"),
        ("macro_body", "macro_rules! m { ($x:ident) => { $crate::high::part::g($x::y) } }"),
        ("macro_use", "macro_rules! m { () => { use $crate::high::part::g; } }"),
        ("macro_name", "use crate::high; macro_rules! m { () => { high::part::g() } }"),
        ("attribute", "#[derive(crate::high::part::D)] struct S;"),
        ("after_comment", "/* \" */ use crate::high::A;"),
        ("after_string", "const S: &str = r#\" \" \"#; use crate::high::A;"),
        ("after_tests", "#[cfg(test)] mod tests {} use crate::high::A;"),
        ("globs", "use super::*; use crate::{high::part::*, low::path as p}; use p::*;"),
    ];
    let right = [
        ("comment", "// use crate::high::A;"),
        ("string", "fn f() -> &str { \"crate::high::A\" }"),
        ("tests", "#[cfg(test)] mod tests { use super::*; use crate::high::A; } #[cfg(test)] use crate::high::A;"),
        ("outside", "use std::high::{self, *}; fn f() { x.high::<T>(); high::part::g(Self::high); }"),
        ("itself", "mod inner { use super::X; } enum X {} use X::*; fn f() -> impl A + use<> { inner::f() }"),
        ("parent", "mod child; fn f() { child::g() }"),
        ("cycle_a", "use super as up; fn f() { up::cycle_b::g() }"),
        ("cycle_b", "fn g() { super::cycle_a::f() }"),
    ];
    let file = |(name, text): (&str, &str)| (format!("low/{name}.rs"), format!("//! Test.\n{text}"));
    let low = wrong.iter().chain(&right).map(|(name, _)| format!("mod {name}; ")).collect();
    let other = [
        ("lib.rs", "mod low; mod high; mod side;"),
        ("low/parent/child.rs", "pub(in crate::low::parent) fn g() {}"),
        ("high.rs", "mod part; mod other; pub use part::{A, B as C};"),
        ("high/part.rs", "use super::other::Z; pub struct A; pub struct B;"),
        ("high/other.rs", "use super::{A, C}; fn g() {} #[cfg(test)] mod tests { use crate::side::T; }"),
        ("side.rs", "fn f() { crate::high::other::g(); }"),
    ];
    let mut files: Vec<_> = wrong.iter().chain(&right).copied().map(file).collect();
    files.push(("low.rs".to_owned(), low));
    files.extend(other.map(|(name, text)| (name.to_owned(), text.to_owned())));
    let tree = example(&files);
    let order: &[&[&str]] = &[&["low"], &["high", "side"]];
    let found = violations(&tree, order);
    let has = |finding: &str| found.iter().any(|found| found.ends_with(finding));
    for (name, text) in wrong {
        assert!(has(&format!("{name}.rs:2: low::{name} uses high::part")), "{text}: {found:#?}");
    }
    for (name, text) in right {
        assert!(!found.iter().any(|found| found.contains(&format!("/{name}.rs"))), "{text}: {found:#?}");
    }
    for of in ["low", "high::part", "low::path"] {
        assert!(has(&format!("globs.rs:2: low::globs imports all names of {of}")), "{found:#?}");
    }
    assert!(has("after_tests.rs: code after unit tests") && has("side.rs:1: side uses high::other"), "{found:#?}");
    assert_eq!(cycles(&tree), [["high::other", "high::part"], ["low::cycle_a", "low::cycle_b"]]);
    assert_eq!(unknown(&tree, &[&["low"], &["high"]]), ["side"]);
}
