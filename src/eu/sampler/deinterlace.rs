//! The message `deinterlace`: denoises and deinterlaces a block (§7.3, volume 4 part 1, 2.12.2.5.2).
//!
//! From the binding table entry that its descriptor names on it reads
//!
//! | entry | surface |
//! | --- | --- |
//! | 0 | current frame |
//! | 1 | previous frame; the original one, for its chroma, and for its luma with denoising off |
//! | 2 | denoised previous frame, its luma; only with denoising on |
//! | 3 | motion measures and denoise histories of the previous step |
//!
//! and of these the first alone where the state says that it is the first frame. All it knows comes from there and from the state.
use super::{state_address, window};
use crate::deinterlace::chroma::{self, Store, Woven};
use crate::deinterlace::motion::Current;
use crate::deinterlace::{self as stage, Making, Output, Role};
use crate::eu::error::MessageError;
use crate::eu::machine::Machine;
use crate::eu::message::{Message, Writeback};
use crate::eu::picture::Picture;
use crate::eu::register::Register;
use crate::frame::Sampling;
use crate::parameters::Parameters;
use crate::state::{DEINTERLACE_DWORDS, DeinterlaceControl, MediaSurfaceState};
use crate::surface::{PairPlane, Rect, Surface, Target, View};
use crate::{denoise, film, noise};
use dndi_simd::Kernels;

/// Width of a block.
const WIDTH: usize = 16;

/// Room for a message, and the state that was decoded last.
#[derive(Debug)]
pub(crate) struct Room {
    kernels: &'static Kernels,
    state: Option<([u32; DEINTERLACE_DWORDS], Parameters, DeinterlaceControl)>,
    original: Surface,
    denoised: Surface,
    previous: Surface,
    chroma: [[Surface; 2]; 2],
    /// Histories around the block before and after.
    history: [Vec<u8>; 2],
    stored: PairPlane,
    /// What the stages write: whole lines of the window.
    luma: [Vec<u8>; 2],
    colors: [[Vec<u8>; 2]; 2],
    measure: Vec<u8>,
    line: Vec<u8>,
    film: film::Scratch,
    stage: stage::Scratch,
}

impl Room {
    pub fn new(kernels: &'static Kernels) -> Room {
        let lines = || vec![0; 4 * 3 * WIDTH];
        let chroma = || [Surface::default(), Surface::default()];
        Room {
            kernels,
            state: None,
            original: Surface::default(),
            denoised: Surface::default(),
            previous: Surface::default(),
            chroma: [chroma(), chroma()],
            history: [vec![], vec![]],
            stored: PairPlane::default(),
            luma: [lines(), lines()],
            colors: [[lines(), lines()], [lines(), lines()]],
            measure: lines(),
            line: vec![0; 3 * WIDTH],
            film: film::Scratch::new(WIDTH, 4),
            stage: stage::Scratch::new(WIDTH),
        }
    }

    /// The state of the message, decoded.
    fn decode(&mut self, dwords: [u32; DEINTERLACE_DWORDS]) -> Result<(&Parameters, DeinterlaceControl), MessageError> {
        if self.state.as_ref().is_none_or(|(known, ..)| *known != dwords) {
            let mut parameters = Parameters::default();
            let wrong = |what: String| MessageError::State { what };
            let control = parameters.set_deinterlace_state(&dwords).map_err(|error| wrong(error.to_string()))?;
            parameters.check(control.di_enable).map_err(|error| wrong(error.to_string()))?;
            if parameters.carried.di_partial == 1 && control.di_enable {
                return Err(wrong("the partial writeback is not documented".to_owned()));
            }
            self.state = Some((dwords, parameters, control));
        }
        let (_, parameters, control) = self.state.as_ref().expect("just decoded");
        Ok((parameters, *control))
    }
}

/// The surfaces of a message.
struct Pictures {
    current: Picture,
    previous: Option<Picture>,
    /// The denoised previous luma.
    clean: Option<Picture>,
    statistics: Option<Picture>,
}

impl Pictures {
    fn bind(machine: &Machine, message: &Message, control: DeinterlaceControl) -> Result<Pictures, MessageError> {
        let binding = message.descriptor.binding();
        let wrong = |binding, what| MessageError::Surface { binding, what };
        let picture = |offset: u8| -> Result<Picture, MessageError> {
            let binding = binding.checked_add(offset).ok_or(wrong(binding, "the next entries are beyond the table"))?;
            let state: MediaSurfaceState = machine.media_surface(message.binding_table, binding)?;
            Picture::of(&state).map_err(|what| wrong(binding, what))
        };
        let current = picture(0)?;
        let (luma, interlaced) = (current.components[0], !control.progressive_dn);
        let least = if current.sampling == Sampling::C420 && control.di_enable { 4 } else { 2 };
        if interlaced && (luma.height % 2 != 0 || luma.height < least) {
            return Err(wrong(binding, "fields need an even height, 4:2:0 at least 4 lines"));
        }
        let size = |picture: &Picture| (picture.components[0].width, picture.components[0].height);
        let fits = |offset: u8, picture: Picture, sampling: Option<Sampling>| {
            let same = size(&picture) == size(&current) && sampling.is_none_or(|sampling| sampling == picture.sampling);
            if same { Ok(Some(picture)) } else { Err(wrong(binding + offset, "another size or format than the current frame's")) }
        };
        let (mut previous, mut clean, mut statistics) = (None, None, None);
        if !control.first_frame {
            if control.di_enable || !control.dn_enable {
                previous = fits(1, picture(1)?, Some(current.sampling))?;
            }
            if control.dn_enable {
                clean = fits(2, picture(2)?, None)?;
            }
            let map = picture(3)?;
            let holds = map.components[0].width >= luma.width.div_ceil(2) && map.components[0].height >= luma.height;
            if !holds {
                return Err(wrong(binding + 3, "too small for the statistics of the current frame"));
            }
            statistics = Some(map);
        }
        Ok(Pictures { current, previous, clean, statistics })
    }
}

/// What is known of a block when it is done.
struct Block {
    rect: Rect,
    /// Its place in the window.
    inner: Rect,
    window: Rect,
    bne: u8,
    variances: [u64; 11],
    sums: Sums,
    history: [[u8; 4]; 2],
}

/// Sums of the 4×4 blocks in a block, by columns: both rows of them where there are two.
#[derive(Default)]
struct Sums {
    stad: [u32; 4],
    shcm: [u32; 4],
    svcm: [u32; 4],
    moving: u32,
}

pub(crate) fn serve(machine: &Machine, room: &mut Room, message: &Message) -> Result<Vec<Writeback>, MessageError> {
    message.needs(1)?;
    let address = message.payload[message.payload.len() - 1];
    let (x, y) = (address.dword(2), address.dword(6));
    let kernels = room.kernels;
    let dwords = machine.memory.dwords(state_address(machine, message, 2)?);
    let (parameters, control) = room.decode(dwords)?;
    let parameters = parameters.clone();
    let pictures = Pictures::bind(machine, message, control)?;
    let luma = pictures.current.components[0];
    let lines = if control.di_enable { 4 } else { 8 };
    for (what, value, size, step) in
        [("U is no column of blocks inside", x, luma.width, WIDTH), ("V is no row of blocks inside", y, luma.height, lines)]
    {
        if value as usize >= size || !(value as usize).is_multiple_of(step) {
            return Err(MessageError::Payload { what, value });
        }
    }
    let (x, y) = (x as usize, y as usize);
    let rect = Rect { x, y, width: WIDTH.min(luma.width - x), height: lines.min(luma.height - y) };
    let around = window::around(rect, (luma.width, luma.height));
    let inner = Rect { x: x - around.x, y: y - around.y, ..rect };
    let work = Work { machine, kernels, parameters: &parameters, control, pictures: &pictures, around, inner };
    work.read(room);
    if control.dn_enable {
        work.denoise(room);
    }
    let (variances, makings) = if control.di_enable { work.deinterlace(room) } else { Default::default() };
    let block = Block {
        rect,
        inner,
        window: around,
        bne: work.estimate_noise(room),
        variances,
        sums: work.sums(room),
        history: work.history(room),
    };
    machine.registers.streams[usize::from(parameters.carried.stream_id == 1)].add(block.bne, &block.variances, &makings);
    Ok(work.answer(room, &block))
}

/// A message at work.
struct Work<'a> {
    machine: &'a Machine,
    kernels: &'static Kernels,
    parameters: &'a Parameters,
    control: DeinterlaceControl,
    pictures: &'a Pictures,
    /// The part of the picture that is in the room, and the block in it.
    around: Rect,
    inner: Rect,
}

impl Work<'_> {
    fn lines<'a>(&self, surface: &'a Surface) -> View<'a> {
        if self.control.progressive_dn { surface.frame() } else { surface.fields() }
    }

    fn line_step(&self) -> isize {
        if self.control.progressive_dn { 1 } else { 2 }
    }

    /// The whole picture's chroma sampling, 4:1:1 as 4:2:2.
    fn sampling(&self) -> Sampling {
        if self.pictures.current.sampling == Sampling::C411 { Sampling::C422 } else { self.pictures.current.sampling }
    }

    /// 4×4 blocks in a row of the window.
    fn blocks(&self) -> usize {
        self.around.width.div_ceil(4)
    }

    /// Reads the window of all surfaces.
    fn read(&self, room: &mut Room) {
        let (memory, around, Pictures { current, previous, clean, statistics }) =
            (&self.machine.memory, self.around, self.pictures);
        window::read(memory, &current.components[0], around, &mut room.original);
        if let Some(picture) = clean.as_ref().or(previous.as_ref()) {
            window::read(memory, &picture.components[0], around, &mut room.previous);
        }
        if self.wants_chroma() {
            for (picture, surfaces) in [Some(current), previous.as_ref()].into_iter().flatten().zip(&mut room.chroma) {
                for (component, surface) in picture.components[1..].iter().zip(surfaces) {
                    let width = picture.components[0].width;
                    window::read_chroma(memory, component, picture.sampling, around, width, surface);
                }
            }
        }
        let Some(statistics) = statistics else { return };
        let Rect { x, y, width, height } = around;
        if self.control.di_enable {
            room.stored.reshape(width, height);
            let mut target = room.stored.target();
            for line in 0..height {
                statistics.components[0].read(memory, x / 2, y + line, target.line(line, 0, width.div_ceil(2)));
            }
        }
        if self.control.dn_enable {
            let blocks = self.blocks();
            room.history[0].resize(blocks * height.div_ceil(4), 0);
            for (row, history) in room.history[0].chunks_exact_mut(blocks).enumerate() {
                statistics.components[0].read(memory, statistics.pitch / 2 + x / 4, y / 4 + row, history);
            }
        }
    }

    /// Whether chroma is worked on, or at least answered.
    fn wants_chroma(&self) -> bool {
        self.control.di_enable || self.pictures.current.sampling == Sampling::C422
    }

    /// Denoises the window.
    fn denoise(&self, room: &mut Room) {
        let Rect { width, height, .. } = self.around;
        let blocks = self.blocks();
        room.denoised.reshape(width, height);
        let [old, new] = &mut room.history;
        new.resize(blocks * height.div_ceil(4), 0);
        let input = denoise::Input {
            kernels: self.kernels,
            parameters: &self.parameters.denoise,
            step: self.line_step(),
            current: self.lines(&room.original),
            previous: self.pictures.clean.is_some().then(|| (self.lines(&room.previous), old.as_slice())),
            blocks,
        };
        let mut out = room.denoised.target();
        let rect = Rect { x: 0, y: 0, width, height };
        denoise::tile(&input, rect, &mut out, &mut Target::new(new, blocks, 0), &mut room.line);
        out.replicate();
    }

    /// Completes both fields of the block, and returns its film mode variances and what the fields were made of.
    fn deinterlace(&self, room: &mut Room) -> ([u64; 11], [Making; 2]) {
        let Room { original, denoised, previous, chroma, stored, luma, colors, measure, film, stage, .. } = room;
        let (denoise, top_first, first) = (self.control.dn_enable, self.control.top_first, self.control.first_frame);
        let current = if denoise { &*denoised } else { &*original };
        let (window, inner, parameters) = (self.around, self.inner, self.parameters);
        let [prev2, cur1] = luma.each_mut().map(|lines| Target::new(lines, window.width, inner.y));
        let chroma_width = self.sampling().chroma_size(window.width, 1).0;
        let [[u2, v2], [u1, v1]] =
            colors.each_mut().map(|planes| planes.each_mut().map(|lines| Target::new(lines, chroma_width, inner.y)));
        let complete = |role: Role, weave| {
            let (completed, other) = if role == Role::Cur1 { (0, 1) } else { (1, 0) };
            (self.sampling() != Sampling::Mono).then(|| chroma::Input {
                kernels: self.kernels,
                mix: parameters.deinterlace.mix(),
                sampling: self.sampling(),
                store: Store::Native,
                width: chroma_width,
                lines: window.height,
                missing: role.missing(top_first),
                completed: &chroma[completed],
                other: (!first).then(|| &chroma[other]),
                weave,
                torn: None,
            })
        };
        let mut variances = [0; 11];
        let input = film::Input {
            kernels: self.kernels,
            parameters: &parameters.film,
            size: (window.width, window.height),
            current: current.fields(),
            previous: (!first).then(|| previous.fields()),
        };
        film::tile(&input, inner, film, &mut variances);
        if first {
            let input = stage::Spatial {
                kernels: self.kernels,
                parameters: &parameters.deinterlace,
                pairs: window.width.div_ceil(2),
                missing: Role::Cur1.missing(top_first),
                field: current.fields(),
                weave: false,
                chroma: complete(Role::Cur1, None),
            };
            let (mut luma, mut chroma) = (cur1, [u1, v1]);
            stage::spatial_tile(&input, inner, &mut luma, &mut chroma, stage);
            measure.fill(255);
            let (pixels, pairs) = (inner.width * inner.height / 2, (inner.width.div_ceil(2) * inner.height / 2) as u64);
            let making = Making { pairs, stmm_sum: 255 * pairs, ..Making::of(pixels as u64, false) };
            return (variances, [Making::default(), making]);
        }
        let codes = [self.control.prev2, self.control.cur1];
        let weave = |role: Role| Woven::of(codes[role as usize], role);
        let chroma = [complete(Role::Prev2, weave(Role::Prev2)), complete(Role::Cur1, weave(Role::Cur1))];
        let compensation = &self.machine.compensation;
        let input = stage::Input {
            kernels: self.kernels,
            parameters: &parameters.deinterlace,
            compensation: (compensation.mcdi_enable == 1).then_some(compensation),
            pairs: window.width.div_ceil(2),
            current: Current { denoised: current.fields(), original: denoise.then(|| original.fields()), top_first },
            previous: previous.fields(),
            stored,
            codes,
            torn: [None; 2],
            counts: true,
            chroma: chroma[0].zip(chroma[1]).map(Into::into),
        };
        let measure = Target::new(measure, window.width.div_ceil(2), inner.y);
        let makings =
            stage::tile(&input, inner, &mut Output { luma: [prev2, cur1], chroma: [[u2, v2], [u1, v1]], measure }, stage);
        (variances, makings)
    }

    fn estimate_noise(&self, room: &mut Room) -> u8 {
        let input = noise::Input {
            kernels: self.kernels,
            parameters: &self.parameters.noise,
            step: self.line_step(),
            lines: if self.control.di_enable { 4 } else { 8 },
            current: self.lines(&room.original),
        };
        let sums = noise::tile(&input, self.inner, &mut room.line);
        if sums.count == 0 { 255 } else { sums.sum as u8 }
    }

    /// Histories of the block's 4×4 blocks, 0 beside the picture; the second row is that of a block of eight lines.
    fn history(&self, room: &Room) -> [[u8; 4]; 2] {
        let Rect { x, y, width, height } = self.inner;
        let blocks = self.blocks();
        let inside = |row: usize, column: usize| {
            self.control.dn_enable && !self.control.first_frame && 4 * row < height && 4 * column < width
        };
        let at = |row: usize, column: usize| room.history[1][(y / 4 + row) * blocks + x / 4 + column];
        [0, 1].map(|row| [0, 1, 2, 3].map(|column| if inside(row, column) { at(row, column) } else { 0 }))
    }

    /// Sums over the block's 4×4 blocks; all 0 without denoising or a previous frame.
    fn sums(&self, room: &Room) -> Sums {
        let mut sums = Sums::default();
        if !self.control.dn_enable || self.control.first_frame {
            return sums;
        }
        let Rect { x, y, .. } = self.inner;
        let (current, clean) = (self.lines(&room.original), self.lines(&room.previous));
        let threshold = self.parameters.denoise.temporal_diff_th as u8;
        let rows = if self.control.di_enable { 1 } else { 2 };
        for row in 0..rows {
            let line = |view: View<'_>, line: usize| -> [u8; WIDTH] {
                let samples = view.row((y + 4 * row + line) as isize, x as isize, 0);
                std::array::from_fn(|i| samples[dndi_simd::APRON + i])
            };
            let (c, p) = ([0, 1, 2, 3].map(|l| line(current, l)), [0, 1, 2, 3].map(|l| line(clean, l)));
            for block in 0..4 {
                for (j, i) in (0..4).flat_map(|j| (4 * block..4 * block + 4).map(move |i| (j, i))) {
                    let difference = c[j][i].abs_diff(p[j][i]);
                    sums.stad[block] += u32::from(difference);
                    sums.moving += u32::from(difference >= threshold);
                    if i % 4 < 3 {
                        sums.shcm[block] += u32::from(c[j][i].abs_diff(c[j][i + 1]));
                    }
                    if j < 3 {
                        sums.svcm[block] += u32::from(c[j][i].abs_diff(c[j + 1][i]));
                    }
                }
            }
        }
        sums
    }

    /// The registers that come back.
    fn answer(&self, room: &Room, block: &Block) -> Vec<Writeback> {
        let Room { original, denoised, luma, colors, measure, chroma, .. } = room;
        let sampling = self.sampling();
        let Block { inner, window, .. } = block;
        let source = if self.control.dn_enable { denoised } else { original }.frame();
        let full = Lines { first: inner.x, count: inner.width, step: 1 };
        let half = Lines { first: inner.x / 2, count: inner.width.div_ceil(2), step: 2 };
        let mut answer = vec![];
        if !self.control.di_enable {
            let line = |view: View<'_>, y: usize, shape: Lines, out: &mut [u8]| {
                if y < inner.height {
                    shape.put(view.line((inner.y + y) as isize, 0, shape.first + shape.count), out);
                }
            };
            for y in [0, 2, 4, 6] {
                answer.push(two_lines(|l, out| line(source, y + l, full, out)));
            }
            answer.push(self.statistics(block));
            if self.pictures.current.sampling == Sampling::C422 {
                for y in [0, 2, 4, 6] {
                    answer.push(two_lines(|l, out| {
                        line(chroma[0][1].frame(), y + l, half, out);
                        line(chroma[0][0].frame(), y + l, half, &mut out[1..]);
                    }));
                }
            }
            return answer.into_iter().map(Into::into).collect();
        }
        let chroma_width = sampling.chroma_size(window.width, 1).0;
        // There is no 2nd field of the previous frame in the first one.
        let made = |role: usize| role == Role::Cur1 as usize || !self.control.first_frame;
        let put = |role: usize, lines: &[u8], stride: usize, y: usize, shape: Lines, out: &mut [u8]| {
            if y < inner.height && made(role) {
                shape.put(&lines[y * stride..][..stride], out);
            }
        };
        for role in [Role::Prev2 as usize, Role::Cur1 as usize] {
            for y in [0, 2] {
                answer.push(two_lines(|l, out| put(role, &luma[role], window.width, y + l, full, out)));
            }
            let [u, v] = &colors[role];
            match sampling {
                Sampling::C444 => {
                    for (plane, y) in [(u, 0), (u, 2), (v, 0), (v, 2)] {
                        answer.push(two_lines(|l, out| put(role, plane, chroma_width, y + l, full, out)));
                    }
                }
                Sampling::Mono => answer.extend([Register::default(); 2]),
                _ => {
                    for y in [0, 2] {
                        answer.push(two_lines(|l, out| {
                            put(role, v, chroma_width, y + l, half, out);
                            put(role, u, chroma_width, y + l, half, &mut out[1..]);
                        }));
                    }
                }
            }
        }
        let mut stmm = Register::default();
        let pairs = window.width.div_ceil(2);
        for (y, out) in stmm.0.chunks_exact_mut(8).enumerate().take(inner.height) {
            let count = inner.width.div_ceil(2);
            out[..count].copy_from_slice(&measure[y * pairs + inner.x / 2..][..count]);
        }
        answer.extend([stmm, self.statistics(block)]);
        if self.control.dn_enable {
            let second = usize::from(self.control.top_first);
            let line = |view: View<'_>, l: usize, shape: Lines, out: &mut [u8]| {
                if 2 * l + second < inner.height {
                    shape.put(view.line((inner.y + 2 * l + second) as isize, 0, shape.first + shape.count), out);
                }
            };
            answer.push(two_lines(|l, out| line(source, l, full, out)));
            if self.pictures.current.sampling == Sampling::C422 {
                answer.push(two_lines(|l, out| {
                    line(chroma[0][1].frame(), l, half, out);
                    line(chroma[0][0].frame(), l, half, &mut out[1..]);
                }));
            }
        }
        answer.into_iter().map(Into::into).collect()
    }

    /// The register of block noise estimate and denoise history.
    fn statistics(&self, block: &Block) -> Register {
        let Block { rect, bne, variances, sums, history, .. } = block;
        let saturated = |v: u32| v.min(255);
        let bytes = |[a, b, c, d]: [u32; 4]| saturated(a) << 24 | saturated(b) << 16 | saturated(c) << 8 | saturated(d);
        let words = |high: u64, low: u64| (high.min(0xffff) << 16 | low.min(0xffff)) as u32;
        let place = words(rect.y as u64, rect.x as u64);
        let [above, below] = history.map(u32::from_le_bytes);
        let bne = u32::from(*bne);
        let [v0, v1, v2, v3, v4, ..] = *variances;
        let (w3, w2, w1) = match self.control.di_enable {
            true => (words(v0, v1), words(v2, v3), words(v4, 0) | saturated(sums.moving) << 8 | bne),
            false => (0, bne, below),
        };
        Register::of([above, w1, w2, w3, bytes(sums.svcm), bytes(sums.shcm), bytes(sums.stad), place])
    }
}

/// Which samples of a line go where in a register.
#[derive(Clone, Copy)]
struct Lines {
    first: usize,
    count: usize,
    step: usize,
}

impl Lines {
    fn put(self, line: &[u8], out: &mut [u8]) {
        for (out, sample) in out.iter_mut().step_by(self.step).zip(&line[self.first..][..self.count]) {
            *out = *sample;
        }
    }
}

/// A register of two lines of 16 bytes.
fn two_lines(mut put: impl FnMut(usize, &mut [u8])) -> Register {
    let mut register = Register::default();
    for (line, out) in register.0.chunks_exact_mut(WIDTH).enumerate() {
        put(line, out);
    }
    register
}
