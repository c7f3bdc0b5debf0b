//! The data besides the samples that an output takes over from the buffer of its frame.

use dndi::FrameFlags;
use gst::{Buffer, BufferRef};
use gst_video::VideoBufferFlags;
use gst_video::prelude::*;

/// Metas of an input frame and its flags, without its memory: a source with few buffers gets them
/// back at once.
#[derive(Debug)]
pub struct Origin {
    buffer: Buffer,
}

/// The flags of a buffer that describe fields.
const FIELDS: [VideoBufferFlags; 4] =
    [VideoBufferFlags::INTERLACED, VideoBufferFlags::TFF, VideoBufferFlags::RFF, VideoBufferFlags::ONEFIELD];

impl Origin {
    /// Metas and flags of a buffer. Metas that describe its memory are dropped.
    pub fn of(from: &BufferRef) -> Origin {
        let mut buffer = Buffer::new();
        if let Some(to) = buffer.get_mut() {
            copy(from, to);
            to.set_flags(from.flags());
        }
        Origin { buffer }
    }

    /// Gives an output the metas of the frame, such as time codes and captions; frames that stay
    /// interlaced also get its flags. A meta belongs to the first output of a frame.
    pub fn apply(&self, to: &mut BufferRef, is_first: bool, stays_interlaced: bool) {
        if is_first {
            copy(&self.buffer, to);
        }
        if stays_interlaced {
            let flags = VideoBufferFlags::from_bits_truncate(self.buffer.flags().bits());
            let fields =
                FIELDS.into_iter().filter(|flag| flags.contains(*flag)).fold(VideoBufferFlags::empty(), |all, flag| all | flag);
            to.set_video_flags(fields);
        }
    }
}

fn copy(from: &BufferRef, to: &mut BufferRef) {
    for meta in from.iter_meta::<gst::Meta>() {
        let of_memory = ["memory", "size", "orientation", "colorspace"];
        if !meta.tags().iter().any(|tag| of_memory.contains(&tag.as_str())) {
            // A meta that cannot be copied is dropped.
            let _ = meta.transform(to, &gst::meta::MetaTransformCopy::new(false, ..));
        }
    }
}

/// The flags of a frame of a mixed clip.
pub fn frame_flags(buffer: &BufferRef) -> FrameFlags {
    let flags = video_flags(buffer);
    let interlaced = flags.contains(VideoBufferFlags::INTERLACED);
    let top = flags.contains(VideoBufferFlags::TFF);
    let order = if top { dndi::FieldOrder::TopFirst } else { dndi::FieldOrder::BottomFirst };
    // Frames that repeat a field are progressive and have an order.
    FrameFlags::default().progressive(!interlaced).field_order((interlaced || top).then_some(order))
}

/// Whether a buffer is flagged as top field first.
pub fn is_top_first(buffer: &BufferRef) -> bool {
    video_flags(buffer).contains(VideoBufferFlags::TFF)
}

fn video_flags(buffer: &BufferRef) -> VideoBufferFlags {
    VideoBufferFlags::from_bits_truncate(buffer.flags().bits())
}
