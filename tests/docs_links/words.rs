//! Banned words.
use crate::files::{Findings, files, without_code};
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Item, Lit};

/// Words that CONTRIBUTING bans from prose and comments.
const BANNED: [&str; 12] = ["what", "tell", "tells", "told", "ask", "asks", "asked", "wish", "wishes", "strange", "calm", "room"];

/// The banned words of a line.
fn banned(line: &str) -> Vec<&str> {
    let words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.filter(|word| BANNED.contains(&word.to_lowercase().as_str())).collect()
}

/// The text of a string without the names in braces, which a format replaces by values.
fn without_values(text: &str) -> String {
    let text = text.replace("{{", "").replace("}}", "");
    let parts = text.split('{').enumerate();
    parts.map(|(i, part)| if i == 0 { part } else { part.split_once('}').map_or(part, |(_, after)| after) }).collect()
}

/// The strings of an item with the lines where they begin.
fn strings(tokens: TokenStream, found: &mut Vec<(usize, String)>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => strings(group.stream(), found),
            TokenTree::Literal(literal) => {
                let line = literal.span().start().line;
                if let Lit::Str(text) = Lit::new(literal) {
                    found.push((line, text.value()));
                }
            }
            _ => {}
        }
    }
}

/// Whether an item is a module of unit tests.
fn is_tests(item: &Item) -> bool {
    matches!(item, Item::Mod(module) if module.ident == "tests")
}

#[test]
fn prose_comments_and_strings_have_no_banned_word() {
    let mut findings = Findings::default();
    let mut checked = 0;
    let files = files();
    for file in &files {
        let mut texts: Vec<_> = file.texts().into_iter().map(|(number, line)| (number, line.to_owned())).collect();
        // Errors, warnings and help.
        if file.path.starts_with("src/") && !file.is_unit_tests(&files) {
            let source = syn::parse_file(&file.text).unwrap();
            let mut found = vec![];
            source.items.into_iter().filter(|item| !is_tests(item)).for_each(|item| strings(item.to_token_stream(), &mut found));
            checked += found.len();
            texts.extend(found.into_iter().map(|(number, text)| (number, without_values(&text))));
        }
        for (number, text) in texts {
            for word in banned(&without_code(&text)) {
                findings.add(file, number, &format!("the word {word}"));
            }
        }
    }
    findings.expect_none();
    assert!(checked > 0);
    assert_eq!(banned("What a somewhat whatever `told` is"), ["What", "told"]);
    assert_eq!(without_values("{what} and {{what}} {room:>4}"), " and what ");
}
