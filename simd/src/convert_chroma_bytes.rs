//! Colour space conversion of chroma that leaves with the left pixel of a pair, from 8 bits to 8 (§6, §6.6): unpacker, CSC and repacker
//! in one.
use crate::Conversion;
use crate::convert_luma_bytes::{constant, of_bytes, pairs};
use crate::isa::{Isa, blocks};

/// The components that [`convert`](crate::Kernels::convert) makes of the left pixels between `<< 4` and `>> 4`; `y` has at least a sample
/// for each of them.
pub fn scalar(dst: &mut [&mut [u8]; 2], y: &[u8], uv: [&[u8]; 2], p: [&Conversion; 2]) {
    for (dst, p) in dst.iter_mut().zip(p) {
        for (pair, out) in dst.iter_mut().enumerate() {
            *out = of_bytes([y[2 * pair], uv[0][pair], uv[1][pair]], p);
        }
    }
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, dst: &mut [&mut [u8]; 2], y: &[u8], uv: [&[u8]; 2], p: [&Conversion; 2]) -> bool {
    let [dst_u, dst_v] = dst;
    let n = dst_u.len();
    let (dst_v, u, v) = (&mut dst_v[..n], &uv[0][..n], &uv[1][..n]);
    // Where the last pixel has no neighbour it follows alone.
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

/// A conversion in vectors.
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

    /// Not clipped yet.
    #[inline(always)]
    fn converted(self, s: I, y: I::H, uv: I::H) -> I::W {
        let sum = s.add32(s.madd16(y, self.left), s.madd16(uv, self.shared));
        s.sra32::<10>(s.add32(sum, self.constant))
    }
}
