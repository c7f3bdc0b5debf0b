//! Gamut compression (§13.5, §9.5). All levels use the scalar form: the vertex of each hue is
//! looked up, and few pixels lie outside the gamut.
use crate::color_depth::clipped;
use crate::contract;
use crate::isa::Isa;
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
    let bits = p.bits;
    let [dst_y, dst_u, dst_v] = dst;
    let zero = 1 << (bits - 1);
    let (mut last, mut polar) = (None, Polar::default());
    for x in 0..dst_y.len() {
        let chroma = [yuv[1][x], yuv[2][x]];
        // Pairs of pixels often share their chroma.
        if last != Some(chroma) {
            (last, polar) = (Some(chroma), Polar::of(chroma, p));
        }
        let (y, uv) = (i64::from(yuv[0][x]), chroma.map(|v| i64::from(v) - zero));
        let moved = p.moved(y, uv, &polar);
        outside[x] = moved.outside.into();
        dst_y[x] = clipped(moved.y.clamp(i32::MIN.into(), i32::MAX.into()) as i32, bits);
        [dst_u[x], dst_v[x]] = moved.uv.map(|v| clipped((v + zero).clamp(i32::MIN.into(), i32::MAX.into()) as i32, bits));
    }
}

/// Size of the chroma, and its vertex.
#[derive(Clone, Copy, Debug, Default)]
struct Polar {
    size: i64,
    vertex: [i64; 2],
}

impl Polar {
    fn of([u, v]: [u16; 2], p: &GamutCompression) -> Polar {
        let (bits, zero) = (p.bits, 1i64 << (p.bits - 1));
        let square = |v: u16| (i64::from(v) - zero).pow(2);
        let hue = hue(u >> (bits - 10), v >> (bits - 10)) as usize / 2;
        // The root of a number below 2^32 is exact before it is truncated.
        let size = ((square(u) + square(v)) as f64).sqrt() as i64;
        Polar { size, vertex: p.vertices[hue & 511].map(i64::from) }
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
pub(crate) fn vector<I: Isa>(_: I, _: &mut [&mut [u16]; 3], _: &mut [u16], _: [&[u16]; 3], _: &GamutCompression) -> bool {
    false
}
