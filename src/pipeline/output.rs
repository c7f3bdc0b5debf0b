//! Frames on their way into and out of a stream.
use crate::adapt::denoise::DenoiseState;
use crate::deinterlace::PixelSources;
use crate::field_match::{FieldMatch, FieldMatches};
use crate::frame::{Frame, PlaneRef, Planes, UserData};
use crate::luma::LumaStatistics;

/// A frame to push: planes, with field matches and data of the caller's if wanted. Planes alone convert to it.
#[derive(Clone, Debug)]
pub struct Input<'a> {
    pub(crate) planes: &'a [PlaneRef<'a>],
    pub(crate) matches: Option<&'a FieldMatches>,
    pub(crate) user_data: Option<UserData>,
}

impl<'a> Input<'a> {
    /// The planes luma, Cb, Cr; for mono only the first one counts and the others may be missing.
    pub fn new(planes: &'a [PlaneRef<'a>]) -> Input<'a> {
        Input { planes, matches: None, user_data: None }
    }

    /// Weaves fields by these matches, which a [`Detector`](crate::Detector) finds. The first step ignores them, except
    /// [`FieldMatches::final_match`] (§1.4).
    #[must_use]
    pub fn matches(self, matches: &'a FieldMatches) -> Input<'a> {
        Input { matches: Some(matches), ..self }
    }

    /// Attaches data that the outputs made of this frame's fields carry.
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
    /// Presentation time in fields from the first one: frame N of the input begins at 2N. Deinterlaced frames last one field, others
    /// two.
    pub field_time: u64,
    /// The source of its missing lines (§3.8): deinterlaced, or woven.
    pub field_match: FieldMatch,
    /// Sources of the pixels of its missing lines; none if it has no missing lines or no statistics are made.
    pub sources: Option<PixelSources>,
    /// The denoise filter of the luma of the field that it shows; none with denoise off.
    pub denoise: Option<DenoiseState>,
    /// The denoise filter of the chroma of that field; none with chroma denoise off.
    pub denoise_chroma: Option<DenoiseState>,
    /// Statistics of its luma, if [`StreamBuilder::luma_statistics`](crate::StreamBuilder::luma_statistics) is on.
    pub luma: Option<LumaStatistics>,
    /// The caller's data of the frame that the field belongs to.
    pub user_data: Option<UserData>,
}

/// The properties of an output that do not depend on its later stages.
#[derive(Clone, Debug)]
pub(crate) struct OutputInfo {
    pub field_time: u64,
    pub field_match: FieldMatch,
    pub sources: Option<PixelSources>,
    /// Of luma and chroma.
    pub denoise: [Option<DenoiseState>; 2],
}

impl OutputInfo {
    /// Of a frame without missing lines that is not denoised.
    pub fn at(field_time: u64) -> OutputInfo {
        OutputInfo { field_time, field_match: FieldMatch::Deinterlace, sources: None, denoise: [None, None] }
    }

    /// The output with its picture.
    pub fn output(self, frame: Frame, luma: Option<LumaStatistics>, user_data: Option<UserData>) -> Output {
        let OutputInfo { field_time, field_match, sources, denoise: [denoise, denoise_chroma] } = self;
        Output { frame, field_time, field_match, sources, denoise, denoise_chroma, luma, user_data }
    }
}
