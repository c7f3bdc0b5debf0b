//! Message types of the data ports, in the function control.
use crate::gen6::eu::data::descriptor::Descriptor;

/// Opcodes of the data ports. The sampler and constant caches have the reads of 3 bits only.
pub mod opcode {
    /// OWord block read.
    pub const OWORD_BLOCK_READ: u32 = 0b0000;
    /// Render target UNORM read.
    pub const RENDER_TARGET_UNORM_READ: u32 = 0b0001;
    /// OWord dual block read.
    pub const OWORD_DUAL_BLOCK_READ: u32 = 0b0010;
    /// AVC loop filter read.
    pub const AVC_LOOP_FILTER_READ: u32 = 0b0011;
    /// Media block read.
    pub const MEDIA_BLOCK_READ: u32 = 0b0100;
    /// OWord block read with an offset in DWords.
    pub const UNALIGNED_OWORD_BLOCK_READ: u32 = 0b0101;
    /// DWord scattered read.
    pub const DWORD_SCATTERED_READ: u32 = 0b0110;
    /// DWord atomic write, which returns the old values.
    pub const DWORD_ATOMIC: u32 = 0b0111;
    /// OWord block write.
    pub const OWORD_BLOCK_WRITE: u32 = 0b1000;
    /// OWord dual block write.
    pub const OWORD_DUAL_BLOCK_WRITE: u32 = 0b1001;
    /// Media block write.
    pub const MEDIA_BLOCK_WRITE: u32 = 0b1010;
    /// DWord scattered write.
    pub const DWORD_SCATTERED_WRITE: u32 = 0b1011;
    /// Render target write.
    pub const RENDER_TARGET_WRITE: u32 = 0b1100;
    /// Streamed vertex buffer write.
    pub const STREAMED_VERTEX_WRITE: u32 = 0b1101;
    /// Render target UNORM write.
    pub const RENDER_TARGET_UNORM_WRITE: u32 = 0b1110;
}

/// Bit of the function control that makes a write return a commit: a response of one register that
/// clears the in-flight bit of its destination and writes no byte.
pub const WRITE_COMMIT: u32 = 1 << 17;

/// Function control (bits 18:0 of the descriptor) of a data port message. `opcode` is one of
/// [`opcode`], `specific` are bits 12:8, `binding` is the binding table index.
pub const fn control(opcode: u32, specific: u32, binding: u32) -> u32 {
    opcode << 13 | specific << 8 | binding
}

/// Opcode of a message to the render cache.
pub(super) fn render_opcode(descriptor: Descriptor) -> u32 {
    descriptor.bits(16, 13)
}

/// Opcode of a message to the sampler cache or the constant cache.
pub(super) fn read_opcode(descriptor: Descriptor) -> u32 {
    descriptor.bits(15, 13)
}

/// Whether a message to the render cache may end its thread: the writes except that of streamed
/// vertices, whose payload has no dispatch id.
pub(crate) fn can_end(descriptor: Descriptor) -> bool {
    let opcode = render_opcode(descriptor);
    opcode != opcode::STREAMED_VERTEX_WRITE && (opcode::OWORD_BLOCK_WRITE..=opcode::RENDER_TARGET_UNORM_WRITE).contains(&opcode)
}
