//! Pictures: planes borrowed from the caller, and owned frames (§1.1, §1.6).
use crate::format::{Format, Sampling};
use crate::memory::{OutOfMemory, copied, zeroed};
use rayon::prelude::*;
use std::any::Any;
use std::ops::Deref;
use std::sync::Arc;
use std::{fmt, slice};

/// The smallest number of lines in a parallel task that only copies lines. The value follows from
/// the purpose, it is not measured: fewer lines cost more task overhead, more leave threads idle on
/// small pictures. It does not affect the result.
pub(crate) const MIN_TASK_LINES: usize = 32;

/// Borrowed samples: one byte each for a depth of 8 bits, 16-bit words for 9 to 16 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Samples<'a> {
    /// 8 bits.
    U8(&'a [u8]),
    /// 9 to 16 bits, in the least significant bits of each word.
    U16(&'a [u16]),
}

impl Samples<'_> {
    /// The number of samples.
    pub fn len(&self) -> usize {
        match self {
            Samples::U8(samples) => samples.len(),
            Samples::U16(samples) => samples.len(),
        }
    }

    /// Whether there are no samples.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of bytes of a sample.
    fn bytes_per_sample(&self) -> usize {
        if matches!(self, Samples::U8(_)) { 1 } else { 2 }
    }
}

impl<'a> From<&'a [u8]> for Samples<'a> {
    fn from(samples: &'a [u8]) -> Samples<'a> {
        Samples::U8(samples)
    }
}

impl<'a> From<&'a [u16]> for Samples<'a> {
    fn from(samples: &'a [u16]) -> Samples<'a> {
        Samples::U16(samples)
    }
}

/// Mutably borrowed samples: one byte each for a depth of 8 bits, 16-bit words for 9 to 16 bits.
#[derive(Debug, PartialEq, Eq)]
pub enum SamplesMut<'a> {
    /// 8 bits.
    U8(&'a mut [u8]),
    /// 9 to 16 bits, in the least significant bits of each word.
    U16(&'a mut [u16]),
}

impl<'a> From<&'a mut [u8]> for SamplesMut<'a> {
    fn from(samples: &'a mut [u8]) -> SamplesMut<'a> {
        SamplesMut::U8(samples)
    }
}

impl<'a> From<&'a mut [u16]> for SamplesMut<'a> {
    fn from(samples: &'a mut [u16]) -> SamplesMut<'a> {
        SamplesMut::U16(samples)
    }
}

impl SamplesMut<'_> {
    /// The same samples, shared.
    fn as_samples(&self) -> Samples<'_> {
        match self {
            SamplesMut::U8(samples) => Samples::U8(samples),
            SamplesMut::U16(samples) => Samples::U16(samples),
        }
    }
}

/// One plane of a picture in memory of the caller.
#[derive(Clone, Copy, Debug)]
pub struct PlaneRef<'a> {
    /// The samples; row y starts at index `y * stride`. Samples after the last sample of the last
    /// row are not needed.
    pub samples: Samples<'a>,
    /// Samples from one row to the next, at least the width of the plane.
    pub stride: usize,
}

impl<'a> PlaneRef<'a> {
    /// A plane of 8-bit samples (`&[u8]`) or 9- to 16-bit samples (`&[u16]`). Nothing is checked
    /// here; the function that reads the plane checks its size.
    pub fn new(samples: impl Into<Samples<'a>>, stride: usize) -> PlaneRef<'a> {
        PlaneRef { samples: samples.into(), stride }
    }
}

/// One plane in memory of the caller, to be written.
#[derive(Debug)]
pub struct PlaneMut<'a> {
    /// The samples; row y starts at index `y * stride`. Samples between the rows are not written.
    pub samples: SamplesMut<'a>,
    /// Samples from one row to the next, at least the width of the plane.
    pub stride: usize,
}

impl<'a> PlaneMut<'a> {
    /// A plane of 8-bit samples (`&mut [u8]`) or 9- to 16-bit samples (`&mut [u16]`). Nothing is
    /// checked here; the function that writes the plane checks its size.
    pub fn new(samples: impl Into<SamplesMut<'a>>, stride: usize) -> PlaneMut<'a> {
        PlaneMut { samples: samples.into(), stride }
    }
}

/// A plane of 8-bit samples that was checked against its format.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BytePlane<'a> {
    pub data: &'a [u8],
    pub stride: usize,
}

/// A plane that does not fit its format; [`Error::Plane`](crate::Error::Plane) has the same fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PlaneError {
    pub index: usize,
    /// The number of samples.
    pub samples: usize,
    /// Bytes per sample.
    pub bytes: usize,
    pub stride: usize,
    /// The required width and height in samples of one byte.
    pub size: (usize, usize),
}

/// Checks the planes of an 8-bit picture of `format`: one plane for mono, else three. Further
/// planes are ignored.
pub(crate) fn check_planes<'a>(planes: &[PlaneRef<'a>], format: &Format) -> Result<[BytePlane<'a>; 3], PlaneError> {
    let mut checked = [BytePlane::default(); 3];
    for (index, checked) in checked.iter_mut().enumerate().take(format.sampling.planes()) {
        *checked = check_plane(planes.get(index), index, format.plane_size(index))?;
    }
    Ok(checked)
}

/// Checks that plane `index` has `size` (width, height) samples of 8 bits.
pub(crate) fn check_plane<'a>(
    plane: Option<&PlaneRef<'a>>,
    index: usize,
    size: (usize, usize),
) -> Result<BytePlane<'a>, PlaneError> {
    let Some(&PlaneRef { samples, stride }) = plane else {
        return Err(PlaneError { index, samples: 0, bytes: 1, stride: 0, size });
    };
    match samples {
        Samples::U8(data) if fits(data.len(), stride, size) => Ok(BytePlane { data, stride }),
        _ => Err(PlaneError { index, samples: samples.len(), bytes: samples.bytes_per_sample(), stride, size }),
    }
}

/// Whether `len` samples are enough for a plane of `size` (width, height) with rows `stride`
/// samples apart.
fn fits(len: usize, stride: usize, (width, height): (usize, usize)) -> bool {
    stride >= width && (height - 1).checked_mul(stride).and_then(|n| n.checked_add(width)).is_some_and(|need| len >= need)
}

/// The planes of a frame, from [`Frame::planes`]: one for mono, else three (luma, Cb, Cr). It
/// dereferences to a slice.
#[derive(Clone, Copy, Debug)]
pub struct Planes<'a> {
    planes: [PlaneRef<'a>; 3],
    count: usize,
}

impl<'a> Deref for Planes<'a> {
    type Target = [PlaneRef<'a>];

    fn deref(&self) -> &[PlaneRef<'a>] {
        &self.planes[..self.count]
    }
}

impl<'a, 'b> IntoIterator for &'b Planes<'a> {
    type Item = &'b PlaneRef<'a>;
    type IntoIter = slice::Iter<'b, PlaneRef<'a>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

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
        &self.data()[start..start + len]
    }

    /// The three planes (luma, Cb, Cr) of an 8-bit picture for writing; chroma of mono is empty.
    /// [`Frame::samples_mut`] takes any depth.
    ///
    /// # Panics
    /// If the format is deeper than 8 bits.
    pub fn planes_mut(&mut self) -> [&mut [u8]; 3] {
        let luma = self.format.width * self.format.height;
        let (luma, chroma) = self.data_mut().split_at_mut(luma);
        let (u, v) = chroma.split_at_mut(chroma.len() / 2);
        [luma, u, v]
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
        Planes { planes: [plane(0), plane(1), plane(2)], count: self.format.sampling.planes() }
    }

    /// The three planes of an 8-bit picture; chroma of mono is empty.
    pub(crate) fn byte_planes(&self) -> [BytePlane<'_>; 3] {
        [0, 1, 2].map(|index| BytePlane { data: self.plane(index), stride: self.format.plane_size(index).0 })
    }

    /// Copies planes of the caller, which were checked against the format of this frame.
    pub(crate) fn copy_from(&mut self, planes: &[BytePlane; 3]) {
        let format = self.format;
        for (index, (to, from)) in self.planes_mut().into_iter().zip(planes).enumerate() {
            let width = format.plane_size(index).0;
            let lines = to.par_chunks_exact_mut(width.max(1)).enumerate().with_min_len(MIN_TASK_LINES);
            lines.for_each(|(line, samples)| samples.copy_from_slice(&from.data[line * from.stride..][..width]));
        }
    }

    /// Copies the samples of an 8-bit frame to planes of the caller, after checking all of them.
    pub(crate) fn copy_to(&self, planes: &mut [PlaneMut]) -> Result<(), PlaneError> {
        let count = self.format.sampling.planes();
        for index in 0..count {
            let plane = planes.get(index).map(|plane| PlaneRef { samples: plane.samples.as_samples(), stride: plane.stride });
            check_plane(plane.as_ref(), index, self.format.plane_size(index))?;
        }
        for (index, plane) in planes.iter_mut().enumerate().take(count) {
            let width = self.format.plane_size(index).0;
            let SamplesMut::U8(data) = &mut plane.samples else { continue };
            for (to, from) in data.chunks_mut(plane.stride).zip(self.plane(index).chunks_exact(width)) {
                to[..width].copy_from_slice(from);
            }
        }
        Ok(())
    }

    /// The index of the first sample of plane `index`, and the number of its samples.
    fn span(&self, index: usize) -> (usize, usize) {
        let luma = self.format.width * self.format.height;
        let chroma = (self.samples().len() - luma) / 2;
        if index == 0 { (0, luma) } else { (luma + (index - 1) * chroma, chroma) }
    }
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
        for (value, plane) in frame.planes_mut().into_iter().enumerate() {
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
        // The stages take bytes so far.
        let error = check_planes(&planes, &Format::new(2, 2, Sampling::C422)).unwrap_err();
        assert_eq!((error.index, error.samples, error.bytes), (0, 4, 2));
    }

    #[test]
    fn mono_has_one_plane() {
        let format = Format::new(4, 2, Sampling::Mono);
        let frame = Frame::new(format);
        assert_eq!(frame.planes().len(), 1);
        assert!(check_planes(&frame.planes(), &format).is_ok());
        let error = check_planes(&frame.planes(), &Format::new(4, 2, Sampling::C444)).unwrap_err();
        assert_eq!((error.index, error.samples), (1, 0));
    }
}
