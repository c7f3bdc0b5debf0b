//! Input and output frames of a stream.
use crate::adapt::denoise::DenoiseState;
use crate::deinterlace::PixelSources;
use crate::field_match::{FieldMatch, FieldMatches, StepMatches};
use crate::format::Format;
use crate::frame::{Frame, PlaneRef, Planes, UserData};
use crate::luma::LumaStatistics;

/// A frame to push: its planes, and optionally field matches and data of the caller. Planes alone
/// convert to it.
#[derive(Clone, Debug)]
pub struct Input<'a> {
    pub(crate) planes: &'a [PlaneRef<'a>],
    pub(crate) matches: Option<&'a FieldMatches>,
    pub(crate) user_data: Option<UserData>,
    /// The outputs of the step, in order of time, that are needed. Others may be left out.
    pub(crate) wanted: [bool; 2],
}

impl<'a> Input<'a> {
    /// A frame of the planes luma, Cb, Cr. Of mono only the first plane counts; the others may be
    /// missing.
    pub fn new(planes: &'a [PlaneRef<'a>]) -> Input<'a> {
        Input { planes, matches: None, user_data: None, wanted: [true; 2] }
    }

    /// Sets the field matches of the step, which a [`Detector`](crate::Detector) finds. The first
    /// step ignores them, except [`FieldMatches::final_match`] (§1.4).
    #[must_use]
    pub fn matches(self, matches: &'a FieldMatches) -> Input<'a> {
        Input { matches: Some(matches), ..self }
    }

    /// Attaches data of the caller to the frame; the outputs of its fields carry them.
    #[must_use]
    pub fn user_data(self, data: UserData) -> Input<'a> {
        Input { user_data: Some(data), ..self }
    }
}

impl<'a> From<&'a [PlaneRef<'a>]> for Input<'a> {
    fn from(planes: &'a [PlaneRef<'a>]) -> Input<'a> {
        Input::new(planes)
    }
}

impl<'a, const N: usize> From<&'a [PlaneRef<'a>; N]> for Input<'a> {
    fn from(planes: &'a [PlaneRef<'a>; N]) -> Input<'a> {
        Input::new(planes)
    }
}

impl<'a> From<&'a Planes<'a>> for Input<'a> {
    fn from(planes: &'a Planes<'a>) -> Input<'a> {
        Input::new(planes)
    }
}

/// A frame that was pulled.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Output {
    /// The picture.
    pub frame: Frame,
    /// Presentation time in fields: input frame N begins at 2N. A deinterlaced frame lasts one
    /// field, another frame two.
    pub field_time: u64,
    /// The field match of its missing lines (§3.8): deinterlaced, or woven with a field.
    pub field_match: FieldMatch,
    /// Sources of the pixels of its missing lines; none without missing lines or with
    /// [`StreamBuilder::statistics`](crate::StreamBuilder::statistics) off.
    pub sources: Option<PixelSources>,
    /// The denoise filter of the luma of its field; none with denoising off.
    pub denoise: Option<DenoiseState>,
    /// The denoise filter of the chroma of its field; none with chroma denoising off.
    pub denoise_chroma: Option<DenoiseState>,
    /// Statistics of its luma; none unless
    /// [`StreamBuilder::luma_statistics`](crate::StreamBuilder::luma_statistics) is on.
    pub luma: Option<LumaStatistics>,
    /// The data that the caller attached to the input frame of its field.
    pub user_data: Option<UserData>,
}

/// The properties of an output that the stages up to the deinterlacer determine.
#[derive(Clone, Debug)]
pub(crate) struct OutputInfo {
    pub field_time: u64,
    pub field_match: FieldMatch,
    pub sources: Option<PixelSources>,
    /// The denoise filters of luma and chroma.
    pub denoise: [Option<DenoiseState>; 2],
}

impl OutputInfo {
    /// The properties of a frame that is neither deinterlaced nor denoised.
    pub fn at(field_time: u64) -> OutputInfo {
        OutputInfo { field_time, field_match: FieldMatch::Deinterlace, sources: None, denoise: [None, None] }
    }

    /// The properties of both outputs of deinterlacing step `number`: the second field of the
    /// previous frame, which has no meaning on the first step, and the first field of the current
    /// frame. `denoise` has the filters before and after the step.
    pub fn of_step(
        number: u64,
        matches: StepMatches,
        [prev2, cur1]: [Option<PixelSources>; 2],
        [before, now]: [[Option<DenoiseState>; 2]; 2],
    ) -> [OutputInfo; 2] {
        let StepMatches { second_of_previous, first_of_current } = matches;
        let field_time = (2 * number).saturating_sub(1);
        [
            OutputInfo { field_time, field_match: second_of_previous, sources: prev2, denoise: before },
            OutputInfo { field_time: 2 * number, field_match: first_of_current, sources: cur1, denoise: now },
        ]
    }

    /// The properties of both outputs of frame `number`, in order of time.
    pub fn of_frame(
        number: u64,
        matches: [FieldMatch; 2],
        sources: [Option<PixelSources>; 2],
        denoise: [Option<DenoiseState>; 2],
    ) -> [OutputInfo; 2] {
        [0, 1].map(|field| OutputInfo {
            field_time: 2 * number + field as u64,
            field_match: matches[field],
            sources: sources[field],
            denoise: denoise.clone(),
        })
    }

    /// The properties of the last field after `steps` frames of `format`, woven or deinterlaced
    /// spatially; with the sources of its pixels if `counted`.
    pub fn of_last(steps: u64, format: Format, weave: bool, counted: bool, denoise: [Option<DenoiseState>; 2]) -> OutputInfo {
        let pixels = (format.width * format.height / 2) as u64;
        OutputInfo {
            field_time: 2 * steps - 1,
            field_match: if weave { FieldMatch::Previous } else { FieldMatch::Deinterlace },
            sources: counted.then(|| PixelSources::of(pixels, weave)),
            denoise,
        }
    }

    /// The complete output.
    pub fn output(self, frame: Frame, luma: Option<LumaStatistics>, user_data: Option<UserData>) -> Output {
        let OutputInfo { field_time, field_match, sources, denoise: [denoise, denoise_chroma] } = self;
        Output { frame, field_time, field_match, sources, denoise, denoise_chroma, luma, user_data }
    }
}
