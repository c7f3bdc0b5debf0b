//! The message `deinterlace`: lengths and contents of its responses (volume 4 part 1, 2.12.2.5.2).
use crate::support::{DATA, Noise, Outcome, SAMPLERS, bind_media, machine, send};
use dndi::gen6::eu::{
    Descriptor, Machine, MessageError, Register, SharedFunction, media_format::*, sampler_control, sampler_opcode,
};
use dndi::gen6::state::{DeinterlaceControl, MediaSurfaceState};
use dndi::{Deinterlacer, Format, Frame, Parameters, Sampling, Scan, Stream};

const WIDTH: usize = 32;
const HEIGHT: usize = 16;
/// Bytes from one surface to the next.
const STEP: u32 = 1 << 14;
const PITCH: u32 = 64;

/// A machine with current, previous and denoised frame of a format, and statistics.
fn machine_of(format: u32, control: DeinterlaceControl, parameters: &Parameters) -> Machine {
    let machine = machine();
    let noise = &mut Noise(17);
    for entry in 0..4 {
        let base = DATA + STEP * entry;
        machine.memory.write(base.into(), &noise.bytes(STEP as usize));
        let (width, surface_format) = match entry {
            2 => (WIDTH, Y8_UNORM),
            3 => (WIDTH, STMM_DN_STATISTICS),
            _ => (WIDTH, format),
        };
        let (x_offset_for_cr, y_offset_for_cb) = (32, HEIGHT as u32);
        let state = MediaSurfaceState {
            surface_format,
            surface_base_address: base,
            width: width as u32,
            height: HEIGHT as u32,
            surface_pitch: PITCH,
            interleave_chroma: u32::from(format == PLANAR_420_8),
            x_offset_for_cr,
            y_offset_for_cb,
            y_offset_for_cr: y_offset_for_cb,
            ..MediaSurfaceState::default()
        };
        bind_media(&machine, entry, &state);
    }
    machine.memory.set_dwords(SAMPLERS.into(), &parameters.deinterlace_state(&control).unwrap());
    machine
}

fn block(machine: &Machine, x: u32, y: u32, response: usize) -> Outcome {
    let payload = Register::of([0, 0, x, 0, 0, 0, y, 0]);
    let descriptor = Descriptor::new(2, response as u32, true, sampler_control(sampler_opcode::DEINTERLACE, 0, 0));
    send(machine, SharedFunction::Sampler, descriptor, &[Register::default(), payload])
}

#[test]
fn response_lengths() {
    let formats = [(PLANAR_420_8, 0), (YCRCB_NORMAL, 1), (PLANAR_422_8, 1), (PLANAR_411_8, 0), (Y8_UNORM, 0), (PLANAR_444_8, 2)];
    for (format, kind) in formats {
        for (di_enable, dn_enable) in [(true, false), (true, true), (false, true)] {
            let want = match (di_enable, dn_enable, kind) {
                (true, false, 2) => 14,
                (true, true, 2) => 15,
                (true, false, _) => 10,
                (true, true, 1) => 12,
                (true, ..) => 11,
                (false, _, 1) => 9,
                _ => 5,
            };
            let control = DeinterlaceControl { di_enable, dn_enable, top_first: true, ..DeinterlaceControl::default() };
            let machine = machine_of(format, control, &Parameters::default());
            assert_eq!(block(&machine, 16, 8, want).registers().len(), want, "{format} {control:?}");
            // The header is ignored, and so are DWords other than U and V.
            let descriptor = Descriptor::new(1, want as u32, false, sampler_control(sampler_opcode::DEINTERLACE, 0, 0));
            let payload = Register::of([9, 9, 16, 9, 9, 9, 8, 9]);
            let bare = send(&machine, SharedFunction::Sampler, descriptor, &[payload]);
            assert_eq!(bare.registers(), block(&machine, 16, 8, want).registers());
        }
    }
}

/// The pixels of a packed picture, block by block, are those of the second step of the pipeline.
#[test]
fn contents_of_the_response() {
    let format = Format::new(WIDTH, HEIGHT, Sampling::C422);
    let machine =
        machine_of(YCRCB_SWAPY, DeinterlaceControl { dn_enable: false, ..DeinterlaceControl::default() }, &Parameters::default());
    let frame = |entry: u32| {
        let mut planes = [vec![], vec![], vec![]];
        for y in 0..HEIGHT {
            let mut line = [0; 2 * WIDTH];
            machine.memory.read(u64::from(DATA + STEP * entry) + u64::from(PITCH) * y as u64, &mut line);
            line.chunks(2).enumerate().for_each(|(x, pixel)| {
                planes[0].push(pixel[1]);
                planes[1 + x % 2].push(pixel[0]);
            });
        }
        Frame::from_vec(format, planes.concat())
    };
    let mut stream = Stream::builder(format, Scan::BottomFirst).deinterlacer(Deinterlacer::Gen6).denoise(false).build().unwrap();
    stream.push(&frame(1).planes()).unwrap();
    stream.pull().unwrap();
    // The motion measures of a first step.
    (0..HEIGHT).for_each(|y| machine.memory.write(u64::from(DATA + 3 * STEP) + u64::from(PITCH) * y as u64, &[255; 16]));
    stream.push(&frame(0).planes()).unwrap();
    let outputs = [stream.pull().unwrap().frame, stream.pull().unwrap().frame];
    let mut measures = 0;
    for (x, y) in (0..HEIGHT).step_by(4).flat_map(|y| [(0, y), (16, y)]) {
        let outcome = block(&machine, x as u32, y as u32, 10);
        let response = outcome.registers();
        for (role, (i, j)) in (0..2).flat_map(|role| (0..4).flat_map(move |j| (0..16).map(move |i| (role, (i, j))))) {
            let at = |plane: usize| {
                outputs[role].plane(plane)
                    [(y + j) * if plane == 0 { WIDTH } else { WIDTH / 2 } + if plane == 0 { x + i } else { (x + i) / 2 }]
            };
            let byte = |register: usize| response[4 * role + register + j / 2].0[16 * (j % 2) + i];
            assert_eq!(byte(0), at(0));
            // Cr in even bytes, Cb in odd ones.
            assert_eq!(byte(2), at(if i % 2 == 0 { 2 } else { 1 }));
        }
        measures += response[8].0.iter().map(|&v| u64::from(v)).sum::<u64>();
        assert_eq!((response[9].bits(7, 15, 0), response[9].bits(7, 31, 16)), (x as u32, y as u32));
        // Without denoising there are no sums and no history.
        assert_eq!([response[9].dword(6), response[9].dword(5), response[9].dword(4), response[9].dword(0)], [0; 4]);
    }
    let statistics = stream.statistics().unwrap();
    assert_eq!(measures, statistics.stmm_sum);
    let counters = &machine.counters.streams[0];
    assert_eq!((counters.variances(), counters.noise()), (statistics.fmd_variances, (statistics.gne_sum, statistics.gne_count)));
    assert_eq!(machine.counters.streams[1].variances(), [0; 11]);
    machine.counters.clear();
    assert_eq!(machine.counters.streams[0].variances(), [0; 11]);
}

/// Sums and histories of the 4×4 blocks, leftmost in the highest byte and the lowest byte.
#[test]
fn block_statistics() {
    let mut parameters = Parameters::default();
    parameters.denoise.temporal_diff_th = 16;
    for (di_enable, rows) in [(true, 1), (false, 2)] {
        let control = DeinterlaceControl { di_enable, top_first: true, ..DeinterlaceControl::default() };
        let machine = machine_of(Y8_UNORM, control, &parameters);
        // Block n of the row differs by n in each pixel, the last one also by 20 in one pixel. The
        // denoised frame is flat.
        for y in 0..HEIGHT as u64 {
            let at = |entry: u32| u64::from(DATA + STEP * entry) + u64::from(PITCH) * y;
            machine.memory.write(at(2), &[100; WIDTH]);
            let line: Vec<u8> = (0..WIDTH).map(|x| 100 + (x % 16 / 4) as u8 + if x == 31 && y == 5 { 20 } else { 0 }).collect();
            machine.memory.write(at(0), &line);
            machine.memory.write(at(3) + u64::from(PITCH) / 2, &[130; 8]);
        }
        let (length, register) = if di_enable { (11, 9) } else { (5, 4) };
        let y = if di_enable { 4 } else { 0 };
        let outcome = block(&machine, 16, y, length);
        let statistics = outcome.registers()[register];
        let stad = [0, 16, 32, 48].map(|v| v * rows);
        assert_eq!(statistics.dword(6), stad[0] << 24 | stad[1] << 16 | stad[2] << 8 | (stad[3] + 20));
        // Within its block this pixel has neighbours at the left, above and below.
        assert_eq!((statistics.dword(5), statistics.dword(4)), (20, 40));
        // The history of still blocks grows, that of others is halved or restarts.
        let history = if di_enable { statistics.dword(0) } else { statistics.dword(1) };
        assert_eq!(history & 0xff, 138);
        assert_eq!(history >> 24, 65);
        if di_enable {
            assert_eq!(statistics.bits(1, 15, 8), 1, "moving pixels");
        } else {
            // The last block changed by three everywhere, which restarts its history.
            assert_eq!(statistics.dword(0), 0x808a_8a8a);
        }
    }
}

/// Film mode differences of a block, saturated to 16 bits.
#[test]
fn film_words() {
    let control = DeinterlaceControl { dn_enable: false, top_first: true, ..DeinterlaceControl::default() };
    let machine = machine_of(Y8_UNORM, control, &Parameters::default());
    // Flat top and bottom lines of the current and of the previous frame. The words are twice the
    // squares of their differences.
    let words = |current: [u8; 2], previous: [u8; 2]| {
        for (entry, lines) in [(0, current), (1, previous)] {
            for y in 0..HEIGHT {
                let at = u64::from(DATA + STEP * entry) + u64::from(PITCH) * y as u64;
                machine.memory.write(at, &[lines[y % 2]; WIDTH]);
            }
        }
        let statistics = block(&machine, 16, 4, 10).registers()[9];
        [(3, 31), (3, 15), (2, 31), (2, 15), (1, 31)].map(|(dword, high)| statistics.bits(dword, high, high - 15))
    };
    // cTpT, cBpB, cTcB, cTpB, cBpT.
    assert_eq!(words([100, 107], [97, 109]), [3, 2, 7, 9, 10].map(|v| 2 * v * v));
    assert_eq!(words([255, 255], [0, 0]), [65535, 65535, 0, 65535, 65535]);
    assert_eq!(words([0, 255], [0, 255]), [0, 0, 65535, 65535, 65535]);
}

/// Sums of a 4×4 block saturate to 8 bits and do not change the bytes next to them.
#[test]
fn sums_saturate() {
    for (di_enable, length, register) in [(true, 11, 9), (false, 5, 4)] {
        let control = DeinterlaceControl { di_enable, top_first: true, ..DeinterlaceControl::default() };
        let machine = machine_of(Y8_UNORM, control, &Parameters::default());
        for column in 0..4 {
            // One column of blocks is a chessboard, inverted from frame to frame, all else is flat.
            for (entry, y) in [0, 2].into_iter().flat_map(|entry| (0..HEIGHT).map(move |y| (entry, y))) {
                let sample = |x: usize| match x / 4 == 4 + column {
                    true => 255 * ((x + y + entry / 2) % 2) as u8,
                    false => 100,
                };
                let line: Vec<u8> = (0..WIDTH).map(sample).collect();
                machine.memory.write(u64::from(DATA + STEP * entry as u32) + u64::from(PITCH) * y as u64, &line);
            }
            let statistics = block(&machine, 16, 8, length).registers()[register];
            assert_eq!([6, 5, 4].map(|dword| statistics.dword(dword)), [255 << (24 - 8 * column); 3], "{di_enable} {column}");
        }
    }
}

#[test]
fn states_and_addresses_that_are_refused() {
    let good = DeinterlaceControl::default();
    let machine = machine_of(PLANAR_420_8, good, &Parameters::default());
    assert_eq!(block(&machine, 0, 0, 11).registers().len(), 11);
    for (x, y) in [(8, 0), (0, 2), (32, 0), (0, 16), (!15, 0)] {
        assert!(matches!(block(&machine, x, y, 11).error(), MessageError::Payload { .. }), "{x},{y}");
    }
    let state = |change: &dyn Fn(&mut [u32; 8])| {
        let mut dwords = Parameters::default().deinterlace_state(&good).unwrap();
        change(&mut dwords);
        machine.memory.set_dwords(SAMPLERS.into(), &dwords);
        block(&machine, 0, 0, 11).error().clone()
    };
    // Both enables off; the partial writeback; a code of 3; a history below its range; a blend that
    // does not fit.
    for (dword, clear, set) in [(6, 3, 0), (6, 0, 4), (7, 0, 3 << 8), (0, 255 << 16, 0), (3, 255, 151)] {
        assert!(matches!(state(&|s| s[dword] = s[dword] & !clear | set), MessageError::State { .. }), "{dword} {set:#x}");
    }
    let odd = Descriptor::new(2, 11, true, sampler_control(sampler_opcode::DEINTERLACE, 1, 0));
    let outcome = send(&machine, SharedFunction::Sampler, odd, &[Register::default(); 2]);
    assert!(matches!(outcome.error(), MessageError::Payload { .. }));
}

#[test]
fn surfaces_that_do_not_fit() {
    let change = |entry: u32, change: &dyn Fn(&mut MediaSurfaceState)| {
        let machine = machine_of(PLANAR_420_8, DeinterlaceControl::default(), &Parameters::default());
        let mut state = MediaSurfaceState::decode(&machine.memory.dwords(u64::from(1024 + 32 * entry))).unwrap();
        change(&mut state);
        bind_media(&machine, entry, &state);
        block(&machine, 0, 0, 11).error().clone()
    };
    let wrong = |binding: u8, error: MessageError| {
        assert!(matches!(error, MessageError::Surface { binding: b, .. } if b == binding), "{error}")
    };
    wrong(0, change(0, &|s| s.height = 15));
    wrong(0, change(0, &|s| s.surface_format = 8));
    wrong(1, change(1, &|s| s.width = 30));
    wrong(1, change(1, &|s| s.surface_format = Y8_UNORM));
    wrong(2, change(2, &|s| s.height = 14));
    wrong(3, change(3, &|s| s.width = 8));
    wrong(0, change(0, &|s| (s.tiled_surface, s.surface_pitch) = (1, 64)));
}

/// A first step reads the current frame only.
#[test]
fn first_steps() {
    let control = DeinterlaceControl { first_frame: true, top_first: true, ..DeinterlaceControl::default() };
    let machine = machine_of(PLANAR_420_8, control, &Parameters::default());
    // Nothing else is bound.
    (1..4).for_each(|entry| machine.memory.set_dwords(1024 + 32 * entry, &[u32::MAX; 6]));
    let outcome = block(&machine, 0, 0, 11);
    let response = outcome.registers();
    assert_eq!(response[..4], [Register::default(); 4]);
    assert_eq!((response[8], response[9].dword(0)), (Register([255; 32]), 0));
    assert_ne!(response[4], Register::default());
}
