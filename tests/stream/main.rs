//! The interface of a stream: calls in and out of order, borrowed planes, invalid settings, user
//! data, parameters that change.
mod calls;
#[path = "../reference/content.rs"]
mod content;
mod denoise_motion;
mod depth;
mod encoder_statistics;
mod maps;
mod planes;
mod sequence;
mod set_parameters;
mod settings;
mod user_data;

use dndi::{
    ChromaOutput, Deinterlacer, Error, FieldMatch, FieldMatches, Format, Frame, Input, ParameterError, Parameters, PlaneMut,
    PlaneRef, Sampling, Scan, SimdLevel, SizeRequirement, StepMatches, Stream, StreamBuilder,
};
use std::collections::VecDeque;

const SAMPLINGS: [Sampling; 5] = [Sampling::Mono, Sampling::C420, Sampling::C411, Sampling::C422, Sampling::C444];
const CHROMA: [ChromaOutput; 4] = [ChromaOutput::Same, ChromaOutput::C422, ChromaOutput::C420, ChromaOutput::C420Drop];

fn interlaced(sampling: Sampling) -> StreamBuilder {
    Stream::builder(Format::new(20, 12, sampling), Scan::TopFirst).deinterlacer(Deinterlacer::Gen6)
}

/// Frame `number` of a clip: noise over a moving ramp.
fn frame(format: Format, number: usize) -> Frame {
    let mut state = 0x9e37_79b9_u32.wrapping_add(number as u32);
    let mut noise = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 28) as usize
    };
    let data = (0..format.samples()).map(|i| (i * 3 + number * 7 + noise()) as u8);
    Frame::from_vec(format, data.collect())
}

fn push(stream: &mut Stream, number: usize) -> Result<(), Error> {
    stream.push(&frame(stream.input_format(), number).planes())
}

/// [`Stream::pull_into`]; the time of the output.
fn pull_into(stream: &mut Stream, planes: &mut [PlaneMut]) -> Result<Option<u64>, Error> {
    Ok(stream.pull_into(planes)?.map(|output| output.field_time))
}

fn pull_all(stream: &mut Stream) -> Vec<(u64, Frame)> {
    std::iter::from_fn(|| stream.pull()).map(|output| (output.field_time, output.frame)).collect()
}

fn times(stream: &mut Stream) -> Vec<u64> {
    pull_all(stream).into_iter().map(|(time, _)| time).collect()
}

/// All outputs of the first `frames` frames, including those of the flush.
fn run(stream: &mut Stream, frames: usize) -> Vec<(u64, Frame)> {
    let mut outputs = vec![];
    for number in 0..frames {
        push(stream, number).unwrap();
        outputs.extend(pull_all(stream));
    }
    stream.flush().unwrap();
    outputs.extend(pull_all(stream));
    outputs
}
