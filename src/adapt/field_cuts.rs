//! Scene cuts between adjacent fields, for deinterlacers that read several fields (§14.1).
//!
//! Fields of both parities show different lines, so that fine detail changes the cell means of
//! [`Thumbnail`] from field to field, even if nothing moves. Two things keep this from being a cut:
//! the texture within the cells counts as correlation, and fields of one parity must differ, too.
use super::scene::{CELLS, Thumbnail, cell_lines, correlate};
use crate::frame::PlaneSample;
use crate::plane::PlaneView;

/// Part of the texture of both fields that counts as correlation, in 1/256: the part of the
/// variance within a cell by which moving texture may change the variance of the cell means.
///
/// Chosen on moving pages of text and on cuts between clips, of which it has no error. With 8 two
/// of 582 moving pages have false cuts, with 4 they are 25. With 16 one of 2024 cuts of shots of
/// two fields is missed, with 24 they are 8, and 8 of 2024 other cuts.
const TEXTURE_PART: i64 = 12;

/// Variance of the cell means, in code values squared, from which a field beside a blank one is of
/// another shot: the standard deviation is 8 code values. A picture that fades to black within half
/// a second has less before it is blank; content beside a black frame or a flash has more. The
/// clips of the corpus have no blank pictures.
const DISTINCT_VARIANCE: i64 = 64;

/// Minimum number of cells that a cut changes. An object that appears, or moves by its own width
/// from field to field, changes fewer. No cut of the series is missed with 12 or 16.
const CHANGED_CELLS: usize = 16;

/// Change of the mean of such a cell, in 1/16 of a code value: 3. No cut of the series is missed
/// with 2 to 4.
const CHANGE: u32 = 3 * 16;

/// The variance within each cell.
type Texture = [u16; CELLS];

/// The properties of a field that cuts depend on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FieldLook {
    /// None of a blank field.
    thumbnail: Option<Thumbnail>,
    /// The variances within the cells, in code values squared.
    texture: Texture,
}

impl FieldLook {
    /// The look of the field of a luma plane whose first line is `first`.
    pub fn of<S: PlaneSample>(view: PlaneView<S>, size: (usize, usize), first: usize, depth: u8) -> FieldLook {
        FieldLook {
            thumbnail: Thumbnail::of(std::iter::once((view, size)), first, depth),
            texture: texture(view, size, first, depth),
        }
    }

    /// Whether two fields cannot belong to the same shot.
    fn differs(&self, other: &FieldLook) -> bool {
        // Texture that moves within a shot is in both fields.
        let both = self.texture.iter().zip(&other.texture).map(|(&a, &b)| i64::from(a.min(b)));
        let texture = TEXTURE_PART * both.sum::<i64>();
        match (&self.thumbnail, &other.thumbnail) {
            (Some(a), Some(b)) => {
                let [a2, ab, b2] = [a.product(a), a.product(b), b.product(b)].map(|product| product + texture);
                !correlate(ab, (a2, b2)) && a.changes(Some(b), CHANGE) >= CHANGED_CELLS
            }
            (Some(one), None) | (None, Some(one)) => {
                let minimum = (CELLS * 16 * 16) as i64 * DISTINCT_VARIANCE + texture;
                one.product(one) >= minimum && one.changes(None, CHANGE) >= CHANGED_CELLS
            }
            (None, None) => false,
        }
    }
}

/// Finds the scene cuts before the fields of successive frames.
#[derive(Debug, Default)]
pub(crate) struct FieldCuts {
    /// The fields of the last frame, in order of time.
    last: Option<[FieldLook; 2]>,
}

impl FieldCuts {
    /// Starts another clip.
    pub fn reset(&mut self) {
        self.last = None;
    }

    /// Whether a cut lies before each field of the next frame. The fields are in order of time.
    ///
    /// A cut must also show between fields of one parity, since some patterns, as blinds, alias to
    /// large shapes that differ between the parities.
    pub fn next(&mut self, fields: [FieldLook; 2]) -> [bool; 2] {
        let [early, late] = &fields;
        // The first frame has no fields of the same parity before it.
        let cuts = self.last.as_ref().map_or([false; 2], |[last_early, last_late]| {
            let late_differs = last_late.differs(late);
            let before_early = late_differs && last_late.differs(early) && last_early.differs(early);
            // After a cut the late field differs from the last one in any case: the parities are
            // not comparable.
            [before_early, !before_early && late_differs && early.differs(late)]
        });
        self.last = Some(fields);
        cuts
    }
}

/// The variances of the 8 most significant bits within the cells of a field; 0 if some cell has no
/// sample.
fn texture<S: PlaneSample>(view: PlaneView<S>, size: (usize, usize), first: usize, depth: u8) -> Texture {
    let (mut sums, mut counts) = ([(0, 0); CELLS], [0; CELLS]);
    for (cell, samples) in cell_lines(view, size, first) {
        let tops = || moments(samples.iter().map(|&sample| (sample.into() >> (depth - 8)).min(255)));
        // The compiler vectorizes the bytes of 8-bit streams by themselves.
        let (sum, squares) = S::as_bytes(samples).map_or_else(tops, |bytes| moments(bytes.iter().map(|&byte| byte.into())));
        sums[cell].0 += u64::from(sum);
        sums[cell].1 += u64::from(squares);
        counts[cell] += samples.len() as u64;
    }
    let mut texture = [0; CELLS];
    if !counts.contains(&0) {
        for ((cell, (sum, squares)), count) in texture.iter_mut().zip(sums).zip(counts) {
            // A cell has at most 2^18 samples, and the variance of bytes is below 2^14.
            *cell = ((count * squares - sum * sum) / (count * count)) as u16;
        }
    }
    texture
}

/// The sum of up to 8192 bytes and the sum of their squares.
fn moments(bytes: impl Iterator<Item = u32>) -> (u32, u32) {
    bytes.fold((0, 0), |(sum, squares), byte| (sum + byte, squares + byte * byte))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::InputPlane;
    use crate::plane::PaddedPlane;
    use dndi_simd::{Kernels, SimdLevel};

    const SIZE: (usize, usize) = (208, 152);

    /// The looks of both fields of a picture, by the samples at columns and lines.
    fn looks(pixel: impl Fn(usize, usize) -> u8) -> [FieldLook; 2] {
        let data: Vec<u8> = (0..SIZE.0 * SIZE.1).map(|i| pixel(i % SIZE.0, i / SIZE.0)).collect();
        let mut padded = PaddedPlane::new(SIZE.0, SIZE.1).unwrap();
        padded.import(Kernels::at(SimdLevel::Scalar).unwrap(), InputPlane { data: &data, stride: SIZE.0, most: 255 });
        [0, 1].map(|first| FieldLook::of(padded.frame(), SIZE, first, 8))
    }

    /// A look of these two values in turn, and of the same texture in all cells.
    fn look(cells: [i32; 2], texture: u16) -> FieldLook {
        FieldLook { thumbnail: Some(Thumbnail::of_cells(&cells.repeat(CELLS / 2))), texture: [texture; CELLS] }
    }

    /// Looks of shots of four kinds, none of which correlate.
    fn shot(kind: usize) -> FieldLook {
        let mut cells = [0; 4];
        cells[kind] = 1000;
        FieldLook { thumbnail: Some(Thumbnail::of_cells(&cells.repeat(CELLS / 4))), texture: [0; CELLS] }
    }

    /// The fields that follow a cut, of frames whose fields are of these shots.
    fn cuts(shots: &[usize]) -> Vec<usize> {
        let mut cuts = FieldCuts::default();
        let found = shots.chunks(2).flat_map(|frame| cuts.next([shot(frame[0]), shot(frame[1])]));
        found.enumerate().filter_map(|(field, is_cut)| is_cut.then_some(field)).collect()
    }

    #[test]
    fn cuts_show_in_fields_of_one_parity() {
        assert_eq!(cuts(&[0, 0, 0, 0, 0, 0]), []);
        assert_eq!(cuts(&[0, 0, 1, 1, 2, 2]), [2, 4]);
        assert_eq!(cuts(&[0, 0, 0, 1, 1, 1]), [3]);
        assert_eq!(cuts(&[0, 0, 0, 1, 1, 0, 0, 0]), [3, 5]);
        // Parities that differ for the whole shot, and from frame to frame.
        assert_eq!(cuts(&[0, 1, 0, 1, 0, 1]), []);
        assert_eq!(cuts(&[0, 1, 0, 1, 2, 3, 2, 3]), [4]);
        // A change of the fields of one parity alone.
        assert_eq!(cuts(&[0, 1, 2, 1, 0, 1]), []);
        assert_eq!(cuts(&[0, 1, 0, 2, 0, 1]), [3, 5]);
        // A field of the same shot lies between the fields that differ.
        assert_eq!(cuts(&[0, 1, 2, 2, 2, 2]), [2]);
        assert_eq!(cuts(&[0, 1, 1, 2, 2, 2]), [3]);
        assert_eq!(cuts(&[0, 0, 0, 1, 0, 1]), [3]);
        // Inside the first frame none is found.
        assert_eq!(cuts(&[0, 1, 1, 1]), []);
    }

    #[test]
    fn a_reset_starts_another_clip() {
        let mut cuts = FieldCuts::default();
        assert_eq!(cuts.next([shot(0); 2]), [false; 2]);
        assert_eq!(cuts.next([shot(1); 2]), [true, false]);
        cuts.reset();
        assert_eq!(cuts.next([shot(0); 2]), [false; 2]);
    }

    #[test]
    fn texture_of_both_fields_counts_as_correlation() {
        // With products of 0 and 24·200² a sum of 819·24·200²/205 is enough.
        let enough = (819 * 24 * 200 * 200_u32 / 205).div_ceil(12 * 48) as u16;
        let fields = |texture: [u16; 2]| (look([200, 0], texture[0]), look([0, 200], texture[1]));
        for (texture, differ) in [([enough; 2], false), ([enough - 1; 2], true), ([16000, enough - 1], true), ([0, 16000], true)]
        {
            let (a, b) = fields(texture);
            assert_eq!((a.differs(&b), b.differs(&a)), (differ, differ), "{texture:?}");
        }
        // The lesser one of each cell.
        let (mut a, mut b) = fields([16000; 2]);
        a.texture[..24].fill(0);
        b.texture[24..].fill(0);
        assert!(a.differs(&b) && b.differs(&a));
    }

    #[test]
    fn distinct_fields_differ_from_blank_ones() {
        let blank = |texture| FieldLook { thumbnail: None, texture: [texture; CELLS] };
        // 48·256·64 is 24·181.02².
        assert!(look([182, 0], 9).differs(&blank(0)) && !look([181, 0], 9).differs(&blank(0)));
        assert!(!blank(0).differs(&blank(0)) && blank(0).differs(&look([182, 0], 9)));
        // 48·256·64 + 12·48·400 is 24·205.8².
        assert!(look([206, 0], 900).differs(&blank(400)) && !blank(400).differs(&look([205, 0], 900)));
    }

    #[test]
    fn small_objects_are_no_cuts() {
        let look = |first: usize, count: usize, value: i32| {
            let mut cells = [0; CELLS];
            cells[first..first + count].fill(value);
            FieldLook { thumbnail: Some(Thumbnail::of_cells(&cells)), texture: [0; CELLS] }
        };
        let blank = FieldLook { thumbnail: None, texture: [0; CELLS] };
        assert!(!look(0, 8, 4000).differs(&look(30, 7, 4000)) && look(0, 8, 4000).differs(&look(30, 8, 4000)));
        assert!(!look(5, 15, 4000).differs(&blank) && look(5, 16, 4000).differs(&blank));
        // Differences below 3 code values do not count.
        assert!(!look(0, 24, 47).differs(&look(24, 24, 47)) && look(0, 24, 48).differs(&look(24, 24, 48)));
    }

    #[test]
    fn frozen_and_moving_texture_is_no_cut() {
        // Dark words of 1 to 9 columns on lines of 8.
        let word = |x: usize, y: usize| y % 8 < 5 && (x / 9 * 7919 + y / 8 * 104_729) % 97 % 9 > x % 9;
        for (across, down) in [(0, 0), (3, 0), (0, 3), (7, 5)] {
            let mut cuts = FieldCuts::default();
            for frame in 0..6 {
                let at = |time: usize| looks(|x, y| if word(x + across * time, y + down * time) { 25 } else { 230 });
                assert_eq!(cuts.next([at(2 * frame)[0], at(2 * frame + 1)[1]]), [false; 2], "{across} {down}");
            }
        }
    }

    #[test]
    fn texture_is_the_variance_within_cells() {
        // Cells of 26 columns: half of the samples are 40 lower; two of 26 are brighter by 60.
        let expected = |column: usize| {
            if column == 3 {
                20 * 20
            } else if column == 5 {
                3600 * 2 * 24 / (26 * 26)
            } else {
                0
            }
        };
        let value = |x: usize| match x / 26 {
            3 => 100 - 40 * (x % 2),
            5 => 100 + if x % 26 < 2 { 60 } else { 0 },
            column => 20 * column,
        };
        for look in looks(|x, _| value(x) as u8) {
            assert!(look.texture.iter().enumerate().all(|(cell, &own)| usize::from(own) == expected(cell % 8)));
        }
        let size = (SIZE.0, 8);
        let mut padded = PaddedPlane::<u16>::new(size.0, size.1).unwrap();
        assert_eq!(texture(padded.frame(), size, 0, 10), [0; CELLS]);
        let size = (SIZE.0, 24);
        let data: Vec<u16> = (0..size.0 * size.1).map(|i| 4 * value(i % size.0) as u16 + 3).collect();
        padded = PaddedPlane::new(size.0, size.1).unwrap();
        padded.import(Kernels::at(SimdLevel::Scalar).unwrap(), InputPlane { data: &data, stride: size.0, most: 1023 });
        assert!(
            texture(padded.frame(), size, 1, 10).iter().enumerate().all(|(cell, &own)| usize::from(own) == expected(cell % 8))
        );
    }

    #[test]
    fn moments_of_long_lines_do_not_overflow() {
        for length in [0, 15, 1024, 8192] {
            assert_eq!(moments(std::iter::repeat_n(255, length)), (255 * length as u32, 65025 * length as u32));
        }
        assert_eq!(moments(0..100), (4950, 328_350));
    }
}
