//! What an execution unit keeps from message to message: room, and states it has decoded before. Nothing that is read from a surface.
use super::{data_port, sampler};
use dndi_simd::Kernels;

/// Room for the messages of an execution unit.
#[derive(Debug)]
pub(crate) struct Room {
    pub deinterlace: sampler::deinterlace::Room,
    pub sample_8x8: sampler::sample_8x8::Room,
    pub color: data_port::color::Room,
}

impl Room {
    pub fn new(kernels: &'static Kernels) -> Room {
        Room {
            deinterlace: sampler::deinterlace::Room::new(kernels),
            sample_8x8: sampler::sample_8x8::Room::new(kernels),
            color: data_port::color::Room::new(kernels),
        }
    }
}
