//! The pictures that blended fields mix.
use super::builder::ConverterBuilder;
use super::converter::Converter;
use super::frame_queue::ClipFrame;
use super::options::{DeinterlaceMode, FieldOrderMode, OutputRate};
use crate::blend::fit::phase_of;
use crate::blend::restore::{MixedField, REACH, combine, taps};
use crate::blend::{Blend, BlendKernel};
use crate::detect::{FieldMatching, FieldSampler, FieldSamples};
use crate::error::Error;
use crate::format::{FieldOrder, Format};
use crate::frame::{Frame, UserData, check_plane};
use dndi_simd::{Kernels, SimdLevel};
use std::collections::VecDeque;
use std::fmt;

/// Frames from which the phase is measured.
const WINDOW: usize = 24;

/// Frames that have the phase of one window, and lie in its middle. With more an edit of the
/// source makes more wrong pictures; fewer take more time.
const BLOCK: usize = 12;

/// Frames before a block in its window.
const BEFORE: usize = (WINDOW - BLOCK) / 2;

/// A change of the phase from one block to the next up to which it is an error of the measurement
/// or a rate that is slightly different, in pictures. A larger one is an edit.
const DRIFT: f64 = 0.06;

/// The least part of the first or last field that belongs to a picture of which other fields are
/// not in the clip. With less, its errors are amplified.
const EDGE: f64 = 0.6;

/// Restores the pictures of a clip with [blended](Blend) fields: the input has interlaced frames,
/// the output the pictures, each once, as progressive frames of the rate
/// [`BlendRate::ratio`](crate::BlendRate::ratio) times that of the input.
///
/// The frames are deinterlaced to one frame per field, and each picture is a weighted sum of the
/// frames of up to 17 fields. Where the fields are no such mixes, the picture is the frame of the
/// nearest field. Outputs are the same for every number of threads and every instruction set. The
/// deblender holds 24 frames of the input, and the frames of 20 fields.
///
/// ```
/// use dndi::convert::{Converter, Deblender};
/// use dndi::{Blend, BlendKernel, BlendRate, FieldOrder, Format, Frame, Sampling};
///
/// # fn main() -> Result<(), dndi::Error> {
/// let format = Format::new(64, 48, Sampling::C420);
/// let blend = Blend::new(BlendRate::P24In50, BlendKernel::Linear);
/// let mut deblender = Deblender::new(Converter::builder(format), blend, FieldOrder::TopFirst)?;
/// let mut pictures = 0;
/// for _ in 0..50 {
///     deblender.push(Frame::new(format))?;
///     while let Some(picture) = deblender.pull()? {
///         pictures += 1;
///         deblender.recycle(picture.frame);
///     }
/// }
/// deblender.finish()?;
/// while deblender.pull()?.is_some() {
///     pictures += 1;
/// }
/// // 48, or one less: the first and the last may lack fields.
/// assert!((47..=48).contains(&pictures));
/// # Ok(())
/// # }
/// ```
pub struct Deblender {
    blend: Blend,
    order: FieldOrder,
    format: Format,
    sampler: FieldSampler,
    deinterlacer: Converter,
    /// The samples of the last frames.
    samples: VecDeque<FieldSamples>,
    /// The number of frames that were pushed.
    pushed: usize,
    /// The frames whose phase is not known yet.
    waiting: VecDeque<ClipFrame>,
    /// The position of field 0, in pictures, so that field j has that of `j` fields later.
    origin: Option<f64>,
    /// The fields with known positions, from the first one on that a picture needs.
    fields: VecDeque<(f64, MixedField)>,
    /// The first of these fields, deinterlaced.
    frames: VecDeque<(Frame, Option<UserData>)>,
    /// The next picture; none before the first field.
    next: Option<i64>,
    finished: bool,
    spare: Vec<Frame>,
}

impl Deblender {
    /// A deblender for frames of this blend and field order. `builder` has the format, and the
    /// settings of deinterlacing and of the repair of the input; denoising and all that changes
    /// frames otherwise belongs behind the deblender. The result depends on no rate, scan and
    /// detection in it.
    ///
    /// # Errors
    /// Those of [`ConverterBuilder::build`].
    pub fn new(builder: ConverterBuilder, blend: Blend, order: FieldOrder) -> Result<Deblender, Error> {
        let fixed = match order {
            FieldOrder::TopFirst => FieldOrderMode::TopFirst,
            FieldOrder::BottomFirst => FieldOrderMode::BottomFirst,
        };
        let builder = builder.field_order(fixed).deinterlace(DeinterlaceMode::On).field_matching(FieldMatching::Off);
        let builder = builder.rate(OutputRate::Field).survey(None).variable_rate(false).first_output(0);
        let builder = builder.stream(|stream| stream.denoise(false).denoise_chroma(false).denoise_motion(false));
        let (format, level) = builder.format_and_level();
        let mut deinterlacer = builder.build()?;
        deinterlacer.plan()?;
        let kernels = Kernels::at(level.map_or_else(SimdLevel::from_env, Ok)?)?;
        Ok(Deblender {
            blend,
            order,
            format,
            sampler: FieldSampler::new(format, kernels),
            deinterlacer,
            samples: VecDeque::new(),
            pushed: 0,
            waiting: VecDeque::new(),
            origin: None,
            fields: VecDeque::new(),
            frames: VecDeque::new(),
            next: None,
            finished: false,
            spare: vec![],
        })
    }

    /// Takes the next frame. Its pictures can be pulled 24 frames later.
    ///
    /// # Errors
    /// [`Error::Plane`] if the luma does not have the format, [`Error::Ended`] after
    /// [`finish`](Deblender::finish), and those of [`Converter::push`] and [`Converter::pull`].
    pub fn push(&mut self, frame: impl Into<ClipFrame>) -> Result<(), Error> {
        if self.finished {
            return Err(Error::Ended);
        }
        let clip: ClipFrame = frame.into();
        let planes = clip.frame.planes();
        self.samples.push_back(self.sampler.sample(check_plane(planes.first(), 0, &self.format)?)?);
        if self.samples.len() > WINDOW + BLOCK {
            self.samples.pop_front();
        }
        self.pushed += 1;
        self.waiting.push_back(clip);
        // The window of the first waiting frames is complete.
        if self.waiting.len() == WINDOW - BEFORE.min(self.decided()) {
            self.decide(BLOCK)?;
        }
        Ok(())
    }

    /// Ends the clip: all remaining pictures can be pulled.
    ///
    /// # Errors
    /// Those of [`Converter::pull`].
    pub fn finish(&mut self) -> Result<(), Error> {
        if std::mem::replace(&mut self.finished, true) {
            return Ok(());
        }
        while !self.waiting.is_empty() {
            self.decide(BLOCK.min(self.waiting.len()))?;
        }
        self.deinterlacer.finish();
        self.collect()
    }

    /// The next picture, with the user data of the frame that it shares most with; none until more
    /// frames are pushed, and after the last one.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn pull(&mut self) -> Result<Option<ClipFrame>, Error> {
        let Some(&(position, _)) = self.fields.front() else { return Ok(None) };
        let next = *self.next.get_or_insert(self.edge(position, 1));
        let rate = self.blend.rate.per_field();
        // The middle of the fields that show the picture.
        let middle = next as f64 + self.middle();
        let reach = REACH * rate;
        while self.fields.front().is_some_and(|(position, _)| *position < middle - reach - rate / 2.0) {
            self.fields.pop_front();
            let frame = self.frames.pop_front();
            self.spare.extend(frame.map(|(frame, _)| frame).filter(|_| self.spare.len() < 2));
        }
        let known = self.frames.len();
        let last = self.fields.iter().take(known).next_back().map(|(position, _)| *position);
        let (Some(last), is_complete) = (last, self.finished && known == self.fields.len()) else { return Ok(None) };
        if if is_complete { next > self.edge(last, 0) } else { last < middle + reach } {
            return Ok(None);
        }
        let around: Vec<MixedField> = self.fields.iter().take(known).map(|(_, field)| *field).collect();
        let within = |index: &usize| self.fields[*index].0 <= middle + reach + rate / 2.0;
        let count = (0..known).take_while(within).count();
        let taps = taps(next, &around[..count]);
        let own = (0..count).max_by(|&a, &b| around[a].of(next).total_cmp(&around[b].of(next))).unwrap_or(0);
        let format = self.frames[0].0.format();
        let spare = self.spare.pop().filter(|frame| frame.format() == format);
        let mut frame = spare.map_or_else(|| Frame::try_new(format), Ok)?;
        combine(&mut frame, &taps, |index| self.frames.get(index).map(|(frame, _)| frame))?;
        self.next = Some(next + 1);
        Ok(Some(ClipFrame { frame, user_data: self.frames[own].1.clone(), ..ClipFrame::default() }))
    }

    /// Gives the frame of a picture back, so that a later one uses its memory.
    pub fn recycle(&mut self, frame: Frame) {
        if self.spare.len() < 2 {
            self.spare.push(frame);
        }
    }

    /// A used frame of the input, whose memory the caller can fill again; none if there is no free
    /// one.
    pub fn spare_input(&mut self) -> Option<Frame> {
        self.deinterlacer.spare_input()
    }

    /// Frames whose phase is known.
    fn decided(&self) -> usize {
        self.pushed - self.waiting.len()
    }

    /// From the position at which a picture begins to the middle of the fields that show it.
    fn middle(&self) -> f64 {
        match self.blend.kernel {
            BlendKernel::Area => (1.0 - self.blend.rate.per_field()) / 2.0,
            _ => 0.0,
        }
    }

    /// The first picture of which a field at a position has enough, if it is the first one
    /// (`first` = 1), or the last, if it is the last one (0).
    fn edge(&self, position: f64, first: i64) -> i64 {
        let (picture, weight) = self.blend.mix(position);
        picture + if first == 1 { i64::from(weight > 1.0 - EDGE) } else { i64::from(weight >= EDGE) }
    }

    /// Measures the phase of the first `count` waiting frames, and deinterlaces these.
    fn decide(&mut self, count: usize) -> Result<(), Error> {
        let first = self.decided();
        let held = self.pushed - self.samples.len();
        let start = first.saturating_sub(BEFORE).min(self.pushed.saturating_sub(WINDOW)).max(held);
        let window = self.samples.iter().skip(start - held).take(WINDOW);
        let fields: Vec<&[i16]> = window.flat_map(|samples| samples.in_order(self.order)).collect();
        let phase = phase_of(fields.len(), &self.sampler.inner_products(&fields), self.blend);
        let rate = self.blend.rate.per_field();
        let measured = phase.phase - 2.0 * start as f64 * rate;
        let origin = match self.origin {
            None => measured - measured.floor(),
            Some(origin) if !phase.is_clear => origin,
            Some(origin) => {
                let change = (measured - origin + 0.5).rem_euclid(1.0) - 0.5;
                origin + if change.abs() < DRIFT { change / 2.0 } else { change }
            }
        };
        self.origin = Some(origin);
        for number in first..first + count {
            for field in [2 * number, 2 * number + 1] {
                let parity = (field + usize::from(self.order == FieldOrder::BottomFirst)) % 2;
                let after = self.fields.back().map_or(f64::NEG_INFINITY, |(position, _)| *position);
                let position = (origin + field as f64 * rate).max(after);
                let fits = phase.fits.get(field - 2 * start).is_some_and(|&fits| fits);
                self.fields.push_back((position, MixedField::new(self.blend, position, parity, fits)));
            }
            if let Some(clip) = self.waiting.pop_front() {
                self.deinterlacer.push(clip)?;
                self.collect()?;
            }
        }
        Ok(())
    }

    /// Takes the deinterlaced fields.
    fn collect(&mut self) -> Result<(), Error> {
        while let Some(output) = self.deinterlacer.pull()? {
            self.frames.push_back((output.frame, output.user_data));
        }
        Ok(())
    }
}

impl fmt::Debug for Deblender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Deblender").field("blend", &self.blend).field("order", &self.order).finish_non_exhaustive()
    }
}
