//! What is to be done: the command line's wishes applied to the input's header.

use crate::ahead::{self, Beginning, Question};
use crate::args::Args;
use crate::cadence::Codes;
use crate::choices::{Chroma, Denoise, Engine, FieldOrder, Film, Rate, When};
use crate::failure::Failure;
use crate::{input, settings};
use dndi::gen6::eu::Driver;
use dndi::y4m::{Header, Interlacing};
use dndi::{
    StreamBuilder, ChromaLocation, Content, Rect, Decision, SharpenMode, Error, Format, SimdLevel, MAX_SIZE, ClipStart, Parameters, Reason,
    Sampling, Scale, Scan, FilterTables,
};

/// What is known before the first frame.
#[derive(Debug)]
pub struct Plan {
    /// How the frames are scanned, as far as is known before the first one.
    pub scan: Scan,
    /// Whether frames are made of fields, but for stretches that are none.
    pub deinterlace: bool,
    /// What of the decisions about frames is followed; nothing where none are made.
    pub question: Option<Question>,
    /// What the frames that leave stand for.
    pub rate: Rate,
    /// Pictures in so many frames, were the rate that of film.
    pub film: (u32, u32),
    /// Half fields that a frame lasts.
    pub duration: u64,
    /// Whether frames leave one by one because the first ones, which tell nothing, are flagged so or not at all.
    pub unsure: bool,
    /// Frames of the input a second.
    pub input_rate: Option<(u32, u32)>,
    /// Whether each frame tells its field order.
    pub mixed_order: bool,
    /// Whether frames are what their flags say: those flagged as progressive are woven.
    pub mixed_scan: bool,
    /// Whether frames flagged as progressive are scaled or enhanced as fields all the same.
    pub splits_mixed: bool,
    /// The header to write, if it is y4m.
    pub output: Header,
    /// Whether it is RGB instead.
    rgb: bool,
    settings: Settings,
}

/// What a stream is built with, whatever its field order.
#[derive(Debug)]
struct Settings {
    format: Format,
    denoise: Denoise,
    denoise_chroma: Denoise,
    /// Whether fields are completed to frames where there are fields.
    deinterlace: bool,
    chroma: Chroma,
    statistics: bool,
    parameters: Parameters,
    level: SimdLevel,
    scale: Option<Scale>,
    location: ChromaLocation,
    enhance: Option<SharpenMode>,
    measured_noise: bool,
    auto_contrast: Option<u8>,
    area: Option<Rect>,
}

impl Settings {
    /// Whether the colour pipe has something to do.
    fn colors(&self) -> bool {
        let color = &self.parameters.color;
        let enables = [color.std_enable, color.ace_enable, color.tcc_enable, color.procamp_enable, color.transform_enable];
        self.auto_contrast.is_some() || enables.contains(&1)
    }

    fn builder(&self, scan: Scan) -> StreamBuilder {
        let builder = StreamBuilder::new(self.format, scan).denoise(self.denoise).denoise_chroma(self.denoise_chroma);
        let builder = if self.deinterlace { builder } else { builder.deinterlace(false) };
        let builder = builder.chroma(self.chroma.into()).parameters(self.parameters.clone()).level(self.level);
        let builder = builder.scale(self.scale).chroma_location(self.location).enhance(self.enhance);
        let builder = builder.auto_contrast(self.auto_contrast).area_of_interest(self.area);
        builder.measured_noise(self.measured_noise).statistics(self.statistics).luma_statistics(self.statistics)
    }
}

impl Plan {
    /// Checks everything without allocating much. `beginning` is what the pictures tell that `question` asked.
    pub fn new(
        args: &Args,
        header: &Header,
        level: SimdLevel,
        question: Option<Question>,
        beginning: Option<Beginning>,
    ) -> Result<Plan, Failure> {
        let name = input::name(&args.input);
        let interlacing = header.interlacing();
        let fields = |top_first: bool| if top_first { Scan::TopFirst } else { Scan::BottomFirst };
        // Progressive frames are left alone, unless a frame for each field is asked for, or film that is still to come.
        let alone = |beginning: &Beginning| {
            let wished = match args.rate {
                Some(Rate::Field) => true,
                Some(Rate::Film) => !beginning.tells,
                _ => false,
            };
            question.is_some_and(|question| question.content) && beginning.opening.content == Content::Progressive && !wished
        };
        let flagged = ahead::told_by(interlacing);
        let told = match (args.field_order, beginning) {
            // The order is that of what is flagged, and of nothing else.
            (FieldOrder::Tff | FieldOrder::Bff, _)
                if args.deinterlace == When::Flagged && matches!(flagged, None | Some(Scan::Progressive)) =>
            {
                flagged
            }
            (FieldOrder::Tff, _) => Some(Scan::TopFirst),
            (FieldOrder::Bff, _) => Some(Scan::BottomFirst),
            (FieldOrder::Progressive, _) => Some(Scan::Progressive),
            (FieldOrder::Auto, Some(beginning)) if alone(&beginning) => Some(Scan::Progressive),
            (FieldOrder::Auto, Some(beginning)) => Some(fields(beginning.opening.top_first)),
            (FieldOrder::Header | FieldOrder::Auto, _) => flagged,
        };
        let scan = told.unwrap_or(Scan::Progressive);
        let interlaced = scan != Scan::Progressive;
        let deinterlace = match args.deinterlace {
            When::Auto | When::Flagged => interlaced,
            When::Off => false,
            When::On if interlaced => true,
            When::On => {
                let why = match (args.field_order, told) {
                    (FieldOrder::Progressive, _) => "nothing to deinterlace with --field-order progressive; say tff or bff there",
                    (FieldOrder::Auto, _) => "frames of this size have no fields",
                    (_, None) => "the header does not tell the field order; say --field-order tff or bff",
                    _ => "the header says progressive; say --field-order tff or bff if it is not, else --deinterlace off",
                };
                return Err(Failure::usage(format_args!("{name}: {why}")));
            }
        };
        if let Some(why) = no_rate(args, Some(header)) {
            return Err(Failure::usage(format_args!("{name}: {why}")));
        }
        let rate = args.rate.unwrap_or(if deinterlace { Rate::Field } else { Rate::Frame });
        let settings::Settings { parameters, enhance, measured_noise, scaler } = args.settings(header.color_space())?;
        let mut settings = Settings {
            format: header.format(),
            denoise: args.denoise,
            denoise_chroma: args.denoise_chroma,
            deinterlace: args.deinterlace != When::Off,
            chroma: args.chroma,
            statistics: args.stats.is_some(),
            parameters,
            level,
            scale: scale(args, header, scaler, interlaced && !deinterlace),
            location: header.chroma_location(),
            enhance,
            measured_noise,
            auto_contrast: args.color.auto_contrast,
            area: args.color.aoi,
        };
        let builder = settings.builder(scan);
        builder.check().map_err(|error| advise(&name, args, &error))?;
        if args.engine == Engine::Messages {
            let wrong = |error| Failure::usage(args.places.of_option("engine", format_args!("engine messages: {error}")));
            Driver::check(&builder).map_err(wrong)?;
        }
        let too_high = |error| Failure::usage(format_args!("{name}: {error}; say --rate frame"));
        let output = if deinterlace {
            let sampling = builder.output_format().sampling;
            header.to_progressive(sampling, rate == Rate::Field).map_err(too_high)?
        } else if question.is_some_and(|question| question.content) || rate == Rate::Field {
            header.to_progressive(header.sampling(), rate == Rate::Field).map_err(too_high)?
        } else {
            header.clone()
        };
        let film = beginning.map_or((1, 1), |beginning| film(&beginning, header.rate()));
        let (pictures, frames) = match rate {
            Rate::Field => (2, 1),
            Rate::Frame => (1, 1),
            Rate::Film => film,
        };
        let output = match (rate, header.rate()) {
            (Rate::Film, Some((num, den))) => {
                let rate = output.with_rate(num as u64 * pictures as u64, den as u64 * frames as u64);
                rate.map_err(too_high)?
            }
            _ => output,
        };
        if args.timecodes.is_some() && header.rate().is_none() {
            return Err(Failure::usage(format_args!("{name}: the header tells no rate, which --timecodes needs")));
        }
        let output = match args.chroma_location {
            Some(location) => {
                settings.location = location.into();
                output.with_chroma_location(settings.location)
            }
            None => {
                settings.location = output.chroma_location();
                output
            }
        };
        let output = match &settings.scale {
            Some(Scale { width, height, crop, .. }) => {
                let whole = Rect { x: 0, y: 0, width: header.width(), height: header.height() };
                let scaled = output.to_scaled(crop.unwrap_or(whole), *width, *height);
                scaled.map_err(|error| Failure::usage(format_args!("{name}: {error}")))?
            }
            None => output,
        };
        let output = args.color.tag(output, header);
        let decided = question.is_some_and(|question| question.weaves);
        let mixed = deinterlace && interlacing == Interlacing::Mixed && !decided;
        let mixed_scan = mixed && args.cadence.is_none();
        let mixed_order = mixed && matches!(args.field_order, FieldOrder::Header | FieldOrder::Auto);
        let finished = settings.scale.is_some() || settings.enhance.is_some();
        let splits_mixed = interlaced && !deinterlace && finished && interlacing == Interlacing::Mixed;
        let (duration, input_rate) = (4 * frames as u64 / pictures as u64, header.rate());
        let unsure = args.rate.is_none() && beginning.is_some_and(|beginning| alone(&beginning) && !beginning.tells);
        Ok(Plan {
            scan,
            deinterlace,
            question,
            rate,
            film,
            duration,
            unsure,
            input_rate,
            mixed_order,
            mixed_scan,
            splits_mixed,
            output,
            rgb: args.color.rgb.is_some(),
            settings,
        })
    }

    /// What of the command line's wishes comes to nothing.
    pub fn in_vain(&self, args: &Args, header: &Header, beginning: Option<Beginning>) -> Vec<String> {
        let told = ahead::told_by(header.interlacing()).is_some()
            || beginning.is_some_and(|beginning| beginning.opening.reason != Reason::Undetermined);
        let advice = match (args.field_order, args.deinterlace) {
            _ if told => None,
            (_, When::Off) | (FieldOrder::Progressive, _) => None,
            (_, When::Flagged) => Some("--field-order tff or bff, and --deinterlace on"),
            (FieldOrder::Tff | FieldOrder::Bff, _) => None,
            _ => Some("--field-order tff or bff"),
        };
        let order = advice.map(|advice| match self.question {
            Some(Question { content: true, .. }) => {
                let so = "so nothing is deinterlaced until pictures tell";
                format!("the header tells no field order, {so}; if it is interlaced say {advice}")
            }
            Some(_) => {
                let so = "so top fields come first until pictures tell";
                format!("the header tells no field order, {so}; if they do not say --field-order bff")
            }
            None => format!("the header tells no field order, so nothing is deinterlaced; if it is interlaced say {advice}"),
        });
        let film = ahead::no_film(args, Some(header)).filter(|_| args.film == Film::Reconstruct);
        let film = film.map(|why| format!("--film reconstruct has no effect; {why}"));
        let looked_at = args.stats.is_some() || args.color.auto_contrast.is_some();
        let rest = [
            (args.cadence.is_some() && !self.deinterlace, "--cadence has no effect where nothing is deinterlaced"),
            (
                args.color.ste && self.settings.parameters.color.std_enable == 0,
                "--ste has no effect without --std, which finds the skin",
            ),
            (args.color.aoi.is_some() && !looked_at, "--aoi has no effect without --stats or --auto-contrast"),
        ];
        let rest = rest.into_iter().filter(|(vain, _)| *vain).map(|(_, told)| told.to_owned());
        order.into_iter().chain(film).chain(rest).collect()
    }

    /// Whether the frames that leave are called progressive: they were made so, or found to be so, or each is written for two fields.
    pub fn is_progressive(&self) -> bool {
        self.deinterlace || self.question.is_some_and(|question| question.content) || self.rate == Rate::Field
    }

    /// Whether pictures say what frames are, and not only in which order their fields come.
    pub fn asks(&self) -> bool {
        self.question.is_some_and(|question| question.content || question.weaves)
    }

    /// The scaler's tables; none where nothing is scaled.
    pub fn tables(&self) -> Option<FilterTables> {
        let Settings { format, parameters, scale, .. } = &self.settings;
        let scale = scale.as_ref()?;
        let source = scale.crop.map_or((format.width, format.height), |crop| (crop.width, crop.height));
        Some(parameters.coefficients.tables(source, (scale.width, scale.height)))
    }

    /// How a frame is scanned that was decided about: fields, but for progressive frames where they are left alone. Where fields cannot
    /// be completed to frames like the others, all are left alone.
    pub fn scan_of(&self, decision: &Decision) -> Scan {
        let fields = if decision.top_first { Scan::TopFirst } else { Scan::BottomFirst };
        match decision.scan() {
            _ if self.deinterlace => fields,
            scan if self.completes() => scan,
            _ => Scan::Progressive,
        }
    }

    /// Whether fields that are found are completed to frames like the others.
    fn completes(&self) -> bool {
        let format = |scan| self.settings.builder(scan).output_format();
        self.deinterlace
            || self.question.is_some_and(|question| question.content) && format(Scan::TopFirst) == format(Scan::Progressive)
    }

    /// Parameters of the stages.
    pub fn parameters(&self) -> &Parameters {
        &self.settings.parameters
    }

    /// The part of the input's frames that leaves, and the size it gets, if they are scaled.
    pub fn scale(&self) -> Option<&Scale> {
        self.settings.scale.as_ref()
    }

    /// Codes of the steps where neither a file nor a detector has others.
    pub fn codes(&self) -> Codes {
        if self.mixed_scan { Codes::Flags { progressive: false } } else { Codes::None }
    }

    /// The stream for frames that are scanned like that.
    pub fn builder(&self, scan: Scan) -> StreamBuilder {
        self.settings.builder(scan)
    }

    /// The input and what is done with it, in a line each.
    pub fn describe(&self, header: &Header, threads: usize) -> [String; 2] {
        let Settings { denoise, parameters, level, scale, enhance, .. } = &self.settings;
        let on = |on: bool| if on { "on" } else { "off" };
        // Fields may follow frames that have none.
        let deinterlace = if !self.deinterlace && self.completes() { "auto" } else { on(self.deinterlace) };
        let scan = match (self.mixed_order, self.scan) {
            (true, _) => "mixed",
            (_, Scan::TopFirst) => "top field first",
            (_, Scan::BottomFirst) => "bottom field first",
            _ => "progressive",
        };
        let mcdi = self.completes() && parameters.compensation.mcdi_enable == 1;
        [
            format!("{}, {scan} -> {}", describe(header, None), describe(&self.output, self.rgb.then_some("RGB"))),
            format!(
                "denoise {}, deinterlace {}, mcdi {}{}{}{}; level {level}, threads {threads}",
                denoise.name(),
                deinterlace,
                on(mcdi),
                if scale.is_some() { ", scale on" } else { "" },
                if enhance.is_some() { ", enhance on" } else { "" },
                if self.settings.colors() { ", colour on" } else { "" }
            ),
        ]
    }
}

/// Pictures of film in so many frames, of which `rate` come a second. Where the first frames do not tell, the wish for film does: 24
/// pictures a second are in about 30 frames, at other rates each frame is one.
fn film(beginning: &Beginning, rate: Option<(u32, u32)>) -> (u32, u32) {
    // From 29.5 to 30.5.
    let thirty = |(num, den): (u32, u32)| (59 * den as u64..=61 * den as u64).contains(&(2 * num as u64));
    match beginning.opening {
        ClipStart { pulldown: Some(pulldown), .. } => pulldown.ratio(),
        _ if !beginning.tells || beginning.late => rate.filter(|&rate| thirty(rate)).map_or((1, 1), |_| (4, 5)),
        ClipStart { content: Content::Interlaced | Content::Film, .. } => (2, 1),
        _ => (1, 1),
    }
}

/// Why frames cannot leave at the rate that is asked for; none if they can. The header may not be known yet.
pub fn no_rate(args: &Args, header: Option<&Header>) -> Option<String> {
    match args.rate? {
        Rate::Film => ahead::no_film(args, header)
            .map(|why| args.places.of_option("rate", format_args!("rate film needs film to be looked for; {why}"))),
        Rate::Field if args.deinterlace == When::Off => {
            let why = "rate field has no frames to write with --deinterlace off";
            Some(args.places.of_option("rate", format_args!("{why}: say --deinterlace auto, or --rate frame")))
        }
        _ => None,
    }
}

/// What the scaler is to do, with the fields by themselves or not; nothing if nobody spoke of it.
fn scale(args: &Args, header: &Header, scaler: bool, fields: bool) -> Option<Scale> {
    let (width, height) = args.crop.map_or((header.width(), header.height()), |crop| (crop.width, crop.height));
    // R, G and B come of chroma at every sample.
    let sampling = args.color.rgb.map(|_| Sampling::C444);
    let resampled = sampling.is_some() && ![Sampling::C444, Sampling::Mono].contains(&header.sampling());
    let asked = scaler || resampled || args.print_tables || args.scale.is_some() || args.crop.is_some();
    // A rectangle without area is refused later.
    let lines = if fields { 2 } else { 1 };
    let (width, height) = args.scale.map_or((width, height), |size| size.of((width.max(1), height.max(1)), lines));
    asked.then_some(Scale { crop: args.crop, sampling, ..Scale::new(width, height) })
}

/// The library's error in the words of the command line.
fn advise(name: &str, args: &Args, error: &Error) -> Failure {
    Failure::usage(match error {
        Error::Size { .. } => format!("{name}: {error}; say --field-order progressive if it is not interlaced"),
        Error::Chroma { .. } => {
            args.places.of_option("chroma", "chroma: it stays as it is without deinterlacing; say --chroma same")
        }
        Error::OutputSize { width, height, .. } => {
            let option = if args.scale.is_some() { "scale" } else { "crop" };
            // Only fields need more than a size within the limits.
            let fields = [width, height].iter().all(|size| (1..=MAX_SIZE).contains(*size)) && args.deinterlace == When::Off;
            let advice = if fields { "; or let it be deinterlaced: --deinterlace auto" } else { "" };
            args.places.of_option(option, format_args!("{option}: {error}{advice}"))
        }
        Error::Rect { .. } => args.places.of_option("crop", format_args!("crop: {error}")),
        Error::Area { .. } => args.places.of_option("aoi", format_args!("aoi: {error}")),
        Error::Parameter(error) => args.parameters_wrong(error),
        _ => format!("{name}: {error}"),
    })
}

/// Size, `kind` or else the sampling, rate.
fn describe(header: &Header, kind: Option<&str>) -> String {
    let rate = header.rate().map_or("unknown rate".to_owned(), |(num, den)| format!("{num}:{den}"));
    let kind = kind.map_or_else(|| format!("{:?}", header.sampling()), str::to_owned);
    format!("{}x{} {kind} {rate}", header.width(), header.height())
}
