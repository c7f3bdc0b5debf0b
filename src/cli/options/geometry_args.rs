//! Options of the geometry and of the chroma sampling of the output.

use super::geometry_text::{Fill, canvas, fill, siting};
use clap::ValueEnum;
use dndi::y4m::{self, Header};
use dndi::{Canvas, Geometry, Sampling, ScaleFilter, Siting};

/// Options of the geometry and of the chroma sampling of the output.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Geometry and chroma format")]
pub struct GeometryArgs {
    /// Filter of the scaler
    #[arg(long, value_name = "FILTER", value_enum, default_value = "poly8")]
    pub scale_filter: Filter,

    /// Reflect the picture, before --rotate
    #[arg(long, value_name = "AXIS", value_enum)]
    pub mirror: Option<Mirror>,

    /// Rotate the picture clockwise, by degrees
    #[arg(long, value_name = "90|180|270", value_enum, hide_possible_values = true)]
    pub rotate: Option<Rotate>,

    /// Put the picture into a frame of WxH with its top left at X, Y, which can be negative
    #[arg(long, value_name = "WxH+X+Y", value_parser = canvas)]
    pub canvas: Option<Canvas>,

    /// Colour around the picture in the frame of --canvas, in code values of 8 bits
    #[arg(long, value_name = "Y,U,V", value_parser = fill, default_value = "16,128,128")]
    pub fill: Fill,

    /// Convert the finished picture to this chroma sampling
    #[arg(long, value_name = "CHROMA", value_enum)]
    pub output_chroma: Option<OutputChroma>,

    /// Position of the chroma samples before --output-chroma, in eighths of a luma step to the
    /// right and down [default: by the chroma location]
    #[arg(long, value_name = "H,V", value_parser = siting)]
    pub siting_in: Option<Siting>,

    /// The same after --output-chroma [default: 0,4 for 4:2:0 made of 4:2:2, 4,4 for other 4:2:0;
    /// 0 for 4:2:2]
    #[arg(long, value_name = "H,V", value_parser = siting)]
    pub siting_out: Option<Siting>,
}

/// `--scale-filter`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Filter {
    /// Eight taps for luma, four for chroma, adaptive
    Poly8,
    /// Five taps for luma, four for chroma, adaptive
    Poly5,
    /// Linear interpolation
    Bilinear,
}

impl From<Filter> for ScaleFilter {
    fn from(filter: Filter) -> ScaleFilter {
        match filter {
            Filter::Poly8 => ScaleFilter::Poly8,
            Filter::Poly5 => ScaleFilter::Poly5,
            Filter::Bilinear => ScaleFilter::Bilinear,
        }
    }
}

/// `--mirror`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Mirror {
    /// Left and right change places
    H,
    /// Top and bottom change places
    V,
}

impl From<Mirror> for dndi::Mirror {
    fn from(mirror: Mirror) -> dndi::Mirror {
        match mirror {
            Mirror::H => dndi::Mirror::Horizontal,
            Mirror::V => dndi::Mirror::Vertical,
        }
    }
}

/// `--rotate`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[allow(missing_docs)]
pub enum Rotate {
    #[value(name = "90")]
    Quarter,
    #[value(name = "180")]
    Half,
    #[value(name = "270")]
    ThreeQuarters,
}

impl From<Rotate> for dndi::Rotation {
    fn from(rotate: Rotate) -> dndi::Rotation {
        match rotate {
            Rotate::Quarter => dndi::Rotation::Quarter,
            Rotate::Half => dndi::Rotation::Half,
            Rotate::ThreeQuarters => dndi::Rotation::ThreeQuarters,
        }
    }
}

/// `--output-chroma`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[allow(missing_docs)]
pub enum OutputChroma {
    #[value(name = "420")]
    C420,
    #[value(name = "422")]
    C422,
    #[value(name = "444")]
    C444,
    Mono,
}

impl From<OutputChroma> for Sampling {
    fn from(chroma: OutputChroma) -> Sampling {
        match chroma {
            OutputChroma::C420 => Sampling::C420,
            OutputChroma::C422 => Sampling::C422,
            OutputChroma::C444 => Sampling::C444,
            OutputChroma::Mono => Sampling::Mono,
        }
    }
}

impl GeometryArgs {
    /// Whether pixels of the output have other positions.
    pub fn moves_pixels(&self) -> bool {
        self.mirror.is_some() || self.rotate.is_some() || self.canvas.is_some()
    }

    /// Warnings about options without effect, and whether they apply. `scales` is whether frames
    /// are scaled.
    pub fn ineffective(&self, scales: bool) -> [(bool, &'static str); 3] {
        let sited = self.siting_in.or(self.siting_out).is_some();
        [
            (self.scale_filter != Filter::Poly8 && !scales, "--scale-filter has no effect without --scale or --crop"),
            (self.fill != Fill([16, 128, 128]) && self.canvas.is_none(), "--fill has no effect without --canvas"),
            (sited && self.output_chroma.is_none(), "--siting-in and --siting-out have no effect without --output-chroma"),
        ]
    }

    /// The geometry of the output.
    pub fn geometry(&self) -> Geometry {
        let geometry = Geometry::default().sampling(self.output_chroma.map(Into::into));
        let geometry = geometry.sitings(self.siting_in, self.siting_out).mirror(self.mirror.map(Into::into));
        geometry.rotation(self.rotate.map(Into::into)).canvas(self.canvas.map(|canvas| canvas.fill(self.fill.0)))
    }

    /// The header of the output for pictures of `header`.
    ///
    /// # Errors
    /// If y4m cannot hold the output.
    pub fn tag(&self, header: Header) -> Result<Header, y4m::Error> {
        let mut header = match self.output_chroma.map(Sampling::from) {
            Some(sampling) if sampling != header.sampling() => {
                let header = header.with_sampling(sampling)?;
                match self.siting_out.and_then(Siting::location) {
                    Some(location) => header.with_chroma_location(location),
                    None => header,
                }
            }
            _ => header,
        };
        if self.rotate.is_some_and(|rotate| rotate != Rotate::Half) {
            header = header.rotated()?;
        }
        match self.canvas {
            Some(Canvas { width, height, .. }) => header.with_frame_size(width, height),
            None => Ok(header),
        }
    }
}
