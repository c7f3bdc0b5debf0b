//! Denoising along motion (§16): each picture is averaged with the compensated pictures before and
//! after it, weighted by how well they match against the measured noise, and then filtered in
//! blocks of 8×8 samples.
mod cells;
mod mean;
mod picture;
mod sequence;
mod shape;
mod spatial;

pub(crate) use sequence::Sequence;
pub(crate) use shape::Shape;
