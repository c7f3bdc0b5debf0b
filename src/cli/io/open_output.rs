//! Opens the output that the options describe.

use super::files::ReservedFiles;
use super::output::{FrameWriter, Sink, Y4m};
use super::rgb;
use crate::error::CliError;
use crate::options::args::Args;
use crate::options::color_args::Rgb;
use crate::options::is_standard;
use dndi::y4m::Header;

/// Opens the output and adds it to `reserved`; none if the output is a series of pictures. Nothing
/// is written yet, and existing contents are kept.
pub fn open_output(args: &Args, reserved: &mut ReservedFiles) -> Result<Option<Sink>, CliError> {
    let series = args.color.rgb == Some(Rgb::Png) && !is_standard(&args.output);
    (!series).then(|| Sink::open(&args.output, args.overwrite, "frames", reserved)).transpose()
}

/// The writer for the output that [`open_output`] opened; `header` is used for y4m. A series of
/// pictures does not overwrite the `reserved` files.
pub fn writer(
    args: &Args,
    header: &Header,
    sink: Option<Sink>,
    reserved: ReservedFiles,
) -> Result<Box<dyn FrameWriter>, CliError> {
    Ok(match (args.color.rgb, sink) {
        (_, None) => Box::new(rgb::Pictures::files(&args.output, args.overwrite, reserved)?),
        (None, Some(sink)) => Box::new(Y4m::new(sink, header.clone())),
        (Some(Rgb::Raw), Some(sink)) => Box::new(rgb::Planes::new(sink)),
        (Some(Rgb::Png), Some(sink)) => Box::new(rgb::Pictures::stream(sink)),
    })
}
