//! Colour space conversion of chroma samples that are sited at the left pixel of a pair (§6, §6.6,
//! §9.5): unpacker, CSC and repacker in one pass.
use crate::color_depth::{check_depth, color_bits};
use crate::contract;
use crate::convert_luma_samples::{Converter, constant, of_samples};
use crate::isa::{Isa, Lane, blocks};
use crate::{Conversion, Sample};

/// Writes the components that [`convert`](crate::Kernels::convert) computes for the left pixels,
/// with [`unpack`](crate::SampleKernels::unpack) before and [`pack`](crate::SampleKernels::pack)
/// after. `y` has at least one sample for each of them.
pub fn scalar<S: Sample>(dst: &mut [&mut [S]; 2], y: &[S], uv: [&[S]; 2], p: [&Conversion; 2], depth: u8) {
    for (dst, p) in dst.iter_mut().zip(p) {
        for (pair, out) in dst.iter_mut().enumerate() {
            *out = of_samples([y[2 * pair], uv[0][pair], uv[1][pair]], p, depth);
        }
    }
}

/// Panics if a slice is too short or a parameter outside its range.
#[inline(always)]
pub(crate) fn check<S: Sample>([dst_u, dst_v]: &[&mut [S]; 2], y: &[S], uv: [&[S]; 2], p: [&Conversion; 2], depth: u8) {
    contract::same_length([dst_u, dst_v]);
    contract::at_least([y], (2 * dst_u.len()).saturating_sub(1));
    contract::at_least(uv, dst_u.len());
    check_depth::<S>(depth);
    p.iter().for_each(|p| p.check_ranges(color_bits(depth)));
}

#[inline(always)]
pub(crate) fn vector<I: Isa, S: Lane>(
    s: I,
    dst: &mut [&mut [S]; 2],
    y: &[S],
    uv: [&[S]; 2],
    p: [&Conversion; 2],
    depth: u8,
) -> bool {
    let [dst_u, dst_v] = dst;
    let n = dst_u.len();
    let (dst_v, u, v) = (&mut dst_v[..n], &uv[0][..n], &uv[1][..n]);
    // If the last left pixel has no right neighbour, the scalar form computes it.
    let whole = (y.len() / 2).min(n);
    let converter = Converter::new::<S>(s, depth);
    let (first, second) = (Component::new::<S>(s, p[0], depth), Component::new::<S>(s, p[1], depth));
    let done = blocks!(whole, I::N / 4, pair => {
        let y = converter.luma::<S>(s, &y[2 * pair..]);
        let uv = converter.pairs::<S>(s, &u[pair..], &v[pair..]);
        let out = converter.samples::<S>(s, first.converted(s, y, uv), second.converted(s, y, uv));
        S::store_quarter(s, &mut dst_u[pair..], out);
        S::store_quarter(s, &mut dst_v[pair..], s.swap16(out));
    });
    if done && whole < n {
        let yuv = [y[2 * whole], u[whole], v[whole]];
        (dst_u[whole], dst_v[whole]) = (of_samples(yuv, p[0], depth), of_samples(yuv, p[1], depth));
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
    fn new<S: Sample>(s: I, p: &Conversion, depth: u8) -> Component<I> {
        let [c0, c1, c2] = p.coefficients;
        let splat = |c: i16| s.splat16(c as u16);
        Component {
            left: s.interleave_low16(splat(c0), splat(0)),
            shared: s.interleave_low16(splat(c1), splat(c2)),
            constant: s.splat32(constant::<S>(p, depth)),
        }
    }

    /// The component before clipping.
    #[inline(always)]
    fn converted(self, s: I, y: I::H, uv: I::H) -> I::W {
        let sum = s.add32(s.madd16(y, self.left), s.madd16(uv, self.shared));
        s.sra32::<10>(s.add32(sum, self.constant))
    }
}
