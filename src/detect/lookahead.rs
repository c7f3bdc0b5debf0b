//! The look-ahead: the measures of all frames that a decision uses, from 12 past frames to 11
//! future ones.
//!
//! Field pairs have numbers in the assumed field order. Pair 2N consists of the second field of
//! frame N-1 and the first field of frame N, pair 2N + 1 of the two fields of frame N. The number
//! of a pair is also the number of its second field. Pair 0 does not exist: it has no first field.
use super::cadence::{NO_FIT, PHASES};
use super::frame_metrics::{FrameMetrics, PairMetrics};
use super::sampling::{SampleGrid, SubsampledLuma};
use crate::format::FieldOrder;
use crate::memory::{OutOfMemory, reserve_one, with_capacity};
use dndi_simd::Kernels;
use std::collections::VecDeque;
use std::ops::Range;

/// Future frames that a decision uses: a window of 20 field pairs that starts at the decided frame,
/// and the frame after it. With fewer, windows that show the start of a pattern are not known in
/// time; each one more costs delay and the memory of a frame in the caller.
pub(super) const LOOK_AHEAD: u64 = 11;

/// Past frames that a decision uses: those of a window that ends with the decided frame, of a held
/// pattern, and of the repeated fields of comb masks. With fewer such windows would lose their
/// start.
const BEHIND: u64 = 12;

/// Records that are kept for the next frames. A caller that pulls after each push needs one.
const SPARE: usize = 2;

/// The measures of the frames around the one that is decided, and the results for their field
/// pairs.
#[derive(Debug)]
pub(super) struct Lookahead {
    pub grid: SampleGrid,
    records: VecDeque<Record>,
    /// Number of the first frame in `records`.
    first: u64,
    spare: Vec<Record>,
}

/// A frame.
#[derive(Debug)]
struct Record {
    metrics: FrameMetrics,
    /// Field pairs 2N and 2N + 1, per field order.
    fits: [[[u8; PHASES]; 2]; 2],
    /// Field pairs 2N and 2N + 1.
    states: [PairState; 2],
}

const NO_FITS: [[[u8; PHASES]; 2]; 2] = [[[NO_FIT; PHASES]; 2]; 2];

/// The decision about a field pair.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PairState {
    /// Index of the pulldown pattern in its phase, if there is one.
    pub phase: Option<usize>,
    /// Whether the pattern does not fit here and is only held.
    pub is_held: bool,
    /// Whether both fields show the same picture.
    pub same_picture: bool,
}

impl Lookahead {
    pub fn new(grid: SampleGrid) -> Result<Lookahead, OutOfMemory> {
        Ok(Lookahead { grid, records: VecDeque::new(), first: 0, spare: with_capacity(SPARE)? })
    }

    /// A look-ahead at frames with these measures, from frame 0 on.
    #[cfg(test)]
    pub fn of(grid: SampleGrid, frames: impl IntoIterator<Item = FrameMetrics>) -> Lookahead {
        let records = frames.into_iter().map(|metrics| Record { metrics, ..Record::new(grid).unwrap() });
        Lookahead { records: records.collect(), ..Lookahead::new(grid).unwrap() }
    }

    /// Number of the next frame to be pushed.
    pub fn next_frame(&self) -> u64 {
        self.first + self.records.len() as u64
    }

    /// Measures the next frame and compares it with the previous one. After an error the look-ahead
    /// is unchanged.
    pub fn push(
        &mut self,
        kernels: &Kernels,
        current: &SubsampledLuma,
        previous: Option<&SubsampledLuma>,
    ) -> Result<(), OutOfMemory> {
        reserve_one(&mut self.records)?;
        let mut record = match self.spare.pop() {
            Some(record) => record,
            None => Record::new(self.grid)?,
        };
        (record.fits, record.states) = (NO_FITS, [PairState::default(); 2]);
        record.metrics.measure(self.grid, kernels, current, previous);
        let frame = self.next_frame();
        if let Some(mut before) = self.records.pop_back() {
            record.metrics.compare_across(&before.metrics);
            before.metrics.compare_inside(frame == 1, Some(&record.metrics));
            if frame > 1 {
                before.metrics.compare_changes(self.last_changes(frame - 1), Some(&record.metrics));
            }
            self.records.push_back(before);
        }
        self.records.push_back(record);
        Ok(())
    }

    /// Completes the last frame: no frame follows it.
    pub fn finish(&mut self) {
        let frames = self.next_frame();
        if let Some(mut last) = self.records.pop_back() {
            last.metrics.compare_inside(false, None);
            last.metrics.compare_changes(self.last_changes(frames - 1), None);
            self.records.push_back(last);
        }
    }

    /// The last stored frame, which is the one before `frame`; none if that is frame 0, which has
    /// no changes.
    fn last_changes(&self, frame: u64) -> Option<&FrameMetrics> {
        self.records.back().filter(|_| frame > 1).map(|record| &record.metrics)
    }

    /// Drops the frames that the decisions about `frame` and later ones do not use.
    pub fn forget_before(&mut self, frame: u64) {
        while self.first + BEHIND < frame {
            let record = self.records.pop_front();
            self.spare.extend(record.filter(|_| self.spare.len() < SPARE));
            self.first += 1;
        }
    }

    /// The measures of a frame, if it is known.
    pub fn get(&self, frame: u64) -> Option<&FrameMetrics> {
        self.record(frame).map(|record| &record.metrics)
    }

    /// The measures of those frames of a range that are known.
    pub fn frames(&self, frames: Range<u64>) -> impl Iterator<Item = &FrameMetrics> {
        frames.filter_map(|frame| self.get(frame))
    }

    /// The part of a range of field pairs that is known.
    pub fn known_pairs(&self, pairs: Range<u64>) -> Range<u64> {
        pairs.start.max(2 * self.first).max(1)..pairs.end.min(2 * self.next_frame())
    }

    fn record(&self, frame: u64) -> Option<&Record> {
        self.records.get(usize::try_from(frame.checked_sub(self.first)?).ok()?)
    }

    /// The frame of a field pair that is known.
    fn record_of(&self, pair: u64) -> &Record {
        &self.records[(pair / 2 - self.first) as usize]
    }

    fn record_of_mut(&mut self, pair: u64) -> &mut Record {
        &mut self.records[(pair / 2 - self.first) as usize]
    }

    /// The measures of the frame of a known field pair: of frame N for pairs 2N and 2N + 1.
    pub fn frame_of(&self, pair: u64) -> &FrameMetrics {
        &self.record_of(pair).metrics
    }

    /// The measures of a known field pair.
    pub fn pair(&self, order: FieldOrder, pair: u64) -> &PairMetrics {
        &self.frame_of(pair).pairs[pair as usize % 2][order as usize]
    }

    /// The comb metric of a known field pair.
    pub fn combing(&self, order: FieldOrder, pair: u64) -> u64 {
        let frame = self.frame_of(pair);
        if pair.is_multiple_of(2) { frame.across[order as usize] } else { frame.inside }
    }

    /// The sum of squared differences between a known field and the previous one of its parity,
    /// times the number of lines that count for the other parity: 3 of the top field, 2 of the
    /// bottom field.
    pub fn change(&self, order: FieldOrder, field: u64) -> u64 {
        let parity = parity(order, field);
        self.frame_of(field).changed[parity] * [2, 3][parity]
    }

    /// [`FrameMetrics::static_tiles`] of a known field.
    pub fn static_tiles(&self, order: FieldOrder, field: u64) -> [i64; 2] {
        self.frame_of(field).static_tiles[parity(order, field)]
    }

    /// Per phase, how well it fits at a known field pair: the number of picture starts without a
    /// visible change in the best window, or [`NO_FIT`].
    pub fn fits(&self, order: FieldOrder, pair: u64) -> &[u8; PHASES] {
        &self.record_of(pair).fits[pair as usize % 2][order as usize]
    }

    /// Records that a phase fits at a known field pair; the best fit counts.
    pub fn add_fit(&mut self, order: FieldOrder, pair: u64, phase: usize, fit: u8) {
        let known = &mut self.record_of_mut(pair).fits[pair as usize % 2][order as usize][phase];
        *known = fit.min(*known);
    }

    /// The decision about a field pair; the default for one that is not known.
    pub fn state(&self, pair: u64) -> PairState {
        self.record(pair / 2).map_or(PairState::default(), |record| record.states[pair as usize % 2])
    }

    /// Records the decision about a known field pair.
    pub fn set_state(&mut self, pair: u64, state: PairState) {
        self.record_of_mut(pair).states[pair as usize % 2] = state;
    }

    /// Third differences in each comb metric.
    pub fn samples(&self) -> u64 {
        self.grid.samples()
    }
}

impl Record {
    fn new(grid: SampleGrid) -> Result<Record, OutOfMemory> {
        Ok(Record { metrics: FrameMetrics::new(grid)?, fits: NO_FITS, states: [PairState::default(); 2] })
    }
}

/// The parity of a field: 0 top, 1 bottom.
pub(super) fn parity(order: FieldOrder, field: u64) -> usize {
    (field % 2) as usize ^ order as usize
}

#[cfg(test)]
mod tests {
    use super::super::synthetic::lookahead;
    use super::*;
    use crate::format::{Format, Sampling};
    use crate::frame::PlaneRef;
    use dndi_simd::SimdLevel;

    #[test]
    fn twelve_frames_are_kept() {
        let mut lookahead = lookahead(24, |frame, metrics| metrics.inside = frame as u64);
        lookahead.forget_before(12);
        assert!(lookahead.get(0).is_some());
        lookahead.forget_before(15);
        assert!(lookahead.get(2).is_none());
        // Two of the three records that are dropped are kept for the next frames.
        assert_eq!(lookahead.spare.len(), 2);
        assert_eq!([3, 23].map(|frame| lookahead.get(frame).unwrap().inside), [3, 23]);
        assert_eq!((lookahead.next_frame(), lookahead.get(24).is_none()), (24, true));
        assert!(lookahead.frames(1..5).map(|frame| frame.inside).eq([3, 4]));
        assert_eq!([lookahead.known_pairs(0..9), lookahead.known_pairs(7..99)], [6..9, 7..48]);
    }

    /// Frames of noise that is stronger or weaker from frame to frame, so that some fields change
    /// more than those beside them.
    fn noise(grid: SampleGrid, kernels: &Kernels, frame: u32) -> SubsampledLuma {
        let byte = |i: u32| {
            let v = (i + 7919 * frame).wrapping_mul(0x9e37_79b9);
            128 + (v ^ v >> 15).wrapping_mul(0x2c1b_3c6d).to_be_bytes()[0] / [2, 9, 3, 40, 5][frame as usize % 5]
        };
        let data: Vec<u8> = (0..320 * 64).map(byte).collect();
        let mut luma = SubsampledLuma::new(grid).unwrap();
        luma.load(grid, kernels, PlaneRef::new(&data[..], 320), &Format::new(320, 64, Sampling::Mono));
        luma
    }

    /// Each frame is compared with the one before it and the one after it. Frame 0 has no changes.
    #[test]
    fn frames_are_compared_with_those_beside_them() {
        let (grid, kernels) = (SampleGrid::new(320, 64), Kernels::at(SimdLevel::Portable).unwrap());
        for count in 1..6 {
            let lumas: Vec<SubsampledLuma> = (0..count).map(|frame| noise(grid, kernels, frame as u32)).collect();
            let mut lookahead = Lookahead::new(grid).unwrap();
            let mut all: Vec<FrameMetrics> = vec![];
            for (frame, luma) in lumas.iter().enumerate() {
                let previous = frame.checked_sub(1).map(|before| &lumas[before]);
                lookahead.push(kernels, luma, previous).unwrap();
                let mut metrics = FrameMetrics::new(grid).unwrap();
                metrics.measure(grid, kernels, luma, previous);
                if let Some(before) = all.last() {
                    metrics.compare_across(before);
                }
                all.push(metrics);
            }
            lookahead.finish();
            for frame in 0..count {
                let mut own = std::mem::take(&mut all[frame]);
                let (before, after) = ((frame > 1).then(|| &all[frame - 1]), all.get(frame + 1));
                own.compare_inside(frame == 0, after);
                if frame > 0 {
                    own.compare_changes(before, after);
                }
                let has_changes = frame > 0 && count > 2;
                assert_eq!(own.static_tiles != [[0; 2]; 2], has_changes, "{frame} of {count}");
                assert_eq!(format!("{:?}", lookahead.get(frame as u64).unwrap()), format!("{own:?}"), "{frame} of {count}");
                all[frame] = own;
            }
        }
    }

    #[test]
    fn pair_0_does_not_exist() {
        assert_eq!(lookahead(2, |_, _| {}).known_pairs(0..99), 1..4);
    }

    #[test]
    fn even_pairs_lie_before_their_frame() {
        let lookahead = lookahead(3, |frame, metrics| {
            let frame = frame as u64;
            (metrics.across, metrics.inside) = ([10 + frame, 20 + frame], 30 + frame);
            (metrics.changed, metrics.static_tiles) = ([100 + frame, 200 + frame], [[1, 2], [3, 4]]);
            metrics.pairs[1][1].peak_q4 = 7;
        });
        let [top, bottom] = FieldOrder::BOTH;
        assert_eq!([lookahead.combing(top, 2), lookahead.combing(bottom, 2), lookahead.combing(top, 3)], [11, 21, 31]);
        assert_eq!([lookahead.pair(bottom, 3).peak_q4, lookahead.pair(bottom, 2).peak_q4], [7, 0]);
        assert_eq!([lookahead.pair(top, 3).peak_q4, lookahead.pair(bottom, 5).peak_q4], [0, 7]);
        // Three lines of the top field and two of the bottom field, made comparable.
        assert_eq!([lookahead.change(top, 2), lookahead.change(top, 3)], [2 * 101, 3 * 201]);
        assert_eq!([lookahead.change(bottom, 2), lookahead.change(bottom, 3)], [3 * 201, 2 * 101]);
        assert_eq!([lookahead.static_tiles(top, 4), lookahead.static_tiles(bottom, 4)], [[1, 2], [3, 4]]);
    }

    #[test]
    fn the_best_fit_counts() {
        let mut lookahead = lookahead(3, |_, _| {});
        let order = FieldOrder::BottomFirst;
        [3, 1, 2].into_iter().for_each(|fit| lookahead.add_fit(order, 3, 5, fit));
        assert_eq!([lookahead.fits(order, 3)[5], lookahead.fits(order, 3)[4]], [1, NO_FIT]);
        assert_eq!([lookahead.fits(order, 2)[5], lookahead.fits(order.reversed(), 3)[5]], [NO_FIT; 2]);
    }
}
