//! §16: denoising along motion. Every frame of a clip, from the frames of the input and the noise
//! levels.

mod transform;
mod weights;

use super::balanced::cuts;
use super::best::compensation::Compensated;
use super::best::pyramid::Pyramid;
use super::best::searches::Searches;
use super::best::vectors::Costs;
use super::picture::Plane;
use super::{Clip, Sampling, Scan};
use weights::{Cells, Reference};

/// σ of the luma and of chroma, in 1/64 of a code value of 8 bits.
pub type Sigmas = [i32; 2];

/// b of §16.1.
fn bits(n: u32) -> u32 {
    (n + 4).clamp(12, 16)
}

/// §16.2: the least and the largest σ of a level. The flatness of the picture decides between them,
/// and only with more than 8 bits.
pub fn sigma_of_level(level: i32, n: u32) -> (i32, i32) {
    let (least, whole, shift) = if n == 8 { (96, 160, 6) } else { (16, 32, 4) };
    let sigma = if level < least {
        0
    } else if level < whole {
        ((level - least) * level) >> shift
    } else {
        level
    };
    // The share of noise that is visible at any flatness.
    let visible = if n == 8 { 1024 } else { ((level.clamp(128, 192) - 128) * 1024 + 32) / 64 };
    let filtered = |sigma: i32| if sigma < 16 { 0 } else { sigma };
    (filtered((sigma * visible) >> 10), filtered(sigma))
}

/// The frames of the clip after the filter; `sigmas` are those of each frame.
pub fn run(clip: &Clip, scan: Scan, sigmas: &[Sigmas]) -> Clip {
    assert_eq!(sigmas.len(), clip.frames.len());
    let (step, firsts) = if scan == Scan::Progressive { (1, 0..1) } else { (2, 0..2) };
    let mut filtered = clip.clone();
    for first in firsts {
        let sequence = Sequence::new(clip, first, step);
        for (frame, planes) in filtered.frames.iter_mut().zip(sequence.outputs(sigmas)) {
            for ((samples, plane), size) in frame.iter_mut().zip(planes).zip(sizes(clip)) {
                for (i, row) in plane.into_samples().chunks(size.0.max(1)).enumerate() {
                    let y = first + i * step;
                    samples[y * size.0..(y + 1) * size.0].copy_from_slice(row);
                }
            }
        }
    }
    filtered
}

/// The sizes of the planes.
fn sizes(clip: &Clip) -> [(usize, usize); 3] {
    let chroma = clip.sampling.chroma_size(clip.width, clip.height);
    [(clip.width, clip.height), chroma, chroma]
}

/// The frames of a progressive clip, or its fields of one parity.
struct Sequence {
    n: u32,
    sampling: Sampling,
    /// The planes Y of each picture.
    pictures: Vec<Vec<Plane>>,
    /// For each picture, whether a cut lies between it and the one before.
    cuts: Vec<bool>,
}

/// A plane of a picture that is done.
struct Done {
    /// T.
    mean: Plane,
    /// ρ of each cell.
    variances: Cells,
}

impl Sequence {
    /// The pictures that consist of the lines first, first + step, … of the frames.
    fn new(clip: &Clip, first: usize, step: usize) -> Sequence {
        let n = clip.depth;
        let planes = if clip.sampling == Sampling::Mono { 1 } else { 3 };
        let picture = |frame: &[Vec<u16>; 3]| {
            let planes = (0..planes).map(|index| {
                let (width, height) = sizes(clip)[index];
                let lines = (first..height).step_by(step).count();
                Plane::from_fn(width as i32, lines as i32, false, bits(n), |x, y| {
                    let line = first + step * y as usize;
                    i32::from(frame[index][line * width + x as usize]) << (bits(n) - n)
                })
            });
            planes.collect()
        };
        let thumbnail = |frame: &[Vec<u16>; 3]| {
            let luma = Plane::new(clip.width, clip.height, false, n, frame[0].clone());
            cuts::thumbnail(&luma, first as i32)
        };
        let thumbnails: Vec<_> = clip.frames.iter().map(thumbnail).collect();
        let pictures = clip.frames.iter().map(picture).collect();
        Sequence { n, sampling: clip.sampling, pictures, cuts: cuts::between(&thumbnails) }
    }

    /// Whether R(k) of picture t exists.
    fn exists(&self, t: usize, k: i32) -> bool {
        match k {
            -1 => t > 0 && !self.cuts[t],
            1 => t + 1 < self.pictures.len() && !self.cuts[t + 1],
            _ => false,
        }
    }

    /// sx and sy of a plane.
    fn scale(&self, index: usize) -> (i32, i32) {
        match self.sampling {
            _ if index == 0 => (1, 1),
            Sampling::C420 => (2, 2),
            Sampling::C411 => (4, 1),
            Sampling::C422 => (2, 1),
            _ => (1, 1),
        }
    }

    /// The planes O of each picture.
    fn outputs(&self, sigmas: &[Sigmas]) -> Vec<Vec<Plane>> {
        let mut outputs = vec![];
        let mut before: Vec<Done> = vec![];
        let mut searches = Searches::default();
        for (t, &[luma, chroma]) in sigmas.iter().enumerate() {
            let planes = &self.pictures[t];
            let sigma = |index: usize| if index == 0 { luma } else { chroma };
            let is_filtered = (0..planes.len()).any(|index| sigma(index) > 0);
            searches = if is_filtered { self.searches(t, luma, &before, &searches) } else { Searches::default() };

            let (done, output) = (0..planes.len())
                .map(|index| match sigma(index) {
                    0 => self.unchanged(&planes[index]),
                    sigma => self.filtered(t, index, sigma, &before, &searches),
                })
                .unzip();
            before = done;
            outputs.push(output);
        }
        outputs
    }

    /// §16.4: the searches of a picture. `before` and `previous` are those of the previous picture.
    fn searches(&self, t: usize, sigma: i32, before: &[Done], previous: &Searches) -> Searches {
        let (distance, moving) = (3 + ((30 * sigma) >> 12), 12 + ((90 * sigma) >> 12));
        let costs = Costs { distance, moving, rounds: 1, enough: 0 };
        let of = |k: i32| {
            level_0(match k {
                -1 => &before[0].mean,
                _ => &self.pictures[t + k as usize][0],
            })
        };
        let exists = |k: i32| self.exists(t, k);
        let none = Searches::default();
        let previous = if exists(-1) { previous } else { &none };
        if !exists(-1) && !exists(1) {
            return none;
        }
        Searches::of(exists, |k| Pyramid::above(of(k)), previous, costs)
    }

    /// A plane with σ = 0.
    fn unchanged(&self, y: &Plane) -> (Done, Plane) {
        let output = Plane::from_fn(y.width, y.height, false, self.n, |i, j| y.at_line(i, j) >> (y.depth - self.n));
        (Done { mean: y.clone(), variances: Cells::of(y, |_, _| 256) }, output)
    }

    /// A plane of picture t.
    fn filtered(&self, t: usize, index: usize, sigma: i32, before: &[Done], searches: &Searches) -> (Done, Plane) {
        let y = &self.pictures[t][index];
        let references: Vec<Reference> = [-1, 1]
            .into_iter()
            .filter(|&k| self.exists(t, k))
            .map(|k| {
                let picture = if k == -1 { &before[index].mean } else { &self.pictures[t + 1][index] };
                let compensated = Compensated::new(picture, searches.blocks(k), self.scale(index));
                let variances = (k == -1).then(|| &before[index].variances);
                Reference::new(y, compensated, variances, sigma)
            })
            .collect();
        let (mean, variances) = weights::mean(y, &references);
        let factor = match (references.is_empty(), index) {
            (true, _) => 141,
            (false, 0) => 105,
            (false, _) => 150,
        };
        let output = transform::output(&mean, &variances, sigma, factor, self.n);
        (Done { mean, variances }, output)
    }
}

/// §16.3: level 0 of the pyramid of a picture.
fn level_0(picture: &Plane) -> Plane {
    let p = |x: i32, y: i32| picture.at_line(x, y) >> (picture.depth - 8);
    let q = |x: i32, y: i32| p(x, y - 1) + 2 * p(x, y) + p(x, y + 1);
    Plane::from_fn(picture.width, picture.height, false, 8, |x, y| (q(x - 1, y) + 2 * q(x, y) + q(x + 1, y) + 8) >> 4)
}
