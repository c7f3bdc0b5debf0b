//! Options of the repair, of the filters and the geometry of finished pictures, and of the stages
//! beyond Gen6.
use crate::values;
use dndi::convert::ConverterBuilder;
use dndi::{
    BayerPattern, Canvas, ChromaShift, ColorMatrix, ColorSpace, CompositeStandard, ConvolutionKernel, DenoiseFilter,
    FilterWindow, GammaTable, GamutTable, Geometry, Mirror, PictureFilters, Rotation, Sampling, ScaleFilter, Siting,
    StreamBuilder, VertexTable, WhiteBalance,
};
use std::fmt::Display;
use std::str::FromStr;

/// All names, for the message about an unknown one.
pub const NAMES: &str = "bayer, repair, drop-outs, dot-crawl, chroma-shift, denoise-filter, hot-pixel, deflicker, white-balance, ccm, gamma, \
    gamut-expand, front-csc, gamut-compress, lace, convolve, erode, dilate, minmax, filter-planes, scale-filter, mirror, rotate, \
    canvas, fill, output-chroma, siting-in, siting-out";

/// A layer of these options; none is an option that the layer does not have.
#[derive(Clone, Debug, Default)]
pub struct Extended {
    bayer: Option<BayerPattern>,
    repair: Option<bool>,
    drop_outs: Option<bool>,
    dot_crawl: Option<CompositeStandard>,
    chroma_shift: Option<ChromaShift>,
    denoise_filter: Option<DenoiseFilter>,
    hot_pixel: Option<bool>,
    deflicker: Option<bool>,
    white_balance: Option<WhiteBalance>,
    ccm: Option<bool>,
    gamma: Option<f64>,
    gamut_expand: Option<bool>,
    front_csc: Option<bool>,
    gamut_compress: Option<bool>,
    lace: Option<bool>,
    convolve: Option<ConvolutionKernel>,
    erode: Option<FilterWindow>,
    dilate: Option<FilterWindow>,
    minmax: Option<FilterWindow>,
    all_planes: Option<bool>,
    scale_filter: Option<ScaleFilter>,
    mirror: Option<Mirror>,
    rotate: Option<Rotation>,
    canvas: Option<Canvas>,
    fill: Option<values::Fill>,
    output_chroma: Option<Sampling>,
    siting_in: Option<Siting>,
    siting_out: Option<Siting>,
}

fn parse<T: FromStr<Err: Display>>(value: &str) -> Result<Option<T>, String> {
    value.parse().map(Some).map_err(|error: T::Err| error.to_string())
}

impl Extended {
    /// Sets the option `name`. Returns whether there is one.
    pub fn assign(&mut self, name: &str, value: &str) -> Result<bool, String> {
        let switch = || values::switch(value).map(Some);
        match name {
            "bayer" => self.bayer = parse(value)?,
            "repair" => self.repair = switch()?,
            "drop-outs" => self.drop_outs = switch()?,
            "dot-crawl" if value.eq_ignore_ascii_case("auto") => {
                return Err("auto measures the crosstalk in a file: `dndi inspect` names the standard".to_owned());
            }
            "dot-crawl" => self.dot_crawl = parse(value)?,
            "chroma-shift" if value.eq_ignore_ascii_case("auto") => {
                return Err("auto measures the movement in a file: `dndi inspect` prints it".to_owned());
            }
            "chroma-shift" => self.chroma_shift = parse(value)?,
            "denoise-filter" => self.denoise_filter = parse(value)?,
            "hot-pixel" => self.hot_pixel = switch()?,
            "deflicker" => self.deflicker = switch()?,
            "white-balance" => self.white_balance = parse(value)?,
            "ccm" => self.ccm = switch()?,
            "gamma" => {
                let gamma = value.parse().map_err(|_| format!("'{value}' is no number"))?;
                GammaTable::power(gamma).map_err(|error| error.to_string())?;
                self.gamma = Some(gamma);
            }
            "gamut-expand" => self.gamut_expand = switch()?,
            "front-csc" => self.front_csc = switch()?,
            "gamut-compress" => self.gamut_compress = switch()?,
            "lace" => self.lace = switch()?,
            "convolve" => self.convolve = parse(value)?,
            "erode" => self.erode = parse(value)?,
            "dilate" => self.dilate = parse(value)?,
            "minmax" => self.minmax = parse(value)?,
            "filter-planes" => {
                self.all_planes = Some(match value {
                    "luma" => false,
                    "all" => true,
                    _ => return Err(format!("no value '{value}'; there are: luma, all")),
                });
            }
            "scale-filter" => self.scale_filter = parse(value)?,
            "mirror" => self.mirror = parse(value)?,
            "rotate" => self.rotate = parse(value)?,
            "canvas" => self.canvas = Some(values::canvas(value)?),
            "fill" => self.fill = Some(values::fill(value)?),
            "output-chroma" => {
                let sampling = parse(value)?.filter(|sampling| *sampling != Sampling::C411);
                self.output_chroma = Some(sampling.ok_or("there are: 420, 422, 444, mono")?);
            }
            "siting-in" => self.siting_in = Some(values::siting(value)?),
            "siting-out" => self.siting_out = Some(values::siting(value)?),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The repair of the input.
    pub fn repair(&self, builder: ConverterBuilder) -> ConverterBuilder {
        let drop_outs = self.drop_outs.or(self.repair).unwrap_or(false);
        builder.repair_drop_outs(drop_outs).repair_dot_crawl(self.dot_crawl).chroma_shift(self.chroma_shift.unwrap_or_default())
    }

    /// The stages of a stream. `matrix` is that of the clip if it is known, and `input` its colour
    /// space.
    pub fn stages(&self, matrix: Option<ColorMatrix>, input: ColorSpace, stream: StreamBuilder) -> StreamBuilder {
        let is = |option: Option<bool>| option.unwrap_or(false);
        let space = ColorSpace { matrix: matrix.unwrap_or(ColorMatrix::Bt709), ..input };
        let stream =
            stream.denoise_filter(self.denoise_filter.unwrap_or_default()).hot_pixels(is(self.hot_pixel)).bayer(self.bayer);
        let stream = stream.deflicker(is(self.deflicker)).rgb_space(space).white_balance(self.white_balance);
        let stream = stream.color_correction(is(self.ccm)).front_conversion(is(self.front_csc));
        let stream = stream.gamma(self.gamma.and_then(|gamma| GammaTable::power(gamma).ok()));
        let stream = stream.gamut_expansion(is(self.gamut_expand).then(GamutTable::default));
        let stream = stream.gamut_compression(is(self.gamut_compress).then(|| VertexTable::of(space.matrix)));
        stream.local_contrast(is(self.lace)).filters(self.filters()).geometry(self.geometry())
    }

    fn filters(&self) -> PictureFilters {
        let filters = PictureFilters::default().convolve(self.convolve.clone()).erode(self.erode.clone());
        let filters = filters.dilate(self.dilate.clone()).extent(self.minmax.clone());
        filters.all_planes(self.all_planes.unwrap_or(false))
    }

    fn geometry(&self) -> Geometry {
        let canvas = self.canvas.map(|canvas| self.fill.map_or(canvas, |fill| canvas.fill(fill.0)));
        let geometry = Geometry::default().sampling(self.output_chroma).sitings(self.siting_in, self.siting_out);
        geometry.mirror(self.mirror).rotation(self.rotate).canvas(canvas)
    }

    /// The filter of the scaler.
    pub fn scale_filter(&self) -> ScaleFilter {
        self.scale_filter.unwrap_or_default()
    }
}
