//! Each parameter changes the output of a stream, except the passthrough fields of the
//! specification (§8.2).

#[path = "reference/content.rs"]
mod content;

use content::{Random, plane, random_scene};
use dndi::{Deinterlacer, Format, Frame, ParameterField, Parameters, Sampling, Scan, Statistics, Stream, StreamBuilder};

/// Fields without effect on samples or statistics.
const PASSTHROUGH: [&str; 5] = ["denoise_edge_th", "stream_id", "column_width", "vdi_walker_enable", "di_partial"];
/// Parameters of stages that only measure.
const MEASURING: [&str; 6] = ["bne_edge_th", "bne_noise_th", "fmd_tdiff", "fmd_vdiff1", "fmd_vdiff2", "fmd_thr_tear"];
/// Number of random clips that are tried until one shows an effect.
const CLIPS: u64 = 120;

const FORMAT: (usize, usize, Sampling) = (40, 24, Sampling::C420);

fn clip(seed: u64) -> Vec<Frame> {
    let scene = random_scene(&mut Random::new(seed)).1;
    let (width, height, sampling) = FORMAT;
    let format = Format::new(width, height, sampling);
    let frame = |n| {
        let planes = [0, 1, 2].map(|i| plane(&scene, format.plane_size(i), Some(0), 2 * n));
        Frame::from_vec(format, planes.concat())
    };
    (0..4).map(frame).collect()
}

/// The output frames and statistics.
fn process(clip: &[Frame], settings: &StreamBuilder, parameters: &Parameters) -> (Vec<Frame>, Vec<Statistics>) {
    let mut stream = settings.clone().parameters(parameters.clone()).build().unwrap();
    let (mut frames, mut statistics) = (vec![], vec![]);
    for frame in clip {
        stream.push(&frame.planes()).unwrap();
        // They contain the parameters themselves.
        let row = stream.statistics().cloned().into_iter();
        statistics.extend(row.map(|mut row| {
            row.denoise = None;
            row
        }));
        frames.extend(std::iter::from_fn(|| stream.pull()).map(|output| output.frame));
    }
    stream.flush().unwrap();
    frames.extend(stream.pull().map(|output| output.frame));
    (frames, statistics)
}

fn builder() -> StreamBuilder {
    let (width, height, sampling) = FORMAT;
    Stream::builder(Format::new(width, height, sampling), Scan::TopFirst).deinterlacer(Deinterlacer::Gen6).denoise(true)
}

/// The defaults with other values of one field. Fields that depend on it change with it; values for
/// which they would be out of range are omitted.
fn others(field: &ParameterField) -> impl Iterator<Item = Parameters> {
    let &ParameterField { name, min, max, default, .. } = field;
    let values = [min, max, default - 1, default + 1, default / 2, (default + max) / 2];
    let values = values.into_iter().filter(move |value| (min..=max).contains(value) && *value != default);
    let parameters = values.filter_map(move |value| {
        let mut parameters = Parameters::default();
        parameters.set(name, value.into()).unwrap();
        let blend = &parameters.deinterlace;
        let [least, most] = [blend.stmm_min, blend.stmm_max].map(i64::from);
        let span = 1 << blend.stmm_shift;
        let bound = match name {
            "stmm_max" => parameters.set("stmm_min", most - span),
            "stmm_min" | "stmm_shift" => parameters.set("stmm_max", least + span),
            _ => Ok(()),
        };
        bound.ok().map(|()| parameters)
    });
    parameters.filter(|parameters| parameters.check(true).is_ok())
}

fn of_names(names: &[&'static str]) -> Vec<&'static ParameterField> {
    let fields: Vec<_> = Parameters::fields().filter(|field| names.contains(&field.name)).collect();
    assert_eq!(fields.len(), names.len(), "fields called {names:?}");
    fields
}

#[test]
fn each_parameter_changes_something() {
    let mut silent: Vec<_> =
        Parameters::fields().filter(|field| !PASSTHROUGH.contains(&field.name) && !field.name.contains('.')).collect();
    for seed in 0..CLIPS {
        let clip = clip(seed);
        let usual = process(&clip, &builder(), &Parameters::default());
        silent.retain(|field| others(field).all(|parameters| process(&clip, &builder(), &parameters) == usual));
        if silent.is_empty() {
            return;
        }
    }
    panic!("no effect: {:?}", silent.iter().map(|field| field.name).collect::<Vec<_>>());
}

#[test]
fn passthrough_parameters_change_nothing() {
    for seed in 0..20 {
        let clip = clip(seed);
        let usual = process(&clip, &builder(), &Parameters::default());
        for field in of_names(&PASSTHROUGH) {
            for parameters in others(field) {
                assert!(process(&clip, &builder(), &parameters) == usual, "{} has an effect on clip {seed}", field.name);
            }
        }
    }
}

#[test]
fn measurements_do_not_change_frames() {
    for seed in 0..20 {
        let clip = clip(seed);
        let usual = process(&clip, &builder(), &Parameters::default()).0;
        for field in of_names(&MEASURING) {
            for parameters in others(field) {
                assert!(process(&clip, &builder(), &parameters).0 == usual, "{} has an effect on clip {seed}", field.name);
            }
        }
    }
}

#[test]
fn a_stage_that_is_off_ignores_its_parameters() {
    let mut scrambled = [(); 3].map(|()| Parameters::default());
    let [denoise, deinterlace, compensation] = &mut scrambled;
    (denoise.denoise.stad_th, denoise.denoise.good_neighbor_th, denoise.denoise.temporal_diff_low) = (1, 63, 0);
    (deinterlace.deinterlace.sdi_threshold, deinterlace.deinterlace.stmm_c2, deinterlace.fmd.fmd_tdiff) = (255, 8, 0);
    // Conditions across fields do not apply either.
    deinterlace.deinterlace.stmm_max = 7;
    (compensation.compensation.cat_th1, compensation.compensation.smooth_mv_th) = (3, 3);
    let off = |parameters: &Parameters| {
        let mut parameters = parameters.clone();
        parameters.compensation.mcdi_enable = false;
        parameters
    };
    for seed in 0..10 {
        let clip = clip(seed);
        let equal = |settings: StreamBuilder, a: &Parameters, b: &Parameters| {
            process(&clip, &settings, a) == process(&clip, &settings, b)
        };
        let usual = Parameters::default();
        assert!(equal(builder().denoise(false), denoise, &usual), "denoise, clip {seed}");
        assert!(equal(builder().deinterlace(false), deinterlace, &usual), "deinterlacing, clip {seed}");
        assert!(equal(builder(), &off(compensation), &off(&usual)), "compensation, clip {seed}");
    }
}
