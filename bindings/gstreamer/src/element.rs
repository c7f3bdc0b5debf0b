//! The element: pads, properties, and the way of a buffer through it.

use crate::negotiation::{self, Output};
use crate::options::Options;
use crate::qos::Qos;
use crate::stream::{Step, Stream};
use dndi::convert::Converted;
use dndi_bindings::Error;
use gst::glib;
use gst::prelude::*;
use gst::subclass::prelude::*;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// The name of the property that switches dropping of late outputs.
const QOS: &str = "qos";

/// The state that threads other than the streaming thread use, too. No lock of it is held during a
/// call of another element.
#[derive(Debug, Default)]
pub struct Shared {
    /// The latency of the clip; none before the first caps.
    pub latency: Option<gst::ClockTime>,
    /// The lateness that the sink reports.
    pub qos: Qos,
}

/// The element `dndi`.
#[derive(Debug)]
pub struct Dndi {
    /// The pad of the input.
    pub sink: gst::Pad,
    /// The pad of the output.
    pub source: gst::Pad,
    /// Locked by the thread that pushes buffers and serialized events, also while it calls the next
    /// element. Calls from there back into this element use `shared` alone.
    stream: Mutex<Stream>,
    shared: Mutex<Shared>,
    settings: Mutex<Properties>,
}

#[derive(Clone, Debug)]
struct Properties {
    options: Options,
    qos: bool,
}

impl Default for Properties {
    fn default() -> Properties {
        Properties { options: Options::default(), qos: true }
    }
}

/// Locks; after a panic, which the element reports as an error, the state is as it was left.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Dndi {
    /// The state of the streaming thread.
    pub fn stream(&self) -> MutexGuard<'_, Stream> {
        lock(&self.stream)
    }

    /// The state of all threads.
    pub fn shared(&self) -> MutexGuard<'_, Shared> {
        lock(&self.shared)
    }

    /// The options as they are set now.
    pub fn options(&self) -> Options {
        lock(&self.settings).options.clone()
    }

    fn fail(&self, error: &Error) -> gst::FlowError {
        gst::element_imp_error!(self, gst::StreamError::Failed, ["{}", error]);
        gst::FlowError::Error
    }

    /// A buffer from upstream.
    fn chain(&self, buffer: &gst::BufferRef) -> Result<gst::FlowSuccess, gst::FlowError> {
        let mut stream = self.stream();
        if stream.clip.is_none() {
            return Err(gst::FlowError::NotNegotiated);
        }
        if stream.is_discontinuous(buffer) {
            self.drain(&mut stream)?;
        }
        stream.push(buffer, &self.options()).map_err(|error| self.fail(&error))?;
        self.advance(&mut stream)
    }

    /// Passes all outputs of the frames before on, and ends the conversion.
    pub fn drain(&self, stream: &mut Stream) -> Result<(), gst::FlowError> {
        stream.finish();
        let result = self.advance(stream);
        stream.clear();
        if stream.output.is_some() {
            while let Some(event) = stream.event() {
                self.source.push_event(event);
            }
        }
        result.map(|_| ())
    }

    /// Passes finished outputs on, with the events between them.
    fn advance(&self, stream: &mut Stream) -> Result<gst::FlowSuccess, gst::FlowError> {
        let mut waiting = None;
        loop {
            match stream.step(&mut waiting).map_err(|error| self.fail(&error))? {
                Step::Event(event) => {
                    // The caps come before all other events.
                    self.negotiate(stream)?;
                    self.source.push_event(event);
                }
                Step::Output(output) => {
                    self.negotiate(stream)?;
                    self.output(stream, *output)?;
                }
                Step::NeedsInput | Step::End => return Ok(gst::FlowSuccess::Ok),
            }
        }
    }

    /// Passes an output on, unless it is late.
    fn output(&self, stream: &mut Stream, output: Converted) -> Result<(), gst::FlowError> {
        let (start, duration) = stream.times(&output);
        if self.is_late(stream, start, duration) {
            stream.discontinuity = true;
            stream.recycle(output);
            return Ok(());
        }
        let mut buffer = stream.output.as_ref().ok_or(gst::FlowError::NotNegotiated)?.buffer()?;
        let filled = buffer.get_mut().and_then(|buffer| {
            buffer.set_pts(start);
            buffer.set_dts(None);
            buffer.set_duration(duration);
            stream.fill(&output, buffer)
        });
        stream.recycle(output);
        filled.ok_or_else(|| self.fail(&Error::input("a buffer of the next element does not have the negotiated format")))?;
        self.source.push(buffer).map(|_| ())
    }

    /// Whether the sink would drop an output, which is then reported.
    fn is_late(&self, stream: &Stream, start: Option<gst::ClockTime>, duration: Option<gst::ClockTime>) -> bool {
        let time = start.and_then(|start| stream.segment.to_running_time(start));
        let enabled = lock(&self.settings).qos;
        let Some(drop) = self.shared().qos.decide(time, enabled) else { return false };
        let message = gst::message::Qos::builder(false)
            .running_time(time)
            .stream_time(start.and_then(|start| stream.segment.to_stream_time(start)))
            .timestamp(start)
            .duration(duration)
            .values(drop.jitter, drop.proportion, 1_000_000)
            .stats(gst::format::Buffers::from_u64(drop.counts.0), gst::format::Buffers::from_u64(drop.counts.1))
            .src(&*self.obj())
            .build();
        // Without a bus nobody needs the report.
        let _ = self.obj().post_message(message);
        true
    }

    /// Negotiates the output of the running conversion, unless it is that of the one before.
    fn negotiate(&self, stream: &mut Stream) -> Result<(), gst::FlowError> {
        let wanted = self.source.check_reconfigure() || stream.output.is_none();
        if stream.checked && !wanted {
            return Ok(());
        }
        let Some((settings, plan)) = stream.plan().map_err(|error| self.fail(&error))? else { return Ok(()) };
        let clip = stream.clip.as_ref().ok_or(gst::FlowError::NotNegotiated)?;
        let choices = Output::caps(clip, &settings, &plan).map_err(|error| self.fail(&Error::input(error)))?;
        let downstream = self.source.peer_query_caps(None);
        let caps = choices.into_iter().find(|caps| caps.can_intersect(&downstream)).ok_or(gst::FlowError::NotNegotiated)?;
        stream.checked = true;
        if !wanted && stream.output.as_ref().is_some_and(|output| output.caps == caps) {
            return Ok(());
        }
        if !self.source.push_event(gst::event::Caps::new(&caps)) {
            let flushing = self.source.pad_flags().contains(gst::PadFlags::FLUSHING);
            return Err(if flushing { gst::FlowError::Flushing } else { gst::FlowError::NotNegotiated });
        }
        stream.output = Some(Output::new(caps, &self.source).map_err(|error| self.fail(&Error::input(error)))?);
        Ok(())
    }
}

#[glib::object_subclass]
impl ObjectSubclass for Dndi {
    const NAME: &'static str = "GstDndi";
    type Type = crate::Dndi;
    type ParentType = gst::Element;

    fn with_class(class: &Self::Class) -> Self {
        let pad = |name| class.pad_template(name).map(|template| gst::Pad::builder_from_template(&template));
        // The templates are those of `pad_templates`.
        let [sink, source] = ["sink", "src"].map(|name| pad(name).unwrap_or_else(|| panic!("no template {name}")));
        let sink = sink
            .chain_function(|_, parent, buffer| {
                Dndi::catch_panic_pad_function(parent, || Err(gst::FlowError::Error), |element| element.chain(&buffer))
            })
            .event_function(|pad, parent, event| {
                Dndi::catch_panic_pad_function(parent, || false, |element| element.sink_event(pad, event))
            })
            .query_function(|pad, parent, query| {
                Dndi::catch_panic_pad_function(parent, || false, |element| element.sink_query(pad, query))
            })
            .build();
        let source = source
            .event_function(|pad, parent, event| {
                Dndi::catch_panic_pad_function(parent, || false, |element| element.source_event(pad, event))
            })
            .query_function(|pad, parent, query| {
                Dndi::catch_panic_pad_function(parent, || false, |element| element.source_query(pad, query))
            })
            .build();
        Dndi { sink, source, stream: Mutex::default(), shared: Mutex::default(), settings: Mutex::default() }
    }
}

impl ObjectImpl for Dndi {
    fn properties() -> &'static [glib::ParamSpec] {
        static PROPERTIES: OnceLock<Vec<glib::ParamSpec>> = OnceLock::new();
        PROPERTIES.get_or_init(|| {
            let qos = glib::ParamSpecBoolean::builder(QOS).nick("QoS").blurb("Drop outputs that the sink would drop");
            Options::properties().chain([qos.default_value(true).mutable_playing().build()]).collect()
        })
    }

    fn set_property(&self, _: usize, value: &glib::Value, property: &glib::ParamSpec) {
        let mut settings = lock(&self.settings);
        match property.name() {
            QOS => settings.qos = value.get().unwrap_or(true),
            name => settings.options.set(name, value.get().unwrap_or_default()),
        }
    }

    fn property(&self, _: usize, property: &glib::ParamSpec) -> glib::Value {
        let settings = lock(&self.settings);
        match property.name() {
            QOS => settings.qos.to_value(),
            name => settings.options.get(name).to_value(),
        }
    }

    fn constructed(&self) {
        self.parent_constructed();
        for pad in [&self.sink, &self.source] {
            // A new element has no other pads of these names.
            let _ = self.obj().add_pad(pad);
        }
    }
}

impl GstObjectImpl for Dndi {}

impl ElementImpl for Dndi {
    fn metadata() -> Option<&'static gst::subclass::ElementMetadata> {
        static METADATA: OnceLock<gst::subclass::ElementMetadata> = OnceLock::new();
        Some(METADATA.get_or_init(|| {
            gst::subclass::ElementMetadata::new(
                "dndi",
                "Filter/Effect/Video/Deinterlace",
                env!("CARGO_PKG_DESCRIPTION"),
                "The dndi project",
            )
        }))
    }

    fn pad_templates() -> &'static [gst::PadTemplate] {
        static TEMPLATES: OnceLock<Vec<gst::PadTemplate>> = OnceLock::new();
        TEMPLATES.get_or_init(|| {
            let always = gst::PadPresence::Always;
            let pads = [("sink", gst::PadDirection::Sink), ("src", gst::PadDirection::Src)];
            let template = |(name, direction)| gst::PadTemplate::new(name, direction, always, &negotiation::template()).ok();
            pads.into_iter().filter_map(template).collect()
        })
    }

    fn change_state(&self, transition: gst::StateChange) -> Result<gst::StateChangeSuccess, gst::StateChangeError> {
        if transition == gst::StateChange::ReadyToPaused
            && let Err(error) = check(&self.options())
        {
            gst::element_imp_error!(self, gst::LibraryError::Settings, ["{}", error]);
            return Err(gst::StateChangeError);
        }
        let success = self.parent_change_state(transition)?;
        if transition == gst::StateChange::PausedToReady {
            // The pads are inactive, so no other thread uses the stream.
            *self.stream() = Stream::default();
            *self.shared() = Shared::default();
        }
        Ok(success)
    }
}

/// Checks the values of the options before the first frame.
fn check(options: &Options) -> Result<(), Error> {
    let format = dndi::Format::new(64, 64, dndi::Sampling::C420);
    options.add_to(&mut dndi_bindings::Settings::new(format), "bt601-limited")
}
