//! The documents fit together: each link and anchor has a target, each section number is one of the
//! specification, each id of an interpretation or decision has an entry, each tuned constant is in
//! the document of constants, and lines of prose and comment lines have at most 100 columns and no
//! banned word.
//!
//! Every check reports all its findings as `file:line: message`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// Widest line of prose and of comments, in characters.
const COLUMNS: usize = 100;

const SPECIFICATION: &str = "docs/specification/";
const INTERPRETATIONS: &str = "docs/specification/interpretations.md";
const CONSTANTS: &str = "docs/design/constants.md";

/// Constants of the detector and of the adaptive policy that are not tuned: units, sizes, indices,
/// names.
const NOT_TUNED: [&str; 15] = [
    "ALL",
    "BLOCK",
    "CELLS",
    "IN_PHASE",
    "MAX_PAIRS",
    "NAMES",
    "NO_FIT",
    "NO_FITS",
    "NO_NOISE",
    "PHASES",
    "SIGMA_ONE",
    "SPARE",
    "TABLE",
    "TILE_PIXELS",
    "WHOLE",
];

/// Words that CONTRIBUTING bans from prose and comments.
const BANNED: [&str; 12] = ["what", "tell", "tells", "told", "ask", "asks", "asked", "wish", "wishes", "strange", "calm", "room"];

/// A text file of the repository; `path` is relative to its root, with slashes.
struct File {
    path: String,
    text: String,
}

impl File {
    fn is_markdown(&self) -> bool {
        self.path.ends_with(".md")
    }

    /// Lines with their numbers, from 1.
    fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        (1..).zip(self.text.lines())
    }

    /// The same without fenced code and its fences.
    fn prose(&self) -> impl Iterator<Item = (usize, &str)> {
        let mut fence = None;
        self.lines().filter(move |(_, line)| {
            let marker = ["```", "~~~"].into_iter().find(|marker| line.trim_start().starts_with(marker));
            match (fence, marker) {
                (None, Some(_)) => fence = marker,
                (Some(_), Some(_)) if fence == marker => fence = None,
                _ => return fence.is_none(),
            }
            false
        })
    }

    /// Headings: line number and text.
    fn headings(&self) -> impl Iterator<Item = (usize, &str)> {
        self.prose().filter_map(|(number, line)| {
            let text = line.trim_start_matches('#');
            let level = line.len() - text.len();
            ((1..=6).contains(&level) && text.starts_with(' ')).then(|| (number, text.trim()))
        })
    }

    /// Anchors of the headings, which links name after a `#`.
    fn anchors(&self) -> BTreeSet<String> {
        let mut anchors = BTreeSet::new();
        for (_, heading) in self.headings() {
            let slug = slug(heading);
            // Repeated headings are numbered.
            let mut anchor = slug.clone();
            for n in 1.. {
                if anchors.insert(anchor) {
                    break;
                }
                anchor = format!("{slug}-{n}");
            }
        }
        anchors
    }
}

/// The repository's documents and Rust sources.
fn files() -> Vec<File> {
    fn visit(folder: &Path, files: &mut Vec<File>) {
        for entry in fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let (path, kind) = (entry.path(), entry.file_type().unwrap());
            let name = entry.file_name();
            let name = name.to_str().unwrap();
            if kind.is_dir() && !name.starts_with('.') && name != "target" {
                visit(&path, files);
            } else if kind.is_file() && (name.ends_with(".md") || name.ends_with(".rs")) {
                let text = fs::read_to_string(&path).unwrap();
                let path = path.strip_prefix(root()).unwrap().to_str().unwrap().replace('\\', "/");
                files.push(File { path, text });
            }
        }
    }
    let mut files = vec![];
    visit(root(), &mut files);
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The findings of a check.
#[derive(Default)]
struct Findings(String);

impl Findings {
    fn add(&mut self, file: &File, line: usize, message: &str) {
        writeln!(self.0, "{}:{line}: {message}", file.path).unwrap();
    }

    fn expect_none(self) {
        assert!(self.0.is_empty(), "\n{}", self.0);
    }
}

/// The anchor that GitHub gives a heading: letters, digits, hyphens and underscores of its text in
/// lower case, and a hyphen for each blank.
fn slug(heading: &str) -> String {
    let mut text = String::new();
    let mut rest = heading;
    // Of a link only its text counts.
    while let Some((before, link)) = rest.split_once("](") {
        text += before;
        rest = link.split_once(')').map_or("", |(_, after)| after);
    }
    text += rest;
    let kept = text.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).flat_map(char::to_lowercase).collect()
}

/// A line without its code spans; a backtick without a partner is text.
fn without_code(line: &str) -> String {
    let mut parts: Vec<&str> = line.split('`').collect();
    let last = if parts.len().is_multiple_of(2) { parts.pop() } else { None };
    let mut text = parts.into_iter().step_by(2).collect::<Vec<_>>().join("`");
    text.extend(last);
    text
}

/// Targets of the links and images of a line of Markdown.
fn links(line: &str) -> Vec<String> {
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

/// The number a text begins with, as `3` or `3.1`.
fn leading_section(text: &str) -> Option<&str> {
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
fn section_references(line: &str) -> Vec<&str> {
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
fn ids(line: &str, letter: char) -> Vec<String> {
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
fn defined(line: &str) -> Option<String> {
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

/// The name of the constant or static that a line defines.
fn defined_constant(line: &str) -> Option<&str> {
    let item = line.split_once("const ").or_else(|| line.split_once("static "))?;
    let before = item.0.trim();
    let is_item = before.is_empty() || before == "pub" || before.starts_with("pub(") && before.ends_with(')');
    let (name, _) = item.1.split_once(':')?;
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
    (is_item && is_name).then_some(name)
}

#[test]
fn tuned_constants_have_an_entry() {
    let files = files();
    let list = files.iter().find(|file| file.path == CONSTANTS).expect(CONSTANTS);
    let mut findings = Findings::default();
    let mut constants = BTreeSet::new();
    let folders = ["src/detect/", "src/adapt/", "src/noise.rs"];
    for file in files.iter().filter(|file| folders.iter().any(|folder| file.path.starts_with(folder))) {
        let code = file.lines().take_while(|(_, line)| !line.starts_with("#[cfg(test)]"));
        for (number, name) in code.filter_map(|(number, line)| Some((number, defined_constant(line)?))) {
            constants.insert(name);
            if !NOT_TUNED.contains(&name) && !list.text.contains(&format!("`{name}`")) {
                findings.add(file, number, &format!("{CONSTANTS} has no entry for {name}"));
            }
        }
    }
    // Names in the first column of a table.
    for (number, line) in list.lines() {
        let cell = line.strip_prefix("| ").and_then(|row| row.split(" |").next()).unwrap_or_default();
        for name in cell.split('`').skip(1).step_by(2).filter(|name| name.chars().all(|c| c.is_ascii_uppercase() || c == '_')) {
            if !constants.contains(name) {
                findings.add(list, number, &format!("no constant has the name {name}"));
            }
        }
    }
    findings.expect_none();
    assert!(constants.contains("COMB_PERCENT") && NOT_TUNED.iter().all(|name| constants.contains(name)));
}

/// The banned words of a line.
fn banned(line: &str) -> Vec<&str> {
    let words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.filter(|word| BANNED.contains(&word.to_lowercase().as_str())).collect()
}

#[test]
fn prose_and_comments_have_no_banned_word() {
    let mut findings = Findings::default();
    for file in &files() {
        let lines: Vec<_> = match file.is_markdown() {
            true => file.prose().collect(),
            false => file.lines().filter_map(|(number, line)| Some((number, comment(line)?))).collect(),
        };
        for (number, line) in lines {
            for word in banned(&without_code(line)) {
                findings.add(file, number, &format!("the word {word}"));
            }
        }
    }
    findings.expect_none();
    assert_eq!(banned("What a somewhat whatever `told` is"), ["What", "told"]);
}

/// Whether a line has nothing to wrap: a heading, a row of a table, only links, a single word.
fn has_no_prose(line: &str) -> bool {
    let line = line.trim_start().trim_start_matches(['*', '-', '>']).trim_start();
    let is_definition = line.starts_with('[') && line.contains("]: ");
    let mut rest = line.to_owned();
    while let Some((before, link)) = rest.split_once("](") {
        let text = before.rfind('[').unwrap_or(0);
        rest = format!("{}{}", &before[..text], link.split_once(')').map_or("", |(_, after)| after));
    }
    let is_links = !rest.contains(char::is_alphanumeric);
    line.starts_with(['#', '|']) || is_definition || is_links || !line.contains(' ')
}

#[test]
fn prose_is_wrapped() {
    let mut findings = Findings::default();
    for file in files().iter().filter(|file| file.is_markdown()) {
        let is_wide = |line: &str| line.chars().count() > COLUMNS && !has_no_prose(line);
        for (number, line) in file.prose().filter(|(_, line)| is_wide(line)) {
            findings.add(file, number, &format!("{} columns, at most {COLUMNS}", line.chars().count()));
        }
    }
    findings.expect_none();
}

/// The text of a line that is only a comment: the line without its blanks and its marker.
fn comment(line: &str) -> Option<&str> {
    let text = line.trim_start().strip_prefix("//")?;
    Some(text.strip_prefix(['/', '!']).unwrap_or(text).trim())
}

/// The lines of a Rust file that exceed the columns as comments. Code in doc comments and lines of
/// one word, such as a link, are exempt.
fn wide_comments(text: &str) -> Vec<(usize, usize)> {
    let mut is_code = false;
    let mut wide = vec![];
    for (number, line) in (1..).zip(text.lines()) {
        let Some(comment) = comment(line) else {
            is_code = false;
            continue;
        };
        let columns = line.chars().count();
        if comment.starts_with("```") {
            is_code = !is_code;
        } else if columns > COLUMNS && !is_code && comment.contains(' ') {
            wide.push((number, columns));
        }
    }
    wide
}

#[test]
fn comments_are_wrapped() {
    let mut findings = Findings::default();
    for file in files().iter().filter(|file| !file.is_markdown()) {
        for (number, columns) in wide_comments(&file.text) {
            findings.add(file, number, &format!("a comment of {columns} columns, at most {COLUMNS}"));
        }
    }
    findings.expect_none();
}

#[test]
fn wide_comments_are_found() {
    let words = "word ".repeat(20);
    let link = format!("<https://{}>", "x".repeat(100));
    let found = |lines: &[String]| wide_comments(&lines.join("\n"));
    // 100 columns fit, 101 do not; blanks of the indentation count.
    let fits = format!("// {}fit", &words[..94]);
    assert_eq!(fits.chars().count(), 100);
    assert_eq!(found(&[fits.clone(), format!(" {fits}"), format!("{fits}s")]), [(2, 101), (3, 101)]);
    for marker in ["//", "///", "//!", "    //", "\t///"] {
        let line = format!("{marker} {words}");
        assert_eq!(found(std::slice::from_ref(&line)), [(1, line.len())], "{marker}");
        assert_eq!(found(&[format!("{marker} {link}")]), [], "{marker}");
        let fence = |after: &str| format!("{marker} ```{after}");
        assert_eq!(found(&[fence("text"), line.clone(), fence(""), line.clone()]), [(4, line.len())], "{marker}");
        // A fence ends with its comment.
        assert_eq!(found(&[fence(""), "fn f() {}".into(), line.clone()]), [(3, line.len())], "{marker}");
    }
    assert_eq!(found(&[format!("let x = \"{words}\"; // {words}")]), []);
    // Characters count, not bytes.
    assert_eq!(found(&[format!("// {} {}", "§".repeat(48), "§".repeat(48))]), []);
}

#[test]
fn parts_of_a_line() {
    assert_eq!(slug("5.1 Samples and addresses"), "51-samples-and-addresses");
    assert_eq!(slug("8.2 `sample_8x8`, [state](08-state.md) - Über"), "82-sample_8x8-state---über");
    assert_eq!(links("[a](b.md#c), `[no](code)` ![i](d.png \"title\")"), ["b.md#c", "d.png"]);
    assert_eq!(
        section_references("\u{a7}3.1 to \u{a7}3.4, \u{a7}2. \u{a7}5.2-5.4 and 10 (\u{a7})"),
        ["3.1", "3.4", "2", "5.2", "5.4"]
    );
    assert_eq!(ids("[I-1], I-23; UI-4, I-5x, D-6", 'I'), ["I-1", "I-23"]);
    assert_eq!(defined("| I-1 | averages |"), Some("I-1".to_owned()));
    assert_eq!(defined("* **D-2** text, I-3"), Some("D-2".to_owned()));
    assert!(has_no_prose("* [a](b), [c](d)") && !has_no_prose("* [a](b) is prose"));
}
