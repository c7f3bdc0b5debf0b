//! The `X` tags of the colour space: `XCOLORRANGE=`, as ffmpeg writes it, and `XCOLORMATRIX=`, a
//! tag of dndi.
use crate::format::{ColorMatrix, ColorRange};

const RANGE: &[u8] = b"XCOLORRANGE=";
const MATRIX: &[u8] = b"XCOLORMATRIX=";

/// The range of the last range tag; none without one, or with an unknown name.
pub(super) fn range(tokens: &[Vec<u8>]) -> Option<ColorRange> {
    match value(tokens, RANGE)?.as_slice() {
        b"limited" => Some(ColorRange::Limited),
        b"full" => Some(ColorRange::Full),
        _ => None,
    }
}

/// The matrix of the last matrix tag; none without one, or with an unknown name.
pub(super) fn matrix(tokens: &[Vec<u8>]) -> Option<ColorMatrix> {
    match value(tokens, MATRIX)?.as_slice() {
        b"bt601" | b"smpte170m" | b"bt470bg" => Some(ColorMatrix::Bt601),
        b"bt709" => Some(ColorMatrix::Bt709),
        b"bt2020" | b"bt2020nc" => Some(ColorMatrix::Bt2020),
        _ => None,
    }
}

/// Sets one tag for the range and one for the matrix, at the positions of the first previous ones
/// or at the end.
pub(super) fn set(tokens: &mut Vec<Vec<u8>>, matrix: ColorMatrix, range: ColorRange) {
    let range: &[u8] = match range {
        ColorRange::Limited => b"LIMITED",
        ColorRange::Full => b"FULL",
    };
    let matrix: &[u8] = match matrix {
        ColorMatrix::Bt601 => b"BT601",
        ColorMatrix::Bt709 => b"BT709",
        ColorMatrix::Bt2020 => b"BT2020",
    };
    for (tag, name) in [(RANGE, range), (MATRIX, matrix)] {
        let index = tokens.iter().position(|token| is(token, tag)).unwrap_or(tokens.len());
        tokens.retain(|token| !is(token, tag));
        tokens.insert(index, [tag, name].concat());
    }
}

/// Whether a token has this tag, in any case.
fn is(token: &[u8], tag: &[u8]) -> bool {
    token.get(..tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag))
}

/// The value of the last such tag, in lower case.
fn value(tokens: &[Vec<u8>], tag: &[u8]) -> Option<Vec<u8>> {
    tokens.iter().rfind(|token| is(token, tag)).map(|token| token[tag.len()..].to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(line: &str) -> Vec<Vec<u8>> {
        line.split_whitespace().map(|token| token.as_bytes().to_vec()).collect()
    }

    #[test]
    fn names_of_matrices_and_ranges() {
        let found = |line: &str| (matrix(&tokens(line)), range(&tokens(line)));
        assert_eq!(found("W2 H2 XYSCSS=420"), (None, None));
        assert_eq!(found("XCOLORRANGE=LIMITED"), (None, Some(ColorRange::Limited)));
        assert_eq!(found("XCOLORRANGE=FULL XCOLORMATRIX=BT709"), (Some(ColorMatrix::Bt709), Some(ColorRange::Full)));
        assert_eq!(found("Xcolorrange=Full XColorMatrix=bt2020NC"), (Some(ColorMatrix::Bt2020), Some(ColorRange::Full)));
        for name in ["BT601", "smpte170m", "bt470bg"] {
            assert_eq!(found(&format!("XCOLORMATRIX={name}")).0, Some(ColorMatrix::Bt601));
        }
        assert_eq!(found("XCOLORMATRIX=bt2020"), (Some(ColorMatrix::Bt2020), None));
        // The last tag counts, even with an unknown name.
        assert_eq!(found("XCOLORRANGE=FULL XCOLORRANGE=LIMITED"), (None, Some(ColorRange::Limited)));
        assert_eq!(found("XCOLORRANGE=FULL XCOLORRANGE=UNKNOWN XCOLORMATRIX=YCGCO XCOLORMATRIX"), (None, None));
    }

    #[test]
    fn each_tag_is_written_once() {
        let set = |line: &str, matrix, range| {
            let mut tokens = tokens(line);
            set(&mut tokens, matrix, range);
            tokens.iter().map(|token| String::from_utf8_lossy(token)).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(set("W2 Xa", ColorMatrix::Bt709, ColorRange::Full), "W2 Xa XCOLORRANGE=FULL XCOLORMATRIX=BT709");
        let before = "XCOLORMATRIX=BT709 W2 XCOLORRANGE=FULL Xa xcolorrange=x XCOLORRANGE=limited";
        assert_eq!(set(before, ColorMatrix::Bt601, ColorRange::Limited), "XCOLORMATRIX=BT601 W2 XCOLORRANGE=LIMITED Xa");
        assert_eq!(set("", ColorMatrix::Bt2020, ColorRange::Limited), "XCOLORRANGE=LIMITED XCOLORMATRIX=BT2020");
    }
}
