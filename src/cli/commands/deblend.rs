//! `--film deblend`: the pictures that blended fields mix take the place of the input's frames.

use super::plan::StreamSettings;
use super::survey::Measured;
use crate::error::CliError;
use crate::options::layers::Options;
use crate::options::values::{Deinterlace, FieldOrder, Film, Rate};
use crate::terminal::{message, warn};
use dndi::convert::{Converter, Deblender};
use dndi::y4m::Header;
use dndi::{FieldOrder as Order, Scan, Stream};

/// A conversion of the pictures.
#[derive(Debug)]
pub struct Deblending {
    pub deblender: Deblender,
    /// The header of the pictures.
    pub header: Header,
    /// The options of their conversion.
    pub options: Options,
    /// The number of pictures in a number of frames.
    pub ratio: (u32, u32),
}

/// Checks that the other options permit `--film deblend`.
pub fn check(options: &Options) -> Result<(), CliError> {
    let conflict = match options {
        _ if options.film != Film::Deblend => return Ok(()),
        _ if options.chunks.chunk.is_some() => "--chunk: pictures lie across chunks; omit --chunk",
        _ if options.matches.is_some() => "--matches: omit one of both",
        _ if options.timecodes.is_some() => "--timecodes: the rate of the pictures is constant; omit --timecodes",
        _ if [Rate::Field, Rate::Frame].contains(&options.rate) => "--rate: the pictures have their own rate; omit --rate",
        _ if ![Deinterlace::Auto, Deinterlace::On].contains(&options.deinterlace) => {
            "--deinterlace: fields are deinterlaced first; use --deinterlace auto"
        }
        _ if options.field_order == FieldOrder::Progressive => "--field-order: use auto, tff or bff",
        _ => return Ok(()),
    };
    Err(CliError::usage(options.origins.of_option("film", format_args!("film deblend excludes {conflict}"))))
}

/// Starts deblending, if it is on and the input has blended fields.
pub fn start(
    options: &Options,
    header: &Header,
    settings: &StreamSettings,
    measured: Option<&Measured>,
) -> Result<Option<Deblending>, CliError> {
    if options.film != Film::Deblend {
        return Ok(None);
    }
    let Some(Measured { survey, .. }) = measured else {
        let why = "film deblend looks for blended fields before the conversion, and the input cannot be read twice; use a file";
        return Err(CliError::usage(options.origins.of_option("film", why)));
    };
    let Some(blend) = survey.blend() else {
        warn(options.quiet, "no blended fields were found; --film deblend acts like --film auto");
        return Ok(None);
    };
    let order = match options.field_order {
        FieldOrder::Tff => Order::TopFirst,
        FieldOrder::Bff => Order::BottomFirst,
        _ => {
            let declared = header.interlacing().scan().and_then(Scan::field_order);
            let declared = declared.filter(|_| options.field_order == FieldOrder::Header);
            declared.or(survey.field_order()).unwrap_or(Order::TopFirst)
        }
    };
    if options.verbose {
        let frames = survey.frame_count();
        message(format_args!("{survey} in a survey of {frames} frames: the pictures are restored, one frame for each"));
    }
    let builder = settings.before_deblending(options, Converter::builder(header.format()));
    let deblender = Deblender::new(builder, blend, order).map_err(CliError::usage)?;
    let sampling = Stream::builder(header.format(), Scan::TopFirst).output_format().sampling;
    let (pictures, frames) = blend.rate.ratio();
    let progressive = header.to_progressive(sampling, false).map_err(CliError::usage)?;
    let header = match header.rate() {
        Some((num, den)) => {
            let rate = progressive.with_rate(u64::from(num) * u64::from(pictures), u64::from(den) * u64::from(frames));
            rate.map_err(CliError::usage)?
        }
        None => progressive,
    };
    let mut options = options.clone();
    (options.film, options.rate, options.field_order) = (Film::Off, Rate::Auto, FieldOrder::Progressive);
    options.deinterlace = Deinterlace::Auto;
    // Those of the input were applied before.
    (options.skip, options.warmup, options.chroma_shift) = (0, 0, None);
    (options.drop_outs, options.repair, options.dot_crawl) = (false, false, None);
    Ok(Some(Deblending { deblender, header, options, ratio: (pictures, frames) }))
}
