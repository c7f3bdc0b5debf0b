//! A colour look-up table as a media kernel: textures in, media blocks out.
//!
//! ```sh
//! cargo run --example color_lookup
//! ```
//! Each thread converts 8 × 2 pixels. It reads them by `ld`, raises them to a power by extended
//! math, so that they are linear, samples a table of 17 × 17 × 17 colours by `sample_l` with the
//! linear filter, rounds the result to bytes and writes it as a media block.
//! The program compares each pixel with the same conversion in plain loops.
//! `docs/design/messages.md` explains the kernel.
use dndi::gen6::eu::{
    Descriptor, Machine, Program, Register, Report, SharedFunction, assemble, data_port_control, data_port_opcode,
    texture_control, texture_opcode, texture_simd,
};
use dndi::gen6::state::SurfaceState;
use std::error::Error;

/// Size of the picture in pixels: whole blocks.
const WIDTH: usize = 64;
const HEIGHT: usize = 16;
/// Pixels of a block.
const BLOCK: (usize, usize) = (8, 2);
/// Colours of each axis of the table.
pub const TABLE: usize = 17;

/// Addresses. The binding table is at 0; its entries are the table, the picture and the result.
const STATES: u32 = 256;
const SAMPLERS: u32 = 1024;
const PICTURE: u32 = 1 << 16;
const RESULT: u32 = 2 << 16;
const COLORS: u32 = 3 << 16;

/// r1 has x, y, and x in bytes; r2 the numbers 0 to 7; r3 the factors.
const KERNEL: &str = "
    add (8) m1 r2 r1.0<0>           // u of 8 pixels, for two lines
    add (8) m2 r2 r1.0<0>
    mov (8) m3 r1.1<0>              // v
    add (8) m4 r1.1<0> 1
    send r16 m1 LOAD                // r16 to r23: red, green, blue, alpha, two lines each
    mov (8) m5 r16                  // the thread waits here
    mov (8) m6 r17
    mov (8) m7 r3.4<0>              // the exponent
    mov (8) m8 r3.4<0>
    send r24 m5 POWER
    mov (8) m9 r18
    mov (8) m10 r19
    mov (8) m11 r3.4<0>
    mov (8) m12 r3.4<0>
    send r26 m9 POWER
    mov (8) m5 r20                  // the thread waits until the first message is transmitted
    mov (8) m6 r21
    mov (8) m7 r3.4<0>
    mov (8) m8 r3.4<0>
    send r28 m5 POWER
    mul (16) r24:f r24:f r3.0<0>:f  // colours to positions in the table
    mul (16) r26:f r26:f r3.0<0>:f
    mul (16) r28:f r28:f r3.0<0>:f
    add (16) r24:f r24:f r3.1<0>:f
    add (16) r26:f r26:f r3.1<0>:f
    add (16) r28:f r28:f r3.1<0>:f
    mov (8) m5 r24                  // u, v, r
    mov (8) m6 r25
    mov (8) m7 r26
    mov (8) m8 r27
    mov (8) m9 r28
    mov (8) m10 r29
    send r32 m5 SAMPLE              // r32 to r39; the level of detail is not sent, which is 0
    mov (8) m11 r0                  // header of the media block: x in bytes, y, 32 bytes by 2 lines
    mov (1) m11.0 r1.2
    mov (1) m11.1 r1.1
    mov (1) m11.2 0x0001001f
    mul (16) r40:f r32:f r3.2<0>:f  // to bytes
    mul (16) r42:f r34:f r3.2<0>:f
    mul (16) r44:f r36:f r3.2<0>:f
    mul (16) r46:f r22:f r3.2<0>:f  // alpha is kept
    add (16) r40:f r40:f r3.3<0>:f
    add (16) r42:f r42:f r3.3<0>:f
    add (16) r44:f r44:f r3.3<0>:f
    add (16) r46:f r46:f r3.3<0>:f
    mov (8) m12.0<4>:ub r40:f
    mov (8) m12.1<4>:ub r42:f
    mov (8) m12.2<4>:ub r44:f
    mov (8) m12.3<4>:ub r46:f
    mov (8) m13.0<4>:ub r41:f
    mov (8) m13.1<4>:ub r43:f
    mov (8) m13.2<4>:ub r45:f
    mov (8) m13.3<4>:ub r47:f
    send null m11 WRITE
    send null m15 r0 7:0x82000010   // end of the thread
";

/// The exponent from the samples of a picture to linear light.
pub const GAMMA: f32 = 2.2;

/// From a colour to its position in the table, 0 to 1: the first and the last colour are half a
/// texel inside.
const SCALE: f32 = (TABLE - 1) as f32 / TABLE as f32;
const OFFSET: f32 = 0.5 / TABLE as f32;

/// A pixel or a colour: red, green, blue, alpha.
pub type Color<T> = [T; 4];

/// Pixels line by line.
pub type Pixels = Vec<Color<u8>>;

/// A picture with all hues.
pub fn picture() -> Pixels {
    let pixel = |n: usize| {
        let (x, y) = (n % WIDTH, n / WIDTH);
        [x * 4 + 3 * y, 255 - x * 3, y * 17, 255 - y].map(|value| value as u8)
    };
    (0..WIDTH * HEIGHT).map(pixel).collect()
}

/// A table from linear light to samples that warms the lights and cools the shadows; red varies
/// fastest.
pub fn table() -> Vec<Color<f32>> {
    let color = |n: usize| {
        let [r, g, b] = [n % TABLE, n / TABLE % TABLE, n / TABLE / TABLE].map(|i| i as f32 / (TABLE - 1) as f32);
        let luma = 0.2126 * r + 0.7152 * g + 0.0722 * b;
        let warmth = 0.12 * (luma - 0.5);
        let sample = |value: f32| value.clamp(0.0, 1.0).powf(1.0 / GAMMA);
        [sample(r + warmth), sample(g), sample(b - warmth), 1.0]
    };
    (0..TABLE * TABLE * TABLE).map(color).collect()
}

/// The picture through the power and the table, by threads of the kernel. `seed` selects their
/// order.
pub fn by_messages(
    pixels: &[Color<u8>],
    table: &[Color<f32>],
    exponent: f32,
    seed: Option<u64>,
) -> Result<(Pixels, Report), Box<dyn Error>> {
    let mut machine = Machine::new(None)?;
    machine.config.seed = seed;
    machine.memory.allocate(1 << 19, 4096);
    let plane = SurfaceState {
        surface_format: 0x0c7, // R8G8B8A8_UNORM
        surface_base_address: PICTURE,
        width: WIDTH as u32,
        height: HEIGHT as u32,
        surface_pitch: 4 * WIDTH as u32,
        ..SurfaceState::default()
    };
    let volume = SurfaceState {
        surface_type: 2,
        surface_format: 0, // R32G32B32A32_FLOAT
        surface_base_address: COLORS,
        width: TABLE as u32,
        height: TABLE as u32,
        depth: TABLE as u32,
        surface_pitch: 16 * 20, // lines of a level are as long as a multiple of 4 texels
        ..SurfaceState::default()
    };
    for (entry, state) in (0..).zip([volume, plane, SurfaceState { surface_base_address: RESULT, ..plane }]) {
        machine.memory.set_dword(4 * entry, STATES + 32 * entry as u32);
        machine.memory.set_dwords(u64::from(STATES) + 32 * entry, &state.encode()?);
    }
    // Linear filters, all coordinates clamped.
    machine.memory.set_dwords(SAMPLERS.into(), &[1 << 17 | 1 << 14, 2 << 6 | 2 << 3 | 2, 0, 0]);
    for (n, pixel) in pixels.iter().enumerate() {
        machine.memory.write(u64::from(PICTURE) + 4 * n as u64, pixel);
    }
    for (n, color) in table.iter().enumerate() {
        // Slices have an even number of lines.
        let (x, line) = (n % TABLE, n / TABLE % TABLE + n / TABLE / TABLE * (TABLE + 1));
        let address = u64::from(COLORS) + u64::from(volume.surface_pitch) * line as u64 + 16 * x as u64;
        machine.memory.set_dwords(address, &color.map(f32::to_bits));
    }
    let load = Descriptor::new(4, 8, false, texture_control(texture_simd::SIMD16, texture_opcode::LD, 0, 1));
    let sample = Descriptor::new(6, 8, false, texture_control(texture_simd::SIMD16, texture_opcode::SAMPLE_L, 0, 0));
    let power = Descriptor::new(4, 2, false, 10);
    let write = Descriptor::new(3, 0, true, data_port_control(data_port_opcode::MEDIA_BLOCK_WRITE, 0, 2));
    let names = [
        ("LOAD", SharedFunction::Sampler, load),
        ("POWER", SharedFunction::ExtendedMath, power),
        ("SAMPLE", SharedFunction::Sampler, sample),
        ("WRITE", SharedFunction::RenderCache, write),
    ];
    let kernel = assemble(KERNEL, &names)?;
    let constants = [Register::of([0, 1, 2, 3, 4, 5, 6, 7]), floats([SCALE, OFFSET, 255.0, 0.5, exponent])];
    let program = Program { kernel: &kernel, binding_table: 0, samplers: SAMPLERS, constants: &constants };
    let columns = WIDTH / BLOCK.0;
    let report = machine.run(&program, columns * (HEIGHT / BLOCK.1), |n| {
        let (x, y) = ((n % columns * BLOCK.0) as u32, (n / columns * BLOCK.1) as u32);
        Register::of([x, y, 4 * x, 0, 0, 0, 0, 0])
    });
    let mut result = vec![[0; 4]; pixels.len()];
    for (n, pixel) in result.iter_mut().enumerate() {
        machine.memory.read(u64::from(RESULT) + 4 * n as u64, pixel);
    }
    Ok((result, report))
}

fn floats(values: [f32; 5]) -> Register {
    let [a, b, c, d, e] = values.map(f32::to_bits);
    Register::of([a, b, c, d, e, 0, 0, 0])
}

/// A pixel through the power and the table, computed plainly.
pub fn plainly(pixel: Color<u8>, table: &[Color<f32>], exponent: f32) -> Color<u8> {
    let [r, g, b, alpha] = pixel.map(|value| (f64::from(value) / 255.0) as f32);
    // The lower colour of each axis, and the weight of the higher one in 1/256.
    let axes = [r, g, b].map(|value| {
        let linear = f64::from(value).powf(exponent.into()) as f32;
        let position = f64::from(linear * SCALE + OFFSET) * TABLE as f64;
        let fixed = (256.0 * position).floor() as i64 - 128;
        (fixed >> 8, fixed & 255)
    });
    let mut sums = [0.0; 3];
    for corner in 0..8 {
        let (mut weight, mut at) = (1, 0);
        for (axis, (lower, part)) in axes.into_iter().enumerate().rev() {
            let higher = corner >> axis & 1;
            weight *= if higher == 1 { part } else { 256 - part };
            at = at * TABLE as i64 + (lower + higher).clamp(0, TABLE as i64 - 1);
        }
        (0..3).for_each(|channel| sums[channel] += weight as f64 * f64::from(table[at as usize][channel]));
    }
    let [r, g, b] = sums.map(|sum| (sum / 16_777_216.0) as f32);
    [r, g, b, alpha].map(|value| (value * 255.0 + 0.5) as u8)
}

fn main() -> Result<(), Box<dyn Error>> {
    let (pixels, table) = (picture(), table());
    let (found, report) = by_messages(&pixels, &table, GAMMA, None)?;
    println!("{} threads ended, {} messages in error", report.ended, report.errors.len());
    for n in (0..pixels.len()).step_by(WIDTH + 9).take(8) {
        println!("{:3?} -> {:3?}", pixels[n], found[n]);
    }
    let differences = pixels.iter().zip(&found).filter(|(pixel, found)| plainly(**pixel, &table, GAMMA) != **found).count();
    println!("{differences} of {} pixels differ from plain loops", pixels.len());
    Ok(())
}
