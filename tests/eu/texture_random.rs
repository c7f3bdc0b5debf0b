//! Texture messages with random states and payloads: errors, never a panic, and results within the
//! range of the format.
use crate::support::{DATA, Noise, SAMPLERS, machine, send_masked};
use dndi::gen6::eu::{
    ChromaKey, Descriptor, MonoFilter, Register, SharedFunction, texture_control, texture_opcode::*, texture_simd::*,
};

/// Formats of all kinds, those with results of 0 to 1 first.
const FORMATS: [u32; 30] = [
    0x0c7, 0x0c8, 0x140, 0x100, 0x0cc, 0x145, 0x10f, 0x14e, 0x181, 0x182, 0x18f, 0x186, 0x18d, 0x189, 0x18e, 0x144, 0x0d9, 0x118,
    0x000, 0x040, 0x0d3, 0x0ed, 0x0d8, 0x0e5, 0x107, 0x19a, 0x143, 0x0da, 0x001, 0x192,
];
const UNORM: usize = 18;

trait Chance {
    fn one_in(&mut self, n: u32) -> u32;
}

impl Chance for Noise {
    /// 1 in one of `n` cases, else 0.
    fn one_in(&mut self, n: u32) -> u32 {
        u32::from(self.below(n) == 0)
    }
}

/// A float parameter: near the surface, in texels, or of any bits.
fn parameter(noise: &mut Noise) -> u32 {
    match noise.below(8) {
        0 => noise.next(),
        1 => noise.below(40),
        2 => (noise.below(4000) as f32 / 100.0 - 10.0).to_bits(),
        _ => (noise.below(4000) as f32 / 1000.0 - 1.5).to_bits(),
    }
}

/// A SURFACE_STATE that is often valid, and the number of its format.
fn surface(noise: &mut Noise) -> ([u32; 6], usize) {
    let format = noise.below(FORMATS.len() as u32) as usize;
    let kind = [1, 1, 1, 2, 3, 3, 0, 4][noise.below(8) as usize];
    let width = [7, 31, noise.below(100), noise.below(8192)][noise.below(4) as usize];
    let height = [width, width, noise.below(50)][noise.below(3) as usize];
    let height = [0, width, height][if kind == 0 {
        0
    } else if kind == 3 {
        1
    } else {
        2
    }];
    let (levels, depth) = (noise.one_in(2) * noise.below(5), noise.one_in(2) * noise.below(9));
    let (pitch, tiling) = (128 * (1 + noise.below(6)) - 1, noise.one_in(3) * (2 + noise.below(2)));
    let (field, first_level, samples) = (noise.one_in(8), noise.one_in(8) * noise.below(3), noise.one_in(8));
    let (corner, faces, layer) = (noise.below(4), [63, 63, noise.below(64)][noise.below(3) as usize], noise.below(3));
    let mut state = [
        kind << 29 | FORMATS[format] << 18 | field << 12 | corner << 9 | faces,
        DATA,
        height << 19 | width << 6 | levels << 2,
        depth << 21 | pitch << 3 | tiling,
        first_level << 28 | layer << 17 | samples << 5,
        noise.below(2) << 24,
    ];
    if noise.below(8) == 0 {
        state[noise.below(6) as usize] ^= 1 << noise.below(32);
    }
    (state, format)
}

/// A SAMPLER_STATE that is often valid.
fn sampler(noise: &mut Noise, format: u32) -> [u32; 4] {
    let filter = |noise: &mut Noise| if format == 0x18e { 6 } else { [0, 1, 1, 2][noise.below(4) as usize] };
    let (mag, min) = (filter(noise), filter(noise));
    let mode = if format == 0x18e { 4 } else { [0, 1, 2, 2, 3, 3, 4, 5][noise.below(8) as usize] };
    let (preclamps, base, mip) = (noise.below(2), noise.below(8), [0, 1, 3][noise.below(3) as usize]);
    let (least, most, overrides) = (noise.one_in(4) * noise.below(200), noise.below(800), noise.one_in(8));
    let (key, rest, texels) = (noise.one_in(8), noise.below(1 << 12), noise.one_in(16));
    let mut state = [
        preclamps << 28 | base << 22 | mip << 20 | mag << 17 | min << 14 | noise.below(1 << 14),
        least << 22 | most << 12 | overrides << 9 | mode << 6 | mode << 3 | mode,
        8192,
        key << 25 | rest << 13 | texels,
    ];
    if format == 0x18e {
        (state[0], state[1]) = (state[0] & !(3 << 20), state[1] & 0x003f_ffff);
    }
    if noise.below(8) == 0 {
        state[noise.below(4) as usize] ^= 1 << noise.below(32);
    }
    state
}

#[test]
fn random_textures() {
    let noise = &mut Noise(10);
    let mut machine = machine();
    let data: Vec<u32> = (0..1 << 14).map(|_| noise.next()).collect();
    machine.memory.set_dwords(DATA.into(), &data);
    let border: Vec<u32> = (0..12).map(|_| parameter(noise)).collect();
    machine.memory.set_dwords(8192, &border);
    machine.palettes.iter_mut().flatten().for_each(|entry| *entry = noise.next());
    machine.chroma_keys[1] = ChromaKey { low: 0, high: 0xff80_ffff };
    let (mut served, mut refused, mut filtered) = (0, 0, 0);
    for _ in 0..5000 {
        machine.mono_filter = MonoFilter { width: 1 + noise.below(7), height: 1 + noise.below(8) };
        let (state, format) = surface(noise);
        machine.memory.set_dwords(1024, &state);
        machine.memory.set_dwords(SAMPLERS.into(), &sampler(noise, FORMATS[format]));
        let mode = [SIMD4X2, SIMD8, SIMD8, SIMD16][noise.below(4) as usize];
        let usual = [SAMPLE, SAMPLE_L, SAMPLE_D, SAMPLE_B, LD, LOD, SAMPLE_KILLPIX, noise.below(16)][noise.below(8) as usize];
        let opcode = if FORMATS[format] == 0x18e && noise.below(2) == 0 { SAMPLE_L } else { usual };
        let header = noise.below(2);
        let registers = header + [1, 2, 3, 4, 5, 6, 10][noise.below(7) as usize];
        let mut payload: Vec<Register> =
            (0..registers).map(|_| Register::of(std::array::from_fn(|_| parameter(noise)))).collect();
        if header == 1 {
            let (masks, offsets) = (noise.below(15), noise.one_in(4) * noise.below(1 << 12));
            payload[0] = Register::of([0, 0, masks << 12 | offsets, 0, 0, 0, 0, 0]);
        }
        let response = match (mode, opcode) {
            (SIMD4X2, _) => 1,
            (SIMD16, _) => 8 - 2 * (header * payload[0].bits(2, 15, 12)).count_ones(),
            (_, SAMPLE_KILLPIX) => 5,
            _ => 4,
        };
        let descriptor = Descriptor::new(registers, response, header == 1, texture_control(mode, opcode, 0, 0));
        let outcome = send_masked(&machine, SharedFunction::Sampler, descriptor, &payload, noise.next() as u16);
        if !outcome.report.errors.is_empty() {
            assert!(!outcome.error().to_string().is_empty());
            refused += 1;
            continue;
        }
        served += 1;
        assert_eq!(outcome.response.len(), response as usize);
        if opcode > LOAD4 && opcode != SAMPLE_KILLPIX || format >= UNORM || state[0] >> 29 == 7 {
            continue;
        }
        filtered += 1;
        // DWords that are not written are all ones, and so is the mask of pixels.
        let values = outcome.registers()[..(response as usize).min(if opcode == SAMPLE_KILLPIX { 4 } else { 8 })].iter();
        for value in values.flat_map(|register| (0..8).map(|n| register.dword(n))).filter(|value| *value != u32::MAX) {
            let value = f32::from_bits(value);
            assert!(
                (0.0..=1.0).contains(&value),
                "{value} of {opcode}, surface {state:08x?}, sampler {:08x?}",
                machine.memory.dwords::<4>(SAMPLERS.into())
            );
        }
    }
    assert!(served > 500 && refused > 500 && filtered > 200, "{served} served, {refused} refused, {filtered} filtered");
}
