//! The surfaces that the message reads, checked against each other.
use crate::format::Sampling;
use crate::gen6::eu::data::error::MessageError;
use crate::gen6::eu::data::message::Message;
use crate::gen6::eu::data::picture::Picture;
use crate::gen6::eu::functions::context::FunctionContext;
use crate::gen6::state::DeinterlaceControl;

/// The surfaces of a message; those that it does not read are none.
pub(super) struct Surfaces {
    pub current: Picture,
    pub previous: Option<Picture>,
    /// Denoised luma of the previous frame.
    pub clean: Option<Picture>,
    /// Motion measures and denoise histories of the previous step.
    pub statistics: Option<Picture>,
}

impl Surfaces {
    /// The surfaces from the binding table index of the message on.
    pub fn bind(context: FunctionContext, message: &Message, control: DeinterlaceControl) -> Result<Surfaces, MessageError> {
        let binding = message.descriptor.binding();
        let unsupported = |binding, reason| MessageError::Surface { binding, reason };
        let picture = |offset: u8| -> Result<Picture, MessageError> {
            let binding =
                binding.checked_add(offset).ok_or(unsupported(binding, "the next surfaces are beyond the binding table"))?;
            Picture::from_state(&context.media_surface(message, binding)?).map_err(|reason| unsupported(binding, reason))
        };
        let current = picture(0)?;
        let (luma, interlaced) = (current.components[0], !control.progressive_dn);
        let least = if current.sampling == Sampling::C420 && control.di_enable { 4 } else { 2 };
        if interlaced && (luma.height % 2 != 0 || luma.height < least) {
            return Err(unsupported(binding, "fields need an even height, 4:2:0 at least 4 lines"));
        }
        let size = |picture: &Picture| (picture.components[0].width, picture.components[0].height);
        let fits = |offset: u8, picture: Picture, sampling: Option<Sampling>| {
            let same = size(&picture) == size(&current) && sampling.is_none_or(|sampling| sampling == picture.sampling);
            let reason = "a size or format other than that of the current frame";
            if same { Ok(Some(picture)) } else { Err(unsupported(binding + offset, reason)) }
        };
        let (mut previous, mut clean, mut statistics) = (None, None, None);
        if !control.first_frame {
            if control.di_enable || !control.dn_enable {
                previous = fits(1, picture(1)?, Some(current.sampling))?;
            }
            if control.dn_enable {
                clean = fits(2, picture(2)?, None)?;
            }
            let map = picture(3)?;
            let holds = map.components[0].width >= luma.width.div_ceil(2) && map.components[0].height >= luma.height;
            if !holds {
                return Err(unsupported(binding + 3, "too small for the statistics of the current frame"));
            }
            statistics = Some(map);
        }
        Ok(Surfaces { current, previous, clean, statistics })
    }
}
