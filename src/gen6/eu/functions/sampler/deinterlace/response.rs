//! The response of `deinterlace`: registers of luma, chroma, motion measures and statistics (volume
//! 4 part 1, 2.12.2.5.2).
use super::block::{BlockContext, WIDTH};
use super::scratch::Buffers;
use super::sums::Sums;
use crate::deinterlace::Role;
use crate::format::{Rect, Sampling};
use crate::gen6::eu::data::message::Writeback;
use crate::gen6::eu::data::register::Register;
use crate::plane::PlaneView;

/// The results of a block, besides samples.
pub(super) struct Results {
    /// The block in the picture.
    pub rect: Rect,
    /// Noise estimate; 255 if no pixel qualifies.
    pub bne: u8,
    /// Film mode variances v0…v10.
    pub variances: [u64; 11],
    pub sums: Sums,
    /// Denoise histories of two rows of 4×4 blocks.
    pub history: [[u8; 4]; 2],
}

impl BlockContext<'_> {
    /// The registers of the response.
    pub fn response(&self, buffers: &Buffers, results: &Results) -> Vec<Writeback> {
        let registers = if self.control.di_enable { self.fields(buffers, results) } else { self.frame(buffers, results) };
        registers.into_iter().map(Into::into).collect()
    }

    /// With deinterlacing off: luma, statistics, and the chroma of 4:2:2.
    fn frame(&self, buffers: &Buffers, results: &Results) -> Vec<Register> {
        let rows = [0, 2, 4, 6];
        let luma = rows.map(|y| two_lines(|line, out| self.put_luma(buffers, y + line, out)));
        let mut registers = [&luma[..], &[self.statistics(results)]].concat();
        if self.surfaces.current.sampling == Sampling::C422 {
            registers.extend(rows.map(|y| two_lines(|line, out| self.put_chroma(buffers, y + line, out))));
        }
        registers
    }

    /// With deinterlacing on: both outputs, motion measures, statistics, and with denoising on the
    /// second field of the current frame, with its chroma for 4:2:2.
    fn fields(&self, buffers: &Buffers, results: &Results) -> Vec<Register> {
        let mut registers = [Role::Prev2, Role::Cur1].map(|role| self.output(buffers, role)).concat();
        let mut stmm = Register::default();
        let (pairs, count) = (self.window.width.div_ceil(2), self.inner.width.div_ceil(2));
        for (y, out) in stmm.0.chunks_exact_mut(8).enumerate().take(self.inner.height) {
            out[..count].copy_from_slice(&buffers.measure[y * pairs + self.inner.x / 2..][..count]);
        }
        registers.extend([stmm, self.statistics(results)]);
        if self.control.dn_enable {
            let second = usize::from(self.control.top_first);
            registers.push(two_lines(|line, out| self.put_luma(buffers, 2 * line + second, out)));
            if self.surfaces.current.sampling == Sampling::C422 {
                registers.push(two_lines(|line, out| self.put_chroma(buffers, 2 * line + second, out)));
            }
        }
        registers
    }

    /// Luma and chroma of one output. On the first frame there is no second field of a previous
    /// frame: its registers are 0.
    fn output(&self, buffers: &Buffers, role: Role) -> Vec<Register> {
        let Buffers { luma, colors, .. } = buffers;
        let (full, half) = (self.full(), self.half());
        let chroma_width = self.sampling().chroma_size(self.window.width, 1).0;
        let exists = role == Role::Cur1 || !self.control.first_frame;
        let put = |lines: &[u8], stride: usize, y: usize, columns: Columns, out: &mut [u8]| {
            if y < self.inner.height && exists {
                columns.copy(&lines[y * stride..][..stride], out);
            }
        };
        let rows = [0, 2];
        let luma = &luma[role as usize];
        let mut registers = rows.map(|y| two_lines(|line, out| put(luma, self.window.width, y + line, full, out))).to_vec();
        let [u, v] = &colors[role as usize];
        match self.sampling() {
            Sampling::C444 => registers.extend(
                [(u, 0), (u, 2), (v, 0), (v, 2)]
                    .map(|(plane, y)| two_lines(|line, out| put(plane, chroma_width, y + line, full, out))),
            ),
            Sampling::Mono => registers.extend([Register::default(); 2]),
            _ => registers.extend(rows.map(|y| {
                two_lines(|line, out| {
                    put(v, chroma_width, y + line, half, out);
                    put(u, chroma_width, y + line, half, &mut out[1..]);
                })
            })),
        }
        registers
    }

    /// Line `y` of the luma of the current frame, denoised if that is on.
    fn put_luma(&self, buffers: &Buffers, y: usize, out: &mut [u8]) {
        let luma = if self.control.dn_enable { &buffers.denoised } else { &buffers.original };
        self.put(luma.frame(), y, self.full(), out);
    }

    /// Line `y` of the chroma of the current frame, which is 4:2:2: Cr and Cb alternate.
    fn put_chroma(&self, buffers: &Buffers, y: usize, out: &mut [u8]) {
        let [cb, cr] = &buffers.chroma[0];
        self.put(cr.frame(), y, self.half(), out);
        self.put(cb.frame(), y, self.half(), &mut out[1..]);
    }

    /// Line `y` of the block; nothing below the picture.
    fn put(&self, plane: PlaneView<'_>, y: usize, columns: Columns, out: &mut [u8]) {
        if y < self.inner.height {
            columns.copy(plane.line((self.inner.y + y) as isize, 0, columns.first + columns.count), out);
        }
    }

    /// The columns of the block in luma and in chroma of full width.
    fn full(&self) -> Columns {
        Columns { first: self.inner.x, count: self.inner.width, step: 1 }
    }

    /// The columns of the block in chroma of half width, for every second byte of a register.
    fn half(&self) -> Columns {
        Columns { first: self.inner.x / 2, count: self.inner.width.div_ceil(2), step: 2 }
    }

    /// The register of statistics: position, sums, noise estimate, denoise histories, film mode
    /// differences.
    fn statistics(&self, results: &Results) -> Register {
        let Results { rect, bne, variances, sums, history } = results;
        let saturated = |v: u32| v.min(255);
        let bytes = |[a, b, c, d]: [u32; 4]| saturated(a) << 24 | saturated(b) << 16 | saturated(c) << 8 | saturated(d);
        let words = |high: u64, low: u64| (high.min(0xffff) << 16 | low.min(0xffff)) as u32;
        let position = words(rect.y as u64, rect.x as u64);
        let [above, below] = history.map(u32::from_le_bytes);
        let bne = u32::from(*bne);
        let [v0, v1, v2, v3, v4, ..] = *variances;
        let (w3, w2, w1) = match self.control.di_enable {
            true => (words(v0, v1), words(v2, v3), words(v4, 0) | saturated(sums.moving) << 8 | bne),
            false => (0, bne, below),
        };
        Register::of([above, w1, w2, w3, bytes(sums.svcm), bytes(sums.shcm), bytes(sums.stad), position])
    }
}

/// The samples of a line that a register holds, `step` bytes apart.
#[derive(Clone, Copy)]
struct Columns {
    first: usize,
    count: usize,
    step: usize,
}

impl Columns {
    /// Copies the samples of `line` to `out`.
    fn copy(self, line: &[u8], out: &mut [u8]) {
        for (out, sample) in out.iter_mut().step_by(self.step).zip(&line[self.first..][..self.count]) {
            *out = *sample;
        }
    }
}

/// A register of two lines of 16 bytes, which `put` fills.
fn two_lines(mut put: impl FnMut(usize, &mut [u8])) -> Register {
    let mut register = Register::default();
    for (line, out) in register.0.chunks_exact_mut(WIDTH).enumerate() {
        put(line, out);
    }
    register
}
