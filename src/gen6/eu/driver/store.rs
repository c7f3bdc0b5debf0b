//! Where the driver keeps pictures in memory, and the surface states that describe them.
use super::error::DriverError;
use crate::format::{Format, Sampling};
use crate::frame::{BytePlane, Frame};
use crate::gen6::eu::machine::Machine;
use crate::gen6::eu::memory::Memory;
use crate::gen6::eu::picture::format;
use crate::gen6::state::{MediaSurfaceState, SurfaceState};

/// Format of a plane of bytes for the data port: R8_UNORM.
const BYTES: u32 = 0x140;

/// Alignment of planes and pitches.
const ALIGN: usize = 64;

/// A plane of bytes in memory.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Plane {
    pub base: u32,
    pub pitch: usize,
    pub width: usize,
    pub height: usize,
}

impl Plane {
    /// Sets memory aside.
    pub fn new(memory: &mut Memory, (width, height): (usize, usize)) -> Result<Plane, DriverError> {
        let pitch = width.next_multiple_of(ALIGN);
        let base = allocate(memory, pitch * height, (width, height))?;
        Ok(Plane { base, pitch, width, height })
    }

    /// As media blocks are read and written: in whole DWords.
    pub fn state(&self) -> SurfaceState {
        SurfaceState {
            surface_format: BYTES,
            surface_base_address: self.base,
            width: self.width.div_ceil(4) as u32,
            height: self.height as u32,
            surface_pitch: self.pitch as u32,
            ..SurfaceState::default()
        }
    }

    /// As the sampler reads it.
    pub fn media_state(&self, surface_format: u32) -> MediaSurfaceState {
        MediaSurfaceState {
            surface_format,
            surface_base_address: self.base,
            width: self.width as u32,
            height: self.height as u32,
            surface_pitch: self.pitch as u32,
            ..MediaSurfaceState::default()
        }
    }

    /// The lines of one parity.
    pub fn field(&self, parity: usize) -> Plane {
        let Plane { base, pitch, width, height } = *self;
        Plane { base: base + (parity * pitch) as u32, pitch: 2 * pitch, width, height: (height + 1 - parity) / 2 }
    }

    pub fn import(&self, memory: &Memory, plane: BytePlane) {
        for y in 0..self.height {
            let line = &plane.data[y * plane.stride..][..self.width];
            memory.write(u64::from(self.base) + (y * self.pitch) as u64, line);
        }
    }

    pub fn export(&self, memory: &Memory, samples: &mut [u8]) {
        for (y, line) in samples.chunks_exact_mut(self.width.max(1)).enumerate().take(self.height) {
            memory.read(u64::from(self.base) + (y * self.pitch) as u64, line);
        }
    }

    /// Copies another plane of the same size.
    pub fn copy(&self, memory: &Memory, from: &Plane) {
        let mut line = vec![0; self.width];
        for y in 0..self.height {
            memory.read(u64::from(from.base) + (y * from.pitch) as u64, &mut line);
            memory.write(u64::from(self.base) + (y * self.pitch) as u64, &line);
        }
    }

    /// The sum of all bytes.
    pub fn sum(&self, memory: &Memory) -> u64 {
        self.fold(memory, 0, |sum, byte| sum + u64::from(byte))
    }

    pub fn fold(&self, memory: &Memory, first: u64, mut add: impl FnMut(u64, u8) -> u64) -> u64 {
        let mut line = vec![0; self.width];
        (0..self.height).fold(first, |sum, y| {
            memory.read(u64::from(self.base) + (y * self.pitch) as u64, &mut line);
            line.iter().fold(sum, |sum, &byte| add(sum, byte))
        })
    }
}

/// A frame as the sampler reads it: one surface, its chroma planes below or beside the luma.
#[derive(Clone, Debug)]
pub(crate) struct Picture {
    pub planes: Vec<Plane>,
    sampling: Sampling,
    /// Columns and lines of the chroma planes in the surface.
    offsets: [(usize, usize); 2],
}

/// The largest column or line that a chroma offset can name.
const MOST: usize = 8191;

impl Picture {
    pub fn new(memory: &mut Memory, format: Format) -> Result<Picture, DriverError> {
        let Format { width, height, sampling, .. } = format;
        let size = (width, height);
        if sampling == Sampling::Mono {
            let planes = vec![Plane::new(memory, size)?];
            return Ok(Picture { planes, sampling, offsets: [(0, 0); 2] });
        }
        let offsets = offsets(format)?;
        let (across, down) = sampling.chroma_size(width, height);
        let [pitch, lines] =
            offsets.iter().fold([width, height], |[pitch, lines], &(x, y)| [pitch.max(x + across), lines.max(y + down)]);
        let pitch = pitch.next_multiple_of(ALIGN);
        let base = allocate(memory, pitch * lines, size)?;
        let chroma = |(x, y): (usize, usize)| Plane { base: base + (y * pitch + x) as u32, pitch, width: across, height: down };
        let planes = vec![Plane { base, pitch, width, height }, chroma(offsets[0]), chroma(offsets[1])];
        Ok(Picture { planes, sampling, offsets })
    }

    /// As the sampler reads it.
    pub fn state(&self) -> MediaSurfaceState {
        let [(x_cb, y_cb), (x_cr, y_cr)] = self.offsets.map(|(x, y)| (x as u32, y as u32));
        let luma = self.planes[0].media_state(match self.sampling {
            Sampling::Mono => format::Y8_UNORM,
            Sampling::C420 => format::PLANAR_420_8,
            Sampling::C411 => format::PLANAR_411_8,
            Sampling::C422 => format::PLANAR_422_8,
            Sampling::C444 => format::PLANAR_444_8,
        });
        MediaSurfaceState { x_offset_for_cb: x_cb, y_offset_for_cb: y_cb, x_offset_for_cr: x_cr, y_offset_for_cr: y_cr, ..luma }
    }

    pub fn import(&self, memory: &Memory, planes: &[BytePlane; 3]) {
        self.planes.iter().zip(planes).for_each(|(plane, from)| plane.import(memory, *from));
    }
}

/// Columns and lines of Cb and Cr in the surface of a frame: below the luma, side by side, if these can be named.
///
/// # Errors
/// [`DriverError::Size`] if no arrangement can.
pub(crate) fn offsets(format: Format) -> Result<[(usize, usize); 2], DriverError> {
    let Format { width, height, sampling, .. } = format;
    if sampling == Sampling::Mono {
        return Ok([(0, 0); 2]);
    }
    let (across, down) = sampling.chroma_size(width, height);
    let [right, beside] = [width, across].map(|width| width.next_multiple_of(ALIGN));
    let arrangements = [
        [(0, height), (beside, height)],
        [(0, height), (0, height + down)],
        [(right, 0), (right, down)],
        [(right, 0), (right + beside, 0)],
    ];
    let named = |offsets: &[(usize, usize); 2]| offsets.iter().all(|&(x, y)| x <= MOST && y <= MOST);
    let needs = "the offsets of chroma in a surface state have 13 bits, which cannot name its place";
    arrangements.into_iter().find(named).ok_or(DriverError::Size { width, height, needs })
}

/// A frame that leaves: planes for themselves, of full-sized chroma of one pitch.
pub(crate) fn planes(memory: &mut Memory, format: Format) -> Result<Vec<Plane>, DriverError> {
    (0..format.sampling.planes()).map(|index| Plane::new(memory, format.plane_size(index))).collect()
}

/// A frame from its planes.
pub(crate) fn export(memory: &Memory, planes: &[Plane], frame: &mut Frame) {
    for (plane, samples) in planes.iter().zip(frame.planes_mut()) {
        plane.export(memory, samples);
    }
}

/// Sets memory aside for a state.
pub(crate) fn reserve(memory: &mut Memory, bytes: usize) -> Result<u32, DriverError> {
    allocate(memory, bytes, (0, 0))
}

fn allocate(memory: &mut Memory, bytes: usize, (width, height): (usize, usize)) -> Result<u32, DriverError> {
    let needs = "the frames of a stream must fit into memory of 32-bit addresses";
    memory.allocate(bytes as u64, ALIGN as u32).ok_or(DriverError::Size { width, height, needs })
}

/// A binding table with its surface states.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Table {
    /// Offset from the surface state base.
    pub offset: u32,
    entries: u32,
}

/// Bytes from one surface state to the next.
const STATE: u32 = 32;

impl Table {
    /// Of so many entries, a multiple of 8.
    pub fn new(memory: &mut Memory, entries: u32) -> Result<Table, DriverError> {
        let offset = allocate(memory, ((4 + STATE) * entries) as usize, (0, 0))?;
        let table = Table { offset, entries };
        for entry in 0..entries {
            memory.set_dword(u64::from(offset + 4 * entry), table.state(entry));
        }
        Ok(table)
    }

    fn state(&self, entry: u32) -> u32 {
        self.offset + 4 * self.entries + STATE * entry
    }

    /// Lets an entry name a surface of the data port.
    pub fn bind(&self, machine: &Machine, entry: u32, state: &SurfaceState) {
        let dwords = state.encode().expect("the state of a plane");
        machine.memory.set_dwords(self.state(entry).into(), &dwords);
    }

    /// Lets an entry name a surface of the sampler.
    pub fn bind_media(&self, machine: &Machine, entry: u32, state: &MediaSurfaceState) {
        let dwords = state.encode().expect("the state of a picture");
        machine.memory.set_dwords(self.state(entry).into(), &dwords);
    }
}
