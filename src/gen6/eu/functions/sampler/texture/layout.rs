//! The position of texels in memory: levels, slices, samples (§10.2).
use crate::gen6::eu::data::memory::Memory;
use crate::gen6::eu::data::surface;

/// Columns of texels that the width of a level is rounded up to.
const COLUMNS: u32 = 4;
/// Rows between the slices of an array besides those of its first two levels, in units of the
/// vertical alignment.
const SLICE_ROWS: u64 = 11;

/// The layout of a surface in memory.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// The addresses of its bytes.
    pub bytes: surface::Layout,
    /// Texel and row of the first tile that the surface starts with.
    pub origin: [usize; 2],
    /// First line of a field in its frame.
    pub field: Option<usize>,
    /// Rows that the height of a level is rounded up to, if the format has no blocks.
    pub alignment: u32,
    /// Whether level 1 is to the right of level 0, not below it.
    pub right: bool,
    /// Whether slices are those of a volume, not those of an array.
    pub is_volume: bool,
    /// Size of level 0 in texels, with the samples of each pixel.
    pub size: [u32; 3],
    /// Texels of the width and height of an element.
    pub block: u32,
    /// Bits of an element.
    pub bits: usize,
}

impl Layout {
    /// Size of a level in texels, at least 1.
    pub fn level_size(&self, level: u32) -> [u32; 3] {
        self.size.map(|size| size.checked_shr(level).unwrap_or(0).max(1))
    }

    /// Columns of elements that a level takes.
    fn columns(&self, level: u32) -> u64 {
        let width = self.level_size(level)[0];
        u64::from(width.next_multiple_of(COLUMNS) / self.block)
    }

    /// Rows of elements that a slice of a level takes.
    fn rows(&self, level: u32) -> u64 {
        u64::from(self.level_size(level)[1].div_ceil(self.block).next_multiple_of(self.row_alignment()))
    }

    /// Rows of elements that heights are multiples of.
    fn row_alignment(&self) -> u32 {
        if self.block > 1 { 1 } else { self.alignment }
    }

    /// Column and row of the first element of a slice of a level.
    fn start(&self, level: u32, slice: u32) -> [u64; 2] {
        let slice = u64::from(slice);
        if self.is_volume {
            // Level n has 2^n slices side by side.
            let lines = |level: u32| u64::from(self.level_size(level)[2]).div_ceil(1 << level);
            let above: u64 = (0..level).map(|level| lines(level) * self.rows(level)).sum();
            let across = slice % (1 << level);
            return [across * self.columns(level), above + (slice >> level) * self.rows(level)];
        }
        let step = self.rows(0) + self.rows(1) + SLICE_ROWS * u64::from(self.row_alignment());
        let [column, row] = match (level, self.right) {
            (0, _) => [0, 0],
            (_, true) => [self.columns(0), (1..level).map(|level| self.rows(level)).sum()],
            (1, _) => [0, self.rows(0)],
            _ => [self.columns(1), self.rows(0) + (2..level).map(|level| self.rows(level)).sum::<u64>()],
        };
        [column, row + slice * step]
    }

    /// The element that contains texel (x, y) of a slice of a level. The texel must lie inside.
    pub fn element(&self, memory: &Memory, level: u32, slice: u32, [x, y]: [u32; 2]) -> u128 {
        let [column, row] = self.start(level, slice);
        let column = column + u64::from(x / self.block) + self.origin[0] as u64;
        let row = row + u64::from(y / self.block);
        let line = self.field.map_or(row, |first| 2 * row + first as u64) + self.origin[1] as u64;
        self.read(memory, column as usize * self.bits, line as usize)
    }

    /// The bytes of the pair of texels that contains texel (x, y) of a slice of level 0.
    pub fn pair(&self, memory: &Memory, slice: u32, [x, y]: [u32; 2]) -> [u8; 4] {
        let element = |x: u32| self.element(memory, 0, slice, [x, y]) as u16;
        let ([a, b], [c, d]) = (element(x & !1).to_le_bytes(), element(x | 1).to_le_bytes());
        [a, b, c, d]
    }

    /// Element `number` of a buffer.
    pub fn entry(&self, memory: &Memory, number: u32) -> u128 {
        let mut bytes = [0; 16];
        let count = self.bits.div_ceil(8);
        memory.read(u64::from(self.bytes.base) + u64::from(number) * self.bytes.pitch as u64, &mut bytes[..count]);
        self.cut(u128::from_le_bytes(bytes), 0)
    }

    /// The element that starts with a bit of a line.
    fn read(&self, memory: &Memory, bit: usize, line: usize) -> u128 {
        let mut bytes = [0; 16];
        let count = self.bits.div_ceil(8);
        self.bytes.read(memory, bit / 8, line, &mut bytes[..count]);
        self.cut(u128::from_le_bytes(bytes), bit % 8)
    }

    /// The bits of an element from bit `first` on.
    fn cut(&self, bytes: u128, first: usize) -> u128 {
        bytes >> first & (u128::MAX >> (128 - self.bits))
    }
}
