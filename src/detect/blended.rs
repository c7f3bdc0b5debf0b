//! Blended fields in the frames that a decision knows.
use super::cadence::{PHASES, Pulldown, cadence_phase};
use super::field_samples::inner_products;
use super::lookahead::Lookahead;
use crate::blend::Blend;
use crate::blend::fit::{BlendFit, FEWEST, Found};
use crate::format::FieldOrder;
use std::collections::BTreeMap;

/// Frames for which one window decides: half of those that a decision knows.
const BLOCK: u64 = 12;

/// Fields by which the length of windows differs at the start and the end of a clip, so that few
/// lengths have projections.
const STEP: usize = 8;

/// The numbers of the pictures of `fields` fields, in each phase of each pulldown pattern.
fn patterns(fields: usize) -> Vec<Vec<Vec<i64>>> {
    let pictures = |phase: usize| {
        let numbers = (0..fields as u64).scan(0, |picture, pair| {
            *picture += i64::from(cadence_phase(phase).starts_picture(pair));
            Some(*picture)
        });
        numbers.collect()
    };
    let of = |pulldown: Pulldown| (0..PHASES).filter(move |&phase| cadence_phase(phase).pulldown == pulldown);
    [Pulldown::P22, Pulldown::P32, Pulldown::P2332, Pulldown::P2224].map(|pulldown| of(pulldown).map(pictures).collect()).into()
}

/// Finds blended fields in the frames of a look-ahead.
#[derive(Debug, Default)]
pub(super) struct BlendSearch {
    /// The projections for windows of each length that occurred.
    fits: BTreeMap<usize, BlendFit>,
    /// The last block of frames that was searched, and its blend.
    last: Option<(u64, Option<Found>)>,
    /// The blend of the whole clip, if it is known.
    pub expected: Option<Blend>,
    /// The frame rate, if it is known. It rules blends of other rates out.
    frame_rate: Option<(u32, u32)>,
}

impl BlendSearch {
    /// A search in frames of this rate; none if it is not known.
    pub fn new(frame_rate: Option<(u32, u32)>) -> BlendSearch {
        BlendSearch { frame_rate, ..BlendSearch::default() }
    }

    /// The blend of the fields around a frame; none if they are not blended. `starts_picture` is
    /// whether a picture of film, or a field of video, starts at a field pair.
    pub fn around(
        &mut self,
        lookahead: &Lookahead,
        frame: u64,
        order: FieldOrder,
        starts_picture: impl Fn(u64) -> bool,
    ) -> Option<Found> {
        if let Some((_, found)) = self.last.filter(|(block, _)| *block == frame / BLOCK) {
            return found;
        }
        let first = lookahead.known_pairs(2 * frame.saturating_sub(BLOCK)..u64::MAX).start / 2;
        let known = (first..lookahead.next_frame()).filter_map(|frame| lookahead.field_samples(frame));
        let fields: Vec<&[i16]> = known.flat_map(|samples| samples.in_order(order)).collect();
        let fields = &fields[..fields.len() / STEP * STEP];
        let mut search = || {
            let fit = self
                .fits
                .entry(fields.len())
                .or_insert_with(|| BlendFit::new(fields.len(), self.frame_rate, patterns(fields.len())));
            let products = inner_products(fields);
            let found = fit.find(&products, fields[0].len(), self.expected)?;
            let pictures = (2 * first..).take(fields.len()).scan(0, |picture, pair| {
                *picture += i64::from(pair > 2 * first && starts_picture(pair));
                Some(*picture)
            });
            let is_film = found.is_film(&products, &pictures.collect::<Vec<_>>());
            Some(found).filter(|_| !is_film)
        };
        let found = if fields.len() < FEWEST { None } else { search() };
        self.last = Some((frame / BLOCK, found));
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_have_their_phases() {
        let patterns = patterns(20);
        assert!(patterns.iter().map(Vec::len).eq([2, 5, 10, 10]));
        assert_eq!(patterns[0][0].windows(2).filter(|pair| pair[0] != pair[1]).count(), 9);
    }
}
