//! Colour tags of ffmpeg: those of the input, and the options that give them to the output.

use super::probe::Stream;
use dndi::{ChromaLocation, ColorMatrix, ColorRange, ColorSpace};

/// The tags of the video, by ffmpeg's names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ColorTags {
    range: Option<String>,
    matrix: Option<String>,
    transfer: Option<String>,
    primaries: Option<String>,
    location: Option<String>,
}

impl ColorTags {
    /// The tags of a stream. `from_rgb` is whether its samples are converted from RGB; they then
    /// have limited range and the matrix of [`rgb_matrix`].
    pub fn new(stream: &Stream, from_rgb: bool) -> ColorTags {
        let known =
            |tag: &Option<String>| tag.clone().filter(|tag| !["unknown", "unspecified", "reserved"].contains(&tag.as_str()));
        let mut tags = ColorTags {
            range: known(&stream.color_range),
            matrix: known(&stream.color_space).filter(|matrix| matrix != "gbr"),
            transfer: known(&stream.color_transfer).map(option_name),
            primaries: known(&stream.color_primaries),
            location: known(&stream.chroma_location),
        };
        if from_rgb {
            let matrix = rgb_matrix(stream.height);
            tags = ColorTags { range: Some("tv".to_owned()), matrix: Some(matrix.to_owned()), location: None, ..tags };
        }
        tags
    }

    /// The matrix and the range for the y4m header; none if the matrix has no tag that dndi knows.
    pub fn color_space(&self) -> Option<ColorSpace> {
        let matrix = match self.matrix.as_deref()? {
            "bt709" => ColorMatrix::Bt709,
            "smpte170m" | "bt470bg" => ColorMatrix::Bt601,
            "bt2020nc" => ColorMatrix::Bt2020,
            _ => return None,
        };
        let range = if self.range.as_deref() == Some("pc") { ColorRange::Full } else { ColorRange::Limited };
        Some(ColorSpace { matrix, range })
    }

    /// The tags of an output whose colours were converted to `space`. Primaries and transfer are
    /// not converted.
    pub fn converted(&self, space: ColorSpace) -> ColorTags {
        let matrix = match space.matrix {
            ColorMatrix::Bt601 => "smpte170m",
            ColorMatrix::Bt709 => "bt709",
            _ => "bt2020nc",
        };
        let range = if space.range == ColorRange::Full { "pc" } else { "tv" };
        ColorTags { range: Some(range.to_owned()), matrix: Some(matrix.to_owned()), ..self.clone() }
    }

    /// The tags of an output whose chroma has this location.
    pub fn located(&self, location: Option<&'static str>) -> ColorTags {
        ColorTags { location: location.map(str::to_owned).or(self.location.clone()), ..self.clone() }
    }

    /// The options of the encoder.
    pub fn arguments(&self) -> Vec<String> {
        let ColorTags { range, matrix, transfer, primaries, location } = self;
        let options = [
            ("-color_range", range),
            ("-colorspace", matrix),
            ("-color_trc", transfer),
            ("-color_primaries", primaries),
            ("-chroma_sample_location", location),
        ];
        let given = options.into_iter().filter_map(|(option, tag)| Some([option.to_owned(), tag.clone()?]));
        given.flatten().collect()
    }
}

/// The name of a transfer function as an option of ffmpeg, in which ffprobe prints others.
fn option_name(transfer: String) -> String {
    match transfer.as_str() {
        "bt470m" => "gamma22".to_owned(),
        "bt470bg" => "gamma28".to_owned(),
        "log100" => "log".to_owned(),
        "log316" => "log_sqrt".to_owned(),
        _ => transfer,
    }
}

/// The location of chroma samples, by ffmpeg's name.
pub fn location_name(location: ChromaLocation) -> Option<&'static str> {
    match location {
        ChromaLocation::Left => Some("left"),
        ChromaLocation::Center => Some("center"),
        ChromaLocation::TopLeft => Some("topleft"),
        _ => None,
    }
}

/// The matrix for the conversion of RGB with this many lines, by ffmpeg's name.
pub fn rgb_matrix(height: u32) -> &'static str {
    // The same limit as for y4m without tags.
    if height >= 720 { "bt709" } else { "smpte170m" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_carried() {
        let stream = Stream {
            color_range: Some("tv".to_owned()),
            color_space: Some("bt709".to_owned()),
            color_transfer: Some("unknown".to_owned()),
            height: 576,
            ..Stream::default()
        };
        let tags = ColorTags::new(&stream, false);
        assert_eq!(tags.arguments().join(" "), "-color_range tv -colorspace bt709");
        let space = ColorSpace { matrix: ColorMatrix::Bt709, range: ColorRange::Limited };
        assert_eq!(tags.color_space(), Some(space));
        let full = ColorSpace { matrix: ColorMatrix::Bt2020, range: ColorRange::Full };
        assert_eq!(tags.converted(full).arguments().join(" "), "-color_range pc -colorspace bt2020nc");
        assert_eq!(ColorTags::new(&stream, true).arguments().join(" "), "-color_range tv -colorspace smpte170m");
        assert_eq!(tags.located(Some("left")).arguments().last().unwrap(), "left");
    }
}
