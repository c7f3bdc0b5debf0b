//! Opens the output that the options describe.

use super::files::ReservedFiles;
use super::output::{FrameWriter, Sink, Y4m};
use super::rgb;
use crate::error::CliError;
use crate::options::args::Args;
use crate::options::color_args::Rgb;
use crate::options::is_standard;
use dndi::y4m::Header;

/// Opens the output; `header` is used for y4m. Nothing is written yet, and existing contents are
/// kept.
pub fn open_output(args: &Args, header: &Header, reserved: ReservedFiles) -> Result<Box<dyn FrameWriter>, CliError> {
    let sink = || Sink::open(&args.output, args.overwrite, "frames");
    Ok(match args.color.rgb {
        None => Box::new(Y4m::new(sink()?, header.clone())),
        Some(Rgb::Raw) => Box::new(rgb::Planes(sink()?)),
        Some(Rgb::Png) if is_standard(&args.output) => Box::new(rgb::Pictures::stream(sink()?)),
        Some(Rgb::Png) => Box::new(rgb::Pictures::files(&args.output, args.overwrite, reserved)?),
    })
}
