//! Errors of the library about options and the input, as messages that name options of the command
//! line.

use super::plan::why_no_rate;
use crate::error::CliError;
use crate::io::input;
use crate::options::layers::Options;
use crate::options::values::{Deinterlace, FieldOrder};
use dndi::y4m::Header;
use dndi::{Error, GeometryError, Interlacing, MAX_SIZE};

/// The error for an error of the library. It names the input or the option.
pub fn explain(options: &Options, header: &Header, error: &Error) -> CliError {
    let name = input::name(&options.input);
    CliError::usage(match error {
        Error::OutOfMemory(error) => return CliError::runtime(error),
        Error::NotInterlaced => {
            let why = match (options.field_order, header.interlacing()) {
                (FieldOrder::Progressive, _) => "--deinterlace on contradicts --field-order progressive; use tff or bff",
                (FieldOrder::Auto, _) => "frames of this size have no fields",
                (_, Interlacing::Unknown) => "the header has no field order; use --field-order tff or bff",
                _ => "the header declares progressive frames; use --field-order tff or bff, or --deinterlace off",
            };
            format!("{name}: {why}")
        }
        Error::Options(_) => match why_no_rate(options, Some(header)) {
            Some(why) => format!("{name}: {why}"),
            None => format!("{name}: {error}"),
        },
        Error::Size { .. } => format!("{name}: {error}; use --field-order progressive if it is not interlaced"),
        Error::Chroma { .. } => {
            options.origins.of_option("chroma", "chroma: without deinterlacing it stays the same; use --chroma same")
        }
        Error::OutputSize { .. } if options.geometry.canvas.is_some() && options.scale.is_none() => {
            options.origins.of_option("canvas", format_args!("canvas: {error}"))
        }
        Error::OutputSize { width, height, .. } => {
            let option = if options.scale.is_some() { "scale" } else { "crop" };
            // A size within the limits is invalid only for interlaced frames.
            let interlaced =
                [width, height].iter().all(|size| (1..=MAX_SIZE).contains(*size)) && options.deinterlace == Deinterlace::Off;
            let advice = if interlaced { "; or deinterlace it: --deinterlace auto" } else { "" };
            options.origins.of_option(option, format_args!("{option}: {error}{advice}"))
        }
        Error::Geometry(error) => geometry_error(options, *error),
        Error::Crop { .. } => options.origins.of_option("crop", format_args!("crop: {error}")),
        Error::Area { .. } => options.origins.of_option("aoi", format_args!("aoi: {error}")),
        Error::Parameter(error) => options.parameter_error(error),
        _ => format!("{name}: {error}"),
    })
}

/// The message about a geometry that the pictures cannot have.
fn geometry_error(options: &Options, error: GeometryError) -> String {
    let option = match error {
        GeometryError::Canvas { .. } => "canvas",
        GeometryError::Sampling => "output-chroma",
        GeometryError::Siting => "siting-in",
        _ if options.geometry.rotate.is_some() => "rotate",
        _ => "mirror",
    };
    let advice = if error == GeometryError::Fields { "; or deinterlace: --deinterlace auto" } else { "" };
    options.origins.of_option(option, format_args!("{option}: {error}{advice}"))
}
