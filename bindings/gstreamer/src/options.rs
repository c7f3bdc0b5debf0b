//! The options of the command as properties of the element.

use dndi_bindings::{Error, Settings};
use gst::glib;
use gst::prelude::*;

/// The properties that are options, each with a description. All are texts, as on the command line.
/// Without a value an option has the default of the command, or that of `preset`.
pub const OPTIONS: [(&str, &str); 47] = [
    ("field-order", "Field order of the input: auto, header, tff, bff, progressive"),
    ("deinterlace", "Frames that are deinterlaced: auto, on, off, flagged, combed"),
    ("deinterlacer", "Algorithm: balanced, gen6, best"),
    ("rate", "Output rate: field, frame, film. Default: field, or frame if the clip starts progressive"),
    ("film", "Detection and removal of telecine: auto, off, reconstruct"),
    ("variable-rate", "With rate=film, each picture has its own duration: off, on"),
    ("denoise", "Denoising of luma: auto, off, on, light, medium, strong"),
    ("denoise-chroma", "Denoising of chroma: off, auto, on, light, medium, strong"),
    ("denoise-motion", "Denoising along motion: off, on"),
    ("denoise-filter", "Spatial filter of denoising: 3x3, 5x5"),
    ("drop-outs", "Repair of drop-outs of tapes: off, on"),
    ("dot-crawl", "Removal of dot crawl and rainbows of composite video: ntsc, pal"),
    ("chroma-shift", "Movement of chroma in luma samples and lines, in quarters: -3,1.5"),
    ("hot-pixel", "Removal of hot pixels: off, on"),
    ("deflicker", "Smoothing of moving parts between lines with deinterlacer=gen6: off, on"),
    ("mcdi", "Motion compensation of deinterlacer=gen6: on, off"),
    ("preset", "Set of options: default, fast, best, driver"),
    ("set", "Parameters of the stages: NAME=VALUE, separated by commas"),
    ("chroma", "Chroma sampling of deinterlaced frames: same, 422, 420, 420drop"),
    ("depth", "Bits per sample of the output: 8, 10, 12, 16"),
    ("dither", "Rounding to fewer bits: ordered, none"),
    ("scale", "Output size: WxH, :H, W: or a factor such as 2x"),
    ("scale-filter", "Filter of the scaler: poly8, poly5, bilinear"),
    ("crop", "Part of the picture: X,Y,W,H"),
    ("chroma-location", "Position of chroma samples in input and output: left, center, topleft"),
    ("sharpen", "Sharpening that adapts to the noise: off, detail3, detail5, combo"),
    ("ief", "Sharpening for a fixed noise level: off, detail3, detail5, combo"),
    ("brightness", "Added to luma: -100 to 100"),
    ("contrast", "Factor of luma and chroma: 0 to 10"),
    ("saturation", "Factor of chroma: 0 to 10"),
    ("hue", "Rotation of hue in degrees: -180 to 180"),
    ("skin-tone", "Correction of skin: 0 to 1"),
    ("tcc-colors", "Saturation of six colours: red=1.2,green=0.9"),
    ("auto-contrast", "Weight of the adaptive contrast in percent: 0 to 100"),
    ("aoi", "Rectangle that auto-contrast measures: X,Y,W,H"),
    ("colorspace", "Conversion FROM:TO, or TO alone: bt601, bt709, bt2020, each with -limited or -full"),
    ("white-balance", "White balance: set, auto"),
    ("gamma", "Gamma correction of RGB: 0.1 to 10"),
    ("gamut-compress", "Gamut compression: off, on"),
    ("lace", "Local contrast: off, on"),
    ("convolve", "Convolution: rows of coefficients, separated by semicolons"),
    ("filter-planes", "Planes of the convolution: luma, all"),
    ("std", "Detection of skin: off, on"),
    ("ste", "Correction of skin with its parameters as they are: off, on"),
    ("ace", "Adaptive contrast with its parameters as they are: off, on"),
    ("tcc", "Saturation of colours with its parameters as they are: off, on"),
    ("threads", "Number of threads of a pool of its own: 1 to 1024. Default: the pool of the process"),
];

/// The values of the options by their place in [`OPTIONS`]; none is the default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    values: [Option<String>; OPTIONS.len()],
}

impl Default for Options {
    fn default() -> Options {
        Options { values: [const { None }; OPTIONS.len()] }
    }
}

impl Options {
    /// The properties for the host. Changes take effect with the next caps.
    pub fn properties() -> impl Iterator<Item = glib::ParamSpec> {
        OPTIONS.iter().map(|(name, blurb)| glib::ParamSpecString::builder(name).nick(name).blurb(blurb).mutable_ready().build())
    }

    /// Sets an option. An empty text is the default.
    pub fn set(&mut self, name: &str, value: Option<String>) {
        if let Some(place) = place(name) {
            self.values[place] = value.filter(|value| !value.trim().is_empty());
        }
    }

    /// The value of an option; none is the default.
    pub fn get(&self, name: &str) -> Option<&str> {
        place(name).and_then(|place| self.values[place].as_deref())
    }

    /// Adds the options to settings. `space` is the colour space of the clip as in `bt601-limited`.
    ///
    /// # Errors
    /// If an option does not take its value.
    pub fn add_to(&self, settings: &mut Settings, space: &str) -> Result<(), Error> {
        for ((name, _), value) in OPTIONS.iter().zip(&self.values) {
            match value.as_deref() {
                None => {}
                Some(value) if *name == "set" => {
                    value.split(',').try_for_each(|assignment| settings.set(name, assignment))?;
                }
                Some(value) if *name == "colorspace" && !value.contains(':') => {
                    settings.set(name, &format!("{space}:{value}"))?;
                }
                Some(value) => settings.set(name, value)?,
            }
        }
        Ok(())
    }
}

fn place(name: &str) -> Option<usize> {
    OPTIONS.iter().position(|(option, _)| *option == name)
}
