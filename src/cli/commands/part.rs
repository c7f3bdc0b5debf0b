//! A part: the outputs of one chunk as a y4m file. A comment in its header states the chunk.

use super::header_line;
use crate::error::CliError;
use dndi::y4m::Header;
use std::fmt;

/// The comment of the header, without its value.
const TAG: &[u8] = b"XDNDI-CHUNK=";

/// The chunk of a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartTag {
    /// The number of the chunk, from 0.
    pub index: u64,
    /// The number of chunks, if it is known.
    pub count: Option<u64>,
    /// The number of frames in the part.
    pub frames: u64,
    /// The checksum of the input, the settings and the version. Parts of one output have the same.
    pub hash: String,
}

impl fmt::Display for PartTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PartTag { index, count, frames, hash } = self;
        let count = count.map_or("?".to_owned(), |count| count.to_string());
        write!(f, "{index}:{count}:{frames}:{hash}")
    }
}

impl PartTag {
    fn parse(text: &str) -> Option<PartTag> {
        let mut values = text.split(':');
        let mut value = || values.next();
        let (index, count, frames, hash) = (value()?, value()?, value()?, value()?);
        let count = if count == "?" { None } else { Some(count.parse().ok()?) };
        Some(PartTag { index: index.parse().ok()?, count, frames: frames.parse().ok()?, hash: hash.to_owned() })
    }

    /// The header with this tag.
    pub fn add_to(&self, header: &Header) -> Result<Header, CliError> {
        let mut line = header_line::line(header)?;
        line.extend_from_slice(b" ");
        line.extend_from_slice(TAG);
        line.extend_from_slice(self.to_string().as_bytes());
        Header::parse(&line).map_err(CliError::runtime)
    }

    /// Separates a header from its tag; none if it has no tag or a wrong one.
    pub fn split(header: &Header) -> Result<Option<(Header, PartTag)>, CliError> {
        let line = header_line::line(header)?;
        let (tags, others): (Vec<&[u8]>, Vec<&[u8]>) = line.split(|&byte| byte == b' ').partition(|token| token.starts_with(TAG));
        let [tag] = tags.as_slice() else { return Ok(None) };
        let Some(tag) = std::str::from_utf8(&tag[TAG.len()..]).ok().and_then(PartTag::parse) else { return Ok(None) };
        let header = Header::parse(&others.join(&b' ')).map_err(CliError::runtime)?;
        Ok(Some((header, tag)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_separated() {
        let header = Header::parse(b"YUV4MPEG2 W4 H2 F25:1 Xa C422").unwrap();
        for count in [None, Some(9)] {
            let tag = PartTag { index: 3, count, frames: 40, hash: "ab".to_owned() };
            let tagged = tag.add_to(&header).unwrap();
            assert_eq!(PartTag::split(&tagged).unwrap(), Some((header.clone(), tag)));
        }
        assert_eq!(PartTag::split(&header).unwrap(), None);
        let wrong = Header::parse(b"YUV4MPEG2 W4 H2 XDNDI-CHUNK=1:2:x:y").unwrap();
        assert_eq!(PartTag::split(&wrong).unwrap(), None);
    }
}
