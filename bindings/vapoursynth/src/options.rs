//! The arguments of the functions as options of the library's bindings. They have the names of the
//! command's options, with underscores.

use crate::host::Map;
use crate::properties::{self, ClipProperties};
use dndi::{ChromaLocation, ColorSpace};
use dndi_bindings::Settings;
use std::ffi::{CStr, CString};
use std::fmt::Write;

/// The type of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A text, as on the command line.
    Text,
    /// One text or several.
    Texts,
    /// A whole number.
    Number,
    /// A real number.
    Real,
    /// `True` or `False`.
    Switch,
    /// A whole number that is no option of the library.
    Own,
}

/// Arguments with their types.
pub type Arguments = &'static [(&'static CStr, Kind)];

/// The declaration of arguments for the host; the first one is the clip.
pub fn declaration(groups: &[Arguments]) -> CString {
    let mut text = "clip:vnode;".to_owned();
    for (name, kind) in groups.iter().copied().flatten() {
        let kind = match kind {
            Kind::Text => "data",
            Kind::Texts => "data[]",
            Kind::Real => "float",
            Kind::Number | Kind::Switch | Kind::Own => "int",
        };
        // Writing to a text does not fail.
        let _ = write!(text, "{}:{kind}:opt;", name.to_string_lossy());
    }
    CString::new(text).unwrap_or_default()
}

/// The settings of a conversion, and their values that the frame properties need.
#[derive(Clone, Debug)]
pub struct Options {
    /// The settings.
    pub settings: Settings,
    /// Chroma location of the output; none if that of the clip is unknown.
    pub location: Option<ChromaLocation>,
    /// Colour space of the output, if it is converted.
    pub space: Option<ColorSpace>,
    /// Whether the size of the pictures can change.
    pub scales: bool,
    /// Whether an output depends on the frames before it although nothing is denoised.
    pub adapts: bool,
}

impl Options {
    /// Reads the arguments of `groups`. `fixed` are options that the function sets.
    ///
    /// # Errors
    /// The name of the option and the message of the library.
    pub fn new(arguments: Map, groups: &[Arguments], fixed: &[(&str, &str)], clip: &ClipProperties) -> Result<Options, String> {
        let mut settings = clip.settings()?;
        let mut set = |name: &str, value: &str| settings.set(name, value).map_err(|error| error.to_string());
        fixed.iter().try_for_each(|(name, value)| set(name, value))?;
        let has = |name: &CStr| arguments.count(name) > 0;
        if has(c"sharpen") && has(c"ief") {
            return Err("sharpen and ief: use one of them".to_owned());
        }
        for &(name, kind) in groups.iter().copied().flatten() {
            let option = if name == c"order" { "field-order".into() } else { name.to_string_lossy() };
            for position in 0..arguments.count(name) {
                let text = match kind {
                    Kind::Text if name == c"colorspace" => clip.conversion(arguments.text(name, 0).unwrap_or_default()),
                    Kind::Text | Kind::Texts => arguments.text(name, position).unwrap_or_default().to_owned(),
                    Kind::Number => arguments.int(name).unwrap_or_default().to_string(),
                    Kind::Real => arguments.float(name).unwrap_or_default().to_string(),
                    Kind::Switch => if arguments.int(name) == Some(0) { "off" } else { "on" }.to_owned(),
                    Kind::Own => continue,
                };
                // An error names the option; the argument has underscores, or is `order`.
                let named = |error: String| match error.strip_prefix(&*option.replace('_', "-")) {
                    Some(rest) => format!("{}{rest}", name.to_string_lossy()),
                    None => error,
                };
                set(&option, &text).map_err(named)?;
            }
        }
        let size = [c"width", c"height"].map(|name| arguments.int(name).map_or_else(String::new, |size| size.to_string()));
        if let [width, height] = &size
            && [width, height].iter().any(|size| !size.is_empty())
        {
            if has(c"scale") {
                return Err("scale and width or height: use one of them".to_owned());
            }
            let separator = if [width, height].iter().all(|size| !size.is_empty()) { "x" } else { ":" };
            set("scale", &format!("{width}{separator}{height}"))?;
        }
        // The chroma of deinterlaced 4:2:2 is on the left, for any location of the input.
        let left = arguments.text(c"chroma", 0) == Some("422");
        let given = arguments.text(c"chroma_location", 0).and_then(|text| text.parse().ok());
        let conversion = arguments.text(c"colorspace", 0).map(|text| clip.conversion(text));
        Ok(Options {
            settings,
            location: given.or(if left { Some(ChromaLocation::Left) } else { clip.location }),
            space: conversion.as_deref().and_then(|text| properties::target(text, clip.space)),
            scales: [c"width", c"height", c"scale", c"crop"].into_iter().any(has),
            adapts: arguments.text(c"sharpen", 0).is_some_and(|mode| mode != "off")
                || [c"auto_contrast", c"white_balance", c"lace"].into_iter().any(has),
        })
    }
}

/// A whole number of `min` to `max`; none if the argument is absent.
///
/// # Errors
/// If it is outside.
pub fn number<T: TryFrom<i64>>(arguments: Map, name: &CStr, min: i64, max: i64) -> Result<Option<T>, String> {
    let Some(value) = arguments.int(name) else { return Ok(None) };
    let checked = T::try_from(value).ok().filter(|_| (min..=max).contains(&value));
    checked.map(Some).ok_or_else(|| format!("{} must be {min} to {max}, not {value}", name.to_string_lossy()))
}
