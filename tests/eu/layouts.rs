//! One picture in every layout of 4:2:0: the same answer.
use crate::bench::{DATA, Noise, SAMPLERS, bind_media, machine, send};
use dndi::eu::{Descriptor, Register, SharedFunction, media_format, sampler_control, sampler_opcode};
use dndi::state::{DeinterlaceControl, MediaSurfaceState};

const WIDTH: usize = 32;
const HEIGHT: usize = 16;
const PITCH: usize = 64;

#[test]
fn planes_may_lie_anywhere() {
    let noise = &mut Noise(5);
    let [luma, cb, cr] = [WIDTH * HEIGHT, WIDTH * HEIGHT / 4, WIDTH * HEIGHT / 4].map(|count| noise.bytes(count));
    let (below, quarter, half) = (HEIGHT as u32, (HEIGHT + HEIGHT / 4) as u32, (HEIGHT + HEIGHT / 2) as u32);
    let state = MediaSurfaceState {
        surface_format: media_format::PLANAR_420_8,
        surface_base_address: DATA,
        width: WIDTH as u32,
        height: HEIGHT as u32,
        surface_pitch: PITCH as u32,
        y_offset_for_cb: below,
        y_offset_for_cr: below,
        ..MediaSurfaceState::default()
    };
    let halved = MediaSurfaceState { half_pitch_for_chroma: 1, ..state };
    let (start, line) = (HEIGHT * PITCH, PITCH / 2);
    // State, first bytes of Cb and Cr, bytes from line to line and from sample to sample.
    let layouts = [
        ("NV12", MediaSurfaceState { interleave_chroma: 1, ..state }, [start, start + 1], PITCH, 2),
        ("I420", MediaSurfaceState { y_offset_for_cr: quarter, ..halved }, [start, start + HEIGHT / 2 * line], line, 1),
        ("YV12", MediaSurfaceState { y_offset_for_cb: quarter, ..halved }, [start + HEIGHT / 2 * line, start], line, 1),
        ("IMC3", MediaSurfaceState { y_offset_for_cr: half, ..state }, [start, start + HEIGHT / 2 * PITCH], PITCH, 1),
        ("IMC4", MediaSurfaceState { x_offset_for_cr: line as u32, ..state }, [start, start + line], PITCH, 1),
    ];
    let answers = layouts.map(|(name, state, [first_cb, first_cr], pitch, step)| {
        let machine = machine();
        let put = |first: usize, pitch: usize, step: usize, width: usize, samples: &[u8]| {
            for (i, &sample) in samples.iter().enumerate() {
                let at = DATA as usize + first + i / width * pitch + i % width * step;
                machine.memory.write(at as u64, &[sample]);
            }
        };
        put(0, PITCH, 1, WIDTH, &luma);
        put(first_cb, pitch, step, WIDTH / 2, &cb);
        put(first_cr, pitch, step, WIDTH / 2, &cr);
        bind_media(&machine, 0, &state);
        let control =
            DeinterlaceControl { dn_enable: false, di_enable: true, first_frame: true, top_first: true, ..Default::default() };
        machine.memory.set_dwords(SAMPLERS.into(), &dndi::Parameters::default().deinterlace_state(&control).unwrap());
        let descriptor = Descriptor::new(2, 10, true, sampler_control(sampler_opcode::DEINTERLACE, 0, 0));
        let payload = [Register::default(), Register::of([0, 0, 16, 0, 0, 0, 4, 0])];
        (name, send(&machine, SharedFunction::Sampler, descriptor, &payload).registers().to_vec())
    });
    for (name, answer) in &answers {
        assert_eq!(*answer, answers[0].1, "{name}");
    }
}
