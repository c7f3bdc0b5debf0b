//! What vertical motion does to lines that are woven but belong to different times.
//!
//! A picture's line is as like the line above it as the one below. If one of the fields is later, and the picture moved up or down
//! meanwhile, its lines are nearer to those on one side; nearer to the other side if it is earlier. That tells where combing
//! does not: text that rolls by a line from frame to frame combs least where a field is woven with another picture's, for then lines
//! come in pairs.
use super::cadence_fit::SURE;
use super::frame_metrics::Contrast;
use super::sampling;
use dndi_simd::Tile;

/// Mean square of a difference beyond which something moves.
const MOVES: u32 = 2;

/// How much more the lines of a weave differ from those above than from those below.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Shear {
    /// The frame's own fields.
    inside: Contrast,
    /// Its first field and the second one of the frame before, for each order.
    across: [Contrast; 2],
    /// How much more lines of both fields differ from their neighbours than lines of one field, a quarter more, from theirs.
    strange: Contrast,
}

impl Shear {
    /// Of a frame and the one before it where anything changed: what stands still tells nothing, but may have lines in pairs.
    pub fn of(tiles: &[Tile]) -> Shear {
        let least = MOVES * (sampling::change_samples(0) + sampling::change_samples(1));
        let moving = || tiles.iter().filter(|tile| tile.changed[0] + tile.changed[1] > least);
        let of = |measure: fn(&Tile) -> i32| Contrast::of(moving().map(|tile| measure(tile) as i64));
        Shear {
            inside: of(|tile| tile.shear),
            across: [of(|tile| tile.shear_across[0]), of(|tile| tile.shear_across[1])],
            strange: of(|tile| tile.strange),
        }
    }

    /// Whether the fields of the frame are surely of one time: the frame before lies as far to the one side of both as to the other.
    pub fn is_whole(&self) -> bool {
        let [top_first, bottom_first] = self.across;
        opposed(top_first, bottom_first, 4) && 3 * self.inside.size() <= 2 * top_first.size().min(bottom_first.size())
    }

    /// Whether the fields on both sides of the borders before and inside the frame are surely of three times.
    pub fn is_apart(&self, order: usize) -> bool {
        opposed(self.across[order], self.inside, 2)
    }

    /// The same of the borders inside the frame and after it.
    pub fn is_apart_from(&self, next: &Shear, order: usize) -> bool {
        opposed(self.inside, next.across[order], 2)
    }

    /// Whether the fields of the frame have less to do with each other than lines of one field have.
    pub fn is_strange(&self) -> bool {
        self.strange.strength() >= SURE
    }
}

/// Whether two weaves are surely sheared, to opposite sides and neither `ratio` times as much as the other.
fn opposed(a: Contrast, b: Contrast, ratio: u64) -> bool {
    let sure = a.strength().abs() >= SURE && b.strength().abs() >= SURE;
    sure && (a.strength() < 0) != (b.strength() < 0) && a.size() <= ratio * b.size() && b.size() <= ratio * a.size()
}
