//! Gamut compression (§13.5, §9.5). The vector form finds the pixels that surely lie inside the
//! gamut, and computes the few others one by one. With [`CompressionMethod::Soft`] most pixels
//! change, and all levels use the scalar form.
use crate::color_depth::clipped;
use crate::contract;
use crate::isa::{Isa, blocks};
use crate::total_color::hue;
use std::collections::TryReserveError;

/// The most saturated colours of each hue, and how pixels move to them.
#[derive(Clone, Debug)]
pub struct GamutCompression {
    /// Luma and chroma of the vertex of each hue, of the bits of the components.
    vertices: Box<[[u16; 2]; HUES]>,
    /// Bits of a component, 12 to 16.
    bits: u8,
    method: CompressionMethod,
}

/// The number of hues of a table of vertices.
pub const HUES: usize = 512;

/// Luma of black and of white, in 12 bits.
const ENDS: [u16; 2] = [256, 3760];

/// How pixels outside the gamut move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompressionMethod {
    /// Towards the grey of the vertex's luma, by 1/1024 at most this share: 1024 moves pixels onto
    /// the gamut's surface.
    ToVertex(u16),
    /// Luma alone, then chroma where that does not suffice.
    Luma,
    /// Chroma alone.
    Chroma,
    /// Chroma alone, times this factor in 1/4096 first.
    ScaledChroma(u16),
    /// From a distance inside the surface on, by distances in 1/1024 above and below the vertex's
    /// luma: inside, outside.
    Soft([[u16; 2]; 2]),
}

/// Writes the pixels and whether each lay outside, 1 or 0.
pub fn scalar(dst: &mut [&mut [u16]; 3], outside: &mut [u16], yuv: [&[u16]; 3], p: &GamutCompression) {
    let (mut last, mut polar) = (None, Polar::default());
    for x in 0..dst[0].len() {
        let pixel = yuv.map(|plane| plane[x]);
        // Pairs of pixels often share their chroma.
        if last != Some([pixel[1], pixel[2]]) {
            (last, polar) = (Some([pixel[1], pixel[2]]), Polar::of(pixel, p.vertex(pixel), p.bits));
        }
        p.write(dst, outside, x, pixel, &polar);
    }
}

/// Size of the chroma, and its vertex.
#[derive(Clone, Copy, Debug, Default)]
struct Polar {
    size: i64,
    vertex: [i64; 2],
}

impl Polar {
    #[inline(always)]
    fn of([_, u, v]: [u16; 3], vertex: [u16; 2], bits: u8) -> Polar {
        let zero = 1i64 << (bits - 1);
        let square = |v: u16| (i64::from(v) - zero).pow(2);
        // The root of a number below 2^32 is exact before it is truncated.
        let size = ((square(u) + square(v)) as f64).sqrt() as i64;
        Polar { size, vertex: vertex.map(i64::from) }
    }
}

/// A pixel with its chroma relative to grey.
struct Moved {
    y: i64,
    uv: [i64; 2],
    outside: bool,
}

impl GamutCompression {
    /// Compression of components of `bits` bits, 12 to 16; others count as the nearest of these.
    /// Each vertex is its luma and its chroma in 12 bits; the luma is limited to between black and
    /// white, the chroma to at least 1.
    ///
    /// # Errors
    /// If there is no memory.
    pub fn new(vertices: &[[u16; 2]; HUES], method: CompressionMethod, bits: u8) -> Result<GamutCompression, TryReserveError> {
        let bits = bits.clamp(12, 16);
        let [black, white] = ENDS;
        let mut scaled = Vec::new();
        scaled.try_reserve_exact(HUES)?;
        let vertex = |&[y, c]: &[u16; 2]| [y.clamp(black + 1, white - 1), c.clamp(1, 4095)].map(|v| v << (bits - 12));
        scaled.extend(vertices.iter().map(vertex));
        let vertices = scaled.into_boxed_slice().try_into().unwrap_or_else(|_| Box::new([[0; 2]; HUES]));
        Ok(GamutCompression { vertices, bits, method })
    }

    /// The vertex of a pixel's hue.
    #[inline(always)]
    fn vertex(&self, [_, u, v]: [u16; 3]) -> [u16; 2] {
        self.vertices[hue(u >> (self.bits - 10), v >> (self.bits - 10)) as usize / 2 % HUES]
    }

    /// Writes the moved `pixel`, whose size and vertex are `polar`.
    #[inline(always)]
    fn write(&self, dst: &mut [&mut [u16]; 3], outside: &mut [u16], x: usize, [y, u, v]: [u16; 3], polar: &Polar) {
        let zero = 1 << (self.bits - 1);
        let moved = self.moved(y.into(), [u, v].map(|v| i64::from(v) - zero), polar);
        let component = |v: i64| clipped(v.clamp(i32::MIN.into(), i32::MAX.into()) as i32, self.bits);
        outside[x] = moved.outside.into();
        dst[0][x] = component(moved.y);
        [dst[1][x], dst[2][x]] = moved.uv.map(|v| component(v + zero));
    }

    #[inline(always)]
    fn moved(&self, y: i64, uv: [i64; 2], &Polar { size, vertex: [level, reach] }: &Polar) -> Moved {
        let [black, white] = ENDS.map(|v| i64::from(v) << (self.bits - 12));
        let rise = if y >= level { white - level } else { level - black };
        let load = size * rise + (y - level).abs() * reach;
        let outside = load > reach * rise;
        let kept = Moved { y, uv, outside };
        let to_vertex =
            |t: i64| Moved { y: level + (((y - level) * t + 512) >> 10), uv: uv.map(|v| (v * t + 512) >> 10), outside };
        let with_size = |y: i64, wanted: i64| {
            let factor = if size > 0 { ((wanted << 12) / size).min(4096) } else { 4096 };
            Moved { y, uv: uv.map(|v| (v * factor + 2048) >> 12), outside }
        };
        let most = |y: i64| {
            if y <= level { reach * (y - black) / (level - black) } else { reach * (white - y) / (white - level) }
        };
        match self.method {
            CompressionMethod::Soft(distances) => {
                let [inside, beyond] = distances[usize::from(y < level)].map(i64::from);
                let ratio = (load << 10) / (reach * rise);
                let (start, end) = (1024 - inside, 1024 + beyond);
                if ratio <= start {
                    return kept;
                }
                let soft = start + (ratio - start) * (1024 - start) / (end - start).max(1);
                let new = if ratio >= end { 1024 } else { soft };
                to_vertex((new << 10) / ratio.max(1))
            }
            _ if !outside => kept,
            CompressionMethod::ToVertex(limit) => to_vertex((((reach * rise) << 10) / load).min(limit.into())),
            CompressionMethod::Luma => {
                let kept_size = size.min(reach);
                let bottom = black + ((level - black) * kept_size + reach - 1) / reach;
                let top = white - ((white - level) * kept_size + reach - 1) / reach;
                let new = if size >= reach { level } else { y.max(bottom).min(top) };
                with_size(new, kept_size)
            }
            CompressionMethod::Chroma => {
                let new = y.clamp(black, white);
                with_size(new, size.min(most(new)))
            }
            CompressionMethod::ScaledChroma(factor) => {
                let new = y.clamp(black, white);
                with_size(new, ((size * i64::from(factor)) >> 12).min(most(new)))
            }
        }
    }
}

/// Panics if a slice is too short.
#[inline(always)]
pub(crate) fn check([y, u, v]: &[&mut [u16]; 3], outside: &mut [u16], yuv: [&[u16]; 3], _: &GamutCompression) {
    contract::same_length([y, u]);
    contract::same_length([y, v]);
    contract::same_length([y, outside]);
    contract::at_least(yuv, y.len());
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(
    s: I,
    dst: &mut [&mut [u16]; 3],
    outside: &mut [u16],
    yuv: [&[u16]; 3],
    p: &GamutCompression,
) -> bool {
    if matches!(p.method, CompressionMethod::Soft(_)) {
        return false;
    }
    let n = dst[0].len();
    let grey = 1 << (p.bits - 1);
    let (zero, mut last, mut vertex) = (s.splat16(grey), [grey; 2], p.vertex([grey; 3]));
    blocks!(n, I::N / 2, x => {
        let (mut level, mut reach) = ([0; 32], [0; 32]);
        for i in 0..I::N / 2 {
            // Pairs of pixels often share their chroma.
            let pixel = [yuv[0][x + i], yuv[1][x + i], yuv[2][x + i]];
            if last != [pixel[1], pixel[2]] {
                (last, vertex) = ([pixel[1], pixel[2]], p.vertex(pixel));
            }
            [level[i], reach[i]] = vertex;
        }
        let pixels = [s.load16(&yuv[0][x..]), s.load16(&yuv[1][x..]), s.load16(&yuv[2][x..])];
        let sizes = [s.distance16(pixels[1], zero), s.distance16(pixels[2], zero)];
        let kept = s.bits16(surely_inside(s, pixels[0], sizes, [s.load16(&level), s.load16(&reach)], p));
        for (plane, v) in dst.iter_mut().zip(pixels) {
            s.store16(&mut plane[x..], v);
        }
        s.store16(&mut outside[x..], s.splat16(0));
        let mut others = !kept & (u32::MAX >> (32 - I::N / 2));
        while others != 0 {
            let i = others.trailing_zeros() as usize;
            let pixel = [yuv[0][x + i], yuv[1][x + i], yuv[2][x + i]];
            p.write(dst, outside, x + i, pixel, &Polar::of(pixel, [level[i], reach[i]], p.bits));
            others &= others - 1;
        }
    })
}

/// All ones for pixels that keep their values, and 0 for all others and a few of these. `load` is
/// rounded up, and the limit that it is compared with down, to multiples of 2^16 for components of
/// 16 bits.
#[inline(always)]
fn surely_inside<I: Isa>(s: I, y: I::H, [u, v]: [I::H; 2], [level, reach]: [I::H; 2], p: &GamutCompression) -> I::H {
    let scale = 16 - p.bits;
    let (y, u, v) = (s.shl_by(y, scale), s.shl_by(u, scale), s.shl_by(v, scale));
    let (level, reach) = (s.shl_by(level, scale), s.shl_by(reach, scale));
    let (black, white) = (s.splat16(ENDS[0] << 4), s.splat16(ENDS[1] << 4));
    let is_below = s.xor16(s.ge16(y, level), s.splat16(u16::MAX));
    let rise = s.select16(is_below, s.sub16(level, black), s.sub16(white, level));
    // The root of 1 + t^2 lies below its chords from t = 0 to 1/2 and from 1/2 to 1.
    let (most, least) = (s.max16(u, v), s.min16(u, v));
    let shallow = s.add16(most, s.mul_high(least, s.splat16(15472)));
    let steep = s.add16(s.mul_high(most, s.splat16(53867)), s.mul_high(least, s.splat16(38816)));
    let size = s.add16(s.max16(shallow, steep), s.splat16(2));
    let products = s.add_saturating16(s.mul_high(size, rise), s.mul_high(s.distance16(y, level), reach));
    let load = s.add_saturating16(products, s.splat16(2));
    s.ge16(s.mul_high(reach, rise), load)
}
