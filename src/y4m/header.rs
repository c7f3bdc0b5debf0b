//! The stream header: its tokens and their meaning.
use super::chroma_tag::{chroma_name, sampling};
use super::tokens::{aspect, rate, size};
use super::{Error, color_tags, excerpt};
use crate::format::{ChromaLocation, ColorMatrix, ColorRange, ColorSpace, Format, Interlacing, Sampling};
use std::io::{self, Write};

/// The first bytes of a stream header.
pub(super) const MAGIC: &[u8] = b"YUV4MPEG2";

/// Tags that occur once: width, height, rate, interlacing, sample aspect ratio, chroma.
const ONCE: &[u8] = b"WHFIAC";

/// The chroma tag of old streams, which later programs still write beside `C`. `C` takes
/// precedence.
pub(super) const OLD_CHROMA: &[u8] = b"XYSCSS=";

/// A stream header: all its tokens in order, byte for byte, and the meaning of the known ones.
///
/// Of a repeated tag the last occurrence counts and is kept; `X` tags and unknown ones may be
/// repeated. Repeated spaces become one. Apart from that a header is written as it was read.
///
/// ```
/// use dndi::{Format, Interlacing, Sampling, y4m::Header};
///
/// let format = Format::new(720, 576, Sampling::C420);
/// let header = Header::new(format, Some((25, 1)), Interlacing::TopFirst)?.with_aspect(16, 15);
/// let mut line = Vec::new();
/// header.write(&mut line)?;
/// assert_eq!(line, b"YUV4MPEG2 W720 H576 F25:1 It C420jpeg A16:15\n");
/// # Ok::<(), dndi::y4m::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// No token is empty or contains a space or a line feed.
    pub(super) tokens: Vec<Vec<u8>>,
    format: Format,
    pub(super) rate: Option<(u32, u32)>,
    interlacing: Interlacing,
}

impl Header {
    /// The header of a stream of `format`, with the tags `W`, `H`, `F`, `I` and `C` in this order.
    ///
    /// `rate` is in frames per second, as numerator and denominator; an unknown one is written as
    /// `F0:0`. 4:2:0 of 8 bits gets the tag `C420jpeg`, that is centred chroma;
    /// [`with_chroma_location`](Header::with_chroma_location) changes it. More than 8 bits per
    /// sample get the tag `XYSCSS` as well, as ffmpeg writes it. The sample aspect ratio is
    /// unknown; [`with_aspect`](Header::with_aspect) sets it.
    ///
    /// # Errors
    /// [`Error::Size`] if the width or the height is not 1 to [`MAX_SIZE`](crate::MAX_SIZE),
    /// [`Error::NotSupported`] for a depth other than 8, 9, 10, 12, 14 and 16 bits, or 4:1:1 of
    /// more than 8 bits, [`Error::BadTag`] if a number of the rate is 0.
    pub fn new(format: Format, rate: Option<(u32, u32)>, interlacing: Interlacing) -> Result<Header, Error> {
        let (num, den) = rate.unwrap_or((0, 0));
        let rate_token = format!("F{num}:{den}");
        if rate.is_some() && (num == 0 || den == 0) {
            return Err(Error::BadTag { token: rate_token });
        }
        let interlacing = match interlacing {
            Interlacing::Unknown => "I?",
            Interlacing::Progressive => "Ip",
            Interlacing::TopFirst => "It",
            Interlacing::BottomFirst => "Ib",
            Interlacing::Mixed => "Im",
        };
        let (width, height) = (format!("W{}", format.width), format!("H{}", format.height));
        let mut tokens = [width, height, rate_token, interlacing.to_owned()].map(String::into_bytes).into();
        let name = chroma_name(format.sampling, format.depth)?;
        set_chroma(&mut tokens, if name == "420" { "420jpeg" } else { &name }, format);
        Header::from_tokens(tokens)
    }

    /// Parses a header line, from `YUV4MPEG2` up to the line feed, which is not part of it.
    ///
    /// # Errors
    /// An [`Error`] for which [`is_bad_input`](Error::is_bad_input) holds, or
    /// [`Error::NotSupported`].
    pub fn parse(line: &[u8]) -> Result<Header, Error> {
        let tags = line.strip_prefix(MAGIC).filter(|tags| tags.first().is_none_or(|&byte| byte == b' '));
        let tags = tags.ok_or_else(|| Error::NotY4m { found: excerpt(line) })?;
        let mut seen = Vec::new();
        let mut tokens = Vec::new();
        for token in tags.split(|&byte| byte == b' ').rev().filter(|token| !token.is_empty()) {
            if token.contains(&b'\n') {
                return Err(Error::BadTag { token: excerpt(token) });
            }
            if seen.contains(&token[0]) {
                continue;
            }
            if ONCE.contains(&token[0]) {
                seen.push(token[0]);
            }
            tokens.push(token.to_vec());
        }
        tokens.reverse();
        Header::from_tokens(tokens)
    }

    /// The header of these tokens, each tag once.
    pub(super) fn from_tokens(tokens: Vec<Vec<u8>>) -> Result<Header, Error> {
        let find = |tag: u8| tokens.iter().find(|token| token[0] == tag).map(Vec::as_slice);
        let size = |tag: u8| match find(tag) {
            Some(token) => size(token),
            None => Err(Error::MissingTag { tag: tag.into() }),
        };
        let (width, height) = (size(b'W')?, size(b'H')?);
        let rate = find(b'F').map_or(Ok(None), rate)?;
        let interlacing = match find(b'I') {
            None | Some(b"I?") => Interlacing::Unknown,
            Some(b"Ip") => Interlacing::Progressive,
            Some(b"It") => Interlacing::TopFirst,
            Some(b"Ib") => Interlacing::BottomFirst,
            Some(b"Im") => Interlacing::Mixed,
            Some(token) => return Err(Error::BadTag { token: excerpt(token) }),
        };
        let (sampling, depth) = match (find(b'C'), tokens.iter().rfind(|token| token.starts_with(OLD_CHROMA))) {
            (Some(token), _) => sampling(token, &token[1..])?,
            (None, Some(token)) => match sampling(token, &token[OLD_CHROMA.len()..].to_ascii_lowercase()) {
                Err(Error::UnknownChroma { .. }) => (Sampling::C420, 8),
                known => known?,
            },
            (None, None) => (Sampling::C420, 8),
        };
        let format = Format::new(width, height, sampling).with_depth(depth);
        Ok(Header { format, rate, interlacing, tokens })
    }

    /// Luma samples in a line.
    pub fn width(&self) -> usize {
        self.format.width
    }

    /// Luma lines.
    pub fn height(&self) -> usize {
        self.format.height
    }

    /// Chroma sampling; 4:2:0 without a chroma tag.
    pub fn sampling(&self) -> Sampling {
        self.format.sampling
    }

    /// The format of each frame.
    pub fn format(&self) -> Format {
        self.format
    }

    /// Frames per second as numerator and denominator, as in the header, neither of them 0; none if
    /// unknown.
    pub fn rate(&self) -> Option<(u32, u32)> {
        self.rate
    }

    /// The declared scan of the frames (`Ip`, `It`, `Ib`, `Im`, `I?`).
    pub fn interlacing(&self) -> Interlacing {
        self.interlacing
    }

    /// Width and height of a sample, the sample aspect ratio, as in the header, neither of them 0;
    /// none if unknown.
    pub fn aspect(&self) -> Option<(u32, u32)> {
        self.tokens.iter().find(|token| token[0] == b'A').and_then(|token| aspect(token))
    }

    /// The colour matrix of the tag `XCOLORMATRIX=`: `BT601`, `BT709`, `BT2020` or one of ffmpeg's
    /// names for these, in any case; none without such a tag. The tag is dndi's own, because there
    /// is no convention for the matrix.
    pub fn matrix(&self) -> Option<ColorMatrix> {
        color_tags::matrix(&self.tokens)
    }

    /// The range of the samples from ffmpeg's tag `XCOLORRANGE=`: `LIMITED` or `FULL`, in any case;
    /// none without such a tag.
    pub fn range(&self) -> Option<ColorRange> {
        color_tags::range(&self.tokens)
    }

    /// The colour space of the tags. Without them the matrix is the [usual](ColorMatrix::usual) one
    /// of the size, and the range is limited.
    pub fn color_space(&self) -> ColorSpace {
        let matrix = self.matrix().unwrap_or(ColorMatrix::usual(self.width(), self.height()));
        ColorSpace { matrix, range: self.range().unwrap_or(ColorRange::Limited) }
    }

    /// Writes the header line with its line feed.
    pub fn write(&self, mut output: impl Write) -> io::Result<()> {
        let mut line = MAGIC.to_vec();
        for token in &self.tokens {
            line.push(b' ');
            line.extend_from_slice(token);
        }
        line.push(b'\n');
        output.write_all(&line)
    }

    /// The chroma location: for 4:2:0 of 8 bits that of the chroma tag, or centred without one;
    /// left for more bits and for other samplings.
    pub fn chroma_location(&self) -> ChromaLocation {
        if self.sampling() != Sampling::C420 || self.format.depth > 8 {
            return ChromaLocation::Left;
        }
        let old = || self.tokens.iter().rev().find_map(|token| token.strip_prefix(OLD_CHROMA));
        let name = self.tokens.iter().find_map(|token| token.strip_prefix(b"C")).or_else(old).unwrap_or_default();
        match name.to_ascii_lowercase().as_slice() {
            b"420mpeg2" => ChromaLocation::Left,
            b"420paldv" => ChromaLocation::TopLeft,
            _ => ChromaLocation::Center,
        }
    }
}

/// Replaces the token of the same tag, or appends the token.
pub(super) fn set(tokens: &mut Vec<Vec<u8>>, token: Vec<u8>) {
    match tokens.iter_mut().find(|old| old[0] == token[0]) {
        Some(old) => *old = token,
        None => tokens.push(token),
    }
}

/// Sets the name of the chroma sampling of `format` in `C` and in the old chroma tags. As ffmpeg
/// does, an old tag is added for chroma of more than 8 bits.
pub(super) fn set_chroma(tokens: &mut Vec<Vec<u8>>, name: &str, format: Format) {
    set(tokens, format!("C{name}").into_bytes());
    let is_old = |token: &Vec<u8>| token.starts_with(OLD_CHROMA);
    if format.depth > 8 && format.sampling != Sampling::Mono && !tokens.iter().any(is_old) {
        let after = tokens.iter().position(|token| token[0] == b'C').map_or(tokens.len(), |index| index + 1);
        tokens.insert(after, OLD_CHROMA.to_vec());
    }
    for old in tokens.iter_mut().filter(|token| is_old(token)) {
        *old = [OLD_CHROMA, name.to_ascii_uppercase().as_bytes()].concat();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(tags: &str) -> Result<Header, Error> {
        Header::parse(format!("YUV4MPEG2 {tags}").as_bytes())
    }

    fn written(header: &Header) -> String {
        let mut line = Vec::new();
        header.write(&mut line).unwrap();
        String::from_utf8(line).unwrap().strip_prefix("YUV4MPEG2 ").unwrap().strip_suffix('\n').unwrap().to_string()
    }

    #[test]
    fn the_last_of_a_repeated_tag_counts_and_is_kept() {
        let header = parse("W1 Xa W4 It H2 F1:1 Ib F2:1 C999 A1:1 Xa C422 A2:1 q q").unwrap();
        assert_eq!((header.format(), header.interlacing()), (Format::new(4, 2, Sampling::C422), Interlacing::BottomFirst));
        assert_eq!(written(&header), "Xa W4 H2 Ib F2:1 Xa C422 A2:1 q q");
    }

    #[test]
    fn the_old_chroma_tag_counts_where_c_is_missing() {
        let sampling = |tags: &str| parse(&format!("W2 H2 {tags}")).unwrap().sampling();
        assert_eq!(sampling("XYSCSS=411"), Sampling::C411);
        assert_eq!(sampling("XYSCSS=420PALDV"), Sampling::C420);
        assert_eq!(sampling("XYSCSS=nonsense"), Sampling::C420);
        assert_eq!(sampling("XYSCSS=411 C444"), Sampling::C444);
        assert_eq!(parse("W2 H2 XYSCSS=422P10").unwrap().format(), Format::new(2, 2, Sampling::C422).with_depth(10));
        assert_eq!(parse("W2 H2 XYSCSS=422P10 C420").unwrap().format(), Format::new(2, 2, Sampling::C420));
        assert!(matches!(parse("W2 H2 XYSCSS=422P11"), Err(Error::NotSupported { .. })));
    }

    #[test]
    fn without_tags_the_size_decides() {
        let space = |tags: &str| parse(tags).unwrap().color_space();
        let limited = |matrix| ColorSpace { matrix, range: ColorRange::Limited };
        assert_eq!(space("W720 H576"), limited(ColorMatrix::Bt601));
        assert_eq!(space("W1920 H1080"), limited(ColorMatrix::Bt709));
        assert_eq!(space("W1920 H1080 XCOLORMATRIX=bt2020nc"), limited(ColorMatrix::Bt2020));
        assert_eq!(space("W16 H16 XCOLORRANGE=full").range, ColorRange::Full);
    }

    #[test]
    fn tokens_contain_no_line_feed() {
        assert!(matches!(parse("W2 H2 Xa\nb"), Err(Error::BadTag { token }) if token == "Xa\\nb"));
    }

    #[test]
    fn headers_without_text() {
        let new = |sampling, rate, interlacing| Header::new(Format::new(6, 4, sampling), rate, interlacing);
        for (sampling, rate, interlacing, tags) in [
            (Sampling::C420, Some((25, 1)), Interlacing::TopFirst, "W6 H4 F25:1 It C420jpeg"),
            (Sampling::C422, Some((30000, 1001)), Interlacing::BottomFirst, "W6 H4 F30000:1001 Ib C422"),
            (Sampling::C411, None, Interlacing::Mixed, "W6 H4 F0:0 Im C411"),
            (Sampling::C444, None, Interlacing::Progressive, "W6 H4 F0:0 Ip C444"),
            (Sampling::Mono, Some((u32::MAX, 7)), Interlacing::Unknown, "W6 H4 F4294967295:7 I? Cmono"),
        ] {
            let header = new(sampling, rate, interlacing).unwrap();
            assert_eq!(written(&header), tags);
            assert_eq!(header, parse(tags).unwrap());
            let properties = (header.format(), header.rate(), header.interlacing(), header.aspect());
            assert_eq!(properties, (Format::new(6, 4, sampling), rate, interlacing, None));
        }
        let centred = new(Sampling::C420, None, Interlacing::Unknown).unwrap();
        assert_eq!(centred.chroma_location(), ChromaLocation::Center);
        for rate in [(0, 1), (25, 0), (0, 0)] {
            assert!(matches!(new(Sampling::C420, Some(rate), Interlacing::Unknown), Err(Error::BadTag { .. })), "{rate:?}");
        }
        for (width, height, wrong) in [(0, 4, "W0"), (6, 8193, "H8193"), (usize::MAX, 4, &format!("W{}", usize::MAX))] {
            let error = Header::new(Format::new(width, height, Sampling::C444), None, Interlacing::Unknown).unwrap_err();
            assert!(matches!(&error, Error::Size { token } if token == wrong), "{error}");
        }
        let deep = |sampling, depth| Header::new(Format::new(6, 4, sampling).with_depth(depth), None, Interlacing::Unknown);
        for (sampling, depth, tags) in [
            (Sampling::C420, 9, "W6 H4 F0:0 I? C420p9 XYSCSS=420P9"),
            (Sampling::C422, 10, "W6 H4 F0:0 I? C422p10 XYSCSS=422P10"),
            (Sampling::C444, 16, "W6 H4 F0:0 I? C444p16 XYSCSS=444P16"),
            (Sampling::Mono, 12, "W6 H4 F0:0 I? Cmono12"),
        ] {
            let header = deep(sampling, depth).unwrap();
            assert_eq!(written(&header), tags);
            assert_eq!((header.format().depth, header.chroma_location()), (depth, ChromaLocation::Left));
        }
        for (sampling, depth, wrong) in [(Sampling::C422, 11, "C422p11"), (Sampling::C411, 10, "C411p10")] {
            let error = deep(sampling, depth).unwrap_err();
            assert!(matches!(&error, Error::NotSupported { token, .. } if token == wrong), "{error}");
        }
    }

    #[test]
    fn aspect_ratios_are_read() {
        let aspect = |tags: &str| parse(&format!("W2 H2 {tags}")).unwrap().aspect();
        assert_eq!([aspect("A16:15"), aspect("A4:4 Xa"), aspect("A1:1 A8:9")], [Some((16, 15)), Some((4, 4)), Some((8, 9))]);
        assert_eq!([aspect(""), aspect("A0:0"), aspect("A1:0"), aspect("Ax"), aspect("A4294967296:1")], [None; 5]);
    }
}
