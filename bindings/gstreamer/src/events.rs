//! Events and queries of both pads.

use crate::clip::Clip;
use crate::element::Dndi;
use crate::negotiation;
use crate::stream::Stream;
use gst::prelude::*;
use gst::subclass::prelude::*;
use gst::{EventView, QueryViewMut};

impl Dndi {
    /// An event from upstream.
    pub fn sink_event(&self, pad: &gst::Pad, event: gst::Event) -> bool {
        if event.type_() == gst::EventType::FlushStart {
            return gst::Pad::event_default(pad, Some(&*self.obj()), event);
        }
        let mut stream = self.stream();
        match event.view() {
            EventView::Caps(caps) => self.set_caps(&mut stream, caps.caps()),
            EventView::Segment(segment) => {
                let Some(segment) = segment.segment().downcast_ref::<gst::ClockTime>().filter(|segment| segment.rate() > 0.0)
                else {
                    gst::element_imp_error!(self, gst::StreamError::Format, ["segments must be of time and play forward"]);
                    return false;
                };
                let drained = self.drain(&mut stream).is_ok();
                stream.segment = segment.clone();
                self.shared().qos.reset();
                drained && self.pass(&mut stream, event)
            }
            EventView::StreamStart(_) => {
                let drained = self.drain(&mut stream).is_ok();
                // The caps of the new stream are sent even if they are the same.
                stream.output = None;
                drained && self.source.push_event(event)
            }
            EventView::Eos(_) => {
                let drained = self.drain(&mut stream).is_ok();
                while let Some(event) = stream.event() {
                    self.source.push_event(event);
                }
                self.source.push_event(event) && drained
            }
            // The frames before a gap must not wait for the end of it.
            EventView::Gap(_) => self.drain(&mut stream).is_ok() && self.pass(&mut stream, event),
            EventView::FlushStop(_) => {
                stream.flush();
                self.shared().qos.reset();
                drop(stream);
                gst::Pad::event_default(pad, Some(&*self.obj()), event)
            }
            _ if event.is_serialized() => self.pass(&mut stream, event),
            _ => {
                drop(stream);
                gst::Pad::event_default(pad, Some(&*self.obj()), event)
            }
        }
    }

    /// Passes an event on after the outputs of the frames before it; not before the caps.
    fn pass(&self, stream: &mut Stream, event: gst::Event) -> bool {
        if stream.is_running() || stream.output.is_none() {
            stream.keep(event);
            return true;
        }
        self.source.push_event(event)
    }

    fn set_caps(&self, stream: &mut Stream, caps: &gst::CapsRef) -> bool {
        if stream.clip.as_ref().is_some_and(|clip| *clip.caps == *caps) && stream.output.is_some() {
            return true;
        }
        if self.drain(stream).is_err() {
            return false;
        }
        let options = self.options();
        let clip = Clip::new(caps);
        let latency = clip.and_then(|clip| {
            let frames = stream.begin(clip.clone(), &options).map_err(|error| error.to_string())?;
            Ok(clip.latency(frames))
        });
        match latency {
            Ok(latency) => {
                let changed = self.shared().latency.replace(latency) != Some(latency);
                if changed {
                    // The pipeline then queries the latency of all elements again.
                    let _ = self.obj().post_message(gst::message::Latency::builder().src(&*self.obj()).build());
                }
                true
            }
            Err(error) => {
                stream.clip = None;
                gst::element_imp_error!(self, gst::StreamError::Format, ["{}", error]);
                false
            }
        }
    }

    /// A query from upstream.
    pub fn sink_query(&self, pad: &gst::Pad, query: &mut gst::QueryRef) -> bool {
        match query.view_mut() {
            QueryViewMut::Caps(caps) => {
                let downstream = self.source.peer_query_caps(None);
                let offered = negotiation::preferred(&downstream);
                let offered = caps
                    .filter_owned()
                    .map_or(offered.clone(), |filter| filter.intersect_with_mode(&offered, gst::CapsIntersectMode::First));
                caps.set_result(&offered);
                true
            }
            QueryViewMut::Allocation(allocation) => {
                // Buffers are copied at once, so any memory and layout will do.
                allocation.add_allocation_meta::<gst_video::VideoMeta>(None);
                true
            }
            _ => gst::Pad::query_default(pad, Some(&*self.obj()), query),
        }
    }

    /// An event from downstream.
    pub fn source_event(&self, pad: &gst::Pad, event: gst::Event) -> bool {
        match event.view() {
            EventView::Qos(qos) => {
                let (_, proportion, diff, timestamp) = qos.get();
                self.shared().qos.update(proportion, diff, timestamp);
                gst::Pad::event_default(pad, Some(&*self.obj()), event)
            }
            // A conversion follows the order of the frames.
            EventView::Seek(seek) if seek.get().0 <= 0.0 => false,
            _ => gst::Pad::event_default(pad, Some(&*self.obj()), event),
        }
    }

    /// A query from downstream.
    pub fn source_query(&self, pad: &gst::Pad, query: &mut gst::QueryRef) -> bool {
        match query.view_mut() {
            QueryViewMut::Latency(latency) => {
                let mut upstream = gst::query::Latency::new();
                if !self.sink.peer_query(&mut upstream) {
                    return false;
                }
                let (live, min, max) = upstream.result();
                let own = self.shared().latency.unwrap_or(gst::ClockTime::ZERO);
                // The element holds the frames of its latency, so it can wait as long.
                latency.set(live, min + own, max.map(|max| max.saturating_add(own)));
                true
            }
            _ => gst::Pad::query_default(pad, Some(&*self.obj()), query),
        }
    }
}
