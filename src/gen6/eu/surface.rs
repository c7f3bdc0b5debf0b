//! Where the bytes of a surface lie, and the surfaces of the data port (§7.3, volume 4 part 1, 2.11.2).
use super::memory::Memory;
use crate::gen6::state::SurfaceState;

/// How the bytes of a surface lie in memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tiling {
    /// Line after line.
    #[default]
    Linear,
    /// In tiles of 512 bytes × 8 lines, line after line in each.
    X,
    /// In tiles of 128 bytes × 32 lines, in each column after column of 16 bytes.
    Y,
}

impl Tiling {
    /// As the fields `tiled_surface` and `tile_walk` say.
    pub fn of(tiled: u32, walk: u32) -> Tiling {
        match (tiled, walk) {
            (0, _) => Tiling::Linear,
            (_, 0) => Tiling::X,
            _ => Tiling::Y,
        }
    }

    /// Bytes in a line of a tile; 1 of what has none.
    pub fn width(self) -> usize {
        match self {
            Tiling::Linear => 1,
            Tiling::X => 512,
            Tiling::Y => 128,
        }
    }
}

/// Where byte x of line y stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// Address of the first tile, or of the first byte.
    pub base: u32,
    /// Bytes from one line to the next; whole tiles.
    pub pitch: usize,
    /// How they lie.
    pub tiling: Tiling,
}

impl Layout {
    /// Address of byte `x` of line `y`.
    pub fn address(&self, x: usize, y: usize) -> u64 {
        let offset = match self.tiling {
            Tiling::Linear => y * self.pitch + x,
            Tiling::X => (y / 8 * (self.pitch / 512) + x / 512) * 4096 + y % 8 * 512 + x % 512,
            Tiling::Y => (y / 32 * (self.pitch / 128) + x / 128) * 4096 + x % 128 / 16 * 512 + y % 32 * 16 + x % 16,
        };
        u64::from(self.base) + offset as u64
    }

    /// Bytes that lie together from byte `x` on.
    fn run(&self, x: usize) -> usize {
        match self.tiling {
            Tiling::Linear => usize::MAX,
            Tiling::X => 512 - x % 512,
            Tiling::Y => 16 - x % 16,
        }
    }

    /// Reads bytes of line `y` from byte `x` on.
    pub fn read(&self, memory: &Memory, mut x: usize, y: usize, mut bytes: &mut [u8]) {
        while !bytes.is_empty() {
            let (part, rest) = bytes.split_at_mut(bytes.len().min(self.run(x)));
            memory.read(self.address(x, y), part);
            x += part.len();
            bytes = rest;
        }
    }

    /// Writes bytes of line `y` from byte `x` on.
    pub fn write(&self, memory: &Memory, mut x: usize, y: usize, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let (part, rest) = bytes.split_at(bytes.len().min(self.run(x)));
            memory.write(self.address(x, y), part);
            x += part.len();
            bytes = rest;
        }
    }
}

/// What a surface of the data port is; others than these are refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// A picture.
    Plane,
    /// An array.
    Buffer,
    /// Nothing: reads give 0, writes are dropped.
    Null,
}

/// Which line is read above and below a surface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Boundary {
    /// The nearest one of the frame, or of the field.
    #[default]
    Normal,
    /// The nearest one of the frame, also from a field.
    Progressive,
    /// The nearest one of the field that the line belongs to, also of a frame.
    Interlaced,
}

/// A surface of the data port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Surface {
    /// What it is.
    pub kind: Kind,
    /// Format of its samples, 9 bits.
    pub format: u32,
    /// Where its lines lie, those of a field among those of its frame.
    pub layout: Layout,
    /// Where it begins in its first tile: byte and line.
    pub origin: (usize, usize),
    /// Bytes in a line, of buffers in all.
    pub width: usize,
    /// Lines.
    pub height: usize,
    /// Whether it is every second line of a frame, and which is the first.
    pub field: Option<usize>,
    /// Which line is read outside.
    pub boundary: Boundary,
}

impl Surface {
    /// As media block messages and those that access buffers see it.
    ///
    /// # Errors
    /// What it is that they cannot use.
    pub fn of(state: &SurfaceState) -> Result<Surface, &'static str> {
        let (width, height, depth) = (state.width as usize, state.height as usize, state.depth as usize);
        let kind = match state.surface_type {
            1 => Kind::Plane,
            4 => Kind::Buffer,
            7 => Kind::Null,
            _ => return Err("neither a plane nor a buffer"),
        };
        let tiling = Tiling::of(state.tiled_surface, state.tile_walk);
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
            Kind::Plane if depth > 1 || state.mip_count > 0 => return Err("an array or a mip map"),
            Kind::Plane if tiling != Tiling::Linear && layout.pitch % tiling.width() != 0 => {
                return Err("a pitch of broken tiles");
            }
            Kind::Plane if tiling == Tiling::Linear && origin != (0, 0) => return Err("an offset without tiles"),
            Kind::Plane => (4 * width, height),
            Kind::Buffer if tiling != Tiling::Linear => return Err("a buffer in tiles"),
            // The bits of the number of elements less 1 are spread over three fields.
            Kind::Buffer => (16 * ((((depth - 1) & 0x7f) << 20 | (height - 1) << 7 | (width - 1) & 0x7f) + 1), 1),
            Kind::Null => (0, 0),
        };
        Ok(Surface { kind, format: state.surface_format, layout, origin, width, height, field, boundary })
    }

    /// Line of the frame that line `y` is.
    pub(crate) fn frame_line(&self, y: usize) -> usize {
        self.field.map_or(y, |first| 2 * y + first) + self.origin.1
    }
}

/// The state of a buffer of `elements` of 16 bytes, at most 1 << 27.
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

    /// Every byte of a surface has an address of its own, within the same memory, whatever the tiles.
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
