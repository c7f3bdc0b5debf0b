//! All surface formats of textures (§10.3): their codes, and the texels that `ld` gives.
use crate::support::{DATA, machine};
use crate::texture::Case;
use dndi::gen6::eu::{MessageError, Register, texture_opcode::*, texture_simd::*};

/// For each format its code and the outputs of texels 1 and 2 of both lines of [`LINES`], made by a
/// script in Python from the names of the formats; texels of blocks are those of row 1.
const TEXELS: &str = include_str!("../golden/messages/sampler_formats.tsv");
const SRGB: &str = include_str!("../../docs/specification/srgb.tsv");
/// In the second line the first end of each block is not above the second one.
const LINES: [&str; 2] = [
    "10dbf70769ecfb8e5211faa7267fb816d747b5c3d79186e9599bb944e97ae1c016027844639bbb7aa0e6dff021a65072d37a1210fe9a24294cc4bf4c3931e255",
    "61b2ddd4e47d8c493d5b88e99a54595af5b1a7de720216a9a37c2886e5cf51c7fd7b8bf7ff2055faeccd45d7b2c6fa54e132d41201e02119b32f4d37e8f847ea",
];

#[test]
fn codes() {
    let machine = machine();
    let ranges = [
        (0x000, 0x002),
        (0x006, 0x006),
        (0x040, 0x042),
        (0x080, 0x08a),
        (0x08e, 0x092),
        (0x0c0, 0x0c5),
        (0x0c7, 0x0d3),
        (0x0d6, 0x0da),
        (0x0df, 0x0e5),
        (0x0e9, 0x0ee),
        (0x0f0, 0x0f0),
        (0x100, 0x11b),
        (0x122, 0x123),
        (0x140, 0x148),
        (0x14b, 0x14f),
        (0x180, 0x191),
        (0x199, 0x19a),
    ];
    for code in 0..512 {
        let outcome = Case::new(RESINFO).format(code).send(&machine);
        let is_known = ranges.iter().any(|(first, last)| (*first..=*last).contains(&code));
        assert_eq!(outcome.report.errors.is_empty(), is_known, "{code:03x}");
        assert!(is_known || matches!(outcome.error(), MessageError::Surface { .. }));
    }
}

/// The outputs of each pixel of a response.
fn pixels(registers: &[Register]) -> Vec<[u32; 4]> {
    let halves = registers.len() / 4;
    (0..8 * halves).map(|n| [0, 1, 2, 3].map(|channel| registers[halves * channel + n / 8].dword(n % 8))).collect()
}

#[test]
fn texels_of_all_formats() {
    let mut machine = machine();
    for (number, palette) in machine.palettes.iter_mut().enumerate() {
        for (index, entry) in palette.iter_mut().enumerate() {
            *entry = (0x8000_0000 | (number as u32) << 28) + index as u32 * 0x01_0305;
        }
    }
    let (mut formats, mut wrong) = (0, vec![]);
    for line in TEXELS.lines() {
        let mut numbers = line.split_whitespace().map(|digits| u32::from_str_radix(digits, 16).unwrap());
        let code = numbers.next().unwrap();
        let is_block = matches!(code, 0x180 | 0x186..=0x18d | 0x191 | 0x199 | 0x19a);
        for bytes in LINES {
            let bytes: Vec<u8> = (0..64).map(|n| u8::from_str_radix(&bytes[2 * n..][..2], 16).unwrap()).collect();
            machine.memory.write(DATA.into(), &bytes);
            for x in [1, 2] {
                let case = Case::new(LD).format(code).surface(2, 6, 13, 3).surface(3, 3, 17, 63);
                let parameters = vec![x, u32::from(is_block)];
                let found = pixels(Case { parameters, ..case }.send(&machine).registers())[7];
                let want: [u32; 4] = std::array::from_fn(|_| numbers.next().unwrap());
                if found != want {
                    wrong.push(format!("{code:03x}, texel {x}: {want:08x?}, found {found:08x?}"));
                }
            }
        }
        formats += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(formats, 124);
}

/// All codes of 4, 5, 6, 8 and 10 bits, in blocks of 16.
#[test]
fn linear_values() {
    let machine = machine();
    let mut counted = 0;
    for line in SRGB.lines().filter(|line| !line.starts_with('#')) {
        let (bits, values) = line.split_once('\t').unwrap();
        let values: Vec<u32> = values.split_whitespace().map(|digits| u32::from_str_radix(digits, 16).unwrap()).collect();
        // Format, lowest bit and output of a channel of this size.
        let (code, low, output) = match bits {
            "4" => (0x105, 4, 1),
            "5" => (0x11b, 10, 0),
            "6" => (0x101, 5, 1),
            "8" => (0x0c8, 16, 2),
            _ => (0x0c3, 0, 0),
        };
        let size = if code < 0x100 { 4 } else { 2 };
        for (index, value) in values.iter().enumerate() {
            machine.memory.write(u64::from(DATA) + (size * index) as u64, &((index as u32) << low).to_le_bytes()[..size]);
            let case = Case { mode: SIMD8, parameters: vec![index as u32], ..Case::new(LD) };
            let case = case.format(code).kind(0).surface(2, 19, 13, 0).surface(2, 6, 13, 1023);
            assert_eq!(pixels(case.send(&machine).registers())[0][output], *value, "{index} of {bits} bits");
            counted += 1;
        }
    }
    assert_eq!(counted, 1024 + 256 + 64 + 32 + 16);
}
