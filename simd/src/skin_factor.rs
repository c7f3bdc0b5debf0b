//! Skin tone detection: the membership of a pixel in the skin colours, 0…31 (§6.1, §9.5).
use crate::color_depth::check_bits;
use crate::contract;
use crate::isa::{Isa, blocks};
use crate::skin::{SkinPlane, abs16};

/// Parameters of [`skin_factor`](crate::Kernels::skin_factor): the region of the skin colours.
#[derive(Clone, Debug)]
pub struct SkinFactor {
    /// The plane of saturation and hue, and the rectangle of skin colours in it.
    pub plane: SkinPlane,
    /// Width of the rectangle's margin, as log2.
    pub hs_margin: u8,
    /// `4 * diamond_du` and `4 * diamond_dv`, -256…252.
    pub diamond: [i16; 2],
    /// Ratio of height to width of the rhombus, U2.6.
    pub diamond_alpha: u8,
    /// `4 * diamond_th`, up to 252.
    pub diamond_th: i16,
    /// Width of the rhombus' margin, as log2.
    pub diamond_margin: u8,
    /// Membership of each Y8, 0…31.
    pub luma: [u8; 256],
    /// The classifier in the plane of V and Y, if it is enabled.
    pub vy: Option<SkinVy>,
}

/// Two curves that enclose the V8 of skin colours.
#[derive(Clone, Debug)]
pub struct SkinVy {
    /// The lower and the upper curve at each Y8, -1280…1279. Below the start of a curve its value
    /// excludes every V8.
    pub lines: [[i16; 256]; 2],
    /// `inv_margin_vyl` and `inv_margin_vyu`.
    pub inverse: [u16; 2],
}

impl SkinFactor {
    /// `min(31, (d << 5) >> (margin + 2))` for positive d (inside the region), else 0.
    fn ramp(d: i32, margin: u8) -> i32 {
        if d < 0 { 0 } else { ((d << 5) >> (margin + 2)).min(31) }
    }

    fn of_chroma(&self, u: u16, v: u16, bits: u8) -> i32 {
        let [sat, hue] = self.plane.rotated(self.plane.centred(u, v, bits));
        let inside = [self.plane.sat_max as i32 - sat.abs(), self.plane.hue_max as i32 - hue.abs()];
        let rectangle = if inside.iter().any(|&d| d < 0) { 0 } else { Self::ramp(inside[0].min(inside[1]), self.hs_margin) };
        let [du, dv] = self.diamond.map(i32::from);
        let distance = (sat - du).abs() + ((self.diamond_alpha as i32 * (hue - dv).abs()) >> 6);
        rectangle.min(Self::ramp(self.diamond_th as i32 - distance, self.diamond_margin))
    }

    /// The factor of luma and V alone; at most the entry of the luma table.
    #[inline(always)]
    fn of_luma(&self, y: u16, v: u16, bits: u8) -> i32 {
        let y8 = (y >> (bits - 8)) as usize & 255;
        let membership = self.luma[y8] as i32;
        let Some(SkinVy { lines, inverse }) = &self.vy else { return membership };
        let v8 = (v >> (bits - 8)) as i32;
        let lower = ((v8 - lines[0][y8] as i32) * inverse[0] as i32) >> 11;
        let upper = ((lines[1][y8] as i32 - v8) * inverse[1] as i32) >> 11;
        membership.min(lower.clamp(0, 31)).min(upper.clamp(0, 31))
    }
}

/// Writes the factor of each pixel. Components have `bits` bits, 12 to 16.
pub fn scalar(dst: &mut [u16], [y, u, v]: [&[u16]; 3], p: &SkinFactor, bits: u8) {
    for (x, out) in dst.iter_mut().enumerate() {
        *out = p.of_chroma(u[x], v[x], bits).min(p.of_luma(y[x], v[x], bits)) as u16;
    }
}

/// Panics if a slice is too short or a parameter outside its range.
#[inline(always)]
pub(crate) fn check(dst: &[u16], yuv: [&[u16]; 3], p: &SkinFactor, bits: u8) {
    contract::at_least(yuv, dst.len());
    check_bits(bits);
    contract::within(p.hs_margin.max(p.diamond_margin), 0..=7);
}

#[inline(always)]
pub(crate) fn vector<I: Isa>(s: I, dst: &mut [u16], [y, u, v]: [&[u16]; 3], p: &SkinFactor, bits: u8) -> bool {
    let n = dst.len();
    let (y, u, v) = (&y[..n], &u[..n], &v[..n]);
    blocks!(n, I::N / 2, x => {
        let factor = of_chroma(s, s.load16(&u[x..]), s.load16(&v[x..]), p, bits);
        let out = &mut dst[x..x + I::N / 2];
        s.store16(out, factor);
        // The chroma of most pixels in most pictures excludes skin.
        if s.any16(factor) {
            for (out, (&y, &v)) in out.iter_mut().zip(y[x..].iter().zip(&v[x..])) {
                *out = p.of_luma(y, v, bits).min(*out as i32) as u16;
            }
        }
    })
}

#[inline(always)]
fn of_chroma<I: Isa>(s: I, u: I::H, v: I::H, p: &SkinFactor, bits: u8) -> I::H {
    let [sat, hue] = p.plane.rotated_vector(s, p.plane.centred_vector(s, u, v, bits));
    let inside_sat = s.sub16(s.splat16(p.plane.sat_max as u16), abs16(s, sat));
    let inside_hue = s.sub16(s.splat16(p.plane.hue_max as u16), abs16(s, hue));
    let rectangle = ramp(s, s.min15(inside_sat, inside_hue), p.hs_margin);
    let [du, dv] = p.diamond;
    let across = abs16(s, s.sub16(sat, s.splat16(du as u16)));
    let along = abs16(s, s.sub16(hue, s.splat16(dv as u16)));
    // (alpha * along) >> 6
    let along = s.mul_high(s.shl::<2>(along), s.splat16((p.diamond_alpha as u16) << 8));
    let inside = s.sub16(s.splat16(p.diamond_th as u16), s.add16(across, along));
    s.min15(rectangle, ramp(s, inside, p.diamond_margin))
}

#[inline(always)]
fn ramp<I: Isa>(s: I, d: I::H, margin: u8) -> I::H {
    let d = s.max15(d, s.splat16(0));
    s.min15(s.shr_by(s.shl::<5>(d), margin + 2), s.splat16(31))
}
