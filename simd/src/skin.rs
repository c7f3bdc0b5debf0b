//! The plane of saturation and hue that contains the skin colours, and the transforms to and from
//! it (§6.1, §6.2).
use crate::isa::Isa;

/// Centre, direction and extent of the skin colours in the plane of U and V, in quarter units
/// (10-bit chroma).
#[derive(Clone, Copy, Debug)]
pub struct SkinPlane {
    /// `4 * u_mid` and `4 * v_mid`, up to 1020.
    pub mid: [i16; 2],
    /// Cosine of the angle, S0.7.
    pub cos: i16,
    /// Its sine, S0.7.
    pub sin: i16,
    /// `4 * sat_max`, up to 252.
    pub sat_max: i16,
    /// `4 * hue_max`, up to 252.
    pub hue_max: i16,
}

impl SkinPlane {
    /// Uc and Vc of chroma of `bits` bits, relative to the centre.
    #[inline(always)]
    pub(crate) fn centred(&self, u: u16, v: u16, bits: u8) -> [i32; 2] {
        [(u >> (bits - 10)) as i32 - self.mid[0] as i32, (v >> (bits - 10)) as i32 - self.mid[1] as i32]
    }

    /// Sat and Hue from Uc and Vc.
    pub(crate) fn rotated(&self, [u, v]: [i32; 2]) -> [i32; 2] {
        let (cos, sin) = (self.cos as i32, self.sin as i32);
        [-((u * cos - v * sin + 64) >> 7), -((u * sin + v * cos + 64) >> 7)]
    }

    /// Uc and Vc from Sat and Hue.
    pub(crate) fn unrotated(&self, [sat, hue]: [i32; 2]) -> [i32; 2] {
        let (cos, sin) = (self.cos as i32, self.sin as i32);
        [-((sat * cos + hue * sin + 64) >> 7), -((hue * cos - sat * sin + 64) >> 7)]
    }

    #[inline(always)]
    pub(crate) fn centred_vector<I: Isa>(&self, s: I, u: I::H, v: I::H, bits: u8) -> [I::H; 2] {
        let [u_mid, v_mid] = self.mid;
        let (u10, v10) = match bits {
            12 => (s.shr::<2>(u), s.shr::<2>(v)),
            14 => (s.shr::<4>(u), s.shr::<4>(v)),
            16 => (s.shr::<6>(u), s.shr::<6>(v)),
            _ => (s.shr_by(u, bits - 10), s.shr_by(v, bits - 10)),
        };
        [s.sub16(u10, s.splat16(u_mid as u16)), s.sub16(v10, s.splat16(v_mid as u16))]
    }

    #[inline(always)]
    pub(crate) fn rotated_vector<I: Isa>(&self, s: I, uv: [I::H; 2]) -> [I::H; 2] {
        [negated_sum(s, uv, [self.cos, -self.sin]), negated_sum(s, uv, [self.sin, self.cos])]
    }

    #[inline(always)]
    pub(crate) fn unrotated_vector<I: Isa>(&self, s: I, sat_hue: [I::H; 2]) -> [I::H; 2] {
        [negated_sum(s, sat_hue, [self.cos, self.sin]), negated_sum(s, sat_hue, [-self.sin, self.cos])]
    }
}

/// `-((v[0] * k[0] + v[1] * k[1] + 64) >> 7)`.
#[inline(always)]
fn negated_sum<I: Isa>(s: I, v: [I::H; 2], k: [i16; 2]) -> I::H {
    let k = s.interleave_low16(s.splat16(k[0] as u16), s.splat16(k[1] as u16));
    let half = s.splat32(64);
    let low = s.add32(s.madd16(s.interleave_low16(v[0], v[1]), k), half);
    let high = s.add32(s.madd16(s.interleave_high16(v[0], v[1]), k), half);
    s.sub16(s.splat16(0), s.pack32(s.sra32::<7>(low), s.sra32::<7>(high)))
}

#[inline(always)]
pub(crate) fn abs16<I: Isa>(s: I, v: I::H) -> I::H {
    s.max15(v, s.sub16(s.splat16(0), v))
}

/// `v` clipped to `0…4095`.
#[inline(always)]
pub(crate) fn clip12<I: Isa>(s: I, v: I::H) -> I::H {
    s.max15(s.min15(v, s.splat16(4095)), s.splat16(0))
}
