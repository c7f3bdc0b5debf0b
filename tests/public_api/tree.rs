//! The modules of a crate with their items, and the resolution of paths through `use`.
use crate::expand::Macros;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use syn::{Attribute, Ident, Item, ItemUse, UseTree, Visibility};

/// A crate read from its sources, with all features and without tests.
pub struct Crate {
    pub name: String,
    /// The modules by their path; that of the root is empty.
    pub modules: BTreeMap<Vec<String>, Module>,
    pub macros: Macros,
}

/// A module with expanded items.
#[derive(Default)]
pub struct Module {
    pub items: Vec<Item>,
}

/// A path within the sources: the number of the crate, the module, and the name of an item, which
/// is none for the module itself.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Location {
    pub krate: usize,
    pub module: Vec<String>,
    pub item: Option<String>,
}

impl Crate {
    /// Reads the crate whose root is the file `root`.
    pub fn read(name: &str, root: &Path) -> Crate {
        let mut krate = Crate { name: name.to_owned(), modules: BTreeMap::new(), macros: Macros::default() };
        krate.add_file(vec![], root, root.parent().expect("a folder of sources"));
        for module in krate.modules.values_mut() {
            module.items = expanded(std::mem::take(&mut module.items), &krate.macros);
        }
        krate
    }

    /// Reads a file and the files of the modules that it declares, which are in `folder`.
    fn add_file(&mut self, path: Vec<String>, file: &Path, folder: &Path) {
        let text = std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let parsed = syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        self.add_module(path, parsed.items, folder);
    }

    fn add_module(&mut self, path: Vec<String>, items: Vec<Item>, folder: &Path) {
        let mut kept = vec![];
        for item in items.into_iter().filter(|item| !is_for_tests(attributes(item))) {
            match &item {
                Item::Mod(module) => {
                    let name = module.ident.to_string();
                    let (inner, folder) = ([&path[..], std::slice::from_ref(&name)].concat(), folder.join(&name));
                    match &module.content {
                        Some((_, items)) => self.add_module(inner, items.clone(), &folder),
                        None => self.add_file(inner, &source(&folder), &folder),
                    }
                }
                Item::Macro(definition) => {
                    if let Some(name) = &definition.ident {
                        self.macros.define(name, definition);
                    }
                }
                _ => {}
            }
            kept.push(item);
        }
        self.modules.insert(path, Module { items: kept });
    }
}

/// The file of the module whose own modules are in `folder`.
fn source(folder: &Path) -> PathBuf {
    let beside = folder.with_extension("rs");
    if beside.exists() { beside } else { folder.join("mod.rs") }
}

/// The items with those that macros of the crate generate.
fn expanded(items: Vec<Item>, macros: &Macros) -> Vec<Item> {
    let mut all = vec![];
    for item in items {
        match &item {
            Item::Macro(call) if call.ident.is_none() => {
                let Some(tokens) = macros.expand(&call.mac.path, &call.mac.tokens) else { continue };
                let file = syn::parse2::<syn::File>(tokens.clone());
                let file = file.unwrap_or_else(|error| panic!("expansion of a macro: {error}: {tokens}"));
                all.extend(expanded(file.items, macros));
            }
            _ => all.push(item),
        }
    }
    all
}

/// Whether an item exists only in tests.
pub fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let condition = attribute.path().is_ident("cfg").then(|| attribute.parse_args::<Ident>().ok()).flatten();
        condition.is_some_and(|name| name == "test" || name == "doctest")
    })
}

/// The attributes of the items that modules may have.
pub fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// The name and the visibility of an item other than a module, an implementation or an import.
pub fn definition(item: &Item) -> Option<(&Ident, &Visibility)> {
    match item {
        Item::Const(item) => Some((&item.ident, &item.vis)),
        Item::Enum(item) => Some((&item.ident, &item.vis)),
        Item::Fn(item) => Some((&item.sig.ident, &item.vis)),
        Item::Static(item) => Some((&item.ident, &item.vis)),
        Item::Struct(item) => Some((&item.ident, &item.vis)),
        Item::Trait(item) => Some((&item.ident, &item.vis)),
        Item::Type(item) => Some((&item.ident, &item.vis)),
        _ => None,
    }
}

/// The imports of a `use`: the name that each gets (`*` for all) and its path.
pub fn imports(item: &ItemUse) -> Vec<(String, Vec<String>)> {
    fn walk(tree: &UseTree, path: &[String], found: &mut Vec<(String, Vec<String>)>) {
        let with = |name: &Ident| [path, &[name.to_string()]].concat();
        match tree {
            UseTree::Path(inner) => walk(&inner.tree, &with(&inner.ident), found),
            UseTree::Name(leaf) if leaf.ident == "self" => found.push((path.last().cloned().unwrap_or_default(), path.to_vec())),
            UseTree::Name(leaf) => found.push((leaf.ident.to_string(), with(&leaf.ident))),
            UseTree::Rename(leaf) => found.push((leaf.rename.to_string(), with(&leaf.ident))),
            UseTree::Glob(_) => found.push(("*".to_owned(), path.to_vec())),
            UseTree::Group(group) => group.items.iter().for_each(|tree| walk(tree, path, found)),
        }
    }
    let mut found = vec![];
    walk(&item.tree, &[], &mut found);
    found
}

/// The location that `path` means in `module`; none if it is in a crate that was not read.
pub fn resolve(crates: &[Crate], krate: usize, module: &[String], path: &[String]) -> Option<Location> {
    let first = path.first()?;
    let mut module = module.to_vec();
    let start = match first.as_str() {
        "crate" => Location { krate, module: vec![], item: None },
        "self" => Location { krate, module, item: None },
        "super" => {
            module.pop();
            Location { krate, module, item: None }
        }
        name => match step(crates, &Location { krate, module, item: None }, name) {
            Some(location) => location,
            None => Location { krate: crates.iter().position(|other| other.name == name)?, module: vec![], item: None },
        },
    };
    path[1..].iter().try_fold(start, |location, name| match name.as_str() {
        "super" => Some(Location { module: location.module[..location.module.len() - 1].to_vec(), ..location }),
        name => step(crates, &location, name),
    })
}

/// The location of `name` in the module `from`: a module, an item or an import.
fn step(crates: &[Crate], from: &Location, name: &str) -> Option<Location> {
    let Location { krate, module, item: None } = from else { return None };
    let inner = [&module[..], &[name.to_owned()]].concat();
    if crates[*krate].modules.contains_key(&inner) {
        return Some(Location { krate: *krate, module: inner, item: None });
    }
    let items = &crates[*krate].modules[module].items;
    if items.iter().filter_map(definition).any(|(ident, _)| ident == name) {
        return Some(Location { item: Some(name.to_owned()), ..from.clone() });
    }
    let uses = items.iter().filter_map(|item| if let Item::Use(item) = item { Some(item) } else { None });
    uses.flat_map(imports).find_map(|(alias, path)| {
        let child = [&module[..], &path[..1]].concat();
        let is_own = ["crate", "self", "super"].contains(&path[0].as_str()) || crates[*krate].modules.contains_key(&child);
        match alias.as_str() {
            // An import cannot be found through itself.
            alias if alias == name && path[0] != name => resolve(crates, *krate, module, &path),
            "*" if is_own => step(crates, &resolve(crates, *krate, module, &path)?, name),
            _ => None,
        }
    })
}
