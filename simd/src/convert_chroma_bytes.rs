//! Colour space conversion of 8-bit chroma that is sited at the left pixel of a pair (§6, §6.6):
//! unpacker, CSC and repacker in one pass.
use crate::Conversion;
use crate::contract;
use crate::convert_luma_bytes::{constant, of_bytes, pairs};
use crate::isa::{Isa, blocks};

/// Writes the components that [`convert`](crate::Kernels::convert) computes for the left pixels,
/// with `<< 4` before and `>> 4` after. `y` has at least one sample for each of them.
pub fn scalar(dst: &mut [&mut [u8]; 2], y: &[u8], uv: [&[u8]; 2], p: [&Conversion; 2]) {
    for (dst, p) in dst.iter_mut().zip(p) {
        for (pair, out) in dst.iter_mut().enumerate() {
            *out = of_bytes([y[2 * pair], uv[0][pair], uv[1][pair]], p);
        }
    }
}

/// Panics if a slice is too short or a parameter outside its range.
#[inline(always)]
pub(crate) fn check([dst_u, dst_v]: &[&mut [u8]; 2], y: &[u8], uv: [&[u8]; 2], p: [&Conversion; 2]) {
    contract::same_length([dst_u, dst_v]);
    contract::at_least([y], (2 * dst_u.len()).saturating_sub(1));
    contract::at_least(uv, dst_u.len());
    p.iter().for_each(|p| p.check_ranges());
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, dst: &mut [&mut [u8]; 2], y: &[u8], uv: [&[u8]; 2], p: [&Conversion; 2]) -> bool {
    let [dst_u, dst_v] = dst;
    let n = dst_u.len();
    let (dst_v, u, v) = (&mut dst_v[..n], &uv[0][..n], &uv[1][..n]);
    // If the last left pixel has no right neighbour, the scalar form computes it.
    let whole = (y.len() / 2).min(n);
    let (first, second) = (Component::new(s, p[0]), Component::new(s, p[1]));
    let done = blocks!(whole, I::N / 4, pair => {
        let (y, uv) = (s.load_half(&y[2 * pair..]), pairs(s, &u[pair..], &v[pair..]));
        let out = s.merge32(first.converted(s, y, uv), second.converted(s, y, uv));
        let out = s.max15(s.min15(out, s.splat16(255)), s.splat16(0));
        s.store_quarter(&mut dst_u[pair..], out);
        s.store_quarter(&mut dst_v[pair..], s.swap16(out));
    });
    if done && whole < n {
        let yuv = [y[2 * whole], u[whole], v[whole]];
        (dst_u[whole], dst_v[whole]) = (of_bytes(yuv, p[0]), of_bytes(yuv, p[1]));
    }
    done
}

/// The parameters of a conversion in vectors.
#[derive(Clone, Copy)]
struct Component<I: Isa> {
    left: I::H,
    shared: I::H,
    constant: I::W,
}

impl<I: Isa> Component<I> {
    #[inline(always)]
    fn new(s: I, p: &Conversion) -> Component<I> {
        let [c0, c1, c2] = p.coefficients;
        let splat = |c: i16| s.splat16(c as u16);
        Component {
            left: s.interleave_low16(splat(c0), splat(0)),
            shared: s.interleave_low16(splat(c1), splat(c2)),
            constant: s.splat32(constant(p)),
        }
    }

    /// The component before clipping.
    #[inline(always)]
    fn converted(self, s: I, y: I::H, uv: I::H) -> I::W {
        let sum = s.add32(s.madd16(y, self.left), s.madd16(uv, self.shared));
        s.sra32::<10>(s.add32(sum, self.constant))
    }
}
