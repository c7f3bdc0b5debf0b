//! Words of a command line, as a shell separates and quotes them.

/// The words of an option's value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Words(pub Vec<String>);

/// Splits `text` at white space. Quotes and backslashes have the meaning of a shell.
pub fn parse(text: &str) -> Result<Words, String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (Some(open), _) if character == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (None, _) if character.is_whitespace() => words.extend(word.take()),
            (None | Some('"'), '\\') => {
                let next = characters.next().ok_or("a character must follow the backslash")?;
                word.get_or_insert_default().push(next);
            }
            _ => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    if quote.is_some() { Err("a quote is not closed".to_owned()) } else { Ok(Words(words)) }
}

/// The command of these words, for a shell.
pub fn join(words: &[impl AsRef<str>]) -> String {
    words.iter().map(|word| quoted(word.as_ref())).collect::<Vec<_>>().join(" ")
}

/// A word with quotes, if a shell would change it without them.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./:,=+@%^".contains(c);
    if !word.is_empty() && word.chars().all(plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_and_joined() {
        let words = |text: &str| parse(text).map(|words| words.0);
        assert_eq!(words(" -c:v  libx265\t-crf 20 ").unwrap(), ["-c:v", "libx265", "-crf", "20"]);
        assert_eq!(words(r#"-vf 'a b' "c 'd' \"" e\ f "" g'h'"#).unwrap(), ["-vf", "a b", "c 'd' \"", "e f", "", "gh"]);
        assert_eq!(words("").unwrap(), [""; 0]);
        assert!(words("'a").is_err() && words("a\\").is_err());
        for list in [vec!["a b", "it's", "", "-map", "1:a?"], vec!["$x", "\"", "\\", "ä"]] {
            assert_eq!(words(&join(&list)).unwrap(), list);
        }
        assert_eq!(join(&["-i", "a b.ts"]), "-i 'a b.ts'");
    }
}
