//! Numbers of the pixels of a line that move and that motion compensation changed, for statistics.
use crate::contract;
use crate::isa::{Isa, Lane};

/// Adds to `counts` the number of pixels whose pair has a motion measure of `stmm_min` or more, and
/// the number of those whose samples differ in `di` and `sdi`. `stmm` has one value for each pair.
/// `di` determines the number of pixels.
pub fn scalar<S: PartialEq>(counts: &mut [u32; 2], di: &[S], sdi: &[S], stmm: &[u8], stmm_min: u8) {
    for (x, (di, sdi)) in di.iter().zip(sdi).enumerate() {
        let moves = stmm[x / 2] >= stmm_min;
        counts[0] += u32::from(moves);
        counts[1] += u32::from(moves && di != sdi);
    }
}

/// Panics if a slice is too short.
#[inline(always)]
pub(crate) fn check<S>(_: &[u32; 2], di: &[S], sdi: &[S], stmm: &[u8], _: u8) {
    contract::at_least([sdi], di.len());
    contract::at_least([stmm], di.len().div_ceil(2));
}

/// Vectors that are counted together: their counts fit a halfword.
const PART: usize = 1 << 12;

#[inline(always)]
pub(crate) fn vector<I: Isa, S: Lane>(s: I, counts: &mut [u32; 2], di: &[S], sdi: &[S], stmm: &[u8], stmm_min: u8) -> bool {
    let n = S::count::<I>();
    // Each pixel counts once, so vectors must not overlap. The scalar form adds the rest.
    let whole = di.len() / n * n;
    let (least, one) = (S::splat(s, stmm_min.into()), S::splat(s, 1));
    for part in (0..whole).step_by(PART * n) {
        let (mut moving, mut changed) = (s.splat16(0), s.splat16(0));
        for x in (part..whole.min(part + PART * n)).step_by(n) {
            let moves = S::lesser(s, S::at_least(s, S::load_pairs(s, &stmm[x / 2..]), least), one);
            let differs = S::xor(s, S::load(s, &di[x..]), S::load(s, &sdi[x..]));
            for half in S::split(s, moves).as_mut() {
                moving = s.add16(moving, *half);
            }
            for half in S::split(s, S::lesser(s, differs, moves)).as_mut() {
                changed = s.add16(changed, *half);
            }
        }
        counts[0] += sum(s, moving);
        counts[1] += sum(s, changed);
    }
    scalar(counts, &di[whole..], &sdi[whole..], &stmm[whole / 2..], stmm_min);
    true
}

/// The sum of halfwords.
#[inline(always)]
fn sum<I: Isa>(s: I, v: I::H) -> u32 {
    let mut halfwords = [0; 32];
    s.store16(&mut halfwords, v);
    halfwords.iter().map(|&v| u32::from(v)).sum()
}
