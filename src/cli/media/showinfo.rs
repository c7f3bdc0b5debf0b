//! The lines of ffmpeg's filter `showinfo`: time and flags of each decoded frame.

use crate::io::source::FrameInfo;
use dndi::{FieldOrder, FrameFlags};

/// Reads the lines in their order.
#[derive(Clone, Copy, Debug, Default)]
pub struct Parser {
    /// Duration of a unit of `pts` in seconds, as a fraction.
    base: Option<(i64, i64)>,
}

impl Parser {
    /// The frame that a line describes; none for other lines.
    pub fn parse(&mut self, line: &str) -> Option<FrameInfo> {
        let text = line.strip_prefix("[Parsed_showinfo_")?.split_once("[info] ")?.1;
        if let Some(config) = text.strip_prefix("config in time_base: ") {
            let (num, den) = config.split(',').next()?.split_once('/')?;
            self.base = Some((num.parse().ok()?, den.parse().ok()?)).filter(|&(num, den)| num > 0 && den > 0);
            return None;
        }
        // A value follows its name directly, or after spaces.
        text.strip_prefix("n:")?;
        let value = |name: &str| Some(text.split_once(name)?.1.trim_start().split(' ').next().unwrap_or_default());
        let pts = value(" pts:").and_then(|pts| pts.parse::<i64>().ok());
        let time = pts.zip(self.base).and_then(|(pts, (num, den))| {
            i64::try_from(i128::from(pts) * i128::from(num) * 1_000_000_000 / i128::from(den)).ok()
        });
        let flags = match value(" i:") {
            Some("T") => Some(FrameFlags::default().field_order(FieldOrder::TopFirst)),
            Some("B") => Some(FrameFlags::default().field_order(FieldOrder::BottomFirst)),
            Some("P") => Some(FrameFlags::default().progressive(true)),
            _ => None,
        };
        Some(FrameInfo { time, flags })
    }
}

/// Whether a line describes closed captions of a frame.
pub fn has_captions(line: &str) -> bool {
    let data = line.starts_with("[Parsed_showinfo_").then(|| line.split_once("side data - ")).flatten();
    data.is_some_and(|(_, data)| data.to_ascii_lowercase().contains("closed captions"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_several_versions() {
        let mut parser = Parser::default();
        let mut parse = |text: &str| parser.parse(&format!("[Parsed_showinfo_0 @ 0x55] [info] {text}"));
        assert_eq!(parse("config in time_base: 1/90000, frame_rate: 25/1"), None);
        let info =
            parse("n:   1 pts:   3600 pts_time:0.04    pos:  7520 fmt:yuv420p sar:1/1 s:176x144 i:T iskey:0 type:P ").unwrap();
        assert_eq!((info.time, info.flags.unwrap().field_order), (Some(40_000_000), Some(FieldOrder::TopFirst)));
        let info = parse("n:12 pts:-90000 pts_time:-1 duration:3600 duration_time:0.04 fmt:yuv420p cl:left i:P iskey:0").unwrap();
        assert_eq!((info.time, info.flags.unwrap().progressive), (Some(-1_000_000_000), true));
        let info = parse("n:   0 pts:NOPTS pts_time:NOPTS  pos: 4 fmt:gray s:2x2 i:B iskey:1 type:I").unwrap();
        assert_eq!((info.time, info.flags.unwrap().field_order), (None, Some(FieldOrder::BottomFirst)));
        assert_eq!(parse("  side data - pan/scan"), None);
        assert_eq!(Parser::default().parse("[error] n: 0 pts: 0"), None);
        for (line, captions) in [
            ("[Parsed_showinfo_0 @ 0x55] [info]   side data - A/53 closed captions (3 bytes)", true),
            ("[Parsed_showinfo_0 @ 0x55] [info]   side data - ATSC A53 Part 4 Closed Captions: (3 bytes)", true),
            ("[Parsed_showinfo_0 @ 0x55] [info]   side data - pan/scan", false),
            ("[info] side data - closed captions", false),
        ] {
            assert_eq!(has_captions(line), captions, "{line}");
        }
    }
}
