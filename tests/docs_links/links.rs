//! Links of documents and names of documents in the code.
use crate::files::{File, Findings, files, root, without_code};
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

/// Targets of the links and images of a line of Markdown.
pub fn links(line: &str) -> Vec<String> {
    let text = without_code(line);
    let inline = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let defined = text.trim_start().strip_prefix('[').and_then(|rest| rest.split_once("]: ")).map(|(_, target)| target);
    let html = ["href=\"", "src=\""].into_iter().flat_map(|attribute| text.split(attribute).skip(1));
    let html = html.filter_map(|rest| rest.split('"').next());
    // A title may follow.
    let targets = inline.chain(defined).chain(html).filter_map(|target| target.split_whitespace().next());
    targets.map(str::to_owned).collect()
}

/// The path from the root that `target` means in `file`; none if it is outside the repository.
fn resolve(file: &File, target: &str) -> Option<String> {
    let from = Path::new(&file.path).parent().unwrap();
    let mut path = PathBuf::new();
    for component in from.join(target).components() {
        match component {
            Component::Normal(name) => path.push(name),
            Component::CurDir => {}
            Component::ParentDir if path.pop() => {}
            _ => return None,
        }
    }
    Some(path.to_str().unwrap().replace('\\', "/"))
}

#[test]
fn link_targets_exist() {
    let files = files();
    let documents = files.iter().filter(|file| file.is_markdown());
    let anchors: BTreeMap<&str, _> = documents.clone().map(|file| (file.path.as_str(), file.anchors())).collect();
    let mut findings = Findings::default();
    let mut checked = 0;
    for file in documents {
        for (number, line) in file.prose() {
            for link in links(line).iter().filter(|link| !link.contains("://") && !link.starts_with("mailto:")) {
                checked += 1;
                let (target, anchor) =
                    link.split_once('#').map_or((link.as_str(), None), |(target, anchor)| (target, Some(anchor)));
                let path = if target.is_empty() { Some(file.path.clone()) } else { resolve(file, target) };
                let Some(path) = path.filter(|path| root().join(path).exists()) else {
                    findings.add(file, number, &format!("the link's target does not exist: {link}"));
                    continue;
                };
                match (anchor, anchors.get(path.as_str())) {
                    (Some(anchor), Some(known)) if !known.contains(anchor) => {
                        findings.add(file, number, &format!("no heading of {path} has this anchor: {link}"));
                    }
                    (Some(_), None) => findings.add(file, number, &format!("only documents have anchors: {link}")),
                    _ => {}
                }
            }
        }
    }
    findings.expect_none();
    assert!(checked > 0);
}

#[test]
fn documents_named_in_the_code_exist() {
    let mut findings = Findings::default();
    for file in files().iter().filter(|file| !file.is_markdown()) {
        for (number, line) in file.lines() {
            for (at, _) in line.match_indices("docs/") {
                let named = line[at..].split(|c: char| !c.is_ascii_alphanumeric() && !"/._-".contains(c)).next();
                let path = named.unwrap_or_default().trim_end_matches('.');
                if !root().join(path).exists() {
                    findings.add(file, number, &format!("there is no {path}"));
                }
            }
        }
    }
    findings.expect_none();
}
