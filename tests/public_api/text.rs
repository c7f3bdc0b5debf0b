//! Source text from tokens, with the spaces that rustfmt would put into one line.
use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{FnArg, Pat, Signature};

/// The text of a piece of syntax.
pub fn text(syntax: &impl ToTokens) -> String {
    let mut words = vec![];
    split(syntax.to_token_stream(), &mut words);
    let mut text = String::new();
    for (i, word) in words.iter().enumerate() {
        if i > 0 && has_space(&words[i - 1], word) {
            text.push(' ');
        }
        text += word;
    }
    text
}

/// The arguments of a function. Only names that are not patterns are shown.
pub fn arguments(signature: &Signature) -> String {
    let arguments = signature.inputs.iter().map(|argument| match argument {
        FnArg::Receiver(receiver) => {
            let mut receiver = receiver.clone();
            // `mut self` concerns the body alone.
            receiver.mutability = None;
            text(&receiver)
        }
        FnArg::Typed(argument) => {
            let name = if let Pat::Ident(name) = &*argument.pat { name.ident.to_string() } else { "_".to_owned() };
            format!("{name}: {}", text(&argument.ty))
        }
    });
    arguments.collect::<Vec<_>>().join(", ")
}

/// Splits tokens into words; operators such as `->` and `'a` are one.
fn split(tokens: TokenStream, words: &mut Vec<String>) {
    let mut is_joined = false;
    for token in tokens {
        let was_joined = std::mem::take(&mut is_joined);
        match token {
            TokenTree::Group(group) => {
                let [open, close] = match group.delimiter() {
                    Delimiter::Parenthesis => ["(", ")"],
                    Delimiter::Bracket => ["[", "]"],
                    Delimiter::Brace => ["{", "}"],
                    Delimiter::None => ["", ""],
                };
                words.push(open.to_owned());
                split(group.stream(), words);
                words.push(close.to_owned());
            }
            TokenTree::Punct(punct) => {
                let character = punct.as_char();
                is_joined = punct.spacing() == Spacing::Joint && ":-=.'".contains(character);
                match words.last_mut() {
                    Some(word) if was_joined => word.push(character),
                    _ => words.push(character.to_string()),
                }
            }
            token => match words.last_mut() {
                Some(word) if was_joined && word == "'" => *word += &token.to_string(),
                _ => words.push(token.to_string()),
            },
        }
    }
    words.retain(|word| !word.is_empty());
}

/// Whether a space separates two words.
fn has_space(before: &str, after: &str) -> bool {
    const NONE_BEFORE: [&str; 11] = [",", ";", ":", ".", "?", ")", "]", ">", "::", "..", "..="];
    const NONE_AFTER: [&str; 10] = ["(", "[", "<", "&", "*", "::", ".", "!", "..", "..="];
    let is_name = before == ">" || before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
    let opens_list = (after == "(" || after == "<") && is_name;
    !(NONE_BEFORE.contains(&after) || NONE_AFTER.contains(&before) || opens_list)
}
