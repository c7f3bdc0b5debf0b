//! Single texture messages to a machine with one surface, and every error of §10.9.
use crate::support::{DATA, Outcome, SAMPLERS, machine, send_masked};
use dndi::gen6::eu::{
    Descriptor, Machine, MessageError, MonoFilter, Register, SharedFunction, texture_control, texture_opcode::*, texture_simd::*,
};

const TYPE: (usize, u32) = (0, 29);
const FORMAT: (usize, u32) = (0, 18);
const RGBA8: u32 = 0x0c7;
const PLANE: u32 = 1;
const VOLUME: u32 = 2;
const CUBE: u32 = 3;
const BUFFER: u32 = 4;

/// A message and its states: a linear filter on 8 × 8 texels of R8G8B8A8_UNORM, clamped.
#[derive(Clone, Debug)]
pub struct Case {
    pub machine_mono: MonoFilter,
    pub mode: u32,
    pub opcode: u32,
    pub surface: [u32; 6],
    pub sampler: [u32; 4],
    /// DWord 2 of the header.
    pub header: u32,
    pub parameters: Vec<u32>,
}

impl Case {
    pub fn new(opcode: u32) -> Case {
        let parameters = if opcode == SAMPLEINFO || opcode == RESINFO { vec![] } else { vec![0, 0] };
        Case {
            machine_mono: MonoFilter::default(),
            mode: SIMD8,
            opcode,
            surface: [PLANE << 29 | RGBA8 << 18, DATA, 7 << 19 | 7 << 6, 127 << 3, 0, 0],
            sampler: [1 << 17 | 1 << 14, 0x92, 0, 0],
            header: 0,
            parameters,
        }
    }

    /// The same with another field of the surface.
    pub fn surface(mut self, dword: usize, low: u32, bits: u32, value: u32) -> Case {
        self.surface[dword] = self.surface[dword] & !((u32::MAX >> (32 - bits)) << low) | value << low;
        self
    }

    pub fn kind(self, kind: u32) -> Case {
        self.surface(TYPE.0, TYPE.1, 3, kind)
    }

    pub fn format(self, code: u32) -> Case {
        self.surface(FORMAT.0, FORMAT.1, 9, code)
    }

    /// The same with another field of the sampler.
    pub fn sampler(mut self, dword: usize, low: u32, bits: u32, value: u32) -> Case {
        self.sampler[dword] = self.sampler[dword] & !((u32::MAX >> (32 - bits)) << low) | value << low;
        self
    }

    /// The same with these address control modes of U, V and R.
    pub fn modes(self, modes: [u32; 3]) -> Case {
        self.sampler(1, 0, 9, modes[0] << 6 | modes[1] << 3 | modes[2])
    }

    /// The same with these filters.
    pub fn filters(self, mag: u32, min: u32) -> Case {
        self.sampler(0, 14, 6, mag << 3 | min)
    }

    pub fn send(&self, machine: &Machine) -> Outcome {
        machine.memory.set_dwords(1024, &self.surface);
        machine.memory.set_dwords(SAMPLERS.into(), &self.sampler);
        let mut payload = vec![Register::of([0, 0, self.header, 0, 0, 0, 0, 0])];
        let copies = if self.mode == SIMD16 { 2 } else { 1 };
        payload.extend(self.parameters.iter().flat_map(|value| vec![Register::of([*value; 8]); copies]));
        let masked = (self.header >> 12 & 15).count_ones();
        let response = match (self.mode, self.opcode) {
            (SIMD4X2, _) => 1,
            (SIMD16, _) => 8 - 2 * masked,
            (_, SAMPLE_KILLPIX) => 5,
            _ => 4,
        };
        let control = texture_control(self.mode, self.opcode, 0, 0);
        let descriptor = Descriptor::new(payload.len() as u32, response, true, control);
        send_masked(machine, SharedFunction::Sampler, descriptor, &payload, 0xffff)
    }

    /// The kind of the error of the message: that of the variant, in one letter; `.` without error.
    fn error(&self) -> char {
        let mut machine = machine();
        machine.mono_filter = self.machine_mono;
        let outcome = self.send(&machine);
        if outcome.report.errors.is_empty() {
            assert_eq!(outcome.report.ended, 1);
            return '.';
        }
        match outcome.error() {
            MessageError::Opcode { .. } => 'o',
            MessageError::Length { .. } => 'l',
            MessageError::Payload { .. } => 'p',
            MessageError::Surface { binding: 0, .. } => 's',
            MessageError::State(_) => 't',
            _ => '?',
        }
    }
}

/// A valid cube.
fn cube(opcode: u32) -> Case {
    Case::new(opcode).kind(CUBE).surface(0, 0, 6, 63)
}

/// A surface and a sampler of the monochrome filter.
fn mono() -> Case {
    Case::new(SAMPLE_L).format(0x18e).surface(2, 6, 13, 31).filters(6, 6).modes([4; 3])
}

/// In the order of the opcodes, with the modes 4×2, 8, 16 and all coordinates at 0.
#[test]
fn opcodes_and_modes() {
    let mode = |mode: u32| -> String {
        let error = |opcode: u32| {
            // A format for each message.
            let format = if matches!(opcode, SAMPLE_C | SAMPLE_B_C | SAMPLE_L_C | LOAD4) { 0x0d8 } else { RGBA8 };
            Case {
                mode,
                parameters: vec![0; usize::from(opcode != RESINFO && opcode != SAMPLEINFO)],
                ..Case::new(opcode).format(format)
            }
            .error()
        };
        (0..16).map(error).collect()
    };
    assert_eq!(mode(SIMD4X2), "oo.o.o...o..oooo");
    assert_eq!(mode(SIMD8), ".............ooo");
    assert_eq!(mode(SIMD16), "............oooo");
    // Bit 18 of the descriptor.
    let reserved = Descriptor::new(2, 4, true, texture_control(SIMD8, LD, 0, 0) | 1 << 18);
    let outcome = send_masked(&machine(), SharedFunction::Sampler, reserved, &[Register::default(); 2], 255);
    assert!(matches!(outcome.error(), MessageError::Opcode { .. }));
}

/// The most parameters of each message, and one more.
#[test]
fn lengths() {
    let most = [
        (SIMD8, [4, 5, 5, 5, 10, 6, 6, 5, 4, 4, 1, 0, 3]),
        (SIMD16, [4, 5, 5, 5, 5, 5, 5, 5, 4, 4, 1, 0, 0]),
        // Registers of four parameters.
        (SIMD4X2, [0, 0, 2, 0, 3, 0, 2, 2, 1, 0, 1, 0, 0]),
    ];
    for (mode, opcode, most) in
        most.iter().flat_map(|(mode, most)| (0..13).map(move |opcode| (*mode, opcode, most[opcode as usize])))
    {
        let case = |count: usize| {
            let format = if matches!(opcode, SAMPLE_C | SAMPLE_B_C | SAMPLE_L_C | LOAD4) { 0x0d8 } else { RGBA8 };
            Case { mode, parameters: vec![0; count], ..Case::new(opcode).format(format) }
        };
        let is_query = opcode == RESINFO || opcode == SAMPLEINFO;
        if most == 0 && !is_query {
            continue;
        }
        let found = [0, most, most + 1].map(|count| case(count).error());
        assert_eq!(found, [if is_query { '.' } else { 'l' }, '.', 'l'], "mode {mode}, opcode {opcode}");
    }
    // Half a parameter, and more than 11 registers.
    for (count, opcode) in [(2, SAMPLE), (4, SAMPLE), (11, SAMPLE_D), (12, SAMPLE_L_C)] {
        let control = texture_control(SIMD16, opcode, 0, 0);
        let outcome = send_masked(
            &machine(),
            SharedFunction::Sampler,
            Descriptor::new(count, 8, count < 11, control),
            &vec![Register::default(); count as usize],
            0xffff,
        );
        assert!(matches!(outcome.error(), MessageError::Length { .. }), "{count}");
    }
}

#[test]
fn payloads() {
    for opcode in [SAMPLE, LD, RESINFO, SAMPLEINFO] {
        assert_eq!(Case { header: 15 << 12, ..Case::new(opcode) }.error(), 'p');
        assert_eq!(Case { header: 7 << 12, ..Case::new(opcode) }.error(), '.');
    }
    for (low, opcode) in [(0, SAMPLE), (4, SAMPLE_L), (8, LOD)] {
        assert_eq!(Case { header: 1 << low, ..cube(opcode) }.error(), 'p');
        assert_eq!(Case { header: 1 << low, ..Case::new(opcode) }.error(), '.');
    }
    assert_eq!(Case { header: 1, ..Case::new(LD).kind(BUFFER) }.error(), 'p');
    // Before the rules of a message, after those of the surface, and after the channels.
    assert_eq!(Case { header: 1, ..cube(LD) }.error(), 'p');
    assert_eq!(Case { header: 1, ..cube(SAMPLE).surface(2, 6, 13, 3) }.error(), 's');
    assert_eq!(Case { header: 15 << 12, ..Case::new(SAMPLE).kind(5) }.error(), 'p');
}

#[test]
fn surfaces() {
    let of = |opcode| Case::new(opcode);
    let tiled = || of(SAMPLE).surface(3, 0, 2, 3);
    let four = |opcode| of(opcode).surface(4, 4, 3, 2);
    let field = || of(SAMPLE).surface(0, 12, 1, 1);
    // A message that is served, and one change that makes it an error.
    let pairs = [
        (of(SAMPLE), of(SAMPLE).kind(5)),
        (of(SAMPLE).format(0x191), of(SAMPLE).format(0x192)),
        (of(SAMPLE).surface(2, 2, 4, 10).surface(4, 28, 4, 3), of(SAMPLE).surface(2, 2, 4, 10).surface(4, 28, 4, 4)),
        (four(SAMPLE), of(SAMPLE).surface(4, 4, 3, 1)),
        (four(SAMPLE), four(SAMPLE).kind(VOLUME)),
        (four(SAMPLE), four(SAMPLE).format(0)),
        (four(SAMPLE), four(SAMPLE).format(0x186)),
        (four(SAMPLE), four(SAMPLE).format(0x182)),
        (four(SAMPLE), four(SAMPLE).surface(2, 2, 4, 1)),
        (four(LD).format(0x0d8), four(SAMPLE_C).format(0x0d8)),
        (four(LD).format(0x0d8), four(LOAD4).format(0x0d8)),
        (cube(SAMPLE), cube(SAMPLE).surface(2, 6, 13, 3)),
        (of(SAMPLE).kind(0).surface(2, 19, 13, 0), of(SAMPLE).kind(0)),
        (field(), field().kind(0).surface(2, 19, 13, 0)),
        (field(), field().surface(2, 2, 4, 1)),
        (field(), field().surface(3, 21, 11, 1)),
        (field(), field().surface(4, 4, 3, 2)),
        (field(), field().format(0x186)),
        (tiled(), tiled().surface(3, 3, 17, 63)),
        (tiled().surface(5, 25, 7, 1), of(SAMPLE).surface(5, 25, 7, 1)),
        (tiled().surface(5, 20, 4, 1), of(SAMPLE).surface(5, 20, 4, 1)),
        (tiled().surface(5, 20, 4, 1), tiled().surface(5, 20, 4, 1).format(0x040)),
        (tiled().surface(5, 20, 4, 1), tiled().surface(5, 20, 4, 1).format(0x181)),
        (of(LD).kind(BUFFER), of(LD).kind(BUFFER).surface(3, 1, 1, 1)),
        (of(SAMPLE).format(0x182), of(SAMPLE).format(0x182).surface(2, 2, 4, 1)),
        (of(SAMPLE).format(0x190), of(SAMPLE).format(0x190).kind(VOLUME)),
        // Rules of the messages.
        (of(LD).format(0x143), of(SAMPLE).format(0x143)),
        (of(LD).format(0x142), of(LOD).format(0x142)),
        (of(RESINFO).kind(BUFFER), of(SAMPLE).kind(BUFFER)),
        (cube(SAMPLE), cube(LD)),
        (mono(), Case { opcode: SAMPLE, ..mono() }),
        (mono(), Case { opcode: LD, ..mono() }),
        (mono(), Case { opcode: LOD, ..mono() }),
        (mono(), mono().kind(VOLUME)),
        (mono(), mono().surface(2, 2, 4, 1)),
        (of(SAMPLE_C).format(0x10a), of(SAMPLE_C)),
        (of(SAMPLE_C).format(0x0d8), of(SAMPLE_C).format(0x0d8).kind(VOLUME)),
        (cube(SAMPLE_L_C).format(0x0d8), cube(SAMPLE_L_C).format(0x0e4)),
        (of(LOAD4).format(0x144), of(LOAD4)),
        (cube(LOAD4).format(0x144), of(LOAD4).format(0x144).kind(VOLUME)),
    ];
    for (allowed, refused) in pairs {
        assert_eq!((allowed.error(), refused.error()), ('.', 's'), "{refused:?}");
    }
}

#[test]
fn states() {
    let of = |opcode| Case::new(opcode);
    let key = || of(SAMPLE).sampler(3, 25, 1, 1);
    let texels = || of(SAMPLE).sampler(3, 0, 1, 1);
    let field = || of(SAMPLE).surface(0, 12, 1, 1);
    let seamless = || cube(SAMPLE).modes([3; 3]);
    let averaged = || seamless().surface(0, 9, 1, 1);
    let sized = |width, height| Case { machine_mono: MonoFilter { width, height }, ..mono() };
    let volume = || of(SAMPLE).kind(VOLUME);
    let pairs = [
        (of(SAMPLE).filters(2, 2), of(SAMPLE).filters(3, 1)),
        (of(SAMPLE).filters(0, 2), of(SAMPLE).filters(1, 7)),
        (of(SAMPLE).sampler(0, 20, 2, 3), of(SAMPLE).sampler(0, 20, 2, 2)),
        (of(SAMPLE).modes([5; 3]), of(SAMPLE).modes([6, 2, 2])),
        (of(SAMPLE).modes([4; 3]), of(SAMPLE).modes([2, 7, 2])),
        (seamless(), of(SAMPLE).modes([3; 3])),
        (cube(SAMPLE).modes([0; 3]).sampler(1, 9, 1, 1), cube(SAMPLE).modes([0; 3])),
        (seamless(), cube(SAMPLE).modes([2, 3, 2])),
        (seamless().surface(0, 0, 6, 62), cube(SAMPLE).surface(0, 0, 6, 62)),
        (averaged(), averaged().surface(0, 0, 6, 62)),
        (averaged(), averaged().sampler(3, 25, 1, 1)),
        (field(), field().modes([2, 0, 2])),
        (field(), field().sampler(0, 20, 2, 1)),
        (volume(), volume().filters(2, 1)),
        (key(), key().format(0x0cc)),
        (key(), key().format(0x14b)),
        (key(), key().kind(VOLUME)),
        (key(), key().filters(2, 2)),
        (texels(), texels().surface(2, 2, 4, 1)),
        (texels().kind(VOLUME), texels().kind(0).surface(2, 19, 13, 0)),
        (texels().modes([4, 2, 2]), texels().modes([2, 5, 2])),
        (of(LOAD4).format(0x0d8).filters(2, 2), of(LOAD4).format(0x0d8).sampler(0, 20, 2, 1)),
        (mono(), mono().filters(6, 1)),
        (mono(), mono().format(0x181)),
        (mono(), mono().filters(1, 1)),
        (mono(), mono().sampler(0, 20, 2, 1)),
        (mono(), mono().sampler(1, 22, 10, 1)),
        (mono(), mono().modes([4, 2, 4])),
        (sized(7, 7), sized(0, 1)),
        (sized(1, 7), sized(1, 8)),
    ];
    for (allowed, refused) in pairs {
        assert_eq!((allowed.error(), refused.error()), ('.', 't'), "{refused:?}");
    }
    // The checks are the same for a disabled sampler; ld, resinfo and sampleinfo have none.
    assert_eq!(of(SAMPLE).filters(3, 3).sampler(0, 31, 1, 1).error(), 't');
    for opcode in [LD, RESINFO, SAMPLEINFO] {
        assert_eq!(of(opcode).filters(3, 3).error(), '.');
    }
    // A null surface has no checks after that of the channels.
    assert_eq!(Case { header: 1, ..of(SAMPLE).kind(7).format(0x1ff).filters(3, 3) }.error(), '.');
}
