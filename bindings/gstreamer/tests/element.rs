//! The protocol of the element in a harness of GStreamer: caps, times, latency, flush, restarts,
//! renegotiation, lateness, errors. The script `test/run` compares frames with the command.

use gst::prelude::*;
use gst::{ClockTime, EventView};
use gst_check::Harness;
use gst_video::prelude::*;
use std::sync::{Arc, Mutex, OnceLock};

const FRAME: ClockTime = ClockTime::from_mseconds(40);
const TFF: &str = "interlace-mode=interleaved,field-order=top-field-first";

/// A harness around the element with these properties and these caps.
fn harness(options: &[(&str, &str)], caps: &str) -> Harness {
    static DONE: OnceLock<()> = OnceLock::new();
    DONE.get_or_init(|| {
        gst::init().unwrap();
        gstdndi::plugin_register_static().unwrap();
    });
    let element = gst::ElementFactory::make("dndi").build().unwrap();
    options.iter().for_each(|(name, value)| element.set_property(name, value));
    let mut harness = Harness::with_element(&element, Some("sink"), Some("src"));
    harness.set_src_caps_str(caps);
    harness
}

fn caps(width: usize, rest: &str) -> String {
    format!("video/x-raw,format=GRAY8,width={width},height=48,framerate=25/1,{rest}")
}

/// Frame `n` of a moving texture, top field first.
fn picture(n: u64, width: u64) -> gst::Buffer {
    let luma = (0..width * 48).map(|place| {
        let (x, y) = (place % width, place / width);
        (((x + 3 * (2 * n + y % 2)) * 29 + y / 8 * 57) % 200 + 20) as u8
    });
    let mut buffer = gst::Buffer::from_mut_slice(luma.collect::<Vec<u8>>());
    let fields = buffer.get_mut().unwrap();
    fields.set_pts(FRAME * n);
    fields.set_duration(FRAME);
    buffer
}

fn push(harness: &mut Harness, frames: std::ops::Range<u64>) {
    frames.for_each(|n| assert_eq!(harness.push(picture(n, 64)), Ok(gst::FlowSuccess::Ok)));
}

fn buffers(harness: &mut Harness) -> Vec<gst::Buffer> {
    std::iter::from_fn(|| harness.try_pull()).collect()
}

fn bytes(buffers: &[gst::Buffer]) -> Vec<Vec<u8>> {
    buffers.iter().map(|buffer| buffer.map_readable().unwrap().to_vec()).collect()
}

fn times(buffers: &[gst::Buffer]) -> Vec<(u64, u64)> {
    buffers.iter().map(|buffer| (buffer.pts().unwrap().mseconds(), buffer.duration().unwrap().mseconds())).collect()
}

/// All outputs of 24 frames and the end.
fn all(harness: &mut Harness) -> Vec<gst::Buffer> {
    push(harness, 0..24);
    assert!(harness.push_event(gst::event::Eos::new()));
    buffers(harness)
}

fn output_caps(harness: &Harness) -> gst::Structure {
    harness.sinkpad().unwrap().current_caps().unwrap().structure(0).unwrap().to_owned()
}

#[test]
fn fields_double_the_rate_and_the_end_flushes_all() {
    let mut harness = harness(&[], &caps(64, TFF));
    let outputs = all(&mut harness);
    assert_eq!(times(&outputs), (0..48).map(|field| (20 * field, 20)).collect::<Vec<_>>());
    let caps = output_caps(&harness);
    assert_eq!(caps.get::<gst::Fraction>("framerate").unwrap(), gst::Fraction::new(50, 1));
    assert_eq!(caps.get::<String>("interlace-mode").unwrap(), "progressive");
    assert!(!caps.has_field("field-order"));
    assert!(outputs.iter().all(|buffer| !buffer.video_flags().contains(gst_video::VideoBufferFlags::INTERLACED)));
    // The order of a stream: its start, the caps, the segment, and the end after all frames.
    let events: Vec<_> = std::iter::from_fn(|| harness.try_pull_event()).map(|event| event.type_()).collect();
    use gst::EventType::{Caps, Eos, Segment, StreamStart};
    assert_eq!(events, [StreamStart, Caps, Segment, Eos]);
}

#[test]
fn the_latency_is_that_of_the_frames_held() {
    let high: [(&[(&str, &str)], u64); 9] = [
        (&[], 13),
        (&[("rate", "frame")], 13),
        (&[("denoise-motion", "on")], 14),
        (&[("drop-outs", "on")], 14),
        (&[("dot-crawl", "ntsc")], 15),
        (&[("dot-crawl", "pal"), ("rate", "frame")], 17),
        (&[("deinterlacer", "best"), ("denoise", "off")], 13),
        (&[("field-order", "header"), ("film", "off")], 1),
        (&[("deinterlace", "off"), ("denoise", "off")], 1),
    ];
    for (options, frames) in high {
        let mut harness = harness(options, &caps(64, TFF));
        harness.set_live(true);
        harness.set_upstream_latency(ClockTime::from_mseconds(7));
        push(&mut harness, 0..1);
        let mut query = gst::query::Latency::new();
        assert!(harness.sinkpad().unwrap().peer_query(&mut query));
        let (live, min, _) = query.result();
        assert_eq!((live, min), (true, ClockTime::from_mseconds(7) + FRAME * frames), "{options:?}");
        // No output comes later than that, measured in the times of the frames.
        let mut held = ClockTime::ZERO;
        for n in 0..40 {
            if n > 0 {
                push(&mut harness, n..n + 1);
            }
            for output in buffers(&mut harness) {
                held = held.max((FRAME * n).saturating_sub(output.pts().unwrap()));
            }
        }
        assert!(held <= FRAME * frames && held + FRAME >= FRAME * frames, "{options:?}: {held} of {frames} frames");
    }
}

#[test]
fn a_flush_drops_frames_and_the_next_ones_are_those_of_a_new_stream() {
    let mut harness = harness(&[("rate", "field")], &caps(64, TFF));
    let wanted = bytes(&all(&mut self::harness(&[("rate", "field")], &caps(64, TFF))));
    push(&mut harness, 0..20);
    assert!(harness.push_event(gst::event::FlushStart::new()));
    assert!(harness.push_event(gst::event::FlushStop::new(true)));
    buffers(&mut harness);
    let segment = gst::FormattedSegment::<ClockTime>::new();
    assert!(harness.push_event(gst::event::Segment::new(&segment)));
    let outputs = all(&mut harness);
    assert_eq!(times(&outputs)[0], (0, 20));
    assert!(outputs[0].flags().contains(gst::BufferFlags::DISCONT));
    assert!(bytes(&outputs) == wanted);
}

#[test]
fn a_discontinuity_restarts_without_losing_frames() {
    let mut harness = harness(&[], &caps(64, TFF));
    push(&mut harness, 0..24);
    // Later, by a flag; then earlier, without one.
    let mut later = picture(0, 64);
    later.get_mut().unwrap().set_pts(ClockTime::from_seconds(10));
    later.get_mut().unwrap().set_flags(gst::BufferFlags::DISCONT);
    assert!(harness.push(later).is_ok());
    let first = buffers(&mut harness);
    assert_eq!(times(&first), (0..48).map(|field| (20 * field, 20)).collect::<Vec<_>>());
    push(&mut harness, 0..24);
    let between = buffers(&mut harness);
    assert_eq!(times(&between)[..2], [(10_000, 20), (10_020, 20)]);
    assert!(between[0].flags().contains(gst::BufferFlags::DISCONT) && !between[1].flags().contains(gst::BufferFlags::DISCONT));
    assert!(harness.push_event(gst::event::Eos::new()));
    let rest = buffers(&mut harness);
    assert!(bytes(&[&between[2..], &rest].concat()) == bytes(&first));
}

#[test]
fn new_caps_begin_a_new_clip_after_all_frames_of_the_old_one() {
    let mut harness = harness(&[], &caps(64, TFF));
    push(&mut harness, 0..20);
    harness.set_src_caps_str(&caps(32, "interlace-mode=progressive"));
    (20..40).for_each(|n| assert!(harness.push(picture(n, 32)).is_ok()));
    assert!(harness.push_event(gst::event::Eos::new()));
    let outputs = buffers(&mut harness);
    let sizes: Vec<_> = outputs.iter().map(|buffer| buffer.size()).collect();
    assert_eq!(sizes[..40], [64 * 48; 40]);
    assert!(sizes[40..].iter().all(|size| *size == 32 * 48) && sizes.len() >= 60, "{}", sizes.len());
    assert_eq!(output_caps(&harness).get::<i32>("width").unwrap(), 32);
}

#[test]
fn events_keep_their_place_between_frames() {
    let mut harness = harness(&[("rate", "frame")], &caps(64, TFF));
    harness.set_drop_buffers(false);
    push(&mut harness, 0..20);
    let structure = gst::Structure::new_empty("marker");
    assert!(harness.push_event(gst::event::CustomDownstream::new(structure)));
    let marked = |harness: &mut Harness| {
        let mut events = std::iter::from_fn(|| harness.try_pull_event());
        events.any(|event| matches!(event.view(), EventView::CustomDownstream(_)))
    };
    let mut passed = None;
    for n in 20..40 {
        push(&mut harness, n..n + 1);
        if marked(&mut harness) {
            passed = buffers(&mut harness).last().and_then(|buffer| buffer.pts());
            break;
        }
    }
    // The frame after the event follows it at once.
    assert_eq!(passed, Some(FRAME * 20));
}

#[test]
fn late_outputs_are_dropped_and_reported() {
    for (enabled, expected) in [(true, 28), (false, 48)] {
        let mut harness = harness(&[], &caps(64, TFF));
        let element = harness.element().unwrap();
        element.set_property("qos", enabled);
        let bus = gst::Bus::new();
        element.set_bus(Some(&bus));
        push(&mut harness, 0..1);
        // The sink is 200 ms late at time 0: everything before 400 ms is late.
        assert!(harness.push_upstream_event(gst::event::Qos::new(gst::QOSType::Underflow, 2.0, 200_000_000, ClockTime::ZERO)));
        push(&mut harness, 1..24);
        assert!(harness.push_event(gst::event::Eos::new()));
        let outputs = buffers(&mut harness);
        assert_eq!(outputs.len(), expected);
        let reports = std::iter::from_fn(|| bus.pop_filtered(&[gst::MessageType::Qos])).count();
        assert_eq!(reports, 48 - expected);
        assert!(outputs[0].flags().contains(gst::BufferFlags::DISCONT));
    }
}

#[test]
fn variable_durations_and_missing_times() {
    let mut harness = harness(&[("rate", "frame"), ("field-order", "header"), ("film", "off")], &caps(64, TFF));
    for (n, (start, duration)) in [(0, 60), (60, 40), (100, 60), (160, 40), (600, 40)].into_iter().enumerate() {
        let mut buffer = picture(n as u64, 64);
        buffer.get_mut().unwrap().set_pts(ClockTime::from_mseconds(start));
        buffer.get_mut().unwrap().set_duration(ClockTime::from_mseconds(duration));
        assert!(harness.push(buffer).is_ok());
    }
    assert!(harness.push_event(gst::event::Eos::new()));
    assert_eq!(times(&buffers(&mut harness)), [(0, 60), (60, 40), (100, 60), (160, 40), (600, 40)]);
    let mut untimed = self::harness(&[], &caps(64, TFF));
    for n in 0..16 {
        let mut buffer = picture(n, 64);
        buffer.get_mut().unwrap().set_pts(None);
        assert!(untimed.push(buffer).is_ok());
    }
    assert!(untimed.push_event(gst::event::Eos::new()));
    let outputs = buffers(&mut untimed);
    assert!(outputs.len() == 32 && outputs.iter().all(|buffer| buffer.pts().is_none() && buffer.duration() == Some(FRAME / 2)));
}

#[test]
fn errors_are_messages_and_not_panics() {
    let error = |options: &[(&str, &str)], caps: &str| {
        let mut harness = harness(options, caps);
        let element = harness.element().unwrap();
        let bus = gst::Bus::new();
        element.set_bus(Some(&bus));
        harness.set_src_caps_str(&caps.replace("width=64", "width=60"));
        let flow = harness.push(picture(0, 60)).and_then(|_| harness.push(gst::Buffer::with_size(7).unwrap()));
        let message = bus.pop_filtered(&[gst::MessageType::Error]);
        let text = message.map(|message| match message.view() {
            gst::MessageView::Error(error) => error.error().to_string() + &error.debug().unwrap_or_default(),
            _ => String::new(),
        });
        (flow.is_err(), text.unwrap_or_default())
    };
    let (failed, text) = error(&[], &caps(64, TFF));
    assert!(failed && text.contains("does not have the format of the caps"), "{text}");
    let (failed, text) = error(&[], &caps(64, "interlace-mode=alternate"));
    assert!(failed, "{text}");
    let (failed, text) = error(&[("film", "off"), ("rate", "film")], &caps(64, TFF));
    assert!(failed && text.contains("the film rate needs field matching"), "{text}");
    let element = gst::ElementFactory::make("dndi").property("rate", "half").build().unwrap();
    assert!(element.set_state(gst::State::Paused).is_err());
    element.set_state(gst::State::Null).unwrap();
    // Neither negative rates nor seeks to them.
    let mut harness = harness(&[], &caps(64, TFF));
    push(&mut harness, 0..2);
    let back = gst::event::Seek::new(
        -1.0,
        gst::SeekFlags::FLUSH,
        gst::SeekType::Set,
        ClockTime::ZERO,
        gst::SeekType::End,
        ClockTime::ZERO,
    );
    assert!(!harness.push_upstream_event(back));
}

/// A pipeline that ends with the test, also if it fails.
struct Pipeline(gst::Pipeline);

impl Drop for Pipeline {
    fn drop(&mut self) {
        let _ = self.0.set_state(gst::State::Null);
    }
}

/// A pipeline with a sink that keeps the last sample.
fn pipeline(source: &str, properties: &str) -> (Pipeline, gst::Element) {
    harness(&[], &caps(64, TFF));
    let caps = "video/x-raw,format=I420,width=64,height=48,framerate=50/1";
    let text = format!("{source} ! {caps} ! dndi {properties} ! fakesink name=sink sync=true");
    let pipeline = gst::parse::launch(&text).unwrap().downcast::<gst::Pipeline>().unwrap();
    let sink = pipeline.by_name("sink").unwrap();
    (Pipeline(pipeline), sink)
}

/// Waits for a message of this kind; an error fails the test.
fn wait(pipeline: &Pipeline, kind: gst::MessageType) {
    let kinds = [kind, gst::MessageType::Error];
    let message = pipeline.0.bus().unwrap().timed_pop_filtered(ClockTime::from_seconds(60), &kinds).expect("no message");
    assert_eq!(message.type_(), kind, "{message:?}");
}

fn last_time(sink: &gst::Element) -> ClockTime {
    sink.property::<gst::Sample>("last-sample").buffer().unwrap().pts().unwrap()
}

#[test]
fn a_live_source_ends_with_all_frames_and_its_latency() {
    let (pipeline, sink) = pipeline("videotestsrc is-live=true num-buffers=25", "field-order=tff film=off preset=fast");
    let times = Arc::new(Mutex::new(Vec::new()));
    let list = times.clone();
    sink.static_pad("sink").unwrap().add_probe(gst::PadProbeType::BUFFER, move |_, info| {
        list.lock().unwrap().extend(info.buffer().and_then(|buffer| buffer.pts()));
        gst::PadProbeReturn::Ok
    });
    pipeline.0.set_state(gst::State::Playing).unwrap();
    wait(&pipeline, gst::MessageType::AsyncDone);
    let mut query = gst::query::Latency::new();
    assert!(pipeline.0.query(&mut query));
    let (live, least, _) = query.result();
    // One frame of the source, and the next one that the deinterlacer needs.
    assert!(live && least >= ClockTime::from_mseconds(40), "{live} {least}");
    wait(&pipeline, gst::MessageType::Eos);
    // A live source begins at any time.
    let times = times.lock().unwrap();
    assert_eq!((times.len(), times[49].mseconds() - times[0].mseconds()), (50, 490));
}

#[test]
fn a_seek_in_a_pipeline_continues_there() {
    let (pipeline, sink) = pipeline("videotestsrc", "field-order=tff preset=fast");
    pipeline.0.set_state(gst::State::Paused).unwrap();
    wait(&pipeline, gst::MessageType::AsyncDone);
    assert_eq!(last_time(&sink), ClockTime::ZERO);
    let [begin, end] = [2000, 2400].map(ClockTime::from_mseconds);
    let (set, flags) = (gst::SeekType::Set, gst::SeekFlags::FLUSH | gst::SeekFlags::ACCURATE);
    pipeline.0.seek(1.0, flags, set, begin, set, end).unwrap();
    wait(&pipeline, gst::MessageType::AsyncDone);
    assert_eq!(last_time(&sink), begin);
    pipeline.0.set_state(gst::State::Playing).unwrap();
    wait(&pipeline, gst::MessageType::Eos);
    assert_eq!(last_time(&sink), end - ClockTime::from_mseconds(10));
}
