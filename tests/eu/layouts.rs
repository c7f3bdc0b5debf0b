//! One picture in all layouts of 4:2:0, and of 4:2:2: the same response.
use crate::support::{DATA, Noise, SAMPLERS, bind_media, machine, send};
use dndi::gen6::eu::{Descriptor, Register, SharedFunction, media_format, sampler_control, sampler_opcode};
use dndi::gen6::state::{DeinterlaceControl, MediaSurfaceState};

const WIDTH: usize = 32;
const HEIGHT: usize = 16;
const PITCH: usize = 64;

/// The positions of the samples of a component.
struct Positions {
    /// Bytes from the start of the surface to the first sample.
    first: usize,
    /// Bytes from line to line.
    pitch: usize,
    /// Bytes from sample to sample.
    step: usize,
}

impl Positions {
    fn new(first: usize, pitch: usize, step: usize) -> Positions {
        Positions { first, pitch, step }
    }
}

/// The response to a first step on a picture of these components: widths and samples.
fn response(
    state: &MediaSurfaceState,
    positions: [Positions; 3],
    components: &[(usize, Vec<u8>); 3],
    (di_enable, length): (bool, u32),
) -> Vec<Register> {
    let machine = machine();
    for (Positions { first, pitch, step }, (width, samples)) in positions.into_iter().zip(components) {
        for (i, &sample) in samples.iter().enumerate() {
            let at = DATA as usize + first + i / width * pitch + i % width * step;
            machine.memory.write(at as u64, &[sample]);
        }
    }
    bind_media(&machine, 0, state);
    let control = DeinterlaceControl {
        dn_enable: !di_enable,
        di_enable,
        first_frame: true,
        top_first: true,
        ..DeinterlaceControl::default()
    };
    machine.memory.set_dwords(SAMPLERS.into(), &dndi::Parameters::default().deinterlace_state(&control).unwrap());
    let descriptor = Descriptor::new(2, length, true, sampler_control(sampler_opcode::DEINTERLACE, 0, 0));
    let payload = [Register::default(), Register::of([0, 0, 16, 0, 0, 0, if di_enable { 4 } else { 8 }, 0])];
    send(&machine, SharedFunction::Sampler, descriptor, &payload).registers().to_vec()
}

fn state(surface_format: u32) -> MediaSurfaceState {
    MediaSurfaceState {
        surface_format,
        surface_base_address: DATA,
        width: WIDTH as u32,
        height: HEIGHT as u32,
        surface_pitch: PITCH as u32,
        ..MediaSurfaceState::default()
    }
}

#[test]
fn planes_at_any_offset() {
    let noise = &mut Noise(5);
    let components = [(WIDTH, HEIGHT), (WIDTH / 2, HEIGHT / 2), (WIDTH / 2, HEIGHT / 2)]
        .map(|(width, height)| (width, noise.bytes(width * height)));
    let (below, quarter, half) = (HEIGHT as u32, (HEIGHT + HEIGHT / 4) as u32, (HEIGHT + HEIGHT / 2) as u32);
    let state = MediaSurfaceState { y_offset_for_cb: below, y_offset_for_cr: below, ..state(media_format::PLANAR_420_8) };
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
    let responses = layouts.map(|(name, state, [cb, cr], pitch, step)| {
        let positions = [Positions::new(0, PITCH, 1), Positions::new(cb, pitch, step), Positions::new(cr, pitch, step)];
        (name, response(&state, positions, &components, (true, 10)))
    });
    for (name, response) in &responses {
        assert_eq!(*response, responses[0].1, "{name}");
    }
}

/// Packed pairs, in all their orders, give the response of three planes.
#[test]
fn packed_pairs() {
    let noise = &mut Noise(9);
    let components = [WIDTH, WIDTH / 2, WIDTH / 2].map(|width| (width, noise.bytes(width * HEIGHT)));
    let (cb, cr) = (WIDTH, WIDTH + WIDTH / 2);
    let planar =
        MediaSurfaceState { x_offset_for_cb: cb as u32, x_offset_for_cr: cr as u32, ..state(media_format::PLANAR_422_8) };
    // First bytes of luma, Cb and Cr.
    let orders = [
        ("YUY2", media_format::YCRCB_NORMAL, [0, 1, 3]),
        ("VYUY", media_format::YCRCB_SWAPUVY, [1, 2, 0]),
        ("YVYU", media_format::YCRCB_SWAPUV, [0, 3, 1]),
        ("UYVY", media_format::YCRCB_SWAPY, [1, 0, 2]),
    ];
    // With deinterlacing, and with denoising alone, whose response has the unchanged chroma.
    for enabled in [(true, 10), (false, 9)] {
        let want = response(&planar, [0, cb, cr].map(|first| Positions::new(first, PITCH, 1)), &components, enabled);
        for (name, format, [luma, cb, cr]) in orders {
            let positions = [Positions::new(luma, PITCH, 2), Positions::new(cb, PITCH, 4), Positions::new(cr, PITCH, 4)];
            assert_eq!(response(&state(format), positions, &components, enabled), want, "{name}, {enabled:?}");
        }
    }
}
