//! Blended fields in the frames that a decision knows.
use super::cadence::{PHASES, Pulldown, cadence_phase};
use super::field_samples::{FieldSampler, FieldSamples};
use super::lookahead::LOOK_AHEAD;
use crate::blend::Blend;
use crate::blend::fit::{BlendFit, FEWEST, Found};
use crate::format::{FieldOrder, Format};
use crate::frame::PlaneRef;
use crate::memory::{OutOfMemory, reserve_one};
use dndi_simd::Kernels;
use std::collections::{BTreeMap, VecDeque};

/// Frames for which one window decides, and past frames of a window: half of those that a decision
/// knows.
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
#[derive(Debug)]
pub(super) struct BlendSearch {
    sampler: FieldSampler,
    /// The samples of the fields of the frames around the one that is decided.
    samples: VecDeque<FieldSamples>,
    /// The number of the first frame in `samples`.
    first: u64,
    /// The projections for windows of each length that occurred.
    fits: BTreeMap<usize, BlendFit>,
    /// The last block of frames that was searched, and its blend.
    last: Option<(u64, Option<Found>)>,
    /// The blend of the whole clip, if it is known.
    expected: Option<Blend>,
    /// The frame rate, if it is known. It rules blends of other rates out.
    frame_rate: Option<(u32, u32)>,
    /// Whether the fields around the last decided frame are blended.
    pub was_blended: bool,
}

impl BlendSearch {
    /// A search in frames of this format and rate, if it is known, of a clip with this blend, if it
    /// is known.
    pub fn new(
        format: Format,
        kernels: &'static Kernels,
        frame_rate: Option<(u32, u32)>,
        expected: Option<Blend>,
    ) -> BlendSearch {
        BlendSearch {
            sampler: FieldSampler::new(format, kernels),
            samples: VecDeque::new(),
            first: 0,
            fits: BTreeMap::new(),
            last: None,
            expected,
            frame_rate,
            was_blended: false,
        }
    }

    /// The samples of the luma plane of the next frame, which was checked against the format.
    pub fn sample(&mut self, luma: PlaneRef) -> Result<FieldSamples, OutOfMemory> {
        reserve_one(&mut self.samples)?;
        self.sampler.sample(luma)
    }

    /// Adds the samples of the next frame.
    pub fn push(&mut self, samples: FieldSamples) {
        self.samples.push_back(samples);
    }

    /// Drops the frames that the decisions about `frame` and later ones do not use.
    pub fn forget_before(&mut self, frame: u64) {
        while self.first + BLOCK < frame && self.samples.pop_front().is_some() {
            self.first += 1;
        }
    }

    /// The blend of the fields around a frame; none if they are not blended. `starts_picture` is
    /// whether a picture of film, or a field of video, starts at a field pair.
    pub fn around(&mut self, frame: u64, order: FieldOrder, starts_picture: impl Fn(u64) -> bool) -> Option<Found> {
        if let Some((_, found)) = self.last.filter(|(block, _)| *block == frame / BLOCK) {
            return found;
        }
        let first = frame.saturating_sub(BLOCK).max(self.first);
        let known = self.samples.iter().skip((first - self.first) as usize).take((BLOCK + 1 + LOOK_AHEAD) as usize);
        let fields: Vec<&[i16]> = known.flat_map(|samples| samples.in_order(order)).collect();
        let fields = &fields[..fields.len() / STEP * STEP];
        let mut search = || {
            let fit = self
                .fits
                .entry(fields.len())
                .or_insert_with(|| BlendFit::new(fields.len(), self.frame_rate, patterns(fields.len())));
            let products = self.sampler.inner_products(fields);
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
