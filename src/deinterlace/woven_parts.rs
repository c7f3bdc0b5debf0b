//! A woven plane, of which the tiles of a comb mask are completed (§14.6).
use super::pixel_sources::PixelSources;
use crate::field_match::CombMask;
use crate::frame::PlaneSample;
use crate::plane::PlaneView;
use std::ops::Range;

/// A plane of a woven output.
#[derive(Clone, Copy)]
pub(crate) struct WovenParts<'a, S> {
    /// The frame whose other field is woven in.
    pub woven: PlaneView<'a, S>,
    /// Tiles that are completed although the output is woven.
    pub mask: Option<&'a CombMask>,
    /// Luma samples for each sample, and luma lines for each line.
    pub scale: (usize, usize),
    /// Width and height of the luma.
    pub luma: (usize, usize),
}

impl<S: PlaneSample> WovenParts<'_, S> {
    /// Writes missing line `y`, and counts its sources. `complete` completes the given samples of
    /// the line.
    pub fn line(
        &self,
        y: usize,
        out: &mut [S],
        sources: &mut PixelSources,
        mut complete: impl FnMut(Range<usize>, &mut [S], &mut PixelSources),
    ) {
        let woven = self.woven.line(y as isize, 0, out.len());
        let weave = |columns: Range<usize>, out: &mut [S], sources: &mut PixelSources| {
            out[columns.clone()].copy_from_slice(&woven[columns.clone()]);
            sources.woven += columns.len() as u64;
        };
        let Some(mask) = self.mask else { return weave(0..out.len(), out, sources) };
        let ((width, height), scale) = (self.luma, self.scale);
        // A sample at the border of two tiles belongs to the right one.
        let column = |x: usize| if x == width { x.div_ceil(scale.0) } else { x / scale.0 };
        let top = y * scale.1 / 4 * 4;
        for (part, is_combed) in mask.parts(top..(top + 4).min(height), 0..width) {
            let columns = column(part.start)..column(part.end);
            if is_combed { complete(columns, out, sources) } else { weave(columns, out, sources) }
        }
    }
}
