//! The functions of the plugin.

use crate::chunks::{self, Chunks};
use crate::filter::{CHUNK_FORMAT, ChunkFilter, OutputFilter};
use crate::format;
use crate::host::{Core, Function, Map, Node, Plugin, VideoInfo, add_filter};
use crate::options::{Arguments, Kind, Options, number};
use crate::properties::{self, ClipProperties, OutputProperties};
use dndi::convert::{self, OutputRate};
use dndi::{Frame, Sampling};
use dndi_bindings::Error;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::ffi::CStr;
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// Adds all functions to the plugin.
pub fn add_all(plugin: &Plugin) {
    plugin.add::<Deinterlace>();
    plugin.add::<Detelecine>();
    plugin.add::<Denoise>();
    plugin.add::<Scale>();
}

const FIELDS: Arguments = &[(c"order", Kind::Text), (c"rate", Kind::Text), (c"deinterlace", Kind::Text)];
const DEINTERLACER: Arguments = &[
    (c"deinterlacer", Kind::Text),
    (c"film", Kind::Text),
    (c"chroma", Kind::Text),
    (c"mcdi", Kind::Switch),
    (c"deflicker", Kind::Switch),
    (c"preset", Kind::Text),
];
const DENOISE: Arguments = &[
    (c"denoise", Kind::Text),
    (c"denoise_chroma", Kind::Text),
    (c"denoise_motion", Kind::Switch),
    (c"denoise_filter", Kind::Text),
    (c"drop_outs", Kind::Switch),
    (c"dot_crawl", Kind::Text),
    (c"chroma_shift", Kind::Text),
    (c"hot_pixel", Kind::Switch),
];
const ORDER: Arguments = &[(c"order", Kind::Text)];
const SIZE: Arguments = &[
    (c"width", Kind::Own),
    (c"height", Kind::Own),
    (c"scale", Kind::Text),
    (c"crop", Kind::Text),
    (c"chroma_location", Kind::Text),
    (c"scale_filter", Kind::Text),
];
const SHARPEN: Arguments = &[(c"sharpen", Kind::Text), (c"ief", Kind::Text)];
const COLORS: Arguments = &[
    (c"colorspace", Kind::Text),
    (c"brightness", Kind::Real),
    (c"contrast", Kind::Real),
    (c"saturation", Kind::Real),
    (c"hue", Kind::Real),
    (c"skin_tone", Kind::Real),
    (c"tcc_colors", Kind::Text),
    (c"auto_contrast", Kind::Number),
    (c"aoi", Kind::Text),
    (c"white_balance", Kind::Text),
    (c"gamma", Kind::Real),
    (c"gamut_compress", Kind::Switch),
    (c"lace", Kind::Switch),
];
const COMMON: Arguments = &[
    (c"depth", Kind::Number),
    (c"dither", Kind::Text),
    (c"set", Kind::Texts),
    (c"chunk", Kind::Own),
    (c"warmup", Kind::Own),
    (c"jobs", Kind::Own),
];

/// `Deinterlace`: the command without scaling, sharpening and colours.
pub struct Deinterlace;

impl Function for Deinterlace {
    const NAME: &'static CStr = c"Deinterlace";
    const ARGUMENTS: &'static [Arguments] = &[FIELDS, DEINTERLACER, DENOISE, COMMON];

    fn call(arguments: Map, core: Core) -> Result<Node, String> {
        create(arguments, Self::ARGUMENTS, &[], core)
    }
}

/// `Detelecine`: the same at the film rate.
pub struct Detelecine;

impl Function for Detelecine {
    const NAME: &'static CStr = c"Detelecine";
    const ARGUMENTS: &'static [Arguments] = &[ORDER, DEINTERLACER, DENOISE, COMMON];

    fn call(arguments: Map, core: Core) -> Result<Node, String> {
        create(arguments, Self::ARGUMENTS, &[("rate", "film")], core)
    }
}

/// `Denoise`: denoising alone.
pub struct Denoise;

impl Function for Denoise {
    const NAME: &'static CStr = c"Denoise";
    const ARGUMENTS: &'static [Arguments] = &[DENOISE, ORDER, COMMON];

    fn call(arguments: Map, core: Core) -> Result<Node, String> {
        create(arguments, Self::ARGUMENTS, &[("deinterlace", "off")], core)
    }
}

/// `Scale`: scaling, sharpening and colours.
pub struct Scale;

impl Function for Scale {
    const NAME: &'static CStr = c"Scale";
    const ARGUMENTS: &'static [Arguments] = &[SIZE, SHARPEN, COLORS, ORDER, COMMON];

    fn call(arguments: Map, core: Core) -> Result<Node, String> {
        create(arguments, Self::ARGUMENTS, &PICTURES_ALONE, core)
    }
}

/// Options of a function that only changes pictures.
const PICTURES_ALONE: [(&str, &str); 2] = [("deinterlace", "off"), ("denoise", "off")];

/// Default length of a chunk in input frames.
const CHUNK: u64 = 100;

/// Length of a chunk whose outputs depend on one input frame each: large enough that starting a
/// conversion costs little, small enough for random access.
const STATELESS_CHUNK: u64 = 8;

/// Creates the filters for a clip. `fixed` are options that the function sets.
fn create(arguments: Map, groups: &[Arguments], fixed: &[(&str, &str)], core: Core) -> Result<Node, String> {
    let source = arguments.node(c"clip").ok_or("the argument clip is missing")?;
    let info = source.info();
    let format = format::of_clip(&info)?;
    let rate = info.rate.and_then(|(num, den)| Some((u32::try_from(num).ok()?, u32::try_from(den).ok()?)));
    let clip = ClipProperties::new(source.wait_for(0)?.properties(), format, rate);
    let options = Options::new(arguments, groups, fixed, &clip)?;
    if options.scales && options.location.is_none() && format.sampling == Sampling::C420 {
        return Err("_ChromaLocation must be left, center or top left; or use the argument chroma_location".to_owned());
    }
    let stateless = fixed == PICTURES_ALONE && !options.adapts;
    let [default, warmup] = if stateless { [STATELESS_CHUNK, 0] } else { [CHUNK, convert::Chunks::WARMUP] };
    let length = number(arguments, c"chunk", 1, 1 << 24)?.unwrap_or(default);
    let warmup = number(arguments, c"warmup", 0, 1 << 24)?.unwrap_or(warmup);
    let jobs: Option<usize> = number(arguments, c"jobs", 1, 1 << 10)?;
    let builder = {
        let settings = options.settings.clone();
        move || Ok::<_, Error>(settings.builder()?.stream(|stream| stream.statistics(false)))
    };
    let (threads, cache) = core.limits();
    let pool = pool(threads)?;

    // The first frames of the clip define the plan of all chunks.
    let read = |n| {
        let mut frame = Frame::try_new(format).map_err(|error| error.to_string())?;
        format::read(&source.wait_for(n)?, &mut frame)?;
        Ok(frame)
    };
    let (plan, start) = chunks::plan(builder().map_err(|error| error.to_string())?, info.frames, &pool, read)?;

    let output = format::to_host(plan.output_format)?;
    let outputs = OutputProperties::new(&options, &plan);
    let division = convert::Chunks::new(length, warmup);
    let chunks = Chunks::new(builder, start, &plan, division, format, info.frames);
    let chunks = Arc::new(chunks);
    let (pictures, frames) = (i64::from(plan.ratio.0), i64::from(plan.ratio.1));
    let output_info = VideoInfo {
        format: Some(output),
        size: (plan.output_format.width, plan.output_format.height),
        rate: info.rate.and_then(|(num, den)| {
            let (num, den) = (num.checked_mul(pictures)?, den.checked_mul(frames)?);
            let common = properties::common_divisor(num, den);
            Some((num / common, den / common))
        }),
        frames: chunks.outputs(),
    };
    if i32::try_from(output_info.frames).is_err() {
        return Err("the output has too many frames".to_owned());
    }

    // The chunks of a group and one before them fit half of the host's cache.
    let samples = plan.output_format.samples() * if plan.output_format.depth > 8 { 2 } else { 1 };
    let bytes = (samples * chunks.first_output(1)).max(1);
    let jobs = jobs.unwrap_or_else(|| (cache / 2 / bytes).saturating_sub(1).clamp(1, threads));
    let chunk_info = VideoInfo { format: Some(CHUNK_FORMAT), size: (1, 1), rate: None, frames: chunks.count() };
    let filter = ChunkFilter { chunks: chunks.clone(), source: source.clone(), output, properties: outputs, pool };
    let made = add_filter(core, c"dndi chunks", chunk_info, filter, &source)?;
    made.keep(jobs + 1);
    let filter = OutputFilter { chunks, source: made.clone(), jobs, film: plan.rate == OutputRate::Film };
    add_filter(core, c"dndi", output_info, filter, &made)
}

/// The thread pool of all filters with this number of threads. It ends with the last of them.
fn pool(threads: usize) -> Result<Arc<ThreadPool>, String> {
    static POOL: Mutex<Weak<ThreadPool>> = Mutex::new(Weak::new());
    let mut last = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(pool) = last.upgrade().filter(|pool| pool.current_num_threads() == threads) {
        return Ok(pool);
    }
    let pool = ThreadPoolBuilder::new().num_threads(threads).thread_name(|_| "dndi".to_owned()).build();
    let pool = Arc::new(pool.map_err(|error| error.to_string())?);
    *last = Arc::downgrade(&pool);
    Ok(pool)
}
