//! The line of a y4m header, as other programs read it.

use crate::error::CliError;
use dndi::y4m::Header;

/// Bytes of the longest line that ffmpeg 5.1 reads, with the line feed.
const LONGEST: usize = 96;

/// The line of a header, without its line feed.
pub fn line(header: &Header) -> Result<Vec<u8>, CliError> {
    let mut line = Vec::new();
    header.write(&mut line).map_err(CliError::runtime)?;
    line.pop();
    Ok(line)
}

/// The header without the tag `XYSCSS` if its line is too long for ffmpeg. Beside the chroma tag
/// the old one says nothing new.
pub fn for_ffmpeg(header: Header) -> Result<Header, CliError> {
    let line = line(&header)?;
    let tokens = || line.split(|&byte| byte == b' ');
    if line.len() < LONGEST || !tokens().skip(1).any(|token| token.starts_with(b"C")) {
        return Ok(header);
    }
    let shorter: Vec<&[u8]> = tokens().filter(|token| !token.starts_with(b"XYSCSS=")).collect();
    Header::parse(&shorter.join(&b' ')).map_err(CliError::runtime)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_have_one_chroma_tag() {
        let written = |tags: &str| {
            let header = Header::parse(format!("YUV4MPEG2 {tags}").as_bytes()).unwrap();
            String::from_utf8(line(&for_ffmpeg(header).unwrap()).unwrap()).unwrap()["YUV4MPEG2 ".len()..].to_owned()
        };
        let short = "W720 H576 F50:1 Ip A64:45 C420mpeg2 XYSCSS=420MPEG2 XCOLORRANGE=LIMITED";
        assert_eq!(written(short), short);
        let full = format!("{short} XCOLORMATRIX=BT601");
        assert_eq!(written(&full), full.replace("XYSCSS=420MPEG2 ", ""));
        let only = format!("W720 H576 XYSCSS=422 X{}", "a".repeat(90));
        assert_eq!(written(&only), only);
    }
}
