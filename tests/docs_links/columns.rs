//! Lines of prose and comments are wrapped.
use crate::files::{Findings, comment, files};

/// Widest line of prose and of comments, in characters.
const COLUMNS: usize = 100;

/// Whether a line has nothing to wrap: a heading, a row of a table, only links, a single word.
pub fn has_no_prose(line: &str) -> bool {
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
