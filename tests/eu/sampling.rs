//! `sample_8x8` compared with the scaler of the pipeline, and `sample_unorm` with plain loops
//! (volume 4 part 1, 2.12.2.4, 2.12.2.5).
use crate::support::{DATA, Noise, Outcome, SAMPLERS, bind, bind_media, machine, plane, send};
use dndi::gen6::eu::{
    ChromaKey, Descriptor, Machine, MessageError, Register, SharedFunction, media_format, sampler_control, sampler_opcode::*,
};
use dndi::gen6::state::{MediaSurfaceState, SampleControl, SurfaceState};
use dndi::{Addresses, FilterTables, Format, Frame, Parameters, Sampling, Scale, Scan, SharpenMode, Stream};

const SCALER: u32 = 8192;
/// Masks of all channels except green, and except red.
const LUMA: u32 = 0b1101 << 12;
const RED: u32 = 0b1110 << 12;

fn states(machine: &Machine, parameters: &Parameters, tables: &FilterTables, control: SampleControl) {
    let mut state = parameters.sampler_state(control.sharpen).unwrap();
    SampleControl { scaler_state: SCALER, ..control }.encode(&mut state).unwrap();
    machine.memory.set_dwords(SAMPLERS.into(), &state);
    machine.memory.set_dwords(SCALER.into(), &parameters.scaler_state(tables).unwrap());
}

fn surface(machine: &Machine, surface_format: u32, width: usize, height: usize) -> MediaSurfaceState {
    let state = MediaSurfaceState {
        surface_format,
        surface_base_address: DATA,
        width: width as u32,
        height: height as u32,
        surface_pitch: 512,
        ..MediaSurfaceState::default()
    };
    bind_media(machine, 5, &state);
    state
}

fn put(machine: &Machine, samples: &[u8], width: usize, at: u32) {
    for (y, line) in samples.chunks_exact(width).enumerate() {
        machine.memory.write(u64::from(at) + 512 * y as u64, line);
    }
}

struct Sent {
    opcode: u32,
    masks: u32,
    u: [f32; 3],
    v: [f32; 2],
}

fn sample(machine: &Machine, sent: &Sent, response: usize) -> Outcome {
    let mut payload = Register::default();
    let (delta, second) = if sent.opcode & 8 != 0 { (1, 0) } else { (0, 1) };
    for (dword, value) in [(2, sent.u[0]), (delta, sent.u[1]), (second, sent.u[2]), (6, sent.v[0]), (5, sent.v[1])] {
        payload.set_dword(dword, value.to_bits());
    }
    let header = Register::of([0, 0, sent.masks, 0, 0, 0, 0, 0]);
    let descriptor = Descriptor::new(2, response as u32, true, sampler_control(sent.opcode, 0, 5));
    send(machine, SharedFunction::Sampler, descriptor, &[header, payload])
}

/// The 16-bit samples of 8 × 4 pixels in two registers.
fn pixel(registers: &[Register], x: usize, y: usize) -> u32 {
    let register = &registers[y / 2];
    register.bits(x / 4 * 4 + y % 2 * 2 + x % 4 / 2, 16 * (x as u32 % 2) + 15, 16 * (x as u32 % 2))
}

fn scaled(frame: &Frame, scale: Scale, parameters: &Parameters, mode: Option<SharpenMode>) -> Frame {
    let builder = Stream::builder(frame.format(), Scan::Progressive).denoise(false).statistics(false);
    let mut stream = builder.scale(Some(scale)).parameters(parameters.clone()).sharpen(mode).build().unwrap();
    stream.push(&frame.planes()).unwrap();
    stream.pull().unwrap().frame
}

/// A mono picture, scaled with uneven addresses, message by message.
#[test]
fn sample_8x8_is_the_scaler() {
    let noise = &mut Noise(3);
    let (width, height) = (75, 40);
    let frame = Frame::from_vec(Format::new(width, height, Sampling::Mono), noise.bytes(width * height));
    for (n, opcode) in [SAMPLE_8X8, SAMPLE_8X8_MEDIA, SAMPLE_8X8, SAMPLE_8X8_MEDIA].into_iter().enumerate() {
        let mut parameters = Parameters::default();
        parameters.scaler.bypass_y_adaptive = n % 2 == 1;
        let target = [(64, 40), (96, 64), (48, 20), (112, 52)][n];
        let machine = machine();
        surface(&machine, media_format::Y8_UNORM, width, height);
        put(&machine, frame.plane(0), width, DATA);
        states(&machine, &parameters, &FilterTables::new((width, height), target), SampleControl::default());
        for second in [0.0, -0.0001, 0.0002] {
            let (start, delta) = (0.5 / target.0 as f32, 0.9 / target.0 as f32);
            let scale = Scale::new(target.0, target.1).addresses(Addresses { start, delta, second });
            let want = scaled(&frame, scale, &parameters, None);
            for y in (0..target.1).step_by(4) {
                let v = [(y as f32 + 0.5) / target.1 as f32, 1.0 / target.1 as f32];
                let outcome = sample(&machine, &Sent { opcode, masks: LUMA, u: [start, delta, second], v }, 4);
                let halves = [&outcome.registers()[..2], &outcome.registers()[2..]];
                for (i, j) in (0..4).flat_map(|j| (0..16).map(move |i| (i, j))) {
                    let want = u32::from(want.plane(0)[(y + j) * target.0 + i]) << 8;
                    assert_eq!(pixel(halves[i / 8], i % 8, j), want, "{target:?} at {i},{}", y + j);
                }
            }
        }
    }
}

/// At equal sizes samples are unchanged. Masked channels are not part of the response.
#[test]
fn sample_8x8_has_channels() {
    let noise = &mut Noise(8);
    let (width, height) = (32, 16);
    let planes: Vec<Vec<u8>> = (0..3).map(|_| noise.bytes(width * height)).collect();
    let machine = machine();
    let parameters = Parameters::default();
    states(&machine, &parameters, &FilterTables::new((1, 1), (1, 1)), SampleControl::default());
    let state = surface(&machine, media_format::PLANAR_444_8, width, height);
    let state = MediaSurfaceState { x_offset_for_cb: 40, x_offset_for_cr: 80, y_offset_for_cr: 3, ..state };
    bind_media(&machine, 5, &state);
    for (plane, at) in planes.iter().zip([DATA, DATA + 40, DATA + 80 + 3 * 512]) {
        put(&machine, plane, width, at);
    }
    let (u, v) = ([8.5 / 32.0, 1.0 / 32.0, 0.0], [4.5 / 16.0, 1.0 / 16.0]);
    for masks in 0..15u32 {
        let channels = 4 - masks.count_ones() as usize;
        let outcome = sample(&machine, &Sent { opcode: SAMPLE_8X8, masks: masks << 12, u, v }, 4 * channels);
        let registers = outcome.registers();
        for half in 0..2 {
            let kept = (0..4).filter(|channel| masks >> channel & 1 == 0);
            for (index, channel) in kept.enumerate() {
                let pair = &registers[2 * (half * channels + index)..][..2];
                for (i, j) in (0..4).flat_map(|j| (0..8).map(move |i| (i, j))) {
                    let at = (4 + j) * width + 8 + 8 * half + i;
                    let want = [planes[2][at], planes[0][at], planes[1][at], 255][channel];
                    assert_eq!(pixel(pair, i, j), u32::from(want) << 8, "channel {channel} of {masks:04b}");
                }
            }
        }
    }
    let all = sample(&machine, &Sent { opcode: SAMPLE_8X8, masks: 15 << 12, u, v }, 1);
    assert!(matches!(all.error(), MessageError::Payload { .. }));
    // Without header no channel is masked.
    let mut payload = Register::default();
    for (dword, value) in [(2, u[0]), (0, u[1]), (6, v[0]), (5, v[1])] {
        payload.set_dword(dword, value.to_bits());
    }
    let descriptor = Descriptor::new(1, 16, false, sampler_control(SAMPLE_8X8, 0, 5));
    assert_eq!(send(&machine, SharedFunction::Sampler, descriptor, &[payload]).registers().len(), 16);
}

/// All pixels of a sharpened frame, including the edges. Red is never sharpened.
#[test]
fn sample_8x8_sharpens_luma() {
    let noise = &mut Noise(11);
    let (width, height) = (37, 10);
    let frame = Frame::from_vec(Format::new(width, height, Sampling::Mono), noise.bytes(width * height));
    for mode in [SharpenMode::Detail3, SharpenMode::Detail5, SharpenMode::Combination] {
        let parameters = Parameters::default();
        let machine = machine();
        surface(&machine, media_format::Y8_UNORM, width, height);
        put(&machine, frame.plane(0), width, DATA);
        let control = SampleControl { sharpen: Some(mode), ..SampleControl::default() };
        states(&machine, &parameters, &FilterTables::new((1, 1), (1, 1)), control);
        let want = scaled(&frame, Scale::new(width, height), &parameters, Some(mode));
        for (x, y) in (0..height).step_by(4).flat_map(|y| (0..width).step_by(16).map(move |x| (x, y))) {
            let (w, h) = (width as f32, height as f32);
            let (u, v) = ([(x as f32 + 0.5) / w, 1.0 / w, 0.0], [(y as f32 + 0.5) / h, 1.0 / h]);
            let outcome = sample(&machine, &Sent { opcode: SAMPLE_8X8, masks: LUMA, u, v }, 4);
            let halves = [&outcome.registers()[..2], &outcome.registers()[2..]];
            for (i, j) in (0..4.min(height - y)).flat_map(|j| (0..16.min(width - x)).map(move |i| (i, j))) {
                let want = u32::from(want.plane(0)[(y + j) * width + x + i]) << 8;
                assert_eq!(pixel(halves[i / 8], i % 8, j), want, "{mode:?} at {},{}", x + i, y + j);
            }
        }
        surface(&machine, media_format::R8_UNORM, width, height);
        let at = |v: f32, size: usize| [(v + 0.5) / size as f32, 1.0 / size as f32];
        let ([u, delta], v) = (at(3.0, width), at(2.0, height));
        // With green masked or not.
        for (masks, channels) in [(RED, 1), (0, 4)] {
            let outcome = sample(&machine, &Sent { opcode: SAMPLE_8X8, masks, u: [u, delta, 0.0], v }, 4 * channels);
            let halves = [&outcome.registers()[..2], &outcome.registers()[2 * channels..][..2]];
            for (i, j) in (0..4).flat_map(|j| (0..16).map(move |i| (i, j))) {
                let want = u32::from(frame.plane(0)[(2 + j) * width + 3 + i]) << 8;
                assert_eq!(pixel(halves[i / 8], i % 8, j), want, "{mode:?}, {channels} channels at {i},{j}");
            }
        }
    }
}

#[test]
fn sample_8x8_refuses() {
    let machine = machine();
    states(&machine, &Parameters::default(), &FilterTables::new((1, 1), (1, 1)), SampleControl::default());
    let state = surface(&machine, media_format::Y8_UNORM, 32, 16);
    let good = || Sent { opcode: SAMPLE_8X8, masks: LUMA, u: [0.0, 1.0 / 32.0, 0.0], v: [0.0, 1.0 / 16.0] };
    assert_eq!(sample(&machine, &good(), 4).registers().len(), 4);
    let wrong = [
        Sent { u: [f32::NAN, 0.1, 0.0], ..good() },
        Sent { u: [0.0, 0.5, 0.0], ..good() },
        Sent { u: [0.0, -0.1, 0.0], ..good() },
        Sent { u: [0.0, 0.0, 0.1], ..good() },
        Sent { v: [0.0, 1.0], ..good() },
        Sent { v: [f32::INFINITY, 0.1], ..good() },
    ];
    for sent in wrong {
        assert!(matches!(sample(&machine, &sent, 4).error(), MessageError::Payload { .. }));
    }
    bind_media(&machine, 5, &MediaSurfaceState { surface_format: 8, ..state });
    assert!(matches!(sample(&machine, &good(), 4).error(), MessageError::Surface { .. }));
    bind_media(&machine, 5, &state);
    let index = Descriptor::new(2, 4, true, sampler_control(SAMPLE_8X8, 2, 5));
    let outcome = send(&machine, SharedFunction::Sampler, index, &[Register::default(); 2]);
    assert!(matches!(outcome.error(), MessageError::Payload { .. }));
}

/// A texel that matches the key is black and has alpha 0.
#[test]
fn sample_8x8_with_a_key() {
    let mut machine = machine();
    machine.chroma_keys[2] = ChromaKey { low: 0x0000_5000, high: 0xffff_60ff };
    surface(&machine, media_format::Y8_UNORM, 16, 4);
    let samples: Vec<u8> = (0..64).map(|n| if n % 7 == 0 { 0x58 } else { 200 }).collect();
    put(&machine, &samples, 16, DATA);
    let control = SampleControl { chroma_key: Some(2), ..SampleControl::default() };
    states(&machine, &Parameters::default(), &FilterTables::new((1, 1), (1, 1)), control);
    let masks = 0b0101 << 12; // green and alpha
    let (u, v) = ([0.5 / 16.0, 1.0 / 16.0, 0.0], [0.5 / 4.0, 1.0 / 4.0]);
    let outcome = sample(&machine, &Sent { opcode: SAMPLE_8X8, masks, u, v }, 8);
    for (i, j) in (0..4).flat_map(|j| (0..16).map(move |i| (i, j))) {
        let half = &outcome.registers()[4 * (i / 8)..][..4];
        let keyed = (16 * j + i) % 7 == 0;
        let want = if keyed { [0, 0] } else { [200 << 8, 0xff00] };
        assert_eq!([pixel(&half[..2], i % 8, j), pixel(&half[2..], i % 8, j)], want, "{i},{j}");
    }
}

/// Black of a picture of three components is Cr 80h, Y 10h, Cb 80h; zeros would be green.
#[test]
fn sample_8x8_makes_keyed_colors_black() {
    let mut machine = machine();
    // Luma alone selects the texels.
    machine.chroma_keys[1] = ChromaKey { low: 0x0000_5000, high: 0xffff_60ff };
    let state = surface(&machine, media_format::PLANAR_444_8, 16, 4);
    bind_media(&machine, 5, &MediaSurfaceState { x_offset_for_cb: 40, x_offset_for_cr: 80, ..state });
    let luma: Vec<u8> = (0..64).map(|n| if n % 5 == 0 { 0x58 } else { 200 }).collect();
    for (plane, at) in [(luma, DATA), (vec![30; 64], DATA + 40), (vec![90; 64], DATA + 80)] {
        put(&machine, &plane, 16, at);
    }
    let control = SampleControl { chroma_key: Some(1), ..SampleControl::default() };
    states(&machine, &Parameters::default(), &FilterTables::new((1, 1), (1, 1)), control);
    let (u, v) = ([0.5 / 16.0, 1.0 / 16.0, 0.0], [0.5 / 4.0, 1.0 / 4.0]);
    let outcome = sample(&machine, &Sent { opcode: SAMPLE_8X8, masks: 0, u, v }, 16);
    for (i, j) in (0..4).flat_map(|j| (0..16).map(move |i| (i, j))) {
        let half = &outcome.registers()[8 * (i / 8)..][..8];
        let want = if (16 * j + i) % 5 == 0 { [0x80, 0x10, 0x80, 0] } else { [90, 200, 30, 0xff] };
        let found = [0, 2, 4, 6].map(|channel| pixel(&half[channel..][..2], i % 8, j) >> 8);
        assert_eq!(found, want, "{i},{j}");
    }
}

/// A SAMPLER_STATE of the other messages: filter, address modes, key.
fn unorm_state(linear: bool, clamp: bool, key: Option<(u32, bool)>) -> [u32; 4] {
    let (filter, mode) = (u32::from(linear), if clamp { 2 } else { 0 });
    let key = key.map_or(0, |(index, black)| 1 << 25 | index << 23 | u32::from(black) << 22);
    [filter << 17 | filter << 14, mode << 6 | mode << 3, 0, key]
}

/// The first texel of a surface in tiles lies X Offset texels, of the format's bytes, from its
/// base.
#[test]
fn offsets_of_sample_unorm_are_texels() {
    for (format, size) in [(0x0c7, 4), (0x106, 2), (0x140, 1), (0x182, 2)] {
        let machine = machine();
        let bytes = Noise(5).bytes(512 * 8);
        machine.memory.write(DATA.into(), &bytes);
        machine.memory.set_dwords(SAMPLERS.into(), &unorm_state(false, true, None));
        let registers = |x_offset: u32, y_offset: u32, first: f32| {
            let tiled = SurfaceState { tiled_surface: 1, x_offset, y_offset, ..plane(format, DATA, 32, 4, 512) };
            bind(&machine, 5, &tiled);
            let v = [0.5 / 4.0, 0.0];
            let sent = Sent { opcode: SAMPLE_UNORM, masks: 0, u: [(first + 0.5) / 32.0, 1.0 / 32.0, 0.0], v };
            sample(&machine, &sent, 8).registers().to_vec()
        };
        assert_eq!(registers(8, 0, 0.0), registers(0, 0, 8.0), "{format:x}, {size} bytes");
        assert_ne!(registers(0, 2, 0.0), registers(0, 0, 0.0), "{format:x}");
        assert_eq!(registers(4, 2, 0.0), registers(0, 2, 4.0), "{format:x}");
    }
}

#[test]
fn sample_unorm() {
    let noise = &mut Noise(21);
    let (width, height) = (13usize, 9usize);
    let bytes = noise.bytes(64 * height);
    // Format, bytes of a texel, and for each channel its byte or a constant.
    type Texel = (u32, usize, [Result<usize, u8>; 4]);
    let formats: [Texel; 4] = [
        (0x0c7, 4, [Ok(0), Ok(1), Ok(2), Ok(3)]),
        (0x0c0, 4, [Ok(2), Ok(1), Ok(0), Ok(3)]),
        (0x140, 1, [Ok(0), Err(0), Err(0), Err(255)]),
        (0x146, 1, [Ok(0), Ok(0), Ok(0), Err(255)]),
    ];
    for (format, size, channels) in formats {
        for (linear, clamp) in [(false, false), (false, true), (true, false), (true, true)] {
            let machine = machine();
            bind(&machine, 5, &plane(format, DATA, width as u32, height as u32, 64));
            machine.memory.write(DATA.into(), &bytes);
            machine.memory.set_dwords(SAMPLERS.into(), &unorm_state(linear, clamp, None));
            // Multiples of powers of two, which are exact in floats.
            for (u, v) in [([0.5 / 16.0, 1.0 / 16.0, 0.0], [0.25, 0.125]), ([-0.5, 0.125, 0.0], [0.875, 0.0625])] {
                for opcode in [SAMPLE_UNORM, SAMPLE_UNORM_MEDIA] {
                    let outcome = sample(&machine, &Sent { opcode, masks: 0, u, v }, 8);
                    for (i, j) in (0..4).flat_map(|j| (0..8).map(move |i| (i, j))) {
                        let inside = |v: f64, size: usize| {
                            let v = v.floor() as i64;
                            if clamp { v.clamp(0, size as i64 - 1) as usize } else { v.rem_euclid(size as i64) as usize }
                        };
                        let (x, y) =
                            ((u[0] + u[1] * i as f32) as f64 * width as f64, (v[0] + v[1] * j as f32) as f64 * height as f64);
                        for (channel, byte) in channels.into_iter().enumerate() {
                            let texel = |x: f64, y: f64| {
                                byte.map_or_else(|v| v, |byte| bytes[64 * inside(y, height) + size * inside(x, width) + byte])
                                    as u32
                            };
                            let want = if linear {
                                let weight = |v: f64| ((v - 0.5 - (v - 0.5).floor()) * 256.0) as u32;
                                let (a, b) = (weight(x), weight(y));
                                let line = |y: f64| texel(x - 0.5, y) * (256 - a) + texel(x + 0.5, y) * a;
                                (line(y - 0.5) * (256 - b) + line(y + 0.5) * b) >> 8
                            } else {
                                texel(x, y) << 8
                            };
                            assert_eq!(pixel(&outcome.registers()[2 * channel..][..2], i, j), want, "{format:x} {i},{j}");
                        }
                    }
                }
            }
        }
    }
}

/// A texel that matches the key kills the pixels that it contributes to, or turns black.
#[test]
fn sample_unorm_with_a_key() {
    let mut machine = machine();
    machine.chroma_keys[1] = ChromaKey { low: 0x0000_0050, high: 0xffff_ff60 }; // blue
    bind(&machine, 5, &plane(0x0c0, DATA, 8, 4, 64));
    // Blue texels on a diagonal.
    for (x, y) in (0..4).flat_map(|y| (0..8).map(move |x| (x, y))) {
        let blue = if x == y { 0x55 } else { 0x10 };
        machine.memory.set_dword(u64::from(DATA) + 64 * y + 4 * x, 0xff80_4000 | blue);
    }
    let sent = |opcode| Sent { opcode, masks: 0, u: [0.5 / 8.0, 1.0 / 8.0, 0.0], v: [0.5 / 4.0, 1.0 / 4.0] };
    for (linear, opcode) in [(false, SAMPLE_UNORM_KILLPIX), (true, SAMPLE_UNORM_KILLPIX_MEDIA)] {
        machine.memory.set_dwords(SAMPLERS.into(), &unorm_state(linear, true, Some((1, false))));
        let outcome = sample(&machine, &sent(opcode), 9);
        let registers = outcome.registers();
        // (0,0), (1,1), (2,2), (3,3) are bits 0, 3, 12, 15.
        assert_eq!(registers[8].dword(0), !0b1001_0000_0000_1001);
        // Only this DWord is written.
        assert_eq!(registers[8].dword(1), u32::MAX);
        assert_eq!(pixel(&registers[..2], 0, 0), 0x8000);
        // Without a key no pixel is killed.
        machine.memory.set_dwords(SAMPLERS.into(), &unorm_state(linear, true, None));
        assert_eq!(sample(&machine, &sent(opcode), 9).registers()[8].dword(0), u32::MAX);
    }
    machine.memory.set_dwords(SAMPLERS.into(), &unorm_state(false, true, Some((1, true))));
    let outcome = sample(&machine, &sent(SAMPLE_UNORM), 8);
    assert_eq!([0, 2, 4, 6].map(|n| pixel(&outcome.registers()[n..n + 2], 1, 1)), [0; 4]);
    assert_eq!([0, 2, 4, 6].map(|n| pixel(&outcome.registers()[n..n + 2], 2, 1)), [0x8000, 0x4000, 0x1000, 0xff00]);
}

/// The same for pairs of pixels, whose second one has averaged chroma.
#[test]
fn sample_unorm_makes_keyed_pairs_black() {
    let mut machine = machine();
    machine.chroma_keys[3] = ChromaKey { low: 0x0000_1e00, high: 0xffff_1eff };
    bind(&machine, 5, &plane(0x182, DATA, 8, 4, 64));
    machine.memory.write(DATA.into(), &[30, 1, 40, 2, 30, 3, 41, 4]);
    let sent = Sent { opcode: SAMPLE_UNORM, masks: 0, u: [0.5 / 8.0, 1.0 / 8.0, 0.0], v: [0.5 / 4.0, 0.0] };
    let pixels = |linear: bool, u: f32| {
        machine.memory.set_dwords(SAMPLERS.into(), &unorm_state(linear, true, Some((3, true))));
        let outcome = sample(&machine, &Sent { u: [u, 1.0 / 8.0, 0.0], ..sent }, 8);
        [0, 1, 2].map(|x| [0, 2, 4, 6].map(|n| pixel(&outcome.registers()[n..n + 2], x, 0)))
    };
    let black = [0x8000, 0x1000, 0x8000, 0];
    assert_eq!(pixels(false, 0.5 / 8.0), [black, [3 << 8, 40 << 8, 2 << 8, 255 << 8], black]);
    // Between the first two texels.
    let mixed = [0, 1, 2, 3].map(|channel| (black[channel] + [3, 40, 2, 255][channel] * 256) / 2);
    assert_eq!(pixels(true, 1.0 / 8.0)[0], mixed);
}

/// The chroma of the second pixel of a pair is the average with the next pair.
#[test]
fn sample_unorm_of_pairs() {
    let machine = machine();
    bind(&machine, 5, &plane(0x190, DATA, 8, 4, 64));
    machine.memory.write(DATA.into(), &[10, 1, 20, 2, 30, 3, 41, 4]);
    machine.memory.set_dwords(SAMPLERS.into(), &unorm_state(false, true, None));
    let sent = Sent { opcode: SAMPLE_UNORM, masks: 0, u: [0.5 / 8.0, 1.0 / 8.0, 0.0], v: [0.5 / 4.0, 0.0] };
    let outcome = sample(&machine, &sent, 8);
    let pixels = |channel: usize| [0, 1, 2].map(|x| pixel(&outcome.registers()[2 * channel..][..2], x, 0) >> 8);
    assert_eq!([0, 1, 2, 3].map(pixels), [[20, 30, 41], [1, 2, 3], [10, 20, 30], [255; 3]]);
}

#[test]
fn sample_unorm_refuses() {
    let machine = machine();
    let good = plane(0x140, DATA, 8, 4, 64);
    let sample_with = |state: [u32; 4], surface: SurfaceState, delta: f32| {
        bind(&machine, 5, &surface);
        machine.memory.set_dwords(SAMPLERS.into(), &state);
        sample(&machine, &Sent { opcode: SAMPLE_UNORM, masks: 0, u: [0.0, delta, 0.0], v: [0.0, 0.1] }, 8)
    };
    let state = unorm_state(true, true, None);
    assert_eq!(sample_with(state, good, 0.1).registers().len(), 8);
    assert!(matches!(sample_with(state, good, 0.5).error(), MessageError::Payload { .. }));
    assert!(matches!(sample_with(state, good, f32::NAN).error(), MessageError::Payload { .. }));
    assert!(matches!(sample_with([state[0] | 1 << 20, state[1], 0, 0], good, 0.1).error(), MessageError::State { .. }));
    assert!(matches!(sample_with([state[0] | 2 << 17, state[1], 0, 0], good, 0.1).error(), MessageError::State { .. }));
    assert!(matches!(sample_with([state[0], 4 << 6, 0, 0], good, 0.1).error(), MessageError::State { .. }));
    let float = SurfaceState { surface_format: 0, ..good };
    assert!(matches!(sample_with(state, float, 0.1).error(), MessageError::Surface { .. }));
    // A disabled sampler gives 0.
    assert_eq!(sample_with([state[0] | 1 << 31, state[1], 0, 0], good, 0.1).registers(), [Register::default(); 8]);
}
