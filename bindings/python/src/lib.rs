//! The extension module of the Python package `dndi`. The package in `python/dndi` has the classes
//! that users see; this module has the conversion and the inspection, which run without the lock of
//! the interpreter.

use dndi::convert::Converted;
use dndi::{FieldOrder, Format, Frame, FrameFlags, PlaneRef, Samples, Sampling, UserData, y4m};
use dndi_bindings::{Conversion, Finding, Inspector, Kind, Progress, Settings, fill_plane};
use numpy::ndarray::{Array2, ArrayView2};
use numpy::{PyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::create_exception;
use pyo3::exceptions::{PyMemoryError, PyOSError, PyValueError};
use pyo3::prelude::*;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

create_exception!(dndi, Error, PyValueError, "An error of dndi, with the message of the library.");
create_exception!(dndi, OptionError, Error, "An unknown option, a value that it does not take, or a contradiction.");
create_exception!(dndi, EndedError, Error, "A frame after the end of the clip.");

fn raise(error: dndi_bindings::Error) -> PyErr {
    let message = error.to_string();
    match error.kind() {
        Kind::Option => OptionError::new_err(message),
        Kind::Input => Error::new_err(message),
        Kind::Ended => EndedError::new_err(message),
        Kind::Memory => PyMemoryError::new_err(message),
    }
}

/// The settings for a clip.
fn settings(format: Format, options: Vec<(String, String)>) -> PyResult<Settings> {
    let mut settings = Settings::new(format);
    options.iter().try_for_each(|(name, value)| settings.set(name, value)).map_err(raise)?;
    Ok(settings)
}

fn format(width: usize, height: usize, sampling: &str, depth: u8) -> PyResult<Format> {
    let sampling: Sampling = sampling.parse().map_err(|error| raise(dndi_bindings::Error::option("sampling", error)))?;
    Ok(Format::new(width, height, sampling).with_depth(depth))
}

/// The flags of a frame, from `progressive`, `tff`, `bff` or none.
fn flags(scan: Option<&str>) -> PyResult<FrameFlags> {
    let flags = FrameFlags::default();
    match scan {
        None => Ok(flags),
        Some("progressive") => Ok(flags.progressive(true)),
        Some("tff") => Ok(flags.field_order(FieldOrder::TopFirst)),
        Some("bff") => Ok(flags.field_order(FieldOrder::BottomFirst)),
        Some(scan) => Err(Error::new_err(format!("no scan '{scan}'; there are: progressive, tff, bff"))),
    }
}

/// A plane of the caller, borrowed.
enum Plane<'py> {
    Bytes(PyReadonlyArray2<'py, u8>),
    Words(PyReadonlyArray2<'py, u16>),
}

impl<'py> Plane<'py> {
    /// Borrows an array of two dimensions, and checks its size.
    fn new(array: &Bound<'py, PyAny>, format: Format, index: usize) -> PyResult<Plane<'py>> {
        let (width, height) = format.plane_size(index);
        let wrong = |found: String| {
            let dtype = if format.depth > 8 { "uint16" } else { "uint8" };
            Error::new_err(format!("plane {index} is {found}; it must be a {dtype} array of {height} rows of {width} samples"))
        };
        let (plane, shape) = if format.depth > 8 {
            let array: PyReadonlyArray2<u16> = array.extract().map_err(|_| wrong(describe(array)))?;
            let shape = [array.shape()[0], array.shape()[1]];
            (Plane::Words(array), shape)
        } else {
            let array: PyReadonlyArray2<u8> = array.extract().map_err(|_| wrong(describe(array)))?;
            let shape = [array.shape()[0], array.shape()[1]];
            (Plane::Bytes(array), shape)
        };
        if shape == [height, width] { Ok(plane) } else { Err(wrong(describe(array))) }
    }

    /// Copies the plane into a frame.
    fn copy_to(&self, frame: &mut Frame, index: usize) -> PyResult<()> {
        match self {
            Plane::Bytes(array) => copy(array.as_array(), frame, index),
            Plane::Words(array) => copy(array.as_array(), frame, index),
        }
    }
}

/// The shape and the type of an array, for an error.
fn describe(array: &Bound<'_, PyAny>) -> String {
    let get = |name: &str| array.getattr(name).map(|value| value.to_string());
    match (get("dtype"), get("shape")) {
        (Ok(dtype), Ok(shape)) => format!("a {dtype} array of shape {shape}"),
        _ => "no array".to_owned(),
    }
}

/// Copies rows of any stride.
fn copy<S: Copy>(view: ArrayView2<S>, frame: &mut Frame, index: usize) -> PyResult<()>
where
    for<'a> Samples<'a>: From<&'a [S]>,
{
    // Samples of a row that are not adjacent are gathered first.
    let gathered: Array2<S>;
    let view = if view.strides()[1] == 1 || view.shape()[1] <= 1 {
        view
    } else {
        gathered = view.as_standard_layout().into_owned();
        gathered.view()
    };
    let wrong = || dndi_bindings::Error::input("a plane has no rows of adjacent samples");
    let row = |y, _| view.row(y).to_slice().map(Samples::from).ok_or_else(wrong);
    fill_plane(frame, index, row).map_err(raise)
}

/// The scan of a frame by name, and its content, if the detector decided.
type Decided = (Option<String>, Option<String>, Option<u8>);

/// Number, field, time and duration of an output.
type Times = (u64, u64, u64, u64);

/// Samples, shape, times, decision and user data of an output.
type Pulled<'py> = (Bound<'py, PyAny>, Shape, Times, Decided, Option<Py<PyAny>>);

/// Width, height, sampling and depth.
type Shape = (usize, usize, String, u8);

/// A converter. The class of the package has the interface of users.
#[pyclass]
struct Converter {
    /// Only one thread at a time has the object for writing; the lock permits to share it.
    conversion: Mutex<Conversion>,
    format: Format,
}

#[pymethods]
impl Converter {
    #[new]
    fn new(width: usize, height: usize, sampling: &str, depth: u8, options: Vec<(String, String)>) -> PyResult<Converter> {
        let format = format(width, height, sampling, depth)?;
        let conversion = Conversion::new(&settings(format, options)?).map_err(raise)?;
        Ok(Converter { conversion: Mutex::new(conversion), format })
    }

    /// Copies the planes of a frame, and analyses it without the lock of the interpreter.
    fn push(
        &mut self,
        py: Python<'_>,
        planes: Vec<Bound<'_, PyAny>>,
        scan: Option<&str>,
        user: Option<Py<PyAny>>,
    ) -> PyResult<()> {
        let needed = self.format.sampling.planes();
        if planes.len() != needed {
            return Err(Error::new_err(format!("{} planes are given, {needed} are needed", planes.len())));
        }
        let flags = flags(scan)?;
        let conversion = inner(&mut self.conversion);
        let mut frame = conversion.input().map_err(raise)?;
        for (index, plane) in planes.iter().enumerate() {
            Plane::new(plane, self.format, index)?.copy_to(&mut frame, index)?;
        }
        py.detach(|| conversion.push(frame, flags, UserData::new(user))).map_err(raise)
    }

    /// Ends the clip.
    fn finish(&mut self, py: Python<'_>) {
        let conversion = inner(&mut self.conversion);
        py.detach(|| conversion.finish());
    }

    /// The next output: its samples as one array that owns the memory of the frame, its shape,
    /// times, decision and user data. None if more frames are needed, or after the last output.
    fn pull<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Pulled<'py>>> {
        let conversion = inner(&mut self.conversion);
        let Progress::Output(output) = py.detach(|| conversion.pull()).map_err(raise)? else { return Ok(None) };
        let Converted { frame, number, field, time, duration, decision, user_data, .. } = *output;
        let format = frame.format();
        let samples = if format.depth > 8 {
            PyArray1::from_vec(py, frame.into_vec_u16()).into_any()
        } else {
            PyArray1::from_vec(py, frame.into_vec()).into_any()
        };
        let decided = decision.map_or((None, None, None), |decision| {
            (Some(decision.scan().to_string()), Some(decision.content.to_string()), Some(decision.confidence))
        });
        let user = user_data.as_ref().and_then(UserData::get::<Option<Py<PyAny>>>);
        let user = user.and_then(|user| user.as_ref().map(|user| user.clone_ref(py)));
        Ok(Some((samples, shape(format), (number, field, time, duration), decided, user)))
    }

    /// The properties of the outputs: shape, whether they are progressive, scan of the first input
    /// frames, and ratio of the rates. None before the start of the clip is known.
    fn plan(&mut self, py: Python<'_>) -> PyResult<Option<Planned>> {
        let conversion = inner(&mut self.conversion);
        let plan = py.detach(|| conversion.plan()).map_err(raise)?;
        Ok(plan.map(|plan| (shape(plan.output_format), plan.progressive, plan.scan.to_string(), plan.ratio)))
    }
}

/// Shape, whether frames are progressive, scan, ratio of the rates.
type Planned = (Shape, bool, String, (u32, u32));

/// The value of a lock that no other thread can hold.
fn inner<T>(lock: &mut Mutex<T>) -> &mut T {
    lock.get_mut().unwrap_or_else(PoisonError::into_inner)
}

fn shape(format: Format) -> Shape {
    (format.width, format.height, format.sampling.to_string(), format.depth)
}

/// Content, pulldown pattern, field order, confidence, first frame, number of frames.
type Found = (String, Option<String>, Option<String>, u8, u64, u64);

fn found(finding: &Finding) -> Found {
    let order = (finding.content != dndi::Content::Progressive).then(|| finding.field_order.to_string());
    let pulldown = finding.pulldown.map(|pulldown| pulldown.to_string());
    (finding.content.to_string(), pulldown, order, finding.confidence(), finding.first, finding.frames)
}

/// An inspection of frames that the caller pushes.
#[pyclass(name = "Inspector")]
struct PyInspector {
    inspector: Inspector,
    format: Format,
}

#[pymethods]
impl PyInspector {
    #[new]
    fn new(width: usize, height: usize, depth: u8, options: Vec<(String, String)>) -> PyResult<PyInspector> {
        let format = Format::new(width, height, Sampling::Mono).with_depth(depth);
        Ok(PyInspector { inspector: Inspector::new(&settings(format, options)?).map_err(raise)?, format })
    }

    /// Analyses the luma of the next frame without the lock of the interpreter.
    fn push(&mut self, py: Python<'_>, luma: &Bound<'_, PyAny>, scan: Option<&str>) -> PyResult<()> {
        let flags = flags(scan)?;
        let mut frame = Frame::try_new(self.format).map_err(|error| raise(error.into()))?;
        Plane::new(luma, self.format, 0)?.copy_to(&mut frame, 0)?;
        let inspector = &mut self.inspector;
        py.detach(|| push(inspector, &frame, flags)).map_err(raise)
    }

    /// Ends the clip, and returns the most frequent kind and all segments.
    fn finish(&mut self, py: Python<'_>) -> (Option<Found>, Vec<Found>) {
        let inspector = &mut self.inspector;
        py.detach(|| results(inspector))
    }
}

/// Analyses a frame, and takes the decisions that are ready.
fn push(inspector: &mut Inspector, frame: &Frame, flags: FrameFlags) -> Result<(), dndi_bindings::Error> {
    let plane: PlaneRef = frame.planes()[0];
    inspector.push(plane, flags)?;
    while inspector.pull().is_some() {}
    Ok(())
}

fn results(inspector: &mut Inspector) -> (Option<Found>, Vec<Found>) {
    inspector.finish();
    while inspector.pull().is_some() {}
    (inspector.measured().as_ref().map(found), inspector.segments().iter().map(found).collect())
}

/// Opens a y4m file.
fn open(path: &Path) -> PyResult<y4m::Reader<BufReader<File>>> {
    let file = File::open(path).map_err(|error| PyOSError::new_err(format!("{}: {error}", path.display())))?;
    y4m::Reader::new(BufReader::new(file)).map_err(|error| of_file(path, error))
}

/// The exception for an error of a file.
fn of_file(path: &Path, error: y4m::Error) -> PyErr {
    let message = format!("{}: {error}", path.display());
    if let y4m::Error::Io(_) = error { PyOSError::new_err(message) } else { Error::new_err(message) }
}

/// The number of frames of a y4m file.
#[pyfunction]
fn y4m_frames(py: Python<'_>, path: PathBuf) -> PyResult<u64> {
    py.detach(|| {
        let (mut reader, mut frames) = (open(&path)?, 0);
        while reader.seek_past().map_err(|error| of_file(&path, error))?.is_some() {
            frames += 1;
        }
        Ok(frames)
    })
}

/// Inspects a y4m file without the lock of the interpreter.
#[pyfunction]
fn inspect_y4m(py: Python<'_>, path: PathBuf, options: Vec<(String, String)>) -> PyResult<(Option<Found>, Vec<Found>)> {
    let mut reader = open(&path)?;
    let header = reader.header().clone();
    let mut settings = settings(header.format(), vec![("interlacing".to_owned(), header.interlacing().to_string())])?;
    options.iter().try_for_each(|(name, value)| settings.set(name, value)).map_err(raise)?;
    py.detach(|| {
        let mut inspector = Inspector::new(&settings).map_err(raise)?;
        let mut frame = Frame::try_new(header.format()).map_err(|error| raise(error.into()))?;
        while let Some(header) = reader.read(&mut frame).map_err(|error| of_file(&path, error))? {
            push(&mut inspector, &frame, header.flags()).map_err(raise)?;
        }
        Ok(results(&mut inspector))
    })
}

/// The extension module.
#[pymodule]
fn _dndi(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add_class::<Converter>()?;
    module.add_class::<PyInspector>()?;
    module.add_function(wrap_pyfunction!(inspect_y4m, module)?)?;
    module.add_function(wrap_pyfunction!(y4m_frames, module)?)?;
    module.add("Error", py.get_type::<Error>())?;
    module.add("OptionError", py.get_type::<OptionError>())?;
    module.add("EndedError", py.get_type::<EndedError>())?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))
}
