//! What `deinterlace` answers: registers of luma, chroma, motion measures, statistics (volume 4 part 1, 2.12.2.5.2).
use super::deinterlace::{Room, WIDTH, Work};
use crate::deinterlace::Role;
use crate::format::{Rect, Sampling};
use crate::gen6::eu::message::Writeback;
use crate::gen6::eu::register::Register;
use crate::plane::PlaneView;

/// What is known of a block when it is done.
pub(super) struct Block {
    pub rect: Rect,
    /// Its place in the window.
    pub inner: Rect,
    pub window: Rect,
    pub bne: u8,
    pub variances: [u64; 11],
    pub sums: Sums,
    pub history: [[u8; 4]; 2],
}

/// Sums of the 4×4 blocks in a block, by columns: both rows of them where there are two.
#[derive(Default)]
pub(super) struct Sums {
    pub stad: [u32; 4],
    pub shcm: [u32; 4],
    pub svcm: [u32; 4],
    pub moving: u32,
}

impl Work<'_> {
    /// Sums over the block's 4×4 blocks; all 0 without denoising or a previous frame.
    pub fn sums(&self, room: &Room) -> Sums {
        let mut sums = Sums::default();
        if !self.control.dn_enable || self.control.first_frame {
            return sums;
        }
        let Rect { x, y, .. } = self.inner;
        let (current, clean) = (self.lines(&room.original), self.lines(&room.previous));
        let threshold = self.parameters.denoise.temporal_diff_th;
        let rows = if self.control.di_enable { 1 } else { 2 };
        for row in 0..rows {
            let line = |view: PlaneView<'_>, line: usize| -> [u8; WIDTH] {
                let samples = view.row((y + 4 * row + line) as isize, x as isize, 0);
                std::array::from_fn(|i| samples[dndi_simd::APRON + i])
            };
            let (c, p) = ([0, 1, 2, 3].map(|l| line(current, l)), [0, 1, 2, 3].map(|l| line(clean, l)));
            for block in 0..4 {
                for (j, i) in (0..4).flat_map(|j| (4 * block..4 * block + 4).map(move |i| (j, i))) {
                    let difference = c[j][i].abs_diff(p[j][i]);
                    sums.stad[block] += u32::from(difference);
                    sums.moving += u32::from(difference >= threshold);
                    if i % 4 < 3 {
                        sums.shcm[block] += u32::from(c[j][i].abs_diff(c[j][i + 1]));
                    }
                    if j < 3 {
                        sums.svcm[block] += u32::from(c[j][i].abs_diff(c[j + 1][i]));
                    }
                }
            }
        }
        sums
    }

    /// The registers that come back.
    pub fn answer(&self, room: &Room, block: &Block) -> Vec<Writeback> {
        let Room { original, denoised, luma, colors, measure, chroma, .. } = room;
        let sampling = self.sampling();
        let Block { inner, window, .. } = block;
        let source = if self.control.dn_enable { denoised } else { original }.frame();
        let full = Lines { first: inner.x, count: inner.width, step: 1 };
        let half = Lines { first: inner.x / 2, count: inner.width.div_ceil(2), step: 2 };
        let mut answer = vec![];
        if !self.control.di_enable {
            let line = |view: PlaneView<'_>, y: usize, shape: Lines, out: &mut [u8]| {
                if y < inner.height {
                    shape.put(view.line((inner.y + y) as isize, 0, shape.first + shape.count), out);
                }
            };
            for y in [0, 2, 4, 6] {
                answer.push(two_lines(|l, out| line(source, y + l, full, out)));
            }
            answer.push(self.statistics(block));
            if self.pictures.current.sampling == Sampling::C422 {
                for y in [0, 2, 4, 6] {
                    answer.push(two_lines(|l, out| {
                        line(chroma[0][1].frame(), y + l, half, out);
                        line(chroma[0][0].frame(), y + l, half, &mut out[1..]);
                    }));
                }
            }
            return answer.into_iter().map(Into::into).collect();
        }
        let chroma_width = sampling.chroma_size(window.width, 1).0;
        // There is no 2nd field of the previous frame in the first one.
        let made = |role: usize| role == Role::Cur1 as usize || !self.control.first_frame;
        let put = |role: usize, lines: &[u8], stride: usize, y: usize, shape: Lines, out: &mut [u8]| {
            if y < inner.height && made(role) {
                shape.put(&lines[y * stride..][..stride], out);
            }
        };
        for role in [Role::Prev2 as usize, Role::Cur1 as usize] {
            for y in [0, 2] {
                answer.push(two_lines(|l, out| put(role, &luma[role], window.width, y + l, full, out)));
            }
            let [u, v] = &colors[role];
            match sampling {
                Sampling::C444 => {
                    for (plane, y) in [(u, 0), (u, 2), (v, 0), (v, 2)] {
                        answer.push(two_lines(|l, out| put(role, plane, chroma_width, y + l, full, out)));
                    }
                }
                Sampling::Mono => answer.extend([Register::default(); 2]),
                _ => {
                    for y in [0, 2] {
                        answer.push(two_lines(|l, out| {
                            put(role, v, chroma_width, y + l, half, out);
                            put(role, u, chroma_width, y + l, half, &mut out[1..]);
                        }));
                    }
                }
            }
        }
        let mut stmm = Register::default();
        let pairs = window.width.div_ceil(2);
        for (y, out) in stmm.0.chunks_exact_mut(8).enumerate().take(inner.height) {
            let count = inner.width.div_ceil(2);
            out[..count].copy_from_slice(&measure[y * pairs + inner.x / 2..][..count]);
        }
        answer.extend([stmm, self.statistics(block)]);
        if self.control.dn_enable {
            let second = usize::from(self.control.top_first);
            let line = |view: PlaneView<'_>, l: usize, shape: Lines, out: &mut [u8]| {
                if 2 * l + second < inner.height {
                    shape.put(view.line((inner.y + 2 * l + second) as isize, 0, shape.first + shape.count), out);
                }
            };
            answer.push(two_lines(|l, out| line(source, l, full, out)));
            if self.pictures.current.sampling == Sampling::C422 {
                answer.push(two_lines(|l, out| {
                    line(chroma[0][1].frame(), l, half, out);
                    line(chroma[0][0].frame(), l, half, &mut out[1..]);
                }));
            }
        }
        answer.into_iter().map(Into::into).collect()
    }

    /// The register of block noise estimate and denoise history.
    fn statistics(&self, block: &Block) -> Register {
        let Block { rect, bne, variances, sums, history, .. } = block;
        let saturated = |v: u32| v.min(255);
        let bytes = |[a, b, c, d]: [u32; 4]| saturated(a) << 24 | saturated(b) << 16 | saturated(c) << 8 | saturated(d);
        let words = |high: u64, low: u64| (high.min(0xffff) << 16 | low.min(0xffff)) as u32;
        let place = words(rect.y as u64, rect.x as u64);
        let [above, below] = history.map(u32::from_le_bytes);
        let bne = u32::from(*bne);
        let [v0, v1, v2, v3, v4, ..] = *variances;
        let (w3, w2, w1) = match self.control.di_enable {
            true => (words(v0, v1), words(v2, v3), words(v4, 0) | saturated(sums.moving) << 8 | bne),
            false => (0, bne, below),
        };
        Register::of([above, w1, w2, w3, bytes(sums.svcm), bytes(sums.shcm), bytes(sums.stad), place])
    }
}

/// Which samples of a line go where in a register.
#[derive(Clone, Copy)]
struct Lines {
    first: usize,
    count: usize,
    step: usize,
}

impl Lines {
    fn put(self, line: &[u8], out: &mut [u8]) {
        for (out, sample) in out.iter_mut().step_by(self.step).zip(&line[self.first..][..self.count]) {
            *out = *sample;
        }
    }
}

/// A register of two lines of 16 bytes.
fn two_lines(mut put: impl FnMut(usize, &mut [u8])) -> Register {
    let mut register = Register::default();
    for (line, out) in register.0.chunks_exact_mut(WIDTH).enumerate() {
        put(line, out);
    }
    register
}
