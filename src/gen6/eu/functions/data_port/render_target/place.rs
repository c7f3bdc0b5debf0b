//! The place of an element of a surface with levels and layers in memory.
use crate::gen6::eu::data::surface::{Layout, Tiling};
use crate::gen6::state::SurfaceState;

/// The types of surfaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Line,
    Plane,
    Volume,
    Cube,
    Buffer,
}

/// The level of a surface that is written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    kind: Kind,
    state: SurfaceState,
    layout: Layout,
    /// Bytes of an element.
    bytes: usize,
}

/// The size at level `level` of a size at level 0.
fn smaller(size: u32, level: u32) -> usize {
    (size >> level).max(1) as usize
}

impl Target {
    /// The surface of a state with elements of `bytes` bytes; none for a null surface.
    ///
    /// # Errors
    /// The property that render target writes do not support.
    pub fn of(state: SurfaceState, bytes: usize) -> Result<Option<Target>, &'static str> {
        let kind = match state.surface_type {
            0 => Kind::Line,
            1 => Kind::Plane,
            2 => Kind::Volume,
            3 => Kind::Cube,
            4 => Kind::Buffer,
            _ => return Ok(None),
        };
        let tiling = Tiling::from_state(state.tiled_surface, state.tile_walk);
        let layout = Layout { base: state.surface_base_address, pitch: state.surface_pitch as usize, tiling };
        let is_tiled = tiling != Tiling::Linear;
        let refused = [
            (state.vertical_line_stride == 1, "a field"),
            (state.number_of_multisamples != 0, "more than one sample a pixel"),
            (state.render_target_rotation != 0, "a rotated surface"),
            (is_tiled && kind == Kind::Buffer, "a buffer in tiles"),
            (is_tiled && !layout.pitch.is_multiple_of(tiling.width()), "a pitch that is no multiple of the tile width"),
            (!is_tiled && (state.x_offset, state.y_offset) != (0, 0), "an offset without tiles"),
        ];
        match refused.into_iter().find(|(is_so, _)| *is_so) {
            Some((_, reason)) => Err(reason),
            None => Ok(Some(Target { kind, state, layout, bytes })),
        }
    }

    /// Whether the surface is in tiles.
    pub fn is_tiled(&self) -> bool {
        self.layout.tiling != Tiling::Linear
    }

    /// The first byte and the line of an element, to be written by [`layout`](Target::layout); none
    /// outside the surface.
    pub fn element(&self, x: u32, y: u32, array_index: u32) -> Option<(usize, usize)> {
        let state = &self.state;
        let (x, y, level) = (x as usize, y as usize, state.mip_count);
        if self.kind == Kind::Buffer {
            let entries = (((state.depth - 1) & 0x7f) << 20 | (state.height - 1) << 7 | (state.width - 1) & 0x7f) as usize + 1;
            return (x < entries && y == 0).then(|| (x * state.surface_pitch as usize, 0));
        }
        let height = if self.kind == Kind::Line { 1 } else { state.height };
        if x >= smaller(state.width, level) || y >= smaller(height, level) {
            return None;
        }
        // An index that is out of range is the first element.
        let first = state.minimum_array_element;
        let last = first + if self.kind == Kind::Cube { 5 } else { state.depth - 1 };
        let layer = if (first..=last).contains(&array_index) { array_index } else { first };
        let (left, top) = match self.kind {
            Kind::Volume if layer as usize >= smaller(state.depth, level) => return None,
            Kind::Volume => self.volume_level(level, layer as usize),
            _ => self.plane_level(level, layer as usize),
        };
        let (left, top) = (left + state.x_offset as usize, top + state.y_offset as usize);
        Some(((left + x) * self.bytes, top + y))
    }

    /// The mapping of bytes and lines to addresses.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The width of a level in memory.
    fn aligned_width(&self, level: u32) -> usize {
        smaller(self.state.width, level).next_multiple_of(4)
    }

    /// The multiple that heights in memory have.
    fn row_step(&self) -> usize {
        if self.state.surface_vertical_alignment == 1 { 4 } else { 2 }
    }

    /// The height of a level in memory.
    fn aligned_height(&self, level: u32) -> usize {
        let height = if self.kind == Kind::Line { 1 } else { self.state.height };
        smaller(height, level).next_multiple_of(self.row_step())
    }

    /// Column and line where a level of layer `layer` begins.
    fn plane_level(&self, level: u32, layer: usize) -> (usize, usize) {
        let heights = |levels: std::ops::Range<u32>| levels.map(|level| self.aligned_height(level)).sum::<usize>();
        let is_right = self.state.mip_map_layout_mode == 1;
        let (left, top) = match level {
            0 => (0, 0),
            _ if is_right => (self.aligned_width(0), heights(1..level)),
            1 => (0, self.aligned_height(0)),
            _ => (self.aligned_width(1), self.aligned_height(0) + heights(2..level)),
        };
        (left, top + layer * (heights(0..2) + 11 * self.row_step()))
    }

    /// The same for slice `slice` of a volume.
    fn volume_level(&self, level: u32, slice: usize) -> (usize, usize) {
        let rows = |level: u32| smaller(self.state.depth, level).div_ceil(1 << level) * self.aligned_height(level);
        let top = (0..level).map(rows).sum::<usize>();
        let (column, row) = (slice % (1 << level), slice >> level);
        (column * self.aligned_width(level), top + row * self.aligned_height(level))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(state: SurfaceState) -> Target {
        Target::of(SurfaceState { surface_pitch: 256, ..state }, 2).unwrap().unwrap()
    }

    fn at(state: SurfaceState, x: u32, y: u32, index: u32) -> Option<(usize, usize)> {
        target(state).element(x, y, index)
    }

    #[test]
    fn levels_of_a_plane() {
        let plane = |mip_count| SurfaceState { width: 13, height: 9, mip_count, ..SurfaceState::default() };
        assert_eq!([at(plane(0), 12, 8, 0), at(plane(0), 13, 0, 0), at(plane(0), 0, 9, 0)], [Some((24, 8)), None, None]);
        // Sizes 6×4, 3×2 and 1×1; rows of level 0 end at 10.
        assert_eq!([at(plane(1), 1, 1, 0), at(plane(1), 6, 0, 0)], [Some((2, 11)), None]);
        assert_eq!([at(plane(2), 0, 0, 0), at(plane(3), 0, 0, 0)], [Some((16, 10)), Some((16, 12))]);
        let right = |mip_count| SurfaceState { mip_map_layout_mode: 1, ..plane(mip_count) };
        assert_eq!([at(right(1), 0, 0, 0), at(right(2), 1, 1, 0)], [Some((32, 0)), Some((34, 5))]);
        let aligned = SurfaceState { surface_vertical_alignment: 1, ..plane(2) };
        assert_eq!(at(aligned, 0, 0, 0), Some((16, 12)));
    }

    #[test]
    fn layers() {
        let array = SurfaceState { width: 8, height: 8, depth: 3, minimum_array_element: 1, ..SurfaceState::default() };
        // 8 rows, 4 of the next level, 22 between them.
        assert_eq!([1, 3].map(|index| at(array, 0, 0, index)), [Some((0, 34)), Some((0, 102))]);
        assert_eq!([0, 4].map(|index| at(array, 0, 0, index)), [Some((0, 34)); 2]);
        let cube = SurfaceState { surface_type: 3, minimum_array_element: 0, depth: 1, ..array };
        assert_eq!([5, 6].map(|index| at(cube, 0, 0, index)), [Some((0, 170)), Some((0, 0))]);
        let line = SurfaceState { surface_type: 0, height: 1, ..array };
        assert_eq!([at(line, 7, 0, 1), at(line, 0, 1, 1)], [Some((14, 26)), None]);
    }

    #[test]
    fn slices_of_a_volume() {
        let volume =
            |mip_count| SurfaceState { surface_type: 2, width: 8, height: 4, depth: 5, mip_count, ..SurfaceState::default() };
        assert_eq!([at(volume(0), 0, 1, 4), at(volume(1), 0, 0, 0)], [Some((0, 17)), Some((0, 20))]);
        // Two slices of level 1 side by side; it has no third.
        assert_eq!([at(volume(1), 1, 1, 1), at(volume(1), 0, 0, 2)], [Some((10, 21)), None]);
    }

    #[test]
    fn buffers() {
        let buffer = SurfaceState { surface_type: 4, width: 2, height: 3, ..SurfaceState::default() };
        assert_eq!([at(buffer, 257, 0, 0), at(buffer, 258, 0, 0), at(buffer, 0, 1, 0)], [Some((257 * 256, 0)), None, None]);
    }
}
