//! A picture of a sequence (§16.1).
use super::shape::Shape;
use crate::frame::{InputPlane, PlaneSample};
use crate::memory::OutOfMemory;
use crate::motion::{BorderedPlane, Pyramid, Smoothing};
use dndi_simd::Kernels;
use rayon::prelude::*;

/// Lines that a thread copies at a time. They do not affect any sample.
const LINES: usize = 32;

/// The planes of a picture, and the levels of its luma.
#[derive(Debug)]
pub(super) struct Picture {
    pub planes: [BorderedPlane<u16>; 3],
    pyramid: Pyramid,
    /// Whether the pyramid is that of the luma.
    has_pyramid: bool,
}

impl Picture {
    /// Memory for planes of these sizes.
    pub fn new(sizes: &[(usize, usize); 3]) -> Result<Picture, OutOfMemory> {
        let [luma, u, v] = *sizes;
        let planes = [BorderedPlane::new(luma)?, BorderedPlane::new(u)?, BorderedPlane::new(v)?];
        Ok(Picture { planes, pyramid: Pyramid::new(luma, true)?, has_pyramid: false })
    }

    /// Copies the lines of a picture from the planes of its frame.
    pub fn import<S: PlaneSample>(&mut self, planes: &[InputPlane<S>; 3], shape: &Shape) {
        let Shape { depth, first_line, line_step, .. } = *shape;
        let shift = shape.inner_depth() - depth;
        for (plane, from) in self.planes.iter_mut().zip(planes) {
            plane.write_lines(LINES, |y, out| {
                let line = from.line(first_line + line_step * y, out.len());
                let most = from.most.into();
                out.iter_mut().zip(line).for_each(|(out, &sample)| *out = (sample.into().min(most) as u16) << shift);
            });
            plane.extend();
        }
        self.changed();
    }

    /// Writes a plane, with its own depth, to its lines of a plane of a frame.
    pub fn write<S: PlaneSample>(&self, index: usize, out: &mut [S], shape: &Shape) {
        let (plane, shift) = (&self.planes[index], shape.inner_depth() - shape.depth);
        let (width, _) = plane.size();
        // Skipping items of a parallel iterator would allocate.
        let out = out.get_mut(shape.first_line * width..).unwrap_or_default();
        let lines = out.par_chunks_exact_mut(width).step_by(shape.line_step);
        lines.enumerate().with_min_len(LINES).for_each(|(y, out)| {
            out.iter_mut().zip(plane.line(y)).for_each(|(out, &sample)| *out = S::from_u32(u32::from(sample) >> shift));
        });
    }

    /// Notes that the luma has changed.
    pub fn changed(&mut self) {
        self.has_pyramid = false;
    }

    /// The levels of the luma; computed before by [`make_pyramid`](Picture::make_pyramid).
    pub fn pyramid(&self) -> &Pyramid {
        &self.pyramid
    }

    /// Computes the levels of the luma, unless they are known (§16.3).
    pub fn make_pyramid(&mut self, kernels: &Kernels, depth: u8) {
        if !self.has_pyramid {
            self.pyramid.build(kernels, &self.planes[0], depth, Smoothing::Square);
            self.has_pyramid = true;
        }
    }
}
