//! Tiling of surfaces in memory, and the surfaces of the data port (§7.3, volume 4 part 1, 2.11.2).
use super::memory::Memory;
use crate::gen6::state::SurfaceState;

/// The order of the bytes of a surface in memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tiling {
    /// Line by line.
    #[default]
    Linear,
    /// Tiles of 512 bytes × 8 lines, each line by line.
    X,
    /// Tiles of 128 bytes × 32 lines, each by columns of 16 bytes.
    Y,
}

impl Tiling {
    /// The tiling of the state fields `tiled_surface` and `tile_walk`.
    pub fn from_state(tiled: u32, walk: u32) -> Tiling {
        match (tiled, walk) {
            (0, _) => Tiling::Linear,
            (_, 0) => Tiling::X,
            _ => Tiling::Y,
        }
    }

    /// Bytes in a line of a tile; 1 without tiles.
    pub fn width(self) -> usize {
        match self {
            Tiling::Linear => 1,
            Tiling::X => 512,
            Tiling::Y => 128,
        }
    }
}

/// The mapping from byte x of line y of a surface to an address.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// Address of the first tile, or of the first byte.
    pub base: u32,
    /// Bytes from one line to the next; a multiple of the tile width.
    pub pitch: usize,
    /// The order of the bytes.
    pub tiling: Tiling,
}

impl Layout {
    /// Address of byte `x` of line `y`, at most `u64::MAX`.
    pub fn address(&self, x: usize, y: usize) -> u64 {
        // 128 bits hold the products of any two numbers.
        let product = |a: usize, b: usize| a as u128 * b as u128;
        let offset = match self.tiling {
            Tiling::Linear => product(y, self.pitch) + x as u128,
            Tiling::X => (product(y / 8, self.pitch / 512) + (x / 512) as u128) * 4096 + (y % 8 * 512 + x % 512) as u128,
            Tiling::Y => {
                let within = x % 128 / 16 * 512 + y % 32 * 16 + x % 16;
                (product(y / 32, self.pitch / 128) + (x / 128) as u128) * 4096 + within as u128
            }
        };
        u64::try_from(offset + u128::from(self.base)).unwrap_or(u64::MAX)
    }

    /// Number of bytes from byte `x` on with consecutive addresses.
    fn contiguous(&self, x: usize) -> usize {
        match self.tiling {
            Tiling::Linear => usize::MAX,
            Tiling::X => 512 - x % 512,
            Tiling::Y => 16 - x % 16,
        }
    }

    /// Reads bytes of line `y` from byte `x` on.
    pub fn read(&self, memory: &Memory, mut x: usize, y: usize, mut bytes: &mut [u8]) {
        while !bytes.is_empty() {
            let (part, rest) = bytes.split_at_mut(bytes.len().min(self.contiguous(x)));
            memory.read(self.address(x, y), part);
            x = x.saturating_add(part.len());
            bytes = rest;
        }
    }

    /// Writes bytes of line `y` from byte `x` on.
    pub fn write(&self, memory: &Memory, mut x: usize, y: usize, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let (part, rest) = bytes.split_at(bytes.len().min(self.contiguous(x)));
            memory.write(self.address(x, y), part);
            x = x.saturating_add(part.len());
            bytes = rest;
        }
    }
}

/// The kinds of surfaces that the data port accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SurfaceKind {
    /// A two-dimensional surface.
    Plane,
    /// An array of bytes.
    Buffer,
    /// No memory: reads give 0, writes are dropped.
    Null,
}

/// The line that is read in place of lines above and below a surface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Boundary {
    /// The nearest line of the surface, which is a frame or a field.
    #[default]
    Normal,
    /// The nearest line of the frame, even if the surface is a field.
    Progressive,
    /// The nearest line of the field that the line belongs to, even if the surface is a frame.
    Interlaced,
}

/// A surface of the data port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Surface {
    pub kind: SurfaceKind,
    /// Format of its samples, 9 bits.
    pub format: u32,
    /// The mapping of its lines; for a field, of the lines of its frame.
    pub layout: Layout,
    /// Byte and line of the first tile that the surface starts with.
    pub origin: (usize, usize),
    /// Bytes in a line; for a buffer all bytes.
    pub width: usize,
    pub height: usize,
    /// First line, 0 or 1, of a field: every second line of a frame. None for a frame.
    pub field: Option<usize>,
    /// The line that is read in place of lines outside.
    pub boundary: Boundary,
}

impl Surface {
    /// The surface of a state for media block messages and for messages that access buffers.
    ///
    /// # Errors
    /// The property that these messages do not support.
    pub fn from_state(state: &SurfaceState) -> Result<Surface, &'static str> {
        let (width, height, depth) = (state.width as usize, state.height as usize, state.depth as usize);
        let kind = match state.surface_type {
            1 => SurfaceKind::Plane,
            4 => SurfaceKind::Buffer,
            7 => SurfaceKind::Null,
            _ => return Err("neither a plane nor a buffer"),
        };
        let tiling = Tiling::from_state(state.tiled_surface, state.tile_walk);
        let (layout, origin) = (
            Layout { base: state.surface_base_address, pitch: state.surface_pitch as usize, tiling },
            (4 * state.x_offset as usize, state.y_offset as usize),
        );
        let field = (state.vertical_line_stride == 1).then_some(state.vertical_line_stride_offset as usize);
        let boundary = match state.media_boundary_pixel_mode {
            2 => Boundary::Progressive,
            3 => Boundary::Interlaced,
            _ => Boundary::Normal,
        };
        let (width, height) = match kind {
            SurfaceKind::Plane if depth > 1 || state.mip_count > 0 => return Err("an array or a mip map"),
            SurfaceKind::Plane if tiling != Tiling::Linear && layout.pitch % tiling.width() != 0 => {
                return Err("a pitch that is no multiple of the tile width");
            }
            SurfaceKind::Plane if tiling == Tiling::Linear && origin != (0, 0) => return Err("an offset without tiles"),
            SurfaceKind::Plane => (4 * width, height),
            SurfaceKind::Buffer if tiling != Tiling::Linear => return Err("a buffer in tiles"),
            // Three fields hold the bits of the number of elements minus 1.
            SurfaceKind::Buffer => (16 * ((((depth - 1) & 0x7f) << 20 | (height - 1) << 7 | (width - 1) & 0x7f) + 1), 1),
            SurfaceKind::Null => (0, 0),
        };
        Ok(Surface { kind, format: state.surface_format, layout, origin, width, height, field, boundary })
    }

    /// The line of the frame that is line `y` of the surface.
    pub fn frame_line(&self, y: usize) -> usize {
        self.field.map_or(y, |first| 2 * y + first) + self.origin.1
    }
}

/// The state of a buffer of `elements` elements of 16 bytes each, 1 to 1 << 27.
pub fn buffer_state(base: u32, elements: u32) -> SurfaceState {
    let last = elements.max(1) - 1;
    SurfaceState {
        surface_type: 4,
        surface_base_address: base,
        width: (last & 0x7f) + 1,
        height: (last >> 7 & 0x1fff) + 1,
        depth: (last >> 20 & 0x7f) + 1,
        surface_pitch: 16,
        ..SurfaceState::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With any tiling, different bytes of a surface have different addresses within the same
    /// memory.
    #[test]
    fn tiles_hold_each_byte_once() {
        for tiling in [Tiling::Linear, Tiling::X, Tiling::Y] {
            let layout = Layout { base: 64, pitch: 1024, tiling };
            let mut addresses: Vec<u64> = (0..64).flat_map(|y| (0..1024).map(move |x| layout.address(x, y))).collect();
            addresses.sort_unstable();
            assert!(addresses.into_iter().eq(64..64 + 65536), "{tiling:?}");
        }
        let x = Layout { base: 0, pitch: 1024, tiling: Tiling::X };
        assert_eq!([(511, 0), (0, 1), (512, 0), (0, 8)].map(|(x_, y)| x.address(x_, y)), [511, 512, 4096, 8192]);
        let y = Layout { base: 0, pitch: 256, tiling: Tiling::Y };
        assert_eq!([(15, 0), (0, 1), (16, 0), (128, 0), (0, 32)].map(|(x, y_)| y.address(x, y_)), [15, 16, 512, 4096, 8192]);
    }

    #[test]
    fn lines_cross_tiles() {
        for tiling in [Tiling::Linear, Tiling::X, Tiling::Y] {
            let (memory, layout) = (Memory::new(1 << 16), Layout { base: 0, pitch: 1024, tiling });
            let bytes: Vec<u8> = (0..600).map(|x| (x * 7 + 1) as u8).collect();
            layout.write(&memory, 333, 9, &bytes);
            let mut read = vec![0; 1024];
            layout.read(&memory, 0, 9, &mut read);
            assert_eq!(read, [vec![0; 333], bytes, vec![0; 91]].concat());
        }
    }
}
