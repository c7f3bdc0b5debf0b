//! Values of options that can be `auto`: those that were measured in the input.

use super::survey::Measured;
use crate::error::CliError;
use crate::options::automatic::Automatic;
use crate::options::layers::Options;
use crate::options::values::DotCrawl;
use dndi::y4m::Header;
use dndi::{ChromaShift, CompositeStandard, Rect};

/// The rectangle of `--crop`; none without one, and if the input has no borders.
pub fn crop(options: &Options, header: &Header, measured: Option<&Measured>) -> Result<Option<Rect>, CliError> {
    match (options.crop, measured) {
        (None, _) => Ok(None),
        (Some(Automatic::Given(rect)), _) => Ok(Some(rect)),
        (_, Some(Measured { borders, head_switching, .. })) => {
            let (format, range) = (header.format(), header.color_space().range);
            let found = borders.found(format.depth, format.sampling, range, head_switching.lines());
            Ok(found.map(|found| found.rect))
        }
        (_, None) => Err(not_measured("--crop", "X,Y,W,H")),
    }
}

/// The movement of `--chroma-shift`.
pub fn chroma_shift(options: &Options, header: &Header, measured: Option<&Measured>) -> Result<ChromaShift, CliError> {
    match (options.chroma_shift(), measured) {
        (None, _) => Ok(ChromaShift::default()),
        (Some(Automatic::Given(shift)), _) => Ok(shift),
        (_, Some(Measured { chroma, survey, .. })) => {
            let shift = chroma.shift(header.format(), header.chroma_location(), survey.has_fields());
            Ok(shift.unwrap_or_default())
        }
        (_, None) if options.chroma_shift.is_none() => Ok(ChromaShift::default()),
        (_, None) => Err(not_measured("--chroma-shift", "X,Y")),
    }
}

/// The standard of `--dot-crawl`; none if nothing is removed.
pub fn dot_crawl(options: &Options, measured: Option<&Measured>) -> Result<Option<CompositeStandard>, CliError> {
    match (options.dot_crawl(), measured) {
        (DotCrawl::Off, _) => Ok(None),
        (DotCrawl::Ntsc, _) => Ok(Some(CompositeStandard::Ntsc)),
        (DotCrawl::Pal, _) => Ok(Some(CompositeStandard::Pal)),
        (DotCrawl::Auto, Some(Measured { dot_crawl, .. })) => Ok(dot_crawl.found().map(|found| found.standard)),
        (DotCrawl::Auto, None) if options.dot_crawl.is_none() => Ok(None),
        (DotCrawl::Auto, None) => Err(not_measured("--dot-crawl", "ntsc or pal")),
    }
}

fn not_measured(option: &str, value: &str) -> CliError {
    CliError::usage(format_args!(
        "{option} auto measures a file before the conversion, and the input cannot be read twice; use {option} {value}, which dndi inspect finds"
    ))
}
