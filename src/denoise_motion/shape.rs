//! The shape of the pictures of a sequence.

/// Lines of a picture that a thread processes at a time. They do not affect any sample.
pub(super) const LINES: usize = 64;

/// The shape of the pictures of a sequence.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    /// Sizes of the planes; 0×0 for planes that the format lacks.
    pub sizes: [(usize, usize); 3],
    /// Luma samples for each chroma sample, and luma lines for each chroma line.
    pub chroma_scale: (usize, usize),
    /// Bits per sample of the frames.
    pub depth: u8,
    /// The first line of the pictures in their frames.
    pub first_line: usize,
    /// Lines of the frames from one line of a picture to the next.
    pub line_step: usize,
}

impl Shape {
    /// Bits per sample of the pictures (§16.1).
    pub fn inner_depth(&self) -> u8 {
        (self.depth + 4).clamp(12, 16)
    }

    /// Luma samples for each sample of a plane, and luma lines for each line.
    pub fn scale(&self, plane: usize) -> (usize, usize) {
        if plane == 0 { (1, 1) } else { self.chroma_scale }
    }
}
