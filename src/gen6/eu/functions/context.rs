//! The resources of the machine that the shared functions use.
use crate::deinterlace::CompensationParameters;
use crate::gen6::eu::data::counters::Counters;
use crate::gen6::eu::data::error::MessageError;
use crate::gen6::eu::data::memory::Memory;
use crate::gen6::eu::data::message::Message;
use crate::gen6::state::{MediaSurfaceState, SurfaceState};
use dndi_simd::Kernels;

/// Base addresses, in bytes, of the offsets in messages and states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bases {
    /// Base of stateless buffers and COLOR_PROCESSING_STATE.
    pub general_state: u32,
    /// Base of binding tables and SURFACE_STATE.
    pub surface_state: u32,
    /// Base of SAMPLER_STATE and SAMPLER_8x8_STATE.
    pub dynamic_state: u32,
}

/// A range of colours that the sampler treats as transparent (3DSTATE_CHROMA_KEY). Both bounds are
/// inclusive: bits 31:24 alpha, 23:16 red, 15:8 green, 7:0 blue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChromaKey {
    /// Lower bounds.
    pub low: u32,
    /// Upper bounds.
    pub high: u32,
}

/// The size of the monochrome filter (3DSTATE_MONOFILTER_SIZE), 1 to 7 texels each way. A message
/// that uses the filter with another size is in error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MonoFilter {
    /// Texels in a line.
    pub width: u32,
    /// Lines.
    pub height: u32,
}

impl Default for MonoFilter {
    /// One texel.
    fn default() -> MonoFilter {
        MonoFilter { width: 1, height: 1 }
    }
}

/// The resources of the machine that the shared functions use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FunctionContext<'a> {
    pub memory: &'a Memory,
    /// The memory of the unified return buffer.
    pub urb: &'a Memory,
    pub counters: &'a Counters,
    pub bases: Bases,
    pub chroma_keys: &'a [ChromaKey; 4],
    pub palettes: &'a [[u32; 256]; 2],
    pub mono_filter: MonoFilter,
    /// Motion compensation, which no state of this hardware has.
    pub compensation: &'a CompensationParameters,
    /// Whether the machine has the data cache port.
    pub data_cache_port: bool,
    pub kernels: &'static Kernels,
}

impl FunctionContext<'_> {
    /// The state of a surface, for messages other than `deinterlace` and `sample_8x8`.
    pub fn surface(&self, message: &Message, binding: u8) -> Result<SurfaceState, MessageError> {
        Ok(SurfaceState::decode(&self.memory.dwords(self.surface_address(message, binding)))?)
    }

    /// The state of a surface, for the messages `deinterlace` and `sample_8x8`.
    pub fn media_surface(&self, message: &Message, binding: u8) -> Result<MediaSurfaceState, MessageError> {
        Ok(MediaSurfaceState::decode(&self.memory.dwords(self.surface_address(message, binding)))?)
    }

    /// Address of the surface state that an entry of the binding table points to.
    pub fn surface_address(&self, message: &Message, binding: u8) -> u64 {
        let base = u64::from(self.bases.surface_state);
        let entry = base + u64::from(message.binding_table) + 4 * u64::from(binding);
        // The lowest five bits of an entry are reserved.
        base + u64::from(self.memory.dword(entry) & !31)
    }
}
