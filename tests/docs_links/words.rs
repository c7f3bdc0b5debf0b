//! Banned words.
use crate::files::{Findings, comment, files, without_code};

/// Words that CONTRIBUTING bans from prose and comments.
const BANNED: [&str; 12] = ["what", "tell", "tells", "told", "ask", "asks", "asked", "wish", "wishes", "strange", "calm", "room"];

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
