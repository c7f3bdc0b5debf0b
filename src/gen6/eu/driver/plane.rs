//! Planes of bytes in memory, and the surface states that describe them.
use super::error::DriverError;
use crate::error::Error;
use crate::format::Format;
use crate::frame::{Frame, InputPlane};
use crate::gen6::eu::data::memory::Memory;
use crate::gen6::state::{MediaSurfaceState, SurfaceState};

/// Surface format of a plane of bytes for the data port: R8_UNORM.
const BYTES: u32 = 0x140;

/// Alignment of planes and pitches in bytes.
pub(super) const ALIGN: usize = 64;

/// A plane of bytes in memory.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Plane {
    /// Address of the first byte.
    pub base: u32,
    /// Bytes from one line to the next.
    pub pitch: usize,
    pub width: usize,
    pub height: usize,
}

impl Plane {
    /// Allocates a plane.
    pub fn new(memory: &mut Memory, (width, height): (usize, usize)) -> Result<Plane, DriverError> {
        let pitch = width.next_multiple_of(ALIGN);
        let base = allocate(memory, pitch * height, (width, height))?;
        Ok(Plane { base, pitch, width, height })
    }

    /// The surface state for media blocks, whose width is in whole DWords.
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

    /// The surface state for the sampler.
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

    /// Copies the caller's plane.
    pub fn import(&self, memory: &Memory, plane: InputPlane) {
        for y in 0..self.height {
            memory.write(self.address(y), &plane.data[y * plane.stride..][..self.width]);
        }
    }

    /// Copies the plane to samples without gaps.
    fn export(&self, memory: &Memory, samples: &mut [u8]) {
        for (y, line) in samples.chunks_exact_mut(self.width.max(1)).enumerate().take(self.height) {
            memory.read(self.address(y), line);
        }
    }

    /// Copies another plane of the same size.
    pub fn copy(&self, memory: &Memory, from: &Plane) {
        let mut line = vec![0; self.width];
        for y in 0..self.height {
            memory.read(from.address(y), &mut line);
            memory.write(self.address(y), &line);
        }
    }

    /// The sum of all bytes.
    pub fn sum(&self, memory: &Memory) -> u64 {
        self.fold(memory, |sum, byte| sum + u64::from(byte))
    }

    /// Number of bytes below `limit`.
    pub fn count_below(&self, memory: &Memory, limit: u8) -> u64 {
        self.fold(memory, |count, byte| count + u64::from(byte < limit))
    }

    fn fold(&self, memory: &Memory, add: impl Fn(u64, u8) -> u64) -> u64 {
        let mut line = vec![0; self.width];
        (0..self.height).fold(0, |total, y| {
            memory.read(self.address(y), &mut line);
            line.iter().fold(total, |total, &byte| add(total, byte))
        })
    }

    /// Address of line `y`.
    fn address(&self, y: usize) -> u64 {
        u64::from(self.base) + (y * self.pitch) as u64
    }
}

/// Allocates the planes of a frame.
pub(super) fn planes(memory: &mut Memory, format: Format) -> Result<Vec<Plane>, DriverError> {
    (0..format.sampling.planes()).map(|index| Plane::new(memory, format.plane_size(index))).collect()
}

/// Copies planes to a frame.
pub(super) fn export(memory: &Memory, planes: &[Plane], frame: &mut Frame) {
    for (plane, samples) in planes.iter().zip(frame.byte_planes_mut()) {
        plane.export(memory, samples);
    }
}

/// Allocates memory for a state.
pub(super) fn reserve(memory: &mut Memory, bytes: usize) -> Result<u32, DriverError> {
    allocate(memory, bytes, (0, 0))
}

/// Allocates `bytes` bytes for a picture of `width` × `height`.
pub(super) fn allocate(memory: &mut Memory, bytes: usize, size: (usize, usize)) -> Result<u32, DriverError> {
    allocate_aligned(memory, bytes, ALIGN, size)
}

/// The same at a multiple of `align` bytes.
pub(super) fn allocate_aligned(
    memory: &mut Memory,
    bytes: usize,
    align: usize,
    (width, height): (usize, usize),
) -> Result<u32, DriverError> {
    let needs = "the frames of a stream must fit into memory of 32-bit addresses";
    memory.try_allocate(bytes as u64, align as u32).map_err(Error::from)?.ok_or(DriverError::Size { width, height, needs })
}
