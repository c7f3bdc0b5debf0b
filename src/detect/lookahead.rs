//! The frames that decisions look at: some that are decided, those ahead.
use super::cadence::{HYPOTHESES, IN_PHASE, NO_FIT, WINDOWS, hypothesis};
use super::cadence_fit::Trial;
use super::comb_mask::RepeatFieldMetrics;
use super::frame_metrics::{Contrast, Evidence, Found};
use super::sampling::{SampleGrid, SubsampledLuma, change_samples};
use super::window::{Window, each};
use crate::format::FieldOrder;
use dndi_simd::{Kernels, Tile};
use std::collections::VecDeque;
use std::ops::Range;

/// Decided frames that are kept.
const BEHIND: u64 = 12;

/// Borders between a cut and an end of a window that are enough to tell which cadence they belong to.
const PART: u64 = 8;

/// Mean square of the difference at a cut, at least.
const CUT: u64 = 26;

#[derive(Debug)]
pub(super) struct History {
    pub grid: SampleGrid,
    frames: VecDeque<Evidence>,
    /// Number of the first of them.
    first: u64,
    /// Where the next window of each length begins.
    reached: [u64; WINDOWS.len()],
    spare: Vec<Evidence>,
}

impl History {
    pub fn new(grid: SampleGrid) -> History {
        // Border 0 has nothing before it.
        History { grid, frames: VecDeque::new(), first: 0, reached: [1; WINDOWS.len()], spare: vec![] }
    }

    /// Number of the next frame that is taken.
    pub fn next(&self) -> u64 {
        self.first + self.frames.len() as u64
    }

    /// Takes a frame; `film` tells whether it may be other than progressive frames.
    pub fn take(&mut self, kernels: &Kernels, current: &SubsampledLuma, previous: Option<&SubsampledLuma>, film: bool) {
        let mut evidence = self.spare.pop().unwrap_or_else(|| Evidence::new(self.grid));
        evidence.measure(self.grid, kernels, current, previous);
        let (second, third) = (self.next() == 1, self.next() == 2);
        if let Some(mut before) = self.frames.pop_back() {
            evidence.compare_across(&before);
            before.compare_inside(second, Some(&evidence));
            if !second {
                before.compare_changes(self.frames.back().filter(|_| !third), Some(&evidence));
            }
            self.frames.push_back(before);
        }
        self.frames.push_back(evidence);
        self.fit(2 * self.next() - 1, false, film);
    }

    /// No more frames are taken.
    pub fn end(&mut self, film: bool) {
        let (first, second) = (self.next() == 1, self.next() == 2);
        if let Some(mut last) = self.frames.pop_back() {
            last.compare_inside(first, None);
            if !first {
                last.compare_changes(self.frames.back().filter(|_| !second), None);
            }
            self.frames.push_back(last);
            self.fit(2 * self.next(), true, film);
        }
    }

    /// Forgets what the decision about `frame` and later ones does not look at.
    pub fn forget(&mut self, frame: u64) {
        while self.first + BEHIND < frame {
            self.spare.extend(self.frames.pop_front());
            self.first += 1;
        }
    }

    /// Fits the cadences in windows that end before border `end`.
    fn fit(&mut self, end: u64, last: bool, film: bool) {
        for (window, length) in WINDOWS.into_iter().enumerate() {
            while self.reached[window] + length <= end {
                self.fit_window(
                    self.reached[window]..self.reached[window] + length,
                    window == 0,
                    last && self.reached[window] + length == end,
                    film,
                );
                self.reached[window] += 1;
            }
            // Less than three frames have no cadence.
            if last && self.reached[window] == 1 && end > 5 {
                self.fit_window(1..end, window == 0, true, film);
            }
        }
    }

    fn fit_window(&mut self, borders: Range<u64>, still: bool, last: bool, film: bool) {
        let windows = FieldOrder::BOTH.map(|order| Window::new(self, order, borders.clone()));
        let ends = |order: FieldOrder| {
            let cut = windows[order as usize].cuts & 1 == 1;
            [borders.start == 1 || cut, last || self.is_cut(order, borders.end)]
        };
        let ends = FieldOrder::BOTH.map(ends);
        let cuts = [0, 1].map(|order| windows[order].cuts);
        let mut told = vec![];
        for index in if film { 0..HYPOTHESES } else { IN_PHASE..IN_PHASE + 1 } {
            let trials = [0, 1].map(|order| Trial::new(&windows[order], index));
            let mut fits = [trials[0].fit(still), trials[1].fit(still)];
            // Progressive frames comb with both others; fields taken in the wrong order only with one.
            if hypothesis(index).keeps_frames() {
                fits = [fits[0].max(fits[1]); 2];
            }
            let fitting = (0..2).filter(|&order| fits[order] != NO_FIT);
            told.extend(fitting.map(|order| (order, index, fits[order], trials[order].tells(ends[order]))));
        }
        for (order, index, fit, tells) in told {
            for border in each(tells).map(|i| borders.start + i as u64) {
                // Of what lies beyond a cut a few borders tell nothing.
                let cuts = || each(cuts[order]).map(|i| borders.start + i as u64);
                let after = cuts().rev().find(|&cut| cut <= border).map_or(PART, |cut| borders.end - cut);
                let before = cuts().find(|&cut| cut > border).map_or(PART, |cut| cut - borders.start);
                if after >= PART && before >= PART {
                    let known = &mut self.border_mut(border).fits[border as usize % 2][order][index];
                    *known = fit.min(*known);
                }
            }
        }
    }

    /// Whether both fields from a border on change everything: much more than any on one side of it does, and more than those on the other,
    /// which may move fast.
    pub fn is_cut(&self, order: FieldOrder, border: u64) -> bool {
        if self.borders(border.max(2)..border + 2) != (border..border + 2) {
            return false;
        }
        let change = |field: u64| self.change(order, field);
        let both = change(border).min(change(border + 1));
        // Six lines of each group count in a change, twice as many samples as in the measures of combing.
        if both <= 3 * CUT * self.samples() {
            return false;
        }
        let most = |fields| self.borders(fields).map(change).max();
        let sides = [most(border.saturating_sub(PART).max(2)..border), most(border + 2..border + PART + 2)];
        let [before, after] = [0, 1].map(|side: usize| sides[side].or(sides[1 - side]).unwrap_or(0));
        both > 4 * before.min(after) && 2 * both > 3 * before.max(after)
    }

    pub fn get(&self, frame: u64) -> Option<&Evidence> {
        self.frames.get(usize::try_from(frame.checked_sub(self.first)?).ok()?)
    }

    /// The frames of a range that are known.
    pub fn range(&self, frames: Range<u64>) -> impl Iterator<Item = &Evidence> {
        frames.filter_map(|frame| self.get(frame))
    }

    /// The borders of a range that are known and have fields on both sides.
    pub fn borders(&self, borders: Range<u64>) -> Range<u64> {
        borders.start.max(2 * self.first).max(1)..borders.end.min(2 * self.next())
    }

    fn border(&self, border: u64) -> &Evidence {
        &self.frames[(border / 2 - self.first) as usize]
    }

    fn border_mut(&mut self, border: u64) -> &mut Evidence {
        &mut self.frames[(border / 2 - self.first) as usize]
    }

    /// How much the fields at a border comb.
    pub fn combing(&self, order: FieldOrder, border: u64) -> u64 {
        let evidence = self.border(border);
        if border.is_multiple_of(2) { evidence.across[order as usize] } else { evidence.inside }
    }

    /// How much more they do than at the borders beside it.
    pub fn peak(&self, order: FieldOrder, border: u64) -> Contrast {
        self.border(border).peaks[border as usize % 2][order as usize]
    }

    pub fn strength(&self, order: FieldOrder, border: u64) -> i64 {
        self.border(border).strengths[border as usize % 2][order as usize]
    }

    /// How much a field differs from the one of its parity before it.
    pub fn change(&self, order: FieldOrder, field: u64) -> u64 {
        let parity = (field % 2) as usize ^ order as usize;
        // Three lines of the top field are compared, two of the bottom field.
        self.border(field).changed[parity] * [2, 3][parity]
    }

    /// In how many tiles a field changed less than those of its parity around it, but for those where it changed more, and how many these
    /// are together: [`Evidence::calm`].
    pub fn calm(&self, order: FieldOrder, field: u64) -> [i64; 2] {
        self.border(field).calm[(field % 2) as usize ^ order as usize]
    }

    /// Whether a border is inside a frame whose fields are surely of one time. After a cut the frame before tells nothing of that.
    pub fn is_whole(&self, border: u64) -> bool {
        !border.is_multiple_of(2) && self.border(border).whole && !self.is_cut(FieldOrder::TopFirst, border - 1)
    }

    /// Whether one of the frames that are known is.
    pub fn has_whole(&self, frames: Range<u64>) -> bool {
        self.borders(2 * frames.start..2 * frames.end).any(|border| self.is_whole(border))
    }

    /// In which order the fields of a frame surely are not; nor are they of one time then.
    pub fn lopsided(&self, frame: u64) -> Option<FieldOrder> {
        self.get(frame)?.lopsided
    }

    /// Whether the fields at a border are surely of different times, each a picture of its own.
    pub fn is_apart(&self, order: FieldOrder, border: u64) -> bool {
        self.border(border).apart[border as usize % 2][order as usize]
    }

    /// What the tiles tell of a field that is the third one of a picture.
    pub fn third(&self, order: FieldOrder, field: u64) -> Option<RepeatFieldMetrics> {
        let parity = (field % 2) as usize ^ order as usize;
        let tiles = |frame: u64| Some(&self.get(frame)?.tiles);
        let changed = |frame: u64| Some(tiles(frame)?.iter().map(|tile| tile.changed[parity]).collect());
        let combing = |border: u64| {
            let tiles = tiles(border / 2)?.iter();
            let combing = |tile: &Tile| if border.is_multiple_of(2) { tile.across[order as usize] } else { tile.inside };
            Some(tiles.map(combing).collect())
        };
        let (frame, own) = (field / 2, changed(field / 2)?);
        // The first frame changed nothing.
        let before = Some(frame - 1).filter(|&before| before > 0).and_then(changed);
        Some(RepeatFieldMetrics {
            around: [before, changed(frame + 1)].map(|around: Option<Vec<u32>>| around.unwrap_or_else(|| own.clone())),
            changed: own,
            samples: change_samples(parity),
            inside: [field - 1, field].map(combing),
            beside: [field - 2, field + 1].map(|border| combing(border).filter(|_| border > 0)),
        })
    }

    /// How well each cadence fits there.
    pub fn fits(&self, order: FieldOrder, border: u64) -> &[u8; HYPOTHESES] {
        &self.border(border).fits[border as usize % 2][order as usize]
    }

    /// What was found out about a border; nothing about one that is not known.
    pub fn found(&self, border: u64) -> Found {
        self.get(border / 2).map_or(Found::default(), |evidence| evidence.found[border as usize % 2])
    }

    pub fn set_found(&mut self, border: u64, found: Found) {
        self.border_mut(border).found[border as usize % 2] = found;
    }

    pub fn samples(&self) -> u64 {
        self.grid.samples()
    }
}
