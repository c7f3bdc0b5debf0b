//! Samples from frames of the host to frames of the library and back.

use crate::layouts::Layout;
use dndi::{Frame, Samples, SamplesMut};
use gst_video::prelude::*;
use gst_video::{VideoFrameRef, VideoInfo};

/// Copies the samples of a buffer. Those above the greatest value of their depth become this value.
/// None if the buffer does not have the format of `to`.
pub fn read(buffer: &gst::BufferRef, info: &VideoInfo, to: &mut Frame) -> Option<()> {
    let from = VideoFrameRef::from_buffer_ref_readable(buffer, info).ok()?;
    let format = to.format();
    let most = u16::MAX >> (16 - u32::from(format.depth.clamp(1, 16)));
    for (component, plane) in to.planes_mut().iter_mut().enumerate() {
        let (width, height) = format.plane_size(component);
        let layout = Layout::new(info, u8::try_from(component).ok()?, |plane| from.plane_stride().get(plane).copied())?;
        let data = from.plane_data(layout.plane).ok()?.get(layout.offset..)?;
        let rows = data.chunks(layout.stride);
        let copied = match &mut plane.samples {
            SamplesMut::U8(to) => {
                to.chunks_exact_mut(width.max(1)).zip(rows).filter_map(|(to, row)| read_bytes(row, to, &layout)).count()
            }
            SamplesMut::U16(to) => {
                to.chunks_exact_mut(width.max(1)).zip(rows).filter_map(|(to, row)| read_words(row, to, &layout, most)).count()
            }
        };
        if copied != height || layout.width != width {
            return None;
        }
    }
    Some(())
}

/// Copies the samples of a frame to a buffer of the same format. None if the formats differ.
pub fn write(from: &Frame, info: &VideoInfo, buffer: &mut gst::BufferRef) -> Option<()> {
    let mut to = VideoFrameRef::from_buffer_ref_writable(buffer, info).ok()?;
    for (component, plane) in from.planes().iter().enumerate() {
        let (width, height) = from.format().plane_size(component);
        let strides = to.plane_stride().to_vec();
        let layout = Layout::new(info, u8::try_from(component).ok()?, |plane| strides.get(plane).copied())?;
        let rows = to.plane_data_mut(layout.plane).ok()?.get_mut(layout.offset..)?.chunks_mut(layout.stride);
        let copied = match plane.samples {
            Samples::U8(from) => from
                .chunks(plane.stride.max(1))
                .zip(rows)
                .filter_map(|(from, row)| write_bytes(from.get(..width)?, row, &layout))
                .count(),
            Samples::U16(from) => from
                .chunks(plane.stride.max(1))
                .zip(rows)
                .filter_map(|(from, row)| write_words(from.get(..width)?, row, &layout))
                .count(),
        };
        if copied != height || layout.width != width {
            return None;
        }
    }
    Some(())
}

fn read_bytes(row: &[u8], to: &mut [u8], layout: &Layout) -> Option<()> {
    let row = row.get(..layout.row_bytes(1))?;
    match layout.step {
        1 => to.copy_from_slice(row),
        step => to.iter_mut().zip(row.iter().step_by(step)).for_each(|(to, from)| *to = *from),
    }
    Some(())
}

fn read_words(row: &[u8], to: &mut [u16], layout: &Layout, most: u16) -> Option<()> {
    let row = row.get(..layout.row_bytes(2))?;
    let word: fn([u8; 2]) -> u16 = if layout.little { u16::from_le_bytes } else { u16::from_be_bytes };
    if (layout.step, layout.shift, layout.little) == (2, 0, true) {
        // The usual case, without a call for each sample.
        let words = row.chunks_exact(2).map(|bytes| u16::from_le_bytes([bytes[0], bytes[1]]));
        to.iter_mut().zip(words).for_each(|(to, from)| *to = from.min(most));
    } else {
        let words = row.chunks(layout.step).map(|bytes| word([bytes[0], bytes[1]]));
        to.iter_mut().zip(words).for_each(|(to, from)| *to = (from >> layout.shift).min(most));
    }
    Some(())
}

fn write_bytes(from: &[u8], row: &mut [u8], layout: &Layout) -> Option<()> {
    let row = row.get_mut(..layout.row_bytes(1))?;
    match layout.step {
        1 => row.copy_from_slice(from),
        step => row.iter_mut().step_by(step).zip(from).for_each(|(to, from)| *to = *from),
    }
    Some(())
}

fn write_words(from: &[u16], row: &mut [u8], layout: &Layout) -> Option<()> {
    let row = row.get_mut(..layout.row_bytes(2))?;
    if (layout.step, layout.shift, layout.little) == (2, 0, true) {
        row.chunks_exact_mut(2).zip(from).for_each(|(to, from)| to.copy_from_slice(&from.to_le_bytes()));
    } else {
        let bytes: fn(u16) -> [u8; 2] = if layout.little { u16::to_le_bytes } else { u16::to_be_bytes };
        row.chunks_mut(layout.step).zip(from).for_each(|(to, from)| to[..2].copy_from_slice(&bytes(from << layout.shift)));
    }
    Some(())
}
