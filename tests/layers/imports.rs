//! Imports between the files of a crate, read from its sources without tests.
use crate::tree::{Crate, attributes, imports, is_for_tests, resolve, source};
use proc_macro2::TokenTree;
use quote::ToTokens;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Ident, Item, Result, Token, UseTree, Visibility};

/// An import.
#[derive(Clone, Copy, Debug)]
pub struct Import<'a> {
    /// The module that imports.
    pub from: &'a str,
    /// The module that defines the imported item.
    pub to: &'a str,
    /// File and line of the first such import.
    pub location: &'a str,
}

/// The modules of a crate that are files, by their paths such as `pipeline::stream`; the root is
/// "".
#[derive(Debug, Default)]
pub struct Tree {
    /// Whether a module only declares and re-exports others.
    modules: BTreeMap<String, bool>,
    /// Locations by the importing and the defining module.
    imports: BTreeMap<(String, String), String>,
    /// Imports of all names of a module, and code after unit tests.
    pub findings: Vec<String>,
}

impl Tree {
    /// Reads the crate whose root is the file `root`.
    pub fn read(root: &Path) -> Tree {
        let crates = [Crate::read("", root)];
        let mut tree = Tree::default();
        let mut files = vec![];
        for module in crates[0].modules.keys() {
            let file = if module.is_empty() { root.to_owned() } else { source(&root.with_file_name(module.join("/"))) };
            // Other modules are parts of a file.
            if let Ok(text) = fs::read_to_string(&file) {
                let items = syn::parse_file(&text).unwrap().items;
                let is_plain = |item: &Item| match item {
                    Item::Use(_) => true,
                    Item::Mod(item) => item.content.is_none(),
                    _ => is_for_tests(attributes(item)),
                };
                tree.modules.insert(module.join("::"), items.iter().all(is_plain));
                files.push((module, file.display().to_string(), items));
            }
        }
        for (module, file, items) in &files {
            let is_tests = |item: &Item| matches!(item, Item::Mod(item) if item.content.is_some() && is_for_tests(&item.attrs));
            if items.iter().skip_while(|item| !is_tests(item)).any(|item| !is_for_tests(attributes(item))) {
                tree.findings.push(format!("{file}: code after unit tests"));
            }
            tree.add(&crates, module, file, items);
        }
        tree
    }

    pub fn modules(&self) -> impl Iterator<Item = &str> {
        self.modules.keys().map(String::as_str).filter(|module| !module.is_empty())
    }

    /// Imports between different modules. Exceptions: imports by the root, and imports of its
    /// children by a module that only declares others.
    pub fn imports(&self) -> impl Iterator<Item = Import<'_>> {
        let own = |from: &str, to: &str| self.is_plain_root(from) && to.starts_with(&format!("{from}::"));
        let imports = self.imports.iter().filter(move |((from, to), _)| !from.is_empty() && !own(from, to));
        imports.map(|((from, to), location)| Import { from, to, location })
    }

    /// Whether a module only declares and re-exports others.
    pub fn is_plain_root(&self, module: &str) -> bool {
        self.modules[module]
    }

    /// The file that contains a module.
    fn file(&self, module: &[String]) -> String {
        let mut names = (0..=module.len()).rev().map(|length| module[..length].join("::"));
        names.find(|name| self.modules.contains_key(name)).unwrap_or_default()
    }

    /// Adds the imports of the items of a module and of the modules inside it.
    fn add(&mut self, crates: &[Crate], module: &[String], file: &str, items: &[Item]) {
        for item in items.iter().filter(|item| !is_for_tests(attributes(item))) {
            if let Item::Mod(inner) = item
                && let Some((_, items)) = &inner.content
            {
                self.add(crates, &[module, &[inner.ident.to_string()]].concat(), file, items);
                continue;
            }
            let exports = matches!(item, Item::Use(item) if !matches!(item.vis, Visibility::Inherited));
            let paths = paths(item).unwrap_or_else(|error| panic!("{file}:{}: {error}", error.span().start().line));
            for Found { path, name, line } in paths {
                // Items are known, their variants and methods are not.
                let known = (1..=path.len()).rev().find_map(|length| resolve(crates, 0, module, &path[..length]));
                let Some(target) = known else { continue };
                let (from, to) = (self.file(module), self.file(&target.module));
                let location = format!("{file}:{line}");
                if name.as_deref() == Some("*") && target.item.is_none() {
                    self.findings.push(format!("{location}: {from} imports all names of {to}"));
                }
                // Re-exports of a module's own children are no imports.
                if from != to && !(exports && target.module.starts_with(module)) {
                    self.imports.entry((from, to)).or_insert(location);
                }
            }
        }
    }
}

/// A path in the code.
struct Found {
    path: Vec<String>,
    /// The name that a `use` gives it, or `*`; none for other paths.
    name: Option<String>,
    line: usize,
}

/// The paths in an item, also those in the tokens of macros. Names that a `use` inside the item
/// imports are replaced by their paths.
fn paths(item: &Item) -> Result<Vec<Found>> {
    let mut found = vec![];
    (|input: ParseStream| scan(input, &mut found)).parse2(item.to_token_stream())?;
    let uses: BTreeMap<_, _> = found.iter().filter_map(|found| Some((found.name.clone()?, found.path.clone()))).collect();
    for Found { path, .. } in found.iter_mut().filter(|found| found.name.is_none()) {
        if let Some(used) = uses.get(&path[0]) {
            path.splice(..1, used.iter().cloned());
        }
    }
    Ok(found)
}

fn scan(input: ParseStream, found: &mut Vec<Found>) -> Result<()> {
    while !input.is_empty() {
        let line = input.span().start().line;
        if input.peek(Token![use]) && !input.peek2(Token![<]) {
            input.parse::<Token![use]>()?;
            input.parse::<Option<Token![$]>>()?;
            let uses = imports(&input.parse::<UseTree>()?).into_iter();
            found.extend(uses.map(|(name, path)| Found { path, name: Some(name), line }));
        } else if input.peek(Token![pub]) {
            input.parse::<Visibility>()?;
        } else if input.peek(Ident::peek_any) {
            let mut path = vec![Ident::parse_any(input)?.to_string()];
            while input.peek(Token![::]) && input.peek3(Ident::peek_any) {
                input.parse::<Token![::]>()?;
                path.push(Ident::parse_any(input)?.to_string());
            }
            if path.len() > 1 {
                found.push(Found { path, name: None, line });
            }
        } else if let TokenTree::Group(group) = input.parse()? {
            (|input: ParseStream| scan(input, found)).parse2(group.stream())?;
        }
    }
    Ok(())
}
