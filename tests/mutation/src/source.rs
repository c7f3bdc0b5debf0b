//! The source files of the project.
use std::collections::BTreeSet;
use std::error::Error;
use std::fs;
use std::path::Path;

/// A module of one of the crates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    /// `dndi_simd`, `dndi` or, for the command line, `main`.
    pub krate: &'static str,
    /// Its path, such as `detect::zscore`; empty for the root.
    pub path: String,
}

impl Module {
    /// The path of an item of this module for a module of the crate `from`.
    pub fn item(&self, from: &Module, name: &str) -> String {
        let krate = if self.krate == from.krate { "crate" } else { self.krate };
        [krate, &self.path, name].iter().filter(|part| !part.is_empty()).copied().collect::<Vec<_>>().join("::")
    }

    /// The path of the module that chooses mutants.
    pub fn runtime(&self) -> &'static str {
        if self.krate == "dndi_simd" { "crate::mutant" } else { "dndi_simd::mutant" }
    }
}

pub struct File {
    /// Relative to the root of the repository.
    pub path: String,
    pub text: String,
    pub syntax: syn::File,
    pub module: Module,
    /// Whether the file holds only unit tests.
    pub is_test: bool,
}

impl File {
    /// Line and column of a position, from 1.
    pub fn position(&self, at: usize) -> (usize, usize) {
        let before = &self.text[..at];
        let line = before.matches('\n').count() + 1;
        (line, before.chars().rev().take_while(|&c| c != '\n').count() + 1)
    }
}

/// The files of all crates.
pub fn read(root: &Path) -> Result<Vec<File>, Box<dyn Error>> {
    let mut paths = vec![];
    collect(root, "src", &mut paths)?;
    collect(root, "simd/src", &mut paths)?;
    paths.sort();
    let mut files = vec![];
    for path in paths {
        let text = fs::read_to_string(root.join(&path))?;
        let syntax = syn::parse_file(&text).map_err(|error| format!("{path}: {error}"))?;
        let module = module(&path);
        files.push(File { path, text, syntax, module, is_test: false });
    }
    // Modules of files that are declared for tests only.
    let mut tests = BTreeSet::new();
    for file in &files {
        for item in &file.syntax.items {
            if let syn::Item::Mod(item) = item
                && item.content.is_none()
                && is_for_tests(&item.attrs)
            {
                tests.insert(file.module.item(&file.module, &item.ident.to_string()) + file.module.krate);
            }
        }
    }
    for file in &mut files {
        file.is_test = tests.contains(&(file.module.item(&file.module, "") + file.module.krate));
    }
    Ok(files)
}

fn collect(root: &Path, folder: &str, paths: &mut Vec<String>) -> std::io::Result<()> {
    for entry in fs::read_dir(root.join(folder))? {
        let entry = entry?;
        let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            collect(root, &path, paths)?;
        } else if path.ends_with(".rs") {
            paths.push(path);
        }
    }
    Ok(())
}

fn module(path: &str) -> Module {
    let roots = [("simd/src/", "dndi_simd"), ("src/cli/", "main"), ("src/", "dndi")];
    let (rest, krate) =
        roots.iter().find_map(|(root, krate)| Some((path.strip_prefix(root)?, *krate))).expect("the file is in a crate");
    let path = rest.strip_suffix(".rs").unwrap_or(rest).replace('/', "::");
    Module { krate, path: if ["lib", "main"].contains(&path.as_str()) { String::new() } else { path } }
}

/// Whether attributes contain `cfg(test)` or `test`.
pub fn is_for_tests(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("test")
            || attribute.path().is_ident("cfg")
                && attribute.parse_args::<syn::Path>().is_ok_and(|condition| condition.is_ident("test"))
    })
}
