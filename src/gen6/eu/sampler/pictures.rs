//! The surfaces that a `deinterlace` message reads, checked against each other.
use crate::format::Sampling;
use crate::gen6::eu::error::MessageError;
use crate::gen6::eu::machine::Machine;
use crate::gen6::eu::message::Message;
use crate::gen6::eu::picture::Picture;
use crate::gen6::state::{DeinterlaceControl, MediaSurfaceState};

/// The surfaces of a message.
pub(super) struct Pictures {
    pub current: Picture,
    pub previous: Option<Picture>,
    /// The denoised previous luma.
    pub clean: Option<Picture>,
    pub statistics: Option<Picture>,
}

impl Pictures {
    pub fn bind(machine: &Machine, message: &Message, control: DeinterlaceControl) -> Result<Pictures, MessageError> {
        let binding = message.descriptor.binding();
        let wrong = |binding, what| MessageError::Surface { binding, what };
        let picture = |offset: u8| -> Result<Picture, MessageError> {
            let binding = binding.checked_add(offset).ok_or(wrong(binding, "the next entries are beyond the table"))?;
            let state: MediaSurfaceState = machine.media_surface(message.binding_table, binding)?;
            Picture::of(&state).map_err(|what| wrong(binding, what))
        };
        let current = picture(0)?;
        let (luma, interlaced) = (current.components[0], !control.progressive_dn);
        let least = if current.sampling == Sampling::C420 && control.di_enable { 4 } else { 2 };
        if interlaced && (luma.height % 2 != 0 || luma.height < least) {
            return Err(wrong(binding, "fields need an even height, 4:2:0 at least 4 lines"));
        }
        let size = |picture: &Picture| (picture.components[0].width, picture.components[0].height);
        let fits = |offset: u8, picture: Picture, sampling: Option<Sampling>| {
            let same = size(&picture) == size(&current) && sampling.is_none_or(|sampling| sampling == picture.sampling);
            if same { Ok(Some(picture)) } else { Err(wrong(binding + offset, "another size or format than the current frame's")) }
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
                return Err(wrong(binding + 3, "too small for the statistics of the current frame"));
            }
            statistics = Some(map);
        }
        Ok(Pictures { current, previous, clean, statistics })
    }
}
