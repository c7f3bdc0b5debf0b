//! Pictures: planes borrowed from the caller, and owned frames (§1.1, §1.6).
use crate::format::{Format, Sampling};
use crate::memory::{OutOfMemory, copied, zeroed};
use dndi_simd::Kernels;
use rayon::prelude::*;
use std::any::Any;
use std::fmt;
use std::sync::Arc;

mod planes;

pub(crate) use planes::{InputPlane, PlaneError, PlaneSample, check_plane, check_planes};
pub use planes::{PlaneMut, PlaneRef, Planes, PlanesMut, Samples, SamplesMut};

/// The smallest number of lines in a parallel task that only copies lines. The value follows from
/// the purpose, it is not measured: fewer lines cost more task overhead, more leave threads idle on
/// small pictures. It does not affect the result.
pub(crate) const MIN_TASK_LINES: usize = 32;

/// The samples of a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Data {
    U8(Vec<u8>),
    U16(Vec<u16>),
}

/// An owned picture of any format. The samples are the rows of luma, then those of Cb and Cr,
/// without gaps (§1.1); for 8 bits these are the bytes of a y4m frame. `Default` is a frame of 0×0
/// samples.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    format: Format,
    data: Data,
}

impl Frame {
    /// A picture of `format` with all samples 0. If there is no memory for the samples, the process
    /// ends; [`Frame::try_new`] returns an error instead.
    ///
    /// # Panics
    /// If the samples are more than an address space holds.
    pub fn new(format: Format) -> Frame {
        let samples = format.samples();
        let data = if format.depth > 8 { Data::U16(vec![0; samples]) } else { Data::U8(vec![0; samples]) };
        Frame { format, data }
    }

    /// A picture of `format` with all samples 0.
    ///
    /// # Errors
    /// If there is no memory for the samples.
    pub fn try_new(format: Format) -> Result<Frame, OutOfMemory> {
        let samples = format.samples();
        let data = if format.depth > 8 { Data::U16(zeroed(samples)?) } else { Data::U8(zeroed(samples)?) };
        Ok(Frame { format, data })
    }

    /// A copy of the picture.
    ///
    /// # Errors
    /// If there is no memory for the samples.
    pub fn try_clone(&self) -> Result<Frame, OutOfMemory> {
        let data = match &self.data {
            Data::U8(data) => Data::U8(copied(data)?),
            Data::U16(data) => Data::U16(copied(data)?),
        };
        Ok(Frame { format: self.format, data })
    }

    /// An 8-bit picture of `format` with the samples `data`: the rows of luma, Cb and Cr without
    /// gaps.
    ///
    /// # Panics
    /// If `data` is not [`Format::samples`] long or the format is deeper than 8 bits.
    pub fn from_vec(format: Format, data: Vec<u8>) -> Frame {
        assert!(format.depth <= 8 && data.len() == format.samples(), "{} bytes do not hold {format:?}", data.len());
        Frame { format, data: Data::U8(data) }
    }

    /// A picture of `format`, of 9 to 16 bits per sample, with the samples `data`: the rows of
    /// luma, Cb and Cr without gaps.
    ///
    /// # Panics
    /// If `data` is not [`Format::samples`] long or the format has 8 bits.
    pub fn from_vec_u16(format: Format, data: Vec<u16>) -> Frame {
        assert!(format.depth > 8 && data.len() == format.samples(), "{} words do not hold {format:?}", data.len());
        Frame { format, data: Data::U16(data) }
    }

    /// All samples of an 8-bit picture, plane by plane, without a copy: the reverse of
    /// [`Frame::from_vec`].
    ///
    /// # Panics
    /// If the format is deeper than 8 bits.
    pub fn into_vec(self) -> Vec<u8> {
        match self.data {
            Data::U8(data) => data,
            Data::U16(_) => panic!("{} bits per sample are not bytes", self.format.depth),
        }
    }

    /// All samples of a picture of 9 to 16 bits per sample, plane by plane, without a copy: the
    /// reverse of [`Frame::from_vec_u16`].
    ///
    /// # Panics
    /// If the format has 8 bits.
    pub fn into_vec_u16(self) -> Vec<u16> {
        match self.data {
            Data::U8(_) => panic!("{} bits per sample are not words", self.format.depth),
            Data::U16(data) => data,
        }
    }

    /// The format of the picture.
    pub fn format(&self) -> Format {
        self.format
    }

    /// All samples of any depth, plane by plane.
    pub fn samples(&self) -> Samples<'_> {
        match &self.data {
            Data::U8(data) => Samples::U8(data),
            Data::U16(data) => Samples::U16(data),
        }
    }

    /// All samples of any depth, plane by plane, for writing.
    pub fn samples_mut(&mut self) -> SamplesMut<'_> {
        match &mut self.data {
            Data::U8(data) => SamplesMut::U8(data),
            Data::U16(data) => SamplesMut::U16(data),
        }
    }

    /// All samples of an 8-bit picture, plane by plane. [`Frame::samples`] takes any depth.
    ///
    /// # Panics
    /// If the format is deeper than 8 bits.
    pub fn data(&self) -> &[u8] {
        match &self.data {
            Data::U8(data) => data,
            Data::U16(_) => panic!("{} bits per sample are not bytes", self.format.depth),
        }
    }

    /// All samples of an 8-bit picture, plane by plane, for writing. [`Frame::samples_mut`] takes
    /// any depth.
    ///
    /// # Panics
    /// If the format is deeper than 8 bits.
    pub fn data_mut(&mut self) -> &mut [u8] {
        match &mut self.data {
            Data::U8(data) => data,
            Data::U16(_) => panic!("{} bits per sample are not bytes", self.format.depth),
        }
    }

    /// Plane `index` (0 luma, 1 Cb, 2 Cr) of an 8-bit picture, row by row without gaps; chroma of
    /// mono is empty. [`Frame::planes`] takes any depth.
    ///
    /// # Panics
    /// If the format is deeper than 8 bits, or has chroma and `index` is above 2.
    pub fn plane(&self, index: usize) -> &[u8] {
        let (start, len) = self.span(index);
        &self.data()[start..][..len]
    }

    /// The planes of any depth: one for mono, else three (luma, Cb, Cr).
    /// [`Stream::push`](crate::Stream::push) takes them.
    pub fn planes(&self) -> Planes<'_> {
        let plane = |index| {
            let (start, len) = self.span(index);
            let samples = match &self.data {
                Data::U8(data) => Samples::U8(&data[start..start + len]),
                Data::U16(data) => Samples::U16(&data[start..start + len]),
            };
            PlaneRef { samples, stride: self.format.plane_size(index).0 }
        };
        Planes::new([plane(0), plane(1), plane(2)], self.format.sampling.planes())
    }

    /// The planes of any depth for writing: one for mono, else three (luma, Cb, Cr).
    /// [`Stream::pull_into`](crate::Stream::pull_into) takes them.
    pub fn planes_mut(&mut self) -> PlanesMut<'_> {
        let (format, luma) = (self.format, self.format.width * self.format.height);
        let samples = match &mut self.data {
            Data::U8(data) => split(data, luma).map(SamplesMut::U8),
            Data::U16(data) => split(data, luma).map(SamplesMut::U16),
        };
        let mut index = 0..;
        let planes = samples.map(|samples| PlaneMut { samples, stride: format.plane_size(index.next().unwrap_or(0)).0 });
        PlanesMut::new(planes, format.sampling.planes())
    }

    /// The samples of luma, Cb and Cr of an 8-bit picture for writing, without gaps; chroma of mono
    /// is empty. [`Frame::planes_mut`] takes any depth.
    ///
    /// # Panics
    /// If the format is deeper than 8 bits.
    pub fn byte_planes_mut(&mut self) -> [&mut [u8]; 3] {
        let luma = self.format.width * self.format.height;
        split(self.data_mut(), luma)
    }

    /// The three planes of a frame whose samples are in range, if they are of this type, else empty
    /// ones; chroma of mono is empty.
    pub(crate) fn input_planes<S: PlaneSample>(&self) -> [InputPlane<'_, S>; 3] {
        let data = S::of(self.samples()).unwrap_or_default();
        [0, 1, 2].map(|index| {
            let (start, len) = self.span(index);
            let data = data.get(start..start + len).unwrap_or_default();
            InputPlane { data, stride: self.format.plane_size(index).0, most: S::MAX }
        })
    }

    /// The samples of luma, Cb and Cr for writing, if they are of this type, else empty ones;
    /// without gaps, chroma of mono is empty.
    pub(crate) fn output_planes<S: PlaneSample>(&mut self) -> [&mut [S]; 3] {
        let luma = self.format.width * self.format.height;
        let data = S::of_mut(self.samples_mut()).unwrap_or_default();
        let luma = luma.min(data.len());
        split(data, luma)
    }

    /// Copies planes of the caller, which were checked against the format of this frame.
    pub(crate) fn copy_from<S: PlaneSample>(&mut self, kernels: &Kernels, planes: &[InputPlane<S>; 3]) {
        let format = self.format;
        for (index, (to, from)) in self.output_planes::<S>().into_iter().zip(planes).enumerate() {
            let width = format.plane_size(index).0;
            let lines = to.par_chunks_exact_mut(width.max(1)).enumerate().with_min_len(MIN_TASK_LINES);
            lines.for_each(|(line, samples)| from.copy_line(kernels, line, samples));
        }
    }

    /// Copies the samples to planes of the caller, after checking all of them.
    pub(crate) fn copy_to(&self, planes: &mut [PlaneMut]) -> Result<(), PlaneError> {
        let count = self.format.sampling.planes();
        for index in 0..count {
            let plane = planes.get(index).map(|plane| PlaneRef { samples: plane.samples.as_samples(), stride: plane.stride });
            check_plane(plane.as_ref(), index, &self.format)?;
        }
        for (from, to) in self.planes().into_iter().zip(planes) {
            let (width, stride) = (from.stride, to.stride);
            match (&mut to.samples, from.samples) {
                (SamplesMut::U8(to), Samples::U8(from)) => copy_lines(to, stride, from, width),
                (SamplesMut::U16(to), Samples::U16(from)) => copy_lines(to, stride, from, width),
                // The check above refuses other types.
                _ => {}
            }
        }
        Ok(())
    }

    /// The index of the first sample of plane `index`, and the number of its samples.
    fn span(&self, index: usize) -> (usize, usize) {
        let luma = self.format.width * self.format.height;
        let chroma = (self.samples().len() - luma) / 2;
        if index == 0 { (0, luma) } else { ((index - 1).saturating_mul(chroma).saturating_add(luma), chroma) }
    }
}

/// Copies lines of `width` samples to lines `stride` samples apart.
fn copy_lines<S: Copy>(to: &mut [S], stride: usize, from: &[S], width: usize) {
    for (to, from) in to.chunks_mut(stride).zip(from.chunks_exact(width)) {
        to[..width].copy_from_slice(from);
    }
}

/// The samples of luma, of which there are `luma`, of Cb and of Cr.
fn split<T>(samples: &mut [T], luma: usize) -> [&mut [T]; 3] {
    let (luma, chroma) = samples.split_at_mut(luma);
    let (u, v) = chroma.split_at_mut(chroma.len() / 2);
    [luma, u, v]
}

/// A mono frame of 0×0 samples.
impl Default for Frame {
    fn default() -> Frame {
        Frame::new(Format::new(0, 0, Sampling::Mono))
    }
}

/// A value of the caller that is passed with a frame from input to output, such as a presentation
/// time or a frame header. Clones share the value; two are equal if they share it.
#[derive(Clone)]
pub struct UserData(Arc<dyn Any + Send + Sync>);

impl UserData {
    /// Wraps a value.
    pub fn new<T: Any + Send + Sync>(value: T) -> UserData {
        UserData(Arc::new(value))
    }

    /// The value, if it is a `T`.
    pub fn get<T: Any>(&self) -> Option<&T> {
        self.0.downcast_ref()
    }
}

impl fmt::Debug for UserData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("UserData")
    }
}

/// Whether both share one value; the values are not compared.
impl PartialEq for UserData {
    fn eq(&self, other: &UserData) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for UserData {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planes_lie_one_after_the_other() {
        let mut frame = Frame::new(Format::new(3, 3, Sampling::C420));
        for (value, plane) in frame.byte_planes_mut().into_iter().enumerate() {
            plane.fill(value as u8 + 1);
        }
        assert_eq!(frame.data(), [vec![1; 9], vec![2; 4], vec![3; 4]].concat());
        assert_eq!(frame.plane(2), [3; 4]);
    }

    #[test]
    fn deep_frames_hold_words() {
        let format = Format::new(2, 2, Sampling::C422).with_depth(10);
        let frame = Frame::from_vec_u16(format, (1000..1008).collect());
        let planes = frame.planes();
        assert_eq!(planes.len(), 3);
        assert_eq!(planes[2].samples, Samples::U16(&[1006, 1007]));
        let error = check_planes(&planes, &Format::new(2, 2, Sampling::C422)).unwrap_err();
        assert_eq!((error.index, error.samples, error.bytes, error.needed_bytes), (0, 4, 2, 1));
        assert!(check_planes(&planes, &format).is_ok());
    }

    #[test]
    fn planes_of_any_depth_are_written() {
        for depth in [8, 10] {
            let mut frame = Frame::new(Format::new(4, 2, Sampling::C420).with_depth(depth));
            for (value, plane) in frame.planes_mut().into_iter().enumerate() {
                match plane.samples {
                    SamplesMut::U8(samples) => samples.fill(value as u8),
                    SamplesMut::U16(samples) => samples.fill(value as u16),
                }
                assert_eq!(plane.stride, [4, 2, 2][value]);
            }
            match frame.samples() {
                Samples::U8(samples) => assert_eq!(samples, [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 2]),
                Samples::U16(samples) => assert_eq!(samples, [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 2]),
            }
        }
    }

    #[test]
    fn a_frame_gives_its_memory_back() {
        let format = Format::new(2, 2, Sampling::C422);
        assert_eq!(Frame::from_vec(format, (0..8).collect()).into_vec(), [0, 1, 2, 3, 4, 5, 6, 7]);
        let words: Vec<u16> = (1000..1008).collect();
        let address = words.as_ptr();
        let back = Frame::from_vec_u16(format.with_depth(10), words).into_vec_u16();
        assert_eq!((back[7], back.as_ptr()), (1007, address));
    }

    #[test]
    fn mono_has_one_plane() {
        let format = Format::new(4, 2, Sampling::Mono);
        let frame = Frame::new(format);
        assert_eq!(frame.planes().len(), 1);
        assert_eq!(frame.clone().planes_mut().len(), 1);
        assert!(check_planes(&frame.planes(), &format).is_ok());
        let error = check_planes(&frame.planes(), &Format::new(4, 2, Sampling::C444)).unwrap_err();
        assert_eq!((error.index, error.samples), (1, 0));
    }
}
