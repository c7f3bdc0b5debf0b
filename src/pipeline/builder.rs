//! The builder of a stream.
use super::settings::{ChromaOutput, Settings};
use super::stream::Stream;
use crate::adapt::denoise::DenoiseMode;
use crate::capture::BayerPattern;
use crate::color::{GammaTable, GamutTable, VertexTable, WhiteBalance};
use crate::deinterlace::Deinterlacer;
use crate::denoise::DenoiseFilter;
use crate::depth::{Dither, FullRange};
use crate::enhance::SharpenMode;
use crate::error::Error;
use crate::format::{ChromaLocation, ColorSpace, Format, Geometry, Rect, Scan};
use crate::parameters::Parameters;
use crate::picture_filter::PictureFilters;
use crate::scale::Scale;
use dndi_simd::{Kernels, SimdLevel};

/// Settings of a [`Stream`], from [`Stream::builder`].
#[derive(Clone, Debug)]
#[must_use]
pub struct StreamBuilder {
    pub(crate) settings: Settings,
}

impl Stream {
    /// A builder for pictures of `format`. By default frames are denoised with
    /// [`DenoiseMode::Auto`], and deinterlaced if `scan` is interlaced.
    pub fn builder(format: Format, scan: Scan) -> StreamBuilder {
        StreamBuilder { settings: Settings::new(format, scan) }
    }
}

impl StreamBuilder {
    /// Sets luma denoising. Default: [`DenoiseMode::Auto`], which adapts to the measured noise.
    /// `true` and `false` are shorthand for [`DenoiseMode::On`] and [`DenoiseMode::Off`].
    pub fn denoise(mut self, mode: impl Into<DenoiseMode>) -> StreamBuilder {
        self.settings.denoise = mode.into();
        self
    }

    /// Sets chroma denoising. Default: [`DenoiseMode::Auto`], which measures the noise of the
    /// chroma; off if luma denoising is [`DenoiseMode::Off`], and also if it is
    /// [`DenoiseMode::On`] without [`denoise_motion`](StreamBuilder::denoise_motion). The driver of
    /// the message path has no chroma denoising, and its default is off.
    ///
    /// The filter is that of the luma with parameters of its own,
    /// [`Parameters::chroma_denoise`]. 4:1:1 that is deinterlaced is filtered as 4:2:2.
    /// With `denoise_motion` the filter has no parameters, and 4:1:1 is filtered as it is.
    pub fn denoise_chroma(mut self, mode: impl Into<DenoiseMode>) -> StreamBuilder {
        self.settings.denoise_chroma = Some(mode.into());
        self
    }

    /// Sets whether denoising follows motion (§16). Default: off, with the filter that has a motion
    /// history (§2). Switched on, each sample is averaged with the matching ones of the frame
    /// before and the frame after, of fields of the same parity in interlaced frames, and the noise
    /// that remains is reduced in blocks. [`denoise`](StreamBuilder::denoise) and
    /// [`denoise_chroma`](StreamBuilder::denoise_chroma) set the noise levels of luma and chroma.
    /// The parameters of the other filter have no effect, so [`DenoiseMode::On`] is the same as
    /// [`DenoiseMode::Auto`]. Outputs and statistics come one frame later.
    pub fn denoise_motion(mut self, on: bool) -> StreamBuilder {
        self.settings.denoise_motion = on;
        self
    }

    /// Sets the spatial filter of denoising (§2.3, §13.3), of luma and chroma. Default:
    /// [`DenoiseFilter::Neighbours3`]. It has no effect with
    /// [`denoise_motion`](StreamBuilder::denoise_motion).
    pub fn denoise_filter(mut self, filter: DenoiseFilter) -> StreamBuilder {
        self.settings.denoise_filter = filter;
        self
    }

    /// Sets whether hot pixels are removed from the input, before all other stages (§13.2).
    /// Default: off. The parameters are those of
    /// [`Parameters::hot_pixels`](crate::Parameters::hot_pixels).
    pub fn hot_pixels(mut self, on: bool) -> StreamBuilder {
        self.settings.hot_pixels = on;
        self
    }

    /// Sets the pattern of raw Bayer frames (§13.8). The input is monochrome, the output 4:4:4.
    /// Default: none. The stages that would mix its colours must be off: `denoise(false)`, no
    /// deinterlacing, scaling or sharpening. The parameters are those of
    /// [`Parameters::capture`](crate::Parameters::capture).
    pub fn bayer(mut self, pattern: impl Into<Option<BayerPattern>>) -> StreamBuilder {
        self.settings.bayer = pattern.into();
        self.settings.extended.captured = self.settings.bayer.is_some();
        self
    }

    /// Sets whether fields are completed to frames. Default: on if the scan is interlaced.
    pub fn deinterlace(mut self, on: bool) -> StreamBuilder {
        self.settings.deinterlace = on;
        self
    }

    /// Sets the algorithm that completes fields to frames. Default: [`Deinterlacer::Balanced`].
    pub fn deinterlacer(mut self, deinterlacer: Deinterlacer) -> StreamBuilder {
        self.settings.deinterlacer = deinterlacer;
        self
    }

    /// Sets whether the luma of deinterlaced frames is smoothed between its lines where it moves
    /// (§13.12), against the flicker of fine horizontal lines. Default: off. Woven frames stay as
    /// they are. It has an effect with [`Deinterlacer::Gen6`] alone, whose motion measure it reads.
    /// The parameters are those of [`Parameters::deflicker`](crate::Parameters::deflicker).
    pub fn deflicker(mut self, on: bool) -> StreamBuilder {
        self.settings.deflicker = on;
        self
    }

    /// Sets the chroma sampling of deinterlaced frames. Default: the input's.
    pub fn chroma(mut self, chroma: ChromaOutput) -> StreamBuilder {
        self.settings.chroma = chroma;
        self
    }

    /// Sets the parameters of all stages.
    pub fn parameters(mut self, parameters: Parameters) -> StreamBuilder {
        self.settings.parameters = parameters;
        self
    }

    /// Sets whether the stream makes [`Statistics`](super::Statistics) of each step. Default: on.
    /// Switched off, measures that no picture depends on take no time.
    pub fn statistics(mut self, on: bool) -> StreamBuilder {
        self.settings.statistics = on;
        self
    }

    /// Sets whether [`Statistics::encoder`](super::Statistics::encoder) has the sums of each block
    /// of 16×4 pixels, for a video encoder (§13.12). Default: off. They are part of the statistics,
    /// so they need [`statistics`](StreamBuilder::statistics).
    pub fn encoder_statistics(mut self, on: bool) -> StreamBuilder {
        self.settings.encoder_statistics = on;
        self
    }

    /// Sets the instruction set. Default: the one that the environment variable `DNDI_LEVEL` names,
    /// else the best one of the processor.
    pub fn simd_level(mut self, level: impl Into<Option<SimdLevel>>) -> StreamBuilder {
        self.settings.simd_level = level.into();
        self
    }

    /// Sets the scaler. Default: off. Interlaced frames that are not deinterlaced are scaled field
    /// by field.
    pub fn scale(mut self, scale: impl Into<Option<Scale>>) -> StreamBuilder {
        self.settings.scale = scale.into();
        self
    }

    /// Sets the chroma location of input and output, which the scaler uses. Default:
    /// [`ChromaLocation::Center`] for 4:2:0, else [`ChromaLocation::Left`].
    pub fn chroma_location(mut self, location: ChromaLocation) -> StreamBuilder {
        self.settings.chroma_location = location;
        self
    }

    /// Sets luma sharpening, the last stage before the colour pipe. Default: off. Interlaced frames
    /// that are not deinterlaced are sharpened field by field.
    pub fn sharpen(mut self, mode: impl Into<Option<SharpenMode>>) -> StreamBuilder {
        self.settings.sharpen = mode.into();
        self
    }

    /// Sets whether sharpening adapts to the noise estimate of the previous step (§2.6). Default:
    /// off, with the noise of the parameter `ief.global_noise_estimation`, which the first step
    /// always uses.
    pub fn measured_noise(mut self, on: bool) -> StreamBuilder {
        self.settings.measured_noise = on;
        self
    }

    /// Sets whether each output has [`LumaStatistics`](crate::LumaStatistics). Default: off.
    pub fn luma_statistics(mut self, on: bool) -> StreamBuilder {
        self.settings.luma_statistics = on;
        self
    }

    /// Sets the part of the scaled picture, in luma samples, that the histogram of
    /// [`LumaStatistics`](crate::LumaStatistics) counts. Default: all of it. The parameter
    /// `color.full_image_histogram` overrides the area.
    pub fn area_of_interest(mut self, area: impl Into<Option<Rect>>) -> StreamBuilder {
        self.settings.area_of_interest = area.into();
        self
    }

    /// Sets the weight, 0…100 %, of an automatic contrast curve (§6.3), which follows from the
    /// histograms of each frame and of the frames before it. Default: off. The curve lies between
    /// `color.ymin` and `color.ymax` and replaces the curve of the parameters.
    pub fn auto_contrast(mut self, strength: impl Into<Option<u8>>) -> StreamBuilder {
        self.settings.auto_contrast = strength.into();
        self
    }

    /// Sets the colour space of luma and chroma for the stages on RGB (§13.1). Default: BT.709,
    /// limited range.
    pub fn rgb_space(mut self, space: ColorSpace) -> StreamBuilder {
        self.settings.extended.space = space;
        self
    }

    /// Sets the white balance (§13.7), the first stage on RGB. Default: off.
    pub fn white_balance(mut self, mode: impl Into<Option<WhiteBalance>>) -> StreamBuilder {
        self.settings.extended.white_balance = mode.into();
        self
    }

    /// Sets whether the colour correction matrix `color.ccm_c0` to `color.ccm_c8` with its offsets
    /// is applied to RGB (§13.4). Default: off.
    pub fn color_correction(mut self, on: bool) -> StreamBuilder {
        self.settings.extended.correction = on;
        self
    }

    /// Sets the gamma curves of RGB, behind the colour correction matrix (§13.4). Default: none.
    pub fn gamma(mut self, table: impl Into<Option<GammaTable>>) -> StreamBuilder {
        self.settings.extended.gamma = table.into();
        self
    }

    /// Sets gamut expansion (§13.4), the last stage on RGB, and its curves. Default: off.
    pub fn gamut_expansion(mut self, table: impl Into<Option<GamutTable>>) -> StreamBuilder {
        self.settings.extended.gamut_expansion = table.into();
        self
    }

    /// Sets whether the front-end conversion `color.fecsc_c0` to `color.fecsc_c8` with its offsets
    /// is applied to luma and chroma (§13.4), before all other stages of the colour pipe but those
    /// on RGB. Default: off.
    pub fn front_conversion(mut self, on: bool) -> StreamBuilder {
        self.settings.extended.front_conversion = on;
        self
    }

    /// Sets gamut compression (§13.5) and the most saturated colours that it keeps. Default: off.
    pub fn gamut_compression(mut self, table: impl Into<Option<VertexTable>>) -> StreamBuilder {
        self.settings.extended.gamut_compression = table.into();
        self
    }

    /// Sets whether the local contrast is raised (§13.6), with the parameters of
    /// [`Parameters::local_contrast`](crate::Parameters::local_contrast). Default: off.
    pub fn local_contrast(mut self, on: bool) -> StreamBuilder {
        self.settings.extended.local_contrast = on;
        self
    }

    /// Sets the filters of finished pictures, after the colour pipe (§13.9). Default: none. They do
    /// not separate fields.
    pub fn filters(mut self, filters: PictureFilters) -> StreamBuilder {
        self.settings.filters = filters;
        self
    }

    /// Sets the chroma sampling, the orientation and the canvas of the output (§13.10). Default: as
    /// the picture. Interlaced frames that are not deinterlaced can only be mirrored horizontally.
    pub fn geometry(mut self, geometry: Geometry) -> StreamBuilder {
        self.settings.geometry = geometry;
        self
    }

    /// Sets the bits per sample of the output, 8 to 16. Default: those of the input. All stages
    /// work at the greater of both depths (§9.1), so that a greater depth of the output keeps the
    /// precision of averages, and a smaller one loses it once, at the end.
    pub fn output_depth(mut self, depth: impl Into<Option<u8>>) -> StreamBuilder {
        self.settings.output_depth = depth.into();
        self
    }

    /// Sets the offsets that are added before samples are lowered to the depth of the output.
    /// Default: [`Dither::Ordered`].
    pub fn dither(mut self, dither: Dither) -> StreamBuilder {
        self.settings.dither = dither;
        self
    }

    /// Sets the full-range planes of the input and of the output, which changes of depth treat
    /// differently (§9.6). Default: [`FullRange::None`]. A [`ColorRange`](crate::ColorRange) is
    /// that of luma and chroma.
    pub fn range(mut self, range: impl Into<FullRange>) -> StreamBuilder {
        self.settings.range = range.into();
        self
    }

    /// Sets the full-range planes of the output, if the colour pipe makes them others than those of
    /// the input: [`FullRange::Rgb`] if it converts to RGB. Default: those of the input.
    pub fn output_range(mut self, range: impl Into<FullRange>) -> StreamBuilder {
        self.settings.output_range = Some(range.into());
        self
    }

    /// Checks the settings and allocates all memory of the stream.
    ///
    /// # Errors
    /// Those of [`check`](StreamBuilder::check), [`Error::SimdLevel`] if the processor lacks the
    /// instruction set, or if `DNDI_LEVEL` names none, and [`Error::OutOfMemory`].
    pub fn build(self) -> Result<Stream, Error> {
        self.check()?;
        let kernels = Kernels::at(self.settings.simd_level.map_or_else(SimdLevel::from_env, Ok)?)?;
        Ok(Stream::new(self.settings, kernels)?)
    }

    /// Checks the settings without allocating memory.
    ///
    /// # Errors
    /// The first that applies of [`Error::Depth`], [`Error::Size`], [`Error::NotInterlaced`],
    /// [`Error::Chroma`], [`Error::OutputSize`], [`Error::Crop`], [`Error::Geometry`],
    /// [`Error::Area`] and [`Error::Parameter`].
    pub fn check(&self) -> Result<(), Error> {
        self.settings.check()
    }

    /// Format of the output frames.
    pub fn output_format(&self) -> Format {
        self.settings.output_format()
    }
}
