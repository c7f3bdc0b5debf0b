//! Planes of a picture, borrowed from the caller or from a frame (§1.6).
use crate::format::Format;
use dndi_simd::{Kernels, Sample};
use std::ops::{Deref, DerefMut};
use std::{array, iter, slice};

/// Borrowed samples: one byte each for a depth of 8 bits, 16-bit words for 9 to 16 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Samples<'a> {
    /// 8 bits.
    U8(&'a [u8]),
    /// n = 9 to 16 bits, in the least significant bits of each word. A word above 2^n - 1 counts as
    /// 2^n - 1.
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
    pub(super) fn as_samples(&self) -> Samples<'_> {
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

/// A sample type that planes and frames hold.
pub(crate) trait PlaneSample: Sample {
    /// The samples, if they are of this type.
    fn of(samples: Samples<'_>) -> Option<&[Self]>;

    /// The samples for writing, if they are of this type.
    fn of_mut(samples: SamplesMut<'_>) -> Option<&mut [Self]>;

    /// The same samples, if they are bytes.
    fn as_bytes(samples: &[Self]) -> Option<&[u8]>;
}

impl PlaneSample for u8 {
    fn of(samples: Samples<'_>) -> Option<&[u8]> {
        if let Samples::U8(samples) = samples { Some(samples) } else { None }
    }

    fn of_mut(samples: SamplesMut<'_>) -> Option<&mut [u8]> {
        if let SamplesMut::U8(samples) = samples { Some(samples) } else { None }
    }

    #[inline(always)]
    fn as_bytes(samples: &[u8]) -> Option<&[u8]> {
        Some(samples)
    }
}

impl PlaneSample for u16 {
    fn of(samples: Samples<'_>) -> Option<&[u16]> {
        if let Samples::U16(samples) = samples { Some(samples) } else { None }
    }

    fn of_mut(samples: SamplesMut<'_>) -> Option<&mut [u16]> {
        if let SamplesMut::U16(samples) = samples { Some(samples) } else { None }
    }

    #[inline(always)]
    fn as_bytes(_: &[u16]) -> Option<&[u8]> {
        None
    }
}

/// A plane that was checked against its format; empty if the format lacks it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct InputPlane<'a, S = u8> {
    pub data: &'a [S],
    pub stride: usize,
    /// The greatest value of the depth; greater samples count as this value.
    pub most: S,
}

impl<'a, S: PlaneSample> InputPlane<'a, S> {
    /// The samples of a plane that was checked, of `depth` bits; none if they are of another type.
    pub fn new(plane: PlaneRef<'a>, depth: u8) -> InputPlane<'a, S> {
        let most = S::from_u32((1 << depth) - 1);
        InputPlane { data: S::of(plane.samples).unwrap_or_default(), stride: plane.stride, most }
    }

    /// Copies the first samples of line `y`, limited to the greatest value of their depth.
    pub fn copy_line(&self, kernels: &Kernels, y: usize, to: &mut [S]) {
        (S::kernels(kernels).limit)(to, self.line(y, to.len()), self.most);
    }

    /// `width` samples of line `y`, not limited to the greatest value of their depth.
    pub fn line(&self, y: usize, width: usize) -> &'a [S] {
        &self.data[y * self.stride..][..width]
    }
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
    /// The required width and height in samples.
    pub size: (usize, usize),
    /// The required bytes per sample.
    pub needed_bytes: usize,
}

/// Checks the planes of a picture of `format`: one plane for mono, else three. Further planes are
/// ignored; missing chroma is returned as empty planes.
pub(crate) fn check_planes<'a>(planes: &[PlaneRef<'a>], format: &Format) -> Result<[PlaneRef<'a>; 3], PlaneError> {
    let empty = PlaneRef::new(&[0u8; 0][..], 0);
    let mut checked = [empty; 3];
    for (index, checked) in checked.iter_mut().enumerate().take(format.sampling.planes()) {
        *checked = check_plane(planes.get(index), index, format)?;
    }
    Ok(checked)
}

/// Checks that plane `index` has the size and the sample type of a picture of `format`.
pub(crate) fn check_plane<'a>(plane: Option<&PlaneRef<'a>>, index: usize, format: &Format) -> Result<PlaneRef<'a>, PlaneError> {
    let (size, needed_bytes) = (format.plane_size(index), format.bytes_per_sample());
    let Some(&PlaneRef { samples, stride }) = plane else {
        return Err(PlaneError { index, samples: 0, bytes: needed_bytes, stride: 0, size, needed_bytes });
    };
    let bytes = samples.bytes_per_sample();
    if bytes == needed_bytes && fits(samples.len(), stride, size) {
        return Ok(PlaneRef { samples, stride });
    }
    Err(PlaneError { index, samples: samples.len(), bytes, stride, size, needed_bytes })
}

/// Whether `len` samples are enough for a plane of `size` (width, height) with rows `stride`
/// samples apart.
fn fits(len: usize, stride: usize, (width, height): (usize, usize)) -> bool {
    stride >= width && (height - 1).checked_mul(stride).and_then(|n| n.checked_add(width)).is_some_and(|need| len >= need)
}

/// The planes of a frame, from [`Frame::planes`](crate::Frame::planes): one for mono, else three
/// (luma, Cb, Cr). It dereferences to a slice.
#[derive(Clone, Copy, Debug)]
pub struct Planes<'a> {
    planes: [PlaneRef<'a>; 3],
    count: usize,
}

impl<'a> Planes<'a> {
    /// The first `count` of `planes`.
    pub(super) fn new(planes: [PlaneRef<'a>; 3], count: usize) -> Planes<'a> {
        Planes { planes, count }
    }
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

/// The planes of a frame for writing, from [`Frame::planes_mut`](crate::Frame::planes_mut): one for
/// mono, else three (luma, Cb, Cr). It dereferences to a slice.
#[derive(Debug)]
pub struct PlanesMut<'a> {
    planes: [PlaneMut<'a>; 3],
    count: usize,
}

impl<'a> PlanesMut<'a> {
    /// The first `count` of `planes`.
    pub(super) fn new(planes: [PlaneMut<'a>; 3], count: usize) -> PlanesMut<'a> {
        PlanesMut { planes, count }
    }
}

impl<'a> Deref for PlanesMut<'a> {
    type Target = [PlaneMut<'a>];

    fn deref(&self) -> &[PlaneMut<'a>] {
        &self.planes[..self.count]
    }
}

impl<'a> DerefMut for PlanesMut<'a> {
    fn deref_mut(&mut self) -> &mut [PlaneMut<'a>] {
        &mut self.planes[..self.count]
    }
}

impl<'a> IntoIterator for PlanesMut<'a> {
    type Item = PlaneMut<'a>;
    type IntoIter = iter::Take<array::IntoIter<PlaneMut<'a>, 3>>;

    fn into_iter(self) -> Self::IntoIter {
        self.planes.into_iter().take(self.count)
    }
}
