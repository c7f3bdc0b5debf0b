//! Media block writes through the colour pipe: formats of messages and of surfaces, values and
//! counts (volume 4 part 1, 3.9.6).
use crate::support::{DATA, Noise, Outcome, bind, machine, plane, send};
use dndi::gen6::eu::{
    Descriptor, Layout, Machine, MessageError, Register, SharedFunction, Tiling, data_port_control, data_port_opcode,
};
use dndi::gen6::state::SurfaceState;
use dndi::{Format, Frame, Parameters, Sampling, Scan, Stream};

/// Address of the COLOR_PROCESSING_STATE.
const STATE: u32 = 8192;
/// 4:2:2 and 4:4:4 in 8, then in 16 bits.
const FORMATS: [(bool, bool); 4] = [(true, false), (false, false), (true, true), (false, true)];

/// A pixel: luma, Cb, Cr in 8 bits.
type Pixels = Vec<Vec<[u8; 3]>>;

fn pixels(noise: &mut Noise, width: usize, height: usize, pairs: bool) -> Pixels {
    let line = |noise: &mut Noise| -> Vec<[u8; 3]> {
        let mut line: Vec<[u8; 3]> = (0..width).map(|_| [(); 3].map(|()| noise.next() as u8)).collect();
        for x in (1..width).step_by(2).filter(|_| pairs) {
            (line[x][1], line[x][2]) = (line[x - 1][1], line[x - 1][2]);
        }
        line
    };
    (0..height).map(|_| line(noise)).collect()
}

/// The registers of a block.
fn data(pixels: &Pixels, (pairs, deep): (bool, bool)) -> Vec<Register> {
    let mut bytes = vec![];
    for line in pixels {
        let mut row = vec![];
        if pairs {
            line.chunks(2).for_each(|pair| row.extend([pair[0][0], pair[0][1], pair[1][0], pair[0][2]]));
        } else if deep {
            line.iter().for_each(|&[y, u, v]| row.extend([u, y, v, 77]));
        } else {
            line.iter().for_each(|&[y, u, v]| row.extend([v, u, y, 77]));
        }
        if deep {
            row = row.into_iter().flat_map(|v| [0, v]).collect();
        }
        row.resize(row.len().next_power_of_two(), 0);
        bytes.extend(row);
    }
    bytes.resize(bytes.len().next_multiple_of(32), 0);
    bytes.chunks_exact(32).map(|bytes| Register(bytes.try_into().unwrap())).collect()
}

fn furnished(parameters: &Parameters, format: u32, dwords: u32, lines: u32) -> Machine {
    let machine = machine();
    machine.memory.set_dwords(STATE.into(), &parameters.color_state().unwrap());
    bind(&machine, 3, &SurfaceState { tiled_surface: 1, ..plane(format, DATA, dwords, lines, 512) });
    machine
}

/// Writes a block of pixels at x and y, in pixels.
fn write(machine: &Machine, (x, y): (i32, i32), pixels: &Pixels, format: (bool, bool), flags: u32) -> Outcome {
    let (pairs, deep) = format;
    let bytes = if pairs { 2 } else { 4 } * if deep { 2 } else { 1 };
    let (width, height) = (bytes * pixels[0].len() as u32, pixels.len() as u32);
    let kind = 2 * u32::from(deep) + u32::from(!pairs);
    let header = Register::of([
        (bytes as i32 * x) as u32,
        y as u32,
        (height - 1) << 16 | (width - 1),
        STATE | flags | kind << 2 | 1,
        0,
        0,
        0,
        0,
    ]);
    let payload = [&[header], &data(pixels, format)[..]].concat();
    let control = data_port_control(data_port_opcode::MEDIA_BLOCK_WRITE, 0, 3);
    send(machine, SharedFunction::RenderCache, Descriptor::new(payload.len() as u32, 0, true, control), &payload)
}

fn line(machine: &Machine, y: usize, count: usize) -> Vec<u8> {
    let mut bytes = vec![0; count];
    Layout { base: DATA, pitch: 512, tiling: Tiling::X }.read(&machine.memory, 0, y, &mut bytes);
    bytes
}

/// With all stages off only the format of the pixels changes.
#[test]
fn formats() {
    let noise = &mut Noise(6);
    for format in FORMATS {
        let (pairs, deep) = format;
        let width = if deep && !pairs { 4 } else { 8 };
        let pixels = pixels(noise, width, 4, pairs);
        let alpha = if pairs { 255 } else { 77 };
        for surface in [0x182, 0x183, 0x18f, 0x190, 0x0c7, 0x0c0, 0x080, 0x10a] {
            let machine = furnished(&Parameters::default(), surface, 24, 8);
            let outcome = write(&machine, (4, 2), &pixels, format, 0);
            if surface == 0x10a && format == (false, true) {
                assert!(matches!(outcome.error(), MessageError::Payload { .. }));
                continue;
            }
            outcome.registers();
            let average = |a: u8, b: u8| ((u16::from(a) + u16::from(b)) / 2) as u8;
            for (y, pixels) in pixels.iter().enumerate() {
                let want: Vec<u8> = match surface {
                    0x10a => pixels.iter().map(|p| p[0]).collect(),
                    0x0c7 => pixels.iter().flat_map(|&[y, u, v]| [y, u, v, alpha]).collect(),
                    0x0c0 => pixels.iter().flat_map(|&[y, u, v]| [v, u, y, alpha]).collect(),
                    0x080 => {
                        let deep = |&[y, u, v]: &[u8; 3]| [0, y, 0, u, 0, v];
                        let last = if !pairs && deep_alpha(format) { [0, alpha] } else { [alpha, alpha] };
                        pixels.iter().flat_map(|p| [&deep(p)[..], &last].concat()).collect()
                    }
                    _ => {
                        let pair = |pair: &[[u8; 3]]| {
                            let [a, b] = [pair[0], pair[1]];
                            let (u, v) = (average(a[1], b[1]), average(a[2], b[2]));
                            match surface {
                                0x182 => [a[0], u, b[0], v],
                                0x183 => [v, a[0], u, b[0]],
                                0x18f => [a[0], v, b[0], u],
                                _ => [u, a[0], v, b[0]],
                            }
                        };
                        pixels.chunks(2).flat_map(pair).collect()
                    }
                };
                let bytes = want.len() / width;
                assert_eq!(line(&machine, 2 + y, 96)[4 * bytes..][..want.len()], want, "{format:?} to {surface:#x}");
            }
            if surface == 0x10a {
                // Chroma of the upper left pixel of four, below eight lines of luma.
                for (row, pixels) in pixels.iter().step_by(2).enumerate() {
                    let want: Vec<u8> = pixels.iter().step_by(2).flat_map(|&[_, u, v]| [u, v]).collect();
                    assert_eq!(line(&machine, 8 + 1 + row, 96)[4..][..width], want);
                }
            }
            let counted = machine.counters.color.histogram().iter().sum::<u64>();
            assert_eq!(counted, 0);
        }
    }
}

fn deep_alpha((_, deep): (bool, bool)) -> bool {
    deep
}

/// Values and counts are those of the pipeline. Pixels outside the surface are neither written nor
/// counted.
#[test]
fn values_and_counts() {
    let noise = &mut Noise(12);
    let mut parameters = Parameters::default();
    let color = &mut parameters.color;
    (color.std_enable, color.ste_enable, color.tcc_enable, color.ace_enable, color.procamp_enable) =
        (true, true, true, true, true);
    (color.u_mid, color.v_mid, color.sat_max, color.hue_max, color.contrast, color.s2) = (128, 128, 63, 63, 170, 1500);
    let (width, height) = (20usize, 6usize);
    let picture = pixels(noise, width, height, false);
    let plane = |n: usize| picture.iter().flatten().map(move |p| p[n]);
    let frame = Frame::from_vec(Format::new(width, height, Sampling::C444), plane(0).chain(plane(1)).chain(plane(2)).collect());
    let settings = Stream::builder(frame.format(), Scan::Progressive).denoise(false).parameters(parameters.clone());
    let mut stream = settings.luma_statistics(true).build().unwrap();
    stream.push(&frame.planes()).unwrap();
    let output = stream.pull().unwrap();
    for (full, flags) in [(false, 0), (false, 2), (true, 0)] {
        parameters.color.full_image_histogram = full;
        let machine = furnished(&parameters, 0x0c7, width as u32, height as u32);
        // Blocks that exceed the surface on each side. Their pixels outside differ from those at
        // the edge.
        for (x, y) in [-1, 3].into_iter().flat_map(|y| [-6, 2, 10, 18].map(|x| (x, y))) {
            let inside = |at: i32, size: usize| at.rem_euclid(size as i32) as usize;
            let pixel = |x: i32, y: i32| picture[inside(y, height)][inside(x, width)];
            let block: Pixels = (0..4).map(|j| (0..8).map(|i| pixel(x + i, y + j)).collect()).collect();
            write(&machine, (x, y), &block, (false, false), flags).registers();
        }
        for y in 0..height {
            for (x, pixel) in line(&machine, y, 4 * width).chunks(4).enumerate() {
                let want = [0, 1, 2].map(|n| output.frame.plane(n)[y * width + x]);
                assert_eq!(pixel, [&want[..], &[77]].concat(), "{x},{y}");
            }
        }
        let (counters, luma) = (&machine.counters.color, output.luma.as_ref().unwrap());
        let counts = full || flags == 2;
        let want = luma.histogram.map(|count| if counts { u64::from(count) } else { 0 });
        assert_eq!(counters.histogram(), want);
        assert_eq!((counters.range(), counters.skin()), ((luma.ymin, luma.ymax), (luma.skin_pixels, luma.skin_factor_sum)));
    }
}

#[test]
fn unsupported_writes_are_refused() {
    let noise = &mut Noise(1);
    let pixels = pixels(noise, 8, 4, true);
    let parameters = Parameters::default();
    let write_to = |format: u32, tiled: bool, position: (i32, i32), message: (bool, bool)| {
        let machine = furnished(&parameters, format, 24, 8);
        if !tiled {
            bind(&machine, 3, &plane(format, DATA, 24, 8, 512));
        }
        let pixels: Pixels =
            if message == (false, true) { pixels.iter().map(|line| line[..4].to_vec()).collect() } else { pixels.clone() };
        write(&machine, position, &pixels, message, 0)
    };
    assert!(matches!(write_to(0x0c7, false, (0, 0), (false, false)).error(), MessageError::Surface { .. }));
    assert!(matches!(write_to(0x140, true, (0, 0), (false, false)).error(), MessageError::Surface { .. }));
    assert!(matches!(write_to(0x10a, true, (2, 0), (true, false)).error(), MessageError::Payload { .. }));
    assert!(matches!(write_to(0x10a, true, (0, 1), (true, false)).error(), MessageError::Payload { .. }));
    assert!(matches!(write_to(0x182, true, (1, 0), (false, false)).error(), MessageError::Payload { .. }));
    assert_eq!(write_to(0x182, true, (2, 1), (false, true)).report.errors, []);
    // A state with a value out of range.
    let machine = furnished(&parameters, 0x0c7, 24, 8);
    machine.memory.set_dword(u64::from(STATE) + 4 * 55, u32::MAX);
    write(&machine, (0, 0), &pixels, (true, false), 0);
    // A null surface accepts any format.
    bind(&machine, 3, &SurfaceState { surface_type: 7, ..plane(0x0c7, DATA, 24, 8, 512) });
    assert_eq!(write(&machine, (0, 0), &pixels, (true, false), 0).report.errors, []);
}
