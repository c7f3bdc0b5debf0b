//! The plan of a conversion: the header of the output, and warnings about the options.

use super::header_line;
use super::measured_values::{chroma_shift, crop, dot_crawl};
use super::survey::Measured;
use crate::error::CliError;
use crate::io::input;
use crate::options::layers::{Options, StageSettings};
use crate::options::values::{
    Chroma, Deinterlace, Deinterlacer, Denoise, Dither, Engine, FieldOrder, Film, Preset, Rate, Switch,
};
use dndi::convert::{ClipPlan, Converter, ConverterBuilder, NoFieldMatching, OutputRate};
use dndi::gen6::eu::{Driver, DriverError};
use dndi::y4m::Header;
use dndi::{
    ChromaDenoiseParameters, ChromaLocation, ChromaShift, ClipStart, ColorSpace, CompensationParameters, CompositeStandard,
    Content, DeinterlaceParameters, DenoiseParameters, Error, FilterTables, FullRange, Parameters, Reason, Rect, Sampling, Scale,
    Scan, SimdLevel, Stream, StreamBuilder,
};
use std::sync::Arc;

/// The settings of the streams of a conversion.
#[derive(Clone, Debug)]
pub struct StreamSettings {
    stages: StageSettings,
    scale: Option<Scale>,
    chroma_shift: ChromaShift,
    dot_crawl: Option<CompositeStandard>,
    location: ChromaLocation,
    statistics: bool,
    level: SimdLevel,
    /// The full-range planes of the input and of the output.
    ranges: [FullRange; 2],
    /// The colour space of the input.
    space: ColorSpace,
}

impl StreamSettings {
    /// The settings for an input with this header, and the measurements of its windows.
    pub fn new(
        options: &Options,
        header: &Header,
        level: SimdLevel,
        measured: Option<&Measured>,
    ) -> Result<StreamSettings, CliError> {
        let stages = options.stage_settings(header.color_space(), header.format().depth)?;
        let scale = scale(options, header, stages.scaler, crop(options, header, measured)?);
        let chroma_shift = chroma_shift(options, header, measured)?;
        let dot_crawl = dot_crawl(options, measured)?;
        // The chroma of deinterlaced 4:2:2 is on the left, for any location in the header.
        let own = if options.chroma == Chroma::C422 { ChromaLocation::Left } else { header.chroma_location() };
        let location = options.chroma_location.map_or(own, Into::into);
        let ranges = options.color.full_ranges(header.color_space());
        let space = header.color_space();
        Ok(StreamSettings {
            stages,
            scale,
            chroma_shift,
            dot_crawl,
            location,
            statistics: options.stats.is_some() || options.encoder_stats.is_some(),
            level,
            ranges,
            space,
        })
    }

    /// Applies the settings of the stages before the pictures of blended fields.
    pub fn before_deblending(&self, options: &Options, builder: ConverterBuilder) -> ConverterBuilder {
        let builder = builder.repair_drop_outs(options.drop_outs || options.repair).repair_dot_crawl(self.dot_crawl);
        let builder = builder.chroma_shift(self.chroma_shift);
        let parameters = self.stages.parameters.clone();
        builder.stream(|stream| stream.parameters(parameters).simd_level(self.level).deinterlacer(options.deinterlacer.into()))
    }

    /// Applies the settings to a stream.
    fn apply(&self, options: &Options, builder: StreamBuilder) -> StreamBuilder {
        let StreamSettings { stages, scale, location, statistics, level, ranges: [range, output_range], space, .. } =
            self.clone();
        let of_state = stages.enables.denoise_chroma && options.denoise_chroma == Denoise::Off;
        let chroma = if of_state { Denoise::On } else { options.denoise_chroma };
        let builder = builder.denoise(options.denoise).denoise_chroma(chroma);
        let builder = builder.denoise_motion(options.denoise_motion.is_on()).chroma(options.chroma.into());
        let builder = builder.parameters(stages.parameters).simd_level(level).statistics(statistics).luma_statistics(statistics);
        let builder = builder.deinterlacer(options.deinterlacer.into()).scale(scale).chroma_location(location);
        let builder = builder.output_depth(options.depth).dither(options.dither.into()).range(range).output_range(output_range);
        let builder = builder.sharpen(stages.sharpen).measured_noise(stages.measured_noise);
        let builder = builder.denoise_filter(options.denoise_filter.into()).hot_pixels(options.hot_pixel);
        let builder = builder.deflicker(options.deflicker.map_or(stages.enables.deflicker, Switch::is_on));
        let builder = builder.encoder_statistics(options.encoder_stats.is_some());
        let builder = builder.bayer(options.bayer.map(Into::into));
        let builder = options.color.extended.apply(&stages.tables, stages.enables, space, builder);
        let builder = builder.auto_contrast(options.color.auto_contrast).area_of_interest(options.color.aoi);
        builder.filters(options.filters.filters()).geometry(options.geometry.geometry())
    }

    /// Whether a stage of the colour pipe is on.
    fn changes_colors(&self, options: &Options) -> bool {
        let color = &self.stages.parameters.color;
        let enabled = [color.std_enable, color.ace_enable, color.tcc_enable, color.procamp_enable, color.transform_enable];
        options.color.auto_contrast.is_some() || options.color.extended.is_on() || enabled.contains(&true)
    }
}

/// The builder of a converter with the options that define the detection.
fn detection(options: &Options, header: &Header) -> ConverterBuilder {
    let builder = Converter::builder(header.format()).interlacing(header.interlacing());
    let builder = builder.field_order(options.field_order.into()).deinterlace(options.deinterlace.into());
    builder.field_matching(options.film.into()).match_source(options.match_source())
}

/// Whether a survey of the input has an effect on the conversion.
pub fn uses_survey(options: &Options, header: &Header) -> bool {
    detection(options, header).rate(options.rate).uses_survey()
}

/// The builder of the converter that the options describe. `has_times` is whether the output has
/// the time of each frame.
pub fn converter(options: &Options, header: &Header, settings: &StreamSettings, has_times: bool) -> ConverterBuilder {
    let builder = detection(options, header);
    let builder = match header.rate() {
        Some((frames, seconds)) => builder.frame_rate(frames, seconds),
        None => builder,
    };
    let builder = builder.rate(options.rate).variable_rate(options.timecodes.is_some() || has_times);
    let builder = builder
        .repair_drop_outs(options.drop_outs || options.repair)
        .repair_dot_crawl(settings.dot_crawl)
        .chroma_shift(settings.chroma_shift)
        .first_output(options.skip)
        .stream(|stream| settings.apply(options, stream));
    match options.hardware.engine {
        Engine::Pipeline => builder,
        Engine::Messages => builder.engine(|stream| Ok(Box::new(Driver::new(stream, None)?))),
    }
}

/// The plan of a conversion.
#[derive(Debug)]
pub struct Plan {
    /// The part that the converter planned.
    pub clip: Arc<ClipPlan>,
    /// The header of the output, if it is y4m.
    pub output: Header,
    /// The settings of the streams.
    settings: StreamSettings,
}

impl Plan {
    /// Makes the plan, and checks the options against the clip. No frames are allocated.
    pub fn new(options: &Options, header: &Header, clip: Arc<ClipPlan>, settings: StreamSettings) -> Result<Plan, CliError> {
        let name = input::name(&options.input);
        if options.hardware.engine == Engine::Messages {
            let builder = settings.apply(options, Stream::builder(header.format(), clip.scan));
            let builder = if options.deinterlace == Deinterlace::Off { builder.deinterlace(false) } else { builder };
            let wrong = |error| match error {
                DriverError::Stream(Error::OutOfMemory(error)) => CliError::runtime(error),
                error => CliError::usage(options.origins.of_option("engine", format_args!("engine messages: {error}"))),
            };
            Driver::check(&builder).map_err(wrong)?;
        }
        let too_high = |error| CliError::usage(format_args!("{name}: {error}; use --rate frame"));
        let double = clip.rate == OutputRate::Field;
        let output = if clip.deinterlace {
            header.to_progressive(clip.picture_format.sampling, double).map_err(too_high)?
        } else if clip.progressive {
            header.to_progressive(header.sampling(), double).map_err(too_high)?
        } else {
            header.clone()
        };
        // RGB has no header, and can have depths that 4:1:1 cannot.
        let output = match options.depth.filter(|_| options.color.rgb.is_none()) {
            Some(depth) => output.with_depth(depth).map_err(|_| {
                let why = "y4m cannot hold 4:1:1 of more than 8 bits; deinterlaced it becomes 4:2:2";
                CliError::usage(options.origins.of_option("depth", format_args!("depth {depth}: {why}")))
            })?,
            None => output,
        };
        let output = match (clip.rate, header.rate()) {
            (OutputRate::Film, Some((num, den))) => {
                let (pictures, frames) = clip.film_ratio;
                let rate = output.with_rate(u64::from(num) * u64::from(pictures), u64::from(den) * u64::from(frames));
                rate.map_err(too_high)?
            }
            _ => output,
        };
        if options.timecodes.is_some() && header.rate().is_none() {
            return Err(CliError::usage(format_args!("{name}: --timecodes needs a frame rate, which the header lacks")));
        }
        let output = match options.chroma_location {
            Some(location) => output.with_chroma_location(location.into()),
            None => output,
        };
        let output = match &settings.scale {
            Some(Scale { width, height, crop, .. }) => {
                let whole = Rect { x: 0, y: 0, width: header.width(), height: header.height() };
                let scaled = output.to_scaled(crop.unwrap_or(whole), *width, *height);
                scaled.map_err(|error| CliError::usage(format_args!("{name}: {error}")))?
            }
            None => output,
        };
        let output = match options.bayer {
            Some(_) => output.with_sampling(Sampling::C444).map_err(|error| CliError::usage(format_args!("{name}: {error}")))?,
            None => output,
        };
        let output = options.color.tag(output, header);
        if options.color.rgb.is_some() && options.geometry.output_chroma.is_some() {
            let why = "output-chroma: RGB has no chroma; omit --rgb or --output-chroma";
            return Err(CliError::usage(options.origins.of_option("output-chroma", why)));
        }
        let output = options.geometry.tag(output).map_err(|error| CliError::usage(format_args!("{name}: {error}")))?;
        let output = header_line::for_ffmpeg(output)?;
        Ok(Plan { clip, output, settings })
    }

    /// Warnings about options without effect, and about an unknown field order.
    pub fn warnings(&self, options: &Options, header: &Header) -> Vec<String> {
        let clip = &self.clip;
        let determined = clip.start.is_some_and(|start| start.reason != Reason::Undetermined);
        let advice = match (options.field_order, options.deinterlace) {
            _ if header.interlacing().scan().is_some() || determined => None,
            (_, Deinterlace::Off) | (FieldOrder::Progressive, _) => None,
            (_, Deinterlace::Flagged) => Some("--field-order tff or --field-order bff, and --deinterlace on"),
            (FieldOrder::Tff | FieldOrder::Bff, _) => None,
            _ => Some("--field-order tff or --field-order bff"),
        };
        let known = "If you know the clip is interlaced, use";
        let order = advice.map(|advice| match clip.detection {
            Some(needs) if needs.content => {
                let effect = "frames pass through until interlacing is detected";
                format!("the header has no field order; {effect}. {known} {advice}")
            }
            Some(_) => {
                let effect = "top field first is assumed until the order is detected";
                format!("the header has no field order; {effect}. If it is not detected, use --field-order bff")
            }
            None => format!("the header has no field order; nothing is deinterlaced. {known} {advice}"),
        });
        let repeated = match (clip.rate, clip.start) {
            // A survey would have found the film.
            (OutputRate::Field, Some(ClipStart { content: Content::Film, pulldown: Some(pulldown), .. }))
                if options.rate == Rate::Auto && clip.survey.is_none() && clip.detection.is_some_and(|needs| needs.content) =>
            {
                Some(format!(
                    "the first frames alone define the rate, and they are film {pulldown}; the output has one frame per field, in case that video follows, and repeats each film frame. --rate film outputs each once"
                ))
            }
            _ => None,
        };
        let film = why_no_field_matching(options, Some(header)).filter(|_| options.film == Film::Reconstruct);
        let film = film.map(|why| format!("--film reconstruct has no effect: {why}"));
        let used = options.stats.is_some() || options.color.auto_contrast.is_some();
        let along_motion = options.denoise_motion.is_on();
        let denoises_luma = options.denoise != Denoise::Off;
        let denoises_chroma = options.denoise_chroma != Denoise::Off && header.sampling() != Sampling::Mono;
        let Parameters { denoise, chroma_denoise, .. } = &self.settings.stages.parameters;
        let set = *denoise != DenoiseParameters::default() || *chroma_denoise != ChromaDenoiseParameters::default();
        let parameters = &self.settings.stages.parameters;
        let set_gen6 = options.deinterlacer != Deinterlacer::Gen6
            && clip.deinterlace
            && options.hardware.mcdi.is_none()
            && (parameters.deinterlace != DeinterlaceParameters::default()
                || parameters.compensation != CompensationParameters::default());
        let rest = [
            (options.matches.is_some() && !clip.deinterlace, "--matches has no effect if nothing is deinterlaced"),
            (
                options.hardware.ste && !self.settings.stages.parameters.color.std_enable,
                "--ste has no effect without --std, which detects skin",
            ),
            (
                parameters.sharpen.skin_tuned && !(parameters.color.std_enable && self.settings.stages.sharpen.is_some()),
                "ief.skin_tuned has no effect without --std, which detects skin, and --sharpen or --ief",
            ),
            (
                options.dither == Dither::None && clip.output_format.depth >= header.format().depth,
                "--dither has no effect: the output has as many bits per sample as the input, or more",
            ),
            (
                options.hardware.mcdi.is_some() && options.deinterlacer != Deinterlacer::Gen6,
                "--mcdi has no effect: only --deinterlacer gen6 has motion compensation that can be switched",
            ),
            (
                options.deflicker.is_some_and(Switch::is_on) && options.deinterlacer != Deinterlacer::Gen6,
                "--deflicker has no effect: it reads the motion measure of --deinterlacer gen6",
            ),
            (set_gen6, "parameters of the gen6 deinterlacer have no effect with the other deinterlacers"),
            (
                // The preset best switches it on, too.
                along_motion && !denoises_luma && !denoises_chroma && options.preset != Some(Preset::Best),
                "--denoise-motion has no effect: nothing is denoised; use --denoise auto",
            ),
            (
                along_motion && [options.denoise, options.denoise_chroma].contains(&Denoise::On),
                "--denoise on acts like auto: --denoise-motion on has no filter parameters",
            ),
            (along_motion && set, "parameters of the denoise filter have no effect with --denoise-motion on"),
            (options.color.aoi.is_some() && !used, "--aoi has no effect without --stats or --auto-contrast"),
        ];
        let idle = options.geometry.ineffective(self.settings.scale.is_some()).into_iter().chain(options.filters.ineffective());
        let rest = rest.into_iter().chain(idle);
        let rest = rest.filter(|(applies, _)| *applies).map(|(_, warning)| warning.to_owned());
        order.into_iter().chain(repeated).chain(film).chain(rest).collect()
    }

    /// The coefficient tables of the scaler; none if nothing is scaled.
    pub fn tables(&self, header: &Header) -> Option<FilterTables> {
        let scale = self.settings.scale.as_ref()?;
        let source = scale.crop.map_or((header.width(), header.height()), |crop| (crop.width, crop.height));
        Some(self.settings.stages.parameters.coefficients.tables_of(scale.filter, source, (scale.width, scale.height)))
    }

    /// Parameters of the stages.
    pub fn parameters(&self) -> &Parameters {
        &self.settings.stages.parameters
    }

    /// The scaling, if frames are scaled.
    pub fn scale(&self) -> Option<&Scale> {
        self.settings.scale.as_ref()
    }

    /// The scan of all frames as text, for clips whose content is not detected.
    pub fn declared(&self) -> &'static str {
        match self.clip.scan {
            _ if self.clip.mixed_scan => "mixed, by the flags of the frames",
            Scan::TopFirst => "interlaced, top field first, as declared",
            Scan::BottomFirst => "interlaced, bottom field first, as declared",
            _ => "progressive, as declared",
        }
    }

    /// Lines for `-v`: input and output, the survey, and the settings.
    pub fn describe(&self, options: &Options, header: &Header, threads: usize) -> Vec<String> {
        let StreamSettings { stages, scale, level, chroma_shift, dot_crawl, .. } = &self.settings;
        let shift = if chroma_shift.is_zero() { String::new() } else { format!(", chroma moved by {chroma_shift}") };
        let crawl = dot_crawl.map_or(String::new(), |standard| format!(", dot crawl of {standard} removed"));
        let crop = scale
            .as_ref()
            .and_then(|scale| scale.crop)
            .map(|Rect { x, y, width, height }| format!(", crop {x},{y},{width},{height}"));
        let on = |on: bool| if on { "on" } else { "off" };
        let clip = &self.clip;
        // The clip starts progressive, but interlaced frames may follow.
        let deinterlace = if !clip.deinterlace && clip.completes_fields { "auto" } else { on(clip.deinterlace) };
        let scan = match (clip.mixed_order, clip.scan) {
            (true, _) => "mixed",
            (_, Scan::TopFirst) => "top field first",
            (_, Scan::BottomFirst) => "bottom field first",
            _ => "progressive",
        };
        let deinterlacer = match options.deinterlacer {
            _ if !clip.completes_fields => String::new(),
            Deinterlacer::Gen6 => format!(" with gen6, mcdi {}", on(stages.parameters.compensation.mcdi_enable)),
            other => format!(" with {}", dndi::Deinterlacer::from(other)),
        };
        let colors = self.settings.changes_colors(options);
        let rgb = options.color.rgb.map(|_| "RGB");
        let streams = format!(
            "{}, {scan} -> {}",
            describe(header, None, header.format().depth),
            describe(&self.output, rgb, clip.output_format.depth)
        );
        let stages = format!(
            "denoise {}{}, deinterlace {}{}{}{}{}{}{}{}; level {level}, threads {threads}",
            options.denoise.name(),
            if options.denoise_motion.is_on() && options.denoise != Denoise::Off { " along motion" } else { "" },
            deinterlace,
            deinterlacer,
            crawl,
            shift,
            if scale.is_some() { ", scale on" } else { "" },
            crop.unwrap_or_default(),
            if stages.sharpen.is_some() { ", sharpen on" } else { "" },
            if colors { ", colour on" } else { "" }
        );
        [Some(streams), surveyed(clip), Some(stages)].into_iter().flatten().collect()
    }
}

/// The material that a survey found, and the rate that follows from it; none if the rate does not.
pub fn surveyed(clip: &ClipPlan) -> Option<String> {
    let survey = clip.survey?;
    let effect = match clip.rate {
        OutputRate::Field => "one frame per field",
        OutputRate::Frame => "one frame per input frame",
        _ if clip.film_ratio == (2, 1) => "each picture once, with its own duration",
        _ => "one frame per film frame",
    };
    let (frames, windows) = (survey.frame_count(), survey.window_count());
    let windows = if windows == 1 { String::new() } else { format!(" in {windows} parts of the clip") };
    Some(format!("{survey} in a survey of {frames} frames{windows}: {effect}"))
}

/// The reason why fields are not matched, and the option that changes this. None if they are
/// matched. Without a header only the options are checked.
fn why_no_field_matching(options: &Options, header: Option<&Header>) -> Option<&'static str> {
    let why = match header {
        None => NoFieldMatching::of_options(
            options.field_order.into(),
            options.deinterlace.into(),
            options.film.into(),
            options.match_source(),
        ),
        Some(header) => detection(options, header).no_field_matching(),
    };
    Some(match why? {
        NoFieldMatching::Off => "--film off disables it; use --film auto or reconstruct",
        NoFieldMatching::CallerMatches => "--matches gives the matches; omit it",
        NoFieldMatching::DeinterlaceOff => "--deinterlace off disables it; use --deinterlace auto",
        NoFieldMatching::OrderProgressive => "--field-order progressive has no fields; use auto, tff or bff",
        NoFieldMatching::NoFields => "frames of this size have no fields",
        NoFieldMatching::OrderUndeclared => "the header has no field order; use --field-order auto, tff or bff",
        NoFieldMatching::DeclaredProgressive => "the header declares progressive frames; use --field-order auto, tff or bff",
        NoFieldMatching::MixedFlags => "the flags of the frames alone decide; use --field-order auto, tff or bff",
        NoFieldMatching::FlaggedUndeclared => "the header declares nothing interlaced; use --deinterlace auto or on",
        NoFieldMatching::FlaggedProgressive => "the header declares progressive frames; use --deinterlace auto or on",
        NoFieldMatching::FlaggedMixed => "the flags of the frames alone decide; use --deinterlace auto or on",
        _ => "it is not possible with these options",
    })
}

/// The error if the output cannot have the rate of `--rate`; none if it can. Without a header only
/// the options are checked.
pub fn why_no_rate(options: &Options, header: Option<&Header>) -> Option<String> {
    match options.rate {
        Rate::Film => why_no_field_matching(options, header)
            .map(|why| options.origins.of_option("rate", format_args!("rate film needs field matching: {why}"))),
        Rate::Field if options.deinterlace == Deinterlace::Off => {
            let why = "rate field needs deinterlacing; use --deinterlace auto, or --rate frame";
            Some(options.origins.of_option("rate", why))
        }
        _ => None,
    }
}

/// The scaling; none if no option needs it.
fn scale(options: &Options, header: &Header, scaler: bool, crop: Option<Rect>) -> Option<Scale> {
    let (width, height) = crop.map_or((header.width(), header.height()), |crop| (crop.width, crop.height));
    // RGB needs one chroma sample for each luma sample.
    let sampling = options.color.rgb.map(|_| Sampling::C444);
    let resampled = sampling.is_some() && ![Sampling::C444, Sampling::Mono].contains(&header.sampling());
    let needed = scaler || resampled || options.hardware.print_tables || options.scale.is_some() || crop.is_some();
    // Frames that stay interlaced need an even height. An empty crop rectangle is an error later.
    let stays_interlaced = options.deinterlace == Deinterlace::Off && is_interlaced(options, header);
    let lines = if stays_interlaced { 2 } else { 1 };
    let (width, height) = options.scale.map_or((width, height), |size| size.of((width.max(1), height.max(1)), lines));
    needed.then_some(Scale::new(width, height).crop(crop).sampling(sampling).filter(options.geometry.scale_filter.into()))
}

/// Whether the options or the header declare an interlaced clip.
fn is_interlaced(options: &Options, header: &Header) -> bool {
    match options.field_order {
        FieldOrder::Tff | FieldOrder::Bff => true,
        FieldOrder::Progressive => false,
        FieldOrder::Auto | FieldOrder::Header => header.interlacing().scan().is_some_and(Scan::is_interlaced),
    }
}

/// Size, `kind` or else the sampling, depth if it is not 8 bits, and rate of a stream, as text.
fn describe(header: &Header, kind: Option<&str>, depth: u8) -> String {
    let rate = header.rate().map_or("unknown rate".to_owned(), |(num, den)| format!("{num}:{den}"));
    let kind = kind.map_or_else(|| header.sampling().to_string(), str::to_owned);
    let depth = if depth == 8 { String::new() } else { format!(" {depth}-bit") };
    format!("{}x{} {kind}{depth} {rate}", header.width(), header.height())
}
