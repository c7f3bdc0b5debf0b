//! Surface formats of textures: the values in a texel, and the outputs that they become (§10.3).
use super::compressed::Compression;
use super::field::{Field, Number};
use super::formats::FIELDS;
use super::message::result;
use super::srgb::linear;
use std::sync::LazyLock;

/// Number of channels: red, green, blue, alpha.
const CHANNELS: usize = 4;
const ALPHA: usize = 3;
/// Codes of formats, 9 bits.
const CODES: usize = 512;

/// Entries of a palette.
pub(super) type Palette = [u32; 256];

/// The outputs that the channels of a texel become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Spread {
    /// Each channel its own.
    Color,
    /// The first one red, green and blue.
    Luminance,
    /// The first one all of them.
    Intensity,
}

/// The coding of a texel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Coding {
    /// A field for each channel that the format has.
    Fields([Option<Field>; CHANNELS]),
    /// An index to palette 0 or 1, and an alpha that replaces that of the palette.
    Palette { index: Field, alpha: Option<Field>, palette: usize },
    /// Blocks of 4 × 4 texels.
    Block(Compression),
}

/// A surface format that the sampler reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Format {
    /// The code, 9 bits.
    pub code: u32,
    /// Bits of an element in memory: a texel, or a block of 4 × 4 texels.
    pub bits: u32,
    /// The bytes of Y0, Cb and Cr of a pair of texels, if chroma is shared by two.
    pub pair: Option<[usize; 3]>,
    /// Whether its results are integers.
    pub is_integer: bool,
    coding: Coding,
    spread: Spread,
    srgb: bool,
}

static FORMATS: LazyLock<Vec<Option<Format>>> = LazyLock::new(|| {
    let mut all = vec![None; CODES];
    let fields = FIELDS.iter().filter_map(|&(code, name)| named(code, name));
    fields.chain(PAIRS.map(pair)).chain(blocks()).chain([mono()]).for_each(|format| all[format.code as usize] = Some(format));
    all
});

/// The code of MONO8.
pub(super) const MONO8: u32 = 0x18e;

/// YCRCB formats, with the bytes of Y0, Cb and Cr.
const PAIRS: [(u32, [usize; 3]); 4] = [(0x182, [0, 1, 3]), (0x183, [1, 2, 0]), (0x18f, [0, 3, 1]), (0x190, [1, 0, 2])];

/// A YCRCB format. Its elements are the bytes of each texel in the order of the outputs: Cr, Y, Cb.
fn pair((code, bytes): (u32, [usize; 3])) -> Format {
    let field = |low| Some(Field { low, bits: 8, number: Number::Unorm });
    Format {
        code,
        bits: 16,
        pair: Some(bytes),
        is_integer: false,
        coding: Coding::Fields([field(0), field(8), field(16), None]),
        spread: Spread::Color,
        srgb: false,
    }
}

/// Texels of one bit, for the monochrome filter.
fn mono() -> Format {
    let field = Field { low: 0, bits: 1, number: Number::Unorm };
    Format {
        code: MONO8,
        bits: 1,
        pair: None,
        is_integer: false,
        coding: Coding::Fields([Some(field), None, None, None]),
        spread: Spread::Intensity,
        srgb: false,
    }
}

/// The compressed formats.
fn blocks() -> impl Iterator<Item = Format> {
    use Compression::{Bc1, Bc2, Bc3, Bc4, Bc5};
    let all = [
        (0x186, Bc1 { opaque: false }, false),
        (0x187, Bc2, false),
        (0x188, Bc3, false),
        (0x189, Bc4 { signed: false }, false),
        (0x18a, Bc5 { signed: false }, false),
        (0x18b, Bc1 { opaque: false }, true),
        (0x18c, Bc2, true),
        (0x18d, Bc3, true),
        (0x191, Bc1 { opaque: true }, false),
        (0x180, Bc1 { opaque: true }, true),
        (0x199, Bc4 { signed: true }, false),
        (0x19a, Bc5 { signed: true }, false),
    ];
    all.into_iter().map(|(code, compression, srgb)| Format {
        code,
        bits: compression.bits(),
        pair: None,
        is_integer: false,
        coding: Coding::Block(compression),
        spread: Spread::Color,
        srgb,
    })
}

/// The format of a name of the table.
fn named(code: u32, name: &str) -> Option<Format> {
    let mut format = Format {
        code,
        bits: 0,
        pair: None,
        is_integer: false,
        coding: Coding::Fields([None; CHANNELS]),
        spread: Spread::Color,
        srgb: false,
    };
    let (mut channels, mut index, mut palette) = ([None; CHANNELS], None, None);
    // Channels of the fields whose kind of number has not come yet.
    let mut open: Vec<(char, u32, u32)> = vec![];
    for word in name.split('_') {
        let number = match word {
            "UNORM" => Some(Number::Unorm),
            "SNORM" => Some(Number::Snorm),
            "SINT" => Some(Number::Sint),
            "UINT" => Some(Number::Uint),
            "FLOAT" => Some(Number::Float),
            "SHAREDEXP" => Some(Number::SharedExponent),
            "TYPELESS" => None,
            "SRGB" => {
                format.srgb = true;
                continue;
            }
            "PALETTE0" | "PALETTE1" => {
                palette = Some(usize::from(word.ends_with('1')));
                Some(Number::Unorm)
            }
            fields => {
                for (letter, bits) in letters(fields) {
                    open.push((letter, format.bits, bits));
                    format.bits += bits;
                }
                continue;
            }
        };
        for (letter, low, bits) in open.drain(..) {
            let field = number.map(|number| Field { low, bits, number });
            let channel = match letter {
                'R' | 'L' | 'I' => 0,
                'G' => 1,
                'B' => 2,
                'A' => ALPHA,
                'P' => {
                    index = field;
                    continue;
                }
                _ => continue,
            };
            match letter {
                'L' => format.spread = Spread::Luminance,
                'I' => format.spread = Spread::Intensity,
                _ => {}
            }
            format.is_integer |= matches!(number, Some(Number::Sint | Number::Uint));
            channels[channel] = field;
        }
    }
    format.coding = match (index, palette) {
        (Some(index), Some(palette)) => Coding::Palette { index, alpha: channels[ALPHA], palette },
        _ => Coding::Fields(channels),
    };
    (format.bits > 0).then_some(format)
}

/// The letters of a word with the numbers after them.
fn letters(word: &str) -> impl Iterator<Item = (char, u32)> {
    let starts = word.char_indices().filter(|(_, c)| c.is_ascii_uppercase());
    starts.map(|(at, letter)| {
        let digits = word[at + 1..].split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default();
        (letter, digits.parse().unwrap_or(0))
    })
}

impl Format {
    /// The format of a code; none if the sampler does not read it.
    pub fn of(code: u32) -> Option<&'static Format> {
        FORMATS.get(code as usize)?.as_ref()
    }

    /// Texels of the width and height of an element.
    pub fn block(&self) -> i64 {
        if self.is_compressed() { 4 } else { 1 }
    }

    /// Whether texels are in blocks.
    pub fn is_compressed(&self) -> bool {
        matches!(self.coding, Coding::Block(_))
    }

    /// Whether the format has red, green, blue and alpha. Luminance and intensity are red.
    fn channels(&self) -> [bool; CHANNELS] {
        match self.coding {
            Coding::Fields(fields) => fields.map(|field| field.is_some()),
            Coding::Palette { .. } => [true; CHANNELS],
            Coding::Block(compression) => compression.channels(),
        }
    }

    /// The only channel, if the format has one.
    pub fn single(&self) -> Option<usize> {
        let channels = self.channels();
        let first = channels.iter().position(|has| *has)?;
        (channels.iter().filter(|has| **has).count() == 1).then_some(first)
    }

    /// The values of the channels of texel (x, y) of an element; 0 for those that the format lacks.
    pub fn values(&self, element: u128, (x, y): (usize, usize), palettes: &[Palette; 2]) -> [f64; CHANNELS] {
        match self.coding {
            Coding::Fields(fields) => {
                let value = |channel: usize| {
                    let Some(field) = fields[channel] else { return 0.0 };
                    let code = field.code(element);
                    // Alpha is never encoded.
                    if self.srgb && channel != ALPHA { linear(code, field.bits) } else { field.value(code, element) }
                };
                std::array::from_fn(value)
            }
            Coding::Palette { index, alpha, palette } => {
                let entry = palettes[palette & 1][index.code(element) as usize & 255];
                let mut values = [16, 8, 0, 24].map(|low| f64::from(entry >> low & 255) / 255.0);
                if let Some(alpha) = alpha {
                    values[ALPHA] = alpha.value(alpha.code(element), element);
                }
                values
            }
            Coding::Block(compression) => {
                let codes = compression.texel(element, x, y);
                let signed = matches!(compression, Compression::Bc4 { signed: true } | Compression::Bc5 { signed: true });
                std::array::from_fn(|channel| match codes[channel] {
                    code if self.srgb && channel != ALPHA => linear(code as u32, 8),
                    code => f64::from(code) / if signed { 127.0 } else { 255.0 },
                })
            }
        }
    }

    /// The outputs of the values of channels: red, green, blue, alpha.
    pub fn outputs(&self, values: [f64; CHANNELS]) -> [f64; CHANNELS] {
        let has = self.channels();
        std::array::from_fn(|output| match self.source(output) {
            channel if has[channel] => values[channel],
            ALPHA => 1.0,
            _ => 0.0,
        })
    }

    /// The channel of an output.
    fn source(&self, output: usize) -> usize {
        match self.spread {
            Spread::Intensity => 0,
            Spread::Luminance if output != ALPHA => 0,
            _ => output,
        }
    }

    /// The bits of the outputs of `ld`. A channel of 32-bit floats keeps its bits.
    pub fn loaded(&self, element: u128, texel: (usize, usize), palettes: &[Palette; 2]) -> [u32; CHANNELS] {
        let outputs = self.outputs(self.values(element, texel, palettes));
        std::array::from_fn(|output| {
            if let Coding::Fields(fields) = self.coding
                && let Some(field) = fields[self.source(output)]
                && (field.number, field.bits) == (Number::Float, 32)
            {
                return field.code(element);
            }
            self.bits_of(outputs[output])
        })
    }

    /// The bits of `ld` outside a surface: 0, but alpha 1 of formats without alpha.
    pub fn outside(&self) -> [u32; CHANNELS] {
        let has_alpha = self.channels()[self.source(ALPHA)];
        [0, 0, 0, if has_alpha { 0 } else { self.bits_of(1.0) }]
    }

    /// The bits of an output.
    fn bits_of(&self, output: f64) -> u32 {
        if self.is_integer { output as i64 as u32 } else { result(output) }
    }

    /// The values of a border colour: those of the channels that the format has, in their range.
    pub fn border(&self, color: [f32; CHANNELS]) -> [f64; CHANNELS] {
        let (unsigned, signed) = ((0.0, 1.0), (-1.0, 1.0));
        let range = |channel: usize| match self.coding {
            Coding::Fields(fields) => match fields[channel]?.number {
                Number::Unorm => Some(unsigned),
                Number::Snorm => Some(signed),
                _ => None,
            },
            Coding::Block(Compression::Bc4 { signed: true } | Compression::Bc5 { signed: true }) => Some(signed),
            Coding::Palette { .. } | Coding::Block(_) => Some(unsigned),
        };
        std::array::from_fn(|channel| {
            let value = f64::from(color[channel]);
            match range(channel) {
                Some(_) if value.is_nan() => 0.0,
                Some((least, most)) => value.clamp(least, most),
                None => value,
            }
        })
    }

    /// The outputs that a chroma key is compared with, 8 bits each: the codes of the channels
    /// before any conversion, 0 for missing colours and 255 for missing alpha.
    pub fn key(&self, element: u128) -> [u8; CHANNELS] {
        let Coding::Fields(fields) = self.coding else { return [0, 0, 0, 255] };
        std::array::from_fn(|output| match fields[self.source(output)] {
            Some(field) => field.byte(element),
            None if output == ALPHA => 255,
            None => 0,
        })
    }
}
