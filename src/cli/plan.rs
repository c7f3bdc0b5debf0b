//! What is to be done: the command line's wishes applied to the input's header.

use crate::args::Args;
use crate::choices::{Chroma, FieldOrder, Rate, When};
use crate::failure::Failure;
use crate::input;
use dndi::y4m::{Header, Interlacing};
use dndi::{Builder, Error, Format, Level, Parameters, Scan};

/// What is known before the first frame.
#[derive(Debug)]
pub struct Plan {
    /// How the frames are scanned, as far as the header tells.
    pub scan: Scan,
    /// Whether frames are made of fields.
    pub deinterlace: bool,
    /// Whether each frame tells its field order.
    pub mixed_order: bool,
    /// Whether frames flagged as progressive are woven.
    pub mixed_scan: bool,
    /// The header to write.
    pub output: Header,
    settings: Settings,
}

/// What a stream is built with, whatever its field order.
#[derive(Debug)]
struct Settings {
    format: Format,
    denoise: bool,
    deinterlace: bool,
    chroma: Chroma,
    statistics: bool,
    parameters: Parameters,
    level: Level,
}

impl Settings {
    fn builder(&self, scan: Scan) -> Builder {
        let builder = Builder::new(self.format, scan).denoise(self.denoise).deinterlace(self.deinterlace);
        let builder = builder.chroma(self.chroma.into()).statistics(self.statistics);
        builder.parameters(self.parameters.clone()).level(self.level)
    }
}

impl Plan {
    /// Checks everything without allocating much.
    pub fn new(args: &Args, header: &Header, parameters: Parameters, level: Level) -> Result<Plan, Failure> {
        let name = input::name(&args.input);
        let interlacing = header.interlacing();
        let told = match args.field_order {
            FieldOrder::Tff => Some(Scan::TopFirst),
            FieldOrder::Bff => Some(Scan::BottomFirst),
            FieldOrder::Progressive => Some(Scan::Progressive),
            FieldOrder::Header => told_by(interlacing),
        };
        let scan = told.unwrap_or(Scan::Progressive);
        let interlaced = scan != Scan::Progressive;
        let deinterlace = match args.deinterlace {
            When::Auto => interlaced,
            When::Off => false,
            When::On if interlaced => true,
            When::On => {
                let why = match (args.field_order, told) {
                    (FieldOrder::Progressive, _) => "nothing to deinterlace with --field-order progressive; say tff or bff there",
                    (_, None) => "the header does not tell the field order; say --field-order tff or bff",
                    _ => "the header says progressive; say --field-order tff or bff if it is not, else --deinterlace off",
                };
                return Err(Failure::usage(format_args!("{name}: {why}")));
            }
        };
        let settings = Settings {
            format: header.format(),
            denoise: args.denoise.is_on(),
            deinterlace,
            chroma: args.chroma,
            statistics: args.stats.is_some(),
            parameters,
            level,
        };
        let builder = settings.builder(scan);
        builder.check().map_err(|error| advise(&name, &error))?;
        let output = if deinterlace {
            let double = args.rate == Rate::Field;
            let sampling = builder.output_format().sampling;
            let doubled = header.to_progressive(sampling, double);
            doubled.map_err(|error| Failure::usage(format_args!("{name}: {error}; say --rate frame")))?
        } else {
            header.clone()
        };
        let mixed_scan = deinterlace && interlacing == Interlacing::Mixed;
        let mixed_order = mixed_scan && args.field_order == FieldOrder::Header;
        Ok(Plan { scan, deinterlace, mixed_order, mixed_scan, output, settings })
    }

    /// Whether the field order was left to a header that does not tell it.
    pub fn order_is_unknown(args: &Args, header: &Header) -> bool {
        args.field_order == FieldOrder::Header && args.deinterlace == When::Auto && told_by(header.interlacing()).is_none()
    }

    /// The stream for frames that are scanned like that.
    pub fn builder(&self, scan: Scan) -> Builder {
        self.settings.builder(scan)
    }

    /// The input and what is done with it, in a line each.
    pub fn describe(&self, header: &Header, threads: usize) -> [String; 2] {
        let Settings { denoise, deinterlace, parameters, level, .. } = &self.settings;
        let on = |on: bool| if on { "on" } else { "off" };
        let scan = match (self.mixed_order, self.scan) {
            (true, _) => "mixed",
            (_, Scan::TopFirst) => "top field first",
            (_, Scan::BottomFirst) => "bottom field first",
            _ => "progressive",
        };
        let mcdi = *deinterlace && parameters.compensation.mcdi_enable == 1;
        [
            format!("{}, {scan} -> {}", describe(header), describe(&self.output)),
            format!(
                "denoise {}, deinterlace {}, mcdi {}; level {level}, threads {threads}",
                on(*denoise),
                on(*deinterlace),
                on(mcdi)
            ),
        ]
    }
}

/// What a header tells; a mixed stream begins top field first.
fn told_by(interlacing: Interlacing) -> Option<Scan> {
    match interlacing {
        Interlacing::Progressive => Some(Scan::Progressive),
        Interlacing::TopFirst | Interlacing::Mixed => Some(Scan::TopFirst),
        Interlacing::BottomFirst => Some(Scan::BottomFirst),
        Interlacing::Unknown => None,
    }
}

/// The library's error in the words of the command line.
fn advise(name: &str, error: &Error) -> Failure {
    Failure::usage(match error {
        Error::Size { .. } => format!("{name}: {error}; say --field-order progressive if it is not interlaced"),
        Error::Chroma { .. } => "without deinterlacing chroma stays as it is: say --chroma same".to_owned(),
        Error::Parameter(error) => format!("--set: {error}"),
        _ => format!("{name}: {error}"),
    })
}

fn describe(header: &Header) -> String {
    let rate = header.rate().map_or("unknown rate".to_owned(), |(num, den)| format!("{num}:{den}"));
    format!("{}x{} {:?} {rate}", header.width(), header.height(), header.sampling())
}
