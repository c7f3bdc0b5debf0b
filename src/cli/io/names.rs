//! Names of picture files, one per frame.

use crate::error::CliError;
use std::path::{Path, PathBuf};

/// Names of files with a frame number, in the syntax of printf.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names {
    /// The name before the number.
    before: String,
    /// The width of the number, whether it is filled with zeros, and the name after the number.
    /// None if the name has no number.
    after: Option<(usize, bool, String)>,
}

impl Names {
    /// Parses a name with at most one `%d`, `%5d` or `%05d`. `%%` is a percent sign.
    pub fn parse(pattern: &Path) -> Result<Names, CliError> {
        let wrong = || {
            let name = pattern.display();
            CliError::usage(format_args!("{name}: write the frame number as %d or %05d, once; a percent sign is %%"))
        };
        let not_text = || CliError::usage(format_args!("{}: the name of pictures must be UTF-8 text", pattern.display()));
        let text = pattern.to_str().ok_or_else(not_text)?;
        let (mut names, mut rest) = (Names { before: String::new(), after: None }, text);
        while let Some((plain, conversion)) = rest.split_once('%') {
            names.last().push_str(plain);
            if let Some(after) = conversion.strip_prefix('%') {
                names.last().push('%');
                rest = after;
                continue;
            }
            let (width, after) = conversion.split_once('d').ok_or_else(wrong)?;
            let plain = width.len() <= 3 && width.bytes().all(|byte| byte.is_ascii_digit());
            if names.after.is_some() || !plain {
                return Err(wrong());
            }
            names.after = Some((width.parse().unwrap_or(0), width.starts_with('0'), String::new()));
            rest = after;
        }
        names.last().push_str(rest);
        Ok(names)
    }

    /// The part of the name that is being parsed.
    fn last(&mut self) -> &mut String {
        self.after.as_mut().map_or(&mut self.before, |(_, _, after)| after)
    }

    /// The name of frame `number`. If the name has no number, only frame 0 has a name.
    pub fn of(&self, number: u64) -> Option<PathBuf> {
        let before = &self.before;
        let name = match &self.after {
            Some((width, true, after)) => format!("{before}{number:0width$}{after}"),
            Some((width, false, after)) => format!("{before}{number:width$}{after}"),
            None if number == 0 => before.clone(),
            None => return None,
        };
        Some(name.into())
    }

    /// The error that there are more frames than names.
    pub fn too_few(&self) -> CliError {
        let name = &self.before;
        let (stem, extension) = name.rsplit_once('.').unwrap_or((name, "png"));
        let better = format!("{}-%05d.{extension}", stem.replace('%', "%%"));
        CliError::usage(format_args!("{name} is one picture, but there are more frames; use {better}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let of = |pattern: &str, number| {
            let name = Names::parse(Path::new(pattern)).ok()?.of(number)?;
            Some(name.to_str().unwrap().to_owned())
        };
        let some = |name: &str| Some(name.to_owned());
        assert_eq!(of("out-%05d.png", 7), some("out-00007.png"));
        assert_eq!(of("%d", 12), some("12"));
        assert_eq!(of("a/%3d.png", 7), some("a/  7.png"));
        assert_eq!(of("%02d", 12345), some("12345"));
        assert_eq!(of("100%%-%d%%.png", 3), some("100%-3%.png"));
        assert_eq!((of("one.png", 0), of("one.png", 1)), (some("one.png"), None));
        assert_eq!(of("50%%.png", 0), some("50%.png"));
        for wrong in ["%", "%s.png", "%05x", "%d-%d.png", "%-5d", "%+d", "% d", "%.3d", "%1000d", "out%"] {
            assert_eq!(of(wrong, 0), None, "{wrong}");
        }
    }
}
