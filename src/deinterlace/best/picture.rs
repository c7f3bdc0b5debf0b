//! A field completed to a picture, which serves as a reference (§15.1).
use super::lines::{LINES, Scratch};
use crate::deinterlace::field_alone;
use crate::frame::PlaneSample;
use crate::memory::OutOfMemory;
use crate::motion::{BorderedPlane, Pyramid, Smoothing};
use crate::plane::PlaneView;
use crate::scratch_pool::ScratchPool;
use dndi_simd::Kernels;

/// The content of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Content {
    #[default]
    Nothing,
    /// The field and lines made of it alone (§15.2).
    FieldAlone,
    /// An output (§15.9).
    Output,
}

/// The picture of a field.
#[derive(Debug, Default)]
pub(super) struct Picture<S> {
    pub planes: [BorderedPlane<S>; 3],
    pub content: Content,
    pyramid: Pyramid,
    /// Whether the pyramid is that of the luma.
    has_pyramid: bool,
}

impl<S: PlaneSample> Picture<S> {
    /// Memory for planes of the sizes of luma and chroma.
    pub fn new(luma: (usize, usize), chroma: (usize, usize)) -> Result<Picture<S>, OutOfMemory> {
        let planes = [BorderedPlane::new(luma)?, BorderedPlane::new(chroma)?, BorderedPlane::new(chroma)?];
        let words = size_of::<S>() > 1;
        Ok(Picture { planes, content: Content::Nothing, pyramid: Pyramid::new(luma, words)?, has_pyramid: false })
    }

    /// The levels of the luma; computed before by [`make_pyramid`](Picture::make_pyramid).
    pub fn pyramid(&self) -> &Pyramid {
        &self.pyramid
    }

    /// Computes the levels of the luma, unless they are known.
    pub fn make_pyramid(&mut self, kernels: &Kernels, depth: u8) {
        if !self.has_pyramid {
            self.pyramid.build(kernels, &self.planes[0], depth, Smoothing::Vertical);
            self.has_pyramid = true;
        }
    }

    /// Copies the lines of a field and completes those of parity `missing` from them, unless the
    /// picture has content.
    pub fn make_alone(
        &mut self,
        kernels: &Kernels,
        field: &[PlaneView<S>; 3],
        missing: usize,
        depth: u8,
        pool: &ScratchPool<Scratch<S>>,
    ) {
        if self.content != Content::Nothing {
            return;
        }
        for (index, (plane, field)) in self.planes.iter_mut().zip(field).enumerate() {
            plane.write_lines(LINES, |y, out| match (y % 2 == missing, index) {
                (false, _) => out.copy_from_slice(field.line(y as isize, 0, out.len())),
                (true, 0) => field_alone::luma_line(kernels, *field, y, depth, out, &mut pool.get().alone),
                (true, _) => field_alone::chroma_line(kernels, *field, y, depth, out),
            });
        }
        self.finish(Content::FieldAlone);
    }

    /// Ends the writing of the planes.
    pub fn finish(&mut self, content: Content) {
        self.planes.iter_mut().for_each(BorderedPlane::extend);
        (self.content, self.has_pyramid) = (content, false);
    }
}
