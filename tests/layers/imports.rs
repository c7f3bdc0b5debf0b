//! Imports of a source tree, read from its text.
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// An import.
#[derive(Clone, Copy, Debug)]
pub struct Import<'a> {
    /// The module that imports.
    pub from: &'a str,
    /// The module that defines the imported item, as far as names show it.
    pub to: &'a str,
    /// File and line of the import.
    pub location: &'a str,
}

/// The modules of a crate, each a file, by their paths such as `pipeline::stream`; the root is "".
#[derive(Debug, Default)]
pub struct Tree {
    modules: BTreeMap<String, Module>,
    /// From, to, location.
    imports: Vec<(String, String, String)>,
}

#[derive(Debug, Default)]
struct Module {
    file: String,
    /// Code without comments, strings and unit tests.
    code: String,
    /// Re-exported names with their paths.
    exports: BTreeMap<String, Vec<String>>,
}

impl Tree {
    /// Reads the files below `folder` of the repository, except unit tests, and the modules `without`
    /// with the modules inside them.
    pub fn read(folder: &str, without: &[&str]) -> Tree {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let mut files = vec![];
        collect(&root, &root, &mut files);
        let is_out = |module: &str| without.iter().any(|out| module == *out || module.starts_with(&format!("{out}::")));
        files.retain(|(module, _, _)| !is_out(module) && !module.ends_with("::tests"));
        Tree::from_files(files.into_iter().map(|(module, file, text)| (module, format!("{folder}/{file}"), text)).collect())
    }

    /// The tree of modules with this code.
    pub fn of(modules: &[(&str, &str)]) -> Tree {
        Tree::from_files(
            modules.iter().map(|&(module, text)| (module.to_owned(), format!("{module}.rs"), text.to_owned())).collect(),
        )
    }

    fn from_files(files: Vec<(String, String, String)>) -> Tree {
        let mut tree = Tree::default();
        for (module, file, text) in files {
            let code = without_tests(&without_comments(&text)).to_owned();
            tree.modules.insert(module, Module { file, code, ..Module::default() });
        }
        let paths: Vec<_> = tree.modules.iter().map(|(module, Module { code, .. })| (module.clone(), paths(code))).collect();
        for (module, paths) in &paths {
            let exported = paths.iter().filter(|path| path.exported);
            for Found { path, name, .. } in exported {
                let target = absolute(module, path);
                if let (Some(target), Some(own)) = (target, tree.modules.get_mut(module)) {
                    own.exports.insert(name.clone(), target);
                }
            }
        }
        for (module, paths) in paths {
            for Found { path, line, exported, .. } in paths {
                // Re-exports of a module's own children are no imports.
                let Some(target) = absolute(&module, &path) else { continue };
                let Some(to) = tree.defining(&target) else { continue };
                let inner = to == module || module.is_empty() || to.starts_with(&format!("{module}::"));
                if !(exported && inner) && to != module {
                    let location = format!("{}:{line}", tree.modules[&module].file);
                    tree.imports.push((module.clone(), to, location));
                }
            }
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
        let imports = self.imports.iter().filter(move |(from, to, _)| !from.is_empty() && !own(from, to));
        imports.map(|(from, to, location)| Import { from, to, location })
    }

    /// Whether a module only declares and re-exports others.
    pub fn is_plain_root(&self, module: &str) -> bool {
        let Some(Module { code, .. }) = self.modules.get(module) else { return module.is_empty() };
        let mut rest = code.as_str();
        let mut plain = true;
        while let Some((statement, after)) = rest.split_once(';') {
            let words = statement.split_whitespace().filter(|word| !word.starts_with('#') && !word.starts_with("pub"));
            plain &= words.into_iter().next().is_none_or(|word| ["mod", "use"].contains(&word));
            rest = after;
        }
        module.is_empty() || plain && rest.trim().is_empty()
    }

    /// The module that defines the item at an absolute path, through re-exports.
    fn defining(&self, path: &[String]) -> Option<String> {
        let mut path = path.to_vec();
        for _ in 0..8 {
            let length = (0..=path.len()).rev().find(|&length| self.modules.contains_key(&path[..length].join("::")))?;
            let module = path[..length].join("::");
            match path.get(length).and_then(|name| self.modules[&module].exports.get(name)) {
                Some(target) if *target != path[..=length] => path = [target.as_slice(), &path[length + 1..]].concat(),
                _ => return Some(module),
            }
        }
        None
    }
}

fn collect(root: &Path, folder: &Path, files: &mut Vec<(String, String, String)>) {
    let mut entries: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            collect(root, &path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let file = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
            let module = file.strip_suffix(".rs").unwrap().replace('/', "::");
            let module = if ["lib", "main"].contains(&module.as_str()) { String::new() } else { module };
            files.push((module, file, fs::read_to_string(&path).unwrap()));
        }
    }
}

/// The text without comments and without the contents of strings; lines keep their numbers.
fn without_comments(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let length = if rest.starts_with(b"//") {
            rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len())
        } else if rest[0] == b'"' {
            let mut end = 1;
            while end < rest.len() && rest[end] != b'"' {
                end += if rest[end] == b'\\' { 2 } else { 1 };
            }
            (end + 1).min(rest.len())
        } else if rest[0] == b'\'' && rest.get(1) == Some(&b'\\') {
            2 + rest[2..].iter().skip(1).position(|&byte| byte == b'\'').map_or(0, |end| end + 2)
        } else if rest[0] == b'\'' && rest.get(2) == Some(&b'\'') {
            3
        } else {
            out.push(rest[0] as char);
            at += 1;
            continue;
        };
        out.extend(rest[..length].iter().filter(|&&byte| byte == b'\n').map(|_| '\n'));
        out.push(' ');
        at += length;
    }
    out
}

/// The code before the unit tests, which are last.
fn without_tests(code: &str) -> &str {
    code.find("#[cfg(test)]\nmod tests").map_or(code, |end| &code[..end])
}

/// A path in the code.
#[derive(Debug)]
struct Found {
    path: Vec<String>,
    /// The last name, or the name after `as`.
    name: String,
    line: usize,
    exported: bool,
}

/// All paths in use declarations; elsewhere the paths that begin with `crate`, `super` or a module
/// that the file declares.
fn paths(code: &str) -> Vec<Found> {
    let mut found = vec![];
    let declared =
        code.split(['\n', ';']).filter_map(|line| line.trim().rsplit_once("mod ")).map(|(_, name)| format!("{name}::"));
    let own: Vec<_> = declared.filter(|name| name.len() > 2).collect();
    let mut at = 0;
    while at < code.len() {
        let rest = &code[at..];
        let begins = at == 0 || !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':' || c == '$');
        let line = || code[..at].matches('\n').count() + 1;
        if begins && rest.starts_with("use ") {
            let end = rest.find(';').unwrap_or(rest.len());
            let before = code[..at].trim_end();
            let exported = before.ends_with("pub") || before.ends_with(')') && before.contains("pub(");
            let exported =
                exported && !before.ends_with("}") && before.rsplit(['\n', ';', '}']).next().is_some_and(|b| b.contains("pub"));
            tree(&rest[4..end], &[], line(), exported, &mut found);
            at += end;
        } else if begins
            && (["crate::", "super::"].into_iter().chain(own.iter().map(String::as_str))).any(|root| rest.starts_with(root))
        {
            let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')).unwrap_or(rest.len());
            let path: Vec<_> = rest[..end].split("::").filter(|part| !part.is_empty()).map(str::to_owned).collect();
            found.push(Found { name: path.last().cloned().unwrap_or_default(), path, line: line(), exported: false });
            at += end;
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    found
}

/// The paths of a use tree such as `a::{b, c::{self, d as e}}`.
fn tree(text: &str, before: &[String], line: usize, exported: bool, found: &mut Vec<Found>) {
    let text = text.trim();
    match text.split_once('{') {
        Some((prefix, rest)) => {
            let prefix = prefix.split("::").map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned);
            let before: Vec<_> = before.iter().cloned().chain(prefix).collect();
            let inner = rest.trim_end().strip_suffix('}').unwrap_or(rest);
            let (mut depth, mut begin) = (0, 0);
            for (at, c) in inner.char_indices().chain([(inner.len(), ',')]) {
                match c {
                    '{' => depth += 1,
                    '}' => depth -= 1,
                    ',' if depth == 0 => {
                        if !inner[begin..at].trim().is_empty() {
                            tree(&inner[begin..at], &before, line, exported, found);
                        }
                        begin = at + 1;
                    }
                    _ => {}
                }
            }
        }
        None => {
            let (path, alias) = text.split_once(" as ").map_or((text, None), |(path, alias)| (path, Some(alias.trim())));
            let parts = path.split("::").map(str::trim).filter(|part| !part.is_empty() && *part != "self").map(str::to_owned);
            let path: Vec<_> = before.iter().cloned().chain(parts).collect();
            let name = alias.map_or_else(|| path.last().cloned().unwrap_or_default(), str::to_owned);
            found.push(Found { path, name, line, exported });
        }
    }
}

/// The path from the root; none for other crates. A path without `crate` or `super` may begin with
/// a module that the file declares.
fn absolute(module: &str, path: &[String]) -> Option<Vec<String>> {
    let own: Vec<String> = module.split("::").filter(|part| !part.is_empty()).map(str::to_owned).collect();
    match path.first()?.as_str() {
        "crate" => Some(path[1..].to_vec()),
        "super" => {
            let up = path.iter().take_while(|part| *part == "super").count();
            let base = own.len().checked_sub(up)?;
            Some(own[..base].iter().chain(&path[up..]).cloned().collect())
        }
        "std" | "core" | "dndi" => None,
        _ => Some(own.into_iter().chain(path.iter().cloned()).collect()),
    }
}
