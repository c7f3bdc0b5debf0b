//! Headers derived from another one: for converted frames, or with single tags replaced.
use super::chroma_tag::chroma_name;
use super::header::{Header, set, set_chroma};
use super::tokens::{aspect, greatest_common_divisor, reduced};
use super::{Error, color_tags};
use crate::format::{ChromaLocation, ColorSpace, Format, MAX_SIZE, Rect, Sampling};

impl Header {
    /// The header of the deinterlaced stream with chroma sampling `sampling`: progressive (`Ip`),
    /// and with exactly twice the rate if `double_rate` is set.
    ///
    /// An unknown rate remains unknown. Chroma tags are kept if the sampling is the same; 4:2:0 of
    /// 8 bits made from another sampling gets the tag `C420mpeg2`.
    ///
    /// # Errors
    /// [`Error::RateTooHigh`] if the numerator cannot be doubled within 32 bits and the denominator
    /// is odd, [`Error::NotSupported`] for 4:1:1 of more than 8 bits.
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
            change_chroma(&mut tokens, Format { sampling, ..self.format() })?;
        }
        Header::from_tokens(tokens)
    }

    /// The header of the same stream with `depth` bits per sample (§9.1).
    ///
    /// Tags of more than 8 bits have no chroma location; 4:2:0 that is lowered to 8 bits gets the
    /// tag `C420mpeg2`. Nothing changes if the depth is the same.
    ///
    /// # Errors
    /// [`Error::NotSupported`] for a depth other than 8, 9, 10, 12, 14 and 16 bits, and for 4:1:1
    /// of more than 8 bits.
    pub fn with_depth(&self, depth: u8) -> Result<Header, Error> {
        let mut tokens = self.tokens.clone();
        if depth != self.format().depth {
            change_chroma(&mut tokens, self.format().with_depth(depth))?;
        }
        Header::from_tokens(tokens)
    }

    /// The header of the stream whose frames are the rectangle `crop` scaled to `width`×`height`.
    /// The sample aspect ratio changes so that the display aspect ratio of the rectangle does not;
    /// an unknown one remains unknown.
    ///
    /// # Errors
    /// [`Error::Size`] if a size of the output or of the rectangle is not 1 to [`MAX_SIZE`].
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

    /// The header of the same stream with chroma sampling `sampling` (§13.10). 4:2:0 of 8 bits that
    /// is made of 4:2:2 gets the tag `C420mpeg2`, other 4:2:0 `C420jpeg`. Nothing changes if the
    /// sampling is the same.
    ///
    /// # Errors
    /// [`Error::NotSupported`] for 4:1:1 of more than 8 bits.
    pub fn with_sampling(&self, sampling: Sampling) -> Result<Header, Error> {
        if sampling == self.sampling() {
            return Ok(self.clone());
        }
        let mut tokens = self.tokens.clone();
        change_chroma(&mut tokens, Format { sampling, ..self.format() })?;
        let header = Header::from_tokens(tokens)?;
        Ok(if self.sampling() == Sampling::C422 { header } else { header.with_chroma_location(ChromaLocation::Center) })
    }

    /// The header of the stream whose pictures are rotated by a quarter (§13.10): width and height
    /// change places, and so do the sides of a sample.
    ///
    /// # Errors
    /// [`Error::Size`] if the size of this header is not 1 to [`MAX_SIZE`].
    pub fn rotated(&self) -> Result<Header, Error> {
        let header = self.with_frame_size(self.height(), self.width())?;
        Ok(match self.aspect() {
            Some((across, down)) => header.with_aspect(down, across),
            None => header,
        })
    }

    /// The header of the stream with frames of another size, whose samples keep their aspect ratio.
    ///
    /// # Errors
    /// [`Error::Size`] if a size is not 1 to [`MAX_SIZE`].
    pub fn with_frame_size(&self, width: usize, height: usize) -> Result<Header, Error> {
        for (tag, size) in [('W', width), ('H', height)] {
            if !(1..=MAX_SIZE).contains(&size) {
                return Err(Error::Size { token: format!("{tag}{size}") });
            }
        }
        let mut tokens = self.tokens.clone();
        set(&mut tokens, format!("W{width}").into_bytes());
        set(&mut tokens, format!("H{height}").into_bytes());
        Header::from_tokens(tokens)
    }

    /// The same header with a rate of `num`/`den` frames per second, in lowest terms.
    ///
    /// # Errors
    /// [`Error::RateTooHigh`] if a number in lowest terms exceeds 32 bits, or is 0.
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

    /// The same header with a sample aspect ratio of `width`:`height`, in lowest terms. If one of
    /// them is 0 the ratio is unknown (`A0:0`). The tag replaces the previous one or comes last.
    pub fn with_aspect(&self, width: u32, height: u32) -> Header {
        let known = width > 0 && height > 0;
        let (width, height) = if known { reduced(width.into(), height.into()) } else { (0, 0) };
        let mut header = self.clone();
        set(&mut header.tokens, format!("A{width}:{height}").into_bytes());
        header
    }

    /// The same header with the tag of a chroma location. Only 4:2:0 of 8 bits has such tags; other
    /// headers are unchanged.
    pub fn with_chroma_location(&self, location: ChromaLocation) -> Header {
        let mut header = self.clone();
        if self.sampling() == Sampling::C420 && self.format().depth == 8 {
            let name = match location {
                ChromaLocation::Left => "420mpeg2",
                ChromaLocation::Center => "420jpeg",
                ChromaLocation::TopLeft => "420paldv",
            };
            set_chroma(&mut header.tokens, name, self.format());
        }
        header
    }

    /// The same header with the tags of this colour space.
    pub fn with_color_space(&self, space: ColorSpace) -> Header {
        let mut header = self.clone();
        color_tags::set(&mut header.tokens, space.matrix, space.range);
        header
    }
}

/// Sets the tags of chroma that changes its sampling or its depth to those of `format`.
fn change_chroma(tokens: &mut Vec<Vec<u8>>, format: Format) -> Result<(), Error> {
    let name = chroma_name(format.sampling, format.depth)?;
    set_chroma(tokens, if name == "420" { "420mpeg2" } else { &name }, format);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{ColorMatrix, ColorRange};

    fn parse(tags: &str) -> Result<Header, Error> {
        Header::parse(format!("YUV4MPEG2 {tags}").as_bytes())
    }

    fn written(header: &Header) -> String {
        let mut line = Vec::new();
        header.write(&mut line).unwrap();
        String::from_utf8(line).unwrap().strip_prefix("YUV4MPEG2 ").unwrap().strip_suffix('\n').unwrap().to_string()
    }

    #[test]
    fn deinterlaced_headers_are_progressive_and_keep_other_tags() {
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
    fn changes_of_depth_replace_the_chroma_tags() {
        let to = |tags: &str, depth| written(&parse(tags).unwrap().with_depth(depth).unwrap());
        assert_eq!(to("W2 H2 C420jpeg XYSCSS=420JPEG Xa", 10), "W2 H2 C420p10 XYSCSS=420P10 Xa");
        assert_eq!(to("W2 C420paldv H2", 16), "W2 C420p16 XYSCSS=420P16 H2");
        assert_eq!(to("W2 H2", 9), "W2 H2 C420p9 XYSCSS=420P9");
        assert_eq!(to("W2 H2 XYSCSS=422 Xa", 12), "W2 H2 XYSCSS=422P12 Xa C422p12");
        assert_eq!(to("Cmono H2 W2", 14), "Cmono14 H2 W2");
        assert_eq!(to("W2 H2 C420p10 XYSCSS=420P10", 8), "W2 H2 C420mpeg2 XYSCSS=420MPEG2");
        assert_eq!(to("W2 H2 C422p10", 8), "W2 H2 C422");
        assert_eq!(to("W2 H2 C444p16 XYSCSS=444P16", 10), "W2 H2 C444p10 XYSCSS=444P10");
        assert_eq!(to("W2 H2 Cmono16", 8), "W2 H2 Cmono");
        // The same depth: also without the old tag.
        assert_eq!(to("W2 H2 C420p10", 10), "W2 H2 C420p10");
        assert_eq!([to("W2 H2", 8), to("W2 H2 C420jpeg", 8)], ["W2 H2", "W2 H2 C420jpeg"]);
        for (tags, depth) in [("W2 H2 C411", 10), ("W2 H2 C422", 11), ("W2 H2 C422p10", 0), ("W2 H2", 17)] {
            let error = parse(tags).unwrap().with_depth(depth).unwrap_err();
            assert!(matches!(error, Error::NotSupported { .. }), "{tags}: {error}");
        }
        assert_eq!(to("W2 H2 C411", 8), "W2 H2 C411");
    }

    #[test]
    fn other_samplings_keep_the_depth() {
        let to = |tags: &str, sampling| parse(tags).unwrap().to_progressive(sampling, false).map(|header| written(&header));
        assert_eq!(to("W2 H2 C422p10 XYSCSS=422P10 It", Sampling::C420).unwrap(), "W2 H2 C420p10 XYSCSS=420P10 Ip");
        assert_eq!(to("W2 H2 Ip C420p16", Sampling::C422).unwrap(), "W2 H2 Ip C422p16 XYSCSS=422P16");
        assert!(matches!(to("W2 H2 C422p10", Sampling::C411), Err(Error::NotSupported { .. })));
    }

    #[test]
    fn geometry_changes_size_aspect_and_chroma() {
        let rotated = |tags: &str| written(&parse(tags).unwrap().rotated().unwrap());
        assert_eq!(rotated("W720 H576 F25:1 A16:15 C420paldv"), "W576 H720 F25:1 A15:16 C420paldv");
        assert_eq!(rotated("W4 H2"), "W2 H4");
        assert_eq!(rotated("W4 H2 A0:0"), "W2 H4 A0:0");
        let to = |tags: &str, sampling| written(&parse(tags).unwrap().with_sampling(sampling).unwrap());
        assert_eq!(to("W4 H2 C422", Sampling::C420), "W4 H2 C420mpeg2");
        assert_eq!(to("W4 H2 C444", Sampling::C420), "W4 H2 C420jpeg");
        assert_eq!(to("W4 H2 C444p10", Sampling::C420), "W4 H2 C420p10 XYSCSS=420P10");
        assert_eq!(to("W4 H2 C420paldv", Sampling::C420), "W4 H2 C420paldv");
        assert_eq!(to("W4 H2", Sampling::C444), "W4 H2 C444");
        assert_eq!(to("W4 H2 C420jpeg", Sampling::Mono), "W4 H2 Cmono");
        let sized = parse("W4 H2 A4:3").unwrap().with_frame_size(9, 8192).unwrap();
        assert_eq!(written(&sized), "W9 H8192 A4:3");
        assert!(parse("W4 H2").unwrap().with_frame_size(0, 1).is_err());
    }

    #[test]
    fn scaling_keeps_the_display_aspect_ratio() {
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
    fn sizes_of_scaled_streams_are_checked() {
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
        assert_eq!(header("C420p10").chroma_location(), ChromaLocation::Left);
        assert_eq!(to("C420p10", ChromaLocation::Center), "W2 H2 C420p10");
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
    fn rates_double_exactly_or_not_at_all() {
        let double =
            |rate: &str| parse(&format!("W2 H2 F{rate}")).unwrap().to_progressive(Sampling::C420, true).map(|h| h.rate());
        assert_eq!(double("2147483647:3").unwrap(), Some((4294967294, 3)));
        assert_eq!(double("2147483648:6").unwrap(), Some((2147483648, 3)));
        assert!(matches!(double("2147483648:3"), Err(Error::RateTooHigh { num: 2147483648, den: 3 })));
        assert_eq!(double("0:0").unwrap(), None);
        let error = double("2147483649:5").unwrap_err().to_string();
        assert_eq!(error, "a frame rate of 2147483649:5 cannot be doubled");
    }

    #[test]
    fn aspect_ratios_are_in_lowest_terms() {
        let header = parse("W720 H576 A0:0 C444").unwrap();
        assert_eq!(header.aspect(), None);
        let other = header.with_aspect(128, 117);
        assert_eq!((other.aspect(), written(&other).as_str()), (Some((128, 117)), "W720 H576 A128:117 C444"));
        assert_eq!(other.with_aspect(32, 30).aspect(), Some((16, 15)));
        assert_eq!(written(&other.with_aspect(0, 4)), "W720 H576 A0:0 C444");
        assert_eq!(written(&parse("W2 H2").unwrap().with_aspect(u32::MAX, 1)), "W2 H2 A2147483647:1");
    }

    #[test]
    fn rates_fit_32_bits_in_lowest_terms() {
        let header = parse("W2 H2 F25:1").unwrap();
        let rate = |num: u64, den: u64| match header.with_rate(num, den) {
            Ok(header) => Ok(header.rate()),
            Err(Error::RateTooHigh { num, den }) => Err((num, den)),
            Err(error) => panic!("{error}"),
        };
        const MOST: u64 = u32::MAX as u64;
        assert_eq!(rate(120_000, 5005), Ok(Some((24_000, 1001))));
        assert_eq!(rate(MOST, 1), Ok(Some((u32::MAX, 1))));
        assert_eq!(rate(1, MOST), Ok(Some((1, u32::MAX))));
        assert_eq!(rate(2 * MOST, 4), Ok(Some((u32::MAX, 2))));
        // The error has the numbers that were given, as far as they fit.
        assert_eq!(rate(MOST + 1, 3), Err((u32::MAX, 3)));
        assert_eq!(rate(3, MOST + 1), Err((3, u32::MAX)));
        assert_eq!([rate(0, 7), rate(7, 0)], [Err((0, 7)), Err((7, 0))]);
    }
}
