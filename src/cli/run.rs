//! From the checked command line to the run: nothing is created before all that can be wrong is known to be right.

use crate::ahead::{Ahead, Beginning, Question};
use crate::args::Args;
use crate::cadence::Codes;
use crate::conversion::{Conversion, Watch};
use crate::failure::{Failure, say};
use crate::input::{Event, Input};
use crate::output::{self, Output};
use crate::plan::{Plan, no_rate};
use crate::progress::{self, Progress, Speed};
use crate::report::{self, Reports};
use crate::survey::{Gauge, Summary, Survey};
use crate::{choices, files, interrupt};
use dndi::y4m::Header;
use dndi::{ColorSpace, SimdLevel, ColorMatrix, ColorRange, Scan};
use rayon::{ThreadPool, ThreadPoolBuilder};

/// All that is there before the first frame.
#[derive(Debug)]
pub struct Opened {
    pub level: SimdLevel,
    pub pool: ThreadPool,
    pub header: Header,
    question: Option<Question>,
    beginning: Option<Beginning>,
    pub input: Ahead,
    /// Frames that will be read, as far as is known.
    pub total: Option<u64>,
}

/// What is wrong with the options is known before anything is read. These colours stand for those of the input.
pub fn check(args: &Args) -> Result<(), Failure> {
    SimdLevel::from_env().map_err(Failure::usage)?;
    args.settings(ColorSpace { matrix: ColorMatrix::Bt601, range: ColorRange::Limited })?;
    no_rate(args, None).map_or(Ok(()), |why| Err(Failure::usage(why)))
}

/// Opens the input, and looks at as much of it as a plan needs.
pub fn open(args: &Args) -> Result<Opened, Failure> {
    let level = SimdLevel::from_env().map_err(Failure::usage)?;
    let threads = args.threads.map_or(0, usize::from); // 0: rayon's default
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| Failure::runtime(format_args!("cannot start threads: {error}")))?;
    interrupt::install()?;

    let begin = args.skip - args.warmup;
    let end = args.frames.map_or(u64::MAX, |frames| args.skip.saturating_add(frames));
    let input = Input::open(&args.input, begin..end)?;
    let header = match input.next() {
        Event::Header(header) => header,
        Event::Failed(failure) => return Err(failure),
        _ => return Err(Failure::runtime("interrupted after 0 frames")),
    };
    let total = progress::frames_in(&args.input, header.format().samples()).map(|total| total.saturating_sub(begin));
    let total = total.into_iter().chain(args.frames.map(|_| end - begin)).min();
    let question = Question::new(args, &header);
    let mut input = Ahead::new(input, &header, question, level)?;
    let beginning = pool.install(|| input.beginning())?;
    Ok(Opened { level, pool, header, question, beginning, input, total })
}

impl Opened {
    /// What is done with it.
    pub fn plan(&self, args: &Args) -> Result<Plan, Failure> {
        Plan::new(args, &self.header, self.level, self.question, self.beginning)
    }
}

/// Opens the input and plans what is done with it.
pub fn ready(args: &Args) -> Result<(Opened, Plan), Failure> {
    let opened = open(args)?;
    let plan = opened.plan(args)?;
    plan.in_vain(args, &opened.header, opened.beginning).iter().for_each(|message| report::warn(args, message));
    if args.verbose {
        plan.describe(&opened.header, opened.pool.current_num_threads()).iter().for_each(say);
    }
    Ok((opened, plan))
}

/// Does what the command line says.
pub fn run(args: &Args) -> Result<(), Failure> {
    check(args)?;
    let inputs = files::check(args)?;
    let codes = args.cadence.as_deref().map(Codes::read).transpose()?;
    let (Opened { level, pool, header, input, total, .. }, plan) = ready(args)?;

    let mut store = output::open(args, &plan.output, inputs)?;
    let mut reports = Reports::open(args, &plan)?;
    store.begin()?;
    let output = Output::new(store)?;
    reports.begin(&plan.output)?;
    if let Some(tables) = plan.tables().filter(|_| args.print_tables) {
        reports.tables(&tables)?;
    }
    let codes = codes.unwrap_or(plan.codes());
    // Nobody reads what a quiet program tells, or one whose stderr goes elsewhere unasked.
    let summary = args.verbose || progress::is_seen() && !args.quiet;
    let surveyed = summary || args.progress == choices::Progress::Json;
    let gauge = surveyed.then(|| Gauge::new(header.format(), plan.scan, level)).transpose()?;
    let survey = gauge.map(|gauge| (Survey::default(), gauge));
    let watch = Watch { progress: Progress::new(args.progress, args.quiet, total), survey, catch: None };
    let mut conversion = Conversion::new(args, &plan, codes, output, reports, watch);
    let done = pool.install(|| conversion.run(input));

    let (taken, written) = conversion.frames();
    if done.is_ok() && written == 0 && args.frames != Some(0) {
        match taken {
            0 => report::warn(args, "the input has no frames, only a header"),
            _ => report::warn(args, &format!("the input has {taken} frames, --skip {} leaves none", args.skip)),
        }
    }
    let frames = [taken.saturating_sub(args.skip - args.warmup), written];
    let Watch { progress, survey, .. } = conversion.watch();
    let survey = survey.as_ref().map(|(survey, _)| survey);
    let speed = progress.end(frames, survey.map(|survey| found(survey, &plan)));
    if let Some(survey) = survey.filter(|_| summary) {
        summarize(survey, &plan, frames, speed);
    }
    done
}

/// What the clip was, as far as the run saw it, for programs.
fn found(survey: &Survey, plan: &Plan) -> Summary {
    let told = match plan.scan {
        _ if plan.mixed_scan => "mixed",
        Scan::TopFirst => "tff",
        Scan::BottomFirst => "bff",
        _ => "progressive",
    };
    Summary { told: (!plan.asks()).then_some(told), found: survey.into(), warnings: report::warnings() }
}

/// What the run did, and what the clip was, for people.
fn summarize(survey: &Survey, plan: &Plan, [taken, written]: [u64; 2], Speed { seconds, fps }: Speed) {
    say(format_args!("{taken} frames in, {written} out, {seconds:.2} s, {fps:.1} frames/s in"));
    if taken > 0 {
        let warnings = match report::warnings() {
            0 => String::new(),
            1 => "; 1 warning".to_owned(),
            count => format!("; {count} warnings"),
        };
        say(format_args!("{}{warnings}", survey.in_words(plan)));
    }
}
