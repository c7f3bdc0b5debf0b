//! Film mode detection (FMD): the variances v0…v10 of a frame (§4.1).
use crate::format::Rect;
use crate::memory::{OutOfMemory, with_capacity, zeroed};
use crate::parameters::field::parameters;
use crate::plane::PlaneView;
use dndi_simd::{FmdRows, FmdSums, FmdThresholds, Kernels};

parameters! {
    /// Parameters of the variances of film mode detection.
    FmdParameters {
        /// sum of squared temporal differences of two lines above which a pixel is moving
        fmd_tdiff: u8 = 175 in 0..=255;
        /// vertical roughness within a field below which a pixel can be a tear, in code values
        fmd_vdiff1: u8 = 16 in 0..=255;
        /// smallest squared difference between the fields of a tear
        fmd_vdiff2: u8 = 100 in 0..=255;
        /// number of tears of a 16x4 block below which they count as none
        fmd_thr_tear: u8 = 2 in 0..=63;
    }
}

/// Width of a block in pixels.
const BLOCK: usize = 16;

/// Input of the measure. All lines that it reads of the view C (§1.5) are denoised ones, so that
/// the denoised frame serves.
#[derive(Clone, Copy)]
pub(crate) struct Input<'a> {
    pub kernels: &'a Kernels,
    pub parameters: &'a FmdParameters,
    /// Size of the picture.
    pub size: (usize, usize),
    /// The denoised current frame.
    pub current: PlaneView<'a>,
    /// The denoised previous frame; none on the first step.
    pub previous: Option<PlaneView<'a>>,
}

/// Scratch buffers for a tile.
#[derive(Debug)]
pub(crate) struct Scratch {
    /// Tear flags of the tile's even lines and of one more above and below, each line with one
    /// pixel more on both sides.
    tears: Vec<u8>,
    /// v0…v7 of each block.
    sums: Vec<FmdSums>,
    /// v8…v10 of each block.
    counts: Vec<[u32; 3]>,
    /// Sums of pixels that belong to another tile; not used.
    discarded: Vec<FmdSums>,
}

impl Scratch {
    /// Buffers for tiles up to `width` × `height` pixels.
    pub fn new(width: usize, height: usize) -> Result<Scratch, OutOfMemory> {
        let (columns, rows) = (width.div_ceil(BLOCK), height.div_ceil(4));
        Ok(Scratch {
            tears: zeroed((height / 2 + 2) * (width + 2))?,
            sums: zeroed(columns * rows)?,
            counts: zeroed(columns * rows)?,
            discarded: zeroed(columns)?,
        })
    }
}

/// Adds the variances of a rectangle whose corner lies on the 16×4 grid to `v`.
pub(crate) fn tile(input: &Input, rect: Rect, scratch: &mut Scratch, v: &mut [u64; 11]) {
    let Scratch { tears, sums, counts, discarded } = scratch;
    let (columns, length) = (rect.width.div_ceil(BLOCK), rect.width + 2);
    let blocks = columns * rect.height.div_ceil(4);
    let (tears, sums, counts) = (&mut tears[..(rect.height / 2 + 2) * length], &mut sums[..blocks], &mut counts[..blocks]);
    sums.fill([0; 8]);
    counts.fill([0; 3]);
    for (i, flags) in tears.chunks_exact_mut(length).enumerate() {
        let inside = (1..=rect.height / 2).contains(&i);
        let sums = if inside { &mut sums[(i - 1) / 2 * columns..][..columns] } else { &mut discarded[..columns] };
        measure_line(input, rect, (rect.y + 2 * i) as isize - 2, sums, flags);
    }
    for i in 0..rect.height / 2 {
        let [above, flags, below] = [i, i + 1, i + 2].map(|i| &tears[i * length..][..length]);
        (input.kernels.tears)(&mut counts[i / 2 * columns..][..columns], above, flags, below);
    }
    for (sums, counts) in sums.iter().zip(counts.iter()) {
        add_block(v, sums, *counts, input.parameters.fmd_thr_tear as u32);
    }
}

/// The tear flags of each pixel of the even lines that a neighbour confirms (§4.1): bit 0 TEAR1,
/// bit 1 TEAR2, bit 2 TEAR3. Blocks with few tears are included.
pub(crate) fn tears(input: &Input) -> Result<Vec<u8>, OutOfMemory> {
    let (width, height) = input.size;
    let rect = Rect { x: 0, y: 0, width, height };
    let length = width + 2;
    let mut flags = zeroed(length * (height / 2 + 2))?;
    let mut discarded = zeroed(width.div_ceil(BLOCK))?;
    for (i, flags) in flags.chunks_exact_mut(length).enumerate() {
        measure_line(input, rect, 2 * i as isize - 2, &mut discarded, flags);
    }
    let mut kept = with_capacity(width * (height / 2))?;
    for row in 1..=height / 2 {
        let [above, flags, below] = [row - 1, row, row + 1].map(|row| &flags[row * length..][..length]);
        kept.extend((1..=width).map(|x| flags[x] & (flags[x - 1] | flags[x + 1] | above[x] | below[x])));
    }
    Ok(kept)
}

/// Measures the even line `y` and the odd one below it; a line outside the picture has no tears.
/// `flags` begins one pixel left of the rectangle and ends one pixel right of it.
fn measure_line(input: &Input, rect: Rect, y: isize, sums: &mut [FmdSums], flags: &mut [u8]) {
    let th = FmdThresholds {
        fmd_tdiff: input.parameters.fmd_tdiff,
        fmd_vdiff1: input.parameters.fmd_vdiff1,
        fmd_vdiff2: input.parameters.fmd_vdiff2,
    };
    flags.fill(0);
    if y < 0 || y >= input.size.1 as isize {
        return;
    }
    let measure = |x: usize, sums: &mut [FmdSums], flags: &mut [u8]| {
        let rows = FmdRows {
            c: [-2, -1, 0, 1, 2, 3].map(|line| input.current.row(y + line, x as isize, flags.len())),
            p: input.previous.map(|previous| [-1, 0, 1, 2].map(|line| previous.row(y + line, x as isize, flags.len()))),
        };
        (input.kernels.fmd)(sums, flags, &rows, &th);
    };
    measure(rect.x, sums, &mut flags[1..=rect.width]);
    // Only the flags of the pixels beside the rectangle count.
    if rect.x > 0 {
        measure(rect.x - 1, &mut [[0; 8]], &mut flags[..1]);
    }
    if rect.x + rect.width < input.size.0 {
        measure(rect.x + rect.width, &mut [[0; 8]], &mut flags[rect.width + 1..]);
    }
}

/// Adds the sums of one block to those of the frame.
fn add_block(v: &mut [u64; 11], sums: &FmdSums, mut tears: [u32; 3], thr_tear: u32) {
    let mut moving = sums[7];
    if tears[0] > tears[1] && tears[0] > tears[2] {
        (moving, tears) = (0, [0; 3]);
    }
    for count in &mut tears {
        if *count < thr_tear {
            *count = 0;
        }
    }
    for (v, sum) in v.iter_mut().zip(&sums[..5]) {
        *v += (sum / 16) as u64;
    }
    let [v8, v9, v10] = tears;
    for (v, count) in v[5..].iter_mut().zip([sums[5], sums[6], moving, v8, v9, v10]) {
        *v += count as u64;
    }
}
