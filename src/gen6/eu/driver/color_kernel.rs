//! The kernel of frames that go through the colour pipe (§6, §7.4).
use super::blocks::Block;
use crate::format::Sampling;
use crate::gen6::eu::data::kernel::{Kernel, KernelBuilder, Operand, Type, m, r};

/// Entries of the binding table: the surface that is written, and the first of the planes that are
/// read.
pub(super) const TARGET: u32 = 0;
pub(super) const SOURCE: u32 = 1;

/// Reads a block of `pixels` × `lines` pixels, assigns chroma to each pixel, and writes it. The
/// DWords of r1 are x, y, their halves, x in bytes, and DWord 3 of the header.
pub(super) fn kernel(sampling: Sampling, pixels: usize, lines: usize) -> Kernel {
    const LUMA: usize = 16;
    const CHROMA: [usize; 2] = [20, 24];
    let payload = |n: usize| r(1).at(n, Type::Ud);
    let (x, y) = if sampling == Sampling::C444 {
        (payload(0), payload(1))
    } else {
        (payload(2), payload(if sampling == Sampling::C420 { 3 } else { 1 }))
    };
    let (width, height) = match sampling {
        Sampling::C420 => (4, 4),
        Sampling::C422 => (4, 8),
        _ => (8, 8),
    };
    let luma = Block { binding: SOURCE, x: payload(0), y: payload(1), width: 8, height: 8 };
    let mut kernel = luma.read(KernelBuilder::new(), 12, LUMA);
    if sampling != Sampling::Mono {
        for (plane, to) in CHROMA.into_iter().enumerate() {
            let block = Block { binding: SOURCE + 1 + plane as u32, x, y, width, height };
            kernel = block.read(kernel, 13 + plane, to);
        }
    }
    let pitch = (4 * pixels).next_power_of_two();
    let block = Block { binding: TARGET, x: payload(4), y: payload(1), width: 4 * pixels as i64, height: lines as i64 };
    let kernel = block.write(kernel, 1, |kernel, to| {
        let kernel = kernel.mov(1, m(to - 1).at(3, Type::Ud), payload(5));
        let bytes = |register: usize, at: usize| r(register + at / 32).at(at % 32, Type::Ub);
        let filled = (0..lines).fold(kernel, |kernel, row| {
            // Moves a component to pixels `step` apart, from pixel `first` on. The components are
            // Cr, Cb, luma, alpha.
            let put = |kernel: KernelBuilder, component: usize, first: usize, step: usize, from: Operand| {
                let count = (pixels - first.min(pixels)).div_ceil(step);
                if count == 0 {
                    return kernel;
                }
                let at = row * pitch + 4 * first + component;
                let out = m(to + at / 32).at(at % 32, Type::Ub).every(4 * step);
                kernel.masked((1 << count) - 1).mov(count.next_power_of_two(), out, from)
            };
            let kernel = put(kernel, 2, 0, 1, bytes(LUMA, 8 * row));
            let kernel = put(kernel, 3, 0, 1, Operand::Value(255));
            [(1, CHROMA[0]), (0, CHROMA[1])].into_iter().fold(kernel, |kernel, (component, register)| match sampling {
                Sampling::Mono => put(kernel, component, 0, 1, Operand::Value(128)),
                Sampling::C444 => put(kernel, component, 0, 1, bytes(register, 8 * row)),
                _ => {
                    let from = bytes(register, 4 * if sampling == Sampling::C420 { row / 2 } else { row });
                    put(put(kernel, component, 0, 2, from), component, 1, 2, from)
                }
            })
        });
        filled.masked(0xffff)
    });
    kernel.end(15).build().expect("registers within the files")
}
