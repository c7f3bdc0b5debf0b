//! The part of a picture around a block, on padded planes as the stages read them.
use crate::format::{Rect, Sampling};
use crate::gen6::eu::data::memory::Memory;
use crate::gen6::eu::data::picture::Component;
use crate::plane::PaddedPlane;

/// Columns on each side of a block: at least those that its pixels depend on, and a multiple of 8.
const COLUMNS: usize = 16;
/// Lines above and below a block: at least those that its pixels depend on, and a multiple of 8, so
/// that the parity of lines and the block rows of luma and chroma are those of the picture.
const LINES: usize = 8;

/// The window around a block in a picture of `width` × `height`. An edge of the window that is not
/// an edge of the picture is too far from the block to change its pixels.
pub(super) fn around(block: Rect, (width, height): (usize, usize)) -> Rect {
    let (x, y) = (block.x.saturating_sub(COLUMNS), block.y.saturating_sub(LINES));
    let (right, bottom) = ((block.x + block.width + COLUMNS).min(width), (block.y + block.height + LINES).min(height));
    Rect { x, y, width: right - x, height: bottom - y }
}

/// Reads a part of a component into a plane, which takes the size of the part.
pub(super) fn read(memory: &Memory, component: &Component, part: Rect, into: &mut PaddedPlane) {
    into.reshape(part.width, part.height);
    let mut target = into.target();
    for y in 0..part.height {
        component.read(memory, part.x, part.y + y, target.line(y, 0, part.width));
    }
    target.replicate();
}

/// Reads the chroma of `part` of a picture of `width` luma columns. 4:1:1 is converted to 4:2:2
/// (§1.6).
pub(super) fn read_chroma(
    memory: &Memory,
    component: &Component,
    sampling: Sampling,
    part: Rect,
    width: usize,
    into: &mut PaddedPlane,
) {
    let halved = |x: usize| x.div_ceil(2);
    match sampling {
        Sampling::C444 => read(memory, component, part, into),
        Sampling::C420 => {
            let Rect { x, y, width, height } = part;
            read(memory, component, Rect { x: x / 2, y: y / 2, width: halved(width), height: halved(height) }, into);
        }
        Sampling::C411 => {
            let first = part.x / 2;
            let count = halved(part.x + part.width) - first;
            into.reshape(count, part.height);
            let mut target = into.target();
            let last = width.div_ceil(4) - 1;
            let samples = first / 2..((first + count).div_ceil(2) + 1).min(last + 1);
            let mut quarter = vec![0; samples.len()];
            for y in 0..part.height {
                component.read(memory, samples.start, part.y + y, &mut quarter);
                let at = |x: usize| quarter[x.min(last) - samples.start] as u16;
                for (i, out) in target.line(y, 0, count).iter_mut().enumerate() {
                    let x = first + i;
                    let (here, next) = (at(x / 2), at(x / 2 + 1));
                    *out = if x.is_multiple_of(2) { here } else { (here + next) >> 1 } as u8;
                }
            }
            target.replicate();
        }
        _ => {
            let Rect { x, y, width, height } = part;
            read(memory, component, Rect { x: x / 2, width: halved(x + width) - x / 2, y, height }, into);
        }
    }
}
