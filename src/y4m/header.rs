//! The stream header: what it says and what becomes of it when the frames change.

use super::tokens::{aspect, rate, reduced, sampling, size};
use super::{Error, color_tags, excerpt};
use crate::format::{ChromaLocation, ColorMatrix, ColorRange, ColorSpace, Format, Interlacing, MAX_SIZE, Rect, Sampling};
use std::io::{self, Write};

/// What a stream header begins with.
pub(super) const MAGIC: &[u8] = b"YUV4MPEG2";

/// Tags that occur once: width, height, rate, interlacing, aspect, chroma.
const ONCE: &[u8] = b"WHFIAC";

/// The chroma tag of old streams, which their later writers still set beside `C`. `C` rules.
const OLD_CHROMA: &[u8] = b"XYSCSS=";

/// A stream header: all its tokens in their order, byte for byte, and what is understood of them.
///
/// A tag that is repeated counts, and is kept, where it occurs last; `X` tags and unknown ones may be repeated. Spaces beyond
/// single ones are dropped. Any other header is written as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// None is empty; none has a space or a line feed.
    tokens: Vec<Vec<u8>>,
    format: Format,
    rate: Option<(u32, u32)>,
    interlacing: Interlacing,
}

impl Header {
    /// The header that is `line`, from `YUV4MPEG2` to before the line feed.
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

    fn from_tokens(tokens: Vec<Vec<u8>>) -> Result<Header, Error> {
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
        let sampling = match (find(b'C'), tokens.iter().rfind(|token| token.starts_with(OLD_CHROMA))) {
            (Some(token), _) => sampling(token, &token[1..])?,
            (None, Some(token)) => match sampling(token, &token[OLD_CHROMA.len()..].to_ascii_lowercase()) {
                Err(Error::UnknownChroma { .. }) => Sampling::C420,
                known => known?,
            },
            (None, None) => Sampling::C420,
        };
        Ok(Header { format: Format::new(width, height, sampling), rate, interlacing, tokens })
    }

    /// Luma samples in a line.
    pub fn width(&self) -> usize {
        self.format.width
    }

    /// Luma lines.
    pub fn height(&self) -> usize {
        self.format.height
    }

    /// Chroma sampling; 4:2:0 where no tag tells.
    pub fn sampling(&self) -> Sampling {
        self.format.sampling
    }

    /// The format of each frame.
    pub fn format(&self) -> Format {
        self.format
    }

    /// Frames a second as numerator and denominator, neither of them 0, not reduced; none if the stream does not tell.
    pub fn rate(&self) -> Option<(u32, u32)> {
        self.rate
    }

    /// The declared scan of the frames (`Ip`, `It`, `Ib`, `Im`, `I?`).
    pub fn interlacing(&self) -> Interlacing {
        self.interlacing
    }

    /// What luma and chroma are made of, if a tag tells: `XCOLORMATRIX=` and `BT601`, `BT709` or `BT2020` or one of ffmpeg's names for
    /// these. There is no such tag by convention, this one is dndi's; case does not matter.
    pub fn matrix(&self) -> Option<ColorMatrix> {
        color_tags::matrix(&self.tokens)
    }

    /// The range of the samples, if a tag tells: `XCOLORRANGE=` and `LIMITED` or `FULL`, as ffmpeg writes it; case does not matter.
    pub fn range(&self) -> Option<ColorRange> {
        color_tags::range(&self.tokens)
    }

    /// The colour space that the tags tell; what they do not tell is what pictures of this size [usually](Matrix::usual) have, in
    /// limited range.
    pub fn color_space(&self) -> ColorSpace {
        let matrix = self.matrix().unwrap_or(ColorMatrix::usual(self.width(), self.height()));
        ColorSpace { matrix, range: self.range().unwrap_or(ColorRange::Limited) }
    }

    /// The same header with tags that tell this colour space.
    pub fn with_color_space(&self, space: ColorSpace) -> Header {
        let mut header = self.clone();
        color_tags::set(&mut header.tokens, space.matrix, space.range);
        header
    }

    /// Writes the line, with its line feed.
    pub fn write(&self, mut output: impl Write) -> io::Result<()> {
        let mut line = MAGIC.to_vec();
        for token in &self.tokens {
            line.push(b' ');
            line.extend_from_slice(token);
        }
        line.push(b'\n');
        output.write_all(&line)
    }

    /// The header of the same stream deinterlaced, its chroma now sampled as `sampling`: it says `Ip`, and if `double_rate`
    /// exactly double the rate.
    ///
    /// An unknown rate stays unknown. Chroma tags stay if the sampling does; 4:2:0 made of another one is tagged `C420mpeg2`.
    ///
    /// # Errors
    /// [`Error::RateTooHigh`] if the numerator cannot be doubled within 32 bits and the denominator is odd.
    pub fn to_progressive(&self, sampling: Sampling, double_rate: bool) -> Result<Header, Error> {
        let mut tokens = self.tokens.clone();
        set(&mut tokens, b"Ip".to_vec());
        if let (true, Some((num, den))) = (double_rate, self.rate) {
            let (num, den) = match num.checked_mul(2) {
                Some(double) => (double, den),
                None if den % 2 == 0 => (num, den / 2),
                None => return Err(Error::RateTooHigh { num, den }),
            };
            set(&mut tokens, format!("F{num}:{den}").into_bytes());
        }
        if sampling != self.sampling() {
            let name: &[u8] = match sampling {
                Sampling::Mono => b"mono",
                Sampling::C420 => b"420mpeg2",
                Sampling::C411 => b"411",
                Sampling::C422 => b"422",
                Sampling::C444 => b"444",
            };
            set_chroma(&mut tokens, name);
        }
        Header::from_tokens(tokens)
    }

    /// The same header with another rate, which is reduced.
    ///
    /// # Errors
    /// [`Error::RateTooHigh`] if a number does not fit 32 bits or is 0.
    pub fn with_rate(&self, num: u64, den: u64) -> Result<Header, Error> {
        let too_high = Error::RateTooHigh { num: num.min(u32::MAX.into()) as u32, den: den.min(u32::MAX.into()) as u32 };
        if num == 0 || den == 0 {
            return Err(too_high);
        }
        let common = greatest_common_divisor(num, den);
        let (Ok(num), Ok(den)) = (u32::try_from(num / common), u32::try_from(den / common)) else { return Err(too_high) };
        let mut tokens = self.tokens.clone();
        set(&mut tokens, format!("F{num}:{den}").into_bytes());
        Header::from_tokens(tokens)
    }

    /// Where the chroma samples lie: for 4:2:0 what the tag says, centred where it says nothing; else on the left.
    pub fn chroma_location(&self) -> ChromaLocation {
        if self.sampling() != Sampling::C420 {
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

    /// The same header with the tag of a chroma location. Only 4:2:0 has such tags; others stay as they are.
    pub fn with_chroma_location(&self, location: ChromaLocation) -> Header {
        let mut header = self.clone();
        if self.sampling() == Sampling::C420 {
            let name: &[u8] = match location {
                ChromaLocation::Left => b"420mpeg2",
                ChromaLocation::Center => b"420jpeg",
                ChromaLocation::TopLeft => b"420paldv",
            };
            set_chroma(&mut header.tokens, name);
        }
        header
    }

    /// The header of the same stream when the rectangle `crop` of each frame has become `width`×`height` samples: the sample aspect
    /// is such that the display aspect of what is seen stays. An unknown aspect stays unknown.
    ///
    /// # Errors
    /// [`Error::Size`] if a size, or one of the rectangle, is not 1 to [`MAX_SIZE`].
    pub fn to_scaled(&self, crop: Rect, width: usize, height: usize) -> Result<Header, Error> {
        for (tag, size) in [('W', crop.width), ('H', crop.height), ('W', width), ('H', height)] {
            if !(1..=MAX_SIZE).contains(&size) {
                return Err(Error::Size { token: format!("{tag}{size}") });
            }
        }
        let mut tokens = self.tokens.clone();
        for token in &mut tokens {
            match token[0] {
                b'W' => *token = format!("W{width}").into_bytes(),
                b'H' => *token = format!("H{height}").into_bytes(),
                b'A' => {
                    if let Some((across, down)) = aspect(token) {
                        let across = across as u64 * (crop.width * height) as u64;
                        let down = down as u64 * (crop.height * width) as u64;
                        let (across, down) = reduced(across, down);
                        *token = format!("A{across}:{down}").into_bytes();
                    }
                }
                _ => {}
            }
        }
        Header::from_tokens(tokens)
    }
}

fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

/// Puts a tag in its predecessor's place, or at the end.
fn set(tokens: &mut Vec<Vec<u8>>, token: Vec<u8>) {
    match tokens.iter_mut().find(|old| old[0] == token[0]) {
        Some(old) => *old = token,
        None => tokens.push(token),
    }
}

/// Names the chroma sampling in all tags that do.
fn set_chroma(tokens: &mut Vec<Vec<u8>>, name: &[u8]) {
    set(tokens, [b"C", name].concat());
    for old in tokens.iter_mut().filter(|token| token.starts_with(OLD_CHROMA)) {
        *old = [OLD_CHROMA, &name.to_ascii_uppercase()].concat();
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
        assert!(matches!(parse("W2 H2 XYSCSS=422P10"), Err(Error::NotSupported { .. })));
    }

    #[test]
    fn deinterlaced_the_header_says_so_and_keeps_the_rest() {
        let to = |tags: &str, sampling, double| written(&parse(tags).unwrap().to_progressive(sampling, double).unwrap());
        assert_eq!(to("W2 It F25:1 H2 A4:3 XYSCSS=1 Xb", Sampling::C420, true), "W2 Ip F50:1 H2 A4:3 XYSCSS=1 Xb");
        assert_eq!(to("W2 H2 F30000:1001 C420paldv", Sampling::C420, true), "W2 H2 F60000:1001 C420paldv Ip");
        assert_eq!(to("W2 H2 F25:1 I?", Sampling::C420, false), "W2 H2 F25:1 Ip");
        assert_eq!(to("W2 H2 C411 Im", Sampling::C420, true), "W2 H2 C420mpeg2 Ip");
        assert_eq!(to("W2 H2 F0:0 Ib C422 XYSCSS=422", Sampling::C420, true), "W2 H2 F0:0 Ip C420mpeg2 XYSCSS=420MPEG2");
        assert_eq!(to("W2 H2 Ib XYSCSS=411", Sampling::C422, true), "W2 H2 Ip XYSCSS=422 C422");
        assert_eq!(to("W2 H2 Ib C444", Sampling::C444, true), "W2 H2 Ip C444");
    }

    #[test]
    fn scaled_the_display_aspect_stays() {
        let scaled = |tags: &str, crop: (usize, usize), width, height| {
            let crop = Rect { x: 0, y: 0, width: crop.0, height: crop.1 };
            written(&parse(tags).unwrap().to_scaled(crop, width, height).unwrap())
        };
        assert_eq!(scaled("W720 H576 F25:1 A16:15 C444", (720, 576), 1440, 576), "W1440 H576 F25:1 A8:15 C444");
        assert_eq!(scaled("W720 H576 A16:15", (720, 576), 1024, 768), "W1024 H768 A1:1");
        assert_eq!(scaled("W4 H4 A1:1", (2, 4), 4, 4), "W4 H4 A1:2");
        assert_eq!(scaled("A0:0 W4 H4", (4, 4), 7, 5), "A0:0 W7 H5");
        assert_eq!(scaled("W4 H4 Ax", (4, 4), 7, 5), "W7 H5 Ax");
        assert_eq!(scaled("W4 H4", (4, 4), 7, 5), "W7 H5");
        assert_eq!(scaled("W3 H4 A4294967295:1", (3, 4), 3, 8000), "W3 H8000 A2097151999:1");
        assert_eq!(scaled("W8 H8 A2147483647:1", (8, 8), 8, 8192), "W8 H8192 A2147483647:1");
    }

    #[test]
    fn scaled_all_sizes_are_checked() {
        let header = parse("W4 H4 A4294967295:4294967295").unwrap();
        let scaled = |cut: (usize, usize), width, height| {
            let error = header.to_scaled(Rect { x: 0, y: 0, width: cut.0, height: cut.1 }, width, height).unwrap_err();
            error.to_string().split('"').nth(1).unwrap().to_owned()
        };
        assert_eq!(scaled((4, 4), 9000, 1), "W9000");
        assert_eq!(scaled((4, 4), 1, 0), "H0");
        assert_eq!(scaled((0, 0), 1, 1), "W0");
        assert_eq!(scaled((4, 0), 1, 1), "H0");
        assert_eq!(scaled((usize::MAX, 4), 1, 1), format!("W{}", usize::MAX));
        assert!(header.to_scaled(Rect { x: 9, y: 9, width: 8192, height: 8192 }, 8192, 8192).is_ok());
    }

    #[test]
    fn chroma_locations_have_tags() {
        let header = |tags: &str| parse(&format!("W2 H2 {tags}")).unwrap();
        for (tags, location) in [
            ("", ChromaLocation::Center),
            ("C420", ChromaLocation::Center),
            ("C420jpeg", ChromaLocation::Center),
            ("C420mpeg2", ChromaLocation::Left),
            ("C420paldv XYSCSS=420MPEG2", ChromaLocation::TopLeft),
            ("XYSCSS=420MPEG2", ChromaLocation::Left),
            ("C422", ChromaLocation::Left),
        ] {
            assert_eq!(header(tags).chroma_location(), location, "{tags}");
        }
        let to = |tags: &str, location| written(&header(tags).with_chroma_location(location));
        assert_eq!(to("C420 XYSCSS=420", ChromaLocation::TopLeft), "W2 H2 C420paldv XYSCSS=420PALDV");
        assert_eq!(to("", ChromaLocation::Left), "W2 H2 C420mpeg2");
        assert_eq!(to("C422", ChromaLocation::Center), "W2 H2 C422");
    }

    #[test]
    fn color_tags_are_read_kept_and_written() {
        let header = parse("W2 H2 It XCOLORRANGE=FULL Xa XCOLORMATRIX=smpte170m C422").unwrap();
        assert_eq!((header.matrix(), header.range()), (Some(ColorMatrix::Bt601), Some(ColorRange::Full)));
        let crop = Rect { x: 0, y: 0, width: 2, height: 2 };
        let kept = header.to_progressive(Sampling::C420, true).unwrap().to_scaled(crop, 1280, 720).unwrap();
        let kept = kept.with_chroma_location(ChromaLocation::Center);
        assert_eq!(written(&kept), "W1280 H720 Ip XCOLORRANGE=FULL Xa XCOLORMATRIX=smpte170m C420jpeg");
        assert_eq!(kept.color_space(), ColorSpace { matrix: ColorMatrix::Bt601, range: ColorRange::Full });
        let other = kept.with_color_space(ColorSpace { matrix: ColorMatrix::Bt709, range: ColorRange::Limited });
        assert_eq!(written(&other), "W1280 H720 Ip XCOLORRANGE=LIMITED Xa XCOLORMATRIX=BT709 C420jpeg");
    }

    #[test]
    fn without_tags_the_size_tells() {
        let space = |tags: &str| parse(tags).unwrap().color_space();
        let limited = |matrix| ColorSpace { matrix, range: ColorRange::Limited };
        assert_eq!(space("W720 H576"), limited(ColorMatrix::Bt601));
        assert_eq!(space("W1920 H1080"), limited(ColorMatrix::Bt709));
        assert_eq!(space("W1920 H1080 XCOLORMATRIX=bt2020nc"), limited(ColorMatrix::Bt2020));
        assert_eq!(space("W16 H16 XCOLORRANGE=full").range, ColorRange::Full);
    }

    #[test]
    fn rates_double_exactly_or_not_at_all() {
        let double =
            |rate: &str| parse(&format!("W2 H2 F{rate}")).unwrap().to_progressive(Sampling::C420, true).map(|h| h.rate());
        assert_eq!(double("2147483647:3").unwrap(), Some((4294967294, 3)));
        assert_eq!(double("2147483648:6").unwrap(), Some((2147483648, 3)));
        assert!(matches!(double("2147483648:3"), Err(Error::RateTooHigh { num: 2147483648, den: 3 })));
        assert_eq!(double("0:0").unwrap(), None);
    }

    #[test]
    fn a_line_feed_is_in_no_token() {
        assert!(matches!(parse("W2 H2 Xa\nb"), Err(Error::BadTag { token }) if token == "Xa\\nb"));
    }
}
