//! Render target UNORM blocks and render target writes (§11.4, §11.6), pixel by pixel.
use crate::support::{DATA, Noise, bind, machine, plane, send, send_masked};
use dndi::gen6::eu::{
    Descriptor, Layout, Machine, Register, SharedFunction, Tiling, WRITE_COMMIT, data_port_control, data_port_opcode::*,
};
use dndi::gen6::state::SurfaceState;

fn target(state: SurfaceState) -> Machine {
    let machine = machine();
    bind(&machine, 0, &state);
    machine.memory.write(DATA.into(), &[0xee; 1 << 14]);
    machine
}

/// The pixel at (x, y) of a surface of four bytes a pixel.
fn pixel(machine: &Machine, layout: &Layout, x: usize, y: usize) -> u32 {
    let mut bytes = [0; 4];
    layout.read(&machine.memory, 4 * x, y, &mut bytes);
    u32::from_le_bytes(bytes)
}

/// Blocks are written by the mask and read again, in lines, in tiles, and in fields of frames.
#[test]
fn unorm_blocks() {
    let noise = &mut Noise(5);
    for (tiled, field) in [(0, None), (1, None), (0, Some(1)), (1, Some(0))] {
        // 20 × 10 pixels; 20 lines for fields.
        let height = if field.is_some() { 20 } else { 10 };
        let state = SurfaceState { tiled_surface: tiled, tile_walk: 1, ..plane(0x0c7, DATA, 20, height, 128) };
        let machine = target(state);
        let layout = Layout { base: DATA, pitch: 128, tiling: Tiling::from_state(tiled, 1) };
        let stride = field.map_or(0, |first| 6 << 8 | first << 8);
        let line = |y: usize| field.map_or(y, |first| 2 * y + first as usize);
        for (x, y) in [(0i32, 0i32), (16, 8), (-8, 0), (8, -4), (24, 0), (0, 12)] {
            let data: Vec<Register> = (0..4).map(|_| noise.register()).collect();
            let mask = noise.next();
            let header = Register::of([x as u32, y as u32, mask, 0, 0, 0, 0, 0]);
            let control = data_port_control(RENDER_TARGET_UNORM_WRITE, 0, 0) | stride | WRITE_COMMIT;
            let before: Vec<u32> = (0..400).map(|n| pixel(&machine, &layout, n % 20, line(n / 20 % 10))).collect();
            let outcome = send_masked(
                &machine,
                SharedFunction::RenderCache,
                Descriptor::new(5, 1, true, control),
                &[vec![header], data.clone()].concat(),
                0,
            );
            assert_eq!(outcome.registers().len(), 1);
            for (n, before) in before.into_iter().enumerate().take(200) {
                let (px, py) = (n as i32 % 20 - x, n as i32 / 20 - y);
                let mut expected = before;
                if (0..8).contains(&px) && (0..4).contains(&py) {
                    // Quads from left to right and from top to bottom, in squares of 4 × 4.
                    let quad = (py / 2 * 2 + px / 2 % 2) + px / 4 * 4;
                    if mask >> (4 * quad + py % 2 * 2 + px % 2) & 1 == 1 {
                        // A register has 4 × 4 pixels in the order of rows of 4 DWords of 2 pixels.
                        let number = (8 * py + px) as usize % 16;
                        let dword = [0, 1, 4, 5, 2, 3, 6, 7][number / 2];
                        let pair = |register: usize| {
                            let dword = data[register + (py / 2) as usize].dword(dword);
                            if number.is_multiple_of(2) { dword & 0xffff } else { dword >> 16 }
                        };
                        expected = pair(0) | pair(2) << 16;
                    }
                }
                assert_eq!(pixel(&machine, &layout, n % 20, line(n / 20)), expected, "{x} {y}: {n}");
            }
            // The written pixels are read again.
            let read = Descriptor::new(1, 4, true, data_port_control(RENDER_TARGET_UNORM_READ, 0, 0) | stride);
            let outcome = send_masked(&machine, SharedFunction::RenderCache, read, &[header], 0);
            let bytes =
                |registers: &[Register]| registers.iter().map(|r| r.0.iter().filter(|&&byte| byte != 0).count()).sum::<usize>();
            assert_eq!(bytes(outcome.registers()) > 0, (0..20).contains(&x) && (0..10).contains(&y));
        }
    }
}

/// Colours of 16 slots: red is the number of the slot, alpha is 1.
fn colors(wide: bool) -> Vec<Register> {
    let registers = if wide { 2 } else { 1 };
    let value = |channel: usize, slot: usize| match channel {
        0 => (slot as f32 / 255.0).to_bits(),
        3 => 1f32.to_bits(),
        _ => 0,
    };
    let register = |n: usize| Register::of(std::array::from_fn(|slot| value(n / registers, 8 * (n % registers) + slot)));
    (0..4 * registers).map(register).collect()
}

fn write(machine: &Machine, specific: u32, payload: &[Register]) {
    let descriptor = Descriptor::new(payload.len() as u32, 0, true, data_port_control(RENDER_TARGET_WRITE, specific, 0));
    assert_eq!(send(machine, SharedFunction::RenderCache, descriptor, payload).report.errors, []);
}

/// The slot at each of 16 × 4 pixels, none if it is not written.
fn written(machine: &Machine) -> Vec<Option<u32>> {
    let layout = Layout { base: DATA, pitch: 128, tiling: Tiling::Linear };
    let slot = |n: usize| Some(pixel(machine, &layout, n % 16, n / 16)).filter(|&value| value != 0xeeee_eeee);
    (0..64)
        .map(slot)
        .inspect(|value| assert!(value.is_none_or(|value| value >> 8 == 0xff_0000)))
        .map(|value| value.map(|value| value & 0xff))
        .collect()
}

/// Subspan k is at (4k, k).
fn header(flags: u32, enabled: u32) -> [Register; 2] {
    let places: [u32; 4] = std::array::from_fn(|k| ((k as u32) << 16) | (4 * k as u32));
    let second = Register::of([0, 0, places[0], places[1], places[2], places[3], 0, enabled]);
    [Register::of([flags, 0, 0, 0, 0, 0, 0, 0]), second]
}

fn expected(slots: impl Iterator<Item = u32>, number: impl Fn(u32) -> u32) -> Vec<Option<u32>> {
    let mut all = vec![None; 64];
    for slot in slots {
        let (k, within) = (slot as usize / 4, slot as usize % 4);
        let (x, y) = (4 * k + within % 2, k + within / 2);
        if y < 4 {
            all[16 * y + x] = Some(number(slot));
        }
    }
    all
}

#[test]
fn slots_masks_and_types() {
    let plane = plane(0x0c7, DATA, 16, 4, 128);
    let payload = |flags, enabled, rest: &[&[Register]]| [&header(flags, enabled)[..], &rest.concat()].concat();
    let unused = [Register::of([0x3f00_0000; 8]); 2];
    // The lowest row of subspan 3 is outside.
    let machine = target(plane);
    write(&machine, 0, &payload(0, 0xffff, &[&colors(true)]));
    assert_eq!(written(&machine), expected(0..16, |slot| slot));
    let machine = target(plane);
    write(&machine, 0, &payload(1 << 11 | 1 << 13, 0x5a5a, &[&unused, &colors(true), &unused]));
    assert_eq!(written(&machine), expected((0..16).filter(|slot| 0x5a5a >> slot & 1 == 1), |slot| slot));
    // oMask: bit 0 of 16 bits a slot.
    let samples = Register::of([0xfffe_0001, 0x0001_0001, 0xfffe_fffe, 0x0003_0002, 0, 0x0001_0000, 0, 0]);
    let lit = [0, 2, 3, 7, 11];
    let machine = target(plane);
    write(&machine, 0, &payload(1 << 12, 0xffff, &[&[samples], &colors(true)]));
    assert_eq!(written(&machine), expected(lit.into_iter(), |slot| slot));
    // Eight slots, with depth.
    let machine = target(plane);
    write(&machine, 4, &payload(1 << 11 | 1 << 12 | 1 << 13, 0xffff, &[&unused[..1], &[samples], &colors(false), &unused[..1]]));
    assert_eq!(written(&machine), expected([0, 2, 3, 7].into_iter(), |slot| slot));
    // Two sources, slots 15:8: the first source counts, its first DWord is slot 8.
    let machine = target(plane);
    write(&machine, 3, &payload(1 << 12, 0xffff, &[&[samples], &colors(false), &[Register::default(); 4]]));
    assert_eq!(written(&machine), expected([11].into_iter(), |slot| slot - 8));
    let machine = target(plane);
    write(&machine, 2, &payload(0, 0xffff, &[&colors(false), &[Register::default(); 4]]));
    assert_eq!(written(&machine), expected(0..8, |slot| slot));
    // Each pixel at its own place, by the mask in the header; other bits of it have no effect.
    let machine = target(plane);
    let places = Register::of(std::array::from_fn(|slot| ((slot as u32 % 4) << 16) | (2 * slot as u32)));
    let first = Register::of([0xff00 | 0xb7, 0, 0, 0, 0, 0, 0, 0]);
    write(&machine, 5, &[&[first, places][..], &colors(false)].concat());
    let mut all = vec![None; 64];
    (0..8).filter(|slot| 0xb7 >> slot & 1 == 1).for_each(|slot| all[16 * (slot % 4) + 2 * slot] = Some(slot as u32));
    assert_eq!(written(&machine), all);
}

#[test]
fn one_color_for_all_pixels_of_tiles() {
    let state = SurfaceState { tiled_surface: 1, tile_walk: 1, ..plane(0x0c7, DATA, 16, 4, 128) };
    let machine = target(state);
    let color = Register::of([1f32.to_bits(), 0, 0, 1f32.to_bits(), 9, 9, 9, 9]);
    write(&machine, 1, &[&header(0, 0xf00f)[..], &[color]].concat());
    let layout = Layout { base: DATA, pitch: 128, tiling: Tiling::Y };
    let found = (0..64).filter(|n| pixel(&machine, &layout, n % 16, n / 16) == 0xff00_00ff);
    let wanted = expected((0..16).filter(|slot| 0xf00f >> slot & 1 == 1), |_| 1);
    assert!(found.eq((0..64).filter(|&n| wanted[n].is_some())));
}

/// Layers, levels, buffers and null surfaces.
#[test]
fn layers_and_buffers() {
    let array = SurfaceState { depth: 3, minimum_array_element: 1, ..plane(0x0c7, DATA, 16, 4, 128) };
    let machine = target(array);
    write(&machine, 4, &[&header(2 << 16, 1)[..], &colors(false)].concat());
    let layout = Layout { base: DATA, pitch: 128, tiling: Tiling::Linear };
    // A layer has 4 lines, 2 of the next level, and 22.
    assert_eq!(pixel(&machine, &layout, 0, 2 * 28), 0xff00_0000);
    let level = SurfaceState { mip_count: 1, ..plane(0x0c7, DATA, 16, 4, 128) };
    let machine = target(level);
    write(&machine, 4, &[&header(0, 0xff)[..], &colors(false)].concat());
    assert_eq!([(0, 4), (5, 5), (4, 6)].map(|(x, y)| pixel(&machine, &layout, x, y)), [0xff00_0000, 0xff00_0005, 0xeeee_eeee]);
    let buffer = SurfaceState { surface_type: 4, surface_pitch: 8, width: 2, height: 1, ..array };
    let machine = target(buffer);
    write(&machine, 4, &[&header(0, 0xff)[..], &colors(false)].concat());
    let expected = [0xff00_0000u32, 0xeeee_eeee, 0xff00_0001, 0xeeee_eeee, 0xeeee_eeee];
    assert_eq!(machine.memory.dwords(DATA.into()), expected);
    let machine = target(SurfaceState { surface_type: 7, ..array });
    write(&machine, 0, &[&header(0, 0xffff)[..], &colors(true)].concat());
    assert_eq!(machine.memory.dword(DATA.into()), 0xeeee_eeee);
}
