//! The documents and sources of the repository, and the parts of their lines.
use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// A text file of the repository; `path` is relative to its root, with slashes.
pub struct File {
    pub path: String,
    pub text: String,
}

impl File {
    pub fn is_markdown(&self) -> bool {
        self.path.ends_with(".md")
    }

    /// Whether the file is a module of unit tests: that above declares it for tests alone.
    pub fn is_unit_tests(&self, files: &[File]) -> bool {
        let Some((folder, name)) = self.path.rsplit_once('/') else { return false };
        let declaration = format!("#[cfg(test)]\nmod {};", name.trim_end_matches(".rs"));
        files.iter().any(|above| above.path == format!("{folder}.rs") && above.text.contains(&declaration))
    }

    /// Lines with their numbers, from 1.
    pub fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        (1..).zip(self.text.lines())
    }

    /// The same without fenced code and its fences.
    pub fn prose(&self) -> impl Iterator<Item = (usize, &str)> {
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

    /// The lines of text: the prose of a document, the comments of a source.
    pub fn texts(&self) -> Vec<(usize, &str)> {
        match self.is_markdown() {
            true => self.prose().collect(),
            false => self.lines().filter_map(|(number, line)| Some((number, comment(line)?))).collect(),
        }
    }

    /// Headings: line number and text.
    pub fn headings(&self) -> impl Iterator<Item = (usize, &str)> {
        self.prose().filter_map(|(number, line)| {
            let text = line.trim_start_matches('#');
            let level = line.len() - text.len();
            ((1..=6).contains(&level) && text.starts_with(' ')).then(|| (number, text.trim()))
        })
    }

    /// Anchors of the headings, which links name after a `#`.
    pub fn anchors(&self) -> BTreeSet<String> {
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
pub fn files() -> Vec<File> {
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

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The findings of a check.
#[derive(Default)]
pub struct Findings(String);

impl Findings {
    pub fn add(&mut self, file: &File, line: usize, message: &str) {
        writeln!(self.0, "{}:{line}: {message}", file.path).unwrap();
    }

    pub fn expect_none(self) {
        assert!(self.0.is_empty(), "\n{}", self.0);
    }
}

/// The anchor that GitHub gives a heading: letters, digits, hyphens and underscores of its text in
/// lower case, and a hyphen for each blank.
pub fn slug(heading: &str) -> String {
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
pub fn without_code(line: &str) -> String {
    let mut parts: Vec<&str> = line.split('`').collect();
    let last = if parts.len().is_multiple_of(2) { parts.pop() } else { None };
    let mut text = parts.into_iter().step_by(2).collect::<Vec<_>>().join("`");
    text.extend(last);
    text
}

/// The text of a line that is only a comment: the line without its blanks and its marker.
pub fn comment(line: &str) -> Option<&str> {
    let text = line.trim_start().strip_prefix("//")?;
    Some(text.strip_prefix(['/', '!']).unwrap_or(text).trim())
}
