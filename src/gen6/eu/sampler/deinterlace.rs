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
use super::answer::Block;
use super::pictures::Pictures;
use super::{state_address, window};
use crate::deinterlace::chroma::{self, Store, Woven};
use crate::deinterlace::motion::Current;
use crate::deinterlace::{self as stage, Output, PixelSources, Role};
use crate::format::{Rect, Sampling};
use crate::gen6::eu::error::MessageError;
use crate::gen6::eu::machine::Machine;
use crate::gen6::eu::message::{Message, Writeback};
use crate::gen6::state::{DEINTERLACE_DWORDS, DeinterlaceControl};
use crate::parameters::Parameters;
use crate::plane::{BandMut, PaddedPlane, PairPlane, PlaneView};
use crate::{denoise, fmd, noise};
use dndi_simd::Kernels;

/// Width of a block.
pub(super) const WIDTH: usize = 16;

/// Room for a message, and the state that was decoded last.
#[derive(Debug)]
pub(crate) struct Room {
    kernels: &'static Kernels,
    state: Option<([u32; DEINTERLACE_DWORDS], Parameters, DeinterlaceControl)>,
    pub(super) original: PaddedPlane,
    pub(super) denoised: PaddedPlane,
    pub(super) previous: PaddedPlane,
    pub(super) chroma: [[PaddedPlane; 2]; 2],
    /// Histories around the block before and after.
    history: [Vec<u8>; 2],
    stored: PairPlane,
    /// What the stages write: whole lines of the window.
    pub(super) luma: [Vec<u8>; 2],
    pub(super) colors: [[Vec<u8>; 2]; 2],
    pub(super) measure: Vec<u8>,
    line: Vec<u8>,
    film: fmd::Scratch,
    stage: stage::Scratch,
}

impl Room {
    pub fn new(kernels: &'static Kernels) -> Room {
        let lines = || vec![0; 4 * 3 * WIDTH];
        let chroma = || [PaddedPlane::default(), PaddedPlane::default()];
        Room {
            kernels,
            state: None,
            original: PaddedPlane::default(),
            denoised: PaddedPlane::default(),
            previous: PaddedPlane::default(),
            chroma: [chroma(), chroma()],
            history: [vec![], vec![]],
            stored: PairPlane::default(),
            luma: [lines(), lines()],
            colors: [[lines(), lines()], [lines(), lines()]],
            measure: lines(),
            line: vec![0; 3 * WIDTH],
            film: fmd::Scratch::new(WIDTH, 4),
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
            if parameters.passthrough.di_partial && control.di_enable {
                return Err(wrong("the partial writeback is not documented".to_owned()));
            }
            self.state = Some((dwords, parameters, control));
        }
        let (_, parameters, control) = self.state.as_ref().expect("just decoded");
        Ok((parameters, *control))
    }
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
    machine.registers.streams[usize::from(parameters.passthrough.stream_id == 1)].add(block.bne, &block.variances, &makings);
    Ok(work.answer(room, &block))
}

/// A message at work.
pub(super) struct Work<'a> {
    pub(super) machine: &'a Machine,
    pub(super) kernels: &'static Kernels,
    pub(super) parameters: &'a Parameters,
    pub(super) control: DeinterlaceControl,
    pub(super) pictures: &'a Pictures,
    /// The part of the picture that is in the room, and the block in it.
    pub(super) around: Rect,
    pub(super) inner: Rect,
}

impl Work<'_> {
    pub(super) fn lines<'a>(&self, surface: &'a PaddedPlane) -> PlaneView<'a> {
        if self.control.progressive_dn { surface.frame() } else { surface.fields() }
    }

    fn line_step(&self) -> isize {
        if self.control.progressive_dn { 1 } else { 2 }
    }

    /// The whole picture's chroma sampling, 4:1:1 as 4:2:2.
    pub(super) fn sampling(&self) -> Sampling {
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
        denoise::tile(&input, rect, &mut out, &mut BandMut::new(new, blocks, 0), &mut room.line);
        out.replicate();
    }

    /// Completes both fields of the block, and returns its film mode variances and what the fields were made of.
    fn deinterlace(&self, room: &mut Room) -> ([u64; 11], [PixelSources; 2]) {
        let Room { original, denoised, previous, chroma, stored, luma, colors, measure, film, stage, .. } = room;
        let (denoise, top_first, first) = (self.control.dn_enable, self.control.top_first, self.control.first_frame);
        let current = if denoise { &*denoised } else { &*original };
        let (window, inner, parameters) = (self.around, self.inner, self.parameters);
        let [prev2, cur1] = luma.each_mut().map(|lines| BandMut::new(lines, window.width, inner.y));
        let chroma_width = self.sampling().chroma_size(window.width, 1).0;
        let [[u2, v2], [u1, v1]] =
            colors.each_mut().map(|planes| planes.each_mut().map(|lines| BandMut::new(lines, chroma_width, inner.y)));
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
                comb_mask: None,
            })
        };
        let mut variances = [0; 11];
        let input = fmd::Input {
            kernels: self.kernels,
            parameters: &parameters.fmd,
            size: (window.width, window.height),
            current: current.fields(),
            previous: (!first).then(|| previous.fields()),
        };
        fmd::tile(&input, inner, film, &mut variances);
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
            let making = PixelSources { pairs, stmm_sum: 255 * pairs, ..PixelSources::of(pixels as u64, false) };
            return (variances, [PixelSources::default(), making]);
        }
        let codes = [self.control.prev2, self.control.cur1];
        let weave = |role: Role| Woven::of(codes[role as usize], role);
        let chroma = [complete(Role::Prev2, weave(Role::Prev2)), complete(Role::Cur1, weave(Role::Cur1))];
        let compensation = &self.machine.compensation;
        let input = stage::Input {
            kernels: self.kernels,
            parameters: &parameters.deinterlace,
            compensation: compensation.mcdi_enable.then_some(compensation),
            pairs: window.width.div_ceil(2),
            current: Current { denoised: current.fields(), original: denoise.then(|| original.fields()), top_first },
            previous: previous.fields(),
            stored,
            matches: codes,
            comb_masks: [None; 2],
            counts: true,
            chroma: chroma[0].zip(chroma[1]).map(Into::into),
        };
        let measure = BandMut::new(measure, window.width.div_ceil(2), inner.y);
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
            size: (self.inner.width, self.inner.height),
            all: true,
            sampled: false,
        };
        let sums = noise::tile(&input, self.inner, &mut room.line).all;
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
}
