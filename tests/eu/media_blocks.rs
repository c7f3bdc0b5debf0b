//! Media block read and write (volume 4 part 1, 3.9.6): all shapes, positions, tilings, fields and
//! boundaries, compared with plain loops.
use crate::support::{DATA, Noise, Outcome, bind, machine, plane, send};
use dndi::gen6::eu::{
    Descriptor, Layout, Machine, Register, SharedFunction, Tiling, WRITE_COMMIT, data_port_control, data_port_opcode,
};
use dndi::gen6::state::SurfaceState;

const WIDTH: usize = 48;
const HEIGHT: usize = 12;

fn layout(tiling: Tiling) -> Layout {
    Layout { base: DATA, pitch: 512, tiling }
}

/// A surface that holds `bytes`.
fn surface(machine: &Machine, tiling: Tiling, bytes: &[u8], state: SurfaceState) {
    for (y, line) in bytes.chunks_exact(WIDTH).enumerate() {
        layout(tiling).write(&machine.memory, 0, y, line);
    }
    let (tiled_surface, tile_walk) = match tiling {
        Tiling::Linear => (0, 0),
        Tiling::X => (1, 0),
        Tiling::Y => (1, 1),
    };
    bind(machine, 3, &SurfaceState { tiled_surface, tile_walk, ..state });
}

fn state() -> SurfaceState {
    plane(0x143, DATA, WIDTH as u32 / 4, HEIGHT as u32, 512)
}

fn header(x: i32, y: i32, width: usize, height: usize) -> Register {
    Register::of([x as u32, y as u32, (height as u32 - 1) << 16 | (width as u32 - 1), 0, 0, 0, 0, 0])
}

fn registers(width: usize, height: usize) -> usize {
    (width.next_power_of_two() * height).div_ceil(32)
}

fn read(machine: &Machine, function: SharedFunction, specific: u32, header: Register, count: usize) -> Outcome {
    let control = data_port_control(data_port_opcode::MEDIA_BLOCK_READ, specific, 3);
    send(machine, function, Descriptor::new(1, count as u32, true, control), &[header])
}

/// Byte x of row y of a response.
fn byte(response: &[Register], width: usize, x: usize, y: usize) -> u8 {
    let at = y * width.next_power_of_two() + x;
    response[at / 32].0[at % 32]
}

const SHAPES: [(usize, usize); 9] = [(4, 64), (1, 5), (3, 7), (8, 32), (6, 9), (16, 16), (12, 4), (32, 8), (20, 3)];

#[test]
fn blocks_are_read_with_the_edges_repeated() {
    let noise = &mut Noise(1);
    let bytes = noise.bytes(WIDTH * HEIGHT);
    for tiling in [Tiling::Linear, Tiling::X, Tiling::Y] {
        let machine = machine();
        surface(&machine, tiling, &bytes, state());
        for (width, height) in SHAPES {
            for (x, y) in [(0, 0), (-5, -3), (40, 7), (1000, -1000), (-2_000_000_000, 2_000_000_000)] {
                let function = if noise.below(2) == 0 { SharedFunction::SamplerCache } else { SharedFunction::RenderCache };
                let count = registers(width, height);
                let outcome = read(&machine, function, 0, header(x, y, width, height), count);
                for (i, j) in (0..height).flat_map(|j| (0..width).map(move |i| (i, j))) {
                    let inside = |v: i64, size: usize| v.clamp(0, size as i64 - 1) as usize;
                    let (x, y) = (inside(i64::from(x) + i as i64, WIDTH), inside(i64::from(y) + j as i64, HEIGHT));
                    assert_eq!(
                        byte(outcome.registers(), width, i, j),
                        bytes[y * WIDTH + x],
                        "{width}x{height} {i},{j} {tiling:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn blocks_are_written_and_pixels_outside_are_dropped() {
    let noise = &mut Noise(2);
    for tiling in [Tiling::Linear, Tiling::X, Tiling::Y] {
        for (width, height) in [(4, 64), (8, 32), (16, 16), (12, 4), (32, 8), (20, 3)] {
            for (x, y) in [(0, 0), (-8, -3), (40, 7), (48, 0), (0, 12), (-32, 2), (4, -2)] {
                let machine = machine();
                let mut want = noise.bytes(WIDTH * HEIGHT);
                surface(&machine, tiling, &want, state());
                let data: Vec<Register> = (0..registers(width, height)).map(|_| noise.register()).collect();
                let payload = [&[header(x, y, width, height)], &data[..]].concat();
                let commit = noise.below(2);
                let control = data_port_control(data_port_opcode::MEDIA_BLOCK_WRITE, 0, 3) | (commit * WRITE_COMMIT);
                if payload.len() > 9 {
                    continue;
                }
                let descriptor = Descriptor::new(payload.len() as u32, commit, true, control);
                send(&machine, SharedFunction::RenderCache, descriptor, &payload).registers();
                for (i, j) in (0..height).flat_map(|j| (0..width).map(move |i| (i, j))) {
                    let (x, y) = (x + i as i32, y + j as i32);
                    if (0..WIDTH as i32).contains(&x) && (0..HEIGHT as i32).contains(&y) {
                        want[y as usize * WIDTH + x as usize] = byte(&data, width, i, j);
                    }
                }
                for (y, line) in want.chunks_exact(WIDTH).enumerate() {
                    let mut got = vec![0; WIDTH];
                    layout(tiling).read(&machine.memory, 0, y, &mut got);
                    assert_eq!(got, line, "{width}x{height} at {x},{y}, line {y}");
                }
            }
        }
    }
}

/// The descriptor overrides the vertical line stride: fields of a frame, and the frame of a field.
#[test]
fn fields_and_frames() {
    let bytes = Noise(3).bytes(WIDTH * HEIGHT);
    let machine = machine();
    let field = SurfaceState { vertical_line_stride: 1, height: HEIGHT as u32 / 2, ..state() };
    // State, bits 10:8, line of the frame for line n of the block, lines.
    type Case = (SurfaceState, u32, fn(usize) -> usize, usize);
    let cases: [Case; 6] = [
        (state(), 0b110, |n| 2 * n, 6),
        (state(), 0b111, |n| 2 * n + 1, 6),
        (state(), 0b100, |n| n, 12),
        (field, 0b000, |n| 2 * n, 6),
        (SurfaceState { vertical_line_stride_offset: 1, ..field }, 0b011, |n| 2 * n + 1, 6),
        (field, 0b100, |n| n, 12),
    ];
    for (state, bits, line, lines) in cases {
        surface(&machine, Tiling::Linear, &bytes, state);
        let outcome = read(&machine, SharedFunction::RenderCache, bits, header(4, 0, 8, 14), 4);
        for y in 0..14 {
            let want = bytes[line(y.min(lines - 1)) * WIDTH + 4];
            assert_eq!(byte(outcome.registers(), 8, 0, y), want, "{bits:03b}, line {y}");
        }
        // Writes use the same lines.
        let control = data_port_control(data_port_opcode::MEDIA_BLOCK_WRITE, bits, 3);
        let payload = [header(0, 1, 4, 2), Register([0xaa; 32])];
        send(&machine, SharedFunction::RenderCache, Descriptor::new(2, 0, true, control), &payload).registers();
        for y in 0..lines {
            let mut got = [0; 4];
            layout(Tiling::Linear).read(&machine.memory, 0, line(y), &mut got);
            assert_eq!(got == [0xaa; 4], (1..3).contains(&y), "{bits:03b}, line {y}");
        }
    }
    // A frame of an odd number of lines has no fields.
    surface(&machine, Tiling::Linear, &bytes, SurfaceState { height: 11, ..state() });
    read(&machine, SharedFunction::RenderCache, 0b110, header(0, 0, 4, 1), 1).error();
}

#[test]
fn pairs_of_pixels_keep_their_chroma_outside_a_surface() {
    let bytes = Noise(4).bytes(WIDTH * HEIGHT);
    for (format, luma) in [(0x182, 0), (0x18f, 0), (0x183, 1), (0x190, 1)] {
        let machine = machine();
        surface(&machine, Tiling::Linear, &bytes, SurfaceState { surface_format: format, ..state() });
        for (x, pair) in [(-8, 0), (WIDTH as i32, WIDTH - 4)] {
            let outcome = read(&machine, SharedFunction::SamplerCache, 0, header(x, 2, 8, 1), 1);
            let edge = &bytes[2 * WIDTH + pair..][..4];
            let outer = edge[if x < 0 { luma } else { luma + 2 }];
            let mut want = [edge[0], edge[1], edge[2], edge[3]];
            (want[luma], want[luma + 2]) = (outer, outer);
            assert_eq!(outcome.registers()[0].0[..8], [want, want].concat());
        }
        // Reads ignore the bit of the colour pipe.
        let mut colored = header(-4, 2, 4, 1);
        let plain = read(&machine, SharedFunction::SamplerCache, 0, colored, 1);
        colored.set_dword(3, 1);
        assert_eq!(read(&machine, SharedFunction::RenderCache, 0, colored, 1).registers(), plain.registers());
        // A block must not start within a pair.
        read(&machine, SharedFunction::SamplerCache, 0, header(2, 0, 8, 1), 1).error();
    }
}

#[test]
fn null_surfaces() {
    let machine = machine();
    bind(&machine, 3, &SurfaceState { surface_type: 7, ..state() });
    let outcome = read(&machine, SharedFunction::RenderCache, 0, header(0, 0, 32, 2), 2);
    assert_eq!(outcome.registers(), [Register::default(); 2]);
    let control = data_port_control(data_port_opcode::MEDIA_BLOCK_WRITE, 0, 3);
    let payload = [header(0, 0, 4, 1), Register([1; 32])];
    send(&machine, SharedFunction::RenderCache, Descriptor::new(2, 0, true, control), &payload).registers();
    // A media block is never stateless.
    let control = data_port_control(data_port_opcode::MEDIA_BLOCK_READ, 0, 255);
    send(&machine, SharedFunction::RenderCache, Descriptor::new(1, 1, true, control), &[header(0, 0, 4, 1)]).error();
}
