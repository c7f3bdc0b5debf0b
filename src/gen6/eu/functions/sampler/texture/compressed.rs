//! Texels of compressed blocks, 4 × 4 texels in 8 or 16 bytes (§10.3).

/// A compression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compression {
    /// BC1. `opaque`: alpha is 1 (DXT1_RGB).
    Bc1 { opaque: bool },
    /// BC2: colour, and alpha of 4 bits a texel.
    Bc2,
    /// BC3: colour, and interpolated alpha.
    Bc3,
    /// BC4: one interpolated channel.
    Bc4 { signed: bool },
    /// BC5: two of them.
    Bc5 { signed: bool },
}

impl Compression {
    /// Bits of a block.
    pub fn bits(self) -> u32 {
        if matches!(self, Compression::Bc1 { .. } | Compression::Bc4 { .. }) { 64 } else { 128 }
    }

    /// Whether red, green, blue and alpha are in the blocks.
    pub fn channels(self) -> [bool; 4] {
        match self {
            Compression::Bc1 { opaque } => [true, true, true, !opaque],
            Compression::Bc2 | Compression::Bc3 => [true; 4],
            Compression::Bc4 { .. } => [true, false, false, false],
            Compression::Bc5 { .. } => [true, true, false, false],
        }
    }

    /// The channels of texel (x, y) of a block, 0 to 255, or -127 to 127 if they are signed.
    pub fn texel(self, block: u128, x: usize, y: usize) -> [i32; 4] {
        let texel = 4 * y + x;
        let (first, second) = (block as u64, (block >> 64) as u64);
        match self {
            Compression::Bc1 { .. } => color(first, texel, true),
            Compression::Bc2 => {
                let [r, g, b, _] = color(second, texel, false);
                [r, g, b, 17 * (first >> (4 * texel) & 15) as i32]
            }
            Compression::Bc3 => {
                let [r, g, b, _] = color(second, texel, false);
                [r, g, b, interpolated(first, texel, false)]
            }
            Compression::Bc4 { signed } => [interpolated(first, texel, signed), 0, 0, 0],
            Compression::Bc5 { signed } => [interpolated(first, texel, signed), interpolated(second, texel, signed), 0, 0],
        }
    }
}

/// The colour and alpha of a texel. `keyed`: blocks whose first colour is not above the second one
/// have three colours and transparent black.
fn color(block: u64, texel: usize, keyed: bool) -> [i32; 4] {
    let (c0, c1) = (block as u16, (block >> 16) as u16);
    let code = block >> (32 + 2 * texel) & 3;
    let (a, b) = (expanded(c0), expanded(c1));
    let mix = |rule: fn(i32, i32) -> i32| std::array::from_fn(|i| if i < 3 { rule(a[i], b[i]) } else { 255 });
    match code {
        0 => a,
        1 => b,
        2 if c0 > c1 || !keyed => mix(|a, b| (2 * a + b + 1) / 3),
        3 if c0 > c1 || !keyed => mix(|a, b| (a + 2 * b + 1) / 3),
        2 => mix(|a, b| (a + b) / 2),
        _ => [0; 4],
    }
}

/// A colour of 5, 6 and 5 bits in 8 bits, opaque.
fn expanded(color: u16) -> [i32; 4] {
    let [r, g, b] = [color >> 11, color >> 5 & 63, color & 31].map(i32::from);
    [r << 3 | r >> 2, g << 2 | g >> 4, b << 3 | b >> 2, 255]
}

/// A channel between two ends.
fn interpolated(block: u64, texel: usize, signed: bool) -> i32 {
    let end = |byte: u64| if signed { i32::from(byte as u8 as i8).max(-127) } else { i32::from(byte as u8) };
    let (a, b) = (end(block), end(block >> 8));
    let code = (block >> (16 + 3 * texel) & 7) as i32;
    // Rounded to the nearest; an odd number of parts has no ties.
    let between = |k: i32, parts: i32| ((parts - k) * a + k * b + parts / 2).div_euclid(parts);
    match code {
        0 => a,
        1 => b,
        _ if a > b => between(code - 1, 7),
        6 => {
            if signed {
                -127
            } else {
                0
            }
        }
        7 => {
            if signed {
                127
            } else {
                255
            }
        }
        _ => between(code - 1, 5),
    }
}
