//! Pixel formats of ffmpeg: those that y4m can hold, and the nearest for the others.

/// Depths that y4m has for colour, and for grey.
const DEPTHS: [u32; 6] = [8, 9, 10, 12, 14, 16];

/// The pixel format to decode to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded {
    /// The format that ffmpeg must convert to; none if y4m can hold the format of the stream.
    pub convert: Option<String>,
    /// Whether RGB is converted to Y'CbCr.
    pub from_rgb: bool,
    /// Whether an alpha plane is dropped.
    pub drops_alpha: bool,
}

/// Finds the format to decode `name` to. The layout may change, but no sample is lost and chroma is
/// not resampled, with three exceptions: alpha is dropped, RGB and unknown formats are converted
/// to 4:4:4, and so is chroma with fewer lines than 4:2:0 or with half the lines of 4:4:0.
pub fn decoded(name: &str) -> Decoded {
    let keep = Decoded { convert: None, from_rgb: false, drops_alpha: false };
    // ffmpeg writes full-range formats under their old names as well, without a conversion.
    let old = ["yuvj411p", "yuvj420p", "yuvj422p", "yuvj444p"].contains(&name);
    if old || !name.ends_with("be") && is_y4m(name) {
        return keep;
    }
    let to = |convert: String| Decoded { convert: Some(convert), ..keep.clone() };
    let same_samples = match name {
        "nv12" | "nv21" => "yuv420p",
        "nv16" | "yuyv422" | "uyvy422" | "yvyu422" => "yuv422p",
        "nv24" | "nv42" | "vuyx" => "yuv444p",
        "uyyvyy411" => "yuv411p",
        "nv20le" | "nv20be" => "yuv422p10",
        "gray14le" | "gray14be" => "gray16",
        _ => "",
    };
    if !same_samples.is_empty() {
        return to(same_samples.to_owned());
    }
    let (base, depth) = split(name);
    let planar = |prefix: &str| match depth {
        8 => prefix.to_owned(),
        depth => format!("{prefix}{}", DEPTHS.into_iter().find(|&known| known >= depth).unwrap_or(16)),
    };
    let alpha = |convert: String| Decoded { drops_alpha: true, ..to(convert) };
    match base {
        "yuv420p" | "yuv422p" | "yuv444p" | "gray" => to(planar(base)),
        "yuva420p" => alpha(planar("yuv420p")),
        "yuva422p" => alpha(planar("yuv422p")),
        "yuva444p" | "vuya" => alpha(planar("yuv444p")),
        "ayuv" => alpha("yuv444p16".to_owned()),
        "ya" => alpha(planar("gray")),
        "p0" => to(planar("yuv420p")),
        "p2" | "y2" => to(planar("yuv422p")),
        "p4" | "xv" => to(planar("yuv444p")),
        "yuv410p" | "yuv440p" | "yuvj440p" => to(planar("yuv444p")),
        "monow" | "monob" | "grayf" => to(if base == "grayf" { "gray16" } else { "gray" }.to_owned()),
        "gbrap" => Decoded { from_rgb: true, ..alpha(planar("yuv444p")) },
        "gbrp" => Decoded { from_rgb: true, ..to(planar("yuv444p")) },
        "rgb" | "bgr" | "rgba" | "bgra" | "xyz" | "x2rgb" | "x2bgr" | "gbrpf" | "gbrapf" => {
            // The number is that of all bits of a pixel or of a float, or the bits of each
            // component one after another, such as 565.
            let deep = [48, 64, 96, 128].contains(&depth) || base.ends_with('f');
            let convert = if deep {
                "yuv444p16"
            } else if base == "xyz" {
                "yuv444p12"
            } else if base.starts_with('x') {
                "yuv444p10"
            } else {
                "yuv444p"
            };
            Decoded { from_rgb: true, drops_alpha: base.contains('a'), ..to(convert.to_owned()) }
        }
        _ => Decoded { from_rgb: true, ..to("yuv444p".to_owned()) },
    }
}

/// Whether y4m can hold a format.
fn is_y4m(name: &str) -> bool {
    match split(name) {
        ("yuv411p", depth) => depth == 8,
        ("yuv420p" | "yuv422p" | "yuv444p", depth) => DEPTHS.contains(&depth),
        ("gray", depth) => [8, 9, 10, 12, 16].contains(&depth),
        _ => false,
    }
}

/// The name of a format without its number and byte order, and the bits per sample: the number, or
/// for `p010` and similar names the number after their first digit.
fn split(name: &str) -> (&str, u32) {
    let name = name.strip_suffix("le").or(name.strip_suffix("be")).unwrap_or(name);
    let semi_planar = name.len() == 4 && ["p0", "p2", "p4", "y2"].iter().any(|prefix| name.starts_with(prefix));
    if let (true, Some(depth)) = (semi_planar, name.get(2..).and_then(|bits| bits.parse().ok())) {
        return (&name[..2], depth);
    }
    let digits = name.len() - name.bytes().rev().take_while(u8::is_ascii_digit).count();
    match name[digits..].parse() {
        Ok(depth) => (&name[..digits], depth),
        Err(_) => (name, 8),
    }
}

/// Whether a format has 8 bits per sample and 4:2:0, 4:1:1 or 4:2:2 chroma, as y4m.
pub fn is_subsampled_bytes(sampling: dndi::Sampling, depth: u8) -> bool {
    depth == 8 && [dndi::Sampling::C420, dndi::Sampling::C411, dndi::Sampling::C422].contains(&sampling)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_formats() {
        for kept in
            ["yuv420p", "yuv422p10le", "yuv444p12le", "yuv411p", "gray", "gray10le", "yuvj422p", "yuv420p16le", "yuv420p9"]
        {
            assert_eq!(decoded(kept), Decoded { convert: None, from_rgb: false, drops_alpha: false }, "{kept}");
        }
        let cases = [
            ("nv12", "yuv420p"),
            ("p010le", "yuv420p10"),
            ("p216le", "yuv422p16"),
            ("y210le", "yuv422p10"),
            ("uyvy422", "yuv422p"),
            ("yuv422p10be", "yuv422p10"),
            ("yuva444p12le", "yuv444p12"),
            ("yuva420p", "yuv420p"),
            ("ya8", "gray"),
            ("yuv440p12le", "yuv444p12"),
            ("gray14le", "gray16"),
            ("gbrp10le", "yuv444p10"),
            ("gbrap", "yuv444p"),
            ("rgb24", "yuv444p"),
            ("bgra", "yuv444p"),
            ("rgb48le", "yuv444p16"),
            ("rgb555le", "yuv444p"),
            ("bgr565be", "yuv444p"),
            ("x2rgb10le", "yuv444p10"),
            ("pal8", "yuv444p"),
            ("ayuv64le", "yuv444p16"),
            ("unknown", "yuv444p"),
        ];
        for (name, want) in cases {
            assert_eq!(decoded(name).convert.as_deref(), Some(want), "{name}");
        }
        assert!(decoded("gbrap").from_rgb && decoded("gbrap").drops_alpha && !decoded("nv12").drops_alpha);
        assert!(decoded("rgba").drops_alpha && !decoded("rgb24").drops_alpha && decoded("rgb24").from_rgb);
    }
}
