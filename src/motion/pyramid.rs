//! The picture in four sizes, as the block search reads it (§15.3).
use super::bordered::BorderedPlane;
use crate::frame::PlaneSample;
use crate::memory::OutOfMemory;
use dndi_simd::Kernels;

/// Sizes of a picture: level k has half the width and height of level k - 1, rounded up.
pub(crate) const LEVELS: usize = 4;
/// Lines that a thread writes at a time. They do not affect any sample.
const LINES: usize = 32;

/// The filter of the first level.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Smoothing {
    /// Vertical, over five lines (§15.3).
    Vertical,
    /// Over 3×3 samples (§16.3).
    Square,
}

/// 8-bit pictures of decreasing size.
#[derive(Debug, Default)]
pub(crate) struct Pyramid {
    pub levels: [BorderedPlane; LEVELS],
    /// The 8 most significant bits of words; empty for bytes.
    top: BorderedPlane,
}

impl Pyramid {
    /// Levels for pictures of `size`; with words also memory for their bytes.
    pub fn new(size: (usize, usize), words: bool) -> Result<Pyramid, OutOfMemory> {
        let mut pyramid = Pyramid { top: BorderedPlane::new(if words { size } else { (0, 0) })?, ..Pyramid::default() };
        let mut size = size;
        for level in &mut pyramid.levels {
            *level = BorderedPlane::new(size)?;
            size = (size.0.div_ceil(2), size.1.div_ceil(2));
        }
        Ok(pyramid)
    }

    /// Computes all levels of a picture.
    pub fn build<S: PlaneSample>(&mut self, kernels: &Kernels, picture: &BorderedPlane<S>, depth: u8, smoothing: Smoothing) {
        let Pyramid { levels, top } = self;
        let [whole, ..] = levels;
        let width = picture.size().0;
        match S::as_bytes(picture.data()) {
            Some(data) => smooth(kernels, smoothing, whole, width, |y| &data[picture.index(-1, y)..]),
            None => {
                let line = |y: usize, line: &mut [u8]| (S::kernels(kernels).top_byte)(line, picture.line(y), depth - 8);
                top.write_lines(LINES, line);
                top.extend();
                smooth(kernels, smoothing, whole, width, |y| top.from(-1, y));
            }
        }
        whole.extend();
        for level in 1..LEVELS {
            let (greater, level) = levels.split_at_mut(level);
            let (greater, level) = (&greater[greater.len() - 1], &mut level[0]);
            level.write_lines(LINES, |y, line| {
                let pairs = [0, 1].map(|below| &greater.from(0, 2 * y as isize + below)[..2 * line.len()]);
                (kernels.halve)(line, pairs);
            });
            level.extend();
        }
    }
}

/// Filters a picture; `line` are its lines, from column -1 on, from line -2 on.
fn smooth<'a>(
    kernels: &Kernels,
    smoothing: Smoothing,
    out: &mut BorderedPlane,
    width: usize,
    line: impl Fn(isize) -> &'a [u8] + Sync,
) {
    let row = |y: usize, dy: isize| line(y as isize + dy);
    match smoothing {
        Smoothing::Vertical => out.write_lines(LINES, |y, out| {
            (kernels.smooth)(out, [-2, -1, 0, 1, 2].map(|dy| &row(y, dy)[1..][..width]));
        }),
        Smoothing::Square => out.write_lines(LINES, |y, out| {
            (kernels.smooth3)(out, [-1, 0, 1].map(|dy| &row(y, dy)[..width + 2]));
        }),
    }
}
