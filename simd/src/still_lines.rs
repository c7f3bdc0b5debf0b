//! Thin lines that stand still before a picture that moves (§14.4).
use crate::field_lines::FieldLines;
use crate::isa::{Isa, blocks, load_each};
use crate::{APRON, Row, contract};

/// Samples whose tests are made before they are joined over windows.
const CHUNK: usize = 256;
/// Samples of a window on either side of its centre.
const RADIUS: usize = 2;
/// Difference of the fields t - 1, t + 1 and the third one from which on a line does not stand
/// still.
const UNEQUAL: u8 = 5;
/// The minimum distance of a line to the lines above and below it in three fields.
const CONTRAST: u8 = 8;

/// Sets the static measure of the samples of still lines to 0. `third` is the missing line in field
/// t - 3 or t + 3.
pub fn scalar(still: &mut [u16], lines: &FieldLines<u8>, third: Row<u8>) {
    let FieldLines { own: [_, c, e, _], before: [_, _, p, _, _], after: [_, _, n, _, _], .. } = *lines;
    let around = [c, e, lines.older[0], lines.older[1], lines.newer[0], lines.newer[1]];
    for (x, still) in still.iter_mut().enumerate() {
        let window = x + APRON - RADIUS..=x + APRON + RADIUS;
        let stands = window.clone().all(|i| p[i].max(n[i]).max(third[i]) - p[i].min(n[i]).min(third[i]) < UNEQUAL);
        let maximum = |i: usize| around.iter().fold(0, |maximum, row| row[i].max(maximum));
        let minimum = |i: usize| around.iter().fold(255, |minimum, row| row[i].min(minimum));
        let is_bright = window.clone().all(|i| p[i].min(n[i]).saturating_sub(maximum(i)) >= CONTRAST);
        let is_dark = window.clone().all(|i| minimum(i).saturating_sub(p[i].max(n[i])) >= CONTRAST);
        if stands && (is_bright || is_dark) {
            *still = 0;
        }
    }
}

/// Panics if a line is too short.
#[inline(always)]
pub(crate) fn check(still: &[u16], lines: &FieldLines<u8>, third: Row<u8>) {
    lines.check(still.len());
    contract::rows([third], still.len());
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, still: &mut [u16], lines: &FieldLines<u8>, third: Row<u8>) -> bool {
    let width = still.len();
    let count = CHUNK.min(width);
    if count < I::N {
        return false;
    }
    // 255 for the samples of bright lines, and of dark ones, from RADIUS samples before a chunk on.
    let mut bright = [0; CHUNK + 2 * RADIUS];
    let mut dark = [0; CHUNK + 2 * RADIUS];
    let FieldLines { own: [_, c, e, _], before: [_, _, p, _, _], after: [_, _, n, _, _], .. } = *lines;
    let rows = [p, n, third, c, e, lines.older[0], lines.older[1], lines.newer[0], lines.newer[1]];
    let (unequal, contrast, zero) = (s.splat(UNEQUAL), s.splat(CONTRAST), s.splat16(0));
    blocks!(width, count, start => {
        let rows = rows.map(|row| &row[APRON - RADIUS + start..][..count + 2 * RADIUS]);
        blocks!(count + 2 * RADIUS, I::N, x => {
            let [p, n, third, c, e, qc, qe, rc, re] = load_each(s, rows, x);
            let maximum = s.max(s.max(s.max(c, e), s.max(qc, qe)), s.max(rc, re));
            let minimum = s.min(s.min(s.min(c, e), s.min(qc, qe)), s.min(rc, re));
            let (low, high) = (s.min(p, n), s.max(p, n));
            let moves = s.ge(s.sub_saturating(s.max(high, third), s.min(low, third)), unequal);
            let is_bright = s.ge(s.sub_saturating(low, maximum), contrast);
            let is_dark = s.ge(s.sub_saturating(minimum, high), contrast);
            s.store(&mut bright[x..], s.sub_saturating(is_bright, moves));
            s.store(&mut dark[x..], s.sub_saturating(is_dark, moves));
        });
        let still = &mut still[start..][..count];
        blocks!(count, I::N / 2, x => {
            let all = |tests: &[u8]| {
                let at = |i: usize| s.load_half(&tests[x + i..]);
                s.and16(s.and16(s.and16(at(0), at(1)), s.and16(at(2), at(3))), at(4))
            };
            let is_line = s.or16(all(&bright), all(&dark));
            let measure = s.select16(s.eq16(is_line, zero), s.load16(&still[x..]), zero);
            s.store16(&mut still[x..], measure);
        });
    })
}
